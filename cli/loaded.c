/* loaded.c: see loaded.h. */

#include "loaded.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "paths.h"

static bool know_model(const char *name) {
    if (throng_model_named(name)) return true;
    const char *names[64];
    size_t count = 0;
    for (; count < throng_model_count() && count < 64; count++)
        names[count] = throng_model_name(throng_model_at(count));
    const char *meant = throng_nearest_word(name, names, count);
    if (meant) complain("--model: unknown model '%s': did you mean '%s'?", name, meant);
    return !meant; /* the scenario reader says more */
}

static void add_owned(text_list *list, char *text) {
    text_list_add(list, text);
    free(text);
}

/* The options as overrides of the file; those with a name of their own win over --set. */
bool loaded_overrides(const scenario_options *options, text_list *overrides) {
    for (size_t i = 0; i < options->set.count; i++) {
        const char *item = options->set.items[i];
        const char *equals = strchr(item, '=');
        if (!equals || equals == item) {
            complain("--set: expected KEY=VALUE, found '%s'", item);
            return false;
        }
        text_list_add(overrides, item);
    }
    if (options->model && !know_model(options->model)) return false;
    if (options->model) add_owned(overrides, text_format("model.name=%s", options->model));
    if (options->seed.given) add_owned(overrides, text_format("seed=%" PRIu64, options->seed.value));
    if (options->dt.given) add_owned(overrides, text_format("dt=%.17g", options->dt.value));
    if (options->duration.given) add_owned(overrides, text_format("duration=%.17g", options->duration.value));
    return true;
}

static const char *name_of(const char *path, const throng_scenario *scenario) {
    for (size_t i = 0; i < throng_builtin_count(); i++)
        if (!strcmp(throng_builtin_name(i), path)) return throng_builtin_name(i);
    return throng_scenario_name(scenario);
}

/* A name that is neither a file nor a built-in scenario is most often mistyped. */
bool loaded_is_there(const char *path) {
    size_t count = throng_builtin_count();
    const char **names = resize(NULL, count * sizeof *names);
    bool there = access(path, F_OK) == 0;
    for (size_t i = 0; i < count; i++) {
        names[i] = throng_builtin_name(i);
        there = there || !strcmp(names[i], path);
    }
    const char *meant = there ? NULL : throng_nearest_word(path, names, count);
    if (meant)
        complain("no file and no built-in scenario '%s': did you mean '%s'?", path, meant);
    else if (!there)
        complain("no file and no built-in scenario '%s' ('throng scenarios' lists them)", path);
    free(names);
    return there;
}

/* Puts everybody of the scenario in place. */
static void make_world(loaded_scenario *out, const scenario_options *options, bool check, throng_report *report) {
    throng_run_def run = throng_default_run_def();
    if (options->threads.given) run.threads = (int)options->threads.value;
    run.simd = options->simd;
    run.check = check;
    out->world = throng_scenario_create_world(out->scenario, &run, report);
}

/* Tells what was found; frees what there is when there is no world. */
static bool finish(loaded_scenario *out, const char *path, const throng_report *report, bool notes) {
    print_report(path, report, 0, notes);
    if (!out->world) loaded_free(out);
    return out->world != NULL;
}

bool loaded_create_reporting(loaded_scenario *out, const char *path, const scenario_options *options, bool check,
                             bool notes, throng_report *report) {
    *out = (loaded_scenario){0};
    text_list overrides = {0};
    if (!loaded_is_there(path)) return false;
    if (!loaded_overrides(options, &overrides)) {
        text_list_free(&overrides);
        return false;
    }
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.overrides = (const char *const *)overrides.items;
    def.override_count = overrides.count;
    out->scenario = throng_scenario_create(&def, report);
    if (out->scenario) {
        out->name = name_of(path, out->scenario);
        make_world(out, options, check, report);
    }
    text_list_free(&overrides);
    if (!finish(out, path, report, notes)) return false;
    loaded_tell(out, notes);
    return true;
}

bool loaded_create(loaded_scenario *out, const char *path, const scenario_options *options, bool check, bool notes) {
    throng_report *report = throng_report_create();
    bool loaded = loaded_create_reporting(out, path, options, check, notes, report);
    throng_report_destroy(report);
    return loaded;
}

throng_sketch *loaded_sketch(const char *path, const scenario_options *options) {
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.overrides = (const char *const *)options->set.items;
    def.override_count = options->set.count;
    throng_report *told = throng_report_create();
    throng_sketch *sketch = throng_sketch_create(&def, told);
    throng_report_destroy(told);
    return sketch;
}

