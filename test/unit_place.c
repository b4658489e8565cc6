/* Places: shapes put together, repaired or refused. */

#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

#include "space/place.h"
#include "space/walls.h"
#include "testing.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double area_of(const throng_place *place) {
    double area = 0;
    for (size_t r = 0; r < place->ring_count; r++) area += throng_ring_area(place->rings[r]);
    return area;
}

static throng_obstacle polygon(const throng_point *points, size_t count) {
    return (throng_obstacle){.kind = THRONG_POLYGON, .ring = {points, count}};
}

#define POLYGON(...) polygon((throng_point[]){__VA_ARGS__}, COUNT(((throng_point[]){__VA_ARGS__})))
#define LINE(...)                                                                                             \
    (throng_obstacle) {                                                                                       \
        .kind = THRONG_LINE, .ring = {(throng_point[]){__VA_ARGS__}, COUNT(((throng_point[]){__VA_ARGS__})) } \
    }

static const throng_point room[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};

static throng_place *room_with(const throng_obstacle *obstacles, size_t count, throng_error *error) {
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){room, 4};
    def.obstacles = obstacles;
    def.obstacle_count = count;
    return throng_place_create(&def, error);
}

/* ---- shapes that are fine */

typedef struct good {
    const char *wkt;
    double area;
    size_t parts, rings;
    const char *result; /* NULL: not compared */
} good;

static const good goods[] = {
    {"POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))", 12, 1, 1, "POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))"},
    /* clockwise is turned around */
    {"polygon((0 0,0 3,4 3,4 0,0 0))", 12, 1, 1, "POLYGON ((4 0, 4 3, 0 3, 0 0, 4 0))"},
    /* a hole, either way round */
    {"POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))", 11, 1, 2,
     "POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0), (1 2, 2 2, 2 1, 1 1, 1 2))"},
    {"POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))", 11, 1, 2, NULL},
    /* two polygons apart, one in the hole of another */
    {"MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((5 5, 6 5, 6 6, 5 6, 5 5)))", 2, 2, 2,
     "GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0)), POLYGON ((5 5, 6 5, 6 6, 5 6, 5 5)))"},
    {"GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 8 1, 8 8, 1 8, 1 1)),"
     " POLYGON ((3 3, 4 3, 4 4, 3 4, 3 3)))",
     81 - 49 + 1, 2, 3, NULL},
    /* polygons that overlap, touch along a side, lie within each other */
    {"GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)), POLYGON ((1 1, 3 1, 3 3, 1 3, 1 1)))", 7, 1, 1, NULL},
    {"GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)), POLYGON ((2 0, 4 0, 4 2, 2 2, 2 0)))", 8, 1, 1, NULL},
    {"GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0)), POLYGON ((1 1, 2 1, 2 2, 1 2, 1 1)))", 81, 1, 1, NULL},
    /* a hole touching the border in a point, along a side, right across */
    {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (2 0, 3 1, 1 1, 2 0))", 15, 1, 2, NULL},
    {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 0, 3 0, 3 1, 1 1, 1 0))", 14, 1, 1, NULL},
    {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 0, 3 0, 3 4, 1 4, 1 0))", 8, 2, 2, NULL},
    /* holes touching each other */
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1), (2 1, 3 1, 3 2, 2 2, 2 1))", 79, 1, 2, NULL},
    /* repeated points */
    {"POLYGON ((0 0, 0 0, 4 0, 4 3, 4 3, 4 3, 0 3, 0 0, 0 0))", 12, 1, 1, "POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))"},
};

static void good_shapes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(goods); i++) {
        throng_place_def def = throng_default_place_def();
        def.walkable_wkt = goods[i].wkt;
        throng_error error = {0};
        throng_place *place = throng_place_create(&def, &error);
        if (!place) fail_msg("%s: %s", goods[i].wkt, error.text);
        assert_near(area_of(place), goods[i].area, 1e-12);
        assert_int_equal(place->part_count, goods[i].parts);
        assert_int_equal(throng_place_ring_count(place), goods[i].rings);
        if (goods[i].result) assert_string_equal(throng_place_wkt(place), goods[i].result);

        /* Its own text makes the same place again. */
        def.walkable_wkt = throng_place_wkt(place);
        throng_place *again = throng_place_create(&def, &error);
        assert_non_null(again);
        assert_near(area_of(again), goods[i].area, 1e-12);
        assert_int_equal(again->part_count, place->part_count);
        throng_place_destroy(again);
        throng_place_destroy(place);
    }
}

