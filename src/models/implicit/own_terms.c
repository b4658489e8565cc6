/* own_terms.c: what a walker's velocity costs by itself: changing it, not having the desired one, exceeding its limit,
 * and nearing walls. */

#include <assert.h>

#include "models/implicit/solver.h"

static const double cap_free = 2.0 / 3; /* of the limit of speed: from there on it costs */
static const double cap_strength = 2;   /* 1/s */

/* Nothing up to 2 times the desired speed, infinite at 3 times. */
static void add_cap(throng_term *t, double vx, double vy, double cap) {
    double speed2 = vx * vx + vy * vy, free_speed = cap_free * cap;
    if (speed2 <= free_speed * free_speed) return;
    double speed = sqrt(speed2), left = cap - speed, over = speed - free_speed, strength = cap_strength * cap;
    if (!(left > 0)) {
        *t = (throng_term){.energy = INFINITY};
        return;
    }
    double ratio = over / left, slope = strength * ratio * (2 + ratio);
    double curve = strength * 2 * (1 + ratio) * (1 + ratio) / left, nx = vx / speed, ny = vy / speed;
    double aside = slope / speed;
    t->energy += strength * over * ratio;
    t->gx += slope * nx;
    t->gy += slope * ny;
    t->hxx += curve * nx * nx + aside * ny * ny;
    t->hxy += (curve - aside) * nx * ny;
    t->hyy += curve * ny * ny + aside * nx * nx;
}

/* Without walls. */
static throng_term lone_term(const throng_implicit_solver *s, uint32_t slot, double vx, double vy) {
    double push_x = s->walkers->push_x[slot], push_y = s->walkers->push_y[slot], xi = s->walkers->xi[slot],
           inertia = 1 / s->walkers->law.dt;
    double ax = vx - s->walkers->old_x[slot], ay = vy - s->walkers->old_y[slot], bx = vx - s->walkers->goal_x[slot],
           by = vy - s->walkers->goal_y[slot];
    throng_term t = {
        .energy = 0.5 * inertia * (ax * ax + ay * ay) + 0.5 * xi * (bx * bx + by * by) - push_x * vx - push_y * vy,
        .gx = inertia * ax + xi * bx - push_x,
        .gy = inertia * ay + xi * by - push_y,
        .hxx = inertia + xi,
        .hyy = inertia + xi};
    add_cap(&t, vx, vy, s->walkers->cap[slot]);
    return t;
}

/* The pieces of a crowd do not fit into the processor's nearest memory: asks for those that will be needed. */
static void fetch_pieces(const throng_walled *w) {
    for (uint32_t k = 0; k < w->ahead_count; k++) __builtin_prefetch(&w->pieces[w->ahead[k]]);
    for (uint32_t k = 0; k < w->close_count; k++) __builtin_prefetch(&w->pieces[w->close[k]]);
}

void throng_implicit_own_terms(const throng_implicit_solver *s, const uint32_t *slots, size_t count, const double *vx,
                               const double *vy, int order, throng_term *terms) {
    throng_walled walled[THRONG_IMPLICIT_BLOCK];
    throng_term walls[THRONG_IMPLICIT_BLOCK];
    size_t which[THRONG_IMPLICIT_BLOCK], some = 0;
    assert(count <= THRONG_IMPLICIT_BLOCK);
    for (size_t k = 0; k < count; k++) {
        uint32_t slot = slots[k], begin = s->walls->begin[slot];
        terms[k] = lone_term(s, slot, vx[k], vy[k]);
        if (s->walls->ahead_count[slot] + s->walls->close_count[slot] == 0 || terms[k].energy == INFINITY) continue;
        walled[some] = (throng_walled){.pieces = s->walls->pieces + begin,
                                       .ahead = s->walls->ahead + begin,
                                       .close = s->walls->close + begin,
                                       .ahead_count = s->walls->ahead_count[slot],
                                       .close_count = s->walls->close_count[slot],
                                       .r = s->walkers->near->radius[slot],
                                       .vx = vx[k],
                                       .vy = vy[k]};
        fetch_pieces(&walled[some]);
        which[some++] = k;
    }
    if (some == 0) return;
    s->kernel->wall_terms(&s->walkers->law, walled, some, order, walls);
    for (size_t w = 0; w < some; w++) {
        size_t k = which[w];
        terms[k] = throng_add_terms(terms[k], walls[w]);
        if (!s->walls->in_wall[slots[k]]) continue;
        throng_term out = throng_wall_separation_term(&s->walkers->law, walled[w].pieces, s->walls->count[slots[k]],
                                                      walled[w].r, vx[k], vy[k], order);
        terms[k] = throng_add_terms(terms[k], out);
    }
}
