/* overlay.c: the walkable area when rings touch or overlap, by union and difference. With touching.c,
 * this is the one file that knows GEOS. Each call has a context of its own, so that threads do not
 * meet in it. Every ring GEOS is given has been found not to cross itself before. */

#include <geos_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "space/area.h"
#include "space/box.h"
#include "space/orient.h"
#include "space/repair.h"
#include "space/touching.h"

/* Pieces of walkable area smaller than this are the dust of rounding: nobody can stand there. m^2 */
static const double dust = 1e-6;

enum { MANY = 2000 }; /* shapes that are joined cluster by cluster */

typedef struct workshop {
    GEOSContextHandle_t geos;
    const throng_plan *plan;
    throng_place_notes *notes;
    char message[160]; /* what GEOS last complained about */
} workshop;

static void keep_message(const char *message, void *context) {
    workshop *w = context;
    snprintf(w->message, sizeof w->message, "%s", message);
}

static void ignore_message(const char *message, void *context) { (void)message, (void)context; }

static void discard(workshop *w, GEOSGeometry *shape) {
    if (shape) GEOSGeom_destroy_r(w->geos, shape);
}

/* ---- points in and out of GEOS */

/* What a ring of the plan encloses. */
static GEOSGeometry *polygon_of(workshop *w, size_t r) {
    throng_ring ring = w->plan->rings[r];
    throng_fault fault = {0};
    if (w->plan->shapes[r].touching) return throng_touching_polygon(w->geos, ring, &fault);
    GEOSGeometry *border = throng_geos_ring(w->geos, ring, false);
    return border ? GEOSGeom_createPolygon_r(w->geos, border, NULL, 0) : NULL;
}

/* The points of a ring or line of GEOS, without those that repeat; the caller releases them. */
static throng_ring points_of(workshop *w, const GEOSGeometry *line) {
    const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(w->geos, line);
    unsigned count = 0;
    if (!sequence || !GEOSCoordSeq_getSize_r(w->geos, sequence, &count) || count == 0) return (throng_ring){NULL, 0};
    throng_point *points = throng_allocate(count * sizeof *points), repeated;
    for (unsigned i = 0; i < count; i++) GEOSCoordSeq_getXY_r(w->geos, sequence, i, &points[i].x, &points[i].y);
    size_t repeated_count;
    size_t kept = throng_ring_tidy(points, count, true, points, &repeated, &repeated_count);
    return (throng_ring){points, kept};
}

/* Any point of a shape, to say where something is. */
static throng_point some_point(workshop *w, const GEOSGeometry *shape) {
    throng_point at = {NAN, NAN};
    while (shape && GEOSGetNumGeometries_r(w->geos, shape) > 0 && GEOSGetGeometryN_r(w->geos, shape, 0) != shape) {
        shape = GEOSGetGeometryN_r(w->geos, shape, 0);
    }
    if (!shape || GEOSisEmpty_r(w->geos, shape)) return at;
    const GEOSGeometry *line = shape;
    if (GEOSGeomTypeId_r(w->geos, shape) == GEOS_POLYGON) line = GEOSGetExteriorRing_r(w->geos, shape);
    const GEOSCoordSequence *sequence = line ? GEOSGeom_getCoordSeq_r(w->geos, line) : NULL;
    if (sequence) GEOSCoordSeq_getXY_r(w->geos, sequence, 0, &at.x, &at.y);
    return at;
}

/* ---- putting shapes together; what is passed in is used up, NULL stands for a failure before */

static GEOSGeometry *join_all(workshop *w, GEOSGeometry **shapes, size_t count) {
    if (count == 1) return shapes[0];
    GEOSGeometry *all = GEOSGeom_createCollection_r(w->geos, GEOS_GEOMETRYCOLLECTION, shapes, (unsigned)count);
    GEOSGeometry *joined = all ? GEOSUnaryUnion_r(w->geos, all) : NULL;
    discard(w, all);
    return joined;
}

