/* What games and the page do to people and walls while a world runs: another model, body or speed, a desired velocity
 * from outside, new obstacles. Whatever was done, threads change no byte, and a checkpoint goes on as the run did. */

#include "testing.h"

#include <math.h>
#include <string.h>
#include <throng/throng.h>

#include "changes_scene.h"
#include "checkpoint_common.h"

/* 60 people in a room of 20 m by 10 m who walk to its other end. */
static throng_world *make_crowd(int threads) {
    throng_world *world = make_room(20, 10, NULL, 0, threads);
    add_people(world, 1, 1, 6, 10, 0.8, add_area(world, "east", 18, 0, 20, 10, true));
    assert_true(throng_world_prepare(world, NULL));
    return world;
}

static size_t row_of(const throng_world *world, throng_agent agent) {
    size_t row = throng_world_row(world, agent);
    assert_true(row != SIZE_MAX);
    return row;
}

/* ------------------------------------------------------------------ models */

/* Nobody moves farther in the step in which it changes hands than it can walk, and hardly anybody's velocity jumps. */
static void expect_no_jump(const char *from, const char *to) {
    throng_world *world = make_crowd(2);
    assert_true(throng_world_set_model(world, from, 0));
    run(world, 15);
    throng_view v = throng_world_view(world);
    double x[60], y[60], vx[60];
    size_t count = v.count;
    for (size_t i = 0; i < count; i++) x[i] = v.x[i], y[i] = v.y[i], vx[i] = v.vx[i];
    assert_true(throng_world_set_model(world, to, 0));
    v = throng_world_view(world);
    for (size_t i = 0; i < count; i++)
        if (v.x[i] != x[i] || v.y[i] != y[i] || v.vx[i] != vx[i]) fail_msg("%s to %s: %zu jumps", from, to, i);
    throng_world_step(world);
    v = throng_world_view(world);
    assert_int_equal(v.count, count);
    double dt = throng_world_dt(world);
    for (size_t i = 0; i < count; i++) {
        double moved = hypot(v.x[i] - x[i], v.y[i] - y[i]);
        if (moved > 1.5 * v.max_speed[i] * dt) fail_msg("%s to %s: %zu moves %g m in a step", from, to, i, moved);
        assert_string_equal(throng_model_name(throng_world_profile_model(world, v.profile[i])), to);
    }
    throng_world_destroy(world);
}

static void models_change_hands_without_a_jump(void **state) {
    (void)state;
    static const char *const names[] = {"orca", "powerlaw", "pbd", "cpd", "orca-forces", "uic", "implicit", "none"};
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 8; k++)
            if (i != k) expect_no_jump(names[i], names[k]);
}

/* A source whose people come one a second. */
static void newcomers_have_the_model_of_their_group(void **state) {
    (void)state;
    throng_world *world = make_room(20, 10, NULL, 0, 1);
    const throng_point area[] = {{1, 1}, {3, 1}, {3, 9}, {1, 9}};
    const throng_rate rate = {0, 1};
    throng_source_def source = throng_default_source_def();
    source.area = (throng_ring){area, 4};
    source.schedule = &rate;
    source.schedule_count = 1;
    source.person.group = throng_world_add_group(world, "late");
    assert_int_not_equal(throng_world_add_source(world, &source), 0);
    run(world, 25);
    assert_true(throng_world_set_model(world, "powerlaw", source.person.group));
    run(world, 25);
    throng_view v = throng_world_view(world);
    assert_true(v.count >= 4);
    for (size_t i = 0; i < v.count; i++)
        assert_string_equal(throng_model_name(throng_world_profile_model(world, v.profile[i])), "powerlaw");
    assert_false(throng_world_set_model(world, "nonsense", 0));
    throng_world_destroy(world);
}

static void one_person_gets_another_profile(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    const throng_setting shy = {.name = "time_horizon", .number = 7};
    throng_profile other = throng_world_add_profile(world, "orca", &shy, 1);
    run(world, 3);
    assert_true(throng_world_set_agent_profile(world, 5, other));
    run(world, 3);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.profile[row_of(world, 5)], other);
    assert_int_equal(v.profile[row_of(world, 6)], 0);
    assert_false(throng_world_set_agent_profile(world, 5, 99));
    assert_false(throng_world_set_agent_profile(world, 999, other));
    assert_true(throng_world_set_agent(world, 6, "params.time_horizon", 2.5));
    v = throng_world_view(world);
    assert_near(throng_world_profile_value(world, v.profile[row_of(world, 6)], "time_horizon"), 2.5, 0);
    assert_near(throng_world_profile_value(world, v.profile[row_of(world, 5)], "time_horizon"), 7, 0);
    assert_false(throng_world_set_agent(world, 6, "params.nonsense", 1));
    assert_false(throng_world_set_agent(world, 6, "params.time_horizon", -1));
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ bodies and speeds */

