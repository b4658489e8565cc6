/* flow.c: the planner of flow fields. Everybody of about the same size who goes to the same goal
 * shares one field.
 *
 * Two people are of the same size here when they fit through the same gaps of the place: the size of
 * a body is the number of gaps too narrow for it. So whoever is led anywhere fits through on the way,
 * and who cannot get to a goal because the only way is too narrow is told so. (Where that made more
 * than SIZES_MOST sizes for one goal, a larger body shares the field of the next smaller one.)
 *
 * Targets of one's own (THRONG_GOAL_OWN, THRONG_GOAL_ROAM) are walked to straight whenever nothing is
 * in the way. For the others there is a limited number of fields: the targets in a tile of the place
 * share the field of one of them from which they are in sight, and the field that was asked for
 * longest ago makes room for a new one. */

#include <math.h>
#include <string.h>

#include "route/avoid.h"
#include "route/field.h"
#include "route/planner.h"
#include "space/walls.h"
#include "world/memory.h"

static const double nodes_usual = 6e5; /* of a field for a goal: 5 MB */
static const double nodes_own = 6e4;   /* of a field for targets of one's own, of which there are many */
static const double own_bytes = 128e6; /* of all of those together */
static const double tile_least = 2;    /* m */
enum { OWN_LEAST = 8, OWN_MOST = 128, SIZES_MOST = 8 };

typedef struct slot {
    throng_field field;
    uint32_t next;  /* 1 + the next slot of its goal or tile; 0: the last */
    uint64_t asked; /* the last prepare that needed it */
    bool stale;     /* to be made */
} slot;

/* Fields on one ground. */
typedef struct shelf {
    throng_ground ground;
    slot *items;
    size_t count, capacity;
    uint32_t *first; /* [goal or tile] 1 + its first slot; 0: none */
    size_t first_count;
} shelf;

typedef struct flow {
    throng_crew *crew;
    const throng_walls *walls;
    shelf goals; /* one field per goal and size */
    shelf own;   /* a limited number of fields for targets of one's own */
    double tile; /* m */
    int32_t tile_columns, tile_rows;
    uint64_t prepares;
} flow;

static bool is_own(throng_goal_kind kind) { return kind == THRONG_GOAL_OWN || kind == THRONG_GOAL_ROAM; }

/* --- the ground */

static void empty(shelf *s) {
    for (size_t i = 0; i < s->count; i++) throng_release(s->items[i].field.nodes);
    s->count = 0;
    if (s->first_count > 0) memset(s->first, 0, s->first_count * sizeof *s->first);
}

static throng_node *new_nodes(const shelf *s) {
    return throng_allocate(s->ground.lattice->count * sizeof(throng_node));
}

static void lay_tiles(flow *f) {
    shelf *s = &f->own;
    throng_box box = s->ground.box;
    double fields = own_bytes / (double)(s->ground.lattice->count * sizeof(throng_node));
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    empty(s);
    s->capacity = (size_t)fmin(fmax(fields, OWN_LEAST), OWN_MOST);
    s->items = throng_reallocate(s->items, s->capacity * sizeof *s->items);
    f->tile = fmax(sqrt(2 * width * height / (double)s->capacity), tile_least);
    f->tile_columns = (int32_t)(width / f->tile) + 1;
    f->tile_rows = (int32_t)(height / f->tile) + 1;
    s->first_count = (size_t)f->tile_columns * (size_t)f->tile_rows;
    s->first = throng_reallocate(s->first, s->first_count * sizeof *s->first);
    memset(s->first, 0, s->first_count * sizeof *s->first);
}

/* The radii of some people, m. */
typedef struct range {
    double low, high;
} range;

/* Makes a ground serve people; true when it had to be laid anew and its fields are out of date. */
static bool lay_for(throng_ground *ground, range radii) {
    if (throng_ground_serves(ground, radii.low) && throng_ground_serves(ground, radii.high)) return false;
    /* Some spare, so that slightly larger people do not lead to all of it again. */
    if (radii.high > ground->radius_high) radii.high *= 1.1;
    if (ground->lattice) radii.low = fmin(radii.low, ground->radius_low);
    throng_ground_lay(ground, radii.low, fmax(radii.high, ground->radius_high));
    return true;
}

static void ready_for_goals(flow *f, range radii) {
    shelf *s = &f->goals;
    if (!lay_for(&s->ground, radii)) return;
    for (size_t i = 0; i < s->count; i++) {
        throng_release(s->items[i].field.nodes);
        s->items[i].field.nodes = new_nodes(s);
        s->items[i].stale = true;
    }
}

