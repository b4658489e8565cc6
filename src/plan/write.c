/* write.c: a draft as a scenario file, or its plan as GeoJSON. */

#include "plan/write.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "plan/draft.h"
#include "text/json_string.h"

/* ------------------------------------------------------------------ pieces */

void throng_write_text(throng_string *out, const char *before, const char *text) {
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

void throng_write_number(throng_string *out, const char *before, double value) {
    char text[THRONG_NUMBER_SIZE + 1];
    text[throng_number_write(value, text)] = 0;
    throng_string_add(out, before);
    throng_string_add(out, text);
}

void throng_write_point(throng_string *out, const char *before, throng_point point) {
    throng_string_add(out, before);
    throng_write_number(out, "[", point.x);
    throng_write_number(out, ", ", point.y);
    throng_string_add(out, "]");
}

void throng_write_points(throng_string *out, const char *before, throng_ring ring) {
    throng_string_add(out, before);
    throng_string_add(out, "[");
    for (size_t i = 0; i < ring.count; i++) {
        throng_write_point(out, i > 0 ? ", " : "", ring.points[i]);
    }
    throng_string_add(out, "]");
}

void throng_write_value(throng_string *out, const char *before, const throng_floor_value *value) {
    if (!*value->distribution) {
        throng_write_number(out, before, value->a);
        return;
    }
    throng_string_add(out, before);
    throng_write_text(out, "{", value->distribution);
    throng_write_point(out, ": ", (throng_point){value->a, value->b});
    if (value->high > value->low) {
        throng_write_number(out, ", \"min\": ", value->low);
        throng_write_number(out, ", \"max\": ", value->high);
    }
    throng_string_add(out, "}");
}

/* ------------------------------------------------------------------ the place of a scenario */

static void begin_item(throng_string *out, size_t *count, const char *key, char bracket) {
    if ((*count)++ == 0) {
        char head[60];
        snprintf(head, sizeof head, ",\n  \"%s\": %c", key, bracket);
        throng_string_add(out, head);
    }
    throng_string_add(out, *count > 1 ? ",\n    " : "\n    ");
}

static void end_list(throng_string *out, size_t count, const char *bracket) {
    if (count == 0) return;
    throng_string_add(out, "\n  ");
    throng_string_add(out, bracket);
}

static void write_walkable(throng_string *out, const throng_floor_plan *plan) {
    const throng_floor_shape *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->shapes[i].kind == THRONG_FLOOR_WALKABLE) only = &plan->shapes[i], count++;
    }
    if (count == 0) return;
    const char *key = ",\n  \"walkable_area\": ";
    if (count == 1 && only->ring_count == 1) {
        throng_write_points(out, key, only->rings[0].ring);
        return;
    }
    char *wkt = throng_floor_wkt(plan);
    for (char *c = wkt; *c; c++) *c = *c == '\n' ? ' ' : *c;
    throng_write_text(out, key, wkt);
    throng_release(wkt);
}

static void write_disc(throng_string *out, const throng_floor_shape *shape) {
    throng_write_number(out, "\"disc\": [", shape->centre.x);
    throng_write_number(out, ", ", shape->centre.y);
    throng_write_number(out, ", ", shape->radius);
    throng_string_add(out, "]");
}

static void write_obstacle(throng_string *out, const throng_floor_shape *shape) {
    throng_string_add(out, "{");
    if (*shape->name) {
        throng_write_text(out, "\"id\": ", shape->name);
        throng_string_add(out, ", ");
    }
    if (shape->form == THRONG_FLOOR_DISC) {
        write_disc(out, shape);
    } else {
        throng_write_points(out,
                            shape->form == THRONG_FLOOR_LINE ? "\"line\": " : "\"polygon\": ", shape->rings[0].ring);
    }
    throng_string_add(out, "}");
}

static void write_goal(throng_string *out, const throng_floor_shape *shape) {
    throng_write_text(out, "", shape->name);
    if (shape->form == THRONG_FLOOR_DISC) {
        throng_write_point(out, ": {\"point\": ", shape->centre);
        if (shape->radius > 0) throng_write_number(out, ", \"radius\": ", shape->radius);
    } else {
        throng_write_points(out, ": {\"polygon\": ", shape->rings[0].ring);
    }
    if (shape->kind == THRONG_FLOOR_EXIT) throng_string_add(out, ", \"exit\": true");
    if (shape->wait.distribution) throng_write_value(out, ", \"wait\": ", &shape->wait);
    throng_string_add(out, "}");
}

static void write_zone(throng_string *out, const throng_floor_shape *shape) {
    throng_write_points(out, "{\"polygon\": ", shape->rings[0].ring);
    throng_write_number(out, ", \"speed_factor\": ", shape->speed_factor);
    throng_string_add(out, "}");
}

