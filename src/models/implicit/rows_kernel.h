/* rows_kernel.h: what the others in its row exert on a walker, and products with the Hessian, four at a time. Built
 * twice, by rows.c and rows_avx2.c.
 *
 * Most of those who can matter do not: whether a time to collision may count is found first, with one root and no
 * quotient. Those that pass are packed, and only they are computed. */

#include "models/implicit/energy_repulsion_kernel.h"
#include "models/implicit/energy_ttc_kernel.h"
#include "models/implicit/implicit.h"

/* A row under way: what there is of the walker, and those whose terms have to be computed. */
typedef struct row {
    throng_implicit *s;
    const throng_implicit_chunk *chunk;
    const double *x, *y, *radius, *vx, *vy; /* of everybody, by slot */
    uint32_t slot;
    ttc_law ttc;
    repulsion_law repulsion;
    wide own_x, own_y, own_vx, own_vy, own_radius;
    wide_term sum;
    bool overlapping; /* some do, at the start */
} row;

/* Others of one kind, close or far. */
typedef struct kind {
    uint32_t *other;
    uint32_t count;
    uint32_t *tie_other; /* where their ties go, and how many there are */
    double *tie;
    uint32_t ties;
} kind;

/* Pairs that overlap at the start, or whose radii count less for another reason. Returns which overlap. */
static unsigned loosen(const row *w, const uint32_t *other, unsigned lanes, wide_pairs *p) {
    double qx[4], qy[4], r[4];
    unsigned overlapping = 0;
    wide_store(qx, p->qx);
    wide_store(qy, p->qy);
    wide_store(r, p->r);
    for (; lanes; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        if (throng_implicit_pair(w->s, w->slot, other[k], &qx[k], &qy[k], &r[k])) overlapping |= 1u << k;
    }
    p->qx = wide_load(qx);
    p->qy = wide_load(qy);
    p->r = wide_load(r);
    return overlapping;
}

/* The separation of those of four that overlap. */
static wide_term separate(const row *w, const uint32_t *other, unsigned lanes, wide_pairs p, int order) {
    double qx[4], qy[4], wx[4], wy[4], terms[6][4] = {{0}};
    wide_store(qx, p.qx);
    wide_store(qy, p.qy);
    wide_store(wx, p.wx);
    wide_store(wy, p.wy);
    for (; lanes; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        double radii = w->radius[w->slot] + w->radius[other[k]];
        throng_term t = throng_separation_term(&w->s->law, qx[k], qy[k], radii, wx[k], wy[k], order);
        const double lane[6] = {t.energy, t.gx, t.gy, t.hxx, t.hxy, t.hyy};
        for (int n = 0; n < 6; n++) terms[n][k] = lane[n];
    }
    return (wide_term){wide_load(terms[0]), wide_load(terms[1]), wide_load(terms[2]),
                       wide_load(terms[3]), wide_load(terms[4]), wide_load(terms[5])};
}

static inline void add_slopes(wide_term *sum, wide_term t, int order) {
    if (order >= THRONG_ORDER_GRADIENT) {
        sum->gx = wide_add(sum->gx, t.gx);
        sum->gy = wide_add(sum->gy, t.gy);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        sum->hxx = wide_add(sum->hxx, t.hxx);
        sum->hxy = wide_add(sum->hxy, t.hxy);
        sum->hyy = wide_add(sum->hyy, t.hyy);
    }
}

static inline wide_term add_both(wide_term a, wide_term b, int order) {
    a.energy = wide_add(a.energy, b.energy);
    add_slopes(&a, b, order);
    return a;
}

/* A pair that does not approach has no time to collision, and no Hessian of it; as soon as it does, that is 2 k / gap^2
 * or so in most directions. Some of it from the outset keeps a step from running into everybody at once. */
static inline void make_firm(const row *w, wide_pairs p, wide_term *t) {
    const wide least = wide_all(0.02); /* m: nearer ones are as firm */
    wide ex = wide_sub(p.qx, wide_mul(w->ttc.dt, p.wx)), ey = wide_sub(p.qy, wide_mul(w->ttc.dt, p.wy));
    wide gap = wide_max(wide_sub(wide_sqrt(mul_add_mul(ex, ex, ey, ey)), p.r), least);
    wide more = wide_div(wide_mul(wide_all(2 * w->s->firmness), w->ttc.k), wide_mul(gap, gap));
    t->hxx = wide_add(t->hxx, more);
    t->hyy = wide_add(t->hyy, more);
}

