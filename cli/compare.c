/* compare.c: `throng compare`: the same scenario and seeds with several models or values, and what differs. */

#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "newfile.h"
#include "paths.h"
#include "verbs.h"

typedef struct compare_options {
    study_options study;
    const char *report, *json, *csv;
} compare_options;

/* ------------------------------------------------------------------ variants */

/* Model and values, those that are the same for all left out. */
static char *name_of(const study *s, size_t run) {
    design_run set = design_run_at(&s->design, run);
    char *name = text_format("%s", s->design.models.count > 1 ? set.model : "");
    for (size_t i = 0; i < s->design.axis_count; i++) {
        const design_axis *axis = &s->design.axes[i];
        if (axis->values.count < 2) continue;
        char *longer = text_format("%s%s%s=%s", name, *name ? ", " : "", axis->key, set.values[i]);
        free(name);
        name = longer;
    }
    free(set.values);
    return name;
}

static void begin(comparison *c, const study *s) {
    size_t seeds = s->design.seeds.count, runs = s->design.run_count;
    *c = (comparison){.study = s, .seed_count = seeds, .variant_count = runs / seeds};
    c->variants = resize(NULL, c->variant_count * sizeof *c->variants);
    c->runs = resize(NULL, runs * sizeof *c->runs);
    for (size_t i = 0; i < runs; i++) c->runs[i] = (trial){0};
    for (size_t i = 0; i < c->variant_count; i++) {
        variant *v = &c->variants[i];
        *v = (variant){.name = name_of(s, i * seeds)};
        v->values = resize(NULL, s->name_count * seeds * sizeof *v->values);
        v->ends = resize(NULL, seeds * sizeof *v->ends);
        v->figures = resize(NULL, s->name_count * sizeof *v->figures);
    }
}

static void end(comparison *c) {
    for (size_t i = 0; i < c->variant_count; i++) {
        variant *v = &c->variants[i];
        for (size_t k = 0; k < COMPARE_MOMENTS; k++) free(v->pictures[k].bytes);
        free(v->name);
        free(v->error);
        free(v->values);
        free(v->ends);
        free(v->figures);
    }
    for (size_t i = 0; i < c->study->design.run_count; i++) trial_free(&c->runs[i]);
    free(c->variants);
    free(c->runs);
}

static void take_run(void *context, size_t run, const trial *done, const double *values) {
    comparison *c = context;
    variant *v = &c->variants[run / c->seed_count];
    size_t seed = run % c->seed_count;
    for (size_t i = 0; i < c->study->name_count; i++) v->values[i * c->seed_count + seed] = values[i];
    v->ends[seed] = NAN;
    for (size_t i = 0; i < c->study->name_count && !done->error; i++)
        if (!strcmp(c->study->names[i].name, "simulated")) v->ends[seed] = values[i];
    c->runs[run] = (trial){.people = done->people, .arrival_count = done->arrival_count};
    c->runs[run].arrivals = resize(NULL, done->arrival_count * sizeof *done->arrivals);
    memcpy(c->runs[run].arrivals, done->arrivals, done->arrival_count * sizeof *done->arrivals);
    memcpy(c->runs[run].bins, done->bins, sizeof done->bins);
    v->failed += done->error != NULL;
    if (!done->error || (v->error && seed > v->error_seed)) return;
    free(v->error);
    v->error = text_format("%s", done->error);
    v->error_seed = seed;
}

/* ------------------------------------------------------------------ the verb */

static workers_end run_all(comparison *c) {
    size_t count = c->study->design.run_count;
    uint64_t *runs = resize(NULL, count * sizeof *runs);
    for (size_t i = 0; i < count; i++) runs[i] = i;
    study_work work = {.runs = runs, .run_count = count, .all = count, .result = take_run, .context = c};
    workers_end end = study_run(c->study, &work);
    free(runs);
    return end;
}

static int compare_all(const study *s, const compare_options *options) {
    comparison c;
    begin(&c, s);
    workers_end ended = run_all(&c);
    bool good = ended == WORKERS_DONE;
    if (good) compare_find(&c);
    if (good && options->report) ended = compare_draw(&c);
    good = ended == WORKERS_DONE;
    if (ended == WORKERS_INTERRUPTED) complain("interrupted; nothing was written");
    bool quiet = options->study.quiet || (options->json && !strcmp(options->json, "-")) ||
                 (options->csv && !strcmp(options->csv, "-"));
    if (good && !quiet) compare_print(&c);
    if (good && options->report) good = compare_write_report(&c, options->report);
    if (good && options->json) good = compare_write_json(&c, options->json);
    if (good && options->csv) good = compare_write_csv(&c, options->csv);
    for (size_t i = 0; i < c.variant_count; i++) {
        const variant *v = &c.variants[i];
        if (v->failed) warn("%s: %zu of %zu runs failed: %s", v->name, v->failed, c.seed_count, v->error);
        good = good && v->failed == 0;
    }
    end(&c);
    return good ? STATUS_DONE : STATUS_RUN_FAILED;
}

static bool can_write(const compare_options *options, const char *scenario) {
    const char *const paths[] = {options->report, options->json, options->csv};
    for (size_t i = 0; i < 3; i++) {
        if (!paths[i]) continue;
        if (same_file(paths[i], scenario)) {
            complain("compare: %s is the scenario; write somewhere else", scenario);
            return false;
        }
        if (!newfile_possible(paths[i])) return false;
    }
    return true;
}

static int compare(const void *values, const text_list *operands) {
    const compare_options *options = values;
    study_options wanted = options->study;
    if (!wanted.seeds) wanted.seeds = "10";
    if (!can_write(options, operands->items[0])) return STATUS_BAD_INPUT;
    study s;
    int status = STATUS_BAD_INPUT;
    bool good = study_create(&s, operands->items[0], &wanted);
    if (good && s.design.run_count < 2 * s.design.seeds.count)
        complain("compare: there is nothing to compare: give --models a,b or --set KEY=VALUE,VALUE");
    else if (good)
        status = compare_all(&s, options);
    study_free(&s);
    return status;
}

/* clang-format off */
static const option_row rows[] = {
    {"report", 'o', OPTION_TEXT, "FILE.html", "write a page with pictures on the same clock, plots and tables,\nwhich needs nothing else", offsetof(compare_options, report), 0, 0, false},
    {"json", 0, OPTION_TEXT, "FILE", "all figures as JSON (- : standard output)", offsetof(compare_options, json), 0, 0, false},
    {"csv", 0, OPTION_TEXT, "FILE", "all figures as CSV (- : standard output)", offsetof(compare_options, csv), 0, 0, false},
    STUDY_OPTION_ROWS(offsetof(compare_options, study)),
};
/* clang-format on */

const cli_verb verb_compare = {
    .name = "compare",
    .operands = "SCENARIO --models NAME,NAME... | --set KEY=VALUE,VALUE [-o FILE.html] [options]",
    .summary = "the same scenario with several models or values, in one report",
    .description =
        "Runs SCENARIO with every model and value, each with the same seeds (1 to 10 unless told), and prints the "
        "mean\n"
        "of each figure over the seeds with its 95 % confidence interval. What differs from the first column is "
        "marked:\n"
        "*, by Welch's t-test at a level of 5 % for all differences together (Holm).\n"
        "Exit status: 0 done, 1 a run failed or it was interrupted, 2 bad usage or bad input.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_size = sizeof(compare_options),
    .run = compare,
};
