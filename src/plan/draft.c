/* draft.c: a draft written down as a scenario file, or its plan as GeoJSON, its people as soon as they are known; and
 * what reading others' scenarios has in common. */

#include "plan/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "text/json_string.h"

/* ------------------------------------------------------------------ pieces */

static void write_text(throng_string *out, const char *before, const char *text) {
    char piece[8];
    const char *end = text + strlen(text);
    throng_string_add(out, before);
    throng_string_add(out, "\"");
    while (text < end) {
        unsigned char c = (unsigned char)*text;
        int length = throng_utf8_length(text, end);
        if (c < 0x20 || c == '"' || c == '\\')
            snprintf(piece, sizeof piece, c < 0x20 ? "\\u%04x" : "\\%c", c);
        else
            snprintf(piece, sizeof piece, "%.*s", length > 0 ? length : 1, length > 0 ? text : "?");
        throng_string_add(out, piece);
        text += length > 0 ? length : 1;
    }
    throng_string_add(out, "\"");
}

static void write_number(throng_string *out, const char *before, double value) {
    char text[THRONG_NUMBER_SIZE + 1];
    text[throng_number_write(value, text)] = 0;
    throng_string_add(out, before);
    throng_string_add(out, text);
}

static void write_point(throng_string *out, const char *before, throng_point point) {
    throng_string_add(out, before);
    write_number(out, "[", point.x);
    write_number(out, ", ", point.y);
    throng_string_add(out, "]");
}

static void write_points(throng_string *out, const char *before, throng_ring ring) {
    throng_string_add(out, before);
    throng_string_add(out, "[");
    for (size_t i = 0; i < ring.count; i++) {
        write_point(out, i > 0 ? ", " : "", ring.points[i]);
    }
    throng_string_add(out, "]");
}

static void write_value(throng_string *out, const char *before, const throng_floor_value *value) {
    if (!*value->distribution) {
        write_number(out, before, value->a);
        return;
    }
    throng_string_add(out, before);
    write_text(out, "{", value->distribution);
    write_point(out, ": ", (throng_point){value->a, value->b});
    if (value->high > value->low) {
        write_number(out, ", \"min\": ", value->low);
        write_number(out, ", \"max\": ", value->high);
    }
    throng_string_add(out, "}");
}

/* ------------------------------------------------------------------ the place of a scenario */

static void write_walkable(throng_string *out, const throng_floor_plan *plan) {
    const throng_floor_shape *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->shapes[i].kind == THRONG_FLOOR_WALKABLE) only = &plan->shapes[i], count++;
    }
    if (count == 0) return;
    const char *key = ",\n  \"walkable_area\": ";
    if (count == 1 && only->ring_count == 1) {
        write_points(out, key, only->rings[0].ring);
        return;
    }
    char *wkt = throng_floor_wkt(plan);
    for (char *c = wkt; *c; c++) *c = *c == '\n' ? ' ' : *c;
    write_text(out, key, wkt);
    throng_release(wkt);
}

static void write_obstacle(throng_string *out, const throng_floor_shape *shape) {
    throng_string_add(out, "{");
    if (*shape->name) {
        write_text(out, "\"id\": ", shape->name);
        throng_string_add(out, ", ");
    }
    if (shape->form == THRONG_FLOOR_DISC) {
        write_number(out, "\"disc\": [", shape->centre.x);
        write_number(out, ", ", shape->centre.y);
        write_number(out, ", ", shape->radius);
        throng_string_add(out, "]");
    } else {
        write_points(out, shape->form == THRONG_FLOOR_LINE ? "\"line\": " : "\"polygon\": ", shape->rings[0].ring);
    }
    throng_string_add(out, "}");
}

static void write_goal(throng_string *out, const throng_floor_shape *shape) {
    write_text(out, "", shape->name);
    if (shape->form == THRONG_FLOOR_DISC) {
        write_point(out, ": {\"point\": ", shape->centre);
        if (shape->radius > 0) write_number(out, ", \"radius\": ", shape->radius);
    } else {
        write_points(out, ": {\"polygon\": ", shape->rings[0].ring);
    }
    if (shape->kind == THRONG_FLOOR_EXIT) throng_string_add(out, ", \"exit\": true");
    if (shape->wait.distribution) write_value(out, ", \"wait\": ", &shape->wait);
    throng_string_add(out, "}");
}

static void write_zone(throng_string *out, const throng_floor_shape *shape) {
    write_points(out, "{\"polygon\": ", shape->rings[0].ring);
    write_number(out, ", \"speed_factor\": ", shape->speed_factor);
    throng_string_add(out, "}");
}

