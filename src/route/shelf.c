/* shelf.c: finding, adding and making fields; shelf.h says for whom. */

#include "route/shelf.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "route/planner.h"

static const double tile_least = 2; /* m */
enum { FIELDS_LEAST = 8, TILED_MOST = 128, CROWDED = 4 };

/* How many fields there may be before those that nobody needs go. */
static size_t fields_most(const throng_shelf *s) {
    double fields = s->memory / (double)throng_field_bytes(s->ground.lattice->count);
    return (size_t)fmin(fmax(fields, FIELDS_LEAST), s->tiled ? TILED_MOST : 1e9);
}

/* --- slots */

void throng_shelf_clear(throng_shelf *s) {
    for (size_t i = 0; i < s->count; i++) throng_field_destroy(&s->slots[i].field);
    for (size_t i = 0; i < s->maker_count; i++) throng_field_maker_destroy(&s->makers[i]);
    for (size_t i = 0; i < THRONG_SIZES_MOST; i++) throng_release(s->changes[i].nodes);
    THRONG_RELEASE(s->slowed.nodes, s->makers, s->slots, s->first);
    throng_ground_clear(&s->ground);
}

static size_t place_of(const throng_shelf *s, throng_goal goal, throng_point at) {
    if (!s->tiled) return goal;
    double c = (at.x - s->ground.box.low.x) / s->tile, r = (at.y - s->ground.box.low.y) / s->tile;
    int32_t column = c > 0 ? c < s->tile_columns ? (int32_t)c : s->tile_columns - 1 : 0;
    int32_t row = r > 0 ? r < s->tile_rows ? (int32_t)r : s->tile_rows - 1 : 0;
    return (size_t)row * (size_t)s->tile_columns + (size_t)column;
}

static void file(throng_shelf *s, throng_slot *slot) {
    size_t place = place_of(s, slot->field.def.goal, slot->field.def.target), before = s->first_count;
    if (place >= before) {
        s->first_count = place + 1 > 2 * before ? place + 1 : 2 * before;
        s->first = throng_reallocate(s->first, s->first_count * sizeof *s->first);
        memset(s->first + before, 0, (s->first_count - before) * sizeof *s->first);
    }
    slot->next = s->first[place];
    s->first[place] = (uint32_t)(slot - s->slots) + 1;
}

/* Chains are in the order of slots, whatever happened before. */
static void file_all(throng_shelf *s) {
    if (s->first_count > 0) memset(s->first, 0, s->first_count * sizeof *s->first);
    for (size_t i = 0; i < s->count; i++) file(s, &s->slots[i]);
}

/* Keeps the slots for which `keep` is true, in their order; NULL: none. */
static void keep_slots(throng_shelf *s, bool (*keep)(const throng_slot *slot, uint64_t round), uint64_t round) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (keep && keep(&s->slots[i], round)) {
            if (kept != i) memcpy(&s->slots[kept], &s->slots[i], sizeof *s->slots);
            kept++;
        } else {
            throng_field_destroy(&s->slots[i].field);
        }
    }
    s->count = kept;
}

static bool is_needed(const throng_slot *slot, uint64_t round) {
    return slot->asked >= round || atomic_load_explicit(&slot->used, memory_order_relaxed);
}

/* --- the ground */

/* Half as many tiles as there may be fields: some tiles need more than one. */
static void lay_tiles(throng_shelf *s) {
    throng_box box = s->ground.box;
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    s->tile = fmax(sqrt(2 * width * height / (double)fields_most(s)), tile_least);
    s->tile_columns = (int32_t)(width / s->tile) + 1;
    s->tile_rows = (int32_t)(height / s->tile) + 1;
}

/* Gives fields the numbers that their sizes have now, given those of before; those of sizes that are no
 * more go. */
static void renumber_sizes(throng_shelf *s, const throng_size *before) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        throng_slot *slot = &s->slots[i];
        size_t size = throng_ground_size_of(&s->ground, before[slot->field.def.size].radius);
        if (size == SIZE_MAX) {
            throng_field_destroy(&slot->field);
            continue;
        }
        slot->field.def.size = size;
        if (kept != i) memcpy(&s->slots[kept], slot, sizeof *slot);
        kept++;
    }
    s->count = kept;
}

