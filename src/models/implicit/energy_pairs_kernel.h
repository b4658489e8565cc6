/* energy_pairs_kernel.h: the energies of pairs with slopes and curvatures, four pairs at a time (energy.h has the
 * formulas).
 *
 * The parts are functions of the relative velocity w with their derivatives, kept as a wide_term whose `energy` is the
 * value. */

#ifndef THRONG_IMPLICIT_ENERGY_PAIRS_KERNEL_H
#define THRONG_IMPLICIT_ENERGY_PAIRS_KERNEL_H

#include <math.h>

#include "base/wide_exp.h"
#include "models/implicit/energy.h"

/* Collisions later than this many tau0 have no energy (it would be below 1e-7). */
#define TTC_HORIZON 10.0

/* Four throng_terms. */
typedef struct wide_term {
    wide energy, gx, gy, hxx, hxy, hyy;
} wide_term;

/* Four pairs: offsets at the start, sums of radii, relative velocities. */
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

/* For sums of products, which would be hard to read otherwise: a b + c d, a b - c d, and a b + c. */
static inline wide mul_add_mul(wide a, wide b, wide c, wide d) { return wide_add(wide_mul(a, b), wide_mul(c, d)); }
static inline wide mul_sub_mul(wide a, wide b, wide c, wide d) { return wide_sub(wide_mul(a, b), wide_mul(c, d)); }
static inline wide mul_add(wide a, wide b, wide c) { return wide_add(wide_mul(a, b), c); }
static inline wide mul3(wide a, wide b, wide c) { return wide_mul(wide_mul(a, b), c); }
static inline wide wide_abs(wide a) { return wide_select(wide_less(a, wide_all(0.0)), wide_sub(wide_all(0.0), a), a); }
static inline wide negative(wide a) { return wide_sub(wide_all(-0.0), a); }

/* e^r = sum of c_n r^n for |r| <= ln(2) / 2: interpolates at Chebyshev's points, to 2e-17. */
static const double exp_poly[12] = {1.0,
                                    1.0,
                                    0.5000000000000019,
                                    0.1666666666666668,
                                    0.04166666666648795,
                                    0.008333333333319589,
                                    0.0013888888952352863,
                                    0.00019841269890076403,
                                    2.4801485441561313e-05,
                                    2.755724088722987e-06,
                                    2.763265472252779e-07,
                                    2.5110049204818658e-08};

/* e^x, for x from -700 to 700 (beyond: as at the end). Unlike wide_exp it sums by pairs, pairs of pairs and so on
 * (Estrin): an energy waits for it, and one term after the other would be one long wait. */
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

/* The nearest positive semi-definite matrices: negative eigenvalues become 0. */
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

/* F(f) where f has the derivatives given and F the value and first two derivatives given. */
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

static inline wide_term select_term(wide_mask m, wide_term yes, wide_term no, int order) {
    wide_term t = {.energy = wide_select(m, yes.energy, no.energy)};
    if (order >= THRONG_ORDER_GRADIENT) {
        t.gx = wide_select(m, yes.gx, no.gx);
        t.gy = wide_select(m, yes.gy, no.gy);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        t.hxx = wide_select(m, yes.hxx, no.hxx);
        t.hxy = wide_select(m, yes.hxy, no.hxy);
        t.hyy = wide_select(m, yes.hyy, no.hyy);
    }
    return t;
}

