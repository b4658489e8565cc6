/* vadere.c: Vadere's .scenario files (versions 1 and 2). What matters to us lies in scenario.topography; targets
 * become goals, sources people or sources, the bounding box walls. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "plan/draft.h"
#include "plan/vadere.h"

/* ------------------------------------------------------------------ shapes */

static bool read_rectangle(const throng_vadere *v, throng_json_ref shape, throng_ring *out) {
    double x = throng_foreign_number(v->json, shape, "x", NAN), y = throng_foreign_number(v->json, shape, "y", NAN);
    double width = throng_foreign_number(v->json, shape, "width", NAN);
    double height = throng_foreign_number(v->json, shape, "height", NAN);
    if (!(width > 0 && height > 0) || isnan(x) || isnan(y)) return false;
    throng_point corners[] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    *out = (throng_ring){throng_copy_bytes(corners, sizeof corners), 4};
    return true;
}

static bool read_polygon(const throng_vadere *v, throng_json_ref shape, throng_ring *out) {
    const throng_json *json = v->json;
    throng_json_ref list = throng_foreign_value(json, shape, "points");
    if (list == THRONG_NO_NODE || throng_json_kind_of(json, list) != THRONG_JSON_LIST) return false;
    size_t count = throng_json_count(json, list);
    if (count < 3) return false;
    throng_point *points = throng_allocate(count * sizeof *points);
    throng_json_ref item = throng_json_first(json, list);
    bool good = true;
    for (size_t i = 0; i < count; i++, item = throng_json_after(json, item)) {
        points[i].x = throng_foreign_number(json, item, "x", NAN);
        points[i].y = throng_foreign_number(json, item, "y", NAN);
        good = good && isfinite(points[i].x) && isfinite(points[i].y);
    }
    *out = (throng_ring){points, count};
    if (good) return true;
    throng_release(points);
    return false;
}

/* A circle as a polygon of 32 corners around it. */
static bool read_circle(const throng_vadere *v, throng_json_ref shape, throng_ring *out) {
    enum { CORNERS = 32 };
    throng_json_ref centre = throng_foreign_value(v->json, shape, "center");
    double x = throng_foreign_number(v->json, centre, "x", NAN), y = throng_foreign_number(v->json, centre, "y", NAN);
    double radius = throng_foreign_number(v->json, shape, "radius", NAN);
    if (!(radius > 0) || isnan(x) || isnan(y)) return false;
    throng_point corners[CORNERS];
    double c, s;
    throng_cos_sin(180.0 / CORNERS, &c, &s);
    double reach = radius / c;
    for (int i = 0; i < CORNERS; i++) {
        throng_cos_sin(360.0 * i / CORNERS, &c, &s);
        corners[i] = (throng_point){x + reach * c, y + reach * s};
    }
    *out = (throng_ring){throng_copy_bytes(corners, sizeof corners), CORNERS};
    return true;
}

bool throng_vadere_shape(throng_vadere *v, throng_json_ref element, throng_ring *out) {
    char buffer[40];
    *out = (throng_ring){0};
    throng_json_ref shape = throng_foreign_value(v->json, element, "shape");
    const char *type = throng_foreign_text(v->json, shape, "type", buffer, sizeof buffer);
    if (strcmp(type, "RECTANGLE") == 0 && read_rectangle(v, shape, out)) return true;
    if (strcmp(type, "POLYGON") == 0 && read_polygon(v, shape, out)) return true;
    if (strcmp(type, "CIRCLE") == 0 && read_circle(v, shape, out)) return true;
    throng_foreign_tell(v->report, THRONG_ERROR, v->json, shape == THRONG_NO_NODE ? element : shape,
                        "expected a shape of type RECTANGLE, POLYGON or CIRCLE with its numbers");
    v->failed = true;
    return false;
}

throng_floor_shape *throng_vadere_add(throng_vadere *v, throng_json_ref element, throng_floor_kind kind,
                                      const char *name) {
    throng_ring ring;
    int line, column;
    if (!throng_vadere_shape(v, element, &ring)) return NULL;
    throng_json_where(v->json, element, &line, &column);
    throng_floor_shape *shape = throng_floor_add(&v->draft->plan, kind, THRONG_FLOOR_AREA, name, line, column);
    throng_floor_add_ring(shape, ring.points, ring.count, line, column);
    throng_release((void *)ring.points);
    return shape;
}

