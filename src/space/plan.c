/* plan.c: reads the shapes of a place definition. What can be repaired safely is repaired and noted;
 * every shape is looked at, so that all faults are told at once. */

#include "space/plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "space/wkt.h"
#include "world/memory.h"
#include "world/report.h"

/* ---- notes */

static throng_place_note *add_note(throng_place_notes *notes, throng_severity severity, size_t item) {
    THRONG_GROW(notes->notes, notes->capacity, notes->count + 1);
    throng_place_note *note = &notes->notes[notes->count++];
    *note = (throng_place_note){.severity = severity, .item = item};
    return note;
}

/* "polygon 2, hole 1: ", as far as it is needed to tell one ring from the others. */
static int name_ring(const throng_plan *plan, const throng_plan_ring *ring, char *out, size_t size) {
    char polygon[40] = "", hole[40] = "";
    if (ring->item != THRONG_WALKABLE_AREA) return snprintf(out, size, "%s", "");
    if (plan->polygon_count > 1) snprintf(polygon, sizeof polygon, "polygon %zu: ", ring->polygon + 1);
    if (ring->role == THRONG_PLAN_HOLE) snprintf(hole, sizeof hole, "hole %zu: ", ring->hole);
    return snprintf(out, size, "%s%s", polygon, hole);
}

void throng_plan_note(const throng_plan *plan, const throng_plan_ring *ring, throng_place_notes *notes,
                      throng_severity severity, size_t item, const char *format, ...) {
    throng_place_note *note = add_note(notes, severity, ring ? ring->item : item);
    size_t used = 0;
    if (ring) {
        note->line = ring->line;
        note->column = ring->column;
        used = (size_t)name_ring(plan, ring, note->text, sizeof note->text);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note->text + used, sizeof note->text - used, format, arguments);
    va_end(arguments);
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
        throng_plan_note(plan, shape, notes, THRONG_ERROR, 0, "corner %zu (%.9g, %.9g) %s", i + 1, x, y,
                         finite ? "is farther than 100000 km from the origin" : "is not a finite number");
        return false;
    }
    return true;
}

/* Adds the tidied points of a shape to the plan. */
static void add_points(throng_plan *plan, throng_plan_ring *shape, const throng_point *points, size_t count,
                       bool closed, throng_place_notes *notes) {
    THRONG_GROW(plan->points, plan->point_capacity, plan->point_count + count + 1);
    throng_point repeated = {0, 0};
    size_t repeated_count = 0;
    throng_point *out = plan->points + plan->point_count;
    shape->first = plan->point_count;
    shape->count = count > 0 ? throng_ring_tidy(points, count, closed, out, &repeated, &repeated_count) : 0;
    plan->point_count += shape->count;
    if (repeated_count > 0) {
        throng_plan_note(plan, shape, notes, THRONG_WARNING, 0,
                         "left out %zu point%s that repeat%s the one before, at (%.9g, %.9g)%s", repeated_count,
                         repeated_count > 1 ? "s" : "", repeated_count > 1 ? "" : "s", repeated.x, repeated.y,
                         repeated_count > 1 ? " and after" : "");
    }
}

static void add_ring(throng_plan *plan, throng_plan_ring shape, const throng_point *points, size_t count,
                     throng_place_notes *notes) {
    if (!coordinates_fit(plan, &shape, points, count, notes)) return;
    add_points(plan, &shape, points, count, true, notes);
    throng_ring ring = {plan->points + shape.first, shape.count};
    if (ring.count < 3) {
        throng_plan_note(plan, &shape, notes, THRONG_ERROR, 0, "fewer than three corners");
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
    add_points(plan, &shape, line.points, line.count, false, notes);
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

    for (size_t r = 0; r < plan->ring_count; r++) {
        plan->rings[r] = (throng_ring){plan->points + plan->shapes[r].first, plan->shapes[r].count};
    }
    for (size_t l = 0; l < plan->line_count; l++) {
        plan->lines[l] = (throng_ring){plan->points + plan->line_shapes[l].first, plan->line_shapes[l].count};
    }
    return !has_errors(notes);
}

bool throng_plan_check(const throng_plan *plan, throng_place_notes *notes) {
    for (size_t r = 0; r < plan->ring_count; r++) {
        throng_fault fault;
        if (throng_ring_is_simple(plan->rings[r].points, plan->rings[r].count, &fault)) continue;
        throng_plan_note(plan, &plan->shapes[r], notes, THRONG_ERROR, 0, "%s at (%.9g, %.9g)", fault.text, fault.at.x,
                         fault.at.y);
    }
    return !has_errors(notes);
}

void throng_plan_clear(throng_plan *plan) {
    throng_release(plan->rings);
    throng_release(plan->shapes);
    throng_release(plan->lines);
    throng_release(plan->line_shapes);
    throng_release(plan->points);
    *plan = (throng_plan){0};
}
