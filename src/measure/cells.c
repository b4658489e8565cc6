/* cells.c: Voronoi cells of the people of a frame, cut at the walls.
 *
 * A cell begins as the polygon of the cut-off, or as a box around all walls, and is cut by the bisectors of others,
 * nearest first, until nobody farther can matter: who is more than twice as far away as the farthest corner. Then it is
 * convex, and walls cut it. A wall that spans the cell cuts it like a bisector. Where walls end inside the cell, it is
 * divided into trapezoids at their ends, in a frame turned so that no wall of a real place is upright:
 *
 *       ________________           walls only part trapezoids of one slab; two of neighbouring slabs are joined
 *      |    |   |       |          where their common border is open. Those joined to the one the person is in
 *      |  * |___|       |          are the cell: convex pieces, whose shares in areas and lines add up. (Steffen &
 *      |    |   |       |          Seyfried 2010; PedPy: compute_individual_voronoi_polygons.)
 *      |____|___|_______|
 *
 * All coordinates are relative to the person. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vector.h"
#include "measure/cells.h"
#include "space/place.h"

static const double slit = 1e-9;     /* m: an opening of two trapezoids that is narrower is none */
static const double sliver = 1e-12;  /* m: slabs are wider */
static const double boundless = 1e5; /* m: a cell that reaches so far on an open plane has no end */
static const double leaning = 1e-6;  /* m: who is beyond a wall counts as standing this far before it */
static const double turn_cos = 0.74314482547739424, turn_sin = 0.66913060635885824; /* 42 degrees */

typedef throng_convex polygon;

typedef struct barrier {
    throng_point from, to; /* turned; from.x <= to.x */
} barrier;

/* A trapezoid: what is between two barriers of a slab, as far as the cell goes. */
typedef struct trapezoid {
    size_t slab;
    int below, above; /* barriers; -1: the border of the cell */
    bool reached;
} trapezoid;

/* What one worker needs. */
typedef struct scratch {
    throng_frame_grid grid;
    throng_found *found;
    size_t found_capacity;
    polygon cell, spare, *pieces;
    size_t piece_count, piece_capacity;
    throng_wall_near *walls;
    size_t wall_capacity;
    barrier *barriers;
    size_t barrier_count, barrier_capacity;
    double *events;
    size_t event_count, event_capacity;
    trapezoid *parts;
    size_t part_count, part_capacity;
    int *order;
    size_t order_capacity;
} scratch;

/* ------------------------------------------------------------------ convex polygons */

static void add_corner(polygon *p, double x, double y) {
    THRONG_GROW(p->at, p->capacity, p->count + 1);
    p->at[p->count++] = (throng_point){x, y};
}

bool throng_convex_cut(polygon *p, polygon *spare, double nx, double ny, double limit) {
    size_t outside = 0;
    for (size_t i = 0; i < p->count; i++) outside += p->at[i].x * nx + p->at[i].y * ny > limit;
    if (outside == 0) return false;
    spare->count = 0;
    for (size_t i = 0; i < p->count; i++) {
        throng_point a = p->at[i], b = p->at[i + 1 < p->count ? i + 1 : 0];
        double here = a.x * nx + a.y * ny - limit, there = b.x * nx + b.y * ny - limit;
        if (here <= 0) add_corner(spare, a.x, a.y);
        if ((here <= 0) == (there <= 0)) continue;
        double part = here / (here - there);
        add_corner(spare, a.x + part * (b.x - a.x), a.y + part * (b.y - a.y));
    }
    polygon swap = *p;
    *p = *spare;
    *spare = swap;
    return true;
}

static double farthest2(const polygon *p) {
    double most = 0;
    for (size_t i = 0; i < p->count; i++) most = fmax(most, p->at[i].x * p->at[i].x + p->at[i].y * p->at[i].y);
    return most;
}

double throng_convex_area(const polygon *p) { return fabs(throng_ring_area((throng_ring){p->at, p->count})); }

