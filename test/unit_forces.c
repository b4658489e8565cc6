/* The model `orca-forces`: against the oracle, by mechanics, as `orca` when forces are off, in all ways to compute it.
 */

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>
#include <unistd.h>

#include "base/wide.h"
#include "counting.h"
#include "dice.h"
#include "golden.h"
#include "model_world.h"
#include "oracle_forces.h"
#include "two_rooms.h"
#include "world/world.h"

enum { MOST = 400 };

/* ---- worlds */

static throng_setting number_of(const char *name, double number) {
    return (throng_setting){.name = name, .number = number};
}

static throng_setting word_of(const char *name, const char *word) {
    return (throng_setting){.name = name, .word = word};
}

/* Somebody who wishes to go on as it does: its own target is far ahead. */
static throng_agent add_walker(throng_world *world, throng_profile profile, throng_goal goal, throng_point at,
                               throng_point velocity, double mass) {
    throng_agent_def agent = throng_default_agent_def();
    double speed = hypot(velocity.x, velocity.y);
    agent.at = at;
    agent.velocity = velocity;
    agent.profile = profile;
    agent.radius = 0.25;
    agent.mass = mass;
    agent.desired_speed = speed;
    agent.max_speed = 5;
    agent.journey = &goal;
    agent.journey_count = speed > 0;
    agent.target = (throng_point){at.x + 1000 * velocity.x, at.y + 1000 * velocity.y};
    throng_agent id = throng_world_add_agent(world, &agent);
    assert_true(id > 0);
    return id;
}

/* A crowd in the two rooms, each to a point of its own. */
static size_t fill_rooms(throng_world *world, throng_profile profile, size_t people, double apart, double max_speed,
                         dice *d) {
    throng_goal journey = add_own_goal(world, false);
    throng_point at[MOST];
    size_t count = 0;
    for (int tries = 0; count < people && tries < 200000; tries++) {
        throng_point p = {dice_between(d, -5.7, 5.7), dice_between(d, -3.7, 3.7)};
        bool good = fabs(p.x - 0.2) > 0.5 && hypot(p.x + 2.3, p.y) > 0.8 && hypot(p.x - 3.5, p.y) > 1.4;
        for (size_t i = 0; i < count; i++) good &= hypot(p.x - at[i].x, p.y - at[i].y) > apart;
        if (!good) continue;
        at[count++] = p;
        throng_agent_def agent = throng_default_agent_def();
        agent.at = p;
        agent.profile = profile;
        agent.radius = dice_between(d, 0.2, 0.25);
        agent.mass = dice_between(d, 50, 90);
        agent.velocity = (throng_point){dice_between(d, -1, 1), dice_between(d, -1, 1)};
        agent.desired_speed = dice_between(d, 0.8, 1.6);
        agent.max_speed = max_speed;
        agent.journey = &journey;
        agent.journey_count = 1;
        agent.target = (throng_point){dice_between(d, -5.5, -3), dice_between(d, -1, 1)};
        throng_world_add_agent(world, &agent);
    }
    return count;
}

static throng_world *make_rooms(const char *model, const throng_setting *settings, size_t setting_count, double dt,
                                int threads, throng_simd simd, size_t people, double apart, double max_speed) {
    throng_place *place = make_two_rooms(-4);
    options o = {place, dt, threads, simd, settings, setting_count, {0}};
    throng_profile profile;
    throng_world *world = make_model_world(model, &o, &profile);
    dice d = {7};
    fill_rooms(world, profile, people, apart, max_speed, &d);
    throng_place_destroy(place);
    return world;
}

/* ---- the oracle */

/* The step that a world has just taken, as it began: the old state is kept where the next one was. */
static throng_step past_step(const throng_world *world, const double *impulses) {
    const throng_columns *a = &world->agents;
    throng_step step = {.people = a->view,
                        .dt = world->dt,
                        .next_vx = a->vx,
                        .next_vy = a->vy,
                        .near = world->near,
                        .walls = world->walls};
    step.people.x = a->next_x, step.people.y = a->next_y;
    step.people.vx = a->next_vx, step.people.vy = a->next_vy;
    step.people.impulse_x = step.people.impulse_y = impulses;
    return step;
}

