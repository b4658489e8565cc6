/* relax.c: relaxation of A x + b on the sheets of a level, in two colours like a chess board.
 *
 * Cells of a colour have neighbours of the other one only, so the order in which tiles are done does not matter. Of the
 * rim, a tile takes only cells of the other colour: nobody writes them meanwhile. */

#include <math.h>
#include <stddef.h>

#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE };

void throng_uic_pull(const throng_uic_level *level, size_t position, size_t offset) {
    const float *fields[9];
    const throng_uic_sheet *sheet = &level->sheets[position];
    for (int k = 0; k < 9; k++)
        fields[k] = (const float *)(const void *)((const char *)&level->sheets[sheet->around[k]] + offset);
    throng_uic_copy_rim((float *)(void *)((char *)&level->sheets[position] + offset), fields);
}

/* The cells of the rim that are not of a colour. */
static void pull_others(const throng_uic_level *level, throng_uic_sheet *sheet, int colour) {
    const float *south = level->sheets[sheet->around[1]].x, *west = level->sheets[sheet->around[3]].x;
    const float *east = level->sheets[sheet->around[5]].x, *north = level->sheets[sheet->around[7]].x;
    int low = colour, high = 1 - colour; /* row -1 and column -1 have odd numbers, row 16 and column 16 even ones */
    for (int k = low; k < END; k += 2) {
        sheet->x[throng_uic_at(-1, k)] = south[throng_uic_at(END - 1, k)];
        sheet->x[throng_uic_at(k, -1)] = west[throng_uic_at(k, END - 1)];
    }
    for (int k = high; k < END; k += 2) {
        sheet->x[throng_uic_at(END, k)] = north[throng_uic_at(0, k)];
        sheet->x[throng_uic_at(k, END)] = east[throng_uic_at(k, 0)];
    }
}

static void sweep_sheets(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *sheet = &job->level->sheets[job->order[k]];
        if (sheet->quiet) continue;
        pull_others(job->level, sheet, job->colour);
        job->s->kernel->sweep(sheet, job->colour, job->relaxation, job->projected);
    }
}

void throng_uic_sweep(throng_uic_patch *patch, float relaxation, bool projected) {
    patch->relaxation = relaxation;
    patch->projected = projected;
    for (patch->colour = 0; patch->colour < 2; patch->colour++) throng_uic_each_sheet(patch, sweep_sheets);
}

static void rest_of_sheets(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_uic_patch *job = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *sheet = &job->level->sheets[job->order[k]];
        if (sheet->quiet) continue;
        throng_uic_pull(job->level, job->order[k], offsetof(throng_uic_sheet, x));
        sheet->wrong = job->s->kernel->rest(sheet, job->projected);
    }
}

/* What a sweep changes spreads by two cells, one of each colour; until the residual is found again there are fewer than
 * eight of them. So where there is no pressure, and none in the sheets around, there is none until then. */
static bool is_quiet(const throng_uic_level *level, const throng_uic_sheet *a) {
    bool quiet = a->calm;
    for (int n = 1; n < 9 && quiet; n += 2) {
        if (a->around[n] != level->count) quiet = level->sheets[a->around[n]].calm;
    }
    return quiet;
}

double throng_uic_residual(throng_uic_patch *patch) {
    double most = 0;
    patch->projected = patch->level == &patch->s->levels[0];
    throng_uic_each_sheet(patch, rest_of_sheets);
    if (!patch->projected) return 0;
    for (size_t k = 0; k < patch->count; k++) {
        throng_uic_sheet *a = &patch->level->sheets[patch->order[k]];
        most = fmax(most, (double)a->wrong);
        a->quiet = is_quiet(patch->level, a);
    }
    return most;
}

void throng_uic_solve_psor(throng_uic *s, throng_uic_island *island) {
    throng_uic_patch patch = throng_uic_patch_of(s, island, 0);
    /* the longer the way through the grid, the more it takes */
    float relaxation = patch.count > 64 ? 1.9F : 1.7F;
    int most = s->law.max_iterations > 0 ? (int)s->law.max_iterations : 2000;
    island->iterations = 0;
    island->residual = throng_uic_residual(&patch);
    while (island->residual > s->law.tolerance && island->iterations < most) {
        for (int k = 0; k < 4; k++) throng_uic_sweep(&patch, relaxation, true);
        island->iterations += 4;
        island->residual = throng_uic_residual(&patch);
    }
}
