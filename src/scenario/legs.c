/* legs.c: where the people of an entry go: every form of its "goal" and "journey" (waypoint list), then each person's
 * own journey, and the point of its own it may walk to. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"

static throng_goal find_goal(throng_reader *reader, throng_json_ref node, const char *name) {
    size_t found = throng_names_find(&reader->goal_names, name);
    if (found != THRONG_NO_NAME) return (throng_goal)found + 1;
    if (reader->floor.failed) return 0; /* it may stand in the plan, which was complained about */
    throng_suggestion near = {.word = name};
    throng_suggest(&near, "antipode");
    throng_no_such(reader, node, "goal", near, &reader->goal_names, " in \"goals\"");
    return 0;
}

/* ------------------------------------------------------------------ throng_goal_forms of an entry's goal */

static bool read_leg(throng_reader *reader, throng_entry *entry, throng_json_ref node, throng_journey_leg *out);

/* {"any": [...]}: members are names, polygons and points. */
static bool read_any(throng_reader *reader, throng_entry *entry, throng_json_ref list, throng_goal_def *def) {
    size_t count = throng_read_list(reader, list, "a list of goals");
    if (count == 0) return false;
    throng_goal *members = throng_allocate(count * sizeof *members);
    def->kind = THRONG_GOAL_ANY;
    def->any = members;
    def->any_count = count;
    bool good = true, all_exits = true;
    THRONG_EACH_NTH (i, item, reader->json, list) {
        throng_journey_leg leg = {0};
        bool read = read_leg(reader, entry, item, &leg);
        if (read) {
            const throng_goal_def *member = leg.goal ? &reader->scenario->goals[leg.goal - 1] : NULL;
            bool place = leg.kind == THRONG_LEG_SHARED &&
                         (member->kind == THRONG_GOAL_AREA || member->kind == THRONG_GOAL_POINT);
            if (!place) read = throng_wrong(reader, item, "'any' chooses among polygons and points");
            members[i] = leg.goal;
            all_exits = all_exits && place && member->exit;
        }
        throng_clear_leg(&leg);
        good = read && good;
    }
    def->exit = def->exit || all_exits;
    return good;
}

/* {"choice": [["a", 2], ["b", 1]]}: options are names or any other form. */
static bool read_options(throng_reader *reader, throng_entry *entry, throng_json_ref list, throng_journey_leg *out) {
    const throng_json *json = reader->json;
    size_t count = throng_read_list(reader, list, "a list of [goal, weight]");
    if (count == 0) return false;
    out->options = throng_allocate(count * sizeof *out->options);
    out->weights = throng_allocate(count * sizeof *out->weights);
    out->option_count = count;
    bool good = true;
    double sum = 0;
    THRONG_EACH_NTH (i, item, json, list) {
        if (throng_json_kind_of(json, item) != THRONG_JSON_LIST || throng_json_count(json, item) != 2) {
            good = throng_expected(reader, item, "a pair [goal, weight]");
            continue;
        }
        throng_json_ref goal = throng_json_first(json, item), weight = throng_json_after(json, goal);
        double number = 0;
        good = read_leg(reader, entry, goal, &out->options[i]) && good;
        good = throng_read_number(reader, weight, (throng_range){0, INFINITY, false, ""}, &number) && good;
        if (out->options[i].kind == THRONG_LEG_CHOICE) good = throng_wrong(reader, goal, "a choice within a choice");
        out->weights[i] = sum += number;
    }
    if (good && !(sum > 0)) return throng_wrong(reader, list, "all weights are 0");
    return good;
}

static bool read_permute(throng_reader *reader, throng_json_ref node, throng_journey_leg *out) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_PERMUTE, "an object {\"offset\": [x, y]}")) return false;
    throng_json_ref offset = throng_value(reader, node, "offset");
    if (offset == THRONG_NO_NODE) return throng_lacks(reader, node, "offset", "'permute' needs \"offset\": [x, y]");
    return throng_read_vector(reader, offset, "an offset [x, y]", &out->vector);
}

