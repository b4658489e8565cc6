/* energy_walls.c: a walker among walls.
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
 * regularises. energy_walls_kernel.h computes these energies; here is what is needed once in a step or seldom. */

#include "models/implicit/energy_parts.h"

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
    return throng_separation_energy(law, least, r, order);
}
