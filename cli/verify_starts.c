/* verify_starts.c: numbers of where and when people begin; see verify_measures.h. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify_measures.h"

static const double moved_m = 0.01; /* from its place: it has started */

/* s when a person starts; NaN: never. */
static double start_of(const verify_run *run, size_t person) {
    const uint32_t *rows;
    size_t count = verify_rows_of(run, person, &rows);
    const throng_tracks_view *v = &run->view;
    for (size_t i = 1; i < count; i++)
        if (hypot(v->x[rows[i]] - v->x[rows[0]], v->y[rows[i]] - v->y[rows[0]]) > moved_m)
            return v->frame[rows[i]] / v->fps;
    return NAN;
}

/* s when a person walks, and is not only pushed by others; NaN: never. */
static double walk_begin(const verify_run *run, size_t person) {
    const uint32_t *rows;
    size_t count = verify_rows_of(run, person, &rows);
    for (size_t i = 1; i < count; i++)
        if (hypot(run->vx[rows[i]], run->vy[rows[i]]) > 0.5 * run->desired_speed[person])
            return run->view.frame[rows[i]] / run->view.fps;
    return NAN;
}

double measure_start_error(const verify_run *run, const char *unused) {
    (void)unused;
    double worst = run->view.person_count ? 0 : NAN;
    for (size_t p = 0; p < run->view.person_count; p++) {
        double error = fabs(start_of(run, p) - 10 * (double)(p + 1));
        worst = isnan(error) ? NAN : fmax(worst, error);
        if (isnan(worst)) break;
    }
    return worst;
}

double measure_start_drift(const verify_run *run, const char *unused) {
    (void)unused;
    const throng_tracks_view *v = &run->view;
    double most = v->person_count ? 0 : NAN;
    for (size_t p = 0; p < v->person_count; p++) {
        const uint32_t *rows;
        size_t count = verify_rows_of(run, p, &rows);
        for (size_t i = 1; i < count && v->frame[rows[i]] / v->fps < 10 * (double)(p + 1) - 1e-9; i++)
            most = fmax(most, hypot(v->x[rows[i]] - v->x[rows[0]], v->y[rows[i]] - v->y[rows[0]]));
    }
    return most;
}

/* ------------------------------------------------------------------ distributions, as cumulative functions */

static double uniform(double x, const double *s) { return fmin(fmax((x - s[0]) / (s[1] - s[0]), 0), 1); }

static double normal(double x, const double *s) { return 0.5 * erfc((s[0] - x) / (s[1] * sqrt(2))); }

static double lognormal(double x, const double *s) { return x > 0 ? normal(log(x), s) : 0; }

static double gamma_cdf(double x, const double *s) { return x > 0 ? verify_gamma_part(s[0], x / s[1]) : 0; }

static double weibull(double x, const double *s) { return x > 0 ? 1 - exp(-pow(x / s[0], s[1])) : 0; }

double measure_start_ks(const verify_run *run, const char *distribution) {
    static const struct {
        const char *name;
        double (*cumulative)(double x, const double *shape);
    } known[] = {
        {"uniform", uniform}, {"normal", normal}, {"lognormal", lognormal}, {"gamma", gamma_cdf}, {"weibull", weibull}};
    char name[20];
    double shape[2], p = NAN;
    if (sscanf(distribution, "%19s %lf %lf", name, &shape[0], &shape[1]) != 3) return NAN;
    double *starts = resize(NULL, (run->view.person_count + 1) * sizeof *starts);
    size_t count = 0;
    for (size_t k = 0; k < run->view.person_count; k++) {
        starts[count] = walk_begin(run, k);
        count += !isnan(starts[count]);
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(known[i].name, name) && count == run->view.person_count && count)
            p = verify_ks_p_of(starts, count, known[i].cumulative, shape);
    free(starts);
    return p;
}

/* ------------------------------------------------------------------ where they are put */

double measure_placement_p(const verify_run *run, const char *axis) {
    enum { BINS = 10 };
    const throng_tracks_view *v = &run->view;
    throng_box box = throng_place_bounds(throng_world_place(run->world));
    bool along_y = *axis == 'y';
    const double *at = along_y ? v->y : v->x;
    double low = along_y ? box.low.y : box.low.x, high = along_y ? box.high.y : box.high.x, chi2 = 0;
    size_t people = v->frame_count ? v->start[1] : 0, bins[BINS] = {0};
    if (people == 0) return NAN;
    for (size_t i = 0; i < people; i++) {
        double bin = floor((at[i] - low) / (high - low) * BINS);
        bins[(size_t)fmin(fmax(bin, 0), BINS - 1)]++;
    }
    double expected = (double)people / BINS;
    for (size_t b = 0; b < BINS; b++) chi2 += ((double)bins[b] - expected) * ((double)bins[b] - expected) / expected;
    return verify_chi2_p(chi2, BINS - 1);
}

double measure_start_overlaps(const verify_run *run, const char *unused) {
    (void)unused;
    const throng_tracks_view *v = &run->view;
    size_t people = v->frame_count ? v->start[1] : 0, pairs = 0;
    for (size_t i = 0; i < people; i++)
        for (size_t j = i + 1; j < people; j++) {
            double dx = v->x[i] - v->x[j], dy = v->y[i] - v->y[j];
            double apart = run->radius[v->person[i]] + run->radius[v->person[j]] - 1e-9;
            pairs += dx * dx + dy * dy < apart * apart;
        }
    return (double)pairs;
}
