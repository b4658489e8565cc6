/* lbfgs.c: the solver of the paper (sec. 5): limited-memory BFGS from standing still, with the last five steps
 * remembered, at most 100 iterations, until nobody's velocity changes by more than 1e-5 m/s. Kept for comparison.
 *
 * The direction comes from the two-loop recursion (Nocedal 1980); the search along it halves or interpolates until the
 * objective falls enough (Armijo), and never takes a point where it is infinite. */

#include <string.h>

#include "base/memory.h"
#include "models/implicit/solver.h"

enum { MEMORY = THRONG_LBFGS_STEPS, TRIALS = 40 };
static const double armijo = 1e-4;

/* A vector has x and y of every own walker, in order. */
typedef struct history {
    double *step[MEMORY], *turn[MEMORY]; /* changes of velocities, and of the gradient */
    double product[MEMORY];              /* step turn */
    size_t count, newest;
    double *direction; /* a vector */
} history;

static double dot(const throng_implicit_solver *s, const double *a, const double *b) {
    double sum = 0;
    for (size_t begin = 0; begin < 2 * s->active.count; begin += 2 * THRONG_IMPLICIT_BLOCK) {
        double part = 0;
        for (size_t k = begin; k < begin + 2 * THRONG_IMPLICIT_BLOCK && k < 2 * s->active.count; k++) {
            part += a[k] * b[k];
        }
        sum += part;
    }
    return sum;
}

static history make_history(throng_implicit_solver *s) {
    size_t length = 2 * s->active.count;
    size_t numbers = s->active.count * THRONG_LBFGS_NUMBERS;
    if (numbers > s->memory_capacity) {
        s->memory = throng_reallocate(s->memory, numbers * sizeof *s->memory);
        s->memory_capacity = numbers;
    }
    history h = {.count = 0};
    double *at = s->memory;
    for (size_t m = 0; m < MEMORY; m++, at += 2 * length) {
        h.step[m] = at;
        h.turn[m] = at + length;
    }
    h.direction = at;
    return h;
}

/* Trials overwrite the gradient: that of where a step begins is kept beside. */
static void keep_gradient(const throng_implicit_solver *s) {
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        s->slopes.before_gx[i] = s->slopes.gx[i];
        s->slopes.before_gy[i] = s->slopes.gy[i];
    }
}

static double slope_of(const throng_implicit_solver *s, const history *h) {
    double sum = 0, part = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        part += h->direction[2 * k] * s->slopes.before_gx[i];
        part += h->direction[2 * k + 1] * s->slopes.before_gy[i];
        if ((k + 1) % THRONG_IMPLICIT_BLOCK && k + 1 < s->active.count) continue;
        sum += part;
        part = 0;
    }
    return sum;
}

/* -H gradient, with H the inverse Hessian as the memory has it. */
static void find_direction(const throng_implicit_solver *s, history *h) {
    size_t length = 2 * s->active.count;
    double share[MEMORY], *d = h->direction;
    for (size_t k = 0; k < s->active.count; k++) {
        d[2 * k] = -s->slopes.before_gx[s->active.who[k]];
        d[2 * k + 1] = -s->slopes.before_gy[s->active.who[k]];
    }
    for (size_t n = 0; n < h->count; n++) {
        size_t m = (h->newest + MEMORY - n) % MEMORY;
        share[m] = dot(s, h->step[m], d) / h->product[m];
        for (size_t k = 0; k < length; k++) d[k] -= share[m] * h->turn[m][k];
    }
    if (h->count > 0) {
        double scale = h->product[h->newest] / dot(s, h->turn[h->newest], h->turn[h->newest]);
        for (size_t k = 0; k < length; k++) d[k] *= scale;
    }
    for (size_t n = h->count; n-- > 0;) {
        size_t m = (h->newest + MEMORY - n) % MEMORY;
        double back = dot(s, h->turn[m], d) / h->product[m];
        for (size_t k = 0; k < length; k++) d[k] += (share[m] - back) * h->step[m][k];
    }
}

static double largest(const throng_implicit_solver *s, const double *a) {
    double most = 0;
    for (size_t k = 0; k < 2 * s->active.count; k++) most = fmax(most, fabs(a[k]));
    return most;
}

static void try_at(throng_implicit_solver *s, const history *h, double share) {
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        s->motion.trial_x[i] = s->motion.vx[i] + share * h->direction[2 * k];
        s->motion.trial_y[i] = s->motion.vy[i] + share * h->direction[2 * k + 1];
    }
}

/* How much of the direction to take; 0 when nothing pays. The trial velocities are those then. */
static double search(throng_implicit_solver *s, const history *h, double *value, double slope, double share) {
    for (int tries = 0; tries < TRIALS; tries++) {
        try_at(s, h, share);
        double then = throng_implicit_evaluate(s, s->motion.trial_x, s->motion.trial_y, 1);
        if (then <= *value + armijo * share * slope) {
            *value = then;
            return share;
        }
        double fitted = 0.5 * share;
        if (then < INFINITY) fitted = -slope * share * share / (2 * (then - *value - slope * share));
        share = fitted > 0.5 * share ? 0.5 * share : fitted > 0.1 * share ? fitted : 0.1 * share;
    }
    return 0;
}

static void remember(throng_implicit_solver *s, history *h, double share) {
    size_t length = 2 * s->active.count, m = h->count > 0 ? (h->newest + 1) % MEMORY : 0;
    for (size_t k = 0; k < length; k++) h->step[m][k] = share * h->direction[k];
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t i = s->active.who[k];
        h->turn[m][2 * k] = s->slopes.gx[i] - s->slopes.before_gx[i];
        h->turn[m][2 * k + 1] = s->slopes.gy[i] - s->slopes.before_gy[i];
    }
    keep_gradient(s);
    double product = dot(s, h->step[m], h->turn[m]);
    double lengths = sqrt(dot(s, h->step[m], h->step[m]) * dot(s, h->turn[m], h->turn[m]));
    if (!(product > 1e-10 * lengths)) return;
    h->product[m] = product;
    h->newest = m;
    if (h->count < MEMORY) h->count++;
}

/* One iteration; returns how much anybody's velocity has changed, 0 when nothing pays. */
static double iterate(throng_implicit_solver *s, history *h, double *value) {
    find_direction(s, h);
    double slope = slope_of(s, h);
    if (!(slope < 0)) {
        h->count = 0;
        find_direction(s, h);
        slope = slope_of(s, h);
        if (!(slope < 0)) return 0;
    }
    double first = h->count > 0 ? 1 : fmin(1, 1 / largest(s, h->direction)); /* which is the gradient then */
    double share = search(s, h, value, slope, first);
    if (share == 0) return 0;
    remember(s, h, share);
    throng_implicit_swap(&s->motion.vx, &s->motion.trial_x);
    throng_implicit_swap(&s->motion.vy, &s->motion.trial_y);
    return share * largest(s, h->direction);
}

double throng_implicit_lbfgs(throng_implicit_solver *s, double value, const throng_implicit_params *params) {
    history h = make_history(s);
    uint64_t count = 0, most = (uint64_t)params->max_iterations;
    bool done = false;
    keep_gradient(s);
    for (; count < most && !done; count++) done = iterate(s, &h, &value) < params->tolerance;
    s->counts->capped += !done;
    s->counts->iterations += count;
    if (count > s->counts->iterations_most) s->counts->iterations_most = count;
    return throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 1);
}
