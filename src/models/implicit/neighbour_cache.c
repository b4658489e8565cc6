/* neighbour_cache.c: neighbour lists with a skin, which serve for several steps (Verlet lists).
 *
 * In short steps nobody gets far, and who may matter to whom, and which walls to whom, hardly changes. So lists are
 * made with a skin: as if everybody reached farther, by so much that they miss nobody while all are within `skin` of
 * where they were when they were last noted. Whoever uses a list looks at where people are now: a row has more people
 * in it than matter, and they are judged all the same. What walls hide, and which walls beyond a step's reach are
 * looked at, is as it was then, as if people looked around not in every step but every few decimetres.
 *
 * When somebody has got too far, all of its island (islands.c) are noted anew, where they are now, and so is who has
 * just come. Nobody else is: what a step does depends on where one's own island was noted, in the last digits and by
 * what walls hide, and must not depend on strangers. Lists are then made again for all, and are the same for the
 * others. People who leave keep their slots until their island is noted again, far away from everybody. Where everybody
 * was noted is kept in checkpoints. All lists follow from that, and are made again from it after a restart.
 *
 * People of other models and things are never members: lists are made in each step while there are any, with all of
 * them where they are now, so that members are noted as if there were none.
 *
 * Nothing is cached when steps are so long that nothing would be gained, and where the world wraps. */

#include <string.h>

#include "base/archive.h"
#include "base/memory.h"
#include "models/common.h"
#include "models/implicit/walkers.h"

static const double skin_most = 0.5;   /* m: beyond it lists get so long that they cost more than they save */
static const double skin_strides = 16; /* steps of somebody who walks as most do, if that is less */
static const double strides_least = 2; /* fewer steps are not worth a skin */
static const double usual_speed = 1.5; /* m/s */
static const double gone_most = 0.125; /* of all members; slots of people who have left cost time too */
static const double nowhere = 1e30;    /* m */

#define A(field) THRONG_ARRAY(throng_implicit_cache, field)
static const throng_array arrays[] = {A(x),          A(y),    A(vx),       A(vy),     A(row),    A(row_of),
                                      A(merged_row), A(mine), A(own_rows), A(others), A(islands)};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

void throng_implicit_release_cache(throng_implicit_cache *c) {
    throng_near_destroy(c->grid);
    THRONG_RELEASE(c->members, c->merged);
    throng_arrays_release(c, arrays, ARRAYS);
}

uint64_t throng_implicit_number_walls(const throng_walls *walls) {
    uint64_t number = walls->count;
    for (size_t k = 0; k < walls->count; k++) {
        uint64_t words[3] = {0, 0, (uint64_t)walls->next[k] << 8 | walls->thin[k]};
        memcpy(&words[0], &walls->x[k], sizeof words[0]);
        memcpy(&words[1], &walls->y[k], sizeof words[1]);
        for (int n = 0; n < 3; n++) number = throng_mix(number ^ words[n]) + 0x9E3779B97F4A7C15u;
    }
    return number;
}

/* What is read may be anything: members have to be somewhere on earth. */
static bool is_sound(const throng_implicit_cache *c) {
    for (size_t k = 0; k < c->count; k++) {
        const throng_implicit_member *m = &c->members[k];
        if (!(fabs(m->x) < 1e8 && fabs(m->y) < 1e8 && m->radius > 1e-6 && m->radius < 1e4 && m->cap > 0 &&
              m->cap < 1e6 && m->island < c->count && (k == 0 || m->id > m[-1].id)))
            return false;
    }
    return c->count == 0 || (c->dt > 0 && c->dt < 1e6 && c->count < UINT32_MAX);
}

void throng_implicit_archive_cache(throng_implicit_cache *c, throng_archive *archive) {
    THRONG_ARCHIVE_LIST(archive, c->members, c->count, c->capacity);
    THRONG_ARCHIVE(archive, c->dt);
    THRONG_ARCHIVE(archive, c->neighbour_dist);
    THRONG_ARCHIVE(archive, c->hidden);
    THRONG_ARCHIVE(archive, c->walls);
    if (!archive->reading) return;
    c->listed = false;
    if (is_sound(c)) return;
    throng_archive_spoil(archive, "somebody of 'implicit' was nowhere");
    c->count = 0;
}

/* --- whether it serves */

static double skin_of(double dt) {
    double stride = usual_speed * dt;
    return strides_least * stride > skin_most ? 0 : fmin(skin_most, skin_strides * stride);
}

