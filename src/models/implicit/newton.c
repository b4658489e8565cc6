/* newton.c: Newton's method with Hessians made positive semi-definite pair by pair, and steps found by conjugate
 * gradients, preconditioned with everybody's own 2 x 2 block.
 *
 * A step that leads too far is shortened for those concerned only (limits.c). Then the usual search along it: it is cut
 * until the objective falls enough. */

#include "models/implicit/implicit.h"

static const double cg_tolerance = 0.1; /* of the residual, in the norm of the preconditioner */
static const double armijo = 1e-4;
static const double forget = 0.5; /* what is left of Hessians of earlier trials after each step */
static const double first_stretch = 1, least_stretch = 0.1, most_stretch = 2;
static const double dt_stretched = 0.2; /* s */
static const double few = 0.25;         /* of all: if more are not settled, all go on */
enum { CG_MOST = 50, TRIALS = 10, WARY = 4, FALLBACKS = 6, INNER_MOST = 5 };

/* --- conjugate gradients: Hessian step = -gradient */

static void cg_start(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double *sums = throng_implicit_part(s, 1);
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->who[k];
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
            uint32_t i = s->who[k];
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
        uint32_t i = s->who[k];
        s->dx[i] = s->zx[i] + beta * s->dx[i];
        s->dy[i] = s->zy[i] + beta * s->dy[i];
    }
}

/* Returns by how much the objective would fall along the step if its slope stayed as it is. */
static double find_step(throng_implicit *s) {
    double promise = 0;
    throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_start);
    double left = throng_implicit_sum(s, 1), enough = cg_tolerance * cg_tolerance * left;
    for (int n = 0; n < CG_MOST && left > enough; n++) {
        throng_implicit_multiply(s);
        double curve = throng_implicit_sum(s, 0);
        if (!(curve > 0)) break;
        s->pass_factor = left / curve;
        promise += s->pass_factor * left;
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_advance);
        double before = left;
        left = throng_implicit_sum(s, 1);
        if (!(left > enough)) break;
        s->pass_factor = left / before;
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_turn);
    }
    return promise;
}

/* --- along the step */

/* Velocities to try; part 0 gets the slope. */
static void make_trial(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    double *slopes = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        double slope = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->who[k];
            double px = s->step_x[i], py = s->step_y[i];
            s->trial_x[i] = s->vx[i] + px;
            s->trial_y[i] = s->vy[i] + py;
            slope += px * s->gx[i] + py * s->gy[i];
        }
        slopes[b] = slope;
    }
}

/* Lists the pairs of those anew whom the step would lead out of their trust regions: they are few. */
static void trust_step(throng_implicit *s) {
    size_t count = 0;
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t i = s->who[k];
        double x = s->trial_x[i] - s->ref_x[i], y = s->trial_y[i] - s->ref_y[i], trust = s->trust[i];
        s->dirty[i] = x * x + y * y > trust * trust;
        if (!s->dirty[i]) continue;
        count++;
        s->trust[i] = 2.5 * sqrt(s->step_x[i] * s->step_x[i] + s->step_y[i] * s->step_y[i]) + 0.06;
    }
    if (count > 0) throng_implicit_scan_dirty(s);
}

typedef struct outcome {
    double value; /* of the objective, where the step has led */
    double hope;  /* by how much the whole step would have lowered it, by its slope */
    bool taken;
} outcome;

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

static void scale_all(throng_implicit *s, double share) {
    for (size_t k = 0; k < s->who_count; k++) {
        s->step_x[s->who[k]] *= share;
        s->step_y[s->who[k]] *= share;
    }
}

/* Before everybody's limits are found, if more than the step is to be tried. */
static void lengthen(throng_implicit *s) {
    if (s->stretch > 1) scale_all(s, s->stretch);
}

/* The share of the next step that is tried first, after one has `paid` so much of what its slope promised: half where
 * the objective is as curved as the Hessian says. Where it pays nearly all, the objective is level or bent downwards,
 * as around saddle points, of which the Hessian knows nothing: then a step is made longer than found. In long steps,
 * where it is bent every which way, that does not pay. */
static double next_stretch(const throng_implicit *s, double share, double paid, bool was_cut) {
    if (s->law.dt > dt_stretched) return was_cut ? fmax(least_stretch, share) : fmin(1, 2 * share);
    double grow = paid < 0.85 ? 0.3 / (1 - paid) : 2, least = was_cut ? 1 : fmin(2, 1 / share);
    return fmin(most_stretch, fmax(least_stretch, share * fmax(grow, least)));
}

/* Takes a step that pays, with the objective and its slopes there; with order 1, which the last step is tried with, it
 * is as it is found or not taken. A trial that does not pay has as a rule run into
 * people whom nobody minds now, since they do not approach. It tells how steep it gets there: for a while steps are
 * found with the larger of the Hessians here and there. */
