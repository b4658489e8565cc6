/* draw.c: the place, the trails, the things and the people of a picture (canvas.h); draw_marks.c has the marks. */

#include <math.h>
#include <string.h>

#include "canvas.h"

/* ------------------------------------------------------------------ the place */

void canvas_ring_path(const canvas *on, throng_ring ring, bool closed) {
    for (size_t k = 0; k < ring.count; k++) {
        double x = canvas_x(on, ring.points[k].x), y = canvas_y(on, ring.points[k].y);
        if (k)
            cairo_line_to(on->cr, x, y);
        else
            cairo_move_to(on->cr, x, y);
    }
    if (closed) cairo_close_path(on->cr);
}

void canvas_walkable_path(const canvas *on, const crowd_scene *scene) {
    /* On an open plane everything is floor but the obstacles. */
    if (throng_place_is_open(scene->place))
        cairo_rectangle(on->cr, on->left, on->bottom - on->height, on->width, on->height);
    for (size_t i = 0; i < throng_place_ring_count(scene->place); i++)
        canvas_ring_path(on, throng_place_ring(scene->place, i), true);
}

void draw_floor(const canvas *on, const crowd_scene *scene) {
    canvas_colour(on, colour_outside, 1);
    cairo_rectangle(on->cr, on->left, on->bottom - on->height, on->width, on->height);
    cairo_fill(on->cr);
    canvas_colour(on, colour_floor, 1);
    cairo_set_fill_rule(on->cr, CAIRO_FILL_RULE_EVEN_ODD);
    canvas_walkable_path(on, scene);
    cairo_fill(on->cr);
}

/* An open plane has no walls to end at. */
static void draw_frame(const canvas *on) {
    cairo_rectangle(on->cr, on->left, on->bottom - on->height, on->width, on->height);
    cairo_set_line_width(on->cr, 0.16 * on->unit);
    canvas_colour(on, colour_outside, 1);
    cairo_stroke(on->cr);
}

void draw_walls(const canvas *on, const crowd_scene *scene) {
    if (throng_place_is_open(scene->place)) draw_frame(on);
    cairo_set_line_join(on->cr, CAIRO_LINE_JOIN_MITER);
    cairo_set_line_width(on->cr, fmax(1, 0.11 * on->unit));
    canvas_colour(on, colour_wall, 1);
    for (size_t i = 0; i < throng_place_ring_count(scene->place); i++)
        canvas_ring_path(on, throng_place_ring(scene->place, i), true);
    cairo_stroke(on->cr);
    cairo_set_line_width(on->cr, fmax(1.5, 0.16 * on->unit));
    for (size_t i = 0; i < throng_place_line_count(scene->place); i++)
        canvas_ring_path(on, throng_place_line(scene->place, i), false);
    cairo_stroke(on->cr);
}

/* ------------------------------------------------------------------ trails */

/* One colour of one step of the trails: from frame a to frame b, those people whose colour number
 * (-1: gone since) is `wanted`. All frames are in order of id. */
static void trail_path(const canvas *on, const crowd_scene *scene, const scene_frame *a, const scene_frame *b,
                       int wanted, int colours) {
    const scene_frame *now = &scene->trail[scene->trail_count - 1];
    size_t k = 0, n = 0;
    for (size_t i = 0; i < a->count; i++) {
        while (k < b->count && b->id[k] < a->id[i]) k++;
        if (k == b->count || b->id[k] != a->id[i]) continue;
        while (n < now->count && now->id[n] < a->id[i]) n++;
        bool here = n < now->count && now->id[n] == a->id[i];
        int number = here ? (int)(scene->people[n].group % (size_t)colours) : -1;
        if (number != wanted) continue;
        /* Who comes in again at the other end has not walked there. */
        throng_box all = scene->bounds;
        if (fabs(a->at[i].x - b->at[k].x) > (all.high.x - all.low.x) / 2) continue;
        if (fabs(a->at[i].y - b->at[k].y) > (all.high.y - all.low.y) / 2) continue;
        cairo_move_to(on->cr, canvas_x(on, a->at[i].x), canvas_y(on, a->at[i].y));
        cairo_line_to(on->cr, canvas_x(on, b->at[k].x), canvas_y(on, b->at[k].y));
    }
}

