/* lattice.c: laying the nodes of the flow fields over a place; lattice.h says what for. */

#include "route/lattice.h"

#include <math.h>
#include <string.h>

#include "world/memory.h"

const int8_t throng_step_column[8] = {1, 1, 0, -1, -1, -1, 0, 1};
const int8_t throng_step_row[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static const double touching = 1e-9; /* m: a line this near to a wall meets it */

/* Walls of round coordinates would meet nodes of round coordinates everywhere; an odd part of a cell
 * keeps them apart. */
static const double odd_part = 0.3819660112501051;

static throng_box padded(throng_box box, double cell) {
    double pad = cell * (1 + odd_part);
    return (throng_box){{box.low.x - pad, box.low.y - pad}, {box.high.x + pad, box.high.y + pad}};
}

static double nodes_along(double length, double cell) { return floor(length / cell) + 2; }

double throng_lattice_size(throng_box box, double cell) {
    box = padded(box, cell);
    return nodes_along(box.high.x - box.low.x, cell) * nodes_along(box.high.y - box.low.y, cell);
}

static int32_t clamp_to(double value, int32_t low, int32_t high) {
    return value > low ? value < high ? (int32_t)value : high : low;
}

void throng_lattice_rows(const throng_lattice *l, throng_point a, throng_point b, double pad, int32_t *first,
                         int32_t *last) {
    *first = clamp_to(ceil((fmin(a.y, b.y) - pad - l->origin_y) * l->inverse_cell), 0, l->rows);
    *last = clamp_to(floor((fmax(a.y, b.y) + pad - l->origin_y) * l->inverse_cell), -1, l->rows - 1);
}

bool throng_lattice_span(const throng_lattice *l, throng_point a, throng_point b, double pad, int32_t row,
                         int32_t *first, int32_t *last) {
    double y = l->origin_y + row * l->cell, dx = b.x - a.x, dy = b.y - a.y;
    double x0 = a.x, x1 = b.x;
    if (fabs(dy) > pad) {
        double t0 = fmin(fmax((y - pad - a.y) / dy, 0), 1), t1 = fmin(fmax((y + pad - a.y) / dy, 0), 1);
        x0 = a.x + t0 * dx;
        x1 = a.x + t1 * dx;
    }
    *first = clamp_to(ceil((fmin(x0, x1) - pad - l->origin_x) * l->inverse_cell), 0, l->columns);
    *last = clamp_to(floor((fmax(x0, x1) + pad - l->origin_x) * l->inverse_cell), -1, l->columns - 1);
    return *first <= *last;
}

/* A line seen from a node. */
typedef struct line {
    double ax, ay, dx, dy, length;
} line;

static bool same_side(double p, double q, double slack) {
    return (p > slack && q > slack) || (p < -slack && q < -slack);
}

static bool apart(double a0, double a1, double b0, double b1) {
    return fmax(a0, a1) < fmin(b0, b1) - touching || fmax(b0, b1) < fmin(a0, a1) - touching;
}

/* Whether the step (ex, ey) from the node meets the line, ends included. */
static bool meets(line w, double ex, double ey) {
    double bx = w.ax + w.dx, by = w.ay + w.dy;
    if (apart(0, ex, w.ax, bx) || apart(0, ey, w.ay, by)) return false;
    double slack = touching * (fabs(ex) + fabs(ey));
    if (same_side(ex * w.ay - ey * w.ax, ex * by - ey * bx, slack)) return false;
    double from = w.dy * w.ax - w.dx * w.ay, to = w.dx * (ey - w.ay) - w.dy * (ex - w.ax);
    return !same_side(from, to, touching * w.length);
}

static double distance2_to(line w) {
    double length2 = w.length * w.length;
    double t = length2 > 0 ? fmin(fmax(-(w.ax * w.dx + w.ay * w.dy) / length2, 0), 1) : 0;
    double x = w.ax + t * w.dx, y = w.ay + t * w.dy;
    return x * x + y * y;
}

static void part(const throng_lattice *l, uint8_t *open, int32_t row, int32_t column, int d) {
    int32_t r = row + throng_step_row[d], c = column + throng_step_column[d];
    size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
    open[node] &= (uint8_t) ~(1u << d);
    if (r < 0 || c < 0 || r >= l->rows || c >= l->columns) return;
    size_t other = (size_t)r * (size_t)l->columns + (size_t)c;
    open[other] &= (uint8_t) ~(1u << ((d + 4) & 7));
}

/* Parts a node from those neighbours that a line separates it from. */
static void cut_at(const throng_lattice *l, uint8_t *open, int32_t row, int32_t column, line w) {
    for (int d = 0; d < 8; d++) {
        if (meets(w, throng_step_column[d] * l->cell, throng_step_row[d] * l->cell)) part(l, open, row, column, d);
    }
}

static line seen_from(const throng_lattice *l, int32_t row, int32_t column, throng_point a, throng_point b,
                      double length) {
    double x = l->origin_x + column * l->cell, y = l->origin_y + row * l->cell;
    return (line){a.x - x, a.y - y, b.x - a.x, b.y - a.y, length};
}

void throng_lattice_cut(const throng_lattice *l, uint8_t *open, throng_point a, throng_point b) {
    double pad = 1.5 * l->cell, dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    int32_t row_first, row_last, first, last;
    throng_lattice_rows(l, a, b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (!throng_lattice_span(l, a, b, pad, row, &first, &last)) continue;
        for (int32_t column = first; column <= last; column++) {
            cut_at(l, open, row, column, seen_from(l, row, column, a, b, length));
        }
    }
}

void throng_lattice_mark_gap(throng_lattice *l, const throng_gap *gap, bool used, bool closed) {
    double half = ceil(50 * gap->width), pad = 0.3 + 2 * l->cell;
    int32_t row_first, row_last, first, last;
    throng_lattice_rows(l, gap->a, gap->b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (!throng_lattice_span(l, gap->a, gap->b, pad, row, &first, &last)) continue;
        for (int32_t column = first; column <= last; column++) {
            uint8_t *tight = &l->tight[(size_t)row * (size_t)l->columns + (size_t)column];
            uint8_t before = *tight & THRONG_TIGHT_HALF;
            if (closed) *tight |= THRONG_TIGHT_CLOSED;
            if (!used || half > THRONG_TIGHT_HALF || (before > 0 && before <= half)) continue;
            *tight = (uint8_t)((*tight & THRONG_TIGHT_CLOSED) | (uint8_t)half);
        }
    }
}

/* One wall: the distance of the nodes around it, and the neighbours it parts. */
static void add_wall(throng_lattice *l, throng_point a, throng_point b, double length) {
    double pad = fmax(l->reach, 1.5 * l->cell), cutting2 = 2.25 * l->cell * l->cell;
    int32_t row_first, row_last, first, last;
    throng_lattice_rows(l, a, b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (!throng_lattice_span(l, a, b, pad, row, &first, &last)) continue;
        for (int32_t column = first; column <= last; column++) {
            line w = seen_from(l, row, column, a, b, length);
            double distance2 = distance2_to(w);
            float *clear = &l->clear[(size_t)row * (size_t)l->columns + (size_t)column];
            if (distance2 < (double)*clear * *clear) *clear = (float)sqrt(distance2);
            if (distance2 <= cutting2) cut_at(l, l->open, row, column, w);
        }
    }
}

/* Every wall turns over what is walkable to its right in the rows it crosses. Ends are taken in
 * order of height, so that the two sides of a thin wall cancel exactly. */
static void turn_over(const throng_lattice *l, uint8_t *turned, throng_point a, throng_point b) {
    if (a.y == b.y) return;
    throng_point low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
    double slope = (high.x - low.x) / (high.y - low.y);
    int32_t row = clamp_to(ceil((low.y - l->origin_y) * l->inverse_cell), 0, l->rows);
    for (; row < l->rows && l->origin_y + row * l->cell < high.y; row++) {
        double x = low.x + (l->origin_y + row * l->cell - low.y) * slope;
        double column = floor((x - l->origin_x) * l->inverse_cell) + 1;
        if (column >= l->columns) continue;
        turned[(size_t)row * (size_t)l->columns + (size_t)(column > 0 ? column : 0)] ^= 1;
    }
}

/* Parts from all neighbours the nodes where one cannot walk. */
static void close_solid(throng_lattice *l, const throng_walls *walls) {
    uint8_t *turned = throng_allocate(l->count);
    for (size_t k = 0; k < walls->count; k++) {
        uint32_t n = walls->next[k];
        turn_over(l, turned, (throng_point){walls->x[k], walls->y[k]}, (throng_point){walls->x[n], walls->y[n]});
    }
    for (int32_t row = 0; row < l->rows; row++) {
        uint8_t solid = walls->open ? 0 : 1;
        for (int32_t column = 0; column < l->columns; column++) {
            size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
            solid ^= turned[node];
            if (!solid && l->clear[node] > (float)touching) continue;
            for (int d = 0; d < 8; d++) part(l, l->open, row, column, d);
        }
    }
    throng_release(turned);
}

/* The border nodes have no neighbours beyond. */
static void close_border(throng_lattice *l) {
    for (int32_t column = 0; column < l->columns; column++) {
        for (int d = 1; d <= 3; d++) part(l, l->open, l->rows - 1, column, d);
        for (int d = 5; d <= 7; d++) part(l, l->open, 0, column, d);
    }
    for (int32_t row = 0; row < l->rows; row++) {
        for (int d = 3; d <= 5; d++) part(l, l->open, row, 0, d);
        for (int d = 7; d <= 9; d++) part(l, l->open, row, l->columns - 1, d & 7);
    }
}

/* Whether no wall separates the four nodes of a square. */
static bool is_whole(const throng_lattice *l, size_t node) {
    size_t up = (size_t)l->columns;
    return (l->open[node] & 0x07) == 0x07 && (l->open[node + 1] & 0x0c) == 0x0c && (l->open[node + up] & 0x01) == 0x01;
}

static void find_room(throng_lattice *l, const throng_walls *walls) {
    size_t up = (size_t)l->columns;
    for (int32_t row = 0; row + 1 < l->rows; row++) {
        for (int32_t column = 0; column + 1 < l->columns; column++) {
            size_t node = (size_t)row * up + (size_t)column;
            if (!is_whole(l, node)) continue;
            double clear =
                fmin(fmin(l->clear[node], l->clear[node + 1]), fmin(l->clear[node + up], l->clear[node + up + 1]));
            double units = floor((clear - 0.7072 * l->cell) / THRONG_ROOM_UNIT - 1e-3);
            l->room[node] = (uint8_t)(1 + clamp_to(units, 0, 254));
        }
    }
    /* A wall may also be too short to part anybody. */
    size_t node;
    double u, v;
    for (size_t k = 0; k < walls->count; k++) {
        if (throng_lattice_square(l, (throng_point){walls->x[k], walls->y[k]}, &node, &u, &v)) l->room[node] = 0;
    }
}

throng_lattice *throng_lattice_create(const throng_walls *walls, throng_box box, double cell, double reach) {
    box = padded(box, cell);
    throng_lattice *l = throng_allocate(sizeof *l);
    l->origin_x = box.low.x;
    l->origin_y = box.low.y;
    l->cell = cell;
    l->inverse_cell = 1 / cell;
    l->columns = (int32_t)nodes_along(box.high.x - box.low.x, cell);
    l->rows = (int32_t)nodes_along(box.high.y - box.low.y, cell);
    l->count = (size_t)l->columns * (size_t)l->rows;
    l->reach = reach;
    l->open = throng_allocate(l->count);
    l->clear = throng_allocate(l->count * sizeof *l->clear);
    l->room = throng_allocate(l->count);
    l->tight = throng_allocate(l->count);

    memset(l->open, 0xff, l->count);
    for (size_t i = 0; i < l->count; i++) l->clear[i] = (float)reach;
    close_border(l);
    for (size_t k = 0; k < walls->count; k++) {
        uint32_t n = walls->next[k];
        add_wall(l, (throng_point){walls->x[k], walls->y[k]}, (throng_point){walls->x[n], walls->y[n]},
                 walls->length[k]);
    }
    close_solid(l, walls);
    find_room(l, walls);
    return l;
}

void throng_lattice_destroy(throng_lattice *lattice) {
    if (!lattice) return;
    throng_release(lattice->open);
    throng_release(lattice->clear);
    throng_release(lattice->room);
    throng_release(lattice->tight);
    throng_release(lattice);
}
