/* pieces.c: see pieces.h. Two sides meet where a corner of one lies on the other, or where they cross;
 * which of them it is, is decided exactly, but for a breadth of about a nanometre that makes obstacles
 * that stand flush against a wall touch it. */

#include "space/pieces.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "space/orient.h"
#include "space/walls.h"

static bool boxes_meet(throng_box a, throng_box b, double near) {
    return a.low.x <= b.high.x + near && b.low.x <= a.high.x + near && a.low.y <= b.high.y + near &&
           b.low.y <= a.high.y + near;
}

static throng_box box_of_side(throng_point a, throng_point b) {
    return throng_box_with(throng_box_with(throng_box_empty(), a.x, a.y), b.x, b.y);
}

bool throng_pieces_touch(const throng_pieces *p, throng_box box) {
    if (!boxes_meet(p->all, box, p->near)) return false;
    for (size_t i = 0; i < p->patch_count; i++) {
        if (boxes_meet(p->boxes[i], box, p->near)) return true;
    }
    return false;
}

/* --- collecting */

static throng_ring place_outline(const throng_patch *patch) {
    throng_point *points = throng_allocate(patch->ring.count * sizeof *points);
    bool turn = !patch->thin && throng_ring_area(patch->ring) > 0; /* solid on the right */
    for (size_t i = 0; i < patch->ring.count; i++) {
        throng_point from = patch->ring.points[turn ? patch->ring.count - 1 - i : i];
        points[i] = (throng_point){from.x + patch->offset.x, from.y + patch->offset.y};
    }
    return (throng_ring){points, patch->ring.count};
}

/* A corner that all but lies on another one is put there. */
static void snap(throng_point *corner, throng_point to, double near) {
    if (throng_distance(*corner, to) <= near) *corner = to;
}

static void snap_outline(throng_pieces *p, size_t i) {
    throng_point *points = (throng_point *)p->outlines[i].points;
    for (size_t k = 0; k < p->outlines[i].count; k++) {
        for (size_t n = 0; n < p->base_near_count; n++) snap(&points[k], p->sides[p->base_near[n]].a, p->near);
        for (size_t n = 0; n < p->base_near_count; n++) snap(&points[k], p->sides[p->base_near[n]].b, p->near);
        for (size_t j = 0; j < i; j++) {
            if (p->patches[j].thin || !boxes_meet(p->boxes[i], p->boxes[j], p->near)) continue;
            for (size_t n = 0; n < p->outlines[j].count; n++) snap(&points[k], p->outlines[j].points[n], p->near);
        }
    }
}

static void add_ring(throng_pieces *p, throng_ring ring, uint32_t owner) {
    size_t first = p->side_count;
    THRONG_GROW(p->sides, p->side_capacity, first + ring.count);
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        bool near = owner != THRONG_BASE || throng_pieces_touch(p, box_of_side(a, b));
        p->sides[first + i] = (throng_side){.a = a, .b = b, .owner = owner, .near = near};
        p->sides[first + i].after = (uint32_t)(first + (i + 1) % ring.count);
        if (owner != THRONG_BASE || !near) continue;
        THRONG_GROW(p->base_near, p->base_near_capacity, p->base_near_count + 1);
        p->base_near[p->base_near_count++] = (uint32_t)(first + i);
    }
    p->side_count += ring.count;
}

void throng_pieces_begin(throng_pieces *p, const throng_place *base, const throng_walls *base_walls,
                         const throng_patch *patches, size_t count) {
    *p = (throng_pieces){.base = base, .base_walls = base_walls, .patches = patches, .patch_count = count};
    p->outlines = throng_allocate(count * sizeof *p->outlines);
    p->boxes = throng_allocate(count * sizeof *p->boxes);
    p->all = throng_box_empty();
    for (size_t i = 0; i < count; i++) {
        p->outlines[i] = place_outline(&patches[i]);
        p->boxes[i] = throng_box_of(p->outlines[i].points, p->outlines[i].count);
        p->all = throng_box_join(p->all, p->boxes[i]);
    }
    double far = fmax(fmax(fabs(p->all.low.x), fabs(p->all.high.x)), fmax(fabs(p->all.low.y), fabs(p->all.high.y)));
    p->near = count > 0 ? fmax(1e-9, 1e-13 * far) : 0;
    for (size_t r = 0; r < base->ring_count; r++) {
        throng_ring ring = base->rings[r];
        if (throng_pieces_touch(p, throng_box_of(ring.points, ring.count))) add_ring(p, ring, THRONG_BASE);
    }
    for (size_t i = 0; i < count; i++) {
        snap_outline(p, i);
        if (!patches[i].thin) add_ring(p, p->outlines[i], (uint32_t)i + 1);
    }
}

