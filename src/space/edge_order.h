/* edge_order.h: the edges a sweep line cuts, in order from below to above: a list threaded through a
 * balanced tree (a treap). Who sweeps finds the place of an edge; the tree only keeps the order. */

#ifndef THRONG_EDGE_ORDER_H
#define THRONG_EDGE_ORDER_H

#include <stdint.h>

#define THRONG_NO_NODE UINT32_MAX

typedef struct throng_edge_node {
    uint32_t edge;
    uint32_t above, below;        /* its neighbours */
    uint32_t left, right, parent; /* in the tree; left is below */
} throng_edge_node;

typedef struct throng_edge_order {
    throng_edge_node *nodes; /* room for as many as there can be at a time */
    uint32_t node_count, free_node, root, lowest;
} throng_edge_order;

throng_edge_order throng_edge_order_create(size_t most);
void throng_edge_order_clear(throng_edge_order *s);
/* Adds an edge right above another node (THRONG_NO_NODE: below all). Returns its node. */
uint32_t throng_edge_order_add(throng_edge_order *s, uint32_t below, uint32_t edge);
void throng_edge_order_drop(throng_edge_order *s, uint32_t node);

#endif
