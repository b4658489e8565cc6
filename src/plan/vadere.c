/* vadere.c: Vadere's .scenario files (versions 0.1 to 2). What matters to us lies in scenario.topography (once
 * vadere.topography); targets become goals, sources people or sources, the bounding box walls. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "plan/draft.h"
#include "space/box.h"
#include "space/place.h"

enum { MOST_GOALS = 256, MOST_NAMESAKES = 1000 };

/* ------------------------------------------------------------------ shapes */

static bool read_rectangle(const throng_foreign *v, throng_json_ref shape, throng_ring *out) {
    double x = throng_foreign_number(v, shape, "x", NAN), y = throng_foreign_number(v, shape, "y", NAN);
    double width = throng_foreign_number(v, shape, "width", NAN);
    double height = throng_foreign_number(v, shape, "height", NAN);
    if (!(width > 0 && height > 0) || isnan(x) || isnan(y)) return false;
    throng_point corners[] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    *out = (throng_ring){throng_copy_bytes(corners, sizeof corners), 4};
    return true;
}

static bool read_polygon(const throng_foreign *v, throng_json_ref shape, throng_ring *out) {
    throng_json_ref list = throng_foreign_value(v, shape, "points");
    if (list == THRONG_NO_NODE || throng_json_kind_of(v->json, list) != THRONG_JSON_LIST) return false;
    size_t count = throng_json_count(v->json, list);
    if (count < 3) return false;
    throng_point *points = throng_allocate(count * sizeof *points);
    bool good = true;
    THRONG_EACH_NTH (i, item, v->json, list) {
        points[i].x = throng_foreign_number(v, item, "x", NAN);
        points[i].y = throng_foreign_number(v, item, "y", NAN);
        good = good && isfinite(points[i].x) && isfinite(points[i].y);
    }
    *out = (throng_ring){points, count};
    if (good) return true;
    throng_release(points);
    return false;
}

