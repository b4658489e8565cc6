/* walk_kernel.h: the ways of eight people by the velocity of the grid around them (eq. 3). weights.h
 * has the same one by one, for cells that walls divide. */

#include "models/uic/footing_kernel.h"

/* Two items of a field side by side, and two of another row, for each of eight people: those that (west, south) and
 * (west, north) name and those at the east of them, with weights. */
WIDE8_INLINE wide8 sample(const float *field, wide8 south, wide8 north, wide8 on_west, wide8 on_east, wide8 on_south,
                          wide8 on_north) {
    wide8 low_west, low_east, high_west, high_east;
    wide8_lookup_pairs(field, wide8_to_whole(south), &low_west, &low_east);
    wide8_lookup_pairs(field, wide8_to_whole(north), &high_west, &high_east);
    wide8 low = wide8_add(wide8_mul(on_west, low_west), wide8_mul(on_east, low_east));
    wide8 high = wide8_add(wide8_mul(on_west, high_west), wide8_mul(on_east, high_east));
    return wide8_add(wide8_mul(on_south, low), wide8_mul(on_north, high));
}

/* What the grid knows where eight people stand. */
typedef struct around_eight {
    wide8 u, v, mean_u, mean_v, fill;
} around_eight;

/* Which of the rows comes first does not matter. */
WIDE8_INLINE void sample_eight(const throng_uic_tile *t, const footing *f, around_eight *a) {
    wide8 one = wide8_all(1), zero = wide8_all(0), back = wide8_sub(one, f->across), down = wide8_sub(one, f->above);
    wide8_mask east = wide8_less(zero, f->aside);
    wide8 on_west = wide8_select(east, back, f->across), on_east = wide8_select(east, f->across, back);
    wide8 west = wide8_add(f->at, wide8_min(f->aside, zero));
    wide8 stay = wide8_sub(one, f->a), low = wide8_sub(one, f->b), up = wide8_add(west, wide8_all(THRONG_UIC_STRIDE));
    wide8 over = wide8_add(f->at, f->over);
    a->fill = sample(t->fill, west, wide8_add(west, f->over), on_west, on_east, down, f->above);
    a->u = sample(t->u, f->at, over, stay, f->a, down, f->above);
    a->v = sample(t->v, west, up, on_west, on_east, low, f->b);
    a->mean_u = sample(t->u_mean, f->at, over, stay, f->a, down, f->above);
    a->mean_v = sample(t->v_mean, west, up, on_west, on_east, low, f->b);
}

/* The velocities of eight people, before limits. */
WIDE8_INLINE void velocity_of_eight(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, wide8_mask in,
                                    wide8 *vx, wide8 *vy) {
    wide8 per_cell = wide8_all((float)(1 / s->cell)), x = wide8_load_where(s->x + k, in);
    wide8 y = wide8_load_where(s->y + k, in);
    *vx = wide8_load_where(s->want_x + k, in);
    *vy = wide8_load_where(s->want_y + k, in);
    if (s->law.incompressible == 0) return;
    footing f = stand_on(tile, wide8_mul(x, per_cell), wide8_mul(y, per_cell));
    around_eight a;
    sample_eight(tile, &f, &a);
    wide8 fill = wide8_min(a.fill, wide8_all(1)), square = wide8_mul(fill, fill), bond = wide8_mul(square, square);
    wide8 own_x = *vx, own_y = *vy;
    *vx = wide8_add(wide8_add(own_x, wide8_sub(a.u, a.mean_u)), wide8_mul(bond, wide8_sub(a.mean_u, own_x)));
    *vy = wide8_add(wide8_add(own_y, wide8_sub(a.v, a.mean_v)), wide8_mul(bond, wide8_sub(a.mean_v, own_y)));
    unsigned divided = f.divided & wide8_bits(in);
    if (!divided) return;
    float lanes_x[8], lanes_y[8];
    wide8_store(lanes_x, *vx);
    wide8_store(lanes_y, *vy);
    for (; divided; divided &= divided - 1) {
        int lane = __builtin_ctz(divided);
        throng_uic_velocity one = throng_uic_walk_one(s, tile, k + (uint32_t)lane);
        lanes_x[lane] = one.x;
        lanes_y[lane] = one.y;
    }
    *vx = wide8_load(lanes_x);
    *vy = wide8_load(lanes_y);
}

