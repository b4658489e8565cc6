/* statistics.h: what can be said of a few numbers: confidence intervals, whether two samples differ. */

#ifndef CLI_STATISTICS_H
#define CLI_STATISTICS_H

#include <stddef.h>

/* Those of a sample that are numbers. */
typedef struct sample_mean {
    size_t count;
    double mean;      /* NaN: none */
    double sd;        /* of the population, estimated (n - 1); NaN with fewer than two */
    double low, high; /* of the mean, with 95 % confidence (Student's t); NaN likewise */
} sample_mean;

sample_mean statistics_mean(const double *values, size_t count);

/* How likely a difference of means at least as large is between samples of the same mean: Welch's t-test (1947), two
 * sided. NaN with fewer than two in either; 1 and 0 where neither varies. */
double statistics_welch(const sample_mean *a, const sample_mean *b);
/* Makes such numbers larger, for there are so many of them (Holm 1979): those below 0.05 then are, all together, wrong
 * once in twenty times. NaN are none. */
void statistics_holm(double *p, size_t count);

/* Student's t distribution: of |t| being at least so large, and the value that is exceeded with probability p on both
 * sides together. */
double statistics_t_tails(double t, double freedom);
double statistics_t_value(double p, double freedom);

#endif
