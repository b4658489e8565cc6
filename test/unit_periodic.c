/* Axes that wrap: nobody can tell where the seam is, and nobody is lost there. */

#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

#include "base/crew.h"
#include "space/near.h"
#include "space/period.h"
#include "space/walls.h"
#include "testing.h"

static uint64_t dice = 1;

static double draw(double low, double high) { return low + (high - low) * throng_random(5, dice++, 0, 0); }

/* A corridor along x of one period, with blocks that stick out of its walls, moved along by `shift`. */
typedef struct corridor {
    double length, width, shift;
    bool blocks;
} corridor;

static throng_place *place_of(const corridor *c) {
    throng_point border[] = {{0, 0}, {c->length, 0}, {c->length, c->width}, {0, c->width}};
    throng_point blocks[3][4];
    throng_obstacle obstacles[3];
    for (int b = 0; b < 3; b++) {
        /* Moved along, a block that reaches beyond the end comes in at the other one. */
        double x = 4 + c->shift;
        x -= c->length * floor(x / c->length);
        x += (b - 1) * c->length;
        memcpy(blocks[b], (throng_point[]){{x, 0}, {x + 1, 0}, {x + 1, 0.7}, {x, 0.7}}, sizeof blocks[b]);
        obstacles[b] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {blocks[b], 4}};
    }
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){border, 4};
    def.obstacles = obstacles;
    def.obstacle_count = c->blocks ? 3 : 0;
    throng_error error = {.text = ""};
    throng_place *place = throng_place_create(&def, &error);
    if (!place) fail_msg("%s", error.text);
    return place;
}

static throng_world *world_of(const corridor *c, int threads) {
    throng_place *place = place_of(c);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.planner = "straight";
    def.threads = threads;
    def.period = (throng_period){.x = true, .low = {0, 0}, .high = {c->length, 0}};
    throng_error error = {.text = ""};
    throng_world *world = throng_world_create(&def, &error);
    if (!world) fail_msg("%s", error.text);
    throng_place_destroy(place);
    return world;
}

static throng_goal add_direction(throng_world *world, double x) {
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){x, 0};
    return throng_world_add_goal(world, &goal);
}

static void add_person(throng_world *world, double x, double y, throng_goal goal, double speed) {
    throng_agent_def who = throng_default_agent_def();
    who.at = (throng_point){x, y};
    who.desired_speed = speed;
    who.journey = &goal;
    who.journey_count = 1;
    if (!throng_world_add_agent(world, &who)) fail_msg("%s", throng_world_error(world)->text);
}

/* ---- positions */

static void positions_wrap(void **state) {
    (void)state;
    assert_near(throng_wrap(3, 0, 10), 3, 0);
    assert_near(throng_wrap(10, 0, 10), 0, 0);
    assert_near(throng_wrap(-0.5, 0, 10), 9.5, 0);
    assert_near(throng_wrap(25, 0, 10), 5, 0);
    assert_near(throng_wrap(-1e-20, 0, 10), 0, 0);
    for (int i = 0; i < 100000; i++) {
        double low = draw(-50, 50), high = low + draw(2, 90), x = throng_wrap(draw(-1000, 1000), low, high);
        assert_true(x >= low && x < high);
    }
    throng_period p = {.x = true, .low = {0, 0}, .high = {10, 0}};
    assert_near(throng_period_nearest(&p, (throng_point){9, 1}, (throng_box){{1, 1}, {1, 1}}).x, -1, 0);
    assert_near(throng_period_nearest(&p, (throng_point){4, 1}, (throng_box){{1, 1}, {1, 1}}).x, 4, 0);
    assert_near(throng_period_apart(&p, 9, 3).x, -1, 0);
}

/* ---- the grid */

