/* Waiting at goals, the lines in front of them, and journeys that begin again. */

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "testing.h"
#include "world/world.h"

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

/* A room of 20 x 12 m with an exit at the right, and what else is said. */
static throng_world *room_with(const char *goals, const char *people, int threads) {
    static char text[4000];
    snprintf(text, sizeof text,
             "{\"throng\": 1, \"name\": \"test\", \"walkable_area\": [[0,0],[20,0],[20,12],[0,12]], \"goals\": {"
             "\"exit\": {\"polygon\": [[19,0],[20,0],[20,4],[19,4]], \"exit\": true}, %s}, %s}",
             goals, people);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    run.threads = threads;
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    for (size_t i = 0; !world && i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        print_error("%d:%d %s: %s\n", m.line, m.column, m.path, m.text);
    }
    assert_non_null(world);
    throng_scenario_destroy(scenario);
    return world;
}

#define CROWD(count, journey) \
    "\"agents\": [{\"in\": [[1,1],[8,1],[8,8],[1,8]], \"count\": " #count ", \"journey\": " journey "}]"

static int state_of(const throng_world *world, throng_agent id) {
    size_t row = throng_world_row(world, id);
    return row == SIZE_MAX ? -1 : throng_world_view(world).state[row];
}

/* ------------------------------------------------------------------ waiting */

static void a_walker_waits_in_an_area_and_goes_on(void **state) {
    (void)state;
    throng_world *world = room_with("\"hall\": {\"polygon\": [[8,4],[12,4],[12,8],[8,8]], \"wait\": 5}",
                                    "\"agents\": [{\"at\": [4,6], \"journey\": [\"hall\", \"exit\"]}]", 1);
    double begun = -1, ended = -1;
    while (!throng_world_is_done(world) && throng_world_time(world) < 60) {
        throng_world_step(world);
        int now = state_of(world, 1);
        if (now == THRONG_PAUSING && begun < 0) begun = throng_world_time(world);
        if (now == THRONG_WALKING && begun > 0 && ended < 0) ended = throng_world_time(world);
    }
    assert_near(begun, 4 / 1.34, 0.2);
    assert_near(ended - begun, 5, 0.051);
    assert_true(throng_world_is_done(world));
    throng_world_destroy(world);
}

/* In an area everybody has a spot of its own, so that the first do not block the way in. */
static void a_crowd_waits_in_an_area_without_blocking_it(void **state) {
    (void)state;
    throng_world *world = room_with("\"hall\": {\"polygon\": [[12,5],[17,5],[17,11],[12,11]], \"wait\": 30}",
                                    CROWD(40, "[\"hall\", \"exit\"]"), 1);
    size_t most = 0;
    while (!throng_world_is_done(world) && throng_world_time(world) < 200) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        size_t pausing = 0;
        for (size_t i = 0; i < v.count; i++) pausing += v.state[i] == THRONG_PAUSING;
        most = pausing > most ? pausing : most;
    }
    assert_int_equal(most, 40);
    assert_true(throng_world_is_done(world));
    throng_world_destroy(world);
}

static void an_exit_with_a_wait_is_left_after_it(void **state) {
    (void)state;
    throng_world *world = room_with("\"gate\": {\"point\": [8,6], \"wait\": 2, \"exit\": true}",
                                    "\"agents\": [{\"at\": [4,6], \"goal\": \"gate\"}]", 1);
    while (!throng_world_is_done(world) && throng_world_time(world) < 60) throng_world_step(world);
    assert_int_equal(throng_world_view(world).count, 0);
    assert_in_range((int)(throng_world_time(world) * 10), 42, 58);
    throng_world_destroy(world);
}

/* At a last goal that is no exit one waits, has then arrived, and stays. */
static void a_last_goal_with_a_wait_counts_after_it(void **state) {
    (void)state;
    throng_world *world = room_with("\"hall\": {\"polygon\": [[8,4],[12,4],[12,8],[8,8]], \"wait\": 3}",
                                    "\"agents\": [{\"at\": [7,6], \"goal\": \"hall\"}]", 1);
    double arrived = -1;
    for (int step = 0; step < 100; step++) {
        throng_world_step(world);
        if (throng_world_is_done(world) && arrived < 0) arrived = throng_world_time(world);
    }
    assert_near(arrived, 1 / 1.34 + 3, 0.2);
    assert_int_equal(state_of(world, 1), THRONG_ARRIVED);
    throng_world_destroy(world);
}

