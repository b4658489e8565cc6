/* verify_statistics.c: how likely a sample is: the tests of Kolmogorov and Smirnov, and chi-square. */

#include <math.h>
#include <stdlib.h>

#include "verify_measures.h"

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How likely two cumulative functions are this far apart by chance (Stephens 1970). */
static double kolmogorov(double apart, double count) {
    double root = sqrt(count), t = (root + 0.12 + 0.11 / root) * apart, sum = 0;
    if (t < 0.2) return 1;
    for (int k = 1; k <= 100; k++) sum += (k % 2 ? 2 : -2) * exp(-2 * k * k * t * t);
    return fmin(fmax(sum, 0), 1);
}

double verify_ks_p(double *a, size_t a_count, double *b, size_t b_count) {
    qsort(a, a_count, sizeof *a, by_size);
    qsort(b, b_count, sizeof *b, by_size);
    double apart = 0, n = (double)a_count, m = (double)b_count;
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        double x = fmin(a[i], b[j]);
        while (i < a_count && a[i] <= x) i++;
        while (j < b_count && b[j] <= x) j++;
        apart = fmax(apart, fabs((double)i / n - (double)j / m));
    }
    return kolmogorov(apart, n * m / (n + m));
}

double verify_ks_p_of(double *sample, size_t count, double (*cumulative)(double x, const double *shape),
                      const double *shape) {
    qsort(sample, count, sizeof *sample, by_size);
    double apart = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double at = cumulative(sample[i], shape);
        apart = fmax(apart, fmax(at - (double)i / n, (double)(i + 1) / n - at));
    }
    return kolmogorov(apart, n);
}

/* By its series below a + 1, and by its continued fraction (Lentz) above. */
double verify_gamma_part(double a, double x) {
    if (x <= 0) return 0;
    double factor = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int k = 1; k < 1000 && term > sum * 1e-15; k++) sum += term *= x / (a + k);
        return factor * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int k = 1; k < 1000; k++) {
        double step = -k * (k - a);
        b += 2;
        d = 1 / (step * d + b);
        c = b + step / c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-15) break;
    }
    return 1 - factor * h;
}

double verify_chi2_p(double chi2, double freedom) { return 1 - verify_gamma_part(freedom / 2, chi2 / 2); }
