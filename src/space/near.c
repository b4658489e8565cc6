/* near.c: one counting sort per step puts everybody into cells, row of cells by row (neighbour search by a cell grid).
 *
 * A cell is a square of a fixed size at whole multiples of it, about four radii wide: one person in a loose crowd, a
 * few in a dense one. Where people are scattered far, cells are several squares wide and still sorted by square. So who
 * comes before whom, by which models sum up and settle ties, depends on those two alone: not on who else is there, how
 * far away, or in which row. Only when they are more than CELLS_AT_LEAST squares apart do squares grow. */

#include "space/near.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"

enum { GRAIN = 1024, CELLS_PER_PERSON = 3, CELLS_AT_LEAST = 8000 };

struct throng_near_grid {
    throng_near near; /* what others see */
    size_t capacity, squares_across;
    uint32_t *start, *row, *slot, *cell_of; /* cell_of: [item] */
    uint32_t *image_row, *image_slot;       /* [image]; image_slot: in the place of cell_of, when that has served */
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
    THRONG_RELEASE(grid->start, grid->row, grid->slot, grid->cell_of, grid->x, grid->y, grid->vx, grid->vy,
                   grid->radius, grid->moved, grid->image_row, grid->image_x, grid->image_y);
    throng_release(grid);
}

static size_t cell_limit(size_t count) { return count * CELLS_PER_PERSON + CELLS_AT_LEAST; }

void throng_near_reserve(throng_near_grid *grid, size_t capacity) {
    if (capacity <= grid->capacity) return;
    grid->capacity = capacity;
    grid->start = throng_reallocate(grid->start, (cell_limit(capacity) + 2) * sizeof *grid->start);
    uint32_t **whole[] = {&grid->row, &grid->slot, &grid->cell_of, &grid->image_row};
    for (size_t i = 0; i < 4; i++) *whole[i] = throng_reallocate(*whole[i], capacity * sizeof(uint32_t));
    grid->image_slot = grid->cell_of;
    double **real[] = {&grid->x, &grid->y, &grid->vx, &grid->vy, &grid->radius, &grid->image_x, &grid->image_y};
    for (size_t i = 0; i < 7; i++) *real[i] = throng_reallocate(*real[i], capacity * sizeof(double));
    grid->moved = throng_reallocate(grid->moved, capacity);
}

double throng_near_square(double radius) {
    double square = 1;
    if (!(radius > 0 && radius < 1e100)) return square;
    while (4 * radius >= 2 * square) square *= 4;
    while (4 * radius < 0.5 * square) square *= 0.25;
    return square;
}

bool throng_near_keeps_square(double square, throng_box box, double margin, size_t count) {
    double limit = (double)cell_limit(count) - 1;
    return (box.high.x - box.low.x + 2 * margin) / square < limit - 1 &&
           (box.high.y - box.low.y + 2 * margin) / square < limit - 1;
}

static double largest_radius(const throng_near_input *in) {
    double top[4] = {0};
    size_t fours = in->people.count / 4 * 4;
    for (size_t i = 0; i < fours; i += 4) {
        for (size_t k = 0; k < 4; k++) top[k] = in->people.radius[i + k] > top[k] ? in->people.radius[i + k] : top[k];
    }
    for (size_t i = fours; i < in->people.count; i++) top[0] = fmax(in->people.radius[i], top[0]);
    return fmax(fmax(top[0], top[1]), fmax(top[2], top[3]));
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

/* Lays the cells over everybody: wide ones when people are scattered so far that there would be too many. */
static void lay_out(throng_near_grid *grid, const throng_near_input *in) {
    throng_near *near = &grid->near;
    throng_box box = {{0, 0}, {0, 0}};
    if (in->people.count > 0) box = throng_box_of_columns(in->people.x, in->people.y, in->people.count);
    if (near->image_count > 0) {
        box = throng_box_join(box, throng_box_of_columns(grid->image_x, grid->image_y, near->image_count));
    }
    near->count = in->people.count + near->image_count;
    near->image_margin = in->period ? in->margin : 0;
    near->radius_max = largest_radius(in);

    double limit = (double)cell_limit(near->count), columns, rows;
    for (near->cell = throng_near_square(in->scale);; near->cell *= 4) {
        near->inverse_cell = 1 / near->cell;
        near->first_column = floor(box.low.x * near->inverse_cell + THRONG_NEAR_FAR);
        near->first_row = floor(box.low.y * near->inverse_cell + THRONG_NEAR_FAR);
        columns = floor(box.high.x * near->inverse_cell + THRONG_NEAR_FAR) - near->first_column + 1;
        rows = floor(box.high.y * near->inverse_cell + THRONG_NEAR_FAR) - near->first_row + 1;
        if (columns <= limit && rows <= limit) break;
    }
    near->columns_per_square = 1;
    while (ceil(columns * near->columns_per_square) * rows > limit) near->columns_per_square /= 2;
    near->columns = (int32_t)ceil(columns * near->columns_per_square);
    near->rows = (int32_t)rows;
    grid->squares_across = (size_t)columns;
}

static inline double item_x(const throng_near_grid *grid, const throng_near_input *in, size_t item) {
    return item < in->people.count ? in->people.x[item] : grid->image_x[item - in->people.count];
}

/* The column of squares, which cells may hold several of. */
static inline uint32_t square_column(const throng_near_grid *grid, const throng_near_input *in, uint32_t item) {
    const throng_near *near = &grid->near;
    return (uint32_t)((item_x(grid, in, item) * near->inverse_cell + THRONG_NEAR_FAR) - near->first_column);
}

static void find_cells(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const job *j = context;
    const throng_near *near = &j->grid->near;
    const size_t count = j->input->people.count;
    for (size_t i = begin; i < end; i++) {
        double y = i < count ? j->input->people.y[i] : j->grid->image_y[i - count];
        int32_t column = throng_near_column(near, item_x(j->grid, j->input, i)), row = throng_near_row(near, y);
        j->grid->cell_of[i] = (uint32_t)row * (uint32_t)near->columns + (uint32_t)column;
    }
}

/* --- sorting. An item is a row, or input->people.count + an image. */

/* Items in order of columns of squares, in `slot`. */
static void sort_by_column(throng_near_grid *grid, const throng_near_input *in) {
    const throng_near *near = &grid->near;
    uint32_t *start = grid->start, *sorted = grid->slot; /* which nobody has yet */
    memset(start, 0, (grid->squares_across + 1) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < near->count; i++) {
            uint32_t column = square_column(grid, in, (uint32_t)i);
            if (pass == 0) start[column + 1]++;
            if (pass == 1) sorted[start[column]++] = (uint32_t)i;
        }
        for (size_t c = 1; c <= grid->squares_across && pass == 0; c++) start[c] += start[c - 1];
    }
}

