/* crossings.c: cuts edges where they meet (noding). Pairs that may meet are found by halving the place
 * again and again. In the first rounds what is nearer than about a nanometre is made to meet: walls that were drawn
 * flush miss each other by as much when they are turned or far from the origin. Then what meets is cut, exactly, into
 * parts whose boxes are smaller than before, so there is an end to it: two or three rounds, as a rule, since a rounded
 * crossing seldom makes anything meet anew. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/vector.h"
#include "space/box.h"
#include "space/cover.h"
#include "space/orient.h"
#include "space/repair.h"

/* What takes more is refused, or obstacles are joined one by one. */
static const double work_most = 2e8;          /* comparisons: about a second */
static const size_t cuts_most = 2000000;      /* about 200 MB */
static const size_t meetings_most = 10000000; /* about 400 MB */
static const double ray_least = 1e-3;         /* m: shorter edges are compared with all */

typedef struct cut {
    uint32_t edge;
    bool computed;
    throng_point at;
} cut;

/* An end of an edge that is to lie where another one does. */
typedef struct snap {
    throng_point from, to;
} snap;

typedef struct cutter {
    throng_covering *covering;
    throng_edge *edges;
    size_t edge_count, edge_capacity;
    throng_box *boxes; /* [edge] */
    cut *cuts;
    size_t cut_count, cut_capacity;
    snap *snaps;
    size_t snap_count, snap_capacity;
    double near; /* m: what is closer than this meets; 0 after the first rounds */
    int round;
    double work; /* comparisons so far */
} cutter;

static bool box_holds(throng_box box, throng_point p) {
    return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y;
}

/* ---- where two edges cross */

/* A number with twice the digits: the sum of both. */
typedef struct twice {
    double high, low;
} twice;

static twice sum_of(double a, double b) {
    double sum = a + b, of_b = sum - a;
    return (twice){sum, (a - (sum - of_b)) + (b - of_b)};
}

static twice plus(twice a, twice b) {
    twice sum = sum_of(a.high, b.high);
    return sum_of(sum.high, sum.low + (a.low + b.low));
}

static twice times(twice a, twice b) {
    double product = a.high * b.high;
    return sum_of(product, fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high));
}

static twice over(twice a, twice b) {
    double first = a.high / b.high;
    twice rest = plus(a, times((twice){-first, 0}, b));
    return sum_of(first, rest.high / b.high);
}

static twice cross(const twice a[2], const twice b[2]) {
    twice back = times(a[1], b[0]);
    return plus(times(a[0], b[1]), (twice){-back.high, -back.low});
}

static double between(double low, double high, double v) { return v > low ? v < high ? v : high : low; }

/* The nearest point to where edges a-b and c-d cross that can be written, all but always. Edges that run together all
 * along, but for less than that, cross where one of them ends as well as anywhere. */
static throng_point crossing_of(const cutter *k, uint32_t e, uint32_t f) {
    throng_point a = k->edges[e].a, b = k->edges[e].b, c = k->edges[f].a, d = k->edges[f].b;
    throng_box p = k->boxes[e], q = k->boxes[f];
    twice u[2] = {sum_of(b.x, -a.x), sum_of(b.y, -a.y)}, v[2] = {sum_of(d.x, -c.x), sum_of(d.y, -c.y)};
    twice w[2] = {sum_of(c.x, -a.x), sum_of(c.y, -a.y)};
    twice t = over(cross(w, v), cross(u, v));
    if (!(t.high >= 0 && t.high <= 1)) return box_holds(p, c) ? c : box_holds(p, d) ? d : box_holds(q, a) ? a : b;
    double x = plus((twice){a.x, 0}, times(t, u[0])).high, y = plus((twice){a.y, 0}, times(t, u[1])).high;
    return (throng_point){between(fmax(p.low.x, q.low.x), fmin(p.high.x, q.high.x), x),
                          between(fmax(p.low.y, q.low.y), fmin(p.high.y, q.high.y), y)};
}

/* ---- how two edges meet */

static bool has_end(const throng_edge *e, throng_point p) {
    return throng_same_point(e->a, p) || throng_same_point(e->b, p);
}

static void add_cut(cutter *k, uint32_t e, throng_point at, bool computed) {
    if (has_end(&k->edges[e], at)) return;
    THRONG_GROW(k->cuts, k->cut_capacity, k->cut_count + 1);
    k->cuts[k->cut_count++] = (cut){e, computed, at};
    if (k->cut_count > cuts_most) k->work = INFINITY;
}

