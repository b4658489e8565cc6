/* line_sweep.c: a line sweeps over the rings from left to right (Shamos & Hoey 1976). The edges it cuts are
 * kept in order from below to above (edge_order.h). Two edges meet only after they have become neighbours in that
 * order, so only neighbours are compared, and the sweep ends with the first pair that meets. Points in the same
 * vertical line are met from below to above, as if everything were turned clockwise by nothing much; so vertical edges
 * are no exception. */

#include "space/line_sweep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/edge_order.h"
#include "space/orient.h"

static const uint32_t none = THRONG_NO_NODE;

/* A corner of a ring, and the edge from it to its successor. */
typedef struct corner {
    throng_point at;
    uint32_t next, previous;
    uint32_t ring;
    uint32_t node; /* of its edge, while the sweep line cuts it */
} corner;

typedef struct sweep {
    corner *corners;
    size_t corner_count;
    uint32_t *order;         /* corners from left to right */
    throng_edge_order edges; /* those that the sweep line cuts */
    throng_ring_contact *contact;
} sweep;

static uint32_t add_above(sweep *s, uint32_t below, uint32_t edge) {
    return s->corners[edge].node = throng_edge_order_add(&s->edges, below, edge);
}

/* ---- edges and how they meet */

/* The ends of an edge from left to right. */
typedef struct span {
    throng_point left, right;
} span;

static span span_of(const sweep *s, uint32_t edge) {
    throng_point a = s->corners[edge].at, b = s->corners[s->corners[edge].next].at;
    return throng_comes_before(a, b) ? (span){a, b} : (span){b, a};
}

static throng_point crossing_point(span a, span b) {
    double ax = a.right.x - a.left.x, ay = a.right.y - a.left.y, bx = b.right.x - b.left.x, by = b.right.y - b.left.y;
    double across = ax * by - ay * bx;
    double t = across != 0 ? ((b.left.x - a.left.x) * by - (b.left.y - a.left.y) * bx) / across : 0;
    return (throng_point){a.left.x + t * ax, a.left.y + t * ay};
}

static bool report(sweep *s, uint32_t a, uint32_t b, throng_point at, bool crossing) {
    *s->contact = (throng_ring_contact){at, {s->corners[a].ring, s->corners[b].ring}, crossing, 0};
    return false;
}

/* The distance of a point from the line through an edge. */
static double distance_from(span e, throng_point p) {
    double dx = e.right.x - e.left.x, dy = e.right.y - e.left.y;
    return fabs((p.x - e.left.x) * dy - (p.y - e.left.y) * dx) / sqrt(dx * dx + dy * dy);
}

static bool report_crossing(sweep *s, uint32_t low, uint32_t high, span a, span b) {
    report(s, low, high, crossing_point(a, b), true);
    s->contact->depth = fmin(fmin(distance_from(a, b.left), distance_from(a, b.right)),
                             fmin(distance_from(b, a.left), distance_from(b, a.right)));
    return false;
}

/* Whether two neighbours stay in order until one of them ends. */
static bool stay_apart(sweep *s, uint32_t low, uint32_t high) {
    if (low == none || high == none) return true;
    uint32_t low_edge = s->edges.nodes[low].edge, high_edge = s->edges.nodes[high].edge;
    span a = span_of(s, low_edge), b = span_of(s, high_edge);
    if (throng_same_point(a.right, b.right)) return true;
    bool high_ends = throng_comes_before(b.right, a.right);
    int order = high_ends ? throng_turn(a.left, a.right, b.right) : -throng_turn(b.left, b.right, a.right);
    if (order > 0) return true;
    if (order == 0) return report(s, low_edge, high_edge, high_ends ? b.right : a.right, false);
    return report_crossing(s, low_edge, high_edge, a, b);
}

/* Finds the edge right below a point. False when the point lies on an edge. */
static bool find_below(sweep *s, uint32_t c, uint32_t *below) {
    *below = none;
    for (uint32_t n = s->edges.root; n != none;) {
        span e = span_of(s, s->edges.nodes[n].edge);
        int turn = throng_turn(e.left, e.right, s->corners[c].at);
        if (turn == 0) return report(s, c, s->edges.nodes[n].edge, s->corners[c].at, false);
        if (turn > 0) *below = n;
        n = turn > 0 ? s->edges.nodes[n].right : s->edges.nodes[n].left;
    }
    return true;
}

/* ---- the events: at each corner its two edges begin, end, or follow one upon the other */

/* Which ring a ring lies in is seen where it begins: from the edge below and which of its sides is
 * that ring's inside. */
typedef struct nesting {
    size_t *inside_of;
    bool *turns_left;
    bool *begun;
} nesting;

static void note_ring(const sweep *s, nesting *nest, uint32_t c, uint32_t below, bool turns_left) {
    uint32_t ring = s->corners[c].ring;
    if (nest->begun[ring]) return;
    nest->begun[ring] = true;
    nest->turns_left[ring] = turns_left;
    nest->inside_of[ring] = SIZE_MAX;
    if (below == none) return;
    uint32_t edge = s->edges.nodes[below].edge, around = s->corners[edge].ring;
    bool to_right = throng_comes_before(s->corners[edge].at, s->corners[s->corners[edge].next].at);
    nest->inside_of[ring] = to_right == nest->turns_left[around] ? around : nest->inside_of[around];
}

