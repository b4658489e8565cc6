/* unit_changes.c: obstacles that go, come back and move among people, and goals that close. */

#include "changes_scene.h"

static void add_event(throng_world *world, throng_event_def def) { assert_true(throng_world_add_event(world, &def)); }

/* Two rooms, a wall with a doorway of 2 m between them, and a gate in it. */
static throng_world *make_gate(int threads, bool thin) {
    throng_point corners[3][4], line[] = {{10.15, 4}, {10.15, 6}};
    throng_obstacle obstacles[] = {box_obstacle(corners[0], NULL, 10, 0, 10.3, 4),
                                   box_obstacle(corners[1], NULL, 10, 6, 10.3, 10),
                                   box_obstacle(corners[2], "gate", 10.05, 4, 10.25, 6)};
    if (thin) obstacles[2] = (throng_obstacle){.kind = THRONG_LINE, .ring = {line, 2}, .id = "gate"};
    return make_room(20, 10, obstacles, 3, threads);
}

static void test_gate_opens_and_closes(void **context) {
    (void)context;
    for (int thin = 0; thin < 2; thin++) {
        throng_world *world = make_gate(1, thin);
        throng_goal out = add_area(world, "out", 18, 0, 20, 10, true);
        add_people(world, 1, 1, 8, 10, 0.8, out);
        for (int i = 0; i < 6; i++) {
            throng_point by = {0, i % 2 ? -2 : 2};
            add_event(world,
                      (throng_event_def){
                          .kind = THRONG_EVENT_MOVE, .time = 4 + 6 * i, .obstacle = "gate", .by = by, .during = 2});
        }
        watch_until(world, 4);
        assert_int_equal(throng_world_stats(world).arrived, 0);
        watch_until(world, 60);
        throng_stats s = throng_world_stats(world);
        assert_true(s.arrived > 20); /* many got through while it was open */
        throng_world_destroy(world);
    }
}

/* A gate that comes down on somebody in a niche waits, says so, and closes when the niche is empty. */
static void test_gate_waits(void **context) {
    (void)context;
    throng_point corners[4];
    throng_obstacle gate = box_obstacle(corners, "gate", 0, 3.8, 0.5, 4);
    throng_world *world = make_room(0.5, 4, &gate, 1, 1);
    add_people(world, 0.25, 1, 1, 1, 1, 0);
    throng_world_move_obstacle(world, "gate", (throng_point){0, -3.6}, 2);
    watch_until(world, 10);
    assert_int_equal(notices_with(world, "'gate' waits"), 1);
    assert_near(world->changes.movables[0].offset.y, -3.4, 0.01);
    assert_near(throng_world_view(world).y[0], 0.2, 0.01);
    throng_world_remove_agent(world, 1);
    for (int i = 0; i < 20; i++) throng_world_step(world);
    assert_near(world->changes.movables[0].offset.y, -3.6, 1e-12);
    throng_world_destroy(world);
}

/* One that closes on a crowd in the doorway lets everybody out of it, to one side or the other. */
static void test_gate_closes_on_crowd(void **context) {
    (void)context;
    throng_world *world = make_gate(1, false);
    throng_goal out = add_area(world, "out", 18, 0, 20, 10, true);
    throng_world_remove_obstacle(world, "gate");
    throng_world_move_obstacle(world, "gate", (throng_point){0, 2}, 0);
    throng_world_restore_obstacle(world, "gate");
    size_t people = add_people(world, 6, 2.5, 12, 12, 0.42, out);
    throng_world_move_obstacle(world, "gate", (throng_point){0, -2}, 1);
    watch_until(world, 60);
    throng_stats s = throng_world_stats(world);
    throng_view v = throng_world_view(world);
    assert_near(world->changes.movables[0].offset.y, 0, 1e-12);
    assert_int_equal(s.arrived + v.count, people);
    assert_true(s.arrived > 10 && v.count > 20);
    for (size_t i = 0; i < v.count; i++) assert_true(v.x[i] < 10.05 - 0.2 + 1e-6);
    throng_world_destroy(world);
}

/* A wall sweeps a standing crowd ahead of it, and stops short of crushing it. */
static void test_piston(void **context) {
    (void)context;
    throng_point corners[4];
    throng_obstacle piston = box_obstacle(corners, "piston", 0, 0, 0.5, 6);
    throng_world *world = make_room(12, 6, &piston, 1, 1);
    size_t people = add_people(world, 2, 0.5, 10, 11, 0.5, 0);
    throng_world_move_obstacle(world, "piston", (throng_point){11.5, 0}, 10);
    watch_until(world, 40);
    double reached = world->changes.movables[0].offset.x;
    assert_true(reached > 3 && reached < 11.5 - 0.5);
    assert_true(notices_with(world, "'piston' waits") == 1);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, people);
    for (size_t i = 0; i < v.count; i++) assert_true(v.x[i] >= reached + 0.5 + 0.2 - 1e-6);
    throng_world_destroy(world);
}

