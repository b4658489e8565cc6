/* lattice.c: laying the nodes of the flow fields over a place; lattice.h says what for. */

#include "route/lattice.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

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

/* --- sets of nodes */

static void add_node(throng_node_set *s, const throng_lattice *l, int32_t row, int32_t column, uint8_t mark) {
    if (row < 0 || column < 0 || row >= l->rows || column >= l->columns) return;
    size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
    if (s->mark[node] == 0) {
        if (s->count == 0) s->row_first = s->row_last = row;
        if (row < s->row_first) s->row_first = row;
        if (row > s->row_last) s->row_last = row;
        THRONG_GROW(s->nodes, s->capacity, s->count + 1);
        s->nodes[s->count++] = (uint32_t)node;
    }
    if (s->mark[node] < mark) s->mark[node] = mark;
}

/* Some nodes of a row, with those around them. */
static void add_run(throng_node_set *s, const throng_lattice *l, int32_t row, int32_t first, int32_t last) {
    if (!s->mark) s->mark = throng_allocate(l->count);
    for (int32_t r = row - 2; r <= row + 2; r++) {
        bool outer = r == row - 2 || r == row + 2;
        for (int32_t c = first - 2; c <= last + 2; c++) {
            bool beside = outer || c == first - 2 || c == last + 2;
            add_node(s, l, r, c, beside ? THRONG_NODE_BESIDE : THRONG_NODE_ANEW);
        }
    }
}

void throng_node_set_add_line(throng_node_set *s, const throng_lattice *l, throng_point a, throng_point b, double pad) {
    int32_t row_first, row_last, first, last;
    throng_lattice_rows(l, a, b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (throng_lattice_span(l, a, b, pad, row, &first, &last)) add_run(s, l, row, first, last);
    }
}

void throng_node_set_clear(throng_node_set *s) {
    THRONG_RELEASE(s->mark, s->nodes);
    *s = (throng_node_set){0};
}

/* The rows of nodes within `pad` of a line, as far as they have nodes of a set, or all if that is NULL. */
static void rows_near(const throng_lattice *l, const throng_node_set *only, throng_point a, throng_point b, double pad,
                      int32_t *first, int32_t *last) {
    throng_lattice_rows(l, a, b, pad, first, last);
    if (!only) return;
    if (*first < only->row_first) *first = only->row_first;
    if (*last > only->row_last) *last = only->row_last;
    if (only->count == 0) *last = *first - 1;
}

static bool is_left_out(const throng_node_set *only, size_t node, uint8_t mark) {
    return only && (!only->mark || only->mark[node] < mark);
}

/* --- lines and nodes */

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

double throng_lattice_cut_pad(const throng_lattice *l) { return 1.5 * l->cell; }

void throng_lattice_cut(const throng_lattice *l, uint8_t *open, throng_point a, throng_point b,
                        const throng_node_set *only) {
    double pad = throng_lattice_cut_pad(l), dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    int32_t row_first, row_last, first, last;
    rows_near(l, only, a, b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (!throng_lattice_span(l, a, b, pad, row, &first, &last)) continue;
        for (int32_t column = first; column <= last; column++) {
            size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
            if (is_left_out(only, node, THRONG_NODE_BESIDE)) continue;
            cut_at(l, open, row, column, seen_from(l, row, column, a, b, length));
        }
    }
}

double throng_lattice_mark_pad(const throng_lattice *l) { return 0.3 + 2 * l->cell; }

void throng_lattice_mark_gap(throng_lattice *l, const throng_gap *gap, bool used, bool closed,
                             const throng_node_set *only) {
    double half = ceil(50 * gap->width), pad = throng_lattice_mark_pad(l);
    int32_t row_first, row_last, first, last;
    rows_near(l, only, gap->a, gap->b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (!throng_lattice_span(l, gap->a, gap->b, pad, row, &first, &last)) continue;
        for (int32_t column = first; column <= last; column++) {
            size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
            if (is_left_out(only, node, THRONG_NODE_ANEW)) continue;
            uint8_t *tight = &l->tight[node], before = *tight & THRONG_TIGHT_HALF;
            if (closed) *tight |= THRONG_TIGHT_CLOSED;
            if (!used || half > THRONG_TIGHT_HALF || (before > 0 && before <= half)) continue;
            *tight = (uint8_t)((*tight & THRONG_TIGHT_CLOSED) | (uint8_t)half);
        }
    }
}

