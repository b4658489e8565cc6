/* The model `cpd`: against the oracle, in all ways to compute it, and by what people do. */

#include "model_params.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "counting.h"
#include "dice.h"
#include "golden.h"
#include "model_world.h"
#include "models/cpd/cpd.h"
#include "models/models.h"
#include "oracle_cpd.h"
#include "world/world.h"

#define GOLDEN_DIGEST 0x3081c2a9720458e8

/* ---- worlds */

static throng_world *make_world(const options *o, throng_profile *profile) {
    return make_model_world("cpd", o, profile);
}

static const throng_cpd *state_of(const throng_world *world) { return model_state(world, &throng_model_cpd); }

static throng_agent add_person(throng_world *world, throng_profile profile, throng_goal goal, throng_point at,
                               throng_point target, throng_point velocity) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.velocity = velocity;
    agent.radius = 0.2;
    agent.desired_speed = 1.4;
    agent.journey = &goal;
    agent.journey_count = goal ? 1 : 0;
    return throng_world_add_agent(world, &agent);
}

static size_t row_of(const throng_world *world, throng_agent id) {
    for (size_t i = 0; i < world->agents.count; i++) {
        if (world->agents.id[i] == id) return i;
    }
    fail_msg("nobody has id %llu", (unsigned long long)id);
    return 0;
}

static throng_place *make_room(double width, double height, throng_obstacle *obstacles, size_t count) {
    const throng_point corners[] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    return make_place(corners, 4, obstacles, count);
}

/* ---- the oracle */

/* A hall with a pillar and a wall without thickness. */
static const throng_point pillar[] = {{8.03, 4.11}, {10.27, 4.61}, {9.64, 6.73}, {7.52, 6.17}};
static const throng_point thin[] = {{14.32, 0}, {17.87, 7.4}};

static throng_place *make_hall(void) {
    throng_point corners[4], ends[2];
    memcpy(corners, pillar, sizeof corners);
    memcpy(ends, thin, sizeof ends);
    throng_obstacle obstacles[] = {{.kind = THRONG_POLYGON, .ring = {corners, 4}},
                                   {.kind = THRONG_LINE, .ring = {ends, 2}}};
    return make_room(26, 16, obstacles, 2);
}

