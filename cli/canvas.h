/* canvas.h: the part of a picture that shows the place, and how metres become pixels on it. */

#ifndef CLI_CANVAS_H
#define CLI_CANVAS_H

#include <cairo.h>

#include "colours.h"
#include "scene.h"

static const double full_turn = 6.283185307179586;

typedef struct canvas {
    cairo_t *cr;
    throng_box shown;     /* m */
    double left, bottom;  /* px: where the low corner of `shown` is */
    double width, height; /* px */
    double scale;         /* px per m */
    double unit;          /* px: the height of plain text, from which all sizes follow */
} canvas;

static inline double canvas_x(const canvas *on, double x) { return on->left + (x - on->shown.low.x) * on->scale; }
static inline double canvas_y(const canvas *on, double y) { return on->bottom - (y - on->shown.low.y) * on->scale; }
static inline void canvas_colour(const canvas *on, colour c, double opacity) {
    cairo_set_source_rgba(on->cr, c.r, c.g, c.b, opacity);
}

/* What people are coloured by. */
typedef enum people_colour { COLOUR_GROUP, COLOUR_SPEED, COLOUR_QUANTITY, COLOUR_OUTLINE } people_colour;

/* A quantity that people are coloured by, and the ends of its scale. */
typedef struct shown_quantity {
    const char *name, *unit;
    const double *values; /* [person] NaN: not known */
    double low, high;
} shown_quantity;

/* In the order they are drawn. */
void draw_floor(const canvas *on, const crowd_scene *scene);
/* `densest` (per m2) has the darkest colour; it is raised to the density there is. */
void draw_density(const canvas *on, const crowd_scene *scene, double *densest);
/* Personal spaces by their class, or the densities that follow from them. */
void draw_space(const canvas *on, const crowd_scene *scene, bool densities, double *densest);
/* Zones, measuring lines and areas, goals and exits. */
colour colour_of_mark(throng_mark_kind kind, bool closed);
void draw_floor_marks(const canvas *on, const crowd_scene *scene);
void draw_trails(const canvas *on, const crowd_scene *scene, people_colour by);
void draw_walls(const canvas *on, const crowd_scene *scene);
/* Things whose tops are above a height, up to another. */
void draw_objects(const canvas *on, const crowd_scene *scene, double above, double up_to);
/* `full_speed` (m/s) has the colour of the fastest. */
void draw_people(const canvas *on, const crowd_scene *scene, people_colour by, double full_speed,
                 const shown_quantity *quantity);

/* Arrows for contact forces, force_per_metre N for each metre of the place. */
void draw_forces(const canvas *on, const crowd_scene *scene);
static const double force_per_metre = 1000; /* N/m */

/* The names of what is marked, above everybody who stands there. */
void draw_names_of_marks(const canvas *on, const crowd_scene *scene);

/* Classes of personal space: 0 the largest, from space_classes[0] m2 on. */
enum { SPACE_CLASSES = 6 };
extern const double space_classes[SPACE_CLASSES - 1];
int space_class_of(double area);

/* For maps of small cells, rows downwards: how much of each is floor, to be freed; a Gaussian, in cells; and an image
 * of one, shown where people can walk. */
double *canvas_floor(const canvas *on, const crowd_scene *scene, double cell, int columns, int rows);
/* A density on a map, as a pixel of CAIRO_FORMAT_ARGB32; empty floor shows through. */
uint32_t canvas_density_bits(double density, double densest);
void canvas_blur(double *field, int columns, int rows, double width);
void canvas_paint_map(const canvas *on, const crowd_scene *scene, cairo_surface_t *image, double cell, int rows);

/* A chain of points, or a ring, added to cairo's current path. */
void canvas_ring_path(const canvas *on, throng_ring ring, bool closed);
/* The walkable area as cairo's current path; even-odd fill. */
void canvas_walkable_path(const canvas *on, const crowd_scene *scene);

#endif
