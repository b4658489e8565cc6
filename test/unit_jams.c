/* Streams that meet lock in `orca`, `powerlaw`, `cpd` and `uic` as their papers have them; with the habits `yielding` 3
 * and `sidestep` 4 they get past each other. Keys of profiles say the same as parameters. */

#include "checkpoint_common.h"

#define PEOPLE "\"radius\": {\"uniform\": [0.2, 0.25]}, \"desired_speed\": {\"uniform\": [1.1, 1.5]}"

/* 45 and 45 people who want around the corner of a corridor 2.5 m wide, from either end. */
static const char corner[] =
    "{\"throng\": 1, \"name\": \"corner\", \"duration\": 300, \"planner\": \"flow-field\",\n"
    " \"walkable_area\": [[0, 0], [19.5, 0], [19.5, 19.5], [17, 19.5], [17, 2.5], [0, 2.5]],\n"
    " \"goals\": {\"up\": {\"polygon\": [[17, 18.5], [19.5, 18.5], [19.5, 19.5], [17, 19.5]], \"exit\": true},\n"
    "   \"left\": {\"polygon\": [[0, 0], [1, 0], [1, 2.5], [0, 2.5]], \"exit\": true}},\n"
    " \"agents\": [{\"in\": [[7, 0], [17, 0], [17, 2.5], [7, 2.5]], \"count\": 45, \"goal\": \"up\", " PEOPLE
    "},\n"
    "   {\"in\": [[17, 2.5], [19.5, 2.5], [19.5, 12.5], [17, 12.5]], \"count\": 45, \"goal\": \"left\", " PEOPLE "}]}";

/* 60 and 60 who come from both ends of a corridor 3 m wide. */
static const char counterflow[] =
    "{\"throng\": 1, \"name\": \"counterflow\", \"duration\": 300, \"planner\": \"straight\",\n"
    " \"walkable_area\": [[0, 0], [40, 0], [40, 3], [0, 3]],\n"
    " \"goals\": {\"east\": {\"polygon\": [[39, 0], [40, 0], [40, 3], [39, 3]], \"exit\": true},\n"
    "   \"west\": {\"polygon\": [[0, 0], [1, 0], [1, 3], [0, 3]], \"exit\": true}},\n"
    " \"agents\": [{\"in\": [[5, 0], [19, 0], [19, 3], [5, 3]], \"count\": 60, \"goal\": \"east\", " PEOPLE
    "},\n"
    "   {\"in\": [[21, 0], [35, 0], [35, 3], [21, 3]], \"count\": 60, \"goal\": \"west\", " PEOPLE "}]}";

/* Corridors are to be wider than cells of `uic`: two streams in one cell are none. */
static throng_world *make(const char *scene, const char *model, int seed, bool habits) {
    bool small_cells = strcmp(model, "uic") == 0 && scene == corner;
    char named[40], seeded[32];
    snprintf(named, sizeof named, "model=\"%s\"", model);
    snprintf(seeded, sizeof seeded, "seed=%d", seed);
    const char *overrides[] = {named, seeded, "model.params.yielding=3", "model.params.sidestep=4",
                               "model.params.cell=1.2"};
    throng_scenario_def def = throng_default_scenario_def();
    def.text = scene;
    def.overrides = overrides, def.override_count = (habits ? 4 : 2) + (habits && small_cells ? 1 : 0);
    return world_from(&def, 1);
}

/* How many are left after so many seconds. */
static size_t left_after(throng_world *world, double end) {
    while (throng_world_view(world).count > 0 && throng_world_time(world) < end) throng_world_step(world);
    size_t left = throng_world_view(world).count;
    throng_world_destroy(world);
    return left;
}

/* Everybody has gone in time with the habits, and so many are left without. */
static void expect(const char *scene, const char *model, double end, size_t least_without) {
    size_t with = 0, without = left_after(make(scene, model, 2, false), end);
    for (int seed = 1; seed <= 2; seed++) with += left_after(make(scene, model, seed, true), end);
    print_message("%s: %zu left after %g s, %zu without the habits\n", model, with, end, without);
    assert_int_equal(with, 0);
    assert_true(without >= least_without);
}

/* The last of all is gone well before the time asked for (docs/models.md has the times of ten seeds). */
static void streams_get_around_a_corner(void **unused) {
    (void)unused;
    expect(corner, "orca", 110, 30);
    expect(corner, "powerlaw", 75, 90);
    expect(corner, "cpd", 100, 30);
    expect(corner, "uic", 70, 80);
}

static void counterflow_gets_past(void **unused) {
    (void)unused;
    expect(counterflow, "orca", 150, 0);
    expect(counterflow, "powerlaw", 60, 120);
    expect(counterflow, "cpd", 110, 100);
    expect(counterflow, "uic", 130, 80);
}

/* On any number of threads, and from a checkpoint on. */
static void same_bits(void **unused) {
    (void)unused;
    throng_world *world = make(counterflow, "orca", 1, true), *other = make(counterflow, "orca", 1, true);
    run(world, 150);
    throng_checkpoint *saved = throng_world_save(world, NULL);
    run(other, 20);
    load(other, saved);
    run(world, 60);
    run(other, 60);
    expect_same(world, other, "after a restart");
    throng_scenario_def def = throng_default_scenario_def();
    def.text = counterflow;
    const char *const overrides[] = {"model=\"orca\"", "seed=1", "model.params.yielding=3", "model.params.sidestep=4"};
    def.overrides = overrides, def.override_count = 4;
    throng_world *many = world_from(&def, 5);
    run(many, 210);
    expect_same(world, many, "five threads");
    throng_checkpoint_destroy(saved);
    throng_world_destroy(world);
    throng_world_destroy(other);
    throng_world_destroy(many);
}

