/* scene.c: see scene.h. This file takes scenes of a running scenario; scene_recording.c of recordings. */

#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "progress.h"

static const double trail_interval_s = 0.1;

/* ------------------------------------------------------------------ shared */

throng_box scene_empty_box(void) { return (throng_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}}; }

void scene_include(throng_box *box, double x, double y, double margin) {
    box->low.x = fmin(box->low.x, x - margin);
    box->low.y = fmin(box->low.y, y - margin);
    box->high.x = fmax(box->high.x, x + margin);
    box->high.y = fmax(box->high.y, y + margin);
}

scene_person scene_usual_person(double x, double y, double radius, size_t group) {
    return (scene_person){.x = x, .y = y, .radius = radius, .group = group, .space = 0.9, .front = 0.4};
}

void scene_frame_free(scene_frame *frame) {
    free(frame->id);
    free(frame->at);
    *frame = (scene_frame){0};
}

void scene_clear(crowd_scene *scene) {
    for (size_t i = 0; i < scene->trail_count; i++) scene_frame_free(&scene->trail[i]);
    free(scene->trail);
    free(scene->people);
    for (size_t i = 0; i < scene->quantity_count; i++) {
        free(scene->quantities[i].name);
        free(scene->quantities[i].unit);
        free(scene->quantities[i].values);
    }
    free(scene->quantities);
    free(scene->parts);
    for (size_t i = 0; i < scene->mark_count; i++) {
        free((void *)scene->marks[i].ring.points);
        free((void *)scene->marks[i].name);
    }
    free(scene->marks);
    scene->trail = NULL, scene->people = NULL, scene->quantities = NULL, scene->parts = NULL, scene->marks = NULL;
    scene->trail_count = scene->count = scene->quantity_count = scene->part_count = scene->mark_count = 0;
}

void scene_free(crowd_scene *scene) {
    scene_clear(scene);
    free(scene->title);
    free(scene->subtitle);
    text_list_free(&scene->groups);
    throng_place_destroy(scene->own_place);
    loaded_free(&scene->loaded);
    free(scene->agents);
    throng_recording_close(scene->recording);
}

void scene_add_quantity(crowd_scene *scene, const char *name, const char *component, const char *unit, double *values) {
    scene->quantities = resize(scene->quantities, (scene->quantity_count + 1) * sizeof *scene->quantities);
    scene->quantities[scene->quantity_count++] =
        (scene_quantity){text_format("%s%s", name, component), text_format("%s", unit), values};
}

static const scene_quantity *find_quantity(const crowd_scene *scene, const char *name, const char *component) {
    size_t length = strlen(name);
    for (size_t i = 0; i < scene->quantity_count; i++) {
        const char *own = scene->quantities[i].name;
        if (!strncmp(own, name, length) && !strcmp(own + length, component)) return &scene->quantities[i];
    }
    return NULL;
}

void scene_use_quantities(crowd_scene *scene) {
    const scene_quantity *x = find_quantity(scene, "net_force", "_x"), *y = find_quantity(scene, "net_force", "_y");
    const scene_quantity *area = find_quantity(scene, "area", "");
    for (size_t i = 0; i < scene->count; i++) {
        scene_person *person = &scene->people[i];
        if (x && y && isfinite(x->values[i]) && isfinite(y->values[i]))
            person->fx = x->values[i], person->fy = y->values[i];
        if (area && isfinite(area->values[i])) person->area = area->values[i];
    }
}

double *scene_values(const crowd_scene *scene, const char *name, const char **unit) {
    const scene_quantity *plain = find_quantity(scene, name, ""), *x = find_quantity(scene, name, "_x"),
                         *y = find_quantity(scene, name, "_y");
    if (!plain && !(x && y)) return NULL;
    double *values = resize(NULL, (scene->count + 1) * sizeof *values);
    for (size_t i = 0; i < scene->count; i++) values[i] = plain ? plain->values[i] : hypot(x->values[i], y->values[i]);
    *unit = plain ? plain->unit : x->unit;
    return values;
}

