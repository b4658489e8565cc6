/* model_world.h: worlds for the tests of one model: people of a profile of it walk straight to points of their own. */

#ifndef THRONG_MODEL_WORLD_H
#define THRONG_MODEL_WORLD_H

#include <throng/throng.h>

#include "testing.h"
#include "world/world.h"

typedef struct options {
    const throng_place *place;
    double dt;
    int threads;
    throng_simd simd;
    const throng_setting *settings;
    size_t setting_count;
    throng_period period;
} options;

static throng_world *make_model_world(const char *model, const options *o, throng_profile *profile) {
    throng_world_def def = throng_default_world_def();
    def.place = o->place;
    def.model = "none";
    def.dt = o->dt;
    def.threads = o->threads;
    def.simd = o->simd;
    def.planner = "straight";
    def.period = o->period;
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    *profile = throng_world_add_profile(world, model, o->settings, o->setting_count);
    assert_true(*profile > 0);
    return world;
}

/* What a model keeps in a world. */
static inline const void *model_state(const throng_world *world, const throng_model *model) {
    for (size_t t = 0; t < world->team_count; t++) {
        if (world->teams[t].model == model) return world->teams[t].state;
    }
    return NULL;
}

static inline void want(const throng_world *world, const char *name) {
    size_t index = throng_world_quantity_named(world, name);
    assert_true(index != SIZE_MAX);
    throng_world_want_quantity(world, index);
}

/* A quantity of everybody, by name. */
static inline void quantity_values(const throng_world *world, const char *name, double *values) {
    size_t index = throng_world_quantity_named(world, name);
    assert_true(index != SIZE_MAX);
    throng_world_quantity_values(world, index, 0, values);
}

/* A place from a polygon and obstacles. */
static inline throng_place *make_place(const throng_point *corners, size_t count, throng_obstacle *obstacles,
                                       size_t obstacle_count) {
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){(throng_point *)(uintptr_t)corners, count};
    def.obstacles = obstacles;
    def.obstacle_count = obstacle_count;
    throng_place *place = throng_place_create(&def, NULL);
    assert_non_null(place);
    return place;
}

static inline throng_goal add_own_goal(throng_world *world, bool exit) {
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_OWN;
    goal.exit = exit;
    return throng_world_add_goal(world, &goal);
}

#endif
