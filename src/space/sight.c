/* sight.c: how far walls let somebody see, sector by sector. */

#include "space/sight.h"

void throng_sight_open(throng_sight *sight) {
    for (int k = 0; k < THRONG_SIGHT_SECTORS; k++) sight->depth[k] = INFINITY;
}

/* The edge between sectors k - 1 and k, as a vector of length 1. */
static void edge_of(int k, double *x, double *y) {
    static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    int quadrant = k / THRONG_SIGHT_QUADRANT % 4, rest = k % THRONG_SIGHT_QUADRANT;
    double share = (double)rest / THRONG_SIGHT_QUADRANT, along = quadrant % 2 ? share : 1 - share;
    *x = signs[quadrant][0] * along;
    *y = signs[quadrant][1] * (1 - along);
}

void throng_sight_hide(throng_sight *sight, double ax, double ay, double bx, double by) {
    const double least = 1e-9; /* m^2: who stands in line with a wall sees along it */
    double turn = ax * by - ay * bx;
    if (turn < 0) {
        double x = ax, y = ay;
        ax = bx, ay = by;
        bx = x, by = y;
        turn = -turn;
    }
    if (!(turn > least)) return;
    double from = throng_sight_direction(ax, ay, fabs(ax) + fabs(ay));
    double to = throng_sight_direction(bx, by, fabs(bx) + fabs(by)), ux = bx - ax, uy = by - ay;
    if (to < from) to += THRONG_SIGHT_SECTORS;
    int first = (int)ceil(from), last = (int)to;
    double before = INFINITY;
    for (int k = first; k <= last; k++) {
        double ex, ey;
        edge_of(k, &ex, &ey);
        double depth = turn / (ex * uy - ey * ux), farther = depth > before ? depth : before;
        before = depth;
        if (k == first) continue;
        float *sector = &sight->depth[(k - 1) % THRONG_SIGHT_SECTORS];
        /* to be rounded up: a point is not to be hidden by a wall that it is on */
        float bound = (float)(farther * (1 + 1e-6));
        if (bound < *sector) *sector = bound;
    }
}
