/* frame.c: lists that serve for several steps.
 *
 * In short steps nobody gets far, and who may matter to whom, and which walls to whom, hardly changes. So lists are
 * made with a skin: as if everybody reached farther, by so much that they miss nobody while all are within `slack` of
 * where they were when the lists were made. Whoever uses a list looks at where people are now: a row has more people in
 * it than matter, and they are judged all the same. What walls hide, and which walls beyond a step's reach are looked
 * at, is as it was then, as if people looked around not in every step but every few decimetres.
 *
 * Slots stay those of the grid when the lists were made; people who leave since have theirs until the next time, far
 * away from everybody. Sums over people are made in order of slots, so what a step does depends, in the last digits, on
 * when the lists were made: where everybody was then is kept in checkpoints. All lists follow from that, and are made
 * again from it after a restart.
 *
 * There is no frame, and lists are made anew in each step, when steps are so long that nothing would be gained, when
 * there are others than people of this model, and where the world wraps. */

#include <string.h>

#include "base/archive.h"
#include "base/memory.h"
#include "models/implicit/implicit.h"

static const double slack_most = 0.5;   /* m: beyond it lists get so long that they cost more than they save */
static const double slack_strides = 16; /* steps at the highest speed that anybody wishes for, if that is less */
static const double strides_least = 2;  /* fewer steps are not worth a skin */
static const double gone_most = 0.125;  /* of all members; slots of people who have left cost time too */
static const double nowhere = 1e30;     /* m */

