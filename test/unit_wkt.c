/* Well-known text and the numbers in it. */

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "space/wkt.h"
#include "testing.h"
#include "throng/model.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- numbers */

static void check_number(double value, const char *expected) {
    char text[THRONG_NUMBER_SIZE + 1];
    size_t length = throng_number_write(value, text);
    assert_true(length < THRONG_NUMBER_SIZE);
    text[length] = 0;
    if (expected) assert_string_equal(text, expected);
    double again;
    const char *end = throng_number_read(text, &again);
    if (!end || *end || again != value) fail_msg("%.17g became %s and then %.17g", value, text, again);

    /* No shorter text does. */
    char shortest[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(shortest, sizeof shortest, "%.*e", digits - 1, value);
        if (strtod(shortest, NULL) == value) break;
    }
    size_t need = strcspn(shortest, "e") - (strchr(shortest, '.') != NULL) - (value < 0), have = 0;
    const char *p = text + strspn(text, "-0.");
    for (; *p && *p != 'e'; p++) have += *p != '.';
    if (fabs(value) < 1e15 && floor(value) != value && have != need)
        fail_msg("%s has more digits than %s", text, shortest);
}

static void numbers_are_short_and_exact(void **state) {
    (void)state;
    check_number(0, "0");
    check_number(-0.0, "0");
    check_number(1, "1");
    check_number(-12.5, "-12.5");
    check_number(0.1, "0.1");
    check_number(0.3, "0.3");
    check_number(0.1 + 0.2, "0.30000000000000004");
    check_number(5000.123456, "5000.123456");
    check_number(1.0 / 3, "0.3333333333333333");
    check_number(123456789, "123456789");
    check_number(100, "100");
    check_number(99999999.999999985, NULL);
    check_number(nextafter(1, 2), "1.0000000000000002");
    check_number(nextafter(1, 0), "0.9999999999999999");
    check_number(nextafter(8, 0), NULL);
    check_number(0.0078125, "0.0078125");
    check_number(0.001, "0.001");
    check_number(1e-9, "1e-09");
    check_number(1e300, "1e+300");
    check_number(5e-324, NULL);
    for (uint64_t i = 0; i < 100000; i++) {
        double size = ldexp(throng_random(3, i, 0, 0) - 0.5, (int)(throng_random_bits(4, i, 0, 0) % 40) - 12);
        check_number(size, NULL);
        check_number(round(size * 1000) / 1000, NULL);
    }
}

typedef struct reading {
    const char *text;
    double value;
    size_t length; /* of the number; 0: there is none */
} reading;

static const reading readings[] = {
    {"12.5", 12.5, 4},
    {"+3", 3, 2},
    {"-.5,", -0.5, 3},
    {"5.", 5, 2},
    {"1e3 ", 1000, 3},
    {"1E-2)", 0.01, 4},
    {"1e", 1, 1}, /* the e is not part of it */
    {"1e+", 1, 1},
    {"0.1000000000000000055511151231257827", 0.1, 36},
    {"123456789012345678901234567890", 123456789012345678901234567890.0, 30},
    {"9007199254740993", 9007199254740992, 16},
    {"0.000000000000000000000000000000000000000000000001", 1e-48, 50},
    {"1e999", INFINITY, 5},
    {"-1e999", -INFINITY, 6},
    {"1e-999", 0, 6},
    {"1e99999999999999999999", INFINITY, 22},
    {"2.2250738585072011e-308", 2.2250738585072011e-308, 23},
    {"", 0, 0},
    {".", 0, 0},
    {"-", 0, 0},
    {"+-1", 0, 0},
    {"nan", 0, 0},
    {"inf", 0, 0},
    {"e5", 0, 0},
    {"0x10", 0, 1}, /* just the 0 */
};

static void numbers_are_read(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(readings); i++) {
        double value = 0;
        const char *end = throng_number_read(readings[i].text, &value);
        size_t length = end ? (size_t)(end - readings[i].text) : 0;
        if (length != readings[i].length || (end && value != readings[i].value)) {
            fail_msg("\"%s\": %.17g, %zu characters", readings[i].text, value, length);
        }
    }
}

/* ---- texts that are fine */

typedef struct good {
    const char *text;
    size_t polygons, rings, points;
    bool multi;
} good;