/* Somebody who waits yields to one who comes by, and is back on its spot afterwards. */
static void who_waits_comes_back_to_its_spot(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"stop\": {\"point\": [8,6], \"wait\": 60}, \"west\": {\"point\": [1, 6], \"radius\": 0.3}",
                  "\"agents\": [{\"at\": [7,6], \"journey\": [\"stop\", \"exit\"]},"
                  "{\"at\": [16,6.05], \"goal\": \"west\", \"start_after\": 5}]",
                  1);
    double farthest = 0;
    while (throng_world_time(world) < 40) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        double dx = v.x[0] - 8, dy = v.y[0] - 6, away = sqrt(dx * dx + dy * dy);
        if (v.time > 5) farthest = fmax(farthest, away);
        if (v.time > 39) assert_true(away < 0.15);
    }
    assert_int_equal(state_of(world, 1), THRONG_PAUSING);
    assert_true(farthest < 0.6);
    assert_int_equal(state_of(world, 2), THRONG_ARRIVED);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ lines */

enum { PEOPLE_MOST = 64 };

/* What happened at the goals of a run. */
typedef struct diary {
    double joined[PEOPLE_MOST], served[PEOPLE_MOST]; /* s; [id]; negative: never */
    throng_goal at[PEOPLE_MOST];                     /* [id] where it was served */
    size_t served_order[PEOPLE_MOST], served_count;
    size_t most_at_once;
} diary;

static void keep_diary(const throng_world *world, diary *d) {
    throng_view v = throng_world_view(world);
    size_t pausing = 0;
    for (size_t i = 0; i < v.count; i++) {
        size_t id = (size_t)v.id[i];
        if ((v.state[i] == THRONG_QUEUEING || v.state[i] == THRONG_PAUSING) && d->joined[id] < 0)
            d->joined[id] = v.time;
        pausing += v.state[i] == THRONG_PAUSING;
        if (v.state[i] != THRONG_PAUSING || d->served[id] >= 0) continue;
        d->served[id] = v.time;
        d->at[id] = v.goal[i];
        d->served_order[d->served_count++] = id;
    }
    if (pausing > d->most_at_once) d->most_at_once = pausing;
}

static diary run_with_diary(throng_world *world, double longest) {
    diary d = {0};
    for (int i = 0; i < PEOPLE_MOST; i++) d.joined[i] = d.served[i] = -1;
    while (!throng_world_is_done(world) && throng_world_time(world) < longest) {
        throng_world_step(world);
        keep_diary(world, &d);
    }
    throng_stats stats = throng_world_stats(world);
    if (stats.active) fail_msg("%d are left", (int)stats.active);
    assert_near(stats.agent_wall_max_m, 0, 1e-9);
    assert_true(stats.deepest_fraction < 0.2);
    return d;
}

/* Beside a wall, in a corner, in the middle of the room, at the end of a dead end: one at a time, in
 * the order of joining, and the next one soon after the one before. */
static void a_line_is_served_in_order(void **state) {
    (void)state;
    static const char *const places[] = {"[10,11.4]", "[0.5,11.5]", "[12,6]", "[19.4,11.4]"};
    for (size_t p = 0; p < 4; p++) {
        char goal[100];
        snprintf(goal, sizeof goal, "\"kiosk\": {\"point\": %s, \"wait\": 4}", places[p]);
        throng_world *world = room_with(goal, CROWD(35, "[\"kiosk\", \"exit\"]"), 1);
        diary d = run_with_diary(world, 400);
        assert_int_equal(d.served_count, 35);
        assert_int_equal(d.most_at_once, 1);
        for (size_t k = 1; k < 35; k++) {
            size_t before = d.served_order[k - 1], now = d.served_order[k];
            if (d.joined[now] < d.joined[before]) fail_msg("%zu jumped the line at %s", now, places[p]);
        }
        double interval = (d.served[d.served_order[34]] - d.served[d.served_order[0]]) / 34;
        if (!(interval > 4 && interval < 5.6)) fail_msg("one every %g s at %s", interval, places[p]);
        throng_world_destroy(world);
    }
}

static void people_take_the_quickest_of_several(void **state) {
    (void)state;
    throng_world *world = room_with(
        "\"a\": {\"point\": [6,11.4], \"wait\": 5}, \"b\": {\"point\": [9,11.4], \"wait\": "
        "{\"uniform\": [3, 7]}}, \"c\": {\"point\": [12,11.4], \"wait\": 5}",
        CROWD(50, "[{\"any\": [\"a\", \"b\", \"c\"]}, \"exit\"]"), 1);
    diary d = run_with_diary(world, 300);
    size_t at[5] = {0};
    for (int id = 1; id <= 50; id++) at[d.at[id]]++;
    for (int goal = 2; goal <= 4; goal++) assert_in_range(at[goal], 13, 21);
    assert_true(throng_world_time(world) < 150);
    throng_world_destroy(world);
}

