/* The model `powerlaw`: against the oracle and the golden file, in all ways to compute it, and by what
 * people do. */

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "base/wide.h"
#include "dice.h"
#include "golden.h"
#include "model_world.h"
#include "oracle_powerlaw.h"
#include "two_rooms.h"

enum { MOST = 400 };

#define GOLDEN_DIGEST 0xe0b9867889999a1bu /* of the crowd below after 150 steps, on every machine */

/* ---- worlds */

static throng_world *make_world(const options *o, throng_profile *profile) {
    return make_model_world("powerlaw", o, profile);
}

static size_t room_walls(oracle_segment *out) {
    throng_point ends[TWO_ROOMS_WALLS][2];
    two_rooms_walls(ends);
    for (size_t k = 0; k < TWO_ROOMS_WALLS; k++) {
        throng_point a = ends[k][0], b = ends[k][1];
        out[k] = (oracle_segment){{(real)a.x, (real)a.y}, {(real)b.x, (real)b.y}};
    }
    return TWO_ROOMS_WALLS;
}

/* So many people in the left room and the right one, on their way anywhere. Overlapping ones too, if wanted. */
static size_t fill_rooms(throng_world *world, throng_profile profile, size_t people, double apart, dice *d,
                         throng_point *pushes) {
    const double speed = 1.5;
    throng_goal journey = add_own_goal(world, false);
    throng_point at[MOST];
    size_t count = 0;
    for (int tries = 0; count < people && tries < 100000; tries++) {
        throng_point p = {dice_between(d, -5.7, 5.7), dice_between(d, -2.7, 3.7)};
        bool good = fabs(p.x - 0.2) > 0.5 && hypot(p.x + 2.3, p.y) > 0.8 && hypot(p.x - 3.5, p.y) > 1.4;
        for (size_t i = 0; i < count; i++) good &= hypot(p.x - at[i].x, p.y - at[i].y) > apart;
        if (!good) continue;
        at[count++] = p;
        throng_agent_def agent = throng_default_agent_def();
        agent.at = p;
        agent.profile = profile;
        agent.radius = dice_between(d, 0.15, 0.25);
        agent.velocity = (throng_point){dice_between(d, -speed, speed), dice_between(d, -speed, speed)};
        agent.acceleration = pushes[count - 1] = (throng_point){dice_between(d, -0.2, 0.2), dice_between(d, -0.2, 0.2)};
        agent.max_speed = 50;
        agent.journey = &journey;
        agent.journey_count = 1;
        agent.target = (throng_point){dice_between(d, -5.5, 5.5), dice_between(d, -2.5, 3.5)};
        throng_world_add_agent(world, &agent);
    }
    return count;
}

/* ---- the oracle */

/* One step of a crowd against the oracle; returns how many were compared. */
static size_t compare_step(uint64_t seed, const throng_setting *settings, size_t setting_count,
                           const throng_powerlaw_params *params, double apart) {
    dice d = {seed};
    throng_place *place = make_two_rooms(-3);
    options o = {place, 0.001, 1, THRONG_SIMD_AUTO, settings, setting_count, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_point pushes[MOST];
    size_t people = fill_rooms(world, profile, 40, apart, &d, pushes), compared = 0;
    throng_view v = throng_world_view(world);
    oracle_person person[MOST];
    oracle_segment wall[MOST];
    for (size_t i = 0; i < people; i++) {
        person[i] = (oracle_person){.x = {(real)v.x[i], (real)v.y[i]}, .v = {(real)v.vx[i], (real)v.vy[i]}};
        person[i].radius = (real)v.radius[i];
        person[i].push = (oracle_point){(real)pushes[i].x, (real)pushes[i].y};
    }
    throng_world_step(world);
    v = throng_world_view(world);
    for (size_t i = 0; i < people; i++) person[i].wish = (oracle_point){(real)v.wish_x[i], (real)v.wish_y[i]};
    oracle_scene s = {people, room_walls(wall), person, wall, *params};
    for (size_t i = 0; i < people; i++) {
        bool unsure;
        oracle_point a = oracle_acceleration(&s, i, &unsure);
        real length = hypotl(a.x, a.y), most = (real)params->max_acceleration;
        if (unsure) continue;
        real scale = length > most ? most / length : 1;
        double ax = (v.vx[i] - (double)person[i].v.x) / o.dt, ay = (v.vy[i] - (double)person[i].v.y) / o.dt;
        assert_near(ax, (double)(scale * a.x), 1e-6 * (1 + fabs(ax)));
        assert_near(ay, (double)(scale * a.y), 1e-6 * (1 + fabs(ay)));
        compared++;
    }
    throng_world_destroy(world);
    throng_place_destroy(place);
    return compared;
}

static void oracle(void **unused) {
    (void)unused;
    const throng_setting usual[] = {{.name = "symmetry", .number = 0}};
    const throng_setting other[] = {{.name = "symmetry", .number = 0},
                                    {.name = "k", .number = 0.7},
                                    {.name = "m", .number = 3.25},
                                    {.name = "tau0", .number = 1.5},
                                    {.name = "relaxation_time", .number = 2},
                                    {.name = "neighbour_dist", .number = 4},
                                    {.name = "max_acceleration", .number = 1000}};
    const throng_powerlaw_params usual_params = {1.5, 2, 3, 0.54, 10, 20, 200, 0.01},
                                 other_params = {0.7, 3.25, 1.5, 2, 4, 1000, 200, 0.01};
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        compared += compare_step(seed, usual, 1, &usual_params, seed % 3 ? 0.55 : 0.3);
        compared += compare_step(seed + 100, other, 7, &other_params, 0.55);
    }
    assert_true(compared > 1500);
}

