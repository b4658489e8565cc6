/* dxf_walls.c: drawings of buildings that were not drawn for us: which layers are walls, and a floor to put them on. */

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/report.h"
#include "plan/dxf.h"
#include "space/box.h"

static const double floor_margin_m = 1;      /* around all walls */
static const double shortest_wall_m = 0.001; /* what is smaller is no wall */

bool throng_dxf_is_wall(const char *name) {
    static const char *const words[] = {"wall", "wand",  "waende", "mauer",  "muro",
                                        "murs", "pared", "parete", "cloison"};
    for (; *name; name++) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (strncasecmp(name, words[i], strlen(words[i])) == 0) return true;
        }
    }
    return false;
}

/* A path as a chain: no point twice in a row, a closed one with its first point again at the end. False when it is too
 * small. */
static bool open_path(throng_dxf_path *path) {
    throng_point *chain = throng_allocate((path->count + 1) * sizeof *chain);
    size_t count = 0;
    for (size_t i = 0; i < path->count + path->closed; i++) {
        throng_point p = path->points[i % path->count];
        bool same = count > 0 && fabs(p.x - chain[count - 1].x) < shortest_wall_m &&
                    fabs(p.y - chain[count - 1].y) < shortest_wall_m;
        if (!same) chain[count++] = p;
    }
    throng_release(path->points);
    path->points = chain;
    path->count = count;
    path->closed = false;
    return count > 1;
}

/* Makes thin walls of a layer and adds them to the box. */
static void take_layer(throng_dxf_layer *layer, throng_box *box) {
    size_t kept = 0;
    for (size_t i = 0; i < layer->count; i++) {
        throng_dxf_path *path = &layer->paths[i];
        if (!open_path(path)) {
            throng_release(path->points);
            continue;
        }
        *box = throng_box_join(*box, throng_box_of(path->points, path->count));
        layer->paths[kept++] = *path;
    }
    layer->count = kept;
    layer->kind = THRONG_FLOOR_OBSTACLE;
    layer->known = layer->thin = kept > 0;
}

bool throng_dxf_take_walls(throng_floor_plan *plan, throng_dxf_layer *layers, size_t count, throng_report *report) {
    bool named = false;
    throng_box box = throng_box_empty();
    for (size_t i = 0; i < count; i++)
        named = named || (layers[i].count > 0 && !layers[i].hidden && throng_dxf_is_wall(layers[i].name));
    for (size_t i = 0; i < count; i++) {
        if (!layers[i].hidden && (!named || throng_dxf_is_wall(layers[i].name))) take_layer(&layers[i], &box);
    }
    bool finite = isfinite(box.low.x) && isfinite(box.low.y) && isfinite(box.high.x) && isfinite(box.high.y);
    if (throng_box_is_empty(box) || !finite) return false;
    throng_point corners[] = {{box.low.x - floor_margin_m, box.low.y - floor_margin_m},
                              {box.high.x + floor_margin_m, box.low.y - floor_margin_m},
                              {box.high.x + floor_margin_m, box.high.y + floor_margin_m},
                              {box.low.x - floor_margin_m, box.high.y + floor_margin_m}};
    throng_floor_shape *floor = throng_floor_add(plan, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA, "", 0, 0);
    throng_floor_add_ring(floor, corners, 4, 0, 0);
    throng_report_add(report, THRONG_WARNING, 0, 0, "",
                      "no layer says what it holds: %s are thin walls, on a floor of %.6g x %.6g m around them",
                      named ? "the lines on layers of walls" : "all lines", corners[2].x - corners[0].x,
                      corners[2].y - corners[0].y);
    return true;
}
