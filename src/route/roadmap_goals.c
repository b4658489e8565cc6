/* roadmap_goals.c: what of a goal a body can walk up to.
 *
 * Of an area these are the pieces of its border that roads may come to. Where the border comes too near to
 * walls it is cut, and each piece is tried in its middle. Where a body fits but roads keep farther away,
 * single points of the border will do. Of an area where a body fits nowhere, such as a strip along a wall,
 * all of the border counts that is not in a wall, and the last bit of the way there may be narrow. */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "route/planner.h"
#include "route/roadmap.h"
#include "space/place.h"
#include "space/walls.h"

static const double inside = 0.01; /* m beyond the border that a way into an area ends */
static const double hardly = 1e-6; /* m from a wall, where bodies do not fit anyway */

/* Part of a goal's border while it is cut; t runs along it from 0 to its length. */
typedef struct border {
    throng_point a, along;
    double length, keep;
    double *cuts;
    size_t cut_count, cut_capacity;
} border;

typedef struct landings {
    const throng_walls *walls;
    const throng_tangents *tangents;
    throng_landing *items;
    size_t count, capacity;
    border border;
} landings;

static void add_cut(border *b, double t) {
    if (!(t > 0 && t < b->length)) return;
    THRONG_GROW(b->cuts, b->cut_capacity, b->cut_count + 1);
    b->cuts[b->cut_count++] = t;
}

/* Where the border is as far from a point as bodies keep. */
static void cut_around(border *b, double along, double left) {
    double half2 = b->keep * b->keep - left * left;
    if (half2 <= 0) return;
    add_cut(b, along - sqrt(half2));
    add_cut(b, along + sqrt(half2));
}

static void cut_by_wall(border *b, const throng_walls *w, size_t k) {
    uint32_t n = w->next[k];
    throng_point p = {w->x[k] - b->a.x, w->y[k] - b->a.y}, q = {w->x[n] - b->a.x, w->y[n] - b->a.y};
    double pa = throng_dot(p, b->along), qa = throng_dot(q, b->along);
    double pl = throng_cross(b->along, p), ql = throng_cross(b->along, q);
    if (fmin(pl, ql) > b->keep || fmax(pl, ql) < -b->keep) return;
    if (fmax(pa, qa) < -b->keep || fmin(pa, qa) > b->length + b->keep) return;
    cut_around(b, pa, pl);
    cut_around(b, qa, ql);
    /* Where it is as far from the wall's line. */
    throng_point wall = {w->along_x[k], w->along_y[k]};
    double slope = throng_cross(wall, b->along), left = -throng_cross(wall, p);
    if (fabs(slope) < 1e-12) return;
    add_cut(b, (b->keep - left) / slope);
    add_cut(b, (-b->keep - left) / slope);
}

static void add_landing(landings *l, throng_landing landing) {
    THRONG_GROW(l->items, l->capacity, l->count + 1);
    l->items[l->count++] = landing;
}

/* How near to walls a piece of a border may be. */
typedef enum elbowroom { ROOM_FOR_ROADS, ROOM_FOR_A_BODY, HARDLY_ANY } elbowroom;

static void add_points(landings *l, double begin, double end) {
    const throng_tangents *t = l->tangents;
    double pieces = fmin(ceil((end - begin) / (0.5 * t->margin)), 1000);
    for (double k = 0.5; k < pieces; k++) {
        throng_point at = throng_ahead(l->border.a, l->border.along, begin + (end - begin) * k / pieces);
        if (throng_walls_depth(l->walls, at.x, at.y, t->margin) >= t->keep) continue;
        add_landing(l, (throng_landing){at, at, 2 * t->margin, throng_margin_kept(l->walls, t->body), inside, false});
    }
}

static void add_pieces(landings *l, elbowroom room) {
    border *b = &l->border;
    if (b->cut_count > 0) qsort(b->cuts, b->cut_count, sizeof *b->cuts, throng_compare_numbers);
    double begin = 0;
    bool joined = false;
    for (size_t i = 0; i <= b->cut_count; i++) {
        double end = i < b->cut_count ? b->cuts[i] : b->length;
        throng_point from = throng_ahead(b->a, b->along, begin), to = throng_ahead(b->a, b->along, end);
        throng_point middle = throng_ahead(b->a, b->along, 0.5 * (begin + end));
        bool fits = throng_walls_depth(l->walls, middle.x, middle.y, 2 * b->keep) >= b->keep;
        if (fits && room == ROOM_FOR_A_BODY)
            add_points(l, begin, end);
        else if (fits && joined)
            l->items[l->count - 1].b = to;
        else if (fits)
            add_landing(l,
                        (throng_landing){from, to, room == HARDLY_ANY ? 2 * l->tangents->margin : 0, 0, inside, false});
        joined = fits;
        begin = end;
    }
}

