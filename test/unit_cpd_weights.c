/* Weight maps of the model `cpd`: what they make people do, that they change nothing for who is alone, and that worlds
 * with them are as reproducible as others. Forces are compared with the oracle in unit_cpd.c. */

#include "testing.h"

#include <math.h>
#include <throng/throng.h>

#include "counting.h"
#include "dice.h"
#include "model_world.h"
#include "models/cpd/cpd.h"
#include "models/models.h"
#include "world/world.h"

typedef struct table {
    size_t rows, columns;
    double weights[12];
} table;

static const table to_the_right = {1, 3, {1, 2, 3}}, to_the_left = {1, 3, {3, 2, 1}}, even = {1, 1, {7}};
static const table distracted = {6, 1, {0, 0, 0, 1, 1, 1}};

/* A world of people with a weight map, or without one. */
static throng_world *make_world(const options *o, const table *t, throng_profile *profile) {
    throng_world *world = make_model_world("cpd", o, profile);
    if (!t) return world;
    throng_setting settings[4] = {{0}};
    for (size_t k = 0; k < o->setting_count; k++) settings[k] = o->settings[k];
    throng_map map = throng_world_add_weight_map(world, t->weights, t->rows, t->columns);
    assert_true(map > 0);
    settings[o->setting_count] = (throng_setting){.name = "weight_map", .number = map};
    *profile = throng_world_add_profile(world, "cpd", settings, o->setting_count + 1);
    assert_true(*profile > 0);
    return world;
}

static void add_person(throng_world *world, throng_profile profile, throng_goal goal, throng_point at,
                       throng_point target) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.desired_speed = 1.4;
    agent.journey = &goal;
    agent.journey_count = 1;
    assert_true(throng_world_add_agent(world, &agent) > 0);
}

/* Whatever the map, somebody alone feels no force and walks straight at its speed. */
static void alone(void **unused) {
    (void)unused;
    const table corner = {2, 2, {0, 9, 1, 0.1}}, *tables[] = {&to_the_right, &distracted, &corner};
    const throng_setting quiet[] = {{.name = "noise", .number = 0}};
    for (int variant = 0; variant < 24; variant++) {
        options o = {NULL, 0.1, 1, variant % 2 ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, quiet, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, tables[variant % 3], &profile);
        throng_goal goal = add_own_goal(world, false);
        double angle = 0.27 * variant;
        add_person(world, profile, goal, (throng_point){0.013 * variant, -0.07 * variant},
                   (throng_point){1000 * cos(angle), 1000 * sin(angle)});
        for (int k = 0; k < 60; k++) {
            throng_world_step(world);
            const throng_cpd *s = model_state(world, &throng_model_cpd);
            assert_true(hypot(s->force_x[0], s->force_y[0]) <= 1e-9);
        }
        throng_view v = throng_world_view(world);
        assert_near(hypot(v.vx[0], v.vy[0]), 1.4, 0.014);
        throng_world_destroy(world);
    }
}

/* How far to the right of its way the first of two goes who meet head-on with such maps, and to its left. */
static void meet(const table *t, double offset, double *right, double *left) {
    const throng_setting quiet[] = {{.name = "noise", .number = 0}};
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, quiet, 1, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, t, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, profile, goal, (throng_point){-6, offset}, (throng_point){60, offset});
    add_person(world, profile, goal, (throng_point){6, -offset}, (throng_point){-60, -offset});
    *right = *left = 0;
    for (int k = 0; k < 80; k++) {
        throng_world_step(world);
        *right = fmax(*right, offset - world->agents.y[0]);
        *left = fmax(*left, world->agents.y[0] - offset);
    }
    throng_world_destroy(world);
}

/* How far aside the first of two goes until they are so near, m. */
static double aside_at(const table *t, double distance) {
    const throng_setting quiet[] = {{.name = "noise", .number = 0}};
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, quiet, 1, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, t, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, profile, goal, (throng_point){-6, 0.1}, (throng_point){60, 0.1});
    add_person(world, profile, goal, (throng_point){6, -0.1}, (throng_point){-60, -0.1});
    while (world->agents.x[1] - world->agents.x[0] > distance) throng_world_step(world);
    double aside = world->agents.y[0] - 0.1;
    throng_world_destroy(world);
    return aside;
}

