/* oracle_powerlaw.h: `powerlaw` once more, slow and from the definition: the time to collision is found
 * by walking on, and the force is -grad E(tau) by finite differences, in long double. */

#ifndef ORACLE_POWERLAW_H
#define ORACLE_POWERLAW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "models/powerlaw/powerlaw.h"

typedef long double real;

typedef struct oracle_point {
    real x, y;
} oracle_point;

typedef struct oracle_segment {
    oracle_point a, b;
} oracle_segment;

typedef struct oracle_person {
    oracle_point x, v, wish, push;
    real radius;
} oracle_person;

typedef struct oracle_scene {
    size_t people, walls;
    const oracle_person *person;
    const oracle_segment *wall;
    throng_powerlaw_params params;
} oracle_scene;

static inline oracle_point oracle_along(oracle_point p, real t, oracle_point v) {
    return (oracle_point){p.x + t * v.x, p.y + t * v.y};
}

static inline real oracle_distance(oracle_point p, oracle_segment s) {
    real dx = s.b.x - s.a.x, dy = s.b.y - s.a.y;
    real t = ((p.x - s.a.x) * dx + (p.y - s.a.y) * dy) / (dx * dx + dy * dy);
    oracle_point near = oracle_along(s.a, t < 0 ? 0 : t > 1 ? 1 : t, (oracle_point){dx, dy});
    return hypotl(p.x - near.x, p.y - near.y);
}

/* When a disc first touches a wall: it can always go as far as the nearest wall is away. Who touches
 * already does so as if it were 1 mm away and going straight in. */
static inline real oracle_time_to_wall(const oracle_scene *s, oracle_point x, oracle_point v, real radius) {
    real speed = hypotl(v.x, v.y), t = 0, reach = (real)s->params.neighbour_dist;
    for (int step = 0; step < 100000 && t * speed < reach + 1; step++) {
        real gap = INFINITY;
        for (size_t k = 0; k < s->walls; k++)
            gap = fminl(gap, oracle_distance(oracle_along(x, t, v), s->wall[k]) - radius);
        if (gap < 1e-17L) return t;
        t += gap / speed;
    }
    return INFINITY;
}

/* When two discs first touch: the first root of |q - w t| = R, by halving the time until they are
 * nearest. */
static inline real oracle_time_to_person(oracle_point q, oracle_point w, real r) {
    real a = w.x * w.x + w.y * w.y, nearest = (q.x * w.x + q.y * w.y) / a, low = 0, high = nearest;
    if (!(nearest > 0) || hypotl(q.x - nearest * w.x, q.y - nearest * w.y) >= r) return INFINITY;
    if (hypotl(q.x, q.y) <= r) return INFINITY;
    for (int k = 0; k < 200; k++) {
        real t = (low + high) / 2;
        if (hypotl(q.x - t * w.x, q.y - t * w.y) > r)
            low = t;
        else
            high = t;
    }
    return low;
}

static inline real oracle_energy(const throng_powerlaw_params *p, real tau) {
    return tau < INFINITY ? (real)p->k * powl(tau, -(real)p->m) * expl(-tau / (real)p->tau0) : 0;
}

/* The sum of what acts on a person before the clamp. `unsure` when numerical differences are not to be
 * trusted: somebody just grazed, or another wall is met a hair further on. */
static inline oracle_point oracle_acceleration(const oracle_scene *s, size_t i, bool *unsure) {
    const real h = 1e-6L;
    const throng_powerlaw_params *p = &s->params;
    const oracle_person *me = &s->person[i];
    oracle_point sum = {(me->wish.x - me->v.x) / (real)p->relaxation_time + me->push.x,
                        (me->wish.y - me->v.y) / (real)p->relaxation_time + me->push.y};
    *unsure = false;
    for (size_t j = 0; j <= s->people; j++) { /* the last one stands for the walls */
        real e[5], shift_x[5] = {0, h, -h, 0, 0}, shift_y[5] = {0, 0, 0, h, -h};
        if (j == i) continue;
        for (int k = 0; k < 5; k++) {
            oracle_point x = {me->x.x + shift_x[k], me->x.y + shift_y[k]};
            if (j == s->people) {
                real tau = oracle_time_to_wall(s, x, me->v, me->radius);
                e[k] = oracle_energy(p, tau * hypotl(me->v.x, me->v.y) < (real)p->neighbour_dist ? tau : INFINITY);
                continue;
            }
            const oracle_person *other = &s->person[j];
            oracle_point now = {other->x.x - me->x.x, other->x.y - me->x.y}, q = {other->x.x - x.x, other->x.y - x.y};
            oracle_point w = {me->v.x - other->v.x, me->v.y - other->v.y};
            real apart = hypotl(now.x, now.y), r = me->radius + other->radius;
            if (apart < r) r -= apart;
            e[k] = apart < (real)p->neighbour_dist ? oracle_energy(p, oracle_time_to_person(q, w, r)) : 0;
        }
        sum.x -= (e[1] - e[2]) / (2 * h);
        sum.y -= (e[3] - e[4]) / (2 * h);
        if (j < s->people) {
            oracle_point q = {s->person[j].x.x - me->x.x, s->person[j].x.y - me->x.y};
            real apart = hypotl(q.x, q.y), depth = me->radius + s->person[j].radius - apart;
            oracle_point w = {me->v.x - s->person[j].v.x, me->v.y - s->person[j].v.y};
            real k = (real)p->separation, nearing = (q.x * w.x + q.y * w.y) / apart;
            if (depth > 0 && apart > 0)
                sum = oracle_along(sum, -fmaxl(0, k * depth + 2 * sqrtl(k) * nearing) / apart, q);
        }
        real bend = fabsl(e[1] - 2 * e[0] + e[2]) + fabsl(e[3] - 2 * e[0] + e[4]);
        real slope = fabsl(e[1] - e[2]) + fabsl(e[3] - e[4]);
        *unsure |= bend > 1e-4L * slope;
    }
    return sum;
}

#endif
