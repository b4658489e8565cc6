/* cover.c: see cover.h. When edges meet in common ends alone, a line sweeps over them from left to right
 * and tells of each what covers the ground below and above it. Edges with ground on one side only are
 * followed around, wherever they meet to the one that has the same ground on its left:
 *
 *          ground |                in the circle of edges around a point, from the right
 *                 | next           anticlockwise, the one before the edge that ends there
 *     ----------->o------ other */

#include "space/cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "space/edge_order.h"
#include "space/orient.h"

static const uint32_t none = UINT32_MAX;

/* What lies between two points, from left to right; edges one upon the other are one. */
typedef struct segment {
    throng_point from, to;     /* left and right end */
    uint32_t left, right;      /* vertices */
    throng_cover below, above; /* `above` first holds how it differs from below */
    uint32_t edge;             /* one of those it is */
    uint32_t node;             /* while the sweep line cuts it */
    uint32_t under;            /* the nearest border below its left end, or none */
    uint32_t next;             /* of a border: the one that follows */
    uint32_t circle;           /* of a border: which it is part of, from 0 */
    bool ground_below, ground_above;
} segment;

/* The borders of one piece of ground that hang together: those around it, or around holes in it. */
typedef struct circle {
    size_t first, count; /* rings */
    size_t border;       /* which of them goes around ground, or SIZE_MAX */
    uint32_t start;      /* its leftmost segment */
    size_t owner;        /* the circle around the ground, which may be this one; SIZE_MAX: none */
    bool known;          /* that one is */
} circle;

typedef struct tracer {
    throng_covering *covering;
    throng_edge *edges;
    size_t edge_count;
    uint32_t *after;        /* [edge] the one that follows in its ring */
    bool *far;              /* [edge] nothing but edges that are apart lies above or below it: it is not swept */
    bool partly;            /* some are */
    throng_point *vertices; /* those that are swept from left to right, then from below to above; then the others */
    size_t vertex_count, swept_count;
    uint32_t *begin;      /* [edge] the vertex at its beginning */
    uint32_t *segment_of; /* [edge] what lies where it does, or none */
    segment *segments;    /* by left end, there from below to above */
    size_t segment_count;
    uint32_t *ending; /* [vertex] some segment whose right end it is */
    throng_edge_order order;
    throng_area rings; /* as they are found */
    circle *circles;
    size_t circle_count, circle_capacity;
} tracer;

/* ---- what has to be swept */

/* What lies between two upright lines, m. */
typedef struct span {
    double low, high;
} span;

static int compare_spans(const void *a, const void *b) {
    double p = ((const span *)a)->low, q = ((const span *)b)->low;
    return (p > q) - (p < q);
}

static span span_of(const throng_edge *e) { return e->a.x < e->b.x ? (span){e->a.x, e->b.x} : (span){e->b.x, e->a.x}; }

/* Above and below which there are edges that are not apart, from left to right. */
static span *list_spans(const tracer *t, size_t *count) {
    const double near = 1e-6; /* m: those that meet are nearer */
    span *spans = throng_allocate(t->edge_count * sizeof *spans);
    size_t all = 0;
    for (size_t e = 0; e < t->edge_count; e++) {
        span s = span_of(&t->edges[e]);
        if (!t->covering->rings[t->edges[e].ring].apart) spans[all++] = (span){s.low - near, s.high + near};
    }
    if (all > 0) qsort(spans, all, sizeof *spans, compare_spans);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        span *last = *count > 0 ? &spans[*count - 1] : NULL;
        if (last && spans[i].low <= last->high)
            last->high = fmax(last->high, spans[i].high);
        else
            spans[(*count)++] = spans[i];
    }
    return spans;
}

static void find_far(tracer *t) {
    size_t count, at;
    span *spans = list_spans(t, &count);
    for (size_t e = 0; e < t->edge_count; e++) {
        span s = span_of(&t->edges[e]);
        THRONG_SEARCH(at, count, spans[at].high < s.low);
        t->far[e] = at == count || spans[at].low > s.high;
        t->partly = t->partly || t->far[e];
    }
    throng_release(spans);
}

