/* statistics.c: see statistics.h. */

#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "text.h"

/* ------------------------------------------------------------------ Student's t */

/* The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double sum = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double terms[] = {even, odd};
        double before = sum;
        for (int k = 0; k < 2; k++) {
            d = 1 + terms[k] * d;
            c = 1 + terms[k] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            sum *= c * d;
        }
        if (fabs(sum - before) < 1e-15 * fabs(sum)) break;
    }
    return sum;
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta_part(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - beta_part(b, a, 1 - x);
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return front * beta_fraction(a, b, x) / a;
}

double statistics_t_tails(double t, double freedom) {
    if (!isfinite(t)) return isnan(t) ? NAN : 0;
    return beta_part(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double statistics_t_value(double p, double freedom) {
    double low = 0, high = 1;
    while (statistics_t_tails(high, freedom) > p && high < 1e300) high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (middle == low || middle == high) break;
        if (statistics_t_tails(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ------------------------------------------------------------------ samples */

sample_mean statistics_mean(const double *values, size_t count) {
    sample_mean s = {0, NAN, NAN, NAN, NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        sum += values[i];
        s.count++;
    }
    if (s.count == 0) return s;
    s.mean = sum / (double)s.count;
    if (s.count < 2) return s;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) squares += (values[i] - s.mean) * (values[i] - s.mean);
    s.sd = sqrt(squares / (double)(s.count - 1));
    double reach = statistics_t_value(0.05, (double)(s.count - 1)) * s.sd / sqrt((double)s.count);
    s.low = s.mean - reach;
    s.high = s.mean + reach;
    return s;
}

double statistics_welch(const sample_mean *a, const sample_mean *b) {
    if (a->count < 2 || b->count < 2) return NAN;
    double p = a->sd * a->sd / (double)a->count, q = b->sd * b->sd / (double)b->count;
    if (p + q == 0) return a->mean == b->mean;
    double freedom = (p + q) * (p + q) / (p * p / (double)(a->count - 1) + q * q / (double)(b->count - 1));
    return statistics_t_tails((a->mean - b->mean) / sqrt(p + q), freedom);
}

/* ------------------------------------------------------------------ many comparisons */

static int by_size(const void *a, const void *b) {
    double p = **(double *const *)a, q = **(double *const *)b;
    return (p > q) - (p < q);
}

void statistics_holm(double *p, size_t count) {
    double **order = resize(NULL, count * sizeof *order), most = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i])) order[known++] = &p[i];
    qsort(order, known, sizeof *order, by_size);
    for (size_t i = 0; i < known; i++) {
        most = fmax(most, fmin(1, *order[i] * (double)(known - i)));
        *order[i] = most;
    }
    free(order);
}
