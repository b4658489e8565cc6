/* seams.c: closes hairline gaps between rings of a plan. Every corner is compared with the edges of
 * other rings nearer than the tolerance, which the grid of walls finds:
 *
 *       ───────────────        ──────┐ ┌──────        a corner near an edge becomes a corner of it;
 *          0.3 mm         ──►        └─┘              corners near each other become one
 *          ┌────┐                    │ │
 *
 * A ring's own parts are left alone: a wall drawn thin is a wall. A ring that would come to cross
 * itself stays as it was. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/vector.h"
#include "space/line_sweep.h"
#include "space/orient.h"
#include "space/repair.h"
#include "space/walls.h"

enum { MOST_NEAR = 64 };
static const double work_most = 1e9; /* comparisons of corners with edges: a few seconds */

/* A corner that becomes part of another ring's edge. */
typedef struct insertion {
    uint32_t edge, corner;
    double along; /* m from the edge's beginning */
} insertion;

/* A pair of rings whose gap was closed, for one note. */
typedef struct closing {
    uint32_t ring[2]; /* the lower one first */
    double width;     /* m, the widest */
    throng_point at;
    size_t corners;
} closing;

/* Corners and edges are numbered as the walls of the rings: edge k runs from corner k to next[k]. */
typedef struct seams {
    throng_plan *plan;
    throng_walls *walls;
    uint32_t *ring_of;   /* [corner] */
    throng_point *moved; /* [corner] where it comes to lie */
    insertion *insertions;
    size_t insertion_count, insertion_capacity;
    closing *closings;
    size_t closing_count, closing_capacity;
    bool *touched;           /* [ring] it changes */
    double *area;            /* [ring] m^2, signed */
    throng_point *rewritten; /* scratch for one ring */
} seams;

static throng_point corner_at(const seams *s, uint32_t c) { return (throng_point){s->walls->x[c], s->walls->y[c]}; }

/* ---- what is a gap */

/* Rings that overlap a little meet anyway. So it depends on the shapes on which side of its edge the
 * corner of another ring must lie for there to be a gap. */
static bool gap_is_inside(const throng_plan_ring *corner, const throng_plan_ring *edge) {
    bool same = corner->item == edge->item && corner->polygon == edge->polygon;
    if (edge->role == THRONG_PLAN_BORDER) {
        return corner->role == THRONG_PLAN_OBSTACLE || (corner->role == THRONG_PLAN_HOLE && same);
    }
    return edge->role == THRONG_PLAN_HOLE && corner->role == THRONG_PLAN_BORDER && !same;
}

static bool lies_in_gap(const seams *s, const throng_plan_ring *shape, throng_point p, uint32_t edge) {
    uint32_t q = s->ring_of[edge];
    int turn = throng_turn(corner_at(s, edge), corner_at(s, s->walls->next[edge]), p);
    bool inside = (turn > 0) == (s->area[q] > 0);
    return inside == gap_is_inside(shape, &s->plan->shapes[q]);
}

static void note_closing(seams *s, uint32_t a, uint32_t b, double width, throng_point at) {
    if (width < THRONG_ONE_POINT) return;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    THRONG_GROW(s->closings, s->closing_capacity, s->closing_count + 1);
    s->closings[s->closing_count++] = (closing){{low, high}, width, at, 1};
}

/* ---- finding gaps */

/* Corner c and the corner of another ring come to lie in one place: that of the earlier ring. */
static void merge_corners(seams *s, uint32_t c, uint32_t other) {
    if (s->ring_of[other] > s->ring_of[c]) return; /* its turn comes */
    throng_point there = s->moved[other];
    if (throng_same_point(there, s->moved[c]) || !throng_same_point(s->moved[c], corner_at(s, c))) return;
    double dx = there.x - s->moved[c].x, dy = there.y - s->moved[c].y, apart = sqrt(dx * dx + dy * dy);
    if (apart > THRONG_TOLERANCE) return; /* the other one has moved away */
    note_closing(s, s->ring_of[c], s->ring_of[other], apart, corner_at(s, c));
    s->moved[c] = there;
    s->touched[s->ring_of[c]] = true;
}

