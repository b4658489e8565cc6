/* oracle_uic.h: `uic` once more, slow and from the definition: one dense grid over a rectangle, every person looked at
 * for every cell, everything in double, the complementarity problem by projected Gauss-Seidel sweeps until nothing
 * moves. Cells and faces are free and open as they are told to be. */

#ifndef ORACLE_UIC_H
#define ORACLE_UIC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { ORACLE_CELLS = 24, ORACLE_PEOPLE = 600 };

typedef struct oracle_person {
    double x, y, wish_x, wish_y, d, top_speed;
    double walk_x, walk_y, next_x, next_y;
    bool foreign;
} oracle_person;

typedef struct oracle_grid {
    size_t people;
    oracle_person person[ORACLE_PEOPLE];
    double h, low_x, low_y; /* m */
    double alpha, d_sep, compliance;
    int sweeps;
    double dt;
    /* [row][column]; faces u at the west, v at the south; those beyond the last cell are there too */
    double free[ORACLE_CELLS][ORACLE_CELLS];
    double open_u[ORACLE_CELLS + 1][ORACLE_CELLS + 1], open_v[ORACLE_CELLS + 1][ORACLE_CELLS + 1];
    double density[ORACLE_CELLS][ORACLE_CELLS], room[ORACLE_CELLS][ORACLE_CELLS], p[ORACLE_CELLS][ORACLE_CELLS];
    double z[ORACLE_CELLS][ORACLE_CELLS];
    double second[ORACLE_CELLS][ORACLE_CELLS]; /* the pressure of the second solve of the last sub-step */
    double u[ORACLE_CELLS + 1][ORACLE_CELLS + 1], v[ORACLE_CELLS + 1][ORACLE_CELLS + 1];
    double mass_u[ORACLE_CELLS + 1][ORACLE_CELLS + 1], mass_v[ORACLE_CELLS + 1][ORACLE_CELLS + 1];
    double speed_u[ORACLE_CELLS + 1][ORACLE_CELLS + 1], speed_v[ORACLE_CELLS + 1][ORACLE_CELLS + 1];
    double mean_u[ORACLE_CELLS + 1][ORACLE_CELLS + 1], mean_v[ORACLE_CELLS + 1][ORACLE_CELLS + 1];
    double still_u[ORACLE_CELLS + 1][ORACLE_CELLS + 1],
        still_v[ORACLE_CELLS + 1][ORACLE_CELLS + 1]; /* how fast the mean of the wishes is */
} oracle_grid;

static inline double oracle_hat(double distance) { return fmax(0, 1 - fabs(distance)); }

/* The weight of a point of the lattice `of` ('c' cells, 'u', 'v' faces) at (r, c) for somebody: bilinear, but what
 * would pass a face that is not open stays on this side. */
static double oracle_weight(const oracle_grid *g, const oracle_person *q, char of, int r, int c) {
    double x = (q->x - g->low_x) / g->h, y = (q->y - g->low_y) / g->h;
    int cx = (int)floor(x), cy = (int)floor(y), nx = x - cx > 0.5 ? cx + 1 : cx - 1,
        ny = y - cy > 0.5 ? cy + 1 : cy - 1;
    double east = g->open_u[cy][nx > cx ? cx + 1 : cx], north = g->open_v[ny > cy ? cy + 1 : cy][cx];
    double across = east * fabs(x - cx - 0.5), up = north * fabs(y - cy - 0.5);
    double along_x = of == 'u' ? oracle_hat(x - c) : c == cx ? 1 - across : c == nx ? across : 0;
    double along_y = of == 'v' ? oracle_hat(y - r) : r == cy ? 1 - up : r == ny ? up : 0;
    return along_x * along_y;
}

static double oracle_mass(const oracle_grid *g, const oracle_person *q) {
    return sqrt(3) * q->d * q->d / (2 * g->alpha);
}

static void oracle_splat(oracle_grid *g) {
    for (int r = 0; r <= ORACLE_CELLS; r++) {
        for (int c = 0; c <= ORACLE_CELLS; c++) {
            double density = 0, foreign = 0, m[2] = {0}, mx[2] = {0}, my[2] = {0}, ms[2] = {0};
            for (size_t i = 0; i < g->people; i++) {
                const oracle_person *q = &g->person[i];
                double mass = oracle_mass(g, q) / (g->h * g->h), on = mass * oracle_weight(g, q, 'c', r, c);
                if (q->foreign) {
                    foreign += on;
                    continue;
                }
                density += on;
                for (int k = 0; k < 2; k++) {
                    double w = mass * oracle_weight(g, q, k ? 'v' : 'u', r, c);
                    m[k] += w;
                    mx[k] += w * q->wish_x;
                    my[k] += w * q->wish_y;
                    ms[k] += w * hypot(q->wish_x, q->wish_y);
                }
            }
            if (r < ORACLE_CELLS && c < ORACLE_CELLS) {
                g->density[r][c] = density;
                g->room[r][c] = fmax(0, g->free[r][c] - foreign);
            }
            bool flows_u = m[0] > 0 && g->open_u[r][c] > 0, flows_v = m[1] > 0 && g->open_v[r][c] > 0;
            g->mass_u[r][c] = m[0];
            g->mass_v[r][c] = m[1];
            g->u[r][c] = g->mean_u[r][c] = flows_u ? mx[0] / m[0] : 0;
            g->v[r][c] = g->mean_v[r][c] = flows_v ? my[1] / m[1] : 0;
            g->still_u[r][c] = flows_u ? hypot(mx[0], my[0]) / m[0] : 0;
            g->still_v[r][c] = flows_v ? hypot(mx[1], my[1]) / m[1] : 0;
            g->speed_u[r][c] = flows_u ? ms[0] / m[0] : 0;
            g->speed_v[r][c] = flows_v ? ms[1] / m[1] : 0;
        }
    }
}

