/* read_objects.c: "objects" and "physics": things (rigid bodies) that move when pushed, and walls for static ones. */

#include "scenario/scenario.h"
#include "space/period.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/search.h"

static const throng_range length_m = {0.005, 100, false, "m"};
static const throng_range mass_kg = {1e-3, 1e5, false, "kg"};
static const throng_range degrees = {-1e6, 1e6, false, "degrees"};
static const double person_height = 1.8; /* m: what begins above is in nobody's way */
enum { OBJECTS_MOST = 20000, PARTS_MOST = 64, BLOCKS_MOST = 4096 };

/* ------------------------------------------------------------------ values */

bool throng_read_point3(throng_reader *reader, throng_json_ref node, const char *what, throng_range range,
                        throng_point3 *out) {
    double value[3] = {0};
    if (node == THRONG_NO_NODE) return true;
    bool good = throng_read_numbers(reader, node, what, 3, (throng_range[]){range, range, range}, value);
    *out = (throng_point3){value[0], value[1], value[2]};
    return good;
}

static bool read_number(throng_reader *reader, throng_json_ref object, const char *key, throng_range range,
                        double *out) {
    return throng_read_number(reader, throng_value(reader, object, key), range, out);
}

static bool read_place(throng_reader *reader, throng_json_ref object, throng_point3 *out) {
    throng_json_ref node = throng_value(reader, object, "at");
    return throng_read_point3(reader, node, "a position [x, y, z]", (throng_range){-1e8, 1e8, false, "m"}, out);
}

/* ------------------------------------------------------------------ parts */

static throng_orientation turned(double yaw) {
    double c, s;
    throng_cos_sin(0.5 * fmod(yaw, 360), &c, &s);
    return (throng_orientation){c, 0, 0, s};
}

/* A box or a ball: "box" or "ball" of an object or of a part. */
static bool read_shape(throng_reader *reader, throng_json_ref object, throng_part *out) {
    throng_json_ref box = throng_value(reader, object, "box"), ball = throng_value(reader, object, "ball");
    out->kind = box != THRONG_NO_NODE ? THRONG_PART_BOX : THRONG_PART_BALL;
    if (box != THRONG_NO_NODE)
        return throng_read_point3(reader, box, "the edges of a box [x, y, z]", length_m, &out->size);
    return throng_read_number(reader, ball, length_m, &out->radius);
}

static bool read_part(throng_reader *reader, throng_json_ref node, throng_part *out) {
    static const char *const kinds[] = {"box", "ball"};
    if (!throng_read_keys(reader, node, THRONG_KEYS_OBJECT_PART, "a part {\"box\": [x, y, z], \"at\": ...}"))
        return false;
    if (throng_read_alternative(reader, node, kinds, 2, "a part") < 0) return false;
    bool good = read_shape(reader, node, out);
    double yaw = 0;
    good = read_number(reader, node, "yaw", degrees, &yaw) && good;
    out->turn = turned(yaw);
    return read_place(reader, node, &out->at) && good;
}

static bool read_parts(throng_reader *reader, throng_json_ref list, throng_object_def *out) {
    if (throng_json_kind_of(reader->json, list) != THRONG_JSON_LIST)
        return throng_expected(reader, list, "a list of parts");
    size_t count = throng_json_count(reader->json, list);
    if (count < 1 || count > PARTS_MOST)
        return throng_wrong(reader, list, "an object has 1 to %d parts, not %zu", PARTS_MOST, count);
    throng_part *parts = throng_allocate(count * sizeof *parts);
    bool good = true;
    THRONG_EACH_NTH (i, item, reader->json, list) good = read_part(reader, item, &parts[i]) && good;
    out->parts = parts;
    out->part_count = count;
    return good;
}

/* ------------------------------------------------------------------ walls of blocks */

