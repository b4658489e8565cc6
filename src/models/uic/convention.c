/* convention.c: walking on the right, if that is asked for (named as future work in sec. 5.2).
 *
 * Where people around want to go different ways, the mean of what they want is shorter than how fast they want to walk;
 * in the crowd everybody then turns its wish to the right, the more so the fuller it is. Opposite streams come past
 * each other on the right sides; who walks with all others walks on straight. */

#include <stddef.h>

#include "models/uic/uic.h"
#include "models/uic/weights.h"

static void fill_rims(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    static const size_t fields[] = {offsetof(throng_uic_tile, u), offsetof(throng_uic_tile, v),
                                    offsetof(throng_uic_tile, speed_u), offsetof(throng_uic_tile, speed_v),
                                    offsetof(throng_uic_tile, fill)};
    for (size_t k = begin; k < end; k++) {
        for (int n = 0; n < 5; n++) throng_uic_fill_rim(context, k, fields[n]);
    }
}

static float sample(const float *field, const int *at, const float *weight) {
    float sum = 0;
    for (int n = 0; n < 4; n++) sum += weight[n] * field[at[n]];
    return sum;
}

static void turn(throng_uic *s, const throng_uic_tile *tile, uint32_t k) {
    float per_cell = (float)(1 / s->cell), x = s->want_x[k], y = s->want_y[k];
    throng_uic_weights w = throng_uic_weigh(tile, s->x[k] * per_cell, s->y[k] * per_cell);
    float u = sample(tile->u, w.u, w.on_u), v = sample(tile->v, w.v, w.on_v),
          fill = sample(tile->fill, w.cell, w.on_cell);
    float speed = 0.5F * (sample(tile->speed_u, w.u, w.on_u) + sample(tile->speed_v, w.v, w.on_v));
    float apart = speed > 0 ? 1 - throng_uic_length(u, v) / speed : 0;
    if (!(apart > 0) || s->part[k] < 0) return;
    float angle = (float)s->law.keep_right * apart * (fill < 1 ? fill : 1), scale = 1 / sqrtf(1 + angle * angle);
    s->want_x[k] = scale * (x + angle * y);
    s->want_y[k] = scale * (y - angle * x);
}

static void turn_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t position = begin; position < end; position++) {
        const throng_uic_tile *tile = throng_uic_tile_at(s, position);
        for (uint32_t k = s->first[position]; k < s->first[position + 1]; k++) turn(s, tile, k);
    }
}

void throng_uic_keep_right(throng_uic *s) {
    throng_uic_each_tile(s, fill_rims);
    throng_uic_each_tile(s, turn_tiles);
    throng_uic_splat(s);
}
