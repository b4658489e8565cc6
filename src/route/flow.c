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
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/wide.h"
#include "route/ahead.h"
#include "route/crowding.h"
#include "route/planner.h"
#include "route/shelf.h"
#include "space/walls.h"

static const double nodes_usual = 6e5;      /* of a field for a goal: 8 MB */
static const double nodes_tiled = 6e4;      /* of a field for a tile, of which there are many */
static const double memory_usual = 256e6;   /* bytes */
static const double memory_for_tiles = 0.4; /* of all */
static const double memory_at_first = 3;    /* times all, of the fields of all goals that people begin to walk to */

typedef struct flow {
    throng_crew *crew;
    const throng_walls *walls;
    throng_shelf goals, targets;
    double memory; /* bytes of fields */
    throng_crowding crowding;
    throng_ahead ahead;             /* who goes to which of several goals */
    uint64_t round;                 /* of asking for fields: two a step, that of everybody and that of newcomers */
    uint64_t round_of_step;         /* when everybody was last asked for */
    const throng_goal_entry *table; /* the goals, during an update */
    uint64_t step;
    double dt;
    bool walls_changed; /* since the ground was laid */
    uint8_t *needs;     /* [walker] in a prepare: needs a field */
    size_t needs_capacity;
} flow;

static void *create(const throng_route_def *def) {
    flow *f = throng_allocate(sizeof *f);
    double memory = def->memory > 0 ? def->memory : memory_usual;
    f->crew = def->crew;
    f->walls = def->walls;
    f->memory = memory;
    f->crowding.weight = def->congestion;
    throng_ground ground = {.walls = def->walls,
                            .cell_wanted = def->cell,
                            .zones = def->zones,
                            .crowding = def->congestion > 0 ? &f->crowding : NULL};
    f->goals.ground = f->targets.ground = ground;
    f->goals.ground.nodes_wanted = nodes_usual;
    f->targets.ground.nodes_wanted = nodes_tiled;
    f->targets.tiled = true;
    f->targets.memory = memory_for_tiles * memory;
    f->goals.memory = memory - f->targets.memory;
    return f;
}

static void destroy(void *state) {
    flow *f = state;
    throng_shelf_clear(&f->goals);
    throng_shelf_clear(&f->targets);
    throng_crowding_clear(&f->crowding);
    throng_ahead_clear(&f->ahead);
    THRONG_RELEASE(f->needs, f);
}

static bool is_clear(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    return throng_straight_is_clear(f->walls, f->targets.ground.lattice, goals, walker);
}

/* --- prepare */

static bool needs_field(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (walker->goal == 0 || f->walls->count == 0 || kind == THRONG_GOAL_DIRECTION) return false;
    return !throng_goal_is_own(kind) || !is_clear(f, goals, walker);
}

/* Makes the ground of a shelf serve those who need fields from it. */
static void ready(flow *f, bool own, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        if (!f->needs[i] || throng_goal_is_own(goals[walkers[i].goal].def.kind) != own) continue;
        low = fmin(low, walkers[i].radius);
        high = fmax(high, walkers[i].radius);
    }
    if (low <= high) throng_shelf_ready(own ? &f->targets : &f->goals, low, high, f->round_of_step);
}

/* A crowd in front of one goal may make another one of several the quicker one, so that each of them
 * needs a field of its own. */
static bool chooses(const flow *f, const throng_goal_entry *goals, throng_goal goal) {
    return f->crowding.weight > 0 && goals[goal].def.kind == THRONG_GOAL_ANY;
}

static void ask_for_goal(flow *f, const throng_goal_entry *goals, throng_goal goal, double radius) {
    throng_point nowhere = {0, 0};
    if (!chooses(f, goals, goal)) {
        throng_shelf_ask(&f->goals, goal, nowhere, radius, f->round);
        return;
    }
    const throng_goal_def *def = &goals[goal].def;
    for (size_t i = 0; i < def->any_count; i++) {
        throng_shelf_ask(&f->goals, def->any[i], nowhere, radius, f->round);
        throng_ahead_ready(&f->ahead, def->any[i] + 1);
    }
}

