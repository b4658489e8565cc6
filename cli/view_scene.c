/* view_scene.c: what the page is told of a run beside its frames: the place, goals, groups, parameters, things
 * (view.h).
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "view.h"

/* Changes when a goal closes or opens, or there is another one. */
static uint64_t goals_version(const throng_world *world) {
    uint64_t version = 0;
    for (size_t g = 1; g <= throng_world_goal_count(world); g++)
        version = version * 31 + 1 + throng_world_goal_is_closed(world, (throng_goal)g);
    return version;
}

/* The same for groups and profiles. */
static uint64_t people_version(const throng_world *world) {
    return throng_world_group_count(world) * 1000003 + throng_world_profile_count(world);
}

static void note_cell(void *context, const char *model, const char *name, double value) {
    if (!strcmp(model, "uic") && !strcmp(name, "cell_m")) *(double *)context = value;
}

/* The side of the cells of a model that has a grid, m; 0: none yet. */
static double live_cell(const throng_world *world) {
    double cell = 0;
    throng_world_model_figures(world, note_cell, &cell);
    return cell;
}

bool live_scene_changed(view_live *live) {
    return live->scene_changed || live->cell != live_cell(live->world) ||
           live->place_told != throng_world_place_version(live->world) ||
           live->goals_told != goals_version(live->world) || live->people_told != people_version(live->world);
}

static void write_box(json_writer *out, const char *key, throng_box box) {
    json_open(out, key, '[');
    json_number(out, NULL, box.low.x);
    json_number(out, NULL, box.low.y);
    json_number(out, NULL, box.high.x);
    json_number(out, NULL, box.high.y);
    json_close(out, ']');
}

void scene_write_place(json_writer *out, const throng_place *place, throng_box bounds) {
    write_box(out, "bounds", bounds);
    json_bool(out, "open", throng_place_is_open(place));
    json_open(out, "walls", '[');
    if (throng_place_ring_count(place)) {
        json_open(out, NULL, '[');
        for (size_t i = 0; i < throng_place_ring_count(place); i++) json_ring(out, NULL, throng_place_ring(place, i));
        json_close(out, ']');
    }
    json_close(out, ']');
    json_open(out, "thin", '[');
    for (size_t i = 0; i < throng_place_line_count(place); i++) json_ring(out, NULL, throng_place_line(place, i));
    json_close(out, ']');
}

/* An obstacle where it is now. */
static void write_obstacle(json_writer *out, const throng_obstacle_state *o) {
    enum { ROUND = 24 };
    throng_point disc[ROUND];
    throng_ring ring = o->shape.ring;
    for (int i = 0; i < ROUND && o->shape.kind == THRONG_DISC; i++) {
        double turn = i * 6.283185307179586 / ROUND;
        disc[i] = (throng_point){o->shape.centre.x + o->shape.radius * cos(turn),
                                 o->shape.centre.y + o->shape.radius * sin(turn)};
        ring = (throng_ring){disc, ROUND};
    }
    json_open(out, NULL, '{');
    json_text(out, "name", o->shape.id ? o->shape.id : "");
    json_bool(out, "movable", o->shape.id && *o->shape.id);
    json_bool(out, "gone", !o->present);
    json_bool(out, "thin", o->shape.kind == THRONG_LINE);
    json_open(out, "ring", '[');
    for (size_t i = 0; i < ring.count; i++)
        json_point(out, ring.points[i].x + o->moved.x, ring.points[i].y + o->moved.y);
    json_close(out, ']');
    json_close(out, '}');
}

static void write_obstacles(json_writer *out, const throng_world *world) {
    enum { SHOWN = 5000 };
    json_open(out, "obstacles", '[');
    for (size_t i = 0; i < throng_world_obstacle_count(world) && i < SHOWN; i++) {
        throng_obstacle_state o = throng_world_obstacle(world, i);
        write_obstacle(out, &o);
    }
    json_close(out, ']');
}

static const char *goal_kind(throng_goal_kind kind) {
    static const char *const words[] = {"area", "point", "direction", "own", "roam", "any"};
    return words[kind];
}

static void write_goal(json_writer *out, const throng_world *world, throng_goal goal) {
    throng_goal_def def = throng_world_goal(world, goal);
    json_open(out, NULL, '{');
    json_text(out, "name", def.name);
    json_text(out, "kind", goal_kind(def.kind));
    if (def.ring.count) json_ring(out, "polygon", def.ring);
    if (def.kind == THRONG_GOAL_POINT || def.kind == THRONG_GOAL_DIRECTION) {
        json_open(out, "point", '[');
        json_number(out, NULL, def.point.x);
        json_number(out, NULL, def.point.y);
        json_close(out, ']');
    }
    if (def.kind == THRONG_GOAL_POINT) json_number(out, "radius", def.radius);
    json_bool(out, "exit", def.exit);
    json_bool(out, "closed", throng_world_goal_is_closed(world, goal));
    if (def.queue.count) json_ring(out, "queue", def.queue);
    json_close(out, '}');
}