static void the_grid_holds_images(void **state) {
    (void)state;
    enum { people = 300 };
    double x[people], y[people], v[people], radius[people];
    throng_period periods[] = {{.x = true, .low = {0, 0}, .high = {10, 8}},
                               {.y = true, .low = {0, 0}, .high = {10, 8}},
                               {true, true, {0, 0}, {10, 8}}};
    throng_crew *crew = throng_crew_create(2);
    throng_near_grid *grid = throng_near_create();
    for (int round = 0; round < 30; round++) {
        const throng_period *p = &periods[round % 3];
        double reach = draw(0.5, 7.5);
        for (int i = 0; i < people; i++) x[i] = draw(0, 10), y[i] = draw(0, 8), v[i] = draw(-1, 1), radius[i] = 0.2;
        throng_near_reserve(grid, people * throng_near_slots_each(p, reach));
        const throng_near *near = throng_near_build(
            grid, crew,
            &(throng_near_input){.people = {.count = people, .x = x, .y = y, .vx = v, .vy = v, .radius = radius},
                                 .period = p,
                                 .margin = reach});
        assert_int_equal(near->count, people + near->image_count);
        for (int i = 0; i < people; i++) {
            size_t seen = 0, there = 0;
            assert_int_equal(near->row[near->slot[i]], i);
            for (size_t k = 0; k < near->count; k++) {
                double dx = near->x[k] - x[i], dy = near->y[k] - y[i];
                seen += dx * dx + dy * dy < reach * reach;
                assert_near(near->vx[k], v[near->row[k]], 0);
            }
            for (int j = 0; j < 9 * people; j++) {
                int a = j % 9 % 3 - 1, b = j % 9 / 3 - 1, other = j / 9;
                if ((a && !p->x) || (b && !p->y)) continue;
                double dx = x[other] + 10 * a - x[i], dy = y[other] + 8 * b - y[i];
                there += dx * dx + dy * dy < reach * reach;
            }
            assert_int_equal(seen, there);
        }
    }
    throng_near_destroy(grid);
    throng_crew_destroy(crew);
}

/* ---- walls */

static void walls_go_on_across_the_seam(void **state) {
    (void)state;
    corridor c = {20, 3, 0, true};
    throng_world *world = world_of(&c, 1);
    throng_place *place = place_of(&c);
    throng_period period = throng_world_period(world);
    throng_walls *walls = throng_period_walls(&period, place);
    /* no wall where one leaves and comes in again */
    assert_near(throng_walls_depth(walls, 0, 1.5, 5), 1.5, 0);
    assert_near(throng_walls_depth(walls, 20, 1.5, 5), 1.5, 0);
    /* the same distances a period farther on */
    for (double x = -8; x < 8; x += 0.37) {
        for (double y = 0.1; y < 3; y += 0.3) {
            assert_near(throng_walls_depth(walls, x, y, 5), throng_walls_depth(walls, x + 20, y, 5), 1e-9);
        }
    }
    throng_walls_destroy(walls);
    throng_place_destroy(place);
    throng_world_destroy(world);
}

/* ---- people */

static void somebody_alone_keeps_its_speed(void **state) {
    (void)state;
    corridor c = {26, 2, 0, false};
    throng_world *world = world_of(&c, 1);
    add_person(world, 25, 1, add_direction(world, 1), 1.34);
    double way = 0, before = 25;
    throng_agent id = throng_world_view(world).id[0];
    for (int i = 0; i < 1000; i++) {
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        assert_int_equal(v.count, 1);
        assert_int_equal(v.id[0], id);
        assert_true(v.x[0] >= 0 && v.x[0] < 26);
        double dx = v.x[0] - before;
        way += dx < -13 ? dx + 26 : dx;
        before = v.x[0];
    }
    assert_near(way / 100, 1.34, 1e-3);
    assert_near(throng_world_stats(world).agent_wall_max_m, 0, 0);
    throng_world_destroy(world);
}

