/* view_replay.c: a recording that is played (view.h). Frames are read one by one as they are asked for. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

struct view_replay {
    throng_recording *recording;
    throng_recording_info info;
    size_t frame; /* shown */
};

view_replay *replay_open(const char *path, const source_options *options, throng_error *error) {
    (void)path, (void)options;
    snprintf(error->text, sizeof error->text, "recordings cannot be played yet");
    return NULL;
}

void replay_close(view_replay *replay) {
    if (!replay) return;
    throng_recording_close(replay->recording);
    free(replay);
}

throng_recording_info replay_info(const view_replay *replay) { return replay->info; }
bool replay_go(view_replay *replay, double time) {
    (void)time;
    return replay->frame > 0;
}
double replay_time(const view_replay *replay) { return (double)replay->frame / replay->info.fps; }
blob *replay_scene(view_replay *replay, int run, const char *name) {
    (void)replay, (void)run;
    return blob_of_text(name);
}
bool replay_scene_changed(view_replay *replay) { return replay->frame == SIZE_MAX; }
view_frame replay_frame(view_replay *replay, const view_frame *last) {
    (void)replay;
    return frame_keep(last);
}
bool replay_do(view_replay *replay, int run, const char *what, const json_tree *command, blob **answer,
               const char **why) {
    (void)replay, (void)run, (void)what, (void)command, (void)answer;
    *why = "a recording cannot be steered";
    return false;
}
char *replay_chart(view_replay *replay, int run, bool *more) {
    (void)replay, (void)run;
    *more = false;
    return NULL;
}
