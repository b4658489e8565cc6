/* multigrid.c: the complementarity problem by truncated multigrid.
 *
 * On the finest level x >= 0 is kept by projected sweeps. Cells with x > 0 are free; of the linear system on those the
 * coarser levels find a correction. A coarse cell takes part only when all four cells in it do: a looser rule would
 * press on cells that are not under pressure, and diverges. Links of a coarse face are a quarter of the mean of the two
 * in it (the cell is twice as wide), and what is added to the diagonal is the same on all levels. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, UP = THRONG_UIC_STRIDE, GRAIN = 16, LEVELS_SURE = 4, COARSEST_SWEEPS = 30 };

typedef struct between {
    throng_uic *s;
    throng_uic_level *fine, *coarse;
} between;

/* --- levels */

/* The position of a tile in a level, or its count. Tiles are in order. */
static uint32_t find(const throng_uic_level *level, int32_t column, int32_t row) {
    uint64_t key = throng_tile_key(column, row);
    size_t low = 0, high = level->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const throng_uic_sheet *a = &level->sheets[middle];
        if (throng_tile_key(a->column, a->row) < key)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < level->count && level->sheets[low].column == column && level->sheets[low].row == row;
    return (uint32_t)(found ? low : level->count);
}

static void make_sheets(throng_uic_level *level, size_t count) {
    if (count + 1 > level->capacity) {
        level->capacity = count + count / 2 + 2;
        throng_release(level->sheets);
        level->sheets = throng_allocate(level->capacity * sizeof *level->sheets);
    } else {
        memset(level->sheets, 0, (count + 1) * sizeof *level->sheets);
    }
    level->count = count;
}

static void find_neighbours(throng_uic_level *level) {
    for (size_t k = 0; k < level->count; k++) {
        throng_uic_sheet *a = &level->sheets[k];
        for (int n = 0; n < 9; n++) a->around[n] = find(level, a->column + n % 3 - 1, a->row + n / 3 - 1);
    }
}

/* The tiles that hold those of a level, two by two. */
static size_t parents_of(throng_uic *s, const throng_uic_level *level) {
    size_t count = 0;
    THRONG_GROW(s->marks, s->mark_capacity, level->count);
    for (size_t k = 0; k < level->count; k++)
        s->marks[k] = throng_tile_key(level->sheets[k].column >> 1, level->sheets[k].row >> 1);
    throng_uic_sort_keys(s->marks, level->count);
    for (size_t k = 0; k < level->count; k++) {
        if (k == 0 || s->marks[k] != s->marks[k - 1]) s->marks[count++] = s->marks[k];
    }
    return count;
}

void throng_uic_lay_levels(throng_uic *s) {
    throng_uic_level *level = &s->levels[0];
    make_sheets(level, s->tile_count);
    for (size_t k = 0; k < s->tile_count; k++) {
        level->sheets[k].column = throng_uic_tile_at(s, k)->column;
        level->sheets[k].row = throng_uic_tile_at(s, k)->row;
    }
    find_neighbours(level);
    for (s->level_count = 1; s->level_count < THRONG_UIC_LEVELS; s->level_count++) {
        if (s->level_count > 1 && level->count == 1) break;
        size_t count = parents_of(s, level);
        if (s->level_count >= LEVELS_SURE && 10 * count > 9 * level->count) break; /* scattered crowds */
        throng_uic_level *coarse = level + 1;
        make_sheets(coarse, count);
        for (size_t k = 0; k < count; k++) {
            coarse->sheets[k].column = (int32_t)((uint32_t)s->marks[k] ^ 0x80000000u);
            coarse->sheets[k].row = (int32_t)((uint32_t)(s->marks[k] >> 32) ^ 0x80000000u);
        }
        for (size_t k = 0; k < level->count; k++) {
            throng_uic_sheet *a = &level->sheets[k];
            a->parent = find(coarse, a->column >> 1, a->row >> 1);
        }
        find_neighbours(coarse);
        level = coarse;
    }
}

/* Where the quarter of a tile begins in its parent. */
static inline int quarter(const throng_uic_sheet *a) {
    return throng_uic_at((a->row & 1) * (END / 2), (a->column & 1) * (END / 2));
}

/* --- the matrix */

static void coarsen_links(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const between *job = context;
    for (size_t k = begin; k < end; k++) {
        const throng_uic_sheet *a = &job->fine->sheets[k];
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
    const between *job = context;
    const throng_uic *s = job->s;
    float compliance = (float)(s->law.compliance * s->t / (s->cell * s->cell));
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *a = &job->fine->sheets[k];
        throng_uic_pull(job->fine, k, offsetof(throng_uic_sheet, link_u));
        throng_uic_pull(job->fine, k, offsetof(throng_uic_sheet, link_v));
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
        between job = {s, &s->levels[n], &s->levels[n + 1]};
        throng_parallel_for(s->now->crew, s->levels[n].count, GRAIN, add_up_diagonal, &job);
        if (n + 1 == s->level_count || s->law.solver != THRONG_UIC_MULTIGRID) break;
        throng_parallel_for(s->now->crew, s->levels[n].count, GRAIN, coarsen_links, &job);
    }
}

/* --- a cycle */

static void restrict_sheets(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const between *job = context;
    for (size_t k = begin; k < end; k++) {
        const throng_uic_sheet *a = &job->fine->sheets[k];
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
    const between *job = context;
    bool finest = job->fine == &job->s->levels[0];
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *a = &job->fine->sheets[k];
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
    const between *job = context;
    for (size_t k = begin; k < end; k++) throng_uic_pull(job->coarse, k, offsetof(throng_uic_sheet, x));
}

static void correct(throng_uic *s, int n) {
    between job = {s, &s->levels[n], &s->levels[n + 1]};
    throng_parallel_for(s->now->crew, job.fine->count, GRAIN, restrict_sheets, &job);
    bool coarsest = n + 2 == s->level_count;
    int sweeps = coarsest ? COARSEST_SWEEPS : 2;
    for (int k = 0; k < sweeps; k++) throng_uic_sweep(s, job.coarse, 1, false);
    if (!coarsest) {
        throng_uic_residual(s, job.coarse);
        correct(s, n + 1);
        for (int k = 0; k < 2; k++) throng_uic_sweep(s, job.coarse, 1, false);
    }
    throng_parallel_for(s->now->crew, job.coarse->count, GRAIN, pull_x, &job);
    throng_parallel_for(s->now->crew, job.fine->count, GRAIN, prolong_sheets, &job);
}

int throng_uic_solve_multigrid(throng_uic *s, double *residual) {
    throng_uic_level *level = &s->levels[0];
    int most = s->law.max_iterations > 0 ? (int)s->law.max_iterations : 60, count = 0;
    *residual = throng_uic_residual(s, level);
    if (*residual <= s->law.tolerance) return 0;
    for (int k = 0; k < 2; k++) throng_uic_sweep(s, level, 1, true);
    *residual = throng_uic_residual(s, level);
    for (count = 1; *residual > s->law.tolerance && count < most; count++) {
        correct(s, 0);
        for (int k = 0; k < 4; k++) throng_uic_sweep(s, level, 1, true);
        *residual = throng_uic_residual(s, level);
    }
    return count;
}
