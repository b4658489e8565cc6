/* run.c: `throng run`: runs a scenario, records it and says how it went. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/halo.h>
#include <throng/throng.h>

#include "checkpoints.h"
#include "growing_measure.h"
#include "interrupt.h"
#include "loaded.h"
#include "messages.h"
#include "newfile.h"
#include "outputs.h"
#include "progress.h"
#include "ranks.h"
#include "stats.h"
#include "verbs.h"

typedef struct run_options {
    scenario_options scenario;
    text_list outputs;
    optional_whole every, sqlite_version;
    const char *stats, *measure;
    text_list record; /* besides motion: names of quantities */
    const char *checkpoint, *resume;
    optional_number checkpoint_every; /* s */
    bool no_check, quiet;
} run_options;

static const double checkpoint_every_s = 60; /* unless told */

/* What is written while it runs. */
typedef struct run_files {
    bool frames; /* are recorded, by this rank or another one */
    output_set outputs;
    growing_measure measure;
    checkpoint_file checkpoint;
} run_files;

/* ------------------------------------------------------------------ running */

/* Records a step in so many, unless told: about ten frames a second. */
static uint64_t steps_per_frame(const run_options *options, double dt) {
    if (options->every.given) return options->every.value;
    double steps = floor(0.1 / dt + 0.5);
    return steps < 1 ? 1 : (uint64_t)steps;
}

static bool record(run_files *files, throng_world *world, run_figures *figures) {
    if (!files->frames) return true;
    double begun = clock_s();
    throng_world_gather(world);
    bool good = growing_measure_frame(&files->measure, world);
    if (files->outputs.count) good = outputs_frame(&files->outputs, world) && good;
    quantity_figures_add(figures, world);
    figures->record_ms += 1e3 * (clock_s() - begun);
    return ranks_agree(good);
}

/* Steps until everybody has arrived, the time is up, or something stops it. A run that is resumed records the
 * frames that the whole run would have from there on. */
static run_end step_to_the_end(const loaded_scenario *loaded, run_files *files, uint64_t every, progress_line *progress,
                               run_figures *figures) {
    throng_world *world = loaded->world;
    uint64_t steps = loaded_steps(loaded);
    bool full = throng_scenario_runs_full(loaded->scenario);
    uint64_t begin = throng_world_raw_view(world).step;
    if (begin % every == 0 && !record(files, world, figures)) return RUN_FAILED;
    for (uint64_t step = begin + 1; step <= steps; step++) {
        if (!ranks_agree(!interrupted())) return RUN_INTERRUPTED;
        if (!full && throng_world_is_done(world)) return RUN_ARRIVED;
        throng_world_step(world);
        ranks_hold(world);
        step_times_add(&figures->times, throng_world_stats(world).step_ms);
        if (step % every == 0 && !record(files, world, figures)) return RUN_FAILED;
        checkpoints_update(&files->checkpoint, loaded);
        size_t people = ranks_are_several() ? throng_world_stats(world).active : throng_world_raw_view(world).count;
        progress_update(progress, throng_world_time(world), people);
    }
    return throng_world_is_done(world) ? RUN_ARRIVED : RUN_DURATION;
}

/* ------------------------------------------------------------------ the closing summary */

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void print_people(const throng_stats *stats) {
    uint64_t people = stats->initial + stats->spawned;
    const char *noun = people == 1 ? "person" : "people";
    double all_out = evacuation_s(stats);
    if (isfinite(all_out))
        fprintf(stderr, "  all %" PRIu64 " %s arrived, the last after %.1f s\n", people, noun, all_out);
    else
        fprintf(stderr, "  %" PRIu64 " of %" PRIu64 " %s arrived, %" PRIu64 " still on the way\n", stats->arrived,
                people, noun, stats->active);
    if (stats->due) fprintf(stderr, "  %" PRIu64 " more had to wait outside: no room where they come in\n", stats->due);
}

