/* unit_json.c: the JSON reader: values, positions, what it accepts and what it refuses; and --set. */

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/json.h"

static throng_report *report;

static int set_up(void **state) {
    (void)state;
    report = throng_report_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    throng_report_destroy(report);
    return 0;
}

static throng_json *read(const char *text) { return throng_json_create(text, strlen(text), report); }

/* The text is refused; the first message contains `words` and stands at line:column. */
static void assert_refused_bytes(const char *text, size_t length, int line, int column, const char *words) {
    throng_report *own = throng_report_create();
    throng_json_destroy(throng_json_create(text, length, own));
    assert_true(throng_report_count(own) > 0);
    throng_message m = throng_report_message(own, 0);
    if (!strstr(m.text, words) || m.line != line || m.column != column) {
        fail_msg("%s\nexpected %d:%d %s\nfound    %d:%d %s", text, line, column, words, m.line, m.column, m.text);
    }
    throng_report_destroy(own);
}

static void assert_refused(const char *text, int line, int column, const char *words) {
    assert_refused_bytes(text, strlen(text), line, column, words);
}

static void assert_clean(void) {
    if (throng_report_count(report)) fail_msg("%s", throng_report_message(report, 0).text);
}

/* ------------------------------------------------------------------ values */

static void test_values(void **state) {
    (void)state;
    throng_json *json =
        read("// a comment\n{\"a\": [1, -2.5e2, true, false, null,], // more\n \"b\": {\"c\": \"text\",},}");
    assert_clean();
    assert_non_null(json);
    assert_int_equal(throng_json_kind_of(json, 0), THRONG_JSON_OBJECT);
    assert_int_equal(throng_json_count(json, 0), 2);
    throng_json_ref a = throng_json_find(json, 0, "a"), b = throng_json_find(json, 0, "b");
    assert_int_equal(throng_json_count(json, a), 5);
    assert_true(throng_json_number_of(json, a + 1) == 1);
    assert_true(throng_json_number_of(json, a + 2) == -250);
    assert_int_equal(throng_json_kind_of(json, a + 3), THRONG_JSON_BOOL);
    assert_true(throng_json_number_of(json, a + 3) == 1 && throng_json_number_of(json, a + 4) == 0);
    assert_int_equal(throng_json_kind_of(json, a + 5), THRONG_JSON_NULL);
    assert_string_equal(throng_json_text_of(json, throng_json_find(json, b, "c")), "text");
    assert_int_equal(throng_json_find(json, 0, "missing"), THRONG_NO_NODE);
    assert_int_equal(throng_json_find(json, a, "a"), THRONG_NO_NODE);
    throng_json_destroy(json);
}

static void test_text_escapes(void **state) {
    (void)state;
    throng_json *json = read(
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e9\\u20ac\\ud83d\\ude00\", \"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\", "
        "\"\"]");
    assert_clean();
    assert_string_equal(throng_json_text_of(json, 1), "\"\\/\b\f\n\r\t");
    assert_string_equal(throng_json_text_of(json, 2), throng_json_text_of(json, 3));
    assert_string_equal(throng_json_text_of(json, 4), "");
    throng_json_destroy(json);
}

static void test_positions(void **state) {
    (void)state;
    throng_json *json = read("\xEF\xBB\xBF{\n  \"key\": 1,\r\n  \"\xC3\xA9\": [10,\n\t20]}");
    int line, column;
    throng_json_where(json, 1, &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 3);
    throng_json_where(json, 2, &line, &column);
    assert_int_equal(column, 10);
    throng_json_where(json, 5, &line, &column); /* after a letter of two bytes */
    assert_int_equal(line, 3);
    assert_int_equal(column, 9);
    throng_json_where(json, 6, &line, &column);
    assert_int_equal(line, 4);
    assert_int_equal(column, 2);
    throng_json_destroy(json);
}

static void test_paths(void **state) {
    (void)state;
    char path[100];
    throng_json *json = read("{\"agents\": [{\"at\": [1, 2]}, {\"radius\": 3}], \"dt\": 4}");
    assert_string_equal(throng_json_path(json, 0, path, sizeof path), "");
    throng_json_ref agents = throng_json_find(json, 0, "agents");
    throng_json_ref second = throng_json_after(json, agents + 1);
    assert_string_equal(throng_json_path(json, agents, path, sizeof path), "agents");
    assert_string_equal(throng_json_path(json, second, path, sizeof path), "agents[1]");
    assert_string_equal(throng_json_path(json, second + 1, path, sizeof path), "agents[1].radius");
    assert_string_equal(throng_json_path(json, second + 2, path, sizeof path), "agents[1].radius");
    throng_json_ref at = throng_json_find(json, agents + 1, "at");
    assert_string_equal(throng_json_path(json, at + 2, path, sizeof path), "agents[0].at[1]");
    assert_string_equal(throng_json_path(json, throng_json_find(json, 0, "dt"), path, sizeof path), "dt");
    assert_string_equal(throng_json_path(json, at + 2, path, 8), "agents[");
    throng_json_destroy(json);
}

