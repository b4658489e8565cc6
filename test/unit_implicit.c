/* The model `implicit` as a whole: in all ways to compute it, and by what people do. Gaps are measured here, on the
 * straight ways within steps, with nothing of the library. */

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

#include "counting.h"
#include "dice.h"
#include "implicit_world.h"

enum { MOST = 400 };

#define GOLDEN_HASH 0x70460800beb4fa6cu /* of the crowd below after 60 steps, on every machine */

/* A corridor along x, of which people fill a part from both sides. */
static throng_place *make_corridor(double length, double width) {
    throng_point corners[4] = {{-length, -width}, {length, -width}, {length, width}, {-length, width}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){corners, 4};
    throng_point pillar[4] = {{-0.2, 0.3}, {0.2, 0.3}, {0.2, 0.7}, {-0.2, 0.7}};
    throng_obstacle obstacle = {.kind = THRONG_POLYGON, .ring = {pillar, 4}};
    def.obstacles = &obstacle;
    def.obstacle_count = 1;
    throng_place *place = throng_place_create(&def, NULL);
    assert_non_null(place);
    return place;
}

static throng_segment corridor_walls[8];

static void remember_corridor(double length, double width) {
    throng_segment walls[8] = {{-length, -width, length, -width},
                               {length, -width, length, width},
                               {length, width, -length, width},
                               {-length, width, -length, -width},
                               {-0.2, 0.3, 0.2, 0.3},
                               {0.2, 0.3, 0.2, 0.7},
                               {0.2, 0.7, -0.2, 0.7},
                               {-0.2, 0.7, -0.2, 0.3}};
    memcpy(corridor_walls, walls, sizeof walls);
}

static void fill_corridor(throng_world *world, throng_profile profile, size_t people, double length, double width,
                          throng_point push, dice *d) {
    throng_goal goal = add_own_goal(world, false, 0.5);
    throng_point at[MOST];
    for (size_t count = 0, tries = 0; count < people && tries < 1000000; tries++) {
        double side = count % 2 ? 1 : -1;
        throng_point p = {side * dice_between(d, 0.6, length - 0.3), dice_between(d, 0.28 - width, width - 0.28)};
        bool good = true;
        for (size_t i = 0; i < count && good; i++) good = hypot(p.x - at[i].x, p.y - at[i].y) > 0.52;
        if (!good) continue;
        at[count++] = p;
        throng_agent_def agent = person(profile, p, (throng_point){-side * (length - 1), p.y}, &goal);
        agent.desired_speed = dice_between(d, 1.1, 1.5);
        agent.acceleration = push;
        assert_true(throng_world_add_agent(world, &agent) > 0);
    }
}

/* ---- gaps, measured here */

typedef struct before {
    size_t count;
    throng_agent id[MOST];
    double x[MOST], y[MOST];
} before;

static void remember(const throng_world *world, before *b) {
    throng_view v = throng_world_view(world);
    b->count = v.count;
    memcpy(b->id, v.id, v.count * sizeof *v.id);
    memcpy(b->x, v.x, v.count * sizeof *v.x);
    memcpy(b->y, v.y, v.count * sizeof *v.y);
}

/* The least distance between p0 + t w, t in [0, 1], and 0. */
static double way_to_point(double px, double py, double wx, double wy) {
    double a = wx * wx + wy * wy, t = a > 0 ? -(px * wx + py * wy) / a : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(px + t * wx, py + t * wy);
}

static bool sides_differ(double ax, double ay, double bx, double by, double px, double py, double qx, double qy) {
    double one = (bx - ax) * (py - ay) - (by - ay) * (px - ax), two = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax);
    return one * two < 0;
}

