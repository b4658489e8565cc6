/* march.h: fast marching: distances that spread over a lattice like a wave. */

#ifndef THRONG_MARCH_H
#define THRONG_MARCH_H

#include "route/front.h"
#include "route/lattice.h"

/* What a field knows at each node of the lattice. */
typedef struct throng_node {
    float value;  /* m to walk to the goal; infinite: no way leads there */
    int8_t x, y;  /* the direction of the way, 127 = 1; 0, 0 at the goal */
    uint8_t sees; /* the goal's nearest point is in sight of a body: 1 + which member of it, else 0 */
    uint8_t room; /* as in the lattice */
} throng_node;

typedef struct throng_march {
    const throng_lattice *lattice;
    const uint8_t *open; /* [node] as the lattice's, perhaps with gaps closed */
    double keep;         /* m: walking nearer to walls than this is slow */
    throng_node *nodes;  /* [node] being filled */
    throng_front front;
    float *length;    /* [node] m to walk; while the wave spreads, values count slow stretches for more */
    uint8_t *through; /* [node] between which neighbours its way goes; see march.c */
    /* Told of each node whose value is final, and may still improve it. */
    void (*reached)(void *context, size_t node);
    void *context;
} throng_march;

/* Scratch memory for all nodes of a lattice. */
void throng_march_create(throng_march *march, const throng_lattice *lattice);
void throng_march_destroy(throng_march *march);

/* Makes all nodes unknown. */
void throng_march_clear(throng_march *march);

/* Lets the wave start at a node, if it is nearer than thought so far. */
void throng_march_start(throng_march *march, size_t node, double distance, throng_point direction, uint8_t sees);

/* Lets it spread to wherever it can. Values are then the length of the way. */
void throng_march_spread(throng_march *march);

/* Sets what a node knows for sure, from within `reached`: the direction is a unit vector. */
void throng_march_know(throng_march *march, size_t node, double distance, throng_point direction);

#endif
