/* pair_assembly_kernel.h: what pairs exert on walkers, and products with the Hessian, four pairs at a time.
 *
 * Most of those who can matter do not: whether a time to collision may count is found first, with one root and no
 * quotient. Pairs that pass are packed, those of several walkers one after the other, so that four of them can always
 * be computed at once however few others a walker has. */

#include "models/implicit/energy_pairs_kernel.h"
#include "models/implicit/solver.h"

/* A chunk under way. */
typedef struct pass {
    throng_implicit_solver *s;
    throng_implicit_chunk *chunk;
    people all;
    ttc_law ttc;
    repulsion_law repulsion;
    wide energy;
    bool overlapping; /* some do, at the start */
} pass;

/* Pairs that overlap at the start, or whose radii count less for another reason. Returns which overlap. */
static unsigned loosen(const pass *w, const uint32_t *one, const uint32_t *other, unsigned lanes, wide_pairs *p) {
    double qx[4], qy[4], r[4];
    unsigned overlapping = 0;
    wide_store(qx, p->qx);
    wide_store(qy, p->qy);
    wide_store(r, p->r);
    for (; lanes; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        if (throng_implicit_pair(w->s, one[k], other[k], &qx[k], &qy[k], &r[k])) overlapping |= 1u << k;
    }
    p->qx = wide_load(qx);
    p->qy = wide_load(qy);
    p->r = wide_load(r);
    return overlapping;
}

/* The separation of those of four that overlap. */
static wide_term separate(const pass *w, const uint32_t *one, const uint32_t *other, unsigned lanes, wide_pairs p,
                          int order) {
    double qx[4], qy[4], wx[4], wy[4], terms[6][4] = {{0}};
    wide_store(qx, p.qx);
    wide_store(qy, p.qy);
    wide_store(wx, p.wx);
    wide_store(wy, p.wy);
    for (; lanes; lanes &= lanes - 1) {
        int k = __builtin_ctz(lanes);
        double radii = w->all.radius[one[k]] + w->all.radius[other[k]];
        throng_term t = throng_separation_term(&w->s->walkers->law, qx[k], qy[k], radii, wx[k], wy[k], order);
        const double lane[6] = {t.energy, t.gx, t.gy, t.hxx, t.hxy, t.hyy};
        for (int n = 0; n < 6; n++) terms[n][k] = lane[n];
    }
    return (wide_term){wide_load(terms[0]), wide_load(terms[1]), wide_load(terms[2]),
                       wide_load(terms[3]), wide_load(terms[4]), wide_load(terms[5])};
}

static inline wide_term add_both(wide_term a, wide_term b, int order) {
    a.energy = wide_add(a.energy, b.energy);
    if (order >= THRONG_ORDER_GRADIENT) {
        a.gx = wide_add(a.gx, b.gx);
        a.gy = wide_add(a.gy, b.gy);
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        a.hxx = wide_add(a.hxx, b.hxx);
        a.hxy = wide_add(a.hxy, b.hxy);
        a.hyy = wide_add(a.hyy, b.hyy);
    }
    return a;
}

/* A pair that does not approach has no time to collision, and no Hessian of it; as soon as it does, that is 2 k / gap^2
 * or so in most directions. Some of it from the outset keeps a step from running into everybody at once. */
static inline void regularise(const pass *w, wide_pairs p, wide_term *t) {
    const wide least = wide_all(0.02); /* m: nearer ones are as firm */
    wide ex = wide_sub(p.qx, wide_mul(w->ttc.dt, p.wx)), ey = wide_sub(p.qy, wide_mul(w->ttc.dt, p.wy));
    wide gap = wide_max(wide_sub(wide_sqrt(mul_add_mul(ex, ex, ey, ey)), p.r), least);
    wide more = wide_div(wide_mul(wide_all(2 * w->s->search.regularisation), w->ttc.k), wide_mul(gap, gap));
    t->hxx = wide_add(t->hxx, more);
    t->hyy = wide_add(t->hyy, more);
}