static bool read_block_counts(throng_reader *reader, throng_json_ref node, throng_block_wall_def *out) {
    const throng_json *json = reader->json;
    if (throng_json_kind_of(json, node) != THRONG_JSON_LIST || throng_json_count(json, node) != 2)
        return throng_expected(reader, node, "the numbers of blocks [along, up]");
    uint64_t value[2] = {0};
    THRONG_EACH_NTH (i, item, json, node) {
        if (!throng_read_whole(reader, item, 1, BLOCKS_MOST, &value[i])) return false;
    }
    if (value[0] * value[1] > BLOCKS_MOST)
        return throng_wrong(reader, node, "a wall has at most %d blocks", BLOCKS_MOST);
    out->columns = (size_t)value[0];
    out->rows = (size_t)value[1];
    return true;
}

static bool read_wall(throng_reader *reader, throng_json_ref node, throng_block_wall_def *out) {
    if (!throng_read_keys(reader, node, THRONG_KEYS_OBJECT_WALL, "a wall {\"from\": [x, y], \"to\": ...}"))
        return false;
    static const char *const needed[] = {"from", "to", "height", "blocks"};
    bool good = true;
    for (size_t i = 0; i < 4; i++) {
        if (throng_value(reader, node, needed[i]) == THRONG_NO_NODE)
            good = throng_lacks(reader, node, needed[i], "'%s' of the wall is missing", needed[i]);
    }
    if (!good) return false;
    good = throng_read_point(reader, throng_value(reader, node, "from"), &out->from);
    good = throng_read_point(reader, throng_value(reader, node, "to"), &out->to) && good;
    good = read_number(reader, node, "height", length_m, &out->height) && good;
    good = read_number(reader, node, "thickness", length_m, &out->thickness) && good;
    good = read_number(reader, node, "block_mass", mass_kg, &out->block_mass) && good;
    good = read_number(reader, node, "break_force", (throng_range){0, 1e9, true, "N"}, &out->break_force) && good;
    return read_block_counts(reader, throng_value(reader, node, "blocks"), out) && good;
}

/* ------------------------------------------------------------------ an object */

/* Keys that say nothing about a wall of blocks. */
static bool refuse_strays(throng_reader *reader, throng_json_ref object) {
    static const char *const keys[] = {"at", "yaw", "mass", "friction", "velocity", "static"};
    bool good = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        throng_json_ref node = throng_value(reader, object, keys[i]);
        if (node != THRONG_NO_NODE)
            good = throng_wrong(reader, node, "'%s' does not go with 'wall', which has its own measures", keys[i]);
    }
    return good;
}

static bool read_body(throng_reader *reader, throng_json_ref node, bool compound, throng_object_def *out) {
    bool good = true;
    if (compound) {
        good = read_parts(reader, throng_value(reader, node, "parts"), out);
    } else {
        throng_part *part = throng_allocate(sizeof *part);
        part->turn = turned(0);
        out->parts = part;
        out->part_count = 1;
        good = read_shape(reader, node, part);
    }
    good = read_place(reader, node, &out->at) && good;
    if (throng_value(reader, node, "at") == THRONG_NO_NODE && !compound)
        good = throng_lacks(reader, node, "at", "'at' is missing: [x, y, z], the middle of the object");
    good = read_number(reader, node, "yaw", degrees, &out->yaw) && good;
    good = read_number(reader, node, "mass", mass_kg, &out->mass) && good;
    good = read_number(reader, node, "friction", (throng_range){0, 10, false, ""}, &out->friction) && good;
    throng_json_ref velocity = throng_value(reader, node, "velocity"), fixed = throng_value(reader, node, "static");
    throng_range speed = {-50, 50, false, "m/s"};
    good = throng_read_point3(reader, velocity, "a velocity [vx, vy, vz]", speed, &out->velocity) && good;
    return throng_read_bool(reader, fixed, &out->fixed) && good;
}

static bool read_id(throng_reader *reader, throng_json_ref object, throng_scenario_object *out) {
    throng_json_ref id = throng_value(reader, object, "id");
    const char *name = "";
    if (id == THRONG_NO_NODE) return true;
    if (!throng_read_text(reader, id, &name)) return false;
    if (*name && throng_names_find(&reader->object_names, name) != THRONG_NO_NAME)
        return throng_wrong(reader, id, "another object has the id '%.80s'", name);
    throng_names_add(&reader->object_names, name);
    out->id = throng_copy_text(name);
    return true;
}

