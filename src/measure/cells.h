/* cells.h: Voronoi cells, one after the other, for the files of this room that measure them. */

#ifndef THRONG_CELLS_H
#define THRONG_CELLS_H

#include "measure/tracks.h"

/* A convex polygon, counter-clockwise. */
typedef struct throng_convex {
    throng_point *at;
    size_t count, capacity;
} throng_convex;

/* Keeps what has x * nx + y * ny <= limit; the other one is scratch. Whether anything was cut off. */
bool throng_convex_cut(throng_convex *polygon, throng_convex *spare, double nx, double ny, double limit);
void throng_convex_copy(throng_convex *to, const throng_convex *from);
double throng_convex_area(const throng_convex *polygon);
/* The part of a straight way that is in it, as parts of its length; false: none. */
bool throng_convex_way(const throng_convex *polygon, throng_point from, throng_point to, double *enter, double *leave);

/* Somebody's cell: convex pieces, relative to where the person is; none when it has no bounds. */
typedef struct throng_cell {
    size_t row;
    throng_point at;
    const throng_convex *pieces;
    size_t piece_count;
} throng_cell;

/* Tells of the cells of some frames, in order of rows. */
void throng_cells_each(const throng_tracks *tracks, const throng_cells_def *def, size_t begin, size_t end,
                       void (*take)(void *context, const throng_cell *cell), void *context);

#endif
