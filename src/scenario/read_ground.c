/* read_ground.c: the floor: "periodic", "walkable_area" and "obstacles", made into a place (geometry), whether goals
 * lie in it, and what is marked on it, "zones", "regions" and "measure". */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"
#include "space/box.h"
#include "space/period.h"
#include "space/place.h"
#include "space/walls.h"

/* ------------------------------------------------------------------ axes that wrap (periodic boundaries) */

static void load_axis(throng_reader *reader, throng_json_ref object, const char *key, bool *wraps, double *low,
                      double *high) {
    throng_json_ref node = throng_value(reader, object, key);
    throng_point ends;
    if (node == THRONG_NO_NODE || !throng_read_vector(reader, node, "[from, to] in m", &ends)) return;
    throng_period period = {.x = true, .low = {ends.x, 0}, .high = {ends.y, 0}};
    throng_error error;
    if (!(ends.x < ends.y)) {
        throng_wrong(reader, node, "expected [from, to] with from below to, found [%g, %g]", ends.x, ends.y);
    } else if (!throng_period_check(&period, &error)) {
        throng_wrong(reader, node, "a period of %g m is too short: it must be at least 2 m", ends.y - ends.x);
    } else {
        *wraps = true;
        *low = ends.x;
        *high = ends.y;
    }
}

void throng_load_period(throng_reader *reader) {
    throng_period *period = &reader->scenario->period;
    throng_json_ref node = throng_value(reader, 0, "periodic");
    if (node == THRONG_NO_NODE) return;
    if (!throng_read_keys(reader, node, THRONG_KEYS_PERIODIC, "axes that wrap {\"x\": [from, to]}")) return;
    load_axis(reader, node, "x", &period->x, &period->low.x, &period->high.x);
    load_axis(reader, node, "y", &period->y, &period->low.y, &period->high.y);
    if (throng_json_count(reader->json, node) == 0) {
        throng_lacks(reader, node, "x", "expected \"x\": [from, to], \"y\": [from, to] or both");
    }
}

/* What the place is made of, and where each part stands in the file. */
typedef struct ground {
    throng_place_def def;
    throng_json_ref area; /* THRONG_NO_NODE: none */
    char *wkt;            /* owned: the area of a plan, a ring on each line */
    throng_obstacle *obstacles;
    struct origin {
        throng_json_ref node;            /* THRONG_NO_NODE: of the plan */
        const throng_floor_shape *shape; /* NULL: of the scenario */
    } * origins;
} ground;

/* ------------------------------------------------------------------ the walkable area */

static bool read_area(throng_reader *reader, ground *g) {
    g->area = throng_value(reader, 0, "walkable_area");
    if (g->area == THRONG_NO_NODE) return true;
    switch (throng_json_kind_of(reader->json, g->area)) {
        case THRONG_JSON_LIST:
            return throng_read_points(reader, g->area, 3, "a list of at least 3 points [x, y]", &g->def.walkable);
        case THRONG_JSON_TEXT:
            return throng_read_text(reader, g->area, &g->def.walkable_wkt);
        case THRONG_JSON_OBJECT:
            if (!throng_load_floor(reader, g->area)) return false;
            g->wkt = throng_floor_wkt(&reader->floor.plan);
            g->def.walkable_wkt = g->wkt;
            return true;
        default:
            return throng_expected(reader, g->area, "a list of points, WKT text, or {\"file\": \"plan.wkt\"}");
    }
}

/* ------------------------------------------------------------------ obstacles */

static bool read_disc(throng_reader *reader, throng_json_ref node, throng_obstacle *out) {
    const throng_range place = {-THRONG_FARTHEST, THRONG_FARTHEST, false, "m"}, size = {0, THRONG_FARTHEST, true, "m"};
    double value[3] = {0};
    bool good =
        throng_read_numbers(reader, node, "a disc [x, y, radius]", 3, (throng_range[]){place, place, size}, value);
    out->centre = (throng_point){value[0], value[1]};
    out->radius = value[2];
    return good;
}

