/* export.c: `throng export`: one HTML file that plays a run anywhere, without Throng and without a network: the page of
 * `throng view` with the scene, the charts and the frames inside. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "enclosure.h"
#include "messages.h"
#include "models.h"
#include "newfile.h"
#include "progress.h"
#include "verbs.h"

typedef struct export_options {
    scenario_options scenario;
    source_options source;
    const char *output;
    optional_number rate;
    text_list record; /* quantities besides those of overlays */
    bool live, quiet;
} export_options;

static const double usual_rate = 10; /* frames a second, between which the page moves people evenly */

/* A run on its way into the page; one of live and replay is there. */
typedef struct exporting {
    view_live *live;
    view_replay *replay;
    text_list overrides; /* of the scenario */
    const char *name;
    enclosure *into;
    export_overlays *overlays;
    view_frame frame;
    char *charts; /* rows so far, with commas */
    size_t charts_length, frames;
    progress_line progress;
} exporting;

/* ------------------------------------------------------------------ pieces */

static void add_object(exporting *x, const char *key, const char *value, size_t length) {
    char *text = text_format("{\"%s\":%.*s}", key, (int)length, value);
    enclosure_add_text(x->into, text, strlen(text));
    free(text);
}

static void add_scene(exporting *x) {
    blob *scene = x->live ? live_scene(x->live, 0) : replay_scene(x->replay, 0, x->name);
    add_object(x, "scene", (const char *)scene->bytes, scene->length);
    blob_drop(scene);
    overlays_add_ways(x->overlays, x->into);
}

static void add_models(exporting *x) {
    text_maker t;
    text_maker_open(&t);
    models_write(t.json.file, NULL);
    blob *models = text_maker_end(&t);
    add_object(x, "models", (const char *)models->bytes, models->length);
    blob_drop(models);
}

/* Takes over the row. */
static void keep_chart(exporting *x, char *row) {
    if (!row) return;
    size_t length = strlen(row);
    x->charts = resize(x->charts, x->charts_length + length + 2);
    if (x->charts_length) x->charts[x->charts_length++] = ',';
    memcpy(x->charts + x->charts_length, row, length);
    x->charts_length += length;
    free(row);
}

static void add_charts(exporting *x) {
    char *rows = text_format("[%.*s]", (int)x->charts_length, x->charts ? x->charts : "");
    add_object(x, "charts", rows, strlen(rows));
    free(rows);
}

static void add_frame(exporting *x) {
    view_frame next = x->live ? live_frame(x->live, &x->frame) : replay_frame(x->replay, &x->frame);
    if (x->live ? live_scene_changed(x->live) : replay_scene_changed(x->replay)) add_scene(x);
    frame_drop(&x->frame);
    x->frame = next;
    enclosure_add_frame(x->into, &x->frame);
    overlays_add_frame(x->overlays, x->into);
    x->frames++;
    progress_update(&x->progress, x->frame.time, x->frame.count);
}

/* ------------------------------------------------------------------ both kinds of runs */

static void export_live(exporting *x, double rate) {
    double due = 0, half = throng_world_dt(live_world(x->live)) / 2;
    for (;;) {
        double time = throng_world_time(live_world(x->live));
        bool over = live_is_over(x->live);
        if (time >= due - half || over) {
            add_frame(x);
            due += 1 / rate;
        }
        keep_chart(x, live_chart(x->live, 0));
        if (over) return;
        live_step(x->live);
    }
}

static void export_replay(exporting *x, double rate) {
    throng_recording_info info = replay_info(x->replay);
    double end = info.frame_count ? (double)(info.frame_count - 1) / info.fps : 0;
    double step = 1 / fmin(rate, info.fps);
    bool more = true;
    for (size_t k = 0; (double)k * step <= end + step / 2; k++) {
        if (replay_go(x->replay, fmin(end, (double)k * step)) || k == 0) add_frame(x);
    }
    while (more) keep_chart(x, replay_chart(x->replay, 0, &more));
}

static bool open_run(exporting *x, const export_options *options, const char *path) {
    if (is_recording(path) || source_given(&options->source)) {
        throng_error error = {0};
        x->replay = replay_open(path, &options->source, &error);
        if (!x->replay) print_error(path, &error);
        return x->replay;
    }
    throng_report *report = throng_report_create();
    if (loaded_is_there(path) && loaded_overrides(&options->scenario, &x->overrides)) {
        live_def def = {path, NULL, (const char *const *)x->overrides.items, x->overrides.count};
        x->live = live_open(&def, &options->scenario, report);
        print_report(path, report, 0, false);
    }
    throng_report_destroy(report);
    return x->live;
}