void throng_convex_copy(polygon *to, const polygon *from) {
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) add_corner(to, from->at[i].x, from->at[i].y);
}

/* Edges that rounding has left where a bisector meets a corner have no direction. */
static bool is_no_edge(throng_point a, throng_point b) { return fabs(b.x - a.x) + fabs(b.y - a.y) < slit; }

bool throng_convex_way(const polygon *p, throng_point from, throng_point to, double *enter, double *leave) {
    *enter = 0;
    *leave = 1;
    for (size_t i = 0; i < p->count; i++) {
        throng_point a = p->at[i], b = p->at[i + 1 < p->count ? i + 1 : 0];
        if (is_no_edge(a, b)) continue;
        double ex = b.x - a.x, ey = b.y - a.y, slack = slit * sqrt(ex * ex + ey * ey);
        double here = ex * (from.y - a.y) - ey * (from.x - a.x), there = ex * (to.y - a.y) - ey * (to.x - a.x);
        if (fabs(here) <= slack && fabs(there) <= slack) continue; /* along the edge */
        if (here <= 0 && there <= 0) return false;
        if (here >= 0 && there >= 0) continue;
        double part = here / (here - there);
        if (here < 0)
            *enter = fmax(*enter, part);
        else
            *leave = fmin(*leave, part);
    }
    return *enter < *leave;
}

/* ------------------------------------------------------------------ among people */

static void begin_cell(const throng_tracks *t, const throng_cells_def *def, throng_point at, polygon *cell) {
    cell->count = 0;
    if (def->cut_off > 0) {
        int corners = def->cut_off_corners;
        for (int i = 0; i < corners; i++) {
            double cosine, sine;
            throng_cos_sin(360.0 * i / corners, &cosine, &sine);
            add_corner(cell, def->cut_off * cosine, def->cut_off * sine);
        }
        return;
    }
    bool open = !t->walls || t->walls->open;
    throng_box all = t->bounds;
    double left = open ? -boundless : fmin(all.low.x - at.x, 0) - 1;
    double right = open ? boundless : fmax(all.high.x - at.x, 0) + 1;
    double low = open ? -boundless : fmin(all.low.y - at.y, 0) - 1;
    double high = open ? boundless : fmax(all.high.y - at.y, 0) + 1;
    add_corner(cell, left, low);
    add_corner(cell, right, low);
    add_corner(cell, right, high);
    add_corner(cell, left, high);
}

static void cut_at_bisectors(scratch *s, size_t who) {
    double reach2 = 4 * farthest2(&s->cell);
    for (int ring = 1;; ring++) {
        double bound = throng_frame_grid_bound(&s->grid, who, ring);
        if (bound * bound > reach2) return;
        size_t count = throng_frame_grid_ring(&s->grid, who, ring, s->found);
        for (size_t i = 0; i < count && s->found[i].distance2 <= reach2; i++) {
            const throng_found *other = &s->found[i];
            if (other->distance2 == 0) continue; /* two at one place have the same cell */
            if (throng_convex_cut(&s->cell, &s->spare, other->dx, other->dy, other->distance2 / 2))
                reach2 = 4 * farthest2(&s->cell);
        }
    }
}

/* ------------------------------------------------------------------ among walls */

static throng_wall_ends ends_of(const throng_walls *walls, uint32_t k, throng_point origin) {
    uint32_t next = walls->next[k];
    return (throng_wall_ends){{walls->x[k] - origin.x, walls->y[k] - origin.y},
                              {walls->x[next] - origin.x, walls->y[next] - origin.y}};
}

