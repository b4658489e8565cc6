/* near.c: one counting sort per step puts everybody into square cells, row of cells by row.
 *
 * The cell is four mean radii wide: about one person in a loose crowd, a few in a dense one. It is
 * a function of the people alone, never of the history, so that a restarted run sorts the same way.
 * Within a cell people are in order of row. */

#include "space/near.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"

enum { GRAIN = 1024, CELLS_PER_PERSON = 16, CELLS_AT_LEAST = 1 << 14 };

struct throng_near_grid {
    throng_near near; /* what others see */
    size_t capacity;
    uint32_t *start, *row, *slot, *cell_of; /* cell_of: [row], then [count + image] */
    uint32_t *image_row, *image_slot;       /* [image] */
    double *image_x, *image_y;              /* [image] m */
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
    void *arrays[] = {grid->start,     grid->row,        grid->slot,    grid->cell_of, grid->x,
                      grid->y,         grid->vx,         grid->vy,      grid->radius,  grid->moved,
                      grid->image_row, grid->image_slot, grid->image_x, grid->image_y};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) throng_release(arrays[i]);
    throng_release(grid);
}

static size_t cell_limit(size_t count) { return count * CELLS_PER_PERSON + CELLS_AT_LEAST; }

void throng_near_reserve(throng_near_grid *grid, size_t capacity) {
    if (capacity <= grid->capacity) return;
    grid->capacity = capacity;
    grid->start = throng_reallocate(grid->start, (cell_limit(capacity) + 2) * sizeof *grid->start);
    uint32_t **whole[] = {&grid->row, &grid->slot, &grid->cell_of, &grid->image_row, &grid->image_slot};
    for (size_t i = 0; i < 5; i++) *whole[i] = throng_reallocate(*whole[i], capacity * sizeof(uint32_t));
    double **real[] = {&grid->x, &grid->y, &grid->vx, &grid->vy, &grid->radius, &grid->image_x, &grid->image_y};
    for (size_t i = 0; i < 7; i++) *real[i] = throng_reallocate(*real[i], capacity * sizeof(double));
    grid->moved = throng_reallocate(grid->moved, capacity);
}

/* The mean in four interleaved sums, in a fixed order. */
static double mean_radius(const throng_near_input *in, double *largest) {
    double sum[4] = {0}, top[4] = {0};
    size_t fours = in->people.count / 4 * 4;
    for (size_t i = 0; i < fours; i += 4) {
        for (size_t k = 0; k < 4; k++) {
            double r = in->people.radius[i + k];
            sum[k] += r;
            top[k] = r > top[k] ? r : top[k];
        }
    }
    for (size_t i = fours; i < in->people.count; i++) {
        double r = in->people.radius[i];
        sum[i - fours] += r;
        top[i - fours] = fmax(r, top[i - fours]);
    }
    *largest = fmax(fmax(top[0], top[1]), fmax(top[2], top[3]));
    return in->people.count ? ((sum[0] + sum[1]) + (sum[2] + sum[3])) / (double)in->people.count : 0;
}

size_t throng_near_slots_each(const throng_period *period, double margin) {
    size_t slots = 1;
    if (period->x) slots *= margin > (period->high.x - period->low.x) / 2 ? 3 : 2;
    if (period->y) slots *= margin > (period->high.y - period->low.y) / 2 ? 3 : 2;
    return slots;
}

/* The offsets of a coordinate and its images along one axis. */
static int offsets_of(bool wraps, double x, double low, double high, double margin, double *offset) {
    int count = 0;
    offset[count++] = 0;
    if (wraps && x < low + margin) offset[count++] = high - low;
    if (wraps && x >= high - margin) offset[count++] = low - high;
    return count;
}

/* Everybody near a seam, in order of row. All are noted, and only those who are near are counted: which of them come
 * next is hard to foresee for a processor. */
static size_t find_near_seams(const throng_near_input *in, uint32_t *rows) {
    const throng_period *p = in->period;
    size_t count = 0;
    double left = p->x ? p->low.x + in->margin : -INFINITY, right = p->x ? p->high.x - in->margin : INFINITY;
    double low = p->y ? p->low.y + in->margin : -INFINITY, high = p->y ? p->high.y - in->margin : INFINITY;
    for (size_t i = 0; i < in->people.count; i++) {
        rows[count] = (uint32_t)i;
        count += !((in->people.x[i] >= left) & (in->people.x[i] < right) & (in->people.y[i] >= low) &
                   (in->people.y[i] < high));
    }
    return count;
}

/* Images of everybody near a seam, in order of row. */
static void find_images(throng_near_grid *grid, const throng_near_input *in) {
    const throng_period *p = in->period;
    uint32_t *rows = grid->slot; /* which nobody has yet */
    size_t count = 0, near = p && (p->x || p->y) ? find_near_seams(in, rows) : 0;
    for (size_t n = 0; n < near; n++) {
        uint32_t i = rows[n];
        double x[3], y[3];
        int across = offsets_of(p->x, in->people.x[i], p->low.x, p->high.x, in->margin, x);
        int up = offsets_of(p->y, in->people.y[i], p->low.y, p->high.y, in->margin, y);
        for (int r = 0; r < up; r++) {
            for (int c = r == 0; c < across; c++) {
                assert(in->people.count + count < grid->capacity);
                grid->image_row[count] = i;
                grid->image_x[count] = in->people.x[i] + x[c];
                grid->image_y[count++] = in->people.y[i] + y[r];
            }
        }
    }
    grid->near.image_count = count;
}

