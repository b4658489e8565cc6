/* avoid.c: bends a direction around the walls close by.
 *
 * With L the look-ahead, a direction u from p is allowed by a wall when the line from p to p + L u
 * keeps the distance of a body to it. The allowed direction nearest to the wanted one is that itself
 * or lies on the edge of what some wall allows: along the wall, ever more straight at it the farther
 * away it is, or past one of its ends as a tangent to the circle of a body around it.
 *
 *        . ' ' .
 *      '         '
 *     '     A-----'------- wall
 *      '         '
 *        ' . . '
 *    u  ..---
 *    p -                                                                                        */

#include "base/vector.h"
#include "route/planner.h"

#include <math.h>

#include "space/walls.h"

static const double rounding = 1e-7; /* m */

enum { WALLS_MOST = 12, EDGES = 6 };

/* A wall as a walker sees it: its ends relative to the walker. */
typedef struct hindrance {
    throng_point ends[2]; /* m */
    throng_point away;    /* unit vector from its nearest point */
    double distance;      /* m */
} hindrance;

/* How walls are minded. */
typedef struct care {
    const hindrance *walls;
    size_t count;
    double radius, ahead; /* m */
    bool turns_away;      /* from walls nearer than the radius */
} care;

/* Square of the distance from a point to the line between a and b. */
static double distance2(throng_point p, throng_point a, throng_point b) {
    throng_point ab = {b.x - a.x, b.y - a.y}, ap = {p.x - a.x, p.y - a.y};
    double length2 = throng_dot(ab, ab), t = length2 > 0 ? fmin(fmax(throng_dot(ap, ab) / length2, 0), 1) : 0;
    throng_point e = {ap.x - t * ab.x, ap.y - t * ab.y};
    return throng_dot(e, e);
}

static size_t look_around(const throng_walls *walls, throng_point at, double reach, hindrance *out) {
    throng_wall_near near[WALLS_MOST];
    size_t count = throng_walls_within(walls, at.x, at.y, reach, near, WALLS_MOST);
    for (size_t i = 0; i < count; i++) {
        uint32_t k = near[i].wall, n = walls->next[k];
        throng_point q = throng_wall_nearest_point(walls, k, at.x, at.y);
        double dx = at.x - q.x, dy = at.y - q.y, distance = sqrt(dx * dx + dy * dy);
        bool on_it = distance < 1e-9;
        out[i] = (hindrance){
            .ends = {{walls->x[k] - at.x, walls->y[k] - at.y}, {walls->x[n] - at.x, walls->y[n] - at.y}},
            .away = {on_it ? -walls->along_y[k] : dx / distance, on_it ? walls->along_x[k] : dy / distance},
            .distance = distance,
        };
    }
    return count;
}

/* The least u . away that keeps the distance from a wall with no end: negative beyond the radius. */
static double least_turn(const care *c, const hindrance *h) {
    double turn = (c->radius - h->distance) / c->ahead;
    if (turn > 0) return c->turns_away ? fmin(0.5 * turn, 0.5) : 0;
    return fmax(turn, -1);
}

static bool wall_allows(const care *c, const hindrance *h, throng_point u) {
    double turn = least_turn(c, h), towards = throng_dot(u, h->away);
    if (turn <= 0 && towards >= turn) return true;
    if (h->distance < c->radius && towards < turn - rounding) return false;
    /* Not so past its ends, where one may come near it and yet not too near. */
    double keep = fmin(c->radius, h->distance) - rounding;
    if (keep <= 0) return true;
    throng_point from = {0, 0}, to = {c->ahead * u.x, c->ahead * u.y}, a = h->ends[0], b = h->ends[1];
    if (distance2(to, a, b) < keep * keep) return false;
    if (distance2(a, from, to) < keep * keep || distance2(b, from, to) < keep * keep) return false;
    throng_point ab = {b.x - a.x, b.y - a.y}, at = {to.x - a.x, to.y - a.y}, af = {-a.x, -a.y};
    bool crosses = throng_cross(to, a) * throng_cross(to, b) < 0 && throng_cross(ab, af) * throng_cross(ab, at) < 0;
    return !crosses;
}

static bool allows(const care *c, throng_point u) {
    for (size_t i = 0; i < c->count; i++) {
        if (!wall_allows(c, &c->walls[i], u)) return false;
    }
    return true;
}

