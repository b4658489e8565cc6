/* verify_report.c: `throng verify --report`: one page: which tests hold for which model, then case by case. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newfile.h"
#include "report.h"
#include "verify.h"

static const char style[] =
    "<style>body{max-width:1200px}.ok{color:#00664d}.bad{color:#b00020;font-weight:600}.own{color:#8a5a00}.na{color:#"
    "777}"
    "td small{font-weight:400}td,th{white-space:nowrap}td.t{text-align:left;white-space:normal;max-width:26em}"
    "tr:hover td{background:#f4f6f8}ul{margin:4px 0;padding-left:18px;font-size:13px}figure p{margin:2px "
    "0;font-size:13px;"
    "color:#555}svg.run{border:1px solid #e4e4e4;background:#fafafa;max-height:360px}.run "
    ".way{stroke:#0072b2;opacity:.5;"
    "stroke-width:3}.run .who{stroke:#0072b2;stroke-linecap:round;opacity:.75}.run .line{stroke:#d55e00;stroke-width:4}"
    ".run .area{stroke:#d55e00;stroke-dasharray:8 6}.run .goal{fill:#009e7333;stroke:#009e73}.run .zone{fill:#e69f0022}"
    ".run .wrong{stroke:#b00020;stroke-width:3}.run .wall{stroke-width:2}@media print{h2{break-after:avoid}}</style>";

/* ------------------------------------------------------------------ which tests hold */

/* Whether "rimea 1; iso 2" has the test "rimea 1". */
static bool has_test(const char *tests, const char *test, size_t length) {
    for (const char *at = tests; at; at = strstr(at, "; ")) {
        if (at != tests) at += 2;
        if (!strncmp(at, test, length) && (at[length] == ';' || !at[length])) return true;
    }
    return false;
}

typedef struct tally {
    size_t asked, failed, failed_ours;
    bool stand_in;
} tally;

static tally tally_of(const verify_table *table, const char *test, size_t length, const char *model) {
    tally t = {0};
    for (size_t i = 0; i < table->count; i++) {
        const verify_row *row = &table->rows[i];
        bool its = !strcmp(row->model, model) || !strcmp(row->model, "any");
        if (!its || row->verdict == VERDICT_TOLD || !has_test(row->of->tests, test, length)) continue;
        t.asked++;
        t.failed += row->verdict == VERDICT_FAILS;
        t.failed_ours += row->verdict == VERDICT_FAILS && row->criterion->whose == BY_US && !row->own_bound;
        t.stand_in = t.stand_in || row->of->needs;
    }
    return t;
}

static void put_tally(FILE *file, tally t) {
    const char *class = t.failed == 0 ? "ok" : t.failed > t.failed_ours ? "bad" : "own";
    if (t.asked == 0) {
        fprintf(file, "<td class=na>told</td>");
        return;
    }
    fprintf(file, "<td class=%s>", t.stand_in ? "na" : class);
    if (t.stand_in) fprintf(file, "n/a <small>stand-in ");
    if (t.failed == 0)
        fprintf(file, "✓ <small>%zu</small>", t.asked);
    else
        fprintf(file, "%s %zu <small>of %zu</small>", t.failed > t.failed_ours ? "✗" : "○", t.failed, t.asked);
    fprintf(file, t.stand_in ? "</small></td>" : "</td>");
}

static void put_heads(FILE *file, const verify_table *table) {
    for (size_t m = 0; m < table->model_count; m++) fprintf(file, "<th>%s</th>", table->models[m]);
    fprintf(file, "</tr>\n");
}

static void put_test(FILE *file, const verify_table *table, const verify_case *of, const char *test, size_t length) {
    char *title = verify_title(of);
    for (size_t i = 0; i < table->book.title_count; i++)
        if (has_test(table->book.titles[i][0], test, length)) {
            free(title);
            title = text_format("%s", table->book.titles[i][1]);
        }
    fprintf(file, "<tr><td><a href=\"#%s\">%.*s</a> ", of->name, (int)(length - strcspn(test, " ") - 1),
            test + strcspn(test, " ") + 1);
    report_text(file, title);
    fprintf(file, "</td>");
    for (size_t m = 0; m < table->model_count; m++) put_tally(file, tally_of(table, test, length, table->models[m]));
    fprintf(file, "</tr>\n");
    free(title);
}

static void put_missing(FILE *file, const verify_table *table, const char *suite) {
    for (size_t i = 0; i < table->book.missing_count; i++) {
        const verify_missing *m = &table->book.missing[i];
        if (!verify_misses(table, m) || !verify_is_of(m->tests, suite)) continue;
        const char *at = strstr(m->tests, suite) + strlen(suite) + 1;
        fprintf(file, "<tr><td>%.*s %s</td><td class=\"t na\" colspan=%zu>not applicable: needs %s</td></tr>\n",
                (int)strcspn(at, ";"), at, m->title, table->model_count, m->needs);
    }
}

/* Whether a test was told of before a row. */
static bool is_told(const verify_table *table, size_t before, const char *test, size_t length) {
    for (size_t i = 0; i < before; i++)
        if (has_test(table->rows[i].of->tests, test, length)) return true;
    return false;
}