/* The throng_goal_forms by which each person gets a point of its own. */
static bool read_own(throng_reader *reader, const throng_entry *entry, throng_json_ref value, int form,
                     throng_journey_leg *out) {
    throng_range coordinate = {-THRONG_FARTHEST, THRONG_FARTHEST, false, "m"};
    if (entry->source && (form == THRONG_FORM_POINTS || form == THRONG_FORM_PERMUTE)) {
        return throng_wrong(reader, value, "'%s' is for people who are all there at the start, not for a source",
                            throng_goal_forms[form]);
    }
    switch (form) {
        case THRONG_FORM_POINTS:
            out->kind = THRONG_LEG_POINTS;
            if (!throng_read_points(reader, value, 1, "a list of points [x, y]", &out->points)) return false;
            if (!entry->good || out->points.count == entry->shape.count) return true;
            return throng_wrong(reader, value, "%zu points for %zu people: one for each is needed", out->points.count,
                                entry->shape.count);
        case THRONG_FORM_OFFSET:
            out->kind = THRONG_LEG_OFFSET;
            return throng_read_vector(reader, value, "an offset [x, y]", &out->vector);
        case THRONG_FORM_X:
            out->kind = THRONG_LEG_X;
            return throng_read_number(reader, value, coordinate, &out->vector.x);
        case THRONG_FORM_Y:
            out->kind = THRONG_LEG_Y;
            return throng_read_number(reader, value, coordinate, &out->vector.y);
        default:
            out->kind = THRONG_LEG_PERMUTE;
            return read_permute(reader, value, out);
    }
}

static bool read_goal_object(throng_reader *reader, throng_entry *entry, throng_json_ref node,
                             throng_journey_leg *out) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_GOAL, "the name of a goal, or an object")) return false;
    int form = throng_read_alternative(reader, node, throng_goal_forms, THRONG_FORM_COUNT, "a goal");
    if (form < 0) return false;
    throng_json_ref value = throng_value(reader, node, throng_goal_forms[form]);
    throng_goal_def def = throng_default_goal_def();
    bool good = throng_read_goal_extras(reader, node, form, &def);
    if (form == THRONG_FORM_CHOICE) {
        out->kind = THRONG_LEG_CHOICE;
        if (throng_value(reader, node, "exit") != THRONG_NO_NODE) {
            good = throng_wrong(reader, node, "'exit' belongs to the goals of a choice, not to the choice");
        }
        return read_options(reader, entry, value, out) && good;
    }
    if (form == THRONG_FORM_POLYGON || form == THRONG_FORM_RANDOM_IN || form == THRONG_FORM_ANY) {
        bool read = form == THRONG_FORM_ANY ? read_any(reader, entry, value, &def)
                                            : throng_read_goal_place(reader, value, form, &def);
        out->goal = throng_add_goal(reader->scenario, def);
        return read && good;
    }
    if (form == THRONG_FORM_POINT || form == THRONG_FORM_DIRECTION) {
        good = throng_read_goal_place(reader, value, form, &def) && good;
    } else {
        def.kind = THRONG_GOAL_OWN;
        good = read_own(reader, entry, value, form, out) && good;
    }
    out->goal = throng_intern_goal(reader, def);
    return good;
}

static bool read_antipode(throng_reader *reader, const throng_entry *entry, throng_json_ref node,
                          throng_journey_leg *out) {
    bool round = entry->shape.kind == THRONG_ON_RING || entry->shape.kind == THRONG_ELLIPSE;
    if (entry->good && !round) {
        return throng_wrong(reader, node, "\"antipode\" needs people placed by \"ring\" or \"ellipse\"");
    }
    out->kind = THRONG_LEG_ANTIPODE;
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_OWN;
    out->goal = throng_intern_goal(reader, def);
    return true;
}

static bool read_leg(throng_reader *reader, throng_entry *entry, throng_json_ref node, throng_journey_leg *out) {
    *out = (throng_journey_leg){.kind = THRONG_LEG_SHARED, .node = node};
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_TEXT) {
        return read_goal_object(reader, entry, node, out);
    }
    if (strcmp(throng_json_text_of(reader->json, node), "antipode") == 0) {
        return read_antipode(reader, entry, node, out);
    }
    out->goal = find_goal(reader, node, throng_json_text_of(reader->json, node));
    return out->goal != 0;
}

void throng_clear_leg(throng_journey_leg *leg) {
    for (size_t i = 0; i < leg->option_count; i++) throng_clear_leg(&leg->options[i]);
    THRONG_RELEASE(leg->options, leg->weights, (void *)leg->points.points);
    *leg = (throng_journey_leg){0};
}

/* ------------------------------------------------------------------ journeys */

/* Whether anybody can come to the end of a leg and go on; complains when not. */
static bool can_go_on(throng_reader *reader, const throng_entry *entry, const throng_journey_leg *leg) {
    for (size_t i = 0; i < leg->option_count; i++) {
        if (!can_go_on(reader, entry, &leg->options[i])) return false;
    }
    if (leg->kind == THRONG_LEG_CHOICE || leg->goal == 0) return true;
    const throng_goal_def *goal = &reader->scenario->goals[leg->goal - 1];
    if (goal->kind == THRONG_GOAL_DIRECTION) {
        return throng_wrong(reader, leg->node, "a direction is never reached: it can only be the last of a journey");
    }
    if (goal->kind == THRONG_GOAL_ROAM && goal->repeat) {
        return throng_wrong(reader, leg->node, "'repeat' never ends: it can only be the last of a journey");
    }
    if (goal->exit) {
        return throng_wrong(reader, leg->node, "people leave at an exit: it can only be the last of a journey%s",
                            entry->repeat ? " that does not repeat" : "");
    }
    return true;
}

