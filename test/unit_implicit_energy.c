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

static const energy_kind kinds[] = {{throng_ttc_term, oracle_ttc, false},
                                    {throng_repulsion_term, oracle_repulsion, false},
                                    {throng_repulsion_term, oracle_repulsion, true}};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_as_defined),
        cmocka_unit_test(derivatives_are_those_of_the_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
