/* The model `pbd`: against the oracle, in all ways to compute it, and by what people do. */

#include "model_params.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "dice.h"
#include "golden.h"
#include "model_world.h"
#include "models/models.h"
#include "oracle_pbd.h"
#include "two_rooms.h"

#define GOLDEN_DIGEST 0xc3ef9167236d4507u /* of the crowd below after 100 steps, on every machine */

/* ---- worlds */

static throng_world *make_world(const options *o, throng_profile *profile) {
    return make_model_world("pbd", o, profile);
}

static void copy_walls(oracle_scene *s) {
    throng_point ends[TWO_ROOMS_WALLS][2];
    two_rooms_walls(ends);
    s->walls = TWO_ROOMS_WALLS;
    for (size_t k = 0; k < TWO_ROOMS_WALLS; k++) {
        for (int end = 0; end < 2; end++) s->wall[k][end] = (oracle_vector){ends[k][end].x, ends[k][end].y};
    }
}

/* People in both rooms, on their way anywhere; `apart` below 0.5 lets some overlap. */
static size_t fill_rooms(throng_world *world, throng_profile profile, size_t people, double apart, dice *d,
                         oracle_scene *s) {
    const double speed = 1.5;
    throng_goal journey = add_own_goal(world, false);
    throng_group groups[] = {throng_world_add_group(world, "a"), throng_world_add_group(world, "b")};
    throng_point at[ORACLE_MOST];
    size_t count = 0;
    for (int tries = 0; count < people && tries < 100000; tries++) {
        throng_point p = {dice_between(d, -5.75, 5.75), dice_between(d, -3.75, 3.75)};
        bool good = fabs(p.x - 0.2) > 0.46 && hypot(p.x + 2.3, p.y) > 0.75 && hypot(p.x - 3.5, p.y) > 1.35;
        for (size_t i = 0; i < count; i++) good &= hypot(p.x - at[i].x, p.y - at[i].y) > apart;
        if (!good) continue;
        at[count] = p;
        throng_agent_def agent = throng_default_agent_def();
        agent.at = p;
        agent.radius = dice_between(d, 0.17, 0.25);
        agent.mass = dice_between(d, 1, 30);
        agent.desired_speed = dice_between(d, 0.5, 1.6);
        agent.velocity = (throng_point){dice_between(d, -speed, speed), dice_between(d, -speed, speed)};
        agent.acceleration = (throng_point){dice_between(d, -0.2, 0.2), dice_between(d, -0.2, 0.2)};
        agent.profile = count % 8 == 7 ? 0 : profile; /* the others are of model `none` */
        if (agent.profile == 0) agent.acceleration = (throng_point){0, 0};
        agent.group = groups[count % 2];
        agent.journey = &journey;
        agent.journey_count = 1;
        agent.target = (throng_point){dice_between(d, -5.5, 5.5), dice_between(d, -3.5, 3.5)};
        throng_world_add_agent(world, &agent);
        s->person[count++] = (oracle_person){.at = {p.x, p.y},
                                             .velocity = {agent.velocity.x, agent.velocity.y},
                                             .push = {agent.acceleration.x, agent.acceleration.y},
                                             .radius = agent.radius,
                                             .mass = agent.mass,
                                             .speed = agent.desired_speed,
                                             .max_speed = 1.5 * agent.desired_speed,
                                             .group = (int)agent.group,
                                             .foreign = agent.profile == 0};
    }
    return s->people = count;
}

/* ---- the oracle */

typedef struct comparison {
    size_t people, off; /* compared, and different */
} comparison;

/* Some steps of a crowd against the oracle, each from where the crowd is. Decisions that hang by a hair (whether two
 * just touch) may fall otherwise in float, so a few may differ. */
