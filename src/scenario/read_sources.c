/* read_sources.c: "sources": people who come while it runs. What makes them is handed over to the world,
 * which outlives the scenario; all that is drawn for a person is a hash of the seed, the source and
 * the person's number. */

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scenario/scenario.h"

enum {
    DRAWS_CHECKED = 1000, /* people drawn while loading, to see whether a distribution makes sense */
    VALUE_COUNT = THRONG_TRAIT_COUNT + 1
};

static const throng_range time_s = {0, 1e9, false, "s"};
static const throng_range rate_range = {0, 1e5, false, "people per second"};

typedef struct maker {
    uint64_t seed;
    uint32_t stream;
    throng_distribution value[VALUE_COUNT]; /* the last one: start_after */
    throng_journey_leg *legs;
    size_t leg_count;
    throng_goal *journey; /* [leg] scratch of send */
    throng_point centre;  /* of the shape they appear on */
} maker;

static throng_range range_of(size_t what) { return what < THRONG_TRAIT_COUNT ? throng_trait_range(what) : time_s; }

/* What was drawn far from what was seen while loading is brought into range. */
static double draw_value(const maker *m, uint64_t number, size_t what) {
    throng_draws draws = throng_entry_draws(m->seed, m->stream, number, what, THRONG_RANDOM_PROFILE);
    double value = throng_draw(&m->value[what], &draws);
    throng_range range = range_of(what);
    if (m->value[what].kind == THRONG_FIXED) return value;
    return fmin(fmax(value, range.above ? fmax(range.low, 1e-3) : range.low), range.high);
}

static void make(void *context, uint64_t number, throng_agent_def *person) {
    const maker *m = context;
    person->radius = draw_value(m, number, THRONG_DRAW_RADIUS);
    person->desired_speed = draw_value(m, number, THRONG_DRAW_DESIRED_SPEED);
    person->max_speed = draw_value(m, number, THRONG_DRAW_MAX_SPEED);
    person->mass = draw_value(m, number, THRONG_DRAW_MASS);
    person->start_after = draw_value(m, number, THRONG_DRAW_START);
}

static void send(void *context, uint64_t number, throng_agent_def *person) {
    const maker *m = context;
    for (size_t i = 0; i < m->leg_count; i++) {
        const throng_journey_leg *leg = throng_choose_leg(m->legs, i, m->seed, m->stream, number);
        m->journey[i] = leg->goal;
        if (leg->kind > THRONG_LEG_CHOICE) person->target = throng_leg_target(leg, person->at, m->centre);
    }
    person->journey = m->journey;
    person->journey_count = m->leg_count;
}

static throng_journey_leg *copy_legs(const throng_journey_leg *legs, size_t count) {
    throng_journey_leg *copy = throng_copy_bytes(legs, count * sizeof *legs);
    for (size_t i = 0; i < count; i++) {
        copy[i].points = (throng_ring){0};
        copy[i].options = copy_legs(legs[i].options, legs[i].option_count);
        copy[i].weights = throng_copy_bytes(legs[i].weights, legs[i].option_count * sizeof *legs[i].weights);
    }
    return copy;
}

static maker *copy_maker(const maker *m) {
    maker *copy = throng_copy_bytes(m, sizeof *m);
    for (size_t i = 0; i < VALUE_COUNT; i++) {
        copy->value[i] = throng_copy_distribution(&m->value[i]);
    }
    copy->legs = copy_legs(m->legs, m->leg_count);
    copy->journey = throng_allocate(m->leg_count * sizeof *m->journey);
    return copy;
}

static void destroy_maker(void *context) {
    maker *m = context;
    for (size_t i = 0; i < VALUE_COUNT; i++) throng_clear_distribution(&m->value[i]);
    for (size_t i = 0; i < m->leg_count; i++) throng_clear_leg(&m->legs[i]);
    THRONG_RELEASE(m->legs, m->journey, m);
}

throng_source throng_add_scenario_source(throng_world *world, const throng_scenario_source *source) {
    throng_source_def def = source->def;
    def.context = copy_maker(def.context);
    return throng_world_add_source(world, &def);
}

void throng_clear_source(throng_scenario_source *source) {
    throng_source_def *def = &source->def;
    if (def->context) destroy_maker(def->context);
    const void *owned[] = {def->name, def->area.points, def->spots.points, def->schedule};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) throng_release((void *)owned[i]);
    *source = (throng_scenario_source){0};
}

static bool read_piece(throng_reader *reader, throng_json_ref item, const throng_rate *before, throng_rate *out) {
    throng_point pair;
    if (!throng_read_vector(reader, item, "a pair [time, rate]", &pair)) return false;
    *out = (throng_rate){pair.x, pair.y};
    bool good = throng_check_range(reader, item + 1, time_s, out->from);
    good = throng_check_range(reader, item + 2, rate_range, out->rate) && good;
    if (good && before && out->from <= before->from) {
        return throng_wrong(reader, item, "times of a schedule must rise: %.10g s does not come after %.10g s",
                            out->from, before->from);
    }
    return good;
}

