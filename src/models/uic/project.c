/* project.c: the velocity of the crowd that fills no cell beyond what it holds (eq. 10-19).
 *
 *     psolve    u - grad p, with p from the complementarity problem
 *     renorm    whoever was only turned aside walks on as fast as before
 *     psolve    since that may fill cells again
 *
 * In the first solve, cells that are too full already count as just full: renorm would make the way out of them a rush.
 * (It is this and not b that has to be clamped: with b >= 0 no pressure would be needed at all.) */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, UP = THRONG_UIC_STRIDE };

typedef struct solving {
    throng_uic *s;
    int which;    /* of the pressures that are kept; 2: none */
    bool clamped; /* too full counts as full */
} solving;

/* --- the matrix */

static void link_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    float scale = (float)(s->t / (s->cell * s->cell));
    for (size_t k = begin; k < end; k++) {
        const throng_uic_tile *tile = throng_uic_tile_at(s, k);
        throng_uic_sheet *sheet = &s->levels[0].sheets[k];
        for (int at = throng_uic_at(0, 0); at < throng_uic_at(END - 1, END); at++) {
            sheet->link_u[at] = scale * (tile->open_u[at] * tile->mass_u[at]);
            sheet->link_v[at] = scale * (tile->open_v[at] * tile->mass_v[at]);
        }
    }
}

/* --- the right side and what is known of x */

static void fill_rims(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_fill_rim(s, k, offsetof(throng_uic_tile, u));
        throng_uic_fill_rim(s, k, offsetof(throng_uic_tile, v));
    }
}

static void set_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const solving *job = context;
    throng_uic *s = job->s;
    float h = (float)s->cell;
    for (size_t k = begin; k < end; k++) {
        const throng_uic_tile *t = throng_uic_tile_at(s, k);
        throng_uic_sheet *a = &s->levels[0].sheets[k];
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                float across = a->link_u[at + 1] * t->u[at + 1] - a->link_u[at] * t->u[at];
                float up = a->link_v[at + UP] * t->v[at + UP] - a->link_v[at] * t->v[at];
                float lacks = t->room[at] - t->density[at];
                if (job->clamped && lacks < 0) lacks = 0;
                a->b[at] = lacks + h * (across + up);
                a->x[at] = job->which < 2 && a->inverse[at] > 0 ? t->pressure[job->which][at] : 0;
            }
        }
    }
}

/* --- what pressure does */

static void push_tiles(void *context, size_t begin, size_t end, int worker) {
    const solving *job = context;
    throng_uic *s = job->s;
    float per_cell = (float)(1 / s->cell);
    uint64_t active = 0;
    for (size_t k = begin; k < end; k++) {
        throng_uic_tile *t = throng_uic_tile_at(s, k);
        throng_uic_sheet *a = &s->levels[0].sheets[k];
        throng_uic_pull(&s->levels[0], k, offsetof(throng_uic_sheet, x));
        if (job->which < 2) memcpy(t->pressure[job->which], a->x, sizeof a->x);
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                t->u[at] = a->link_u[at] > 0 ? t->u[at] - (a->x[at] - a->x[at - 1]) * per_cell : 0;
                t->v[at] = a->link_v[at] > 0 ? t->v[at] - (a->x[at] - a->x[at - UP]) * per_cell : 0;
                active += a->x[at] > 0;
            }
        }
    }
    s->tallies[worker].active += active;
}

static void psolve(throng_uic *s, int which, bool clamped) {
    solving job = {s, which, clamped};
    int iterations;
    double residual;
    throng_uic_each_tile(s, fill_rims);
    throng_parallel_for(s->now->crew, s->tile_count, 4, set_tiles, &job);
    if (s->law.solver == THRONG_UIC_MPRGP)
        iterations = throng_uic_solve_mprgp(s, &residual);
    else if (s->law.solver == THRONG_UIC_PSOR)
        iterations = throng_uic_solve_psor(s, &residual);
    else
        iterations = throng_uic_solve_multigrid(s, &residual);
    for (size_t w = 0; w < s->workers; w++) s->tallies[w].active = 0;
    throng_parallel_for(s->now->crew, s->tile_count, 4, push_tiles, &job);
    throng_uic_counts *n = &s->counts;
    n->solves++;
    n->iterations += (uint64_t)iterations;
    if ((uint64_t)iterations > n->iterations_most) n->iterations_most = (uint64_t)iterations;
    n->capped += residual > s->law.tolerance;
    n->residual = residual;
    n->residual_most = fmax(n->residual_most, residual);
}

/* --- renorm */

/* The speed of a face and what it is to be: all that was taken away is given back, or what is too much is cut. */
static float pace(float along, float aside, float wanted, bool only_slower) {
    float speed = sqrtf(along * along + aside * aside);
    if (only_slower) return speed > wanted ? along * (wanted / speed) : along;
    return speed > 0.01F * wanted ? along * (wanted / speed) : along;
}

typedef struct pacing {
    throng_uic *s;
    bool only_slower;
} pacing;

static void pace_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const pacing *job = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_tile *t = throng_uic_tile_at(job->s, k);
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                float v = 0.25F * ((t->v[at] + t->v[at - 1]) + (t->v[at + UP] + t->v[at + UP - 1]));
                float u = 0.25F * ((t->u[at] + t->u[at + 1]) + (t->u[at - UP] + t->u[at - UP + 1]));
                t->u_next[at] = pace(t->u[at], v, t->speed_u[at], job->only_slower);
                t->v_next[at] = pace(t->v[at], u, t->speed_v[at], job->only_slower);
            }
        }
    }
}

static void take_over(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_tile *t = throng_uic_tile_at(s, k);
        memcpy(t->u, t->u_next, sizeof t->u);
        memcpy(t->v, t->v_next, sizeof t->v);
    }
}

static void renorm(throng_uic *s, bool only_slower) {
    pacing job = {s, only_slower};
    throng_uic_each_tile(s, fill_rims);
    throng_parallel_for(s->now->crew, s->tile_count, 4, pace_tiles, &job);
    throng_uic_each_tile(s, take_over);
}

void throng_uic_project(throng_uic *s) {
    throng_uic_each_tile(s, link_tiles);
    throng_uic_coarsen(s);
    psolve(s, 0, true);
    renorm(s, false);
    psolve(s, 1, false);
    for (size_t w = 0; w < s->workers; w++) s->counts.active += s->tallies[w].active;
    for (int k = 0; k < (int)s->law.extra_solves; k++) {
        renorm(s, true);
        psolve(s, 2, false);
    }
}
