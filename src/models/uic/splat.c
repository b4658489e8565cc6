/* splat.c: from people to the grid (eq. 1, 2).
 *
 * Everybody is shared out among the four cells whose middles are around it, and among four faces of either kind, by
 * bilinear weights. What would go through a wall stays on this side: between the cell somebody stands in and the next
 * one a weight counts as much as the face between them is open. */

#include "models/uic/uic.h"

#include <stddef.h>
#include <string.h>

#include "models/uic/weights.h"

void throng_uic_splat_one(throng_uic *s, throng_uic_tile *tile, uint32_t place) {
    float per_cell = (float)(1 / s->cell), m = s->part[place], x = s->want_x[place], y = s->want_y[place];
    throng_uic_weights w = throng_uic_weigh(tile, s->x[place] * per_cell, s->y[place] * per_cell);
    if (m < 0) {
        for (int n = 0; n < 4; n++) tile->foreign[w.cell[n]] -= m * w.on_cell[n];
        return;
    }
    float on[4] = {m, m * x, m * y, m * throng_uic_length(x, y)};
    for (int n = 0; n < 4; n++) tile->density[w.cell[n]] += m * w.on_cell[n];
    for (int n = 0; n < 4; n++) {
        float *u = &tile->splat_u[w.u[n]].mass, *v = &tile->splat_v[w.v[n]].mass;
        for (int q = 0; q < 4; q++) u[q] += w.on_u[n] * on[q];
        for (int q = 0; q < 4; q++) v[q] += w.on_v[n] * on[q];
    }
}

/* Everybody of a tile; what lies beyond its border gathers in the rim. */
static void splat_people(throng_uic *s, size_t position) {
    throng_uic_tile *tile = throng_uic_tile_at(s, position);
    memset(tile->density, 0, sizeof tile->density);
    memset(tile->foreign, 0, sizeof tile->foreign);
    memset(tile->splat_u, 0, sizeof tile->splat_u);
    memset(tile->splat_v, 0, sizeof tile->splat_v);
    s->kernel->splat(s, position);
}

static void splat_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) splat_people(s, k);
}

/* --- what gathered in the rims of the tiles around belongs to this one */

/* The part of the rim of the tile (dr, dc) away that lies in this one: rows and columns here, and how much to add to
 * get to that tile's. */
typedef struct strip {
    int row, row_end, column, column_end, offset;
} strip;

static strip strip_of(int dr, int dc) {
    enum { LAST = THRONG_UIC_TILE - 1, END = THRONG_UIC_TILE };
    strip t;
    t.row = dr > 0 ? LAST : 0;
    t.row_end = dr < 0 ? 1 : END;
    t.column = dc > 0 ? LAST : 0;
    t.column_end = dc < 0 ? 1 : END;
    t.offset = -dr * THRONG_UIC_TILE * THRONG_UIC_STRIDE - dc * THRONG_UIC_TILE;
    return t;
}

static void add_field(float *to, const float *from, strip t) {
    for (int r = t.row; r < t.row_end; r++) {
        for (int c = t.column; c < t.column_end; c++) {
            int at = throng_uic_at(r, c);
            to[at] += from[at + t.offset];
        }
    }
}

static void add_faces(throng_uic_face *to, const throng_uic_face *from, strip t) {
    for (int r = t.row; r < t.row_end; r++) {
        for (int c = t.column; c < t.column_end; c++) {
            int at = throng_uic_at(r, c);
            const throng_uic_face *f = &from[at + t.offset];
            to[at].mass += f->mass;
            to[at].momentum_x += f->momentum_x;
            to[at].momentum_y += f->momentum_y;
            to[at].speed += f->speed;
        }
    }
}

static void collect_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_tile *tile = throng_uic_tile_at(s, k);
        for (int n = 0; n < 9; n++) {
            uint32_t other = s->levels[0].sheets[k].around[n];
            if (n == 4 || other == s->tile_count) continue;
            const throng_uic_tile *from = throng_uic_tile_at(s, other);
            strip t = strip_of(n / 3 - 1, n % 3 - 1);
            add_field(tile->density, from->density, t);
            add_field(tile->foreign, from->foreign, t);
            add_faces(tile->splat_u, from->splat_u, t);
            add_faces(tile->splat_v, from->splat_v, t);
        }
    }
}

/* --- densities and velocities */

static void divide(const throng_uic_face *splat, bool upright, const float *open, float *mass, float *velocity,
                   float *speed) {
    for (int r = 0; r < THRONG_UIC_TILE; r++) {
        for (int c = 0; c < THRONG_UIC_TILE; c++) {
            int at = throng_uic_at(r, c);
            bool flows = splat[at].mass > 0 && open[at] > 0;
            float scale = flows ? 1 / splat[at].mass : 0;
            mass[at] = splat[at].mass;
            velocity[at] = (upright ? splat[at].momentum_y : splat[at].momentum_x) * scale;
            speed[at] = splat[at].speed * scale;
        }
    }
}

static void finish_tiles(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    throng_uic_tally *tally = &s->tallies[worker];
    for (size_t k = begin; k < end; k++) {
        throng_uic_tile *tile = throng_uic_tile_at(s, k);
        divide(tile->splat_u, false, tile->open_u, tile->mass_u, tile->u, tile->speed_u);
        divide(tile->splat_v, true, tile->open_v, tile->mass_v, tile->v, tile->speed_v);
        for (int r = 0; r < THRONG_UIC_TILE; r++) {
            for (int c = 0; c < THRONG_UIC_TILE; c++) {
                int at = throng_uic_at(r, c);
                float room = tile->free[at] - tile->foreign[at], density = tile->density[at];
                room = room > 0 ? room : 0;
                tile->room[at] = room;
                tile->fill[at] = density < room ? density / room : density > 0 ? 1 : 0;
                double full = room > 0.5F ? (double)density / (double)room : 0;
                tally->fullest = full > tally->fullest ? full : tally->fullest;
            }
        }
    }
}

void throng_uic_splat(throng_uic *s) {
    throng_uic_each_tile(s, splat_tiles);
    throng_uic_each_tile(s, collect_tiles);
    throng_uic_each_tile(s, finish_tiles);
    s->counts.fullest_now = 0;
    for (size_t w = 0; w < s->workers; w++) {
        double full = s->tallies[w].fullest;
        s->counts.fullest_now = full > s->counts.fullest_now ? full : s->counts.fullest_now;
        s->tallies[w].fullest = 0;
    }
    if (s->counts.fullest_now > s->counts.fullest) s->counts.fullest = s->counts.fullest_now;
}