/* The first item of a list of the topography, and its end; both 0 when there is none. */
static throng_json_ref list_of(const throng_vadere *v, const char *key, throng_json_ref *end) {
    return throng_foreign_items(v->json, throng_foreign_value(v->json, v->topography, key), end);
}

void throng_vadere_each(throng_vadere *v, const char *key, void (*take)(throng_vadere *v, throng_json_ref element)) {
    throng_json_ref end;
    for (throng_json_ref k = list_of(v, key, &end); k < end; k = throng_json_after(v->json, k)) take(v, k);
}

const char *throng_vadere_name(const throng_vadere *v, throng_json_ref element, const char *kind, char *out,
                               size_t size) {
    char id[40];
    snprintf(out, size, "%s-%.60s", kind, throng_foreign_text(v->json, element, "id", id, sizeof id));
    return out;
}

/* ------------------------------------------------------------------ the place */

static void read_bounds(throng_vadere *v) {
    const throng_json *json = v->json;
    throng_json_ref attributes = throng_foreign_value(json, v->topography, "attributes");
    throng_json_ref bounds = throng_foreign_value(json, attributes, "bounds");
    throng_ring ring;
    if (bounds == THRONG_NO_NODE || !read_rectangle(v, bounds, &ring)) {
        throng_foreign_tell(v->report, THRONG_ERROR, v->json, v->topography,
                            "topography.attributes.bounds need x, y, width and height");
        v->failed = true;
        return;
    }
    throng_point *p = (throng_point *)ring.points;
    double margin = throng_foreign_bool(json, attributes, "bounded", true)
                        ? throng_foreign_number(json, attributes, "boundingBoxWidth", 0.5)
                        : 0;
    if (!(2 * margin < fmin(p[1].x - p[0].x, p[2].y - p[1].y))) margin = 0;
    p[0] = (throng_point){p[0].x + margin, p[0].y + margin};
    p[2] = (throng_point){p[2].x - margin, p[2].y - margin};
    p[1] = (throng_point){p[2].x, p[0].y};
    p[3] = (throng_point){p[0].x, p[2].y};
    throng_floor_shape *shape = throng_floor_add(&v->draft->plan, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA, "", 0, 0);
    throng_floor_add_ring(shape, p, 4, 0, 0);
    throng_release(p);
}

static void take_obstacle(throng_vadere *v, throng_json_ref element) {
    char name[100];
    throng_vadere_add(v, element, THRONG_FLOOR_OBSTACLE, throng_vadere_name(v, element, "obstacle", name, sizeof name));
}

static void take_stairs(throng_vadere *v, throng_json_ref element) {
    const double factor = 0.6;
    throng_floor_shape *shape = throng_vadere_add(v, element, THRONG_FLOOR_ZONE, "");
    if (!shape) return;
    shape->speed_factor = factor;
    throng_foreign_tell(v->report, THRONG_WARNING, v->json, element,
                        "stairs become a zone with speed_factor %g, up and down alike; their treads are left out",
                        factor);
}

static void take_measurement_area(throng_vadere *v, throng_json_ref element) {
    throng_ring ring;
    char name[100];
    if (!throng_vadere_shape(v, element, &ring)) return;
    throng_draft_add_area(v->draft, throng_vadere_name(v, element, "area", name, sizeof name), ring);
    throng_release((void *)ring.points);
}

/* "waitingTime", "waiter": {"enabled": true, "distribution": {...}}: how long people stay at a target. */
static throng_floor_value wait_of(throng_vadere *v, throng_json_ref element) {
    const throng_json *json = v->json;
    throng_json_ref waiter = throng_foreign_value(json, element, "waiter");
    double time = throng_foreign_number(json, element, "waitingTime", 0);
    if (throng_foreign_bool(json, waiter, "enabled", false)) {
        throng_json_ref distribution = throng_foreign_value(json, waiter, "distribution");
        time = throng_foreign_number(json, distribution, "timeInterval",
                                     throng_foreign_number(json, distribution, "updateFrequency", 0));
        if (time == 0)
            throng_foreign_tell(v->report, THRONG_WARNING, v->json, waiter, "how long people wait here is left out");
    }
    return time > 0 ? (throng_floor_value){"", time, 0, 0, 0} : (throng_floor_value){0};
}