/* The part of a cell that a coordinate lies in. */
static inline wide8 part_of(wide8 at, wide8 per_part) {
    wide8 part = wide8_min(wide8_max(wide8_mul(at, per_part), wide8_all(0)), wide8_all(THRONG_UIC_PARTS - 1));
    return wide8_of_whole(wide8_to_whole(part));
}

/* Notes how far eight people at (x, y) may go without meeting a wall; returns as bits who of them may meet one on a way
 * (dx, dy). Most are so far away that the part of a cell they are in knows. */
WIDE8_INLINE unsigned meet_walls(throng_uic *s, const throng_uic_tile *tile, uint32_t k, uint32_t count, wide8_mask in,
                                 wide8 x, wide8 y, wide8 way2) {
    wide8 per_part = wide8_all((float)(THRONG_UIC_FINE / s->cell)), zero = wide8_all(0);
    wide8_whole at =
        wide8_to_whole(wide8_add(wide8_mul(part_of(y, per_part), wide8_all(THRONG_UIC_PARTS)), part_of(x, per_part)));
    float radius[8];
    for (uint32_t lane = 0; lane < 8 && !s->one_radius; lane++)
        radius[lane] = lane < count ? (float)s->now->people.radius[throng_uic_row(s, s->who[k + lane])] : 0;
    wide8 bodies = s->one_radius ? wide8_all(s->radius_most) : wide8_load(radius);
    wide8 clear = wide8_max(wide8_sub(wide8_lookup(tile->clear, at), bodies), zero);
    wide8 much = wide8_mul(wide8_all(0.6F), s->alike ? wide8_all(0.5F * s->body_most) : wide8_load(s->most + k));
    unsigned close = wide8_bits(wide8_and(in, wide8_less(clear, much)));
    if (tile->far || !s->first_substep) close = wide8_bits(in);
    float clear2[8];
    wide8_store(clear2, wide8_mul(clear, clear));
    for (uint32_t lane = 0; lane < (count < 8 ? count : 8); lane++) s->beside[k + lane] = THRONG_UIC_NO_WALL;
    for (; close; close &= close - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(close);
        clear2[lane] = throng_uic_look_for_walls(s, k + lane, tile->far);
    }
    wide8 free = wide8_load(clear2);
    wide8_store_first(s->clear2 + k, free, count);
    return wide8_bits(wide8_and_not(in, wide8_less(way2, free)));
}

static uint64_t walk_tile(throng_uic *s, size_t position) {
    const throng_uic_tile *tile = throng_uic_tile_at(s, position);
    wide8 t = wide8_all((float)s->t), one = wide8_all(1);
    uint32_t end = s->first[position + 1];
    uint64_t stopped = 0;
    for (uint32_t k = s->first[position]; k < end; k += 8) {
        wide8_mask in = wide8_first((int32_t)(end - k));
        wide8 x = wide8_load_where(s->x + k, in), y = wide8_load_where(s->y + k, in), top = wide8_load(s->pace + k), vx,
              vy;
        velocity_of_eight(s, tile, k, in, &vx, &vy);
        wide8 speed = wide8_sqrt(wide8_add(wide8_mul(vx, vx), wide8_mul(vy, vy)));
        wide8 scale = wide8_select(wide8_less(top, speed), wide8_div(top, speed), one);
        /* those of other models walk by themselves */
        in = wide8_and(in, wide8_less(wide8_all(0), wide8_load(s->part + k)));
        scale = wide8_mul(t, scale);
        vx = wide8_keep(in, wide8_mul(scale, vx));
        vy = wide8_keep(in, wide8_mul(scale, vy));
        unsigned meets = 0;
        if (!tile->plain || tile->far)
            meets = meet_walls(s, tile, k, end - k, in, x, y, wide8_add(wide8_mul(vx, vx), wide8_mul(vy, vy)));
        wide8_store_first(s->shift_x + k, vx, end - k);
        wide8_store_first(s->shift_y + k, vy, end - k);
        wide8_store_first(s->x + k, wide8_add(x, vx), end - k);
        wide8_store_first(s->y + k, wide8_add(y, vy), end - k);
        if (meets) stopped += throng_uic_keep_some_off_walls(s, k, meets, s->x, s->y);
        wide8_store_first(s->want_x + k, wide8_load_where(s->shift_x + k, in), end - k);
        wide8_store_first(s->want_y + k, wide8_load_where(s->shift_y + k, in), end - k);
    }
    return stopped;
}
