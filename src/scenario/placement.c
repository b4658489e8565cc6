/* placement.c: everybody to a start of their own, on no wall and on nobody. Those whose place is
 * given come first, then the polygons are filled around them. Jitter moves people who have a place
 * already, as far as their surroundings let them, so that it cannot spoil a placement. */

#include "scenario/placement.h"

#include <math.h>
#include <stdio.h>
#include <throng/model.h>

#include "base/memory.h"
#include "scenario/scenario.h"
#include "space/period.h"
#include "space/walls.h"

throng_placed *throng_placed_create(size_t capacity, double reach) {
    throng_placed *crowd = throng_allocate(sizeof *crowd);
    crowd->inverse_cell = 1 / reach;
    crowd->cell_count = 64;
    while (crowd->cell_count < 2 * capacity) crowd->cell_count *= 2;
    crowd->cells = throng_allocate(crowd->cell_count * sizeof *crowd->cells);
    crowd->people = throng_allocate(capacity * sizeof *crowd->people);
    return crowd;
}

void throng_placed_destroy(throng_placed *crowd) { THRONG_RELEASE(crowd->cells, crowd->people, crowd); }

/* Cells side by side in a row are side by side in the table. */
static uint32_t *cell_of(const throng_placed *crowd, double column, double row) {
    uint64_t hash = (uint64_t)(int64_t)column + (uint64_t)(int64_t)row * 0x9E3779B97F4A7C15u;
    return &crowd->cells[hash & (crowd->cell_count - 1)];
}

static uint32_t *cell_at(const throng_placed *crowd, throng_point at) {
    return cell_of(crowd, floor(at.x * crowd->inverse_cell), floor(at.y * crowd->inverse_cell));
}

void throng_placed_add(throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double radius) {
    uint32_t *cell = cell_at(crowd, at);
    crowd->people[person] = (throng_placed_person){at, radius, entry, *cell};
    *cell = (uint32_t)person + 1;
}

void throng_placed_remove(throng_placed *crowd, size_t person) {
    uint32_t *link = cell_at(crowd, crowd->people[person].at);
    while (*link != person + 1) link = &crowd->people[*link - 1].next;
    *link = crowd->people[person].next;
}

void throng_placed_move(throng_placed *crowd, size_t person, throng_point to) {
    throng_placed_person who = crowd->people[person];
    throng_placed_remove(crowd, person);
    throng_placed_add(crowd, person, who.entry, to, who.radius);
}

/* Somebody other than `person` who keeps a disc out of all places within `reach` of a point. */
static size_t find_near(const throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double reach,
                        double radius, double gap) {
    double column = floor(at.x * crowd->inverse_cell), row = floor(at.y * crowd->inverse_cell);
    for (int n = 0; n < 9; n++) {
        uint32_t link = *cell_of(crowd, column + n % 3 - 1, row + n / 3 - 1);
        for (const throng_placed_person *o; link; link = o->next) {
            o = &crowd->people[link - 1];
            double dx = o->at.x - at.x, dy = o->at.y - at.y;
            double kept = o->radius + radius + (o->entry == entry ? gap : 0) - THRONG_ROUNDING - reach;
            if (kept > 0 && dx * dx + dy * dy < kept * kept && link - 1 != person) return link - 1;
        }
    }
    return THRONG_NOBODY;
}

size_t throng_placed_conflict(const throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double radius,
                              double gap) {
    const throng_period *p = &crowd->period;
    double across = p->x ? p->high.x - p->low.x : 0, up = p->y ? p->high.y - p->low.y : 0;
    size_t found = find_near(crowd, person, entry, at, 0, radius, gap);
    for (int j = p->y ? -1 : 0; j <= (p->y ? 1 : 0); j++) {
        for (int i = p->x ? -1 : 0; i <= (p->x ? 1 : 0) && found == THRONG_NOBODY; i++) {
            throng_point image = {at.x + i * across, at.y + j * up};
            if (i != 0 || j != 0) found = find_near(crowd, person, entry, image, 0, radius, gap);
        }
    }
    return found;
}

bool throng_placed_covers(const throng_placed *crowd, uint32_t entry, throng_point at, double reach, double radius,
                          double gap) {
    return find_near(crowd, THRONG_NOBODY, entry, at, reach, radius, gap) != THRONG_NOBODY;
}

static const double room_apart = 1e-4; /* m, where people of a model that keeps them apart start */

enum {
    FAULTS_TOLD = 3,  /* of one entry, before the rest is only counted */
    JITTER_TRIES = 20 /* places tried for somebody with jitter before it stays where it is */
};

bool throng_is_clear_of_walls(const throng_placement *p, throng_point at, double radius) {
    const throng_walls *walls = p->reader->walls;
    if (p->overlap_allowed) return throng_walls_inside(walls, at.x, at.y);
    radius += p->room;
    return throng_walls_depth(walls, at.x, at.y, radius + THRONG_ROUNDING) >= radius - THRONG_ROUNDING;
}

