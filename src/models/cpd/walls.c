/* walls.c: nobody into a wall, and never through one.
 *
 * Personal space keeps people off walls, but crowds press. So every way is led out of the walls that face where it
 * starts, and one that would cross a wall all the same is cut short. Who starts a sub-step on the walkable side of a
 * wall is kept there. */

#include <math.h>

#include "models/cpd/cpd.h"
#include "space/course.h"

enum { MOST = 64 };

static void leave_walls(throng_course *c) {
    throng_wall_near found[MOST];
    uint32_t walls[MOST];
    double reach = c->distance + sqrt(c->way_x * c->way_x + c->way_y * c->way_y);
    size_t count = throng_walls_within(c->walls, c->x, c->y, reach, found, MOST);
    for (size_t k = 0; k < count; k++) walls[k] = found[k].wall;
    throng_course_leave(c, walls, count, c->distance);
}

bool throng_cpd_keep_off_walls(const throng_cpd *s, uint32_t slot, double *way_x, double *way_y) {
    const throng_walls *walls = s->now->walls;
    if (walls->count == 0) return false;
    throng_point first = {s->near->x[slot], s->near->y[slot]}, from = {s->x[slot], s->y[slot]};
    double radius = s->near->radius[slot], length = sqrt(*way_x * *way_x + *way_y * *way_y);
    double gone = fabs(from.x - first.x) + fabs(from.y - first.y);
    if ((double)walls->clear[throng_walls_cell(walls, from.x, from.y)] > radius + length + gone) return false;
    throng_course c = {walls, from.x, from.y, *way_x, *way_y, radius};
    leave_walls(&c);
    double go = throng_course_clear(walls, first, 0, from, (throng_point){c.way_x, c.way_y});
    *way_x = go * c.way_x;
    *way_y = go * c.way_y;
    return go < 1;
}
