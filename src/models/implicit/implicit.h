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
 *     own_terms.c          g of one walker;  energy.c, energy_*_kernel.h  of pairs and walls
 *     objective.c          g with gradient and Hessian; products with the Hessian
 *     feasible.c           from any velocities to some where g is finite
 *     block_descent.c      person by person downhill
 *     newton.c             the solver of choice;  step_limits.c  how far its steps go
 *     lbfgs.c              the solver of the paper
 *     kernel.c             what is computed four at a time, for several of these files: *_kernel.h
 *     verify.c             looks at what came out, on its own
 *
 * walkers.h, solver.h and islands.h have the parts of its state and say which file writes which. */

#ifndef THRONG_IMPLICIT_H
#define THRONG_IMPLICIT_H

#include "models/implicit/islands.h"

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