static void link_edges(tracer *t) {
    t->after = throng_allocate(t->edge_count * sizeof *t->after);
    t->far = throng_allocate(t->edge_count * sizeof *t->far);
    for (uint32_t e = 0, first = 0; e < t->edge_count; e++) {
        if (t->edges[e].ring != t->edges[first].ring) first = e;
        bool last = e + 1 == t->edge_count || t->edges[e + 1].ring != t->edges[e].ring;
        t->after[e] = last ? first : e + 1;
    }
    if (t->covering->clear) find_far(t);
}

/* ---- points and segments */

/* Where an edge begins. Rings are closed: ends are beginnings. */
typedef struct beginning {
    throng_point at;
    uint32_t edge;
} beginning;

static int compare_beginnings(const void *a, const void *b) {
    const throng_point *p = &((const beginning *)a)->at, *q = &((const beginning *)b)->at;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static void list_vertices(tracer *t) {
    beginning *all = throng_allocate(t->edge_count * sizeof *all);
    t->vertices = throng_allocate(t->edge_count * sizeof *t->vertices);
    t->begin = throng_allocate(t->edge_count * sizeof *t->begin);
    size_t count = 0;
    for (uint32_t e = 0; e < t->edge_count; e++) t->begin[e] = none;
    for (uint32_t e = 0; e < t->edge_count; e++) {
        if (t->far[e]) continue;
        t->begin[e] = t->begin[t->after[e]] = 0;
    }
    for (uint32_t e = 0; e < t->edge_count; e++) {
        if (t->begin[e] != none) all[count++] = (beginning){t->edges[e].a, e};
    }
    if (count > 0) qsort(all, count, sizeof *all, compare_beginnings);
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && compare_beginnings(&all[i], &all[i - 1]) == 0;
        if (!again) t->vertices[t->vertex_count++] = all[i].at;
        t->begin[all[i].edge] = (uint32_t)t->vertex_count - 1;
    }
    throng_release(all);
    t->swept_count = t->vertex_count;
    for (size_t e = 0; e < t->edge_count; e++) {
        if (t->begin[e] != none) continue;
        t->begin[e] = (uint32_t)t->vertex_count;
        t->vertices[t->vertex_count++] = t->edges[e].a;
    }
}

/* By left end, there from below to above. Those of one direction end at one point: they are cut. */
static int compare_segments(const void *a, const void *b) {
    const segment *p = a, *q = b;
    if (p->left != q->left) return p->left < q->left ? -1 : 1;
    return p->right == q->right ? 0 : -throng_turn(p->from, p->to, q->to);
}

/* Joins those that lie one upon the other, and leaves out what divides nothing. */
static void merge_segments(tracer *t, size_t count) {
    t->segment_of = throng_allocate(t->edge_count * sizeof *t->segment_of);
    for (size_t i = 0; i < count;) {
        segment merged = t->segments[i];
        size_t first = i;
        for (i++; i < count && compare_segments(&t->segments[i], &merged) == 0; i++) {
            merged.above.ground += t->segments[i].above.ground;
            merged.above.solid += t->segments[i].above.solid;
        }
        bool divides = merged.above.ground != 0 || merged.above.solid != 0;
        for (; first < i; first++) t->segment_of[t->segments[first].edge] = divides ? (uint32_t)t->segment_count : none;
        if (divides) t->segments[t->segment_count++] = merged;
    }
}