/* However fast, a wall passes over nobody. */
static void test_fast_wall(void **context) {
    (void)context;
    throng_point line[] = {{1, 0}, {1, 4}};
    throng_obstacle wall = {.kind = THRONG_LINE, .ring = {line, 2}, .id = "wall"};
    throng_world *world = make_room(20, 4, &wall, 1, 1);
    add_people(world, 2, 1, 3, 3, 1, 0);
    throng_world_move_obstacle(world, "wall", (throng_point){15, 0}, 0);
    watch_until(world, 20);
    throng_view v = throng_world_view(world);
    double at = 1 + world->changes.movables[0].offset.x;
    assert_near(at, 16, 0);
    for (size_t i = 0; i < v.count; i++) assert_true(v.x[i] > at);
    throng_world_destroy(world);
}

static void test_moves_add_up(void **context) {
    (void)context;
    throng_world *world = make_gate(1, false);
    throng_movable *gate;
    assert_true(throng_world_move_obstacle(world, "gate", (throng_point){0, 2}, 2));
    watch_until(world, 1);
    gate = &world->changes.movables[0];
    assert_near(gate->offset.y, 1, 1e-9);
    /* Back again while it moves: to where it began. */
    assert_true(throng_world_move_obstacle(world, "gate", (throng_point){0, -2}, 2));
    watch_until(world, 2);
    assert_near(gate->offset.y, 0.5, 1e-9);
    watch_until(world, 3.1);
    assert_near(gate->offset.y, 0, 0);
    /* Removed while it moves, it comes back there. */
    assert_true(throng_world_move_obstacle(world, "gate", (throng_point){0, 2}, 2));
    watch_until(world, 4.1);
    assert_true(throng_world_remove_obstacle(world, "gate"));
    watch_until(world, 6);
    assert_true(throng_world_restore_obstacle(world, "gate"));
    watch_until(world, 8);
    assert_near(gate->offset.y, 1, 1e-9);
    assert_true(gate->present);
    /* One that is away moves at once. */
    throng_world_remove_obstacle(world, "gate");
    throng_world_move_obstacle(world, "gate", (throng_point){0, -1}, 5);
    throng_world_restore_obstacle(world, "gate");
    assert_near(gate->offset.y, 0, 1e-9);
    throng_world_destroy(world);
}

static void test_restore_waits(void **context) {
    (void)context;
    throng_world *world = make_gate(1, false);
    throng_goal out = add_area(world, "out", 18, 0, 20, 10, true);
    uint64_t version = throng_world_place_version(world);
    throng_world_remove_obstacle(world, "gate");
    assert_true(throng_world_place_version(world) > version);
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){10.15, 5};
    throng_agent agent = throng_world_add_agent(world, &def);
    add_event(world, (throng_event_def){.kind = THRONG_EVENT_RESTORE, .time = 1, .obstacle = "gate"});
    watch_until(world, 3);
    assert_false(world->changes.movables[0].present);
    assert_int_equal(notices_with(world, "cannot come back yet"), 1);
    throng_world_retarget_agent(world, agent, &out, 1, (throng_point){0, 0});
    watch_until(world, 5);
    assert_true(world->changes.movables[0].present);
    throng_world_destroy(world);
}

/* A wall that goes opens a shorter way for those behind it; who is elsewhere walks on as before. */
static void test_remove_opens_a_way(void **context) {
    (void)context;
    throng_world *worlds[2];
    for (int i = 0; i < 2; i++) {
        throng_world *world = worlds[i] = make_gate(1, false);
        throng_goal out = add_area(world, "out", 18, 0, 20, 10, true),
                    left = add_area(world, "left", 0, 0, 2, 10, false);
        add_people(world, 3, 4, 2, 3, 0.6, out);
        add_people(world, 8, 1, 1, 1, 1, left);
        if (i) add_event(world, (throng_event_def){.kind = THRONG_EVENT_REMOVE, .time = 1, .obstacle = "gate"});
        add_event(world, (throng_event_def){.kind = THRONG_EVENT_REMOVE, .time = 1e6, .obstacle = "gate"});
        watch_until(world, 30);
    }
    assert_int_equal(throng_world_stats(worlds[0]).arrived, 1);
    assert_int_equal(throng_world_stats(worlds[1]).arrived, 7);
    size_t a = throng_world_row(worlds[0], 7), b = throng_world_row(worlds[1], 7);
    assert_true(throng_world_view(worlds[0]).x[a] == throng_world_view(worlds[1]).x[b]);
    assert_true(throng_world_view(worlds[0]).y[a] == throng_world_view(worlds[1]).y[b]);
    throng_world_destroy(worlds[0]);
    throng_world_destroy(worlds[1]);
}

