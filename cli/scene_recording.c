/* scene_recording.c: takes a scene (scene.h) from a recording. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "scene.h"

/* ------------------------------------------------------------------ which frame */

static bool read_frame(const crowd_scene *scene, size_t number, scene_frame *out) {
    throng_error error = {0};
    throng_frame frame;
    if (!throng_recording_frame(scene->recording, number, &frame, &error)) {
        print_error(scene->path, &error);
        return false;
    }
    *out = (scene_frame){frame.count, resize(NULL, frame.count * sizeof *out->id),
                         resize(NULL, frame.count * sizeof *out->at)};
    if (frame.count) memcpy(out->id, frame.id, frame.count * sizeof *out->id);
    for (size_t i = 0; i < frame.count; i++) out->at[i] = (throng_point){frame.x[i], frame.y[i]};
    return true;
}

static bool choose_frame(const crowd_scene *scene, const scene_choice *choice, double *number) {
    throng_recording_info info = throng_recording_info_of(scene->recording);
    size_t last = info.frame_count - 1;
    double wanted = choice->frame.given  ? (double)choice->frame.value
                    : choice->time.given ? floor(choice->time.value * info.fps + 0.5)
                                         : (double)(last / 2);
    if (wanted > (double)last) {
        complain("%s: the recording ends with frame %zu, at %g s", scene->path, last, (double)last / info.fps);
        return false;
    }
    *number = wanted;
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

static void take_agents(crowd_scene *scene) {
    size_t known = throng_recording_info_of(scene->recording).agent_count;
    scene->agents = resize(NULL, known * sizeof *scene->agents);
    for (size_t i = 0; i < known; i++) scene->agents[i] = throng_recording_agent_at(scene->recording, i);
    qsort(scene->agents, known, sizeof *scene->agents, by_id);
}

static void take_people(crowd_scene *scene, const scene_frame *frame) {
    size_t known = throng_recording_info_of(scene->recording).agent_count;
    const throng_recording_agent *agents = scene->agents;
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
}

static bool take_quantities(crowd_scene *scene, size_t number) {
    throng_error error = {0};
    throng_frame frame;
    if (!throng_recording_frame(scene->recording, number, &frame, &error)) {
        print_error(scene->path, &error);
        return false;
    }
    for (size_t i = 0; i < throng_recording_quantity_count(scene->recording); i++) {
        throng_quantity about = throng_recording_quantity(scene->recording, i);
        double *values = resize(NULL, (frame.count + 1) * sizeof *values);
        for (size_t k = 0; k < frame.count; k++) values[k] = frame.values[i][k];
        scene_add_quantity(scene, about.name, "", about.unit, values);
    }
    scene_use_quantities(scene);
    return true;
}

/* Speed and heading come from the step between two frames; somebody who is on the way to the next one has done so much
 * of it. Who comes in again at the other end has not walked there. */
static void take_velocities(crowd_scene *scene, const scene_frame *here, const scene_frame *other, double dt,
                            double done) {
    throng_box all = throng_recording_info_of(scene->recording).bounds;
    size_t k = 0;
    for (size_t i = 0; i < here->count; i++) {
        while (k < other->count && other->id[k] < here->id[i]) k++;
        if (k == other->count || other->id[k] != here->id[i]) continue;
        scene_person *person = &scene->people[i];
        double x = here->at[i].x - other->at[k].x, y = here->at[i].y - other->at[k].y;
        person->vx = x / dt;
        person->vy = y / dt;
        if (fabs(x) > (all.high.x - all.low.x) / 2 || fabs(y) > (all.high.y - all.low.y) / 2) continue;
        person->x -= done * x;
        person->y -= done * y;
    }
}

/* ------------------------------------------------------------------ the scene */

static bool take_trail(crowd_scene *scene, size_t number, double seconds) {
    double frames = ceil(seconds * throng_recording_info_of(scene->recording).fps);
    size_t first = frames < (double)number ? number - (size_t)frames : 0;
    scene->trail = resize(NULL, (number - first + 1) * sizeof *scene->trail);
    for (size_t i = first; i <= number; i++) {
        if (!read_frame(scene, i, &scene->trail[scene->trail_count])) return false;
        scene->trail_count++;
    }
    return true;
}

static bool take_things(crowd_scene *scene, size_t number) {
    throng_objects objects;
    throng_error error = {0};
    if (!throng_recording_objects(scene->recording, number, &objects, &error)) {
        print_error(scene->path, &error);
        return false;
    }
    scene_take_objects(scene, &objects);
    return true;
}

static bool take_place(crowd_scene *scene, size_t number) {
    size_t version = throng_recording_place_version(scene->recording, number);
    if (!scene->own_place || version != scene->place_version) {
        throng_error error = {0};
        throng_place *place = throng_recording_place_at(scene->recording, number, &error);
        if (!place) {
            print_error(scene->path, &error);
            return false;
        }
        throng_place_destroy(scene->own_place);
        scene->place = scene->own_place = place;
        scene->place_version = version;
    }
    size_t count;
    const throng_mark *marks = throng_recording_marks(scene->recording, number, &count);
    for (size_t i = 0; i < count; i++) scene_add_mark(scene, marks[i]);
    scene_take_bounds(scene);
    return true;
}

bool scene_take_moment(crowd_scene *scene, double frame, optional_number trail) {
    throng_recording_info info = throng_recording_info_of(scene->recording);
    size_t number = (size_t)frame;
    double done = number + 1 < info.frame_count ? frame - (double)number : 0;
    scene_clear(scene);
    scene->time = ((double)number + done) / info.fps;
    scene_frame here = {0}, other = {0};
    bool good = read_frame(scene, number, &here);
    if (good) take_people(scene, &here);
    if (good) good = take_quantities(scene, number);
    if (good && info.frame_count > 1) {
        bool forward = number == 0 || done > 0;
        good = read_frame(scene, forward ? number + 1 : number - 1, &other);
        if (good) take_velocities(scene, &here, &other, (forward ? -1 : 1) / info.fps, done);
    }
    good = good && take_things(scene, number);
    if (good && trail.given) good = take_trail(scene, number, trail.value);
    scene_frame_free(&here);
    scene_frame_free(&other);
    return good && take_place(scene, number);
}

bool scene_open_recording(crowd_scene *scene, const char *path, const source_options *source) {
    memset(scene, 0, sizeof *scene);
    scene->recording = source_open(source, path);
    if (!scene->recording) return false;
    throng_recording_info info = throng_recording_info_of(scene->recording);
    if (!info.frame_count) {
        complain("%s: the recording has no frames", path);
        scene_free(scene);
        return false;
    }
    const char *slash = strrchr(path, '/');
    scene->path = path;
    scene->title = text_format("%s", slash ? slash + 1 : path);
    scene->subtitle = text_format("recorded at %g frames a second", info.fps);
    take_agents(scene);
    return true;
}

bool scene_from_recording(crowd_scene *scene, const char *path, const source_options *source,
                          const scene_choice *choice) {
    double number;
    if (!scene_open_recording(scene, path, source)) return false;
    bool good = choose_frame(scene, choice, &number) && scene_take_moment(scene, number, choice->trail);
    if (!good) scene_free(scene);
    return good;
}