static void list_segments(tracer *t) {
    t->segments = throng_allocate(t->edge_count * sizeof *t->segments);
    size_t count = 0;
    for (uint32_t e = 0; e < t->edge_count; e++) {
        const throng_cover_ring *ring = &t->covering->rings[t->edges[e].ring];
        if (t->far[e]) continue;
        uint32_t a = t->begin[e], b = t->begin[t->after[e]], left = a < b ? a : b, right = a < b ? b : a;
        int rise = (a < b) != ring->turn ? 1 : -1;
        throng_cover change = {ring->solid ? 0 : rise, ring->solid ? rise : 0};
        t->segments[count++] = (segment){.from = t->vertices[left],
                                         .to = t->vertices[right],
                                         .left = left,
                                         .right = right,
                                         .above = change,
                                         .edge = e,
                                         .next = none};
    }
    if (count > 0) qsort(t->segments, count, sizeof *t->segments, compare_segments);
    merge_segments(t, count);
}

/* ---- the sweep */

static uint32_t find_below(const tracer *t, uint32_t vertex) {
    uint32_t below = none;
    for (uint32_t n = t->order.root; n != none;) {
        const segment *s = &t->segments[t->order.nodes[n].edge];
        bool above = throng_turn(s->from, s->to, t->vertices[vertex]) > 0;
        if (above) below = n;
        n = above ? t->order.nodes[n].right : t->order.nodes[n].left;
    }
    return below;
}

/* A border has ground above or below; the ring goes along it with the ground on its left. */
static bool is_border(const segment *s) { return s->ground_below != s->ground_above; }

/* Borders that end at a vertex, in their directions, are followed by the ones before them in the circle
 * around it, which is given anticlockwise. */
static void join_borders(tracer *t, const uint32_t *around, size_t count, uint32_t vertex) {
    for (size_t i = 0; i < count; i++) {
        segment *s = &t->segments[around[i]];
        bool comes = s->ground_above == (s->right == vertex);
        if (comes) s->next = around[i > 0 ? i - 1 : count - 1];
    }
}

/* The circle of borders around a vertex. */
typedef struct around {
    uint32_t *borders;
    size_t count, capacity;
} around;

static void add_border(around *a, const tracer *t, uint32_t s) {
    if (!is_border(&t->segments[s])) return;
    THRONG_GROW(a->borders, a->capacity, a->count + 1);
    a->borders[a->count++] = s;
}

/* Takes the segments that end at a vertex out of the order, from above to below; returns the node below them. */
static uint32_t end_segments(tracer *t, uint32_t vertex, around *a) {
    uint32_t top = t->segments[t->ending[vertex]].node, n;
    for (; (n = t->order.nodes[top].above) != none && t->segments[t->order.nodes[n].edge].right == vertex;) top = n;
    for (n = top; n != none && t->segments[t->order.nodes[n].edge].right == vertex; n = top) {
        add_border(a, t, t->order.nodes[n].edge);
        top = t->order.nodes[n].below;
        throng_edge_order_drop(&t->order, n);
    }
    return n;
}

/* Adds the segments that begin at a vertex above a node, and works out what covers the ground along them. */
static void begin_segments(tracer *t, size_t first, size_t end, uint32_t below, around *a) {
    const throng_covering *c = t->covering;
    throng_cover cover = c->beyond;
    uint32_t under = none;
    if (below != none) {
        uint32_t s = t->order.nodes[below].edge;
        cover = t->segments[s].above;
        under = is_border(&t->segments[s]) ? s : t->segments[s].under;
    }
    throng_cover *around_shape = &c->around[c->rings[t->edges[t->segments[first].edge].ring].shape];
    if (around_shape->ground == INT32_MIN) *around_shape = cover;
    uint32_t last = under;
    for (size_t i = first; i < end; i++) {
        segment *s = &t->segments[i];
        /* Left of what is swept there may be edges between it and the one below. */
        if (t->partly && s->above.ground != 0) cover.ground = s->above.ground < 0;
        s->below = cover;
        cover = s->above = (throng_cover){cover.ground + s->above.ground, cover.solid + s->above.solid};
        s->ground_below = c->rule(s->below);
        s->ground_above = c->rule(s->above);
        s->under = is_border(s) ? under : last;
        if (is_border(s)) last = (uint32_t)i;
        below = s->node = throng_edge_order_add(&t->order, below, (uint32_t)i);
        t->ending[s->right] = (uint32_t)i;
        add_border(a, t, (uint32_t)i);
    }
}

