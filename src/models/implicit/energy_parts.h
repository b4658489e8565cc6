/* energy_parts.h: what the energies of pairs (energy.c) and of walls (energy_walls.c) are made of.
 *
 * The parts are functions of the relative velocity w with their derivatives, kept as a throng_term whose `energy` is
 * the value. */

#ifndef THRONG_IMPLICIT_ENERGY_PARTS_H
#define THRONG_IMPLICIT_ENERGY_PARTS_H

#include "models/implicit/energy_math.h"

/* Collisions later than this many tau0 have no energy (it would be below 1e-7). */
#define TTC_HORIZON 10.0

/* The smoothed inverse time to collision after the step, 1/s; infinite if the two overlap then. */
throng_term throng_inverse_ttc(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                               int order);

/* Energies from an inverse time to collision, and from a least distance. */
throng_term throng_ttc_energy(const throng_implicit_law *law, throng_term sigma, int order);
throng_term throng_repulsion_energy(const throng_implicit_law *law, throng_term distance, double r, int order);

/* Energy that drives apart, from the distance at the end of the step. */
throng_term throng_separation_energy(const throng_implicit_law *law, throng_term distance, double r, int order);

/* What is built both plain and wide, with the same bits; see the functions of energy.h. */
typedef struct throng_energy_kernel {
    void (*ttc_terms)(const throng_implicit_law *law, const throng_pairs *pairs, size_t begin, size_t end,
                      const double *vx, const double *vy, int order, const throng_pair_terms *terms);
    void (*repulsion_terms)(const throng_implicit_law *law, const throng_pairs *pairs, size_t begin, size_t end,
                            const double *vx, const double *vy, int order, const throng_pair_terms *terms);
    void (*wall_terms)(const throng_implicit_law *law, const throng_walled *walkers, size_t count, int order,
                       throng_term *terms);
} throng_energy_kernel;

extern const throng_energy_kernel *const throng_energy_plain;
extern const throng_energy_kernel *const throng_energy_avx2; /* only where throng_wide_supported() */

static inline throng_term infinite_term(void) { return (throng_term){.energy = INFINITY}; }

/* F(f) where f has the derivatives given and F the value and first two derivatives given. */
static inline throng_term chain(throng_term f, double value, double first, double second, int order) {
    throng_term t = {.energy = value};
    if (order >= THRONG_ORDER_GRADIENT) {
        t.gx = first * f.gx;
        t.gy = first * f.gy;
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        t.hxx = second * f.gx * f.gx + first * f.hxx;
        t.hxy = second * f.gx * f.gy + first * f.hxy;
        t.hyy = second * f.gy * f.gy + first * f.hyy;
        if (order == THRONG_ORDER_HESSIAN) make_semi_definite(&t.hxx, &t.hxy, &t.hyy);
    }
    return t;
}

static inline throng_term add_terms(throng_term a, throng_term b) {
    if (a.energy == INFINITY || b.energy == INFINITY) return infinite_term();
    return (throng_term){a.energy + b.energy, a.gx + b.gx, a.gy + b.gy, a.hxx + b.hxx, a.hxy + b.hxy, a.hyy + b.hyy};
}

/* A term with respect to speeds along n and to its left, turned back to x and y. */
static inline throng_term turn_back(throng_term t, double nx, double ny) {
    double nx2 = nx * nx, ny2 = ny * ny, cross = nx * ny, twice = 2 * t.hxy * cross;
    return (throng_term){t.energy,
                         t.gx * nx - t.gy * ny,
                         t.gx * ny + t.gy * nx,
                         t.hxx * nx2 - twice + t.hyy * ny2,
                         (t.hxx - t.hyy) * cross + t.hxy * (nx2 - ny2),
                         t.hxx * ny2 + twice + t.hyy * nx2};
}

/* The approach speed s as the repulsion takes it: psi, with its derivatives. The least distance as printed is that of
 * max(0, s), with a kink at s = 0: exactly where neighbours walk in parallel, their force would jump by eta / gap^2,
 * and no minimiser gets along with that. So psi is max(0, s) rounded over kr times the speed that would close the gap
 * g0 within the step. As psi > max(0, s), people count as a little nearer than they come, never as farther; and at rest
 * the gap is (1 - kr / 2) g0, so standing still stays possible. */
typedef struct approach {
    double psi, first, second;
} approach;

static inline approach approach_speed(const throng_implicit_law *law, double s, double g0) {
    if (law->printed) return (approach){s, 1, 0};
    double delta = law->kr / law->dt * g0, delta2 = delta * delta, bend = 0.5 * delta2;
    double root = sqrt(s * s + delta2), over = 1 / root;
    /* written for s < 0 so that nothing cancels */
    double psi = s > 0 ? 0.5 * (s + root) : bend / (root - s);
    return (approach){psi, psi * over, bend * over * (over * over)};
}

/* A distance that depends on (psi, speed across) as one that depends on (s, speed across). */
static inline throng_term by_true_speed(throng_term d, approach p) {
    d.hxx = d.hxx * p.first * p.first + d.gx * p.second;
    d.hxy *= p.first;
    d.gx *= p.first;
    return d;
}

/* The distance at which the way along w passes the point p. It depends on the direction of w alone. */
static inline throng_term passing_distance(double px, double py, double wx, double wy) {
    double over = 1 / sqrt(wx * wx + wy * wy), ux = wx * over, uy = wy * over;
    double ahead = px * ux + py * uy, beside = px * uy - py * ux, d = fabs(beside), over2 = over * over;
    if (beside < 0) ahead = -ahead;
    double ux2 = ux * ux, uy2 = uy * uy, cross = ux * uy, twice = 2 * ahead * cross;
    return (throng_term){d,
                         -(ahead * over * uy),
                         ahead * over * ux,
                         (twice - d * uy2) * over2,
                         (ahead * (uy2 - ux2) + d * cross) * over2,
                         (-twice - d * ux2) * over2};
}

/* The distance between the end of the way, dt w, and the point p. */
static inline throng_term final_distance(double px, double py, double wx, double wy, double dt) {
    double ex = dt * wx - px, ey = dt * wy - py, d = sqrt(ex * ex + ey * ey);
    if (!(d > 0)) return (throng_term){0};
    double over = 1 / d, bend = dt * dt * over;
    ex *= over;
    ey *= over;
    return (throng_term){d, dt * ex, dt * ey, bend * (ey * ey), -(bend * (ex * ey)), bend * (ex * ex)};
}

#endif
