/* read_points.c: points, lists of points and polygons. */

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scenario/read.h"
#include "space/place.h"

bool throng_is_number_pair(const throng_reader *reader, throng_json_ref node) {
    const throng_json *json = reader->json;
    return throng_json_kind_of(json, node) == THRONG_JSON_LIST && throng_json_count(json, node) == 2 &&
           throng_json_kind_of(json, node + 1) == THRONG_JSON_NUMBER &&
           throng_json_kind_of(json, node + 2) == THRONG_JSON_NUMBER;
}

bool throng_read_vector(throng_reader *reader, throng_json_ref node, const char *what, throng_point *out) {
    if (node == THRONG_NO_NODE) return true;
    if (!throng_is_number_pair(reader, node)) {
        /* A number the JSON reader refused spoils its list without a second complaint. */
        const throng_json *json = reader->json;
        if (throng_json_kind_of(json, node) == THRONG_JSON_LIST) {
            throng_json_ref end = throng_json_end(json, node);
            for (throng_json_ref k = throng_json_first(json, node); k < end; k = throng_json_after(json, k)) {
                if (throng_json_kind_of(json, k) == THRONG_JSON_BAD) return false;
            }
        }
        return throng_expected(reader, node, what);
    }
    *out = (throng_point){throng_json_number_of(reader->json, node + 1), throng_json_number_of(reader->json, node + 2)};
    if (fabs(out->x) > THRONG_FARTHEST || fabs(out->y) > THRONG_FARTHEST) {
        return throng_wrong(reader, node, "[%g, %g] is too far out: at most %g m from the origin", out->x, out->y,
                            THRONG_FARTHEST);
    }
    return true;
}

bool throng_read_point(throng_reader *reader, throng_json_ref node, throng_point *out) {
    return throng_read_vector(reader, node, "a point [x, y]", out);
}

static bool is_filled_list(const throng_json *json, throng_json_ref node) {
    return throng_json_kind_of(json, node) == THRONG_JSON_LIST && throng_json_count(json, node) > 0;
}

/* [[[x, y], ...], ...], as other formats write polygons with holes. */
static bool is_list_of_rings(const throng_json *json, throng_json_ref node) {
    return is_filled_list(json, node) && is_filled_list(json, node + 1) && is_filled_list(json, node + 2);
}

bool throng_read_points(throng_reader *reader, throng_json_ref node, size_t least, const char *what, throng_ring *out) {
    const throng_json *json = reader->json;
    *out = (throng_ring){0};
    if (throng_json_kind_of(json, node) != THRONG_JSON_LIST) return throng_expected(reader, node, what);
    if (is_list_of_rings(json, node)) {
        return throng_wrong(reader, node, "expected %s, found a list of lists of points: only one ring can be given",
                            what);
    }
    size_t count = throng_json_count(json, node);
    if (count < least) {
        return throng_wrong(reader, node, "expected %s, found %zu point%s", what, count, count == 1 ? "" : "s");
    }

    throng_point *points = throng_allocate(count * sizeof *points);
    bool good = true;
    throng_json_ref item = throng_json_first(json, node);
    for (size_t i = 0; i < count; i++, item = throng_json_after(json, item)) {
        good = throng_read_point(reader, item, &points[i]) && good;
    }
    *out = (throng_ring){points, count};
    return good;
}

/* ------------------------------------------------------------------ polygons */

static bool same_point(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

static throng_json_ref item_at(const throng_reader *reader, throng_json_ref list, size_t index) {
    throng_json_ref item = throng_json_first(reader->json, list);
    while (index-- > 0) item = throng_json_after(reader->json, item);
    return item;
}

/* Drops points equal to the one before them; a closing point is customary and no reason to complain. */
static void drop_repeats(throng_reader *reader, throng_json_ref node, throng_ring *ring) {
    throng_point *points = (throng_point *)ring->points;
    if (ring->count > 1 && same_point(points[0], points[ring->count - 1])) ring->count--;
    size_t kept = 1, repeats = 0, first = 0;
    throng_point at = points[0];
    for (size_t i = 1; i < ring->count; i++) {
        if (!same_point(points[i], points[kept - 1])) {
            points[kept++] = points[i];
        } else if (repeats++ == 0) {
            first = i;
            at = points[i];
        }
    }
    while (kept > 1 && same_point(points[0], points[kept - 1])) kept--, repeats++;
    ring->count = kept;
    if (repeats) {
        throng_warn(reader, item_at(reader, node, first), "%zu repeated point%s left out, at (%.9g, %.9g)%s", repeats,
                    repeats == 1 ? "" : "s", at.x, at.y, repeats == 1 ? "" : " and after");
        throng_locate(reader, at);
    }
}

throng_json_ref throng_corner_near(const throng_reader *reader, throng_json_ref node, throng_point at) {
    const throng_json *json = reader->json;
    throng_json_ref end = throng_json_end(json, node), best = node;
    double best2 = INFINITY;
    throng_point last = {0};
    for (throng_json_ref k = throng_json_first(json, node), before = node; k < end; k = throng_json_after(json, k)) {
        throng_point p = {throng_json_number_of(json, k + 1), throng_json_number_of(json, k + 2)};
        if (before != node) {
            double dx = p.x - last.x, dy = p.y - last.y, length2 = dx * dx + dy * dy;
            double t = length2 > 0 ? ((at.x - last.x) * dx + (at.y - last.y) * dy) / length2 : 0;
            t = fmin(fmax(t, 0), 1);
            double ex = at.x - last.x - t * dx, ey = at.y - last.y - t * dy;
            if (ex * ex + ey * ey < best2) best2 = ex * ex + ey * ey, best = before;
        }
        before = k;
        last = p;
    }
    return best;
}

bool throng_read_polygon(throng_reader *reader, throng_json_ref node, throng_ring *out) {
    const char *what = "a polygon: a list of at least 3 points [x, y]";
    if (!throng_read_points(reader, node, 3, what, out)) return false;
    drop_repeats(reader, node, out);
    if (out->count < 3) return throng_wrong(reader, node, "a polygon needs at least 3 different points");

    throng_fault fault = {0};
    if (throng_ring_is_simple(out->points, out->count, &fault)) return true;
    if (!fault.has_place) return throng_wrong(reader, node, "%s", fault.text);
    throng_wrong(reader, throng_corner_near(reader, node, fault.at), "%s at (%.10g, %.10g)", fault.text, fault.at.x,
                 fault.at.y);
    return throng_locate(reader, fault.at);
}
