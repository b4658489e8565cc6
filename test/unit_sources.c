/* Sources: how many come and when, where they appear, and what happens when there is no room. */

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "counting.h"
#include "testing.h"
#include "world/world.h"

static const throng_point room_corners[] = {{0, 0}, {10, 0}, {10, 4}, {0, 4}};
static const throng_point strip[] = {{0, 0}, {2, 0}, {2, 4}, {0, 4}};
static const throng_ring strip_ring = {strip, 4};

static throng_world *room_with(const char *model, int threads) {
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){room_corners, 4};
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.model = model;
    def.threads = threads;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    assert_non_null(world);
    return world;
}

static throng_goal goal_at(throng_world *world, double x, double y, bool exit) {
    throng_goal_def def = throng_default_goal_def();
    def.point = (throng_point){x, y};
    def.radius = 1;
    def.exit = exit;
    return throng_world_add_goal(world, &def);
}

static throng_source_def source_of(const throng_rate *schedule, size_t count, const throng_goal *goal) {
    throng_source_def def = throng_default_source_def();
    def.name = "door";
    def.area = strip_ring;
    def.schedule = schedule;
    def.schedule_count = count;
    def.person.journey = goal;
    def.person.journey_count = goal ? 1 : 0;
    return def;
}

static void assert_nobody_is_lost(const throng_world *world) {
    throng_stats s = throng_world_stats(world);
    assert_int_equal(s.initial + s.spawned, s.arrived + s.active);
    assert_int_equal(s.pairs_over_5pct_max, 0);
    assert_near(s.agent_wall_max_m, 0, 1e-9);
}

/* ------------------------------------------------------------------ how many, and when */

static double expected_by(const throng_source_def *def, double time) {
    double sum = 0, dt = 1e-4;
    for (long i = 0; (double)i * dt < time - 1e-7; i++) {
        double t = ((double)i + 0.5) * dt, rate = 0;
        for (size_t k = 0; k < def->schedule_count; k++) {
            if (t >= def->schedule[k].from) rate = def->schedule[k].rate;
        }
        if (t >= def->from && t <= def->until) sum += rate * dt;
    }
    return floor(sum + 1e-6);
}

static void evenly_the_integral_of_the_rate_has_come(void **state) {
    (void)state;
    static const throng_rate constant[] = {{0, 1.5}}, tenth[] = {{0, 0.1}};
    static const throng_rate pieces[] = {{1, 2}, {4, 0}, {6.05, 3.3}, {9, 0.5}};
    throng_source_def defs[] = {source_of(constant, 1, NULL), source_of(tenth, 1, NULL), source_of(pieces, 4, NULL),
                                source_of(pieces, 4, NULL)};
    defs[3].from = 2.25;
    defs[3].until = 11;
    for (size_t i = 0; i < 4; i++) {
        throng_world *world = room_with("none", 1);
        throng_goal away = goal_at(world, 9, 2, true);
        defs[i].person.journey = &away;
        defs[i].person.journey_count = 1;
        assert_int_not_equal(throng_world_add_source(world, &defs[i]), 0);
        for (int step = 1; step <= 150; step++) {
            throng_world_step(world);
            throng_stats stats = throng_world_stats(world);
            double expected = expected_by(&defs[i], 0.1 * step);
            if ((double)(stats.spawned + stats.due) != expected)
                fail_msg("source %zu: %d have come after %d steps, not %g", i, (int)stats.spawned, step, expected);
            assert_int_equal(stats.initial, 0);
            assert_int_equal(stats.spawned, stats.arrived + stats.active);
        }
        throng_world_destroy(world);
    }
}

/* Over 2000 s at 2 per second: 4000 +- 4 standard deviations, and counts per second as spread as a
 * Poisson number (variance = mean) rather than even. */