static bool read_object(throng_reader *reader, throng_json_ref node, throng_scenario_object *out) {
    static const char *const kinds[] = {"box", "ball", "parts", "wall"};
    out->def = throng_default_object_def();
    out->blocks = throng_default_block_wall_def();
    throng_json_where(reader->json, node, &out->line, &out->column);
    if (!throng_read_keys(reader, node, THRONG_KEYS_OBJECT, "an object {\"box\": [x, y, z], \"at\": ...}"))
        return false;
    bool good = read_id(reader, node, out);
    int kind = throng_read_alternative(reader, node, kinds, 4, "an object");
    if (kind < 0) return false;
    out->wall = kind == 3;
    if (!out->wall) return read_body(reader, node, kind == 2, &out->def) && good;
    good = read_wall(reader, throng_value(reader, node, "wall"), &out->blocks) && good;
    return refuse_strays(reader, node) && good;
}

static void load_physics(throng_reader *reader) {
    throng_json_ref node = throng_value(reader, 0, "physics");
    if (node == THRONG_NO_NODE || !throng_read_keys(reader, node, THRONG_KEYS_PHYSICS, "{\"iterations\": 20}")) return;
    uint64_t count = 0;
    throng_read_whole(reader, throng_value(reader, node, "iterations"), 1, 1000, &count);
    reader->scenario->physics_iterations = (int)count;
}

void throng_load_objects(throng_reader *reader) {
    throng_scenario *s = reader->scenario;
    load_physics(reader);
    throng_json_ref list = throng_section(reader, "objects", THRONG_JSON_LIST, "a list of objects");
    if (list == THRONG_NO_NODE) return;
    size_t count = throng_json_count(reader->json, list);
    if (count > OBJECTS_MOST) {
        throng_wrong(reader, list, "there can be %d objects at most, not %zu", OBJECTS_MOST, count);
        return;
    }
    if (count > 0 && !throng_has_objects()) {
        throng_wrong(reader, list, "this build has no rigid bodies, which objects need (THRONG_BODIES)");
        return;
    }
    if (count > 0 && throng_period_is_on(&s->period))
        throng_wrong(reader, list, "there are no objects where an axis wraps");
    s->objects = throng_allocate(count * sizeof *s->objects);
    THRONG_EACH_NTH (i, item, reader->json, list) {
        s->object_count++;
        s->objects[i].good = read_object(reader, item, &s->objects[i]);
    }
}

void throng_clear_objects(throng_scenario *s) {
    for (size_t i = 0; i < s->object_count; i++) {
        THRONG_RELEASE(s->objects[i].id, (void *)s->objects[i].def.parts);
    }
    throng_release(s->objects);
}

/* ------------------------------------------------------------------ seen from above */

static throng_footprint footprint_of(const throng_object_def *def, const throng_part *part) {
    double c, s;
    throng_cos_sin(fmod(def->yaw, 360), &c, &s);
    /* A part is turned about the vertical, as the whole is. */
    double pc = part->turn.w * part->turn.w - part->turn.z * part->turn.z, ps = 2 * part->turn.w * part->turn.z;
    bool ball = part->kind == THRONG_PART_BALL;
    return (throng_footprint){
        .centre = {def->at.x + c * part->at.x - s * part->at.y, def->at.y + s * part->at.x + c * part->at.y},
        .along = {c * pc - s * ps, s * pc + c * ps},
        .half = {0.5 * part->size.x, 0.5 * part->size.y},
        .radius = ball ? part->radius : 0,
        .low = def->at.z + part->at.z - (ball ? part->radius : 0.5 * part->size.z)};
}