static double side(throng_point a, throng_point b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static bool hall_is_solid(double x, double y) {
    bool in_pillar = true;
    for (int k = 0; k < 4; k++) in_pillar = in_pillar && side(pillar[k], pillar[(k + 1) % 4], x, y) > 0;
    return in_pillar || x < 0 || y < 0 || x > 26 || y > 16;
}

/* Whether the thin wall takes a pixel: it passes between its middle and that of the next one, nearer to it. */
static bool hall_is_taken(const void *context, double x, double y) {
    const double pixel = *(const double *)context;
    static const int next[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    if (hall_is_solid(x, y)) return true;
    for (int k = 0; k < 4; k++) {
        double nx = x + pixel * next[k][0], ny = y + pixel * next[k][1];
        if (hall_is_solid(nx, ny)) continue;
        double here = side(thin[0], thin[1], x, y), there = side(thin[0], thin[1], nx, ny);
        throng_point p = {x, y}, q = {nx, ny};
        double low = side(p, q, thin[0].x, thin[0].y), high = side(p, q, thin[1].x, thin[1].y);
        if ((here > 0) != (there > 0) && (low > 0) != (high > 0) && fabs(here) < fabs(there)) return true;
    }
    return false;
}

/* Whether a wall is between two points. */
static bool hall_hides(const void *context, double x, double y, double px, double py) {
    (void)context;
    static const throng_point corners[] = {{0, 0}, {26, 0}, {26, 16}, {0, 16}};
    throng_point p = {x, y}, q = {px, py};
    for (int k = 0; k < 9; k++) {
        throng_point a = k < 4 ? pillar[k] : k < 8 ? corners[k - 4] : thin[0];
        throng_point b = k < 4 ? pillar[(k + 1) % 4] : k < 8 ? corners[(k - 3) % 4] : thin[1];
        if ((side(a, b, x, y) > 0) != (side(a, b, px, py) > 0) &&
            (side(p, q, a.x, a.y) > 0) != (side(p, q, b.x, b.y) > 0))
            return true;
    }
    return false;
}

typedef struct trial {
    double pixel, front, active, weight, space;
    int people;
    double blind, keep_right;
    bool mapped;
} trial;

/* Weights for adults: heavier on the right, little behind. */
static const double map_of_adults[] = {1, 2, 4, 0, 1, 3, 0, 0.5, 0.5, 0.2, 0, 1};
enum { MAP_ROWS = 4, MAP_COLUMNS = 3 };

static void fill_oracle(oracle_map *m, const trial *t, const throng_world *world, throng_profile child) {
    throng_cpd_params law;
    assert_true(fill_params(&throng_model_cpd, &law, NULL, 0));
    memset(m, 0, sizeof *m);
    m->pixel = t->pixel;
    m->low_x = m->low_y = -2 * t->pixel * 10;
    m->alpha = law.alpha, m->beta = law.beta, m->gamma = law.gamma, m->gain = law.gain;
    m->resistance = law.resistance, m->resistance_dense = law.resistance_dense;
    m->resistance_packed = law.resistance_packed;
    m->jam = law.jam_density, m->steepness = law.steepness;
    m->t = 0.1;
    m->tap_step = (int)floor(law.smoothing / t->pixel + 0.5);
    m->wall = hall_is_taken;
    m->hidden = hall_hides;
    m->context = &t->pixel;
    const throng_columns *a = &world->agents;
    m->people = a->count;
    for (size_t i = 0; i < a->count; i++) {
        oracle_person *q = &m->person[i];
        q->x = a->x[i], q->y = a->y[i], q->vx = a->vx[i], q->vy = a->vy[i];
        q->speed = a->desired_speed[i];
        q->foreign = a->profile[i] == 0;
        q->space = t->space, q->front = t->front;
        q->active = q->foreign ? 1 : t->active;
        q->blind = q->foreign ? 0 : t->blind;
        q->keep_right = q->foreign ? 0 : t->keep_right;
        q->weight = a->profile[i] == child ? 0 : t->weight; /* others have the first profile's, an adult's */
        if (t->mapped && !q->foreign && a->profile[i] != child)
            q->map = map_of_adults, q->map_rows = MAP_ROWS, q->map_columns = MAP_COLUMNS;
    }
}

static void compare(const trial *t, const oracle_map *m, const throng_world *world, const throng_agent *ids,
                    double *worst) {
    const throng_cpd *s = state_of(world);
    size_t off = 0;
    for (size_t i = 0; i < m->people; i++) {
        const oracle_person *q = &m->person[i];
        size_t row = row_of(world, ids[i]);
        uint32_t slot = s->near->slot[row];
        double pixels = fabs((double)s->area[slot] - q->area) / (t->pixel * t->pixel);
        double force = hypot(s->force_x[slot] - q->force_x, s->force_y[slot] - q->force_y);
        if (pixels * t->pixel * t->pixel > q->doubt + 1e-6)
            fail_msg("person %zu has %.9g m2, expected %.9g", i, (double)s->area[slot], q->area);
        if (q->doubt > 0) {
            off++;
            continue;
        }
        *worst = fmax(*worst, force);
        if (force > (q->map_rows > 0 ? 1e-5 : 1e-9)) /* weights are rounded */
            fail_msg("person %zu: force (%g, %g), expected (%g, %g)", i, s->force_x[slot], s->force_y[slot], q->force_x,
                     q->force_y);
        if (q->foreign) continue;
        assert_near((double)s->smooth[slot], q->smooth, 1e-5);
        bool near_wall = throng_walls_depth(world->walls, q->x, q->y, 1) < 0.4;
        if (!near_wall) {
            double near = q->map_rows > 0 ? 1e-4 : 1e-5;
            assert_near(world->agents.vx[row], q->next_vx, near);
            assert_near(world->agents.vy[row], q->next_vy, near);
        }
    }
    if (off > m->people / 20) fail_msg("%zu of %zu people have pixels of doubt", off, m->people);
}

static void oracle(void **unused) {
    (void)unused;
    static const trial trials[] = {{0.1, 0.4, 1, 0, 0.9, 60, 0, 0, false},
                                   {0.1, 0.4, 1, 0, 0.9, 500, 0, 0, false},
                                   {0.1, 0.4, 0.5, 0, 0.9, 250, 0, 0, false},
                                   {0.1, 0.4, 1, 0.2, 0.9, 300, 0, 0, false},
                                   {0.1, 0, 1, 0, 0.6, 300, 0, 0, false},
                                   {0.17, 0.6, 0, 0.3, 0.8, 200, 0, 0, false},
                                   {0.1, 0.4, 1, 0, 0.9, 300, 0.6, 0, false},
                                   {0.1, 0.4, 1, 0, 0.9, 250, 0, 0.5, false},
                                   {0.1, 0.4, 0.5, 0.2, 0.9, 250, 0.3, -0.75, false},
                                   {0.1, 0.4, 1, 0, 0.9, 300, 0, 0, true},
                                   {0.13, 0.4, 0.6, 0.15, 0.9, 250, 0.3, 0.5, true}};
    static oracle_map m;
    double worst = 0;
    for (size_t n = 0; n < sizeof trials / sizeof *trials; n++) {
        const trial *t = &trials[n];
        const throng_setting settings[] = {{.name = "pixel", .number = t->pixel},
                                           {.name = "front", .number = t->front},
                                           {.name = "active", .number = t->active},
                                           {.name = "noise", .number = 0},
                                           {.name = "space", .number = t->space},
                                           {.name = "blind", .number = t->blind},
                                           {.name = "spared_right", .number = t->keep_right},
                                           {.name = "weight", .number = t->weight}};
        throng_place *place = make_hall();
        options o = {place, 0.1, 2, n % 2 ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 8, {0}};
        throng_profile adult, child;
        throng_world *world = make_world(&o, &adult);
        child = throng_world_add_profile(world, "cpd", settings, 7);
        if (t->mapped) {
            throng_setting more[9];
            memcpy(more, settings, sizeof settings);
            throng_map map = throng_world_add_weight_map(world, map_of_adults, MAP_ROWS, MAP_COLUMNS);
            more[8] = (throng_setting){.name = "weight_map", .number = map};
            adult = throng_world_add_profile(world, "cpd", more, 9);
            assert_true(adult > 0);
        }
        throng_goal goal = add_own_goal(world, false);
        dice d = {n + 3};
        throng_agent ids[ORACLE_PEOPLE];
        for (int k = 0; k < t->people; k++) {
            throng_point at = {dice_between(&d, 0.3, 25.7), dice_between(&d, 0.3, 15.7)}, v;
            v = (throng_point){dice_between(&d, -1, 1), dice_between(&d, -1, 1)};
            if (throng_walls_depth(world->walls, at.x, at.y, 1) < 0.21) continue;
            bool first = world->agents.count == 0;
            throng_profile profile = k % 8 == 7 && !first ? 0 : k % 2 && !first ? child : adult;
            add_person(world, profile, goal, at, (throng_point){dice_between(&d, 1, 25), dice_between(&d, 1, 15)}, v);
        }
        fill_oracle(&m, t, world, child);
        for (size_t i = 0; i < m.people; i++) ids[i] = world->agents.id[i];
        throng_world_step(world);
        for (size_t i = 0; i < m.people; i++) {
            size_t row = row_of(world, ids[i]);
            m.person[i].wish_x = world->agents.wish_x[row];
            m.person[i].wish_y = world->agents.wish_y[row];
            /* those of other models have decided before: their way in this step is what is known of them */
            if (m.person[i].foreign) m.person[i].vx = world->agents.vx[row], m.person[i].vy = world->agents.vy[row];
        }
        oracle_step(&m);
        compare(t, &m, world, ids, &worst);
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

/* ---- the golden file */

static void golden(void **unused) {
    (void)unused;
    golden_file g = golden_read("cpd");
    const trial t = {.pixel = 0.1, .front = 0.4, .active = 1, .space = 0.9};
    const throng_setting settings[] = {{.name = "pixel", .number = t.pixel},
                                       {.name = "front", .number = t.front},
                                       {.name = "active", .number = t.active},
                                       {.name = "space", .number = t.space},
                                       {.name = "noise", .number = 0}};
    throng_place *place = make_hall();
    throng_point expected[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {place, g.dt, 1, simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, settings, 5, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false));
        static oracle_map m;
        fill_oracle(&m, &t, world, profile + 1);
        throng_world_step(world);
        golden_velocities(world, found[simd]);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < g.people; i++) {
            m.person[i].x = g.in[i][0], m.person[i].y = g.in[i][1];
            m.person[i].vx = g.in[i][2], m.person[i].vy = g.in[i][3];
            m.person[i].wish_x = v.wish_x[i], m.person[i].wish_y = v.wish_y[i];
        }
        oracle_step(&m);
        for (size_t i = 0; i < g.people; i++) {
            assert_true(m.person[i].doubt == 0);
            expected[i] = (throng_point){m.person[i].next_vx, m.person[i].next_vy};
        }
        throng_world_destroy(world);
    }
    golden_judge(&g, expected, 1e-9, found[0], found[1], 1e-7);
    throng_place_destroy(place);
}

/* ---- somebody alone */

/* No force on itself, wherever it stands in its pixel and however fast it goes; and its speed is what it wants. */
static void alone(void **unused) {
    (void)unused;
    const throng_setting quiet[] = {{.name = "noise", .number = 0}};
    for (int variant = 0; variant < 24; variant++) {
        options o = {NULL, 0.1, 1, variant % 2 ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, quiet, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        double angle = 0.27 * variant;
        add_person(world, profile, goal, (throng_point){0.013 * variant, -0.07 * variant},
                   (throng_point){1000 * cos(angle), 1000 * sin(angle)}, (throng_point){0, 0});
        const throng_cpd *s = NULL;
        for (int k = 0; k < 100; k++) {
            throng_world_step(world);
            s = state_of(world);
            assert_true(hypot(s->force_x[0], s->force_y[0]) <= 1e-9);
        }
        throng_view v = throng_world_view(world);
        assert_near(hypot(v.vx[0], v.vy[0]), 1.4, 0.014);
        throng_world_destroy(world);
    }
}

/* Somebody beside a wall, for a step; `radius` is that of its space. Returns how fast it steps aside. */
static double step_aside(double space, double variety, throng_simd simd, double *radius) {
    const throng_setting settings[] = {{.name = "noise", .number = 0},
                                       {.name = "space", .number = space},
                                       {.name = "space_variety", .number = variety},
                                       {.name = "front", .number = 0},
                                       {.name = "pixel", .number = 0.02}};
    throng_place *place = make_room(20, 16, NULL, 0);
    options o = {place, 0.1, 1, simd, settings, 5, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, profile, goal, (throng_point){10, 0.3}, (throng_point){19, 0.3}, (throng_point){0, 0});
    throng_world_step(world);
    *radius = sqrt((double)state_of(world)->body[0].radius2) * 0.02;
    double found = throng_world_view(world).vy[0];
    throng_world_destroy(world);
    throng_place_destroy(place);
    return found;
}

/* Whose space is larger or smaller than its profile says answers as one of a profile with such a space. */
static void own_radius(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double radius, same, expected, found = step_aside(0.9, 0.6, k ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN, &radius);
        assert_true(fabs(radius - 0.9) > 0.1);
        expected = step_aside(radius, 0, THRONG_SIMD_AUTO, &same);
        assert_near(same, radius, 1e-6);
        assert_true(found > 0.05);
        assert_near(found, expected, 0.01 * fabs(expected));
    }
}

/* How long a step of the world is changes little. */
static void substeps(void **unused) {
    (void)unused;
    const throng_setting quiet[] = {{.name = "noise", .number = 0}};
    double end[3];
    const double dt[] = {0.1, 0.5, 1};
    for (int k = 0; k < 3; k++) {
        options o = {NULL, dt[k], 1, THRONG_SIMD_AUTO, quiet, 1, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        throng_agent one =
            add_person(world, profile, goal, (throng_point){0, 0}, (throng_point){500, 0}, (throng_point){0, 0});
        add_person(world, profile, goal, (throng_point){9, 0.3}, (throng_point){-500, 0.3}, (throng_point){0, 0});
        while (throng_world_time(world) < 9.99) throng_world_step(world);
        end[k] = world->agents.x[row_of(world, one)];
        throng_world_destroy(world);
    }
    assert_near(end[1], end[0], 0.02);
    assert_near(end[2], end[0], 0.02);
}

/* ---- what people do */

/* Two who meet head-on: how far either is pushed aside. */
static void meet(double weight, double *adult_aside, double *child_aside) {
    const throng_setting heavy[] = {{.name = "noise", .number = 0}, {.name = "weight", .number = weight}};
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, heavy, 2, {0}};
    throng_profile adult, child;
    throng_world *world = make_world(&o, &adult);
    child = throng_world_add_profile(world, "cpd", heavy, 1);
    throng_goal goal = add_own_goal(world, false);
    throng_agent a =
        add_person(world, adult, goal, (throng_point){-6, 0.05}, (throng_point){60, 0.05}, (throng_point){1.4, 0});
    throng_agent c =
        add_person(world, child, goal, (throng_point){6, -0.05}, (throng_point){-60, -0.05}, (throng_point){-1.4, 0});
    *adult_aside = *child_aside = 0;
    for (int k = 0; k < 120; k++) {
        throng_world_step(world);
        *adult_aside = fmax(*adult_aside, fabs(world->agents.y[row_of(world, a)] - 0.05));
        *child_aside = fmax(*child_aside, fabs(world->agents.y[row_of(world, c)] + 0.05));
    }
    throng_world_destroy(world);
}

/* Two who meet head-on, exactly or nearly: how far the first goes to its right, and how far either goes aside. */
static void meet_like(const throng_setting *first, double offset, double *right, double aside[2]) {
    const throng_setting quiet[] = {{.name = "noise", .number = 0}, *first};
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, quiet, 2, {0}};
    throng_profile one, other;
    throng_world *world = make_world(&o, &one);
    other = throng_world_add_profile(world, "cpd", quiet, 1);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, one, goal, (throng_point){-6, offset}, (throng_point){60, offset}, (throng_point){1.4, 0});
    add_person(world, other, goal, (throng_point){6, -offset}, (throng_point){-60, -offset}, (throng_point){-1.4, 0});
    *right = aside[0] = aside[1] = 0;
    for (int k = 0; k < 60; k++) {
        throng_world_step(world);
        const double *y = world->agents.y;
        *right = fmax(*right, offset - y[0]);
        aside[0] = fmax(aside[0], fabs(y[0] - offset));
        aside[1] = fmax(aside[1], fabs(y[1] + offset));
    }
    throng_world_destroy(world);
}