/* Fields for targets of one's own are made again only when they are needed again. */
static void ready_for_own(flow *f, range radii) {
    if (lay_for(&f->own.ground, radii)) lay_tiles(f);
}

/* --- which field */

static size_t tile_of(const flow *f, throng_point at) {
    double c = (at.x - f->own.ground.box.low.x) / f->tile, r = (at.y - f->own.ground.box.low.y) / f->tile;
    int32_t column = c > 0 ? c < f->tile_columns ? (int32_t)c : f->tile_columns - 1 : 0;
    int32_t row = r > 0 ? r < f->tile_rows ? (int32_t)r : f->tile_rows - 1 : 0;
    return (size_t)row * (size_t)f->tile_columns + (size_t)column;
}

/* The field of a goal for bodies of a size or, for want of it, of the next smaller one that has a field. */
static slot *find_for_goal(const flow *f, throng_goal goal, size_t size) {
    slot *best = NULL, *least = NULL;
    if (goal >= f->goals.first_count) return NULL;
    for (uint32_t i = f->goals.first[goal]; i; i = f->goals.items[i - 1].next) {
        slot *s = &f->goals.items[i - 1];
        size_t closed = s->field.def.gap_count;
        if (closed <= size && (!best || closed > best->field.def.gap_count)) best = s;
        if (!least || closed < least->field.def.gap_count) least = s;
    }
    return best ? best : least;
}

/* A field of the target's tile that leads to and from it. */
static slot *find_for_target(const flow *f, throng_point target, size_t size) {
    for (uint32_t i = f->own.first[tile_of(f, target)]; i; i = f->own.items[i - 1].next) {
        slot *s = &f->own.items[i - 1];
        throng_point to = s->field.def.target;
        if (s->field.def.gap_count != size) continue;
        if (to.x == target.x && to.y == target.y) return s;
        if (!s->stale && throng_field_knows(&s->field, f->own.ground.lattice, target)) return s;
    }
    return NULL;
}

/* The field a walker follows, and the ground it is on. */
static slot *find(const flow *f, const throng_goal_entry *goals, const throng_walker *walker,
                  const throng_ground **ground) {
    bool own = is_own(goals[walker->goal].def.kind);
    *ground = own ? &f->own.ground : &f->goals.ground;
    if (!(*ground)->lattice) return NULL;
    size_t size = throng_ground_size(*ground, walker->radius);
    return own ? find_for_target(f, walker->target, size) : find_for_goal(f, walker->goal, size);
}

static void file(shelf *s, size_t place, slot *item) {
    item->next = s->first[place];
    s->first[place] = (uint32_t)(item - s->items) + 1;
}

static size_t sizes_of(const flow *f, throng_goal goal) {
    size_t count = 0;
    for (uint32_t i = f->goals.first[goal]; i; i = f->goals.items[i - 1].next) count++;
    return count;
}

static slot *add_for_goal(flow *f, throng_field_def def) {
    shelf *s = &f->goals;
    size_t before = s->first_count;
    if (def.goal >= before) {
        s->first_count = def.goal + 1 > 2 * before ? def.goal + 1 : 2 * before;
        s->first = throng_reallocate(s->first, s->first_count * sizeof *s->first);
        memset(s->first + before, 0, (s->first_count - before) * sizeof *s->first);
    }
    if (sizes_of(f, def.goal) == SIZES_MOST) return find_for_goal(f, def.goal, def.gap_count);
    THRONG_GROW(s->items, s->capacity, s->count + 1);
    slot *item = &s->items[s->count++];
    *item = (slot){.field = {.def = def}};
    item->field.nodes = new_nodes(s);
    file(s, def.goal, item);
    return item;
}

/* A slot for a target of one's own, or NULL when all are needed at this moment. */
static slot *add_for_target(flow *f, throng_field_def def) {
    shelf *s = &f->own;
    slot *item = NULL;
    if (s->count < s->capacity) {
        item = &s->items[s->count++];
        *item = (slot){.field.nodes = new_nodes(s)};
    } else {
        for (size_t i = 0; i < s->count; i++) {
            if (s->items[i].asked < f->prepares && (!item || s->items[i].asked < item->asked)) item = &s->items[i];
        }
        if (!item) return NULL;
    }
    item->field.def = def;
    memset(s->first, 0, s->first_count * sizeof *s->first);
    for (size_t i = 0; i < s->count; i++) file(s, tile_of(f, s->items[i].field.def.target), &s->items[i]);
    return item;
}

