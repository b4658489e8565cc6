/* move.c: from the grid back to people (eq. 3). */

#include "models/uic/uic.h"

#include <stddef.h>

#include "models/uic/weights.h"

/* Where velocities lie in a field, the rim among them. */
static void fill_rims(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) {
        throng_uic_fill_rim(s, k, offsetof(throng_uic_tile, u));
        throng_uic_fill_rim(s, k, offsetof(throng_uic_tile, v));
    }
}

/* The velocity of somebody in this sub-step, before walls and limits. */
throng_uic_velocity throng_uic_walk_one(const throng_uic *s, const throng_uic_tile *tile, uint32_t k) {
    float per_cell = (float)(1 / s->cell), fill = 0, u = 0, v = 0, x = s->want_x[k], y = s->want_y[k];
    float mean_x = 0, mean_y = 0;
    throng_uic_weights w = throng_uic_weigh(tile, s->x[k] * per_cell, s->y[k] * per_cell);
    for (int n = 0; n < 4; n++) fill += w.on_cell[n] * tile->fill[w.cell[n]];
    for (int n = 0; n < 4; n++) u += w.on_u[n] * tile->u[w.u[n]];
    for (int n = 0; n < 4; n++) v += w.on_v[n] * tile->v[w.v[n]];
    for (int n = 0; n < 4; n++) mean_x += w.on_u[n] * tile->u_mean[w.u[n]];
    for (int n = 0; n < 4; n++) mean_y += w.on_v[n] * tile->v_mean[w.v[n]];
    float bond = throng_uic_bond(fill < 1 ? fill : 1);
    return (throng_uic_velocity){x + (u - mean_x) + bond * (mean_x - x), y + (v - mean_y) + bond * (mean_y - y)};
}

static void advect_tiles(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    for (size_t position = begin; position < end; position++)
        s->tallies[worker].guarded += s->kernel->walk(s, position);
}

void throng_uic_advect(throng_uic *s) {
    throng_uic_each_tile(s, fill_rims);
    throng_uic_each_tile(s, advect_tiles);
    throng_uic_follow_images(s);
}

/* How dense the cell is that somebody has come to, or nearly so, and its pressure. */
static inline throng_uic_around around(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, float per_cell) {
    const float most = THRONG_UIC_TILE - 1;
    float c = s->x[k] * per_cell, r = s->y[k] * per_cell;
    c = c > 0 ? c : 0;
    r = r > 0 ? r : 0;
    int at = throng_uic_at((int)(r < most ? r : most), (int)(c < most ? c : most));
    float room = tile->free[at] > 0.05F ? tile->free[at] : 0.05F;
    return (throng_uic_around){tile->density[at] * (per_cell * per_cell) / (room * s->part[k]), tile->pressure[1][at]};
}

static inline void write_person(const throng_uic *s, uint32_t row, throng_uic_way way) {
    const throng_step *now = s->now;
    now->next_x[row] = now->people.x[row] + (double)way.x;
    now->next_y[row] = now->people.y[row] + (double)way.y;
    now->next_vx[row] = (double)way.walk_x / now->dt;
    now->next_vy[row] = (double)way.walk_y / now->dt;
}

/* Everybody where it has come to. */
static void arrive(throng_uic *s, size_t position) {
    const throng_uic_tile *tile = throng_uic_tile_at(s, position);
    throng_uic_around *shown = s->now->columns[0];
    const float per_cell = (float)(1 / s->cell);
    for (uint32_t k = s->first[position]; k < s->first[position + 1]; k++) {
        uint32_t number = s->who[k];
        throng_uic_way *way = &s->ways[number];
        throng_uic_way more = {s->shift_x[k], s->shift_y[k], s->want_x[k], s->want_y[k]};
        if (!s->fresh)
            more = (throng_uic_way){way->x + more.x, way->y + more.y, way->walk_x + more.walk_x,
                                    way->walk_y + more.walk_y};
        if (!s->last) {
            *way = more;
        } else if (number < s->rows && s->part[k] > 0) {
            write_person(s, number, more);
            if (s->now->wanted) shown[number] = around(s, tile, k, per_cell);
        }
    }
}

static void arrive_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    for (size_t position = begin; position < end; position++) arrive(context, position);
}

void throng_uic_arrive(throng_uic *s) {
    throng_uic_each_tile(s, arrive_tiles);
    s->fresh = false;
}
