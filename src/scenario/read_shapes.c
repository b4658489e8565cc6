/* read_shapes.c: where an entry says its people stand: "at", "in", "grid", "ring", "ellipse". */

#include <math.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "scenario/scenario.h"
#include "space/place.h"

static const throng_range length_m = {0, THRONG_FARTHEST, true, "m"};
static const throng_range distance_m = {0, THRONG_FARTHEST, false, "m"};

static bool read_required(throng_reader *reader, throng_json_ref object, const char *key, throng_json_ref *out) {
    *out = throng_value(reader, object, key);
    return *out != THRONG_NO_NODE || throng_lacks(reader, object, key, "'%s' is missing", key);
}

static bool read_count(throng_reader *reader, throng_json_ref object, const char *key, size_t limit, size_t *out) {
    throng_json_ref node;
    uint64_t count;
    if (!read_required(reader, object, key, &node) || !throng_read_whole(reader, node, 1, limit, &count)) return false;
    *out = (size_t)count;
    return true;
}

static bool read_centre(throng_reader *reader, throng_json_ref object, const char *key, throng_shape *out) {
    throng_json_ref node;
    return read_required(reader, object, key, &node) && throng_read_point(reader, node, &out->centre);
}

static bool read_at(throng_reader *reader, throng_json_ref node, throng_shape *out) {
    const throng_json *json = reader->json;
    const char *what = "a point [x, y] or a list of points";
    if (throng_json_kind_of(json, node) != THRONG_JSON_LIST) return throng_expected(reader, node, what);
    bool one = throng_json_count(json, node) > 0 && throng_json_kind_of(json, node + 1) != THRONG_JSON_LIST;
    if (!one) {
        bool good = throng_read_points(reader, node, 1, what, &out->ring);
        out->count = out->ring.count;
        return good;
    }
    throng_point point;
    if (!throng_read_point(reader, node, &point)) return false;
    out->ring = (throng_ring){throng_copy_bytes(&point, sizeof point), 1};
    out->count = 1;
    return true;
}

/* People per square metre of the polygon that can be walked on. */
static bool count_by_density(throng_reader *reader, throng_json_ref node, double density, throng_shape *out) {
    double area = throng_walkable_area_in(reader, out->ring), count = floor(density * area + 0.5);
    if (count < 1)
        return throng_wrong(reader, node, "%.4g per square metre of %.4g square metres is nobody", density, area);
    if (count > (double)reader->people_limit) {
        return throng_wrong(reader, node, "that is %.10g people; at most %zu are allowed", count, reader->people_limit);
    }
    out->count = (size_t)count;
    return true;
}

/* How many the plan says start in a spawn, where the entry itself says nothing. */
static bool count_by_spawn(throng_reader *reader, throng_json_ref node, throng_json_ref object, throng_shape *out,
                           bool *said) {
    const throng_floor_shape *spawn = throng_spawn_of(reader, object);
    *said = spawn && (spawn->count > 0 || spawn->density > 0) &&
            throng_value(reader, object, "count") == THRONG_NO_NODE &&
            throng_value(reader, object, "density") == THRONG_NO_NODE;
    if (!*said) return true;
    out->count = (size_t)spawn->count;
    if (spawn->count == 0) return count_by_density(reader, node, spawn->density, out);
    return out->count <= reader->people_limit ||
           throng_wrong(reader, node, "more than %zu people", reader->people_limit);
}

static bool read_in(throng_reader *reader, throng_json_ref node, const throng_entry *entry, throng_shape *out) {
    static const char *const amounts[] = {"count", "density"}, *const fillings[] = {"random", "hex", "grid"};
    throng_json_ref object = entry->node;
    bool good = throng_read_area(reader, object, node, &out->ring), said = false;
    if (entry->source) return good;
    throng_json_ref filling = throng_value(reader, object, "placement");
    if (filling != THRONG_NO_NODE) {
        int word = throng_read_word(reader, filling, fillings, 3);
        good = word >= 0 && good;
        out->filling = word < 0 ? THRONG_FILL_RANDOM : (throng_filling)word;
    }
    if (good) good = count_by_spawn(reader, node, object, out, &said);
    if (said) return good;
    int amount = throng_read_alternative(reader, object, amounts, 2, "'in'");
    if (amount == 0) return read_count(reader, object, "count", reader->people_limit, &out->count) && good;
    if (amount < 0 || !good) return false;
    double density;
    node = throng_value(reader, object, "density");
    return throng_read_number(reader, node, (throng_range){0, 1000, true, "per square metre"}, &density) &&
           count_by_density(reader, node, density, out);
}