static bool read_obstacle(throng_reader *reader, throng_json_ref node, throng_names *ids, throng_obstacle *out) {
    static const char *const kinds[] = {"polygon", "line", "disc"};
    if (!throng_read_keys(reader, node, THRONG_KEYS_OBSTACLE, "an obstacle")) return false;
    throng_json_ref id = throng_value(reader, node, "id");
    const char *name;
    if (id != THRONG_NO_NODE && throng_read_text(reader, id, &name)) {
        if (throng_names_find(ids, name) != THRONG_NO_NAME)
            throng_wrong(reader, id, "another obstacle has the id '%s'", name);
        throng_names_add(ids, name);
        out->id = name;
        const throng_floor_shape *twin = throng_floor_named(reader, THRONG_FLOOR_OBSTACLE, name);
        if (twin && *name) throng_refuse_twice(reader, id, twin);
    }
    int kind = throng_read_alternative(reader, node, kinds, 3, "an obstacle");
    if (kind < 0) return false;
    out->kind = (throng_obstacle_kind)kind;
    throng_json_ref value = throng_value(reader, node, kinds[kind]);
    if (out->kind == THRONG_DISC) return read_disc(reader, value, out);
    bool line = out->kind == THRONG_LINE;
    return throng_read_points(reader, value, line ? 2 : 3,
                              line ? "a list of at least 2 points [x, y]" : "a list of at least 3 points [x, y]",
                              &out->ring);
}

static throng_obstacle obstacle_of(const throng_floor_shape *shape) {
    static const throng_obstacle_kind kinds[] = {
        [THRONG_FLOOR_AREA] = THRONG_POLYGON, [THRONG_FLOOR_LINE] = THRONG_LINE, [THRONG_FLOOR_DISC] = THRONG_DISC};
    throng_obstacle out = {
        .kind = kinds[shape->form], .centre = shape->centre, .radius = shape->radius, .id = shape->name};
    if (shape->form != THRONG_FLOOR_DISC) out.ring = throng_copy_ring(shape->rings[0].ring);
    return out;
}

/* Those of the plan, behind the scenario's own. */
static void add_plan_obstacles(const throng_reader *reader, ground *g) {
    const throng_floor_plan *plan = &reader->floor.plan;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->shapes[i].kind != THRONG_FLOOR_OBSTACLE) continue;
        g->obstacles[g->def.obstacle_count] = obstacle_of(&plan->shapes[i]);
        g->origins[g->def.obstacle_count++] = (struct origin){THRONG_NO_NODE, &plan->shapes[i]};
    }
}

/* People walk around static objects as around obstacles. */
static void add_static_objects(const throng_reader *reader, ground *g) {
    const throng_scenario *s = reader->scenario;
    size_t count = throng_static_footprints(s, NULL);
    throng_footprint *footprints = throng_allocate(count * sizeof *footprints);
    throng_static_footprints(s, footprints);
    throng_json_ref list = throng_value(reader, 0, "objects");
    for (size_t i = 0; i < count; i++) {
        throng_json_ref item = throng_json_first(reader->json, list);
        for (size_t k = 0; k < footprints[i].object; k++) item = throng_json_after(reader->json, item);
        g->obstacles[g->def.obstacle_count] = throng_footprint_obstacle(&footprints[i]);
        g->origins[g->def.obstacle_count++] = (struct origin){item, NULL};
    }
    throng_release(footprints);
}

static bool read_obstacles(throng_reader *reader, ground *g) {
    const throng_json *json = reader->json;
    throng_json_ref list = throng_value(reader, 0, "obstacles");
    bool given = list != THRONG_NO_NODE;
    if (given && throng_json_kind_of(json, list) != THRONG_JSON_LIST)
        return throng_expected(reader, list, "a list of obstacles");

    size_t count = given ? throng_json_count(json, list) : 0, room = count + reader->floor.plan.count;
    room += throng_static_footprints(reader->scenario, NULL);
    g->obstacles = throng_allocate(room * sizeof *g->obstacles);
    g->origins = throng_allocate(room * sizeof *g->origins);
    g->def.obstacles = g->obstacles;
    g->def.obstacle_count = count;
    throng_names ids = {0};
    bool good = true;
    throng_json_ref item = given ? throng_json_first(json, list) : 0;
    for (size_t i = 0; i < count; i++, item = throng_json_after(json, item)) {
        g->origins[i].node = item;
        good = read_obstacle(reader, item, &ids, &g->obstacles[i]) && good;
    }
    throng_names_clear(&ids);
    add_plan_obstacles(reader, g);
    add_static_objects(reader, g);
    return good;
}

/* Where an axis wraps, what reaches beyond one end comes in at the other. */
static void add_images(throng_reader *reader, ground *g) {
    const throng_period *period = &reader->scenario->period;
    size_t given = g->def.obstacle_count, room = given;
    for (size_t i = 0; i < given; i++) {
        throng_obstacle images[8];
        size_t count = throng_period_images(period, &g->obstacles[i], images);
        if (count > 0 && g->obstacles[i].id) {
            throng_warn(reader, g->origins[i].node != THRONG_NO_NODE ? g->origins[i].node : g->area,
                        "the obstacle reaches across the seam of 'periodic': events change only this side of it");
        }
        if (g->def.obstacle_count + count > room) {
            room = 2 * (room + count);
            g->obstacles = throng_reallocate(g->obstacles, room * sizeof *g->obstacles);
            g->origins = throng_reallocate(g->origins, room * sizeof *g->origins);
        }
        for (size_t k = 0; k < count; k++, g->def.obstacle_count++) {
            g->obstacles[g->def.obstacle_count] = images[k];
            g->origins[g->def.obstacle_count] = g->origins[i];
        }
    }
    g->def.obstacles = g->obstacles;
}

