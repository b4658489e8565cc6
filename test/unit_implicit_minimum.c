/* What the solvers of `implicit` find, against an oracle that goes down the objective on its own: the golden file, and
 * people in the open and among walls. */

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

#include "dice.h"
#include "golden.h"
#include "implicit_world.h"
#include "oracle_implicit.h"

/* ---- the objective, by the oracle */

typedef struct problem {
    throng_implicit_law law;
    size_t count;
    const throng_segment *walls;
    int wall_count;
    double x[32], y[32], old_x[32], old_y[32], wish_x[32], wish_y[32], push_x[32], push_y[32], r[32];
} problem;

static real walls_of(const problem *p, size_t i, real vx, real vy) {
    return p->wall_count ? oracle_walls(&p->law, p->x[i], p->y[i], p->r[i], vx, vy, p->walls, p->wall_count).value : 0;
}

static real objective(const problem *p, const double *v) {
    real sum = 0;
    for (size_t i = 0; i < p->count; i++) {
        real ax = (real)v[2 * i] - p->old_x[i], ay = (real)v[2 * i + 1] - p->old_y[i];
        real bx = (real)v[2 * i] - p->wish_x[i], by = (real)v[2 * i + 1] - p->wish_y[i];
        sum += (ax * ax + ay * ay) / (2 * (real)p->law.dt) + bx * bx + by * by; /* xi / 2 = 1 */
        sum -= (real)p->push_x[i] * v[2 * i] + (real)p->push_y[i] * v[2 * i + 1];
        sum += walls_of(p, i, v[2 * i], v[2 * i + 1]);
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
    real sum = (ax * ax + ay * ay) / (2 * (real)p->law.dt) + bx * bx + by * by + walls_of(p, i, x, y);
    sum -= p->push_x[i] * x + p->push_y[i] * y;
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

/* One after the other goes downhill. */
static void go_down(const problem *p, double *v) {
    real longest = 1;
    for (int sweep = 0; sweep < 2000 && longest > 1e-12L; sweep++) {
        longest = 0;
        for (size_t i = 0; i < p->count; i++) longest = fmaxl(longest, improve(p, v, i));
    }
}

/* From the velocities it had or from those of the file. */
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
    go_down(&p, v);
    for (size_t i = 0; i < p.count; i++) out[i] = (throng_point){v[2 * i], v[2 * i + 1]};
}

/* People in the open. */
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

/* ---- walls */

/* One who walks towards a wall 6.2 m away, in a room of which half is 8.7 m wide. */
static problem walk_alone(options o, double *v) {
    throng_profile profile;
    throng_world *world = make_world(o, &profile);
    throng_goal goal = add_own_goal(world, false, 0.5);
    throng_agent_def agent = person(profile, (throng_point){2.5, 0}, (throng_point){9, 0}, &goal);
    agent.velocity = (throng_point){1.3, 0};
    assert_true(throng_world_add_agent(world, &agent) > 0);
    throng_world_step(world);
    throng_view view = throng_world_view(world);
    problem p = {.law = {.dt = o.dt, .k = 2, .p = 2, .tau0 = 3, .eps = 0.2, .eta = 0.01, .kr = 0.1, .gc = 1},
                 .count = 1};
    p.x[0] = 2.5, p.old_x[0] = 1.3, p.r[0] = 0.25, p.wish_x[0] = view.wish_x[0], p.wish_y[0] = view.wish_y[0];
    v[0] = view.vx[0], v[1] = view.vy[0];
    throng_world_destroy(world);
    return p;
}

/* How far the answer in a room of half so wide and high is from where the oracle goes down to from there, with the
 * first so many of its walls. m/s */
static double off_in_a_room(double wide, int wall_count, double dt) {
    const double high = 2.8;
    const throng_segment walls[4] = {
        {-wide, -high, wide, -high}, {wide, high, -wide, high}, {-wide, high, -wide, -high}, {wide, -high, wide, high}};
    throng_point corners[4] = {{-wide, -high}, {wide, -high}, {wide, high}, {-wide, high}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){corners, 4};
    throng_place *place = throng_place_create(&def, NULL);
    options o = {.place = place, .dt = dt, .threads = 1, .no_habits = true, .tolerance = 1e-10, .max_iterations = 2000};
    double off = 0;
    for (uint64_t seed = 0; seed < 2; seed++) {
        double v[64], polished[64];
        problem p = seed ? take_step(o, seed, v) : walk_alone(o, v);
        p.walls = walls, p.wall_count = wall_count;
        memcpy(polished, v, sizeof v);
        go_down(&p, polished);
        for (size_t k = 0; k < 2 * p.count; k++) off = fmax(off, fabs(polished[k] - v[k]));
    }
    print_message("room of %g m, %d walls, dt %g: %.2g m/s\n", 2 * wide, wall_count, dt, off);
    throng_place_destroy(place);
    return off;
}

/* Walls are looked at up to 6 m away. Farther ones would make up to 0.1 m/s^2, which is 0.1 / (1 / dt + xi) m/s. */
static void walls_beyond_six_metres_are_left_out(void **unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double dt = k ? 0.2 : 0.1;
        assert_true(off_in_a_room(3.2, 4, dt) < 1e-6);
        assert_true(off_in_a_room(8.7, 2, dt) < 1e-6); /* without those at the ends */
        double off = off_in_a_room(8.7, 4, dt);
        assert_true(off > 0.02 / (1 / dt + 2) && off < 0.1 / (1 / dt + 2));
    }
}

int main(int count, char **words) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden), cmocka_unit_test(finds_the_minimum),
                                       cmocka_unit_test(walls_beyond_six_metres_are_left_out)};
    golden_is_kept = is_keeping(count, words);
    const struct CMUnitTest kept[] = {cmocka_unit_test(golden)};
    if (golden_is_kept) return cmocka_run_group_tests(kept, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
