/* The world: people come, walk, arrive, go on and leave; ids, digests, precision, memory. */

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "counting.h"
#include "testing.h"

static throng_world *world_with(const char *model, int threads) {
    throng_world_def def = throng_default_world_def();
    def.model = model;
    def.threads = threads;
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

static throng_goal point_goal(throng_world *world, double x, double y, bool exit) {
    throng_goal_def def = throng_default_goal_def();
    def.point = (throng_point){x, y};
    def.exit = exit;
    throng_goal goal = throng_world_add_goal(world, &def);
    assert_int_not_equal(goal, 0);
    return goal;
}

static throng_agent walker_at(throng_world *world, double x, double y, const throng_goal *journey, size_t count) {
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){x, y};
    def.journey = journey;
    def.journey_count = count;
    return throng_world_add_agent(world, &def);
}

static void run(throng_world *world, int steps) {
    for (int i = 0; i < steps; i++) throng_world_step(world);
}

static void somebody_walks_at_the_desired_speed(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_goal goal = point_goal(world, 100, 0, true);
    walker_at(world, 0, 0, &goal, 1);
    run(world, 10);
    throng_view v = throng_world_view(world);
    assert_near(v.x[0], 1.34, 1e-12);
    assert_near(v.y[0], 0, 0);
    assert_near(v.time, 1, 1e-12);
    throng_world_destroy(world);
}

/* The precision promise: 1 mm/s, 5 km from the origin, dt 0.01 s. */
static void a_creeping_agent_far_away_does_move(void **state) {
    (void)state;
    static const char *const models[] = {"none", "orca"};
    for (size_t m = 0; m < 2; m++) {
        throng_world_def def = throng_default_world_def();
        def.model = models[m];
        def.dt = 0.01;
        throng_world *world = throng_world_create(&def, NULL);
        throng_goal goal = point_goal(world, 5100, 5000, true);
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){5000, 5000};
        agent.desired_speed = 0.001;
        agent.journey = &goal;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
        run(world, 100);
        throng_view v = throng_world_view(world);
        assert_near(v.x[0] - 5000, 0.001, 1e-8);
        throng_world_destroy(world);
    }
}

static void people_leave_at_an_exit_and_stay_elsewhere(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_goal out = point_goal(world, 5, 0, true), there = point_goal(world, 0, 5, false);
    throng_agent leaver = walker_at(world, 0, 0, &out, 1), stayer = walker_at(world, 0, 0, &there, 1);
    assert_false(throng_world_is_done(world));
    run(world, 60);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 1);
    assert_int_equal(v.id[0], stayer);
    assert_int_equal(v.state[0], THRONG_ARRIVED);
    assert_true(throng_world_row(world, leaver) == SIZE_MAX);
    throng_stats stats = throng_world_stats(world);
    assert_int_equal(stats.initial, 2);
    assert_int_equal(stats.arrived, 2);
    assert_int_equal(stats.active, 0);
    assert_near(stats.last_arrival_s, 3.4, 0.11);
    assert_true(throng_world_is_done(world));
    throng_world_destroy(world);
}

static void a_journey_goes_from_goal_to_goal(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_goal journey[] = {point_goal(world, 3, 0, false), point_goal(world, 3, 3, true)};
    walker_at(world, 0, 0, journey, 2);
    run(world, 25);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.goal[0], journey[1]);
    run(world, 30);
    assert_int_equal(throng_world_view(world).count, 0);
    assert_int_equal(throng_world_stats(world).arrived, 1);
    throng_world_destroy(world);
}

/* A step of 1.34 m is longer than the goals are wide, on the way and at the end. */
static void nobody_leaps_over_a_goal(void **state) {
    (void)state;
    static const char *const models[] = {"none", "orca"};
    static const throng_point strip[] = {{10.5, -1}, {10.6, -1}, {10.6, 1}, {10.5, 1}};
    for (size_t m = 0; m < 2; m++) {
        throng_world_def def = throng_default_world_def();
        def.model = models[m];
        def.dt = 1;
        throng_world *world = throng_world_create(&def, NULL);
        throng_goal_def area = throng_default_goal_def();
        area.kind = THRONG_GOAL_AREA;
        area.ring = (throng_ring){strip, 4};
        area.exit = true;
        throng_goal journey[] = {point_goal(world, 5, 0.05, false), throng_world_add_goal(world, &area)};
        walker_at(world, 0, 0, journey, 2);
        run(world, 12);
        assert_int_equal(throng_world_stats(world).arrived, 1);
        throng_world_destroy(world);
    }
}

