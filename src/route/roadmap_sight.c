/* roadmap_sight.c: straight lines between circles (bitangents), and what stands in their way (visibility).
 * Which bends may be in sight from cells of the place is found when first needed, by an outlook from the middle of the
 * cell as if that were as thick as the cell is wide. Such a list is a filter only: what it leaves out cannot be seen,
 * so it does not matter to any way which lists there are. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "route/roadmap.h"
#include "space/walls.h"

/* Asked from the start on, in pieces of so many metres, as most of what is in the way is close by. Returns a wall that
 * is in the way, or UINT32_MAX. */
static uint32_t find_in_way(const throng_walls *walls, throng_point from, throng_point to, double margin,
                            double piece) {
    const double worth_it = 0.1; /* m */
    double x = to.x - from.x, y = to.y - from.y, length = sqrt(x * x + y * y), done = 0;
    throng_point direction = {x / length, y / length};
    while (done < length) {
        throng_point at = throng_ahead(from, direction, done);
        double free = walls->clear[throng_walls_cell(walls, at.x, at.y)] - margin;
        if (free < worth_it) {
            bool last = done + 1.5 * piece >= length;
            free = last ? length - done : piece;
            throng_point end = last ? to : throng_ahead(at, direction, free);
            uint32_t blocking = throng_walls_find_blocking(walls, done == 0 ? from : at, end, margin);
            if (last || blocking != UINT32_MAX) return blocking;
        }
        done += free;
    }
    return UINT32_MAX;
}

static bool has_room(const throng_walls *walls, throng_point at, double margin) {
    return !(margin > 0) || throng_walls_depth(walls, at.x, at.y, margin) >= margin;
}

bool throng_sight_is_clear(const throng_walls *walls, throng_point from, throng_point to, double margin) {
    const double piece = 8; /* m: mostly nothing is in the way, and the walls of a long piece are asked once */
    if (walls->count == 0) return true;
    if (from.x == to.x && from.y == to.y) return has_room(walls, from, margin);
    return find_in_way(walls, from, to, margin, piece) == UINT32_MAX;
}

bool throng_sight_is_clear_of(const throng_walls *walls, throng_point from, throng_point to, double margin,
                              uint32_t *wall) {
    const double piece = 2; /* m */
    if (walls->count == 0) return true;
    if (*wall != UINT32_MAX && throng_wall_blocks(walls, *wall, from, to, margin)) return false;
    if (from.x == to.x && from.y == to.y) return has_room(walls, from, margin);
    uint32_t blocking = find_in_way(walls, from, to, margin, piece);
    if (blocking != UINT32_MAX) *wall = blocking;
    return blocking == UINT32_MAX;
}

bool throng_sight_find_room(const throng_walls *walls, throng_point at, double margin, double keep,
                            throng_point *room) {
    throng_point p = at;
    for (int i = 0; i < 12; i++) {
        throng_wall_near near;
        if (throng_walls_within(walls, p.x, p.y, margin, &near, 1) == 0) break;
        throng_point q = throng_wall_nearest_point(walls, near.wall, p.x, p.y);
        throng_point away = {-walls->along_y[near.wall], walls->along_x[near.wall]};
        double far = sqrt(near.distance2);
        if (far >= keep) break;
        if (far > 1e-9) away = (throng_point){(p.x - q.x) / far, (p.y - q.y) / far};
        p = throng_ahead(p, away, 1.2 * (margin - far));
    }
    *room = p;
    return throng_walls_depth(walls, p.x, p.y, margin) >= keep && throng_sight_is_clear(walls, at, p, 0);
}

/* --- outlook */

/* Grows with the angle of a direction, from 0 to THRONG_SECTORS all around. */
static double sector_of(double x, double y) {
    double ax = fabs(x), ay = fabs(y), part = ay / (ax + ay); /* 0 along x, 1 along y */
    double quarter = x >= 0 ? (y >= 0 ? part : 4 - part) : (y >= 0 ? 2 - part : 2 + part);
    return quarter * (THRONG_SECTORS / 4.0);
}

/* An end of a wall as seen from a point: where it is, and where it must be moved to, inwards, so that a
 * body does not fit past it. */
typedef struct brink {
    throng_point at;
    double far2; /* m^2 */
    throng_point moved;
    bool joined; /* another wall goes on from here */
} brink;

