/* nearest_kernel.h: the k nearest people, exactly.
 *
 * Look at everybody within a radius that probably holds a few more than k, rank them by counting
 * for each how many are nearer, and keep the first k. A guess that proves too small is doubled. */

#include <string.h>

#include "models/orca/orca.h"
#include "space/near_kernel.h"

enum { CANDIDATES = 256, CANDIDATE_ROOM = CANDIDATES + 24 };

/* Distances are rounded to float for ranking; rounding keeps their order or makes them equal. */
typedef struct candidates {
    float distance2[CANDIDATE_ROOM];
    int32_t rank[CANDIDATE_ROOM];
    uint32_t slot[CANDIDATE_ROOM];
    size_t count;
} candidates;

/* Finds everybody within the reach, the person itself included. False when they are too many. */
static inline bool gather_candidates(const throng_near *near, double at_x, double at_y, double reach,
                                     candidates *found) {
    near_cells cells = near_cells_around(near, at_x, at_y, reach);
    const near_eye eye = near_look(near, at_x, at_y, reach);
    const int32_t low = cells.column_low, high = cells.column_high + 1, columns = near->columns;
    const uint32_t *start = near->start + (size_t)cells.row_low * (size_t)columns;
    size_t count = 0;
    for (int32_t row = cells.row_low; row <= cells.row_high; row++, start += columns) {
        uint32_t last = start[high];
        if (count + last - start[low] > CANDIDATES) return false;
        for (uint32_t s = start[low]; s < last; s += THRONG_WIDTH) {
            wide d2;
            wide_mask in = near_within(&eye, s, (int64_t)last - s, &d2);
            count += wide_pack(found->distance2 + count, found->slot + count, in, d2, s);
        }
    }
    found->count = count;
    return true;
}

/* Candidates in order of distance, the person itself first. */
typedef struct ranking {
    float distance2[CANDIDATE_ROOM];
    uint32_t slot[CANDIDATE_ROOM];
    size_t close; /* so many are nearer than some distance */
} ranking;

typedef struct sorted_slot {
    double distance2;
    uint32_t slot;
} sorted_slot;

/* Somebody itself comes before others at the same place. */
static inline sorted_slot sort_by_distance(const throng_near *near, uint32_t self, uint32_t slot) {
    double dx = near->x[slot] - near->x[self], dy = near->y[slot] - near->y[self];
    return (sorted_slot){slot == self ? -1 : dx * dx + dy * dy, slot};
}

static inline bool comes_before(const sorted_slot *a, const sorted_slot *b) {
    return a->distance2 != b->distance2 ? a->distance2 < b->distance2 : a->slot < b->slot;
}

/* Those who are equally far, as rounded, have the same rank and leave the next ones free: puts them in order by what
 * was rounded off. */
static void settle_ranks(const throng_near *near, uint32_t self, const candidates *found, ranking *in_order) {
    for (size_t i = 0; i < found->count; i++) in_order->slot[i] = UINT32_MAX; /* nobody */
    for (size_t i = 0; i < found->count; i++) {
        sorted_slot item = sort_by_distance(near, self, found->slot[i]);
        size_t at = (size_t)found->rank[i];
        for (; in_order->slot[at] != UINT32_MAX; at++) {
            sorted_slot there = sort_by_distance(near, self, in_order->slot[at]);
            if (!comes_before(&item, &there)) continue;
            in_order->slot[at] = item.slot;
            item = there;
        }
        in_order->slot[at] = item.slot;
        in_order->distance2[at] = found->distance2[i];
    }
}

/* Puts the candidates in order. */
static inline void rank_candidates(const throng_near *near, uint32_t self, candidates *found, float below,
                                   ranking *in_order) {
    size_t count = found->count, sum = 0, close = 0;
    wide_rank(found->distance2, found->rank, count);
    for (size_t i = 0; i < count; i++) {
        size_t rank = (size_t)found->rank[i];
        float distance2 = found->distance2[i];
        in_order->slot[rank] = found->slot[i];
        in_order->distance2[rank] = distance2;
        close += distance2 < below;
        sum += rank;
    }
    in_order->close = close;
    /* without ties the ranks are 0 .. count - 1 */
    if (sum != count * (count - 1) / 2) settle_ranks(near, self, found, in_order);
}

