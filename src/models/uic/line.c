/* line.c: everybody in a line, by tile, and within it by small bins, row after row; so everything that belongs to a
 * tile lies together.
 *
 * Rows of the world are cut into chunks that do not depend on the number of threads. First all count who stands in
 * which tile, then everybody is taken from the world's columns and put behind those of its tile who come before it,
 * then the people of each tile are sorted by bin. So the order within a bin is that of rows. */

#include <math.h>
#include <string.h>

#include "models/uic/uic.h"
#include "world/memory.h"

enum { CHUNK_LEAST = 4096, CHUNKS_MOST = 64 };

static const double root3 = 1.7320508075688772;

typedef struct chunks {
    throng_uic *s;
    size_t count, each;
    bool *lost; /* [chunk] somebody stands where there is no tile */
} chunks;

/* --- where somebody stands */

/* The tile somebody is in, and where in it, in parts of its side. */
typedef struct spot {
    int32_t column, row;
    double x, y;
} spot;

static inline spot find_spot(const throng_uic *s, throng_point at, double per_tile) {
    double x = (at.x - s->origin_x) * per_tile, y = (at.y - s->origin_y) * per_tile;
    int32_t column = (int32_t)x, row = (int32_t)y;
    column -= x < column;
    row -= y < row;
    return (spot){column, row, x - column, y - row};
}

static inline unsigned edge_of(spot p) {
    const double low = 1.01 / THRONG_UIC_TILE, high = 1 - low;
    return (unsigned)(p.x < low) * THRONG_UIC_AT_WEST | (unsigned)(p.x > high) * THRONG_UIC_AT_EAST |
           (unsigned)(p.y < low) * THRONG_UIC_AT_SOUTH | (unsigned)(p.y > high) * THRONG_UIC_AT_NORTH;
}

static inline const throng_uic_params *law_of(const throng_uic *s, uint32_t number) {
    return s->now->params[s->now->profile[throng_uic_row(s, number)]];
}

/* Those of other models walk on as they do. */
static throng_point foreign_velocity(const throng_uic *s, uint32_t number) {
    uint32_t slot = number < s->rows ? s->near->slot[number] : s->images[number - s->rows];
    return (throng_point){s->near->vx[slot], s->near->vy[slot]};
}

static void walk_on(throng_uic *s, uint32_t number) {
    throng_point v = foreign_velocity(s, number);
    s->ways[number].x = (float)((double)(float)v.x * s->t_end);
    s->ways[number].y = (float)((double)(float)v.y * s->t_end);
}

/* --- counting */

/* Whether those before a number are people of this model where the columns have them. */
static inline bool is_plain(const throng_uic *s, size_t end) { return s->fresh && !s->mixed && end <= s->rows; }

/* People of a tile one after the other. */
static inline void note_run(uint32_t *tally, uint16_t *edges, uint32_t position, uint32_t count, unsigned seen) {
    tally[position] += count;
    edges[position] |= (uint16_t)seen;
}

static bool count_chunk(throng_uic *s, uint32_t begin, uint32_t end, uint32_t *tally, uint16_t *edges) {
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell);
    const double *x = s->now->x, *y = s->now->y;
    bool plain = is_plain(s, end);
    spot last = {INT32_MIN, INT32_MIN, 0, 0};
    uint32_t position = 0, count = 0;
    unsigned seen = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (!plain && s->mixed && !law_of(s, i)) walk_on(s, i);
        spot at = find_spot(s, plain ? (throng_point){x[i], y[i]} : throng_uic_here(s, i), per_tile);
        if (at.column != last.column || at.row != last.row) {
            if (count > 0) note_run(tally, edges, position, count, seen);
            position = throng_uic_position(s, at.column, at.row);
            if (position >= THRONG_UIC_NOWHERE) return false;
            last = at;
            count = seen = 0;
        }
        count++;
        seen |= 1U << edge_of(at);
    }
    if (count > 0) note_run(tally, edges, position, count, seen);
    return true;
}

static void count_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const chunks *c = context;
    throng_uic *s = c->s;
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t *tally = s->tally_tile + chunk * s->tile_count;
        uint16_t *edges = s->edge_tile + chunk * s->tile_count;
        size_t last = (chunk + 1) * c->each < s->count ? (chunk + 1) * c->each : s->count;
        if (s->tile_count > 0) { /* else there is no memory to speak of */
            memset(tally, 0, s->tile_count * sizeof *tally);
            memset(edges, 0, s->tile_count * sizeof *edges);
        }
        c->lost[chunk] = !count_chunk(s, (uint32_t)(chunk * c->each), (uint32_t)last, tally, edges);
    }
}

