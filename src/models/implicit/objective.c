/* objective.c: the objective of a step at some velocities, and products with its Hessian.
 *
 * Everybody has its own term and the terms of its pairs (pair_assembly_kernel.h). The Hessian has a block for each
 * walker, in which all its pairs count, and offdiagonals between the two of a pair, of which the weak ones are left
 * out: each of the two then counts on the other's velocity staying as it is, which costs nothing when it hardly
 * matters. */

#include <assert.h>
#include <string.h>

#include "models/implicit/solver.h"

/* times the trace that an off-diagonal block has at least: those that are kept from before */
static const double coupling_kept = 3;

/* --- what a walker's velocity costs by itself: changing it, not having the desired one, exceeding its limit, walls */

static const double cap_free = 2.0 / 3; /* of the limit of speed: from there on it costs */
static const double cap_strength = 2;   /* 1/s */

/* Nothing up to 2 times the desired speed, infinite at 3 times. */
static void add_cap(throng_term *t, double vx, double vy, double cap) {
    double speed2 = vx * vx + vy * vy, free_speed = cap_free * cap;
    if (speed2 <= free_speed * free_speed) return;
    double speed = sqrt(speed2), left = cap - speed, over = speed - free_speed, strength = cap_strength * cap;
    if (!(left > 0)) {
        *t = (throng_term){.energy = INFINITY};
        return;
    }
    double ratio = over / left, slope = strength * ratio * (2 + ratio);
    double curve = strength * 2 * (1 + ratio) * (1 + ratio) / left, nx = vx / speed, ny = vy / speed;
    double aside = slope / speed;
    t->energy += strength * over * ratio;
    t->gx += slope * nx;
    t->gy += slope * ny;
    t->hxx += curve * nx * nx + aside * ny * ny;
    t->hxy += (curve - aside) * nx * ny;
    t->hyy += curve * ny * ny + aside * nx * nx;
}

/* Without walls. */
static throng_term lone_term(const throng_implicit_solver *s, uint32_t slot, double vx, double vy) {
    double push_x = s->walkers->push_x[slot], push_y = s->walkers->push_y[slot], xi = s->walkers->xi[slot],
           inertia = 1 / s->walkers->law.dt;
    double ax = vx - s->walkers->old_x[slot], ay = vy - s->walkers->old_y[slot], bx = vx - s->walkers->goal_x[slot],
           by = vy - s->walkers->goal_y[slot];
    throng_term t = {
        .energy = 0.5 * inertia * (ax * ax + ay * ay) + 0.5 * xi * (bx * bx + by * by) - push_x * vx - push_y * vy,
        .gx = inertia * ax + xi * bx - push_x,
        .gy = inertia * ay + xi * by - push_y,
        .hxx = inertia + xi,
        .hyy = inertia + xi};
    add_cap(&t, vx, vy, s->walkers->cap[slot]);
    return t;
}

/* The pieces of a crowd do not fit into the processor's nearest memory: asks for those that will be needed. */
static void fetch_pieces(const throng_walled *w) {
    for (uint32_t k = 0; k < w->ahead_count; k++) __builtin_prefetch(&w->pieces[w->ahead[k]]);
    for (uint32_t k = 0; k < w->close_count; k++) __builtin_prefetch(&w->pieces[w->close[k]]);
}

void throng_implicit_own_terms(const throng_implicit_solver *s, const uint32_t *slots, size_t count, const double *vx,
                               const double *vy, int order, throng_term *terms) {
    throng_walled walled[THRONG_IMPLICIT_BLOCK];
    throng_term walls[THRONG_IMPLICIT_BLOCK];
    size_t which[THRONG_IMPLICIT_BLOCK], some = 0;
    assert(count <= THRONG_IMPLICIT_BLOCK);
    for (size_t k = 0; k < count; k++) {
        uint32_t slot = slots[k], begin = s->walls->begin[slot];
        terms[k] = lone_term(s, slot, vx[k], vy[k]);
        if (s->walls->ahead_count[slot] + s->walls->close_count[slot] == 0 || terms[k].energy == INFINITY) continue;
        walled[some] = (throng_walled){.pieces = s->walls->pieces + begin,
                                       .ahead = s->walls->ahead + begin,
                                       .close = s->walls->close + begin,
                                       .ahead_count = s->walls->ahead_count[slot],
                                       .close_count = s->walls->close_count[slot],
                                       .r = s->walkers->near->radius[slot],
                                       .vx = vx[k],
                                       .vy = vy[k]};
        fetch_pieces(&walled[some]);
        which[some++] = k;
    }
    if (some == 0) return;
    s->kernel->wall_terms(&s->walkers->law, walled, some, order, walls);
    for (size_t w = 0; w < some; w++) {
        size_t k = which[w];
        terms[k] = throng_add_terms(terms[k], walls[w]);
        if (!s->walls->in_wall[slots[k]]) continue;
        throng_term out = throng_wall_separation_term(&s->walkers->law, walled[w].pieces, s->walls->count[slots[k]],
                                                      walled[w].r, vx[k], vy[k], order);
        terms[k] = throng_add_terms(terms[k], out);
    }
}

