/* sources.c: sources and their clocks. With r(t) people per second, the k-th is due when the integral
 * of r since the beginning has come to k, or, at random, to the sum of k exponential numbers. */

#include "world/sources.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "world/world.h"

enum { PROBES = 16 }; /* people whose journeys are looked at in advance */

static const double rate_most = 1e5; /* people per second */
static const double rounding = 1e-9; /* people: 0.1 * 10 is one */

throng_source_def throng_default_source_def(void) {
    return (throng_source_def){.name = "", .gap = 0.01, .until = INFINITY, .person = throng_default_agent_def()};
}

/* --- the clock */

/* The integral of the rate up to a time. */
static double integral(const throng_source_def *def, double time) {
    double sum = 0, last = fmin(time, def->until);
    for (size_t i = 0; i < def->schedule_count; i++) {
        double begin = fmax(def->schedule[i].from, def->from);
        double end = i + 1 < def->schedule_count ? fmin(def->schedule[i + 1].from, last) : last;
        if (end > begin && def->schedule[i].rate > 0) sum += def->schedule[i].rate * (end - begin);
    }
    return sum;
}

/* An exponential number of mean 1, from comparisons alone (von Neumann 1951): a uniform number counts
 * if the numbers drawn after it fall an even number of times in a row; each failure adds 1. */
static double draw_exponential(uint64_t seed, uint64_t source, uint64_t number) {
    uint64_t who = (source + 1) << 48 ^ number;
    for (uint64_t whole = 0, draw = 0;; whole++) {
        double first = throng_random(seed, who, draw++, THRONG_RANDOM_SOURCE), last = first;
        bool odd = true;
        for (double u; (u = throng_random(seed, who, draw++, THRONG_RANDOM_SOURCE)) < last; last = u) odd = !odd;
        if (odd) return (double)whole + first;
    }
}

static double draw_next(const throng_world *world, const throng_source_entry *source) {
    if (!source->def.poisson) return (double)(source->due + 1);
    return source->next + draw_exponential(world->seed, (uint64_t)(source - world->sources), source->due);
}

static bool is_limited(const throng_source_entry *source) {
    return source->def.limit > 0 && source->due >= source->def.limit;
}

/* Counts those due by a time. */
static void count_due(const throng_world *world, throng_source_entry *source, double time) {
    double sum = integral(&source->def, time) + rounding;
    if (!source->def.poisson && source->next <= sum) {
        source->due = (uint64_t)sum; /* however many at once */
        if (is_limited(source)) source->due = source->def.limit;
        source->next = draw_next(world, source);
    }
    while (source->next <= sum && !is_limited(source)) {
        source->due++;
        source->next = draw_next(world, source);
    }
}

bool throng_sources_are_done(const throng_world *world) {
    for (size_t i = 0; i < world->source_count; i++) {
        const throng_source_entry *source = &world->sources[i];
        bool more = !is_limited(source) && source->next <= source->total + rounding;
        if (more || source->come < source->due) return false;
    }
    return true;
}

void throng_sources_arrive(throng_world *world) {
    double end = throng_world_time_of(world, world->step + 1);
    bool any = false;
    for (size_t i = 0; i < world->source_count; i++) {
        count_due(world, &world->sources[i], end);
        any = any || world->sources[i].come < world->sources[i].due;
    }
    if (any) throng_sources_appear(world);
    world->stats.due = 0;
    for (size_t i = 0; i < world->source_count; i++) {
        world->stats.due += world->sources[i].due - world->sources[i].come;
    }
}

/* --- people */

throng_agent_def throng_source_person(const throng_source_entry *source, uint64_t number) {
    throng_agent_def person = source->def.person;
    if (source->def.make) source->def.make(source->def.context, number, &person);
    return person;
}

/* The first goal of a journey that no way leads to, or 0. */
static throng_goal lost_goal(throng_world *world, const throng_agent_def *person) {
    throng_walker walker = {.at = person->at, .target = person->target, .radius = person->radius};
    for (size_t i = 0; i < person->journey_count; i++) {
        if (person->journey[i] == 0 || person->journey[i] >= world->goal_count) return 0;
    }
    return throng_world_lost_goal(world, &walker, person->journey, person->journey_count);
}

static void probe(throng_world *world, throng_source_entry *source) {
    const throng_source_def *def = &source->def;
    for (uint64_t number = 0; number < PROBES && !source->lost.goal; number++) {
        if (number > 0 && !def->make && !def->send) break;
        throng_agent_def person = throng_source_person(source, number);
        person.at = source->roomiest;
        if (def->send) def->send(def->context, number, &person);
        source->lost = (throng_lost){.goal = lost_goal(world, &person), .at = person.at};
    }
    source->probed = true;
}

void throng_sources_prepare(throng_world *world) {
    for (size_t i = 0; i < world->source_count; i++) {
        if (!world->sources[i].probed) probe(world, &world->sources[i]);
    }
}

/* --- making sources */

static bool is_time(double t) { return t >= 0 && t <= 1e12; }

static bool check_schedule(throng_world *world, const throng_source_def *def) {
    throng_error *error = &world->error;
    if (def->schedule_count == 0 || !def->schedule)
        return throng_refuse(error, 0, 0, "source '%s' has no rate", def->name);
    for (size_t i = 0; i < def->schedule_count; i++) {
        const throng_rate *r = &def->schedule[i];
        if (!(r->rate >= 0 && r->rate <= rate_most))
            return throng_refuse(error, 0, 0, "source '%s': a rate must be 0 to 100000 people per second, not %g",
                                 def->name, r->rate);
        if (!is_time(r->from) || (i > 0 && !(r->from > def->schedule[i - 1].from)))
            return throng_refuse(error, 0, 0, "source '%s': times of a schedule must not be negative, and must rise",
                                 def->name);
    }
    if (!is_time(def->from) || !(def->until >= def->from))
        return throng_refuse(error, 0, 0, "source '%s': it must not begin before 0, nor end before it begins",
                             def->name);
    return true;
}

