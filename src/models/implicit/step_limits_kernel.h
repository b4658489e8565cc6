/* step_limits_kernel.h: the shares of their steps that people may take. Most pairs do not limit them, which is found
 * out for four at a time. */

#include "models/implicit/energy_pairs_kernel.h"
#include "models/implicit/solver.h"

static const double surprise = 0.25; /* of what a step promises to two, that may be lost if they come to approach */
static const double least_share = 0.02;
enum { HALVINGS = 6 };

/* What is the same for all. */
typedef struct view {
    const throng_implicit_solver *s;
    people all;
    const double *step_x, *step_y; /* by slot */
    ttc_law ttc;
    wide over_share; /* 1 / THRONG_GAP_SHARE */
    bool strict;
} view;

/* Of some of the four slots from `first` on: those who may come too near, and those who come to approach. */
static inline void judge_steps(const view *v, uint32_t slot, uint32_t first, wide_mask in, unsigned *near,
                               unsigned *meets) {
    wide_pairs p = pairs_with(&v->all, slot, first, in);
    wide px = wide_sub(wide_all(v->step_x[slot]), wide_load_where(v->step_x + first, in));
    wide py = wide_sub(wide_all(v->step_y[slot]), wide_load_where(v->step_y + first, in));
    /* most are so far apart that rough bounds tell */
    wide change = wide_mul(wide_add(wide_abs(px), wide_abs(py)), v->over_share);
    wide way = wide_add(p.r, wide_mul(v->ttc.dt, wide_add(wide_add(wide_abs(p.wx), wide_abs(p.wy)), change)));
    *near = wide_bits(wide_and(in, wide_less(mul_add_mul(p.qx, p.qx, p.qy, p.qy), wide_mul(way, way))));
    *meets = 0;
    if (v->strict) return;
    wide_pairs then = p;
    then.wx = wide_add(p.wx, px);
    then.wy = wide_add(p.wy, py);
    *meets = wide_bits(wide_and(in, wide_and_not(may_live(&v->ttc, then), may_live(&v->ttc, p))));
}

/* Two people, one as seen from the other, and how a step changes that. */
typedef struct encounter {
    double qx, qy, r, wx, wy; /* see energy.h */
    double px, py;            /* of w */
} encounter;

/* Foreign walkers have no step, and no slope. */
static double promise(const throng_implicit_solver *s, uint32_t i) {
    if (!s->walkers->own[i]) return 0;
    return -(s->search.step_x[i] * s->slopes.gx[i] + s->search.step_y[i] * s->slopes.gy[i]);
}

static double cost_after(const view *v, const encounter *e, double share) {
    double energy[4];
    const wide_pairs p = {wide_all(e->qx), wide_all(e->qy), wide_all(e->r), wide_all(e->wx + share * e->px),
                          wide_all(e->wy + share * e->py)};
    wide_store(energy, ttc_four(&v->ttc, p, THRONG_ORDER_ENERGY).energy);
    return energy[0];
}

/* The share of its step that a pair can pay for. */
static double affordable_share(const view *v, const encounter *e, double budget) {
    if (cost_after(v, e, 1) <= budget) return 1;
    double low = 0, high = 1;
    for (int k = 0; k < HALVINGS; k++) {
        double share = 0.5 * (low + high);
        *(cost_after(v, e, share) <= budget ? &low : &high) = share;
    }
    return fmax(least_share, high);
}

/* The share of a pair's step that it may take, the same for both; `meets` tells that only the step lets it approach. If
 * it is strict both are held so short that they cannot touch whatever the other does. */
static double pair_share(const view *v, uint32_t i, uint32_t seen, bool meets) {
    const throng_implicit_solver *s = v->s;
    uint32_t j = s->walkers->self[seen];
    double dt = s->walkers->law.dt, share = 1;
    encounter e = {.wx = s->motion.vx[i] - s->motion.vx[j],
                   .wy = s->motion.vy[i] - s->motion.vy[j],
                   .px = s->search.step_x[i] - s->search.step_x[j],
                   .py = s->search.step_y[i] - s->search.step_y[j]};
    throng_implicit_pair(s, i, seen, &e.qx, &e.qy, &e.r);
    if (meets) share = affordable_share(v, &e, surprise * fmax(0, promise(s, i) + promise(s, j)) + 1e-6);
    double change = dt * sqrt(e.px * e.px + e.py * e.py), gap = throng_pair_gap(e.qx, e.qy, e.r, e.wx, e.wy, dt);
    if (change <= THRONG_GAP_SHARE * gap) return share;
    double loss = gap - throng_pair_gap(e.qx, e.qy, e.r, e.wx + e.px, e.wy + e.py, dt);
    if (loss <= THRONG_GAP_SHARE * gap) return share;
    if (!v->strict) return fmin(share, THRONG_GAP_SHARE * gap / loss);
    double longest = fmax(sqrt(s->search.step_x[i] * s->search.step_x[i] + s->search.step_y[i] * s->search.step_y[i]),
                          sqrt(s->search.step_x[j] * s->search.step_x[j] + s->search.step_y[j] * s->search.step_y[j]));
    return fmin(1, 0.5 * THRONG_GAP_SHARE * gap / (dt * longest));
}

/* The least share of a walker's pairs. */
static inline double row_share(const view *v, uint32_t slot) {
    const throng_implicit_rows *r = &v->s->rows;
    double share = 1;
    for (uint32_t q = r->begin[slot]; (q = throng_implicit_next(r, slot, q, THRONG_CLOSE)) < r->end[slot]; q++) {
        unsigned near, meets;
        judge_steps(v, slot, r->quad[q] >> 8 << 2, wide_where(r->matter[q] & THRONG_LANES), &near, &meets);
        for (unsigned lanes = near | meets; lanes; lanes &= lanes - 1) {
            uint32_t seen = throng_implicit_slot(r->quad[q], lanes);
            share = fmin(share, pair_share(v, slot, seen, lanes & -lanes & meets));
        }
    }
    return share;
}

/* Everybody takes the least share of its pairs and its own. Part 1 counts who is held back. */
static void shorten_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    const view v = {
        .s = s,
        .all = {s->walkers->near->x, s->walkers->near->y, s->walkers->near->radius, s->motion.vx, s->motion.vy},
        .step_x = s->search.step_x,
        .step_y = s->search.step_y,
        .ttc = ttc_law_of(&s->walkers->law),
        .over_share = wide_all(1 / THRONG_GAP_SHARE),
        .strict = s->pass.factor != 0};
    double *held = throng_implicit_part(s, 1);
    for (size_t b = begin; b < end; b++) {
        held[b] = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->active.who[k];
            s->search.scale[slot] = 1;
            if (!s->motion.dirty[slot]) continue;
            double share = fmin(throng_implicit_own_share(s, slot), row_share(&v, slot));
            s->search.scale[slot] = share;
            held[b] += share < 1;
        }
    }
}
