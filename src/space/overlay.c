/* overlay.c: the walkable area when rings touch or overlap, by union and difference (cover.h), and what a
 * ring encloses that touches itself: where it goes around once (counting the way it turns as positive).
 * When it goes around something twice or backwards, it crosses itself, and what is meant cannot be known:
 *
 *       ┌───┐                 ┌───┐
 *       │ 1 ╳ 1   touches     │ 1 ╳ -1   crosses
 *       └───┘                 └───┘                                                        */

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/area.h"
#include "space/box.h"
#include "space/cover.h"
#include "space/orient.h"
#include "space/repair.h"

/* Pieces of walkable area smaller than this are the dust of rounding: nobody can stand there. m^2 */
static const double dust = 1e-6;

static bool is_ground(throng_cover c) { return c.ground > 0; }
static bool is_solid(throng_cover c) { return c.solid > 0; }
static bool is_walkable(throng_cover c) { return c.ground > 0 && c.solid == 0; }
static bool is_common(throng_cover c) { return c.ground + c.solid > 1; }
static bool is_crossed(throng_cover c) { return c.ground < 0 || c.ground > 1; }

/* ---- shapes: one ring or, when it touched itself or was cut out, several */

typedef struct shapes {
    const throng_plan *plan;
    throng_cover_ring *rings;
    size_t count, capacity;
    throng_area *owned; /* the points of those that were cut */
    size_t owned_count, owned_capacity;
} shapes;

static void clear_shapes(shapes *s) {
    for (size_t i = 0; i < s->owned_count; i++) throng_area_clear(&s->owned[i]);
    THRONG_RELEASE(s->owned, s->rings);
}

static void add_ring(shapes *s, throng_ring ring, bool turn, bool solid, uint32_t shape) {
    THRONG_GROW(s->rings, s->capacity, s->count + 1);
    s->rings[s->count++] = (throng_cover_ring){ring, turn, solid, shape, false};
}

/* Takes over an area as a shape. */
static void add_area(shapes *s, throng_area area, bool solid, uint32_t shape) {
    THRONG_GROW(s->owned, s->owned_capacity, s->owned_count + 1);
    s->owned[s->owned_count++] = area;
    for (size_t r = 0; r < area.ring_count; r++) add_ring(s, throng_area_ring(&area, r), false, solid, shape);
}

static bool trace(const throng_cover_ring *rings, size_t count, throng_cover_rule rule, throng_area *out) {
    throng_covering c = {.rings = rings, .ring_count = count, .rule = rule};
    bool traced = throng_cover_trace(&c, out);
    throng_covering_clear(&c);
    return traced;
}

/* Adds what ring r of the plan encloses. */
static bool add_shape(shapes *s, size_t r, uint32_t shape) {
    const throng_plan_ring *from = &s->plan->shapes[r];
    bool solid = from->role != THRONG_PLAN_BORDER, turn = throng_ring_area(s->plan->rings[r]) < 0, traced = true;
    if (!from->touching) {
        add_ring(s, s->plan->rings[r], turn, solid, shape);
    } else {
        throng_area area = {0};
        traced = trace(&(throng_cover_ring){s->plan->rings[r], .turn = turn}, 1, is_ground, &area);
        add_area(s, area, solid, shape);
    }
    return traced;
}

/* The rings of a shape, which follow each other. */
static size_t find_shape(const shapes *s, uint32_t shape, size_t *count) {
    size_t first = 0, end;
    while (first < s->count && s->rings[first].shape != shape) first++;
    for (end = first; end < s->count && s->rings[end].shape == shape;) end++;
    *count = end - first;
    return first;
}

static double shape_area(const shapes *s, uint32_t shape) {
    size_t count, first = find_shape(s, shape, &count);
    double sum = 0;
    for (size_t r = first; r < first + count; r++) {
        double area = throng_ring_area(s->rings[r].ring);
        sum += s->rings[r].turn ? -area : area;
    }
    return sum;
}

/* Joins solid shapes, the rings `first` .. `end` - 1, half by half: so nobody looks at crossings that others cover. */
static bool join_solid(const shapes *s, size_t first, size_t end, throng_area *out) {
    enum { FEW = 3 };
    size_t middle = first + (end - first) / 2;
    while (middle < end && s->rings[middle].shape == s->rings[middle - 1].shape) middle++;
    if (end - first <= FEW || middle == end) return trace(s->rings + first, end - first, is_solid, out);
    throng_area halves[2] = {{0}, {0}};
    bool joined = join_solid(s, first, middle, &halves[0]) && join_solid(s, middle, end, &halves[1]);
    shapes both = {0};
    for (uint32_t i = 0; i < 2; i++) add_area(&both, halves[i], true, i);
    joined = joined && trace(both.rings, both.count, is_solid, out);
    clear_shapes(&both);
    return joined;
}