static bool read_angle(throng_reader *reader, throng_json_ref object, const char *key, double *out) {
    throng_json_ref node = throng_value(reader, object, key);
    return node == THRONG_NO_NODE || throng_read_number(reader, node, (throng_range){-1e6, 1e6, false, "degrees"}, out);
}

static bool read_grid(throng_reader *reader, throng_json_ref node, throng_shape *out) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_GRID, "an object with origin, columns, rows and spacing"))
        return false;
    bool good = read_centre(reader, node, "origin", out);
    good = read_angle(reader, node, "angle", &out->phase) && good;
    good = read_count(reader, node, "columns", reader->people_limit, &out->columns) && good;
    good = read_count(reader, node, "rows", reader->people_limit, &out->rows) && good;
    throng_json_ref spacing;
    if (!read_required(reader, node, "spacing", &spacing)) return false;
    if (!throng_read_vector(reader, spacing, "two distances [x, y]", &out->size)) return false;
    if (!throng_check_range(reader, spacing + 1, length_m, out->size.x)) return false;
    if (!throng_check_range(reader, spacing + 2, length_m, out->size.y) || !good) return false;
    if (out->columns > reader->people_limit / out->rows) {
        return throng_wrong(reader, node, "more than %zu people", reader->people_limit);
    }
    out->count = out->columns * out->rows;
    return true;
}

static bool read_ring(throng_reader *reader, throng_json_ref node, throng_shape *out) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_RING, "an object with centre, radius and count")) return false;
    bool good = read_centre(reader, node, "centre", out);
    good = read_count(reader, node, "count", reader->people_limit, &out->count) && good;
    throng_json_ref radius;
    good = read_required(reader, node, "radius", &radius) &&
           throng_read_number(reader, radius, length_m, &out->radius) && good;
    return read_angle(reader, node, "phase", &out->phase) && good;
}

/* The points of a square lattice, with one at the centre, that lie in the ellipse; or their number,
 * up to a limit. */
static size_t ellipse_points(const throng_shape *shape, throng_point *out, size_t limit) {
    double a = shape->size.x, b = shape->size.y, step = shape->spacing;
    double columns = floor(a / step * (1 + 1e-12)), rows = floor(b / step * (1 + 1e-12));
    size_t count = 0;
    /* At least a third of the lattice around it lies in the ellipse. */
    if ((2 * columns + 1) * (2 * rows + 1) > 3.0 * (double)limit + 9) return limit;
    for (double row = -rows; row <= rows; row++) {
        for (double column = -columns; column <= columns && count < limit; column++) {
            double x = column * step, y = row * step;
            if (x * x / (a * a) + y * y / (b * b) > 1 + 1e-12) continue;
            if (out) out[count] = (throng_point){shape->centre.x + x, shape->centre.y + y};
            count++;
        }
        if (count >= limit) break;
    }
    return count;
}

static bool read_ellipse(throng_reader *reader, throng_json_ref node, throng_shape *out) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_ELLIPSE, "an object with centre, axes and spacing")) return false;
    throng_json_ref axes, spacing;
    bool good = read_centre(reader, node, "centre", out);
    good = read_required(reader, node, "axes", &axes) &&
           throng_read_vector(reader, axes, "two semi-axes [x, y]", &out->size) &&
           throng_check_range(reader, axes + 1, length_m, out->size.x) &&
           throng_check_range(reader, axes + 2, length_m, out->size.y) && good;
    good = read_required(reader, node, "spacing", &spacing) &&
           throng_read_number(reader, spacing, length_m, &out->spacing) && good;
    if (!good) return false;
    out->count = ellipse_points(out, NULL, reader->people_limit + 1);
    return out->count <= reader->people_limit ||
           throng_wrong(reader, node, "more than %zu people", reader->people_limit);
}

