/* The model `implicit` as a whole: against the oracle's objective, in all ways to compute it, and by what people do.
 * Gaps are measured here, on the straight ways within steps, with nothing of the library. */

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

#include "counting.h"
#include "dice.h"
#include "golden.h"
#include "oracle_implicit.h"

enum { MOST = 400 };

#define GOLDEN_HASH 0x8baa7c1aeac752d0u /* of the crowd below after 60 steps, on every machine */

/* ---- worlds */

typedef struct options {
    const throng_place *place;
    double dt;
    int threads;
    throng_simd simd;
    const char *solver, *repulsion, *hidden; /* NULL: the default */
    double tolerance, max_iterations, symmetry_angle;
    throng_period period;
    bool no_habits;
} options;

static const options usual = {.dt = 0.1, .threads = 1, .symmetry_angle = 5e-3};

static throng_world *make_world(options o, throng_profile *profile) {
    throng_world_def def = throng_default_world_def();
    def.place = o.place;
    def.model = "none";
    def.dt = o.dt;
    def.threads = o.threads;
    def.simd = o.simd;
    def.planner = "straight";
    def.period = o.period;
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    throng_setting settings[8] = {{.name = "tolerance", .number = o.tolerance},
                                  {.name = "max_iterations", .number = o.max_iterations},
                                  {.name = "symmetry", .number = o.symmetry_angle}};
    size_t count = 3;
    if (o.solver) settings[count++] = (throng_setting){.name = "solver", .word = o.solver};
    if (o.repulsion) settings[count++] = (throng_setting){.name = "repulsion", .word = o.repulsion};
    if (o.hidden) settings[count++] = (throng_setting){.name = "hidden", .word = o.hidden};
    if (o.no_habits) {
        settings[count++] = (throng_setting){.name = "yielding", .number = 0};
        settings[count++] = (throng_setting){.name = "sidestep", .number = 0};
    }
    *profile = throng_world_add_profile(world, "implicit", settings, count);
    assert_true(*profile > 0);
    return world;
}

static throng_goal add_own_goal(throng_world *world, bool exit, double radius) {
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_OWN;
    goal.exit = exit;
    goal.radius = radius;
    return throng_world_add_goal(world, &goal);
}

static throng_agent_def person(throng_profile profile, throng_point at, throng_point target, const throng_goal *goal) {
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = profile;
    agent.at = at;
    agent.target = target;
    agent.radius = 0.25;
    agent.desired_speed = 1.3;
    agent.journey = goal;
    agent.journey_count = 1;
    return agent;
}

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

/* ---- the objective, by the oracle */

typedef struct problem {
    throng_implicit_law law;
    size_t count;
    double x[32], y[32], old_x[32], old_y[32], wish_x[32], wish_y[32], push_x[32], push_y[32], r[32];
} problem;

static real objective(const problem *p, const double *v) {
    real sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        real ax = (real)v[2 * i] - p->old_x[i], ay = (real)v[2 * i + 1] - p->old_y[i];
        real bx = (real)v[2 * i] - p->wish_x[i], by = (real)v[2 * i + 1] - p->wish_y[i];
        sum += (ax * ax + ay * ay) / (2 * (real)p->law.dt) + bx * bx + by * by; /* xi / 2 = 1 */
        sum -= (real)p->push_x[i] * v[2 * i] + (real)p->push_y[i] * v[2 * i + 1];
        for (size_t j = 0; j < i; j++) {
            real qx = (real)p->x[j] - p->x[i], qy = (real)p->y[j] - p->y[i], r = (real)p->r[i] + p->r[j];
            if (qx * qx + qy * qy >= 100) continue;
            real wx = (real)v[2 * i] - v[2 * j], wy = (real)v[2 * i + 1] - v[2 * j + 1];
            sum += oracle_ttc(&p->law, qx, qy, r, wx, wy).value + oracle_repulsion(&p->law, qx, qy, r, wx, wy).value;
        }
    }
    return sum;
}

/* Downhill along one axis after the other with steps that shrink: slow and sure, and too short to leave the valley. */
static real descend(const problem *p, double *v, int rounds) {
    real value = objective(p, v);
    for (double step = 1e-3; step > 1e-5; step *= 0.5) {
        bool better = true;
        for (int round = 0; round < rounds && better; round++) {
            better = false;
            for (size_t k = 0; k < 2 * p->count; k++) {
                double kept = v[k];
                for (int way = -1; way <= 1; way += 2) {
                    v[k] = kept + way * step;
                    real then = objective(p, v);
                    if (then < value) {
                        value = then, kept = v[k], better = true;
                        break;
                    }
                    v[k] = kept;
                }
            }
        }
    }
    return value;
}