/* The directions on the edge of what a wall allows. Returns how many there are. */
static int edges_of(const care *c, const hindrance *h, throng_point *out) {
    double turn = least_turn(c, h), along = sqrt(fmax(1 - turn * turn, 0));
    throng_point n = h->away;
    out[0] = (throng_point){turn * n.x - along * n.y, turn * n.y + along * n.x};
    out[1] = (throng_point){turn * n.x + along * n.y, turn * n.y - along * n.x};
    int count = 2;
    for (int i = 0; i < 2; i++) {
        double far = sqrt(throng_dot(h->ends[i], h->ends[i])), sine = c->radius / far;
        if (!(sine < 1)) continue;
        throng_point e = {h->ends[i].x / far, h->ends[i].y / far};
        double cosine = sqrt(1 - sine * sine);
        out[count++] = (throng_point){cosine * e.x - sine * e.y, cosine * e.y + sine * e.x};
        out[count++] = (throng_point){cosine * e.x + sine * e.y, cosine * e.y - sine * e.x};
    }
    return count;
}

/* Replaces `found` by an allowed direction more like the wanted one, if there is one; `likeness` is
 * the cosine between them. */
static void improve(const care *c, throng_point wanted, throng_point *found, double *likeness) {
    if (allows(c, wanted)) {
        *found = wanted;
        *likeness = 1;
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        throng_point edges[EDGES];
        int count = edges_of(c, &c->walls[i], edges);
        for (int e = 0; e < count; e++) {
            double like = throng_dot(edges[e], wanted);
            if (like <= *likeness || !allows(c, edges[e])) continue;
            *likeness = like;
            *found = edges[e];
        }
    }
}

throng_point throng_avoid_walls(const throng_walls *walls, throng_point at, double radius, throng_point wanted) {
    /* From careful to careless: among narrow walls one may have to look less far ahead, and not to
     * turn away from all of them, in order to get on at all. */
    static const struct {
        double below; /* only when nothing more like the wanted direction was found before */
        double ahead; /* of the look-ahead */
        bool turns_away;
    } cares[] = {{1, 1, true}, {0.5, 0.5, true}, {0.1, 0.25, true}, {0.1, 0.25, false}, {0.1, 0.1, false}};

    hindrance near[WALLS_MOST];
    if (wanted.x == 0 && wanted.y == 0) return wanted;
    size_t count = look_around(walls, at, radius + THRONG_LOOK_AHEAD, near);
    if (count == 0) return wanted;
    throng_point found = {0, 0};
    double likeness = -2;
    for (size_t i = 0; i < sizeof cares / sizeof cares[0]; i++) {
        if (likeness >= cares[i].below) continue;
        care c = {near, count, radius, cares[i].ahead * THRONG_LOOK_AHEAD, cares[i].turns_away};
        improve(&c, wanted, &found, &likeness);
    }
    if (likeness > -2) return found;
    /* Stuck: mind only the nearest wall. */
    care c = {near, 1, radius, THRONG_LOOK_AHEAD, false};
    improve(&c, wanted, &found, &likeness);
    return found;
}

throng_point throng_way_out(const throng_walls *walls, throng_point at) {
    double depth = throng_walls_depth(walls, at.x, at.y, 1e6);
    throng_wall_near nearest;
    if (depth > 0 || throng_walls_within(walls, at.x, at.y, -depth * (1 + 1e-9) + 1e-9, &nearest, 1) == 0) {
        return (throng_point){0, 0};
    }
    throng_point q = throng_wall_nearest_point(walls, nearest.wall, at.x, at.y);
    double dx = q.x - at.x, dy = q.y - at.y, distance = sqrt(dx * dx + dy * dy);
    if (distance < 1e-9) return (throng_point){-walls->along_y[nearest.wall], walls->along_x[nearest.wall]};
    return (throng_point){dx / distance, dy / distance};
}

throng_way throng_way_along_walls(const throng_walls *walls, const throng_goal_entry *goals,
                                  const throng_walker *walker) {
    throng_way way = throng_straight_way(goals, walker);
    way.direction = throng_avoid_walls(walls, walker->at, walker->radius, way.direction);
    return way;
}

throng_way throng_way_lost(const throng_walls *walls, const throng_goal_entry *goals, const throng_walker *walker,
                           bool unknown) {
    throng_way way = throng_way_along_walls(walls, goals, walker);
    way.unknown = unknown;
    throng_point out = throng_way_out(walls, walker->at);
    if (out.x != 0 || out.y != 0) way.direction = out;
    return way;
}