static double way_to_wall(const throng_segment *s, double x0, double y0, double x1, double y1) {
    if (sides_differ(s->ax, s->ay, s->bx, s->by, x0, y0, x1, y1) &&
        sides_differ(x0, y0, x1, y1, s->ax, s->ay, s->bx, s->by))
        return 0;
    double least = fmin(way_to_point(s->ax - x0, s->ay - y0, s->bx - s->ax, s->by - s->ay),
                        way_to_point(s->ax - x1, s->ay - y1, s->bx - s->ax, s->by - s->ay));
    least = fmin(least, way_to_point(x0 - s->ax, y0 - s->ay, x1 - x0, y1 - y0));
    return fmin(least, way_to_point(x0 - s->bx, y0 - s->by, x1 - x0, y1 - y0));
}

/* Of the step just taken; people may have left. */
static double least_gap(const throng_world *world, const before *b, size_t wall_count) {
    throng_view v = throng_world_view(world);
    double least = INFINITY, x0[MOST], y0[MOST];
    for (size_t i = 0, k = 0; i < v.count; i++, k++) {
        while (b->id[k] != v.id[i]) k++;
        x0[i] = b->x[k], y0[i] = b->y[k];
        for (size_t j = 0; j < i; j++) {
            double px = x0[j] - x0[i], py = y0[j] - y0[i], qx = v.x[j] - v.x[i], qy = v.y[j] - v.y[i];
            least = fmin(least, way_to_point(px, py, qx - px, qy - py) - v.radius[i] - v.radius[j]);
        }
        for (size_t w = 0; w < wall_count; w++) {
            least = fmin(least, way_to_wall(&corridor_walls[w], x0[i], y0[i], v.x[i], v.y[i]) - v.radius[i]);
        }
    }
    return least;
}

static void note_violations(void *context, const char *model, const char *name, double value) {
    if (strcmp(model, "implicit") == 0 && strcmp(name, "violations") == 0) *(double *)context = value;
}

static double violations(const throng_world *world) {
    double count = NAN;
    throng_world_model_figures(world, note_violations, &count);
    return count;
}

/* ---- what people do */

/* Walks until all are gone; returns when, s, with the least gap on the way. */
static double walk_out(throng_world *world, double seconds, double *least) {
    before b;
    *least = INFINITY;
    while (throng_world_time(world) < seconds) {
        remember(world, &b);
        throng_world_step(world);
        *least = fmin(*least, least_gap(world, &b, 0));
        if (throng_world_is_done(world)) return throng_world_time(world);
    }
    return INFINITY;
}

static void two_face_to_face(void **unused) {
    (void)unused;
    for (int turned = 0; turned < 2; turned++) {
        options o = usual;
        if (!turned) o.symmetry_angle = 0;
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        throng_goal goal = add_own_goal(world, true, 0.5);
        for (int side = -1; side <= 1; side += 2) {
            throng_agent_def a = person(profile, (throng_point){4.0 * side, 0}, (throng_point){-6.0 * side, 0}, &goal);
            throng_world_add_agent(world, &a);
        }
        double least, time = walk_out(world, 20, &least);
        print_message("angle %g: %.1f s, gap %.3f m\n", o.symmetry_angle, time, least);
        assert_int_equal(time < 9, turned);
        assert_true(least > 0);
        throng_world_destroy(world);
    }
}

static void three_pass(void **unused) {
    (void)unused;
    throng_profile profile;
    throng_world *world = make_world(usual, &profile);
    throng_goal goal = add_own_goal(world, true, 1);
    const throng_point at[] = {{-9, -1}, {-9, 1}, {0, 0}}, to[] = {{9, -1}, {9, 1}, {-10, 0}};
    for (int i = 0; i < 3; i++) {
        throng_agent_def a = person(profile, at[i], to[i], &goal);
        a.radius = 0.75;
        throng_world_add_agent(world, &a);
    }
    double slowest = INFINITY, gap = INFINITY;
    before b;
    while (!throng_world_is_done(world) && throng_world_time(world) < 20) {
        remember(world, &b);
        throng_world_step(world);
        gap = fmin(gap, least_gap(world, &b, 0));
        throng_view v = throng_world_view(world);
        size_t row = throng_world_row(world, 3);
        if (throng_world_time(world) > 1 && row != SIZE_MAX) slowest = fmin(slowest, hypot(v.vx[row], v.vy[row]));
    }
    print_message("%.1f s, the one never below %.2f m/s, gap %.3f m\n", throng_world_time(world), slowest, gap);
    assert_true(throng_world_time(world) < 16);
    assert_true(slowest > 0.8);
    assert_true(gap > 0);
    throng_world_destroy(world);
}

