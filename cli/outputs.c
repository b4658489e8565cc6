/* outputs.c: see outputs.h. */

#include "outputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"
#include "paths.h"

/* ------------------------------------------------------------------ paths */

static bool writes_over_others(const char *path, const text_list *paths, size_t before, const char *scenario_path) {
    if (scenario_path && same_file(path, scenario_path)) {
        complain("%s is the scenario; write somewhere else", path);
        return true;
    }
    for (size_t i = 0; i < before; i++) {
        if (!same_file(path, paths->items[i])) continue;
        complain("%s would be written twice", path);
        return true;
    }
    return false;
}

bool outputs_check_paths(const text_list *paths, const char *stats_path, const char *checkpoint_path,
                         const char *scenario_path, const char *resume_path) {
    text_list written = {0};
    for (size_t i = 0; i < paths->count; i++) text_list_add(&written, paths->items[i]);
    if (stats_path && strcmp(stats_path, "-")) text_list_add(&written, stats_path);
    bool good = true;
    for (size_t i = 0; i < written.count && good; i++) {
        good = !writes_over_others(written.items[i], &written, i, scenario_path);
        if (good && resume_path && same_file(written.items[i], resume_path)) {
            complain("%s is the checkpoint to go on from; write somewhere else", resume_path);
            good = false;
        }
    }
    good = good && !(checkpoint_path && writes_over_others(checkpoint_path, &written, written.count, scenario_path));
    text_list_free(&written);
    return good;
}

/* "run.sqlite" becomes "run.1.sqlite", or "run.2.sqlite" when there is one, and so on. */
static char *another_name(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int stem = dot && dot > (slash ? slash + 1 : path) ? (int)(dot - path) : (int)strlen(path);
    for (int number = 1;; number++) {
        char *name = text_format("%.*s.%d%s", stem, path, number, path + stem);
        if (access(name, F_OK)) return name;
        free(name);
    }
}

/* With what SQLite may have left beside it. */
static bool rename_all(const char *path, const char *name) {
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        char *from = text_format("%s%s", path, beside[i]), *to = text_format("%s%s", name, beside[i]);
        if (!access(from, F_OK)) rename(from, to);
        free(from);
        free(to);
    }
    return rename(path, name) == 0;
}

static bool keep(const char *path, bool told) {
    char *name = another_name(path);
    bool good = rename_all(path, name);
    if (!good)
        complain("cannot keep the earlier %s as %s: %s", path, name, strerror(errno));
    else if (told)
        fprintf(stderr, "%s was there already and is now called %s\n", path, name);
    free(name);
    return good;
}

bool outputs_keep_earlier(const text_list *paths, const char *figures, bool told) {
    bool good = !figures || !strcmp(figures, "-") || access(figures, F_OK) || keep(figures, told);
    for (size_t i = 0; i < paths->count && good; i++) {
        throng_recording *earlier = throng_recording_open(paths->items[i], NULL);
        if (!earlier) continue; /* nothing is lost */
        throng_recording_close(earlier);
        good = keep(paths->items[i], told);
    }
    return good;
}

/* ------------------------------------------------------------------ opening */

static bool open_one(output_file *output, const char *path, const throng_recorder_def *def, const throng_world *world) {
    throng_error error = {0};
    output->path = path;
    output->recorder = throng_recorder_create(def, world, &error);
    if (output->recorder) return true;
    print_error(path, &error);
    return false;
}

text_list outputs_quantities(const text_list *record) {
    static const struct {
        const char *word, *meant;
    } words[] = {{"forces", "force,net_force,pressure,wall_force"}, {"space", "area,density"}};
    text_list names = {0};
    for (size_t i = 0; i < record->count; i++) {
        const char *list = record->items[i];
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!strcmp(list, words[k].word)) list = words[k].meant;
        for (const char *at = list; *at;) {
            size_t length = strcspn(at, ",");
            char *name = text_format("%.*s", (int)length, at);
            if (length) text_list_add(&names, name);
            free(name);
            at += length + (at[length] != 0);
        }
    }
    return names;
}

