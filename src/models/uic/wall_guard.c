/* wall_guard.c: nobody into a wall, and never through one.
 *
 * The grid does not keep single people out of walls: where it is nearly empty they walk as they want, and pairs are
 * moved apart wherever there is room. So every way is led out of the walls that face where it starts, and one that
 * would cross a wall all the same is cut short. Who starts a sub-step on the walkable side of a wall is kept there. */

#include <math.h>

#include "models/uic/uic.h"
#include "space/course.h"
#include "space/walls.h"

bool throng_uic_keep_off_walls(const throng_uic *s, uint32_t number, double *way_x, double *way_y) {
    const throng_walls *walls = s->now->walls;
    throng_point first = throng_uic_start(s, number), from = throng_uic_here(s, number);
    double radius = s->now->people.radius[throng_uic_row(s, number)], length = sqrt(*way_x * *way_x + *way_y * *way_y);
    if (walls->count == 0) return false;
    double gone = s->fresh ? 0 : fabs((double)s->ways[number].x) + fabs((double)s->ways[number].y);
    if ((double)walls->clear[throng_walls_cell(walls, from.x, from.y)] > radius + length + gone) return false;
    return throng_course_keep(walls, first, from, radius, way_x, way_y);
}

float throng_uic_look_for_walls(throng_uic *s, uint32_t place, bool far) {
    const throng_walls *walls = s->now->walls;
    uint32_t number = s->who[place];
    throng_point at = throng_uic_here(s, number);
    double radius = s->now->people.radius[throng_uic_row(s, number)],
           reach = radius + (double)throng_uic_half_body(s, place), depth;
    uint32_t only = throng_walls_only(walls, at.x, at.y, reach, &depth);
    s->beside[place] = s->first_substep && !far ? only : THRONG_UIC_NO_WALL;
    double clear = depth - radius - 1e-5;
    if (!s->fresh) clear -= fabs((double)s->ways[number].x) + fabs((double)s->ways[number].y);
    return far || clear < 0 ? 0 : (float)(clear * clear);
}

uint64_t throng_uic_keep_some_off_walls(throng_uic *s, uint32_t place, unsigned bits, float *x, float *y) {
    uint64_t stopped = 0;
    for (; bits; bits &= bits - 1) {
        uint32_t k = place + (uint32_t)__builtin_ctz(bits), number = s->who[k];
        float dx = s->shift_x[k], dy = s->shift_y[k];
        double way_x = (double)dx, way_y = (double)dy;
        double short_way = (double)throng_uic_half_body(s, k) - 1e-5; /* m: it ends within the reach looked at before */
        if (s->beside[k] != THRONG_UIC_NO_WALL && way_x * way_x + way_y * way_y < short_way * short_way)
            throng_course_slide(s->now->walls, s->beside[k], throng_uic_start(s, number),
                                s->now->people.radius[throng_uic_row(s, number)], &way_x, &way_y);
        else
            stopped += throng_uic_keep_off_walls(s, number, &way_x, &way_y);
        s->shift_x[k] = (float)way_x;
        s->shift_y[k] = (float)way_y;
        x[k] += s->shift_x[k] - dx;
        y[k] += s->shift_y[k] - dy;
    }
    return stopped;
}