static void ask(flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    if (throng_goal_is_own(goals[walker->goal].def.kind))
        throng_shelf_ask(&f->targets, walker->goal, walker->target, walker->radius, f->round);
    else
        ask_for_goal(f, goals, walker->goal, walker->radius);
}

/* Walls that have changed since the ground was laid. */
static void follow_changes(flow *f, uint64_t round) {
    if (!f->walls_changed) return;
    throng_shelf_walls(&f->goals, f->walls, round);
    throng_shelf_walls(&f->targets, f->walls, round);
    f->walls_changed = false;
}

static throng_slot *slot_of(const flow *f, const throng_goal_entry *goals, const throng_walker *walker);

/* Whether a way leads from a walker, or from just beside the wall it stands in, to its goal. */
static bool can_reach(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    bool own = throng_goal_is_own(goals[walker->goal].def.kind);
    if (own && !throng_walls_inside(f->walls, walker->target.x, walker->target.y)) return false;
    const throng_shelf *shelf = own ? &f->targets : &f->goals;
    throng_walker asking = *walker;
    asking.trail = NULL;
    const throng_slot *slot = slot_of(f, goals, &asking);
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

static int by_number(const void *a, const void *b) {
    throng_goal left = *(const throng_goal *)a, right = *(const throng_goal *)b;
    return (left > right) - (left < right);
}

/* Where people walk to very many goals, each gets so much coarser a field. */
static void share_nodes(flow *f, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    throng_goal *wanted = throng_allocate(count * sizeof *wanted);
    size_t wanted_count = 0, different = 1;
    for (size_t i = 0; i < count; i++) {
        if (f->needs[i] && !throng_goal_is_own(goals[walkers[i].goal].def.kind))
            wanted[wanted_count++] = walkers[i].goal;
    }
    if (wanted_count > 1) qsort(wanted, wanted_count, sizeof *wanted, by_number);
    for (size_t i = 1; i < wanted_count; i++) different += wanted[i] != wanted[i - 1];
    double most = memory_at_first * f->memory / (double)throng_field_bytes(1);
    f->goals.ground.nodes_limit = fmin(fmax(most / (double)different, THRONG_NODES_LEAST), THRONG_NODES_MOST);
    throng_release(wanted);
}

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    flow *f = state;
    follow_changes(f, f->round_of_step);
    THRONG_GROW(f->needs, f->needs_capacity, count);
    for (size_t i = 0; i < count; i++) f->needs[i] = needs_field(f, goals, &walkers[i]);
    if (!f->goals.ground.lattice) share_nodes(f, goals, walkers, count);
    ready(f, false, goals, walkers, count);
    ready(f, true, goals, walkers, count);
    throng_shelf_check_members(&f->goals, goals);
    f->round = f->round_of_step + 1;
    /* Again, until every target of a tile has a field that knows it. */
    bool made;
    do {
        for (size_t i = 0; i < count; i++) {
            if (f->needs[i]) ask(f, goals, &walkers[i]);
        }
        made = throng_shelf_make(&f->goals, goals, f->crew);
        made = throng_shelf_make(&f->targets, goals, f->crew) || made;
    } while (made);
    for (size_t i = 0; i < count; i++) {
        if (f->needs[i] && !can_reach(f, goals, &walkers[i])) return i;
    }
    return SIZE_MAX;
}

/* --- update */

/* Who goes where: few kinds of people in most crowds, in any order. Remembers the last ones of each goal. */
enum { KINDS = 64 };
typedef struct kinds {
    throng_goal goal[KINDS];
    double radius[KINDS];
    const throng_slot *slot[KINDS];
} kinds;

/* Where such people are remembered; `known` tells whether they are. */
static inline size_t kind_of(kinds *k, throng_goal goal, double radius, bool *known) {
    size_t at = goal % KINDS;
    *known = k->goal[at] == goal && k->radius[at] == radius;
    k->goal[at] = goal;
    k->radius[at] = radius;
    return at;
}