static void compare_steps(uint64_t seed, const throng_setting *settings, size_t setting_count, double apart,
                          comparison *c) {
    dice d = {seed};
    throng_place *place = make_two_rooms(-4);
    throng_pbd_params law;
    assert_true(fill_params(&throng_model_pbd, &law, settings, setting_count));
    options o = {place,    law.iterations > 2 ? 1.0 / 40 : 1.0 / 100,
                 1,        seed % 2 ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN,
                 settings, setting_count,
                 {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    static oracle_scene s;
    size_t people = fill_rooms(world, profile, 60, apart, &d, &s);
    copy_walls(&s);
    for (int step = 0; step < 3; step++) {
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < people; i++) {
            s.person[i].at = (oracle_vector){v.x[i], v.y[i]};
            s.person[i].velocity = (oracle_vector){v.vx[i], v.vy[i]};
            s.person[i].law = &law;
        }
        throng_world_step(world);
        v = throng_world_view(world);
        for (size_t i = 0; i < people; i++) {
            s.person[i].wish = (oracle_vector){v.wish_x[i], v.wish_y[i]};
            if (s.person[i].foreign) s.person[i].velocity = (oracle_vector){v.vx[i], v.vy[i]};
        }
        double ordinary = s.person[0].radius; /* who came first */
        int substeps = (int)ceil(fmax(o.dt / law.substep, o.dt * 1.4 / (0.12 * ordinary)) - 0.01);
        assert_in_range(substeps, 1, 4);
        oracle_step(&s, o.dt, substeps);
        for (size_t i = 0; i < people; i++) {
            const oracle_person *p = &s.person[i];
            double at = hypot(v.x[i] - p->at.x, v.y[i] - p->at.y);
            double velocity = hypot(v.vx[i] - p->velocity.x, v.vy[i] - p->velocity.y);
            c->people++;
            c->off += at > 2e-6 || velocity > 2e-4;
        }
    }
    throng_world_destroy(world);
    throng_place_destroy(place);
}

static void oracle(void **unused) {
    (void)unused;
    /* Sliding past others multiplies itself, and the last bits with it: with many iterations the two part company. */
    for (int mode = 0; mode < 4; mode++) {
        const throng_setting settings[] = {{.name = "symmetry", .number = 0},
                                           {.name = "sidestep", .number = 0},
                                           {.name = "anticipation", .number = mode},
                                           {.name = "cohesion",
                                            .number = mode == 1   ? 2
                                                      : mode == 2 ? 0
                                                                  : 1},
                                           {.name = "units", .number = mode == 3},
                                           {.name = "friction", .number = mode == 2 ? 0.5 : 0.21},
                                           {.name = "clamp", .number = mode == 3},
                                           {.name = "contact_stiffness", .number = mode == 2 ? 0.6 : 1},
                                           {.name = "avoidance_stiffness", .number = mode == 2 ? 0.1 : 0.24},
                                           {.name = "cohesion_c", .number = mode == 1 ? 100 : 217},
                                           {.name = "cohesion_reach", .number = mode == 1 ? 6 : 7},
                                           {.name = "stability_iterations", .number = mode == 1 ? 3 : 1},
                                           {.name = "stiffness", .number = mode == 1 ? 0.5 : 0.24},
                                           {.name = "iterations",
                                            .number = mode == 0   ? 6
                                                      : mode == 3 ? 2
                                                                  : 1}};
        comparison c = {0, 0};
        for (uint64_t seed = 1; seed <= 12; seed++)
            compare_steps(seed + 100 * (uint64_t)mode, settings, 14, seed % 3 ? 0.52 : 0.36, &c);
        assert_true(c.people > 1500);
        if (c.off * 100 > c.people) fail_msg("mode %d: %zu of %zu differ", mode, c.off, c.people);
    }
}

/* ---- the golden file */

static void ask_oracle(const golden_file *g, const throng_world *world, const throng_pbd_params *law,
                       throng_point *out) {
    static oracle_scene s;
    throng_view v = throng_world_view(world);
    s = (oracle_scene){.people = g->people};
    copy_walls(&s);
    for (size_t i = 0; i < g->people; i++) {
        const double *p = g->in[i];
        s.person[i] = (oracle_person){.at = {p[0], p[1]},
                                      .velocity = {p[2], p[3]},
                                      .wish = {v.wish_x[i], v.wish_y[i]},
                                      .radius = p[6],
                                      .mass = v.mass[i],
                                      .speed = v.desired_speed[i],
                                      .max_speed = v.max_speed[i],
                                      .law = law};
    }
    oracle_step(&s, g->dt, 1);
    for (size_t i = 0; i < g->people; i++) out[i] = (throng_point){s.person[i].velocity.x, s.person[i].velocity.y};
}

static void golden(void **unused) {
    (void)unused;
    golden_file g = golden_read("pbd");
    const throng_setting settings[] = {{.name = "symmetry", .number = 0}, {.name = "sidestep", .number = 0}};
    throng_pbd_params law;
    assert_true(fill_params(&throng_model_pbd, &law, settings, 2));
    throng_place *place = make_two_rooms(-4);
    throng_point oracle[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {place, g.dt, 1, simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 2, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false));
        throng_world_step(world);
        golden_velocities(world, found[simd]);
        ask_oracle(&g, world, &law, oracle);
        throng_world_destroy(world);
    }
    golden_judge(&g, oracle, 1e-9, found[0], found[1], 2e-4);
    throng_place_destroy(place);
}

