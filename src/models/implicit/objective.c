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
    double *qx, *qy, *r, *energy;
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
                     .energy = n + 3 * c,
                     .repulsion = {n + 4 * c, n + 5 * c, n + 6 * c, n + 7 * c, n + 8 * c, n + 9 * c},
                     .overlaps = s->scratch[worker].overlaps};
}

/* The geometry of the pairs of a run, then padding up to a multiple of four. */
static uint32_t place_pairs(const throng_implicit *s, uint32_t begin, uint32_t end, uint32_t base, columns *c) {
    const throng_implicit_lists *l = &s->lists;
    for (uint32_t p = begin; p < end; p++) {
        uint32_t at = p - base;
        bool overlap = throng_implicit_pair(s, l->i[p], l->seen[p], &c->qx[at], &c->qy[at], &c->r[at]);
        if (overlap) c->overlaps[c->overlap_count++] = p;
    }
    for (; end & 3; end++) {
        l->i[end] = l->j[end] = s->now->mine[0];
        c->qx[end - base] = no_harm;
        c->qy[end - base] = 0;
        c->r[end - base] = 0.5;
    }
    return end;
}

/* The sum of the pairs' repulsion, or of their times to collision, added to what is there. */
static void add_repulsion(const throng_implicit_lists *l, uint32_t base, uint32_t count, int order, const columns *c) {
    const throng_pair_terms *t = &c->repulsion;
    for (uint32_t k = 0; k < count; k++) c->energy[k] += t->energy[k];
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
    const throng_implicit_lists *l = &s->lists;
    for (size_t o = 0; o < c->overlap_count; o++) {
        uint32_t p = c->overlaps[o], i = l->i[p], j = l->j[p];
        double radii = s->near->radius[i] + s->near->radius[j];
        double wx = s->pass_x[i] - s->pass_x[j], wy = s->pass_y[i] - s->pass_y[j];
        throng_term t = throng_separation_term(&s->law, c->qx[p - base], c->qy[p - base], radii, wx, wy, s->order);
        c->energy[p - base] += t.energy;
        if (s->order < 1) continue;
        l->gx[p] += t.gx;
        l->gy[p] += t.gy;
        if (s->order < 2) continue;
        l->hxx[p] += t.hxx;
        l->hxy[p] += t.hxy;
        l->hyy[p] += t.hyy;
    }
}

/* The energy of the pairs of a block; their slopes and curvatures go to the lists. */
static double evaluate_pairs(const throng_implicit *s, size_t block, int worker) {
    const throng_implicit_lists *l = &s->lists;
    columns c = columns_of(s, worker);
    uint32_t base = l->block_begin[block], far = l->block_far[block];
    size_t last = throng_implicit_block_end(s, block) - 1;
    uint32_t close_end = l->close_end[s->now->mine[last]], far_end = l->far_end[s->now->mine[last]];
    place_pairs(s, base, close_end, base, &c);
    place_pairs(s, far, far_end, base, &c);

    uint32_t count = l->block_begin[block + 1] - base;
    throng_pairs pairs = {count, l->i + base, l->j + base, c.qx, c.qy, c.r};
    throng_pair_terms terms = {c.energy, l->gx + base, l->gy + base, l->hxx + base, l->hxy + base, l->hyy + base};
    throng_ttc_terms(&s->law, &pairs, 0, count, s->pass_x, s->pass_y, s->order, &terms, s->now->simd);
    throng_repulsion_terms(&s->law, &pairs, 0, far - base, s->pass_x, s->pass_y, s->order, &c.repulsion, s->now->simd);
    add_repulsion(l, base, close_end - base, s->order, &c);
    if (c.overlap_count) add_separation(s, base, &c);

    double sum = 0;
    for (uint32_t p = base; p < close_end; p++) sum += c.energy[p - base];
    for (uint32_t p = far; p < far_end; p++) sum += c.energy[p - base];
    return sum;
}

