/* unit_plan.c: the readers of floor plans: what each format says becomes the same shapes. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/draft.h"
#include "plan/plan.h"
#include "space/place.h"
#include "testing.h"
#include "text/file.h"

typedef struct fixture {
    throng_floor_plan plan;
    throng_report *report;
    bool good;
} fixture;

static fixture read_bytes(const char *name, const char *bytes, size_t length, double metres_per_pixel) {
    fixture f = {.report = throng_report_create()};
    throng_floor_options options = throng_floor_default_options();
    options.metres_per_pixel = metres_per_pixel;
    f.good = throng_floor_read(&f.plan, throng_floor_format_of(name), bytes, length, &options, f.report);
    assert_int_equal(f.good, throng_report_error_count(f.report) == 0);
    return f;
}

static fixture read_text(const char *name, const char *text) { return read_bytes(name, text, strlen(text), 0); }

static fixture read_path(const char *path, double metres_per_pixel) {
    size_t length;
    char *bytes = throng_read_file(path, &length, NULL);
    assert_non_null(bytes);
    fixture f = read_bytes(path, bytes, length, metres_per_pixel);
    throng_release(bytes);
    return f;
}

static void clear(fixture *f) {
    throng_floor_clear(&f->plan);
    throng_report_destroy(f->report);
}

static const throng_floor_shape *shape_named(const fixture *f, throng_floor_kind kind, const char *name) {
    for (size_t i = 0; i < f->plan.count; i++) {
        const throng_floor_shape *shape = &f->plan.shapes[i];
        if (shape->kind == kind && strcmp(shape->name, name) == 0) return shape;
    }
    fail_msg("there is no %s '%s'", throng_floor_kind_names[kind], name);
    return NULL;
}

static size_t count_of(const fixture *f, throng_floor_kind kind, throng_floor_form form) {
    size_t count = 0;
    for (size_t i = 0; i < f->plan.count; i++)
        count += f->plan.shapes[i].kind == kind && f->plan.shapes[i].form == form;
    return count;
}

static double area(const throng_floor_shape *shape) { return fabs(throng_ring_area(shape->rings[0].ring)); }

static bool says(const fixture *f, const char *text) {
    for (size_t i = 0; i < throng_report_count(f->report); i++) {
        if (strstr(throng_report_message(f->report, i).text, text)) return true;
    }
    return false;
}

static void test_geojson(void **state) {
    (void)state;
    fixture f = read_path("test/plans/hall.geojson", 0);
    assert_true(f.good);
    assert_int_equal(count_of(&f, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA), 2);
    assert_int_equal(f.plan.shapes[0].ring_count, 2);
    assert_int_equal(shape_named(&f, THRONG_FLOOR_OBSTACLE, "screen")->form, THRONG_FLOOR_LINE);
    assert_near(shape_named(&f, THRONG_FLOOR_OBSTACLE, "pillar")->radius, 0.4, 0);
    assert_near(area(shape_named(&f, THRONG_FLOOR_EXIT, "east")), 2, 1e-12);
    assert_near(shape_named(&f, THRONG_FLOOR_GOAL, "desk")->radius, 0.6, 0);
    const throng_floor_shape *seats = shape_named(&f, THRONG_FLOOR_SPAWN, "seats");
    assert_near(seats->count, 40, 0);
    assert_string_equal(seats->goal, "east");
    assert_int_equal(seats->line, 18);
    clear(&f);
}

/* What is missing at the end of a drawing is told, however much it is. */
static void test_dxf_cut_off(void **state) {
    (void)state;
    const char *whole =
        "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nwalkablearea\n70\n1\n10\n0\n20\n0\n10\n9\n20\n0\n"
        "10\n9\n20\n9\n0\nCIRCLE\n8\nobstacles\n10\n6\n20\n2\n40\n1\n0\nENDSEC\n0\nEOF\n";
    size_t length = strlen(whole), last = strlen("0\nEOF\n");
    for (size_t cut = 0; cut < length; cut++) {
        fixture f = read_bytes("x.dxf", whole, length - cut, 0);
        bool without_eof = cut == last || cut == last + 1;
        assert_int_equal(f.good, cut <= 1 || without_eof); /* 1: of the end of the last line */
        assert_int_equal(says(&f, "without EOF"), without_eof);
        clear(&f);
    }
}

