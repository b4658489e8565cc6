/* measure_report.c: `throng measure --report`: one page with plots that needs nothing else, for screen and paper. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "colours.h"
#include "measure.h"
#include "newfile.h"

enum {
    WIDE = 460,
    HIGH = 300,
    LEFT = 58,
    RIGHT = 14,
    TOP = 12,
    BOTTOM = 44,
    BINS = 30,
    MAP_MOST = 120,
    POINTS_MOST = 1500
};

/* A plot: its axes in units and where it is written. */
typedef struct plot {
    FILE *file;
    double x_low, x_high, y_low, y_high;
} plot;

static double to_x(const plot *p, double x) {
    return LEFT + (x - p->x_low) / (p->x_high - p->x_low) * (WIDE - LEFT - RIGHT);
}

static double to_y(const plot *p, double y) {
    return HIGH - BOTTOM - (y - p->y_low) / (p->y_high - p->y_low) * (HIGH - TOP - BOTTOM);
}

static void put_text(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    }
}

/* 1, 2 or 5 times a power of ten, so that there are about five of them. */
static double tick_of(double span) {
    double power = pow(10, floor(log10(span / 5))), part = span / 5 / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static plot begin_plot(FILE *file, const char *title, const char *x, const char *y, double x_high, double y_high) {
    plot p = {file, 0, x_high > 0 ? x_high : 1, 0, y_high > 0 ? y_high * 1.05 : 1};
    fprintf(file, "<figure><figcaption>");
    put_text(file, title);
    fprintf(file, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDE, HIGH);
    double step = tick_of(p.x_high);
    for (double at = 0; at <= p.x_high * 1.0001; at += step)
        fprintf(file, "<line class=g x1=%.1f x2=%.1f y1=%d y2=%d /><text x=%.1f y=%d text-anchor=middle>%g</text>",
                to_x(&p, at), to_x(&p, at), TOP, HIGH - BOTTOM, to_x(&p, at), HIGH - BOTTOM + 16, at);
    step = tick_of(p.y_high);
    for (double at = 0; at <= p.y_high * 1.0001; at += step)
        fprintf(file, "<line class=g x1=%d x2=%d y1=%.1f y2=%.1f /><text x=%d y=%.1f text-anchor=end>%g</text>", LEFT,
                WIDE - RIGHT, to_y(&p, at), to_y(&p, at), LEFT - 6, to_y(&p, at) + 4, at);
    fprintf(file, "<text x=%d y=%d text-anchor=middle>%s</text>", (LEFT + WIDE - RIGHT) / 2, HIGH - 8, x);
    fprintf(file, "<text x=14 y=%d text-anchor=middle transform=\"rotate(-90 14 %d)\">%s</text>",
            (TOP + HIGH - BOTTOM) / 2, (TOP + HIGH - BOTTOM) / 2, y);
    return p;
}

static void end_plot(const plot *p) { fprintf(p->file, "</svg></figure>\n"); }

/* A line through those that are numbers; at most so many points that a page stays small. */
static void draw_series(const plot *p, const char *kind, const double *values, size_t first, size_t last, double fps) {
    size_t every = (last - first) / POINTS_MOST + 1;
    bool down = false;
    fprintf(p->file, "<path class=%s d=\"", kind);
    for (size_t f = first; f <= last; f += every) {
        bool good = isfinite(values[f]);
        if (good) fprintf(p->file, "%c%.1f %.1f", down ? 'L' : 'M', to_x(p, (double)f / fps), to_y(p, values[f]));
        down = good;
    }
    fprintf(p->file, "\"/>");
}

static void draw_dots(const plot *p, const double *x, const double *y, size_t first, size_t last) {
    size_t every = (last - first) / POINTS_MOST + 1;
    fprintf(p->file, "<path class=d d=\"");
    for (size_t i = first; i <= last; i += every)
        if (isfinite(x[i]) && isfinite(y[i]) && x[i] <= p->x_high && y[i] <= p->y_high)
            fprintf(p->file, "M%.1f %.1fh0", to_x(p, x[i]), to_y(p, y[i]));
    fprintf(p->file, "\"/>");
}

/* ------------------------------------------------------------------ plots */

static void plot_passed(const measurement *m, FILE *file) {
    size_t most = 0;
    for (size_t k = 0; k < m->lines.count; k++) most = m->line[k].count > most ? m->line[k].count : most;
    if (most == 0) return;
    plot p = begin_plot(file, "People who have passed, N(t)", "time / s", "people", (double)m->last / m->view.fps,
                        (double)most);
    for (size_t k = 0; k < m->lines.count; k++) {
        const line_figures *l = &m->line[k];
        fprintf(file, "<path class=s%zu d=\"M%.1f %.1f", k % 4, to_x(&p, (double)m->first / m->view.fps), to_y(&p, 0));
        for (size_t i = 0; i < l->count; i++)
            fprintf(file, "H%.1fV%.1f", to_x(&p, l->crossings[i].time), to_y(&p, (double)i + 1));
        fprintf(file, "H%.1f\"/><text class=t%zu x=%d y=%zu>", to_x(&p, (double)m->last / m->view.fps), k % 4, LEFT + 8,
                TOP + 16 * (k + 1));
        put_text(file, m->lines.items[k].name);
        fprintf(file, "</text>");
    }
    end_plot(&p);
}

static void plot_flow(const measurement *m, FILE *file, size_t k) {
    const line_figures *l = &m->line[k];
    if (l->block_count == 0) return;
    double seconds = (double)m->block_frames / m->view.fps, most = measure_sample(l->blocks, l->block_count).max;
    char *title = text_format("Flow at %s, in blocks of %g s", m->lines.items[k].name, seconds);
    plot p = begin_plot(file, title, "block", "flow / s⁻¹", (double)l->block_count, most);
    free(title);
    for (size_t i = 0; i < l->block_count; i++)
        fprintf(file, "<rect class=b x=%.1f y=%.1f width=%.1f height=%.1f />", to_x(&p, (double)i) + 1,
                to_y(&p, l->blocks[i]), to_x(&p, 1) - to_x(&p, 0) - 2, to_y(&p, 0) - to_y(&p, l->blocks[i]));
    end_plot(&p);
}

static double weidmann(double density) { return 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4))); }

