/* faults.c: see faults.h. From top to bottom: the name and how many faults, the place as it was given
 * with a numbered mark at each fault, and the numbered messages. */

#include "faults.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "messages.h"
#include "picture.h"

static const double page_width = 1400, margin = 28, unit = 16; /* px */
static const double highest_place = 1000, most_scale = 160;    /* px, px per m */

enum { MOST_MARKS = 200, MOST_LINES = 24, LINE_SIZE = 420 };

/* A message that is shown. */
typedef struct mark {
    throng_message message;
    size_t number;
} mark;

typedef struct fault_list {
    mark marks[MOST_MARKS];
    size_t count, errors, warnings;
} fault_list;

typedef struct page {
    canvas on;
    const throng_sketch *sketch;
    const fault_list *faults;
    const char *name;
    double height;
} page;

static const colour colour_fault = {0.80, 0.09, 0.11}, colour_repair = {0.90, 0.49, 0.04};
static const colour colour_solid = {0.78, 0.80, 0.83};

static colour colour_of(const throng_message *message) {
    return message->severity == THRONG_ERROR ? colour_fault : colour_repair;
}

static void collect(fault_list *list, const throng_report *report) {
    memset(list, 0, sizeof *list);
    list->errors = throng_report_tally(report, THRONG_ERROR);
    list->warnings = throng_report_tally(report, THRONG_WARNING);
    for (size_t i = 0; i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        if (m.severity == THRONG_NOTE) continue;
        if (list->count == MOST_MARKS) continue;
        list->marks[list->count] = (mark){m, list->count + 1};
        list->count++;
    }
}

/* ------------------------------------------------------------------ what is shown */

/* A point too far out to be meant would shrink everything else to a dot. */
static bool is_sane(double x, double y) { return fabs(x) <= 1e8 && fabs(y) <= 1e8; }

static throng_box bounds_of(const throng_sketch *sketch, const fault_list *faults) {
    throng_box box = scene_empty_box();
    for (size_t i = 0; i < throng_sketch_count(sketch); i++) {
        throng_sketch_shape shape = throng_sketch_shape_at(sketch, i);
        double reach = fmax(shape.radius, 0);
        for (size_t k = 0; k < shape.ring.count; k++)
            if (is_sane(shape.ring.points[k].x, shape.ring.points[k].y))
                scene_include(&box, shape.ring.points[k].x, shape.ring.points[k].y, reach < 1e8 ? reach : 0);
    }
    for (size_t i = 0; i < faults->count; i++) {
        const throng_message *m = &faults->marks[i].message;
        if (m->has_place && is_sane(m->x, m->y)) scene_include(&box, m->x, m->y, 0.5);
    }
    if (!(box.low.x <= box.high.x)) box = (throng_box){{-5, -5}, {5, 5}};
    double edge = 0.03 * fmax(box.high.x - box.low.x, box.high.y - box.low.y) + 0.2;
    return (throng_box){{box.low.x - edge, box.low.y - edge}, {box.high.x + edge, box.high.y + edge}};
}

static void shape_path(const canvas *on, const throng_sketch_shape *shape, bool closed) {
    cairo_new_sub_path(on->cr);
    if (shape->ring.count == 1) {
        throng_point p = shape->ring.points[0];
        if (is_sane(p.x, p.y) && shape->radius > 0 && shape->radius < 1e8)
            cairo_arc(on->cr, canvas_x(on, p.x), canvas_y(on, p.y), fmax(shape->radius * on->scale, 1), 0, full_turn);
        return;
    }
    for (size_t k = 0; k < shape->ring.count; k++) {
        throng_point p = shape->ring.points[k];
        if (is_sane(p.x, p.y)) cairo_line_to(on->cr, canvas_x(on, p.x), canvas_y(on, p.y));
    }
    if (closed) cairo_close_path(on->cr);
}

static void paths_of(const page *p, throng_sketch_kind kind) {
    cairo_new_path(p->on.cr);
    for (size_t i = 0; i < throng_sketch_count(p->sketch); i++) {
        throng_sketch_shape shape = throng_sketch_shape_at(p->sketch, i);
        if (shape.kind == kind) shape_path(&p->on, &shape, kind != THRONG_SKETCH_LINE);
    }
}

static void fill(const page *p, throng_sketch_kind kind, colour c, double opacity) {
    paths_of(p, kind);
    canvas_colour(&p->on, c, opacity);
    cairo_fill(p->on.cr);
}

static void outline(const page *p, throng_sketch_kind kind, colour c, double opacity, double width) {
    paths_of(p, kind);
    canvas_colour(&p->on, c, opacity);
    cairo_set_line_width(p->on.cr, width);
    cairo_stroke(p->on.cr);
}