/* No body fits past the end of a wall where another one goes on, bent towards us, for a body's width. */
static bool goes_on(const throng_outlook *o, const throng_walls *walls, uint32_t corner, uint32_t beyond, double turn,
                    const brink *end, double margin2) {
    if (walls->convex[corner]) return false;
    throng_point far = {walls->x[beyond] - o->at.x, walls->y[beyond] - o->at.y};
    double aside = throng_cross(end->at, far) * turn;
    return aside > 0 && aside * aside >= margin2 * end->far2;
}

static void move_inwards(brink *end, double turn, double margin2) {
    double along = sqrt(end->far2 - margin2), across = turn * sqrt(margin2);
    end->moved = (throng_point){along * end->at.x + across * end->at.y, along * end->at.y - across * end->at.x};
}

static void lower(float *limits, int begin, int end, float limit2) {
    for (int i = begin; i < end; i++) limits[i] = limits[i] < limit2 ? limits[i] : limit2;
}

/* From one direction to the left to another: the sectors that are hidden wholly, by this wall or the one
 * that goes on from it. */
static void close_sectors(throng_outlook *o, const brink *first, const brink *last, double limit) {
    double begin = sector_of(first->moved.x, first->moved.y), end = sector_of(last->moved.x, last->moved.y);
    if (end < begin) end += THRONG_SECTORS;
    begin = first->joined ? floor(begin) : ceil(begin + 1e-9);
    end = last->joined ? ceil(end) : floor(end - 1e-9);
    float limit2 = (float)(limit * limit * 1.000001);
    int all = THRONG_SECTORS, from = (int)begin, to = (int)end;
    lower(o->limit2, from, to < all ? to : all, limit2);
    lower(o->limit2, from > all ? from - all : 0, to - all, limit2); /* around once and on from the first */
}

/* A wall hides what is behind it in the sectors between its ends. */
static void hide_behind_wall(throng_outlook *o, const throng_walls *walls, size_t k, double margin) {
    uint32_t n = walls->next[k];
    brink a = {.at = {walls->x[k] - o->at.x, walls->y[k] - o->at.y}};
    /* From behind, the walls in front of it hide as much. */
    if (throng_cross((throng_point){walls->along_x[k], walls->along_y[k]}, a.at) > 0) return;
    brink b = {.at = {walls->x[n] - o->at.x, walls->y[n] - o->at.y}};
    a.far2 = throng_dot(a.at, a.at), b.far2 = throng_dot(b.at, b.at);
    const double narrowest = 4.0 / THRONG_SECTORS * 0.7; /* sine of about a sector */
    double turn = throng_cross(a.at, b.at), margin2 = margin * margin * 1.0001;
    if (turn * turn < narrowest * narrowest * a.far2 * b.far2 && throng_dot(a.at, b.at) > 0) return;
    if (fmin(a.far2, b.far2) <= margin2) return;
    throng_point ab = {b.at.x - a.at.x, b.at.y - a.at.y};
    if (!o->from_point) {
        /* What begins at a circle around us may begin behind a wall as near as that. */
        double t = fmin(fmax(-throng_dot(a.at, ab) / throng_dot(ab, ab), 0), 1);
        throng_point nearest = {a.at.x + t * ab.x, a.at.y + t * ab.y};
        if (throng_dot(nearest, nearest) <= margin2) return;
    }
    double side = turn < 0 ? -1 : 1;
    a.moved = a.at, b.moved = b.at;
    a.joined = goes_on(o, walls, (uint32_t)k, walls->previous[k], -side, &a, margin2);
    b.joined = goes_on(o, walls, n, walls->next[n], side, &b, margin2);
    if (!a.joined) move_inwards(&a, -side, margin2);
    if (!b.joined) move_inwards(&b, side, margin2);
    if (side * throng_cross(a.moved, b.moved) <= 0) return;
    double limit = sqrt(fmax(a.far2, b.far2)) + margin;
    close_sectors(o, side > 0 ? &a : &b, side > 0 ? &b : &a, limit);
}

enum { WALLS_MARKED = 16384, QUARTER = THRONG_SECTORS / 4, RUNS_MOST = THRONG_SECTORS / 2 };

/* Sectors side by side, from one to before another. */
typedef struct run {
    int16_t begin, end;
} run;

/* Looking around from the nearest cells outwards, where sectors are not closed yet. */
typedef struct gaze {
    throng_outlook *outlook;
    const throng_walls *walls;
    double margin;
    uint64_t *looked;      /* a bit for every wall: it was met */
    double part_x, part_y; /* where in its cell one stands, 0 to 1 */
    int32_t column, row;   /* of that cell */
    run runs[2][RUNS_MOST + 1];
    const run *open; /* one of these: the sectors that were open at the last look; an empty one is the last */
} gaze;

