/* cover.h: rings that touch, cross and lie upon each other, cut where they meet, and put together again
 * around whatever they cover as a rule asks for (polygon overlay: union, difference, intersection).
 *
 *     ┌─────────┐                ┌─────────┐
 *     │  ground │                │  ground │      ground > 0 && solid == 0
 *     │     ┌───┼────┐           │     ┌───┘
 *     │     │   │    │   ──►     │     │
 *     └─────┼───┘    │           └─────┘
 *           └────────┘ solid
 *
 * What meets is decided exactly. Where two edges cross, the crossing is a point of its own, rounded, and
 * what the edges come to meet by that is cut again, until edges meet in common ends alone. */

#ifndef THRONG_COVER_H
#define THRONG_COVER_H

#include "space/area.h"

/* How often shapes of either kind cover a place. */
typedef struct throng_cover {
    int ground, solid;
} throng_cover;

typedef bool (*throng_cover_rule)(throng_cover cover);

/* A ring that covers what is on its left, or with `turn` what is on its right. It may meet itself. */
typedef struct throng_cover_ring {
    throng_ring ring;
    bool turn, solid;
    uint32_t shape; /* rings of one shape may follow each other only, and are numbered from 0 */
    bool apart;     /* it is known to keep clear of itself and of all that are so, too: they are not compared */
} throng_cover_ring;

/* Two shapes, of those asked for, whose outlines meet, the lower number first, and the leftmost (then lowest) place of
 * it. */
typedef struct throng_meeting {
    uint32_t shape[2];
    throng_point at;
} throng_meeting;

/* What is asked for, and what was found besides. */
typedef struct throng_covering {
    const throng_cover_ring *rings;
    size_t ring_count;
    throng_cover beyond;    /* what covers the plane far away */
    throng_cover_rule rule; /* what is to be within the rings that come out */
    /* Rings that are apart do not even touch, and have ground on their left alone: only what lies above or below others
     * is swept. Then borders come before all holes, unless everything was. */
    bool clear;
    uint32_t asked; /* of so many shapes, the first ones, meetings are told */
    throng_meeting *meetings;
    size_t meeting_count, meeting_capacity;
    throng_cover *around; /* [shape] just outside its leftmost corner; of those that meet no other */
} throng_covering;

/* Adds rings with what the rule asks for on their left to `out`: each border is followed by its holes; holes that lie
 * in no border, which takes a `beyond` that the rule asks for, come first. No ring has a corner twice; they come in the
 * order of the rings given. False when so many edges lie side by side that comparing them would take minutes. */
bool throng_cover_trace(throng_covering *c, throng_area *out);
void throng_covering_clear(throng_covering *c);

/* An edge of a ring, with what it covers on its left. */
typedef struct throng_edge {
    throng_point a, b;
    uint32_t ring;
    bool fresh; /* one of its ends was computed since it was last compared with others */
} throng_edge;

/* crossings.c: the edges of all rings in their order, cut where they meet (noding). False as above. */
bool throng_edges_cut(throng_covering *c, throng_edge **edges, size_t *count);

#endif
