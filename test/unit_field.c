/* The field's own models: against their oracles and golden files, in all ways to compute them, and by what people do.
 */

#include "checkpoint_common.h"
#include "dice.h"
#include "golden.h"
#include "model_world.h"
#include "oracle_field.h"
#include "two_rooms.h"

enum { MOST = 400, SETTINGS_MOST = 12 };

/* Parameters that differ from their defaults, in a second round of the oracle. */
typedef struct field_model {
    const char *name;
    oracle_point (*oracle)(const oracle_scene *scene, size_t i);
    throng_setting other[SETTINGS_MOST];
    uint64_t digest; /* of the crowd below after 150 steps, on every machine */
} field_model;

static const field_model models[] = {
    {"collision-free-speed",
     oracle_speed,
     {{.name = "headway_time", .number = 0.7},
      {.name = "repulsion", .number = 3},
      {.name = "range", .number = 0.3},
      {.name = "wall_repulsion", .number = 2},
      {.name = "wall_range", .number = 0.2},
      {.name = "neighbour_dist", .number = 1.7},
      {.name = "walls", .number = 1}},
     0x54b731f86811b34cu},
    {"social-force",
     oracle_force,
     {{.name = "relaxation_time", .number = 0.8},
      {.name = "strength", .number = 900},
      {.name = "wall_strength", .number = 500},
      {.name = "range", .number = 0.3},
      {.name = "stiffness", .number = 5e4},
      {.name = "friction", .number = 3e4},
      {.name = "wall_friction", .number = -1e4},
      {.name = "isotropy", .number = 0.2},
      {.name = "neighbour_dist", .number = 1.7},
      {.name = "walls", .number = 1}},
     0xf04a06fd883c2f07u},
};
enum { MODEL_COUNT = sizeof models / sizeof *models };

/* Habits off, and perhaps the other parameters. */
static size_t settings_of(const field_model *m, bool other, throng_setting out[SETTINGS_MOST]) {
    size_t count = 0;
    out[count++] = (throng_setting){.name = "symmetry", .number = 0};
    for (size_t k = 0; other && m->other[k].name; k++) out[count++] = m->other[k];
    return count;
}

/* So many people in both rooms, on their way anywhere. */
static size_t fill_rooms(throng_world *world, throng_profile profile, size_t people, double apart, dice *d) {
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
        agent.profile = count % 7 ? profile : 0; /* some see nobody */
        agent.radius = dice_between(d, 0.15, 0.25);
        agent.mass = dice_between(d, 60, 90);
        agent.desired_speed = dice_between(d, 0.8, 1.6);
        agent.velocity = (throng_point){dice_between(d, -1, 1), dice_between(d, -1, 1)};
        agent.acceleration = (throng_point){dice_between(d, -0.2, 0.2), dice_between(d, -0.2, 0.2)};
        agent.max_speed = 500;
        agent.journey = &journey;
        agent.journey_count = 1;
        agent.target = (throng_point){dice_between(d, -5.5, 5.5), dice_between(d, -2.5, 3.5)};
        throng_world_add_agent(world, &agent);
    }
    return count;
}

/* ---- the oracle */

typedef struct asked {
    oracle_person person[MOST];
    oracle_point wall[TWO_ROOMS_WALLS][2];
    size_t next[TWO_ROOMS_WALLS];
    oracle_scene scene;
} asked;

/* How things stand before a step; wishes are known after it. */
static void ask(asked *a, const throng_world *world) {
    throng_view v = throng_world_view(world);
    throng_point ends[TWO_ROOMS_WALLS][2];
    two_rooms_walls(ends);
    for (size_t k = 0; k < TWO_ROOMS_WALLS; k++) {
        for (int e = 0; e < 2; e++) a->wall[k][e] = (oracle_point){(real)ends[k][e].x, (real)ends[k][e].y};
        a->next[k] = k == 11 ? 0 : k == 14 ? 12 : k == 15 ? 15 : k + 1;
    }
    for (size_t i = 0; i < v.count; i++) {
        a->person[i] = (oracle_person){.x = {(real)v.x[i], (real)v.y[i]},
                                       .v = {(real)v.vx[i], (real)v.vy[i]},
                                       .push = {(real)v.push_x[i], (real)v.push_y[i]},
                                       .radius = (real)v.radius[i],
                                       .mass = (real)v.mass[i],
                                       .speed = (real)v.desired_speed[i],
                                       .foreign = v.profile[i] == 0};
    }
    a->scene = (oracle_scene){.people = v.count, .walls = TWO_ROOMS_WALLS, .wall = a->wall, .next = a->next};
    a->scene.person = a->person;
}

