/* roadmap_views.c: which bends (arcs around corners) may be in sight from where, for cells of the place: found when
 * first needed, by an outlook from the middle of the cell as if that were as thick as the cell is wide. A list is a
 * filter only. What it leaves out cannot be seen, so it does not matter to any way which lists there are. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double cell_least = 1, cell_most = 4; /* m */
static const double cells_most = 250000;
enum { LISTED_MOST = 1 << 24 }; /* bends in all lists; then one begins anew */

/* The finer the more corners there are. */
void throng_views_lay(throng_views *views, const throng_walls *walls, size_t bend_count) {
    double width = walls->columns * walls->cell, height = walls->rows * walls->cell, area = width * height;
    double cell = sqrt(area / (4 * (double)bend_count + 1));
    cell = fmax(fmin(fmax(cell, cell_least), cell_most), sqrt(area / cells_most));
    views->origin = (throng_point){walls->origin_x, walls->origin_y};
    views->cell = cell;
    views->columns = (size_t)ceil(width / cell);
    views->rows = (size_t)ceil(height / cell);
    views->lists = throng_allocate(views->columns * views->rows * sizeof *views->lists);
}

void throng_views_clear(throng_views *views) {
    throng_release(views->lists);
    throng_release(views->bends);
    *views = (throng_views){0};
}

/* False outside of all cells. */
static bool find_cell(const throng_views *v, throng_point at, size_t *cell) {
    double column = floor((at.x - v->origin.x) / v->cell), row = floor((at.y - v->origin.y) / v->cell);
    if (!(column >= 0 && row >= 0 && column < (double)v->columns && row < (double)v->rows)) return false;
    *cell = (size_t)row * v->columns + (size_t)column;
    return true;
}

void throng_views_make(throng_tangents *t, const throng_walls *walls, throng_point at) {
    throng_views *v = &t->views;
    size_t cell;
    if (!find_cell(v, at, &cell) || v->lists[cell]) return;
    if (v->count + t->bend_count + 1 > LISTED_MOST) {
        memset(v->lists, 0, v->columns * v->rows * sizeof *v->lists);
        v->count = 0;
    }
    const double half_across = 0.70711;
    throng_point middle = {v->origin.x + ((double)(cell % v->columns) + 0.5) * v->cell,
                           v->origin.y + ((double)(cell / v->columns) + 0.5) * v->cell};
    throng_outlook outlook;
    throng_outlook_make(&outlook, walls, middle, false, t->margin + half_across * v->cell, NULL);
    THRONG_GROW(v->bends, v->capacity, v->count + t->bend_count + 1);
    uint32_t *list = v->bends + v->count, listed = 0;
    for (uint32_t bend = 0; bend < t->bend_count; bend++) {
        if (throng_outlook_may_see(&outlook, t->corners[bend])) list[++listed] = bend;
    }
    list[0] = listed;
    v->lists[cell] = (uint32_t)v->count + 1;
    v->count += listed + 1;
}

const uint32_t *throng_views_from(const throng_tangents *t, throng_point at, size_t *count) {
    size_t cell;
    if (!find_cell(&t->views, at, &cell) || !t->views.lists[cell]) return NULL;
    const uint32_t *list = t->views.bends + (t->views.lists[cell] - 1);
    *count = list[0];
    return list + 1;
}
