/* shares.c: how much of everybody's Voronoi cell is in areas, on lines (throng_measure_cells) and in the squares of a
 * grid: profiles of density, speed and flow, which a Gaussian around everybody gives, too (throng_measure_maps). The
 * definitions are those of PedPy (density_calculator.py, profile_calculator.py). */

#include <math.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vector.h"
#include "measure/cells.h"
#include "space/place.h"

enum { CHUNKS = 16 };                                     /* of frames, whatever the number of threads */
static const double width_to_sigma = 0.42466090014400953; /* 1 / (2 sqrt(2 ln 2)) */
static const double gaussian_reach = 6;                   /* sigma */
static const double root_two_pi = 2.5066282746310002;
static const double sliver = 1e-10; /* of a square: less is rounding */
static const double tiny = 1e-9;    /* m: shorter edges have no direction */

throng_cells_def throng_default_cells_def(void) { return (throng_cells_def){.cut_off_corners = 12}; }

/* ------------------------------------------------------------------ areas and lines */

/* What one worker has. */
typedef struct share_work {
    size_t rows;
    const throng_cells_def *def;
    double *area, *in_area, *on_line;
    const throng_tracks *tracks;
    throng_convex first, second;
    double *ends;
    size_t end_capacity;
} share_work;

/* The area that a simple polygon, convex or not, has in common with a convex one: clipping by Sutherland and Hodgman
 * leaves edges that are walked to and fro, which have no area. */
static double common_area(share_work *w, const throng_convex *piece, throng_ring area, throng_point origin) {
    throng_convex *a = &w->first;
    THRONG_GROW(a->at, a->capacity, area.count);
    a->count = area.count;
    for (size_t i = 0; i < area.count; i++) a->at[i] = throng_minus(area.points[i], origin);
    for (size_t i = 0; i < piece->count && a->count > 0; i++) {
        throng_point p = piece->at[i], q = piece->at[i + 1 < piece->count ? i + 1 : 0];
        double nx = q.y - p.y, ny = p.x - q.x;
        if (fabs(nx) + fabs(ny) < tiny) continue;
        throng_convex_cut(a, &w->second, nx, ny, nx * p.x + ny * p.y);
    }
    return throng_convex_area(a);
}

/* The length of a line in all pieces, what is on the border of two counted once. */
static double common_length(share_work *w, const throng_cell *cell, throng_point from, throng_point to) {
    size_t count = 0;
    THRONG_GROW(w->ends, w->end_capacity, 2 * cell->piece_count + 2);
    for (size_t i = 0; i < cell->piece_count; i++) {
        double enter, leave;
        if (!throng_convex_way(&cell->pieces[i], from, to, &enter, &leave)) continue;
        size_t at = count++;
        for (; at > 0 && w->ends[2 * at - 2] > enter; at--) {
            w->ends[2 * at] = w->ends[2 * at - 2];
            w->ends[2 * at + 1] = w->ends[2 * at - 1];
        }
        w->ends[2 * at] = enter;
        w->ends[2 * at + 1] = leave;
    }
    double sum = 0, done = 0;
    for (size_t i = 0; i < count; i++) {
        sum += fmax(w->ends[2 * i + 1] - fmax(w->ends[2 * i], done), 0);
        done = fmax(done, w->ends[2 * i + 1]);
    }
    return sum * throng_distance(from, to);
}

static double area_of(const throng_cell *cell) {
    double area = 0;
    for (size_t i = 0; i < cell->piece_count; i++) area += throng_convex_area(&cell->pieces[i]);
    return area > 0 ? area : NAN;
}

