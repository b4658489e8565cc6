/* changed.h: which walls have come and gone since something was made of them. Walls are told apart by
 * where they are, not by their numbers, and down to the last bit: what was made of those that stayed is
 * as good as new. */

#ifndef THRONG_CHANGED_H
#define THRONG_CHANGED_H

#include <throng/model.h>

/* A wall, and the wall before it. */
typedef struct throng_wall_trace {
    throng_point from, to;
    double thin; /* 0 or 1 */
    throng_point before;
} throng_wall_trace;

/* Remembers walls; the caller releases it. */
throng_wall_trace *throng_walls_trace(const throng_walls *walls);

/* The walls that are there no more, then those that are new. */
typedef struct throng_changed_walls {
    throng_wall_trace *walls;
    size_t gone, count;
    size_t corners; /* after those, ones that are as they were but meet other walls: only `from` is new */
    throng_box box; /* around all of them */
} throng_changed_walls;

throng_changed_walls throng_walls_changed(const throng_wall_trace *old, size_t old_count, const throng_wall_trace *now,
                                          size_t now_count);
void throng_changed_walls_clear(throng_changed_walls *changed);

#endif