/* Programs that keep plans in tables write the names of properties as they like. */
static void test_geojson_capitals(void **state) {
    (void)state;
    fixture f =
        read_text("x.geojson",
                  "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": "
                  "{\"FID\": 1, \"Kind\": \"Walkable\"}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": "
                  "[[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]]}}, {\"type\": \"Feature\", \"properties\": "
                  "{\"KIND\": \"EXIT\", \"NAME\": \"east\", \"RADIUS\": 0.7}, \"geometry\": {\"type\": \"Point\", "
                  "\"coordinates\": [8, 8, 2]}}]}");
    assert_true(f.good);
    assert_int_equal(throng_report_count(f.report), 0);
    assert_int_equal(count_of(&f, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA), 1);
    assert_near(shape_named(&f, THRONG_FLOOR_EXIT, "east")->radius, 0.7, 0);
    clear(&f);
}

static void test_geojson_without_kinds(void **state) {
    (void)state;
    fixture f = read_text("x.json",
                          "{\"type\": \"GeometryCollection\", \"geometries\": ["
                          "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[0,0,1],[9,0,1],[9,9,1],[0,0,1]]],"
                          "[[[20,0],[29,0],[29,9],[20,0]]]]}, {\"type\": \"Polygon\", \"coordinates\": []}, {\"type\": "
                          "\"Point\", \"coordinates\": [1, 2]}]}");
    assert_true(f.good);
    assert_int_equal(count_of(&f, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA), 2);
    assert_int_equal(f.plan.count, 2);
    assert_true(says(&f, "left out"));
    clear(&f);
}

static void test_names(void **state) {
    (void)state;
    fixture f =
        read_text("x.geojson",
                  "{\"type\": \"FeatureCollection\", \"features\": ["
                  "{\"type\": \"Feature\", \"properties\": {\"kind\": \"exit\", \"name\": \"door\"}, \"geometry\": "
                  "{\"type\": \"MultiPoint\", \"coordinates\": [[0, 0], [20, 0]]}},"
                  "{\"type\": \"Feature\", \"properties\": {\"kind\": \"exit\"}, \"geometry\": "
                  "{\"type\": \"Point\", \"coordinates\": [5, 9]}}]}");
    assert_true(f.good);
    shape_named(&f, THRONG_FLOOR_EXIT, "door");
    shape_named(&f, THRONG_FLOOR_EXIT, "door-2");
    shape_named(&f, THRONG_FLOOR_EXIT, "exit-1");
    clear(&f);
}

static void test_degrees(void **state) {
    (void)state;
    fixture f = read_text("x.geojson",
                          "{\"type\": \"Polygon\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
                          "\"urn:ogc:def:crs:OGC:1.3:CRS84\"}}, \"coordinates\": [[[0,0],[90,0],[80,9],[0,0]]]}");
    assert_false(f.good);
    assert_true(says(&f, "degrees"));
    clear(&f);
}

static void test_dxf(void **state) {
    (void)state;
    fixture f = read_path("test/plans/hall.dxf", 0);
    assert_true(f.good);
    /* 20 m by 10 m and half a circle of 5 m; chords stray by 5 mm at most. */
    assert_near(area(&f.plan.shapes[0]), 200 + 3.14159265 * 25 / 2, 0.005 * 3.15 * 5);
    /* The four lines, four inserted columns, the arc and the open polyline, the circle. */
    assert_int_equal(count_of(&f, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_AREA), 5);
    assert_int_equal(count_of(&f, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_LINE), 2);
    assert_int_equal(count_of(&f, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_DISC), 1);
    assert_near(area(shape_named(&f, THRONG_FLOOR_EXIT, "north")), 1, 1e-9);
    assert_near(area(shape_named(&f, THRONG_FLOOR_EXIT, "south")), 1, 1e-9);
    assert_near(area(shape_named(&f, THRONG_FLOOR_SPAWN, "spawn")), 30, 1e-9);
    assert_true(says(&f, "'furniture'"));
    assert_true(says(&f, "off or frozen"));
    clear(&f);
}

