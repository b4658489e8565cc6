/* unit_scenario_placement.c: distributions have their moments, and nobody starts in a wall or in
 * somebody else, however people are placed. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <throng/model.h>

#include "base/elementary.h"
#include "scenario/distribution.h"
#include "scenario/scenario.h"
#include "space/walls.h"
#include "text/suggest.h"

/* ------------------------------------------------------------------ elementary functions */

static void test_elementary(void **state) {
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37) {
        double expected = log(x);
        assert_true(fabs(throng_log(x) - expected) <= 4e-16 * fmax(1, fabs(expected)));
    }
    for (double x = -700; x < 700; x += 0.37) assert_true(fabs(throng_exp(x) / exp(x) - 1) < 1e-15);
    assert_true(throng_exp(1000) == INFINITY && throng_exp(-1000) == 0 && throng_exp(0) == 1 && throng_log(1) == 0);
    for (double a = -800; a < 800; a += 0.73) {
        double c, s, r = fmod(a, 360) * 0.017453292519943295;
        throng_cos_sin(a, &c, &s);
        assert_true(fabs(c - cos(r)) < 4e-15 && fabs(s - sin(r)) < 4e-15);
    }
    double c, s;
    throng_cos_sin(-270, &c, &s);
    assert_true(c == 0 && s == 1);
}

/* ------------------------------------------------------------------ distributions */

/* Draws many numbers and compares their mean and standard deviation with what they should be. */
static void assert_moments(throng_distribution d, double mean, double sd) {
    enum { DRAWS = 40000 };
    double sum = 0, sum2 = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        throng_draws draws = {.seed = 7, .who = i, .what = 3, .purpose = THRONG_RANDOM_PROFILE};
        double x = throng_draw(&d, &draws);
        assert_true(x >= d.low && x <= d.high);
        sum += x;
        sum2 += x * x;
    }
    double found_mean = sum / DRAWS, found_sd = sqrt(sum2 / DRAWS - found_mean * found_mean);
    if (fabs(found_mean - mean) > 5 * sd / sqrt(DRAWS) || fabs(found_sd / sd - 1) > 0.03) {
        fail_msg("mean %g, not %g; standard deviation %g, not %g", found_mean, mean, found_sd, sd);
    }
}

static throng_distribution make(throng_distribution_kind kind, double a, double b) {
    return (throng_distribution){.kind = kind, .a = a, .b = b, .low = -INFINITY, .high = INFINITY};
}

static void test_distributions(void **state) {
    (void)state;
    assert_moments(make(THRONG_UNIFORM, 2, 5), 3.5, 3 / sqrt(12));
    assert_moments(make(THRONG_NORMAL, 1.34, 0.26), 1.34, 0.26);
    double v = exp(0.16) - 1;
    assert_moments(make(THRONG_LOGNORMAL, 0.3, 0.4), exp(0.38), exp(0.38) * sqrt(v));
    assert_moments(make(THRONG_GAMMA, 3, 0.5), 1.5, 0.5 * sqrt(3));
    assert_moments(make(THRONG_GAMMA, 0.5, 2), 1, 2 * sqrt(0.5));
    double g1 = tgamma(1 + 1 / 1.7), g2 = tgamma(1 + 2 / 1.7);
    assert_moments(make(THRONG_WEIBULL, 2, 1.7), 2 * g1, 2 * sqrt(g2 - g1 * g1));

    throng_point options[] = {{1, 3}, {2, 3}, {5, 4}}; /* weights 3, 0, 1 */
    throng_distribution choice = make(THRONG_CHOICE, 0, 0);
    choice.choice = options;
    choice.choice_count = 3;
    assert_moments(choice, 2, sqrt(3));
}

static void test_limits(void **state) {
    (void)state;
    /* A normal distribution cut at one standard deviation on both sides. */
    throng_distribution cut = make(THRONG_NORMAL, 0, 1);
    cut.low = -1, cut.high = 1;
    assert_moments(cut, 0, sqrt(1 - 2 * 0.24197072451914337 / 0.6826894921370859));
    /* Limits out of its reach: the nearer one is taken. */
    throng_distribution far = make(THRONG_NORMAL, 0, 1e-3);
    far.low = 5, far.high = 6;
    throng_draws draws = {.seed = 1};
    assert_true(throng_draw(&far, &draws) == 5);
    assert_true(throng_draw(&(throng_distribution){.kind = THRONG_FIXED, .a = 3}, &draws) == 3);
}

/* ------------------------------------------------------------------ placement */

static throng_scenario *load(const char *text) {
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    for (size_t i = 0; i < throng_report_count(report); i++) print_error("%s\n", throng_report_message(report, i).text);
    throng_report_destroy(report);
    assert_non_null(scenario);
    return scenario;
}