/* ---- all ways to compute it */

static uint64_t digest_of_crowd(int threads, throng_simd simd, double dt, int steps) {
    dice d = {99};
    throng_place *place = make_two_rooms(-4);
    options o = {place, dt, threads, simd, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    static oracle_scene unused;
    assert_true(fill_rooms(world, profile, 120, 0.5, &d, &unused) > 80);
    for (int k = 0; k < steps; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) {
        if (v.profile[i] == 0) continue;
        /* nobody has passed a wall, however large the steps */
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
    const double dts[] = {1.0 / 24, 0.4};
    for (int k = 0; k < 2; k++) {
        uint64_t digest = digest_of_crowd(1, THRONG_SIMD_PLAIN, dts[k], 100);
        for (int threads = 1; threads <= 8; threads++)
            assert_true(digest_of_crowd(threads, THRONG_SIMD_AUTO, dts[k], 100) == digest);
        assert_true(digest_of_crowd(3, THRONG_SIMD_PLAIN, dts[k], 100) == digest);
    }
    uint64_t digest = digest_of_crowd(2, THRONG_SIMD_AUTO, 1.0 / 24, 100);
    if (digest != GOLDEN_DIGEST) fail_msg("the digest is %016llx", (unsigned long long)digest);
}

/* A crowd in steady state asks for no memory, and it takes less than 512 bytes for each. */
static size_t bytes_held, allocations;

static void *weighing(void *pointer, size_t size) {
    size_t *before = pointer ? (size_t *)pointer - 2 : NULL;
    if (before) bytes_held -= before[0];
    if (size == 0) {
        free(before);
        return NULL;
    }
    bytes_held += size;
    allocations++;
    size_t *after = realloc(before, size + 2 * sizeof(size_t));
    after[0] = size;
    return after + 2;
}

/* So many people on a square lattice, streaming both ways. */
static throng_world *make_crowd(const char *model, int side, double spacing) {
    throng_world_def def = throng_default_world_def();
    def.model = model;
    def.dt = 1.0 / 24;
    def.threads = 2;
    def.planner = "straight";
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){1, 0};
    throng_goal right = throng_world_add_goal(world, &goal);
    goal.point = (throng_point){-1, 0};
    throng_goal left = throng_world_add_goal(world, &goal);
    for (int i = 0; i < side * side; i++) {
        throng_agent_def agent = throng_default_agent_def();
        double shift = 0.2 * throng_random(1, (uint64_t)i, 0, 0);
        agent.at = (throng_point){(i % side) * spacing + shift, (double)(i / side) * spacing};
        agent.radius = 0.25;
        agent.journey = i / side % 8 < 4 ? &right : &left;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    return world;
}

static void memory(void **unused) {
    (void)unused;
    enum { SIDE = 100 };
    throng_set_allocator(weighing);
    throng_world *world = make_crowd("none", SIDE, 0.6);
    for (int k = 0; k < 3; k++) throng_world_step(world);
    size_t without = bytes_held;
    throng_world_destroy(world);
    assert_int_equal(bytes_held, 0);

    world = make_crowd("pbd", SIDE, 0.6);
    for (int k = 0; k < 100; k++) throng_world_step(world);
    double each = ((double)bytes_held - (double)without) / (SIDE * SIDE);
    if (each > 512) fail_msg("%g bytes for each", each);
    size_t before = allocations;
    for (int k = 0; k < 20; k++) throng_world_step(world);
    assert_int_equal(allocations, before);
    throng_world_destroy(world);
    assert_int_equal(bytes_held, 0);
    throng_set_allocator(NULL);
}

/* A run in two parts is the run in one. */
static void restart(void **unused) {
    (void)unused;
    throng_world *world = make_crowd("pbd", 12, 0.6), *again = make_crowd("pbd", 12, 0.6);
    for (int k = 0; k < 40; k++) throng_world_step(world);
    throng_checkpoint *middle = throng_world_save(world, NULL);
    for (int k = 0; k < 40; k++) throng_world_step(world);
    throng_error error;
    assert_true(throng_world_load(again, middle, &error));
    for (int k = 0; k < 40; k++) throng_world_step(again);
    assert_true(throng_world_digest(world) == throng_world_digest(again));
    throng_checkpoint_destroy(middle);
    throng_world_destroy(world);
    throng_world_destroy(again);
}

/* ---- what people do */

static throng_agent add_walker(throng_world *world, throng_profile profile, throng_point at, throng_point target,
                               throng_goal *journey) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.radius = 0.25;
    agent.desired_speed = 1.4;
    agent.journey = journey;
    agent.journey_count = 1;
    return throng_world_add_agent(world, &agent);
}

/* Two who meet exactly head-on pass each other, in every mode that looks ahead, whoever they are. */
static void heads_on(void **unused) {
    (void)unused;
    for (int mode = THRONG_PBD_NORMAL; mode <= THRONG_PBD_AVOIDANCE; mode++) {
        for (int seed = 1; seed <= 10; seed++) {
            const throng_setting settings[] = {{.name = "anticipation", .number = mode}};
            options o = {.dt = 1.0 / 24, .threads = 1, .settings = settings, .setting_count = 1};
            throng_profile profile;
            throng_world *world = make_world(&o, &profile);
            throng_goal journey = add_own_goal(world, true);
            for (int skipped = 1; skipped < seed; skipped++) { /* other ids, other numbers */
                throng_agent gone = add_walker(world, profile, (throng_point){0, 90}, (throng_point){0, 91}, &journey);
                throng_world_remove_agent(world, gone);
            }
            add_walker(world, profile, (throng_point){-4, 0}, (throng_point){6, 0}, &journey);
            add_walker(world, profile, (throng_point){4, 0}, (throng_point){-6, 0}, &journey);
            for (int k = 0; k < 24 * 30; k++) throng_world_step(world);
            if (throng_world_view(world).count > 0) fail_msg("mode %d, seed %d: face to face", mode, seed);
            assert_int_equal(throng_world_stats(world).pairs_max, 0);
            throng_world_destroy(world);
        }
    }
}

/* How long before they would meet two who come towards each other first leave their lines by a hundredth of a radius.
 */
static double first_turn(double tau0, double reach) {
    const throng_setting settings[] = {{.name = "tau0", .number = tau0},
                                       {.name = "reach", .number = reach},
                                       {.name = "anticipation", .number = THRONG_PBD_AVOIDANCE},
                                       {.name = "symmetry", .number = 0}};
    options o = {.dt = 1.0 / 24, .threads = 1, .settings = settings, .setting_count = 4};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal journey = add_own_goal(world, true);
    add_walker(world, profile, (throng_point){-8, 0.1}, (throng_point){20, 0.1}, &journey);
    add_walker(world, profile, (throng_point){8, -0.1}, (throng_point){-20, -0.1}, &journey);
    double gap = 16;
    for (throng_view v = throng_world_view(world); fabs(v.y[0] - 0.1) < 0.0025 && gap > 0.5;) {
        throng_world_step(world);
        v = throng_world_view(world);
        gap = v.x[1] - v.x[0];
    }
    throng_world_destroy(world);
    return (gap - 0.5) / 2.8;
}

/* Fig. 4: the larger tau0, the earlier people turn aside, with `reach` as it is. */
static void earlier(void **unused) {
    (void)unused;
    double times[] = {first_turn(5, 40), first_turn(10, 40), first_turn(20, 40), first_turn(20, 8)};
    if (!(times[0] > 0.5 && times[1] > 1.25 * times[0] && times[2] > 1.25 * times[1] && times[3] < 0.6 * times[2]))
        fail_msg("%g, %g, %g, %g s before", times[0], times[1], times[2], times[3]);
}

/* The longest way of two streams that meet, over what their top speed allows in a step. */
static double farthest(double clamp) {
    const throng_setting settings[] = {{.name = "clamp", .number = clamp}};
    options o = {.dt = 1.0 / 24, .threads = 1, .settings = settings, .setting_count = 1};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal journey = add_own_goal(world, true);
    for (int k = 0; k < 60; k++) {
        double side = k % 2 ? 1 : -1, x = side * (3 + 0.6 * (k / 2 % 6)), y = 0.55 * (k / 12) + 0.01 * (k % 5);
        add_walker(world, profile, (throng_point){x, y}, (throng_point){-20 * side, y}, &journey);
    }
    double most = 0, x[60], y[60];
    for (int k = 0; k < 24 * 8; k++) {
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) x[i] = v.x[i], y[i] = v.y[i];
        throng_world_step(world);
        v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++)
            most = fmax(most, hypot(v.x[i] - x[i], v.y[i] - y[i]) * 24 / (1.2 * v.desired_speed[i]));
    }
    assert_true(throng_world_stats(world).deepest_fraction < 0.005);
    throng_world_destroy(world);
    return most;
}