static void so_many_at_a_time(void **state) {
    (void)state;
    throng_world *world = room_with("\"desk\": {\"point\": [10,11.4], \"wait\": 6, \"capacity\": 3}",
                                    CROWD(30, "[\"desk\", \"exit\"]"), 1);
    diary d = run_with_diary(world, 200);
    assert_int_equal(d.most_at_once, 3);
    throng_world_destroy(world);

    world = room_with("\"room\": {\"polygon\": [[12,7],[17,7],[17,11],[12,11]], \"wait\": 8, \"capacity\": 6}",
                      CROWD(40, "[\"room\", \"exit\"]"), 1);
    d = run_with_diary(world, 200);
    assert_int_equal(d.most_at_once, 6);
    throng_world_destroy(world);
}

static void a_given_line_is_stood_on(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"kiosk\": {\"point\": [10,11.4], \"wait\": 8, \"queue\": [[9,11.4],[3,11.4],[3,9.4]]}",
                  CROWD(13, "[\"kiosk\", \"exit\"]"), 1);
    while (throng_world_time(world) < 25) throng_world_step(world);
    throng_view v = throng_world_view(world);
    size_t on_it = 0;
    for (size_t i = 0; i < v.count; i++) {
        bool along = fabs(v.y[i] - 11.4) < 0.25 && v.x[i] > 2.75 && v.x[i] < 9.25;
        bool down = fabs(v.x[i] - 3) < 0.25 && v.y[i] > 9.15;
        on_it += v.state[i] == THRONG_QUEUEING && (along || down);
    }
    assert_in_range(on_it, 8, 12);
    run_with_diary(world, 300);
    throng_world_destroy(world);
}

/* A closed goal serves nobody until it opens. */
static void a_closed_goal_serves_nobody(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"kiosk\": {\"point\": [10,11.4], \"wait\": 2}", CROWD(8, "[\"kiosk\", \"exit\"]"), 1);
    world->goals[2].closed = true;
    while (throng_world_time(world) < 30) throng_world_step(world);
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) assert_int_equal(v.state[i], THRONG_QUEUEING);
    world->goals[2].closed = false;
    diary d = run_with_diary(world, 100);
    assert_int_equal(d.served_count, 8);
    throng_world_destroy(world);
}

/* Of several, those in the line of one that closes go to another. */
static void who_may_choose_leaves_a_closed_goal(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"a\": {\"point\": [4,11.4], \"wait\": 2}, \"b\": {\"point\": [12,11.4], \"wait\": 2}",
                  CROWD(12, "[{\"any\": [\"a\", \"b\"]}, \"exit\"]"), 1);
    while (throng_world_time(world) < 8) throng_world_step(world);
    world->goals[2].closed = true;
    run_with_diary(world, 100);
    throng_world_destroy(world);
}

static void who_is_taken_away_leaves_no_gap(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"kiosk\": {\"point\": [10,11.4], \"wait\": 3}", CROWD(12, "[\"kiosk\", \"exit\"]"), 1);
    while (throng_world_time(world) < 12) throng_world_step(world);
    throng_queue *queue = &world->queues[0];
    assert_true(queue->member_count > 5);
    throng_goal away = 1;
    throng_agent served = queue->members[0].id, third = queue->members[2].id, fourth = queue->members[3].id;
    assert_true(throng_world_remove_agent(world, served));
    assert_true(throng_world_remove_agent(world, third));
    assert_true(throng_world_retarget_agent(world, fourth, &away, 1, (throng_point){0, 0}));
    size_t before = queue->member_count;
    throng_world_step(world);
    assert_int_equal(queue->member_count, before - 3);
    while (!throng_world_is_done(world) && throng_world_time(world) < 100) throng_world_step(world);
    assert_true(throng_world_is_done(world));
    assert_int_equal(queue->member_count, 0);
    throng_world_destroy(world);
}

static void threads_change_nothing_and_the_state_is_kept(void **state) {
    (void)state;
    uint64_t digests[3];
    throng_archive kept = throng_archive_writing();
    for (int t = 0; t < 3; t++) {
        throng_world *world = room_with(
            "\"a\": {\"point\": [6,11.4], \"wait\": 5}, \"b\": {\"point\": [12,11.4], \"wait\": "
            "{\"uniform\": [3, 7]}}",
            CROWD(40, "[{\"any\": [\"a\", \"b\"]}, \"exit\"]"), t + 1);
        while (throng_world_time(world) < 40) throng_world_step(world);
        digests[t] = throng_world_digest(world);
        if (t == 0) throng_queues_archive(world, &kept);
        if (t == 1) { /* brought back into a world without lines it is the same */
            for (size_t i = 0; i < 2; i++) {
                throng_queue *q = &world->queues[i];
                q->member_count = q->spot_count = q->slot_count = 0;
                q->anchor = (throng_point){0, 0};
            }
            assert_true(throng_world_digest(world) != digests[0]);
            throng_archive back = throng_archive_reading(kept.data, kept.size);
            throng_queues_archive(world, &back);
            assert_false(back.bad);
            assert_true(throng_world_digest(world) == digests[0]);
            throng_archive cut = throng_archive_reading(kept.data, kept.size / 2);
            throng_queues_archive(world, &cut);
            assert_true(cut.bad);
        }
        throng_world_destroy(world);
    }
    throng_archive_clear(&kept);
    assert_true(digests[0] == digests[1] && digests[0] == digests[2]);
}