static bool boxes_meet(throng_box a, throng_box b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

typedef struct boxed {
    throng_box box;
    size_t shape;
} boxed;

static int compare_boxed(const void *a, const void *b) {
    const boxed *p = a, *q = b;
    if (p->box.low.x != q->box.low.x) return p->box.low.x < q->box.low.x ? -1 : 1;
    return p->shape < q->shape ? -1 : 1;
}

static throng_box box_of(workshop *w, const GEOSGeometry *shape) {
    throng_box box = {{0, 0}, {0, 0}};
    GEOSGeom_getExtent_r(w->geos, shape, &box.low.x, &box.low.y, &box.high.x, &box.high.y);
    return box;
}

/* The first of a cluster; on the way there, ways become shorter. */
static size_t head_of(size_t *next, size_t i) {
    while (next[i] != i) i = next[i] = next[next[i]];
    return i;
}

/* Finds the clusters of shapes whose boxes meet: [shape] the first of its cluster, in order of shapes. */
static size_t *find_clusters(workshop *w, GEOSGeometry *const *shapes, size_t count) {
    boxed *order = throng_allocate(count * sizeof *order);
    size_t *head = throng_allocate(count * sizeof *head);
    for (size_t i = 0; i < count; i++) {
        order[i] = (boxed){box_of(w, shapes[i]), i};
        head[i] = i;
    }
    qsort(order, count, sizeof *order, compare_boxed);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && order[j].box.low.x <= order[i].box.high.x; j++) {
            if (!boxes_meet(order[i].box, order[j].box)) continue;
            size_t a = head_of(head, order[i].shape), b = head_of(head, order[j].shape);
            head[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (size_t i = 0; i < count; i++) head[i] = head_of(head, i);
    throng_release(order);
    return head;
}

/* Joins each cluster on its own: GEOS takes long over many shapes of which few meet. */
static GEOSGeometry *join_clusters(workshop *w, GEOSGeometry **shapes, size_t count) {
    size_t *head = find_clusters(w, shapes, count), *begin = throng_allocate((count + 1) * sizeof *begin);
    GEOSGeometry **sorted = throng_allocate(count * sizeof *sorted), **out = NULL;
    for (size_t i = 0; i < count; i++) begin[head[i] + 1]++;
    for (size_t i = 0; i < count; i++) begin[i + 1] += begin[i];
    for (size_t i = 0; i < count; i++) sorted[begin[head[i]]++] = shapes[i];
    size_t made = 0, capacity = 0;
    bool whole = true;
    for (size_t i = 0, first = 0; i < count; first = begin[i++]) {
        if (begin[i] == first) continue;
        GEOSGeometry *joined = join_all(w, sorted + first, begin[i] - first);
        int parts = joined ? GEOSGetNumGeometries_r(w->geos, joined) : 0;
        THRONG_GROW(out, capacity, made + (size_t)parts);
        for (int p = 0; p < parts; p++) out[made++] = GEOSGeom_clone_r(w->geos, GEOSGetGeometryN_r(w->geos, joined, p));
        discard(w, joined);
        whole = whole && joined;
    }
    GEOSGeometry *all = NULL;
    if (whole) all = GEOSGeom_createCollection_r(w->geos, GEOS_MULTIPOLYGON, out, (unsigned)made);
    for (size_t i = 0; i < made && !whole; i++) discard(w, out[i]);
    void *owned[] = {head, begin, sorted, out};
    for (size_t i = 0; i < 4; i++) throng_release(owned[i]);
    return all;
}

static GEOSGeometry *join(workshop *w, GEOSGeometry **shapes, size_t count) {
    bool whole = true;
    for (size_t i = 0; i < count; i++) whole = whole && shapes[i];
    if (whole) return count > MANY ? join_clusters(w, shapes, count) : join_all(w, shapes, count);
    for (size_t i = 0; i < count; i++) discard(w, shapes[i]);
    return NULL;
}

static GEOSGeometry *take_away(workshop *w, GEOSGeometry *from, GEOSGeometry *what) {
    GEOSGeometry *left = from && what ? GEOSDifference_r(w->geos, from, what) : NULL;
    discard(w, from);
    discard(w, what);
    return left;
}

static double area_of(workshop *w, const GEOSGeometry *shape) {
    double area = 0;
    if (shape) GEOSArea_r(w->geos, shape, &area);
    return area;
}

/* ---- holes of the walkable area that meet something */

static void tell_ring(workshop *w, size_t ring, const char *what, throng_point at, const char *then) {
    throng_plan_tell(w->plan, &w->plan->shapes[ring], w->notes, THRONG_WARNING, at, "%s at (%.9g, %.9g): %s", what,
                     at.x, at.y, then);
}

/* Where the outlines of two polygons meet. */
static throng_point meeting_point(workshop *w, const GEOSGeometry *a, const GEOSGeometry *b) {
    GEOSGeometry *a_line = GEOSBoundary_r(w->geos, a), *b_line = GEOSBoundary_r(w->geos, b);
    GEOSGeometry *common = a_line && b_line ? GEOSIntersection_r(w->geos, a_line, b_line) : NULL;
    throng_point at = some_point(w, common);
    discard(w, common);
    discard(w, a_line);
    discard(w, b_line);
    return at;
}

static double shared_area(workshop *w, const GEOSGeometry *a, const GEOSGeometry *b) {
    GEOSGeometry *common = GEOSIntersection_r(w->geos, a, b);
    double area = area_of(w, common);
    discard(w, common);
    return area;
}

/* How a hole lies to the border of its polygon. Nobody walks in a hole: whatever it covers is taken away. */
static void judge_hole(workshop *w, const GEOSPreparedGeometry *prepared, const GEOSGeometry *border,
                       const GEOSGeometry *hole, size_t ring) {
    if (GEOSPreparedContainsProperly_r(w->geos, prepared, hole) == 1) return;
    if (GEOSPreparedCovers_r(w->geos, prepared, hole) == 1) {
        tell_ring(w, ring, "touches the border", meeting_point(w, border, hole), "cut out of the area");
    } else if (shared_area(w, border, hole) < dust) {
        tell_ring(w, ring, "lies outside", w->plan->rings[ring].points[0], "left out");
    } else {
        tell_ring(w, ring, "crosses the border", meeting_point(w, border, hole), "cut off there");
    }
}

/* How two holes of a polygon, or two polygons, lie to each other; all is well when they are apart. */
static void judge_pair(workshop *w, GEOSGeometry *const *shapes, const size_t *rings, size_t a, size_t b) {
    size_t later = a > b ? a : b, earlier = a > b ? b : a;
    GEOSGeometry *common = GEOSIntersection_r(w->geos, shapes[later], shapes[earlier]);
    const throng_plan_ring *shape = &w->plan->shapes[rings[earlier]];
    bool hole = shape->role == THRONG_PLAN_HOLE;
    double area = area_of(w, common);
    if (common && !GEOSisEmpty_r(w->geos, common) && (hole || area >= dust)) {
        char what[60];
        const char *how = area < dust                                     ? "touches"
                          : area > (1 - 1e-9) * area_of(w, shapes[later]) ? "lies in"
                                                                          : "overlaps";
        snprintf(what, sizeof what, "%s %s %zu", how, hole ? "hole" : "polygon",
                 hole ? shape->hole : shape->polygon + 1);
        tell_ring(w, rings[later], what, some_point(w, common), "joined");
    }
    discard(w, common);
}

/* Judges all pairs whose boxes meet, from left to right. */
static void find_pairs(workshop *w, GEOSGeometry *const *shapes, const size_t *rings, size_t count) {
    boxed *order = throng_allocate(count * sizeof *order);
    for (size_t i = 0; i < count; i++) {
        throng_ring ring = w->plan->rings[rings[i]];
        order[i] = (boxed){throng_box_of(ring.points, ring.count), i};
    }
    if (count > 0) qsort(order, count, sizeof *order, compare_boxed);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && order[j].box.low.x <= order[i].box.high.x; j++) {
            if (boxes_meet(order[i].box, order[j].box)) judge_pair(w, shapes, rings, order[i].shape, order[j].shape);
        }
    }
    throng_release(order);
}