/* ---- shapes that are not */

typedef struct bad {
    const char *wkt, *error;
} bad;

static const bad bads[] = {
    {"POLYGON ((0 0, 10 10, 10 0, 0 10, 0 0))", "walkable area: ring crosses itself at (5, 5)"},
    {"POLYGON ((0 0, 1 1, 2 2, 0 0))", "walkable area: zero area: all corners lie in one line at (0, 0)"},
    {"POLYGON ((0 0, 1 1, 0 0))", "walkable area: fewer than three corners"},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 5 5, 5 1, 1 5, 1 1))",
     "walkable area: hole 1: ring crosses itself at (3, 3)"},
    {"MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0)), ((20 0, 30 10, 30 0, 20 10, 20 0)))",
     "walkable area: polygon 2: ring crosses itself at (25, 5)"},
    {"POLYGON ((0 0, 1e9 0, 9 9, 0 0))",
     "walkable area: corner 2 (1e+09, 0) is farther than 100000 km from the origin"},
    {"POLYGON EMPTY", "walkable area: WKT line 1 column 1: there is no polygon in it"},
    {"", "walkable area: WKT line 1 column 1: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found the end"},
};

static void bad_shapes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(bads); i++) {
        throng_place_def def = throng_default_place_def();
        def.walkable_wkt = bads[i].wkt;
        throng_error error = {0};
        throng_place *place = throng_place_create(&def, &error);
        if (place) fail_msg("%s: expected %s", bads[i].wkt, bads[i].error);
        if (strncmp(error.text, bads[i].error, strlen(bads[i].error)) != 0) {
            fail_msg("%s: %s, expected %s", bads[i].wkt, error.text, bads[i].error);
        }
    }
}

