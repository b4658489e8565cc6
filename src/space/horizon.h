/* horizon.h: what walls hide from somebody.
 *
 * Around the eye there are 64 sectors; each knows how far away whatever is there is hidden for sure, by a piece of wall
 * that spans the whole sector, or two that meet in it. So whoever is called hidden cannot be seen, but a few of those
 * that cannot be seen are not called hidden: behind the edges of walls, by less than a sector.
 *
 * Directions and distances are those of the norm |x| + |y|: they need neither angles nor roots, and along a straight
 * line within a quadrant the distance is linear. */

#ifndef THRONG_HORIZON_H
#define THRONG_HORIZON_H

#include <math.h>
#include <stdbool.h>

enum { THRONG_HORIZON_QUADRANT = 16, THRONG_HORIZON_SECTORS = 4 * THRONG_HORIZON_QUADRANT };

typedef struct throng_horizon {
    float depth[THRONG_HORIZON_SECTORS];    /* m, |x| + |y|: what is farther is hidden */
    float x_least, x_most, y_least, y_most; /* m from the eye: all that can be seen lies within */
} throng_horizon;

/* A horizon in the making. Of each sector it knows how much walls cover that do not span it: up to `before`, and from
 * `after` on, in sectors. */
typedef struct throng_horizon_sketch {
    throng_horizon *horizon;
    double before[THRONG_HORIZON_SECTORS], after[THRONG_HORIZON_SECTORS];
    double before_depth[THRONG_HORIZON_SECTORS],
        after_depth[THRONG_HORIZON_SECTORS]; /* m, of the farthest point of them */
} throng_horizon_sketch;

/* Nothing is hidden. */
void throng_horizon_open(throng_horizon_sketch *sketch, throng_horizon *horizon);
/* Hides what is behind a piece of wall from a to b, given relative to the eye. */
void throng_horizon_hide(throng_horizon_sketch *sketch, double ax, double ay, double bx, double by);
/* Finds the box in which everything is that can be seen and is no farther than `reach`. */
void throng_horizon_close(throng_horizon_sketch *sketch, double reach);

/* The direction of a point as a number from 0 to 64, counterclockwise from the first axis. */
static inline double throng_horizon_direction(double x, double y, double distance) {
    double around = x >= 0 ? (y >= 0 ? y : 4 * distance + y) : 2 * distance - y;
    return THRONG_HORIZON_QUADRANT * (around / distance);
}

#endif