/* ---- the golden file */

/* What everybody does in a step of 10 ms, by the oracle. */
static void ask_oracle(const golden_file *g, const throng_world *world, throng_point *out) {
    throng_view v = throng_world_view(world);
    oracle_person person[MOST];
    oracle_segment wall[MOST];
    for (size_t i = 0; i < g->people; i++) {
        const double *p = g->in[i];
        person[i] = (oracle_person){.x = {(real)p[0], (real)p[1]},
                                    .v = {(real)p[2], (real)p[3]},
                                    .wish = {(real)v.wish_x[i], (real)v.wish_y[i]},
                                    .radius = (real)p[6]};
    }
    oracle_scene s = {g->people, room_walls(wall), person, wall, {1.5, 2, 3, 0.54, 10, 20, 200, 0.01}};
    for (size_t i = 0; i < g->people; i++) {
        bool unsure;
        oracle_point a = oracle_acceleration(&s, i, &unsure);
        assert_false(unsure);
        real scale = fminl(1, (real)s.params.max_acceleration / hypotl(a.x, a.y));
        out[i].x = (double)(person[i].v.x + (real)g->dt * scale * a.x);
        out[i].y = (double)(person[i].v.y + (real)g->dt * scale * a.y);
    }
}

static void golden(void **unused) {
    (void)unused;
    golden_file g = golden_read("powerlaw");
    throng_place *place = make_two_rooms(-3);
    const throng_setting still = {.name = "symmetry", .number = 0};
    throng_point oracle[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {place, g.dt, 1, simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, &still, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false));
        throng_world_step(world);
        golden_velocities(world, found[simd]);
        ask_oracle(&g, world, oracle);
        throng_world_destroy(world);
    }
    golden_judge(&g, oracle, 1e-8, found[0], found[1], 1e-8);
    throng_place_destroy(place);
}

/* ---- all ways to compute it */

/* What acts on a pair sums to nothing: they stand in for each other, with the same desired velocity. */
static void momentum(void **unused) {
    (void)unused;
    dice d = {7};
    const throng_setting settings[] = {{.name = "symmetry", .number = 0}, {.name = "max_acceleration", .number = 1000}};
    size_t met = 0;
    for (int k = 0; k < 2000; k++) {
        options o = {NULL, 0.001, 1, k % 2 ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 2, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        /* powers of two, so that sums with them are exact */
        throng_point v = {floor(dice_between(&d, -64, 64)) / 64, floor(dice_between(&d, -64, 64)) / 64};
        throng_point at = {floor(dice_between(&d, -64, 64)) / 64, floor(dice_between(&d, -64, 64)) / 64};
        for (int i = 0; i < 2; i++) {
            throng_agent_def agent = throng_default_agent_def();
            agent.profile = profile;
            agent.radius = 0.25 + i * 0.125;
            agent.at = i ? at : (throng_point){-at.x, -at.y};
            agent.velocity = i ? v : (throng_point){-v.x, -v.y};
            agent.max_speed = 50;
            throng_world_add_agent(world, &agent);
        }
        throng_world_step(world);
        throng_view view = throng_world_view(world);
        assert_true(view.vx[0] == -view.vx[1] && view.vy[0] == -view.vy[1]);
        double pull = 1 - o.dt / 0.54; /* nobody wants to go anywhere */
        met += hypot(view.vx[1] - v.x * pull, view.vy[1] - v.y * pull) > 1e-9;
        throng_world_destroy(world);
    }
    assert_true(met > 200);
}

static uint64_t digest_of_crowd(int threads, throng_simd simd, double dt, int steps) {
    dice d = {99};
    throng_place *place = make_two_rooms(-3);
    options o = {place, dt, threads, simd, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_point pushes[MOST];
    assert_true(fill_rooms(world, profile, 120, 0.5, &d, pushes) > 80);
    for (int k = 0; k < steps; k++) throng_world_step(world);
    /* nobody has passed a wall, however large the steps */
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) {
        assert_true(v.x[i] > -6 && v.x[i] < 6 && v.y[i] > -4 && v.y[i] < 4);
        assert_true(fabs(v.y[i]) < 0.6 || v.x[i] < 0 || v.x[i] > 0.4);
    }
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    throng_place_destroy(place);
    return digest;
}

static void same_bits(void **unused) {
    (void)unused;
    const double dts[] = {0.01, 0.4};
    for (int k = 0; k < 2; k++) {
        uint64_t digest = digest_of_crowd(1, THRONG_SIMD_PLAIN, dts[k], 150);
        const int threads[] = {1, 2, 3, 5, 8};
        for (size_t t = 0; t < 5; t++)
            assert_true(digest_of_crowd(threads[t], THRONG_SIMD_AUTO, dts[k], 150) == digest);
        assert_true(digest_of_crowd(3, THRONG_SIMD_PLAIN, dts[k], 150) == digest);
    }
    uint64_t digest = digest_of_crowd(2, THRONG_SIMD_AUTO, 0.01, 150);
    if (digest != GOLDEN_DIGEST) fail_msg("the digest is %016llx", (unsigned long long)digest);
}

/* ---- what people do */

static throng_agent add_walker(throng_world *world, throng_profile profile, throng_point at, throng_point target,
                               throng_goal *journey) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.desired_speed = 1.3;
    agent.journey = journey;
    agent.journey_count = 1;
    return throng_world_add_agent(world, &agent);
}

