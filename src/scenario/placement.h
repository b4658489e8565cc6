/* placement.h: what the ways of placing people share. */

#ifndef THRONG_PLACEMENT_H
#define THRONG_PLACEMENT_H

#include "scenario/scenario.h"

/* Who already stands where, while people are placed: square cells found by hash, as the place may be anything from a
 * room to the open plane. */

/* Distances short of what they should be by less than this are rounding, m. */
#define THRONG_ROUNDING 1e-9

typedef struct throng_placed_person {
    throng_point at;
    double radius; /* m; 0: has no place yet */
    uint32_t entry;
    uint32_t next; /* in the same cell, plus one */
} throng_placed_person;

typedef struct throng_placed {
    double inverse_cell; /* 1/m */
    uint32_t *cells;     /* [hash] the last person added there, plus one */
    size_t cell_count;
    throng_placed_person *people; /* [person] */
    throng_period period;         /* people across a seam are in the way, too */
} throng_placed;

#define THRONG_NOBODY SIZE_MAX

/* Room for `capacity` people; `reach` is the largest sum of two radii and a gap. */
throng_placed *throng_placed_create(size_t capacity, double reach);
void throng_placed_destroy(throng_placed *crowd);

void throng_placed_add(throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double radius);
void throng_placed_remove(throng_placed *crowd, size_t person);
void throng_placed_move(throng_placed *crowd, size_t person, throng_point to);

/* Somebody other than `person` whose disc comes nearer than `gap`, if of the same entry, or 0; or
 * THRONG_NOBODY. */
size_t throng_placed_conflict(const throng_placed *crowd, size_t person, uint32_t entry, throng_point at, double radius,
                              double gap);
/* Whether one disc keeps everybody of this radius out of all places within `reach` of a point. */
bool throng_placed_covers(const throng_placed *crowd, uint32_t entry, throng_point at, double reach, double radius,
                          double gap);

typedef struct throng_placement {
    throng_reader *reader;
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

#endif
