/* tracks.c: trajectories, and what follows from them alone: velocities, accelerations, who is inside an area, who
 * crosses a line (throng/measure.h). The rules are those of PedPy 1.5 (method_utils.py, speed_calculator.py). */

#include "measure/tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/vector.h"
#include "space/period.h"
#include "space/place.h"

static const double on_line = 1e-5; /* m: who is this near to a line is on it (PedPy: CROSSING_THRESHOLD) */

/* ------------------------------------------------------------------ taking frames */

throng_tracks_def throng_default_tracks_def(void) { return (throng_tracks_def){0}; }

throng_tracks *throng_tracks_create(const throng_tracks_def *def, throng_error *error) {
    if (!(def->fps > 0 && def->fps <= 1e6)) {
        throng_refuse(error, 0, 0, "the frame rate must be more than 0 and at most 10^6 a second, not %g", def->fps);
        return NULL;
    }
    if (!throng_period_check(&def->period, error)) return NULL;
    throng_tracks *t = throng_allocate(sizeof *t);
    t->view.fps = def->fps;
    t->crew = throng_crew_create(def->threads);
    t->period = def->period;
    if (!def->place || throng_place_ring_count(def->place) + throng_place_line_count(def->place) == 0) return t;
    t->walls = throng_walls_create(def->place);
    t->bounds = throng_place_bounds(def->place);
    return t;
}

static void release_pieces(throng_tracks *t) {
    const void *parts[] = {t->view.person, t->view.piece_start, t->view.along, t->view.people};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) throng_release((void *)parts[i]);
    t->view.person = t->view.along = NULL;
    t->view.piece_start = NULL;
    t->view.people = NULL;
}

void throng_tracks_destroy(throng_tracks *t) {
    if (!t) return;
    release_pieces(t);
    const void *columns[] = {t->view.start, t->view.id, t->view.x, t->view.y, t->view.frame};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) throng_release((void *)columns[i]);
    throng_walls_destroy(t->walls);
    throng_crew_destroy(t->crew);
    throng_release(t);
}

#define GROW(column, count) ((column) = throng_reallocate((void *)(column), (count) * sizeof *(column)))

static void make_room(throng_tracks *t, size_t more) {
    throng_tracks_view *v = &t->view;
    if (v->frame_count + 2 > t->frame_capacity) {
        t->frame_capacity = 2 * v->frame_count + 256;
        GROW(v->start, t->frame_capacity);
    }
    if (v->row_count + more <= t->row_capacity) return;
    t->row_capacity = 2 * (v->row_count + more);
    GROW(v->id, t->row_capacity);
    GROW(v->x, t->row_capacity);
    GROW(v->y, t->row_capacity);
    GROW(v->frame, t->row_capacity);
}

void throng_tracks_add(throng_tracks *t, size_t count, const throng_agent *id, const double *x, const double *y) {
    make_room(t, count);
    throng_tracks_view *v = &t->view;
    size_t first = v->row_count, *start = (size_t *)v->start;
    start[0] = 0;
    for (size_t i = 0; i < count; i++) {
        size_t row = v->row_count;
        if (!isfinite(x[i]) || !isfinite(y[i]) || (row > first && v->id[row - 1] >= id[i])) continue;
        ((throng_agent *)v->id)[row] = id[i];
        ((double *)v->x)[row] = x[i];
        ((double *)v->y)[row] = y[i];
        ((uint32_t *)v->frame)[row] = (uint32_t)v->frame_count;
        v->row_count++;
    }
    start[++v->frame_count] = v->row_count;
    t->sorted = false;
}

/* ------------------------------------------------------------------ endless places */

throng_point throng_tracks_way(const throng_tracks *t, uint32_t from, uint32_t to) {
    const throng_tracks_view *v = &t->view;
    return throng_period_apart(&t->period, v->x[to] - v->x[from], v->y[to] - v->y[from]);
}

bool throng_tracks_turn(const throng_tracks *t, uint32_t from, uint32_t to) {
    throng_point way = throng_tracks_way(t, from, to);
    return way.x != t->view.x[to] - t->view.x[from] || way.y != t->view.y[to] - t->view.y[from];
}

/* ------------------------------------------------------------------ who is who */

typedef struct sorted_row {
    throng_agent id;
    uint32_t row;
} sorted_row;

