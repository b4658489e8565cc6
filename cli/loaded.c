/* loaded.c: see loaded.h. */

#include "loaded.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"

static bool know_model(const char *name) {
    if (throng_model_named(name)) return true;
    const char *names[64];
    size_t count = 0;
    for (; count < throng_model_count() && count < 64; count++)
        names[count] = throng_model_name(throng_model_at(count));
    const char *meant = throng_nearest_word(name, names, count);
    if (meant)
        complain("--model: unknown model '%s': did you mean '%s'?", name, meant);
    else
        complain("--model: unknown model '%s' ('throng models' lists them)", name);
    return false;
}

static void add_owned(text_list *list, char *text) {
    text_list_add(list, text);
    free(text);
}

/* The options as overrides of the file; those with a name of their own win over --set. */
static bool collect_overrides(const scenario_options *options, text_list *overrides) {
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
static bool is_there(const char *path) {
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

bool loaded_create(loaded_scenario *out, const char *path, const scenario_options *options, bool check, bool notes) {
    *out = (loaded_scenario){0};
    text_list overrides = {0};
    if (!is_there(path)) return false;
    if (!collect_overrides(options, &overrides)) {
        text_list_free(&overrides);
        return false;
    }
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.overrides = (const char *const *)overrides.items;
    def.override_count = overrides.count;
    throng_report *report = throng_report_create();
    out->scenario = throng_scenario_create(&def, report);
    if (out->scenario) {
        throng_run_def run = throng_default_run_def();
        if (options->threads.given) run.threads = (int)options->threads.value;
        run.simd = options->simd;
        run.check = check;
        out->name = name_of(path, out->scenario);
        out->world = throng_scenario_create_world(out->scenario, &run, report);
    }
    print_report(path, report, 0, notes);
    throng_report_destroy(report);
    text_list_free(&overrides);
    if (out->world) {
        loaded_tell(out, notes);
        return true;
    }
    loaded_free(out);
    return false;
}

void loaded_tell(loaded_scenario *loaded, bool notes) {
    const throng_report *report = throng_world_report(loaded->world);
    print_report(loaded->name, report, loaded->told, notes);
    loaded->told = throng_report_count(report);
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
