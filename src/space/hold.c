/* hold.c: see hold.h. */

#include "space/hold.h"

#include <math.h>

#include "space/walls.h"

enum { GRAIN = 64 };

static uint32_t source_of(const throng_near *near, uint32_t slot) {
    return near->image_count > 0 ? near->slot[near->row[slot]] : slot;
}

bool throng_hold_is_too_near(const throng_hold *h, uint32_t me, uint32_t other) {
    const throng_near *near = h->near;
    double dx = h->to[other].x - h->to[me].x, dy = h->to[other].y - h->to[me].y, d2 = dx * dx + dy * dy;
    double radii = near->radius[me] + near->radius[other];
    if (!(d2 < radii * radii)) return false;
    double apart = h->apart(h->context, me, other) * (1 - 1e-9);
    double was_x = near->x[other] - near->x[me], was_y = near->y[other] - near->y[me];
    return d2 < apart * apart && d2 < (was_x * was_x + was_y * was_y) * (1 - 1e-9);
}

/* Ways go no farther than `most` (m) along n. */
typedef struct bound {
    double nx, ny, most;
} bound;

static bool bound_by(const throng_hold *h, uint32_t me, uint32_t other, bound *out) {
    const throng_near *near = h->near;
    double apart = h->apart(h->context, me, other);
    double dx = near->x[other] - near->x[me], dy = near->y[other] - near->y[me], d = sqrt(dx * dx + dy * dy);
    if (apart == 0 || !(d > 0)) return false;
    *out = (bound){dx / d, dy / d, fmax(0.5 * (d - apart), 0)};
    return true;
}

/* How much of a way, 0 to 1, keeps to all bounds. */
static double free_part(const throng_hold *h, uint32_t me, throng_point way) {
    const uint32_t *list = h->lists->slot + h->lists->start[me];
    double part = 1;
    bound b;
    for (uint32_t i = 0; i < h->lists->length[me]; i++) {
        if (!bound_by(h, me, list[i], &b)) continue;
        double goes = way.x * b.nx + way.y * b.ny;
        if (part * goes > b.most) part = b.most / goes;
    }
    return part;
}

/* The way led along bounds instead of into them. */
static throng_point slide(const throng_hold *h, uint32_t me, throng_point way) {
    enum { ROUNDS = 4 };
    const uint32_t *list = h->lists->slot + h->lists->start[me];
    bound b;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < h->lists->length[me]; i++) {
            if (!bound_by(h, me, list[i], &b)) continue;
            double beyond = way.x * b.nx + way.y * b.ny - b.most;
            if (beyond > 0) way = (throng_point){way.x - beyond * b.nx, way.y - beyond * b.ny};
        }
    }
    return way;
}

static void hold_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_hold *h = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = h->some[k];
        throng_point at = {h->near->x[me], h->near->y[me]}, way = {h->to[me].x - at.x, h->to[me].y - at.y};
        throng_point led = slide(h, me, way);
        if (h->is_clear(h->context, me, led)) way = led;
        double part = free_part(h, me, way);
        h->to[me] = (throng_point){at.x + part * way.x, at.y + part * way.y};
    }
}

/* Lists whoever is free and too near to those held in this round. */
static void list_next(throng_hold *h, size_t begin, size_t end) {
    for (size_t k = begin; k < end; k++) {
        uint32_t me = h->held[k];
        const uint32_t *list = h->lists->slot + h->lists->start[me];
        for (uint32_t i = 0; i < h->lists->length[me]; i++) {
            uint32_t other = source_of(h->near, list[i]);
            if (h->is_held[other] || !throng_hold_is_too_near(h, me, list[i])) continue;
            h->is_held[other] = true;
            h->held[h->count++] = other;
        }
    }
}

bool throng_hold_is_clear_of_walls(const throng_walls *walls, throng_point from, throng_point way, double radius) {
    throng_point to = {from.x + way.x, from.y + way.y};
    double had = throng_walls_depth(walls, from.x, from.y, radius);
    return throng_walls_depth(walls, to.x, to.y, radius) >= fmin(had, radius) - 1e-9 &&
           !throng_walls_block(walls, from, to, 0);
}

void throng_hold_follow(const throng_near *near, throng_point *to) {
    for (uint32_t slot = 0; near->image_count > 0 && slot < near->count; slot++) {
        uint32_t source = source_of(near, slot);
        if (source == slot) continue;
        to[slot].x = to[source].x + (near->x[slot] - near->x[source]);
        to[slot].y = to[source].y + (near->y[slot] - near->y[source]);
    }
}

void throng_hold_back(throng_hold *h) {
    for (size_t done = 0; done < h->count;) {
        size_t end = h->count;
        h->some = h->held + done;
        throng_parallel_for(h->crew, end - done, GRAIN, hold_some, h);
        throng_hold_follow(h->near, h->to);
        list_next(h, done, end);
        done = end;
    }
}
