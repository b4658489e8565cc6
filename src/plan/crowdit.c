/* crowdit.c: crowd:it's .floor files: XML with <wall> and <wunderZone> elements that hold <point x="" y=""/>. A closed
 * wall is solid, unless everything else lies in it: then it is the outline of the floor. Without an outline walls stand
 * in the rectangle around them all. Zones become goals, since only crowd:it's other files say what they are for. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "plan/draft.h"
#include "space/box.h"
#include "space/place.h"
#include "space/wkt.h"

typedef struct floor_file {
    throng_draft *draft;
    throng_report *report;
    const char *at, *end;
    const char *counted; /* up to where lines were counted */
    int line, column;
    throng_floor_shape *shape; /* the wall or zone that is open */
    bool zone, closed;         /* closed: it says so itself */
    throng_point *points;
    size_t count, capacity;
    throng_box box;
} floor_file;

static void locate(floor_file *f, const char *at) {
    throng_wkt_advance(f->counted, at, &f->line, &f->column);
    f->counted = at;
}

static bool refuse(floor_file *f, const char *at, const char *text) {
    locate(f, at);
    return throng_report_add(f->report, THRONG_ERROR, f->line, f->column, "", "%s", text);
}

/* The value of an attribute within a tag, up to `stop`; NULL: there is none. */
static const char *attribute(const char *tag, const char *stop, const char *name, size_t *length) {
    size_t size = strlen(name);
    for (const char *p = tag; p + size + 2 < stop; p++) {
        bool begins = (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '\n' || p[-1] == '\r') && strncmp(p, name, size) == 0;
        if (!begins || p[size] != '=' || (p[size + 1] != '"' && p[size + 1] != '\'')) continue;
        const char *value = p + size + 2, *quote = memchr(value, p[size + 1], (size_t)(stop - value));
        if (!quote) return NULL;
        *length = (size_t)(quote - value);
        return value;
    }
    return NULL;
}

static bool coordinate(const char *tag, const char *stop, const char *name, double *out) {
    size_t length;
    const char *value = attribute(tag, stop, name, &length);
    char text[64];
    if (!value || length >= sizeof text) return false;
    memcpy(text, value, length);
    text[length] = 0;
    const char *end = throng_number_read(text, out);
    return end && !*end && isfinite(*out);
}

static bool is_tag(const char *tag, const char *stop, const char *name) {
    size_t size = strlen(name);
    return (size_t)(stop - tag) >= size && strncmp(tag, name, size) == 0 && strchr(" \t\r\n/>", tag[size]) != NULL;
}

static bool read_point(floor_file *f, const char *tag, const char *stop) {
    throng_point p;
    if (!coordinate(tag, stop, "x", &p.x) || !coordinate(tag, stop, "y", &p.y))
        return refuse(f, tag, "expected <point x=\"...\" y=\"...\"/> with two numbers");
    THRONG_GROW(f->points, f->capacity, f->count + 1);
    f->points[f->count++] = p;
    f->box = throng_box_with(f->box, p.x, p.y);
    return true;
}

static void open_shape(floor_file *f, const char *tag, const char *stop, bool zone) {
    char name[80] = "";
    size_t length;
    const char *id = attribute(tag, stop, "id", &length);
    if (id) snprintf(name, sizeof name, "%.*s", (int)(length < 79 ? length : 79), id);
    locate(f, tag);
    f->shape = throng_floor_add(&f->draft->plan, zone ? THRONG_FLOOR_GOAL : THRONG_FLOOR_OBSTACLE, THRONG_FLOOR_LINE,
                                name, f->line, f->column);
    const char *closed = attribute(tag, stop, "closed", &length);
    f->closed = closed && length == 4 && strncmp(closed, "true", 4) == 0;
    f->zone = zone;
    f->count = 0;
}

static bool close_shape(floor_file *f, const char *tag) {
    throng_floor_shape *shape = f->shape;
    size_t count = f->count;
    bool returns = count > 3 && f->points[0].x == f->points[count - 1].x && f->points[0].y == f->points[count - 1].y;
    f->shape = NULL;
    if (count < (f->zone ? 3u : 2u)) return refuse(f, tag, f->zone ? "a zone needs 3 points" : "a wall needs 2 points");
    if (returns || f->zone || (f->closed && count > 2)) shape->form = THRONG_FLOOR_AREA;
    throng_floor_add_ring(shape, f->points, count, shape->line, shape->column);
    if (f->zone)
        throng_report_add(f->report, THRONG_WARNING, shape->line, shape->column, "",
                          "zone '%s' becomes a goal; what it is for stands in other files", shape->name);
    return true;
}