static void take_target(throng_vadere *v, throng_json_ref element) {
    char name[100];
    const throng_json *json = v->json;
    throng_json_ref absorber = throng_foreign_value(json, element, "absorber");
    bool absorbing = absorber != THRONG_NO_NODE ? throng_foreign_bool(json, absorber, "enabled", true)
                                                : throng_foreign_bool(json, element, "absorbing", true);
    throng_floor_shape *shape = throng_vadere_add(v, element, absorbing ? THRONG_FLOOR_EXIT : THRONG_FLOOR_GOAL,
                                                  throng_vadere_name(v, element, "target", name, sizeof name));
    if (!shape) return;
    throng_floor_value wait = wait_of(v, element);
    if (!absorbing) shape->wait = wait;
    if (absorbing && wait.distribution)
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, element,
                            "people leave at this target at once: its waiting time is left out");
    if (wait.distribution && throng_foreign_number(json, element, "waitingTimeYellowPhase", 0) > 0)
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, element,
                            "this traffic light becomes a plain waiting time");
}

static void leave_out(throng_vadere *v, const char *key, const char *what) {
    throng_json_ref end;
    for (throng_json_ref k = list_of(v, key, &end); k < end; k = throng_json_after(v->json, k))
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, k, "%s cannot be said in a scenario: left out", what);
}

/* ------------------------------------------------------------------ the whole */

static void read_attributes(throng_vadere *v) {
    const throng_json *json = v->json;
    char buffer[40];
    throng_json_ref simulation = throng_foreign_value(json, v->scenario, "attributesSimulation");
    throng_json_ref people = throng_foreign_value(json, v->topography, "attributesPedestrian");
    throng_draft *draft = v->draft;
    draft->duration = throng_foreign_number(json, simulation, "finishTime", 0);
    if (throng_foreign_bool(json, simulation, "useFixedSeed", false))
        draft->seed = floor(fabs(throng_foreign_number(json, simulation, "fixedSeed", 0)));
    if (!(draft->seed < 9e15)) draft->seed = 0;
    throng_vadere_traits(v, people, &draft->radius, &draft->speed);
    const char *model = throng_foreign_text(json, v->scenario, "mainModel", buffer, sizeof buffer);
    throng_json_ref node = throng_foreign_value(json, v->scenario, "mainModel");
    if (*model)
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, node,
                            "the model (%.80s) and its attributes are left out: the scenario runs with any of ours",
                            strrchr(model, '.') ? strrchr(model, '.') + 1 : model);
}

bool throng_draft_read_vadere(throng_draft *draft, throng_json *json, throng_report *report) {
    char buffer[40];
    throng_vadere v = {.draft = draft, .json = json, .report = report};
    v.scenario = throng_foreign_value(json, 0, "scenario");
    v.topography = throng_foreign_value(json, v.scenario, "topography");
    if (v.topography == THRONG_NO_NODE) {
        throng_report_add(report, THRONG_ERROR, 0, 0, "", "expected a Vadere scenario: scenario.topography is missing");
        return false;
    }
    draft->name = throng_copy_text(throng_foreign_text(json, 0, "name", buffer, sizeof buffer));
    read_bounds(&v);
    read_attributes(&v);
    throng_vadere_each(&v, "obstacles", take_obstacle);
    throng_vadere_each(&v, "stairs", take_stairs);
    throng_vadere_each(&v, "measurementAreas", take_measurement_area);
    throng_vadere_each(&v, "targets", take_target);
    throng_vadere_people(&v);
    leave_out(&v, "targetChangers", "a target changer");
    leave_out(&v, "absorbingAreas", "an absorbing area");
    leave_out(&v, "teleporters", "a teleporter");
    leave_out(&v, "aerosolClouds", "an aerosol cloud");
    leave_out(&v, "droplets", "a cloud of droplets");
    return !v.failed;
}
