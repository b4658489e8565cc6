/* unit_regions.c: regions that pick the model: who is handed over when, without a jump, and back again. */

#include "changes_scene.h"

static const throng_model *model_of(const throng_world *world, size_t row) {
    return world->profiles[world->agents.profile[row]].model;
}

static throng_profile add_profile(throng_world *world, const char *model) {
    throng_profile profile = throng_world_add_profile(world, model, NULL, 0);
    assert_int_not_equal(profile, 0);
    return profile;
}

/* Somebody walks through a region of every model: it has that model from the border to half a metre beyond the other
 * one, and goes on as it went. */
static void test_walking_through(void **context) {
    (void)context;
    static const char *const models[] = {"implicit", "pbd", "cpd", "uic", "powerlaw", "orca-forces"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        throng_world *world = make_room(30, 4, NULL, 0, 1);
        throng_point corners[4];
        const throng_model *own = throng_model_named("orca"), *other = throng_model_named(models[m]);
        throng_region_def def = {.ring = box_obstacle(corners, NULL, 10, 0, 20, 4).ring,
                                 .profile = add_profile(world, models[m])};
        assert_true(throng_world_add_region(world, &def));
        add_people(world, 2, 2, 1, 1, 1, add_area(world, "out", 28, 0, 30, 4, true));
        throng_point was = {2, 2};
        double speed = 0;
        while (!throng_world_is_done(world)) {
            throng_world_step(world);
            throng_view v = throng_world_view(world);
            if (v.count == 0) break;
            bool inside = was.x >= 10 && was.x <= 20.5;
            assert_ptr_equal(model_of(world, 0), inside ? other : own);
            double now = hypot(v.vx[0], v.vy[0]);
            if (was.x > 6) assert_near(now, speed, 0.1);
            assert_near(v.x[0] - was.x, v.vx[0] * throng_world_dt(world), 0.01);
            was = (throng_point){v.x[0], v.y[0]};
            speed = now;
        }
        assert_true(was.x > 27);
        throng_world_destroy(world);
    }
}

/* Of two regions the first holds; a round one can move, and takes people as it comes. */
static void test_first_holds_and_round_ones_move(void **context) {
    (void)context;
    throng_world *world = make_room(40, 4, NULL, 0, 1);
    throng_region_def first = {.centre = {10, 2}, .radius = 3, .profile = add_profile(world, "pbd")},
                      second = {.centre = {12, 2}, .radius = 3, .profile = add_profile(world, "implicit")};
    assert_true(throng_world_add_region(world, &first) && throng_world_add_region(world, &second));
    add_people(world, 2, 2, 36, 1, 1, 0);
    throng_world_step(world);
    for (size_t i = 0; i < 36; i++) {
        double x = world->agents.x[i];
        const char *expected = fabs(x - 10) <= 3 ? "pbd" : fabs(x - 12) <= 3 ? "implicit" : "orca";
        assert_string_equal(model_of(world, i)->name, expected);
    }
    assert_true(throng_world_move_region(world, 0, (throng_point){30, 2}));
    throng_world_step(world);
    assert_string_equal(model_of(world, 8)->name, "implicit");
    assert_string_equal(model_of(world, 5)->name, "orca");
    assert_string_equal(model_of(world, 28)->name, "pbd");
    assert_int_equal(throng_world_mark_count(world), 2);
    assert_string_equal(throng_world_mark(world, 0).name, "pbd");
    assert_near(throng_world_mark(world, 0).ring.points[0].x, 33, 1e-12);
    uint64_t digest = throng_world_digest(world);
    world->agents.home[28]++;
    assert_true(throng_world_digest(world) != digest);
    world->agents.home[28]--;
    world->agents.region[28]++;
    assert_true(throng_world_digest(world) != digest);
    throng_world_destroy(world);
}

/* What is set for everybody reaches those inside, too, when they come out; but the region keeps its model. */
static void test_settings_wait_outside(void **context) {
    (void)context;
    throng_world *world = make_room(40, 4, NULL, 0, 1);
    throng_region_def def = {.centre = {10, 2}, .radius = 3, .profile = add_profile(world, "pbd")};
    assert_true(throng_world_add_region(world, &def));
    add_people(world, 10, 2, 1, 1, 1, 0);
    throng_world_step(world);
    assert_true(throng_world_set(world, "params.time_horizon", 7, 0));
    assert_string_equal(model_of(world, 0)->name, "pbd");
    assert_true(throng_world_move_region(world, 0, (throng_point){30, 2}));
    throng_world_step(world);
    assert_near(throng_world_profile_value(world, world->agents.profile[0], "time_horizon"), 7, 0);
    assert_true(throng_world_move_region(world, 0, (throng_point){10, 2}));
    throng_world_step(world);
    assert_true(throng_world_set_model(world, "powerlaw", 0));
    throng_world_step(world);
    assert_string_equal(model_of(world, 0)->name, "pbd");
    assert_true(throng_world_move_region(world, 0, (throng_point){30, 2}));
    throng_world_step(world);
    assert_string_equal(model_of(world, 0)->name, "powerlaw");
    throng_world_destroy(world);
}

static void test_refused(void **context) {
    (void)context;
    throng_world *world = make_room(40, 4, NULL, 0, 1);
    throng_point bow[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    throng_region_def bad[] = {{.radius = 1, .profile = 99},
                               {.radius = 0},
                               {.radius = NAN},
                               {.radius = 1, .centre = {INFINITY, 0}},
                               {.ring = {bow, 4}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(throng_world_add_region(world, &bad[i]));
    assert_false(throng_world_move_region(world, 0, (throng_point){0, 0}));
    assert_int_equal(throng_world_region_count(world), 0);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walking_through),
        cmocka_unit_test(test_first_holds_and_round_ones_move),
        cmocka_unit_test(test_settings_wait_outside),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
