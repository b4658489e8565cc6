/* tiles.c: which tiles there are, and who is in which of them.
 *
 * A tile is there when somebody stands in it or within a cell of it. It is found by a hash of its column and row, so a
 * place may be of any size. People are put in a line by tile, and within it by small bins, row after row; so everything
 * that belongs to a tile lies together. The sort is stable and starts from the order of slots: how it is divided among
 * threads does not matter. */

#include <math.h>
#include <string.h>

#include "models/uic/uic.h"
#include "world/memory.h"

enum { GRAIN = 2048, TILE_GRAIN = 1, CHUNKS_MOST = 64 };
enum { WEST = 1, EAST = 2, SOUTH = 4, NORTH = 8 };

#define EMPTY UINT32_MAX       /* of an entry: there is none */
#define FRESH (UINT32_MAX - 1) /* of an entry: its tile is still to be made */

uint64_t throng_uic_key(int32_t column, int32_t row) {
    return (uint64_t)((uint32_t)row ^ 0x80000000u) << 32 | ((uint32_t)column ^ 0x80000000u);
}

static int32_t column_of(uint64_t key) { return (int32_t)((uint32_t)key ^ 0x80000000u); }
static int32_t row_of(uint64_t key) { return (int32_t)((uint32_t)(key >> 32) ^ 0x80000000u); }

void throng_uic_each_tile(throng_uic *s, throng_work work) {
    throng_parallel_for(s->now->crew, s->tile_count, TILE_GRAIN, work, s);
}

/* Shell's sort: the keys are few, and memory is not to be had here. */
void throng_uic_sort_keys(uint64_t *keys, size_t count) {
    size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (size_t k = gap; k < count; k++) {
            uint64_t key = keys[k];
            size_t to = k;
            for (; to >= gap && keys[to - gap] > key; to -= gap) keys[to] = keys[to - gap];
            keys[to] = key;
        }
    }
}

/* --- the hash */

static throng_uic_entry *entry_of(const throng_uic *s, uint64_t key) {
    size_t at = (size_t)throng_mix(key) & (s->table_size - 1);
    while (s->table[at].position != EMPTY && s->table[at].key != key) at = (at + 1) & (s->table_size - 1);
    return &s->table[at];
}

static void clear_table(throng_uic *s) {
    for (size_t k = 0; k < s->table_size; k++) s->table[k].position = EMPTY;
    s->table_used = 0;
}

static void grow_table(throng_uic *s, size_t count) {
    if (2 * count < s->table_size) return;
    throng_uic_entry *old = s->table;
    size_t old_size = s->table_size;
    s->table_size = old_size ? old_size : 64;
    while (s->table_size <= 2 * count) s->table_size *= 2;
    s->table = throng_allocate(s->table_size * sizeof *s->table);
    clear_table(s);
    for (size_t k = 0; k < old_size; k++) {
        if (old[k].position == EMPTY) continue;
        *entry_of(s, old[k].key) = old[k];
        s->table_used++;
    }
    throng_release(old);
}

/* --- which tiles are needed */

static void find_keys(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell), ox = s->origin_x, oy = s->origin_y;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (s->traits[i].mass < 0) {
            s->ways[i].x = (float)((double)s->traits[i].wish_x * s->t_end);
            s->ways[i].y = (float)((double)s->traits[i].wish_y * s->t_end);
        }
        double x = (throng_uic_x(s, i) - ox) * per_tile, y = (throng_uic_y(s, i) - oy) * per_tile;
        int32_t column = (int32_t)x, row = (int32_t)y;
        column -= x < column;
        row -= y < row;
        double cx = x - column, cy = y - row, low = 1.01 / THRONG_UIC_TILE, high = 1 - low;
        s->key[i] = throng_uic_key(column, row);
        s->edge[i] = (uint8_t)((cx < low ? WEST : 0) | (cx > high ? EAST : 0) | (cy < low ? SOUTH : 0) |
                               (cy > high ? NORTH : 0));
    }
}

static void need_tile(throng_uic *s, int32_t column, int32_t row) {
    uint64_t key = throng_uic_key(column, row);
    throng_uic_entry *entry = entry_of(s, key);
    if (entry->position == EMPTY) {
        if (2 * (s->table_used + 1) >= s->table_size) {
            grow_table(s, s->table_used + 1);
            entry = entry_of(s, key);
        }
        *entry = (throng_uic_entry){.key = key, .position = FRESH};
        s->table_used++;
        THRONG_GROW(s->marks, s->mark_capacity, s->mark_count + 1);
        s->marks[s->mark_count++] = key;
    } else if (entry->stamp == s->stamp) {
        return;
    }
    entry->stamp = s->stamp;
    s->stamped++;
}

