/* front.c: bins of nodes by distance, each a chain through the nodes. */

#include "route/front.h"

#include <string.h>

#include "world/memory.h"

/* Farther nodes share the last bin: 10^6 bins are a way of 100 km. */
static const float bins_most = 1e6f;

void throng_front_create(throng_front *front, size_t node_count) {
    *front = (throng_front){.bin = throng_allocate(node_count * sizeof *front->bin),
                            .before = throng_allocate(node_count * sizeof *front->before),
                            .after = throng_allocate(node_count * sizeof *front->after)};
}

void throng_front_destroy(throng_front *front) {
    throng_release(front->first);
    throng_release(front->bin);
    throng_release(front->before);
    throng_release(front->after);
}

void throng_front_clear(throng_front *front, size_t node_count, double bin_width) {
    memset(front->bin, 0, node_count * sizeof *front->bin);
    front->per_bin = (float)(1 / bin_width);
    front->bin_count = 0;
    front->current = 0;
}

static void unlink_node(throng_front *front, uint32_t node) {
    uint32_t before = front->before[node], after = front->after[node];
    if (before)
        front->after[before - 1] = after;
    else
        front->first[front->bin[node] - 1] = after;
    if (after) front->before[after - 1] = before;
}

static void link_node(throng_front *front, uint32_t node, size_t bin) {
    THRONG_GROW(front->first, front->bin_capacity, bin + 1);
    while (front->bin_count <= bin) front->first[front->bin_count++] = 0;
    uint32_t after = front->first[bin];
    front->before[node] = 0;
    front->after[node] = after;
    if (after) front->before[after - 1] = node + 1;
    front->first[bin] = node + 1;
    front->bin[node] = (uint32_t)bin + 1;
}

void throng_front_put(throng_front *front, uint32_t node, float distance) {
    float wanted = distance * front->per_bin;
    size_t bin = (size_t)(wanted < bins_most ? wanted : bins_most);
    if (bin < front->current) bin = front->current;
    if (front->bin[node] == bin + 1) return;
    if (front->bin[node]) unlink_node(front, node);
    link_node(front, node, bin);
}

bool throng_front_take(throng_front *front, size_t *node) {
    while (front->current < front->bin_count && front->first[front->current] == 0) front->current++;
    if (front->current == front->bin_count) return false;
    uint32_t taken = front->first[front->current] - 1;
    unlink_node(front, taken);
    front->bin[taken] = THRONG_FRONT_TAKEN;
    *node = taken;
    return true;
}
