/* recorder.c: from a world to the frames of a recording. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/record.h"

struct throng_recorder {
    throng_writer *writer;
    throng_record_geometry **geometries; /* all since the start: files refer to them until they are closed */
    size_t geometry_count, geometry_capacity;
    const throng_record_geometry *geometry; /* the last one */
    uint64_t place_version;                 /* of that and what is marked on it */
    char *path, *description;
    throng_object last_object; /* likewise, of things */
    throng_agent last_seen;    /* ids grow, so whoever is above it is new */
    size_t goal_count;         /* those looked at */
    bool *goal_is_own;         /* [goal - 1] means each agent's own point */
    size_t goal_capacity;
    throng_box goal_reach; /* m, of all goals that have a place */
    bool interrupted, wall_forces;
    throng_quantity columns[THRONG_QUANTITIES_MOST]; /* of frames, besides motion; names are ours */
    struct {
        size_t quantity; /* of the world */
        int component;
    } from[THRONG_QUANTITIES_MOST];
    size_t column_count;
    char **group_names; /* our copies: frames may be written after the world is gone */
    size_t group_count, group_capacity;
};

throng_recorder_def throng_default_recorder_def(void) {
    return (throng_recorder_def){.fps = 10, .queue_bytes = (size_t)256 << 20};
}

/* Looks at the goals that were added since the last frame. */
static void look_at_goals(throng_recorder *recorder, const throng_world *world) {
    size_t count = throng_world_goal_count(world);
    THRONG_GROW(recorder->goal_is_own, recorder->goal_capacity, count);
    for (; recorder->goal_count < count; recorder->goal_count++) {
        throng_goal_def goal = throng_world_goal(world, (throng_goal)(recorder->goal_count + 1));
        recorder->goal_is_own[recorder->goal_count] = goal.kind == THRONG_GOAL_OWN;
        throng_box reach = throng_box_of(goal.ring.points, goal.ring.count);
        if (goal.kind == THRONG_GOAL_POINT) reach = throng_box_with(reach, goal.point.x, goal.point.y);
        recorder->goal_reach = throng_box_join(recorder->goal_reach, reach);
    }
}

static throng_box extent_of(const throng_view *view) { return throng_box_of_columns(view->x, view->y, view->count); }

/* Everything that the geometry of an open plane must hold: positions, goals, and the points of those
 * who have one of their own. */
static throng_box reach_of(const throng_recorder *recorder, const throng_view *view, throng_box extent) {
    throng_box reach = throng_box_join(extent, recorder->goal_reach);
    if (!recorder->geometry->open) return reach;
    for (size_t i = 0; i < view->count; i++)
        if (view->goal[i] && recorder->goal_is_own[view->goal[i] - 1])
            reach = throng_box_with(reach, view->target_x[i], view->target_y[i]);
    return reach;
}

/* The place as it is now. */
static throng_record_geometry *take_geometry(throng_recorder *recorder, const throng_world *world) {
    THRONG_GROW(recorder->geometries, recorder->geometry_capacity, recorder->geometry_count + 1);
    throng_record_geometry *geometry = throng_record_geometry_create(throng_world_place(world));
    geometry->marks = throng_marks_text(world);
    recorder->geometries[recorder->geometry_count++] = geometry;
    recorder->geometry = geometry;
    recorder->place_version = throng_record_marks_version(world);
    return geometry;
}

/* Walls have come, gone or moved, or goals closed or opened, since the last frame. */
static bool change_ground(throng_recorder *recorder, const throng_world *world, throng_error *error) {
    const throng_record_geometry *before = recorder->geometry;
    throng_record_geometry *now = take_geometry(recorder, world);
    if (throng_writer_format(recorder->writer)->joins_grounds && !now->open)
        now->joined = throng_record_geometry_join(before->joined ? before->joined : before->before, now->before);
    return throng_writer_change_ground(recorder->writer, now, error);
}

