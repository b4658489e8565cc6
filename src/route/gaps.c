/* gaps.c: finds the narrow places between walls (boundary segments).
 *
 * Seen as a landscape of the distance to the nearest wall, the ways a body can take are joined or
 * parted only at passes: points midway between two wall points that face each other, with no other
 * wall nearer. One of the two is a corner that sticks out, or can be taken to be one where parallel
 * walls make a gap of constant width. So every such corner is tried with the walls in front of it:
 *
 *        wall ---------+                    v  the corner
 *                      | v ......... q      q  the nearest point of a wall that faces it
 *        wall ---------+           |
 *
 * Cutting a place along the lines v-q shorter than a body is wide stops exactly the bodies that do
 * not fit through: a centre on the line would be nearer to v or q than its radius. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "route/lattice.h"
#include "space/walls.h"

static const double slack = 1e-6;    /* relative, for walls that are just parallel or just as near */
static const double touching = 1e-9; /* m: walls that meet leave no gap */

/* Walls by square, finer than those of the walls themselves where walls are short. */
typedef struct squares {
    throng_lattice frame; /* its nodes are the middles of the squares */
    uint32_t *start;      /* [square + 1] */
    uint32_t *wall;
} squares;

typedef struct search {
    const throng_walls *walls;
    double limit;
    const throng_changed_walls *changed; /* only gaps near these are wanted; NULL: all */
    squares squares;
    uint8_t *tried; /* [corner] */
    throng_gap *gaps;
    size_t count, capacity;
} search;

static throng_point corner_of(const throng_walls *walls, uint32_t k) {
    return (throng_point){walls->x[k], walls->y[k]};
}

static double frame_cell(const throng_walls *walls, throng_box box, double limit) {
    double length = 0;
    for (size_t k = 0; k < walls->count; k++) length += walls->length[k];
    double cell = fmin(fmax(4 * length / (double)walls->count, limit / 8), 2 * limit);
    while (throng_lattice_size(box, cell) > 4e6 || length / cell > 4e6 + 4.0 * (double)walls->count) cell *= 1.5;
    return cell;
}

static void lay_out(squares *s, const throng_walls *walls, double limit) {
    throng_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t k = 0; k < walls->count; k++) {
        box.low.x = fmin(box.low.x, walls->x[k]), box.high.x = fmax(box.high.x, walls->x[k]);
        box.low.y = fmin(box.low.y, walls->y[k]), box.high.y = fmax(box.high.y, walls->y[k]);
    }
    double cell = frame_cell(walls, box, limit);
    s->frame = (throng_lattice){.origin_x = box.low.x,
                                .origin_y = box.low.y,
                                .cell = cell,
                                .inverse_cell = 1 / cell,
                                .columns = (int32_t)((box.high.x - box.low.x) / cell) + 2,
                                .rows = (int32_t)((box.high.y - box.low.y) / cell) + 2};
    s->frame.count = (size_t)s->frame.columns * (size_t)s->frame.rows;
}

/* Counts the walls of each square or, once there is room, lists them. */
static void enter_walls(squares *s, const throng_walls *walls) {
    const throng_lattice *f = &s->frame;
    double pad = 0.7072 * f->cell; /* a wall in a square is this near to its middle */
    int32_t row_first, row_last, first, last;
    for (size_t k = 0; k < walls->count; k++) {
        throng_point a = corner_of(walls, (uint32_t)k), b = corner_of(walls, walls->next[k]);
        throng_lattice_rows(f, a, b, pad, &row_first, &row_last);
        for (int32_t row = row_first; row <= row_last; row++) {
            if (!throng_lattice_span(f, a, b, pad, row, &first, &last)) continue;
            for (int32_t column = first; column <= last; column++) {
                size_t square = (size_t)row * (size_t)f->columns + (size_t)column;
                if (s->wall)
                    s->wall[s->start[square]++] = (uint32_t)k;
                else
                    s->start[square + 1]++;
            }
        }
    }
}

static void list_walls(squares *s, const throng_walls *walls, double limit) {
    lay_out(s, walls, limit);
    s->start = throng_allocate((s->frame.count + 1) * sizeof *s->start);
    enter_walls(s, walls);
    for (size_t i = 0; i < s->frame.count; i++) s->start[i + 1] += s->start[i];
    s->wall = throng_allocate(s->start[s->frame.count] * sizeof *s->wall);
    enter_walls(s, walls);
    for (size_t i = s->frame.count; i > 0; i--) s->start[i] = s->start[i - 1];
    s->start[0] = 0;
}

/* Whether no other point of the walls that meet in a corner is nearer to a point in a direction. */
static bool corner_faces(const throng_walls *walls, uint32_t corner, double dx, double dy) {
    uint32_t before = walls->previous[corner];
    double rounding = slack * (fabs(dx) + fabs(dy));
    return dx * walls->along_x[corner] + dy * walls->along_y[corner] <= rounding &&
           dx * walls->along_x[before] + dy * walls->along_y[before] >= -rounding;
}

