/* With congestion, people take the quicker exit: in a hall with a near door of 1 m and a far one of 3 m they
 * are out clearly sooner, and hardly anybody runs to and fro.
 *
 *        +--------------------------------------+
 *     3 m| F                        ::::::::    N| 1 m         40 m x 20 m, 300 people at ::::
 *        +--------------------------------------+             */

#include "testing.h"
#include "world/world.h"

static const char hall[] =
    "{\"throng\": 1, \"name\": \"hall\", \"dt\": 0.1, \"duration\": 200, \"walkable_area\": [[0, 0], [40, 0], [40, "
    "9.5], [42, 9.5], [42, "
    "10.5],"
    "[40, 10.5], [40, 20], [0, 20], [0, 11.5], [-2, 11.5], [-2, 8.5], [0, 8.5]],"
    "\"goals\": {\"N\": {\"polygon\": [[41, 9.5], [42, 9.5], [42, 10.5], [41, 10.5]], \"exit\": true},"
    "\"F\": {\"polygon\": [[-2, 8.5], [-1, 8.5], [-1, 11.5], [-2, 11.5]], \"exit\": true}},"
    "\"planner\": {\"name\": \"flow-field\", \"congestion\": 1},"
    "\"agents\": [{\"group\": \"S\", \"in\": [[25, 4], [38, 4], [38, 16], [25, 16]], \"count\": 300, \"placement\": "
    "\"hex\","
    "\"jitter\": 0.01, \"radius\": 0.18, \"desired_speed\": {\"normal\": [1.34, 0.26], \"min\": 0.8, \"max\": 2.2},"
    "\"goal\": {\"any\": [\"N\", \"F\"]}}], \"model\": \"orca\"}";

enum { PEOPLE = 300 };

typedef struct outcome {
    double time;     /* s until all are out */
    size_t far;      /* who were last seen nearer to the far exit */
    double changes;  /* of mind, mean of all */
    unsigned most;   /* of one */
    uint64_t digest; /* after 40 s */
} outcome;

static throng_world *world_with(const char *congestion, int threads) {
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.text = hall, def.overrides = &congestion, def.override_count = 1;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    if (!scenario) fail_msg("%s", throng_report_message(report, 0).text);
    throng_run_def run = throng_default_run_def();
    run.threads = threads;
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    assert_non_null(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return world;
}

static outcome run_with(const char *congestion, int threads) {
    throng_world *world = world_with(congestion, threads);
    outcome o = {0};
    unsigned chosen[PEOPLE + 1] = {0}, changes[PEOPLE + 1] = {0};
    double x[PEOPLE + 1] = {0};
    for (int step = 0; step < 2000 && throng_world_stats(world).active > 0; step++) {
        throng_world_step(world);
        const throng_columns *a = &world->agents;
        for (size_t i = 0; i < a->count; i++) {
            unsigned now = a->trail[i].corner;
            x[a->id[i]] = a->x[i];
            changes[a->id[i]] += chosen[a->id[i]] > 0 && now != chosen[a->id[i]];
            chosen[a->id[i]] = now;
        }
        if (step == 400) o.digest = throng_world_digest(world);
    }
    assert_int_equal(throng_world_stats(world).active, 0);
    o.time = throng_world_stats(world).last_arrival_s;
    for (size_t i = 1; i <= PEOPLE; i++) {
        o.far += x[i] < 20;
        o.changes += changes[i] / (double)PEOPLE;
        if (changes[i] > o.most) o.most = changes[i];
    }
    throng_world_destroy(world);
    return o;
}

static void people_take_the_quicker_exit(void **state) {
    (void)state;
    outcome without = run_with("planner.congestion=0", 1), with = run_with("planner.congestion=1", 1);
    if (without.far > 0) fail_msg("%zu went far without need", without.far);
    if (with.far < 45 || with.far > 150) fail_msg("%zu of 300 went to the far exit", with.far);
    if (with.time > 0.88 * without.time) fail_msg("out after %g s, and %g s without", with.time, without.time);
    if (with.changes > 1 || with.most > 4) fail_msg("%g changes of mind each, %u of one", with.changes, with.most);
    assert_true(run_with("planner.congestion=1", 3).digest == with.digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_take_the_quicker_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
