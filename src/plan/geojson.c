/* geojson.c: plans as GeoJSON (RFC 7946), in metres. What a feature is stands in its properties:
 *
 *     {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[0, 0], ...]]},
 *      "properties": {"kind": "exit", "name": "west"}}
 *
 * In a file where nothing has a kind, every polygon is walkable. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/report.h"
#include "plan/draft.h"
#include "space/box.h"

/* ------------------------------------------------------------------ degrees */

#define ADVICE "project it to metres first, for instance with ogr2ogr -t_srs EPSG:25832"

/* The name of the coordinate system a file of the older kind declares; NULL when it does not. */
static throng_json_ref crs_name(const throng_json *json) {
    throng_json_ref node = 0;
    static const char *const way[] = {"crs", "properties", "name"};
    for (int i = 0; i < 3 && node != THRONG_NO_NODE; i++) {
        bool object = throng_json_kind_of(json, node) == THRONG_JSON_OBJECT;
        node = object ? throng_json_find(json, node, way[i]) : THRONG_NO_NODE;
    }
    return node;
}

static bool names_degrees(const char *name) {
    static const char *const words[] = {"CRS84", "4326", "WGS84", "WGS 84"};
    if (strstr(name, "UTM")) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(name, words[i])) return true;
    }
    return false;
}

static throng_box bounds_of(const throng_floor_plan *plan) {
    throng_box box = throng_box_empty();
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t r = 0; r < plan->shapes[i].ring_count; r++) {
            throng_ring ring = plan->shapes[i].rings[r].ring;
            box = throng_box_join(box, throng_box_of(ring.points, ring.count));
        }
    }
    return box;
}

/* Whether the coordinates of a plan are metres: GeoJSON by the book is in degrees of longitude and latitude, which are
 * refused, as the building would be smaller than a coin; what only looks like them is warned of. */
static bool is_metric(throng_json *json, const throng_floor_plan *plan, throng_report *report) {
    throng_json_ref crs = crs_name(json);
    if (crs != THRONG_NO_NODE && throng_json_kind_of(json, crs) == THRONG_JSON_TEXT) {
        const char *name = throng_json_text_of(json, crs);
        if (!names_degrees(name)) return true;
        int line, column;
        throng_json_where(json, crs, &line, &column);
        return throng_report_add(report, THRONG_ERROR, line, column, "crs",
                                 "the plan is in degrees of longitude and latitude (%.80s): " ADVICE, name);
    }
    /* A whole building within one unit: metres it cannot be. */
    throng_box box = bounds_of(plan);
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    bool on_earth =
        fabs(box.low.x) <= 180 && fabs(box.high.x) <= 180 && fabs(box.low.y) <= 90 && fabs(box.high.y) <= 90;
    if (!on_earth || !(width < 3 && height < 3)) return true;
    if (width < 1 && height < 1 && fmax(fabs(box.low.x), fabs(box.low.y)) > 1)
        return throng_report_add(
            report, THRONG_ERROR, 0, 0, "",
            "the whole plan is %.3g by %.3g, which looks like degrees of longitude and latitude: " ADVICE, width,
            height);
    throng_report_add(report, THRONG_WARNING, 0, 0, "",
                      "the whole plan is only %.3g by %.3g m; if these are degrees, " ADVICE, width, height);
    return true;
}

enum { MOST_FAULTS = 50, MOST_LEFT_OUT = 20 };

typedef struct geojson {
    throng_json *json;
    throng_floor_plan *plan;
    throng_report *report;
    size_t faults, left_out;
    bool kinds;              /* some feature says what it is */
    throng_json_ref feature; /* the one being read, or THRONG_NO_NODE */
    throng_point *points;    /* of the ring being read */
    size_t point_capacity;   /* of it */
} geojson;

THRONG_PRINTF(4, 5)
static bool tell(geojson *g, throng_severity severity, throng_json_ref node, const char *format, ...) {
    if (severity == THRONG_ERROR && g->faults++ >= MOST_FAULTS) return false;
    char text[500];
    THRONG_FORMAT(text, format);
    throng_foreign_tell(&(throng_foreign){.json = g->json, .report = g->report}, severity, node, "%s", text);
    return false;
}

static bool expected(geojson *g, throng_json_ref node, const char *what) {
    char found[120];
    if (throng_json_kind_of(g->json, node) == THRONG_JSON_BAD) return g->faults++, false;
    return tell(g, THRONG_ERROR, node, "expected %s, found %s", what,
                throng_json_describe(g->json, node, found, sizeof found));
}

static bool is_kind(const geojson *g, throng_json_ref node, throng_json_kind kind) {
    return node != THRONG_NO_NODE && throng_json_kind_of(g->json, node) == kind;
}