static void meetings(void **unused) {
    (void)unused;
    double right, left, other_right, other_left;
    /* the other comes a little to the right of the way: without weights both yield to the left */
    meet(NULL, 0.05, &right, &left);
    assert_true(left > 0.3 && right < 0.01);
    meet(&even, 0.05, &other_right, &other_left);
    assert_near(other_left, left, 0.02);
    meet(&to_the_right, 0.05, &right, &left);
    if (!(right > 0.3 && left < 0.1)) fail_msg("%g m to the right, %g m to the left", right, left);
    meet(&to_the_left, -0.05, &other_right, &other_left);
    assert_near(other_left, right, 0.02);
    /* who does not see what is ahead yields later */
    double late = aside_at(&distracted, 2), usual = aside_at(NULL, 2);
    if (!(late < 0.5 * usual)) fail_msg("2 m before they meet %g m aside, %g m distracted", usual, late);
}

/* Two streams in a corridor: of all passings closer than 2 m, the part on the right. */
static double part_on_the_right(const table *t, uint64_t seed) {
    enum { PEOPLE = 40 };
    const double length = 30, width = 5;
    const throng_point corners[] = {{0, 0}, {length, 0}, {length, width}, {0, width}};
    throng_place *place = make_place(corners, 4, NULL, 0);
    options o = {place, 0.1, 2, THRONG_SIMD_AUTO, NULL, 0, {.x = true, .high = {length, width}}};
    throng_profile profile;
    throng_world *world = make_world(&o, t, &profile);
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_DIRECTION;
    throng_goal goals[2];
    for (int k = 0; k < 2; k++) {
        def.point = (throng_point){k ? -1 : 1, 0};
        goals[k] = throng_world_add_goal(world, &def);
    }
    dice d = {seed};
    for (int k = 0; k < PEOPLE; k++)
        add_person(world, profile, goals[k % 2],
                   (throng_point){length / PEOPLE * k + 0.2, dice_between(&d, 0.4, width - 0.4)}, (throng_point){0, 0});
    double was[PEOPLE], right = 0, all = 0;
    for (int step = 0; step < 400; step++) {
        const throng_columns *a = &world->agents;
        for (int k = 0; k < PEOPLE; k++) was[k] = a->x[k];
        throng_world_step(world);
        for (int k = 0; k < PEOPLE * PEOPLE; k++) {
            int i = k / PEOPLE, j = k % PEOPLE;
            if (i % 2 || !(j % 2) || fabs(a->x[i] - was[i]) > 1 || fabs(a->x[j] - was[j]) > 1) continue;
            double aside = a->y[j] - a->y[i];
            if (!(was[i] < was[j] && a->x[i] >= a->x[j]) || fabs(aside) > 2) continue;
            right += aside > 0;
            all++;
        }
    }
    throng_world_destroy(world);
    throng_place_destroy(place);
    assert_true(all > 50);
    return right / all;
}

static void streams(void **unused) {
    (void)unused;
    double none = 0, right = 1, left = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        none += part_on_the_right(NULL, seed) / 3;
        right = fmin(right, part_on_the_right(&to_the_right, seed));
        left = fmax(left, part_on_the_right(&to_the_left, seed));
    }
    if (!(right > 0.7 && left < 0.3 && none < right && none > left))
        fail_msg("on the right: %g without weights, %g with those for it, %g with those against", none, right, left);
}

static void refusals(void **unused) {
    (void)unused;
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, NULL, &profile);
    const double weights[] = {1, -1, 0, 0, NAN, INFINITY};
    static const double many[THRONG_MAP_SIDE + 1] = {1};
    assert_int_equal(throng_world_add_weight_map(world, weights, 0, 1), 0);
    assert_int_equal(throng_world_add_weight_map(world, many, 1, THRONG_MAP_SIDE + 1), 0);
    assert_int_equal(throng_world_add_weight_map(world, weights, 1, 2), 0);
    assert_int_equal(throng_world_add_weight_map(world, weights + 2, 2, 1), 0);
    assert_int_equal(throng_world_add_weight_map(world, weights + 4, 1, 1), 0);
    assert_int_equal(throng_world_add_weight_map(world, weights + 5, 1, 1), 0);
    assert_int_equal(throng_world_weight_map_count(world), 0);
    const throng_setting none = {.name = "weight_map", .number = 1}, word = {.name = "weight_map", .word = "x.png"};
    assert_int_equal(throng_world_add_profile(world, "cpd", &none, 1), 0);
    assert_int_equal(throng_world_add_profile(world, "cpd", &word, 1), 0);
    assert_false(throng_world_set(world, "params.weight_map", 1, 0));
    assert_int_equal(throng_world_add_weight_map(world, weights, 1, 1), 1);
    assert_true(throng_world_set(world, "params.weight_map", 1, 0));
    throng_world_destroy(world);
}

