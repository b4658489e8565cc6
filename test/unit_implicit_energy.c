/* Pairs of `implicit` against the definitions in long double, their derivatives against differences, and what must hold
 * for any pair. */

#include "testing.h"
/* after cmocka */
#include "implicit_random.h"

enum { PAIRS = 300000 };

typedef throng_term (*term_function)(const throng_implicit_law *, double, double, double, double, double, int);
typedef oracle (*oracle_function)(const throng_implicit_law *, real, real, real, real, real);

/* One of the energies of pairs, how it is computed and how it is defined. */
typedef struct energy_kind {
    term_function term;
    oracle_function defined;
    bool printed;
} energy_kind;

static const energy_kind kinds[] = {
    {ttc_term, oracle_ttc, false}, {repulsion_term, oracle_repulsion, false}, {repulsion_term, oracle_repulsion, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const double stencil[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

/* Over which change of velocity an energy is smooth, m/s. */
static double smooth_over(const throng_implicit_law *law, const random_pair *p) {
    double gap = throng_pair_gap(p->qx, p->qy, p->r, p->wx, p->wy, law->dt);
    double ex = p->qx - law->dt * p->wx, ey = p->qy - law->dt * p->wy, end = sqrt(ex * ex + ey * ey) - p->r;
    double least = gap < end ? gap : end, speed = sqrt(p->wx * p->wx + p->wy * p->wy);
    /* the cone of velocities that collide is as narrow as r / distance */
    double scale = law->kr * least / law->dt, cone = 0.1 * speed * p->r / (p->r + p->gap);
    return scale < cone ? scale : cone;
}

static void values_are_as_defined(void **unused) {
    (void)unused;
    dice d = {1};
    size_t finite[KINDS] = {0}, infinite[KINDS] = {0};
    double worst = 0;
    for (size_t n = 0; n < PAIRS; n++) {
        throng_implicit_law law = random_law(&d);
        random_pair p = dice_pair(&d, law.dt);
        for (size_t k = 0; k < KINDS; k++) {
            law.printed = kinds[k].printed;
            real expected = kinds[k].defined(&law, p.qx, p.qy, p.r, p.wx, p.wy).value;
            double got = kinds[k].term(&law, p.qx, p.qy, p.r, p.wx, p.wy, THRONG_ORDER_ENERGY).energy;
            if (expected == INFINITY) {
                assert_true(got == INFINITY);
                infinite[k]++;
                continue;
            }
            finite[k] += expected > 0;
            double error = (double)fabsl(got - expected) / (1e-9 + (double)expected);
            /* a hair from touching the gap itself has few digits */
            double gap = throng_pair_gap(p.qx, p.qy, p.r, p.wx, p.wy, law.dt);
            error *= gap < 1e-3 ? gap * 1e3 : 1;
            worst = error > worst ? error : worst;
            if (!(error < 1e-9)) fail_msg("pair %zu, kind %zu: %.17g, defined %.17Lg", n, k, got, expected);
        }
    }
    for (size_t k = 0; k < KINDS; k++) {
        assert_true(finite[k] > PAIRS / 10);
        assert_true(infinite[k] > PAIRS / 1000);
    }
    print_message("worst value: %.1e relative\n", worst);
}

/* The gradient of the definition and the change of the computed gradient, by differences. False where cases meet. */
static bool differences(const throng_implicit_law *law, const energy_kind *kind, const random_pair *p, real h,
                        throng_term *out) {
    int branch = kind->defined(law, p->qx, p->qy, p->r, p->wx, p->wy).branch;
    real gx = 0, gy = 0;
    double hxx = 0, hxy = 0, hyx = 0, hyy = 0;
    for (int k = 0; k < 4; k++) {
        real step = stencil[k] * h;
        oracle x = kind->defined(law, p->qx, p->qy, p->r, p->wx + step, p->wy);
        oracle y = kind->defined(law, p->qx, p->qy, p->r, p->wx, p->wy + step);
        if (x.branch != branch || y.branch != branch || x.value == INFINITY || y.value == INFINITY) return false;
        gx += weight[k] * x.value / h;
        gy += weight[k] * y.value / h;
        throng_term right = kind->term(law, p->qx, p->qy, p->r, p->wx + (double)step, p->wy, THRONG_ORDER_GRADIENT);
        throng_term up = kind->term(law, p->qx, p->qy, p->r, p->wx, p->wy + (double)step, THRONG_ORDER_GRADIENT);
        hxx += weight[k] * right.gx / (double)h;
        hyx += weight[k] * right.gy / (double)h;
        hxy += weight[k] * up.gx / (double)h;
        hyy += weight[k] * up.gy / (double)h;
    }
    *out = (throng_term){0, (double)gx, (double)gy, hxx, 0.5 * (hxy + hyx), hyy};
    return true;
}

static double most_of(double a, double b, double c) { return fmax(fabs(a), fmax(fabs(b), fabs(c))); }

static void derivatives_are_those_of_the_values(void **unused) {
    (void)unused;
    dice d = {2};
    size_t checked[KINDS] = {0};
    double worst_gradient = 0, worst_hessian = 0;
    for (size_t n = 0; n < PAIRS; n++) {
        throng_implicit_law law = random_law(&d);
        random_pair p = dice_pair(&d, law.dt);
        double h = 2e-4 * smooth_over(&law, &p);
        if (!(h > 1e-7)) continue;
        for (size_t k = 0; k < KINDS; k++) {
            law.printed = kinds[k].printed;
            throng_term expected, got = kinds[k].term(&law, p.qx, p.qy, p.r, p.wx, p.wy, THRONG_ORDER_EXACT);
            if (got.energy == INFINITY || !differences(&law, &kinds[k], &p, h, &expected)) continue;
            double size = most_of(expected.gx, expected.gy, 1e-6 * (1 + got.energy));
            double gradient = most_of(got.gx - expected.gx, got.gy - expected.gy, 0) / size;
            double bend = most_of(expected.hxx, expected.hxy, expected.hyy) + size;
            double hessian = most_of(got.hxx - expected.hxx, got.hxy - expected.hxy, got.hyy - expected.hyy) / bend;
            worst_gradient = fmax(gradient, worst_gradient);
            worst_hessian = fmax(hessian, worst_hessian);
            if (!(gradient < 1e-6)) fail_msg("pair %zu, kind %zu: gradient off by %g", n, k, gradient);
            if (!(hessian < 1e-6)) fail_msg("pair %zu, kind %zu: Hessian off by %g", n, k, hessian);
            checked[k] += got.energy > 0;
        }
    }
    for (size_t k = 0; k < KINDS; k++) assert_true(checked[k] > PAIRS / 10);
    print_message("worst gradient %.1e, Hessian %.1e relative\n", worst_gradient, worst_hessian);
}

/* Both sides of where the straight continuation begins, where the way ends beyond the nearest point, and where the
 * repulsion ends: neither energy nor gradient jumps. */
static void no_jumps_where_cases_meet(void **unused) {
    (void)unused;
    dice d = {7};
    for (size_t n = 0; n < 20000; n++) {
        throng_implicit_law law = random_law(&d);
        random_pair p = dice_pair(&d, law.dt);
        /* an offset at the end of the step, and a velocity right at the border */
        double size = sqrt(p.qx * p.qx + p.qy * p.qy), nx = p.qx / size, ny = p.qy / size,
               along = dice_scale(&d, 0.1, 3);
        double border = sqrt(1 - law.eps * law.eps) * p.r * along / sqrt(size * size - p.r * p.r);
        throng_term side[2];
        for (int k = 0; k < 2; k++) {
            double across = border * (k ? 1 + 1e-9 : 1 - 1e-9), wx = along * nx - across * ny,
                   wy = along * ny + across * nx;
            side[k] = ttc_term(&law, p.qx + law.dt * wx, p.qy + law.dt * wy, p.r, wx, wy, THRONG_ORDER_GRADIENT);
        }
        double slope = most_of(side[0].gx, side[0].gy, 1e-3);
        assert_near(side[1].energy, side[0].energy, 1e-6 * (1e-3 + side[0].energy));
        assert_near(side[1].gx, side[0].gx, 1e-5 * slope);
        assert_near(side[1].gy, side[0].gy, 1e-5 * slope);

        /* h = a dt: a speed across is found at which the nearest point is the end of the way */
        double psi = 0.9 * p.gap / law.dt, t2 = size * psi / law.dt - psi * psi, delta = law.kr * p.gap / law.dt;
        double s = psi - delta * delta / (4 * psi); /* of which psi is the rounded maximum with 0 */
        for (int k = 0; k < 2; k++) {
            double across = sqrt(t2) * (k ? 1 + 1e-9 : 1 - 1e-9), wx = s * nx - across * ny, wy = s * ny + across * nx;
            side[k] = repulsion_term(&law, p.qx, p.qy, p.r, wx, wy, THRONG_ORDER_GRADIENT);
        }
        slope = most_of(side[0].gx, side[0].gy, 1e-3);
        assert_near(side[1].energy, side[0].energy, 1e-6 * (1e-3 + side[0].energy));
        assert_near(side[1].gx, side[0].gx, 1e-5 * slope);
        assert_near(side[1].gy, side[0].gy, 1e-5 * slope);
    }
    /* the ends: of the repulsion at the gap gc, and of collisions too far ahead */
    throng_implicit_law law = law_of(0.1, 2);
    throng_term end = repulsion_term(&law, 1.5 + 0.05 / 0.95, 0, 0.5, -0.0, 0, THRONG_ORDER_GRADIENT);
    assert_true(end.energy < 1e-6 && fabs(end.gx) < 1e-2);
    throng_term late = ttc_term(&law, 30.7, 0, 0.5, 1, 0, THRONG_ORDER_GRADIENT);
    assert_true(late.energy == 0 && late.gx == 0);
    late = ttc_term(&law, 30.55, 0, 0.5, 1, 0, THRONG_ORDER_GRADIENT);
    assert_true(late.energy > 0 && late.energy < 2e-7 && fabs(late.gx) < 1e-4);
}

/* With a finite energy nobody touches; standing still has always one; people count as nearer than they come, not as
 * farther. */
static void finite_means_apart(void **unused) {
    (void)unused;
    dice d = {8};
    size_t close = 0;
    for (size_t n = 0; n < PAIRS; n++) {
        throng_implicit_law law = random_law(&d);
        random_pair p = dice_pair(&d, law.dt);
        if (n % 4 == 0) { /* past each other within a hair */
            double scale = dice_between(&d, 0.5, 3) / law.dt, aside = p.r * (1 + dice_scale(&d, 1e-9, 0.3));
            p.wx = scale * p.qx - aside / law.dt * p.qy / (p.r + p.gap);
            p.wy = scale * p.qy + aside / law.dt * p.qx / (p.r + p.gap);
        }
        double gap = throng_pair_gap(p.qx, p.qy, p.r, p.wx, p.wy, law.dt);
        double energy = both_terms(&law, p.qx, p.qy, p.r, p.wx, p.wy, THRONG_ORDER_ENERGY).energy;
        close += gap > 0 && gap < 0.01;
        if (!(gap > 0)) assert_true(energy == INFINITY);
        if (energy < INFINITY && gap < law.gc) {
            assert_true(energy >=
                        law.eta / law.dt * (1 / gap - 2 / law.gc + gap / (law.gc * law.gc)) * (1 - 1e-9) - 1e-9);
        }
        throng_term still = both_terms(&law, p.qx, p.qy, p.r, 0, 0, THRONG_ORDER_HESSIAN);
        assert_true(still.energy < law.eta / law.dt / (0.94 * p.gap));
        assert_true(isfinite(still.gx) && isfinite(still.gy) && isfinite(still.hxx) && isfinite(still.hyy));
    }
    assert_true(close > PAIRS / 100);
}

/* Who is i and who is j does not matter, nor which way x points. */
static void symmetric(void **unused) {
    (void)unused;
    dice d = {9};
    for (size_t n = 0; n < 50000; n++) {
        throng_implicit_law law = random_law(&d);
        random_pair p = dice_pair(&d, law.dt);
        throng_term a = both_terms(&law, p.qx, p.qy, p.r, p.wx, p.wy, THRONG_ORDER_HESSIAN);
        throng_term b = both_terms(&law, -p.qx, -p.qy, p.r, -p.wx, -p.wy, THRONG_ORDER_HESSIAN);
        assert_true(a.energy == b.energy && a.gx == -b.gx && a.gy == -b.gy);
        assert_true(a.hxx == b.hxx && a.hxy == b.hxy && a.hyy == b.hyy);
        double gap = throng_pair_gap(p.qx, p.qy, p.r, p.wx, p.wy, law.dt);
        if (a.energy == INFINITY || gap < 1e-3) continue;
        double turn = dice_between(&d, 0, 6.3), c = cos(turn), s = sin(turn);
        b = both_terms(&law, c * p.qx - s * p.qy, s * p.qx + c * p.qy, p.r, c * p.wx - s * p.wy, s * p.wx + c * p.wy,
                       THRONG_ORDER_HESSIAN);
        double slope = 1e-9 * (1 + most_of(a.gx, a.gy, a.energy)), bend = 1e-7 * (1 + fabs(a.hxx) + fabs(a.hyy));
        assert_near(b.energy, a.energy, 1e-9 * (1 + a.energy));
        assert_near(b.gx, c * a.gx - s * a.gy, slope);
        assert_near(b.gy, s * a.gx + c * a.gy, slope);
        assert_near(b.hxx, c * c * a.hxx - 2 * c * s * a.hxy + s * s * a.hyy, bend);
        assert_near(b.hxx + b.hyy, a.hxx + a.hyy, bend);
    }
}

/* Projected Hessians have no negative eigenvalue, and are the exact ones where those have none. */
static void semi_definite(void **unused) {
    (void)unused;
    dice d = {10};
    size_t changed = 0, kept = 0;
    for (size_t n = 0; n < 50000; n++) {
        throng_implicit_law law = random_law(&d);
        random_pair p = dice_pair(&d, law.dt);
        for (size_t k = 0; k < KINDS; k++) {
            law.printed = kinds[k].printed;
            throng_term exact = kinds[k].term(&law, p.qx, p.qy, p.r, p.wx, p.wy, THRONG_ORDER_EXACT);
            throng_term h = kinds[k].term(&law, p.qx, p.qy, p.r, p.wx, p.wy, THRONG_ORDER_HESSIAN);
            double size = fabs(exact.hxx) + fabs(exact.hyy) + fabs(exact.hxy);
            assert_true(h.gx == exact.gx && h.hxx >= -1e-12 * size && h.hyy >= -1e-12 * size);
            assert_true(h.hxx * h.hyy - h.hxy * h.hxy >= -1e-12 * size * size);
            /* what was added is positive, and orthogonal to what is left */
            double xx = h.hxx - exact.hxx, xy = h.hxy - exact.hxy, yy = h.hyy - exact.hyy;
            assert_true(xx >= -1e-12 * size && yy >= -1e-12 * size);
            assert_near(xx * h.hxx + 2 * xy * h.hxy + yy * h.hyy, 0, 1e-9 * size * size);
            if (xx + yy > 0)
                changed++;
            else
                kept += size > 0;
        }
    }
    assert_true(changed > 1000 && kept > 1000);
}

/* Two who overlap at the start may stand or part, but not go deeper, and are driven apart. */
static void overlapping_part(void **unused) {
    (void)unused;
    dice d = {11};
    for (size_t n = 0; n < 20000; n++) {
        throng_implicit_law law = random_law(&d);
        double r = dice_between(&d, 0.3, 1), distance = dice_scale(&d, 1e-3, 1) * r, turn = dice_between(&d, 0, 6.3);
        double nx = cos(turn), ny = sin(turn), qx = distance * nx, qy = distance * ny;
        double small = throng_effective_radius(distance, r);
        assert_true(small > 0 && small < distance && small > distance - 1.01e-3);
        assert_true(isfinite(both_terms(&law, qx, qy, small, 0, 0, THRONG_ORDER_ENERGY).energy));
        double deeper = 2e-3 / law.dt;
        assert_true(both_terms(&law, qx, qy, small, deeper * nx, deeper * ny, 0).energy == INFINITY);
        throng_term t = throng_separation_term(&law, qx, qy, r, 0, 0, THRONG_ORDER_EXACT);
        assert_near(t.gx, 400 * (r + 0.01 - distance) * nx, 1e-9);
        assert_near(t.gy, 400 * (r + 0.01 - distance) * ny, 1e-9);
        double h = 1e-5 * distance / law.dt;
        throng_term right = throng_separation_term(&law, qx, qy, r, h, 0, THRONG_ORDER_GRADIENT);
        throng_term left = throng_separation_term(&law, qx, qy, r, -h, 0, THRONG_ORDER_GRADIENT);
        assert_near(t.gx, (right.energy - left.energy) / (2 * h), 1e-5 * (1 + fabs(t.gx)));
        double bend = 1e-5 * (1 + fabs(t.hxx) + fabs(t.hyy));
        assert_near(t.hxx, (right.gx - left.gx) / (2 * h), bend);
        assert_near(t.hxy, (right.gy - left.gy) / (2 * h), bend);
    }
    assert_true(throng_effective_radius(0.5001, 0.5) == 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_as_defined),
        cmocka_unit_test(derivatives_are_those_of_the_values),
        cmocka_unit_test(no_jumps_where_cases_meet),
        cmocka_unit_test(finite_means_apart),
        cmocka_unit_test(symmetric),
        cmocka_unit_test(semi_definite),
        cmocka_unit_test(overlapping_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