/* Nobody in a wall, and no two people nearer than the gap of their common entry. */
static void assert_sound(const throng_scenario *s, double gap) {
    throng_walls *walls = throng_walls_create(s->place);
    for (size_t i = 0; i < s->person_count; i++) {
        const throng_agent_def *a = &s->people[i].def;
        assert_true(throng_walls_depth(walls, a->at.x, a->at.y, a->radius) >= a->radius - 1e-8);
        for (size_t j = 0; j < i; j++) {
            const throng_agent_def *b = &s->people[j].def;
            double least = a->radius + b->radius + (s->people[i].entry == s->people[j].entry ? gap : 0);
            double distance = hypot(a->at.x - b->at.x, a->at.y - b->at.y);
            if (distance < least - 1e-8) fail_msg("people %zu and %zu are %g m apart, not %g", j, i, distance, least);
        }
    }
    throng_walls_destroy(walls);
}

static throng_scenario *load_in_room(const char *agents) {
    static char text[2000];
    snprintf(
        text, sizeof text,
        "{\"throng\": 1, \"name\": \"t\", \"walkable_area\": [[0, 0], [20, 0], [20, 10], [0, 10]], \"obstacles\": "
        "[{\"polygon\": [[4, 4], [6, 4], [6, 6], [4, 6]]}, {\"disc\": [12, 5, 1]}, {\"line\": [[15, 2], [18, 8]]}], "
        "\"agents\": [%s]}",
        agents);
    return load(text);
}

static void test_random(void **state) {
    (void)state;
    throng_scenario *s = load_in_room(
        "{\"in\": [[0, 0], [20, 0], [20, 10], [0, 10]], \"count\": 300, \"radius\": {\"uniform\": [0.15, 0.3]}, "
        "\"goal\": {\"direction\": [1, 0]}}, "
        "{\"in\": [[0, 0], [20, 0], [20, 10], [0, 10]], \"count\": 200, \"gap\": 0.05, \"goal\": {\"direction\": [1, "
        "0]}}");
    assert_int_equal(s->person_count, 500);
    assert_sound(s, 0.01);
    throng_scenario_destroy(s);
}

/* Random placement goes on to where discs cannot be added any more: 0.547 of the floor. */
static void test_random_until_full(void **state) {
    (void)state;
    throng_scenario *s = load(
        "{\"throng\": 1, \"name\": \"t\", \"agents\": [{\"in\": [[-0.25, -0.25], [30.25, -0.25], [30.25, 30.25], "
        "[-0.25, 30.25]], "
        "\"count\": 2500, \"gap\": 0, \"radius\": 0.25, \"goal\": {\"direction\": [1, 0]}}]}");
    assert_sound(s, 0);
    throng_scenario_destroy(s);
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.text =
        "{\"throng\": 1, \"name\": \"t\", \"agents\": [{\"in\": [[-0.25, -0.25], [30.25, -0.25], [30.25, 30.25], "
        "[-0.25, 30.25]], "
        "\"count\": 3000, \"gap\": 0, \"radius\": 0.25}]}";
    assert_null(throng_scenario_create(&def, report));
    size_t placed = 0;
    for (size_t i = 0; i < throng_report_count(report); i++)
        sscanf(throng_report_message(report, i).text, "placed %zu of 3000", &placed);
    double coverage = (double)placed * 3.14159265 * 0.0625 / (30.5 * 30.5);
    if (!(coverage > 0.53 && coverage < 0.56)) fail_msg("%zu people cover %g", placed, coverage);
    throng_report_destroy(report);
}

static void test_random_is_uniform(void **state) {
    (void)state;
    throng_scenario *s = load(
        "{\"throng\": 1, \"name\": \"t\", \"agents\": [{\"in\": [[0, 0], [100, 0], [100, 100], [0, 100]], \"count\": "
        "4000, \"radius\": 0.1, \"goal\": {\"direction\": [1, 0]}}]}");
    double count[16] = {0}, chi2 = 0;
    for (size_t i = 0; i < s->person_count; i++) {
        throng_point p = s->people[i].def.at;
        count[(int)(p.x / 25) * 4 + (int)(p.y / 25)]++;
    }
    for (int i = 0; i < 16; i++) chi2 += (count[i] - 250) * (count[i] - 250) / 250;
    assert_true(chi2 < 37.7); /* one in a thousand for 15 degrees of freedom */
    throng_scenario_destroy(s);
}

static void test_lattices(void **state) {
    (void)state;
    throng_scenario *s = load_in_room(
        "{\"in\": [[0, 0], [9, 0], [9, 10], [0, 10]], \"count\": 300, \"placement\": \"hex\", \"goal\": "
        "{\"direction\": [1, 0]}}, "
        "{\"in\": [[9, 0], [20, 0], [20, 10], [9, 10]], \"count\": 200, \"placement\": \"grid\", \"gap\": 0.1, "
        "\"jitter\": 0.1, \"goal\": {\"direction\": [1, 0]}}, "
        "{\"in\": [[0, 0], [20, 0], [20, 10], [0, 10]], \"count\": 30, \"radius\": 0.1, \"placement\": \"hex\", "
        "\"goal\": {\"direction\": [1, 0]}}");
    assert_int_equal(s->person_count, 530);
    assert_sound(s, 0.01);
    throng_scenario_destroy(s);
}