/* Counting sort: start[c + 1] first counts cell c, then marks where its next item goes, and ends up as the start of
 * cell c + 1. */
static void sort_items(throng_near_grid *grid, const throng_near_input *in) {
    size_t cells = (size_t)grid->near.columns * (size_t)grid->near.rows, count = grid->near.count;
    uint32_t *start = grid->start;
    bool wide_cells = grid->near.columns_per_square < 1;
    if (wide_cells) sort_by_column(grid, in);
    memset(start, 0, (cells + 2) * sizeof *start);
    for (size_t i = 0; i < count; i++) start[grid->cell_of[i] + 2]++;
    for (size_t c = 2; c < cells + 2; c++) start[c] += start[c - 1];
    for (size_t k = 0; k < count; k++) {
        uint32_t i = wide_cells ? grid->slot[k] : (uint32_t)k;
        grid->row[start[grid->cell_of[i] + 1]++] = i;
    }
}

/* What decides between items of one square: ids, then objects, then images by id. */
static inline uint64_t key_of(const job *j, uint32_t item) {
    const uint64_t object = (uint64_t)1 << 62, image = (uint64_t)1 << 63;
    if (item < j->input->shuffled) return j->input->people.id[item];
    return item < j->input->people.count
               ? object | item
               : image | j->input->people.id[j->grid->image_row[item - j->input->people.count]];
}

static inline bool comes_before(const job *j, uint32_t a, uint32_t b) {
    if (j->grid->near.columns_per_square < 1) {
        uint32_t column_a = square_column(j->grid, j->input, a), column_b = square_column(j->grid, j->input, b);
        if (column_a != column_b) return column_a < column_b;
    }
    return key_of(j, a) < key_of(j, b);
}

/* Where rows are not in order of id, neither are the items of a cell yet. */
static void order_cells(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const job *j = context;
    uint32_t *items = j->grid->row;
    for (size_t c = begin; c < end; c++) {
        const uint32_t first = j->grid->start[c], last = j->grid->start[c + 1];
        for (uint32_t k = first + 1; k < last; k++) {
            uint32_t item = items[k], at = k;
            for (; at > first && comes_before(j, item, items[at - 1]); at--) items[at] = items[at - 1];
            items[at] = item;
        }
    }
}

/* Copies what is known of each slot's item. */
static void gather(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const job *j = context;
    throng_near_grid *grid = j->grid;
    const size_t count = j->input->people.count;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = grid->row[k];
        if (i < count) {
            grid->slot[i] = (uint32_t)k;
            grid->x[k] = j->input->people.x[i];
            grid->y[k] = j->input->people.y[i];
        } else {
            grid->image_slot[i - count] = (uint32_t)k;
            grid->x[k] = grid->image_x[i - count];
            grid->y[k] = grid->image_y[i - count];
            grid->row[k] = i = grid->image_row[i - count];
        }
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
    throng_parallel_for(crew, near->count, GRAIN, find_cells, &j);
    sort_items(grid, input);
    if (input->shuffled) throng_parallel_for(crew, (size_t)near->columns * (size_t)near->rows, GRAIN, order_cells, &j);
    throng_parallel_for(crew, near->count, GRAIN, gather, &j);
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

void throng_near_update_radii(throng_near_grid *grid, const double *radius) {
    for (size_t slot = 0; slot < grid->near.count; slot++) {
        grid->radius[slot] = radius[grid->row[slot]];
        grid->near.radius_max = fmax(grid->near.radius_max, grid->radius[slot]);
    }
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