static void learn_wishes(asked *a, const throng_world *world) {
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) {
        a->person[i].wish = (oracle_point){(real)v.wish_x[i], (real)v.wish_y[i]};
        /* the others have decided before */
        if (a->person[i].foreign) a->person[i].v = (oracle_point){(real)v.vx[i], (real)v.vy[i]};
    }
}

static size_t compare_step(const field_model *m, uint64_t seed, bool other) {
    dice d = {seed};
    throng_place *place = make_two_rooms(-3);
    throng_setting settings[SETTINGS_MOST];
    size_t count = settings_of(m, other, settings), compared = 0;
    options o = {place, 0.001, 1, THRONG_SIMD_AUTO, settings, count, {0}};
    throng_profile profile;
    throng_world *world = make_model_world(m->name, &o, &profile);
    fill_rooms(world, profile, 60, seed % 3 ? 0.5 : 0.35, &d);
    static asked a;
    ask(&a, world);
    a.scene.dt = (real)o.dt, a.scene.model = m->name, a.scene.settings = settings, a.scene.setting_count = count;
    throng_world_step(world);
    learn_wishes(&a, world);
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) {
        if (a.person[i].foreign) continue;
        oracle_point next = m->oracle(&a.scene, i);
        if (fabs((double)next.x - v.vx[i]) > 1e-7 * (1 + fabs(v.vx[i])) ||
            fabs((double)next.y - v.vy[i]) > 1e-7 * (1 + fabs(v.vy[i])))
            fail_msg("%s, seed %d, other %d, person %zu at %g, %g: %.9g %.9g, oracle %.9Lg %.9Lg", m->name, (int)seed,
                     other, i, (double)a.person[i].x.x, (double)a.person[i].x.y, v.vx[i], v.vy[i], next.x, next.y);
        compared++;
    }
    throng_world_destroy(world);
    throng_place_destroy(place);
    return compared;
}

static void oracle(void **state) {
    const field_model *m = *state;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= 12; seed++)
        compared += compare_step(m, seed, false) + compare_step(m, seed + 100, true);
    assert_true(compared > 900);
}

/* ---- the golden file */

static void golden(void **state) {
    const field_model *m = *state;
    golden_file g = golden_read(m->name);
    throng_place *place = make_two_rooms(-3);
    throng_setting settings[SETTINGS_MOST];
    size_t count = settings_of(m, false, settings);
    throng_point expected[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {place, g.dt, 1, simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, count, {0}};
        throng_profile profile;
        throng_world *world = make_model_world(m->name, &o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false));
        static asked a;
        ask(&a, world);
        a.scene.dt = (real)g.dt, a.scene.model = m->name;
        throng_world_step(world);
        learn_wishes(&a, world);
        golden_velocities(world, found[simd]);
        for (size_t i = 0; i < g.people; i++) {
            oracle_point next = m->oracle(&a.scene, i);
            expected[i] = (throng_point){(double)next.x, (double)next.y};
        }
        throng_world_destroy(world);
    }
    golden_judge(&g, expected, 1e-8, found[0], found[1], 1e-7);
    throng_place_destroy(place);
}

/* ---- all ways to compute it */

static throng_world *make_crowd(const field_model *m, const throng_place *place, int threads, double dt) {
    dice d = {99};
    options o = {place, dt, threads, THRONG_SIMD_AUTO, NULL, 0, {0}};
    throng_profile profile;
    throng_world *world = make_model_world(m->name, &o, &profile);
    assert_true(fill_rooms(world, profile, 120, 0.5, &d) > 80);
    return world;
}