/* --- walls that have changed */

static double distance2_to(throng_point p, throng_point a, throng_point b) {
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? fmin(fmax(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0), 1) : 0;
    double ex = a.x + t * dx - p.x, ey = a.y + t * dy - p.y;
    return ex * ex + ey * ey;
}

/* Whether a gap may be another, or not be at all, because of a change. That is so when something has
 * changed within half its width of its middle; this looks farther, to be sure. */
static bool is_near_change(const throng_changed_walls *c, double limit, throng_point a, throng_point b) {
    throng_point middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    if (middle.x < c->box.low.x - limit || middle.x > c->box.high.x + limit) return false;
    if (middle.y < c->box.low.y - limit || middle.y > c->box.high.y + limit) return false;
    for (size_t i = 0; i < c->count + c->corners; i++) {
        throng_point from = c->walls[i].from, to = i < c->count ? c->walls[i].to : from;
        if (distance2_to(middle, from, to) <= limit * limit) return true;
    }
    return false;
}

/* --- trying */

static void try_wall(search *s, uint32_t corner, uint32_t wall) {
    const throng_walls *w = s->walls;
    if (wall == corner || wall == w->previous[corner]) return;
    throng_point v = corner_of(w, corner);
    double along = (v.x - w->x[wall]) * w->along_x[wall] + (v.y - w->y[wall]) * w->along_y[wall];
    double left = (v.y - w->y[wall]) * w->along_x[wall] - (v.x - w->x[wall]) * w->along_y[wall];
    if (fabs(left) >= s->limit || along < -s->limit || along > w->length[wall] + s->limit) return;
    bool beside = along > 0 && along < w->length[wall];
    if (beside && left <= 0) return;

    uint32_t end = along <= 0 ? wall : w->next[wall];
    throng_point q = beside ? throng_wall_nearest_point(w, wall, v.x, v.y) : corner_of(w, end);
    double dx = q.x - v.x, dy = q.y - v.y, width = sqrt(dx * dx + dy * dy);
    if (width < touching || width >= s->limit) return;
    if (!corner_faces(w, corner, dx, dy) || (!beside && !corner_faces(w, end, -dx, -dy))) return;

    if (s->changed && !is_near_change(s->changed, s->limit, v, q)) return;

    /* Midway must be walkable, and nothing nearer. */
    double depth = throng_walls_depth(w, 0.5 * (v.x + q.x), 0.5 * (v.y + q.y), width);
    if (depth < 0.5 * width * (1 - slack)) return;
    THRONG_GROW(s->gaps, s->capacity, s->count + 1);
    s->gaps[s->count++] = (throng_gap){v, q, width};
}

static throng_box grown(throng_box box, double by) {
    return (throng_box){{box.low.x - by, box.low.y - by}, {box.high.x + by, box.high.y + by}};
}

/* Where the walls that face a corner must be: the box around the sector between the normals of its
 * two walls, which is thin for a corner that hardly turns. A little larger, so that none is missed that
 * faces it just so: which are found must not depend on the squares. */
static throng_box in_front_of(const throng_walls *walls, uint32_t corner, double limit) {
    throng_point v = corner_of(walls, corner);
    uint32_t before = walls->previous[corner];
    double ax = -walls->along_y[before], ay = walls->along_x[before];
    double bx = -walls->along_y[corner], by = walls->along_x[corner];
    double rounding = 10 * slack * limit;
    if (ax * bx + ay * by < 0.5) return grown((throng_box){v, v}, limit + rounding);
    /* Within 60 degrees the arc between the ends stays inside the triangle of ends 1/cos(30) as far. */
    double far = 1.16 * limit;
    ax = v.x + far * ax, ay = v.y + far * ay, bx = v.x + far * bx, by = v.y + far * by;
    throng_box box = {{fmin(v.x, fmin(ax, bx)), fmin(v.y, fmin(ay, by))},
                      {fmax(v.x, fmax(ax, bx)), fmax(v.y, fmax(ay, by))}};
    return grown(box, rounding);
}

static int32_t clamp_to(double value, int32_t high) { return value > 0 ? value < high ? (int32_t)value : high : 0; }

