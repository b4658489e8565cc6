/* roadmap_paths.c: shortest ways from bends (arcs around corners) to a goal: Dijkstra's search from the goal outwards;
 * or, for the target of one person, the search A* of Hart, Nilsson and Raphael (1968) from the target towards where
 * that person is.
 *
 * What is found are offers: to leave a bend at some t, for a way of some length. An offer that is to be left earlier
 * than another one of the same bend and is not shorter is of no use to anybody. Offers take their turns in the order
 * of how long a way by there can be at least. Whether a straight way from a bend to the goal is clear is looked at when
 * it has its turn, so that few ever are.
 *
 * The search for one person ends when it is the turn of an offer that is longer than the shortest way by `spare`. Any
 * way from there that is shorter than that leads by bends which are in the tree. From d metres away, any that is
 * shorter by d does. So the tree serves as long as the person keeps about to its way. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double same_angle = 1e-9; /* against rounding */
static const double better = 1e-12;    /* m: less is rounding */
static const double spare = 4;         /* m that ways may be longer than the shortest to be known as well */

struct throng_offer {
    throng_exit exit;
    uint32_t node;
    uint32_t link; /* 1 + the next offer of the node */
    double key;    /* m from where the bend is left to the goal */
    bool useless;
    bool untried;     /* whether the goal is in sight has yet to be looked at; */
    throng_point end; /* m, where it is */
};

/* The turn of an offer. */
struct throng_turn {
    double least; /* m of any way by there */
    uint32_t offer;
};

/* A search under way. */
typedef struct searching {
    throng_tree_maker *m;
    const throng_tree *tree;
    const throng_tangents *t;
    const throng_walls *walls;
    const throng_point *from; /* NULL: everywhere */
    double margin;            /* m kept from walls on the first leg from there */
    double limit;             /* m: longer ways are not looked for */
    uint32_t wall;            /* that was last in the way there; UINT32_MAX: none */
} searching;

void throng_tree_clear(throng_tree *tree) {
    THRONG_RELEASE(tree->landings, tree->bends, tree->least, tree->exits);
    *tree = (throng_tree){0};
}

void throng_tree_maker_clear(throng_tree_maker *maker) {
    THRONG_RELEASE(maker->offers, maker->heap, maker->head, maker->to_go, maker->hidden);
    *maker = (throng_tree_maker){0};
}

/* --- the offers to go on from */

static bool is_before(struct throng_turn a, struct throng_turn b) {
    return a.least < b.least || (a.least == b.least && a.offer < b.offer);
}

static void push(throng_tree_maker *m, struct throng_turn turn) {
    THRONG_GROW(m->heap, m->heap_capacity, m->heap_count + 1);
    size_t at = m->heap_count++;
    while (at > 0 && is_before(turn, m->heap[(at - 1) / 2])) {
        m->heap[at] = m->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    m->heap[at] = turn;
}

static struct throng_turn pop(throng_tree_maker *m) {
    struct throng_turn first = m->heap[0], last = m->heap[--m->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= m->heap_count) break;
        if (child + 1 < m->heap_count && is_before(m->heap[child + 1], m->heap[child])) child++;
        if (!is_before(m->heap[child], last)) break;
        m->heap[at] = m->heap[child];
        at = child;
    }
    m->heap[at] = last;
    return first;
}

static bool is_covered(throng_exit exit, throng_exit by) {
    return by.leave >= exit.leave - same_angle && by.value <= exit.value + better;
}

static bool is_of_use(const throng_tree_maker *m, uint32_t node, throng_exit exit) {
    for (uint32_t i = m->head[node]; i; i = m->offers[i - 1].link) {
        const struct throng_offer *other = &m->offers[i - 1];
        if (!other->useless && is_covered(exit, other->exit)) return false;
    }
    return true;
}

/* Puts an offer that is of use to those of its node. */
static void enter(throng_tree_maker *m, uint32_t index) {
    struct throng_offer *entered = &m->offers[index];
    for (uint32_t i = m->head[entered->node]; i; i = m->offers[i - 1].link) {
        if (is_covered(m->offers[i - 1].exit, entered->exit)) m->offers[i - 1].useless = true;
    }
    entered->link = m->head[entered->node];
    m->head[entered->node] = index + 1;
}

