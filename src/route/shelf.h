/* shelf.h: where the planner of flow fields keeps its fields. There are two shelves: one for goals,
 * with a field for each goal and size of body, and one for targets of one's own, with a limited
 * number of fields that each serve a tile of the place. */

#ifndef THRONG_SHELF_H
#define THRONG_SHELF_H

#include "route/field.h"

typedef struct throng_slot {
    throng_field field;
    uint32_t next;  /* 1 + the next slot of its goal or tile; 0: the last */
    uint64_t asked; /* the last round of asking that needed it */
    bool stale;     /* to be made */
} throng_slot;

typedef struct throng_shelf {
    throng_ground ground;
    bool tiled; /* for targets of one's own */
    throng_slot *slots;
    size_t count, capacity;
    uint32_t *first; /* [goal or tile] 1 + its first slot; 0: none */
    size_t first_count;
    double tile; /* m */
    int32_t tile_columns, tile_rows;
} throng_shelf;

void throng_shelf_clear(throng_shelf *shelf);

/* Makes the ground serve bodies of these radii. Fields on a ground that must be laid anew are made
 * again; those of tiles only when they are asked for again. */
void throng_shelf_ready(throng_shelf *shelf, double radius_low, double radius_high);

/* The field for a walker, or NULL: of its goal, or of its target's tile if a way leads from the target
 * to where the field leads. For want of one for the walker's size, that for the next smaller size. */
throng_slot *throng_shelf_find(const throng_shelf *shelf, const throng_walker *walker);

/* Sees to it that there is a field for a walker, or one that may do as well, to be made if it is new.
 * A full shelf of tiles gives up the field that was not asked for for the longest, if it was not
 * asked for in this round. */
void throng_shelf_ask(throng_shelf *shelf, const throng_walker *walker, uint64_t round);

/* Makes the fields that are new or out of date. Returns whether there were any. */
bool throng_shelf_make(throng_shelf *shelf, const throng_goal_entry *goals, throng_crew *crew);

#endif
