/* people.c: who takes part in a step, with what wish and what limits; and what is written in the end. */

#include <math.h>
#include <string.h>

#include "models/uic/uic.h"
#include "space/wide.h"
#include "world/memory.h"

enum { GRAIN = 1024 };

static const double root3 = 1.7320508075688772;

static void make_room(throng_uic *s, size_t count) {
    if (count <= s->capacity) return;
    s->capacity = count + count / 8 + 16;
    float **single[] = {&s->body,    &s->x,       &s->y,      &s->x_next, &s->y_next, &s->half, &s->give,
                        &s->shift_x, &s->shift_y, &s->want_x, &s->want_y, &s->pace,   &s->part, &s->most};
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        *single[k] = throng_reallocate(*single[k], (s->capacity + 8) * sizeof(float));
    uint32_t **whole[] = {&s->tile_of, &s->spot, &s->who, &s->who_before};
    for (size_t k = 0; k < 4; k++) *whole[k] = throng_reallocate(*whole[k], s->capacity * sizeof(uint32_t));
    s->ways = throng_reallocate(s->ways, s->capacity * sizeof *s->ways);
    s->traits = throng_reallocate(s->traits, s->capacity * sizeof *s->traits);
    s->key = throng_reallocate(s->key, s->capacity * sizeof *s->key);
    s->edge = throng_reallocate(s->edge, s->capacity);
    s->bin_column = throng_reallocate(s->bin_column, s->capacity);
}

/* Somebody of this model, or its image. */
static throng_uic_traits take_own(throng_uic *s, uint32_t i, uint32_t row, const throng_uic_params *p) {
    const throng_step *now = s->now;
    double d = p->d_min > 0 ? p->d_min : 2 * s->near->radius[i], speed = now->desired_speed[row];
    s->body[i] = (float)d;
    return (throng_uic_traits){.wish_x = (float)(now->wish_x[row] + now->push_x[row] * now->dt),
                               .wish_y = (float)(now->wish_y[row] + now->push_y[row] * now->dt),
                               .top_speed = (float)(speed < now->max_speed[row] ? speed : now->max_speed[row]),
                               .mass = (float)(root3 * d * d / (2 * p->alpha))};
}

/* Those of other models walk on as they do. */
static throng_uic_traits take_foreign(throng_uic *s, uint32_t i) {
    double d = 2 * s->near->radius[i];
    if (s->law.d_min > d) d = s->law.d_min;
    s->body[i] = (float)d;
    return (throng_uic_traits){.wish_x = (float)s->near->vx[i],
                               .wish_y = (float)s->near->vy[i],
                               .mass = -(float)(root3 * d * d / (2 * s->law.alpha))};
}

static void take_people(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    throng_uic_tally *tally = &s->tallies[worker];
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        uint32_t row = s->near->row[i];
        const throng_uic_params *p = s->now->params[s->now->profile[row]];
        s->traits[i] = p ? take_own(s, i, row, p) : take_foreign(s, i);
        float rate = s->traits[i].top_speed / s->body[i];
        tally->rate = rate > tally->rate ? rate : tally->rate;
        tally->body = s->body[i] > tally->body ? s->body[i] : tally->body;
        tally->body_least = s->body[i] < tally->body_least ? s->body[i] : tally->body_least;
        if (!p) tally->foreign = true;
    }
}

static void clear_ways(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    memset(s->ways + begin, 0, (end - begin) * sizeof *s->ways);
}

static void find_images(throng_uic *s) {
    s->image_count = 0;
    if (s->near->image_count == 0) return;
    THRONG_GROW(s->images, s->image_capacity, s->near->image_count);
    for (uint32_t k = 0; k < s->count; k++) {
        if (throng_near_is_image(s->near, k)) s->images[s->image_count++] = k;
    }
}

void throng_uic_follow_images(throng_uic *s) {
    for (size_t k = 0; k < s->image_count; k++) {
        uint32_t image = s->images[k], self = s->near->slot[s->near->row[image]];
        uint32_t at = s->spot[image], from = s->spot[self];
        s->x[at] += s->shift_x[from] - s->shift_x[at];
        s->y[at] += s->shift_y[from] - s->shift_y[at];
        s->shift_x[at] = s->shift_x[from];
        s->shift_y[at] = s->shift_y[from];
    }
}

/* Once, from the people there are: a full cell holds about sixteen. Pairs that want to be apart are to be found in
 * cells side by side, so none is smaller than that; and there are not more of them than can be numbered. */
static void choose_cell(throng_uic *s) {
    double sum = 0, least = s->law.d_sep * (double)s->body_most;
    for (size_t k = 0; k < s->now->mine_count; k++) sum += (double)s->body[s->now->mine[k]];
    s->cell = s->law.cell > 0 ? s->law.cell : 5.5 * sum / (double)s->now->mine_count;
    s->cell = fmax(s->cell, fmax(least, 0.1));
}

int throng_uic_begin(throng_uic *s, const throng_step *now) {
    s->now = now;
    s->near = now->near;
    s->count = now->near->count;
    make_room(s, s->count + 8);
    s->law = *(const throng_uic_params *)throng_step_first_params(now);
    throng_parallel_for(now->crew, s->count, GRAIN, take_people, s);
    find_images(s);
    float rate = 0, least = INFINITY;
    s->body_most = 0;
    s->alike = s->fresh = true;
    for (size_t w = 0; w < s->workers; w++) {
        throng_uic_tally *t = &s->tallies[w];
        rate = t->rate > rate ? t->rate : rate;
        s->body_most = t->body > s->body_most ? t->body : s->body_most;
        least = t->body_least < least ? t->body_least : least;
        if (t->foreign) s->alike = s->fresh = false; /* they walk on by themselves */
        t->rate = t->body = 0;
        t->body_least = INFINITY;
        t->foreign = false;
    }
    if (!s->fresh) throng_parallel_for(now->crew, s->count, GRAIN, clear_ways, s);
    if (least != s->body_most) s->alike = false;
    if (s->cell == 0) choose_cell(s);
    s->kernel = now->simd && throng_wide_supported() ? &throng_uic_avx2 : &throng_uic_plain;
    double most = 1e6, count = ceil(fmin(now->dt * (double)rate / THRONG_UIC_COURANT, most) - 1e-3);
    if (count < 1) count = 1;
    s->far = count * (THRONG_UIC_COURANT + 0.5 * s->law.sweeps) * (double)s->body_most > 1.9 * s->cell;
    return (int)count;
}

static void write_people(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    const throng_step *now = s->now;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = now->mine[k], row = s->near->row[i];
        now->next_x[row] = throng_uic_x(s, i);
        now->next_y[row] = throng_uic_y(s, i);
        now->next_vx[row] = (double)s->ways[i].walk_x / now->dt;
        now->next_vy[row] = (double)s->ways[i].walk_y / now->dt;
    }
}

void throng_uic_write(throng_uic *s) { throng_parallel_for(s->now->crew, s->now->mine_count, GRAIN, write_people, s); }