static uint32_t add(throng_tree_maker *m, const struct throng_offer *offer, double least) {
    THRONG_GROW(m->offers, m->offer_capacity, m->offer_count + 1);
    uint32_t index = (uint32_t)m->offer_count++;
    m->offers[index] = *offer;
    push(m, (struct throng_turn){least, index});
    return index;
}

/* A bend can be left at some t for a way of some length. */
static void offer(const searching *s, uint32_t node, throng_exit exit) {
    double key = exit.value - s->t->margin * exit.leave, least = s->from ? key + s->m->to_go[node / 2] : key;
    if (least >= s->limit || !is_of_use(s->m, node, exit)) return;
    enter(s->m, add(s->m, &(struct throng_offer){.exit = exit, .node = node, .key = key}, least));
}

/* --- the goal */

static double apart(throng_point a, throng_point b) {
    double x = a.x - b.x, y = a.y - b.y;
    return sqrt(x * x + y * y);
}

/* From a node straight to a point of a landing, if that will turn out to be clear. */
static void try_end(const searching *s, uint32_t node, uint32_t landing, throng_point end) {
    const throng_bend *bend = &s->t->bends[node / 2];
    throng_tangent line;
    if (!throng_tangent_of(bend->at, throng_node_side(node), end, 0, s->t->margin, &line)) return;
    if (!throng_bend_has(bend, line.touch[0])) return;
    double key = line.length + s->tree->landings[landing].beyond, least = key;
    if (s->from) least += apart(throng_ahead(bend->at, line.touch[0], s->t->margin), *s->from);
    if (least >= s->limit) return;
    add(s->m,
        &(struct throng_offer){
            .node = node, .key = key, .exit.next = THRONG_LANDS + landing, .untried = true, .end = end},
        least);
}

/* The last leg ends at an end of the piece, or meets it at a right angle. */
static void try_landing(const searching *s, uint32_t node, uint32_t landing) {
    const throng_landing *l = &s->tree->landings[landing];
    const throng_tangents *t = s->t;
    throng_point ab = {l->b.x - l->a.x, l->b.y - l->a.y};
    double length = sqrt(throng_dot(ab, ab));
    try_end(s, node, landing, l->a);
    if (length == 0) return;
    try_end(s, node, landing, l->b);
    /* At a right angle the leg leaves the circle where the piece's direction points. */
    throng_point along = {ab.x / length, ab.y / length};
    for (double sign = -1; sign <= 1; sign += 2) {
        throng_point touch = {sign * along.x, sign * along.y};
        if (!throng_bend_has(&t->bends[node / 2], touch)) continue;
        throng_point from = throng_ahead(t->bends[node / 2].at, touch, t->margin);
        throng_point foot = throng_landing_nearest(l, from);
        if ((foot.x == l->a.x && foot.y == l->a.y) || (foot.x == l->b.x && foot.y == l->b.y)) continue;
        try_end(s, node, landing, foot);
    }
}

static void try_bend(const searching *s, uint32_t bend, uint32_t landing) {
    try_landing(s, 2 * bend, landing);
    try_landing(s, 2 * bend + 1, landing);
}

/* To a point straight from the bends that may be in sight. */
static void start_at_point(const searching *s, uint32_t landing) {
    throng_point at = s->tree->landings[landing].a;
    size_t count;
    const uint32_t *view = throng_views_from(s->t, at, &count);
    if (view) {
        for (size_t i = 0; i < count; i++) try_bend(s, view[i], landing);
        return;
    }
    throng_outlook outlook;
    throng_outlook_make(&outlook, s->walls, at, true, s->t->margin, NULL);
    for (uint32_t bend = 0; bend < s->t->bend_count; bend++) {
        if (throng_outlook_may_see(&outlook, s->t->corners[bend])) try_bend(s, bend, landing);
    }
}