/* A row for each test of a suite, in the order of cases. */
static void put_suite(FILE *file, const verify_table *table, size_t suite) {
    const char *name = table->book.suites[suite][0];
    bool begun = false;
    for (size_t i = 0; i < table->count; i++) {
        const char *tests = table->rows[i].of->tests;
        for (const char *at = tests; at; at = strstr(at, "; ")) {
            if (at != tests) at += 2;
            size_t length = strcspn(at, ";");
            if (strncmp(at, name, strlen(name)) != 0 || is_told(table, i, at, length)) continue;
            if (!begun) {
                fprintf(file, "<table><tr><th>%s</th>", table->book.suites[suite][1]);
                put_heads(file, table);
            }
            begun = true;
            put_test(file, table, table->rows[i].of, at, length);
        }
    }
    if (!begun) return;
    put_missing(file, table, name);
    fprintf(file, "</table>\n");
}

/* ------------------------------------------------------------------ case by case */

static void put_cell(FILE *file, const verify_row *row) {
    char *figure = verify_figure_text(row->figure), *least = verify_figure_text(row->least),
         *most = verify_figure_text(row->most);
    const char *class = row->verdict == VERDICT_TOLD                        ? "na"
                        : row->verdict == VERDICT_HOLDS                     ? "ok"
                        : row->criterion->whose == BY_US && !row->own_bound ? "own"
                                                                            : "bad";
    fprintf(file, "<td class=%s title=\"%s to %s over %zu seeds\">%s", class, least, most, row->seeds, figure);
    if (row->verdict == VERDICT_FAILS && row->criterion->judge == JUDGE_EACH && row->held > 0)
        fprintf(file, " <small>%zu/%zu</small>", row->held, row->seeds);
    fprintf(file, "</td>");
    free(figure);
    free(least);
    free(most);
}

static void put_criterion(FILE *file, const verify_row *rows, size_t count) {
    char *bound = verify_bound_text(&rows->bound);
    fprintf(file, "<tr><td class=t>");
    report_text(file, rows->criterion->what);
    if (*rows->criterion->unit) fprintf(file, " / %s", rows->criterion->unit);
    fprintf(file, "<br><small class=na>%s</small></td>", rows->criterion->name);
    report_cell(file, bound);
    fprintf(file, "<td class=t>%s<br><small class=na>", verify_whose_word(rows));
    report_text(file, rows->criterion->source);
    fprintf(file, "</small></td>");
    for (size_t i = 0; i < count; i++) put_cell(file, &rows[i]);
    fprintf(file, "</tr>\n");
    free(bound);
}

static void put_paragraph(FILE *file, const char *begin, const char *text) {
    if (!text) return;
    fprintf(file, "<p>%s", begin);
    report_text(file, text);
    fprintf(file, "</p>\n");
}

static size_t put_case(FILE *file, const verify_table *table, size_t first) {
    const verify_case *of = table->rows[first].of;
    char *title = verify_title(of);
    fprintf(file, "<h2 id=\"%s\">", of->name);
    report_text(file, title);
    free(title);
    fprintf(file, "</h2>\n<p>%s (%s); %zu seed%s%s%s</p>\n", of->name, of->tests, table->rows[first].seeds,
            table->rows[first].seeds == 1 ? "" : "s", of->by ? "; by " : "", of->by ? of->by : "");
    put_paragraph(file, "Not applicable: needs ", of->needs);
    put_paragraph(file, "", of->note);
    fprintf(file, "<table><tr><th>measured</th><th>asked</th><th style=\"text-align:left\">by</th>");
    if (of->no_model)
        fprintf(file, "<th>any model</th></tr>\n");
    else
        put_heads(file, table);
    size_t next = first;
    for (; next < table->count && table->rows[next].of == of; next += verify_same_criterion(table, next))
        put_criterion(file, &table->rows[next], verify_same_criterion(table, next));
    fprintf(file, "</table>\n");
    report_plots_open(file);
    verify_put_charts(file, table, first);
    verify_put_pictures(file, table, first);
    report_plots_close(file);
    return next;
}

bool verify_write_report(const verify_table *table, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    FILE *file = new.file;
    report_open(file, table->book.title);
    fprintf(
        file,
        "%s<p>Measured by throng %s. Every model runs with its defaults, nothing is tuned for a test.</p>\n"
        "<p><span class=ok>✓ 9</span> all nine criteria hold; <span class=bad>✗ 2 of 9</span> two fail, at least one "
        "of "
        "them a guideline's, real people's or another program's; <span class=own>○ 1 of 9</span> only bounds that we "
        "propose fail; "
        "<span class=na>n/a</span> the test needs what is not there, and something simpler stands in for it. A number "
        "is the mean over seeds; a criterion holds when it holds in every one, unless it is about the mean or median; "
        "<small>2/3</small> tells in how many it holds.</p>\n",
        style, throng_version());
    for (size_t i = 0; i < table->faults.count; i++) report_warning(file, table->faults.items[i]);
    for (size_t s = 0; s < table->book.suite_count; s++)
        if (!table->suite || !strcmp(table->suite, table->book.suites[s][0])) put_suite(file, table, s);
    for (size_t i = 0; i < table->count;) i = put_case(file, table, i);
    report_close(file);
    return newfile_finish(&new);
}