static void ids_are_never_reused(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_goal goal = point_goal(world, 100, 0, true);
    throng_agent a = walker_at(world, 0, 0, &goal, 1), b = walker_at(world, 1, 0, &goal, 1);
    throng_agent c = walker_at(world, 2, 0, &goal, 1);
    assert_true(throng_world_remove_agent(world, c));
    assert_true(throng_world_remove_agent(world, a));
    assert_false(throng_world_remove_agent(world, a));
    throng_agent d = walker_at(world, 3, 0, &goal, 1);
    assert_true(d > c && c > b && b > a && a > 0);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 2);
    assert_int_equal(v.id[0], b);
    assert_int_equal(v.id[1], d);
    assert_near(v.x[1], 3, 0);
    throng_world_destroy(world);
}

static void somebody_can_be_sent_elsewhere(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_goal east = point_goal(world, 100, 0, true), own_goal;
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_OWN;
    own_goal = throng_world_add_goal(world, &def);
    throng_agent a = walker_at(world, 0, 0, &east, 1);
    run(world, 10);
    assert_true(throng_world_retarget_agent(world, a, &own_goal, 1, (throng_point){1.34, 50}));
    run(world, 10);
    throng_view v = throng_world_view(world);
    assert_near(v.x[0], 1.34, 1e-9);
    assert_near(v.y[0], 1.34, 1e-9);
    throng_world_destroy(world);
}

static void somebody_waits_for_its_start(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_goal goal = point_goal(world, 100, 0, true);
    throng_agent_def def = throng_default_agent_def();
    def.journey = &goal;
    def.journey_count = 1;
    def.start_after = 2;
    throng_world_add_agent(world, &def);
    run(world, 20);
    assert_near(throng_world_view(world).x[0], 0, 0);
    run(world, 10);
    assert_near(throng_world_view(world).x[0], 1.34, 1e-9);
    throng_world_destroy(world);
}

static void somebody_roams_for_ever(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_point square[] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_ROAM;
    def.ring = (throng_ring){square, 4};
    def.repeat = true;
    throng_goal goal = throng_world_add_goal(world, &def);
    walker_at(world, 3, 3, &goal, 1);
    double walked = 0;
    for (int i = 0; i < 600; i++) {
        throng_view before = throng_world_view(world);
        double x = before.x[0], y = before.y[0];
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        walked += hypot(v.x[0] - x, v.y[0] - y);
        assert_true(v.x[0] >= 0 && v.x[0] <= 6 && v.y[0] >= 0 && v.y[0] <= 6);
    }
    assert_near(walked, 60 * 1.34, 1);
    assert_int_equal(throng_world_stats(world).active, 1);
    throng_world_destroy(world);
}

/* Two people who walk through each other are seen to overlap, within the step and at its end. */
static void overlap_is_measured_on_the_way(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.model = "none";
    def.dt = 1;
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal east = point_goal(world, 100, 0, true), west = point_goal(world, -100, 0, true);
    walker_at(world, 0, 0, &east, 1);
    walker_at(world, 1.34, 0, &west, 1);
    throng_world_step(world); /* they have changed places */
    throng_stats stats = throng_world_stats(world);
    assert_int_equal(stats.pairs_max, 0);
    assert_int_equal(stats.swept_pairs_max, 1);
    assert_near(stats.nearest_gap_m, -0.4, 1e-9);
    throng_world_destroy(world);
}

/* A disc that brushes a corner between the start and the end of a step has been in the wall. */
static void walls_are_measured_on_the_way(void **state) {
    (void)state;
    throng_point room[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}},
                 block[] = {{4, 0}, {6, 0}, {6, 5.9}, {5, 5.95}, {4, 5.9}};
    throng_obstacle obstacle = {.kind = THRONG_POLYGON, .ring = {block, 5}};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){room, 4};
    place_def.obstacles = &obstacle;
    place_def.obstacle_count = 1;
    throng_world_def def = throng_default_world_def();
    def.place = throng_place_create(&place_def, NULL);
    def.model = "none";
    def.planner = "straight";
    def.dt = 3;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy((throng_place *)def.place);
    throng_goal east = point_goal(world, 9, 6, true);
    walker_at(world, 3, 6, &east, 1);
    throng_world_step(world);
    throng_stats stats = throng_world_stats(world);
    assert_near(stats.agent_wall_max_m, 0, 0);
    assert_near(stats.swept_wall_max_m, 0.2 - 0.05, 1e-8);
    throng_world_destroy(world);
}

