/* vector.h: points and vectors in the plane. */

#ifndef THRONG_VECTOR_H
#define THRONG_VECTOR_H

#include <math.h>

#include <throng/throng.h>

static inline throng_point throng_plus(throng_point a, throng_point b) { return (throng_point){a.x + b.x, a.y + b.y}; }
static inline throng_point throng_minus(throng_point a, throng_point b) { return (throng_point){a.x - b.x, a.y - b.y}; }
static inline throng_point throng_times(double s, throng_point a) { return (throng_point){s * a.x, s * a.y}; }
static inline double throng_dot(throng_point a, throng_point b) { return a.x * b.x + a.y * b.y; }
static inline double throng_cross(throng_point a, throng_point b) { return a.x * b.y - a.y * b.x; }
static inline double throng_length(throng_point a) { return sqrt(a.x * a.x + a.y * a.y); }
static inline double throng_distance(throng_point a, throng_point b) { return throng_length(throng_minus(a, b)); }

static inline throng_point throng_ahead(throng_point at, throng_point direction, double length) {
    return (throng_point){at.x + direction.x * length, at.y + direction.y * length};
}
static inline bool throng_same_point(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }
/* From left to right, then from below to above. */
static inline bool throng_comes_before(throng_point a, throng_point b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* Of length 1, or (0, 0) where there is no direction. */
static inline throng_point throng_unit(throng_point a) {
    double length = throng_length(a);
    return length > 0 ? (throng_point){a.x / length, a.y / length} : (throng_point){0, 0};
}

#endif
