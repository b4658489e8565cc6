/* heap.c: a heap of four branches, flatter than the usual two and kinder to the cache. */

#include "route/heap.h"

#include <assert.h>
#include <string.h>

#include "world/memory.h"

void throng_heap_create(throng_heap *heap, size_t node_count) {
    heap->items = throng_allocate(node_count * sizeof *heap->items);
    heap->place = throng_allocate(node_count * sizeof *heap->place);
    heap->count = 0;
}

void throng_heap_destroy(throng_heap *heap) {
    throng_release(heap->items);
    throng_release(heap->place);
}

void throng_heap_clear(throng_heap *heap, size_t node_count) {
    memset(heap->place, 0, node_count * sizeof *heap->place);
    heap->count = 0;
}

static void put(throng_heap *heap, size_t index, throng_heap_item item) {
    heap->items[index] = item;
    heap->place[item.node] = (uint32_t)index + 1;
}

static void rise(throng_heap *heap, size_t index, throng_heap_item item) {
    while (index > 0) {
        size_t above = (index - 1) / 4;
        if (heap->items[above].key <= item.key) break;
        put(heap, index, heap->items[above]);
        index = above;
    }
    put(heap, index, item);
}

static void sink(throng_heap *heap, throng_heap_item item) {
    size_t index = 0;
    for (;;) {
        size_t first = 4 * index + 1, end = first + 4 < heap->count ? first + 4 : heap->count;
        if (first >= end) break;
        size_t least = first;
        for (size_t i = first + 1; i < end; i++) {
            if (heap->items[i].key < heap->items[least].key) least = i;
        }
        if (heap->items[least].key >= item.key) break;
        put(heap, index, heap->items[least]);
        index = least;
    }
    put(heap, index, item);
}

void throng_heap_lower(throng_heap *heap, uint32_t node, float key) {
    uint32_t place = heap->place[node];
    assert(place != THRONG_HEAP_TAKEN);
    if (place == 0) {
        rise(heap, heap->count++, (throng_heap_item){key, node});
    } else if (key < heap->items[place - 1].key) {
        rise(heap, place - 1, (throng_heap_item){key, node});
    }
}

uint32_t throng_heap_take(throng_heap *heap) {
    assert(heap->count > 0);
    uint32_t node = heap->items[0].node;
    heap->place[node] = THRONG_HEAP_TAKEN;
    throng_heap_item last = heap->items[--heap->count];
    if (heap->count > 0) sink(heap, last);
    return node;
}
