/* march.c: fast marching (Sethian 1996), the cheapest node next.
 *
 * A node sees the front as a straight piece between two of its neighbours that follow each other
 * around it, a beside it and b at the corner. With h the lattice's cell, s the slowness and t the
 * place on the piece,
 *
 *     b                cost = min over t in [0, 1] of  a + t (b - a) + s h sqrt(1 + t^2)
 *     |  .
 *     a --- node       (the interpolation of Ferguson & Stentz 2005)
 *
 * which is exact for a plane wave, and at least s h / sqrt(2) more than the greater of a and b: the
 * front's bins are a little narrower than that. Next to walls slowness rises, so that the way keeps the
 * distance of a body where there is room. Of ways that cost the same, the one with the lower code is
 * taken, whichever was found first. */

#include "route/march.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* --- front: bins of nodes by cost, each a chain of chunks */

static void front_destroy(throng_front *front) {
    THRONG_RELEASE(front->first, front->chunks);
    *front = (throng_front){0};
}

static void front_clear(throng_front *front, double bin_width) {
    front->per_bin = (float)(1 / bin_width);
    front->bin_count = 0;
    front->current = 0;
    front->chunk_count = 0;
    front->free = 0;
}

/* The bin of a cost. Those beyond 10^6 bins, a way of 100 km, share the last one. */
static inline size_t front_bin(const throng_front *front, float cost) {
    const float bins_most = 1e6f;
    float bin = cost * front->per_bin;
    return (size_t)(bin < bins_most ? bin : bins_most);
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

static void front_put(throng_front *front, uint32_t node, size_t bin) {
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

/* Takes a node out of the lowest bin, which is `front->current` then; false when there is none left. */
static bool front_take(throng_front *front, size_t *node) {
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

static const double slowness_most = 4; /* right at a wall */
static const double root_half = 0.70710678118654752, root_two = 1.4142135623730951;
static const double bin_part = 0.7; /* of the least slowness times a cell: less than root_half */
const double throng_march_mends_most = 0.2;
static const double redone_most = 0.5; /* of all nodes: who has to redo more had better begin anew */

/* Codes of the ways of a node: known for sure, straight through neighbour d, between a pair of
 * neighbours, none. Pair k is beside 2 (k / 2) and the corner after it, or before it for even k. */
enum { KNOWN = 0, SINGLE = 1, PAIR = 16, NONE = 255 };

static inline int pair_beside(int k) { return k & 6; }
static inline int pair_corner(int k) { return ((k & 6) + (k & 1 ? 1 : 7)) & 7; }

void throng_march_destroy(throng_march *march) {
    front_destroy(&march->front);
    THRONG_RELEASE(march->redone, march->touched);
}

void throng_march_set(throng_march *m, throng_terrain terrain, throng_wave wave) {
    m->terrain = terrain;
    m->wave = wave;
    m->per_keep = 1 / terrain.keep;
    m->settled = 0;
    for (int d = 0; d < 8; d++) {
        m->step[d] = throng_step_row[d] * (ptrdiff_t)terrain.lattice->columns + throng_step_column[d];
    }
    front_clear(&m->front, bin_part * terrain.slow_least * terrain.lattice->cell);
}

static inline size_t neighbour(const throng_march *m, size_t node, int d) {
    return (size_t)((ptrdiff_t)node + m->step[d]);
}

static inline bool joined(const throng_march *m, size_t node, int d) { return m->terrain.open[node] >> d & 1; }

/* h times the slowness at a node. */
static inline double cost_at(const throng_march *m, size_t node) {
    const throng_terrain *t = &m->terrain;
    double clear = t->lattice->clear[node], cost = t->lattice->cell;
    if (clear < t->keep) cost *= 1 + (slowness_most - 1) * (1 - clear * m->per_keep);
    return t->slow ? cost * t->slow[node] : cost;
}

/* Whether the best place between two neighbours is not one of them; then its cost. */
static inline bool is_between(double beside, double corner, double cost, double *offered) {
    double drop = beside - corner;
    if (!(drop > 0) || drop >= root_half * cost) return false;
    *offered = beside + sqrt(cost * cost - drop * drop);
    return true;
}

/* A way of a node. */
typedef struct offer {
    float cost;
    uint8_t code;
} offer;

static inline offer better(offer a, offer b) {
    return b.cost < a.cost || (b.cost == a.cost && b.code < a.code) ? b : a;
}

static inline offer straight_through(int d, double value, double cost) {
    return (offer){(float)(d % 2 == 0 ? value + cost : value + root_two * cost), (uint8_t)(SINGLE + d)};
}

/* The best way of a node through its neighbour in direction d, whose cost is final, alone or together
 * with one next to that whose cost is final too: which lies in the first bins. */
static inline offer best_through(const throng_march *m, size_t node, int d, double cost, float final_bins) {
    const float *costs = m->wave.cost;
    size_t through = neighbour(m, node, d);
    double value = costs[through], offered;
    bool beside = d % 2 == 0;
    offer best = straight_through(d, value, cost);
    for (int turn = -1; turn <= 1; turn += 2) {
        int e = (d + turn) & 7, across = beside ? (d + 2 * turn) & 7 : (d + 3 * turn) & 7;
        if (!joined(m, node, e) || !joined(m, through, across)) continue;
        float other = costs[neighbour(m, node, e)];
        if (!(other * m->front.per_bin < final_bins)) continue;
        if (!is_between(beside ? value : other, beside ? other : value, cost, &offered)) continue;
        int k = beside ? (d | (turn > 0)) : (e | (turn < 0));
        best = better(best, (offer){(float)offered, (uint8_t)(PAIR + k)});
    }
    return best;
}

static void take_offer(throng_march *m, size_t node, offer way) {
    float *cost = &m->wave.cost[node];
    size_t bin = front_bin(&m->front, way.cost);
    bool there = *cost < INFINITY && front_bin(&m->front, *cost) == bin;
    *cost = way.cost;
    m->wave.through[node] = way.code;
    if (!there) front_put(&m->front, (uint32_t)node, bin);
}

/* The direction and length of a node's way, once its cost is final. */
static void settle(throng_march *m, size_t node) {
    int code = m->wave.through[node];
    m->settled++;
    if (code == KNOWN) return;
    throng_field_node *n = &m->wave.nodes[node];
    double cell = m->terrain.lattice->cell;
    n->sees = 0;
    if (code < PAIR) {
        int d = code - SINGLE;
        double far = d % 2 == 0 ? 1 : root_two, part = 127 / far;
        n->x = (int8_t)lrint(throng_step_column[d] * part);
        n->y = (int8_t)lrint(throng_step_row[d] * part);
        size_t a = neighbour(m, node, d);
        n->value = (float)(m->wave.nodes[a].value + far * cell);
        return;
    }
    int beside = pair_beside(code - PAIR), corner = pair_corner(code - PAIR);
    size_t a = neighbour(m, node, beside), b = neighbour(m, node, corner);
    double drop = ((double)m->wave.cost[a] - m->wave.cost[b]) / cost_at(m, node), flat = sqrt(1 - drop * drop);
    double t = drop / flat, far = 1 / flat; /* sqrt(1 + t^2) */
    double x = throng_step_column[beside] + t * (throng_step_column[corner] - throng_step_column[beside]);
    double y = throng_step_row[beside] + t * (throng_step_row[corner] - throng_step_row[beside]);
    n->x = (int8_t)lrint(127 * flat * x);
    n->y = (int8_t)lrint(127 * flat * y);
    n->value = (float)((1 - t) * m->wave.nodes[a].value + t * m->wave.nodes[b].value + far * cell);
}

/* --- a new wave */

static void put_source(throng_march *m, const throng_field_origin *s) {
    m->wave.nodes[s->node].value = s->length;
    m->wave.nodes[s->node].x = s->x;
    m->wave.nodes[s->node].y = s->y;
    m->wave.nodes[s->node].sees = s->sees;
    take_offer(m, s->node, (offer){s->cost, KNOWN});
}

void throng_march_spread(throng_march *m, const throng_field_origin *sources, size_t count) {
    const throng_lattice *l = m->terrain.lattice;
    float *costs = m->wave.cost;
    for (size_t i = 0; i < l->count; i++) {
        costs[i] = INFINITY;
        m->wave.nodes[i] = (throng_field_node){INFINITY, 0, 0, 0, l->room[i]};
    }
    memset(m->wave.through, NONE, l->count);
    for (size_t i = 0; i < count; i++) put_source(m, &sources[i]);
    size_t node;
    while (front_take(&m->front, &node)) {
        if (front_bin(&m->front, costs[node]) != m->front.current) continue;
        settle(m, node);
        float final_bins = (float)(m->front.current + 1);
        for (int d = 0; d < 8; d++) {
            if (!joined(m, node, d)) continue;
            size_t other = neighbour(m, node, d);
            double cost = cost_at(m, other);
            if (costs[node] + root_half * cost >= costs[other]) continue;
            offer way = best_through(m, other, (d + 4) & 7, cost, final_bins);
            if (way.cost > costs[other] || (way.cost == costs[other] && way.code >= m->wave.through[other])) continue;
            take_offer(m, other, way);
        }
    }
}

/* --- a wave that is mended */

/* A node's cost or way is new; it waits in the bin of its cost; as a source it stays as it was. */
enum { FRESH = 1, WAITS = 2, STAYS = 4 };

static bool refers_to(const throng_march *m, size_t node, size_t other) {
    int code = m->wave.through[node];
    if (code == KNOWN || code == NONE) return false;
    if (code < PAIR) return neighbour(m, node, code - SINGLE) == other;
    return neighbour(m, node, pair_beside(code - PAIR)) == other ||
           neighbour(m, node, pair_corner(code - PAIR)) == other;
}

static void forget(throng_march *m, size_t node) {
    if (m->touched[node] & FRESH) return;
    m->touched[node] |= FRESH;
    m->wave.cost[node] = INFINITY;
    m->wave.through[node] = NONE;
    THRONG_GROW(m->redone, m->redone_capacity, m->redone_count + 1);
    m->redone[m->redone_count++] = (uint32_t)node;
}

static bool is_same(const throng_march *m, const throng_field_origin *s) {
    const throng_field_node *n = &m->wave.nodes[s->node];
    return m->wave.through[s->node] == KNOWN && m->wave.cost[s->node] == s->cost && n->value == s->length &&
           n->x == s->x && n->y == s->y && n->sees == s->sees;
}

/* Sources that are no more, or are others now, are forgotten. */
static void forget_sources(throng_march *m, const throng_field_origin *sources, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (is_same(m, &sources[i])) m->touched[sources[i].node] |= STAYS;
    }
    for (size_t i = 0; i < m->terrain.lattice->count; i++) {
        if (m->wave.through[i] == KNOWN && !(m->touched[i] & STAYS)) forget(m, i);
    }
    for (size_t i = 0; i < count; i++) m->touched[sources[i].node] &= (uint8_t)~STAYS;
}

/* And whoever's way leads through somebody who has forgotten its own. False when they are too many. */
static bool forget_followers(throng_march *m) {
    size_t count = m->terrain.lattice->count, most = (size_t)(redone_most * (double)count);
    for (size_t i = 0; i < m->redone_count; i++) {
        if (m->redone_count > most) return false;
        size_t node = m->redone[i];
        for (int d = 0; d < 8; d++) {
            size_t other = neighbour(m, node, d);
            if (other < count && refers_to(m, other, node)) forget(m, other);
        }
    }
    return true;
}

/* The best way of a node through cheaper neighbours as they are now, without those that are touched so. */
static offer best_of_all(const throng_march *m, size_t node, uint8_t without) {
    offer best = {INFINITY, NONE};
    double values[8], cost = cost_at(m, node), offered;
    for (int d = 0; d < 8; d++) {
        values[d] = INFINITY;
        if (!joined(m, node, d)) continue;
        size_t other = neighbour(m, node, d);
        if (m->touched[other] & without || !(m->wave.cost[other] < m->wave.cost[node])) continue;
        values[d] = m->wave.cost[other];
        best = better(best, straight_through(d, values[d], cost));
    }
    for (int k = 0; k < 8; k++) {
        int beside = pair_beside(k), across = (beside + (k & 1 ? 2 : 6)) & 7;
        if (values[beside] == INFINITY || !is_between(values[beside], values[pair_corner(k)], cost, &offered)) continue;
        if (!joined(m, neighbour(m, node, beside), across)) continue;
        best = better(best, (offer){(float)offered, (uint8_t)(PAIR + k)});
    }
    return best;
}

static void take_again(throng_march *m, size_t node, offer way) {
    if (!(m->touched[node] & WAITS)) m->wave.cost[node] = INFINITY; /* so that it is put in */
    m->touched[node] = FRESH | WAITS;
    take_offer(m, node, way);
}

static void begin_again(throng_march *m, const throng_field_origin *sources, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t node = sources[i].node;
        if (m->wave.through[node] == KNOWN || sources[i].cost > m->wave.cost[node]) continue;
        m->wave.cost[node] = INFINITY;
        put_source(m, &sources[i]);
        m->touched[node] = FRESH | WAITS;
    }
    for (size_t i = 0; i < m->redone_count; i++) {
        size_t node = m->redone[i];
        offer way = best_of_all(m, node, FRESH); /* they offer themselves */
        if (way.cost < m->wave.cost[node]) take_again(m, node, way);
    }
}

/* A node's way again, now that its cost is final. Returns whether anything about it is new. */
static bool settle_again(throng_march *m, size_t node) {
    throng_field_node before = m->wave.nodes[node], *n = &m->wave.nodes[node];
    bool fresh = m->touched[node] & FRESH;
    m->touched[node] = 0;
    if (m->wave.through[node] != KNOWN) m->wave.through[node] = best_of_all(m, node, 0).code;
    settle(m, node);
    return fresh || n->value != before.value || n->x != before.x || n->y != before.y || n->sees != before.sees;
}

/* Offers a way through a node whose cost is final to a neighbour of it, together with anybody, because who
 * has not forgotten its way does not come by again; if it comes by cheaper, it offers itself. */
static void offer_again(throng_march *m, size_t node, size_t other, int back) {
    float *costs = m->wave.cost;
    if (costs[other] <= costs[node]) return;
    double cost = cost_at(m, other);
    if (costs[node] + root_half * cost < costs[other]) {
        offer way = best_through(m, other, back, cost, INFINITY);
        if (way.cost < costs[other] || (way.cost == costs[other] && way.code < m->wave.through[other])) {
            take_again(m, other, way);
            return;
        }
    }
    if (m->touched[other] & WAITS || !refers_to(m, other, node)) return;
    m->touched[other] |= WAITS;
    front_put(&m->front, (uint32_t)other, front_bin(&m->front, costs[other]));
}

static void spread_again(throng_march *m) {
    size_t node;
    while (front_take(&m->front, &node)) {
        bool left_behind = front_bin(&m->front, m->wave.cost[node]) != m->front.current;
        if (left_behind || !(m->touched[node] & WAITS) || !settle_again(m, node)) continue;
        for (int d = 0; d < 8; d++) {
            if (joined(m, node, d)) offer_again(m, node, neighbour(m, node, d), (d + 4) & 7);
        }
    }
}

bool throng_march_mend(throng_march *m, const throng_field_origin *sources, size_t count, const uint32_t *changed,
                       size_t changed_count) {
    const throng_lattice *l = m->terrain.lattice;
    if ((double)changed_count > throng_march_mends_most * (double)l->count) return false;
    if (l->count > m->touched_capacity) {
        m->touched = throng_reallocate(m->touched, l->count);
        m->touched_capacity = l->count;
        THRONG_GROW(m->redone, m->redone_capacity, l->count); /* so that mending again needs no more */
    }
    memset(m->touched, 0, l->count);
    m->redone_count = 0;
    for (size_t i = 0; i < changed_count; i++) {
        m->wave.nodes[changed[i]].room = l->room[changed[i]];
        forget(m, changed[i]);
        /* Its neighbours too: two of them may have been joined, or parted, beside a third. */
        for (int d = 0; d < 8; d++) {
            size_t other = neighbour(m, changed[i], d);
            if (other < l->count) forget(m, other);
        }
    }
    forget_sources(m, sources, count);
    if (!forget_followers(m)) return false;
    begin_again(m, sources, count);
    spread_again(m);
    for (size_t i = 0; i < m->redone_count; i++) {
        size_t node = m->redone[i];
        if (m->wave.cost[node] < INFINITY) continue;
        m->wave.nodes[node] = (throng_field_node){INFINITY, 0, 0, 0, l->room[node]};
    }
    return true;
}