/* ---- how shapes lie to each other */

typedef struct workshop {
    const throng_plan *plan;
    throng_place_notes *notes;
    const shapes *shapes;
    const size_t *rings; /* [shape] of the plan: the one that is spoken of */
} workshop;

static void tell_ring(const workshop *w, uint32_t shape, const char *what, throng_point at, const char *then) {
    throng_plan_tell(w->plan, &w->plan->shapes[w->rings[shape]], w->notes, THRONG_WARNING, at, "%s at (%.9g, %.9g): %s",
                     what, at.x, at.y, then);
}

/* The area two shapes share, and its leftmost corner. m^2 */
static double shared_area(const workshop *w, uint32_t a, uint32_t b, throng_point *at) {
    size_t a_count, b_count, a_first = find_shape(w->shapes, a, &a_count), b_first = find_shape(w->shapes, b, &b_count);
    shapes both = {0};
    for (size_t i = 0; i < a_count + b_count; i++) {
        throng_cover_ring ring = w->shapes->rings[i < a_count ? a_first + i : b_first + i - a_count];
        add_ring(&both, ring.ring, ring.turn, ring.solid, 0);
    }
    throng_area common = {0};
    trace(both.rings, both.count, is_common, &common);
    double area = 0;
    for (size_t r = 0; r < common.ring_count; r++) area += throng_ring_area(throng_area_ring(&common, r));
    for (size_t i = 0; i < common.point_count && area >= dust; i++) {
        throng_point p = common.points[i];
        if (i == 0 || p.x < at->x || (p.x == at->x && p.y < at->y)) *at = p;
    }
    throng_area_clear(&common);
    clear_shapes(&both);
    return area;
}

/* How a hole lies to the border of its polygon, which is shape 0, where they meet. Nobody walks in a hole:
 * whatever it covers is taken away. */
static void judge_hole(const workshop *w, const throng_meeting *meeting) {
    uint32_t hole = meeting->shape[1];
    throng_point at = meeting->at, within;
    double area = shape_area(w->shapes, hole), common = shared_area(w, 0, hole, &within);
    if (common < dust) {
        tell_ring(w, hole, "lies outside", w->plan->rings[w->rings[hole]].points[0], "left out");
    } else if (common > (1 - 1e-9) * area) {
        tell_ring(w, hole, "touches the border", at, "cut out of the area");
    } else {
        tell_ring(w, hole, "crosses the border", at, "cut off there");
    }
}

static void tell_pair(const workshop *w, uint32_t later, uint32_t earlier, const char *how, throng_point at) {
    const throng_plan_ring *shape = &w->plan->shapes[w->rings[earlier]];
    bool hole = shape->role == THRONG_PLAN_HOLE;
    char what[60];
    snprintf(what, sizeof what, "%s %s %zu", how, hole ? "hole" : "polygon", hole ? shape->hole : shape->polygon + 1);
    tell_ring(w, later, what, at, "joined");
}

/* How two holes of a polygon, or two polygons, lie to each other where they meet. */
static void judge_pair(const workshop *w, const throng_meeting *meeting) {
    uint32_t earlier = meeting->shape[0], later = meeting->shape[1];
    throng_point at = meeting->at;
    double common = shared_area(w, earlier, later, &at);
    bool hole = w->plan->shapes[w->rings[earlier]].role == THRONG_PLAN_HOLE;
    if (common < dust && !hole) return;
    bool within = common > (1 - 1e-9) * shape_area(w->shapes, later);
    tell_pair(w, later, earlier, common < dust ? "touches" : within ? "lies in" : "overlaps", at);
}

/* A shape that meets no other may lie in one. */
static void judge_lonely(const workshop *w, uint32_t shape, size_t first, size_t count) {
    throng_point at = w->plan->rings[w->rings[shape]].points[0];
    for (uint32_t other = (uint32_t)first; other < count; other++) {
        throng_ring ring = w->plan->rings[w->rings[other]];
        if (other == shape || !throng_ring_contains(ring, at.x, at.y)) continue;
        tell_pair(w, shape, other, "lies in", at);
        return;
    }
}

/* A hole that does not meet its border, shape 0, may lie outside. */
static bool lies_outside(const workshop *w, const throng_covering *c, uint32_t hole, bool met) {
    throng_point at = w->plan->rings[w->rings[hole]].points[0];
    return met ? !throng_ring_contains(w->plan->rings[w->rings[0]], at.x, at.y) : c->around[hole].ground == 0;
}

