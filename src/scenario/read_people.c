/* read_people.c: what "agents" and "sources" have in common, and "agents". */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"

static const throng_range start_s = {0, 1e9, false, "s"};

static bool load_who(throng_reader *reader, const throng_traits *fallback, throng_entry *entry) {
    throng_json_ref profile = throng_value(reader, entry->node, "profile");
    size_t found = THRONG_NO_NAME;
    bool known = profile == THRONG_NO_NODE ||
                 throng_read_name(reader, profile, "profile", &reader->profile_names, " in \"profiles\"", &found);
    const throng_traits *base = found == THRONG_NO_NAME ? fallback : &reader->profiles[found];
    bool good = throng_load_traits(reader, entry->node, base, &entry->traits);
    entry->profile = throng_intern_profile(reader, &entry->traits.model);
    return good && known;
}

static bool load_group(throng_reader *reader, throng_entry *entry) {
    throng_json_ref group = throng_value(reader, entry->node, "group"),
                    label = throng_value(reader, entry->node, "label");
    char own_name[32];
    snprintf(own_name, sizeof own_name, "%s[%u]", entry->list, entry->index);
    const char *name = own_name, *text;
    bool good = throng_read_text(reader, group, &name);
    if (good && !*name) good = throng_wrong(reader, group, "a group needs a name");
    good = throng_read_text(reader, label, &text) && good;
    entry->group = (throng_group)throng_names_add(&reader->scenario->groups, *name ? name : own_name) + 1;
    return good;
}

static bool load_velocity(throng_reader *reader, throng_entry *entry) {
    static const char *const words[] = {"rest", "desired"};
    throng_json_ref node = throng_value(reader, entry->node, "velocity");
    if (node == THRONG_NO_NODE) return true;
    if (throng_json_kind_of(reader->json, node) == THRONG_JSON_TEXT) {
        int word = throng_read_word(reader, node, words, 2);
        entry->velocity_desired = word == 1;
        return word >= 0;
    }
    return throng_read_vector(reader, node, "\"rest\", \"desired\" or [vx, vy]", &entry->velocity);
}

static bool load_motion(throng_reader *reader, throng_entry *entry) {
    bool good = load_velocity(reader, entry);
    throng_json_ref push = throng_value(reader, entry->node, "acceleration");
    good = throng_read_vector(reader, push, "an acceleration [ax, ay]", &entry->acceleration) && good;
    throng_json_ref start = throng_value(reader, entry->node, "start_after");
    entry->start_after = throng_always(0);
    return throng_read_distribution(reader, start, start_s, &entry->start_after) && good;
}

void throng_load_entry(throng_reader *reader, const throng_traits *fallback, throng_entry *entry) {
    throng_keys_kind keys = entry->source ? THRONG_KEYS_SOURCE : THRONG_KEYS_ENTRY;
    if (!throng_read_keys(reader, entry->node, keys, "an object")) return;
    entry->good = throng_load_shape(reader, entry, &entry->shape);
    bool who = load_who(reader, fallback, entry);
    bool good = load_group(reader, entry);
    good = load_motion(reader, entry) && good;
    good = throng_load_legs(reader, entry) && good;
    entry->good = entry->good && who && good;
}

void throng_clear_entry(throng_entry *entry) {
    throng_clear_traits(&entry->traits);
    throng_clear_distribution(&entry->start_after);
    throng_release((void *)entry->shape.ring.points);
    for (size_t i = 0; i < entry->leg_count; i++) throng_clear_leg(&entry->legs[i]);
    throng_release(entry->legs);
}

/* One value of a person; complains once per entry about a draw outside the range. */
static double draw_value(throng_reader *reader, throng_entry *entry, uint64_t k, uint64_t what,
                         const throng_distribution *distribution, throng_range range, throng_json_ref node) {
    throng_draws draws = throng_entry_draws(reader->scenario->seed, entry->stream, k, what, THRONG_RANDOM_PROFILE);
    double value = throng_draw(distribution, &draws);
    if (distribution->kind == THRONG_FIXED || throng_is_in_range(range, value) || !entry->good) return value;
    throng_wrong(reader, node, "%.4g was drawn for person %llu of %s[%u]; give the distribution a \"%s\"", value,
                 (unsigned long long)k + 1, entry->list, entry->index, value > range.low ? "max" : "min");
    entry->good = false;
    return value;
}

