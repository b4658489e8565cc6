/* Who is stuck (the habit `stuck`); and two who got stuck in a door for one, of `orca-forces`: one of them gives way
 * after a while, also in a run that goes on from a checkpoint taken in the meantime. */

#include <math.h>
#include <string.h>

#include "model_world.h"

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

/* ---- who is stuck, in a step long enough to have been held up for */

static const throng_point room[] = {{0, 0}, {100, 0}, {100, 10}, {0, 10}};

/* What the habit knows of everybody in order of id. */
static const double *told(const throng_world *world, size_t column) {
    for (size_t h = 0; h < world->habit_count; h++)
        if (strcmp(world->habits[h].habit->name, "stuck") == 0) return world->habits[h].kept.items[column];
    return NULL;
}

/* Somebody of radius 0.2 who wants to go east at 1 m/s. */
static void add(throng_world *world, throng_profile profile, throng_goal goal, double x, double y, double speed) {
    throng_agent_def agent = throng_default_agent_def();
    agent.at = (throng_point){x, y};
    agent.velocity = (throng_point){speed, 0};
    agent.target = (throng_point){x + 1000, y};
    agent.desired_speed = 1;
    agent.profile = profile;
    agent.journey = &goal;
    agent.journey_count = goal != 0;
    assert_true(throng_world_add_agent(world, &agent) > 0);
}

static void held_up_with_nothing_in_the_way(void **unused) {
    (void)unused;
    static const struct {
        double speed;       /* m/s */
        double away, angle; /* m from surface to surface and radian, of who stands there; negative: nobody */
        double wall;        /* m from its middle to one; 0: far */
        bool stuck;
    } cases[] = {{0, -1, 0, 0, true},     {0.45, -1, 0, 0, true},  {0.55, -1, 0, 0, false}, {0, 0.14, 0, 0, false},
                 {0, 0.16, 0, 0, true},   {0, 0.1, 0.7, 0, false}, {0, 0.1, 0.87, 0, true}, {0, 0.1, -0.7, 0, false},
                 {0, -1, 0, 0.34, false}, {0, -1, 0, 0.36, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int seconds = 28; seconds <= 32; seconds += 4) { /* tenths */
            const throng_setting settings[] = {{.name = "give_way", .number = 3}};
            throng_place *place = make_place(room, 4, NULL, 0);
            options o = {.place = place, .dt = 0.1 * seconds, .threads = 1, .settings = settings, .setting_count = 1};
            throng_profile profile;
            throng_world *world = make_model_world("none", &o, &profile);
            throng_goal goal = add_own_goal(world, false);
            double x = cases[k].wall > 0 ? 100 - cases[k].wall : 50, away = 0.4 + cases[k].away;
            add(world, profile, goal, x, 5, cases[k].speed);
            if (cases[k].away >= 0) add(world, 0, 0, x + away * cos(cases[k].angle), 5 + away * sin(cases[k].angle), 0);
            throng_world_step(world);
            double give = told(world, 0)[0], held_for = told(world, 1)[0];
            assert_true((give > 0) == (seconds > 30 && cases[k].stuck));
            assert_true(give < 20.1 && (give == 0 || give > 0.049)); /* exp(3), exp(-3) */
            assert_true(held_for == (cases[k].stuck ? o.dt : 0));    /* it has looked after a second */
            throng_world_destroy(world);
            throng_place_destroy(place);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_up_with_nothing_in_the_way),
                                       cmocka_unit_test(a_door_does_not_stay_blocked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
