/* route.c: asks the planner a world was given, or chooses one when the first people are there. */

#include "route/route.h"

#include <string.h>

#include "route/planner.h"
#include "space/place.h"
#include "world/memory.h"

static const throng_planner *const planners[] = {&throng_straight, &throng_flow_field};
enum { PLANNER_COUNT = sizeof planners / sizeof planners[0] };

struct throng_route {
    throng_route_def def;
    const throng_planner *planner; /* NULL until it is chosen */
    void *state;
};

const char *throng_planner_name(size_t index) { return index < PLANNER_COUNT ? planners[index]->name : NULL; }

static const throng_planner *planner_named(const char *name) {
    for (size_t i = 0; i < PLANNER_COUNT; i++) {
        if (strcmp(planners[i]->name, name) == 0) return planners[i];
    }
    return NULL;
}

static void choose(throng_route *route, const throng_planner *planner) {
    route->planner = planner;
    route->state = planner->create(&route->def);
}

throng_route *throng_route_create(const throng_route_def *def) {
    const throng_planner *planner = def->planner ? planner_named(def->planner) : NULL;
    if (def->planner && !planner) return NULL;
    throng_route *route = throng_allocate(sizeof *route);
    route->def = *def;
    route->def.planner = NULL; /* the caller's text may go away */
    if (planner) choose(route, planner);
    return route;
}

void throng_route_destroy(throng_route *route) {
    if (!route) return;
    if (route->planner) route->planner->destroy(route->state);
    throng_release(route);
}

const char *throng_route_planner(const throng_route *route) { return route->planner ? route->planner->name : ""; }

/* Straight when nothing stands in anybody's way, else a flow field. */
static const throng_planner *planner_for(const throng_route *route, const throng_goal_entry *goals,
                                         const throng_walker *walkers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!throng_straight_is_clear(route->def.walls, goals, &walkers[i])) return &throng_flow_field;
    }
    return &throng_straight;
}

size_t throng_route_prepare(throng_route *route, const throng_goal_entry *goals, const throng_walker *walkers,
                            size_t count) {
    if (count == 0) return SIZE_MAX;
    if (!route->planner) choose(route, planner_for(route, goals, walkers, count));
    return route->planner->prepare(route->state, goals, walkers, count);
}

throng_way throng_route_way(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker) {
    if (walker->goal == 0) return (throng_way){0};
    if (!route->planner) return throng_straight_way(goals, walker);
    return route->planner->way(route->state, goals, walker);
}

static bool within(throng_point a, throng_point b, double radius) {
    double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy <= radius * radius;
}

bool throng_goal_reached(const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_goal_entry *goal = &goals[walker->goal];
    switch (goal->def.kind) {
        case THRONG_GOAL_AREA:
            return walker->at.x >= goal->bounds.low.x && walker->at.x <= goal->bounds.high.x &&
                   walker->at.y >= goal->bounds.low.y && walker->at.y <= goal->bounds.high.y &&
                   throng_ring_contains(goal->def.ring, walker->at.x, walker->at.y);
        case THRONG_GOAL_POINT:
            return within(walker->at, goal->def.point, goal->def.radius);
        case THRONG_GOAL_OWN:
        case THRONG_GOAL_ROAM:
            return within(walker->at, walker->target, goal->def.radius);
        case THRONG_GOAL_ANY: {
            throng_walker towards = *walker;
            for (size_t i = 0; i < goal->def.any_count; i++) {
                towards.goal = goal->def.any[i];
                if (throng_goal_reached(goals, &towards)) return true;
            }
            return false;
        }
        case THRONG_GOAL_DIRECTION:
            return false;
    }
    return false;
}
