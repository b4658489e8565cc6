/* shapes.c: reads the shapes of a place definition. What can be repaired safely is repaired and noted;
 * every shape is looked at, so that all faults are told at once. */

#include "space/shapes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "space/area.h"
#include "space/line_sweep.h"
#include "space/repair.h"
#include "space/wkt.h"

enum { CORNERS_MOST = 2000000 }; /* about 1 GB while a place is put together */

/* ---- notes */

static throng_place_note *add_note(throng_place_notes *notes, throng_severity severity, size_t item) {
    THRONG_GROW(notes->notes, notes->capacity, notes->count + 1);
    throng_place_note *note = &notes->notes[notes->count++];
    *note = (throng_place_note){.severity = severity, .item = item};
    return note;
}

/* "polygon 2: hole 1: ", as far as it is needed to tell one ring from the others. */
static size_t name_ring(const throng_plan *plan, const throng_plan_ring *ring, char *out, size_t size) {
    char polygon[40] = "", hole[40] = "";
    if (ring->item == THRONG_WALKABLE_AREA) {
        if (plan->polygon_count > 1) snprintf(polygon, sizeof polygon, "polygon %zu: ", ring->polygon + 1);
        if (ring->role == THRONG_PLAN_HOLE) snprintf(hole, sizeof hole, "hole %zu: ", ring->hole);
    }
    return (size_t)snprintf(out, size, "%s%s", polygon, hole);
}

void throng_plan_ring_words(const throng_plan *plan, const throng_plan_ring *ring, char *out, size_t size) {
    char of[40] = "";
    if (plan->polygon_count > 1) snprintf(of, sizeof of, " of polygon %zu", ring->polygon + 1);
    if (ring->item != THRONG_WALKABLE_AREA) {
        snprintf(out, size, "obstacles[%zu]", ring->item);
    } else if (ring->role == THRONG_PLAN_HOLE) {
        snprintf(out, size, "hole %zu%s", ring->hole, of);
    } else if (plan->polygon_count > 1) {
        snprintf(out, size, "polygon %zu", ring->polygon + 1);
    } else {
        snprintf(out, size, "the border");
    }
}

static throng_place_note *write_note(const throng_plan *plan, const throng_plan_ring *ring, throng_place_notes *notes,
                                     throng_severity severity, size_t item, const char *format, va_list arguments) {
    throng_place_note *note = add_note(notes, severity, ring ? ring->item : item);
    size_t used = 0;
    if (ring) {
        note->line = ring->line;
        note->column = ring->column;
        used = name_ring(plan, ring, note->text, sizeof note->text);
    }
    vsnprintf(note->text + used, sizeof note->text - used, format, arguments);
    return note;
}

void throng_plan_note(const throng_plan *plan, const throng_plan_ring *ring, throng_place_notes *notes,
                      throng_severity severity, size_t item, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_note(plan, ring, notes, severity, item, format, arguments);
    va_end(arguments);
}

void throng_plan_tell(const throng_plan *plan, const throng_plan_ring *ring, throng_place_notes *notes,
                      throng_severity severity, throng_point at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    throng_place_note *note = write_note(plan, ring, notes, severity, THRONG_WALKABLE_AREA, format, arguments);
    va_end(arguments);
    note->at = at;
    note->has_place = isfinite(at.x) && isfinite(at.y);
}

void throng_place_notes_clear(throng_place_notes *notes) {
    throng_release(notes->notes);
    *notes = (throng_place_notes){0};
}

/* ---- adding shapes */

static bool coordinates_fit(const throng_plan *plan, const throng_plan_ring *shape, const throng_point *points,
                            size_t count, throng_place_notes *notes) {
    for (size_t i = 0; i < count; i++) {
        double x = points[i].x, y = points[i].y;
        if (fabs(x) <= THRONG_FARTHEST && fabs(y) <= THRONG_FARTHEST) continue;
        bool finite = isfinite(x) && isfinite(y);
        throng_plan_tell(plan, shape, notes, THRONG_ERROR, points[i], "corner %zu (%.9g, %.9g) %s", i + 1, x, y,
                         finite ? "is farther than 100000 km from the origin" : "is not a finite number");
        return false;
    }
    return true;
}

