/* unit_zones.c: zones that slow people down or change their model's parameters, values that are set, and
 * that a world whose changes are over allocates nothing. */

#include "changes_scene.h"

static throng_zone_def box_zone(throng_point corners[4], double x0, double y0, double x1, double y1, double factor) {
    throng_zone_def def = throng_default_zone_def();
    def.ring = box_obstacle(corners, NULL, x0, y0, x1, y1).ring;
    def.speed_factor = factor;
    return def;
}

static void test_lookup(void **context) {
    (void)context;
    throng_zones zones = {0};
    throng_point corners[2][4], slanted[] = {{0, 0}, {40, 10}, {40, 30}, {20, 12}};
    throng_zone_def defs[] = {box_zone(corners[0], 5, 2, 10, 6, 0.5), box_zone(corners[1], 8, 4, 30, 8, 2),
                              throng_default_zone_def()};
    defs[2].ring = (throng_ring){slanted, 4};
    defs[2].speed_factor = 0.25;
    for (int i = 0; i < 3; i++) throng_zones_add(&zones, &defs[i]);
    throng_zones_lay(&zones);
    for (uint64_t i = 0; i < 20000; i++) {
        double x = throng_random(1, 1, i, 1) * 50 - 5, y = throng_random(1, 2, i, 1) * 40 - 5, expected = 1;
        for (int z = 2; z >= 0; z--) {
            if (throng_ring_contains(defs[z].ring, x, y)) expected = defs[z].speed_factor;
        }
        assert_true(throng_zones_speed(&zones, x, y) == expected);
    }
    throng_zones_clear(&zones);
}

/* On stairs people walk at half their speed, and before and after at all of it. */
static void test_stairs(void **context) {
    (void)context;
    throng_world *world = make_room(40, 4, NULL, 0, 1);
    throng_point corners[4];
    throng_zone_def stairs = box_zone(corners, 10, 0, 20, 4, 0.5);
    assert_true(throng_world_add_zone(world, &stairs));
    throng_goal out = add_area(world, "out", 38, 0, 40, 4, true);
    add_people(world, 1, 2, 1, 1, 1, out);
    double entered = 0, left = 0;
    while (!throng_world_is_done(world)) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        if (v.count && v.x[0] > 10 && entered == 0) entered = throng_world_time(world);
        if (v.count && v.x[0] > 20 && left == 0) left = throng_world_time(world);
    }
    assert_near(left - entered, 10 / (1.34 * 0.5), 0.25);
    assert_near(entered, 9 / 1.34, 0.25);
    throng_world_destroy(world);
}

static void test_params_inside(void **context) {
    (void)context;
    throng_world *world = make_room(20, 4, NULL, 0, 1);
    throng_point corners[2][4];
    throng_setting settings[] = {{.name = "time_horizon", .number = 7}},
                   both[] = {{.name = "time_horizon", .number = 3}, {.name = "max_neighbours", .number = 4}};
    throng_zone_def first = box_zone(corners[0], 5, 0, 10, 4, 1), second = box_zone(corners[1], 8, 0, 15, 4, 1);
    first.settings = settings;
    first.setting_count = 1;
    second.settings = both;
    second.setting_count = 2;
    assert_true(throng_world_add_zone(world, &first) && throng_world_add_zone(world, &second));
    const double at[] = {2, 6, 9, 12};
    const double horizon[] = {2, 7, 7, 3}, neighbours[] = {10, 10, 4, 4};
    for (int i = 0; i < 4; i++) add_people(world, at[i], 2, 1, 1, 1, 0);
    throng_world_step(world);
    for (int i = 0; i < 4; i++) {
        throng_profile acting = world->agents.acting[i];
        assert_near(throng_world_profile_value(world, acting, "time_horizon"), horizon[i], 0);
        assert_near(throng_world_profile_value(world, acting, "max_neighbours"), neighbours[i], 0);
        assert_int_equal(world->agents.profile[i], 0);
    }
    settings[0].name = "nothing";
    assert_false(throng_world_add_zone(world, &first));
    settings[0] = (throng_setting){.name = "time_horizon", .number = -1};
    assert_false(throng_world_add_zone(world, &first));
    first.setting_count = 0;
    first.speed_factor = -1;
    assert_false(throng_world_add_zone(world, &first));
    throng_world_destroy(world);
}

/* A value is set for a group, for those who are there and those who come later. */
static void test_set(void **context) {
    (void)context;
    throng_world *world = make_room(20, 4, NULL, 0, 1);
    throng_group crowd = throng_world_add_group(world, "crowd");
    throng_agent_def def = throng_default_agent_def();
    for (int i = 0; i < 4; i++) {
        def.at = (throng_point){2 + 2 * i, 2};
        def.group = i % 2 ? crowd : 0;
        throng_world_add_agent(world, &def);
    }
    throng_event_def events[] = {
        {.kind = THRONG_EVENT_SET, .time = 0.5, .set = "params.time_horizon", .to = 5, .group = crowd},
        {.kind = THRONG_EVENT_SET, .time = 0.5, .set = "desired_speed", .to = 2.68}};
    for (int i = 0; i < 2; i++) assert_true(throng_world_add_event(world, &events[i]));
    for (int i = 0; i < 5; i++) throng_world_step(world);
    assert_near(world->agents.desired_speed[0], 1.34, 0);
    for (int i = 0; i < 3; i++) throng_world_step(world);
    def.at = (throng_point){12, 2};
    throng_world_add_agent(world, &def); /* of the crowd */
    for (size_t i = 0; i < 5; i++) {
        bool member = world->agents.group[i] == crowd;
        throng_profile profile = world->agents.profile[i];
        assert_near(throng_world_profile_value(world, profile, "time_horizon"), member ? 5 : 2, 0);
        assert_near(world->agents.desired_speed[i], 2.68, 0);
        assert_near(world->agents.max_speed[i], 1.5 * 2.68, 1e-12);
    }
    assert_int_equal(throng_world_profile_count(world), 2);
    throng_world_destroy(world);
}

static size_t allocations;

static void *count_resize(void *pointer, size_t size) {
    allocations++;
    if (size) return realloc(pointer, size);
    free(pointer);
    return NULL;
}

static void test_nothing_allocated_at_rest(void **context) {
    (void)context;
    throng_set_allocator(count_resize);
    throng_point corners[2][4];
    throng_obstacle bar = box_obstacle(corners[0], "bar", 5, 0, 5.2, 2);
    throng_world *world = make_room(40, 10, &bar, 1, 2);
    throng_zone_def zone = box_zone(corners[1], 10, 0, 20, 10, 0.5);
    throng_setting setting = {.name = "time_horizon", .number = 1};
    zone.settings = &setting;
    zone.setting_count = 1;
    throng_world_add_zone(world, &zone);
    throng_goal out = add_area(world, "out", 38, 0, 40, 10, true);
    add_people(world, 1, 1, 3, 12, 0.7, out);
    throng_world_move_obstacle(world, "bar", (throng_point){1, 1}, 1);
    for (int i = 0; i < 20; i++) throng_world_step(world);
    size_t before_steps = allocations;
    for (int i = 0; i < 50; i++) throng_world_step(world);
    assert_int_equal(allocations, before_steps);
    throng_world_destroy(world);
    throng_set_allocator(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lookup), cmocka_unit_test(test_stairs),
                                       cmocka_unit_test(test_params_inside), cmocka_unit_test(test_set),
                                       cmocka_unit_test(test_nothing_allocated_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
