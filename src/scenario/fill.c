/* fill.c: people in a polygon, by darts or on a lattice; and what to say when they do not fit. */

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scenario/placement.h"
#include "space/place.h"
#include "space/walls.h"

bool throng_is_on_floor(const throng_floor *floor, throng_point at, double radius) {
    return throng_walls_depth(floor->walls, at.x, at.y, radius + THRONG_ROUNDING) >= radius - THRONG_ROUNDING;
}

bool throng_fits(const throng_floor *floor, throng_point at, double radius) {
    return throng_is_on_floor(floor, at, radius) && throng_is_clear_of_walls(floor->placement, at, radius) &&
           throng_is_clear_of_things(&floor->placement->things, at, radius + floor->placement->room) &&
           throng_is_free(floor->placement, floor->entry, THRONG_NOBODY, at, radius);
}

/* ------------------------------------------------------------------ the floor */

static bool lay_floor(throng_placement *p, throng_entry *entry, throng_floor *out) {
    throng_place_def def = throng_default_place_def();
    def.walkable = entry->shape.ring;
    throng_error error;
    throng_place *place = throng_place_create(&def, &error);
    if (!place) return throng_wrong(&p->loading->reader, entry->shape.node, "%s", error.text);
    *out = (throng_floor){.placement = p,
                          .entry = entry,
                          .walls = throng_walls_create(place),
                          .bounds = throng_place_bounds(place),
                          .area = fabs(throng_ring_area(entry->shape.ring)),
                          .radius_min = INFINITY};
    throng_place_destroy(place);
    const throng_person *people = p->loading->scenario->people + entry->first;
    for (size_t k = 0; k < entry->shape.count; k++) {
        out->radius_min = fmin(out->radius_min, people[k].def.radius);
        out->radius_max = fmax(out->radius_max, people[k].def.radius);
    }
    return true;
}

static size_t place_on_lattice(throng_floor *floor, bool hexagonal) {
    throng_entry *entry = floor->entry;
    throng_person *people = floor->placement->loading->scenario->people + entry->first;
    throng_point *sites = throng_allocate(entry->shape.count * sizeof *sites);
    size_t count = throng_fill_lattice(floor, hexagonal, entry->shape.count, sites);
    for (size_t k = 0; k < count; k++) {
        people[k].def.at = sites[k];
        throng_placed_add(floor->placement->crowd, entry->first + k, entry->index, sites[k], people[k].def.radius);
    }
    throng_release(sites);
    return count;
}

/* ------------------------------------------------------------------ when they do not fit */

/* What would help: a lattice when it holds them all, else fewer people. */
static void advise(throng_floor *floor, char *out, size_t size) {
    size_t wanted = floor->entry->shape.count, hex = throng_fill_lattice(floor, true, wanted, NULL);
    if (hex >= wanted) {
        snprintf(out, size, "use \"placement\": \"hex\"");
    } else {
        snprintf(out, size,
                 "even \"placement\": \"hex\" holds only %zu; use fewer people, a smaller radius or gap, or a larger "
                 "polygon",
                 hex);
    }
}

static void tell_misfit(throng_floor *floor, size_t placed) {
    throng_reader *reader = &floor->placement->loading->reader;
    const throng_entry *entry = floor->entry;
    throng_json_ref node = throng_value(reader, entry->node, "count");
    if (node == THRONG_NO_NODE) node = throng_value(reader, entry->node, "density");
    char begin[80], advice[160];
    snprintf(begin, sizeof begin, "placed %zu of %zu in agents[%u]", placed, entry->shape.count, entry->index);
    if (placed == 0) {
        throng_wrong(reader, node, "%s: the polygon has no room for a disc of radius %.4g m", begin, floor->radius_max);
        return;
    }
    if (entry->shape.filling == THRONG_FILL_HEX) {
        throng_wrong(reader, node,
                     "%s: more do not fit; use fewer people, a smaller radius or gap, or a larger polygon", begin);
        return;
    }
    advise(floor, advice, sizeof advice);
    bool grid = entry->shape.filling == THRONG_FILL_GRID;
    throng_wrong(reader, node, "%s: %s fills at most about %s of the floor; %s", begin,
                 grid ? "a grid" : "random placement", grid ? "0.78" : "0.55", advice);
}

/* Takes the people of an entry who have found a place away again, so that others can be told of theirs. */
static void clear_floor(throng_floor *floor, size_t placed) {
    throng_placed *crowd = floor->placement->crowd;
    for (size_t k = 0; k < floor->entry->shape.count && placed > 0; k++) {
        size_t person = floor->entry->first + k;
        if (crowd->people[person].radius == 0) continue;
        throng_placed_remove(crowd, person);
        placed--;
    }
}

void throng_fill_polygon(throng_placement *placement, throng_entry *entry) {
    throng_floor floor;
    if (!lay_floor(placement, entry, &floor)) {
        entry->good = false;
        return;
    }
    size_t placed = entry->shape.filling == THRONG_FILL_RANDOM
                        ? throng_fill_darts(&floor)
                        : place_on_lattice(&floor, entry->shape.filling == THRONG_FILL_HEX);
    if (placed < entry->shape.count) {
        clear_floor(&floor, placed);
        tell_misfit(&floor, placed);
        entry->good = false;
    } else if (entry->shape.jitter > 0) {
        throng_shake(placement, entry, &floor);
    }
    throng_walls_destroy(floor.walls);
}