static void need_around(throng_uic *s, uint64_t key, unsigned edge) {
    int32_t west = edge & WEST ? -1 : 0, east = edge & EAST ? 1 : 0;
    int32_t south = edge & SOUTH ? -1 : 0, north = edge & NORTH ? 1 : 0;
    for (int32_t r = south; r <= north; r++) {
        for (int32_t c = west; c <= east; c++) need_tile(s, column_of(key) + c, row_of(key) + r);
    }
}

/* Of people one after the other most stand in the same tile. */
static void mark_tiles(throng_uic *s) {
    uint64_t last = 0;
    unsigned done = 0;
    s->mark_count = s->stamped = 0;
    s->stamp++;
    grow_table(s, s->tile_count + 8);
    for (size_t i = 0; i < s->count; i++) {
        if (s->key[i] != last) done = 0;
        if (done >> s->edge[i] & 1) continue;
        last = s->key[i];
        done |= 1U << s->edge[i];
        need_around(s, last, s->edge[i]);
    }
}

/* --- the tiles in order */

static uint32_t make_tile(throng_uic *s, uint64_t key) {
    uint32_t number;
    if (s->pool_count == 0) { /* nowhere */
        THRONG_GROW(s->pool, s->pool_capacity, 1);
        memset(&s->pool[s->pool_count++], 0, sizeof *s->pool);
    }
    if (s->spare_count > 0) {
        number = s->spare[--s->spare_count];
    } else {
        THRONG_GROW(s->pool, s->pool_capacity, s->pool_count + 1);
        number = (uint32_t)s->pool_count++;
        memset(&s->pool[number], 0, sizeof *s->pool);
    }
    throng_uic_tile *tile = &s->pool[number];
    throng_uic_lent *lent = tile->lent;
    size_t lent_capacity = tile->lent_capacity;
    memset(tile, 0, sizeof *tile);
    tile->lent = lent;
    tile->lent_capacity = lent_capacity;
    tile->column = column_of(key);
    tile->row = row_of(key);
    return number;
}

static void make_line_room(throng_uic *s, size_t count) {
    if (count + 1 <= s->line_capacity) return;
    s->line_capacity = 2 * count + 16;
    uint32_t **whole[] = {&s->line, &s->line_before, &s->first};
    for (size_t k = 0; k < 3; k++) *whole[k] = throng_reallocate(*whole[k], (s->line_capacity + 1) * sizeof(uint32_t));
}

static uint64_t key_at(const throng_uic *s, uint32_t number) {
    return throng_uic_key(s->pool[number].column, s->pool[number].row);
}

/* Those that are left and the new ones, in order; the others are given back. */
static void renew_line(throng_uic *s) {
    size_t before = s->tile_count, kept = 0, at = 0, mark = 0;
    throng_uic_sort_keys(s->marks, s->mark_count);
    make_line_room(s, before + s->mark_count);
    THRONG_GROW(s->spare, s->spare_capacity, s->spare_count + before);
    for (size_t k = 0; k < before; k++) {
        uint32_t number = s->line[k];
        if (entry_of(s, key_at(s, number))->stamp == s->stamp)
            s->line_before[kept++] = number;
        else
            s->spare[s->spare_count++] = number;
    }
    s->tile_count = kept + s->mark_count;
    for (size_t k = 0; k < s->tile_count; k++) {
        bool fresh = at == kept || (mark < s->mark_count && s->marks[mark] < key_at(s, s->line_before[at]));
        s->line[k] = fresh ? make_tile(s, s->marks[mark++]) : s->line_before[at++];
    }
    throng_uic_index_tiles(s);
}

void throng_uic_index_tiles(throng_uic *s) {
    make_line_room(s, s->tile_count);
    grow_table(s, s->tile_count + 8);
    clear_table(s);
    for (size_t k = 0; k < s->tile_count; k++) {
        uint64_t key = key_at(s, s->line[k]);
        *entry_of(s, key) = (throng_uic_entry){key, (uint32_t)k, s->stamp};
        s->table_used++;
    }
    s->line[s->tile_count] = 0;
    s->tiles_changed = true;
}

void throng_uic_forget_tiles(throng_uic *s) {
    THRONG_GROW(s->spare, s->spare_capacity, s->spare_count + s->tile_count);
    for (size_t k = 0; k < s->tile_count; k++) s->spare[s->spare_count++] = s->line[k];
    s->tile_count = 0;
}

