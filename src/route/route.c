/* route.c: asks the planner (path planning) a world was given, or chooses one when the first people are there. */

#include "route/route.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "route/planner.h"
#include "space/place.h"
#include "space/walls.h"

static const throng_planner *const planners[] = {&throng_straight, &throng_flow_field, &throng_roadmap};
enum { PLANNER_COUNT = sizeof planners / sizeof planners[0] };

/* Corners: where most of them see each other, the work of a roadmap grows with their square. */
enum { ROADMAP_CORNERS_MOST = 12000 };

struct throng_route {
    throng_route_def def;
    const throng_planner *planner; /* NULL until it is chosen */
    bool given;                    /* the user named it: no other is chosen */
    size_t corners;                /* that are too many for the roadmap that was asked for; 0: they are not */
    void *state;
};

bool throng_route_is_crowded(const throng_route *route) { return route->def.congestion > 0; }

const char *throng_planner_name(size_t index) { return index < PLANNER_COUNT ? planners[index]->name : NULL; }

static void choose(throng_route *route, const throng_planner *planner) {
    if (route->planner == planner) return;
    if (route->planner) route->planner->destroy(route->state);
    route->planner = planner;
    route->state = planner ? planner->create(&route->def) : NULL;
}

/* Corners that stick out, which one can be behind. */
static size_t corners_of(const throng_walls *walls) {
    size_t corners = 0;
    for (size_t k = 0; k < walls->count; k++) corners += walls->convex[k];
    return corners;
}

throng_route *throng_route_create(const throng_route_def *def) {
    const throng_planner *planner = NULL;
    for (size_t i = 0; i < PLANNER_COUNT && def->planner; i++) {
        if (strcmp(planners[i]->name, def->planner) == 0) planner = planners[i];
    }
    if (def->planner && !planner) return NULL;
    throng_route *route = throng_allocate(sizeof *route);
    route->def = *def;
    route->def.planner = NULL; /* the caller's text may go away */
    route->given = planner != NULL;
    size_t corners = corners_of(def->walls);
    if (planner == &throng_roadmap && corners > ROADMAP_CORNERS_MOST) {
        route->corners = corners;
        planner = &throng_flow_field;
    }
    if (planner) choose(route, planner);
    return route;
}

size_t throng_route_corners_too_many(const throng_route *route) { return route->corners; }

void throng_route_destroy(throng_route *route) {
    if (!route) return;
    if (route->planner) route->planner->destroy(route->state);
    throng_release(route);
}

const char *throng_route_planner(const throng_route *route) { return route->planner ? route->planner->name : ""; }

/* Straight where nothing can ever stand in anybody's way, not even of who is shoved aside, else a flow field. So the
 * choice depends on the place alone, whoever walks there. */
static const throng_planner *planner_for(const throng_route *route, const throng_goal_entry *goals,
                                         const throng_walker *walkers, size_t count) {
    if (route->planner == &throng_flow_field) return route->planner;
    bool hidden = corners_of(route->def.walls) > 0 || route->def.place->part_count > 1;
    for (size_t i = 0; i < count && hidden; i++) {
        if (goals[walkers[i].goal].def.kind != THRONG_GOAL_DIRECTION) return &throng_flow_field;
    }
    return &throng_straight;
}

size_t throng_route_prepare(throng_route *route, const throng_goal_entry *goals, const throng_walker *walkers,
                            size_t count) {
    if (count == 0) return SIZE_MAX;
    if (!route->given) choose(route, planner_for(route, goals, walkers, count));
    return route->planner->prepare(route->state, goals, walkers, count);
}

throng_way throng_route_way(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker) {
    if (walker->goal == 0) return (throng_way){0};
    if (!route->planner) return throng_straight_way(goals, walker);
    return route->planner->way(route->state, goals, walker);
}

void throng_route_update(throng_route *route, const throng_goal_entry *goals, const throng_route_crowd *crowd) {
    if (route->planner && route->planner->update) route->planner->update(route->state, goals, crowd);
}

void throng_route_lead(const throng_route *route, const throng_goal_entry *goals, const throng_route_crowd *crowd,
                       size_t begin, size_t end, throng_way *ways) {
    if (route->planner && route->planner->lead) {
        route->planner->lead(route->state, goals, crowd, begin, end, ways);
        return;
    }
    for (size_t i = 0; i < end - begin; i++) ways[i] = (throng_way){.distance = -1};
}

void throng_route_change(throng_route *route, const throng_place *place, const throng_walls *walls, throng_box where) {
    route->def.place = place;
    route->def.walls = walls;
    const throng_planner *planner = route->planner;
    if (planner && planner->change) {
        planner->change(route->state, place, walls, where);
    } else {
        choose(route, NULL); /* it knows nothing of changes: it begins anew */
        choose(route, planner);
    }
}

void throng_route_forget(throng_route *route, const throng_place *place, const throng_walls *walls) {
    route->def.place = place;
    route->def.walls = walls;
    choose(route, NULL);
}

