/* verify_work.c: makes the runs that criteria need, each once, and has them measured.
 *
 * A run serves all rows of its model that ask for the same scenario, change and seed. What it comes to is written where
 * its rows expect it, so that neither the number of threads nor their order matters. */

#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "verify_run.h"

/* A place in a row for a number of a run. */
typedef struct run_use {
    size_t row, at; /* values[at] of rows[row] */
} run_use;

typedef struct run_job {
    const verify_case *of;
    size_t run;
    const char *model;
    uint64_t seed;
    run_use *uses;
    size_t use_count;
    char *fault, *svg; /* of a run that could not be made; of one that is drawn */
} run_job;

typedef struct run_list {
    verify_table *table;
    run_job *jobs;
    size_t count;
    bool pictures;
} run_list;

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

bool verify_is_same_run(const verify_case *a, size_t a_run, const verify_case *b, size_t b_run) {
    if (a == b) return a_run == b_run;
    return same_text(verify_scenario_of(a, a_run), verify_scenario_of(b, b_run)) && same_text(a->changes, b->changes) &&
           same_text(a->recordings[a_run], b->recordings[b_run]) &&
           (!a->changes || a->values[a_run] == b->values[b_run]);
}

static bool is_same_run(const run_job *job, const verify_case *of, size_t run, const char *model, uint64_t seed) {
    return job->seed == seed && !strcmp(job->model, model) && verify_is_same_run(job->of, job->run, of, run);
}

static run_job *job_for(run_list *list, size_t from, const verify_case *of, size_t run, const char *model,
                        uint64_t seed) {
    for (size_t i = from; i < list->count; i++)
        if (is_same_run(&list->jobs[i], of, run, model, seed)) return &list->jobs[i];
    list->jobs = resize(list->jobs, (list->count + 1) * sizeof *list->jobs);
    list->jobs[list->count] = (run_job){.of = of, .run = run, .model = model, .seed = seed};
    return &list->jobs[list->count++];
}

static void add_use(run_job *job, size_t row, size_t at) {
    job->uses = resize(job->uses, (job->use_count + 1) * sizeof *job->uses);
    job->uses[job->use_count++] = (run_use){row, at};
}

/* Rows come case by case, and only those of a suite's neighbouring cases share runs. */
static void find_jobs(run_list *list) {
    const verify_table *table = list->table;
    for (size_t r = 0; r < table->count; r++) {
        const verify_row *row = &table->rows[r];
        const char *model = row->of->no_model ? "none" : row->model;
        size_t from = list->count > 4000 ? list->count - 4000 : 0;
        for (size_t s = 0; s < row->seeds; s++)
            for (size_t k = 0; k < row->runs; k++)
                add_use(job_for(list, from, row->of, k, model, s + 1), r, s * row->runs + k);
    }
}

typedef struct job_context {
    run_list *list;
    run_job *job;
} job_context;

static void measure_run(void *context, const verify_run *run) {
    job_context *c = context;
    for (size_t i = 0; i < c->job->use_count; i++) {
        verify_row *row = &c->list->table->rows[c->job->uses[i].row];
        row->values[c->job->uses[i].at] = row->criterion->measure(run, row->criterion->where);
    }
    if (c->list->pictures && c->job->seed == 1) c->job->svg = verify_draw(run);
}

static void do_job(void *context, size_t index) {
    job_context c = {context, &((run_list *)context)->jobs[index]};
    verify_task task = {c.job->of, c.job->run, c.job->model, c.job->seed, c.list->table->data, c.list->table->set};
    verify_make_run(&task, &c.job->fault, measure_run, &c);
}

static void keep_picture(verify_table *table, const run_job *job) {
    table->pictures = resize(table->pictures, (table->picture_count + 1) * sizeof *table->pictures);
    table->pictures[table->picture_count++] = (verify_picture){job->of, job->run, job->model, job->svg};
}

/* What the jobs have left, in their order. */
static void gather(run_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        run_job *job = &list->jobs[i];
        if (job->fault) {
            char *text =
                text_format("%s with %s, seed %zu: %s", job->of->name, job->model, (size_t)job->seed, job->fault);
            text_list_add(&list->table->faults, text);
            free(text);
        }
        if (job->svg) keep_picture(list->table, job);
        free(job->fault);
        free(job->uses);
    }
    free(list->jobs);
}

bool verify_work(verify_table *table, int threads, bool pictures, bool quiet) {
    run_list list = {.table = table, .pictures = pictures};
    find_jobs(&list);
    bool whole = jobs_do(list.count, threads, quiet, do_job, &list);
    gather(&list);
    for (size_t i = 0; i < table->count; i++) verify_judge_row(&table->rows[i]);
    return whole;
}