static void write_shapes(throng_string *out, const throng_floor_plan *plan, throng_floor_kind kind,
                         throng_floor_kind other, const char *key, const char *brackets,
                         void (*write)(throng_string *out, const throng_floor_shape *shape)) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->shapes[i].kind != kind && plan->shapes[i].kind != other) continue;
        if (count == 0) throng_string_print(out, ",\n  \"%s\": %c", key, brackets[0]);
        throng_string_add(out, count++ > 0 ? ",\n    " : "\n    ");
        write(out, &plan->shapes[i]);
    }
    if (count > 0) throng_string_print(out, "\n  %s", brackets + 1);
}

/* ------------------------------------------------------------------ the scenario */

static void write_head(throng_string *out, const throng_draft *draft) {
    write_text(out, "{\n  \"throng\": 1,\n  \"name\": ", draft->name && *draft->name ? draft->name : "converted");
    if (draft->description && *draft->description) write_text(out, ",\n  \"description\": ", draft->description);
    if (draft->seed > 0) write_number(out, ",\n  \"seed\": ", draft->seed);
    if (draft->duration > 0) write_number(out, ",\n  \"duration\": ", draft->duration);
    if (draft->unreachable) throng_string_add(out, ",\n  \"allow_unreachable\": true");
}

/* Spawns of a plan that say how many start there are people of the scenario; others keep their name and place as
 * areas to measure. */
static void people_of_spawns(throng_draft *draft, throng_report *report) {
    for (size_t i = 0; i < draft->plan.count; i++) {
        const throng_floor_shape *shape = &draft->plan.shapes[i];
        if (shape->kind != THRONG_FLOOR_SPAWN) continue;
        if (shape->count == 0 && shape->density == 0) {
            throng_draft_add_area(draft, shape->name, shape->rings[0].ring);
            throng_report_add(report, THRONG_NOTE, shape->line, shape->column, "",
                              "spawn '%s' does not say how many start there: in a scenario it is an area to measure",
                              shape->name);
            continue;
        }
        const char *goal = shape->goal;
        throng_draft_entry entry = {.area = shape->rings[0].ring,
                                    .count = shape->count,
                                    .density = shape->density,
                                    .goals = &goal,
                                    .goal_count = *goal ? 1 : 0,
                                    .group = shape->name};
        throng_draft_add(draft, &entry);
    }
}

static void write_list(throng_string *out, const char *head, const char *items, const char *tail) {
    if (!items) return;
    throng_string_add(out, head);
    throng_string_add(out, items);
    throng_string_add(out, tail);
}

char *throng_draft_scenario(throng_draft *draft, throng_report *report) {
    throng_string out = {0};
    const throng_floor_plan *plan = &draft->plan;
    people_of_spawns(draft, report);
    write_head(&out, draft);
    write_walkable(&out, plan);
    write_shapes(&out, plan, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_OBSTACLE, "obstacles", "[]", write_obstacle);
    write_shapes(&out, plan, THRONG_FLOOR_ZONE, THRONG_FLOOR_ZONE, "zones", "[]", write_zone);
    write_shapes(&out, plan, THRONG_FLOOR_EXIT, THRONG_FLOOR_GOAL, "goals", "{}", write_goal);
    if (!draft->agents.text) throng_string_add(&out, ",\n  \"agents\": []");
    write_list(&out, ",\n  \"agents\": [", draft->agents.text, "\n  ]");
    write_list(&out, ",\n  \"sources\": [", draft->sources.text, "\n  ]");
    write_list(&out, ",\n  \"measure\": {\n    \"areas\": {", draft->areas.text, "\n    }\n  }");
    throng_string_add(&out, "\n}\n");
    return out.text;
}

/* ------------------------------------------------------------------ GeoJSON */

static void write_geometry(throng_string *out, const throng_floor_shape *shape) {
    if (shape->form == THRONG_FLOOR_DISC) {
        write_point(out, "{\"type\": \"Point\", \"coordinates\": ", shape->centre);
    } else if (shape->form == THRONG_FLOOR_LINE) {
        write_points(out, "{\"type\": \"LineString\", \"coordinates\": ", shape->rings[0].ring);
    } else {
        throng_string_add(out, "{\"type\": \"Polygon\", \"coordinates\": [");
        for (size_t r = 0; r < shape->ring_count; r++) {
            throng_ring ring = shape->rings[r].ring;
            throng_string_add(out, r > 0 ? ", [" : "[");
            for (size_t i = 0; i <= ring.count; i++) write_point(out, i > 0 ? ", " : "", ring.points[i % ring.count]);
            throng_string_add(out, "]");
        }
        throng_string_add(out, "]");
    }
    throng_string_add(out, "}");
}

