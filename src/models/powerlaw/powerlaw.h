/* powerlaw.h: the insides of the model `powerlaw` (anticipatory force), shared by its files and their tests.
 *
 * Two people who will collide in tau seconds, if both walk on as they do, have the energy
 *
 *     E(tau) = k tau^-m exp(-tau / tau0)
 *
 * and everybody is driven by the force -grad E over its own position, together with a pull towards the
 * wish. For q the way to the other, w the relative velocity, R the sum of radii and
 *
 *     a = w.w    b = q.w    c = q.q - R^2    d = b^2 - a c
 *
 * the two meet if b > 0 and d > 0, in tau = (b - sqrt d) / a = c / (b + sqrt d), and the force is
 *
 *     F = E(tau) (m / tau + 1 / tau0) / a * ((b w - a q) / sqrt d - w).
 *
 * A damped spring drives apart who overlap besides. F has no bound, so a step of the world is
 * divided into sub-steps, in which everybody goes on from where the cell grid has it.
 *
 * I. Karamouzas, B. Skinner, S. J. Guy: Universal power law governing pedestrian interactions.
 * Physical Review Letters 113, 238701, 2014. */

#ifndef THRONG_POWERLAW_H
#define THRONG_POWERLAW_H

#include <throng/model.h>

#include "models/common.h"
#include "models/divide.h"

typedef struct throng_powerlaw_params {
    double k, m, tau0;
    double relaxation_time;
    double neighbour_dist;
    double max_acceleration;
    double separation;
    double substep;
} throng_powerlaw_params;

/* What was counted, by worker: a tally of common.h. */
typedef struct throng_powerlaw_counts {
    uint64_t decisions;
    uint64_t clamped; /* the acceleration was more than the most */
    uint64_t stopped; /* the last guard kept it from crossing a wall */
    uint64_t unused[5];
} throng_powerlaw_counts;
_Static_assert(sizeof(throng_powerlaw_counts) == THRONG_TALLY * sizeof(uint64_t), "it is a tally");

/* Decides for mine[begin..end-1] of a throng_substep, of which are the counts; built both plain and wide, with the same
 * bits. */
extern const throng_work throng_powerlaw_decide_plain;
extern const throng_work throng_powerlaw_decide_avx2; /* only where throng_wide_supported() */

/* A disc on its way. */
typedef struct throng_powerlaw_person {
    double x, y;   /* m */
    double vx, vy; /* m/s */
    double radius; /* m */
} throng_powerlaw_person;

/* The wall that a person who walks on as it does touches first. */
typedef struct throng_powerlaw_impact {
    double tau;              /* s; infinite when there is none */
    double slope_x, slope_y; /* s/m, grad of tau over the position */
} throng_powerlaw_impact;

/* Looks as far as `reach` (m) ahead. */
throng_powerlaw_impact throng_powerlaw_first_wall(const throng_walls *walls, const throng_powerlaw_person *person,
                                                  double reach);

#endif
