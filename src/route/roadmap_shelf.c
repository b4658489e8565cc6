/* roadmap_shelf.c: keeps the trees of shortest ways (a cache of shortest-path trees), found by what they lead to. */

#include <string.h>

#include "base/memory.h"
#include "route/roadmap.h"

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static size_t first_slot(const throng_tree_shelf *shelf, const throng_errand *e) {
    uint64_t mixed = throng_mix(e->goal ^ throng_mix(bits_of(e->target.x) ^ throng_mix(bits_of(e->target.y))));
    return (size_t)(throng_mix(mixed ^ bits_of(e->margin)) % shelf->slot_count);
}

static bool is_same(const throng_errand *a, const throng_errand *b) {
    return a->goal == b->goal && a->target.x == b->target.x && a->target.y == b->target.y && a->margin == b->margin;
}

void throng_tree_shelf_clear(throng_tree_shelf *shelf) {
    for (size_t i = 0; i < shelf->count; i++) throng_tree_clear(&shelf->trees[i].tree);
    THRONG_RELEASE(shelf->trees, shelf->slots, shelf->stale);
    *shelf = (throng_tree_shelf){0};
}

size_t throng_tree_shelf_slot(const throng_tree_shelf *shelf, const throng_errand *errand) {
    size_t slot = shelf->count ? first_slot(shelf, errand) : 0;
    if (shelf->count) __builtin_prefetch(&shelf->slots[slot]);
    return slot;
}

void throng_tree_shelf_fetch(const throng_tree_shelf *shelf, size_t slot) {
    if (shelf->count == 0 || !shelf->slots[slot]) return;
    const char *kept = (const char *)&shelf->trees[shelf->slots[slot] - 1];
    for (size_t i = 0; i < sizeof(throng_kept_tree); i += 64) __builtin_prefetch(kept + i);
}

throng_kept_tree *throng_tree_shelf_find_from(const throng_tree_shelf *shelf, size_t slot,
                                              const throng_errand *errand) {
    if (shelf->count == 0) return NULL;
    for (; shelf->slots[slot]; slot = (slot + 1) % shelf->slot_count) {
        throng_kept_tree *kept = &shelf->trees[shelf->slots[slot] - 1];
        if (is_same(&kept->errand, errand)) return kept;
    }
    return NULL;
}

throng_kept_tree *throng_tree_shelf_find(const throng_tree_shelf *shelf, const throng_errand *errand) {
    return throng_tree_shelf_find_from(shelf, throng_tree_shelf_slot(shelf, errand), errand);
}

static void enter(throng_tree_shelf *shelf, size_t index) {
    size_t slot = first_slot(shelf, &shelf->trees[index].errand);
    while (shelf->slots[slot]) slot = (slot + 1) % shelf->slot_count;
    shelf->slots[slot] = (uint32_t)index + 1;
}

/* Lays the hash table anew, at most half full. */
static void enter_all(throng_tree_shelf *shelf, size_t slot_count) {
    shelf->slots = throng_reallocate(shelf->slots, slot_count * sizeof *shelf->slots);
    shelf->slot_count = slot_count;
    memset(shelf->slots, 0, slot_count * sizeof *shelf->slots);
    for (size_t i = 0; i < shelf->count; i++) enter(shelf, i);
}

throng_kept_tree *throng_tree_shelf_add(throng_tree_shelf *shelf, const throng_errand *errand, bool own) {
    THRONG_GROW(shelf->trees, shelf->capacity, shelf->count + 1);
    shelf->trees[shelf->count++] = (throng_kept_tree){.errand = *errand, .own = own};
    if (2 * shelf->count > shelf->slot_count)
        enter_all(shelf, 4 * shelf->count + 16);
    else
        enter(shelf, shelf->count - 1);
    throng_tree_shelf_order(shelf, &shelf->trees[shelf->count - 1]);
    return &shelf->trees[shelf->count - 1];
}

void throng_tree_shelf_order(throng_tree_shelf *shelf, throng_kept_tree *kept) {
    if (kept->stale) return;
    kept->stale = true;
    THRONG_GROW(shelf->stale, shelf->stale_capacity, shelf->stale_count + 1);
    shelf->stale[shelf->stale_count++] = (uint32_t)(kept - shelf->trees);
}

void throng_tree_shelf_settle(throng_tree_shelf *shelf) {
    for (size_t i = 0; i < shelf->stale_count; i++) {
        throng_kept_tree *kept = &shelf->trees[shelf->stale[i]];
        kept->stale = false;
        if (!kept->own) continue;
        shelf->own_bytes += kept->tree.bytes - kept->counted;
        kept->counted = kept->tree.bytes;
    }
    shelf->stale_count = 0;
}

static throng_kept_tree *oldest_of(throng_tree_shelf *shelf, uint64_t round) {
    throng_kept_tree *oldest = NULL;
    for (size_t i = 0; i < shelf->count; i++) {
        throng_kept_tree *kept = &shelf->trees[i];
        if (kept->own && kept->asked < round && (!oldest || kept->asked < oldest->asked)) oldest = kept;
    }
    return oldest;
}

void throng_tree_shelf_sweep(throng_tree_shelf *shelf) {
    size_t kept = 0;
    for (size_t i = 0; i < shelf->count; i++) {
        throng_kept_tree *tree = &shelf->trees[i];
        if (tree->useless) {
            shelf->own_bytes -= tree->counted;
            throng_tree_clear(&tree->tree);
        } else {
            shelf->trees[kept++] = *tree;
        }
    }
    if (kept == shelf->count) return;
    shelf->count = kept;
    enter_all(shelf, shelf->slot_count);
}

/* Gives up all that were not asked for since some round. */
static void give_up(throng_tree_shelf *shelf, uint64_t since) {
    for (size_t i = 0; i < shelf->count; i++) {
        throng_kept_tree *tree = &shelf->trees[i];
        if (tree->own && tree->asked < since) tree->useless = true;
    }
    throng_tree_shelf_sweep(shelf);
}

void throng_tree_shelf_trim(throng_tree_shelf *shelf, double bytes, uint64_t round) {
    while ((double)shelf->own_bytes > bytes) {
        const throng_kept_tree *oldest = oldest_of(shelf, round);
        if (!oldest) return;
        give_up(shelf, oldest->asked + 1);
    }
}
