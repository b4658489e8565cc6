/* people.c: who takes part in a step, with what wish and what limits; how sub-steps begin and end; what is written. */

#include <math.h>
#include <string.h>

#include "models/pbd/pbd.h"
#include "space/elementary.h"
#include "world/memory.h"

enum { GRAIN = 64 }; /* groups */

static const double sway = 2; /* s for which a wish is turned by the same hair */

static void each_group(throng_pbd *s, throng_work work) {
    throng_parallel_for(s->now->crew, s->group_count, GRAIN, work, s);
}

static inline bool is_own(const throng_pbd *s, uint32_t slot) { return s->own[slot / 8] >> slot % 8 & 1; }

/* --- room and laws */

static void make_room(throng_pbd *s, size_t count) {
    if (count <= s->capacity) return;
    size_t grown = (count + count / 8 + 15) / 8 * 8, groups = grown / 8;
    s->capacity = grown;
    s->quads = throng_reallocate(s->quads, grown * sizeof *s->quads);
    s->quads_next = throng_reallocate(s->quads_next, grown * sizeof *s->quads);
    double **real[] = {&s->x, &s->y};
    for (size_t k = 0; k < 2; k++) *real[k] = throng_reallocate(*real[k], grown * sizeof(double));
    float **single[] = {&s->vx,      &s->vy,     &s->new_vx,       &s->new_vy,    &s->wish_x, &s->wish_y, &s->shift_x,
                        &s->shift_y, &s->radius, &s->inverse_mass, &s->top_speed, &s->clock,  &s->pad};
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        *single[k] = throng_reallocate(*single[k], grown * sizeof(float));
    int32_t **whole[] = {&s->at_x, &s->at_y};
    for (size_t k = 0; k < 2; k++) *whole[k] = throng_reallocate(*whole[k], grown * sizeof(int32_t));
    uint32_t **numbers[] = {&s->law, &s->group, &s->wall_begin};
    for (size_t k = 0; k < 3; k++) *numbers[k] = throng_reallocate(*numbers[k], grown * sizeof(uint32_t));
    s->wall_count = throng_reallocate(s->wall_count, grown * sizeof *s->wall_count);
    uint8_t **bytes[] = {&s->own, &s->near_wall, &s->shifted};
    for (size_t k = 0; k < 3; k++) *bytes[k] = throng_reallocate(*bytes[k], groups);
    throng_pbd_lists *lists[] = {&s->contacts, &s->ahead};
    for (size_t k = 0; k < 2; k++) {
        lists[k]->begin = throng_reallocate(lists[k]->begin, groups * sizeof(uint32_t));
        lists[k]->length = throng_reallocate(lists[k]->length, groups * sizeof(uint16_t));
    }
}

static throng_pbd_law law_of(const throng_pbd_params *p) {
    int mode = (int)p->anticipation;
    return (throng_pbd_law){
        .metric = p->units == THRONG_PBD_METRIC,
        .expansion = (float)p->expansion,
        .averaging = (float)p->averaging,
        .friction = (float)p->friction,
        .normal = mode == THRONG_PBD_NORMAL || mode == THRONG_PBD_FULL ? (float)p->stiffness : 0,
        .tangential = mode == THRONG_PBD_AVOIDANCE || mode == THRONG_PBD_FULL ? (float)p->stiffness : 0,
        .hurry = p->hurry == THRONG_PBD_ANYWAY || (p->hurry == THRONG_PBD_BY_UNITS && p->units == THRONG_PBD_PAPER),
        .tau0 = (float)p->tau0,
        .reach = (float)p->reach,
        .relaxation_time = (float)p->relaxation_time,
        .cohesion = (int)p->cohesion,
        .cohesion_time = (float)p->cohesion_time,
        .cohesion_reach = (float)p->cohesion_reach,
        .max_acceleration = (float)p->max_acceleration,
        .max_speed_factor = (float)p->max_speed_factor,
        .symmetry_angle = (float)p->symmetry_angle,
        .turning_rate = (float)p->turning_rate,
        .backward_speed = (float)p->backward_speed,
        .formation = (float)p->formation,
        .iterations = (int)p->iterations,
        .stability_iterations = (int)p->stability_iterations,
        .substep = (float)p->substep};
}