static void decides_as_the_oracle(void **unused) {
    (void)unused;
    const throng_setting settings[] = {number_of("push_out", 0), number_of("symmetry", 0),
                                       number_of("restitution", 0.3), number_of("strength", 300),
                                       number_of("time_horizon", 1)};
    throng_world *world = make_rooms("orca-forces", settings, 5, 0.05, 1, THRONG_SIMD_AUTO, 70, 0.47, 2);
    const throng_forces_params *params = world->profiles[world->agents.profile[0]].params;
    static pt carry[MOST], v[MOST];
    static double zeros[MOST];
    size_t decisions = 0, different = 0, forced = 0;
    for (int k = 0; k < 60; k++) {
        throng_world_step(world);
        throng_step step = past_step(world, zeros);
        oracle_forces_step(&step, params, carry, v);
        const throng_columns *a = &world->agents;
        for (size_t i = 0; i < a->count; i++) {
            decisions++;
            forced += a->force[i] > 0;
            different += hypot(a->vx[i] - v[i].x, a->vy[i] - v[i].y) > 1e-7;
        }
    }
    print_message("%zu of %zu different, %zu under force\n", different, decisions, forced);
    assert_true(forced > decisions / 5);
    /* few may differ: where one velocity is as good as another, or somebody is just in reach */
    assert_true(different <= decisions / 200);
    throng_world_destroy(world);
}

/* ---- the golden file */

static void golden(void **unused) {
    (void)unused;
    golden_file g = golden_read("orca-forces");
    const throng_setting settings[] = {number_of("push_out", 0), number_of("symmetry", 0),
                                       number_of("restitution", 0.3), number_of("strength", 300),
                                       word_of("pushing", "always")};
    throng_place *place = make_two_rooms(-4);
    throng_point expected[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {place, g.dt, 1, simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 5, {0}};
        throng_profile profile;
        throng_world *world = make_model_world("orca-forces", &o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false));
        throng_world_step(world);
        golden_velocities(world, found[simd]);
        pt carry[GOLDEN_MOST] = {{0, 0}}, v[GOLDEN_MOST];
        static const double zeros[GOLDEN_MOST];
        throng_step step = past_step(world, zeros);
        oracle_forces_step(&step, world->profiles[profile].params, carry, v);
        for (size_t i = 0; i < g.people; i++) expected[world->agents.id[i] - 1] = (throng_point){v[i].x, v[i].y};
        throng_world_destroy(world);
    }
    golden_judge(&g, expected, 1e-9, found[0], found[1], 1e-9);
    throng_place_destroy(place);
}

/* ---- mechanics */

