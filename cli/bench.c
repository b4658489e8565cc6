/* bench.c: `throng bench`: how fast this program is on this machine, beside what papers and other programs need. */

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "interrupt.h"
#include "json.h"
#include "messages.h"
#include "newfile.h"
#include "options.h"
#include "verbs.h"
#include "workers.h"

typedef struct bench_options {
    optional_whole threads;
    const char *json, *csv;
    bool quick;
} bench_options;

enum { TIMED_MOST = 400, QUICK_PEOPLE = 5000 };

typedef struct bench_result {
    const bench_table *table;
    const bench_row *row;
    size_t people;
    double one_ms, all_ms; /* of a step, with one thread and with all; NaN: there is no such scene here */
} bench_result;

/* ------------------------------------------------------------------ timing */

static throng_world *make_world(const bench_row *row, int threads) {
    throng_scenario_def def = throng_default_scenario_def();
    def.path = row->scene;
    def.overrides = row->set;
    def.override_count = (size_t)(row->set[0] != NULL) + (row->set[1] != NULL);
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    run.threads = threads;
    run.check = false;
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return world;
}

/* ms since the world was made. */
static double spent(const throng_world *world, bool core) {
    throng_stats stats = throng_world_stats(world);
    double sum = 0;
    for (int k = 0; k < THRONG_STAGE_CHECK; k++) {
        bool is_core = k == THRONG_STAGE_NEAR || k == THRONG_STAGE_MODELS || k == THRONG_STAGE_MOVE;
        if (is_core || !core) sum += stats.stage_ms[k];
    }
    return sum;
}

