/* walkers.c: who takes part in a step, and with what shape of personal space. */

#include <math.h>

#include "base/wide.h"
#include "models/cpd/cpd.h"

enum { GRAIN = 256 };

static const double noise_every = 0.1; /* s that a push of noise lasts */

#define A(field) THRONG_ARRAY(throng_cpd, field)
static const throng_array arrays[] = {A(x),
                                      A(y),
                                      A(vx),
                                      A(vy),
                                      A(to_x),
                                      A(to_y),
                                      A(force_x),
                                      A(force_y),
                                      A(area),
                                      A(density),
                                      A(smooth),
                                      A(body),
                                      A(line),
                                      A(key),
                                      A(strips),
                                      A(touch),
                                      A(first_sum),
                                      A(home),
                                      {offsetof(throng_cpd, taps), THRONG_CPD_TAPS * sizeof(uint32_t)}};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

void throng_cpd_release_people(throng_cpd *s) { throng_arrays_release(s, arrays, ARRAYS); }

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
    throng_arrays_grow(s, arrays, ARRAYS, &s->capacity, s->count + 8);
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