static void destroy(throng_recorder *recorder) {
    for (size_t i = 0; i < recorder->group_count; i++) throng_release(recorder->group_names[i]);
    THRONG_RELEASE(recorder->group_names, recorder->goal_is_own);
    for (size_t i = 0; i < recorder->geometry_count; i++) throng_record_geometry_destroy(recorder->geometries[i]);
    throng_release(recorder->geometries);
    for (size_t i = 0; i < recorder->column_count; i++) throng_release((void *)recorder->columns[i].name);
    THRONG_RELEASE(recorder->path, recorder->description, recorder);
}

/* Refuses a name that is not shown, with those that are. */
static bool refuse_quantity(const char *name, const throng_world *world, throng_error *error) {
    char known[300] = "";
    for (size_t i = 0; i < throng_world_quantity_count(world); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s, ", throng_world_quantity(world, i).name);
    }
    return throng_refuse(error, 0, 0, "cannot record '%.60s': expected one of %swall_force", name, known);
}

/* A column for each component of a quantity, unless it is there already. */
static bool choose_quantity(throng_recorder *recorder, const char *name, const throng_world *world,
                            throng_error *error) {
    size_t index = throng_world_quantity_named(world, name);
    if (index == SIZE_MAX) return refuse_quantity(name, world, error);
    throng_quantity about = throng_world_quantity(world, index);
    throng_world_want_quantity(world, index);
    for (size_t i = 0; i < recorder->column_count; i++)
        if (recorder->from[i].quantity == index) return true;
    if (recorder->column_count + (size_t)about.components > THRONG_QUANTITIES_MOST)
        return throng_refuse(error, 0, 0, "cannot record more than %d quantities at once", THRONG_QUANTITIES_MOST);
    for (int k = 0; k < about.components; k++) {
        throng_string text = {0};
        throng_string_print(&text, "%s%s", about.name, about.components == 1 ? "" : k ? "_y" : "_x");
        recorder->from[recorder->column_count].quantity = index;
        recorder->from[recorder->column_count].component = k;
        recorder->columns[recorder->column_count++] = (throng_quantity){text.text, about.unit, about.help, 1};
    }
    return true;
}

static bool choose_quantities(throng_recorder *recorder, const throng_recorder_def *def, const throng_world *world,
                              throng_error *error) {
    bool good = true;
    for (size_t i = 0; i < def->quantity_count && good; i++) {
        bool walls = strcmp(def->quantities[i], "wall_force") == 0;
        if (walls) recorder->wall_forces = true;
        good = walls || choose_quantity(recorder, def->quantities[i], world, error);
    }
    return good;
}

throng_recorder *throng_recorder_create(const throng_recorder_def *def, const throng_world *world,
                                        throng_error *error) {
    if (!def->path || !*def->path) {
        throng_refuse(error, 0, 0, "a recording needs the path of a file");
        return NULL;
    }
    if (!(def->fps > 0 && isfinite(def->fps))) {
        throng_refuse(error, 0, 0, "cannot record %g frames a second in '%s': expected a number above 0", def->fps,
                      def->path);
        return NULL;
    }
    throng_recorder *recorder = throng_allocate(sizeof *recorder);
    recorder->path = throng_copy_text(def->path);
    recorder->description = throng_copy_text(def->description);
    take_geometry(recorder, world);
    recorder->goal_reach = throng_box_empty();
    look_at_goals(recorder, world);
    throng_view view = throng_world_raw_view(world);
    bool chosen = choose_quantities(recorder, def, world, error);
    throng_record_head head = {.path = recorder->path,
                               .fps = def->fps,
                               .description = recorder->description,
                               .dt = throng_world_dt(world),
                               .seed = throng_world_seed(world),
                               .geometry = recorder->geometry,
                               .reach = reach_of(recorder, &view, extent_of(&view)),
                               .sqlite_version = def->sqlite_version,
                               .quantities = recorder->columns,
                               .quantity_count = recorder->column_count,
                               .wall_forces = recorder->wall_forces};
    if (chosen) recorder->writer = throng_writer_create(&head, def->format, def->queue_bytes, error);
    if (recorder->writer) return recorder;
    destroy(recorder);
    return NULL;
}

