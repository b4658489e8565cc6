/* scene_recording.c: takes a scene (scene.h) from a recording. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "scene.h"

/* ------------------------------------------------------------------ which frame */

static bool read_frame(throng_recording *recording, const char *path, size_t number, scene_frame *out) {
    throng_error error = {0};
    throng_frame frame;
    if (!throng_recording_frame(recording, number, &frame, &error)) {
        print_error(path, &error);
        return false;
    }
    *out = (scene_frame){frame.count, resize(NULL, frame.count * sizeof *out->id),
                         resize(NULL, frame.count * sizeof *out->at)};
    if (frame.count) memcpy(out->id, frame.id, frame.count * sizeof *out->id);
    for (size_t i = 0; i < frame.count; i++) out->at[i] = (throng_point){frame.x[i], frame.y[i]};
    return true;
}

static bool choose_frame(throng_recording *recording, const char *path, const scene_choice *choice, size_t *number) {
    throng_recording_info info = throng_recording_info_of(recording);
    if (!info.frame_count) {
        complain("%s: the recording has no frames", path);
        return false;
    }
    size_t last = info.frame_count - 1;
    double wanted = choice->frame.given  ? (double)choice->frame.value
                    : choice->time.given ? floor(choice->time.value * info.fps + 0.5)
                                         : (double)(last / 2);
    if (wanted > (double)last) {
        complain("%s: the recording ends with frame %zu, at %g s", path, last, (double)last / info.fps);
        return false;
    }
    *number = (size_t)wanted;
    return true;
}

/* ------------------------------------------------------------------ who they are */

static int by_id(const void *a, const void *b) {
    throng_agent p = ((const throng_recording_agent *)a)->id, q = ((const throng_recording_agent *)b)->id;
    return (p > q) - (p < q);
}

static size_t group_index(text_list *groups, const char *name) {
    for (size_t i = 0; i < groups->count; i++)
        if (!strcmp(groups->items[i], name)) return i;
    text_list_add(groups, name);
    return groups->count - 1;
}

static void take_people(crowd_scene *scene, const throng_recording *recording, const scene_frame *frame) {
    size_t known = throng_recording_info_of(recording).agent_count;
    throng_recording_agent *agents = resize(NULL, known * sizeof *agents);
    for (size_t i = 0; i < known; i++) agents[i] = throng_recording_agent_at(recording, i);
    qsort(agents, known, sizeof *agents, by_id);

    scene->count = frame->count;
    scene->people = resize(NULL, frame->count * sizeof *scene->people);
    const char *last_name = NULL;
    size_t last_group = 0, k = 0;
    for (size_t i = 0; i < frame->count; i++) {
        while (k < known && agents[k].id < frame->id[i]) k++;
        bool found = k < known && agents[k].id == frame->id[i];
        const char *name = found && agents[k].group ? agents[k].group : "";
        if (!last_name || strcmp(last_name, name)) last_group = group_index(&scene->groups, name);
        last_name = name;
        double radius = found ? agents[k].radius : throng_default_agent_def().radius;
        scene->people[i] = scene_usual_person(frame->at[i].x, frame->at[i].y, radius, last_group);
    }
    free(agents);
}

static bool take_quantities(crowd_scene *scene, throng_recording *recording, const char *path, size_t number) {
    throng_error error = {0};
    throng_frame frame;
    if (!throng_recording_frame(recording, number, &frame, &error)) {
        print_error(path, &error);
        return false;
    }
    for (size_t i = 0; i < throng_recording_quantity_count(recording); i++) {
        throng_quantity about = throng_recording_quantity(recording, i);
        double *values = resize(NULL, (frame.count + 1) * sizeof *values);
        for (size_t k = 0; k < frame.count; k++) values[k] = frame.values[i][k];
        scene_add_quantity(scene, about.name, "", about.unit, values);
    }
    scene_use_quantities(scene);
    return true;
}

/* Speed and heading come from the step between two frames. */
static void take_velocities(crowd_scene *scene, const scene_frame *here, const scene_frame *other, double dt) {
    size_t k = 0;
    for (size_t i = 0; i < here->count; i++) {
        while (k < other->count && other->id[k] < here->id[i]) k++;
        if (k == other->count || other->id[k] != here->id[i]) continue;
        scene->people[i].vx = (here->at[i].x - other->at[k].x) / dt;
        scene->people[i].vy = (here->at[i].y - other->at[k].y) / dt;
    }
}

/* ------------------------------------------------------------------ the scene */

static bool take_trail(crowd_scene *scene, throng_recording *recording, const char *path, size_t number,
                       double seconds) {
    double fps = throng_recording_info_of(recording).fps;
    double frames = ceil(seconds * fps);
    size_t first = frames < (double)number ? number - (size_t)frames : 0;
    scene->trail = resize(NULL, (number - first + 1) * sizeof *scene->trail);
    for (size_t i = first; i <= number; i++) {
        if (!read_frame(recording, path, i, &scene->trail[scene->trail_count])) return false;
        scene->trail_count++;
    }
    return true;
}

static bool take_moment(crowd_scene *scene, throng_recording *recording, const char *path, const scene_choice *choice) {
    throng_recording_info info = throng_recording_info_of(recording);
    size_t number;
    if (!choose_frame(recording, path, choice, &number)) return false;
    scene->time = (double)number / info.fps;
    scene_frame here = {0}, other = {0};
    bool good = read_frame(recording, path, number, &here);
    if (good) take_people(scene, recording, &here);
    if (good) good = take_quantities(scene, recording, path, number);
    if (good && info.frame_count > 1) {
        bool forward = number == 0;
        good = read_frame(recording, path, forward ? 1 : number - 1, &other);
        if (good) take_velocities(scene, &here, &other, (forward ? -1 : 1) / info.fps);
    }
    throng_objects objects;
    throng_error error = {0};
    if (good && !throng_recording_objects(recording, number, &objects, &error)) {
        print_error(path, &error);
        good = false;
    }
    if (good) scene_take_objects(scene, &objects);
    if (good && choice->trail.given) good = take_trail(scene, recording, path, number, choice->trail.value);
    scene_frame_free(&here);
    scene_frame_free(&other);
    return good;
}

static bool take_place(crowd_scene *scene, throng_recording *recording, const char *path) {
    size_t frame = (size_t)(scene->time * throng_recording_info_of(recording).fps + 0.5);
    throng_error error = {0};
    scene->own_place = throng_recording_place_at(recording, frame, &error);
    if (!scene->own_place) {
        print_error(path, &error);
        return false;
    }
    scene->place = scene->own_place;
    size_t count;
    const throng_mark *marks = throng_recording_marks(recording, frame, &count);
    for (size_t i = 0; i < count; i++) scene_add_mark(scene, marks[i]);
    scene_take_bounds(scene);
    return true;
}

bool scene_from_recording(crowd_scene *scene, const char *path, const source_options *source,
                          const scene_choice *choice) {
    memset(scene, 0, sizeof *scene);
    throng_recording *recording = source_open(source, path);
    if (!recording) return false;
    const char *slash = strrchr(path, '/');
    scene->title = text_format("%s", slash ? slash + 1 : path);
    scene->subtitle = text_format("recorded at %g frames a second", throng_recording_info_of(recording).fps);
    bool good = take_moment(scene, recording, path, choice) && take_place(scene, recording, path);
    throng_recording_close(recording);
    if (!good) scene_free(scene);
    return good;
}
