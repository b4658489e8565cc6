/* Jams of `implicit` that come to a stop: streams that meet at a corner, arches before a door. They dissolve, with the
 * same bits on any number of threads and after a restart, and nobody else is concerned. */

#include "checkpoint_common.h"
#include "models/implicit/implicit.h"
#include "world/world.h"

#define PEOPLE "\"radius\": {\"uniform\": [0.2, 0.25]}, \"desired_speed\": {\"uniform\": [1.1, 1.5]}"

/* 45 and 45 people who want around the corner of a corridor 2.5 m wide, from either end. */
static const char corner[] =
    "{\"throng\": 1, \"name\": \"corner\", \"dt\": 0.1, \"duration\": 180, \"planner\": \"flow-field\", \"model\": "
    "\"implicit\",\n"
    " \"walkable_area\": [[0, 0], [19.5, 0], [19.5, 19.5], [17, 19.5], [17, 2.5], [0, 2.5]],\n"
    " \"goals\": {\"up\": {\"polygon\": [[17, 18.5], [19.5, 18.5], [19.5, 19.5], [17, 19.5]], \"exit\": true},\n"
    "   \"left\": {\"polygon\": [[0, 0], [1, 0], [1, 2.5], [0, 2.5]], \"exit\": true}},\n"
    " \"agents\": [{\"in\": [[7, 0], [17, 0], [17, 2.5], [7, 2.5]], \"count\": 45, \"goal\": \"up\", " PEOPLE
    "},\n"
    "   {\"in\": [[17, 2.5], [19.5, 2.5], [19.5, 12.5], [17, 12.5]], \"count\": 45, \"goal\": \"left\", " PEOPLE "}]}";

/* 100 people before a door of 0.8 m, for one and a half of them. */
static const char door[] =
    "{\"throng\": 1, \"name\": \"door\", \"dt\": 0.1, \"duration\": 180, \"planner\": \"flow-field\", \"model\": "
    "\"implicit\",\n"
    " \"walkable_area\": [[0, 0], [10, 0], [10, 6], [0, 6]],\n"
    " \"obstacles\": [{\"polygon\": [[6, -1], [6.2, -1], [6.2, 2.6], [6, 2.6]]},\n"
    "   {\"polygon\": [[6, 3.4], [6.2, 3.4], [6.2, 7], [6, 7]]}],\n"
    " \"goals\": {\"out\": {\"polygon\": [[9, 0], [10, 0], [10, 6], [9, 6]], \"exit\": true}},\n"
    " \"agents\": [{\"in\": [[0, 0], [5.5, 0], [5.5, 6], [0, 6]], \"count\": 100, \"goal\": \"out\", " PEOPLE "}]}";

static throng_world *make(const char *scene, int seed, int threads, bool patient) {
    char seeded[32];
    snprintf(seeded, sizeof seeded, "seed=%d", seed);
    const char *overrides[] = {seeded, "model.params.yielding=0", "model.params.sidestep=0"};
    throng_scenario_def def = throng_default_scenario_def();
    def.text = scene;
    def.overrides = overrides, def.override_count = patient ? 3 : 1;
    return world_from(&def, threads);
}

static const throng_implicit_counts *counts(const throng_world *world) {
    return &((const throng_implicit *)world->teams[0].state)->counts;
}

/* How far the fastest of all gets on in a step, m/s. */
static double fastest(const throng_world *world) {
    throng_view v = throng_world_view(world);
    double most = 0;
    for (size_t i = 0; i < v.count; i++) most = fmax(most, hypot(v.vx[i], v.vy[i]));
    return most;
}

/* Runs until all have arrived, or for so long. Returns the longest time in which nobody moved, s. */
static double longest_stop(throng_world *world, double end) {
    double since = 0, longest = 0;
    while (throng_world_view(world).count > 0 && throng_world_time(world) < end) {
        throng_world_step(world);
        since = fastest(world) < 0.05 ? since + 0.1 : 0;
        longest = fmax(longest, since);
    }
    assert_int_equal(counts(world)->violations, 0);
    return longest;
}

static void streams_get_around_a_corner(void **unused) {
    (void)unused;
    for (int seed = 1; seed <= 3; seed++) {
        throng_world *locked = make(corner, seed, 1, true), *world = make(corner, seed, 1, false);
        double stop = longest_stop(world, 120);
        print_message("seed %d: all gone after %.1f s, nobody moves for %.1f s at most\n", seed,
                      throng_world_time(world), stop);
        assert_true(stop < 5);
        assert_int_equal(throng_world_view(world).count, 0);
        /* without, it is a jam for good */
        assert_true(longest_stop(locked, 60) > 20);
        assert_int_equal(throng_world_view(locked).count, 90);
        throng_world_destroy(locked);
        throng_world_destroy(world);
    }
}