/* ------------------------------------------------------------------ the place */

/* Where in the file a fault lies: at the corner concerned when it is one of a ring of points. */
static throng_json_ref node_of(throng_reader *reader, const ground *g, const throng_place_note *note) {
    bool area = note->item == THRONG_WALKABLE_AREA;
    throng_json_ref node = area ? g->area : g->origins[note->item].node;
    if (node == THRONG_NO_NODE) return 0;
    throng_ring ring = area ? g->def.walkable : g->obstacles[note->item].ring;
    throng_json_ref list = area ? node : throng_value(reader, node, "polygon");
    if (!note->has_place || ring.count == 0 || list == THRONG_NO_NODE) return node;
    return throng_corner_near(reader, list, note->at);
}

/* A note about the plan is told with the place in its file. */
static bool pass_on_of_plan(throng_reader *reader, const ground *g, const throng_place_note *note) {
    bool area = note->item == THRONG_WALKABLE_AREA;
    char text[400];
    if (!area && g->origins[note->item].shape) {
        const throng_floor_shape *shape = g->origins[note->item].shape;
        snprintf(text, sizeof text, "obstacle%s%.60s%s: %s", *shape->name ? " '" : "", shape->name,
                 *shape->name ? "'" : "", note->text);
        throng_tell_of_plan(reader, note->severity, shape->line, shape->column, text);
        return true;
    }
    if (!area || !g->wkt) return false;
    const throng_floor_ring *ring = throng_floor_walkable_ring(&reader->floor.plan, note->line);
    throng_tell_of_plan(reader, note->severity, ring ? ring->line : 0, ring ? ring->column : 0, note->text);
    return true;
}

static void pass_on(throng_reader *reader, const ground *g, const throng_place_note *note) {
    throng_severity severity = note->severity == THRONG_ERROR ? THRONG_ERROR : THRONG_WARNING;
    if (!pass_on_of_plan(reader, g, note))
        throng_complain(reader, severity, node_of(reader, g, note), NULL, "%s", note->text);
    if (note->has_place) throng_locate(reader, note->at);
}

static void build(throng_reader *reader, const ground *g) {
    throng_place_notes notes = {0};
    throng_error error = {0};
    throng_place *place = throng_place_build(&g->def, &notes, &error);
    for (size_t i = 0; i < notes.count; i++) pass_on(reader, g, &notes.notes[i]);
    throng_place_notes_clear(&notes);
    if (!place) return;
    if (place->part_count > 1) {
        throng_warn(reader, g->area,
                    "the walkable area is in %zu separate pieces: recordings carry it as a GEOMETRYCOLLECTION",
                    place->part_count);
    }
    reader->scenario->place = place;
    reader->walls = throng_period_walls(&reader->scenario->period, place);
}

void throng_load_place(throng_reader *reader) {
    ground g = {.def = throng_default_place_def(), .area = THRONG_NO_NODE};
    bool good = read_area(reader, &g);
    good = read_obstacles(reader, &g) && good;
    if (good) add_images(reader, &g);
    throng_sketch_place(reader->sketch, &g.def);
    if (good) build(reader, &g);
    throng_release((void *)g.def.walkable.points);
    for (size_t i = 0; i < g.def.obstacle_count; i++) throng_release((void *)g.obstacles[i].ring.points);
    THRONG_RELEASE(g.obstacles, g.origins, g.wkt);
}

/* ------------------------------------------------------------------ what lies in it */

bool throng_is_walkable(const throng_reader *reader, throng_point point) {
    return !reader->walls || throng_walls_inside(reader->walls, point.x, point.y);
}

/* The area two polygons share: what is lost when one is taken away from the other. */
static double shared_area(throng_ring polygon, throng_ring other) {
    throng_obstacle taken = {.kind = THRONG_POLYGON, .ring = other};
    throng_place_def def = {.walkable = polygon, .obstacles = &taken, .obstacle_count = 1};
    throng_place *rest = throng_place_create(&def, NULL);
    double area = fabs(throng_ring_area(polygon));
    for (size_t i = 0; rest && i < rest->ring_count; i++) area -= throng_ring_area(rest->rings[i]);
    throng_place_destroy(rest);
    return area;
}