static bool is_worth_it(const throng_step *now) { return now->near->image_margin == 0 && skin_of(now->dt) > 0; }

static throng_implicit_member note(const throng_implicit_walkers *w, uint32_t row) {
    const throng_step *now = w->now;
    return (throng_implicit_member){.id = now->people.id[row],
                                    .x = now->people.x[row],
                                    .y = now->people.y[row],
                                    .radius = now->people.radius[row],
                                    .cap = throng_implicit_cap(w, row)};
}

static bool is_as_before(const throng_implicit_cache *c, const throng_implicit_member *then,
                         const throng_implicit_member *now) {
    double dx = now->x - then->x, dy = now->y - then->y;
    return then->radius == now->radius && then->cap == now->cap && dx * dx + dy * dy <= c->skin * c->skin;
}

static void reserve(throng_implicit_cache *c, size_t count) {
    if (!c->grid) c->grid = throng_near_create();
    THRONG_GROW(c->merged, c->merged_capacity, count);
    THRONG_GROW(c->members, c->capacity, count);
    if (!throng_arrays_grow(c, arrays, ARRAYS, &c->room, count)) return;
    c->listed = false;
    throng_near_reserve(c->grid, c->room);
}

/* Lists own people, in order of id, and all others. */
static void tell_apart(throng_implicit_cache *c, const throng_step *now) {
    size_t own = 0, other = 0, mine = 0;
    for (size_t k = 0; k < now->people.count; k++) {
        uint32_t row = now->people.by_id[k];
        if (now->params[now->people.profile[row]]) c->own_rows[own++] = row;
    }
    for (uint32_t slot = 0; slot < now->near->count && c->other_count > 0; slot++) {
        if (mine < now->mine_count && now->mine[mine] == slot)
            mine++;
        else
            c->others[other++] = slot;
    }
}

/* Finds the rows of members, and the islands that have to be noted anew. Returns whether there are any, or new people.
 */
static bool find_stale(throng_implicit_cache *c, const throng_implicit_walkers *w) {
    const throng_step *now = w->now;
    size_t n = 0;
    bool any = false;
    memset(c->islands, 0, c->count * sizeof *c->islands);
    for (size_t k = 0; k < c->count; k++) {
        const throng_implicit_member *m = &c->members[k];
        throng_implicit_cached_island *island = &c->islands[m->island];
        for (; n < now->mine_count && now->people.id[c->own_rows[n]] < m->id; n++) any = true;
        bool here = n < now->mine_count && now->people.id[c->own_rows[n]] == m->id;
        c->row_of[k] = here ? c->own_rows[n++] : UINT32_MAX;
        island->people++;
        island->gone += !here;
        if (!here) continue;
        throng_implicit_member then = note(w, c->row_of[k]);
        if (!is_as_before(c, m, &then)) island->stale = any = true;
    }
    for (size_t k = 0; k < c->count; k++) {
        throng_implicit_cached_island *island = &c->islands[k];
        if ((double)island->gone > gone_most * (double)island->people) island->stale = any = true;
    }
    return any || n < now->mine_count;
}

/* Notes those of stale islands and new people where they are now. */
static void note_anew(throng_implicit_cache *c, const throng_implicit_walkers *w) {
    const throng_step *now = w->now;
    size_t n = 0, count = 0, gone = 0;
    for (size_t k = 0; k < c->count; k++) gone += c->islands[k].gone;
    reserve(c, now->mine_count + gone + c->other_count);
    for (size_t k = 0; k < c->count || n < now->mine_count;) {
        bool newcomer = k == c->count || (n < now->mine_count && now->people.id[c->own_rows[n]] < c->members[k].id);
        bool here = newcomer || c->row_of[k] != UINT32_MAX;
        bool anew = newcomer || c->islands[c->members[k].island].stale;
        if (here || !anew) {
            c->merged[count] = anew ? note(w, c->own_rows[n]) : c->members[k];
            c->merged_row[count++] = here ? c->own_rows[n] : UINT32_MAX;
        }
        n += here;
        k += !newcomer;
    }
    throng_implicit_member *members = c->members;
    uint32_t *rows = c->row_of;
    size_t capacity = c->capacity;
    c->members = c->merged, c->merged = members;
    c->capacity = c->merged_capacity, c->merged_capacity = capacity;
    c->row_of = c->merged_row, c->merged_row = rows;
    c->count = count;
    c->listed = false;
}

