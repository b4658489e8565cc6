/* wall_lists.c: the walls that each walker of `implicit` looks at in a step, what they hide, and which of them can
 * matter. */

#include <string.h>

#include "base/memory.h"
#include "models/common.h"
#include "models/implicit/solver.h"
#include "space/box.h"
#include "space/walls.h"

static const double wall_sight = 6; /* m: who walks towards a wall there feels less than 0.1 m/s^2 */
enum { WALLS_FOUND = 64 };          /* there is room for at first */

/* A wall as seen from a walker, b to the left of a. m */
typedef struct view {
    double ax, ay, bx, by;
} view;

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

static view view_of(const throng_walls *walls, uint32_t k, double x, double y) {
    uint32_t n = walls->next[k];
    view v = {walls->x[k] - x, walls->y[k] - y, walls->x[n] - x, walls->y[n] - y};
    if (cross(v.ax, v.ay, v.bx, v.by) >= 0) return v;
    return (view){v.bx, v.by, v.ax, v.ay};
}

static bool is_point_hidden(const view *by, double x, double y) {
    return cross(by->ax, by->ay, x, y) >= 0 && cross(x, y, by->bx, by->by) >= 0 &&
           cross(by->bx - by->ax, by->by - by->ay, x - by->ax, y - by->ay) <= 0;
}

/* Who goes straight meets what hides a wall before it meets the wall. */
static bool is_hidden(const view *wall, const view *others, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (is_point_hidden(&others[k], wall->ax, wall->ay) && is_point_hidden(&others[k], wall->bx, wall->by))
            return true;
    }
    return false;
}

/* Within this distance of a walker, a wall can be touched or repel within the step. m */
static double touch_reach(const throng_implicit_solver *s, uint32_t slot) {
    return s->walkers->near->radius[slot] + 1.1 * s->walkers->law.gc + s->walkers->cap[slot] * s->walkers->law.dt;
}

/* Finds a walker's walls, nearest first. Leaves out walls that turn their back on the walker wherever it may get to in
 * a step that these lists serve for, and of those that it cannot touch in one what is hidden. Returns how many there
 * are, or UINT32_MAX if there is no room for all that it can touch. */
static uint32_t find_walls(const throng_implicit_solver *s, uint32_t slot, throng_wall_near *near) {
    double x = s->walkers->then_x[slot], y = s->walkers->then_y[slot], reach = touch_reach(s, slot) + s->walkers->skin;
    throng_facing ask = {.x = x,
                         .y = y,
                         .slack = s->walkers->cap[slot] * s->walkers->law.dt + s->walkers->skin,
                         .sure = reach,
                         .reach = fmax(fmin(s->walkers->neighbour_dist, wall_sight), reach),
                         .enough = THRONG_IMPLICIT_WALLS};
    size_t found = throng_walls_facing(s->walkers->now->walls, &ask, near, s->walls->found_each);
    if (found == s->walls->found_each && near[found - 1].distance2 <= reach * reach) return UINT32_MAX;
    view kept[THRONG_IMPLICIT_WALLS];
    uint32_t count = 0;
    for (size_t i = 0; i < found; i++) {
        bool touches = near[i].distance2 <= reach * reach;
        view v = view_of(s->walkers->now->walls, near[i].wall, x, y);
        if (!touches && is_hidden(&v, kept, count < THRONG_IMPLICIT_WALLS ? count : THRONG_IMPLICIT_WALLS)) continue;
        if (count < THRONG_IMPLICIT_WALLS) kept[count] = v;
        near[count++] = near[i];
    }
    return count;
}

static throng_wall_near *near_of(const throng_implicit_solver *s, int worker) {
    return s->walls->found + (size_t)worker * s->walls->found_each;
}