static void write_feature(throng_string *out, const throng_floor_shape *shape) {
    write_text(out, "{\"type\": \"Feature\", \"properties\": {\"kind\": ", throng_floor_kind_names[shape->kind]);
    if (*shape->name) write_text(out, ", \"name\": ", shape->name);
    if (shape->form == THRONG_FLOOR_DISC && shape->radius > 0) write_number(out, ", \"radius\": ", shape->radius);
    if (shape->kind == THRONG_FLOOR_ZONE) write_number(out, ", \"speed_factor\": ", shape->speed_factor);
    if (shape->count > 0) write_number(out, ", \"count\": ", shape->count);
    if (shape->density > 0) write_number(out, ", \"density\": ", shape->density);
    if (*shape->goal) write_text(out, ", \"goal\": ", shape->goal);
    throng_string_add(out, "},\n     \"geometry\": ");
    write_geometry(out, shape);
    throng_string_add(out, "}");
}

char *throng_draft_geojson(const throng_draft *draft) {
    throng_string out = {0};
    throng_string_add(&out, "{\"type\": \"FeatureCollection\", \"features\": [");
    for (size_t i = 0; i < draft->plan.count; i++) {
        throng_string_add(&out, i > 0 ? ",\n    " : "\n    ");
        write_feature(&out, &draft->plan.shapes[i]);
    }
    throng_string_add(&out, "\n]}\n");
    return out.text;
}

/* ------------------------------------------------------------------ people */

void throng_draft_clear(throng_draft *draft) {
    throng_floor_clear(&draft->plan);
    THRONG_RELEASE(draft->name, draft->description, draft->agents.text, draft->sources.text, draft->areas.text);
    *draft = (throng_draft){0};
}

static void add_value(throng_string *out, const char *before, const throng_floor_value *value) {
    if (value->distribution) write_value(out, before, value);
}

static void add_goals(throng_string *out, const throng_draft_entry *entry) {
    if (entry->goal_count == 0) return;
    bool one = entry->goal_count == 1;
    throng_string_add(out, one || entry->any ? ", \"goal\": " : ", \"journey\": ");
    if (!one) throng_string_add(out, entry->any ? "{\"any\": [" : "[");
    for (size_t i = 0; i < entry->goal_count; i++) {
        write_text(out, i > 0 ? ", " : "", entry->goals[i]);
    }
    if (!one) throng_string_add(out, entry->any ? "]}" : "]");
}

static void add_amount(throng_string *out, const throng_draft_entry *entry) {
    if (!entry->source) {
        if (entry->spots.count > 0) return;
        if (entry->count > 0)
            write_number(out, ", \"count\": ", entry->count);
        else
            write_number(out, ", \"density\": ", entry->density);
        if (entry->full) throng_string_add(out, ", \"placement\": \"hex\"");
        return;
    }
    if (entry->schedule_count > 0) {
        throng_string_add(out, ", \"schedule\": [");
        for (size_t i = 0; i < entry->schedule_count; i++) {
            throng_point piece = {entry->schedule[i][0], entry->schedule[i][1]};
            write_point(out, i > 0 ? ", " : "", piece);
        }
        throng_string_add(out, "]");
    } else {
        write_number(out, ", \"rate\": ", entry->rate);
        write_number(out, ", \"from\": ", entry->from);
        if (entry->until > 0) write_number(out, ", \"until\": ", entry->until);
    }
    if (entry->count > 0) write_number(out, ", \"count\": ", entry->count);
    if (entry->poisson) throng_string_add(out, ", \"arrivals\": \"poisson\"");
}

void throng_draft_add(throng_draft *draft, const throng_draft_entry *entry) {
    throng_string *out = entry->source ? &draft->sources : &draft->agents;
    throng_string_add(out, out->length > 0 ? ",\n    {" : "\n    {");
    if (entry->spots.count > 0)
        write_points(out, "\"at\": ", entry->spots);
    else
        write_points(out, "\"in\": ", entry->area);
    add_amount(out, entry);
    add_goals(out, entry);
    add_value(out, ", \"radius\": ", entry->radius.distribution ? &entry->radius : &draft->radius);
    add_value(out, ", \"desired_speed\": ", entry->speed.distribution ? &entry->speed : &draft->speed);
    add_value(out, ", \"start_after\": ", &entry->start_after);
    if (entry->group && *entry->group) write_text(out, ", \"group\": ", entry->group);
    throng_string_add(out, "}");
}