static throng_json_ref value_of(const geojson *g, throng_json_ref object, const char *key) {
    return is_kind(g, object, THRONG_JSON_OBJECT) ? throng_json_find(g->json, object, key) : THRONG_NO_NODE;
}

/* The value of a property, whose name some programs write in capitals. */
static throng_json_ref property_of(const geojson *g, throng_json_ref properties, const char *key) {
    throng_json_ref found = value_of(g, properties, key);
    if (found != THRONG_NO_NODE || !is_kind(g, properties, THRONG_JSON_OBJECT)) return found;
    THRONG_EACH_KEY (k, g->json, properties) {
        if (strcasecmp(throng_json_text_of(g->json, k), key) == 0) return k + 1;
    }
    return THRONG_NO_NODE;
}

/* The text of "type"; "" when there is none. */
static const char *type_of(const geojson *g, throng_json_ref object) {
    throng_json_ref type = value_of(g, object, "type");
    return is_kind(g, type, THRONG_JSON_TEXT) ? throng_json_text_of(g->json, type) : "";
}

/* ------------------------------------------------------------------ coordinates */

/* A position: two numbers, and more that are not looked at. */
static bool read_position(geojson *g, throng_json_ref node, throng_point *out) {
    const throng_json *json = g->json;
    if (!is_kind(g, node, THRONG_JSON_LIST) || throng_json_count(json, node) < 2)
        return expected(g, node, "a position [x, y] of two numbers");
    throng_json_ref x = throng_json_first(json, node), y = throng_json_after(json, x);
    if (!is_kind(g, x, THRONG_JSON_NUMBER)) return expected(g, x, "a coordinate, which is a number");
    if (!is_kind(g, y, THRONG_JSON_NUMBER)) return expected(g, y, "a coordinate, which is a number");
    *out = (throng_point){throng_json_number_of(json, x), throng_json_number_of(json, y)};
    return true;
}

static bool read_ring(geojson *g, throng_json_ref node, size_t least, throng_floor_shape *shape) {
    const throng_json *json = g->json;
    const char *what = least == 2 ? "a list of at least 2 positions" : "a ring: a list of at least 4 positions";
    if (!is_kind(g, node, THRONG_JSON_LIST) || throng_json_count(json, node) < least) return expected(g, node, what);
    size_t count = throng_json_count(json, node);
    THRONG_GROW(g->points, g->point_capacity, count);
    THRONG_EACH_NTH (i, item, json, node) {
        if (!read_position(g, item, &g->points[i])) return false;
    }
    int line, column;
    throng_json_where(g->json, node, &line, &column);
    throng_floor_add_ring(shape, g->points, count, line, column);
    return true;
}

/* ------------------------------------------------------------------ what a feature is */

static bool read_kind(geojson *g, throng_json_ref node, throng_floor_kind *out) {
    static const char *const words[] = {"walkable", "obstacle", "exit", "goal", "waypoint", "zone", "spawn"};
    static const throng_floor_kind kinds[] = {THRONG_FLOOR_WALKABLE, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_EXIT,
                                              THRONG_FLOOR_GOAL,     THRONG_FLOOR_GOAL,     THRONG_FLOOR_ZONE,
                                              THRONG_FLOOR_SPAWN};
    enum { COUNT = sizeof words / sizeof *words };
    if (!is_kind(g, node, THRONG_JSON_TEXT)) return expected(g, node, "a kind in double quotes");
    const char *word = throng_json_text_of(g->json, node);
    for (size_t i = 0; i < COUNT; i++) {
        if (strcasecmp(word, words[i]) != 0) continue;
        *out = kinds[i];
        return true;
    }
    const char *meant = throng_nearest_word(word, words, COUNT);
    return tell(g, THRONG_ERROR, node, "unknown kind '%.80s'%s%s%s", word, meant ? ": did you mean '" : "",
                meant ? meant : ": expected walkable, obstacle, exit, goal, waypoint, zone or spawn",
                meant ? "'?" : "");
}

/* The name of a feature: "name", else "id", of its properties, else its own "id". */
static const char *name_of(geojson *g, throng_json_ref properties, char *buffer, size_t size) {
    throng_json_ref from[] = {property_of(g, properties, "name"), property_of(g, properties, "id"),
                              value_of(g, g->feature, "id")};
    for (int i = 0; i < 3; i++) {
        if (is_kind(g, from[i], THRONG_JSON_TEXT) && *throng_json_text_of(g->json, from[i]))
            return throng_json_text_of(g->json, from[i]);
        if (!is_kind(g, from[i], THRONG_JSON_NUMBER)) continue;
        snprintf(buffer, size, "%.15g", throng_json_number_of(g->json, from[i]));
        return buffer;
    }
    return "";
}