static void print_overlap(const throng_stats *stats, bool checked) {
    if (!checked)
        fprintf(stderr, "  overlap was not measured (--no-check)\n");
    else if (stats->pairs_max)
        fprintf(stderr,
                "  at worst %" PRIu64 " pair%s of people overlapped at once, the deepest by %.1f %% of their radii\n",
                stats->pairs_max, plural(stats->pairs_max), 100 * stats->deepest_fraction);
    else if (isfinite(stats->nearest_gap_m) && !stats->swept_pairs_max)
        fprintf(stderr, "  nobody overlapped; the smallest gap between two people was %.3f m\n", stats->nearest_gap_m);
    else
        fprintf(stderr, "  nobody overlapped at the end of a step\n");
    if (checked && stats->agent_wall_max_m > 0)
        fprintf(stderr, "  at worst somebody reached %.3f m into a wall\n", stats->agent_wall_max_m);
    if (stats->oddities)
        fprintf(stderr, "  %" PRIu64 " time%s a model gave somebody no finite position; it stayed where it was\n",
                stats->oddities, plural(stats->oddities));
}

static void print_summary(const loaded_scenario *loaded, const run_figures *figures, const output_set *outputs,
                          const checkpoint_file *checkpoint) {
    throng_stats stats = throng_world_stats(loaded->world);
    double time = throng_world_time(loaded->world);
    fprintf(stderr, "%s, model %s: %" PRIu64 " step%s, %.1f s of simulated time in %.2f s", loaded->name,
            throng_scenario_model(loaded->scenario), stats.steps, plural(stats.steps), time, figures->wall_s);
    double speed = figures->wall_s > 0 ? (time - loaded->begun_s) / figures->wall_s : 0;
    if (speed > 0) fprintf(stderr, " (%.*f times real time)", speed < 10 ? 2 : 0, speed);
    fputc('\n', stderr);
    if (loaded->resumed) fprintf(stderr, "  resumed at %.1f s\n", loaded->begun_s);
    print_people(&stats);
    print_overlap(&stats, figures->checked);
    outputs_print(outputs);
    checkpoints_print(checkpoint);
}

/* ------------------------------------------------------------------ the verb */

/* One line for the recording's own header. */
static char *describe(const loaded_scenario *loaded) {
    char from[60] = "";
    if (loaded->resumed) snprintf(from, sizeof from, ", resumed at %.9g s", loaded->begun_s);
    return text_format("%s, model %s, seed %" PRIu64 ", throng %s%s", loaded->name,
                       throng_scenario_model(loaded->scenario), throng_world_seed(loaded->world), throng_version(),
                       from);
}

/* Runs with everything open; closes the recordings. */
static run_figures run_and_record(loaded_scenario *loaded, const run_options *options, run_files *files, uint64_t every,
                                  const text_list *quantities) {
    run_figures figures = {.checked = !options->no_check};
    quantity_figures_begin(&figures, quantities);
    progress_line progress;
    progress_begin(&progress, !options->quiet, loaded->begun_s, throng_scenario_duration(loaded->scenario));
    double begun = clock_s();
    figures.end = step_to_the_end(loaded, files, every, &progress, &figures);
    throng_world_gather(loaded->world);
    progress_clear(&progress);
    loaded_tell(loaded, !options->quiet);
    figures.record_wait_ms = outputs_wait_ms(&files->outputs);
    if (!outputs_close(&files->outputs, figures.end == RUN_INTERRUPTED)) figures.end = RUN_FAILED;
    if (!growing_measure_close(&files->measure)) figures.end = RUN_FAILED;
    if (!checkpoints_finish(&files->checkpoint, loaded) && figures.end != RUN_INTERRUPTED) figures.end = RUN_FAILED;
    figures.checkpoint_count = files->checkpoint.written;
    figures.checkpoint_ms = files->checkpoint.spent_ms;
    figures.wall_s = clock_s() - begun;
    return figures;
}

static bool write_stats(const char *path, const loaded_scenario *loaded, const run_figures *figures) {
    newfile file;
    if (!newfile_open(&file, path)) return false;
    stats_write(file.file, loaded, figures);
    return newfile_finish(&file);
}