/* Time to collision and, of close ones, repulsion and separation. */
static inline wide_term terms_of_four(row *w, const uint32_t *other, unsigned lanes, bool close, int order) {
    wide_pairs p = {.qx = wide_sub(wide_gather(w->x, other), w->own_x),
                    .qy = wide_sub(wide_gather(w->y, other), w->own_y),
                    .r = wide_add(wide_gather(w->radius, other), w->own_radius),
                    .wx = wide_sub(w->own_vx, wide_gather(w->vx, other)),
                    .wy = wide_sub(w->own_vy, wide_gather(w->vy, other))};
    if (!close) return ttc_four(&w->ttc, p, order);
    wide_mask apart = wide_less(wide_mul(p.r, p.r), mul_add_mul(p.qx, p.qx, p.qy, p.qy));
    unsigned tight = w->s->squeezed[w->slot] ? lanes : lanes & ~wide_bits(apart), overlapping = 0;
    if (tight) overlapping = loosen(w, other, tight, &p);
    wide_term t = add_both(ttc_four(&w->ttc, p, order), repulsion_four(&w->repulsion, p, order), order);
    if (order >= THRONG_ORDER_HESSIAN && w->s->firmness > 0) make_firm(w, p, &t);
    if (!overlapping) return t;
    w->overlapping = true;
    return add_both(t, separate(w, other, overlapping, p, order), order);
}

/* Writes down the ties of those of four that are strong enough. */
static inline void tie_four(const row *w, kind *k, const uint32_t *other, unsigned lanes, wide_term t) {
    unsigned bits = wide_bits(wide_less(wide_all(w->s->tie_least), wide_add(t.hxx, t.hyy))) & lanes;
    size_t room = throng_implicit_tie_room(w->s);
    if (!bits) return;
    wide_squeeze(k->tie + k->ties, bits, t.hxx);
    wide_squeeze(k->tie + room + k->ties, bits, t.hxy);
    wide_squeeze(k->tie + 2 * room + k->ties, bits, t.hyy);
    for (; bits; bits &= bits - 1) k->tie_other[k->ties++] = other[__builtin_ctz(bits)];
}

/* Which of some lanes are decided for. */
static inline unsigned decided_lanes(const row *w, const uint32_t *other, unsigned lanes) {
    if (w->s->all_decided) return lanes;
    for (unsigned left = lanes; left; left &= left - 1) {
        if (!w->s->decided[other[__builtin_ctz(left)]]) lanes &= ~(left & -left);
    }
    return lanes;
}

/* What a pair exerts on one it exerts on the other the other way round. */
static inline void pass_on(const row *w, const uint32_t *other, unsigned lanes, wide_term t, int order) {
    double terms[THRONG_IMPLICIT_SUMS][4];
    wide_store(terms[0], t.gx);
    wide_store(terms[1], t.gy);
    if (order >= THRONG_ORDER_HESSIAN) {
        wide_store(terms[2], t.hxx);
        wide_store(terms[3], t.hxy);
        wide_store(terms[4], t.hyy);
    }
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        double *sum = throng_implicit_sums(w->s, w->chunk, w->s->self[other[lane]], THRONG_IMPLICIT_SUMS);
        sum[0] -= terms[0][lane];
        sum[1] -= terms[1][lane];
        if (order < THRONG_ORDER_HESSIAN) continue;
        sum[2] += terms[2][lane];
        sum[3] += terms[3][lane];
        sum[4] += terms[4][lane];
    }
}