/* Whether a field is about to be made that may do for a target as well. */
static bool is_coming(const flow *f, throng_point target, size_t size) {
    for (uint32_t i = f->own.first[tile_of(f, target)]; i; i = f->own.items[i - 1].next) {
        const slot *s = &f->own.items[i - 1];
        if (s->stale && s->field.def.gap_count == size) return true;
    }
    return false;
}

/* Sees to it that there is a field for a walker, to be made if it is new. */
static void ask_for(flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    bool own = is_own(goals[walker->goal].def.kind);
    const throng_ground *ground;
    slot *s = find(f, goals, walker, &ground);
    size_t size = throng_ground_size(ground, walker->radius);
    throng_field_def def = {walker->goal, walker->target, walker->radius, size};
    if (!s || (!own && s->field.def.gap_count != size)) {
        if (own && is_coming(f, walker->target, size)) return;
        s = own ? add_for_target(f, def) : add_for_goal(f, def);
        if (!s) return;
        if (own || s->asked == 0) s->stale = true;
    }
    s->asked = f->prepares;
    if (walker->radius <= s->field.def.radius) return;
    s->field.def.radius = walker->radius;
    s->stale = true;
}

/* --- making fields */

typedef struct work {
    const throng_ground *ground;
    const throng_goal_entry *goals;
    slot **jobs;
    size_t job_count, lanes;
    throng_field_maker *makers; /* [lane] */
} work;

static void make_lane(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    for (size_t lane = begin; lane < end; lane++) {
        for (size_t j = lane; j < w->job_count; j += w->lanes) {
            throng_field_make(&w->makers[lane], w->ground, w->goals, &w->jobs[j]->field);
            w->jobs[j]->stale = false;
        }
    }
}

static size_t find_stale(shelf *s, slot **jobs) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].stale) jobs[count++] = &s->items[i];
    }
    return count;
}

/* Makes the fields that are new or out of date. Returns whether there were any. */
static bool make_stale(flow *f, shelf *s, const throng_goal_entry *goals) {
    work w = {.ground = &s->ground, .goals = goals, .jobs = throng_allocate((s->count + 1) * sizeof(slot *))};
    w.job_count = find_stale(s, w.jobs);
    if (w.job_count > 0) {
        size_t crew = (size_t)throng_crew_size(f->crew);
        w.lanes = w.job_count < crew ? w.job_count : crew;
        w.makers = throng_allocate(w.lanes * sizeof *w.makers);
        for (size_t i = 0; i < w.lanes; i++) throng_field_maker_create(&w.makers[i], s->ground.lattice);
        throng_parallel_for(f->crew, w.lanes, 1, make_lane, &w);
        for (size_t i = 0; i < w.lanes; i++) throng_field_maker_destroy(&w.makers[i]);
        throng_release(w.makers);
    }
    throng_release(w.jobs);
    return w.job_count > 0;
}

/* --- the planner */

static void *create(const throng_route_def *def) {
    flow *f = throng_allocate(sizeof *f);
    f->crew = def->crew;
    f->walls = def->walls;
    f->goals.ground = (throng_ground){.walls = def->walls, .cell_wanted = def->cell, .nodes_wanted = nodes_usual};
    f->own.ground = (throng_ground){.walls = def->walls, .cell_wanted = def->cell, .nodes_wanted = nodes_own};
    return f;
}

static void clear(shelf *s) {
    empty(s);
    throng_release(s->items);
    throng_release(s->first);
    throng_ground_clear(&s->ground);
}

static void destroy(void *state) {
    flow *f = state;
    clear(&f->goals);
    clear(&f->own);
    throng_release(f);
}

/* Whether somebody needs a field at all. */
static bool needs_field(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    if (walker->goal == 0 || f->walls->count == 0) return false;
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (kind == THRONG_GOAL_DIRECTION) return false;
    return !is_own(kind) || !throng_straight_is_clear(f->walls, f->own.ground.lattice, goals, walker);
}

/* Whether a way leads from a walker, or from just beside the wall it stands in, to its goal. */
static bool can_reach(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_ground *ground;
    const slot *s = find(f, goals, walker, &ground);
    throng_way way;
    if (!s || throng_field_follow(&s->field, ground, goals, walker, &way)) return true;
    throng_walker beside = *walker;
    throng_point out = throng_way_out(f->walls, walker->at);
    if (out.x == 0 && out.y == 0) return false;
    double depth = throng_walls_depth(f->walls, walker->at.x, walker->at.y, 1e6);
    beside.at.x += out.x * (0.01 - depth);
    beside.at.y += out.y * (0.01 - depth);
    return throng_field_follow(&s->field, ground, goals, &beside, &way);
}