/* Sees to it that everybody who goes to a goal has a field, whatever was given up meanwhile. */
static void ask_for_all(flow *f, const throng_goal_entry *goals, const throng_route_crowd *crowd) {
    double low = INFINITY, high = 0;
    for (int pass = 0; pass < 2; pass++) {
        kinds seen = {0};
        for (size_t i = 0; i < crowd->people.count; i++) {
            throng_goal goal = crowd->people.goal[i];
            double radius = crowd->people.radius[i];
            bool known;
            kind_of(&seen, goal, radius, &known);
            if (known) continue;
            throng_goal_kind kind = goals[goal].def.kind;
            if (goal == 0 || kind == THRONG_GOAL_DIRECTION || throng_goal_is_own(kind)) continue;
            if (pass == 1) ask_for_goal(f, goals, goal, radius);
            low = fmin(low, radius);
            high = fmax(high, radius);
        }
        if (low > high) return;
        if (pass == 0) throng_shelf_ready(&f->goals, low, high, f->round_of_step);
    }
}

/* Fields of tiles that somebody went by in the last step. */
static void note_used(flow *f) {
    for (size_t i = 0; i < f->targets.count; i++) {
        throng_slot *slot = &f->targets.slots[i];
        if (atomic_load_explicit(&slot->used, memory_order_relaxed)) slot->asked = f->round;
        atomic_store_explicit(&slot->used, false, memory_order_relaxed);
    }
}

static throng_point way_of(const void *context, const throng_route_crowd *crowd, size_t row);
static const throng_slot *chosen_by(const flow *f, const throng_route_crowd *crowd, size_t row, throng_goal *goal);

/* Notes who is on the way to which of several goals, how far away, and how they get on. */
static void look_ahead(flow *f, const throng_route_crowd *crowd) {
    const throng_ground *ground = &f->goals.ground;
    throng_ahead_begin(&f->ahead);
    for (size_t i = 0; i < crowd->people.count; i++) {
        throng_goal goal;
        if (crowd->people.state[i] != THRONG_WALKING || f->table[crowd->people.goal[i]].def.kind != THRONG_GOAL_ANY)
            continue;
        const throng_slot *slot = chosen_by(f, crowd, i, &goal);
        if (!slot || goal >= f->ahead.count) continue;
        if (!f->ahead.lines[goal].measured) throng_ahead_measure(&f->ahead, goal, &slot->field, ground);
        double length =
            throng_field_length(&slot->field, ground, (throng_point){crowd->people.x[i], crowd->people.y[i]});
        throng_point way = way_of(f, crowd, i);
        double made = fmax(crowd->people.vx[i] * way.x + crowd->people.vy[i] * way.y, 0);
        if (length < INFINITY)
            throng_ahead_add(&f->ahead, goal, length, made, crowd->people.desired_speed[i], crowd->people.radius[i]);
    }
    throng_ahead_end(&f->ahead);
}

/* The crowd as it is now, from time to time. */
static void look_at_crowd(flow *f, const throng_route_crowd *crowd) {
    const throng_shelf *shelf = f->goals.ground.lattice ? &f->goals : &f->targets;
    if (f->crowding.weight == 0 || !shelf->ground.lattice || !throng_crowding_is_due(crowd)) return;
    if (f->ahead.count > 0 && f->goals.ground.lattice) look_ahead(f, crowd);
    if (!throng_crowding_look(&f->crowding, shelf->ground.box, crowd, way_of, f)) return;
    throng_shelf_slow_down(&f->goals, f->round);
    throng_shelf_slow_down(&f->targets, f->round);
}

static void update(void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd) {
    flow *f = state;
    f->table = goals;
    f->step = crowd->people.step;
    f->dt = crowd->dt;
    if (f->walls->count == 0) return;
    f->round = f->round_of_step + 2;
    note_used(f);
    ask_for_all(f, goals, crowd);
    f->round_of_step = f->round;
    follow_changes(f, f->round);
    throng_shelf_check_members(&f->goals, goals);
    throng_shelf_make(&f->goals, goals, f->crew);
    look_at_crowd(f, crowd);
    throng_shelf_make(&f->goals, goals, f->crew);
    throng_shelf_make(&f->targets, goals, f->crew);
}