void scene_add_mark(crowd_scene *scene, throng_mark mark) {
    if (!mark.ring.count) return;
    size_t bytes = mark.ring.count * sizeof *mark.ring.points;
    mark.ring.points = memcpy(resize(NULL, bytes), mark.ring.points, bytes);
    mark.name = text_format("%s", mark.name);
    scene->marks = resize(scene->marks, (scene->mark_count + 1) * sizeof *scene->marks);
    scene->marks[scene->mark_count++] = mark;
}

static void include_frame(throng_box *box, const scene_frame *frame) {
    for (size_t i = 0; i < frame->count; i++) scene_include(box, frame->at[i].x, frame->at[i].y, 1);
}

static void include_ring(throng_box *box, throng_ring ring, double margin) {
    for (size_t k = 0; k < ring.count; k++) scene_include(box, ring.points[k].x, ring.points[k].y, margin);
}

/* An open plane is shown as far as there is something to see. */
void scene_take_bounds(crowd_scene *scene) {
    if (!throng_place_is_open(scene->place)) {
        scene->bounds = throng_place_bounds(scene->place);
        return;
    }
    throng_box box = scene_empty_box();
    for (size_t i = 0; i < scene->count; i++) scene_include(&box, scene->people[i].x, scene->people[i].y, 1);
    for (size_t i = 0; i < scene->trail_count; i++) include_frame(&box, &scene->trail[i]);
    for (size_t i = 0; i < scene->part_count; i++)
        scene_include(&box, scene->parts[i].centre.x, scene->parts[i].centre.y, 1);
    for (size_t i = 0; i < throng_place_ring_count(scene->place); i++)
        include_ring(&box, throng_place_ring(scene->place, i), 1);
    for (size_t i = 0; i < throng_place_line_count(scene->place); i++)
        include_ring(&box, throng_place_line(scene->place, i), 1);
    for (size_t i = 0; i < scene->mark_count; i++) include_ring(&box, scene->marks[i].ring, 1 + scene->marks[i].radius);
    if (!(box.low.x <= box.high.x)) box = (throng_box){{-5, -5}, {5, 5}};
    scene->bounds = box;
}

/* ------------------------------------------------------------------ from a run */

static void keep_trail(crowd_scene *scene, const throng_view *view, size_t capacity) {
    if (scene->trail_count == capacity) {
        scene_frame_free(&scene->trail[0]);
        memmove(scene->trail, scene->trail + 1, (capacity - 1) * sizeof *scene->trail);
        scene->trail_count--;
    }
    scene_frame frame = {view->count, resize(NULL, view->count * sizeof *frame.id),
                         resize(NULL, view->count * sizeof *frame.at)};
    if (view->count) memcpy(frame.id, view->id, view->count * sizeof *frame.id);
    for (size_t i = 0; i < view->count; i++) frame.at[i] = (throng_point){view->x[i], view->y[i]};
    scene->trail[scene->trail_count++] = frame;
}

/* Whether the run has come to the moment to draw when no time was asked for. */
static bool is_busy(const throng_world *world) {
    throng_stats stats = throng_world_stats(world);
    return 4 * stats.arrived >= stats.initial + stats.spawned;
}

/* Steps up to the moment of the picture, keeping the trail. */
static void advance(crowd_scene *scene, const scene_choice *choice) {
    throng_world *world = scene->loaded.world;
    double dt = throng_world_dt(world), duration = throng_scenario_duration(scene->loaded.scenario);
    double until = choice->time.given ? choice->time.value : duration / 2;
    uint64_t interval = (uint64_t)fmax(1, floor(trail_interval_s / dt + 0.5));
    size_t capacity = choice->trail.given ? 1 + (size_t)ceil(choice->trail.value / (dt * (double)interval)) : 0;
    if (capacity) scene->trail = resize(NULL, capacity * sizeof *scene->trail);
    uint64_t steps = (uint64_t)floor(until / dt + 0.5), last = loaded_steps(&scene->loaded);
    if (steps > last) steps = last;
    bool full = throng_scenario_runs_full(scene->loaded.scenario);

    for (size_t i = 0; i < throng_world_quantity_count(world); i++) throng_world_want_quantity(world, i);
    progress_line progress;
    progress_begin(&progress, choice->progress, 0, until);
    for (uint64_t step = 0;; step++) {
        bool ended = step == steps || (!full && throng_world_is_done(world)) ||
                     (!choice->time.given && step > 0 && is_busy(world));
        if (capacity && (ended || (steps - step) % interval == 0)) {
            throng_view view = throng_world_view(world);
            keep_trail(scene, &view, capacity);
        }
        if (ended) break;
        throng_world_step(world);
        progress_update(&progress, throng_world_time(world), throng_world_raw_view(world).count);
    }
    progress_clear(&progress);
    if (choice->time.given && throng_world_time(world) < choice->time.value - dt)
        warn("the run ended at %g s; the picture shows that moment", throng_world_time(world));
}

