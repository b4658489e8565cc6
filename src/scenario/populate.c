/* populate.c: a world from a scenario: everything the scenario lists is added in its order, so that
 * the world numbers it the same. */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"
#include "world/params.h"
#include "world/start.h"

throng_run_def throng_default_run_def(void) {
    throng_world_def def = throng_default_world_def();
    return (throng_run_def){.threads = def.threads, .simd = def.simd, .check = def.check};
}

/* What a profile says of a parameter, or the preset of a habit's; NAN: neither does. */
static double value_of(const throng_people *people, const throng_scenario_profile *profile, size_t index) {
    const throng_model *model = profile->model;
    const char *name = throng_profile_param(model, index)->name;
    const throng_people_trait *trait = index < model->param_count ? NULL : throng_people_find(people, name);
    if (!isnan(profile->values[index]) || !trait) return profile->values[index];
    return throng_model_no_pace(model) && strcmp(name, "pace") == 0 ? NAN : trait->value;
}

static bool add_profile(const throng_people *people, throng_world *world, const throng_scenario_profile *profile) {
    size_t total = throng_profile_param_count(profile->model), count = 0;
    throng_setting *settings = throng_allocate((total + 1) * sizeof *settings);
    for (size_t i = 0; i < total; i++) {
        double value = value_of(people, profile, i);
        if (isnan(value)) continue;
        settings[count++] = (throng_setting){.name = throng_profile_param(profile->model, i)->name, .number = value};
    }
    throng_profile added = throng_world_add_profile(world, throng_model_name(profile->model), settings, count);
    throng_release(settings);
    return added != 0;
}

static bool add_lists(const throng_scenario *s, throng_world *world) {
    bool good = throng_add_weight_maps(s, world);
    for (size_t i = 0; i < s->profile_count && good; i++) good = add_profile(s->preset, world, &s->profiles[i]);
    for (size_t i = 0; i < s->groups.count && good; i++) {
        throng_group group = throng_world_add_group(world, s->groups.names[i]);
        assert(group == i + 1);
        (void)group;
    }
    for (size_t i = 0; i < s->goal_count && good; i++) {
        throng_goal_def goal = s->goals[i];
        goal.drawn_wait = throng_copy_wait(&goal.drawn_wait);
        good = throng_world_add_goal(world, &goal) == i + 1;
    }
    for (size_t i = 0; i < s->measure_count && good; i++) {
        const throng_measure *m = &s->measures[i];
        throng_mark_kind kind = m->area ? THRONG_MARK_AREA : THRONG_MARK_LINE;
        good = throng_world_add_mark(world, &(throng_mark){.kind = kind, .name = m->name, .ring = m->ring});
    }
    return good;
}

/* Tells of an item of one of the scenario's lists; returns false. */
static bool report_item(throng_report *report, throng_severity severity, const char *list, size_t index, int line,
                        int column, const char *text) {
    char path[32];
    snprintf(path, sizeof path, "%s[%zu]", list, index);
    throng_report_add(report, severity, line, column, path, "%s", text);
    return false;
}

static bool add_changes(const throng_scenario *s, throng_world *world, throng_report *report) {
    for (size_t i = 0; i < s->zone_count; i++) {
        const throng_scenario_zone *z = &s->zones[i];
        if (throng_world_add_zone(world, &z->def)) continue;
        return report_item(report, THRONG_ERROR, "zones", i, z->line, z->column, throng_world_error(world)->text);
    }
    for (size_t i = 0; i < s->region_count; i++) {
        const throng_scenario_region *r = &s->regions[i];
        if (throng_world_add_region(world, &r->def)) continue;
        return report_item(report, THRONG_ERROR, "regions", i, r->line, r->column, throng_world_error(world)->text);
    }
    for (size_t i = 0; i < s->event_count; i++) {
        const throng_scenario_event *e = &s->events[i];
        if (throng_world_add_event(world, &e->def)) continue;
        return report_item(report, THRONG_ERROR, "events", i, e->line, e->column, throng_world_error(world)->text);
    }
    return true;
}

static bool add_people(const throng_scenario *s, throng_world *world, throng_report *report) {
    for (size_t i = 0; i < s->person_count; i++) {
        const throng_person *person = &s->people[i];
        throng_agent_def def = person->def;
        if (person->journey_count) def.journey = s->journey_goals + person->journey;
        def.journey_count = person->journey_count;
        def.repeat = s->entries[person->entry].repeat;
        if (throng_world_add_agent(world, &def)) continue;
        const throng_scenario_entry *entry = &s->entries[person->entry];
        report_item(report, THRONG_ERROR, "agents", person->entry, entry->line, entry->column,
                    throng_world_error(world)->text);
        throng_report_locate(report, def.at);
        return false;
    }
    return true;
}

