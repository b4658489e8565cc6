/* unit_scenario.c: a scenario as its users meet it: files and built-in names, what people and goals
 * become in the world, sameness, and the schema against the reader's keys. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <throng/throng.h>

#include "scenario/keys.h"
#include "scenario/scenario.h"
#include "text/json.h"

/* ------------------------------------------------------------------ loading */

static throng_report *report;

static int set_up(void **state) {
    (void)state;
    report = throng_report_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    throng_report_destroy(report);
    return 0;
}

static void print_report(void) {
    for (size_t i = 0; i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        print_error("%d:%d %s: %s\n", m.line, m.column, m.path, m.text);
    }
}

static throng_scenario *load_with(const char *text, const char *const *overrides, size_t count) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    def.overrides = overrides;
    def.override_count = count;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    if (!scenario) print_report();
    return scenario;
}

static throng_world *world_of(const throng_scenario *scenario) {
    assert_non_null(scenario);
    throng_run_def run = throng_default_run_def();
    run.threads = 1;
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    if (!world) print_report();
    assert_non_null(world);
    return world;
}

/* A world from the items of "agents" and further keys. */
static throng_world *world_with(const char *agents, const char *more) {
    static char text[20000];
    snprintf(text, sizeof text, "{\"throng\": 1, \"name\": \"test\", %s \"agents\": [%s]}", more, agents);
    throng_scenario *scenario = load_with(text, NULL, 0);
    throng_world *world = world_of(scenario);
    throng_scenario_destroy(scenario);
    return world;
}

/* ------------------------------------------------------------------ the top */

static void test_defaults(void **state) {
    (void)state;
    throng_scenario *scenario = load_with("{\"throng\": 1, \"name\": \"x\", \"agents\": [{\"at\": [1, 2]}]}", NULL, 0);
    assert_non_null(scenario);
    assert_string_equal(throng_scenario_name(scenario), "x");
    assert_string_equal(throng_scenario_description(scenario), "");
    assert_string_equal(throng_scenario_model(scenario), "orca");
    assert_true(throng_scenario_duration(scenario) == 600);
    assert_false(throng_scenario_runs_full(scenario));
    assert_true(throng_place_is_open(throng_scenario_place(scenario)));

    throng_world *world = world_of(scenario);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 1);
    assert_true(v.x[0] == 1 && v.y[0] == 2 && v.vx[0] == 0 && v.vy[0] == 0);
    assert_true(v.radius[0] == 0.2 && v.desired_speed[0] == 1.34 && v.mass[0] == 80);
    assert_true(v.max_speed[0] == 1.5 * 1.34);
    assert_int_equal(v.state[0], THRONG_WALKING);
    assert_true(throng_world_dt(world) == 0.1);
    assert_int_equal(throng_world_seed(world), 1);
    assert_string_equal(throng_world_group_name(world, v.group[0]), "agents[0]");
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
}

static void test_values(void **state) {
    (void)state;
    throng_scenario *scenario = load_with(
        "{\"throng\": 1, \"name\": \"x\", \"description\": \"d\", \"seed\": 5, \"dt\": 0.02, \"duration\": 9, "
        "\"run_full\": true, \"model\": \"none\", \"planner\": {\"name\": \"straight\"}, \"agents\": [{\"at\": [1, "
        "2]}]}",
        NULL, 0);
    throng_world *world = world_of(scenario);
    assert_string_equal(throng_scenario_description(scenario), "d");
    assert_string_equal(throng_scenario_model(scenario), "none");
    assert_true(throng_scenario_duration(scenario) == 9);
    assert_true(throng_scenario_runs_full(scenario));
    assert_true(throng_world_dt(world) == 0.02);
    assert_int_equal(throng_world_seed(world), 5);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
}

