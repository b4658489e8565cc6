/* flow.c: the planner of flow fields. Everybody of about the same size who goes to the same goal
 * shares one field.
 *
 * Two people are of the same size here when they fit through the same gaps of the place: the size of
 * a body is the number of gaps too narrow for it. So whoever is led anywhere fits through on the way,
 * and who cannot get to a goal because the only way is too narrow is told so. (A goal has a limited
 * number of fields: where people are of more sizes, some share the field of the next smaller size.)
 *
 * Targets of one's own (THRONG_GOAL_OWN, THRONG_GOAL_ROAM) are walked to straight whenever nothing is
 * in the way. For the others there is a limited number of fields, each of which leads to one target
 * of a tile of the place and helps to find the others in it. */

#include <math.h>

#include "route/avoid.h"
#include "route/planner.h"
#include "route/shelf.h"
#include "space/walls.h"
#include "world/memory.h"

static const double nodes_usual = 6e5; /* of a field for a goal: 5 MB */
static const double nodes_tiled = 6e4; /* of a field for a tile, of which there are many */

typedef struct flow {
    throng_crew *crew;
    const throng_walls *walls;
    throng_shelf goals, targets;
    uint64_t round; /* of asking for fields */
    uint8_t *needs; /* [walker] in a prepare: needs a field */
    size_t needs_capacity;
} flow;

static void *create(const throng_route_def *def) {
    flow *f = throng_allocate(sizeof *f);
    f->crew = def->crew;
    f->walls = def->walls;
    f->goals.ground = (throng_ground){.walls = def->walls, .cell_wanted = def->cell, .nodes_wanted = nodes_usual};
    f->targets.ground = (throng_ground){.walls = def->walls, .cell_wanted = def->cell, .nodes_wanted = nodes_tiled};
    f->targets.tiled = true;
    return f;
}

static void destroy(void *state) {
    flow *f = state;
    throng_shelf_clear(&f->goals);
    throng_shelf_clear(&f->targets);
    throng_release(f->needs);
    throng_release(f);
}

static bool is_own(throng_goal_kind kind) { return kind == THRONG_GOAL_OWN || kind == THRONG_GOAL_ROAM; }

static bool is_clear(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    return throng_straight_is_clear(f->walls, f->targets.ground.lattice, goals, walker);
}

/* --- prepare */

static bool needs_field(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (walker->goal == 0 || f->walls->count == 0 || kind == THRONG_GOAL_DIRECTION) return false;
    return !is_own(kind) || !is_clear(f, goals, walker);
}

/* Makes the ground of a shelf serve those who need fields from it. */
static void ready(flow *f, bool own, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        if (!f->needs[i] || is_own(goals[walkers[i].goal].def.kind) != own) continue;
        low = fmin(low, walkers[i].radius);
        high = fmax(high, walkers[i].radius);
    }
    if (low <= high) throng_shelf_ready(own ? &f->targets : &f->goals, low, high);
}

/* Whether a way leads from a walker, or from just beside the wall it stands in, to its goal. */
static bool can_reach(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    bool own = is_own(goals[walker->goal].def.kind);
    if (own && !throng_walls_inside(f->walls, walker->target.x, walker->target.y)) return false;
    const throng_shelf *shelf = own ? &f->targets : &f->goals;
    const throng_slot *slot = throng_shelf_find(shelf, walker);
    throng_way way;
    if (!slot || throng_field_follow(&slot->field, &shelf->ground, goals, walker, &way)) return true;
    throng_point out = throng_way_out(f->walls, walker->at);
    if (out.x == 0 && out.y == 0) return false;
    throng_walker beside = *walker;
    double depth = throng_walls_depth(f->walls, walker->at.x, walker->at.y, 1e6);
    beside.at.x += out.x * (0.01 - depth);
    beside.at.y += out.y * (0.01 - depth);
    return throng_field_follow(&slot->field, &shelf->ground, goals, &beside, &way);
}

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    flow *f = state;
    THRONG_GROW(f->needs, f->needs_capacity, count);
    for (size_t i = 0; i < count; i++) f->needs[i] = needs_field(f, goals, &walkers[i]);
    ready(f, false, goals, walkers, count);
    ready(f, true, goals, walkers, count);
    f->round++;
    /* Again, until every target of a tile has a field that knows it. */
    bool made;
    do {
        for (size_t i = 0; i < count; i++) {
            bool own = is_own(goals[walkers[i].goal].def.kind);
            if (f->needs[i]) throng_shelf_ask(own ? &f->targets : &f->goals, &walkers[i], f->round);
        }
        made = throng_shelf_make(&f->goals, goals, f->crew);
        made = throng_shelf_make(&f->targets, goals, f->crew) || made;
    } while (made);
    for (size_t i = 0; i < count; i++) {
        if (f->needs[i] && !can_reach(f, goals, &walkers[i])) return i;
    }
    return SIZE_MAX;
}

