/* study.c: see study.h. */

#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "loaded.h"
#include "messages.h"
#include "paths.h"
#include "progress.h"

static const size_t scenario_most = (size_t)1 << 30; /* bytes */

/* ------------------------------------------------------------------ the scenario */

/* FNV-1a, begun with a hash of what comes before. */
static uint64_t hash_of(uint64_t hash, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    return hash;
}

static const char *builtin_text(const char *path) {
    for (size_t i = 0; i < throng_builtin_count(); i++)
        if (!strcmp(throng_builtin_name(i), path)) return throng_builtin_text(i);
    return NULL;
}

/* A file is read once, so that all runs are of the same text whatever becomes of it. */
static bool read_scenario(study *s) {
    if (!loaded_is_there(s->path)) return false;
    size_t length;
    s->text = file_bytes(s->path, scenario_most, &length);
    const char *builtin = s->text ? NULL : builtin_text(s->path);
    if (!s->text && !builtin) {
        complain("cannot read %s", s->path);
        return false;
    }
    const uint64_t begin = 0xCBF29CE484222325u;
    s->hash = builtin ? hash_of(begin, builtin, strlen(builtin)) : hash_of(begin, s->text, length);
    return true;
}

trial_def study_trial(const study *s, const text_list *overrides) {
    trial_def def = {.scenario = throng_default_scenario_def()};
    def.scenario.path = s->path;
    def.scenario.text = s->text;
    def.scenario.overrides = (const char *const *)overrides->items;
    def.scenario.override_count = overrides->count;
    def.few = s->options->few;
    def.threads = s->options->threads.given ? (int)s->options->threads.value : 1;
    return def;
}

/* Plans and maps that the scenario refers to belong to it. */
static void hash_files(study *s) {
    text_list overrides = design_overrides(&s->design, 0);
    trial_def def = study_trial(s, &overrides);
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(&def.scenario, report);
    for (size_t i = 0; scenario && i < throng_scenario_file_count(scenario); i++) {
        size_t length;
        char *bytes = file_bytes(throng_scenario_file(scenario, i), scenario_most, &length);
        if (bytes) s->hash = hash_of(s->hash, bytes, length);
        free(bytes);
    }
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    text_list_free(&overrides);
}

/* ------------------------------------------------------------------ trying it */

/* Adds figures that are not known by name yet; those of the machine's time stay last. */
static void add_names(study *s, const trial *tried) {
    trial known = {.figures = s->names, .figure_count = s->name_count};
    for (size_t i = 0; i < tried->figure_count; i++) {
        const trial_figure *f = &tried->figures[i];
        bool there = false;
        for (size_t k = 0; k < s->name_count && !there; k++) there = !strcmp(s->names[k].name, f->name);
        if (there) continue;
        trial_add(&known, f->unit, NAN, "%s", f->name);
        s->names = known.figures;
        s->name_count = known.figure_count;
        s->names[s->name_count - 1].is_time = f->is_time;
        for (size_t k = s->name_count - 1; !f->is_time && k > 0 && s->names[k - 1].is_time; k--) {
            trial_figure moved = s->names[k];
            s->names[k] = s->names[k - 1];
            s->names[k - 1] = moved;
        }
    }
}

static bool try_overrides(study *s, const text_list *overrides, bool warns) {
    trial_def def = study_trial(s, overrides);
    trial tried;
    trial_prepare(&def, &tried);
    bool good = !tried.error;
    if (good && !s->model) s->model = text_format("%s", tried.model);
    if (good) add_names(s, &tried);
    if (!good && warns) warn("%s: %s; such runs become rows with their error", s->path, tried.error);
    if (!good && !warns) complain("%s: %s", s->path, tried.error);
    trial_free(&tried);
    return good || warns;
}