static bool check_where(throng_world *world, const throng_source_def *def) {
    throng_error *error = &world->error;
    if ((def->area.count > 0) == (def->spots.count > 0) || (def->spots.count && !def->spots.points))
        return throng_refuse(error, 0, 0, "source '%s' needs either an area or spots", def->name);
    throng_fault fault;
    if (def->area.count && !throng_ring_is_simple(def->area.points, def->area.count, &fault))
        return throng_refuse(error, 0, 0, "source '%s': %s", def->name, fault.text);
    for (size_t i = 0; i < def->spots.count; i++) {
        if (!throng_point_fits(def->spots.points[i]))
            return throng_refuse(error, 0, 0, "source '%s': a spot must be within 100000 km of the origin", def->name);
    }
    if (def->gap >= 0 && def->gap <= 100) return true;
    return throng_refuse(error, 0, 0, "source '%s': the gap must be 0 to 100 m, not %g", def->name, def->gap);
}

static void destroy_source(throng_source_entry *source) {
    throng_source_def *def = &source->def;
    if (def->destroy) def->destroy(def->context);
    throng_walls_destroy(source->floor);
    const void *owned[] = {def->name, def->area.points, def->spots.points, def->schedule, def->person.journey};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) throng_release((void *)owned[i]);
}

static throng_source_entry copy_source(const throng_source_def *def) {
    throng_source_entry source = {.def = *def};
    throng_source_def *own = &source.def;
    own->name = throng_copy_text(def->name);
    own->area.points = throng_copy_bytes(def->area.points, def->area.count * sizeof *def->area.points);
    own->spots.points = throng_copy_bytes(def->spots.points, def->spots.count * sizeof *def->spots.points);
    own->schedule = throng_copy_bytes(def->schedule, def->schedule_count * sizeof *def->schedule);
    own->person.journey =
        throng_copy_bytes(def->person.journey, def->person.journey_count * sizeof *def->person.journey);
    throng_ring where = def->area.count ? def->area : def->spots;
    source.bounds = throng_box_of(where.points, where.count);
    /* Without an end it is endless, unless the last rate is 0. */
    source.total = integral(own, INFINITY);
    return source;
}

/* The polygon as walls of its own, to keep whole discs inside. */
static bool lay_floor(throng_world *world, throng_source_entry *source) {
    if (!source->def.area.count) return true;
    throng_place_def def = throng_default_place_def();
    def.walkable = source->def.area;
    throng_place *place = throng_place_create(&def, &world->error);
    if (!place) return false;
    source->floor = throng_walls_create(place);
    throng_place_destroy(place);
    return true;
}

static bool finish_source(throng_world *world, throng_source_entry *source) {
    if (!lay_floor(world, source)) return false;
    throng_source_survey(world, source);
    throng_agent_def person = throng_source_person(source, 0);
    person.at = source->roomiest;
    if (source->room <= 0)
        return THRONG_REFUSE(world, "source '%s': nobody can stand anywhere in it", source->def.name);
    if (source->room < person.radius - rounding)
        return THRONG_REFUSE(world, "source '%s': it has no room for a disc of radius %g m", source->def.name,
                             person.radius);
    if (source->def.send) source->def.send(source->def.context, 0, &person);
    return throng_world_check_agent(world, &person);
}

throng_source throng_world_add_source(throng_world *world, const throng_source_def *given) {
    if (!given) {
        THRONG_REFUSE(world, "a source needs a definition");
        return 0;
    }
    throng_source_def def = *given;
    if (!def.name) def.name = "";
    if (!check_schedule(world, &def) || !check_where(world, &def)) {
        if (def.destroy) def.destroy(def.context);
        return 0;
    }
    throng_source_entry source = copy_source(&def);
    if (!finish_source(world, &source)) {
        destroy_source(&source);
        return 0;
    }
    THRONG_GROW(world->sources, world->source_capacity, world->source_count + 1);
    throng_source_entry *added = &world->sources[world->source_count++];
    *added = source;
    added->next = draw_next(world, added);
    world->changed = true;
    return (throng_source)world->source_count;
}

size_t throng_world_source_count(const throng_world *world) { return world->source_count; }

throng_source_def throng_world_source(const throng_world *world, throng_source source) {
    return source && source <= world->source_count ? world->sources[source - 1].def : (throng_source_def){0};
}

void throng_sources_destroy(throng_world *world) {
    for (size_t i = 0; i < world->source_count; i++) destroy_source(&world->sources[i]);
    THRONG_RELEASE(world->sources, world->bystanders.first, world->bystanders.people);
}

void throng_sources_archive(throng_world *world, throng_archive *archive) {
    throng_archive_mark(archive, "sources");
    uint64_t count = world->source_count;
    THRONG_ARCHIVE(archive, count);
    if (count != world->source_count) throng_archive_spoil(archive, "it has other sources");
    for (size_t i = 0; i < world->source_count && !archive->bad; i++) {
        throng_source_entry *source = &world->sources[i];
        THRONG_ARCHIVE(archive, source->due);
        THRONG_ARCHIVE(archive, source->come);
        THRONG_ARCHIVE(archive, source->next);
        THRONG_ARCHIVE(archive, source->missed);
        THRONG_ARCHIVE(archive, source->told);
        /* The next one is not due yet, or there is none. */
        bool ahead = source->next > integral(&source->def, throng_world_time(world)) || is_limited(source);
        if (source->come > source->due || !ahead) throng_archive_spoil(archive, "a source cannot be so");
    }
}