static bool take_tag(floor_file *f, const char *tag, const char *stop) {
    bool empty = stop[-1] == '/';
    if (is_tag(tag, stop, "point") && f->shape) return read_point(f, tag, stop);
    if (is_tag(tag, stop, "wall") || is_tag(tag, stop, "wunderZone")) {
        if (f->shape) return refuse(f, tag, "a wall or zone within another one");
        if (empty) return refuse(f, tag, "this wall or zone has no points");
        open_shape(f, tag, stop, *tag == 'w' && tag[1] == 'u');
    } else if (is_tag(tag, stop, "/wall") || is_tag(tag, stop, "/wunderZone")) {
        return f->shape ? close_shape(f, tag) : refuse(f, tag, "a wall or zone ends that did not begin");
    } else if (is_tag(tag, stop, "portal") || is_tag(tag, stop, "stair") || is_tag(tag, stop, "escalator")) {
        locate(f, tag);
        throng_report_add(f->report, THRONG_WARNING, f->line, f->column, "",
                          "ways between floors cannot be said in a scenario: left out");
    }
    return true;
}

static bool read_tags(floor_file *f) {
    while (f->at < f->end) {
        const char *open = memchr(f->at, '<', (size_t)(f->end - f->at));
        if (!open) break;
        bool comment = f->end - open >= 4 && strncmp(open, "<!--", 4) == 0;
        const char *close = comment ? strstr(open, "-->") : memchr(open, '>', (size_t)(f->end - open));
        if (!close) return refuse(f, open, comment ? "this comment does not end" : "this tag does not end");
        if (!comment && !take_tag(f, open + 1, close)) return false;
        f->at = close + (comment ? 3 : 1);
    }
    return !f->shape || refuse(f, f->end, "the file ends within a wall or zone");
}

static bool in_box(throng_box box, const throng_floor_ring *r, double *spare) {
    throng_box own = throng_box_of(r->ring.points, r->ring.count);
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    *spare = 1 - fabs(throng_ring_area(r->ring)) / (width * height);
    return own.low.x == box.low.x && own.low.y == box.low.y && own.high.x == box.high.x && own.high.y == box.high.y;
}

/* Whether everything else lies in this closed wall, which reaches as far as anything. With nothing else in the file it
 * encloses the floor when it would fill most of the rectangle. */
static bool is_outline(const floor_file *f, const throng_floor_shape *wall) {
    const throng_floor_plan *plan = &f->draft->plan;
    double spare;
    if (wall->kind != THRONG_FLOOR_OBSTACLE || wall->form != THRONG_FLOOR_AREA) return false;
    if (!in_box(f->box, &wall->rings[0], &spare)) return false;
    for (size_t i = 0; i < plan->count; i++) {
        const throng_ring other = plan->shapes[i].rings[0].ring;
        for (size_t k = 0; &plan->shapes[i] != wall && k < other.count; k++) {
            double x = other.points[k].x, y = other.points[k].y;
            throng_point near = throng_ring_nearest(wall->rings[0].ring, x, y);
            bool on = fabs(near.x - x) < 1e-3 && fabs(near.y - y) < 1e-3;
            if (!on && !throng_ring_contains(wall->rings[0].ring, x, y)) return false;
        }
    }
    return plan->count > 1 || spare < 0.5;
}

/* What is walked on: within the outline, else the rectangle around everything. */
static void add_floor(floor_file *f) {
    throng_floor_plan *plan = &f->draft->plan;
    for (size_t i = 0; i < plan->count; i++) {
        throng_floor_shape *wall = &plan->shapes[i];
        if (!is_outline(f, wall)) continue;
        wall->kind = THRONG_FLOOR_WALKABLE;
        throng_report_add(f->report, THRONG_NOTE, wall->line, wall->column, "",
                          "this wall goes around everything: the floor lies within it");
        return;
    }
    throng_box b = f->box;
    throng_point corners[] = {b.low, {b.high.x, b.low.y}, b.high, {b.low.x, b.high.y}};
    throng_floor_add_ring(throng_floor_add(plan, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA, "", 0, 0), corners, 4, 0, 0);
    throng_report_add(f->report, THRONG_NOTE, 0, 0, "", "the floor is the rectangle around all walls");
}

bool throng_draft_read_crowdit(throng_draft *draft, const char *bytes, size_t length, throng_report *report) {
    floor_file f = {.draft = draft,
                    .report = report,
                    .at = bytes,
                    .end = bytes + length,
                    .counted = bytes,
                    .line = 1,
                    .column = 1,
                    .box = throng_box_empty()};
    bool good = strlen(bytes) == length || refuse(&f, bytes, "the file holds a zero byte");
    good = good && read_tags(&f);
    if (good && draft->plan.count == 0) good = refuse(&f, f.end, "there is no <wall> in this file");
    if (good && !(f.box.low.x < f.box.high.x && f.box.low.y < f.box.high.y))
        good = refuse(&f, f.end, "the walls enclose nothing");
    if (good) add_floor(&f);
    throng_release(f.points);
    return good;
}