/* Nobody is seen to move faster than its top speed (algorithm 1); contact may push those with the other clamp. */
static void speed_limit(void **unused) {
    (void)unused;
    double whole = farthest(0), before_contact = farthest(1);
    if (!(whole < 1.001 && before_contact > 1.02)) fail_msg("%g, %g", whole, before_contact);
}

/* A block of people who want the same way at speeds of their own walks on as fast as they want on average. */
static void together(void **unused) {
    (void)unused;
    for (int mode = 0; mode < 4; mode++) {
        const throng_setting settings[] = {{.name = "anticipation", .number = mode}, {.name = "hurry", .number = 2}};
        options o = {NULL, 1.0 / 24, 2, THRONG_SIMD_AUTO, settings, 2, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal_def ahead = throng_default_goal_def();
        ahead.kind = THRONG_GOAL_DIRECTION;
        ahead.point = (throng_point){1, 0};
        throng_goal journey = throng_world_add_goal(world, &ahead);
        dice d = {7};
        double start = 0, end = 0, wanted = 0;
        for (int k = 0; k < 200; k++) {
            throng_agent_def agent = throng_default_agent_def();
            agent.at = (throng_point){0.75 * (k % 20) + dice_between(&d, -0.05, 0.05), 0.75 * (k / 20)};
            agent.radius = 0.25;
            agent.desired_speed = dice_between(&d, 1.2, 1.6);
            agent.velocity = (throng_point){agent.desired_speed, 0};
            agent.profile = profile;
            agent.journey = &journey;
            agent.journey_count = 1;
            throng_world_add_agent(world, &agent);
            start += agent.at.x / 200;
            wanted += agent.desired_speed / 200;
        }
        for (int k = 0; k < 480; k++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) end += v.x[i] / 200;
        assert_true(end - start > 0.97 * wanted * 20);
        throng_world_destroy(world);
    }
}

/* How many of 40 people have left after a minute by a door through which they do not fit two abreast. */
static size_t leave_by_narrow_door(double yielding) {
    throng_point corners[] = {{-5, -3}, {0, -3},  {0, -0.4},  {0.3, -0.4}, {0.3, -3}, {3, -3},
                              {3, 3},   {0.3, 3}, {0.3, 0.4}, {0, 0.4},    {0, 3},    {-5, 3}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){corners, 12};
    const throng_setting settings[] = {{.name = "yielding", .number = yielding}};
    options o = {throng_place_create(&def, NULL), 1.0 / 24, 2, THRONG_SIMD_AUTO, settings, 1, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal journey = add_own_goal(world, true);
    dice d = {5};
    for (int k = 0; k < 40; k++) {
        throng_point at = {-0.6 - 0.53 * (k / 8) + dice_between(&d, -0.01, 0.01), -2.1 + 0.6 * (k % 8)};
        add_walker(world, profile, at, (throng_point){1.5, 0}, &journey);
    }
    for (int k = 0; k < 24 * 60; k++) throng_world_step(world);
    size_t left = 40 - throng_world_view(world).count;
    assert_int_equal(throng_world_stats(world).pairs_max, 0);
    throng_world_destroy(world);
    throng_place_destroy((throng_place *)(uintptr_t)o.place);
    return left;
}

/* Arches before a door open when people yield; who presses on for ever stands there. */
static void arches(void **unused) {
    (void)unused;
    size_t pressing = leave_by_narrow_door(0), yielding = leave_by_narrow_door(4);
    if (pressing > 20 || yielding < 30) fail_msg("%zu and %zu left", pressing, yielding);
}

/* Where somebody walks to whom nobody is near; whole numbers begin anew every 512 m, and far-off people make cells
 * wide. */
static throng_view walk_alone(throng_world *world, throng_profile profile, size_t others) {
    throng_goal journey = add_own_goal(world, false);
    const throng_point at[] = {{0, 0}, {512.3, 0.1}, {-512.2, -0.1}, {0, 7000}};
    for (size_t k = 0; k <= others; k++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.profile = profile;
        agent.at = at[k];
        agent.target = (throng_point){at[k].x, at[k].y + 50};
        agent.journey = &journey;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    for (int step = 0; step < 30; step++) throng_world_step(world);
    return throng_world_view(world);
}

static void far_off(void **unused) {
    (void)unused;
    options o = {.dt = 1.0 / 24, .threads = 1};
    throng_profile profile;
    throng_world *alone = make_world(&o, &profile), *scattered = make_world(&o, &profile);
    throng_view one = walk_alone(alone, profile, 0), many = walk_alone(scattered, profile, 3);
    assert_true(one.x[0] == many.x[0] && one.y[0] == many.y[0] && one.y[0] > 1);
    throng_world_destroy(alone);
    throng_world_destroy(scattered);
}

/* Of two who overlap the heavy one moves a thirtieth, and so in contact. */
static void masses(void **unused) {
    (void)unused;
    const throng_setting settings[] = {{.name = "anticipation", .number = THRONG_PBD_NONE},
                                       {.name = "averaging", .number = 1},
                                       {.name = "stability_iterations", .number = 0},
                                       {.name = "clamp", .number = THRONG_PBD_BEFORE_CONTACT},
                                       {.name = "iterations", .number = 1}};
    for (int k = 0; k < 2; k++) {
        options o = {.dt = 0.01, .threads = 1, .settings = settings, .setting_count = 5};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        for (int i = 0; i < 2; i++) {
            throng_agent_def agent = throng_default_agent_def();
            agent.profile = profile;
            agent.at = (throng_point){i * 0.62, 0};
            agent.radius = i ? 0.4 : 0.2;
            agent.mass = i ? 30 : 1;
            agent.desired_speed = 0.1;
            throng_world_add_agent(world, &agent);
        }
        throng_world_step(world);
        throng_view v = throng_world_view(world);
        /* the shell is 0.63 m */
        assert_near(v.x[0], -0.01 * 30 / 31, 1e-7);
        assert_near(v.x[1], 0.62 + 0.01 / 31, 1e-7);
        throng_world_destroy(world);
    }
}

/* Somebody of another model who does not give way is gone around; a wall stops one; a push moves one. */
static void others(void **unused) {
    (void)unused;
    options o = {.dt = 1.0 / 24, .threads = 1};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal journey = add_own_goal(world, true);
    add_walker(world, profile, (throng_point){-4, 0.01}, (throng_point){6, 0}, &journey);
    add_walker(world, 0, (throng_point){4, 0}, (throng_point){-6, 0}, &journey);
    for (int k = 0; k < 24 * 20; k++) throng_world_step(world);
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
    assert_near(throng_world_view(world).vy[1], 1.0 / 24, 3e-3);
    for (int k = 0; k < 24 * 10; k++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    assert_int_equal(v.count, 2);
    assert_near(v.x[0], 2 - 0.25 * 1.05, 1e-5);
    assert_near(v.vy[1], 0.541, 1e-4); /* the push against the wish to stand */
    throng_world_destroy(world);
    throng_place_destroy((throng_place *)(uintptr_t)o.place);
}

/* Who is asked to turns no faster; who is not turns at once. */
static void turning(void **unused) {
    (void)unused;
    const double dt = 1.0 / 24;
    for (int limited = 0; limited < 2; limited++) {
        const throng_setting settings[] = {{.name = "turning_rate", .number = limited ? 1 : 0}};
        options o = {.dt = dt, .threads = 1, .settings = settings, .setting_count = 1};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal journey = add_own_goal(world, false);
        add_walker(world, profile, (throng_point){0, 0}, (throng_point){20, 0}, &journey);
        for (int k = 0; k < 48; k++) throng_world_step(world);
        throng_world_retarget_agent(world, throng_world_view(world).id[0], &journey, 1, (throng_point){2.5, 30});
        throng_view before = throng_world_view(world);
        double angle = atan2(before.vy[0], before.vx[0]), fastest = 0, turned = 0;
        for (int k = 0; k < 72; k++) {
            throng_world_step(world);
            throng_view v = throng_world_view(world);
            double now = atan2(v.vy[0], v.vx[0]);
            fastest = fmax(fastest, fabs(now - angle) / dt);
            turned += now - angle;
            angle = now;
        }
        assert_true(turned > 1.5);
        if (limited ? fastest > 1.001 || fastest < 0.99 : fastest < 2) fail_msg("%g rad/s", fastest);
        throng_world_destroy(world);
    }
}

/* Somebody heavy comes along, seen late: who may not step back does not before it is touched. */
static void stepping_back(void **unused) {
    (void)unused;
    for (int limited = 0; limited < 2; limited++) {
        const throng_setting settings[] = {{.name = "backward_speed", .number = limited ? 0 : 10},
                                           {.name = "anticipation", .number = THRONG_PBD_NORMAL},
                                           {.name = "reach", .number = 8},
                                           {.name = "symmetry", .number = 0},
                                           {.name = "sidestep", .number = 0}};
        options o = {.dt = 1.0 / 24, .threads = 1, .settings = settings, .setting_count = 5};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal journey = add_own_goal(world, false);
        add_walker(world, profile, (throng_point){0, 0}, (throng_point){20, 0}, &journey);
        add_walker(world, 0, (throng_point){4, 0}, (throng_point){-20, 0}, &journey);
        double least = 1;
        for (int k = 0; k < 72; k++) {
            throng_world_step(world);
            throng_view v = throng_world_view(world);
            if (v.x[1] - v.x[0] < 0.55) break;
            least = fmin(least, v.vx[0]);
        }
        if (limited) assert_true(least > -1e-4);
        if (!limited) assert_true(least < -0.05);
        throng_world_destroy(world);
    }
}

/* People of different speeds, seen over a while: how much their distances in the group have changed. */
static double spread(double formation) {
    const throng_setting settings[] = {{.name = "formation", .number = formation}};
    options o = {.dt = 1.0 / 24, .threads = 1, .settings = settings, .setting_count = 1};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){1, 0};
    throng_goal right = throng_world_add_goal(world, &goal);
    for (int i = 0; i < 9; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.profile = profile;
        agent.at = (throng_point){i % 3, i / 3 * 1.2};
        agent.desired_speed = 1 + 0.05 * i;
        agent.journey = &right;
        agent.journey_count = 1;
        agent.group = throng_world_add_group(world, "guard");
        throng_world_add_agent(world, &agent);
    }
    for (int k = 0; k < 240; k++) {
        throng_world_step(world);
        /* saved and brought back by the way */
        throng_checkpoint *c = k == 100 ? throng_world_save(world, NULL) : NULL;
        for (int n = 0; c && n < 5; n++) throng_world_step(world);
        if (c) assert_true(throng_world_load(world, c, NULL));
        throng_checkpoint_destroy(c);
    }
    throng_view v = throng_world_view(world);
    double most = 0;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < i; j++) {
            double before = hypot(i % 3 - j % 3, (i / 3 - j / 3) * 1.2);
            most = fmax(most, fabs(hypot(v.x[i] - v.x[j], v.y[i] - v.y[j]) - before));
        }
    }
    assert_true(v.x[0] > 8);
    throng_world_destroy(world);
    return most;
}

static void formations(void **unused) {
    (void)unused;
    assert_true(spread(0) > 1);
    double kept = spread(0.2);
    if (kept > 0.1) fail_msg("off by %g m", kept);
}

/* Across a seam people see each other as elsewhere: a crowd that is moved by half a period does the same. */
static void seams(void **unused) {
    (void)unused;
    double x[2][20], y[2][20];
    for (int k = 0; k < 2; k++) {
        const throng_setting settings[] = {{.name = "symmetry", .number = 0},
                                           {.name = "anticipation", .number = THRONG_PBD_AVOIDANCE}};
        options o = {.dt = 1.0 / 24, .threads = 1, .settings = settings, .setting_count = 2};
        o.period = (throng_period){.x = true, .low = {0, -50}, .high = {16, 50}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal_def goal = throng_default_goal_def();
        goal.kind = THRONG_GOAL_DIRECTION;
        goal.point = (throng_point){1, 0};
        throng_goal to[2] = {throng_world_add_goal(world, &goal)};
        goal.point = (throng_point){-1, 0};
        to[1] = throng_world_add_goal(world, &goal);
        for (int i = 0; i < 20; i++) {
            double along = 0.8 * i + 8 * k;
            throng_point at = {along >= 16 ? along - 16 : along, 0.3 * (i % 3) + 0.01 * i};
            add_walker(world, profile, at, at, &to[i % 2]);
        }
        for (int n = 0; n < 10; n++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        for (int i = 0; i < 20; i++) x[k][i] = v.x[i], y[k][i] = v.y[i];
        assert_int_equal(throng_world_stats(world).pairs_over_5pct_max, 0);
        throng_world_destroy(world);
    }
    for (int i = 0; i < 20; i++) {
        assert_near(fabs(x[0][i] - x[1][i]), 8, 1e-4);
        assert_near(y[0][i], y[1][i], 1e-4);
    }
}

/* Two in the same place, three in a row touching, somebody in a corner, at any step: nothing breaks. */
static void degenerate(void **unused) {
    (void)unused;
    throng_place *place = make_two_rooms(-4);
    for (int k = 0; k < 4; k++) {
        const double dts[] = {1e-6, 0.01, 1, 60};
        options o = {.place = place, .dt = dts[k], .threads = 1};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal journey = add_own_goal(world, false);
        throng_point at[] = {{-4, 0}, {-4, 0}, {-3.6, 0}, {-3.2, 0}, {-5.8, -3.8}, {-5.99999, -3.99999}, {-3.6, 1e-12}};
        for (size_t i = 0; i < 7; i++)
            add_walker(world, profile, at[i], (throng_point){-4, (double)(i % 3) - 1}, &journey);
        for (int n = 0; n < (k == 3 ? 10 : 200); n++) throng_world_step(world);
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

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),     cmocka_unit_test(oracle),  cmocka_unit_test(same_bits),
        cmocka_unit_test(memory),     cmocka_unit_test(restart), cmocka_unit_test(heads_on),
        cmocka_unit_test(far_off),    cmocka_unit_test(masses),  cmocka_unit_test(together),
        cmocka_unit_test(others),     cmocka_unit_test(turning), cmocka_unit_test(stepping_back),
        cmocka_unit_test(formations), cmocka_unit_test(seams),   cmocka_unit_test(degenerate),
        cmocka_unit_test(arches),     cmocka_unit_test(earlier), cmocka_unit_test(speed_limit),
    };
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
