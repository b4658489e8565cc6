/* sweeps.c: relaxation of A x + b on the sheets of a level, in two colours like a chess board.
 *
 * Cells of a colour have neighbours of the other one only, so the order in which tiles are done does not matter. Of the
 * rim, a tile takes only cells of the other colour: nobody writes them meanwhile. */

#include <math.h>
#include <stddef.h>

#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, UP = THRONG_UIC_STRIDE, GRAIN = 16 };

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

/* What the links to the cells around give. */
static inline float pull_of_links(const throng_uic_sheet *a, int at) {
    return (a->link_u[at] * a->x[at - 1] + a->link_u[at + 1] * a->x[at + 1]) +
           (a->link_v[at] * a->x[at - UP] + a->link_v[at + UP] * a->x[at + UP]);
}

static void sweep_sheet(throng_uic_sheet *a, const sweeping *job) {
    for (int r = 0; r < END; r++) {
        for (int c = (r + job->colour) & 1; c < END; c += 2) {
            int at = throng_uic_at(r, c);
            float x = (pull_of_links(a, at) - a->b[at]) * a->inverse[at];
            x = a->x[at] + job->relaxation * (x - a->x[at]);
            if (job->projected)
                a->x[at] = x > 0 ? x : 0;
            else
                a->x[at] = a->mask[at] * x;
        }
    }
}

static void sweep_sheets(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const sweeping *job = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *sheet = &job->level->sheets[k];
        pull_others(job->level, sheet, job->colour);
        sweep_sheet(sheet, job);
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
        throng_uic_sheet *a = &job->level->sheets[k];
        throng_uic_pull(job->level, k, offsetof(throng_uic_sheet, x));
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                float z = a->diagonal[at] * a->x[at] - pull_of_links(a, at) + a->b[at];
                if (!job->projected) {
                    a->residual[at] = -z * a->mask[at];
                    continue;
                }
                bool free = a->x[at] > 0;
                a->mask[at] = free ? 1 : 0;
                a->residual[at] = free ? -z : 0;
                /* either the cell is just full, or there is no pressure */
                float pressure = a->diagonal[at] * a->x[at], wrong = pressure < z ? pressure : z;
                wrong = a->inverse[at] > 0 ? fabsf(wrong) : 0;
                most = (double)wrong > most ? (double)wrong : most;
            }
        }
    }
    job->s->tallies[worker].residual = most;
}

double throng_uic_residual(throng_uic *s, throng_uic_level *level) {
    sweeping job = {s, level, 0, level == &s->levels[0], 0};
    double most = 0;
    throng_parallel_for(s->now->crew, level->count, GRAIN, rest_of_sheets, &job);
    for (size_t w = 0; w < s->workers; w++) {
        most = fmax(most, s->tallies[w].residual);
        s->tallies[w].residual = 0;
    }
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
