/* neighbour_cache.c: neighbour lists with a skin, which serve for several steps (Verlet lists).
 *
 * In short steps nobody gets far, and who may matter to whom, and which walls to whom, hardly changes. So lists are
 * made with a skin: as if everybody reached farther, by so much that they miss nobody while all are within `skin` of
 * where they were when the lists were made. Whoever uses a list looks at where people are now: a row has more people in
 * it than matter, and they are judged all the same. What walls hide, and which walls beyond a step's reach are looked
 * at, is as it was then, as if people looked around not in every step but every few decimetres.
 *
 * Slots stay those of the grid when the lists were made; people who leave since have theirs until the next time, far
 * away from everybody. Sums over people are made in order of slots, so what a step does depends, in the last digits, on
 * when the lists were made: where everybody was then is kept in checkpoints. All lists follow from that, and are made
 * again from it after a restart.
 *
 * Nothing is cached, and lists are made anew in each step, when steps are so long that nothing would be gained, when
 * there are others than people of this model, and where the world wraps. */

#include <string.h>

#include "base/archive.h"
#include "base/memory.h"
#include "models/implicit/walkers.h"

static const double skin_most = 0.5;   /* m: beyond it lists get so long that they cost more than they save */
static const double skin_strides = 16; /* steps at the highest speed that anybody wishes for, if that is less */
static const double strides_least = 2; /* fewer steps are not worth a skin */
static const double gone_most = 0.125; /* of all members; slots of people who have left cost time too */
static const double nowhere = 1e30;    /* m */

void throng_implicit_release_cache(throng_implicit_cache *c) {
    throng_near_destroy(c->grid);
    void *owned[] = {c->members, c->x, c->y, c->vx, c->vy, c->row, c->row_of, c->mine};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) throng_release(owned[k]);
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
              m->cap < 1e6))
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

static double skin_of(double cap_most, double dt) {
    double stride = cap_most / 3 * dt;
    return strides_least * stride > skin_most ? 0 : fmin(skin_most, skin_strides * stride);
}

/* Whether people of this model are alone, in steps short enough. */
static bool is_worth_it(const throng_implicit_walkers *w) {
    const throng_step *now = w->now;
    double most = 0;
    if (now->near->image_margin > 0 || now->mine_count != now->people.count || now->near->count != now->people.count)
        return false;
    for (size_t row = 0; row < now->people.count; row++) most = fmax(most, now->people.desired_speed[row]);
    return skin_of(throng_implicit_cap(w, most), now->dt) > 0;
}

static bool is_as_before(const throng_implicit_cache *c, const throng_implicit_walkers *w,
                         const throng_implicit_member *m, size_t row) {
    const throng_step *now = w->now;
    double dx = now->people.x[row] - m->x, dy = now->people.y[row] - m->y, skin = c->skin;
    return m->radius == now->people.radius[row] && m->cap == throng_implicit_cap(w, now->people.desired_speed[row]) &&
           dx * dx + dy * dy <= skin * skin;
}

/* Whether everybody is a member, in the same order, and near where it was; says which rows members have now. */
static bool find_members(throng_implicit_cache *c, const throng_implicit_walkers *w) {
    const throng_step *now = w->now;
    size_t member = 0;
    if (now->people.count > c->count || (double)(c->count - now->people.count) > gone_most * (double)c->count)
        return false;
    for (size_t row = 0; row < now->people.count; row++, member++) {
        while (member < c->count && c->members[member].id != now->people.id[row]) c->row_of[member++] = UINT32_MAX;
        if (member == c->count || !is_as_before(c, w, &c->members[member], row)) return false;
        c->row_of[member] = (uint32_t)row;
    }
    for (; member < c->count; member++) c->row_of[member] = UINT32_MAX;
    return true;
}

static bool does_serve(throng_implicit_cache *c, const throng_implicit_walkers *w, double hidden, uint64_t walls) {
    return c->count > 0 && c->dt == w->now->dt && c->neighbour_dist == w->neighbour_dist && c->hidden == hidden &&
           c->walls == walls && find_members(c, w);
}

/* --- a new one */

static void reserve(throng_implicit_cache *c, size_t count) {
    if (!c->grid) c->grid = throng_near_create();
    THRONG_GROW(c->members, c->capacity, count);
    if (count <= c->room) return;
    c->room = count + count / 8;
    throng_near_reserve(c->grid, c->room);
    double **numbers[] = {&c->x, &c->y, &c->vx, &c->vy};
    for (size_t k = 0; k < 4; k++) *numbers[k] = throng_reallocate(*numbers[k], c->room * sizeof **numbers[k]);
    uint32_t **whole[] = {&c->row, &c->row_of, &c->mine};
    for (size_t k = 0; k < 3; k++) *whole[k] = throng_reallocate(*whole[k], c->room * sizeof **whole[k]);
}

static double skin_of_members(const throng_implicit_cache *c, double dt) {
    double most = 0;
    for (size_t k = 0; k < c->count; k++) most = fmax(most, c->members[k].cap);
    return skin_of(most, dt);
}

static void begin_anew(throng_implicit_cache *c, const throng_implicit_walkers *w, double hidden, uint64_t walls) {
    const throng_step *now = w->now;
    c->count = now->people.count;
    c->dt = now->dt;
    c->neighbour_dist = w->neighbour_dist;
    c->hidden = hidden;
    c->walls = walls;
    c->listed = false;
    for (size_t row = 0; row < now->people.count; row++) {
        c->members[row] = (throng_implicit_member){.id = now->people.id[row],
                                                   .x = now->people.x[row],
                                                   .y = now->people.y[row],
                                                   .radius = now->people.radius[row],
                                                   .cap = throng_implicit_cap(w, now->people.desired_speed[row])};
        c->row_of[row] = (uint32_t)row;
    }
    c->skin = skin_of_members(c, now->dt);
}

/* The cells of members, where they were. */
static void sort_members(throng_implicit_cache *c, throng_crew *crew) {
    for (size_t k = 0; k < c->count; k++) {
        c->x[k] = c->members[k].x;
        c->y[k] = c->members[k].y;
        c->vx[k] = c->members[k].radius;
    }
    c->then = throng_near_build(
        c->grid, crew,
        &(throng_near_input){
            .people = {.count = c->count, .x = c->x, .y = c->y, .vx = c->x, .vy = c->y, .radius = c->vx}});
}

/* Where everybody is now, in those slots. */
static void fill_slots(throng_implicit_cache *c, const throng_step *now) {
    c->mine_count = 0;
    for (uint32_t slot = 0; slot < c->count; slot++) {
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

/* --- entering it */

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

void throng_implicit_open_cache(throng_implicit_cache *c, throng_implicit_walkers *w, double hidden, uint64_t walls) {
    if (!is_worth_it(w)) {
        go_without(c, w);
        return;
    }
    reserve(c, c->count > w->now->people.count ? c->count : w->now->people.count);
    c->skin = skin_of_members(c, c->dt);
    if (!does_serve(c, w, hidden, walls)) begin_anew(c, w, hidden, walls);
    if (!c->listed) sort_members(c, w->now->crew);
    fill_slots(c, w->now);
    w->near = &c->near;
    w->mine = c->mine;
    w->mine_count = c->mine_count;
    w->gone = c->count - c->mine_count;
    w->skin = c->skin;
    w->then_x = c->then->x;
    w->then_y = c->then->y;
}