static void look_at_edge(seams *s, uint32_t c, uint32_t edge, double distance) {
    throng_point p = corner_at(s, c), a = corner_at(s, edge), b = corner_at(s, s->walls->next[edge]);
    double along = (p.x - a.x) * s->walls->along_x[edge] + (p.y - a.y) * s->walls->along_y[edge];
    double to_a2 = (p.x - a.x) * (p.x - a.x) + (p.y - a.y) * (p.y - a.y);
    double to_b2 = (p.x - b.x) * (p.x - b.x) + (p.y - b.y) * (p.y - b.y);
    if (fmin(to_a2, to_b2) < THRONG_TOLERANCE * THRONG_TOLERANCE) {
        merge_corners(s, c, to_a2 < to_b2 ? edge : s->walls->next[edge]);
        return;
    }
    if (!(along > 0 && along < s->walls->length[edge]) || throng_turn(a, b, p) == 0) return;
    if (!lies_in_gap(s, &s->plan->shapes[s->ring_of[c]], p, edge)) return;
    THRONG_GROW(s->insertions, s->insertion_capacity, s->insertion_count + 1);
    s->insertions[s->insertion_count++] = (insertion){edge, c, along};
    s->touched[s->ring_of[edge]] = true;
    note_closing(s, s->ring_of[c], s->ring_of[edge], distance, p);
}

static void look_around(seams *s, uint32_t c) {
    throng_wall_near near[MOST_NEAR];
    throng_point p = corner_at(s, c);
    size_t count = throng_walls_within(s->walls, p.x, p.y, THRONG_TOLERANCE, near, MOST_NEAR);
    for (size_t i = 0; i < count; i++) {
        if (s->ring_of[near[i].wall] != s->ring_of[c]) look_at_edge(s, c, near[i].wall, sqrt(near[i].distance2));
    }
}

/* ---- changing the rings */

