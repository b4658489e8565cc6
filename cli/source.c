/* source.c: see source.h. */

#include "source.h"

#include <string.h>

#include "messages.h"

bool source_unit(const char *text, double *metres) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i].name)) continue;
        *metres = units[i].metres;
        return true;
    }
    complain("--unit: expected m, cm or mm, found '%s'", text);
    return false;
}

bool is_recording(const char *path) {
    static const char *const endings[] = {".sqlite", ".txt", ".h5", ".throng", ".ndjson",
                                          ".xml",    ".csv", ".pp", ".traj"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (text_ends_with(path, endings[i])) return true;
    return false;
}

bool source_given(const source_options *options) { return options->format || options->unit || options->fps.given; }

throng_recording *source_open(const source_options *options, const char *path) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    def.format = options->format;
    def.fps = options->fps.value;
    if (options->unit && !source_unit(options->unit, &def.metres_per_unit)) return NULL;
    throng_error error = {0};
    throng_recording *recording = throng_recording_open_with(&def, &error);
    if (!recording) {
        print_error(path, &error);
        return NULL;
    }
    throng_recording_info info = throng_recording_info_of(recording);
    if (info.unfinished)
        warn("%s was not finished, or is damaged: %zu frame%s of it can be read, %g s; the last %zu bytes cannot", path,
             info.frame_count, info.frame_count == 1 ? "" : "s", (double)info.frame_count / info.fps, info.left_out);
    return recording;
}
