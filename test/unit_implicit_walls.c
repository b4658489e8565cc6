/* Walls of `implicit` against the definitions in long double, their derivatives against differences, and what must hold
 * near any walls. */

#include "testing.h"
/* after cmocka */
#include "implicit_random.h"

enum { ROUNDS = 10000, MOST = 4 };

/* A walker among pieces of wall that it does not touch. */
typedef struct scene {
    throng_implicit_law law;
    double x, y, r, vx, vy;
    throng_segment segments[MOST];
    size_t count;
} scene;

static scene dice_scene(dice *d) {
    scene s = {.law = random_law(d), .r = dice_between(d, 0.15, 0.6), .count = (size_t)dice_between(d, 1, MOST + 0.99)};
    s.law.printed = dice_between(d, 0, 1) < 0.3;
    double speed = dice_scale(d, 0.05, 3), turn = dice_between(d, 0, 6.283185307179586);
    s.x = dice_between(d, -50, 50);
    s.y = dice_between(d, -50, 50);
    s.vx = speed * cos(turn);
    s.vy = speed * sin(turn);
    for (size_t k = 0; k < s.count;) {
        double length = dice_scale(d, 0.05, 10), angle = dice_between(d, 0, 6.283185307179586);
        double size = s.r + dice_scale(d, 0.1, 4);
        throng_segment g = {.ax = s.x + dice_between(d, -size, size), .ay = s.y + dice_between(d, -size, size)};
        if (k > 0 && dice_between(d, 0, 1) < 0.5) { /* goes on from the last */
            g.ax = s.segments[k - 1].bx;
            g.ay = s.segments[k - 1].by;
        }
        g.bx = g.ax + length * cos(angle);
        g.by = g.ay + length * sin(angle);
        if (oracle_segment_distance(&g, s.x, s.y) > s.r + 0.005) s.segments[k++] = g;
    }
    return s;
}

enum { PIECES = 2 * MOST };

static void see_all(const throng_segment *segments, size_t count, double x, double y, throng_wall_piece *pieces) {
    assert_true(count <= PIECES);
    for (size_t k = 0; k < count; k++) pieces[k] = throng_see_wall(&segments[k], x, y);
}

static const uint32_t all_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};

static throng_term wall_term(const throng_implicit_law *law, double x, double y, double r, double vx, double vy,
                             const throng_segment *segments, size_t count, int order) {
    throng_wall_piece pieces[PIECES];
    throng_term t;
    see_all(segments, count, x, y, pieces);
    throng_walled w = {pieces, all_numbers, all_numbers, (uint32_t)count, (uint32_t)count, r, vx, vy};
    throng_implicit_plain.wall_terms(law, &w, 1, order, &t);
    return t;
}

static double wall_gap(double x, double y, double r, double vx, double vy, double dt, const throng_segment *segments,
                       size_t count) {
    throng_wall_piece pieces[PIECES];
    see_all(segments, count, x, y, pieces);
    return throng_wall_gap(pieces, count, r, vx, vy, dt);
}

static throng_term term_of(const scene *s, double vx, double vy, int order) {
    return wall_term(&s->law, s->x, s->y, s->r, vx, vy, s->segments, s->count, order);
}

static oracle defined(const scene *s, real vx, real vy) {
    return oracle_walls(&s->law, s->x, s->y, s->r, vx, vy, s->segments, (int)s->count);
}

static void values_are_as_defined(void **unused) {
    (void)unused;
    dice d = {3};
    size_t finite = 0, infinite = 0;
    for (size_t n = 0; n < ROUNDS; n++) {
        scene s = dice_scene(&d);
        real expected = defined(&s, s.vx, s.vy).value;
        double got = term_of(&s, s.vx, s.vy, THRONG_ORDER_ENERGY).energy;
        double gap = wall_gap(s.x, s.y, s.r, s.vx, s.vy, s.law.dt, s.segments, s.count);
        if (fabs(gap) < 1e-9) continue;
        if (expected == INFINITY) {
            if (got != INFINITY) fail_msg("scene %zu: %.17g, defined infinite", n, got);
            infinite++;
            continue;
        }
        finite += expected > 0;
        double error = (double)fabsl(got - expected) / (1e-9 + (double)expected) * (gap < 1e-3 ? gap * 1e3 : 1);
        if (!(error < 1e-9)) fail_msg("scene %zu: %.17g, defined %.17Lg, gap %g", n, got, expected, gap);
    }
    assert_true(finite > ROUNDS / 4);
    assert_true(infinite > ROUNDS / 50);
}

