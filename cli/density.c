/* density.c: the density map of a picture (canvas.h).
 *
 * People are counted in small cells and spread by a Gaussian; the floor is spread in the same way,
 * and the quotient is people per square metre of floor, so that density does not fall off towards
 * a wall just because nobody can stand behind it. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

static const double spread = 0.7; /* m, standard deviation of the Gaussian */

typedef struct density_map {
    int columns, rows;
    double cell;    /* m */
    double *people; /* per cell, then per m2 */
    double *floor;  /* part of the cell that is walkable */
} density_map;

static void blur_line(const double *in, double *out, int count, int stride, const double *kernel, int reach) {
    for (int i = 0; i < count; i++) {
        double sum = kernel[0] * in[i * stride];
        for (int k = 1; k <= reach; k++) {
            if (i >= k) sum += kernel[k] * in[(i - k) * stride];
            if (i + k < count) sum += kernel[k] * in[(i + k) * stride];
        }
        out[i * stride] = sum;
    }
}

void canvas_blur(double *field, int columns, int rows, double width) {
    int reach = (int)ceil(3 * width);
    double *kernel = resize(NULL, (size_t)(reach + 1) * sizeof *kernel), sum = 0;
    for (int k = 0; k <= reach; k++) {
        double d = k / width;
        kernel[k] = exp(-d * d / 2);
        sum += k ? 2 * kernel[k] : kernel[k];
    }
    for (int k = 0; k <= reach; k++) kernel[k] /= sum;
    double *half = resize(NULL, (size_t)columns * (size_t)rows * sizeof *half);
    for (int r = 0; r < rows; r++) blur_line(field + r * columns, half + r * columns, columns, 1, kernel, reach);
    for (int c = 0; c < columns; c++) blur_line(half + c, field + c, rows, columns, kernel, reach);
    free(half);
    free(kernel);
}

/* Drawn by cairo on a small surface. */
double *canvas_floor(const canvas *on, const crowd_scene *scene, double cell, int columns, int rows) {
    double *floor = resize(NULL, (size_t)columns * (size_t)rows * sizeof *floor);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, columns, rows);
    canvas small = {.cr = cairo_create(surface),
                    .shown = on->shown,
                    .bottom = rows,
                    .width = columns,
                    .height = rows,
                    .scale = 1 / cell};
    cairo_set_fill_rule(small.cr, CAIRO_FILL_RULE_EVEN_ODD);
    canvas_walkable_path(&small, scene);
    cairo_fill(small.cr);
    cairo_destroy(small.cr);
    cairo_surface_flush(surface);
    const unsigned char *pixels = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) floor[r * columns + c] = pixels[r * stride + c] / 255.0;
    cairo_surface_destroy(surface);
    return floor;
}

/* Rows run downwards, as in an image. */
static density_map measure(const canvas *on, const crowd_scene *scene) {
    double width = on->shown.high.x - on->shown.low.x, height = on->shown.high.y - on->shown.low.y;
    density_map map = {.cell = fmax(0.1, fmax(width, height) / 800)};
    map.columns = (int)ceil(width / map.cell);
    map.rows = (int)ceil(height / map.cell);
    size_t cells = (size_t)map.columns * (size_t)map.rows;
    map.people = resize(NULL, cells * sizeof *map.people);
    memset(map.people, 0, cells * sizeof *map.people);
    for (size_t i = 0; i < scene->count; i++) {
        double c = (scene->people[i].x - on->shown.low.x) / map.cell;
        double r = map.rows - (scene->people[i].y - on->shown.low.y) / map.cell;
        if (c >= 0 && c < map.columns && r >= 0 && r < map.rows) map.people[(int)r * map.columns + (int)c] += 1;
    }
    map.floor = canvas_floor(on, scene, map.cell, map.columns, map.rows);
    canvas_blur(map.people, map.columns, map.rows, spread / map.cell);
    canvas_blur(map.floor, map.columns, map.rows, spread / map.cell);
    double area = map.cell * map.cell;
    for (size_t i = 0; i < cells; i++) map.people[i] = map.floor[i] > 0.02 ? map.people[i] / (area * map.floor[i]) : 0;
    return map;
}

static double ceiling_of(const density_map *map) {
    double most = 0;
    for (int i = 0; i < map->columns * map->rows; i++) most = fmax(most, map->people[i]);
    return ceil(most);
}

uint32_t canvas_density_bits(double density, double densest) {
    double seen = fmin(fmax((density - 0.04) / 1.2, 0), 1), opacity = 0.92 * seen * (2 - seen);
    colour c = colour_of_density(density / densest);
    c = (colour){c.r * opacity, c.g * opacity, c.b * opacity};
    return (uint32_t)(255 * opacity + 0.5) << 24 | colour_bits(c);
}

static cairo_surface_t *paint(const density_map *map, double densest) {
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, map->columns, map->rows);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (int r = 0; r < map->rows; r++) {
        for (int c = 0; c < map->columns; c++) {
            uint32_t argb = canvas_density_bits(map->people[r * map->columns + c], densest);
            memcpy(pixels + r * stride + 4 * c, &argb, 4);
        }
    }
    cairo_surface_mark_dirty(image);
    return image;
}

void canvas_paint_map(const canvas *on, const crowd_scene *scene, cairo_surface_t *image, double cell, int rows) {
    cairo_save(on->cr);
    cairo_set_fill_rule(on->cr, CAIRO_FILL_RULE_EVEN_ODD);
    canvas_walkable_path(on, scene);
    cairo_clip(on->cr);
    cairo_translate(on->cr, on->left, on->bottom - rows * cell * on->scale);
    cairo_scale(on->cr, cell * on->scale, cell * on->scale);
    cairo_set_source_surface(on->cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(on->cr), CAIRO_FILTER_BILINEAR);
    cairo_pattern_set_extend(cairo_get_source(on->cr), CAIRO_EXTEND_PAD);
    cairo_paint(on->cr);
    cairo_restore(on->cr);
}

void draw_density(const canvas *on, const crowd_scene *scene, double *densest) {
    density_map map = measure(on, scene);
    *densest = fmax(*densest, ceiling_of(&map));
    cairo_surface_t *image = paint(&map, *densest);
    canvas_paint_map(on, scene, image, map.cell, map.rows);
    cairo_surface_destroy(image);
    free(map.people);
    free(map.floor);
}
