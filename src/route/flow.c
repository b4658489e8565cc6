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

static const double own_bytes = 64e6; /* of all fields for targets of one's own */
static const double tile_least = 2;   /* m */
enum { OWN_LEAST = 8, OWN_MOST = 256, SIZES_MOST = 8 };

typedef struct slot {
    throng_field field;
    uint32_t next;  /* 1 + the next slot of its goal or tile; 0: the last */
    uint64_t asked; /* the last prepare that needed it */
    bool stale;     /* to be made */
} slot;

typedef struct slots {
    slot *items;
    size_t count, capacity;
    uint32_t *first; /* [goal or tile] 1 + its first slot; 0: none */
    size_t first_count;
} slots;

typedef struct flow {
    throng_crew *crew;
    throng_ground ground;
    slots goals; /* one field per goal and size */
    slots own;   /* a limited number of fields for targets of one's own */
    double tile; /* m */
    int32_t tile_columns, tile_rows;
    uint64_t prepares;
} flow;

static bool is_own(throng_goal_kind kind) { return kind == THRONG_GOAL_OWN || kind == THRONG_GOAL_ROAM; }

/* --- the ground */

static void empty(slots *s) {
    for (size_t i = 0; i < s->count; i++) throng_release(s->items[i].field.nodes);
    s->count = 0;
    if (s->first_count > 0) memset(s->first, 0, s->first_count * sizeof *s->first);
}

static void lay_tiles(flow *f) {
    throng_box box = f->ground.box;
    double fields = own_bytes / (double)(f->ground.lattice->count * sizeof(throng_node));
    size_t most = (size_t)fmin(fmax(fields, OWN_LEAST), OWN_MOST);
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    f->tile = fmax(sqrt(2 * width * height / (double)most), tile_least);
    f->tile_columns = (int32_t)(width / f->tile) + 1;
    f->tile_rows = (int32_t)(height / f->tile) + 1;

    empty(&f->own);
    f->own.capacity = most;
    f->own.items = throng_reallocate(f->own.items, most * sizeof *f->own.items);
    f->own.first_count = (size_t)f->tile_columns * (size_t)f->tile_rows;
    f->own.first = throng_reallocate(f->own.first, f->own.first_count * sizeof *f->own.first);
    memset(f->own.first, 0, f->own.first_count * sizeof *f->own.first);
}

/* Lays the ground anew when somebody came who is larger or smaller than it was made for. */
static void ready_ground(flow *f, const throng_walker *walkers, size_t count) {
    throng_ground *g = &f->ground;
    double low = g->lattice ? g->radius_low : INFINITY, high = 0;
    bool serves = true;
    for (size_t i = 0; i < count; i++) {
        serves = serves && throng_ground_serves(g, walkers[i].radius);
        low = fmin(low, walkers[i].radius);
        high = fmax(high, walkers[i].radius);
    }
    if (serves) return;
    /* Some spare, so that slightly larger people do not lead to all of it again. */
    throng_ground_lay(g, low, fmax(1.1 * high, g->radius_high));
    for (size_t i = 0; i < f->goals.count; i++) {
        throng_field *field = &f->goals.items[i].field;
        throng_release(field->nodes);
        field->nodes = throng_allocate(g->lattice->count * sizeof *field->nodes);
        f->goals.items[i].stale = true;
    }
    lay_tiles(f);
}

/* --- which field */

static size_t tile_of(const flow *f, throng_point at) {
    double c = (at.x - f->ground.box.low.x) / f->tile, r = (at.y - f->ground.box.low.y) / f->tile;
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

/* A field that leads to where a target is in sight. */
static slot *find_for_target(const flow *f, throng_point target, size_t size) {
    for (uint32_t i = f->own.first[tile_of(f, target)]; i; i = f->own.items[i - 1].next) {
        slot *s = &f->own.items[i - 1];
        if (s->field.def.gap_count != size) continue;
        throng_point to = s->field.def.target;
        if ((to.x == target.x && to.y == target.y) ||
            (!s->stale && throng_field_sees(&s->field, f->ground.lattice, target)))
            return s;
    }
    return NULL;
}

static slot *find(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    if (!f->ground.lattice) return NULL;
    size_t size = throng_ground_size(&f->ground, walker->radius);
    if (is_own(goals[walker->goal].def.kind)) return find_for_target(f, walker->target, size);
    return find_for_goal(f, walker->goal, size);
}

static void file(slots *s, size_t place, slot *item) {
    item->next = s->first[place];
    s->first[place] = (uint32_t)(item - s->items) + 1;
}

static size_t sizes_of(const flow *f, throng_goal goal) {
    size_t count = 0;
    for (uint32_t i = f->goals.first[goal]; i; i = f->goals.items[i - 1].next) count++;
    return count;
}

static slot *add_for_goal(flow *f, throng_field_def def) {
    slots *s = &f->goals;
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
    item->field.nodes = throng_allocate(f->ground.lattice->count * sizeof *item->field.nodes);
    file(s, def.goal, item);
    return item;
}

/* A slot for a target of one's own, or NULL when all are needed at this moment. */
static slot *add_for_target(flow *f, throng_field_def def) {
    slots *s = &f->own;
    slot *item = NULL;
    if (s->count < s->capacity) {
        item = &s->items[s->count++];
        *item = (slot){.field.nodes = throng_allocate(f->ground.lattice->count * sizeof *item->field.nodes)};
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
    size_t size = throng_ground_size(&f->ground, walker->radius);
    throng_field_def def = {walker->goal, walker->target, walker->radius, size};
    slot *s = find(f, goals, walker);
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
    const flow *flow;
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
            throng_field_make(&w->makers[lane], &w->flow->ground, w->goals, &w->jobs[j]->field);
            w->jobs[j]->stale = false;
        }
    }
}

