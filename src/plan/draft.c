/* draft.c: writing the people of a draft down as JSON. */

#include "plan/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/write.h"

void throng_draft_clear(throng_draft *draft) {
    throng_floor_clear(&draft->plan);
    throng_release(draft->name);
    throng_release(draft->description);
    throng_release(draft->agents.text);
    throng_release(draft->sources.text);
    throng_release(draft->areas.text);
    *draft = (throng_draft){0};
}

static void add_value(throng_string *out, const char *before, const throng_floor_value *value) {
    if (value->distribution) throng_write_value(out, before, value);
}

static void add_goals(throng_string *out, const throng_draft_entry *entry) {
    if (entry->goal_count == 0) return;
    bool one = entry->goal_count == 1;
    throng_string_add(out, one || entry->any ? ", \"goal\": " : ", \"journey\": ");
    if (!one) throng_string_add(out, entry->any ? "{\"any\": [" : "[");
    for (size_t i = 0; i < entry->goal_count; i++) {
        throng_write_text(out, i > 0 ? ", " : "", entry->goals[i]);
    }
    if (!one) throng_string_add(out, entry->any ? "]}" : "]");
}

static void add_amount(throng_string *out, const throng_draft_entry *entry) {
    if (!entry->source) {
        if (entry->spots.count > 0) return;
        if (entry->count > 0)
            throng_write_number(out, ", \"count\": ", entry->count);
        else
            throng_write_number(out, ", \"density\": ", entry->density);
        if (entry->full) throng_string_add(out, ", \"placement\": \"hex\"");
        return;
    }
    if (entry->schedule_count > 0) {
        throng_string_add(out, ", \"schedule\": [");
        for (size_t i = 0; i < entry->schedule_count; i++) {
            throng_point piece = {entry->schedule[i][0], entry->schedule[i][1]};
            throng_write_point(out, i > 0 ? ", " : "", piece);
        }
        throng_string_add(out, "]");
    } else {
        throng_write_number(out, ", \"rate\": ", entry->rate);
        throng_write_number(out, ", \"from\": ", entry->from);
        if (entry->until > 0) throng_write_number(out, ", \"until\": ", entry->until);
    }
    if (entry->count > 0) throng_write_number(out, ", \"count\": ", entry->count);
    if (entry->poisson) throng_string_add(out, ", \"arrivals\": \"poisson\"");
}

void throng_draft_add(throng_draft *draft, const throng_draft_entry *entry) {
    throng_string *out = entry->source ? &draft->sources : &draft->agents;
    throng_string_add(out, out->length > 0 ? ",\n    {" : "\n    {");
    if (entry->spots.count > 0)
        throng_write_points(out, "\"at\": ", entry->spots);
    else
        throng_write_points(out, "\"in\": ", entry->area);
    add_amount(out, entry);
    add_goals(out, entry);
    add_value(out, ", \"radius\": ", entry->radius.distribution ? &entry->radius : &draft->radius);
    add_value(out, ", \"desired_speed\": ", entry->speed.distribution ? &entry->speed : &draft->speed);
    add_value(out, ", \"start_after\": ", &entry->start_after);
    if (entry->group && *entry->group) throng_write_text(out, ", \"group\": ", entry->group);
    throng_string_add(out, "}");
}

void throng_draft_add_area(throng_draft *draft, const char *name, throng_ring ring) {
    throng_write_text(&draft->areas, draft->areas.length > 0 ? ",\n      " : "\n      ", name);
    throng_write_points(&draft->areas, ": ", ring);
}

bool throng_draft_add_wkt(throng_draft *draft, const char *wkt, throng_report *report) {
    throng_floor_options options = throng_floor_default_options();
    return throng_floor_read_wkt(&draft->plan, wkt, strlen(wkt), &options, report);
}
