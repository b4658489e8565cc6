/* energy_ttc_kernel.h: time to collision of many pairs, four at a time, as energy.c has it.
 *
 * Most pairs have no energy. Which may have some is found first, with one root and no quotient; those are packed, and
 * only they are computed. */

#include "models/implicit/energy_math_kernel.h"

enum { BLOCK = 256 }; /* pairs looked at before those that may have energy are computed */

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

/* See `encounter` of energy.c. */
typedef struct encounters {
    const ttc_law *law;
    wide_pairs p;
    wide ex, ey, b, c, r2;
    wide a, x, over_c, over_d, over_d2, over_root, bx, by, cx, cy;
} encounters;

static inline wide_term colliding_four(const encounters *m, wide sigma, int order) {
    const wide two = wide_all(2.0);
    wide_term s = {.energy = sigma};
    wide root_x = wide_mul(mul_add_mul(m->r2, m->p.wx, m->x, m->p.qy), m->over_root);
    wide root_y = wide_mul(mul_sub_mul(m->r2, m->p.wy, m->x, m->p.qx), m->over_root);
    s.gx = wide_mul(wide_sub(wide_add(m->bx, root_x), wide_mul(sigma, m->cx)), m->over_c);
    s.gy = wide_mul(wide_sub(wide_add(m->by, root_y), wide_mul(sigma, m->cy)), m->over_c);
    if (order < THRONG_ORDER_HESSIAN) return s;
    wide c0 = wide_sub(mul_add_mul(m->p.qx, m->p.qx, m->p.qy, m->p.qy), m->r2);
    wide bend = mul3(negative(wide_mul(m->r2, c0)), m->over_root, wide_mul(m->over_root, m->over_root));
    wide round = wide_sub(m->law->minus_two_dt, wide_mul(m->law->two_dt2, sigma));
    wide xx = mul3(bend, m->p.wy, m->p.wy), xy = mul3(bend, m->p.wx, m->p.wy), yy = mul3(bend, m->p.wx, m->p.wx);
    s.hxx = wide_mul(wide_sub(wide_add(round, xx), mul3(two, s.gx, m->cx)), m->over_c);
    s.hxy = wide_mul(wide_sub(negative(xy), mul_add_mul(s.gx, m->cy, s.gy, m->cx)), m->over_c);
    s.hyy = wide_mul(wide_sub(wide_add(round, yy), mul3(two, s.gy, m->cy)), m->over_c);
    return s;
}

static inline wide_term passing_four(const encounters *m, wide sigma, int order) {
    const wide half_one = wide_all(0.5), two = wide_all(2.0);
    wide_term s = {.energy = sigma};
    wide rho = wide_mul(m->p.r, m->law->over_eps), x = wide_abs(m->x), turn = wide_mul(m->over_d, m->over_d2);
    wide phi1 = wide_mul(wide_add(wide_all(1.0), wide_mul(rho, m->over_d)), m->over_c);
    wide phi2 = mul3(m->law->kappa, m->over_d, m->over_root);
    wide_mask left = wide_less(m->x, wide_all(0.0));
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

/* The smoothed inverse time to collision of those who are apart at the end of the step and nearing; of others it is
 * anything. */
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
            wide_term t = colliding_four(&m, sigma, order);
            s.gx = wide_select(inside, t.gx, s.gx);
            s.gy = wide_select(inside, t.gy, s.gy);
            if (order >= THRONG_ORDER_HESSIAN) {
                s.hxx = wide_select(inside, t.hxx, s.hxx);
                s.hxy = wide_select(inside, t.hxy, s.hxy);
                s.hyy = wide_select(inside, t.hyy, s.hyy);
            }
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

/* Numbers of those of begin .. end - 1 that may have energy; up to three more follow so that there are four each time.
 */
static inline size_t list_live(const ttc_law *law, const throng_pairs *pairs, size_t begin, size_t end,
                               const double *vx, const double *vy, uint32_t *live) {
    size_t count = 0;
    for (size_t k = begin; k < end; k += THRONG_WIDTH) {
        wide_mask m = may_live(law, pairs_at(pairs, vx, vy, k));
        if (wide_bits(m)) count += wide_pack(NULL, live + count, m, wide_all(0.0), (uint32_t)k);
    }
    for (size_t k = count; count && k < count + 3; k++) live[k] = live[count - 1];
    return count;
}

static inline wide_term ttc_of_listed(const ttc_law *law, const throng_pairs *pairs, const double *vx, const double *vy,
                                      const uint32_t *list, int order) {
    uint32_t i[4], j[4];
    for (int lane = 0; lane < 4; lane++) {
        i[lane] = pairs->i[list[lane]];
        j[lane] = pairs->j[list[lane]];
    }
    wide_pairs p = {
        .qx = wide_gather(pairs->qx, list), .qy = wide_gather(pairs->qy, list), .r = wide_gather(pairs->r, list)};
    p.wx = wide_sub(wide_gather(vx, i), wide_gather(vx, j));
    p.wy = wide_sub(wide_gather(vy, i), wide_gather(vy, j));
    return ttc_four(law, p, order);
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

static inline void ttc_terms(const throng_implicit_law *given, const throng_pairs *pairs, size_t begin, size_t end,
                             const double *vx, const double *vy, int order, const throng_pair_terms *terms) {
    const ttc_law law = ttc_law_of(given);
    const wide zero = wide_all(0.0);
    const wide_term none = {zero, zero, zero, zero, zero, zero};
    double lanes[6][4] = {{0}};
    const throng_pair_terms four = {lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]};
    for (size_t block = begin; block < end; block += BLOCK) {
        uint32_t live[BLOCK + 8];
        size_t stop = block + BLOCK < end ? block + BLOCK : end;
        size_t count = list_live(&law, pairs, block, stop, vx, vy, live);
        for (size_t k = block; k < stop; k += THRONG_WIDTH) store_term(terms, k, none, order);
        for (size_t n = 0; n < count; n += THRONG_WIDTH) {
            store_term(&four, 0, ttc_of_listed(&law, pairs, vx, vy, live + n, order), order);
            for (size_t lane = 0; lane < THRONG_WIDTH; lane++) put_lane(&four, lane, terms, live[n + lane], order);
        }
    }
}
