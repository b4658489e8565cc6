/* obstacle_gap.c: distances between people and an obstacle that can move. */

#include <math.h>

#include "base/vector.h"
#include "space/place.h"
#include "world/obstacle_gap.h"

static size_t side_count(const throng_movable *m) { return m->thin ? m->outline.count - 1 : m->outline.count; }

/* From the nearest point of a side to a point. */
static throng_point off_side(throng_point a, throng_point b, throng_point at) {
    throng_point side = throng_minus(b, a), from = throng_minus(at, a);
    double t = (from.x * side.x + from.y * side.y) / (side.x * side.x + side.y * side.y);
    return throng_minus(from, throng_times(t < 0 ? 0 : t > 1 ? 1 : t, side));
}

throng_obstacle_gap throng_movable_gap(const throng_movable *m, throng_point at) {
    double nearest2 = INFINITY;
    throng_point to = {0, 0}, along = {1, 0};
    for (size_t i = 0; i < side_count(m); i++) {
        throng_point a = m->outline.points[i], b = m->outline.points[(i + 1) % m->outline.count];
        throng_point off = off_side(a, b, at);
        double distance2 = off.x * off.x + off.y * off.y;
        if (distance2 >= nearest2) continue;
        nearest2 = distance2;
        to = off;
        along = throng_minus(b, a);
    }
    bool inside = !m->thin && throng_ring_contains(m->outline, at.x, at.y);
    throng_obstacle_gap c = {sqrt(nearest2), {0, 0}};
    if (c.distance > 0) {
        c.away = throng_times((inside ? -1 : 1) / c.distance, to);
    } else { /* on the outline itself */
        double turn = throng_ring_area(m->outline) > 0 ? 1 : -1, length = throng_length(along);
        c.away = (throng_point){turn * along.y / length, -turn * along.x / length};
    }
    if (inside) c.distance = -c.distance;
    return c;
}

static bool sides_cross(throng_point a, throng_point b, throng_point c, throng_point d) {
    double c_side = throng_cross(throng_minus(b, a), throng_minus(c, a)),
           d_side = throng_cross(throng_minus(b, a), throng_minus(d, a));
    double a_side = throng_cross(throng_minus(d, c), throng_minus(a, c)),
           b_side = throng_cross(throng_minus(d, c), throng_minus(b, c));
    return c_side * d_side <= 0 && a_side * b_side <= 0 && (c_side != 0 || d_side != 0);
}

bool throng_movable_crosses(const throng_movable *m, throng_point from, throng_point to) {
    for (size_t i = 0; i < side_count(m); i++) {
        if (sides_cross(from, to, m->outline.points[i], m->outline.points[(i + 1) % m->outline.count])) return true;
    }
    return false;
}

double throng_movable_distance(const throng_movable *m, throng_point from, throng_point to) {
    if (throng_movable_crosses(m, from, to)) return 0;
    double least = fmax(fmin(throng_movable_gap(m, from).distance, throng_movable_gap(m, to).distance), 0);
    bool stays = from.x == to.x && from.y == to.y;
    /* Ways that do not cross are nearest at an end of one of them. */
    for (size_t i = 0; i < m->outline.count && !stays; i++) {
        least = fmin(least, throng_length(off_side(from, to, m->outline.points[i])));
    }
    return least;
}
