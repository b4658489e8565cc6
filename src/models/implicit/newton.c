/* newton.c: Newton's method with Hessians made positive semi-definite pair by pair, and steps found by conjugate
 * gradients, preconditioned with everybody's own 2 x 2 block.
 *
 * A step that leads too far is shortened for those concerned only (step_limits.c). Then the usual search along it: it
 * is cut until the objective falls enough. */

#include "models/implicit/solver.h"

static const double cg_tolerance = 0.1; /* of the residual, in the norm of the preconditioner */
static const double armijo = 1e-4;
static const double forget = 0.5; /* what is left of Hessians of earlier trials after each step */
static const double first_stretch = 1, least_stretch = 0.1, most_stretch = 2;
static const double dt_stretched = 0.2;                                /* s: up to here steps may be stretched */
static const double regularisation = 0.01, regularisation_long = 0.03; /* of close pairs at first, and in long steps */
static const double packed_most = 10, packed_each = 100; /* iterations for the packed: most, and times their freedom */
static const double few = 0.25;                          /* of all: if more are not settled, all go on */
/* lbfgs, which asks for the largest change, goes on with this part of the tolerance until all slopes are less, m/s^2 */
static const double last_tolerance = 1e-3, level = 0.01;
enum { CG_MOST = 50, TRIALS = 10, CAUTIOUS = 4, FALLBACKS = 6, INNER_MOST = 5, LBFGS_EACH = 10, TURNS = 500 };

double throng_implicit_first_regularisation(double dt) {
    return dt > dt_stretched ? regularisation_long : regularisation;
}

/* --- conjugate gradients: Hessian step = -gradient */

static void cg_start(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double *sums = throng_implicit_part(s, 1);
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->active.who[k];
            s->search.step_x[i] = s->search.step_y[i] = 0;
            s->search.rx[i] = -s->slopes.gx[i];
            s->search.ry[i] = -s->slopes.gy[i];
            s->search.dx[i] = s->slopes.ixx[i] * s->search.rx[i] + s->slopes.ixy[i] * s->search.ry[i];
            s->search.dy[i] = s->slopes.ixy[i] * s->search.rx[i] + s->slopes.iyy[i] * s->search.ry[i];
            sum += s->search.rx[i] * s->search.dx[i] + s->search.ry[i] * s->search.dy[i];
        }
        sums[b] = sum;
    }
}

static void cg_advance(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double *sums = throng_implicit_part(s, 1), alpha = s->pass.factor;
    for (size_t b = begin; b < end; b++) {
        double sum = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->active.who[k];
            s->search.step_x[i] += alpha * s->search.dx[i];
            s->search.step_y[i] += alpha * s->search.dy[i];
            s->search.rx[i] -= alpha * s->search.qx[i];
            s->search.ry[i] -= alpha * s->search.qy[i];
            s->search.zx[i] = s->slopes.ixx[i] * s->search.rx[i] + s->slopes.ixy[i] * s->search.ry[i];
            s->search.zy[i] = s->slopes.ixy[i] * s->search.rx[i] + s->slopes.iyy[i] * s->search.ry[i];
            sum += s->search.rx[i] * s->search.zx[i] + s->search.ry[i] * s->search.zy[i];
        }
        sums[b] = sum;
    }
}

static void cg_turn(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double beta = s->pass.factor;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t i = s->active.who[k];
        s->search.dx[i] = s->search.zx[i] + beta * s->search.dx[i];
        s->search.dy[i] = s->search.zy[i] + beta * s->search.dy[i];
    }
}

/* Returns by how much the objective would fall along the step if its slope stayed as it is. */
static double find_step(throng_implicit_solver *s) {
    double promise = 0;
    throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_start);
    double left = throng_implicit_sum(s, 1), enough = cg_tolerance * cg_tolerance * left;
    for (int n = 0; n < CG_MOST && left > enough; n++) {
        throng_implicit_multiply(s);
        double curve = throng_implicit_sum(s, 0);
        if (!(curve > 0)) break;
        s->pass.factor = left / curve;
        promise += s->pass.factor * left;
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_advance);
        double before = left;
        left = throng_implicit_sum(s, 1);
        if (!(left > enough)) break;
        s->pass.factor = left / before;
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, cg_turn);
    }
    return promise;
}

/* --- along the step */

