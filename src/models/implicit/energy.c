/* energy.c: what is needed once in a step or seldom of the energies of pairs and walls, one at a time: gaps within a
 * step, walls as walkers see them, and what drives those apart who overlap. The kernels compute all else.
 *
 * Of all pieces of wall near a walker only the most threatening counts (sec. 4 of the paper): the greatest inverse time
 * to collision, and the least distance within the step. A piece is its two ends, which are discs of radius 0 that stand
 * still, and the flat between them.
 *
 * Such a choice has a kink wherever two pieces threaten alike: in every inner corner and along the middle of every
 * corridor, where people get stuck, and ever nearer to the corner, because no step that solvers know leads downhill. So
 * unless the printed form is asked for, both energies are (sum U_k^8)^(1/8) over the pieces: that of the most
 * threatening one, up to 9 % more where two are alike, and smooth.
 *
 * The speed along the direction to the nearest point of a piece is the speed of approach, which the repulsion
 * regularises. energy_walls_kernel.h computes these energies. */

#include "models/implicit/energy.h"

#include <math.h>

/* s^-2 and m: how hard, and until which gap, separation drives people apart who overlap at the start. Their product
 * must exceed what two pull who want through each other, or they stay in each other. */
#define SEPARATION_STRENGTH 400.0
#define SEPARATION_MARGIN   0.01

/* --- pairs */

double throng_pair_gap(double qx, double qy, double r, double wx, double wy, double dt) {
    double h = qx * wx + qy * wy, a = wx * wx + wy * wy;
    if (h <= 0) return sqrt(qx * qx + qy * qy) - r;
    if (h < a * dt) return fabs(qx * wy - qy * wx) / sqrt(a) - r;
    double ex = qx - dt * wx, ey = qy - dt * wy;
    return sqrt(ex * ex + ey * ey) - r;
}

/* The nearest positive semi-definite matrix: negative eigenvalues become 0. */
static void make_semi_definite(double *xx, double *xy, double *yy) {
    double mean = 0.5 * (*xx + *yy), d = 0.5 * (*xx - *yy), b = *xy;
    double q = sqrt(d * d + b * b);
    if (mean - q >= 0) return;
    double scale = mean + q > 0 ? 0.5 * (mean + q) / q : 0;
    *xx = scale * (q + d);
    *xy = scale * b;
    *yy = scale * (q - d);
}

/* F(f) where f has the derivatives given and F the value and first two derivatives given. */
static throng_term chain(throng_term f, double value, double first, double second, int order) {
    throng_term t = {.energy = value};
    if (order >= THRONG_ORDER_GRADIENT) {
        t.gx = first * f.gx;
        t.gy = first * f.gy;
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        t.hxx = second * f.gx * f.gx + first * f.hxx;
        t.hxy = second * f.gx * f.gy + first * f.hxy;
        t.hyy = second * f.gy * f.gy + first * f.hyy;
        if (order == THRONG_ORDER_HESSIAN) make_semi_definite(&t.hxx, &t.hxy, &t.hyy);
    }
    return t;
}

/* The distance between the end of the way, dt w, and the point p. */
static throng_term final_distance(double px, double py, double wx, double wy, double dt) {
    double ex = dt * wx - px, ey = dt * wy - py, d = sqrt(ex * ex + ey * ey);
    if (!(d > 0)) return (throng_term){0};
    double over = 1 / d, bend = dt * dt * over;
    ex *= over;
    ey *= over;
    return (throng_term){d, dt * ex, dt * ey, bend * (ey * ey), -(bend * (ex * ey)), bend * (ex * ex)};
}

/* The deepest at the end of the step would be ks / 2 max(0, r + margin - D)^2, divided by dt as all shares of g are. */
static throng_term separation_energy(const throng_implicit_law *law, throng_term distance, double r, int order) {
    double overlap = r + SEPARATION_MARGIN - distance.energy, strength = SEPARATION_STRENGTH / law->dt;
    if (!(overlap > 0)) return (throng_term){0};
    return chain(distance, 0.5 * strength * overlap * overlap, -strength * overlap, strength, order);
}