static void bad_obstacles(void **state) {
    (void)state;
    const struct {
        throng_obstacle obstacle;
        const char *error;
    } cases[] = {
        {POLYGON({1, 1}, {2, 2}), "obstacles[1]: fewer than three corners"},
        {POLYGON({1, 1}, {2, 2}, {2, 2}, {1, 1}), "obstacles[1]: fewer than three corners"},
        {POLYGON({1, 1}, {2, 2}, {3, 3}), "obstacles[1]: zero area: all corners lie in one line at (1, 1)"},
        {POLYGON({1, 1}, {3, 3}, {3, 1}, {1, 3}), "obstacles[1]: ring crosses itself at (2, 2)"},
        {POLYGON({1, 1}, {3, NAN}, {3, 1}), "obstacles[1]: corner 2 (3, nan) is not a finite number"},
        {POLYGON({1, 1}, {INFINITY, 2}, {3, 1}), "obstacles[1]: corner 2 (inf, 2) is not a finite number"},
        {LINE({1, 1}), "obstacles[1]: fewer than two points"},
        {LINE({1, 1}, {1, 1}), "obstacles[1]: fewer than two points"},
        {LINE({1, 1}, {NAN, 1}), "obstacles[1]: corner 2 (nan, 1) is not a finite number"},
        {{.kind = THRONG_POLYGON}, "obstacles[1]: fewer than three corners"},
        {{.kind = THRONG_LINE}, "obstacles[1]: fewer than two points"},
        {{.kind = THRONG_DISC, .centre = {1, 1}}, "obstacles[1]: radius must be above 0, found 0"},
        {{.kind = THRONG_DISC, .centre = {1, 1}, .radius = -1}, "obstacles[1]: radius must be above 0, found -1"},
        {{.kind = THRONG_DISC, .centre = {1, 1}, .radius = NAN}, "obstacles[1]: radius must be above 0, found nan"},
        {{.kind = THRONG_DISC, .centre = {1, NAN}, .radius = 1},
         "obstacles[1]: corner 1 (1, nan) is not a finite number"},
        {POLYGON({-1, -1}, {11, -1}, {11, 11}, {-1, 11}),
         "walkable area: nothing is left after taking the obstacles away"},
        {POLYGON({0, 0}, {10, 0}, {10, 10}, {0, 10}), "walkable area: nothing is left after taking the obstacles away"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        throng_obstacle obstacles[2] = {POLYGON({4, 4}, {5, 4}, {5, 5}), cases[i].obstacle};
        throng_error error = {0};
        assert_null(room_with(obstacles, 2, &error));
        assert_string_equal(error.text, cases[i].error);
    }
}

/* ---- obstacles */

static void obstacles_are_taken_away(void **state) {
    (void)state;
    const struct {
        throng_obstacle obstacle;
        double area;
        size_t parts, rings;
    } cases[] = {
        {POLYGON({1, 1}, {2, 1}, {2, 2}, {1, 2}), 99, 1, 2},      /* free-standing */
        {POLYGON({1, 1}, {1, 2}, {2, 2}, {2, 1}), 99, 1, 2},      /* the other way round */
        {POLYGON({9, 1}, {12, 1}, {12, 2}, {9, 2}), 99, 1, 1},    /* reaching beyond */
        {POLYGON({9, 1}, {10, 1}, {10, 2}, {9, 2}), 99, 1, 1},    /* touching from within */
        {POLYGON({10, 1}, {12, 1}, {12, 2}, {10, 2}), 100, 1, 1}, /* touching from without */
        {POLYGON({20, 1}, {21, 1}, {21, 2}, {20, 2}), 100, 1, 1}, /* far away */
        {POLYGON({4, -1}, {6, -1}, {6, 11}, {4, 11}), 80, 2, 2},  /* splitting the room */
        {POLYGON({4, 0}, {6, 0}, {6, 10}, {4, 10}), 80, 2, 2},    /* exactly across */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        throng_error error = {0};
        throng_place *place = room_with(&cases[i].obstacle, 1, &error);
        if (!place) fail_msg("case %zu: %s", i, error.text);
        assert_near(area_of(place), cases[i].area, 1e-12);
        assert_int_equal(place->part_count, cases[i].parts);
        assert_int_equal(place->ring_count, cases[i].rings);
        throng_place_destroy(place);
    }
}

static void obstacles_may_overlap_and_nest(void **state) {
    (void)state;
    const throng_obstacle overlapping[] = {POLYGON({1, 1}, {3, 1}, {3, 3}, {1, 3}),
                                           POLYGON({2, 2}, {4, 2}, {4, 4}, {2, 4}),
                                           POLYGON({1.5, 1.5}, {1.6, 1.5}, {1.6, 1.6})};
    throng_place *place = room_with(overlapping, 3, NULL);
    assert_near(area_of(place), 93, 1e-12);
    assert_int_equal(place->ring_count, 2);
    throng_place_destroy(place);

    const throng_obstacle nested[] = {POLYGON({2, 2}, {3, 2}, {3, 3}, {2, 3}), POLYGON({1, 1}, {5, 1}, {5, 5}, {1, 5})};
    place = room_with(nested, 2, NULL);
    assert_near(area_of(place), 84, 1e-12);
    assert_int_equal(place->ring_count, 2);
    throng_place_destroy(place);
}

/* Obstacles that meet each other but not the border, with a courtyard and somebody's kiosk in it. */
static void obstacles_may_enclose_a_courtyard(void **state) {
    (void)state;
    const throng_obstacle bars[] = {POLYGON({1, 1}, {8, 1}, {8, 2}, {1, 2}), POLYGON({1, 7}, {8, 7}, {8, 8}, {1, 8}),
                                    POLYGON({1, 1}, {2, 1}, {2, 8}, {1, 8}), POLYGON({7, 1}, {8, 1}, {8, 8}, {7, 8}),
                                    POLYGON({4, 4}, {5, 4}, {5, 5}, {4, 5})};
    throng_place *place = room_with(bars, 5, NULL);
    assert_near(area_of(place), 100 - 49 + 25 - 1, 1e-12);
    assert_int_equal(place->part_count, 2);
    assert_string_equal(throng_place_wkt(place),
                        "GEOMETRYCOLLECTION (POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (1 1, 1 8, 8 8, 8 1, 1 1)), "
                        "POLYGON ((2 2, 7 2, 7 7, 2 7, 2 2), (5 4, 4 4, 4 5, 5 5, 5 4)))");
    throng_place_destroy(place);
}

static void an_open_plane_keeps_the_obstacles(void **state) {
    (void)state;
    throng_place_def def = throng_default_place_def();
    throng_place *place = throng_place_create(&def, NULL);
    assert_true(throng_place_is_open(place));
    assert_int_equal(place->ring_count, 0);
    assert_string_equal(throng_place_wkt(place), "");
    assert_near(throng_place_bounds(place).high.x, 0, 0);
    throng_place_destroy(place);

    /* Four bars around a courtyard: an outline turning clockwise, a courtyard counter-clockwise. */
    const throng_obstacle bars[] = {POLYGON({0, 0}, {9, 0}, {9, 1}, {0, 1}), POLYGON({0, 8}, {9, 8}, {9, 9}, {0, 9}),
                                    POLYGON({0, 0}, {1, 0}, {1, 9}, {0, 9}), POLYGON({8, 0}, {9, 0}, {9, 9}, {8, 9}),
                                    POLYGON({20, 0}, {21, 0}, {21, 1}, {20, 1})};
    def.obstacles = bars;
    def.obstacle_count = 5;
    place = throng_place_create(&def, NULL);
    assert_int_equal(place->ring_count, 3);
    assert_int_equal(place->part_count, 0);
    assert_near(area_of(place), -81 + 49 - 1, 1e-12);
    throng_walls *walls = throng_walls_create(place);
    assert_near(throng_walls_depth(walls, 4, 4, 1), 1, 0);
    assert_near(throng_walls_depth(walls, 0.5, 4, 1), -0.5, 0);
    assert_near(throng_walls_depth(walls, -0.5, 4, 1), 0.5, 0);
    throng_walls_destroy(walls);
    assert_near(throng_place_bounds(place).high.x, 21, 0);
    throng_place_destroy(place);
}

static void discs_stand_out_by_5_mm_at_most(void **state) {
    (void)state;
    const double radii[] = {1e-3, 0.05, 0.3, 1, 5, 40, 300, 1e4, 1e5};
    for (size_t i = 0; i < COUNT(radii); i++) {
        throng_obstacle disc = {.kind = THRONG_DISC, .centre = {5000, -300}, .radius = radii[i]};
        throng_place_def def = throng_default_place_def();
        def.obstacles = &disc;
        def.obstacle_count = 1;
        throng_place *place = throng_place_create(&def, NULL);
        assert_int_equal(place->ring_count, 1);
        assert_true(throng_ring_area(place->rings[0]) < 0);
        throng_ring ring = place->rings[0];
        for (size_t k = 0; k < ring.count; k++) {
            throng_point a = ring.points[k], b = ring.points[(k + 1) % ring.count];
            double corner = hypot(a.x - 5000, a.y + 300) - radii[i];
            double side = hypot((a.x + b.x) / 2 - 5000, (a.y + b.y) / 2 + 300) - radii[i];
            assert_true(corner <= 0.005 + 1e-9 && corner > 0);
            assert_near(side, 0, 1e-9);
        }
        assert_near(place->bounds.high.x, 5000 + radii[i], 1e-9);
        assert_near(place->bounds.low.y, -300 - radii[i], 1e-9);
        throng_place_destroy(place);
    }
}

/* ---- thin walls */

static void check_line(const throng_place *place, size_t line, const throng_point *points, size_t count) {
    throng_ring found = throng_place_line(place, line);
    assert_int_equal(found.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_near(found.points[i].x, points[i].x, 1e-12);
        assert_near(found.points[i].y, points[i].y, 1e-12);
    }
}

static void thin_walls_are_cut_at_the_border(void **state) {
    (void)state;
    const throng_obstacle shapes[] = {
        POLYGON({4, 4}, {6, 4}, {6, 6}, {4, 6}),
        LINE({1, 1}, {2, 1}, {2, 2}),           /* 0: untouched */
        LINE({-5, 5}, {15, 5}),                 /* 1, 2: through the room and the block */
        LINE({20, 0}, {21, 0}),                 /* outside */
        LINE({0, 0}, {10, 0}),                  /* along the border */
        LINE({4.5, 5}, {5.5, 5}),               /* within the block */
        LINE({3, 9}, {3, 12}, {7, 12}, {7, 9}), /* 3, 4: out and in again */
        LINE({2, 3}, {4, 4}, {2, 5}),           /* 5: touches a corner of the block */
        LINE({1, 8}, {2, 9}, {1, 9}, {2, 8}),   /* 6: crosses itself, as thin walls may */
    };
    throng_error error = {0};
    throng_place *place = room_with(shapes, COUNT(shapes), &error);
    if (!place) fail_msg("%s", error.text);
    assert_int_equal(throng_place_line_count(place), 7);
    check_line(place, 0, (throng_point[]){{1, 1}, {2, 1}, {2, 2}}, 3);
    check_line(place, 1, (throng_point[]){{0, 5}, {4, 5}}, 2);
    check_line(place, 2, (throng_point[]){{6, 5}, {10, 5}}, 2);
    check_line(place, 3, (throng_point[]){{3, 9}, {3, 10}}, 2);
    check_line(place, 4, (throng_point[]){{7, 10}, {7, 9}}, 2);
    check_line(place, 5, (throng_point[]){{2, 3}, {4, 4}, {2, 5}}, 3);
    check_line(place, 6, (throng_point[]){{1, 8}, {2, 9}, {1, 9}, {2, 8}}, 4);
    assert_int_equal(place->ring_count, 2);
    throng_place_destroy(place);
}

static void thin_walls_stand_in_the_open(void **state) {
    (void)state;
    const throng_obstacle shapes[] = {LINE({-5, 0}, {5, 0}), POLYGON({-1, -1}, {1, -1}, {1, 1}, {-1, 1}),
                                      LINE({-5, 3}, {5, 3})};
    throng_place_def def = throng_default_place_def();
    def.obstacles = shapes;
    def.obstacle_count = 3;
    throng_place *place = throng_place_create(&def, NULL);
    assert_int_equal(throng_place_line_count(place), 3);
    check_line(place, 0, (throng_point[]){{-5, 0}, {-1, 0}}, 2);
    check_line(place, 1, (throng_point[]){{1, 0}, {5, 0}}, 2);
    check_line(place, 2, (throng_point[]){{-5, 3}, {5, 3}}, 2);
    assert_near(place->bounds.low.x, -5, 0);
    throng_place_destroy(place);
}

/* ---- notes and copies */

static void repairs_and_faults_are_noted(void **state) {
    (void)state;
    const throng_obstacle shapes[] = {
        POLYGON({1, 1}, {1, 2}, {2, 2}, {2, 2}, {2, 1}), POLYGON({1, 1}, {2, 2}), {.kind = THRONG_DISC}};
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = "POLYGON ((0 0, 9 0, 9 0, 9 9, 0 9, 0 0),\n  (1 1, 2 2, 1 1))";
    def.obstacles = shapes;
    def.obstacle_count = 3;
    throng_place_notes notes = {0};
    throng_error error;
    assert_null(throng_place_build(&def, &notes, &error));
    const struct {
        throng_severity severity;
        size_t item;
        int line, column;
        const char *text;
    } expected[] = {
        {THRONG_WARNING, THRONG_WALKABLE_AREA, 1, 10, "points 2 and 3 are the same, at (9, 0): one left out"},
        {THRONG_ERROR, THRONG_WALKABLE_AREA, 2, 3, "hole 1: fewer than three corners"},
        {THRONG_WARNING, 0, 0, 0, "points 3 and 4 are the same, at (2, 2): one left out"},
        {THRONG_WARNING, 0, 0, 0, "ring turns clockwise: turned around"},
        {THRONG_ERROR, 1, 0, 0, "fewer than three corners"},
        {THRONG_ERROR, 2, 0, 0, "radius must be above 0, found 0"},
    };
    assert_int_equal(notes.count, COUNT(expected));
    for (size_t i = 0; i < notes.count; i++) {
        assert_int_equal(notes.notes[i].severity, expected[i].severity);
        assert_int_equal(notes.notes[i].item, expected[i].item);
        assert_int_equal(notes.notes[i].line, expected[i].line);
        assert_int_equal(notes.notes[i].column, expected[i].column);
        assert_string_equal(notes.notes[i].text, expected[i].text);
    }
    assert_string_equal(error.text, "walkable area: hole 1: fewer than three corners");
    assert_int_equal(error.line, 2);
    throng_place_notes_clear(&notes);
}

static void touching_holes_and_overlapping_polygons_are_noted(void **state) {
    (void)state;
    const struct {
        const char *wkt, *text;
    } cases[] = {
        {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (2 0, 3 1, 1 1, 2 0))",
         "hole 1: touches the border at (2, 0): cut out of the area"},
        {"MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((1 1, 3 1, 3 3, 1 3, 1 1)))",
         "polygon 2: overlaps polygon 1 at (1, 1): joined"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        throng_place_def def = throng_default_place_def();
        def.walkable_wkt = cases[i].wkt;
        throng_place_notes notes = {0};
        throng_place *place = throng_place_build(&def, &notes, NULL);
        assert_non_null(place);
        assert_int_equal(notes.count, 1);
        assert_int_equal(notes.notes[0].severity, THRONG_WARNING);
        assert_string_equal(notes.notes[0].text, cases[i].text);
        throng_place_notes_clear(&notes);
        throng_place_destroy(place);
    }
}

static void a_copy_stands_alone(void **state) {
    (void)state;
    const throng_obstacle shapes[] = {POLYGON({4, 4}, {6, 4}, {6, 6}, {4, 6}), LINE({1, 1}, {2, 1}, {2, 2})};
    throng_place *place = room_with(shapes, 2, NULL);
    throng_place *copy = throng_place_copy(place);
    char *wkt = strdup(throng_place_wkt(place));
    throng_place_destroy(place);
    assert_int_equal(throng_place_ring_count(copy), 2);
    assert_near(area_of(copy), 96, 1e-12);
    check_line(copy, 0, (throng_point[]){{1, 1}, {2, 1}, {2, 2}}, 3);
    assert_string_equal(throng_place_wkt(copy), wkt);
    free(wkt);
    throng_place_destroy(copy);
}

/* ---- obstacles at random */

static uint64_t dice = 1;

static double draw(double low, double high) { return low + (high - low) * throng_random(9, dice++, 0, 0); }

/* Union and difference against the even-odd rule, on obstacles that overlap at random. */
static void overlapping_obstacles_agree_with_counting(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        double far = round % 2 ? 5000 : 0;
        throng_point corners[12][4];
        throng_obstacle shapes[12];
        for (size_t i = 0; i < 12; i++) {
            double angle = draw(0, 6.28), c = cos(angle), s = sin(angle), w = draw(0.2, 3), h = draw(0.2, 3);
            throng_point at = {far + draw(-1, 11), far + draw(-1, 11)};
            const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
            for (int k = 0; k < 4; k++) {
                corners[i][k] = (throng_point){at.x + c * w * sign[k][0] - s * h * sign[k][1],
                                               at.y + s * w * sign[k][0] + c * h * sign[k][1]};
            }
            shapes[i] = polygon(corners[i], 4);
        }
        throng_point border[4] = {{far, far}, {far + 10, far}, {far + 10, far + 10}, {far, far + 10}};
        throng_place_def def = throng_default_place_def();
        if (round % 3) def.walkable = (throng_ring){border, 4};
        def.obstacles = shapes;
        def.obstacle_count = 12;
        throng_error error = {0};
        throng_place *place = throng_place_create(&def, &error);
        if (!place) fail_msg("%s", error.text);
        throng_walls *walls = throng_walls_create(place);
        for (int q = 0; q < 500; q++) {
            double x = far + draw(-2, 12), y = far + draw(-2, 12);
            bool expected = !(round % 3) || throng_ring_contains(def.walkable, x, y);
            for (size_t i = 0; i < 12; i++) expected = expected && !throng_ring_contains(shapes[i].ring, x, y);
            if (fabs(throng_walls_depth(walls, x, y, 1)) < 1e-7) continue;
            assert_int_equal(throng_walls_inside(walls, x, y), expected);
        }
        throng_walls_destroy(walls);
        throng_place_destroy(place);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_shapes),
        cmocka_unit_test(bad_shapes),
        cmocka_unit_test(bad_obstacles),
        cmocka_unit_test(obstacles_are_taken_away),
        cmocka_unit_test(obstacles_may_overlap_and_nest),
        cmocka_unit_test(obstacles_may_enclose_a_courtyard),
        cmocka_unit_test(an_open_plane_keeps_the_obstacles),
        cmocka_unit_test(discs_stand_out_by_5_mm_at_most),
        cmocka_unit_test(thin_walls_are_cut_at_the_border),
        cmocka_unit_test(thin_walls_stand_in_the_open),
        cmocka_unit_test(repairs_and_faults_are_noted),
        cmocka_unit_test(touching_holes_and_overlapping_polygons_are_noted),
        cmocka_unit_test(a_copy_stands_alone),
        cmocka_unit_test(overlapping_obstacles_agree_with_counting),
    };
    return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
