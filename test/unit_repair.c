/* Repair of places: what is mended and told, and what is refused; on drawn cases and on rings broken at
 * random, whose result must be valid in the eyes of GEOS, of the right area, and in need of nothing. */

#include <geos_c.h>
#include <stdlib.h>
#include <string.h>
#include <throng/model.h>
#include <time.h>

#include "space/place.h"
#include "space/walls.h"
#include "testing.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double area_of(const throng_place *place) {
    double area = 0;
    for (size_t r = 0; r < place->ring_count; r++) area += throng_ring_area(place->rings[r]);
    return area;
}

static double outline_of(const throng_place *place) {
    double outline = 0;
    for (size_t r = 0; r < place->ring_count; r++) {
        throng_ring ring = place->rings[r];
        for (size_t i = 0; i < ring.count; i++) {
            throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
            outline += hypot(a.x - b.x, a.y - b.y);
        }
    }
    return outline;
}

/* Whether each polygon of a place is valid, and no two overlap. */
static bool is_valid(const char *wkt) {
    GEOSContextHandle_t geos = GEOS_init_r();
    GEOSWKTReader *reader = GEOSWKTReader_create_r(geos);
    GEOSGeometry *shape = GEOSWKTReader_read_r(geos, reader, wkt);
    bool valid = shape && GEOSisValid_r(geos, shape) == 1;
    double sum = 0, joined_area = 0;
    if (valid) {
        GEOSGeometry *joined = GEOSUnaryUnion_r(geos, shape);
        GEOSArea_r(geos, shape, &sum);
        GEOSArea_r(geos, joined, &joined_area);
        GEOSGeom_destroy_r(geos, joined);
        valid = fabs(sum - joined_area) < 1e-6;
    }
    if (shape) GEOSGeom_destroy_r(geos, shape);
    GEOSWKTReader_destroy_r(geos, reader);
    GEOS_finish_r(geos);
    return valid;
}

static throng_place *build(const char *wkt, const throng_obstacle *obstacles, size_t count, throng_place_notes *notes) {
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = wkt;
    def.obstacles = obstacles;
    def.obstacle_count = count;
    throng_error error = {0};
    *notes = (throng_place_notes){0};
    throng_place *place = throng_place_build(&def, notes, &error);
    if (!place && !*error.text) fail_msg("refused without a word: %s", wkt);
    return place;
}

/* What comes out needs no repair; that holes touch the border is told each time. */
static void check_in_order(const throng_place *place, const char *from) {
    if (!is_valid(throng_place_wkt(place))) fail_msg("%s\nbecomes %s", from, throng_place_wkt(place));
    throng_place_notes notes;
    throng_place *again = build(throng_place_wkt(place), NULL, 0, &notes);
    assert_non_null(again);
    for (size_t i = 0; i < notes.count; i++) {
        if (!strstr(notes.notes[i].text, "touches"))
            fail_msg("%s\nbecomes %s\nwhich needs: %s", from, throng_place_wkt(place), notes.notes[i].text);
    }
    assert_near(area_of(again), area_of(place), 1e-9 * (1 + area_of(place)));
    assert_int_equal(again->ring_count, place->ring_count);
    assert_int_equal(again->point_count,
                     place->point_count - (place->line_count ? place->point_count - again->point_count : 0));
    throng_place_notes_clear(&notes);
    throng_place_destroy(again);
}

/* ---- drawn by hand */

typedef struct repaired {
    const char *wkt;
    double area;
    size_t parts, rings, lines;
    const char *note; /* one of the notes */
    throng_point at;
} repaired;

