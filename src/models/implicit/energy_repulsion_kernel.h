/* energy_repulsion_kernel.h: repulsion of many pairs, four at a time, as energy.c has it. */

#include "models/implicit/energy_math_kernel.h"

typedef struct repulsion_law {
    wide dt, dt2, rounding, eta, end;
    bool printed;
} repulsion_law;

static inline repulsion_law repulsion_law_of(const throng_implicit_law *law) {
    return (repulsion_law){.dt = wide_all(law->dt),
                           .dt2 = wide_all(law->dt * law->dt),
                           .rounding = wide_all(law->kr / law->dt),
                           .eta = wide_all(law->eta / law->dt),
                           .end = wide_all(law->printed ? 0 : 1 / law->gc),
                           .printed = law->printed};
}

/* The speed of approach as the repulsion takes it, see approach_speed. */
typedef struct approaches {
    wide psi, first, second;
} approaches;

static inline approaches approach_four(const repulsion_law *law, wide s, wide g0) {
    if (law->printed) return (approaches){s, wide_all(1.0), wide_all(0.0)};
    const wide half = wide_all(0.5), one = wide_all(1.0);
    wide delta = wide_mul(law->rounding, g0), delta2 = wide_mul(delta, delta);
    wide root = wide_sqrt(mul_add(s, s, delta2)), over = wide_div(one, root), bend = wide_mul(half, delta2);
    wide_mask nearing = wide_less(wide_all(0.0), s);
    wide psi = wide_select(nearing, wide_mul(half, wide_add(s, root)), wide_div(bend, wide_sub(root, s)));
    return (approaches){psi, wide_mul(psi, over), mul3(bend, over, wide_mul(over, over))};
}

/* passing_distance and final_distance of energy_parts.h in one, for a point ahead at d0: both are a root and its
 * inverse. */
static inline wide_term distance_four(const repulsion_law *law, wide d0, wide psi, wide t, int order) {
    const wide zero = wide_all(0.0), two = wide_all(2.0);
    wide a = mul_add_mul(psi, psi, t, t);
    wide_mask passing = wide_less(wide_mul(d0, psi), wide_mul(a, law->dt));
    wide ex = wide_sub(wide_mul(law->dt, psi), d0), ey = wide_mul(law->dt, t);
    wide root = wide_sqrt(wide_select(passing, a, mul_add_mul(ex, ex, ey, ey))), over = wide_div(wide_all(1.0), root);
    wide ux = wide_mul(wide_select(passing, psi, ex), over), uy = wide_mul(wide_select(passing, t, ey), over);
    wide beside = wide_mul(d0, uy), ahead = wide_mul(d0, ux), d = wide_select(passing, wide_abs(beside), root);
    wide_term out = {.energy = d};
    if (order < THRONG_ORDER_GRADIENT) return out;
    ahead = wide_select(wide_less(beside, zero), negative(ahead), ahead);
    wide turn = wide_mul(ahead, over);
    out.gx = wide_select(passing, negative(wide_mul(turn, uy)), wide_mul(law->dt, ux));
    out.gy = wide_select(passing, wide_mul(turn, ux), wide_mul(law->dt, uy));
    if (order < THRONG_ORDER_HESSIAN) return out;
    wide over2 = wide_mul(over, over), bend = wide_mul(law->dt2, over), cross = wide_mul(ux, uy);
    wide twice = mul3(two, ahead, cross), ux2 = wide_mul(ux, ux), uy2 = wide_mul(uy, uy);
    wide xx = wide_mul(wide_sub(twice, wide_mul(d, uy2)), over2);
    wide xy = wide_mul(mul_add_mul(ahead, wide_sub(uy2, ux2), d, cross), over2);
    wide yy = wide_mul(wide_sub(negative(twice), wide_mul(d, ux2)), over2);
    out.hxx = wide_select(passing, xx, wide_mul(bend, uy2));
    out.hxy = wide_select(passing, xy, negative(wide_mul(bend, cross)));
    out.hyy = wide_select(passing, yy, wide_mul(bend, ux2));
    return out;
}