static void hide_behind_cells(gaze *g, int32_t row, int32_t left, int32_t right) {
    const throng_walls *walls = g->walls;
    if (row < 0 || row >= walls->rows) return;
    if (left < 0) left = 0;
    if (right >= walls->columns) right = walls->columns - 1;
    if (left > right) return;
    const uint32_t *start = walls->start + (size_t)row * (size_t)walls->columns;
    for (uint32_t i = start[left]; i < start[right + 1]; i++) {
        uint32_t k = walls->wall[i];
        uint64_t bit = UINT64_C(1) << (k % 64);
        if (g->looked[k / 64] & bit) continue;
        g->looked[k / 64] |= bit;
        hide_behind_wall(g->outlook, walls, k, g->margin);
    }
}

/* Keeps the sectors in which something may be seen beyond a distance: what is closed there is so farther away. */
static void keep_open(gaze *g, double beyond) {
    const float *limit2 = g->outlook->limit2, least = (float)(beyond * beyond);
    run *kept = g->runs[g->open == g->runs[0]];
    const run *before = g->open;
    g->open = kept;
    for (; before->begin < before->end; before++) {
        for (int16_t s = before->begin; s < before->end; s++) {
            if (limit2[s] < least) continue;
            kept->begin = s;
            while (s < before->end && !(limit2[s] < least)) s++;
            kept++->end = s;
        }
    }
    *kept = (run){0, 0};
}

/* The slope of where a sector begins, from a quarter before the middle of a side to a quarter after it. */
static double slope_of(int sector) { return sector / (double)(QUARTER - abs(sector)); }

/* The cells of a side of the square of cells `r` away, seen in sectors from the middle of the side. Sides follow each
 * other to the left: the first is ahead along x, and what is ahead, to the left and a part of a cell turn with them. */
static void hide_behind_side(gaze *g, int side, int32_t r, int begin, int end) {
    double parts[5] = {g->part_x, g->part_y, 1 - g->part_x, 1 - g->part_y, g->part_x};
    double near = r - parts[side], aside = parts[side + 1], low = slope_of(begin), high = slope_of(end);
    int32_t first = (int32_t)floor(fmax(aside + low * (low < 0 ? near + 1 : near) - 1e-9, -r));
    int32_t last = (int32_t)floor(fmin(aside + high * (high < 0 ? near : near + 1) + 1e-9, r));
    if (side % 2 == 1) {
        int32_t left = side == 1 ? -last : first, right = side == 1 ? -first : last;
        hide_behind_cells(g, side == 1 ? g->row + r : g->row - r, g->column + left, g->column + right);
        return;
    }
    int32_t column = side == 0 ? g->column + r : g->column - r;
    if (column < 0 || column >= g->walls->columns) return;
    for (int32_t j = first; j <= last; j++) {
        hide_behind_cells(g, side == 0 ? g->row + j : g->row - j, column, column);
    }
}

/* Sectors of the side ahead along x lie on either side of where sectors begin to count. */
static void hide_behind_square(gaze *g, int32_t r) {
    for (const run *open = g->open; open->begin < open->end; open++) {
        for (int side = 0; side <= 4; side++) {
            int begin = open->begin - side * QUARTER, end = open->end - side * QUARTER;
            begin = begin > 1 - QUARTER ? begin : 1 - QUARTER;
            end = end < QUARTER - 1 ? end : QUARTER - 1;
            if (begin < end) hide_behind_side(g, side % 4, r, begin, end);
        }
    }
}

static void look_outwards(gaze *g) {
    const throng_walls *walls = g->walls;
    int32_t rings = walls->columns > walls->rows ? walls->columns : walls->rows;
    hide_behind_cells(g, g->row, g->column, g->column);
    for (int32_t r = 1, next = 3; r <= rings && g->open->begin < g->open->end; r++) {
        hide_behind_square(g, r);
        if (r < next) continue;
        keep_open(g, (r - 1) * walls->cell);
        next = r + r / 2 + 1;
    }
}