static inline double oracle_p(const oracle_grid *g, int r, int c) {
    return r < 0 || c < 0 || r >= ORACLE_CELLS || c >= ORACLE_CELLS ? 0 : g->p[r][c];
}

/* A p + b of a cell without its own pressure's part, and the diagonal. */
static double oracle_rest(const oracle_grid *g, int r, int c, bool clamped, double *diagonal) {
    double k = g->dt / (g->h * g->h), w = g->open_u[r][c] * g->mass_u[r][c],
           e = g->open_u[r][c + 1] * g->mass_u[r][c + 1];
    double s = g->open_v[r][c] * g->mass_v[r][c], n = g->open_v[r + 1][c] * g->mass_v[r + 1][c];
    double lacks = 0.99 * g->room[r][c] - g->density[r][c];
    if (clamped) lacks = fmax(0, lacks);
    double b = lacks + g->dt / g->h * (e * g->u[r][c + 1] - w * g->u[r][c] + n * g->v[r + 1][c] - s * g->v[r][c]);
    *diagonal = w + e + s + n > 0 ? k * (w + e + s + n) + g->compliance * k : 0;
    return b - k * (w * oracle_p(g, r, c - 1) + e * oracle_p(g, r, c + 1) + s * oracle_p(g, r - 1, c) +
                    n * oracle_p(g, r + 1, c));
}

static void oracle_psolve(oracle_grid *g, bool clamped) {
    double change = 1;
    for (int r = 0; r < ORACLE_CELLS; r++) {
        for (int c = 0; c < ORACLE_CELLS; c++) g->p[r][c] = 0;
    }
    for (int sweep = 0; sweep < 200000 && change > 1e-12; sweep++) {
        change = 0;
        for (int r = 0; r < ORACLE_CELLS; r++) {
            for (int c = 0; c < ORACLE_CELLS; c++) {
                double diagonal, rest = oracle_rest(g, r, c, clamped, &diagonal);
                double p = diagonal > 0 ? fmax(0, -rest / diagonal) : 0;
                change = fmax(change, fabs(p - g->p[r][c]) * diagonal);
                g->p[r][c] = p;
                g->z[r][c] = rest + diagonal * p;
            }
        }
    }
    for (int r = 0; r < ORACLE_CELLS; r++) {
        for (int c = 0; c < ORACLE_CELLS; c++) {
            double across = (g->p[r][c] - oracle_p(g, r, c - 1)) / g->h,
                   up = (g->p[r][c] - oracle_p(g, r - 1, c)) / g->h;
            g->u[r][c] = g->open_u[r][c] * g->mass_u[r][c] > 0 ? g->u[r][c] - across : 0;
            g->v[r][c] = g->open_v[r][c] * g->mass_v[r][c] > 0 ? g->v[r][c] - up : 0;
        }
    }
}

static double oracle_pace(double along, double aside, double wanted, bool only_slower) {
    double speed = hypot(along, aside);
    return speed > (only_slower ? wanted : 0.01 * wanted) ? along * wanted / speed : along;
}

static double oracle_fill(const oracle_grid *g, int r, int c) {
    if (r < 0 || c < 0) return 0;
    return g->density[r][c] < g->room[r][c] ? g->density[r][c] / g->room[r][c] : g->density[r][c] > 0;
}

/* How fast a face is to be: as its mean, or as its people, as the fourth power of how full it is there tells. */
static double oracle_cruise(double still, double speed, double fill) { return still + pow(fill, 4) * (speed - still); }

