/* convert.c: `throng convert`: a recording in another format; plans go to convert_plan.c. */

#include <stdio.h>
#include <string.h>

#include "convert_plan.h"
#include "messages.h"
#include "progress.h"
#include "source.h"
#include "verbs.h"

typedef struct convert_options {
    source_options source;
    const char *to;
    optional_whole sqlite_version;
    bool quiet;
    plan_options plan;
} convert_options;

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
    if (operands->count == 3) {
        if (!strcmp(from, "plan")) return convert_plan(&options->plan, to, operands->items[2], options->quiet);
        complain("convert: expected IN OUT, or plan IN OUT; found three operands");
        return STATUS_BAD_INPUT;
    }
    throng_error error = {0};
    throng_recording *recording = source_open(&options->source, from);
    if (!recording) return STATUS_BAD_INPUT;
    throng_recording_info info = throng_recording_info_of(recording);
    conversion shown = {.fps = info.fps};
    progress_begin(&shown.progress, !options->quiet, 0, (double)info.frame_count / info.fps);
    throng_convert_def def = throng_default_convert_def();
    def.path = to;
    def.format = options->to;
    def.sqlite_version = (int)options->sqlite_version.value;
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
    if (outcome.rate_lost)
        warn("%s does not say its frame rate: whoever reads it must be told --fps %g", to, outcome.fps);
    if (outcome.ground_fixed) warn("%s has a place for one set of walls only: those of the start are kept", to);
    if (outcome.ground_lost) warn("%s has no place for the walls: they are left out", to);
    if (outcome.objects_lost) warn("%s has no place for things: they are left out", to);
    if (outcome.quantities_lost) warn("%s has no place for quantities besides motion: they are left out", to);
    if (outcome.repeated_count)
        warn("%s: %zu position%s left out: the person is in the frame already", from, outcome.repeated_count,
             outcome.repeated_count == 1 ? "" : "s");
    if (outcome.empty_count > outcome.frame_count / 2 && outcome.row_count)
        warn("%s: nobody is there from frame %zu to %zu, most of its time: is a frame number wrong?", from,
             outcome.empty_first, outcome.empty_first + outcome.empty_count - 1);
    if (!options->quiet) print_outcome(&outcome, to);
    return STATUS_DONE;
}

/* clang-format off */
static const option_row rows[] = {
    SOURCE_OPTION_ROWS(offsetof(convert_options, source)),
    {"to", 0, OPTION_TEXT, "FORMAT", "what OUT is to be, when its name does not say", offsetof(convert_options, to), 0, 0, false},
    {"sqlite-version", 0, OPTION_WHOLE, "2|3", "of JuPedSim's format (default: 2)", offsetof(convert_options, sqlite_version), 2, 3, false},
    {"metres-per-pixel", 0, OPTION_NUMBER, "M", "plan: size of a pixel of a picture", offsetof(convert_options, plan.metres_per_pixel), 0, 1000, true},
    {"threshold", 0, OPTION_NUMBER, "B", "plan: brightness below which a pixel is wall (default: 0.5)", offsetof(convert_options, plan.threshold), 0, 1, false},
    {"quiet", 'q', OPTION_FLAG, "", "say nothing but warnings", offsetof(convert_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_convert = {
    .name = "convert",
    .operands = "[plan] IN OUT [options]",
    .summary = "a recording in another format; others' plans and scenarios",
    .description =
        "Copies the recording IN to OUT. The formats follow the endings:\n"
        "  .sqlite  JuPedSim              .ndjson  TrajNet++\n"
        "  .txt     Juelich text          .xml     SUMO FCD\n"
        "  .h5      Ped. Data Archive     .csv     frame,id,pos_x,pos_y\n"
        "  .throng  compact               obsmat*.txt  ETH\n"
        "Read only: .csv of Pathfinder and crowd:it, .pp (Viswalk), .traj (Vadere). Texts are looked into, so\n"
        "that a wrong ending does no harm. OUT appears when it is whole.\n"
        "\n"
        "With the word 'plan', makes a scenario (OUT ends with .json) or a plan (.geojson, .wkt) of a scenario of\n"
        "Vadere (.scenario), JuPedSim (.json, .zip, a directory), crowd:it (.floor) or a plan (.wkt, .geojson, .dxf,\n"
        ".png). What cannot be said in OUT is told with its place.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 2,
    .operand_max = 3,
    .values_size = sizeof(convert_options),
    .run = convert,
};