static void evaluate_blocks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit *s = context;
    double *sums = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        double sum = evaluate_pairs(s, b, worker);
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->now->mine[k];
            throng_term t = throng_implicit_own_term(s, slot, s->pass_x[slot], s->pass_y[slot], s->order);
            sum += t.energy;
            s->gx[slot] = t.gx;
            s->gy[slot] = t.gy;
            s->hxx[slot] = t.hxx;
            s->hxy[slot] = t.hxy;
            s->hyy[slot] = t.hyy;
        }
        sums[b] = sum;
    }
}

static void gather_gradient(throng_implicit *s, uint32_t slot) {
    const throng_implicit_lists *l = &s->lists;
    double gx = s->gx[slot], gy = s->gy[slot];
    for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) gx += l->gx[p], gy += l->gy[p];
    for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) gx += l->gx[p], gy += l->gy[p];
    for (uint32_t n = l->in_begin[slot]; n < l->in_begin[slot + 1]; n++) {
        uint32_t p = l->in[n];
        gx -= l->gx[p], gy -= l->gy[p];
    }
    s->gx[slot] = gx;
    s->gy[slot] = gy;
}

static inline void add_curvature(const throng_implicit_lists *l, uint32_t p, double h[3]) {
    h[0] += l->hxx[p];
    h[1] += l->hxy[p];
    h[2] += l->hyy[p];
}

/* The walker's block of the Hessian, and its inverse. */
static void gather_curvature(throng_implicit *s, uint32_t slot) {
    const throng_implicit_lists *l = &s->lists;
    double h[3] = {s->hxx[slot], s->hxy[slot], s->hyy[slot]};
    for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) add_curvature(l, p, h);
    for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) add_curvature(l, p, h);
    for (uint32_t n = l->in_begin[slot]; n < l->in_begin[slot + 1]; n++) add_curvature(l, l->in[n], h);
    s->hxx[slot] = h[0], s->hxy[slot] = h[1], s->hyy[slot] = h[2];
    double inverse = 1 / (h[0] * h[2] - h[1] * h[1]);
    s->ixx[slot] = h[2] * inverse, s->ixy[slot] = -h[1] * inverse, s->iyy[slot] = h[0] * inverse;
}

static void gather_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        gather_gradient(s, s->now->mine[k]);
        if (s->order > 1) gather_curvature(s, s->now->mine[k]);
    }
}

double throng_implicit_evaluate(throng_implicit *s, const double *vx, const double *vy, int order) {
    s->counts.evaluations++;
    s->order = order;
    s->pass_x = vx;
    s->pass_y = vy;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, evaluate_blocks);
    double value = throng_implicit_sum(s, 0);
    if (!(value < INFINITY)) return INFINITY;
    if (order > 0) throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, gather_blocks);
    return value;
}

/* --- products */

static void multiply_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    const throng_implicit_lists *l = &s->lists;
    const double *dx = s->dx, *dy = s->dy;
    double *sums = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->now->mine[k];
            double x = s->hxx[slot] * dx[slot] + s->hxy[slot] * dy[slot];
            double y = s->hxy[slot] * dx[slot] + s->hyy[slot] * dy[slot];
            for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) {
                double ox = dx[l->j[p]], oy = dy[l->j[p]];
                x -= l->hxx[p] * ox + l->hxy[p] * oy;
                y -= l->hxy[p] * ox + l->hyy[p] * oy;
            }
            for (uint32_t p = l->far_begin[slot]; p < l->far_end[slot]; p++) {
                double ox = dx[l->j[p]], oy = dy[l->j[p]];
                x -= l->hxx[p] * ox + l->hxy[p] * oy;
                y -= l->hxy[p] * ox + l->hyy[p] * oy;
            }
            for (uint32_t n = l->in_begin[slot]; n < l->in_begin[slot + 1]; n++) {
                uint32_t p = l->in[n];
                double ox = dx[l->i[p]], oy = dy[l->i[p]];
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
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        double g2 = s->gx[slot] * s->gx[slot] + s->gy[slot] * s->gy[slot];
        most2 = g2 > most2 ? g2 : most2;
    }
    return sqrt(most2);
}

bool throng_implicit_is_trusted(const throng_implicit *s, const double *vx, const double *vy) {
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        double x = vx[slot] - s->ref_x[slot], y = vy[slot] - s->ref_y[slot], t = s->trust[slot];
        if (x * x + y * y > t * t) return false;
    }
    return true;
}
