/* multigrid.c: the complementarity problem by truncated multigrid.
 *
 * On the finest level x >= 0 is kept by projected sweeps. Cells with x > 0 are free; of the linear system on those the
 * coarser levels find a correction. A coarse cell takes part only when all four cells in it do: a looser rule would
 * press on cells that are not under pressure, and diverges. Links of a coarse face are a quarter of the mean of the two
 * in it (the cell is twice as wide), and what is added to the diagonal is the same on all levels. */

#include <stddef.h>

#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, UP = THRONG_UIC_STRIDE, COARSEST_SWEEPS = 30 };

/* Where the quarter of a tile begins in its parent. */
static inline int quarter(const throng_uic_sheet *a) {
    return throng_uic_at((a->row & 1) * (END / 2), (a->column & 1) * (END / 2));
}

/* --- the matrix */

static void coarsen_links(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    for (size_t k = begin; k < end; k++) {
        const throng_uic_sheet *a = &job->level->sheets[job->order[k]];
        if (a->parent == job->coarse->count) continue; /* this is the last level of its island */
        throng_uic_sheet *up = &job->coarse->sheets[a->parent];
        for (int r = 0; r < END / 2; r++) {
            for (int c = 0; c < END / 2; c++) {
                int to = quarter(a) + r * UP + c, at = throng_uic_at(2 * r, 2 * c);
                up->link_u[to] = (a->link_u[at] + a->link_u[at + UP]) * 0.125F;
                up->link_v[to] = (a->link_v[at] + a->link_v[at + 1]) * 0.125F;
            }
        }
    }
}

static void add_up_diagonal(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    const throng_uic *s = job->s;
    float compliance = (float)(s->law.compliance * s->t / (s->cell * s->cell));
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *a = &job->level->sheets[job->order[k]];
        throng_uic_pull(job->level, job->order[k], offsetof(throng_uic_sheet, link_u));
        throng_uic_pull(job->level, job->order[k], offsetof(throng_uic_sheet, link_v));
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                float links = (a->link_u[at] + a->link_u[at + 1]) + (a->link_v[at] + a->link_v[at + UP]);
                a->diagonal[at] = links > 0 ? links + compliance : 0;
                a->inverse[at] = links > 0 ? 1 / a->diagonal[at] : 0;
            }
        }
    }
}

void throng_uic_coarsen(throng_uic *s) {
    for (int n = 0; n < s->level_count; n++) {
        throng_uic_level *level = &s->levels[n];
        throng_uic_patch job = {
            .s = s, .level = level, .coarse = level + 1, .order = level->order, .count = level->count};
        throng_uic_each_sheet(&job, add_up_diagonal);
        if (n + 1 == s->level_count || s->law.solver != THRONG_UIC_MULTIGRID) break;
        throng_uic_each_sheet(&job, coarsen_links);
    }
}

/* --- a cycle */

static void restrict_sheets(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    for (size_t k = begin; k < end; k++) {
        const throng_uic_sheet *a = &job->level->sheets[job->order[k]];
        throng_uic_sheet *up = &job->coarse->sheets[a->parent];
        for (int r = 0; r < END / 2; r++) {
            for (int c = 0; c < END / 2; c++) {
                int to = quarter(a) + r * UP + c, at = throng_uic_at(2 * r, 2 * c);
                const float *m = a->mask + at, *rest = a->residual + at;
                up->mask[to] = (m[0] * m[1]) * (m[UP] * m[UP + 1]);
                up->b[to] = -0.25F * ((rest[0] + rest[1]) + (rest[UP] + rest[UP + 1]));
                up->x[to] = 0;
            }
        }
    }
}

static void prolong_sheets(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    bool finest = job->level == &job->s->levels[0];
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *a = &job->level->sheets[job->order[k]];
        const throng_uic_sheet *up = &job->coarse->sheets[a->parent];
        if (a->quiet) continue;
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c), from = quarter(a) + r / 2 * UP + c / 2;
                int aside = c & 1 ? 1 : -1, above = r & 1 ? UP : -UP;
                float near_by = 3 * (up->x[from + aside] + up->x[from + above]) + up->x[from + aside + above];
                float x = a->x[at] + a->mask[at] * (0.0625F * (9 * up->x[from] + near_by));
                a->x[at] = finest && x < 0 ? 0 : x;
            }
        }
    }
}

static void pull_x(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    for (size_t k = begin; k < end; k++) throng_uic_pull(job->level, job->order[k], offsetof(throng_uic_sheet, x));
}

static void correct(throng_uic *s, const throng_uic_island *island, int n) {
    throng_uic_patch fine = throng_uic_patch_of(s, island, n), coarse = throng_uic_patch_of(s, island, n + 1);
    throng_uic_each_sheet(&fine, restrict_sheets);
    bool coarsest = n + 2 == island->level_count;
    int sweeps = coarsest ? COARSEST_SWEEPS : 2;
    for (int k = 0; k < sweeps; k++) throng_uic_sweep(&coarse, 1, false);
    if (!coarsest) {
        throng_uic_residual(&coarse);
        correct(s, island, n + 1);
        for (int k = 0; k < 2; k++) throng_uic_sweep(&coarse, 1, false);
    }
    throng_uic_each_sheet(&coarse, pull_x);
    throng_uic_each_sheet(&fine, prolong_sheets);
}

void throng_uic_solve_multigrid(throng_uic *s, throng_uic_island *island) {
    throng_uic_patch patch = throng_uic_patch_of(s, island, 0);
    int most = s->law.max_iterations > 0 ? (int)s->law.max_iterations : 60;
    island->iterations = 0;
    island->residual = throng_uic_residual(&patch);
    if (island->residual <= s->law.tolerance) return;
    for (int k = 0; k < 2; k++) throng_uic_sweep(&patch, 1, true);
    island->residual = throng_uic_residual(&patch);
    for (island->iterations = 1; island->residual > s->law.tolerance && island->iterations < most;
         island->iterations++) {
        correct(s, island, 0);
        for (int k = 0; k < 4; k++) throng_uic_sweep(&patch, 1, true);
        island->residual = throng_uic_residual(&patch);
    }
}
