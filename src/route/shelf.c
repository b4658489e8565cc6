/* shelf.c: finding, adding and making fields; shelf.h says for whom. */

#include "route/shelf.h"

#include <math.h>
#include <string.h>

#include "world/memory.h"

static const double tiles_bytes = 128e6; /* of all fields on a tiled shelf */
static const double tile_least = 2;      /* m */
enum { TILED_LEAST = 8, TILED_MOST = 128, SIZES_MOST = 8 };

/* --- the ground */

static void drop_slots(throng_shelf *s) {
    for (size_t i = 0; i < s->count; i++) throng_release(s->slots[i].field.nodes);
    s->count = 0;
}

void throng_shelf_clear(throng_shelf *s) {
    drop_slots(s);
    throng_release(s->slots);
    throng_release(s->first);
    throng_ground_clear(&s->ground);
}

static throng_node *new_nodes(const throng_shelf *s) {
    return throng_allocate(s->ground.lattice->count * sizeof(throng_node));
}

/* Half as many tiles as there may be fields: some tiles need more than one. */
static void lay_tiles(throng_shelf *s) {
    throng_box box = s->ground.box;
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    double fields = tiles_bytes / (double)(s->ground.lattice->count * sizeof(throng_node));
    drop_slots(s);
    s->capacity = (size_t)fmin(fmax(fields, TILED_LEAST), TILED_MOST);
    s->slots = throng_reallocate(s->slots, s->capacity * sizeof *s->slots);
    s->tile = fmax(sqrt(2 * width * height / (double)s->capacity), tile_least);
    s->tile_columns = (int32_t)(width / s->tile) + 1;
    s->tile_rows = (int32_t)(height / s->tile) + 1;
    s->first_count = (size_t)s->tile_columns * (size_t)s->tile_rows;
    s->first = throng_reallocate(s->first, s->first_count * sizeof *s->first);
    memset(s->first, 0, s->first_count * sizeof *s->first);
}

void throng_shelf_ready(throng_shelf *s, double low, double high) {
    throng_ground *g = &s->ground;
    if (throng_ground_serves(g, low) && throng_ground_serves(g, high)) return;
    /* Some spare, so that slightly larger people do not lead to all of it again. */
    if (high > g->radius_high) high *= 1.1;
    if (g->lattice) low = fmin(low, g->radius_low);
    throng_ground_lay(g, low, fmax(high, g->radius_high));
    if (s->tiled) {
        lay_tiles(s);
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        throng_release(s->slots[i].field.nodes);
        s->slots[i].field.nodes = new_nodes(s);
        s->slots[i].stale = true;
    }
}

/* --- finding */

static size_t tile_of(const throng_shelf *s, throng_point at) {
    double c = (at.x - s->ground.box.low.x) / s->tile, r = (at.y - s->ground.box.low.y) / s->tile;
    int32_t column = c > 0 ? c < s->tile_columns ? (int32_t)c : s->tile_columns - 1 : 0;
    int32_t row = r > 0 ? r < s->tile_rows ? (int32_t)r : s->tile_rows - 1 : 0;
    return (size_t)row * (size_t)s->tile_columns + (size_t)column;
}

/* The chain of slots among which a walker's is. */
static uint32_t chain_of(const throng_shelf *s, const throng_walker *walker) {
    size_t place = s->tiled ? tile_of(s, walker->target) : walker->goal;
    return place < s->first_count ? s->first[place] : 0;
}

/* Whether a slot is of use at all: a tile's field must know the walker's target. */
static bool is_of_use(const throng_shelf *s, const throng_slot *slot, throng_point target) {
    throng_point to = slot->field.def.target;
    if (!s->tiled || (to.x == target.x && to.y == target.y)) return true;
    return !slot->stale && throng_field_knows(&slot->field, &s->ground, target);
}

throng_slot *throng_shelf_find(const throng_shelf *s, const throng_walker *walker) {
    if (!s->ground.lattice) return NULL;
    size_t size = throng_ground_size(&s->ground, walker->radius);
    throng_slot *best = NULL, *least = NULL;
    for (uint32_t i = chain_of(s, walker); i; i = s->slots[i - 1].next) {
        throng_slot *slot = &s->slots[i - 1];
        size_t closed = slot->field.def.gap_count;
        bool fits = closed <= size && (!best || closed > best->field.def.gap_count);
        bool smaller = !least || closed < least->field.def.gap_count;
        if ((!fits && !smaller) || !is_of_use(s, slot, walker->target)) continue;
        if (fits) best = slot;
        if (smaller) least = slot;
        if (closed == size) break;
    }
    return best ? best : least;
}

/* --- asking */

static void file(throng_shelf *s, size_t place, throng_slot *slot) {
    slot->next = s->first[place];
    s->first[place] = (uint32_t)(slot - s->slots) + 1;
}

