/* scenario.c: a scenario from its text: finds the text, applies overrides, has every part read, and
 * answers for the whole. */

#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "base/hash.h"
#include "base/memory.h"
#include "scenario/builtin.h"
#include "scenario/scenario.h"
#include "space/walls.h"
#include "text/file.h"

enum { FORMAT = 1 };

throng_scenario_def throng_default_scenario_def(void) { return (throng_scenario_def){0}; }

/* ------------------------------------------------------------------ the text */

static const char *find_builtin(const char *name) {
    for (size_t i = 0; i < throng_builtin_count(); i++) {
        if (strcmp(throng_builtin_name(i), name) == 0) return throng_builtin_text(i);
    }
    return NULL;
}

static void tell_no_file(const char *path, const throng_error *error, throng_report *report) {
    throng_suggestion near = {.word = path};
    for (size_t i = 0; i < throng_builtin_count(); i++) {
        /* "bottleneck" or "bottleneck.json" for "demo/bottleneck" count as near. */
        throng_suggest(&near, throng_builtin_name(i));
    }
    throng_report_add(report, THRONG_ERROR, 0, 0, "", "%s%s", error->text, throng_suggest_text(&near));
}

/* The text of a scenario: given, of a file, or built in. The caller releases *owned. */
static const char *find_text(const throng_scenario_def *def, size_t *length, char **owned, throng_report *report) {
    const char *text = def->text;
    *owned = NULL;
    if (!text && !def->path) {
        throng_report_refuse(report, "neither a path nor a text of a scenario was given");
        return NULL;
    }
    if (!text) {
        throng_error error = {0};
        *owned = throng_read_file(def->path, length, &error);
        if (*owned) return *owned;
        text = find_builtin(def->path);
        if (!text) tell_no_file(def->path, &error, report);
    }
    *length = text ? strlen(text) : 0;
    return text;
}

void throng_provenance_override(throng_provenance *origin, const char *assignment) {
    THRONG_GROW(origin->overrides, origin->override_capacity, origin->override_count + 1);
    origin->overrides[origin->override_count++] = throng_copy_text(assignment);
}

void throng_provenance_add_file(throng_provenance *origin, const char *path, const void *bytes, size_t size) {
    THRONG_GROW(origin->files, origin->file_capacity, origin->file_count + 1);
    origin->files[origin->file_count++] =
        (throng_provenance_file){throng_copy_text(path), throng_hash_word(throng_hash_bytes(0, bytes, size), size)};
}

void throng_provenance_clear(throng_provenance *origin) {
    for (size_t i = 0; i < origin->override_count; i++) throng_release(origin->overrides[i]);
    for (size_t i = 0; i < origin->file_count; i++) throng_release(origin->files[i].path);
    THRONG_RELEASE(origin->overrides, origin->files, origin->path, origin->text);
    *origin = (throng_provenance){0};
}

static throng_json *read_tree(const throng_scenario_def *def, throng_provenance *origin, throng_report *report) {
    size_t length;
    char *owned;
    const char *text = find_text(def, &length, &owned, report);
    throng_json *json = text ? throng_json_create(text, length, report) : NULL;
    if (json) {
        char full[PATH_MAX]; /* a run may be resumed from another directory */
        origin->path = throng_copy_text(def->path && realpath(def->path, full) ? full : def->path);
        origin->text = throng_copy_text(text);
    }
    throng_release(owned);
    for (size_t i = 0; json && i < def->override_count; i++) {
        throng_json_set(json, def->overrides[i], report);
        throng_provenance_override(origin, def->overrides[i]);
    }
    return json;
}

/* ------------------------------------------------------------------ plain values */

static void load_text(throng_reader *reader, const char *key, char **out) {
    const char *text = "";
    throng_read_text(reader, throng_value(reader, 0, key), &text);
    *out = throng_copy_text(text);
}

static bool load_format(throng_reader *reader) {
    throng_json_ref node = throng_value(reader, 0, "throng");
    if (node == THRONG_NO_NODE) {
        return throng_lacks(reader, 0, "throng", "the format version is missing: the file needs \"throng\": %d",
                            FORMAT);
    }
    uint64_t version;
    if (!throng_read_whole(reader, node, 1, UINT32_MAX, &version)) return false;
    if (version == FORMAT) return true;
    return throng_wrong(reader, node, "format version %llu is not supported; this is version %d",
                        (unsigned long long)version, FORMAT);
}

