/* draw_marks.c: what is marked on the floor of a picture (canvas.h): exits, goals, zones, and lines and areas to
 * measure at, with their names. A name is written in its shape or beside it, wherever no other name stands; where there
 * is no room at all it is left out rather than written over another one. Names come last, above people. */

#include <math.h>
#include <stdlib.h>

#include "canvas.h"

/* Where a label is on the page, px. */
typedef struct label_box {
    double left, top, right, bottom;
} label_box;

typedef struct label_list {
    label_box *boxes;
    size_t count;
} label_list;

colour colour_of_mark(throng_mark_kind kind, bool closed) {
    if (closed) return colour_closed;
    return kind == THRONG_MARK_EXIT   ? colour_exit
           : kind == THRONG_MARK_GOAL ? colour_goal
           : kind == THRONG_MARK_ZONE ? colour_zone
                                      : colour_measure;
}

/* ------------------------------------------------------------------ shapes */

static void mark_path(const canvas *on, const throng_mark *mark) {
    cairo_new_path(on->cr);
    if (mark->ring.count == 1)
        cairo_arc(on->cr, canvas_x(on, mark->ring.points[0].x), canvas_y(on, mark->ring.points[0].y),
                  mark->radius * on->scale, 0, full_turn);
    else
        canvas_ring_path(on, mark->ring, mark->kind != THRONG_MARK_LINE);
}

/* Lines from corner to corner over what is closed. */
static void cross_out(const canvas *on, const throng_mark *mark) {
    double left, top, right, bottom;
    mark_path(on, mark);
    cairo_path_extents(on->cr, &left, &top, &right, &bottom);
    cairo_save(on->cr);
    cairo_clip(on->cr);
    cairo_move_to(on->cr, left, top);
    cairo_line_to(on->cr, right, bottom);
    cairo_move_to(on->cr, left, bottom);
    cairo_line_to(on->cr, right, top);
    cairo_set_line_width(on->cr, fmax(1, 0.12 * on->unit));
    canvas_colour(on, colour_closed, 0.8);
    cairo_stroke(on->cr);
    cairo_restore(on->cr);
}

static void draw_shape(const canvas *on, const throng_mark *mark) {
    colour c = colour_of_mark(mark->kind, mark->closed);
    bool line = mark->kind == THRONG_MARK_LINE, goal = mark->kind <= THRONG_MARK_EXIT;
    mark_path(on, mark);
    canvas_colour(on, c, goal ? 0.16 : 0.08);
    if (!line) cairo_fill_preserve(on->cr);
    double dash = (goal ? 0.35 : 0.18) * on->unit;
    if (!line) cairo_set_dash(on->cr, &dash, 1, 0);
    cairo_set_line_width(on->cr, fmax(1, (line ? 0.14 : 0.08) * on->unit));
    canvas_colour(on, c, 0.9);
    cairo_stroke(on->cr);
    cairo_set_dash(on->cr, NULL, 0, 0);
    if (mark->closed) cross_out(on, mark);
}

/* ------------------------------------------------------------------ names */

/* Takes a place if it is on the page and no name stands there yet. */
static bool take_place(const canvas *on, label_list *labels, double x, double y, double width, double height) {
    label_box box = {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
    if (box.left < on->left || box.right > on->left + on->width) return false;
    if (box.top < on->bottom - on->height || box.bottom > on->bottom) return false;
    for (size_t i = 0; i < labels->count; i++) {
        const label_box *other = &labels->boxes[i];
        if (box.left < other->right && other->left < box.right && box.top < other->bottom && other->top < box.bottom)
            return false;
    }
    labels->boxes = resize(labels->boxes, (labels->count + 1) * sizeof *labels->boxes);
    labels->boxes[labels->count++] = box;
    return true;
}

static void write_label(const canvas *on, const char *text, double x, double y, bool upright, colour c) {
    cairo_text_extents_t size;
    cairo_text_extents(on->cr, text, &size);
    cairo_save(on->cr);
    cairo_translate(on->cr, x, y);
    if (upright) cairo_rotate(on->cr, -full_turn / 4);
    cairo_move_to(on->cr, -size.width / 2 - size.x_bearing, 0.3 * on->unit);
    cairo_text_path(on->cr, text);
    canvas_colour(on, colour_floor, 0.92);
    cairo_set_line_join(on->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(on->cr, 0.5 * on->unit); /* a halo, to be read above people */
    cairo_stroke_preserve(on->cr);
    canvas_colour(on, colour_darker(c, 0.35), 1);
    cairo_fill(on->cr);
    cairo_restore(on->cr);
}

/* In the middle, then in steps of a line further up and down, then beside it. */
static bool find_place(const canvas *on, label_list *labels, label_box shape, double width, double height, double *x,
                       double *y) {
    double middle_x = (shape.left + shape.right) / 2, middle_y = (shape.top + shape.bottom) / 2;
    double low = on->left + width / 2 + 4, high = on->left + on->width - width / 2 - 4;
    const double across[] = {middle_x, shape.right + width / 2 + 4, shape.left - width / 2 - 4};
    for (int k = 0; k < 3; k++) {
        *x = k == 0 && low < high ? fmin(fmax(across[k], low), high) : across[k];
        double reach = (shape.bottom - shape.top) / 2 + height;
        for (int step = 0; step * height <= reach + height; step++)
            for (int side = -1; side <= 1; side += 2) {
                *y = middle_y + side * step * height;
                if (take_place(on, labels, *x, *y, width, height)) return true;
            }
    }
    return false;
}

/* Upright in a narrow place that is higher, smaller where it does not fit. */
static void draw_name(const canvas *on, const throng_mark *mark, label_list *labels) {
    cairo_text_extents_t size;
    label_box shape;
    mark_path(on, mark);
    cairo_path_extents(on->cr, &shape.left, &shape.top, &shape.right, &shape.bottom);
    cairo_new_path(on->cr);
    double room_x = shape.right - shape.left, room_y = shape.bottom - shape.top, font = 0.85 * on->unit;
    cairo_set_font_size(on->cr, font);
    cairo_text_extents(on->cr, mark->name, &size);
    bool upright = mark->ring.count > 2 && size.width > 0.9 * room_x && room_y > room_x && size.width < 0.9 * room_y;
    if (!upright && mark->ring.count > 2 && size.width > 0.9 * room_x) {
        cairo_set_font_size(on->cr, font * fmax(0.7, 0.9 * room_x / size.width));
        cairo_text_extents(on->cr, mark->name, &size);
    }
    double length = size.width + 0.4 * on->unit, height = 1.05 * on->unit, x, y;
    if (find_place(on, labels, shape, upright ? height : length, upright ? length : height, &x, &y))
        write_label(on, mark->name, x, y, upright, colour_of_mark(mark->kind, mark->closed));
}

/* Goals last, above zones and areas, which are often larger. */
void draw_floor_marks(const canvas *on, const crowd_scene *scene) {
    for (int goals = 0; goals < 2; goals++)
        for (size_t i = 0; i < scene->mark_count; i++)
            if ((scene->marks[i].kind <= THRONG_MARK_EXIT) == goals) draw_shape(on, &scene->marks[i]);
}

/* Those of goals first. */
void draw_names_of_marks(const canvas *on, const crowd_scene *scene) {
    label_list labels = {0};
    for (int goals = 1; goals >= 0; goals--)
        for (size_t i = 0; i < scene->mark_count; i++)
            if ((scene->marks[i].kind <= THRONG_MARK_EXIT) == goals && *scene->marks[i].name)
                draw_name(on, &scene->marks[i], &labels);
    free(labels.boxes);
}