void draw_trails(const canvas *on, const crowd_scene *scene, people_colour by) {
    int colours = by == COLOUR_GROUP && scene->groups.count > 1 ? colour_group_count() : 1;
    cairo_set_line_cap(on->cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(on->cr, fmax(0.8, fmin(0.14 * on->unit, 0.12 * on->scale)));
    for (size_t j = 0; j + 1 < scene->trail_count; j++) {
        double fresh = (double)(j + 1) / (double)(scene->trail_count - 1);
        for (int number = -1; number < colours; number++) {
            colour c = number >= 0 && by == COLOUR_GROUP ? colour_of_group((size_t)number) : colour_faint_text;
            trail_path(on, scene, &scene->trail[j], &scene->trail[j + 1], number, colours);
            canvas_colour(on, c, 0.08 + 0.47 * fresh);
            cairo_stroke(on->cr);
        }
    }
}

/* ------------------------------------------------------------------ things */

static void part_path(const canvas *on, const scene_part *part) {
    cairo_new_path(on->cr);
    if (part->radius > 0) {
        cairo_arc(on->cr, canvas_x(on, part->centre.x), canvas_y(on, part->centre.y), part->radius * on->scale, 0,
                  full_turn);
    } else {
        canvas_ring_path(on, (throng_ring){part->points, part->count}, true);
    }
}

void draw_objects(const canvas *on, const crowd_scene *scene, double above, double up_to) {
    cairo_set_line_join(on->cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < scene->part_count; i++) {
        const scene_part *part = &scene->parts[i];
        if (part->height <= above || part->height > up_to) continue;
        colour c = part->fixed ? colour_wall : colour_object;
        part_path(on, part);
        canvas_colour(on, c, part->fixed ? 0.5 : 0.9);
        cairo_fill_preserve(on->cr);
        canvas_colour(on, colour_darker(c, 0.45), 1);
        cairo_set_line_width(on->cr, fmin(fmax(0.5, 0.02 * on->scale), 1.5));
        cairo_stroke(on->cr);
    }
}

/* ------------------------------------------------------------------ people */

/* A tick from near the middle to the edge, ahead: the way somebody walks. */
static void draw_heading(const canvas *on, const scene_person *p, double radius, colour c) {
    double speed = sqrt(p->vx * p->vx + p->vy * p->vy), bright = 0.3 * c.r + 0.59 * c.g + 0.11 * c.b;
    if (speed < 0.05) return;
    double x = canvas_x(on, p->x), y = canvas_y(on, p->y), ux = p->vx / speed, uy = -p->vy / speed;
    colour white = {1, 1, 1};
    canvas_colour(on, bright < 0.36 ? colour_mix(c, white, 0.72) : colour_mix(colour_darker(c, 0.6), colour_rim, 0.4),
                  0.9);
    cairo_move_to(on->cr, x + 0.24 * radius * ux, y + 0.24 * radius * uy);
    cairo_line_to(on->cr, x + 0.94 * radius * ux, y + 0.94 * radius * uy);
    cairo_set_line_width(on->cr, fmin(fmax(1.2, 0.34 * radius), 6));
    cairo_stroke(on->cr);
}

/* The same disc as on the page (viewer/src/draw.ts). */
static void draw_person(const canvas *on, const scene_person *p, colour c, bool hollow) {
    double x = canvas_x(on, p->x), y = canvas_y(on, p->y);
    double radius = fmax(p->radius * on->scale, 0.8), line = fmin(fmax(0.6, 0.11 * radius), 2);
    cairo_new_path(on->cr);
    cairo_arc(on->cr, x, y, radius, 0, full_turn);
    if (!hollow) {
        canvas_colour(on, c, 1);
        cairo_fill(on->cr);
        if (radius < 3) return;
        if (radius >= 4) draw_heading(on, p, radius, c);
        cairo_arc(on->cr, x, y, radius - line / 2, 0, full_turn);
    }
    if (hollow) { /* a light edge, to be seen on dark maps */
        canvas_colour(on, colour_floor, 0.45);
        cairo_set_line_width(on->cr, line + 1.4);
        cairo_stroke_preserve(on->cr);
    }
    canvas_colour(on, hollow ? c : colour_mix(colour_darker(c, 0.45), colour_rim, 0.35), hollow ? 0.75 : 1);
    cairo_set_line_width(on->cr, line);
    cairo_stroke(on->cr);
}

/* Who is not known of is as grey as what is outside. */
static colour colour_of_value(const shown_quantity *q, size_t person) {
    double value = q->values[person];
    return isnan(value) ? colour_outside : colour_of_quantity((value - q->low) / (q->high - q->low));
}

void draw_people(const canvas *on, const crowd_scene *scene, people_colour by, double full_speed,
                 const shown_quantity *quantity) {
    cairo_set_line_cap(on->cr, CAIRO_LINE_CAP_BUTT);
    for (size_t i = 0; i < scene->count; i++) {
        const scene_person *p = &scene->people[i];
        colour c = by == COLOUR_GROUP      ? colour_of_group(p->group)
                   : by == COLOUR_SPEED    ? colour_of_quantity(sqrt(p->vx * p->vx + p->vy * p->vy) / full_speed)
                   : by == COLOUR_QUANTITY ? colour_of_value(quantity, i)
                                           : colour_person;
        draw_person(on, p, c, by == COLOUR_OUTLINE);
    }
}

/* ------------------------------------------------------------------ forces */

void draw_forces(const canvas *on, const crowd_scene *scene) {
    const double least = 5 /* N */, longest = 3 /* m */;
    cairo_set_line_cap(on->cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(on->cr, fmax(1, 0.05 * on->scale));
    canvas_colour(on, colour_force, 0.9);
    for (size_t i = 0; i < scene->count; i++) {
        const scene_person *p = &scene->people[i];
        double size = hypot(p->fx, p->fy);
        if (!(size > least)) continue;
        double length = fmin(size / force_per_metre, longest) * on->scale, head = fmin(0.4 * length, 0.12 * on->scale);
        double x = canvas_x(on, p->x), y = canvas_y(on, p->y), ux = p->fx / size, uy = -p->fy / size;
        double end_x = x + length * ux, end_y = y + length * uy;
        cairo_move_to(on->cr, x, y);
        cairo_line_to(on->cr, end_x - head * ux, end_y - head * uy);
        cairo_stroke(on->cr);
        cairo_move_to(on->cr, end_x, end_y);
        cairo_line_to(on->cr, end_x - head * (ux + 0.6 * uy), end_y - head * (uy - 0.6 * ux));
        cairo_line_to(on->cr, end_x - head * (ux - 0.6 * uy), end_y - head * (uy + 0.6 * ux));
        cairo_close_path(on->cr);
        cairo_fill(on->cr);
    }
}
