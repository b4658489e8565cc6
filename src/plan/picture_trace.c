/* picture_trace.c: outlines of the areas of a picture (picture_trace.h): follows their borders along the sides of
 * pixels, and draws them with fewer corners. Where simplified borders meet, the corners around are put back to where
 * they are in the picture, until none meet. Borders as they are in the picture never do.
 *
 * A slanted wall is a staircase in the picture: runs of some pixels, steps of one. The middles of the steps lie
 * on the wall, so these, and the corners between longer runs, are what the new corners are chosen from; the
 * choice is Douglas and Peucker's (1973), with distances measured to the corners of the staircase. */

#include "plan/picture_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "space/line_sweep.h"
#include "space/place.h"

/* ------------------------------------------------------------------ borders: a walk with the area on the left hand
 * until it closes */

/* Directions in the order of left turns: east, north, west, south. */
static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};
/* From a corner, looking in a direction: the pixel ahead on the left (the one on the right follows from the
 * next direction), and the way to the middle of the pixel behind on the left. */
static const int left_x[4] = {0, -1, -1, 0}, left_y[4] = {0, 0, -1, -1};
static const int right_x[4] = {0, 0, -1, -1}, right_y[4] = {-1, 0, 0, -1};
static const int behind_x[4] = {-1, -1, 1, 1}, behind_y[4] = {1, -1, -1, 1};

typedef struct walk {
    const throng_raster *raster;
    uint8_t low, high;
    uint8_t *seen; /* a bit for each pixel: the border along its left side was walked */
    throng_borders *out;
} walk;

static bool is_inside(const walk *w, long x, long y) {
    const throng_raster *r = w->raster;
    if (x < 0 || y < 0 || x >= (long)r->width || y >= (long)r->height) return false;
    uint8_t label = r->labels[(size_t)y * r->width + (size_t)x];
    return label >= w->low && label <= w->high;
}

static void add_corner(throng_borders *out, long x, long y, int pinch_x, int pinch_y) {
    THRONG_GROW(out->corners, out->corner_capacity, out->corner_count + 1);
    out->corners[out->corner_count++] =
        (throng_trace_corner){(uint16_t)x, (uint16_t)y, (int8_t)pinch_x, (int8_t)pinch_y};
}

/* Walks the border that runs down the left side of a pixel. */
static void follow(walk *w, size_t start_x, size_t start_y) {
    long x = (long)start_x, y = (long)start_y + 1;
    int way = 3;
    THRONG_GROW(w->out->first, w->out->capacity, w->out->count + 2);
    w->out->first[w->out->count++] = w->out->corner_count;
    do {
        x += step_x[way];
        y += step_y[way];
        if (way == 3) {
            size_t pixel = (size_t)y * w->raster->width + (size_t)x;
            w->seen[pixel / 8] |= (uint8_t)(1u << pixel % 8);
        }
        bool left = is_inside(w, x + left_x[way], y + left_y[way]);
        bool right = is_inside(w, x + right_x[way], y + right_y[way]);
        if (!left) {
            add_corner(w->out, x, y, right ? behind_x[way] : 0, right ? behind_y[way] : 0);
            way = (way + 1) % 4;
        } else if (right) {
            add_corner(w->out, x, y, 0, 0);
            way = (way + 3) % 4;
        }
    } while (x != (long)start_x || y != (long)start_y + 1 || way != 3);
}

throng_borders throng_follow_borders(const throng_raster *raster, uint8_t low, uint8_t high) {
    throng_borders out = {0};
    size_t pixels = raster->width * raster->height;
    walk w = {raster, low, high, throng_allocate(pixels / 8 + 1), &out};
    for (size_t y = 0; y < raster->height; y++) {
        for (size_t x = 0; x < raster->width; x++) {
            size_t pixel = y * raster->width + x;
            if (w.seen[pixel / 8] >> pixel % 8 & 1) continue;
            if (is_inside(&w, (long)x, (long)y) && !is_inside(&w, (long)x - 1, (long)y)) follow(&w, x, y);
        }
    }
    THRONG_GROW(out.first, out.capacity, out.count + 1);
    out.first[out.count] = out.corner_count;
    throng_release(w.seen);
    return out;
}

void throng_borders_clear(throng_borders *borders) {
    THRONG_RELEASE(borders->corners, borders->first);
    *borders = (throng_borders){0};
}

/* ------------------------------------------------------------------ fewer corners */

/* How freely a border may be drawn. */
typedef enum how_close { CARE_USUAL, CARE_CLOSE, CARE_EXACT } how_close;