static void collisions_conserve_momentum(void **unused) {
    (void)unused;
    dice d = {3};
    for (int k = 0; k < 200; k++) {
        double e = k % 3 ? dice_between(&d, 0, 1) : (double)(k % 2);
        const throng_setting settings[] = {number_of("max_neighbours", 0), number_of("push_out", 0),
                                           number_of("restitution", e), word_of("pushing", "never"),
                                           number_of("symmetry", 0)};
        options o = {.dt = 0.05, .threads = 1, .settings = settings, .setting_count = 5};
        throng_profile profile;
        throng_world *world = make_model_world("orca-forces", &o, &profile);
        throng_goal goal = add_own_goal(world, false);
        double angle = dice_between(&d, 0, 2 * PI), mass[2] = {dice_between(&d, 40, 100), dice_between(&d, 40, 100)};
        throng_point n = {cos(angle), sin(angle)}, v[2];
        v[0] = (throng_point){n.x * 1.2 + dice_between(&d, -0.8, 0.8), n.y * 1.2 + dice_between(&d, -0.8, 0.8)};
        v[1] = (throng_point){-n.x * 1.2 + dice_between(&d, -0.8, 0.8), -n.y * 1.2 + dice_between(&d, -0.8, 0.8)};
        add_walker(world, profile, goal, (throng_point){0, 0}, v[0], mass[0]);
        add_walker(world, profile, goal, (throng_point){0.48 * n.x, 0.48 * n.y}, v[1], mass[1]);
        throng_world_step(world);
        throng_view after = throng_world_view(world);
        double before_e = 0, after_e = 0;
        for (int i = 0; i < 2; i++) {
            before_e += 0.5 * mass[i] * (v[i].x * v[i].x + v[i].y * v[i].y);
            after_e += 0.5 * mass[i] * (after.vx[i] * after.vx[i] + after.vy[i] * after.vy[i]);
        }
        assert_near(mass[0] * after.vx[0] + mass[1] * after.vx[1], mass[0] * v[0].x + mass[1] * v[1].x, 1e-9);
        assert_near(mass[0] * after.vy[0] + mass[1] * after.vy[1], mass[0] * v[0].y + mass[1] * v[1].y, 1e-9);
        double closing = (v[0].x - v[1].x) * n.x + (v[0].y - v[1].y) * n.y;
        double parting = (after.vx[1] - after.vx[0]) * n.x + (after.vy[1] - after.vy[0]) * n.y;
        assert_near(parting, e * closing, 1e-9);
        assert_true(after_e <= before_e + 1e-9);
        /* both feel the same */
        assert_near(after.force[0], after.force[1], 1e-6);
        assert_near(after.force_x[0] + after.force_x[1], 0, 1e-6);
        throng_world_destroy(world);
    }
}

/* Somebody runs into three at once: without restitution it is not thrown back, and momentum is kept. */
static void many_collisions_at_once_throw_nobody_back(void **unused) {
    (void)unused;
    const throng_setting settings[] = {number_of("max_neighbours", 0), number_of("push_out", 0),
                                       number_of("restitution", 0), word_of("pushing", "never"),
                                       number_of("symmetry", 0)};
    options o = {.dt = 0.05, .threads = 1, .settings = settings, .setting_count = 5};
    throng_profile profile;
    throng_world *world = make_model_world("orca-forces", &o, &profile);
    throng_goal goal = add_own_goal(world, false);
    const double mass[] = {40, 100, 100, 100}, angle[] = {0, 0, 0.9, -0.9};
    for (int i = 0; i < 4; i++) {
        double far = i ? 0.48 : 0;
        add_walker(world, profile, goal, (throng_point){far * cos(angle[i]), far * sin(angle[i])},
                   (throng_point){i ? 0.01 : 1, 0}, mass[i]);
    }
    throng_world_step(world);
    throng_view after = throng_world_view(world);
    double before_x = 40 + 3 * 100 * 0.01, x = 0, y = 0;
    for (int i = 0; i < 4; i++) x += mass[i] * after.vx[i], y += mass[i] * after.vy[i];
    assert_near(x, before_x, 1e-9);
    assert_near(y, 0, 1e-9);
    assert_true(after.vx[0] > 0 && after.vx[0] < 1);
    throng_world_destroy(world);
}

static void a_free_body_obeys_newton(void **unused) {
    (void)unused;
    dice d = {4};
    for (int k = 0; k < 100; k++) {
        const throng_setting straight = number_of("symmetry", 0);
        options o = {.dt = 0.05, .threads = 1, .settings = &straight, .setting_count = 1};
        throng_profile profile;
        throng_world *world = make_model_world("orca-forces", &o, &profile);
        throng_point v = {dice_between(&d, -1, 1), dice_between(&d, -1, 1)};
        double mass = dice_between(&d, 40, 100);
        throng_goal goal = add_own_goal(world, false);
        throng_agent id = add_walker(world, profile, goal, (throng_point){0, 0}, v, mass);
        throng_point impulse = {mass * dice_between(&d, -2, 2), mass * dice_between(&d, -2, 2)};
        throng_world_push_agent(world, id, impulse);
        throng_world_step(world);
        throng_view after = throng_world_view(world);
        assert_near(after.vx[0], v.x + impulse.x / mass, 1e-12);
        assert_near(after.vy[0], v.y + impulse.y / mass, 1e-12);
        assert_near(after.force_x[0], impulse.x / 0.05, 1e-6);
        throng_world_destroy(world);
    }
}

