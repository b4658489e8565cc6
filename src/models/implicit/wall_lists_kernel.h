/* wall_lists_kernel.h: which of a walker's walls can matter while its velocity stays in its trust region, four at a
 * time.
 *
 * For the ends of pieces the bounds are those of neighbour_lists_kernel.h. A flat is not met if its walker does not
 * approach the line, or too slowly, or if neither end can be met and both lie on the same side of the way, or behind.
 */

#include "models/implicit/energy_pieces_kernel.h"
#include "models/implicit/solver.h"

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

/* What is the same for all. */
static inline mover any_mover(const throng_implicit_law *law) {
    return (mover){.dt = wide_all(law->dt),
                   .inverse_eps = wide_all(1 / law->eps),
                   .kappa2 = wide_all(1 / (law->eps * law->eps) - 1),
                   .slowest = wide_all(0.1 / law->tau0)};
}

static inline void set_mover(mover *m, const throng_implicit_solver *s, uint32_t slot, double nearest, double trust) {
    const throng_implicit_law *law = &s->walkers->law;
    const double slack = 1 + 1e-9; /* rounding decides nothing */
    double r = s->walkers->near->radius[slot], vx = s->motion.vx[slot], vy = s->motion.vy[slot],
           drift = trust * law->dt;
    double most = sqrt(vx * vx + vy * vy) + trust;
    m->r = wide_all(r);
    m->vx = wide_all(vx);
    m->vy = wide_all(vy);
    m->change = wide_all(trust);
    m->drift = wide_all(drift);
    m->most_drift = wide_all(most * drift);
    m->near = wide_all(slack * repels_within(law, r, nearest, most * law->dt));
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

/* Four pieces, of which the first `count` are real. */
static inline wide_pieces four_pieces(const mover *m, const throng_wall_piece *pieces, uint32_t count) {
    const throng_wall_piece *four[4];
    for (uint32_t lane = 0; lane < 4; lane++) four[lane] = &pieces[lane < count ? lane : count - 1];
    return pieces_at(four, m->r, m->vx, m->vy);
}

static inline unsigned lanes_of(uint32_t count) { return count < 4 ? (1u << count) - 1 : 15; }

/* Puts those of a walker's pieces that can matter in a large trust region before the others, but for those it can
 * touch, which stay first: in most of a step only these need be looked at. */
static inline void put_in_front(throng_implicit_solver *s, uint32_t slot, mover *m) {
    throng_wall_piece *pieces = s->walls->pieces + s->walls->begin[slot];
    uint32_t count = s->walls->count[slot], front = s->walls->touch_count[slot];
    s->walls->front_count[slot] = front;
    if (front == count) return;
    set_mover(m, s, slot, pieces->distance, THRONG_IMPLICIT_WIDE_TRUST);
    for (uint32_t k = front; k < count; k += THRONG_WIDTH) {
        wide_pieces p = four_pieces(m, pieces + k, count - k);
        wide_mask matters = wide_or(may_meet(m, &p), wide_less(p.distance, m->near));
        for (unsigned bits = lanes_of(count - k) & wide_bits(matters); bits; bits &= bits - 1) {
            uint32_t from = k + (uint32_t)__builtin_ctz(bits);
            throng_wall_piece piece = pieces[front];
            pieces[front++] = pieces[from];
            pieces[from] = piece;
        }
    }
    s->walls->front_count[slot] = front;
}

/* How many of a walker's pieces, the first ones, may matter while its velocity is trusted. */
static inline uint32_t count_in_front(const throng_implicit_solver *s, uint32_t slot) {
    double x = s->motion.vx[slot] - s->walkers->old_x[slot], y = s->motion.vy[slot] - s->walkers->old_y[slot];
    double left = (1 - 1e-9) * THRONG_IMPLICIT_WIDE_TRUST - s->motion.trust[slot];
    return left > 0 && x * x + y * y <= left * left ? s->walls->front_count[slot] : s->walls->count[slot];
}

static inline void glance_at_walls(throng_implicit_solver *s, uint32_t slot, bool everything, mover *m) {
    const throng_wall_piece *pieces = s->walls->pieces + s->walls->begin[slot];
    uint32_t *ahead = s->walls->ahead + s->walls->begin[slot], *close = s->walls->close + s->walls->begin[slot];
    uint32_t count = everything ? s->walls->count[slot] : count_in_front(s, slot), met = 0, near = 0;
    if (count > 0) {
        set_mover(m, s, slot, pieces->distance, s->motion.trust[slot]);
        for (uint32_t k = 0; k < count; k += THRONG_WIDTH) {
            wide_pieces p = four_pieces(m, pieces + k, count - k);
            unsigned in = lanes_of(count - k);
            met = note_pieces(ahead, met, k, everything ? in : in & wide_bits(may_meet(m, &p)));
            near = note_pieces(close, near, k, everything ? in : in & wide_bits(wide_less(p.distance, m->near)));
        }
    }
    s->walls->ahead_count[slot] = met;
    s->walls->close_count[slot] = near;
}

static void front_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    mover m = any_mover(&s->walkers->law);
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        put_in_front(s, s->active.who[k], &m);
    }
}

/* The pieces of a crowd do not fit into the processor's nearest memory: asks for some of those that will be needed. */
static inline void fetch_pieces(const throng_implicit_solver *s, uint32_t slot) {
    enum { SOME = 8 };
    const throng_wall_piece *pieces = s->walls->pieces + s->walls->begin[slot];
    uint32_t count = s->walls->front_count[slot] < SOME ? s->walls->front_count[slot] : SOME;
    for (uint32_t k = 0; k < count; k++) __builtin_prefetch(&pieces[k]);
}

static void glance_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    mover m = any_mover(&s->walkers->law);
    size_t last = throng_implicit_block_end(s, end - 1);
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < last; k++) {
        if (s->pass.only_dirty && !s->motion.dirty[s->active.who[k]]) continue;
        if (k + 2 < last) fetch_pieces(s, s->active.who[k + 2]);
        glance_at_walls(s, s->active.who[k], s->pass.everything, &m);
    }
}