static void write_shapes(throng_string *out, const throng_floor_plan *plan, throng_floor_kind kind,
                         throng_floor_kind other, const char *key, const char *brackets,
                         void (*write)(throng_string *out, const throng_floor_shape *shape)) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->shapes[i].kind != kind && plan->shapes[i].kind != other) continue;
        begin_item(out, &count, key, brackets[0]);
        write(out, &plan->shapes[i]);
    }
    end_list(out, count, brackets + 1);
}

/* ------------------------------------------------------------------ the scenario */

static void write_head(throng_string *out, const throng_draft *draft) {
    throng_write_text(out,
                      "{\n  \"throng\": 1,\n  \"name\": ", draft->name && *draft->name ? draft->name : "converted");
    if (draft->description && *draft->description) throng_write_text(out, ",\n  \"description\": ", draft->description);
    if (draft->seed > 0) throng_write_number(out, ",\n  \"seed\": ", draft->seed);
    if (draft->duration > 0) throng_write_number(out, ",\n  \"duration\": ", draft->duration);
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

char *throng_draft_scenario(const throng_draft *draft, throng_report *report) {
    throng_string out = {0};
    const throng_floor_plan *plan = &draft->plan;
    throng_draft spawned = {.plan = *plan};
    people_of_spawns(&spawned, report);
    write_head(&out, draft);
    write_walkable(&out, plan);
    write_shapes(&out, plan, THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_OBSTACLE, "obstacles", "[]", write_obstacle);
    write_shapes(&out, plan, THRONG_FLOOR_ZONE, THRONG_FLOOR_ZONE, "zones", "[]", write_zone);
    write_shapes(&out, plan, THRONG_FLOOR_EXIT, THRONG_FLOOR_GOAL, "goals", "{}", write_goal);
    throng_string_add(&out, ",\n  \"agents\": [");
    if (draft->agents.text) throng_string_add(&out, draft->agents.text);
    if (draft->agents.text && spawned.agents.text) throng_string_add(&out, ",");
    if (spawned.agents.text) throng_string_add(&out, spawned.agents.text);
    throng_string_add(&out, draft->agents.text || spawned.agents.text ? "\n  ]" : "]");
    write_list(&out, ",\n  \"sources\": [", draft->sources.text, "\n  ]");
    if (draft->areas.text || spawned.areas.text) {
        throng_string_add(&out, ",\n  \"measure\": {\n    \"areas\": {");
        if (draft->areas.text) throng_string_add(&out, draft->areas.text);
        if (draft->areas.text && spawned.areas.text) throng_string_add(&out, ",");
        if (spawned.areas.text) throng_string_add(&out, spawned.areas.text);
        throng_string_add(&out, "\n    }\n  }");
    }
    throng_string_add(&out, "\n}\n");
    throng_release(spawned.agents.text);
    throng_release(spawned.areas.text);
    return out.text;
}

/* ------------------------------------------------------------------ GeoJSON */

static void write_closed(throng_string *out, throng_ring ring) {
    throng_string_add(out, "[");
    for (size_t i = 0; i <= ring.count; i++) {
        throng_write_point(out, i > 0 ? ", " : "", ring.points[i % ring.count]);
    }
    throng_string_add(out, "]");
}

static void write_geometry(throng_string *out, const throng_floor_shape *shape) {
    if (shape->form == THRONG_FLOOR_DISC) {
        throng_write_point(out, "{\"type\": \"Point\", \"coordinates\": ", shape->centre);
    } else if (shape->form == THRONG_FLOOR_LINE) {
        throng_write_points(out, "{\"type\": \"LineString\", \"coordinates\": ", shape->rings[0].ring);
    } else {
        throng_string_add(out, "{\"type\": \"Polygon\", \"coordinates\": [");
        for (size_t r = 0; r < shape->ring_count; r++) {
            if (r > 0) throng_string_add(out, ", ");
            write_closed(out, shape->rings[r].ring);
        }
        throng_string_add(out, "]");
    }
    throng_string_add(out, "}");
}

static void write_feature(throng_string *out, const throng_floor_shape *shape) {
    throng_write_text(out, "{\"type\": \"Feature\", \"properties\": {\"kind\": ", throng_floor_kind_names[shape->kind]);
    if (*shape->name) throng_write_text(out, ", \"name\": ", shape->name);
    if (shape->form == THRONG_FLOOR_DISC && shape->radius > 0)
        throng_write_number(out, ", \"radius\": ", shape->radius);
    if (shape->kind == THRONG_FLOOR_ZONE) throng_write_number(out, ", \"speed_factor\": ", shape->speed_factor);
    if (shape->count > 0) throng_write_number(out, ", \"count\": ", shape->count);
    if (shape->density > 0) throng_write_number(out, ", \"density\": ", shape->density);
    if (*shape->goal) throng_write_text(out, ", \"goal\": ", shape->goal);
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