/* Cuts the cell at walls that span it; the others that meet it become barriers. */
static void cut_at_walls(scratch *s, const throng_walls *walls, throng_point origin, throng_point seed, size_t count) {
    s->barrier_count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            throng_wall_ends wall = ends_of(walls, s->walls[i].wall, origin);
            double enter, leave;
            if (!throng_convex_way(&s->cell, wall.from, wall.to, &enter, &leave)) continue;
            double dx = wall.to.x - wall.from.x, dy = wall.to.y - wall.from.y, length = sqrt(dx * dx + dy * dy);
            if ((leave - enter) * length <= sliver) continue;
            if (enter > 0 && leave < 1) {
                double side = dx * (seed.y - wall.from.y) - dy * (seed.x - wall.from.x);
                double sign = side < -sliver * length ? -1 : 1; /* who stands on it is on its walkable side */
                throng_convex_cut(&s->cell, &s->spare, sign * dy, -sign * dx,
                                  sign * (dy * wall.from.x - dx * wall.from.y));
            } else if (pass == 1) {
                throng_point a = {wall.from.x + enter * dx, wall.from.y + enter * dy};
                throng_point b = {wall.from.x + leave * dx, wall.from.y + leave * dy};
                if (enter == 0) a = wall.from;
                if (leave == 1) b = wall.to;
                a = (throng_point){turn_cos * a.x - turn_sin * a.y, turn_sin * a.x + turn_cos * a.y};
                b = (throng_point){turn_cos * b.x - turn_sin * b.y, turn_sin * b.x + turn_cos * b.y};
                THRONG_GROW(s->barriers, s->barrier_capacity, s->barrier_count + 1);
                s->barriers[s->barrier_count++] = a.x <= b.x ? (barrier){a, b} : (barrier){b, a};
            }
        }
    }
}

/* ------------------------------------------------------------------ trapezoids */

static double height_at(const barrier *b, double x) {
    double wide = b->to.x - b->from.x;
    return wide > 0 ? b->from.y + (x - b->from.x) / wide * (b->to.y - b->from.y) : b->from.y;
}

static int compare_numbers(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

static void add_event(scratch *s, double x) {
    THRONG_GROW(s->events, s->event_capacity, s->event_count + 1);
    s->events[s->event_count++] = x;
}

/* The borders of slabs: the ends of the (turned) cell and of barriers. */
static void find_slabs(scratch *s) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->cell.count; i++) {
        low = fmin(low, s->cell.at[i].x);
        high = fmax(high, s->cell.at[i].x);
    }
    s->event_count = 0;
    add_event(s, low);
    add_event(s, high);
    for (size_t i = 0; i < s->barrier_count; i++) {
        add_event(s, fmin(fmax(s->barriers[i].from.x, low), high));
        add_event(s, fmin(fmax(s->barriers[i].to.x, low), high));
    }
    qsort(s->events, s->event_count, sizeof *s->events, compare_numbers);
    size_t kept = 1;
    for (size_t i = 1; i < s->event_count; i++)
        if (s->events[i] - s->events[kept - 1] > sliver) s->events[kept++] = s->events[i];
    s->event_count = kept;
}

static void find_trapezoids(scratch *s) {
    s->part_count = 0;
    for (size_t slab = 0; slab + 1 < s->event_count; slab++) {
        double middle = (s->events[slab] + s->events[slab + 1]) / 2;
        size_t count = 0;
        THRONG_GROW(s->order, s->order_capacity, s->barrier_count + 1);
        for (size_t b = 0; b < s->barrier_count; b++) {
            if (s->barriers[b].from.x >= middle || s->barriers[b].to.x <= middle) continue;
            double height = height_at(&s->barriers[b], middle);
            size_t at = count++;
            for (; at > 0 && height_at(&s->barriers[s->order[at - 1]], middle) > height; at--)
                s->order[at] = s->order[at - 1];
            s->order[at] = (int)b;
        }
        THRONG_GROW(s->parts, s->part_capacity, s->part_count + count + 1);
        for (size_t k = 0; k <= count; k++)
            s->parts[s->part_count++] =
                (trapezoid){slab, k > 0 ? s->order[k - 1] : -1, k < count ? s->order[k] : -1, false};
    }
}

