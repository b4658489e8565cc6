/* pairs_kernel.h: everybody of a tile pushed by those who are too near, eight people of a row of bins at a time.
 *
 * Of those in the bins around it is found first who is near anybody at all, which is a minority; then what they push.
 * Neither has a branch that depends on who is where: that cannot be foreseen. */

#include <string.h>

#include "models/uic/hood_kernel.h"

enum { PIECE = 128 }; /* of people, looked at one after the other */

/* Eight people and what pushes them. */
typedef struct eight {
    wide8 x, y;                           /* m; who there is not is far away */
    wide8 half;                           /* m */
    wide8 sum_x, sum_y;                   /* m */
    wide8 weight;                         /* of all pushes: huge for everybody who stands at the very point */
    uint32_t self;                        /* place of the first of them in the hood */
    unsigned in;                          /* bits: who there is */
    unsigned met;                         /* bits: who has met itself among those who are near */
    bool any;                             /* somebody was near */
    uint32_t count;                       /* of those who are near and have not pushed yet, */
    uint32_t near[2 * PIECE + HOOD_STEP]; /* and their places in the hood */
} eight;

/* Of the gap w - d to be taken, the part along (dx, dy): what to multiply these by, give (w / d - 1). 1 / d is good to
 * 7e-4, which is a tenth of a millimetre between people. */
static inline wide8 push_of(wide8 wanted, wide8 give, wide8 d2) {
    wide8 gap = wide8_sub(wide8_mul(wide8_mul(wanted, give), wide8_rough_inverse_root(d2)), give);
    return wide8_max(gap, wide8_all(0));
}

/* What those who are near push; there are none afterwards. */
WIDE8_INLINE void add_pushes(const throng_uic_hood *o, bool alike, eight *e) {
    wide8 x = e->x, y = e->y, half = e->half, sum_x = e->sum_x, sum_y = e->sum_y, weight = e->weight;
    wide8 wanted = wide8_add(half, half), give = wide8_all(0.5F);
    uint32_t count = e->count, self = e->self;
    unsigned met = e->met;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t k = e->near[n];
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
        met |= (unsigned)(k - self < 8) << ((k - self) & 7);
    }
    e->sum_x = sum_x;
    e->sum_y = sum_y;
    e->weight = weight;
    e->met = met;
    e->any |= count > 0;
    e->count = 0;
}

/* Who of those from one place to another, no more than a piece, is nearer to any of the eight than both want; but for
 * itself, if the eight are among them. Up to three who come behind them are looked at, too, who are near nobody. */
WIDE8_INLINE uint32_t find_near(const throng_uic_hood *o, bool alike, bool selves, const eight *e, uint32_t *near,
                                uint32_t count, uint32_t begin, uint32_t end) {
    wide8 x = e->x, y = e->y, half = e->half, wanted = wide8_add(half, half), wanted2 = wide8_mul(wanted, wanted);
    const float *other_x = o->x, *other_y = o->y;
    uint32_t self = e->self;
    for (; begin < end; begin += HOOD_STEP) {
        for (uint32_t k = begin; k < begin + HOOD_STEP; k++) {
            wide8 dx = wide8_sub(x, wide8_all(other_x[k])), dy = wide8_sub(y, wide8_all(other_y[k]));
            wide8 d2 = wide8_add(wide8_mul(dx, dx), wide8_mul(dy, dy));
            if (!alike) {
                wanted = wide8_add(half, wide8_all(o->half[k]));
                wanted2 = wide8_mul(wanted, wanted);
            }
            unsigned bits = wide8_bits(wide8_less(d2, wanted2));
            if (selves) bits &= ~(unsigned)((uint32_t)(k - self < 8) << ((k - self) & 7));
            near[count] = k;
            count += bits != 0;
        }
    }
    return count;
}