static void load_name(throng_reader *reader) {
    throng_json_ref node = throng_value(reader, 0, "name");
    load_text(reader, "name", &reader->scenario->name);
    if (node == THRONG_NO_NODE) {
        throng_lacks(reader, 0, "name", "the name is missing: the file needs \"name\": \"...\"");
    } else if (throng_json_kind_of(reader->json, node) == THRONG_JSON_TEXT && !*reader->scenario->name) {
        throng_wrong(reader, node, "the name must not be empty");
    }
}

/* How much crowds count: true is 1. Only flow fields know of crowds. */
static void load_congestion(throng_reader *reader, throng_json_ref node) {
    throng_scenario *s = reader->scenario;
    if (node == THRONG_NO_NODE) return;
    bool plain;
    if (throng_json_kind_of(reader->json, node) == THRONG_JSON_BOOL) {
        if (throng_read_bool(reader, node, &plain)) s->planner_congestion = plain ? 1 : 0;
    } else {
        throng_read_number(reader, node, (throng_range){0, 100, false, ""}, &s->planner_congestion);
    }
    if (s->planner_congestion == 0) return;
    if (!s->planner) s->planner = throng_copy_text("flow-field");
    if (strcmp(s->planner, "flow-field") != 0)
        throng_wrong(reader, node, "planner '%s' knows nothing of congestion; 'flow-field' does", s->planner);
}

static void load_planner(throng_reader *reader) {
    static const char *const names[] = {"straight", "flow-field", "roadmap"};
    throng_json_ref node = throng_value(reader, 0, "planner"), name = node, cell = THRONG_NO_NODE;
    if (node == THRONG_NO_NODE) return;
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_TEXT) {
        if (!throng_read_keys(reader, node, THRONG_KEYS_PLANNER, "a planner {\"name\": ...}")) return;
        name = throng_value(reader, node, "name");
        cell = throng_value(reader, node, "cell");
    }
    if (name != THRONG_NO_NODE) {
        int word = throng_read_word(reader, name, names, 3);
        if (word >= 0) reader->scenario->planner = throng_copy_text(names[word]);
    }
    throng_read_number(reader, cell, (throng_range){0.001, 100, false, "m"}, &reader->scenario->planner_cell);
    if (name != node) load_congestion(reader, throng_value(reader, node, "congestion"));
}

static void load_clock(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    throng_range dt = {1e-6, 60, false, "s"}, duration = {0, 1e9, false, "s"};
    s->seed = 1;
    s->duration = 600;
    throng_read_whole(reader, throng_value(reader, 0, "seed"), 0, UINT64_C(1) << 53, &s->seed);
    throng_read_number(reader, throng_value(reader, 0, "dt"), dt, &s->dt);
    throng_read_number(reader, throng_value(reader, 0, "duration"), duration, &s->duration);
    throng_read_bool(reader, throng_value(reader, 0, "run_full"), &s->run_full);
    throng_read_bool(reader, throng_value(reader, 0, "allow_overlap"), &s->allow_overlap);
    throng_read_bool(reader, throng_value(reader, 0, "allow_unreachable"), &s->allow_unreachable);
}

/* ------------------------------------------------------------------ the whole */

static void load(throng_reader *reader) {
    if (throng_json_kind_of(reader->json, 0) != THRONG_JSON_OBJECT) {
        throng_expected(reader, 0, "a scenario: an object { ... }");
        return;
    }
    /* Of a file in another format nothing else can be said. */
    if (!load_format(reader) && throng_value(reader, 0, "throng") != THRONG_NO_NODE) return;
    throng_read_keys(reader, 0, THRONG_KEYS_SCENARIO, "a scenario");
    load_name(reader);
    load_text(reader, "description", &reader->scenario->description);
    load_text(reader, "cite", &reader->scenario->cite);
    load_clock(reader);
    load_planner(reader);
    throng_load_preset(reader);
    throng_load_model(reader);
    throng_load_period(reader);
    throng_load_objects(reader);
    throng_load_place(reader);
    throng_load_goals(reader);
    throng_load_profiles(reader);
    throng_load_people(reader);
    throng_load_sources(reader);
    throng_warn_of_idle_model(reader);
    throng_load_regions(reader);
    throng_load_zones(reader);
    throng_load_events(reader);
    throng_load_measures(reader);
}

