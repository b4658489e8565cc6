/* relax.c: relaxation of A x + b on the sheets of a level, in two colours like a chess board.
 *
 * Cells of a colour have neighbours of the other one only, so the order in which tiles are done does not matter. Of the
 * rim, a tile takes only cells of the other colour: nobody writes them meanwhile. */

#include <math.h>
#include <stddef.h>

#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, GRAIN = 16 };

typedef struct sweeping {
    throng_uic *s;
    throng_uic_level *level;
    float relaxation;
    bool projected;
    int colour;
} sweeping;

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
    const sweeping *job = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *sheet = &job->level->sheets[k];
        if (sheet->quiet) continue;
        pull_others(job->level, sheet, job->colour);
        job->s->kernel->sweep(sheet, job->colour, job->relaxation, job->projected);
    }
}

void throng_uic_sweep(throng_uic *s, throng_uic_level *level, float relaxation, bool projected) {
    sweeping job = {s, level, relaxation, projected, 0};
    throng_parallel_for(s->now->crew, level->count, GRAIN, sweep_sheets, &job);
    job.colour = 1;
    throng_parallel_for(s->now->crew, level->count, GRAIN, sweep_sheets, &job);
}

static void rest_of_sheets(void *context, size_t begin, size_t end, int worker) {
    const sweeping *job = context;
    double most = job->s->tallies[worker].residual;
    for (size_t k = begin; k < end; k++) {
        if (job->level->sheets[k].quiet) continue;
        throng_uic_pull(job->level, k, offsetof(throng_uic_sheet, x));
        most = fmax(most, (double)job->s->kernel->rest(&job->level->sheets[k], job->projected));
    }
    job->s->tallies[worker].residual = most;
}

/* What a sweep changes spreads by two cells, one of each colour; until the residual is found again there are fewer than
 * eight of them. So where there is no pressure, and none in the sheets around, there is none until then. */
static void find_quiet(throng_uic_level *level) {
    for (size_t k = 0; k < level->count; k++) {
        throng_uic_sheet *a = &level->sheets[k];
        a->quiet = a->calm;
        for (int n = 1; n < 9 && a->quiet; n += 2) {
            if (a->around[n] != level->count) a->quiet = level->sheets[a->around[n]].calm;
        }
    }
}

double throng_uic_residual(throng_uic *s, throng_uic_level *level) {
    sweeping job = {s, level, 0, level == &s->levels[0], 0};
    double most = 0;
    throng_parallel_for(s->now->crew, level->count, GRAIN, rest_of_sheets, &job);
    for (size_t w = 0; w < s->workers; w++) {
        most = fmax(most, s->tallies[w].residual);
        s->tallies[w].residual = 0;
    }
    if (job.projected) find_quiet(level);
    return most;
}

int throng_uic_solve_psor(throng_uic *s, double *residual) {
    throng_uic_level *level = &s->levels[0];
    /* the longer the way through the grid, the more it takes */
    float relaxation = level->count > 64 ? 1.9F : 1.7F;
    int most = s->law.max_iterations > 0 ? (int)s->law.max_iterations : 2000, count = 0;
    *residual = throng_uic_residual(s, level);
    while (*residual > s->law.tolerance && count < most) {
        for (int k = 0; k < 4; k++) throng_uic_sweep(s, level, relaxation, true);
        count += 4;
        *residual = throng_uic_residual(s, level);
    }
    return count;
}