/* How far around a wall it matters. */
static double wall_pad(const throng_lattice *l) { return fmax(l->reach, throng_lattice_cut_pad(l)); }

/* One wall: the distance of the nodes around it, and the neighbours it parts. */
static void add_wall(throng_lattice *l, throng_point a, throng_point b, double length, const throng_node_set *only) {
    double pad = wall_pad(l), cutting2 = 2.25 * l->cell * l->cell;
    int32_t row_first, row_last, first, last;
    rows_near(l, only, a, b, pad, &row_first, &row_last);
    for (int32_t row = row_first; row <= row_last; row++) {
        if (!throng_lattice_span(l, a, b, pad, row, &first, &last)) continue;
        for (int32_t column = first; column <= last; column++) {
            size_t node = (size_t)row * (size_t)l->columns + (size_t)column;
            if (is_left_out(only, node, THRONG_NODE_BESIDE)) continue;
            line w = seen_from(l, row, column, a, b, length);
            double distance2 = distance2_to(w);
            float *clear = &l->clear[node];
            if (distance2 < (double)*clear * *clear) *clear = (float)sqrt(distance2);
            if (distance2 <= cutting2) cut_at(l, l->open, row, column, w);
        }
    }
}

static void add_walls(throng_lattice *l, const throng_walls *walls, const throng_node_set *only) {
    for (size_t k = 0; k < walls->count; k++) {
        uint32_t n = walls->next[k];
        add_wall(l, (throng_point){walls->x[k], walls->y[k]}, (throng_point){walls->x[n], walls->y[n]},
                 walls->length[k], only);
    }
}

/* --- where one can walk */

/* Every wall turns over what is walkable to its right in the rows it crosses. Ends are taken in
 * order of height, so that the two sides of a thin wall cancel exactly. */
static void turn_over(throng_lattice *l, throng_point a, throng_point b) {
    if (a.y == b.y) return;
    throng_point low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
    double slope = (high.x - low.x) / (high.y - low.y);
    int32_t row = clamp_to(ceil((low.y - l->origin_y) * l->inverse_cell), 0, l->rows);
    for (; row < l->rows && l->origin_y + row * l->cell < high.y; row++) {
        double x = low.x + (l->origin_y + row * l->cell - low.y) * slope;
        double column = floor((x - l->origin_x) * l->inverse_cell) + 1;
        if (column >= l->columns) continue;
        l->side[(size_t)row * (size_t)l->columns + (size_t)(column > 0 ? column : 0)] ^= THRONG_SIDE_TURNS;
    }
}

/* Finds out for a row of nodes where one cannot walk. The nodes for which that is new are added to a
 * set, unless that is NULL. */
static void find_solid(throng_lattice *l, bool open, int32_t row, throng_node_set *changed) {
    uint8_t *side = l->side + (size_t)row * (size_t)l->columns;
    uint8_t solid = open ? 0 : THRONG_SIDE_SOLID;
    for (int32_t column = 0; column < l->columns; column++) {
        if (side[column] & THRONG_SIDE_TURNS) solid ^= THRONG_SIDE_SOLID;
        if ((side[column] & THRONG_SIDE_SOLID) == solid) continue;
        side[column] ^= THRONG_SIDE_SOLID;
        if (changed) add_run(changed, l, row, column, column);
    }
}

/* Parts a node where one cannot walk from all neighbours, and one at the border from those beyond. */
static void close_node(throng_lattice *l, size_t node) {
    int32_t row = (int32_t)(node / (size_t)l->columns), column = (int32_t)(node % (size_t)l->columns);
    if (l->side[node] & THRONG_SIDE_SOLID || !(l->clear[node] > (float)touching)) {
        for (int d = 0; d < 8; d++) part(l, l->open, row, column, d);
        return;
    }
    if (row == 0) l->open[node] &= 0x1f;
    if (row == l->rows - 1) l->open[node] &= 0xf1;
    if (column == 0) l->open[node] &= 0xc7;
    if (column == l->columns - 1) l->open[node] &= 0x7c;
}