/* Which of four have somebody whose radius counts less (throng_implicit_tight_pair). */
static inline unsigned tight_lanes(const pass *w, const uint32_t *one, unsigned lanes, wide_pairs p) {
    wide_mask apart = wide_less(wide_mul(p.r, p.r), mul_add_mul(p.qx, p.qx, p.qy, p.qy));
    unsigned tight = lanes & ~wide_bits(apart);
    for (unsigned left = lanes & ~tight; left; left &= left - 1) {
        if (w->s->motion.squeezed[one[__builtin_ctz(left)]]) tight |= left & -left;
    }
    return tight;
}

static inline wide_pairs pairs_in(const throng_implicit_batch *b, size_t at) {
    return (wide_pairs){wide_load(b->qx + at), wide_load(b->qy + at), wide_load(b->r + at), wide_load(b->wx + at),
                        wide_load(b->wy + at)};
}

/* Four of those listed as live. */
static inline void meet_listed(const pass *w, const throng_implicit_batch *b, const uint32_t *live, int order) {
    double lanes[6][4];
    const throng_pair_terms four = {lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]};
    wide_pairs p = {wide_gather(b->qx, live), wide_gather(b->qy, live), wide_gather(b->r, live),
                    wide_gather(b->wx, live), wide_gather(b->wy, live)};
    store_term(&four, 0, ttc_four(&w->ttc, p, order), order);
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) put_lane(&four, lane, &b->ttc, live[lane], order);
}

/* The times to collision of the first so many close pairs of a batch, a multiple of four: few have one. */
static inline void meet_close(const pass *w, const throng_implicit_batch *b, size_t count, int order) {
    const wide zero = wide_all(0.0);
    const wide_term none = {zero, zero, zero, zero, zero, zero};
    size_t live = 0;
    for (size_t n = 0; n < count; n += THRONG_WIDTH) {
        wide_pairs p = pairs_in(b, n);
        unsigned tight = tight_lanes(w, b->one + n, THRONG_LANES, p);
        if (tight) {
            loosen(w, b->one + n, b->other + n, tight, &p);
            store_term(&b->ttc, n, ttc_four(&w->ttc, p, order), order);
            continue;
        }
        store_term(&b->ttc, n, none, order);
        live += wide_pack(NULL, b->live + live, may_live(&w->ttc, p), zero, (uint32_t)n);
    }
    for (size_t n = live; live && n < live + 3; n++) b->live[n] = b->live[live - 1];
    for (size_t n = 0; n < live; n += THRONG_WIDTH) meet_listed(w, b, b->live + n, order);
}

/* Time to collision, which close ones have in the batch, and of these repulsion and separation. */
static inline wide_term terms_of_four(pass *w, const throng_implicit_batch *b, size_t at, unsigned lanes, bool close,
                                      int order) {
    const uint32_t *one = b->one + at, *other = b->other + at;
    wide_pairs p = pairs_in(b, at);
    if (!close) return ttc_four(&w->ttc, p, order);
    unsigned tight = tight_lanes(w, one, lanes, p), overlapping = 0;
    if (tight) overlapping = loosen(w, one, other, tight, &p);
    wide_term t = add_both(load_term(&b->ttc, at, order), repulsion_four(&w->repulsion, p, order), order);
    if (order >= THRONG_ORDER_HESSIAN && w->s->search.regularisation > 0) regularise(w, p, &t);
    if (!overlapping) return t;
    w->overlapping = true;
    return add_both(t, separate(w, one, other, overlapping, p, order), order);
}

/* Writes down the offdiagonals of those of four that are strong enough. */
static inline void couple_four(const pass *w, throng_implicit_offdiagonals *offdiagonals, const uint32_t *one,
                               const uint32_t *other, unsigned lanes, wide_term t) {
    unsigned bits = wide_bits(wide_less(wide_all(w->s->walkers->coupling_least), wide_add(t.hxx, t.hyy))) & lanes;
    if (offdiagonals->count + THRONG_WIDTH > offdiagonals->capacity) {
        offdiagonals->count += (unsigned)__builtin_popcount(bits); /* there is no room; all will be found again */
        return;
    }
    wide_squeeze(offdiagonals->xx + offdiagonals->count, bits, t.hxx);
    wide_squeeze(offdiagonals->xy + offdiagonals->count, bits, t.hxy);
    wide_squeeze(offdiagonals->yy + offdiagonals->count, bits, t.hyy);
    for (; bits; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        offdiagonals->one[offdiagonals->count] = one[lane];
        offdiagonals->other[offdiagonals->count++] = other[lane];
    }
}