static void draw_shapes(const page *p) {
    const canvas *on = &p->on;
    bool open = true;
    for (size_t i = 0; i < throng_sketch_count(p->sketch); i++)
        if (throng_sketch_shape_at(p->sketch, i).kind == THRONG_SKETCH_WALKABLE) open = false;
    cairo_rectangle(on->cr, on->left, on->bottom - on->height, on->width, on->height);
    cairo_clip_preserve(on->cr);
    canvas_colour(on, open ? colour_floor : colour_outside, 1);
    cairo_fill(on->cr);
    cairo_set_fill_rule(on->cr, CAIRO_FILL_RULE_WINDING);
    fill(p, THRONG_SKETCH_WALKABLE, colour_floor, 1);
    fill(p, THRONG_SKETCH_HOLE, colour_outside, 1);
    fill(p, THRONG_SKETCH_OBSTACLE, colour_solid, 1);
    fill(p, THRONG_SKETCH_GOAL, colour_goal, 0.12);
    outline(p, THRONG_SKETCH_GOAL, colour_goal, 0.5, 1);
    fill(p, THRONG_SKETCH_START, colour_exit, 0.07);
    outline(p, THRONG_SKETCH_START, colour_exit, 0.4, 1);
    outline(p, THRONG_SKETCH_PERSON, colour_faint_text, 0.6, 1);
    cairo_set_line_join(on->cr, CAIRO_LINE_JOIN_ROUND);
    outline(p, THRONG_SKETCH_WALKABLE, colour_wall, 1, 1.8);
    outline(p, THRONG_SKETCH_HOLE, colour_wall, 1, 1.8);
    outline(p, THRONG_SKETCH_OBSTACLE, colour_wall, 1, 1.2);
    outline(p, THRONG_SKETCH_LINE, colour_wall, 1, 2.4);
    cairo_reset_clip(on->cr);
}

/* ------------------------------------------------------------------ marks */

static void centred(const canvas *on, const char *text, double x, double y) {
    cairo_text_extents_t size;
    cairo_text_extents(on->cr, text, &size);
    cairo_move_to(on->cr, x - size.width / 2 - size.x_bearing, y - size.height / 2 - size.y_bearing);
    cairo_show_text(on->cr, text);
}

/* The number of a mark, in a filled disc. */
static void draw_number(const canvas *on, const mark *m, double x, double y) {
    char number[16];
    snprintf(number, sizeof number, "%zu", m->number);
    cairo_new_path(on->cr);
    cairo_arc(on->cr, x, y, 0.72 * unit, 0, full_turn);
    canvas_colour(on, colour_of(&m->message), 1);
    cairo_fill(on->cr);
    cairo_set_font_size(on->cr, (m->number > 99 ? 0.62 : 0.8) * unit);
    canvas_colour(on, colour_page, 1);
    centred(on, number, x, y);
}

/* A ring with a cross of hairs through the place, and its number beside it. Marks on one spot fan out. */
static void draw_mark(const page *p, const mark *m, size_t before) {
    const canvas *on = &p->on;
    double x = canvas_x(on, m->message.x), y = canvas_y(on, m->message.y), r = 0.9 * unit;
    canvas_colour(on, colour_of(&m->message), 1);
    cairo_set_line_width(on->cr, 2.2);
    cairo_new_path(on->cr);
    cairo_arc(on->cr, x, y, r, 0, full_turn);
    cairo_stroke(on->cr);
    cairo_set_line_width(on->cr, 1.1);
    for (int i = 0; i < 4; i++) {
        double cx = i == 0 ? 1 : i == 1 ? -1 : 0, cy = i == 2 ? 1 : i == 3 ? -1 : 0;
        cairo_move_to(on->cr, x + 0.25 * r * cx, y + 0.25 * r * cy);
        cairo_line_to(on->cr, x + 1.6 * r * cx, y + 1.6 * r * cy);
    }
    cairo_stroke(on->cr);
    double aside = (1.5 + 1.5 * (double)before) * unit;
    double to_x = x + aside > on->left + on->width - unit ? x - aside : x + aside;
    double to_y = y - 1.3 * unit < on->bottom - on->height + unit ? y + 1.3 * unit : y - 1.3 * unit;
    draw_number(on, m, to_x, to_y);
}