/* See turn_back. */
static inline wide_term turn_four_back(wide_term t, wide nx, wide ny, int order) {
    wide_term out = {.energy = t.energy};
    if (order < THRONG_ORDER_GRADIENT) return out;
    out.gx = mul_sub_mul(t.gx, nx, t.gy, ny);
    out.gy = mul_add_mul(t.gx, ny, t.gy, nx);
    if (order < THRONG_ORDER_HESSIAN) return out;
    wide nx2 = wide_mul(nx, nx), ny2 = wide_mul(ny, ny), cross = wide_mul(nx, ny);
    wide twice = mul3(wide_all(2.0), t.hxy, cross);
    out.hxx = wide_add(wide_sub(wide_mul(t.hxx, nx2), twice), wide_mul(t.hyy, ny2));
    out.hxy = mul_add_mul(wide_sub(t.hxx, t.hyy), cross, t.hxy, wide_sub(nx2, ny2));
    out.hyy = wide_add(mul_add(t.hxx, ny2, twice), wide_mul(t.hyy, nx2));
    return out;
}

/* Eq. 20 from a distance that is `gap` more than the radii, where 0 < gap and gap < gc. */
static inline wide_term repulsion_energy_four(const repulsion_law *law, wide_term d, wide gap, int order) {
    const wide one = wide_all(1.0);
    wide over = wide_div(one, gap), left = wide_sub(one, wide_mul(gap, law->end));
    wide energy = mul3(wide_mul(law->eta, left), left, over);
    wide first = mul3(negative(law->eta), wide_sub(over, law->end), wide_add(over, law->end));
    wide second = mul3(wide_mul(wide_mul(wide_all(2.0), law->eta), over), over, over);
    return wide_chain(d, energy, first, second, order);
}

static inline wide_term repulsion_four(const repulsion_law *law, wide_pairs p, int order) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    wide d0 = wide_sqrt(mul_add_mul(p.qx, p.qx, p.qy, p.qy)), over_d0 = wide_div(one, d0), g0 = wide_sub(d0, p.r);
    wide nx = wide_mul(p.qx, over_d0), ny = wide_mul(p.qy, over_d0);
    wide s = mul_add_mul(p.wx, nx, p.wy, ny), t = mul_sub_mul(p.wy, nx, p.wx, ny);
    approaches a = approach_four(law, s, g0);
    wide_term d = distance_four(law, d0, a.psi, t, order);
    wide_mask apart = wide_less(zero, g0);
    if (order >= THRONG_ORDER_HESSIAN) {
        d.hxx = mul_add_mul(wide_mul(d.hxx, a.first), a.first, d.gx, a.second);
        d.hxy = wide_mul(d.hxy, a.first);
    }
    if (order >= THRONG_ORDER_GRADIENT) d.gx = wide_mul(d.gx, a.first);
    wide_mask parting = wide_and(wide_less_equal(s, zero), law->printed ? apart : wide_less(one, zero));
    d = keep_term(wide_not(parting), wide_less(one, zero), d, order);
    d.energy = wide_select(parting, d0, d.energy);

    wide gap = wide_sub(d.energy, p.r), left = wide_sub(one, wide_mul(gap, law->end));
    apart = wide_and(apart, wide_less(zero, gap));
    wide_mask near = wide_and(apart, wide_less(zero, left));
    if (!wide_bits(near) && wide_bits(apart) == 15) return (wide_term){zero, zero, zero, zero, zero, zero};
    wide_term u = turn_four_back(repulsion_energy_four(law, d, gap, order), nx, ny, order);
    return keep_term(near, wide_not(apart), u, order);
}

static inline void repulsion_terms(const throng_implicit_law *given, const throng_pairs *pairs, size_t begin,
                                   size_t end, const double *vx, const double *vy, int order,
                                   const throng_pair_terms *terms) {
    const repulsion_law law = repulsion_law_of(given);
    for (size_t k = begin; k < end; k += THRONG_WIDTH) {
        store_term(terms, k, repulsion_four(&law, pairs_at(pairs, vx, vy, k), order), order);
    }
}
