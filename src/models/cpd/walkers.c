/* walkers.c: who takes part in a step, and with what shape of personal space. */

#include <math.h>

#include "base/memory.h"
#include "base/wide.h"
#include "models/cpd/cpd.h"

enum { GRAIN = 256 };

static const double noise_every = 0.1; /* s that a push of noise lasts */

static void make_room(throng_cpd *s, size_t count) {
    if (count <= s->capacity) return;
    s->capacity = count + count / 8 + 16;
    double **twice[] = {&s->x, &s->y, &s->vx, &s->vy, &s->to_x, &s->to_y, &s->force_x, &s->force_y};
    for (size_t k = 0; k < sizeof twice / sizeof *twice; k++)
        *twice[k] = throng_reallocate(*twice[k], s->capacity * sizeof(double));
    float **single[] = {&s->area, &s->density, &s->smooth};
    for (size_t k = 0; k < 3; k++) *single[k] = throng_reallocate(*single[k], (s->capacity + 8) * sizeof(float));
    s->body = throng_reallocate(s->body, s->capacity * sizeof *s->body);
    s->line = throng_reallocate(s->line, s->capacity * sizeof *s->line);
    s->key = throng_reallocate(s->key, s->capacity * sizeof *s->key);
    s->strips = throng_reallocate(s->strips, s->capacity * sizeof *s->strips);
    s->touch = throng_reallocate(s->touch, s->capacity * sizeof *s->touch);
    s->first_sum = throng_reallocate(s->first_sum, s->capacity * sizeof *s->first_sum);
    s->home = throng_reallocate(s->home, s->capacity * sizeof *s->home);
    s->taps = throng_reallocate(s->taps, s->capacity * THRONG_CPD_TAPS * sizeof *s->taps);
}

/* Somebody as it is at the start of a step. */
static void take_one(throng_cpd *s, size_t i) {
    uint32_t row = s->near->row[i];
    bool own = s->now->params[s->now->people.profile[row]] != NULL;
    s->x[i] = s->near->x[i];
    s->y[i] = s->near->y[i];
    s->vx[i] = own ? s->now->people.vx[row] : s->near->vx[i];
    s->vy[i] = own ? s->now->people.vy[row] : s->near->vy[i];
}

void throng_cpd_begin(throng_cpd *s, const throng_step *now) {
    s->now = now;
    s->near = now->near;
    s->count = now->near->count;
    make_room(s, s->count + 8);
    s->law = *(const throng_cpd_params *)now->common;
    /* those of other models take space as the first profile says, and look all around */
    s->stranger =
        (throng_cpd_params){.space = s->law.space, .front = s->law.front, .weight = s->law.weight, .active = 1};
    if (s->pixel == 0) s->pixel = s->law.pixel;
    s->per_pixel = 1 / s->pixel;
    double taps = floor(s->law.smoothing / s->pixel + 0.5);
    s->tap_step = taps < 30 ? (int)taps : 30;
    s->kernel = now->simd && throng_wide_supported() ? &throng_cpd_avx2 : &throng_cpd_plain;
    double count = ceil(fmin(now->dt / s->law.substep, 1e6) - 1e-6);
    s->substep_count = count < 1 ? 1 : (int)count;
    s->t = now->dt / s->substep_count;
    s->noise_scale = sqrt(noise_every / s->t);
    throng_images_find(&s->images, s->near);
}

/* --- shapes */

static void shape_people(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    for (size_t i = begin; i < end && s->substep == 0; i++) take_one(s, i);
    for (size_t i = begin; i < end; i += 4)
        s->kernel->shape(s, (uint32_t)i, end - i < 4 ? (int)(end - i) : 4, &s->tallies[worker].reach);
}

/* Images go with those they are images of. */
static void follow_images(throng_cpd *s) {
    for (size_t k = 0; k < s->images.count; k++) {
        uint32_t image = s->images.slots[k], self = s->near->slot[s->near->row[image]];
        s->x[image] = s->near->x[image] + (s->x[self] - s->near->x[self]);
        s->y[image] = s->near->y[image] + (s->y[self] - s->near->y[self]);
        s->vx[image] = s->vx[self];
        s->vy[image] = s->vy[self];
    }
}

static void follow_foreign(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t i = begin; i < end; i++) {
        if (s->now->params[s->now->people.profile[s->near->row[i]]]) continue;
        s->x[i] = s->near->x[i] + s->t_begin * s->near->vx[i];
        s->y[i] = s->near->y[i] + s->t_begin * s->near->vy[i];
    }
}

void throng_cpd_shape_people(throng_cpd *s) {
    if (s->substep > 0) {
        throng_parallel_for(s->now->crew, s->count, GRAIN, follow_foreign, s);
        follow_images(s);
    }
    throng_parallel_for(s->now->crew, s->count, GRAIN, shape_people, s);
    unsigned reach = 0;
    for (size_t w = 0; w < s->workers; w++) {
        reach |= s->tallies[w].reach;
        s->tallies[w].reach = 0;
    }
    unsigned rows = (reach >> 2 | reach >> 4) & 3;
    s->far_column = (reach & 3) > 0;
    s->far_row = rows > 1 ? 2 : (int32_t)rows;
}
