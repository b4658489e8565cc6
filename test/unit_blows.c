/* unit_blows.c: what is hit or pressed hard: walls of blocks, a board that small balls are thrown at. */

#include "testing.h"

#include <math.h>
#include <throng/throng.h>

static throng_world *make_world(const char *model, double dt) {
    throng_world_def def = throng_default_world_def();
    def.model = model;
    def.dt = dt;
    throng_error error = {0};
    throng_world *world = throng_world_create(&def, &error);
    assert_non_null(world);
    return world;
}

/* Somebody who runs along x for ever. */
static void add_runner(throng_world *world, double x, double y, double speed) {
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){1, 0};
    throng_goal on = throng_world_add_goal(world, &goal);
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){x, y};
    def.velocity = (throng_point){speed, 0};
    def.desired_speed = def.max_speed = speed;
    def.mass = 70;
    def.journey = &on;
    def.journey_count = 1;
    assert_true(throng_world_add_agent(world, &def));
}

static double speed_of(const throng_object_state *object) {
    return hypot(hypot(object->velocity.x, object->velocity.y), object->velocity.z);
}

/* Blocks that runners knock out of a wall are not faster than a push of a runner makes them: a blow of a body
 * of 70 kg against something that does not yield would send one of 8 kg off ten times as fast. */
static void blocks_leave_a_wall_as_fast_as_they_are_hit(void **state) {
    (void)state;
    const double speed = 6, height = 2;                                      /* m/s, m */
    const double most = sqrt(1.2 * speed * 1.2 * speed + 3 * 9.81 * height); /* m/s; the top of what tips over */
    if (!throng_has_objects()) skip();
    throng_world *world = make_world("none", 0.1);
    throng_block_wall_def def = throng_default_block_wall_def();
    def.from = (throng_point){0, -9};
    def.to = (throng_point){0, 9};
    def.height = height;
    def.columns = 18;
    def.rows = 4;
    assert_true(throng_world_add_block_wall(world, &def));
    for (int i = 0; i < 7; i++) add_runner(world, -1.6, 0.5 + i, speed);
    double fastest = 0;
    for (int k = 0; k < 60; k++) {
        throng_world_step(world);
        throng_objects all = throng_world_objects(world);
        for (size_t i = 0; i < all.count; i++) fastest = fmax(fastest, speed_of(&all.objects[i]));
    }
    assert_true(throng_world_stats(world).bonds_broken > 10);
    if (!(fastest < most)) print_message("a block has %g m/s\n", fastest);
    assert_true(fastest > 1 && fastest < most);
    throng_world_destroy(world);
}

/* Somebody who walks up to a wall and goes on walking leans on it as hard as people can, however short the steps are,
 * whether its model stops it or not. */
static void who_leans_on_a_wall_does_not_break_it(void **state) {
    (void)state;
    const char *const models[] = {"none", "uic", "pbd", "powerlaw", "cpd", "orca", "implicit"};
    const double steps[] = {0.01, 0.05, 0.1}, push_most = 500; /* s, N */
    if (!throng_has_objects()) skip();
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        for (size_t d = 0; d < sizeof steps / sizeof *steps; d++) {
            throng_world *world = make_world(models[m], steps[d]);
            throng_block_wall_def def = throng_default_block_wall_def();
            def.from = (throng_point){0, -3};
            def.to = (throng_point){0, 3};
            def.height = 2;
            def.columns = 6;
            def.rows = 4;
            assert_true(throng_world_add_block_wall(world, &def));
            add_runner(world, -2, 0.3, 1.34);
            double hardest = 0;
            for (int k = 0; k < 5 / steps[d]; k++) {
                throng_world_step(world);
                throng_view view = throng_world_view(world);
                if (view.time > 3) hardest = fmax(hardest, view.force[0]);
            }
            if (!(hardest < push_most + 1e-6)) fail_msg("%s, %g s: %g N", models[m], steps[d], hardest);
            if (m == 0) assert_near(hardest, push_most, 1e-6); /* it wants to go on at full speed */
            assert_int_equal(throng_world_stats(world).bonds_broken, 0);
            throng_world_destroy(world);
        }
    }
}