/* Borders of the place add what lies in them, holes take it away. */
double throng_walkable_area_in(const throng_reader *reader, throng_ring polygon) {
    const throng_place *place = reader->scenario->place;
    double area = place && !place->open ? 0 : fabs(throng_ring_area(polygon));
    throng_box own = throng_box_of(polygon.points, polygon.count);
    for (size_t i = 0; place && i < place->ring_count; i++) {
        throng_ring ring = place->rings[i];
        throng_box box = throng_box_of(ring.points, ring.count);
        bool apart =
            box.low.x >= own.high.x || box.high.x <= own.low.x || box.low.y >= own.high.y || box.high.y <= own.low.y;
        if (!apart) area += copysign(shared_area(polygon, ring), throng_ring_area(ring));
    }
    return area;
}

/* Tries a lattice of points of the polygon: finds every overlap that is not thin. */
static bool lattice_is_walkable(const throng_walls *walls, throng_ring polygon) {
    enum { SIDE = 24 };
    throng_box box = throng_box_of(polygon.points, polygon.count);
    throng_point low = box.low, high = box.high;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = low.x + (high.x - low.x) * (i % SIDE + 0.5) / SIDE;
        double y = low.y + (high.y - low.y) * (i / SIDE + 0.5) / SIDE;
        if (throng_walls_inside(walls, x, y) && throng_ring_contains(polygon, x, y)) return true;
    }
    return false;
}

bool throng_is_partly_walkable(const throng_reader *reader, throng_ring polygon) {
    const throng_walls *walls = reader->walls;
    if (!walls) return true;
    for (size_t i = 0; i < polygon.count; i++) {
        if (throng_walls_inside(walls, polygon.points[i].x, polygon.points[i].y)) return true;
    }
    if (lattice_is_walkable(walls, polygon)) return true;
    for (size_t i = 0; i < polygon.count; i++) {
        if (throng_walls_block(walls, polygon.points[i], polygon.points[(i + 1) % polygon.count], 0)) return true;
    }
    return false;
}

/* ------------------------------------------------------------------ zones: where people walk slower or faster, or
 * differently */

static bool read_settings(throng_reader *reader, throng_json_ref object, throng_scenario_zone *out) {
    const throng_json *json = reader->json;
    if (throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) {
        return throng_expected(reader, object, "an object of model parameters");
    }
    throng_setting *settings = throng_allocate(throng_json_count(json, object) * sizeof *settings);
    out->def.settings = settings;
    bool good = true;
    THRONG_EACH_KEY (k, json, object) {
        const char *name = throng_json_text_of(json, k);
        throng_setting *setting = &settings[out->def.setting_count++];
        *setting = (throng_setting){.name = throng_copy_text(name)};
        good = throng_read_param_of_any(reader, k, name, k + 1, &setting->number) && good;
    }
    return good;
}

static bool read_zone(throng_reader *reader, throng_json_ref object, throng_scenario_zone *out) {
    if (!throng_read_keys(reader, object, THRONG_KEYS_ZONE, "a zone")) return false;
    throng_json_ref polygon = throng_value(reader, object, "polygon"),
                    factor = throng_value(reader, object, "speed_factor");
    throng_json_ref params = throng_value(reader, object, "params");
    bool good = polygon != THRONG_NO_NODE ? throng_read_polygon(reader, polygon, &out->def.ring)
                                          : throng_lacks(reader, object, "polygon", "'polygon' is missing");
    good = throng_read_number(reader, factor, (throng_range){0, 100, true, ""}, &out->def.speed_factor) && good;
    if (out->def.speed_factor > 2)
        throng_warn(reader, factor, "people walk %.10g times as fast here as elsewhere", out->def.speed_factor);
    if (params != THRONG_NO_NODE) good = read_settings(reader, params, out) && good;
    if (factor == THRONG_NO_NODE && params == THRONG_NO_NODE) {
        good = throng_lacks(reader, object, "speed_factor", "a zone needs a 'speed_factor' or 'params'");
    }
    return good;
}

void throng_load_zones(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    throng_load_floor_zones(reader);
    throng_json_ref list = throng_section(reader, "zones", THRONG_JSON_LIST, "a list of zones");
    if (list == THRONG_NO_NODE) return;
    THRONG_EACH_ITEM (item, reader->json, list) {
        throng_scenario_zone zone = {.def = throng_default_zone_def()};
        throng_json_where(reader->json, item, &zone.line, &zone.column);
        read_zone(reader, item, &zone);
        THRONG_GROW(s->zones, s->zone_capacity, s->zone_count + 1);
        s->zones[s->zone_count++] = zone;
    }
}

