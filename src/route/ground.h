/* ground.h: what all flow fields of a world are made on: the lattice, and the gaps between walls. */

#ifndef THRONG_GROUND_H
#define THRONG_GROUND_H

#include "route/lattice.h"

typedef struct throng_ground {
    const throng_walls *walls;
    double cell_wanted;             /* m; 0: as the place suggests */
    double nodes_wanted;            /* about as many at most, unless a cell was asked for */
    double radius_low, radius_high; /* m, of the bodies it is made for */
    throng_box box;                 /* what the lattice covers */
    throng_lattice *lattice;        /* NULL before it is laid */
    throng_gap *gaps;               /* all narrower than the widest body, narrowest first */
    size_t gap_count;
} throng_ground;

/* Lays the ground for bodies of these radii, or lays it anew. The lattice is at least as fine as
 * needed to find every gap that the smallest of them fits through, up to a limit of memory. */
void throng_ground_lay(throng_ground *ground, double radius_low, double radius_high);
void throng_ground_clear(throng_ground *ground);

/* Whether it serves a body of some radius as it is. */
bool throng_ground_serves(const throng_ground *ground, double radius);

/* The number of gaps too narrow for a body. */
size_t throng_ground_size(const throng_ground *ground, double radius);

/* Whether one of the `gap_count` narrowest gaps lies across a line. */
bool throng_ground_parts(const throng_ground *ground, size_t gap_count, throng_point from, throng_point to);

#endif
