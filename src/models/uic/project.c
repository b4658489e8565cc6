/* project.c: the velocity of the crowd that fills no cell beyond what it holds (eq. 10-19).
 *
 *     psolve    u - grad p, with p from the complementarity problem
 *     renorm    whoever was only turned aside walks on as fast as before
 *     limit     nobody is to be pressed on faster than people want to walk
 *     psolve    since that may fill cells again
 *
 * In the first solve, cells that are too full already count as just full: renorm would make the way out of them a rush.
 * (It is this and not b that has to be clamped: with b >= 0 no pressure would be needed at all.)
 *
 * People do not run because others press from behind. A velocity that the second pressure q makes too fast is cut, so
 * those behind have to slow down, and q has to be found for the velocities as they are cut: a complementarity problem
 * that is not linear any more. One step of its iteration is made in every sub-step, from the q of the sub-step before:
 *
 *     w = limit(u - grad q_before),   then u <- w + grad q_before,   and psolve finds q
 *
 * Where nothing is cut, this changes nothing; where q changes no more, the velocities u - grad q are w. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE, UP = THRONG_UIC_STRIDE };

/* How full cells may be made: people's own ways differ from those of the grid, and fill some cells by a few hundredths.
 */
static const float aim = 0.99F;

typedef struct solving {
    throng_uic *s;
    int which;    /* of the pressures that are kept */
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

static void fill_fills(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) throng_uic_fill_rim(s, k, offsetof(throng_uic_tile, fill));
}

static void set_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const solving *job = context;
    throng_uic *s = job->s;
    float h = (float)s->cell;
    for (size_t k = begin; k < end; k++) {
        const throng_uic_tile *t = throng_uic_tile_at(s, k);
        throng_uic_sheet *a = &s->levels[0].sheets[k];
        a->quiet = false;
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                float across = a->link_u[at + 1] * t->u[at + 1] - a->link_u[at] * t->u[at];
                float up = a->link_v[at + UP] * t->v[at + UP] - a->link_v[at] * t->v[at];
                float lacks = aim * t->room[at] - t->density[at];
                if (job->clamped && lacks < 0) lacks = 0;
                a->b[at] = lacks + h * (across + up);
                a->x[at] = a->inverse[at] > 0 ? t->pressure[job->which][at] : 0;
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
        memcpy(t->pressure[job->which], a->x, sizeof a->x);
        if (job->which == 0) memcpy(t->u_mean, t->u, sizeof t->u);
        if (job->which == 0) memcpy(t->v_mean, t->v, sizeof t->v);
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
    int iterations = 0;
    double residual = 0;
    throng_uic_each_tile(s, fill_rims);
    throng_parallel_for(s->now->crew, s->tile_count, 4, set_tiles, &job);
    throng_uic_solve_islands(s);
    for (size_t i = 0; i < s->island_count; i++) {
        residual = fmax(residual, s->islands[i].residual);
        iterations = s->islands[i].iterations > iterations ? s->islands[i].iterations : iterations;
    }
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

/* How fast a crowd that pressure has turned aside walks on: as fast as its people want to where it is full, and as its
 * mean before where streams pass through each other, which is slow without anybody being so. */
static float cruise(const throng_uic_face *f, float speed, float fill, float fill_next) {
    float mean = f->mass > 0 ? sqrtf(f->momentum_x * f->momentum_x + f->momentum_y * f->momentum_y) / f->mass : 0;
    return mean + throng_uic_bond(0.5F * (fill + fill_next)) * (speed - mean);
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
                float along = t->speed_u[at], up = t->speed_v[at];
                if (!job->only_slower) along = cruise(&t->splat_u[at], along, t->fill[at - 1], t->fill[at]);
                if (!job->only_slower) up = cruise(&t->splat_v[at], up, t->fill[at - UP], t->fill[at]);
                t->u_next[at] = pace(t->u[at], v, along, job->only_slower);
                t->v_next[at] = pace(t->v[at], u, up, job->only_slower);
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

/* --- limit */

typedef struct leaning {
    throng_uic *s;
    float times; /* how much of the gradient of the second pressure is added */
} leaning;

static void lean_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const leaning *job = context;
    throng_uic *s = job->s;
    float per_cell = job->times * (float)(1 / s->cell);
    for (size_t k = begin; k < end; k++) {
        throng_uic_tile *t = throng_uic_tile_at(s, k);
        const throng_uic_sheet *a = &s->levels[0].sheets[k];
        const float *q = t->pressure[1];
        for (int r = 0; r < END; r++) {
            for (int c = 0; c < END; c++) {
                int at = throng_uic_at(r, c);
                if (a->link_u[at] > 0) t->u[at] += (q[at] - q[at - 1]) * per_cell;
                if (a->link_v[at] > 0) t->v[at] += (q[at] - q[at - UP]) * per_cell;
            }
        }
    }
}

static void lean(throng_uic *s, float times) {
    leaning job = {s, times};
    throng_parallel_for(s->now->crew, s->tile_count, 4, lean_tiles, &job);
}

static void fill_pressure(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) throng_uic_fill_rim(s, k, offsetof(throng_uic_tile, pressure[1]));
}

static void limit(throng_uic *s) {
    throng_uic_each_tile(s, fill_pressure);
    lean(s, -1);
    renorm(s, true);
    lean(s, 1);
}

void throng_uic_project(throng_uic *s) {
    throng_uic_each_tile(s, link_tiles);
    throng_uic_coarsen(s);
    throng_uic_each_tile(s, fill_fills);
    psolve(s, 0, true);
    renorm(s, false);
    limit(s);
    psolve(s, 1, false);
    for (size_t w = 0; w < s->workers; w++) s->counts.active += s->tallies[w].active;
}