void throng_clear_zones(throng_scenario *s) {
    for (size_t i = 0; i < s->zone_count; i++) {
        const throng_zone_def *def = &s->zones[i].def;
        for (size_t k = 0; k < def->setting_count; k++) throng_release((void *)def->settings[k].name);
        THRONG_RELEASE((void *)def->settings, (void *)def->ring.points);
    }
    throng_release(s->zones);
}

/* ------------------------------------------------------------------ regions: which model moves who is there */

static bool read_region(throng_reader *reader, throng_json_ref object, throng_region_def *out) {
    static const char *const shapes[] = {"polygon", "around"};
    if (!throng_read_keys(reader, object, THRONG_KEYS_REGION, "a region")) return false;
    int shape = throng_read_alternative(reader, object, shapes, 2, "a region");
    throng_json_ref within = throng_value(reader, object, "within");
    bool good = shape == 0 && throng_read_polygon(reader, throng_value(reader, object, "polygon"), &out->ring);
    if (shape == 1) {
        good = throng_read_vector(reader, throng_value(reader, object, "around"), "a point [x, y]", &out->centre);
        if (within == THRONG_NO_NODE)
            good = throng_lacks(reader, object, "within", "'within' is missing: the distance in m");
        good = throng_read_number(reader, within, (throng_range){0, THRONG_FARTHEST, true, "m"}, &out->radius) && good;
    } else if (within != THRONG_NO_NODE) {
        good = throng_wrong(reader, within, "'within' goes with 'around'");
    }
    if (throng_value(reader, object, "model") == THRONG_NO_NODE)
        return throng_lacks(reader, object, "model", "'model' is missing: the one that moves who is there");
    throng_traits base = throng_default_traits(reader), traits;
    good = throng_load_traits(reader, object, &base, &traits) && good;
    if (good) out->profile = throng_intern_profile(reader, &traits.model);
    throng_clear_traits(&traits);
    throng_clear_traits(&base);
    return good;
}

void throng_load_regions(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    throng_json_ref list = throng_section(reader, "regions", THRONG_JSON_LIST, "a list of regions");
    if (list == THRONG_NO_NODE) return;
    THRONG_EACH_ITEM (item, reader->json, list) {
        throng_scenario_region region = {0};
        throng_json_where(reader->json, item, &region.line, &region.column);
        read_region(reader, item, &region.def);
        THRONG_GROW(s->regions, s->region_capacity, s->region_count + 1);
        s->regions[s->region_count++] = region;
    }
}

void throng_clear_regions(throng_scenario *s) {
    for (size_t i = 0; i < s->region_count; i++) throng_release((void *)s->regions[i].def.ring.points);
    throng_release(s->regions);
}

/* ------------------------------------------------------------------ measure: lines and areas, checked now and kept for
 * measuring */

static bool read_line(throng_reader *reader, throng_json_ref node, throng_ring *out) {
    const char *what = "a line of 2 points [x, y]";
    if (!throng_read_points(reader, node, 2, what, out)) return false;
    if (out->count > 2) return throng_expected(reader, node, what);
    if (out->points[0].x != out->points[1].x || out->points[0].y != out->points[1].y) return true;
    return throng_wrong(reader, node, "the two points of a line must differ");
}

static void load_named(throng_reader *reader, throng_json_ref object, bool area) {
    const throng_json *json = reader->json;
    throng_scenario *s = reader->scenario;
    if (throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) {
        throng_expected(reader, object, area ? "an object of named areas" : "an object of named lines");
        return;
    }
    THRONG_EACH_KEY (k, json, object) {
        throng_measure measure = {.area = area};
        if (area) {
            throng_read_polygon(reader, k + 1, &measure.ring);
        } else {
            read_line(reader, k + 1, &measure.ring);
        }
        measure.name = throng_copy_text(throng_json_text_of(json, k));
        THRONG_GROW(s->measures, s->measure_capacity, s->measure_count + 1);
        s->measures[s->measure_count++] = measure;
    }
}

void throng_load_measures(throng_reader *reader) {
    throng_json_ref object = throng_value(reader, 0, "measure");
    if (object == THRONG_NO_NODE) return;
    if (!throng_read_keys(reader, object, THRONG_KEYS_MEASURE, "an object with lines and areas")) return;
    throng_json_ref lines = throng_value(reader, object, "lines"), areas = throng_value(reader, object, "areas");
    if (lines != THRONG_NO_NODE) load_named(reader, lines, false);
    if (areas != THRONG_NO_NODE) load_named(reader, areas, true);
}
