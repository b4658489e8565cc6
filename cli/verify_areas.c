/* verify_areas.c: numbers in measuring areas; see verify_measures.h. Speeds are along x, the way people walk in the
 * cases that ask for them. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify_measures.h"

static const double settled_s = 10;       /* RiMEA 4: the mean is taken from here on */
static const double single_file_s = 60;   /* RiMEA 16: the same, on a ring */
static const double inside_slack = 0.001; /* m */

static bool area_at(const verify_run *run, const char *name, throng_mark *area) {
    return verify_mark(run, THRONG_MARK_AREA, name, strcspn(name, ">"), area);
}

static const char *second_of(const char *names) { return strchr(names, '>') ? strchr(names, '>') + 1 : ""; }

/* Who is inside an area; [row], to be freed. */
static bool *inside_of(const verify_run *run, throng_ring area) {
    bool *inside = resize(NULL, (run->view.row_count + 1) * sizeof *inside);
    throng_measure_inside(run->tracks, area, inside);
    return inside;
}

double measure_area_seconds(const verify_run *run, const char *area) {
    throng_mark mark;
    if (!area_at(run, area, &mark)) return NAN;
    bool *inside = inside_of(run, mark.ring);
    size_t count = 0;
    for (size_t i = 0; i < run->view.row_count; i++) count += inside[i];
    free(inside);
    return (double)count / run->view.fps;
}

double measure_area_positions(const verify_run *run, const char *area) {
    throng_mark mark;
    if (!area_at(run, area, &mark)) return NAN;
    bool *inside = inside_of(run, mark.ring);
    size_t count = 0;
    for (size_t i = 0; i < run->view.row_count; i++)
        count += inside[i] && verify_ring_distance(mark.ring, run->view.x[i], run->view.y[i]) > inside_slack;
    free(inside);
    return (double)count;
}

/* ------------------------------------------------------------------ speeds */

static double mean_speed(const verify_run *run, throng_ring area, double from) {
    bool *inside = inside_of(run, area);
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < run->view.row_count; i++) {
        if (!inside[i] || run->view.frame[i] < from * run->view.fps) continue;
        sum += run->vx[i];
        count++;
    }
    free(inside);
    return count ? sum / (double)count : NAN;
}

/* Where nobody comes through the area, as people in rows may not, it is everybody's speed. */
double measure_area_speed(const verify_run *run, const char *area) {
    throng_mark mark;
    if (!area_at(run, area, &mark)) return NAN;
    double speed = mean_speed(run, mark.ring, settled_s);
    return isnan(speed) ? mean_speed(run, throng_place_ring(throng_world_place(run->world), 0), settled_s) : speed;
}

double measure_area_speed_always(const verify_run *run, const char *area) {
    throng_mark mark;
    return area_at(run, area, &mark) ? mean_speed(run, mark.ring, 0.5) : NAN;
}

static double people_per_m2(const verify_run *run) {
    const throng_place *place = throng_world_place(run->world);
    double area = 0;
    for (size_t r = 0; r < throng_place_ring_count(place); r++) area += verify_ring_area(throng_place_ring(place, r));
    return (double)run->view.person_count / area;
}

double measure_weidmann_error(const verify_run *run, const char *area) {
    double free_speed = 0, density = people_per_m2(run);
    for (size_t p = 0; p < run->view.person_count; p++) free_speed += run->desired_speed[p];
    free_speed /= (double)run->view.person_count;
    double asked = free_speed * (1 - exp(-1.913 * (1 / density - 1 / 5.4)));
    return fabs(measure_area_speed(run, area) / asked - 1);
}

double measure_capacity(const verify_run *run, const char *area) {
    return measure_area_speed(run, area) * people_per_m2(run);
}

double measure_areas_apart(const verify_run *run, const char *unused) {
    (void)unused;
    double least = INFINITY, most = -INFINITY, sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < throng_world_mark_count(run->world); i++) {
        throng_mark mark = throng_world_mark(run->world, i);
        if (mark.kind != THRONG_MARK_AREA) continue;
        double speed = mean_speed(run, mark.ring, settled_s);
        least = fmin(least, speed);
        most = fmax(most, speed);
        sum += speed;
        count++;
    }
    return count ? (most - least) / (sum / (double)count) : NAN;
}

