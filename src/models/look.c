/* look.c: see look.h. */

#include "models/look.h"

#include "base/memory.h"
#include "space/near_kernel.h"

const char *const throng_wall_rules[] = {"once", "segments", NULL};
const char *const throng_look_common[] = {"substep", NULL};

static void next_row(throng_look *l) {
    const uint32_t *start = l->near->start + (size_t)l->row * (size_t)l->near->columns;
    l->slot = start[l->column_low];
    l->last = start[l->column_high + 1];
}

throng_look throng_look_around(const throng_near *near, uint32_t slot, double reach) {
    throng_look l = {.near = near};
    l.at = (throng_point){near->x[slot], near->y[slot]};
    l.reach2 = reach * reach;
    near_cells cells = near_cells_around(near, l.at.x, l.at.y, reach);
    l.column_low = cells.column_low, l.column_high = cells.column_high;
    l.row = cells.row_low, l.row_high = cells.row_high;
    next_row(&l);
    return l;
}

bool throng_look_next(throng_look *l, throng_other *out) {
    for (;;) {
        while (l->slot == l->last) {
            if (l->row == l->row_high) return false;
            l->row++;
            next_row(l);
        }
        uint32_t slot = l->slot++;
        throng_point way = {l->near->x[slot] - l->at.x, l->near->y[slot] - l->at.y};
        double d2 = throng_dot(way, way);
        if (!(d2 < l->reach2) || !(d2 > 0)) continue;
        *out = (throng_other){way, sqrt(d2), slot};
        return true;
    }
}

bool throng_look_sees(const throng_walls *walls, throng_point at, const throng_other *other) {
    if (walls->count == 0 || (double)walls->clear[throng_walls_cell(walls, at.x, at.y)] > other->distance) return true;
    return !throng_walls_block(walls, at, throng_plus(at, other->way), 0);
}

/* Whether the nearest point of a wall counts: that of a flat side to those beside it, that of a corner where it sticks
 * out and once, though two walls meet there. */
static bool counts_once(const throng_walls *walls, uint32_t wall, throng_point at) {
    throng_point from = {at.x - walls->x[wall], at.y - walls->y[wall]};
    throng_point u = {walls->along_x[wall], walls->along_y[wall]};
    double along = throng_dot(u, from);
    if (along > 0) return along < walls->length[wall] && throng_cross(u, from) > 0;
    uint32_t before = walls->previous[wall];
    throng_point p = {walls->along_x[before], walls->along_y[before]};
    return walls->convex[wall] && throng_dot(p, from) >= 0;
}

/* One side of a thin wall counts for both. */
static bool counts_as_segment(const throng_walls *walls, uint32_t wall, throng_point at) {
    throng_point from = {at.x - walls->x[wall], at.y - walls->y[wall]};
    throng_point u = {walls->along_x[wall], walls->along_y[wall]};
    return !walls->thin[wall] || throng_cross(u, from) > 0;
}

size_t throng_look_walls(const throng_walls *walls, throng_point at, double reach, throng_wall_rule rule,
                         throng_other out[THRONG_LOOK_WALLS]) {
    throng_wall_near found[THRONG_LOOK_WALLS];
    if (walls->count == 0 || (double)walls->clear[throng_walls_cell(walls, at.x, at.y)] > reach) return 0;
    size_t near = throng_walls_within(walls, at.x, at.y, reach, found, THRONG_LOOK_WALLS), count = 0;
    for (size_t k = 0; k < near; k++) {
        uint32_t wall = found[k].wall;
        if (!(found[k].distance2 > 0)) continue;
        if (!(rule == THRONG_WALLS_ONCE ? counts_once : counts_as_segment)(walls, wall, at)) continue;
        throng_point way = throng_minus(throng_wall_nearest_point(walls, wall, at.x, at.y), at);
        throng_point before = throng_ahead(at, way, 1 - 1e-6);
        if (rule == THRONG_WALLS_ONCE && k > 0 && throng_walls_block(walls, at, before, 0)) continue;
        out[count++] = (throng_other){way, sqrt(found[k].distance2), wall};
    }
    return count;
}

void *throng_look_create(void) { return throng_allocate(sizeof(throng_divided)); }

void throng_look_destroy(void *state) {
    throng_divided_release(state);
    throng_release(state);
}

double throng_look_substep(const void *common) { return ((const throng_look_params *)common)->substep; }
double throng_look_reach(const void *params) { return ((const throng_look_params *)params)->neighbour_dist; }
