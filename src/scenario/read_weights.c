/* read_weights.c: parameters that are maps of weights in somebody's own frame: a table, rows from ahead to behind, each
 * from left to right, or the name of a picture beside the scenario in which bright is much and the top is ahead.
 *
 *     "weight_map": [[1, 2, 3],
 *                    [1, 2, 3]]
 *     "weight_map": "keep-right.png" */

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "plan/picture.h"
#include "scenario/scenario.h"
#include "text/file.h"

static const throng_range weight_range = {0, 1e9, false, ""};

static bool read_row(throng_reader *reader, throng_json_ref node, size_t columns, double *out) {
    const throng_json *json = reader->json;
    bool good = true;
    if (throng_json_kind_of(json, node) != THRONG_JSON_LIST)
        return throng_expected(reader, node, "a row of weights [1, 2, ...]");
    if (throng_json_count(json, node) != columns)
        return throng_wrong(reader, node, "expected %zu weights as in the first row, found %zu", columns,
                            throng_json_count(json, node));
    THRONG_EACH_ITEM (k, json, node) good = throng_read_number(reader, k, weight_range, out++) && good;
    return good;
}

static bool read_table(throng_reader *reader, throng_json_ref node, throng_weight_map *map, double **weights) {
    const throng_json *json = reader->json;
    throng_json_ref first = throng_json_first(json, node), end = throng_json_end(json, node);
    map->rows = throng_json_count(json, node);
    if (map->rows == 0) return throng_wrong(reader, node, "the table has no rows");
    if (map->rows > THRONG_MAP_SIDE)
        return throng_wrong(reader, node, "expected up to %d rows, found %zu", THRONG_MAP_SIDE, map->rows);
    if (throng_json_kind_of(json, first) != THRONG_JSON_LIST)
        return throng_expected(reader, first, "a row of weights [1, 2, ...]");
    map->columns = throng_json_count(json, first);
    if (map->columns == 0) return throng_wrong(reader, first, "the row has no weights");
    if (map->columns > THRONG_MAP_SIDE)
        return throng_wrong(reader, first, "expected up to %d weights in a row, found %zu", THRONG_MAP_SIDE,
                            map->columns);
    *weights = throng_allocate(map->rows * map->columns * sizeof **weights);
    bool good = true;
    size_t row = 0;
    for (throng_json_ref k = first; k < end; k = throng_json_after(json, k))
        good = read_row(reader, k, map->columns, *weights + map->columns * row++) && good;
    return good;
}

static bool decode_picture(throng_reader *reader, throng_json_ref node, const char *name, const char *bytes,
                           size_t length, throng_picture *out) {
    throng_report *found = throng_report_create();
    throng_picture_limits most = {THRONG_MAP_SIDE, THRONG_MAP_SIDE * THRONG_MAP_SIDE};
    bool good = throng_picture_read(bytes, length, most, out, found);
    if (!good) throng_wrong(reader, node, "%.150s: %s", name, throng_report_message(found, 0).text);
    throng_report_destroy(found);
    return good;
}

static bool read_picture(throng_reader *reader, throng_json_ref node, throng_weight_map *map, double **weights) {
    const char *name = throng_json_text_of(reader->json, node);
    size_t length;
    char *bytes = throng_read_beside(reader, node, name, &length);
    if (!bytes) return false;
    throng_picture picture;
    bool good = decode_picture(reader, node, name, bytes, length, &picture);
    throng_release(bytes);
    if (!good) return false;
    map->rows = picture.height;
    map->columns = picture.width;
    *weights = throng_allocate(map->rows * map->columns * sizeof **weights);
    for (size_t i = 0; i < map->rows * map->columns; i++)
        (*weights)[i] = throng_picture_brightness(picture.rgba + 4 * i);
    throng_release(picture.rgba);
    return true;
}

static bool is_all_zero(const throng_weight_map *map) {
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if (map->weights[i] > 0) return false;
    }
    return true;
}

/* The number of a map that is kept; equal ones are shared. Takes the weights. */
static size_t intern_map(throng_scenario *s, const throng_weight_map *map) {
    for (size_t i = 0; i < s->map_count; i++) {
        const throng_weight_map *other = &s->maps[i];
        if (other->rows != map->rows || other->columns != map->columns ||
            memcmp(other->weights, map->weights, map->rows * map->columns * sizeof *map->weights) != 0)
            continue;
        throng_release((void *)map->weights);
        return i + 1;
    }
    THRONG_GROW(s->maps, s->map_capacity, s->map_count + 1);
    s->maps[s->map_count++] = *map;
    return s->map_count;
}

bool throng_read_weight_map(throng_reader *reader, throng_json_ref node, double *out) {
    throng_json_kind kind = throng_json_kind_of(reader->json, node);
    throng_weight_map map = {0};
    double *weights = NULL;
    bool good;
    if (kind == THRONG_JSON_LIST)
        good = read_table(reader, node, &map, &weights);
    else if (kind == THRONG_JSON_TEXT)
        good = read_picture(reader, node, &map, &weights);
    else
        return throng_expected(reader, node, "a table of weights [[1, 2], ...] or the name of a picture (.png)");
    map.weights = weights;
    if (good && is_all_zero(&map)) good = throng_wrong(reader, node, "all weights are 0: at least one must be above");
    if (good)
        *out = (double)intern_map(reader->scenario, &map);
    else
        throng_release(weights);
    return good;
}

bool throng_add_weight_maps(const throng_scenario *s, throng_world *world) {
    for (size_t i = 0; i < s->map_count; i++) {
        if (throng_world_add_weight_map(world, s->maps[i].weights, s->maps[i].rows, s->maps[i].columns) != i + 1)
            return false;
    }
    return true;
}

void throng_clear_weight_maps(throng_scenario *s) {
    for (size_t i = 0; i < s->map_count; i++) throng_release((void *)s->maps[i].weights);
    throng_release(s->maps);
}
