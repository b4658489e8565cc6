/* sweep.c: `throng sweep`: a scenario with many values, models and seeds; one table of all results. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "newfile.h"
#include "paths.h"
#include "study.h"
#include "sweep_script.h"
#include "sweep_table.h"
#include "verbs.h"

typedef struct sweep_options {
    study_options study;
    const char *output, *csv, *part, *slurm;
    optional_whole only, parts;
    bool list, merge, anew, retry;
} sweep_options;

static const uint64_t slurm_parts = 1000; /* of an array, unless told; Slurm itself allows 1001 unless told */

/* ------------------------------------------------------------------ which runs */

typedef struct run_list {
    uint64_t *items;
    size_t count;
} run_list;

/* "3/10": of ten parts that with the runs 3, 13, 23, ... */
static bool read_part(const char *text, uint64_t *part, uint64_t *parts) {
    const char *slash = strchr(text, '/');
    char *first = slash ? text_format("%.*s", (int)(slash - text), text) : NULL;
    bool good = first && read_whole(first, part) && read_whole(slash + 1, parts) && *part < *parts;
    free(first);
    if (!good) complain("sweep --part: expected I/N with I from 0 to N - 1, as in 0/10, found '%s'", text);
    return good;
}

/* Those asked for; false after a complaint. */
static bool choose_runs(run_list *out, const sweep_options *options, size_t all) {
    uint64_t first = 0, step = 1;
    *out = (run_list){resize(NULL, all * sizeof *out->items), 0};
    if (options->part && !read_part(options->part, &first, &step)) return false;
    if (options->only.given && options->only.value >= all) {
        complain("sweep --only: there are runs 0 to %zu, no %" PRIu64, all - 1, options->only.value);
        return false;
    }
    if (options->only.given)
        out->items[out->count++] = options->only.value;
    else
        for (uint64_t run = first; run < all; run += step) out->items[out->count++] = run;
    return true;
}

/* Leaves out what is in the table; returns how many that are. */
static size_t leave_out_done(run_list *runs, sweep_table *table, size_t all, bool retry) {
    size_t kept = 0, before = runs->count;
    bool *there = sweep_table_runs(table, all, !retry);
    for (size_t i = 0; i < runs->count; i++)
        if (!there[runs->items[i]]) runs->items[kept++] = runs->items[i];
    free(there);
    runs->count = kept;
    return before - kept;
}

/* ------------------------------------------------------------------ running them */

typedef struct sweep_state {
    const study *study;
    sweep_table *table;
} sweep_state;

static void add_row(void *context, size_t run, const trial *done, const double *values) {
    sweep_state *state = context;
    sweep_table_add(state->table, state->study, run, done, values);
}

static bool keep_rows(void *context) { return sweep_table_keep_now_and_then(((sweep_state *)context)->table); }

static void print_summary(const sweep_count *c, const sweep_options *options, bool finished) {
    const char *where = options->output ? options->output : options->csv;
    fprintf(stderr, "%zu of %zu runs are in %s", c->rows, c->all, where);
    if (c->failed) fprintf(stderr, ", %zu of them failed", c->failed);
    fprintf(stderr, "%s\n", finished || !options->output ? "" : "; the same command goes on with the others");
    if (c->first_error) fprintf(stderr, "  %s\n", c->first_error);
}

/* Says what is in the table and writes it as CSV where that is wanted; the exit status. */
static int finish(sweep_table *table, const sweep_options *options, bool finished) {
    bool good = sweep_table_keep(table);
    sweep_count count = sweep_table_count(table);
    if (good && options->csv) good = sweep_table_write_csv(table, options->csv);
    if (!options->study.quiet && good) print_summary(&count, options, finished);
    free(count.first_error);
    good = sweep_table_close(table) && good && finished && count.failed == 0;
    return good ? STATUS_DONE : STATUS_RUN_FAILED;
}

static int run_sweep(const study *s, run_list *runs, const sweep_options *options) {
    sweep_table *table = sweep_table_open(options->output, s, options->anew);
    if (!table) return STATUS_BAD_INPUT;
    size_t wanted = runs->count, there = leave_out_done(runs, table, s->design.run_count, options->retry);
    if (there && !options->study.quiet)
        fprintf(stderr, "%zu of %zu runs are there already; going on with %zu\n", there, wanted, runs->count);
    sweep_state state = {s, table};
    study_work work = {.runs = runs->items,
                       .run_count = runs->count,
                       .before = there,
                       .all = wanted,
                       .result = add_row,
                       .tick = keep_rows,
                       .context = &state};
    workers_end end = study_run(s, &work);
    if (end == WORKERS_INTERRUPTED) complain("interrupted");
    return finish(table, options, end == WORKERS_DONE);
}

/* ------------------------------------------------------------------ the verb */

static int merge(const sweep_options *options, const text_list *parts) {
    if (!options->output || parts->count == 0) {
        complain("sweep --merge: which parts, and where to? throng sweep --merge A.sqlite B.sqlite -o ALL.sqlite");
        return STATUS_BAD_INPUT;
    }
    for (size_t i = 0; i < parts->count; i++) {
        if (!same_file(parts->items[i], options->output)) continue;
        complain("sweep --merge: %s is a part and the result; write somewhere else", options->output);
        return STATUS_BAD_INPUT;
    }
    sweep_table *table = sweep_table_merge(options->output, parts);
    if (!table) return STATUS_BAD_INPUT;
    return finish(table, options, true);
}