static void sweep(tracer *t) {
    t->order = throng_edge_order_create(t->segment_count);
    t->ending = throng_allocate(t->vertex_count * sizeof *t->ending);
    for (size_t v = 0; v < t->vertex_count; v++) t->ending[v] = none;
    around a = {0}, ended = {0};
    size_t first = 0;
    for (uint32_t v = 0; v < t->swept_count; v++) {
        size_t end = first;
        while (end < t->segment_count && t->segments[end].left == v) end++;
        a.count = ended.count = 0;
        uint32_t below = t->ending[v] != none ? end_segments(t, v, &ended) : end > first ? find_below(t, v) : none;
        if (end > first) begin_segments(t, first, end, below, &a);
        for (size_t i = 0; i < ended.count; i++) add_border(&a, t, ended.borders[i]);
        join_borders(t, a.borders, a.count, v);
        first = end;
    }
    THRONG_RELEASE(a.borders, ended.borders);
}

/* What is not swept stays a border. */
static void add_far(tracer *t) {
    for (uint32_t e = 0; e < t->edge_count; e++) {
        if (!t->far[e]) continue;
        t->segment_of[e] = (uint32_t)t->segment_count;
        t->segments[t->segment_count++] = (segment){.left = t->begin[e], .edge = e, .ground_above = true};
    }
    for (uint32_t e = 0; e < t->edge_count; e++) {
        uint32_t after = t->after[e];
        if (t->far[e] || t->far[after]) t->segments[t->segment_of[e]].next = t->segment_of[after];
    }
}

/* ---- rings */

/* Where a ring of the walk comes back to a point it has been at, what lies between is a ring of its own. */
typedef struct walk {
    uint32_t *path; /* vertices */
    size_t count;
    uint32_t *place; /* [vertex] in the path, from 1; 0: not in it */
    throng_point *points;
} walk;

static void add_ring(tracer *t, walk *w, size_t from) {
    size_t count = 0;
    for (size_t i = from; i < w->count; i++) {
        w->place[w->path[i]] = 0;
        w->points[count++] = t->vertices[w->path[i]];
    }
    w->count = from;
    throng_ring ring = {w->points, count};
    double area = count >= 3 ? throng_ring_area(ring) : 0;
    if (area == 0) return;
    circle *c = &t->circles[t->circle_count - 1];
    if (area > 0) {
        c->border = t->rings.ring_count;
        c->owner = t->circle_count - 1;
        c->known = true;
    }
    c->count++;
    throng_area_add(&t->rings, ring);
}

static void walk_around(tracer *t, walk *w, uint32_t start) {
    THRONG_GROW(t->circles, t->circle_capacity, t->circle_count + 1);
    circle *c = &t->circles[t->circle_count++];
    *c = (circle){.first = t->rings.ring_count, .border = SIZE_MAX, .start = start, .owner = SIZE_MAX};
    uint32_t s = start;
    do {
        segment *at = &t->segments[s];
        uint32_t vertex = at->ground_above ? at->left : at->right;
        if (at->left < t->segments[c->start].left) c->start = s;
        if (w->place[vertex]) add_ring(t, w, w->place[vertex] - 1);
        w->path[w->count++] = vertex;
        w->place[vertex] = (uint32_t)w->count;
        at->circle = (uint32_t)t->circle_count - 1;
        s = at->next;
        at->next = none;
    } while (s != none && s != start);
    add_ring(t, w, 0);
}

/* Segments are looked for in the order of the rings given, so that what stays as it was keeps its place. */
static void walk_all(tracer *t) {
    walk w = {throng_allocate((t->segment_count + 1) * sizeof *w.path), 0,
              throng_allocate((t->vertex_count + 1) * sizeof *w.place),
              throng_allocate((t->segment_count + 1) * sizeof *w.points)};
    for (size_t e = 0; e < t->edge_count; e++) {
        uint32_t at = t->segment_of[e];
        if (at != none && t->segments[at].next != none) walk_around(t, &w, at);
    }
    THRONG_RELEASE(w.path, w.place, w.points);
}