static size_t stale_in(slots *s, slot **jobs) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->items[i].stale) continue;
        if (jobs) jobs[count] = &s->items[i];
        count++;
    }
    return count;
}

/* Makes the fields that are new or out of date. Returns whether there were any. */
static bool make_stale(flow *f, const throng_goal_entry *goals) {
    work w = {.flow = f, .goals = goals, .job_count = stale_in(&f->goals, NULL) + stale_in(&f->own, NULL)};
    if (w.job_count == 0) return false;
    w.jobs = throng_allocate(w.job_count * sizeof(slot *));
    stale_in(&f->own, w.jobs + stale_in(&f->goals, w.jobs));
    size_t crew = (size_t)throng_crew_size(f->crew);
    w.lanes = w.job_count < crew ? w.job_count : crew;
    w.makers = throng_allocate(w.lanes * sizeof *w.makers);
    for (size_t i = 0; i < w.lanes; i++) throng_field_maker_create(&w.makers[i], f->ground.lattice);
    throng_parallel_for(f->crew, w.lanes, 1, make_lane, &w);
    for (size_t i = 0; i < w.lanes; i++) throng_field_maker_destroy(&w.makers[i]);
    throng_release(w.makers);
    throng_release(w.jobs);
    return true;
}

/* --- the planner */

static void *create(const throng_route_def *def) {
    flow *f = throng_allocate(sizeof *f);
    f->crew = def->crew;
    f->ground.walls = def->walls;
    f->ground.cell_wanted = def->cell;
    return f;
}

static void destroy(void *state) {
    flow *f = state;
    empty(&f->goals);
    empty(&f->own);
    throng_release(f->goals.items);
    throng_release(f->goals.first);
    throng_release(f->own.items);
    throng_release(f->own.first);
    throng_ground_clear(&f->ground);
    throng_release(f);
}

/* Whether somebody needs a field at all. */
static bool needs_field(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    if (walker->goal == 0 || f->ground.walls->count == 0) return false;
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (kind == THRONG_GOAL_DIRECTION) return false;
    return !is_own(kind) || !throng_straight_is_clear(f->ground.walls, goals, walker);
}

/* Whether a way leads from a walker, or from just beside the wall it stands in, to its goal. */
static bool can_reach(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    const slot *s = find(f, goals, walker);
    throng_way way;
    if (!s || throng_field_follow(&s->field, &f->ground, goals, walker, &way)) return true;
    double depth = throng_walls_depth(f->ground.walls, walker->at.x, walker->at.y, 1e6);
    if (depth > 0) return false;
    throng_walker beside = *walker;
    throng_point out = throng_way_out(f->ground.walls, walker->at);
    beside.at.x += out.x * (0.01 - depth);
    beside.at.y += out.y * (0.01 - depth);
    return throng_field_follow(&s->field, &f->ground, goals, &beside, &way);
}

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    flow *f = state;
    f->prepares++;
    if (f->ground.walls->count == 0) return SIZE_MAX;
    ready_ground(f, walkers, count);
    /* Again, until every target of a tile is in sight of one that has a field. */
    do {
        for (size_t i = 0; i < count; i++) {
            if (needs_field(f, goals, &walkers[i])) ask_for(f, goals, &walkers[i]);
        }
    } while (make_stale(f, goals));
    for (size_t i = 0; i < count; i++) {
        if (needs_field(f, goals, &walkers[i]) && !can_reach(f, goals, &walkers[i])) return i;
    }
    return SIZE_MAX;
}

/* The straight way, but not into walls. */
static throng_way straight_along_walls(const flow *f, const throng_goal_entry *goals, const throng_walker *walker) {
    throng_way way = throng_straight_way(goals, walker);
    way.direction = throng_avoid_walls(f->ground.walls, walker->at, walker->radius, way.direction);
    return way;
}

static throng_way way(const void *state, const throng_goal_entry *goals, const throng_walker *walker) {
    const flow *f = state;
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (kind == THRONG_GOAL_DIRECTION || f->ground.walls->count == 0) return throng_straight_way(goals, walker);
    if (is_own(kind) && throng_straight_is_clear(f->ground.walls, goals, walker)) {
        return straight_along_walls(f, goals, walker);
    }
    const slot *s = find(f, goals, walker);
    throng_way found;
    if (s && throng_field_follow(&s->field, &f->ground, goals, walker, &found)) {
        /* Where a shared field ends, one's own target is in sight. */
        if (!is_own(kind) || found.distance > 0.1) return found;
    }
    throng_point out = throng_way_out(f->ground.walls, walker->at);
    found = straight_along_walls(f, goals, walker);
    if (out.x != 0 || out.y != 0) found.direction = out;
    found.unknown = !s;
    return found;
}

const throng_planner throng_flow_field = {"flow-field", create, destroy, prepare, way};