static void clear_reader(throng_reader *reader) {
    for (size_t i = 0; i < reader->profile_names.count; i++) throng_clear_traits(&reader->profiles[i]);
    throng_release(reader->profiles);
    throng_names_clear(&reader->profile_names);
    throng_names_clear(&reader->goal_names);
    throng_names_clear(&reader->object_names);
    THRONG_RELEASE(reader->goal_table, reader->entries);
    throng_floor_clear(&reader->floor.plan);
    throng_walls_destroy(reader->walls);
    throng_json_destroy(reader->json);
}

throng_scenario *throng_scenario_load(const throng_scenario_def *def, size_t people_limit, throng_sketch *sketch,
                                      throng_report *report) {
    size_t errors_before = throng_report_error_count(report);
    throng_provenance origin = {0};
    throng_json *json = read_tree(def, &origin, report);
    if (!json) return NULL;
    throng_scenario *scenario = throng_allocate(sizeof *scenario);
    scenario->origin = origin;
    throng_reader reader = {.json = json,
                            .report = report,
                            .misspelt = THRONG_NO_NODE,
                            .scenario = scenario,
                            .path = def->path,
                            .people_limit = people_limit,
                            .sketch = sketch};
    load(&reader);
    throng_sketch_goals(sketch, scenario->goals, scenario->goal_count);
    clear_reader(&reader);
    if (throng_report_error_count(report) == errors_before) return scenario;
    throng_scenario_destroy(scenario);
    return NULL;
}

throng_scenario *throng_scenario_create(const throng_scenario_def *def, throng_report *report) {
    return throng_scenario_load(def, THRONG_PEOPLE_LIMIT, NULL, report);
}

void throng_scenario_destroy(throng_scenario *s) {
    if (!s) return;
    for (size_t i = 0; i < s->goal_count; i++) {
        THRONG_RELEASE((void *)s->goals[i].name, (void *)s->goals[i].ring.points, (void *)s->goals[i].any,
                       (void *)s->goals[i].queue.points);
        if (s->goals[i].drawn_wait.destroy) s->goals[i].drawn_wait.destroy(s->goals[i].drawn_wait.context);
    }
    for (size_t i = 0; i < s->profile_count; i++) throng_release(s->profiles[i].values);
    for (size_t i = 0; i < s->measure_count; i++) {
        THRONG_RELEASE(s->measures[i].name, (void *)s->measures[i].ring.points);
    }
    for (size_t i = 0; i < s->source_count; i++) throng_clear_source(&s->sources[i]);
    throng_clear_events(s);
    throng_clear_objects(s);
    throng_clear_zones(s);
    throng_clear_regions(s);
    throng_clear_weight_maps(s);
    throng_provenance_clear(&s->origin);
    throng_names_clear(&s->groups);
    throng_place_destroy(s->place);
    void *parts[] = {s->name,     s->description,   s->cite,    s->planner, s->model.values, s->goals,
                     s->profiles, s->journey_goals, s->entries, s->people,  s->measures,     s->sources};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) throng_release(parts[i]);
    throng_release(s);
}

const throng_provenance *throng_scenario_provenance(const throng_scenario *s) { return &s->origin; }
size_t throng_scenario_file_count(const throng_scenario *s) { return s->origin.file_count; }
const char *throng_scenario_file(const throng_scenario *s, size_t index) { return s->origin.files[index].path; }
const char *throng_scenario_name(const throng_scenario *s) { return s->name; }
const char *throng_scenario_description(const throng_scenario *s) { return s->description; }
const char *throng_scenario_model(const throng_scenario *s) { return throng_model_name(s->model.model); }
double throng_scenario_duration(const throng_scenario *s) { return s->duration; }
bool throng_scenario_runs_full(const throng_scenario *s) { return s->run_full; }
const throng_place *throng_scenario_place(const throng_scenario *s) { return s->place; }

/* ------------------------------------------------------------------ what is part of the library */

size_t throng_builtin_count(void) {
    size_t count = 0;
    while (throng_builtins[count].name) count++;
    return count;
}

const char *throng_builtin_name(size_t index) {
    return index < throng_builtin_count() ? throng_builtins[index].name : NULL;
}

const char *throng_builtin_text(size_t index) {
    return index < throng_builtin_count() ? throng_builtins[index].text : NULL;
}

const char *throng_schema_text(void) { return throng_builtin_schema; }
