/* route.h: which way to walk. A planner answers for every agent, every step: the direction of the
 * way to its goal and how long that way is. */

#ifndef THRONG_ROUTE_H
#define THRONG_ROUTE_H

#include <throng/model.h>

/* A goal as the world keeps it; index 0 of the table is nowhere. */
typedef struct throng_goal_entry {
    throng_goal_def def; /* owns name, ring.points and any */
    throng_box bounds;   /* of the ring or the point */
} throng_goal_entry;

typedef struct throng_route_def {
    const char *planner; /* "straight", "flow-field"; NULL: decided at the first prepare */
    double cell;         /* m; 0: chosen from the place */
    const throng_place *place;
    const throng_walls *walls;
    throng_crew *crew;
} throng_route_def;

/* Somebody who has to get somewhere. */
typedef struct throng_walker {
    throng_point at;
    throng_goal goal;
    throng_point target; /* for THRONG_GOAL_OWN and THRONG_GOAL_ROAM */
    double radius;
} throng_walker;

/* The way from where one asked. */
typedef struct throng_way {
    throng_point direction; /* unit vector; zero at the goal */
    double distance;        /* m still to walk; infinite for a direction goal */
    bool unknown;           /* the planner was not made ready for this walker: it is led straight */
} throng_way;

typedef struct throng_route throng_route;

/* The planners there are, by name; NULL after the last. */
const char *throng_planner_name(size_t index);

/* NULL when there is no such planner. */
throng_route *throng_route_create(const throng_route_def *def);
void throng_route_destroy(throng_route *route);
const char *throng_route_planner(const throng_route *route); /* "" before the first prepare */

/* Makes ready whatever the walkers need (a field per goal), besides what was made ready before. Returns
 * the index of the first walker who cannot reach its goal, or SIZE_MAX. Such walkers are led straight.
 *
 * With flow fields this means: a disc of the walker's radius fits through on no way to the goal; one
 * just as wide as a passage fits. Exact for passages wider than sqrt(2) cells, and the cell is chosen
 * so that all passages of use are, unless that takes more than 8 million of them. Of a goal with more
 * than 8 sizes of people, some may be led through gaps that only slightly smaller ones fit through.
 * Straight never looks at walls and never fails. */
size_t throng_route_prepare(throng_route *route, const throng_goal_entry *goals, const throng_walker *walkers,
                            size_t count);

/* The way of one walker. Reads only; any thread may ask. */
throng_way throng_route_way(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker);

/* Whether a walker is at its goal. */
bool throng_goal_reached(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker);

#endif