/* The fields of sizes for which nodes have changed are to be mended. */
static void mend_later(throng_shelf *s) {
    for (size_t i = 0; i < s->count; i++) {
        throng_slot *slot = &s->slots[i];
        if (slot->chore == THRONG_FIELD_IS_READY && s->changes[slot->field.def.size].count > 0)
            slot->chore = THRONG_FIELD_TO_MEND;
    }
    if (s->tiled) lay_tiles(s);
    if (s->tiled) throng_release(s->first), s->first = NULL, s->first_count = 0;
    file_all(s);
}

/* Fields still to be mended after the change before are made anew after another. */
static void give_up_mending(throng_shelf *s) {
    for (size_t i = 0; i < s->count; i++) {
        if (s->slots[i].chore != THRONG_FIELD_IS_READY) s->slots[i].chore = THRONG_FIELD_TO_MAKE;
    }
    for (size_t i = 0; i < THRONG_SIZES_MOST; i++) s->changes[i].count = 0;
}

/* Lays the ground anew. Fields that were asked for since a round, or used since, are made anew by the next make; the
 * others go. */
static void lay_anew(throng_shelf *s, double low, double high, uint64_t round) {
    throng_size *before = throng_copy_bytes(s->ground.sizes, sizeof s->ground.sizes);
    throng_ground_lay(&s->ground, low, high);
    give_up_mending(s);
    keep_slots(s, is_needed, round);
    renumber_sizes(s, before);
    for (size_t i = 0; i < s->count; i++) {
        throng_field_destroy(&s->slots[i].field);
        throng_field_create(&s->slots[i].field, s->ground.lattice->count);
        s->slots[i].chore = THRONG_FIELD_TO_MAKE;
    }
    mend_later(s);
    throng_release(before);
}

/* Mends the ground, when only walls have changed, and not too many of them; else false, and all is as it was. */
static bool mend_ground(throng_shelf *s, const throng_walls *walls, uint64_t round) {
    bool wanted[THRONG_SIZES_MOST] = {false};
    for (size_t i = 0; i < s->count; i++) {
        if (is_needed(&s->slots[i], round)) wanted[s->slots[i].field.def.size] = true;
    }
    give_up_mending(s);
    throng_size *before = throng_copy_bytes(s->ground.sizes, sizeof s->ground.sizes);
    bool mended = throng_ground_mend(&s->ground, walls, wanted, s->changes);
    if (mended) {
        keep_slots(s, is_needed, round);
        renumber_sizes(s, before);
        mend_later(s);
    }
    throng_release(before);
    return mended;
}

void throng_shelf_ready(throng_shelf *s, double low, double high, uint64_t round) {
    throng_ground *g = &s->ground;
    if (throng_ground_serves(g, low) && throng_ground_serves(g, high)) return;
    /* Some spare, so that slightly larger people do not lead to all of it again. */
    if (high > g->radius_high) high *= 1.1;
    if (g->lattice) low = fmin(low, g->radius_low);
    lay_anew(s, low, fmax(high, g->radius_high), round);
}

void throng_shelf_walls(throng_shelf *s, const throng_walls *walls, uint64_t round) {
    throng_ground *g = &s->ground;
    g->walls = walls;
    if (!g->lattice || mend_ground(s, walls, round)) return;
    if (walls->count > 0) {
        lay_anew(s, g->radius_low, g->radius_high, round);
    } else {
        keep_slots(s, NULL, round);
        throng_ground_clear(g);
    }
}

void throng_shelf_slow_down(throng_shelf *s, uint64_t round) {
    if (!s->ground.lattice) return;
    size_t most = (size_t)(throng_march_mends_most * (double)s->ground.lattice->count);
    keep_slots(s, is_needed, round);
    throng_ground_slow_down(&s->ground, &s->slowed, most);
    for (size_t i = 0; i < s->count && s->slowed.count > 0; i++) {
        throng_slot *slot = &s->slots[i];
        slot->chore = slot->chore == THRONG_FIELD_IS_READY ? THRONG_FIELD_IN_CROWD : THRONG_FIELD_TO_MAKE;
    }
    file_all(s);
}