static inline void compute(row *w, kind *k, bool close, int order) {
    const wide_mask none = wide_where(0);
    for (uint32_t n = k->count; n & 3; n++) k->other[n] = k->other[k->count - 1];
    for (uint32_t n = 0; n < k->count; n += THRONG_WIDTH) {
        const uint32_t *other = k->other + n;
        wide_mask in = wide_first((int64_t)(k->count - n));
        unsigned lanes = wide_bits(in);
        wide_term t = keep_term(in, none, terms_of_four(w, other, lanes, close, order), order);
        w->sum.energy = wide_add(w->sum.energy, t.energy);
        if (order < THRONG_ORDER_GRADIENT) continue;
        add_slopes(&w->sum, t, order);
        lanes = decided_lanes(w, other, lanes);
        pass_on(w, other, lanes, t, order);
        if (order >= THRONG_ORDER_HESSIAN) tie_four(w, k, other, lanes, t);
    }
}

/* Which of some far lanes of a quad may have a time to collision that counts. */
static inline wide_mask may_count(const row *w, uint32_t first, unsigned lanes) {
    wide_mask in = wide_where(lanes);
    wide_pairs p = {.qx = wide_sub(wide_load_where(w->x + first, in), w->own_x),
                    .qy = wide_sub(wide_load_where(w->y + first, in), w->own_y),
                    .r = wide_add(wide_load_where(w->radius + first, in), w->own_radius),
                    .wx = wide_sub(w->own_vx, wide_load_where(w->vx + first, in)),
                    .wy = wide_sub(w->own_vy, wide_load_where(w->vy + first, in))};
    return wide_and(in, may_live(&w->ttc, p));
}

/* Those of some lanes whose pairs are computed in this row: of two who are decided for, in that of the first. */
static inline unsigned first_here(const row *w, uint32_t first, unsigned lanes) {
    const throng_implicit *s = w->s;
    for (unsigned left = lanes; left; left &= left - 1) {
        uint32_t other = first + (uint32_t)__builtin_ctz(left);
        if (s->decided[other] && s->self[other] < w->slot) lanes &= ~(left & -left);
    }
    return lanes;
}

/* Those of the row that have to be computed. */
static inline void pick(const row *w, kind *close, kind *far) {
    const throng_implicit_rows *rows = &w->s->rows;
    const uint32_t *quads = rows->quad;
    const uint8_t *matter = rows->matter;
    const wide zero = wide_all(0.0);
    bool images = w->s->near->image_count > 0;
    uint32_t middle = rows->middle[w->slot], end = rows->end[w->slot];
    for (uint32_t q = w->s->all_decided ? middle : rows->begin[w->slot]; q < end; q++) {
        if (!matter[q]) continue;
        uint32_t first = quads[q] >> 8 << 2;
        unsigned lanes =
            q <= middle || images ? first_here(w, first, THRONG_LANES & (matter[q] | matter[q] >> 4)) : THRONG_LANES;
        unsigned close_lanes = matter[q] & lanes, far_lanes = matter[q] >> 4 & lanes;
        if (close_lanes)
            close->count += wide_pack(NULL, close->other + close->count, wide_where(close_lanes), zero, first);
        if (far_lanes)
            far->count += wide_pack(NULL, far->other + far->count, may_count(w, first, far_lanes), zero, first);
    }
}