/* ------------------------------------------------------------------ numbers */

static void assert_number(const char *text) {
    double number;
    assert_true(throng_json_number(text, strlen(text), &number));
    double expected = strtod(text, NULL);
    if (memcmp(&number, &expected, sizeof number) != 0) fail_msg("%s: %.17g, not %.17g", text, number, expected);
}

static void test_numbers(void **state) {
    (void)state;
    static const char *const good[] = {"0",
                                       "-0",
                                       "0.1",
                                       "0.30000000000000004",
                                       "123456789012345678901234567890",
                                       "9007199254740993",
                                       "1e22",
                                       "1e23",
                                       "8.5e-5",
                                       "1E+2",
                                       "2.2250738585072011e-308",
                                       "5e-324",
                                       "1e-400",
                                       "1.7976931348623157e308",
                                       "0.000001",
                                       "6.02214076e23",
                                       "3.14159265358979323846264338327950288",
                                       "1e0000000001",
                                       "100000000000000000000e-20"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_number(good[i]);
    static const char *const bad[] = {"",    "-",    "+1",    ".5",    "1.",    "01", "1e",
                                      "1e+", "0x10", "1e999", "1_000", "1e1.5", "--1"};
    double number;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (throng_json_number(bad[i], strlen(bad[i]), &number)) fail_msg("%s was taken for a number", bad[i]);
    }
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[40];
        snprintf(text, sizeof text, "%.*g", 1 + i % 17, value);
        if (isfinite(strtod(text, NULL))) assert_number(text);
    }
}

static void test_numbers_in_a_foreign_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < 3 && !setlocale(LC_NUMERIC, names[i]); i++) continue;
    double number = 0;
    assert_true(throng_json_number("0.30000000000000004", 19, &number));
    assert_true(number == 3 * 0.1);
    setlocale(LC_NUMERIC, "C");
}

/* ------------------------------------------------------------------ faults */

static void test_structure_faults(void **state) {
    (void)state;
    assert_refused("", 1, 1, "found the end of the text");
    assert_refused("{\n \"throng\": 1,\n \"name\": \"x\",\n \"dt\": 0.1 \"seed\": 3\n}\n", 4, 12,
                   "expected ',' or '}', found '\"'");
    assert_refused("{\"a\" 1}", 1, 6, "expected ':' after the key 'a'");
    assert_refused("{a: 1}", 1, 2, "expected a key in double quotes");
    assert_refused("{\"a\":}", 1, 6, "expected a value, found '}'");
    assert_refused("[1, 2", 1, 6, "before the '[' of line 1, column 1 is closed");
    assert_refused("[1,, 2]", 1, 4, "expected a value, found ','");
    assert_refused("[1] 2", 1, 5, "expected nothing more");
    assert_refused("[1}", 1, 3, "expected ',' or ']'");
    assert_refused("{\"a\": 'x'}", 1, 7, "double quotes");
    assert_refused("{\"a\": \"x\n\"}", 1, 7, "no closing quote");
    assert_refused("{\"a\": \"x\\\n\"}", 1, 7, "no closing quote");
    assert_refused("/* no */ {}", 1, 1, "only comments from //");
    assert_refused("[1 / 2]", 1, 4, "expected ',' or ']', found '/'");
    assert_refused_bytes("[1\0]", 4, 1, 3, "a character of code 0");
}

static void test_value_faults(void **state) {
    (void)state;
    assert_refused("[NaN]", 1, 2, "NaN is not a finite number");
    assert_refused("[1, -Infinity]", 1, 5, "-Infinity is not a finite number");
    assert_refused("[1e999]", 1, 2, "too large");
    assert_refused("[.5]", 1, 2, "not a number");
    assert_refused("[True]", 1, 2, "write true");
    assert_refused("[word]", 1, 2, "double quotes");
    assert_refused("[\"\\x\"]", 1, 3, "unknown escape");
    assert_refused("[\"ab\\u12\"]", 1, 5, "four hexadecimal digits");
    assert_refused("[\"\\ud800\"]", 1, 3, "half of a pair");
    assert_refused("[\"\\ude00\\ud83d\"]", 1, 3, "half of a pair");
    assert_refused("[\"\\u0000\"]", 1, 3, "code 0");
    assert_refused("[\"a\tb\"]", 1, 4, "control character");
    assert_refused("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", 3, 2, "key 'a' is given twice; it first stands in line 1");
}

