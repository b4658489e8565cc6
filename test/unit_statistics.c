/* What `throng compare` says of samples, against values of scipy 1.17 (stats.t, stats.ttest_ind); Holm's by hand. */

#include <math.h>

#include "../cli/statistics.c"
#include "../cli/text.c"
#include "testing.h"

static void close_to(double found, double expected) { assert_true(fabs(found - expected) <= 1e-9 * fabs(expected)); }

static void t_distribution(void **state) {
    (void)state;
    close_to(statistics_t_tails(1, 3), 0.3910022189557705);
    close_to(statistics_t_tails(2.5, 7.3), 0.03965023466560043);
    close_to(statistics_t_tails(-0.1, 2), 0.9294654384141402);
    close_to(statistics_t_tails(30, 5), 7.718648620496053e-07);
    close_to(statistics_t_tails(12, 100), 4.395087715604393e-21);
    close_to(statistics_t_value(0.05, 1), 12.706204736174694);
    close_to(statistics_t_value(0.05, 4), 2.776445105197793);
    close_to(statistics_t_value(0.05, 9), 2.262157162798205);
    assert_true(statistics_t_tails(0, 5) == 1);
}

static void means(void **state) {
    (void)state;
    const double a[] = {12.1, NAN, 13.4, 11.8, 12.9, 12.5};
    sample_mean s = statistics_mean(a, 6);
    assert_int_equal(s.count, 5);
    close_to(s.mean, 12.54);
    close_to(s.sd, 0.6348228099241551);
    close_to(s.low, 11.751763371678624);
    close_to(s.high, 13.328236628321374);
    s = statistics_mean(a, 1);
    assert_true(s.mean == 12.1 && isnan(s.sd) && isnan(s.low) && isnan(s.high));
    s = statistics_mean(a + 1, 1);
    assert_true(s.count == 0 && isnan(s.mean));
}

static void welch(void **state) {
    (void)state;
    const double a[] = {12.1, 13.4, 11.8, 12.9, 12.5}, b[] = {14.2, 13.9, 15.1, 14.8, 13.6, 14.4}, same[] = {2, 2, 2};
    sample_mean p = statistics_mean(a, 5), q = statistics_mean(b, 6), r = statistics_mean(same, 3);
    close_to(statistics_welch(&p, &q), 0.0011051627706823671);
    close_to(statistics_welch(&q, &p), 0.0011051627706823671);
    assert_true(statistics_welch(&r, &r) == 1);
    sample_mean other = r;
    other.mean = 3;
    assert_true(statistics_welch(&r, &other) == 0);
    other.count = 1;
    assert_true(isnan(statistics_welch(&r, &other)));
}

/* The smallest of n times n, the next n - 1, never less than one before it, never more than 1. */
static void holm(void **state) {
    (void)state;
    double p[] = {0.01, NAN, 0.04, 0.03, 0.005, 0.6};
    const double expected[] = {0.04, 0, 0.09, 0.09, 0.025, 0.6};
    statistics_holm(p, 6);
    for (size_t i = 0; i < 6; i++)
        if (i != 1) close_to(p[i], expected[i]);
    assert_true(isnan(p[1]));
    double large[] = {0.9, 0.8};
    statistics_holm(large, 2);
    assert_true(large[0] == 1 && large[1] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(t_distribution), cmocka_unit_test(means),
                                       cmocka_unit_test(welch), cmocka_unit_test(holm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
