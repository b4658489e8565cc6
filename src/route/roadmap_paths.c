/* roadmap_paths.c: shortest ways from all bends to a goal: Dijkstra's search from the goal outwards.
 *
 * What is found at first are offers: to leave a bend at some t, for a way of some length. An offer that is
 * to be left earlier than another one of the same bend and is not shorter is of no use to anybody. */

#include <math.h>
#include <string.h>

#include "route/roadmap.h"
#include "space/walls.h"
#include "world/memory.h"

static const double same_angle = 1e-9; /* against rounding */
static const double better = 1e-12;    /* m: less is rounding */

struct throng_offer {
    throng_exit exit;
    uint32_t node;
    uint32_t link; /* 1 + the next offer of the node */
    double key;    /* m from where the bend is left to the goal */
    bool useless;
};

void throng_tree_clear(throng_tree *tree) {
    throng_release(tree->landings);
    throng_release(tree->first);
    throng_release(tree->exits);
    throng_release(tree->least);
    *tree = (throng_tree){0};
}

void throng_tree_maker_clear(throng_tree_maker *maker) {
    throng_release(maker->offers);
    throng_release(maker->heap);
    throng_release(maker->head);
    *maker = (throng_tree_maker){0};
}

/* --- the offers to go on from, the nearest to the goal first */

static bool is_before(const throng_tree_maker *m, uint32_t a, uint32_t b) {
    return m->offers[a].key < m->offers[b].key || (m->offers[a].key == m->offers[b].key && a < b);
}

static void push(throng_tree_maker *m, uint32_t offer) {
    THRONG_GROW(m->heap, m->heap_capacity, m->heap_count + 1);
    size_t at = m->heap_count++;
    while (at > 0 && is_before(m, offer, m->heap[(at - 1) / 2])) {
        m->heap[at] = m->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    m->heap[at] = offer;
}

static uint32_t pop(throng_tree_maker *m) {
    uint32_t first = m->heap[0], last = m->heap[--m->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= m->heap_count) break;
        if (child + 1 < m->heap_count && is_before(m, m->heap[child + 1], m->heap[child])) child++;
        if (!is_before(m, m->heap[child], last)) break;
        m->heap[at] = m->heap[child];
        at = child;
    }
    m->heap[at] = last;
    return first;
}

static bool is_covered(throng_exit exit, throng_exit by) {
    return by.leave >= exit.leave - same_angle && by.value <= exit.value + better;
}

/* A bend can be left at some t for a way of some length. */
static void offer(throng_tree_maker *m, const throng_tangents *t, uint32_t node, throng_exit exit) {
    for (uint32_t i = m->head[node]; i; i = m->offers[i - 1].link) {
        struct throng_offer *other = &m->offers[i - 1];
        if (other->useless) continue;
        if (is_covered(exit, other->exit)) return;
        if (is_covered(other->exit, exit)) other->useless = true;
    }
    THRONG_GROW(m->offers, m->offer_capacity, m->offer_count + 1);
    uint32_t index = (uint32_t)m->offer_count++;
    m->offers[index] = (struct throng_offer){
        .exit = exit, .node = node, .link = m->head[node], .key = exit.value - t->margin * exit.leave};
    m->head[node] = index + 1;
    push(m, index);
}

/* --- the goal */

/* From a node straight to a point of a landing, if that is clear. */
static void try_end(throng_tree_maker *m, const throng_tree *tree, const throng_tangents *t, const throng_walls *walls,
                    uint32_t node, uint32_t landing, throng_point end) {
    const throng_bend *bend = &t->bends[node / 2];
    throng_tangent line;
    if (!throng_tangent_of(bend->at, throng_node_side(node), end, 0, t->margin, &line)) return;
    if (!throng_bend_has(bend, line.touch[0])) return;
    double leave = throng_node_angle(t, node, line.touch[0]);
    throng_exit exit = {leave, line.length + t->margin * leave + tree->landings[landing].beyond,
                        THRONG_LANDS + landing};
    throng_point begin = throng_ahead(bend->at, line.touch[0], t->margin);
    if (!throng_landing_is_clear(&tree->landings[landing], walls, begin, end, t->keep)) return;
    offer(m, t, node, exit);
}