static real largest_slope(const problem *p, const double *v) {
    real most = 0;
    double moved[64];
    memcpy(moved, v, 2 * p->count * sizeof *v);
    for (size_t k = 0; k < 2 * p->count; k++) {
        const double h = 1e-6;
        moved[k] = v[k] + h;
        real up = objective(p, moved);
        moved[k] = v[k] - h;
        real down = objective(p, moved);
        moved[k] = v[k];
        most = fmaxl(most, fabsl(up - down) / (2 * h));
    }
    return most;
}

/* Some people in a small open place, before a step and after it. */
static problem take_step(options o, uint64_t seed, double *v) {
    dice d = {seed};
    throng_profile profile;
    throng_world *world = make_world(o, &profile);
    throng_goal goal = add_own_goal(world, false, 0.5);
    problem p = {.law = {.dt = o.dt, .k = 2, .p = 2, .tau0 = 3, .eps = 0.2, .eta = 0.01, .kr = 0.1, .gc = 1}};
    while (p.count < 14) {
        throng_point at = {dice_between(&d, -2.4, 2.4), dice_between(&d, -2.4, 2.4)};
        bool good = true;
        for (size_t i = 0; i < p.count; i++) good &= hypot(at.x - p.x[i], at.y - p.y[i]) > 0.56;
        if (!good) continue;
        throng_agent_def agent =
            person(profile, at, (throng_point){dice_between(&d, -9, 9), dice_between(&d, -9, 9)}, &goal);
        agent.velocity = (throng_point){dice_between(&d, -0.3, 0.3), dice_between(&d, -0.3, 0.3)};
        agent.acceleration = (throng_point){dice_between(&d, -0.5, 0.5), dice_between(&d, -0.5, 0.5)};
        assert_true(throng_world_add_agent(world, &agent) > 0);
        size_t i = p.count++;
        p.x[i] = at.x, p.y[i] = at.y, p.old_x[i] = agent.velocity.x, p.old_y[i] = agent.velocity.y, p.r[i] = 0.25;
        p.push_x[i] = agent.acceleration.x, p.push_y[i] = agent.acceleration.y;
    }
    throng_world_step(world);
    throng_view view = throng_world_view(world);
    for (size_t i = 0; i < p.count; i++) {
        p.wish_x[i] = view.wish_x[i], p.wish_y[i] = view.wish_y[i];
        v[2 * i] = view.vx[i], v[2 * i + 1] = view.vy[i];
    }
    throng_world_destroy(world);
    return p;
}

static void finds_the_minimum(void **unused) {
    (void)unused;
    static const double dts[] = {0.05, 0.1, 0.4};
    for (int solver = 0; solver < 2; solver++) {
        for (size_t k = 0; k < 9; k++) {
            options o = usual;
            o.dt = dts[k % 3];
            o.symmetry_angle = 0;
            o.solver = solver ? "lbfgs" : "newton";
            o.tolerance = 1e-10;
            o.max_iterations = 2000;
            double v[64], polished[64];
            problem p = take_step(o, 1 + k / 3, v);
            real value = objective(&p, v), slope = largest_slope(&p, v);
            memcpy(polished, v, sizeof v);
            real best = descend(&p, polished, 20);
            /* it ends at the border between two of the many pieces of the objective now and then */
            print_message("%s dt %g: slope %.2Lg, left %.2Lg of %.4Lg\n", o.solver, o.dt, slope, value - best, value);
            assert_true(value < INFINITY);
            assert_true(slope < 2e-3);
            assert_true(value - best < 1e-6L * value);
        }
    }
}

/* ---- the golden file */

