/* pairs_kernel.h: everybody of a tile pushed by those who are too near, eight people of a row of bins at a time.
 *
 * Those in the bins around are gathered first, side by side and as seen from this tile; then it is found who of them is
 * near anybody at all, which is a minority; then what they push. None of the three has a branch that depends on
 * who is where: that cannot be foreseen. */

#include <string.h>

#include "models/uic/uic.h"
#include "space/wide_lookup.h"

enum { GATHERED_MOST = 128 }; /* at a time; and eight more are written */

/* Those around. */
typedef struct others {
    uint32_t count;
    int32_t self; /* the first of the eight is, or would be, at this place among them */
    float x[GATHERED_MOST + 8], y[GATHERED_MOST + 8], half[GATHERED_MOST + 8], give[GATHERED_MOST + 8];
    uint8_t near[GATHERED_MOST + 8]; /* places of those who are near */
} others;

/* Eight people and what pushes them. */
typedef struct eight {
    wide8 x, y;         /* m */
    wide8 half;         /* m */
    wide8 sum_x, sum_y; /* m */
    wide8 weight;       /* of all pushes: huge for everybody who stands at the very point */
    unsigned in;        /* bits: who there is */
    unsigned met;       /* bits: who has met itself among those who are near */
    bool any;           /* somebody was near */
} eight;

/* Bit n for the place of the n-th of the eight, which is GATHERED_MOST + n here; 0 for all others. */
static const uint8_t self_bits[2 * GATHERED_MOST + 8] = {
    [GATHERED_MOST] = 1,      [GATHERED_MOST + 1] = 2,  [GATHERED_MOST + 2] = 4,  [GATHERED_MOST + 3] = 8,
    [GATHERED_MOST + 4] = 16, [GATHERED_MOST + 5] = 32, [GATHERED_MOST + 6] = 64, [GATHERED_MOST + 7] = 128};

static inline const uint8_t *self_among(const others *o) {
    bool there = o->self > -8 && o->self < GATHERED_MOST;
    return there ? self_bits + GATHERED_MOST - o->self : self_bits + GATHERED_MOST + 8;
}

/* Who of those gathered is nearer to any of the eight, but for itself, than both want. Returns how many. */
WIDE8_INLINE uint32_t find_near(others *o, bool alike, const eight *e) {
    wide8 x = e->x, y = e->y, half = e->half, wanted = wide8_add(half, half), wanted2 = wide8_mul(wanted, wanted);
    const uint8_t *self = self_among(o);
    uint32_t count = 0, all = o->count;
    unsigned in = e->in;
    for (uint32_t k = 0; k < all; k++) {
        wide8 dx = wide8_sub(x, wide8_all(o->x[k])), dy = wide8_sub(y, wide8_all(o->y[k]));
        wide8 d2 = wide8_add(wide8_mul(dx, dx), wide8_mul(dy, dy));
        if (!alike) {
            wanted = wide8_add(half, wide8_all(o->half[k]));
            wanted2 = wide8_mul(wanted, wanted);
        }
        unsigned bits = wide8_bits(wide8_less(d2, wanted2)) & in & ~(unsigned)self[k];
        o->near[count] = (uint8_t)k;
        count += bits != 0;
    }
    return count;
}

/* Of the gap w - d to be taken, the part along (dx, dy): what to multiply these by, give (w / d - 1). 1 / d is good to
 * 7e-4, which is a tenth of a millimetre between people. */
static inline wide8 push_of(wide8 wanted, wide8 give, wide8 d2) {
    wide8 gap = wide8_sub(wide8_mul(wide8_mul(wanted, give), wide8_rough_inverse_root(d2)), give);
    return wide8_max(gap, wide8_all(0));
}

