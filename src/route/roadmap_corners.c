/* roadmap_corners.c: bends, the arcs that bodies walk around corners.
 *
 * Around a corner that sticks out a body's centre can move on the arc between the normals of its two
 * walls, as far as no other wall is too near. Where the arc meets what other walls keep clear it is cut,
 * and each piece is tried in its middle. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double pi = 3.14159265358979323846;
static const double straight_on = 1e-12; /* sine of the turn of a corner that is none */
static const double on_arc = 1e-7;       /* sine of the angle by which a direction may miss an arc; sight decides */

typedef struct cut {
    double key; /* grows with the angle */
    throng_point direction;
} cut;

typedef struct search {
    const throng_walls *walls;
    double margin, keep;
    throng_wall_near *near;
    size_t near_capacity;
    cut *cuts;
    size_t cut_count, cut_capacity;
    throng_bend *bends;
    size_t count, capacity;
} search;

double throng_margin_kept(const throng_walls *walls, double margin) {
    double farthest = fmax(fabs(walls->origin_x), fabs(walls->origin_y)) +
                      walls->cell * (walls->columns > walls->rows ? walls->columns : walls->rows);
    return margin * (1 - 1e-9) - 1e-14 * farthest;
}

/* atan for 0 <= t <= 0.415 by its series, in four parts that do not wait for each other; no two machines differ in it.
 */
static double arc_tangent(double t) {
    static const double terms[20] = {1,         -1.0 / 3,  1.0 / 5,   -1.0 / 7,  1.0 / 9,   -1.0 / 11, 1.0 / 13,
                                     -1.0 / 15, 1.0 / 17,  -1.0 / 19, 1.0 / 21,  -1.0 / 23, 1.0 / 25,  -1.0 / 27,
                                     1.0 / 29,  -1.0 / 31, 1.0 / 33,  -1.0 / 35, 1.0 / 37,  -1.0 / 39};
    double z = t * t, z2 = z * z, z4 = z2 * z2, a = 0, b = 0, c = 0, d = 0;
    for (int i = 16; i >= 0; i -= 4) {
        a = a * z4 + terms[i];
        b = b * z4 + terms[i + 1];
        c = c * z4 + terms[i + 2];
        d = d * z4 + terms[i + 3];
    }
    return t * (a + b * z + (c + d * z) * z2);
}

/* Up to a right angle, with the tangent of half of it, and from that of a quarter. */
double throng_angle_between(throng_point a, throng_point b) {
    double cosine = throng_dot(a, b), half = fabs(throng_cross(a, b)) / (1 + fabs(cosine));
    double angle = 4 * arc_tangent(half / (1 + sqrt(1 + half * half)));
    return cosine < 0 ? pi - angle : angle;
}

double throng_node_angle(const throng_tangents *tangents, uint32_t node, throng_point direction) {
    throng_point zero = tangents->bends[node / 2].zero;
    double angle = throng_angle_between(zero, direction);
    /* A little beside the arc, which is at most half around. */
    if (throng_cross(zero, direction) > 0) angle = throng_dot(zero, direction) > 0 ? -angle : 2 * pi - angle;
    return throng_node_side(node) * angle;
}

bool throng_bend_has(const throng_bend *bend, throng_point direction) {
    if (throng_cross(bend->from, direction) > on_arc || throng_cross(direction, bend->to) > on_arc) return false;
    /* Of a short arc the opposite directions would pass as well. */
    return throng_dot(direction, (throng_point){bend->from.x + bend->to.x, bend->from.y + bend->to.y}) > -on_arc;
}

/* Midway along an arc, clockwise. */
static throng_point middle_of(throng_point from, throng_point to) {
    throng_point sum = {from.x + to.x, from.y + to.y}, right = {from.y, -from.x};
    if (throng_dot(sum, sum) < 1e-6) {
        /* Half around. */
        throng_point across = {from.x - to.x, from.y - to.y};
        right = (throng_point){across.y, -across.x};
        return throng_unit(right);
    }
    return throng_unit(sum);
}

static void add_cut(search *s, const throng_bend *arc, double x, double y) {
    throng_point u = {x, y};
    if (!throng_bend_has(arc, u)) return;
    THRONG_GROW(s->cuts, s->cut_capacity, s->cut_count + 1);
    s->cuts[s->cut_count++] = (cut){-throng_dot(arc->from, u), u};
}

/* Where the circle around a corner is as far from a line as its walls are kept: u . n = part. */
static void cut_along(search *s, const throng_bend *arc, throng_point n, double part) {
    if (!(fabs(part) < 1)) return;
    double across = sqrt(1 - part * part);
    add_cut(s, arc, part * n.x - across * n.y, part * n.y + across * n.x);
    add_cut(s, arc, part * n.x + across * n.y, part * n.y - across * n.x);
}

