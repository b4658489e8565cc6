/* space.c: the map of personal spaces of a picture (canvas.h): who has how much room.
 *
 * As the model `cpd` has them: a disc around everybody, longer ahead for each m/s, divided where they meet: a pixel
 * belongs to the nearest of those whose space holds it and who see it past the walls. Of people whom `cpd` moves they
 * are those of their profiles, else the usual ones (0.9 m, 0.4 m for each m/s). Spaces face the way people move.
 * Colours tell the area that is left to somebody, as its model has found it or as it is drawn, in classes of the United
 * States Federal Emergency Management Agency (Special events contingency planning, 2010), or how dense that makes the
 * crowd, smoothed over 0.2 m. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

static const double least_area = 0.12;  /* m2, for densities */
static const double smooth_width = 0.2; /* m */

const double space_classes[SPACE_CLASSES - 1] = {2.3, 0.9, 0.5, 0.3, 0.2};

enum { NOBODY = -1 };

typedef struct segment {
    throng_point a, b;
} segment;

typedef struct space_map {
    const crowd_scene *scene;
    int columns, rows; /* rows run downwards, as in an image */
    double cell;       /* m */
    throng_point low;  /* m */
    double *floor;     /* part of a cell that is walkable */
    int *owner;
    float *nearest; /* m, less the weight of who is */
    double *area;   /* [person] m2 */
    segment *walls;
    size_t wall_count;
} space_map;

/* ------------------------------------------------------------------ walls */

static void add_walls(space_map *map, throng_ring ring, bool closed) {
    size_t count = closed ? ring.count : ring.count - 1;
    if (ring.count < 2) return;
    map->walls = resize(map->walls, (map->wall_count + count) * sizeof *map->walls);
    for (size_t k = 0; k < count; k++)
        map->walls[map->wall_count++] = (segment){ring.points[k], ring.points[(k + 1) % ring.count]};
}

