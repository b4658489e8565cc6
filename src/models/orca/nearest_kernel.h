/* nearest_kernel.h: the k nearest people, exactly.
 *
 * Look at everybody within a radius that probably holds a few more than k, rank them by counting
 * for each how many are nearer, and keep the first k. A guess that proves too small is doubled. */

#include "models/orca/orca.h"
#include "space/near_kernel.h"

enum { CANDIDATES = NEAR_BLOCKS * THRONG_WIDTH, CANDIDATE_ROOM = CANDIDATES + 24 };

/* Distances are rounded to float for ranking; rounding keeps their order or makes them equal. */
typedef struct candidates {
    float distance2[CANDIDATE_ROOM];
    int32_t rank[CANDIDATE_ROOM];
    uint32_t slot[CANDIDATE_ROOM];
    size_t count;
} candidates;

/* Those found, by rank: first the person itself. */
typedef struct neighbours {
    uint32_t slot[CANDIDATE_ROOM];
    float distance2[CANDIDATE_ROOM];
} neighbours;

/* Finds everybody within the reach, the person itself included. False when they are too many. */
static inline bool gather_candidates(const throng_near *near, double at_x, double at_y, double reach,
                                     candidates *found) {
    near_blocks blocks;
    if (!near_cut(near, near_cells_around(near, at_x, at_y, reach), &blocks)) return false;
    const wide x = wide_all(at_x), y = wide_all(at_y), reach2 = wide_all(reach * reach);
    size_t count = 0;
    for (size_t b = 0; b < blocks.count; b++) {
        wide d2;
        wide_mask in = near_within(near, blocks.slot[b], blocks.left[b], x, y, reach2, &d2);
        count += wide_pack(found->distance2 + count, found->slot + count, in, d2, blocks.slot[b]);
    }
    found->count = count;
    return true;
}

/* Puts the candidates in order. False when some are equally far. */
static inline bool order_candidates(candidates *found, neighbours *out) {
    size_t count = found->count, sum = 0;
    for (size_t i = 0; i < 24; i++) found->distance2[count + i] = INFINITY;
    wide_rank(found->distance2, found->rank, count);
    for (size_t i = 0; i < count; i++) {
        size_t rank = (size_t)found->rank[i];
        out->slot[rank] = found->slot[i];
        out->distance2[rank] = found->distance2[i];
        sum += rank;
    }
    /* without ties the ranks are 0 .. count - 1 */
    return sum == count * (count - 1) / 2;
}

typedef struct sorted_slot {
    double distance2;
    uint32_t row, slot;
} sorted_slot;

static inline bool comes_before(const sorted_slot *a, const sorted_slot *b) {
    return a->distance2 < b->distance2 || (a->distance2 == b->distance2 && a->row < b->row);
}

/* The same answer by insertion into a sorted list: for ties and for crowds beyond the candidates'
 * room, where it need not be fast. */
static size_t nearest_by_insertion(const throng_near *near, uint32_t self, size_t limit, double reach, uint32_t *out) {
    sorted_slot best[THRONG_ORCA_NEIGHBOURS + 1];
    size_t count = 0;
    double x = near->x[self], y = near->y[self];
    near_cells cells = near_cells_around(near, x, y, reach);
    for (int32_t row = cells.row_low; row <= cells.row_high; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        for (uint32_t s = start[cells.column_low]; s < start[cells.column_high + 1]; s++) {
            double dx = near->x[s] - x, dy = near->y[s] - y;
            sorted_slot item = {dx * dx + dy * dy, near->row[s], s};
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

/* The nearest are out->slot[1] and on. */
static inline size_t find_nearest(const throng_near *near, uint32_t self, size_t limit, double reach, double *spread,
                                  neighbours *out) {
    if (limit == 0) return 0;
    candidates found;
    double reach2 = reach * reach;
    double guess2 = *spread > 0 ? *spread * (1.4 * (double)limit + 4) : near->cell * near->cell;
    for (;; guess2 *= 2) {
        double radius = guess2 < reach2 ? sqrt(guess2) : reach;
        if (!gather_candidates(near, near->x[self], near->y[self], radius, &found)) {
            *spread = guess2 / CANDIDATES;
            return nearest_by_insertion(near, self, limit, reach, out->slot + 1);
        }
        /* the person itself is the nearest candidate */
        if (found.count > limit || guess2 >= reach2) break;
    }
    size_t count = found.count - 1 < limit ? found.count - 1 : limit;
    if (!order_candidates(&found, out)) return nearest_by_insertion(near, self, limit, reach, out->slot + 1);
    double area = (double)out->distance2[count] / (double)(count + 1);
    *spread = *spread > 0 ? 0.5 * (*spread + area) : area;
    return count;
}

static size_t nearest(const throng_near *near, uint32_t self, size_t limit, double reach, double *spread,
                      uint32_t *out) {
    neighbours found;
    size_t count = find_nearest(near, self, limit, reach, spread, &found);
    for (size_t i = 0; i < count; i++) out[i] = found.slot[i + 1];
    return count;
}