/* What everybody needs, one by one: at the beginning, and when somebody appears where nobody was. */
static void need_all(throng_uic *s) {
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell);
    spot last = {INT32_MIN, INT32_MIN, 0, 0};
    unsigned done = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->mixed && !law_of(s, i)) walk_on(s, i);
        spot at = find_spot(s, throng_uic_here(s, i), per_tile);
        unsigned edge = 1U << edge_of(at);
        if (at.column != last.column || at.row != last.row) done = 0;
        if (done & edge) continue;
        last = at;
        done |= edge;
        throng_uic_need_around(s, at.column, at.row, edge);
    }
}

/* What people in the tiles there are need. */
static void need_by_tile(throng_uic *s, size_t chunk_count) {
    for (size_t k = 0; k < s->tile_count; k++) {
        const throng_uic_tile *tile = throng_uic_tile_at(s, k);
        unsigned edges = 0;
        for (size_t chunk = 0; chunk < chunk_count; chunk++) edges |= s->edge_tile[chunk * s->tile_count + k];
        throng_uic_need_around(s, tile->column, tile->row, edges);
    }
}

static void make_tally_room(throng_uic *s, const chunks *c) {
    THRONG_GROW(s->tally_tile, s->tally_capacity, c->count * s->tile_count);
    THRONG_GROW(s->edge_tile, s->edge_capacity, c->count * s->tile_count);
}

/* Counts, and sees to it that all tiles are there. */
static void count_all(throng_uic *s, chunks *c) {
    bool lost = false;
    make_tally_room(s, c);
    throng_parallel_for(s->now->crew, c->count, 1, count_chunks, c);
    for (size_t k = 0; k < c->count; k++) lost |= c->lost[k];
    throng_uic_begin_needs(s);
    if (lost)
        need_all(s);
    else
        need_by_tile(s, c->count);
    if (!throng_uic_meet_needs(s)) return;
    make_tally_room(s, c);
    throng_parallel_for(s->now->crew, c->count, 1, count_chunks, c);
}

/* --- lining up */

/* What the last one took of a cell: most people are alike. */
typedef struct share {
    double d, alpha;
    float part;
} share;

static inline float part_of_cell(const throng_uic *s, share *last, double d, double alpha) {
    if (d != last->d || alpha != last->alpha)
        *last = (share){d, alpha, (float)(root3 * d * d / (2 * alpha) * (1 / (s->cell * s->cell)))};
    return last->part;
}

/* What somebody is and wants. */
static inline void take(const throng_uic *s, uint32_t number, uint32_t row, share *last, throng_uic_person *to) {
    const throng_step *now = s->now;
    const throng_uic_params *p = now->params[now->profile[row]];
    double d = 2 * now->radius[row];
    to->number = number;
    if (p) {
        double speed = now->desired_speed[row], most = now->max_speed[row];
        if (p->d_min > 0) d = p->d_min;
        to->wish_x = (float)(now->wish_x[row] + now->push_x[row] * now->dt);
        to->wish_y = (float)(now->wish_y[row] + now->push_y[row] * now->dt);
        to->pace = (float)(speed < most ? speed : most);
        to->part = part_of_cell(s, last, d, p->alpha);
    } else {
        throng_point v = foreign_velocity(s, number);
        if (s->law.d_min > d) d = s->law.d_min;
        to->wish_x = (float)v.x;
        to->wish_y = (float)v.y;
        to->pace = 0;
        to->part = -part_of_cell(s, last, d, s->law.alpha);
    }
    to->body = (float)d;
}

static void line_up_chunk(throng_uic *s, uint32_t begin, uint32_t end, uint32_t *next) {
    double side = THRONG_UIC_TILE * s->cell, per_tile = 1 / side, low_x = 0, low_y = 0;
    spot last = {INT32_MIN, INT32_MIN, 0, 0};
    const double *x = s->now->x, *y = s->now->y;
    throng_uic_person *lined = s->lined;
    bool plain = is_plain(s, end);
    share share_of_last = {0};
    uint32_t position = 0;
    for (uint32_t i = begin; i < end; i++) {
        throng_point here = plain ? (throng_point){x[i], y[i]} : throng_uic_here(s, i);
        spot at = find_spot(s, here, per_tile);
        if (at.column != last.column || at.row != last.row) {
            position = throng_uic_position(s, at.column, at.row);
            low_x = s->origin_x + side * at.column;
            low_y = s->origin_y + side * at.row;
            last = at;
        }
        throng_uic_person person;
        person.x = (float)(here.x - low_x);
        person.y = (float)(here.y - low_y);
        take(s, i, plain ? i : throng_uic_row(s, i), &share_of_last, &person);
        lined[next[position]++] = person;
    }
}