/* "jitter" stands beside the shape or in it. */
static bool read_jitter(throng_reader *reader, throng_json_ref object, throng_shape *out) {
    throng_json_ref outer = throng_value(reader, object, "jitter"), inner = throng_value(reader, out->node, "jitter");
    if (outer != THRONG_NO_NODE && inner != THRONG_NO_NODE)
        return throng_wrong(reader, outer, "'jitter' is given twice");
    throng_json_ref node = outer != THRONG_NO_NODE ? outer : inner;
    return node == THRONG_NO_NODE || throng_read_number(reader, node, distance_m, &out->jitter);
}

/* Keys that mean something beside "in" only. */
static bool refuse_strays(throng_reader *reader, throng_json_ref object, const char *shape) {
    static const char *const strays[] = {"count", "density", "placement"};
    bool good = true;
    for (size_t i = 0; i < 3; i++) {
        throng_json_ref node = throng_value(reader, object, strays[i]);
        if (node != THRONG_NO_NODE)
            good = throng_wrong(reader, node, "'%s' goes with 'in', not with '%s'", strays[i], shape);
    }
    return good;
}

bool throng_load_shape(throng_reader *reader, const throng_entry *entry, throng_shape *out) {
    static const char *const kinds[] = {"at", "in", "grid", "ring", "ellipse"};
    throng_json_ref object = entry->node;
    *out = (throng_shape){.gap = 0.01};
    const char *what = entry->source ? "an entry of \"sources\"" : "an entry of \"agents\"";
    int kind = throng_read_alternative(reader, object, kinds, 5, what);
    if (kind < 0) return false;
    out->kind = (throng_shape_kind)kind;
    out->node = throng_value(reader, object, kinds[kind]);

    throng_json_ref gap = throng_value(reader, object, "gap");
    out->gap_given = gap != THRONG_NO_NODE;
    bool good = !out->gap_given || throng_read_number(reader, gap, distance_m, &out->gap);
    good = read_jitter(reader, object, out) && good;
    if (out->kind != THRONG_IN && !entry->source) good = refuse_strays(reader, object, kinds[kind]) && good;
    switch (out->kind) {
        case THRONG_AT:
            return read_at(reader, out->node, out) && good;
        case THRONG_IN:
            return read_in(reader, out->node, entry, out) && good;
        case THRONG_GRID:
            return read_grid(reader, out->node, out) && good;
        case THRONG_ON_RING:
            return read_ring(reader, out->node, out) && good;
        default:
            return read_ellipse(reader, out->node, out) && good;
    }
}

static void grid_points(const throng_shape *shape, throng_point *out) {
    double c = 1, s = 0;
    if (shape->phase != 0) throng_cos_sin(shape->phase, &c, &s);
    for (size_t i = 0; i < shape->count; i++) {
        double x = (double)(i % shape->columns) * shape->size.x, y = (double)(i / shape->columns) * shape->size.y;
        out[i] = (throng_point){shape->centre.x + (c * x - s * y), shape->centre.y + (s * x + c * y)};
    }
}

void throng_shape_positions(const throng_shape *shape, throng_point *out) {
    switch (shape->kind) {
        case THRONG_AT:
            for (size_t i = 0; i < shape->count; i++) out[i] = shape->ring.points[i];
            break;
        case THRONG_GRID:
            grid_points(shape, out);
            break;
        case THRONG_ON_RING:
            for (size_t i = 0; i < shape->count; i++) {
                double c, s;
                throng_cos_sin(shape->phase + 360.0 * (double)i / (double)shape->count, &c, &s);
                out[i] = (throng_point){shape->centre.x + shape->radius * c, shape->centre.y + shape->radius * s};
            }
            break;
        default:
            ellipse_points(shape, out, shape->count + 1);
    }
}