/* Nobody who sees walls has passed one, however large the steps. */
static void expect_inside(const throng_world *world) {
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) {
        assert_true(isfinite(v.vx[i]) && isfinite(v.vy[i]));
        if (v.profile[i] == 0) continue;
        assert_true(v.x[i] > -6 && v.x[i] < 6 && v.y[i] > -4 && v.y[i] < 4);
        assert_true(fabs(v.y[i]) < 0.6 || v.x[i] < 0 || v.x[i] > 0.4);
    }
    assert_int_equal(throng_world_stats(world).oddities, 0);
}

static void same_bits(void **state) {
    const field_model *m = *state;
    const double dts[] = {0.01, 0.25};
    const int threads[] = {1, 2, 3, 5, 8};
    throng_place *place = make_two_rooms(-3);
    for (int k = 0; k < 2; k++) {
        uint64_t digest = 0;
        for (size_t t = 0; t < 5; t++) {
            throng_world *world = make_crowd(m, place, threads[t], dts[k]), *again = make_crowd(m, place, 2, dts[k]);
            run(world, k ? 4 : 60);
            throng_checkpoint *half = throng_world_save(world, NULL);
            load(again, half);
            run(world, k ? 6 : 90);
            run(again, k ? 6 : 90);
            expect_same(world, again, m->name);
            expect_inside(world);
            if (t > 0) assert_true(throng_world_digest(world) == digest);
            digest = throng_world_digest(world);
            throng_checkpoint_destroy(half);
            throng_world_destroy(world);
            throng_world_destroy(again);
        }
        if (k == 0 && digest != m->digest) fail_msg("%s: the digest is %016llx", m->name, (unsigned long long)digest);
    }
    throng_place_destroy(place);
}

/* ---- what people do */

static throng_agent add_walker(throng_world *world, throng_profile profile, throng_point at, throng_point target,
                               throng_goal *journey) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.radius = 0.2;
    agent.desired_speed = 1.3;
    agent.journey = journey;
    agent.journey_count = 1;
    return throng_world_add_agent(world, &agent);
}

/* Two who meet, one of whom may be of a model that does not yield, pass each other and do not overlap. */
static void meeting(void **state) {
    const field_model *m = *state;
    for (int foreign = 0; foreign < 2; foreign++) {
        options o = {.dt = 0.01, .threads = 1};
        throng_profile profile;
        throng_world *world = make_model_world(m->name, &o, &profile);
        throng_goal journey = add_own_goal(world, true);
        add_walker(world, profile, (throng_point){-4, 0.05}, (throng_point){6, 0}, &journey);
        add_walker(world, foreign ? 0 : profile, (throng_point){4, 0}, (throng_point){-6, 0}, &journey);
        run(world, 3000);
        if (throng_world_view(world).count) fail_msg("%s: they stand face to face", m->name);
        if (!foreign) assert_int_equal(throng_world_stats(world).pairs_max, 0);
        throng_world_destroy(world);
    }
}

/* Who walks behind somebody slower keeps the distance l + T v, and drops to its speed. */
static void following(void **state) {
    const field_model *m = *state;
    if (!throng_model_named(m->name)->own_headway) return;
    options o = {.dt = 0.01, .threads = 1};
    throng_profile profile;
    throng_world *world = make_model_world(m->name, &o, &profile);
    throng_goal journey = add_own_goal(world, true);
    throng_agent slow = add_walker(world, 0, (throng_point){2, 0}, (throng_point){400, 0}, &journey);
    add_walker(world, profile, (throng_point){0, 0}, (throng_point){400, 0}, &journey);
    assert_true(throng_world_set_agent(world, slow, "desired_speed", 0.6));
    run(world, 2000);
    throng_view v = throng_world_view(world);
    assert_near(v.vx[1], 0.6, 0.01);
    assert_near(v.x[0] - v.x[1], 0.4 + 0.6 * throng_model_param(throng_model_named(m->name), 0)->fallback, 0.01);
    assert_int_equal(throng_world_add_profile(world, m->name, &(throng_setting){.name = "pace", .number = 1}, 1), 0);
    assert_non_null(strstr(throng_world_error(world)->text, "headway of their own"));
    throng_world_destroy(world);
}

