/* step_limits_kernel.h: the shares of their steps that people may take. Most pairs do not limit them, which is found
 * out for four at a time. Built twice, by step_limits.c and step_limits_avx2.c. */

#include "models/implicit/energy_ttc_kernel.h"
#include "models/implicit/solver.h"

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

/* The least share of a walker's pairs. */
static inline double row_share(const view *v, uint32_t slot) {
    const throng_implicit_rows *r = &v->s->rows;
    double share = 1;
    for (uint32_t q = r->begin[slot]; (q = throng_implicit_next(r, slot, q, THRONG_CLOSE)) < r->end[slot]; q++) {
        unsigned near, meets;
        judge_steps(v, slot, r->quad[q] >> 8 << 2, wide_where(r->matter[q] & THRONG_LANES), &near, &meets);
        for (unsigned lanes = near | meets; lanes; lanes &= lanes - 1) {
            uint32_t seen = throng_implicit_slot(r->quad[q], lanes);
            share = fmin(share, throng_implicit_pair_share(v->s, slot, seen, lanes & -lanes & meets, v->strict));
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
