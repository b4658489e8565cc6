/* Unions and differences of rings that touch, overlap, share edges and all but coincide, beside those that
 * GEOS makes: the same area, the same outline, the same number of rings. `unit_overlay 100000` tries as many. */

#include <geos_c.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/area.h"
#include "space/repair.h"
#include "testing.h"

static GEOSContextHandle_t geos;
static uint64_t dice;
static unsigned long rounds = 4000;

static double draw(double low, double high) { return low + (high - low) * throng_random(23, dice++, 0, 0); }
static int roll(int sides) { return (int)draw(0, sides); }

/* ---- plans */

typedef struct style {
    double mesh;         /* m: corners lie on a lattice of it; 0: anywhere */
    double jitter;       /* m: corners miss it by as much, now and then */
    double far;          /* m from the origin */
    double cosine, sine; /* of how the lattice lies */
} style;

static style random_style(void) {
    static const double meshes[] = {0, 0.5, 1, 2}, jitters[] = {0, 0, 1e-15, 1e-12, 1e-9, 1e-7};
    double angle = roll(2) ? 0 : draw(0, 6.283);
    return (style){meshes[roll(4)], jitters[roll(6)], roll(4) ? 0 : draw(-1e6, 1e6), cos(angle), sin(angle)};
}

static throng_point put(const style *s, double x, double y) {
    if (s->mesh > 0) x = floor(x / s->mesh + 0.5) * s->mesh, y = floor(y / s->mesh + 0.5) * s->mesh;
    if (s->jitter > 0 && roll(3) == 0) x += draw(-s->jitter, s->jitter), y += draw(-s->jitter, s->jitter);
    return (throng_point){s->far + s->cosine * x - s->sine * y, s->sine * x + s->cosine * y};
}

enum { CORNERS_MOST = 40, RINGS_MOST = 12 };

static size_t star(const style *s, throng_point *out, double x, double y, double size) {
    size_t count = 3 + (size_t)roll(9);
    for (size_t i = 0; i < count; i++) {
        double angle = 6.283185307179586 * ((double)i + draw(0, 0.5)) / (double)count, r = size * draw(0.4, 1);
        out[i] = put(s, x + r * cos(angle), y + r * sin(angle));
    }
    return count;
}

static size_t box(const style *s, throng_point *out, double x, double y, double size) {
    double w = size * draw(0.3, 1), h = size * draw(0.3, 1);
    out[0] = put(s, x - w, y - h), out[1] = put(s, x + w, y - h);
    out[2] = put(s, x + w, y + h), out[3] = put(s, x - w, y + h);
    return 4;
}

/* A box with a notch that may close it, or a spike. */
static size_t notched(const style *s, throng_point *out, double x, double y, double size) {
    box(s, out, x, y, size);
    double tip = draw(-1.2, 1) * size;
    out[4] = put(s, x - size / 2, y + size / 2);
    out[5] = put(s, x - size / 2, y + tip);
    out[6] = put(s, x - size / 2 - (roll(2) ? size / 4 : 0), y + tip);
    out[7] = out[3];
    out[3] = out[4];
    memmove(out + 3, out + 4, 4 * sizeof *out);
    return 7;
}

static size_t random_ring(const style *s, throng_point *out, double size) {
    double x = draw(-8, 8), y = draw(-8, 8);
    int kind = roll(5);
    size_t count = kind < 2   ? star(s, out, x, y, size)
                   : kind < 4 ? box(s, out, x, y, size)
                              : notched(s, out, x, y, size);
    if (roll(2)) {
        for (size_t i = 0; i < count / 2; i++) {
            throng_point swap = out[i];
            out[i] = out[count - 1 - i];
            out[count - 1 - i] = swap;
        }
    }
    return count;
}

/* A plan as text for the walkable area, and obstacles. */
typedef struct drawing {
    char wkt[30000];
    size_t length;
    throng_point corners[RINGS_MOST][CORNERS_MOST];
    throng_obstacle obstacles[RINGS_MOST];
    size_t obstacle_count;
    double jitter, far;
    bool exact; /* all corners lie on a lattice exactly */
} drawing;

