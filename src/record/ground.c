/* ground.c: the place of a run as the WKT text that recordings carry. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/record.h"
#include "space/place.h"
#include "world/memory.h"

/* Space kept around everybody and every goal of an open plane, m. */
static const double margin = 5;

/* "(x y, x y, ...)", with the first point again at the end when closed. */
static void add_points(throng_string *out, throng_ring ring, bool closed) {
    throng_string_add(out, "(");
    for (size_t i = 0; i < ring.count + closed; i++) {
        throng_point p = ring.points[i % ring.count];
        char x[THRONG_DECIMAL_SIZE], y[THRONG_DECIMAL_SIZE];
        throng_decimal_text(p.x, x);
        throng_decimal_text(p.y, y);
        if (i) throng_string_add(out, ", ");
        throng_string_add(out, x);
        throng_string_add(out, " ");
        throng_string_add(out, y);
    }
    throng_string_add(out, ")");
}

/* The rings of an open plane, told apart: obstacles turn clockwise, the borders of yards that
 * obstacles enclose turn counter-clockwise. */
struct yards {
    const throng_place *place;
    double *area; /* [ring] m^2, positive for a yard */
    bool any;
};

/* The smallest yard around a ring; SIZE_MAX when it stands in the open. */
static size_t yard_around(const struct yards *yards, size_t ring) {
    if (!yards->any) return SIZE_MAX;
    throng_point p = yards->place->rings[ring].points[0];
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < yards->place->ring_count; i++) {
        if (yards->area[i] <= 0 || (found != SIZE_MAX && yards->area[i] >= yards->area[found])) continue;
        if (throng_ring_contains(yards->place->rings[i], p.x, p.y)) found = i;
    }
    return found;
}

static void add_obstacles(throng_string *out, const struct yards *yards, size_t yard) {
    for (size_t i = 0; i < yards->place->ring_count; i++) {
        if (yards->area[i] > 0 || yard_around(yards, i) != yard) continue;
        throng_string_add(out, ", ");
        add_points(out, yards->place->rings[i], true);
    }
}

/* One polygon with the obstacles as holes, and one for every yard. */
static void describe_open(throng_record_ground *ground, const throng_place *place) {
    struct yards yards = {place, throng_allocate(place->ring_count * sizeof(double)), false};
    for (size_t i = 0; i < place->ring_count; i++) {
        yards.area[i] = throng_ring_area(place->rings[i]);
        if (yards.area[i] > 0) yards.any = true;
    }
    throng_string after = {0};
    add_obstacles(&after, &yards, SIZE_MAX);
    throng_string_add(&after, ")");
    for (size_t i = 0; i < place->ring_count; i++) {
        if (yards.area[i] <= 0) continue;
        throng_string_add(&after, ", POLYGON (");
        add_points(&after, place->rings[i], true);
        add_obstacles(&after, &yards, i);
        throng_string_add(&after, ")");
    }
    if (yards.any) throng_string_add(&after, ")");
    ground->before = throng_copy_text(yards.any ? "GEOMETRYCOLLECTION (POLYGON (" : "POLYGON (");
    ground->after = after.text;
    throng_release(yards.area);
}

throng_record_ground *throng_record_ground_create(const throng_place *place) {
    throng_record_ground *ground = throng_allocate(sizeof *ground);
    ground->open = throng_place_is_open(place);
    ground->bounds = throng_place_bounds(place);
    ground->has_bounds = place->point_count > 0;
    if (ground->open) {
        describe_open(ground, place);
    } else {
        ground->before = throng_copy_text(throng_place_wkt(place));
        ground->after = throng_copy_text("");
    }
    ground->wall_count = throng_place_line_count(place);
    ground->walls = throng_allocate(ground->wall_count * sizeof *ground->walls);
    for (size_t i = 0; i < ground->wall_count; i++) {
        throng_string line = {0};
        throng_string_add(&line, "LINESTRING ");
        add_points(&line, throng_place_line(place, i), false);
        ground->walls[i] = line.text;
    }
    return ground;
}

void throng_record_ground_destroy(throng_record_ground *ground) {
    if (!ground) return;
    for (size_t i = 0; i < ground->wall_count; i++) throng_release(ground->walls[i]);
    throng_release(ground->walls);
    throng_release(ground->before);
    throng_release(ground->after);
    throng_release(ground);
}

throng_box throng_record_ground_bounds(const throng_record_ground *ground, throng_box reach) {
    if (!ground->open) return ground->bounds;
    if (ground->has_bounds) reach = throng_box_join(reach, ground->bounds);
    if (throng_box_is_empty(reach)) reach = (throng_box){{0, 0}, {0, 0}};
    return (throng_box){{reach.low.x - margin, reach.low.y - margin}, {reach.high.x + margin, reach.high.y + margin}};
}

/* The rectangle's five points: two numbers each, every one with a separator or bracket. */
enum { number_size = 340, ring_size = 10 * (number_size + 2) };

size_t throng_record_ground_wkt_size(const throng_record_ground *ground) {
    return strlen(ground->before) + strlen(ground->after) + ring_size + 1;
}

void throng_record_ground_wkt(const throng_record_ground *ground, throng_box reach, int width, char *text) {
    size_t length = strlen(ground->before);
    memcpy(text, ground->before, length + 1);
    if (!ground->open) return;

    throng_box box = throng_record_ground_bounds(ground, reach);
    const double corners[5][2] = {{box.low.x, box.low.y},
                                  {box.high.x, box.low.y},
                                  {box.high.x, box.high.y},
                                  {box.low.x, box.high.y},
                                  {box.low.x, box.low.y}};
    for (int i = 0; i < 10; i++) {
        char number[number_size];
        snprintf(number, sizeof number, "%*.3f", width, corners[i / 2][i % 2]);
        char *comma = strchr(number, ',');
        if (comma) *comma = '.';
        const char *before = i == 0 ? "(" : i % 2 ? " " : ", ";
        length += (size_t)sprintf(text + length, "%s%s", before, number);
    }
    text[length++] = ')';
    strcpy(text + length, ground->after);
}