static const repaired cases[] = {
    /* a ring that touches itself: corner on an edge, corner on a corner, along an edge */
    {"POLYGON ((0 0, 4 0, 4 4, 2 0, 0 4, 0 0))",
     8,
     2,
     2,
     0,
     "ring touches itself at (2, 0): taken apart there",
     {2, 0}},
    {"POLYGON ((0 0, 2 2, 4 0, 4 4, 2 2, 0 4, 0 0))",
     8,
     2,
     2,
     0,
     "ring touches itself at (2, 2): taken apart there",
     {2, 2}},
    {"POLYGON ((0 0, 9 0, 9 9, 5 9, 5 5, 6 5, 6 4, 4 4, 4 5, 5 5, 5 9, 0 9, 0 0))",
     79,
     1,
     2,
     0,
     "ring touches itself at (5, 5): taken apart there",
     {5, 5}},
    /* points drawn twice, or nearly */
    {"POLYGON ((0 0, 4 0, 4 0, 4 3, 0 3, 0 0))",
     12,
     1,
     1,
     0,
     "points 2 and 3 are the same, at (4, 0): one left out",
     {4, 0}},
    {"POLYGON ((0 0, 4 0, 4.0004 0, 4 3, 0 3, 0 0))",
     12,
     1,
     1,
     0,
     "points 2 and 3 are 0.4 mm apart, at (4.0004, 0): one left out",
     {4.0004, 0}},
    {"POLYGON ((0 0, 4 0, 4 3, 0 3, 0.0003 0, 0 0))",
     12,
     1,
     1,
     0,
     "points 5 and 1 are 0.3 mm apart, at (0, 0): one left out",
     {0, 0}},
    /* spikes: outwards, and into the room, where it is a thin wall */
    {"POLYGON ((0 0, 4 0, 4 4, 4 6, 4 4, 0 4, 0 0))",
     16,
     1,
     1,
     0,
     "a spike without width, with its tip at point 4, (4, 6), was cut off at (4, 4); where people can walk it stays as "
     "a "
     "thin wall",
     {4, 6}},
    {"POLYGON ((0 0, 4 0, 4 4, 2 4, 2 1, 2 4, 0 4, 0 0))",
     16,
     1,
     1,
     1,
     "a spike without width, with its tip at point 5, (2, 1), was cut off at (2, 4); where people can walk it stays as "
     "a "
     "thin wall",
     {2, 1}},
    {"POLYGON ((0 0, 4 0, 4 4, 2.0004 4, 2 7, 2 4, 0 4, 0 0))",
     16,
     1,
     1,
     0,
     "a spike 0.4 mm wide, with its tip at point 5, (2, 7), was cut off at (2, 4); where people can walk it stays as a "
     "thin wall",
     {2, 7}},
    /* holes */
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (20 20, 21 20, 21 21, 20 20))",
     81,
     1,
     1,
     0,
     "hole 1: lies outside at (20, 20): left out",
     {20, 20}},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 5 1, 5 5, 1 5, 1 1), (2 2, 3 2, 3 3, 2 2))",
     65,
     1,
     2,
     0,
     "hole 2: lies in another hole at (2, 2): left out",
     {2, 2}},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1), (2 2, 4 2, 4 4, 2 4, 2 2))",
     74,
     1,
     2,
     0,
     "hole 2: overlaps hole 1 at (2, 2): joined",
     {2, 2}},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (8 1, 10 1, 10 2, 8 2, 8 1))",
     80,
     1,
     1,
     0,
     "hole 1: crosses the border at (9, 1): cut off there",
     {9, 1}},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (9 1, 10 1, 10 2, 9 2, 9 1))",
     81,
     1,
     1,
     0,
     "hole 1: lies outside at (9, 1): left out",
     {9, 1}},
    /* hairline gaps */
    {"MULTIPOLYGON (((0 0, 5 0, 5 4, 0 4, 0 0)), ((5.0003 0, 9 0, 9 4, 5.0003 4, 5.0003 0)))",
     36,
     1,
     1,
     0,
     "polygon 2: a gap of 0.3 mm to polygon 1 at (5.0003, 0) was closed",
     {5.0003, 0}},
    {"GEOMETRYCOLLECTION (POLYGON ((0 0, 5 0, 5 9, 0 9, 0 0)), POLYGON ((5.0008 3, 9 3, 9 4, 5.0008 4, 5.0008 3)))",
     49,
     1,
     1,
     0,
     "polygon 2: a gap of 0.8 mm to polygon 1 at (5.0008, 3) was closed",
     {5.0008, 3}},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 0.0002, 2 0.0002, 2 1, 1 1, 1 0.0002))",
     80,
     1,
     1,
     0,
     "hole 1: a gap of 0.2 mm to the border at (1, 0.0002) was closed",
     {1, 0.0002}},
    {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1), (2.0005 1, 3 1, 3 2, 2.0005 2, 2.0005 1))",
     79,
     1,
     2,
     0,
     "hole 2: a gap of 0.5 mm to hole 1 at (2.0005, 1) was closed",
     {2.0005, 1}},
};