static void test_overrides(void **state) {
    (void)state;
    const char *const overrides[] = {"dt=0.25", "seed=9", "model=none", "agents[0].at=[3, 4]", "agents[0].radius=0.3"};
    throng_scenario *scenario =
        load_with("{\"throng\": 1, \"name\": \"x\", \"agents\": [{\"at\": [1, 2]}]}", overrides, 5);
    throng_world *world = world_of(scenario);
    throng_view v = throng_world_view(world);
    assert_true(throng_world_dt(world) == 0.25 && throng_world_seed(world) == 9);
    assert_true(v.x[0] == 3 && v.y[0] == 4 && v.radius[0] == 0.3);
    assert_string_equal(throng_scenario_model(scenario), "none");
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
}

static void assert_not_found(const char *path, const char *words) {
    throng_report *own = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    assert_null(throng_scenario_create(&def, own));
    assert_int_equal(throng_report_count(own), 1);
    const char *text = throng_report_message(own, 0).text;
    if (!strstr(text, words)) fail_msg("%s", text);
    throng_report_destroy(own);
}

static void test_files(void **state) {
    (void)state;
    assert_not_found("no-such-file.json", "cannot open no-such-file.json: No such file");
    assert_not_found("demo/botleneck", "did you mean 'demo/bottleneck'?");
    assert_not_found("station", "did you mean 'demo/station'?");
    assert_not_found("test", "cannot read test: Is a directory");
    throng_scenario_def def = throng_default_scenario_def();
    assert_null(throng_scenario_create(&def, report));
}

/* ------------------------------------------------------------------ built-in scenarios */

static void test_builtin(void **state) {
    (void)state;
    static const char *const names[] = {"demo/bottleneck",  "demo/corner",      "demo/two-exits",
                                        "orca/blocks",      "orca/circle-1000", "orca/circle-250",
                                        "orca/random-100k", "orca/random-10k",  "orca/random-1k"};
    static const size_t people[] = {500, 20, 200, 100, 1000, 250, 100000, 10000, 1000};
    assert_true(throng_builtin_count() >= 9);
    assert_null(throng_builtin_name(throng_builtin_count()));
    for (size_t i = 0; i < 9; i++) {
        throng_scenario_def def = throng_default_scenario_def();
        def.path = names[i];
        throng_scenario *scenario = throng_scenario_create(&def, report);
        throng_world *world = world_of(scenario);
        assert_string_equal(throng_scenario_name(scenario), names[i]);
        assert_true(strlen(throng_scenario_description(scenario)) > 10);
        assert_int_equal(throng_world_view(world).count, people[i]);
        throng_world_destroy(world);
        throng_scenario_destroy(scenario);
    }
    if (throng_report_count(report)) print_report();
    assert_int_equal(throng_report_count(report), 0);
}

/* ------------------------------------------------------------------ models and profiles */

static void test_profiles(void **state) {
    (void)state;
    throng_world *world = world_with(
        "{\"at\": [0, 0]}, {\"at\": [1, 0], \"profile\": \"a\"}, {\"at\": [2, 0], \"profile\": \"a\", \"radius\": 0.4, "
        "\"params\": {\"neighbour_dist\": 7}}, {\"at\": [3, 0], \"profile\": \"b\"}, {\"at\": [4, 0], \"profile\": "
        "\"a\"}, "
        "{\"at\": [5, 0], \"profile\": \"b\", \"model\": \"orca\", \"params\": {\"max_neighbours\": 3}}",
        "\"model\": {\"name\": \"orca\", \"params\": {\"time_horizon\": 4, \"max_neighbours\": 6}}, \"profiles\": {"
        "\"a\": {\"radius\": 0.3, \"mass\": 60, \"params\": {\"time_horizon\": 5}}, \"b\": {\"model\": \"none\"}},");
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 6);
    const char *horizon = "time_horizon", *neighbours = "max_neighbours", *reach = "neighbour_dist";
    assert_true(throng_world_profile_value(world, v.profile[0], horizon) == 4);
    assert_true(throng_world_profile_value(world, v.profile[0], neighbours) == 6);
    assert_true(throng_world_profile_value(world, v.profile[1], horizon) == 5);
    assert_true(throng_world_profile_value(world, v.profile[1], neighbours) == 6);
    assert_true(throng_world_profile_value(world, v.profile[2], horizon) == 5);
    assert_true(throng_world_profile_value(world, v.profile[2], reach) == 7);
    assert_string_equal(throng_model_name(throng_world_profile_model(world, v.profile[3])), "none");
    assert_true(throng_world_profile_value(world, v.profile[5], horizon) == 4);
    assert_true(throng_world_profile_value(world, v.profile[5], neighbours) == 3);
    assert_int_equal(v.profile[1], v.profile[4]);
    assert_true(v.radius[0] == 0.2 && v.radius[1] == 0.3 && v.radius[2] == 0.4 && v.mass[2] == 60);
    throng_world_destroy(world);
}

