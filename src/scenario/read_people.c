/* read_people.c: "agents": reads every entry, then makes its people: draws who they are, places them and
 * sends them on their way. */

#include "base/memory.h"
#include "scenario/sketch.h"

static void draw_people(throng_loading *loading, throng_entry *entry) {
    throng_person *people = loading->scenario->people + entry->first;
    for (size_t k = 0; k < entry->shape.count && entry->good; k++) {
        throng_draw_person(loading, entry, k, &people[k].def);
        people[k].entry = entry->index;
    }
}

/* Numbers everybody, entry by entry. */
static bool count_people(throng_loading *loading) {
    throng_scenario *s = loading->scenario;
    s->entries = throng_allocate(loading->entry_count * sizeof *s->entries);
    s->entry_count = loading->entry_count;
    for (size_t i = 0; i < loading->entry_count; i++) {
        throng_entry *entry = &loading->entries[i];
        entry->first = s->person_count;
        s->person_count += entry->good ? entry->shape.count : 0;
        s->entries[i] = (throng_scenario_entry){.first = entry->first,
                                                .count = s->person_count - entry->first,
                                                .starts_at_velocity = entry->velocity_desired,
                                                .repeat = entry->repeat};
        throng_json_where(loading->reader.json, entry->node, &s->entries[i].line, &s->entries[i].column);
        if (s->person_count > loading->people_limit) {
            return throng_wrong(&loading->reader, entry->node, "with this entry there are more than %zu people",
                                loading->people_limit);
        }
    }
    s->people = throng_allocate(s->person_count * sizeof *s->people);
    return true;
}

/* In a place that could not be made, a picture shows the starts as they are given. */
static void sketch_starts(const throng_loading *loading) {
    for (size_t i = 0; loading->sketch && i < loading->entry_count; i++) {
        const throng_entry *entry = &loading->entries[i];
        if (!entry->good) continue;
        if (entry->shape.kind == THRONG_IN) {
            throng_sketch_add(loading->sketch, THRONG_SKETCH_START, entry->shape.ring, 0);
            continue;
        }
        throng_point *at = throng_allocate(entry->shape.count * sizeof *at);
        throng_shape_positions(&entry->shape, at);
        for (size_t k = 0; k < entry->shape.count; k++) {
            throng_sketch_person(loading->sketch, at[k], loading->scenario->people[entry->first + k].def.radius);
        }
        throng_release(at);
    }
}

static void make_people(throng_loading *loading) {
    if (!count_people(loading)) return;
    for (size_t i = 0; i < loading->entry_count; i++) {
        if (loading->entries[i].good) draw_people(loading, &loading->entries[i]);
    }
    if (!loading->walls) {
        sketch_starts(loading);
        return;
    }
    throng_place_people(loading);
    for (size_t i = 0; i < loading->entry_count; i++) {
        if (loading->entries[i].good) throng_send_people(loading, &loading->entries[i]);
    }
}

void throng_load_people(throng_loading *loading) {
    throng_reader *reader = &loading->reader;
    bool given = throng_value(reader, 0, "agents") != THRONG_NO_NODE;
    if (!given && throng_value(reader, 0, "sources") == THRONG_NO_NODE)
        throng_warn(reader, 0, "there are no \"agents\": nobody is in this scenario");
    throng_json_ref list = throng_section(reader, "agents", THRONG_JSON_LIST, "a list of entries");
    if (list == THRONG_NO_NODE) return;
    loading->entry_count = throng_json_count(reader->json, list);
    loading->entries = throng_allocate(loading->entry_count * sizeof *loading->entries);
    throng_traits fallback = throng_default_traits(loading);
    throng_json_ref item = throng_json_first(reader->json, list);
    for (size_t i = 0; i < loading->entry_count; i++, item = throng_json_after(reader->json, item)) {
        loading->entries[i] =
            (throng_entry){.node = item, .list = "agents", .index = (uint32_t)i, .stream = (uint32_t)i + 1};
        throng_load_entry(loading, &fallback, &loading->entries[i]);
    }
    make_people(loading);
    for (size_t i = 0; i < loading->entry_count; i++) throng_clear_entry(&loading->entries[i]);
    throng_clear_traits(&fallback);
}
