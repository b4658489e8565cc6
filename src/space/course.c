/* course.c: see course.h. */

#include "space/course.h"

#include <math.h>

enum { ROUNDS = 8, MOST = 64 };

static const double tiny = 1e-9; /* m */
static const double hair = 2e-7; /* m that people keep from walls, which rounding cannot take */

/* Out of the flat side of a wall, if the start is on its left. */
static bool leave_flat(throng_course *c, uint32_t k) {
    const throng_walls *w = c->walls;
    double ux = w->along_x[k], uy = w->along_y[k], ax = c->x - w->x[k], ay = c->y - w->y[k];
    if (!(ux * ay - uy * ax > 0)) return false;
    double px = ax + c->way_x, py = ay + c->way_y, along = px * ux + py * uy, left = ux * py - uy * px;
    if (along < 0 || along > w->length[k] || left >= c->distance - tiny) return false;
    c->way_x -= (c->distance - left) * uy;
    c->way_y += (c->distance - left) * ux;
    return true;
}

/* Away from the corner that a wall starts from, if that sticks out. */
static bool leave_corner(throng_course *c, uint32_t k) {
    const throng_walls *w = c->walls;
    if (!w->convex[k]) return false;
    double px = c->x + c->way_x - w->x[k], py = c->y + c->way_y - w->y[k], d2 = px * px + py * py;
    if (d2 >= (c->distance - tiny) * (c->distance - tiny)) return false;
    /* beside one of its walls, that one decides */
    uint32_t before = w->previous[k];
    if (px * w->along_x[k] + py * w->along_y[k] > 0 || px * w->along_x[before] + py * w->along_y[before] < 0)
        return false;
    double d = sqrt(d2);
    if (d < tiny) {
        px = c->x - w->x[k], py = c->y - w->y[k], d = sqrt(px * px + py * py);
        if (d < tiny) return false;
    }
    double further = (c->distance - sqrt(d2)) / d;
    c->way_x += further * px;
    c->way_y += further * py;
    return true;
}

void throng_course_leave(throng_course *c, const uint32_t *walls, size_t count, double radius) {
    bool pushed = true;
    for (int round = 0; round < ROUNDS && pushed; round++) {
        /* where there is no room for the shell, the bare disc may fit */
        if (round == ROUNDS / 2) c->distance = fmin(c->distance, radius);
        pushed = false;
        for (size_t k = 0; k < count; k++) {
            if (leave_flat(c, walls[k])) pushed = true;
            if (leave_corner(c, walls[k])) pushed = true;
        }
    }
}

/* The tangent from `first` to the circle of the distance around a corner has the walkable side beyond it: the end has
 * to lie there, if the straight way to it comes nearer to the corner than that. */
static bool pass_corner(throng_course *c, throng_point first, uint32_t k) {
    const throng_walls *w = c->walls;
    if (!w->convex[k]) return false;
    double fx = first.x - w->x[k], fy = first.y - w->y[k], f2 = fx * fx + fy * fy;
    double ex = c->x + c->way_x - w->x[k], ey = c->y + c->way_y - w->y[k], wx = ex - fx, wy = ey - fy;
    double toward = -(fx * wx + fy * wy), length2 = wx * wx + wy * wy;
    if (toward <= 0 || toward >= length2) return false; /* nearest at one of its ends */
    double nearest_x = fx + toward / length2 * wx, nearest_y = fy + toward / length2 * wy;
    double keep = fmin(c->distance, sqrt(f2)) - tiny;
    if (keep <= 0 || nearest_x * nearest_x + nearest_y * nearest_y >= keep * keep) return false;
    double aside = sqrt(fmax(f2 - keep * keep, 0));
    if (fx * nearest_y - fy * nearest_x < 0) aside = -aside;
    double nx = (keep * fx - aside * fy) / f2, ny = (keep * fy + aside * fx) / f2, gap = keep - (nx * ex + ny * ey);
    if (!(gap > 0)) return false;
    c->way_x += gap * nx;
    c->way_y += gap * ny;
    return true;
}

