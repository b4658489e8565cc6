/* objective.c: the objective of a step at some velocities, and products with its Hessian.
 *
 * Two passes over blocks of walkers: the first evaluates pairs, each once, and the walkers' own terms; the second
 * gathers for each walker what its pairs exert on it, in the order of the lists. */

#include <string.h>

#include "models/implicit/implicit.h"
#include "space/wide.h"

static const double no_harm = 1e3; /* m: where the partner of a padding pair stands */

/* Columns of a worker's scratch. */
typedef struct columns {
    double *qx, *qy, *r;
    throng_pair_terms repulsion;
    uint32_t *overlaps;
    size_t overlap_count;
} columns;

static columns columns_of(const throng_implicit *s, int worker) {
    double *n = s->scratch[worker].numbers;
    size_t c = s->scratch_capacity;
    return (columns){.qx = n,
                     .qy = n + c,
                     .r = n + 2 * c,
                     .repulsion = {n + 3 * c, n + 4 * c, n + 5 * c, n + 6 * c, n + 7 * c, n + 8 * c},
                     .overlaps = s->scratch[worker].overlaps};
}

/* The geometry of the pairs of a run, then padding up to a multiple of four. */
static uint32_t place_pairs(const throng_implicit *s, uint32_t begin, uint32_t end, uint32_t base, columns *c) {
    const throng_implicit_lists *l = s->lists;
    for (uint32_t p = begin; p < end; p++) {
        uint32_t at = p - base;
        bool overlap = throng_implicit_pair(s, l->i[p], l->seen[p], &c->qx[at], &c->qy[at], &c->r[at]);
        if (overlap) c->overlaps[c->overlap_count++] = p;
    }
    for (; end & 3; end++) {
        l->i[end] = l->j[end] = s->who[0];
        c->qx[end - base] = no_harm;
        c->qy[end - base] = 0;
        c->r[end - base] = 0.5;
    }
    return end;
}

/* The sum of the pairs' repulsion, or of their times to collision, added to what is there. */
static void add_repulsion(const throng_implicit_lists *l, uint32_t base, uint32_t count, int order, const columns *c) {
    const throng_pair_terms *t = &c->repulsion;
    for (uint32_t k = 0; k < count; k++) l->energy[base + k] += t->energy[k];
    if (order < 1) return;
    for (uint32_t k = 0; k < count; k++) {
        l->gx[base + k] += t->gx[k];
        l->gy[base + k] += t->gy[k];
    }
    if (order < 2) return;
    for (uint32_t k = 0; k < count; k++) {
        l->hxx[base + k] += t->hxx[k];
        l->hxy[base + k] += t->hxy[k];
        l->hyy[base + k] += t->hyy[k];
    }
}

static void add_separation(const throng_implicit *s, uint32_t base, const columns *c) {
    const throng_implicit_lists *l = s->lists;
    for (size_t o = 0; o < c->overlap_count; o++) {
        uint32_t p = c->overlaps[o], i = l->i[p], j = l->j[p];
        double radii = s->near->radius[i] + s->near->radius[j];
        double wx = s->pass_x[i] - s->pass_x[j], wy = s->pass_y[i] - s->pass_y[j];
        throng_term t = throng_separation_term(&s->law, c->qx[p - base], c->qy[p - base], radii, wx, wy, s->order);
        l->energy[p] += t.energy;
        if (s->order < 1) continue;
        l->gx[p] += t.gx;
        l->gy[p] += t.gy;
        if (s->order < 2) continue;
        l->hxx[p] += t.hxx;
        l->hxy[p] += t.hxy;
        l->hyy[p] += t.hyy;
    }
}