/* Where a model has personal spaces, with its own parameters. */
static void take_space(scene_person *person, const throng_world *world, throng_profile profile) {
    double space = throng_world_profile_value(world, profile, "space");
    if (!(space > 0)) return;
    person->space = space;
    person->front = throng_world_profile_value(world, profile, "front");
    person->weight = throng_world_profile_value(world, profile, "weight");
}

static void take_quantities(crowd_scene *scene) {
    const throng_world *world = scene->loaded.world;
    for (size_t i = 0; i < throng_world_quantity_count(world); i++) {
        throng_quantity about = throng_world_quantity(world, i);
        for (int k = 0; k < about.components; k++) {
            double *values = resize(NULL, (scene->count + 1) * sizeof *values);
            throng_world_quantity_values(world, i, k, values);
            scene_add_quantity(scene, about.name, about.components == 1 ? "" : k ? "_y" : "_x", about.unit, values);
        }
    }
    scene_use_quantities(scene);
}

static void take_people(crowd_scene *scene) {
    const throng_world *world = scene->loaded.world;
    throng_view view = throng_world_view(world);
    size_t *index_of = resize(NULL, throng_world_group_count(world) * sizeof *index_of);
    for (size_t g = 0; g < throng_world_group_count(world); g++) index_of[g] = SIZE_MAX;
    scene->count = view.count;
    scene->people = resize(NULL, view.count * sizeof *scene->people);
    for (size_t i = 0; i < view.count; i++) {
        throng_group group = view.group[i];
        if (index_of[group] == SIZE_MAX) {
            index_of[group] = scene->groups.count;
            text_list_add(&scene->groups, throng_world_group_name(world, group));
        }
        scene_person *person = &scene->people[i];
        *person = scene_usual_person(view.x[i], view.y[i], view.radius[i], index_of[group]);
        person->vx = view.vx[i];
        person->vy = view.vy[i];
        take_space(person, world, view.profile[i]);
    }
    free(index_of);
    take_quantities(scene);
}

/* What there is at this moment. */
static void take_all(crowd_scene *scene) {
    scene->place = throng_world_place(scene->loaded.world);
    scene->time = throng_world_time(scene->loaded.world);
    take_people(scene);
    throng_objects objects = throng_world_objects(scene->loaded.world);
    scene_take_objects(scene, &objects);
    for (size_t i = 0; i < throng_world_mark_count(scene->loaded.world); i++)
        scene_add_mark(scene, throng_world_mark(scene->loaded.world, i));
    scene_take_bounds(scene);
    scene->title = text_format("%s", scene->loaded.name);
    scene->subtitle = text_format("model %s", throng_scenario_model(scene->loaded.scenario));
}

bool scene_from_scenario(crowd_scene *scene, const char *path, const scenario_options *options,
                         const scene_choice *choice) {
    memset(scene, 0, sizeof *scene);
    if (choice->frame.given) {
        complain("--frame is for recordings; use --time with a scenario");
        return false;
    }
    if (!loaded_create(&scene->loaded, path, options, false, false)) return false;
    advance(scene, choice);
    take_all(scene);
    return true;
}

void scene_from_world(crowd_scene *scene, loaded_scenario loaded) {
    memset(scene, 0, sizeof *scene);
    scene->loaded = loaded;
    take_all(scene);
}
