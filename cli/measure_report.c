/* measure_report.c: `throng measure --report`: one page with plots that needs nothing else, for screen and paper. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "newfile.h"
#include "report.h"

enum { BINS = 30 };

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
    report_axes axes = {.x = "time / s", .y = "people", .x_high = end_s(m), .y_high = (double)most};
    report_plot plot = report_plot_open(file, "People who have passed, N(t)", axes);
    for (size_t k = 0; k < m->lines.count; k++) draw_passed(m, &plot, k);
    report_plot_close(&plot);
}

static void plot_flow(const measurement *m, FILE *file, size_t k) {
    const line_figures *l = &m->line[k];
    if (l->block_count == 0) return;
    double seconds = (double)m->block_frames / m->view.fps, most = throng_sample_of(l->blocks, l->block_count).max;
    char *title = text_format("Flow at %s, in blocks of %g s", m->lines.items[k].name, seconds);
    report_axes axes = {.x = "time / s", .y = "flow / s⁻¹", .x_high = end_s(m), .y_high = most};
    report_plot plot = report_plot_open(file, title, axes);
    free(title);
    report_bars(&plot, 0, fmax(l->block_end[0] - seconds, 0), seconds, l->blocks, l->block_count);
    report_plot_close(&plot);
}

/* Speeds of real people in straight corridors of 1.8 and 3 m, one way: from the lower to the upper tenth of both (runs
 * uo-* of doi:10.34735/ped.2009.6). */
static const double real_density[] = {0.375, 0.625, 0.875, 1.125, 1.375, 1.625, 1.875,
                                      2.125, 2.375, 2.625, 2.875, 3.125, 3.375, 3.9};
static const double real_low[] = {1.24, 1.23, 1.14, 0.97, 0.93, 0.88, 0.52, 0.49, 0.39, 0.4, 0.32, 0.17, 0.17, 0.12};
static const double real_high[] = {1.75, 1.59, 1.47, 1.31, 1.27, 1.12, 1.02, 0.87, 0.6, 0.54, 0.45, 0.37, 0.37, 0.2};
enum { REAL_COUNT = sizeof real_density / sizeof *real_density };

/* The real people, as far as the axis goes, and Weidmann. */
static void draw_references(report_plot *plot) {
    size_t count = 0;
    while (count < REAL_COUNT && real_density[count] <= plot->axes.x_high) count++;
    if (count > 1) report_band(plot, REPORT_GREY, real_density, real_low, real_high, count);
    if (count > 1) report_key(plot, REPORT_GREY, "grey: real people, 10–90 %");
    report_weidmann(plot);
}

