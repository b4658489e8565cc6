/* plan.c: the list of formats, and what all of them share: adding shapes, names, checks. */

#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "space/place.h"
#include "space/wkt.h"
#include "text/file.h"
#include "text/json_string.h"

const throng_floor_format throng_floor_formats[] = {
    {".wkt", throng_floor_read_wkt}, {".geojson", throng_floor_read_geojson}, {".json", throng_floor_read_geojson},
    {".dxf", throng_floor_read_dxf}, {".png", throng_floor_read_png},         {NULL, NULL}};

const char *const throng_floor_kind_names[THRONG_FLOOR_KIND_COUNT] = {
    [THRONG_FLOOR_WALKABLE] = "walkable", [THRONG_FLOOR_OBSTACLE] = "obstacle", [THRONG_FLOOR_EXIT] = "exit",
    [THRONG_FLOOR_GOAL] = "goal",         [THRONG_FLOOR_ZONE] = "zone",         [THRONG_FLOOR_SPAWN] = "spawn"};

throng_floor_options throng_floor_default_options(void) { return (throng_floor_options){.threshold = 0.5}; }

const throng_floor_format *throng_floor_format_of(const char *path) {
    for (const throng_floor_format *f = throng_floor_formats; f->ending; f++)
        if (throng_path_ends_with(path, f->ending)) return f;
    return NULL;
}

const char *throng_floor_endings(char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = 0;
    for (const throng_floor_format *f = throng_floor_formats; f->ending && used < size; f++) {
        const char *between = f == throng_floor_formats ? "" : f[1].ending ? ", " : " or ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", between, f->ending);
    }
    return buffer;
}

bool throng_floor_read(throng_floor_plan *plan, const throng_floor_format *format, const char *bytes, size_t length,
                       const throng_floor_options *options, throng_report *report) {
    *plan = (throng_floor_plan){0};
    bool good = format->read(plan, bytes, length, options, report);
    good = good && throng_floor_finish(plan, report);
    if (!good) throng_floor_clear(plan);
    return good;
}

/* Drawings and others' files may be in any encoding: what is no UTF-8 becomes question marks. */
static char *copy_name(const char *name) {
    char *copy = throng_copy_text(name);
    for (char *c = copy, *end = copy + strlen(copy); c < end;) {
        int length = throng_utf8_length(c, end);
        if (length == 0) *c = '?';
        c += length > 0 ? length : 1;
    }
    return copy;
}

throng_floor_shape *throng_floor_add(throng_floor_plan *plan, throng_floor_kind kind, throng_floor_form form,
                                     const char *name, int line, int column) {
    THRONG_GROW(plan->shapes, plan->capacity, plan->count + 1);
    throng_floor_shape *shape = &plan->shapes[plan->count++];
    *shape = (throng_floor_shape){.kind = kind,
                                  .form = form,
                                  .name = copy_name(name),
                                  .goal = throng_copy_text(""),
                                  .speed_factor = 1,
                                  .line = line,
                                  .column = column};
    return shape;
}

void throng_floor_add_ring(throng_floor_shape *shape, const throng_point *points, size_t count, int line, int column) {
    bool closed = shape->form == THRONG_FLOOR_AREA;
    while (closed && count > 1 && points[0].x == points[count - 1].x && points[0].y == points[count - 1].y) count--;
    THRONG_GROW(shape->rings, shape->ring_capacity, shape->ring_count + 1);
    shape->rings[shape->ring_count++] =
        (throng_floor_ring){{throng_copy_bytes(points, count * sizeof *points), count}, line, column};
}

const throng_floor_shape *throng_floor_goal(const throng_floor_plan *plan, const char *name) {
    for (size_t i = 0; i < plan->count; i++) {
        const throng_floor_shape *shape = &plan->shapes[i];
        bool goal = shape->kind == THRONG_FLOOR_EXIT || shape->kind == THRONG_FLOOR_GOAL;
        if (goal && strcmp(shape->name, name) == 0) return shape;
    }
    return NULL;
}

void throng_floor_clear(throng_floor_plan *plan) {
    for (size_t i = 0; i < plan->count; i++) {
        throng_floor_shape *shape = &plan->shapes[i];
        for (size_t k = 0; k < shape->ring_count; k++) throng_release((void *)shape->rings[k].ring.points);
        THRONG_RELEASE(shape->rings, shape->name, shape->goal);
    }
    throng_release(plan->shapes);
    *plan = (throng_floor_plan){0};
}

char *throng_floor_wkt(const throng_floor_plan *plan) {
    throng_string out = {0};
    size_t polygons = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const throng_floor_shape *shape = &plan->shapes[i];
        if (shape->kind != THRONG_FLOOR_WALKABLE) continue;
        const char *head = plan->apart ? "MULTIPOLYGON (((" : "GEOMETRYCOLLECTION (POLYGON ((";
        const char *next = plan->apart ? "), ((" : "), POLYGON ((";
        throng_string_add(&out, polygons++ == 0 ? head : next);
        for (size_t r = 0; r < shape->ring_count; r++) {
            /* throng_wkt_add_points opens the parenthesis that the words above already have. */
            throng_string text = {0};
            throng_wkt_add_points(&text, shape->rings[r].ring, true);
            throng_string_add(&out, text.text + (r == 0));
            throng_string_add(&out, r + 1 < shape->ring_count ? ",\n" : "\n");
            throng_release(text.text);
        }
    }
    if (polygons > 0) throng_string_add(&out, "))");
    return out.text;
}

const throng_floor_ring *throng_floor_walkable_ring(const throng_floor_plan *plan, int line) {
    size_t left = line > 0 ? (size_t)line : SIZE_MAX;
    for (size_t i = 0; i < plan->count; i++) {
        const throng_floor_shape *shape = &plan->shapes[i];
        if (shape->kind != THRONG_FLOOR_WALKABLE) continue;
        if (left <= shape->ring_count) return &shape->rings[left - 1];
        left -= shape->ring_count;
    }
    return NULL;
}

/* ------------------------------------------------------------------ plans as well-known text: walkable polygons and
 * nothing else */

bool throng_floor_read_wkt(throng_floor_plan *plan, const char *bytes, size_t length,
                           const throng_floor_options *options, throng_report *report) {
    (void)options;
    throng_wkt wkt;
    throng_error error = {0};
    if (strlen(bytes) != length) return throng_report_refuse(report, "the file holds a zero byte");
    if (!throng_wkt_read(bytes, &wkt, &error)) {
        const char *text = strstr(error.text, ": "); /* behind "WKT line 1 column 2" */
        return throng_report_add(report, THRONG_ERROR, error.line, error.column, "", "%s",
                                 text ? text + 2 : error.text);
    }
    plan->apart = wkt.multi;
    int line = 1, column = 1;
    const char *reached = bytes;
    throng_floor_shape *shape = NULL;
    for (size_t r = 0; r < wkt.ring_count; r++) {
        throng_wkt_ring ring = wkt.rings[r];
        throng_wkt_advance(reached, bytes + ring.offset, &line, &column);
        reached = bytes + ring.offset;
        if (r == 0 || ring.polygon != wkt.rings[r - 1].polygon)
            shape = throng_floor_add(plan, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA, "", line, column);
        throng_floor_add_ring(shape, wkt.points + ring.first, ring.count, line, column);
    }
    throng_wkt_clear(&wkt);
    return true;
}