static void at_random_they_come_as_a_poisson_process(void **state) {
    (void)state;
    throng_world *world = room_with("none", 1);
    throng_goal away = goal_at(world, 5, 2, true);
    static const throng_rate rate[] = {{0, 2}};
    throng_source_def def = source_of(rate, 1, &away);
    def.poisson = true;
    throng_world_add_source(world, &def);
    double sum = 0, squares = 0;
    uint64_t before = 0;
    const int seconds = 2000;
    for (int s = 0; s < seconds; s++) {
        for (int i = 0; i < 10; i++) throng_world_step(world);
        uint64_t now = throng_world_stats(world).spawned + throng_world_stats(world).due;
        double n = (double)(now - before);
        sum += n;
        squares += n * n;
        before = now;
    }
    double mean = sum / seconds, variance = squares / seconds - mean * mean;
    assert_near(sum, 4000, 4 * 63);
    assert_near(variance / mean, 1, 0.15);
    throng_world_destroy(world);
}

static void a_world_is_done_when_nobody_is_due_or_to_come(void **state) {
    (void)state;
    static const throng_rate rate[] = {{0, 1}}, ending[] = {{0, 1}, {3, 0}};
    for (int i = 0; i < 4; i++) {
        throng_world *world = room_with("none", 1);
        throng_goal away = goal_at(world, 3, 2, true);
        throng_source_def def = source_of(i == 2 ? ending : rate, i == 2 ? 2 : 1, &away);
        if (i == 0) def.until = 3.5;
        if (i == 1) def.limit = 3;
        throng_world_add_source(world, &def);
        int done = -1;
        for (int step = 1; step <= 200; step++) {
            throng_world_step(world);
            if (throng_world_is_done(world) && done < 0) done = step;
        }
        if (i == 3) {
            assert_int_equal(done, -1); /* endless */
        } else {
            assert_int_equal(throng_world_stats(world).spawned, 3);
            assert_in_range(done, 30, 70);
        }
        throng_world_destroy(world);
    }
}

/* ------------------------------------------------------------------ where */

static void people_appear_whole_in_the_area_and_on_nobody(void **state) {
    (void)state;
    throng_world *world = room_with("orca", 2);
    throng_goal away = goal_at(world, 9, 2, true);
    static const throng_rate rate[] = {{0, 8}};
    throng_source_def def = source_of(rate, 1, &away);
    def.person.desired_speed = 1.2;
    def.until = 30;
    throng_world_add_source(world, &def);
    assert_true(throng_world_prepare(world, NULL));
    throng_agent last = 0;
    for (int step = 0; step < 600 && !throng_world_is_done(world); step++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) {
            if (v.id[i] <= last) continue; /* moved by one step since it appeared */
            last = v.id[i];
            double moved = 1.8 * 0.1;
            assert_true(v.x[i] >= 0.2 - moved && v.x[i] <= 1.8 + moved && v.y[i] >= 0.2 - 1e-6 && v.y[i] <= 3.8 + 1e-6);
        }
        assert_nobody_is_lost(world);
    }
    assert_int_equal(throng_world_stats(world).arrived, 240);
    throng_world_destroy(world);
}

/* A room that fills up: nobody comes in on top of others; when they may leave, all the others follow. */
static void who_finds_no_room_waits_outside(void **state) {
    (void)state;
    throng_world *world = room_with("orca", 1);
    static const throng_rate rate[] = {{0, 20}};
    throng_source_def def = source_of(rate, 1, NULL);
    def.until = 10;
    throng_world_add_source(world, &def);
    for (int step = 0; step < 150; step++) throng_world_step(world);
    throng_stats full = throng_world_stats(world);
    assert_int_equal(full.spawned + full.due, 200);
    assert_in_range(full.spawned, 15, 60); /* 8 square metres */
    assert_int_equal(full.pairs_max, 0);
    assert_false(throng_world_is_done(world));
    const throng_report *report = throng_world_report(world);
    assert_int_equal(throng_report_count(report), 1);
    assert_non_null(strstr(throng_report_message(report, 0).text, "wait outside"));

    throng_goal away = goal_at(world, 9, 2, true);
    for (int step = 0; step < 3000 && !throng_world_is_done(world); step++) {
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) {
            if (!v.goal[i]) throng_world_retarget_agent(world, v.id[i], &away, 1, (throng_point){0, 0});
            v = throng_world_view(world);
        }
        throng_world_step(world);
        assert_nobody_is_lost(world);
    }
    throng_stats end = throng_world_stats(world);
    assert_int_equal(end.arrived, 200);
    assert_int_equal(end.due, 0);
    assert_int_equal(throng_report_count(report), 1);
    throng_world_destroy(world);
}

