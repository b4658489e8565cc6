/* walkers.c: who takes part in a step of `implicit`: limits, and what wishes and they cost. */

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "models/implicit/implicit.h"

/* The limit of speed that the objective keeps: 3 times the desired speed. From 2 times on it costs. */
static const double cap_factor = 3, cap_free = 2.0 / 3;
static const double cap_strength = 2;  /* 1/s */
static const double speed_least = 0.1; /* m/s: who wishes for less is limited as if it wished for this */
static const double stride_most = 20;  /* m: nobody may go farther within a step */
static const double tie_least = 0.03;  /* of what holds a walker to its velocity: weaker ties are left out */
static const double first_firmness = 0.01, first_firmness_long = 0.03; /* of close pairs, and in long steps */
static const double dt_long = 0.2;                                     /* s */

enum { DOUBLES = 44 };

/* All columns of doubles by slot. */
static void list_columns(throng_implicit *s, double **columns[DOUBLES]) {
    double **all[DOUBLES] = {&s->vx,     &s->vy,     &s->trial_x, &s->trial_y, &s->old_x,     &s->old_y,     &s->goal_x,
                             &s->goal_y, &s->xi,     &s->cap,     &s->ref_x,   &s->ref_y,     &s->trust,     &s->gx,
                             &s->gy,     &s->hxx,    &s->hxy,     &s->hyy,     &s->ixx,       &s->ixy,       &s->iyy,
                             &s->step_x, &s->step_y, &s->rx,      &s->ry,      &s->zx,        &s->zy,        &s->dx,
                             &s->dy,     &s->qx,     &s->qy,      &s->scale,   &s->before_gx, &s->before_gy, &s->own_xx,
                             &s->own_xy, &s->own_yy, &s->kept_xx, &s->kept_xy, &s->kept_yy,   &s->wall_gap,  &s->push_x,
                             &s->push_y, &s->strike};
    memcpy(columns, all, sizeof all);
}

static void reserve(throng_implicit *s, size_t slots) {
    if (slots <= s->capacity) return;
    s->capacity = slots + slots / 8 + 64;
    double **columns[DOUBLES];
    list_columns(s, columns);
    for (size_t c = 0; c < DOUBLES; c++) {
        *columns[c] = throng_reallocate(*columns[c], s->capacity * sizeof(double));
    }
    uint32_t **whole[] = {&s->self,        &s->by_color,    &s->awake,
                          &s->wall_begin,  &s->wall_count,  &s->wall_strike_count,
                          &s->front_count, &s->ahead_count, &s->close_count};
    for (size_t c = 0; c < sizeof whole / sizeof *whole; c++) {
        *whole[c] = throng_reallocate(*whole[c], (s->capacity + 2) * sizeof(uint32_t));
    }
    s->wall_numbers = throng_reallocate(s->wall_numbers, s->capacity * THRONG_IMPLICIT_WALLS * sizeof *s->wall_numbers);
    throng_implicit_lists_reserve(s, s->capacity);
    uint8_t **bytes[] = {&s->own, &s->decided, &s->squeezed, &s->in_wall, &s->dirty, &s->stirred, &s->color};
    for (size_t c = 0; c < sizeof bytes / sizeof *bytes; c++) *bytes[c] = throng_reallocate(*bytes[c], s->capacity);
    size_t blocks = s->capacity / THRONG_IMPLICIT_BLOCK + 1;
    s->block_sum = throng_reallocate(s->block_sum, 4 * blocks * sizeof(double));
}

void throng_implicit_release(throng_implicit *s) {
    double **columns[DOUBLES];
    list_columns(s, columns);
    for (size_t c = 0; c < DOUBLES; c++) throng_release(*columns[c]);
    throng_implicit_lists_release(s);
    throng_implicit_release_frame(&s->frame);
    void *others[] = {
        s->self,         s->color,       s->by_color,   s->wall_begin, s->wall_count, s->wall_strike_count,
        s->wall_numbers, s->wall_near,   s->piece_room, s->ahead,      s->close,      s->front_count,
        s->ahead_count,  s->close_count, s->awake,      s->own,        s->decided,    s->squeezed,
        s->in_wall,      s->dirty,       s->stirred,    s->block_sum,  s->memory,     s->horizon};
    for (size_t c = 0; c < sizeof others / sizeof *others; c++) throng_release(others[c]);
    throng_release(s->scratch);
}

void throng_implicit_each_block(throng_implicit *s, size_t grain, throng_work work) {
    throng_parallel_for(s->now->crew, s->block_count, grain, work, s);
}

double throng_implicit_sum(const throng_implicit *s, int part) {
    const double *sums = s->block_sum + (size_t)part * s->block_count;
    double sum = 0;
    for (size_t b = 0; b < s->block_count; b++) sum += sums[b];
    return sum;
}

/* --- limits */

