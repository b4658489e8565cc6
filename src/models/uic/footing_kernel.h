/* footing_kernel.h: where eight people stand among the cells and faces around them, to splat and to sample alike. */

#ifndef THRONG_UIC_FOOTING_KERNEL_H
#define THRONG_UIC_FOOTING_KERNEL_H

#include "base/wide_lookup.h"
#include "models/uic/uic.h"

/* The cell of a coordinate, as a number, and where in it. */
static inline wide8 cell_of(wide8 x, wide8 *within) {
    wide8 c = wide8_of_whole(wide8_to_whole(x));
    c = wide8_min(wide8_max(c, wide8_all(0)), wide8_all(THRONG_UIC_TILE - 1));
    *within = wide8_sub(x, c);
    return c;
}

/* Where eight people stand in the lattices of cells and faces. */
typedef struct footing {
    wide8 at;            /* the cell each is in, as a place in a field */
    wide8 aside, over;   /* from there to the next cells in its row and column that are nearest */
    wide8 a, b;          /* 0 .. 1 within the cell */
    wide8 across, above; /* 0 .. 1/2 to those next cells, as far as faces are open */
    unsigned divided;    /* bits: who is in a cell that walls divide; each of them has to be looked at */
} footing;

/* (x, y) in cells from the low corner of the tile. */
WIDE8_INLINE footing stand_on(const throng_uic_tile *t, wide8 x, wide8 y) {
    const float up = THRONG_UIC_STRIDE;
    footing f = {.divided = 0};
    wide8 half = wide8_all(0.5F), c = cell_of(x, &f.a), r = cell_of(y, &f.b);
    wide8_mask east = wide8_less(half, f.a), north = wide8_less(half, f.b);
    f.across = wide8_select(east, wide8_sub(f.a, half), wide8_sub(half, f.a));
    f.above = wide8_select(north, wide8_sub(f.b, half), wide8_sub(half, f.b));
    f.at = wide8_add(wide8_add(wide8_mul(r, wide8_all(up)), c), wide8_all(up + 1));
    f.aside = wide8_select(east, wide8_all(1), wide8_all(-1));
    f.over = wide8_select(north, wide8_all(up), wide8_all(-up));
    if (t->plain) return f;
    wide8 u = wide8_add(f.at, wide8_keep(east, wide8_all(1))), v = wide8_add(f.at, wide8_keep(north, wide8_all(up)));
    f.across = wide8_mul(f.across, wide8_lookup(t->open_u, wide8_to_whole(u)));
    f.above = wide8_mul(f.above, wide8_lookup(t->open_v, wide8_to_whole(v)));
    f.divided = wide8_bits(wide8_less(wide8_all(0), wide8_lookup(t->walled, wide8_to_whole(f.at))));
    return f;
}

#endif
