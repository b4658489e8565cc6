/* near_kernel.h: everybody within reach of a point, four at a time. Included by kernels that are
 * built both plain and wide; near_list.h is for everybody else. */

#ifndef THRONG_NEAR_KERNEL_H
#define THRONG_NEAR_KERNEL_H

#include <throng/model.h>

#include "space/wide.h"

/* The cells that a square of half-width `reach` around a point touches. */
typedef struct near_cells {
    int32_t column_low, column_high, row_low, row_high;
} near_cells;

static inline near_cells near_cells_around(const throng_near *near, double x, double y, double reach) {
    return (near_cells){throng_near_column(near, x - reach), throng_near_column(near, x + reach),
                        throng_near_row(near, y - reach), throng_near_row(near, y + reach)};
}

/* The squared distances of four slots from a point. Lanes beyond `count` read nothing. */
static inline wide near_distance2(const throng_near *near, size_t slot, wide_mask in, wide x, wide y) {
    wide dx = wide_sub(wide_load_where(near->x + slot, in), x);
    wide dy = wide_sub(wide_load_where(near->y + slot, in), y);
    return wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
}

/* Appends the slots begin..end-1 that are nearer than the reach, in order, with their squared
 * distances. Both arrays need room for four more than there are. Returns the new count. */
static inline size_t near_gather(const throng_near *near, size_t begin, size_t end, wide x, wide y, wide reach2,
                                 double *distance2, uint32_t *slots, size_t count) {
    for (size_t s = begin; s < end; s += THRONG_WIDTH) {
        wide_mask in = wide_first((int64_t)(end - s));
        wide d2 = near_distance2(near, s, in, x, y);
        wide_mask close = wide_and(in, wide_less(d2, reach2));
        count += wide_pack(distance2 + count, slots + count, close, d2, (uint32_t)s);
    }
    return count;
}

#endif