static void cut_by_end(search *s, const throng_bend *arc, throng_point end) {
    throng_point v = {end.x - arc->at.x, end.y - arc->at.y};
    double far2 = throng_dot(v, v), far = sqrt(far2);
    if (far < 1e-9) return;
    double part = (far2 + s->margin * s->margin - s->keep * s->keep) / (2 * s->margin * far);
    cut_along(s, arc, (throng_point){v.x / far, v.y / far}, part);
}

static void cut_by_wall(search *s, const throng_bend *arc, uint32_t wall) {
    const throng_walls *w = s->walls;
    throng_point a = {w->x[wall], w->y[wall]}, n = {-w->along_y[wall], w->along_x[wall]};
    double left = (arc->at.x - a.x) * n.x + (arc->at.y - a.y) * n.y;
    cut_along(s, arc, n, (s->keep - left) / s->margin);
    cut_along(s, arc, n, (-s->keep - left) / s->margin);
    cut_by_end(s, arc, a);
    cut_by_end(s, arc, (throng_point){w->x[w->next[wall]], w->y[w->next[wall]]});
}

static int by_angle(const void *a, const void *b) {
    const cut *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key;
}

static bool has_room(const search *s, throng_point at, throng_point direction) {
    throng_point p = throng_ahead(at, direction, s->margin);
    return throng_walls_depth(s->walls, p.x, p.y, s->margin) >= s->keep;
}

/* The pieces of an arc between its cuts where a body fits; neighbouring ones are joined. */
static void add_pieces(search *s, const throng_bend *arc) {
    if (s->cut_count > 1) qsort(s->cuts, s->cut_count, sizeof *s->cuts, by_angle);
    throng_point begin = arc->from;
    bool joined = false;
    for (size_t i = 0; i <= s->cut_count; i++) {
        throng_point end = i < s->cut_count ? s->cuts[i].direction : arc->to;
        bool room = has_room(s, arc->at, middle_of(begin, end));
        if (room && joined) {
            s->bends[s->count - 1].to = end;
        } else if (room) {
            THRONG_GROW(s->bends, s->capacity, s->count + 1);
            s->bends[s->count++] =
                (throng_bend){.at = arc->at, .from = begin, .to = end, .zero = arc->zero, .wall = arc->wall};
        }
        joined = room;
        begin = end;
    }
}

static void try_corner(search *s, uint32_t k) {
    const throng_walls *w = s->walls;
    uint32_t before = w->previous[k];
    throng_bend arc = {.at = {w->x[k], w->y[k]},
                       .from = {-w->along_y[before], w->along_x[before]},
                       .to = {-w->along_y[k], w->along_x[k]},
                       .wall = k};
    arc.zero = arc.from;
    if (throng_cross(arc.from, arc.to) > -straight_on && throng_dot(arc.from, arc.to) > 0) return;
    THRONG_GROW(s->near, s->near_capacity, 1);
    size_t count = throng_walls_within(w, arc.at.x, arc.at.y, 2 * s->margin, s->near, s->near_capacity);
    while (count == s->near_capacity) {
        THRONG_GROW(s->near, s->near_capacity, count + 1);
        count = throng_walls_within(w, arc.at.x, arc.at.y, 2 * s->margin, s->near, s->near_capacity);
    }
    s->cut_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (s->near[i].wall != k && s->near[i].wall != before) cut_by_wall(s, &arc, s->near[i].wall);
    }
    add_pieces(s, &arc);
}

/* Of where the bend is and begins. */
static uint32_t name_of(const throng_bend *bend) {
    double numbers[4] = {bend->at.x, bend->at.y, bend->from.x, bend->from.y};
    uint64_t mixed = 0, bits;
    for (int i = 0; i < 4; i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        mixed = throng_mix(mixed ^ bits);
    }
    return (uint32_t)(mixed >> 34);
}

throng_bend *throng_bends_find(const throng_walls *walls, double margin, double keep, size_t *count) {
    search s = {.walls = walls, .margin = margin, .keep = keep};
    for (size_t k = 0; k < walls->count; k++) {
        if (walls->convex[k]) try_corner(&s, (uint32_t)k);
    }
    throng_release(s.near);
    throng_release(s.cuts);
    for (size_t i = 0; i < s.count; i++) {
        s.bends[i].name = name_of(&s.bends[i]);
        s.bends[i].first = throng_angle_between(s.bends[i].zero, s.bends[i].from);
        s.bends[i].last = throng_angle_between(s.bends[i].zero, s.bends[i].to);
    }
    *count = s.count;
    return s.bends;
}