WIDE8_INLINE void look_at_run(const throng_uic_hood *o, bool alike, bool selves, eight *e, uint32_t begin,
                              uint32_t end) {
    while (begin < end) {
        if (e->count > PIECE) add_pushes(o, alike, e);
        uint32_t stop = end - begin < PIECE ? end : begin + PIECE;
        e->count = find_near(o, alike, selves, e, e->near, e->count, begin, stop);
        begin = stop;
    }
}

/* All that pushes those of a row from place k on. */
WIDE8_INLINE void look_around(const throng_uic *s, const hood *h, bool alike, int row, uint32_t k, uint32_t end,
                              int left, int right, eight *e) {
    const hood_row *own = &h->rows[row + h->look];
    const throng_uic_hood *o = h->people;
    wide8 zero = wide8_all(0), far = wide8_all(1e18F);
    uint32_t self = k + own->shift;
    wide8_mask in = wide8_first((int32_t)(end - k));
    e->self = self;
    e->x = wide8_select(in, wide8_load(o->x + self), far);
    e->y = wide8_load(o->y + self);
    e->half = alike ? wide8_all(throng_uic_half(s, k)) : wide8_load(o->half + self);
    e->sum_x = e->sum_y = e->weight = zero;
    e->in = wide8_bits(in);
    e->met = e->count = 0;
    e->any = false;
    for (const hood_row *r = own - h->look; r < own; r++)
        look_at_run(o, alike, false, e, hood_from(r, left), hood_to(r, right, h->across));
    look_at_run(o, alike, true, e, hood_from(own, left), hood_to(own, right, h->across));
    for (const hood_row *r = own + 1; r <= own + h->look; r++)
        look_at_run(o, alike, false, e, hood_from(r, left), hood_to(r, right, h->across));
    add_pushes(o, alike, e);
}

/* Notes who of those from place k on was moved; between two of them, anybody counts. */
static inline void stir(throng_uic *s, const hood *h, size_t position, int row, uint32_t k, unsigned moved) {
    if (!moved) return;
    unsigned first = (unsigned)__builtin_ctz(moved), last = 31 - (unsigned)__builtin_clz(moved);
    unsigned from = bit_of_bin(h, s->bin_column[k + first]), to = bit_of_bin(h, s->bin_column[k + last]);
    s->stirred[1][position * (size_t)h->across + (size_t)row] |= (uint16_t)(((2U << to) - (1U << from)) >> 1);
}

static inline void stay(throng_uic *s, uint32_t k, uint32_t end) {
    memcpy(s->x_next + k, s->x + k, (end - k) * sizeof *s->x);
    memcpy(s->y_next + k, s->y + k, (end - k) * sizeof *s->y);
}