/* All methods of an area; of a line its own. */
static void plot_diagram(const measurement *m, FILE *file, const char *where, bool line) {
    report_axes axes = {.x = "density / m⁻²", .y = "speed / m s⁻¹", .x_high = 1, .y_high = 1.8};
    size_t all = 0;
    for (size_t i = 0; i < m->diagram_count; i++) {
        const diagram *d = &m->diagrams[i];
        if (d->where != where || (*d->method == 'l') != line) continue;
        all += d->count;
        for (size_t k = 0; k < d->count; k++) {
            axes.x_high = fmax(axes.x_high, d->points[k].density);
            axes.y_high = fmax(axes.y_high, d->points[k].speed);
        }
    }
    if (all == 0) return;
    char *title = text_format("Fundamental diagram %s %s", line ? "at" : "in", where);
    report_plot plot = report_plot_open(file, title, axes);
    free(title);
    draw_references(&plot);
    int series = 0;
    double *x = resize(NULL, 2 * all * sizeof *x), *y = x + all;
    for (size_t i = m->diagram_count; i-- > 0;) {
        const diagram *d = &m->diagrams[i];
        if (d->where != where || (*d->method == 'l') != line || d->count == 0) continue;
        for (size_t k = 0; k < d->count; k++) x[k] = d->points[k].density, y[k] = d->points[k].speed;
        report_dots(&plot, series, x, y, d->count);
        report_key(&plot, series++, d->method);
    }
    free(x);
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

/* ------------------------------------------------------------------ waiting and pairs */

static void plot_queues(const measurement *m, FILE *file) {
    double most = 0;
    size_t count = m->last - m->first + 1;
    for (size_t k = 0; k < m->goals.count; k++)
        if (m->goal[k].queue_all.max > most) most = m->goal[k].queue_all.max;
    if (most == 0) return;
    double *time = resize(NULL, count * sizeof *time);
    for (size_t i = 0; i < count; i++) time[i] = (double)(m->first + i) / m->view.fps;
    report_axes axes = {.x = "time / s", .y = "people", .x_high = end_s(m), .y_high = most};
    report_plot plot = report_plot_open(file, "People who stand before a goal", axes);
    for (size_t k = 0; k < m->goals.count; k++) {
        if (!(m->goal[k].queue_all.max > 0)) continue;
        report_line(&plot, (int)(k % REPORT_SERIES_COUNT), time, m->goal[k].queue + m->first, count);
        report_key(&plot, (int)(k % REPORT_SERIES_COUNT), m->goals.items[k].name);
    }
    report_plot_close(&plot);
    free(time);
}

static void plot_waiting(const measurement *m, FILE *file) {
    const double *waited = m->waited;
    throng_sample f = throng_sample_of(waited, m->view.person_count);
    if (!(f.max > 0)) return;
    double part[BINS] = {0}, most = 0;
    for (size_t p = 0; p < m->view.person_count; p++) {
        if (isnan(waited[p])) continue;
        size_t bin = (size_t)(waited[p] / f.max * BINS);
        part[bin < BINS ? bin : BINS - 1] += 1 / (double)f.count;
    }
    for (int i = 0; i < BINS; i++) most = fmax(most, part[i]);
    report_axes axes = {.x = "time at 0.3 m/s or less / s", .y = "part of people", .x_high = f.max, .y_high = most};
    report_plot plot = report_plot_open(file, "Waiting", axes);
    report_bars(&plot, 0, 0, f.max / BINS, part, BINS);
    report_plot_close(&plot);
}

static void plot_pairs(const measurement *m, FILE *file) {
    double x[PAIR_BINS], most = throng_sample_of(m->pairs, PAIR_BINS).max;
    for (int i = 0; i < PAIR_BINS; i++) x[i] = measure_pair_bin * (i + 0.5);
    if (!(most > 0)) return;
    report_axes axes = {.x = "distance / m", .y = "g", .x_high = measure_pair_bin * PAIR_BINS, .y_high = most};
    report_plot plot = report_plot_open(file, "Pair distribution", axes);
    report_line(&plot, 0, x, m->pairs, PAIR_BINS);
    report_plot_close(&plot);
}

static void plot_energy(const measurement *m, FILE *file) {
    const throng_collisions *c = &m->collisions;
    double x[THRONG_COLLISION_BINS], law[THRONG_COLLISION_BINS];
    if (!isfinite(c->exponent)) return;
    report_axes axes = {.x = "time to collision / s", .y = "energy", .x_high = 4, .y_low = -0.5, .y_high = 4};
    for (int i = 0; i < THRONG_COLLISION_BINS; i++) {
        x[i] = 0.1 * (i + 0.5);
        law[i] = c->scale * pow(x[i], -c->exponent);
        if (law[i] > axes.y_high) law[i] = NAN;
    }
    char *key = text_format("dashed: %.2f τ^-%.2f", c->scale, c->exponent);
    report_plot plot = report_plot_open(file, "Energy of interaction (Karamouzas et al. 2014)", axes);
    report_dots(&plot, 0, x, c->energy, 40);
    report_line(&plot, REPORT_REFERENCE, x, law, 40);
    report_key(&plot, REPORT_REFERENCE, key);
    report_plot_close(&plot);
    free(key);
}

static void plot_classes(const measurement *m, FILE *file) {
    static const char *const names[] = {"2.3 m² or more: comfortable", "0.9 to 2.3 m²: restricted",
                                        "0.5 to 0.9 m²: shuffling",    "0.3 to 0.5 m²: dense",
                                        "0.2 to 0.3 m²: touching",     "less than 0.2 m²: danger of crushing"};
    if (!isfinite(m->area_class[0])) return;
    fprintf(file, "<figure><figcaption>Personal area (classes of FEMA)</figcaption><table>\n");
    for (size_t k = 0; k < AREA_CLASSES; k++)
        fprintf(file, "<tr><td>%s</td><td>%.1f %%</td></tr>\n", names[k], 100 * m->area_class[k]);
    fprintf(file, "</table></figure>\n");
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
    put_row(file, "acceleration", "m s⁻²", &m->acceleration_all);
    put_row(file, "pressure", "s⁻²", &m->pressure_all);
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
    for (size_t k = 0; k < m->goals.count; k++) {
        put_head(file, "goal", m->goals.items[k].name);
        put_row(file, "waiting", "s", &m->goal[k].waited);
        put_row(file, "queue", "people", &m->goal[k].queue_all);
    }
    fprintf(file, "</table>\n");
}

/* Every figure that is known. */
static void write_figures(const measurement *m, FILE *file) {
    fprintf(file, "<h2>Figures of the run</h2><table>\n");
    for (size_t k = 0; k < throng_summary_count(); k++) {
        throng_summary_line line = throng_summary_about(k);
        double value = throng_summary_value(&m->run, k);
        if (!isfinite(value)) continue;
        fprintf(file, "<tr><td>%s</td>", line.about);
        report_number(file, value, value == floor(value) ? 0 : 3);
        fprintf(file, "<td>%s</td></tr>\n", line.unit);
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
    for (size_t k = 0; k < m->lines.count; k++) {
        plot_flow(m, file, k);
        plot_diagram(m, file, m->lines.items[k].name, true);
    }
    for (size_t k = 0; k < m->areas.count; k++) {
        plot_diagram(m, file, m->areas.items[k].name, false);
        plot_density(m, file, k);
    }
    bool cells = m->walled || m->cut_off > 0;
    const throng_maps *maps = cells ? &m->cell_maps : &m->kernel_maps;
    measure_draw_map(m, file, cells ? "Density (Voronoi)" : "Density (Gaussian)", "m⁻²", maps, maps->density);
    measure_draw_map(m, file, "Speed", "m/s", maps, maps->speed);
    measure_draw_map(m, file, "Flow", "m⁻¹ s⁻¹", maps, maps->flow);
    plot_queues(m, file);
    plot_waiting(m, file);
    plot_histogram(m, file, "Speeds", "speed / m s⁻¹", m->v, false);
    plot_histogram(m, file, "Voronoi densities", "density / m⁻²", m->cell, true);
    plot_histogram(m, file, "Nearest neighbours", "distance / m", m->nearest, false);
    plot_pairs(m, file);
    plot_energy(m, file);
    plot_classes(m, file);
    report_plots_close(file);
    write_figures(m, file);
    report_close(file);
    return newfile_finish(&new);
}
