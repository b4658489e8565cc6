/* front.c: bins of nodes by cost, each a chain of chunks. */

#include "route/front.h"

#include "base/memory.h"

void throng_front_destroy(throng_front *front) {
    throng_release(front->first);
    throng_release(front->chunks);
    *front = (throng_front){0};
}

void throng_front_clear(throng_front *front, double bin_width) {
    front->per_bin = (float)(1 / bin_width);
    front->bin_count = 0;
    front->current = 0;
    front->chunk_count = 0;
    front->free = 0;
}

/* 1 + an empty chunk. */
static uint32_t new_chunk(throng_front *front) {
    uint32_t chunk = front->free;
    if (chunk) {
        front->free = front->chunks[chunk - 1].next;
    } else {
        THRONG_GROW(front->chunks, front->chunk_capacity, front->chunk_count + 1);
        chunk = (uint32_t)++front->chunk_count;
    }
    front->chunks[chunk - 1].count = 0;
    return chunk;
}

void throng_front_put(throng_front *front, uint32_t node, size_t bin) {
    if (bin < front->current) bin = front->current;
    THRONG_GROW(front->first, front->bin_capacity, bin + 1);
    while (front->bin_count <= bin) front->first[front->bin_count++] = 0;
    uint32_t head = front->first[bin];
    if (head == 0 || front->chunks[head - 1].count == THRONG_FRONT_CHUNK) {
        uint32_t added = new_chunk(front);
        front->chunks[added - 1].next = head;
        front->first[bin] = head = added;
    }
    throng_front_chunk *chunk = &front->chunks[head - 1];
    chunk->nodes[chunk->count++] = node;
}

bool throng_front_take(throng_front *front, size_t *node) {
    while (front->current < front->bin_count && front->first[front->current] == 0) front->current++;
    if (front->current == front->bin_count) return false;
    uint32_t head = front->first[front->current];
    throng_front_chunk *chunk = &front->chunks[head - 1];
    *node = chunk->nodes[--chunk->count];
    if (chunk->count > 0) return true;
    front->first[front->current] = chunk->next;
    chunk->next = front->free;
    front->free = head;
    return true;
}
