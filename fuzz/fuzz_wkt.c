/* Any text as well-known text: it makes a place that keeps its promises, or it is refused with a
 * reason. Its rings also serve as obstacles and thin walls, on an open plane and in the place itself. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "space/place.h"
#include "space/walls.h"
#include "space/wkt.h"

static void demand(bool held) {
    if (!held) abort();
}

static void check_place(const throng_place *place) {
    for (size_t r = 0; r < place->ring_count; r++) {
        throng_ring ring = place->rings[r];
        demand(ring.count >= 3);
        for (size_t i = 0; i < ring.count; i++) {
            throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
            demand(isfinite(a.x) && isfinite(a.y) && (a.x != b.x || a.y != b.y));
        }
    }
    for (size_t l = 0; l < place->line_count; l++) demand(place->lines[l].count >= 2);
    throng_walls *walls = throng_walls_create(place);
    for (size_t k = 0; k < walls->count; k++) demand(walls->length[k] > 0);
    throng_box box = place->bounds;
    throng_wall_near near[8];
    for (int i = 0; i <= 4; i++) {
        double x = box.low.x + (box.high.x - box.low.x) * i / 4, y = box.low.y + (box.high.y - box.low.y) * i / 4;
        size_t count = throng_walls_within(walls, x, y, 1, near, 8);
        double depth = throng_walls_depth(walls, x, y, 1);
        demand(fabs(depth) <= 1);
        if (count > 0) demand(fabs(fabs(depth) - sqrt(near[0].distance2)) < 1e-9);
        throng_walls_block(walls, box.low, (throng_point){x, box.high.y}, 0.1 * i);
    }
    throng_walls_destroy(walls);
    throng_place_destroy(throng_place_copy(place));
}

/* A place's own text must be accepted again. */
static void read_again(const throng_place *place) {
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = throng_place_wkt(place);
    throng_wkt wkt;
    demand(throng_wkt_read(def.walkable_wkt, &wkt, NULL));
    demand(wkt.ring_count == place->ring_count && wkt.polygon_count == place->part_count);
    throng_wkt_clear(&wkt);
}

static void build(const throng_place_def *def) {
    throng_error error = {.text = ""};
    throng_place *place = throng_place_create(def, &error);
    demand(place || error.text[0]);
    if (!place) return;
    check_place(place);
    if (def->walkable_wkt) read_again(place);
    throng_place_destroy(place);
}

static void build_with_obstacles(const char *text) {
    enum { most = 24 };
    throng_obstacle obstacles[most];
    throng_wkt wkt;
    if (!throng_wkt_read(text, &wkt, NULL)) return;
    throng_place_def def = throng_default_place_def();
    for (size_t r = 0; r < wkt.ring_count && r < most; r++) {
        throng_ring ring = {wkt.points + wkt.rings[r].first, wkt.rings[r].count};
        throng_obstacle_kind kind = (throng_obstacle_kind)(ring.count % 3);
        obstacles[def.obstacle_count++] =
            (throng_obstacle){.kind = kind, .ring = ring, .centre = ring.points[0], .radius = fabs(ring.points[0].x)};
    }
    def.obstacles = obstacles;
    if (wkt.point_count < 200) {
        build(&def);
        def.walkable_wkt = text;
        build(&def);
    }
    throng_wkt_clear(&wkt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = text;
    build(&def);
    build_with_obstacles(text);
    free(text);
    return 0;
}