static inline double sum_of(wide a) {
    double lane[4];
    wide_store(lane, a);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

static inline kind kind_of(const throng_implicit *s, int worker, size_t number) {
    const throng_implicit_scratch *scratch = &s->scratch[worker];
    size_t room = throng_implicit_tie_room(s);
    return (kind){.other = scratch->picked + number * room,
                  .tie_other = scratch->other + number * room,
                  .tie = scratch->tie + number * 3 * room};
}

/* Returns the energy of the pairs of the row. */
static inline double evaluate_row(row *w, int worker, int order) {
    throng_implicit *s = w->s;
    const wide zero = wide_all(0.0);
    uint32_t slot = w->slot;
    w->own_x = wide_all(w->x[slot]);
    w->own_y = wide_all(w->y[slot]);
    w->own_vx = wide_all(w->vx[slot]);
    w->own_vy = wide_all(w->vy[slot]);
    w->own_radius = wide_all(w->radius[slot]);
    w->sum = (wide_term){zero, zero, zero, zero, zero, zero};
    kind close = kind_of(s, worker, 0), far = kind_of(s, worker, 1);
    pick(w, &close, &far);
    compute(w, &close, true, order);
    compute(w, &far, false, order);
    if (order >= THRONG_ORDER_HESSIAN) throng_implicit_put_ties(s, &s->ties, slot, worker, close.ties, far.ties);
    if (order >= THRONG_ORDER_GRADIENT) {
        const wide parts[THRONG_IMPLICIT_SUMS] = {w->sum.gx, w->sum.gy, w->sum.hxx, w->sum.hxy, w->sum.hyy};
        double *sum = throng_implicit_sums(s, w->chunk, slot, THRONG_IMPLICIT_SUMS);
        for (int n = 0; n < THRONG_IMPLICIT_SUMS; n++) sum[n] += sum_of(parts[n]);
    }
    return sum_of(w->sum.energy);
}

static void evaluate_chunks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit *s = context;
    double *sums = throng_implicit_part(s, 2);
    row w = {.s = s,
             .x = s->near->x,
             .y = s->near->y,
             .radius = s->near->radius,
             .vx = s->pass_x,
             .vy = s->pass_y,
             .ttc = ttc_law_of(&s->law),
             .repulsion = repulsion_law_of(&s->law)};
    for (size_t c = begin; c < end; c++) {
        w.chunk = &s->chunks[c];
        s->scratch[worker].tie_next = s->scratch[worker].tie_end = 0; /* so that all take the same room each time */
        if (s->order >= THRONG_ORDER_GRADIENT) throng_implicit_clear_sums(s, w.chunk, THRONG_IMPLICIT_SUMS);
        for (size_t b = w.chunk->begin; b < w.chunk->end; b++) {
            double sum = 0;
            for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
                w.slot = s->who[k];
                sum += s->order == THRONG_ORDER_ENERGY     ? evaluate_row(&w, worker, THRONG_ORDER_ENERGY)
                       : s->order == THRONG_ORDER_GRADIENT ? evaluate_row(&w, worker, THRONG_ORDER_GRADIENT)
                                                           : evaluate_row(&w, worker, THRONG_ORDER_HESSIAN);
            }
            sums[b] = sum;
        }
    }
    if (w.overlapping) s->scratch[worker].overlapping = true;
}

/* --- products */

/* What the ties of a walker take from the products of both. */
static inline void multiply_row(const throng_implicit *s, const throng_implicit_chunk *chunk, uint32_t slot) {
    const throng_implicit_ties *t = &s->ties;
    uint32_t first = t->begin[slot], last = first + t->count[slot];
    const wide dx = wide_all(s->dx[slot]), dy = wide_all(s->dy[slot]);
    wide x = wide_all(0.0), y = x;
    for (uint32_t n = first; n < last; n += THRONG_WIDTH) {
        const uint32_t *other = t->other + n;
        wide ox = wide_gather(s->dx, other), oy = wide_gather(s->dy, other);
        wide xx = wide_load(t->xx + n), xy = wide_load(t->xy + n), yy = wide_load(t->yy + n);
        x = wide_add(x, mul_add_mul(xx, ox, xy, oy));
        y = wide_add(y, mul_add_mul(xy, ox, yy, oy));
        double back_x[4], back_y[4];
        wide_store(back_x, mul_add_mul(xx, dx, xy, dy));
        wide_store(back_y, mul_add_mul(xy, dx, yy, dy));
        for (int lane = 0; lane < THRONG_WIDTH; lane++) {
            double *sum = throng_implicit_sums(s, chunk, s->self[other[lane]], 2);
            sum[0] += back_x[lane];
            sum[1] += back_y[lane];
        }
    }
    double *sum = throng_implicit_sums(s, chunk, slot, 2);
    sum[0] += sum_of(x);
    sum[1] += sum_of(y);
}

static void multiply_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    for (size_t c = begin; c < end; c++) {
        const throng_implicit_chunk *chunk = &s->chunks[c];
        throng_implicit_clear_sums(s, chunk, 2);
        size_t last = throng_implicit_block_end(s, chunk->end - 1);
        for (size_t k = chunk->begin * THRONG_IMPLICIT_BLOCK; k < last; k++) multiply_row(s, chunk, s->who[k]);
    }
}
