/* validate_measures.c: numbers of runs that real experiments are known for; see verify_measures.h. Of recordings of
 * real people they are the same: nothing here asks a model. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify_measures.h"

static const double half_s = 0.3;          /* s before and after that velocities are taken from */
static const double steady[] = {0.2, 0.8}; /* shares of the time that people are there, in order of time */
static const double stopped_speed = 0.1;   /* m/s, of everybody in an area on average */
static const double standing_speed = 0.05; /* m/s, of a person */
static const double last_s = 20;           /* s at the end of a run that tell whether it stands */
static const double disc = 0.1;            /* m, radius that times to collision are taken with (Karamouzas et al.) */

static const char *second_of(const char *names) { return strchr(names, '>') ? strchr(names, '>') + 1 : ""; }

static bool area_at(const verify_run *run, const char *names, throng_ring *ring) {
    throng_mark mark;
    bool found = verify_mark(run, THRONG_MARK_AREA, names, strcspn(names, ">"), &mark);
    if (found) *ring = mark.ring;
    return found;
}

/* ------------------------------------------------------------------ speeds */

/* m/s, [row], to be freed; NaN near ends. */
static double *speeds_of(const verify_run *run) {
    size_t rows = run->view.row_count, step = (size_t)fmax(1, floor(half_s * run->view.fps + 0.5));
    double *vx = resize(NULL, (rows + 1) * sizeof *vx), *vy = resize(NULL, (rows + 1) * sizeof *vy);
    throng_measure_velocities(run->tracks, step, THRONG_BORDER_EXCLUDE, vx, vy);
    for (size_t i = 0; i < rows; i++) vx[i] = sqrt(vx[i] * vx[i] + vy[i] * vy[i]);
    free(vy);
    return vx;
}

/* ------------------------------------------------------------------ density and speed in an area */

typedef struct area_seconds {
    double *density, *speed; /* [count] people per m2, m/s; one a second, where anybody was there */
    size_t count;
} area_seconds;

/* Frames between which the middle 60 % of everybody's time in the area is. */
static void find_steady(const verify_run *run, const bool *inside, size_t *first, size_t *last) {
    size_t all = 0, so_far = 0;
    for (size_t i = 0; i < run->view.row_count; i++) all += inside[i];
    *first = *last = 0;
    for (size_t i = 0; i < run->view.row_count; i++) {
        so_far += inside[i];
        if (inside[i] && (double)so_far <= steady[0] * (double)all) *first = run->view.frame[i];
        if (inside[i] && (double)so_far <= steady[1] * (double)all) *last = run->view.frame[i];
    }
}

/* The frames of one a second, as tracks of their own. */
static throng_tracks *each_second(const verify_run *run, size_t first, size_t last, size_t every) {
    throng_tracks_def def = throng_default_tracks_def();
    def.fps = run->view.fps / (double)every;
    def.place = throng_world_place(run->world);
    def.threads = 1;
    throng_tracks *tracks = throng_tracks_create(&def, NULL);
    for (size_t f = first; f <= last && f < run->view.frame_count; f += every) {
        size_t begin = run->view.start[f];
        throng_tracks_add(tracks, run->view.start[f + 1] - begin, run->view.id + begin, run->view.x + begin,
                          run->view.y + begin);
    }
    return tracks;
}

static void add_second(area_seconds *out, double density, double sum, size_t people) {
    if (people == 0) return;
    out->density = resize(out->density, (out->count + 1) * sizeof *out->density);
    out->speed = resize(out->speed, (out->count + 1) * sizeof *out->speed);
    out->density[out->count] = density;
    out->speed[out->count++] = sum / (double)people;
}

