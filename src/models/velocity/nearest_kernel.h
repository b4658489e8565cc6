/* nearest_kernel.h: the k nearest people, exactly.
 *
 * Look at everybody within a radius that probably holds a few more than k, rank them by counting
 * for each how many are nearer, and keep the first k. A guess that proves too small is doubled. */

#include "models/velocity/velocity.h"
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

/* Takes the nearest in order; the person itself, at rank 0, is left out. False when some are
 * equally far. */
static inline bool take_nearest(candidates *found, throng_orca_neighbours *out, double *farthest2) {
    size_t count = found->count, sum = 0;
    wide_rank(found->distance2, found->rank, count);
    uint32_t slot[CANDIDATE_ROOM];
    float distance2[CANDIDATE_ROOM];
    for (size_t i = 0; i < count; i++) {
        size_t rank = (size_t)found->rank[i];
        slot[rank] = found->slot[i];
        distance2[rank] = found->distance2[i];
        sum += rank;
    }
    /* without ties the ranks are 0 .. count - 1 */
    if (sum != count * (count - 1) / 2) return false;
    for (size_t i = 0; i < out->count; i++) out->slot[i] = slot[i + 1];
    *farthest2 = (double)distance2[out->count];
    return true;
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
static void nearest_by_insertion(const throng_near *near, uint32_t self, size_t limit, double reach,
                                 throng_orca_neighbours *out) {
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
    for (size_t i = 0; i < count; i++) out->slot[i] = best[i].slot;
    out->count = count;
}

static void nearest(const throng_near *near, uint32_t self, size_t limit, double reach, double *spread,
                    throng_orca_neighbours *out) {
    out->count = 0;
    if (limit == 0) return;
    candidates found;
    double reach2 = reach * reach;
    double guess2 = *spread > 0 ? *spread * (1.3 * (double)limit + 3) : near->cell * near->cell;
    for (;; guess2 *= 2) {
        double radius = guess2 < reach2 ? sqrt(guess2) : reach;
        if (!gather_candidates(near, near->x[self], near->y[self], radius, &found)) {
            *spread = guess2 / CANDIDATES;
            nearest_by_insertion(near, self, limit, reach, out);
            return;
        }
        /* one of them is the person itself */
        if (found.count > limit || guess2 >= reach2) break;
    }
    if (found.count == 0) return; /* a reach of nothing, or whose square is */
    out->count = found.count - 1 < limit ? found.count - 1 : limit;
    double farthest2;
    if (!take_nearest(&found, out, &farthest2)) {
        nearest_by_insertion(near, self, limit, reach, out);
        return;
    }
    /* when the whole reach holds too few, begin with all of it next time */
    double area = (out->count < limit ? reach2 : farthest2) / (double)(out->count + 1);
    *spread = *spread > 0 ? 0.5 * (*spread + area) : area;
}

/* The same from a list of everybody within some distance that is no more than the reach, if that holds enough of them;
 * else false. */
static bool nearest_of_list(const throng_near *near, uint32_t self, size_t limit, const uint32_t *list, uint32_t length,
                            throng_orca_neighbours *out) {
    if (limit == 0 || length < limit || length > CANDIDATES - THRONG_WIDTH) return false;
    candidates found;
    found.count = length + 1;
    const wide x = wide_all(near->x[self]), y = wide_all(near->y[self]);
    found.slot[0] = self;
    found.distance2[0] = 0;
    for (uint32_t i = 0; i < length; i += THRONG_WIDTH) {
        uint32_t four[THRONG_WIDTH];
        for (uint32_t lane = 0; lane < THRONG_WIDTH; lane++) {
            four[lane] = list[i + lane < length ? i + lane : length - 1];
            found.slot[1 + i + lane] = four[lane];
        }
        wide dx = wide_sub(wide_gather(near->x, four), x), dy = wide_sub(wide_gather(near->y, four), y);
        wide_store_float(found.distance2 + 1 + i, wide_add(wide_mul(dx, dx), wide_mul(dy, dy)));
    }
    double farthest2;
    out->count = limit;
    return take_nearest(&found, out, &farthest2);
}