/* Marks of one kind, with their outline under `key`. */
void scene_write_marks(json_writer *out, const char *name, throng_mark_kind kind, const char *key,
                       const throng_mark *marks, size_t count) {
    json_open(out, name, '[');
    for (size_t i = 0; i < count; i++) {
        if (marks[i].kind != kind || !marks[i].ring.count) continue;
        json_open(out, NULL, '{');
        json_text(out, "name", marks[i].name);
        json_ring(out, key, marks[i].ring);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_all_marks(json_writer *out, const throng_world *world) {
    size_t count = throng_world_mark_count(world);
    throng_mark *marks = resize(NULL, count * sizeof *marks);
    for (size_t i = 0; i < count; i++) marks[i] = throng_world_mark(world, i);
    scene_write_marks(out, "lines", THRONG_MARK_LINE, "points", marks, count);
    scene_write_marks(out, "areas", THRONG_MARK_AREA, "polygon", marks, count);
    json_open(out, "zones", '[');
    for (size_t i = 0; i < throng_world_zone_count(world); i++) {
        throng_zone_def zone = throng_world_zone(world, i);
        json_open(out, NULL, '{');
        json_text(out, "name", "");
        json_ring(out, "polygon", zone.ring);
        json_number(out, "speed_factor", zone.speed_factor);
        json_close(out, '}');
    }
    for (size_t i = 0; i < count; i++) {
        if (marks[i].kind != THRONG_MARK_ZONE || !*marks[i].name) continue; /* regions */
        json_open(out, NULL, '{');
        json_text(out, "name", marks[i].name);
        json_ring(out, "polygon", marks[i].ring);
        json_number(out, "speed_factor", 1);
        json_close(out, '}');
    }
    free(marks);
    json_close(out, ']');
}

static void write_value(json_writer *out, const throng_param *p, double value) {
    if (p->kind == THRONG_PARAM_BOOL)
        json_bool(out, p->name, value != 0);
    else if (p->kind == THRONG_PARAM_CHOICE)
        json_text(out, p->name, p->words[(size_t)value]);
    else if (p->kind != THRONG_PARAM_MAP)
        json_number(out, p->name, value);
}

static void write_params(json_writer *out, const throng_world *world, throng_profile profile) {
    const throng_model *model = throng_world_profile_model(world, profile);
    json_open(out, "params", '{');
    for (size_t i = 0; i < throng_model_param_count(model); i++) {
        const throng_param *p = throng_model_param(model, i);
        write_value(out, p, throng_world_profile_value(world, profile, p->name));
    }
    json_close(out, '}');
    json_open(out, "habits", '{');
    for (size_t h = 0; h < throng_habit_count(); h++) {
        for (size_t i = 0; i < throng_habit_param_count(h); i++) {
            const throng_param *p = throng_habit_param(h, i);
            write_value(out, p, throng_world_profile_value(world, profile, p->name));
        }
    }
    json_close(out, '}');
}

/* Groups, each with the profile that its first person has; and the profile that most people have. */
static throng_profile write_groups(json_writer *out, const throng_world *world) {
    throng_view view = throng_world_raw_view(world);
    size_t groups = throng_world_group_count(world), profiles = throng_world_profile_count(world), most = 0;
    size_t *people = resize(NULL, groups * sizeof *people), *have = resize(NULL, profiles * sizeof *have);
    throng_profile *profile = resize(NULL, groups * sizeof *profile);
    memset(people, 0, groups * sizeof *people);
    memset(have, 0, profiles * sizeof *have);
    for (size_t k = 0; k < view.count; k++) {
        size_t row = view.by_id ? view.by_id[k] : k;
        if (people[view.group[row]]++ == 0) profile[view.group[row]] = view.profile[row];
        have[view.profile[row]]++;
    }
    json_open(out, "groups", '[');
    for (size_t g = 0; g < groups; g++) {
        if (!people[g]) profile[g] = 0;
        json_open(out, NULL, '{');
        json_text(out, "name", throng_world_group_name(world, (throng_group)g));
        json_whole(out, "people", people[g]);
        json_text(out, "model", throng_model_name(throng_world_profile_model(world, profile[g])));
        write_params(out, world, profile[g]);
        json_close(out, '}');
    }
    json_close(out, ']');
    for (size_t p = 0; p < profiles; p++)
        if (have[p] > have[most]) most = p;
    free(people);
    free(have);
    free(profile);
    return (throng_profile)most;
}

static void write_quantities(json_writer *out, const throng_world *world, size_t chosen) {
    json_open(out, "quantities", '[');
    for (size_t i = 0; i < throng_world_quantity_count(world); i++) {
        throng_quantity q = throng_world_quantity(world, i);
        json_open(out, NULL, '{');
        json_text(out, "name", q.name);
        json_text(out, "unit", q.unit);
        json_text(out, "help", q.help);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_text(out, "colour", chosen == SIZE_MAX ? NULL : throng_world_quantity(world, chosen).name);
}

/* A part from above as it is when its thing lies unturned. */
static void write_shape(json_writer *out, const char *name, const throng_part *parts, size_t count) {
    crowd_scene scratch = {0};
    throng_object_state object = {.turn = {1, 0, 0, 0}, .part_count = (uint32_t)count};
    throng_objects all = {.count = 1, .objects = &object, .parts = parts};
    scene_take_objects(&scratch, &all);
    double height = 0;
    json_open(out, NULL, '{');
    json_text(out, "name", name);
    json_open(out, "parts", '[');
    for (size_t i = 0; i < scratch.part_count; i++) {
        const scene_part *part = &scratch.parts[i];
        height = fmax(height, part->height);
        json_open(out, NULL, '{');
        if (part->radius > 0) {
            json_open(out, "disc", '[');
            json_number(out, NULL, part->centre.x);
            json_number(out, NULL, part->centre.y);
            json_number(out, NULL, part->radius);
            json_close(out, ']');
        } else {
            json_ring(out, "ring", (throng_ring){part->points, part->count});
        }
        json_close(out, '}');
    }
    json_close(out, ']');
    json_number(out, "height", height);
    json_close(out, '}');
    free(scratch.parts);
}

static bool same_parts(const struct view_shape *shape, const throng_part *parts, size_t count) {
    return shape->part_count == count && !memcmp(shape->parts, parts, count * sizeof *parts);
}

/* The number of the shape that an object has, which may be new. */
static uint16_t shape_of(view_shapes *known, const throng_object_state *object, const throng_part *parts) {
    for (size_t i = known->count; i-- > 0;)
        if (same_parts(&known->shapes[i], parts, object->part_count)) return (uint16_t)i;
    if (known->count == UINT16_MAX) return UINT16_MAX;
    struct view_shape shape = {object->part_count, resize(NULL, object->part_count * sizeof *parts), object->id};
    memcpy(shape.parts, parts, object->part_count * sizeof *parts);
    known->shapes = resize(known->shapes, (known->count + 1) * sizeof shape);
    known->shapes[known->count] = shape;
    return (uint16_t)known->count++;
}

bool shapes_know(view_shapes *known, const throng_objects *objects) {
    size_t before = known->count;
    if (objects->count > known->capacity) {
        known->capacity = objects->count;
        known->numbers = resize(known->numbers, objects->count * sizeof *known->numbers);
    }
    for (size_t i = 0; i < objects->count; i++)
        known->numbers[i] = shape_of(known, &objects->objects[i], objects->parts + objects->objects[i].first_part);
    return known->count > before;
}

void shapes_write(json_writer *out, const view_shapes *known, const throng_objects *objects) {
    json_open(out, "things", '[');
    for (size_t i = 0; i < known->count; i++) {
        const char *name = "";
        for (size_t k = 0; objects && k < objects->count; k++)
            if (objects->objects[k].id == known->shapes[i].first) name = objects->objects[k].name;
        write_shape(out, name, known->shapes[i].parts, known->shapes[i].part_count);
    }
    json_close(out, ']');
}

void shapes_free(view_shapes *known) {
    for (size_t i = 0; i < known->count; i++) free(known->shapes[i].parts);
    free(known->shapes);
    free(known->numbers);
}

char *chart_row(const throng_measure *measure, int run, double step_ms, const chart_base *base) {
    throng_figures f = throng_measure_figures(measure);
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "type", "chart");
    json_whole(&t.json, "run", (uint64_t)run);
    json_number(&t.json, "time", f.time);
    json_whole(&t.json, "inside", f.inside);
    json_whole(&t.json, "left", f.left + (base ? base->left : 0));
    json_number(&t.json, "mean_speed", f.mean_speed);
    json_number(&t.json, "density_max", f.density_max);
    json_whole(&t.json, "overlaps", f.overlaps);
    if (isfinite(step_ms)) json_number(&t.json, "ms_per_step", step_ms);
    for (int passed = 0; passed < 2; passed++) {
        json_open(&t.json, passed ? "passed" : "flow", '{');
        for (size_t i = 0; i < throng_measure_line_count(measure); i++) {
            throng_line_figures line = throng_measure_line(measure, i);
            if (passed)
                json_whole(&t.json, line.name, line.passed + (base && i < CHART_LINES ? base->passed[i] : 0));
            else
                json_number(&t.json, line.name, line.flow);
        }
        json_close(&t.json, '}');
    }
    json_close(&t.json, '}');
    blob *made = text_maker_end(&t);
    char *text = text_format("%.*s", (int)made->length, (const char *)made->bytes);
    blob_drop(made);
    return text;
}

static void write_events(json_writer *out, const throng_world *world) {
    static const char *const words[] = {"removed", "back", "moves", "closes", "opens", "set", "thrown"};
    json_open(out, "events", '[');
    for (size_t i = 0; i < throng_world_event_count(world); i++) {
        throng_event_def e = throng_world_event(world, i);
        const char *subject = e.obstacle ? e.obstacle
                              : e.kind == THRONG_EVENT_CLOSE || e.kind == THRONG_EVENT_OPEN
                                  ? throng_world_goal(world, e.goal).name
                              : e.set    ? e.set
                              : e.object ? e.object
                                         : "";
        char *text = text_format("%s %s", subject, words[e.kind]);
        json_open(out, NULL, '{');
        json_number(out, "time", e.time);
        json_text(out, "text", text);
        json_close(out, '}');
        free(text);
    }
    json_close(out, ']');
}

static void write_period(json_writer *out, const throng_world *world) {
    throng_period period = throng_world_period(world);
    json_open(out, "periodic", '{');
    for (int axis = 0; axis < 2; axis++) {
        if (!(axis ? period.y : period.x)) continue;
        json_open(out, axis ? "y" : "x", '[');
        json_number(out, NULL, axis ? period.low.y : period.low.x);
        json_number(out, NULL, axis ? period.high.y : period.high.x);
        json_close(out, ']');
    }
    json_close(out, '}');
}

/* What a picture of everything has to hold. */
throng_box live_bounds(const throng_world *world) {
    crowd_scene scratch = {.place = throng_world_place(world)};
    throng_view view = throng_world_raw_view(world);
    scratch.people = resize(NULL, view.count * sizeof *scratch.people);
    scratch.count = view.count;
    for (size_t i = 0; i < view.count; i++)
        scratch.people[i] = (scene_person){.x = view.x[i], .y = view.y[i], .radius = view.radius[i]};
    for (size_t i = 0; i < throng_world_mark_count(world); i++) scene_add_mark(&scratch, throng_world_mark(world, i));
    scene_take_bounds(&scratch);
    throng_box bounds = scratch.bounds;
    scratch.place = NULL;
    scene_free(&scratch);
    return bounds;
}

blob *live_scene(view_live *live, int run) {
    const throng_world *world = live->world;
    double duration = throng_scenario_duration(live->scenario);
    text_maker t;
    text_maker_open(&t);
    json_writer *out = &t.json;
    json_open(out, NULL, '{');
    json_text(out, "type", "scene");
    if (run >= 0) json_whole(out, "run", (uint64_t)run);
    json_text(out, "name", throng_scenario_name(live->scenario));
    json_text(out, "description", throng_scenario_description(live->scenario));
    json_bool(out, "live", true);
    json_text(out, "model", throng_scenario_model(live->scenario));
    json_whole(out, "seed", throng_world_seed(world));
    json_number(out, "dt", throng_world_dt(world));
    json_number(out, "duration", duration);
    json_open(out, "times", '[');
    json_number(out, NULL, 0);
    json_number(out, NULL, duration);
    json_close(out, ']');
    scene_write_place(out, throng_world_place(world), live_bounds(world));
    write_obstacles(out, world);
    json_open(out, "goals", '[');
    for (size_t g = 1; g <= throng_world_goal_count(world); g++) write_goal(out, world, (throng_goal)g);
    json_close(out, ']');
    write_all_marks(out, world);
    throng_profile usual = write_groups(out, world);
    json_open(out, "models", '[');
    for (size_t i = 0; i < throng_model_count(); i++) json_text(out, NULL, throng_model_name(throng_model_at(i)));
    json_close(out, ']');
    write_quantities(out, world, live->shown.colour);
    live->cell = live_cell(world);
    if (live->cell > 0) json_number(out, "cell", live->cell);
    throng_objects objects = throng_world_objects(world);
    shapes_know(&live->shapes, &objects);
    shapes_write(out, &live->shapes, &objects);
    write_events(out, world);
    write_period(out, world);
    json_open(out, "settings", '{');
    json_text(out, "model", throng_model_name(throng_world_profile_model(world, usual)));
    write_params(out, world, usual);
    json_close(out, '}');
    json_close(out, '}');
    live->scene_changed = false;
    live->place_told = throng_world_place_version(world);
    live->goals_told = goals_version(world);
    live->people_told = people_version(world);
    return text_maker_end(&t);
}