static void arches_open(void **unused) {
    (void)unused;
    static const int seeds[] = {12, 22};
    for (int k = 0; k < 2; k++) {
        throng_world *patient = make(door, seeds[k], 1, true), *world = make(door, seeds[k], 1, false);
        assert_true(longest_stop(world, 120) < 5);
        assert_true(longest_stop(patient, 120) > 20);
        size_t left = throng_world_view(world).count, left_before = throng_world_view(patient).count;
        print_message("seed %d: %zu left instead of %zu\n", seeds[k], left, left_before);
        assert_true(2 * left < left_before);
        throng_world_destroy(patient);
        throng_world_destroy(world);
    }
}

/* Also in the midst of it. */
static void same_bits_after_a_restart(void **unused) {
    (void)unused;
    static const int threads[] = {1, 2, 3, 5};
    throng_world *world = make(corner, 1, 1, false), *others[4];
    for (int k = 0; k < 4; k++) others[k] = make(corner, 1, threads[k], false);
    run(world, 150);
    throng_checkpoint *saved = throng_world_save(world, NULL);
    for (int k = 0; k < 4; k++) load(others[k], saved);
    run(world, 100);
    for (int k = 0; k < 4; k++) {
        run(others[k], 100);
        expect_same(world, others[k], "after a restart");
        throng_world_destroy(others[k]);
    }
    for (int k = 0; k < 4; k++) {
        throng_world *whole = make(corner, 1, threads[k], false);
        run(whole, 250);
        expect_same(world, whole, "from the start");
        throng_world_destroy(whole);
    }
    throng_checkpoint_destroy(saved);
    throng_world_destroy(world);
}

/* Who is not held up by people who come the other way walks as it did. */
static void nobody_else_is_concerned(void **unused) {
    (void)unused;
    static const char *const scenes[] = {"implicit/head-on", "implicit/three-agents", "implicit/circle-8",
                                         "implicit/bottleneck-2.5m"};
    for (int k = 0; k < 4; k++) {
        const char *overrides[] = {"model.params.yielding=0", "model.params.sidestep=0"};
        throng_scenario_def def = throng_default_scenario_def();
        def.path = scenes[k];
        throng_world *world = world_from(&def, 1);
        def.overrides = overrides, def.override_count = 2;
        throng_world *patient = world_from(&def, 1);
        run(world, 100);
        run(patient, 100);
        throng_view v = throng_world_view(world), w = throng_world_view(patient);
        assert_int_equal(v.count, w.count);
        if (memcmp(v.x, w.x, v.count * sizeof *v.x) != 0 || memcmp(v.y, w.y, v.count * sizeof *v.y) != 0)
            fail_msg("%s differs", scenes[k]);
        throng_world_destroy(world);
        throng_world_destroy(patient);
    }
}

/* Who sets out has not stood yet, however long the step is. */
static void nobody_yields_at_once(void **unused) {
    (void)unused;
    static const char open[] =
        "{\"throng\": 1, \"name\": \"open\", \"dt\": 3, \"duration\": 60, \"planner\": \"straight\", \"model\": "
        "\"implicit\",\n"
        " \"walkable_area\": [[0, 0], [200, 0], [200, 10], [0, 10]],\n"
        " \"goals\": {\"on\": {\"direction\": [1, 0]}},\n"
        " \"agents\": [{\"in\": [[1, 0], [11, 0], [11, 10], [1, 10]], \"count\": 200, \"goal\": \"on\", " PEOPLE "}]}";
    throng_world *world = make(open, 1, 1, false), *patient = make(open, 1, 1, true);
    run(world, 1);
    run(patient, 1);
    throng_view v = throng_world_view(world), w = throng_world_view(patient);
    assert_memory_equal(v.x, w.x, v.count * sizeof *v.x);
    assert_memory_equal(v.y, w.y, v.count * sizeof *v.y);
    throng_world_destroy(world);
    throng_world_destroy(patient);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_get_around_a_corner), cmocka_unit_test(arches_open),
        cmocka_unit_test(same_bits_after_a_restart),   cmocka_unit_test(nobody_else_is_concerned),
        cmocka_unit_test(nobody_yields_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