static bool check_options(const sweep_options *o, const text_list *operands) {
    if (operands->count != 1) {
        complain("sweep: expected one scenario; usage: throng sweep %s", verb_sweep.operands);
        return false;
    }
    bool runs = !o->list && !o->slurm;
    if (runs && !o->output && !o->csv) {
        complain("sweep: where to? -o FILE.sqlite, or --csv FILE");
        return false;
    }
    if (o->part && o->only.given) {
        complain("sweep: either --only or --part");
        return false;
    }
    if (o->csv && o->output && same_file(o->csv, o->output)) {
        complain("sweep: -o and --csv cannot be the same file");
        return false;
    }
    if ((o->output && same_file(o->output, operands->items[0])) || (o->csv && same_file(o->csv, operands->items[0]))) {
        complain("sweep: %s is the scenario; write somewhere else", operands->items[0]);
        return false;
    }
    return !runs || !o->csv || newfile_possible(o->csv);
}

static int sweep(const void *values, const text_list *operands) {
    const sweep_options *options = values;
    if (options->merge) return merge(options, operands);
    if (!check_options(options, operands)) return STATUS_BAD_INPUT;
    study s;
    run_list runs = {0};
    int status = STATUS_BAD_INPUT;
    const char *output = options->output ? options->output : "results.sqlite";
    if (study_create(&s, operands->items[0], &options->study) && choose_runs(&runs, options, s.design.run_count)) {
        if (options->list) sweep_print_list(&s, runs.items, runs.count, output);
        if (options->list) status = STATUS_DONE;
        uint64_t parts = options->parts.given ? options->parts.value : slurm_parts;
        if (options->slurm)
            status = sweep_write_slurm(&s, options->slurm, (size_t)parts, output) ? STATUS_DONE : STATUS_BAD_INPUT;
        if (!options->list && !options->slurm) status = run_sweep(&s, &runs, options);
    }
    free(runs.items);
    study_free(&s);
    return status;
}

/* clang-format off */
static const option_row rows[] = {
    {"output", 'o', OPTION_TEXT, "FILE.sqlite", "the table; where it holds a part of this sweep, the rest is run", offsetof(sweep_options, output), 0, 0, false},
    {"csv", 0, OPTION_TEXT, "FILE", "the table as CSV, too (- : standard output)", offsetof(sweep_options, csv), 0, 0, false},
    STUDY_OPTION_ROWS(offsetof(sweep_options, study)),
    {"latin", 0, OPTION_WHOLE, "N", "a Latin hypercube: N points of all --set KEY=LOW..HIGH\nranges without a step (whole numbers where both ends are)", offsetof(sweep_options, study) + offsetof(study_options, latin), 1, 1e6, false},
    {"latin-seed", 0, OPTION_WHOLE, "N", "draw other points (default: 1)", offsetof(sweep_options, study) + offsetof(study_options, latin_seed), 0, 0, false},
    {"table", 0, OPTION_TEXT, "FILE.csv", "values from a table: keys in its first line, then one line\nfor each point", offsetof(sweep_options, study) + offsetof(study_options, table), 0, 0, false},
    {"anew", 0, OPTION_FLAG, "", "throw away the results that are there", offsetof(sweep_options, anew), 0, 0, false},
    {"retry", 0, OPTION_FLAG, "", "run those again that failed", offsetof(sweep_options, retry), 0, 0, false},
    {"only", 0, OPTION_WHOLE, "I", "only run I, from 0", offsetof(sweep_options, only), 0, 0, false},
    {"part", 0, OPTION_TEXT, "I/N", "only the I-th of N parts of the runs, from 0", offsetof(sweep_options, part), 0, 0, false},
    {"list", 0, OPTION_FLAG, "", "run nothing; print one command for each run", offsetof(sweep_options, list), 0, 0, false},
    {"slurm", 0, OPTION_TEXT, "FILE.sh", "run nothing; write a script for sbatch: an array of jobs", offsetof(sweep_options, slurm), 0, 0, false},
    {"parts", 0, OPTION_WHOLE, "N", "so many jobs in it (default: 1000)", offsetof(sweep_options, parts), 1, 1e6, false},
    {"merge", 0, OPTION_FLAG, "", "run nothing; join the tables of parts", offsetof(sweep_options, merge), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_sweep = {
    .name = "sweep",
    .operands = "SCENARIO --set KEY=VALUES ... -o FILE.sqlite | --merge PART... -o FILE.sqlite",
    .summary = "run a scenario with many values, models and seeds",
    .description =
        "Runs SCENARIO with every value of --set, every model and every seed, by a process per core, and writes one\n"
        "row of the table `runs` for each: values, seed, version, digest and all figures. A run that crashes, takes "
        "too\n"
        "long or is refused becomes a row with its error. Killed or interrupted, the same command goes on.\n"
        "Exit status: 0 done, 1 a run failed or it was interrupted, 2 bad usage or bad input.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 0,
    .operand_max = 100000,
    .values_size = sizeof(sweep_options),
    .run = sweep,
};