bool outputs_open(output_set *outputs, const text_list *paths, const throng_world *world, double fps,
                  const char *description, int sqlite_version, const text_list *quantities) {
    *outputs = (output_set){.fps = fps};
    if (paths->count) outputs->items = resize(NULL, paths->count * sizeof *outputs->items);
    for (size_t i = 0; i < paths->count; i++) {
        throng_recorder_def def = throng_default_recorder_def();
        def.path = paths->items[i];
        def.fps = fps;
        def.description = description;
        def.sqlite_version = sqlite_version;
        def.quantities = (const char *const *)quantities->items;
        def.quantity_count = quantities->count;
        outputs->items[i] = (output_file){0};
        if (open_one(&outputs->items[i], paths->items[i], &def, world)) {
            outputs->count++;
            continue;
        }
        /* Those before hold nothing yet. */
        for (size_t k = 0; k < outputs->count; k++) {
            throng_recorder_close(outputs->items[k].recorder, NULL);
            unlink(outputs->items[k].path);
        }
        outputs_free(outputs);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ writing */

/* Says how much of a recording that could not be written can be read. */
static void complain_incomplete(const output_set *outputs, output_file *output, const throng_error *error) {
    output->failed = true;
    print_error(output->path, error);
    throng_recording_def def = throng_default_recording_def();
    def.path = output->path;
    def.fps = outputs->fps; /* which some formats do not say */
    throng_recording *recording = throng_recording_open_with(&def, NULL);
    if (!recording) {
        complain("%s is incomplete: no frame of it can be read", output->path);
        return;
    }
    size_t frames = throng_recording_info_of(recording).frame_count;
    throng_recording_close(recording);
    complain("%s is incomplete: it holds the first %zu of %" PRIu64 " frames", output->path, frames, outputs->frames);
}

/* Gives a recording up; what it has stays readable. */
static bool close_one(output_set *outputs, output_file *output) {
    if (!output->recorder) return !output->failed;
    throng_error error = {0};
    output->walls_lost = !throng_recorder_keeps_ground(output->recorder);
    output->objects_lost = !throng_recorder_keeps_objects(output->recorder);
    bool whole = throng_recorder_close(output->recorder, &error);
    output->recorder = NULL;
    if (!whole) complain_incomplete(outputs, output, &error);
    return whole;
}

bool outputs_frame(output_set *outputs, const throng_world *world) {
    bool good = true;
    outputs->frames++;
    for (size_t i = 0; i < outputs->count; i++) {
        throng_error error = {0};
        good = throng_recorder_frame(outputs->items[i].recorder, world, &error) && good;
    }
    return good; /* closing says what happened */
}

double outputs_wait_ms(const output_set *outputs) {
    double wait_ms = 0;
    for (size_t i = 0; i < outputs->count; i++)
        if (outputs->items[i].recorder) wait_ms += throng_recorder_wait_ms(outputs->items[i].recorder);
    return wait_ms;
}

bool outputs_close(output_set *outputs, bool interrupted) {
    bool whole = true;
    for (size_t i = 0; interrupted && i < outputs->count; i++)
        if (outputs->items[i].recorder) throng_recorder_interrupt(outputs->items[i].recorder);
    for (size_t i = 0; i < outputs->count; i++) whole = close_one(outputs, &outputs->items[i]) && whole;
    return whole;
}

void outputs_free(output_set *outputs) {
    free(outputs->items);
    *outputs = (output_set){0};
}

/* ------------------------------------------------------------------ telling */

void outputs_print(const output_set *outputs) {
    for (size_t i = 0; i < outputs->count; i++) {
        const output_file *output = &outputs->items[i];
        struct stat file;
        if (output->failed || stat(output->path, &file)) continue;
        double size = (double)file.st_size;
        const char *unit = size < 1e6 ? "kB" : size < 1e9 ? "MB" : "GB";
        double amount = size < 1e6 ? size / 1e3 : size < 1e9 ? size / 1e6 : size / 1e9;
        fprintf(stderr, "  wrote %s: %" PRIu64 " frame%s at %g a second, %.1f %s%s%s\n", output->path, outputs->frames,
                outputs->frames == 1 ? "" : "s", outputs->fps, amount, unit,
                output->walls_lost ? "; the format keeps the place of the start only" : "",
                output->objects_lost ? "; the format has no place for things" : "");
    }
}
