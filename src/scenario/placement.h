/* placement.h: what the ways of placing people share. */

#ifndef THRONG_PLACEMENT_H
#define THRONG_PLACEMENT_H

#include "scenario/placed.h"
#include "scenario/read_objects.h"
#include "scenario/scenario.h"

typedef struct throng_placement {
    throng_loading *loading;
    throng_placed *crowd; /* those who have a place */
    throng_things_plan things;
    bool overlap_allowed; /* people may stand in each other, and with a shoulder in a wall */
    double room;          /* m that must be left between people, and to walls: some models cannot start touching, */
    const char *apart;    /* as this one */
} throng_placement;

/* throng_draws.what of the purpose THRONG_RANDOM_PLACE. */
enum { THRONG_PLACE_JITTER, THRONG_PLACE_DART };

/* Whether a disc is wholly in the walkable area. */
bool throng_is_clear_of_walls(const throng_placement *placement, throng_point at, double radius);
/* Whether a disc overlaps nobody but `person`, and keeps the gap to the people of its entry. */
bool throng_is_free(const throng_placement *placement, const throng_entry *entry, size_t person, throng_point at,
                    double radius);

/* A polygon to fill. */
typedef struct throng_floor {
    throng_placement *placement;
    throng_entry *entry;
    throng_walls *walls; /* of the polygon alone */
    throng_box bounds;
    double area;                   /* m^2 */
    double radius_min, radius_max; /* of its people, m */
} throng_floor;

/* Shifts each coordinate of everybody of an entry by up to its jitter; floor may be NULL. */
void throng_shake(throng_placement *placement, const throng_entry *entry, const throng_floor *floor);

/* fill.c: places the people of an entry that has "in"; complains when they do not fit. */
void throng_fill_polygon(throng_placement *placement, throng_entry *entry);
/* Whether a disc lies in the polygon. */
bool throng_is_on_floor(const throng_floor *floor, throng_point at, double radius);
/* Whether a disc lies in the polygon and the walkable area, touches nobody, and keeps the gap. */
bool throng_fits(const throng_floor *floor, throng_point at, double radius);

/* lattice.c: gives everybody a place of a hexagonal or square lattice spread over the floor, as wide
 * as the number of people allows. Returns how many places there are, `wanted` at most when they are
 * too few; out has room for `wanted`, or is NULL to ask only for the number. */
size_t throng_fill_lattice(const throng_floor *floor, bool hexagonal, size_t wanted, throng_point *out);

/* darts.c: places people at random until all stand or nothing is free. Returns how many stand. */
size_t throng_fill_darts(throng_floor *floor);

#endif