/* A crowd of which every third has a map; from step 10 on others have one, too. */
static throng_world *make_crowd(const table *t, int threads, throng_simd simd) {
    options o = {NULL, 0.1, threads, simd, NULL, 0, {0}};
    throng_profile plain, mapped;
    throng_world *world = make_model_world("cpd", &o, &plain);
    throng_map map = throng_world_add_weight_map(world, t->weights, t->rows, t->columns);
    mapped = throng_world_add_profile(world, "cpd", &(throng_setting){.name = "weight_map", .number = map}, 1);
    throng_map other = throng_world_add_weight_map(world, distracted.weights, distracted.rows, distracted.columns);
    throng_event_def event = throng_default_event_def();
    event.kind = THRONG_EVENT_SET;
    event.time = 1;
    event.set = "params.weight_map";
    event.to = other;
    event.group = throng_world_add_group(world, "nobody yet");
    assert_true(throng_world_add_event(world, &event));
    throng_point square[] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    throng_setting there = {.name = "weight_map", .number = other};
    throng_zone_def zone = throng_default_zone_def();
    zone.ring = (throng_ring){square, 4};
    zone.settings = &there;
    zone.setting_count = 1;
    assert_true(throng_world_add_zone(world, &zone));
    throng_goal goal = add_own_goal(world, false);
    dice d = {8};
    for (int k = 0; k < 300; k++) {
        throng_point at = {dice_between(&d, -9, 9), dice_between(&d, -9, 9)};
        add_person(world, k % 3 ? plain : mapped, goal, at, (throng_point){-at.x, -at.y});
    }
    return world;
}

static void same_everywhere(void **unused) {
    (void)unused;
    uint64_t digest = 0;
    for (int threads = 0; threads <= 8; threads++) {
        throng_world *world =
            make_crowd(&to_the_right, threads ? threads : 1, threads ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN);
        for (int k = 0; k < 25; k++) throng_world_step(world);
        if (threads == 0) digest = throng_world_digest(world);
        assert_int_equal(throng_world_digest(world), digest);
        throng_world_destroy(world);
    }
    throng_world *other = make_crowd(&to_the_left, 2, THRONG_SIMD_AUTO);
    for (int k = 0; k < 25; k++) throng_world_step(other);
    assert_true(throng_world_digest(other) != digest);
    throng_world_destroy(other);
}

/* A checkpoint goes on in another world with the same maps, and is refused by one with others. */
static void restart(void **unused) {
    (void)unused;
    throng_world *world = make_crowd(&to_the_right, 2, THRONG_SIMD_AUTO);
    for (int k = 0; k < 15; k++) throng_world_step(world);
    throng_checkpoint *kept = throng_world_save(world, NULL);
    assert_non_null(kept);
    for (int k = 0; k < 15; k++) throng_world_step(world);
    throng_world *again = make_crowd(&to_the_right, 1, THRONG_SIMD_PLAIN);
    assert_true(throng_world_load(again, kept, NULL));
    for (int k = 0; k < 15; k++) throng_world_step(again);
    assert_int_equal(throng_world_digest(again), throng_world_digest(world));
    throng_world *other = make_crowd(&to_the_left, 1, THRONG_SIMD_AUTO);
    assert_false(throng_world_load(other, kept, NULL));
    throng_checkpoint_destroy(kept);
    throng_world_destroy(world);
    throng_world_destroy(again);
    throng_world_destroy(other);
}

static void memory(void **unused) {
    (void)unused;
    throng_set_allocator(counting);
    throng_world *world = make_crowd(&to_the_right, 2, THRONG_SIMD_AUTO);
    for (int k = 0; k < 120; k++) throng_world_step(world);
    allocations = 0;
    for (int k = 0; k < 30; k++) throng_world_step(world);
    assert_int_equal(allocations, 0);
    throng_world_destroy(world);
    throng_set_allocator(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),    cmocka_unit_test(meetings),        cmocka_unit_test(streams),
        cmocka_unit_test(refusals), cmocka_unit_test(same_everywhere), cmocka_unit_test(restart),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