/* Judges shapes that should keep clear of each other: holes from shape 1 on, after their border, or polygons. */
static void judge(const workshop *w, const throng_covering *c, size_t count, bool holes) {
    bool *met = throng_allocate(count * sizeof *met), *judged = throng_allocate(count * sizeof *judged);
    for (size_t i = 0; i < c->meeting_count; i++) {
        const throng_meeting *meeting = &c->meetings[i];
        if (meeting->shape[1] >= count) continue; /* an obstacle */
        met[meeting->shape[0]] = met[meeting->shape[1]] = true;
        bool with_border = holes && meeting->shape[0] == 0;
        if (with_border) judged[meeting->shape[1]] = true;
        (with_border ? judge_hole : judge_pair)(w, meeting);
    }
    for (uint32_t s = holes; s < count; s++) {
        if (holes && !judged[s] && lies_outside(w, c, s, met[s])) {
            tell_ring(w, s, "lies outside", w->plan->rings[w->rings[s]].points[0], "left out");
        } else if (!met[s] && (holes ? c->around[s].solid > 0 : c->around[s].ground > 0)) {
            judge_lonely(w, s, holes, count);
        }
    }
    THRONG_RELEASE(met, judged);
}

/* ---- the whole */

static bool put_shapes_together(throng_area *area, const throng_plan *plan, throng_place_notes *notes, const shapes *s,
                                const size_t *rings, size_t judged, bool holes) {
    throng_covering c = {.rings = s->rings,
                         .ring_count = s->count,
                         .beyond = {plan->open, 0},
                         .rule = is_walkable,
                         .asked = (uint32_t)judged};
    workshop w = {plan, notes, s, rings};
    bool traced = throng_cover_trace(&c, area);
    if (traced) judge(&w, &c, judged, holes);
    throng_covering_clear(&c);
    return traced;
}

/* Adds a polygon of the walkable area: ring `first` is its border, those up to `end` its holes. */
static bool add_polygon(shapes *s, throng_place_notes *notes, size_t first, size_t end, uint32_t shape) {
    if (end == first + 1) return add_shape(s, first, shape);
    shapes parts = {.plan = s->plan};
    throng_area area = {0};
    size_t *rings = throng_allocate((end - first) * sizeof *rings);
    bool traced = true;
    for (size_t r = first; r < end; r++) {
        traced = add_shape(&parts, r, (uint32_t)(r - first)) && traced;
        rings[r - first] = r;
    }
    traced = traced && put_shapes_together(&area, s->plan, notes, &parts, rings, end - first, true);
    add_area(s, area, false, shape);
    throng_release(rings);
    clear_shapes(&parts);
    return traced;
}

/* Makes one shape of the obstacles, whose rings begin at `first`. */
static bool join_obstacles(shapes *s, size_t first) {
    throng_area solid = {0};
    if (s->count - first < 2 || !join_solid(s, first, s->count, &solid)) return false;
    uint32_t shape = s->rings[first].shape;
    s->count = first;
    add_area(s, solid, true, shape);
    return true;
}

/* Leaves out corners in the middle of straight walls, which remain where shapes were joined. */
static size_t straighten(throng_point *points, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        throng_point before = kept > 0 ? points[kept - 1] : points[count - 1], here = points[i];
        throng_point after = i + 1 < count ? points[i + 1] : points[0];
        if (throng_turn(before, here, after) != 0) points[kept++] = here;
    }
    return kept;
}

static double outline_of(throng_ring ring) {
    double length = 0;
    for (size_t i = 0, j = ring.count - 1; i < ring.count; j = i++)
        length += throng_distance(ring.points[j], ring.points[i]);
    return length;
}

/* Adds a ring, unless it is dust to walk on or a wall of no width. */
static void add_tidy(throng_area *area, throng_ring from) {
    throng_point *points = throng_allocate(from.count * sizeof *points), repeated;
    size_t repeated_count, kept = throng_ring_tidy(from.points, from.count, true, points, &repeated, &repeated_count);
    throng_ring ring = {points, straighten(points, kept)};
    double size = ring.count >= 3 ? throng_ring_area(ring) : 0;
    bool border = throng_ring_area(from) > 0;
    bool meant = border ? size > dust : -2 * size > THRONG_ONE_POINT * outline_of(ring);
    if (meant) throng_area_add(area, ring);
    throng_release(points);
}

/* The width of a long rectangle with the area and outline of rings `first` .. `end` - 1: a border and its holes. m */
static double width_of(const throng_area *area, size_t first, size_t end) {
    double size = 0, outline = 0;
    for (size_t r = first; r < end; r++) {
        size += throng_ring_area(throng_area_ring(area, r));
        outline += outline_of(throng_area_ring(area, r));
    }
    return size > dust ? 2 * size / outline : 0;
}