void throng_draft_add_area(throng_draft *draft, const char *name, throng_ring ring) {
    write_text(&draft->areas, draft->areas.length > 0 ? ",\n      " : "\n      ", name);
    write_points(&draft->areas, ": ", ring);
}

bool throng_draft_add_wkt(throng_draft *draft, const char *wkt, throng_report *report) {
    throng_floor_options options = throng_floor_default_options();
    return throng_floor_read_wkt(&draft->plan, wkt, strlen(wkt), &options, report);
}

/* ------------------------------------------------------------------ asking the JSON of somebody else's scenario, which
 * may lack anything */

throng_json_ref throng_foreign_value(const throng_foreign *f, throng_json_ref object, const char *key) {
    if (object == THRONG_NO_NODE || throng_json_kind_of(f->json, object) != THRONG_JSON_OBJECT) return THRONG_NO_NODE;
    throng_json_ref node = throng_json_find(f->json, object, key);
    bool nothing = node != THRONG_NO_NODE && throng_json_kind_of(f->json, node) == THRONG_JSON_NULL;
    return nothing ? THRONG_NO_NODE : node;
}

throng_json_ref throng_foreign_items(const throng_foreign *f, throng_json_ref list, throng_json_ref *end) {
    *end = 0;
    if (list == THRONG_NO_NODE || throng_json_kind_of(f->json, list) != THRONG_JSON_LIST) return 0;
    *end = throng_json_end(f->json, list);
    return throng_json_first(f->json, list);
}

double throng_foreign_number(const throng_foreign *f, throng_json_ref object, const char *key, double fallback) {
    throng_json_ref node = throng_foreign_value(f, object, key);
    bool number = node != THRONG_NO_NODE && throng_json_kind_of(f->json, node) == THRONG_JSON_NUMBER;
    return number ? throng_json_number_of(f->json, node) : fallback;
}

bool throng_foreign_bool(const throng_foreign *f, throng_json_ref object, const char *key, bool fallback) {
    throng_json_ref node = throng_foreign_value(f, object, key);
    bool truth = node != THRONG_NO_NODE && throng_json_kind_of(f->json, node) == THRONG_JSON_BOOL;
    return truth ? throng_json_number_of(f->json, node) != 0 : fallback;
}

const char *throng_foreign_text(const throng_foreign *f, throng_json_ref object, const char *key, char *buffer,
                                size_t size) {
    throng_json_ref node = throng_foreign_value(f, object, key);
    buffer[0] = 0;
    if (node == THRONG_NO_NODE) return buffer;
    if (throng_json_kind_of(f->json, node) == THRONG_JSON_TEXT) return throng_json_text_of(f->json, node);
    if (throng_json_kind_of(f->json, node) == THRONG_JSON_NUMBER)
        snprintf(buffer, size, "%.15g", throng_json_number_of(f->json, node));
    return buffer;
}

bool throng_foreign_tell(throng_foreign *f, throng_severity severity, throng_json_ref node, const char *format, ...) {
    char text[500], path[200];
    THRONG_FORMAT(text, format);
    int line, column;
    throng_json_where(f->json, node, &line, &column);
    if (severity == THRONG_ERROR) f->failed = true;
    return throng_report_add(f->report, severity, line, column, throng_json_path(f->json, node, path, sizeof path),
                             "%s", text);
}

throng_floor_shape *throng_foreign_add(throng_foreign *f, throng_json_ref node, throng_ring ring,
                                       throng_floor_kind kind, const char *name) {
    int line, column;
    throng_json_where(f->json, node, &line, &column);
    throng_floor_shape *shape = throng_floor_add(&f->draft->plan, kind, THRONG_FLOOR_AREA, name, line, column);
    throng_floor_add_ring(shape, ring.points, ring.count, line, column);
    throng_release((void *)ring.points);
    return shape;
}

void throng_foreign_each(throng_foreign *f, const char *key, void (*take)(throng_foreign *f, throng_json_ref element)) {
    throng_json_ref section = throng_foreign_value(f, f->elements, key);
    if (section == THRONG_NO_NODE || throng_json_count(f->json, section) == 0) return;
    if ((throng_json_kind_of(f->json, section) == THRONG_JSON_OBJECT) != f->named)
        throng_foreign_tell(f, THRONG_ERROR, section, "expected %s", f->named ? "an object of names" : "a list");
    else if (f->named)
        THRONG_EACH_KEY (k, f->json, section) take(f, k);
    else
        THRONG_EACH_ITEM (k, f->json, section) take(f, k);
}
