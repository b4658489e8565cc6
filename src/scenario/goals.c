/* goals.c: the list of goals, the named ones of "goals", and what goals where people stay for a while say: "wait",
 * "capacity" and "queue" (the line of people waiting). */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"

enum { DRAWS_CHECKED = 1000 };

static const throng_range wait_s = {0, 1e9, false, "s"};

static double draw(const void *context, uint64_t seed, uint64_t who, uint64_t when) {
    throng_draws draws = {.seed = seed, .who = who, .what = when, .purpose = THRONG_RANDOM_WAIT};
    return fmin(fmax(throng_draw(context, &draws), wait_s.low), wait_s.high);
}

static void destroy(void *context) {
    throng_clear_distribution(context);
    throng_release(context);
}

static throng_drawing drawing_of(const throng_distribution *distribution) {
    throng_distribution *own = throng_allocate(sizeof *own);
    *own = throng_copy_distribution(distribution);
    return (throng_drawing){.draw = draw, .destroy = destroy, .context = own};
}

throng_drawing throng_copy_wait(const throng_drawing *wait) {
    return wait->draw ? drawing_of(wait->context) : (throng_drawing){0};
}

static bool check_draws(throng_reader *reader, throng_json_ref node, const throng_distribution *distribution) {
    for (uint64_t k = 0; k < DRAWS_CHECKED; k++) {
        throng_draws draws = {.seed = reader->scenario->seed, .who = k, .purpose = THRONG_RANDOM_WAIT};
        double wait = throng_draw(distribution, &draws);
        if (wait >= wait_s.low && wait <= wait_s.high) continue;
        return throng_wrong(reader, node, "a wait of %.4g s was drawn; give the distribution a \"%s\"", wait,
                            wait < wait_s.low ? "min" : "max");
    }
    return true;
}

static bool read_wait(throng_reader *reader, throng_json_ref node, throng_goal_def *def) {
    throng_distribution wait;
    bool good = throng_read_distribution(reader, node, wait_s, &wait);
    if (good && wait.kind == THRONG_FIXED) def->wait = wait.a;
    if (good && wait.kind != THRONG_FIXED) {
        good = check_draws(reader, node, &wait);
        if (good) def->drawn_wait = drawing_of(&wait);
    }
    throng_clear_distribution(&wait);
    return good;
}

static bool read_queue(throng_reader *reader, throng_json_ref node, throng_goal_def *def) {
    if (!throng_read_points(reader, node, 1, "a list of points [x, y], from the head of the line", &def->queue)) {
        return false;
    }
    THRONG_EACH_NTH (i, item, reader->json, node) {
        if (throng_is_walkable(reader, def->queue.points[i])) continue;
        return throng_wrong(reader, item, "the line (%.9g, %.9g) lies outside the walkable area",
                            def->queue.points[i].x, def->queue.points[i].y);
    }
    return true;
}

/* Of a choice and of several goals, each one has its own wait; a direction has no end to wait at. */
static bool can_wait(throng_reader *reader, throng_json_ref node, int form) {
    if (form == THRONG_FORM_DIRECTION) {
        return throng_wrong(reader, node, "a direction is never reached: nobody can wait there");
    }
    if (form != THRONG_FORM_ANY && form != THRONG_FORM_CHOICE) return true;
    return throng_wrong(reader, node, "'wait' belongs to the goals of '%s', not beside it", throng_goal_forms[form]);
}

static bool read_waiting(throng_reader *reader, throng_json_ref object, int form, throng_goal_def *def) {
    throng_json_ref wait = throng_value(reader, object, "wait"), capacity = throng_value(reader, object, "capacity");
    throng_json_ref queue = throng_value(reader, object, "queue");
    bool good = wait == THRONG_NO_NODE || (can_wait(reader, wait, form) && read_wait(reader, wait, def));
    uint64_t served = 0;
    good = throng_read_whole(reader, capacity, 1, 1000000, &served) && good;
    def->capacity = (uint32_t)served;
    if (queue != THRONG_NO_NODE) good = read_queue(reader, queue, def) && good;

    throng_json_ref line = capacity != THRONG_NO_NODE ? capacity : queue;
    if (line == THRONG_NO_NODE || !good) return good;
    const char *key = capacity != THRONG_NO_NODE ? "capacity" : "queue";
    if (form != THRONG_FORM_POINT && form != THRONG_FORM_POLYGON) {
        return throng_wrong(reader, line, "'%s' goes with 'point' and 'polygon' only", key);
    }
    bool waits = def->wait > 0 || def->drawn_wait.draw;
    return waits || throng_wrong(reader, line, "'%s' means nothing without 'wait'", key);
}