/* Density by Voronoi cells cut at the walls, over the area; speed of those inside. */
static area_seconds seconds_in(const verify_run *run, throng_ring area) {
    bool *inside = resize(NULL, (run->view.row_count + 1) * sizeof *inside);
    throng_measure_inside(run->tracks, area, inside);
    size_t first, last, every = (size_t)fmax(1, floor(run->view.fps + 0.5));
    find_steady(run, inside, &first, &last);
    throng_tracks *tracks = each_second(run, first, last, every);
    throng_tracks_view v = throng_tracks_look(tracks);
    throng_cells_def def = throng_default_cells_def();
    def.areas = &area;
    def.area_count = 1;
    double *cell = resize(NULL, (v.row_count + 1) * sizeof *cell),
           *part = resize(NULL, (v.row_count + 1) * sizeof *part);
    throng_measure_cells(tracks, &def, cell, part, NULL);
    double *speed = speeds_of(run), extent = verify_ring_area(area);
    area_seconds out = {0};
    for (size_t f = 0; f < v.frame_count; f++) {
        double people = 0, sum = 0;
        size_t known = 0, begin = run->view.start[first + f * every];
        for (size_t i = v.start[f]; i < v.start[f + 1]; i++) {
            size_t row = begin + i - v.start[f];
            if (part[i] > 0 && cell[i] > 0) people += part[i] / cell[i];
            if (!inside[row] || isnan(speed[row])) continue;
            sum += speed[row];
            known++;
        }
        add_second(&out, people / extent, sum, known);
    }
    throng_tracks_destroy(tracks);
    free(inside);
    free(cell);
    free(part);
    free(speed);
    return out;
}

static void free_seconds(area_seconds *s) {
    free(s->density);
    free(s->speed);
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    return count ? sum / (double)count : NAN;
}

typedef enum area_figure { AREA_DENSITY, AREA_SPEED, AREA_FLOW, AREA_GAP, AREA_STOPPED } area_figure;

/* Mean speeds (m/s) of real people by density, in steps of 0.25 per m2 from 0.375 on (Zhang et al. 2011, and the same
 * group's published points where no recording is at hand). */
static const double real_speeds[][13] = {
    {1.39, 1.38, 1.29, 1.15, 1.09, 1.00, 0.82, 0.64, 0.46, 0.42, 0.36, 0.34, 0.33}, /* a corridor of 1.8 m */
    {1.51, 1.41, 1.24, 1.15, 0.95, 0.91, 0.73, 0.63, 0.56, 0.51, 0.48, 0.45, 0.39}, /* both ways, 3.6 m */
    {1.11, 1.00, 0.84, 0.78, 0.65, 0.58, 0.52, 0.45, 0.39, 0.37, 0.31, 0.25, 0.21}, /* a ring of 1.8 m */
};

double verify_real_speed(const char *curve, double density) {
    static const char *const names[] = {"one way", "both ways", "ring"};
    size_t c = 0;
    while (c < 3 && strcmp(names[c], curve) != 0) c++;
    if (c == 3) return NAN;
    double at = fmin(fmax((density - 0.375) / 0.25, 0), 12);
    size_t k = (size_t)fmin(floor(at), 11);
    return real_speeds[c][k] + (at - (double)k) * (real_speeds[c][k + 1] - real_speeds[c][k]);
}

static double figure_in(const verify_run *run, const char *names, area_figure which) {
    throng_ring area;
    if (!area_at(run, names, &area)) return NAN;
    area_seconds s = seconds_in(run, area);
    double density = mean_of(s.density, s.count), speed = mean_of(s.speed, s.count), stopped = 0;
    for (size_t i = 0; i < s.count; i++) stopped += s.speed[i] < stopped_speed;
    stopped = s.count ? stopped / (double)s.count : NAN;
    free_seconds(&s);
    switch (which) {
        case AREA_DENSITY:
            return density;
        case AREA_SPEED:
            return speed;
        case AREA_FLOW:
            return density * speed;
        case AREA_GAP:
            return speed - verify_real_speed(second_of(names), density);
        case AREA_STOPPED:
            return stopped;
    }
    return NAN;
}

double measure_steady_density(const verify_run *run, const char *area) { return figure_in(run, area, AREA_DENSITY); }

double measure_steady_speed(const verify_run *run, const char *area) { return figure_in(run, area, AREA_SPEED); }

double measure_steady_flow(const verify_run *run, const char *area) { return figure_in(run, area, AREA_FLOW); }

double measure_speed_gap(const verify_run *run, const char *area_curve) { return figure_in(run, area_curve, AREA_GAP); }

double measure_stopped(const verify_run *run, const char *area) { return figure_in(run, area, AREA_STOPPED); }

double measure_standing(const verify_run *run, const char *unused) {
    (void)unused;
    double *speed = speeds_of(run);
    size_t from = (size_t)fmax(0, (double)run->view.frame_count - last_s * run->view.fps), all = 0, standing = 0;
    for (size_t i = 0; i < run->view.row_count; i++) {
        if (run->view.frame[i] < from || isnan(speed[i])) continue;
        all++;
        standing += speed[i] < standing_speed;
    }
    free(speed);
    return all ? (double)standing / (double)all : NAN;
}