static void bodies_and_speeds_of_one_person_change(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    run(world, 2);
    assert_true(throng_world_set_agent(world, 7, "desired_speed", 0.5));
    assert_true(throng_world_set_agent(world, 8, "radius", 0.3));
    assert_true(throng_world_set_agent(world, 9, "mass", 120));
    assert_true(throng_world_set_agent(world, 10, "max_speed", 1));
    throng_view v = throng_world_view(world);
    assert_near(v.desired_speed[row_of(world, 7)], 0.5, 0);
    assert_near(v.max_speed[row_of(world, 7)], 0.75, 1e-12);
    assert_near(v.radius[row_of(world, 8)], 0.3, 0);
    assert_near(v.mass[row_of(world, 9)], 120, 0);
    assert_near(v.max_speed[row_of(world, 10)], 1, 0);
    assert_near(v.desired_speed[row_of(world, 10)], 1.34, 0);
    run(world, 20);
    v = throng_world_view(world);
    assert_true(hypot(v.vx[row_of(world, 7)], v.vy[row_of(world, 7)]) < 0.76);
    struct {
        const char *what;
        double value;
    } bad[] = {{"radius", 0}, {"radius", 101}, {"desired_speed", -1}, {"desired_speed", NAN}, {"mass", 0}, {"x", 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(throng_world_set_agent(world, 8, bad[i].what, bad[i].value));
    assert_false(throng_world_set_agent(world, 999, "radius", 0.2));
    throng_world_destroy(world);
}

/* A wish from outside holds for one step. */
static void a_wish_holds_for_a_step(void **state) {
    (void)state;
    throng_world *world = make_room(20, 10, NULL, 0, 1);
    throng_goal east = add_area(world, "east", 18, 0, 20, 10, true);
    add_people(world, 5, 5, 1, 1, 1, east);
    assert_true(throng_world_set_model(world, "none", 0));
    assert_true(throng_world_set(world, "params.symmetry", 0, 0));
    assert_true(throng_world_wish_agent(world, 1, (throng_point){1, 0}));
    assert_true(throng_world_wish_agent(world, 1, (throng_point){0, -0.7}));
    throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_near(v.x[0], 5, 1e-12);
    assert_near(v.y[0], 5 - 0.7 * throng_world_dt(world), 1e-12);
    throng_world_step(world);
    v = throng_world_view(world);
    assert_near(v.vx[0], 1.34, 1e-3);
    assert_false(throng_world_wish_agent(world, 1, (throng_point){NAN, 0}));
    assert_false(throng_world_wish_agent(world, 1, (throng_point){0, 1001}));
    assert_false(throng_world_wish_agent(world, 2, (throng_point){0, 1}));
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ places, velocities, time */

/* Whatever the model remembers of somebody, it goes on from where it was put, and nobody is thrown about. */
static void people_are_put_elsewhere(void **state) {
    (void)state;
    static const char *const names[] = {"orca", "powerlaw", "pbd", "cpd", "orca-forces", "uic", "implicit", "none"};
    for (size_t m = 0; m < 8; m++) {
        throng_world *world = make_crowd(1);
        assert_true(throng_world_set_model(world, names[m], 0));
        run(world, 10);
        assert_true(throng_world_move_agent(world, 5, (throng_point){12, 8}));
        throng_view v = throng_world_view(world);
        assert_true(v.x[row_of(world, 5)] == 12 && v.y[row_of(world, 5)] == 8);
        for (int i = 0; i < 20; i++) {
            throng_point was = {v.x[row_of(world, 5)], v.y[row_of(world, 5)]};
            throng_world_step(world);
            v = throng_world_view(world);
            double moved = hypot(v.x[row_of(world, 5)] - was.x, v.y[row_of(world, 5)] - was.y);
            assert_true(moved < 2.1 * throng_world_dt(world));
        }
        assert_true(v.x[row_of(world, 5)] > 13);
        assert_int_equal(throng_world_stats(world).oddities, 0);
        throng_world_destroy(world);
    }
}

static void places_and_velocities_must_make_sense(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    uint64_t digest = throng_world_digest(world);
    const throng_point bad[] = {{NAN, 1}, {1, INFINITY}, {1e9, 0}, {-1, 5}, {0, 5}};
    for (size_t i = 0; i < 5; i++) assert_false(throng_world_move_agent(world, 5, bad[i]));
    for (size_t i = 0; i < 3; i++) assert_false(throng_world_set_agent_velocity(world, 5, bad[i]));
    assert_false(throng_world_move_agent(world, 999, (throng_point){1, 1}));
    assert_false(throng_world_set_agent_velocity(world, 999, (throng_point){1, 1}));
    const double no_dt[] = {0, -1, NAN, INFINITY, 61};
    for (size_t i = 0; i < 5; i++) assert_false(throng_world_set_dt(world, no_dt[i]));
    assert_true(throng_world_digest(world) == digest);
    assert_true(throng_world_set_agent_velocity(world, 5, (throng_point){0.25, -0.5}));
    throng_view v = throng_world_view(world);
    assert_true(v.vx[row_of(world, 5)] == 0.25 && v.vy[row_of(world, 5)] == -0.5);
    throng_world_destroy(world);
}

/* The clock, ways walked and people who come follow the sum of all steps. */
static void steps_may_differ_in_length(void **state) {
    (void)state;
    throng_world *world = make_room(200, 10, NULL, 0, 1);
    throng_goal east = add_area(world, "east", 198, 0, 200, 10, true);
    add_people(world, 5, 2, 1, 1, 1, east);
    assert_true(throng_world_set_model(world, "none", 0));
    assert_true(throng_world_set(world, "params.symmetry", 0, 0));
    const throng_point area[] = {{1, 6}, {3, 6}, {3, 9}, {1, 9}};
    const throng_rate rate = {0, 1};
    throng_source_def source = throng_default_source_def();
    source.area = (throng_ring){area, 4};
    source.schedule = &rate;
    source.schedule_count = 1;
    source.person.journey = &east;
    source.person.journey_count = 1;
    assert_int_not_equal(throng_world_add_source(world, &source), 0);
    double time = 0;
    static const double lengths[] = {0.1, 1 / 60.0, 1 / 60.0, 0.25, 0.033, 0.1};
    for (int i = 0; i < 90; i++) {
        double dt = lengths[i % 6];
        assert_true(throng_world_set_dt(world, dt));
        throng_world_step(world);
        time += dt;
        assert_near(throng_world_time(world), time, 1e-9);
        assert_near(throng_world_view(world).x[0], 5 + 1.34 * time, 1e-6);
    }
    assert_int_equal(throng_world_stats(world).spawned, (int)time);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ what happens */

static size_t count_of(const throng_world *world, throng_happening_kind kind, throng_agent agent) {
    size_t count, found = 0;
    const throng_happening *all = throng_world_happenings(world, &count);
    for (size_t i = 0; i < count; i++) found += all[i].kind == kind && (agent == 0 || all[i].agent == agent);
    return found;
}

/* One person walks through a marked area to a goal and on to an exit. */
static void goals_reached_and_areas_entered_are_told(void **state) {
    (void)state;
    throng_world *world = make_room(20, 10, NULL, 0, 1);
    throng_goal journey[] = {add_area(world, "middle", 9, 0, 11, 10, false),
                             add_area(world, "east", 18, 0, 20, 10, true)};
    const throng_point corners[] = {{5, 4}, {7, 4}, {7, 6}, {5, 6}};
    const throng_mark area = {.kind = THRONG_MARK_AREA, .name = "trap", .ring = {corners, 4}};
    assert_true(throng_world_add_mark(world, &area));
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){2, 5};
    def.journey = journey;
    def.journey_count = 2;
    assert_true(throng_world_add_agent(world, &def) == 1);
    throng_world_watch(world, THRONG_REACHED | THRONG_ENTERED | THRONG_STUCK);
    throng_happening told[9];
    size_t told_count = 0, count;
    for (int i = 0; i < 300 && !throng_world_is_done(world); i++) {
        throng_world_step(world);
        const throng_happening *all = throng_world_happenings(world, &count);
        for (size_t k = 0; k < count && told_count < 9; k++) told[told_count++] = all[k];
    }
    assert_int_equal(told_count, 3);
    assert_true(told[0].kind == THRONG_ENTERED && told[0].at.x > 5 && told[0].at.x < 5.2);
    assert_string_equal(throng_world_mark(world, told[0].mark).name, "trap");
    assert_true(told[1].kind == THRONG_REACHED && told[1].goal == journey[0] && !told[1].last);
    assert_true(told[2].kind == THRONG_REACHED && told[2].goal == journey[1] && told[2].last && told[2].agent == 1);
    throng_world_destroy(world);
}

/* In a corridor so narrow that there is no walking to and fro before the wall. */
static void who_is_struck_or_stuck_is_told(void **state) {
    (void)state;
    throng_point corners[4];
    const throng_obstacle wall = box_obstacle(corners, "gate", 10, 0, 10.5, 0.6);
    throng_world *world = make_room(20, 0.6, &wall, 1, 1);
    throng_goal east = add_area(world, "east", 18, 0, 20, 0.6, true);
    add_people(world, 8, 0.3, 1, 1, 1, east);
    run(world, 1);
    size_t count;
    assert_null(throng_world_happenings(world, &count));
    throng_world_watch(world, THRONG_STRUCK | THRONG_STUCK);
    assert_true(throng_world_push_agent(world, 1, (throng_point){3, -4}));
    throng_world_step(world);
    const throng_happening *all = throng_world_happenings(world, &count);
    assert_true(count == 1 && all[0].kind == THRONG_STRUCK);
    assert_near(all[0].impulse, 5, 1e-12);
    double stuck_at = 0;
    for (int i = 0; i < 200; i++) {
        throng_world_step(world);
        assert_true(count_of(world, THRONG_STRUCK, 0) == 0);
        if (count_of(world, THRONG_STUCK, 1) == 0) continue;
        assert_true(stuck_at == 0); /* once */
        stuck_at = throng_world_time(world);
    }
    assert_near(stuck_at, 6.8, 0.15); /* it stands at the wall from 1.8 s on */
    assert_true(throng_world_remove_obstacle(world, "gate"));
    for (int i = 0; i < 200 && !throng_world_is_done(world); i++) {
        throng_world_step(world);
        assert_true(count_of(world, THRONG_STUCK, 0) == 0);
    }
    assert_true(throng_world_is_done(world));
    throng_world_watch(world, 0);
    throng_world_step(world);
    throng_world_happenings(world, &count);
    assert_int_equal(count, 0);
    throng_world_destroy(world);
}

/* Who looks on changes nothing, and sees the same with any number of threads. */
static void watching_changes_nothing(void **state) {
    (void)state;
    uint64_t digest = 0, seen = 0;
    for (int threads = 0; threads < 4; threads++) {
        throng_world *world = make_crowd(threads ? threads : 1);
        uint64_t sum = 0;
        if (threads) throng_world_watch(world, 15);
        for (int i = 0; i < 100; i++) {
            if (i == 10) throng_world_push_agent(world, 7, (throng_point){30, 30});
            throng_world_step(world);
            size_t count;
            const throng_happening *all = throng_world_happenings(world, &count);
            for (size_t k = 0; k < count; k++)
                sum = throng_mix(sum + all[k].agent * 16 + (uint64_t)all[k].kind + all[k].goal);
        }
        if (threads == 0) digest = throng_world_digest(world);
        if (threads == 1) seen = sum;
        assert_true(throng_world_digest(world) == digest && (threads == 0 || (sum == seen && sum != 0)));
        throng_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ obstacles */

/* A room with a place that was made without any obstacle gets one, which people walk around. */
static void a_new_obstacle_is_walked_around(void **state) {
    (void)state;
    throng_world *world = make_crowd(2);
    throng_point corners[4];
    throng_obstacle wall = box_obstacle(corners, "new", 12, 0, 12.5, 8.5);
    uint64_t version = throng_world_place_version(world);
    run(world, 5);
    assert_int_equal(throng_world_obstacle_count(world), 0);
    assert_true(throng_world_add_obstacle(world, &wall));
    assert_true(throng_world_place_version(world) > version);
    assert_int_equal(throng_world_obstacle_count(world), 1);
    assert_true(throng_world_obstacle(world, 0).present);
    for (int i = 0; i < 400 && !throng_world_is_done(world); i++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (size_t k = 0; k < v.count; k++) assert_false(v.x[k] > 12 && v.x[k] < 12.5 && v.y[k] < 8.5);
    }
    assert_true(throng_world_is_done(world));
    assert_false(throng_world_add_obstacle(world, &wall)); /* the id is taken */
    assert_true(throng_world_remove_obstacle(world, "new"));
    assert_false(throng_world_obstacle(world, 0).present);
    assert_true(throng_world_restore_obstacle(world, "new"));
    assert_true(throng_world_move_obstacle(world, "new", (throng_point){1, 0}, 0));
    run(world, 2);
    assert_near(throng_world_obstacle(world, 0).moved.x, 1, 1e-12);
    throng_world_destroy(world);
}

static void a_new_obstacle_waits_for_room(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    throng_obstacle pillar = {.kind = THRONG_DISC, .centre = {3, 3}, .radius = 1, .id = "pillar"};
    assert_true(throng_world_add_obstacle(world, &pillar));
    assert_false(throng_world_obstacle(world, 0).present);
    run(world, 200);
    assert_true(throng_world_obstacle(world, 0).present);
    throng_world_destroy(world);
}

static void bad_obstacles_are_refused(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    const throng_point bow[] = {{5, 5}, {6, 6}, {6, 5}, {5, 6}}, far[] = {{0, 0}, {1e9, 0}, {0, 1}};
    throng_point corners[4];
    throng_obstacle nameless = box_obstacle(corners, "", 5, 5, 6, 6);
    throng_obstacle bad[] = {{.kind = THRONG_POLYGON, .ring = {bow, 4}, .id = "a"},
                             {.kind = THRONG_POLYGON, .ring = {far, 3}, .id = "a"},
                             {.kind = THRONG_POLYGON, .ring = {bow, 2}, .id = "a"},
                             {.kind = THRONG_DISC, .centre = {5, 5}, .radius = -1, .id = "a"},
                             {.kind = THRONG_DISC, .centre = {5, NAN}, .radius = 1, .id = "a"}};
    uint64_t digest = throng_world_digest(world);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(throng_world_add_obstacle(world, &bad[i]));
    assert_false(throng_world_add_obstacle(world, &nameless));
    assert_false(throng_world_add_obstacle(world, NULL));
    assert_int_equal(throng_world_obstacle_count(world), 0);
    assert_true(throng_world_digest(world) == digest);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ who is near */

static void those_near_a_point_are_found(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    throng_view v = throng_world_view(world);
    throng_agent found[60];
    size_t count = throng_world_near(world, (throng_point){3, 4}, 1.5, found, 60), expected = 0;
    for (size_t i = 0; i < v.count; i++) {
        if (hypot(v.x[i] - 3, v.y[i] - 4) > 1.5) continue;
        assert_true(expected < count);
        assert_true(found[expected++] == v.id[i]);
    }
    assert_true(count == expected && count > 4);
    assert_true(throng_world_near(world, (throng_point){3, 4}, 1.5, found, 2) == count);
    assert_true(throng_world_near(world, (throng_point){3, 4}, NAN, found, 60) == 0);
    assert_true(throng_world_has_room(world, (throng_point){10, 5}, 0.3));
    assert_false(throng_world_has_room(world, (throng_point){1.3, 1}, 0.2));  /* somebody is at (1, 1) */
    assert_true(throng_world_has_room(world, (throng_point){1.4, 1}, 0.19));  /* between two, 0.8 m apart */
    assert_false(throng_world_has_room(world, (throng_point){10, 0.2}, 0.3)); /* the wall */
    assert_false(throng_world_has_room(world, (throng_point){-5, 5}, 0.3));   /* outside */
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ same bytes */

/* Everything at once, part k of it. */
static void steer(throng_world *world, int k) {
    throng_point corners[4];
    throng_obstacle wall = box_obstacle(corners, "new", 12, 0, 12.5, 8.5);
    if (k == 0) assert_true(throng_world_set_model(world, "implicit", 0));
    if (k == 1) assert_true(throng_world_add_obstacle(world, &wall));
    if (k == 2) assert_true(throng_world_set_agent_profile(world, 11, 0));
    if (k == 3) assert_true(throng_world_set_agent(world, 12, "radius", 0.25));
    if (k == 4) assert_true(throng_world_set_agent(world, 11, "params.time_horizon", 1.5));
    if (k == 5) assert_true(throng_world_push_agent(world, 14, (throng_point){40, 40}));
    if (k == 6) assert_true(throng_world_wish_agent(world, 15, (throng_point){-1, 0}));
    if (k == 7) assert_true(throng_world_set_model(world, "uic", 0));
    if (k == 8) assert_true(throng_world_remove_agent(world, 16));
    if (k == 9) assert_true(throng_world_set_model(world, "orca", 0));
    if (k == 10) assert_true(throng_world_move_agent(world, 17, (throng_point){15, 9}));
    if (k == 11) assert_true(throng_world_set_dt(world, 0.037));
    if (k == 12) assert_true(throng_world_set_agent_velocity(world, 18, (throng_point){0.5, 1}));
    if (k == 13) assert_true(throng_world_set_dt(world, 0.2));
}

enum { PARTS = 14 };

/* Straight to the exit where nothing is in the way, around an obstacle where there is one; asking changes nothing. */
static void ways_are_told_without_a_walker(void **state) {
    (void)state;
    throng_world *world = make_crowd(1);
    uint64_t digest = throng_world_digest(world);
    throng_point way = throng_world_way(world, 1, (throng_point){10, 5}, 0.2);
    assert_float_equal(way.x, 1, 1e-6);
    assert_float_equal(way.y, 0, 1e-6);
    assert_true(throng_world_way(world, 1, (throng_point){-3, 5}, 0.2).x == 0); /* outside */
    assert_true(throng_world_way(world, 0, (throng_point){10, 5}, 0.2).x == 0);
    assert_true(throng_world_way(world, 9, (throng_point){10, 5}, 0.2).x == 0);
    assert_true(throng_world_digest(world) == digest);
    throng_point corners[] = {{12, 0}, {13, 0}, {13, 8}, {12, 8}};
    throng_obstacle block = {.kind = THRONG_POLYGON, .id = "block", .ring = {corners, 4}};
    assert_true(throng_world_add_obstacle(world, &block));
    run(world, 3);
    way = throng_world_way(world, 1, (throng_point){11, 5}, 0.2);
    assert_true(way.y > 0.7); /* up, to the gap above 8 m */
    throng_world_destroy(world);
}

static void threads_change_no_byte(void **state) {
    (void)state;
    uint64_t digest = 0;
    static const int threads[] = {1, 2, 3, 5};
    for (int t = 0; t < 4; t++) {
        throng_world *world = make_crowd(threads[t]);
        for (int k = 0; k < PARTS; k++) {
            steer(world, k);
            run(world, 4);
        }
        if (t == 0) digest = throng_world_digest(world);
        assert_true(throng_world_digest(world) == digest);
        throng_world_destroy(world);
    }
}

/* Saved after each part, before and after the next step, and brought back into a fresh world and into the one that went
 * on. */
static void checkpoints_go_on_as_the_run_did(void **state) {
    (void)state;
    throng_world *world = make_crowd(2);
    for (int k = 0; k < PARTS; k++) {
        steer(world, k);
        throng_checkpoint *kept = throng_world_save(world, NULL);
        throng_world *fresh = make_crowd(1), *on = make_crowd(3);
        load(fresh, kept);
        expect_same(fresh, world, "brought back");
        run(on, 7);
        steer(on, 0);
        steer(on, 1);
        run(on, 3);
        load(on, kept);
        run(world, 4);
        run(fresh, 4);
        run(on, 4);
        expect_same(fresh, world, "a fresh world");
        expect_same(on, world, "a world set back");
        throng_checkpoint_destroy(kept);
        throng_world_destroy(fresh);
        throng_world_destroy(on);
    }
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_change_hands_without_a_jump),
        cmocka_unit_test(newcomers_have_the_model_of_their_group),
        cmocka_unit_test(one_person_gets_another_profile),
        cmocka_unit_test(bodies_and_speeds_of_one_person_change),
        cmocka_unit_test(a_wish_holds_for_a_step),
        cmocka_unit_test(people_are_put_elsewhere),
        cmocka_unit_test(places_and_velocities_must_make_sense),
        cmocka_unit_test(steps_may_differ_in_length),
        cmocka_unit_test(goals_reached_and_areas_entered_are_told),
        cmocka_unit_test(who_is_struck_or_stuck_is_told),
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(a_new_obstacle_is_walked_around),
        cmocka_unit_test(a_new_obstacle_waits_for_room),
        cmocka_unit_test(bad_obstacles_are_refused),
        cmocka_unit_test(those_near_a_point_are_found),
        cmocka_unit_test(ways_are_told_without_a_walker),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(checkpoints_go_on_as_the_run_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
