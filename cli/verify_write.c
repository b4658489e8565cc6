/* verify_write.c: what `throng verify` found, as a table for people, as CSV and as JSON. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "newfile.h"
#include "verify.h"

/* ------------------------------------------------------------------ for people */

/* Columns of a terminal that a text takes: bytes that begin a character. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++) width += (*text & 0xC0) != 0x80;
    return width;
}

static void print_padded(const char *text, int width) {
    printf("%s%*s", text, width - width_of(text) > 0 ? width - width_of(text) : 0, "");
}

static void print_case(const verify_table *table, const verify_row *row) {
    printf("\n%s (%s; %zu %s)\n", row->of->name, row->of->tests, row->seeds, row->seeds == 1 ? "seed" : "seeds");
    if (row->of->needs) printf("  not applicable: needs %s\n", row->of->needs);
    if (row->of->note) printf("  %s\n", row->of->note);
    printf("  %-22s %-16s %-10s", "", "asked", "by");
    for (size_t m = 0; m < table->model_count && !row->of->no_model; m++) printf(" %11s", table->models[m]);
    printf("\n");
}

static void print_criterion(const verify_row *rows, size_t count) {
    char *bound = verify_bound_text(&rows->bound);
    printf("  %-22s ", rows->criterion->name);
    print_padded(bound, 17);
    printf("%-10s", verify_whose_word(rows));
    free(bound);
    for (size_t i = 0; i < count; i++) {
        char *figure = verify_figure_text(rows[i].figure);
        char *cell = text_format("%s%s", figure, rows[i].verdict == VERDICT_FAILS ? " !" : "  ");
        printf(" %11s", cell);
        free(figure);
        free(cell);
    }
    if (count == 1 && rows->verdict == VERDICT_FAILS && rows->held > 0)
        printf("  %zu of %zu seeds hold", rows->held, rows->seeds);
    printf("\n");
}

static void print_totals(const verify_table *table) {
    printf("\n%-12s %6s %6s   of these bounds of the guideline or data, of programs, of ours or yours\n", "", "hold",
           "fail");
    for (size_t m = 0; m < table->model_count; m++) {
        size_t held = 0, failed[4] = {0};
        for (size_t i = 0; i < table->count; i++) {
            const verify_row *row = &table->rows[i];
            if (strcmp(row->model, table->models[m]) != 0 || row->of->needs) continue;
            held += row->verdict == VERDICT_HOLDS;
            failed[row->own_bound ? BY_US : row->criterion->whose] += row->verdict == VERDICT_FAILS;
        }
        printf("%-12s %6zu %6zu   %zu, %zu, %zu\n", table->models[m], held,
               failed[0] + failed[1] + failed[2] + failed[3], failed[0] + failed[1], failed[2], failed[3]);
    }
}

/* Of tests that are more than one case: which hold whole. */
static void print_tests(const verify_table *table) {
    for (size_t m = 0; m < table->model_count && table->book.title_count; m++) {
        printf("%s%-12s holds whole:", m ? "" : "\n", table->models[m]);
        for (size_t t = 0; t < table->book.title_count; t++) {
            size_t asked = 0, failed = 0;
            for (size_t i = 0; i < table->count; i++) {
                const verify_row *row = &table->rows[i];
                if (strcmp(row->model, table->models[m]) != 0 || strcmp(row->of->tests, table->book.titles[t][0]) != 0)
                    continue;
                asked += row->verdict != VERDICT_TOLD;
                failed += row->verdict == VERDICT_FAILS;
            }
            if (asked && !failed) printf(" %s", strchr(table->book.titles[t][0], ' ') + 1);
        }
        printf("\n");
    }
}

void verify_print(const verify_table *table) {
    for (size_t i = 0; i < table->count;) {
        if (i == 0 || table->rows[i].of != table->rows[i - 1].of) print_case(table, &table->rows[i]);
        size_t count = verify_same_criterion(table, i);
        print_criterion(&table->rows[i], count);
        i += count;
    }
    for (size_t i = 0; i < table->book.missing_count; i++) {
        const verify_missing *m = &table->book.missing[i];
        if (verify_misses(table, m)) printf("\n%s (%s)\n  not applicable: needs %s\n", m->title, m->tests, m->needs);
    }
    print_totals(table);
    print_tests(table);
    printf("'!' fails: not in every seed, where it is not about their mean; '-' could not be measured\n");
}

/* ------------------------------------------------------------------ CSV */

/* A text that has no quotes, which ours have not. */
static void put(FILE *file, const char *text, const char *end) {
    fprintf(file, strpbrk(text, ",;\n") ? "\"%s\"%s" : "%s%s", text, end);
}

static void put_owned(FILE *file, char *text, const char *end) {
    put(file, text, end);
    free(text);
}