/* ------------------------------------------------------------------ doors */

double measure_door_flow(const verify_run *run, const char *line) {
    throng_mark mark;
    if (!verify_mark(run, THRONG_MARK_LINE, line, strlen(line), &mark)) return NAN;
    return throng_measure_flow(run->tracks, mark.ring, false, 0, SIZE_MAX, NULL).flow;
}

double measure_before_door(const verify_run *run, const char *area_line) {
    throng_mark mark;
    throng_ring area;
    const char *line = second_of(area_line);
    if (!area_at(run, area_line, &area) || !verify_mark(run, THRONG_MARK_LINE, line, strlen(line), &mark)) return NAN;
    throng_crossing *c = resize(NULL, (run->view.person_count + run->view.turn_count + 1) * sizeof *c);
    size_t passed = throng_measure_crossings(run->tracks, mark.ring, false, c), every = (size_t)(run->view.fps + 0.5);
    double from = passed > 9 ? c[passed / 10].time : NAN, to = passed > 9 ? c[passed * 6 / 10].time : NAN;
    free(c);
    double *nearest = resize(NULL, (run->view.row_count + 1) * sizeof *nearest);
    bool *inside = resize(NULL, (run->view.row_count + 1) * sizeof *inside);
    throng_measure_nearest(run->tracks, nearest);
    throng_measure_inside(run->tracks, area, inside);
    for (size_t i = 0; i < run->view.row_count; i++) {
        double time = run->view.frame[i] / run->view.fps;
        if (!inside[i] || run->view.frame[i] % every || !(time >= from && time <= to)) nearest[i] = NAN;
    }
    double median = throng_sample_of(nearest, run->view.row_count).p50;
    free(nearest);
    free(inside);
    return median;
}

/* ------------------------------------------------------------------ lanes, collisions, smoothness */

double measure_bands(const verify_run *run, const char *area_axis) {
    throng_ring area;
    if (!area_at(run, area_axis, &area)) return NAN;
    bool along_x = *second_of(area_axis) == 'x', *inside = resize(NULL, (run->view.row_count + 1) * sizeof *inside);
    throng_lanes_def def = {.inside = inside,
                            .axis = {along_x, !along_x},
                            .low = INFINITY,
                            .high = -INFINITY,
                            .every = (size_t)(run->view.fps + 0.5)};
    for (size_t i = 0; i < area.count; i++) {
        double lateral = along_x ? area.points[i].y : -area.points[i].x;
        def.low = fmin(def.low, lateral);
        def.high = fmax(def.high, lateral);
    }
    throng_measure_inside(run->tracks, area, inside);
    find_steady(run, inside, &def.first, &def.last);
    double index = throng_measure_lanes(run->tracks, &def).strip_index;
    free(inside);
    return index;
}

static throng_collisions collisions_of(const verify_run *run) {
    throng_collisions sums = {0};
    throng_measure_collisions(run->tracks, disc, 0, SIZE_MAX, &sums);
    throng_fit_collisions(&sums);
    return sums;
}

double measure_power(const verify_run *run, const char *unused) {
    (void)unused;
    return collisions_of(run).exponent;
}

double measure_power_energy(const verify_run *run, const char *from_to) {
    throng_collisions c = collisions_of(run);
    double from = atof(from_to), to = atof(second_of(from_to)), sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < THRONG_COLLISION_BINS; k++) {
        double tau = ((double)k + 0.5) / 10;
        if (tau < from || tau > to || isnan(c.energy[k])) continue;
        sum += c.energy[k];
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static throng_summary summary_of(const verify_run *run) {
    throng_summary_def def = throng_default_summary_def();
    double *none = resize(NULL, (run->view.row_count + 1) * sizeof *none);
    for (size_t i = 0; i < run->view.row_count; i++) none[i] = NAN; /* no cells */
    def.cell = none;
    throng_summary figures = throng_measure_summary(run->tracks, &def);
    free(none);
    return figures;
}

double measure_reversals(const verify_run *run, const char *unused) {
    (void)unused;
    return summary_of(run).reversals / 60;
}

double measure_jerk(const verify_run *run, const char *unused) {
    (void)unused;
    return summary_of(run).jerk_p95;
}