throng_uic_tile *throng_uic_remember_tile(throng_uic *s, int32_t column, int32_t row) {
    make_line_room(s, s->tile_count + 1);
    uint32_t number = make_tile(s, throng_uic_key(column, row));
    s->line[s->tile_count++] = number;
    return &s->pool[number];
}

/* --- people in line */

typedef struct chunks {
    throng_uic *s;
    size_t count, each;
} chunks;

static void count_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const chunks *c = context;
    throng_uic *s = c->s;
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t *tally = s->tally_tile + chunk * s->tile_count, position = 0;
        size_t last = (chunk + 1) * c->each < s->count ? (chunk + 1) * c->each : s->count;
        uint64_t before = 0;
        memset(tally, 0, s->tile_count * sizeof *tally);
        for (size_t i = chunk * c->each; i < last; i++) {
            if (s->key[i] != before) {
                before = s->key[i];
                position = entry_of(s, before)->position;
            }
            s->tile_of[i] = position;
            tally[position]++;
        }
    }
}

static void line_up_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const chunks *c = context;
    throng_uic *s = c->s;
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t *next = s->tally_tile + chunk * s->tile_count;
        size_t last = (chunk + 1) * c->each < s->count ? (chunk + 1) * c->each : s->count;
        for (size_t i = chunk * c->each; i < last; i++) s->who_before[next[s->tile_of[i]]++] = (uint32_t)i;
    }
}

static void line_up(throng_uic *s) {
    chunks c = {.s = s};
    c.count = s->count / 4096 + 1 < CHUNKS_MOST ? s->count / 4096 + 1 : CHUNKS_MOST;
    c.each = (s->count + c.count - 1) / c.count;
    THRONG_GROW(s->tally_tile, s->tally_capacity, c.count * s->tile_count);
    throng_parallel_for(s->now->crew, c.count, 1, count_chunks, &c);
    uint32_t at = 0;
    for (size_t k = 0; k < s->tile_count; k++) {
        s->first[k] = at;
        for (size_t chunk = 0; chunk < c.count; chunk++) {
            uint32_t *tally = &s->tally_tile[chunk * s->tile_count + k], count = *tally;
            *tally = at;
            at += count;
        }
    }
    s->first[s->tile_count] = at;
    throng_parallel_for(s->now->crew, c.count, 1, line_up_chunks, &c);
}

/* --- bins */

/* Where somebody is in its tile, and in which bin: 2^16 row + column. */
static inline uint32_t find_spot(const throng_uic *s, double low_x, double low_y, uint32_t slot, float *x, float *y) {
    int across = s->bins * THRONG_UIC_TILE;
    float scale = (float)(s->bins / s->cell);
    *x = (float)(throng_uic_x(s, slot) - low_x);
    *y = (float)(throng_uic_y(s, slot) - low_y);
    int column = (int)(*x * scale), row = (int)(*y * scale);
    column = column < 0 ? 0 : column < across ? column : across - 1;
    row = row < 0 ? 0 : row < across ? row : across - 1;
    return (uint32_t)row << 16 | (uint32_t)column;
}

/* Who lines up at which place of a tile: the bin of everybody, counted. */
static void find_bins(throng_uic *s, const throng_uic_tile *tile, uint32_t first, uint32_t last, uint32_t *start) {
    double side = THRONG_UIC_TILE * s->cell, low_x = s->origin_x + side * tile->column;
    double low_y = s->origin_y + side * tile->row;
    const uint32_t *who = s->who_before;
    uint32_t *bin_of = s->tile_of /* needed no more */, across = (uint32_t)s->bins * THRONG_UIC_TILE;
    float *x = s->x_next, *y = s->y_next;
    for (uint32_t k = first; k < last; k++) {
        uint32_t bin = find_spot(s, low_x, low_y, who[k], &x[k], &y[k]);
        bin_of[k] = bin;
        start[(bin >> 16) * across + (bin & 0xFFFF) + 2]++;
    }
}

/* What the tile's people want of others, if they differ. */
static void line_up_bodies(throng_uic *s, uint32_t first, uint32_t last) {
    float d_sep = (float)s->law.d_sep;
    for (uint32_t k = first; k < last; k++) {
        float body = s->body[s->who[k]];
        bool ours = s->part[k] > 0;
        s->half[k] = 0.5F * d_sep * body;
        s->give[k] = ours ? 0.5F : 1;
        s->most[k] = ours ? 0.5F * body : 0;
    }
}

