/* vector.h: points and vectors in the plane. */

#ifndef THRONG_VECTOR_H
#define THRONG_VECTOR_H

#include <math.h>

#include <throng/throng.h>

static inline throng_point throng_plus(throng_point a, throng_point b) { return (throng_point){a.x + b.x, a.y + b.y}; }
static inline throng_point throng_minus(throng_point a, throng_point b) { return (throng_point){a.x - b.x, a.y - b.y}; }
static inline throng_point throng_times(double s, throng_point a) { return (throng_point){s * a.x, s * a.y}; }
static inline double throng_length(throng_point a) { return sqrt(a.x * a.x + a.y * a.y); }

#endif