/* No pair that is not in sight may meet: neither in too long a step, nor across a seam. */
double throng_implicit_cap(const throng_implicit *s, double desired_speed) {
    double dt = s->now->dt, cap = cap_factor * fmax(desired_speed, speed_least);
    cap = fmin(cap, stride_most / dt);
    const throng_near *near = s->now->near;
    if (near->image_margin > 0) {
        double way = near->image_margin - 2 * near->radius_max - 2 * s->law.gc;
        cap = fmin(cap, fmax(way, 0.1) / (2 * dt));
    }
    return cap;
}

/* How far it may reach within the step, up to half the distance at which two repel. m */
static double strike_of(const throng_implicit *s, uint32_t slot, double speed) {
    return s->near->radius[slot] + 0.55 * s->law.gc + speed * s->law.dt;
}

static void take_own(throng_implicit *s, uint32_t slot) {
    const throng_step *now = s->now;
    uint32_t row = s->near->row[slot];
    const throng_implicit_params *params = now->params[now->people.profile[row]];
    s->own[slot] = 1;
    s->vx[slot] = s->old_x[slot] = now->people.vx[row];
    s->vy[slot] = s->old_y[slot] = now->people.vy[row];
    s->xi[slot] = params->xi;
    s->push_x[slot] = now->people.push_x[row];
    s->push_y[slot] = now->people.push_y[row];
    s->cap[slot] = throng_implicit_cap(s, now->people.desired_speed[row]);
    s->strike[slot] = strike_of(s, slot, s->cap[slot]);
}

static void take_walkers(throng_implicit *s) {
    const throng_near *near = s->near;
    memset(s->own, 0, near->count);
    memset(s->decided, 0, near->count);
    memset(s->squeezed, 0, near->count);
    for (size_t k = 0; k < s->mine_count; k++) take_own(s, s->mine[k]);
    throng_implicit_take_wishes(s);
    for (size_t slot = 0; slot < near->count; slot++) {
        uint32_t self = s->self[slot] = near->image_count > 0 ? near->slot[near->row[slot]] : (uint32_t)slot;
        s->strike[slot] = s->strike[self];
        if (s->own[self]) continue;
        double speed = sqrt(near->vx[slot] * near->vx[slot] + near->vy[slot] * near->vy[slot]);
        if (s->gone > 0) speed = s->cap[slot] = s->frame.members[s->frame.then->row[slot]].cap;
        s->strike[slot] = strike_of(s, (uint32_t)slot, speed);
        s->vx[slot] = s->trial_x[slot] = near->vx[slot];
        s->vy[slot] = s->trial_y[slot] = near->vy[slot];
        s->step_x[slot] = s->step_y[slot] = s->dx[slot] = s->dy[slot] = s->trust[slot] = 0;
        s->scale[slot] = 1;
    }
}

/* --- all of it */

static void make_room(throng_implicit *s) {
    reserve(s, s->near->count);
    size_t workers = (size_t)throng_crew_size(s->now->crew);
    if (workers <= s->workers && s->wall_near) return;
    if (workers > s->workers) {
        s->scratch = throng_reallocate(s->scratch, workers * sizeof *s->scratch);
        for (size_t w = s->workers; w < workers; w++) {
            s->scratch[w] = (throng_implicit_scratch){0};
        }
        s->workers = workers;
        s->row_room = 0;
        s->frame.listed = false;
    }
    throng_implicit_reserve_walls(s);
}

static throng_implicit_law law_of(const throng_implicit_params *p, double dt) {
    return (throng_implicit_law){.dt = dt,
                                 .k = p->k,
                                 .p = p->p,
                                 .tau0 = p->tau0,
                                 .eps = p->epsilon,
                                 .eta = p->eta,
                                 .kr = 0.1,
                                 .gc = 1,
                                 .printed = p->repulsion == THRONG_IMPLICIT_PAPER};
}

/* Those who have left since get theirs too: what there is for the others must not depend on when lists are made. */
static void make_lists(throng_implicit *s, bool sees_all) {
    s->rows_found = false;
    throng_implicit_take_all(s);
    if (s->gone > 0) {
        for (uint32_t slot = 0; slot < s->near->count; slot++) s->awake[slot] = slot;
        throng_implicit_decide_for(s, s->awake, s->near->count);
        memset(s->own, 1, s->near->count);
    }
    throng_implicit_find_walls(s, sees_all);
    throng_implicit_find(s);
    if (s->gone == 0) return;
    memset(s->own, 0, s->near->count);
    for (size_t k = 0; k < s->mine_count; k++) s->own[s->mine[k]] = 1;
}

