/* implicit_random.h: random pairs and walls for the tests of `implicit`, and its laws. */

#ifndef THRONG_IMPLICIT_RANDOM_H
#define THRONG_IMPLICIT_RANDOM_H

#include <throng/model.h>

#include "dice.h"
#include "models/implicit/solver.h"
#include "oracle_implicit.h"

/* Shares of a pair in plain C. */
static inline throng_term ttc_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                                   int order) {
    return throng_implicit_plain.pair_term(law, qx, qy, r, wx, wy, THRONG_TTC, order);
}
static inline throng_term repulsion_term(const throng_implicit_law *law, double qx, double qy, double r, double wx,
                                         double wy, int order) {
    return throng_implicit_plain.pair_term(law, qx, qy, r, wx, wy, THRONG_REPULSION, order);
}
static inline throng_term both_terms(const throng_implicit_law *law, double qx, double qy, double r, double wx,
                                     double wy, int order) {
    return throng_implicit_plain.pair_term(law, qx, qy, r, wx, wy, THRONG_TTC | THRONG_REPULSION, order);
}

/* As likely to lie within any factor as within any other. */
static inline double dice_scale(dice *d, double low, double high) {
    return low * pow(high / low, dice_between(d, 0, 1));
}

static inline throng_implicit_law law_of(double dt, double p) {
    return (throng_implicit_law){.dt = dt, .k = 2, .p = p, .tau0 = 3, .eps = 0.2, .eta = 0.01, .kr = 0.1, .gc = 1};
}

static inline throng_implicit_law random_law(dice *d) {
    return law_of(dice_scale(d, 0.01, 1), dice_between(d, 0, 1) < 0.5 ? 2 : 3.25);
}

typedef struct random_pair {
    double qx, qy, r, wx, wy;
    double gap; /* at the start */
} random_pair;

/* Gaps of 0.02 to 9 m; from walking apart to touching within the step and beyond. */
static inline random_pair dice_pair(dice *d, double dt) {
    random_pair p = {.r = dice_scale(d, 0.2, 1.5), .gap = dice_scale(d, 0.02, 9)};
    double turn = dice_between(d, 0, 6.283185307179586), nx = cos(turn), ny = sin(turn);
    double most = p.gap / dt < 3 ? p.gap / dt * 1.02 : 3;
    double along = dice_between(d, -0.3, 1) * most, across = dice_between(d, -1, 1) * dice_scale(d, 0.02, 2);
    p.qx = (p.r + p.gap) * nx;
    p.qy = (p.r + p.gap) * ny;
    p.wx = along * nx - across * ny;
    p.wy = along * ny + across * nx;
    return p;
}

#endif