static bool has_own_points(const throng_journey_leg *leg) {
    for (size_t i = 0; i < leg->option_count; i++) {
        if (has_own_points(&leg->options[i])) return true;
    }
    return leg->kind > THRONG_LEG_CHOICE;
}

static bool roams(const throng_reader *reader, const throng_journey_leg *leg) {
    for (size_t i = 0; i < leg->option_count; i++) {
        if (roams(reader, &leg->options[i])) return true;
    }
    return leg->goal && reader->scenario->goals[leg->goal - 1].kind == THRONG_GOAL_ROAM;
}

/* A person has one point of its own: a random one on the way there, or on the way round, would replace it. */
static bool keeps_own_points(throng_reader *reader, const throng_entry *entry) {
    bool roamed = false;
    for (size_t turn = 0; turn < (entry->repeat ? 2 : 1); turn++) {
        for (size_t i = 0; i < entry->leg_count; i++) {
            if (roamed && has_own_points(&entry->legs[i])) {
                return throng_wrong(reader, entry->legs[i].node,
                                    "a point of one's own cannot come after a random point");
            }
            roamed = roamed || roams(reader, &entry->legs[i]);
        }
    }
    return true;
}

static bool read_journey(throng_reader *reader, throng_entry *entry, throng_json_ref list) {
    size_t count = throng_read_list(reader, list, "a list of goals"), own = 0;
    if (count == 0) return false;
    entry->legs = throng_allocate(count * sizeof *entry->legs);
    entry->leg_count = count;
    bool good = true;
    THRONG_EACH_NTH (i, item, reader->json, list) {
        throng_journey_leg *leg = &entry->legs[i];
        bool read = read_leg(reader, entry, item, leg);
        if (read && (i + 1 < count || entry->repeat)) read = can_go_on(reader, entry, leg);
        if (read && has_own_points(leg) && own++ > 0) {
            read = throng_wrong(reader, item, "a journey can have one goal that is a point of one's own, not two");
        }
        good = read && good;
    }
    return good && keeps_own_points(reader, entry);
}

static bool read_repeat(throng_reader *reader, throng_entry *entry) {
    throng_json_ref repeat = throng_value(reader, entry->node, "repeat");
    if (repeat == THRONG_NO_NODE) return true;
    throng_json_ref journey = throng_value(reader, entry->node, "journey");
    if (!throng_read_bool(reader, repeat, &entry->repeat)) return false;
    if (!entry->repeat || (journey != THRONG_NO_NODE && throng_json_count(reader->json, journey) > 1)) return true;
    return throng_wrong(reader, repeat, "'repeat' needs a 'journey' of two goals or more");
}

bool throng_load_legs(throng_reader *reader, throng_entry *entry) {
    bool good = read_repeat(reader, entry);
    throng_json_ref goal = throng_value(reader, entry->node, "goal"),
                    journey = throng_value(reader, entry->node, "journey");
    if (goal != THRONG_NO_NODE && journey != THRONG_NO_NODE) {
        return throng_wrong(reader, journey, "an entry takes one of 'goal' and 'journey', not both");
    }
    if (journey != THRONG_NO_NODE) return read_journey(reader, entry, journey) && good;
    const throng_floor_shape *spawn = throng_spawn_of(reader, entry->node);
    bool spawned = goal == THRONG_NO_NODE && spawn && *spawn->goal;
    if (goal == THRONG_NO_NODE && !spawned) {
        throng_note(reader, entry->node, "neither 'goal' nor 'journey': these people stay where they are");
        return good;
    }
    throng_journey_leg *leg = entry->legs = throng_allocate(sizeof *leg);
    entry->leg_count = 1;
    if (!spawned) return read_leg(reader, entry, goal, leg) && good;
    *leg = (throng_journey_leg){.kind = THRONG_LEG_SHARED, .node = throng_value(reader, entry->node, "in")};
    leg->goal = find_goal(reader, leg->node, spawn->goal);
    return leg->goal != 0 && good;
}

/* ------------------------------------------------------------------ each person's own */

enum { DRAW_OPTION, DRAW_PERMUTATION }; /* throng_draws.what */