bool throng_is_free(const throng_placement *p, const throng_entry *entry, size_t person, throng_point at,
                    double radius) {
    if (p->overlap_allowed) return true;
    double room = fmin(p->room, entry->shape.gap), gap = entry->shape.gap - room;
    return throng_placed_conflict(p->crowd, person, entry->index, at, radius + p->room, gap) == THRONG_NOBODY;
}

/* The value a person's place comes from: a point of "at", else the whole shape. */
static throng_json_ref place_node(const throng_reader *reader, const throng_shape *shape, size_t k) {
    throng_json_ref node = shape->node;
    if (shape->kind != THRONG_AT || throng_is_number_pair(reader, node)) return node;
    for (node = throng_json_first(reader->json, node); k > 0; k--) node = throng_json_after(reader->json, node);
    return node;
}

static void tell_wall(throng_placement *p, const throng_entry *entry, size_t k, throng_point at, double radius) {
    throng_reader *reader = p->reader;
    double depth = throng_walls_depth(p->reader->walls, at.x, at.y, radius + p->room);
    throng_json_ref node = place_node(reader, &entry->shape, k);
    if (depth <= 0 || p->overlap_allowed) {
        throng_wrong(reader, node, "agents[%u]: (%.9g, %.9g) is in a wall or outside the walkable area", entry->index,
                     at.x, at.y);
    } else if (depth < radius - THRONG_ROUNDING) {
        throng_wrong(reader, node,
                     "agents[%u]: a disc of radius %.6g m at (%.9g, %.9g) reaches into a wall %.4g m away",
                     entry->index, radius, at.x, at.y, depth);
    } else {
        throng_wrong(
            reader, node,
            "agents[%u]: a disc of radius %.6g m at (%.9g, %.9g) touches a wall: model '%s' needs %g m between",
            entry->index, radius, at.x, at.y, p->apart, p->room);
    }
    throng_locate(reader, at);
}

static void tell_overlap(throng_placement *p, const throng_entry *entry, size_t k, size_t other) {
    throng_reader *reader = p->reader;
    const throng_placed *crowd = p->crowd;
    size_t person = entry->first + k;
    throng_point a = crowd->people[person].at, b = crowd->people[other].at;
    throng_point to = throng_period_apart(&p->reader->scenario->period, a.x - b.x, a.y - b.y);
    double distance = sqrt(to.x * to.x + to.y * to.y),
           apart = crowd->people[person].radius + crowd->people[other].radius;
    throng_json_ref node = place_node(reader, &entry->shape, k);
    if (distance < apart - THRONG_ROUNDING) {
        throng_wrong(
            reader, node,
            "agents[%u]: starts overlap: (%.9g, %.9g) and (%.9g, %.9g) of agents[%u] are %.4g m apart, their radii "
            "add up to %.4g m",
            entry->index, a.x, a.y, b.x, b.y, crowd->people[other].entry, distance, apart);
    } else if (distance - apart < p->room - THRONG_ROUNDING) {
        throng_wrong(reader, node,
                     "agents[%u]: starts touch: (%.9g, %.9g) and (%.9g, %.9g) of agents[%u] are %.4g m apart, as much "
                     "as their radii; model '%s' needs %g m more",
                     entry->index, a.x, a.y, b.x, b.y, crowd->people[other].entry, distance, p->apart, p->room);
    } else {
        throng_wrong(reader, node, "agents[%u]: (%.9g, %.9g) and (%.9g, %.9g) keep a gap of %.4g m, not %.4g m",
                     entry->index, a.x, a.y, b.x, b.y, distance - apart, entry->shape.gap);
    }
    throng_locate(reader, a);
}

static void place_given(throng_placement *p, throng_entry *entry) {
    throng_reader *reader = p->reader;
    const throng_shape *shape = &entry->shape;
    throng_person *people = p->reader->scenario->people + entry->first;
    throng_point *at = throng_allocate(shape->count * sizeof *at);
    throng_shape_positions(shape, at);
    const throng_period *period = &p->reader->scenario->period;
    for (size_t k = 0; k < shape->count; k++) at[k] = throng_period_wrap(period, at[k]);
    size_t faults = 0;
    for (size_t k = 0; k < shape->count; k++) {
        double radius = people[k].def.radius, gap = shape->gap_given ? shape->gap : 0;
        people[k].def.at = at[k];
        size_t other = THRONG_NOBODY;
        if (!p->overlap_allowed) {
            double room = fmin(p->room, gap);
            other = throng_placed_conflict(p->crowd, THRONG_NOBODY, entry->index, at[k], radius + p->room, gap - room);
        }
        throng_placed_add(p->crowd, entry->first + k, entry->index, at[k], radius);
        bool clear = throng_is_clear_of_walls(p, at[k], radius);
        if (clear && other == THRONG_NOBODY) continue;
        if (faults++ >= FAULTS_TOLD) continue;
        if (!clear) tell_wall(p, entry, k, at[k], radius);
        if (other != THRONG_NOBODY) tell_overlap(p, entry, k, other);
    }
    if (faults > FAULTS_TOLD) {
        throng_wrong(reader, shape->node, "agents[%u]: %zu more people overlap others or stand in a wall", entry->index,
                     faults - FAULTS_TOLD);
    }
    entry->good = entry->good && faults == 0;
    throng_release(at);
}

