/* picture.c: see picture.h. From top to bottom: title and clock, the place, scale bar and legend. */

#include "picture.h"

#include <cairo-svg.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "legend.h"
#include "messages.h"
#include "newfile.h"

/* A picture whose size was not asked for fits into this, px. */
static const double usual_width = 1600, usual_height = 1200, least_width = 900;
static const double most_scale = 160; /* px per m */

typedef struct layout {
    double width, height, margin;
    canvas canvas; /* without its cr */
} layout;

/* ------------------------------------------------------------------ where things go */

/* The text height for a picture of this width, px. */
static double unit_for(double width) { return fmin(fmax(width / 88, 11), 48); }

static throng_box with_edge(throng_box box) {
    double edge = 0.015 * fmax(box.high.x - box.low.x, box.high.y - box.low.y) + 0.1;
    return (throng_box){{box.low.x - edge, box.low.y - edge}, {box.high.x + edge, box.high.y + edge}};
}

/* `header` and `footer` in text heights. */
static layout arrange(const picture_style *style, throng_box shown, double header, const picture_legend *legend) {
    double across = shown.high.x - shown.low.x, up = shown.high.y - shown.low.y;
    layout l = {.width = style->width ? style->width : usual_width};
    double unit = unit_for(l.width);
    double highest = style->height ? style->height : style->width ? 3 * l.width : usual_height;
    l.margin = style->plain ? 0.3 * unit : 1.6 * unit;
    if (style->plain) header = 0;
    double footer = style->plain ? 0 : legend_height(legend, unit, l.width - 2 * l.margin);
    double taken = l.margin + header * unit + footer + l.margin;
    /* In a very small picture the legend is cut off rather than the place. */
    double scale = fmin((l.width - 2 * l.margin) / across, fmax(highest - taken, 0.3 * highest) / up);
    if (!style->width && !style->height) scale = fmin(scale, most_scale);

    if (!style->width) {
        l.width = ceil(fmax(least_width, across * scale + 2 * l.margin));
        footer = legend_height(legend, unit, l.width - 2 * l.margin);
        taken = l.margin + header * unit + footer + l.margin;
    }
    l.height = style->height ? style->height : ceil(taken + up * scale);
    l.canvas = (canvas){.shown = shown, .scale = scale, .unit = unit, .width = across * scale, .height = up * scale};
    l.canvas.left = (l.width - l.canvas.width) / 2;
    double top = l.margin + header * unit;
    l.canvas.bottom = top + (l.height - taken + l.canvas.height) / 2;
    if (!style->height) l.canvas.bottom = top + l.canvas.height;
    return l;
}

/* ------------------------------------------------------------------ colours */

/* A number with one digit that is not 0, no less than this one. */
static double rounded_up(double value) {
    double power = pow(10, floor(log10(value)));
    return ceil(value / power - 1e-9) * power;
}

bool picture_choose_quantity(const crowd_scene *scene, const char *name, picture_style *style, double **values) {
    shown_quantity *out = &style->quantity;
    *out = (shown_quantity){.name = name, .low = style->least.low, .high = style->least.high};
    *values = scene_values(scene, name, &out->unit);
    if (!*values) {
        char *known = text_format("group, speed");
        for (size_t i = 0; i < scene->quantity_count; i++) {
            char *more = text_format("%s, %s", known, scene->quantities[i].name);
            free(known);
            known = more;
        }
        complain("render --colour: expected one of %s; found '%s'%s", known, name,
                 scene->loaded.world ? "" : " (a recording has what 'throng run --record NAME' has put there)");
        free(known);
        return false;
    }
    out->values = *values;
    for (size_t i = 0; i < scene->count; i++) {
        out->low = fmin(out->low, (*values)[i]);
        out->high = fmax(out->high, (*values)[i]);
    }
    if (out->low < 0) out->low = -rounded_up(-out->low);
    out->high = out->high > 0 ? rounded_up(out->high) : out->low < 0 ? 0 : 1;
    return true;
}

/* ------------------------------------------------------------------ the header */

