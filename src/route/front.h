/* front.h: the front (bucket queue) of a field while it spreads: nodes with a tentative cost, the least first.
 *
 * Nodes are kept in bins of cost. A bin is narrower than the least that one node can add to another,
 * so the nodes of a bin do not depend on each other and need no order among themselves. A node whose
 * cost falls is put in again; whoever takes nodes passes over the entries left behind. */

#ifndef THRONG_FRONT_H
#define THRONG_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THRONG_FRONT_CHUNK = 30 };

/* Some of the nodes of a bin. */
typedef struct throng_front_chunk {
    uint32_t next; /* 1 + the next chunk of the bin, or of those that are free; 0: none */
    uint32_t count;
    uint32_t nodes[THRONG_FRONT_CHUNK];
} throng_front_chunk;

typedef struct throng_front {
    float per_bin;                  /* 1 / the width of a bin */
    uint32_t *first;                /* [bin] 1 + its first chunk; 0: empty */
    size_t bin_count, bin_capacity; /* bins before bin_count have been used */
    size_t current;                 /* bins before this one are empty for good */
    throng_front_chunk *chunks;
    size_t chunk_count, chunk_capacity;
    uint32_t free; /* 1 + the first free chunk */
} throng_front;

void throng_front_destroy(throng_front *front);
/* Makes it empty; starts with all zero. */
void throng_front_clear(throng_front *front, double bin_width);

/* The bin of a cost. Those beyond 10^6 bins, a way of 100 km, share the last one. */
static inline size_t throng_front_bin(const throng_front *front, float cost) {
    const float bins_most = 1e6f;
    float bin = cost * front->per_bin;
    return (size_t)(bin < bins_most ? bin : bins_most);
}

void throng_front_put(throng_front *front, uint32_t node, size_t bin);
/* Takes a node out of the lowest bin, which is `front->current` then; false when there is none left. */
bool throng_front_take(throng_front *front, size_t *node);

#endif