static const good goods[] = {
    {"POLYGON((0 0,1 0,1 1,0 0))", 1, 1, 3, false},
    {"  polygon\t( ( 0 0 , 1\n0 , 1 1 , 0 0 ) )  \r\n", 1, 1, 3, false},
    {"\xEF\xBB\xBFPOLYGON((0 0,1 0,1 1,0 0))", 1, 1, 3, false},
    {"POLYGON Z ((0 0 7, 1 0 7, 1 1 7, 0 0 7))", 1, 1, 3, false},
    {"POLYGON ZM ((0 0 7 8, 1 0 7 8, 1 1 7 8, 0 0 7 8))", 1, 1, 3, false},
    {"POLYGON ((0 0 7, 1 0 7, 1 1 7, 0 0 7))", 1, 1, 3, false},
    {"POLYGON((0 0,9 0,9 9,0 0),(1 1,2 1,2 2,1 1))", 1, 2, 6, false},
    {"MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))", 2, 2, 6, true},
    {"MultiPolygon (EMPTY, ((5 5,6 5,6 6,5 5)))", 1, 1, 3, true},
    {"GEOMETRYCOLLECTION(POLYGON((0 0,1 0,1 1,0 0)),POLYGON EMPTY,MULTIPOLYGON(((5 5,6 5,6 6,5 5))))", 2, 2, 6, false},
    {"GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POLYGON((0 0,1 0,1 1,0 0))))", 1, 1, 3, false},
    {"POLYGON((-1e1 +2.5,.5 0,1. 1e-3,-10 2.5))", 1, 1, 3, false},
};

static void good_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(goods); i++) {
        throng_wkt wkt;
        throng_error error = {0};
        if (!throng_wkt_read(goods[i].text, &wkt, &error)) fail_msg("%s: %s", goods[i].text, error.text);
        assert_int_equal(wkt.polygon_count, goods[i].polygons);
        assert_int_equal(wkt.ring_count, goods[i].rings);
        assert_int_equal(wkt.point_count, goods[i].points);
        assert_int_equal(wkt.multi, goods[i].multi);
        assert_int_equal(wkt.rings[wkt.ring_count - 1].polygon, goods[i].polygons - 1);
        throng_wkt_clear(&wkt);
    }
}

/* ---- texts that are not */

typedef struct bad {
    const char *text, *error;
} bad;

static const bad bads[] = {
    {"", "WKT line 1 column 1: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found the end of the text"},
    {"LINESTRING(0 0,1 1)",
     "WKT line 1 column 1: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found 'LINESTRING'"},
    {"POLYGONE((0 0,1 0,1 1,0 0))",
     "WKT line 1 column 1: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found 'POLYGONE'"},
    {"POLYGON", "WKT line 1 column 8: expected '(', found the end of the text"},
    {"POLYGON(", "WKT line 1 column 9: expected '(', found the end of the text"},
    {"POLYGON(0 0,1 0,1 1,0 0)", "WKT line 1 column 9: expected '(', found '0'"},
    {"POLYGON((0 0,1 0x,1 1,0 0))", "WKT line 1 column 17: expected ')' or ',', found 'x'"},
    {"POLYGON((0 0,1 0;1 1,0 0))", "WKT line 1 column 17: expected ')' or ',', found ';'"},
    {"POLYGON((0 0,1 0\n,1 a,0 0))", "WKT line 2 column 4: expected a number, found 'a'"},
    {"POLYGON((0 0,1 0,1 nan,0 0))", "WKT line 1 column 20: expected a number, found 'nan'"},
    {"POLYGON((0 0,1 0,1 inf,0 0))", "WKT line 1 column 20: expected a number, found 'inf'"},
    {"POLYGON((0 0,1 0,1 1e999,0 0))", "WKT line 1 column 20: the number is too large"},
    {"POLYGON((0 0,1 0,1,0 0))", "WKT line 1 column 19: expected a number, found ','"},
    {"POLYGON((0 0,1 0,,0 0))", "WKT line 1 column 18: expected a number, found ','"},
    {"POLYGON((0 0 1 1 1,1 0,1 1,0 0))", "WKT line 1 column 18: expected ')' or ',', found '1'"},
    {"POLYGON((0,0 1,0 1,1 0,0))", "WKT line 1 column 11: expected a number, found ','"},
    {"POLYGON((0 0,1 0,1 1,0 0)", "WKT line 1 column 26: expected ')' or ',', found the end of the text"},
    {"POLYGON((0 0,1 0,1 1,0 0", "WKT line 1 column 25: expected ')' or ',', found the end of the text"},
    {"POLYGON((0 0,1 0,1 1,0 0)))", "WKT line 1 column 27: expected the end of the text, found ')'"},
    {"POLYGON((0 0,1 0,1 1,0 0)) and more", "WKT line 1 column 28: expected the end of the text, found 'and'"},
    {"POLYGON((0 0,1 0,1 1,0 1))", "WKT line 1 column 25: ring is not closed: it begins at (0, 0) and ends at (0, 1)"},
    {"POLYGON(())", "WKT line 1 column 10: expected a number, found ')'"},
    {"POLYGON()", "WKT line 1 column 9: expected '(', found ')'"},
    {"POLYGON EMPTY", "WKT line 1 column 1: there is no polygon in it"},
    {"GEOMETRYCOLLECTION EMPTY", "WKT line 1 column 1: there is no polygon in it"},
    {"GEOMETRYCOLLECTION()", "WKT line 1 column 20: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found ')'"},
    {"GEOMETRYCOLLECTION(POINT(1 1))",
     "WKT line 1 column 20: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found 'POINT'"},
    {"POLYGON((0 0,1 0,1 1,0 0)) \x01", "WKT line 1 column 28: expected the end of the text, found byte 0x01"},
    {"POLYGON((0 0,1 0,1 1,0 \xC3\xA9))", "WKT line 1 column 24: expected a number, found byte 0xc3"},
};