/* ---- which lies in which */

/* The ground just below the leftmost point of holes is that above the border next below. */
static size_t owner_of(tracer *t, size_t c) {
    circle *at = &t->circles[c], *next;
    while (!at->known) {
        uint32_t under = t->segments[at->start].under;
        if (under == none) break;
        at = &t->circles[t->segments[under].circle];
    }
    size_t owner = at->owner;
    for (at = &t->circles[c]; !at->known; at = next) {
        uint32_t under = t->segments[at->start].under;
        next = under == none ? at : &t->circles[t->segments[under].circle];
        at->owner = owner;
        at->known = true;
    }
    return owner;
}

static void add_rings(tracer *t, const circle *c, bool holes, throng_area *out) {
    for (size_t r = c->first; r < c->first + c->count; r++) {
        if ((r != c->border) == holes) throng_area_turn(out, throng_area_ring(&t->rings, r), !holes);
    }
}

/* Which lies in which is not known of those that were not swept. */
static void put_borders_first(tracer *t, throng_area *out) {
    for (int holes = 0; holes < 2; holes++) {
        for (size_t c = 0; c < t->circle_count; c++) {
            if ((t->circles[c].border == SIZE_MAX) != holes) continue;
            add_rings(t, &t->circles[c], false, out);
            add_rings(t, &t->circles[c], true, out);
        }
    }
}

static void put_in_order(tracer *t, throng_area *out) {
    size_t count = t->circle_count;
    size_t *first_in = throng_allocate((count + 1) * sizeof *first_in),
           *next_in = throng_allocate((count + 1) * sizeof *next_in);
    for (size_t c = 0; c < count; c++) first_in[c] = next_in[c] = SIZE_MAX;
    for (size_t c = count; c-- > 0;) {
        size_t owner = owner_of(t, c);
        if (owner == SIZE_MAX || owner == c) continue;
        next_in[c] = first_in[owner];
        first_in[owner] = c;
    }
    for (size_t c = 0; c < count; c++) {
        if (t->circles[c].border == SIZE_MAX && t->circles[c].owner == SIZE_MAX)
            add_rings(t, &t->circles[c], true, out);
    }
    for (size_t c = 0; c < count; c++) {
        if (t->circles[c].border == SIZE_MAX) continue;
        add_rings(t, &t->circles[c], false, out);
        add_rings(t, &t->circles[c], true, out);
        for (size_t h = first_in[c]; h != SIZE_MAX; h = next_in[h]) add_rings(t, &t->circles[h], true, out);
    }
    THRONG_RELEASE(first_in, next_in);
}

bool throng_cover_trace(throng_covering *c, throng_area *out) {
    tracer t = {.covering = c};
    size_t shapes = c->ring_count > 0 ? c->rings[c->ring_count - 1].shape + 1 : 0;
    c->around = throng_allocate((shapes + 1) * sizeof *c->around);
    for (size_t s = 0; s < shapes; s++) c->around[s].ground = INT32_MIN;
    bool cut = throng_edges_cut(c, &t.edges, &t.edge_count);
    if (cut) {
        link_edges(&t);
        list_vertices(&t);
        list_segments(&t);
        sweep(&t);
        if (t.partly) add_far(&t);
        walk_all(&t);
        (t.partly ? put_borders_first : put_in_order)(&t, out);
    }
    THRONG_RELEASE(t.edges, t.after, t.far, t.vertices, t.begin, t.segment_of, t.segments, t.ending, t.circles);
    throng_edge_order_clear(&t.order);
    throng_area_clear(&t.rings);
    return cut;
}

void throng_covering_clear(throng_covering *c) { THRONG_RELEASE(c->meetings, c->around); }