/* ------------------------------------------------------------------ journeys */

static void a_journey_begins_again(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"a\": {\"point\": [4,4]}, \"b\": {\"point\": [10,4]}, \"c\": {\"point\": [7,8]}",
                  "\"agents\": [{\"at\": [2,4], \"journey\": [\"a\", \"b\", \"c\"], \"repeat\": true}]", 1);
    throng_goal last = 0;
    size_t changes = 0;
    double way = 0;
    for (int step = 0; step < 1200; step++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        changes += v.goal[0] != last;
        last = v.goal[0];
        way += 0.1 * sqrt(v.vx[0] * v.vx[0] + v.vy[0] * v.vy[0]);
    }
    assert_in_range(changes, 27, 36); /* 16 m round, less the radius around each */
    assert_near(way, 1.34 * 120, 3);
    assert_false(throng_world_is_done(world));
    throng_world_destroy(world);
}

/* Points on the way do not slow a walker: 10 m in 10 s (after a JuPedSim test). */
static void points_on_the_way_cost_no_time(void **state) {
    (void)state;
    throng_world *world =
        room_with("\"none\": {\"point\": [1,1]}",
                  "\"agents\": [{\"at\": [1,2], \"desired_speed\": 1, \"journey\": [{\"point\": [2,2]}, {\"point\": "
                  "[4,2]}, {\"point\": [6,2]}, {\"point\": [7,2]}, \"exit\"]}]",
                  1);
    double crossed = -1, before = 1;
    for (int step = 0; step < 120 && crossed < 0; step++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        if (v.x[0] >= 11) crossed = v.time - 0.1 + 0.1 * (11 - before) / (v.x[0] - before);
        before = v.x[0];
    }
    assert_near(crossed, 10, 0.1);
    throng_world_destroy(world);
}

/* Ten people in a room, each with a time of its own to set out (after RiMEA 5). */
static void everybody_sets_out_at_its_own_time(void **state) {
    (void)state;
    char people[1500] = "\"agents\": [";
    for (int i = 0; i < 10; i++) {
        snprintf(people + strlen(people), sizeof people - strlen(people),
                 "%s{\"at\": [%g, %g], \"goal\": \"exit\", \"desired_speed\": 1.33, \"start_after\": %d}",
                 i ? ", " : "", 1 + 1.2 * (i % 5), i < 5 ? 1.5 : 3.5, 10 * (i + 1));
    }
    strcat(people, "]");
    throng_world *world = room_with("\"none\": {\"point\": [1,1]}", people, 1);
    double began[11] = {0};
    while (!throng_world_is_done(world) && throng_world_time(world) < 150) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) {
            int id = (int)v.id[i];
            double dx = v.x[i] - (1 + 1.2 * ((id - 1) % 5)), dy = v.y[i] - (id <= 5 ? 1.5 : 3.5);
            if (began[id] == 0 && sqrt(dx * dx + dy * dy) > 0.01) began[id] = v.time;
        }
    }
    assert_true(throng_world_is_done(world));
    for (int id = 1; id <= 10; id++) assert_near(began[id], 10 * id, 0.2);
    throng_world_destroy(world);
}

int main(void) {
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_walker_waits_in_an_area_and_goes_on),
        TEST(a_crowd_waits_in_an_area_without_blocking_it),
        TEST(an_exit_with_a_wait_is_left_after_it),
        TEST(a_last_goal_with_a_wait_counts_after_it),
        TEST(who_waits_comes_back_to_its_spot),
        TEST(a_line_is_served_in_order),
        TEST(people_take_the_quickest_of_several),
        TEST(so_many_at_a_time),
        TEST(a_given_line_is_stood_on),
        TEST(a_closed_goal_serves_nobody),
        TEST(who_may_choose_leaves_a_closed_goal),
        TEST(who_is_taken_away_leaves_no_gap),
        TEST(threads_change_nothing_and_the_state_is_kept),
        TEST(a_journey_begins_again),
        TEST(points_on_the_way_cost_no_time),
        TEST(everybody_sets_out_at_its_own_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
