/* simplify.c: a border of pixels drawn with fewer corners.
 *
 * A slanted wall is a staircase in the picture: runs of some pixels, steps of one. The middles of the steps lie
 * on the wall, so these, and the corners between longer runs, are what the new corners are chosen from; the
 * choice is Douglas and Peucker's (1973), with distances measured to the corners of the staircase. */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plan/picture_trace.h"
#include "space/place.h"

typedef struct item {
    double x, y;
    double limit;   /* it may lie so far off what is drawn, pixels */
    bool candidate; /* may become a corner */
    bool chosen;
} item;

/* [care] How far middles of steps and true corners may lie off what is drawn, and how far the corners of a staircase,
 * which lie off its middle anyway; pixels. */
static const double middle_limit[] = {0.6, 0.3, 0}, corner_limit[] = {THRONG_TRACE_TOLERANCE, 0.75, 0};

/* What is no larger stays as it is, square pixels. */
static const double smallest = 12;

/* How far a corner is moved out where two borders meet in a point, pixels. */
static const double pinch = 0.25;

static throng_point position(const throng_trace_corner *c) {
    return (throng_point){c->x + pinch * c->pinch_x, c->y + pinch * c->pinch_y};
}

static throng_care care_at(const throng_cares *cares, throng_point p) {
    throng_care care = THRONG_CARE_USUAL;
    for (size_t i = 0; i < cares->count; i++) {
        const throng_careful *place = &cares->places[i];
        bool near = fabs(p.x - place->at.x) < place->radius && fabs(p.y - place->at.y) < place->radius;
        if (near && place->care > care) care = place->care;
    }
    return care;
}

/* Positive at a corner where the border turns left. */
static long turn(const throng_trace_corner *corners, size_t count, size_t i) {
    const throng_trace_corner *a = &corners[(i + count - 1) % count], *b = &corners[i], *c = &corners[(i + 1) % count];
    return ((long)b->x - a->x) * ((long)c->y - b->y) - ((long)b->y - a->y) * ((long)c->x - b->x);
}

/* Whether the run behind corner i is a step of one pixel between two others that go the same way. */
static bool is_step(const throng_trace_corner *corners, size_t count, size_t i) {
    const throng_trace_corner *a = &corners[i], *b = &corners[(i + 1) % count];
    long length = labs((long)b->x - a->x) + labs((long)b->y - a->y);
    if (length != 1) return false;
    return (turn(corners, count, i) > 0) != (turn(corners, count, (i + 1) % count) > 0);
}

static size_t list_items(const throng_trace_corner *corners, size_t count, const throng_cares *cares, item *items) {
    size_t used = 0;
    throng_care last = care_at(cares, position(&corners[count - 1])), care = care_at(cares, position(&corners[0]));
    bool step_before = last < THRONG_CARE_EXACT && care < THRONG_CARE_EXACT && is_step(corners, count, count - 1);
    for (size_t i = 0; i < count; i++) {
        throng_point p = position(&corners[i]), q = position(&corners[(i + 1) % count]);
        throng_care next = care_at(cares, q);
        bool step = care < THRONG_CARE_EXACT && next < THRONG_CARE_EXACT && is_step(corners, count, i);
        bool middle = !step && !step_before;
        items[used++] =
            (item){p.x, p.y, middle ? middle_limit[care] : corner_limit[care], middle, care == THRONG_CARE_EXACT};
        if (step) items[used++] = (item){(p.x + q.x) / 2, (p.y + q.y) / 2, middle_limit[care], true, false};
        step_before = step;
        care = next;
    }
    return used;
}

static double distance2(const item *p, const item *a, const item *b) {
    double dx = b->x - a->x, dy = b->y - a->y, ex = p->x - a->x, ey = p->y - a->y;
    double length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? (ex * dx + ey * dy) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    ex -= t * dx;
    ey -= t * dy;
    return ex * ex + ey * ey;
}

