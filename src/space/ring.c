/* ring.c: questions about a single ring of points. */

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "space/line_sweep.h"
#include "space/orient.h"
#include "space/repair.h"

bool throng_ring_contains(throng_ring ring, double x, double y) {
    bool inside = false;
    throng_point p = {x, y};
    for (size_t i = 0, j = ring.count - 1; i < ring.count; j = i++) {
        throng_point a = ring.points[j], b = ring.points[i];
        if ((a.y > y) == (b.y > y)) continue;
        /* The edge passes the height of the point: to its right? */
        int turn = throng_turn(a, b, p);
        if (b.y > a.y ? turn > 0 : turn < 0) inside = !inside;
    }
    return inside;
}

/* How far a coordinate is beyond those between two. */
static inline double beyond(double at, double a, double b) {
    double low = a < b ? a - at : b - at, high = a < b ? at - b : at - a, most = low > high ? low : high;
    return most > 0 ? most : 0;
}

throng_point throng_ring_border_nearest(throng_ring ring, double x, double y) {
    throng_point best = {x, y};
    double best2 = INFINITY;
    for (size_t i = 0, j = ring.count - 1; i < ring.count; j = i++) {
        throng_point a = ring.points[j], b = ring.points[i];
        /* most sides are farther away than one before, as far as their boxes tell */
        double ex = beyond(x, a.x, b.x), ey = beyond(y, a.y, b.y);
        if (ex * ex + ey * ey > best2 * (1 + 1e-9)) continue;
        double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
        double along = (x - a.x) * dx + (y - a.y) * dy, t;
        throng_point p = a;
        if (along >= length2 && length2 > 0)
            p = b;
        else if (along > 0)
            t = along / length2, p = (throng_point){a.x + t * dx, a.y + t * dy};
        double distance2 = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
        if (distance2 < best2) {
            best2 = distance2;
            best = p;
        }
    }
    return best;
}

throng_point throng_ring_nearest(throng_ring ring, double x, double y) {
    if (ring.count == 0 || throng_ring_contains(ring, x, y)) return (throng_point){x, y};
    return throng_ring_border_nearest(ring, x, y);
}

double throng_ring_area(throng_ring ring) {
    double twice = 0;
    for (size_t i = 1; i + 1 < ring.count; i++) {
        throng_point o = ring.points[0], a = ring.points[i], b = ring.points[i + 1];
        twice += (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
    }
    return twice / 2;
}

static bool one_point(throng_point a, throng_point b) {
    double dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy < 1e-18;
}

size_t throng_ring_tidy(const throng_point *points, size_t count, bool closed, throng_point *out,
                        throng_point *repeated, size_t *repeated_count) {
    size_t kept = 0;
    *repeated_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && one_point(points[i], out[kept - 1])) {
            if ((*repeated_count)++ == 0) *repeated = points[i];
            continue;
        }
        out[kept++] = points[i];
    }
    while (closed && kept > 1 && one_point(out[0], out[kept - 1])) kept--;
    return kept;
}

static bool refuse(throng_fault *fault, const char *text, throng_point at, bool has_place) {
    if (fault) {
        snprintf(fault->text, sizeof fault->text, "%s", text);
        fault->at = at;
        fault->has_place = has_place;
        fault->plain = true;
    }
    return false;
}

bool throng_ring_is_flat(throng_ring ring) {
    for (size_t i = 2; i < ring.count; i++) {
        if (throng_turn(ring.points[0], ring.points[1], ring.points[i]) != 0) return false;
    }
    return true;
}

static bool is_simple(throng_ring ring, throng_fault *fault) {
    throng_point first = ring.points[0];
    if (ring.count < 3) return refuse(fault, "fewer than three corners", first, ring.count > 0);
    if (throng_ring_is_flat(ring)) return refuse(fault, "zero area: all corners lie in one line", first, true);
    throng_ring_contact contact;
    if (!throng_rings_apart(&ring, 1, NULL, &contact)) {
        refuse(fault, contact.crossing ? "ring crosses itself" : "ring touches itself", contact.at, true);
        if (fault) fault->plain = contact.crossing && contact.depth > THRONG_TOLERANCE;
        return false;
    }
    return true;
}

bool throng_ring_is_simple(const throng_point *points, size_t count, throng_fault *fault) {
    if (count == 0 || !points) return refuse(fault, "fewer than three corners", (throng_point){0, 0}, false);
    for (size_t i = 0; i < count; i++) {
        if (isfinite(points[i].x) && isfinite(points[i].y)) {
            if (fabs(points[i].x) <= THRONG_FARTHEST && fabs(points[i].y) <= THRONG_FARTHEST) continue;
            return refuse(fault, "farther than 100000 km from the origin", points[i], true);
        }
        return refuse(fault, "a coordinate is not a finite number", points[i], true);
    }
    throng_point *tidy = throng_allocate(count * sizeof *tidy), repeated;
    size_t repeated_count;
    size_t kept = throng_ring_tidy(points, count, true, tidy, &repeated, &repeated_count);
    bool simple = is_simple((throng_ring){tidy, kept}, fault);
    throng_release(tidy);
    return simple;
}