/* Who does not look far ahead yields less than who does, and who keeps right passes on the right. */
static void kernels(void **unused) {
    (void)unused;
    double right, even[2], distracted[2], biased[2], mirrored[2];
    meet_like(&(throng_setting){.name = "blind", .number = 0}, 0.1, &right, even);
    assert_near(even[0], even[1], 0.05);
    meet_like(&(throng_setting){.name = "blind", .number = 0.8}, 0.1, &right, distracted);
    assert_true(distracted[0] < 0.7 * even[0] && distracted[0] < 0.7 * distracted[1]);
    meet_like(&(throng_setting){.name = "spared_right", .number = 0.8}, 0, &right, biased);
    assert_true(right > 0.8 && biased[1] < biased[0]);
    meet_like(&(throng_setting){.name = "spared_right", .number = -0.8}, 0, &right, mirrored);
    assert_true(right < 1e-9);
    assert_near(mirrored[0], biased[0], 1e-6);
}

static void weights(void **unused) {
    (void)unused;
    double adult[3], child[3];
    for (int k = 0; k < 3; k++) meet(0.2 * k, &adult[k], &child[k]);
    assert_near(adult[0], child[0], 0.1);
    for (int k = 1; k < 3; k++) {
        if (child[k] <= child[k - 1] || adult[k] >= adult[k - 1])
            fail_msg("weight %g: adult %g m aside, child %g m", 0.2 * k, adult[k], child[k]);
    }
    assert_true(child[2] > 1.5 * adult[2]);
}

