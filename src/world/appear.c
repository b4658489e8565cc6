/* appear.c: a free place for everybody who is due: darts into the source's polygon, or its spots in
 * turn. A dart counts where the whole disc is in the polygon and clear of walls and people. After some
 * misses whoever is next waits outside, and so do those behind. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "world/world.h"

enum { PEOPLE_MOST = 10000000, DARTS = 64, SURVEY = 33 }; /* odd, so that the middle is looked at */

static const double rounding = 1e-9;    /* m: to touch is not to overlap */
static const double survey_reach = 5;   /* m: more room than that is not told apart */
static const double told_after_s = 1.0; /* s without room before users are told */

/* --- who is in the way */

static size_t cell_of(const throng_bystanders *b, double column, double row) {
    uint64_t hash = throng_mix((uint64_t)(int64_t)column * 0x9E3779B97F4A7C15u ^ (uint64_t)(int64_t)row);
    return (size_t)hash & (b->cell_count - 1);
}

static void stand(throng_bystanders *b, double x, double y, double radius) {
    uint32_t *first = &b->first[cell_of(b, floor(x * b->inverse_cell), floor(y * b->inverse_cell))];
    THRONG_GROW(b->people, b->capacity, b->count + 1);
    b->people[b->count++] = (throng_bystander){x, y, radius, *first};
    *first = (uint32_t)b->count;
    b->radius_max = fmax(b->radius_max, radius);
}

/* Those of other parts of the world do so, too. */
static void stand_elsewhere(throng_world *world) {
    throng_bystanders *b = &world->bystanders;
    size_t own = b->count;
    throng_packet all = throng_halo_bystanders(world, (throng_packet){b->people, own * sizeof *b->people});
    const throng_bystander *others = all.bytes;
    for (size_t i = 0; i < all.size / sizeof *others; i++) stand(b, others[i].x, others[i].y, others[i].radius);
}

/* Sorts those into cells who stand where somebody is due. */
static void look_around(throng_world *world) {
    throng_bystanders *b = &world->bystanders;
    const throng_columns *a = &world->agents;
    const throng_box everywhere = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    throng_box where = throng_period_is_on(&world->period) ? everywhere : throng_box_empty();
    double gap = 0;
    for (size_t i = 0; i < world->source_count; i++) {
        const throng_source_entry *source = &world->sources[i];
        if (source->come == source->due) continue;
        where = throng_box_join(where, source->bounds);
        gap = fmax(gap, source->def.gap);
        if (!source->floor) where = everywhere;
    }

    double largest = 0.1;
    for (size_t i = 0; i < a->count; i++) largest = fmax(largest, a->radius[i]);
    size_t cells = 256;
    while (cells < 2 * a->count) cells *= 2;
    if (cells > b->cell_count) {
        b->first = throng_reallocate(b->first, cells * sizeof *b->first);
        b->cell_count = cells;
    }
    memset(b->first, 0, b->cell_count * sizeof *b->first);
    b->count = 0;
    b->inverse_cell = 1 / (2 * largest + gap);
    b->radius_max = 0;
    double reach = largest + gap;
    for (size_t i = 0; i < a->count; i++) {
        bool near = a->x[i] >= where.low.x - reach && a->x[i] <= where.high.x + reach &&
                    a->y[i] >= where.low.y - reach && a->y[i] <= where.high.y + reach;
        if (near) stand(b, a->x[i], a->y[i], a->radius[i]);
    }
    if (world->halo) stand_elsewhere(world);
}

static bool is_in_cell(const throng_world *world, size_t cell, throng_point at, double radius) {
    const throng_bystanders *b = &world->bystanders;
    for (uint32_t link = b->first[cell]; link; link = b->people[link - 1].next) {
        const throng_bystander *who = &b->people[link - 1];
        double dx = who->x - at.x, dy = who->y - at.y, kept = who->radius + radius - rounding;
        if (dx * dx + dy * dy < kept * kept) return true;
    }
    return false;
}

static bool is_occupied_here(const throng_world *world, throng_point at, double radius) {
    const throng_bystanders *b = &world->bystanders;
    double reach = radius + b->radius_max;
    double left = floor((at.x - reach) * b->inverse_cell), right = floor((at.x + reach) * b->inverse_cell);
    double low = floor((at.y - reach) * b->inverse_cell), high = floor((at.y + reach) * b->inverse_cell);
    for (double row = low; row <= high; row++) {
        for (double column = left; column <= right; column++) {
            if (is_in_cell(world, cell_of(b, column, row), at, radius)) return true;
        }
    }
    return false;
}

/* Also by those across a seam. */
static bool is_occupied(const throng_world *world, throng_point at, double radius) {
    const throng_period *p = &world->period;
    double across = p->x ? p->high.x - p->low.x : 0, up = p->y ? p->high.y - p->low.y : 0;
    for (int j = p->y ? -1 : 0; j <= (p->y ? 1 : 0); j++) {
        for (int i = p->x ? -1 : 0; i <= (p->x ? 1 : 0); i++) {
            if (is_occupied_here(world, (throng_point){at.x + i * across, at.y + j * up}, radius)) return true;
        }
    }
    return false;
}

/* --- a free place */

static bool is_on_floor(const throng_walls *walls, throng_point at, double radius) {
    return throng_walls_depth(walls, at.x, at.y, radius + rounding) >= radius - rounding;
}

