/* touching.c: what a ring encloses that touches itself, in a point or along an edge. The ring is cut
 * where it meets itself and the faces between the pieces are looked at one by one: the ring goes once
 * around those inside (counting the way it turns as positive), and not at all around those outside.
 * When it goes around a face twice or backwards, it crosses itself, and what is meant cannot be known:
 *
 *       ┌───┐                 ┌───┐
 *       │ 1 ╳ 1   touches     │ 1 ╳ -1   crosses
 *       └───┘                 └───┘                                                        */

#include "space/touching.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "space/orient.h"
#include "space/repair.h"

GEOSGeometry *throng_geos_ring(GEOSContextHandle_t geos, throng_ring ring, bool as_line) {
    double *pairs = throng_allocate((ring.count + 1) * 2 * sizeof *pairs);
    for (size_t i = 0; i <= ring.count; i++) {
        pairs[2 * i] = ring.points[i % ring.count].x;
        pairs[2 * i + 1] = ring.points[i % ring.count].y;
    }
    GEOSCoordSequence *sequence = GEOSCoordSeq_copyFromBuffer_r(geos, pairs, (unsigned)ring.count + 1, 0, 0);
    throng_release(pairs);
    if (!sequence) return NULL;
    return as_line ? GEOSGeom_createLineString_r(geos, sequence) : GEOSGeom_createLinearRing_r(geos, sequence);
}

/* ---- how often a ring goes around a point */

/* The edges of a ring in strips of equal height, so that a question looks at few of them. Strips lie
 * across the axis along which the edges are shorter. */
typedef struct strips {
    throng_ring ring;
    bool turned;            /* x and y are exchanged */
    double low, per_height; /* m, strips per m */
    size_t count;
    size_t *start;  /* [strip] into `edge` */
    uint32_t *edge; /* its first corner */
} strips;

static throng_point turned_if(bool turned, throng_point p) { return turned ? (throng_point){p.y, p.x} : p; }

static throng_point strip_corner(const strips *s, size_t i) {
    return turned_if(s->turned, s->ring.points[i < s->ring.count ? i : 0]);
}

static size_t strip_of(const strips *s, double y) {
    double at = (y - s->low) * s->per_height;
    return at >= 0 ? at < (double)s->count ? (size_t)at : s->count - 1 : 0;
}

static void visit_strips(strips *s, bool write) {
    for (size_t i = 0; i < s->ring.count; i++) {
        double a = strip_corner(s, i).y, b = strip_corner(s, i + 1).y;
        size_t last = strip_of(s, fmax(a, b));
        for (size_t k = strip_of(s, fmin(a, b)); k <= last; k++) {
            if (write) {
                s->edge[s->start[k]++] = (uint32_t)i;
            } else {
                s->start[k + 1]++;
            }
        }
    }
}

/* How many strips hold each edge in a few of them. */
static double strips_for(const strips *s, double height) {
    double walk = 0;
    for (size_t i = 0; i < s->ring.count; i++) walk += fabs(strip_corner(s, i).y - strip_corner(s, i + 1).y);
    double most = height > 0 ? 4.0 * (double)s->ring.count * height / fmax(walk, height) : 1;
    return fmin(fmax(most, 1), (double)s->ring.count);
}

static strips make_strips(throng_ring ring) {
    throng_box box = throng_box_of(ring.points, ring.count);
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    strips s = {.ring = ring};
    double upright = strips_for(&s, height);
    s.turned = true;
    double lying = strips_for(&s, width);
    s.turned = lying > upright;
    s.count = (size_t)fmax(lying, upright);
    s.low = s.turned ? box.low.x : box.low.y;
    if (s.turned) height = width;
    s.per_height = height > 0 ? (double)s.count / height : 0;
    s.start = throng_allocate((s.count + 1) * sizeof *s.start);
    visit_strips(&s, false);
    for (size_t k = 0; k < s.count; k++) s.start[k + 1] += s.start[k];
    s.edge = throng_allocate(s.start[s.count] * sizeof *s.edge);
    visit_strips(&s, true);
    memmove(s.start + 1, s.start, s.count * sizeof *s.start);
    s.start[0] = 0;
    return s;
}

static long turns_around(const strips *s, throng_point point) {
    long turns = 0;
    throng_point p = turned_if(s->turned, point);
    size_t k = strip_of(s, p.y);
    for (size_t e = s->start[k]; e < s->start[k + 1]; e++) {
        throng_point a = strip_corner(s, s->edge[e]), b = strip_corner(s, (size_t)s->edge[e] + 1);
        if ((a.y > p.y) == (b.y > p.y)) continue;
        int side = throng_turn(a, b, p);
        if (b.y > a.y && side > 0) turns++;
        if (b.y < a.y && side < 0) turns--;
    }
    return s->turned ? -turns : turns;
}

/* ---- the faces */

static throng_point inner_point(GEOSContextHandle_t geos, const GEOSGeometry *face) {
    throng_point p = {NAN, NAN};
    GEOSGeometry *point = GEOSPointOnSurface_r(geos, face);
    if (point) {
        GEOSGeomGetX_r(geos, point, &p.x);
        GEOSGeomGetY_r(geos, point, &p.y);
        GEOSGeom_destroy_r(geos, point);
    }
    return p;
}

/* Nowhere wider than the tolerance, roughly: the width of a long rectangle of its area and outline. */
static bool is_sliver(GEOSContextHandle_t geos, const GEOSGeometry *face) {
    double area = 0, outline = 0;
    GEOSArea_r(geos, face, &area);
    GEOSLength_r(geos, face, &outline);
    return 2 * area < THRONG_TOLERANCE * outline;
}