void throng_shake(throng_placement *p, const throng_entry *entry, const throng_floor *floor) {
    throng_scenario *s = p->reader->scenario;
    for (size_t k = 0; k < entry->shape.count; k++) {
        size_t person = entry->first + k;
        throng_agent_def *def = &s->people[person].def;
        throng_draws draws = {.seed = s->seed,
                              .who = ((uint64_t)(entry->index + 1) << 32) + k,
                              .what = THRONG_PLACE_JITTER,
                              .purpose = THRONG_RANDOM_PLACE};
        for (int i = 0; i < JITTER_TRIES; i++) {
            double dx = (2 * throng_draw_uniform(&draws) - 1) * entry->shape.jitter;
            double dy = (2 * throng_draw_uniform(&draws) - 1) * entry->shape.jitter;
            throng_point to = {def->at.x + dx, def->at.y + dy};
            if (floor && !throng_is_on_floor(floor, to, def->radius)) continue;
            if (!throng_is_clear_of_walls(p, to, def->radius)) continue;
            if (!throng_is_clear_of_things(&p->things, to, def->radius + p->room)) continue;
            if (!throng_is_free(p, entry, person, to, def->radius)) continue;
            throng_placed_move(p->crowd, person, to);
            def->at = to;
            break;
        }
    }
}

/* The largest distance of two centres at which anybody could mind anybody, m. */
static double largest_reach(const throng_reader *reader) {
    double radius = 1e-3, gap = 0;
    for (size_t i = 0; i < reader->entry_count; i++) {
        const throng_entry *entry = &reader->entries[i];
        if (!entry->good) continue;
        gap = fmax(gap, entry->shape.gap);
        for (size_t k = 0; k < entry->shape.count; k++) {
            radius = fmax(radius, reader->scenario->people[entry->first + k].def.radius);
        }
    }
    return 2 * radius + gap + room_apart;
}

/* The name of a model that keeps its people apart, or NULL. */
static const char *model_apart(const throng_reader *reader) {
    for (size_t i = 0; i < reader->entry_count; i++) {
        const throng_entry *entry = &reader->entries[i];
        if (entry->good && entry->traits.model.model->keeps_apart) return entry->traits.model.model->name;
    }
    return NULL;
}

/* Where people stand or should stand, for a picture. */
static void sketch_people(const throng_placement *p) {
    const throng_reader *reader = p->reader;
    for (size_t i = 0; reader->sketch && i < reader->entry_count; i++) {
        const throng_entry *entry = &reader->entries[i];
        if (entry->shape.kind == THRONG_IN) {
            throng_sketch_add(reader->sketch, THRONG_SKETCH_START, entry->shape.ring, 0);
        }
    }
    for (size_t i = 0; reader->sketch && i < reader->scenario->person_count; i++) {
        if (p->crowd->people[i].radius > 0) {
            throng_sketch_person(reader->sketch, p->crowd->people[i].at, p->crowd->people[i].radius);
        }
    }
}

void throng_place_people(throng_reader *reader) {
    throng_placement p = {.reader = reader,
                          .crowd = throng_placed_create(reader->scenario->person_count, largest_reach(reader)),
                          .overlap_allowed = reader->scenario->allow_overlap,
                          .apart = model_apart(reader)};
    p.room = p.apart ? room_apart : 0;
    p.things = throng_plan_things(reader->scenario);
    p.crowd->period = reader->scenario->period;
    for (size_t i = 0; i < reader->entry_count; i++) {
        throng_entry *entry = &reader->entries[i];
        if (entry->good && entry->shape.kind != THRONG_IN) place_given(&p, entry);
    }
    for (size_t i = 0; i < reader->entry_count; i++) {
        const throng_entry *entry = &reader->entries[i];
        if (entry->good && entry->shape.kind != THRONG_IN && entry->shape.jitter > 0) throng_shake(&p, entry, NULL);
    }
    for (size_t i = 0; i < reader->entry_count; i++) {
        throng_entry *entry = &reader->entries[i];
        if (entry->good && entry->shape.kind == THRONG_IN) throng_fill_polygon(&p, entry);
    }
    sketch_people(&p);
    throng_placed_destroy(p.crowd);
    throng_release(p.things.footprints);
}
