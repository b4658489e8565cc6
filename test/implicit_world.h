/* implicit_world.h: worlds of `implicit` for its tests. */

#ifndef THRONG_IMPLICIT_WORLD_H
#define THRONG_IMPLICIT_WORLD_H

#include <math.h>
#include <throng/throng.h>

#include "models/implicit/energy.h"

typedef struct options {
    const throng_place *place;
    double dt;
    int threads;
    throng_simd simd;
    const char *solver, *repulsion, *hidden; /* NULL: the default */
    double tolerance, max_iterations, symmetry_angle;
    throng_period period;
    bool no_habits;
} options;

static const options usual = {.dt = 0.1, .threads = 1, .symmetry_angle = 5e-3};

static inline throng_world *make_world(options o, throng_profile *profile) {
    throng_world_def def = throng_default_world_def();
    def.place = o.place;
    def.model = "none";
    def.dt = o.dt;
    def.threads = o.threads;
    def.simd = o.simd;
    def.planner = "straight";
    def.period = o.period;
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    throng_setting settings[8] = {{.name = "tolerance", .number = o.tolerance},
                                  {.name = "max_iterations", .number = o.max_iterations},
                                  {.name = "symmetry", .number = o.symmetry_angle}};
    size_t count = 3;
    if (o.solver) settings[count++] = (throng_setting){.name = "solver", .word = o.solver};
    if (o.repulsion) settings[count++] = (throng_setting){.name = "repulsion", .word = o.repulsion};
    if (o.hidden) settings[count++] = (throng_setting){.name = "hidden", .word = o.hidden};
    if (o.no_habits) {
        settings[count++] = (throng_setting){.name = "yielding", .number = 0};
        settings[count++] = (throng_setting){.name = "sidestep", .number = 0};
    }
    *profile = throng_world_add_profile(world, "implicit", settings, count);
    assert_true(*profile > 0);
    return world;
}

static inline throng_goal add_own_goal(throng_world *world, bool exit, double radius) {
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_OWN;
    goal.exit = exit;
    goal.radius = radius;
    return throng_world_add_goal(world, &goal);
}

static inline throng_agent_def person(throng_profile profile, throng_point at, throng_point target,
                                      const throng_goal *goal) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.radius = 0.25;
    agent.desired_speed = 1.3;
    agent.journey = goal;
    agent.journey_count = 1;
    return agent;
}

#endif