/* One person who leans on a wall does not bend it. */
static void a_wall_does_not_bend(void **state) {
    (void)state;
    if (!throng_has_objects()) skip();
    throng_world *world = make_world("orca-forces", 0.05);
    throng_block_wall_def def = throng_default_block_wall_def();
    def.from = (throng_point){0, -3};
    def.to = (throng_point){0, 3};
    def.height = 2;
    def.columns = 12;
    def.rows = 5;
    assert_true(throng_world_add_block_wall(world, &def));
    add_runner(world, -2, 0.3, 1.2);
    throng_object_state before[60];
    throng_objects all = throng_world_objects(world);
    assert_int_equal(all.count, 60);
    for (size_t i = 0; i < 60; i++) before[i] = all.objects[i];
    for (int k = 0; k < 300; k++) throng_world_step(world);
    all = throng_world_objects(world);
    for (size_t i = 0; i < 60; i++) assert_near(all.objects[i].at.x, before[i].at.x, 0.01);
    assert_true(throng_world_view(world).x[0] > -0.7); /* it does lean */
    throng_world_destroy(world);
}

/* A light box that whirls away does not take along whom it has hit. */
static void nobody_is_whirled_around(void **state) {
    (void)state;
    if (!throng_has_objects()) skip();
    throng_world *world = make_world("none", 0.1);
    throng_agent_def person = throng_default_agent_def();
    person.mass = 70;
    assert_true(throng_world_add_agent(world, &person));
    throng_part part = {.kind = THRONG_PART_BOX, .size = {0.4, 0.8, 0.4}};
    throng_object_def def = throng_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.at = (throng_point3){-3.4, 0.3, 1.3};
    def.mass = 0.5;
    def.velocity = (throng_point3){20, 0, 0};
    assert_true(throng_world_add_object(world, &def));
    for (int k = 0; k < 5; k++) throng_world_step(world);
    throng_objects all = throng_world_objects(world);
    throng_view view = throng_world_view(world);
    assert_true(fabs(all.objects[0].spin.z) > 10);
    assert_true(hypot(view.x[0], view.y[0]) < 0.1);
    throng_world_destroy(world);
}

/* Small and fast, they fly through nothing, in a long step either: a tennis ball, and one so small that the engine
 * would need more steps than it takes. */
static void balls_stay_before_a_board(void **state) {
    (void)state;
    enum { BALLS = 20 };
    const double radii[] = {0.03, 0.01, 0.005};
    if (!throng_has_objects()) skip();
    for (size_t r = 0; r < sizeof radii / sizeof *radii; r++) {
        throng_world *world = make_world("none", 0.1);
        throng_part board = {.kind = THRONG_PART_BOX, .size = {0.02, 20, 2}},
                    ball = {.kind = THRONG_PART_BALL, .radius = radii[r]};
        throng_object_def def = throng_default_object_def();
        def.parts = &board;
        def.part_count = 1;
        def.at = (throng_point3){0, 0, 1};
        def.mass = 1e5;
        assert_true(throng_world_add_object(world, &def));
        def.parts = &ball;
        def.mass = 0.06;
        def.velocity = (throng_point3){45, 0, 0.5};
        for (int i = 0; i < BALLS; i++) {
            def.at = (throng_point3){-3 - 0.07 * i, i - 0.5 * BALLS + 0.5, 1};
            assert_true(throng_world_add_object(world, &def));
        }
        for (int k = 0; k < 5; k++) throng_world_step(world);
        throng_objects all = throng_world_objects(world);
        assert_int_equal(all.count, BALLS + 1);
        for (size_t i = 1; i < all.count; i++) {
            assert_true(all.objects[i].at.x < all.objects[0].at.x);
            assert_true(all.objects[i].velocity.x < 0);
        }
        throng_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_leave_a_wall_as_fast_as_they_are_hit),
        cmocka_unit_test(who_leans_on_a_wall_does_not_break_it), cmocka_unit_test(a_wall_does_not_bend),
        cmocka_unit_test(nobody_is_whirled_around), cmocka_unit_test(balls_stay_before_a_board)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
