/* oracle_implicit.h: the energies of `implicit` once more, slowly, in long double and from the definitions: collisions
 * from the roots of their quadratic, the smoothing as a straight line continued from where it begins, least distances
 * by searching along the way. Nothing here is shared with src/. */

#ifndef THRONG_ORACLE_IMPLICIT_H
#define THRONG_ORACLE_IMPLICIT_H

#include <math.h>

#include "models/implicit/energy.h"

typedef long double real;

/* A value, and which of the cases of the definition gave it: derivatives may jump from one to another. */
typedef struct oracle {
    real value;
    int branch;
} oracle;

/* 1 / (time until two discs touch) at distance d with speeds along and across the line between them. */
static inline real oracle_sigma(real d, real r, real along, real across) {
    real a = along * along + across * across, b = d * along, c = d * d - r * r;
    real tau = c / (b + sqrtl(b * b - a * c)); /* the lesser root, without cancellation */
    return 1 / tau;
}

static inline oracle oracle_inverse_ttc(const throng_implicit_law *law, real qx, real qy, real r, real wx, real wy) {
    qx -= law->dt * wx;
    qy -= law->dt * wy;
    real d = sqrtl(qx * qx + qy * qy);
    if (d <= r) return (oracle){INFINITY, 0};
    real along = (qx * wx + qy * wy) / d, across = fabsl(qx * wy - qy * wx) / d;
    if (along <= 0) return (oracle){0, 1};
    real border = r * along / sqrtl(d * d - r * r); /* touches tangentially */
    real begin = sqrtl(1 - (real)law->eps * (real)law->eps) * border;
    if (across < begin) return (oracle){oracle_sigma(d, r, along, across), 2};
    /* its slope there: F = |way from the one to the other at tau|^2 - r^2 stays 0 when tau changes with the speed
     * across */
    real tau = 1 / oracle_sigma(d, r, along, begin);
    real by_across = 2 * tau * tau * begin, by_tau = -2 * along * (d - tau * along) + 2 * tau * begin * begin;
    real slope = by_across / by_tau / (tau * tau);
    real sigma = 1 / tau + slope * (across - begin);
    return sigma > 0 ? (oracle){sigma, qx * wy - qy * wx > 0 ? 3 : 4} : (oracle){0, 5};
}

static inline oracle oracle_ttc_energy(const throng_implicit_law *law, oracle sigma) {
    if (sigma.value == INFINITY) return sigma;
    if (sigma.value < 1 / (10 * (real)law->tau0)) return (oracle){0, 6};
    sigma.value = law->k * powl(sigma.value, law->p) * expl(-1 / (sigma.value * law->tau0));
    return sigma;
}

static inline oracle oracle_repulsion_energy(const throng_implicit_law *law, oracle gap) {
    if (gap.value <= 0) return (oracle){INFINITY, 0};
    real eta = law->eta / (real)law->dt, gc = law->gc;
    if (law->printed) return (oracle){eta / gap.value, gap.branch};
    if (gap.value >= gc) return (oracle){0, 9};
    return (oracle){eta * (1 / gap.value - 2 / gc + gap.value / (gc * gc)), gap.branch};
}

/* The velocity with its component along n replaced by the smooth maximum of it and 0. */
static inline void oracle_regularise(const throng_implicit_law *law, real nx, real ny, real g0, real *wx, real *wy) {
    if (law->printed) return;
    real s = *wx * nx + *wy * ny, delta = law->kr * g0 / law->dt, psi = (s + sqrtl(s * s + delta * delta)) / 2;
    *wx += (psi - s) * nx;
    *wy += (psi - s) * ny;
}

/* The least of |q - t w| for t in [0, dt]. */
static inline oracle oracle_least_distance(real qx, real qy, real wx, real wy, real dt) {
    real a = wx * wx + wy * wy, t = a > 0 ? (qx * wx + qy * wy) / a : 0;
    int branch = t <= 0 ? 1 : t >= dt ? 2 : qx * wy - qy * wx > 0 ? 3 : 4;
    t = t < 0 ? 0 : t > dt ? dt : t;
    return (oracle){hypotl(qx - t * wx, qy - t * wy), branch};
}

static inline oracle oracle_repulsion(const throng_implicit_law *law, real qx, real qy, real r, real wx, real wy) {
    real d0 = hypotl(qx, qy);
    oracle_regularise(law, qx / d0, qy / d0, d0 - r, &wx, &wy);
    oracle d = oracle_least_distance(qx, qy, wx, wy, law->dt);
    return oracle_repulsion_energy(law, (oracle){d.value - r, d.branch});
}

static inline oracle oracle_ttc(const throng_implicit_law *law, real qx, real qy, real r, real wx, real wy) {
    return oracle_ttc_energy(law, oracle_inverse_ttc(law, qx, qy, r, wx, wy));
}

