/* course.h: a way (path) that is led out of walls, for models that move people by their positions.
 *
 * A wall is a line with the walkable side on its left, and corners that stick out. Somebody who starts on the left of
 * a wall is kept there; whatever pushes it, its way is not led by where the nearest wall happens to be, so that nobody
 * is drawn out on the wrong side of a thin wall. */

#ifndef THRONG_COURSE_H
#define THRONG_COURSE_H

#include "space/walls.h"

/* A way under correction. */
typedef struct throng_course {
    const throng_walls *walls;
    double x, y;         /* m, the start */
    double way_x, way_y; /* m */
    double distance;     /* m to keep */
} throng_course;

/* Out of some walls, by a few rounds; where there is no room for the distance, `radius` may fit. */
void throng_course_leave(throng_course *course, const uint32_t *walls, size_t count, double radius);

/* How much of a way, 0 to 1, crosses no wall; nor does the straight way to its end from where somebody was first, which
 * keeps a margin from walls. */
double throng_course_clear(const throng_walls *walls, throng_point first, double margin, throng_point from,
                           throng_point way);

/* All of these, for discs without a shell: leads a way out of walls, and around corners in the straight line from where
 * somebody was first; one that would meet a wall all the same is cut short. Returns whether it was. */
bool throng_course_keep(const throng_walls *walls, throng_point first, throng_point from, double radius, double *way_x,
                        double *way_y);

/* The same for a way from where somebody was first, when only one wall is within reach of any of it, whose ends are
 * not, and it starts on its left: nothing cuts it short. */
void throng_course_slide(const throng_walls *walls, uint32_t wall, throng_point first, double radius, double *way_x,
                         double *way_y);

#endif
