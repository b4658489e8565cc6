/* energy_math.h: exponential and logarithm that have the same bits on every machine, and the nearest positive
 * semi-definite matrix. */

#ifndef THRONG_IMPLICIT_ENERGY_MATH_H
#define THRONG_IMPLICIT_ENERGY_MATH_H

#include <math.h>
#include <string.h>

#include "base/wide_exp.h"
#include "models/implicit/energy.h"

/* e^r = sum of c_n r^n for |r| <= ln(2) / 2: interpolates at Chebyshev's points, to 2e-17. */
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

/* e^x, for x from -700 to 700 (beyond: as at the end). Unlike wide_exp it sums by pairs, pairs of pairs and so on
 * (Estrin): an energy waits for it, and one term after the other would be one long wait. */
static inline double fixed_exp(double x) {
    const double *c = exp_poly;
    x = x > 700 ? 700 : x < -700 ? -700 : x;
    double k = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52, scale;
    double r = (x - k * WIDE_LN2_HIGH) - k * WIDE_LN2_LOW, r2 = r * r, r4 = r2 * r2;
    double low = (c[0] + c[1] * r) + (c[2] + c[3] * r) * r2;
    double middle = (c[4] + c[5] * r) + (c[6] + c[7] * r) * r2;
    double high = (c[8] + c[9] * r) + (c[10] + c[11] * r) * r2;
    uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return (low + (middle + high * r4) * r4) * scale;
}

/* ln x for normal positive x, as wide_log. */
static inline double fixed_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    double exponent = (double)(int64_t)(bits >> 52) - 1023, m;
    bits = (bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent += 1;
    }
    double f = (m - 1) / (m + 1), f2 = f * f, sum = 1.0 / 23;
    for (int n = 21; n >= 1; n -= 2) sum = sum * f2 + 1.0 / n;
    return exponent * WIDE_LN2_HIGH + ((f + f) * sum + exponent * WIDE_LN2_LOW);
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
