/* walls_grid.c: sorts walls (boundary segments) into square cells, and works out for each cell how far away the walls
 * are at least and whether one can walk there. Made once, when the place is made. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "space/box.h"
#include "space/walls.h"

/* Cells of 2 m suit rooms and the reach of people: a few walls per cell, a few cells per question.
 * Wide places and long walls get larger ones, so that memory stays in proportion to the walls; where walls
 * crowd they become smaller, so that a question does not meet thousands. */
static const double cell_usual = 2.0;                 /* m */
static const double crowd_most = 256, crowd_few = 32; /* walls in a wall's cell: too many, few enough */
static const double cell_margin = 1e-6; /* of a cell: walls are listed this far beyond, against rounding */

static double cells_most(const throng_walls *walls) { return fmin(fmax(64.0 * (double)walls->count, 65536), 4194304); }

static double cell_size(const throng_walls *walls, double width, double height) {
    double most = cells_most(walls);
    double entries_most = 16.0 * (double)walls->count + 1048576;
    double crossings = 0; /* of cell borders, in m of walls along either axis */
    for (size_t k = 0; k < walls->count; k++) {
        crossings += (fabs(walls->along_x[k]) + fabs(walls->along_y[k])) * walls->length[k];
    }
    double cell = cell_usual;
    while ((floor(width / cell) + 1) * (floor(height / cell) + 1) > most ||
           crossings / cell + 3.0 * (double)walls->count > entries_most) {
        cell *= 1.25;
    }
    return cell;
}

/* Lays cells over the walls: of some size (m), or, if that is 0, of the one that suits the place. */
static void lay_out(throng_walls *walls, double cell) {
    throng_box box = {{0, 0}, {0, 0}};
    if (walls->count > 0) box = throng_box_of_columns(walls->x, walls->y, walls->count);
    /* A rim around the walls: what lies on the outer border of the cells lies outside all rings. */
    double rim = 0.01 * cell_usual;
    double width = box.high.x - box.low.x + 2 * rim, height = box.high.y - box.low.y + 2 * rim;
    walls->cell = cell > 0 ? cell : cell_size(walls, width, height);
    walls->inverse_cell = 1 / walls->cell;
    walls->origin_x = box.low.x - rim;
    walls->origin_y = box.low.y - rim;
    walls->columns = (int32_t)floor(width * walls->inverse_cell) + 1;
    walls->rows = (int32_t)floor(height * walls->inverse_cell) + 1;
}

/* Tells `visit` each cell that a wall touches, row by row. */
static void trace_wall(const throng_walls *walls, size_t k, void (*visit)(void *, size_t cell, size_t wall),
                       void *context) {
    uint32_t n = walls->next[k];
    double ax = (walls->x[k] - walls->origin_x) * walls->inverse_cell;
    double ay = (walls->y[k] - walls->origin_y) * walls->inverse_cell;
    double bx = (walls->x[n] - walls->origin_x) * walls->inverse_cell;
    double by = (walls->y[n] - walls->origin_y) * walls->inverse_cell;
    double slope = by != ay ? (bx - ax) / (by - ay) : 0;
    double low = fmin(ay, by), high = fmax(ay, by);
    int32_t row_first = throng_walls_clamp(low - cell_margin, walls->rows),
            row_last = throng_walls_clamp(high + cell_margin, walls->rows);
    for (int32_t row = row_first; row <= row_last; row++) {
        /* The part of the wall in this row of cells. */
        double from = fmax(low, row - cell_margin), to = fmin(high, row + 1 + cell_margin);
        double x0 = by != ay ? ax + (from - ay) * slope : ax, x1 = by != ay ? ax + (to - ay) * slope : bx;
        /* Nearly level walls: the slope may carry the ends too far, never too short. */
        double left = fmax(fmin(x0, x1), fmin(ax, bx)) - cell_margin;
        double right = fmin(fmax(x0, x1), fmax(ax, bx)) + cell_margin;
        int32_t last = throng_walls_clamp(right, walls->columns);
        for (int32_t column = throng_walls_clamp(left, walls->columns); column <= last; column++) {
            visit(context, (size_t)row * (size_t)walls->columns + (size_t)column, k);
        }
    }
}

