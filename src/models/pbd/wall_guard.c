/* wall_guard.c: nobody into a wall, and never through one.
 * Who starts a sub-step on the walkable side of a wall is kept there (space/course.h). */

#include <math.h>

#include "models/pbd/pbd.h"
#include "space/course.h"

enum { MOST = 64 };

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
    return walls_around(s, slot, shell_of(s, slot) + (double)s->room[slot], out, capacity);
}

void throng_pbd_keep_off_walls(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y, double distance) {
    throng_course c = {s->now->walls, throng_pbd_x(s, slot), throng_pbd_y(s, slot), *way_x, *way_y, distance};
    throng_course_leave(&c, s->walls + s->wall_begin[slot], s->wall_count[slot], (double)s->radius[slot]);
    *way_x = c.way_x;
    *way_y = c.way_y;
}

/* Somebody goes farther than was foreseen when walls were looked for. */
static void look_again(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y) {
    uint32_t walls[MOST];
    double shell = shell_of(s, slot), length = sqrt(*way_x * *way_x + *way_y * *way_y);
    throng_course c = {s->now->walls, throng_pbd_x(s, slot), throng_pbd_y(s, slot), *way_x, *way_y, shell};
    throng_course_leave(&c, walls, walls_around(s, slot, shell + length, walls, MOST), (double)s->radius[slot]);
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
    throng_point from = {throng_pbd_x(s, slot), throng_pbd_y(s, slot)},
                 first = {s->now->people.x[row], s->now->people.y[row]};
    double far = 0.25 * (double)s->room[slot];
    if (*way_x * *way_x + *way_y * *way_y > far * far) look_again(s, slot, way_x, way_y);
    double go = throng_course_clear(walls, first, margin_of(s, slot, first), from, (throng_point){*way_x, *way_y});
    if (go == 1) return false;
    *way_x *= go;
    *way_y *= go;
    return true;
}
