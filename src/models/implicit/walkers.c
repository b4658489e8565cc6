/* walkers.c: who takes part in a step of `implicit`, with what limits. */

#include "models/implicit/walkers.h"

#include <string.h>

#include "models/common.h"

static const double cap_factor = 3;    /* times the desired speed: nobody is faster */
static const double speed_least = 0.1; /* m/s: who wishes for less is limited as if it wished for this */
static const double stride_most = 20;  /* m: nobody may go farther within a step */

/* Somebody is packed if the bodies whose middles are within so many of its radii have more than so many times the area
 * there: they overlap then. */
static const double packed_radii = 4, packed_area = 1.5;
static const double freedom_least = 0.01;

#define A(field) THRONG_ARRAY(throng_implicit_walkers, field)
static const throng_array arrays[] = {A(old_x),  A(old_y), A(goal_x), A(goal_y),  A(xi),   A(push_x),
                                      A(push_y), A(cap),   A(reach),  A(freedom), A(self), A(own)};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

void throng_implicit_release_walkers(throng_implicit_walkers *w) { throng_arrays_release(w, arrays, ARRAYS); }

/* What is left of somebody's reach where more people are than any room could hold, as a start with overlaps may have
 * it: the more they are, the fewer of them it minds. 1 for who is not packed. */
static double freedom_of(const throng_implicit_walkers *w, uint32_t row) {
    const throng_near *near = w->now->near;
    double x = w->now->people.x[row], y = w->now->people.y[row], reach = packed_radii * w->now->people.radius[row];
    double room = packed_area * reach * reach, most = room / sqrt(freedom_least), sum = 0;
    int32_t left = throng_near_column(near, x - reach), right = throng_near_column(near, x + reach);
    int32_t bottom = throng_near_row(near, y - reach), top = throng_near_row(near, y + reach);
    const uint32_t *first = near->start + (size_t)bottom * (size_t)near->columns, *start = first;
    uint32_t count = 0;
    for (int32_t line = bottom; line <= top; line++, start += near->columns) count += start[right + 1] - start[left];
    if (count * near->radius_max * near->radius_max <= room) return 1;
    for (start = first; bottom <= top; bottom++, start += near->columns) {
        for (uint32_t k = start[left]; k < start[right + 1] && sum < most; k++) {
            double dx = near->x[k] - x, dy = near->y[k] - y;
            if (dx * dx + dy * dy < reach * reach) sum += near->radius[k] * near->radius[k];
        }
    }
    return sum > room ? fmax(freedom_least, room * room / (sum * sum)) : 1;
}

/* No pair that is not in sight may meet: neither in too long a step, nor across a seam, where each may take half the
 * way. */
static double cap_of(const throng_implicit_walkers *w, uint32_t row, double freedom) {
    double dt = w->now->dt, cap = cap_factor * fmax(w->now->people.desired_speed[row], speed_least);
    cap = fmin(freedom * cap, stride_most / dt);
    const throng_near *near = w->now->near;
    if (near->image_margin > 0) {
        double way = near->image_margin - 2 * w->now->people.radius[row] - 2 * w->law.gc;
        cap = fmin(cap, fmax(way, 0.1) / (2 * dt));
    }
    return cap;
}

double throng_implicit_cap(const throng_implicit_walkers *w, uint32_t row) {
    return cap_of(w, row, freedom_of(w, row));
}

/* How far it may reach within the step, up to half the distance at which two repel. m */
static double reach_of(const throng_implicit_walkers *w, uint32_t slot, double speed, double freedom) {
    return w->near->radius[slot] + freedom * (0.55 * w->law.gc) + speed * w->law.dt;
}

static void take_own(throng_implicit_walkers *w, uint32_t slot) {
    const throng_step *now = w->now;
    uint32_t row = w->near->row[slot];
    const throng_implicit_params *params = now->params[now->people.profile[row]];
    w->own[slot] = 1;
    w->old_x[slot] = now->people.vx[row];
    w->old_y[slot] = now->people.vy[row];
    w->xi[slot] = params->xi;
    w->goal_x[slot] = now->people.wish_x[row];
    w->goal_y[slot] = now->people.wish_y[row];
    w->push_x[slot] = now->people.push_x[row];
    w->push_y[slot] = now->people.push_y[row];
    w->freedom[slot] = freedom_of(w, row);
    w->cap[slot] = cap_of(w, row, w->freedom[slot]);
    w->packed += w->freedom[slot] < 1;
    w->reach[slot] = reach_of(w, slot, w->cap[slot], w->freedom[slot]);
}

/* Foreign walkers, images, and those who have left since lists were made. */
static void take_other(throng_implicit_walkers *w, const throng_implicit_cache *cache, uint32_t slot) {
    const throng_near *near = w->near;
    double speed = sqrt(near->vx[slot] * near->vx[slot] + near->vy[slot] * near->vy[slot]);
    if (w->gone > 0 && !throng_implicit_is_other(cache, slot))
        speed = w->cap[slot] = cache->members[cache->then->row[slot]].cap;
    w->reach[slot] = w->own[w->self[slot]] ? w->reach[w->self[slot]] : reach_of(w, slot, speed, 1);
}

void throng_implicit_take_walkers(throng_implicit_walkers *w, const throng_implicit_cache *cache) {
    const throng_near *near = w->near;
    throng_arrays_grow(w, arrays, ARRAYS, &w->capacity, near->count);
    w->packed = 0;
    memset(w->own, 0, near->count);
    for (size_t k = 0; k < w->mine_count; k++) take_own(w, w->mine[k]);
    w->reach_most = 0;
    for (uint32_t slot = 0; slot < near->count; slot++) {
        w->self[slot] = near->image_count > 0 ? near->slot[near->row[slot]] : slot;
        if (!w->own[slot]) take_other(w, cache, slot);
        w->reach_most = fmax(w->reach_most, w->reach[slot]);
    }
}
