/* changes_scene.h: rooms whose walls change, for tests: people in them, and a watch over each step that
 * nobody crosses a wall, standing or moving, and nobody is lost. */

#ifndef THRONG_CHANGES_SCENE_H
#define THRONG_CHANGES_SCENE_H

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "base/memory.h"
#include "world/world.h"

typedef struct scene {
    throng_world *world;
    throng_goal goal; /* the last one added */
} scene;

static inline throng_obstacle box_obstacle(throng_point corners[4], const char *id, double x0, double y0, double x1,
                                           double y1) {
    corners[0] = (throng_point){x0, y0};
    corners[1] = (throng_point){x1, y0};
    corners[2] = (throng_point){x1, y1};
    corners[3] = (throng_point){x0, y1};
    return (throng_obstacle){.kind = THRONG_POLYGON, .ring = {corners, 4}, .id = id};
}

/* A room from the origin to (width, height). */
static inline throng_world *make_room(double width, double height, const throng_obstacle *obstacles, size_t count,
                                      int threads) {
    const throng_point area[] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){area, 4};
    def.obstacles = obstacles;
    def.obstacle_count = count;
    throng_error error;
    throng_place *place = throng_place_create(&def, &error);
    assert_non_null(place);
    throng_world_def world_def = throng_default_world_def();
    world_def.place = place;
    world_def.threads = threads;
    throng_world *world = throng_world_create(&world_def, &error);
    assert_non_null(world);
    throng_place_destroy(place);
    return world;
}

static inline throng_goal add_area(throng_world *world, const char *name, double x0, double y0, double x1, double y1,
                                   bool leave) {
    throng_point corners[4];
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_AREA;
    def.name = name;
    def.ring = box_obstacle(corners, NULL, x0, y0, x1, y1).ring;
    def.exit = leave;
    throng_goal goal = throng_world_add_goal(world, &def);
    assert_int_not_equal(goal, 0);
    return goal;
}

/* Rows of people from a corner on, as many as there is room for among the walls. */
static inline size_t add_people(throng_world *world, double x0, double y0, size_t columns, size_t rows, double spacing,
                                throng_goal goal) {
    size_t count = 0;
    for (size_t i = 0; i < columns * rows; i++) {
        throng_agent_def def = throng_default_agent_def();
        def.at = (throng_point){x0 + spacing * (double)(i % columns), y0 + spacing * (double)(i / columns)};
        def.journey = &goal;
        def.journey_count = goal != 0;
        if (throng_walls_depth(world->walls, def.at.x, def.at.y, 1) < def.radius) continue;
        assert_true(throng_world_add_agent(world, &def) != 0);
        count++;
    }
    return count;
}

static inline bool ways_cross(throng_point a, throng_point b, throng_point c, throng_point d) {
    double c_side = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    double d_side = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
    double a_side = (d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x);
    double b_side = (d.x - c.x) * (b.y - c.y) - (d.y - c.y) * (b.x - c.x);
    return c_side * d_side < 0 && a_side * b_side < 0;
}

/* Everybody's place before a step, and the obstacles'. */
typedef struct before {
    size_t count;
    throng_agent *id;
    throng_point *at;
    throng_point offsets[32];
    bool present[32];
} before;

static inline before remember(const throng_world *world) {
    throng_view v = throng_world_view(world);
    before b = {
        .count = v.count, .id = malloc((v.count + 1) * sizeof *b.id), .at = malloc((v.count + 1) * sizeof *b.at)};
    if (v.count > 0) memcpy(b.id, v.id, v.count * sizeof *b.id);
    for (size_t i = 0; i < v.count; i++) b.at[i] = (throng_point){v.x[i], v.y[i]};
    for (size_t m = 0; m < world->changes.movable_count; m++) {
        b.offsets[m] = world->changes.movables[m].offset;
        b.present[m] = world->changes.movables[m].present;
    }
    return b;
}

/* Seen from the obstacle, which moves straight as they do, nobody may cross its outline. */
static inline void expect_no_crossing(const throng_movable *m, throng_point was, throng_point from, throng_point to) {
    throng_point a = {from.x - was.x, from.y - was.y}, b = {to.x - m->offset.x, to.y - m->offset.y};
    size_t sides = m->thin ? m->outline.count - 1 : m->outline.count;
    for (size_t i = 0; i < sides; i++) {
        if (ways_cross(a, b, m->outline.points[i], m->outline.points[(i + 1) % m->outline.count]))
            fail_msg("somebody went from (%.9g, %.9g) to (%.9g, %.9g) through a moving wall", from.x, from.y, to.x,
                     to.y);
    }
}

static inline void check_step(throng_world *world, const before *b) {
    throng_view v = throng_world_view(world);
    const throng_changes *c = &world->changes;
    const throng_walls *fixed = c->base_walls ? c->base_walls : world->walls;
    for (size_t i = 0, k = 0; i < v.count; i++) {
        while (k < b->count && b->id[k] < v.id[i]) k++;
        if (k == b->count || b->id[k] != v.id[i]) continue;
        throng_point to = {v.x[i], v.y[i]};
        if (throng_walls_block(fixed, b->at[k], to, 0))
            fail_msg("somebody went from (%g, %g) to (%g, %g) through a wall", b->at[k].x, b->at[k].y, to.x, to.y);
        for (size_t m = 0; m < c->movable_count; m++) {
            if (b->present[m] && c->movables[m].present)
                expect_no_crossing(&c->movables[m], b->offsets[m], b->at[k], to);
        }
    }
    throng_stats s = throng_world_stats(world);
    assert_int_equal(s.initial + s.spawned, s.arrived + s.active);
}

static inline void watch_step(throng_world *world) {
    before b = remember(world);
    throng_world_step(world);
    check_step(world, &b);
    free(b.id);
    free(b.at);
}

/* Steps until a time, watching. */
static inline void watch_until(throng_world *world, double time) {
    while (throng_world_time(world) < time - 1e-9) watch_step(world);
    assert_true(throng_world_stats(world).agent_wall_max_m <= 1e-6);
}

static inline size_t notices_with(const throng_world *world, const char *word) {
    const throng_report *report = throng_world_report(world);
    size_t count = 0;
    for (size_t i = 0; i < throng_report_count(report); i++) {
        count += strstr(throng_report_message(report, i).text, word) != NULL;
    }
    return count;
}

#endif