/* --- g */

/* The walker's block of the Hessian, and its inverse. */
static void set_block(throng_implicit_solver *s, uint32_t slot, double xx, double xy, double yy) {
    double inverse = 1 / (xx * yy - xy * xy);
    s->slopes.hxx[slot] = xx, s->slopes.hxy[slot] = xy, s->slopes.hyy[slot] = yy;
    s->slopes.ixx[slot] = yy * inverse, s->slopes.ixy[slot] = -xy * inverse, s->slopes.iyy[slot] = xx * inverse;
}

/* Adds what its pairs exert on a walker to its own term. */
static void take_terms(throng_implicit_solver *s, uint32_t slot, throng_term own) {
    double pairs[THRONG_IMPLICIT_SUMS];
    throng_implicit_gather(s, s->rank[slot], THRONG_IMPLICIT_SUMS, pairs);
    s->slopes.gx[slot] = own.gx + pairs[0];
    s->slopes.gy[slot] = own.gy + pairs[1];
    if (s->pass.order < 2) return;
    s->slopes.own_xx[slot] = own.hxx;
    s->slopes.own_xy[slot] = own.hxy;
    s->slopes.own_yy[slot] = own.hyy;
    set_block(s, slot, own.hxx + pairs[2], own.hxy + pairs[3], own.hyy + pairs[4]);
}

static void evaluate_walkers(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double *sums = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        const uint32_t *slots = s->active.who + b * THRONG_IMPLICIT_BLOCK;
        size_t count = throng_implicit_block_end(s, b) - b * THRONG_IMPLICIT_BLOCK;
        double sum = 0, vx[THRONG_IMPLICIT_BLOCK], vy[THRONG_IMPLICIT_BLOCK];
        throng_term own[THRONG_IMPLICIT_BLOCK];
        for (size_t k = 0; k < count; k++) {
            vx[k] = s->pass.x[slots[k]];
            vy[k] = s->pass.y[slots[k]];
        }
        throng_implicit_own_terms(s, slots, count, vx, vy, s->pass.order, own);
        for (size_t k = 0; k < count; k++) {
            sum += own[k].energy;
            if (s->pass.order > 0) take_terms(s, slots[k], own[k]);
        }
        sums[b] = sum;
    }
}

static void each_chunk(throng_implicit_solver *s, throng_work work) {
    throng_implicit_each(s, s->active.chunk_count, 1, work);
}

double throng_implicit_evaluate(throng_implicit_solver *s, double *vx, double *vy, int order) {
    s->counts->evaluations++;
    throng_implicit_mirror(s, vx);
    throng_implicit_mirror(s, vy);
    s->pass.order = order;
    s->pass.x = vx;
    s->pass.y = vy;
    do {
        if (order >= THRONG_ORDER_HESSIAN) throng_implicit_share_offdiagonals(s);
        each_chunk(s, s->kernel->evaluate);
    } while (order >= THRONG_ORDER_HESSIAN && !throng_implicit_offdiagonals_fit(s));
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, evaluate_walkers);
    double value = throng_implicit_sum(s, 0) + throng_implicit_sum(s, 2);
    return value < INFINITY ? value : INFINITY;
}

/* --- Hessians of two points */

static void swap_offdiagonals(throng_implicit_offdiagonals *a, throng_implicit_offdiagonals *b) {
    throng_implicit_offdiagonals c = *a;
    *a = *b;
    *b = c;
}

void throng_implicit_keep_hessian(throng_implicit_solver *s) {
    for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
        swap_offdiagonals(&s->active.pool[kind], &s->active.kept_pool[kind]);
        for (size_t c = 0; c < THRONG_IMPLICIT_CHUNKS; c++) {
            swap_offdiagonals(&s->active.chunks[c].offdiagonals[kind], &s->active.chunks[c].kept[kind]);
        }
    }
    throng_implicit_swap(&s->slopes.own_xx, &s->slopes.kept_xx);
    throng_implicit_swap(&s->slopes.own_xy, &s->slopes.kept_xy);
    throng_implicit_swap(&s->slopes.own_yy, &s->slopes.kept_yy);
}