static bool is_free(const throng_world *world, const throng_source_entry *source, const throng_agent_def *person,
                    throng_point at) {
    double radius = person->radius, room = throng_world_room_around(world, person->profile);
    if (source->floor && !is_on_floor(source->floor, at, radius)) return false;
    return is_on_floor(world->walls, at, radius + room) &&
           !is_occupied(world, at, radius + fmax(source->def.gap, room)) &&
           !throng_world_is_thing_at(world, at, radius + room);
}

static throng_point throw_dart(const throng_world *world, const throng_source_entry *source, double radius,
                               uint64_t dart) {
    uint64_t who = (uint64_t)(source - world->sources + 1) << 48 ^ source->come;
    uint64_t purpose = THRONG_RANDOM_SOURCE + ((dart + 1) << 33);
    double u = throng_random(world->seed, who, world->step, purpose);
    double v = throng_random(world->seed, who, world->step, purpose + (UINT64_C(1) << 32));
    double margin = radius - rounding;
    throng_point low = {source->bounds.low.x + margin, source->bounds.low.y + margin};
    throng_point size = {source->bounds.high.x - margin - low.x, source->bounds.high.y - margin - low.y};
    return (throng_point){low.x + u * fmax(size.x, 0), low.y + v * fmax(size.y, 0)};
}

static bool find_place(const throng_world *world, const throng_source_entry *source, const throng_agent_def *person,
                       throng_point *out) {
    throng_ring spots = source->def.spots;
    for (size_t i = 0; i < spots.count; i++) {
        *out = spots.points[(source->come + i) % spots.count];
        if (is_free(world, source, person, *out)) return true;
    }
    for (uint64_t dart = 0; dart < DARTS && source->floor; dart++) {
        *out = throw_dart(world, source, person->radius, dart);
        if (is_free(world, source, person, *out)) return true;
    }
    *out = source->roomiest;
    return source->floor && is_free(world, source, person, *out);
}

/* --- appearing */

/* False when there is no room for the next one. */
static bool bring_in(throng_world *world, throng_source_entry *source) {
    const throng_source_def *def = &source->def;
    if (world->agents.count >= PEOPLE_MOST) return false;
    throng_agent_def person = throng_source_person(source, source->come);
    if (!find_place(world, source, &person, &person.at)) return false;
    if (def->send) def->send(def->context, source->come, &person);
    person.start_after += person.start_after > 0 ? throng_world_time(world) : 0;
    source->come++;
    if (throng_world_admit(world, &person)) {
        size_t row = world->agents.count - 1;
        stand(&world->bystanders, world->agents.x[row], world->agents.y[row], person.radius);
    } else {
        world->stats.oddities++;
        throng_world_notice(world, THRONG_WARNING, "source '%s': somebody could not come in: %s", def->name,
                            world->error.text);
    }
    return true;
}

static void tell_full(throng_world *world, throng_source_entry *source) {
    if (source->told || (double)++source->missed * world->dt < told_after_s) return;
    source->told = 1;
    throng_world_notice(world, THRONG_WARNING,
                        "source '%s' is full: from %.1f s on people wait outside until there is room", source->def.name,
                        throng_world_time(world));
}

void throng_sources_appear(throng_world *world) {
    look_around(world);
    for (size_t i = 0; i < world->source_count; i++) {
        throng_source_entry *source = &world->sources[i];
        source->row = world->agents.count;
        while (source->come < source->due && bring_in(world, source)) source->missed = 0;
        if (source->come < source->due) tell_full(world, source);
    }
    /* Those who appear walking do so the way they will go, which had to be made ready first. */
    throng_world_make_ready(world);
    for (size_t i = 0; i < world->source_count; i++) {
        size_t end = i + 1 < world->source_count ? world->sources[i + 1].row : world->agents.count;
        for (size_t row = world->sources[i].row; row < end && world->sources[i].def.moving; row++) {
            throng_world_set_moving(world, row);
        }
    }
    if (world->halo) throng_halo_keep_own(world, world->sources[0].row);
}

/* --- the roomiest place */

static double room_at(const throng_world *world, const throng_source_entry *source, throng_point at) {
    double room = throng_walls_depth(world->walls, at.x, at.y, survey_reach);
    return source->floor ? fmin(room, throng_walls_depth(source->floor, at.x, at.y, survey_reach)) : room;
}

static void consider(const throng_world *world, throng_source_entry *source, throng_point at) {
    double room = room_at(world, source, at);
    if (room <= source->room) return;
    source->room = room;
    source->roomiest = at;
}

void throng_source_survey(const throng_world *world, throng_source_entry *source) {
    source->room = -INFINITY;
    throng_ring spots = source->def.spots;
    for (size_t i = 0; i < spots.count; i++) consider(world, source, spots.points[i]);
    if (spots.count) return;

    throng_point low = source->bounds.low;
    throng_point step = {(source->bounds.high.x - low.x) / SURVEY, (source->bounds.high.y - low.y) / SURVEY};
    for (int i = 0; i < SURVEY * SURVEY; i++) {
        throng_point at = {low.x + (i % SURVEY + 0.5) * step.x, low.y + ((int)(i / SURVEY) + 0.5) * step.y};
        consider(world, source, at);
    }
    /* From the best of them uphill, in ever smaller steps. */
    for (int i = 0; i < 60; i++) {
        throng_point from = source->roomiest;
        for (int k = 0; k < 9; k++) {
            consider(world, source,
                     (throng_point){from.x + (k % 3 - 1) * step.x, from.y + ((int)(k / 3) - 1) * step.y});
        }
        bool moved = source->roomiest.x != from.x || source->roomiest.y != from.y;
        if (!moved) step = (throng_point){step.x / 2, step.y / 2};
    }
}
