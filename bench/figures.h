/* figures.h: what benchmarks measure with: processor time, order of doubles, memory that the library holds. */

#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <stdlib.h>
#include <time.h>

/* Of all threads of this process. */
static inline double bench_cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* For qsort. */
static inline int bench_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the library holds, once bench_weigh is its allocator. */
static size_t bench_bytes_held;

static inline void *bench_weigh(void *pointer, size_t size) {
    size_t *before = pointer ? (size_t *)pointer - 2 : NULL;
    if (before) bench_bytes_held -= before[0];
    if (size == 0) {
        free(before);
        return NULL;
    }
    size_t *after = realloc(before, size + 2 * sizeof(size_t));
    if (!after) return NULL;
    bench_bytes_held += size;
    after[0] = size;
    return after + 2;
}

#endif