static bool writes_what_it_reads(const loaded_scenario *loaded, const run_options *options) {
    bool found = loaded_reads(loaded, options->stats) || loaded_reads(loaded, options->checkpoint) ||
                 loaded_reads(loaded, options->measure);
    for (size_t i = 0; i < options->outputs.count && !found; i++)
        found = loaded_reads(loaded, options->outputs.items[i]);
    return found;
}

/* Opens what is written while it runs. False after a complaint, and nothing is open. */
static bool open_files(run_files *files, const loaded_scenario *loaded, const run_options *options, double fps,
                       const text_list *quantities) {
    double every_s = options->checkpoint_every.given ? options->checkpoint_every.value : checkpoint_every_s;
    if (writes_what_it_reads(loaded, options)) return false;
    if (options->stats && !newfile_possible(options->stats)) return false;
    if (!checkpoints_begin(&files->checkpoint, options->checkpoint, every_s, loaded)) return false;
    if (options->measure && !newfile_possible(options->measure)) return false;
    if (loaded->resumed && !outputs_keep_earlier(&options->outputs, options->measure, !options->quiet)) return false;
    char *description = describe(loaded);
    bool open = outputs_open(&files->outputs, &options->outputs, loaded->world, fps, description,
                             (int)options->sqlite_version.value, quantities);
    free(description);
    if (!open || growing_measure_open(&files->measure, options->measure, loaded->world)) return open;
    outputs_close(&files->outputs, true);
    outputs_free(&files->outputs);
    return false;
}

static int run_loaded(loaded_scenario *loaded, const run_options *options, bool frames) {
    double dt = throng_world_dt(loaded->world);
    uint64_t every = steps_per_frame(options, dt);
    run_files files = {.frames = frames};
    text_list quantities = outputs_quantities(&options->record);
    if (!ranks_agree(open_files(&files, loaded, options, 1 / (dt * (double)every), &quantities))) {
        text_list_free(&quantities);
        return STATUS_BAD_INPUT;
    }

    run_figures figures = run_and_record(loaded, options, &files, every, &quantities);
    int status = figures.end == RUN_ARRIVED || figures.end == RUN_DURATION ? STATUS_DONE : STATUS_RUN_FAILED;
    if (figures.end == RUN_INTERRUPTED)
        complain("interrupted after %.1f s of simulated time; what was recorded is readable",
                 throng_world_time(loaded->world));
    if (!options->quiet) print_summary(loaded, &figures, &files.outputs, &files.checkpoint);
    if (options->stats && !write_stats(options->stats, loaded, &figures)) status = STATUS_RUN_FAILED;
    step_times_free(&figures.times);
    free(figures.quantities);
    text_list_free(&quantities);
    outputs_free(&files.outputs);
    return status;
}

static bool check_options(const run_options *options, const char *path) {
    if (!path && !options->resume) {
        complain("run: something is missing; usage: throng run %s", verb_run.operands);
        return false;
    }
    if (options->checkpoint_every.given && !options->checkpoint) {
        complain("run --checkpoint-every: say where to with --checkpoint FILE");
        return false;
    }
    if (options->record.count && !options->outputs.count) {
        complain("run --record: say where to with -o FILE.sqlite");
        return false;
    }
    if (options->record.count && ranks_are_several()) {
        complain("run --record: quantities besides motion are not gathered from several ranks yet");
        return false;
    }
    text_list written = {0};
    for (size_t i = 0; i < options->outputs.count; i++) text_list_add(&written, options->outputs.items[i]);
    if (options->measure && strcmp(options->measure, "-")) text_list_add(&written, options->measure);
    bool good = outputs_check_paths(&written, options->stats, options->checkpoint, path, options->resume);
    text_list_free(&written);
    return good;
}

/* What a rank does that is not the first: it writes nothing and says nothing. */
static run_options options_here(const run_options *options) {
    run_options here = *options;
    ranks_share_cores(&here.scenario);
    if (ranks_is_first()) return here;
    here.outputs = here.record = (text_list){0};
    here.measure = here.stats = NULL;
    here.quiet = true;
    return here;
}

