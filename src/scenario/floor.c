/* floor.c: "walkable_area": {"file": ...}: a floor plan made elsewhere, and what of it becomes part of the scenario:
 * its obstacles and exits as if they stood in the scenario, its spawns as names for "in". */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"
#include "text/file.h"

void throng_tell_of_plan(throng_reader *reader, throng_severity severity, int line, int column, const char *text) {
    char place[200];
    if (line > 0)
        snprintf(place, sizeof place, "%.150s:%d:%d: ", reader->floor.file, line, column);
    else
        snprintf(place, sizeof place, "%.150s: ", reader->floor.file);
    throng_complain(reader, severity, reader->floor.node, NULL, "%s%s", place, text);
}

void throng_refuse_twice(throng_reader *reader, throng_json_ref node, const throng_floor_shape *shape) {
    char place[40] = "";
    if (shape->line > 0) snprintf(place, sizeof place, ":%d:%d", shape->line, shape->column);
    throng_wrong(reader, node, "'%.80s' stands in the plan, too (%s%s): give one of them another name", shape->name,
                 reader->floor.file, place);
}

static bool read_colour(throng_reader *reader, throng_json_ref key, throng_floor_colour *out) {
    const char *text = throng_json_text_of(reader->json, key), *digits = "0123456789abcdef";
    unsigned rgb = 0;
    bool good = text[0] == '#' && strlen(text) == 7;
    for (int i = 1; good && i < 7; i++) {
        char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] + 32) : text[i];
        const char *digit = strchr(digits, c);
        good = digit && c;
        if (good) rgb = rgb << 4 | (unsigned)(digit - digits);
    }
    if (!good) return throng_wrong(reader, key, "expected a colour \"#rrggbb\", found \"%.80s\"", text);
    out->rgb = rgb;
    if (!throng_read_text(reader, key + 1, &out->name)) return false;
    return *out->name || throng_wrong(reader, key + 1, "the name must not be empty");
}

static bool read_colours(throng_reader *reader, throng_json_ref node, throng_floor_options *out) {
    const throng_json *json = reader->json;
    if (throng_json_kind_of(json, node) != THRONG_JSON_OBJECT)
        return throng_expected(reader, node, "colours and the names of exits {\"#ff0000\": \"west\"}");
    size_t count = throng_json_count(json, node);
    if (count == 0 || count > 64) return throng_wrong(reader, node, "expected 1 to 64 colours, found %zu", count);
    throng_floor_colour *colours = throng_allocate(count * sizeof *colours);
    out->colours = colours;
    bool good = true;
    THRONG_EACH_KEY (k, json, node) {
        good = read_colour(reader, k, &colours[out->colour_count++]) && good;
    }
    return good;
}

static bool read_options(throng_reader *reader, throng_json_ref node, bool picture, throng_floor_options *out) {
    static const char *const keys[] = {"metres_per_pixel", "threshold", "colours"};
    throng_json_ref value[3];
    bool good = true;
    for (int i = 0; i < 3; i++) {
        value[i] = throng_value(reader, node, keys[i]);
        if (!picture && value[i] != THRONG_NO_NODE)
            good = throng_wrong(reader, value[i], "'%s' goes with a picture (.png) only", keys[i]);
    }
    if (!good || !picture) return good;
    if (value[0] == THRONG_NO_NODE)
        return throng_lacks(reader, node, keys[0],
                            "how large is a pixel? A picture needs \"metres_per_pixel\", for instance 0.05");
    throng_range metres = {0, 1000, true, "m"}, brightness = {0, 1, false, ""};
    good = throng_read_number(reader, value[0], metres, &out->metres_per_pixel);
    good = throng_read_number(reader, value[1], brightness, &out->threshold) && good;
    if (value[2] != THRONG_NO_NODE) good = read_colours(reader, value[2], out) && good;
    return good;
}

char *throng_read_beside(throng_reader *reader, throng_json_ref node, const char *name, size_t *length) {
    char *path = throng_path_beside(reader->path, name);
    throng_error error = {0};
    char *bytes = throng_read_file(path, length, &error);
    if (bytes)
        throng_provenance_add_file(&reader->scenario->origin, path, bytes, *length);
    else
        throng_wrong(reader, node, "%s", error.text);
    throng_release(path);
    return bytes;
}

static bool read_plan(throng_reader *reader, const throng_floor_format *format, const throng_floor_options *options) {
    size_t length;
    char *bytes = throng_read_beside(reader, reader->floor.node, reader->floor.file, &length);
    if (!bytes) return false;
    throng_report *found = throng_report_create();
    bool good = throng_floor_read(&reader->floor.plan, format, bytes, length, options, found);
    for (size_t i = 0; i < throng_report_count(found); i++) {
        throng_message m = throng_report_message(found, i);
        throng_tell_of_plan(reader, m.severity, m.line, m.column, m.text);
    }
    throng_report_destroy(found);
    throng_release(bytes);
    return good;
}