size_t throng_static_footprints(const throng_scenario *s, throng_footprint *out) {
    size_t count = 0;
    for (size_t i = 0; i < s->object_count; i++) {
        const throng_object_def *def = &s->objects[i].def;
        if (!s->objects[i].good || s->objects[i].wall || !def->fixed) continue;
        for (size_t p = 0; p < def->part_count; p++) {
            throng_footprint f = footprint_of(def, &def->parts[p]);
            f.object = i;
            if (f.low >= person_height) continue;
            if (out) out[count] = f;
            count++;
        }
    }
    return count;
}

throng_obstacle throng_footprint_obstacle(const throng_footprint *f) {
    throng_obstacle out = {.kind = THRONG_DISC, .centre = f->centre, .radius = f->radius};
    if (f->radius > 0) return out;
    throng_point *corners = throng_allocate(4 * sizeof *corners);
    for (int i = 0; i < 4; i++) {
        double u = (i == 1 || i == 2 ? 1 : -1) * f->half.x, v = (i >= 2 ? 1 : -1) * f->half.y;
        corners[i] = (throng_point){f->centre.x + u * f->along.x - v * f->along.y,
                                    f->centre.y + u * f->along.y + v * f->along.x};
    }
    return (throng_obstacle){.kind = THRONG_POLYGON, .ring = {corners, 4}};
}

/* ------------------------------------------------------------------ room for people */

static throng_footprint wall_footprint(const throng_block_wall_def *w) {
    double dx = w->to.x - w->from.x, dy = w->to.y - w->from.y, length = fmax(sqrt(dx * dx + dy * dy), 1e-6);
    return (throng_footprint){.centre = {0.5 * (w->from.x + w->to.x), 0.5 * (w->from.y + w->to.y)},
                              .along = {dx / length, dy / length},
                              .half = {0.5 * length, 0.5 * w->thickness}};
}

static int by_x(const void *a, const void *b) {
    double x = ((const throng_footprint *)a)->centre.x, y = ((const throng_footprint *)b)->centre.x;
    return (x > y) - (x < y);
}

throng_things_plan throng_plan_things(const throng_scenario *s) {
    size_t most = 0;
    for (size_t i = 0; i < s->object_count; i++) most += s->objects[i].wall ? 1 : s->objects[i].def.part_count;
    throng_things_plan plan = {.footprints = throng_allocate(most * sizeof *plan.footprints)};
    for (size_t i = 0; i < s->object_count; i++) {
        const throng_scenario_object *o = &s->objects[i];
        if (!o->good || o->def.fixed) continue;
        if (o->wall) plan.footprints[plan.count++] = wall_footprint(&o->blocks);
        for (size_t p = 0; p < o->def.part_count && !o->wall; p++) {
            throng_footprint f = footprint_of(&o->def, &o->def.parts[p]);
            if (f.low < person_height) plan.footprints[plan.count++] = f;
        }
    }
    for (size_t i = 0; i < plan.count; i++) {
        const throng_footprint *f = &plan.footprints[i];
        plan.reach = fmax(plan.reach, f->radius > 0 ? f->radius : sqrt(f->half.x * f->half.x + f->half.y * f->half.y));
    }
    if (plan.count > 0) qsort(plan.footprints, plan.count, sizeof *plan.footprints, by_x);
    return plan;
}

static bool covers(const throng_footprint *f, throng_point at, double radius) {
    double dx = at.x - f->centre.x, dy = at.y - f->centre.y;
    if (f->radius > 0) return dx * dx + dy * dy < (f->radius + radius) * (f->radius + radius);
    double u = fabs(dx * f->along.x + dy * f->along.y) - f->half.x;
    double v = fabs(dy * f->along.x - dx * f->along.y) - f->half.y;
    double x = fmax(u, 0), y = fmax(v, 0);
    return x * x + y * y < radius * radius;
}

bool throng_is_clear_of_things(const throng_things_plan *plan, throng_point at, double radius) {
    double reach = plan->reach + radius;
    size_t i;
    THRONG_SEARCH(i, plan->count, plan->footprints[i].centre.x < at.x - reach);
    for (; i < plan->count && plan->footprints[i].centre.x <= at.x + reach; i++) {
        if (covers(&plan->footprints[i], at, radius)) return false;
    }
    return true;
}
