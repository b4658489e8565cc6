/* legend.c: see legend.h. Items flow from left to right behind the scale bar and wrap. */

#include "legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "picture.h"

static const double line_height = 1.9, gap_above = 1.3, item_gap = 1.6; /* text heights */

/* The page's scale ends there, too (viewer/src/app.ts): at 1.6 m/s unless most people are faster. */
static double full_speed_of(const crowd_scene *scene, const picture_style *style) {
    double sum = 0;
    for (size_t i = 0; i < scene->count; i++) sum += hypot(scene->people[i].vx, scene->people[i].vy);
    double mean = scene->count ? sum / (double)scene->count : 0;
    return fmax(fmax(1.6, style->least.full_speed), mean > 1.3 ? ceil(2.5 * mean) / 2 : 0);
}

picture_legend legend_for(const crowd_scene *scene, const picture_style *style) {
    picture_legend made = {.scene = scene,
                           .style = style,
                           .full_speed = full_speed_of(scene, style),
                           .densest = fmax(2, style->least.densest)};
    for (size_t i = 0; i < scene->mark_count; i++) {
        made.marked[scene->marks[i].kind] = true;
        made.closed |= scene->marks[i].closed;
    }
    made.group_count = scene->groups.count < LEGEND_MOST_GROUPS ? scene->groups.count : LEGEND_MOST_GROUPS;
    for (size_t i = 0; i < scene->count; i++)
        if (scene->people[i].group < made.group_count) made.counts[scene->people[i].group]++;
    return made;
}

/* ------------------------------------------------------------------ laying out */

/* A pen that moves over the legend; without a canvas it only measures. */
typedef struct legend_pen {
    const canvas *on;
    cairo_t *cr; /* for measuring text */
    double unit, left, right, x, y;
} legend_pen;

static double text_width(const legend_pen *pen, const char *text) {
    cairo_text_extents_t size;
    cairo_set_font_size(pen->cr, 0.95 * pen->unit);
    cairo_text_extents(pen->cr, text, &size);
    return size.x_advance;
}

/* Makes room for an item of that width on this line, or the next. */
static void place(legend_pen *pen, double width) {
    if (pen->x > pen->left && pen->x + width > pen->right) {
        pen->x = pen->left;
        pen->y += line_height * pen->unit;
    }
}

static void write_words(const legend_pen *pen, const char *text, double x) {
    if (!pen->on) return;
    cairo_set_font_size(pen->cr, 0.95 * pen->unit);
    canvas_colour(pen->on, colour_text, 1);
    cairo_move_to(pen->cr, x, pen->y + 0.34 * pen->unit);
    cairo_show_text(pen->cr, text);
}

/* ------------------------------------------------------------------ items */

/* The longest round length that is no longer. */
static double bar_length(double longest) {
    double power = pow(10, floor(log10(longest)));
    double part = longest / power;
    return floor(fmin(part, 5)) * power;
}

/* Takes the same room whatever its length, so that the scale can be chosen after the layout. */
static void add_scale_bar(legend_pen *pen, double scale) {
    double room = 0.16 * (pen->right - pen->left), unit = pen->unit;
    if (pen->on) {
        double metres = bar_length(room / scale), x = pen->x + 1, end = pen->x + metres * scale, tick = 0.3 * unit;
        cairo_set_line_width(pen->cr, fmax(1, 0.12 * unit));
        cairo_set_line_cap(pen->cr, CAIRO_LINE_CAP_SQUARE);
        canvas_colour(pen->on, colour_text, 1);
        cairo_move_to(pen->cr, x, pen->y - tick);
        cairo_line_to(pen->cr, x, pen->y + tick);
        cairo_move_to(pen->cr, x, pen->y);
        cairo_line_to(pen->cr, end, pen->y);
        cairo_move_to(pen->cr, end, pen->y - tick);
        cairo_line_to(pen->cr, end, pen->y + tick);
        cairo_stroke(pen->cr);
        char words[40];
        snprintf(words, sizeof words, "%g m", metres);
        write_words(pen, words, end + 0.6 * unit);
    }
    pen->x += room + 5 * unit;
}

typedef enum legend_mark { MARK_DISC, MARK_AREA, MARK_PATCH, MARK_LINE } legend_mark;

static void add_item(legend_pen *pen, legend_mark mark, colour c, const char *words) {
    double unit = pen->unit, width = 1.5 * unit + text_width(pen, words);
    place(pen, width);
    if (pen->on) {
        cairo_new_path(pen->cr);
        if (mark == MARK_DISC)
            cairo_arc(pen->cr, pen->x + 0.5 * unit, pen->y, 0.45 * unit, 0, full_turn);
        else if (mark == MARK_AREA || mark == MARK_PATCH)
            cairo_rectangle(pen->cr, pen->x, pen->y - 0.45 * unit, unit, 0.9 * unit);
        else
            cairo_rectangle(pen->cr, pen->x, pen->y - 0.05 * unit, unit, 0.1 * unit);
        bool solid = mark == MARK_DISC || mark == MARK_PATCH;
        canvas_colour(pen->on, c, solid ? 1 : 0.2);
        cairo_fill_preserve(pen->cr);
        cairo_set_line_width(pen->cr, fmax(0.8, 0.08 * unit));
        canvas_colour(pen->on, solid ? colour_darker(c, 0.35) : c, 1);
        cairo_stroke(pen->cr);
    }
    write_words(pen, words, pen->x + 1.5 * unit);
    pen->x += width + item_gap * unit;
}

