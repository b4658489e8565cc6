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
    float *slow;               /* [5 node + way] 1: as fast as one likes; east, north, west, south, any way */
    float *people;             /* [node] seen, since it was renewed */
    float *wanted, *made;      /* [4 node + way] m/s, their desired speed that way, and what they made of it */
    size_t count, capacity;    /* nodes */
} throng_crowding;

void throng_crowding_clear(throng_crowding *crowding);

/* Which way somebody wants to go: a unit vector, or zero when that is not known. */
typedef throng_point (*throng_wanted_way)(const void *context, const throng_route_crowd *crowd, size_t row);

/* Looks at the crowd, if it is time to, at people within a box. Returns whether the map was renewed. */
bool throng_crowding_look(throng_crowding *crowding, throng_box box, const throng_route_crowd *crowd,
                          throng_wanted_way wanted, const void *context);

/* How many times longer a metre takes at a point: east, north, west, south, any way. A crowd holds up
 * those who go its way, not those who leave it. */
enum { THRONG_CROWD_WAYS = 4, THRONG_CROWD_ANY = 4 };
void throng_crowding_at(const throng_crowding *crowding, double x, double y, double *slow);
/* The same in a direction, given that of the four. */
static inline double throng_crowding_along(const float *slow, double x, double y) {
    return x * x * slow[x > 0 ? 0 : 2] + y * y * slow[y > 0 ? 1 : 3];
}

void throng_crowding_archive(throng_crowding *crowding, throng_archive *archive);

#endif