static void sort_tile(throng_uic *s, size_t position) {
    uint32_t across = (uint32_t)s->bins * THRONG_UIC_TILE, bins = across * across;
    uint32_t first = s->first[position], last = s->first[position + 1];
    uint32_t *start = s->bin_start + position * (bins + 2);
    memset(start, 0, (bins + 2) * sizeof *start);
    find_bins(s, throng_uic_tile_at(s, position), first, last, start);
    start[1] = first;
    for (size_t b = 2; b < bins + 2; b++) start[b] += start[b - 1];
    /* copies: the compiler has to assume that what is written changes where to write */
    const throng_uic_traits *traits = s->traits;
    const uint32_t *who_before = s->who_before, *bin_of = s->tile_of;
    const float *from_x = s->x_next, *from_y = s->y_next;
    uint32_t *who = s->who, *spot = s->spot;
    uint8_t *column = s->bin_column;
    float *x = s->x, *y = s->y, *want_x = s->want_x, *want_y = s->want_y, *pace = s->pace, *part = s->part;
    float per_area = (float)(1 / (s->cell * s->cell));
    bool images = s->image_count > 0;
    for (uint32_t k = first; k < last; k++) {
        uint32_t slot = who_before[k], bin = bin_of[k], place = start[(bin >> 16) * across + (bin & 0xFFFF) + 1]++;
        throng_uic_traits person = traits[slot];
        if (images) spot[slot] = place;
        who[place] = slot;
        column[place] = (uint8_t)bin;
        x[place] = from_x[k];
        y[place] = from_y[k];
        want_x[place] = person.wish_x;
        want_y[place] = person.wish_y;
        pace[place] = person.top_speed;
        part[place] = person.mass * per_area;
    }
    start[0] = first;
    if (!s->alike) line_up_bodies(s, first, last);
}

static void sort_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    for (size_t k = begin; k < end; k++) sort_tile(context, k);
}

void throng_uic_place_people(throng_uic *s) {
    throng_parallel_for(s->now->crew, s->count, GRAIN, find_keys, s);
    mark_tiles(s);
    if (s->mark_count > 0 || s->stamped != s->tile_count) renew_line(s);
    if (s->tiles_changed) throng_uic_lay_levels(s);
    s->tiles_changed = false;
    line_up(s);
    /* nobody nearer than d_sep stands beyond the next bin */
    double bins = floor(s->cell / (s->law.d_sep * (double)s->body_most));
    s->bins = bins < 1 ? 1 : bins < THRONG_UIC_BINS_MOST ? (int)bins : THRONG_UIC_BINS_MOST;
    size_t across = (size_t)s->bins * THRONG_UIC_TILE;
    THRONG_GROW(s->bin_start, s->bin_capacity, s->tile_count * (across * across + 2));
    throng_uic_each_tile(s, sort_tiles);
}

/* --- rims */

/* The rim of a field from those of the tiles around: where each of the eight takes from. */
void throng_uic_copy_rim(float *field, const float *const around[9]) {
    enum { LAST = THRONG_UIC_TILE - 1, END = THRONG_UIC_TILE };
    field[throng_uic_at(-1, -1)] = around[0][throng_uic_at(LAST, LAST)];
    field[throng_uic_at(-1, END)] = around[2][throng_uic_at(LAST, 0)];
    field[throng_uic_at(END, -1)] = around[6][throng_uic_at(0, LAST)];
    field[throng_uic_at(END, END)] = around[8][throng_uic_at(0, 0)];
    memcpy(field + throng_uic_at(-1, 0), around[1] + throng_uic_at(LAST, 0), END * sizeof *field);
    memcpy(field + throng_uic_at(END, 0), around[7] + throng_uic_at(0, 0), END * sizeof *field);
    for (int r = 0; r < END; r++) {
        field[throng_uic_at(r, -1)] = around[3][throng_uic_at(r, LAST)];
        field[throng_uic_at(r, END)] = around[5][throng_uic_at(r, 0)];
    }
}

void throng_uic_fill_rim(throng_uic *s, size_t position, size_t offset) {
    const uint32_t *around = s->levels[0].sheets[position].around;
    const float *fields[9];
    for (int k = 0; k < 9; k++)
        fields[k] = (const float *)(const void *)((char *)throng_uic_tile_at(s, around[k]) + offset);
    throng_uic_copy_rim((float *)(void *)((char *)throng_uic_tile_at(s, position) + offset), fields);
}