static void oracle_renorm(oracle_grid *g, bool only_slower) {
    static oracle_grid old;
    old = *g;
    for (int r = 0; r < ORACLE_CELLS; r++) {
        for (int c = 0; c < ORACLE_CELLS; c++) {
            /* the faces at the edge of the grid are walls */
            double v = c == 0 ? 0 : (old.v[r][c] + old.v[r][c - 1] + old.v[r + 1][c] + old.v[r + 1][c - 1]) / 4;
            double u = r == 0 ? 0 : (old.u[r][c] + old.u[r][c + 1] + old.u[r - 1][c] + old.u[r - 1][c + 1]) / 4;
            double here = oracle_fill(g, r, c), west = oracle_fill(g, r, c - 1), south = oracle_fill(g, r - 1, c);
            double along = oracle_cruise(g->still_u[r][c], g->speed_u[r][c], (here + west) / 2),
                   upward = oracle_cruise(g->still_v[r][c], g->speed_v[r][c], (here + south) / 2);
            g->u[r][c] = oracle_pace(old.u[r][c], v, only_slower ? g->speed_u[r][c] : along, only_slower);
            g->v[r][c] = oracle_pace(old.v[r][c], u, only_slower ? g->speed_v[r][c] : upward, only_slower);
        }
    }
}

/* Adds the gradient of the second pressure, so many times. */
static void oracle_lean(oracle_grid *g, double times) {
    for (int r = 0; r < ORACLE_CELLS; r++) {
        for (int c = 0; c < ORACLE_CELLS; c++) {
            double across = c == 0 ? 0 : (g->second[r][c] - g->second[r][c - 1]) / g->h,
                   up = r == 0 ? 0 : (g->second[r][c] - g->second[r - 1][c]) / g->h;
            if (g->open_u[r][c] * g->mass_u[r][c] > 0) g->u[r][c] += times * across;
            if (g->open_v[r][c] * g->mass_v[r][c] > 0) g->v[r][c] += times * up;
        }
    }
}

static void oracle_advect(oracle_grid *g) {
    for (size_t i = 0; i < g->people; i++) {
        oracle_person *q = &g->person[i];
        double fill = 0, u = 0, v = 0, mean_x = 0, mean_y = 0;
        if (q->foreign) continue;
        for (int r = 0; r <= ORACLE_CELLS; r++) {
            for (int c = 0; c <= ORACLE_CELLS; c++) {
                u += oracle_weight(g, q, 'u', r, c) * g->u[r][c];
                v += oracle_weight(g, q, 'v', r, c) * g->v[r][c];
                mean_x += oracle_weight(g, q, 'u', r, c) * g->mean_u[r][c];
                mean_y += oracle_weight(g, q, 'v', r, c) * g->mean_v[r][c];
                if (r == ORACLE_CELLS || c == ORACLE_CELLS) continue;
                fill += oracle_weight(g, q, 'c', r, c) * oracle_fill(g, r, c);
            }
        }
        q->walk_x = q->wish_x + (u - mean_x) + pow(fill, 4) * (mean_x - q->wish_x);
        q->walk_y = q->wish_y + (v - mean_y) + pow(fill, 4) * (mean_y - q->wish_y);
        double speed = hypot(q->walk_x, q->walk_y), scale = speed > q->top_speed ? q->top_speed / speed : 1;
        q->walk_x *= scale;
        q->walk_y *= scale;
    }
    for (size_t i = 0; i < g->people; i++) {
        oracle_person *q = &g->person[i];
        q->x += g->dt * q->walk_x;
        q->y += g->dt * q->walk_y;
    }
}

static void oracle_separate(oracle_grid *g) {
    for (size_t i = 0; i < g->people; i++) {
        oracle_person *q = &g->person[i];
        double sum_x = 0, sum_y = 0;
        for (size_t j = 0; j < g->people && !q->foreign; j++) {
            const oracle_person *o = &g->person[j];
            double dx = q->x - o->x, dy = q->y - o->y, d = hypot(dx, dy), wanted = g->d_sep * (q->d + o->d) / 2;
            if (j == i || d >= wanted) continue;
            double gap = (wanted - d) * (o->foreign ? 1 : 0.5);
            sum_x += gap * dx / d;
            sum_y += gap * dy / d;
        }
        double length = hypot(sum_x, sum_y), scale = length > q->d / 2 ? q->d / 2 / length : 1;
        const double turn = 1.0 / 256; /* rad to the right, against deadlocks of two who meet head-on */
        q->next_x = q->x + scale * (sum_x - turn * sum_y);
        q->next_y = q->y + scale * (sum_y + turn * sum_x);
    }
    for (size_t i = 0; i < g->people; i++) {
        g->person[i].x = g->person[i].next_x;
        g->person[i].y = g->person[i].next_y;
    }
}

/* One sub-step. Those of other models are where they are at its end. */
static void oracle_step(oracle_grid *g) {
    for (size_t i = 0; i < g->people; i++) {
        oracle_person *q = &g->person[i];
        q->walk_x = q->walk_y = 0;
        if (!q->foreign) continue;
        q->x += g->dt * q->wish_x;
        q->y += g->dt * q->wish_y;
    }
    oracle_splat(g);
    oracle_psolve(g, true);
    oracle_renorm(g, false);
    oracle_lean(g, -1);
    oracle_renorm(g, true);
    oracle_lean(g, 1);
    oracle_psolve(g, false);
    memcpy(g->second, g->p, sizeof g->second);
    oracle_advect(g);
    for (int k = 0; k < g->sweeps; k++) oracle_separate(g);
}

#endif
