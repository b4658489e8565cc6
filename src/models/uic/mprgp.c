/* mprgp.c: the complementarity problem as the paper solves it: modified proportioning with reduced gradient projections
 * (Z. Dostal, J. Schoeberl: Minimizing quadratic functions subject to bound constraints with the rate of convergence
 * and finite termination. Computational Optimization and Applications 30, 2005), preconditioned in the free set by
 * modified incomplete Cholesky factors, MIC(0) (R. Bridson, M. Mueller-Fischer: Fluid simulation, SIGGRAPH courses
 * 2007).
 *
 * Minimises x'Ax/2 + b'x with x >= 0. g = Ax + b; F is where x > 0;
 *
 *     phi = g on F, beta = min(g, 0) elsewhere; both vanish at the solution.
 *
 * Products are summed in double, tile by tile in order, so the number of threads does not matter. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, UP = THRONG_UIC_STRIDE };

/* A tile's vectors. */
struct throng_uic_mprgp {
    throng_uic_field g, d, q, z;
    throng_uic_field factor; /* 1 / the diagonal of the factor; 0 outside of F */
};

typedef struct work {
    throng_uic_patch patch;
    throng_uic_level *level;
    struct throng_uic_mprgp *part;
    float step;    /* how far along d, or back along phi */
    size_t vector; /* offset of the vector to multiply by A */
} work;

#define EACH_CELL(at)                \
    for (int r_ = 0; r_ < END; r_++) \
        for (int at = throng_uic_at(r_, 0); at < throng_uic_at(r_, END); at++)

static inline bool takes_part(const throng_uic_sheet *a, int at) { return a->inverse[at] > 0; }
static inline float phi_of(const throng_uic_sheet *a, const struct throng_uic_mprgp *m, int at) {
    return a->x[at] > 0 ? m->g[at] : 0;
}
static inline float beta_of(const throng_uic_sheet *a, const struct throng_uic_mprgp *m, int at) {
    return takes_part(a, at) && !(a->x[at] > 0) && m->g[at] < 0 ? m->g[at] : 0;
}

/* The sheet at a place in the order of the island. */
static inline size_t sheet_at(const work *w, size_t n) { return w->patch.order[n]; }

static void each(work *w, throng_work what) { throng_uic_each_sheet(&w->patch, what); }

/* --- products with A */

static inline float times_a(const throng_uic_sheet *a, const float *x, int at) {
    return a->diagonal[at] * x[at] - ((a->link_u[at] * x[at - 1] + a->link_u[at + 1] * x[at + 1]) +
                                      (a->link_v[at] * x[at - UP] + a->link_v[at + UP] * x[at + UP]));
}

static void gradient(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    for (size_t n = begin; n < end; n++) {
        size_t k = sheet_at(w, n);
        const throng_uic_sheet *a = &w->level->sheets[k];
        throng_uic_pull(w->level, k, offsetof(throng_uic_sheet, x));
        EACH_CELL(at) w->part[k].g[at] = takes_part(a, at) ? times_a(a, a->x, at) + a->b[at] : 0;
    }
}

static void pull_d(work *w, size_t k) {
    const float *fields[9];
    for (int n = 0; n < 9; n++) fields[n] = w->part[w->level->sheets[k].around[n]].d;
    throng_uic_copy_rim(w->part[k].d, fields);
}

static void q_of_d(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    for (size_t n = begin; n < end; n++) {
        size_t k = sheet_at(w, n);
        pull_d(w, k);
        EACH_CELL(at) w->part[k].q[at] = times_a(&w->level->sheets[k], w->part[k].d, at);
    }
}

static double dot(work *w, size_t left, size_t right) {
    double sum = 0;
    for (size_t i = 0; i < w->patch.count; i++) {
        size_t k = sheet_at(w, i);
        const float *a = (const float *)(const void *)((const char *)&w->part[k] + left);
        const float *b = (const float *)(const void *)((const char *)&w->part[k] + right);
        double part = 0;
        EACH_CELL(at) part += (double)a[at] * (double)b[at];
        sum += part;
    }
    return sum;
}

#define FIELD(name)     offsetof(struct throng_uic_mprgp, name)
#define DOT(one, other) dot(w, FIELD(one), FIELD(other))

/* --- the preconditioner: tiles in order, so that those to the west and south are done before */

