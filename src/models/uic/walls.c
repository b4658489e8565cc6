/* walls.c: nobody into a wall, and never through one.
 *
 * The grid does not keep single people out of walls: where it is nearly empty they walk as they want, and pairs are
 * moved apart wherever there is room. So every way is led out of the walls that face where it starts, and one that
 * would cross a wall all the same is cut short. Who starts a sub-step on the walkable side of a wall is kept there. */

#include <math.h>

#include "models/uic/uic.h"

enum { MOST = 64, ROUNDS = 6 };

static const double tiny = 1e-9; /* m */

/* A way under correction. */
typedef struct course {
    const throng_walls *walls;
    double x, y;         /* m, the start */
    double way_x, way_y; /* m */
    double distance;     /* m to keep */
} course;

/* Out of the flat side of a wall, if the start is on its left. */
static bool leave_side(course *c, uint32_t k) {
    const throng_walls *w = c->walls;
    double ux = w->along_x[k], uy = w->along_y[k], ax = c->x - w->x[k], ay = c->y - w->y[k];
    if (!(ux * ay - uy * ax > 0)) return false;
    double px = ax + c->way_x, py = ay + c->way_y, along = px * ux + py * uy, left = ux * py - uy * px;
    if (along < 0 || along > w->length[k] || left >= c->distance - tiny) return false;
    c->way_x -= (c->distance - left) * uy;
    c->way_y += (c->distance - left) * ux;
    return true;
}

/* Away from the corner that a wall starts from, if that sticks out and is what is nearest. */
static bool leave_corner(course *c, uint32_t k) {
    const throng_walls *w = c->walls;
    if (!w->convex[k]) return false;
    uint32_t before = w->previous[k];
    double px = c->x + c->way_x - w->x[k], py = c->y + c->way_y - w->y[k], d2 = px * px + py * py;
    if (d2 >= (c->distance - tiny) * (c->distance - tiny)) return false;
    if (px * w->along_x[k] + py * w->along_y[k] > 0 || px * w->along_x[before] + py * w->along_y[before] < 0)
        return false;
    double d = sqrt(d2), lacks = c->distance - d;
    if (d < tiny) {
        px = c->x - w->x[k], py = c->y - w->y[k], d = sqrt(px * px + py * py);
        if (d < tiny) return false;
    }
    c->way_x += lacks / d * px;
    c->way_y += lacks / d * py;
    return true;
}

static void leave_walls(course *c) {
    throng_wall_near found[MOST];
    double reach = c->distance + sqrt(c->way_x * c->way_x + c->way_y * c->way_y);
    size_t count = throng_walls_within(c->walls, c->x, c->y, reach, found, MOST);
    bool pushed = count > 0;
    for (int round = 0; round < ROUNDS && pushed; round++) {
        pushed = false;
        for (size_t k = 0; k < count; k++) {
            if (leave_side(c, found[k].wall)) pushed = true;
            if (leave_corner(c, found[k].wall)) pushed = true;
        }
    }
}

bool throng_uic_keep_off_walls(const throng_uic *s, uint32_t slot, double *way_x, double *way_y) {
    const throng_walls *walls = s->now->walls;
    throng_point first = {s->near->x[slot], s->near->y[slot]}, from = {throng_uic_x(s, slot), throng_uic_y(s, slot)};
    double radius = s->near->radius[slot], length = sqrt(*way_x * *way_x + *way_y * *way_y);
    if (walls->count == 0) return false;
    double gone = fabs((double)s->ways[slot].x) + fabs((double)s->ways[slot].y);
    if ((double)walls->clear[throng_walls_cell(walls, from.x, from.y)] > radius + length + gone) return false;
    course c = {walls, from.x, from.y, *way_x, *way_y, radius};
    leave_walls(&c);
    double go = 1;
    for (int tries = 0; go > 0; tries++) {
        throng_point to = {from.x + go * c.way_x, from.y + go * c.way_y};
        if (!throng_walls_block(walls, from, to, 0) && !throng_walls_block(walls, first, to, 0)) break;
        go = tries < 6 ? 0.5 * go : 0;
    }
    *way_x = go * c.way_x;
    *way_y = go * c.way_y;
    return go < 1;
}

uint64_t throng_uic_keep_tile_off_walls(throng_uic *s, size_t position, float *x, float *y) {
    const throng_uic_tile *tile = throng_uic_tile_at(s, position);
    float per_cell = (float)(1 / s->cell), radius = (float)s->near->radius_max;
    uint64_t stopped = 0;
    bool later = s->t_end > 1.5 * s->t; /* some of the way has been walked already */
    for (uint32_t k = s->first[position]; k < s->first[position + 1]; k++) {
        float dx = s->shift_x[k], dy = s->shift_y[k], last = THRONG_UIC_TILE - 1;
        float c = (x[k] - dx) * per_cell, r = (y[k] - dy) * per_cell;
        c = c > 0 ? c < last ? c : last : 0;
        r = r > 0 ? r < last ? r : last : 0;
        float clear = tile->clear[throng_uic_at((int)r, (int)c)] - radius;
        if (later) clear -= fabsf(s->ways[s->who[k]].x) + fabsf(s->ways[s->who[k]].y);
        if (s->part[k] < 0 || (!s->far && clear > 0 && dx * dx + dy * dy < clear * clear)) continue;
        double way_x = (double)dx, way_y = (double)dy;
        stopped += throng_uic_keep_off_walls(s, s->who[k], &way_x, &way_y);
        s->shift_x[k] = (float)way_x;
        s->shift_y[k] = (float)way_y;
        x[k] += s->shift_x[k] - dx;
        y[k] += s->shift_y[k] - dy;
    }
    return stopped;
}