static void spots_are_taken_in_turn(void **state) {
    (void)state;
    throng_world *world = room_with("none", 1);
    static const throng_point spots[] = {{1, 1}, {1, 2}, {1, 3}};
    static const throng_rate rate[] = {{0, 1}};
    throng_source_def def = source_of(rate, 1, NULL);
    def.area = (throng_ring){0};
    def.spots = (throng_ring){spots, 3};
    throng_world_add_source(world, &def);
    for (int step = 0; step < 60; step++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 3);
    for (size_t i = 0; i < 3; i++) assert_near(v.y[i], spots[i].y, 0);
    assert_int_equal(throng_world_stats(world).due, 3);
    throng_world_destroy(world);
}

/* A polygon just as wide as the people has one place only. */
static void a_tight_area_is_found(void **state) {
    (void)state;
    throng_world *world = room_with("none", 1);
    static const throng_point tight[] = {{1, 1}, {1.4, 1}, {1.4, 1.4}, {1, 1.4}};
    static const throng_rate rate[] = {{0, 1}};
    throng_source_def def = source_of(rate, 1, NULL);
    def.area = (throng_ring){tight, 4};
    assert_int_not_equal(throng_world_add_source(world, &def), 0);
    for (int step = 0; step < 12; step++) throng_world_step(world);
    assert_int_equal(throng_world_view(world).count, 1);
    assert_near(throng_world_view(world).x[0], 1.2, 1e-6);
    throng_world_destroy(world);
}

static void who_appears_walking_walks_its_way(void **state) {
    (void)state;
    throng_world *world = room_with("none", 1);
    throng_goal away = goal_at(world, 9, 2, true);
    static const throng_point spot[] = {{1, 2}};
    static const throng_rate rate[] = {{0, 10}};
    throng_source_def def = source_of(rate, 1, &away);
    def.area = (throng_ring){0};
    def.spots = (throng_ring){spot, 1};
    def.moving = true;
    def.person.start_after = 0;
    def.limit = 1;
    throng_world_add_source(world, &def);
    throng_world_step(world);
    assert_near(throng_world_view(world).vx[0], 1.34, 1e-12);
    throng_world_destroy(world);
}