static int compare_insertions(const void *a, const void *b) {
    const insertion *p = a, *q = b;
    if (p->edge != q->edge) return p->edge < q->edge ? -1 : 1;
    if (p->along != q->along) return p->along < q->along ? -1 : 1;
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

/* Writes ring r with its moved and new corners; returns how many there are. */
static size_t rewrite(const seams *s, size_t first, size_t count, throng_point *out) {
    size_t kept = 0, low;
    THRONG_SEARCH(low, s->insertion_count, s->insertions[low].edge < first);
    for (size_t c = first; c < first + count; c++) {
        if (kept == 0 || !throng_same_point(out[kept - 1], s->moved[c])) out[kept++] = s->moved[c];
        for (; low < s->insertion_count && s->insertions[low].edge == c; low++) {
            throng_point p = s->moved[s->insertions[low].corner];
            if (!throng_same_point(out[kept - 1], p)) out[kept++] = p;
        }
    }
    while (kept > 1 && throng_same_point(out[0], out[kept - 1])) kept--;
    return kept;
}

static bool is_fine(throng_ring ring) {
    throng_ring_contact contact;
    return ring.count >= 3 && throng_rings_apart(&ring, 1, NULL, &contact);
}

/* Changes one ring, unless it was in order before and would not be so any more. */
static bool change_ring(seams *s, size_t r, size_t first) {
    throng_plan *plan = s->plan;
    size_t count = plan->rings[r].count;
    throng_ring changed = {s->rewritten, rewrite(s, first, count, s->rewritten)};
    bool changes = changed.count >= 3 && (is_fine(changed) || !is_fine(plan->rings[r]));
    if (changes) throng_plan_replace(plan, r, changed);
    return changes;
}

static bool change_rings(seams *s) {
    if (s->insertion_count > 0) qsort(s->insertions, s->insertion_count, sizeof *s->insertions, compare_insertions);
    s->rewritten = throng_allocate((s->walls->count + s->insertion_count) * sizeof *s->rewritten);
    bool any = false;
    size_t first = 0;
    for (size_t r = 0; r < s->plan->ring_count; r++) {
        size_t count = s->plan->rings[r].count;
        if (s->touched[r]) {
            s->touched[r] = change_ring(s, r, first);
            any = any || s->touched[r];
        }
        first += count;
    }
    return any;
}

/* ---- thin walls */

static void close_line_end(seams *s, size_t l, throng_point *end, throng_place_notes *notes) {
    throng_wall_near near;
    if (throng_walls_within(s->walls, end->x, end->y, THRONG_TOLERANCE, &near, 1) == 0) return;
    double gap = sqrt(near.distance2);
    if (gap < THRONG_ONE_POINT || !lies_in_gap(s, &s->plan->line_shapes[l], *end, near.wall)) return;
    throng_point there = throng_wall_nearest_point(s->walls, near.wall, end->x, end->y);
    throng_plan_tell(s->plan, &s->plan->line_shapes[l], notes, THRONG_WARNING, *end,
                     "the thin wall misses another wall by %.3g mm at (%.9g, %.9g): closed", 1000 * gap, end->x,
                     end->y);
    *end = there;
}

static void close_lines(seams *s, throng_place_notes *notes) {
    for (size_t l = 0; l < s->plan->line_count; l++) {
        throng_point *points = (throng_point *)s->plan->lines[l].points;
        size_t last = s->plan->lines[l].count - 1;
        throng_point before[2] = {points[0], points[last]};
        close_line_end(s, l, &points[0], notes);
        close_line_end(s, l, &points[last], notes);
        /* A piece of a hair's length would vanish. */
        if (throng_same_point(points[0], points[1]) || throng_same_point(points[last], points[last - 1])) {
            points[0] = before[0];
            points[last] = before[1];
        }
    }
}

/* ---- telling */

static int compare_closings(const void *a, const void *b) {
    const closing *p = a, *q = b;
    for (int i = 0; i < 2; i++) {
        if (p->ring[i] != q->ring[i]) return p->ring[i] < q->ring[i] ? -1 : 1;
    }
    if (p->width != q->width) return p->width > q->width ? -1 : 1;
    if (p->at.x != q->at.x) return p->at.x < q->at.x ? -1 : 1;
    return p->at.y < q->at.y ? -1 : p->at.y > q->at.y;
}

static void tell_closings(seams *s, throng_place_notes *notes) {
    if (s->closing_count > 0) qsort(s->closings, s->closing_count, sizeof *s->closings, compare_closings);
    for (size_t i = 0, end; i < s->closing_count; i = end) {
        const closing *c = &s->closings[i];
        for (end = i + 1; end < s->closing_count && memcmp(s->closings[end].ring, c->ring, sizeof c->ring) == 0;) end++;
        if (!s->touched[c->ring[0]] && !s->touched[c->ring[1]]) continue;
        char other[80];
        throng_plan_ring_words(s->plan, &s->plan->shapes[c->ring[0]], other, sizeof other);
        throng_plan_tell(s->plan, &s->plan->shapes[c->ring[1]], notes, THRONG_WARNING, c->at,
                         "a gap of %.3g mm to %s at (%.9g, %.9g) was closed%s", 1000 * c->width, other, c->at.x,
                         c->at.y, end - i > 2 ? ", and others between the two" : "");
    }
}

/* ---- the whole */

static void number_corners(seams *s) {
    size_t c = 0;
    for (size_t r = 0; r < s->plan->ring_count; r++) {
        s->area[r] = throng_ring_area(s->plan->rings[r]);
        for (size_t i = 0; i < s->plan->rings[r].count; i++, c++) {
            s->ring_of[c] = (uint32_t)r;
            s->moved[c] = s->plan->rings[r].points[i];
        }
    }
}

bool throng_plan_close_gaps(throng_plan *plan, throng_place_notes *notes) {
    if (plan->ring_count + plan->line_count < 2 || plan->ring_count == 0) return false;
    throng_place rings = {.open = plan->open, .rings = plan->rings, .ring_count = plan->ring_count};
    seams s = {.plan = plan, .walls = throng_walls_create(&rings)};
    size_t corners = s.walls->count;
    s.ring_of = throng_allocate(corners * sizeof *s.ring_of);
    s.moved = throng_allocate(corners * sizeof *s.moved);
    s.touched = throng_allocate(plan->ring_count * sizeof *s.touched);
    s.area = throng_allocate(plan->ring_count * sizeof *s.area);
    number_corners(&s);
    bool crowded = throng_walls_work(s.walls) > work_most;
    if (crowded) {
        throng_plan_tell(plan, NULL, notes, THRONG_WARNING, corner_at(&s, 0),
                         "%zu walls crowd in so little space that gaps below 1 mm are not looked for", corners);
    } else {
        for (uint32_t c = 0; c < corners && plan->ring_count > 1; c++) look_around(&s, c);
        close_lines(&s, notes);
    }
    bool any = change_rings(&s);
    tell_closings(&s, notes);

    throng_walls_destroy(s.walls);
    THRONG_RELEASE(s.ring_of, s.moved, s.touched, s.area, s.insertions, s.closings, s.rewritten);
    return any;
}