/* A word that is wrong is a slip; a number may be more than there is room for, which is worth knowing as well. */
static bool try_values(study *s, size_t axis) {
    const design_axis *a = &s->design.axes[axis];
    for (size_t i = 1; i < a->values.count; i++) {
        double number;
        bool is_number = read_number(a->values.items[i], &number);
        if (is_number && i + 1 < a->values.count) continue;
        text_list overrides = design_overrides(&s->design, 0);
        size_t at = axis + (s->design.models.count > 0);
        free(overrides.items[at]);
        overrides.items[at] = text_format("%s=%s", a->key, a->values.items[i]);
        bool good = try_overrides(s, &overrides, is_number);
        text_list_free(&overrides);
        if (!good) return false;
    }
    return true;
}

/* The first run of each model. */
static bool try_models(study *s) {
    size_t models = s->design.models.count ? s->design.models.count : 1;
    for (size_t i = 0; i < models; i++) {
        text_list overrides = design_overrides(&s->design, i * (s->design.run_count / models));
        bool good = try_overrides(s, &overrides, false);
        text_list_free(&overrides);
        if (!good) return false;
    }
    return true;
}

bool study_create(study *out, const char *path, const study_options *options) {
    *out = (study){.options = options, .path = path};
    design_options wanted = {options->set,         options->models,
                             options->seeds,       options->table,
                             options->latin.value, options->latin_seed.given ? options->latin_seed.value : 1};
    if (!design_create(&out->design, &wanted) || !read_scenario(out) || !try_models(out)) return false;
    for (size_t i = 0; i < out->design.axis_count; i++)
        if (!try_values(out, i)) return false;
    hash_files(out);
    return true;
}

void study_free(study *s) {
    design_free(&s->design);
    trial names = {.figures = s->names, .figure_count = s->name_count};
    trial_free(&names);
    free(s->text);
    free(s->model);
}

/* ------------------------------------------------------------------ running it */

typedef struct study_state {
    const study *study;
    study_work *work;
    double *values;
    size_t ended;
    progress_line progress;
} study_state;

/* In a worker. */
static char *work_on(void *context, uint64_t run, size_t *length) {
    const study_state *state = context;
    const study *s = state->study;
    text_list overrides = design_overrides(&s->design, run);
    trial_def def = study_trial(s, &overrides);
    trial done;
    trial_run(&def, &done);
    char *bytes = trial_pack(&done, s->names, s->name_count, length);
    trial_free(&done);
    text_list_free(&overrides);
    return bytes;
}

static void hand_on(study_state *state, uint64_t run, trial *done) {
    state->ended++;
    state->work->failed += done->error != NULL;
    state->work->result(state->work->context, (size_t)run, done, state->values);
    trial_free(done);
}

static void take_failure(void *context, uint64_t run, const char *why) {
    study_state *state = context;
    trial failed = {.error = text_format("%s", why)};
    for (size_t i = 0; i < state->study->name_count; i++) state->values[i] = NAN;
    hand_on(state, run, &failed);
}

static void take_result(void *context, uint64_t run, const char *bytes, size_t length) {
    study_state *state = context;
    trial done;
    if (trial_unpack(&done, state->values, state->study->name_count, bytes, length))
        hand_on(state, run, &done);
    else
        take_failure(context, run, "its result was not understood");
}

static bool tick(void *context) {
    study_state *state = context;
    char what[60] = "runs";
    if (state->work->failed) snprintf(what, sizeof what, "runs, %zu failed", state->work->failed);
    progress_count(&state->progress, state->work->before + state->ended, what);
    return !state->work->tick || state->work->tick(state->work->context);
}

workers_end study_run(const study *s, study_work *work) {
    study_state state = {.study = s, .work = work, .values = resize(NULL, s->name_count * sizeof(double))};
    size_t jobs = s->options->jobs.given ? (size_t)s->options->jobs.value : workers_usual();
    workers_def def = {.jobs = jobs < work->run_count ? jobs : work->run_count,
                       .tasks = work->runs,
                       .task_count = work->run_count,
                       .timeout_s = s->options->timeout.value,
                       .context = &state,
                       .work = work_on,
                       .done = take_result,
                       .failed = take_failure,
                       .tick = tick};
    progress_begin(&state.progress, !s->options->quiet, (double)work->before, (double)work->all);
    interrupt_listen(false);
    workers_end end = workers_run(&def);
    progress_clear(&state.progress);
    free(state.values);
    return end;
}