/* ------------------------------------------------------------------ resuming */

/* What a checkpoint has fixed. */
static bool leaves_alone(const scenario_options *options) {
    const char *changed = options->model        ? "--model"
                          : options->set.count  ? "--set"
                          : options->seed.given ? "--seed"
                          : options->dt.given   ? "--dt"
                                                : NULL;
    if (changed) complain("run %s: a run that is resumed cannot be changed; start a new one without --resume", changed);
    return !changed;
}

static bool is_same_text(const char *path, const char *text) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        for (size_t i = 0; i < throng_builtin_count(); i++)
            if (!strcmp(throng_builtin_name(i), path)) return !strcmp(throng_builtin_text(i), text);
        return false;
    }
    int byte;
    while ((byte = fgetc(file)) != EOF && byte == (unsigned char)*text && *text) text++;
    bool same = byte == EOF && !*text && !ferror(file);
    fclose(file);
    return same;
}

/* Whether the scenario a user names is the one that the checkpoint holds. */
static bool is_same_scenario(const char *path, const char *checkpoint_path, const throng_checkpoint_info *info) {
    if (!path) return true;
    if (!loaded_is_there(path)) return false;
    if (is_same_text(path, info->scenario_text)) return true;
    complain("%s is not the scenario of the checkpoint %s, which is that of %s (leave it out to go on)", path,
             checkpoint_path, *info->scenario_path ? info->scenario_path : "a program");
    return false;
}

static bool bring_back(loaded_scenario *out, const char *path, const throng_checkpoint *checkpoint) {
    throng_error error = {0};
    if (throng_world_load(out->world, checkpoint, &error)) return true;
    print_error(path, &error);
    return false;
}

bool loaded_resume(loaded_scenario *out, const char *checkpoint_path, const char *path, const scenario_options *options,
                   bool check, bool notes) {
    *out = (loaded_scenario){0};
    if (!leaves_alone(options)) return false;
    throng_error error = {0};
    throng_checkpoint *checkpoint = throng_checkpoint_read(checkpoint_path, &error);
    if (!checkpoint) {
        print_error(checkpoint_path, &error);
        return false;
    }
    throng_checkpoint_info info = throng_checkpoint_info_of(checkpoint);
    bool good = is_same_scenario(path, checkpoint_path, &info);
    text_list overrides = {0};
    if (good && loaded_overrides(options, &overrides)) {
        throng_report *report = throng_report_create();
        out->scenario =
            throng_checkpoint_scenario(checkpoint, (const char *const *)overrides.items, overrides.count, report);
        if (out->scenario) {
            out->name = name_of(info.scenario_path, out->scenario);
            out->resumed = true;
            out->begun_s = info.time;
            make_world(out, options, check, report);
        }
        good = finish(out, checkpoint_path, report, notes) && bring_back(out, checkpoint_path, checkpoint);
        throng_report_destroy(report);
    }
    text_list_free(&overrides);
    throng_checkpoint_destroy(checkpoint);
    if (!good) loaded_free(out);
    return good;
}

void loaded_tell(loaded_scenario *loaded, bool notes) {
    const throng_report *report = throng_world_report(loaded->world);
    print_report(loaded->name, report, loaded->told, notes);
    loaded->told = throng_report_count(report);
}

bool loaded_reads(const loaded_scenario *loaded, const char *path) {
    size_t count = loaded->scenario ? throng_scenario_file_count(loaded->scenario) : 0;
    for (size_t i = 0; path && i < count; i++) {
        if (!same_file(path, throng_scenario_file(loaded->scenario, i))) continue;
        complain("%s is a file that the scenario reads; write somewhere else", path);
        return true;
    }
    return false;
}

void loaded_free(loaded_scenario *loaded) {
    throng_world_destroy(loaded->world);
    throng_scenario_destroy(loaded->scenario);
    loaded->world = NULL;
    loaded->scenario = NULL;
}

uint64_t loaded_steps(const loaded_scenario *loaded) {
    /* A duration of 2 s at dt 0.1 s is 20 steps, although 2 / 0.1 may not be a whole number. */
    double steps = ceil(throng_scenario_duration(loaded->scenario) / throng_world_dt(loaded->world) - 1e-6);
    return steps < 1e15 ? (uint64_t)steps : (uint64_t)1e15;
}