void throng_implicit_note_islands(throng_implicit_cache *c, const uint32_t *of) {
    if (c->count == 0) return;
    for (size_t slot = 0; slot < c->then->count; slot++) {
        if (!throng_implicit_is_other(c, (uint32_t)slot)) c->members[c->then->row[slot]].island = of[slot];
    }
}

/* The cells of members, where they were, and of others, where they are. */
static void sort_members(throng_implicit_cache *c, const throng_step *now) {
    for (size_t k = 0; k < c->count; k++) {
        c->x[k] = c->members[k].x;
        c->y[k] = c->members[k].y;
        c->vx[k] = c->members[k].radius;
    }
    for (size_t k = 0; k < c->other_count; k++) {
        c->x[c->count + k] = now->near->x[c->others[k]];
        c->y[c->count + k] = now->near->y[c->others[k]];
        c->vx[c->count + k] = now->near->radius[c->others[k]];
    }
    size_t count = c->count + c->other_count;
    c->then = throng_near_build(
        c->grid, now->crew,
        &(throng_near_input){
            .people = {.count = count, .x = c->x, .y = c->y, .vx = c->x, .vy = c->y, .radius = c->vx}});
}

/* Where everybody is now, in those slots. */
static void fill_slots(throng_implicit_cache *c, const throng_step *now) {
    c->mine_count = 0;
    for (uint32_t slot = 0; slot < c->then->count; slot++) {
        if (throng_implicit_is_other(c, slot)) {
            uint32_t other = c->others[c->then->row[slot] - c->count];
            c->row[slot] = now->near->row[other];
            c->x[slot] = now->near->x[other];
            c->y[slot] = now->near->y[other];
            c->vx[slot] = now->near->vx[other];
            c->vy[slot] = now->near->vy[other];
            continue;
        }
        uint32_t row = c->row_of[c->then->row[slot]];
        bool here = row != UINT32_MAX;
        c->row[slot] = here ? row : 0;
        c->x[slot] = here ? now->people.x[row] : nowhere;
        c->y[slot] = here ? now->people.y[row] : nowhere;
        c->vx[slot] = here ? now->people.vx[row] : 0;
        c->vy[slot] = here ? now->people.vy[row] : 0;
        if (here) c->mine[c->mine_count++] = slot;
    }
    c->near = *c->then;
    c->near.row = c->row;
    c->near.slot = NULL;
    c->near.x = c->x, c->near.y = c->y, c->near.vx = c->vx, c->near.vy = c->vy;
    c->near.drift = c->skin;
}

static void go_without(throng_implicit_cache *c, throng_implicit_walkers *w) {
    const throng_step *now = w->now;
    c->count = 0;
    c->listed = false;
    w->near = now->near;
    w->mine = now->mine;
    w->mine_count = now->mine_count;
    w->gone = 0;
    w->skin = 0;
    w->then_x = now->near->x;
    w->then_y = now->near->y;
}

/* Whether it was made with the same settings. */
static bool is_of(const throng_implicit_cache *c, const throng_implicit_cache *now) {
    return c->dt == now->dt && c->neighbour_dist == now->neighbour_dist && c->hidden == now->hidden &&
           c->walls == now->walls;
}

void throng_implicit_open_cache(throng_implicit_cache *c, throng_implicit_walkers *w, double hidden, uint64_t walls) {
    if (!is_worth_it(w->now)) {
        go_without(c, w);
        return;
    }
    throng_implicit_cache now = {
        .dt = w->now->dt, .neighbour_dist = w->neighbour_dist, .hidden = hidden, .walls = walls};
    if (!is_of(c, &now)) c->count = 0;
    c->dt = now.dt, c->neighbour_dist = now.neighbour_dist, c->hidden = hidden, c->walls = walls;
    c->skin = skin_of(c->dt);
    size_t others = w->now->near->count - w->now->mine_count;
    if (others > 0 || c->other_count > 0) c->listed = false;
    c->other_count = others;
    reserve(c, (c->count > w->now->mine_count ? c->count : w->now->mine_count) + others);
    tell_apart(c, w->now);
    if (find_stale(c, w)) note_anew(c, w);
    if (!c->listed) sort_members(c, w->now);
    fill_slots(c, w->now);
    w->near = &c->near;
    w->mine = c->mine;
    w->mine_count = c->mine_count;
    w->gone = c->count - c->mine_count;
    w->skin = c->skin;
    w->then_x = c->then->x;
    w->then_y = c->then->y;
}
