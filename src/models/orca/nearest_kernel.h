/* nearest_kernel.h: the k nearest people, exactly.
 *
 * Look at everybody within a radius that probably holds a few more than k, rank them by counting
 * for each how many are nearer, and keep the first k. A guess that proves too small is doubled. */

#include <string.h>

#include "models/orca/orca.h"
#include "space/near_kernel.h"

enum { CANDIDATES = 252, CANDIDATE_ROOM = CANDIDATES + 2 * THRONG_WIDTH };

typedef struct candidates {
    double distance2[CANDIDATE_ROOM];
    double rank[CANDIDATE_ROOM];
    uint32_t slot[CANDIDATE_ROOM];
    size_t count;
} candidates;

/* Finds everybody within the reach, the person itself included. False when they are too many. */
static bool gather_candidates(const throng_near *near, double x, double y, double reach, candidates *found) {
    near_cells cells = near_cells_around(near, x, y, reach);
    wide wide_x = wide_all(x), wide_y = wide_all(y), reach2 = wide_all(reach * reach);
    size_t count = 0;
    const uint32_t *start = near->start + (size_t)cells.row_low * (size_t)near->columns;
    for (int32_t row = cells.row_low; row <= cells.row_high; row++, start += near->columns) {
        size_t begin = start[cells.column_low], end = start[cells.column_high + 1];
        if (count + (end - begin) > CANDIDATES) return false;
        count = near_gather(near, begin, end, wide_x, wide_y, reach2, found->distance2, found->slot, count);
    }
    found->count = count;
    return true;
}

/* Ranks the candidates from 0; equal distances get equal ranks and make the answer false. */
static bool rank_candidates(candidates *found) {
    const wide one = wide_all(1.0);
    size_t count = found->count;
    double *distance2 = found->distance2;
    for (size_t i = count; i < count + 2 * THRONG_WIDTH; i++) distance2[i] = INFINITY;
    wide sum = wide_all(0.0);
    for (size_t i = 0; i < count; i += 2 * THRONG_WIDTH) {
        wide mine = wide_load(distance2 + i), also = wide_load(distance2 + i + THRONG_WIDTH);
        wide rank = wide_all(0.0), also_rank = rank;
        for (size_t j = 0; j < count; j++) {
            wide other = wide_all(distance2[j]);
            rank = wide_add(rank, wide_keep(wide_less(other, mine), one));
            also_rank = wide_add(also_rank, wide_keep(wide_less(other, also), one));
        }
        wide_store(found->rank + i, rank);
        wide_store(found->rank + i + THRONG_WIDTH, also_rank);
        /* lanes beyond the end would each add `count` */
        int64_t left = (int64_t)(count - i);
        sum = wide_add(sum, wide_keep(wide_first(left), rank));
        sum = wide_add(sum, wide_keep(wide_first(left - THRONG_WIDTH), also_rank));
    }
    double lanes[THRONG_WIDTH];
    wide_store(lanes, sum);
    /* without ties the ranks are 0 .. count - 1 */
    return lanes[0] + lanes[1] + lanes[2] + lanes[3] == (double)(count * (count - 1) / 2);
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

static size_t nearest(const throng_near *near, uint32_t self, size_t limit, double reach, double *spread,
                      uint32_t *out) {
    if (limit == 0) return 0;
    candidates found;
    double reach2 = reach * reach;
    double guess2 = *spread > 0 ? *spread * (1.4 * (double)limit + 4) : near->cell * near->cell;
    for (;; guess2 *= 2) {
        double radius = guess2 < reach2 ? sqrt(guess2) : reach;
        if (!gather_candidates(near, near->x[self], near->y[self], radius, &found)) {
            *spread = guess2 / CANDIDATES;
            return nearest_by_insertion(near, self, limit, reach, out);
        }
        /* the person itself is the nearest candidate */
        if (found.count > limit || guess2 >= reach2) break;
    }
    size_t count = found.count - 1 < limit ? found.count - 1 : limit;
    if (!rank_candidates(&found)) {
        count = nearest_by_insertion(near, self, limit, reach, out);
    } else {
        uint32_t order[CANDIDATE_ROOM];
        double farthest2 = guess2;
        for (size_t i = 0; i < found.count; i++) {
            size_t rank = (size_t)found.rank[i];
            order[rank] = found.slot[i];
            farthest2 = rank == count ? found.distance2[i] : farthest2;
        }
        memcpy(out, order + 1, count * sizeof *out);
        *spread =
            0.5 * (*spread > 0 ? *spread : farthest2 / (double)(count + 1)) + 0.5 * farthest2 / (double)(count + 1);
    }
    return count;
}