const char *const throng_goal_forms[THRONG_FORM_COUNT] = {[THRONG_FORM_POLYGON] = "polygon",
                                                          [THRONG_FORM_POINT] = "point",
                                                          [THRONG_FORM_DIRECTION] = "direction",
                                                          [THRONG_FORM_RANDOM_IN] = "random_in",
                                                          [THRONG_FORM_ANY] = "any",
                                                          [THRONG_FORM_CHOICE] = "choice",
                                                          [THRONG_FORM_POINTS] = "points",
                                                          [THRONG_FORM_OFFSET] = "offset",
                                                          [THRONG_FORM_X] = "x",
                                                          [THRONG_FORM_Y] = "y",
                                                          [THRONG_FORM_PERMUTE] = "permute"};

static uint64_t hash_goal(const throng_goal_def *def) {
    uint64_t bits[3];
    memcpy(bits, &def->point, sizeof def->point);
    memcpy(bits + 2, &def->radius, sizeof def->radius);
    uint64_t hash = ((uint64_t)def->kind * 2 + def->exit) ^ (uint64_t)def->capacity << 32;
    for (int i = 0; i < 3; i++) hash = throng_mix(hash ^ bits[i]);
    return hash;
}

static bool same_goal(const throng_goal_def *a, const throng_goal_def *b) {
    if (a->drawn_wait.draw || b->drawn_wait.draw || a->queue.count || b->queue.count) return false;
    if (a->wait != b->wait || a->capacity != b->capacity) return false;
    return a->kind == b->kind && a->exit == b->exit && a->radius == b->radius && a->point.x == b->point.x &&
           a->point.y == b->point.y && strcmp(a->name, b->name) == 0;
}

throng_goal throng_add_goal(throng_scenario *s, throng_goal_def def) {
    def.name = throng_copy_text(def.name);
    THRONG_GROW(s->goals, s->goal_capacity, s->goal_count + 1);
    s->goals[s->goal_count++] = def;
    return (throng_goal)s->goal_count;
}

/* The free slot for a goal, or the slot of one that equals it. */
static size_t slot_of(const throng_reader *reader, const throng_goal_def *def) {
    size_t mask = reader->goal_table_size - 1, slot = hash_goal(def) & mask;
    const throng_goal_def *goals = reader->scenario->goals;
    while (reader->goal_table[slot] && !same_goal(&goals[reader->goal_table[slot] - 1], def)) slot = (slot + 1) & mask;
    return slot;
}

throng_goal throng_intern_goal(throng_reader *reader, throng_goal_def def) {
    throng_scenario *s = reader->scenario;
    if (2 * (s->goal_count + 1) > reader->goal_table_size) {
        uint32_t *old = reader->goal_table;
        size_t old_size = reader->goal_table_size;
        reader->goal_table_size = 64;
        while (reader->goal_table_size < 4 * (s->goal_count + 1)) reader->goal_table_size *= 2;
        reader->goal_table = throng_allocate(reader->goal_table_size * sizeof *old);
        for (size_t i = 0; i < old_size; i++) {
            if (old[i]) reader->goal_table[slot_of(reader, &s->goals[old[i] - 1])] = old[i];
        }
        throng_release(old);
    }
    size_t slot = slot_of(reader, &def);
    if (!reader->goal_table[slot]) reader->goal_table[slot] = throng_add_goal(s, def);
    return reader->goal_table[slot];
}

static bool refuse_outside(throng_reader *reader, throng_json_ref node, throng_point at) {
    throng_wrong(reader, node, "the goal lies outside the walkable area");
    return throng_locate(reader, at);
}