/* --- way */

/* The straight way, but not into walls. */
static throng_way straight_along_walls(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    throng_way way = throng_straight_way(goals, walker);
    way.direction = throng_avoid_walls(f->walls, walker->at, walker->radius, way.direction);
    return way;
}

/* For those no way leads from: straight, or out of the wall they are in. Where there is no field at
 * all, asking for one may help. */
static throng_way lost(const flow *f, const throng_goal_entry *goals, const throng_walker *walker,
                       const throng_slot *slot) {
    throng_way way = straight_along_walls(f, goals, walker);
    way.unknown = !slot;
    throng_point out = throng_way_out(f->walls, walker->at);
    if (out.x != 0 || out.y != 0) way.direction = out;
    return way;
}

/* A step of a path that is walked backwards: the point of it farthest back that a walker can see, if
 * it can see the step's end. */
static bool see_step(const flow *f, const throng_goal_entry *goals, const throng_walker *walker, throng_point from,
                     throng_point to, throng_walker *towards) {
    *towards = *walker;
    towards->target = to;
    if (!is_clear(f, goals, towards)) return false;
    for (double part = 0.25; part < 1; part += 0.25) {
        towards->target = (throng_point){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
        if (is_clear(f, goals, towards)) return true;
    }
    towards->target = to;
    return true;
}

/* The way to a target of one's own that is out of sight. A tile's field leads to another target close
 * by; from the own one a path leads there too, and as soon as some of it is in sight, one takes it
 * backwards. */
static throng_way way_to_own(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    const double look_around = 5; /* m */
    const throng_slot *slot = throng_shelf_find(&f->targets, walker);
    const throng_ground *ground = &f->targets.ground;
    throng_way shared, path;
    if (!slot || !throng_field_follow(&slot->field, ground, goals, walker, &shared)) {
        return lost(f, goals, walker, slot);
    }

    shared.distance = fmax(shared.distance, throng_straight_way(goals, walker).distance);
    double step = 2 * ground->lattice->cell, walked = 0;
    throng_walker back = *walker, towards;
    back.at = walker->target;
    while (throng_field_follow(&slot->field, ground, goals, &back, &path) && path.distance > step) {
        if (shared.distance > path.distance + walked + look_around) break;
        throng_point before = back.at;
        back.at = (throng_point){before.x + step * path.direction.x, before.y + step * path.direction.y};
        walked += step;
        if (!see_step(f, goals, walker, before, back.at, &towards)) continue;
        throng_way way = straight_along_walls(f, goals, &towards);
        way.distance += walked;
        return way;
    }
    return shared;
}

static throng_way way(const void *state, const throng_goal_entry *goals, const throng_walker *walker) {
    const flow *f = state;
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (kind == THRONG_GOAL_DIRECTION || f->walls->count == 0) return throng_straight_way(goals, walker);
    if (is_own(kind)) {
        if (is_clear(f, goals, walker)) return straight_along_walls(f, goals, walker);
        return way_to_own(f, goals, walker);
    }
    const throng_slot *slot = throng_shelf_find(&f->goals, walker);
    throng_way found;
    if (slot && throng_field_follow(&slot->field, &f->goals.ground, goals, walker, &found)) return found;
    return lost(f, goals, walker, slot);
}

const throng_planner throng_flow_field = {
    .name = "flow-field", .create = create, .destroy = destroy, .prepare = prepare, .way = way};