/* Counts the walls of the walkers of some blocks and notes which they are, if they are not too many. */
static void count_walls(void *context, size_t begin, size_t end, int worker) {
    throng_implicit_solver *s = context;
    throng_wall_near *near = near_of(s, worker);
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k], *numbers = s->walls->numbers + (size_t)slot * THRONG_IMPLICIT_WALLS;
        uint32_t count = s->walls->count[slot] = find_walls(s, slot, near);
        for (uint32_t i = 0; count <= THRONG_IMPLICIT_WALLS && i < count; i++) numbers[i] = near[i].wall;
    }
}

/* The numbers of a walker's walls: as noted, or if they are too many, found again and written to `near`. */
typedef struct wall_list {
    const uint32_t *noted;
    const throng_wall_near *near;
} wall_list;

static wall_list walls_of(const throng_implicit_solver *s, uint32_t slot, throng_wall_near *near) {
    if (s->walls->count[slot] <= THRONG_IMPLICIT_WALLS)
        return (wall_list){.noted = s->walls->numbers + (size_t)slot * THRONG_IMPLICIT_WALLS};
    find_walls(s, slot, near);
    return (wall_list){.near = near};
}

static throng_segment wall_at(const throng_walls *walls, wall_list list, uint32_t i) {
    uint32_t a = list.noted ? list.noted[i] : list.near[i].wall, b = walls->next[a];
    return (throng_segment){walls->x[a], walls->y[a], walls->x[b], walls->y[b]};
}

/* What the walls of the walkers of some blocks hide. */
static void hide_blocks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit_solver *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k];
        wall_list list = walls_of(s, slot, near_of(s, worker));
        double x = s->walkers->then_x[slot], y = s->walkers->then_y[slot];
        throng_horizon_sketch sketch;
        throng_horizon_open(&sketch, &s->walls->horizon[slot]);
        for (uint32_t i = 0; i < s->walls->count[slot]; i++) {
            throng_segment wall = wall_at(s->walkers->now->walls, list, i);
            throng_horizon_hide(&sketch, wall.ax - x, wall.ay - y, wall.bx - x, wall.by - y);
        }
        throng_horizon_close(&sketch, s->walkers->neighbour_dist);
    }
}

/* Writes the walls of a walker as it sees them, nearest first. */
static void see_walls(throng_implicit_solver *s, uint32_t slot, wall_list list) {
    throng_wall_piece *pieces = s->walls->pieces + s->walls->begin[slot];
    double x = s->walkers->near->x[slot], y = s->walkers->near->y[slot], reach = touch_reach(s, slot);
    uint32_t reachs = 0;
    for (uint32_t i = 0; i < s->walls->count[slot]; i++) {
        throng_segment wall = wall_at(s->walkers->now->walls, list, i);
        throng_wall_piece piece = throng_see_wall(&wall, x, y);
        uint32_t at = i;
        for (; at > 0 && pieces[at - 1].distance > piece.distance; at--) pieces[at] = pieces[at - 1];
        pieces[at] = piece;
        reachs += piece.distance <= reach;
    }
    s->walls->touch_count[slot] = reachs;
    s->walls->gap[slot] = s->walls->count[slot] > 0 ? pieces->distance - s->walkers->near->radius[slot] : INFINITY;
    s->walls->in_wall[slot] = s->walls->gap[slot] <= 0;
    s->walls->ahead_count[slot] = s->walls->close_count[slot] = 0;
}

/* That of the walkers of some blocks. */
static void see_blocks(void *context, size_t begin, size_t end, int worker) {
    throng_implicit_solver *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->active.who[k];
        see_walls(s, slot, walls_of(s, slot, near_of(s, worker)));
    }
}

#define A(field) THRONG_ARRAY(throng_implicit_walls, field)
static const throng_array arrays[] = {A(begin),       A(count),       A(touch_count), A(front_count),
                                      A(ahead_count), A(close_count), A(gap),         A(in_wall)};
static const throng_array piece_arrays[] = {A(piece_room), A(ahead), A(close)};
static const throng_array other_arrays[] = {A(numbers), A(horizon), A(found)};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