static void bad_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(bads); i++) {
        throng_wkt wkt;
        throng_error error = {0};
        assert_false(throng_wkt_read(bads[i].text, &wkt, &error));
        if (strcmp(error.text, bads[i].error) != 0) {
            fail_msg("%s\n  gave     %s\n  expected %s", bads[i].text, error.text, bads[i].error);
        }
        int line = 0, column = 0;
        assert_int_equal(sscanf(error.text, "WKT line %d column %d", &line, &column), 2);
        assert_int_equal(error.line, line);
        assert_int_equal(error.column, column);
    }
}

static void nesting_is_bounded(void **state) {
    (void)state;
    size_t depth = 100000;
    const char *word = "GEOMETRYCOLLECTION(";
    char *text = malloc(depth * strlen(word) + 1);
    for (size_t i = 0; i < depth; i++) memcpy(text + i * strlen(word), word, strlen(word) + 1);
    throng_wkt wkt;
    throng_error error;
    assert_false(throng_wkt_read(text, &wkt, &error));
    assert_non_null(strstr(error.text, "nested too deeply"));
    memset(text, '(', depth);
    memcpy(text, "POLYGON", 7);
    assert_false(throng_wkt_read(text, &wkt, &error));
    free(text);
}

/* A locale that writes a comma must not matter. */
static void the_locale_does_not_matter(void **state) {
    (void)state;
    const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (size_t i = 0; i < COUNT(names) && !found; i++) found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found) skip();
    double value;
    throng_number_read("0.12345678901234567890123", &value);
    assert_true(value == 12345678901234567890123e-23);
    char text[THRONG_NUMBER_SIZE + 1];
    size_t length = throng_number_write(1.25e-5, text);
    assert_memory_equal(text, "1.25e-05", length);
    setlocale(LC_NUMERIC, "C");
}

static void texts_are_written(void **state) {
    (void)state;
    const throng_point border[] = {{0, 0}, {4, 0}, {4, 4.5}}, hole[] = {{3, 1}, {2, 1}, {3, 2}},
                       other[] = {{9, 9}, {10, 9}, {9, 10}};
    const throng_ring rings[] = {{border, 3}, {hole, 3}, {other, 3}};
    char *text = throng_wkt_write(rings, 0);
    assert_string_equal(text, "");
    throng_release(text);
    text = throng_wkt_write(rings, 1);
    assert_string_equal(text, "POLYGON ((0 0, 4 0, 4 4.5, 0 0))");
    throng_release(text);
    text = throng_wkt_write(rings, 3);
    assert_string_equal(text,
                        "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4.5, 0 0), (3 1, 2 1, 3 2, 3 1)), "
                        "POLYGON ((9 9, 10 9, 9 10, 9 9)))");
    throng_release(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short_and_exact),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(good_texts),
        cmocka_unit_test(bad_texts),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(texts_are_written),
    };
    return cmocka_run_group_tests_name("wkt", tests, NULL, NULL);
}