/* Nine columns in a row; nine rows of them without a distance between are one row. */
static void test_dxf_array(void **state) {
    (void)state;
    fixture f = read_text("x.dxf",
                          "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n"
                          "2\npillar\n10\n0\n20\n0\n0\nCIRCLE\n8\nObstacle\n10\n1\n20\n1\n40\n0.2\n0\nENDBLK\n0\n"
                          "ENDSEC\n0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nWalkable\n90\n4\n70\n1\n10\n0\n20\n0\n"
                          "10\n20\n20\n0\n10\n20\n20\n9\n10\n0\n20\n9\n0\nINSERT\n8\nObstacle\n2\npillar\n10\n0\n20\n"
                          "0\n70\n9\n71\n9\n44\n2\n45\n0\n0\nENDSEC\n0\nEOF\n");
    assert_true(f.good);
    assert_int_equal(count_of(&f, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_DISC), 9);
    clear(&f);
}

/* Numbers that no arc can be drawn with are told of, not shown. */
static void test_dxf_huge_bulge(void **state) {
    (void)state;
    fixture f = read_text("x.dxf",
                          "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nWalkable\n90\n3\n70\n1\n10\n0\n20\n0\n"
                          "42\n1e300\n10\n9\n20\n0\n10\n9\n20\n9\n0\nENDSEC\n0\nEOF\n");
    assert_false(f.good);
    bool told = false;
    for (size_t i = 0; i < throng_report_count(f.report); i++) {
        const char *text = throng_report_message(f.report, i).text;
        assert_null(strstr(text, "nan"));
        told = told || strstr(text, "a corner, bulge or scale is too large a number");
    }
    assert_true(told);
    clear(&f);
}

/* Lines are joined in any order and direction; where three meet they stay apart. */
static void test_dxf_lines(void **state) {
    (void)state;
    char text[4000] = "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";
    static const double lines[][4] = {{0, 0, 4, 0}, {4, 3, 4, 0}, {0, 3, 4, 3.0005}, {0, 0, 0, 3}};
    for (size_t i = 0; i < 4; i++)
        snprintf(text + strlen(text), 300, "0\nLINE\n8\nWalkable\n10\n%g\n20\n%g\n11\n%g\n21\n%g\n", lines[i][0],
                 lines[i][1], lines[i][2], lines[i][3]);
    size_t closed = strlen(text);
    strcat(text, "0\nENDSEC\n0\nEOF\n");
    fixture f = read_text("x.dxf", text);
    assert_true(f.good);
    assert_int_equal(f.plan.count, 1);
    assert_near(area(&f.plan.shapes[0]), 12, 0.01);
    clear(&f);

    snprintf(text + closed, 300,
             "0\nLINE\n8\nwalls\n10\n1\n20\n1\n11\n2\n21\n1\n0\nLINE\n8\nwalls\n10\n2\n20\n1\n11\n2\n21\n2\n"
             "0\nLINE\n8\nwalls\n10\n2\n20\n1\n11\n3\n21\n1\n0\nENDSEC\n0\nEOF\n");
    f = read_text("x.dxf", text);
    assert_true(f.good);
    assert_int_equal(count_of(&f, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_LINE), 3);
    clear(&f);
}

/* What CAD programs write beside the model: a sheet of paper, invisible things, lines with an extrusion of their own,
 * ellipses, and walls drawn with a wide pen. */
/* A drawing of somebody who does not know our layers: those of walls, else all, on a floor of a metre more. A closed
 * outline is a wall around a room, not a solid block; what is no longer than a millimetre is left out. */
