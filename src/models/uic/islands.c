/* islands.c: tiles that touch each other are an island (connected component), whose pressure is found on its own and is
 * done when it is: so nobody's depends on people elsewhere. And the sheets of each, level by level of the multigrid. */

#include <string.h>

#include "base/memory.h"
#include "models/uic/uic.h"

enum { LEVELS_SURE = 4 };

/* The position of a tile among some sheets in order, or `none`. */
static uint32_t find(const throng_uic_level *level, size_t low, size_t high, uint64_t key) {
    size_t end = high;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const throng_uic_sheet *a = &level->sheets[level->order[middle]];
        if (throng_tile_key(a->column, a->row) < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == end) return (uint32_t)level->count;
    const throng_uic_sheet *a = &level->sheets[level->order[low]];
    return throng_tile_key(a->column, a->row) == key ? level->order[low] : (uint32_t)level->count;
}

static void make_sheets(throng_uic_level *level, size_t count) {
    if (count + 1 > level->capacity) {
        level->capacity = count + count / 2 + 2;
        throng_release(level->sheets);
        level->sheets = throng_allocate(level->capacity * sizeof *level->sheets);
        level->order = throng_reallocate(level->order, level->capacity * sizeof *level->order);
    } else {
        memset(level->sheets, 0, (count + 1) * sizeof *level->sheets);
    }
    level->count = count;
    for (size_t k = 0; k < count; k++) level->order[k] = (uint32_t)k;
}

static void find_neighbours(throng_uic_level *level, size_t begin, size_t end) {
    for (size_t k = begin; k < end; k++) {
        throng_uic_sheet *a = &level->sheets[level->order[k]];
        for (int n = 0; n < 9; n++)
            a->around[n] = find(level, begin, end, throng_tile_key(a->column + n % 3 - 1, a->row + n / 3 - 1));
    }
}

/* --- islands */

static uint32_t root_of(uint32_t *of, uint32_t k) {
    while (of[k] != k) k = of[k] = of[of[k]];
    return k;
}

/* Puts the tiles of each island one behind the other, in `order`, and else in order; islands are in that of their first
 * tiles. */
static void find_islands(throng_uic *s) {
    throng_uic_level *level = &s->levels[0];
    uint32_t *of = s->line_before; /* scratch; `parent` of the sheets serves to count */
    size_t count = level->count;
    for (uint32_t k = 0; k < count; k++) of[k] = k;
    for (uint32_t k = 0; k < count; k++) {
        for (int n = 0; n < 4; n++) { /* those around that come before */
            uint32_t other = level->sheets[k].around[n];
            if (other == count) continue;
            uint32_t a = root_of(of, k), b = root_of(of, other);
            if (a < b) of[b] = a;
            if (b < a) of[a] = b;
        }
    }
    s->island_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool first = root_of(of, k) == k;
        of[k] = first ? k : root_of(of, k);
        if (first) {
            THRONG_GROW(s->islands, s->island_capacity, s->island_count + 1);
            level->sheets[k].parent = (uint32_t)s->island_count;
            s->islands[s->island_count++] = (throng_uic_island){.level_count = 1};
        }
        s->islands[level->sheets[of[k]].parent].end[0]++;
    }
    uint32_t at = 0;
    for (size_t i = 0; i < s->island_count; i++) {
        throng_uic_island *island = &s->islands[i];
        island->begin[0] = at;
        at += island->end[0];
        island->end[0] = island->begin[0];
    }
    for (uint32_t k = 0; k < count; k++) level->order[s->islands[level->sheets[of[k]].parent].end[0]++] = k;
}

/* --- levels */

/* The tiles that hold those of an island, two by two, behind the `at` keys there are. Returns how many. */
static uint32_t list_parents(throng_uic *s, int n, const throng_uic_island *island, size_t at) {
    const throng_uic_level *level = &s->levels[n];
    size_t count = island->end[n] - island->begin[n], kept = 0;
    THRONG_GROW(s->marks, s->mark_capacity, at + count);
    uint64_t *keys = s->marks + at;
    for (size_t k = 0; k < count; k++) {
        const throng_uic_sheet *a = &level->sheets[level->order[island->begin[n] + k]];
        keys[k] = throng_tile_key(a->column >> 1, a->row >> 1);
    }
    throng_uic_sort_keys(keys, count);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || keys[k] != keys[k - 1]) keys[kept++] = keys[k];
    }
    return (uint32_t)kept;
}

