/* zone_map.c: see zone_map.h. Cells that no border passes are known to lie inside or outside as a whole, so
 * that polygons are asked only near their borders. */

#include "space/zone_map.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "space/place.h"

static const double cell_usual = 0.5; /* m */
static const double cells_most = 65536;

static void copy_zone(throng_zone *zone, const throng_zone_def *def) {
    size_t count = def->setting_count;
    *zone = (throng_zone){.speed_factor = def->speed_factor, .setting_count = count};
    zone->ring.points = throng_copy_bytes(def->ring.points, def->ring.count * sizeof *def->ring.points);
    zone->ring.count = def->ring.count;
    zone->box = throng_box_of(zone->ring.points, zone->ring.count);
    zone->settings = throng_copy_bytes(def->settings, count * sizeof *def->settings);
    for (size_t i = 0; i < count; i++) zone->settings[i].name = throng_copy_text(def->settings[i].name);
}

/* Whether a side of the ring comes into a box. */
static bool side_meets(throng_point a, throng_point b, throng_box box) {
    double from = 0, to = 1;
    double starts[2] = {a.x, a.y}, ways[2] = {b.x - a.x, b.y - a.y};
    double lows[2] = {box.low.x, box.low.y}, highs[2] = {box.high.x, box.high.y};
    for (int axis = 0; axis < 2; axis++) {
        if (ways[axis] == 0) {
            if (starts[axis] < lows[axis] || starts[axis] > highs[axis]) return false;
            continue;
        }
        double enter = (lows[axis] - starts[axis]) / ways[axis], exit = (highs[axis] - starts[axis]) / ways[axis];
        from = fmax(from, fmin(enter, exit));
        to = fmin(to, fmax(enter, exit));
    }
    return from <= to;
}

static bool border_meets(throng_ring ring, throng_box box) {
    for (size_t i = 0; i < ring.count; i++) {
        if (side_meets(ring.points[i], ring.points[(i + 1) % ring.count], box)) return true;
    }
    return false;
}

static throng_box cell_box(const throng_zones *z, size_t cell) {
    const double margin = 1e-9; /* against rounding */
    double side = 1 / z->inverse_cell;
    double x = z->box.low.x + (double)(cell % (size_t)z->columns) * side;
    double y = z->box.low.y + (double)(cell / (size_t)z->columns) * side;
    return (throng_box){{x - margin * side, y - margin * side}, {x + side + margin * side, y + side + margin * side}};
}

static void lay_cells(throng_zones *z) {
    z->box = throng_box_empty();
    for (size_t i = 0; i < z->count; i++) z->box = throng_box_join(z->box, z->zones[i].box);
    double width = z->box.high.x - z->box.low.x, height = z->box.high.y - z->box.low.y, cell = cell_usual;
    while ((floor(width / cell) + 1) * (floor(height / cell) + 1) > cells_most) cell *= 1.25;
    z->inverse_cell = 1 / cell;
    z->columns = (int32_t)floor(width / cell) + 1;
    z->rows = (int32_t)floor(height / cell) + 1;
}

static void fill_cells(throng_zones *z) {
    size_t cells = (size_t)z->columns * (size_t)z->rows, count = 0, capacity = 0;
    throng_release(z->entries);
    z->entries = NULL;
    z->start = throng_reallocate(z->start, (cells + 1) * sizeof *z->start);
    for (size_t c = 0; c < cells; c++) {
        throng_box box = cell_box(z, c);
        throng_point middle = {0.5 * (box.low.x + box.high.x), 0.5 * (box.low.y + box.high.y)};
        z->start[c] = (uint32_t)count;
        for (size_t i = 0; i < z->count; i++) {
            throng_box own = z->zones[i].box;
            bool apart =
                own.high.x < box.low.x || own.low.x > box.high.x || own.high.y < box.low.y || own.low.y > box.high.y;
            if (apart) continue;
            bool border = border_meets(z->zones[i].ring, box);
            if (!border && !throng_ring_contains(z->zones[i].ring, middle.x, middle.y)) continue;
            THRONG_GROW(z->entries, capacity, count + 1);
            z->entries[count++] = (throng_zone_cell){(uint32_t)i, !border};
        }
    }
    z->start[cells] = (uint32_t)count;
}

void throng_zones_add(throng_zones *z, const throng_zone_def *def) {
    THRONG_GROW(z->zones, z->capacity, z->count + 1);
    copy_zone(&z->zones[z->count++], def);
    z->laid = false;
}

void throng_zones_lay(throng_zones *z) {
    if (z->laid || z->count == 0) return;
    lay_cells(z);
    fill_cells(z);
    z->laid = true;
}

void throng_zones_clear(throng_zones *z) {
    for (size_t i = 0; i < z->count; i++) {
        for (size_t k = 0; k < z->zones[i].setting_count; k++) throng_release((void *)z->zones[i].settings[k].name);
        THRONG_RELEASE(z->zones[i].settings, (void *)z->zones[i].ring.points, z->zones[i].profiles);
    }
    THRONG_RELEASE(z->zones, z->start, z->entries);
    *z = (throng_zones){0};
}

const throng_zone_cell *throng_zones_at(const throng_zones *z, double x, double y, size_t *count) {
    *count = 0;
    if (!z->laid || !(x >= z->box.low.x && x <= z->box.high.x && y >= z->box.low.y && y <= z->box.high.y)) {
        return NULL;
    }
    int32_t column = (int32_t)((x - z->box.low.x) * z->inverse_cell);
    int32_t row = (int32_t)((y - z->box.low.y) * z->inverse_cell);
    if (column >= z->columns) column = z->columns - 1;
    if (row >= z->rows) row = z->rows - 1;
    size_t cell = (size_t)row * (size_t)z->columns + (size_t)column;
    *count = z->start[cell + 1] - z->start[cell];
    return z->entries + z->start[cell];
}

bool throng_zone_holds(const throng_zones *z, throng_zone_cell entry, double x, double y) {
    return entry.whole || throng_ring_contains(z->zones[entry.zone].ring, x, y);
}

double throng_zones_speed(const throng_zones *z, double x, double y) {
    size_t count;
    const throng_zone_cell *entries = throng_zones_at(z, x, y, &count);
    for (size_t i = 0; i < count; i++) {
        double factor = z->zones[entries[i].zone].speed_factor;
        if (factor != 1 && throng_zone_holds(z, entries[i], x, y)) return factor;
    }
    return 1;
}
