/* block_descent.c: everybody in turn takes a step of Newton's method in its own velocity while the others keep theirs
 * (block coordinate descent). Walkers without a common pair are decided at the same time: they get a colour in order of
 * slots, the first that none of their neighbours has, and colours come one after the other. So the result does not
 * depend on who is faster. */

#include <string.h>

#include "base/elementary.h"
#include "models/implicit/solver.h"

enum { COLORS = THRONG_IMPLICIT_COLORS, WAYS = 16 };
static const double steep = 0.01; /* m/s^2: lesser slopes are none */

/* The first colour that no neighbour with a lower slot has. Beyond the last colour people share it and take turns. */
static uint32_t color_of(const throng_implicit_solver *s, uint32_t slot) {
    const throng_implicit_rows *r = &s->rows;
    uint8_t taken[COLORS] = {0};
    uint32_t color = 0;
    for (uint32_t q = r->begin[slot]; (q = throng_implicit_next(r, slot, q, THRONG_ANYBODY)) < r->end[slot]; q++) {
        for (unsigned lanes = (r->matter[q] | r->matter[q] >> 4) & THRONG_LANES; lanes; lanes &= lanes - 1) {
            uint32_t other = s->walkers->self[throng_implicit_slot(r->quad[q], lanes)];
            if (other < slot && s->walkers->own[other]) taken[s->colors.of[other]] = 1;
        }
    }
    while (color < COLORS - 1 && taken[color]) color++;
    return color;
}

static void color_all(throng_implicit_solver *s) {
    uint32_t count[COLORS + 1] = {0};
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        s->colors.of[slot] = (uint8_t)color_of(s, slot);
        count[s->colors.of[slot] + 1]++;
    }
    s->colors.count = 0;
    for (uint32_t c = 0; c < COLORS; c++) {
        if (count[c + 1]) s->colors.count = c + 1;
        count[c + 1] += count[c];
    }
    memcpy(s->colors.begin, count, (s->colors.count + 1) * sizeof *count);
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        s->colors.order[count[s->colors.of[slot]]++] = slot;
    }
}

/* A pair's share as seen by a walker who has the velocity v. */
static throng_term pair_term(const throng_implicit_solver *s, uint32_t slot, uint32_t seen, bool close, double vx,
                             double vy, int order) {
    const throng_implicit_law *law = &s->walkers->law;
    uint32_t other = s->walkers->self[seen];
    double qx, qy, r, wx = vx - s->motion.vx[other], wy = vy - s->motion.vy[other];
    bool overlap = throng_implicit_pair(s, slot, seen, &qx, &qy, &r);
    throng_term t =
        s->kernel->pair_term(law, qx, qy, r, wx, wy, close ? THRONG_TTC | THRONG_REPULSION : THRONG_TTC, order);
    if (!overlap) return t;
    double radii = s->walkers->near->radius[slot] + s->walkers->near->radius[seen];
    return throng_add_terms(t, throng_separation_term(law, qx, qy, radii, wx, wy, order));
}

/* All that depends on one walker's velocity. */
static throng_term local_term(const throng_implicit_solver *s, uint32_t slot, double vx, double vy, int order) {
    const throng_implicit_rows *r = &s->rows;
    throng_term sum;
    throng_implicit_own_terms(s, &slot, 1, &vx, &vy, order, &sum);
    for (uint32_t q = r->begin[slot];
         (q = throng_implicit_next(r, slot, q, THRONG_ANYBODY)) < r->end[slot] && sum.energy < INFINITY; q++) {
        unsigned close = r->matter[q] & THRONG_LANES, far = r->matter[q] >> 4;
        for (unsigned lanes = close | far; lanes; lanes &= lanes - 1) {
            uint32_t seen = throng_implicit_slot(r->quad[q], lanes);
            sum = throng_add_terms(sum, pair_term(s, slot, seen, lanes & -lanes & close, vx, vy, order));
        }
    }
    return sum;
}

/* Where slopes lead nowhere: between two parts of a wall, of which the soonest counts, the slope jumps, and the way
 * down leads along the edge. */
static void feel_around(throng_implicit_solver *s, uint32_t slot, double energy) {
    double x = s->motion.vx[slot], y = s->motion.vy[slot];
    double ax = x - s->motion.ref_x[slot], ay = y - s->motion.ref_y[slot],
           left = s->motion.trust[slot] - sqrt(ax * ax + ay * ay);
    for (double far = fmin(0.01, left); far > 1e-6; far *= 0.25) {
        for (int way = 0; way < WAYS; way++) {
            double dx, dy;
            throng_cos_sin(way * (360.0 / WAYS), &dx, &dy);
            double nx = x + far * dx, ny = y + far * dy;
            if (!(local_term(s, slot, nx, ny, 0).energy < energy - 0.1 * steep * far)) continue;
            s->motion.vx[slot] = nx;
            s->motion.vy[slot] = ny;
            return;
        }
    }
}

/* Newton's step, no longer than the trust region allows, halved until it pays. */
static void improve(throng_implicit_solver *s, uint32_t slot) {
    double vx = s->motion.vx[slot], vy = s->motion.vy[slot];
    throng_term t = local_term(s, slot, vx, vy, 2);
    double det = t.hxx * t.hyy - t.hxy * t.hxy;
    if (!(t.energy < INFINITY) || !(det > 0)) return;
    double px = -(t.hyy * t.gx - t.hxy * t.gy) / det, py = -(t.hxx * t.gy - t.hxy * t.gx) / det;
    double slope = px * t.gx + py * t.gy;
    if (!(slope < 0)) return;
    double step = 1;
    for (int tries = 0; tries < 12; tries++, step *= 0.4) {
        double nx = vx + step * px, ny = vy + step * py;
        double ax = nx - s->motion.ref_x[slot], ay = ny - s->motion.ref_y[slot];
        if (ax * ax + ay * ay > s->motion.trust[slot] * s->motion.trust[slot]) continue;
        double energy = local_term(s, slot, nx, ny, 0).energy;
        if (!(energy <= t.energy + 1e-4 * step * slope)) continue;
        s->motion.vx[slot] = nx;
        s->motion.vy[slot] = ny;
        return;
    }
    if (s->pass.thorough && t.gx * t.gx + t.gy * t.gy > steep * steep) feel_around(s, slot, t.energy);
}

static void improve_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    const uint32_t *slots = s->colors.order + (size_t)s->pass.factor;
    for (size_t k = begin; k < end; k++) improve(s, slots[k]);
}

void throng_implicit_descend(throng_implicit_solver *s, int rounds, bool thorough) {
    enum { GRAIN = 8 };
    throng_implicit_complete_rows(s);
    color_all(s);
    s->pass.thorough = thorough;
    for (int round = 0; round < rounds; round++) {
        for (size_t c = 0; c < s->colors.count; c++) {
            size_t count = s->colors.begin[c + 1] - s->colors.begin[c];
            s->pass.factor = s->colors.begin[c];
            /* those of the last colour may be neighbours */
            throng_implicit_each(s, count, c == COLORS - 1 ? count : GRAIN, improve_some);
        }
    }
}
