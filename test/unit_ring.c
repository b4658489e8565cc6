/* Rings: questions about a single one, and the sweep that finds rings that meet. */

#include <stdlib.h>
#include <throng/model.h>

#include "space/line_sweep.h"
#include "space/orient.h"
#include "space/place.h"
#include "testing.h"

/* ---- single rings */

static void rings_answer(void **state) {
    (void)state;
    const throng_point l_shape[] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}};
    throng_ring ring = {l_shape, 6};
    assert_near(throng_ring_area(ring), 6, 0);
    assert_true(throng_ring_contains(ring, 0.5, 2));
    assert_true(throng_ring_contains(ring, 3, 0.5));
    assert_false(throng_ring_contains(ring, 2, 2));
    assert_false(throng_ring_contains(ring, -1, 1));
    assert_false(throng_ring_contains(ring, 5, 1));
    throng_point near = throng_ring_nearest(ring, 2, 2);
    assert_near(hypot(near.x - 2, near.y - 2), 1, 1e-15);
    near = throng_ring_nearest(ring, 3, 0.5);
    assert_true(near.x == 3 && near.y == 0.5);
    near = throng_ring_nearest(ring, -3, -4);
    assert_true(near.x == 0 && near.y == 0);
    assert_true(throng_ring_is_simple(l_shape, 6, NULL));

    throng_fault fault;
    assert_false(throng_ring_is_simple(l_shape, 2, &fault));
    assert_string_equal(fault.text, "fewer than three corners");
    assert_false(throng_ring_is_simple(NULL, 0, &fault));
    assert_false(fault.has_place);
    const throng_point bow[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    assert_false(throng_ring_is_simple(bow, 4, &fault));
    assert_string_equal(fault.text, "ring crosses itself");
    assert_true(fault.has_place && fault.at.x == 1 && fault.at.y == 1);
    const throng_point not_a_number[] = {{0, 0}, {2, NAN}, {2, 0}};
    assert_false(throng_ring_is_simple(not_a_number, 3, &fault));
}

/* ---- the sweep against a slow look at all pairs of edges */

static uint64_t dice = 1;

static double draw(double low, double high) { return low + (high - low) * throng_random(9, dice++, 0, 0); }

static bool between(throng_point p, throng_point a, throng_point b) {
    return p.x >= fmin(a.x, b.x) && p.x <= fmax(a.x, b.x) && p.y >= fmin(a.y, b.y) && p.y <= fmax(a.y, b.y);
}

static bool edges_meet(throng_point a, throng_point b, throng_point c, throng_point d) {
    int c_side = throng_turn(a, b, c), d_side = throng_turn(a, b, d);
    int a_side = throng_turn(c, d, a), b_side = throng_turn(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) return true;
    return (c_side == 0 && between(c, a, b)) || (d_side == 0 && between(d, a, b)) ||
           (a_side == 0 && between(a, c, d)) || (b_side == 0 && between(b, c, d));
}

static bool apart_slowly(const throng_ring *rings, size_t count) {
    for (size_t r = 0; r < count; r++) {
        for (size_t q = 0; q <= r; q++) {
            for (size_t i = 0; i < rings[r].count; i++) {
                for (size_t j = 0; j < (q < r ? rings[q].count : i); j++) {
                    size_t n = rings[r].count;
                    throng_point a = rings[r].points[i], b = rings[r].points[(i + 1) % n];
                    throng_point c = rings[q].points[j], d = rings[q].points[(j + 1) % rings[q].count];
                    bool next = q == r && (i == (j + 1) % n || j == (i + 1) % n);
                    if (!next && edges_meet(a, b, c, d)) return false;
                    /* Edges that follow each other share a corner, but must not run back. */
                    if (!next || n < 3) continue;
                    throng_point before = i == (j + 1) % n ? c : a, here = i == (j + 1) % n ? a : c;
                    throng_point after = i == (j + 1) % n ? b : d;
                    if (throng_turn(before, here, after) == 0 && !between(here, before, after)) return false;
                }
            }
        }
    }
    return true;
}

static bool inside_slowly(throng_ring outer, throng_ring inner) {
    return throng_ring_contains(outer, inner.points[0].x, inner.points[0].y);
}

/* The ring directly around: the smallest of those around. */
static size_t around_slowly(const throng_ring *rings, size_t count, size_t r) {
    size_t best = SIZE_MAX;
    for (size_t q = 0; q < count; q++) {
        if (q == r || !inside_slowly(rings[q], rings[r])) continue;
        if (best == SIZE_MAX || fabs(throng_ring_area(rings[q])) < fabs(throng_ring_area(rings[best]))) best = q;
    }
    return best;
}

/* Rings of three to seven corners on a coarse lattice, where corners and edges fall upon each other. */
static size_t lattice_ring(throng_point *points, double size, throng_point at) {
    size_t count = draw(0, 1) < 0.6 ? 3 : 3 + (size_t)draw(0, 5);
    for (size_t i = 0; i < count; i++) {
        do points[i] = (throng_point){at.x + floor(draw(0, size)), at.y + floor(draw(0, size))};
        while (i > 0 && points[i].x == points[i - 1].x && points[i].y == points[i - 1].y);
    }
    bool closed = points[0].x == points[count - 1].x && points[0].y == points[count - 1].y;
    return closed ? lattice_ring(points, size, at) : count;
}

static void the_sweep_agrees_with_all_pairs(void **state) {
    (void)state;
    size_t apart_count = 0, nested_count = 0;
    for (int round = 0; round < 100000; round++) {
        throng_point points[4][8];
        throng_ring rings[4];
        size_t count = 1 + (size_t)draw(0, 4), inside_of[4];
        /* Lattices of several sizes, so that rings come to lie in one another. */
        for (size_t r = 0; r < count; r++) {
            double size = r == 0 ? 40 : r == 1 ? 14 : 4;
            throng_point at = {r == 0 ? -14 : floor(draw(0, 12)), r == 0 ? -14 : floor(draw(0, 12))};
            rings[r] = (throng_ring){points[r], lattice_ring(points[r], size, at)};
        }
        throng_ring_contact contact;
        bool apart = throng_rings_apart(rings, count, inside_of, &contact);
        assert_int_equal(apart, apart_slowly(rings, count));
        apart_count += apart;
        for (size_t r = 0; apart && r < count; r++) {
            assert_int_equal(inside_of[r], around_slowly(rings, count, r));
            nested_count += inside_of[r] != SIZE_MAX;
        }
    }
    /* Both answers and some nesting did occur. */
    assert_in_range(apart_count, 10000, 90000);
    assert_in_range(nested_count, 1000, 100000);
}

static void a_crossing_among_many_corners_is_found(void **state) {
    (void)state;
    size_t count = 200000;
    throng_point *points = malloc(count * sizeof *points);
    for (size_t i = 0; i < count; i++) {
        /* A star of long thin rays: no two edges can be told apart by their boxes. */
        double angle = 6.283185307179586 * (double)i / (double)count, radius = draw(500, 1000);
        points[i] = (throng_point){radius * cos(angle), radius * sin(angle)};
    }
    throng_fault fault;
    assert_true(throng_ring_is_simple(points, count, &fault));
    throng_point aside = points[77777];
    points[77777] = points[77787];
    assert_false(throng_ring_is_simple(points, count, &fault));
    assert_true(hypot(fault.at.x - aside.x, fault.at.y - aside.y) < 600);
    free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_answer),
        cmocka_unit_test(the_sweep_agrees_with_all_pairs),
        cmocka_unit_test(a_crossing_among_many_corners_is_found),
    };
    return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
