/* repair.h: what is mended in a place before it is put together: single rings first (points drawn
 * twice, spikes), then the hairline gaps between rings that were meant to meet. */

#ifndef THRONG_REPAIR_H
#define THRONG_REPAIR_H

#include "space/shapes.h"

/* Details below this are not meant: points, widths and gaps. m */
#define THRONG_TOLERANCE 1e-3
/* Points nearer than this are one point, written twice or rounded differently. m */
#define THRONG_ONE_POINT 1e-9

/* Something taken out of a ring. */
typedef struct throng_mend {
    bool spike;            /* false: a point drawn twice */
    size_t point, other;   /* from 1, as given: the two points; the tip of a spike */
    throng_point at, base; /* the point or tip, and where the spike leaves the ring */
    double size;           /* m between the two points; width of the spike */
} throng_mend;

typedef struct throng_mends {
    throng_mend *mends;
    size_t count, capacity;
} throng_mends;

/* Copies the points of a closed ring without those nearer to the one before than the tolerance, and
 * without spikes narrower than that: a way out and straight back. Returns how many are left. A closing
 * point is left out without a word. */
size_t throng_ring_mend(const throng_point *points, size_t count, double tolerance, throng_point *out,
                        throng_mends *mends);

/* Closes the gaps below the tolerance between different rings of the plan, and between thin walls and
 * anything: a corner that all but meets an edge becomes a corner of it, and corners that all but meet
 * become one. The points of the plan move by the tolerance at most. Whether anything was closed. */
bool throng_plan_close_gaps(throng_plan *plan, throng_place_notes *notes);

#endif
