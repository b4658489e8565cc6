/* pairs_kernel.h: everybody of a tile pushed by those who are too near, eight people of a row of bins at a time. */

#include "models/uic/uic.h"
#include "space/wide_lookup.h"

/* Eight people and what pushes them. */
typedef struct eight {
    wide8 x, y;         /* m */
    wide8 half;         /* m */
    wide8 sum_x, sum_y; /* m */
    wide8 weight;       /* of all pushes: huge for everybody who stands at the very point, oneself among them */
} eight;

/* Of the gap w - d to be taken, the part along (dx, dy): what to multiply these by, give (w / d - 1). 1 / d is good to
 * 7e-4, which is a tenth of a millimetre between people. */
static inline wide8 push_of(wide8 wanted, wide8 give, wide8 d2) {
    wide8 gap = wide8_sub(wide8_mul(wide8_mul(wanted, give), wide8_rough_inverse_root(d2)), give);
    return wide8_max(gap, wide8_all(0));
}

/* Those from one place in the line to another, in a tile that lies (offset_x, offset_y) away. There are no branches:
 * who is near whom cannot be foreseen. */
static inline void gather_eight(const throng_uic *s, bool alike, eight *e, uint32_t begin, uint32_t end, float offset_x,
                                float offset_y) {
    const float *all_x = s->x, *all_y = s->y, *all_half = s->half, *all_give = s->give;
    wide8 x = wide8_sub(e->x, wide8_all(offset_x)), y = wide8_sub(e->y, wide8_all(offset_y)), half = e->half;
    wide8 sum_x = e->sum_x, sum_y = e->sum_y, weight = e->weight;
    wide8 wanted = wide8_add(half, half), give = wide8_all(0.5F);
    for (uint32_t k = begin; k < end; k++) {
        wide8 dx = wide8_sub(x, wide8_all(all_x[k])), dy = wide8_sub(y, wide8_all(all_y[k]));
        wide8 d2 = wide8_add(wide8_mul(dx, dx), wide8_mul(dy, dy));
        if (!alike) {
            wanted = wide8_add(half, wide8_all(all_half[k]));
            give = wide8_all(all_give[k]);
        }
        wide8 push = push_of(wanted, give, d2);
        sum_x = wide8_add(sum_x, wide8_mul(push, dx));
        sum_y = wide8_add(sum_y, wide8_mul(push, dy));
        weight = wide8_add(weight, push);
    }
    e->sum_x = sum_x;
    e->sum_y = sum_y;
    e->weight = weight;
}

/* The bins from `left` to `right` of a row, which may lie in the tiles beside. */
static inline void gather_eight_row(const throng_uic *s, bool alike, size_t position, eight *e, int row, int left,
                                    int right) {
    int across = s->bins * THRONG_UIC_TILE, dr = row < 0 ? 0 : row < across ? 1 : 2;
    float side = (float)(THRONG_UIC_TILE * s->cell), up = (float)(dr - 1) * side;
    size_t stride = (size_t)across * (size_t)across + 2;
    const uint32_t *around = s->levels[0].sheets[position].around + 3 * dr;
    const uint32_t *start = s->bin_start + (row - (dr - 1) * across) * across;
    if (left < 0 && around[0] != s->tile_count) {
        const uint32_t *bin = start + around[0] * stride + left + across;
        gather_eight(s, alike, e, bin[0], bin[1], -side, up);
    }
    if (around[1] != s->tile_count) {
        const uint32_t *bin = start + around[1] * stride;
        gather_eight(s, alike, e, bin[left > 0 ? left : 0], bin[(right < across ? right : across - 1) + 1], 0, up);
    }
    if (right >= across && around[2] != s->tile_count) {
        const uint32_t *bin = start + around[2] * stride + right - across;
        gather_eight(s, alike, e, bin[0], bin[1], side, up);
    }
}

/* Those of a row from place k on, fewer than nine. */
static inline void push_eight(throng_uic *s, bool alike, size_t position, int row, uint32_t k, uint32_t end) {
    wide8 zero = wide8_all(0);
    eight e = {wide8_load(s->x + k), wide8_load(s->y + k), zero, zero, zero, zero};
    e.half = alike ? wide8_all(throng_uic_half(s, k)) : wide8_load(s->half + k);
    int left = s->bin_column[k] - 1, right = s->bin_column[end - 1] + 1;
    for (int r = row - 1; r <= row + 1; r++) gather_eight_row(s, alike, position, &e, r, left, right);
    wide8_mask in = wide8_first((int32_t)(end - k));
    /* of who stands alone, only its own weight is huge */
    wide8 own = push_of(wide8_add(e.half, e.half), wide8_all(0.5F), zero);
    unsigned stacked = wide8_bits(wide8_and(in, wide8_less(wide8_mul(own, wide8_all(1.25F)), e.weight)));
    /* nobody goes farther than half its d_min; those of other models go nowhere */
    wide8 length2 = wide8_add(wide8_mul(e.sum_x, e.sum_x), wide8_mul(e.sum_y, e.sum_y)), most;
    most = alike ? wide8_all(0.5F * s->body_most) : wide8_load(s->most + k);
    wide8 scale = wide8_mul(most, wide8_inverse_root(length2));
    scale = wide8_select(wide8_less(wide8_mul(most, most), length2), scale, wide8_all(1));
    scale = wide8_keep(wide8_and(in, wide8_less(zero, most)), scale);
    wide8 push_x = wide8_mul(scale, e.sum_x), push_y = wide8_mul(scale, e.sum_y);
    wide8_store_first(s->x_next + k, wide8_add(e.x, push_x), end - k);
    wide8_store_first(s->y_next + k, wide8_add(e.y, push_y), end - k);
    wide8_store_first(s->shift_x + k, wide8_add(wide8_load(s->shift_x + k), push_x), end - k);
    wide8_store_first(s->shift_y + k, wide8_add(wide8_load(s->shift_y + k), push_y), end - k);
    for (; stacked; stacked &= stacked - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(stacked);
        throng_uic_push_apart(s, position, row, k + lane);
    }
}

static inline void push_rows(throng_uic *s, bool alike, size_t position) {
    int across = s->bins * THRONG_UIC_TILE;
    const uint32_t *start = s->bin_start + position * ((size_t)across * (size_t)across + 2);
    for (int row = 0; row < across; row++) {
        uint32_t end = start[(row + 1) * across];
        for (uint32_t k = start[row * across]; k < end; k += 8)
            push_eight(s, alike, position, row, k, end - k < 8 ? end : k + 8);
    }
}

static void push_tile(throng_uic *s, size_t position) {
    if (s->alike)
        push_rows(s, true, position);
    else
        push_rows(s, false, position);
}
