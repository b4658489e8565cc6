/* implicit.h: the model `implicit`.
 *
 * A step looks for everybody's velocities at once: those that minimise
 *
 *     g(v) = sum_i |v_i - old_i|^2 / (2 dt) + xi/2 |v_i - goal_i|^2 - push_i v_i + cap(v_i) + walls(v_i)
 *          + sum_pairs  time to collision + repulsion                      (energy.h)
 *
 * Where g is finite nobody touches anybody or anything within the step, and nobody is faster than its limit. All that
 * a solver does is to go from one point of finite g to the next; so it may stop at any time.
 *
 *     file                 what it does
 *     walkers.c            who takes part, with what limit
 *     neighbour_cache.c    whether the lists of earlier steps still serve
 *     wall_lists.c         among which walls
 *     neighbour_lists.c    who can matter to whom
 *     islands.c            and so at all: each such group is solved for on its own
 *     active_set.c         who is decided for at the moment, and sums over them;  workspace.c  room for all that
 *     energy.c             energies of pairs and walls, with energy_*_kernel.h
 *     objective.c          g with gradient and Hessian; products with the Hessian
 *     feasible.c           from any velocities to some where g is finite
 *     block_descent.c      person by person downhill
 *     newton.c             the solver of choice;  step_limits.c  how far its steps go
 *     lbfgs.c              the solver of the paper
 *     kernel.c             what is computed four at a time, for several of these files: *_kernel.h
 *     verify.c             looks at what came out, on its own
 *
 * walkers.h, solver.h and this file have the parts of its state and say which file writes which. */

#ifndef THRONG_IMPLICIT_H
#define THRONG_IMPLICIT_H

#include "models/implicit/solver.h"

/* --- islands.c: who can matter to whom at all in a step, and solving for each such group on its own */

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

typedef struct throng_implicit {
    throng_implicit_counts counts;
    uint64_t packed;       /* summed over steps of this run: people who are (walkers.h) */
    bool told_slow;        /* that large steps slow the flow */
    uint64_t walls_number; /* a number for all walls, another one when they change */
    throng_implicit_cache cache;
    throng_implicit_walkers walkers;
    throng_implicit_walls walls;
    throng_implicit_islands islands;
    throng_implicit_solver solver;
} throng_implicit;

/* Takes people and walls from the step, and makes lists unless those of earlier steps serve. */
void throng_implicit_begin(throng_implicit *model, const throng_step *now);

#endif
