/* compare_strip.c: pictures of all variants at the same moments, made by workers, as anything that runs a scenario. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "loaded.h"
#include "picture.h"

enum { PICTURE_WIDTH = 360 };

/* ------------------------------------------------------------------ in a worker */

/* In the open a picture shows what it showed at the start, so that all have the same scale. */
static picture_bytes draw_world(const loaded_scenario *loaded, throng_box *shown, bool first) {
    crowd_scene scene;
    scene_from_world(&scene, *loaded);
    if (first) *shown = scene.bounds;
    scene.bounds = *shown;
    picture_style style = {.width = PICTURE_WIDTH, .people = COLOUR_SPEED, .plain = true};
    style.least.full_speed = 1.6; /* m/s, the same for all */
    picture_bytes picture = {0};
    FILE *file = open_memstream(&picture.bytes, &picture.length);
    bool good = file && picture_write_png(&scene, &style, file);
    if (file) fclose(file);
    if (!good) picture.length = 0;
    scene.loaded = (loaded_scenario){0}; /* it goes on */
    scene_free(&scene);
    return picture;
}

static void step_to(const loaded_scenario *loaded, double time) {
    throng_world *world = loaded->world;
    double last = fmin(time, throng_scenario_duration(loaded->scenario)), dt = throng_world_dt(world);
    bool full = throng_scenario_runs_full(loaded->scenario);
    while (throng_world_time(world) < last - dt / 2 && (full || !throng_world_is_done(world))) throng_world_step(world);
}

/* Lengths of all pictures, then the pictures. */
static char *draw_variant(void *context, uint64_t task, size_t *length) {
    const comparison *c = context;
    text_list overrides = design_overrides(&c->study->design, (size_t)task * c->seed_count);
    trial_def def = study_trial(c->study, &overrides);
    throng_report *report = throng_report_create();
    loaded_scenario loaded = {.scenario = throng_scenario_create(&def.scenario, report), .name = ""};
    throng_run_def run = throng_default_run_def();
    run.threads = def.threads;
    if (loaded.scenario) loaded.world = throng_scenario_create_world(loaded.scenario, &run, report);
    picture_bytes pictures[COMPARE_MOMENTS] = {0};
    size_t lengths[COMPARE_MOMENTS] = {0};
    throng_box shown = {0};
    *length = sizeof lengths;
    for (size_t m = 0; m < COMPARE_MOMENTS && loaded.world; m++) {
        if (m == 0) free(draw_world(&loaded, &shown, true).bytes);
        step_to(&loaded, c->moments[m]);
        pictures[m] = draw_world(&loaded, &shown, false);
        lengths[m] = pictures[m].length;
        *length += lengths[m];
    }
    char *bytes = resize(NULL, *length), *at = bytes + sizeof lengths;
    memcpy(bytes, lengths, sizeof lengths);
    for (size_t m = 0; m < COMPARE_MOMENTS; m++) {
        if (lengths[m]) memcpy(at, pictures[m].bytes, lengths[m]);
        at += lengths[m];
        free(pictures[m].bytes);
    }
    loaded_free(&loaded);
    throng_report_destroy(report);
    text_list_free(&overrides);
    return bytes;
}

/* ------------------------------------------------------------------ here */

static void take_pictures(void *context, uint64_t task, const char *bytes, size_t length) {
    comparison *c = context;
    size_t lengths[COMPARE_MOMENTS], at = sizeof lengths;
    if (length < sizeof lengths) return;
    memcpy(lengths, bytes, sizeof lengths);
    for (size_t m = 0; m < COMPARE_MOMENTS && at + lengths[m] <= length; m++) {
        picture_bytes *to = &c->variants[task].pictures[m];
        *to = (picture_bytes){resize(NULL, lengths[m]), lengths[m]};
        memcpy(to->bytes, bytes + at, lengths[m]);
        at += lengths[m];
    }
}

/* A variant without pictures has failed before, and that is told. */
static void forget(void *context, uint64_t task, const char *why) { (void)context, (void)task, (void)why; }

static bool go_on(void *context) { return context != NULL; }

workers_end compare_draw(comparison *c) {
    uint64_t *tasks = resize(NULL, c->variant_count * sizeof *tasks);
    for (size_t i = 0; i < c->variant_count; i++) tasks[i] = i;
    const study_options *options = c->study->options;
    size_t jobs = options->jobs.given ? (size_t)options->jobs.value : workers_usual();
    workers_def def = {.jobs = jobs < c->variant_count ? jobs : c->variant_count,
                       .tasks = tasks,
                       .task_count = c->variant_count,
                       .timeout_s = options->timeout.value,
                       .context = c,
                       .work = draw_variant,
                       .done = take_pictures,
                       .failed = forget,
                       .tick = go_on};
    workers_end end = workers_run(&def);
    free(tasks);
    return end;
}
