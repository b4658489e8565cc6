/* vector3.h: vectors, turns and 3 x 3 matrices (row by row), as rigid bodies need them. */

#ifndef THRONG_VECTOR3_H
#define THRONG_VECTOR3_H

#include <math.h>
#include <throng/throng.h>

typedef struct throng_matrix {
    double at[9];
} throng_matrix;

static inline throng_point3 throng_sum3(throng_point3 a, throng_point3 b) {
    return (throng_point3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline throng_point3 throng_difference3(throng_point3 a, throng_point3 b) {
    return (throng_point3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline throng_point3 throng_scaled3(double k, throng_point3 a) {
    return (throng_point3){k * a.x, k * a.y, k * a.z};
}

static inline double throng_dot3(throng_point3 a, throng_point3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline throng_point3 throng_cross3(throng_point3 a, throng_point3 b) {
    return (throng_point3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double throng_length3(throng_point3 a) { return sqrt(throng_dot3(a, a)); }

static inline bool throng_is_finite3(throng_point3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

static inline throng_point3 throng_apply(const throng_matrix *m, throng_point3 a) {
    const double *t = m->at;
    return (throng_point3){t[0] * a.x + t[1] * a.y + t[2] * a.z, t[3] * a.x + t[4] * a.y + t[5] * a.z,
                           t[6] * a.x + t[7] * a.y + t[8] * a.z};
}

/* By the transpose: of a rotation, the other way round. */
static inline throng_point3 throng_unapply(const throng_matrix *m, throng_point3 a) {
    const double *t = m->at;
    return (throng_point3){t[0] * a.x + t[3] * a.y + t[6] * a.z, t[1] * a.x + t[4] * a.y + t[7] * a.z,
                           t[2] * a.x + t[5] * a.y + t[8] * a.z};
}

/* The i-th column: where a rotation takes the i-th axis. */
static inline throng_point3 throng_axis(const throng_matrix *m, int i) {
    return (throng_point3){m->at[i], m->at[3 + i], m->at[6 + i]};
}

static inline throng_matrix throng_rotation(throng_orientation q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (throng_matrix){{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz),
                            2 * (yz - wx), 2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}

static inline throng_matrix throng_product(const throng_matrix *a, const throng_matrix *b) {
    throng_matrix c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.at[3 * i + j] =
                a->at[3 * i] * b->at[j] + a->at[3 * i + 1] * b->at[3 + j] + a->at[3 * i + 2] * b->at[6 + j];
        }
    }
    return c;
}

/* First b, then a. */
static inline throng_orientation throng_orientation_product(throng_orientation a, throng_orientation b) {
    return (throng_orientation){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline double throng_orientation_square(throng_orientation q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

#endif