/* A strip of colours with its ends and its middle named. */
static void add_colour_bar(legend_pen *pen, colour (*scale)(double), double bottom, double top,
                           const char *unit_words) {
    char low[40], high[160];
    snprintf(low, sizeof low, "%g", bottom);
    snprintf(high, sizeof high, "%g %s", top, unit_words);
    double unit = pen->unit, length = 11 * unit, before = text_width(pen, low) + 0.5 * unit;
    double width = before + length + 0.5 * unit + text_width(pen, high);
    place(pen, width);
    if (pen->on) {
        double x = pen->x + before, y = pen->y - 0.4 * unit;
        cairo_pattern_t *strip = cairo_pattern_create_linear(x, 0, x + length, 0);
        for (int i = 0; i <= 16; i++) {
            colour c = scale(i / 16.0);
            cairo_pattern_add_color_stop_rgb(strip, i / 16.0, c.r, c.g, c.b);
        }
        cairo_rectangle(pen->cr, x, y, length, 0.8 * unit);
        cairo_set_source(pen->cr, strip);
        cairo_fill_preserve(pen->cr);
        cairo_pattern_destroy(strip);
        cairo_set_line_width(pen->cr, fmax(0.8, 0.06 * unit));
        canvas_colour(pen->on, colour_faint_text, 1);
        cairo_stroke(pen->cr);
    }
    write_words(pen, low, pen->x);
    write_words(pen, high, pen->x + before + length + 0.5 * unit);
    pen->x += width + item_gap * unit;
}

static void add_groups(legend_pen *pen, const picture_legend *legend) {
    const text_list *groups = &legend->scene->groups;
    char words[200];
    for (size_t i = 0; i < legend->group_count; i++) {
        /* One group that nobody gave a name is simply the people. */
        bool unnamed = !*groups->items[i] || (groups->count == 1 && !strncmp(groups->items[i], "agents[", 7));
        const char *name = unnamed ? "people" : groups->items[i];
        int length = snprintf(words, sizeof words, "%.150s", name);
        if (!legend->style->moves) snprintf(words + length, sizeof words - (size_t)length, " (%zu)", legend->counts[i]);
        add_item(pen, MARK_DISC, colour_of_group(i), words);
    }
    if (groups->count > legend->group_count) {
        snprintf(words, sizeof words, "and %zu more groups", groups->count - legend->group_count);
        double width = text_width(pen, words);
        place(pen, width);
        write_words(pen, words, pen->x);
        pen->x += width + item_gap * pen->unit;
    }
}

/* What the colours of personal spaces mean. */
static void add_spaces(legend_pen *pen) {
    static const char *const meanings[SPACE_CLASSES] = {"from 2.3 m\302\262: free", "2.3 to 0.9: comfortable",
                                                        "0.9 to 0.5: restricted",   "0.5 to 0.3: shuffling",
                                                        "0.3 to 0.2: contact",      "below 0.2: dangerous"};
    for (int k = 0; k < SPACE_CLASSES; k++) add_item(pen, MARK_PATCH, colour_of_space(k), meanings[k]);
}

static void add_quantity(legend_pen *pen, const shown_quantity *q) {
    char words[100];
    snprintf(words, sizeof words, "%s%s%s", q->unit, *q->unit ? ", " : "", q->name);
    add_colour_bar(pen, colour_of_quantity, q->low, q->high, words);
}

static void add_all(legend_pen *pen, const picture_legend *legend, double scale) {
    add_scale_bar(pen, scale);
    /* What wraps starts where the first item does. */
    if (pen->x < pen->left + 0.5 * (pen->right - pen->left)) pen->left = pen->x;
    if (legend->style->layer == LAYER_SPACE)
        add_spaces(pen);
    else if (legend->style->density || legend->style->layer == LAYER_DENSITY)
        add_colour_bar(pen, colour_of_density, 0, legend->densest, "people per m\302\262");
    else if (legend->style->people == COLOUR_SPEED)
        add_colour_bar(pen, colour_of_quantity, 0, legend->full_speed, "m/s");
    else if (legend->style->people == COLOUR_QUANTITY)
        add_quantity(pen, &legend->style->quantity);
    else
        add_groups(pen, legend);
    static const char *const names[] = {"goal", "exit", "zone", "measuring line", "measuring area"};
    const throng_mark_kind order[] = {THRONG_MARK_EXIT, THRONG_MARK_GOAL, THRONG_MARK_ZONE, THRONG_MARK_LINE,
                                      THRONG_MARK_AREA};
    for (int k = 0; k < 5; k++)
        if (legend->marked[order[k]])
            add_item(pen, order[k] == THRONG_MARK_LINE ? MARK_LINE : MARK_AREA, colour_of_mark(order[k], false),
                     names[order[k]]);
    if (legend->closed) add_item(pen, MARK_AREA, colour_of_mark(THRONG_MARK_EXIT, true), "closed");
    if (!legend->style->forces) return;
    char words[60];
    snprintf(words, sizeof words, "contact force, %g N a metre", force_per_metre);
    add_item(pen, MARK_LINE, colour_force, words);
}

/* ------------------------------------------------------------------ the whole */

double legend_height(const picture_legend *legend, double unit, double width) {
    cairo_surface_t *nothing = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    legend_pen pen = {.cr = cairo_create(nothing), .unit = unit, .right = width};
    cairo_select_font_face(pen.cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    add_all(&pen, legend, 1);
    cairo_destroy(pen.cr);
    cairo_surface_destroy(nothing);
    return pen.y + (gap_above + 0.5) * unit;
}

void legend_draw(const picture_legend *legend, const canvas *on, double left, double top, double width) {
    legend_pen pen = {.on = on, .cr = on->cr, .unit = on->unit, .left = left, .right = left + width, .x = left};
    pen.y = top + gap_above * on->unit;
    cairo_select_font_face(pen.cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    add_all(&pen, legend, on->scale);
}
