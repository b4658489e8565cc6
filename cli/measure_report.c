/* measure_report.c: `throng measure --report`: one page with plots that needs nothing else, for screen and paper. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "colours.h"
#include "measure.h"
#include "newfile.h"
#include "report.h"

enum { BINS = 30, MAP_MOST = 120 };

/* ------------------------------------------------------------------ plots */

static double end_s(const measurement *m) { return (double)m->last / m->view.fps; }

/* N(t) of a line, from the first frame to the last. */
static void draw_passed(const measurement *m, report_plot *plot, size_t k) {
    const line_figures *l = &m->line[k];
    double *time = resize(NULL, 2 * (l->flow.count + 2) * sizeof *time), *people = time + l->flow.count + 2;
    time[0] = (double)m->first / m->view.fps;
    people[0] = 0;
    for (size_t i = 0; i < l->flow.count; i++) {
        time[i + 1] = l->crossings[i].time;
        people[i + 1] = (double)i + 1;
    }
    time[l->flow.count + 1] = end_s(m);
    people[l->flow.count + 1] = (double)l->flow.count;
    report_stairs(plot, (int)k, time, people, l->flow.count + 2);
    report_key(plot, (int)k, m->lines.items[k].name);
    free(time);
}

static void plot_passed(const measurement *m, FILE *file) {
    size_t most = 0;
    for (size_t k = 0; k < m->lines.count; k++) most = m->line[k].flow.count > most ? m->line[k].flow.count : most;
    if (most == 0) return;
    report_axes axes = {.x = "time / s", .y = "people", .x_high = end_s(m), .y_high = (double)most, .keys_left = true};
    report_plot plot = report_plot_open(file, "People who have passed, N(t)", axes);
    for (size_t k = 0; k < m->lines.count; k++) draw_passed(m, &plot, k);
    report_plot_close(&plot);
}

static void plot_flow(const measurement *m, FILE *file, size_t k) {
    const line_figures *l = &m->line[k];
    if (l->block_count == 0) return;
    double seconds = (double)m->block_frames / m->view.fps, most = throng_sample_of(l->blocks, l->block_count).max;
    char *title = text_format("Flow at %s, in blocks of %g s", m->lines.items[k].name, seconds);
    report_axes axes = {.x = "block", .y = "flow / s⁻¹", .x_high = (double)l->block_count, .y_high = most};
    report_plot plot = report_plot_open(file, title, axes);
    free(title);
    report_bars(&plot, 0, 0, 1, l->blocks, l->block_count);
    report_plot_close(&plot);
}

/* Voronoi density and speed where they are known, else those by counting. */
static void plot_diagram(const measurement *m, FILE *file, size_t k) {
    const area_figures *a = &m->area[k];
    bool voronoi = a->voronoi_speed_all.count > 0;
    if (!voronoi && a->speed_all.count == 0) return;
    report_axes axes = {.x = "density / m⁻²", .y = "speed / m s⁻¹"};
    axes.x_high = fmax(voronoi ? a->voronoi_all.max : a->classic_all.max, 1);
    axes.y_high = fmax(voronoi ? a->voronoi_speed_all.max : a->speed_all.max, 1.4);
    char *title = text_format("Fundamental diagram in %s (%s)", m->areas.items[k].name, voronoi ? "Voronoi" : "count");
    report_plot plot = report_plot_open(file, title, axes);
    free(title);
    const double *density = voronoi ? a->voronoi : a->classic, *speed = voronoi ? a->voronoi_speed : a->speed;
    report_dots(&plot, 0, density + m->first, speed + m->first, m->last - m->first + 1);
    report_weidmann(&plot);
    report_plot_close(&plot);
}

static void plot_density(const measurement *m, FILE *file, size_t k) {
    const area_figures *a = &m->area[k];
    if (a->classic_all.count == 0) return;
    size_t count = m->last - m->first + 1;
    double *time = resize(NULL, count * sizeof *time);
    for (size_t i = 0; i < count; i++) time[i] = (double)(m->first + i) / m->view.fps;
    char *title = text_format("Density in %s (grey: by counting)", m->areas.items[k].name);
    report_axes axes = {.x = "time / s", .y = "density / m⁻²", .x_high = end_s(m)};
    axes.y_high = fmax(a->classic_all.max, isfinite(a->voronoi_all.max) ? a->voronoi_all.max : 0);
    report_plot plot = report_plot_open(file, title, axes);
    free(title);
    report_line(&plot, REPORT_GREY, time, a->classic + m->first, count);
    report_line(&plot, 0, time, a->voronoi + m->first, count);
    report_plot_close(&plot);
    free(time);
}