static void show_text(const canvas *on, const char *text, double x, double y, double size, bool bold, colour c) {
    cairo_select_font_face(on->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(on->cr, size);
    canvas_colour(on, c, 1);
    cairo_move_to(on->cr, x, y);
    cairo_show_text(on->cr, text);
}

static const double person_height = 1.8; /* m: what is higher hides people from above */
static const double header_height = 3.6; /* text heights */

static void draw_header(const layout *l, const canvas *on, const crowd_scene *scene) {
    char clock[40], below[300];
    snprintf(clock, sizeof clock, "%.1f s", scene->time);
    snprintf(below, sizeof below, "%zu %s, %s", scene->count, scene->count == 1 ? "person" : "people", scene->subtitle);
    double unit = on->unit, y = l->margin + 1.1 * unit;
    show_text(on, scene->title, l->margin, y, 1.45 * unit, true, colour_text);
    show_text(on, below, l->margin, y + 1.35 * unit, 0.95 * unit, false, colour_faint_text);

    cairo_text_extents_t size;
    cairo_select_font_face(on->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(on->cr, 1.7 * unit);
    cairo_text_extents(on->cr, clock, &size);
    show_text(on, clock, l->width - l->margin - size.x_advance, y + 0.1 * unit, 1.7 * unit, false, colour_text);
}

/* ------------------------------------------------------------------ all of it */

static void draw(const layout *l, const canvas *on, const crowd_scene *scene, const picture_style *style,
                 picture_legend *legend) {
    bool open = throng_place_is_open(scene->place);
    canvas_colour(on, !style->plain ? colour_page : open ? colour_floor : colour_outside, 1);
    cairo_paint(on->cr);
    if (!style->plain) draw_header(l, on, scene);
    cairo_save(on->cr);
    cairo_rectangle(on->cr, on->left, on->bottom - on->height, on->width, on->height);
    cairo_clip(on->cr);
    draw_floor(on, scene);
    bool mapped = style->density || style->layer != LAYER_NONE;
    people_colour people = mapped ? COLOUR_OUTLINE : style->people;
    if (style->density) draw_density(on, scene, &legend->densest);
    if (style->layer != LAYER_NONE) draw_space(on, scene, style->layer == LAYER_DENSITY, &legend->densest);
    draw_floor_marks(on, scene);
    draw_trails(on, scene, people);
    draw_objects(on, scene, -INFINITY, person_height);
    /* Outlines too small to be seen would only dirty the map. */
    if (!mapped || on->scale > 12) draw_people(on, scene, people, legend->full_speed, &style->quantity);
    draw_objects(on, scene, person_height, INFINITY);
    draw_walls(on, scene);
    if (style->forces) draw_forces(on, scene);
    if (!style->plain) draw_names_of_marks(on, scene);
    cairo_restore(on->cr);
    if (!style->plain) legend_draw(legend, on, l->margin, on->bottom, l->width - 2 * l->margin);
}

/* ------------------------------------------------------------------ files */

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int length) {
    return fwrite(bytes, 1, length, closure) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool is_svg(const char *path) { return text_ends_with(path, ".svg"); }

bool picture_can_be(const char *path) {
    if (is_svg(path) || text_ends_with(path, ".png")) return true;
    complain("%s: a picture's name ends with .png or .svg (render makes films, too: .mp4, .webm or .gif)", path);
    return false;
}

/* Draws into the file; what cairo thinks of it. */
static cairo_status_t draw_file(FILE *file, bool svg, double width, double height,
                                void (*draw_it)(cairo_t *cr, const void *drawing), const void *drawing) {
    cairo_surface_t *surface = svg ? cairo_svg_surface_create_for_stream(write_bytes, file, width, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_t *cr = cairo_create(surface);
    draw_it(cr, drawing);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (!svg && !status) status = cairo_surface_write_to_png_stream(surface, write_bytes, file);
    cairo_surface_finish(surface);
    if (!status) status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

bool picture_write_drawing(const char *path, double width, double height,
                           void (*draw_it)(cairo_t *cr, const void *drawing), const void *drawing) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    cairo_status_t status = draw_file(new.file, is_svg(path), width, height, draw_it, drawing);
    if (!status) return newfile_finish(&new);
    complain("cannot write %s: %s", path, cairo_status_to_string(status));
    newfile_discard(&new);
    return false;
}

typedef struct scene_drawing {
    const crowd_scene *scene;
    const picture_style *style;
    picture_legend *legend;
    const layout *layout;
} scene_drawing;

static void draw_scene(cairo_t *cr, const void *drawing) {
    const scene_drawing *d = drawing;
    canvas on = d->layout->canvas;
    on.cr = cr;
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    draw(d->layout, &on, d->scene, d->style, d->legend);
}

bool picture_write(const crowd_scene *scene, const picture_style *style, const char *path) {
    picture_legend legend = legend_for(scene, style);
    layout l = arrange(style, with_edge(scene->bounds), header_height, &legend);
    scene_drawing drawing = {scene, style, &legend, &l};
    return picture_write_drawing(path, l.width, l.height, draw_scene, &drawing);
}

bool picture_write_png(const crowd_scene *scene, const picture_style *style, FILE *file) {
    picture_legend legend = legend_for(scene, style);
    layout l = arrange(style, with_edge(scene->bounds), header_height, &legend);
    scene_drawing drawing = {scene, style, &legend, &l};
    return draw_file(file, false, l.width, l.height, draw_scene, &drawing) == CAIRO_STATUS_SUCCESS;
}

picture_scales picture_draw(const crowd_scene *scene, const picture_style *style, cairo_surface_t *image) {
    picture_legend legend = legend_for(scene, style);
    layout l = arrange(style, with_edge(scene->bounds), header_height, &legend);
    scene_drawing drawing = {scene, style, &legend, &l};
    cairo_t *cr = cairo_create(image);
    draw_scene(cr, &drawing);
    cairo_destroy(cr);
    cairo_surface_flush(image);
    return (picture_scales){legend.full_speed, legend.densest, style->quantity.low, style->quantity.high};
}