/* The name of a group, in memory that stays. */
static const char *group_name(throng_recorder *recorder, const throng_world *world, throng_group group) {
    while (recorder->group_count <= group) {
        THRONG_GROW(recorder->group_names, recorder->group_capacity, recorder->group_count + 1);
        const char *name = throng_world_group_name(world, (throng_group)recorder->group_count);
        recorder->group_names[recorder->group_count++] = throng_copy_text(name);
    }
    return recorder->group_names[group];
}

static void copy_newcomer(throng_recorder *recorder, const throng_world *world, const throng_view *view, size_t row,
                          throng_recording_agent *newcomer) {
    const throng_model *model = throng_world_profile_model(world, view->profile[row]);
    *newcomer = (throng_recording_agent){.id = view->id[row],
                                         .radius = view->radius[row],
                                         .desired_speed = view->desired_speed[row],
                                         .mass = view->mass[row],
                                         .group = group_name(recorder, world, view->group[row]),
                                         .model = throng_model_name(model),
                                         .name = ""};
}

/* A column in order of id. */
static void copy_column(double *to, const double *from, const throng_view *view) {
    for (size_t k = 0; k < view->count; k++) to[k] = from[view->by_id[k]];
}

static void copy_people(throng_record_frame *frame, const throng_view *view) {
    for (size_t k = 0; k < view->count; k++) frame->id[k] = view->id[view->by_id[k]];
    copy_column(frame->x, view->x, view);
    copy_column(frame->y, view->y, view);
    if (!frame->ori_x) return;
    copy_column(frame->ori_x, view->vx, view);
    copy_column(frame->ori_y, view->vy, view);
}

/* Walls that anybody presses against. */
static void copy_wall_forces(throng_record_frame *frame, const throng_world *world) {
    for (size_t w = 0; w < throng_world_wall_count(world); w++) {
        throng_wall_load load = throng_world_wall_load(world, w);
        if (!(load.force > 0)) continue;
        throng_writer_wall_room(frame, frame->wall_count + 1)[frame->wall_count] = load;
        frame->wall_count++;
    }
}

bool throng_recorder_frame(throng_recorder *recorder, const throng_world *world, throng_error *error) {
    bool changed = throng_record_marks_version(world) != recorder->place_version;
    if (changed && !change_ground(recorder, world, error)) return false;
    throng_view view = throng_world_raw_view(world);
    size_t first_new = view.count;
    while (first_new > 0 && view.id[view.by_id[first_new - 1]] > recorder->last_seen) first_new--;
    if (first_new < view.count) recorder->last_seen = view.id[view.by_id[view.count - 1]];

    throng_record_frame *frame = throng_writer_take(recorder->writer, view.count, view.count - first_new);
    copy_people(frame, &view);
    for (size_t i = 0; i < recorder->column_count; i++)
        throng_world_quantity_values(world, recorder->from[i].quantity, recorder->from[i].component, frame->values[i]);
    if (recorder->wall_forces) copy_wall_forces(frame, world);
    for (size_t i = first_new; i < view.count; i++)
        copy_newcomer(recorder, world, &view, view.by_id[i], &frame->newcomers[i - first_new]);
    throng_objects things = throng_world_objects(world);
    throng_record_objects(frame, &things, &recorder->last_object);
    look_at_goals(recorder, world);
    frame->extent = extent_of(&view);
    frame->reach = reach_of(recorder, &view, frame->extent);
    return throng_writer_put(recorder->writer, frame, error);
}

void throng_recorder_interrupt(throng_recorder *recorder) { recorder->interrupted = true; }

bool throng_recorder_close(throng_recorder *recorder, throng_error *error) {
    if (!recorder) return true;
    bool done = throng_writer_close(recorder->writer, recorder->interrupted, error);
    destroy(recorder);
    return done;
}

bool throng_recorder_keeps_ground(const throng_recorder *recorder) {
    const throng_file_format *format = throng_writer_format(recorder->writer);
    return !format->loses_ground && (recorder->geometry_count == 1 || format->writer->change_ground);
}

bool throng_recorder_keeps_objects(const throng_recorder *recorder) {
    return recorder->last_object == 0 || throng_writer_format(recorder->writer)->reader->read_objects;
}

double throng_recorder_wait_ms(const throng_recorder *recorder) { return throng_writer_wait_ms(recorder->writer); }