/* A crowd presses through a door at long and short steps: nobody gets into a wall or through one. */
static void walls(void **unused) {
    (void)unused;
    for (int variant = 0; variant < 4; variant++) {
        throng_point line[] = {{6, 0}, {9.4, 12}}, door[] = {{12, 0}, {12, 7}}, rest[] = {{12, 8.1}, {12, 12}};
        throng_obstacle lines[] = {{.kind = THRONG_LINE, .ring = {line, 2}},
                                   {.kind = THRONG_LINE, .ring = {door, 2}},
                                   {.kind = THRONG_LINE, .ring = {rest, 2}}};
        throng_place *place = make_room(20, 12, lines, 3);
        options o = {place, variant % 2 ? 0.5 : 0.1, 1, THRONG_SIMD_AUTO, NULL, 0, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        dice d = {(uint64_t)variant};
        size_t count = 0, left = 0, still = 0;
        for (int k = 0; k < 500; k++) {
            throng_point p = {dice_between(&d, 0.3, 11.7), dice_between(&d, 0.3, 11.7)};
            if (throng_walls_depth(world->walls, p.x, p.y, 1) < 0.2) continue;
            bool is_left = side(line[0], line[1], p.x, p.y) > 0;
            add_person(world, profile, goal, p, (throng_point){is_left ? 18 : 15, 7.5}, (throng_point){0, 0});
            count++;
            left += is_left;
        }
        for (int k = 0; k < (variant % 2 ? 40 : 200); k++) {
            throng_world_step(world);
            for (size_t i = 0; i < world->agents.count; i++)
                assert_true(throng_walls_inside(world->walls, world->agents.x[i], world->agents.y[i]));
        }
        assert_int_equal(world->agents.count, count);
        for (size_t i = 0; i < count; i++) still += side(line[0], line[1], world->agents.x[i], world->agents.y[i]) > 0;
        assert_int_equal(still, left);
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

/* Whether the pixel of a place is an obstacle's in the map. */
static bool is_blocked(const throng_cpd *s, double x, double y) {
    double c = floor((x - s->origin_x) / s->pixel), r = floor((y - s->origin_y) / s->pixel);
    int32_t column = (int32_t)floor(c / THRONG_CPD_WIDTH), row = (int32_t)floor(r / THRONG_CPD_HEIGHT);
    const throng_cpd_tile *tile = throng_cpd_find_tile(s, column, row);
    assert_non_null(tile);
    int at = (int)c - THRONG_CPD_WIDTH * column;
    return tile->blocked[(int)r - THRONG_CPD_HEIGHT * row][at / 64] >> at % 64 & 1;
}

/* A gate goes away and a bar moves through the crowd: the map follows from one step to the next, and nobody gets into
 * them. */
static void gates(void **unused) {
    (void)unused;
    throng_scenario_def def = throng_default_scenario_def();
    def.path = "gates";
    def.text =
        "{\"throng\": 1, \"name\": \"gates\", \"dt\": 0.1, \"duration\": 60, \"model\": \"cpd\","
        "\"walkable_area\": [[0,0],[20,0],[20,4],[0,4]],"
        "\"obstacles\": [{\"id\": \"gate\", \"polygon\": [[10,0],[10.2,0],[10.2,4],[10,4]]},"
        "  {\"id\": \"bar\", \"polygon\": [[14,1],[14.3,1],[14.3,3],[14,3]]}],"
        "\"goals\": {\"out\": {\"polygon\": [[19,0],[20,0],[20,4],[19,4]], \"exit\": true}},"
        "\"agents\": [{\"in\": [[1,0.3],[9,0.3],[9,3.7],[1,3.7]], \"count\": 60, \"goal\": \"out\"}],"
        "\"events\": [{\"time\": 6, \"remove\": \"gate\"},"
        "  {\"time\": 8, \"move\": \"bar\", \"by\": [-3,0], \"during\": 6}]}";
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(&def, report);
    assert_non_null(scenario);
    throng_run_def run = throng_default_run_def();
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    assert_non_null(world);
    for (int step = 0; step < 600 && world->agents.count > 0; step++) {
        throng_world_step(world);
        if (step == 50) assert_true(is_blocked(state_of(world), 10.1, 2));
        if (step == 62) assert_false(is_blocked(state_of(world), 10.1, 2));
        for (size_t i = 0; i < world->agents.count; i++)
            assert_true(throng_walls_inside(world->walls, world->agents.x[i], world->agents.y[i]));
    }
    assert_int_equal(world->agents.count, 0);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}

/* Who has bodies keeps them apart, however much all want to one place. */
static void hard_core(void **unused) {
    (void)unused;
    const throng_setting hard[] = {{.name = "hard_core", .number = 1}};
    throng_place *place = make_room(30, 30, NULL, 0);
    options o = {place, 0.1, 2, THRONG_SIMD_AUTO, hard, 1, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    dice d = {5};
    for (int k = 0; k < 300; k++)
        add_person(world, profile, goal,
                   (throng_point){3 + 1.2 * (k % 20) + dice_between(&d, -0.3, 0.3), 4 + 1.4 * (k / 20)},
                   (throng_point){15, 15}, (throng_point){0, 0});
    for (int k = 0; k < 250; k++) throng_world_step(world);
    throng_stats stats = throng_world_stats(world);
    if (stats.pairs_max > 0) fail_msg("%zu pairs overlap", (size_t)stats.pairs_max);
    double mean = 0;
    for (size_t i = 0; i < 300; i++) mean += hypot(world->agents.x[i] - 15, world->agents.y[i] - 15) / 300;
    assert_true(mean < 7); /* they have come */
    throng_world_destroy(world);
    throng_place_destroy(place);
}

/* ---- looking ahead */

/* What two streams of few people lose of their spaces, and how far they get, when they go through each other. */
typedef struct passage {
    double lost_s; /* s, all people, with less than 2.3 m^2 */
    double walked; /* m, all people, along their ways */
    double aside;  /* m, all people, off them */
} passage;

static void pass_streams(const char *long_range, uint64_t seed, passage *sum) {
    enum { PEOPLE = 60 };
    const throng_setting ahead[] = {{.name = "long_range", .word = long_range}};
    options o = {NULL, 0.1, 2, THRONG_SIMD_AUTO, ahead, 1, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    dice d = {seed};
    throng_point from[PEOPLE];
    double area[PEOPLE];
    for (int k = 0; k < PEOPLE; k++) { /* a row of three every 3 m */
        double x = -4 - 3 * (k / 6) + dice_between(&d, -0.7, 0.7), y = 4 * (k / 2 % 3) + dice_between(&d, -1, 1);
        double way = k % 2 ? 1 : -1;
        from[k] = (throng_point){way * x, y};
        add_person(world, profile, goal, from[k], (throng_point){way * 900, y}, (throng_point){way * 1.4, 0});
    }
    want(world, "area");
    for (int step = 0; step < 250; step++) {
        throng_world_step(world);
        quantity_values(world, "area", area);
        for (int k = 0; k < PEOPLE; k++) sum->lost_s += area[k] < 2.3 ? 0.1 : 0;
    }
    throng_view v = throng_world_view(world);
    for (int k = 0; k < PEOPLE; k++) {
        sum->walked += (k % 2 ? 1 : -1) * (v.x[k] - from[k].x);
        sum->aside += fabs(v.y[k] - from[k].y);
    }
    throng_world_destroy(world);
}

/* How far two who meet head-on are aside of their ways when they are still 3.3 m apart: farther than spaces reach. */
static double aside_before_meeting(const char *long_range) {
    const throng_setting quiet[] = {{.name = "noise", .number = 0}, {.name = "long_range", .word = long_range}};
    options o = {NULL, 0.1, 1, THRONG_SIMD_AUTO, quiet, 2, {0}};
    throng_profile profile;
    throng_world *world = make_world(&o, &profile);
    throng_goal goal = add_own_goal(world, false);
    add_person(world, profile, goal, (throng_point){-6, 0.05}, (throng_point){60, 0.05}, (throng_point){1.4, 0});
    add_person(world, profile, goal, (throng_point){6, -0.05}, (throng_point){-60, -0.05}, (throng_point){-1.4, 0});
    const throng_columns *a = &world->agents;
    while (a->x[1] - a->x[0] > 3.3) throng_world_step(world);
    double aside = fmin(a->y[0] - 0.05, -0.05 - a->y[1]);
    throng_world_destroy(world);
    return aside;
}

static void long_range(void **unused) {
    (void)unused;
    assert_true(aside_before_meeting("none") < 1e-9);
    double aside = aside_before_meeting("orca");
    if (!(aside > 0.02)) fail_msg("%g m aside", aside);
    passage none = {0}, orca = {0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        pass_streams("none", seed, &none);
        pass_streams("orca", seed, &orca);
    }
    if (orca.lost_s > 0.85 * none.lost_s) fail_msg("%g s of lost space, %g s without", orca.lost_s, none.lost_s);
    if (orca.walked < 0.999 * none.walked) fail_msg("%g m, %g m without", orca.walked, none.walked);
    if (orca.aside > 1.02 * none.aside) fail_msg("%g m aside, %g m without", orca.aside, none.aside);
}

/* ---- the same in all ways */

/* Adults look ahead as told; children never do. */
static throng_world *make_crowd(const char *long_range, int threads, throng_simd simd, double dt) {
    throng_place *place = make_hall();
    const throng_setting ahead[] = {{.name = "long_range", .word = long_range}};
    options o = {place, dt, threads, simd, ahead, 1, {0}};
    throng_profile profile, child;
    throng_world *world = make_world(&o, &profile);
    throng_place_destroy(place);
    const throng_setting small[] = {{.name = "space", .number = 0.7},
                                    {.name = "weight", .number = 0.1},
                                    {.name = "variety", .number = 0.3},
                                    {.name = "space_variety", .number = 0.2},
                                    {.name = "hard_core", .number = 1}};
    child = throng_world_add_profile(world, "cpd", small, 5);
    throng_goal goal = add_own_goal(world, false);
    dice d = {21};
    for (int k = 0; k < 600; k++) {
        throng_point at = {dice_between(&d, 0.3, 25.7), dice_between(&d, 0.3, 15.7)};
        if (throng_walls_depth(world->walls, at.x, at.y, 1) < 0.21) continue;
        add_person(world,
                   k % 9 == 8 ? 0
                   : k % 4    ? profile
                              : child,
                   goal, at, (throng_point){26 - at.x, 16 - at.y}, (throng_point){0, 0});
    }
    return world;
}

static uint64_t run_crowd(const char *long_range, int threads, throng_simd simd) {
    throng_world *world = make_crowd(long_range, threads, simd, 0.2);
    for (int k = 0; k < 30; k++) throng_world_step(world);
    uint64_t digest = throng_world_digest(world);
    throng_world_destroy(world);
    return digest;
}

static void digests(void **unused) {
    (void)unused;
    const int threads[] = {1, 2, 3, 5, 8};
    uint64_t one = run_crowd("none", 1, THRONG_SIMD_PLAIN), ahead = run_crowd("orca", 1, THRONG_SIMD_PLAIN);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(run_crowd("none", threads[k], THRONG_SIMD_AUTO), one);
        assert_int_equal(run_crowd("orca", threads[k], THRONG_SIMD_AUTO), ahead);
    }
    assert_true(ahead != one);
    if (one != GOLDEN_DIGEST) fail_msg("digest 0x%016llx", (unsigned long long)one);
}

/* A world that is set back to an earlier state goes on as it did from there. */
static void set_back(const char *long_range) {
    throng_world *world = make_crowd(long_range, 2, THRONG_SIMD_AUTO, 0.1);
    for (int k = 0; k < 20; k++) throng_world_step(world);
    throng_checkpoint *kept = throng_world_save(world, NULL);
    assert_non_null(kept);
    for (int k = 0; k < 20; k++) throng_world_step(world);
    uint64_t digest = throng_world_digest(world);
    for (int k = 0; k < 15; k++) throng_world_step(world);
    assert_true(throng_world_load(world, kept, NULL));
    for (int k = 0; k < 20; k++) throng_world_step(world);
    assert_int_equal(throng_world_digest(world), digest);
    throng_checkpoint_destroy(kept);
    throng_world_destroy(world);
}

static void restart(void **unused) {
    (void)unused;
    set_back("none");
    set_back("orca");
}

/* A crowd that has found its size asks for no more memory. */
static void memory(void **unused) {
    (void)unused;
    throng_set_allocator(counting);
    throng_world *world = make_crowd("orca", 2, THRONG_SIMD_AUTO, 0.1);
    for (int k = 0; k < 300; k++) throng_world_step(world);
    allocations = 0;
    for (int k = 0; k < 60; k++) throng_world_step(world);
    assert_int_equal(allocations, 0);
    throng_world_destroy(world);
    throng_set_allocator(NULL);
}

/* People kilometres apart, or all at one point: the map is only where they are, and nothing breaks. */
static void scattered(void **unused) {
    (void)unused;
    for (int variant = 0; variant < 2; variant++) {
        options o = {NULL, 0.1, 2, THRONG_SIMD_AUTO, NULL, 0, {0}};
        throng_profile profile;
        throng_world *world = make_world(&o, &profile);
        throng_goal goal = add_own_goal(world, false);
        dice d = {(uint64_t)variant};
        for (int k = 0; k < 60; k++) {
            throng_point p = {dice_between(&d, -9e7, 9e7), dice_between(&d, -9e7, 9e7)};
            if (variant == 1) p = (throng_point){3, 4};
            add_person(world, profile, goal, p, (throng_point){p.x + 50, p.y}, (throng_point){0, 0});
        }
        for (int k = 0; k < 50; k++) throng_world_step(world);
        assert_int_equal(throng_world_stats(world).oddities, 0);
        assert_true(state_of(world)->used_count <= 240);
        throng_view v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) assert_true(isfinite(v.x[i] + v.y[i]));
        throng_world_destroy(world);
    }
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),    cmocka_unit_test(oracle),     cmocka_unit_test(alone),
        cmocka_unit_test(substeps),  cmocka_unit_test(weights),    cmocka_unit_test(kernels),
        cmocka_unit_test(walls),     cmocka_unit_test(gates),      cmocka_unit_test(hard_core),
        cmocka_unit_test(digests),   cmocka_unit_test(restart),    cmocka_unit_test(memory),
        cmocka_unit_test(scattered), cmocka_unit_test(long_range), cmocka_unit_test(own_radius),
    };
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