/* Two in the same place, three in a row touching, somebody in a corner: nothing breaks. */
static void degenerate(void **state) {
    const field_model *m = *state;
    throng_place *place = make_two_rooms(-3);
    const double dts[] = {1e-6, 0.01, 1};
    for (int k = 0; k < 3; k++) {
        options o = {.place = place, .dt = dts[k], .threads = 1};
        throng_profile profile;
        throng_world *world = make_model_world(m->name, &o, &profile);
        throng_goal journey = add_own_goal(world, false);
        throng_point at[] = {{-4, 0}, {-4, 0}, {-3.6, 0}, {-3.2, 0}, {-5.8, -3.8}, {-5.99999, -3.99999}, {-3.6, 1e-12}};
        for (size_t i = 0; i < 7; i++)
            add_walker(world, profile, at[i], (throng_point){-4, (double)(i % 3) - 1}, &journey);
        run(world, 100);
        assert_int_equal(throng_world_view(world).count, 7);
        expect_inside(world);
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* A pillar of many corners repels as one of four does that is as near; piece by piece it repels more. */
static void walls_are_counted_once(void **state) {
    const field_model *m = *state;
    double vy[2][2];
    for (int many = 0; many < 2; many++) {
        throng_point ring[62] = {{1, 0.35}, {3, 0.35}, {3, 1}, {1, 1}};
        for (int k = 1; many && k < 60; k++) ring[k] = (throng_point){1 + k / 30.0, 0.35};
        if (many) ring[60] = (throng_point){3, 1}, ring[61] = (throng_point){1, 1};
        throng_obstacle pillar = {.kind = THRONG_POLYGON, .ring = {ring, many ? 62 : 4}};
        throng_place_def def = throng_default_place_def();
        def.obstacles = &pillar;
        def.obstacle_count = 1;
        throng_place *place = throng_place_create(&def, NULL);
        for (int rule = 0; rule < 2; rule++) {
            throng_setting settings[] = {{.name = "symmetry", .number = 0}, {.name = "walls", .number = rule}};
            options o = {place, 0.01, 1, THRONG_SIMD_AUTO, settings, 2, {0}};
            throng_profile profile;
            throng_world *world = make_model_world(m->name, &o, &profile);
            throng_goal journey = add_own_goal(world, false);
            add_walker(world, profile, (throng_point){2.01, 0.1}, (throng_point){40, 5}, &journey);
            throng_world_step(world);
            vy[many][rule] = throng_world_view(world).vy[0];
            throng_world_destroy(world);
        }
        throng_place_destroy(place);
    }
    assert_near(vy[1][0], vy[0][0], 1e-12);
    assert_near(vy[0][1], vy[0][0], 1e-3);
}

int main(int count, char **words) {
    struct CMUnitTest tests[MODEL_COUNT * 8];
    static char names[MODEL_COUNT * 8][64];
    const struct {
        const char *name;
        void (*test)(void **);
    } parts[] = {
        {"golden", golden},       {"oracle", oracle},         {"same_bits", same_bits},         {"meeting", meeting},
        {"following", following}, {"degenerate", degenerate}, {"walls", walls_are_counted_once}};
    size_t made = 0;
    golden_is_kept = is_keeping(count, words);
    for (size_t m = 0; m < MODEL_COUNT; m++) {
        for (size_t k = 0; k < (golden_is_kept ? 1 : sizeof parts / sizeof *parts); k++, made++) {
            snprintf(names[made], sizeof names[made], "%s: %s", models[m].name, parts[k].name);
            tests[made] = (struct CMUnitTest){
                .name = names[made], .test_func = parts[k].test, .initial_state = (void *)(uintptr_t)&models[m]};
        }
    }
    return _cmocka_run_group_tests("field", tests, made, NULL, NULL);
}
