/* obstacle_gap.h: how people lie to an obstacle that can move. Points and ways are given as seen from the
 * obstacle, whose outline then stands where the place had it. */

#ifndef THRONG_OBSTACLE_GAP_H
#define THRONG_OBSTACLE_GAP_H

#include "space/box.h"
#include "world/changes.h"

typedef struct throng_obstacle_gap {
    double distance;   /* m to the outline, negative inside */
    throng_point away; /* unit vector out of the obstacle, or away from a thin wall */
} throng_obstacle_gap;

throng_obstacle_gap throng_movable_gap(const throng_movable *movable, throng_point at);

/* Whether a straight way meets the outline. */
bool throng_movable_crosses(const throng_movable *movable, throng_point from, throng_point to);

/* The least distance of a straight way from the obstacle, m; 0 when it meets it or is inside. */
double throng_movable_distance(const throng_movable *movable, throng_point from, throng_point to);

static inline bool throng_box_is_within(throng_box box, throng_point at, double reach) {
    return at.x >= box.low.x - reach && at.x <= box.high.x + reach && at.y >= box.low.y - reach &&
           at.y <= box.high.y + reach;
}

#endif