static void line_up_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const chunks *c = context;
    throng_uic *s = c->s;
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t last = (chunk + 1) * c->each < s->count ? (chunk + 1) * c->each : s->count;
        line_up_chunk(s, (uint32_t)(chunk * c->each), (uint32_t)last, s->tally_tile + chunk * s->tile_count);
    }
}

static void line_up(throng_uic *s) {
    bool lost[CHUNKS_MOST];
    chunks c = {.s = s, .lost = lost};
    c.count = s->count / CHUNK_LEAST + 1 < CHUNKS_MOST ? s->count / CHUNK_LEAST + 1 : CHUNKS_MOST;
    c.each = (s->count + c.count - 1) / c.count;
    count_all(s, &c);
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

/* The bin of everybody in a tile, counted. */
static void find_bins(throng_uic *s, uint32_t first, uint32_t last, uint32_t *start) {
    int across = s->bins * THRONG_UIC_TILE;
    float scale = (float)(s->bins / s->cell);
    const throng_uic_person *lined = s->lined;
    uint32_t *bin_of = s->bin_of;
    for (uint32_t k = first; k < last; k++) {
        int column = (int)(lined[k].x * scale), row = (int)(lined[k].y * scale);
        column = column < 0 ? 0 : column < across ? column : across - 1;
        row = row < 0 ? 0 : row < across ? row : across - 1;
        bin_of[k] = (uint32_t)row << 16 | (uint32_t)column;
        start[row * across + column + 2]++;
    }
}

/* What the tile's people want of others, if they differ. */
static void line_up_body(throng_uic *s, uint32_t place, const throng_uic_person *person) {
    bool ours = person->part > 0;
    s->half[place] = 0.5F * (float)s->law.d_sep * person->body;
    s->give[place] = ours ? 0.5F : 1;
    s->most[place] = ours ? 0.5F * person->body : 0;
}

static void sort_tile(throng_uic *s, size_t position) {
    uint32_t across = (uint32_t)s->bins * THRONG_UIC_TILE, bins = across * across;
    uint32_t first = s->first[position], last = s->first[position + 1];
    uint32_t *start = s->bin_start + position * (bins + 2);
    memset(start, 0, (bins + 2) * sizeof *start);
    find_bins(s, first, last, start);
    start[1] = first;
    for (size_t b = 2; b < bins + 2; b++) start[b] += start[b - 1];
    /* copies: the compiler has to assume that what is written changes where to write */
    const throng_uic_person *lined = s->lined;
    const uint32_t *bin_of = s->bin_of;
    uint32_t *who = s->who, *places = s->image_count > 0 ? s->spot : NULL;
    uint8_t *column = s->bin_column;
    float *x = s->x, *y = s->y, *want_x = s->want_x, *want_y = s->want_y, *pace = s->pace, *part = s->part;
    bool alike = s->alike;
    for (uint32_t k = first; k < last; k++) {
        throng_uic_person person = lined[k];
        uint32_t place = start[(bin_of[k] >> 16) * across + (bin_of[k] & 0xFFFF) + 1]++;
        if (places) places[person.number] = place;
        who[place] = person.number;
        column[place] = (uint8_t)bin_of[k];
        x[place] = person.x;
        y[place] = person.y;
        want_x[place] = person.wish_x;
        want_y[place] = person.wish_y;
        pace[place] = person.pace;
        part[place] = person.part;
        if (!alike) line_up_body(s, place, &person);
    }
    start[0] = first;
}

static void sort_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    for (size_t k = begin; k < end; k++) sort_tile(context, k);
}

void throng_uic_place_people(throng_uic *s) {
    line_up(s);
    if (s->tiles_changed) throng_uic_lay_levels(s);
    s->tiles_changed = false;
    /* nobody nearer than d_sep stands beyond the next bin */
    double bins = floor(s->cell / (s->law.d_sep * (double)s->body_most));
    s->bins = bins < 1 ? 1 : bins < THRONG_UIC_BINS_MOST ? (int)bins : THRONG_UIC_BINS_MOST;
    size_t across = (size_t)s->bins * THRONG_UIC_TILE;
    THRONG_GROW(s->bin_start, s->bin_capacity, s->tile_count * (across * across + 2));
    throng_uic_each_tile(s, sort_tiles);
}