/* How far a trapezoid reaches on the upright at x. */
static void extent_at(const scratch *s, const trapezoid *part, double x, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < s->cell.count; i++) {
        throng_point a = s->cell.at[i], b = s->cell.at[i + 1 < s->cell.count ? i + 1 : 0];
        if ((a.x < x && b.x < x) || (a.x > x && b.x > x)) continue;
        double y = a.x != b.x ? a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y) : a.y;
        *low = fmin(*low, a.x != b.x ? y : fmin(a.y, b.y));
        *high = fmax(*high, a.x != b.x ? y : fmax(a.y, b.y));
    }
    if (part->below >= 0) *low = fmax(*low, height_at(&s->barriers[part->below], x));
    if (part->above >= 0) *high = fmin(*high, height_at(&s->barriers[part->above], x));
}

static bool are_joined(const scratch *s, const trapezoid *a, const trapezoid *b) {
    double x = s->events[b->slab], low, high, other_low, other_high;
    extent_at(s, a, x, &low, &high);
    extent_at(s, b, x, &other_low, &other_high);
    return fmin(high, other_high) - fmax(low, other_low) > slit;
}

/* Goes from slab to slab, to and fro, until no more are reached. */
static void spread(scratch *s) {
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < s->part_count; i++) {
            for (size_t j = i + 1; j < s->part_count && s->parts[j].slab <= s->parts[i].slab + 1; j++) {
                if (s->parts[j].slab == s->parts[i].slab || s->parts[i].reached == s->parts[j].reached) continue;
                if (!are_joined(s, &s->parts[i], &s->parts[j])) continue;
                s->parts[i].reached = s->parts[j].reached = more = true;
            }
        }
    }
}

static bool reach_seed(scratch *s, throng_point seed) {
    for (size_t i = 0; i < s->part_count; i++) {
        trapezoid *part = &s->parts[i];
        if (seed.x < s->events[part->slab] || seed.x > s->events[part->slab + 1]) continue;
        if (part->below >= 0 && height_at(&s->barriers[part->below], seed.x) > seed.y) continue;
        if (part->above >= 0 && height_at(&s->barriers[part->above], seed.x) < seed.y) continue;
        part->reached = true;
        return true;
    }
    return false;
}

static polygon *new_piece(scratch *s) {
    if (s->piece_count == s->piece_capacity) {
        size_t old = s->piece_capacity;
        THRONG_GROW(s->pieces, s->piece_capacity, s->piece_count + 1);
        memset(s->pieces + old, 0, (s->piece_capacity - old) * sizeof *s->pieces);
    }
    return &s->pieces[s->piece_count++];
}

static void cut_at_barrier(polygon *piece, polygon *spare, const barrier *b, double sign) {
    double dx = b->to.x - b->from.x, dy = b->to.y - b->from.y;
    throng_convex_cut(piece, spare, -sign * dy, sign * dx, sign * (dx * b->from.y - dy * b->from.x));
}

static void turn(polygon *p, double sine) {
    for (size_t i = 0; i < p->count; i++) {
        throng_point a = p->at[i];
        p->at[i] = (throng_point){turn_cos * a.x - sine * a.y, sine * a.x + turn_cos * a.y};
    }
}

/* Divides the cell at barriers and keeps the pieces that are joined to where the person is. */
static void divide(scratch *s, throng_point seed) {
    turn(&s->cell, turn_sin);
    find_slabs(s);
    find_trapezoids(s);
    throng_point turned = {turn_cos * seed.x - turn_sin * seed.y, turn_sin * seed.x + turn_cos * seed.y};
    if (!reach_seed(s, turned)) return;
    spread(s);
    for (size_t i = 0; i < s->part_count; i++) {
        const trapezoid *part = &s->parts[i];
        if (!part->reached) continue;
        polygon *piece = new_piece(s);
        throng_convex_copy(piece, &s->cell);
        throng_convex_cut(piece, &s->spare, -1, 0, -s->events[part->slab]);
        throng_convex_cut(piece, &s->spare, 1, 0, s->events[part->slab + 1]);
        if (part->below >= 0) cut_at_barrier(piece, &s->spare, &s->barriers[part->below], -1);
        if (part->above >= 0) cut_at_barrier(piece, &s->spare, &s->barriers[part->above], 1);
        turn(piece, -turn_sin);
        if (throng_convex_area(piece) < sliver) s->piece_count--;
    }
}

