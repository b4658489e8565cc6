/* line_kernel.h: people who stand side by side in the world's columns, put into the line several at a time. They are
 * people of this model, where the columns have them; spot.h has the same one by one. */

#include <string.h>

#include "base/wide_keys.h"
#include "base/wide_lookup.h"
#include "models/uic/spot.h"

/* --- counting */

/* Where four people are in the tile of the last ones, if they all are. */
typedef struct standing4 {
    wide x, y; /* parts of its side */
    bool all;
} standing4;

static inline standing4 stand4(const throng_uic *s, const throng_uic_ground *g, uint32_t i, double per_tile) {
    wide x = wide_mul(wide_sub(wide_load(s->now->people.x + i), wide_all(s->origin_x)), wide_all(per_tile));
    wide y = wide_mul(wide_sub(wide_load(s->now->people.y + i), wide_all(s->origin_y)), wide_all(per_tile));
    x = wide_sub(x, wide_all(g->column));
    y = wide_sub(y, wide_all(g->row));
    wide_mask in = wide_and(wide_less_equal(wide_all(0), wide_min(x, y)), wide_less(wide_max(x, y), wide_all(1)));
    return (standing4){x, y, wide_bits(in) == 15};
}

/* Bit e for everybody who stands at the edges that e names. */
static inline unsigned edges_of4(standing4 at) {
    const double low = THRONG_UIC_EDGE, high = 1 - low;
    wide_mask inner = wide_and(wide_less_equal(wide_all(low), wide_min(at.x, at.y)),
                               wide_less_equal(wide_max(at.x, at.y), wide_all(high)));
    if (wide_bits(inner) == 15) return 1;
    unsigned west = wide_bits(wide_less(at.x, wide_all(low))), east = wide_bits(wide_less(wide_all(high), at.x));
    unsigned south = wide_bits(wide_less(at.y, wide_all(low))), north = wide_bits(wide_less(wide_all(high), at.y));
    unsigned seen = 0;
    for (int k = 0; k < 4; k++) {
        unsigned edge = (west >> k & 1) * THRONG_UIC_AT_WEST | (east >> k & 1) * THRONG_UIC_AT_EAST |
                        (south >> k & 1) * THRONG_UIC_AT_SOUTH | (north >> k & 1) * THRONG_UIC_AT_NORTH;
        seen |= 1U << edge;
    }
    return seen;
}

static bool count_people(const throng_uic *s, uint32_t begin, uint32_t end, uint32_t *tally, uint16_t *edges) {
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell);
    throng_uic_ground g = throng_uic_no_ground();
    uint32_t count = 0;
    unsigned seen = 0;
    for (uint32_t i = begin; i < end;) {
        if (end - i >= 4) {
            standing4 at = stand4(s, &g, i, per_tile);
            if (at.all) {
                seen |= edges_of4(at);
                count += 4;
                i += 4;
                continue;
            }
        }
        throng_uic_spot at =
            throng_uic_find_spot(s, (throng_point){s->now->people.x[i], s->now->people.y[i]}, per_tile);
        if (!throng_uic_is_on(&g, at)) {
            if (count > 0) throng_uic_note_run(tally, edges, g.position, count, seen);
            if (!throng_uic_change_ground(s, &g, at)) return false;
            count = seen = 0;
        }
        seen |= 1U << throng_uic_edge_of(at);
        count++;
        i++;
    }
    if (count > 0) throng_uic_note_run(tally, edges, g.position, count, seen);
    return true;
}

/* --- lining up */

/* Distance and density that four people want, which profiles tell. */
static inline void laws_of4(const throng_uic *s, uint32_t i, wide *d, wide *alpha) {
    const throng_step *now = s->now;
    const throng_profile *profile = now->people.profile + i;
    double least[4], dense[4];
    for (int k = 0; k < 4; k++) {
        const throng_uic_params *p = now->params[profile[k]];
        least[k] = p->d_min;
        dense[k] = p->alpha;
    }
    wide wanted = wide_load(least), radius = wide_load(now->people.radius + i);
    *d = wide_select(wide_less(wide_all(0), wanted), wanted, wide_add(radius, radius));
    *alpha = wide_load(dense);
}

/* Half of eight people, as columns of floats. */
typedef struct half_eight {
    wide x, y, wish_x, wish_y, pace, part, body;
} half_eight;