static bool read_value(geojson *g, throng_json_ref properties, const char *key, double *out) {
    throng_json_ref node = property_of(g, properties, key);
    if (node == THRONG_NO_NODE || is_kind(g, node, THRONG_JSON_NULL)) return true;
    if (!is_kind(g, node, THRONG_JSON_NUMBER)) return expected(g, node, "a number");
    *out = throng_json_number_of(g->json, node);
    return true;
}

/* What a shape has beside its outline. */
static bool read_values(geojson *g, throng_json_ref properties, throng_floor_shape *shape) {
    bool good = read_value(g, properties, "radius", &shape->radius);
    if (shape->kind == THRONG_FLOOR_ZONE) {
        throng_json_ref factor = property_of(g, properties, "speed_factor");
        if (factor == THRONG_NO_NODE) return tell(g, THRONG_ERROR, properties, "a zone needs a \"speed_factor\"");
        good = read_value(g, properties, "speed_factor", &shape->speed_factor) && good;
    }
    if (shape->kind != THRONG_FLOOR_SPAWN) return good;
    good = read_value(g, properties, "count", &shape->count) && good;
    good = read_value(g, properties, "density", &shape->density) && good;
    throng_json_ref goal = property_of(g, properties, "goal");
    if (goal == THRONG_NO_NODE || is_kind(g, goal, THRONG_JSON_NULL)) return good;
    if (!is_kind(g, goal, THRONG_JSON_TEXT)) return expected(g, goal, "the name of a goal");
    throng_release(shape->goal);
    shape->goal = throng_copy_text(throng_json_text_of(g->json, goal));
    return good;
}

/* ------------------------------------------------------------------ geometries */

static throng_floor_shape *begin_shape(geojson *g, throng_json_ref node, throng_floor_kind kind, throng_floor_form form,
                                       bool *good) {
    char buffer[40];
    int line, column;
    throng_json_ref properties = value_of(g, g->feature, "properties");
    throng_json_where(g->json, node, &line, &column);
    throng_floor_shape *shape =
        throng_floor_add(g->plan, kind, form, name_of(g, properties, buffer, sizeof buffer), line, column);
    *good = read_values(g, properties, shape);
    return shape;
}

static bool read_polygon(geojson *g, throng_json_ref node, throng_floor_kind kind) {
    if (!is_kind(g, node, THRONG_JSON_LIST)) return expected(g, node, "the rings of a polygon [[[x, y], ...], ...]");
    if (throng_json_count(g->json, node) == 0) { /* RFC 7946, 3.1: as good as no geometry; GIS programs write it */
        tell(g, THRONG_WARNING, node, "a polygon without rings: left out");
        return true;
    }
    bool good;
    throng_floor_shape *shape = begin_shape(g, node, kind, THRONG_FLOOR_AREA, &good);
    THRONG_EACH_ITEM (k, g->json, node) {
        good = read_ring(g, k, 3, shape) && good;
    }
    return good;
}

static bool read_line(geojson *g, throng_json_ref node, throng_floor_kind kind) {
    bool good;
    throng_floor_shape *shape = begin_shape(g, node, kind, THRONG_FLOOR_LINE, &good);
    return read_ring(g, node, 2, shape) && good;
}

static bool read_point(geojson *g, throng_json_ref node, throng_floor_kind kind) {
    bool good;
    throng_floor_shape *shape = begin_shape(g, node, kind, THRONG_FLOOR_DISC, &good);
    if (kind == THRONG_FLOOR_OBSTACLE && good && shape->radius == 0)
        good = tell(g, THRONG_ERROR, node, "a point that is an obstacle needs a \"radius\"");
    return read_position(g, node, &shape->centre) && good;
}

typedef bool (*geometry_reader)(geojson *g, throng_json_ref node, throng_floor_kind kind);

/* The geometries with coordinates, and those that are lists of them. */
static const struct geometry_type {
    const char *name, *many;
    geometry_reader read;
} geometry_types[] = {{"Polygon", "MultiPolygon", read_polygon},
                      {"LineString", "MultiLineString", read_line},
                      {"Point", "MultiPoint", read_point}};

static bool read_many(geojson *g, throng_json_ref list, throng_floor_kind kind, geometry_reader read) {
    if (!is_kind(g, list, THRONG_JSON_LIST)) return expected(g, list, "a list");
    bool good = true;
    THRONG_EACH_ITEM (k, g->json, list) {
        good = read(g, k, kind) && good;
    }
    return good;
}

/* Tells of something that is not used; the first few times. */
static void leave_out(geojson *g, throng_json_ref node, const char *why) {
    if (g->left_out++ < MOST_LEFT_OUT) tell(g, THRONG_WARNING, node, "%s: left out", why);
}

