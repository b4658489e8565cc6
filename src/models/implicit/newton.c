/* newton.c: Newton's method with Hessians made positive semi-definite pair by pair, and steps found by conjugate
 * gradients, preconditioned with everybody's own 2 x 2 block.
 *
 * The objective has walls of infinite height all over the place. A step that leads beyond one is shortened for those
 * concerned only: nobody's step takes more than four fifths of what is left of a gap, so that two who nearly touch do
 * not hold up the whole crowd. Then the usual search along the step: it is halved until the objective falls enough. */

#include "models/implicit/implicit.h"

static const double cg_tolerance = 0.2; /* of the residual, in the norm of the preconditioner */
static const double armijo = 1e-4;
static const double gap_share = 0.8; /* of a gap, that a step may take */
enum { CG_MOST = 50, LIMIT_ROUNDS = 4, HALVINGS = 8, FALLBACKS = 6 };

/* --- conjugate gradients: Hessian step = -gradient */

static void cg_start(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double *sums = throng_implicit_part(s, 1);
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->now->mine[k];
            s->step_x[i] = s->step_y[i] = 0;
            s->rx[i] = -s->gx[i];
            s->ry[i] = -s->gy[i];
            s->dx[i] = s->ixx[i] * s->rx[i] + s->ixy[i] * s->ry[i];
            s->dy[i] = s->ixy[i] * s->rx[i] + s->iyy[i] * s->ry[i];
            sum += s->rx[i] * s->dx[i] + s->ry[i] * s->dy[i];
        }
        sums[b] = sum;
    }
}

static void cg_advance(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double *sums = throng_implicit_part(s, 1), alpha = s->pass_factor;
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->now->mine[k];
            s->step_x[i] += alpha * s->dx[i];
            s->step_y[i] += alpha * s->dy[i];
            s->rx[i] -= alpha * s->qx[i];
            s->ry[i] -= alpha * s->qy[i];
            s->zx[i] = s->ixx[i] * s->rx[i] + s->ixy[i] * s->ry[i];
            s->zy[i] = s->ixy[i] * s->rx[i] + s->iyy[i] * s->ry[i];
            sum += s->rx[i] * s->zx[i] + s->ry[i] * s->zy[i];
        }
        sums[b] = sum;
    }
}

static void cg_turn(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double beta = s->pass_factor;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t i = s->now->mine[k];
        s->dx[i] = s->zx[i] + beta * s->dx[i];
        s->dy[i] = s->zy[i] + beta * s->dy[i];
    }
}

static void find_step(throng_implicit *s) {
    throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_start);
    double left = throng_implicit_sum(s, 1), enough = cg_tolerance * cg_tolerance * left;
    for (int n = 0; n < CG_MOST && left > enough; n++) {
        throng_implicit_multiply(s);
        double curve = throng_implicit_sum(s, 0);
        if (!(curve > 0)) return;
        s->pass_factor = left / curve;
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_advance);
        double before = left;
        left = throng_implicit_sum(s, 1);
        if (!(left > enough)) return;
        s->pass_factor = left / before;
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_turn);
    }
}

/* --- everybody's limits */

/* The share of a pair's step that its gap allows; it is kept in gx of the pair, which is not needed any more. After
 * some rounds both are held so short that they cannot touch whatever the other does. */
static double pair_share(const throng_implicit *s, uint32_t p, bool strict) {
    const throng_implicit_lists *l = &s->lists;
    uint32_t i = l->i[p], j = l->j[p];
    double wx = s->vx[i] - s->vx[j], wy = s->vy[i] - s->vy[j], qx, qy, r, dt = s->law.dt;
    double px = s->step_x[i] - s->step_x[j], py = s->step_y[i] - s->step_y[j], change = dt * sqrt(px * px + py * py);
    throng_implicit_pair(s, i, l->seen[p], &qx, &qy, &r);
    double gap = throng_pair_gap(qx, qy, r, wx, wy, dt);
    if (change <= gap_share * gap) return 1;
    double then = throng_pair_gap(qx, qy, r, wx + px, wy + py, dt), loss = gap - then;
    if (loss <= gap_share * gap) return 1;
    if (!strict) return gap_share * gap / loss;
    double longest = fmax(sqrt(s->step_x[i] * s->step_x[i] + s->step_y[i] * s->step_y[i]),
                          sqrt(s->step_x[j] * s->step_x[j] + s->step_y[j] * s->step_y[j]));
    return fmin(1, 0.5 * gap_share * gap / (dt * longest));
}

static void share_pairs(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    const throng_implicit_lists *l = &s->lists;
    bool strict = s->pass_factor != 0;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->now->mine[k];
        for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) l->gx[p] = pair_share(s, p, strict);
    }
}

static double own_share(const throng_implicit *s, uint32_t slot) {
    double vx = s->vx[slot], vy = s->vy[slot], px = s->step_x[slot], py = s->step_y[slot], share = 1;
    double room = gap_share * (s->cap[slot] - sqrt(vx * vx + vy * vy)), length = sqrt(px * px + py * py);
    double then = sqrt((vx + px) * (vx + px) + (vy + py) * (vy + py)) - sqrt(vx * vx + vy * vy);
    if (then > room) share = room / length;
    if (s->wall_count[slot] == 0) return share;
    const throng_segment *walls = s->walls + s->wall_begin[slot];
    double x = s->near->x[slot], y = s->near->y[slot], r = s->near->radius[slot], dt = s->law.dt;
    if (s->in_wall[slot]) return share;
    double gap = throng_wall_gap(x, y, r, vx, vy, dt, walls, s->wall_count[slot]);
    if (dt * length <= gap_share * gap) return share;
    double loss = gap - throng_wall_gap(x, y, r, vx + px, vy + py, dt, walls, s->wall_count[slot]);
    return loss <= gap_share * gap ? share : fmin(share, gap_share * gap / loss);
}

