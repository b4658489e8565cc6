/* compare_report.c: `throng compare -o FILE.html`: one page with pictures on the same clock, plots and tables. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "enclosure.h"
#include "newfile.h"
#include "report.h"

static const double seen_least = 20; /* people and moments that a mean speed is drawn from */

/* ------------------------------------------------------------------ pictures */

static void put_strip(const comparison *c, FILE *file) {
    fprintf(file, "<h2>On the same clock</h2><p>Seed ");
    report_text(file, c->study->design.seeds.items[0]);
    fprintf(file, ", coloured by speed from 0 (dark) to 1.6 m/s (bright).</p><table class=strip><tr><th></th>");
    for (size_t m = 0; m < COMPARE_MOMENTS; m++) fprintf(file, "<th>%g s</th>", c->moments[m]);
    for (size_t k = 0; k < c->variant_count; k++) {
        fprintf(file, "</tr>\n<tr>");
        report_cell(file, c->variants[k].name);
        for (size_t m = 0; m < COMPARE_MOMENTS; m++) {
            const picture_bytes *p = &c->variants[k].pictures[m];
            if (!p->length) {
                report_cell(file, "–");
                continue;
            }
            fprintf(file, "<td><img alt=\"\" src=\"data:image/png;base64,");
            write_base64(file, p->bytes, p->length);
            fprintf(file, "\"></td>");
        }
    }
    fprintf(file, "</tr></table>\n");
}

/* ------------------------------------------------------------------ plots */

static void put_keys(const comparison *c, report_plot *plot) {
    for (size_t k = 0; k < c->variant_count; k++) report_key(plot, (int)(k % REPORT_SERIES_COUNT), c->variants[k].name);
}

static void plot_arrivals(const comparison *c, FILE *file) {
    double most = 0;
    for (size_t k = 0; k < c->variant_count; k++) most = fmax(most, c->variants[k].arrived_high[COMPARE_TIMES - 1]);
    if (most == 0) return;
    report_axes axes = {.x = "time / s", .y = "people", .x_high = c->times[COMPARE_TIMES - 1], .y_high = most};
    report_plot plot =
        report_plot_open(file, "People who have arrived (mean; band: least and most of the seeds)", axes);
    for (size_t k = 0; k < c->variant_count; k++) {
        const variant *v = &c->variants[k];
        int series = (int)(k % REPORT_SERIES_COUNT);
        report_band(&plot, series, c->times, v->arrived_low, v->arrived_high, COMPARE_TIMES);
        report_line(&plot, series, c->times, v->arrived, COMPARE_TIMES);
    }
    put_keys(c, &plot);
    report_plot_close(&plot);
}

/* Mean speeds, or flows, by density; returns how many bins there are. */
static size_t diagram_of(const variant *v, bool flow, double *density, double *value) {
    size_t count = 0;
    for (size_t i = 0; i < TRIAL_BINS; i++) {
        double at = ((double)i + 0.5) * trial_bin_width;
        if (v->bins[i].people > 0) count = i + 1;
        density[i] = at;
        value[i] = v->bins[i].people < seen_least ? NAN : v->bins[i].speed / v->bins[i].people * (flow ? at : 1);
    }
    return count;
}

static void plot_diagram(const comparison *c, FILE *file, bool flow) {
    double density[TRIAL_BINS], value[TRIAL_BINS];
    size_t bins = 0;
    report_axes axes = {.x = "density / m⁻²", .y = flow ? "specific flow / m⁻¹ s⁻¹" : "speed / m s⁻¹"};
    for (size_t k = 0; k < c->variant_count; k++) {
        size_t here = diagram_of(&c->variants[k], flow, density, value);
        bins = here > bins ? here : bins;
        for (size_t i = 0; i < here; i++) axes.y_high = fmax(axes.y_high, isnan(value[i]) ? 0 : value[i]);
    }
    if (axes.y_high == 0) return;
    axes.x_high = (double)bins * trial_bin_width;
    axes.y_high = fmax(axes.y_high, 1.4);
    report_plot plot = report_plot_open(
        file, flow ? "Fundamental diagram: flow by density" : "Fundamental diagram: speed by density", axes);
    for (size_t k = 0; k < c->variant_count; k++) {
        diagram_of(&c->variants[k], flow, density, value);
        report_line(&plot, (int)(k % REPORT_SERIES_COUNT), density, value, bins);
    }
    put_keys(c, &plot);
    if (!flow) report_weidmann(&plot);
    report_plot_close(&plot);
}