/* How often values fall into each of some classes, up to the largest but the last 0.5 %. */
static void plot_histogram(const measurement *m, FILE *file, const char *title, const char *unit, const double *values,
                           bool inverse) {
    size_t begin = m->view.start[m->first], count = m->view.start[m->last + 1] - begin, bins[BINS] = {0}, most = 0;
    double *chosen = resize(NULL, (count + 1) * sizeof *chosen);
    for (size_t i = 0; i < count; i++) chosen[i] = inverse ? 1 / values[begin + i] : values[begin + i];
    throng_sample f = throng_sample_of(chosen, count);
    double high = fmin(f.max, f.p95 * 1.6);
    for (size_t i = 0; i < count && high > 0; i++) {
        if (!isfinite(chosen[i]) || chosen[i] >= high) continue;
        size_t *bin = &bins[(size_t)(chosen[i] / high * BINS)];
        if (++*bin > most) most = *bin;
    }
    free(chosen);
    if (f.count == 0 || most == 0) return;
    double part[BINS];
    for (int i = 0; i < BINS; i++) part[i] = (double)bins[i] / (double)f.count;
    report_axes axes = {.x = unit, .y = "part of positions", .x_high = high, .y_high = (double)most / (double)f.count};
    report_plot plot = report_plot_open(file, title, axes);
    report_bars(&plot, 0, 0, high / BINS, part, BINS);
    report_plot_close(&plot);
}

/* ------------------------------------------------------------------ maps */

typedef struct map {
    throng_point low;
    double cell;
    size_t columns, rows;
    double *sum, *count;
} map;

/* The mean of a value over the positions in each cell of a grid. */
static map make_map(const measurement *m, const double *values, bool inverse) {
    const throng_tracks_view *v = &m->view;
    throng_point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t i = v->start[m->first]; i < v->start[m->last + 1]; i++) {
        low.x = fmin(low.x, v->x[i]), high.x = fmax(high.x, v->x[i]);
        low.y = fmin(low.y, v->y[i]), high.y = fmax(high.y, v->y[i]);
    }
    map g = {.low = low, .cell = fmax(0.2, fmax(high.x - low.x, high.y - low.y) / MAP_MOST)};
    g.columns = (size_t)((high.x - low.x) / g.cell) + 1;
    g.rows = (size_t)((high.y - low.y) / g.cell) + 1;
    g.sum = calloc(2 * g.columns * g.rows, sizeof *g.sum);
    g.count = g.sum + g.columns * g.rows;
    for (size_t i = v->start[m->first]; g.sum && i < v->start[m->last + 1]; i++) {
        if (!isfinite(values[i])) continue;
        size_t at = (size_t)((v->y[i] - low.y) / g.cell) * g.columns + (size_t)((v->x[i] - low.x) / g.cell);
        g.sum[at] += inverse ? 1 / values[i] : values[i];
        g.count[at]++;
    }
    return g;
}

static void draw_map(const measurement *m, FILE *file, const char *title, const char *unit, const map *g,
                     bool density) {
    double *means = resize(NULL, g->columns * g->rows * sizeof *means);
    for (size_t i = 0; i < g->columns * g->rows; i++) means[i] = g->count[i] > 0 ? g->sum[i] / g->count[i] : NAN;
    double most = throng_sample_of(means, g->columns * g->rows).p95 * 1.2; /* few cells must not decide the colours */
    free(means);
    if (!(most > 0)) return;
    double wide = (double)g->columns, high = (double)g->rows;
    fprintf(file, "<figure><figcaption>%s, colours up to %.2f %s</figcaption><svg class=m viewBox=\"%g %g %g %g\">",
            title, most, unit, -0.02 * wide, -0.02 * high, 1.04 * wide, 1.04 * high);
    for (size_t i = 0; i < g->columns * g->rows; i++) {
        if (g->count[i] == 0) continue;
        double part = fmin(g->sum[i] / g->count[i] / most, 1);
        colour c = density ? colour_of_density(part) : colour_of_quantity(part);
        fprintf(file, "<rect x=%zu y=%zu width=1.03 height=1.03 fill=\"#%06x\" />", i % g->columns,
                g->rows - 1 - i / g->columns, (unsigned)colour_bits(c));
    }
    for (size_t r = 0; m->place && r < throng_place_ring_count(m->place); r++) {
        throng_ring ring = throng_place_ring(m->place, r);
        fprintf(file, "<path class=wall d=\"");
        for (size_t i = 0; i < ring.count; i++)
            fprintf(file, "%c%.2f %.2f", i ? 'L' : 'M', (ring.points[i].x - g->low.x) / g->cell,
                    high - (ring.points[i].y - g->low.y) / g->cell);
        fprintf(file, "Z\"/>");
    }
    fprintf(file, "</svg></figure>\n");
}

