/* roadmap_sight.c: straight lines between circles, and what stands in their way. */

#include <math.h>

#include "route/roadmap.h"
#include "space/walls.h"

/* With d the direction, e = d turned left by a right angle, sides s (1: the circle is to the right of the
 * line) and D from centre to centre, the line of length L obeys D = L d + k e, k = r (s_from - s_to). */
bool throng_tangent_of(throng_point from, double from_side, throng_point to, double to_side, double radius,
                       throng_tangent *t) {
    double x = to.x - from.x, y = to.y - from.y, far2 = x * x + y * y, k = radius * (from_side - to_side);
    double length2 = far2 - k * k;
    /* Circles that just touch, in a gap as wide as the body, are joined by a line without length. */
    if (!(length2 > -1e-8 * k * k) || far2 == 0) return false;
    double length = length2 > 0 ? sqrt(length2) : 0;
    throng_point d = {(length * x + k * y) / far2, (length * y - k * x) / far2};
    *t = (throng_tangent){d, length, {{-from_side * d.y, from_side * d.x}, {-to_side * d.y, to_side * d.x}}};
    return true;
}

/* Asked from the start on, in pieces, because most walls that are in the way are close by. */
bool throng_sight_is_clear(const throng_walls *walls, throng_point from, throng_point to, double margin) {
    const double worth_it = 0.1, piece = 2; /* m */
    if (walls->count == 0) return true;
    double x = to.x - from.x, y = to.y - from.y, length = sqrt(x * x + y * y), done = 0;
    if (length == 0) return !(margin > 0) || throng_walls_depth(walls, from.x, from.y, margin) >= margin;
    throng_point direction = {x / length, y / length};
    while (done < length) {
        throng_point at = throng_ahead(from, direction, done);
        double free = walls->clear[throng_walls_cell(walls, at.x, at.y)] - margin;
        if (free < worth_it) {
            bool last = done + 1.5 * piece >= length;
            free = last ? length - done : piece;
            throng_point end = last ? to : throng_ahead(at, direction, free);
            if (throng_walls_block(walls, done == 0 ? from : at, end, margin)) return false;
            if (last) return true;
        }
        done += free;
    }
    return true;
}

bool throng_sight_find_room(const throng_walls *walls, throng_point at, double margin, double keep,
                            throng_point *room) {
    throng_point p = at;
    for (int i = 0; i < 12; i++) {
        throng_wall_near near;
        if (throng_walls_within(walls, p.x, p.y, margin, &near, 1) == 0) break;
        throng_point q = throng_wall_nearest_point(walls, near.wall, p.x, p.y);
        throng_point away = {-walls->along_y[near.wall], walls->along_x[near.wall]};
        double far = sqrt(near.distance2);
        if (far >= keep) break;
        if (far > 1e-9) away = (throng_point){(p.x - q.x) / far, (p.y - q.y) / far};
        p = throng_ahead(p, away, 1.2 * (margin - far));
    }
    *room = p;
    return throng_walls_depth(walls, p.x, p.y, margin) >= keep && throng_sight_is_clear(walls, at, p, 0);
}

/* --- outlook */

/* Grows with the angle of a direction, from 0 to THRONG_SECTORS all around. */
static double sector_of(double x, double y) {
    double ax = fabs(x), ay = fabs(y), part = ay / (ax + ay); /* 0 along x, 1 along y */
    double quarter = x >= 0 ? (y >= 0 ? part : 4 - part) : (y >= 0 ? 2 - part : 2 + part);
    return quarter * (THRONG_SECTORS / 4.0);
}

/* A wall hides what is behind it in the sectors that lie between its ends, each moved inwards so that
 * a body does not fit past it. */
static void hide_behind(throng_outlook *o, throng_point a, throng_point b, double margin) {
    double a2 = throng_dot(a, a), b2 = throng_dot(b, b), turn = throng_cross(a, b);
    const double narrowest = 4.0 / THRONG_SECTORS * 0.7; /* sine of about a sector */
    if (turn * turn < narrowest * narrowest * a2 * b2 && throng_dot(a, b) > 0) return;
    double margin2 = margin * margin * 1.0001;
    throng_point ab = {b.x - a.x, b.y - a.y};
    double along = -throng_dot(a, ab) / throng_dot(ab, ab);
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    throng_point nearest = {a.x + along * ab.x, a.y + along * ab.y};
    if (throng_dot(nearest, nearest) <= margin2) return;
    if (turn < 0) {
        throng_point swap = a;
        a = b, b = swap;
        double swap2 = a2;
        a2 = b2, b2 = swap2;
    }
    double ca = sqrt(a2 - margin2), cb = sqrt(b2 - margin2), m = sqrt(margin2);
    throng_point first = {ca * a.x - m * a.y, ca * a.y + m * a.x}, last = {cb * b.x + m * b.y, cb * b.y - m * b.x};
    if (throng_cross(first, last) <= 0) return;
    double begin = sector_of(first.x, first.y) + 1e-9, end = sector_of(last.x, last.y) - 1e-9;
    if (end < begin - 1e-6) end += THRONG_SECTORS;
    double limit = sqrt(fmax(a2, b2)) + m, limit2 = limit * limit;
    for (int i = (int)ceil(begin); i < (int)end; i++) {
        double *there = &o->limit2[i % THRONG_SECTORS];
        if (limit2 < *there) *there = limit2;
    }
}

void throng_outlook_make(throng_outlook *o, const throng_walls *walls, throng_point at, double margin) {
    o->at = at;
    for (int i = 0; i < THRONG_SECTORS; i++) o->limit2[i] = INFINITY;
    for (size_t k = 0; k < walls->count; k++) {
        uint32_t n = walls->next[k];
        throng_point a = {walls->x[k] - at.x, walls->y[k] - at.y}, b = {walls->x[n] - at.x, walls->y[n] - at.y};
        hide_behind(o, a, b, margin);
    }
}

bool throng_outlook_may_see(const throng_outlook *o, throng_point to) {
    double x = to.x - o->at.x, y = to.y - o->at.y;
    if (x == 0 && y == 0) return true;
    int sector = (int)sector_of(x, y) % THRONG_SECTORS;
    return x * x + y * y <= o->limit2[sector];
}