/* Voronoi density and speed where they are known, else those by counting. */
static void plot_diagram(const measurement *m, FILE *file, size_t k) {
    const area_figures *a = &m->area[k];
    bool voronoi = a->voronoi_speed_all.count > 0;
    if (!voronoi && a->speed_all.count == 0) return;
    double x_most = fmax(voronoi ? a->voronoi_all.max : a->classic_all.max, 1);
    double y_most = fmax(voronoi ? a->voronoi_speed_all.max : a->speed_all.max, 1.4);
    char *title = text_format("Fundamental diagram in %s (%s)", m->areas.items[k].name, voronoi ? "Voronoi" : "count");
    plot p = begin_plot(file, title, "density / m⁻²", "speed / m s⁻¹", x_most, y_most);
    free(title);
    draw_dots(&p, voronoi ? a->voronoi : a->classic, voronoi ? a->voronoi_speed : a->speed, m->first, m->last);
    fprintf(file, "<path class=w d=\"");
    for (int i = 1; i <= 100; i++) {
        double density = x_most * i / 100;
        if (density <= 5.4)
            fprintf(file, "%c%.1f %.1f", i > 1 ? 'L' : 'M', to_x(&p, density), to_y(&p, weidmann(density)));
    }
    fprintf(file, "\"/><text x=%d y=%d text-anchor=end>dashed: Weidmann 1993</text>", WIDE - RIGHT - 4, TOP + 14);
    end_plot(&p);
}

static void plot_density(const measurement *m, FILE *file, size_t k) {
    const area_figures *a = &m->area[k];
    if (a->classic_all.count == 0) return;
    double most = fmax(a->classic_all.max, isfinite(a->voronoi_all.max) ? a->voronoi_all.max : 0);
    char *title = text_format("Density in %s (grey: by counting)", m->areas.items[k].name);
    plot p = begin_plot(file, title, "time / s", "density / m⁻²", (double)m->last / m->view.fps, most);
    free(title);
    draw_series(&p, "c", a->classic, m->first, m->last, m->view.fps);
    draw_series(&p, "s0", a->voronoi, m->first, m->last, m->view.fps);
    end_plot(&p);
}

