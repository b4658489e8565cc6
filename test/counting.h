/* counting.h: an allocator that counts, for tests of what allocates nothing: throng_set_allocator(counting). */

#ifndef THRONG_COUNTING_H
#define THRONG_COUNTING_H

#include <stdlib.h>

static size_t allocations;

static void *counting(void *pointer, size_t size) {
    if (size == 0) {
        free(pointer);
        return NULL;
    }
    allocations++;
    return realloc(pointer, size);
}

#endif