static void broken_areas_are_repaired_and_told(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        throng_place_notes notes;
        throng_place *place = build(cases[i].wkt, NULL, 0, &notes);
        if (!place) fail_msg("%s: %s", cases[i].wkt, notes.notes[0].text);
        bool told = false;
        for (size_t n = 0; n < notes.count; n++) {
            assert_int_equal(notes.notes[n].severity, THRONG_WARNING);
            if (strcmp(notes.notes[n].text, cases[i].note) != 0) continue;
            told = true;
            assert_true(notes.notes[n].has_place);
            assert_near(notes.notes[n].at.x, cases[i].at.x, 1e-12);
            assert_near(notes.notes[n].at.y, cases[i].at.y, 1e-12);
        }
        if (!told) fail_msg("%s: %s", cases[i].wkt, notes.count ? notes.notes[0].text : "no note");
        assert_near(area_of(place), cases[i].area, 0.01);
        assert_int_equal(place->part_count, cases[i].parts);
        assert_int_equal(place->ring_count, cases[i].rings);
        assert_int_equal(place->line_count, cases[i].lines);
        check_in_order(place, cases[i].wkt);
        throng_place_notes_clear(&notes);
        throng_place_destroy(place);
    }
}

static void what_crosses_itself_is_refused_with_the_place(void **state) {
    (void)state;
    const struct {
        const char *wkt, *error;
        throng_point at;
    } bads[] = {
        {"POLYGON ((0 0, 10 10, 10 0, 0 10, 0 0))", "ring crosses itself at (5, 5)", {5, 5}},
        {"POLYGON ((0 0, 5 5, 10 10, 10 0, 5 5, 0 10, 0 0))", "ring crosses itself at (", {NAN, NAN}},
        {"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0, 9 0, 9 9, 0 9, 0 0))", "ring crosses itself at (", {NAN, NAN}},
        {"POLYGON ((0 0, 4 0, 8 0, 0 0))", "zero area: all corners lie in one line at (0, 0)", {0, 0}},
        {"POLYGON ((0 0, 4 0, 4 4, 4 0, 0 0))", "zero area", {NAN, NAN}},
    };
    for (size_t i = 0; i < COUNT(bads); i++) {
        throng_place_notes notes;
        throng_place *place = build(bads[i].wkt, NULL, 0, &notes);
        if (place) fail_msg("%s: not refused", bads[i].wkt);
        const throng_place_note *last = &notes.notes[notes.count - 1];
        if (strncmp(last->text, bads[i].error, strlen(bads[i].error)) != 0) fail_msg("%s: %s", bads[i].wkt, last->text);
        assert_true(last->has_place);
        if (!isnan(bads[i].at.x)) assert_near(hypot(last->at.x - bads[i].at.x, last->at.y - bads[i].at.y), 0, 1e-9);
        throng_place_notes_clear(&notes);
    }
}