/* Velocities to try; part 0 gets the slope. */
static void make_trial(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_solver *s = context;
    double *slopes = throng_implicit_part(s, 0);
    for (size_t b = begin; b < end; b++) {
        double slope = 0;
        for (size_t k = b * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, b); k++) {
            uint32_t i = s->active.who[k];
            double px = s->search.step_x[i], py = s->search.step_y[i];
            s->motion.trial_x[i] = s->motion.vx[i] + px;
            s->motion.trial_y[i] = s->motion.vy[i] + py;
            slope += px * s->slopes.gx[i] + py * s->slopes.gy[i];
        }
        slopes[b] = slope;
    }
}

/* Lists the pairs of those anew whom the step would lead out of their trust regions: they are few. */
static void trust_step(throng_implicit_solver *s) {
    size_t count = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        double x = s->motion.trial_x[i] - s->motion.ref_x[i], y = s->motion.trial_y[i] - s->motion.ref_y[i],
               trust = s->motion.trust[i];
        s->motion.dirty[i] = x * x + y * y > trust * trust;
        if (!s->motion.dirty[i]) continue;
        count++;
        s->motion.trust[i] =
            2.5 * sqrt(s->search.step_x[i] * s->search.step_x[i] + s->search.step_y[i] * s->search.step_y[i]) + 0.06;
    }
    if (count > 0) throng_implicit_list_dirty(s);
}

typedef struct outcome {
    double value; /* of the objective, where the step has led */
    double hope;  /* by how much the whole step would have lowered it, by its slope */
    bool taken;
} outcome;

static void scale_all(throng_implicit_solver *s, double share) {
    for (size_t k = 0; k < s->active.count; k++) {
        s->search.step_x[s->active.who[k]] *= share;
        s->search.step_y[s->active.who[k]] *= share;
    }
}

/* Before everybody's limits are found, if more than the step is to be tried. */
static void lengthen(throng_implicit_solver *s) {
    if (s->search.stretch > 1) scale_all(s, s->search.stretch);
}

/* The share of the next step that is tried first, after one has `paid` so much of what its slope promised: half where
 * the objective is as curved as the Hessian says. Where it pays nearly all, the objective is level or bent downwards,
 * as around saddle points, of which the Hessian knows nothing: then a step is made longer than found. In long steps,
 * where it is bent every which way, that does not pay. */
static double next_stretch(const throng_implicit_solver *s, double share, double paid, bool was_cut) {
    if (s->walkers->law.dt > dt_stretched) return was_cut ? fmax(least_stretch, share) : fmin(1, 2 * share);
    double grow = paid < 0.85 ? 0.3 / (1 - paid) : 2, least = was_cut ? 1 : fmin(2, 1 / share);
    return fmin(most_stretch, fmax(least_stretch, share * fmax(grow, least)));
}

/* Takes a step that pays, with the objective and its slopes there; with order 1, which the last step is tried with, it
 * is as it is found or not taken. A trial that does not pay has as a rule run into
 * people whom nobody minds now, since they do not approach. It tells how steep it gets there: for a while steps are
 * found with the larger of the Hessians here and there. */
static outcome take_step(throng_implicit_solver *s, double value, int order) {
    double hope = 0, share = order == 2 ? s->search.stretch : 1;
    s->search.regularisation *= 0.5;
    if (share < 1) scale_all(s, share);
    for (int tries = 0; tries < TRIALS; tries++) {
        throng_implicit_each_block(s, THRONG_GRAIN_NUMBERS, make_trial);
        double slope = throng_implicit_sum(s, 0);
        if (!(slope < 0)) break;
        if (tries == 0) hope = -slope / share;
        trust_step(s);
        throng_implicit_keep_hessian(s);
        throng_implicit_swap(&s->slopes.gx, &s->slopes.before_gx);
        throng_implicit_swap(&s->slopes.gy, &s->slopes.before_gy);
        double then = throng_implicit_evaluate(s, s->motion.trial_x, s->motion.trial_y, order);
        if (then <= value + armijo * slope) {
            throng_implicit_swap(&s->motion.vx, &s->motion.trial_x);
            throng_implicit_swap(&s->motion.vy, &s->motion.trial_y);
            if (tries > 0) s->search.cautious = CAUTIOUS;
            s->search.stretch = next_stretch(s, share, (value - then) / (share * hope), tries > 0);
            if (s->search.cautious > 0 && order == 2) {
                throng_implicit_merge_hessian(s, forget);
                s->search.cautious--;
            }
            return (outcome){then, hope, true};
        }
        throng_implicit_swap(&s->slopes.gx, &s->slopes.before_gx);
        throng_implicit_swap(&s->slopes.gy, &s->slopes.before_gy);
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
static double worth_of_change(const throng_implicit_solver *s, double tolerance) {
    double sum = 0;
    for (size_t k = 0; k < s->active.count; k++) sum += 1 / s->walkers->law.dt + s->walkers->xi[s->active.who[k]];
    return tolerance * tolerance * sum;
}

/* Whether the step would change all but a few by so little that they may keep their velocities. Marks the others. */
static bool are_few_left(throng_implicit_solver *s, double tolerance, double enough) {
    double rest = 0; /* what the step promises for those who are settled */
    size_t count = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        double px = s->search.step_x[i], py = s->search.step_y[i];
        s->motion.dirty[i] = px * px + py * py > tolerance * tolerance;
        count += s->motion.dirty[i];
        if (!s->motion.dirty[i]) rest -= px * s->slopes.gx[i] + py * s->slopes.gy[i];
    }
    return rest < enough && (double)count <= few * (double)s->active.count;
}

/* Decides for those who are marked and lists their pairs. They may change by more than the step says; the others do not
 * move. */
static void trust_marked(throng_implicit_solver *s) {
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        double length = sqrt(s->search.step_x[i] * s->search.step_x[i] + s->search.step_y[i] * s->search.step_y[i]);
        s->motion.trust[i] = s->motion.dirty[i] ? 2 * length + 0.05 : 0;
    }
    throng_implicit_take_some(s);
}