static void test_close_one_of_two(void **context) {
    (void)context;
    throng_world *world = make_room(20, 10, NULL, 0, 1);
    throng_goal near = add_area(world, "near", 18, 0, 20, 2, true), far = add_area(world, "far", 18, 8, 20, 10, true);
    throng_goal members[] = {near, far};
    throng_goal_def any = throng_default_goal_def();
    any.kind = THRONG_GOAL_ANY;
    any.any = members;
    any.any_count = 2;
    throng_goal either = throng_world_add_goal(world, &any);
    add_people(world, 2, 1, 5, 4, 0.6, either);
    throng_event_def close = {.kind = THRONG_EVENT_CLOSE, .time = 2, .goal = near};
    add_event(world, close);
    watch_until(world, 5);
    assert_true(throng_world_goal_is_closed(world, near));
    assert_false(throng_world_goal_is_closed(world, either));
    while (!throng_world_is_done(world) && throng_world_time(world) < 60) {
        watch_step(world);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) assert_false(v.x[i] > 18.2 && v.y[i] < 2);
    }
    assert_true(throng_world_is_done(world));
    throng_world_destroy(world);
}

/* Who has no other goal waits in front of a closed one, and goes in when it opens. */
static void test_close_the_only_one(void **context) {
    (void)context;
    throng_world *world = make_room(20, 10, NULL, 0, 1);
    throng_goal out = add_area(world, "out", 18, 4, 20, 6, true);
    size_t people = add_people(world, 2, 3, 5, 6, 0.6, out);
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){18.5, 5};
    def.journey = &out;
    def.journey_count = 1;
    throng_world_add_agent(world, &def); /* stands in it already */
    add_event(world, (throng_event_def){.kind = THRONG_EVENT_OPEN, .time = 40, .goal = out});
    throng_world_close_goal(world, out);
    watch_until(world, 39.9);
    throng_view v = throng_world_view(world);
    throng_stats s = throng_world_stats(world);
    assert_int_equal(s.arrived, 0);
    assert_int_equal(v.count, people + 1);
    size_t close_by = 0;
    for (size_t i = 0; i < people; i++) {
        double dx = fmax(18 - v.x[i], 0), dy = fmax(fmax(4 - v.y[i], v.y[i] - 6), 0);
        double distance = sqrt(dx * dx + dy * dy);
        assert_true(distance > 0.2 - 1e-6); /* pressed by those behind, but not into it */
        close_by += distance < 0.5;         /* a body's width and a little */
    }
    assert_true(close_by >= 5);
    assert_true(v.x[people] > 18 && v.y[people] > 4 && v.y[people] < 6);
    watch_until(world, 70);
    assert_true(throng_world_is_done(world));
    throng_world_destroy(world);
}

static void test_refusals(void **context) {
    (void)context;
    throng_world *world = make_gate(1, false);
    throng_goal_def east = throng_default_goal_def();
    east.kind = THRONG_GOAL_DIRECTION;
    east.point = (throng_point){1, 0};
    throng_goal direction = throng_world_add_goal(world, &east);
    assert_false(throng_world_remove_obstacle(world, "door"));
    assert_non_null(strstr(throng_world_error(world)->text, "'door'"));
    assert_false(throng_world_restore_obstacle(world, ""));
    assert_false(throng_world_move_obstacle(world, "gate", (throng_point){NAN, 0}, 1));
    assert_false(throng_world_move_obstacle(world, "gate", (throng_point){1, 0}, -1));
    assert_false(throng_world_close_goal(world, 0));
    assert_false(throng_world_close_goal(world, 99));
    assert_false(throng_world_close_goal(world, direction));
    assert_false(throng_world_set(world, "params.nothing", 1, 0));
    assert_false(throng_world_set(world, "params.time_horizon", -1, 0));
    assert_false(throng_world_set(world, "radius", 1, 0));
    assert_false(throng_world_set(world, "desired_speed", 1, 77));
    throng_event_def event = {.kind = THRONG_EVENT_REMOVE, .time = -1, .obstacle = "gate"};
    assert_false(throng_world_add_event(world, &event));
    event = (throng_event_def){.kind = (throng_event_kind)42};
    assert_false(throng_world_add_event(world, &event));
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate_opens_and_closes),
        cmocka_unit_test(test_gate_waits),
        cmocka_unit_test(test_gate_closes_on_crowd),
        cmocka_unit_test(test_piston),
        cmocka_unit_test(test_fast_wall),
        cmocka_unit_test(test_moves_add_up),
        cmocka_unit_test(test_restore_waits),
        cmocka_unit_test(test_remove_opens_a_way),
        cmocka_unit_test(test_close_one_of_two),
        cmocka_unit_test(test_close_the_only_one),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
