/* walk_kernel.h: the ways of eight people by the velocity of the grid around them (eq. 3). weights.h
 * has the same one by one, with walls. */

#include "models/uic/uic.h"
#include "space/wide_lookup.h"

/* Four items of a field, each with its weight. */
static inline wide8 sample(const float *field, const wide8_whole at[4], wide8 across, wide8 up) {
    wide8 one = wide8_all(1), back = wide8_sub(one, across), down = wide8_sub(one, up);
    wide8 low = wide8_add(wide8_mul(back, wide8_lookup(field, at[0])), wide8_mul(across, wide8_lookup(field, at[1])));
    wide8 high = wide8_add(wide8_mul(back, wide8_lookup(field, at[2])), wide8_mul(across, wide8_lookup(field, at[3])));
    return wide8_add(wide8_mul(down, low), wide8_mul(up, high));
}

/* The cell of a coordinate, as a number, and where in it. */
static inline wide8 cell_of(wide8 x, wide8 *within) {
    wide8 c = wide8_of_whole(wide8_to_whole(x));
    c = wide8_min(wide8_max(c, wide8_all(0)), wide8_all(THRONG_UIC_TILE - 1));
    *within = wide8_sub(x, c);
    return c;
}

static inline wide8_whole place_of(wide8 at, float more) { return wide8_to_whole(wide8_add(at, wide8_all(more))); }

/* The velocity of the grid, and how full it is, where eight people stand. False if walls are near: then each has to be
 * looked at. */
static inline bool sample_eight(const throng_uic_tile *t, wide8 x, wide8 y, wide8 *u, wide8 *v, wide8 *fill) {
    const float up = THRONG_UIC_STRIDE;
    wide8 a, b, half = wide8_all(0.5F), c = cell_of(x, &a), r = cell_of(y, &b);
    wide8_mask east = wide8_less(half, a), north = wide8_less(half, b);
    wide8 across = wide8_select(east, wide8_sub(a, half), wide8_sub(half, a));
    wide8 above = wide8_select(north, wide8_sub(b, half), wide8_sub(half, b));
    wide8 at = wide8_add(wide8_add(wide8_mul(r, wide8_all(up)), c), wide8_all(up + 1));
    wide8 aside = wide8_add(at, wide8_select(east, wide8_all(1), wide8_all(-1)));
    wide8 over = wide8_select(north, wide8_all(up), wide8_all(-up));
    wide8_whole self = place_of(at, 0);
    if (!t->plain && wide8_bits(wide8_less(wide8_all(0), wide8_lookup(t->walled, self)))) return false;
    wide8_whole beside = place_of(aside, 0), next_row = place_of(wide8_add(at, over), 0);
    wide8_whole cells[4] = {self, beside, next_row, place_of(wide8_add(aside, over), 0)};
    wide8_whole faces_u[4] = {self, place_of(at, 1), next_row, place_of(wide8_add(at, over), 1)};
    wide8_whole faces_v[4] = {self, beside, place_of(at, up), place_of(aside, up)};
    *fill = sample(t->fill, cells, across, above);
    *u = sample(t->u, faces_u, a, above);
    *v = sample(t->v, faces_v, across, b);
    return true;
}

static void walk_tile(throng_uic *s, size_t position) {
    const throng_uic_tile *tile = throng_uic_tile_at(s, position);
    wide8 per_cell = wide8_all((float)(1 / s->cell)), t = wide8_all((float)s->t), one = wide8_all(1);
    for (uint32_t k = s->first[position]; k < s->first[position + 1]; k += 8) {
        wide8_mask in = wide8_first((int32_t)(s->first[position + 1] - k));
        wide8 x = wide8_load(s->x + k), y = wide8_load(s->y + k), u, v, fill;
        wide8 wish_x = wide8_load(s->want_x + k), wish_y = wide8_load(s->want_y + k), top = wide8_load(s->pace + k);
        if (!sample_eight(tile, wide8_mul(wide8_keep(in, x), per_cell), wide8_mul(wide8_keep(in, y), per_cell), &u, &v,
                          &fill)) {
            for (uint32_t n = k; n < s->first[position + 1] && n < k + 8; n++) throng_uic_walk_one(s, tile, n);
            continue;
        }
        fill = wide8_min(fill, one);
        wide8 vx = wide8_add(wish_x, wide8_mul(fill, wide8_sub(u, wish_x)));
        wide8 vy = wide8_add(wish_y, wide8_mul(fill, wide8_sub(v, wish_y)));
        wide8 speed = wide8_sqrt(wide8_add(wide8_mul(vx, vx), wide8_mul(vy, vy)));
        wide8 scale = wide8_select(wide8_less(top, speed), wide8_div(top, speed), one);
        scale = wide8_mul(t, wide8_keep(in, scale));
        vx = wide8_mul(scale, vx);
        vy = wide8_mul(scale, vy);
        wide8_store_first(s->shift_x + k, vx, s->first[position + 1] - k);
        wide8_store_first(s->shift_y + k, vy, s->first[position + 1] - k);
    }
}
