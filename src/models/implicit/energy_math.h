/* energy_math.h: exponential and logarithm that have the same bits on every machine, and the nearest positive
 * semi-definite matrix. */

#ifndef THRONG_IMPLICIT_ENERGY_MATH_H
#define THRONG_IMPLICIT_ENERGY_MATH_H

#include <math.h>
#include <string.h>

#include "models/implicit/energy.h"
#include "space/wide_exp.h"

/* e^x, for x from -700 to 700 (beyond: as at the end). The same operations as wide_exp's, and so the same bits. */
static inline double fixed_exp(double x) {
    static const double term[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                  1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2,     1.0};
    x = x > 700 ? 700 : x < -700 ? -700 : x;
    double k = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52;
    double r = (x - k * WIDE_LN2_HIGH) - k * WIDE_LN2_LOW, sum = term[0], scale;
    for (size_t n = 1; n < sizeof term / sizeof *term; n++) sum = sum * r + term[n];
    uint64_t bits = (uint64_t)((int64_t)k + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return (sum * r + 1.0) * scale;
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