void throng_implicit_begin(throng_implicit *s, const throng_step *now) {
    const throng_implicit_params *first = now->params[now->people.profile[now->near->row[now->mine[0]]]];
    s->now = now;
    s->law = law_of(first, now->dt);
    s->neighbour_dist = first->neighbour_dist;
    s->tie_least = tie_least * (1 / now->dt + first->xi);
    s->firmness = now->dt > dt_long ? first_firmness_long : first_firmness;
    throng_implicit_enter_frame(s, first->hidden);
    make_room(s);
    for (size_t w = 0; w < s->workers; w++) s->scratch[w].overlapping = false;
    take_walkers(s);
    throng_implicit_take_rows_back(s);
    if (!s->frame.listed) make_lists(s, first->hidden == THRONG_IMPLICIT_AVOIDED);
    s->frame.listed = s->near == &s->frame.near;
    s->rows_found = true;
    throng_implicit_take_all(s);
    throng_implicit_see_walls(s);
}

/* --- the walker's own share of the objective */

/* Nothing up to 2 times the desired speed, infinite at 3 times. */
static void add_cap(throng_term *t, double vx, double vy, double cap) {
    double speed2 = vx * vx + vy * vy, free_speed = cap_free * cap;
    if (speed2 <= free_speed * free_speed) return;
    double speed = sqrt(speed2), left = cap - speed, over = speed - free_speed, strength = cap_strength * cap;
    if (!(left > 0)) {
        *t = (throng_term){.energy = INFINITY};
        return;
    }
    double ratio = over / left, slope = strength * ratio * (2 + ratio);
    double curve = strength * 2 * (1 + ratio) * (1 + ratio) / left, nx = vx / speed, ny = vy / speed;
    double aside = slope / speed;
    t->energy += strength * over * ratio;
    t->gx += slope * nx;
    t->gy += slope * ny;
    t->hxx += curve * nx * nx + aside * ny * ny;
    t->hxy += (curve - aside) * nx * ny;
    t->hyy += curve * ny * ny + aside * nx * nx;
}

/* Without walls. */
static throng_term lone_term(const throng_implicit *s, uint32_t slot, double vx, double vy) {
    double push_x = s->push_x[slot], push_y = s->push_y[slot], xi = s->xi[slot], inertia = 1 / s->law.dt;
    double ax = vx - s->old_x[slot], ay = vy - s->old_y[slot], bx = vx - s->goal_x[slot], by = vy - s->goal_y[slot];
    throng_term t = {
        .energy = 0.5 * inertia * (ax * ax + ay * ay) + 0.5 * xi * (bx * bx + by * by) - push_x * vx - push_y * vy,
        .gx = inertia * ax + xi * bx - push_x,
        .gy = inertia * ay + xi * by - push_y,
        .hxx = inertia + xi,
        .hyy = inertia + xi};
    add_cap(&t, vx, vy, s->cap[slot]);
    return t;
}

static void add_term(throng_term *sum, throng_term t) {
    sum->energy += t.energy;
    sum->gx += t.gx;
    sum->gy += t.gy;
    sum->hxx += t.hxx;
    sum->hxy += t.hxy;
    sum->hyy += t.hyy;
}

/* The pieces of a crowd do not fit into the processor's nearest memory: asks for those that will be needed. */
static void fetch_pieces(const throng_walled *w) {
    for (uint32_t k = 0; k < w->ahead_count; k++) __builtin_prefetch(&w->pieces[w->ahead[k]]);
    for (uint32_t k = 0; k < w->close_count; k++) __builtin_prefetch(&w->pieces[w->close[k]]);
}

void throng_implicit_own_terms(const throng_implicit *s, const uint32_t *slots, size_t count, const double *vx,
                               const double *vy, int order, throng_term *terms) {
    throng_walled walled[THRONG_IMPLICIT_BLOCK];
    throng_term walls[THRONG_IMPLICIT_BLOCK];
    size_t which[THRONG_IMPLICIT_BLOCK], some = 0;
    assert(count <= THRONG_IMPLICIT_BLOCK);
    for (size_t k = 0; k < count; k++) {
        uint32_t slot = slots[k], begin = s->wall_begin[slot];
        terms[k] = lone_term(s, slot, vx[k], vy[k]);
        if (s->ahead_count[slot] + s->close_count[slot] == 0 || terms[k].energy == INFINITY) continue;
        walled[some] = (throng_walled){.pieces = s->pieces + begin,
                                       .ahead = s->ahead + begin,
                                       .close = s->close + begin,
                                       .ahead_count = s->ahead_count[slot],
                                       .close_count = s->close_count[slot],
                                       .r = s->near->radius[slot],
                                       .vx = vx[k],
                                       .vy = vy[k]};
        fetch_pieces(&walled[some]);
        which[some++] = k;
    }
    if (some == 0) return;
    throng_wall_terms(&s->law, walled, some, order, walls, s->now->simd);
    for (size_t w = 0; w < some; w++) {
        size_t k = which[w];
        add_term(&terms[k], walls[w]);
        if (!s->in_wall[slots[k]]) continue;
        add_term(&terms[k], throng_wall_separation_term(&s->law, walled[w].pieces, s->wall_count[slots[k]], walled[w].r,
                                                        vx[k], vy[k], order));
    }
}