static inline float factor_at(const work *w, size_t k, int at, int to) {
    int r = at / UP - 1, c = at % UP - 1;
    const uint32_t *around = w->level->sheets[k].around;
    if (to == -1 && c == 0) return w->part[around[3]].factor[throng_uic_at(r, END - 1)];
    if (to == -UP && r == 0) return w->part[around[1]].factor[throng_uic_at(END - 1, c)];
    return w->part[k].factor[at + to];
}

/* The links of the cell to the west that lead north, and of the cell to the south that lead east. */
static void factorise(work *w) {
    const double tau = 0.97, sigma = 0.25;
    for (size_t i = 0; i < w->patch.count; i++) {
        size_t k = sheet_at(w, i);
        const throng_uic_sheet *a = &w->level->sheets[k];
        EACH_CELL(at) {
            float *factor = &w->part[k].factor[at];
            *factor = 0;
            if (!(a->x[at] > 0)) continue;
            double m_west = (double)factor_at(w, k, at, -1), m_south = (double)factor_at(w, k, at, -UP);
            double west = (double)a->link_u[at], south = (double)a->link_v[at], full = (double)a->diagonal[at];
            double west_north = (double)a->link_v[at - 1 + UP], south_east = (double)a->link_u[at - UP + 1];
            double e = full - west * m_west * west * m_west - south * m_south * south * m_south;
            e -= tau * (west * west_north * m_west * m_west + south * south_east * m_south * m_south);
            if (e < sigma * full) e = full;
            *factor = (float)(1 / sqrt(e));
        }
    }
}

/* z = M^-1 phi: there, and back. */
static void precondition(work *w) {
    for (size_t i = 0; i < w->patch.count; i++) {
        size_t k = sheet_at(w, i);
        const throng_uic_sheet *a = &w->level->sheets[k];
        struct throng_uic_mprgp *m = &w->part[k];
        const float *west = w->part[a->around[3]].z, *south = w->part[a->around[1]].z;
        for (int n = 0; n < END; n++) {
            m->z[throng_uic_at(n, -1)] = west[throng_uic_at(n, END - 1)];
            m->z[throng_uic_at(-1, n)] = south[throng_uic_at(END - 1, n)];
        }
        EACH_CELL(at) {
            float m_west = factor_at(w, k, at, -1), m_south = factor_at(w, k, at, -UP);
            float known = a->link_u[at] * m_west * m->z[at - 1] + a->link_v[at] * m_south * m->z[at - UP];
            m->z[at] = (phi_of(a, m, at) + known) * m->factor[at];
        }
    }
    for (size_t i = w->patch.count; i-- > 0;) {
        size_t k = sheet_at(w, i);
        const throng_uic_sheet *a = &w->level->sheets[k];
        struct throng_uic_mprgp *m = &w->part[k];
        const float *east = w->part[a->around[5]].z, *north = w->part[a->around[7]].z;
        for (int n = 0; n < END; n++) {
            m->z[throng_uic_at(n, END)] = east[throng_uic_at(n, 0)];
            m->z[throng_uic_at(END, n)] = north[throng_uic_at(0, n)];
        }
        for (int r = END - 1; r >= 0; r--) {
            for (int c = END - 1; c >= 0; c--) {
                int at = throng_uic_at(r, c);
                float known = a->link_u[at + 1] * m->z[at + 1] + a->link_v[at + UP] * m->z[at + UP];
                m->z[at] = (m->z[at] + known * m->factor[at]) * m->factor[at];
            }
        }
    }
}

/* --- steps */

static void step_along(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    for (size_t n = begin; n < end; n++) {
        size_t k = sheet_at(w, n);
        throng_uic_sheet *a = &w->level->sheets[k];
        struct throng_uic_mprgp *m = &w->part[k];
        EACH_CELL(at) {
            float x = a->x[at] - w->step * m->d[at];
            a->x[at] = x > 0 ? x : 0;
            m->g[at] = takes_part(a, at) ? m->g[at] - w->step * m->q[at] : 0;
        }
    }
}

static void step_back(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    for (size_t n = begin; n < end; n++) {
        size_t k = sheet_at(w, n);
        throng_uic_sheet *a = &w->level->sheets[k];
        EACH_CELL(at) {
            float x = a->x[at] - w->step * phi_of(a, &w->part[k], at);
            a->x[at] = x > 0 ? x : 0;
        }
    }
}

/* The largest step along d that keeps x >= 0. */
static double feasible_step(const work *w) {
    double least = INFINITY;
    for (size_t i = 0; i < w->patch.count; i++) {
        size_t k = sheet_at(w, i);
        const throng_uic_sheet *a = &w->level->sheets[k];
        EACH_CELL(at) {
            float d = w->part[k].d[at];
            if (d > 0 && a->x[at] > 0) least = fmin(least, (double)a->x[at] / (double)d);
        }
    }
    return least;
}

