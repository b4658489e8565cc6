/* wall_lists_kernel.h: which of a walker's walls can matter while its velocity stays in its trust region, four at a
 * time. Built twice, by wall_lists.c and wall_lists_avx2.c.
 *
 * For the ends of pieces the bounds are those of scan_kernel.h. A flat is not met if its walker does not approach the
 * line, or too slowly, or if neither end can be met and both lie on the same side of the way, or behind. */

#include "models/implicit/implicit.h"
#include "models/implicit/wall_pieces_kernel.h"

/* How a walker moves, and what follows from it. */
typedef struct mover {
    wide r, vx, vy, change, drift; /* change m/s and drift m: what trust allows for */
    wide most_drift;               /* m^2/s: drift times the greatest speed */
    wide dt, inverse_eps, kappa2, slowest;
    wide near; /* m: pieces nearer than this may repel */
} mover;

/* How far away pieces may repel beside the nearest one, m. That one's gap in the step is never more than now, and
 * others' not less than (1 - kr / 2) times theirs now, but for the way. In units of gc the energy of a gap g goes with
 * (1 - g)^2 / g; what is less than 0.07 times the nearest's is nothing in the eighth power. */
static inline double repels_within(const throng_implicit_law *law, double r, double nearest, double way) {
    if (law->printed) return INFINITY;
    double gap = (nearest - throng_effective_radius(nearest, r)) / law->gc, reach = 1;
    gap = gap > 1e-3 ? gap : 1e-3;
    if (gap < 1) {
        double half = 1 + 0.035 * (1 - gap) * (1 - gap) / gap;
        reach = half - sqrt(half * half - 1);
    }
    return r + (reach * law->gc + way) / (1 - 0.5 * law->kr);
}

static inline mover mover_of(const throng_implicit *s, uint32_t slot, double nearest) {
    const throng_implicit_law *law = &s->law;
    const double slack = 1 + 1e-9; /* rounding decides nothing */
    double r = s->near->radius[slot], vx = s->vx[slot], vy = s->vy[slot], trust = s->trust[slot];
    double speed = sqrt(vx * vx + vy * vy), near = repels_within(law, r, nearest, (speed + trust) * law->dt);
    return (mover){.r = wide_all(r),
                   .vx = wide_all(vx),
                   .vy = wide_all(vy),
                   .change = wide_all(trust),
                   .drift = wide_all(trust * law->dt),
                   .most_drift = wide_all((speed + trust) * trust * law->dt),
                   .dt = wide_all(law->dt),
                   .inverse_eps = wide_all(1 / law->eps),
                   .kappa2 = wide_all(1 / (law->eps * law->eps) - 1),
                   .slowest = wide_all(0.1 / law->tau0),
                   .near = wide_all(slack * near)};
}

/* How ends of pieces lie to where the walker may go. */
typedef struct bearings {
    wide_mask live, left, right, behind; /* live: it may be met */
} bearings;

static inline bearings bearings_of(const mover *m, wide px, wide py, wide r) {
    const wide zero = wide_all(0.0);
    wide qx = wide_sub(px, wide_mul(m->dt, m->vx)), qy = wide_sub(py, wide_mul(m->dt, m->vy));
    wide end = wide_sqrt(mul_add_mul(qx, qx, qy, qy)), least = wide_sub(end, m->drift);
    wide c = mul_sub_mul(least, least, r, r), both = wide_div(wide_all(1.0), wide_mul(end, least));
    wide over = wide_mul(both, least), over_least = wide_mul(both, end);
    wide_mask sure = wide_and(wide_less(zero, least), wide_less(wide_all(1e-4), c));
    wide slack = mul_add(m->most_drift, over_least, m->change);
    wide along = mul_add(mul_add_mul(qx, m->vx, qy, m->vy), over, slack), cross = mul_sub_mul(px, m->vy, py, m->vx);
    wide across = wide_sub(wide_mul(wide_abs(cross), over), slack);
    wide lever = wide_mul(mul_add(r, m->inverse_eps, least), along);
    wide passed = mul3(wide_mul(m->kappa2, c), across, across);
    wide_mask aside =
        wide_and(wide_and(sure, wide_less(zero, across)), wide_less_equal(wide_mul(lever, lever), passed));
    wide_mask behind = wide_and(sure, wide_less_equal(along, zero));
    wide_mask slow = wide_and(sure, wide_less_equal(lever, wide_mul(m->slowest, c)));
    wide_mask to_left = wide_less(zero, cross);
    return (bearings){.live = wide_not(wide_or(aside, wide_or(behind, slow))),
                      .left = wide_and(aside, to_left),
                      .right = wide_and_not(aside, to_left),
                      .behind = behind};
}

/* Whether flats may be met, wherever they end. */
static inline wide_mask may_reach_line(const mover *m, const wide_pieces *p) {
    const wide zero = wide_all(0.0);
    wide height = mul_sub_mul(p->ay, p->ux, p->ax, p->uy), closing = mul_sub_mul(m->vy, p->ux, m->vx, p->uy);
    closing = wide_add(wide_select(wide_less(height, zero), negative(closing), closing), m->change);
    wide room = wide_sub(wide_abs(height), p->r), left = wide_sub(room, wide_mul(closing, m->dt));
    wide_mask soon = wide_or(wide_less_equal(left, zero), wide_less_equal(wide_mul(m->slowest, left), closing));
    return wide_and(wide_and(wide_less(zero, room), wide_less(zero, closing)), soon);
}

static inline wide_mask may_meet(const mover *m, const wide_pieces *p) {
    bearings a = bearings_of(m, p->ax, p->ay, p->r), b = bearings_of(m, end_x(p), end_y(p), p->r);
    wide_mask beside = wide_or(wide_and(a.left, b.left), wide_and(a.right, b.right));
    wide_mask flat = wide_and_not(may_reach_line(m, p), wide_or(beside, wide_and(a.behind, b.behind)));
    return wide_or(wide_or(a.live, b.live), flat);
}

/* Writes the numbers of true lanes. Returns how many there are then. */
static inline uint32_t note_pieces(uint32_t *numbers, uint32_t count, uint32_t first, unsigned bits) {
    for (; bits; bits &= bits - 1) numbers[count++] = first + (uint32_t)__builtin_ctz(bits);
    return count;
}

static inline void glance_at_walls(throng_implicit *s, uint32_t slot, bool everything) {
    const throng_wall_piece *pieces = s->pieces + s->wall_begin[slot];
    uint32_t *ahead = s->ahead + s->wall_begin[slot], *close = s->close + s->wall_begin[slot];
    uint32_t count = s->wall_count[slot], met = 0, near = 0;
    if (count == 0) return;
    const mover m = mover_of(s, slot, pieces->distance);
    for (uint32_t k = 0; k < count; k += THRONG_WIDTH) {
        const throng_wall_piece *four[4];
        for (uint32_t lane = 0; lane < 4; lane++) four[lane] = &pieces[k + lane < count ? k + lane : count - 1];
        wide_pieces p = pieces_at(four, m.r, m.vx, m.vy);
        unsigned in = count - k < 4 ? (1u << (count - k)) - 1 : 15;
        met = note_pieces(ahead, met, k, everything ? in : in & wide_bits(may_meet(&m, &p)));
        near = note_pieces(close, near, k, everything ? in : in & wide_bits(wide_less(p.distance, m.near)));
    }
    s->ahead_count[slot] = met;
    s->close_count[slot] = near;
}

static void glance_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        glance_at_walls(s, s->who[k], s->pass_factor != 0);
    }
}
