/* testing.h: what every test program needs: cmocka, and comparing doubles with a tolerance. */

#ifndef THRONG_TESTING_H
#define THRONG_TESTING_H

/* cmocka wants these before it */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#define assert_near(value, expected, tolerance)                                                               \
    do {                                                                                                      \
        double value_ = (value), expected_ = (expected);                                                      \
        if (!(fabs(value_ - expected_) <= (tolerance)))                                                       \
            fail_msg("%s = %.17g, expected %.17g within %g", #value, value_, expected_, (double)(tolerance)); \
    } while (0)

#endif
