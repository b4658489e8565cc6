/* walkers.c: who takes part in a step of `implicit`: wishes, limits, walls. */

#include <string.h>

#include "models/implicit/implicit.h"
#include "world/memory.h"

/* The limit of speed that the objective keeps: 3 times the desired speed. From 2 times on it costs. */
static const double cap_factor = 3, cap_free = 2.0 / 3;
static const double cap_strength = 2;     /* 1/s */
static const double speed_least = 0.1;    /* m/s: who wishes for less is limited as if it wished for this */
static const double wall_sight = 6;       /* m: who walks towards a wall there feels less than 0.1 m/s^2 */
static const double stride_most = 20;     /* m: nobody may go farther within a step */
static const double symmetry_purpose = 0; /* any constant: the angle is a person's for life */

enum { DOUBLES = 40 };
enum {
    WALLS_SEEN = 24,
    WALLS_FOUND = 64
}; /* the nearest walls; others are hidden behind them, or too far to matter more */

/* All columns of doubles by slot. */
static void list_columns(throng_implicit *s, double **columns[DOUBLES]) {
    double **all[DOUBLES] = {&s->vx,     &s->vy,     &s->trial_x, &s->trial_y, &s->old_x,     &s->old_y,     &s->goal_x,
                             &s->goal_y, &s->xi,     &s->cap,     &s->ref_x,   &s->ref_y,     &s->trust,     &s->gx,
                             &s->gy,     &s->hxx,    &s->hxy,     &s->hyy,     &s->ixx,       &s->ixy,       &s->iyy,
                             &s->step_x, &s->step_y, &s->rx,      &s->ry,      &s->zx,        &s->zy,        &s->dx,
                             &s->dy,     &s->qx,     &s->qy,      &s->scale,   &s->before_gx, &s->before_gy, &s->own_xx,
                             &s->own_xy, &s->own_yy, &s->kept_xx, &s->kept_xy, &s->kept_yy};
    memcpy(columns, all, sizeof all);
}

static void reserve(throng_implicit *s, size_t slots) {
    if (slots <= s->capacity) return;
    size_t old = s->capacity;
    s->capacity = slots + slots / 4 + 64;
    double **columns[DOUBLES];
    list_columns(s, columns);
    for (size_t c = 0; c < DOUBLES; c++) {
        *columns[c] = throng_reallocate(*columns[c], s->capacity * sizeof(double));
    }
    uint32_t **whole[] = {&s->self,       &s->color,      &s->by_color,          &s->color_begin,
                          &s->wall_begin, &s->wall_count, &s->wall_strike_count, &s->wall_live_count,
                          &s->awake,      &s->some_rows};
    for (size_t c = 0; c < sizeof whole / sizeof *whole; c++) {
        *whole[c] = throng_reallocate(*whole[c], (s->capacity + 2) * sizeof(uint32_t));
    }
    size_t rooms = s->every.block_room ? old : 0;
    throng_implicit_lists_reserve(&s->every, s->capacity);
    memset(s->every.block_room + rooms, 0, (s->capacity + 2 - rooms) * sizeof *s->every.block_room);
    throng_implicit_lists_reserve(&s->some, s->capacity);
    uint8_t **bytes[] = {&s->own, &s->squeezed, &s->in_wall, &s->dirty};
    for (size_t c = 0; c < 4; c++) *bytes[c] = throng_reallocate(*bytes[c], s->capacity);
    size_t blocks = s->capacity / THRONG_IMPLICIT_BLOCK + 1;
    s->block_sum = throng_reallocate(s->block_sum, 4 * blocks * sizeof(double));
    s->row_sum = throng_reallocate(s->row_sum, blocks * sizeof(double));
}

