/* read_events.c: "events": what happens while it runs. */

#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"

static const throng_range time_s = {0, 1e9, false, "s"};

/* The keys that say what happens, in the order of throng_event_kind. */
static const char *const kinds[] = {"remove", "restore", "move", "close", "open", "set", "throw"};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static bool read_obstacle(throng_reader *reader, throng_json_ref node, throng_event_def *out) {
    const throng_place *place = reader->scenario->place;
    const char *id;
    if (!throng_read_text(reader, node, &id)) return false;
    out->obstacle = throng_copy_text(id);
    if (!place) return false; /* what is wrong with it has been told */
    throng_suggestion near = {.word = id};
    for (size_t i = 0; place->source && i < place->source->obstacle_count; i++) {
        const char *own = place->source->obstacles[i].id;
        if (!own || !*own) continue;
        if (strcmp(own, id) == 0) return true;
        throng_suggest(&near, own);
    }
    return throng_no_such(reader, node, "obstacle with the id", near, NULL, "");
}

static bool read_goal(throng_reader *reader, throng_json_ref node, throng_event_def *out) {
    size_t number;
    if (!throng_read_name(reader, node, "goal", &reader->goal_names, "", &number)) return false;
    out->goal = (throng_goal)number + 1;
    if (reader->scenario->goals[number].kind != THRONG_GOAL_DIRECTION) return true;
    return throng_wrong(reader, node, "goal '%.80s' is a direction, which cannot close or open",
                        reader->goal_names.names[number]);
}

static bool read_set(throng_reader *reader, throng_json_ref object, throng_json_ref node, throng_event_def *out) {
    throng_json_ref to = throng_value(reader, object, "to"), group = throng_value(reader, object, "group");
    const char *what;
    if (!throng_read_text(reader, node, &what)) return false;
    out->set = throng_copy_text(what);
    bool good = true;
    if (group != THRONG_NO_NODE) {
        size_t number = 0;
        good = throng_read_name(reader, group, "group", &reader->scenario->groups, "", &number);
        if (good) out->group = (throng_group)number + 1;
    }
    if (to == THRONG_NO_NODE) return throng_lacks(reader, object, "to", "'to' is missing: what it is set to");
    if (strncmp(what, "params.", 7) == 0) return throng_read_param_of_any(reader, node, what + 7, to, &out->to) && good;
    if (strcmp(what, "desired_speed") == 0) {
        return throng_read_number(reader, to, throng_trait_range(THRONG_DRAW_DESIRED_SPEED), &out->to) && good;
    }
    return throng_wrong(reader, node, "'%.80s' cannot be set: expected \"params.NAME\" or \"desired_speed\"", what);
}

static bool read_move(throng_reader *reader, throng_json_ref object, throng_event_def *out) {
    throng_json_ref by = throng_value(reader, object, "by"), during = throng_value(reader, object, "during");
    bool good = throng_read_number(reader, during, time_s, &out->during);
    if (by == THRONG_NO_NODE) return throng_lacks(reader, object, "by", "'by' is missing: [x, y], how far it moves");
    return throng_read_vector(reader, by, "how far it moves, [x, y]", &out->by) && good;
}

static bool read_throw(throng_reader *reader, throng_json_ref object, throng_json_ref node, throng_event_def *out) {
    const throng_names *names = &reader->object_names;
    throng_json_ref velocity = throng_value(reader, object, "velocity"), spin = throng_value(reader, object, "spin");
    const char *name;
    if (!throng_read_text(reader, node, &name)) return false;
    out->object = throng_copy_text(name);
    if (!*name || throng_names_find(names, name) == THRONG_NO_NAME)
        return throng_no_such(reader, node, "object with the id", (throng_suggestion){.word = name}, names, "");
    if (velocity == THRONG_NO_NODE)
        return throng_lacks(reader, object, "velocity", "'velocity' is missing: [vx, vy, vz], how it is thrown");
    throng_range speed = {-50, 50, false, "m/s"}, turns = {-50, 50, false, "rad/s"};
    bool good = throng_read_point3(reader, velocity, "a velocity [vx, vy, vz]", speed, &out->velocity);
    return throng_read_point3(reader, spin, "a spin [x, y, z]", turns, &out->spin) && good;
}

/* Keys that go with one kind of event only. */
static bool refuse_strays(throng_reader *reader, throng_json_ref object, throng_event_kind kind) {
    static const struct {
        const char *key;
        throng_event_kind kind;
    } own[] = {{"by", THRONG_EVENT_MOVE},   {"during", THRONG_EVENT_MOVE},    {"to", THRONG_EVENT_SET},
               {"group", THRONG_EVENT_SET}, {"velocity", THRONG_EVENT_THROW}, {"spin", THRONG_EVENT_THROW}};
    bool good = true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        throng_json_ref node = throng_value(reader, object, own[i].key);
        if (node == THRONG_NO_NODE || own[i].kind == kind) continue;
        good = throng_wrong(reader, node, "'%s' goes with '%s', not with '%s'", own[i].key, kinds[own[i].kind],
                            kinds[kind]);
    }
    return good;
}

static bool read_event(throng_reader *reader, throng_json_ref object, throng_event_def *out) {
    if (!throng_read_keys(reader, object, THRONG_KEYS_EVENT, "an event")) return false;
    throng_json_ref time = throng_value(reader, object, "time");
    bool good = time != THRONG_NO_NODE ? throng_read_number(reader, time, time_s, &out->time)
                                       : throng_lacks(reader, object, "time", "'time' is missing");
    int kind = throng_read_alternative(reader, object, kinds, KIND_COUNT, "an event");
    if (kind < 0) return false;
    out->kind = (throng_event_kind)kind;
    throng_json_ref node = throng_value(reader, object, kinds[kind]);
    good = refuse_strays(reader, object, out->kind) && good;
    switch (out->kind) {
        case THRONG_EVENT_CLOSE:
        case THRONG_EVENT_OPEN:
            return read_goal(reader, node, out) && good;
        case THRONG_EVENT_SET:
            return read_set(reader, object, node, out) && good;
        case THRONG_EVENT_THROW:
            return read_throw(reader, object, node, out) && good;
        case THRONG_EVENT_MOVE:
            good = read_move(reader, object, out) && good;
            return read_obstacle(reader, node, out) && good;
        default:
            return read_obstacle(reader, node, out) && good;
    }
}

void throng_load_events(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    throng_json_ref list = throng_section(reader, "events", THRONG_JSON_LIST, "a list of events");
    if (list == THRONG_NO_NODE) return;
    s->events = throng_allocate(throng_json_count(reader->json, list) * sizeof *s->events);
    THRONG_EACH_ITEM (item, reader->json, list) {
        throng_scenario_event *event = &s->events[s->event_count++];
        event->def = throng_default_event_def();
        throng_json_where(reader->json, item, &event->line, &event->column);
        read_event(reader, item, &event->def);
    }
}

void throng_clear_events(throng_scenario *s) {
    for (size_t i = 0; i < s->event_count; i++) {
        THRONG_RELEASE((void *)s->events[i].def.obstacle, (void *)s->events[i].def.set,
                       (void *)s->events[i].def.object);
    }
    throng_release(s->events);
}