void throng_outlook_make(throng_outlook *o, const throng_walls *walls, throng_point at, bool from_point, double margin,
                         uint64_t *looked) {
    o->at = at;
    o->from_point = from_point;
    for (int i = 0; i < THRONG_SECTORS; i++) o->limit2[i] = INFINITY;
    size_t cells = (size_t)walls->columns * (size_t)walls->rows, words = (walls->count + 63) / 64;
    double x = (at.x - walls->origin_x) * walls->inverse_cell, y = (at.y - walls->origin_y) * walls->inverse_cell;
    bool inside = x >= 0 && y >= 0 && x < walls->columns && y < walls->rows;
    if (!inside || cells > 16 * walls->count || (!looked && walls->count > WALLS_MARKED)) {
        for (size_t k = 0; k < walls->count; k++) hide_behind_wall(o, walls, k, margin);
        if (looked) memset(looked, 0xff, words * sizeof *looked);
        return;
    }
    uint64_t marks[WALLS_MARKED / 64];
    gaze g;
    g.outlook = o, g.walls = walls, g.margin = margin, g.looked = looked ? looked : marks;
    g.column = (int32_t)x, g.row = (int32_t)y;
    g.part_x = x - g.column, g.part_y = y - g.row;
    g.runs[0][0] = (run){0, THRONG_SECTORS}, g.runs[0][1] = (run){0, 0};
    g.open = g.runs[0];
    memset(g.looked, 0, words * sizeof *g.looked);
    look_outwards(&g);
}

bool throng_outlook_may_see(const throng_outlook *o, throng_point to) {
    double x = to.x - o->at.x, y = to.y - o->at.y;
    if (x == 0 && y == 0) return true;
    int sector = (int)sector_of(x, y) % THRONG_SECTORS;
    return x * x + y * y <= o->limit2[sector];
}

/* --- views: which bends may be in sight from where, by cells of the place */

static const double cell_least = 1, cell_most = 4; /* m */
static const double cells_most = 250000;
enum { LISTED_MOST = 1 << 24 }; /* bends in all lists; then one begins anew */

/* The finer the more corners there are. */
void throng_views_lay(throng_views *views, const throng_walls *walls, size_t bend_count) {
    double width = walls->columns * walls->cell, height = walls->rows * walls->cell, area = width * height;
    double cell = sqrt(area / (4 * (double)bend_count + 1));
    cell = fmax(fmin(fmax(cell, cell_least), cell_most), sqrt(area / cells_most));
    views->origin = (throng_point){walls->origin_x, walls->origin_y};
    views->cell = cell;
    views->columns = (size_t)ceil(width / cell);
    views->rows = (size_t)ceil(height / cell);
    views->lists = throng_allocate(views->columns * views->rows * sizeof *views->lists);
}

void throng_views_clear(throng_views *views) {
    THRONG_RELEASE(views->lists, views->bends);
    *views = (throng_views){0};
}

/* False outside of all cells. */
static bool find_cell(const throng_views *v, throng_point at, size_t *cell) {
    double column = floor((at.x - v->origin.x) / v->cell), row = floor((at.y - v->origin.y) / v->cell);
    if (!(column >= 0 && row >= 0 && column < (double)v->columns && row < (double)v->rows)) return false;
    *cell = (size_t)row * v->columns + (size_t)column;
    return true;
}

void throng_views_make(throng_tangents *t, const throng_walls *walls, throng_point at) {
    throng_views *v = &t->views;
    size_t cell;
    if (!find_cell(v, at, &cell) || v->lists[cell]) return;
    if (v->count + t->bend_count + 1 > LISTED_MOST) {
        memset(v->lists, 0, v->columns * v->rows * sizeof *v->lists);
        v->count = 0;
    }
    const double half_across = 0.70711;
    throng_point middle = {v->origin.x + ((double)(cell % v->columns) + 0.5) * v->cell,
                           v->origin.y + ((double)(cell / v->columns) + 0.5) * v->cell};
    throng_outlook outlook;
    throng_outlook_make(&outlook, walls, middle, false, t->margin + half_across * v->cell, NULL);
    THRONG_GROW(v->bends, v->capacity, v->count + t->bend_count + 1);
    uint32_t *list = v->bends + v->count, listed = 0;
    for (uint32_t bend = 0; bend < t->bend_count; bend++) {
        if (throng_outlook_may_see(&outlook, t->corners[bend])) list[++listed] = bend;
    }
    list[0] = listed;
    v->lists[cell] = (uint32_t)v->count + 1;
    v->count += listed + 1;
}

const uint32_t *throng_views_from(const throng_tangents *t, throng_point at, size_t *count) {
    size_t cell;
    if (!find_cell(&t->views, at, &cell) || !t->views.lists[cell]) return NULL;
    const uint32_t *list = t->views.bends + (t->views.lists[cell] - 1);
    *count = list[0];
    return list + 1;
}