/* The last leg ends at an end of the piece, or meets it at a right angle. */
static void try_landing(throng_tree_maker *m, const throng_tree *tree, const throng_tangents *t,
                        const throng_walls *walls, uint32_t node, uint32_t landing) {
    const throng_landing *l = &tree->landings[landing];
    throng_point ab = {l->b.x - l->a.x, l->b.y - l->a.y};
    double length = sqrt(throng_dot(ab, ab));
    try_end(m, tree, t, walls, node, landing, l->a);
    if (length == 0) return;
    try_end(m, tree, t, walls, node, landing, l->b);
    /* At a right angle the leg leaves the circle where the piece's direction points. */
    throng_point along = {ab.x / length, ab.y / length};
    for (double sign = -1; sign <= 1; sign += 2) {
        throng_point touch = {sign * along.x, sign * along.y};
        if (!throng_bend_has(&t->bends[node / 2], touch)) continue;
        throng_point from = throng_ahead(t->bends[node / 2].at, touch, t->margin);
        throng_point foot = throng_landing_nearest(l, from);
        if ((foot.x == l->a.x && foot.y == l->a.y) || (foot.x == l->b.x && foot.y == l->b.y)) continue;
        try_end(m, tree, t, walls, node, landing, foot);
    }
}

static void start(throng_tree_maker *m, const throng_tree *tree, const throng_tangents *t, const throng_walls *walls) {
    for (uint32_t l = 0; l < tree->landing_count; l++) {
        const throng_landing *landing = &tree->landings[l];
        bool point = landing->a.x == landing->b.x && landing->a.y == landing->b.y;
        throng_outlook outlook;
        if (point) throng_outlook_make(&outlook, walls, landing->a, true, t->margin);
        for (uint32_t node = 0; node < 2 * t->bend_count; node++) {
            if (point && !throng_outlook_may_see(&outlook, t->bends[node / 2].at)) continue;
            try_landing(m, tree, t, walls, node, l);
        }
    }
}

/* --- the tree */

static void spread(throng_tree_maker *m, const throng_tangents *t) {
    while (m->heap_count > 0) {
        struct throng_offer from = m->offers[pop(m)];
        if (from.useless) continue;
        /* Whoever comes here along a leg would leave along it the other way around. */
        for (size_t i = t->first[from.node ^ 1]; i < t->first[(from.node ^ 1) + 1]; i++) {
            throng_leg back = t->legs[i];
            if (-back.leave > from.exit.leave + same_angle) continue;
            offer(m, t, back.to ^ 1, (throng_exit){-back.reach, back.cost + from.exit.value, from.node});
        }
    }
}

/* The useful offers of a node, in the order of leaving. Returns how many there are. */
static uint32_t collect(const throng_tree_maker *m, uint32_t node, throng_exit *out) {
    uint32_t count = 0;
    for (uint32_t i = m->head[node]; i; i = m->offers[i - 1].link) {
        if (m->offers[i - 1].useless) continue;
        if (out) {
            uint32_t at = count;
            for (; at > 0 && out[at - 1].leave > m->offers[i - 1].exit.leave; at--) out[at] = out[at - 1];
            out[at] = m->offers[i - 1].exit;
        }
        count++;
    }
    return count;
}

/* The least way to the goal from a bend on, rounded down. */
static float least_from(const throng_tree *tree, const throng_tangents *t, uint32_t bend) {
    double least = INFINITY;
    for (uint32_t node = 2 * bend; node <= 2 * bend + 1; node++) {
        if (tree->first[node] == tree->first[node + 1]) continue;
        double around = node & 1 ? t->bends[bend].first : -t->bends[bend].last;
        least = fmin(least, tree->exits[tree->first[node]].value + t->margin * around);
    }
    return isinf(least) ? INFINITY : (float)(least - 1e-6 * fabs(least) - 1e-3);
}

void throng_tree_make(throng_tree *tree, throng_tree_maker *m, const throng_tangents *t, const throng_walls *walls,
                      const throng_goal_entry *goals, throng_goal goal, throng_point target) {
    uint32_t nodes = 2 * (uint32_t)t->bend_count;
    throng_tree_clear(tree);
    tree->landings = throng_landings_find(walls, t, goals, goal, target, &tree->landing_count);
    THRONG_GROW(m->head, m->node_capacity, nodes);
    if (nodes > 0) memset(m->head, 0, nodes * sizeof *m->head);
    m->offer_count = 0;
    start(m, tree, t, walls);
    spread(m, t);

    tree->first = throng_allocate((nodes + 1) * sizeof *tree->first);
    for (uint32_t n = 0; n < nodes; n++) tree->first[n + 1] = tree->first[n] + collect(m, n, NULL);
    tree->exits = throng_allocate(tree->first[nodes] * sizeof *tree->exits);
    for (uint32_t n = 0; n < nodes && tree->exits; n++) collect(m, n, tree->exits + tree->first[n]);
    tree->least = throng_allocate(t->bend_count * sizeof *tree->least);
    for (uint32_t b = 0; b < t->bend_count; b++) tree->least[b] = least_from(tree, t, b);
    tree->bytes = (nodes + 1) * sizeof *tree->first + t->bend_count * sizeof *tree->least +
                  tree->first[nodes] * sizeof *tree->exits + tree->landing_count * sizeof *tree->landings;
}