static void test_utf8_faults(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\x80", "\xC0\xAF", "\xC3", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
        "\xFF", "\xE2\x82"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[20];
        snprintf(text, sizeof text, "[\"%s\"]", bad[i]);
        assert_refused(text, 1, 3, "not UTF-8");
    }
}

static void test_goes_on_after_a_bad_value(void **state) {
    (void)state;
    throng_json *json = read("{\"a\": NaN, \"b\": \"\\q\", \"a\": 1, \"c\": Infinity}");
    assert_non_null(json);
    assert_int_equal(throng_report_error_count(report), 4);
    assert_int_equal(throng_json_kind_of(json, throng_json_find(json, 0, "a")), THRONG_JSON_BAD);
    throng_json_destroy(json);
}

static void test_deep_nesting(void **state) {
    (void)state;
    size_t deep = 1000000;
    char *text = malloc(deep + 1);
    memset(text, '[', deep);
    text[deep] = 0;
    assert_refused(text, 1, THRONG_JSON_DEPTH + 1, "nested too deeply");
    memset(text + THRONG_JSON_DEPTH, ']', THRONG_JSON_DEPTH);
    text[2 * THRONG_JSON_DEPTH] = 0;
    throng_json *json = read(text);
    assert_non_null(json);
    throng_json_destroy(json);
    free(text);
}

static void test_large(void **state) {
    (void)state;
    enum { POINTS = 200000, KEYS = 50000 };
    char *text = malloc(POINTS * 30 + KEYS * 20), *p = text;
    p += sprintf(p, "{\"ring\": [");
    for (int i = 0; i < POINTS; i++) p += sprintf(p, "[%d.25, -%d.5],", i, i);
    p += sprintf(p, "], \"names\": {");
    for (int i = 0; i < KEYS; i++) p += sprintf(p, "\"k%d\": %d,", i, i);
    strcpy(p, "}}");
    throng_json *json = read(text);
    assert_clean();
    throng_json_ref names = throng_json_find(json, 0, "names");
    assert_int_equal(throng_json_count(json, throng_json_find(json, 0, "ring")), POINTS);
    assert_true(throng_json_number_of(json, throng_json_find(json, names, "k49999")) == 49999);
    throng_json_destroy(json);
    free(text);
}

/* ------------------------------------------------------------------ --set */

/* The number found at a path after some assignments. */
static double number_at(throng_json *json, const char *first, const char *second, const char *third) {
    throng_json_ref node = throng_json_find(json, 0, first);
    if (node != THRONG_NO_NODE && second) node = throng_json_find(json, node, second);
    if (node != THRONG_NO_NODE && third) node = throng_json_find(json, node, third);
    return node == THRONG_NO_NODE ? NAN : throng_json_number_of(json, node);
}

static void test_set(void **state) {
    (void)state;
    throng_json *json = read(
        "{\"dt\": 0.1, \"model\": \"orca\", \"agents\": [{\"count\": 1}, {\"at\": [1, 2], \"count\": 7}], \"x\": "
        "{\"y\": [1]}}");
    assert_true(throng_json_set(json, "dt=0.5", report));
    assert_true(throng_json_set(json, "agents[0].count=500", report));
    assert_true(throng_json_set(json, "agents[1].at[1]=9", report));
    assert_true(throng_json_set(json, "model.params.tau0=2", report));
    assert_true(throng_json_set(json, "model.params.k=3", report));
    assert_true(throng_json_set(json, "seed=4", report));
    assert_true(throng_json_set(json, "x.y=[[1, 2], {\"z\": 3}]", report));
    assert_true(throng_json_set(json, "deep.er.est=5", report));
    assert_true(throng_json_set(json, "agents[0].goal={\"point\": [3, 4]}", report));
    assert_clean();

    assert_true(number_at(json, "dt", NULL, NULL) == 0.5);
    assert_true(number_at(json, "seed", NULL, NULL) == 4);
    assert_true(number_at(json, "model", "params", "tau0") == 2);
    assert_true(number_at(json, "model", "params", "k") == 3);
    assert_true(number_at(json, "deep", "er", "est") == 5);
    assert_string_equal(throng_json_text_of(json, throng_json_find(json, throng_json_find(json, 0, "model"), "name")),
                        "orca");
    throng_json_ref agents = throng_json_find(json, 0, "agents"), second = throng_json_after(json, agents + 1);
    assert_int_equal(throng_json_count(json, agents), 2);
    assert_true(throng_json_number_of(json, throng_json_find(json, agents + 1, "count")) == 500);
    assert_true(throng_json_number_of(json, throng_json_find(json, second, "count")) == 7);
    assert_true(throng_json_number_of(json, throng_json_find(json, second, "at") + 2) == 9);
    throng_json_ref goal = throng_json_find(json, agents + 1, "goal");
    assert_true(throng_json_number_of(json, throng_json_find(json, goal, "point") + 2) == 4);
    throng_json_ref y = throng_json_find(json, throng_json_find(json, 0, "x"), "y");
    assert_int_equal(throng_json_count(json, y), 2);
    assert_true(throng_json_number_of(json, throng_json_find(json, throng_json_after(json, y + 1), "z")) == 3);
    throng_json_destroy(json);
}

