/* around.c: figures of people near each other and of people and walls: overlaps of bodies, pressure of the crowd, how
 * far pairs are apart (pair distribution), ways through walls. */

#include <math.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vector.h"
#include "measure/tracks.h"

enum { CHUNKS = 64 }; /* of frames, whatever the number of threads: sums are made per chunk and added in order */
static const double pi = 3.141592653589793;
static const double overlap_least = 1e-3;    /* m */
static const double pressure_radius = 1;     /* m (Helbing, Johansson, Al-Abideen 2007) */
static const double pressure_reach = 3;      /* in radii: the kernel is 1e-4 there */
static const uint64_t pairs_drawn = 4 << 20; /* of positions of any frames */

/* What is found out around everybody. */
typedef struct around_work around_work;
struct around_work {
    throng_tracks_view view;
    size_t first, last; /* frames */
    double reach;       /* m */
    void (*take)(const around_work *work, size_t chunk, size_t row, const throng_found *found, size_t count);
    const double *radius, *vx, *vy;
    double *out;                      /* [row], or [chunk * bin_count + bin] */
    throng_overlap_figures *overlaps; /* [chunk] */
    double bin;
    size_t bin_count;
};

static void take_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const around_work *work = context;
    throng_frame_grid grid = {0};
    throng_found *found = NULL;
    size_t capacity = 0, frames = work->last + 1 - work->first;
    for (size_t c = begin; c < end; c++) {
        for (size_t f = work->first + frames * c / CHUNKS; f < work->first + frames * (c + 1) / CHUNKS; f++) {
            size_t row = work->view.start[f], count = work->view.start[f + 1] - row;
            throng_frame_grid_make(&grid, work->view.x + row, work->view.y + row, count);
            THRONG_GROW(found, capacity, count);
            for (size_t k = 0; k < count; k++) {
                bool known = !work->vx || isfinite(work->vx[row + k]);
                work->take(work, c, row + k, found, known ? throng_frame_grid_around(&grid, k, work->reach, found) : 0);
            }
        }
    }
    throng_release(found);
    throng_frame_grid_release(&grid);
}

/* Leaves out frames there are not. */
static void take_all(throng_tracks *t, around_work *work) {
    work->view = throng_tracks_look(t);
    if (work->view.frame_count == 0 || work->first >= work->view.frame_count) return;
    if (work->last >= work->view.frame_count) work->last = work->view.frame_count - 1;
    throng_parallel_for(t->crew, CHUNKS, 1, take_chunks, work);
}

/* ------------------------------------------------------------------ overlaps */

static void take_overlaps(const around_work *work, size_t chunk, size_t row, const throng_found *found, size_t count) {
    throng_overlap_figures *sums = &work->overlaps[chunk];
    const uint32_t *person = work->view.person;
    size_t start = work->view.start[work->view.frame[row]];
    for (size_t i = 0; i < count; i++) {
        size_t other = start + found[i].who;
        double touch = work->radius[person[row]] + work->radius[person[other]];
        if (other < row || !(found[i].distance2 < touch * touch)) continue;
        double depth = touch - sqrt(found[i].distance2);
        if (depth <= overlap_least) continue;
        sums->pairs++;
        sums->deepest = fmax(sums->deepest, depth);
    }
}

throng_overlap_figures throng_measure_overlaps(throng_tracks *t, const double *radius, size_t first, size_t last) {
    throng_overlap_figures chunks[CHUNKS] = {0}, all = {0};
    around_work work = {.first = first, .last = last, .take = take_overlaps, .radius = radius, .overlaps = chunks};
    throng_tracks_view view = throng_tracks_look(t);
    for (size_t p = 0; p < view.person_count; p++) work.reach = fmax(work.reach, 2 * radius[p]);
    take_all(t, &work);
    for (size_t c = 0; c < CHUNKS; c++) {
        all.pairs += chunks[c].pairs;
        all.deepest = fmax(all.deepest, chunks[c].deepest);
    }
    return all;
}

/* ------------------------------------------------------------------ pressure */