/* A lattice holds what geometry says, and spreads fewer people over the whole floor. */
static void test_lattice_spread(void **state) {
    (void)state;
    throng_scenario *s = load(
        "{\"throng\": 1, \"name\": \"t\", \"agents\": [{\"in\": [[0, 0], [4, 0], [4, 4], [0, 4]], \"count\": 100, "
        "\"placement\": \"grid\", \"gap\": 0, \"goal\": {\"direction\": [1, 0]}}, "
        "{\"in\": [[10, 0], [20, 0], [20, 10], [10, 10]], \"count\": 30, \"placement\": \"hex\", \"goal\": "
        "{\"direction\": [1, 0]}}]}");
    assert_sound(s, 0);
    double low = 1e9, high = -1e9, nearest = 1e9;
    for (size_t i = 100; i < 130; i++) {
        throng_point p = s->people[i].def.at;
        low = fmin(low, p.y), high = fmax(high, p.y);
        for (size_t j = 100; j < i; j++)
            nearest = fmin(nearest, hypot(p.x - s->people[j].def.at.x, p.y - s->people[j].def.at.y));
    }
    assert_true(low < 1.5 && high > 8.5 && nearest > 1.5);
    throng_scenario_destroy(s);
}

static void test_shapes(void **state) {
    (void)state;
    throng_scenario *s = load(
        "{\"throng\": 1, \"name\": \"t\", \"agents\": ["
        "{\"grid\": {\"origin\": [1, 2], \"columns\": 3, \"rows\": 2, \"spacing\": [1.5, 2]}, \"goal\": "
        "{\"direction\": [1, 0]}}, "
        "{\"ring\": {\"centre\": [50, 50], \"radius\": 10, \"count\": 8, \"phase\": 45}, \"goal\": \"antipode\"}, "
        "{\"ellipse\": {\"centre\": [-50, 0], \"axes\": [2, 1], \"spacing\": 1}, \"goal\": {\"direction\": [1, 0]}}, "
        "{\"grid\": {\"origin\": [90, 2], \"columns\": 3, \"rows\": 2, \"spacing\": [1.5, 2], \"angle\": 90}, "
        "\"goal\": {\"direction\": [1, 0]}}]}");
    assert_int_equal(s->person_count, 6 + 8 + 7 + 6);
    assert_true(s->people[25].def.at.x == 88 && s->people[25].def.at.y == 3.5);
    assert_true(s->people[0].def.at.x == 1 && s->people[0].def.at.y == 2);
    assert_true(s->people[4].def.at.x == 2.5 && s->people[4].def.at.y == 4);
    assert_true(fabs(s->people[6].def.at.x - 50 - sqrt(50)) < 1e-9);
    assert_true(s->people[7].def.at.x == 50 && s->people[7].def.at.y == 60);
    throng_scenario_destroy(s);
}

static void test_jitter(void **state) {
    (void)state;
    throng_scenario *s = load_in_room(
        "{\"grid\": {\"origin\": [0.3, 0.3], \"columns\": 20, \"rows\": 5, \"spacing\": [0.5, 0.5], \"jitter\": 0.5}, "
        "\"goal\": {\"direction\": [1, 0]}}");
    assert_sound(s, 0);
    int moved = 0;
    for (size_t i = 0; i < 100; i++) {
        double dx = s->people[i].def.at.x - 0.3 - 0.5 * (double)(i % 20),
               dy = s->people[i].def.at.y - 0.3 - 0.5 * (double)(i / 20);
        assert_true(fabs(dx) <= 0.5 && fabs(dy) <= 0.5);
        moved += dx != 0 || dy != 0;
    }
    assert_true(moved > 50);
    throng_scenario_destroy(s);
}

/* ------------------------------------------------------------------ did you mean */

static const char *nearest(const char *word) {
    static const char *const known[] = {"walkable_area", "obstacles", "desired_speed",  "max_speed",
                                        "centre",        "dt",        "demo/bottleneck"};
    throng_suggestion s = {.word = word};
    for (size_t i = 0; i < 7; i++) throng_suggest(&s, known[i]);
    return s.best ? s.best : "";
}

static void test_suggestions(void **state) {
    (void)state;
    assert_string_equal(nearest("obstacle"), "obstacles");
    assert_string_equal(nearest("walkableArea"), "walkable_area");
    assert_string_equal(nearest("center"), "centre");
    assert_string_equal(nearest("speed"), "desired_speed");
    assert_string_equal(nearest("td"), "dt");
    assert_string_equal(nearest("bottleneck"), "demo/bottleneck");
    assert_string_equal(nearest("banana"), "");
    assert_string_equal(nearest(""), "");
    assert_string_equal(nearest("a word so long that it cannot be meant for any of the known ones at all"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementary),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_until_full),
        cmocka_unit_test(test_random_is_uniform),
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_lattice_spread),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_jitter),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
