/* energy_math.h: exponential and logarithm that have the same bits on every machine, and the nearest positive
 * semi-definite matrix. energy_kernel.h has the same, four at a time. */

#ifndef THRONG_IMPLICIT_ENERGY_MATH_H
#define THRONG_IMPLICIT_ENERGY_MATH_H

#include <math.h>
#include <string.h>

#include "models/implicit/energy.h"

/* ln 2 in two parts; the first has 32 bits, so that multiples by whole numbers are exact. */
#define LN2_HIGH    0.6931471803691238
#define LN2_LOW     1.9082149292705877e-10
#define LN2_INVERSE 1.4426950408889634

/* Adding this rounds to a whole number, which then stands in the lowest bits. */
#define ROUNDER 6755399441055744.0 /* 1.5 * 2^52 */

/* e^f for |f| <= ln 2 / 2: interpolates at Chebyshev's points, relative error 2e-17. */
static const double exp_poly[12] = {1.0,
                                    1.0,
                                    0.5000000000000019,
                                    0.1666666666666668,
                                    0.04166666666648795,
                                    0.008333333333319589,
                                    0.0013888888952352863,
                                    0.00019841269890076403,
                                    2.4801485441561313e-05,
                                    2.755724088722987e-06,
                                    2.763265472252779e-07,
                                    2.5110049204818658e-08};

/* ln((1 + s) / (1 - s)) = 2 s + s^3 P(s^2) for |s| <= 0.1716: as above, relative error 5e-18. */
static const double log_poly[7] = {0.666666666666667,   0.3999999999989924, 0.2857142862609589, 0.2222221111514416,
                                   0.18182890556695602, 0.1533167403016786, 0.1461703754879165};

/* e^x, for x from -708 to 709 (beyond: as at the end). */
static inline double fixed_exp(double x) {
    x = x < -708 ? -708 : x > 709 ? 709 : x;
    double n = (x * LN2_INVERSE + ROUNDER) - ROUNDER;
    double f = (x - n * LN2_HIGH) - n * LN2_LOW;
    /* by pairs of terms and squares (Estrin), for a short chain */
    const double *c = exp_poly;
    double f2 = f * f, f4 = f2 * f2;
    double low = (c[0] + c[1] * f) + (c[2] + c[3] * f) * f2;
    double middle = (c[4] + c[5] * f) + (c[6] + c[7] * f) * f2;
    double high = (c[8] + c[9] * f) + (c[10] + c[11] * f) * f2;
    double value = low + (middle + high * f4) * f4;
    uint64_t bits = (uint64_t)((int64_t)n + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return value * scale;
}

/* ln x for normal positive x. */
static inline double fixed_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    double n = (double)(int64_t)(bits >> 52) - 1023, m;
    bits = (bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        n += 1;
    }
    const double *c = log_poly;
    double s = (m - 1) / (m + 1), z = s * s, z2 = z * z;
    double poly = (c[0] + c[1] * z) + ((c[2] + c[3] * z) + ((c[4] + c[5] * z) + c[6] * z2) * z2) * z2;
    return n * LN2_HIGH + (2 * s + (s * z * poly + n * LN2_LOW));
}

/* The nearest positive semi-definite matrix: negative eigenvalues become 0. */
static inline void make_semi_definite(double *xx, double *xy, double *yy) {
    double mean = 0.5 * (*xx + *yy), d = 0.5 * (*xx - *yy), b = *xy;
    double q = sqrt(d * d + b * b);
    if (mean - q >= 0) return;
    double scale = mean + q > 0 ? 0.5 * (mean + q) / q : 0;
    *xx = scale * (q + d);
    *xy = scale * b;
    *yy = scale * (q - d);
}

#endif
