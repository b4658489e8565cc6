/* walls.c: nobody into a wall, and never through one.
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
    double radius = s->now->radius[throng_uic_row(s, number)], length = sqrt(*way_x * *way_x + *way_y * *way_y);
    if (walls->count == 0) return false;
    double gone = s->fresh ? 0 : fabs((double)s->ways[number].x) + fabs((double)s->ways[number].y);
    if ((double)walls->clear[throng_walls_cell(walls, from.x, from.y)] > radius + length + gone) return false;
    return throng_course_keep(walls, first, from, radius, way_x, way_y);
}

/* As throng_uic_kernel.meet, of somebody who has walked some of its way already. */
static bool meets_later(const throng_uic *s, const throng_uic_tile *tile, uint32_t k, float x, float y) {
    float per_part = (float)(THRONG_UIC_FINE / s->cell), last = THRONG_UIC_PARTS - 1;
    float dx = s->shift_x[k], dy = s->shift_y[k], c = (x - dx) * per_part, r = (y - dy) * per_part;
    c = c > 0 ? c < last ? c : last : 0;
    r = r > 0 ? r < last ? r : last : 0;
    float clear = tile->clear[(int)r * THRONG_UIC_PARTS + (int)c] - (float)s->radius_most;
    clear -= fabsf(s->ways[s->who[k]].x) + fabsf(s->ways[s->who[k]].y);
    return !(clear > 0 && dx * dx + dy * dy < clear * clear);
}

static bool keep_one_off_walls(throng_uic *s, uint32_t k, float *x, float *y) {
    float dx = s->shift_x[k], dy = s->shift_y[k];
    double way_x = (double)dx, way_y = (double)dy;
    bool stopped = throng_uic_keep_off_walls(s, s->who[k], &way_x, &way_y);
    s->shift_x[k] = (float)way_x;
    s->shift_y[k] = (float)way_y;
    x[k] += s->shift_x[k] - dx;
    y[k] += s->shift_y[k] - dy;
    return stopped;
}

uint64_t throng_uic_keep_tile_off_walls(throng_uic *s, size_t position, float *x, float *y) {
    const throng_uic_tile *tile = throng_uic_tile_at(s, position);
    uint64_t stopped = 0;
    bool later = s->t_end > 1.5 * s->t; /* some of the way has been walked already */
    uint32_t end = s->first[position + 1];
    for (uint32_t k = s->first[position]; k < end; k += 8) {
        unsigned bits = end - k < 8 ? (1U << (end - k)) - 1 : 0xFF;
        if (!s->far && !later) bits &= s->kernel->meet(s, tile, k, x, y);
        for (; bits; bits &= bits - 1) {
            uint32_t who = k + (uint32_t)__builtin_ctz(bits);
            if (s->part[who] < 0 || (later && !s->far && !meets_later(s, tile, who, x[who], y[who]))) continue;
            stopped += keep_one_off_walls(s, who, x, y);
        }
    }
    return stopped;
}
