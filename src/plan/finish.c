/* finish.c: what every plan goes through whatever its format: names that are there and differ, polygons that
 * are polygons, values in range. Walkable areas and obstacles are looked at when the place is made of them. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/report.h"
#include "plan/plan.h"
#include "space/place.h"

THRONG_PRINTF(4, 5)
static bool tell(throng_report *report, throng_severity severity, const throng_floor_shape *shape, const char *format,
                 ...) {
    char text[400], who[120] = "";
    THRONG_FORMAT(text, format);
    if (*shape->name) snprintf(who, sizeof who, " '%.80s'", shape->name);
    return throng_report_add(report, severity, shape->line, shape->column, "", "%s%s: %s",
                             throng_floor_kind_names[shape->kind], who, text);
}

/* Goals of both kinds share their names; obstacles, zones and spawns each have names of their own. */
static throng_names *names_for(throng_names *names, throng_floor_kind kind) {
    return &names[kind == THRONG_FLOOR_GOAL ? THRONG_FLOOR_EXIT : kind];
}

/* The same name with the first number behind it that is free. */
static void number_name(throng_names *names, throng_floor_shape *shape, const char *stem, size_t from) {
    char name[200];
    do {
        snprintf(name, sizeof name, "%.150s-%zu", stem, from++);
    } while (throng_names_find(names, name) != THRONG_NO_NAME);
    throng_names_add(names, name);
    throng_release(shape->name);
    shape->name = throng_copy_text(name);
}

static bool lacks_name(const throng_floor_shape *shape) {
    return !*shape->name &&
           (shape->kind == THRONG_FLOOR_EXIT || shape->kind == THRONG_FLOOR_GOAL || shape->kind == THRONG_FLOOR_SPAWN);
}

/* Given names go first, so that no made up one takes them away. */
static void name_shapes(throng_floor_plan *plan, throng_report *report) {
    throng_names names[THRONG_FLOOR_KIND_COUNT] = {0};
    bool *second = throng_allocate(plan->count * sizeof *second);
    for (size_t i = 0; i < plan->count; i++) {
        const throng_floor_shape *shape = &plan->shapes[i];
        if (!*shape->name || shape->kind == THRONG_FLOOR_WALKABLE || shape->kind == THRONG_FLOOR_ZONE) continue;
        throng_names *own = names_for(names, shape->kind);
        size_t before = own->count;
        second[i] = throng_names_add(own, shape->name) != before;
    }
    size_t unnamed[THRONG_FLOOR_KIND_COUNT] = {0};
    for (size_t i = 0; i < plan->count; i++) {
        throng_floor_shape *shape = &plan->shapes[i];
        throng_names *own = names_for(names, shape->kind);
        if (lacks_name(shape)) {
            number_name(own, shape, throng_floor_kind_names[shape->kind], ++unnamed[shape->kind]);
            tell(report, THRONG_NOTE, shape, "had no name");
        } else if (second[i]) {
            char stem[160];
            snprintf(stem, sizeof stem, "%.150s", shape->name);
            number_name(own, shape, stem, 2);
            tell(report, THRONG_WARNING, shape, "called so because there is another '%s'", stem);
        }
    }
    for (size_t k = 0; k < THRONG_FLOOR_KIND_COUNT; k++) throng_names_clear(&names[k]);
    throng_release(second);
}

static bool check_area(throng_floor_shape *shape, throng_report *report) {
    throng_fault fault = {0};
    const throng_floor_ring *border = &shape->rings[0];
    if (shape->ring_count > 1) {
        tell(report, THRONG_WARNING, shape, "%zu hole%s left out: only walkable areas have holes",
             shape->ring_count - 1, shape->ring_count > 2 ? "s are" : " is");
        while (shape->ring_count > 1) throng_release((void *)shape->rings[--shape->ring_count].ring.points);
    }
    if (shape->kind == THRONG_FLOOR_OBSTACLE) return true;
    if (border->ring.count >= 3 && throng_ring_is_simple(border->ring.points, border->ring.count, &fault)) return true;
    if (border->ring.count < 3) return tell(report, THRONG_ERROR, shape, "a polygon needs at least 3 different points");
    if (!fault.has_place) return tell(report, THRONG_ERROR, shape, "%s", fault.text);
    return tell(report, THRONG_ERROR, shape, "%s at (%.10g, %.10g)", fault.text, fault.at.x, fault.at.y);
}

/* Which forms a kind of thing can have. */
static bool check_form(const throng_floor_shape *shape, throng_report *report) {
    static const char *const forms[] = {"a polygon", "a line", "a point"};
    bool line = shape->kind == THRONG_FLOOR_OBSTACLE;
    bool disc =
        shape->kind == THRONG_FLOOR_OBSTACLE || shape->kind == THRONG_FLOOR_EXIT || shape->kind == THRONG_FLOOR_GOAL;
    if (shape->form == THRONG_FLOOR_AREA || (shape->form == THRONG_FLOOR_LINE ? line : disc)) return true;
    return tell(report, THRONG_ERROR, shape, "must be a polygon, found %s", forms[shape->form]);
}

static bool check_range(const throng_floor_shape *shape, const char *what, double value, double low, double high,
                        throng_report *report) {
    if (value >= low && value <= high) return true;
    return tell(report, THRONG_ERROR, shape, "%s must be from %g to %g, found %.10g", what, low, high, value);
}

static bool check_points(const throng_floor_shape *shape, throng_report *report) {
    for (size_t r = 0; r < shape->ring_count; r++) {
        for (size_t i = 0; i < shape->rings[r].ring.count; i++) {
            throng_point p = shape->rings[r].ring.points[i];
            if (fabs(p.x) <= THRONG_FARTHEST && fabs(p.y) <= THRONG_FARTHEST) continue;
            if (!isfinite(p.x) || !isfinite(p.y))
                return tell(report, THRONG_ERROR, shape, "a corner, bulge or scale is too large a number");
            return tell(report, THRONG_ERROR, shape, "(%.9g, %.9g) is farther than 100000 km from the origin", p.x,
                        p.y);
        }
    }
    return true;
}

static bool check_shape(throng_floor_shape *shape, throng_report *report) {
    bool good = check_form(shape, report) && check_points(shape, report);
    if (!good) return false;
    if (shape->form == THRONG_FLOOR_AREA && shape->kind != THRONG_FLOOR_WALKABLE) good = check_area(shape, report);
    if (shape->form == THRONG_FLOOR_DISC) {
        good = check_range(shape, "the radius", shape->radius, shape->kind == THRONG_FLOOR_OBSTACLE ? 1e-6 : 0,
                           THRONG_FARTHEST, report) &&
               check_range(shape, "a coordinate", fmax(fabs(shape->centre.x), fabs(shape->centre.y)), 0,
                           THRONG_FARTHEST, report);
    }
    if (shape->kind == THRONG_FLOOR_ZONE)
        good = check_range(shape, "speed_factor", shape->speed_factor, 1e-9, 100, report) && good;
    if (shape->kind == THRONG_FLOOR_SPAWN) {
        good = check_range(shape, "density", shape->density, 0, 1000, report) && good;
        good = check_range(shape, "count", shape->count, 0, 1e7, report) && good;
        if (shape->count != floor(shape->count))
            good = tell(report, THRONG_ERROR, shape, "count must be a whole number, found %g", shape->count);
    }
    return good;
}

bool throng_floor_finish(throng_floor_plan *plan, throng_report *report) {
    bool good = true;
    for (size_t i = 0; i < plan->count; i++) good = check_shape(&plan->shapes[i], report) && good;
    name_shapes(plan, report);
    return good;
}