/* --- finding */

/* The chain of slots among which somebody's is. */
static uint32_t chain_of(const throng_shelf *s, throng_goal goal, throng_point target) {
    size_t place = place_of(s, goal, target);
    return place < s->first_count ? s->first[place] : 0;
}

/* Whether a slot is of use at all: a tile's field must know the target. */
static bool is_of_use(const throng_shelf *s, const throng_slot *slot, throng_point target) {
    throng_point to = slot->field.def.target;
    if (!s->tiled || (to.x == target.x && to.y == target.y)) return true;
    return slot->chore != THRONG_FIELD_TO_MAKE && throng_field_knows(&slot->field, &s->ground, target);
}

throng_slot *throng_shelf_find(const throng_shelf *s, throng_goal goal, throng_point target, double radius) {
    if (!s->ground.lattice) return NULL;
    size_t size = throng_ground_size(&s->ground, radius);
    for (uint32_t i = chain_of(s, goal, target); i; i = s->slots[i - 1].next) {
        throng_slot *slot = &s->slots[i - 1];
        if (slot->field.def.size == size && is_of_use(s, slot, target)) return slot;
    }
    return NULL;
}

/* --- asking */

/* A slot for a new field, which is not filed yet; NULL when a tiled shelf has many times too many. */
static throng_slot *new_slot(throng_shelf *s, uint64_t round) {
    size_t most = fields_most(s);
    throng_slot *oldest = NULL;
    for (size_t i = 0; i < s->count && s->count >= most; i++) {
        if (!is_needed(&s->slots[i], round) && (!oldest || s->slots[i].asked < oldest->asked)) oldest = &s->slots[i];
    }
    if (oldest) return oldest;
    if (s->tiled && s->count >= CROWDED * most) return NULL;
    THRONG_GROW(s->slots, s->capacity, s->count + 1);
    throng_slot *slot = &s->slots[s->count++];
    *slot = (throng_slot){0};
    throng_field_create(&slot->field, s->ground.lattice->count);
    return slot;
}

/* Whether a field is about to be made that may do for a target as well. */
static bool is_coming(const throng_shelf *s, throng_point target, size_t size) {
    for (uint32_t i = chain_of(s, 0, target); i; i = s->slots[i - 1].next) {
        if (s->slots[i - 1].chore == THRONG_FIELD_TO_MAKE && s->slots[i - 1].field.def.size == size) return true;
    }
    return false;
}

void throng_shelf_ask(throng_shelf *s, throng_goal goal, throng_point target, double radius, uint64_t round) {
    throng_slot *slot = throng_shelf_find(s, goal, target, radius);
    size_t size = throng_ground_size(&s->ground, radius);
    if (!slot) {
        if (s->tiled && is_coming(s, target, size)) return;
        slot = new_slot(s, round);
        if (!slot) return;
        slot->field.def = (throng_field_def){s->tiled ? 0 : goal, target, size};
        slot->chore = THRONG_FIELD_TO_MAKE;
        file_all(s);
    }
    slot->asked = round;
}

void throng_shelf_check_members(throng_shelf *s, const throng_goal_entry *goals) {
    for (size_t i = 0; i < s->count; i++) {
        throng_slot *slot = &s->slots[i];
        if (s->tiled || slot->chore != THRONG_FIELD_IS_READY) continue;
        if (slot->field.members == throng_goal_open_members(goals, slot->field.def.goal)) continue;
        slot->chore = THRONG_FIELD_TO_MEND;
    }
}

/* --- making */

/* Fields are made in lanes side by side, each with its own scratch memory; which worker does which
 * lane does not matter. */
typedef struct work {
    throng_shelf *shelf;
    const throng_goal_entry *goals;
    size_t lanes;
} work;

static void do_chore(throng_shelf *s, throng_field_maker *maker, const throng_goal_entry *goals, throng_slot *slot) {
    const throng_node_list *c = slot->chore == THRONG_FIELD_IN_CROWD ? &s->slowed : &s->changes[slot->field.def.size];
    if (slot->chore == THRONG_FIELD_TO_MAKE)
        throng_field_make(maker, &s->ground, goals, &slot->field);
    else
        throng_field_mend(maker, &s->ground, goals, &slot->field, c->nodes, c->count);
}

