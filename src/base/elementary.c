/* elementary.c: see elementary.h. */

#include "base/elementary.h"

#include <math.h>

/* ln 2 = high + low, with `high` short enough that its multiples by exponents are exact. */
static const double ln2_high = 0x1.62e42fefp-1, ln2_low = 0x1.473de6af278edp-34;

/* x = 2^e m, and ln m = 2 artanh((m - 1) / (m + 1)) as a series. */
double throng_log(double x) {
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) m *= 2, e--;
    double f = (m - 1) / (m + 1), f2 = f * f, sum = 0;
    for (int n = 25; n >= 1; n -= 2) sum = sum * f2 + 1.0 / n;
    return e * ln2_high + (2 * f * sum + e * ln2_low);
}

/* x = k ln 2 + r, and exp r as a series. */
double throng_exp(double x) {
    if (x > 710) return INFINITY;
    if (x < -750) return 0;
    double k = floor(x / (ln2_high + ln2_low) + 0.5);
    double r = (x - k * ln2_high) - k * ln2_low, sum = 1;
    for (int n = 16; n >= 1; n--) sum = 1 + sum * r / n;
    return ldexp(sum, (int)k);
}

/* The angle is turned back to within 45 degrees of an axis, where short series do. */
void throng_cos_sin(double degrees, double *cosine, double *sine) {
    double a = fmod(degrees, 360);
    double quarter = floor(a / 90 + 0.5);
    double r = (a - 90 * quarter) * 0.017453292519943295, r2 = r * r, c = 1, s = 1;
    for (int n = 18; n >= 2; n -= 2) {
        c = 1 - c * r2 / (n * (n - 1));
        s = 1 - s * r2 / (n * (n + 1));
    }
    s *= r;
    switch (((int)quarter % 4 + 4) % 4) {
        case 0:
            *cosine = c, *sine = s;
            break;
        case 1:
            *cosine = -s, *sine = c;
            break;
        case 2:
            *cosine = -c, *sine = -s;
            break;
        default:
            *cosine = s, *sine = -c;
            break;
    }
}