void throng_implicit_release(throng_implicit *s) {
    double **columns[DOUBLES];
    list_columns(s, columns);
    for (size_t c = 0; c < DOUBLES; c++) throng_release(*columns[c]);
    throng_implicit_lists_release(&s->every);
    throng_implicit_lists_release(&s->some);
    void *others[] = {s->wall_live_count,
                      s->live_walls,
                      s->wall_strike_count,
                      s->self,
                      s->color,
                      s->by_color,
                      s->color_begin,
                      s->wall_begin,
                      s->wall_count,
                      s->awake,
                      s->some_rows,
                      s->own,
                      s->squeezed,
                      s->in_wall,
                      s->dirty,
                      s->block_sum,
                      s->row_sum,
                      s->sight,
                      s->walls,
                      s->wall_near,
                      s->memory};
    for (size_t c = 0; c < sizeof others / sizeof *others; c++) throng_release(others[c]);
    for (size_t w = 0; w < s->workers; w++) {
        throng_release(s->scratch[w].numbers);
        throng_release(s->scratch[w].overlaps);
        throng_release(s->scratch[w].found);
    }
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

double throng_implicit_most(const throng_implicit *s, int part) {
    const double *values = s->block_sum + (size_t)part * s->block_count;
    double most = 0;
    for (size_t b = 0; b < s->block_count; b++) most = values[b] > most ? values[b] : most;
    return most;
}

/* --- wishes and limits */

/* Two who meet exactly face to face would stand for ever: everybody's wish is turned by an angle of its own, too small
 * to be seen. With t = tan(angle / 2) a rotation needs no trigonometry. */
static void turn_wish(throng_implicit *s, uint32_t slot, uint32_t row, double most) {
    const throng_step *now = s->now;
    double t = 0.5 * most *
               (2 * throng_random(now->seed, now->id[row], (uint64_t)symmetry_purpose, THRONG_RANDOM_IMPLICIT) - 1);
    double cos = (1 - t * t) / (1 + t * t), sin = 2 * t / (1 + t * t);
    s->goal_x[slot] = cos * now->wish_x[row] - sin * now->wish_y[row];
    s->goal_y[slot] = sin * now->wish_x[row] + cos * now->wish_y[row];
}

/* No pair that is not in sight may meet: neither in too long a step, nor across a seam. */
static double cap_of(const throng_implicit *s, double desired_speed) {
    double dt = s->now->dt, cap = cap_factor * fmax(desired_speed, speed_least);
    cap = fmin(cap, stride_most / dt);
    if (s->near->image_margin > 0) {
        double way = s->near->image_margin - 2 * s->near->radius_max - 2 * s->law.gc;
        cap = fmin(cap, fmax(way, 0.1) / (2 * dt));
    }
    return cap;
}

static void take_own(throng_implicit *s, uint32_t slot) {
    const throng_step *now = s->now;
    uint32_t row = s->near->row[slot];
    const throng_implicit_params *params = now->params[now->profile[row]];
    s->own[slot] = 1;
    s->vx[slot] = s->old_x[slot] = now->vx[row];
    s->vy[slot] = s->old_y[slot] = now->vy[row];
    s->xi[slot] = params->xi;
    s->cap[slot] = cap_of(s, now->desired_speed[row]);
    turn_wish(s, slot, row, params->symmetry_angle);
}

static void take_walkers(throng_implicit *s) {
    const throng_near *near = s->near;
    memset(s->own, 0, near->count);
    memset(s->squeezed, 0, near->count);
    for (size_t k = 0; k < s->now->mine_count; k++) take_own(s, s->now->mine[k]);
    for (size_t slot = 0; slot < near->count; slot++) {
        s->self[slot] = near->image_count > 0 ? near->slot[near->row[slot]] : (uint32_t)slot;
        if (s->own[s->self[slot]]) continue;
        s->vx[slot] = s->trial_x[slot] = near->vx[slot];
        s->vy[slot] = s->trial_y[slot] = near->vy[slot];
        s->step_x[slot] = s->step_y[slot] = s->dx[slot] = s->dy[slot] = s->trust[slot] = 0;
        s->scale[slot] = 1;
    }
}

/* --- walls */

/* Leaves out walls that turn their back on the walker wherever it may get to in this step, and second sides of thin
 * ones. */
static bool is_needed(const throng_implicit *s, uint32_t slot, const throng_wall_near *near, size_t at) {
    const throng_walls *walls = s->now->walls;
    uint32_t k = near[at].wall;
    double dx = s->near->x[slot] - walls->x[k], dy = s->near->y[slot] - walls->y[k];
    double left = walls->along_x[k] * dy - walls->along_y[k] * dx;
    if (!walls->thin[k] && left + s->cap[slot] * s->law.dt < 0) return false;
    uint32_t from = k, to = walls->next[k];
    for (size_t e = at; walls->thin[k] && e-- > 0 && near[e].distance2 == near[at].distance2;) {
        uint32_t f = near[e].wall, t = walls->next[f];
        if (walls->x[f] == walls->x[to] && walls->y[f] == walls->y[to] && walls->x[t] == walls->x[from] &&
            walls->y[t] == walls->y[from])
            return false;
    }
    return true;
}

/* Within this distance of a walker, a wall can be touched or repel within the step. m */
static double wall_strike(const throng_implicit *s, uint32_t slot) {
    return s->near->radius[slot] + 1.1 * s->law.gc + s->cap[slot] * s->law.dt;
}

/* Finds the walls of the walkers of some blocks: counts them, or with pass_fill writes them. */
static void find_walls(void *context, size_t begin, size_t end, int worker) {
    throng_implicit *s = context;
    const throng_walls *walls = s->now->walls;
    throng_wall_near *near = s->wall_near + (size_t)worker * s->wall_near_each;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->now->mine[k];
        if (s->pass_fill && s->wall_count[slot] == 0) continue;
        double strike = wall_strike(s, slot), reach = fmax(fmin(s->neighbour_dist, wall_sight), strike);
        size_t found = throng_walls_within(walls, s->near->x[slot], s->near->y[slot], reach, near, s->wall_near_each);
        uint32_t count = 0;
        s->wall_strike_count[slot] = 0;
        double r = s->near->radius[slot];
        s->in_wall[slot] = found > 0 && near[0].distance2 <= r * r;
        for (size_t i = 0; i < found; i++) {
            bool strikes = near[i].distance2 <= strike * strike;
            if (!strikes && count >= WALLS_SEEN) break;
            if (!is_needed(s, slot, near, i)) continue;
            s->wall_strike_count[slot] += strikes;
            uint32_t a = near[i].wall, b = walls->next[a];
            if (s->pass_fill) {
                s->walls[s->wall_begin[slot] + count] =
                    (throng_segment){walls->x[a], walls->y[a], walls->x[b], walls->y[b]};
            }
            count++;
        }
        bool all = found < s->wall_near_each || near[found - 1].distance2 > strike * strike;
        s->wall_count[slot] = all ? count : UINT32_MAX;
    }
}