static void test_dxf_of_others(void **state) {
    (void)state;
    static const char head[] = "0\nSECTION\n2\nENTITIES\n", tail[] = "0\nENDSEC\n0\nEOF\n";
    static const char room[] =
        "0\nLWPOLYLINE\n8\nA-WALL-EXTR\n90\n4\n70\n1\n10\n0\n20\n0\n10\n6\n20\n0\n"
        "10\n6\n20\n4\n10\n0\n20\n4\n";
    static const char desk[] =
        "0\nLINE\n8\nDesks\n10\n1\n20\n1\n11\n9\n21\n1\n0\nCIRCLE\n8\nDesks\n10\n3\n20\n2\n"
        "40\n0.5\n0\nLINE\n8\nDesks\n10\n1\n20\n1\n11\n1.0005\n21\n1\n";
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s%s", head, room, desk, tail);
    fixture f = read_text("x.dxf", text);
    assert_true(f.good && f.plan.count == 2);
    assert_true(says(&f, "the lines on layers of walls are thin walls, on a floor of 8 x 6 m around them"));
    assert_int_equal(f.plan.shapes[0].kind, THRONG_FLOOR_WALKABLE);
    assert_near(f.plan.shapes[0].rings[0].ring.points[2].x, 7, 1e-12);
    assert_near(f.plan.shapes[0].rings[0].ring.points[2].y, 5, 1e-12);
    assert_int_equal(f.plan.shapes[1].form, THRONG_FLOOR_LINE);
    assert_int_equal(f.plan.shapes[1].rings[0].ring.count, 5);
    clear(&f);
    snprintf(text, sizeof text, "%s%s%s", head, desk, tail);
    f = read_text("x.dxf", text);
    assert_true(f.good && f.plan.count == 3);
    assert_true(says(&f, "all lines are thin walls"));
    assert_int_equal(f.plan.shapes[2].form, THRONG_FLOOR_LINE);
    clear(&f);
    snprintf(text, sizeof text, "%s0\nTEXT\n8\nDesks\n1\nx\n%s", head, tail);
    f = read_text("x.dxf", text);
    assert_true(!f.good && says(&f, "no layer says what it holds"));
    clear(&f);
}

static void test_dxf_model_only(void **state) {
    (void)state;
    fixture f = read_text("x.dxf",
                          "0\nSECTION\n2\nENTITIES\n"
                          "0\nLINE\n8\nwalkable\n10\n0\n20\n0\n11\n9\n21\n0\n230\n-1\n"
                          "0\nLINE\n8\nwalkable\n10\n9\n20\n0\n11\n9\n21\n9\n230\n-1\n"
                          "0\nLINE\n8\nwalkable\n10\n9\n20\n9\n11\n0\n21\n0\n230\n1\n"
                          "0\nCIRCLE\n67\n1\n8\nwalkable\n10\n0\n20\n0\n40\n99\n"
                          "0\nCIRCLE\n60\n1\n8\nwalls\n10\n8\n20\n3\n40\n1\n"
                          "0\nELLIPSE\n8\nwalls\n10\n6\n20\n3\n11\n0\n21\n2\n40\n0.25\n41\n0\n42\n6.283185\n"
                          "0\nLWPOLYLINE\n8\nwalls\n70\n0\n43\n0.2\n10\n7\n20\n1\n10\n8\n20\n1\n"
                          "0\nENDSEC\n0\nEOF\n");
    assert_true(f.good);
    assert_int_equal(f.plan.count, 3);
    assert_int_equal(f.plan.shapes[0].kind, THRONG_FLOOR_WALKABLE);
    assert_near(area(&f.plan.shapes[0]), 40.5, 1e-9);
    const throng_floor_shape *ellipse = &f.plan.shapes[1];
    assert_int_equal(ellipse->form, THRONG_FLOOR_AREA);
    assert_near(area(ellipse), 3.14159265 * 2 * 0.5, 0.02);
    for (size_t i = 0; i < ellipse->rings[0].ring.count; i++)
        assert_true(fabs(ellipse->rings[0].ring.points[i].x - 6) < 0.501);
    assert_true(says(&f, "without width"));
    clear(&f);
}