/* An obstacle 0.2 mm short of the wall leaves no crack; nor does a thin wall. */
static void obstacles_that_miss_the_wall_leave_no_crack(void **state) {
    (void)state;
    const throng_point block[] = {{4, 0.0002}, {5, 0.0002}, {5, 3}, {4, 3}};
    const throng_point line[] = {{4.5, 2.9996}, {4.5, 5.9997}};
    const throng_obstacle shapes[] = {{.kind = THRONG_POLYGON, .ring = {block, 4}},
                                      {.kind = THRONG_LINE, .ring = {line, 2}}};
    throng_place_notes notes;
    throng_place *place = build("POLYGON ((0 0, 9 0, 9 6, 0 6, 0 0))", shapes, 2, &notes);
    assert_non_null(place);
    assert_int_equal(notes.count, 2);
    assert_string_equal(notes.notes[0].text, "the thin wall misses another wall by 0.3 mm at (4.5, 5.9997): closed");
    assert_string_equal(notes.notes[1].text, "a gap of 0.2 mm to the border at (4, 0.0002) was closed");
    assert_int_equal(notes.notes[1].item, 0);
    assert_int_equal(place->ring_count, 1);
    assert_near(area_of(place), 51, 1e-3);
    throng_walls *walls = throng_walls_create(place);
    assert_false(throng_walls_inside(walls, 4.5, 1e-4));
    assert_true(throng_walls_block(walls, (throng_point){3, 5.9998}, (throng_point){6, 5.9998}, 0));
    throng_walls_destroy(walls);
    throng_place_notes_clear(&notes);
    throng_place_destroy(place);
}

/* ---- broken at random */

static uint64_t dice = 1;

static double draw(double low, double high) { return low + (high - low) * throng_random(17, dice++, 0, 0); }

typedef struct text {
    char bytes[20000];
    size_t length;
} text;

static void add(text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    out->length += (size_t)vsnprintf(out->bytes + out->length, sizeof out->bytes - out->length, format, arguments);
    va_end(arguments);
}

/* A star around a centre, from the right anticlockwise. */
static size_t star(throng_point *points, size_t least, double x, double y, double inner, double outer) {
    size_t count = least + (size_t)draw(0, 6);
    for (size_t i = 0; i < count; i++) {
        double angle = 6.283185307179586 * ((double)i + draw(0, 0.5)) / (double)count, r = draw(inner, outer);
        points[i] = (throng_point){x + r * cos(angle), y + r * sin(angle)};
    }
    return count;
}

/* Writes a ring with points drawn twice or nearly, spikes, and points in the middle of edges. */
static void add_broken(text *out, const throng_point *points, size_t count) {
    add(out, "(");
    for (size_t i = 0; i < count; i++) {
        throng_point p = points[i], q = points[(i + 1) % count];
        add(out, "%.17g %.17g, ", p.x, p.y);
        int kind = (int)draw(0, 8);
        double t = draw(0.2, 0.8), x = p.x + t * (q.x - p.x), y = p.y + t * (q.y - p.y);
        if (kind == 0) add(out, "%.17g %.17g, ", p.x, p.y);
        if (kind == 1) add(out, "%.17g %.17g, ", p.x + draw(-4e-4, 4e-4), p.y + draw(-4e-4, 4e-4));
        if (kind == 2) add(out, "%.17g %.17g, ", x, y);
        /* out and back, either way */
        double away = draw(-0.05, 0.3), far_x = p.x + (p.y - q.y) * away, far_y = p.y + (q.x - p.x) * away;
        if (kind == 3) add(out, "%.17g %.17g, %.17g %.17g, ", far_x, far_y, p.x, p.y);
    }
    add(out, "%.17g %.17g)", points[0].x, points[0].y);
}

static void rings_broken_at_random_come_out_whole(void **state) {
    (void)state;
    size_t made = 0, told = 0;
    for (int round = 0; round < 1500; round++) {
        static text out;
        throng_point border[12], hole[12];
        double far = round % 3 ? 0 : 3000;
        size_t count = star(border, 6, far, far, 5, 9);
        out.length = 0;
        add(&out, "POLYGON (");
        add_broken(&out, border, count);
        double area = throng_ring_area((throng_ring){border, count}), doubt = 0;
        if (round % 2) {
            size_t hole_count = star(hole, 3, far + draw(-1, 1), far, 0.5, 1.5);
            add(&out, ", ");
            add_broken(&out, hole, hole_count);
            area -= fabs(throng_ring_area((throng_ring){hole, hole_count}));
            doubt = 0.02;
        }
        add(&out, ")");
        throng_place_notes notes;
        throng_place *place = build(out.bytes, NULL, 0, &notes);
        if (place) {
            made++;
            told += notes.count;
            assert_near(area_of(place), area, doubt + 1e-3 * outline_of(place));
            check_in_order(place, out.bytes);
        } else {
            /* A spike that runs across the ring crosses it: then it is told where. */
            assert_true(notes.notes[notes.count - 1].has_place);
        }
        throng_place_notes_clear(&notes);
        throng_place_destroy(place);
    }
    assert_true(made > 1250 && told > 1000);
}