static void note_meeting(cutter *k, uint32_t e, uint32_t f, throng_point at) {
    throng_covering *c = k->covering;
    uint32_t p = c->rings[k->edges[e].ring].shape, q = c->rings[k->edges[f].ring].shape;
    if (p == q || k->round > 0 || p >= c->asked || q >= c->asked) return;
    THRONG_GROW(c->meetings, c->meeting_capacity, c->meeting_count + 1);
    c->meetings[c->meeting_count++] = (throng_meeting){{p < q ? p : q, p < q ? q : p}, at};
    if (c->meeting_count > meetings_most) k->work = INFINITY;
}

/* Ends that all but coincide are to be one: the leftmost. */
static void snap_ends(cutter *k, throng_point p, throng_point q) {
    if (throng_same_point(p, q)) return;
    THRONG_GROW(k->snaps, k->snap_capacity, k->snap_count + 1);
    k->snaps[k->snap_count++] = throng_comes_before(p, q) ? (snap){q, p} : (snap){p, q};
}

/* Whether an end of edge f lies on edge e, or all but does; then it cuts it. */
static bool end_on(cutter *k, uint32_t e, uint32_t f, throng_point end) {
    throng_point a = k->edges[e].a, b = k->edges[e].b, way = throng_minus(b, a);
    if (has_end(&k->edges[e], end)) {
        note_meeting(k, e, f, end);
        return true;
    }
    bool at_a = throng_distance(end, a) <= k->near, at_b = throng_distance(end, b) <= k->near;
    if (at_a) snap_ends(k, end, a);
    if (at_b) snap_ends(k, end, b);
    int turn = throng_turn(a, b, end);
    double along = throng_dot(throng_minus(end, a), way), length2 = throng_dot(way, way);
    bool on = turn == 0 ? box_holds(k->boxes[e], end)
                        : along > 0 && along < length2 &&
                              fabs(throng_cross(way, throng_minus(end, a))) <= k->near * sqrt(length2);
    if (on && !at_a && !at_b) add_cut(k, e, end, turn != 0);
    if (on || at_a || at_b) note_meeting(k, e, f, end);
    return on || at_a || at_b;
}

static void compare(cutter *k, uint32_t e, uint32_t f) {
    if (!throng_boxes_meet(k->boxes[e], k->boxes[f], k->near)) return;
    k->work += 30; /* as long as comparing so many boxes */
    throng_point a = k->edges[e].a, b = k->edges[e].b, c = k->edges[f].a, d = k->edges[f].b;
    bool meet = end_on(k, e, f, c);
    meet = end_on(k, e, f, d) || meet;
    meet = end_on(k, f, e, a) || meet;
    meet = end_on(k, f, e, b) || meet;
    if (meet || throng_turn(a, b, c) * throng_turn(a, b, d) >= 0 || throng_turn(c, d, a) * throng_turn(c, d, b) >= 0)
        return;
    throng_point at = crossing_of(k, e, f);
    add_cut(k, e, at, true);
    add_cut(k, f, at, true);
    note_meeting(k, e, f, at);
}

/* ---- which pairs may meet */

/* A pair belongs to one cell alone: that of the lower left corner of what their boxes share. */
static bool owns(throng_box cell, throng_box p, throng_box q) {
    double x = fmax(p.low.x, q.low.x), y = fmax(p.low.y, q.low.y);
    return x >= cell.low.x && x < cell.high.x && y >= cell.low.y && y < cell.high.y;
}

static void compare_in(cutter *k, throng_box cell, uint32_t e, uint32_t f) {
    bool fresh = k->edges[e].fresh || k->edges[f].fresh;
    k->work++;
    if (fresh && owns(cell, k->boxes[e], k->boxes[f])) compare(k, e, f);
}

static void compare_each(cutter *k, throng_box cell, const uint32_t *list, size_t count) {
    for (size_t i = 0; i < count && k->work < work_most; i++) {
        for (size_t j = 0; j < i; j++) compare_in(k, cell, list[j], list[i]);
    }
}

/* An edge that goes out from a point many have in common. */
typedef struct ray {
    throng_point way; /* m */
    uint32_t edge;
} ray;