static void change(void *state, const throng_place *place, const throng_walls *walls, throng_box where) {
    (void)place;
    flow *f = state;
    f->walls = walls;
    if (!(where.low.x <= where.high.x && where.low.y <= where.high.y)) return;
    f->walls_changed = true;
    throng_ahead_forget_widths(&f->ahead);
}

static void archive(void *state, const throng_goal_entry *goals, throng_archive *archive) {
    flow *f = state;
    throng_archive_mark(archive, "flow");
    THRONG_ARCHIVE(archive, f->round_of_step);
    if (archive->reading) f->round = f->round_of_step;
    throng_crowding_archive(&f->crowding, archive);
    throng_ahead_archive(&f->ahead, archive);
    throng_shelf_archive(&f->goals, archive);
    throng_shelf_archive(&f->targets, archive);
    if (!archive->reading || archive->bad) return;
    f->walls_changed = false;
    throng_shelf_make(&f->targets, goals, f->crew);
}

/* --- choosing among several goals */

/* How often somebody has changed its mind, in a place of the trail that fields have no other use for. */
static double changes_of(const throng_trail *trail) { return trail->next.x; }

/* Where one of several goals leads somebody: how long it takes, in s, and how far it is, in m; infinite
 * when it is closed or no way leads there. */
typedef struct prospect {
    double time, length;
} prospect;

static prospect look_at(const flow *f, const throng_goal_entry *goals, const throng_walker *walker, size_t member) {
    const double speed_usual = 1.34; /* m/s */
    const throng_goal_def *def = &goals[walker->goal].def;
    const throng_slot *slot = throng_shelf_find(&f->goals, def->any[member], walker->target, walker->radius);
    if (!slot || throng_goal_is_shut(goals, def, member)) return (prospect){INFINITY, INFINITY};
    double length = throng_field_length(&slot->field, &f->goals.ground, walker->at);
    double speed = walker->speed > 0 ? walker->speed : speed_usual, free = length / speed;
    double time = throng_ahead_time(&f->ahead, def->any[member], length, speed);
    return (prospect){free < INFINITY ? free + f->crowding.weight * (time - free) : INFINITY, length};
}

/* The quickest of several goals. Who has chosen before changes its mind only for what is somewhat
 * quicker, and goes farther only for what is much quicker; the more so, the more often it has changed its
 * mind already. */
static size_t quickest(const flow *f, const throng_goal_entry *goals, const throng_walker *walker, size_t before) {
    const double somewhat = 0.1, much = 0.2, saved_least = 2, saved_much = 5; /* s */
    const throng_goal_def *def = &goals[walker->goal].def;
    size_t best = 0;
    prospect old = {INFINITY, INFINITY};
    if (before < def->any_count) old = look_at(f, goals, walker, best = before);
    double least = old.time, often = walker->trail ? 1 + changes_of(walker->trail) : 1;
    for (size_t i = 0; i < def->any_count; i++) {
        if (i == before) continue;
        prospect p = look_at(f, goals, walker, i);
        if (before < def->any_count)
            p.time += often * often *
                      (p.length > old.length ? fmax(p.time * much, saved_much) : fmax(p.time * somewhat, saved_least));
        if (p.time < least) best = i, least = p.time;
    }
    return best;
}

static uint64_t bits_of(throng_point at) {
    uint64_t bits[2];
    memcpy(bits, &at, sizeof bits);
    return bits[0] ^ (bits[1] << 1 | bits[1] >> 63);
}