static void take_shares(void *context, const throng_cell *cell) {
    share_work *w = context;
    const throng_cells_def *def = w->def;
    w->area[cell->row] = area_of(cell);
    for (size_t k = 0; k < def->area_count; k++) {
        double sum = 0;
        for (size_t i = 0; i < cell->piece_count; i++) sum += common_area(w, &cell->pieces[i], def->areas[k], cell->at);
        w->in_area[k * w->rows + cell->row] = sum;
    }
    for (size_t k = 0; k < def->line_count; k++) {
        double sum = 0;
        for (size_t i = 0; i + 1 < def->lines[k].count; i++)
            sum += common_length(w, cell, throng_minus(def->lines[k].points[i], cell->at),
                                 throng_minus(def->lines[k].points[i + 1], cell->at));
        w->on_line[k * w->rows + cell->row] = sum;
    }
}

static void share_frames(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    share_work work = *(const share_work *)context;
    throng_cells_each(work.tracks, work.def, begin, end, take_shares, &work);
    THRONG_RELEASE(work.first.at, work.second.at, work.ends);
}

void throng_measure_cells(throng_tracks *t, const throng_cells_def *def, double *area, double *in_area,
                          double *on_line) {
    throng_tracks_view v = throng_tracks_look(t);
    share_work work = {v.row_count, def, area, in_area, on_line, t, {0}, {0}, NULL, 0};
    throng_parallel_for(t->crew, v.frame_count, 32, share_frames, &work);
}

/* ------------------------------------------------------------------ profiles */

throng_maps_def throng_default_maps_def(void) { return (throng_maps_def){.cell = 0.5, .last = SIZE_MAX}; }

/* Sums over people, and over squares of a chunk of frames. */
typedef struct square_sums {
    double density, covered;
    double speed, weight; /* of those whose speed is known */
    double flow, dense;
} square_sums;

typedef struct profile_work {
    const throng_tracks *tracks;
    const throng_maps_def *def;
    throng_cells_def cells;
    size_t first, frames;
    square_sums *sums; /* [chunk * squares + square] */
    throng_convex strip, square, spare;
    double *across, *along; /* [column], [row] of a Gaussian */
} profile_work;

/* Somebody's part of a square: how much of it, and how dense it is there. */
static void add_square(const profile_work *w, size_t square, double part, double density, double speed) {
    square_sums *sums = &w->sums[square];
    sums->density += part * density;
    sums->covered += part;
    if (!isfinite(speed)) return;
    sums->speed += part * speed;
    sums->flow += part * density * speed;
    sums->weight += part;
    sums->dense += part * density;
}

/* The range of squares that a range of coordinates lies in. */
static size_t square_of(double from_low, double cell, size_t count, size_t beyond) {
    double at = floor(from_low / cell) + (double)beyond;
    return at <= 0 ? 0 : at < (double)count ? (size_t)at : count;
}

static void take_piece(profile_work *w, const throng_cell *cell, const throng_convex *piece, double density,
                       double speed) {
    const throng_maps_def *d = w->def;
    throng_point low = throng_minus(d->low, cell->at), least = piece->at[0], most = least;
    for (size_t i = 1; i < piece->count; i++) {
        least = (throng_point){fmin(least.x, piece->at[i].x), fmin(least.y, piece->at[i].y)};
        most = (throng_point){fmax(most.x, piece->at[i].x), fmax(most.y, piece->at[i].y)};
    }
    size_t right = square_of(most.x - low.x, d->cell, d->columns, 1),
           top = square_of(most.y - low.y, d->cell, d->rows, 1);
    for (size_t r = square_of(least.y - low.y, d->cell, d->rows, 0); r < top; r++) {
        throng_convex_copy(&w->strip, piece);
        throng_convex_cut(&w->strip, &w->spare, 0, -1, -(low.y + d->cell * (double)r));
        throng_convex_cut(&w->strip, &w->spare, 0, 1, low.y + d->cell * (double)(r + 1));
        for (size_t c = square_of(least.x - low.x, d->cell, d->columns, 0); c < right; c++) {
            throng_convex_copy(&w->square, &w->strip);
            throng_convex_cut(&w->square, &w->spare, -1, 0, -(low.x + d->cell * (double)c));
            throng_convex_cut(&w->square, &w->spare, 1, 0, low.x + d->cell * (double)(c + 1));
            double part = throng_convex_area(&w->square) / (d->cell * d->cell);
            if (part > sliver) add_square(w, r * d->columns + c, part, density, speed);
        }
    }
}

