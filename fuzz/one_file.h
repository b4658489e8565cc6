/* one_file.h: the file that fuzz targets write their input to, for readers that want a path. */

#ifndef FUZZ_ONE_FILE_H
#define FUZZ_ONE_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>
#include <unistd.h>

static void demand(bool held) {
    if (!held) abort();
}

/* Writes the bytes to a file without a name; the path it can be opened by. */
__attribute__((unused)) static const char *one_file(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[40];
    if (file < 0) {
        char name[] = "/tmp/throng-fuzz-XXXXXX";
        file = mkstemp(name);
        demand(file >= 0 && unlink(name) == 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    demand(ftruncate(file, 0) == 0);
    demand(size == 0 || pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

/* Opens the file in a format and reads what there is, in order and here and there. Either it works, or
 * there is a reason. */
static void read_recording(const char *path, const char *format, bool strict) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    def.format = format;
    def.fps = 10;
    def.metres_per_unit = 0.01;
    throng_error error = {.text = ""};
    throng_recording *recording = throng_recording_open_with(&def, &error);
    demand(recording || error.text[0]);
    if (!recording) return;
    throng_recording_info info = throng_recording_info_of(recording);
    demand(info.fps > 0);
    for (size_t k = 0; k < 150 && info.frame_count > 0; k++) {
        size_t f = k < 120 ? k : k * 7919;
        throng_frame frame;
        error.text[0] = 0;
        if (!throng_recording_frame(recording, f % info.frame_count, &frame, &error)) {
            demand(error.text[0]);
            continue;
        }
        for (size_t i = 1; i < frame.count; i++)
            demand(strict ? frame.id[i] > frame.id[i - 1] : frame.id[i] >= frame.id[i - 1]);
    }
    for (size_t i = 0; i < info.agent_count; i++) {
        throng_recording_agent agent = throng_recording_agent_at(recording, i);
        demand(agent.group && agent.model && agent.radius > 0);
    }
    throng_place_destroy(throng_recording_place(recording, NULL));
    throng_place_destroy(throng_recording_place_at(recording, info.frame_count / 2, NULL));
    throng_recording_close(recording);
}

#endif