static bool read_geometry(geojson *g, throng_json_ref node, throng_floor_kind kind) {
    if (!is_kind(g, node, THRONG_JSON_OBJECT)) return expected(g, node, "a geometry {\"type\": ...}");
    const char *type = type_of(g, node);
    if (strcmp(type, "GeometryCollection") == 0) {
        throng_json_ref list = value_of(g, node, "geometries");
        if (list == THRONG_NO_NODE) return tell(g, THRONG_ERROR, node, "\"geometries\" is missing");
        return read_many(g, list, kind, read_geometry);
    }
    for (size_t i = 0; i < sizeof geometry_types / sizeof *geometry_types; i++) {
        const struct geometry_type *t = &geometry_types[i];
        bool many = strcmp(type, t->many) == 0;
        if (!many && strcmp(type, t->name) != 0) continue;
        throng_json_ref coordinates = value_of(g, node, "coordinates");
        if (coordinates == THRONG_NO_NODE) return tell(g, THRONG_ERROR, node, "\"coordinates\" are missing");
        if (!g->kinds && t->read != read_polygon) {
            leave_out(g, node, "a line or point without a \"kind\"");
            return true;
        }
        return many ? read_many(g, coordinates, kind, t->read) : t->read(g, coordinates, kind);
    }
    throng_json_ref word = value_of(g, node, "type");
    return expected(g, word == THRONG_NO_NODE ? node : word,
                    "the type of a geometry (Polygon, LineString, Point, ...)");
}

/* ------------------------------------------------------------------ features */

static bool read_feature(geojson *g, throng_json_ref node) {
    throng_json_ref geometry = value_of(g, node, "geometry"), properties = value_of(g, node, "properties");
    if (strcmp(type_of(g, node), "Feature") != 0) return expected(g, node, "a {\"type\": \"Feature\", ...}");
    g->feature = node;
    if (geometry == THRONG_NO_NODE || is_kind(g, geometry, THRONG_JSON_NULL)) {
        leave_out(g, node, "a feature without a geometry");
        return true;
    }
    throng_json_ref kind_node = property_of(g, properties, "kind");
    throng_floor_kind kind = THRONG_FLOOR_WALKABLE;
    if (g->kinds && (kind_node == THRONG_NO_NODE || is_kind(g, kind_node, THRONG_JSON_NULL))) {
        leave_out(g, node, "a feature without a \"kind\", where others have one");
        return true;
    }
    if (g->kinds && !read_kind(g, kind_node, &kind)) return false;
    return read_geometry(g, geometry, kind);
}

static bool has_kinds(const geojson *g, throng_json_ref list) {
    THRONG_EACH_ITEM (k, g->json, list) {
        throng_json_ref kind = property_of(g, value_of(g, k, "properties"), "kind");
        if (kind != THRONG_NO_NODE && !is_kind(g, kind, THRONG_JSON_NULL)) return true;
    }
    return false;
}

static bool read_collection(geojson *g, throng_json_ref root) {
    throng_json_ref list = value_of(g, root, "features");
    if (list == THRONG_NO_NODE) return tell(g, THRONG_ERROR, root, "\"features\" are missing");
    if (!is_kind(g, list, THRONG_JSON_LIST)) return expected(g, list, "a list of features");
    g->kinds = has_kinds(g, list);
    bool good = true;
    THRONG_EACH_ITEM (k, g->json, list) {
        good = read_feature(g, k) && good;
    }
    return good;
}

static bool read_document(geojson *g) {
    if (!is_kind(g, 0, THRONG_JSON_OBJECT)) return expected(g, 0, "GeoJSON: an object {\"type\": ...}");
    const char *type = type_of(g, 0);
    if (!*type) return tell(g, THRONG_ERROR, 0, "expected GeoJSON, found an object without \"type\"");
    if (strcmp(type, "FeatureCollection") == 0) return read_collection(g, 0);
    if (strcmp(type, "Feature") != 0) return read_geometry(g, 0, THRONG_FLOOR_WALKABLE);
    g->kinds = property_of(g, value_of(g, 0, "properties"), "kind") != THRONG_NO_NODE;
    return read_feature(g, 0);
}

bool throng_floor_read_geojson(throng_floor_plan *plan, const char *bytes, size_t length,
                               const throng_floor_options *options, throng_report *report) {
    (void)options;
    size_t errors = throng_report_error_count(report);
    throng_json *json = throng_json_create(bytes, length, report);
    if (!json) return false;
    geojson g = {.json = json, .plan = plan, .report = report, .feature = THRONG_NO_NODE};
    bool good = read_document(&g) && throng_report_error_count(report) == errors;
    if (g.left_out > MOST_LEFT_OUT) {
        throng_report_add(report, THRONG_WARNING, 0, 0, "", "%zu more features are left out",
                          g.left_out - MOST_LEFT_OUT);
    }
    if (good && plan->count == 0) good = tell(&g, THRONG_ERROR, 0, "there is nothing to walk on in this file");
    if (good) good = is_metric(json, plan, report);
    throng_release(g.points);
    throng_json_destroy(json);
    return good;
}
