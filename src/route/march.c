/* march.c: fast marching (Sethian 1996), the nearest node next.
 *
 * A node sees the front as a straight piece between two of its neighbours that follow each other
 * around it, a beside it and b at the corner. With h the lattice's cell, s the slowness and t the
 * place on the piece,
 *
 *     b                value = min over t in [0, 1] of  a + t (b - a) + s h sqrt(1 + t^2)
 *     |  .
 *     a --- node       (the interpolation of Ferguson & Stentz 2005)
 *
 * which is exact for a plane wave, and at least s h / sqrt(2) more than the greater of a and b: that
 * is the width of the front's bins. Next to walls slowness rises, so that the way keeps the distance
 * of a body where there is room. */

#include "route/march.h"

#include <math.h>
#include <string.h>

#include "world/memory.h"

static const double slowness_most = 4; /* right at a wall */
static const double root_half = 0.70710678118654752, root_two = 1.4142135623730951;

/* The neighbours between which a way goes: the direction of the one beside and of the one at the
 * corner. Where the node knows better: neither. */
enum { KNOWN = 0, PAIR = 0x80 };

static uint8_t pair(int beside, int corner) { return (uint8_t)(PAIR | beside << 3 | corner); }

void throng_march_create(throng_march *march, const throng_lattice *lattice) {
    march->lattice = lattice;
    throng_front_create(&march->front, lattice->count);
    march->through = throng_allocate(lattice->count);
    march->length = throng_allocate(lattice->count * sizeof *march->length);
}

void throng_march_destroy(throng_march *march) {
    throng_front_destroy(&march->front);
    throng_release(march->through);
    throng_release(march->length);
}

void throng_march_clear(throng_march *march) {
    const throng_lattice *l = march->lattice;
    throng_front_clear(&march->front, l->count, root_half * l->cell);
    for (size_t i = 0; i < l->count; i++) march->nodes[i] = (throng_node){INFINITY, 0, 0, 0, l->room[i]};
}

static void set_direction(throng_node *node, double x, double y) {
    node->x = (int8_t)lrint(127 * x);
    node->y = (int8_t)lrint(127 * y);
}

void throng_march_know(throng_march *march, size_t node, double distance, throng_point direction) {
    throng_node *n = &march->nodes[node];
    n->value = march->length[node] = (float)distance;
    set_direction(n, direction.x, direction.y);
    march->through[node] = KNOWN;
}

void throng_march_start(throng_march *march, size_t node, double distance, throng_point direction, uint8_t sees) {
    if ((float)distance >= march->nodes[node].value) return;
    throng_march_know(march, node, distance, direction);
    march->nodes[node].sees = sees;
    throng_front_put(&march->front, (uint32_t)node, (float)distance);
}

/* h times the slowness at a node. */
static double cost_at(const throng_march *m, size_t node) {
    double clear = m->lattice->clear[node];
    if (clear >= m->keep) return m->lattice->cell;
    return m->lattice->cell * (1 + (slowness_most - 1) * (1 - clear / m->keep));
}

/* The way of a node through a place between two neighbours. */
typedef struct offer {
    double value;
    double t; /* 0: through the one beside it, 1: through the one at the corner */
} offer;

static inline offer between(double beside, double corner, double cost) {
    double drop = (beside - corner) / cost;
    if (!(drop > 0)) return (offer){beside + cost, 0};
    if (drop >= root_half) return (offer){corner + cost * root_two, 1};
    double flat = sqrt(1 - drop * drop);
    return (offer){beside + cost * flat, drop / flat};
}

static inline size_t neighbour(const throng_march *m, size_t node, int d) {
    return (size_t)((ptrdiff_t)node + throng_step_row[d] * (ptrdiff_t)m->lattice->columns + throng_step_column[d]);
}

static inline bool joined(const throng_march *m, size_t node, int d) { return m->open[node] >> d & 1; }

/* Offers a node the ways through its neighbour in direction d, with each of those next to it. */
static void offer_ways(throng_march *m, size_t node, int d) {
    const throng_node *nodes = m->nodes;
    throng_node *n = &m->nodes[node];
    size_t through = neighbour(m, node, d);
    double cost = cost_at(m, node), value = nodes[through].value;
    if (value + root_half * cost >= n->value) return;
    bool beside = d % 2 == 0;
    double best = beside ? value + cost : value + root_two * cost;
    uint8_t way = beside ? pair(d, d) : pair(d - 1, d), sees = nodes[through].sees;
    for (int turn = -1; turn <= 1; turn += 2) {
        int e = (d + turn) & 7;
        if (!joined(m, node, e)) continue;
        size_t other = neighbour(m, node, e);
        /* From `through` to `other`. */
        int across = beside ? (d + 2 * turn) & 7 : (d + 3 * turn) & 7;
        if (!throng_front_is_taken(&m->front, other) || !joined(m, through, across)) continue;
        double a = beside ? value : nodes[other].value, b = beside ? nodes[other].value : value;
        double offered = between(a, b, cost).value;
        if (offered >= best) continue;
        best = offered;
        way = beside ? pair(d, e) : pair(e, d);
        if (nodes[other].sees) sees = nodes[other].sees;
    }
    if ((float)best >= n->value) return;
    n->value = (float)best;
    n->sees = sees;
    m->through[node] = way;
    throng_front_put(&m->front, (uint32_t)node, n->value);
}

/* The direction and length of a node's way, once its value is final. */
static void settle(throng_march *m, size_t node) {
    int beside = m->through[node] >> 3 & 7, corner = m->through[node] & 7;
    if (m->through[node] == KNOWN) return;
    size_t a = neighbour(m, node, beside), b = neighbour(m, node, corner);
    double t = a == b ? 0 : between(m->nodes[a].value, m->nodes[b].value, cost_at(m, node)).t;
    double x = throng_step_column[beside] + t * (throng_step_column[corner] - throng_step_column[beside]);
    double y = throng_step_row[beside] + t * (throng_step_row[corner] - throng_step_row[beside]);
    double far = sqrt(1 + t * t);
    set_direction(&m->nodes[node], x / far, y / far);
    double length = t < 1 ? (1 - t) * m->length[a] : 0;
    if (t > 0) length += t * m->length[b];
    m->length[node] = (float)(length + far * m->lattice->cell);
}

void throng_march_spread(throng_march *m) {
    size_t node;
    while (throng_front_take(&m->front, &node)) {
        settle(m, node);
        m->reached(m->context, node);
        for (int d = 0; d < 8; d++) {
            if (!joined(m, node, d)) continue;
            size_t other = neighbour(m, node, d);
            if (!throng_front_is_taken(&m->front, other)) offer_ways(m, other, (d + 4) & 7);
        }
    }
    for (size_t i = 0; i < m->lattice->count; i++) {
        if (throng_front_is_taken(&m->front, i)) m->nodes[i].value = m->length[i];
    }
}