void throng_draw_person(throng_reader *reader, throng_entry *entry, uint64_t k, throng_agent_def *def) {
    throng_json_ref start = throng_value(reader, entry->node, "start_after");
    double value[THRONG_TRAIT_COUNT];
    for (size_t i = 0; i < THRONG_TRAIT_COUNT; i++) {
        value[i] =
            draw_value(reader, entry, k, i, &entry->traits.value[i], throng_trait_range(i), entry->traits.node[i]);
    }
    *def = throng_default_agent_def();
    def->radius = value[THRONG_DRAW_RADIUS];
    def->desired_speed = value[THRONG_DRAW_DESIRED_SPEED];
    def->max_speed = value[THRONG_DRAW_MAX_SPEED];
    def->mass = value[THRONG_DRAW_MASS];
    def->start_after = draw_value(reader, entry, k, THRONG_DRAW_START, &entry->start_after, start_s, start);
    def->velocity = entry->velocity;
    def->acceleration = entry->acceleration;
    def->profile = entry->profile;
    def->group = entry->group;
    def->repeat = entry->repeat;
}

/* Numbers everybody, entry by entry. */
static bool count_people(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    s->entries = throng_allocate(reader->entry_count * sizeof *s->entries);
    s->entry_count = reader->entry_count;
    for (size_t i = 0; i < reader->entry_count; i++) {
        throng_entry *entry = &reader->entries[i];
        entry->first = s->person_count;
        s->person_count += entry->good ? entry->shape.count : 0;
        s->entries[i] = (throng_scenario_entry){.first = entry->first,
                                                .count = s->person_count - entry->first,
                                                .starts_at_velocity = entry->velocity_desired,
                                                .repeat = entry->repeat};
        throng_json_where(reader->json, entry->node, &s->entries[i].line, &s->entries[i].column);
        if (s->person_count > reader->people_limit) {
            return throng_wrong(reader, entry->node, "with this entry there are more than %zu people",
                                reader->people_limit);
        }
    }
    s->people = throng_allocate(s->person_count * sizeof *s->people);
    return true;
}

/* In a place that could not be made, a picture shows the starts as they are given. */
static void sketch_starts(const throng_reader *reader) {
    for (size_t i = 0; reader->sketch && i < reader->entry_count; i++) {
        const throng_entry *entry = &reader->entries[i];
        if (!entry->good) continue;
        if (entry->shape.kind == THRONG_IN) {
            throng_sketch_add(reader->sketch, THRONG_SKETCH_START, entry->shape.ring, 0);
            continue;
        }
        throng_point *at = throng_allocate(entry->shape.count * sizeof *at);
        throng_shape_positions(&entry->shape, at);
        for (size_t k = 0; k < entry->shape.count; k++) {
            throng_sketch_person(reader->sketch, at[k], reader->scenario->people[entry->first + k].def.radius);
        }
        throng_release(at);
    }
}

static void make_people(throng_reader *reader) {
    if (!count_people(reader)) return;
    for (size_t i = 0; i < reader->entry_count; i++) {
        throng_entry *entry = &reader->entries[i];
        for (size_t k = 0; k < entry->shape.count && entry->good; k++) {
            throng_person *person = &reader->scenario->people[entry->first + k];
            throng_draw_person(reader, entry, k, &person->def);
            person->entry = entry->index;
        }
    }
    if (!reader->walls) {
        sketch_starts(reader);
        return;
    }
    throng_place_people(reader);
    for (size_t i = 0; i < reader->entry_count; i++) {
        if (reader->entries[i].good) throng_send_people(reader, &reader->entries[i]);
    }
}

void throng_load_people(throng_reader *reader) {
    bool given = throng_value(reader, 0, "agents") != THRONG_NO_NODE;
    if (!given && throng_value(reader, 0, "sources") == THRONG_NO_NODE)
        throng_warn(reader, 0, "there are no \"agents\": nobody is in this scenario");
    throng_json_ref list = throng_section(reader, "agents", THRONG_JSON_LIST, "a list of entries");
    if (list == THRONG_NO_NODE) return;
    reader->entry_count = throng_json_count(reader->json, list);
    reader->entries = throng_allocate(reader->entry_count * sizeof *reader->entries);
    throng_traits fallback = throng_default_traits(reader);
    THRONG_EACH_NTH (i, item, reader->json, list) {
        reader->entries[i] =
            (throng_entry){.node = item, .list = "agents", .index = (uint32_t)i, .stream = (uint32_t)i + 1};
        throng_load_entry(reader, &fallback, &reader->entries[i]);
    }
    make_people(reader);
    for (size_t i = 0; i < reader->entry_count; i++) throng_clear_entry(&reader->entries[i]);
    throng_clear_traits(&fallback);
}