/* Those of a row from place k on, fewer than nine; returns how many walls stopped. */
WIDE8_INLINE uint64_t push_eight(throng_uic *s, const hood *h, bool alike, bool walled, size_t position, int row,
                                 uint32_t k, const eight *e) {
    uint32_t count = (uint32_t)__builtin_popcount(e->in);
    wide8 zero = wide8_all(0), own = push_of(wide8_add(e->half, e->half), wide8_all(0.5F), zero);
    wide8_mask in = wide8_of_bits(e->in);
    /* of who stands alone, only its own weight is huge, if it has met itself */
    wide8 alone = wide8_mul(own, wide8_select(wide8_of_bits(e->met), wide8_all(1.25F), wide8_all(0.25F)));
    unsigned stacked = wide8_bits(wide8_and(in, wide8_less(alone, e->weight)));
    /* nobody goes farther than half its d_min; those of other models go nowhere */
    wide8 length2 = wide8_add(wide8_mul(e->sum_x, e->sum_x), wide8_mul(e->sum_y, e->sum_y)), most;
    most = alike ? wide8_all(0.5F * s->body_most) : wide8_load(s->most + k);
    wide8 scale = wide8_mul(most, wide8_inverse_root(length2));
    scale = wide8_select(wide8_less(wide8_mul(most, most), length2), scale, wide8_all(1));
    scale = wide8_keep(wide8_and(in, wide8_less(zero, most)), scale);
    wide8 turn = wide8_all(THRONG_UIC_TURN);
    wide8 push_x = wide8_mul(scale, wide8_sub(e->sum_x, wide8_mul(turn, e->sum_y)));
    wide8 push_y = wide8_mul(scale, wide8_add(e->sum_y, wide8_mul(turn, e->sum_x)));
    wide8 shift_x = wide8_add(wide8_load_where(s->shift_x + k, in), push_x);
    wide8 shift_y = wide8_add(wide8_load_where(s->shift_y + k, in), push_y);
    wide8_store_first(s->x_next + k, wide8_add(e->x, push_x), count);
    wide8_store_first(s->y_next + k, wide8_add(e->y, push_y), count);
    wide8_store_first(s->shift_x + k, shift_x, count);
    wide8_store_first(s->shift_y + k, shift_y, count);
    unsigned meets = 0, apart = stacked;
    wide8_mask pushed = wide8_or(wide8_less(zero, length2), wide8_of_bits(stacked));
    stir(s, h, position, row, k, wide8_bits(wide8_and(in, pushed)));
    if (walled) {
        wide8 way2 = wide8_add(wide8_mul(shift_x, shift_x), wide8_mul(shift_y, shift_y));
        wide8_mask meeting = wide8_and_not(pushed, wide8_less(way2, wide8_load(s->clear2 + k)));
        meets = (wide8_bits(wide8_and(wide8_and(in, wide8_less(zero, most)), meeting))) | stacked;
    }
    for (; apart; apart &= apart - 1) throng_uic_push_apart(s, position, row, k + (uint32_t)__builtin_ctz(apart));
    return meets ? throng_uic_keep_some_off_walls(s, k, meets, s->x_next, s->y_next) : 0;
}

/* Nobody was too near in the last sweep to anybody who did not move, and if all who are near stand where they stood,
 * nobody is now: only where somebody moved there is anything to do. */
WIDE8_INLINE uint64_t push_row(throng_uic *s, const hood *h, bool alike, bool walled, size_t position, int row) {
    const uint32_t *start = h->rows[row + h->look].start;
    uint32_t row_end = start[h->across];
    unsigned stirred = 0;
    uint64_t stopped = 0;
    for (int r = row; r <= row + 2 * h->look; r++) stirred |= h->rows[r].stirred;
    if (s->settled && !stirred) {
        stay(s, start[0], row_end);
        return 0;
    }
    for (uint32_t k = start[0]; k < row_end; k += 8) {
        uint32_t end = row_end - k < 8 ? row_end : k + 8;
        int left = s->bin_column[k] - h->look, right = s->bin_column[end - 1] + h->look;
        unsigned columns = (2U << bit_of_bin(h, right)) - (1U << bit_of_bin(h, left));
        eight e;
        e.any = false;
        if (!s->settled || stirred & columns) look_around(s, h, alike, row, k, end, left, right, &e);
        if (e.any)
            stopped += push_eight(s, h, alike, walled, position, row, k, &e);
        else
            stay(s, k, end);
    }
    return stopped;
}

WIDE8_INLINE uint64_t push_rows(throng_uic *s, bool alike, bool walled, size_t position, int worker) {
    hood h;
    uint64_t stopped = 0;
    begin_hood(s, &h, position);
    memset(s->stirred[1] + position * (size_t)h.across, 0, (size_t)h.across * sizeof *s->stirred[1]);
    if (!h.stirred) {
        stay(s, s->first[position], s->first[position + 1]);
        return 0;
    }
    h.people = &s->hoods[worker];
    fill_hood(s, &h, alike, position);
    for (int row = 0; row < h.across; row++) stopped += push_row(s, &h, alike, walled, position, row);
    return stopped;
}

static uint64_t push_tile(throng_uic *s, size_t position, int worker) {
    const throng_uic_tile *tile = throng_uic_tile_at(s, position);
    bool walled = !tile->plain || tile->far;
    return s->alike ? push_rows(s, true, walled, position, worker) : push_rows(s, false, walled, position, worker);
}
