/* repair.c: mends a single ring in one pass, with the points kept so far as a stack: a new point may
 * repeat the last one, or turn straight back upon the way that led to it; then the last point is the
 * tip of a spike and goes, and the new one is looked at again.
 *
 *       o────────o                 o────────o
 *       │        │ ╲               │        │
 *       │        o──o tip    ──►   │        │ (and a line to the tip)
 *       o────────┘                 o────────o                                  */

#include "space/repair.h"
#include "base/vector.h"

#include <math.h>

#include "base/memory.h"

typedef struct mending {
    const throng_point *points;
    size_t *kept; /* indices of points, as a stack */
    size_t begin, end;
    double tolerance;
    throng_mends *mends;
} mending;

static void add_mend(throng_mends *mends, throng_mend mend) {
    THRONG_GROW(mends->mends, mends->capacity, mends->count + 1);
    mends->mends[mends->count++] = mend;
}

/* Whether point q is drawn a second time as r. */
static bool repeats(mending *m, size_t q, size_t r) {
    double apart = throng_distance(m->points[q], m->points[r]);
    if (!(apart < m->tolerance)) return false;
    /* Where a spike comes back to its base, nothing is drawn twice but the spike. */
    const throng_mend *last = m->mends->count > 0 ? &m->mends->mends[m->mends->count - 1] : NULL;
    if (last && last->spike && throng_distance(last->base, m->points[r]) < m->tolerance) return true;
    add_mend(m->mends, (throng_mend){.point = q + 1, .other = r + 1, .at = m->points[r], .size = apart});
    return true;
}

/* Whether the way p, q, r turns straight back at q. */
static bool is_spike(mending *m, size_t p, size_t q, size_t r) {
    throng_point a = m->points[p], tip = m->points[q], b = m->points[r];
    double ux = tip.x - a.x, uy = tip.y - a.y, vx = b.x - tip.x, vy = b.y - tip.y;
    if (!(ux * vx + uy * vy < 0)) return false;
    double out = sqrt(ux * ux + uy * uy), back = sqrt(vx * vx + vy * vy);
    double width = fabs(ux * vy - uy * vx) / fmax(out, back);
    if (!(width < m->tolerance)) return false;
    throng_point base = back <= out ? b : a;
    add_mend(m->mends, (throng_mend){true, q + 1, q + 1, tip, base, width});
    return true;
}

static void take(mending *m, size_t i) {
    for (;;) {
        size_t depth = m->end - m->begin;
        if (depth > 0 && repeats(m, m->kept[m->end - 1], i)) return;
        if (depth < 2 || !is_spike(m, m->kept[m->end - 2], m->kept[m->end - 1], i)) break;
        m->end--;
    }
    m->kept[m->end++] = i;
}

/* The ring goes on from its last point to its first. */
static void join_ends(mending *m) {
    while (m->end - m->begin >= 3) {
        size_t first = m->kept[m->begin], last = m->kept[m->end - 1];
        if (repeats(m, last, first) || is_spike(m, m->kept[m->end - 2], last, first)) {
            m->end--;
        } else if (is_spike(m, last, first, m->kept[m->begin + 1])) {
            m->begin++;
        } else {
            return;
        }
    }
}

size_t throng_ring_mend(const throng_point *points, size_t count, double tolerance, throng_point *out,
                        throng_mends *mends) {
    while (count > 1 && throng_distance(points[0], points[count - 1]) < THRONG_ONE_POINT) count--;
    mending m = {.points = points, .tolerance = tolerance, .mends = mends};
    m.kept = throng_allocate(count * sizeof *m.kept);
    for (size_t i = 0; i < count; i++) take(&m, i);
    join_ends(&m);
    size_t kept = m.end - m.begin;
    for (size_t i = 0; i < kept; i++) out[i] = points[m.kept[m.begin + i]];
    throng_release(m.kept);
    return kept;
}