void throng_pieces_clear(throng_pieces *p) {
    for (size_t i = 0; i < p->patch_count; i++) throng_release((void *)p->outlines[i].points);
    void *owned[] = {p->outlines, p->boxes, p->sides, p->base_near, p->cuts, p->pieces, p->starts};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) throng_release(owned[i]);
    *p = (throng_pieces){0};
}

/* --- cutting */

static void add_cut(throng_pieces *p, uint32_t side, throng_point a, throng_point b, throng_point at) {
    throng_point way = throng_minus(b, a);
    THRONG_GROW(p->cuts, p->cut_capacity, p->cut_count + 1);
    p->cuts[p->cut_count++] = (throng_cut){throng_dot(throng_minus(at, a), way) / throng_dot(way, way), side, at};
}

/* Where the nearest point of a straight line is. */
static throng_point foot(throng_point a, throng_point b, throng_point of) {
    throng_point way = throng_minus(b, a);
    double t = throng_dot(throng_minus(of, a), way) / throng_dot(way, way);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return (throng_point){a.x + t * way.x, a.y + t * way.y};
}

/* Whether a corner lies on a line, and how: 1 in between, 2 at an end of it, 0 not at all. */
static int lies_on(throng_point corner, throng_point a, throng_point b, double near) {
    if (throng_distance(corner, a) <= near || throng_distance(corner, b) <= near) return 2;
    return throng_distance(corner, foot(a, b, corner)) <= near;
}

static throng_point crossing_of(throng_point a, throng_point b, throng_point c, throng_point d) {
    throng_point u = throng_minus(b, a), v = throng_minus(d, c), w = throng_minus(c, a);
    double t = (w.x * v.y - w.y * v.x) / (u.x * v.y - u.y * v.x);
    return (throng_point){a.x + t * u.x, a.y + t * u.y};
}

/* Cuts line a-b, and side s unless it is only to be met, where they meet. */
static void cut_pair(throng_pieces *p, throng_point a, throng_point b, uint32_t line, uint32_t s, bool both) {
    throng_point c = p->sides[s].a, d = p->sides[s].b;
    if (!boxes_meet(box_of_side(a, b), box_of_side(c, d), p->near)) return;
    int at_c = lies_on(c, a, b, p->near), at_d = lies_on(d, a, b, p->near);
    int at_a = lies_on(a, c, d, p->near), at_b = lies_on(b, c, d, p->near);
    if (at_c == 1) add_cut(p, line, a, b, c);
    if (at_d == 1) add_cut(p, line, a, b, d);
    if (at_a == 1 && both) add_cut(p, s, c, d, a);
    if (at_b == 1 && both) add_cut(p, s, c, d, b);
    if (at_a || at_b || at_c || at_d) return;
    if (throng_turn(a, b, c) * throng_turn(a, b, d) >= 0 || throng_turn(c, d, a) * throng_turn(c, d, b) >= 0) return;
    throng_point at = crossing_of(a, b, c, d);
    add_cut(p, line, a, b, at);
    if (both) add_cut(p, s, c, d, at);
}

/* The sides of a patch are those from `first` on, as many as its outline has corners. */
static void cut_by_patch(throng_pieces *p, size_t i, uint32_t first) {
    for (uint32_t s = first; s < first + p->outlines[i].count; s++) {
        throng_side side = p->sides[s];
        for (size_t n = 0; n < p->base_near_count; n++) cut_pair(p, side.a, side.b, s, p->base_near[n], true);
        uint32_t other = first + (uint32_t)p->outlines[i].count;
        for (size_t j = i + 1; j < p->patch_count; j++) {
            if (p->patches[j].thin) continue;
            uint32_t end = other + (uint32_t)p->outlines[j].count;
            bool meet = boxes_meet(p->boxes[i], p->boxes[j], p->near);
            for (uint32_t k = other; meet && k < end; k++) cut_pair(p, side.a, side.b, s, k, true);
            other = end;
        }
    }
}

static uint32_t first_patch_side(const throng_pieces *p) {
    uint32_t first = 0;
    while (first < p->side_count && p->sides[first].owner == THRONG_BASE) first++;
    return first;
}

