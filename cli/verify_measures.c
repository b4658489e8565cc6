/* verify_measures.c: numbers of everybody, and of single people; see verify_measures.h. */

#include "verify_measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double wall_slack = 0.001; /* m a middle may be out by rounding */

/* ------------------------------------------------------------------ places */

bool verify_mark(const verify_run *run, throng_mark_kind kind, const char *name, size_t length, throng_mark *mark) {
    for (size_t i = 0; i < throng_world_mark_count(run->world); i++) {
        *mark = throng_world_mark(run->world, i);
        if (mark->kind == kind && strlen(mark->name) == length && !strncmp(mark->name, name, length)) return true;
    }
    return false;
}

bool verify_pair(const verify_run *run, throng_mark_kind kind, const char *names, throng_mark *a, throng_mark *b) {
    const char *second = strchr(names, '>');
    return second && verify_mark(run, kind, names, (size_t)(second - names), a) &&
           verify_mark(run, kind, second + 1, strlen(second + 1), b);
}

double verify_ring_distance(throng_ring ring, double x, double y) {
    double least = INFINITY;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        double dx = b.x - a.x, dy = b.y - a.y, part = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy);
        part = fmin(fmax(part, 0), 1);
        least = fmin(least, hypot(x - a.x - part * dx, y - a.y - part * dy));
    }
    return least;
}

static bool is_in_ring(throng_ring ring, double x, double y) {
    bool inside = false;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        if ((a.y > y) != (b.y > y) && x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)) inside = !inside;
    }
    return inside;
}

double verify_ring_area(throng_ring ring) {
    double twice = 0;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        twice += a.x * b.y - a.y * b.x;
    }
    return fabs(twice) / 2;
}

size_t verify_rows_of(const verify_run *run, size_t person, const uint32_t **rows) {
    const throng_tracks_view *v = &run->view;
    for (size_t piece = 0; piece < v->piece_count; piece++) {
        *rows = v->along + v->piece_start[piece];
        if (v->person[**rows] == person) return v->piece_start[piece + 1] - v->piece_start[piece];
    }
    *rows = NULL;
    return 0;
}

/* ------------------------------------------------------------------ everybody */

double measure_left_inside(const verify_run *run, const char *unused) {
    (void)unused;
    return run->real ? NAN : (double)run->stats.active;
}

double measure_arrived(const verify_run *run, const char *unused) {
    (void)unused;
    return (double)run->stats.arrived;
}

double measure_odd(const verify_run *run, const char *unused) {
    (void)unused;
    return (double)run->stats.oddities;
}

double measure_evacuation(const verify_run *run, const char *unused) {
    (void)unused;
    return run->stats.active == 0 && run->stats.arrived > 0 ? run->stats.last_arrival_s : NAN;
}

double measure_digest(const verify_run *run, const char *unused) {
    (void)unused;
    return (double)(throng_world_digest(run->world) >> 12);
}

bool verify_is_outside(const verify_run *run, double x, double y) {
    const throng_place *place = throng_world_place(run->world);
    size_t rings = throng_place_ring_count(place);
    double far = INFINITY;
    bool inside = throng_place_is_open(place);
    for (size_t r = 0; r < rings; r++) inside ^= is_in_ring(throng_place_ring(place, r), x, y);
    for (size_t r = 0; r < rings && !inside; r++)
        far = fmin(far, verify_ring_distance(throng_place_ring(place, r), x, y));
    return !inside && far > wall_slack;
}

double measure_outside(const verify_run *run, const char *unused) {
    (void)unused;
    size_t frames = run->view.frame_count;
    throng_wall_figures walls = {0};
    if (frames) walls = throng_measure_walls(run->tracks, 0, frames - 1);
    size_t count = walls.outside ? 0 : walls.crossings; /* from a good place to another one */
    for (size_t i = 0; i < run->view.row_count; i++) count += verify_is_outside(run, run->view.x[i], run->view.y[i]);
    return (double)count;
}

double measure_beyond_x(const verify_run *run, const char *x) {
    double limit = atof(x);
    size_t count = 0;
    for (size_t i = 0; i < run->view.row_count; i++) count += run->view.x[i] > limit;
    return (double)count;
}