static void make_laws(throng_pbd *s, const throng_step *now) {
    for (size_t p = 0; p < s->law_count; p++) {
        if (now->params[p]) s->laws[p] = law_of(now->params[p]);
    }
    memset(s->law_used, 0, s->workers * s->law_count);
}

/* --- everybody's columns */

static void take_body(throng_pbd *s, uint32_t slot) {
    const throng_near *near = s->near;
    s->x[slot] = near->x[slot];
    s->y[slot] = near->y[slot];
    s->vx[slot] = (float)near->vx[slot];
    s->vy[slot] = (float)near->vy[slot];
    s->radius[slot] = (float)near->radius[slot];
}

/* Somebody of another model goes its way, whatever we do. */
static void take_foreign(throng_pbd *s, uint32_t slot) {
    s->law[slot] = s->now->profile[s->near->row[s->now->mine[0]]];
    s->group[slot] = UINT32_MAX;
    s->inverse_mass[slot] = 0;
    s->clock[slot] = 1;
    s->wish_x[slot] = s->vx[slot];
    s->wish_y[slot] = s->vy[slot];
    s->top_speed[slot] = 0;
}

/* The wish, turned by a hair that is drawn every two seconds, so that two who meet head-on do not stand face to face
 * for ever; with the outside force, which acts as a stronger wish. */
static void take_wish(throng_pbd *s, uint32_t slot, uint32_t row, const throng_pbd_law *law) {
    const throng_step *now = s->now;
    double x = now->wish_x[row], y = now->wish_y[row], turn = 0;
    if (law->symmetry_angle > 0) {
        uint64_t when = (uint64_t)(now->time / sway);
        turn = (double)law->symmetry_angle * (2 * throng_random(now->seed, now->id[row], when, THRONG_RANDOM_PBD) - 1);
    }
    double xi = (double)law->relaxation_time;
    s->wish_x[slot] = (float)(x - turn * y + xi * now->push_x[row]);
    s->wish_y[slot] = (float)(y + turn * x + xi * now->push_y[row]);
}

static void take_person(throng_pbd *s, uint32_t slot, uint32_t row) {
    const throng_step *now = s->now;
    const throng_pbd_law *law = &s->laws[now->profile[row]];
    double r = now->radius[row], speed = now->desired_speed[row];
    s->law[slot] = now->profile[row];
    s->group[slot] = now->group[row];
    s->inverse_mass[slot] = (float)(1 / now->mass[row]);
    /* who hardly wants to move has a slow clock, but one that goes */
    s->clock[slot] = law->metric ? (float)(1.4 * r / fmax(speed, 0.1)) : 1;
    s->top_speed[slot] = (float)fmin((double)law->max_speed_factor * speed, now->max_speed[row]);
    take_wish(s, slot, row, law);
}

static void compare(throng_pbd *s, throng_pbd_tally *tally, uint32_t slot) {
    uint32_t first = s->now->mine[0], row = s->near->row[first];
    if (s->law[slot] != s->now->profile[row]) tally->mixed_laws = true;
    float radius = (float)s->near->radius[first], inverse_mass = (float)(1 / s->now->mass[row]);
    if (s->radius[slot] != radius || s->inverse_mass[slot] != inverse_mass) tally->mixed_bodies = true;
}

static void take_groups(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    const throng_step *now = s->now;
    throng_pbd_tally *tally = &s->tallies[worker];
    uint8_t *used = s->law_used + (size_t)worker * s->law_count;
    for (size_t group = begin; group < end; group++) {
        s->own[group] = 0;
        for (uint32_t lane = 0; lane < 8; lane++) {
            uint32_t slot = (uint32_t)group * 8 + lane;
            if (slot >= s->count) {
                s->law[slot] = now->profile[s->near->row[now->mine[0]]];
                continue;
            }
            uint32_t row = s->near->row[slot];
            take_body(s, slot);
            if (now->params[now->profile[row]]) {
                take_person(s, slot, row);
                if (s->near->slot[row] == slot) {
                    s->own[group] |= (uint8_t)(1U << lane);
                    used[s->law[slot]] = 1;
                    float rate = (float)(now->desired_speed[row] / now->radius[row]);
                    tally->fastest = rate > tally->fastest ? rate : tally->fastest;
                }
            } else {
                take_foreign(s, slot);
            }
            compare(s, tally, slot);
        }
    }
}