/* The energy of the pairs of a block of rows; their slopes and curvatures go to the lists. */
static double evaluate_block(const throng_implicit *s, size_t block, int worker) {
    const throng_implicit_lists *l = s->lists;
    columns c = columns_of(s, worker);
    uint32_t base = l->block_begin[block], far = l->block_far[block];
    size_t last = (block + 1) * THRONG_IMPLICIT_BLOCK;
    uint32_t row = l->rows[(last < l->row_count ? last : l->row_count) - 1];
    uint32_t close_end = l->close_end[row], far_end = l->far_end[row];
    place_pairs(s, base, close_end, base, &c);
    place_pairs(s, far, far_end, base, &c);

    uint32_t count = l->block_end[block] - base;
    throng_pairs pairs = {count, l->i + base, l->j + base, c.qx, c.qy, c.r};
    throng_pair_terms terms = {l->energy + base, l->gx + base,  l->gy + base,
                               l->hxx + base,    l->hxy + base, l->hyy + base};
    throng_ttc_terms(&s->law, &pairs, 0, count, s->pass_x, s->pass_y, s->order, &terms, s->now->simd);
    throng_repulsion_terms(&s->law, &pairs, 0, far - base, s->pass_x, s->pass_y, s->order, &c.repulsion, s->now->simd);
    add_repulsion(l, base, close_end - base, s->order, &c);
    if (c.overlap_count) {
        add_separation(s, base, &c);
        s->scratch[worker].overlapping = true;
    }

    double sum = 0;
    for (uint32_t p = base; p < close_end; p++) sum += l->energy[p];
    for (uint32_t p = far; p < far_end; p++) sum += l->energy[p];
    for (uint32_t p = base; p < far_end; p++) l->felt[p] = l->energy[p] != 0;
    return sum;
}

static void evaluate_pairs(void *context, size_t begin, size_t end, int worker) {
    throng_implicit *s = context;
    for (size_t b = begin; b < end; b++) s->row_sum[b] = evaluate_block(s, b, worker);
}

/* What a walker gathers from its pairs. */
typedef struct gathering {
    double gx, gy, xx, xy, yy;
    uint32_t live; /* where its next live pair goes */
} gathering;

static inline void gather_pair(const throng_implicit_lists *l, uint32_t p, uint32_t other, double sign, bool curved,
                               gathering *g) {
    if (!l->felt[p]) return;
    g->gx += sign * l->gx[p];
    g->gy += sign * l->gy[p];
    if (!curved) return;
    g->xx += l->hxx[p];
    g->xy += l->hxy[p];
    g->yy += l->hyy[p];
    l->live[g->live].pair = p;
    l->live[g->live++].other = other;
}

static inline gathering gather(const throng_implicit *s, uint32_t slot, bool curved) {
    const throng_implicit_lists *l = s->lists;
    gathering g = {.live = l->live_begin[slot]};
    for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) gather_pair(l, p, l->j[p], 1, curved, &g);
    for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) gather_pair(l, p, l->j[p], 1, curved, &g);
    for (uint32_t n = l->in_begin[slot]; n < l->in_begin[slot + 1]; n++) {
        gather_pair(l, l->in[n], l->i[l->in[n]], -1, curved, &g);
    }
    return g;
}

/* The walker's block of the Hessian, and its inverse. */
static void set_block(throng_implicit *s, uint32_t slot, gathering g) {
    double xx = s->own_xx[slot] + g.xx, xy = s->own_xy[slot] + g.xy, yy = s->own_yy[slot] + g.yy;
    double inverse = 1 / (xx * yy - xy * xy);
    s->lists->live_end[slot] = g.live;
    s->hxx[slot] = xx, s->hxy[slot] = xy, s->hyy[slot] = yy;
    s->ixx[slot] = yy * inverse, s->ixy[slot] = -xy * inverse, s->iyy[slot] = xx * inverse;
}

static void take_terms(throng_implicit *s, uint32_t slot, throng_term own) {
    gathering g = s->order < 2 ? gather(s, slot, false) : gather(s, slot, true);
    s->gx[slot] = own.gx + g.gx;
    s->gy[slot] = own.gy + g.gy;
    if (s->order < 2) return;
    s->own_xx[slot] = own.hxx;
    s->own_xy[slot] = own.hxy;
    s->own_yy[slot] = own.hyy;
    set_block(s, slot, g);
}

/* The own terms of walkers and, if slopes are asked for, all that their pairs exert on them. */
static void evaluate_walkers(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double *sums = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        const uint32_t *slots = s->who + b * THRONG_IMPLICIT_BLOCK;
        size_t count = throng_implicit_block_end(s, b) - b * THRONG_IMPLICIT_BLOCK;
        double sum = 0, vx[THRONG_IMPLICIT_BLOCK], vy[THRONG_IMPLICIT_BLOCK];
        throng_term own[THRONG_IMPLICIT_BLOCK];
        for (size_t k = 0; k < count; k++) {
            vx[k] = s->pass_x[slots[k]];
            vy[k] = s->pass_y[slots[k]];
        }
        throng_implicit_own_terms(s, slots, count, vx, vy, s->order, own);
        for (size_t k = 0; k < count; k++) {
            sum += own[k].energy;
            if (s->order > 0) take_terms(s, slots[k], own[k]);
        }
        sums[b] = sum;
    }
}

