/* walls.h: making the walls of a place (boundary segments); model.h says what they are and how to ask them. */

#ifndef THRONG_WALLS_H
#define THRONG_WALLS_H

#include <throng/model.h>

/* Takes what it needs from the place, which may go away afterwards. */
throng_walls *throng_walls_create(const throng_place *place);
void throng_walls_destroy(throng_walls *walls);

/* The column or row of cells that a coordinate, in cells, lies in, or the outermost one. */
static inline int32_t throng_walls_clamp(double cells, int32_t count) {
    return cells >= 0 ? cells < count ? (int32_t)cells : count - 1 : 0;
}

/* How many walls are met when every wall asks for those in its cells. */
double throng_walls_work(const throng_walls *walls);

/* Sorts finished walls into cells; part of making them. */
void throng_walls_sort_into_cells(throng_walls *walls);

/* Distance from a point to the nearest wall, at most `reach`; negative on the wrong side of it, and
 * right about the side however far away the walls are. Thin walls have no wrong side. */
double throng_walls_depth(const throng_walls *walls, double x, double y, double reach);

/* A question for walls that face a point: it is on their walkable side, or not far from it. */
typedef struct throng_facing {
    double x, y;
    double slack;  /* m: that far on the wrong side of a wall's line is near enough */
    double sure;   /* m: all walls within this distance are asked for, */
    double reach;  /* m: and of those within this */
    size_t enough; /* only as many as are nearest, so that there are no more than this in all */
} throng_facing;

/* Those walls, as throng_walls_within tells them; of thin walls, which face everything, only one side. */
size_t throng_walls_facing(const throng_walls *walls, const throng_facing *ask, throng_wall_near *out, size_t capacity);

/* Of some walls those within `reach` of a point, as throng_walls_within tells them; there is room for all in `out`. */
size_t throng_walls_among(const throng_walls *walls, double x, double y, double reach, const uint32_t *some,
                          size_t some_count, throng_wall_near *out);

/* The only wall within reach of a point, if it is one that the point is beside, on its walkable side; no end of it is
 * within reach then. UINT32_MAX: there are none, or several, or it is another one. Tells the depth, too. */
uint32_t throng_walls_only(const throng_walls *walls, double x, double y, double reach, double *depth);

/* Whether all walls are farther from a point than a distance. */
bool throng_walls_are_off(const throng_walls *walls, double x, double y, double distance);

/* Whether a point is where people can walk; points of a wall may fall either way. */
bool throng_walls_inside(const throng_walls *walls, double x, double y);

/* As throng_walls_block: a wall that is in the way, or UINT32_MAX; and whether one is. */
uint32_t throng_walls_find_blocking(const throng_walls *walls, throng_point from, throng_point to, double margin);
bool throng_wall_blocks(const throng_walls *walls, uint32_t wall, throng_point from, throng_point to, double margin);

/* Tells `stop` of every wall that may meet the straight way between two points, some more than once,
 * until it returns true; then that is the result. */
bool throng_walls_along(const throng_walls *walls, throng_point from, throng_point to,
                        bool (*stop)(void *context, uint32_t wall), void *context);
/* The same of every wall that may come closer to the way than `margin`. */
bool throng_walls_near_way(const throng_walls *walls, throng_point from, throng_point to, double margin,
                           bool (*stop)(void *context, uint32_t wall), void *context);

#endif
