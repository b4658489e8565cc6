/* picture.h: a scene as a PNG or SVG file, or as a frame of a film. */

#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <stdio.h>

#include "canvas.h"

typedef enum picture_layer { LAYER_NONE, LAYER_SPACE, LAYER_DENSITY } picture_layer;

/* The ends of the scales of speed, density and quantity; those of a picture reach at least as far. */
typedef struct picture_scales {
    double full_speed; /* m/s */
    double densest;    /* per m2 */
    double low, high;  /* of the quantity */
} picture_scales;

typedef struct picture_style {
    int width, height;    /* px; 0: as the scene needs */
    people_colour people; /* COLOUR_GROUP, COLOUR_SPEED or COLOUR_QUANTITY */
    shown_quantity quantity;
    bool density;        /* a density map; people become outlines */
    bool forces;         /* arrows for contact forces */
    picture_layer layer; /* personal spaces, or densities from them; the same */
    bool plain;          /* the place alone, without title and legend */
    picture_scales least;
    bool moves; /* a frame of a film: what is written below it stays where it is */
} picture_style;

/* Whether the ending of the path is one we can write. Complains when not. */
bool picture_can_be(const char *path);
/* The quantity that people are coloured by, on a scale from 0, or from the least value below it; `values` are to be
 * freed after drawing. False after a complaint. */
bool picture_choose_quantity(const crowd_scene *scene, const char *name, picture_style *style, double **values);
/* False after a complaint. */
bool picture_write(const crowd_scene *scene, const picture_style *style, const char *path);
/* The same as a PNG to an open file; false when that cannot be. */
bool picture_write_png(const crowd_scene *scene, const picture_style *style, FILE *file);
/* Draws a scene on an image of the style's width and height, which must be given. Returns the scales it took. */
picture_scales picture_draw(const crowd_scene *scene, const picture_style *style, cairo_surface_t *image);
/* Writes whatever `draw` draws, width x height pixels. False after a complaint. */
bool picture_write_drawing(const char *path, double width, double height,
                           void (*draw)(cairo_t *cr, const void *drawing), const void *drawing);

#endif