/* Lists the keys of the next level of all islands that have one; returns how many. */
static size_t list_next(throng_uic *s, int n) {
    uint32_t at = 0;
    for (size_t i = 0; i < s->island_count; i++) {
        throng_uic_island *island = &s->islands[i];
        uint32_t before = island->end[n] - island->begin[n], count = 0;
        bool goes_on = island->level_count == n + 1 && (n == 0 || before > 1);
        if (goes_on) count = list_parents(s, n, island, at);
        if (n + 1 >= LEVELS_SURE && 10 * count > 9 * before) count = 0; /* scattered crowds */
        island->begin[n + 1] = at;
        island->end[n + 1] = at += count;
        if (count > 0) island->level_count = n + 2;
    }
    return at;
}

static void lay_next(throng_uic *s, int n, size_t count) {
    throng_uic_level *level = &s->levels[n], *coarse = level + 1;
    make_sheets(coarse, count);
    for (size_t k = 0; k < count; k++) {
        coarse->sheets[k].column = throng_tile_column(s->marks[k]);
        coarse->sheets[k].row = throng_tile_row(s->marks[k]);
    }
    for (size_t i = 0; i < s->island_count; i++) {
        const throng_uic_island *island = &s->islands[i];
        find_neighbours(coarse, island->begin[n + 1], island->end[n + 1]);
        for (size_t k = island->begin[n]; k < island->end[n]; k++) {
            throng_uic_sheet *a = &level->sheets[level->order[k]];
            a->parent =
                find(coarse, island->begin[n + 1], island->end[n + 1], throng_tile_key(a->column >> 1, a->row >> 1));
        }
    }
}

void throng_uic_lay_levels(throng_uic *s) {
    throng_uic_level *level = &s->levels[0];
    make_sheets(level, s->tile_count);
    for (size_t k = 0; k < s->tile_count; k++) {
        level->sheets[k].column = throng_uic_tile_at(s, k)->column;
        level->sheets[k].row = throng_uic_tile_at(s, k)->row;
    }
    find_neighbours(level, 0, s->tile_count);
    find_islands(s);
    for (s->level_count = 1; s->level_count < THRONG_UIC_LEVELS; s->level_count++) {
        size_t count = list_next(s, s->level_count - 1);
        if (count == 0) break;
        lay_next(s, s->level_count - 1, count);
    }
}

/* --- solving */

static void solve(throng_uic *s, throng_uic_island *island) {
    if (s->law.solver == THRONG_UIC_MPRGP)
        throng_uic_solve_mprgp(s, island);
    else if (s->law.solver == THRONG_UIC_PSOR)
        throng_uic_solve_psor(s, island);
    else
        throng_uic_solve_multigrid(s, island);
}

static bool is_small(const throng_uic_island *island) { return island->end[0] - island->begin[0] <= THRONG_UIC_SMALL; }

static void solve_small(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t i = begin; i < end; i++) {
        if (is_small(&s->islands[i])) solve(s, &s->islands[i]);
    }
}

/* Of small islands every worker takes some; large ones come one after the other, each with all workers. */
void throng_uic_solve_islands(throng_uic *s) {
    if (s->law.solver == THRONG_UIC_MPRGP) throng_uic_make_mprgp_room(s);
    throng_parallel_for(s->now->crew, s->island_count, 1, solve_small, s);
    for (size_t i = 0; i < s->island_count; i++) {
        if (!is_small(&s->islands[i])) solve(s, &s->islands[i]);
    }
}

void throng_uic_each_sheet(throng_uic_patch *patch, throng_work work) {
    if (patch->count <= THRONG_UIC_SMALL)
        work(patch, 0, patch->count, 0);
    else
        throng_parallel_for(patch->s->now->crew, patch->count, THRONG_UIC_SMALL, work, patch);
}