/* The same scene with the seam elsewhere gives the same motion, up to rounding. */
static void nobody_can_tell_where_the_seam_is(void **state) {
    (void)state;
    enum { people = 16, steps = 60 };
    corridor here = {20, 3, 0, true};
    for (int round = 0; round < 6; round++) {
        corridor there = here;
        there.shift = round == 0 ? 15.5 : draw(0, 20); /* in the first, the block lies across the seam */
        throng_world *worlds[2] = {world_of(&here, 1), world_of(&there, 2)};
        throng_goal ways[2][2];
        for (int w = 0; w < 2; w++) {
            ways[w][0] = add_direction(worlds[w], 1);
            ways[w][1] = add_direction(worlds[w], -1);
        }
        for (int i = 0; i < people; i++) {
            double x = 1.2 * i + draw(0, 0.4), y = draw(1, 2.7), speed = draw(1, 1.6);
            add_person(worlds[0], x, y, ways[0][i % 2], speed);
            add_person(worlds[1], x + there.shift, y, ways[1][i % 2], speed);
        }
        for (int s = 0; s < steps; s++) {
            throng_world_step(worlds[0]);
            throng_world_step(worlds[1]);
            throng_view a = throng_world_view(worlds[0]), b = throng_world_view(worlds[1]);
            throng_period p = throng_world_period(worlds[0]);
            for (size_t i = 0; i < a.count; i++) {
                throng_point off = throng_period_apart(&p, b.x[i] - a.x[i] - there.shift, b.y[i] - a.y[i]);
                if (fabs(off.x) + fabs(off.y) > 1e-7)
                    fail_msg("step %d, person %zu: off by %g", s, i, hypot(off.x, off.y));
            }
        }
        throng_stats one = throng_world_stats(worlds[0]), two = throng_world_stats(worlds[1]);
        assert_near(one.nearest_gap_m, two.nearest_gap_m, 1e-7);
        assert_int_equal(one.pairs_max, two.pairs_max);
        assert_int_equal(one.swept_pairs_max, two.swept_pairs_max);
        assert_near(one.agent_wall_max_m, two.agent_wall_max_m, 1e-7);
        for (int w = 0; w < 2; w++) throng_world_destroy(worlds[w]);
    }
}

/* A pair that meets at the seam does as a pair in the middle. */
static void a_pair_at_the_seam_does_as_a_pair_in_the_middle(void **state) {
    (void)state;
    corridor c = {20, 3, 0, false};
    throng_world *worlds[2] = {world_of(&c, 1), world_of(&c, 1)};
    for (int w = 0; w < 2; w++) {
        double shift = w ? 10 : 0;
        throng_goal right = add_direction(worlds[w], 1), left = add_direction(worlds[w], -1);
        add_person(worlds[w], 8.5 + shift, 1.5, right, 1.34);
        add_person(worlds[w], 11.5 + shift, 1.51, left, 1.34);
    }
    throng_period p = throng_world_period(worlds[0]);
    double bent = 0;
    for (int s = 0; s < 40; s++) {
        throng_world_step(worlds[0]);
        throng_world_step(worlds[1]);
        throng_view a = throng_world_view(worlds[0]), b = throng_world_view(worlds[1]);
        for (size_t i = 0; i < 2; i++) {
            assert_near(throng_period_apart(&p, b.x[i] - a.x[i] - 10, 0).x, 0, 1e-9);
            assert_near(b.y[i], a.y[i], 1e-9);
            bent = fmax(bent, fabs(a.y[i] - 1.5));
        }
    }
    assert_true(bent > 0.1); /* they did see each other */
    for (int w = 0; w < 2; w++) throng_world_destroy(worlds[w]);
}

/* Overlap across the seam is measured, once. */
static void overlap_across_the_seam_is_measured(void **state) {
    (void)state;
    corridor c = {20, 3, 0, false};
    throng_world *world = world_of(&c, 1);
    throng_goal none = add_direction(world, 1);
    add_person(world, 19.9, 1.5, none, 0);
    add_person(world, 0.1, 1.5, none, 0);
    throng_profile still = throng_world_add_profile(world, "none", NULL, 0);
    throng_agent_def who = throng_default_agent_def();
    who.profile = still;
    who.at = (throng_point){19.95, 2.2};
    throng_world_add_agent(world, &who);
    who.at = (throng_point){0.15, 2.2};
    throng_world_add_agent(world, &who);
    throng_world_step(world);
    throng_stats stats = throng_world_stats(world);
    assert_int_equal(stats.swept_pairs_max, 2);
    assert_true(stats.pairs_max >= 1 && stats.pairs_max <= 2);
    assert_near(stats.nearest_gap_m, -0.2, 1e-9);
    throng_world_destroy(world);
}