/* Who starts where the k-th person is sent to: a random permutation (Fisher and Yates). */
static uint32_t *deal_out(const throng_reader *reader, const throng_entry *entry) {
    size_t count = entry->shape.count;
    uint32_t *order = throng_allocate(count * sizeof *order);
    for (size_t k = 0; k < count; k++) order[k] = (uint32_t)k;
    for (size_t k = count - 1; k > 0; k--) {
        throng_draws draws =
            throng_entry_draws(reader->scenario->seed, entry->stream, k, DRAW_PERMUTATION, THRONG_RANDOM_GOAL);
        size_t other = (size_t)(throng_draw_uniform(&draws) * (double)(k + 1));
        uint32_t swapped = order[k];
        order[k] = order[other];
        order[other] = swapped;
    }
    return order;
}

throng_point throng_leg_target(const throng_journey_leg *leg, throng_point at, throng_point centre) {
    switch (leg->kind) {
        case THRONG_LEG_X:
            return (throng_point){leg->vector.x, at.y};
        case THRONG_LEG_Y:
            return (throng_point){at.x, leg->vector.y};
        case THRONG_LEG_ANTIPODE:
            return (throng_point){2 * centre.x - at.x, 2 * centre.y - at.y};
        default:
            return (throng_point){at.x + leg->vector.x, at.y + leg->vector.y};
    }
}

static throng_point target_of(const throng_reader *reader, const throng_entry *entry, const throng_journey_leg *leg,
                              size_t k, const uint32_t *order) {
    if (leg->kind == THRONG_LEG_POINTS) return leg->points.points[k];
    const throng_person *people = reader->scenario->people + entry->first;
    throng_point at = people[leg->kind == THRONG_LEG_PERMUTE ? order[k] : k].def.at;
    return throng_leg_target(leg, at, entry->shape.centre);
}

const throng_journey_leg *throng_choose_leg(const throng_journey_leg *legs, size_t index, uint64_t seed,
                                            uint32_t stream, uint64_t k) {
    const throng_journey_leg *leg = &legs[index];
    if (leg->kind != THRONG_LEG_CHOICE) return leg;
    throng_draws draws = throng_entry_draws(seed, stream, k, DRAW_OPTION, THRONG_RANDOM_GOAL);
    draws.next = (uint32_t)index;
    double u = throng_draw_uniform(&draws) * leg->weights[leg->option_count - 1];
    size_t i = 0;
    while (i + 1 < leg->option_count && u >= leg->weights[i]) i++;
    return &leg->options[i];
}

static bool needs_order(const throng_journey_leg *legs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (legs[i].kind == THRONG_LEG_PERMUTE || needs_order(legs[i].options, legs[i].option_count)) return true;
    }
    return false;
}

/* Appends the goals of one person, and finds the point of its own; counts those outside the place. */
static void append_journey(throng_reader *reader, const throng_entry *entry, size_t k, const uint32_t *order,
                           size_t *outside) {
    throng_scenario *s = reader->scenario;
    throng_person *person = &s->people[entry->first + k];
    THRONG_GROW(s->journey_goals, s->journey_goal_capacity, s->journey_goal_count + entry->leg_count);
    person->journey = (uint32_t)s->journey_goal_count;
    person->journey_count = (uint32_t)entry->leg_count;
    for (size_t i = 0; i < entry->leg_count; i++) {
        const throng_journey_leg *leg = throng_choose_leg(entry->legs, i, s->seed, entry->stream, k);
        s->journey_goals[s->journey_goal_count++] = leg->goal;
        if (leg->kind <= THRONG_LEG_CHOICE) continue;
        person->def.target = target_of(reader, entry, leg, k, order);
        if (throng_is_walkable(reader, person->def.target) || (*outside)++ > 0) continue;
        throng_wrong(reader, leg->node,
                     "the goal (%.9g, %.9g) of the person at (%.9g, %.9g) lies outside the "
                     "walkable area",
                     person->def.target.x, person->def.target.y, person->def.at.x, person->def.at.y);
    }
}

static bool is_same_for_all(const throng_entry *entry) {
    for (size_t i = 0; i < entry->leg_count; i++) {
        if (entry->legs[i].kind == THRONG_LEG_CHOICE) return false;
    }
    return true;
}

void throng_send_people(throng_reader *reader, const throng_entry *entry) {
    throng_scenario *s = reader->scenario;
    if (entry->leg_count == 0) return;
    uint32_t *order = needs_order(entry->legs, entry->leg_count) ? deal_out(reader, entry) : NULL;
    bool shared = is_same_for_all(entry);
    size_t before = s->journey_goal_count, outside = 0;
    for (size_t k = 0; k < entry->shape.count; k++) {
        append_journey(reader, entry, k, order, &outside);
        if (!shared || k == 0) continue;
        /* The goals are those of the entry's first person; only the target is one's own. */
        s->journey_goal_count -= entry->leg_count;
        s->people[entry->first + k].journey = (uint32_t)before;
    }
    if (outside > 1) {
        throng_wrong(reader, entry->legs[0].node, "%zu more people have goals outside the walkable area", outside - 1);
    }
    throng_release(order);
}
