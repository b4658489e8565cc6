/* convert.c: `throng convert`: a recording in another format. */

#include <stdio.h>
#include <string.h>

#include "messages.h"
#include "progress.h"
#include "verbs.h"

typedef struct convert_options {
    const char *from, *unit;
    optional_number fps;
    bool quiet;
} convert_options;

static bool read_unit(const char *text, double *metres) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i].name)) continue;
        *metres = units[i].metres;
        return true;
    }
    complain("convert --unit: expected m, cm or mm, found '%s'", text);
    return false;
}

typedef struct conversion {
    progress_line progress;
    double fps;
} conversion;

static bool show_progress(void *context, size_t frame, size_t frame_count) {
    (void)frame_count;
    conversion *shown = context;
    progress_update(&shown->progress, (double)frame / shown->fps, 0);
    return true;
}

static void print_outcome(const throng_convert_outcome *outcome, const char *path) {
    if (outcome->frame_step > 1)
        fprintf(stderr, "only one frame in %zu has anybody in it: those became frames 0, 1, 2 ... at %g a second\n",
                outcome->frame_step, outcome->fps);
    fprintf(stderr, "wrote %s: %zu frame%s at %g a second, %zu position%s\n", path, outcome->frame_count,
            outcome->frame_count == 1 ? "" : "s", outcome->fps, outcome->row_count, outcome->row_count == 1 ? "" : "s");
}

static int convert(const void *values, const text_list *operands) {
    const convert_options *options = values;
    const char *from = operands->items[0], *to = operands->items[1];
    throng_recording_def source = throng_default_recording_def();
    source.path = from;
    source.format = options->from;
    source.fps = options->fps.value;
    if (options->unit && !read_unit(options->unit, &source.metres_per_unit)) return STATUS_BAD_INPUT;

    throng_error error = {0};
    throng_recording *recording = throng_recording_open_with(&source, &error);
    if (!recording) {
        print_error(from, &error);
        return STATUS_BAD_INPUT;
    }
    throng_recording_info info = throng_recording_info_of(recording);
    conversion shown = {.fps = info.fps};
    progress_begin(&shown.progress, !options->quiet, (double)info.frame_count / info.fps);
    throng_convert_def def = throng_default_convert_def();
    def.path = to;
    def.progress = show_progress;
    def.context = &shown;
    throng_convert_outcome outcome = {0};
    bool written = throng_recording_convert(recording, &def, &outcome, &error);
    progress_clear(&shown.progress);
    throng_recording_close(recording);
    if (!written) {
        print_error(to, &error);
        return outcome.row_count ? STATUS_RUN_FAILED : STATUS_BAD_INPUT;
    }
    if (outcome.repeated_count)
        warn("%s: %zu position%s left out: the person is in the frame already", from, outcome.repeated_count,
             outcome.repeated_count == 1 ? "" : "s");
    if (!options->quiet) print_outcome(&outcome, to);
    return STATUS_DONE;
}

/* clang-format off */
static const option_row rows[] = {
    {"from", 0, OPTION_TEXT, "FORMAT", "what IN is, when its name does not say: sqlite, txt, throng,\neth (obsmat: frame, id, x, height, y, velocity)", offsetof(convert_options, from), 0, 0, false},
    {"fps", 0, OPTION_NUMBER, "N", "frames a second of a text that does not say", offsetof(convert_options, fps), 0, 0, true},
    {"unit", 0, OPTION_TEXT, "m|cm|mm", "unit of a text that does not say", offsetof(convert_options, unit), 0, 0, false},
    {"quiet", 'q', OPTION_FLAG, "", "say nothing but warnings", offsetof(convert_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_convert = {
    .name = "convert",
    .operands = "IN OUT [options]",
    .summary = "a recording in another format",
    .description =
        "Copies the recording IN to OUT. The formats follow the endings: .sqlite, .txt, .throng; a file named\n"
        "obsmat*.txt is taken as ETH's. OUT appears when it is whole.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 2,
    .operand_max = 2,
    .values_size = sizeof(convert_options),
    .run = convert,
};