void throng_pieces_cut(throng_pieces *p) {
    uint32_t first = first_patch_side(p);
    for (size_t i = 0; i < p->patch_count; i++) {
        if (p->patches[i].thin) continue;
        cut_by_patch(p, i, first);
        first += (uint32_t)p->outlines[i].count;
    }
    throng_pieces_sort_cuts(p);
}

void throng_pieces_cut_line(throng_pieces *p, throng_point a, throng_point b, uint32_t line) {
    for (size_t n = 0; n < p->base_near_count; n++) cut_pair(p, a, b, line, p->base_near[n], false);
    for (uint32_t s = first_patch_side(p); s < p->side_count; s++) cut_pair(p, a, b, line, s, false);
}

static int compare_cuts(const void *a, const void *b) {
    const throng_cut *p = a, *q = b;
    if (p->side != q->side) return p->side < q->side ? -1 : 1;
    return p->t < q->t ? -1 : p->t > q->t;
}

void throng_pieces_sort_cuts(throng_pieces *p) {
    if (p->cut_count > 0) qsort(p->cuts, p->cut_count, sizeof *p->cuts, compare_cuts);
}

/* --- which are walls */

/* How a point lies to an outline. */
typedef struct relation {
    bool on, inside;
    throng_point along; /* the side it lies on */
} relation;

static relation relation_to(const throng_pieces *p, throng_ring outline, throng_point at) {
    relation r = {0};
    for (size_t k = 0; k < outline.count && !r.on; k++) {
        throng_point a = outline.points[k], b = outline.points[(k + 1) % outline.count];
        if (throng_distance(at, foot(a, b, at)) > 2 * p->near) continue;
        r.on = true;
        r.along = throng_minus(b, a);
    }
    r.inside = !r.on && throng_ring_contains(outline, at.x, at.y);
    return r;
}

/* Of parts that coincide and have their solid on the same side, the first owner's is the wall; with
 * solid on both sides there is none. */
static bool is_wall(const throng_pieces *p, const throng_piece *piece) {
    uint32_t owner = p->sides[piece->side].owner;
    throng_point middle = {0.5 * (piece->a.x + piece->b.x), 0.5 * (piece->a.y + piece->b.y)};
    for (size_t j = 0; j < p->patch_count; j++) {
        if (p->patches[j].thin || owner == j + 1 || !boxes_meet(p->boxes[j], (throng_box){middle, middle}, p->near))
            continue;
        relation r = relation_to(p, p->outlines[j], middle);
        if (r.inside) return false;
        if (r.on && (owner > j + 1 || throng_dot(r.along, throng_minus(piece->b, piece->a)) < 0)) return false;
    }
    return owner == THRONG_BASE || throng_pieces_is_free(p, middle);
}

bool throng_pieces_cover(const throng_pieces *p, size_t patch, throng_point at) {
    if (p->patches[patch].thin || !boxes_meet(p->boxes[patch], (throng_box){at, at}, p->near)) return false;
    relation r = relation_to(p, p->outlines[patch], at);
    return r.on || r.inside;
}

bool throng_pieces_is_free(const throng_pieces *p, throng_point middle) {
    for (size_t n = 0; n < p->base_near_count; n++) {
        const throng_side *side = &p->sides[p->base_near[n]];
        if (throng_distance(middle, foot(side->a, side->b, middle)) <= 2 * p->near) return false;
    }
    /* A thin wall may run there, at no distance on its right side. */
    return !signbit(throng_walls_depth(p->base_walls, middle.x, middle.y, p->base_walls->cell));
}

static void add_piece(throng_pieces *p, uint32_t side, throng_point a, throng_point b) {
    if (a.x == b.x && a.y == b.y) return;
    THRONG_GROW(p->pieces, p->piece_capacity, p->piece_count + 1);
    throng_piece piece = {.a = a, .b = b, .side = side, .kept = true};
    if (p->sides[side].near) piece.kept = is_wall(p, &piece);
    p->pieces[p->piece_count++] = piece;
}

void throng_pieces_sort_out(throng_pieces *p) {
    size_t cut = 0;
    for (uint32_t s = 0; s < p->side_count; s++) {
        p->sides[s].first_piece = (uint32_t)p->piece_count;
        throng_point from = p->sides[s].a;
        for (; cut < p->cut_count && p->cuts[cut].side == s; cut++) {
            add_piece(p, s, from, p->cuts[cut].at);
            from = p->cuts[cut].at;
        }
        add_piece(p, s, from, p->sides[s].b);
    }
}
