/* crowding.h: where a crowd holds people up: a coarse map of how many times longer each metre takes.
 *
 * What counts is what people really get on, along the way they want to take, as a part of their desired
 * speed. In front of a door that passes J people a second, a crowd of N creeps at a speed that makes
 * the way through it take N / J: so waiting times follow from the flow there is, and no capacity has to
 * be known. Looked at every half second, renewed every two, and half of it is what it was before, so
 * that nobody runs to and fro after every stir. */

#ifndef THRONG_CROWDING_H
#define THRONG_CROWDING_H

#include "route/route.h"

typedef struct throng_crowding {
    double weight;             /* 0: no map is made */
    double origin_x, origin_y; /* m, of node 0 */
    double cell;               /* m */
    int32_t columns, rows;     /* 0: not laid yet */
    uint32_t looks;            /* since it was renewed */
    float *slow;               /* [node] 1: as fast as one likes */
    float *people;             /* [node] seen, since it was renewed */
    float *wanted, *made;      /* [node] m/s, their desired speed, and what they made of it */
    size_t count, capacity;    /* nodes */
} throng_crowding;

void throng_crowding_clear(throng_crowding *crowding);

/* How fast somebody gets on along its way, m/s. */
typedef double (*throng_progress)(const void *context, const throng_route_crowd *crowd, size_t row);

/* Looks at the crowd, if it is time to, at people within a box. Returns whether the map was renewed. */
bool throng_crowding_look(throng_crowding *crowding, throng_box box, const throng_route_crowd *crowd,
                          throng_progress progress, const void *context);

/* How many times longer a metre takes at a point. */
double throng_crowding_at(const throng_crowding *crowding, double x, double y);

void throng_crowding_archive(throng_crowding *crowding, throng_archive *archive);

#endif
