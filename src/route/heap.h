/* heap.h: the front of a field while it spreads: nodes with a tentative distance, the least first. */

#ifndef THRONG_HEAP_H
#define THRONG_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct throng_heap_item {
    float key;
    uint32_t node;
} throng_heap_item;

/* A heap of four branches. `place` says of each node: 0 not seen yet, THRONG_HEAP_TAKEN taken out,
 * else 1 + its index in items. */
typedef struct throng_heap {
    throng_heap_item *items;
    uint32_t *place;
    size_t count;
} throng_heap;

#define THRONG_HEAP_TAKEN UINT32_MAX

void throng_heap_create(throng_heap *heap, size_t node_count);
void throng_heap_destroy(throng_heap *heap);
void throng_heap_clear(throng_heap *heap, size_t node_count);

/* Puts a node in, or moves it forward when it is in with a greater key. */
void throng_heap_lower(throng_heap *heap, uint32_t node, float key);
/* Takes out the node with the least key; the heap must not be empty. */
uint32_t throng_heap_take(throng_heap *heap);

#endif