/* Adds points to the plan as those of a shape. */
static void add_points(throng_plan *plan, throng_plan_ring *shape, const throng_point *points, size_t count) {
    THRONG_GROW(plan->points, plan->point_capacity, plan->point_count + count + 1);
    shape->first = plan->point_count;
    shape->count = count;
    if (count > 0) memcpy(plan->points + plan->point_count, points, count * sizeof *points);
    plan->point_count += count;
}

static void tell_repeated(const throng_plan *plan, const throng_plan_ring *shape, const throng_mend *mend,
                          throng_place_notes *notes) {
    char apart[40] = "the same";
    if (mend->size >= THRONG_ONE_POINT) snprintf(apart, sizeof apart, "%.3g mm apart", 1000 * mend->size);
    throng_plan_tell(plan, shape, notes, THRONG_WARNING, mend->at,
                     "points %zu and %zu are %s, at (%.9g, %.9g): one left out", mend->point, mend->other, apart,
                     mend->at.x, mend->at.y);
}

/* The line of a spike is kept as a thin wall: where people can walk, it may well be meant as one. */
static void keep_spike(throng_plan *plan, const throng_plan_ring *shape, const throng_mend *mend) {
    const throng_point line[2] = {mend->base, mend->at};
    if (fabs(line[0].x - line[1].x) + fabs(line[0].y - line[1].y) < THRONG_ONE_POINT) return;
    throng_plan_ring thin = *shape;
    thin.role = THRONG_PLAN_OBSTACLE;
    size_t capacity = plan->line_capacity;
    add_points(plan, &thin, line, 2);
    THRONG_GROW(plan->line_shapes, capacity, plan->line_count + 1);
    THRONG_GROW(plan->lines, plan->line_capacity, plan->line_count + 1);
    plan->line_shapes[plan->line_count++] = thin;
}

static void tell_spike(const throng_plan *plan, const throng_plan_ring *shape, const throng_mend *mend,
                       throng_place_notes *notes) {
    char width[40] = "without width";
    if (mend->size >= THRONG_ONE_POINT) snprintf(width, sizeof width, "%.3g mm wide", 1000 * mend->size);
    throng_plan_tell(
        plan, shape, notes, THRONG_WARNING, mend->at,
        "a spike %s, with its tip at point %zu, (%.9g, %.9g), was cut off at (%.9g, %.9g); where people can "
        "walk it stays as a thin wall",
        width, mend->point, mend->at.x, mend->at.y, mend->base.x, mend->base.y);
}

/* A ring drawn carelessly all along is not told of point by point. */
static void tell_mends(throng_plan *plan, const throng_plan_ring *shape, const throng_mends *mends,
                       throng_place_notes *notes) {
    enum { MOST = 8 };
    for (size_t i = 0; i < mends->count; i++) {
        const throng_mend *mend = &mends->mends[i];
        if (i < MOST) (mend->spike ? tell_spike : tell_repeated)(plan, shape, mend, notes);
        if (mend->spike) keep_spike(plan, shape, mend);
    }
    if (mends->count <= MOST) return;
    throng_point at = mends->mends[MOST].at;
    throng_plan_tell(plan, shape, notes, THRONG_WARNING, at,
                     "%zu more repeated points and spikes like these, from (%.9g, %.9g) on", mends->count - MOST, at.x,
                     at.y);
}

static bool is_simple(throng_ring ring) {
    throng_ring_contact contact;
    return throng_rings_apart(&ring, 1, NULL, &contact);
}

/* Mends a ring: coarsely, or finely when nothing would be left of it or it would come to meet itself. */
static size_t mend_ring(const throng_point *points, size_t count, throng_point *out, throng_mends *mends) {
    size_t kept = throng_ring_mend(points, count, THRONG_TOLERANCE, out, mends);
    if (mends->count == 0) return kept;
    throng_mends fine_mends = {0};
    throng_point *fine = throng_allocate(count * sizeof *fine);
    size_t fine_kept = throng_ring_mend(points, count, THRONG_ONE_POINT, fine, &fine_mends);
    bool coarse = kept >= 3 && !throng_ring_is_flat((throng_ring){out, kept});
    if (coarse && fine_kept != kept && fine_kept >= 3 && !is_simple((throng_ring){out, kept})) {
        coarse = !is_simple((throng_ring){fine, fine_kept});
    }
    if (!coarse) {
        throng_mends other = *mends;
        *mends = fine_mends;
        fine_mends = other;
        memcpy(out, fine, fine_kept * sizeof *out);
        kept = fine_kept;
    }
    THRONG_RELEASE(fine_mends.mends, fine);
    return kept;
}

