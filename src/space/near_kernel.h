/* near_kernel.h: everybody within reach of a point, four at a time. Included by kernels that are
 * built both plain and wide; near_list.h is for everybody else. */

#ifndef THRONG_NEAR_KERNEL_H
#define THRONG_NEAR_KERNEL_H

#include <throng/model.h>

#include "base/wide.h"

/* The cells that a square of half-width `reach` around a point touches. */
typedef struct near_cells {
    int32_t column_low, column_high, row_low, row_high;
} near_cells;

static inline near_cells near_cells_around(const throng_near *near, double x, double y, double reach) {
    reach += near->drift;
    return (near_cells){throng_near_column(near, x - reach), throng_near_column(near, x + reach),
                        throng_near_row(near, y - reach), throng_near_row(near, y + reach)};
}

/* Where people are, by slot, and from where to look at them. A copy of what the grid says, because a
 * compiler has to assume that packed stores change the grid. */
typedef struct near_eye {
    const double *all_x, *all_y;
    wide x, y;   /* m */
    wide reach2; /* m^2 */
} near_eye;

static inline near_eye near_look(const throng_near *near, double x, double y, double reach) {
    return (near_eye){near->x, near->y, wide_all(x), wide_all(y), wide_all(reach * reach)};
}

/* Which of the next four slots, of which `left` count, are nearer than the reach; and their squared
 * distances. */
static inline wide_mask near_within(const near_eye *eye, uint32_t slot, int64_t left, wide *distance2) {
    wide_mask in = wide_first(left);
    wide dx = wide_sub(wide_load_where(eye->all_x + slot, in), eye->x);
    wide dy = wide_sub(wide_load_where(eye->all_y + slot, in), eye->y);
    *distance2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
    return wide_and(in, wide_less(*distance2, eye->reach2));
}

#endif