/* Judges the holes of a polygon, which are rings first .. first + count - 1, and joins them. */
static GEOSGeometry *join_holes(workshop *w, const GEOSGeometry *border, size_t first, size_t count) {
    GEOSGeometry **holes = throng_allocate(count * sizeof *holes);
    size_t *rings = throng_allocate(count * sizeof *rings);
    const GEOSPreparedGeometry *prepared = border ? GEOSPrepare_r(w->geos, border) : NULL;
    bool whole = prepared != NULL;
    for (size_t i = 0; i < count; i++) {
        rings[i] = first + i;
        holes[i] = polygon_of(w, first + i);
        whole = whole && holes[i];
        if (whole) judge_hole(w, prepared, border, holes[i], first + i);
    }
    if (prepared) GEOSPreparedGeom_destroy_r(w->geos, prepared);
    if (whole) find_pairs(w, holes, rings, count);
    GEOSGeometry *joined = join(w, holes, count);
    throng_release(holes);
    throng_release(rings);
    return joined;
}

/* A polygon of the walkable area: ring `first` is its border, the `hole_count` rings after it its holes. */
static GEOSGeometry *cut_polygon(workshop *w, size_t first, size_t hole_count) {
    GEOSGeometry *border = polygon_of(w, first);
    if (hole_count == 0 || !border) return border;
    return take_away(w, border, join_holes(w, border, first + 1, hole_count));
}

/* ---- the whole */

