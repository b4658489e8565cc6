/* tracks.h: everybody's positions, frame by frame (trajectories), as the files of this room share them. */

#ifndef THRONG_TRACKS_H
#define THRONG_TRACKS_H

#include <throng/measure.h>

#include "base/crew.h"
#include "space/walls.h"

struct throng_tracks {
    throng_tracks_view view;
    size_t row_capacity, frame_capacity;
    bool sorted;         /* pieces and people are those of all rows */
    throng_walls *walls; /* NULL: an open plane */
    throng_box bounds;   /* of the walls */
    throng_period period;
    throng_crew *crew;
};

/* From one row to another of the same person, around the end of an endless place where that is nearer. m */
throng_point throng_tracks_way(const throng_tracks *tracks, uint32_t from, uint32_t to);
/* Whether that way leads around the end. */
bool throng_tracks_turn(const throng_tracks *tracks, uint32_t from, uint32_t to);

double throng_distance_to_segment(throng_point a, throng_point b, throng_point p);

/* People of a frame in cells of a grid, for looking around. */
typedef struct throng_frame_grid {
    const double *x, *y;
    size_t count;
    throng_point low;
    double size;
    int columns, rows;
    uint32_t *start, *slot, *cell; /* start[cell] .. start[cell + 1] of slot */
    size_t cell_capacity, slot_capacity;
} throng_frame_grid;

void throng_frame_grid_make(throng_frame_grid *grid, const double *x, const double *y, size_t count);
void throng_frame_grid_release(throng_frame_grid *grid);

/* One of them, and its distance from where one looks. */
typedef struct throng_found {
    double distance2, dx, dy;
    uint32_t who;
} throng_found;

/* The others in the cells that are `ring` cells away from somebody's own (1: with its own), nearest first; there is
 * room for all in `out`. */
size_t throng_frame_grid_ring(const throng_frame_grid *grid, size_t who, int ring, throng_found *out);
/* All others within reach, in no order of distance. */
size_t throng_frame_grid_around(const throng_frame_grid *grid, size_t who, double reach, throng_found *out);
/* No one of that ring or a later one is nearer than this; infinite when there is none. */
double throng_frame_grid_bound(const throng_frame_grid *grid, size_t who, int ring);

#endif