/* A hall cut into strips by hairline gaps is one hall. */
static void halls_in_strips_become_one(void **state) {
    (void)state;
    for (int round = 0; round < 500; round++) {
        static text out;
        out.length = 0;
        add(&out, "MULTIPOLYGON (");
        int strips = 2 + (int)draw(0, 5);
        double x = draw(-50, 50), y0 = draw(-1, 1), angle = draw(0, 6.28), c = cos(angle), s = sin(angle), begin = x;
        for (int k = 0; k < strips; k++) {
            double width = draw(0.5, 3), low = y0 + draw(-1, 1), high = y0 + draw(2, 5);
            const double at[5][2] = {{x, low}, {x + width, low}, {x + width, high}, {x, high}, {x, low}};
            add(&out, "%s((", k ? ", " : "");
            for (int i = 0; i < 5; i++) {
                add(&out, "%s%.17g %.17g", i ? ", " : "", c * at[i][0] - s * at[i][1], s * at[i][0] + c * at[i][1]);
            }
            add(&out, "))");
            x += width + draw(1e-5, 9e-4);
        }
        add(&out, ")");
        throng_place_notes notes;
        throng_place *place = build(out.bytes, NULL, 0, &notes);
        assert_non_null(place);
        if (place->part_count != 1) fail_msg("%s\nbecomes %s", out.bytes, throng_place_wkt(place));
        check_in_order(place, out.bytes);
        assert_true(throng_place_bounds(place).high.x > throng_place_bounds(place).low.x && x > begin);
        assert_int_equal(notes.count, strips - 1);
        throng_place_notes_clear(&notes);
        throng_place_destroy(place);
    }
}

/* Rings on a coarse lattice meet themselves and each other in every way there is. */
static void rings_on_a_lattice_are_valid_or_refused(void **state) {
    (void)state;
    size_t made = 0, refused = 0;
    for (int round = 0; round < 8000; round++) {
        static text out;
        out.length = 0;
        int rings = 1 + (int)draw(0, 3);
        bool multi = draw(0, 1) < 0.5;
        add(&out, multi ? "GEOMETRYCOLLECTION (" : "POLYGON (");
        for (int r = 0; r < rings; r++) {
            int count = 3 + (int)draw(0, 6), size = r ? 4 : 7;
            double x0 = floor(draw(0, 4)), y0 = floor(draw(0, 4)), first_x = 0, first_y = 0;
            add(&out, "%s%s(", r ? ", " : "", multi ? "POLYGON (" : "");
            for (int i = 0; i < count; i++) {
                double x = x0 + floor(draw(0, size)), y = y0 + floor(draw(0, size));
                if (i == 0) first_x = x, first_y = y;
                add(&out, "%g %g, ", x, y);
            }
            add(&out, "%g %g)%s", first_x, first_y, multi ? ")" : "");
        }
        add(&out, ")");
        throng_place_notes notes;
        throng_place *place = build(out.bytes, NULL, 0, &notes);
        made += place != NULL;
        refused += !place;
        if (place) check_in_order(place, out.bytes);
        for (size_t i = 0; i < notes.count; i++) {
            bool whole = strstr(notes.notes[i].text, "clockwise") || strstr(notes.notes[i].text, "nothing is left");
            if (!notes.notes[i].has_place && !whole) fail_msg("%s: no place: %s", out.bytes, notes.notes[i].text);
        }
        throng_place_notes_clear(&notes);
        throng_place_destroy(place);
    }
    assert_in_range(made, 1000, 7000);
    assert_in_range(refused, 1000, 7000);
}

/* ---- many corners */