static void land_on_border(landings *l, throng_ring ring, elbowroom room) {
    border *b = &l->border;
    /* A little more than what is asked of ways, so that those to the ends of pieces count as clear. */
    const throng_tangents *t = l->tangents;
    b->keep = room == ROOM_FOR_ROADS ? 0.5 * (t->keep + t->margin) : room == ROOM_FOR_A_BODY ? t->body : hardly;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], c = ring.points[(i + 1) % ring.count];
        double dx = c.x - a.x, dy = c.y - a.y;
        b->length = sqrt(dx * dx + dy * dy);
        if (b->length == 0) continue;
        b->a = a, b->along = (throng_point){dx / b->length, dy / b->length};
        b->cut_count = 0;
        for (size_t k = 0; k < l->walls->count; k++) cut_by_wall(b, l->walls, k);
        add_pieces(l, room);
    }
}

/* Within its radius a point counts as reached, whatever stands there. To a point too near to a wall for roads
 * they lead by one beside it. */
static void land_on_point(landings *l, throng_point at, double radius) {
    const throng_tangents *t = l->tangents;
    double depth = throng_walls_depth(l->walls, at.x, at.y, t->margin), lenient = radius, margin = 0;
    if (depth <= 0) return;
    if (depth < t->keep && radius < 2 * t->margin) lenient = 2 * t->margin, margin = fmin(0.98 * depth, t->body);
    add_landing(l, (throng_landing){.a = at, .b = at, .lenient = lenient, .margin = margin});
    throng_point room;
    if (depth >= t->keep || !throng_sight_find_room(l->walls, at, t->margin, t->keep, &room)) return;
    double dx = room.x - at.x, dy = room.y - at.y;
    add_landing(l, (throng_landing){.a = room, .b = room, .beyond = sqrt(dx * dx + dy * dy), .stop = true});
}

static void land_on(landings *l, const throng_goal_entry *goal, throng_point target) {
    size_t before = l->count;
    switch (goal->def.kind) {
        case THRONG_GOAL_AREA:
            land_on_border(l, goal->def.ring, ROOM_FOR_ROADS);
            land_on_border(l, goal->def.ring, ROOM_FOR_A_BODY);
            if (l->count == before) land_on_border(l, goal->def.ring, HARDLY_ANY);
            break;
        case THRONG_GOAL_POINT:
            land_on_point(l, goal->def.point, goal->def.radius);
            break;
        case THRONG_GOAL_OWN:
        case THRONG_GOAL_ROAM:
            land_on_point(l, target, goal->def.radius);
            break;
        default:
            break;
    }
}

/* Of several goals those that are open; all, if none is. */
static void land_on_any(landings *l, const throng_goal_entry *goals, const throng_goal_def *def, throng_point target) {
    for (size_t i = 0; i < def->any_count; i++) {
        if (!throng_goal_is_shut(goals, def, i)) land_on(l, &goals[def->any[i]], target);
    }
}

throng_landing *throng_landings_find(const throng_walls *walls, const throng_tangents *tangents,
                                     const throng_goal_entry *goals, throng_goal goal, throng_point target,
                                     size_t *count) {
    landings l = {.walls = walls, .tangents = tangents};
    if (goals[goal].def.kind == THRONG_GOAL_ANY)
        land_on_any(&l, goals, &goals[goal].def, target);
    else
        land_on(&l, &goals[goal], target);
    throng_release(l.border.cuts);
    *count = l.count;
    return l.items;
}

bool throng_goal_contains(const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_goal_entry *goal = &goals[walker->goal];
    if (goal->def.kind == THRONG_GOAL_ANY) {
        throng_walker member = *walker;
        for (size_t i = 0; i < goal->def.any_count; i++) {
            member.goal = goal->def.any[i];
            if (throng_goal_contains(goals, &member)) return true;
        }
        return false;
    }
    if (goal->def.kind != THRONG_GOAL_AREA) return false;
    throng_point at = walker->at;
    if (at.x < goal->bounds.low.x || at.x > goal->bounds.high.x) return false;
    if (at.y < goal->bounds.low.y || at.y > goal->bounds.high.y) return false;
    return throng_ring_contains(goal->def.ring, at.x, at.y);
}

bool throng_landing_is_clear(const throng_landing *landing, const throng_walls *walls, throng_point from,
                             throng_point end, double margin) {
    double dx = end.x - from.x, dy = end.y - from.y, length = sqrt(dx * dx + dy * dy);
    double strict = length - landing->lenient, last = fmin(landing->margin, margin);
    if (landing->lenient == 0) return throng_sight_is_clear(walls, from, end, margin);
    if (strict <= 0) return throng_sight_is_clear(walls, from, end, last);
    throng_point near = throng_ahead(from, (throng_point){dx / length, dy / length}, strict);
    return throng_sight_is_clear(walls, from, near, margin) && throng_sight_is_clear(walls, near, end, last);
}
