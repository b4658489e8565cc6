/* elementary.h: logarithm, exponential, sine and cosine from plain arithmetic. The C library's own
 * differ in the last bit from machine to machine, and with them where people start. Accurate to a
 * few units in the last place; not meant for a step. */

#ifndef THRONG_ELEMENTARY_H
#define THRONG_ELEMENTARY_H

double throng_log(double x); /* x > 0 and finite */
double throng_exp(double x);
void throng_cos_sin(double degrees, double *cosine, double *sine); /* exact at multiples of 90 */

#endif