double throng_course_clear(const throng_walls *walls, throng_point first, double margin, throng_point from,
                           throng_point way) {
    const int tries_most = 6;
    bool one_way = from.x == first.x && from.y == first.y && margin > 0; /* what keeps a margin crosses nothing */
    double go = 1;
    for (int tries = 0; go > 0; tries++) {
        throng_point to = {from.x + go * way.x, from.y + go * way.y};
        bool crosses = !one_way && throng_walls_block(walls, from, to, 0);
        if (!crosses && !throng_walls_block(walls, first, to, margin)) break;
        go = tries < tries_most ? 0.5 * go : 0;
    }
    return go;
}

/* How far the straight way of the whole step stays away from walls: as far as the disc reaches, if it did so before. */
static double margin_of(const throng_walls *walls, throng_point first, double radius) {
    double margin = radius + 0.5 * hair;
    return throng_walls_block(walls, first, first, margin) ? 0 : margin;
}

/* Walls that a way may meet. */
typedef struct reach {
    uint32_t walls[MOST];
    size_t count;
    double nearest2; /* m^2 from its start */
} reach;

static void look_around(const throng_course *c, reach *near) {
    throng_wall_near found[MOST];
    double far = c->distance + sqrt(c->way_x * c->way_x + c->way_y * c->way_y);
    near->count = throng_walls_within(c->walls, c->x, c->y, far, found, MOST);
    for (size_t k = 0; k < near->count; k++) near->walls[k] = found[k].wall;
    near->nearest2 = near->count > 0 ? found[0].distance2 : INFINITY; /* the nearest comes first */
}

/* Leads a course out of walls. Returns that margin. */
static double leave_walls(throng_course *c, throng_point first, double radius, const reach *near) {
    double margin = radius + 0.5 * hair;
    for (int round = 0; round < 3; round++) {
        throng_course_leave(c, near->walls, near->count, c->distance - hair);
        bool pushed = false;
        for (size_t k = 0; k < near->count; k++) pushed |= pass_corner(c, first, near->walls[k]);
        if (!pushed) break;
    }
    if (c->x != first.x || c->y != first.y) return margin_of(c->walls, first, radius);
    return near->nearest2 < margin * margin ? 0 : margin;
}

/* Whether none of these walls comes nearer to a course than a margin. */
static bool is_clear_of(const throng_course *c, const reach *near, double margin) {
    throng_point from = {c->x, c->y}, to = {c->x + c->way_x, c->y + c->way_y};
    for (size_t k = 0; k < near->count; k++) {
        if (throng_wall_blocks(c->walls, near->walls[k], from, to, margin)) return false;
    }
    return true;
}

bool throng_course_keep(const throng_walls *walls, throng_point first, throng_point from, double radius, double *way_x,
                        double *way_y) {
    /* who ends farther from walls than it has come, and its body more, has met none */
    throng_point to = {from.x + *way_x, from.y + *way_y};
    double length = sqrt(*way_x * *way_x + *way_y * *way_y);
    double come = sqrt((to.x - first.x) * (to.x - first.x) + (to.y - first.y) * (to.y - first.y));
    if (throng_walls_are_off(walls, to.x, to.y, fmax(length, come + radius + hair))) return false;
    throng_course c = {walls, from.x, from.y, *way_x, *way_y, radius + hair};
    reach near;
    look_around(&c, &near);
    double margin = leave_walls(&c, first, radius, &near), go = 1;
    /* all walls that a way no longer than before can meet are known */
    bool known = near.count < MOST && margin > 0 && from.x == first.x && from.y == first.y &&
                 c.way_x * c.way_x + c.way_y * c.way_y <= length * length;
    if (!known || !is_clear_of(&c, &near, margin))
        go = throng_course_clear(walls, first, margin, from, (throng_point){c.way_x, c.way_y});
    *way_x = go * c.way_x;
    *way_y = go * c.way_y;
    return go < 1;
}

void throng_course_slide(const throng_walls *walls, uint32_t wall, throng_point first, double radius, double *way_x,
                         double *way_y) {
    throng_course c = {walls, first.x, first.y, *way_x, *way_y, radius + hair};
    leave_flat(&c, wall);
    *way_x = c.way_x;
    *way_y = c.way_y;
}