static void the_nearest_gap_is_found_however_far(void **state) {
    (void)state;
    throng_world *world = world_with("none", 2);
    throng_goal goal = point_goal(world, 0, 1e6, true);
    walker_at(world, 0, 0, &goal, 1);
    walker_at(world, 300, 40, &goal, 1);
    walker_at(world, -900, 0, &goal, 1);
    run(world, 3);
    assert_near(throng_world_stats(world).nearest_gap_m, hypot(300, 40) - 0.4, 0.01);
    throng_world_destroy(world);
}

static void fill(throng_world *world, size_t count) {
    throng_goal goals[] = {point_goal(world, 30, 0, false), point_goal(world, -20, 10, true)};
    double side = sqrt((double)count);
    for (size_t i = 0; i < count; i++) {
        walker_at(world, fmod((double)i, floor(side)) * 0.9, floor((double)i / floor(side)) * 0.9, &goals[i % 2], 1);
    }
}

static void threads_change_no_bit(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 5, 8};
    static const char *const models[] = {"none", "orca"};
    for (size_t m = 0; m < 2; m++) {
        uint64_t first = 0;
        for (size_t t = 0; t < 5; t++) {
            throng_world *world = world_with(models[m], threads[t]);
            fill(world, 3000);
            run(world, 40);
            uint64_t digest = throng_world_digest(world);
            if (t == 0) first = digest;
            assert_true(digest == first);
            throng_world_destroy(world);
        }
    }
}

static void the_digest_tells_worlds_apart(void **state) {
    (void)state;
    throng_world *a = world_with("none", 1), *b = world_with("none", 1);
    throng_goal goal_a = point_goal(a, 9, 9, true), goal_b = point_goal(b, 9, 9, true);
    walker_at(a, 0, 0, &goal_a, 1);
    walker_at(b, 0, 0, &goal_b, 1);
    assert_true(throng_world_digest(a) == throng_world_digest(b));
    run(a, 1);
    assert_true(throng_world_digest(a) != throng_world_digest(b));
    run(b, 1);
    assert_true(throng_world_digest(a) == throng_world_digest(b));
    throng_world_destroy(a);
    throng_world_destroy(b);
}

/* The counting allocator sees nothing in a steady-state step, not even when people leave. */
static void a_steady_step_allocates_nothing(void **state) {
    (void)state;
    throng_set_allocator(counting);
    static const char *const models[] = {"none", "orca"};
    for (size_t m = 0; m < 2; m++) {
        throng_world *world = world_with(models[m], 2);
        fill(world, 400);
        run(world, 2);
        size_t before = allocations;
        run(world, 300);
        assert_true(throng_world_stats(world).arrived > 0);
        assert_int_equal(allocations, before);
        throng_world_destroy(world);
    }
    throng_set_allocator(NULL);
}

static size_t allocated_bytes; /* altogether */

static void *summing(void *pointer, size_t size) {
    allocated_bytes += size;
    return counting(pointer, size);
}

/* How much a world in a place of 2 x 2 km takes to prepare, with somebody who stands or goes to (8, 8). */
static size_t bytes_to_prepare(bool narrow, bool goes, size_t *told) {
    static const throng_point border[] = {{0, 0}, {2000, 0}, {2000, 2000}, {0, 2000}};
    static const throng_point low[] = {{20, 0}, {20.3, 0}, {20.3, 2}, {20, 2}};
    static const throng_point high[] = {{20, 2.3}, {20.3, 2.3}, {20.3, 90}, {20, 90}};
    const throng_obstacle walls[] = {{.kind = THRONG_POLYGON, .ring = {low, 4}},
                                     {.kind = THRONG_POLYGON, .ring = {high, 4}}};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){border, 4};
    place_def.obstacles = walls, place_def.obstacle_count = narrow ? 2 : 1;
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place, def.planner = "roadmap";
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal goal = point_goal(world, 8, 8, true);
    walker_at(world, 5, 5, &goal, goes);
    size_t before = allocated_bytes;
    assert_true(throng_world_prepare(world, NULL));
    size_t bytes = allocated_bytes - before;
    *told = throng_report_count(throng_world_report(world));
    throng_world_destroy(world);
    throng_place_destroy(place);
    return bytes;
}