static void take_squares(void *context, const throng_cell *cell) {
    profile_work *w = context;
    double density = 1 / area_of(cell);
    for (size_t i = 0; i < cell->piece_count; i++)
        take_piece(w, cell, &cell->pieces[i], density, w->def->speed ? w->def->speed[cell->row] : NAN);
}

/* The Gaussian of somebody along an axis, at the middles of squares; those where it is not 0. */
static void spread(double at, double cell, size_t count, double sigma, double *out, size_t *begin, size_t *end) {
    *begin = square_of(at - gaussian_reach * sigma, cell, count, 0);
    *end = square_of(at + gaussian_reach * sigma, cell, count, 1);
    for (size_t i = *begin; i < *end; i++) {
        double far = (((double)i + 0.5) * cell - at) / sigma;
        out[i] = throng_exp(-far * far / 2) / (sigma * root_two_pi);
    }
}

static void take_gaussian(profile_work *w, size_t row) {
    const throng_maps_def *d = w->def;
    double sigma = d->gaussian * width_to_sigma;
    size_t left, right, low, high;
    spread(w->tracks->view.x[row] - d->low.x, d->cell, d->columns, sigma, w->across, &left, &right);
    spread(w->tracks->view.y[row] - d->low.y, d->cell, d->rows, sigma, w->along, &low, &high);
    for (size_t r = low; r < high; r++)
        for (size_t c = left; c < right; c++)
            add_square(w, r * d->columns + c, w->along[r] * w->across[c], 1, d->speed ? d->speed[row] : NAN);
}

static void profile_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    profile_work work = *(const profile_work *)context;
    const throng_maps_def *d = work.def;
    work.across = throng_allocate((d->columns + d->rows) * sizeof *work.across);
    work.along = work.across + d->columns;
    for (size_t c = begin; c < end; c++) {
        size_t from = work.first + work.frames * c / CHUNKS, to = work.first + work.frames * (c + 1) / CHUNKS;
        work.sums = ((const profile_work *)context)->sums + c * d->columns * d->rows;
        if (d->gaussian > 0)
            for (size_t i = work.tracks->view.start[from]; i < work.tracks->view.start[to]; i++)
                take_gaussian(&work, i);
        else
            throng_cells_each(work.tracks, &work.cells, from, to, take_squares, &work);
    }
    THRONG_RELEASE(work.across, work.strip.at, work.square.at, work.spare.at);
}

void throng_measure_maps(throng_tracks *t, const throng_maps_def *def, throng_maps *out) {
    throng_tracks_view v = throng_tracks_look(t);
    size_t squares = def->columns * def->rows, last = def->last < v.frame_count ? def->last + 1 : v.frame_count;
    profile_work work = {.tracks = t, .def = def, .cells = throng_default_cells_def(), .first = def->first};
    work.frames = last > def->first ? last - def->first : 0;
    work.cells.cut_off = def->cut_off;
    work.sums = throng_allocate(CHUNKS * squares * sizeof *work.sums);
    if (work.frames > 0) throng_parallel_for(t->crew, CHUNKS, 1, profile_chunks, &work);
    for (size_t s = 0; s < squares; s++) {
        square_sums all = {0};
        for (size_t c = 0; c < CHUNKS; c++) {
            const square_sums *part = &work.sums[c * squares + s];
            all.density += part->density;
            all.covered += part->covered;
            all.speed += part->speed;
            all.flow += part->flow;
            all.weight += part->weight;
            all.dense += part->dense;
        }
        double frames = (double)work.frames;
        out->density[s] = frames > 0 ? all.density / frames : NAN;
        out->covered[s] = frames > 0 ? all.covered / frames : NAN;
        out->speed[s] = all.weight > 0 ? all.speed / all.weight : NAN;
        out->flow[s] = all.dense > 0 ? all.flow / all.dense * out->density[s] : NAN;
    }
    throng_release(work.sums);
}