/* What those gathered push; there are none afterwards. */
WIDE8_INLINE void add_pushes(others *o, bool alike, eight *e) {
    uint32_t count = find_near(o, alike, e);
    const uint8_t *self = self_among(o);
    wide8 x = e->x, y = e->y, half = e->half, sum_x = e->sum_x, sum_y = e->sum_y, weight = e->weight;
    wide8 wanted = wide8_add(half, half), give = wide8_all(0.5F);
    unsigned met = e->met;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t k = o->near[n];
        wide8 dx = wide8_sub(x, wide8_all(o->x[k])), dy = wide8_sub(y, wide8_all(o->y[k]));
        wide8 d2 = wide8_add(wide8_mul(dx, dx), wide8_mul(dy, dy));
        if (!alike) {
            wanted = wide8_add(half, wide8_all(o->half[k]));
            give = wide8_all(o->give[k]);
        }
        wide8 push = push_of(wanted, give, d2);
        sum_x = wide8_add(sum_x, wide8_mul(push, dx));
        sum_y = wide8_add(sum_y, wide8_mul(push, dy));
        weight = wide8_add(weight, push);
        met |= self[k];
    }
    e->sum_x = sum_x;
    e->sum_y = sum_y;
    e->weight = weight;
    e->met = met;
    e->any |= count > 0;
    o->self -= (int32_t)o->count;
    o->count = 0;
}

/* Those from one place in the line to another, in a tile that lies (offset_x, offset_y) away. */
WIDE8_INLINE void gather(const throng_uic *s, others *o, bool alike, eight *e, uint32_t begin, uint32_t end,
                         float offset_x, float offset_y) {
    wide8 right = wide8_all(offset_x), up = wide8_all(offset_y);
    while (begin < end) {
        if (o->count == GATHERED_MOST) add_pushes(o, alike, e);
        uint32_t room = GATHERED_MOST - o->count, some = end - begin < room ? end - begin : room;
        for (uint32_t k = 0; k < some; k += 8) {
            uint32_t to = o->count + k, from = begin + k;
            wide8_store(o->x + to, wide8_add(wide8_load(s->x + from), right));
            wide8_store(o->y + to, wide8_add(wide8_load(s->y + from), up));
            if (alike) continue;
            wide8_store(o->half + to, wide8_load(s->half + from));
            wide8_store(o->give + to, wide8_load(s->give + from));
        }
        o->count += some;
        begin += some;
    }
}

/* The bins from `left` to `right` of a row, which may lie in the tiles beside. */
WIDE8_INLINE void gather_row(const throng_uic *s, others *o, bool alike, size_t position, eight *e, int row, int left,
                             int right) {
    int across = s->bins * THRONG_UIC_TILE, dr = row < 0 ? 0 : row < across ? 1 : 2;
    float side = (float)(THRONG_UIC_TILE * s->cell), up = (float)(dr - 1) * side;
    size_t stride = (size_t)across * (size_t)across + 2;
    const uint32_t *around = s->levels[0].sheets[position].around + 3 * dr;
    const uint32_t *start = s->bin_start + (row - (dr - 1) * across) * across;
    if (left < 0 && around[0] != s->tile_count) {
        const uint32_t *bin = start + around[0] * stride + left + across;
        gather(s, o, alike, e, bin[0], bin[1], -side, up);
    }
    if (around[1] != s->tile_count) {
        const uint32_t *bin = start + around[1] * stride;
        gather(s, o, alike, e, bin[left > 0 ? left : 0], bin[(right < across ? right : across - 1) + 1], 0, up);
    }
    if (right >= across && around[2] != s->tile_count) {
        const uint32_t *bin = start + around[2] * stride + right - across;
        gather(s, o, alike, e, bin[0], bin[1], side, up);
    }
}