/* Which of some lanes are decided for. */
static inline unsigned decided_lanes(const pass *w, const uint32_t *other, unsigned lanes) {
    if (w->s->active.all_decided) return lanes;
    for (unsigned left = lanes; left; left &= left - 1) {
        if (!w->s->active.decided[other[__builtin_ctz(left)]]) lanes &= ~(left & -left);
    }
    return lanes;
}

/* What a pair exerts on one it exerts on the other the other way round. */
static inline void add_slopes(const pass *w, const uint32_t *one, const uint32_t *other, unsigned lanes, unsigned both,
                              wide_term t) {
    double x[4], y[4];
    wide_store(x, t.gx);
    wide_store(y, t.gy);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        double *sum = throng_implicit_sums(w->s, w->chunk, w->s->rank[one[lane]], THRONG_IMPLICIT_SUMS);
        sum[0] += x[lane];
        sum[1] += y[lane];
        if (!(both >> lane & 1)) continue;
        sum = throng_implicit_sums(w->s, w->chunk, w->s->rank[other[lane]], THRONG_IMPLICIT_SUMS);
        sum[0] -= x[lane];
        sum[1] -= y[lane];
    }
}

/* The same with curvatures, which are the same for both. */
static inline void add_slopes_and_bends(const pass *w, const uint32_t *one, const uint32_t *other, unsigned lanes,
                                        unsigned both, wide_term t) {
    const wide back = wide_of(-1, -1, 1, 1);
    double slope_x[4], slope_y[4], xx[4], xy[4], yy[4];
    const double *columns[4] = {slope_x, slope_y, xx, xy};
    wide numbers[4];
    wide_store(slope_x, t.gx);
    wide_store(slope_y, t.gy);
    wide_store(xx, t.hxx);
    wide_store(xy, t.hxy);
    wide_store(yy, t.hyy);
    wide_load_columns(columns, numbers);
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        double *sum = throng_implicit_sums(w->s, w->chunk, w->s->rank[one[lane]], THRONG_IMPLICIT_SUMS);
        wide_store(sum, wide_add(wide_load(sum), numbers[lane]));
        sum[4] += yy[lane];
        if (!(both >> lane & 1)) continue;
        sum = throng_implicit_sums(w->s, w->chunk, w->s->rank[other[lane]], THRONG_IMPLICIT_SUMS);
        wide_store(sum, wide_add(wide_load(sum), wide_mul(back, numbers[lane])));
        sum[4] += yy[lane];
    }
}

static inline void compute_four(pass *w, const throng_implicit_batch *b, size_t at, wide_mask in, int kind, int order) {
    const uint32_t *one = b->one + at, *other = b->other + at;
    unsigned lanes = wide_bits(in);
    wide_term t = terms_of_four(w, b, at, lanes, kind == THRONG_IMPLICIT_CLOSE, order);
    t = keep_term(in, wide_where(0), t, order);
    w->energy = wide_add(w->energy, t.energy);
    if (order < THRONG_ORDER_GRADIENT) return;
    unsigned both = decided_lanes(w, other, lanes);
    if (order < THRONG_ORDER_HESSIAN) {
        add_slopes(w, one, other, lanes, both, t);
        return;
    }
    add_slopes_and_bends(w, one, other, lanes, both, t);
    couple_four(w, &w->chunk->offdiagonals[kind], one, other, both, t);
}

static inline void copy_pair(throng_implicit_batch *b, size_t to, size_t from) {
    b->one[to] = b->one[from];
    b->other[to] = b->other[from];
    b->qx[to] = b->qx[from];
    b->qy[to] = b->qy[from];
    b->r[to] = b->r[from];
    b->wx[to] = b->wx[from];
    b->wy[to] = b->wy[from];
}