/* The candidate strictly between two items that is nearest to a third; SIZE_MAX when there is none. */
static size_t nearest_candidate(const item *items, size_t from, size_t to, size_t at) {
    for (size_t reach = 0; at >= from + 1 + reach || at + reach < to; reach++) {
        if (at >= from + 1 + reach && items[at - reach].candidate) return at - reach;
        if (at + reach < to && items[at + reach].candidate) return at + reach;
    }
    return SIZE_MAX;
}

/* Chooses corners between two that are chosen; items go once around and a bit further. */
static void choose(item *items, size_t from, size_t to) {
    size_t capacity = 0, depth = 0;
    size_t(*stack)[2] = NULL;
    THRONG_GROW(stack, capacity, 1);
    stack[depth][0] = from, stack[depth++][1] = to;
    while (depth > 0) {
        size_t low = stack[--depth][0], high = stack[depth][1], worst = low;
        double worst2 = -1;
        for (size_t k = low + 1; k < high; k++) {
            double limit2 = items[k].limit * items[k].limit;
            double d2 = items[k].chosen ? INFINITY : distance2(&items[k], &items[low], &items[high]) / limit2;
            if (d2 > worst2) worst2 = d2, worst = k;
        }
        if (worst2 <= 1) continue;
        size_t split = nearest_candidate(items, low, high, worst);
        if (split == SIZE_MAX) continue;
        items[split].chosen = true;
        THRONG_GROW(stack, capacity, depth + 2);
        stack[depth][0] = low, stack[depth++][1] = split;
        stack[depth][0] = split, stack[depth++][1] = high;
    }
    throng_release(stack);
}

/* Turns the items so that the first one is a good corner to begin with, and repeats it at the end. */
static bool begin_at_corner(item *items, size_t count) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!items[i].candidate) continue;
        if (best == SIZE_MAX || items[i].x + items[i].y < items[best].x + items[best].y) best = i;
    }
    if (best == SIZE_MAX) return false;
    item *copy = throng_copy_bytes(items, count * sizeof *items);
    for (size_t i = 0; i <= count; i++) items[i] = copy[(best + i) % count];
    throng_release(copy);
    return true;
}

static throng_ring exact(const throng_trace_corner *corners, size_t count) {
    throng_point *points = throng_allocate(count * sizeof *points);
    for (size_t i = 0; i < count; i++) points[i] = position(&corners[i]);
    return (throng_ring){points, count};
}

static throng_ring chosen_ring(const item *items, size_t count) {
    throng_point *points = throng_allocate(count * sizeof *points);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].chosen) points[used++] = (throng_point){items[i].x, items[i].y};
    }
    return (throng_ring){points, used};
}

throng_ring throng_simplify(const throng_trace_corner *corners, size_t count, const throng_cares *cares) {
    throng_ring whole = exact(corners, count);
    if (cares->exact || count <= 4 || fabs(throng_ring_area(whole)) <= smallest) return whole;
    item *items = throng_allocate((2 * count + 1) * sizeof *items);
    size_t item_count = list_items(corners, count, cares, items);
    throng_ring ring = {0};
    if (begin_at_corner(items, item_count)) {
        size_t far = 0;
        double far2 = 0;
        for (size_t i = 1; i < item_count; i++) {
            double dx = items[i].x - items[0].x, dy = items[i].y - items[0].y;
            if (items[i].candidate && dx * dx + dy * dy > far2) far = i, far2 = dx * dx + dy * dy;
        }
        items[0].chosen = items[item_count].chosen = true;
        if (far > 0) {
            items[far].chosen = true;
            choose(items, 0, far);
            choose(items, far, item_count);
            ring = chosen_ring(items, item_count);
        }
    }
    throng_release(items);
    /* Slender shapes may have too few steps to choose from. */
    bool fine =
        ring.count >= 3 && (throng_ring_area(ring) > 0) == (throng_ring_area(whole) > 0) && throng_ring_area(ring) != 0;
    throng_release((void *)(fine ? whole.points : ring.points));
    return fine ? ring : whole;
}