static inline wide_term load_term(const throng_pair_terms *terms, size_t at, int order) {
    wide_term t = {.energy = wide_load(terms->energy + at)};
    if (order >= THRONG_ORDER_GRADIENT) {
        t.gx = wide_load(terms->gx + at);
        t.gy = wide_load(terms->gy + at);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        t.hxx = wide_load(terms->hxx + at);
        t.hxy = wide_load(terms->hxy + at);
        t.hyy = wide_load(terms->hyy + at);
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

/* --- time to collision */

/* What a law says, for four, and what follows from it. */
typedef struct ttc_law {
    wide dt, two_dt, minus_two_dt, two_dt2;
    wide k, p, over_tau0, horizon;
    wide within, over_eps, kappa, kappa2, least_sigma;
    bool square; /* p = 2 */
} ttc_law;

static inline ttc_law ttc_law_of(const throng_implicit_law *law) {
    double eps2 = law->eps * law->eps, kappa = sqrt(1 - eps2) / law->eps, horizon = TTC_HORIZON * law->tau0;
    return (ttc_law){.dt = wide_all(law->dt),
                     .two_dt = wide_all(2 * law->dt),
                     .minus_two_dt = wide_all(-2 * law->dt),
                     .two_dt2 = wide_all(2 * law->dt * law->dt),
                     .k = wide_all(law->k),
                     .p = wide_all(law->p),
                     .over_tau0 = wide_all(1 / law->tau0),
                     .horizon = wide_all(horizon),
                     .within = wide_all(1 - eps2),
                     .over_eps = wide_all(1 / law->eps),
                     .kappa = wide_all(kappa),
                     .kappa2 = wide_all(kappa * kappa),
                     /* a little less, so that rounding here decides nothing */
                     .least_sigma = wide_all((1 - 1e-6) / horizon),
                     .square = law->p == 2};
}

/* What both branches of the inverse time to collision are made of. */
typedef struct encounters {
    const ttc_law *law;
    wide_pairs p;
    wide r2, ex, ey;              /* r^2; offset at the end */
    wide a, b, c;                 /* w.w, e.w, e.e - r^2 */
    wide x;                       /* q x w, which is e x w too; its slope is (-qy, qx) */
    wide over_c, over_d, over_d2; /* 1 / c, 1 / |e|, and its square */
    wide over_root;               /* of what the branch is a root of */
    wide bx, by, cx, cy;          /* slopes of b and c */
} encounters;

/* On course for a collision at tau: the greater root of c s^2 - 2 b s + a = 0 is s = 1 / tau. */
static inline wide_term colliding_four(const encounters *m, wide sigma, int order) {
    const wide two = wide_all(2.0);
    wide_term s = {.energy = sigma};
    wide root_x = wide_mul(mul_add_mul(m->r2, m->p.wx, m->x, m->p.qy), m->over_root);
    wide root_y = wide_mul(mul_sub_mul(m->r2, m->p.wy, m->x, m->p.qx), m->over_root);
    s.gx = wide_mul(wide_sub(wide_add(m->bx, root_x), wide_mul(sigma, m->cx)), m->over_c);
    s.gy = wide_mul(wide_sub(wide_add(m->by, root_y), wide_mul(sigma, m->cy)), m->over_c);
    if (order < THRONG_ORDER_HESSIAN) return s;
    /* the root's curvature has rank one, along (-wy, wx) */
    wide c0 = wide_sub(mul_add_mul(m->p.qx, m->p.qx, m->p.qy, m->p.qy), m->r2);
    wide bend = mul3(negative(wide_mul(m->r2, c0)), m->over_root, wide_mul(m->over_root, m->over_root));
    wide round = wide_sub(m->law->minus_two_dt, wide_mul(m->law->two_dt2, sigma));
    wide xx = mul3(bend, m->p.wy, m->p.wy), xy = mul3(bend, m->p.wx, m->p.wy), yy = mul3(bend, m->p.wx, m->p.wx);
    s.hxx = wide_mul(wide_sub(wide_add(round, xx), mul3(two, s.gx, m->cx)), m->over_c);
    s.hxy = wide_mul(wide_sub(negative(xy), mul_add_mul(s.gx, m->cy, s.gy, m->cx)), m->over_c);
    s.hyy = wide_mul(wide_sub(wide_add(round, yy), mul3(two, s.gy, m->cy)), m->over_c);
    return s;
}

/* Beyond v_t*: continued as a straight line in the tangential speed, s = b phi1 - |x| phi2. */
static inline wide_term passing_four(const encounters *m, wide sigma, int order) {
    const wide half_one = wide_all(0.5), two = wide_all(2.0);
    wide_term s = {.energy = sigma};
    wide rho = wide_mul(m->p.r, m->law->over_eps), x = wide_abs(m->x), turn = wide_mul(m->over_d, m->over_d2);
    wide phi1 = wide_mul(wide_add(wide_all(1.0), wide_mul(rho, m->over_d)), m->over_c);
    wide phi2 = mul3(m->law->kappa, m->over_d, m->over_root);
    wide_mask left = wide_less(m->x, wide_all(0.0));
    /* derivatives of phi with respect to c, with d = sqrt(c + r^2) */
    wide half = wide_mul(half_one, wide_add(m->over_d2, m->over_c));
    wide phi1_1 = negative(mul_add_mul(phi1, m->over_c, mul3(half_one, rho, turn), m->over_c));
    wide phi2_1 = negative(wide_mul(phi2, half)), slope = mul_sub_mul(m->b, phi1_1, x, phi2_1);
    wide side = wide_select(left, negative(phi2), phi2), side_1 = wide_select(left, negative(phi2_1), phi2_1);
    s.gx = wide_add(mul_add_mul(phi1, m->bx, side, m->p.qy), wide_mul(slope, m->cx));
    s.gy = wide_add(mul_sub_mul(phi1, m->by, side, m->p.qx), wide_mul(slope, m->cy));
    if (order < THRONG_ORDER_HESSIAN) return s;
    wide over_c2 = wide_mul(m->over_c, m->over_c), over_d4 = wide_mul(m->over_d2, m->over_d2);
    wide series = wide_add(mul_add_mul(two, over_c2, m->over_d2, m->over_c), wide_mul(wide_all(0.75), over_d4));
    wide phi1_2 = wide_add(mul3(two, over_c2, m->over_c), wide_mul(mul3(rho, m->over_d, m->over_c), series));
    wide phi2_2 = wide_mul(phi2, mul_add(half, half, wide_mul(half_one, wide_add(over_d4, over_c2))));
    wide tx = mul_add_mul(phi1_1, m->bx, side_1, m->p.qy), ty = mul_sub_mul(phi1_1, m->by, side_1, m->p.qx);
    wide round = mul_add_mul(m->law->minus_two_dt, phi1, m->law->two_dt2, slope);
    wide bend = mul_sub_mul(m->b, phi1_2, x, phi2_2);
    s.hxx = wide_add(wide_add(round, mul3(two, tx, m->cx)), mul3(bend, m->cx, m->cx));
    s.hxy = wide_add(mul_add_mul(tx, m->cy, ty, m->cx), mul3(bend, m->cx, m->cy));
    s.hyy = wide_add(wide_add(round, mul3(two, ty, m->cy)), mul3(bend, m->cy, m->cy));
    return s;
}

static inline encounters meet(const ttc_law *law, wide_pairs p) {
    encounters m = {.law = law, .p = p};
    m.ex = wide_sub(p.qx, wide_mul(law->dt, p.wx));
    m.ey = wide_sub(p.qy, wide_mul(law->dt, p.wy));
    m.r2 = wide_mul(p.r, p.r);
    m.b = mul_add_mul(m.ex, p.wx, m.ey, p.wy);
    m.x = mul_sub_mul(p.qx, p.wy, p.qy, p.wx);
    return m;
}

/* Eq. 19 from the inverse time to collision. */
static inline wide_term ttc_energy_four(const ttc_law *law, wide_term sigma, int order) {
    wide s = sigma.energy, over_s = wide_div(wide_all(1.0), s), u = wide_mul(over_s, law->over_tau0);
    wide energy = law->square ? mul3(wide_mul(law->k, s), s, quick_exp(negative(u)))
                              : wide_mul(law->k, quick_exp(wide_sub(wide_mul(law->p, wide_log(s)), u)));
    wide pu = wide_add(law->p, u), first = mul3(energy, pu, over_s);
    wide second = wide_sub(wide_sub(wide_mul(pu, pu), law->p), wide_mul(wide_all(2.0), u));
    return wide_chain(sigma, energy, first, mul3(wide_mul(energy, second), over_s, over_s), order);
}

/* The smoothed inverse time to collision (eq. 16 as 1 / tau, with the smoothing of sec. 4.2) of those who are apart at
 * the end of the step and nearing; of others it is anything. The paper's v_t^max = r v_p / (|x|^2 - r^2) is a misprint,
 * it is no speed; the border of the velocity obstacle lies at r v_p / sqrt(|x|^2 - r^2). */
static inline wide_term inverse_ttc_four(const ttc_law *law, wide_pairs p, int order, wide_mask *apart,
                                         wide_mask *nearing) {
    const wide one = wide_all(1.0), zero = wide_all(0.0);
    encounters m = meet(law, p);
    wide d2 = mul_add_mul(m.ex, m.ex, m.ey, m.ey);
    m.c = wide_sub(d2, m.r2);
    *apart = wide_less(zero, m.c);
    *nearing = wide_and(*apart, wide_less(zero, m.b));
    m.a = mul_add_mul(p.wx, p.wx, p.wy, p.wy);
    wide_mask inside = wide_less(mul3(m.c, m.x, m.x), mul3(wide_mul(law->within, m.r2), m.b, m.b));
    wide d = wide_sqrt(d2), r2a = wide_mul(m.r2, m.a), square = wide_sub(r2a, wide_mul(m.x, m.x));
    /* in exact numbers the square is at least (eps r b / d)^2, but all digits may go when they all but touch */
    wide root = wide_sqrt(wide_select(inside, wide_max(square, wide_mul(wide_all(1e-12), r2a)), m.c));
    wide straight =
        mul_sub_mul(m.b, wide_add(d, wide_mul(p.r, law->over_eps)), wide_mul(law->kappa, wide_abs(m.x)), root);
    wide sigma =
        wide_div(wide_select(inside, wide_add(m.b, root), straight), wide_select(inside, m.c, wide_mul(d, m.c)));
    wide_term s = {.energy = sigma};
    if (order >= THRONG_ORDER_GRADIENT) {
        m.over_c = wide_div(one, m.c);
        m.over_d = wide_div(one, d);
        m.over_d2 = wide_mul(m.over_d, m.over_d);
        m.over_root = wide_div(one, root);
        m.bx = wide_sub(p.qx, wide_mul(law->two_dt, p.wx));
        m.by = wide_sub(p.qy, wide_mul(law->two_dt, p.wy));
        m.cx = wide_mul(law->minus_two_dt, m.ex);
        m.cy = wide_mul(law->minus_two_dt, m.ey);
        unsigned bits = wide_bits(inside);
        if (bits != 15) s = passing_four(&m, sigma, order);
        if (bits != 0) {
            s = select_term(inside, colliding_four(&m, sigma, order), s, order);
        }
    }
    return s;
}

static inline wide_term ttc_four(const ttc_law *law, wide_pairs p, int order) {
    wide_mask apart, nearing;
    wide_term s = inverse_ttc_four(law, p, order, &apart, &nearing);
    wide_mask live = wide_and_not(nearing, wide_less(wide_mul(s.energy, law->horizon), wide_all(1.0)));
    return keep_term(live, wide_not(apart), ttc_energy_four(law, s, order), order);
}

/* Which of four may have energy. sigma is never more than its straight continuation (b (d + rho) - kappa |x| sqrt(c)) /
 * (d c), as it is concave across; that is below the least sigma unless M = b (d + rho) - sigma d c > 0 and M^2 >=
 * kappa^2 x^2 c. */
static inline wide_mask may_live(const ttc_law *law, wide_pairs p) {
    const wide zero = wide_all(0.0);
    encounters m = meet(law, p);
    wide d2 = mul_add_mul(m.ex, m.ex, m.ey, m.ey), c = wide_sub(d2, m.r2), d = wide_sqrt(d2);
    wide most = mul_sub_mul(m.b, wide_add(d, wide_mul(p.r, law->over_eps)), wide_mul(law->least_sigma, d), c);
    wide_mask live = wide_and(wide_less(zero, most),
                              wide_less_equal(mul3(wide_mul(law->kappa2, c), m.x, m.x), wide_mul(most, most)));
    return wide_or(live, wide_not(wide_less(zero, c)));
}

/* One lane of a term, to a place of its own. */
static inline void put_lane(const throng_pair_terms *from, size_t lane, const throng_pair_terms *to, size_t at,
                            int order) {
    to->energy[at] = from->energy[lane];
    if (order >= THRONG_ORDER_GRADIENT) {
        to->gx[at] = from->gx[lane];
        to->gy[at] = from->gy[lane];
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        to->hxx[at] = from->hxx[lane];
        to->hxy[at] = from->hxy[lane];
        to->hyy[at] = from->hyy[lane];
    }
}

/* --- repulsion */

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

/* The approach speed s as the repulsion takes it: psi, with its derivatives. The least distance as printed is that of
 * max(0, s), with a kink at s = 0: exactly where neighbours walk in parallel, their force would jump by eta / gap^2,
 * and no minimiser gets along with that. So psi is max(0, s) rounded over kr times the speed that would close the gap
 * g0 within the step. As psi > max(0, s), people count as a little nearer than they come, never as farther; and at rest
 * the gap is (1 - kr / 2) g0, so standing still stays possible. */
typedef struct approaches {
    wide psi, first, second;
} approaches;

static inline approaches approach_four(const repulsion_law *law, wide s, wide g0) {
    if (law->printed) return (approaches){s, wide_all(1.0), wide_all(0.0)};
    const wide half = wide_all(0.5), one = wide_all(1.0);
    wide delta = wide_mul(law->rounding, g0), delta2 = wide_mul(delta, delta);
    wide root = wide_sqrt(mul_add(s, s, delta2)), over = wide_div(one, root), bend = wide_mul(half, delta2);
    wide_mask nearing = wide_less(wide_all(0.0), s);
    /* written for s < 0 so that nothing cancels */
    wide psi = wide_select(nearing, wide_mul(half, wide_add(s, root)), wide_div(bend, wide_sub(root, s)));
    return (approaches){psi, wide_mul(psi, over), mul3(bend, over, wide_mul(over, over))};
}

/* The least distance within the step from a point ahead at d0: where the way passes it, which depends on its direction
 * alone, or where the way ends. Both are a root and its inverse. */
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

/* Terms with respect to speeds along n and to its left, turned back to x and y. */
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

/* Eq. 20 from a distance that is `gap` more than the radii, where 0 < gap and gap < gc; by default C1-continued by 0
 * beyond gc, so that only the near have it: 1 / gap - 2 / gc + gap / gc^2 without cancellation. */
static inline wide_term repulsion_energy_four(const repulsion_law *law, wide_term d, wide gap, int order) {
    const wide one = wide_all(1.0);
    wide over = wide_div(one, gap), left = wide_sub(one, wide_mul(gap, law->end));
    wide energy = mul3(wide_mul(law->eta, left), left, over);
    wide first = mul3(negative(law->eta), wide_sub(over, law->end), wide_add(over, law->end));
    wide second = mul3(wide_mul(wide_mul(wide_all(2.0), law->eta), over), over, over);
    return wide_chain(d, energy, first, second, order);
}

/* The distance is that in the frame where q lies on the first axis: s is the speed of approach, t across. */
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

/* --- one at a time */

static inline throng_term pair_term(const throng_implicit_law *law, double qx, double qy, double r, double wx,
                                    double wy, int kinds, int order) {
    const wide_pairs p = {wide_all(qx), wide_all(qy), wide_all(r), wide_all(wx), wide_all(wy)};
    throng_term sum = {0};
    for (int kind = THRONG_TTC; kind <= THRONG_REPULSION; kind <<= 1) {
        double lanes[6][4] = {{0}};
        const throng_pair_terms four = {lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]};
        if (!(kinds & kind)) continue;
        const ttc_law ttc = ttc_law_of(law);
        const repulsion_law repulsion = repulsion_law_of(law);
        store_term(&four, 0, kind == THRONG_TTC ? ttc_four(&ttc, p, order) : repulsion_four(&repulsion, p, order),
                   order);
        throng_term t = {lanes[0][0], lanes[1][0], lanes[2][0], lanes[3][0], lanes[4][0], lanes[5][0]};
        sum = throng_add_terms(sum, t);
    }
    return sum;
}

#endif