static void write_maps(const measurement *m, FILE *file) {
    map density = make_map(m, m->cell, true), speed = make_map(m, m->v, false);
    draw_map(m, file, "Where it was dense (mean Voronoi density of those there)", "m⁻²", &density, true);
    draw_map(m, file, "Where people were fast (mean speed of those there)", "m/s", &speed, false);
    free(density.sum);
    free(speed.sum);
}

/* ------------------------------------------------------------------ the page */

static void put_row(FILE *file, const char *what, const char *unit, const throng_sample *f) {
    fprintf(file, "<tr><td>%s</td><td>%s</td>", what, unit);
    const double values[] = {f->mean, f->sd, f->p5, f->p50, f->p95};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) report_number(file, values[i], 3);
    fprintf(file, "</tr>\n");
}

static void put_head(FILE *file, const char *kind, const char *name) {
    fprintf(file, "<tr><th>%s ", kind);
    report_text(file, name);
    fprintf(file, "</th><th></th><th>mean</th><th>sd</th><th>5 %%</th><th>50 %%</th><th>95 %%</th></tr>\n");
}

static void put_number(FILE *file, const char *what, const char *unit, double value) {
    fprintf(file, "<tr><td>%s</td><td>%s</td>", what, unit);
    report_number(file, value, 3);
    fprintf(file, "</tr>\n");
}

static void write_table(const measurement *m, FILE *file) {
    fprintf(file, "<table>\n");
    put_head(file, "everybody", "");
    put_row(file, "speed", "m/s", &m->speed);
    put_row(file, "nearest neighbour", "m", &m->nearest_all);
    put_row(file, "Voronoi density", "m⁻²", &m->density);
    put_number(file, "all gone after", "s", m->run.egress_last);
    for (size_t k = 0; k < m->areas.count; k++) {
        put_head(file, "area", m->areas.items[k].name);
        put_row(file, "density, by counting", "m⁻²", &m->area[k].classic_all);
        put_row(file, "density, Voronoi", "m⁻²", &m->area[k].voronoi_all);
        put_row(file, "speed", "m/s", &m->area[k].speed_all);
        put_number(file, "band index", "", m->area[k].lanes.band_index);
    }
    for (size_t k = 0; k < m->lines.count; k++) {
        put_head(file, "line", m->lines.items[k].name);
        put_number(file, "crossed by", "people", (double)m->line[k].flow.count);
        put_number(file, "flow, 10–90 %", "s⁻¹", m->line[k].flow.flow);
        put_number(file, "specific flow", "m⁻¹ s⁻¹", m->line[k].flow.flow / m->line[k].length);
        put_number(file, "time gap", "s", m->line[k].flow.gap_mean);
    }
    fprintf(file, "</table>\n");
}

bool measure_write_report(const measurement *m, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    FILE *file = new.file;
    report_open(file, m->source);
    fprintf(file,
            "<p>%zu people, %zu positions, %zu frames at %g a second; figures from %.2f to %.2f s. "
            "Measured by throng %s.</p>\n",
            m->view.person_count, m->view.row_count, m->view.frame_count, m->view.fps, (double)m->first / m->view.fps,
            end_s(m), throng_version());
    for (size_t i = 0; i < m->warnings.count; i++) report_warning(file, m->warnings.items[i]);
    write_table(m, file);
    report_plots_open(file);
    plot_passed(m, file);
    for (size_t k = 0; k < m->lines.count; k++) plot_flow(m, file, k);
    for (size_t k = 0; k < m->areas.count; k++) {
        plot_diagram(m, file, k);
        plot_density(m, file, k);
    }
    write_maps(m, file);
    plot_histogram(m, file, "Speeds", "speed / m s⁻¹", m->v, false);
    plot_histogram(m, file, "Voronoi densities", "density / m⁻²", m->cell, true);
    plot_histogram(m, file, "Nearest neighbours", "distance / m", m->nearest, false);
    report_plots_close(file);
    report_close(file);
    return newfile_finish(&new);
}