/* Where the person stands, or, who leans over a wall, the nearest place before it; false: there is none near. */
static bool find_seed(const throng_walls *walls, throng_point at, double reach, throng_point *seed) {
    *seed = (throng_point){0, 0};
    if (throng_walls_inside(walls, at.x, at.y)) return true;
    throng_wall_near nearest;
    if (throng_walls_within(walls, at.x, at.y, reach, &nearest, 1) == 0) return false;
    throng_point foot = throng_wall_nearest_point(walls, nearest.wall, at.x, at.y);
    double dx = foot.x - at.x, dy = foot.y - at.y, distance = sqrt(dx * dx + dy * dy);
    double ahead = distance > 0 ? (distance + leaning) / distance : 0;
    *seed = (throng_point){dx * ahead, dy * ahead};
    return throng_walls_inside(walls, at.x + seed->x, at.y + seed->y);
}

/* Makes the pieces of somebody's cell; none when it has no bounds, or nobody can walk there. */
static void make_pieces(const throng_tracks *t, const throng_cells_def *def, scratch *s, size_t who, throng_point at) {
    const throng_walls *walls = t->walls;
    s->piece_count = 0;
    begin_cell(t, def, at, &s->cell);
    cut_at_bisectors(s, who);
    double reach = sqrt(farthest2(&s->cell)) * (1 + slit);
    throng_point seed = {0, 0};
    s->barrier_count = 0;
    if (reach >= boundless) return;
    if (walls && !throng_walls_are_off(walls, at.x, at.y, reach)) {
        if (!find_seed(walls, at, reach, &seed)) return;
        THRONG_GROW(s->walls, s->wall_capacity, walls->count);
        size_t count = throng_walls_within(walls, at.x, at.y, reach, s->walls, s->wall_capacity);
        cut_at_walls(s, walls, at, seed, count);
    } else if (walls && !throng_walls_inside(walls, at.x, at.y)) {
        return;
    }
    if (s->barrier_count > 0)
        divide(s, seed);
    else
        throng_convex_copy(new_piece(s), &s->cell);
}

static void release_scratch(scratch *s) {
    for (size_t i = 0; i < s->piece_capacity; i++) throng_release(s->pieces[i].at);
    void *arrays[] = {s->found,    s->cell.at, s->spare.at, s->pieces, s->walls,
                      s->barriers, s->events,  s->parts,    s->order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) throng_release(arrays[i]);
    throng_frame_grid_release(&s->grid);
}

void throng_cells_each(const throng_tracks *t, const throng_cells_def *def, size_t begin, size_t end,
                       void (*take)(void *context, const throng_cell *cell), void *context) {
    const throng_tracks_view *v = &t->view;
    scratch s = {0};
    for (size_t f = begin; f < end; f++) {
        size_t first = v->start[f], count = v->start[f + 1] - first;
        throng_frame_grid_make(&s.grid, v->x + first, v->y + first, count);
        THRONG_GROW(s.found, s.found_capacity, count);
        for (size_t k = 0; k < count; k++) {
            throng_point at = {v->x[first + k], v->y[first + k]};
            make_pieces(t, def, &s, k, at);
            throng_cell cell = {first + k, at, s.pieces, s.piece_count};
            take(context, &cell);
        }
    }
    release_scratch(&s);
}