static void write_ring(drawing *d, const style *s, double size, const char *before) {
    throng_point ring[CORNERS_MOST];
    size_t count = random_ring(s, ring, size);
    d->length += (size_t)sprintf(d->wkt + d->length, "%s(", before);
    for (size_t i = 0; i <= count; i++) {
        throng_point p = ring[i % count];
        d->length += (size_t)sprintf(d->wkt + d->length, "%s%.17g %.17g", i ? ", " : "", p.x, p.y);
    }
    d->length += (size_t)sprintf(d->wkt + d->length, ")");
}

static void draw_plan(drawing *d) {
    style s = random_style();
    d->jitter = s.jitter;
    d->far = fabs(s.far);
    d->exact = s.mesh > 0 && s.jitter == 0 && s.far == 0 && s.sine == 0;
    int polygons = roll(3) ? 1 : 1 + roll(3);
    d->length = (size_t)sprintf(d->wkt, "MULTIPOLYGON (");
    for (int p = 0; p < polygons; p++) {
        write_ring(d, &s, draw(6, 12), p ? ", (" : "(");
        for (int holes = roll(5); holes > 0; holes--) write_ring(d, &s, draw(1, 5), ", ");
        d->length += (size_t)sprintf(d->wkt + d->length, ")");
    }
    sprintf(d->wkt + d->length, ")");
    d->obstacle_count = (size_t)roll(RINGS_MOST);
    for (size_t i = 0; i < d->obstacle_count; i++) {
        size_t count = random_ring(&s, d->corners[i], draw(0.5, 5));
        d->obstacles[i] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {d->corners[i], count}};
    }
}

/* ---- the oracle */

static GEOSGeometry *ring_of(throng_ring ring) {
    double *pairs = throng_allocate((2 * ring.count + 2) * sizeof *pairs);
    for (size_t i = 0; i <= ring.count; i++) {
        pairs[2 * i] = ring.points[i % ring.count].x;
        pairs[2 * i + 1] = ring.points[i % ring.count].y;
    }
    GEOSCoordSequence *points = GEOSCoordSeq_copyFromBuffer_r(geos, pairs, (unsigned)ring.count + 1, 0, 0);
    throng_release(pairs);
    return GEOSGeom_createLinearRing_r(geos, points);
}

static GEOSGeometry *polygon_of(throng_ring ring, bool touching) {
    GEOSGeometry *polygon = GEOSGeom_createPolygon_r(geos, ring_of(ring), NULL, 0);
    if (!touching) return polygon;
    GEOSGeometry *valid = GEOSMakeValid_r(geos, polygon);
    GEOSGeom_destroy_r(geos, polygon);
    return valid;
}

static GEOSGeometry *combine(GEOSGeometry *a, GEOSGeometry *b, bool join) {
    if (!a || !b) return a ? a : b;
    GEOSGeometry *out = join ? GEOSUnion_r(geos, a, b) : GEOSDifference_r(geos, a, b);
    GEOSGeom_destroy_r(geos, a);
    GEOSGeom_destroy_r(geos, b);
    return out;
}

static GEOSGeometry *oracle(const throng_plan *plan) {
    GEOSGeometry *walkable = NULL, *solid = NULL;
    for (size_t r = 0, end; r < plan->ring_count; r = end) {
        GEOSGeometry *shape = polygon_of(plan->rings[r], plan->shapes[r].touching), *holes = NULL;
        for (end = r + 1; end < plan->ring_count && plan->shapes[end].role == THRONG_PLAN_HOLE; end++) {
            holes = combine(holes, polygon_of(plan->rings[end], plan->shapes[end].touching), true);
        }
        bool obstacle = plan->shapes[r].role == THRONG_PLAN_OBSTACLE;
        if (holes) shape = combine(shape, holes, false);
        *(obstacle ? &solid : &walkable) = combine(obstacle ? solid : walkable, shape, true);
    }
    return solid ? combine(walkable, solid, false) : walkable;
}

/* ---- measures */

typedef struct measure {
    double area, outline; /* of what people could stand on: pieces that are no dust and no slivers */
    double left_out;      /* m^2 of the others */
    int rings;
} measure;

