/* splat_kernel.h: everybody of a tile shared out among cells and faces. Weights of eight people at a
 * time, then person by person. weights.h has the same one by one, with walls. */

#include <stddef.h>

#include "models/uic/uic.h"
#include "space/wide_lookup.h"

/* Weights of four places for eight people. */
typedef struct shares {
    float of[4][8];
} shares;

static inline void share_eight(shares *w, wide8 across, wide8 up) {
    wide8 one = wide8_all(1), back = wide8_sub(one, across), down = wide8_sub(one, up);
    wide8_store(w->of[0], wide8_mul(back, down));
    wide8_store(w->of[1], wide8_mul(across, down));
    wide8_store(w->of[2], wide8_mul(back, up));
    wide8_store(w->of[3], wide8_mul(across, up));
}

/* Where eight people stand: the cell, the ways to the next ones, and all weights. */
typedef struct standing {
    int32_t at[8], aside[8], over[8];
    shares cell, u, v;
    float mass[8], momentum_x[8], momentum_y[8], speed[8];
} standing;

static inline wide8 cell_and_rest(wide8 x, wide8 *within) {
    wide8 c = wide8_of_whole(wide8_to_whole(x));
    c = wide8_min(wide8_max(c, wide8_all(0)), wide8_all(THRONG_UIC_TILE - 1));
    *within = wide8_sub(x, c);
    return c;
}

/* False if walls are near: then each has to be looked at. */
static inline bool stand(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, uint32_t count, standing *e) {
    const float up = THRONG_UIC_STRIDE;
    wide8_mask in = wide8_first((int32_t)count);
    wide8 per_cell = wide8_all((float)(1 / s->cell)), half = wide8_all(0.5F), a, b;
    wide8 c = cell_and_rest(wide8_mul(wide8_keep(in, wide8_load(s->x + k)), per_cell), &a);
    wide8 r = cell_and_rest(wide8_mul(wide8_keep(in, wide8_load(s->y + k)), per_cell), &b);
    wide8_mask east = wide8_less(half, a), north = wide8_less(half, b);
    wide8 across = wide8_select(east, wide8_sub(a, half), wide8_sub(half, a));
    wide8 above = wide8_select(north, wide8_sub(b, half), wide8_sub(half, b));
    wide8 at = wide8_add(wide8_add(wide8_mul(r, wide8_all(up)), c), wide8_all(up + 1));
    wide8_whole self = wide8_to_whole(at);
    if (!tile->plain && wide8_bits(wide8_less(wide8_all(0), wide8_lookup(tile->walled, self)))) return false;
    wide8_whole_store(e->at, self);
    wide8_whole_store(e->aside, wide8_to_whole(wide8_select(east, wide8_all(1), wide8_all(-1))));
    wide8_whole_store(e->over, wide8_to_whole(wide8_select(north, wide8_all(up), wide8_all(-up))));
    share_eight(&e->cell, across, above);
    share_eight(&e->u, a, above);
    share_eight(&e->v, across, b);
    wide8 m = wide8_load(s->part + k), x = wide8_load(s->want_x + k), y = wide8_load(s->want_y + k);
    wide8_store(e->mass, m);
    wide8_store(e->momentum_x, wide8_mul(m, x));
    wide8_store(e->momentum_y, wide8_mul(m, y));
    wide8_store(e->speed, wide8_mul(m, wide8_sqrt(wide8_add(wide8_mul(x, x), wide8_mul(y, y)))));
    return true;
}

static inline void add_face(throng_uic_face *face, float weight, wide4 q) {
    wide4_store(&face->mass, wide4_add(wide4_load(&face->mass), wide4_mul(wide4_all(weight), q)));
}

static inline void splat_lane(throng_uic_tile *t, const standing *e, int n) {
    int at = e->at[n], aside = at + e->aside[n], over = e->over[n];
    float m = e->mass[n];
    float *cells = m < 0 ? t->foreign : t->density, size = m < 0 ? -m : m;
    cells[at] += size * e->cell.of[0][n];
    cells[aside] += size * e->cell.of[1][n];
    cells[at + over] += size * e->cell.of[2][n];
    cells[aside + over] += size * e->cell.of[3][n];
    if (m < 0) return;
    wide4 q = wide4_of(m, e->momentum_x[n], e->momentum_y[n], e->speed[n]);
    throng_uic_face *u = t->splat_u + at, *v = t->splat_v;
    add_face(u, e->u.of[0][n], q);
    add_face(u + 1, e->u.of[1][n], q);
    add_face(u + over, e->u.of[2][n], q);
    add_face(u + over + 1, e->u.of[3][n], q);
    add_face(v + at, e->v.of[0][n], q);
    add_face(v + aside, e->v.of[1][n], q);
    add_face(v + at + THRONG_UIC_STRIDE, e->v.of[2][n], q);
    add_face(v + aside + THRONG_UIC_STRIDE, e->v.of[3][n], q);
}

static void splat_tile(throng_uic *s, size_t position) {
    throng_uic_tile *tile = throng_uic_tile_at(s, position);
    standing e;
    for (uint32_t k = s->first[position]; k < s->first[position + 1]; k += 8) {
        uint32_t left = s->first[position + 1] - k, count = left < 8 ? left : 8;
        if (stand(s, tile, k, count, &e)) {
            for (uint32_t n = 0; n < count; n++) splat_lane(tile, &e, (int)n);
        } else {
            for (uint32_t n = 0; n < count; n++) throng_uic_splat_one(s, tile, k + n);
        }
    }
}