/* Counts until everybody's walls have found room. */
static void count_walls(throng_implicit *s) {
    for (bool again = true; again;) {
        s->pass_fill = false;
        throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, find_walls);
        again = false;
        for (size_t k = 0; k < s->now->mine_count; k++) again = again || s->wall_count[s->now->mine[k]] == UINT32_MAX;
        if (!again) break;
        s->wall_near_each *= 2;
        s->wall_near = throng_reallocate(s->wall_near, s->workers * s->wall_near_each * sizeof *s->wall_near);
    }
}

static void take_walls(throng_implicit *s) {
    s->wall_total = 0;
    if (s->now->walls->count == 0) {
        for (size_t k = 0; k < s->now->mine_count; k++) {
            uint32_t slot = s->now->mine[k];
            s->wall_begin[slot] = s->wall_count[slot] = s->wall_strike_count[slot] = s->wall_live_count[slot] =
                s->in_wall[slot] = 0;
        }
        return;
    }
    count_walls(s);
    for (size_t k = 0; k < s->now->mine_count; k++) {
        uint32_t slot = s->now->mine[k];
        s->wall_begin[slot] = (uint32_t)s->wall_total;
        s->wall_total += s->wall_count[slot];
    }
    THRONG_GROW(s->walls, s->wall_capacity, s->wall_total);
    THRONG_GROW(s->live_walls, s->live_wall_capacity, s->wall_total);
    s->pass_fill = true;
    throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, find_walls);
}

/* How a point of a wall lies to where the walker may go: 0 in front of it, so that it may matter; 1 or -1 to the left
 * or the right; 2 behind it or too far away. The bounds are those of scan_kernel.h. */
static int side_of_point(const throng_implicit *s, uint32_t slot, double ax, double ay) {
    double dt = s->law.dt, r = s->near->radius[slot], eps = s->law.eps, vx = s->vx[slot], vy = s->vy[slot];
    double px = ax - s->near->x[slot], py = ay - s->near->y[slot], qx = px - dt * vx, qy = py - dt * vy;
    double change = s->trust[slot], drift = change * dt, end = sqrt(qx * qx + qy * qy) - drift;
    double c = end * end - r * r;
    if (!(end > 0 && c > 1e-4)) return 0;
    double speed = sqrt(vx * vx + vy * vy), slack = change + (speed + change) * drift / end;
    double along = (qx * vx + qy * vy) / (end + drift) + slack, cross = px * vy - py * vx;
    double across = fabs(cross) / (end + drift) - slack, lever = (end + r / eps) * along;
    if (along <= 0 || lever <= 0.1 / s->law.tau0 * c) return 2;
    if (lever <= sqrt(1 - eps * eps) / eps * sqrt(c) * across) return cross > 0 ? 1 : -1;
    return 0;
}

/* A wall farther away than the step reaches can matter if one of its ends can, or if they lie on both sides. */
static bool may_matter(const throng_implicit *s, uint32_t slot, const throng_segment *wall) {
    int a = side_of_point(s, slot, wall->ax, wall->ay);
    if (a == 0) return true;
    int b = side_of_point(s, slot, wall->bx, wall->by);
    return b == 0 || a != b;
}