/* How far somebody who stands gives way within 2 s to somebody who comes up behind a wall. */
static double way_given(const char *hidden) {
    throng_point corners[4] = {{-10, -10}, {10, -10}, {10, 10}, {-10, 10}};
    throng_point wall[4] = {{3, -4}, {3.2, -4}, {3.2, 4}, {3, 4}};
    throng_obstacle obstacle = {.kind = THRONG_POLYGON, .ring = {wall, 4}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){corners, 4};
    def.obstacles = &obstacle;
    def.obstacle_count = 1;
    throng_place *place = throng_place_create(&def, NULL);
    throng_profile profile;
    options o = usual;
    o.place = place;
    o.hidden = hidden;
    throng_world *world = make_world(o, &profile);
    throng_goal goal = add_own_goal(world, false, 0.1);
    throng_agent_def stands = person(profile, (throng_point){0, 0}, (throng_point){0, 0}, &goal);
    throng_agent_def comes = person(profile, (throng_point){6, 0.1}, (throng_point){-6, 0.1}, &goal);
    throng_agent id = throng_world_add_agent(world, &stands);
    assert_true(throng_world_add_agent(world, &comes) > 0);
    for (int n = 0; n < 20; n++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    double way = 0;
    for (size_t k = 0; k < v.count; k++) way = v.id[k] == id ? hypot(v.x[k], v.y[k]) : way;
    throng_world_destroy(world);
    throng_place_destroy(place);
    return way;
}

static void gives_way_only_to_those_in_sight(void **unused) {
    (void)unused;
    assert_true(way_given("ignored") == 0);
    assert_true(way_given("avoided") > 1e-3);
}

static void eight_across_a_circle(void **unused) {
    (void)unused;
    double first = 0;
    for (int k = 0; k < 3; k++) {
        options o = usual;
        o.dt = (double[]){0.05, 0.4, 1}[k];
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        throng_goal goal = add_own_goal(world, true, 1);
        dice d = {7};
        for (int i = 0; i < 8; i++) {
            double angle = 0.78539816339744831 * i, x = 8 * cos(angle), y = 8 * sin(angle);
            throng_point to = {-x + dice_between(&d, -0.01, 0.01), -y + dice_between(&d, -0.01, 0.01)};
            throng_agent_def a = person(profile, (throng_point){x, y}, to, &goal);
            a.radius = 0.5;
            a.desired_speed = dice_between(&d, 1.15, 1.4);
            throng_world_add_agent(world, &a);
        }
        double least, time = walk_out(world, 40, &least);
        print_message("dt %g: %.2f s, gap %.3f m\n", o.dt, time, least);
        if (k == 0) first = time;
        assert_near(time, first, 0.15 * first + o.dt);
        assert_true(least > 0);
        throng_world_destroy(world);
    }
}

/* Two crowds against each other in a narrow corridor with a pillar; also pushed to the side. */
static void nobody_overlaps(void **unused) {
    (void)unused;
    static const double dts[] = {0.01, 0.1, 0.4, 1, 4};
    static const int steps[] = {60, 80, 40, 20, 6};
    throng_place *place = make_corridor(8, 2);
    remember_corridor(8, 2);
    for (int k = 0; k < 10; k++) {
        options o = usual;
        o.place = place;
        o.dt = dts[k % 5];
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        dice d = {3};
        fill_corridor(world, profile, 70, 8, 2, (throng_point){0, k < 5 ? 0 : 5}, &d);
        double least = INFINITY;
        before b;
        for (int n = 0; n < steps[k % 5]; n++) {
            remember(world, &b);
            throng_world_step(world);
            least = fmin(least, least_gap(world, &b, 8));
            throng_view v = throng_world_view(world);
            for (size_t i = 0; i < v.count; i++) assert_true(hypot(v.vx[i], v.vy[i]) < 3 * v.desired_speed[i]);
        }
        print_message("dt %g%s: gap %.2g m\n", o.dt, k < 5 ? "" : ", pushed", least);
        assert_true(least > 0);
        assert_true(violations(world) == 0);
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* The printed repulsion and the paper's solver keep people apart as well. */
static void nobody_overlaps_as_printed(void **unused) {
    (void)unused;
    throng_place *place = make_corridor(8, 2);
    remember_corridor(8, 2);
    for (int k = 0; k < 3; k++) {
        options o = usual;
        o.place = place;
        o.dt = 0.4;
        o.solver = k == 0 ? "newton" : "lbfgs";
        o.repulsion = k == 2 ? "r10" : "paper";
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        dice d = {3};
        fill_corridor(world, profile, 40, 8, 2, (throng_point){0, 0}, &d);
        double least = INFINITY;
        before b;
        for (int n = 0; n < 12; n++) {
            remember(world, &b);
            throng_world_step(world);
            least = fmin(least, least_gap(world, &b, 8));
        }
        assert_true(least > 0);
        throng_world_destroy(world);
    }
    throng_place_destroy(place);
}

/* Some who see nobody walk straight through a loose crowd: there is room to make way. */
static void makes_way_for_others(void **unused) {
    (void)unused;
    static const double dts[] = {0.05, 0.1, 0.4};
    for (int k = 0; k < 3; k++) {
        options o = usual;
        o.dt = dts[k];
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        throng_goal goal = add_own_goal(world, false, 0.5);
        dice d = {11};
        for (int i = 0; i < 25; i++) {
            throng_point at = {-4.8 + 2.4 * (i % 5) + dice_between(&d, -0.3, 0.3),
                               -4.8 + 2.4 * (i / 5) + dice_between(&d, -0.3, 0.3)};
            throng_agent_def a = person(profile, at, at, &goal);
            throng_world_add_agent(world, &a);
        }
        for (int i = 0; i < 2; i++) {
            double side = i ? 1 : -1;
            throng_agent_def a =
                person(0, (throng_point){9 * side, 1.3 * side}, (throng_point){-9 * side, 1 * side}, &goal);
            throng_world_add_agent(world, &a);
        }
        double least = INFINITY;
        before b;
        while (throng_world_time(world) < 12) {
            remember(world, &b);
            throng_world_step(world);
            least = fmin(least, least_gap(world, &b, 0));
        }
        print_message("dt %g: gap %.3g m\n", o.dt, least);
        assert_true(least > 0);
        throng_world_destroy(world);
    }
}

/* A crowd around a ring: those on both sides of the seam are each other's neighbours. */
static void nobody_overlaps_across_a_seam(void **unused) {
    (void)unused;
    options o = usual;
    o.dt = 0.4;
    o.period = (throng_period){.x = true, .low = {0, 0}, .high = {12, 0}};
    throng_profile profile;
    throng_world *world = make_world(o, &profile);
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_DIRECTION;
    throng_goal way[2];
    for (int i = 0; i < 2; i++) {
        def.point = (throng_point){i ? -1 : 1, 0};
        way[i] = throng_world_add_goal(world, &def);
    }
    dice d = {5};
    for (int i = 0; i < 40; i++) {
        throng_point at = {0.4 + 1.2 * (i % 10), -1.2 + 0.8 * (i / 10) + dice_between(&d, -0.05, 0.05)};
        throng_agent_def a = person(profile, at, at, &way[i % 2]);
        throng_world_add_agent(world, &a);
    }
    double least = INFINITY;
    for (int n = 0; n < 60; n++) {
        throng_view v = throng_world_view(world);
        double x0[MOST], y0[MOST];
        memcpy(x0, v.x, v.count * sizeof *x0);
        memcpy(y0, v.y, v.count * sizeof *y0);
        throng_world_step(world);
        v = throng_world_view(world);
        for (size_t i = 0; i < v.count; i++) {
            for (size_t j = 0; j < i; j++) {
                double wx = (v.vx[j] - v.vx[i]) * o.dt, wy = (v.vy[j] - v.vy[i]) * o.dt;
                for (int image = -1; image <= 1; image++) {
                    double px = x0[j] - x0[i] + 12 * image, py = y0[j] - y0[i];
                    least = fmin(least, way_to_point(px, py, wx, wy) - v.radius[i] - v.radius[j]);
                }
            }
        }
    }
    print_message("gap %.3g m\n", least);
    assert_true(least > 0);
    throng_world_destroy(world);
}

/* ---- overlapping starts */

static double deepest(const throng_world *world) {
    throng_view v = throng_world_view(world);
    double most = 0;
    for (size_t i = 0; i < v.count; i++) {
        for (size_t j = 0; j < i; j++) {
            most = fmax(most, v.radius[i] + v.radius[j] - hypot(v.x[i] - v.x[j], v.y[i] - v.y[j]));
        }
    }
    return most;
}

static void parts_those_who_overlap(void **unused) {
    (void)unused;
    static const double dts[] = {0.05, 0.1, 0.4};
    for (int k = 0; k < 3; k++) {
        options o = usual;
        o.dt = dts[k];
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        throng_goal goal = add_own_goal(world, false, 0.5);
        dice d = {13};
        for (int i = 0; i < 80; i++) {
            throng_point at = {dice_between(&d, -3.8, 3.8), dice_between(&d, -3.8, 3.8)};
            if (i == 79) at = (throng_point){throng_world_view(world).x[0], throng_world_view(world).y[0]};
            throng_agent_def a =
                person(profile, at, (throng_point){dice_between(&d, -20, 20), dice_between(&d, -20, 20)}, &goal);
            throng_world_add_agent(world, &a);
        }
        double before_step = deepest(world), rise = 0;
        print_message("dt %g: %.3f m deep, ", o.dt, before_step);
        assert_true(before_step > 0.4);
        while (throng_world_time(world) < 2) {
            throng_world_step(world);
            double now = deepest(world);
            rise = fmax(rise, now - before_step);
            before_step = now;
        }
        print_message("rises by %.2g m, %.2g m left\n", rise, before_step);
        assert_true(rise < 1e-3);
        assert_true(before_step == 0);
        throng_world_destroy(world);
    }
}

/* ---- the same bits */

static throng_world *crowd(options o, const throng_place *place) {
    throng_profile profile;
    o.place = place;
    throng_world *world = make_world(o, &profile);
    dice d = {29};
    fill_corridor(world, profile, 120, 12, 3, (throng_point){0.2, 0}, &d);
    return world;
}

/* Of positions and velocities, and nothing else that a world keeps. */
static uint64_t hash_of(const throng_world *world) {
    throng_view v = throng_world_view(world);
    const double *columns[] = {v.x, v.y, v.vx, v.vy};
    uint64_t hash = v.count;
    for (int c = 0; c < 4; c++) {
        for (size_t i = 0; i < v.count; i++) {
            uint64_t bits;
            memcpy(&bits, &columns[c][i], sizeof bits);
            hash = throng_mix(hash ^ bits) + 1;
        }
    }
    return hash;
}

static void same_bits_any_way(void **unused) {
    (void)unused;
    throng_place *place = make_corridor(12, 3);
    for (int k = 0; k < 2; k++) {
        uint64_t digest = 0;
        static const int threads[] = {1, 2, 3, 5, 8};
        for (int t = 0; t < 6; t++) {
            options o = usual;
            o.dt = k ? 0.4 : 0.1;
            o.threads = threads[t % 5];
            o.simd = t == 5 ? THRONG_SIMD_PLAIN : THRONG_SIMD_AUTO;
            throng_world *world = crowd(o, place);
            for (int n = 0; n < (k ? 12 : 60); n++) throng_world_step(world);
            if (t == 0) digest = hash_of(world);
            assert_true(hash_of(world) == digest);
            throng_world_destroy(world);
        }
        if (k == 0 && digest != GOLDEN_HASH) fail_msg("hash 0x%llxu", (unsigned long long)digest);
    }
    throng_place_destroy(place);
}

static void goes_on_after_a_restart(void **unused) {
    (void)unused;
    throng_place *place = make_corridor(12, 3);
    throng_world *whole = crowd(usual, place), *other = crowd(usual, place);
    for (int n = 0; n < 20; n++) throng_world_step(whole);
    throng_checkpoint *saved = throng_world_save(whole, NULL);
    throng_error error;
    for (int n = 0; n < 3; n++) throng_world_step(other);
    assert_true(throng_world_load(other, saved, &error));
    for (int n = 0; n < 20; n++) {
        throng_world_step(whole);
        throng_world_step(other);
    }
    assert_true(throng_world_digest(whole) == throng_world_digest(other));
    throng_checkpoint_destroy(saved);
    throng_world_destroy(whole);
    throng_world_destroy(other);
    throng_place_destroy(place);
}

/* ---- memory, and bad input */

static void allocates_nothing_in_steady_state(void **unused) {
    (void)unused;
    throng_place *place = make_corridor(12, 3);
    throng_world *world = crowd(usual, place);
    /* until those who meet have passed, or got out of each other's way */
    for (int n = 0; n < 240; n++) throng_world_step(world);
    allocations = 0;
    for (int n = 0; n < 60; n++) throng_world_step(world);
    assert_int_equal(allocations, 0);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

static void refuses_what_makes_no_sense(void **unused) {
    (void)unused;
    throng_world_def def = throng_default_world_def();
    throng_world *world = throng_world_create(&def, NULL);
    const throng_setting bad[] = {{.name = "p", .number = 1},         {.name = "tau0", .number = 0},
                                  {.name = "epsilon", .number = 1},   {.name = "eta", .number = -1},
                                  {.name = "solver", .word = "best"}, {.name = "max_iterations", .number = 1.5}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(throng_world_add_profile(world, "implicit", &bad[i], 1), 0);
    }
    throng_world_destroy(world);

    for (int slow = 0; slow < 2; slow++) {
        options o = usual;
        o.dt = slow ? 2.5 : 2;
        throng_profile profile;
        world = make_world(o, &profile);
        assert_true(throng_world_prepare(world, NULL));
        assert_true(throng_world_prepare(world, NULL));
        assert_int_equal(throng_report_count(throng_world_report(world)), slow);
        throng_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_face_to_face),
        cmocka_unit_test(three_pass),
        cmocka_unit_test(gives_way_only_to_those_in_sight),
        cmocka_unit_test(eight_across_a_circle),
        cmocka_unit_test(nobody_overlaps),
        cmocka_unit_test(nobody_overlaps_as_printed),
        cmocka_unit_test(makes_way_for_others),
        cmocka_unit_test(nobody_overlaps_across_a_seam),
        cmocka_unit_test(parts_those_who_overlap),
        cmocka_unit_test(same_bits_any_way),
        cmocka_unit_test(goes_on_after_a_restart),
        cmocka_unit_test(allocates_nothing_in_steady_state),
        cmocka_unit_test(refuses_what_makes_no_sense),
    };
    throng_set_allocator(counting);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