void throng_implicit_release_frame(throng_implicit_frame *f) {
    throng_near_destroy(f->grid);
    void *owned[] = {f->members, f->x, f->y, f->vx, f->vy, f->row, f->row_of, f->mine};
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
static bool is_sound(const throng_implicit_frame *f) {
    for (size_t k = 0; k < f->count; k++) {
        const throng_implicit_member *m = &f->members[k];
        if (!(fabs(m->x) < 1e8 && fabs(m->y) < 1e8 && m->radius > 1e-6 && m->radius < 1e4 && m->cap > 0 &&
              m->cap < 1e6))
            return false;
    }
    return f->count == 0 || (f->dt > 0 && f->dt < 1e6 && f->count < UINT32_MAX);
}

void throng_implicit_archive_frame(throng_implicit_frame *f, throng_archive *archive) {
    THRONG_ARCHIVE_LIST(archive, f->members, f->count, f->capacity);
    THRONG_ARCHIVE(archive, f->dt);
    THRONG_ARCHIVE(archive, f->neighbour_dist);
    THRONG_ARCHIVE(archive, f->hidden);
    THRONG_ARCHIVE(archive, f->walls);
    if (!archive->reading) return;
    f->listed = false;
    if (is_sound(f)) return;
    throng_archive_spoil(archive, "somebody of 'implicit' was nowhere");
    f->count = 0;
}

/* --- whether it serves */

static double slack_of(double cap_most, double dt) {
    double stride = cap_most / 3 * dt;
    return strides_least * stride > slack_most ? 0 : fmin(slack_most, slack_strides * stride);
}

/* Whether people of this model are alone, in steps short enough. */
static bool is_worth_it(const throng_implicit *s) {
    const throng_step *now = s->now;
    double most = 0;
    if (now->near->image_margin > 0 || now->mine_count != now->people.count || now->near->count != now->people.count)
        return false;
    for (size_t row = 0; row < now->people.count; row++) most = fmax(most, now->people.desired_speed[row]);
    return slack_of(throng_implicit_cap(s, most), now->dt) > 0;
}

static bool is_as_before(const throng_implicit *s, const throng_implicit_member *m, size_t row) {
    const throng_step *now = s->now;
    double dx = now->people.x[row] - m->x, dy = now->people.y[row] - m->y, slack = s->frame.slack;
    return m->radius == now->people.radius[row] && m->cap == throng_implicit_cap(s, now->people.desired_speed[row]) &&
           dx * dx + dy * dy <= slack * slack;
}

/* Whether everybody is a member, in the same order, and near where it was; says which rows members have now. */
static bool find_members(throng_implicit *s) {
    throng_implicit_frame *f = &s->frame;
    const throng_step *now = s->now;
    size_t member = 0;
    if (now->people.count > f->count || (double)(f->count - now->people.count) > gone_most * (double)f->count)
        return false;
    for (size_t row = 0; row < now->people.count; row++, member++) {
        while (member < f->count && f->members[member].id != now->people.id[row]) f->row_of[member++] = UINT32_MAX;
        if (member == f->count || !is_as_before(s, &f->members[member], row)) return false;
        f->row_of[member] = (uint32_t)row;
    }
    for (; member < f->count; member++) f->row_of[member] = UINT32_MAX;
    return true;
}

static bool does_serve(throng_implicit *s, double hidden) {
    const throng_implicit_frame *f = &s->frame;
    return f->count > 0 && f->dt == s->now->dt && f->neighbour_dist == s->neighbour_dist && f->hidden == hidden &&
           f->walls == s->walls_number && find_members(s);
}

/* --- a new one */

static void reserve(throng_implicit_frame *f, size_t count) {
    if (!f->grid) f->grid = throng_near_create();
    THRONG_GROW(f->members, f->capacity, count);
    if (count <= f->room) return;
    f->room = count + count / 8;
    throng_near_reserve(f->grid, f->room);
    double **numbers[] = {&f->x, &f->y, &f->vx, &f->vy};
    for (size_t k = 0; k < 4; k++) *numbers[k] = throng_reallocate(*numbers[k], f->room * sizeof **numbers[k]);
    uint32_t **whole[] = {&f->row, &f->row_of, &f->mine};
    for (size_t k = 0; k < 3; k++) *whole[k] = throng_reallocate(*whole[k], f->room * sizeof **whole[k]);
}

static double slack_of_members(const throng_implicit_frame *f, double dt) {
    double most = 0;
    for (size_t k = 0; k < f->count; k++) most = fmax(most, f->members[k].cap);
    return slack_of(most, dt);
}

static void begin_anew(throng_implicit *s, double hidden) {
    throng_implicit_frame *f = &s->frame;
    const throng_step *now = s->now;
    f->count = now->people.count;
    f->dt = now->dt;
    f->neighbour_dist = s->neighbour_dist;
    f->hidden = hidden;
    f->walls = s->walls_number;
    f->listed = false;
    for (size_t row = 0; row < now->people.count; row++) {
        f->members[row] = (throng_implicit_member){.id = now->people.id[row],
                                                   .x = now->people.x[row],
                                                   .y = now->people.y[row],
                                                   .radius = now->people.radius[row],
                                                   .cap = throng_implicit_cap(s, now->people.desired_speed[row])};
        f->row_of[row] = (uint32_t)row;
    }
    f->slack = slack_of_members(f, now->dt);
}

/* The cells of members, where they were. */
static void sort_members(throng_implicit *s) {
    throng_implicit_frame *f = &s->frame;
    for (size_t k = 0; k < f->count; k++) {
        f->x[k] = f->members[k].x;
        f->y[k] = f->members[k].y;
        f->vx[k] = f->members[k].radius;
    }
    f->then = throng_near_build(
        f->grid, s->now->crew,
        &(throng_near_input){
            .people = {.count = f->count, .x = f->x, .y = f->y, .vx = f->x, .vy = f->y, .radius = f->vx}});
}

/* Where everybody is now, in those slots. */
static void fill_slots(throng_implicit *s) {
    throng_implicit_frame *f = &s->frame;
    const throng_step *now = s->now;
    f->mine_count = 0;
    for (uint32_t slot = 0; slot < f->count; slot++) {
        uint32_t row = f->row_of[f->then->row[slot]];
        bool here = row != UINT32_MAX;
        f->row[slot] = here ? row : 0;
        f->x[slot] = here ? now->people.x[row] : nowhere;
        f->y[slot] = here ? now->people.y[row] : nowhere;
        f->vx[slot] = here ? now->people.vx[row] : 0;
        f->vy[slot] = here ? now->people.vy[row] : 0;
        if (here) f->mine[f->mine_count++] = slot;
    }
    f->near = *f->then;
    f->near.row = f->row;
    f->near.slot = NULL;
    f->near.x = f->x, f->near.y = f->y, f->near.vx = f->vx, f->near.vy = f->vy;
    f->near.drift = f->slack;
}

/* --- entering it */

static void go_without(throng_implicit *s) {
    const throng_step *now = s->now;
    s->frame.count = 0;
    s->frame.listed = false;
    s->near = now->near;
    s->mine = now->mine;
    s->mine_count = now->mine_count;
    s->gone = 0;
    s->slack = 0;
    s->then_x = now->near->x;
    s->then_y = now->near->y;
}

void throng_implicit_enter_frame(throng_implicit *s, double hidden) {
    throng_implicit_frame *f = &s->frame;
    if (!is_worth_it(s)) {
        go_without(s);
        return;
    }
    reserve(f, f->count > s->now->people.count ? f->count : s->now->people.count);
    f->slack = slack_of_members(f, f->dt);
    if (!does_serve(s, hidden)) begin_anew(s, hidden);
    if (!f->listed) sort_members(s);
    fill_slots(s);
    s->near = &f->near;
    s->mine = f->mine;
    s->mine_count = f->mine_count;
    s->gone = f->count - f->mine_count;
    s->slack = f->slack;
    s->then_x = f->then->x;
    s->then_y = f->then->y;
}