/* Where a face that should not be there begins: at a point of its outline that is no corner of the
 * ring, which is where two edges cross, or else anywhere on it. */
static throng_point crossing_of(GEOSContextHandle_t geos, const GEOSGeometry *face, throng_ring ring) {
    const GEOSCoordSequence *outline = GEOSGeom_getCoordSeq_r(geos, GEOSGetExteriorRing_r(geos, face));
    throng_point first = {NAN, NAN};
    unsigned count = 0;
    if (!outline || !GEOSCoordSeq_getSize_r(geos, outline, &count)) return first;
    for (unsigned k = 0; k < count; k++) {
        throng_point p;
        GEOSCoordSeq_getXY_r(geos, outline, k, &p.x, &p.y);
        if (k == 0) first = p;
        bool corner = false;
        for (size_t i = 0; i < ring.count && !corner; i++) corner = ring.points[i].x == p.x && ring.points[i].y == p.y;
        if (!corner) return p;
    }
    return first;
}

static GEOSGeometry *faces_of(GEOSContextHandle_t geos, throng_ring ring) {
    GEOSGeometry *line = throng_geos_ring(geos, ring, true);
    GEOSGeometry *cut = line ? GEOSUnaryUnion_r(geos, line) : NULL;
    const GEOSGeometry *const pieces[] = {cut};
    GEOSGeometry *faces = cut ? GEOSPolygonize_r(geos, pieces, 1) : NULL;
    if (line) GEOSGeom_destroy_r(geos, line);
    if (cut) GEOSGeom_destroy_r(geos, cut);
    return faces;
}

static GEOSGeometry *refuse(throng_fault *fault, const char *text, throng_point at) {
    snprintf(fault->text, sizeof fault->text, "%s", text);
    fault->at = at;
    fault->has_place = true;
    return NULL;
}

/* Joins the faces the ring goes around. */
static GEOSGeometry *join_inside(GEOSContextHandle_t geos, const GEOSGeometry *faces, const strips *s,
                                 throng_fault *fault) {
    int count = GEOSGetNumGeometries_r(geos, faces);
    GEOSGeometry **inside = throng_allocate(((size_t)count + 1) * sizeof *inside);
    long sense = throng_ring_area(s->ring) > 0 ? 1 : -1;
    unsigned kept = 0;
    bool crosses = false;
    throng_point at = s->ring.points[0];
    for (int i = 0; i < count && !crosses; i++) {
        const GEOSGeometry *face = GEOSGetGeometryN_r(geos, faces, i);
        long turns = sense * turns_around(s, inner_point(geos, face));
        crosses = turns != 0 && turns != 1 && !is_sliver(geos, face);
        if (crosses) at = crossing_of(geos, face, s->ring);
        if (turns > 0) inside[kept++] = GEOSGeom_clone_r(geos, face);
    }
    GEOSGeometry *all = GEOSGeom_createCollection_r(geos, GEOS_GEOMETRYCOLLECTION, inside, kept);
    throng_release(inside);
    GEOSGeometry *joined = all && kept > 0 && !crosses ? GEOSUnaryUnion_r(geos, all) : NULL;
    if (all) GEOSGeom_destroy_r(geos, all);
    if (crosses) return refuse(fault, "ring crosses itself", at);
    if (!joined) return refuse(fault, "zero area: the ring encloses nothing", at);
    return joined;
}

/* Whether so many edges lie side by side that comparing them would take minutes: judged from a few. */
static bool is_too_intricate(throng_ring ring) {
    enum { SAMPLES = 64 };
    size_t meetings = 0;
    for (size_t k = 0; k < SAMPLES; k++) {
        size_t e = ring.count * k / SAMPLES;
        throng_point a = ring.points[e], b = ring.points[(e + 1) % ring.count];
        double left = fmin(a.x, b.x), right = fmax(a.x, b.x), low = fmin(a.y, b.y), high = fmax(a.y, b.y);
        for (size_t i = 0; i < ring.count; i++) {
            throng_point c = ring.points[i], d = ring.points[i + 1 < ring.count ? i + 1 : 0];
            meetings +=
                fmin(c.x, d.x) <= right && fmax(c.x, d.x) >= left && fmin(c.y, d.y) <= high && fmax(c.y, d.y) >= low;
        }
    }
    return (double)meetings / SAMPLES * (double)ring.count > 1e8;
}

GEOSGeometry *throng_touching_polygon(GEOSContextHandle_t geos, throng_ring ring, throng_fault *fault) {
    strips s = make_strips(ring);
    bool intricate = is_too_intricate(ring);
    GEOSGeometry *faces = intricate ? NULL : faces_of(geos, ring), *polygon = NULL;
    if (faces) polygon = join_inside(geos, faces, &s, fault);
    if (!faces) {
        refuse(fault, intricate ? "ring touches itself, and is too intricate to repair," : "ring cannot be understood",
               fault->has_place ? fault->at : ring.points[0]);
    }
    throng_release(s.start);
    throng_release(s.edge);
    if (faces) GEOSGeom_destroy_r(geos, faces);
    return polygon;
}

bool throng_ring_only_touches(throng_ring ring, throng_fault *fault) {
    GEOSContextHandle_t geos = GEOS_init_r();
    GEOSGeometry *polygon = throng_touching_polygon(geos, ring, fault);
    bool touches = polygon != NULL;
    if (polygon) GEOSGeom_destroy_r(geos, polygon);
    GEOS_finish_r(geos);
    return touches;
}