static bool add_object(const throng_scenario *s, size_t i, throng_world *world, throng_report *report) {
    const throng_scenario_object *o = &s->objects[i];
    throng_object_def def = o->def;
    throng_block_wall_def blocks = o->blocks;
    def.id = blocks.id = o->id ? o->id : "";
    if (o->wall ? throng_world_add_block_wall(world, &blocks) : throng_world_add_object(world, &def)) return true;
    report_item(report, THRONG_ERROR, "objects", i, o->line, o->column, throng_world_error(world)->text);
    throng_report_locate(report, o->wall ? blocks.from : (throng_point){def.at.x, def.at.y});
    return false;
}

/* Static ones first: whatever stands on them must find them there. */
static bool add_objects(const throng_scenario *s, throng_world *world, throng_report *report) {
    enum { FAULTS_TOLD = 10 };
    size_t faults = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->object_count && faults < FAULTS_TOLD; i++) {
            if (s->objects[i].def.fixed == (pass == 0)) faults += !add_object(s, i, world, report);
        }
    }
    return faults == 0;
}

static bool add_sources(const throng_scenario *s, throng_world *world, throng_report *report) {
    bool good = true;
    for (size_t i = 0; i < s->source_count; i++) {
        const throng_scenario_source *source = &s->sources[i];
        if (throng_add_scenario_source(world, source)) continue;
        good = report_item(report, THRONG_ERROR, "sources", i, source->line, source->column,
                           throng_world_error(world)->text);
    }
    return good;
}

static void describe_lost(const throng_scenario *s, throng_world *world, throng_group group, throng_lost lost,
                          char *out, size_t size) {
    const char *goal = s->goals[lost.goal - 1].name;
    char why[160];
    throng_world_describe_lost(world, lost, why, sizeof why);
    snprintf(out, size, "group '%.80s' cannot reach %s%.80s%s from (%.9g, %.9g): %s", s->groups.names[group - 1],
             *goal ? "goal '" : "its goal", goal, *goal ? "'" : "", lost.at.x, lost.at.y, why);
}

/* Tells of each entry and source that has somebody who cannot make its journey. */
static void tell_lost(const throng_scenario *s, throng_world *world, throng_severity severity, throng_report *report) {
    for (size_t e = 0; e < s->entry_count; e++) {
        size_t first = s->entries[e].first, count = s->entries[e].count;
        throng_lost lost = throng_world_find_lost(world, first, count);
        if (!lost.goal) continue;
        char text[500];
        describe_lost(s, world, s->people[first].def.group, lost, text, sizeof text);
        report_item(report, severity, "agents", e, s->entries[e].line, s->entries[e].column, text);
        throng_report_locate(report, lost.at);
    }
    for (size_t i = 0; i < s->source_count; i++) {
        throng_lost lost = throng_world_lost_of_source(world, (throng_source)i + 1);
        if (!lost.goal) continue;
        char text[500];
        describe_lost(s, world, s->sources[i].def.person.group, lost, text, sizeof text);
        report_item(report, severity, "sources", i, s->sources[i].line, s->sources[i].column, text);
        throng_report_locate(report, lost.at);
    }
}

static bool prepare(const throng_scenario *s, throng_world *world, throng_report *report) {
    throng_error error = {0};
    bool ready = throng_world_prepare(world, &error);
    if (ready && !s->allow_unreachable) return true;
    size_t before = throng_report_error_count(report);
    tell_lost(s, world, ready ? THRONG_WARNING : THRONG_ERROR, report);
    if (!ready && throng_report_error_count(report) == before) {
        throng_report_add(report, THRONG_ERROR, 0, 0, "agents", "%s", error.text);
    }
    return ready;
}

throng_world *throng_scenario_create_world(const throng_scenario *s, const throng_run_def *run, throng_report *report) {
    throng_world_def def = throng_default_world_def();
    def.place = s->place;
    def.model = throng_model_name(s->model.model);
    def.dt = s->dt;
    def.seed = s->seed;
    def.threads = run->threads;
    def.simd = run->simd;
    def.check = run->check;
    def.planner = s->planner;
    def.planner_cell = s->planner_cell;
    def.planner_congestion = s->planner_congestion;
    def.allow_unreachable = s->allow_unreachable;
    def.agent_capacity = s->person_count;
    def.period = s->period;
    def.physics_iterations = s->physics_iterations;

    throng_error error = {0};
    throng_world *world = throng_world_create(&def, &error);
    if (!world) {
        throng_report_add(report, THRONG_ERROR, error.line, error.column, "", "%s", error.text);
        return NULL;
    }
    bool listed = add_lists(s, world);
    if (!listed) throng_report_refuse(report, throng_world_error(world)->text);
    if (listed && add_changes(s, world, report) && add_people(s, world, report) && add_objects(s, world, report) &&
        add_sources(s, world, report) && prepare(s, world, report)) {
        for (size_t i = 0; i < s->person_count; i++)
            if (s->entries[s->people[i].entry].starts_at_velocity) throng_world_set_moving(world, i);
        return world;
    }
    throng_world_destroy(world);
    return NULL;
}