static void export_run(exporting *x, double rate, bool quiet) {
    throng_recording_info info = x->live ? (throng_recording_info){0} : replay_info(x->replay);
    double end = x->live ? x->live->until : (double)info.frame_count / info.fps;
    progress_begin(&x->progress, !quiet, 0, end);
    add_models(x);
    add_scene(x);
    if (x->live)
        export_live(x, rate);
    else
        export_replay(x, rate);
    add_charts(x);
    progress_clear(&x->progress);
}

/* ------------------------------------------------------------------ the verb */

static int write_page(exporting *x, const export_options *options) {
    newfile out;
    x->overlays = overlays_choose(x->live, x->replay, &options->record);
    if (!x->overlays) return STATUS_BAD_INPUT;
    if (!newfile_open(&out, options->output)) return STATUS_BAD_INPUT;
    x->into = enclosure_begin(out.file);
    if (!x->into) {
        newfile_discard(&out);
        return STATUS_RUN_FAILED;
    }
    export_run(x, options->rate.given ? options->rate.value : usual_rate, options->quiet);
    enclosure_end(x->into);
    long size = ftell(out.file);
    if (!newfile_finish(&out)) return STATUS_RUN_FAILED;
    if (!options->quiet)
        fprintf(stderr, "wrote %s: %zu frames, %.1f s, %.2f MB; open it in a browser\n", options->output, x->frames,
                x->frame.time, (double)size / 1e6);
    return STATUS_DONE;
}

/* A run that is recorded in the page, or one that the page simulates. */
static int write_either(exporting *x, const export_options *options) {
    if (!options->live) return write_page(x, options);
    if (x->live) return export_alone(x->live, x->name, &x->overrides, options->output, options->quiet);
    complain("export --live: %s is a recording, which there is nothing to simulate of: export it without --live",
             x->name);
    return STATUS_BAD_INPUT;
}

static int export(const void *values, const text_list *operands) {
    const export_options *options = values;
    if (!options->output || !(text_ends_with(options->output, ".html") || !strcmp(options->output, "-"))) {
        complain("export: where to? -o FILE.html");
        return STATUS_BAD_INPUT;
    }
    if (!newfile_possible(options->output)) return STATUS_BAD_INPUT;
    exporting x = {.name = operands->items[0]};
    int status = open_run(&x, options, x.name) ? write_either(&x, options) : STATUS_BAD_INPUT;
    text_list_free(&x.overrides);
    overlays_free(x.overlays);
    frame_drop(&x.frame);
    live_close(x.live);
    replay_close(x.replay);
    free(x.charts);
    return status;
}

/* clang-format off */
static const option_row rows[] = {
    {"output", 'o', OPTION_TEXT, "FILE", "the page: .html", offsetof(export_options, output), 0, 0, false},
    {"rate", 0, OPTION_NUMBER, "N", "frames a second of the run that are kept (default: 10);\nthe page moves people evenly in between", offsetof(export_options, rate), 0, 1000, true},
    {"record", 0, OPTION_LIST, "NAME[,NAME]", "further quantities to colour people by, as of 'throng run';\nthose of overlays are in it anyway, and of a recording all", offsetof(export_options, record), 0, 0, false},
    {"live", 0, OPTION_FLAG, "", "no recording: the file simulates the scenario by itself, and can be\nsteered (needs `make web`)", offsetof(export_options, live), 0, 0, false},
    SCENARIO_OPTION_ROWS(offsetof(export_options, scenario)),
    SOURCE_OPTION_ROWS(offsetof(export_options, source)),
    {"quiet", 'q', OPTION_FLAG, "", "say nothing", offsetof(export_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_export = {
    .name = "export",
    .operands = "SCENARIO|FILE -o FILE.html [options]",
    .summary = "one file that plays a run in any browser",
    .description =
        "Runs a scenario, or reads a recording (whatever `throng convert` reads), and writes one HTML file that shows\n"
        "it: with the page of `throng view`, charts, maps and overlays, to be mailed or put on a web server. It needs "
        "neither\n"
        "Throng nor a network. With --live the page simulates the scenario itself, as `throng view` would.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_size = sizeof(export_options),
    .run = export,
};
