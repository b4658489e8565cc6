/* vadere_people.c: the sources of a Vadere scenario, and the pedestrians that stand in it from the beginning. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/vadere.h"

enum { MOST_GOALS = 256 };

/* ------------------------------------------------------------------ who they are */

void throng_vadere_traits(const throng_vadere *v, throng_json_ref attributes, throng_floor_value *radius,
                          throng_floor_value *speed) {
    const throng_json *json = v->json;
    if (attributes == THRONG_NO_NODE) return;
    double size = throng_foreign_number(json, attributes, "radius", 0);
    double mean = throng_foreign_number(json, attributes, "speedDistributionMean", 0);
    double deviation = throng_foreign_number(json, attributes, "speedDistributionStandardDeviation", 0);
    if (size > 0) *radius = (throng_floor_value){"", size, 0, 0, 0};
    if (!(mean > 0)) return;
    *speed = (throng_floor_value){deviation > 0 ? "normal" : "", mean, deviation, 0, 0};
    speed->low = throng_foreign_number(json, attributes, "minimumSpeed", 0);
    speed->high = throng_foreign_number(json, attributes, "maximumSpeed", 0);
    if (!(speed->low > 0)) speed->low = fmin(0.1, mean / 2);
    if (!(speed->high > speed->low)) speed->high = mean + 4 * deviation;
}

/* ------------------------------------------------------------------ where they go */

typedef struct journey {
    char names[MOST_GOALS][48];
    const char *goals[MOST_GOALS];
    size_t count;
} journey;

static const throng_floor_shape *target_named(const throng_vadere *v, const char *name) {
    for (size_t i = 0; i < v->draft->plan.count; i++) {
        const throng_floor_shape *shape = &v->draft->plan.shapes[i];
        bool goal = shape->kind == THRONG_FLOOR_EXIT || shape->kind == THRONG_FLOOR_GOAL;
        if (goal && strcmp(shape->name, name) == 0) return shape;
    }
    return NULL;
}

/* "targetIds": one after the other, up to the first that takes people away. */
static void read_journey(throng_vadere *v, throng_json_ref element, journey *out) {
    const throng_json *json = v->json;
    throng_json_ref end, first = throng_foreign_items(json, throng_foreign_value(json, element, "targetIds"), &end);
    out->count = 0;
    for (throng_json_ref k = first; k < end; k = throng_json_after(json, k)) {
        if (throng_json_kind_of(json, k) != THRONG_JSON_NUMBER) continue;
        if (out->count == MOST_GOALS) {
            throng_foreign_tell(v->report, THRONG_WARNING, v->json, k, "targets behind the %dth are left out",
                                MOST_GOALS);
            return;
        }
        char *name = out->names[out->count];
        snprintf(name, sizeof out->names[0], "target-%.15g", throng_json_number_of(json, k));
        const throng_floor_shape *target = target_named(v, name);
        if (!target) {
            throng_foreign_tell(v->report, THRONG_WARNING, v->json, k, "there is no target %.15g: left out",
                                throng_json_number_of(json, k));
            continue;
        }
        out->goals[out->count] = name;
        out->count++;
        if (target->kind != THRONG_FLOOR_EXIT) continue;
        if (throng_json_after(json, k) < end)
            throng_foreign_tell(v->report, THRONG_WARNING, v->json, k,
                                "people leave at target %.15g: those behind it are left out",
                                throng_json_number_of(json, k));
        return;
    }
}

/* ------------------------------------------------------------------ sources */

/* The time between two spawns, s; how it is distributed beyond its mean is told. */
static double interval_of(throng_vadere *v, throng_json_ref element, throng_json_ref spawner, bool *poisson) {
    const throng_json *json = v->json;
    char buffer[40];
    throng_json_ref distribution = throng_foreign_value(json, spawner, "distribution");
    throng_json_ref parameters = distribution;
    const char *type = throng_foreign_text(json, distribution, "type", buffer, sizeof buffer);
    if (distribution == THRONG_NO_NODE) {
        type = throng_foreign_text(json, element, "interSpawnTimeDistribution", buffer, sizeof buffer);
        parameters = throng_foreign_value(json, element, "distributionParameters");
    }
    bool list = parameters != THRONG_NO_NODE && throng_json_kind_of(json, parameters) == THRONG_JSON_LIST;
    double interval = 1;
    if (list && throng_json_count(json, parameters) > 0) {
        throng_json_ref first = throng_json_first(json, parameters);
        if (throng_json_kind_of(json, first) == THRONG_JSON_NUMBER) interval = throng_json_number_of(json, first);
    } else {
        interval = throng_foreign_number(json, parameters, "mean", interval);
        interval = throng_foreign_number(json, parameters, "updateFrequency", interval);
        interval = throng_foreign_number(json, parameters, "timeInterval", interval);
    }
    *poisson = strstr(type, "xponential") || strstr(type, "oisson");
    if (strstr(type, "oisson")) { /* its number is how many times a second */
        double rate = throng_foreign_number(json, parameters, "numberPedsPerSecond", list ? interval : 1);
        interval = 1 / throng_foreign_number(json, parameters, "occurrencesPerSecond", rate);
    }
    bool constant = !*type || strstr(type, "onstant") || strstr(type, "singleSpawn") || strstr(type, "SingleSpawn");
    if (!*poisson && !constant)
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, distribution == THRONG_NO_NODE ? element : distribution,
                            "people come evenly, every %g s on average, instead of by %.80s", interval,
                            strrchr(type, '.') ? strrchr(type, '.') + 1 : type);
    return interval > 0 && isfinite(interval) ? interval : 1;
}