static void try_corner(search *s, uint32_t corner) {
    const throng_lattice *f = &s->squares.frame;
    throng_box box = in_front_of(s->walls, corner, s->limit);
    int32_t left = clamp_to(floor((box.low.x - f->origin_x) * f->inverse_cell + 0.5), f->columns - 1);
    int32_t right = clamp_to(floor((box.high.x - f->origin_x) * f->inverse_cell + 0.5), f->columns - 1);
    int32_t low = clamp_to(floor((box.low.y - f->origin_y) * f->inverse_cell + 0.5), f->rows - 1);
    int32_t high = clamp_to(floor((box.high.y - f->origin_y) * f->inverse_cell + 0.5), f->rows - 1);
    for (int32_t row = low; row <= high; row++) {
        const uint32_t *start = s->squares.start + (size_t)row * (size_t)f->columns;
        for (uint32_t i = start[left]; i < start[right + 1]; i++) {
            uint32_t wall = s->squares.wall[i];
            /* A wall in several squares of the run is listed in a row: once is enough, mostly. */
            if (i > start[left] && s->squares.wall[i - 1] == wall) continue;
            try_wall(s, corner, wall);
        }
    }
}

int throng_gap_order(const void *a, const void *b) {
    const throng_gap *p = a, *q = b;
    double left[] = {p->width, p->a.x, p->a.y, p->b.x, p->b.y}, right[] = {q->width, q->a.x, q->a.y, q->b.x, q->b.y};
    for (int i = 0; i < 5; i++) {
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    }
    return 0;
}

/* Drops gaps found more than once. */
static size_t distinct(throng_gap *gaps, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || throng_gap_order(&gaps[kept - 1], &gaps[i]) != 0) gaps[kept++] = gaps[i];
    }
    return kept;
}

throng_gap *throng_gaps_find(const throng_walls *walls, double limit, size_t *count) {
    *count = 0;
    if (walls->count == 0 || !memchr(walls->convex, 1, walls->count)) return NULL;
    search s = {.walls = walls, .limit = limit};
    list_walls(&s.squares, walls, limit);
    for (size_t k = 0; k < walls->count; k++) {
        if (walls->convex[k]) try_corner(&s, (uint32_t)k);
    }
    THRONG_RELEASE(s.squares.start, s.squares.wall);
    if (s.count > 0) qsort(s.gaps, s.count, sizeof *s.gaps, throng_gap_order);
    *count = distinct(s.gaps, s.count);
    return s.gaps;
}

/* --- after a change */

/* Calls for the walls listed in the cells of the walls that a box meets, some more than once. */
static void for_walls_in(search *s, throng_box box, uint32_t corner, void (*call)(search *, uint32_t, uint32_t)) {
    const throng_walls *w = s->walls;
    int32_t left = throng_walls_clamp((box.low.x - w->origin_x) * w->inverse_cell, w->columns);
    int32_t right = throng_walls_clamp((box.high.x - w->origin_x) * w->inverse_cell, w->columns);
    int32_t row = throng_walls_clamp((box.low.y - w->origin_y) * w->inverse_cell, w->rows);
    int32_t last = throng_walls_clamp((box.high.y - w->origin_y) * w->inverse_cell, w->rows);
    for (; row <= last; row++) {
        const uint32_t *start = w->start + (size_t)row * (size_t)w->columns;
        for (uint32_t i = start[left]; i < start[right + 1]; i++) call(s, corner, w->wall[i]);
    }
}

static void try_corner_once(search *s, uint32_t none, uint32_t corner) {
    (void)none;
    if (s->tried[corner] || !s->walls->convex[corner]) return;
    s->tried[corner] = 1;
    for_walls_in(s, in_front_of(s->walls, corner, s->limit), corner, try_wall);
}

/* The gaps near a change, as they are now. */
static void find_near_change(search *s) {
    const throng_changed_walls *c = s->changed;
    s->tried = throng_allocate(s->walls->count);
    for (size_t i = 0; i < c->count + c->corners; i++) {
        throng_point a = c->walls[i].from, b = i < c->count ? c->walls[i].to : a;
        throng_box box = {{fmin(a.x, b.x), fmin(a.y, b.y)}, {fmax(a.x, b.x), fmax(a.y, b.y)}};
        /* The middle of a gap is within half the limit of its corner. */
        for_walls_in(s, grown(box, 1.51 * s->limit), 0, try_corner_once);
    }
    throng_release(s->tried);
}

throng_gap *throng_gaps_mend(const throng_walls *walls, double limit, const throng_gap *before, size_t before_count,
                             const throng_changed_walls *changed, size_t *count) {
    search s = {.walls = walls, .limit = limit, .changed = changed};
    if (walls->count > 0) find_near_change(&s);
    for (size_t i = 0; i < before_count; i++) {
        if (is_near_change(changed, limit, before[i].a, before[i].b)) continue;
        THRONG_GROW(s.gaps, s.capacity, s.count + 1);
        s.gaps[s.count++] = before[i];
    }
    if (s.count > 0) qsort(s.gaps, s.count, sizeof *s.gaps, throng_gap_order);
    *count = distinct(s.gaps, s.count);
    return s.gaps;
}

size_t throng_gaps_below(const throng_gap *gaps, size_t count, double radius) {
    size_t at;
    THRONG_SEARCH(at, count, gaps[at].width < 2 * radius * THRONG_GAP_EXACTLY);
    return at;
}