/* Everybody takes the least share of its pairs. Part 1 counts who is held back. */
static void shorten_steps(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    const throng_implicit_lists *l = &s->lists;
    double *held = throng_implicit_part(s, 1);
    for (size_t b = begin; b < end; b++) {
        held[b] = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t slot = s->now->mine[k];
            double share = own_share(s, slot);
            for (uint32_t p = l->close_begin[slot]; p < l->close_end[slot]; p++) share = fmin(share, l->gx[p]);
            for (uint32_t n = l->in_begin[slot]; n < l->in_begin[slot + 1]; n++) {
                if (l->close[l->in[n]]) share = fmin(share, l->gx[l->in[n]]);
            }
            s->scale[slot] = share;
            held[b] += share < 1;
        }
    }
}

static void limit_step(throng_implicit *s) {
    for (int round = 0; round < LIMIT_ROUNDS; round++) {
        s->pass_factor = round >= LIMIT_ROUNDS / 2;
        throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, share_pairs);
        throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, shorten_steps);
        if (throng_implicit_sum(s, 1) == 0) return;
        for (size_t k = 0; k < s->now->mine_count; k++) {
            uint32_t slot = s->now->mine[k];
            s->step_x[slot] *= s->scale[slot];
            s->step_y[slot] *= s->scale[slot];
        }
    }
}

/* --- along the step */

/* Velocities to try; part 0 gets the slope, part 1 the longest change squared. */
static void make_trial(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double *slopes = throng_implicit_part(s, 0), *most = throng_implicit_part(s, 1), share = s->pass_factor;
    for (size_t b = begin; b < end; b++) {
        double slope = 0, longest2 = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->now->mine[k];
            double px = share * s->step_x[i], py = share * s->step_y[i], p2 = px * px + py * py;
            s->trial_x[i] = s->vx[i] + px;
            s->trial_y[i] = s->vy[i] + py;
            slope += px * s->gx[i] + py * s->gy[i];
            longest2 = p2 > longest2 ? p2 : longest2;
        }
        slopes[b] = slope;
        most[b] = longest2;
    }
}

/* Lists pairs anew around the velocities now, wide enough for the step. */
static void trust_step(throng_implicit *s) {
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t i = s->now->mine[k];
        double length = sqrt(s->step_x[i] * s->step_x[i] + s->step_y[i] * s->step_y[i]);
        s->trust[i] = 1.5 * length + 0.02;
    }
    throng_implicit_scan(s, false);
}

typedef struct outcome {
    double value;  /* of the objective, where the step has led */
    double change; /* m/s, of anybody */
    bool taken;
} outcome;

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

/* Takes as much of the step as pays, with the objective and its slopes there. The first trial, which is taken as a
 * rule, finds them on the way. */
static outcome take_step(throng_implicit *s, double value) {
    s->pass_factor = 1;
    throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, make_trial);
    double slope = throng_implicit_sum(s, 0), change = sqrt(throng_implicit_most(s, 1)), share = 1;
    if (!(slope < 0)) return (outcome){value, change, false};
    if (!throng_implicit_is_trusted(s, s->trial_x, s->trial_y)) trust_step(s);
    for (int tries = 0; tries < HALVINGS; tries++, share *= 0.5) {
        if (tries > 0) {
            s->pass_factor = share;
            throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, make_trial);
        }
        double then = throng_implicit_evaluate(s, s->trial_x, s->trial_y, tries == 0 ? 2 : 0);
        if (!(then <= value + armijo * share * slope)) continue;
        swap(&s->vx, &s->trial_x);
        swap(&s->vy, &s->trial_y);
        if (tries > 0) then = throng_implicit_evaluate(s, s->vx, s->vy, 2);
        return (outcome){then, share * change, true};
    }
    return (outcome){value, change, false};
}

/* Person by person is a good beginning of long steps, where velocities change much. */
static int sweeps_first(double dt) { return dt >= 1 ? 3 : dt > 0.1 ? 1 : 0; }

static double sweep(throng_implicit *s, int rounds) {
    throng_implicit_sweep(s, rounds);
    return throng_implicit_evaluate(s, s->vx, s->vy, 2);
}

void throng_implicit_newton(throng_implicit *s, double value, const throng_implicit_params *params) {
    uint64_t most = (uint64_t)params->max_iterations, count = 0, fallbacks = 0;
    int first = sweeps_first(s->law.dt);
    bool done = false;
    if (first) value = sweep(s, first);
    for (; count < most && !done; count++) {
        find_step(s);
        limit_step(s);
        outcome o = take_step(s, value);
        value = o.value;
        done = o.taken && o.change < params->tolerance;
        if (o.taken) continue;
        if (fallbacks++ == FALLBACKS) break;
        value = sweep(s, 2);
    }
    s->counts.capped += !done;
    s->counts.fallbacks += fallbacks;
    s->counts.iterations += count;
    if (count > s->counts.iterations_most) s->counts.iterations_most = count;
}
