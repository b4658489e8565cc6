/* report.c: see report.h. Plots are SVG inside the page. */

#include "report.h"

#include <math.h>

#include "enclosure.h"

enum { WIDE = 460, HIGH = 300, LEFT = 58, RIGHT = 14, TOP = 12, BOTTOM = 44, POINTS_MOST = 1500 };

/* ------------------------------------------------------------------ the page */

/* Classes of what is drawn: g a line of the grid, a band, b bars, d dots, l lines, k an entry of the legend below. */
static const char style[] =
    "<style>body{font:15px/1.4 system-ui,sans-serif;max-width:1000px;margin:24px auto;padding:0 16px;color:#222}"
    "h1{font-size:22px}h2{font-size:18px;margin-top:28px}table{border-collapse:collapse;margin:12px 0}"
    "td,th{padding:2px 12px 2px 0;text-align:right}td:first-child,th:first-child{text-align:left}"
    ".plots{display:grid;grid-template-columns:1fr 1fr;gap:16px}"
    "figure{margin:0;break-inside:avoid}figcaption{font-weight:600}figure img{max-width:100%}"
    "svg{width:100%;font-size:12px;fill:#333}svg.m{max-height:420px}"
    "path{fill:none;stroke-width:1.6}.g{stroke:#e4e4e4}"
    ".s0{--c:#0072b2}.s1{--c:#d55e00}.s2{--c:#009e73}.s3{--c:#cc79a7}.s4{--c:#e69f00}.s5{--c:#56b4e9}.s6{--c:#000}"
    ".s7{--c:#8a6d00}.grey{--c:#bbb}.ref{--c:#666}.l.ref{stroke-dasharray:6 4}"
    ".l{stroke:var(--c)}.b{fill:var(--c)}.a{fill:var(--c);opacity:.18;stroke:none}"
    ".keys{margin:0 0 0 "
    "12%;font-size:13px}.k{color:var(--c);margin-right:14px}.k:before{content:'';display:inline-block;"
    "width:12px;height:3px;background:var(--c);margin-right:5px;vertical-align:middle}"
    ".d{stroke:var(--c);stroke-width:3;stroke-linecap:round;opacity:.45}"
    ".wall{stroke:#333;stroke-width:1;vector-effect:non-scaling-stroke}.warn{background:#fff3cd;padding:6px 10px}"
    "@media(max-width:700px){.plots{grid-template-columns:1fr}}</style>";

void report_text(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    }
}

void report_open(FILE *file, const char *title) {
    fprintf(file, "<!doctype html><html lang=en><meta charset=utf-8><title>");
    report_text(file, title);
    fprintf(file, "</title>%s<h1>", style);
    report_text(file, title);
    fprintf(file, "</h1>\n");
}

void report_close(FILE *file) { fprintf(file, "</html>\n"); }

void report_plots_open(FILE *file) { fprintf(file, "<div class=plots>\n"); }

void report_plots_close(FILE *file) { fprintf(file, "</div>\n"); }

void report_warning(FILE *file, const char *text) {
    fprintf(file, "<p class=warn>");
    report_text(file, text);
    fprintf(file, "</p>\n");
}

void report_cell(FILE *file, const char *text) {
    fprintf(file, "<td>");
    report_text(file, text);
    fprintf(file, "</td>");
}

void report_number(FILE *file, double value, int digits) {
    if (isfinite(value))
        fprintf(file, "<td>%.*f</td>", digits, value);
    else
        fprintf(file, "<td>–</td>");
}

void report_png(FILE *file, const char *caption, const void *bytes, size_t length) {
    fprintf(file, "<figure><figcaption>");
    report_text(file, caption);
    fprintf(file, "</figcaption><img alt=\"\" src=\"data:image/png;base64,");
    write_base64(file, bytes, length);
    fprintf(file, "\"></figure>\n");
}

/* ------------------------------------------------------------------ axes */

double report_x(const report_plot *p, double x) {
    const report_axes *a = &p->axes;
    return LEFT + (x - a->x_low) / (a->x_high - a->x_low) * (WIDE - LEFT - RIGHT);
}