throng_term throng_separation_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                                   int order) {
    return separation_energy(law, final_distance(qx, qy, wx, wy, law->dt), r, order);
}

/* --- walls */

/* How far along a piece its point nearest to p lies, m. */
static double nearest_along(const throng_wall_piece *s, double px, double py) {
    double along = (px - s->ax) * s->ux + (py - s->ay) * s->uy;
    return along < 0 ? 0 : along > s->length ? s->length : along;
}

throng_wall_piece throng_see_wall(const throng_segment *segment, double x, double y) {
    throng_wall_piece s = {.ax = segment->ax - x, .ay = segment->ay - y};
    s.ux = segment->bx - segment->ax;
    s.uy = segment->by - segment->ay;
    s.length = sqrt(s.ux * s.ux + s.uy * s.uy);
    double over = s.length > 0 ? 1 / s.length : 0;
    s.ux *= over;
    s.uy *= over;
    double along = nearest_along(&s, 0, 0), px = s.ax + along * s.ux, py = s.ay + along * s.uy;
    s.distance = sqrt(px * px + py * py);
    /* who stands right on it goes to its left */
    s.nx = s.distance > 0 ? px / s.distance : s.uy;
    s.ny = s.distance > 0 ? py / s.distance : -s.ux;
    return s;
}

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* The distance at which a way passes a point, infinite if it does not. */
static double passes(double px, double py, double wx, double wy, double dt) {
    double h = px * wx + py * wy, a = wx * wx + wy * wy;
    return h > 0 && h < a * dt ? fabs(cross(px, py, wx, wy)) / sqrt(a) : INFINITY;
}

/* The least distance between a piece and the way from the origin to dt w. */
static double way_distance(const throng_wall_piece *s, double wx, double wy, double dt) {
    double px = dt * wx, py = dt * wy, bx = s->ax + s->length * s->ux, by = s->ay + s->length * s->uy;
    bool sides = (cross(wx, wy, s->ax, s->ay) < 0) != (cross(wx, wy, bx, by) < 0);
    bool line = (cross(s->ux, s->uy, -s->ax, -s->ay) < 0) != (cross(s->ux, s->uy, px - s->ax, py - s->ay) < 0);
    if (sides && line && s->length > 0) return 0;
    double along = nearest_along(s, px, py), ex = px - s->ax - along * s->ux, ey = py - s->ay - along * s->uy;
    double ends = fmin(s->distance, sqrt(ex * ex + ey * ey));
    return fmin(ends, fmin(passes(s->ax, s->ay, wx, wy, dt), passes(bx, by, wx, wy, dt)));
}

double throng_wall_gap(const throng_wall_piece *pieces, size_t count, double r, double vx, double vy, double dt) {
    double least = INFINITY, way = sqrt(vx * vx + vy * vy) * dt;
    for (size_t k = 0; k < count; k++) {
        if (pieces[k].distance - r - way >= least) continue;
        least = fmin(least, way_distance(&pieces[k], vx, vy, dt) - r);
    }
    return least;
}

throng_term throng_wall_separation_term(const throng_implicit_law *law, const throng_wall_piece *pieces, size_t count,
                                        double r, double vx, double vy, int order) {
    throng_term least = {.energy = INFINITY};
    for (size_t k = 0; k < count; k++) {
        const throng_wall_piece *s = &pieces[k];
        if (s->distance > r) continue;
        double along = nearest_along(s, law->dt * vx, law->dt * vy);
        throng_term d = final_distance(s->ax + along * s->ux, s->ay + along * s->uy, vx, vy, law->dt);
        if (along > 0 && along < s->length) d.hxx = d.hxy = d.hyy = 0; /* from a line */
        if (d.energy < least.energy) least = d;
    }
    return separation_energy(law, least, r, order);
}
