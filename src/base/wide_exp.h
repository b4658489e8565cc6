/* wide_exp.h: exponential and logarithm of four doubles at once, from plain arithmetic, with the same
 * bits in every build. Relative error of the exponential and absolute error of the logarithm of
 * mantissas: below 4e-16. Included by kernels that are built both plain and wide. */

#ifndef THRONG_WIDE_EXP_H
#define THRONG_WIDE_EXP_H

#include "base/wide.h"

/* ln 2 = high + low, with `high` short enough that its multiples by exponents are exact. */
#define WIDE_LN2_HIGH 0x1.62e42fefp-1
#define WIDE_LN2_LOW  0x1.473de6af278edp-34

/* exp x for -700 <= x <= 700; beyond, that of the nearer bound. x = k ln 2 + r with |r| <= ln(2) / 2,
 * and exp r is a Taylor series whose first term left out is 2e-16. */
static inline wide wide_exp(wide x) {
    static const double term[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                  1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      1.0 / 2,     1.0};
    const wide round = wide_all(0x1.8p52); /* adding it rounds to a whole number */
    x = wide_max(wide_min(x, wide_all(700.0)), wide_all(-700.0));
    wide k = wide_sub(wide_add(wide_mul(x, wide_all(0x1.71547652b82fep+0)), round), round);
    wide r = wide_sub(x, wide_mul(k, wide_all(WIDE_LN2_HIGH)));
    r = wide_sub(r, wide_mul(k, wide_all(WIDE_LN2_LOW)));
    wide sum = wide_all(term[0]);
    for (size_t n = 1; n < sizeof term / sizeof *term; n++) sum = wide_add(wide_mul(sum, r), wide_all(term[n]));
    sum = wide_add(wide_mul(sum, r), wide_all(1.0));
    return wide_mul(sum, wide_power_of_two(k));
}

/* ln x for positive normal x. x = 2^e m, and ln m = 2 artanh((m - 1) / (m + 1)) as a series. */
static inline wide wide_log(wide x) {
    wide exponent, m = wide_mantissa(x, &exponent); /* 1 <= m < 2 */
    wide_mask large = wide_less(wide_all(1.4142135623730951), m);
    m = wide_select(large, wide_mul(m, wide_all(0.5)), m);
    exponent = wide_select(large, wide_add(exponent, wide_all(1.0)), exponent);
    wide f = wide_div(wide_sub(m, wide_all(1.0)), wide_add(m, wide_all(1.0))), f2 = wide_mul(f, f);
    wide sum = wide_all(1.0 / 23);
    for (int n = 21; n >= 1; n -= 2) sum = wide_add(wide_mul(sum, f2), wide_all(1.0 / n));
    wide low = wide_add(wide_mul(wide_add(f, f), sum), wide_mul(exponent, wide_all(WIDE_LN2_LOW)));
    return wide_add(wide_mul(exponent, wide_all(WIDE_LN2_HIGH)), low);
}

#endif