static size_t end_of_polygon(const throng_area *area, size_t border) {
    size_t end = border + 1;
    while (end < area->ring_count && throng_ring_area(throng_area_ring(area, end)) < 0) end++;
    return end;
}

/* Pieces to walk on that are too small or thin to be meant are left out. */
static void add_pieces(throng_area *area, const throng_area *found, const throng_plan *plan,
                       throng_place_notes *notes) {
    for (size_t r = 0, end; r < found->ring_count; r = end) {
        end = end_of_polygon(found, r);
        double width = plan->open ? THRONG_TOLERANCE : width_of(found, r, end);
        throng_point at = throng_area_ring(found, r).points[0];
        if (width > 0 && width < THRONG_TOLERANCE)
            throng_plan_tell(plan, NULL, notes, THRONG_WARNING, at,
                             "a sliver %.3g mm wide at (%.9g, %.9g) was left out", 1000 * width, at.x, at.y);
        for (; r < end && width >= THRONG_TOLERANCE; r++) add_tidy(area, throng_area_ring(found, r));
    }
}

bool throng_area_overlay(throng_area *area, const throng_plan *plan, throng_place_notes *notes) {
    shapes s = {.plan = plan};
    throng_area found = {0};
    size_t *borders = throng_allocate((plan->polygon_count + 1) * sizeof *borders);
    uint32_t shape = 0;
    bool traced = true;
    size_t r = 0;
    for (size_t end; r < plan->ring_count && plan->shapes[r].role != THRONG_PLAN_OBSTACLE; r = end) {
        for (end = r + 1; end < plan->ring_count && plan->shapes[end].role == THRONG_PLAN_HOLE;) end++;
        borders[shape] = r;
        traced = add_polygon(&s, notes, r, end, shape++) && traced;
    }
    /* In a MULTIPOLYGON they should not overlap. */
    size_t polygons = plan->multi ? shape : 0;
    size_t obstacles = s.count;
    for (; r < plan->ring_count; r++) traced = add_shape(&s, r, shape++) && traced;
    traced =
        traced &&
        (put_shapes_together(&found, plan, notes, &s, borders, polygons, false) ||
         (join_obstacles(&s, obstacles) && put_shapes_together(&found, plan, notes, &s, borders, polygons, false)));
    if (traced) {
        add_pieces(area, &found, plan, notes);
    } else {
        throng_plan_note(plan, NULL, notes, THRONG_ERROR, THRONG_WALKABLE_AREA,
                         "cannot be put together: too many walls lie upon each other");
    }
    throng_release(borders);
    throng_area_clear(&found);
    clear_shapes(&s);
    return traced;
}

/* ---- rings that touch themselves */

/* Where a piece that should not be there begins: at a corner of its outline that is no corner of the
 * ring, which is where two edges cross, or else anywhere on it. */
static throng_point crossing_of(throng_ring piece, throng_ring ring) {
    for (size_t k = 0; k < piece.count && k < 1000; k++) {
        throng_point p = piece.points[k];
        bool corner = false;
        for (size_t i = 0; i < ring.count && !corner; i++) corner = ring.points[i].x == p.x && ring.points[i].y == p.y;
        if (!corner) return p;
    }
    return piece.points[0];
}

static bool refuse(throng_fault *fault, const char *text, throng_point at) {
    snprintf(fault->text, sizeof fault->text, "%s", text);
    fault->at = at;
    fault->has_place = true;
    return false;
}

bool throng_ring_only_touches(throng_ring ring, throng_fault *fault) {
    const throng_cover_ring shape = {ring, .turn = throng_ring_area(ring) < 0};
    throng_area crossed = {0}, inside = {0};
    bool traced = trace(&shape, 1, is_crossed, &crossed) && trace(&shape, 1, is_ground, &inside), touches = traced;
    if (!traced) refuse(fault, "ring touches itself, and is too intricate to repair,", fault->at);
    for (size_t r = 0, end; r < crossed.ring_count && touches; r = end) {
        end = end_of_polygon(&crossed, r);
        /* Overlaps of itself narrower than the tolerance count as touching. */
        if (width_of(&crossed, r, end) >= THRONG_TOLERANCE)
            touches = refuse(fault, "ring crosses itself", crossing_of(throng_area_ring(&crossed, r), ring));
    }
    if (touches && inside.ring_count == 0)
        touches = refuse(fault, "zero area: the ring encloses nothing", ring.points[0]);
    throng_area_clear(&crossed);
    throng_area_clear(&inside);
    return touches;
}