static void test_png(void **state) {
    (void)state;
    fixture f = read_path("test/plans/museum.png", 0.1);
    assert_true(f.good);
    assert_int_equal(count_of(&f, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA), 1);
    assert_int_equal(f.plan.shapes[0].ring_count, 13);
    double floor_area = 0;
    for (size_t r = 0; r < 13; r++) floor_area += throng_ring_area(f.plan.shapes[0].rings[r].ring);
    assert_near(floor_area, 1111.37, 2); /* counted pixels, 0.01 m2 each */
    assert_near(area(shape_named(&f, THRONG_FLOOR_EXIT, "red")), 8 * 25 * 0.01, 0.1);
    assert_near(area(shape_named(&f, THRONG_FLOOR_EXIT, "green")), 9 * 25 * 0.01, 0.1);
    clear(&f);
    f = read_path("test/plans/museum.png", 0);
    assert_false(f.good);
    assert_true(says(&f, "metres_per_pixel"));
    clear(&f);
}

/* Every kind of PNG there is: depth, palette, alpha, interlacing. */
static void test_png_kinds(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double area;
    } kinds[] = {{"gray1", 20}, {"gray16", 6}, {"palette", 5}, {"alpha", 3}, {"interlaced", 2}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char path[100];
        snprintf(path, sizeof path, "fuzz/corpus/png/%s.png", kinds[i].name);
        fixture f = read_path(path, 1);
        if (!f.good) fail_msg("%s: %s", path, throng_report_message(f.report, 0).text);
        double sum = 0;
        for (size_t s = 0; s < f.plan.count; s++) {
            for (size_t r = 0; r < f.plan.shapes[s].ring_count; r++)
                sum += f.plan.shapes[s].kind == THRONG_FLOOR_WALKABLE ? throng_ring_area(f.plan.shapes[s].rings[r].ring)
                                                                      : 0;
        }
        if (fabs(sum - kinds[i].area) > 0.7) fail_msg("%s: %g, not %g", path, sum, kinds[i].area);
        clear(&f);
    }
    fixture f = read_path("fuzz/corpus/png/huge.png", 1);
    assert_false(f.good);
    assert_true(says(&f, "scale it down"));
    clear(&f);
}

/* What a ring of the walkable area says is found again by its line. */
static void test_rings_by_line(void **state) {
    (void)state;
    fixture f = read_path("test/plans/hall.geojson", 0);
    char *wkt = throng_floor_wkt(&f.plan);
    assert_non_null(strstr(wkt, "\nGEOMETRYCOLLECTION") ? NULL : wkt);
    assert_int_equal(throng_floor_walkable_ring(&f.plan, 2)->line, 6);
    assert_int_equal(throng_floor_walkable_ring(&f.plan, 3)->line, 8);
    assert_null(throng_floor_walkable_ring(&f.plan, 4));
    throng_release(wkt);
    clear(&f);
}

static void check_import(const char *path, const char *const *parts) {
    throng_report *report = throng_report_create();
    throng_import_def def = throng_default_import_def();
    def.path = path;
    throng_import *import = throng_import_create(&def, report);
    assert_non_null(import);
    for (; *parts; parts++) {
        if (!strstr(throng_import_scenario(import), *parts))
            fail_msg("%s: no word of %s in\n%s", path, *parts, throng_import_scenario(import));
    }
    throng_import_destroy(import);
    throng_report_destroy(report);
}