static void start(const searching *s) {
    for (uint32_t l = 0; l < s->tree->landing_count; l++) {
        const throng_landing *landing = &s->tree->landings[l];
        if (landing->a.x == landing->b.x && landing->a.y == landing->b.y) {
            start_at_point(s, l);
            continue;
        }
        for (uint32_t bend = 0; bend < s->t->bend_count; bend++) try_bend(s, bend, l);
    }
}

/* Looks whether the goal is in sight from an offer that says so; false when it is not, or of no use. */
static bool holds(const searching *s, uint32_t index) {
    struct throng_offer *o = &s->m->offers[index];
    const throng_bend *bend = &s->t->bends[o->node / 2];
    const throng_landing *landing = &s->tree->landings[o->exit.next & ~THRONG_LANDS];
    throng_tangent line;
    if (!throng_tangent_of(bend->at, throng_node_side(o->node), o->end, 0, s->t->margin, &line)) return false;
    o->exit.leave = throng_node_angle(s->t, o->node, line.touch[0]);
    o->exit.value = o->key + s->t->margin * o->exit.leave;
    if (!is_of_use(s->m, o->node, o->exit)) return false;
    throng_point begin = throng_ahead(bend->at, line.touch[0], s->t->margin);
    if (!throng_landing_is_clear(landing, s->walls, begin, o->end, s->t->keep)) return false;
    enter(s->m, index);
    return true;
}

/* --- where the one is who asks */

static void begin_from(searching *s) {
    const throng_tangents *t = s->t;
    if (t->bend_count > s->m->to_go_capacity) {
        s->m->to_go_capacity = t->bend_count;
        s->m->to_go = throng_reallocate(s->m->to_go, t->bend_count * sizeof *s->m->to_go);
        s->m->hidden = throng_reallocate(s->m->hidden, t->bend_count * sizeof *s->m->hidden);
    }
    for (size_t i = 0; i < t->bend_count; i++) {
        double far = apart(t->corners[i], *s->from) - t->margin;
        s->m->to_go[i] = far > 0 ? far : 0;
    }
    size_t count;
    const uint32_t *view = throng_views_from(t, *s->from, &count);
    if (t->bend_count > 0) memset(s->m->hidden, view != NULL, t->bend_count * sizeof *s->m->hidden);
    for (size_t i = 0; view && i < count; i++) s->m->hidden[view[i]] = false;
    double depth = throng_walls_depth(s->walls, s->from->x, s->from->y, t->keep);
    s->margin = depth >= t->keep ? t->keep : fmax(0.98 * depth, 0);
    for (size_t i = 0; i < s->tree->landing_count; i++) {
        const throng_landing *l = &s->tree->landings[i];
        throng_point end = throng_landing_nearest(l, *s->from);
        double length = apart(end, *s->from) + l->beyond + spare;
        if (length < s->limit && throng_landing_is_clear(l, s->walls, *s->from, end, s->margin)) s->limit = length;
    }
}

/* A way that begins with a leg to a bend, if that is clear, is the longest of interest. */
static void look_from(searching *s, const struct throng_offer *o) {
    if (s->m->hidden[o->node / 2]) return;
    const throng_bend *bend = &s->t->bends[o->node / 2];
    throng_tangent line;
    if (!throng_tangent_of(*s->from, 0, bend->at, throng_node_side(o->node), s->t->margin, &line)) return;
    if (!throng_bend_has(bend, line.touch[1])) return;
    double reach = throng_node_angle(s->t, o->node, line.touch[1]);
    double length = line.length + o->exit.value - s->t->margin * reach + spare;
    if (reach > o->exit.leave + same_angle || length >= s->limit) return;
    throng_point end = throng_ahead(bend->at, line.touch[1], s->t->margin);
    if (throng_sight_is_clear_of(s->walls, *s->from, end, s->margin, &s->wall)) s->limit = length;
}

/* --- the tree */