/* Which planner was chosen is part of it, as the choice depends on who walked where until now. */
void throng_route_archive(throng_route *route, const throng_goal_entry *goals, throng_archive *archive) {
    throng_archive_mark(archive, "route");
    uint32_t chosen = 0;
    while (route->planner && planners[chosen] != route->planner) chosen++;
    if (!route->planner) chosen = PLANNER_COUNT;
    THRONG_ARCHIVE(archive, chosen);
    if (chosen > PLANNER_COUNT || (chosen == PLANNER_COUNT && route->given)) {
        throng_archive_spoil(archive, "there is no such planner");
    }
    if (archive->bad) return;
    if (archive->reading) {
        if (route->planner && route->planner->archive) choose(route, NULL); /* nothing it remembers now may stay */
        choose(route, chosen < PLANNER_COUNT ? planners[chosen] : NULL);
    }
    if (!route->planner) return;
    if (route->planner->archive) route->planner->archive(route->state, goals, archive);
}

static bool within(throng_point a, throng_point b, double radius) {
    double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy <= radius * radius;
}

/* In an area, with the centre of the body; or as near as walls let the body come to an area that
 * lies closer to them than its radius, such as an exit strip along a wall. */
static bool is_in_area(const throng_route *route, const throng_goal_entry *goal, const throng_walker *walker) {
    const double enough = 0.02; /* m; nobody stands nearer to a wall than this for long */
    double reach = walker->radius + enough;
    throng_point at = walker->at;
    if (at.x < goal->bounds.low.x - reach || at.x > goal->bounds.high.x + reach) return false;
    if (at.y < goal->bounds.low.y - reach || at.y > goal->bounds.high.y + reach) return false;
    if (throng_ring_contains(goal->def.ring, at.x, at.y)) return true;
    throng_point border = throng_ring_border_nearest(goal->def.ring, at.x, at.y);
    double room = fmax(throng_walls_depth(route->def.walls, border.x, border.y, reach), 0);
    return within(at, border, fmax(reach - room, 0));
}

bool throng_goal_is_closed(const throng_goal_entry *goals, throng_goal goal) {
    const throng_goal_def *def = &goals[goal].def;
    if (def->kind != THRONG_GOAL_ANY) return goals[goal].closed;
    for (size_t i = 0; i < def->any_count; i++) {
        if (!goals[def->any[i]].closed) return false;
    }
    return true;
}

bool throng_goal_reached(const throng_route *route, const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_goal_entry *goal = &goals[walker->goal];
    switch (goal->def.kind) {
        case THRONG_GOAL_AREA:
            return is_in_area(route, goal, walker);
        case THRONG_GOAL_POINT:
            return within(walker->at, goal->def.point, goal->def.radius);
        case THRONG_GOAL_OWN:
        case THRONG_GOAL_ROAM:
            return within(walker->at, walker->target, goal->def.radius);
        case THRONG_GOAL_ANY: {
            throng_walker towards = *walker;
            for (size_t i = 0; i < goal->def.any_count; i++) {
                towards.goal = goal->def.any[i];
                if (goals[towards.goal].closed) continue;
                if (throng_goal_reached(route, goals, &towards)) return true;
            }
            return false;
        }
        case THRONG_GOAL_DIRECTION:
            return false;
    }
    return false;
}

/* --- narrow places */

/* The planner's own ground if it serves a body, else one laid for the purpose in `own`; NULL when no gap is too narrow
 * for it. */
static throng_ground *ground_for(throng_route *route, double radius, throng_ground *own) {
    throng_ground *laid = route->planner && route->planner->ground ? route->planner->ground(route->state) : NULL;
    if (laid && throng_ground_serves(laid, radius)) return laid;
    size_t count;
    throng_gap *gaps = throng_gaps_find(route->def.walls, 2 * radius, &count);
    count = throng_gaps_below(gaps, count, radius);
    throng_release(gaps);
    if (count == 0) return NULL;
    *own = (throng_ground){.walls = route->def.walls, .nodes_wanted = 6e5};
    throng_ground_lay(own, radius, radius);
    return own;
}

size_t throng_route_passages(throng_route *route, double radius, throng_passage *out, size_t capacity) {
    throng_ground own = {0}, *ground = ground_for(route, radius, &own);
    size_t count = ground ? throng_passages_find(ground, radius, out, capacity) : 0;
    throng_ground_clear(&own);
    return count;
}

bool throng_route_obstruction(throng_route *route, const throng_goal_entry *goals, const throng_walker *walker,
                              throng_passage *out) {
    throng_ground own = {0}, *ground = ground_for(route, walker->radius, &own);
    bool found = ground && throng_passages_on_way(ground, goals, walker, out);
    throng_ground_clear(&own);
    return found;
}

bool throng_route_is_coarse(const throng_route *route, double *cell) {
    const throng_ground *laid = NULL;
    if (route->planner && route->planner->ground) laid = route->planner->ground(route->state);
    if (!laid) return false;
    *cell = laid->lattice->cell;
    return laid->shared || (route->def.cell > 0 && *cell > 1.001 * route->def.cell);
}