static void heads_on(void **unused) {
    (void)unused;
    options o = {.dt = 0.01, .threads = 1};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal journey = add_own_goal(world, true);
    add_walker(world, profile, (throng_point){-4, 0}, (throng_point){6, 0}, &journey);
    add_walker(world, profile, (throng_point){4, 0}, (throng_point){-6, 0}, &journey);
    for (int k = 0; k < 1500; k++) throng_world_step(world);
    assert_int_equal(throng_world_view(world).count, 0);
    assert_int_equal(throng_world_stats(world).pairs_max, 0);
    throng_world_destroy(world);
}

/* Somebody of another model who does not give way is gone around; a wall stops one; a push moves one. */
static void others(void **unused) {
    (void)unused;
    options o = {.dt = 0.01, .threads = 1};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal journey = add_own_goal(world, true);
    add_walker(world, profile, (throng_point){-4, 0.01}, (throng_point){6, 0}, &journey);
    add_walker(world, 0, (throng_point){4, 0}, (throng_point){-6, 0}, &journey);
    for (int k = 0; k < 1500; k++) throng_world_step(world);
    assert_int_equal(throng_world_view(world).count, 0);
    assert_int_equal(throng_world_stats(world).pairs_max, 0);
    throng_world_destroy(world);

    throng_point line[] = {{2, -3}, {2, 3}};
    throng_obstacle wall = {.kind = THRONG_LINE, .ring = {line, 2}};
    throng_place_def def = throng_default_place_def();
    def.obstacles = &wall;
    def.obstacle_count = 1;
    o.place = throng_place_create(&def, NULL);
    world = make_world(&o, &profile);
    journey = add_own_goal(world, true);
    add_walker(world, profile, (throng_point){-4, 0.5}, (throng_point){6, 0.5}, &journey);
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = (throng_point){-30, 0};
    agent.acceleration = (throng_point){0, 1};
    throng_world_add_agent(world, &agent);
    throng_world_step(world);
    assert_near(throng_world_view(world).vy[1], 0.01, 1e-12);
    for (int k = 0; k < 1500; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 2);
    assert_true(v.x[0] > 1.5 && v.x[0] <= 1.8 + 1e-3);
    assert_near(v.vy[1], 0.54, 1e-6); /* the push against the wish to stand */
    throng_world_destroy(world);
    throng_place_destroy((throng_place *)(uintptr_t)o.place);
}