static int run_here(const run_options *options, const char *path, bool frames) {
    bool check = !options->no_check, notes = !options->quiet;
    loaded_scenario loaded;
    interrupt_listen(true);
    progress_prepare(notes);
    bool ready = options->resume ? loaded_resume(&loaded, options->resume, path, &options->scenario, check, notes)
                                 : loaded_create(&loaded, path, &options->scenario, check, notes);
    interrupt_prepared();
    if (!ranks_agree(ready)) {
        if (ready) loaded_free(&loaded);
        return STATUS_BAD_INPUT;
    }
    int status = ranks_divide(loaded.world) ? run_loaded(&loaded, options, frames) : STATUS_BAD_INPUT;
    loaded_free(&loaded);
    return status;
}

static int run(const void *values, const text_list *operands) {
    const run_options *options = values;
    const char *path = operands->count ? operands->items[0] : NULL;
    if (!ranks_begin()) return STATUS_BAD_INPUT;
    int status = STATUS_BAD_INPUT;
    if (ranks_agree(check_options(options, path))) {
        run_options here = options_here(options);
        status = run_here(&here, path, options->outputs.count > 0 || options->measure);
    }
    ranks_end();
    return status;
}

/* clang-format off */
static const option_row rows[] = {
    {"output", 'o', OPTION_LIST, "FILE", "record to FILE (may be repeated); the ending says how:\n.sqlite (JuPedSim, PedPy), .txt (Juelich text),\n.h5 (Ped. Data Archive), .throng (compact),\n.ndjson (TrajNet++), .xml (SUMO), .csv", offsetof(run_options, outputs), 0, 0, false},
    {"every", 0, OPTION_WHOLE, "N", "record every N-th step (default: about 10 frames\na simulated second)", offsetof(run_options, every), 1, 1e9, false},
    {"sqlite-version", 0, OPTION_WHOLE, "2|3", "of JuPedSim's format (default: 2)", offsetof(run_options, sqlite_version), 2, 3, false},
    {"record", 0, OPTION_LIST, "NAME[,NAME]", "quantities besides motion: what 'throng models NAME' says\nthat it shows; forces and space stand for several;\nmay be repeated", offsetof(run_options, record), 0, 0, false},
    {"measure", 0, OPTION_TEXT, "FILE", "write figures as it goes, a row of CSV with each frame:\npeople, speed, density, overlaps, lines and areas;\nwith --resume what left and passed counts from then on", offsetof(run_options, measure), 0, 0, false},
    {"stats", 0, OPTION_TEXT, "FILE", "write figures about the run as JSON (- : standard output)", offsetof(run_options, stats), 0, 0, false},
    SCENARIO_OPTION_ROWS(offsetof(run_options, scenario)),
    {"no-check", 0, OPTION_FLAG, "", "do not measure overlap", offsetof(run_options, no_check), 0, 0, false},
    {"quiet", 'q', OPTION_FLAG, "", "no progress, no summary", offsetof(run_options, quiet), 0, 0, false},
    {"checkpoint", 0, OPTION_TEXT, "FILE", "keep in FILE what is needed to go on if the run is ended", offsetof(run_options, checkpoint), 0, 0, false},
    {"checkpoint-every", 0, OPTION_NUMBER, "S", "write it every S seconds of simulated time (default: 60)\nand at the end", offsetof(run_options, checkpoint_every), 0, 0, true},
    {"resume", 0, OPTION_TEXT, "FILE", "go on from the checkpoint FILE; SCENARIO may be left out", offsetof(run_options, resume), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_run = {
    .name = "run",
    .operands = "SCENARIO|--resume FILE [-o FILE]... [options]",
    .summary = "run a scenario and record it",
    .description =
        "Runs SCENARIO (a file, or the name of a built-in one) until its duration is over or everybody\n"
        "has arrived. Ctrl-C ends it after the step, and what was recorded stays readable.\n"
        "With --resume it goes on from a checkpoint, to the same result as if it had never ended.\n"
        "'mpirun -n N throng run ...' divides one crowd among N processes, to the same result (docs/cluster.md).\n"
        "Exit status: 0 done, 1 the run failed or was interrupted, 2 bad usage or bad input.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 0, /* with --resume */
    .operand_max = 1,
    .values_size = sizeof(run_options),
    .run = run,
};
