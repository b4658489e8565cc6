/* Exponential and logarithm of four doubles, against the C library's in long double. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <throng/model.h>

#include "base/wide_exp.h"

static double uniform(uint64_t *state, double low, double high) {
    *state += 0x9E3779B97F4A7C15u;
    return low + (high - low) * ((double)(throng_mix(*state) >> 11) * 0x1p-53);
}

static double exp_of(double x) {
    double out[4];
    wide_store(out, wide_exp(wide_all(x)));
    return out[2];
}

static double log_of(double x) {
    double out[4];
    wide_store(out, wide_log(wide_all(x)));
    return out[1];
}

static void exponential(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        double x = uniform(&state, -700, i % 2 ? 700 : 1);
        if (i % 3 == 0) x = uniform(&state, -2, 2);
        double right = (double)expl((long double)x);
        if (!(fabs(exp_of(x) / right - 1) < 6e-16)) fail_msg("exp %.17g: %.17g, not %.17g", x, exp_of(x), right);
    }
    assert_true(exp_of(0) == 1);
    assert_true(exp_of(-1e300) == exp_of(-700));
    assert_true(exp_of(INFINITY) == exp_of(700));
}

static void logarithm(void **unused) {
    (void)unused;
    uint64_t state = 2;
    for (int i = 0; i < 200000; i++) {
        double x = i % 2 ? ldexp(uniform(&state, 1, 2), i % 2000 - 1000) : uniform(&state, 0.5, 2);
        double right = (double)logl((long double)x);
        if (!(fabs(log_of(x) - right) < 4e-16 * (1 + fabs(right))))
            fail_msg("log %.17g: %.17g, not %.17g", x, log_of(x), right);
    }
    assert_true(log_of(1) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exponential), cmocka_unit_test(logarithm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