static void take_pressure(const around_work *work, size_t chunk, size_t row, const throng_found *found, size_t count) {
    (void)chunk;
    size_t start = work->view.start[work->view.frame[row]];
    const double *vx = work->vx, *vy = work->vy;
    double sum = 1, x = 0, y = 0, squares = 0 * vx[row]; /* NaN without a velocity */
    for (size_t i = 0; i < count; i++) {
        size_t other = start + found[i].who;
        double far2 = found[i].distance2 / (pressure_radius * pressure_radius);
        if (far2 > pressure_reach * pressure_reach || !isfinite(vx[other])) continue;
        double weight = throng_exp(-far2), dx = vx[other] - vx[row], dy = vy[other] - vy[row];
        sum += weight;
        x += weight * dx;
        y += weight * dy;
        squares += weight * (dx * dx + dy * dy);
    }
    double variance = (squares - (x * x + y * y) / sum) / sum;
    if (variance < 0) variance = 0; /* by rounding */
    work->out[row] = sum / (pi * pressure_radius * pressure_radius) * variance;
}

void throng_measure_pressures(throng_tracks *t, const double *vx, const double *vy, double *out) {
    around_work work = {.last = SIZE_MAX,
                        .reach = pressure_reach * pressure_radius,
                        .take = take_pressure,
                        .vx = vx,
                        .vy = vy,
                        .out = out};
    take_all(t, &work);
}

/* ------------------------------------------------------------------ pairs */

static void take_distances(const around_work *work, size_t chunk, size_t row, const throng_found *found, size_t count) {
    size_t start = work->view.start[work->view.frame[row]];
    double *bins = work->out + chunk * work->bin_count, most = work->bin * (double)work->bin_count;
    for (size_t i = 0; i < count; i++)
        if (start + found[i].who > row && found[i].distance2 < most * most)
            bins[(size_t)(sqrt(found[i].distance2) / work->bin)]++;
}

/* Two positions of these frames, whoever they are of; -1: the same one. */
static double draw_distance(const throng_tracks_view *v, size_t begin, size_t count, uint64_t draw) {
    uint64_t bits = throng_mix((draw + 1) * 0x9E3779B97F4A7C15u);
    size_t a = begin + (size_t)((bits >> 32) * count >> 32), b = begin + (size_t)((bits & UINT32_MAX) * count >> 32);
    double dx = v->x[a] - v->x[b], dy = v->y[a] - v->y[b];
    return a == b ? -1 : sqrt(dx * dx + dy * dy);
}

void throng_measure_pair_distribution(throng_tracks *t, size_t first, size_t last, double bin, size_t bin_count,
                                      double *out) {
    double *chunks = throng_allocate(CHUNKS * bin_count * sizeof *chunks), pairs = 0, drawn = 0;
    around_work work = {.first = first,
                        .last = last,
                        .reach = bin * (double)bin_count,
                        .take = take_distances,
                        .out = chunks,
                        .bin = bin,
                        .bin_count = bin_count};
    take_all(t, &work);
    double *others = throng_allocate(bin_count * sizeof *others);
    const throng_tracks_view *v = &work.view;
    for (size_t f = first; f <= work.last && f < v->frame_count; f++) {
        double n = (double)(v->start[f + 1] - v->start[f]);
        pairs += n * (n - 1) / 2;
    }
    size_t begin = pairs > 0 ? v->start[first] : 0, count = pairs > 0 ? v->start[work.last + 1] - begin : 0;
    for (uint64_t draw = 0; pairs > 0 && draw < pairs_drawn; draw++) {
        double apart = draw_distance(v, begin, count, draw);
        drawn += apart >= 0;
        if (apart >= 0 && apart < work.reach) others[(size_t)(apart / bin)]++;
    }
    for (size_t k = 0; k < bin_count; k++) {
        double seen = 0;
        for (size_t c = 0; c < CHUNKS; c++) seen += chunks[c * bin_count + k];
        out[k] = others[k] > 0 ? seen / pairs * drawn / others[k] : NAN;
    }
    THRONG_RELEASE(chunks, others);
}

/* ------------------------------------------------------------------ walls */

throng_wall_figures throng_measure_walls(throng_tracks *t, size_t first, size_t last) {
    throng_tracks_view v = throng_tracks_look(t);
    throng_wall_figures f = {0};
    for (size_t p = 0; t->walls && p < v.piece_count; p++) {
        for (size_t k = v.piece_start[p]; k < v.piece_start[p + 1]; k++) {
            uint32_t is = v.along[k];
            throng_point to = {v.x[is], v.y[is]};
            if (v.frame[is] < first || v.frame[is] > last) continue;
            f.outside += !throng_walls_inside(t->walls, to.x, to.y);
            if (k == v.piece_start[p] || throng_tracks_turn(t, v.along[k - 1], is)) continue;
            throng_point from = {v.x[v.along[k - 1]], v.y[v.along[k - 1]]};
            f.crossings += throng_walls_block(t->walls, from, to, 0);
        }
    }
    return f;
}
