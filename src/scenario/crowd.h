/* crowd.h: who already stands where, while people are placed: square cells found by hash, as the
 * place may be anything from a room to the open plane. */

#ifndef THRONG_CROWD_H
#define THRONG_CROWD_H

#include <stdbool.h>
#include <stdint.h>
#include <throng/throng.h>

/* Distances short of what they should be by less than this are rounding, m. */
#define THRONG_ROUNDING 1e-9

typedef struct throng_standing {
    throng_point at;
    double radius; /* m; 0: has no place yet */
    uint32_t entry;
    uint32_t next; /* in the same cell, plus one */
} throng_standing;

typedef struct throng_crowd {
    double inverse_cell; /* 1/m */
    uint32_t *cells;     /* [hash] the last person added there, plus one */
    size_t cell_count;
    throng_standing *people; /* [person] */
    throng_period period;    /* people across a seam are in the way, too */
} throng_crowd;

#define THRONG_NOBODY SIZE_MAX

/* Room for `capacity` people; `reach` is the largest sum of two radii and a gap. */
throng_crowd *throng_crowd_create(size_t capacity, double reach);
void throng_crowd_destroy(throng_crowd *crowd);

void throng_crowd_add(throng_crowd *crowd, size_t person, uint32_t entry, throng_point at, double radius);
void throng_crowd_remove(throng_crowd *crowd, size_t person);
void throng_crowd_move(throng_crowd *crowd, size_t person, throng_point to);

/* Somebody other than `person` whose disc comes nearer than `gap`, if of the same entry, or 0; or
 * THRONG_NOBODY. */
size_t throng_crowd_conflict(const throng_crowd *crowd, size_t person, uint32_t entry, throng_point at, double radius,
                             double gap);
/* Whether one disc keeps everybody of this radius out of all places within `reach` of a point. */
bool throng_crowd_covers(const throng_crowd *crowd, uint32_t entry, throng_point at, double reach, double radius,
                         double gap);

#endif
