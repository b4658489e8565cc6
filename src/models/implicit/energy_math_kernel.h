/* energy_math_kernel.h: four values at once with their derivatives. Every operation is that of the plain functions, in
 * the same order, so the bits are the same too. */

#ifndef THRONG_IMPLICIT_ENERGY_MATH_KERNEL_H
#define THRONG_IMPLICIT_ENERGY_MATH_KERNEL_H

#include "base/wide.h"
#include "models/implicit/energy_parts.h"

/* Four throng_terms. */
typedef struct wide_term {
    wide energy, gx, gy, hxx, hxy, hyy;
} wide_term;

/* Four pairs, as energy.c has them. */
typedef struct wide_pairs {
    wide qx, qy, r, wx, wy;
} wide_pairs;

/* People by slot, at some velocities. */
typedef struct people {
    const double *x, *y, *radius, *vx, *vy;
} people;

/* One of them and some of the four from `first` on. */
static inline wide_pairs pairs_with(const people *all, uint32_t one, uint32_t first, wide_mask in) {
    return (wide_pairs){.qx = wide_sub(wide_load_where(all->x + first, in), wide_all(all->x[one])),
                        .qy = wide_sub(wide_load_where(all->y + first, in), wide_all(all->y[one])),
                        .r = wide_add(wide_load_where(all->radius + first, in), wide_all(all->radius[one])),
                        .wx = wide_sub(wide_all(all->vx[one]), wide_load_where(all->vx + first, in)),
                        .wy = wide_sub(wide_all(all->vy[one]), wide_load_where(all->vy + first, in))};
}

/* Four of the pairs, from the k-th on. */
static inline wide_pairs pairs_at(const throng_pairs *pairs, const double *vx, const double *vy, size_t k) {
    const uint32_t *i = pairs->i + k, *j = pairs->j + k;
    wide_pairs p = {.qx = wide_load(pairs->qx + k), .qy = wide_load(pairs->qy + k), .r = wide_load(pairs->r + k)};
    /* lists are mostly by one of the two */
    bool same = i[0] == i[1] && i[0] == i[2] && i[0] == i[3];
    wide ix = same ? wide_all(vx[i[0]]) : wide_gather(vx, i), iy = same ? wide_all(vy[i[0]]) : wide_gather(vy, i);
    p.wx = wide_sub(ix, wide_gather(vx, j));
    p.wy = wide_sub(iy, wide_gather(vy, j));
    return p;
}

/* For sums of products, which would be hard to read otherwise: a b + c d, a b - c d, and a b + c. */
static inline wide mul_add_mul(wide a, wide b, wide c, wide d) { return wide_add(wide_mul(a, b), wide_mul(c, d)); }
static inline wide mul_sub_mul(wide a, wide b, wide c, wide d) { return wide_sub(wide_mul(a, b), wide_mul(c, d)); }
static inline wide mul_add(wide a, wide b, wide c) { return wide_add(wide_mul(a, b), c); }
static inline wide mul3(wide a, wide b, wide c) { return wide_mul(wide_mul(a, b), c); }
static inline wide wide_abs(wide a) { return wide_select(wide_less(a, wide_all(0.0)), wide_sub(wide_all(0.0), a), a); }
static inline wide negative(wide a) { return wide_sub(wide_all(-0.0), a); }

/* fixed_exp of four. */
static inline wide quick_exp(wide x) {
    const double *c = exp_poly;
    const wide round = wide_all(0x1.8p52);
    x = wide_max(wide_min(x, wide_all(700.0)), wide_all(-700.0));
    wide k = wide_sub(wide_add(wide_mul(x, wide_all(0x1.71547652b82fep+0)), round), round);
    wide r = wide_sub(wide_sub(x, wide_mul(k, wide_all(WIDE_LN2_HIGH))), wide_mul(k, wide_all(WIDE_LN2_LOW)));
    wide r2 = wide_mul(r, r), r4 = wide_mul(r2, r2), two[6], four[3];
    for (int n = 0; n < 6; n++) two[n] = wide_add(wide_all(c[2 * n]), wide_mul(wide_all(c[2 * n + 1]), r));
    for (int n = 0; n < 3; n++) four[n] = wide_add(two[2 * n], wide_mul(two[2 * n + 1], r2));
    wide sum = wide_add(four[0], wide_mul(wide_add(four[1], wide_mul(four[2], r4)), r4));
    return wide_mul(sum, wide_power_of_two(k));
}

static inline void wide_semi_definite(wide *xx, wide *xy, wide *yy) {
    const wide half = wide_all(0.5), zero = wide_all(0.0);
    wide mean = wide_mul(half, wide_add(*xx, *yy)), d = wide_mul(half, wide_sub(*xx, *yy)), b = *xy;
    wide q = wide_sqrt(mul_add_mul(d, d, b, b)), most = wide_add(mean, q);
    wide_mask fine = wide_less_equal(zero, wide_sub(mean, q));
    if (wide_bits(fine) == 15) return;
    wide scale = wide_keep(wide_less(zero, most), wide_div(wide_mul(half, most), q));
    *xx = wide_select(fine, *xx, wide_mul(scale, wide_add(q, d)));
    *xy = wide_select(fine, *xy, wide_mul(scale, b));
    *yy = wide_select(fine, *yy, wide_mul(scale, wide_sub(q, d)));
}

/* See chain() of energy_parts.h. */
static inline wide_term wide_chain(wide_term f, wide value, wide first, wide second, int order) {
    wide_term t = {.energy = value};
    if (order >= THRONG_ORDER_GRADIENT) {
        t.gx = wide_mul(first, f.gx);
        t.gy = wide_mul(first, f.gy);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        t.hxx = wide_add(mul3(second, f.gx, f.gx), wide_mul(first, f.hxx));
        t.hxy = wide_add(mul3(second, f.gx, f.gy), wide_mul(first, f.hxy));
        t.hyy = wide_add(mul3(second, f.gy, f.gy), wide_mul(first, f.hyy));
        if (order == THRONG_ORDER_HESSIAN) wide_semi_definite(&t.hxx, &t.hxy, &t.hyy);
    }
    return t;
}

/* The term where m is true; elsewhere 0, but the energy infinite where `infinite`. */
static inline wide_term keep_term(wide_mask m, wide_mask infinite, wide_term t, int order) {
    t.energy = wide_select(infinite, wide_all(INFINITY), wide_keep(m, t.energy));
    if (order >= THRONG_ORDER_GRADIENT) {
        t.gx = wide_keep(m, t.gx);
        t.gy = wide_keep(m, t.gy);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        t.hxx = wide_keep(m, t.hxx);
        t.hxy = wide_keep(m, t.hxy);
        t.hyy = wide_keep(m, t.hyy);
    }
    return t;
}

static inline void store_term(const throng_pair_terms *terms, size_t at, wide_term t, int order) {
    wide_store(terms->energy + at, t.energy);
    if (order >= THRONG_ORDER_GRADIENT) {
        wide_store(terms->gx + at, t.gx);
        wide_store(terms->gy + at, t.gy);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        wide_store(terms->hxx + at, t.hxx);
        wide_store(terms->hxy + at, t.hxy);
        wide_store(terms->hyy + at, t.hyy);
    }
}

#endif
