/* verify.c: `throng verify`: runs the guidelines' cases with every model and tells what holds. */

#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "messages.h"
#include "newfile.h"
#include "verbs.h"

/* ------------------------------------------------------------------ words that users give */

/* Complains about a word that is none of some. */
static bool refuse_word(const verify_book *book, const char *option, const char *word, const char *const *known,
                        size_t count) {
    const char *meant = throng_nearest_word(word, known, count);
    char *all = text_format("%s", known[0]);
    for (size_t i = 1; i < count && count < 20; i++) {
        char *longer = text_format("%s, %s", all, known[i]);
        free(all);
        all = longer;
    }
    if (meant)
        complain("%s --%s: there is no '%s': did you mean '%s'?", book->verb, option, word, meant);
    else if (count < 20)
        complain("%s --%s: expected one of %s; found '%s'", book->verb, option, all, word);
    else
        complain("%s --%s: there is no '%s' ('throng %s --list' lists them)", book->verb, option, word, book->verb);
    free(all);
    return false;
}

static bool know_suite(const verify_book *book, const char *suite) {
    const char *known[16];
    for (size_t i = 0; i < book->suite_count; i++) {
        known[i] = book->suites[i][0];
        if (!suite || !strcmp(suite, known[i])) return true;
    }
    return refuse_word(book, "suite", suite, known, book->suite_count);
}

static bool is_named(const verify_case *of, const char *name) {
    if (!strcmp(of->name, name)) return true;
    for (size_t run = 0; run < verify_run_count(of); run++)
        if (!strcmp(verify_scenario_of(of, run), name)) return true;
    return false;
}

static bool know_case(const verify_book *book, const char *name) {
    size_t count = book->case_count;
    const char **known = resize(NULL, count * sizeof *known);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        known[i] = book->cases[i].name;
        found = found || is_named(&book->cases[i], name);
    }
    if (!found) refuse_word(book, "case", name, known, count);
    free(known);
    return found;
}

/* All but `none`, which sees nobody, unless told otherwise. */
static bool take_models(verify_table *table, const text_list *wanted) {
    const char *known[64];
    size_t count = 0;
    for (; count < throng_model_count() && count < 64; count++)
        known[count] = throng_model_name(throng_model_at(count));
    if (table->data) table->models[table->model_count++] = VERIFY_REAL;
    for (size_t i = 0; i < count && wanted->count == 0; i++)
        if (strcmp(known[i], "none") != 0) table->models[table->model_count++] = known[i];
    for (size_t i = 0; i < wanted->count; i++) {
        const throng_model *model = throng_model_named(wanted->items[i]);
        if (!model) return refuse_word(&table->book, "model", wanted->items[i], known, count);
        if (table->model_count < 64) table->models[table->model_count++] = throng_model_name(model);
    }
    return true;
}

/* ------------------------------------------------------------------ rows */

static bool is_wanted(const verify_case *of, const verify_options *options) {
    bool named = options->cases.count == 0 && (!of->named_only || options->list);
    for (size_t i = 0; i < options->cases.count; i++) named = named || is_named(of, options->cases.items[i]);
    return named && (!options->suite || verify_is_of(of->tests, options->suite));
}

static void add_row(verify_table *table, const verify_case *of, const verify_criterion *criterion, const char *model,
                    const verify_options *options) {
    table->rows = resize(table->rows, (table->count + 1) * sizeof *table->rows);
    verify_row *row = &table->rows[table->count++];
    *row = (verify_row){.of = of, .criterion = criterion, .model = model, .bound = criterion->bound};
    row->runs = verify_run_count(of);
    row->seeds = options->seeds.given ? (size_t)options->seeds.value : of->seeds;
    if (!strcmp(model, VERIFY_REAL)) row->seeds = 1;
    row->values = resize(NULL, row->runs * row->seeds * sizeof *row->values);
    row->folded = resize(NULL, row->seeds * sizeof *row->folded);
    for (size_t i = 0; i < row->runs * row->seeds; i++) row->values[i] = NAN;
}

static void add_criterion(verify_table *table, const verify_case *of, const verify_criterion *criterion,
                          const verify_options *options) {
    if (of->no_model) {
        add_row(table, of, criterion, "any", options);
        return;
    }
    for (size_t m = 0; m < table->model_count; m++) add_row(table, of, criterion, table->models[m], options);
}

static void add_rows(verify_table *table, const verify_options *options) {
    const verify_book *book = &table->book;
    for (size_t c = 0; c < book->case_count; c++) {
        const verify_case *of = &book->cases[c];
        if (!is_wanted(of, options)) continue;
        for (size_t i = 0; i < book->criterion_count; i++)
            if (!strcmp(book->criteria[i].of, of->name)) add_criterion(table, of, &book->criteria[i], options);
        for (size_t i = 0; verify_usual_at(i); i++)
            if (of->usual & VERIFY_LEAVE << i) add_criterion(table, of, verify_usual_at(i), options);
    }
}