/* Two in the same place, three in a row touching, somebody in a corner: nothing breaks. */
static void degenerate(void **unused) {
    (void)unused;
    throng_place *place = make_two_rooms(-3);
    for (int k = 0; k < 4; k++) {
        const double dts[] = {1e-6, 0.01, 1, 60};
        options o = {.place = place, .dt = dts[k], .threads = 1};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal journey = add_own_goal(world, false);
        throng_point at[] = {{-4, 0}, {-4, 0}, {-3.6, 0}, {-3.2, 0}, {-5.8, -3.8}, {-5.99999, -3.99999}, {-3.6, 1e-12}};
        for (size_t i = 0; i < 7; i++)
            add_walker(world, profile, at[i], (throng_point){-4, (double)(i % 3) - 1}, &journey);
        for (int n = 0; n < 200; n++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        assert_int_equal(v.count, 7);
        for (size_t i = 0; i < v.count; i++) {
            assert_true(isfinite(v.vx[i]) && isfinite(v.vy[i]));
            assert_true(v.x[i] > -6 && v.x[i] < 0.4 && v.y[i] > -4 && v.y[i] < 4);
        }
        assert_int_equal(throng_world_stats(world).oddities, 0);
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* Three who walk the same way inside each other come apart, whatever the step; as in the authors' code they stay. */
static void nobody_stays_inside_another(void **unused) {
    (void)unused;
    for (int k = 0; k < 3; k++) {
        options o = {.dt = k ? 0.1 : 0.01, .threads = 1};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal journey = add_own_goal(world, false);
        const throng_setting off = {.name = "separation", .number = 0};
        if (k == 2) profile = throng_world_add_profile(world, "powerlaw", &off, 1);
        for (int i = 0; i < 3; i++)
            add_walker(world, profile, (throng_point){0, 0.1 * i}, (throng_point){100, 0.1 * i}, &journey);
        while (throng_world_time(world) < 1 - 1e-9) throng_world_step(world);
        throng_view v = throng_world_view(world);
        double least = INFINITY;
        for (int i = 0; i < 2; i++) least = fmin(least, hypot(v.x[i] - v.x[i + 1], v.y[i] - v.y[i + 1]));
        print_message("dt %g: %.3f m apart after 1 s\n", o.dt, least);
        assert_true(k == 2 ? least < 0.3 : least > 2 * v.radius[0] - 0.01 && least < 1);
        throng_world_destroy(world);
    }
}

/* ---- long steps */

/* 30 people leave a hall; how long that takes, and how deep two overlap, as part of their radii. */
static double leave_hall(double dt, double *deepest, bool *told) {
    const throng_point hall[] = {{0, 0}, {12, 0}, {12, 8}, {0, 8}},
                       door[] = {{11, 2.5}, {12, 2.5}, {12, 5.5}, {11, 5.5}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){hall, 4};
    throng_error error = {0};
    throng_place *place = throng_place_create(&def, &error);
    options o = {.place = place, .dt = dt, .threads = 2};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal_def exit = throng_default_goal_def();
    exit.kind = THRONG_GOAL_AREA;
    exit.ring = (throng_ring){door, 4};
    exit.exit = true;
    throng_goal out = throng_world_add_goal(world, &exit);
    for (int i = 0; i < 30; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){0.7 + 1.2 * (i / 6) + 0.07 * (i % 5), 0.8 + 1.2 * (i % 6) + 0.11 * (i % 3)};
        agent.profile = profile;
        agent.journey = &out;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    *deepest = 0;
    throng_view v = throng_world_view(world);
    for (; v.count > 0 && v.time < 60; throng_world_step(world), v = throng_world_view(world)) {
        for (size_t i = 0; i < v.count; i++) {
            for (size_t k = 0; k < i; k++) {
                double radii = v.radius[i] + v.radius[k], gap = hypot(v.x[i] - v.x[k], v.y[i] - v.y[k]);
                *deepest = fmax(*deepest, 1 - gap / radii);
            }
        }
    }
    const throng_report *report = throng_world_report(world);
    *told = false;
    char expected[80];
    snprintf(expected, sizeof expected, "is %g sub-steps for people of model 'powerlaw'", dt / 0.01);
    for (size_t i = 0; i < throng_report_count(report); i++)
        *told |= strstr(throng_report_message(report, i).text, expected) != NULL;
    throng_world_destroy(world);
    throng_place_destroy(place);
    return v.time;
}

/* Long steps are divided into some that the model can stand, and that is told. */
static void long_steps(void **unused) {
    (void)unused;
    double deepest, time[3];
    const double dts[] = {0.01, 0.1, 0.4};
    for (int k = 0; k < 3; k++) {
        bool told;
        time[k] = leave_hall(dts[k], &deepest, &told);
        if (deepest > 0.05) fail_msg("dt %g: overlap by %g of the radii", dts[k], deepest);
        assert_int_equal(told, k > 0);
        if (fabs(time[k] / time[0] - 1) > 0.1) fail_msg("dt %g: %g s instead of %g s", dts[k], time[k], time[0]);
    }
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle),     cmocka_unit_test(golden),     cmocka_unit_test(momentum),
        cmocka_unit_test(same_bits),  cmocka_unit_test(heads_on),   cmocka_unit_test(others),
        cmocka_unit_test(degenerate), cmocka_unit_test(long_steps), cmocka_unit_test(nobody_stays_inside_another),
    };
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
