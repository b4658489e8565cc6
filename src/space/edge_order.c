/* edge_order.c: see edge_order.h. */

#include <stddef.h>

#include <throng/model.h>

#include "base/memory.h"
#include "space/edge_order.h"

static const uint32_t none = THRONG_NO_NODE;

throng_edge_order throng_edge_order_create(size_t most) {
    throng_edge_order s = {.free_node = none, .root = none, .lowest = none};
    s.nodes = throng_allocate(most * sizeof *s.nodes);
    return s;
}

void throng_edge_order_clear(throng_edge_order *s) { throng_release(s->nodes); }

static uint64_t priority(uint32_t n) { return throng_mix(n + 1); }

static void put_in_place_of(throng_edge_order *s, uint32_t old, uint32_t new) {
    uint32_t parent = s->nodes[old].parent;
    if (parent == none) {
        s->root = new;
    } else if (s->nodes[parent].left == old) {
        s->nodes[parent].left = new;
    } else {
        s->nodes[parent].right = new;
    }
    if (new != none) s->nodes[new].parent = parent;
}

/* Exchanges a node with its parent. */
static void lift(throng_edge_order *s, uint32_t n) {
    throng_edge_node *nodes = s->nodes;
    uint32_t parent = nodes[n].parent;
    bool from_left = nodes[parent].left == n;
    put_in_place_of(s, parent, n);
    uint32_t inner = from_left ? nodes[n].right : nodes[n].left;
    if (from_left) {
        nodes[parent].left = inner;
        nodes[n].right = parent;
    } else {
        nodes[parent].right = inner;
        nodes[n].left = parent;
    }
    if (inner != none) nodes[inner].parent = parent;
    nodes[parent].parent = n;
}

uint32_t throng_edge_order_add(throng_edge_order *s, uint32_t below, uint32_t edge) {
    uint32_t n = s->free_node;
    if (n != none) {
        s->free_node = s->nodes[n].above;
    } else {
        n = s->node_count++;
    }
    uint32_t above = below == none ? s->lowest : s->nodes[below].above;
    s->nodes[n] = (throng_edge_node){edge, above, below, none, none, none};
    if (above != none) s->nodes[above].below = n;
    if (below != none) s->nodes[below].above = n;
    if (below == none) s->lowest = n;

    /* Of two neighbours the one deeper in the tree has a free side towards the other. */
    if (below != none && s->nodes[below].right == none) {
        s->nodes[below].right = n;
        s->nodes[n].parent = below;
    } else if (above != none) {
        s->nodes[above].left = n;
        s->nodes[n].parent = above;
    } else {
        s->root = n;
    }
    while (s->nodes[n].parent != none && priority(n) > priority(s->nodes[n].parent)) lift(s, n);
    return n;
}

void throng_edge_order_drop(throng_edge_order *s, uint32_t n) {
    throng_edge_node *nodes = s->nodes;
    while (nodes[n].left != none && nodes[n].right != none) {
        lift(s, priority(nodes[n].left) > priority(nodes[n].right) ? nodes[n].left : nodes[n].right);
    }
    put_in_place_of(s, n, nodes[n].left != none ? nodes[n].left : nodes[n].right);
    if (nodes[n].above != none) nodes[nodes[n].above].below = nodes[n].below;
    if (nodes[n].below != none) nodes[nodes[n].below].above = nodes[n].above;
    if (s->lowest == n) s->lowest = nodes[n].above;
    nodes[n].above = s->free_node;
    s->free_node = n;
}
