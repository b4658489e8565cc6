/* wall_pieces_kernel.h: four pieces of wall at once, as walkers see them. */

#ifndef THRONG_IMPLICIT_WALL_PIECES_KERNEL_H
#define THRONG_IMPLICIT_WALL_PIECES_KERNEL_H

#include "models/implicit/energy_math_kernel.h"

/* Four pieces and how their walkers move. */
typedef struct wide_pieces {
    wide ax, ay, ux, uy, length, distance, nx, ny; /* see throng_wall_piece */
    wide r;                                        /* m, the radius that counts */
    wide vx, vy;                                   /* m/s */
} wide_pieces;

_Static_assert(sizeof(throng_wall_piece) == 8 * sizeof(double), "pieces are loaded as two rows of four numbers");

/* throng_effective_radius of four. */
static inline wide effective_radius_four(wide distance, wide r) {
    wide_mask touched = wide_less_equal(distance, r);
    if (!wide_bits(touched)) return r;
    wide deep = wide_select(wide_less(wide_all(2e-3), distance), wide_sub(distance, wide_all(1e-3)),
                            wide_mul(wide_all(0.5), distance));
    return wide_select(touched, deep, r);
}

static inline wide_pieces pieces_at(const throng_wall_piece *const piece[4], wide r, wide vx, wide vy) {
    const double *first[4], *second[4];
    for (int lane = 0; lane < 4; lane++) {
        first[lane] = &piece[lane]->ax;
        second[lane] = &piece[lane]->length;
    }
    wide a[4], b[4];
    wide_load_columns(first, a);
    wide_load_columns(second, b);
    return (wide_pieces){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], effective_radius_four(b[1], r), vx, vy};
}

static inline wide end_x(const wide_pieces *p) { return mul_add(p->length, p->ux, p->ax); }
static inline wide end_y(const wide_pieces *p) { return mul_add(p->length, p->uy, p->ay); }

#endif