/* A crowd in both directions: nobody is lost, and threads change nothing. */
static void threads_change_nothing(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (int threads = 1; threads <= 8; threads++) {
        corridor c = {30, 5, 0, true};
        throng_world *world = world_of(&c, threads);
        throng_goal right = add_direction(world, 1), left = add_direction(world, -1);
        dice = 77;
        for (int i = 0; i < 120; i++) {
            add_person(world, 0.2 + i % 30 + draw(0, 0.1), 1.1 + i / 30 + draw(0, 0.1), i % 2 ? right : left,
                       draw(1, 1.5));
        }
        for (int s = 0; s < 150; s++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        assert_int_equal(v.count, 120);
        for (size_t i = 0; i < v.count; i++) assert_true(v.x[i] >= 0 && v.x[i] < 30 && v.y[i] > 0 && v.y[i] < 5);
        if (threads == 1) digest = throng_world_digest(world);
        assert_int_equal(throng_world_digest(world), digest);
        assert_int_equal(throng_world_stats(world).oddities, 0);
        throng_world_destroy(world);
    }
}

/* A goal is walked to by the nearer image, across the seam. */
static void goals_are_reached_by_the_shorter_way(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        corridor c = {40, 3, 0, false};
        throng_world *world = world_of(&c, 1);
        throng_goal_def goal = throng_default_goal_def();
        throng_point ring[] = {{2, 0}, {3, 0}, {3, 3}, {2, 3}};
        goal.point = (throng_point){3, 1.5};
        if (kind) goal.kind = THRONG_GOAL_AREA, goal.ring = (throng_ring){ring, 4};
        goal.exit = true;
        add_person(world, 38, 1.5, throng_world_add_goal(world, &goal), 1);
        assert_true(throng_world_prepare(world, NULL));
        for (int s = 0; s < 60; s++) throng_world_step(world);
        assert_true(throng_world_is_done(world));
        assert_int_equal(throng_world_stats(world).arrived, 1);
        throng_world_destroy(world);
    }
}

static void both_axes_may_wrap(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    def.period = (throng_period){true, true, {-5, -5}, {5, 5}};
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    for (int i = 0; i < 40; i++) {
        goal.point = (throng_point){cos(i), sin(i)};
        add_person(world, -4.5 + i % 8 * 1.2, -4.5 + i / 8 * 1.5, throng_world_add_goal(world, &goal), 1.2);
    }
    for (int s = 0; s < 300; s++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 40);
    for (size_t i = 0; i < v.count; i++) assert_true(fabs(v.x[i]) <= 5 && fabs(v.y[i]) <= 5);
    assert_true(throng_world_stats(world).deepest_fraction < 0.05);
    throng_world_destroy(world);
}

static void bad_periods_are_refused(void **state) {
    (void)state;
    throng_world_def def = throng_default_world_def();
    throng_error error;
    def.period = (throng_period){.x = true, .low = {0, 0}, .high = {1, 0}};
    assert_null(throng_world_create(&def, &error));
    assert_string_equal(error.text, "a period along x from 0 to 1 m: it must be at least 2 m long");
    def.period.high.x = NAN;
    assert_null(throng_world_create(&def, &error));
    def.period.high.x = 4;
    throng_world *world = throng_world_create(&def, &error);
    assert_non_null(world);
    assert_false(throng_world_prepare(world, &error));
    assert_string_equal(error.text,
                        "the period of 4 m must be longer than the 5 m that people of model 'orca' look ahead");
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_wrap),
        cmocka_unit_test(the_grid_holds_images),
        cmocka_unit_test(walls_go_on_across_the_seam),
        cmocka_unit_test(somebody_alone_keeps_its_speed),
        cmocka_unit_test(nobody_can_tell_where_the_seam_is),
        cmocka_unit_test(a_pair_at_the_seam_does_as_a_pair_in_the_middle),
        cmocka_unit_test(overlap_across_the_seam_is_measured),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(goals_are_reached_by_the_shorter_way),
        cmocka_unit_test(both_axes_may_wrap),
        cmocka_unit_test(bad_periods_are_refused),
    };
    return cmocka_run_group_tests_name("periodic", tests, NULL, NULL);
}
