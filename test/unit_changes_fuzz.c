/* unit_changes_fuzz.c: random scripts of events in a crowded room: obstacles of all kinds go, come back
 * and move this way and that, goals close and open. Nobody may ever be in a wall or get through one, and
 * nobody may be lost. The same scripts give the same bytes for any number of threads. */

#include "changes_scene.h"

static uint64_t state;

static double draw(double low, double high) { return low + (high - low) * throng_random(11, 3, state++, 5); }

static const char *const ids[] = {"gate", "door", "pillar", "wall", "bar"};

static throng_world *make_crowded_room(int threads, throng_goal goals[3]) {
    throng_point corners[5][4], line[] = {{3, 6}, {3, 8}, {4, 9}};
    throng_obstacle obstacles[] = {box_obstacle(corners[0], NULL, 7, 0, 7.3, 4),
                                   box_obstacle(corners[1], NULL, 7, 6, 7.3, 10),
                                   box_obstacle(corners[2], "gate", 7.05, 4, 7.25, 6),
                                   box_obstacle(corners[3], "door", 0, 4.5, 0.3, 5.5),
                                   {.kind = THRONG_DISC, .centre = {10, 5}, .radius = 0.6, .id = "pillar"},
                                   {.kind = THRONG_LINE, .ring = {line, 3}, .id = "wall"},
                                   box_obstacle(corners[4], "bar", 11, 1, 11.2, 4)};
    throng_world *world = make_room(14, 10, obstacles, 7, threads);
    goals[0] = add_area(world, "east", 13, 4, 14, 6, true);
    goals[1] = add_area(world, "west", 0, 0, 1, 2, false);
    throng_goal_def any = throng_default_goal_def();
    any.kind = THRONG_GOAL_ANY;
    any.any = goals;
    any.any_count = 2;
    goals[2] = throng_world_add_goal(world, &any);
    return world;
}

static void add_random_events(throng_world *world, const throng_goal goals[3], double until) {
    for (int i = 0; i < 40; i++) {
        double kind = draw(0, 1);
        const char *id = ids[(int)draw(0, 4.999)];
        throng_event_def e = {.time = draw(0, until), .obstacle = id};
        if (kind < 0.5) {
            e.kind = THRONG_EVENT_MOVE;
            e.by = (throng_point){draw(-3, 3), draw(-3, 3)};
            if (draw(0, 1) < 0.5) e.by = (throng_point){draw(0, 1) < 0.5 ? 2 : -2, 0};
            e.during = draw(0, 1) < 0.2 ? 0 : draw(0, 4);
        } else if (kind < 0.65) {
            e.kind = THRONG_EVENT_REMOVE;
        } else if (kind < 0.8) {
            e.kind = THRONG_EVENT_RESTORE;
        } else {
            e.kind = kind < 0.9 ? THRONG_EVENT_CLOSE : THRONG_EVENT_OPEN;
            e.goal = goals[(int)draw(0, 1.999)];
        }
        assert_true(throng_world_add_event(world, &e));
    }
}

static uint64_t run_script(uint64_t script, int threads, double until, bool watched) {
    throng_goal goals[3];
    state = script * 1000;
    throng_world *world = make_crowded_room(threads, goals);
    add_random_events(world, goals, until);
    add_people(world, 0.6, 0.6, 9, 14, 0.65, goals[2]);
    add_people(world, 8, 0.6, 6, 14, 0.65, goals[1]);
    while (throng_world_time(world) < until) {
        if (watched) {
            watch_step(world);
        } else {
            throng_world_step(world);
        }
    }
    throng_stats s = throng_world_stats(world);
    if (s.agent_wall_max_m > 1e-6) fail_msg("script %d: %g m in a wall", (int)script, s.agent_wall_max_m);
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    return digest;
}

static void test_random_scripts(void **context) {
    (void)context;
    const char *scripts = getenv("THRONG_SCRIPTS"); /* more of them, for a longer look */
    int count = scripts ? atoi(scripts) : 12;
    for (int i = 0; i < count; i++) run_script((uint64_t)i, 1, 12, true);
}

static void test_any_number_of_threads(void **context) {
    (void)context;
    uint64_t one = run_script(3, 1, 8, false);
    const int threads[] = {2, 3, 5, 8};
    for (int i = 0; i < 4; i++) assert_true(run_script(3, threads[i], 8, false) == one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_scripts),
                                       cmocka_unit_test(test_any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