/* All that pushes those of a row from place k on. */
WIDE8_INLINE eight gather_all(const throng_uic *s, bool alike, size_t position, int row, uint32_t k, uint32_t end) {
    wide8 zero = wide8_all(0);
    eight e = {wide8_load(s->x + k), wide8_load(s->y + k), zero, zero, zero, zero, 0, 0, false};
    others o;
    e.half = alike ? wide8_all(throng_uic_half(s, k)) : wide8_load(s->half + k);
    e.in = end - k < 8 ? (1U << (end - k)) - 1 : 0xFF;
    o.count = 0;
    o.self = INT32_MAX;
    int left = s->bin_column[k] - 1, right = s->bin_column[end - 1] + 1, across = s->bins * THRONG_UIC_TILE;
    gather_row(s, &o, alike, position, &e, row - 1, left, right);
    /* of its own row come first those in the tile at the left, then those in the bins before */
    const uint32_t *start = s->bin_start + position * ((size_t)across * (size_t)across + 2) + row * across;
    uint32_t before = k - start[left > 0 ? left : 0];
    const uint32_t *around = s->levels[0].sheets[position].around;
    if (left < 0 && around[3] != s->tile_count) {
        const uint32_t *bin =
            s->bin_start + around[3] * ((size_t)across * (size_t)across + 2) + row * across + left + across;
        before += bin[1] - bin[0];
    }
    o.self = (int32_t)(o.count + before);
    gather_row(s, &o, alike, position, &e, row, left, right);
    gather_row(s, &o, alike, position, &e, row + 1, left, right);
    add_pushes(&o, alike, &e);
    return e;
}

/* The columns of cells from a bin to another, as bits. */
static inline unsigned columns_of(const throng_uic *s, int left, int right) {
    int from = left / s->bins, to = right / s->bins;
    return (2U << to) - (1U << from);
}

/* Whether the last sweep moved anybody in a row of bins, from `left` to `right`. */
static inline bool is_row_stirred(const throng_uic *s, size_t position, int row, int left, int right) {
    int across = s->bins * THRONG_UIC_TILE, dr = row < 0 ? 0 : row < across ? 1 : 2;
    const uint32_t *around = s->levels[0].sheets[position].around + 3 * dr;
    const uint16_t *stirred = s->stirred[0] + (row - (dr - 1) * across);
    size_t stride = (size_t)across, none = s->tile_count;
    unsigned bits = columns_of(s, left > 0 ? left : 0, right < across ? right : across - 1);
    if (around[1] != none && stirred[around[1] * stride] & bits) return true;
    if (left < 0 && around[0] != none && stirred[around[0] * stride] >> (THRONG_UIC_TILE - 1)) return true;
    return right >= across && around[2] != none && stirred[around[2] * stride] & 1;
}

/* Whether anything can push those of a row from place k on that has not done so in the last sweep: nobody was too near
 * to anybody who did not move, and if all who are near stand where they stood, nobody is now. */
static inline bool is_stirred(const throng_uic *s, size_t position, int row, uint32_t k, uint32_t end) {
    int left = s->bin_column[k] - 1, right = s->bin_column[end - 1] + 1;
    return is_row_stirred(s, position, row, left, right) || is_row_stirred(s, position, row - 1, left, right) ||
           is_row_stirred(s, position, row + 1, left, right);
}

static inline void stir(throng_uic *s, size_t position, int row, uint32_t k, unsigned moved) {
    int across = s->bins * THRONG_UIC_TILE;
    unsigned columns = 0;
    for (; moved; moved &= moved - 1) columns |= 1U << s->bin_column[k + (uint32_t)__builtin_ctz(moved)] / s->bins;
    s->stirred[1][position * (size_t)across + (size_t)row] |= (uint16_t)columns;
}

