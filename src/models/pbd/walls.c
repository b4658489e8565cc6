/* walls.c: nobody into a wall, and never through one.
 *
 * A wall is a line with the walkable side on its left, and corners that stick out. Somebody who starts a sub-step on
 * the left of a wall is kept there; whatever pushes it, its way is not led by where the nearest wall happens to be, so
 * that nobody is drawn out on the wrong side of a thin wall. */

#include <math.h>

#include "models/pbd/pbd.h"
#include "space/walls.h"

enum { MOST = 64, ROUNDS = 8 };

static const double tiny = 1e-9; /* m */

/* A way under correction. */
typedef struct course {
    const throng_walls *walls;
    double x, y;         /* m, the start */
    double way_x, way_y; /* m */
    double distance;     /* m to keep */
} course;

/* Out of the flat side of a wall, if the start is on its left. */
static bool leave_flat(course *c, uint32_t k) {
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
static bool leave_corner(course *c, uint32_t k) {
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

/* Out of all of some walls. */
static void leave_walls(course *c, const uint32_t *walls, size_t count, double radius) {
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

/* The walls within reach of somebody, nearest first. Returns how many. */
static size_t walls_around(const throng_pbd *s, uint32_t slot, double reach, uint32_t *out, size_t capacity) {
    const throng_walls *walls = s->now->walls;
    throng_wall_near found[MOST];
    double x = throng_pbd_x(s, slot), y = throng_pbd_y(s, slot);
    if (walls->count == 0 || (double)walls->clear[throng_walls_cell(walls, x, y)] > reach) return 0;
    size_t count = throng_walls_within(walls, x, y, reach, found, MOST);
    for (size_t k = 0; k < count && k < capacity; k++) out[k] = found[k].wall;
    return count;
}

static double shell_of(const throng_pbd *s, uint32_t slot) {
    return (double)s->radius[slot] * (double)s->laws[s->law[slot]].expansion;
}

size_t throng_pbd_find_walls(const throng_pbd *s, uint32_t slot, uint32_t *out, size_t capacity) {
    return walls_around(s, slot, shell_of(s, slot) + s->room, out, capacity);
}

void throng_pbd_keep_off_walls(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y, double distance) {
    course c = {s->now->walls, throng_pbd_x(s, slot), throng_pbd_y(s, slot), *way_x, *way_y, distance};
    leave_walls(&c, s->walls + s->wall_begin[slot], s->wall_count[slot], (double)s->radius[slot]);
    *way_x = c.way_x;
    *way_y = c.way_y;
}

/* Somebody goes farther than was foreseen when walls were looked for. */
static void look_again(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y) {
    uint32_t walls[MOST];
    double shell = shell_of(s, slot), length = sqrt(*way_x * *way_x + *way_y * *way_y);
    course c = {s->now->walls, throng_pbd_x(s, slot), throng_pbd_y(s, slot), *way_x, *way_y, shell};
    leave_walls(&c, walls, walls_around(s, slot, shell + length, walls, MOST), (double)s->radius[slot]);
    *way_x = c.way_x;
    *way_y = c.way_y;
}

/* How far the straight way of the whole step has to stay away from walls, which is how others see it: as far as the
 * disc reaches. A way that is short for its shell cuts no corner. */
static double margin_of(const throng_pbd *s, uint32_t slot, throng_point first) {
    double r = (double)s->radius[slot], gone_x = (double)s->gone_x[slot], gone_y = (double)s->gone_y[slot];
    if (gone_x * gone_x + gone_y * gone_y < 0.25 * r * r) return 0;
    double margin = (1 + 1e-6) * r;
    return throng_walls_block(s->now->walls, first, first, margin) ? 0 : margin;
}

bool throng_pbd_guard(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y) {
    const throng_walls *walls = s->now->walls;
    uint32_t row = s->near->row[slot];
    throng_point from = {throng_pbd_x(s, slot), throng_pbd_y(s, slot)}, first = {s->now->x[row], s->now->y[row]};
    double go = 1, margin = margin_of(s, slot, first);
    if (*way_x * *way_x + *way_y * *way_y > 0.0625 * s->room * s->room) look_again(s, slot, way_x, way_y);
    for (int tries = 0; go > 0; tries++) {
        throng_point to = {from.x + go * *way_x, from.y + go * *way_y};
        if (!throng_walls_block(walls, from, to, 0) && !throng_walls_block(walls, first, to, margin)) break;
        go = tries < 6 ? 0.5 * go : 0;
    }
    if (go == 1) return false;
    *way_x *= go;
    *way_y *= go;
    return true;
}