/* Lays the ground for those who need fields. */
static void ready_ground(flow *f, const throng_goal_entry *goals, const throng_walker *walkers, const uint8_t *needs,
                         size_t count) {
    range goers = {INFINITY, 0}, owners = {INFINITY, 0};
    for (size_t i = 0; i < count; i++) {
        if (!needs[i]) continue;
        range *r = is_own(goals[walkers[i].goal].def.kind) ? &owners : &goers;
        r->low = fmin(r->low, walkers[i].radius);
        r->high = fmax(r->high, walkers[i].radius);
    }
    if (goers.low <= goers.high) ready_for_goals(f, goers);
    if (owners.low <= owners.high) ready_for_own(f, owners);
}

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    flow *f = state;
    uint8_t *needs = throng_allocate(count);
    size_t lost = SIZE_MAX;
    f->prepares++;
    for (size_t i = 0; i < count; i++) needs[i] = needs_field(f, goals, &walkers[i]);
    ready_ground(f, goals, walkers, needs, count);
    /* Again, until every target of a tile is in sight of one that has a field. */
    bool made;
    do {
        for (size_t i = 0; i < count; i++) {
            if (needs[i]) ask_for(f, goals, &walkers[i]);
        }
        made = make_stale(f, &f->goals, goals);
        made = make_stale(f, &f->own, goals) || made;
    } while (made);
    for (size_t i = 0; i < count && lost == SIZE_MAX; i++) {
        if (needs[i] && !can_reach(f, goals, &walkers[i])) lost = i;
    }
    throng_release(needs);
    return lost;
}

/* The straight way, but not into walls. */
static throng_way straight_along_walls(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    throng_way way = throng_straight_way(goals, walker);
    way.direction = throng_avoid_walls(f->walls, walker->at, walker->radius, way.direction);
    return way;
}

static bool is_clear_to(const flow *f, const throng_goal_entry *goals, const throng_walker *walker,
                        throng_point point) {
    throng_walker towards = *walker;
    towards.target = point;
    return throng_straight_is_clear(f->walls, f->own.ground.lattice, goals, &towards);
}

/* The way to a target of one's own that is out of sight. Its field leads to another target close by;
 * from the own one a path leads there too, and as soon as some of it is in sight, one takes it
 * backwards. */
static throng_way way_to_own(const flow *f, const slot *s, const throng_goal_entry *goals, const throng_walker *walker,
                             throng_way shared) {
    const double look_around = 5; /* m */
    const throng_ground *ground = &f->own.ground;
    double step = 2 * ground->lattice->cell, walked = 0;
    throng_walker back = *walker, towards = *walker;
    throng_way path;
    back.at = walker->target;
    while (throng_field_follow(&s->field, ground, goals, &back, &path) && path.distance > step) {
        if (shared.distance > path.distance + walked + look_around) break;
        throng_point before = back.at;
        back.at.x += step * path.direction.x;
        back.at.y += step * path.direction.y;
        walked += step;
        if (!is_clear_to(f, goals, walker, back.at)) continue;
        /* In sight somewhere on this step: as far back as possible. */
        for (double part = 0.25; part <= 1; part += 0.25) {
            towards.target.x = before.x + part * (back.at.x - before.x);
            towards.target.y = before.y + part * (back.at.y - before.y);
            if (part == 1 || is_clear_to(f, goals, walker, towards.target)) break;
        }
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
    if (is_own(kind) && throng_straight_is_clear(f->walls, f->own.ground.lattice, goals, walker)) {
        return straight_along_walls(f, goals, walker);
    }
    const throng_ground *ground;
    const slot *s = find(f, goals, walker, &ground);
    throng_way found;
    if (s && throng_field_follow(&s->field, ground, goals, walker, &found)) {
        return is_own(kind) ? way_to_own(f, s, goals, walker, found) : found;
    }
    throng_point out = throng_way_out(f->walls, walker->at);
    found = straight_along_walls(f, goals, walker);
    if (out.x != 0 || out.y != 0) found.direction = out;
    found.unknown = !s;
    return found;
}

const throng_planner throng_flow_field = {"flow-field", create, destroy, prepare, way};