static int by_size(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The lower quartile of the steps' times: others were interrupted by something. */
static double step_ms(const bench_table *table, const bench_row *row, int threads, bool quick, size_t *people) {
    throng_world *world = make_world(row, threads);
    if (!world) return NAN;
    int skipped = quick ? row->skipped / 4 : row->skipped, timed = quick ? row->timed / 4 + 1 : row->timed;
    double ms[TIMED_MOST];
    for (int k = 0; k < skipped && !interrupted(); k++) throng_world_step(world);
    *people = throng_world_raw_view(world).count;
    int count = 0;
    for (; count < timed && count < TIMED_MOST && !interrupted(); count++) {
        double before = spent(world, table->core);
        throng_world_step(world);
        ms[count] = spent(world, table->core) - before;
    }
    throng_world_destroy(world);
    qsort(ms, (size_t)count, sizeof *ms, by_size);
    return count ? ms[count / 4] : NAN;
}

/* ------------------------------------------------------------------ printing */

static double in_unit(const bench_result *r, double ms) {
    switch (r->table->unit) {
        case BENCH_FPS:
            return 1e3 / ms;
        case BENCH_US:
            return 1e3 * ms / (double)r->people;
        default:
            return ms;
    }
}

/* How many times as fast as theirs. */
static double times_theirs(const bench_result *r) {
    double ours = in_unit(r, r->table->one_thread ? r->one_ms : r->all_ms);
    return r->table->unit == BENCH_FPS ? ours / r->row->theirs : r->row->theirs / ours;
}

static const char *label_of(const bench_row *row) { return row->label ? row->label : row->scene; }

static void print_head(const bench_table *table, int threads) {
    static const char *const units[] = {"ms a frame", "frames a second", "microseconds per person and step"};
    char all[24];
    snprintf(all, sizeof all, "%d threads", threads);
    printf("\n%s (%s)\ntheirs: %s; times: %s\n", table->title, units[table->unit], table->theirs,
           table->one_thread ? "of one thread" : "of all threads");
    printf("%-48s %8s %10s %10s %9s %7s\n", "", "people", "1 thread", all, "theirs", "times");
}

static void print_row(const bench_result *r) {
    if (isnan(r->one_ms)) {
        printf("%-48s not in this build\n", label_of(r->row));
        return;
    }
    int digits = r->table->unit == BENCH_FPS ? 0 : r->table->unit == BENCH_US ? 3 : 2;
    printf("%-48s %8zu %10.*f %10.*f %9.*f %7.1f\n", label_of(r->row), r->people, digits, in_unit(r, r->one_ms), digits,
           in_unit(r, r->all_ms), digits < 2 ? digits : 2, r->row->theirs, times_theirs(r));
    fflush(stdout);
}

/* ------------------------------------------------------------------ files */

static const char *const unit_names[] = {"ms", "fps", "us_per_person"};

static bool write_json(const bench_result *results, size_t count, int threads, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    json_writer out = {.file = new.file};
    json_open(&out, NULL, '{');
    json_text(&out, "version", throng_version());
    json_whole(&out, "threads", (uint64_t)threads);
    json_open(&out, "rows", '[');
    for (size_t i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        json_open(&out, NULL, '{');
        json_text(&out, "table", r->table->name);
        json_text(&out, "scene", label_of(r->row));
        json_whole(&out, "people", r->people);
        json_text(&out, "unit", unit_names[r->table->unit]);
        json_number(&out, "one_thread", in_unit(r, r->one_ms));
        json_number(&out, "all_threads", in_unit(r, r->all_ms));
        json_number(&out, "theirs", r->row->theirs);
        json_number(&out, "times", times_theirs(r));
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    fputc('\n', new.file);
    return newfile_finish(&new);
}

static bool write_csv(const bench_result *results, size_t count, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    fprintf(new.file, "table,scene,people,unit,one_thread,all_threads,theirs,times\n");
    for (size_t i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        fprintf(new.file, "%s,", r->table->name);
        csv_text(new.file, label_of(r->row));
        fprintf(new.file, ",%zu,%s", r->people, unit_names[r->table->unit]);
        if (isnan(r->one_ms))
            fprintf(new.file, ",,,%g,\n", r->row->theirs);
        else
            fprintf(new.file, ",%.4g,%.4g,%g,%.3g\n", in_unit(r, r->one_ms), in_unit(r, r->all_ms), r->row->theirs,
                    times_theirs(r));
    }
    return newfile_finish(&new);
}

/* ------------------------------------------------------------------ the verb */

static const bench_table *table_named(const char *name) {
    const char *names[16];
    for (size_t i = 0; i < bench_table_count; i++) {
        if (!strcmp(bench_tables[i].name, name)) return &bench_tables[i];
        names[i] = bench_tables[i].name;
    }
    const char *meant = throng_nearest_word(name, names, bench_table_count);
    complain("bench: there is no table '%s'%s%s%s", name, meant ? ": did you mean '" : "", meant ? meant : "",
             meant ? "'?" : " ('throng bench --help' lists them)");
    return NULL;
}

static void run_table(const bench_table *table, int threads, bool quick, bench_result *results, size_t *count) {
    print_head(table, threads);
    for (size_t i = 0; i < table->row_count; i++) {
        const bench_row *row = &table->rows[i];
        if (quick && row->people > QUICK_PEOPLE) continue;
        bench_result r = {table, row, 0, NAN, NAN};
        r.one_ms = step_ms(table, row, 1, quick, &r.people);
        r.all_ms = threads == 1 ? r.one_ms : step_ms(table, row, threads, quick, &r.people);
        if (interrupted()) return;
        print_row(&r);
        results[(*count)++] = r;
    }
}

static int bench(const void *values, const text_list *operands) {
    const bench_options *options = values;
    const bench_table *chosen[16];
    size_t tables = operands->count ? operands->count : bench_table_count, rows = 0, count = 0;
    for (size_t i = 0; i < tables; i++) {
        chosen[i] = operands->count ? table_named(operands->items[i]) : &bench_tables[i];
        if (!chosen[i]) return STATUS_BAD_INPUT;
        rows += chosen[i]->row_count;
    }
    if ((options->json && !newfile_possible(options->json)) || (options->csv && !newfile_possible(options->csv)))
        return STATUS_BAD_INPUT;
    int threads = options->threads.given ? (int)options->threads.value : (int)workers_usual();
    bench_result *results = resize(NULL, rows * sizeof *results);
    interrupt_listen(false);
    printf("throng %s, %d thread%s; the lower quartile of some steps%s\n", throng_version(), threads,
           threads == 1 ? "" : "s", options->quick ? "; quick: fewer steps, and crowds of 5,000 at most" : "");
    for (size_t i = 0; i < tables && !interrupted(); i++)
        run_table(chosen[i], threads, options->quick, results, &count);
    bool good = !interrupted();
    if (!good) complain("interrupted");
    if (options->json) good = write_json(results, count, threads, options->json) && good;
    if (options->csv) good = write_csv(results, count, options->csv) && good;
    free(results);
    return good ? STATUS_DONE : STATUS_RUN_FAILED;
}

/* clang-format off */
static const option_row rows[] = {
    {"quick", 0, OPTION_FLAG, "", "fewer steps, and crowds of 5,000 people at most", offsetof(bench_options, quick), 0, 0, false},
    {"threads", 0, OPTION_WHOLE, "N", "beside one thread, so many (default: one per core)", offsetof(bench_options, threads), 1, 1024, false},
    {"json", 0, OPTION_TEXT, "FILE", "write all rows as JSON", offsetof(bench_options, json), 0, 0, false},
    {"csv", 0, OPTION_TEXT, "FILE", "write all rows as CSV", offsetof(bench_options, csv), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_bench = {
    .name = "bench",
    .operands = "[TABLE]... [options]",
    .summary = "how fast it is here, beside papers and other programs",
    .description =
        "Times the scenes of papers and of recorded runs of other programs on this machine and prints theirs beside\n"
        "ours. Tables: orca (the library RVO2), peers, pbd, uic, cpd, forces; all of them unless told. Theirs were\n"
        "measured on other machines, which each table names; let nothing else run meanwhile.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 0,
    .operand_max = 6,
    .values_size = sizeof(bench_options),
    .run = bench,
};
