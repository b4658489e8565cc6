/* view_moment.c: moments of built-in scenes, of which the page draws the gallery's pictures (view.h): the scene as a
 * run tells it, and a frame, each after its length (u32). */

#include <string.h>

#include "view.h"

static const double moment_time = 8;      /* s into the run */
static const double moment_effort = 0.05; /* s of wall clock spent to get there */
enum {
    PEOPLE_MOST = 10000, /* in the frame */
    RUN_MOST = 1500      /* people; of larger crowds it is the start, which needs no ways */
};

static view_live *open_scene(const char *name, const char *const *overrides, size_t count) {
    scenario_options options = {.threads = {.given = true, .value = 1}};
    live_def def = {.path = name, .overrides = overrides, .override_count = count};
    throng_report *report = throng_report_create();
    view_live *live = live_open(&def, &options, report);
    throng_report_destroy(report);
    return live;
}

/* A moment of the scene, as far as it is soon reached. */
static view_live *reach_moment(const char *name) {
    static const char *const no_ways[] = {"planner=straight"};
    view_live *live = open_scene(name, no_ways, 1);
    if (live && throng_world_raw_view(live->world).count > RUN_MOST) return live;
    live_close(live);
    live = open_scene(name, NULL, 0);
    double begun = wall_s();
    while (live && wall_s() - begun < moment_effort && throng_world_time(live->world) < moment_time) live_step(live);
    return live;
}

static uint8_t *put_piece(uint8_t *at, const blob *piece) {
    uint32_t length = (uint32_t)piece->length;
    memcpy(at, &length, 4);
    memcpy(at + 4, piece->bytes, length);
    return at + 4 + length;
}

blob *scene_moment(const char *name) {
    view_live *live = reach_moment(name);
    if (!live) return NULL;
    view_frame frame = live_sample(live, PEOPLE_MOST);
    blob *scene = live_scene(live, -1), *people = frame_whole(&frame),
         *made = blob_new(8 + scene->length + people->length);
    put_piece(put_piece(made->bytes, scene), people);
    blob_drop(scene);
    blob_drop(people);
    frame_drop(&frame);
    live_close(live);
    return made;
}