/* start_after counts from the moment somebody appears. */
static void standing_first_counts_from_appearing(void **state) {
    (void)state;
    throng_world *world = room_with("none", 1);
    throng_goal away = goal_at(world, 9, 2, true);
    static const throng_rate rate[] = {{5, 10}};
    throng_source_def def = source_of(rate, 1, &away);
    def.limit = 1;
    def.person.start_after = 3;
    throng_world_add_source(world, &def);
    double began = -1;
    throng_point first = {0, 0};
    for (int step = 0; step < 120 && began < 0; step++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        if (!v.count) continue;
        if (first.x == 0) first = (throng_point){v.x[0], v.y[0]};
        if (v.x[0] != first.x) began = v.time;
    }
    assert_near(began, 8.1, 0.051);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ makers, sameness, refusals */

typedef struct maker {
    const throng_goal *goals;
    int *destroyed;
} maker;

static void make(void *context, uint64_t number, throng_agent_def *person) {
    (void)context;
    person->radius = number % 2 ? 0.15 : 0.25;
}

static void send(void *context, uint64_t number, throng_agent_def *person) {
    const maker *m = context;
    person->journey = &m->goals[number % 2];
    person->journey_count = 1;
    person->target = (throng_point){8, person->at.y};
}

static void destroy(void *context) { ++*((maker *)context)->destroyed; }

static throng_world *made_by_number(int threads, int *destroyed, maker *m, throng_goal *goals) {
    throng_world *world = room_with("orca", threads);
    throng_goal_def own = throng_default_goal_def();
    own.kind = THRONG_GOAL_OWN;
    own.exit = true;
    goals[0] = throng_world_add_goal(world, &own);
    goals[1] = goal_at(world, 9, 2, true);
    *m = (maker){goals, destroyed};
    static const throng_rate rate[] = {{0, 3}};
    throng_source_def def = source_of(rate, 1, NULL);
    def.make = make;
    def.send = send;
    def.destroy = destroy;
    def.context = m;
    def.poisson = true;
    assert_int_not_equal(throng_world_add_source(world, &def), 0);
    return world;
}

static void people_are_made_by_number_whatever_the_threads(void **state) {
    (void)state;
    uint64_t digests[3];
    for (int t = 0; t < 3; t++) {
        int destroyed = 0;
        maker m;
        throng_goal goals[2];
        throng_world *world = made_by_number(t + 1, &destroyed, &m, goals);
        for (int step = 0; step < 300; step++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) {
            assert_near(v.radius[i], v.id[i] % 2 ? 0.25 : 0.15, 0);
            if (v.id[i] % 2) assert_near(v.target_x[i], 8, 0);
        }
        assert_true(throng_world_stats(world).arrived > 20);
        digests[t] = throng_world_digest(world);
        throng_world_destroy(world);
        assert_int_equal(destroyed, 1);
    }
    assert_true(digests[0] == digests[1] && digests[0] == digests[2]);
}

static void its_state_is_kept_and_brought_back(void **state) {
    (void)state;
    int destroyed = 0;
    maker m[2];
    throng_goal goals[2][2];
    throng_world *a = made_by_number(1, &destroyed, &m[0], goals[0]),
                 *b = made_by_number(1, &destroyed, &m[1], goals[1]);
    for (int step = 0; step < 200; step++) throng_world_step(a);
    throng_archive kept = throng_archive_writing();
    throng_sources_archive(a, &kept);
    throng_archive back = throng_archive_reading(kept.data, kept.size);
    throng_sources_archive(b, &back);
    assert_false(back.bad);
    assert_int_equal(a->sources[0].come, b->sources[0].come);
    assert_int_equal(a->sources[0].due, b->sources[0].due);
    assert_true(a->sources[0].next == b->sources[0].next);

    throng_archive cut = throng_archive_reading(kept.data, kept.size - 3);
    throng_sources_archive(b, &cut);
    assert_true(cut.bad);
    throng_archive_clear(&kept);
    throng_world_destroy(a);
    throng_world_destroy(b);
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    throng_world *world = room_with("none", 1);
    static const throng_rate good[] = {{0, 1}}, negative[] = {{0, -1}}, falling[] = {{5, 1}, {4, 1}};
    static const throng_point outside[] = {{20, 0}, {22, 0}, {22, 4}}, thin[] = {{1, 1}, {2, 1}, {2, 1.3}, {1, 1.3}};
    throng_goal nowhere = 77;
    throng_source_def bad[8];
    for (int i = 0; i < 8; i++) bad[i] = source_of(good, 1, NULL);
    bad[0].schedule_count = 0;
    bad[1].schedule = negative;
    bad[2].schedule = falling;
    bad[2].schedule_count = 2;
    bad[3].area = (throng_ring){outside, 3};
    bad[4].area = (throng_ring){thin, 4};
    bad[5].until = -1;
    bad[6].person.journey = &nowhere;
    bad[6].person.journey_count = 1;
    bad[7].spots = strip_ring;
    static const char *const words[] = {"no rate", "0 to 100000",          "rise",    "nobody can stand",
                                        "no room", "end before it begins", "no goal", "either an area or spots"};
    for (int i = 0; i < 8; i++) {
        assert_int_equal(throng_world_add_source(world, &bad[i]), 0);
        if (!strstr(throng_world_error(world)->text, words[i])) fail_msg("%d: %s", i, throng_world_error(world)->text);
    }
    assert_int_equal(throng_world_source_count(world), 0);
    throng_world_destroy(world);
}

/* A full room in which nobody comes in: the steps allocate nothing, however many wait outside. */
static void waiting_outside_allocates_nothing(void **state) {
    (void)state;
    throng_set_allocator(counting);
    throng_world *world = room_with("none", 1);
    static const throng_point spots[] = {{1, 1}, {1, 2}};
    static const throng_rate rate[] = {{0, 5}};
    throng_source_def def = source_of(rate, 1, NULL);
    def.area = (throng_ring){0};
    def.spots = (throng_ring){spots, 2};
    throng_world_add_source(world, &def);
    for (int step = 0; step < 20; step++) throng_world_step(world);
    size_t before = allocations;
    for (int step = 0; step < 100; step++) throng_world_step(world);
    assert_int_equal(allocations, before);
    assert_true(throng_world_stats(world).due > 50);
    throng_world_destroy(world);
    throng_set_allocator(NULL);
}

/* Those to come are looked at before the first step. */
static void a_source_without_a_way_is_told_before_the_run(void **state) {
    (void)state;
    throng_obstacle wall = {.kind = THRONG_LINE};
    static const throng_point across[] = {{5, -1}, {5, 5}};
    wall.ring = (throng_ring){across, 2};
    throng_place_def place_def = throng_default_place_def();
    place_def.walkable = (throng_ring){room_corners, 4};
    place_def.obstacles = &wall;
    place_def.obstacle_count = 1;
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    throng_goal away = goal_at(world, 9, 2, true);
    static const throng_rate rate[] = {{0, 1}};
    throng_source_def source = source_of(rate, 1, &away);
    assert_int_not_equal(throng_world_add_source(world, &source), 0);
    throng_error error = {0};
    assert_false(throng_world_prepare(world, &error));
    assert_non_null(strstr(error.text, "source 'door'"));
    assert_true(throng_world_prepare(world, &error)); /* told once */
    throng_world_destroy(world);
}

/* Nobody is there yet, but those who will come are too wide for the short way. */
static void narrow_passages_are_told_to_those_who_will_come(void **state) {
    (void)state;
    static const throng_point border[] = {{0, 0}, {40, 0}, {40, 20}, {0, 20}};
    static const throng_point low[] = {{20, 0}, {20.3, 0}, {20.3, 2}, {20, 2}};
    static const throng_point high[] = {{20, 2.4}, {20.3, 2.4}, {20.3, 17}, {20, 17}};
    const throng_obstacle walls[] = {{.kind = THRONG_POLYGON, .ring = {low, 4}},
                                     {.kind = THRONG_POLYGON, .ring = {high, 4}}};
    static const throng_rate rate[] = {{5, 1}};
    for (int wide = 0; wide <= 1; wide++) {
        throng_place_def place_def = throng_default_place_def();
        place_def.walkable = (throng_ring){border, 4};
        place_def.obstacles = walls, place_def.obstacle_count = 2;
        throng_place *place = throng_place_create(&place_def, NULL);
        throng_world_def def = throng_default_world_def();
        def.place = place, def.planner = "flow-field";
        throng_world *world = throng_world_create(&def, NULL);
        throng_goal goal = goal_at(world, 38, 2, true);
        throng_source_def source = source_of(rate, 1, &goal);
        source.person.radius = wide ? 0.25 : 0.15;
        assert_true(throng_world_add_source(world, &source));
        assert_true(throng_world_prepare(world, NULL));
        const throng_report *report = throng_world_report(world);
        assert_int_equal(throng_report_count(report), wide);
        if (wide) assert_non_null(strstr(throng_report_message(report, 0).text, "a passage of 0.4 m"));
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evenly_the_integral_of_the_rate_has_come),
        cmocka_unit_test(at_random_they_come_as_a_poisson_process),
        cmocka_unit_test(a_world_is_done_when_nobody_is_due_or_to_come),
        cmocka_unit_test(people_appear_whole_in_the_area_and_on_nobody),
        cmocka_unit_test(who_finds_no_room_waits_outside),
        cmocka_unit_test(spots_are_taken_in_turn),
        cmocka_unit_test(a_tight_area_is_found),
        cmocka_unit_test(who_appears_walking_walks_its_way),
        cmocka_unit_test(standing_first_counts_from_appearing),
        cmocka_unit_test(people_are_made_by_number_whatever_the_threads),
        cmocka_unit_test(its_state_is_kept_and_brought_back),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(waiting_outside_allocates_nothing),
        cmocka_unit_test(a_source_without_a_way_is_told_before_the_run),
        cmocka_unit_test(narrow_passages_are_told_to_those_who_will_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
