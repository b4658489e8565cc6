/* crowding.h: where a crowd holds people up (congestion): a coarse map of how many times longer each metre takes, to
 * find ways around crowds. (Which of several goals is the quickest, ahead.h tells.)
 *
 * What counts is what people really get on, along the way they want to take, as a part of their desired
 * speed. Looked at every half second, renewed every two, and most of it is what it was before, so that
 * nobody runs to and fro after every stir. */

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
    float *wanted, *made;      /* [node] m/s, their desired speed, and what they made of it along their ways */
    size_t count, capacity;    /* nodes */
} throng_crowding;

void throng_crowding_clear(throng_crowding *crowding);

/* Whether it is time to look at the crowd. */
bool throng_crowding_is_due(const throng_route_crowd *crowd);

/* Which way somebody wants to go: a unit vector, or zero when that is not known. */
typedef throng_point (*throng_wanted_way)(const void *context, const throng_route_crowd *crowd, size_t row);

/* Looks at the people within a box. Returns whether the map was renewed. */
bool throng_crowding_look(throng_crowding *crowding, throng_box box, const throng_route_crowd *crowd,
                          throng_wanted_way wanted, const void *context);

/* How many times longer a metre takes at a point. */
double throng_crowding_at(const throng_crowding *crowding, double x, double y);

void throng_crowding_archive(throng_crowding *crowding, throng_archive *archive);

#endif
