/* move.c: from the grid back to people (eq. 3). */

#include "models/uic/uic.h"

#include <stddef.h>

#include "models/uic/weights.h"

/* Where velocities lie in a field, the rim among them. */
static void fill_rims(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    static const size_t fields[] = {offsetof(throng_uic_tile, u), offsetof(throng_uic_tile, v),
                                    offsetof(throng_uic_tile, fill)};
    for (size_t k = begin; k < end; k++) {
        for (int n = 0; n < 3; n++) throng_uic_fill_rim(s, k, fields[n]);
    }
}

/* The way of somebody in this sub-step, before walls. */
static void walk(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, float *way_x, float *way_y) {
    uint32_t i = s->who[k];
    float per_cell = (float)(1 / s->cell), x = s->wish_x[i], y = s->wish_y[i], t = (float)s->t;
    if (s->law.incompressible != 0) {
        throng_uic_weights w = throng_uic_weigh(tile, s->x[k] * per_cell, s->y[k] * per_cell);
        float fill = 0, u = 0, v = 0;
        for (int n = 0; n < 4; n++) fill += w.on_cell[n] * tile->fill[w.cell[n]];
        for (int n = 0; n < 4; n++) u += w.on_u[n] * tile->u[w.u[n]];
        for (int n = 0; n < 4; n++) v += w.on_v[n] * tile->v[w.v[n]];
        fill = fill < 1 ? fill : 1;
        x += fill * (u - x);
        y += fill * (v - y);
    }
    float speed = throng_uic_length(x, y), most = s->top_speed[i];
    float scale = speed > most ? most / speed : 1;
    *way_x = t * scale * x;
    *way_y = t * scale * y;
}

static void advect_tiles(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    for (size_t position = begin; position < end; position++) {
        const throng_uic_tile *tile = throng_uic_tile_at(s, position);
        for (uint32_t k = s->first[position]; k < s->first[position + 1]; k++) {
            uint32_t i = s->who[k];
            float way_x, way_y;
            if (s->mass[i] < 0) continue;
            walk(s, tile, k, &way_x, &way_y);
            double x = (double)way_x, y = (double)way_y;
            s->tallies[worker].guarded += throng_uic_keep_off_walls(s, i, &x, &y);
            s->gone_x[i] += (float)x;
            s->gone_y[i] += (float)y;
            s->walk_x[i] += (float)x;
            s->walk_y[i] += (float)y;
            s->x[k] += (float)x;
            s->y[k] += (float)y;
        }
    }
}

void throng_uic_advect(throng_uic *s) {
    throng_uic_each_tile(s, fill_rims);
    throng_uic_each_tile(s, advect_tiles);
    throng_uic_follow_images(s);
}
