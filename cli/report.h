/* report.h: pages of HTML with tables, plots and pictures that need nothing else, for screen and paper. */

#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "text.h"

/* A page: its title is its heading, too. Between plots_open and plots_close figures stand two in a row. */
void report_open(FILE *file, const char *title);
void report_close(FILE *file);
void report_plots_open(FILE *file);
void report_plots_close(FILE *file);
/* Text of users, with what HTML would take for its own made harmless. */
void report_text(FILE *file, const char *text);
void report_warning(FILE *file, const char *text); /* a paragraph */
/* Cells of a table; a number that is not known is a dash. */
void report_cell(FILE *file, const char *text);
void report_number(FILE *file, double value, int digits);

/* ------------------------------------------------------------------ plots */

/* What stands at the axes and where they begin and end; an axis without length gets one. */
typedef struct report_axes {
    const char *x, *y; /* "time / s" */
    double x_low, x_high, y_low, y_high;
} report_axes;

enum { REPORT_KEYS_MOST = 16 };

typedef struct report_plot {
    FILE *file;
    report_axes axes;
    text_list keys; /* of the legend, and the series that they tell of */
    int key_series[REPORT_KEYS_MOST];
} report_plot;

/* Colours: series 0 to 7 (Okabe and Ito), and two that are none of them. */
enum { REPORT_SERIES_COUNT = 8, REPORT_GREY = -1, REPORT_REFERENCE = -2 /* dashed */ };

report_plot report_plot_open(FILE *file, const char *title, report_axes axes);
void report_plot_close(report_plot *plot);
double report_x(const report_plot *plot, double x); /* where a value is in the picture */
double report_y(const report_plot *plot, double y);
/* A line through points, with a gap where one is not a number; stairs: level up to the next point, as N(t) is. */
void report_line(report_plot *plot, int series, const double *x, const double *y, size_t count);
void report_stairs(report_plot *plot, int series, const double *x, const double *y, size_t count);
void report_dots(report_plot *plot, int series, const double *x, const double *y, size_t count);
/* A bar for each value, `width` wide, the first from x on. */
void report_bars(report_plot *plot, int series, double x, double width, const double *values, size_t count);
/* A pale band, and upright bars, from low to high at each x. */
void report_band(report_plot *plot, int series, const double *x, const double *low, const double *high, size_t count);
void report_spreads(report_plot *plot, int series, const double *x, const double *low, const double *high,
                    size_t count);
/* An entry of the legend, which stands below the plot. */
void report_key(report_plot *plot, int series, const char *text);

/* Weidmann's speed (m/s) at a density (1/m2), and as a dashed line with its key. */
double report_weidmann_speed(double density);
void report_weidmann(report_plot *plot);

/* ------------------------------------------------------------------ pictures */

/* A PNG file inside the page. */
void report_png(FILE *file, const char *caption, const void *bytes, size_t length);

#endif
