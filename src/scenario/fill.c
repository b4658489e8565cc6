/* fill.c: people in a polygon, by darts or on a lattice; and what to say when they do not fit. */

#include <math.h>
#include <stdio.h>

#include "scenario/placement.h"
#include "space/place.h"
#include "space/walls.h"
#include "world/memory.h"

bool throng_is_on_floor(const throng_floor *floor, throng_point at, double radius) {
    return throng_walls_depth(floor->walls, at.x, at.y, radius + THRONG_ROUNDING) >= radius - THRONG_ROUNDING;
}

bool throng_fits(const throng_floor *floor, throng_point at, double radius) {
    return throng_is_on_floor(floor, at, radius) && throng_is_clear_of_walls(floor->placement, at, radius) &&
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
        throng_crowd_add(floor->placement->crowd, entry->first + k, entry->index, sites[k], people[k].def.radius);
    }
    throng_release(sites);
    return count;
}

/* ------------------------------------------------------------------ when they do not fit */

static void tell_misfit(throng_floor *floor, size_t placed) {
    throng_reader *reader = &floor->placement->loading->reader;
    const throng_entry *entry = floor->entry;
    size_t wanted = entry->shape.count;
    throng_node node = throng_value(reader, entry->node, "count");
    if (node == THRONG_NO_NODE) node = throng_value(reader, entry->node, "density");
    char begin[80];
    snprintf(begin, sizeof begin, "placed %zu of %zu in agents[%u]", placed, wanted, entry->index);
    if (entry->shape.filling == THRONG_FILL_HEX) {
        throng_wrong(reader, node,
                     "%s: no denser placement is known; use fewer people, a smaller radius or gap, or a "
                     "larger polygon",
                     begin);
        return;
    }

    /* What a hexagonal lattice would hold on the same floor with nobody of this entry on it is about
     * what the area says, less what the border costs. */
    double pitch = 2 * floor->radius_max + entry->shape.gap;
    double hex = floor->area / (0.866 * pitch * pitch);
    const char *advice = "use \"placement\": \"hex\"";
    const char *otherwise = "no placement holds so many; use fewer people, a smaller radius or a larger polygon";
    bool helps = 0.9 * hex > (double)wanted;
    if (entry->shape.filling == THRONG_FILL_GRID) {
        throng_wrong(reader, node, "%s: a grid fills at most about 0.78 of the floor; %s", begin,
                     helps ? advice : otherwise);
    } else {
        throng_wrong(reader, node, "%s: random placement fills at most about 0.55 of the floor; %s", begin,
                     helps ? advice : otherwise);
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
        tell_misfit(&floor, placed);
        entry->good = false;
    } else if (entry->shape.jitter > 0) {
        throng_shake(placement, entry, &floor);
    }
    throng_walls_destroy(floor.walls);
}