static void set_d(work *w, bool to_beta, float fraction) {
    for (size_t i = 0; i < w->patch.count; i++) {
        size_t k = sheet_at(w, i);
        const throng_uic_sheet *a = &w->level->sheets[k];
        struct throng_uic_mprgp *m = &w->part[k];
        EACH_CELL(at) m->d[at] = to_beta ? beta_of(a, m, at) : m->z[at] - fraction * m->d[at];
    }
}

/* How the gradient is shared between the free cells and the others. */
typedef struct shares {
    double beta2, phi2, wrong; /* ||beta||^2, phi~'phi, and how far from the solution */
} shares;

static shares weigh(const work *w, double alpha) {
    shares n = {0, 0, 0};
    for (size_t i = 0; i < w->patch.count; i++) {
        size_t k = sheet_at(w, i);
        const throng_uic_sheet *a = &w->level->sheets[k];
        const struct throng_uic_mprgp *m = &w->part[k];
        double beta2 = 0, phi2 = 0;
        EACH_CELL(at) {
            double phi = (double)phi_of(a, m, at), beta = (double)beta_of(a, m, at), x = (double)a->x[at];
            beta2 += beta * beta;
            phi2 += fmin(x / alpha, phi) * phi;
            n.wrong = fmax(n.wrong, fmax(fabs(fmin((double)a->diagonal[at] * x, phi)), -beta));
        }
        n.beta2 += beta2;
        n.phi2 += phi2;
    }
    return n;
}

/* A step of conjugate gradients in the free set, or to its border and back. True when the set has changed. */
static bool face_step(work *w, bool fresh, double alpha) {
    if (fresh) {
        factorise(w);
        precondition(w);
        set_d(w, false, 0);
    }
    each(w, q_of_d);
    double curvature = DOT(d, q), step = curvature > 0 ? DOT(g, d) / curvature : 0, most = feasible_step(w);
    if (!(curvature > 0)) most = 0; /* rounding: take the gradient */
    w->step = (float)fmin(step, most);
    if (step <= most) {
        each(w, step_along);
        precondition(w);
        set_d(w, false, (float)(DOT(z, q) / curvature));
        return false;
    }
    each(w, step_along);
    w->step = (float)alpha;
    each(w, step_back);
    each(w, gradient);
    return true;
}

static void release_step(work *w) {
    set_d(w, true, 0);
    each(w, q_of_d);
    double curvature = DOT(d, q);
    w->step = curvature > 0 ? (float)(DOT(g, d) / curvature) : 0;
    each(w, step_along);
}

void throng_uic_make_mprgp_room(throng_uic *s) {
    size_t count = s->tile_count + 1;
    if (count > s->mprgp_capacity) {
        throng_release(s->mprgp);
        s->mprgp_capacity = count + count / 2;
        s->mprgp = throng_allocate(s->mprgp_capacity * sizeof *s->mprgp);
    } else {
        memset(s->mprgp, 0, count * sizeof *s->mprgp);
    }
}

void throng_uic_solve_mprgp(throng_uic *s, throng_uic_island *island) {
    work w = {.patch = throng_uic_patch_of(s, island, 0), .level = &s->levels[0], .part = s->mprgp};
    float largest = 0;
    for (size_t i = 0; i < w.patch.count; i++)
        EACH_CELL(at) largest = fmaxf(largest, w.level->sheets[sheet_at(&w, i)].diagonal[at]);
    island->residual = island->iterations = 0;
    if (!(largest > 0)) return;
    double alpha = 1 / (double)largest; /* less than 2 / ||A||, by Gershgorin */
    int most = s->law.max_iterations > 0 ? (int)s->law.max_iterations : 1000, count = 0;
    bool fresh = true;
    each(&w, gradient);
    for (; count < most; count++) {
        shares n = weigh(&w, alpha);
        if (n.wrong <= s->law.tolerance) break;
        bool proportional = n.beta2 <= n.phi2;
        if (proportional) {
            fresh = face_step(&w, fresh, alpha);
        } else {
            release_step(&w);
            fresh = true;
        }
        if (count % 64 == 63) each(&w, gradient); /* what was only updated drifts away */
    }
    island->iterations = count;
    island->residual = throng_uic_residual(&w.patch);
}