/* Lets a 2 x 2 block be at least a share of another, by its trace. Returns what it gains. */
static void raise_to(double *xx, double *xy, double *yy, double share, const double other[3], double gain[3]) {
    gain[0] = gain[1] = gain[2] = 0;
    if (*xx + *yy >= share * (other[0] + other[2])) return;
    gain[0] = share * other[0] - *xx;
    gain[1] = share * other[1] - *xy;
    gain[2] = share * other[2] - *yy;
    *xx = share * other[0];
    *xy = share * other[1];
    *yy = share * other[2];
}

/* The same with the kept offdiagonals of a kind and those now. Who is not tied any more is minded, but as if the other
 * stood. */
static void merge_offdiagonals(const throng_implicit_solver *s, const throng_implicit_chunk *chunk,
                               const throng_implicit_offdiagonals *from, const throng_implicit_offdiagonals *to) {
    double least = coupling_kept * s->walkers->coupling_least;
    size_t m = 0;
    for (size_t n = 0; n < from->count; n++) {
        if (!(from->xx[n] + from->yy[n] > least)) continue;
        const double before[3] = {from->xx[n], from->xy[n], from->yy[n]};
        uint32_t first = from->one[n], second = from->other[n];
        double zero[3] = {0, 0, 0}, gain[3];
        while (m < to->count && (to->one[m] < first || (to->one[m] == first && to->other[m] < second))) m++;
        if (m < to->count && to->one[m] == first && to->other[m] == second)
            raise_to(&to->xx[m], &to->xy[m], &to->yy[m], s->pass.factor, before, gain);
        else
            raise_to(&zero[0], &zero[1], &zero[2], s->pass.factor, before, gain);
        double *one = throng_implicit_sums(s, chunk, s->rank[first], 3);
        double *other = throng_implicit_sums(s, chunk, s->rank[second], 3);
        for (int k = 0; k < 3; k++) {
            one[k] += gain[k];
            other[k] += gain[k];
        }
    }
}

static void merge_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    for (size_t c = begin; c < end; c++) {
        const throng_implicit_chunk *chunk = &s->active.chunks[c];
        throng_implicit_clear_sums(s, chunk, 3);
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
            merge_offdiagonals(s, chunk, &chunk->kept[kind], &chunk->offdiagonals[kind]);
        }
    }
}

static void merge_walkers(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k];
        const double own[3] = {s->slopes.kept_xx[slot], s->slopes.kept_xy[slot], s->slopes.kept_yy[slot]};
        double sum[3], gain[3];
        throng_implicit_gather(s, s->rank[slot], 3, sum);
        raise_to(&s->slopes.own_xx[slot], &s->slopes.own_xy[slot], &s->slopes.own_yy[slot], s->pass.factor, own, gain);
        set_block(s, slot, s->slopes.hxx[slot] + (sum[0] + gain[0]), s->slopes.hxy[slot] + (sum[1] + gain[1]),
                  s->slopes.hyy[slot] + (sum[2] + gain[2]));
    }
}

void throng_implicit_merge_hessian(throng_implicit_solver *s, double share) {
    s->pass.factor = share;
    each_chunk(s, merge_chunks);
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, merge_walkers);
}

/* --- products */

static void multiply_walkers(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double *sums = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->active.who[k];
            double tied[2], dx = s->search.dx[slot], dy = s->search.dy[slot];
            throng_implicit_gather(s, s->rank[slot], 2, tied);
            s->search.qx[slot] = s->slopes.hxx[slot] * dx + s->slopes.hxy[slot] * dy - tied[0];
            s->search.qy[slot] = s->slopes.hxy[slot] * dx + s->slopes.hyy[slot] * dy - tied[1];
            sum += dx * s->search.qx[slot] + dy * s->search.qy[slot];
        }
        sums[b] = sum;
    }
}

void throng_implicit_multiply(throng_implicit_solver *s) {
    throng_implicit_mirror(s, s->search.dx);
    throng_implicit_mirror(s, s->search.dy);
    each_chunk(s, s->kernel->multiply);
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, multiply_walkers);
}

/* --- how good, how far */

double throng_implicit_residual(throng_implicit_solver *s) {
    double most2 = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        double g2 = s->slopes.gx[slot] * s->slopes.gx[slot] + s->slopes.gy[slot] * s->slopes.gy[slot];
        most2 = g2 > most2 ? g2 : most2;
    }
    return sqrt(most2);
}

bool throng_implicit_is_trusted(const throng_implicit_solver *s, const double *vx, const double *vy) {
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        double x = vx[slot] - s->motion.ref_x[slot], y = vy[slot] - s->motion.ref_y[slot], t = s->motion.trust[slot];
        if (x * x + y * y > t * t) return false;
    }
    return true;
}