static GEOSGeometry *join_walkable(workshop *w) {
    const throng_plan *plan = w->plan;
    GEOSGeometry **polygons = throng_allocate(plan->polygon_count * sizeof *polygons);
    size_t *borders = throng_allocate(plan->polygon_count * sizeof *borders);
    size_t count = 0;
    bool whole = true;
    for (size_t r = 0, end; r < plan->ring_count && plan->shapes[r].role != THRONG_PLAN_OBSTACLE; r = end) {
        for (end = r + 1; end < plan->ring_count && plan->shapes[end].role == THRONG_PLAN_HOLE;) end++;
        borders[count] = r;
        polygons[count] = cut_polygon(w, r, end - r - 1);
        whole = whole && polygons[count++];
    }
    /* In a MULTIPOLYGON they should not overlap. */
    if (whole && plan->multi) find_pairs(w, polygons, borders, count);
    GEOSGeometry *joined = join(w, polygons, count);
    throng_release(polygons);
    throng_release(borders);
    return joined;
}

static GEOSGeometry *join_obstacles(workshop *w, size_t *count) {
    const throng_plan *plan = w->plan;
    GEOSGeometry **polygons = throng_allocate(plan->ring_count * sizeof *polygons);
    *count = 0;
    for (size_t r = 0; r < plan->ring_count; r++) {
        if (plan->shapes[r].role == THRONG_PLAN_OBSTACLE) polygons[(*count)++] = polygon_of(w, r);
    }
    GEOSGeometry *joined = *count > 0 ? join(w, polygons, *count) : NULL;
    throng_release(polygons);
    return joined;
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

static void add_ring(workshop *w, throng_area *area, const GEOSGeometry *line, bool walkable_within) {
    throng_ring ring = points_of(w, line);
    ring.count = straighten((throng_point *)ring.points, ring.count);
    double size = fabs(throng_ring_area(ring));
    if (ring.count >= 3 && size > (walkable_within ? dust : 0)) throng_area_add(area, ring, walkable_within);
    throng_release((void *)ring.points);
}

/* Whether a piece to walk on is too small or thin to be meant. */
static bool is_too_thin(workshop *w, const GEOSGeometry *part) {
    double area = area_of(w, part), outline = 0;
    GEOSLength_r(w->geos, part, &outline);
    if (area <= dust) return true;
    double width = 2 * area / outline;
    if (width >= THRONG_TOLERANCE) return false;
    throng_point at = some_point(w, part);
    throng_plan_tell(w->plan, NULL, w->notes, THRONG_WARNING, at, "a sliver %.3g mm wide at (%.9g, %.9g) was left out",
                     1000 * width, at.x, at.y);
    return true;
}

static void add_polygons(workshop *w, throng_area *area, const GEOSGeometry *shape, bool walkable_within) {
    int parts = GEOSGetNumGeometries_r(w->geos, shape);
    for (int p = 0; p < parts; p++) {
        const GEOSGeometry *part = GEOSGetGeometryN_r(w->geos, shape, p);
        if (GEOSGeomTypeId_r(w->geos, part) != GEOS_POLYGON || GEOSisEmpty_r(w->geos, part)) continue;
        if (walkable_within && is_too_thin(w, part)) continue;
        add_ring(w, area, GEOSGetExteriorRing_r(w->geos, part), walkable_within);
        int holes = GEOSGetNumInteriorRings_r(w->geos, part);
        for (int h = 0; h < holes; h++) add_ring(w, area, GEOSGetInteriorRingN_r(w->geos, part, h), !walkable_within);
    }
}

bool throng_area_overlay(throng_area *area, const throng_plan *plan, throng_place_notes *notes) {
    workshop w = {.geos = GEOS_init_r(), .plan = plan, .notes = notes};
    GEOSContext_setErrorMessageHandler_r(w.geos, keep_message, &w);
    GEOSContext_setNoticeMessageHandler_r(w.geos, ignore_message, &w);

    size_t obstacle_count;
    GEOSGeometry *result = join_obstacles(&w, &obstacle_count);
    if (!plan->open) {
        GEOSGeometry *walkable = join_walkable(&w);
        result = obstacle_count > 0 ? take_away(&w, walkable, result) : walkable;
    }
    if (result) add_polygons(&w, area, result, !plan->open);
    if (!result) {
        throng_plan_note(plan, NULL, notes, THRONG_ERROR, THRONG_WALKABLE_AREA, "cannot be put together: %s",
                         w.message);
    }
    bool fine = result != NULL;
    discard(&w, result);
    GEOS_finish_r(w.geos);
    return fine;
}
