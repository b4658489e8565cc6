/* read_objects.h: what the rest of the reader must know of things (rigid bodies): where they stand, seen from above. */

#ifndef THRONG_READ_OBJECTS_H
#define THRONG_READ_OBJECTS_H

#include "scenario/scenario.h"
#include "space/period.h"

/* A part seen from above: a rectangle or a disc. */
typedef struct throng_footprint {
    throng_point centre, along; /* m; unit direction of its first edge */
    throng_point half;          /* m, of a rectangle */
    double radius;              /* m, of a disc; 0: a rectangle */
    double low;                 /* m above the floor where it begins */
    size_t object;
} throng_footprint;

/* Things that people cannot be placed in, in order of x. The caller releases the footprints. */
typedef struct throng_things_plan {
    throng_footprint *footprints;
    size_t count;
    double reach; /* m from a centre to the farthest corner */
} throng_things_plan;

/* The parts of static objects that people meet: how many, written to out unless that is NULL. */
size_t throng_static_footprints(const throng_scenario *scenario, throng_footprint *out);
throng_obstacle throng_footprint_obstacle(const throng_footprint *footprint); /* the caller releases its ring */
throng_things_plan throng_plan_things(const throng_scenario *scenario);
bool throng_is_clear_of_things(const throng_things_plan *plan, throng_point at, double radius);

bool throng_read_point3(throng_reader *reader, throng_json_ref node, const char *what, throng_range range,
                        throng_point3 *out);

#endif