typedef struct listing {
    uint32_t *start; /* first the count of each cell, then where to write next */
    uint32_t *wall;
    uint8_t *solid; /* [cell] a wall that is not thin passes */
    const uint8_t *thin;
} listing;

static void count_entry(void *context, size_t cell, size_t wall) {
    listing *l = context;
    l->start[cell + 1]++;
    if (!l->thin[wall]) l->solid[cell] = 1;
}

static void write_entry(void *context, size_t cell, size_t wall) {
    listing *l = context;
    l->wall[l->start[cell]++] = (uint32_t)wall;
}

/* A counting sort of (cell, wall): walls come in ascending order within each cell. */
static void list_walls(throng_walls *walls, uint8_t *solid) {
    size_t cells = (size_t)walls->columns * (size_t)walls->rows;
    listing l = {.start = throng_allocate((cells + 1) * sizeof *l.start), .solid = solid, .thin = walls->thin};
    for (size_t k = 0; k < walls->count; k++) trace_wall(walls, k, count_entry, &l);
    for (size_t c = 0; c < cells; c++) l.start[c + 1] += l.start[c];
    l.wall = throng_allocate(l.start[cells] * sizeof *l.wall);
    for (size_t k = 0; k < walls->count; k++) trace_wall(walls, k, write_entry, &l);
    memmove(l.start + 1, l.start, cells * sizeof *l.start);
    l.start[0] = 0;
    walls->start = l.start;
    walls->wall = l.wall;
    throng_wall_ends *ends = throng_allocate(l.start[cells] * sizeof *ends);
    for (size_t i = 0; i < l.start[cells]; i++) {
        uint32_t k = l.wall[i], n = walls->next[k];
        ends[i] = (throng_wall_ends){{walls->x[k], walls->y[k]}, {walls->x[n], walls->y[n]}};
    }
    walls->ends = ends;
}

double throng_walls_work(const throng_walls *walls) {
    size_t cells = (size_t)walls->columns * (size_t)walls->rows;
    double sum = 0;
    for (size_t c = 0; c < cells; c++) {
        double count = walls->start[c + 1] - walls->start[c];
        sum += count * count;
    }
    return sum;
}

/* How many walls share a cell with a wall, in the mean over the entries of all cells. */
static double crowd_in_cells(const throng_walls *walls) {
    return throng_walls_work(walls) / fmax(walls->start[(size_t)walls->columns * (size_t)walls->rows], 1);
}

static const int32_t nowhere = INT32_MAX;

/* Whether a cell or one of its neighbours has walls. */
static bool near_walls(const throng_walls *walls, int32_t row, int32_t column) {
    size_t width = (size_t)walls->columns;
    size_t left = (size_t)(column > 0 ? column - 1 : 0),
           right = (size_t)(column + 1 < walls->columns ? column + 1 : column);
    int32_t low = row > 0 ? row - 1 : 0, high = row + 1 < walls->rows ? row + 1 : row;
    for (int32_t r = low; r <= high; r++) {
        const uint32_t *start = walls->start + (size_t)r * width;
        if (start[left] != start[right + 1]) return true;
    }
    return false;
}

/* For every cell: how many rows away, in its own column, the nearest cell is that is near walls. */
static void scan_columns(const throng_walls *walls, int32_t *rows_away) {
    int32_t width = walls->columns;
    for (int32_t row = 0; row < walls->rows; row++) {
        int32_t *here = rows_away + (size_t)row * (size_t)width, *below = here - (row > 0 ? width : 0);
        for (int32_t column = 0; column < width; column++) {
            int32_t away = row > 0 && below[column] != nowhere ? below[column] + 1 : nowhere;
            here[column] = near_walls(walls, row, column) ? 0 : away;
        }
    }
    for (int32_t row = walls->rows - 2; row >= 0; row--) {
        int32_t *here = rows_away + (size_t)row * (size_t)width, *above = here + width;
        for (int32_t column = 0; column < width; column++) {
            if (above[column] < here[column]) here[column] = above[column] + 1;
        }
    }
}

/* A column whose nearest cell with walls is the best for the cells of a row from `from` on. */
typedef struct claim {
    int32_t column, from;
} claim;

