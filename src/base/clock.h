/* clock.h: how long things take, for figures alone: no result may depend on it. */

#ifndef THRONG_CLOCK_H
#define THRONG_CLOCK_H

#include <time.h>

static inline double throng_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

#endif