static double either(const throng_json *json, throng_json_ref spawner, const char *now, throng_json_ref element,
                     const char *before, double fallback) {
    return throng_foreign_number(json, spawner, now, throng_foreign_number(json, element, before, fallback));
}

static void tell_of_groups(throng_vadere *v, throng_json_ref element) {
    throng_json_ref sizes = throng_foreign_value(v->json, element, "groupSizeDistribution");
    if (sizes == THRONG_NO_NODE || throng_json_kind_of(v->json, sizes) != THRONG_JSON_LIST) return;
    if (throng_json_count(v->json, sizes) > 1)
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, sizes, "people come alone: groups are left out");
}

static void take_source(throng_vadere *v, throng_json_ref element) {
    const throng_json *json = v->json;
    throng_json_ref spawner = throng_foreign_value(json, element, "spawner");
    throng_json_ref own = throng_foreign_value(json, spawner, "eventElement");
    if (own == THRONG_NO_NODE) own = throng_foreign_value(json, element, "attributesPedestrian");
    char group[100];
    journey way;
    throng_ring area;
    if (!throng_vadere_shape(v, element, &area)) return;
    read_journey(v, element, &way);
    tell_of_groups(v, element);
    double number = either(json, spawner, "eventElementCount", element, "spawnNumber", 1);
    double most = either(json, spawner, "constraintsElementsMax", element, "maxSpawnNumberTotal", -1);
    double from = either(json, spawner, "constraintsTimeStart", element, "startTime", 0);
    double until = either(json, spawner, "constraintsTimeEnd", element, "endTime", 0);
    throng_draft_entry entry = {.area = area, .goals = way.goals, .goal_count = way.count};
    entry.group = throng_vadere_name(v, element, "source", group, sizeof group);
    throng_vadere_traits(v, own, &entry.radius, &entry.speed);
    double interval = interval_of(v, element, spawner, &entry.poisson);
    if (most >= 0 && number > most) number = most;
    number = floor(number);
    if (!(number >= 1)) {
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, element, "nobody comes from this source: left out");
    } else if (until <= from && from <= 0) { /* all at once, at the beginning */
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
    }
    throng_release((void *)area.points);
}

/* ------------------------------------------------------------------ pedestrians */

static void take_pedestrian(throng_vadere *v, throng_json_ref element) {
    const throng_json *json = v->json;
    char type[40];
    const char *what = throng_foreign_text(json, element, "type", type, sizeof type);
    throng_json_ref position = throng_foreign_value(json, element, "position");
    throng_point at = {throng_foreign_number(json, position, "x", NAN),
                       throng_foreign_number(json, position, "y", NAN)};
    if (*what && strcmp(what, "PEDESTRIAN") != 0) {
        throng_foreign_tell(v->report, THRONG_WARNING, v->json, element, "a %.40s is no pedestrian: left out", what);
        return;
    }
    if (isnan(at.x) || isnan(at.y)) {
        throng_foreign_tell(v->report, THRONG_ERROR, v->json, element, "a pedestrian needs a position with x and y");
        v->failed = true;
        return;
    }
    journey way;
    read_journey(v, element, &way);
    throng_draft_entry entry = {.spots = {&at, 1}, .goals = way.goals, .goal_count = way.count, .group = "pedestrians"};
    throng_vadere_traits(v, throng_foreign_value(json, element, "attributes"), &entry.radius, &entry.speed);
    double speed = throng_foreign_number(json, element, "freeFlowSpeed", 0);
    if (speed > 0) entry.speed = (throng_floor_value){"", speed, 0, 0, 0};
    throng_draft_add(v->draft, &entry);
}

void throng_vadere_people(throng_vadere *v) {
    throng_vadere_each(v, "sources", take_source);
    throng_vadere_each(v, "dynamicElements", take_pedestrian);
}
