/* near.c: one counting sort per step puts everybody into square cells, row of cells by row.
 *
 * The cell is four mean radii wide: about one person in a loose crowd, a few in a dense one. It is
 * a function of the people alone, never of the history, so that a restarted run sorts the same way.
 * Sorting by row within a cell keeps the order of ids. */

#include "space/near.h"

#include <math.h>
#include <string.h>

#include "space/box.h"
#include "world/memory.h"

enum { GRAIN = 4096, CELLS_PER_PERSON = 16, CELLS_AT_LEAST = 1 << 14 };

struct throng_near_grid {
    throng_near near; /* what others see */
    size_t capacity;
    uint32_t *start, *row, *slot, *cell_of; /* cell_of: [row] */
    double *x, *y, *vx, *vy, *radius;
    uint8_t *moved;
};

typedef struct job {
    throng_near_grid *grid;
    const throng_near_input *input;
} job;

throng_near_grid *throng_near_create(void) {
    throng_near_grid *grid = throng_allocate(sizeof *grid);
    throng_near_reserve(grid, 1);
    return grid;
}

void throng_near_destroy(throng_near_grid *grid) {
    if (!grid) return;
    void *arrays[] = {grid->start, grid->row, grid->slot, grid->cell_of, grid->x,
                      grid->y,     grid->vx,  grid->vy,   grid->radius,  grid->moved};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) throng_release(arrays[i]);
    throng_release(grid);
}

static size_t cell_limit(size_t count) { return count * CELLS_PER_PERSON + CELLS_AT_LEAST; }

void throng_near_reserve(throng_near_grid *grid, size_t capacity) {
    if (capacity <= grid->capacity) return;
    grid->capacity = capacity;
    grid->start = throng_reallocate(grid->start, (cell_limit(capacity) + 2) * sizeof *grid->start);
    uint32_t **whole[] = {&grid->row, &grid->slot, &grid->cell_of};
    for (size_t i = 0; i < 3; i++) *whole[i] = throng_reallocate(*whole[i], capacity * sizeof(uint32_t));
    double **real[] = {&grid->x, &grid->y, &grid->vx, &grid->vy, &grid->radius};
    for (size_t i = 0; i < 5; i++) *real[i] = throng_reallocate(*real[i], capacity * sizeof(double));
    grid->moved = throng_reallocate(grid->moved, capacity);
}

/* The mean in four interleaved sums, in a fixed order. */
static double mean_radius(const throng_near_input *in, double *largest) {
    double sum[4] = {0}, top[4] = {0};
    for (size_t i = 0; i < in->count; i++) {
        double r = in->radius[i];
        sum[i & 3] += r;
        top[i & 3] = r > top[i & 3] ? r : top[i & 3];
    }
    *largest = fmax(fmax(top[0], top[1]), fmax(top[2], top[3]));
    return in->count ? ((sum[0] + sum[1]) + (sum[2] + sum[3])) / (double)in->count : 0;
}

/* Lays the cells over everybody; wider ones when people are scattered so far that there would be
 * too many. */
static void lay_out(throng_near *near, const throng_near_input *in) {
    throng_box box = {{0, 0}, {0, 0}};
    if (in->count > 0) box = throng_box_of_columns(in->x, in->y, in->count);
    double cell = 4 * mean_radius(in, &near->radius_max);
    if (!(cell > 0)) cell = 1;
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    double limit = (double)cell_limit(in->count);
    while ((floor(width / cell) + 1) * (floor(height / cell) + 1) > limit) cell *= 1.25;

    near->count = in->count;
    near->origin_x = box.low.x;
    near->origin_y = box.low.y;
    near->cell = cell;
    near->inverse_cell = 1 / cell;
    near->columns = (int32_t)floor(width / cell) + 1;
    near->rows = (int32_t)floor(height / cell) + 1;
}

static void find_cells(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const job *j = context;
    const throng_near *near = &j->grid->near;
    for (size_t i = begin; i < end; i++) {
        int32_t column = throng_near_column(near, j->input->x[i]), row = throng_near_row(near, j->input->y[i]);
        j->grid->cell_of[i] = (uint32_t)row * (uint32_t)near->columns + (uint32_t)column;
    }
}

/* Counting sort: start[c + 1] first counts cell c, then marks where its next person goes, and ends
 * up as the start of cell c + 1. */
static void sort_rows(throng_near_grid *grid, size_t count) {
    size_t cells = (size_t)grid->near.columns * (size_t)grid->near.rows;
    uint32_t *start = grid->start;
    memset(start, 0, (cells + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++) start[grid->cell_of[i] + 2]++;
    for (size_t c = 2; c < cells + 2; c++) start[c] += start[c - 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = start[grid->cell_of[i] + 1]++;
        grid->row[slot] = (uint32_t)i;
        grid->slot[i] = slot;
    }
}

static void gather(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const job *j = context;
    throng_near_grid *grid = j->grid;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = grid->row[k];
        grid->x[k] = j->input->x[i];
        grid->y[k] = j->input->y[i];
        grid->vx[k] = j->input->vx[i];
        grid->vy[k] = j->input->vy[i];
        grid->radius[k] = j->input->radius[i];
        grid->moved[k] = 0;
    }
}

const throng_near *throng_near_build(throng_near_grid *grid, throng_crew *crew, const throng_near_input *input) {
    throng_near *near = &grid->near;
    job j = {grid, input};
    lay_out(near, input);
    throng_parallel_for(crew, input->count, GRAIN, find_cells, &j);
    sort_rows(grid, input->count);
    throng_parallel_for(crew, input->count, GRAIN, gather, &j);
    near->start = grid->start;
    near->row = grid->row;
    near->slot = grid->slot;
    near->x = grid->x;
    near->y = grid->y;
    near->vx = grid->vx;
    near->vy = grid->vy;
    near->radius = grid->radius;
    near->moved = grid->moved;
    return near;
}

void throng_near_settle(throng_near_grid *grid, const uint32_t *slots, size_t count, const double *next_x,
                        const double *next_y, double dt) {
    for (size_t k = 0; k < count; k++) {
        uint32_t slot = slots[k], row = grid->row[slot];
        grid->vx[slot] = (next_x[row] - grid->x[slot]) / dt;
        grid->vy[slot] = (next_y[row] - grid->y[slot]) / dt;
        grid->moved[slot] = 1;
    }
}