static double side_of(throng_point a, throng_point b, throng_point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool crosses(const segment *wall, throng_point p, throng_point q) {
    return (side_of(wall->a, wall->b, p) > 0) != (side_of(wall->a, wall->b, q) > 0) &&
           (side_of(p, q, wall->a) > 0) != (side_of(p, q, wall->b) > 0);
}

/* The walls that come within reach of a point, as far as a box tells. */
static size_t walls_near(const space_map *map, throng_point at, double reach, const segment **out, size_t most) {
    size_t count = 0;
    for (size_t k = 0; k < map->wall_count && count < most; k++) {
        const segment *w = &map->walls[k];
        if (fmax(w->a.x, w->b.x) < at.x - reach || fmin(w->a.x, w->b.x) > at.x + reach) continue;
        if (fmax(w->a.y, w->b.y) < at.y - reach || fmin(w->a.y, w->b.y) > at.y + reach) continue;
        out[count++] = w;
    }
    return count;
}

/* ------------------------------------------------------------------ the map */

/* Whether a space holds a point (dx, dy) away from its owner. */
static bool holds(const scene_person *who, double speed, double dx, double dy) {
    double along = speed > 0 ? (dx * who->vx + dy * who->vy) / speed : 0;
    double across2 = dx * dx + dy * dy - along * along;
    double length = along > 0 ? who->space + who->front * speed : who->space;
    return along * along / (length * length) + across2 / (who->space * who->space) <= 1;
}

static void draw_one(space_map *map, int number) {
    enum { WALLS_MOST = 64 };
    const segment *walls[WALLS_MOST];
    const scene_person *who = &map->scene->people[number];
    throng_point at = {who->x, who->y};
    double speed = hypot(who->vx, who->vy), reach = who->space + who->front * speed;
    size_t wall_count = walls_near(map, at, reach, walls, WALLS_MOST);
    int left = (int)floor((at.x - reach - map->low.x) / map->cell),
        right = (int)ceil((at.x + reach - map->low.x) / map->cell);
    int top = map->rows - (int)ceil((at.y + reach - map->low.y) / map->cell);
    int bottom = map->rows - (int)floor((at.y - reach - map->low.y) / map->cell);
    for (int r = top > 0 ? top : 0; r < map->rows && r <= bottom; r++) {
        for (int c = left > 0 ? left : 0; c < map->columns && c <= right; c++) {
            throng_point p = {map->low.x + (c + 0.5) * map->cell, map->low.y + (map->rows - r - 0.5) * map->cell};
            double dx = p.x - at.x, dy = p.y - at.y;
            float far = (float)(sqrt(dx * dx + dy * dy) - who->weight);
            int at_cell = r * map->columns + c;
            if (far >= map->nearest[at_cell] || map->floor[at_cell] < 0.5 || !holds(who, speed, dx, dy)) continue;
            bool seen = true;
            for (size_t k = 0; k < wall_count && seen; k++) seen = !crosses(walls[k], at, p);
            if (!seen) continue;
            map->nearest[at_cell] = far;
            map->owner[at_cell] = number;
        }
    }
}

static space_map make_map(const canvas *on, const crowd_scene *scene) {
    double width = on->shown.high.x - on->shown.low.x, height = on->shown.high.y - on->shown.low.y;
    /* half a pixel of the model where there is room for it */
    space_map map = {.scene = scene, .cell = fmax(0.05, fmax(width, height) / 3000), .low = on->shown.low};
    map.columns = (int)ceil(width / map.cell);
    map.rows = (int)ceil(height / map.cell);
    size_t cells = (size_t)map.columns * (size_t)map.rows;
    map.floor = canvas_floor(on, scene, map.cell, map.columns, map.rows);
    map.owner = resize(NULL, cells * sizeof *map.owner);
    map.nearest = resize(NULL, cells * sizeof *map.nearest);
    map.area = resize(NULL, (scene->count + 1) * sizeof *map.area);
    for (size_t i = 0; i < cells; i++) map.owner[i] = NOBODY, map.nearest[i] = INFINITY;
    for (size_t i = 0; i < scene->count; i++) map.area[i] = 0;
    for (size_t i = 0; i < throng_place_ring_count(scene->place); i++)
        add_walls(&map, throng_place_ring(scene->place, i), true);
    for (size_t i = 0; i < throng_place_line_count(scene->place); i++)
        add_walls(&map, throng_place_line(scene->place, i), false);
    for (size_t i = 0; i < scene->count; i++) draw_one(&map, (int)i);
    for (size_t i = 0; i < cells; i++) {
        if (map.owner[i] != NOBODY) map.area[map.owner[i]] += map.cell * map.cell;
    }
    for (size_t i = 0; i < scene->count; i++) {
        if (scene->people[i].area > 0) map.area[i] = scene->people[i].area;
    }
    return map;
}

static void free_map(space_map *map) {
    free(map->floor);
    free(map->owner);
    free(map->nearest);
    free(map->area);
    free(map->walls);
}

/* ------------------------------------------------------------------ colours */

int space_class_of(double area) {
    int class = 0;
    while (class < SPACE_CLASSES - 1 && area < space_classes[class]) class ++;
    return class;
}

/* A class by its owner; darker at the edge of a space. */
static colour class_colour(const space_map *map, int r, int c) {
    int who = map->owner[r * map->columns + c];
    if (who == NOBODY) return colour_floor;
    colour k = colour_of_space(space_class_of(map->area[who]));
    bool edge = (c + 1 < map->columns && map->owner[r * map->columns + c + 1] != who) ||
                (r + 1 < map->rows && map->owner[(r + 1) * map->columns + c] != who);
    return edge ? colour_darker(k, 0.25) : k;
}

static double *densities_of(const space_map *map) {
    size_t cells = (size_t)map->columns * (size_t)map->rows;
    double *density = resize(NULL, cells * sizeof *density), *floor = resize(NULL, cells * sizeof *floor);
    for (size_t i = 0; i < cells; i++) {
        density[i] = map->owner[i] == NOBODY ? 0 : 1 / fmax(map->area[map->owner[i]], least_area);
        floor[i] = map->floor[i] >= 0.5;
    }
    canvas_blur(density, map->columns, map->rows, smooth_width / map->cell);
    canvas_blur(floor, map->columns, map->rows, smooth_width / map->cell);
    for (size_t i = 0; i < cells; i++) density[i] = floor[i] > 0.02 ? density[i] / floor[i] : 0;
    free(floor);
    return density;
}

static double ceiling_of(const double *density, size_t cells) {
    double most = 0;
    for (size_t i = 0; i < cells; i++) most = fmax(most, density[i]);
    return ceil(most);
}

void draw_space(const canvas *on, const crowd_scene *scene, bool densities, double *densest) {
    space_map map = make_map(on, scene);
    double *density = densities ? densities_of(&map) : NULL;
    if (density) *densest = fmax(*densest, ceiling_of(density, (size_t)map.columns * (size_t)map.rows));
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, map.columns, map.rows);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (int r = 0; r < map.rows; r++) {
        for (int c = 0; c < map.columns; c++) {
            uint32_t argb = density ? canvas_density_bits(density[r * map.columns + c], *densest)
                                    : 0xFF000000 | colour_bits(class_colour(&map, r, c));
            memcpy(pixels + r * stride + 4 * c, &argb, 4);
        }
    }
    cairo_surface_mark_dirty(image);
    canvas_paint_map(on, scene, image, map.cell, map.rows);
    cairo_surface_destroy(image);
    free(density);
    free_map(&map);
}
