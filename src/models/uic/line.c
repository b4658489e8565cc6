/* line.c: everybody in a line, by tile, and within it by small bins, row after row; so everything that belongs to a
 * tile lies together.
 *
 * Rows of the world are cut into chunks that do not depend on the number of threads. First all count who stands in
 * which tile, then everybody is taken from the world's columns and put behind those of its tile who come before it,
 * then the people of each tile are sorted by bin, and by id within a bin: sums do not depend on the order of rows. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "models/uic/spot.h"
#include "models/uic/uic.h"

enum { CHUNK_LEAST = 4096, CHUNKS_MOST = 64 };

typedef struct chunks {
    throng_uic *s;
    size_t count, each;
    bool *lost; /* [chunk] somebody stands where there is no tile */
} chunks;

/* --- where somebody stands */

static inline const throng_uic_params *law_of(const throng_uic *s, uint32_t number) {
    return s->now->params[s->now->people.profile[throng_uic_row(s, number)]];
}

/* Those of other models walk on as they do. */
static throng_point foreign_velocity(const throng_uic *s, uint32_t number) {
    uint32_t slot = number < s->rows ? s->near->slot[number] : s->images.slots[number - s->rows];
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

static bool count_chunk(throng_uic *s, uint32_t begin, uint32_t end, uint32_t *tally, uint16_t *edges) {
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell);
    if (is_plain(s, end)) return s->kernel->count(s, begin, end, tally, edges);
    throng_uic_ground g = throng_uic_no_ground();
    for (uint32_t i = begin; i < end; i++) {
        if (s->mixed && !law_of(s, i)) walk_on(s, i);
        throng_uic_spot at = throng_uic_find_spot(s, throng_uic_here(s, i), per_tile);
        if (!throng_uic_is_on(&g, at) && !throng_uic_change_ground(s, &g, at)) return false;
        throng_uic_note_run(tally, edges, g.position, 1, 1U << throng_uic_edge_of(at));
    }
    return true;
}

static void count_chunks(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const chunks *c = context;
    throng_uic *s = c->s;
    for (size_t chunk = begin; chunk < end; chunk++) {
        uint32_t *tally = s->tile_count ? s->tally_tile + chunk * s->tile_count : NULL;
        uint16_t *edges = s->tile_count ? s->edge_tile + chunk * s->tile_count : NULL;
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
    throng_uic_spot last = {INT32_MIN, INT32_MIN, 0, 0};
    unsigned done = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->mixed && !law_of(s, i)) walk_on(s, i);
        throng_uic_spot at = throng_uic_find_spot(s, throng_uic_here(s, i), per_tile);
        unsigned edge = 1U << throng_uic_edge_of(at);
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

static float part_of_cell(const throng_uic *s, double d, double alpha) {
    return (float)(THRONG_UIC_ROOT3 * d * d / (2 * alpha) * (1 / (s->cell * s->cell)));
}

/* What somebody is and wants. */
static void take(const throng_uic *s, uint32_t number, uint32_t row, throng_uic_person *to) {
    const throng_step *now = s->now;
    const throng_uic_params *p = now->params[now->people.profile[row]];
    double d = 2 * now->people.radius[row];
    to->number = number;
    if (p) {
        double speed = now->people.desired_speed[row], most = now->people.max_speed[row];
        if (p->d_min > 0) d = p->d_min;
        to->wish_x = (float)(now->people.wish_x[row] + now->people.push_x[row] * now->dt);
        to->wish_y = (float)(now->people.wish_y[row] + now->people.push_y[row] * now->dt);
        to->pace = (float)(speed < most ? speed : most);
        to->part = part_of_cell(s, d, p->alpha);
    } else {
        throng_point v = foreign_velocity(s, number);
        if (s->law.d_min > d) d = s->law.d_min;
        to->wish_x = (float)v.x;
        to->wish_y = (float)v.y;
        to->pace = 0;
        to->part = -part_of_cell(s, d, s->law.alpha);
    }
    to->body = (float)d;
}

void throng_uic_line_up_one(throng_uic *s, const throng_uic_ground *g, uint32_t number, uint32_t to) {
    throng_uic_person *person = &s->lined[to];
    throng_point here = throng_uic_here(s, number);
    person->x = (float)(here.x - g->low_x);
    person->y = (float)(here.y - g->low_y);
    take(s, number, throng_uic_row(s, number), person);
    s->bin_of[to] = throng_uic_bin_of(s, person->x, person->y);
}

static void line_up_chunk(throng_uic *s, uint32_t begin, uint32_t end, uint32_t *next) {
    double per_tile = 1 / (THRONG_UIC_TILE * s->cell);
    if (is_plain(s, end)) {
        s->kernel->line_up(s, begin, end, next);
        return;
    }
    throng_uic_ground g = throng_uic_no_ground();
    for (uint32_t i = begin; i < end; i++) {
        throng_uic_spot at = throng_uic_find_spot(s, throng_uic_here(s, i), per_tile);
        if (!throng_uic_is_on(&g, at)) throng_uic_change_ground(s, &g, at);
        throng_uic_line_up_one(s, &g, i, next[g.position]++);
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

static void sort_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    for (size_t k = begin; k < end; k++) s->kernel->sort(s, k);
}

void throng_uic_place_people(throng_uic *s) {
    line_up(s);
    if (s->tiles_changed) throng_uic_lay_levels(s);
    s->tiles_changed = false;
    size_t across = (size_t)s->bins * THRONG_UIC_TILE;
    THRONG_GROW(s->bin_start, s->bin_capacity, s->tile_count * (across * across + 2));
    throng_uic_each_tile(s, sort_tiles);
    for (uint32_t place = 0; s->images.count > 0 && place < s->count; place++) s->spot[s->who[place]] = place;
}
