/* floor.h: what the fuzz targets of plans demand of what they read. */

#ifndef FUZZ_FLOOR_H
#define FUZZ_FLOOR_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/draft.h"
#include "scenario/scenario.h"
#include "space/place.h"

static void demand(bool held) {
    if (!held) abort();
}

/* A copy with a 0 behind it; free it. */
static inline char *with_end(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    return text;
}

static inline void check_plan(const throng_floor_plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        const throng_floor_shape *shape = &plan->shapes[i];
        demand(shape->name && shape->goal);
        demand(shape->form == THRONG_FLOOR_DISC ? isfinite(shape->centre.x) && isfinite(shape->radius)
                                                : shape->ring_count >= 1);
        for (size_t r = 0; r < shape->ring_count; r++) {
            for (size_t k = 0; k < shape->rings[r].ring.count; k++) {
                throng_point p = shape->rings[r].ring.points[k];
                demand(isfinite(p.x) && isfinite(p.y));
            }
        }
    }
}

/* What a draft writes must read again, as a scenario that is right or one that says why not. */
static inline void check_draft(throng_draft *draft, throng_report *report) {
    check_plan(&draft->plan);
    char *text = throng_draft_scenario(draft, report), *geojson = throng_draft_geojson(draft);
    throng_report *found = throng_report_create();
    throng_json *json = throng_json_create(text, strlen(text), found);
    demand(json && throng_report_error_count(found) == 0);
    throng_json_destroy(json);
    json = throng_json_create(geojson, strlen(geojson), found);
    demand(json && throng_report_error_count(found) == 0);
    throng_json_destroy(json);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    throng_scenario *scenario = throng_scenario_load(&def, 300, NULL, found);
    demand((scenario == NULL) == (throng_report_error_count(found) > 0));
    throng_scenario_destroy(scenario);
    throng_report_destroy(found);
    throng_release(text);
    throng_release(geojson);
}

/* Reads a plan in a format; it keeps its promises or says why it does not. */
static inline void read_plan(const uint8_t *data, size_t size, const char *name, bool whole) {
    char *text = with_end(data, size);
    throng_draft draft = {0};
    throng_floor_options options = throng_floor_default_options();
    options.metres_per_pixel = 0.1;
    throng_report *report = throng_report_create();
    bool good = throng_floor_read(&draft.plan, throng_floor_format_of(name), text, size, &options, report);
    demand(good == (throng_report_error_count(report) == 0));
    if (good) check_plan(&draft.plan);
    if (good && whole) check_draft(&draft, report);
    throng_draft_clear(&draft);
    throng_report_destroy(report);
    free(text);
}

#endif