static void test_imports(void **state) {
    (void)state;
    const char *vadere[] = {"[[0.5, 0.5], [34.5, 0.5], [34.5, 10.5], [0.5, 10.5]]",
                            "\"duration\": 120",
                            "\"seed\": 17",
                            "\"target-2\": {\"polygon\": [[25, 1], [26.5, 1], [26.5, 3], [25, 3]], \"wait\": 4}",
                            "\"count\": 30, \"goal\": \"target-1\", \"radius\": 0.195",
                            "\"rate\": 0.5, \"from\": 5, \"until\": 25, \"journey\": [\"target-2\", \"target-1\"]",
                            "\"at\": [[12, 5.5]]",
                            "\"desired_speed\": {\"normal\": [1.34, 0.26], \"min\": 0.5, \"max\": 2.2}",
                            "\"area-7\": [[14, 4.5]",
                            "\"rate\": 0.75, \"from\": 0, \"until\": 8",
                            "\"rate\": 4, \"from\": 0, \"until\": 9",
                            NULL};
    check_import("test/plans/corridor.scenario", vadere);
    /* Of an old version; 40 people are too many for 8 m2 and come as they find room, 10 are not; the target outside is
     * left out, the obstacle that crosses itself keeps its walls. */
    const char *crowded[] = {
        "\"in\": [[1, 3], [3, 3], [3, 7], [1, 7]], \"rate\": 400, \"from\": 0, \"until\": 0.2, "
        "\"count\": 40, \"goal\": \"target-1\"",
        "\"in\": [[4, 3], [6, 3], [6, 7], [4, 7]], \"count\": 10, \"goal\": \"target-1\"",
        "\"goals\": {\n    \"target-1\": {\"polygon\": [[18, 3], [19, 3], [19, 8], [18, 8]], \"exit\": true}\n",
        "{\"id\": \"obstacle-1\", \"line\": [[8, 1], [9, 3], [9, 1], [8, 3], [8, 1]]}",
        "\"area-7\": [[5, 4], [7, 4], [7, 6], [5, 6]],\n      \"area-7-2\": [[12, 4]",
        "[12, 6]]\n    }",
        NULL};
    check_import("test/plans/crowded.scenario", crowded);
    const char *jupedsim[] = {"\"count\": 14, \"goal\": \"jps-exits_0\"",
                              "\"count\": 6, \"journey\": [\"jps-checkpoints_0\", \"jps-exits_0\"]",
                              "\"start_after\": {\"gamma\": [2, 1.5]}",
                              "\"rate\": 1, \"from\": 2, \"until\": 12, \"count\": 10",
                              "\"speed_factor\": 0.4",
                              "\"wait\": 5",
                              NULL};
    check_import("test/plans/lobby.json", jupedsim);
    check_import("test/plans/lobby.zip", jupedsim);
    /* A directory with several: config.json. A file without its floor: that beside it. Obstacles that are holes. */
    const char *five[] = {"POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (5 5", "\"count\": 5", NULL};
    const char *seven[] = {"POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (5 5", "\"count\": 7", NULL};
    check_import("test/plans/two-configs", five);
    check_import("test/plans/two-configs/config_full.json", seven);
    const char *crowdit[] = {"[[0, 0], [12, 0], [12, 8], [0, 8]]", "\"id\": \"w2\", \"polygon\"",
                             "\"id\": \"w1\", \"line\"", "\"simObj-0\"", NULL};
    check_import("test/plans/room.floor", crowdit);
    /* Closed walls: the first goes around everything, the second says only by a word that it is closed. */
    const char *outline[] = {"\"walkable_area\": [[0, 0], [12, 0], [12, 8], [0, 8]]", "\"id\": \"w2\", \"polygon\"",
                             NULL};
    check_import("test/plans/outline.floor", outline);
}

/* Elements of JuPedSim's sections are named: those of a list have no names, and none are made up of other bytes. */
static void test_sections_of_lists(void **state) {
    (void)state;
    throng_report *report = throng_report_create();
    throng_import_def def = throng_default_import_def();
    def.path = "test/plans/exits-in-list.json";
    assert_null(throng_import_create(&def, report));
    assert_int_equal(throng_report_error_count(report), 1);
    assert_string_equal(throng_report_message(report, 0).text, "expected an object of names");
    throng_report_destroy(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geojson),
        cmocka_unit_test(test_geojson_capitals),
        cmocka_unit_test(test_dxf_cut_off),
        cmocka_unit_test(test_geojson_without_kinds),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_degrees),
        cmocka_unit_test(test_dxf),
        cmocka_unit_test(test_dxf_array),
        cmocka_unit_test(test_dxf_lines),
        cmocka_unit_test(test_dxf_huge_bulge),
        cmocka_unit_test(test_dxf_of_others),
        cmocka_unit_test(test_dxf_model_only),
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_png_kinds),
        cmocka_unit_test(test_rings_by_line),
        cmocka_unit_test(test_imports),
        cmocka_unit_test(test_sections_of_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