bool verify_print_list(const verify_table *table) {
    printf("case,criterion,what,unit,asked,whose,source,seeds,tests\n");
    for (size_t i = 0; i < table->count; i += verify_same_criterion(table, i)) {
        const verify_row *row = &table->rows[i];
        put(stdout, row->of->name, ",");
        put(stdout, row->criterion->name, ",");
        put(stdout, row->criterion->what, ",");
        put(stdout, row->criterion->unit, ",");
        put_owned(stdout, verify_bound_text(&row->bound), ",");
        put(stdout, verify_whose_word(row), ",");
        put(stdout, row->criterion->source, ",");
        printf("%zu,", row->seeds);
        put(stdout, row->of->tests, "\n");
    }
    return true;
}

static void write_row(FILE *file, const verify_row *row) {
    put(file, row->of->name, ",");
    put(file, row->criterion->name, ",");
    put(file, row->model, ",");
    put_owned(file, verify_figure_text(row->figure), ",");
    put_owned(file, verify_figure_text(row->least), ",");
    put_owned(file, verify_figure_text(row->most), ",");
    put(file, row->criterion->unit, ",");
    put_owned(file, verify_bound_text(&row->bound), ",");
    put(file, verify_whose_word(row), ",");
    fprintf(file, "%zu,", row->seeds);
    put_owned(file, verify_verdict_text(row), "\n");
}

bool verify_write_csv(const verify_table *table, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    fprintf(new.file, "case,criterion,model,measured,least,most,unit,asked,whose,seeds,verdict\n");
    for (size_t i = 0; i < table->count; i++) write_row(new.file, &table->rows[i]);
    for (size_t i = 0; i < table->book.missing_count; i++) {
        const verify_missing *m = &table->book.missing[i];
        if (!verify_misses(table, m)) continue;
        put(new.file, m->tests, ",");
        put(new.file, m->title, ",any,-,-,-,,,,,");
        put_owned(new.file, text_format("not applicable: needs %s", m->needs), "\n");
    }
    return newfile_finish(&new);
}

/* ------------------------------------------------------------------ JSON */

static void write_numbers(json_writer *w, const char *key, const double *values, size_t count) {
    json_open(w, key, '[');
    for (size_t i = 0; i < count; i++) json_number(w, NULL, values[i]);
    json_close(w, ']');
}

static void write_result(json_writer *w, const verify_row *row) {
    json_open(w, NULL, '{');
    json_text(w, "model", row->model);
    json_number(w, "measured", row->figure);
    json_number(w, "least", row->least);
    json_number(w, "most", row->most);
    json_whole(w, "held_in_seeds", row->held);
    json_text(w, "verdict", row->verdict == VERDICT_HOLDS ? "holds" : row->verdict == VERDICT_FAILS ? "fails" : "told");
    const char *remark =
        row->verdict == VERDICT_FAILS ? verify_remark(row->of->name, row->criterion->name, row->model) : NULL;
    if (remark) json_text(w, "remark", remark);
    json_open(w, "runs", '['); /* by seed */
    for (size_t s = 0; s < row->seeds; s++) write_numbers(w, NULL, row->values + s * row->runs, row->runs);
    json_close(w, ']');
    json_close(w, '}');
}

static void write_criterion(json_writer *w, const verify_row *rows, size_t count) {
    const verify_criterion *c = rows->criterion;
    json_open(w, NULL, '{');
    json_text(w, "case", rows->of->name);
    json_text(w, "tests", rows->of->tests);
    json_text(w, "needs", rows->of->needs);
    json_text(w, "criterion", c->name);
    json_text(w, "what", c->what);
    json_text(w, "unit", c->unit);
    char *bound = verify_bound_text(&rows->bound);
    json_text(w, "asked", bound);
    free(bound);
    json_text(w, "whose", verify_whose_word(rows));
    json_text(w, "source", c->source);
    json_whole(w, "seeds", rows->seeds);
    if (rows->of->changes) json_text(w, "changed", rows->of->by);
    if (rows->of->changes) write_numbers(w, "values", rows->of->values, rows->runs);
    json_open(w, "results", '[');
    for (size_t i = 0; i < count; i++) write_result(w, &rows[i]);
    json_close(w, ']');
    json_close(w, '}');
}

bool verify_write_json(const verify_table *table, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    json_writer w = {new.file, false};
    json_open(&w, NULL, '{');
    json_text(&w, "version", throng_version());
    json_open(&w, "criteria", '[');
    for (size_t i = 0; i < table->count; i += verify_same_criterion(table, i))
        write_criterion(&w, &table->rows[i], verify_same_criterion(table, i));
    json_close(&w, ']');
    json_open(&w, "not_applicable", '[');
    for (size_t i = 0; i < table->book.missing_count; i++) {
        const verify_missing *m = &table->book.missing[i];
        if (!verify_misses(table, m)) continue;
        json_open(&w, NULL, '{');
        json_text(&w, "tests", m->tests);
        json_text(&w, "title", m->title);
        json_text(&w, "needs", m->needs);
        json_close(&w, '}');
    }
    json_close(&w, ']');
    json_close(&w, '}');
    fputc('\n', new.file);
    return newfile_finish(&new);
}
