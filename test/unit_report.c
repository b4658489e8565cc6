/* unit_report.c: what is found while reading an input: notes and warnings never refuse it, and beyond the first 200 of
 * a kind the rest is counted in one message. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <throng/throng.h>

#include "base/report.h"

enum { TEXT_SIZE = 200000 };

/* A scenario whose list `key` is COUNT times what `item` makes of the count. */
static throng_scenario *load(const char *key, int count, const char *item, throng_report *report) {
    char *text = malloc(TEXT_SIZE);
    int used = snprintf(text, TEXT_SIZE, "{\"throng\": 1, \"name\": \"many\", \"%s\": [", key);
    for (int i = 0; i < count; i++) {
        int x = 2 + 4 * (i % 100), y = 2 + 4 * (i / 100);
        used += snprintf(text + used, TEXT_SIZE - (size_t)used, i ? "," : "");
        used += snprintf(text + used, TEXT_SIZE - (size_t)used, item, x, y);
    }
    snprintf(text + used, TEXT_SIZE - (size_t)used, "]}");
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    free(text);
    return scenario;
}

static const char *text_at(const throng_report *report, size_t index) {
    return throng_report_message(report, index).text;
}

static void test_notes_refuse_nothing(void **state) {
    (void)state;
    throng_report *report = throng_report_create();
    throng_scenario *scenario = load("agents", 300, "{\"at\": [%d, %d]}", report);
    assert_non_null(scenario);
    assert_int_equal(throng_report_tally(report, THRONG_NOTE), 300);
    assert_int_equal(throng_report_error_count(report), 0);
    assert_int_equal(throng_report_count(report), 201);
    assert_string_equal(text_at(report, 200), "100 more notes are not listed");
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}

/* Every second box leaves a gap of half a millimetre, which is mended with a warning. */
static void test_warnings_refuse_nothing(void **state) {
    (void)state;
    static const char pair[] =
        "{\"polygon\": [[%1$d,%2$d],[%1$d.5,%2$d],[%1$d.5,%2$d.9],[%1$d,%2$d.9]]},"
        "{\"polygon\": [[%1$d.5005,%2$d],[%1$d.9,%2$d],[%1$d.9,%2$d.9],[%1$d.5005,%2$d.9]]}";
    throng_report *report = throng_report_create();
    throng_scenario *scenario = load("obstacles", 400, pair, report);
    assert_non_null(scenario);
    assert_int_equal(throng_report_error_count(report), 0);
    assert_int_equal(throng_report_tally(report, THRONG_WARNING), 401); /* and that nobody is there */
    assert_int_equal(throng_report_count(report), 201);
    throng_message rest = throng_report_message(report, 200);
    assert_string_equal(rest.text, "201 more warnings are not listed");
    assert_int_equal(rest.severity, THRONG_WARNING);
    assert_false(rest.has_place); /* where the 201st is says nothing of the rest */
    assert_true(throng_report_message(report, 199).has_place);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}

/* Each kind has room of its own: an error behind many notes is told. */
static void test_errors_are_told(void **state) {
    (void)state;
    throng_report *report = throng_report_create();
    for (int i = 0; i < 1000; i++) throng_report_add(report, THRONG_NOTE, 0, 0, "", "note");
    throng_report_add(report, THRONG_ERROR, 7, 3, "agents", "wrong");
    assert_int_equal(throng_report_count(report), 202);
    assert_string_equal(text_at(report, 200), "800 more notes are not listed");
    assert_string_equal(text_at(report, 201), "wrong");
    assert_int_equal(throng_report_error_count(report), 1);
    throng_report_destroy(report);

    report = throng_report_create();
    assert_null(load("agents", 201, "{\"at\": [%d, %d], \"radius\": -1, \"goal\": {\"x\": 1}}", report));
    assert_int_equal(throng_report_error_count(report), 201);
    assert_string_equal(text_at(report, throng_report_count(report) - 1), "1 more error is not listed");
    throng_report_destroy(report);
}

/* Speeds that nobody can mean are good input, but worth a word. */
static void test_odd_speeds_are_told(void **state) {
    (void)state;
    static const struct {
        const char *key, *item;
        size_t warnings;
    } cases[] = {
        {"agents", "{\"at\": [%d, %d], \"goal\": {\"x\": 9}, \"desired_speed\": 134}", 1},
        {"agents", "{\"at\": [%d, %d], \"goal\": {\"x\": 9}, \"desired_speed\": 5}", 0},
        {"zones", "{\"polygon\": [[%d, %d], [9, 2], [9, 9]], \"speed_factor\": 5}", 2}, /* and that nobody is there */
        {"zones", "{\"polygon\": [[%d, %d], [9, 2], [9, 9]], \"speed_factor\": 1.5}", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        throng_report *report = throng_report_create();
        throng_scenario *scenario = load(cases[i].key, 1, cases[i].item, report);
        assert_non_null(scenario);
        assert_int_equal(throng_report_tally(report, THRONG_WARNING), cases[i].warnings);
        throng_scenario_destroy(scenario);
        throng_report_destroy(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes_refuse_nothing),
        cmocka_unit_test(test_warnings_refuse_nothing),
        cmocka_unit_test(test_errors_are_told),
        cmocka_unit_test(test_odd_speeds_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