/* Places where it must not be drawn as freely as elsewhere: those within a radius of a point. */
typedef struct careful {
    throng_point at;
    double radius; /* pixels, along both axes */
    how_close care;
} careful;

typedef struct care_list {
    const careful *places;
    size_t count;
    bool exact; /* everywhere */
} care_list;

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

static how_close care_at(const care_list *cares, throng_point p) {
    how_close care = CARE_USUAL;
    for (size_t i = 0; i < cares->count; i++) {
        const careful *place = &cares->places[i];
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

static size_t list_items(const throng_trace_corner *corners, size_t count, const care_list *cares, item *items) {
    size_t used = 0;
    how_close last = care_at(cares, position(&corners[count - 1])), care = care_at(cares, position(&corners[0]));
    bool step_before = last < CARE_EXACT && care < CARE_EXACT && is_step(corners, count, count - 1);
    for (size_t i = 0; i < count; i++) {
        throng_point p = position(&corners[i]), q = position(&corners[(i + 1) % count]);
        how_close next = care_at(cares, q);
        bool step = care < CARE_EXACT && next < CARE_EXACT && is_step(corners, count, i);
        bool middle = !step && !step_before;
        items[used++] = (item){p.x, p.y, middle ? middle_limit[care] : corner_limit[care], middle, care == CARE_EXACT};
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

/* Draws one border with fewer corners; the caller releases the points. */
static throng_ring simplify(const throng_trace_corner *corners, size_t count, const care_list *cares) {
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

/* ------------------------------------------------------------------ the whole */

enum { MOST_ROUNDS = 60 };

static void draw(throng_ring *ring, const throng_borders *borders, size_t b, const care_list *cares) {
    throng_release((void *)ring->points);
    *ring = simplify(borders->corners + borders->first[b], borders->first[b + 1] - borders->first[b], cares);
}

/* Whether every hole lies directly in an outline of its own area, and nothing else does. */
static bool is_nested(const throng_outlines *out) {
    for (size_t r = 0; r < out->count; r++) {
        size_t around = out->inside_of[r];
        bool hole = throng_ring_area(out->rings[r]) < 0;
        bool around_is_outline = around != SIZE_MAX && throng_ring_area(out->rings[around]) > 0;
        if (hole != around_is_outline) return false;
    }
    return true;
}

static bool are_apart(throng_outlines *out, throng_ring_contact *contact) {
    return throng_rings_apart(out->rings, out->count, out->inside_of, contact);
}

/* Around a contact: first a closer look at a wide part of it, then the pixels themselves. */
static careful care_for(const care_list *cares, throng_point at) {
    for (size_t i = 0; i < cares->count; i++) {
        const careful *place = &cares->places[i];
        bool near = fabs(at.x - place->at.x) < place->radius && fabs(at.y - place->at.y) < place->radius;
        if (near) return (careful){at, 6 + (double)cares->count / 4, CARE_EXACT};
    }
    return (careful){at, 100, CARE_CLOSE};
}

throng_outlines throng_trace(const throng_raster *raster, uint8_t low, uint8_t high) {
    throng_borders borders = throng_follow_borders(raster, low, high);
    throng_outlines out = {.count = borders.count};
    out.rings = throng_allocate(out.count * sizeof *out.rings);
    out.inside_of = throng_allocate(out.count * sizeof *out.inside_of);
    careful places[MOST_ROUNDS];
    care_list cares = {.places = places};
    for (size_t b = 0; b < out.count; b++) draw(&out.rings[b], &borders, b, &cares);

    throng_ring_contact contact;
    bool apart = out.count == 0 || are_apart(&out, &contact);
    while (!apart && cares.count < MOST_ROUNDS) {
        places[cares.count] = care_for(&cares, contact.at);
        cares.count++;
        draw(&out.rings[contact.ring[0]], &borders, contact.ring[0], &cares);
        if (contact.ring[1] != contact.ring[0]) draw(&out.rings[contact.ring[1]], &borders, contact.ring[1], &cares);
        apart = are_apart(&out, &contact);
    }
    if (!apart || !is_nested(&out)) {
        cares.exact = true;
        for (size_t b = 0; b < out.count; b++) draw(&out.rings[b], &borders, b, &cares);
        are_apart(&out, &contact);
    }
    throng_borders_clear(&borders);
    return out;
}

void throng_outlines_clear(throng_outlines *outlines) {
    for (size_t r = 0; r < outlines->count; r++) throng_release((void *)outlines->rings[r].points);
    THRONG_RELEASE(outlines->rings, outlines->inside_of);
    *outlines = (throng_outlines){0};
}