/* A figure of every run, and its mean with the confidence interval. */
static void plot_runs(const comparison *c, FILE *file, const struct shown_row *row) {
    double most = 0, highest = 0;
    for (size_t k = 0; k < c->variant_count; k++) {
        for (size_t i = 0; i < c->seed_count; i++)
            most = fmax(most, c->variants[k].values[row->figure * c->seed_count + i]);
        highest = fmax(highest, c->variants[k].figures[row->figure].sample.high);
    }
    if (most == 0) return;
    highest = fmin(fmax(most, highest), 2 * most);
    report_axes axes = {.x = "column of the table", .y = row->label, .x_high = (double)c->variant_count + 0.5};
    axes.y_high = highest;
    report_plot plot = report_plot_open(file, row->label, axes);
    for (size_t k = 0; k < c->variant_count; k++) {
        const variant *v = &c->variants[k];
        const sample_mean *s = &v->figures[row->figure].sample;
        double at = (double)k + 1, beside = at + 0.12;
        for (size_t i = 0; i < c->seed_count; i++)
            report_dots(&plot, (int)(k % REPORT_SERIES_COUNT), &at, v->values + row->figure * c->seed_count + i, 1);
        double low = fmax(s->low, 0), high = fmin(s->high, highest);
        if (isfinite(s->low)) report_spreads(&plot, (int)(k % REPORT_SERIES_COUNT), &beside, &low, &high, 1);
    }
    put_keys(c, &plot);
    report_plot_close(&plot);
}

/* ------------------------------------------------------------------ the table */

static void put_figure(const comparison *c, FILE *file, const compared_figure *f, int digits) {
    const sample_mean *s = &f->sample;
    if (!s->count) {
        report_cell(file, "–");
        return;
    }
    fprintf(file, compare_differs(f) ? "<td class=differs>%.*f" : "<td>%.*f", digits, s->mean);
    if (isfinite(s->low)) fprintf(file, " ± %.*f", digits, s->high - s->mean);
    if (s->count < c->seed_count) fprintf(file, " <small>(%zu)</small>", s->count);
    fprintf(file, compare_differs(f) ? " *</td>" : "</td>");
}

static void put_table(const comparison *c, FILE *file, const shown_list *shown) {
    fprintf(file, "<h2>Figures</h2><div class=wide><table class=\"figures%s\"><tr><th></th>",
            c->variant_count > 5 ? " many" : "");
    for (size_t k = 0; k < c->variant_count; k++) {
        fprintf(file, "<th>");
        report_text(file, c->variants[k].name);
        fprintf(file, "</th>");
    }
    for (size_t i = 0; i < shown->count; i++) {
        fprintf(file, "</tr>\n<tr>");
        report_cell(file, shown->rows[i].label);
        for (size_t k = 0; k < c->variant_count; k++)
            put_figure(c, file, &c->variants[k].figures[shown->rows[i].figure], shown->rows[i].digits);
    }
    fprintf(
        file,
        "</tr></table></div>\n<p>Means over %zu seeds with 95 %% confidence intervals (Student's t); (n): only n of ",
        c->seed_count);
    fprintf(file, "the runs have it, as not everybody arrived in the others, say. * differs from ");
    report_text(file, c->variants[0].name);
    fprintf(file,
            " by Welch's t-test, at a level of 5 %% for all %zu differences together (Holm's correction), of figures "
            "that all runs have. ",
            c->test_count);
    fprintf(
        file,
        "Flows are from the 10th to the 90th percent of people. Efficiency of ways: distance from where people began "
        "to where they ended over the way they walked. Time to collision: E = k τ<sup>−p</sup> (Karamouzas et al. "
        "2014; people: p about 2). Times per step are of a machine that ran several at a time.</p>\n");
}

/* ------------------------------------------------------------------ the page */

static void put_head(const comparison *c, FILE *file) {
    fprintf(file,
            "<style>body{max-width:1200px}.strip img{width:100%%;display:block}.strip td:first-child{width:9%%}"
            ".strip td{padding:2px;font-weight:600}.strip th{text-align:center}.differs{background:#fff3cd}"
            ".figures tr:nth-child(even){background:#f6f6f6}.figures td{white-space:nowrap}"
            ".figures td.differs{background:#fff3cd}.wide{overflow-x:auto}"
            ".many{font-size:12px}.many td,.many th{padding-right:8px}</style><p>throng %s; scenario ",
            throng_version());
    report_text(file, c->study->path);
    fprintf(file, "; %zu variants with %zu seeds each.</p>\n", c->variant_count, c->seed_count);
    for (size_t k = 0; k < c->variant_count; k++) {
        const variant *v = &c->variants[k];
        if (!v->failed) continue;
        char *text =
            text_format("%s: %zu of %zu runs failed and are left out: %s", v->name, v->failed, c->seed_count, v->error);
        report_warning(file, text);
        free(text);
    }
}

bool compare_write_report(const comparison *c, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    char *title = text_format("Comparison: %s", c->study->path);
    shown_list shown = compare_shown(c);
    report_open(new.file, title);
    put_head(c, new.file);
    put_strip(c, new.file);
    put_table(c, new.file, &shown);
    fprintf(new.file, "<h2>Curves</h2>");
    report_plots_open(new.file);
    plot_arrivals(c, new.file);
    plot_diagram(c, new.file, false);
    plot_diagram(c, new.file, true);
    for (size_t i = 0; i < shown.count; i++) {
        const char *name = c->study->names[shown.rows[i].figure].name;
        if (!strcmp(name, "egress_last") || !strcmp(name, "arrival_flow") || text_ends_with(name, ".flow"))
            plot_runs(c, new.file, &shown.rows[i]);
    }
    report_plots_close(new.file);
    report_close(new.file);
    free(shown.rows);
    free(title);
    return newfile_finish(&new);
}
