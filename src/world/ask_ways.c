/* ask_ways.c: the way from here to there (shortest paths). A roadmap of its own answers, so that no question changes
 * anybody's way, and it does not matter which planner leads the people. One asker is let in at a time.
 *
 * A way is walked from its beginning, leg by leg and in short steps around corners, and then pulled straight. */

#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "world/world.h"

void throng_ask_forget_ways(throng_ask *ask) {
    throng_route_destroy(ask->route);
    throng_release(ask->goals);
    ask->route = NULL;
    ask->goals = NULL;
}

void throng_ask_check_ways(throng_ask *ask) {
    const throng_world *world = ask->world;
    uint64_t closed = 0;
    for (size_t g = 1; g < world->goal_count; g++) closed = throng_mix(closed + world->goals[g].closed);
    if (ask->place_version == world->changes.place_version && ask->goal_count == world->goal_count &&
        ask->closed == closed)
        return;
    throng_ask_forget_ways(ask);
    ask->place_version = world->changes.place_version;
    ask->goal_count = world->goal_count;
    ask->closed = closed;
}

/* Where an axis wraps, a roadmap does not lead across the seam. */
static void make_route(throng_ask *ask) {
    const throng_world *world = ask->world;
    if (ask->route) return;
    const char *planner = throng_period_is_on(&world->period) ? "flow-field" : "roadmap";
    ask->route = throng_route_create(
        &(throng_route_def){.planner = planner, .place = world->place, .walls = world->walls, .crew = ask->crew});
    ask->goals = throng_allocate((ask->goal_count + 1) * sizeof *ask->goals);
    for (size_t g = 0; g < ask->goal_count; g++) ask->goals[g] = world->goals[g];
    ask->goals[ask->goal_count].def = (throng_goal_def){.kind = THRONG_GOAL_ROAM, .name = "", .radius = 1e-3};
}

/* Somebody at an image of where the question begins, whichever is nearest to the goal. */
static throng_walker walker_at(const throng_ask *ask, throng_point from, throng_goal goal, throng_point to,
                               double radius) {
    const throng_world *world = ask->world;
    const throng_goal_entry *entry = goal < ask->goal_count ? &world->goals[goal] : NULL;
    throng_box box = entry ? entry->bounds : (throng_box){to, to};
    bool several = entry && entry->def.kind == THRONG_GOAL_ANY;
    throng_point at = several ? from : throng_period_nearest(&world->period, from, box);
    return (throng_walker){.at = at, .goal = goal, .target = to, .radius = radius};
}

/* Whether the question makes sense. */
static bool is_sensible(const throng_ask *ask, throng_point from, double radius) {
    if (!throng_point_fits(from) || !(radius >= THRONG_RADIUS_LEAST && radius <= THRONG_RADIUS_MOST)) return false;
    throng_point at = throng_period_wrap(&ask->world->period, from);
    return throng_walls_inside(ask->world->walls, at.x, at.y);
}

static bool is_goal(const throng_ask *ask, throng_goal goal) {
    if (goal == 0 || goal >= ask->goal_count) return false;
    throng_goal_kind kind = ask->world->goals[goal].def.kind;
    return kind == THRONG_GOAL_AREA || kind == THRONG_GOAL_POINT || kind == THRONG_GOAL_ANY;
}

static bool leads_there(throng_ask *ask, const throng_walker *walker) {
    make_route(ask);
    return !throng_goal_is_closed(ask->goals, walker->goal) &&
           throng_route_prepare(ask->route, ask->goals, walker, 1) == SIZE_MAX;
}

/* ------------------------------------------------------------------ walking it */

typedef struct points {
    throng_point *at;
    size_t count, capacity;
} points;

static void add_point(points *p, throng_point at) {
    THRONG_GROW(p->at, p->capacity, p->count + 1);
    p->at[p->count++] = at;
}

/* How far to go on straight: to where the next bend begins, or a little. */
static double stride(const throng_walker *walker, const throng_way *way) {
    const double share = 0.3, least = 0.02; /* of the radius; m */
    double little = fmax(share * walker->radius, least);
    double leg = walker->trail->planned ? throng_distance(walker->trail->next, walker->at) : 0;
    return fmin(leg > 2 * little ? leg : little, way->distance);
}

/* No points when it gets nowhere. */
static points walk(throng_ask *ask, throng_walker walker) {
    const double strides_most = 1000, per_m = 200; /* more than any way takes */
    points p = {0};
    add_point(&p, walker.at);
    double most = INFINITY;
    while (!throng_goal_reached(ask->route, ask->goals, &walker) && p.count > 0) {
        throng_trail trail = {0};
        walker.trail = &trail;
        throng_way way = throng_route_way(ask->route, ask->goals, &walker);
        if (p.count == 1) most = strides_most + per_m * way.distance;
        walker.at = throng_ahead(walker.at, way.direction, stride(&walker, &way));
        add_point(&p, walker.at);
        if (!((double)p.count < most && way.distance > 0)) p.count = 0;
    }
    return p;
}

/* Leaves out what can be passed by straight on. */
static void pull_straight(const throng_walls *walls, points *p, double radius) {
    const double kept = 1 - 1e-6; /* of the radius, against rounding */
    size_t left = 1;
    for (size_t i = 0; i + 1 < p->count;) {
        size_t next = i + 1;
        while (next + 1 < p->count && !throng_walls_block(walls, p->at[i], p->at[next + 1], kept * radius)) next++;
        p->at[left++] = p->at[next];
        i = next;
    }
    p->count = left;
}

static size_t path_of(const throng_ask *asked, throng_point from, throng_goal goal, throng_point to, double radius,
                      throng_point *out, size_t capacity) {
    throng_ask *ask = asked->world->ask;
    if (!is_sensible(ask, from, radius)) return 0;
    throng_walker walker = walker_at(ask, from, goal, to, radius);
    throng_point shift = throng_minus(from, walker.at);
    points p = {0};
    throng_crew_enter(ask->crew);
    if (leads_there(ask, &walker)) p = walk(ask, walker);
    throng_crew_leave(ask->crew);
    if (p.count > 1 && goal == ask->goal_count) p.at[p.count - 1] = to;
    if (p.count > 1) pull_straight(ask->world->walls, &p, radius);
    for (size_t i = 0; i < p.count && i < capacity; i++) out[i] = throng_plus(p.at[i], shift);
    throng_release(p.at);
    return p.count;
}

size_t throng_ask_path(const throng_ask *ask, throng_point from, throng_point to, double radius, throng_point *out,
                       size_t capacity) {
    if (!is_sensible(ask, to, radius)) return 0;
    return path_of(ask, from, (throng_goal)ask->goal_count, to, radius, out, capacity);
}

size_t throng_ask_path_to_goal(const throng_ask *ask, throng_point from, throng_goal goal, double radius,
                               throng_point *out, size_t capacity) {
    return is_goal(ask, goal) ? path_of(ask, from, goal, from, radius, out, capacity) : 0;
}

double throng_ask_distance(const throng_ask *asked, throng_point from, throng_goal goal, double radius) {
    throng_ask *ask = asked->world->ask;
    if (!is_goal(ask, goal) || !is_sensible(ask, from, radius)) return NAN;
    throng_walker walker = walker_at(ask, from, goal, from, radius);
    throng_crew_enter(ask->crew);
    double distance = INFINITY;
    if (leads_there(ask, &walker)) {
        bool there = throng_goal_reached(ask->route, ask->goals, &walker);
        distance = there ? 0 : throng_route_way(ask->route, ask->goals, &walker).distance;
    }
    throng_crew_leave(ask->crew);
    return distance;
}