static void draw_marks(const page *p) {
    const fault_list *faults = p->faults;
    /* Errors last, so that nothing hides them. */
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < faults->count; i++) {
            const mark *m = &faults->marks[i];
            if (!m->message.has_place || (m->message.severity == THRONG_ERROR) != (pass == 1)) continue;
            size_t before = 0;
            for (size_t k = 0; k < i; k++) {
                const throng_message *other = &faults->marks[k].message;
                double dx = (other->x - m->message.x) * p->on.scale, dy = (other->y - m->message.y) * p->on.scale;
                before += other->has_place && dx * dx + dy * dy < unit * unit;
            }
            draw_mark(p, m, before);
        }
    }
}

/* ------------------------------------------------------------------ text */

static void show(const canvas *on, const char *text, double x, double y, double size, bool bold, colour c) {
    cairo_select_font_face(on->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(on->cr, size);
    canvas_colour(on, c, 1);
    cairo_move_to(on->cr, x, y);
    cairo_show_text(on->cr, text);
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

static void draw_header(const page *p) {
    char below[120];
    snprintf(below, sizeof below, "%zu error%s, %zu warning%s", p->faults->errors, plural(p->faults->errors),
             p->faults->warnings, plural(p->faults->warnings));
    show(&p->on, p->name, margin, margin + 1.1 * unit, 1.4 * unit, true, colour_text);
    show(&p->on, below, margin, margin + 2.6 * unit, unit, false,
         p->faults->errors     ? colour_fault
         : p->faults->warnings ? colour_repair
                               : colour_exit);
}

/* Shortens a text to what fits into a line. */
static void fit(const canvas *on, char *text, double room) {
    cairo_text_extents_t size;
    size_t length = strlen(text);
    cairo_text_extents(on->cr, text, &size);
    while (size.width > room && length > 8) {
        length -= 4;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
        snprintf(text + length, 4, "...");
        cairo_text_extents(on->cr, text, &size);
    }
}

static double list_height(const fault_list *faults) {
    size_t lines = faults->count < MOST_LINES ? faults->count : MOST_LINES + 1;
    return (1.7 * (double)lines + 1) * unit;
}

static void draw_list(const page *p) {
    const canvas *on = &p->on;
    double y = on->bottom + 2.2 * unit;
    for (size_t i = 0; i < p->faults->count && i < MOST_LINES; i++, y += 1.7 * unit) {
        const mark *m = &p->faults->marks[i];
        char text[LINE_SIZE], where[60] = "";
        if (m->message.line > 0) snprintf(where, sizeof where, "line %d: ", m->message.line);
        bool named = names_part(m->message.text, m->message.path);
        snprintf(text, sizeof text, "%s%s%s%s", where, named ? "" : m->message.path,
                 named || !*m->message.path ? "" : ": ", m->message.text);
        cairo_select_font_face(on->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
        draw_number(on, m, margin + 0.8 * unit, y - 0.32 * unit);
        cairo_set_font_size(on->cr, 0.92 * unit);
        fit(on, text, page_width - 2 * margin - 2.2 * unit);
        show(on, text, margin + 2.2 * unit, y, 0.92 * unit, false, colour_text);
    }
    if (p->faults->count > MOST_LINES) {
        char rest[60];
        snprintf(rest, sizeof rest, "and %zu more", p->faults->errors + p->faults->warnings - MOST_LINES);
        show(on, rest, margin + 2.2 * unit, y, 0.92 * unit, false, colour_faint_text);
    }
}

/* ------------------------------------------------------------------ the picture */

static page arrange(const char *name, const throng_sketch *sketch, const fault_list *faults) {
    throng_box shown = bounds_of(sketch, faults);
    double across = shown.high.x - shown.low.x, up = shown.high.y - shown.low.y;
    double scale = fmin(fmin((page_width - 2 * margin) / across, highest_place / up), most_scale);
    page p = {.sketch = sketch, .faults = faults, .name = name};
    p.on = (canvas){.shown = shown, .scale = scale, .unit = unit, .width = across * scale, .height = up * scale};
    p.on.left = (page_width - p.on.width) / 2;
    p.on.bottom = margin + 3.6 * unit + p.on.height;
    p.height = ceil(p.on.bottom + list_height(faults) + margin);
    return p;
}

static void draw_page(cairo_t *cr, const void *drawing) {
    page p = *(const page *)drawing;
    p.on.cr = cr;
    canvas_colour(&p.on, colour_page, 1);
    cairo_paint(cr);
    draw_shapes(&p);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    draw_marks(&p);
    draw_header(&p);
    draw_list(&p);
}

bool faults_draw(const char *name, const throng_sketch *sketch, const throng_report *report, const char *path) {
    fault_list faults;
    collect(&faults, report);
    page p = arrange(name, sketch, &faults);
    return picture_write_drawing(path, page_width, p.height, draw_page, &p);
}