/* Computes as many as can be four at a time. */
static inline void compute(pass *w, throng_implicit_batch *b, int kind, int order) {
    size_t fours = b->count & ~(size_t)3;
    if (kind == THRONG_IMPLICIT_CLOSE) meet_close(w, b, fours, order);
    for (size_t n = 0; n < fours; n += THRONG_WIDTH) compute_four(w, b, n, wide_where(THRONG_LANES), kind, order);
    for (size_t n = fours; n < b->count; n++) copy_pair(b, n - fours, n);
    b->count -= fours;
}

/* Computes the rest of a chunk. */
static inline void compute_rest(pass *w, throng_implicit_batch *b, int kind, int order) {
    compute(w, b, kind, order);
    if (b->count == 0) return;
    for (size_t n = b->count; n < THRONG_WIDTH; n++) copy_pair(b, n, b->count - 1);
    if (kind == THRONG_IMPLICIT_CLOSE) meet_close(w, b, THRONG_WIDTH, order);
    compute_four(w, b, 0, wide_first((int64_t)b->count), kind, order);
    b->count = 0;
}

/* Adds the pairs of a walker with some of the four others from `first` on. */
static inline void add_pairs(throng_implicit_batch *b, uint32_t slot, uint32_t first, wide_mask in, wide_pairs p) {
    size_t at = b->count;
    unsigned bits = wide_bits(in);
    b->count += wide_pack(NULL, b->other + at, in, p.qx, first);
    for (size_t n = at; n < at + THRONG_WIDTH; n++) b->one[n] = slot;
    wide_squeeze(b->qx + at, bits, p.qx);
    wide_squeeze(b->qy + at, bits, p.qy);
    wide_squeeze(b->r + at, bits, p.r);
    wide_squeeze(b->wx + at, bits, p.wx);
    wide_squeeze(b->wy + at, bits, p.wy);
}

/* Those of some lanes whose pairs are computed in this row: of two who are decided for, in that of the first. */
static inline unsigned first_here(const throng_implicit_solver *s, uint32_t slot, uint32_t first, unsigned lanes) {
    for (unsigned left = lanes; left; left &= left - 1) {
        uint32_t other = first + (uint32_t)__builtin_ctz(left);
        if (s->active.decided[other] && s->walkers->self[other] < slot) lanes &= ~(left & -left);
    }
    return lanes;
}

/* The lanes of a row's quad whose pairs are computed in this row. */
static inline unsigned lanes_here(const throng_implicit_solver *s, uint32_t slot, uint32_t q, unsigned lanes) {
    bool all_here = q > s->rows.middle[slot] && s->walkers->near->image_count == 0;
    return all_here ? lanes : first_here(s, slot, s->rows.quad[q] >> 8 << 2, lanes);
}

/* Those of the row that have to be computed. */
static inline void pick(const pass *w, uint32_t slot, throng_implicit_batch *close, throng_implicit_batch *far) {
    const throng_implicit_solver *s = w->s;
    const throng_implicit_rows *rows = &s->rows;
    uint32_t q = s->active.all_decided ? rows->middle[slot] : rows->begin[slot];
    for (; q < rows->end[slot]; q += 32) {
        uint32_t quads = throng_implicit_quads(rows, slot, q, THRONG_CLOSE);
        for (; quads; quads &= quads - 1) {
            uint32_t at = q + (uint32_t)__builtin_ctz(quads), first = rows->quad[at] >> 8 << 2;
            wide_mask in = wide_where(lanes_here(s, slot, at, rows->matter[at] & THRONG_LANES));
            add_pairs(close, slot, first, in, pairs_with(&w->all, slot, first, in));
        }
        quads = throng_implicit_quads(rows, slot, q, THRONG_FAR);
        for (; quads; quads &= quads - 1) {
            uint32_t at = q + (uint32_t)__builtin_ctz(quads), first = rows->quad[at] >> 8 << 2;
            wide_mask in = wide_where(lanes_here(s, slot, at, rows->matter[at] >> 4));
            wide_pairs p = pairs_with(&w->all, slot, first, in);
            add_pairs(far, slot, first, wide_and(in, may_live(&w->ttc, p)), p);
        }
    }
}