/* Adds the mended points of a ring. What has no area at all stays as it is, to be refused. */
static void add_mended(throng_plan *plan, throng_plan_ring *shape, const throng_point *points, size_t count,
                       throng_place_notes *notes) {
    throng_mends mends = {0};
    throng_point *out = throng_allocate((count + 1) * sizeof *out), repeated;
    size_t repeated_count, kept = mend_ring(points, count, out, &mends);
    if (kept < 3) {
        kept = count > 0 ? throng_ring_tidy(points, count, true, out, &repeated, &repeated_count) : 0;
    } else {
        tell_mends(plan, shape, &mends, notes);
    }
    add_points(plan, shape, out, kept);
    THRONG_RELEASE(out, mends.mends);
}

static void add_ring(throng_plan *plan, throng_plan_ring shape, const throng_point *points, size_t count,
                     throng_place_notes *notes) {
    if (!coordinates_fit(plan, &shape, points, count, notes)) return;
    if (shape.exact) {
        add_points(plan, &shape, points, count);
    } else {
        add_mended(plan, &shape, points, count, notes);
    }
    throng_ring ring = {plan->points + shape.first, shape.count};
    if (ring.count < 3) {
        throng_point at = count > 0 ? points[0] : (throng_point){NAN, NAN};
        throng_plan_tell(plan, &shape, notes, THRONG_ERROR, at, "fewer than three corners");
        return;
    }
    double area = throng_ring_area(ring);
    if (area < 0 && shape.role != THRONG_PLAN_HOLE) {
        throng_plan_note(plan, &shape, notes, THRONG_WARNING, 0, "ring turns clockwise: turned around");
    }
    size_t capacity = plan->ring_capacity;
    THRONG_GROW(plan->shapes, capacity, plan->ring_count + 1);
    THRONG_GROW(plan->rings, plan->ring_capacity, plan->ring_count + 1);
    plan->shapes[plan->ring_count++] = shape;
}

static void add_line(throng_plan *plan, throng_plan_ring shape, throng_ring line, throng_place_notes *notes) {
    if (!coordinates_fit(plan, &shape, line.points, line.count, notes)) return;
    throng_point *out = throng_allocate((line.count + 1) * sizeof *out), repeated;
    size_t repeated_count = 0;
    size_t kept =
        line.count > 0 ? throng_ring_tidy(line.points, line.count, false, out, &repeated, &repeated_count) : 0;
    add_points(plan, &shape, out, kept);
    throng_release(out);
    if (repeated_count > 0 && kept >= 2) {
        throng_plan_tell(plan, &shape, notes, THRONG_WARNING, repeated,
                         "left out %zu point%s that repeat%s the one before, at (%.9g, %.9g)", repeated_count,
                         repeated_count > 1 ? "s" : "", repeated_count > 1 ? "" : "s", repeated.x, repeated.y);
    }
    if (shape.count < 2) {
        throng_plan_note(plan, &shape, notes, THRONG_ERROR, 0, "fewer than two points");
        return;
    }
    size_t capacity = plan->line_capacity;
    THRONG_GROW(plan->line_shapes, capacity, plan->line_count + 1);
    THRONG_GROW(plan->lines, plan->line_capacity, plan->line_count + 1);
    plan->line_shapes[plan->line_count++] = shape;
}

/* The sine of a small angle, from its series: the same bits on every machine. */
static double small_sine(double angle) {
    double term = angle, sum = angle;
    for (int n = 3; n <= 21; n += 2) {
        term *= -angle * angle / ((n - 1) * n);
        sum += term;
    }
    return sum;
}

/* A disc becomes the polygon around it whose corners stand out by 5 mm at most (for radii up to
 * 100 km), and which touches it at its rightmost, topmost, leftmost and lowest points. */