double throng_implicit_evaluate(throng_implicit *s, const double *vx, const double *vy, int order) {
    s->counts.evaluations++;
    s->order = order;
    s->pass_x = vx;
    s->pass_y = vy;
    size_t blocks = throng_implicit_row_blocks(s->lists);
    throng_parallel_for(s->now->crew, blocks, THRONG_GRAIN_PAIRS, evaluate_pairs, s);
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, evaluate_walkers);
    double value = throng_implicit_sum(s, 0);
    for (size_t b = 0; b < blocks; b++) value += s->row_sum[b];
    return value < INFINITY ? value : INFINITY;
}

/* --- Hessians of two points */

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

void throng_implicit_keep_hessian(throng_implicit *s) {
    throng_implicit_lists *l = s->lists;
    swap(&l->hxx, &l->kxx);
    swap(&l->hxy, &l->kxy);
    swap(&l->hyy, &l->kyy);
    swap(&s->own_xx, &s->kept_xx);
    swap(&s->own_xy, &s->kept_xy);
    swap(&s->own_yy, &s->kept_yy);
}

static void merge_run(const throng_implicit_lists *l, uint32_t begin, uint32_t end, double share) {
    for (uint32_t p = begin; p < end; p++) {
        if (l->hxx[p] + l->hyy[p] >= share * (l->kxx[p] + l->kyy[p])) continue;
        l->hxx[p] = share * l->kxx[p];
        l->hxy[p] = share * l->kxy[p];
        l->hyy[p] = share * l->kyy[p];
        l->felt[p] = 1;
    }
}

static void merge_pairs(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_implicit *s = context;
    for (size_t b = begin; b < end; b++)
        merge_run(s->lists, s->lists->block_begin[b], s->lists->block_end[b], s->pass_factor);
}

static void merge_walkers(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->who[k];
        double share = s->pass_factor;
        if (s->own_xx[slot] + s->own_yy[slot] < share * (s->kept_xx[slot] + s->kept_yy[slot])) {
            s->own_xx[slot] = share * s->kept_xx[slot];
            s->own_xy[slot] = share * s->kept_xy[slot];
            s->own_yy[slot] = share * s->kept_yy[slot];
        }
        set_block(s, slot, gather(s, slot, true));
    }
}

void throng_implicit_merge_hessian(throng_implicit *s, double share) {
    s->pass_factor = share;
    size_t blocks = throng_implicit_row_blocks(s->lists);
    throng_parallel_for(s->now->crew, blocks, THRONG_GRAIN_PRODUCTS, merge_pairs, s);
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, merge_walkers);
}

/* --- products */

static void multiply_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    const throng_implicit_lists *l = s->lists;
    const double *dx = s->dx, *dy = s->dy;
    double *sums = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->who[k];
            double x = s->hxx[slot] * dx[slot] + s->hxy[slot] * dy[slot];
            double y = s->hxy[slot] * dx[slot] + s->hyy[slot] * dy[slot];
            for (uint32_t n = l->live_begin[slot]; n < l->live_end[slot]; n++) {
                uint32_t p = l->live[n].pair, other = l->live[n].other;
                double ox = dx[other], oy = dy[other];
                x -= l->hxx[p] * ox + l->hxy[p] * oy;
                y -= l->hxy[p] * ox + l->hyy[p] * oy;
            }
            s->qx[slot] = x;
            s->qy[slot] = y;
            sum += dx[slot] * x + dy[slot] * y;
        }
        sums[b] = sum;
    }
}

void throng_implicit_multiply(throng_implicit *s) {
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, multiply_blocks);
}

/* --- how good, how far */

double throng_implicit_residual(throng_implicit *s) {
    double most2 = 0;
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t slot = s->who[k];
        double g2 = s->gx[slot] * s->gx[slot] + s->gy[slot] * s->gy[slot];
        most2 = g2 > most2 ? g2 : most2;
    }
    return sqrt(most2);
}

bool throng_implicit_is_trusted(const throng_implicit *s, const double *vx, const double *vy) {
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t slot = s->who[k];
        double x = vx[slot] - s->ref_x[slot], y = vy[slot] - s->ref_y[slot], t = s->trust[slot];
        if (x * x + y * y > t * t) return false;
    }
    return true;
}
