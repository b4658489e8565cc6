/* Places to find one's way in, for the tests of routes. */

#ifndef ROUTE_SCENE_H
#define ROUTE_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "route/route.h"
#include "space/place.h"
#include "space/walls.h"
#include "testing.h"

enum { SHAPES_MOST = 200, CORNERS_MOST = 40, GOALS_MOST = 12 };

/* A place under construction, turned by an angle about the origin. Zero it, give it an angle and a
 * walkable area, add to it, then finish it. */
typedef struct scene {
    double turn; /* radians */
    throng_point border[CORNERS_MOST];
    size_t border_count; /* 0: an open plane */
    throng_point corners[SHAPES_MOST][CORNERS_MOST];
    throng_obstacle obstacles[SHAPES_MOST];
    size_t obstacle_count;
    throng_point goal_corners[GOALS_MOST][CORNERS_MOST];
    throng_goal_entry goals[GOALS_MOST + 1];
    size_t goal_count;
    throng_place *place;
    throng_walls *walls;
    throng_crew *crew;
    throng_route *route;
} scene;

static inline throng_point turned(const scene *s, double x, double y) {
    double c = cos(s->turn), k = sin(s->turn);
    return (throng_point){c * x - k * y, k * x + c * y};
}

static inline size_t turn_all(const scene *s, const double *xy, size_t numbers, throng_point *out) {
    for (size_t i = 0; i < numbers / 2; i++) out[i] = turned(s, xy[2 * i], xy[2 * i + 1]);
    return numbers / 2;
}

static inline void add_shape(scene *s, throng_obstacle_kind kind, const double *xy, size_t numbers) {
    assert_true(s->obstacle_count < SHAPES_MOST && numbers <= 2 * CORNERS_MOST);
    throng_point *corners = s->corners[s->obstacle_count];
    size_t count = turn_all(s, xy, numbers, corners);
    s->obstacles[s->obstacle_count++] = (throng_obstacle){.kind = kind, .ring = {corners, count}};
}

static inline throng_box box_around(const throng_point *points, size_t count) {
    throng_box box = {points[0], points[0]};
    for (size_t i = 1; i < count; i++) {
        box.low.x = fmin(box.low.x, points[i].x), box.high.x = fmax(box.high.x, points[i].x);
        box.low.y = fmin(box.low.y, points[i].y), box.high.y = fmax(box.high.y, points[i].y);
    }
    return box;
}

static inline throng_goal add_area(scene *s, const double *xy, size_t numbers) {
    throng_point *corners = s->goal_corners[s->goal_count];
    size_t count = turn_all(s, xy, numbers, corners);
    s->goals[++s->goal_count] =
        (throng_goal_entry){.def = {.kind = THRONG_GOAL_AREA, .name = "area", .ring = {corners, count}},
                            .bounds = box_around(corners, count)};
    return (throng_goal)s->goal_count;
}

static inline throng_goal add_goal(scene *s, throng_goal_def def) {
    s->goals[++s->goal_count] = (throng_goal_entry){.def = def, .bounds = {def.point, def.point}};
    return (throng_goal)s->goal_count;
}

#define NUMBERS(...)      (double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double)
#define walkable(s, ...)  ((s)->border_count = turn_all(s, NUMBERS(__VA_ARGS__), (s)->border))
#define block(s, ...)     add_shape(s, THRONG_POLYGON, NUMBERS(__VA_ARGS__))
#define thin_wall(s, ...) add_shape(s, THRONG_LINE, NUMBERS(__VA_ARGS__))
#define area(s, ...)      add_area(s, NUMBERS(__VA_ARGS__))
#define finish(s)         finish_with(s, "flow-field", 1)

static inline void finish_with(scene *s, const char *planner, int threads) {
    throng_place_def def = throng_default_place_def();
    throng_error error;
    def.walkable = (throng_ring){s->border, s->border_count};
    def.obstacles = s->obstacles;
    def.obstacle_count = s->obstacle_count;
    s->place = throng_place_create(&def, &error);
    if (!s->place) fail_msg("%s", error.text);
    s->walls = throng_walls_create(s->place);
    s->crew = throng_crew_create(threads);
    s->route = throng_route_create(
        &(throng_route_def){.planner = planner, .place = s->place, .walls = s->walls, .crew = s->crew});
    assert_non_null(s->route);
}

static inline void take_down(scene *s) {
    throng_route_destroy(s->route);
    throng_crew_destroy(s->crew);
    throng_walls_destroy(s->walls);
    throng_place_destroy(s->place);
}

static inline throng_walker walker_at(const scene *s, double x, double y, throng_goal goal, double radius) {
    return (throng_walker){.at = turned(s, x, y), .goal = goal, .radius = radius};
}

static inline bool is_reachable(scene *s, const throng_walker *walker) {
    return throng_route_prepare(s->route, s->goals, walker, 1) == SIZE_MAX;
}

static inline double clearance(const scene *s, throng_point at) { return throng_walls_depth(s->walls, at.x, at.y, 5); }

/* How a walk along a route went, at 1.3 m/s and dt 0.1 s. */
typedef struct walk {
    bool arrived;
    double length;    /* m */
    double clearance; /* m, the least, but for the last metre */
    double turn;      /* degrees, the most from one step to the next */
    double rise;      /* m, the most that the distance still to walk was above an earlier one */
} walk;

static inline walk walk_along(const scene *s, throng_walker walker) {
    const double step = 0.13;
    throng_way way = throng_route_way(s->route, s->goals, &walker), before = way;
    walk w = {.clearance = INFINITY};
    double least = way.distance, most = 1.5 * way.distance + 5;
    while (w.length < most) {
        if (throng_goal_reached(s->route, s->goals, &walker)) {
            w.arrived = true;
            break;
        }
        way = throng_route_way(s->route, s->goals, &walker);
        double like = way.direction.x * before.direction.x + way.direction.y * before.direction.y;
        w.turn = fmax(w.turn, acos(fmax(-1, fmin(like, 1))) * 57.29577951308232);
        w.rise = fmax(w.rise, way.distance - least);
        if (way.distance > 1) w.clearance = fmin(w.clearance, clearance(s, walker.at));
        least = fmin(least, way.distance);
        walker.at.x += step * way.direction.x;
        walker.at.y += step * way.direction.y;
        w.length += step;
        before = way;
    }
    return w;
}

#endif