static void add_disc(throng_plan *plan, throng_plan_ring shape, throng_point centre, double radius,
                     throng_place_notes *notes) {
    const double pi = 3.14159265358979323846, tolerance = 0.005;
    /* 1 / cos(h) <= 1 + h^2 / 2 + h^4 / 3 for half the angle h of a side. */
    size_t sides = 16;
    while (sides < 16384) {
        double half = pi / (double)sides, half2 = half * half;
        if (radius * (half2 / 2 + half2 * half2 / 3) <= tolerance) break;
        sides += 4;
    }
    size_t quarter = sides / 4;
    throng_point *corners = throng_allocate(sides * sizeof *corners);
    double half_sine = small_sine(pi / (double)sides);
    double outer = radius / sqrt(1 - half_sine * half_sine);
    for (size_t i = 0; i < quarter; i++) {
        /* Corners lie between the points that touch; the cosine is the sine counted from the other end. */
        double y = outer * small_sine(pi * ((double)i + 0.5) / (double)(sides / 2));
        double x = outer * small_sine(pi * ((double)(quarter - 1 - i) + 0.5) / (double)(sides / 2));
        corners[i] = (throng_point){centre.x + x, centre.y + y};
        corners[quarter + i] = (throng_point){centre.x - y, centre.y + x};
        corners[2 * quarter + i] = (throng_point){centre.x - x, centre.y - y};
        corners[3 * quarter + i] = (throng_point){centre.x + y, centre.y - x};
    }
    shape.exact = true;
    add_ring(plan, shape, corners, sides, notes);
    throng_release(corners);
}

static void read_obstacle(throng_plan *plan, const throng_obstacle *obstacle, size_t index, throng_place_notes *notes) {
    throng_plan_ring shape = {.role = THRONG_PLAN_OBSTACLE, .item = index};
    if (obstacle->kind == THRONG_POLYGON) {
        add_ring(plan, shape, obstacle->ring.points, obstacle->ring.count, notes);
    } else if (obstacle->kind == THRONG_LINE) {
        add_line(plan, shape, obstacle->ring, notes);
    } else {
        throng_point c = obstacle->centre;
        double r = obstacle->radius;
        if (!(r > 0) || !(r <= THRONG_FARTHEST)) {
            throng_plan_note(plan, &shape, notes, THRONG_ERROR, 0, "radius must be above 0, found %.9g", r);
        } else if (coordinates_fit(plan, &shape, &c, 1, notes)) {
            add_disc(plan, shape, c, r, notes);
        }
    }
}

static void read_wkt(throng_plan *plan, const char *text, throng_place_notes *notes) {
    throng_wkt wkt;
    throng_error error;
    if (!throng_wkt_read(text, &wkt, &error)) {
        throng_plan_note(plan, NULL, notes, THRONG_ERROR, THRONG_WALKABLE_AREA, "%s", error.text);
        notes->notes[notes->count - 1].line = error.line;
        notes->notes[notes->count - 1].column = error.column;
        return;
    }
    plan->multi = wkt.multi;
    plan->polygon_count = wkt.polygon_count;
    size_t first = 0; /* ring of the polygon */
    int line = 1, column = 1;
    const char *reached = text;
    for (size_t r = 0; r < wkt.ring_count; r++) {
        throng_wkt_ring ring = wkt.rings[r];
        if (ring.polygon != wkt.rings[first].polygon) first = r;
        throng_wkt_advance(reached, text + ring.offset, &line, &column);
        reached = text + ring.offset;
        throng_plan_ring shape = {.role = r == first ? THRONG_PLAN_BORDER : THRONG_PLAN_HOLE,
                                  .item = THRONG_WALKABLE_AREA,
                                  .polygon = ring.polygon,
                                  .hole = r - first,
                                  .line = line,
                                  .column = column};
        add_ring(plan, shape, wkt.points + ring.first, ring.count, notes);
    }
    throng_wkt_clear(&wkt);
}

static bool has_errors(const throng_place_notes *notes) {
    for (size_t i = 0; i < notes->count; i++) {
        if (notes->notes[i].severity == THRONG_ERROR) return true;
    }
    return false;
}

/* Rings and lines as geometry, wherever the points have come to lie. */
static void point_rings(throng_plan *plan) {
    for (size_t r = 0; r < plan->ring_count; r++) {
        plan->rings[r] = (throng_ring){plan->points + plan->shapes[r].first, plan->shapes[r].count};
    }
    for (size_t l = 0; l < plan->line_count; l++) {
        plan->lines[l] = (throng_ring){plan->points + plan->line_shapes[l].first, plan->line_shapes[l].count};
    }
}