/* What of the objective depends on somebody's velocity. */
static real own_objective(const problem *p, const double *v, size_t i, real x, real y) {
    real ax = x - p->old_x[i], ay = y - p->old_y[i], bx = x - p->wish_x[i], by = y - p->wish_y[i];
    real sum = (ax * ax + ay * ay) / (2 * (real)p->law.dt) + bx * bx + by * by;
    for (size_t j = 0; j < p->count; j++) {
        if (j == i) continue;
        real qx = (real)p->x[j] - p->x[i], qy = (real)p->y[j] - p->y[i], r = (real)p->r[i] + p->r[j];
        real wx = x - v[2 * j], wy = y - v[2 * j + 1];
        sum += oracle_ttc(&p->law, qx, qy, r, wx, wy).value + oracle_repulsion(&p->law, qx, qy, r, wx, wy).value;
    }
    return sum;
}

/* A step of Newton's with slopes by differences, made shorter until it leads down; returns its length. */
static real improve(const problem *p, double *v, size_t i) {
    const real h = 1e-5L;
    real x = v[2 * i], y = v[2 * i + 1], e[3][3];
    for (int k = 0; k < 9; k++) e[k / 3][k % 3] = own_objective(p, v, i, x + (k / 3 - 1) * h, y + (k % 3 - 1) * h);
    real gx = (e[2][1] - e[0][1]) / (2 * h), gy = (e[1][2] - e[1][0]) / (2 * h);
    real xx = (e[2][1] - 2 * e[1][1] + e[0][1]) / (h * h), yy = (e[1][2] - 2 * e[1][1] + e[1][0]) / (h * h);
    real xy = (e[2][2] - e[2][0] - e[0][2] + e[0][0]) / (4 * h * h), det = xx * yy - xy * xy;
    bool bowl = xx > 0 && det > 0;
    real dx = bowl ? -(yy * gx - xy * gy) / det : -0.01L * gx, dy = bowl ? -(xx * gy - xy * gx) / det : -0.01L * gy;
    for (real part = 1; part > 1e-9L; part /= 2) {
        if (!(own_objective(p, v, i, x + part * dx, y + part * dy) < e[1][1])) continue;
        v[2 * i] = (double)(x + part * dx);
        v[2 * i + 1] = (double)(y + part * dy);
        return part * hypotl(dx, dy);
    }
    return 0;
}

/* One after the other goes downhill, from the velocities it had or from those of the file. */
static void ask_oracle(const golden_file *g, const throng_world *world, throng_point *out) {
    throng_view view = throng_world_view(world);
    problem p = {.law = {.dt = g->dt, .k = 2, .p = 2, .tau0 = 3, .eps = 0.2, .eta = 0.01, .kr = 0.1, .gc = 1}};
    double v[64];
    for (size_t i = 0; i < g->people; i++) {
        const double *q = g->in[i];
        p.x[i] = q[0], p.y[i] = q[1], p.old_x[i] = q[2], p.old_y[i] = q[3], p.r[i] = q[6];
        p.wish_x[i] = view.wish_x[i], p.wish_y[i] = view.wish_y[i];
        v[2 * i] = golden_is_kept ? q[2] : g->out[i].x;
        v[2 * i + 1] = golden_is_kept ? q[3] : g->out[i].y;
    }
    p.count = g->people;
    real longest = 1;
    for (int sweep = 0; sweep < 2000 && longest > 1e-12L; sweep++) {
        longest = 0;
        for (size_t i = 0; i < p.count; i++) longest = fmaxl(longest, improve(&p, v, i));
    }
    for (size_t i = 0; i < p.count; i++) out[i] = (throng_point){v[2 * i], v[2 * i + 1]};
}

/* People in the open: unit_implicit_walls compares walls. */
static void golden(void **unused) {
    (void)unused;
    golden_file g = golden_read("implicit");
    throng_point best[GOLDEN_MOST], found[2][GOLDEN_MOST];
    for (int simd = 0; simd < 2; simd++) {
        options o = {.dt = g.dt, .threads = 1, .no_habits = true};
        o.simd = simd ? THRONG_SIMD_AUTO : THRONG_SIMD_PLAIN;
        o.tolerance = 1e-10, o.max_iterations = 2000;
        throng_profile profile;
        throng_world *world = make_world(o, &profile);
        golden_people(&g, world, profile, add_own_goal(world, false, 0.5));
        throng_world_step(world);
        golden_velocities(world, found[simd]);
        if (simd) ask_oracle(&g, world, best);
        throng_world_destroy(world);
    }
    golden_judge(&g, best, 1e-7, found[0], found[1], 1e-7);
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

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(finds_the_minimum),
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
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    golden_is_kept = is_keeping(count, words);
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