/* Parameters under a model's name are that model's; those beside them go first. */
static void test_params_by_model(void **state) {
    (void)state;
    throng_world *world = world_with(
        "{\"at\": [0, 0]}, {\"at\": [1, 0], \"params\": {\"max_neighbours\": 3, \"orca\": {\"max_neighbours\": 2, "
        "\"neighbour_dist\": 7}, \"powerlaw\": {\"neighbour_dist\": 9}}}",
        "\"model\": {\"name\": \"orca\", \"params\": {\"powerlaw\": {\"k\": 2, \"neighbour_dist\": 3}, "
        "\"orca\": {\"time_horizon\": 4}}},");
    throng_view v = throng_world_view(world);
    assert_true(throng_world_profile_value(world, v.profile[0], "time_horizon") == 4);
    assert_true(throng_world_profile_value(world, v.profile[0], "neighbour_dist") == 5);
    assert_true(throng_world_profile_value(world, v.profile[1], "time_horizon") == 4);
    assert_true(throng_world_profile_value(world, v.profile[1], "neighbour_dist") == 7);
    assert_true(throng_world_profile_value(world, v.profile[1], "max_neighbours") == 3);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ goals */

static throng_goal_def goal_of(const throng_world *world, size_t row) {
    return throng_world_goal(world, throng_world_view(world).goal[row]);
}

static void test_goals(void **state) {
    (void)state;
    throng_world *world = world_with(
        "{\"at\": [0, 0], \"goal\": \"a\"}, {\"at\": [1, 0], \"goal\": {\"any\": [\"a\", \"b\"]}}, "
        "{\"at\": [2, 0], \"goal\": {\"random_in\": [[5, 5], [10, 5], [10, 10]], \"repeat\": true, \"radius\": 1}}, "
        "{\"at\": [3, 0], \"goal\": {\"point\": [7, 7], \"radius\": 2, \"exit\": true}}, "
        "{\"at\": [4, 0], \"goal\": {\"point\": [7, 7], \"radius\": 2, \"exit\": true}}, "
        "{\"at\": [5, 0], \"goal\": {\"any\": [\"a\", {\"point\": [1, 1]}]}}, "
        "{\"at\": [6, 0], \"goal\": {\"direction\": [3, 4]}, \"velocity\": \"desired\", \"desired_speed\": 2}, "
        "{\"at\": [7, 0], \"goal\": \"a\", \"velocity\": [0.5, 0.25], \"start_after\": 3}",
        "\"goals\": {\"a\": {\"point\": [50, 0], \"exit\": true}, \"b\": {\"polygon\": [[50, 10], [52, 10], [52, 12]], "
        "\"exit\": true}},");
    throng_view v = throng_world_view(world);
    assert_string_equal(goal_of(world, 0).name, "a");
    assert_true(goal_of(world, 0).exit && goal_of(world, 0).radius == 0.5);
    assert_int_equal(goal_of(world, 1).kind, THRONG_GOAL_ANY);
    assert_int_equal(goal_of(world, 1).any_count, 2);
    assert_true(goal_of(world, 1).exit); /* all its members are */
    assert_false(goal_of(world, 5).exit);
    assert_int_equal(goal_of(world, 2).kind, THRONG_GOAL_ROAM);
    assert_true(goal_of(world, 2).repeat && goal_of(world, 2).radius == 1);
    assert_int_equal(goal_of(world, 3).kind, THRONG_GOAL_POINT);
    assert_true(goal_of(world, 3).exit && goal_of(world, 3).radius == 2);
    assert_int_equal(v.goal[3], v.goal[4]); /* equal goals are one */
    assert_true(fabs(v.vx[6] - 1.2) < 1e-12 && fabs(v.vy[6] - 1.6) < 1e-12);
    assert_true(v.vx[7] == 0.5 && v.vy[7] == 0.25);
    assert_int_equal(v.state[7], THRONG_WAITING);
    throng_world_destroy(world);
}

/* Of several goals one may be an exit: there people leave, at the others they stay. */
static void test_exit_among_several(void **state) {
    (void)state;
    throng_world *world = world_with(
        "{\"at\": [[1, 0], [9, 0]], \"goal\": {\"any\": [{\"point\": [0, 0], \"exit\": true}, {\"point\": [10, 0]}]}}",
        "\"model\": \"none\",");
    for (int i = 0; i < 50; i++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_int_equal(throng_world_stats(world).arrived, 2);
    assert_int_equal(v.count, 1);
    assert_true(v.x[0] > 9);
    throng_world_destroy(world);
}

/* Loads and returns the people with their targets, which the world keeps to itself. */
static throng_scenario *scenario_with(const char *agents) {
    static char text[4000];
    snprintf(text, sizeof text,
             "{\"throng\": 1, \"name\": \"t\", \"goals\": {\"a\": {\"point\": [50, 0]}, \"b\": {\"point\": [60, 0]}}, "
             "\"agents\": [%s]}",
             agents);
    throng_scenario *scenario = load_with(text, NULL, 0);
    assert_non_null(scenario);
    return scenario;
}

static void assert_target(const throng_scenario *s, size_t person, double x, double y) {
    throng_point p = s->people[person].def.target;
    if (fabs(p.x - x) > 1e-9 || fabs(p.y - y) > 1e-9)
        fail_msg("person %zu: (%g, %g), not (%g, %g)", person, p.x, p.y, x, y);
}

static void test_own_targets(void **state) {
    (void)state;
    throng_scenario *s = scenario_with(
        "{\"at\": [[1, 1], [2, 1]], \"goal\": {\"points\": [[9, 1], [8, 1]], \"exit\": true}}, {\"at\": [3, 3], "
        "\"goal\": {\"offset\": [10, -1]}}, "
        "{\"at\": [4, 4], \"goal\": {\"x\": 30}}, {\"at\": [5, 5], \"goal\": {\"y\": -7}}, "
        "{\"ring\": {\"centre\": [100, 50], \"radius\": 10, \"count\": 4, \"phase\": 90}, \"goal\": \"antipode\"}, "
        "{\"at\": [7, 7], \"journey\": [\"a\", {\"offset\": [1, 2]}, \"b\"]}");
    assert_target(s, 0, 9, 1);
    assert_target(s, 1, 8, 1);
    assert_target(s, 2, 13, 2);
    assert_target(s, 3, 30, 4);
    assert_target(s, 4, 5, -7);
    assert_target(s, 5, 100, 40);
    assert_target(s, 6, 110, 50);
    assert_target(s, 9, 8, 9);
    assert_int_equal(s->people[9].journey_count, 3);
    assert_true(s->goals[s->journey_goals[s->people[0].journey] - 1].exit);
    throng_scenario_destroy(s);
}

static void test_permuted_targets(void **state) {
    (void)state;
    throng_scenario *s = scenario_with(
        "{\"grid\": {\"origin\": [0, 0], \"columns\": 50, \"rows\": 1, \"spacing\": [1, 1]}, "
        "\"goal\": {\"permute\": {\"offset\": [0, 100]}}}");
    bool taken[50] = {false};
    int moved = 0;
    for (int i = 0; i < 50; i++) {
        throng_point p = s->people[i].def.target;
        assert_true(p.y == 100 && p.x >= 0 && p.x < 50 && p.x == floor(p.x));
        assert_false(taken[(int)p.x]);
        taken[(int)p.x] = true;
        moved += p.x != i;
    }
    assert_true(moved > 40);
    throng_scenario_destroy(s);
}

static void test_chosen_goals(void **state) {
    (void)state;
    throng_scenario *s = scenario_with(
        "{\"grid\": {\"origin\": [0, 0], \"columns\": 60, \"rows\": 50, \"spacing\": [1, 1]}, "
        "\"goal\": {\"choice\": [[\"a\", 2], [\"b\", 1]]}}");
    int a = 0;
    for (size_t i = 0; i < s->person_count; i++) a += s->journey_goals[s->people[i].journey] == 1;
    assert_true(abs(a - 2000) < 100); /* four standard deviations */
    throng_scenario_destroy(s);
}

static void test_measures_are_kept(void **state) {
    (void)state;
    throng_scenario *s = load_with(
        "{\"throng\": 1, \"name\": \"t\", \"agents\": [], \"measure\": {\"lines\": {\"door\": [[1, 2], [3, 2]]}, "
        "\"areas\": {\"room\": [[0, 0], [1, 0], [1, 1]]}}}",
        NULL, 0);
    assert_int_equal(s->measure_count, 2);
    assert_string_equal(s->measures[0].name, "door");
    assert_true(!s->measures[0].area && s->measures[1].area);
    assert_int_equal(s->measures[1].ring.count, 3);
    throng_scenario_destroy(s);
}

/* ------------------------------------------------------------------ sameness */

static uint64_t digest_of(const char *path, const char *override) {
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.overrides = &override;
    def.override_count = 1;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_world *world = world_of(scenario);
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    return digest;
}

static void test_same_seed_same_people(void **state) {
    (void)state;
    uint64_t first = digest_of("demo/bottleneck", "seed=1");
    assert_true(digest_of("demo/bottleneck", "seed=1") == first);
    assert_true(digest_of("demo/bottleneck", "seed=2") != first);
}

/* ------------------------------------------------------------------ the schema */

static throng_json_ref properties_of(const throng_json *schema, const char *name) {
    throng_json_ref object = 0;
    if (*name) object = throng_json_find(schema, throng_json_find(schema, 0, "$defs"), name);
    if (object == THRONG_NO_NODE) fail_msg("the schema does not define '%s'", name);
    return throng_json_find(schema, object, "properties");
}

static void compare_keys(const throng_json *schema, const throng_keys *keys) {
    throng_json_ref properties = properties_of(schema, keys->schema);
    size_t count = 0;
    for (const char *const *key = keys->keys; *key; key++, count++) {
        throng_json_ref property = throng_json_find(schema, properties, *key);
        if (property == THRONG_NO_NODE) fail_msg("the schema lacks '%s' in '%s'", *key, keys->schema);
    }
    if (throng_json_count(schema, properties) != count) fail_msg("the schema has more keys in '%s'", keys->schema);
}

static void test_schema(void **state) {
    (void)state;
    throng_json *schema = throng_json_create(throng_schema_text(), strlen(throng_schema_text()), report);
    assert_non_null(schema);
    assert_int_equal(throng_report_count(report), 0);
    size_t compared = 0, objects = 0;
    for (; compared < THRONG_KEYS_COUNT; compared++) compare_keys(schema, &throng_keys_of[compared]);
    /* Every object of the schema with keys of its own is one of them. */
    throng_json_ref defs = throng_json_find(schema, 0, "$defs"), end = throng_json_end(schema, defs);
    for (throng_json_ref k = defs + 1; k < end; k = throng_json_after(schema, k + 1)) {
        objects += throng_json_find(schema, k + 1, "properties") != THRONG_NO_NODE;
    }
    assert_int_equal(compared, objects + 1);
    throng_json_destroy(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_defaults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_overrides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_builtin, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_profiles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_params_by_model, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_goals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exit_among_several, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_own_targets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_permuted_targets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_chosen_goals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_measures_are_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_same_seed_same_people, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_schema, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