static void spread(searching *s) {
    const throng_tangents *t = s->t;
    while (s->m->heap_count > 0) {
        struct throng_turn turn = pop(s->m);
        if (turn.least >= s->limit) break;
        if (s->m->offers[turn.offer].useless) continue;
        if (s->m->offers[turn.offer].untried && !holds(s, turn.offer)) continue;
        const struct throng_offer from = s->m->offers[turn.offer];
        if (s->from) look_from(s, &from);
        /* Whoever comes here along a leg would leave along it the other way around. */
        for (size_t i = t->first[from.node ^ 1]; i < t->first[(from.node ^ 1) + 1]; i++) {
            throng_roadmap_leg back = t->legs[i];
            if (-back.leave > from.exit.leave + same_angle) continue;
            offer(s, back.to ^ 1, (throng_exit){-back.reach, back.cost + from.exit.value, from.node});
        }
    }
    s->m->heap_count = 0;
}

/* The useful offers of a node, in the order of leaving. Returns how many there are. */
static uint32_t collect(const throng_tree_maker *m, uint32_t node, throng_exit *out) {
    uint32_t count = 0;
    for (uint32_t i = m->head[node]; i; i = m->offers[i - 1].link) {
        if (m->offers[i - 1].useless) continue;
        uint32_t at = count++;
        for (; at > 0 && out[at - 1].leave > m->offers[i - 1].exit.leave; at--) out[at] = out[at - 1];
        out[at] = m->offers[i - 1].exit;
    }
    return count;
}

/* The least way to the goal from a bend on, rounded down. */
static float least_from(const throng_tree *tree, const throng_tangents *t, const throng_tree_bend *b) {
    double least = INFINITY;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t first = b->first[side], end = side ? b[1].first[0] : b->first[1];
        if (first == end) continue;
        double around = side ? t->bends[b->bend].first : -t->bends[b->bend].last;
        least = fmin(least, tree->exits[first].value + t->margin * around);
    }
    return isinf(least) ? INFINITY : (float)(least - 1e-6 * fabs(least) - 1e-3);
}

/* Keeps what was found. */
static void keep(throng_tree *tree, const throng_tree_maker *m, const throng_tangents *t) {
    size_t known = 0;
    for (size_t b = 0; b < t->bend_count; b++) known += tree->whole || m->head[2 * b] || m->head[2 * b + 1];
    tree->bends = throng_allocate((known + 1) * sizeof *tree->bends);
    tree->exits = throng_allocate((m->offer_count ? m->offer_count : 1) * sizeof *tree->exits);
    uint32_t exits = 0;
    for (uint32_t b = 0; b < t->bend_count; b++) {
        if (!tree->whole && !m->head[2 * b] && !m->head[2 * b + 1]) continue;
        throng_tree_bend *kept = &tree->bends[tree->bend_count++];
        kept->bend = b;
        for (uint32_t side = 0; side < 2; side++) {
            kept->first[side] = exits;
            exits += collect(m, 2 * b + side, tree->exits + exits);
        }
    }
    tree->bends[tree->bend_count].first[0] = exits;
    tree->exits = throng_reallocate(tree->exits, (exits ? exits : 1) * sizeof *tree->exits);
    tree->least = throng_allocate((known ? known : 1) * sizeof *tree->least);
    for (size_t i = 0; i < known; i++) tree->least[i] = least_from(tree, t, &tree->bends[i]);
    tree->bytes = (known + 1) * sizeof *tree->bends + known * sizeof *tree->least + exits * sizeof *tree->exits +
                  tree->landing_count * sizeof *tree->landings;
}

void throng_tree_make(throng_tree *tree, throng_tree_maker *m, const throng_tangents *t, const throng_walls *walls,
                      const throng_goal_entry *goals, throng_goal goal, throng_point target, const throng_point *from) {
    size_t nodes = 2 * t->bend_count;
    throng_tree_clear(tree);
    tree->landings = throng_landings_find(walls, t, goals, goal, target, &tree->landing_count);
    tree->whole = !from;
    THRONG_GROW(m->head, m->node_capacity, nodes);
    if (nodes > 0) memset(m->head, 0, nodes * sizeof *m->head);
    m->offer_count = 0;
    searching s = {.m = m, .tree = tree, .t = t, .walls = walls, .from = from, .limit = INFINITY, .wall = UINT32_MAX};
    if (from) begin_from(&s);
    start(&s);
    spread(&s);
    if (from) tree->from = *from;
    tree->sure = s.limit;
    keep(tree, m, t);
}
