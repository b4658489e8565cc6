/* march.h: fast marching: costs that spread over a lattice like a wave, and the lengths of the ways.
 *
 * What a node ends up with depends only on what its neighbours end up with, not on the order in which
 * they were reached. So a wave that is mended after a change is the same, bit for bit, as a new one. */

#ifndef THRONG_MARCH_H
#define THRONG_MARCH_H

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

/* The front (bucket queue) of a wave while it spreads: nodes with a tentative cost, the least first, in bins of cost. A
 * bin is narrower than the least that one node can add to another, so the nodes of a bin do not depend on each other
 * and need no order among themselves. A node whose cost falls is put in again; whoever takes nodes passes over the
 * entries left behind. */
enum { THRONG_FRONT_CHUNK = 30 };

/* Some of the nodes of a bin. */
typedef struct throng_front_chunk {
    uint32_t next; /* 1 + the next chunk of the bin, or of those that are free; 0: none */
    uint32_t count;
    uint32_t nodes[THRONG_FRONT_CHUNK];
} throng_front_chunk;

typedef struct throng_front {
    float per_bin;                  /* 1 / the width of a bin */
    uint32_t *first;                /* [bin] 1 + its first chunk; 0: empty */
    size_t bin_count, bin_capacity; /* bins before bin_count have been used */
    size_t current;                 /* bins before this one are empty for good */
    throng_front_chunk *chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t free; /* 1 + the first free chunk */
} throng_front;

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
