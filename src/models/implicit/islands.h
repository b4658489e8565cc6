/* islands.h: who can matter to whom at all in a step, and solving for each such group on its own (islands.c). */

#ifndef THRONG_IMPLICIT_ISLANDS_H
#define THRONG_IMPLICIT_ISLANDS_H

#include "models/implicit/solver.h"

/* Some small islands that a worker solves for one after the other. */
typedef struct throng_implicit_batch_of_islands {
    size_t begin, end;
    throng_implicit_counts counts;
    bool ask_whole;
} throng_implicit_batch_of_islands;

/* What a worker needs beside its stack. */
typedef struct throng_implicit_helper {
    throng_implicit_rows rows; /* without columns */
    throng_implicit_offdiagonals pool[THRONG_IMPLICIT_KINDS], kept_pool[THRONG_IMPLICIT_KINDS];
} throng_implicit_helper;

typedef struct throng_implicit_islands {
    size_t found; /* when lists were made */
    size_t capacity, begin_capacity;
    uint32_t *of;                  /* [slot] the island of an own walker, from when lists were made */
    uint32_t *rank;                /* [slot] */
    uint32_t *label;               /* [quad] some island that all four are in, while islands are found */
    uint32_t *slots, *images;      /* island by island */
    uint32_t *begin, *image_begin; /* [island + 1] in them */
    size_t lanes_most, row_most;   /* of small islands: pairs of an island, quads of a row */

    throng_implicit_batch_of_islands *batches;
    size_t batch_count, batch_capacity;
    throng_implicit_helper *helpers; /* [worker] */
    size_t helper_count;
    throng_implicit_solver *solver; /* whose columns they use */
    const throng_implicit_params *params;
} throng_implicit_islands;

void throng_implicit_release_islands(throng_implicit_islands *islands);
/* From rows that have just been found. */
void throng_implicit_find_islands(throng_implicit_islands *islands, const throng_implicit_solver *s);
/* Lets the solver solve for all at once. */
void throng_implicit_unite(throng_implicit_islands *islands, throng_implicit_solver *s);
/* Solves for each island. Velocities, counts and residuals are the solver's. */
void throng_implicit_solve(throng_implicit_islands *islands, throng_implicit_solver *s,
                           const throng_implicit_params *params);

#endif