/* A row of people in a corridor where nobody can step aside: the first is hit, and the last one moves. */
static void forces_go_on_through_a_row(void **unused) {
    (void)unused;
    const throng_setting settings[] = {word_of("pushing", "never")};
    throng_point corridor[] = {{-2, -0.3}, {10, -0.3}, {10, 0.3}, {-2, 0.3}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){corridor, 4};
    throng_place *place = throng_place_create(&def, NULL);
    options o = {.place = place, .dt = 0.05, .threads = 1, .settings = settings, .setting_count = 1};
    throng_profile profile;
    throng_world *world = make_model_world("orca-forces", &o, &profile);
    throng_goal goal = add_own_goal(world, false);
    throng_agent first = 0;
    for (int i = 0; i < 6; i++) {
        throng_agent id = add_walker(world, profile, goal, (throng_point){0.52 * i, 0}, (throng_point){0, 0}, 70);
        if (i == 0) first = id;
    }
    double most = 0, least = INFINITY;
    for (int k = 0; k < 20; k++) {
        if (k < 10) throng_world_push_agent(world, first, (throng_point){100, 0});
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        most = fmax(most, v.force[5]);
        for (size_t i = 0; i + 1 < 6; i++) least = fmin(least, v.x[i + 1] - v.x[i]);
    }
    throng_view v = throng_world_view(world);
    print_message("least distance %g, most force %g\n", least, most);
    assert_true(most > 1);
    assert_true(least > 0.9 * 0.65 * 0.5);
    assert_true(v.x[5] > 5 * 0.52 + 0.01);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

/* ---- forces as a result */

/* Somebody who stands at a wall and is hit in every step. */
static throng_world *make_pressed(throng_place **place, throng_agent *id) {
    throng_point room[] = {{0, 0}, {8, 0}, {8, 6}, {0, 6}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){room, 4};
    *place = throng_place_create(&def, NULL);
    options o = {.place = *place, .dt = 0.05, .threads = 1};
    throng_profile profile;
    throng_world *world = make_model_world("orca-forces", &o, &profile);
    throng_goal goal = add_own_goal(world, false);
    *id = add_walker(world, profile, goal, (throng_point){7.75, 2}, (throng_point){0, 0}, 70);
    add_walker(world, profile, goal, (throng_point){2, 2}, (throng_point){0, 0}, 70);
    return world;
}

static void short_steps_are_told(void **unused) {
    (void)unused;
    static const double dts[] = {0.01, 0.039, 0.041, 0.1};
    for (int k = 0; k < 4; k++) {
        throng_world *world = make_rooms("orca-forces", NULL, 0, dts[k], 1, THRONG_SIMD_AUTO, 4, 1, 2);
        throng_world_step(world);
        const throng_report *report = throng_world_report(world);
        size_t told = 0;
        for (size_t i = 0; i < throng_report_count(report); i++)
            told += strstr(throng_report_message(report, i).text, "that it is made for") != NULL;
        assert_int_equal(told, k < 2);
        throng_world_destroy(world);
    }
}

static void walls_feel_who_presses(void **unused) {
    (void)unused;
    throng_place *place;
    throng_agent id;
    throng_world *world = make_pressed(&place, &id);
    assert_false(throng_world_force_stats(world).measured);
    for (int k = 0; k < 10; k++) {
        throng_world_push_agent(world, id, (throng_point){20, 0});
        throng_world_step(world);
    }
    double pushed = 20 / 0.05, pressed = pushed; /* the wall takes all of it */
    throng_view v = throng_world_view(world);
    assert_near(v.force[0], pushed + pressed, 1e-6);
    assert_near(v.force_x[0], pushed - pressed, 1e-6);
    assert_near(v.force[1], 0, 0);
    assert_near(v.x[0], 7.75, 1e-9);
    size_t loaded = 0;
    for (size_t w = 0; w < throng_world_wall_count(world); w++) {
        throng_wall_load load = throng_world_wall_load(world, w);
        bool right = load.from.x == 8 && load.to.x == 8;
        assert_near(load.force, right ? pressed : 0, 1e-6);
        loaded += load.force > 0;
    }
    assert_int_equal(loaded, 1);
    throng_force_stats stats = throng_world_force_stats(world);
    double pressure = (pushed + pressed) / (2 * PI * 0.25);
    assert_true(stats.measured);
    assert_near(stats.force_max, pushed + pressed, 1e-6);
    assert_near(stats.pressure_max, pressure, 1e-6);
    assert_near(stats.force_p99 / stats.force_max, 1, 0.04);
    assert_near(stats.wall_force_max, pressed, 1e-6);
    assert_near(stats.above_s, 0, 0);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

/* Who is held up by a wall alone pushes it as hard as it would push somebody. */
static void who_leans_on_a_wall_pushes_it(void **unused) {
    (void)unused;
    throng_point room[] = {{0, 0}, {8, 0}, {8, 6}, {0, 6}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){room, 4};
    throng_place *place = throng_place_create(&def, NULL);
    throng_setting strength = number_of("strength", 120);
    options o = {.place = place, .dt = 0.1, .threads = 1, .settings = &strength, .setting_count = 1};
    throng_profile profile;
    throng_world *world = make_model_world("orca-forces", &o, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_walker(world, profile, goal, (throng_point){5, 2}, (throng_point){1.2, 0}, 70);
    for (int k = 0; k < 60; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_near(v.x[0], 7.75, 0.01);
    assert_near(v.force[0], 120, 1);
    assert_near(v.force_x[0], -120, 1);
    for (size_t w = 0; w < throng_world_wall_count(world); w++) {
        throng_wall_load load = throng_world_wall_load(world, w);
        assert_near(load.force, load.from.x == 8 && load.to.x == 8 ? 120 : 0, 1);
    }
    throng_world_destroy(world);
    throng_place_destroy(place);
}

static void forces_are_recorded(void **unused) {
    (void)unused;
    throng_place *place;
    throng_agent id;
    throng_error error;
    throng_world *world = make_pressed(&place, &id);
    throng_recorder_def def = throng_default_recorder_def();
    def.fps = 20;
    const char *const names[] = {"force", "net_force", "pressure", "wall_force"};
    def.quantities = names;
    def.quantity_count = 4;
    def.path = "/tmp/throng-forces-test.txt";
    assert_null(throng_recorder_create(&def, world, &error));
    char directory[] = "/tmp/throng-forces-XXXXXX", path[60];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/run.sqlite", directory);
    def.path = path;
    throng_recorder *recorder = throng_recorder_create(&def, world, &error);
    assert_non_null(recorder);
    for (int k = 0; k < 3; k++) {
        throng_world_push_agent(world, id, (throng_point){20, -3});
        throng_world_step(world);
        assert_true(throng_recorder_frame(recorder, world, &error));
    }
    assert_true(throng_recorder_close(recorder, &error));
    throng_recording *recording = throng_recording_open(path, &error);
    assert_non_null(recording);
    throng_frame frame;
    assert_true(throng_recording_frame(recording, 2, &frame, &error));
    throng_view v = throng_world_view(world);
    assert_int_equal(throng_recording_quantity_count(recording), 4);
    assert_string_equal(throng_recording_quantity(recording, 1).name, "net_force_x");
    assert_string_equal(throng_recording_quantity(recording, 3).unit, "N/m");
    assert_near(frame.values[1][0], v.force_x[0], 0);
    assert_near(frame.values[2][0], v.force_y[0], 0);
    assert_near(frame.values[1][1], 0, 0);
    assert_near(frame.values[3][0], frame.values[0][0] / (6.283185307179586 * v.radius[0]), 1e-12);
    assert_true(fabs(v.force_y[0]) > 10);
    throng_recording_close(recording);
    unlink(path);
    rmdir(directory);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

/* ---- orca is a special case */

static void is_orca_without_forces(void **unused) {
    (void)unused;
    const throng_setting settings[] = {number_of("forces", 0), number_of("push_out", 0)};
    throng_world *orca = make_rooms("orca", NULL, 0, 0.05, 1, THRONG_SIMD_AUTO, 90, 0.45, 2);
    throng_world *ours = make_rooms("orca-forces", settings, 2, 0.05, 2, THRONG_SIMD_AUTO, 90, 0.45, 2);
    for (int k = 0; k < 200; k++) {
        throng_world_step(orca);
        throng_world_step(ours);
        const throng_columns *a = &orca->agents, *b = &ours->agents;
        assert_int_equal(a->count, b->count);
        const double *pairs[][2] = {{a->x, b->x}, {a->y, b->y}, {a->vx, b->vx}, {a->vy, b->vy}};
        for (int c = 0; c < 4; c++) assert_memory_equal(pairs[c][0], pairs[c][1], a->count * sizeof(double));
    }
    throng_world_destroy(orca);
    throng_world_destroy(ours);
}

/* People who walk for ever in directions of their own: the wish is the same in sub-steps. */
static throng_world *make_plaza(const char *model, const throng_setting *settings, size_t count, double dt) {
    options o = {.dt = dt, .threads = 1, .settings = settings, .setting_count = count};
    throng_profile profile;
    throng_world *world = make_model_world(model, &o, &profile);
    dice d = {9};
    for (int i = 0; i < 100; i++) {
        throng_goal_def goal = throng_default_goal_def();
        goal.kind = THRONG_GOAL_DIRECTION;
        goal.point = (throng_point){dice_between(&d, -1, 1), dice_between(&d, -1, 1)};
        throng_goal journey = throng_world_add_goal(world, &goal);
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){(i % 10) + dice_between(&d, -0.2, 0.2), i / 10 + dice_between(&d, -0.2, 0.2)};
        agent.profile = profile;
        agent.radius = 0.25;
        agent.journey = &journey;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    return world;
}

static void sub_steps_are_steps(void **unused) {
    (void)unused;
    const throng_setting off[] = {number_of("forces", 0), number_of("push_out", 0)};
    const throng_setting on[] = {word_of("pushing", "always")};
    throng_world *orca = make_plaza("orca", NULL, 0, 0.05), *once = make_plaza("orca-forces", off, 2, 0.2);
    throng_world *four = make_plaza("orca-forces", on, 1, 0.05), *one = make_plaza("orca-forces", on, 1, 0.2);
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < 4; i++) throng_world_step(orca), throng_world_step(four);
        throng_world_step(once);
        throng_world_step(one);
        const throng_columns *a = &orca->agents, *b = &once->agents, *c = &four->agents, *e = &one->agents;
        assert_memory_equal(a->x, b->x, a->count * sizeof(double));
        assert_memory_equal(a->y, b->y, a->count * sizeof(double));
        for (size_t i = 0; i < c->count; i++) assert_near(hypot(c->x[i] - e->x[i], c->y[i] - e->y[i]), 0, 1e-6);
    }
    assert_true(one->agents.count == 100);
    throng_world *all[] = {orca, once, four, one};
    for (int i = 0; i < 4; i++) throng_world_destroy(all[i]);
}

/* ---- walls, absurd input */

/* Fast people and hard hits: nobody's centre crosses a wall. */
static void nobody_is_pushed_through_walls(void **unused) {
    (void)unused;
    dice d = {21};
    for (int round = 0; round < 4; round++) {
        double dt = round % 2 ? 0.05 : 0.12, max_speed = round < 2 ? 20 : 3;
        throng_world *world = make_rooms("orca-forces", NULL, 0, dt, 1, THRONG_SIMD_AUTO, 90, 0.42, max_speed);
        for (int k = 0; k < 150; k++) {
            for (size_t i = 0; i < world->agents.count; i += 1 + (size_t)dice_between(&d, 0, 8)) {
                double size = dice_between(&d, 0, 1) < 0.05 ? 1e9 : 3000;
                throng_point impulse = {dice_between(&d, -size, size), dice_between(&d, -size, size)};
                throng_world_push_agent(world, world->agents.id[i], impulse);
            }
            throng_world_step(world);
            const throng_columns *a = &world->agents;
            for (size_t i = 0; i < a->count; i++) {
                throng_point from = {a->next_x[i], a->next_y[i]}, to = {a->x[i], a->y[i]};
                assert_true(isfinite(a->vx[i]) && hypot(a->vx[i], a->vy[i]) <= max_speed + 1e-9);
                assert_true(throng_walls_inside(world->walls, to.x, to.y));
                /* in a step of several parts the way is not straight */
                if (dt <= 0.05) assert_false(throng_walls_block(world->walls, from, to, 0));
            }
        }
        assert_int_equal(throng_world_stats(world).oddities, 0);
        throng_world_destroy(world);
    }
}

static void people_on_one_spot_part(void **unused) {
    (void)unused;
    options o = {.dt = 0.05, .threads = 1};
    throng_profile profile;
    throng_world *world = make_model_world("orca-forces", &o, &profile);
    throng_goal goal = add_own_goal(world, false);
    for (int i = 0; i < 60; i++) add_walker(world, profile, goal, (throng_point){0, 0}, (throng_point){0, 0}, 70);
    for (int k = 0; k < 200; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    double least = INFINITY;
    for (size_t i = 0; i < v.count; i++) {
        for (size_t j = 0; j < i; j++) least = fmin(least, hypot(v.x[i] - v.x[j], v.y[i] - v.y[j]));
    }
    assert_true(least > 0.3);
    throng_world_destroy(world);
}

/* ---- any way to compute it */

static uint64_t run_rooms(int threads, throng_simd simd, int steps) {
    throng_world *world = make_rooms("orca-forces", NULL, 0, 0.1, threads, simd, 150, 0.4, 2);
    for (int k = 0; k < steps; k++) {
        if (k % 10 == 0) throng_world_push_agent(world, world->agents.id[(size_t)k % 50], (throng_point){90, 40});
        throng_world_step(world);
    }
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    return digest;
}

static void same_bits_any_way(void **unused) {
    (void)unused;
    uint64_t expected = run_rooms(1, THRONG_SIMD_PLAIN, 60);
    for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 2) {
        assert_true(run_rooms(threads, THRONG_SIMD_AUTO, 60) == expected);
    }
    assert_true(run_rooms(8, THRONG_SIMD_PLAIN, 60) == expected);
}

static void survives_a_restart(void **unused) {
    (void)unused;
    throng_world *world = make_rooms("orca-forces", NULL, 0, 0.05, 2, THRONG_SIMD_AUTO, 150, 0.4, 2);
    throng_world *again = make_rooms("orca-forces", NULL, 0, 0.05, 1, THRONG_SIMD_AUTO, 150, 0.4, 2);
    for (int k = 0; k < 40; k++) throng_world_step(world);
    throng_checkpoint *kept = throng_world_save(world, NULL);
    throng_error error;
    assert_true(throng_world_load(again, kept, &error));
    for (int k = 0; k < 40; k++) {
        throng_world_step(world);
        throng_world_step(again);
        assert_true(throng_world_digest(world) == throng_world_digest(again));
    }
    throng_force_stats one = throng_world_force_stats(world), two = throng_world_force_stats(again);
    assert_true(one.force_max > 100);
    assert_near(one.force_p99, two.force_p99, 0);
    assert_near(one.above_s, two.above_s, 0);
    assert_memory_equal(world->agents.force, again->agents.force, world->agents.count * sizeof(double));
    throng_checkpoint_destroy(kept);
    throng_world_destroy(world);
    throng_world_destroy(again);
}

static void allocates_nothing(void **unused) {
    (void)unused;
    throng_set_allocator(counting);
    throng_world *world = make_rooms("orca-forces", NULL, 0, 0.1, 2, THRONG_SIMD_AUTO, 120, 0.42, 2);
    for (int k = 0; k < 200; k++) throng_world_step(world);
    size_t before = allocations;
    for (int k = 0; k < 20; k++) throng_world_step(world);
    assert_int_equal(allocations, before);
    throng_world_destroy(world);
    throng_set_allocator(NULL);
}

/* ---- seams */

/* A jam on a ring road: where its seam lies makes no difference. */
static throng_world *make_ring(double shift) {
    options o = {.dt = 0.05, .threads = 1, .period = {.x = true, .low = {0, 0}, .high = {20, 0}}};
    throng_setting settings[] = {number_of("symmetry", 0), number_of("neighbour_dist", 3),
                                 word_of("pushing", "always")};
    o.settings = settings;
    o.setting_count = 3;
    throng_profile profile;
    throng_world *world = make_model_world("orca-forces", &o, &profile);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){1, 0};
    throng_goal journey = throng_world_add_goal(world, &goal);
    dice d = {14};
    for (int i = 0; i < 60; i++) {
        throng_agent_def agent = throng_default_agent_def();
        double x = 5 + (i % 10) * 0.55 + dice_between(&d, -0.05, 0.05),
               y = i / 10 * 0.55 + dice_between(&d, -0.05, 0.05);
        agent.at = (throng_point){fmod(x + shift, 20), y};
        agent.profile = profile;
        agent.radius = 0.25;
        agent.desired_speed = dice_between(&d, 0, 1.5);
        agent.max_speed = 2;
        agent.journey = &journey;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    return world;
}

static void forces_reach_across_a_seam(void **unused) {
    (void)unused;
    throng_world *whole = make_ring(0), *cut = make_ring(12.25);
    double most = 0;
    for (int k = 0; k < 40; k++) {
        throng_world_step(whole);
        throng_world_step(cut);
        throng_view a = throng_world_view(whole), b = throng_world_view(cut);
        for (size_t i = 0; i < a.count; i++) {
            double apart = fabs(a.x[i] + 12.25 - b.x[i]);
            assert_near(fmin(apart, fabs(apart - 20)), 0, 1e-5);
            most = fmax(most, a.force[i]);
        }
    }
    assert_true(most > 100);
    throng_world_destroy(whole);
    throng_world_destroy(cut);
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden),
                                       cmocka_unit_test(decides_as_the_oracle),
                                       cmocka_unit_test(short_steps_are_told),
                                       cmocka_unit_test(collisions_conserve_momentum),
                                       cmocka_unit_test(many_collisions_at_once_throw_nobody_back),
                                       cmocka_unit_test(a_free_body_obeys_newton),
                                       cmocka_unit_test(forces_go_on_through_a_row),
                                       cmocka_unit_test(walls_feel_who_presses),
                                       cmocka_unit_test(who_leans_on_a_wall_pushes_it),
                                       cmocka_unit_test(forces_are_recorded),
                                       cmocka_unit_test(is_orca_without_forces),
                                       cmocka_unit_test(sub_steps_are_steps),
                                       cmocka_unit_test(nobody_is_pushed_through_walls),
                                       cmocka_unit_test(people_on_one_spot_part),
                                       cmocka_unit_test(same_bits_any_way),
                                       cmocka_unit_test(survives_a_restart),
                                       cmocka_unit_test(allocates_nothing),
                                       cmocka_unit_test(forces_reach_across_a_seam)};
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