static void test_set_words_and_origin(void **state) {
    (void)state;
    char path[60], origin[60];
    throng_json *json = read("{\"name\": 1, \"model\": {\"name\": \"a\", \"params\": {\"k\": 1}}}");
    assert_true(throng_json_set(json, "name=a b/c", report));
    assert_true(throng_json_set(json, "model=orca", report));
    assert_true(throng_json_set(json, "run_full=true", report));
    assert_true(throng_json_set(json, "cite=\"5\"", report));
    assert_true(throng_json_set(json, "description=", report));
    assert_string_equal(throng_json_text_of(json, throng_json_find(json, 0, "name")), "a b/c");
    assert_string_equal(throng_json_text_of(json, throng_json_find(json, 0, "model")), "orca");
    assert_string_equal(throng_json_text_of(json, throng_json_find(json, 0, "cite")), "5");
    assert_string_equal(throng_json_text_of(json, throng_json_find(json, 0, "description")), "");
    throng_json_ref flag = throng_json_find(json, 0, "run_full");
    assert_int_equal(throng_json_kind_of(json, flag), THRONG_JSON_BOOL);
    int line, column;
    throng_json_where(json, flag, &line, &column);
    assert_int_equal(line, 0);
    assert_string_equal(throng_json_override_of(json, flag, origin, sizeof origin), "the override run_full=true");
    assert_string_equal(throng_json_override_of(json, flag - 1, origin, sizeof origin), "the override run_full=true");
    assert_null(throng_json_override_of(json, 0, origin, sizeof origin));
    assert_string_equal(throng_json_path(json, flag, path, sizeof path), "run_full");
    throng_json_destroy(json);
}

static void assert_set_refused(const char *assignment, const char *words) {
    throng_report *own = throng_report_create();
    throng_json *json = read("{\"dt\": 0.1, \"goals\": {}, \"agents\": [{\"count\": 1}]}");
    assert_false(throng_json_set(json, assignment, own));
    const char *text = throng_report_message(own, 0).text;
    if (!strstr(text, words) || !strstr(text, "--set ")) fail_msg("%s: %s", assignment, text);
    throng_json_destroy(json);
    throng_report_destroy(own);
}

static void test_set_faults(void **state) {
    (void)state;
    assert_set_refused("dt", "expected KEY=VALUE");
    assert_set_refused("=3", "expected a key");
    assert_set_refused("dt.x=3", "'dt' is 0.1, which has no keys");
    assert_set_refused("agents.count=3", "'agents' is a list; write agents[0].count");
    assert_set_refused("agents[1].count=3", "'agents' has 1 entries");
    assert_set_refused("goals[0]=3", "'goals' is not a list");
    assert_set_refused("agent[0].count=3", "there is no list 'agent': did you mean 'agents'?");
    assert_set_refused("agents[x]=3", "expected a whole number");
    assert_set_refused("agents[0=3", "expected ']'");
    assert_set_refused("agents[0]count=3", "expected '.', '[' or '='");
    assert_set_refused("agents[0].at=[1,", "is closed");
    assert_set_refused("a..b=3", "expected a key");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_escapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_positions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_in_a_foreign_locale),
        cmocka_unit_test(test_structure_faults),
        cmocka_unit_test(test_value_faults),
        cmocka_unit_test(test_utf8_faults),
        cmocka_unit_test_setup_teardown(test_goes_on_after_a_bad_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deep_nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set_words_and_origin, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set_faults, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