static void make_lanes(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    size_t nth = 0;
    for (size_t i = 0; i < w->shelf->count; i++) {
        throng_slot *slot = &w->shelf->slots[i];
        if (slot->chore == THRONG_FIELD_IS_READY) continue;
        size_t lane = nth++ % w->lanes;
        if (lane >= begin && lane < end) do_chore(w->shelf, &w->shelf->makers[lane], w->goals, slot);
    }
}

bool throng_shelf_make(throng_shelf *s, const throng_goal_entry *goals, throng_crew *crew) {
    size_t chores = 0, workers = (size_t)throng_crew_size(crew);
    for (size_t i = 0; i < s->count; i++) {
        if (s->slots[i].chore == THRONG_FIELD_IS_READY) continue;
        chores++;
        throng_ground_open(&s->ground, s->slots[i].field.def.size);
    }
    if (chores > 0) {
        work w = {.shelf = s, .goals = goals, .lanes = chores < workers ? chores : workers};
        if (w.lanes > s->maker_count) {
            s->makers = throng_reallocate(s->makers, w.lanes * sizeof *s->makers);
            memset(s->makers + s->maker_count, 0, (w.lanes - s->maker_count) * sizeof *s->makers);
            s->maker_count = w.lanes;
        }
        throng_parallel_for(crew, w.lanes, 1, make_lanes, &w);
    }
    for (size_t i = 0; i < s->count; i++) s->slots[i].chore = THRONG_FIELD_IS_READY;
    for (size_t i = 0; i < THRONG_SIZES_MOST; i++) s->changes[i].count = 0;
    return chores > 0;
}

/* --- keeping */

typedef struct kept_slot {
    throng_point target;
    uint64_t asked;
    uint32_t size, used;
} kept_slot;

static void archive_slot(throng_shelf *s, throng_archive *archive, throng_slot *slot) {
    kept_slot k = {slot->field.def.target, slot->asked, (uint32_t)slot->field.def.size,
                   atomic_load_explicit(&slot->used, memory_order_relaxed)};
    THRONG_ARCHIVE(archive, k);
    if (!archive->reading) return;
    if (!isfinite(k.target.x) || !isfinite(k.target.y) || k.size >= s->ground.size_count)
        throng_archive_spoil(archive, "a flow field leads nowhere");
    slot->field.def = (throng_field_def){.target = k.target, .size = k.size};
    slot->asked = k.asked;
    atomic_store_explicit(&slot->used, k.used != 0, memory_order_relaxed);
    slot->chore = THRONG_FIELD_TO_MAKE;
}

void throng_shelf_archive(throng_shelf *s, throng_archive *archive) {
    throng_ground *g = &s->ground;
    double low = g->lattice ? g->radius_low : 0, high = g->radius_high;
    uint64_t count = s->tiled ? s->count : 0;
    THRONG_ARCHIVE(archive, low);
    THRONG_ARCHIVE(archive, high);
    THRONG_ARCHIVE(archive, count);
    THRONG_ARCHIVE(archive, g->nodes_limit);
    if (archive->reading) {
        keep_slots(s, NULL, 0);
        throng_ground_clear(g);
        bool laid = low > 0 && low <= high && high < 1e3;
        if (g->nodes_limit != 0 && !(g->nodes_limit >= THRONG_NODES_LEAST && g->nodes_limit <= THRONG_NODES_MOST))
            throng_archive_spoil(archive, "no lattice has so many nodes");
        if (!laid && (low != 0 || count > 0)) throng_archive_spoil(archive, "no ground is laid for such bodies");
        if (archive->bad || !laid) return;
        throng_ground_lay(g, low, high);
        if (s->tiled) lay_tiles(s);
        if (count > CROWDED * fields_most(s)) throng_archive_spoil(archive, "there are too many flow fields");
    }
    for (size_t i = 0; i < count && !archive->bad; i++) {
        throng_slot *slot = archive->reading ? new_slot(s, 0) : &s->slots[i];
        archive_slot(s, archive, slot);
    }
    if (archive->reading) file_all(s);
}