static outcome take_step(throng_implicit *s, double value, int order) {
    double hope = 0, share = order == 2 ? s->stretch : 1;
    s->firmness *= 0.5;
    if (share < 1) scale_all(s, share);
    for (int tries = 0; tries < TRIALS; tries++) {
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, make_trial);
        double slope = throng_implicit_sum(s, 0);
        if (!(slope < 0)) break;
        if (tries == 0) hope = -slope / share;
        trust_step(s);
        throng_implicit_keep_hessian(s);
        swap(&s->gx, &s->before_gx);
        swap(&s->gy, &s->before_gy);
        double then = throng_implicit_evaluate(s, s->trial_x, s->trial_y, order);
        if (then <= value + armijo * slope) {
            swap(&s->vx, &s->trial_x);
            swap(&s->vy, &s->trial_y);
            if (tries > 0) s->wary = WARY;
            s->stretch = next_stretch(s, share, (value - then) / (share * hope), tries > 0);
            if (s->wary > 0 && order == 2) {
                throng_implicit_merge_hessian(s, forget);
                s->wary--;
            }
            return (outcome){then, hope, true};
        }
        swap(&s->gx, &s->before_gx);
        swap(&s->gy, &s->before_gy);
        if (order < 2) break;
        throng_implicit_merge_hessian(s, 1);
        scale_all(s, 0.4);
        share *= 0.4;
    }
    return (outcome){value, hope, false};
}

/* --- those who are not settled */

/* What a step promises at least that changes velocities by the tolerance, in the root mean square: the Hessian is
 * nowhere less than 1 / dt + xi. A step that promises less changes less, so this is where a solve may end. */
static double worth_of_change(const throng_implicit *s, double tolerance) {
    double sum = 0;
    for (size_t k = 0; k < s->who_count; k++) sum += 1 / s->law.dt + s->xi[s->who[k]];
    return tolerance * tolerance * sum;
}

/* Whether the step would change all but a few by so little that they may keep their velocities. Marks the others. */
static bool are_few_left(throng_implicit *s, double tolerance, double enough) {
    double rest = 0; /* what the step promises for those who are settled */
    size_t count = 0;
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t i = s->who[k];
        double px = s->step_x[i], py = s->step_y[i];
        s->dirty[i] = px * px + py * py > tolerance * tolerance;
        count += s->dirty[i];
        if (!s->dirty[i]) rest -= px * s->gx[i] + py * s->gy[i];
    }
    return rest < enough && (double)count <= few * (double)s->who_count;
}

/* Decides for those who are marked and lists their pairs. They may change by more than the step says; the others do not
 * move. */
static void trust_marked(throng_implicit *s) {
    for (size_t k = 0; k < s->who_count; k++) {
        uint32_t i = s->who[k];
        double length = sqrt(s->step_x[i] * s->step_x[i] + s->step_y[i] * s->step_y[i]);
        s->trust[i] = s->dirty[i] ? 2 * length + 0.05 : 0;
    }
    throng_implicit_take_some(s);
}

/* Goes on with those who are marked, wherever they are, while the others keep their velocities. */
static double settle_some(throng_implicit *s, double tolerance, double value) {
    trust_marked(s);
    double before = throng_implicit_evaluate(s, s->vx, s->vy, 2), part = before;
    double enough = worth_of_change(s, tolerance);
    for (int n = 0; n < INNER_MOST; n++) {
        bool last = find_step(s) < enough;
        if (!last) lengthen(s);
        throng_implicit_limit_step(s);
        outcome o = take_step(s, part, last ? 1 : 2);
        part = o.value;
        s->counts.inner++;
        if (!o.taken || last || o.hope < enough) break;
    }
    throng_implicit_take_all(s);
    return value + (part - before);
}

/* Person by person is a good beginning of very long steps, where velocities change much. */
static int sweeps_first(double dt) { return dt >= 1 ? 3 : 0; }

static double sweep(throng_implicit *s, int rounds) {
    throng_implicit_sweep(s, rounds);
    return throng_implicit_evaluate(s, s->vx, s->vy, 2);
}

/* It takes longer to part those who overlap, and happens once. */
static uint64_t most_iterations(const throng_implicit *s, const throng_implicit_params *params) {
    bool overlapping = false;
    for (size_t w = 0; w < s->workers; w++) overlapping = overlapping || s->scratch[w].overlapping;
    return (uint64_t)params->max_iterations * (overlapping ? 5 : 1);
}

void throng_implicit_newton(throng_implicit *s, double value, const throng_implicit_params *params) {
    uint64_t most = most_iterations(s, params), count = 0, fallbacks = 0;
    int first = sweeps_first(s->law.dt);
    double enough = worth_of_change(s, params->tolerance);
    bool done = false;
    s->wary = 0;
    s->stretch = first_stretch;
    if (first) value = sweep(s, first);
    while (count < most && !done) {
        done = find_step(s) < enough;
        /* everybody takes part in a step at least, or those whose wishes are small would never get them */
        if (!done && count > fallbacks && are_few_left(s, params->tolerance, enough)) {
            value = settle_some(s, params->tolerance, value);
            done = true;
            break;
        }
        if (!done) lengthen(s);
        throng_implicit_limit_step(s);
        outcome o = take_step(s, value, done ? 1 : 2);
        value = o.value;
        count++;
        if (o.taken || done) continue;
        if (fallbacks++ == FALLBACKS) break;
        value = sweep(s, 2);
    }
    s->counts.objective = value;
    s->counts.capped += !done;
    s->counts.fallbacks += fallbacks;
    s->counts.iterations += count;
    if (count > s->counts.iterations_most) s->counts.iterations_most = count;
}