/* A key of a profile or an entry is the parameter of the same name. */
static void keys_are_parameters(void **unused) {
    (void)unused;
    static const char *const ways[] = {"\"keep_right\": 1.5", "\"params\": {\"keep_right\": 1.5}",
                                       "\"params\": {\"keep_right\": 0.1}, \"keep_right\": 1.5", "\"profile\": \"p\"",
                                       "\"group\": \"g\""};
    uint64_t digests[5];
    for (int k = 0; k < 5; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"throng\": 1, \"name\": \"keys\", \"duration\": 60, \"planner\": \"straight\",\n"
                 " \"profiles\": {\"p\": {\"keep_right\": 1.5}}, \"goals\": {\"e\": {\"direction\": [1, 0]}, \"w\": "
                 "{\"direction\": [-1, 0]}},\n"
                 " \"agents\": [{\"at\": [0, 0], \"goal\": \"e\", %s}, {\"at\": [3, 0], \"goal\": \"w\"}]}",
                 ways[k]);
        throng_scenario_def def = throng_default_scenario_def();
        def.text = text;
        throng_world *world = world_from(&def, 1);
        run(world, 20);
        throng_view v = throng_world_view(world);
        memcpy(&digests[k], &v.y[0], sizeof digests[k]);
        if (k < 4) assert_true(v.y[0] < -0.05); /* to its right */
        throng_world_destroy(world);
    }
    for (int k = 1; k < 4; k++) assert_true(digests[k] == digests[0]);
    assert_true(digests[4] != digests[0]);
}

/* They mean the same for every model: none has a parameter of its own by a habit's name. What files set for `pbd` when
 * `yielding` and `sidestep` were its own is the habit's now. */
static void no_model_has_its_own(void **unused) {
    (void)unused;
    for (size_t m = 0; m < throng_model_count(); m++) {
        const throng_model *model = throng_model_at(m);
        for (size_t p = 0; p < throng_model_param_count(model); p++)
            for (size_t h = 0; h < throng_habit_count(); h++)
                for (size_t k = 0; k < throng_habit_param_count(h); k++)
                    assert_string_not_equal(throng_model_param(model, p)->name, throng_habit_param(h, k)->name);
    }
    static const char *const ways[] = {"\"params\": {\"yielding\": 4, \"sidestep\": 0.1}",
                                       "\"yielding\": 4, \"sidestep\": 0.1", "\"params\": {}"};
    double aside[3];
    for (int k = 0; k < 3; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"throng\": 1, \"name\": \"old\", \"duration\": 60, \"planner\": \"straight\", \"model\": \"pbd\",\n"
                 " \"walkable_area\": [[0, 0], [9, 0], [9, 0.7], [0, 0.7]],\n"
                 " \"goals\": {\"e\": {\"direction\": [1, 0]}, \"w\": {\"direction\": [-1, 0]}},\n"
                 " \"agents\": [{\"at\": [2, 0.35], \"goal\": \"e\", %s}, {\"at\": [4, 0.35], \"goal\": \"w\"}]}",
                 ways[k]);
        throng_scenario_def def = throng_default_scenario_def();
        def.text = text;
        throng_world *world = world_from(&def, 1);
        run(world, 150);
        aside[k] = throng_world_view(world).wish_y[0];
        throng_world_destroy(world);
    }
    print_message("wish aside: %g, %g, by default %g m/s\n", aside[0], aside[1], aside[2]);
    assert_true(aside[0] == aside[1] && aside[0] > 0.5 * aside[2] && aside[0] < 0);
}

/* By the angle of the tangent given where they meet, by less the farther they are, and never through a wall. */
static void turns_by_so_much(void **unused) {
    (void)unused;
    static const double away[] = {0.6, 1.5, 3.1, 1.5};
    for (int k = 0; k < 4; k++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "{\"throng\": 1, \"name\": \"turn\", \"duration\": 60, \"planner\": \"straight\", \"model\": {\"name\": "
            "\"none\", \"params\": {\"keep_right\": 0.8}},\n"
            " \"goals\": {\"e\": {\"direction\": [1, 0]}, \"w\": {\"direction\": [-1, 0]}}%s,\n"
            " \"agents\": [{\"at\": [0, 0], \"goal\": \"e\"}, {\"at\": [%g, 0.1], \"goal\": \"w\"}, {\"at\": [0.3, "
            "-0.8], \"goal\": \"w\"}]}",
            k == 3 ? ", \"obstacles\": [{\"line\": [[0.7, -0.4], [0.7, 3]]}]" : "", away[k]);
        throng_scenario_def def = throng_default_scenario_def();
        def.text = text;
        throng_world *world = world_from(&def, 1);
        run(world, 1);
        throng_view v = throng_world_view(world);
        double wanted = k < 2 ? 0.8 * (1 - hypot(away[k], 0.1) / 3) : 0;
        assert_true(fabs(-v.wish_y[0] / v.wish_x[0] - wanted) < 1e-12);
        assert_true(fabs(hypot(v.wish_x[0], v.wish_y[0]) - v.desired_speed[0]) < 1e-12);
        throng_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_get_around_a_corner),
        cmocka_unit_test(counterflow_gets_past),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(keys_are_parameters),
        cmocka_unit_test(no_model_has_its_own),
        cmocka_unit_test(turns_by_so_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
