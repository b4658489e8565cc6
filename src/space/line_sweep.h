/* line_sweep.h: whether closed rings keep clear of themselves and of each other, and which lies in which. */

#ifndef THRONG_LINE_SWEEP_H
#define THRONG_LINE_SWEEP_H

#include <throng/throng.h>

/* Two edges that meet though they should not. */
typedef struct throng_ring_contact {
    throng_point at;
    size_t ring[2]; /* the rings concerned; twice the same when one meets itself */
    bool crossing;  /* they pass through each other; false: a corner lies on an edge or on a corner */
    double depth;   /* m, of a crossing: how far the nearest end of an edge lies beyond the other edge */
} throng_ring_contact;

/* Looks at all edges from left to right, in O(n log n) and with exact arithmetic. False when a ring
 * meets itself or another one: contact says where. Otherwise inside_of[r], unless it is NULL, is the
 * ring directly around ring r, or SIZE_MAX. Rings have three corners or more, no corner twice in a
 * row, and at most 2^32 - 2 corners altogether. */
bool throng_rings_apart(const throng_ring *rings, size_t count, size_t *inside_of, throng_ring_contact *contact);

#endif