/* NULL when the goal has as many as it may. */
static throng_slot *add_for_goal(throng_shelf *s, throng_goal goal) {
    size_t before = s->first_count, sizes = 0;
    if (goal >= before) {
        s->first_count = goal + 1 > 2 * before ? goal + 1 : 2 * before;
        s->first = throng_reallocate(s->first, s->first_count * sizeof *s->first);
        memset(s->first + before, 0, (s->first_count - before) * sizeof *s->first);
    }
    for (uint32_t i = s->first[goal]; i; i = s->slots[i - 1].next) sizes++;
    if (sizes == SIZES_MOST) return NULL;
    THRONG_GROW(s->slots, s->capacity, s->count + 1);
    throng_slot *slot = &s->slots[s->count++];
    *slot = (throng_slot){.field.nodes = new_nodes(s)};
    file(s, goal, slot);
    return slot;
}

/* NULL when the shelf is full and all were asked for in this round, or another size will do. */
static throng_slot *add_for_target(throng_shelf *s, bool other_size, uint64_t round) {
    if (s->count < s->capacity) {
        throng_slot *slot = &s->slots[s->count++];
        *slot = (throng_slot){.field.nodes = new_nodes(s)};
        return slot;
    }
    throng_slot *oldest = NULL;
    if (other_size) return NULL;
    for (size_t i = 0; i < s->count; i++) {
        if (s->slots[i].asked < round && (!oldest || s->slots[i].asked < oldest->asked)) oldest = &s->slots[i];
    }
    return oldest;
}

static void file_by_tile(throng_shelf *s) {
    memset(s->first, 0, s->first_count * sizeof *s->first);
    for (size_t i = 0; i < s->count; i++) file(s, tile_of(s, s->slots[i].field.def.target), &s->slots[i]);
}

/* Whether a field is about to be made that may do for a target as well. */
static bool is_coming(const throng_shelf *s, const throng_walker *walker, size_t size) {
    for (uint32_t i = chain_of(s, walker); i; i = s->slots[i - 1].next) {
        if (s->slots[i - 1].stale && s->slots[i - 1].field.def.gap_count == size) return true;
    }
    return false;
}

void throng_shelf_ask(throng_shelf *s, const throng_walker *walker, uint64_t round) {
    throng_slot *slot = throng_shelf_find(s, walker), *added = NULL;
    size_t size = throng_ground_size(&s->ground, walker->radius);
    if (!slot || slot->field.def.gap_count != size) {
        if (s->tiled && is_coming(s, walker, size)) return;
        added = s->tiled ? add_for_target(s, slot != NULL, round) : add_for_goal(s, walker->goal);
    }
    if (added) {
        added->field.def = (throng_field_def){walker->goal, walker->target, walker->radius, size};
        added->stale = true;
        if (s->tiled) file_by_tile(s);
        slot = added;
    }
    if (!slot) return;
    slot->asked = round;
    if (walker->radius <= slot->field.def.radius) return;
    /* Made again for a larger body, with some spare so that this does not happen often. */
    double spare = slot->stale ? 1 : 1.15;
    slot->field.def.radius = fmin(spare * walker->radius, s->ground.radius_high);
    slot->stale = true;
}

/* --- making */

/* Fields are made in lanes side by side, each with its own scratch memory; which worker does which
 * lane does not matter. */
typedef struct work {
    throng_shelf *shelf;
    const throng_goal_entry *goals;
    size_t lanes;
    throng_field_maker *makers; /* [lane] */
} work;

static void make_lanes(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    size_t nth = 0;
    for (size_t i = 0; i < w->shelf->count; i++) {
        throng_slot *slot = &w->shelf->slots[i];
        if (!slot->stale) continue;
        size_t lane = nth++ % w->lanes;
        if (lane >= begin && lane < end) {
            throng_field_make(&w->makers[lane], &w->shelf->ground, w->goals, &slot->field);
        }
    }
}

bool throng_shelf_make(throng_shelf *s, const throng_goal_entry *goals, throng_crew *crew) {
    size_t stale = 0, workers = (size_t)throng_crew_size(crew);
    for (size_t i = 0; i < s->count; i++) stale += s->slots[i].stale;
    if (stale == 0) return false;
    work w = {.shelf = s, .goals = goals, .lanes = stale < workers ? stale : workers};
    w.makers = throng_allocate(w.lanes * sizeof *w.makers);
    for (size_t i = 0; i < w.lanes; i++) throng_field_maker_create(&w.makers[i], s->ground.lattice);
    throng_parallel_for(crew, w.lanes, 1, make_lanes, &w);
    for (size_t i = 0; i < w.lanes; i++) throng_field_maker_destroy(&w.makers[i]);
    throng_release(w.makers);
    for (size_t i = 0; i < s->count; i++) s->slots[i].stale = false;
    return true;
}
