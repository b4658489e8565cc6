/* horizon.c: how far walls let somebody see, sector by sector. */

#include "space/horizon.h"

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* The edge between sectors k - 1 and k, as a vector of length 1. */
static void edge_of(int k, double *x, double *y) {
    static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    int quadrant = k / THRONG_HORIZON_QUADRANT % 4, rest = k % THRONG_HORIZON_QUADRANT;
    double share = (double)rest / THRONG_HORIZON_QUADRANT, along = quadrant % 2 ? share : 1 - share;
    *x = signs[quadrant][0] * along;
    *y = signs[quadrant][1] * (1 - along);
}

void throng_horizon_open(throng_horizon_sketch *sketch, throng_horizon *horizon) {
    sketch->horizon = horizon;
    for (int k = 0; k < THRONG_HORIZON_SECTORS; k++) {
        horizon->depth[k] = INFINITY;
        sketch->before[k] = -INFINITY;
        sketch->after[k] = INFINITY;
    }
}

/* A sector is covered up to a depth. */
static void cover(throng_horizon *horizon, int sector, double depth) {
    /* rounded up: a point is not to be hidden by a wall that it is on */
    float bound = (float)(depth * (1 + 1e-6));
    if (bound < horizon->depth[sector]) horizon->depth[sector] = bound;
}

/* A sector is covered from its beginning up to a direction. The piece that covers most is kept. */
static void cover_before(throng_horizon_sketch *o, int sector, double to, double depth) {
    if (!(to > o->before[sector])) return;
    o->before[sector] = to;
    o->before_depth[sector] = depth;
    if (to >= o->after[sector]) cover(o->horizon, sector, larger(depth, o->after_depth[sector]));
}

static void cover_after(throng_horizon_sketch *o, int sector, double from, double depth) {
    if (!(from < o->after[sector])) return;
    o->after[sector] = from;
    o->after_depth[sector] = depth;
    if (o->before[sector] >= from) cover(o->horizon, sector, larger(depth, o->before_depth[sector]));
}

void throng_horizon_hide(throng_horizon_sketch *sketch, double ax, double ay, double bx, double by) {
    const double least = 1e-9; /* m^2: somebody in line with a wall sees along it */
    double turn = ax * by - ay * bx;
    if (turn < 0) {
        double x = ax, y = ay;
        ax = bx, ay = by;
        bx = x, by = y;
        turn = -turn;
    }
    if (!(turn > least)) return;
    double a_distance = fabs(ax) + fabs(ay), b_distance = fabs(bx) + fabs(by), ux = bx - ax, uy = by - ay;
    double from = throng_horizon_direction(ax, ay, a_distance), to = throng_horizon_direction(bx, by, b_distance);
    int first = (int)ceil(from), turned = to < from ? THRONG_HORIZON_SECTORS : 0, last = (int)to + turned;
    if (last < first) return; /* within a sector */
    double before = a_distance, depth = 0;
    for (int k = first; k <= last; k++, before = depth) {
        double ex, ey;
        edge_of(k, &ex, &ey);
        depth = turn / (ex * uy - ey * ux);
        int sector = (k + THRONG_HORIZON_SECTORS - 1) % THRONG_HORIZON_SECTORS;
        if (k > first)
            cover(sketch->horizon, sector, larger(depth, before));
        else if (from < k)
            cover_after(sketch, sector, from, larger(depth, before));
    }
    if (to > last - turned) cover_before(sketch, last % THRONG_HORIZON_SECTORS, to, larger(depth, b_distance));
}

void throng_horizon_close(throng_horizon_sketch *sketch, double reach) {
    throng_horizon *horizon = sketch->horizon;
    double x_least = 0, x_most = 0, y_least = 0, y_most = 0, most = 1.5 * reach; /* |x| + |y| < 1.5 sqrt(x^2 + y^2) */
    for (int k = 0; k < THRONG_HORIZON_SECTORS; k++) {
        double depth = smaller((double)horizon->depth[k], most);
        for (int side = 0; side < 2; side++) {
            double ex, ey;
            edge_of(k + side, &ex, &ey);
            x_least = smaller(x_least, depth * ex);
            x_most = larger(x_most, depth * ex);
            y_least = smaller(y_least, depth * ey);
            y_most = larger(y_most, depth * ey);
        }
    }
    horizon->x_least = (float)(x_least * (1 + 1e-6));
    horizon->x_most = (float)(x_most * (1 + 1e-6));
    horizon->y_least = (float)(y_least * (1 + 1e-6));
    horizon->y_most = (float)(y_most * (1 + 1e-6));
}