static void derivatives_are_those_of_the_values(void **unused) {
    (void)unused;
    static const double stencil[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    dice d = {4};
    size_t checked = 0;
    double worst_gradient = 0, worst_hessian = 0;
    for (size_t n = 0; n < ROUNDS; n++) {
        scene s = dice_scene(&d);
        throng_term got = term_of(&s, s.vx, s.vy, THRONG_ORDER_EXACT);
        if (got.energy == INFINITY || got.energy == 0) continue;
        double gap = wall_gap(s.x, s.y, s.r, s.vx, s.vy, s.law.dt, s.segments, s.count);
        double h = 2e-5 * fmin(fmin(gap, s.r) / s.law.dt, hypot(s.vx, s.vy) * 0.3);
        if (h < 1e-7) continue;
        oracle here = defined(&s, s.vx, s.vy);
        real gx = 0, gy = 0;
        double hxx = 0, hxy = 0, hyy = 0;
        bool smooth = true;
        for (int k = 0; k < 4; k++) {
            double step = stencil[k] * h;
            oracle x = defined(&s, (real)s.vx + step, s.vy), y = defined(&s, s.vx, (real)s.vy + step);
            smooth = smooth && x.branch == here.branch && y.branch == here.branch;
            gx += weight[k] * x.value / h;
            gy += weight[k] * y.value / h;
            throng_term right = term_of(&s, s.vx + step, s.vy, THRONG_ORDER_GRADIENT);
            throng_term up = term_of(&s, s.vx, s.vy + step, THRONG_ORDER_GRADIENT);
            hxx += weight[k] * right.gx / h;
            hxy += 0.5 * weight[k] * (right.gy + up.gx) / h;
            hyy += weight[k] * up.gy / h;
        }
        if (!smooth) continue;
        /* noise of the differences is relative to the forces there could be */
        double nearness = 1 + s.law.dt / gap, size = 3e-5 * (1 + got.energy) * nearness;
        double gradient = hypot(got.gx - (double)gx, got.gy - (double)gy) / fmax(size, hypot((double)gx, (double)gy));
        double bend = fmax(fabs(hxx), fmax(fabs(hxy), fabs(hyy))) + 10 * size * nearness;
        double hessian = fmax(fabs(got.hxx - hxx), fmax(fabs(got.hxy - hxy), fabs(got.hyy - hyy))) / bend;
        worst_gradient = fmax(worst_gradient, gradient);
        worst_hessian = fmax(worst_hessian, hessian);
        if (!(gradient < 1e-6)) fail_msg("scene %zu: gradient off by %g, gap %g", n, gradient, gap);
        if (!(hessian < 1e-6)) fail_msg("scene %zu: Hessian off by %g, gap %g", n, hessian, gap);
        checked++;
    }
    assert_true(checked > ROUNDS / 4);
    print_message("worst gradient %.1e, Hessian %.1e relative, of %zu\n", worst_gradient, worst_hessian, checked);
}

/* With a finite energy nobody touches a wall; standing still has always one. The gap is that found by searching. */
static void finite_means_apart(void **unused) {
    (void)unused;
    dice d = {12};
    size_t touching = 0;
    for (size_t n = 0; n < 50000; n++) {
        scene s = dice_scene(&d);
        double gap = wall_gap(s.x, s.y, s.r, s.vx, s.vy, s.law.dt, s.segments, s.count);
        if (n % 16 == 0) {
            real least = INFINITY;
            for (size_t k = 0; k < s.count; k++) {
                real distance = oracle_way_distance(&s.segments[k], s.x, s.y, s.vx, s.vy, s.law.dt).value;
                least = distance < least ? distance : least;
            }
            assert_near(gap, (double)(least - s.r), 1e-9);
        }
        if (!(gap > 0)) assert_true(term_of(&s, s.vx, s.vy, THRONG_ORDER_ENERGY).energy == INFINITY);
        throng_term still = term_of(&s, 0, 0, THRONG_ORDER_HESSIAN);
        assert_true(isfinite(still.energy) && isfinite(still.gx) && isfinite(still.gy));
        assert_true(isfinite(still.hxx) && isfinite(still.hxy) && isfinite(still.hyy));
        touching += !(gap > 0);
    }
    assert_true(touching > 1000);
}

/* The energy is the same wherever the scene is and however it is turned, in any order of walls, and as printed also for
 * both sides of a thin wall as for one. */
static void moved_turned_and_doubled(void **unused) {
    (void)unused;
    dice d = {13};
    for (size_t n = 0; n < 20000; n++) {
        scene s = dice_scene(&d), t = s;
        size_t sides = s.law.printed ? 2 : 1;
        throng_term a = term_of(&s, s.vx, s.vy, THRONG_ORDER_HESSIAN);
        double gap = wall_gap(s.x, s.y, s.r, s.vx, s.vy, s.law.dt, s.segments, s.count);
        if (a.energy == INFINITY || gap < 1e-3) continue;
        double turn = dice_between(&d, 0, 6.3), c = cos(turn), z = sin(turn);
        t.x = c * s.x - z * s.y + 3;
        t.y = z * s.x + c * s.y - 7;
        t.vx = c * s.vx - z * s.vy;
        t.vy = z * s.vx + c * s.vy;
        throng_segment both[2 * MOST];
        for (size_t k = 0; k < s.count; k++) {
            throng_segment g = s.segments[s.count - 1 - k];
            throng_segment moved = {c * g.ax - z * g.ay + 3, z * g.ax + c * g.ay - 7, c * g.bx - z * g.by + 3,
                                    z * g.bx + c * g.by - 7};
            both[sides * k + sides - 1] = (throng_segment){moved.bx, moved.by, moved.ax, moved.ay};
            both[sides * k] = moved;
        }
        throng_term b = wall_term(&t.law, t.x, t.y, t.r, t.vx, t.vy, both, sides * s.count, THRONG_ORDER_HESSIAN);
        double slope = fabs(a.gx) + fabs(a.gy);
        assert_near(b.energy, a.energy, 1e-8 * (1 + a.energy));
        /* derivatives jump where two walls threaten alike, which rounding may decide */
        double off = hypot(b.gx - (c * a.gx - z * a.gy), b.gy - (z * a.gx + c * a.gy));
        if (s.count == 1) assert_true(off <= 1e-7 * (1 + slope));
    }
}

/* Past the tip of a wall in one long step, to behind it: nothing is hit, and only nearness counts. Through it:
 * infinite. */
static void rounding_a_corner(void **unused) {
    (void)unused;
    throng_implicit_law law = law_of(1, 2);
    throng_segment wall = {0, 0, 5, 0};
    throng_term t = wall_term(&law, -1, -0.5, 0.2, 1.5, 1.25, &wall, 1, THRONG_ORDER_HESSIAN);
    assert_true(isfinite(t.energy) && t.energy > 0);
    assert_near(wall_gap(-1, -0.5, 0.2, 1.5, 1.25, 1, &wall, 1), 0.5 / sqrt(3.8125) - 0.2, 1e-12);
    assert_true(wall_term(&law, 1, -0.5, 0.2, 1.5, 1.25, &wall, 1, 0).energy == INFINITY);
    /* beyond the end, in line with the wall, and walking away aslant: the flat is behind */
    assert_true(isfinite(wall_term(&law, -0.5, -0.05, 0.2, -1, 0.5, &wall, 1, 0).energy));
    /* along it: neither hits it nor is stopped by its far end */
    throng_term along = wall_term(&law, 1, 0.5, 0.2, 1, 0, &wall, 1, THRONG_ORDER_GRADIENT);
    assert_true(isfinite(along.energy));
    /* no walls */
    assert_true(wall_term(&law, 0, 0, 0.2, 1, 0, NULL, 0, THRONG_ORDER_HESSIAN).energy == 0);
    assert_true(wall_gap(0, 0, 0.2, 1, 0, 1, NULL, 0) == INFINITY);
}

/* Who overlaps a wall at the start may stand or leave, but not go deeper, and is driven out. */
static void overlapping_leave(void **unused) {
    (void)unused;
    throng_implicit_law law = law_of(0.1, 2);
    throng_segment walls[2] = {{-3, 0, 3, 0}, {-3, 5, 3, 5}};
    assert_true(isfinite(wall_term(&law, 0, 0.1, 0.25, 0, 0, walls, 2, THRONG_ORDER_HESSIAN).energy));
    assert_true(isfinite(wall_term(&law, 0, 0.1, 0.25, 0, 2, walls, 2, THRONG_ORDER_HESSIAN).energy));
    assert_true(wall_term(&law, 0, 0.1, 0.25, 0, -0.5, walls, 2, 0).energy == INFINITY);
    throng_wall_piece pieces[2];
    see_all(walls, 2, 0, 0.1, pieces);
    throng_term t = throng_wall_separation_term(&law, pieces, 2, 0.25, 0, 0, THRONG_ORDER_HESSIAN);
    assert_near(t.gy, -400 * 0.16, 1e-9);
    assert_near(t.gx, 0, 1e-9);
    assert_near(t.hyy, 400 * law.dt, 1e-9);
    see_all(walls, 2, 0, 1, pieces);
    assert_true(throng_wall_separation_term(&law, pieces, 2, 0.25, 0, 0, 0).energy == 0);
    /* the other wall keeps its full radius */
    assert_true(wall_term(&law, 0, 0.1, 0.25, 0, 46.6, walls, 2, 0).energy == INFINITY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_as_defined), cmocka_unit_test(derivatives_are_those_of_the_values),
        cmocka_unit_test(finite_means_apart),    cmocka_unit_test(moved_turned_and_doubled),
        cmocka_unit_test(rounding_a_corner),     cmocka_unit_test(overlapping_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