bool throng_load_floor(throng_reader *reader, throng_json_ref node) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_AREA_FILE, "an area")) return false;
    throng_json_ref file = throng_value(reader, node, "file");
    if (file == THRONG_NO_NODE) return throng_lacks(reader, node, "file", "expected {\"file\": \"plan.wkt\"}");
    if (!throng_read_text(reader, file, &reader->floor.file)) return false;
    reader->floor.node = file;
    const throng_floor_format *format = throng_floor_format_of(reader->floor.file);
    if (!format) {
        char endings[100];
        return throng_wrong(reader, file, "expected a plan in a %s file, found \"%s\"",
                            throng_floor_endings(endings, sizeof endings), reader->floor.file);
    }
    throng_floor_options options = throng_floor_default_options();
    bool good = read_options(reader, node, format->read == throng_floor_read_png, &options);
    good = good && read_plan(reader, format, &options);
    throng_release((void *)options.colours);
    reader->floor.failed = !good;
    return good;
}

void throng_load_floor_goals(throng_reader *reader) {
    for (size_t i = 0; i < reader->floor.plan.count; i++) {
        const throng_floor_shape *shape = &reader->floor.plan.shapes[i];
        if (shape->kind != THRONG_FLOOR_EXIT && shape->kind != THRONG_FLOOR_GOAL) continue;
        bool disc = shape->form == THRONG_FLOOR_DISC;
        throng_goal_def def = throng_default_goal_def();
        def.name = shape->name;
        def.exit = shape->kind == THRONG_FLOOR_EXIT;
        def.kind = disc ? THRONG_GOAL_POINT : THRONG_GOAL_AREA;
        def.point = shape->centre;
        if (disc && shape->radius > 0) def.radius = shape->radius;
        if (!disc) {
            def.ring = throng_copy_ring(shape->rings[0].ring);
        }
        bool inside = disc ? throng_is_walkable(reader, def.point) : throng_is_partly_walkable(reader, def.ring);
        if (!inside) {
            char text[200];
            snprintf(text, sizeof text, "the goal '%.80s' lies outside the walkable area", shape->name);
            throng_tell_of_plan(reader, THRONG_ERROR, shape->line, shape->column, text);
        }
        throng_names_add(&reader->goal_names, shape->name);
        throng_add_goal(reader->scenario, def);
    }
}

void throng_load_floor_zones(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    for (size_t i = 0; i < reader->floor.plan.count; i++) {
        const throng_floor_shape *shape = &reader->floor.plan.shapes[i];
        if (shape->kind != THRONG_FLOOR_ZONE) continue;
        throng_scenario_zone zone = {.def = throng_default_zone_def()};
        throng_json_where(reader->json, reader->floor.node, &zone.line, &zone.column);
        zone.def.ring = throng_copy_ring(shape->rings[0].ring);
        zone.def.speed_factor = shape->speed_factor;
        THRONG_GROW(s->zones, s->zone_capacity, s->zone_count + 1);
        s->zones[s->zone_count++] = zone;
    }
}

static bool refuse_spawn(throng_reader *reader, throng_json_ref node) {
    const throng_floor_plan *plan = &reader->floor.plan;
    const char *name = throng_json_text_of(reader->json, node);
    throng_suggestion near = {.word = name};
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->shapes[i].kind == THRONG_FLOOR_SPAWN) throng_suggest(&near, plan->shapes[i].name);
    }
    return throng_no_such(reader, node, "spawn", near, NULL, " in the plan");
}

const throng_floor_shape *throng_spawn_of(const throng_reader *reader, throng_json_ref entry) {
    throng_json_ref node = throng_value(reader, entry, "in");
    if (node == THRONG_NO_NODE || throng_json_kind_of(reader->json, node) != THRONG_JSON_TEXT) return NULL;
    return throng_floor_named(reader, THRONG_FLOOR_SPAWN, throng_json_text_of(reader->json, node));
}

bool throng_read_area(throng_reader *reader, throng_json_ref entry, throng_json_ref node, throng_ring *out) {
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_TEXT) return throng_read_polygon(reader, node, out);
    const throng_floor_shape *spawn = throng_spawn_of(reader, entry);
    *out = (throng_ring){0};
    if (!spawn) return reader->floor.failed ? false : refuse_spawn(reader, node);
    *out = throng_copy_ring(spawn->rings[0].ring);
    return true;
}

const throng_floor_shape *throng_floor_named(const throng_reader *reader, throng_floor_kind kind, const char *name) {
    for (size_t i = 0; i < reader->floor.plan.count; i++) {
        const throng_floor_shape *shape = &reader->floor.plan.shapes[i];
        bool goal = kind == THRONG_FLOOR_EXIT && shape->kind == THRONG_FLOOR_GOAL;
        if ((shape->kind == kind || goal) && strcmp(shape->name, name) == 0) return shape;
    }
    return NULL;
}