/* A lattice takes tens of megabytes; it is laid only to warn those who go somewhere of gaps there are. */
static void nothing_is_laid_where_nobody_asks(void **state) {
    (void)state;
    size_t told;
    throng_set_allocator(summing);
    assert_true(bytes_to_prepare(true, false, &told) < 1000000);
    assert_int_equal(told, 0);
    assert_true(bytes_to_prepare(false, true, &told) < 20000000);
    assert_int_equal(told, 0);
    assert_true(bytes_to_prepare(true, true, &told) > 20000000);
    assert_int_equal(told, 1);
    throng_set_allocator(NULL);
}

/* A later model keeps clear of the agents of an earlier one. */
static void models_meet_in_one_world(void **state) {
    (void)state;
    throng_world *world = world_with("none", 1);
    throng_profile orca = throng_world_add_profile(world, "orca", NULL, 0);
    throng_goal east = point_goal(world, 20, 0, true), west = point_goal(world, -20, 0.1, true);
    walker_at(world, -8, 0, &east, 1);
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){8, 0.1};
    def.profile = orca;
    def.journey = &west;
    def.journey_count = 1;
    throng_world_add_agent(world, &def);
    run(world, 250);
    throng_stats stats = throng_world_stats(world);
    assert_int_equal(stats.arrived, 2);
    assert_int_equal(stats.swept_pairs_max, 0);
    throng_world_destroy(world);
}

static throng_world *world_in_room(const throng_obstacle *obstacles, size_t count) {
    throng_point room[] = {{0, 0}, {12, 0}, {12, 6}, {0, 6}};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){room, 4};
    place_def.obstacles = obstacles;
    place_def.obstacle_count = count;
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    return world;
}

/* An exit strip along a wall, no deeper than a body: its middle can never be inside. */
static void a_strip_along_a_wall_is_an_exit(void **state) {
    (void)state;
    throng_world *world = world_in_room(NULL, 0);
    throng_point strip[] = {{11.9, 0}, {12, 0}, {12, 6}, {11.9, 6}};
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_AREA;
    def.ring = (throng_ring){strip, 4};
    def.exit = true;
    throng_goal out = throng_world_add_goal(world, &def);
    walker_at(world, 8, 3, &out, 1);
    run(world, 60);
    assert_int_equal(throng_world_stats(world).arrived, 1);
    throng_world_destroy(world);
}

/* The way to the first goal is clear; a wall stands in the way to the second. */
static void a_wall_on_a_later_leg_is_walked_around(void **state) {
    (void)state;
    throng_point wall[] = {{5.8, 1}, {6, 1}, {6, 6}, {5.8, 6}};
    throng_obstacle obstacle = {.kind = THRONG_POLYGON, .ring = {wall, 4}};
    throng_world *world = world_in_room(&obstacle, 1);
    throng_goal journey[] = {point_goal(world, 4, 5, false), point_goal(world, 9, 5, true)};
    walker_at(world, 1, 5, journey, 2);
    run(world, 200);
    assert_int_equal(throng_world_stats(world).arrived, 1);
    assert_string_equal(throng_world_planner(world), "flow-field");
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(somebody_walks_at_the_desired_speed),
        cmocka_unit_test(a_creeping_agent_far_away_does_move),
        cmocka_unit_test(people_leave_at_an_exit_and_stay_elsewhere),
        cmocka_unit_test(a_journey_goes_from_goal_to_goal),
        cmocka_unit_test(nobody_leaps_over_a_goal),
        cmocka_unit_test(ids_are_never_reused),
        cmocka_unit_test(somebody_can_be_sent_elsewhere),
        cmocka_unit_test(somebody_waits_for_its_start),
        cmocka_unit_test(somebody_roams_for_ever),
        cmocka_unit_test(overlap_is_measured_on_the_way),
        cmocka_unit_test(walls_are_measured_on_the_way),
        cmocka_unit_test(the_nearest_gap_is_found_however_far),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(the_digest_tells_worlds_apart),
        cmocka_unit_test(a_steady_step_allocates_nothing),
        cmocka_unit_test(nothing_is_laid_where_nobody_asks),
        cmocka_unit_test(models_meet_in_one_world),
        cmocka_unit_test(a_strip_along_a_wall_is_an_exit),
        cmocka_unit_test(a_wall_on_a_later_leg_is_walked_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