/* A circle as a polygon of 32 corners around it. */
static bool read_circle(const throng_foreign *v, throng_json_ref shape, throng_ring *out) {
    enum { CORNERS = 32 };
    throng_json_ref centre = throng_foreign_value(v, shape, "center");
    double x = throng_foreign_number(v, centre, "x", NAN), y = throng_foreign_number(v, centre, "y", NAN);
    double radius = throng_foreign_number(v, shape, "radius", NAN);
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

static bool read_shape(throng_foreign *v, throng_json_ref element, throng_ring *out) {
    char buffer[40];
    *out = (throng_ring){0};
    throng_json_ref shape = throng_foreign_value(v, element, "shape");
    const char *type = throng_foreign_text(v, shape, "type", buffer, sizeof buffer);
    if (strcmp(type, "RECTANGLE") == 0 && read_rectangle(v, shape, out)) return true;
    if (strcmp(type, "POLYGON") == 0 && read_polygon(v, shape, out)) return true;
    if (strcmp(type, "CIRCLE") == 0 && read_circle(v, shape, out)) return true;
    return throng_foreign_tell(v, THRONG_ERROR, shape == THRONG_NO_NODE ? element : shape,
                               "expected a shape of type RECTANGLE, POLYGON or CIRCLE with its numbers");
}

static throng_floor_shape *add_shape(throng_foreign *v, throng_json_ref element, throng_floor_kind kind,
                                     const char *name) {
    throng_ring ring;
    return read_shape(v, element, &ring) ? throng_foreign_add(v, element, ring, kind, name) : NULL;
}

static const char *name_of(const throng_foreign *v, throng_json_ref element, const char *kind, char *out, size_t size) {
    char id[40];
    snprintf(out, size, "%s-%.60s", kind, throng_foreign_text(v, element, "id", id, sizeof id));
    return out;
}

/* ------------------------------------------------------------------ the place */

static void read_bounds(throng_foreign *v) {
    throng_json_ref attributes = throng_foreign_value(v, v->elements, "attributes");
    throng_json_ref bounds = throng_foreign_value(v, attributes, "bounds");
    throng_ring ring;
    if (bounds == THRONG_NO_NODE || !read_rectangle(v, bounds, &ring)) {
        throng_foreign_tell(v, THRONG_ERROR, v->elements, "topography.attributes.bounds need x, y, width and height");
        return;
    }
    throng_point *p = (throng_point *)ring.points;
    double margin = throng_foreign_bool(v, attributes, "bounded", true)
                        ? throng_foreign_number(v, attributes, "boundingBoxWidth", 0.5)
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

/* Whether an outline has an inside; the fault says where it crosses itself. */
static bool has_inside(throng_ring ring, throng_fault *fault) {
    if (throng_ring_is_simple(ring.points, ring.count, fault)) return true;
    return !fault->plain && throng_ring_only_touches(ring, fault);
}

/* Of an obstacle without an inside, walls along it are what can be kept. */
static void take_obstacle(throng_foreign *v, throng_json_ref element) {
    char name[100];
    throng_fault fault = {0};
    throng_floor_shape *shape =
        add_shape(v, element, THRONG_FLOOR_OBSTACLE, name_of(v, element, "obstacle", name, sizeof name));
    if (!shape || has_inside(shape->rings[0].ring, &fault) || !fault.has_place) return;
    throng_foreign_tell(v, THRONG_WARNING, element, "%.80s at (%.9g, %.9g): thin walls run along this obstacle",
                        fault.text, fault.at.x, fault.at.y);
    throng_ring *ring = &shape->rings[0].ring;
    throng_point *chain = throng_allocate((ring->count + 1) * sizeof *chain);
    memcpy(chain, ring->points, ring->count * sizeof *chain);
    chain[ring->count] = chain[0];
    throng_release((void *)ring->points);
    *ring = (throng_ring){chain, ring->count + 1};
    shape->form = THRONG_FLOOR_LINE;
}

static void take_stairs(throng_foreign *v, throng_json_ref element) {
    const double factor = 0.6;
    throng_floor_shape *shape = add_shape(v, element, THRONG_FLOOR_ZONE, "");
    if (!shape) return;
    shape->speed_factor = factor;
    throng_foreign_tell(v, THRONG_WARNING, element,
                        "stairs become a zone with speed_factor %g, up and down alike; their treads are left out",
                        factor);
}

static void take_measurement_area(throng_foreign *v, throng_json_ref element) {
    throng_ring ring;
    throng_fault fault = {0};
    char name[100], quoted[104], other[120];
    if (!read_shape(v, element, &ring)) return;
    if (!throng_ring_is_simple(ring.points, ring.count, &fault)) {
        throng_foreign_tell(v, THRONG_WARNING, element, "an area to measure is left out: %.80s at (%.9g, %.9g)",
                            fault.text, fault.at.x, fault.at.y);
        throng_release((void *)ring.points);
        return;
    }
    snprintf(other, sizeof other, "%s", name_of(v, element, "area", name, sizeof name));
    for (int k = 2; k < MOST_NAMESAKES; k++) {
        snprintf(quoted, sizeof quoted, "\"%.99s\"", other);
        if (!v->draft->areas.text || !strstr(v->draft->areas.text, quoted)) break;
        snprintf(other, sizeof other, "%.90s-%d", name, k);
    }
    if (strcmp(name, other) != 0)
        throng_foreign_tell(v, THRONG_WARNING, element, "called %s because there is another %s", other, name);
    throng_draft_add_area(v->draft, other, ring);
    throng_release((void *)ring.points);
}

/* "waitingTime", "waiter": {"enabled": true, "distribution": {...}}: how long people stay at a target. */
static throng_floor_value wait_of(throng_foreign *v, throng_json_ref element) {
    throng_json_ref waiter = throng_foreign_value(v, element, "waiter");
    double time = throng_foreign_number(v, element, "waitingTime", 0);
    if (throng_foreign_bool(v, waiter, "enabled", false)) {
        throng_json_ref distribution = throng_foreign_value(v, waiter, "distribution");
        time = throng_foreign_number(v, distribution, "timeInterval",
                                     throng_foreign_number(v, distribution, "updateFrequency", 0));
        if (time == 0) throng_foreign_tell(v, THRONG_WARNING, waiter, "how long people wait here is left out");
    }
    return time > 0 ? (throng_floor_value){"", time, 0, 0, 0} : (throng_floor_value){0};
}

/* Whether nothing of a ring's box lies on the floor, which is the first shape of the plan. */
static bool lies_outside(const throng_foreign *v, throng_ring ring) {
    throng_box box = throng_box_of(ring.points, ring.count);
    const throng_point *floor = v->draft->plan.shapes[0].rings[0].ring.points;
    return box.low.x >= floor[2].x || box.high.x <= floor[0].x || box.low.y >= floor[2].y || box.high.y <= floor[0].y;
}

static void take_target(throng_foreign *v, throng_json_ref element) {
    char name[100];
    throng_json_ref absorber = throng_foreign_value(v, element, "absorber");
    bool absorbing = absorber != THRONG_NO_NODE ? throng_foreign_bool(v, absorber, "enabled", true)
                                                : throng_foreign_bool(v, element, "absorbing", true);
    throng_ring ring;
    if (!read_shape(v, element, &ring)) return;
    if (lies_outside(v, ring)) {
        throng_foreign_tell(v, THRONG_WARNING, element, "this target lies outside the bounds: left out");
        throng_release((void *)ring.points);
        return;
    }
    throng_floor_shape *shape = throng_foreign_add(v, element, ring, absorbing ? THRONG_FLOOR_EXIT : THRONG_FLOOR_GOAL,
                                                   name_of(v, element, "target", name, sizeof name));
    throng_floor_value wait = wait_of(v, element);
    if (!absorbing) shape->wait = wait;
    if (absorbing && wait.distribution)
        throng_foreign_tell(v, THRONG_WARNING, element,
                            "people leave at this target at once: its waiting time is left out");
    if (wait.distribution && throng_foreign_number(v, element, "waitingTimeYellowPhase", 0) > 0)
        throng_foreign_tell(v, THRONG_WARNING, element, "this traffic light becomes a plain waiting time");
}

static void leave_out(throng_foreign *v, const char *key, const char *what) {
    THRONG_EACH_FOREIGN (k, v, throng_foreign_value(v, v->elements, key))
        throng_foreign_tell(v, THRONG_WARNING, k, "%s cannot be said in a scenario: left out", what);
}

/* ------------------------------------------------------------------ who they are */

static void read_traits(const throng_foreign *v, throng_json_ref attributes, throng_floor_value *radius,
                        throng_floor_value *speed) {
    if (attributes == THRONG_NO_NODE) return;
    double size = throng_foreign_number(v, attributes, "radius", 0);
    double mean = throng_foreign_number(v, attributes, "speedDistributionMean", 0);
    double deviation = throng_foreign_number(v, attributes, "speedDistributionStandardDeviation", 0);
    if (size > 0) *radius = (throng_floor_value){"", size, 0, 0, 0};
    if (!(mean > 0)) return;
    *speed = (throng_floor_value){deviation > 0 ? "normal" : "", mean, deviation, 0, 0};
    speed->low = throng_foreign_number(v, attributes, "minimumSpeed", 0);
    speed->high = throng_foreign_number(v, attributes, "maximumSpeed", 0);
    if (!(speed->low > 0)) speed->low = fmin(0.1, mean / 2);
    if (!(speed->high > speed->low)) speed->high = mean + 4 * deviation;
}

/* ------------------------------------------------------------------ where they go */

typedef struct journey {
    char names[MOST_GOALS][48];
    const char *goals[MOST_GOALS];
    size_t count;
} journey;

/* "targetIds": one after the other, up to the first that takes people away. */
static void read_journey(throng_foreign *v, throng_json_ref element, journey *out) {
    out->count = 0;
    THRONG_EACH_FOREIGN (k, v, throng_foreign_value(v, element, "targetIds")) {
        if (throng_json_kind_of(v->json, k) != THRONG_JSON_NUMBER) continue;
        if (out->count == MOST_GOALS) {
            throng_foreign_tell(v, THRONG_WARNING, k, "targets behind the %dth are left out", MOST_GOALS);
            return;
        }
        char *name = out->names[out->count];
        snprintf(name, sizeof out->names[0], "target-%.15g", throng_json_number_of(v->json, k));
        const throng_floor_shape *target = throng_floor_goal(&v->draft->plan, name);
        if (!target) {
            throng_foreign_tell(v, THRONG_WARNING, k, "there is no target %.15g: left out",
                                throng_json_number_of(v->json, k));
            continue;
        }
        out->goals[out->count++] = name;
        if (target->kind != THRONG_FLOOR_EXIT) continue;
        if (throng_json_after(v->json, k) < k_end)
            throng_foreign_tell(v, THRONG_WARNING, k, "people leave at target %.15g: those behind it are left out",
                                throng_json_number_of(v->json, k));
        return;
    }
}

/* ------------------------------------------------------------------ sources */

/* The time between two spawns, s; how it is distributed beyond its mean is told. */
static double interval_of(throng_foreign *v, throng_json_ref element, throng_json_ref spawner, bool *poisson) {
    char buffer[40];
    throng_json_ref distribution = throng_foreign_value(v, spawner, "distribution");
    throng_json_ref parameters = distribution;
    const char *type = throng_foreign_text(v, distribution, "type", buffer, sizeof buffer);
    if (distribution == THRONG_NO_NODE) {
        type = throng_foreign_text(v, element, "interSpawnTimeDistribution", buffer, sizeof buffer);
        parameters = throng_foreign_value(v, element, "distributionParameters");
    }
    bool list = parameters != THRONG_NO_NODE && throng_json_kind_of(v->json, parameters) == THRONG_JSON_LIST;
    double interval = 1;
    if (list && throng_json_count(v->json, parameters) > 0) {
        throng_json_ref first = throng_json_first(v->json, parameters);
        if (throng_json_kind_of(v->json, first) == THRONG_JSON_NUMBER) interval = throng_json_number_of(v->json, first);
    } else {
        interval = throng_foreign_number(v, parameters, "mean", interval);
        interval = throng_foreign_number(v, parameters, "updateFrequency", interval);
        interval = throng_foreign_number(v, parameters, "timeInterval", interval);
    }
    *poisson = strstr(type, "xponential") || strstr(type, "oisson");
    if (strstr(type, "oisson")) { /* its number is how many times a second */
        double rate = throng_foreign_number(v, parameters, "numberPedsPerSecond", list ? interval : 1);
        interval = 1 / throng_foreign_number(v, parameters, "occurrencesPerSecond", rate);
    }
    bool constant = !*type || strstr(type, "onstant") || strstr(type, "singleSpawn") || strstr(type, "SingleSpawn");
    if (!*poisson && !constant)
        throng_foreign_tell(v, THRONG_WARNING, distribution == THRONG_NO_NODE ? element : distribution,
                            "people come evenly, every %g s on average, instead of by %.80s", interval,
                            strrchr(type, '.') ? strrchr(type, '.') + 1 : type);
    return interval > 0 && isfinite(interval) ? interval : 1;
}

static double either(const throng_foreign *v, throng_json_ref spawner, const char *now, throng_json_ref element,
                     const char *before, double fallback) {
    return throng_foreign_number(v, spawner, now, throng_foreign_number(v, element, before, fallback));
}

static void tell_of_groups(throng_foreign *v, throng_json_ref element) {
    throng_json_ref sizes = throng_foreign_value(v, element, "groupSizeDistribution");
    if (sizes == THRONG_NO_NODE || throng_json_kind_of(v->json, sizes) != THRONG_JSON_LIST) return;
    if (throng_json_count(v->json, sizes) > 1)
        throng_foreign_tell(v, THRONG_WARNING, sizes, "people come alone: groups are left out");
}

/* People dense enough that random places may not be found for all of them: in Vadere those left over come as soon as
 * there is room. Part of the source may lie under obstacles, so this is half of what random placement reaches. */
static bool is_crowded(const throng_foreign *v, const throng_draft_entry *entry, double number) {
    const double most_covered = 0.27, usual_radius = 0.2;
    const throng_floor_value *own = entry->radius.distribution ? &entry->radius : &v->draft->radius;
    double radius = own->distribution ? own->a : usual_radius;
    return number * 3.14159265 * radius * radius > most_covered * fabs(throng_ring_area(entry->area));
}

static void take_source(throng_foreign *v, throng_json_ref element) {
    throng_json_ref spawner = throng_foreign_value(v, element, "spawner");
    throng_json_ref own = throng_foreign_value(v, spawner, "eventElement");
    if (own == THRONG_NO_NODE) own = throng_foreign_value(v, element, "attributesPedestrian");
    char group[100];
    journey way;
    throng_ring area;
    if (!read_shape(v, element, &area)) return;
    read_journey(v, element, &way);
    tell_of_groups(v, element);
    double number = either(v, spawner, "eventElementCount", element, "spawnNumber", 1);
    double most = either(v, spawner, "constraintsElementsMax", element, "maxSpawnNumberTotal", -1);
    double from = either(v, spawner, "constraintsTimeStart", element, "startTime", 0);
    double until = either(v, spawner, "constraintsTimeEnd", element, "endTime", 0);
    throng_draft_entry entry = {.area = area, .goals = way.goals, .goal_count = way.count};
    entry.group = name_of(v, element, "source", group, sizeof group);
    read_traits(v, own, &entry.radius, &entry.speed);
    double interval = interval_of(v, element, spawner, &entry.poisson);
    if (most >= 0 && number > most) number = most;
    number = floor(number);
    if (!(number >= 1)) {
        throng_foreign_tell(v, THRONG_WARNING, element, "nobody comes from this source: left out");
    } else if (until <= from && from <= 0 && !is_crowded(v, &entry, number)) { /* all at once, at the beginning */
        entry.count = number;
        entry.poisson = false;
        throng_draft_add(v->draft, &entry);
    } else {
        entry.source = true;
        entry.from = fmax(0, from);
        entry.rate = fmin(1e5, until > from ? number / interval : 10 * number);
        entry.until = until > from ? until : entry.from + 0.2;
        /* All at once later on: within a tenth of a second, and no more than that many. */
        entry.count = until > from ? (most > 0 ? most : 0) : number;
        if (until <= from) entry.poisson = false;
        throng_draft_add(v->draft, &entry);
        if (until <= from && from <= 0)
            throng_foreign_tell(v, THRONG_WARNING, element,
                                "%.0f people are many for this place: they are a source, and "
                                "those who find no room come later",
                                number);
    }
    throng_release((void *)area.points);
}

/* ------------------------------------------------------------------ pedestrians */

static void take_pedestrian(throng_foreign *v, throng_json_ref element) {
    char type[40];
    const char *what = throng_foreign_text(v, element, "type", type, sizeof type);
    throng_json_ref position = throng_foreign_value(v, element, "position");
    throng_point at = {throng_foreign_number(v, position, "x", NAN), throng_foreign_number(v, position, "y", NAN)};
    if (*what && strcmp(what, "PEDESTRIAN") != 0) {
        throng_foreign_tell(v, THRONG_WARNING, element, "a %.40s is no pedestrian: left out", what);
        return;
    }
    if (isnan(at.x) || isnan(at.y)) {
        throng_foreign_tell(v, THRONG_ERROR, element, "a pedestrian needs a position with x and y");
        return;
    }
    journey way;
    read_journey(v, element, &way);
    throng_draft_entry entry = {.spots = {&at, 1}, .goals = way.goals, .goal_count = way.count, .group = "pedestrians"};
    read_traits(v, throng_foreign_value(v, element, "attributes"), &entry.radius, &entry.speed);
    double speed = throng_foreign_number(v, element, "freeFlowSpeed", 0);
    if (speed > 0) entry.speed = (throng_floor_value){"", speed, 0, 0, 0};
    throng_draft_add(v->draft, &entry);
}

/* ------------------------------------------------------------------ the whole */

static void read_attributes(throng_foreign *v, throng_json_ref scenario) {
    char buffer[40];
    throng_json_ref simulation = throng_foreign_value(v, scenario, "attributesSimulation");
    throng_json_ref people = throng_foreign_value(v, v->elements, "attributesPedestrian");
    throng_draft *draft = v->draft;
    draft->duration = throng_foreign_number(v, simulation, "finishTime", 0);
    if (throng_foreign_bool(v, simulation, "useFixedSeed", false))
        draft->seed = floor(fabs(throng_foreign_number(v, simulation, "fixedSeed", 0)));
    if (!(draft->seed < 9e15)) draft->seed = 0;
    read_traits(v, people, &draft->radius, &draft->speed);
    const char *model = throng_foreign_text(v, scenario, "mainModel", buffer, sizeof buffer);
    throng_json_ref node = throng_foreign_value(v, scenario, "mainModel");
    if (*model)
        throng_foreign_tell(v, THRONG_WARNING, node,
                            "the model (%.80s) and its attributes are left out: the scenario runs with any of ours",
                            strrchr(model, '.') ? strrchr(model, '.') + 1 : model);
}

bool throng_draft_read_vadere(throng_draft *draft, throng_json *json, throng_report *report) {
    char buffer[40];
    throng_foreign v = {.draft = draft, .json = json, .report = report};
    throng_json_ref scenario = throng_foreign_value(&v, 0, "scenario");
    if (scenario == THRONG_NO_NODE) scenario = throng_foreign_value(&v, 0, "vadere"); /* up to version 0.1 */
    v.elements = throng_foreign_value(&v, scenario, "topography");
    if (v.elements == THRONG_NO_NODE)
        return throng_report_refuse(report, "expected a Vadere scenario: scenario.topography is missing");
    draft->name = throng_copy_text(throng_foreign_text(&v, 0, "name", buffer, sizeof buffer));
    draft->unreachable = true; /* walls that nobody gets through are a test there */
    read_bounds(&v);
    if (v.failed) return false;
    read_attributes(&v, scenario);
    throng_foreign_each(&v, "obstacles", take_obstacle);
    throng_foreign_each(&v, "stairs", take_stairs);
    throng_foreign_each(&v, "measurementAreas", take_measurement_area);
    throng_foreign_each(&v, "targets", take_target);
    throng_foreign_each(&v, "sources", take_source);
    throng_foreign_each(&v, "dynamicElements", take_pedestrian);
    leave_out(&v, "targetChangers", "a target changer");
    leave_out(&v, "absorbingAreas", "an absorbing area");
    throng_json_ref teleporter = throng_foreign_value(&v, v.elements, "teleporter");
    if (teleporter != THRONG_NO_NODE)
        throng_foreign_tell(&v, THRONG_WARNING, teleporter,
                            "a teleporter is left out: \"periodic\" makes a corridor endless");
    leave_out(&v, "aerosolClouds", "an aerosol cloud");
    leave_out(&v, "droplets", "a cloud of droplets");
    return !v.failed;
}