/* Lays the cells over everybody; wider ones when people are scattered so far that there would be
 * too many. */
static void lay_out(throng_near_grid *grid, const throng_near_input *in) {
    throng_near *near = &grid->near;
    throng_box box = {{0, 0}, {0, 0}};
    if (in->people.count > 0) box = throng_box_of_columns(in->people.x, in->people.y, in->people.count);
    if (near->image_count > 0) {
        box = throng_box_join(box, throng_box_of_columns(grid->image_x, grid->image_y, near->image_count));
    }
    double cell = 4 * mean_radius(in, &near->radius_max);
    if (!(cell > 0)) cell = 1;
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    double limit = (double)cell_limit(in->people.count + near->image_count);
    while ((floor(width / cell) + 1) * (floor(height / cell) + 1) > limit) cell *= 1.25;

    near->count = in->people.count + near->image_count;
    near->image_margin = in->period ? in->margin : 0;
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
        int32_t column = throng_near_column(near, j->input->people.x[i]),
                row = throng_near_row(near, j->input->people.y[i]);
        j->grid->cell_of[i] = (uint32_t)row * (uint32_t)near->columns + (uint32_t)column;
    }
}

static void find_image_cells(throng_near_grid *grid, size_t count) {
    const throng_near *near = &grid->near;
    for (size_t k = 0; k < near->image_count; k++) {
        int32_t column = throng_near_column(near, grid->image_x[k]), row = throng_near_row(near, grid->image_y[k]);
        grid->cell_of[count + k] = (uint32_t)row * (uint32_t)near->columns + (uint32_t)column;
    }
}

/* Counting sort: start[c + 1] first counts cell c, then marks where its next person goes, and ends
 * up as the start of cell c + 1. */
static void sort_rows(throng_near_grid *grid, size_t count) {
    size_t cells = (size_t)grid->near.columns * (size_t)grid->near.rows;
    uint32_t *start = grid->start;
    memset(start, 0, (cells + 2) * sizeof *start);
    size_t images = grid->near.image_count;
    for (size_t i = 0; i < count + images; i++) start[grid->cell_of[i] + 2]++;
    for (size_t c = 2; c < cells + 2; c++) start[c] += start[c - 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = start[grid->cell_of[i] + 1]++;
        grid->row[slot] = (uint32_t)i;
        grid->slot[i] = slot;
    }
    for (size_t k = 0; k < images; k++) {
        uint32_t slot = start[grid->cell_of[count + k] + 1]++;
        grid->row[slot] = grid->image_row[k];
        grid->image_slot[k] = slot;
    }
}

static void gather(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const job *j = context;
    throng_near_grid *grid = j->grid;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = grid->row[k];
        grid->x[k] = j->input->people.x[i];
        grid->y[k] = j->input->people.y[i];
        grid->vx[k] = j->input->people.vx[i];
        grid->vy[k] = j->input->people.vy[i];
        grid->radius[k] = j->input->people.radius[i];
        grid->moved[k] = 0;
    }
}

const throng_near *throng_near_build(throng_near_grid *grid, throng_crew *crew, const throng_near_input *input) {
    throng_near *near = &grid->near;
    job j = {grid, input};
    find_images(grid, input);
    lay_out(grid, input);
    throng_parallel_for(crew, input->people.count, GRAIN, find_cells, &j);
    find_image_cells(grid, input->people.count);
    sort_rows(grid, input->people.count);
    throng_parallel_for(crew, near->count, GRAIN, gather, &j);
    for (size_t k = 0; k < near->image_count; k++) {
        grid->x[grid->image_slot[k]] = grid->image_x[k];
        grid->y[grid->image_slot[k]] = grid->image_y[k];
    }
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

void throng_near_mark_moved(throng_near_grid *grid, size_t first, size_t count) {
    for (size_t row = first; row < first + count; row++) grid->moved[grid->slot[row]] = 1;
}

void throng_near_update_velocities(throng_near_grid *grid, const double *vx, const double *vy) {
    for (size_t slot = 0; slot < grid->near.count; slot++) {
        grid->vx[slot] = vx[grid->row[slot]];
        grid->vy[slot] = vy[grid->row[slot]];
    }
}

void throng_near_settle(throng_near_grid *grid, const uint32_t *slots, size_t count, const double *next_x,
                        const double *next_y, double dt) {
    for (size_t k = 0; k < count; k++) {
        uint32_t slot = slots[k], row = grid->row[slot];
        grid->vx[slot] = (next_x[row] - grid->x[slot]) / dt;
        grid->vy[slot] = (next_y[row] - grid->y[slot]) / dt;
        grid->moved[slot] = 1;
    }
    for (size_t k = 0; k < grid->near.image_count; k++) {
        uint32_t image = grid->image_slot[k], slot = grid->slot[grid->image_row[k]];
        grid->vx[image] = grid->vx[slot];
        grid->vy[image] = grid->vy[slot];
        grid->moved[image] = grid->moved[slot];
    }
}
