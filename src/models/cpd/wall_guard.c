/* wall_guard.c: nobody into a wall, and never through one.
 *
 * Personal space keeps people off walls, but crowds press. So every way is led out of the walls that face where it
 * starts, and one that would cross a wall all the same is cut short. Who starts a sub-step on the walkable side of a
 * wall is kept there. */

#include <math.h>

#include "models/cpd/cpd.h"
#include "space/course.h"

bool throng_cpd_keep_off_walls(const throng_cpd *s, uint32_t slot, double *way_x, double *way_y) {
    const throng_walls *walls = s->now->walls;
    if (walls->count == 0) return false;
    /* a look at its tile is enough for most */
    const throng_cpd_tile *home = &s->pool[s->home[slot]];
    double way = fabs(*way_x) + fabs(*way_y);
    if (s->substep == 0 && (double)home->clear > s->near->radius_max + way) return false;
    throng_point first = {s->near->x[slot], s->near->y[slot]}, from = {s->x[slot], s->y[slot]};
    double radius = s->near->radius[slot], length = sqrt(*way_x * *way_x + *way_y * *way_y);
    double gone = fabs(from.x - first.x) + fabs(from.y - first.y);
    if ((double)walls->clear[throng_walls_cell(walls, from.x, from.y)] > radius + length + gone) return false;
    return throng_course_keep(walls, first, from, radius, way_x, way_y);
}