/* Goes on with those who are marked, wherever they are, while the others keep their velocities. */
static double settle_some(throng_implicit_solver *s, double tolerance, double value) {
    trust_marked(s);
    double before = throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 2), part = before;
    double enough = worth_of_change(s, tolerance);
    for (int n = 0; n < INNER_MOST; n++) {
        bool last = find_step(s) < enough;
        if (!last) lengthen(s);
        throng_implicit_limit_step(s);
        outcome o = take_step(s, part, last ? 1 : 2);
        part = o.value;
        s->counts->inner++;
        if (!o.taken || last || o.hope < enough) break;
    }
    throng_implicit_look_at(s, s->island.who, s->island.count);
    return value + (part - before);
}

/* Person by person is a good beginning of very long steps, where velocities change much. */
static int descents_first(double dt) { return dt >= 1 ? 3 : 0; }

static double descend(throng_implicit_solver *s, int rounds, bool thorough) {
    throng_implicit_descend(s, rounds, thorough);
    return throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 2);
}

/* It takes longer to part those who overlap, and happens once; but not those who are packed, whom no step can part. */
static uint64_t most_iterations(const throng_implicit_solver *s, const throng_implicit_params *params) {
    bool overlapping = throng_implicit_is_overlapping(s);
    double freedom = 0, most = params->max_iterations;
    if (s->walkers->packed == 0) return (uint64_t)(overlapping ? 5 * most : most);
    for (size_t k = 0; k < s->island.count; k++) freedom += s->walkers->freedom[s->island.who[k]];
    freedom /= (double)s->island.count;
    return (uint64_t)(freedom == 1 && overlapping ? 5 * most
                                                  : fmin(most, fmin(packed_most, fmax(1, packed_each * freedom))));
}

/* Where no step of Newton's pays any more, the other solver goes on from there; and where that ends at an edge of the
 * objective, everybody feels its way along. */
static double finish(throng_implicit_solver *s, const throng_implicit_params *params, uint64_t iterations) {
    throng_implicit_params rest = *params;
    rest.max_iterations = (double)iterations;
    rest.tolerance = last_tolerance * params->tolerance;
    double value = throng_implicit_trust_wholly(s), enough = worth_of_change(s, params->tolerance);
    for (int turn = 0; turn < TURNS; turn++) {
        double before = value;
        value = throng_implicit_lbfgs(s, value, &rest);
        if (throng_implicit_residual(s) < level) break;
        value = descend(s, 2, true);
        if (!(value < before - enough)) break;
    }
    return value;
}

double throng_implicit_newton(throng_implicit_solver *s, double value, const throng_implicit_params *params) {
    uint64_t most = most_iterations(s, params), count = 0, fallbacks = 0;
    int first = descents_first(s->walkers->law.dt);
    double enough = worth_of_change(s, params->tolerance);
    bool done = false;
    s->search.cautious = 0;
    s->search.stretch = first_stretch;
    if (first) value = descend(s, first, false);
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
        value = descend(s, 2, false);
    }
    s->counts->fallbacks += fallbacks;
    s->counts->iterations += count;
    if (count > s->counts->iterations_most) s->counts->iterations_most = count;
    if (!done && count < most && s->walkers->packed == 0 && !throng_implicit_is_overlapping(s))
        return finish(s, params, LBFGS_EACH * (most - count));
    s->counts->capped += !done;
    return value;
}
