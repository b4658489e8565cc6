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
    double *gradient, *before, *direction; /* vectors */
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
    THRONG_GROW(s->memory, s->memory_capacity, s->active.count * THRONG_LBFGS_NUMBERS);
    history h = {.count = 0};
    double *at = s->memory;
    for (size_t m = 0; m < MEMORY; m++, at += 2 * length) {
        h.step[m] = at;
        h.turn[m] = at + length;
    }
    h.gradient = at;
    h.before = at + length;
    h.direction = at + 2 * length;
    return h;
}

static void read_gradient(const throng_implicit_solver *s, double *out) {
    for (size_t k = 0; k < s->active.count; k++) {
        out[2 * k] = s->slopes.gx[s->active.who[k]];
        out[2 * k + 1] = s->slopes.gy[s->active.who[k]];
    }
}

/* -H gradient, with H the inverse Hessian as the memory has it. */
static void find_direction(const throng_implicit_solver *s, history *h) {
    size_t length = 2 * s->active.count;
    double share[MEMORY], *d = h->direction;
    for (size_t k = 0; k < length; k++) d[k] = -h->gradient[k];
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
    memcpy(h->before, h->gradient, length * sizeof(double));
    read_gradient(s, h->gradient);
    for (size_t k = 0; k < length; k++) {
        h->step[m][k] = share * h->direction[k];
        h->turn[m][k] = h->gradient[k] - h->before[k];
    }
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
    double slope = dot(s, h->direction, h->gradient);
    if (!(slope < 0)) {
        h->count = 0;
        find_direction(s, h);
        slope = dot(s, h->direction, h->gradient);
        if (!(slope < 0)) return 0;
    }
    double first = h->count > 0 ? 1 : fmin(1, 1 / largest(s, h->gradient));
    double share = search(s, h, value, slope, first);
    if (share == 0) return 0;
    remember(s, h, share);
    throng_implicit_swap(&s->motion.vx, &s->motion.trial_x);
    throng_implicit_swap(&s->motion.vy, &s->motion.trial_y);
    return share * largest(s, h->direction);
}

void throng_implicit_lbfgs(throng_implicit_solver *s, double value, const throng_implicit_params *params) {
    history h = make_history(s);
    uint64_t count = 0, most = (uint64_t)params->max_iterations;
    bool done = false;
    read_gradient(s, h.gradient);
    for (; count < most && !done; count++) done = iterate(s, &h, &value) < params->tolerance;
    s->counts->capped += !done;
    s->counts->iterations += count;
    if (count > s->counts->iterations_most) s->counts->iterations_most = count;
    s->counts->objective += throng_implicit_evaluate(s, s->motion.vx, s->motion.vy, 1);
}