double measure_backward(const verify_run *run, const char *unused) {
    (void)unused;
    size_t count = 0, back = 0;
    for (size_t i = 0; i < run->view.row_count; i++) {
        if (run->view.frame[i] < 10 * run->view.fps) continue;
        count++;
        back += run->vx[i] < -0.05;
    }
    return count ? (double)back / (double)count : NAN;
}

typedef struct bearing {
    double angle;
    uint32_t person;
} bearing;

static int by_angle(const void *a, const void *b) {
    double x = ((const bearing *)a)->angle, y = ((const bearing *)b)->angle;
    return (x > y) - (x < y);
}

/* Who follows whom about a point in a frame: the next one's number, for each. */
static void find_order(const verify_run *run, size_t frame, throng_point middle, bearing *scratch, uint32_t *next) {
    size_t begin = run->view.start[frame], count = run->view.start[frame + 1] - begin;
    for (size_t i = 0; i < count; i++)
        scratch[i] = (bearing){atan2(run->view.y[begin + i] - middle.y, run->view.x[begin + i] - middle.x),
                               run->view.person[begin + i]};
    qsort(scratch, count, sizeof *scratch, by_angle);
    for (size_t i = 0; i < count; i++) next[scratch[i].person] = scratch[(i + 1) % count].person;
}

double measure_overtakings(const verify_run *run, const char *middle) {
    throng_point about = {0};
    size_t people = run->view.person_count, changed = 0;
    if (sscanf(middle, "%lf,%lf", &about.x, &about.y) != 2 || people == 0) return NAN;
    bearing *scratch = resize(NULL, people * sizeof *scratch);
    uint32_t *first = resize(NULL, people * sizeof *first), *next = resize(NULL, people * sizeof *next);
    find_order(run, 0, about, scratch, first);
    for (size_t f = 1; f < run->view.frame_count; f++) {
        memcpy(next, first, people * sizeof *next);
        find_order(run, f, about, scratch, next);
        changed += memcmp(next, first, people * sizeof *next) != 0;
    }
    free(scratch);
    free(first);
    free(next);
    return (double)changed;
}

/* ------------------------------------------------------------------ one or two people */

double measure_sideways(const verify_run *run, const char *unused) {
    (void)unused;
    const uint32_t *rows;
    size_t count = verify_rows_of(run, 0, &rows);
    double most = count ? 0 : NAN;
    for (size_t i = 1; i < count; i++) most = fmax(most, fabs(run->view.y[rows[i]] - run->view.y[rows[0]]));
    return most;
}

double measure_distance(const verify_run *run, const char *unused) {
    (void)unused;
    const throng_tracks_view *v = &run->view;
    double least = NAN;
    for (size_t f = 0; f < v->frame_count; f++) {
        size_t i = v->start[f];
        if (v->start[f + 1] - i < 2) continue;
        least = fmin(least, hypot(v->x[i] - v->x[i + 1], v->y[i] - v->y[i + 1]));
    }
    return least;
}

double measure_shift(const verify_run *run, const char *person) {
    const uint32_t *rows;
    size_t count = verify_rows_of(run, (size_t)atoi(person) - 1, &rows);
    double most = count ? 0 : NAN;
    for (size_t i = 1; i < count; i++)
        most =
            fmax(most, hypot(run->view.x[rows[i]] - run->view.x[rows[0]], run->view.y[rows[i]] - run->view.y[rows[0]]));
    return most;
}

double measure_last_speed(const verify_run *run, const char *unused) {
    (void)unused;
    const uint32_t *rows;
    size_t count = verify_rows_of(run, 0, &rows), before = (size_t)(5 * run->view.fps);
    if (count < before + 1) return NAN;
    uint32_t end = rows[count - 1], begin = rows[count - 1 - before];
    return hypot(run->view.x[end] - run->view.x[begin], run->view.y[end] - run->view.y[begin]) / 5;
}

double measure_farthest_x(const verify_run *run, const char *unused) {
    (void)unused;
    const uint32_t *rows;
    size_t count = verify_rows_of(run, 0, &rows);
    double most = NAN;
    for (size_t i = 0; i < count; i++) most = fmax(most, run->view.x[rows[i]]);
    return most;
}