static bool begin_both(sweep *s, nesting *nest, uint32_t c) {
    const corner *here = &s->corners[c];
    uint32_t below;
    if (!find_below(s, c, &below)) return false;
    int turn = throng_turn(s->corners[here->previous].at, here->at, s->corners[here->next].at);
    if (turn == 0) return report(s, c, here->previous, here->at, false);
    note_ring(s, nest, c, below, turn > 0);
    /* Turning left at its left end, a ring comes in above and goes out below. */
    uint32_t low = add_above(s, below, turn > 0 ? c : here->previous);
    uint32_t high = add_above(s, low, turn > 0 ? here->previous : c);
    return stay_apart(s, below, low) && stay_apart(s, high, s->edges.nodes[high].above);
}

static bool end_both(sweep *s, uint32_t c) {
    uint32_t one = s->corners[c].node, other = s->corners[s->corners[c].previous].node;
    uint32_t low = s->edges.nodes[one].above == other ? one : other, high = low == one ? other : one;
    assert(s->edges.nodes[low].above == high);
    uint32_t below = s->edges.nodes[low].below, above = s->edges.nodes[high].above;
    throng_edge_order_drop(&s->edges, low);
    throng_edge_order_drop(&s->edges, high);
    return stay_apart(s, below, above);
}

static bool follow(sweep *s, uint32_t ending, uint32_t beginning) {
    uint32_t n = s->corners[ending].node;
    s->edges.nodes[n].edge = beginning;
    s->corners[beginning].node = n;
    return stay_apart(s, s->edges.nodes[n].below, n) && stay_apart(s, n, s->edges.nodes[n].above);
}

static bool meet_corner(sweep *s, nesting *nest, uint32_t c) {
    const corner *here = &s->corners[c];
    bool next_later = throng_comes_before(here->at, s->corners[here->next].at);
    bool previous_later = throng_comes_before(here->at, s->corners[here->previous].at);
    if (next_later && previous_later) return begin_both(s, nest, c);
    if (!next_later && !previous_later) return end_both(s, c);
    return next_later ? follow(s, here->previous, c) : follow(s, c, here->previous);
}

/* ---- making ready */

typedef struct event {
    throng_point at;
    uint32_t corner;
} event;

static int compare_events(const void *a, const void *b) {
    const event *p = a, *q = b;
    if (p->at.x != q->at.x) return p->at.x < q->at.x ? -1 : 1;
    if (p->at.y != q->at.y) return p->at.y < q->at.y ? -1 : 1;
    return p->corner < q->corner ? -1 : 1;
}

static void sort_corners(sweep *s) {
    event *events = throng_allocate(s->corner_count * sizeof *events);
    for (uint32_t c = 0; c < s->corner_count; c++) events[c] = (event){s->corners[c].at, c};
    qsort(events, s->corner_count, sizeof *events, compare_events);
    for (size_t i = 0; i < s->corner_count; i++) s->order[i] = events[i].corner;
    throng_release(events);
}

static void list_corners(sweep *s, const throng_ring *rings, size_t count) {
    uint32_t c = 0;
    for (size_t r = 0; r < count; r++) {
        uint32_t first = c, last = first + (uint32_t)rings[r].count - 1;
        for (size_t i = 0; i < rings[r].count; i++, c++) {
            s->corners[c] =
                (corner){rings[r].points[i], c == last ? first : c + 1, c == first ? last : c - 1, (uint32_t)r, none};
        }
    }
}

static bool sweep_over(sweep *s, nesting *nest) {
    for (size_t i = 0; i < s->corner_count; i++) {
        uint32_t c = s->order[i];
        bool twice = i + 1 < s->corner_count && throng_same_point(s->corners[c].at, s->corners[s->order[i + 1]].at);
        if (twice) return report(s, c, s->order[i + 1], s->corners[c].at, false);
        if (!meet_corner(s, nest, c)) return false;
    }
    return true;
}

bool throng_rings_apart(const throng_ring *rings, size_t count, size_t *inside_of, throng_ring_contact *contact) {
    size_t corner_count = 0;
    for (size_t r = 0; r < count; r++) corner_count += rings[r].count;
    if (corner_count == 0) return true;
    assert(corner_count < none);
    sweep s = {
        .corners = throng_allocate(corner_count * sizeof *s.corners),
        .corner_count = corner_count,
        .order = throng_allocate(corner_count * sizeof *s.order),
        .edges = throng_edge_order_create(corner_count),
        .contact = contact,
    };
    nesting nest = {
        .inside_of = inside_of ? inside_of : throng_allocate(count * sizeof *inside_of),
        .turns_left = throng_allocate(count * sizeof *nest.turns_left),
        .begun = throng_allocate(count * sizeof *nest.begun),
    };
    list_corners(&s, rings, count);
    sort_corners(&s);
    bool apart = sweep_over(&s, &nest);

    if (!inside_of) throng_release(nest.inside_of);
    THRONG_RELEASE(nest.turns_left, nest.begun, s.corners, s.order);
    throng_edge_order_clear(&s.edges);
    return apart;
}