/* A choice holds for a while; some think again sooner than others, so that not all run at once. */
static size_t choose(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    const double hold_s = 5; /* s, about */
    const throng_goal_def *def = &goals[walker->goal].def;
    throng_trail *trail = walker->trail;
    size_t before = trail && trail->corner > 0 && trail->corner <= def->any_count ? trail->corner - 1 : SIZE_MAX;
    bool holds = before < SIZE_MAX && !throng_goal_is_shut(goals, def, before);
    if (holds && (double)(f->step + 1) < trail->planned + trail->beyond / f->dt) return before;
    size_t best = quickest(f, goals, walker, before);
    if (trail) {
        if (before < SIZE_MAX && best != before) trail->next.x += 1;
        trail->corner = (uint32_t)best + 1;
        trail->planned = (uint32_t)(f->step + 1);
        trail->beyond = hold_s * (0.5 + throng_random(f->step, trail->corner, bits_of(walker->at), 0));
    }
    return best;
}

static throng_slot *slot_of(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_goal_def *def = &goals[walker->goal].def;
    if (throng_goal_is_own(def->kind)) return throng_shelf_find(&f->targets, 0, walker->target, walker->radius);
    throng_goal goal = walker->goal;
    if (chooses(f, goals, goal)) goal = def->any[choose(f, goals, walker)];
    return throng_shelf_find(&f->goals, goal, walker->target, walker->radius);
}

/* The field somebody goes by, and where it leads: of several goals to the one it has chosen. */
static const throng_slot *chosen_by(const flow *f, const throng_route_crowd *crowd, size_t row, throng_goal *goal) {
    const throng_goal_def *def = &f->table[crowd->people.goal[row]].def;
    const throng_trail *trail = crowd->trail ? &crowd->trail[row] : NULL;
    *goal = crowd->people.goal[row];
    if (def->kind == THRONG_GOAL_ANY && trail && trail->corner > 0 && trail->corner <= def->any_count)
        *goal = def->any[trail->corner - 1];
    return throng_shelf_find(&f->goals, *goal, (throng_point){crowd->people.x[row], crowd->people.y[row]},
                             crowd->people.radius[row]);
}

/* The way somebody goes along its field; zero on a way of its own. */
static throng_point way_of(const void *context, const throng_route_crowd *crowd, size_t row) {
    const flow *f = context;
    throng_goal goal;
    double u, v;
    size_t node;
    const throng_slot *slot = chosen_by(f, crowd, row, &goal);
    throng_point at = {crowd->people.x[row], crowd->people.y[row]};
    if (!slot || !throng_lattice_square(f->goals.ground.lattice, at, &node, &u, &v)) return (throng_point){0, 0};
    const throng_field_node *n = &slot->field.wave.nodes[node];
    return (throng_point){n->x / 127.0, n->y / 127.0};
}

/* --- way */

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
    throng_slot *slot = slot_of(f, goals, walker);
    const throng_ground *ground = &f->targets.ground;
    throng_way shared, path;
    if (!slot || !throng_field_follow(&slot->field, ground, goals, walker, &shared)) {
        return throng_way_lost(f->walls, goals, walker, !slot);
    }
    if (!atomic_load_explicit(&slot->used, memory_order_relaxed))
        atomic_store_explicit(&slot->used, true, memory_order_relaxed);

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
        throng_way way = throng_way_along_walls(f->walls, goals, &towards);
        way.distance += walked;
        return way;
    }
    return shared;
}

static throng_way way(const void *state, const throng_goal_entry *goals, const throng_walker *walker) {
    const flow *f = state;
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (kind == THRONG_GOAL_DIRECTION || f->walls->count == 0) return throng_straight_way(goals, walker);
    if (throng_goal_is_own(kind)) {
        if (is_clear(f, goals, walker)) return throng_way_along_walls(f->walls, goals, walker);
        return way_to_own(f, goals, walker);
    }
    const throng_slot *slot = slot_of(f, goals, walker);
    throng_way found;
    if (slot && throng_field_follow(&slot->field, &f->goals.ground, goals, walker, &found)) return found;
    return throng_way_lost(f->walls, goals, walker, !slot);
}

/* --- the ways of many */