static void glance_at_walls(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->who[k], count = 0;
        const throng_segment *from = s->walls + s->wall_begin[slot];
        throng_segment *to = s->live_walls + s->wall_begin[slot];
        for (uint32_t w = 0; w < s->wall_count[slot]; w++) {
            bool kept = s->pass_factor != 0 || w < s->wall_strike_count[slot] || may_matter(s, slot, &from[w]);
            if (kept) to[count++] = from[w];
        }
        s->wall_live_count[slot] = count;
    }
}

void throng_implicit_glance_at_walls(throng_implicit *s, bool everything) {
    if (s->wall_total == 0) return;
    s->pass_factor = everything;
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, glance_at_walls);
}

/* --- what walls hide */

static void look_around(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit *s = context;
    for (size_t k = begin * THRONG_IMPLICIT_BLOCK; k < throng_implicit_block_end(s, end - 1); k++) {
        uint32_t slot = s->who[k];
        double x = s->near->x[slot], y = s->near->y[slot];
        throng_outlook outlook;
        throng_sight_open(&outlook, &s->sight[slot]);
        const throng_segment *wall = s->walls + s->wall_begin[slot];
        for (uint32_t w = 0; w < s->wall_count[slot]; w++, wall++) {
            throng_sight_hide(&outlook, wall->ax - x, wall->ay - y, wall->bx - x, wall->by - y);
        }
        throng_sight_close(&outlook, s->neighbour_dist);
    }
}

static void take_sights(throng_implicit *s, bool sees_all) {
    s->sees_all = sees_all || s->wall_total == 0;
    if (s->sees_all) return;
    THRONG_GROW(s->sight, s->sight_capacity, s->near->count);
    throng_implicit_each_block(s, THRONG_GRAIN_PRODUCTS, look_around);
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
        s->scratch_capacity = s->found_capacity = 0;
    }
    if (s->wall_near_each == 0) s->wall_near_each = WALLS_FOUND;
    s->wall_near = throng_reallocate(s->wall_near, s->workers * s->wall_near_each * sizeof *s->wall_near);
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

void throng_implicit_begin(throng_implicit *s, const throng_step *now) {
    const throng_implicit_params *first = now->params[now->profile[now->near->row[now->mine[0]]]];
    s->now = now;
    s->near = now->near;
    s->law = law_of(first, now->dt);
    s->neighbour_dist = first->neighbour_dist;
    s->half_scan = now->mine_count == now->near->count;
    make_room(s);
    for (size_t w = 0; w < s->workers; w++) s->scratch[w].overlapping = false;
    throng_implicit_take_all(s);
    take_walkers(s);
    take_walls(s);
    take_sights(s, first->hidden == THRONG_IMPLICIT_AVOIDED);
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

throng_term throng_implicit_own_term(const throng_implicit *s, uint32_t slot, double vx, double vy, int order) {
    uint32_t row = s->near->row[slot];
    double push_x = s->now->push_x[row], push_y = s->now->push_y[row], xi = s->xi[slot], inertia = 1 / s->law.dt;
    double ax = vx - s->old_x[slot], ay = vy - s->old_y[slot], bx = vx - s->goal_x[slot], by = vy - s->goal_y[slot];
    throng_term t = {
        .energy = 0.5 * inertia * (ax * ax + ay * ay) + 0.5 * xi * (bx * bx + by * by) - push_x * vx - push_y * vy,
        .gx = inertia * ax + xi * bx - push_x,
        .gy = inertia * ay + xi * by - push_y,
        .hxx = inertia + xi,
        .hyy = inertia + xi};
    add_cap(&t, vx, vy, s->cap[slot]);
    if (s->wall_live_count[slot] == 0 || t.energy == INFINITY) return t;

    const throng_segment *walls = s->live_walls + s->wall_begin[slot];
    double x = s->near->x[slot], y = s->near->y[slot], r = s->near->radius[slot];
    throng_term w = throng_wall_term(&s->law, x, y, r, vx, vy, walls, s->wall_live_count[slot], order);
    throng_term out = {0};
    if (s->in_wall[slot]) {
        out = throng_wall_separation_term(&s->law, x, y, r, vx, vy, walls, s->wall_live_count[slot], order);
    }
    return (throng_term){t.energy + w.energy + out.energy, t.gx + w.gx + out.gx,    t.gy + w.gy + out.gy,
                         t.hxx + w.hxx + out.hxx,          t.hxy + w.hxy + out.hxy, t.hyy + w.hyy + out.hyy};
}