static inline half_eight take4(const throng_uic *s, const throng_uic_ground *g, uint32_t i) {
    const throng_step *now = s->now;
    wide dt = wide_all(now->dt), d, alpha, per_cell = wide_all(1 / (s->cell * s->cell));
    half_eight h;
    laws_of4(s, i, &d, &alpha);
    h.x = wide_sub(wide_load(now->people.x + i), wide_all(g->low_x));
    h.y = wide_sub(wide_load(now->people.y + i), wide_all(g->low_y));
    h.wish_x = wide_add(wide_load(now->people.wish_x + i), wide_mul(wide_load(now->people.push_x + i), dt));
    h.wish_y = wide_add(wide_load(now->people.wish_y + i), wide_mul(wide_load(now->people.push_y + i), dt));
    h.pace = wide_min(wide_load(now->people.desired_speed + i), wide_load(now->people.max_speed + i));
    wide area = wide_mul(wide_mul(wide_all(THRONG_UIC_ROOT3), d), d);
    h.part = wide_mul(wide_div(area, wide_mul(wide_all(2), alpha)), per_cell);
    h.body = d;
    return h;
}

static inline wide8_whole bits_of(wide low, wide high) { return wide8_to_bits(wide8_of_halves(low, high)); }

/* The bins of eight people. */
static inline wide8_whole bins_of8(const throng_uic *s, wide8 x, wide8 y) {
    wide8 scale = wide8_all((float)(s->bins / s->cell)), zero = wide8_all(0);
    wide8 most = wide8_all((float)(s->bins * THRONG_UIC_TILE - 1));
    wide8_whole column = wide8_to_whole(wide8_min(wide8_max(wide8_mul(x, scale), zero), most));
    wide8_whole row = wide8_to_whole(wide8_min(wide8_max(wide8_mul(y, scale), zero), most));
    return wide8_whole_or(wide8_whole_left(row, 16), column);
}

/* Eight people who are all in one tile, from place `to` on. */
static inline void line_up_eight(throng_uic *s, const throng_uic_ground *g, uint32_t i, uint32_t to) {
    static const int32_t count[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    half_eight a = take4(s, g, i), b = take4(s, g, i + 4);
    wide8 x = wide8_of_halves(a.x, b.x), y = wide8_of_halves(a.y, b.y);
    wide8_whole_store(s->bin_of + to, bins_of8(s, x, y));
    wide8_whole row[8] = {wide8_to_bits(x),
                          wide8_to_bits(y),
                          bits_of(a.wish_x, b.wish_x),
                          bits_of(a.wish_y, b.wish_y),
                          bits_of(a.pace, b.pace),
                          bits_of(a.part, b.part),
                          bits_of(a.body, b.body),
                          wide8_whole_add(wide8_whole_load(count), wide8_whole_all((int32_t)i))};
    wide8_whole_transpose(row);
    throng_uic_person *lined = s->lined + to; /* a copy: what is written might be it */
    for (int k = 0; k < 8; k++) wide8_whole_store(lined + k, row[k]);
}

static void line_up_people(throng_uic *s, uint32_t begin, uint32_t end, uint32_t *next) {
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell);
    throng_uic_ground g = throng_uic_no_ground();
    uint32_t to = 0;
    for (uint32_t i = begin; i < end;) {
        if (end - i >= 8 && stand4(s, &g, i, per_tile).all && stand4(s, &g, i + 4, per_tile).all) {
            line_up_eight(s, &g, i, to);
            to += 8;
            i += 8;
            continue;
        }
        throng_uic_spot at =
            throng_uic_find_spot(s, (throng_point){s->now->people.x[i], s->now->people.y[i]}, per_tile);
        if (!throng_uic_is_on(&g, at)) {
            if (g.column != INT32_MIN) next[g.position] = to;
            throng_uic_change_ground(s, &g, at);
            to = next[g.position];
        }
        throng_uic_line_up_one(s, &g, i, to++);
        i++;
    }
    if (g.column != INT32_MIN) next[g.position] = to;
}

/* --- sorting */

/* Everybody of a tile in order of bins: `order` tells who of `lined`. */
static inline void order_by_bins(throng_uic *s, size_t position) {
    uint32_t across = (uint32_t)s->bins * THRONG_UIC_TILE, bins = across * across;
    uint32_t first = s->first[position], last = s->first[position + 1];
    uint32_t *start = s->bin_start + position * (bins + 2), *order = s->order;
    const uint32_t *bin_of = s->bin_of;
    uint8_t *column = s->bin_column;
    memset(start, 0, (bins + 2) * sizeof *start);
    for (uint32_t k = first; k < last; k++) start[(bin_of[k] >> 16) * across + (bin_of[k] & 0xFFFF) + 2]++;
    uint32_t at = start[1] = first;
    for (uint32_t b = 2; b < bins + 2; b++) start[b] = at += start[b];
    for (uint32_t k = first; k < last; k++) {
        uint32_t bin = bin_of[k], place = start[(bin >> 16) * across + (bin & 0xFFFF) + 1]++;
        order[place] = k;
        column[place] = (uint8_t)bin;
    }
    start[0] = first;
}