static int compare_rays(const void *a, const void *b) {
    const ray *p = a, *q = b;
    bool above = p->way.y > 0, other_above = q->way.y > 0;
    double across = throng_cross(p->way, q->way);
    if (above != other_above) return above ? 1 : -1;
    return across > 0 ? -1 : across < 0;
}

/* Compares rays with those in almost the same direction: others they meet in the common point alone. */
static void compare_around(cutter *k, throng_box cell, ray *rays, size_t count) {
    qsort(rays, count, sizeof *rays, compare_rays);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < i + count && k->work < work_most; j++) {
            throng_point p = rays[i].way, q = rays[j % count].way;
            double lengths = throng_length(p) * throng_length(q), almost = 4 * k->near / ray_least + 1e-12;
            if (throng_dot(p, q) < 0 || fabs(throng_cross(p, q)) > almost * lengths) break;
            compare_in(k, cell, rays[i].edge, rays[j % count].edge);
        }
    }
}

/* The point that most of some edges end in, as far as a few of them tell. */
static throng_point common_end(const cutter *k, const uint32_t *list, size_t count, size_t *sharing) {
    enum { ASKED = 4 };
    throng_point common = {0, 0};
    *sharing = 0;
    for (size_t i = 0; i < 2 * ASKED; i++) {
        const throng_edge *asked = &k->edges[list[i / 2 * (count - 1) / (ASKED - 1)]];
        throng_point end = i % 2 ? asked->a : asked->b;
        size_t ends = 0;
        for (size_t j = 0; j < count; j++) ends += has_end(&k->edges[list[j]], end);
        if (ends > *sharing) *sharing = ends, common = end;
    }
    return common;
}

static void compare_all(cutter *k, const uint32_t *list, size_t count, throng_box cell) {
    enum { MANY = 100 };
    size_t sharing = 0, ray_count = 0, other_count = 0;
    throng_point common = {0, 0};
    if (count > MANY && k->covering->asked == 0) common = common_end(k, list, count, &sharing);
    if (2 * sharing < count || count <= MANY) {
        compare_each(k, cell, list, count);
        return;
    }
    ray *rays = throng_allocate(count * sizeof *rays);
    uint32_t *others = throng_allocate(count * sizeof *others);
    for (size_t i = 0; i < count; i++) {
        const throng_edge *e = &k->edges[list[i]];
        throng_point way = throng_minus(throng_same_point(e->a, common) ? e->b : e->a, common);
        if (has_end(e, common) && throng_length(way) >= ray_least)
            rays[ray_count++] = (ray){way, list[i]};
        else
            others[other_count++] = list[i];
    }
    compare_around(k, cell, rays, ray_count);
    compare_each(k, cell, others, other_count);
    for (size_t i = 0; i < other_count && k->work < work_most; i++) {
        for (size_t j = 0; j < ray_count; j++) compare_in(k, cell, others[i], rays[j].edge);
    }
    THRONG_RELEASE(rays, others);
}

/* Halves of a cell: edges of the first stand in `out` from the beginning, those of the second from the end
 * on, those across the middle in both. */
typedef struct halves {
    double middle;
    size_t low, high;
} halves;

static halves halve(const cutter *k, const uint32_t *list, size_t count, double middle, bool upright, uint32_t *out) {
    halves h = {middle, 0, 0};
    for (size_t i = 0; i < count; i++) {
        throng_box box = k->boxes[list[i]];
        bool low = (upright ? box.low.y : box.low.x) - k->near <= middle;
        bool high = (upright ? box.high.y : box.high.x) + k->near >= middle;
        if (low && out) out[h.low] = list[i];
        if (high && out) out[2 * count - 1 - h.high] = list[i];
        h.low += low;
        h.high += high;
    }
    return h;
}