static inline double sum_of(wide a) {
    double lane[4];
    wide_store(lane, a);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Returns the energy of the pairs of a chunk. */
static inline double evaluate_chunk(pass *w, throng_implicit_batch *batch, int order) {
    throng_implicit_solver *s = w->s;
    size_t end = throng_implicit_block_end(s, w->chunk->end - 1);
    w->energy = wide_all(0.0);
    if (order >= THRONG_ORDER_GRADIENT) throng_implicit_clear_sums(s, w->chunk, THRONG_IMPLICIT_SUMS);
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
        batch[kind].count = 0;
        if (order >= THRONG_ORDER_HESSIAN) w->chunk->offdiagonals[kind].count = 0;
    }
    for (size_t k = w->chunk->begin * THRONG_IMPLICIT_BLOCK; k < end; k++) {
        pick(w, s->active.who[k], &batch[THRONG_IMPLICIT_CLOSE], &batch[THRONG_IMPLICIT_FAR]);
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
            if (batch[kind].count >= THRONG_IMPLICIT_BATCH) compute(w, &batch[kind], kind, order);
        }
    }
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) compute_rest(w, &batch[kind], kind, order);
    return sum_of(w->energy);
}

static void evaluate_chunks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit_solver *s = context;
    throng_implicit_batch *batch = s->scratch[worker].batch;
    double *sums = throng_implicit_part(s, 2);
    pass w = {.s = s,
              .all = {s->walkers->near->x, s->walkers->near->y, s->walkers->near->radius, s->pass.x, s->pass.y},
              .ttc = ttc_law_of(&s->walkers->law),
              .repulsion = repulsion_law_of(&s->walkers->law)};
    for (size_t c = begin; c < end; c++) {
        w.chunk = &s->active.chunks[c];
        for (size_t b = w.chunk->begin; b < w.chunk->end; b++) sums[b] = 0;
        sums[w.chunk->begin] = s->pass.order == THRONG_ORDER_ENERGY ? evaluate_chunk(&w, batch, THRONG_ORDER_ENERGY)
                               : s->pass.order == THRONG_ORDER_GRADIENT
                                   ? evaluate_chunk(&w, batch, THRONG_ORDER_GRADIENT)
                                   : evaluate_chunk(&w, batch, THRONG_ORDER_HESSIAN);
    }
    if (w.overlapping) s->scratch[worker].overlapping = true;
}

/* --- products */

/* What offdiagonals take from the products of both. */
static inline void multiply_offdiagonals(const throng_implicit_solver *s, const throng_implicit_chunk *chunk,
                                         const throng_implicit_offdiagonals *t) {
    const double *dx = s->search.dx, *dy = s->search.dy;
    for (size_t n = 0; n < t->count;) {
        uint32_t one = t->one[n];
        double x = dx[one], y = dy[one], sum_x = 0, sum_y = 0;
        for (; n < t->count && t->one[n] == one; n++) {
            uint32_t other = t->other[n];
            double xx = t->xx[n], xy = t->xy[n], yy = t->yy[n],
                   *back = throng_implicit_sums(s, chunk, s->rank[other], 2);
            sum_x += xx * dx[other] + xy * dy[other];
            sum_y += xy * dx[other] + yy * dy[other];
            back[0] += xx * x + xy * y;
            back[1] += xy * x + yy * y;
        }
        double *sum = throng_implicit_sums(s, chunk, s->rank[one], 2);
        sum[0] += sum_x;
        sum[1] += sum_y;
    }
}

static void multiply_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    for (size_t c = begin; c < end; c++) {
        const throng_implicit_chunk *chunk = &s->active.chunks[c];
        throng_implicit_clear_sums(s, chunk, 2);
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++)
            multiply_offdiagonals(s, chunk, &chunk->offdiagonals[kind]);
    }
}
