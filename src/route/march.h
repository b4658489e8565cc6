/* march.h: fast marching: costs that spread over a lattice like a wave, and the lengths of the ways.
 *
 * What a node ends up with depends only on what its neighbours end up with, not on the order in which
 * they were reached. So a wave that is mended after a change is the same, bit for bit, as a new one. */

#ifndef THRONG_MARCH_H
#define THRONG_MARCH_H

#include "route/front.h"
#include "route/lattice.h"

/* What a field knows at each node of the lattice. */
typedef struct throng_field_node {
    float value;  /* m to walk to the goal; infinite: no way leads there */
    int8_t x, y;  /* the direction of the way, 127 = 1; 0, 0 at the goal */
    uint8_t sees; /* the goal's nearest point is in sight of a body: 1 + which member of it, else 0 */
    uint8_t room; /* as in the lattice */
} throng_field_node;

/* What a node next to the goal knows for sure. */
typedef struct throng_field_origin {
    uint32_t node;
    float cost, length; /* m */
    int8_t x, y;
    uint8_t sees;
} throng_field_origin;

/* Where a wave spreads. */
typedef struct throng_terrain {
    const throng_lattice *lattice;
    const uint8_t *open; /* [node] as the lattice's, perhaps with gaps closed */
    const float *slow;   /* [node] how many times each metre counts; NULL: 1 everywhere */
    double slow_least;   /* the least of them, at most 1 */
    double keep;         /* m: walking nearer to walls than this is slow */
} throng_terrain;

/* What it leaves behind. */
typedef struct throng_wave {
    throng_field_node *nodes; /* [node] */
    float *cost;              /* [node] m, with slow stretches counted for more */
    uint8_t *through;         /* [node] between which neighbours its way goes; see march.c */
} throng_wave;

typedef struct throng_march {
    throng_terrain terrain;
    throng_wave wave;
    throng_front front;
    ptrdiff_t step[8]; /* from a node to its neighbours */
    double per_keep;   /* 1 / keep */
    size_t settled;    /* how many times a node got its way since it was set */
    uint32_t *redone;  /* while mending: nodes that forgot their way */
    size_t redone_count, redone_capacity;
    uint8_t *touched; /* [node] while mending: its cost or way is new */
    size_t touched_capacity;
} throng_march;

void throng_march_destroy(throng_march *march); /* one that began as all zero */

void throng_march_set(throng_march *march, throng_terrain terrain, throng_wave wave);

/* Makes the wave anew from its sources; of several at a node the nearest counts. */
void throng_march_spread(throng_march *march, const throng_field_origin *sources, size_t count);

/* The part of all nodes that may have changed for a wave to be mended: after more it is made anew. */
extern const double throng_march_mends_most;

/* Mends a wave whose sources are these now, after the terrain has changed at some nodes: what is open
 * around them, how slow they are, or their room. Returns false, with the wave half mended, when so much
 * depends on them that it is cheaper made anew. */
bool throng_march_mend(throng_march *march, const throng_field_origin *sources, size_t count, const uint32_t *changed,
                       size_t changed_count);

#endif
