/* geometry.c: the place of a run as the texts that recordings carry: WKT, thin walls and marks; and the files that
 * carry them. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/record.h"
#include "space/place.h"
#include "space/wkt.h"

/* Space kept around everybody and every goal of an open plane, m. */
static const double margin = 5;

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
        throng_wkt_add_points(out, yards->place->rings[i], true);
    }
}

/* One polygon with the obstacles as holes, and one for every yard. */
static void describe_open(throng_record_geometry *geometry, const throng_place *place) {
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
        throng_wkt_add_points(&after, place->rings[i], true);
        add_obstacles(&after, &yards, i);
        throng_string_add(&after, ")");
    }
    if (yards.any) throng_string_add(&after, ")");
    geometry->before = throng_copy_text(yards.any ? "GEOMETRYCOLLECTION (POLYGON (" : "POLYGON (");
    geometry->after = after.text;
    throng_release(yards.area);
}

throng_record_geometry *throng_record_geometry_create(const throng_place *place) {
    throng_record_geometry *geometry = throng_allocate(sizeof *geometry);
    geometry->open = throng_place_is_open(place);
    geometry->bounds = throng_place_bounds(place);
    geometry->has_bounds = place->point_count > 0;
    if (geometry->open) {
        describe_open(geometry, place);
    } else {
        geometry->before = throng_copy_text(throng_place_wkt(place));
        geometry->after = throng_copy_text("");
    }
    throng_string walls = {0};
    for (size_t i = 0; i < throng_place_line_count(place); i++) {
        throng_string_add(&walls, i ? "\nLINESTRING " : "LINESTRING ");
        throng_wkt_add_points(&walls, throng_place_line(place, i), false);
    }
    geometry->walls = walls.text;
    return geometry;
}

void throng_record_geometry_destroy(throng_record_geometry *geometry) {
    if (!geometry) return;
    THRONG_RELEASE(geometry->walls, geometry->marks, geometry->joined, geometry->before, geometry->after, geometry);
}

/* FNV-1a (Fowler, Noll, Vo), but for one character. */
static uint64_t hash_text(uint64_t hash, const char *text, char without) {
    for (; *text; text++)
        if (*text != without) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

int64_t throng_record_geometry_hash(const throng_record_geometry *geometry, const char *wkt) {
    uint64_t hash = hash_text(0xcbf29ce484222325u, wkt, 0);
    if (geometry->walls) hash = hash_text(hash, geometry->walls, '\n');
    if (geometry->marks) hash = hash_text(hash, geometry->marks, 0);
    return (int64_t)(hash >> 1);
}

char *throng_record_geometry_join(const char *a, const char *b) {
    throng_string both = {0};
    throng_string_print(&both, "GEOMETRYCOLLECTION (%s, %s)", a, b);
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = both.text;
    throng_place *place = throng_place_create(&def, NULL);
    char *joined = place ? throng_copy_text(throng_place_wkt(place)) : NULL;
    throng_place_destroy(place);
    throng_release(both.text);
    return joined;
}

throng_box throng_record_geometry_bounds(const throng_record_geometry *geometry, throng_box reach) {
    if (!geometry->open) return geometry->bounds;
    if (geometry->has_bounds) reach = throng_box_join(reach, geometry->bounds);
    if (throng_box_is_empty(reach)) reach = (throng_box){{0, 0}, {0, 0}};
    return (throng_box){{reach.low.x - margin, reach.low.y - margin}, {reach.high.x + margin, reach.high.y + margin}};
}

/* The rectangle's five points: two numbers each, every one with a separator or bracket. */
enum { number_size = 340, ring_size = 10 * (number_size + 2) };

size_t throng_record_geometry_wkt_size(const throng_record_geometry *geometry) {
    return strlen(geometry->before) + strlen(geometry->after) + ring_size + 1;
}

void throng_record_geometry_wkt(const throng_record_geometry *geometry, throng_box reach, int width, char *text) {
    size_t length = strlen(geometry->before);
    memcpy(text, geometry->before, length + 1);
    if (!geometry->open) return;

    throng_box box = throng_record_geometry_bounds(geometry, reach);
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
    strcpy(text + length, geometry->after);
}

bool throng_output_create(throng_output *output, const throng_record_head *head, throng_error *error) {
    output->head = *head;
    output->reach = head->reach;
    throng_output_change_ground(output, head->geometry);
    return throng_target_create(&output->target, head->path, error);
}

void throng_output_change_ground(throng_output *output, const throng_record_geometry *geometry) {
    output->geometry = geometry;
    throng_release(output->wkt);
    output->wkt = throng_allocate(throng_record_geometry_wkt_size(geometry));
}

void throng_output_reach(throng_output *output, const throng_record_frame *frame) {
    throng_box reach = throng_box_join(output->reach, frame->reach);
    if (output->geometry->open && memcmp(&reach, &output->reach, sizeof reach) != 0) output->grown = true;
    output->reach = reach;
}

void throng_output_wkt(throng_output *output, int width) {
    throng_record_geometry_wkt(output->geometry, output->reach, width, output->wkt);
    output->grown = false;
}

bool throng_output_close(throng_output *output, bool good, throng_error *error) {
    bool closed = throng_target_release(&output->target);
    throng_release(output->wkt);
    return good && (closed || throng_refuse_write(error, output->head.path, strerror(errno)));
}