/* "CASE:CRITERION=BOUND" */
static bool take_bound(verify_table *table, const char *text) {
    const char *equals = strpbrk(text, "=<>"), *colon = strchr(text, ':');
    verify_bound bound;
    bool good = equals && colon && colon < equals;
    if (!good || !(verify_read_bound(equals, &bound) || (*equals == '=' && verify_read_bound(equals + 1, &bound)))) {
        complain("--bound: expected CASE:CRITERION=BOUND with a bound like 26..34, <=2 or >0; found '%s'", text);
        return false;
    }
    size_t found = 0;
    for (size_t i = 0; i < table->count; i++) {
        verify_row *row = &table->rows[i];
        char *name = text_format("%s:%s", row->of->name, row->criterion->name);
        if (strlen(name) == (size_t)(equals - text) && !strncmp(name, text, strlen(name))) {
            row->bound = bound;
            row->own_bound = true;
            found++;
        }
        free(name);
    }
    if (!found) complain("--bound: nothing that is run is called '%.*s'", (int)(equals - text), text);
    return found > 0;
}

static bool take_rows(verify_table *table, const verify_options *options) {
    if (!know_suite(&table->book, options->suite)) return false;
    for (size_t i = 0; i < options->cases.count; i++)
        if (!know_case(&table->book, options->cases.items[i])) return false;
    if (!take_models(table, &options->models)) return false;
    table->suite = options->suite;
    table->all_cases = options->cases.count == 0;
    add_rows(table, options);
    if (table->count == 0) {
        complain("%s: no case of the suite '%s' is named like this", table->book.verb, options->suite);
        return false;
    }
    for (size_t i = 0; i < options->bounds.count; i++)
        if (!take_bound(table, options->bounds.items[i])) return false;
    return true;
}

/* ------------------------------------------------------------------ the verb */

static int write_all(const verify_table *table, const verify_options *options) {
    bool to_stdout = (options->json && !strcmp(options->json, "-")) || (options->csv && !strcmp(options->csv, "-"));
    if (!options->quiet && !to_stdout) verify_print(table);
    for (size_t i = 0; i < table->faults.count; i++) complain("%s", table->faults.items[i]);
    bool written = (!options->csv || verify_write_csv(table, options->csv)) &&
                   (!options->json || verify_write_json(table, options->json)) &&
                   (!options->report || verify_write_report(table, options->report));
    bool failed = table->faults.count > 0;
    for (size_t i = 0; i < table->count && options->strict; i++)
        failed = failed || (table->rows[i].verdict == VERDICT_FAILS && !table->rows[i].of->needs);
    return written && !failed ? STATUS_DONE : STATUS_RUN_FAILED;
}

int verify_do(verify_book book, const verify_options *options) {
    interrupt_listen(false);
    const char *const files[] = {options->report, options->json, options->csv};
    for (size_t i = 0; i < 3; i++)
        if (files[i] && !newfile_possible(files[i])) return STATUS_BAD_INPUT;
    verify_table table = {.book = book, .data = options->data, .set = &options->set};
    int status = STATUS_BAD_INPUT;
    if (take_rows(&table, options)) {
        if (options->list)
            status = verify_print_list(&table) ? STATUS_DONE : STATUS_RUN_FAILED;
        else if (verify_work(&table, (int)options->threads.value, options->report != NULL, options->quiet))
            status = write_all(&table, options);
        else {
            complain("%s: interrupted; nothing was written", book.verb);
            status = STATUS_RUN_FAILED;
        }
    }
    verify_free(&table);
    return status;
}

static int verify(const void *values, const text_list *operands) {
    (void)operands;
    return verify_do(verify_guidelines(), values);
}

/* clang-format off */
static const option_row rows[] = {
    {"suite", 0, OPTION_TEXT, "NAME", "only the tests of this suite: rimea, iso, imo, nist, juelich\nor vadere", offsetof(verify_options, suite), 0, 0, false},
    {"seeds", 0, OPTION_WHOLE, "N", "run each case with so many seeds (default: as many as the\nguideline asks for, else 3)", offsetof(verify_options, seeds), 1, 100000, false},
    VERIFY_OPTION_ROWS,
};
/* clang-format on */

const cli_verb verb_verify = {
    .name = "verify",
    .operands = "[options]",
    .summary = "RiMEA, ISO, IMO, NIST, Jülich and Vadere tests, with every model",
    .description =
        "Runs the cases of the guidelines with every model as it is by default, over the seeds they ask for, and "
        "tells\n"
        "what holds: what was measured, what is asked, and whose bound it is: the guideline's, another program's, or\n"
        "ours. What needs several floors, smoke or lifts says so. All of it takes an hour or more of one core; a "
        "suite, a\n"
        "case or a model takes less. docs/verification.md tells how to read it.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 0,
    .operand_max = 0,
    .values_size = sizeof(verify_options),
    .run = verify,
};