/* The field that somebody who walks goes by, unless that takes a closer look. */
static const throng_slot *field_of(const flow *f, const throng_goal_entry *goals, const throng_route_crowd *crowd,
                                   size_t row, kinds *seen) {
    bool known;
    throng_goal goal = crowd->people.goal[row];
    if (crowd->people.state[row] != THRONG_WALKING || goal == 0) return NULL;
    size_t at = kind_of(seen, goal, crowd->people.radius[row], &known);
    if (known) return seen->slot[at];
    throng_goal_kind kind = goals[goal].def.kind;
    bool leads = kind != THRONG_GOAL_DIRECTION && !throng_goal_is_own(kind) && !chooses(f, goals, goal);
    throng_point nowhere = {0, 0};
    seen->slot[at] = leads ? throng_shelf_find(&f->goals, goal, nowhere, crowd->people.radius[row]) : NULL;
    return seen->slot[at];
}

/* Who of some people has a field to go by, and where in it. Their nodes are asked for before they are looked at, so
 * that memory has time to bring them. */
static void gather_led(const flow *f, const throng_goal_entry *goals, const throng_route_crowd *crowd, size_t begin,
                       size_t end, kinds *seen, throng_led *led, size_t *rows) {
    const throng_lattice *l = f->goals.ground.lattice;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        const throng_slot *slot = field_of(f, goals, crowd, i, seen);
        size_t *square = &led->square[count];
        throng_point at = {crowd->people.x[i], crowd->people.y[i]};
        if (!slot || !throng_lattice_square(l, at, square, &led->u[count], &led->v[count])) continue;
        led->node[count] = &slot->field.wave.nodes[*square];
        led->radius[count] = crowd->people.radius[i];
        __builtin_prefetch(led->node[count]);
        __builtin_prefetch(led->node[count] + l->columns);
        rows[count++] = i;
    }
    led->count = count;
    for (size_t k = count; count > 0 && k % 4 != 0; k++) {
        led->node[k] = led->node[count - 1];
        led->u[k] = led->v[k] = led->radius[k] = 0;
    }
}

/* Beside walls, too, but not where the goal is near or in sight: that is left to `way`. */
static void take_ways(const flow *f, const throng_route_crowd *crowd, const throng_led *led, const size_t *rows,
                      throng_way *ways) {
    const throng_ground *ground = &f->goals.ground;
    for (size_t k = 0; k < led->count; k++) {
        throng_way *way = &ways[rows[k]];
        if (led->kind[k] == THRONG_LED_ELSEWHERE) continue;
        *way = (throng_way){.direction = {led->x[k], led->y[k]}, .distance = led->distance[k]};
        if (led->kind[k] == THRONG_LED) continue;
        throng_point at = {crowd->people.x[rows[k]], crowd->people.y[rows[k]]};
        way->direction = throng_field_avoid(ground, led->square[k], at, led->radius[k], way->direction);
    }
}

static void lead(const void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd, size_t begin,
                 size_t end, throng_way *ways) {
    const flow *f = state;
    throng_lead lead_some = crowd->simd && throng_wide_supported() ? throng_lead_avx2 : throng_lead_plain;
    for (size_t i = begin; i < end; i++) ways[i - begin].distance = -1;
    if (f->walls->count == 0 || crowd->wraps || !f->goals.ground.lattice) return;
    kinds seen = {0};
    for (size_t i = begin; i < end; i += THRONG_LED_TOGETHER) {
        size_t rows[THRONG_LED_TOGETHER];
        throng_led led;
        gather_led(f, goals, crowd, i, end - i < THRONG_LED_TOGETHER ? end : i + THRONG_LED_TOGETHER, &seen, &led,
                   rows);
        lead_some(&f->goals.ground, &led);
        take_ways(f, crowd, &led, rows, ways - begin);
    }
}

static throng_ground *ground(void *state) {
    flow *f = state;
    return f->goals.ground.lattice ? &f->goals.ground : f->targets.ground.lattice ? &f->targets.ground : NULL;
}

const throng_planner throng_flow_field = {.name = "flow-field",
                                          .create = create,
                                          .destroy = destroy,
                                          .prepare = prepare,
                                          .way = way,
                                          .lead = lead,
                                          .update = update,
                                          .change = change,
                                          .archive = archive,
                                          .ground = ground};
