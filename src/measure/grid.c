/* grid.c: the people of one frame in cells (neighbour search), and who is nearest to whom. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/tracks.h"

static const double people_per_cell = 2;
static const double smallest_cell = 0.05; /* m */
enum { SIDE_MOST = 1024 };

static void lay_cells(throng_frame_grid *g) {
    throng_point low = {g->x[0], g->y[0]}, high = low;
    for (size_t k = 1; k < g->count; k++) {
        low.x = fmin(low.x, g->x[k]), high.x = fmax(high.x, g->x[k]);
        low.y = fmin(low.y, g->y[k]), high.y = fmax(high.y, g->y[k]);
    }
    double wide = high.x - low.x, deep = high.y - low.y;
    g->size = fmax(sqrt(wide * deep * people_per_cell / (double)g->count), smallest_cell);
    g->size = fmax(g->size, fmax(wide, deep) * people_per_cell / (double)g->count);
    g->size = fmax(g->size, fmax(wide, deep) / SIDE_MOST);
    g->low = low;
    g->columns = (int)(wide / g->size) + 1;
    g->rows = (int)(deep / g->size) + 1;
}

void throng_frame_grid_make(throng_frame_grid *g, const double *x, const double *y, size_t count) {
    g->x = x;
    g->y = y;
    g->count = count;
    if (count == 0) return;
    lay_cells(g);
    size_t cells = (size_t)g->columns * (size_t)g->rows;
    THRONG_GROW(g->start, g->cell_capacity, cells + 2);
    if (count > g->slot_capacity) {
        g->slot_capacity = 2 * count;
        g->slot = throng_reallocate(g->slot, g->slot_capacity * sizeof *g->slot);
        g->cell = throng_reallocate(g->cell, g->slot_capacity * sizeof *g->cell);
    }
    memset(g->start, 0, (cells + 2) * sizeof *g->start);
    for (size_t k = 0; k < count; k++) {
        int column = (int)((x[k] - g->low.x) / g->size), row = (int)((y[k] - g->low.y) / g->size);
        g->cell[k] = (uint32_t)(row * g->columns + column);
        g->start[g->cell[k] + 2]++;
    }
    for (size_t i = 2; i < cells + 2; i++) g->start[i] += g->start[i - 1];
    for (size_t k = 0; k < count; k++) g->slot[g->start[g->cell[k] + 1]++] = (uint32_t)k;
}

void throng_frame_grid_release(throng_frame_grid *g) { THRONG_RELEASE(g->start, g->slot, g->cell); }

/* Puts those of some cells of a row among those found, in order of distance; of equals the one found first. */
static size_t gather(const throng_frame_grid *g, size_t who, size_t first, size_t last, throng_found *out,
                     size_t count) {
    for (uint32_t s = g->start[first]; s < g->start[last + 1]; s++) {
        uint32_t other = g->slot[s];
        if (other == who) continue;
        double dx = g->x[other] - g->x[who], dy = g->y[other] - g->y[who];
        throng_found found = {dx * dx + dy * dy, dx, dy, other};
        size_t at = count++;
        for (; at > 0 && out[at - 1].distance2 > found.distance2; at--) out[at] = out[at - 1];
        out[at] = found;
    }
    return count;
}

size_t throng_frame_grid_ring(const throng_frame_grid *g, size_t who, int ring, throng_found *out) {
    int column = (int)g->cell[who] % g->columns, row = (int)g->cell[who] / g->columns;
    int left = column - ring, right = column + ring;
    int low = left < 0 ? 0 : left, high = right < g->columns ? right : g->columns - 1;
    size_t count = 0;
    for (int r = row - ring < 0 ? 0 : row - ring; r <= row + ring && r < g->rows; r++) {
        size_t base = (size_t)r * (size_t)g->columns;
        bool whole = ring == 1 || r == row - ring || r == row + ring;
        if (whole) {
            count = gather(g, who, base + (size_t)low, base + (size_t)high, out, count);
            continue;
        }
        if (left >= 0) count = gather(g, who, base + (size_t)left, base + (size_t)left, out, count);
        if (right < g->columns) count = gather(g, who, base + (size_t)right, base + (size_t)right, out, count);
    }
    return count;
}

static int clamp(double cell, int count) { return cell > 0 ? cell < count ? (int)cell : count - 1 : 0; }

size_t throng_frame_grid_around(const throng_frame_grid *g, size_t who, double reach, throng_found *out) {
    double x = g->x[who] - g->low.x, y = g->y[who] - g->low.y, reach2 = reach * reach;
    int left = clamp((x - reach) / g->size, g->columns), right = clamp((x + reach) / g->size, g->columns);
    int low = clamp((y - reach) / g->size, g->rows), high = clamp((y + reach) / g->size, g->rows);
    size_t count = 0;
    for (int r = low; r <= high; r++) {
        const uint32_t *start = g->start + (size_t)r * (size_t)g->columns;
        for (uint32_t s = start[left]; s < start[right + 1]; s++) {
            uint32_t other = g->slot[s];
            double dx = g->x[other] - g->x[who], dy = g->y[other] - g->y[who], distance2 = dx * dx + dy * dy;
            if (distance2 <= reach2 && other != who) out[count++] = (throng_found){distance2, dx, dy, other};
        }
    }
    return count;
}

double throng_frame_grid_bound(const throng_frame_grid *g, size_t who, int ring) {
    if (ring == 1) return 0;
    int column = (int)g->cell[who] % g->columns, row = (int)g->cell[who] / g->columns, inner = ring - 1;
    double x = g->x[who] - g->low.x, y = g->y[who] - g->low.y, bound = INFINITY;
    if (column - inner > 0) bound = fmin(bound, x - (column - inner) * g->size);
    if (column + inner < g->columns - 1) bound = fmin(bound, (column + inner + 1) * g->size - x);
    if (row - inner > 0) bound = fmin(bound, y - (row - inner) * g->size);
    if (row + inner < g->rows - 1) bound = fmin(bound, (row + inner + 1) * g->size - y);
    return bound;
}

/* ------------------------------------------------------------------ who is nearest */

typedef struct nearest_work {
    throng_tracks_view view;
    double *out;
} nearest_work;

static double nearest_of(const throng_frame_grid *g, size_t who, throng_found *found) {
    double nearest = INFINITY;
    for (int ring = 1; throng_frame_grid_bound(g, who, ring) < nearest; ring++)
        if (throng_frame_grid_ring(g, who, ring, found) > 0) nearest = fmin(nearest, sqrt(found[0].distance2));
    return isfinite(nearest) ? nearest : NAN;
}

static void find_nearest(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const nearest_work *work = context;
    throng_frame_grid grid = {0};
    throng_found *found = NULL;
    size_t capacity = 0;
    for (size_t f = begin; f < end; f++) {
        size_t first = work->view.start[f], count = work->view.start[f + 1] - first;
        throng_frame_grid_make(&grid, work->view.x + first, work->view.y + first, count);
        THRONG_GROW(found, capacity, count);
        for (size_t k = 0; k < count; k++) work->out[first + k] = nearest_of(&grid, k, found);
    }
    throng_release(found);
    throng_frame_grid_release(&grid);
}

void throng_measure_nearest(throng_tracks *t, double *out) {
    nearest_work work = {throng_tracks_look(t), out};
    throng_parallel_for(t->crew, work.view.frame_count, 64, find_nearest, &work);
}