/* Rows of one id are in order of time already. */
static int compare_rows(const void *a, const void *b) {
    const sorted_row *p = a, *q = b;
    if (p->id != q->id) return p->id < q->id ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static void find_pieces(throng_tracks *t, const sorted_row *rows) {
    throng_tracks_view *v = &t->view;
    uint32_t *person = throng_allocate((v->row_count + 1) * sizeof *person);
    uint32_t *along = throng_allocate((v->row_count + 1) * sizeof *along);
    size_t *start = throng_allocate((v->row_count + 1) * sizeof *start);
    throng_agent *people = throng_allocate((v->row_count + 1) * sizeof *people);
    v->person_count = v->piece_count = v->turn_count = 0;
    for (size_t k = 0; k < v->row_count; k++) {
        uint32_t row = rows[k].row;
        bool same = k > 0 && rows[k].id == rows[k - 1].id;
        if (!same) people[v->person_count++] = rows[k].id;
        if (same) v->turn_count += throng_tracks_turn(t, rows[k - 1].row, row);
        if (!same || v->frame[row] != v->frame[rows[k - 1].row] + 1) start[v->piece_count++] = k;
        along[k] = row;
        person[row] = (uint32_t)(v->person_count - 1);
    }
    start[v->piece_count] = v->row_count;
    v->person = person;
    v->along = along;
    v->piece_start = start;
    v->people = people;
}

throng_tracks_view throng_tracks_look(throng_tracks *t) {
    if (t->sorted) return t->view;
    make_room(t, 0);
    if (t->view.frame_count == 0) ((size_t *)t->view.start)[0] = 0;
    release_pieces(t);
    sorted_row *rows = throng_allocate((t->view.row_count + 1) * sizeof *rows);
    for (size_t i = 0; i < t->view.row_count; i++) rows[i] = (sorted_row){t->view.id[i], (uint32_t)i};
    qsort(rows, t->view.row_count, sizeof *rows, compare_rows);
    find_pieces(t, rows);
    throng_release(rows);
    t->sorted = true;
    return t->view;
}

/* ------------------------------------------------------------------ motion */

/* How many frames before and after the k-th row of a piece of so many are taken; false: none. */
static bool choose_window(size_t k, size_t count, size_t step, throng_border border, size_t *before, size_t *after) {
    size_t to_end = count - 1 - k;
    *before = *after = step;
    if (k >= step && to_end >= step) return true;
    if (border == THRONG_BORDER_EXCLUDE) return false;
    if (border == THRONG_BORDER_SINGLE) {
        *before = k >= step ? step : 0;
        *after = to_end >= step ? step : 0;
    } else {
        *before = *after = k < to_end ? k : to_end;
    }
    return *before + *after > 0;
}

void throng_measure_velocities(throng_tracks *t, size_t step, throng_border border, double *vx, double *vy) {
    throng_tracks_view v = throng_tracks_look(t);
    for (size_t p = 0; p < v.piece_count; p++) {
        const uint32_t *rows = v.along + v.piece_start[p];
        size_t count = v.piece_start[p + 1] - v.piece_start[p], before, after;
        for (size_t k = 0; k < count; k++) {
            vx[rows[k]] = vy[rows[k]] = NAN;
            if (!choose_window(k, count, step, border, &before, &after)) continue;
            uint32_t from = rows[k - before], to = rows[k + after];
            double seconds = (double)(before + after) / v.fps;
            throng_point way = throng_tracks_way(t, from, to);
            vx[rows[k]] = way.x / seconds;
            vy[rows[k]] = way.y / seconds;
        }
    }
}

/* The n-th difference of positions, backwards in time, over the n-th power of the time between them. */
static void difference(throng_tracks *t, size_t step, size_t order, double *out) {
    static const double weights[][4] = {{1, -2, 1, 0}, {1, -3, 3, -1}};
    const double *weight = weights[order - 2];
    throng_tracks_view v = throng_tracks_look(t);
    double seconds = (double)step / v.fps, power = order == 2 ? seconds * seconds : seconds * seconds * seconds;
    for (size_t p = 0; p < v.piece_count; p++) {
        const uint32_t *rows = v.along + v.piece_start[p];
        size_t count = v.piece_start[p + 1] - v.piece_start[p];
        for (size_t k = 0; k < count; k++) {
            out[rows[k]] = NAN;
            if (k < order * step) continue;
            double x = 0, y = 0;
            for (size_t i = 1; i <= order; i++) {
                throng_point way = throng_tracks_way(t, rows[k], rows[k - i * step]);
                x += weight[i] * way.x;
                y += weight[i] * way.y;
            }
            out[rows[k]] = sqrt(x * x + y * y) / power;
        }
    }
}

void throng_measure_accelerations(throng_tracks *t, size_t step, double *out) { difference(t, step, 2, out); }
void throng_measure_jerks(throng_tracks *t, size_t step, double *out) { difference(t, step, 3, out); }

/* ------------------------------------------------------------------ areas and lines */

static double side_of(throng_point a, throng_point b, throng_point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool is_on_border(throng_ring ring, throng_point p) {
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[i + 1 < ring.count ? i + 1 : 0];
        bool between = fmin(a.x, b.x) <= p.x && p.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= p.y && p.y <= fmax(a.y, b.y);
        if (between && side_of(a, b, p) == 0) return true;
    }
    return false;
}

void throng_measure_inside(throng_tracks *t, throng_ring polygon, bool *out) {
    throng_tracks_view v = throng_tracks_look(t);
    for (size_t i = 0; i < v.row_count; i++)
        out[i] =
            throng_ring_contains(polygon, v.x[i], v.y[i]) && !is_on_border(polygon, (throng_point){v.x[i], v.y[i]});
}

double throng_distance_to_segment(throng_point a, throng_point b, throng_point p) {
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double part = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
    part = fmin(fmax(part, 0), 1);
    return throng_distance(p, (throng_point){a.x + part * dx, a.y + part * dy});
}

/* Whether the way from one point to another meets a line segment, and after which part of it. */
static bool meets(throng_point a, throng_point b, throng_point from, throng_point to, double *part) {
    double was = side_of(a, b, from), is = side_of(a, b, to);
    double low = side_of(from, to, a), high = side_of(from, to, b);
    if ((was > 0 && is > 0) || (was < 0 && is < 0) || (low > 0 && high > 0) || (low < 0 && high < 0)) return false;
    *part = was != is ? was / (was - is) : 0;
    /* Along the line itself: only where both overlap. */
    return was != 0 || is != 0 ||
           fmin(throng_distance_to_segment(a, b, from), throng_distance_to_segment(from, to, a)) == 0;
}

static bool crosses(throng_ring line, throng_point from, throng_point to, double *part, bool *forward) {
    bool met = false;
    *part = INFINITY;
    for (size_t i = 0; i + 1 < line.count; i++) {
        throng_point a = line.points[i], b = line.points[i + 1];
        double here;
        if (throng_distance_to_segment(a, b, to) < on_line) return false;
        if (!meets(a, b, from, to, &here) || here >= *part) continue;
        met = true;
        *part = here;
        *forward = side_of(a, b, to) < 0;
    }
    return met;
}

static bool is_on(throng_ring line, throng_point at) {
    for (size_t i = 0; i + 1 < line.count; i++)
        if (throng_distance_to_segment(line.points[i], line.points[i + 1], at) < on_line) return true;
    return false;
}

static int compare_crossings(const void *a, const void *b) {
    const throng_crossing *p = a, *q = b;
    if (p->time != q->time) return p->time < q->time ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* Around the end of an endless place: one of the two ends may have the line. */
static bool crosses_turning(const throng_tracks *t, throng_ring line, uint32_t was, uint32_t is, double *part,
                            bool *forward) {
    throng_point from = {t->view.x[was], t->view.y[was]}, to = {t->view.x[is], t->view.y[is]};
    throng_point way = throng_tracks_way(t, was, is);
    return crosses(line, from, (throng_point){from.x + way.x, from.y + way.y}, part, forward) ||
           crosses(line, (throng_point){to.x - way.x, to.y - way.y}, to, part, forward);
}

size_t throng_measure_crossings(throng_tracks *t, throng_ring line, bool last, throng_crossing *out) {
    throng_tracks_view v = throng_tracks_look(t);
    size_t count = 0;
    uint32_t counted = UINT32_MAX; /* who has crossed it already */
    for (size_t p = 0; p < v.piece_count; p++) {
        throng_point before = {NAN, NAN}; /* where it last was that is not on the line */
        for (size_t k = v.piece_start[p] + 1; k < v.piece_start[p + 1]; k++) {
            uint32_t was = v.along[k - 1], is = v.along[k];
            throng_point from = {v.x[was], v.y[was]}, to = {v.x[is], v.y[is]};
            double part;
            bool forward, turn = throng_tracks_turn(t, was, is);
            if (turn) counted = UINT32_MAX;
            if (!last && v.person[is] == counted) continue;
            bool on = is_on(line, from);
            if (turn || !on) before = turn ? (throng_point){NAN, NAN} : from;
            if (turn ? !crosses_turning(t, line, was, is, &part, &forward)
                     : !crosses(line, from, to, &part, &forward)) {
                /* From the line, a hair behind it: has it come from the other side? */
                if (!on || isnan(before.x) || !crosses(line, before, to, &part, &forward)) continue;
                part = 0;
            }
            if (v.person[is] == counted) count--;
            out[count++] = (throng_crossing){is, ((double)v.frame[was] + part) / v.fps, forward};
            counted = v.person[is];
        }
    }
    if (count) qsort(out, count, sizeof *out, compare_crossings);
    return count;
}
