/* front.h: the front of a field while it spreads: nodes with a tentative distance, the nearest first.
 *
 * Nodes are kept in bins of distance. A bin is no wider than the least that one node can add to
 * another, so the nodes of a bin do not depend on each other and need no order among themselves. */

#ifndef THRONG_FRONT_H
#define THRONG_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct throng_front {
    float per_bin;                  /* 1 / the width of a bin */
    uint32_t *first;                /* [bin] 1 + its first node; 0: empty */
    uint32_t *bin;                  /* [node] 1 + the bin it is in, 0: not seen yet, THRONG_FRONT_TAKEN */
    uint32_t *before, *after;       /* [node] 1 + its neighbours in the bin; 0: none */
    size_t bin_count, bin_capacity; /* bins before bin_count have been used */
    size_t current;                 /* bins before this one are empty for good */
} throng_front;

#define THRONG_FRONT_TAKEN UINT32_MAX

void throng_front_create(throng_front *front, size_t node_count);
void throng_front_destroy(throng_front *front);
void throng_front_clear(throng_front *front, size_t node_count, double bin_width);

/* Puts a node in, or moves it when it is in already. */
void throng_front_put(throng_front *front, uint32_t node, float distance);
/* Takes out one of the nearest nodes; false when there is none left. */
bool throng_front_take(throng_front *front, size_t *node);

static inline bool throng_front_is_taken(const throng_front *front, size_t node) {
    return front->bin[node] == THRONG_FRONT_TAKEN;
}

#endif
