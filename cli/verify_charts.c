/* verify_charts.c: charts of series of runs, and pictures of runs that fail, for the report of `throng verify`. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "verify_measures.h"

/* ------------------------------------------------------------------ charts */

/* The mean over seeds of a run's number; NaN when one is not known. */
static double mean_of_run(const verify_row *row, size_t run) {
    double sum = 0;
    for (size_t s = 0; s < row->seeds; s++) sum += row->values[s * row->runs + run];
    return sum / (double)row->seeds;
}

static double value_of_run(const verify_case *of, size_t run) {
    if (!of->changes) return (double)run + 1;
    return of->values[run] * (of->per > 0 ? of->per : 1);
}

static report_axes axes_for(const verify_row *rows, size_t count, const char *y) {
    const verify_case *of = rows->of;
    report_axes axes = {.x = of->by, .y = y, .x_low = value_of_run(of, 0), .x_high = value_of_run(of, rows->runs - 1)};
    if (axes.x_low > 0 && axes.x_low < 0.4 * axes.x_high) axes.x_low = 0;
    if (rows->criterion->measure == measure_single_file_speed) axes.y_high = 1.5; /* that of real people */
    for (size_t i = 0; i < count; i++)
        for (size_t run = 0; run < rows->runs; run++) {
            double value = mean_of_run(&rows[i], run);
            if (value > axes.y_high) axes.y_high = value;
            if (value < axes.y_low) axes.y_low = value;
        }
    return axes;
}

/* What real people do, where there is a curve of it. */
static void draw_reference(report_plot *plot, const verify_row *row) {
    if (row->criterion->measure == measure_area_speed) report_weidmann(plot);
    if (row->criterion->measure != measure_single_file_speed) return;
    enum { POINTS = 40 };
    double x[POINTS], low[POINTS], high[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 0.1 + (plot->axes.x_high - 0.1) * i / (POINTS - 1);
        verify_percentiles(x[i], &low[i], &high[i]);
    }
    report_band(plot, REPORT_REFERENCE, x, low, high, POINTS);
    report_key(plot, REPORT_REFERENCE, "band: real people, 10 to 90 %");
}

static void put_chart(FILE *file, const verify_row *rows, size_t count) {
    const verify_criterion *c = rows->criterion;
    char *y = *c->unit ? text_format("%s", c->unit) : text_format("%s", c->name);
    char *title = text_format("%s: %s", c->name, c->fold == FOLD_MEAN || c->bound.none ? c->what : "each run");
    report_plot plot = report_plot_open(file, title, axes_for(rows, count, y));
    for (size_t i = 0; i < count; i++) {
        double x[VERIFY_RUNS_MOST], value[VERIFY_RUNS_MOST];
        for (size_t run = 0; run < rows->runs; run++) {
            x[run] = value_of_run(rows->of, run);
            value[run] = mean_of_run(&rows[i], run);
        }
        report_line(&plot, (int)i, x, value, rows->runs);
        report_dots(&plot, (int)i, x, value, rows->runs);
        report_key(&plot, (int)i, rows[i].model);
    }
    draw_reference(&plot, rows);
    report_plot_close(&plot);
    free(title);
    free(y);
}

/* Whether all numbers of some rows are 0. */
static bool is_never(const verify_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < rows->runs * rows->seeds; k++)
            if (rows[i].values[k] != 0) return false;
    return true;
}

/* Numbers that are worth a chart: of a series, and not just "never". */
static bool is_charted(const verify_table *table, size_t first, size_t at) {
    const verify_row *row = &table->rows[at];
    if (row->runs < 2 || row->criterion->fold == FOLD_SUM || row->criterion->fold == FOLD_SPREAD) return false;
    if (row->criterion->measure == measure_in_percentiles || row->criterion->measure == measure_left_inside)
        return false;
    for (size_t i = first; i < at; i++)
        if (table->rows[i].criterion->measure == row->criterion->measure) return false; /* drawn already */
    return !is_never(row, verify_same_criterion(table, at));
}

