/* box.h: boxes along the axes, grown point by point. */

#ifndef THRONG_BOX_H
#define THRONG_BOX_H

#include <math.h>
#include <throng/throng.h>

/* Holds nothing: low is above high. */
static inline throng_box throng_box_empty(void) { return (throng_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}; }

static inline bool throng_box_is_empty(throng_box box) { return !(box.low.x <= box.high.x && box.low.y <= box.high.y); }

static inline throng_box throng_box_with(throng_box box, double x, double y) {
    if (x < box.low.x) box.low.x = x;
    if (y < box.low.y) box.low.y = y;
    if (x > box.high.x) box.high.x = x;
    if (y > box.high.y) box.high.y = y;
    return box;
}

/* Holds both; an empty one adds nothing. */
static inline throng_box throng_box_join(throng_box a, throng_box b) {
    if (throng_box_is_empty(b)) return a;
    return throng_box_with(throng_box_with(a, b.low.x, b.low.y), b.high.x, b.high.y);
}

/* Whether they overlap or are at most `near` apart. */
static inline bool throng_boxes_meet(throng_box a, throng_box b, double near) {
    return a.low.x <= b.high.x + near && b.low.x <= a.high.x + near && a.low.y <= b.high.y + near &&
           b.low.y <= a.high.y + near;
}

/* Of some points, or of two columns of coordinates. */
static inline throng_box throng_box_of(const throng_point *points, size_t count) {
    throng_box box = throng_box_empty();
    for (size_t i = 0; i < count; i++) box = throng_box_with(box, points[i].x, points[i].y);
    return box;
}

static inline throng_box throng_box_of_columns(const double *x, const double *y, size_t count) {
    throng_box box = throng_box_empty();
    for (size_t i = 0; i < count; i++) box = throng_box_with(box, x[i], y[i]);
    return box;
}

#endif