/* --- room */

/* Whether no wall separates the four nodes of a square. */
static bool is_whole(const throng_lattice *l, size_t node) {
    size_t up = (size_t)l->columns;
    return (l->open[node] & 0x07) == 0x07 && (l->open[node + 1] & 0x0c) == 0x0c && (l->open[node + up] & 0x01) == 0x01;
}

static void find_room(throng_lattice *l, size_t node) {
    size_t up = (size_t)l->columns;
    l->room[node] = 0;
    if (node % up + 1 == up || node + up >= l->count || !is_whole(l, node)) return;
    double clear = fmin(fmin(l->clear[node], l->clear[node + 1]), fmin(l->clear[node + up], l->clear[node + up + 1]));
    double units = floor((clear - 0.7072 * l->cell) / THRONG_ROOM_UNIT - 1e-3);
    l->room[node] = (uint8_t)(1 + clamp_to(units, 0, 254));
}

/* A wall may also be too short to part anybody. */
static void leave_no_room_at_corners(throng_lattice *l, const throng_walls *walls, const throng_node_set *only) {
    size_t node;
    double u, v;
    for (size_t k = 0; k < walls->count; k++) {
        if (throng_lattice_square(l, (throng_point){walls->x[k], walls->y[k]}, &node, &u, &v) &&
            !is_left_out(only, node, THRONG_NODE_BESIDE))
            l->room[node] = 0;
    }
}

/* --- laying and mending */

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
    l->side = throng_allocate(l->count);

    memset(l->open, 0xff, l->count);
    for (size_t i = 0; i < l->count; i++) l->clear[i] = (float)reach;
    add_walls(l, walls, NULL);
    for (size_t k = 0; k < walls->count; k++) {
        uint32_t n = walls->next[k];
        turn_over(l, (throng_point){walls->x[k], walls->y[k]}, (throng_point){walls->x[n], walls->y[n]});
    }
    for (int32_t row = 0; row < l->rows; row++) find_solid(l, walls->open, row, NULL);
    for (size_t i = 0; i < l->count; i++) close_node(l, i);
    for (size_t i = 0; i < l->count; i++) find_room(l, i);
    leave_no_room_at_corners(l, walls, NULL);
    return l;
}

/* The nodes that walls which have come or gone may concern; the sides are brought up to date. */
static void find_concerned(throng_lattice *l, bool open, const throng_changed_walls *changed, throng_node_set *set) {
    int32_t row_first = l->rows, row_last = -1, first, last;
    for (size_t i = 0; i < changed->count; i++) {
        throng_point a = changed->walls[i].from, b = changed->walls[i].to;
        throng_node_set_add_line(set, l, a, b, wall_pad(l));
        turn_over(l, a, b);
        throng_lattice_rows(l, a, b, l->cell, &first, &last);
        row_first = first < row_first ? first : row_first;
        row_last = last > row_last ? last : row_last;
    }
    for (int32_t row = row_first; row <= row_last; row++) find_solid(l, open, row, set);
}

throng_node_before *throng_lattice_mend(throng_lattice *l, const throng_walls *walls,
                                        const throng_changed_walls *changed, throng_node_set *set) {
    find_concerned(l, walls->open, changed, set);
    throng_node_before *before = throng_allocate(set->count * sizeof *before);
    for (size_t i = 0; i < set->count; i++) {
        size_t node = set->nodes[i];
        before[i] = (throng_node_before){l->clear[node], l->open[node], l->room[node], set->mark[node]};
        if (set->mark[node] < THRONG_NODE_ANEW) continue;
        l->open[node] = 0xff;
        l->clear[node] = (float)l->reach;
    }
    /* For those beside them this is nothing new, except for their links to them. */
    add_walls(l, walls, set);
    for (size_t i = 0; i < set->count; i++) close_node(l, set->nodes[i]);
    for (size_t i = 0; i < set->count; i++) find_room(l, set->nodes[i]);
    leave_no_room_at_corners(l, walls, set);
    return before;
}

void throng_lattice_destroy(throng_lattice *lattice) {
    if (!lattice) return;
    THRONG_RELEASE(lattice->open, lattice->clear, lattice->room, lattice->tight, lattice->side, lattice);
}
