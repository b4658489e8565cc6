/* unit_plan_trace.c: pictures become outlines that enclose what the pixels do. */

#include <stdlib.h>
#include <string.h>

#include "plan/picture_trace.h"
#include "space/line_sweep.h"
#include "space/place.h"
#include "testing.h"

/* A picture drawn with characters, the first row on top: '#' is wall. */
static throng_raster raster_of(const char *const *rows, size_t height) {
    throng_raster raster = {strlen(rows[0]), height, NULL};
    raster.labels = malloc(raster.width * height);
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < raster.width; x++)
            raster.labels[(height - 1 - y) * raster.width + x] = rows[y][x] != '#';
    }
    return raster;
}

typedef struct traced {
    double area;
    size_t outer, holes, corners;
} traced;

static traced trace(const throng_raster *raster) {
    throng_outlines outlines = throng_trace(raster, 1, 255);
    throng_ring_contact contact;
    traced t = {0};
    for (size_t r = 0; r < outlines.count; r++) {
        double area = throng_ring_area(outlines.rings[r]);
        t.area += area;
        t.outer += area > 0;
        t.holes += area < 0;
        t.corners += outlines.rings[r].count;
        if (area < 0) assert_true(throng_ring_area(outlines.rings[outlines.inside_of[r]]) > 0);
    }
    assert_true(throng_rings_apart(outlines.rings, outlines.count, NULL, &contact));
    throng_outlines_clear(&outlines);
    return t;
}

static void test_rectangles_are_exact(void **state) {
    (void)state;
    const char *rows[] = {"##########", "#........#", "#.##.....#", "#.##..#..#", "#........#", "##########"};
    throng_raster raster = raster_of(rows, 6);
    traced t = trace(&raster);
    assert_near(t.area, 8 * 4 - 4 - 1, 1e-12);
    assert_int_equal(t.outer, 1);
    assert_int_equal(t.holes, 2);
    assert_int_equal(t.corners, 12);
    free(raster.labels);
}

/* The bottom left of the picture is the origin, and y goes up. */
static void test_origin(void **state) {
    (void)state;
    const char *rows[] = {"###", "###", ".##"};
    throng_raster raster = raster_of(rows, 3);
    throng_outlines outlines = throng_trace(&raster, 1, 255);
    assert_int_equal(outlines.count, 1);
    for (size_t i = 0; i < outlines.rings[0].count; i++) {
        throng_point p = outlines.rings[0].points[i];
        assert_true(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1);
    }
    throng_outlines_clear(&outlines);
    free(raster.labels);
}

/* Nobody walks through a wall of one pixel, though its pixels touch in corners only. */
static void test_thin_diagonal_wall_parts_rooms(void **state) {
    (void)state;
    enum { SIDE = 40 };
    throng_raster raster = {SIDE, SIDE, malloc(SIDE * SIDE)};
    for (size_t i = 0; i < SIDE * SIDE; i++) raster.labels[i] = i % SIDE != i / SIDE;
    traced t = trace(&raster);
    assert_int_equal(t.outer, 2);
    assert_int_equal(t.holes, 0);
    assert_near(t.area, SIDE * SIDE - SIDE, 1.0 * 4 * SIDE);
    assert_true(t.corners < 20);
    free(raster.labels);
}

/* Checkerboards: every pixel is a room of its own. */
static void test_checkerboard(void **state) {
    (void)state;
    enum { SIDE = 12 };
    throng_raster raster = {SIDE, SIDE, malloc(SIDE * SIDE)};
    for (size_t i = 0; i < SIDE * SIDE; i++) raster.labels[i] = (i % SIDE + i / SIDE) % 2;
    traced t = trace(&raster);
    assert_int_equal(t.outer, SIDE * SIDE / 2);
    free(raster.labels);
}

/* A disc: a ring of few corners, and its area to a percent. */
static void test_disc(void **state) {
    (void)state;
    enum { SIDE = 120 };
    throng_raster raster = {SIDE, SIDE, malloc(SIDE * SIDE)};
    size_t pixels = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        double x = (double)(i % SIDE) + 0.5 - 60, y = (double)(i / SIDE) + 0.5 - 60;
        raster.labels[i] = x * x + y * y < 50 * 50;
        pixels += raster.labels[i];
    }
    traced t = trace(&raster);
    assert_int_equal(t.outer, 1);
    assert_near(t.area, (double)pixels, 0.01 * (double)pixels);
    assert_true(t.corners <= 60);
    free(raster.labels);
}

/* Slanted walls of every direction come out as a few lines. */
static void test_slanted_walls(void **state) {
    (void)state;
    enum { SIDE = 200 };
    for (int k = 0; k <= 20; k++) {
        throng_raster raster = {SIDE, SIDE, malloc(SIDE * SIDE)};
        size_t pixels = 0;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            double x = (double)(i % SIDE) + 0.5, y = (double)(i / SIDE) + 0.5;
            raster.labels[i] = y < 20 + x * k / 20 * 0.8;
            pixels += raster.labels[i];
        }
        traced t = trace(&raster);
        assert_int_equal(t.outer, 1);
        assert_near(t.area, (double)pixels, 0.3 * SIDE);
        assert_true(t.corners <= 6);
        free(raster.labels);
    }
}

/* Walls of one pixel in every direction part two rooms, as smooth as they are thin. */
static void test_thin_slanted_walls(void **state) {
    (void)state;
    enum { SIDE = 200 };
    size_t corners = 0;
    for (int k = 0; k <= 20; k++) {
        throng_raster raster = {SIDE, SIDE, malloc(SIDE * SIDE)};
        memset(raster.labels, 1, SIDE * SIDE);
        for (size_t x = 0; x < SIDE; x++)
            raster.labels[(size_t)(10.5 + (double)(x * (size_t)k) / 20 * 0.9) * SIDE + x] = 0;
        traced t = trace(&raster);
        assert_int_equal(t.outer, 2);
        assert_int_equal(t.holes, 0);
        corners += t.corners;
        free(raster.labels);
    }
    assert_true(corners <= 21 * 12);
}

/* Noise is the worst picture there is: as many rooms and holes as the exact borders have, and no contact. */
static void test_noise_keeps_its_topology(void **state) {
    (void)state;
    uint32_t random = 1;
    for (int k = 0; k < 40; k++) {
        size_t side = 8 + (size_t)k;
        throng_raster raster = {side, side, malloc(side * side)};
        for (size_t i = 0; i < side * side; i++) {
            random = random * 1664525u + 1013904223u;
            raster.labels[i] = (random >> 24) < (uint32_t)(80 + 3 * k);
        }
        throng_borders borders = throng_follow_borders(&raster, 1, 255);
        traced t = trace(&raster);
        assert_int_equal(t.outer + t.holes, borders.count);
        throng_borders_clear(&borders);
        free(raster.labels);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangles_are_exact),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_thin_diagonal_wall_parts_rooms),
        cmocka_unit_test(test_checkerboard),
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_slanted_walls),
        cmocka_unit_test(test_thin_slanted_walls),
        cmocka_unit_test(test_noise_keeps_its_topology),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