/* --- the begin of a step */

static void find_images(throng_pbd *s) {
    s->image_count = 0;
    if (s->near->image_count == 0) return;
    THRONG_GROW(s->images, s->image_capacity, s->near->image_count);
    for (uint32_t k = 0; k < s->count; k++) {
        if (throng_near_is_image(s->near, k)) s->images[s->image_count++] = k;
    }
}

/* What concerns all alike: of the laws in use the finest holds. Returns the longest sub-step. */
static double join_laws(throng_pbd *s) {
    double substep = INFINITY;
    s->looks_ahead = s->coheres = s->controls = s->formations = false;
    s->iterations = s->stability_iterations = 0;
    for (size_t p = 0; p < s->law_count; p++) {
        const throng_pbd_law *law = &s->laws[p];
        bool used = false;
        for (size_t w = 0; w < s->workers; w++) used |= s->law_used[w * s->law_count + p] != 0;
        if (!used) continue;
        s->looks_ahead |= law->normal + law->tangential > 0 && law->reach > 0;
        s->coheres |= law->cohesion != THRONG_PBD_NO_COHESION;
        s->formations |= law->formation > 0;
        s->controls |= law->formation > 0 || law->turning_rate > 0 || law->backward_speed < THRONG_PBD_ANY_SPEED;
        if (law->iterations > s->iterations) s->iterations = law->iterations;
        if (law->stability_iterations > s->stability_iterations) s->stability_iterations = law->stability_iterations;
        substep = fmin(substep, (double)law->substep);
    }
    return substep;
}

static void sum_up(throng_pbd *s, float *fastest) {
    s->one_law = s->one_body = true;
    *fastest = 0;
    for (size_t w = 0; w < s->workers; w++) {
        throng_pbd_tally *t = &s->tallies[w];
        if (t->mixed_laws) s->one_law = false;
        if (t->mixed_bodies) s->one_body = false;
        *fastest = t->fastest > *fastest ? t->fastest : *fastest;
        t->mixed_laws = t->mixed_bodies = false;
        t->fastest = 0;
    }
}

/* Nobody stands in the slot without anybody, and in those that fill up the last group. */
static void clear_beyond(throng_pbd *s) {
    for (size_t k = s->count; k < s->capacity && k < s->count + 16; k++) {
        s->quads[k] = s->quads_next[k] = (throng_quad){0};
        s->radius[k] = s->inverse_mass[k] = s->clock[k] = 1;
        s->group[k] = UINT32_MAX;
        s->x[k] = s->y[k] = 0;
        s->vx[k] = s->vy[k] = s->new_vx[k] = s->new_vy[k] = s->wish_x[k] = s->wish_y[k] = s->pad[k] = 0;
        s->at_x[k] = s->at_y[k] = 0;
    }
}

int throng_pbd_begin(throng_pbd *s, const throng_step *now) {
    const throng_near *near = now->near;
    s->now = now;
    s->near = near;
    s->count = near->count;
    s->nobody = (uint32_t)near->count;
    s->group_count = (s->count + 7) / 8;
    s->chunk_count = (s->group_count + THRONG_PBD_CHUNK - 1) / THRONG_PBD_CHUNK;
    make_room(s, s->count + 16);
    make_laws(s, now);
    clear_beyond(s);
    each_group(s, take_groups);
    find_images(s);
    float fastest;
    sum_up(s, &fastest);

    double substep = join_laws(s);
    double extent = fmax(near->columns, near->rows) * near->cell + 16 * near->cell + 40 * now->dt;
    s->quantum = extent / 0x1p30;
    s->centre_x = near->origin_x + 0.5 * near->columns * near->cell;
    s->centre_y = near->origin_y + 0.5 * near->rows * near->cell;
    s->drift = 0;
    throng_pbd_join_formations(s);
    double steps = fmax(now->dt / substep, now->dt * (double)fastest / THRONG_PBD_COURANT);
    int count = (int)ceil(steps - 0.01);
    return count < 1 ? 1 : count;
}

