/* placed.h: who already stands where, while people are placed: square cells found by hash, as the
 * place may be anything from a room to the open plane. */

#ifndef THRONG_PLACED_H
#define THRONG_PLACED_H

#include <stdbool.h>
#include <stdint.h>
#include <throng/throng.h>

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

#endif