/* Those of a row from place k on, fewer than nine; returns how many walls stopped. */
WIDE8_INLINE uint64_t push_eight(throng_uic *s, bool alike, bool walled, size_t position, int row, uint32_t k,
                                 uint32_t end) {
    uint32_t count = end - k;
    eight e;
    if (s->settled && !is_stirred(s, position, row, k, end))
        e.any = false;
    else
        e = gather_all(s, alike, position, row, k, end);
    if (!e.any) {
        wide8_store_first(s->x_next + k, wide8_load(s->x + k), count);
        wide8_store_first(s->y_next + k, wide8_load(s->y + k), count);
        return 0;
    }
    wide8 zero = wide8_all(0), own = push_of(wide8_add(e.half, e.half), wide8_all(0.5F), zero);
    wide8_mask in = wide8_of_bits(e.in);
    /* of who stands alone, only its own weight is huge, if it has met itself */
    wide8 alone = wide8_mul(own, wide8_select(wide8_of_bits(e.met), wide8_all(1.25F), wide8_all(0.25F)));
    unsigned stacked = wide8_bits(wide8_and(in, wide8_less(alone, e.weight)));
    /* nobody goes farther than half its d_min; those of other models go nowhere */
    wide8 length2 = wide8_add(wide8_mul(e.sum_x, e.sum_x), wide8_mul(e.sum_y, e.sum_y)), most;
    most = alike ? wide8_all(0.5F * s->body_most) : wide8_load(s->most + k);
    wide8 scale = wide8_mul(most, wide8_inverse_root(length2));
    scale = wide8_select(wide8_less(wide8_mul(most, most), length2), scale, wide8_all(1));
    scale = wide8_keep(wide8_and(in, wide8_less(zero, most)), scale);
    wide8 turn = wide8_all(THRONG_UIC_TURN);
    wide8 push_x = wide8_mul(scale, wide8_sub(e.sum_x, wide8_mul(turn, e.sum_y)));
    wide8 push_y = wide8_mul(scale, wide8_add(e.sum_y, wide8_mul(turn, e.sum_x)));
    wide8 shift_x = wide8_add(wide8_load_where(s->shift_x + k, in), push_x);
    wide8 shift_y = wide8_add(wide8_load_where(s->shift_y + k, in), push_y);
    wide8_store_first(s->x_next + k, wide8_add(e.x, push_x), count);
    wide8_store_first(s->y_next + k, wide8_add(e.y, push_y), count);
    wide8_store_first(s->shift_x + k, shift_x, count);
    wide8_store_first(s->shift_y + k, shift_y, count);
    unsigned meets = 0, apart = stacked;
    wide8_mask pushed = wide8_or(wide8_less(zero, length2), wide8_of_bits(stacked));
    stir(s, position, row, k, wide8_bits(wide8_and(in, pushed)));
    if (walled) {
        wide8 way2 = wide8_add(wide8_mul(shift_x, shift_x), wide8_mul(shift_y, shift_y));
        wide8_mask meeting = wide8_and_not(pushed, wide8_less(way2, wide8_load(s->clear2 + k)));
        meets = (wide8_bits(wide8_and(wide8_and(in, wide8_less(zero, most)), meeting))) | stacked;
    }
    for (; apart; apart &= apart - 1) throng_uic_push_apart(s, position, row, k + (uint32_t)__builtin_ctz(apart));
    return meets ? throng_uic_keep_some_off_walls(s, k, meets, s->x_next, s->y_next) : 0;
}

WIDE8_INLINE uint64_t push_rows(throng_uic *s, bool alike, bool walled, size_t position) {
    int across = s->bins * THRONG_UIC_TILE;
    const uint32_t *start = s->bin_start + position * ((size_t)across * (size_t)across + 2);
    uint64_t stopped = 0;
    memset(s->stirred[1] + position * (size_t)across, 0, (size_t)across * sizeof *s->stirred[1]);
    for (int row = 0; row < across; row++) {
        uint32_t end = start[(row + 1) * across];
        for (uint32_t k = start[row * across]; k < end; k += 8)
            stopped += push_eight(s, alike, walled, position, row, k, end - k < 8 ? end : k + 8);
    }
    return stopped;
}

static uint64_t push_tile(throng_uic *s, size_t position) {
    bool walled = !throng_uic_tile_at(s, position)->plain || s->far;
    return s->alike ? push_rows(s, true, walled, position) : push_rows(s, false, walled, position);
}