void throng_pbd_set_frame(throng_pbd *s, int substeps) {
    s->frame_time = (float)(s->h * substeps);
    for (size_t p = 0; p < s->law_count; p++) {
        throng_pbd_law *law = &s->laws[p];
        if (!s->now->params[p]) continue;
        law->cohesion_rate = 1 - (float)throng_exp(-(double)s->frame_time / (double)law->cohesion_time);
        double cosine, sine;
        throng_cos_sin(fmin((double)law->turning_rate * s->h * (180 / 3.14159265358979323846), 90), &cosine, &sine);
        law->turn_cosine = (float)cosine;
        law->turn_sine = (float)sine;
    }
}

/* --- sub-steps */

static inline void put_quanta(throng_pbd *s, uint32_t slot) {
    s->at_x[slot] = throng_pbd_quanta(s->x[slot], s->centre_x, s->quantum);
    s->at_y[slot] = throng_pbd_quanta(s->y[slot], s->centre_y, s->quantum);
}

static void plan_groups(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    const float h = (float)s->h, half = 0.5F * s->frame_time;
    uint32_t last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        const throng_pbd_law *law = &s->laws[s->law[i]];
        float a = h < law->relaxation_time ? h / law->relaxation_time : 1;
        float vx = s->vx[i] + a * (s->wish_x[i] - s->vx[i]), vy = s->vy[i] + a * (s->wish_y[i] - s->vy[i]);
        s->new_vx[i] = vx;
        s->new_vy[i] = vy;
        put_quanta(s, i);
        s->quads[i] = (throng_quad){s->at_x[i], s->at_y[i], h * vx, h * vy};
        float margin = half * sqrtf(vx * vx + vy * vy);
        s->pad[i] = s->radius[i] * (law->expansion + THRONG_PBD_SKIN) + margin;
        tally->span = s->pad[i] > tally->span ? s->pad[i] : tally->span;
        tally->margin = margin > tally->margin ? margin : tally->margin;
    }
}

void throng_pbd_plan(throng_pbd *s) {
    each_group(s, plan_groups);
    s->span = s->margin = 0;
    for (size_t w = 0; w < s->workers; w++) {
        throng_pbd_tally *t = &s->tallies[w];
        s->span = t->span > s->span ? t->span : s->span;
        s->margin = t->margin > s->margin ? t->margin : s->margin;
        t->span = t->margin = 0;
    }
    s->room = 4 * (double)s->margin + 0.25 * s->near->radius_max;
}

void throng_pbd_follow_images(throng_pbd *s, throng_quad *quads) {
    for (size_t k = 0; k < s->image_count; k++) {
        uint32_t image = s->images[k], self = s->near->slot[s->near->row[image]];
        quads[image].c = quads[self].c;
        quads[image].d = quads[self].d;
    }
}

/* Images stand beside their originals by a period. */
static void move_images(throng_pbd *s) {
    for (size_t k = 0; k < s->image_count; k++) {
        uint32_t image = s->images[k], self = s->near->slot[s->near->row[image]];
        s->x[image] = s->x[self] + (s->near->x[image] - s->near->x[self]);
        s->y[image] = s->y[self] + (s->near->y[image] - s->near->y[self]);
        s->vx[image] = s->vx[self];
        s->vy[image] = s->vy[self];
        s->new_vx[image] = s->new_vx[self];
        s->new_vy[image] = s->new_vy[self];
        put_quanta(s, image);
        s->quads[image].a = s->at_x[image];
        s->quads[image].b = s->at_y[image];
    }
}