double report_y(const report_plot *p, double y) {
    const report_axes *a = &p->axes;
    return HIGH - BOTTOM - (y - a->y_low) / (a->y_high - a->y_low) * (HIGH - TOP - BOTTOM);
}

/* 1, 2 or 5 times a power of ten, so that there are about five of them. */
static double tick_of(double span) {
    double power = pow(10, floor(log10(span / 5))), part = span / 5 / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void draw_grid(const report_plot *p) {
    const report_axes *a = &p->axes;
    double step = tick_of(a->x_high - a->x_low);
    for (double i = ceil(a->x_low / step - 1e-4) + 0.0; i * step <= a->x_high + 1e-4 * step; i++)
        fprintf(p->file, "<line class=g x1=%.1f x2=%.1f y1=%d y2=%d /><text x=%.1f y=%d text-anchor=middle>%g</text>",
                report_x(p, i * step), report_x(p, i * step), TOP, HIGH - BOTTOM, report_x(p, i * step),
                HIGH - BOTTOM + 16, i * step);
    step = tick_of(a->y_high - a->y_low);
    for (double i = ceil(a->y_low / step - 1e-4) + 0.0; i * step <= a->y_high + 1e-4 * step; i++)
        fprintf(p->file, "<line class=g x1=%d x2=%d y1=%.1f y2=%.1f /><text x=%d y=%.1f text-anchor=end>%g</text>",
                LEFT, WIDE - RIGHT, report_y(p, i * step), report_y(p, i * step), LEFT - 6, report_y(p, i * step) + 4,
                i * step);
}

report_plot report_plot_open(FILE *file, const char *title, report_axes axes) {
    if (!(axes.x_high > axes.x_low)) axes.x_high = axes.x_low + 1;
    if (!(axes.y_high > axes.y_low)) axes.y_high = axes.y_low + 1;
    axes.y_high += 0.05 * (axes.y_high - axes.y_low);
    report_plot p = {.file = file, .axes = axes};
    fprintf(file, "<figure><figcaption>");
    report_text(file, title);
    fprintf(file, "</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDE, HIGH);
    draw_grid(&p);
    fprintf(file, "<text x=%d y=%d text-anchor=middle>", (LEFT + WIDE - RIGHT) / 2, HIGH - 8);
    report_text(file, axes.x);
    fprintf(file, "</text><text x=14 y=%d text-anchor=middle transform=\"rotate(-90 14 %d)\">",
            (TOP + HIGH - BOTTOM) / 2, (TOP + HIGH - BOTTOM) / 2);
    report_text(file, axes.y);
    fprintf(file, "</text>");
    return p;
}

/* ------------------------------------------------------------------ what is drawn */

static void put_series(FILE *file, int series) {
    if (series >= 0)
        fprintf(file, "s%d", series % REPORT_SERIES_COUNT);
    else
        fputs(series == REPORT_GREY ? "grey" : "ref", file);
}

/* Begins a path of a kind: l, d, a or b. */
static void open_path(const report_plot *p, char kind, int series) {
    fprintf(p->file, "<path class=\"%c ", kind);
    put_series(p->file, series);
    fprintf(p->file, "\" d=\"");
}

static void close_path(const report_plot *p) { fprintf(p->file, "\"/>"); }

/* Every so many points are drawn, so that a page stays small. */
static size_t stride(size_t count) { return count / POINTS_MOST + 1; }

void report_line(report_plot *p, int series, const double *x, const double *y, size_t count) {
    bool down = false;
    open_path(p, 'l', series);
    for (size_t i = 0; i < count; i += stride(count)) {
        bool good = isfinite(x[i]) && isfinite(y[i]);
        if (good) fprintf(p->file, "%c%.1f %.1f", down ? 'L' : 'M', report_x(p, x[i]), report_y(p, y[i]));
        down = good;
    }
    close_path(p);
}

void report_stairs(report_plot *p, int series, const double *x, const double *y, size_t count) {
    open_path(p, 'l', series);
    for (size_t i = 0; i < count; i++)
        fprintf(p->file, i ? "H%.1fV%.1f" : "M%.1f %.1f", report_x(p, x[i]), report_y(p, y[i]));
    close_path(p);
}

void report_dots(report_plot *p, int series, const double *x, const double *y, size_t count) {
    open_path(p, 'd', series);
    for (size_t i = 0; i < count; i += stride(count))
        if (isfinite(x[i]) && isfinite(y[i]) && x[i] <= p->axes.x_high && y[i] <= p->axes.y_high)
            fprintf(p->file, "M%.1f %.1fh0", report_x(p, x[i]), report_y(p, y[i]));
    close_path(p);
}

void report_bars(report_plot *p, int series, double x, double width, const double *values, size_t count) {
    open_path(p, 'b', series);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        double left = report_x(p, x + width * (double)i), right = report_x(p, x + width * (double)(i + 1));
        double gap = fmin(1, 0.1 * (right - left));
        fprintf(p->file, "M%.1f %.1fV%.1fH%.1fV%.1fZ", left + gap, report_y(p, fmax(p->axes.y_low, 0)),
                report_y(p, values[i]), right - gap, report_y(p, fmax(p->axes.y_low, 0)));
    }
    close_path(p);
}

void report_band(report_plot *p, int series, const double *x, const double *low, const double *high, size_t count) {
    open_path(p, 'a', series);
    for (size_t i = 0; i < count; i++)
        fprintf(p->file, "%c%.1f %.1f", i ? 'L' : 'M', report_x(p, x[i]), report_y(p, high[i]));
    for (size_t i = count; i-- > 0;) fprintf(p->file, "L%.1f %.1f", report_x(p, x[i]), report_y(p, low[i]));
    close_path(p);
}

void report_spreads(report_plot *p, int series, const double *x, const double *low, const double *high, size_t count) {
    open_path(p, 'l', series);
    for (size_t i = 0; i < count; i++)
        if (isfinite(low[i]) && isfinite(high[i]))
            fprintf(p->file, "M%.1f %.1fh6m-3 0V%.1fm-3 0h6", report_x(p, x[i]) - 3, report_y(p, low[i]),
                    report_y(p, high[i]));
    close_path(p);
}

void report_key(report_plot *p, int series, const char *text) {
    if (p->keys.count == REPORT_KEYS_MOST) return;
    p->key_series[p->keys.count] = series;
    text_list_add(&p->keys, text);
}

void report_plot_close(report_plot *p) {
    fprintf(p->file, "</svg>");
    if (p->keys.count) fprintf(p->file, "<p class=keys>");
    for (size_t i = 0; i < p->keys.count; i++) {
        fprintf(p->file, "<span class=\"k ");
        put_series(p->file, p->key_series[i]);
        fprintf(p->file, "\">");
        report_text(p->file, p->keys.items[i]);
        fprintf(p->file, "</span> ");
    }
    if (p->keys.count) fprintf(p->file, "</p>");
    fprintf(p->file, "</figure>\n");
    text_list_free(&p->keys);
}

/* ------------------------------------------------------------------ the field's curve */

static const double weidmann_densest = 5.4; /* 1/m2, where nobody walks any more (Weidmann 1993, form of Kladek) */

double report_weidmann_speed(double density) { return 1.34 * (1 - exp(-1.913 * (1 / density - 1 / weidmann_densest))); }

void report_weidmann(report_plot *p) {
    enum { POINTS = 100 };
    double density[POINTS], speed[POINTS], most = fmin(p->axes.x_high, weidmann_densest);
    for (int i = 0; i < POINTS; i++) {
        density[i] = most * (i + 1) / POINTS;
        speed[i] = report_weidmann_speed(density[i]);
    }
    report_line(p, REPORT_REFERENCE, density, speed, POINTS);
    report_key(p, REPORT_REFERENCE, "dashed: Weidmann 1993");
}