void throng_implicit_release_walls(throng_implicit_walls *w) {
    throng_arrays_release(w, arrays, ARRAYS);
    throng_arrays_release(w, piece_arrays, 3);
    throng_arrays_release(w, other_arrays, 3);
}

/* Where workers put the walls that they find. */
static void reserve_found(throng_implicit_walls *w, size_t each, size_t workers) {
    if (each == w->found_each && workers <= w->found_workers) return;
    w->found_each = each;
    w->found_workers = workers;
    w->found = throng_reallocate(w->found, workers * each * sizeof *w->found);
}

/* Counts until everybody's walls have found room. */
static void count_all(throng_implicit_solver *s) {
    for (bool again = true; again;) {
        throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, count_walls);
        again = false;
        for (size_t k = 0; k < s->active.count; k++) again = again || s->walls->count[s->active.who[k]] == UINT32_MAX;
        if (!again) break;
        reserve_found(s->walls, 2 * s->walls->found_each, s->workers);
    }
}

/* Pieces are as long as a line of the processor's memory, and each is to lie in one. */
static void reserve_pieces(throng_implicit_solver *s, size_t count) {
    throng_arrays_grow(s->walls, piece_arrays, 3, &s->walls->piece_capacity, count + 1);
    uintptr_t at = (uintptr_t)s->walls->piece_room, size = sizeof *s->walls->pieces;
    s->walls->pieces = (throng_wall_piece *)((char *)s->walls->piece_room + (size - at % size) % size);
}

/* Whether a wall can be between two people: whether it has not all of them, or a box around them, on one side. */
static bool is_between_people(const throng_walls *walls, uint32_t k, throng_box box) {
    uint32_t n = walls->next[k];
    double ax = walls->x[k], ay = walls->y[k], ux = walls->x[n] - ax, uy = walls->y[n] - ay;
    const throng_point corners[4] = {box.low, {box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}};
    int left = 0, right = 0;
    for (int c = 0; c < 4; c++) {
        double side = cross(ux, uy, corners[c].x - ax, corners[c].y - ay);
        left += side > 0;
        right += side < 0;
    }
    return left > 0 && right > 0;
}

/* In a room without corners that stick out walls hide nobody. */
static bool is_anybody_hidden(const throng_implicit_solver *s) {
    const throng_walls *walls = s->walkers->now->walls;
    throng_box box = throng_box_of_columns(s->walkers->then_x, s->walkers->then_y, s->walkers->near->count);
    for (uint32_t k = 0; k < walls->count; k++) {
        if (is_between_people(walls, k, box)) return true;
    }
    return false;
}

void throng_implicit_find_walls(throng_implicit_solver *s, bool sees_all) {
    bool any = s->walkers->now->walls->count > 0;
    throng_implicit_walls *w = s->walls;
    throng_arrays_grow(w, arrays, ARRAYS, &w->capacity, s->walkers->near->count);
    reserve_found(w, w->found_each ? w->found_each : WALLS_FOUND, s->workers);
    if (any) THRONG_GROW(w->numbers, w->numbers_capacity, s->walkers->near->count * THRONG_IMPLICIT_WALLS);
    if (any) count_all(s);
    s->walls->total = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k];
        s->walls->begin[slot] = (uint32_t)s->walls->total;
        if (!any) s->walls->count[slot] = 0;
        s->walls->total += s->walls->count[slot];
    }
    s->walls->sees_all = sees_all || s->walls->total == 0 || !is_anybody_hidden(s);
    reserve_pieces(s, s->walls->total);
    if (any && !sees_all) THRONG_GROW(s->walls->horizon, s->walls->horizon_capacity, s->walkers->near->count);
    if (s->walls->sees_all) return;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, hide_blocks);
}

void throng_implicit_see_walls(throng_implicit_solver *s) {
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, see_blocks);
    if (s->walls->total > 0) throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, s->kernel->put_in_front);
}

void throng_implicit_glance_at_walls(throng_implicit_solver *s) {
    if (s->walls->total == 0) return;
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, s->kernel->glance);
}