static void shift_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    for (size_t group = begin; group < end; group++) {
        if (!s->shifted[group]) continue;
        for (uint32_t lane = 0; lane < 8; lane++) {
            uint32_t i = (uint32_t)group * 8 + lane;
            if (!is_own(s, i)) continue;
            double x = (double)s->shift_x[i], y = (double)s->shift_y[i];
            if (s->near_wall[group] >> lane & 1) throng_pbd_keep_off_walls(s, i, &x, &y, (double)s->radius[i]);
            if (x == 0 && y == 0) continue;
            if (s->near_wall[group] >> lane & 1) throng_pbd_guard(s, i, &x, &y);
            s->x[i] += x;
            s->y[i] += y;
            put_quanta(s, i);
            s->quads[i].a = s->at_x[i];
            s->quads[i].b = s->at_y[i];
        }
    }
}

void throng_pbd_move_shifted(throng_pbd *s) {
    each_group(s, shift_groups);
    move_images(s);
}

/* Shortens a vector to the most it may be. */
static inline void limit(float *x, float *y, float most) {
    float length2 = *x * *x + *y * *y;
    if (!(length2 > most * most)) return;
    float scale = most / sqrtf(length2);
    *x *= scale;
    *y *= scale;
}

static void clamp(throng_pbd *s, uint32_t i) {
    const throng_pbd_law *law = &s->laws[s->law[i]];
    float dx = s->new_vx[i] - s->vx[i], dy = s->new_vy[i] - s->vy[i];
    limit(&dx, &dy, law->max_acceleration * (float)s->h);
    float vx = s->vx[i] + dx, vy = s->vy[i] + dy;
    throng_pbd_limit_turn(s, i, &vx, &vy);
    limit(&vx, &vy, s->top_speed[i]);
    s->vx[i] = vx;
    s->vy[i] = vy;
}

static void arrive_groups(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    uint32_t last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        double x = (double)s->quads[i].c, y = (double)s->quads[i].d;
        bool far = s->now->walls->count > 0 && x * x + y * y > 0.0625 * s->room * s->room;
        if (is_own(s, i) && (far || s->near_wall[i / 8] >> i % 8 & 1)) tally->guarded += throng_pbd_guard(s, i, &x, &y);
        s->x[i] += x;
        s->y[i] += y;
        s->new_vx[i] = (float)(x / s->h);
        s->new_vy[i] = (float)(y / s->h);
        double ax = s->x[i] - s->near->x[i], ay = s->y[i] - s->near->y[i];
        float drift = (float)sqrt(ax * ax + ay * ay);
        tally->drift = drift > tally->drift ? drift : tally->drift;
        put_quanta(s, i);
    }
}

static void clamp_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    uint32_t last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        if (!is_own(s, i)) continue;
        if (s->coherent) {
            s->new_vx[i] += s->shift_x[i];
            s->new_vy[i] += s->shift_y[i];
        }
        clamp(s, i);
    }
}

void throng_pbd_finish(throng_pbd *s, bool last) {
    each_group(s, arrive_groups);
    s->drift = 0;
    for (size_t w = 0; w < s->workers; w++) {
        throng_pbd_tally *t = &s->tallies[w];
        s->drift = t->drift > s->drift ? t->drift : s->drift;
        s->guarded += t->guarded;
        t->drift = 0;
        t->guarded = 0;
    }
    move_images(s);
    s->coherent = last && s->coheres;
    if (s->coherent) {
        throng_pbd_time(s, THRONG_PBD_FINISH);
        each_group(s, s->kernel->cohere);
        throng_pbd_time(s, THRONG_PBD_COHESION);
    }
    each_group(s, clamp_groups);
    move_images(s);
}

static void write_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    const throng_step *now = s->now;
    uint32_t last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        if (!is_own(s, i)) continue;
        uint32_t row = s->near->row[i];
        now->next_x[row] = s->x[i];
        now->next_y[row] = s->y[i];
        now->next_vx[row] = (double)s->vx[i];
        now->next_vy[row] = (double)s->vy[i];
    }
}

void throng_pbd_write(throng_pbd *s) { each_group(s, write_groups); }