/* Many discs: 'apart' metres from one to the next of a row. */
static throng_place *build_discs(size_t count, double radius, double apart, throng_place_notes *notes) {
    throng_obstacle *discs = calloc(count, sizeof *discs);
    for (size_t i = 0; i < count; i++) {
        throng_point at = {apart * (double)(i % 100), apart * (double)(i / 100)};
        discs[i] = (throng_obstacle){.kind = THRONG_DISC, .centre = at, .radius = radius};
    }
    throng_place *place =
        build("POLYGON ((-100 -100, 1000 -100, 1000 1000, -100 1000, -100 -100))", discs, count, notes);
    free(discs);
    return place;
}

static bool tells(const throng_place_notes *notes, const char *words) {
    for (size_t i = 0; i < notes->count; i++) {
        if (strstr(notes->notes[i].text, words)) return true;
    }
    return false;
}

/* Discs that meet in pairs, beside each other in such numbers that they are joined in clusters. */
static void many_clusters_are_joined_as_few_are(void **state) {
    (void)state;
    throng_place_notes notes;
    for (size_t rows = 1; rows <= 25; rows += 24) {
        throng_place *place = build_discs(100 * rows, 0.55, 1, &notes);
        assert_non_null(place);
        assert_int_equal(place->ring_count, rows == 1 ? 2 : 1 + 1 + 99 * 24);
        throng_place_destroy(place);
        throng_place_notes_clear(&notes);
        place = build_discs(100 * rows, 0.3, 1, &notes);
        assert_int_equal(place->ring_count, 1 + 100 * rows);
        throng_place_destroy(place);
        throng_place_notes_clear(&notes);
    }
}

/* What would take minutes or gigabytes is told, and left out or refused. */
static void crowds_of_corners_are_told(void **state) {
    (void)state;
    throng_place_notes notes;
    throng_place *place = build_discs(4000, 1, 0, &notes);
    assert_non_null(place);
    assert_true(tells(&notes, "gaps below 1 mm are not looked for"));
    assert_int_equal(place->ring_count, 2);
    throng_place_destroy(place);
    throng_place_notes_clear(&notes);
    assert_null(build_discs(9000, 50, 0.1, &notes));
    assert_true(tells(&notes, "2000000 at most"));
    throng_place_notes_clear(&notes);
}

/* Places with obstacles made of `corners` corners each. */
static throng_place *build_polygons(throng_point *points, size_t count, size_t corners, throng_place_notes *notes) {
    throng_obstacle *polygons = calloc(count, sizeof *polygons);
    for (size_t i = 0; i < count; i++)
        polygons[i] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {points + i * corners, corners}};
    throng_place *place = build("POLYGON ((-60 -60, 60 -60, 60 60, -60 60, -60 -60))", polygons, count, notes);
    free(polygons);
    return place;
}

/* Triangles around a point that is a corner of all; before, 6000 of them were refused after half a minute. */
static void many_walls_may_end_in_one_point(void **state) {
    (void)state;
    enum { COUNT_OF_THEM = 6000 };
    throng_point *points = malloc(3 * COUNT_OF_THEM * sizeof *points);
    for (size_t i = 0; i < COUNT_OF_THEM; i++) {
        double turn = 6.283185307179586 * (double)i / COUNT_OF_THEM, on = turn + 3.141592653589793 / COUNT_OF_THEM;
        points[3 * i] = (throng_point){0, 0};
        points[3 * i + 1] = (throng_point){30 * cos(turn), 30 * sin(turn)};
        points[3 * i + 2] = (throng_point){30 * cos(on), 30 * sin(on)};
    }
    throng_place_notes notes;
    throng_place *place = build_polygons(points, COUNT_OF_THEM, 3, &notes);
    assert_non_null(place);
    assert_int_equal(place->ring_count, 1 + COUNT_OF_THEM);
    assert_near(area_of(place), 14400 - 0.5 * 900 * COUNT_OF_THEM * sin(3.141592653589793 / COUNT_OF_THEM), 1e-6);
    throng_place_destroy(place);
    throng_place_notes_clear(&notes);
    free(points);
}