/* Cells are halved until few edges are left, or as many as before for some halvings: those meet in a point. */
static void find_pairs(cutter *k, const uint32_t *list, size_t count, throng_box cell, int in_vain) {
    enum { FEW = 16, VAIN_MOST = 8 };
    throng_box all = throng_box_empty();
    bool fresh = false;
    for (size_t i = 0; i < count; i++) {
        all = throng_box_join(all, k->boxes[list[i]]);
        fresh = fresh || k->edges[list[i]].fresh;
    }
    if (!fresh || k->work > work_most) return;
    throng_point middle = {0.5 * (fmax(cell.low.x, all.low.x) + fmin(cell.high.x, all.high.x)),
                           0.5 * (fmax(cell.low.y, all.low.y) + fmin(cell.high.y, all.high.y))};
    halves by_x = halve(k, list, count, middle.x, false, NULL), by_y = halve(k, list, count, middle.y, true, NULL);
    bool upright = by_y.low + by_y.high < by_x.low + by_x.high;
    size_t both = upright ? by_y.low + by_y.high : by_x.low + by_x.high;
    if (count <= FEW || in_vain > VAIN_MOST || (double)both > 1.8 * (double)count) {
        compare_all(k, list, count, cell);
        return;
    }
    k->work += (double)count;
    uint32_t *out = throng_allocate(2 * count * sizeof *out);
    halves h = halve(k, list, count, upright ? middle.y : middle.x, upright, out);
    throng_box low = cell, high = cell;
    *(upright ? &low.high.y : &low.high.x) = h.middle;
    *(upright ? &high.low.y : &high.low.x) = h.middle;
    find_pairs(k, out, h.low, low, 10 * h.low > 9 * count ? in_vain + 1 : 0);
    find_pairs(k, out + 2 * count - h.high, h.high, high, 10 * h.high > 9 * count ? in_vain + 1 : 0);
    throng_release(out);
}

/* ---- cutting */

/* Cuts of one edge in the order they are met along it: along the axis it runs along. */
static int compare_cuts(const void *a, const void *b) {
    const cut *p = a, *q = b;
    if (p->edge != q->edge) return p->edge < q->edge ? -1 : 1;
    if (p->at.x != q->at.x) return p->at.x < q->at.x ? -1 : 1;
    return p->at.y < q->at.y ? -1 : p->at.y > q->at.y;
}

static int compare_upright(const void *a, const void *b) {
    const cut *p = a, *q = b;
    if (p->at.y != q->at.y) return p->at.y < q->at.y ? -1 : 1;
    return p->at.x < q->at.x ? -1 : p->at.x > q->at.x;
}

static void add_part(cutter *out, throng_edge like, throng_point a, throng_point b) {
    if (throng_same_point(a, b)) return;
    like.a = a;
    like.b = b;
    THRONG_GROW(out->edges, out->edge_capacity, out->edge_count + 1);
    out->edges[out->edge_count++] = like;
}

/* Adds the parts of an edge between its cuts. */
static void add_parts(cutter *out, throng_edge edge, cut *cuts, size_t count) {
    bool upright = fabs(edge.b.y - edge.a.y) > fabs(edge.b.x - edge.a.x);
    if (upright && count > 1) qsort(cuts, count, sizeof *cuts, compare_upright);
    bool back = upright ? edge.b.y < edge.a.y : edge.b.x < edge.a.x;
    throng_point from = edge.a;
    edge.fresh = false;
    for (size_t i = 0; i < count; i++) edge.fresh = edge.fresh || cuts[i].computed;
    for (size_t i = 0; i < count; i++) {
        throng_point to = cuts[back ? count - 1 - i : i].at;
        add_part(out, edge, from, to);
        from = to;
    }
    add_part(out, edge, from, edge.b);
}

static void take_edges(cutter *k, const cutter *from) {
    throng_release(k->edges);
    k->edges = from->edges;
    k->edge_count = from->edge_count;
    k->edge_capacity = from->edge_capacity;
}

static void cut_edges(cutter *k) {
    if (k->cut_count > 0) qsort(k->cuts, k->cut_count, sizeof *k->cuts, compare_cuts);
    cutter parts = {0};
    for (size_t e = 0, c = 0, end; e < k->edge_count; e++, c = end) {
        for (end = c; end < k->cut_count && k->cuts[end].edge == e;) end++;
        add_parts(&parts, k->edges[e], k->cuts + c, end - c);
    }
    take_edges(k, &parts);
}

static void list_edges(cutter *k) {
    const throng_covering *c = k->covering;
    for (uint32_t r = 0; r < c->ring_count; r++) {
        throng_ring ring = c->rings[r].ring;
        for (size_t i = 0; i < ring.count; i++) {
            throng_point a = ring.points[i], b = ring.points[i + 1 < ring.count ? i + 1 : 0];
            add_part(k, (throng_edge){.ring = r, .fresh = !c->rings[r].apart}, a, b);
        }
    }
}