static bool read_schedule(throng_reader *reader, throng_json_ref list, throng_source_def *out) {
    size_t count = throng_read_list(reader, list, "a list of [time, rate]");
    if (count == 0) return false;
    throng_rate *schedule = throng_allocate(count * sizeof *schedule);
    out->schedule = schedule;
    out->schedule_count = count;
    THRONG_EACH_NTH (i, item, reader->json, list) {
        if (!read_piece(reader, item, i ? &schedule[i - 1] : NULL, &schedule[i])) return false;
    }
    return true;
}

static bool read_rate(throng_reader *reader, throng_json_ref node, throng_source_def *out) {
    throng_rate *always = throng_allocate(sizeof *always);
    out->schedule = always;
    out->schedule_count = 1;
    return throng_read_number(reader, node, rate_range, &always->rate);
}

static bool read_when(throng_reader *reader, throng_json_ref object, throng_source_def *out) {
    static const char *const rates[] = {"rate", "schedule"}, *const arrivals[] = {"even", "poisson"};
    int form = throng_read_alternative(reader, object, rates, 2, "a source");
    throng_json_ref value = form < 0 ? THRONG_NO_NODE : throng_value(reader, object, rates[form]);
    bool good = form >= 0 && (form == 0 ? read_rate : read_schedule)(reader, value, out);

    throng_json_ref from = throng_value(reader, object, "from"), until = throng_value(reader, object, "until");
    good = throng_read_number(reader, from, time_s, &out->from) && good;
    good = throng_read_number(reader, until, (throng_range){out->from, 1e9, false, "s"}, &out->until) && good;
    throng_json_ref count = throng_value(reader, object, "count"), word = throng_value(reader, object, "arrivals");
    good = throng_read_whole(reader, count, 1, UINT64_C(1) << 53, &out->limit) && good;
    if (word != THRONG_NO_NODE) {
        int index = throng_read_word(reader, word, arrivals, 2);
        out->poisson = index == 1;
        good = index >= 0 && good;
    }
    return good;
}

/* The polygon or the places of the shape; the entry keeps nothing of it. */
static void take_place(throng_entry *entry, throng_source_def *out) {
    if (entry->shape.kind == THRONG_IN) {
        out->area = entry->shape.ring;
        entry->shape.ring = (throng_ring){0};
        return;
    }
    throng_point *spots = throng_allocate(entry->shape.count * sizeof *spots);
    throng_shape_positions(&entry->shape, spots);
    out->spots = (throng_ring){spots, entry->shape.count};
}

/* What makes its people; takes over the entry's legs and start times. */
static maker *take_maker(const throng_reader *reader, throng_entry *entry) {
    maker *m = throng_allocate(sizeof *m);
    *m = (maker){.seed = reader->scenario->seed,
                 .stream = entry->stream,
                 .legs = entry->legs,
                 .leg_count = entry->leg_count,
                 .journey = throng_allocate(entry->leg_count * sizeof *m->journey),
                 .centre = entry->shape.centre};
    for (size_t i = 0; i < THRONG_TRAIT_COUNT; i++) {
        m->value[i] = throng_copy_distribution(&entry->traits.value[i]);
    }
    m->value[THRONG_DRAW_START] = entry->start_after;
    entry->start_after = throng_always(0);
    entry->legs = NULL;
    entry->leg_count = 0;
    return m;
}

static void load_source(throng_reader *reader, const throng_traits *fallback, throng_entry *entry) {
    throng_scenario_source *source = &reader->scenario->sources[entry->index];
    throng_load_entry(reader, fallback, entry);
    throng_json_where(reader->json, entry->node, &source->line, &source->column);
    source->def = throng_default_source_def();
    throng_source_def *def = &source->def;
    char name[32];
    snprintf(name, sizeof name, "sources[%u]", entry->index);
    def->name = throng_copy_text(name);
    bool object = throng_json_kind_of(reader->json, entry->node) == THRONG_JSON_OBJECT;
    if (!object || !read_when(reader, entry->node, def) || !entry->good) return;

    for (uint64_t k = 0; k < DRAWS_CHECKED && entry->good; k++) throng_draw_person(reader, entry, k, &def->person);
    def->gap = entry->shape.gap;
    def->moving = entry->velocity_desired;
    def->make = make;
    def->send = send;
    def->destroy = destroy_maker;
    take_place(entry, def);
    def->context = take_maker(reader, entry);
}

void throng_load_sources(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    throng_json_ref list = throng_section(reader, "sources", THRONG_JSON_LIST, "a list of sources");
    if (list == THRONG_NO_NODE) return;
    s->source_count = throng_json_count(reader->json, list);
    s->sources = throng_allocate(s->source_count * sizeof *s->sources);
    throng_traits fallback = throng_default_traits(reader);
    THRONG_EACH_NTH (i, item, reader->json, list) {
        throng_entry entry = {.node = item,
                              .list = "sources",
                              .index = (uint32_t)i,
                              .stream = UINT32_C(1) << 31 | (uint32_t)(i + 1),
                              .source = true};
        load_source(reader, &fallback, &entry);
        throng_clear_entry(&entry);
    }
    throng_clear_traits(&fallback);
}