void verify_put_charts(FILE *file, const verify_table *table, size_t first) {
    for (size_t i = first; i < table->count && table->rows[i].of == table->rows[first].of;) {
        size_t count = verify_same_criterion(table, i);
        if (is_charted(table, first, i)) put_chart(file, &table->rows[i], count);
        i += count;
    }
}

/* ------------------------------------------------------------------ pictures */

/* The run of the first seed that a verdict hangs on most. */
static size_t worst_run(const verify_row *row) {
    verify_fold fold = row->criterion->fold;
    bool low = fold == FOLD_LEAST || (isinf(row->bound.high) && fold != FOLD_LEAST_RISE); /* the less the worse */
    size_t worst = 0;
    double worst_by = -INFINITY;
    for (size_t run = 0; run < row->runs; run++) {
        double value = row->values[run], before = run ? row->values[run - 1] : NAN;
        double by = fold == FOLD_LEAST_RISE  ? before - value
                    : fold == FOLD_MOST_RISE ? value - before
                    : low                    ? -value
                                             : value;
        if (isnan(value)) return run;
        if (!(by > worst_by)) continue;
        worst = run;
        worst_by = by;
    }
    return worst;
}

static const char *picture_of(const verify_table *table, const verify_row *row, size_t run) {
    const char *model = row->of->no_model ? "none" : row->model;
    for (size_t i = 0; i < table->picture_count; i++) {
        const verify_picture *p = &table->pictures[i];
        if (!strcmp(p->model, model) && verify_is_same_run(p->of, p->run, row->of, run)) return p->svg;
    }
    return NULL;
}

static void put_failure(FILE *file, const verify_row *row) {
    char *figure = verify_figure_text(row->figure), *bound = verify_bound_text(&row->bound);
    char *line = text_format("%s: %s%s%s, asked %s (%s)", row->criterion->what, figure,
                             *row->criterion->unit ? " " : "", row->criterion->unit, bound, verify_whose_word(row));
    const char *remark = verify_remark(row->of->name, row->criterion->name, row->model);
    fprintf(file, "<li>");
    report_text(file, line);
    if (remark) fprintf(file, "<br><i>");
    if (remark) report_text(file, remark);
    if (remark) fprintf(file, "</i>");
    fprintf(file, "</li>");
    free(line);
    free(figure);
    free(bound);
}

/* A figure for a model that fails: which run is seen, what it fails, and the run. */
static void put_picture(FILE *file, const verify_table *table, size_t first, const char *model) {
    const verify_row *worst = NULL;
    for (size_t i = first; i < table->count && table->rows[i].of == table->rows[first].of; i++) {
        const verify_row *row = &table->rows[i];
        if (row->verdict != VERDICT_FAILS || strcmp(row->model, model) != 0) continue;
        if (!worst || row->criterion->whose < worst->criterion->whose) worst = row;
    }
    if (!worst) return;
    size_t run = worst_run(worst);
    const char *svg = picture_of(table, worst, run);
    fprintf(file, "<figure><figcaption>%s", model);
    if (worst->of->scenarios[0]) fprintf(file, ", %s", verify_scenario_of(worst->of, run));
    if (worst->of->changes) fprintf(file, ", %s %.4g", worst->of->by, value_of_run(worst->of, run));
    fprintf(file, ", seed 1</figcaption><ul>");
    for (size_t i = first; i < table->count && table->rows[i].of == table->rows[first].of; i++)
        if (table->rows[i].verdict == VERDICT_FAILS && !strcmp(table->rows[i].model, model))
            put_failure(file, &table->rows[i]);
    fprintf(file, "</ul>%s</figure>\n", svg ? svg : "");
}

void verify_put_pictures(FILE *file, const verify_table *table, size_t first) {
    if (table->rows[first].of->no_model) put_picture(file, table, first, "any");
    for (size_t m = 0; m < table->model_count; m++) put_picture(file, table, first, table->models[m]);
}