/* Compares the fresh edges with those near them. */
static void compare_edges(cutter *k) {
    uint32_t *list = throng_allocate(k->edge_count * sizeof *list);
    size_t count = 0;
    k->boxes = throng_reallocate(k->boxes, k->edge_count * sizeof *k->boxes);
    throng_box fresh = throng_box_empty(), all = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    for (uint32_t e = 0; e < k->edge_count; e++) {
        throng_point ends[2] = {k->edges[e].a, k->edges[e].b};
        k->boxes[e] = throng_box_of(ends, 2);
        if (k->edges[e].fresh) fresh = throng_box_join(fresh, k->boxes[e]);
    }
    for (uint32_t e = 0; e < k->edge_count; e++) {
        if (throng_boxes_meet(k->boxes[e], fresh, k->near)) list[count++] = e;
    }
    k->cut_count = 0;
    find_pairs(k, list, count, all, 0);
    throng_release(list);
}

/* One meeting for each pair: the first from the left. */
static int compare_meetings(const void *a, const void *b) {
    const throng_meeting *p = a, *q = b;
    for (int i = 0; i < 2; i++) {
        if (p->shape[i] != q->shape[i]) return p->shape[i] < q->shape[i] ? -1 : 1;
    }
    return throng_comes_before(p->at, q->at) ? -1 : throng_comes_before(q->at, p->at);
}

static void sort_meetings(throng_covering *c) {
    size_t kept = 0;
    if (c->meeting_count > 0) qsort(c->meetings, c->meeting_count, sizeof *c->meetings, compare_meetings);
    for (size_t i = 0; i < c->meeting_count; i++) {
        bool again =
            kept > 0 && memcmp(c->meetings[kept - 1].shape, c->meetings[i].shape, sizeof c->meetings->shape) == 0;
        if (!again) c->meetings[kept++] = c->meetings[i];
    }
    c->meeting_count = kept;
}

static int compare_snaps(const void *a, const void *b) {
    const snap *p = a, *q = b;
    if (!throng_same_point(p->from, q->from)) return throng_comes_before(p->from, q->from) ? -1 : 1;
    return throng_comes_before(p->to, q->to) ? -1 : throng_comes_before(q->to, p->to);
}

static throng_point snapped(const cutter *k, throng_point p) {
    size_t at;
    THRONG_SEARCH(at, k->snap_count, throng_comes_before(k->snaps[at].from, p));
    return at < k->snap_count && throng_same_point(k->snaps[at].from, p) ? k->snaps[at].to : p;
}

/* Moves the ends of edges; those of no length go. Points move to the left alone, so there is an end to it. */
static void snap_edges(cutter *k) {
    qsort(k->snaps, k->snap_count, sizeof *k->snaps, compare_snaps);
    cutter moved = {0};
    for (size_t e = 0; e < k->edge_count; e++) {
        throng_edge edge = k->edges[e];
        throng_point a = snapped(k, edge.a), b = snapped(k, edge.b);
        edge.fresh = edge.fresh || !throng_same_point(a, edge.a) || !throng_same_point(b, edge.b);
        add_part(&moved, edge, a, b);
    }
    k->snap_count = 0;
    take_edges(k, &moved);
}

static double nearest_apart(const cutter *k) {
    throng_box all = throng_box_empty();
    for (size_t e = 0; e < k->edge_count; e++) all = throng_box_with(all, k->edges[e].a.x, k->edges[e].a.y);
    double far = fmax(fmax(fabs(all.low.x), fabs(all.high.x)), fmax(fabs(all.low.y), fabs(all.high.y)));
    return k->edge_count > 0 ? fmax(THRONG_ONE_POINT, 4e-15 * far) : 0;
}

bool throng_edges_cut(throng_covering *c, throng_edge **edges, size_t *count) {
    enum { NEAR_ROUNDS = 3, ROUNDS_MOST = 200 };
    cutter k = {.covering = c};
    list_edges(&k);
    double near = nearest_apart(&k);
    for (; k.round == 0 || (k.cut_count > 0 && k.work < work_most && k.round < ROUNDS_MOST); k.round++) {
        if (k.round > 0) cut_edges(&k);
        k.near = k.round < NEAR_ROUNDS ? near : 0;
        for (compare_edges(&k); k.snap_count > 0; compare_edges(&k)) snap_edges(&k);
    }
    bool done = k.cut_count == 0 && k.work < work_most;
    sort_meetings(c);
    THRONG_RELEASE(k.boxes, k.cuts, k.snaps);
    *edges = k.edges;
    *count = k.edge_count;
    return done;
}
