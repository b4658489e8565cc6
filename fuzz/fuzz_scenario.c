/* Any text as a scenario: it loads, keeps its promises and can be run, or it is refused with a reason. Lines
 * "// set KEY=VALUE" at its top are overrides. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario.h"

enum { MOST_PEOPLE = 300, MOST_OVERRIDES = 4 };

static void demand(bool held) {
    if (!held) abort();
}

/* Takes the overrides from the top of a text; they are ended by zeros in `copy`, a copy of it. */
static size_t take_overrides(char *copy, const char **overrides) {
    size_t count = 0;
    while (count < MOST_OVERRIDES && strncmp(copy, "// set ", 7) == 0) {
        overrides[count++] = copy + 7;
        copy = strchr(copy, '\n');
        if (!copy) break;
        *copy++ = 0;
    }
    return count;
}

static void check_people(const throng_scenario *s) {
    demand(s->name && *s->name && s->place && s->person_count <= MOST_PEOPLE);
    for (size_t i = 0; i < s->person_count; i++) {
        const throng_person *person = &s->people[i];
        const throng_agent_def *def = &person->def;
        demand(isfinite(def->at.x) && isfinite(def->at.y) && isfinite(def->target.x) && isfinite(def->target.y));
        demand(def->radius > 0 && def->desired_speed >= 0 && def->max_speed >= 0 && def->mass > 0);
        demand(def->profile > 0 && def->profile <= s->profile_count && def->group > 0 && def->group <= s->groups.count);
        for (uint32_t k = 0; k < person->journey_count; k++) {
            throng_goal goal = s->journey_goals[person->journey + k];
            demand(goal > 0 && goal <= s->goal_count);
        }
        for (size_t j = 0; j < i && !s->allow_overlap; j++) {
            const throng_agent_def *other = &s->people[j].def;
            double distance = hypot(def->at.x - other->at.x, def->at.y - other->at.y);
            demand(distance >= def->radius + other->radius - 2e-9);
        }
    }
}

/* Makes a world and moves it, where the place is small enough for routes to be quick. */
static void walk(const throng_scenario *s, throng_report *report) {
    const double far = 300; /* m */
    throng_box box = throng_place_bounds(s->place);
    if (!(box.low.x > -far && box.low.y > -far && box.high.x < far && box.high.y < far)) return;
    double come = 0;
    for (size_t i = 0; i < s->source_count; i++) {
        const throng_source_def *source = &s->sources[i].def;
        for (size_t k = 0; k < source->schedule_count; k++) come += source->schedule[k].rate * 3 * fmax(s->dt, 0.1);
    }
    if (come > MOST_PEOPLE) return;
    throng_run_def run = throng_default_run_def();
    run.threads = 1;
    throng_world *world = throng_scenario_create_world(s, &run, report);
    demand((world == NULL) == (throng_report_error_count(report) > 0));
    if (!world) return;
    for (int i = 0; i < 3; i++) throng_world_step(world);
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) demand(isfinite(v.x[i]) && isfinite(v.y[i]));
    throng_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *copy = malloc(size + 1);
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    memcpy(copy, text, size + 1);
    const char *overrides[MOST_OVERRIDES];
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    def.overrides = overrides;
    def.override_count = take_overrides(copy, overrides);

    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_load(&def, MOST_PEOPLE, NULL, report);
    demand((scenario == NULL) == (throng_report_error_count(report) > 0));
    if (scenario) {
        check_people(scenario);
        walk(scenario, report);
    }
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    free(text);
    free(copy);
    return 0;
}
