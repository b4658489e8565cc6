/* energy.h: what a choice of velocities costs in the model `implicit`, with slopes and curvatures.
 *
 * A step minimises g(v) = f(v) / dt, f being the objective of eq. 10 of Karamouzas, Sohre, Narain, Guy: Implicit
 * Crowds, ACM Transactions on Graphics 36(4), 2017. Here are the shares of g that pairs of people and walls have; each
 * pair counts once. With q0 = x_j - x_i at the start of the step, r the sum of radii and w = v_i - v_j:
 *
 *   time to collision (eq. 15-19)  k s^p exp(-1 / (s tau0)),  s = 1 / time to collision, smoothed, after the step
 *   repulsion (eq. 20-23)          eta / (d - r) / dt,        d = least distance within the step
 *
 * Both are functions of w alone; the slope with respect to v_i is that to w, and to v_j its negative. An energy is
 * infinite where the two would touch: with the repulsion at any time in the step, so a finite energy is a proof that
 * they do not. docs/models.md has the equations. */

#ifndef THRONG_IMPLICIT_ENERGY_H
#define THRONG_IMPLICIT_ENERGY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a pair, or a walker and its walls, obeys. */
typedef struct throng_implicit_law {
    double dt;    /* s */
    double k, p;  /* time to collision: strength and power */
    double tau0;  /* s, how far ahead people look */
    double eps;   /* in (0, 1): how much of the velocity obstacle is smoothed */
    double eta;   /* m^3/s^2, strength of the repulsion */
    double kr;    /* > 0: rounds the kink of the repulsion at w = 0, see approach_four */
    double gc;    /* m, gap at which the repulsion ends */
    bool printed; /* the repulsion as printed: with the kink, without an end */
} throng_implicit_law;

/* How much is computed; whatever is beyond it is left as it was (in arrays) or 0. */
enum {
    THRONG_ORDER_ENERGY,
    THRONG_ORDER_GRADIENT,
    THRONG_ORDER_HESSIAN, /* the nearest positive semi-definite matrix */
    THRONG_ORDER_EXACT    /* the second derivatives as they are, for tests */
};

/* Energy and its derivatives with respect to w (walls: v). Where the energy is infinite the others are 0. */
typedef struct throng_term {
    double energy;        /* m^2/s^3 */
    double gx, gy;        /* m/s^2 */
    double hxx, hxy, hyy; /* 1/s */
} throng_term;

/* Infinite as soon as one is. */
static inline throng_term throng_add_terms(throng_term a, throng_term b) {
    if (a.energy == INFINITY || b.energy == INFINITY) return (throng_term){.energy = INFINITY};
    return (throng_term){a.energy + b.energy, a.gx + b.gx, a.gy + b.gy, a.hxx + b.hxx, a.hxy + b.hxy, a.hyy + b.hyy};
}

/* Terms of pairs as columns, with room up to the next multiple of four. */
typedef struct throng_pair_terms {
    double *energy;
    double *gx, *gy;
    double *hxx, *hxy, *hyy;
} throng_pair_terms;

/* A piece of wall, from a to b; the walkable side is left (matters only to who stands right on it). */
typedef struct throng_segment {
    double ax, ay, bx, by; /* m */
} throng_segment;

/* The shares that pairs have, as bits. */
enum { THRONG_TTC = 1, THRONG_REPULSION = 2 };

/* The least distance between the surfaces of two within the step, m; negative: they overlap. */
double throng_pair_gap(double qx, double qy, double r, double wx, double wy, double dt);

/* A piece of wall as a walker sees it: the walker starts at the origin. It does not change within a step. */
typedef struct throng_wall_piece {
    double ax, ay;   /* m, where it begins */
    double ux, uy;   /* unit direction */
    double length;   /* m */
    double distance; /* m, to its nearest point */
    double nx, ny;   /* unit direction to it */
} throng_wall_piece;

throng_wall_piece throng_see_wall(const throng_segment *segment, double x, double y);

/* A walker among pieces of wall. */
typedef struct throng_walled {
    const throng_wall_piece *pieces;
    const uint32_t *ahead, *close; /* numbers of pieces that it may meet, and that may repel it; any order will do */
    uint32_t ahead_count, close_count;
    double r;      /* m */
    double vx, vy; /* m/s */
} throng_walled;

/* The least distance from a walker's surface to any of some pieces within the step, m; infinite if there are none. */
double throng_wall_gap(const throng_wall_piece *pieces, size_t count, double r, double vx, double vy, double dt);

/* Who overlaps at the start counts as just not overlapping, so that standing still is allowed and going deeper is not,
 * and is driven apart by a separation term besides. */
static inline double throng_effective_radius(double distance, double r) {
    if (distance > r) return r;
    return distance > 2e-3 ? distance - 1e-3 : 0.5 * distance;
}

/* Drives two apart who overlap at the start, with r the true sum of radii. */
throng_term throng_separation_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                                   int order);
/* Drives a walker out of the walls that it overlaps at the start. */
throng_term throng_wall_separation_term(const throng_implicit_law *law, const throng_wall_piece *pieces, size_t count,
                                        double r, double vx, double vy, int order);

#endif