/* Where rows are not in order of id, people of a bin are put into it: who is far away may change the order of rows. A
 * bin holds few. */
static inline void order_by_id(throng_uic *s, size_t position) {
    uint32_t first = s->first[position], last = s->first[position + 1], *order = s->order;
    const uint32_t *bin_of = s->bin_of;
    const uint64_t *id = s->now->people.id;
    for (uint32_t k = first + 1; k < last; k++) {
        uint32_t mine = order[k], to = k;
        if (bin_of[order[k - 1]] != bin_of[mine]) continue;
        uint32_t row = throng_uic_row(s, s->lined[mine].number);
        if (row >= s->now->people.count) continue; /* a thing: they come last, in their own order */
        for (; to > first && bin_of[order[to - 1]] == bin_of[mine]; to--) {
            if (id[throng_uic_row(s, s->lined[order[to - 1]].number)] < id[row]) break;
            order[to] = order[to - 1];
        }
        order[to] = mine;
    }
}

/* What eight people want of others, if they differ. */
static inline void line_up_bodies(throng_uic *s, uint32_t place, uint32_t count, wide8 body, wide8 part) {
    wide8_mask ours = wide8_less(wide8_all(0), part);
    wide8 half = wide8_all(0.5F);
    wide8_store_first(s->half + place, wide8_mul(wide8_all(0.5F * (float)s->law.d_sep), body), count);
    wide8_store_first(s->give + place, wide8_select(ours, half, wide8_all(1)), count);
    wide8_store_first(s->most + place, wide8_keep(ours, wide8_mul(half, body)), count);
}

static inline float most_of(wide8 a) {
    float lane[8], most = 0;
    wide8_store(lane, a);
    for (int k = 0; k < 8; k++) most = lane[k] > most ? lane[k] : most;
    return most;
}

static void sort_people(throng_uic *s, size_t position) {
    uint32_t first = s->first[position], last = s->first[position + 1];
    /* copies: the compiler has to assume that what is written changes where to write */
    float *const x = s->x, *const y = s->y, *const want_x = s->want_x, *const want_y = s->want_y, *const pace = s->pace,
                 *const part = s->part;
    const throng_uic_person *lined = s->lined;
    const uint32_t *order = s->order;
    uint32_t *who = s->who;
    bool alike = s->alike;
    wide8 fastest = wide8_all(0), largest = fastest;
    order_by_bins(s, position);
    if (s->shuffled) order_by_id(s, position);
    for (uint32_t place = first; place < last; place += 8) {
        uint32_t count = last - place < 8 ? last - place : 8;
        wide8_whole row[8];
        for (uint32_t k = 0; k < 8; k++) row[k] = wide8_whole_load(lined + order[place + (k < count ? k : 0)]);
        wide8_whole_transpose(row);
        wide8_store_first(x + place, wide8_from_bits(row[0]), count);
        wide8_store_first(y + place, wide8_from_bits(row[1]), count);
        wide8_store_first(want_x + place, wide8_from_bits(row[2]), count);
        wide8_store_first(want_y + place, wide8_from_bits(row[3]), count);
        wide8_store_first(pace + place, wide8_from_bits(row[4]), count);
        wide8_store_first(part + place, wide8_from_bits(row[5]), count);
        fastest = wide8_max(fastest, wide8_from_bits(row[4]));
        largest = wide8_max(largest, wide8_from_bits(row[6]));
        if (!alike) line_up_bodies(s, place, count, wide8_from_bits(row[6]), wide8_from_bits(row[5]));
        int32_t numbers[8];
        wide8_whole_store(numbers, row[7]);
        memcpy(who + place, numbers, count * sizeof *numbers);
    }
    throng_uic_tile *tile = throng_uic_tile_at(s, position);
    tile->body = most_of(largest);
    double way = (double)most_of(fastest) * s->now->dt + 0.5 * s->law.sweeps * s->substeps * (double)tile->body;
    tile->far = way > 1.9 * s->cell;
}