static measure measure_geos(const GEOSGeometry *shape) {
    measure m = {0};
    for (int p = 0; p < GEOSGetNumGeometries_r(geos, shape); p++) {
        const GEOSGeometry *part = GEOSGetGeometryN_r(geos, shape, p);
        double area = 0, outline = 0;
        GEOSArea_r(geos, part, &area);
        GEOSLength_r(geos, part, &outline);
        bool small = area <= 1e-6 || 2 * area < THRONG_TOLERANCE * outline;
        *(small ? &m.left_out : &m.area) += area;
        m.outline += small ? 0 : outline;
        m.rings +=
            small || GEOSGeomTypeId_r(geos, part) != GEOS_POLYGON ? 0 : 1 + GEOSGetNumInteriorRings_r(geos, part);
    }
    return m;
}

/* An area as a geometry; each border is followed by its holes. */
static GEOSGeometry *geometry_of(const throng_area *area) {
    GEOSGeometry *polygons[200], *holes[200];
    unsigned count = 0, hole_count;
    for (size_t r = 0, end; r < area->ring_count; r = end) {
        hole_count = 0;
        for (end = r + 1; end < area->ring_count && throng_ring_area(throng_area_ring(area, end)) < 0; end++) {
            holes[hole_count++] = ring_of(throng_area_ring(area, end));
        }
        polygons[count++] = GEOSGeom_createPolygon_r(geos, ring_of(throng_area_ring(area, r)), holes, hole_count);
    }
    return GEOSGeom_createCollection_r(geos, GEOS_MULTIPOLYGON, polygons, count);
}

static double area_of(GEOSGeometry *shape) {
    double area = -1;
    if (shape) GEOSArea_r(geos, shape, &area);
    if (shape) GEOSGeom_destroy_r(geos, shape);
    return area;
}

/* The area that only one of two has. Where outlines differ by a rounding, GEOS finds whole pieces, or nothing at
 * all, now and then; on a grid it seldom does. So the least of its answers counts; infinity: it has none. */
static double difference(const GEOSGeometry *a, const GEOSGeometry *b, double far) {
    const double grids[] = {0, 1e-10, 1e-9, 1e-8};
    double least = INFINITY;
    for (size_t i = 0; i < 4 && least > 1e-9; i++) {
        double area = area_of(GEOSSymDifferencePrec_r(geos, a, b, fmax(grids[i], i > 0 ? 1e-14 * far : 0)));
        if (area >= 0) least = fmin(least, area);
    }
    return least;
}

/* ---- the comparison */

typedef struct tally {
    size_t refused, compared, cleaner, untold, lost;
} tally;

/* GEOS takes what a ring goes around twice away, and a ring that touches itself all but exactly overlaps itself. */
static double area_in_doubt(const throng_plan *plan, const drawing *d) {
    double outline = 0;
    for (size_t r = 0; r < plan->ring_count; r++) {
        for (size_t i = 0; plan->shapes[r].touching && i < plan->rings[r].count; i++) outline += 30;
    }
    return 10 * d->jitter * outline;
}

/* Whether a point lies where the shapes of a plan say that people can walk. */
static bool is_meant(const throng_plan *plan, throng_point p) {
    bool walkable = false, in_polygon = false;
    for (size_t r = 0; r < plan->ring_count; r++) {
        throng_plan_role role = plan->shapes[r].role;
        bool within = throng_ring_contains(plan->rings[r], p.x, p.y);
        if (role == THRONG_PLAN_OBSTACLE && within) return false;
        if (role == THRONG_PLAN_HOLE) in_polygon = in_polygon && !within;
        if (role == THRONG_PLAN_BORDER) in_polygon = within;
        bool last = r + 1 == plan->ring_count || plan->shapes[r + 1].role != THRONG_PLAN_HOLE;
        if (role != THRONG_PLAN_OBSTACLE && last) walkable = walkable || in_polygon;
    }
    return walkable;
}

/* Whether an area has all points that are meant, and no other: as seen at some that are not close to an outline. */
static bool is_as_meant(const throng_plan *plan, const throng_area *area, const drawing *d) {
    for (int i = 0; i < 2000; i++) {
        throng_point p = {(d->exact || d->far == 0 ? 0 : plan->rings[0].points[0].x) + draw(-25, 25), draw(-25, 25)};
        bool close = false, within = false;
        for (size_t r = 0; r < plan->ring_count && !close; r++) {
            throng_point q = throng_ring_border_nearest(plan->rings[r], p.x, p.y);
            close = hypot(q.x - p.x, q.y - p.y) < 1e-5;
        }
        for (size_t r = 0; r < area->ring_count; r++)
            within ^= throng_ring_contains(throng_area_ring(area, r), p.x, p.y);
        if (!close && within != is_meant(plan, p)) return false;
    }
    return true;
}