/* RiMEA 16: speeds (m/s) of real people at densities of 0.0989 + 0.2 k per metre, 10 % and 90 % of them (the
 * guideline's file of percentiles; Zenodo 10.5281/zenodo.8378592). */
static const double percentiles[][2] = {{0.9607, 1.483},  {0.83954, 1.4725}, {0.7083, 1.3887}, {0.5978, 1.3053},
                                        {0.4475, 1.1008}, {0.3157, 0.8395},  {0.1872, 0.6077}, {0.112, 0.485},
                                        {0.0705, 0.3822}, {0.048, 0.314},    {0.0347, 0.2702}, {0.0267, 0.239},
                                        {0.022, 0.2202},  {0.019, 0.2078},   {0.017, 0.1958},  {0.0157, 0.186}};

void verify_percentiles(double density, double *low, double *high) {
    enum { COUNT = sizeof percentiles / sizeof percentiles[0] };
    double at = fmin(fmax((density - 0.0989) / 0.2, 0), COUNT - 1.001);
    size_t k = (size_t)at;
    double part = at - (double)k;
    *low = percentiles[k][0] + part * (percentiles[k + 1][0] - percentiles[k][0]);
    *high = percentiles[k][1] + part * (percentiles[k + 1][1] - percentiles[k][1]);
}

double measure_single_file_speed(const verify_run *run, const char *area) {
    throng_mark mark;
    return area_at(run, area, &mark) ? mean_speed(run, mark.ring, single_file_s) : NAN;
}

double measure_in_percentiles(const verify_run *run, const char *area_length) {
    double low, high, speed = measure_single_file_speed(run, area_length);
    verify_percentiles((double)run->view.person_count / atof(second_of(area_length)), &low, &high);
    return isnan(speed) ? 0 : speed >= low && speed <= high;
}

/* ------------------------------------------------------------------ densities */

/* Most people in an area at once, per m2. */
static double peak_density(const verify_run *run, throng_ring area) {
    const throng_tracks_view *v = &run->view;
    bool *inside = inside_of(run, area);
    size_t most = 0;
    for (size_t f = 0; f < v->frame_count; f++) {
        size_t count = 0;
        for (size_t i = v->start[f]; i < v->start[f + 1]; i++) count += inside[i];
        most = count > most ? count : most;
    }
    free(inside);
    return (double)most / verify_ring_area(area);
}

double measure_peak_more(const verify_run *run, const char *areas) {
    throng_mark a, b;
    if (!verify_pair(run, THRONG_MARK_AREA, areas, &a, &b)) return NAN;
    return peak_density(run, a.ring) - peak_density(run, b.ring);
}

/* Mean density in an area while 20 to 80 % of those who cross a line do so. */
static double queue_density(const verify_run *run, throng_ring area, throng_ring line) {
    const throng_tracks_view *v = &run->view;
    throng_crossing *passed = resize(NULL, (v->person_count + v->turn_count + 1) * sizeof *passed);
    size_t count = throng_measure_crossings(run->tracks, line, false, passed), people = 0;
    size_t first = count < 5 ? 1 : v->frame[passed[count / 5].row],
           last = count < 5 ? 0 : v->frame[passed[count * 4 / 5].row];
    free(passed);
    if (first > last) return NAN;
    bool *inside = inside_of(run, area);
    for (size_t i = v->start[first]; i < v->start[last + 1]; i++) people += inside[i];
    free(inside);
    return (double)people / (double)(last - first + 1) / verify_ring_area(area);
}

double measure_queue_density(const verify_run *run, const char *area_line) {
    throng_mark area, line;
    const char *name = second_of(area_line);
    if (!area_at(run, area_line, &area) || !verify_mark(run, THRONG_MARK_LINE, name, strlen(name), &line)) return NAN;
    return queue_density(run, area.ring, line.ring);
}

double measure_queue_more(const verify_run *run, const char *areas) {
    throng_mark a, b, line;
    static const char name[] = "corridor_in";
    if (!verify_pair(run, THRONG_MARK_AREA, areas, &a, &b)) return NAN;
    if (!verify_mark(run, THRONG_MARK_LINE, name, strlen(name), &line)) return NAN;
    return queue_density(run, a.ring, line.ring) - queue_density(run, b.ring, line.ring);
}
