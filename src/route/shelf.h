/* shelf.h: where the planner of flow fields keeps its fields. There are two shelves: one for goals,
 * with a field for each goal and size of body, and one for targets of one's own, with fields that each
 * serve a tile of the place.
 *
 * A field for a goal follows from the ground and the goal, so it does not matter when it was made or
 * whether it was given up in between. Which target the field of a tile leads to does depend on who
 * asked first; throng_shelf_archive keeps that. */

#ifndef THRONG_SHELF_H
#define THRONG_SHELF_H

#include <stdatomic.h>

#include "route/field.h"

/* What is to be done about a field: nothing, to make it, or to mend it after a change of the ground or of
 * the crowd. */
typedef enum throng_chore {
    THRONG_FIELD_IS_READY,
    THRONG_FIELD_TO_MAKE,
    THRONG_FIELD_TO_MEND,
    THRONG_FIELD_IN_CROWD
} throng_chore;

typedef struct throng_slot {
    throng_field field;
    uint32_t next;    /* 1 + the next slot of its goal or tile; 0: the last */
    uint64_t asked;   /* the last round of asking that needed it */
    atomic_bool used; /* somebody has gone by it since; set by any thread */
    throng_chore chore;
} throng_slot;

typedef struct throng_shelf {
    throng_ground ground;
    bool tiled;    /* for targets of one's own */
    double memory; /* bytes; fields that nobody needs go when there are more */
    throng_slot *slots;
    size_t count, capacity;
    uint32_t *first; /* [goal or tile] 1 + its first slot; 0: none */
    size_t first_count;
    double tile; /* m */
    int32_t tile_columns, tile_rows;
    throng_field_maker *makers; /* [lane] */
    size_t maker_count;
    throng_node_list changes[THRONG_SIZES_MOST]; /* [size] nodes, while fields are mended */
    throng_node_list slowed;                     /* nodes where crowds are others now */
} throng_shelf;

void throng_shelf_clear(throng_shelf *shelf);

/* Makes the ground serve bodies of these radii. Fields on a ground that must be laid anew are made
 * again if they were asked for since a round; the others go. */
void throng_shelf_ready(throng_shelf *shelf, double radius_low, double radius_high, uint64_t round);

/* The field for somebody of a radius, or NULL: of a goal, or, on a tiled shelf, of the target's tile if a
 * way leads from the target to where the field leads. */
throng_slot *throng_shelf_find(const throng_shelf *shelf, throng_goal goal, throng_point target, double radius);

/* Sees to it that there is such a field, or on a tiled shelf one that may do as well, to be made if it
 * is new. Gives up the field that was not asked for for the longest, when there are too many. */
void throng_shelf_ask(throng_shelf *shelf, throng_goal goal, throng_point target, double radius, uint64_t round);

/* Makes and mends the fields that need it. Returns whether there were any. */
bool throng_shelf_make(throng_shelf *shelf, const throng_goal_entry *goals, throng_crew *crew);

/* The walls have changed, or where walking is slow. Fields that were asked for since a round, or used
 * since, are brought up to date by the next make; the others go. */
void throng_shelf_walls(throng_shelf *shelf, const throng_walls *walls, uint64_t round);
void throng_shelf_slow_down(throng_shelf *shelf, uint64_t round);

/* Goals have closed or opened: the fields that lead to one of several are to be mended. */
void throng_shelf_check_members(throng_shelf *shelf, const throng_goal_entry *goals);

/* Keeps or brings back a tiled shelf; a shelf for goals needs nothing but its ground. */
void throng_shelf_archive(throng_shelf *shelf, throng_archive *archive);

#endif
