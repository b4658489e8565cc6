/* degrees.c: GeoJSON by the book is in degrees of longitude and latitude. A floor plan in degrees would be a
 * building smaller than a coin, so it is better to find out. */

#include <math.h>
#include <string.h>

#include "base/report.h"
#include "plan/geojson.h"

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
    throng_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t r = 0; r < plan->shapes[i].ring_count; r++) {
            throng_ring ring = plan->shapes[i].rings[r].ring;
            for (size_t k = 0; k < ring.count; k++) {
                box.low = (throng_point){fmin(box.low.x, ring.points[k].x), fmin(box.low.y, ring.points[k].y)};
                box.high = (throng_point){fmax(box.high.x, ring.points[k].x), fmax(box.high.y, ring.points[k].y)};
            }
        }
    }
    return box;
}

bool throng_geojson_is_metric(throng_json *json, const throng_floor_plan *plan, throng_report *report) {
    throng_json_ref crs = crs_name(json);
    if (crs != THRONG_NO_NODE && throng_json_kind_of(json, crs) == THRONG_JSON_TEXT) {
        const char *name = throng_json_text_of(json, crs);
        if (!names_degrees(name)) return true;
        int line, column;
        throng_json_where(json, crs, &line, &column);
        throng_report_add(report, THRONG_ERROR, line, column, "crs",
                          "the plan is in degrees of longitude and latitude (%.80s): " ADVICE, name);
        return false;
    }
    /* A whole building within one unit: metres it cannot be. */
    throng_box box = bounds_of(plan);
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    bool on_earth =
        fabs(box.low.x) <= 180 && fabs(box.high.x) <= 180 && fabs(box.low.y) <= 90 && fabs(box.high.y) <= 90;
    if (!on_earth || !(width < 3 && height < 3)) return true;
    if (width < 1 && height < 1 && fmax(fabs(box.low.x), fabs(box.low.y)) > 1) {
        throng_report_add(report, THRONG_ERROR, 0, 0, "",
                          "the whole plan is %.3g by %.3g, which looks like degrees of longitude and latitude: " ADVICE,
                          width, height);
        return false;
    }
    throng_report_add(report, THRONG_WARNING, 0, 0, "",
                      "the whole plan is only %.3g by %.3g m; if these are degrees, " ADVICE, width, height);
    return true;
}
