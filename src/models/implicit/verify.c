/* verify.c: what came out of a step, looked at without the solver's lists: the exact least gaps on everybody's straight
 * way, from the positions as they will be written. */

#include <string.h>

#include "models/implicit/solver.h"

/* Parts of the blocks' sums. */
enum { GAP, VIOLATIONS };

static const double rounding = 1e-9;  /* m: how much deeper than at the start overlaps may seem */
static const double deepening = 1e-3; /* m: see throng_effective_radius */

static void write_next(throng_implicit_solver *s, uint32_t slot) {
    const throng_step *now = s->walkers->now;
    uint32_t row = s->walkers->near->row[slot];
    now->next_vx[row] = s->motion.vx[slot];
    now->next_vy[row] = s->motion.vy[slot];
    now->next_x[row] = now->people.x[row] + s->motion.vx[slot] * now->dt;
    now->next_y[row] = now->people.y[row] + s->motion.vy[slot] * now->dt;
    /* the way as it will be, for the check */
    s->search.step_x[slot] = now->next_x[row] - now->people.x[row];
    s->search.step_y[slot] = now->next_y[row] - now->people.y[row];
}

/* Whether two come nearer than they may: not at all, or deeper than they were. */
static bool is_violation(double gap, double start) {
    return start > 0 ? !(gap > 0) : gap < start - deepening - rounding;
}

static bool touches_anybody(throng_implicit_solver *s, uint32_t slot, double reach, double *least) {
    const throng_near *near = s->walkers->near;
    double x = near->x[slot], y = near->y[slot];
    double away = reach + near->drift;
    int32_t left = throng_near_column(near, x - away), right = throng_near_column(near, x + away);
    int32_t top = throng_near_row(near, y + away);
    bool found = false;
    for (int32_t row = throng_near_row(near, y - away); row <= top; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            uint32_t self = s->walkers->self[k];
            if (self == slot) continue;
            double qx = near->x[k] - x, qy = near->y[k] - y, r = near->radius[slot] + near->radius[k];
            if (qx * qx + qy * qy > reach * reach) continue;
            double gap = throng_pair_gap(qx, qy, r, s->search.step_x[slot] - s->search.step_x[self],
                                         s->search.step_y[slot] - s->search.step_y[self], 1);
            double before = sqrt(qx * qx + qy * qy) - r;
            *least = gap < *least ? gap : *least;
            if (s->walkers->own[self] && is_violation(gap, before)) found = true;
        }
    }
    return found;
}

static bool touches_walls(const throng_implicit_solver *s, uint32_t slot, double *least) {
    uint32_t strikes = s->walls->touch_count[slot];
    if (strikes == 0) return false;
    const throng_wall_piece *walls = s->walls->pieces + s->walls->begin[slot];
    double r = s->walkers->near->radius[slot],
           gap = throng_wall_gap(walls, strikes, r, s->search.step_x[slot], s->search.step_y[slot], 1);
    *least = gap < *least ? gap : *least;
    if (gap > 0) return false;
    return is_violation(gap, throng_wall_gap(walls, strikes, r, 0, 0, 1));
}

static void check_blocks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double *gaps = throng_implicit_part(s, GAP), *violations = throng_implicit_part(s, VIOLATIONS);
    for (size_t b = begin; b < end; b++) {
        double least = INFINITY, count = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->walkers->mine[k];
            double way =
                sqrt(s->search.step_x[slot] * s->search.step_x[slot] + s->search.step_y[slot] * s->search.step_y[slot]);
            double reach = s->walkers->near->radius[slot] + s->walkers->near->radius_max + way + s->pass.factor;
            bool pair = touches_anybody(s, slot, reach, &least), wall = touches_walls(s, slot, &least);
            s->motion.dirty[slot] = pair || wall;
            count += s->motion.dirty[slot];
        }
        gaps[b] = least;
        violations[b] = count;
    }
}

/* Part GAP gets the least gaps. Returns how many touch something. */
static double check_all(throng_implicit_solver *s) {
    double longest2 = 0;
    for (size_t k = 0; k < s->walkers->near->count; k++) {
        if (s->walkers->self[k] != k) continue;
        double way2 = s->search.step_x[k] * s->search.step_x[k] + s->search.step_y[k] * s->search.step_y[k];
        longest2 = way2 > longest2 ? way2 : longest2;
    }
    s->pass.factor = sqrt(longest2) + 1e-6;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, check_blocks);
    return throng_implicit_sum(s, VIOLATIONS);
}

static double least_gap(throng_implicit_solver *s) {
    const double *gaps = throng_implicit_part(s, GAP);
    double least = INFINITY;
    for (size_t b = 0; b < s->active.block_count; b++) least = gaps[b] < least ? gaps[b] : least;
    return least;
}

void throng_implicit_finish(throng_implicit_solver *s) {
    throng_implicit_look_at(s, s->walkers->mine, s->walkers->mine_count);
    for (size_t k = 0; k < s->walkers->near->count; k++) {
        if (s->walkers->own[s->walkers->self[k]]) continue;
        s->search.step_x[k] = s->motion.vx[k] * s->walkers->law.dt;
        s->search.step_y[k] = s->motion.vy[k] * s->walkers->law.dt;
    }
    for (size_t k = 0; k < s->walkers->mine_count; k++) write_next(s, s->walkers->mine[k]);
    double touching = check_all(s);
    s->counts->violations += (uint64_t)touching;
    /* Rounding, in gaps of its size: whoever is concerned stands, and those who then are. */
    for (size_t round = 0; touching > 0 && round < s->walkers->mine_count; round++) {
        for (size_t k = 0; k < s->walkers->mine_count; k++) {
            uint32_t slot = s->walkers->mine[k];
            if (!s->motion.dirty[slot]) continue;
            s->motion.vx[slot] = s->motion.vy[slot] = 0;
            write_next(s, slot);
        }
        double before = touching;
        touching = check_all(s);
        if (touching >= before && round > 8) break;
    }
    double gap = least_gap(s);
    if (gap < s->counts->gap_least) s->counts->gap_least = gap;
}