/* How often values fall into each of some classes, up to the largest but the last 0.5 %. */
static void plot_histogram(const measurement *m, FILE *file, const char *title, const char *unit, const double *values,
                           bool inverse) {
    size_t begin = m->view.start[m->first], count = m->view.start[m->last + 1] - begin, bins[BINS] = {0}, most = 0;
    double *chosen = resize(NULL, (count + 1) * sizeof *chosen);
    for (size_t i = 0; i < count; i++) chosen[i] = inverse ? 1 / values[begin + i] : values[begin + i];
    sample_figures f = measure_sample(chosen, count);
    double high = fmin(f.max, f.p95 * 1.6);
    for (size_t i = 0; i < count && high > 0; i++) {
        if (!isfinite(chosen[i]) || chosen[i] >= high) continue;
        size_t *bin = &bins[(size_t)(chosen[i] / high * BINS)];
        if (++*bin > most) most = *bin;
    }
    free(chosen);
    if (f.count == 0 || most == 0) return;
    plot p = begin_plot(file, title, unit, "part of positions", high, (double)most / (double)f.count);
    for (int i = 0; i < BINS; i++) {
        double part = (double)bins[i] / (double)f.count;
        fprintf(file, "<rect class=b x=%.1f y=%.1f width=%.1f height=%.1f />", to_x(&p, high * i / BINS) + 0.5,
                to_y(&p, part), to_x(&p, high / BINS) - to_x(&p, 0) - 1, to_y(&p, 0) - to_y(&p, part));
    }
    end_plot(&p);
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
    double most = measure_sample(means, g->columns * g->rows).p95 * 1.2; /* few cells must not decide the colours */
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

static const char style[] =
    "<style>body{font:15px/1.4 system-ui,sans-serif;max-width:1000px;margin:24px auto;padding:0 16px;color:#222}"
    "h1{font-size:22px}table{border-collapse:collapse;margin:12px 0}td,th{padding:2px 12px 2px 0;text-align:right}"
    "td:first-child,th:first-child{text-align:left}.plots{display:grid;grid-template-columns:1fr 1fr;gap:16px}"
    "figure{margin:0;break-inside:avoid}figcaption{font-weight:600}svg{width:100%;font-size:12px;fill:#333}svg.m{max-"
    "height:420px}"
    "path{fill:none;stroke-width:1.6}.g{stroke:#e4e4e4}.s0,.b{stroke:#0072b2}.b{fill:#0072b2;stroke:none}.s1{stroke:#"
    "d55e00}"
    ".s2{stroke:#009e73}.s3{stroke:#cc79a7}.t0{fill:#0072b2}.t1{fill:#d55e00}.t2{fill:#009e73}.t3{fill:#cc79a7}"
    ".c{stroke:#bbb}.d{stroke:#0072b2;stroke-width:3;stroke-linecap:round;opacity:.45}.w{stroke:#d55e00;stroke-"
    "dasharray:6 4}"
    ".wall{stroke:#333;stroke-width:1;vector-effect:non-scaling-stroke}.warn{background:#fff3cd;padding:6px 10px}"
    "@media(max-width:700px){.plots{grid-template-columns:1fr}}</style>";

static void put_row(FILE *file, const char *what, const char *unit, const sample_figures *f) {
    fprintf(file, "<tr><td>%s</td><td>%s</td>", what, unit);
    const double values[] = {f->mean, f->sd, f->p5, f->p50, f->p95};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (isfinite(values[i]))
            fprintf(file, "<td>%.3f</td>", values[i]);
        else
            fprintf(file, "<td>–</td>");
    }
    fprintf(file, "</tr>\n");
}

static void put_head(FILE *file, const char *kind, const char *name) {
    fprintf(file, "<tr><th>%s ", kind);
    put_text(file, name);
    fprintf(file, "</th><th></th><th>mean</th><th>sd</th><th>5 %%</th><th>50 %%</th><th>95 %%</th></tr>\n");
}

static void put_number(FILE *file, const char *what, const char *unit, double value) {
    if (isfinite(value))
        fprintf(file, "<tr><td>%s</td><td>%s</td><td>%.3f</td></tr>\n", what, unit, value);
    else
        fprintf(file, "<tr><td>%s</td><td>%s</td><td>–</td></tr>\n", what, unit);
}

static void write_table(const measurement *m, FILE *file) {
    fprintf(file, "<table>\n");
    put_head(file, "everybody", "");
    put_row(file, "speed", "m/s", &m->speed);
    put_row(file, "nearest neighbour", "m", &m->nearest_all);
    put_row(file, "Voronoi density", "m⁻²", &m->density);
    put_number(file, "all gone after", "s", m->left_last);
    for (size_t k = 0; k < m->areas.count; k++) {
        put_head(file, "area", m->areas.items[k].name);
        put_row(file, "density, by counting", "m⁻²", &m->area[k].classic_all);
        put_row(file, "density, Voronoi", "m⁻²", &m->area[k].voronoi_all);
        put_row(file, "speed", "m/s", &m->area[k].speed_all);
        put_number(file, "band index", "", m->area[k].lanes.band_index);
    }
    for (size_t k = 0; k < m->lines.count; k++) {
        put_head(file, "line", m->lines.items[k].name);
        put_number(file, "crossed by", "people", (double)m->line[k].count);
        put_number(file, "flow, 10–90 %", "s⁻¹", m->line[k].flow);
        put_number(file, "specific flow", "m⁻¹ s⁻¹", m->line[k].flow / m->line[k].length);
        put_number(file, "time gap", "s", m->line[k].gap_mean);
    }
    fprintf(file, "</table>\n");
}

bool measure_write_report(const measurement *m, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    FILE *file = new.file;
    fprintf(file, "<!doctype html><html lang=en><meta charset=utf-8><title>");
    put_text(file, m->source);
    fprintf(file, "</title>%s<h1>", style);
    put_text(file, m->source);
    fprintf(file,
            "</h1><p>%zu people, %zu positions, %zu frames at %g a second; figures from %.2f to %.2f s. "
            "Measured by throng %s.</p>\n",
            m->view.person_count, m->view.row_count, m->view.frame_count, m->view.fps, (double)m->first / m->view.fps,
            (double)m->last / m->view.fps, throng_version());
    for (size_t i = 0; i < m->warnings.count; i++) {
        fprintf(file, "<p class=warn>");
        put_text(file, m->warnings.items[i]);
        fprintf(file, "</p>\n");
    }
    write_table(m, file);
    fprintf(file, "<div class=plots>\n");
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
    fprintf(file, "</div></html>\n");
    return newfile_finish(&new);
}
