/* apart_kernel.h: what those too near ask of somebody, four at a time. Built twice, by kernel.c and kernel_avx2.c. */

#include <math.h>

#include "models/orca-forces/forces.h"

/* Four spots as columns. */
typedef struct spots {
    wide x, y, radius, give;
} spots;

static inline spots spots_of(const throng_forces_spot *all, const uint32_t *list, uint32_t i, uint32_t count) {
    const double *rows[4];
    for (uint32_t lane = 0; lane < 4; lane++) rows[lane] = &all[list[i + lane < count ? i + lane : count - 1]].x;
    wide column[4];
    wide_load_columns(rows, column);
    return (spots){column[0], column[1], column[2], column[3]};
}

/* Those of a list within core (r + r') + `closer`, in the order of the list. There is room for the whole list. */
static uint32_t find_close(const throng_forces_spot *all, uint32_t me, const uint32_t *list, uint32_t length,
                           double core, double closer, uint32_t *close) {
    const throng_forces_spot spot = all[me];
    uint32_t count = 0;
    for (uint32_t i = 0; i < length; i += 4) {
        spots o = spots_of(all, list, i, length);
        wide dx = wide_sub(wide_all(spot.x), o.x), dy = wide_sub(wide_all(spot.y), o.y);
        wide d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide apart = wide_add(wide_mul(wide_all(core), wide_add(wide_all(spot.radius), o.radius)), wide_all(closer));
        wide_mask near = wide_and(wide_less(d2, wide_mul(apart, apart)), wide_first((int64_t)length - i));
        for (unsigned bits = wide_bits(near); bits; bits &= bits - 1) {
            close[count++] = list[i + (uint32_t)__builtin_ctz(bits)];
        }
    }
    return count;
}

/* Adds up the corrections (m) that the close ones ask for; tells how many do. `together` is one of them that is at
 * the very same place, and asks for nothing here; UINT32_MAX: none is. */
static uint32_t gather_wanted(const throng_forces_spot *all, uint32_t me, const uint32_t *close, uint32_t length,
                              double core, double sum[2], uint32_t *together) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    const throng_forces_spot spot = all[me];
    wide sum_x = zero, sum_y = zero;
    uint32_t count = 0;
    *together = UINT32_MAX;
    for (uint32_t i = 0; i < length; i += 4) {
        spots o = spots_of(all, close, i, length);
        wide dx = wide_sub(wide_all(spot.x), o.x), dy = wide_sub(wide_all(spot.y), o.y);
        wide d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide apart = wide_mul(wide_all(core), wide_add(wide_all(spot.radius), o.radius));
        wide_mask near = wide_and(wide_less(d2, wide_mul(apart, apart)), wide_first((int64_t)length - i));
        if (!wide_bits(near)) continue;
        wide_mask same = wide_and(near, wide_less(d2, wide_all(1e-18)));
        if (wide_bits(same)) *together = close[i + (uint32_t)__builtin_ctz(wide_bits(same))];
        near = wide_and_not(near, same);
        wide d = wide_sqrt(wide_select(near, d2, one));
        /* the lighter one by more; who does not yield has no give */
        wide part = wide_div(wide_all(spot.give), wide_add(wide_all(spot.give), o.give));
        wide scale = wide_div(wide_mul(wide_sub(apart, d), part), d);
        sum_x = wide_add(sum_x, wide_keep(near, wide_mul(scale, dx)));
        sum_y = wide_add(sum_y, wide_keep(near, wide_mul(scale, dy)));
        count += (uint32_t)__builtin_popcount(wide_bits(near));
    }
    double lanes[2][4];
    wide_store(lanes[0], sum_x);
    wide_store(lanes[1], sum_y);
    for (int c = 0; c < 2; c++) sum[c] = (lanes[c][0] + lanes[c][1]) + (lanes[c][2] + lanes[c][3]);
    return count;
}