bool throng_plan_read(throng_plan *plan, const throng_place_def *def, throng_place_notes *notes) {
    *plan = (throng_plan){0};
    bool text = def->walkable_wkt != NULL;
    plan->open = !text && def->walkable.count == 0;
    if (text && def->walkable.count > 0) {
        throng_plan_note(plan, NULL, notes, THRONG_ERROR, THRONG_WALKABLE_AREA, "given both as a ring and as WKT");
    } else if (text) {
        read_wkt(plan, def->walkable_wkt, notes);
    } else if (!plan->open) {
        throng_plan_ring shape = {.role = THRONG_PLAN_BORDER, .item = THRONG_WALKABLE_AREA};
        plan->polygon_count = 1;
        add_ring(plan, shape, def->walkable.points, def->walkable.count, notes);
    }
    for (size_t i = 0; i < def->obstacle_count; i++) read_obstacle(plan, &def->obstacles[i], i, notes);

    point_rings(plan);
    if (plan->point_count > CORNERS_MOST)
        throng_plan_note(plan, NULL, notes, THRONG_ERROR, THRONG_WALKABLE_AREA,
                         "the place has %zu corners, and can have %d at most: leave out details", plan->point_count,
                         CORNERS_MOST);
    return !has_errors(notes);
}

bool throng_plan_of_area(throng_plan *plan, const throng_area *area, throng_place_notes *notes) {
    *plan = (throng_plan){0};
    throng_place_notes mends = {0};
    throng_plan_ring shape = {.item = THRONG_WALKABLE_AREA};
    for (size_t r = 0; r < area->ring_count; r++) {
        throng_ring ring = throng_area_ring(area, r);
        shape.role = throng_ring_area(ring) > 0 ? THRONG_PLAN_BORDER : THRONG_PLAN_HOLE;
        if (shape.role == THRONG_PLAN_BORDER) shape.polygon = plan->polygon_count++;
        shape.hole = shape.role == THRONG_PLAN_BORDER ? 0 : shape.hole + 1;
        add_ring(plan, shape, ring.points, ring.count, &mends);
    }
    point_rings(plan);
    bool mended = mends.count > 0;
    for (size_t i = 0; i < mends.count; i++) {
        if (mends.notes[i].severity == THRONG_ERROR) continue; /* a speck: nothing is left of it */
        THRONG_GROW(notes->notes, notes->capacity, notes->count + 1);
        notes->notes[notes->count++] = mends.notes[i];
    }
    throng_place_notes_clear(&mends);
    return mended;
}

void throng_plan_replace(throng_plan *plan, size_t ring, throng_ring points) {
    const throng_point *before = plan->points;
    add_points(plan, &plan->shapes[ring], points.points, points.count);
    if (plan->points != before) point_rings(plan);
    plan->rings[ring] = (throng_ring){plan->points + plan->shapes[ring].first, points.count};
}

void throng_plan_take_lines(throng_plan *plan, const throng_plan *from) {
    for (size_t l = 0; l < from->line_count; l++) {
        throng_plan_ring shape = from->line_shapes[l];
        size_t capacity = plan->line_capacity;
        add_points(plan, &shape, from->lines[l].points, from->lines[l].count);
        THRONG_GROW(plan->line_shapes, capacity, plan->line_count + 1);
        THRONG_GROW(plan->lines, plan->line_capacity, plan->line_count + 1);
        plan->line_shapes[plan->line_count++] = shape;
    }
    point_rings(plan);
}

static void check_ring(throng_plan *plan, size_t r, throng_place_notes *notes) {
    throng_fault fault;
    throng_plan_ring *shape = &plan->shapes[r];
    if (throng_ring_is_simple(plan->rings[r].points, plan->rings[r].count, &fault)) return;
    throng_point touch = fault.at;
    if (fault.plain || !throng_ring_only_touches(plan->rings[r], &fault)) {
        throng_plan_tell(plan, shape, notes, THRONG_ERROR, fault.at, "%s at (%.9g, %.9g)", fault.text, fault.at.x,
                         fault.at.y);
        return;
    }
    shape->touching = true;
    throng_plan_tell(plan, shape, notes, THRONG_WARNING, touch,
                     "ring touches itself at (%.9g, %.9g): taken apart there", touch.x, touch.y);
}

bool throng_plan_check(throng_plan *plan, throng_place_notes *notes) {
    for (size_t r = 0; r < plan->ring_count; r++) check_ring(plan, r, notes);
    return !has_errors(notes);
}

void throng_plan_clear(throng_plan *plan) {
    THRONG_RELEASE(plan->rings, plan->shapes, plan->lines, plan->line_shapes, plan->points);
    *plan = (throng_plan){0};
}
