/* splat_kernel.h: everybody of a tile shared out among cells and faces. Weights of eight people at a
 * time, then person by person. weights.h has the same one by one, for cells that walls divide. */

#include <stddef.h>

#include "models/uic/footing_kernel.h"

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

/* Returns, as bits, for whom of them that will not do. */
WIDE8_INLINE unsigned stand(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, uint32_t count, standing *e) {
    wide8_mask in = wide8_first((int32_t)count);
    wide8 per_cell = wide8_all((float)(1 / s->cell));
    footing f = stand_on(tile, wide8_mul(wide8_keep(in, wide8_load(s->x + k)), per_cell),
                         wide8_mul(wide8_keep(in, wide8_load(s->y + k)), per_cell));
    wide8_whole_store(e->at, wide8_to_whole(f.at));
    wide8_whole_store(e->aside, wide8_to_whole(f.aside));
    wide8_whole_store(e->over, wide8_to_whole(f.over));
    share_eight(&e->cell, f.across, f.above);
    share_eight(&e->u, f.a, f.above);
    share_eight(&e->v, f.across, f.b);
    wide8 m = wide8_load(s->part + k), x = wide8_load(s->want_x + k), y = wide8_load(s->want_y + k);
    wide8_store(e->mass, m);
    wide8_store(e->momentum_x, wide8_mul(m, x));
    wide8_store(e->momentum_y, wide8_mul(m, y));
    wide8_store(e->speed, wide8_mul(m, wide8_sqrt(wide8_add(wide8_mul(x, x), wide8_mul(y, y)))));
    return f.divided;
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
        unsigned divided = stand(s, tile, k, count, &e);
        for (uint32_t n = 0; n < count; n++) {
            if (divided >> n & 1)
                throng_uic_splat_one(s, tile, k + n);
            else
                splat_lane(tile, &e, (int)n);
        }
    }
}