/* The first cell of a row from which on column b is nearer than column a < b (Meijster et al. 2000). */
static int64_t takes_over(int64_t a, int64_t a_away, int64_t b, int64_t b_away) {
    int64_t numerator = b * b - a * a + b_away * b_away - a_away * a_away, denominator = 2 * (b - a);
    return numerator <= 0 ? 0 : numerator / denominator + 1;
}

/* For one row of cells: the distance to the nearest cell with walls, from those of its columns. */
static void scan_row(const throng_walls *walls, const int32_t *rows_away, claim *claims, float *clear) {
    int32_t count = 0;
    for (int32_t column = 0; column < walls->columns; column++) {
        if (rows_away[column] == nowhere) continue;
        int64_t from = 0;
        while (count > 0) {
            claim last = claims[count - 1];
            from = takes_over(last.column, rows_away[last.column], column, rows_away[column]);
            if (from > last.from) break;
            count--;
            from = 0;
        }
        if (from < walls->columns) claims[count++] = (claim){column, (int32_t)from};
    }
    for (int32_t column = walls->columns - 1; column >= 0; column--) {
        if (count == 0) {
            clear[column] = INFINITY;
            continue;
        }
        double across = column - claims[count - 1].column, away = rows_away[claims[count - 1].column];
        /* Rounded downwards, as a lower bound must be. */
        clear[column] = (float)(sqrt(across * across + away * away) * walls->cell * (1 - 1e-6));
        if (claims[count - 1].from == column) count--;
    }
}

/* The gap between a cell and the nearest cell with walls is their distance less one cell along each
 * axis, which is the distance of their numbers once the cells with walls are grown by one all
 * around: an exact distance transform in two passes. */
static void find_clear(throng_walls *walls) {
    size_t width = (size_t)walls->columns, cells = width * (size_t)walls->rows;
    int32_t *rows_away = throng_allocate(cells * sizeof *rows_away);
    claim *claims = throng_allocate(width * sizeof *claims);
    float *clear = throng_allocate(cells * sizeof *clear);
    scan_columns(walls, rows_away);
    for (size_t row = 0; row < (size_t)walls->rows; row++) {
        scan_row(walls, rows_away + row * width, claims, clear + row * width);
    }
    walls->clear = clear;
    THRONG_RELEASE(claims, rows_away);
}

/* Whether one can walk in a cell without walls is the same as in the cell beside it, unless that has
 * walls; then the nearest wall tells. */
static void find_sides(throng_walls *walls, const uint8_t *solid) {
    size_t width = (size_t)walls->columns;
    int8_t *side = throng_allocate(width * (size_t)walls->rows);
    int8_t beyond = walls->open ? 1 : -1;
    walls->side = side;
    for (size_t row = 0; row < (size_t)walls->rows; row++) {
        for (size_t column = 0; column < width; column++) {
            size_t c = row * width + column;
            if (solid[c]) continue;
            if (column == 0 || row == 0) {
                side[c] = beyond;
            } else if (!solid[c - 1]) {
                side[c] = side[c - 1];
            } else if (!solid[c - width]) {
                side[c] = side[c - width];
            } else {
                double x = walls->origin_x + ((double)column + 0.5) * walls->cell;
                double y = walls->origin_y + ((double)row + 0.5) * walls->cell;
                side[c] = throng_walls_depth(walls, x, y, 2 * walls->cell) > 0 ? 1 : -1;
            }
        }
    }
}

/* Returns which cells a wall that is not thin passes. */
static uint8_t *lay_and_list(throng_walls *walls, double cell) {
    lay_out(walls, cell);
    uint8_t *solid = throng_allocate((size_t)walls->columns * (size_t)walls->rows);
    list_walls(walls, solid);
    return solid;
}

void throng_walls_sort_into_cells(throng_walls *walls) {
    uint8_t *solid = lay_and_list(walls, 0);
    double few = crowd_most;
    while (crowd_in_cells(walls) > few && 4.0 * walls->columns * walls->rows < cells_most(walls)) {
        few = crowd_few;
        THRONG_RELEASE(solid, (void *)walls->start, (void *)walls->wall, (void *)walls->ends);
        solid = lay_and_list(walls, 0.5 * walls->cell);
    }
    find_clear(walls);
    find_sides(walls, solid);
    throng_release(solid);
}