/* Copies slots four at a time: there is room for the next multiple of four. */
static inline void copy_slots(uint32_t *out, const uint32_t *slots, size_t count) {
    for (size_t i = 0; i < count; i += THRONG_WIDTH) memcpy(out + i, slots + i, THRONG_WIDTH * sizeof *slots);
}

/* The same answer by insertion into a sorted list: for crowds beyond the candidates' room, where it need not be fast.
 */
static size_t nearest_by_insertion(const throng_near *near, uint32_t self, size_t limit, double reach, uint32_t *out) {
    sorted_slot best[THRONG_ORCA_NEIGHBOURS + 1];
    size_t count = 0;
    near_cells cells = near_cells_around(near, near->x[self], near->y[self], reach);
    for (int32_t row = cells.row_low; row <= cells.row_high; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        for (uint32_t s = start[cells.column_low]; s < start[cells.column_high + 1]; s++) {
            sorted_slot item = sort_by_distance(near, self, s);
            if (s == self || !(item.distance2 < reach * reach)) continue;
            if (count == limit && !comes_before(&item, &best[count - 1])) continue;
            size_t at = count < limit ? count++ : count - 1;
            for (; at > 0 && comes_before(&item, &best[at - 1]); at--) best[at] = best[at - 1];
            best[at] = item;
        }
    }
    for (size_t i = 0; i < count; i++) out[i] = best[i].slot;
    return count;
}

/* The square of a radius (m^2) that probably holds more than `limit` people, and is no less than `least`. */
static inline double guess_of(const throng_near *near, size_t limit, double least, double spread) {
    double guess2 = spread > 0 ? spread * (1.3 * (double)limit + 3) : near->cell * near->cell;
    return guess2 < least * least ? least * least * (1 + 1e-12) : guess2;
}

/* Finds more than `limit` people around somebody, itself among them, or all within the reach; at least all within
 * `least`, which is no more than the reach. False when they are too many. */
static bool gather_enough(const throng_near *near, uint32_t self, size_t limit, double least, double reach,
                          double *spread, candidates *found) {
    double reach2 = reach * reach;
    for (double guess2 = guess_of(near, limit, least, *spread);; guess2 *= 2) {
        double radius = guess2 < reach2 ? sqrt(guess2) : reach;
        if (!gather_candidates(near, near->x[self], near->y[self], radius, found)) {
            *spread = guess2 / CANDIDATES;
            return false;
        }
        /* one of them is the person itself */
        if (found->count > limit || guess2 >= reach2) return true;
    }
}

/* How many of those found are the nearest within the reach. */
static inline size_t count_nearest(const ranking *in_order, size_t found, size_t limit, double reach, double *spread) {
    size_t count = found - 1 < limit ? found - 1 : limit;
    /* when the whole reach holds too few, begin with all of it next time */
    double area = (count < limit ? reach * reach : (double)in_order->distance2[count]) / (double)(count + 1);
    *spread = *spread > 0 ? 0.5 * (*spread + area) : area;
    return count;
}

static size_t find_nearest(const throng_near *near, uint32_t self, size_t limit, double reach, double *spread,
                           uint32_t *out) {
    candidates found;
    ranking in_order;
    if (limit == 0) return 0;
    bool few = gather_enough(near, self, limit, 0, reach, spread, &found);
    if (few && found.count == 0) return 0; /* a reach of nothing, or whose square is */
    if (!few) return nearest_by_insertion(near, self, limit, reach, out);
    rank_candidates(near, self, &found, 0, &in_order);
    size_t count = count_nearest(&in_order, found.count, limit, reach, spread);
    copy_slots(out, in_order.slot + 1, count);
    return count;
}

static void nearest(const throng_near *near, uint32_t self, size_t limit, double reach, double *spread,
                    throng_orca_neighbours *out) {
    out->count = find_nearest(near, self, limit, reach, spread, out->slot);
}
