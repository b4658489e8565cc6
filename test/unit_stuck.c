/* Two who got stuck in a door for one, of `orca-forces`: one of them gives way after a while, also in a run that goes
 * on from a checkpoint taken in the meantime. */

#include "testing.h"

#include <throng/throng.h>

static const double step_s = 0.05, door = 7; /* s; m: who is beyond is through */

static throng_world *make_crowd(const char *seed) {
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = "forces/two-bottlenecks-1000";
    def.overrides = &seed;
    def.override_count = 1;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    assert_non_null(scenario);
    throng_run_def run = throng_default_run_def();
    run.check = false;
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    assert_non_null(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return world;
}

static size_t count_through(const throng_world *world) {
    throng_view view = throng_world_view(world);
    size_t count = (size_t)throng_world_stats(world).arrived;
    for (size_t i = 0; i < view.count; i++) count += view.x[i] > door;
    return count;
}

/* Tells whether somebody was stuck. */
static bool go_through(const char *seed) {
    throng_world *world = make_crowd(seed), *other = make_crowd(seed);
    double since = 0, longest = 0;
    size_t before = 0;
    bool loaded = false;
    for (int k = 0; k < 100 / step_s; k++) {
        throng_world_step(world);
        if (loaded) throng_world_step(other);
        size_t now = count_through(world);
        since = now > before || now == 0 ? 0 : since + step_s;
        longest = since > longest ? since : longest;
        before = now;
        if (since > 3.2 && !loaded) {
            throng_checkpoint *saved = throng_world_save(world, NULL);
            throng_error error;
            assert_true(throng_world_load(other, saved, &error));
            throng_checkpoint_destroy(saved);
            loaded = true;
        }
    }
    assert_true(longest < 10); /* not for good */
    assert_true(before > 100);
    if (loaded) assert_true(throng_world_digest(world) == throng_world_digest(other));
    throng_world_destroy(world);
    throng_world_destroy(other);
    return loaded;
}

static void a_door_does_not_stay_blocked(void **unused) {
    (void)unused;
    static const char *const seeds[] = {"seed=1", "seed=2", "seed=3"};
    int stuck = 0;
    for (int k = 0; k < 3; k++) stuck += go_through(seeds[k]);
    assert_true(stuck > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_door_does_not_stay_blocked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