static bool read_ring(throng_reader *reader, throng_json_ref node, throng_goal_def *def) {
    if (!throng_read_polygon(reader, node, &def->ring)) return false;
    return throng_is_partly_walkable(reader, def->ring) || refuse_outside(reader, node, def->ring.points[0]);
}

bool throng_read_goal_place(throng_reader *reader, throng_json_ref node, int form, throng_goal_def *def) {
    switch (form) {
        case THRONG_FORM_POLYGON:
            def->kind = THRONG_GOAL_AREA;
            return read_ring(reader, node, def);
        case THRONG_FORM_RANDOM_IN:
            def->kind = THRONG_GOAL_ROAM;
            return read_ring(reader, node, def);
        case THRONG_FORM_POINT:
            def->kind = THRONG_GOAL_POINT;
            if (!throng_read_point(reader, node, &def->point)) return false;
            return throng_is_walkable(reader, def->point) || refuse_outside(reader, node, def->point);
        default:
            def->kind = THRONG_GOAL_DIRECTION;
            if (!throng_read_vector(reader, node, "a direction [x, y]", &def->point)) return false;
            if (def->point.x != 0 || def->point.y != 0) return true;
            return throng_wrong(reader, node, "a direction must not be [0, 0]");
    }
}

/* "radius", "exit", "repeat" and waits, which several throng_goal_forms share. */
bool throng_read_goal_extras(throng_reader *reader, throng_json_ref object, int form, throng_goal_def *def) {
    bool good = read_waiting(reader, object, form, def);
    throng_json_ref radius = throng_value(reader, object, "radius"), leave = throng_value(reader, object, "exit");
    throng_json_ref repeat = throng_value(reader, object, "repeat");
    good = throng_read_number(reader, radius, (throng_range){0, THRONG_FARTHEST, true, "m"}, &def->radius) && good;
    bool has_radius = form != THRONG_FORM_POLYGON && form != THRONG_FORM_DIRECTION && form != THRONG_FORM_ANY &&
                      form != THRONG_FORM_CHOICE;
    if (radius != THRONG_NO_NODE && !has_radius)
        throng_warn(reader, radius, "'radius' means nothing beside '%s'", throng_goal_forms[form]);
    good = throng_read_bool(reader, leave, &def->exit) && good;
    if (def->exit && form == THRONG_FORM_DIRECTION) {
        throng_warn(reader, leave, "'exit' means nothing beside 'direction', which is never reached");
    }
    good = throng_read_bool(reader, repeat, &def->repeat) && good;
    if (repeat == THRONG_NO_NODE || form == THRONG_FORM_RANDOM_IN) return good;
    return throng_wrong(reader, repeat, "'repeat' goes with 'random_in' only");
}

static void load_named_goal(throng_reader *reader, throng_json_ref key) {
    const char *name = throng_json_text_of(reader->json, key);
    throng_goal_def def = throng_default_goal_def();
    def.name = name;
    if (strcmp(name, "antipode") == 0)
        throng_wrong(reader, key, "'antipode' has a meaning of its own; choose another name");
    if (throng_read_keys(reader, key + 1, THRONG_KEYS_NAMED_GOAL, "a goal")) {
        int form = throng_read_alternative(reader, key + 1, throng_goal_forms, 3, "a goal");
        if (form >= 0) {
            throng_read_goal_place(reader, throng_value(reader, key + 1, throng_goal_forms[form]), form, &def);
            throng_read_goal_extras(reader, key + 1, form, &def);
        }
    }
    throng_add_goal(reader->scenario, def);
}

void throng_load_goals(throng_reader *reader) {
    const throng_json *json = reader->json;
    throng_load_floor_goals(reader);
    throng_json_ref object = throng_section(reader, "goals", THRONG_JSON_OBJECT, "an object of named goals");
    if (object == THRONG_NO_NODE) return;
    THRONG_EACH_KEY (k, json, object) {
        const throng_floor_shape *twin = throng_floor_named(reader, THRONG_FLOOR_EXIT, throng_json_text_of(json, k));
        if (twin) throng_refuse_twice(reader, k, twin);
        size_t before = reader->goal_names.count;
        if (throng_names_add(&reader->goal_names, throng_json_text_of(json, k)) == before) load_named_goal(reader, k);
    }
}