/* The nearest point of a segment, as a part of its length. */
static inline real oracle_nearest(const throng_segment *s, real x, real y) {
    real ux = (real)s->bx - s->ax, uy = (real)s->by - s->ay;
    real t = ((x - s->ax) * ux + (y - s->ay) * uy) / (ux * ux + uy * uy);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static inline real oracle_segment_distance(const throng_segment *s, real x, real y) {
    real t = oracle_nearest(s, x, y);
    return hypotl(x - s->ax - t * (s->bx - (real)s->ax), y - s->ay - t * (s->by - (real)s->ay));
}

/* The least distance to a segment on the way; the distance is convex along a straight way, so it is searched in thirds.
 */
static inline oracle oracle_way_distance(const throng_segment *s, real x, real y, real vx, real vy, real dt) {
    real low = 0, high = dt;
    for (int k = 0; k < 110; k++) {
        real a = low + (high - low) / 3, b = high - (high - low) / 3;
        real at_a = oracle_segment_distance(s, x + a * vx, y + a * vy);
        real at_b = oracle_segment_distance(s, x + b * vx, y + b * vy);
        if (at_a <= at_b) high = b;
        if (at_b <= at_a) low = a;
    }
    real t = (low + high) / 2, along = oracle_nearest(s, x + t * vx, y + t * vy);
    int where = t < 1e-7L * dt ? 1 : t > (1 - 1e-7L) * dt ? 2 : 3, end = along < 1e-9L ? 1 : along > 1 - 1e-9L ? 2 : 3;
    real d = oracle_segment_distance(s, x + t * vx, y + t * vy);
    return (oracle){d < 1e-12L ? 0 : d, 10 * where + end};
}

/* The disc meets the flat part when its edge reaches the line between the two ends. */
static inline oracle oracle_flat(const throng_implicit_law *law, const throng_segment *s, real x, real y, real r,
                                 real vx, real vy) {
    real length = hypotl(s->bx - (real)s->ax, s->by - (real)s->ay);
    real ux = (s->bx - (real)s->ax) / length, uy = (s->by - (real)s->ay) / length;
    real height = (x - s->ax) * -uy + (y - s->ay) * ux, climb = vx * -uy + vy * ux;
    if (height < 0) height = -height, climb = -climb;
    if (climb >= 0 || height < r) return (oracle){0, 1};
    real when = (height - r) / -climb, along = (x + when * vx - s->ax) * ux + (y + when * vy - s->ay) * uy;
    if (along < 0 || along > length) return (oracle){0, 2};
    return when <= law->dt ? (oracle){INFINITY, 3} : (oracle){1 / (when - law->dt), 4};
}

/* The soonest collision with a part of a wall. */
static inline oracle oracle_wall_collision(const throng_implicit_law *law, const throng_segment *s, real x, real y,
                                           real r, real vx, real vy) {
    oracle soonest = {0, 0};
    oracle of[3] = {oracle_inverse_ttc(law, s->ax - x, s->ay - y, r, vx, vy),
                    oracle_inverse_ttc(law, s->bx - x, s->by - y, r, vx, vy), oracle_flat(law, s, x, y, r, vx, vy)};
    for (int part = 0; part < 3; part++) {
        if (of[part].value > soonest.value) soonest = (oracle){of[part].value, 10 * part + of[part].branch};
    }
    return soonest;
}

/* The least gap to a wall within the step. */
static inline oracle oracle_wall_gap(const throng_implicit_law *law, const throng_segment *s, real x, real y, real r,
                                     real vx, real vy) {
    real t = oracle_nearest(s, x, y), nx = s->ax + t * (s->bx - (real)s->ax) - x,
         ny = s->ay + t * (s->by - (real)s->ay) - y, d0 = hypotl(nx, ny);
    oracle_regularise(law, nx / d0, ny / d0, d0 - r, &vx, &vy);
    oracle d = oracle_way_distance(s, x, y, vx, vy, law->dt);
    return (oracle){d.value - r, d.branch};
}

/* All walls, as printed: the energy of the soonest collision and of the least gap. Else the norms of those of all. */
static inline oracle oracle_walls(const throng_implicit_law *law, real x, real y, real r, real vx, real vy,
                                  const throng_segment *segments, int count) {
    oracle soonest = {0, 0}, nearest = {INFINITY, 0};
    real collisions = 0, repulsions = 0;
    int branch = 0;
    for (int k = 0; k < count; k++) {
        oracle sigma = oracle_wall_collision(law, &segments[k], x, y, r, vx, vy);
        oracle gap = oracle_wall_gap(law, &segments[k], x, y, r, vx, vy);
        if (sigma.value > soonest.value) soonest = (oracle){sigma.value, 100 * k + sigma.branch};
        if (gap.value < nearest.value) nearest = (oracle){gap.value, 100 * k + gap.branch};
        oracle collision = oracle_ttc_energy(law, sigma), repulsion = oracle_repulsion_energy(law, gap);
        collisions += powl(collision.value, 8);
        repulsions += powl(repulsion.value, 8);
        branch = (branch * 31 + collision.branch * 7 + repulsion.branch) % 99991;
    }
    oracle ttc = oracle_ttc_energy(law, soonest), repulsion = oracle_repulsion_energy(law, nearest);
    if (law->printed || ttc.value == INFINITY || repulsion.value == INFINITY) {
        return (oracle){ttc.value + repulsion.value, 10000 * ttc.branch + repulsion.branch};
    }
    return (oracle){powl(collisions, 0.125L) + powl(repulsions, 0.125L), branch};
}

#endif