static void compare(const throng_plan *plan, const throng_area *area, const drawing *d, tally *t) {
    GEOSGeometry *expected = oracle(plan), *found = geometry_of(area);
    measure want = measure_geos(expected), have = measure_geos(found);
    double scale = 1 + want.area + want.outline, doubt = area_in_doubt(plan, d) + 3e-14 * d->far * scale,
           other = difference(expected, found, d->far);
    const char *fault = NULL;
    if (fabs(want.area - have.area) > 1e-9 * scale + doubt) fault = "area";
    t->untold += isinf(other);
    if (!isinf(other) && other - want.left_out > 1e-8 * scale + doubt) fault = "walls";
    if (d->jitter < 1e-10 && have.outline > want.outline + 1e-8 * scale) fault = "longer outline";
    if (d->exact && fabs(have.outline - want.outline) > 1e-9 * scale) fault = "outline";
    for (int p = 0; p < GEOSGetNumGeometries_r(geos, found); p++) {
        if (GEOSisValid_r(geos, GEOSGetGeometryN_r(geos, found, p)) != 1) fault = "validity";
    }
    /* GEOS loses a piece of a hundred plans in a million. */
    bool lost = fault && strcmp(fault, "validity") != 0 && is_as_meant(plan, area, d);
    t->lost += lost;
    if (fault && !lost) {
        print_message("%s\n", d->wkt);
        for (size_t i = 0; i < d->obstacle_count; i++) {
            print_message("obstacle");
            for (size_t k = 0; k < d->obstacles[i].ring.count; k++)
                print_message(" %.17g,%.17g", d->corners[i][k].x, d->corners[i][k].y);
            print_message("\n");
        }
        fail_msg("%s: area %.17g, GEOS %.17g, %g in one only; outline %.17g, GEOS %.17g; rings %d, GEOS %d", fault,
                 have.area, want.area, other, have.outline, want.outline, have.rings, want.rings);
    }
    t->cleaner += have.rings != want.rings || have.outline < want.outline - 1e-8 * scale;
    t->compared++;
    GEOSGeom_destroy_r(geos, expected);
    GEOSGeom_destroy_r(geos, found);
}

static void try_plan(drawing *d, tally *t) {
    throng_plan plan;
    throng_place_notes notes = {0};
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = d->wkt;
    def.obstacles = d->obstacles;
    def.obstacle_count = d->obstacle_count;
    throng_area area = {0};
    bool read = throng_plan_read(&plan, &def, &notes);
    if (read) throng_plan_close_gaps(&plan, &notes);
    if (read && throng_plan_check(&plan, &notes)) {
        if (!throng_area_overlay(&area, &plan, &notes)) fail_msg("not put together: %s", d->wkt);
        compare(&plan, &area, d, t);
    } else {
        t->refused++;
    }
    throng_area_clear(&area);
    throng_plan_clear(&plan);
    throng_place_notes_clear(&notes);
}

static void the_same_as_with_geos(void **state) {
    (void)state;
    static drawing d;
    tally t = {0};
    for (unsigned long i = 0; i < rounds; i++) {
        dice = i << 12;
        draw_plan(&d);
        try_plan(&d, &t);
    }
    print_message(
        "%zu compared, %zu refused, %zu without hairlines that GEOS leaves, %zu where it cannot tell differences, %zu "
        "where it loses ground\n",
        t.compared, t.refused, t.cleaner, t.untold, t.lost);
    assert_true(t.untold < rounds / 100 && t.lost <= rounds / 10000);
    assert_true(t.compared > rounds / 3);
}

int main(int count, char **words) {
    if (count > 1) rounds = strtoul(words[1], NULL, 10);
    geos = GEOS_init_r();
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_as_with_geos)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    GEOS_finish_r(geos);
    return failed;
}