/* Combs 40 m wide and 41 m high, each turned further around the middle. */
static throng_place *build_combs(size_t count, size_t teeth, throng_place_notes *notes) {
    size_t corners = 4 * teeth + 1;
    throng_point *points = malloc(count * corners * sizeof *points);
    for (size_t i = 0; i < count; i++) {
        throng_point *at = points + i * corners;
        double width = 20 / (double)teeth, x = 20, c = cos(0.01 + (double)i * 6.283185307179586 / (double)count);
        double s = sin(0.01 + (double)i * 6.283185307179586 / (double)count);
        *at++ = (throng_point){-20, -21};
        *at++ = (throng_point){20, -21};
        for (size_t k = 0; k < teeth; k++, x -= 2 * width) {
            *at++ = (throng_point){x, 20};
            *at++ = (throng_point){x - width, 20};
            *at++ = (throng_point){x - width, -20};
            if (k + 1 < teeth) *at++ = (throng_point){x - 2 * width, -20};
        }
        for (at = points + i * corners; at < points + (i + 1) * corners; at++)
            *at = (throng_point){at->x * c - at->y * s, at->x * s + at->y * c};
    }
    throng_place *place = build_polygons(points, count, corners, notes);
    free(points);
    return place;
}

/* Three million crossings, of which next to none are left; before, they took 26 s and 1 GB. */
static void crossings_that_others_cover_take_no_time(void **state) {
    (void)state;
    throng_place_notes notes;
    clock_t begin = clock();
    throng_place *place = build_combs(60, 20, &notes);
    assert_true(clock() - begin < 12 * CLOCKS_PER_SEC);
    assert_non_null(place);
    assert_near(area_of(place), 11854.69, 0.01);
    throng_place_destroy(place);
    throng_place_notes_clear(&notes);
}

static void crossings_that_stay_may_be_too_many(void **state) {
    (void)state;
    throng_place_notes notes;
    assert_null(build_combs(16, 300, &notes));
    size_t told = 0;
    for (size_t i = 0; i < notes.count; i++) told += notes.notes[i].severity == THRONG_ERROR;
    assert_int_equal(told, 1);
    assert_true(tells(&notes, "too many walls lie upon each other"));
    throng_place_notes_clear(&notes);
}

/* A comb of 10^5 teeth whose backs touch: each tooth shares its foot with the next. */
static void many_touching_corners_take_no_time(void **state) {
    (void)state;
    size_t teeth = 100000, count = 0;
    throng_point *points = malloc((2 * teeth + 4) * sizeof *points);
    points[count++] = (throng_point){0, 0};
    points[count++] = (throng_point){(double)teeth, 0};
    points[count++] = (throng_point){(double)teeth, 5};
    for (size_t k = teeth; k-- > 0;) {
        points[count++] = (throng_point){(double)k + 0.5, k % 1000 ? 1 : 0};
        points[count++] = (throng_point){(double)k, 5};
    }
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){points, count};
    throng_error error = {0};
    throng_place *place = throng_place_create(&def, &error);
    if (!place) fail_msg("%s", error.text);
    assert_int_equal(place->part_count, teeth / 1000 + 1);
    throng_place_destroy(place);
    free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_areas_are_repaired_and_told),
        cmocka_unit_test(what_crosses_itself_is_refused_with_the_place),
        cmocka_unit_test(obstacles_that_miss_the_wall_leave_no_crack),
        cmocka_unit_test(rings_broken_at_random_come_out_whole),
        cmocka_unit_test(halls_in_strips_become_one),
        cmocka_unit_test(rings_on_a_lattice_are_valid_or_refused),
        cmocka_unit_test(many_touching_corners_take_no_time),
        cmocka_unit_test(many_walls_may_end_in_one_point),
        cmocka_unit_test(crossings_that_others_cover_take_no_time),
        cmocka_unit_test(crossings_that_stay_may_be_too_many),
        cmocka_unit_test(many_clusters_are_joined_as_few_are),
        cmocka_unit_test(crowds_of_corners_are_told),
    };
    return cmocka_run_group_tests_name("repair", tests, NULL, NULL);
}
