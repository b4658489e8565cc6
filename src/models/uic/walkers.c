/* walkers.c: who takes part in a step, with what wish and what limits; and what is written in the end. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/wide.h"
#include "models/uic/uic.h"

enum { GRAIN = 4096 };

static void make_room(throng_uic *s, size_t count) {
    if (count <= s->capacity) return;
    s->capacity = count + count / 8 + 16;
    float **single[] = {&s->x,       &s->y,      &s->x_next, &s->y_next, &s->half, &s->give, &s->shift_x,
                        &s->shift_y, &s->want_x, &s->want_y, &s->pace,   &s->part, &s->most, &s->clear2};
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        *single[k] = throng_reallocate(*single[k], (s->capacity + 8) * sizeof(float));
    uint32_t **whole[] = {&s->spot, &s->who, &s->bin_of, &s->order, &s->beside};
    for (size_t k = 0; k < 5; k++) *whole[k] = throng_reallocate(*whole[k], s->capacity * sizeof(uint32_t));
    s->ways = throng_reallocate(s->ways, s->capacity * sizeof *s->ways);
    s->lined = throng_reallocate(s->lined, s->capacity * sizeof *s->lined);
    s->bin_column = throng_reallocate(s->bin_column, s->capacity);
}

/* How large and how fast people are. */
static void look_at_people(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    const throng_step *now = s->now;
    throng_uic_tally *tally = &s->tallies[worker], t = *tally; /* a copy: those of other workers are close by */
    for (size_t row = begin; row < end; row++) {
        const throng_uic_params *p = now->params[now->people.profile[row]];
        double d = 2 * now->people.radius[row], speed = now->people.desired_speed[row],
               least = p ? p->d_min : s->law.d_min;
        if (least > 0 && (p || least > d)) d = least;
        if (now->people.max_speed[row] < speed) speed = now->people.max_speed[row];
        float body = (float)d, rate = p ? (float)speed / body : 0;
        t.rate = rate > t.rate ? rate : t.rate;
        t.body = body > t.body ? body : t.body;
        t.body_least = body < t.body_least ? body : t.body_least;
        t.radius = now->people.radius[row] > t.radius ? now->people.radius[row] : t.radius;
        if (!p) t.foreign = true;
    }
    *tally = t;
}

static void clear_ways(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_uic *s = context;
    memset(s->ways + begin, 0, (end - begin) * sizeof *s->ways);
}

void throng_uic_follow_images(throng_uic *s) {
    for (size_t k = 0; k < s->images.count; k++) {
        uint32_t at = s->spot[s->rows + k], from = s->spot[s->near->row[s->images.slots[k]]];
        s->x[at] += s->shift_x[from] - s->shift_x[at];
        s->y[at] += s->shift_y[from] - s->shift_y[at];
        s->shift_x[at] = s->shift_x[from];
        s->shift_y[at] = s->shift_y[from];
    }
}

/* Once, from the people there are: a full cell holds about sixteen. Pairs that want to be apart are to be found in
 * cells side by side, so none is smaller than that; and there are not more of them than can be numbered. */
static void choose_cell(throng_uic *s) {
    const throng_step *now = s->now;
    double sum = 0, least = s->law.d_sep * (double)s->body_most;
    size_t count = 0;
    for (size_t k = 0; k < now->people.count; k++) {
        const throng_uic_params *p = now->params[now->people.profile[now->people.by_id[k]]];
        if (!p) continue;
        sum += p->d_min > 0 ? p->d_min : 2 * now->people.radius[now->people.by_id[k]];
        count++;
    }
    s->cell = s->law.cell > 0 ? s->law.cell : 5.5 * sum / (double)count;
    s->cell = fmax(s->cell, fmax(least, 0.1));
}

/* What was found of everybody; returns the largest rate. */
static float sum_up(throng_uic *s) {
    float rate = 0, least = INFINITY;
    s->body_most = 0;
    s->radius_most = 0;
    s->mixed = false;
    for (size_t w = 0; w < s->workers; w++) {
        throng_uic_tally *t = &s->tallies[w];
        rate = t->rate > rate ? t->rate : rate;
        s->body_most = t->body > s->body_most ? t->body : s->body_most;
        s->radius_most = fmax(s->radius_most, t->radius);
        least = t->body_least < least ? t->body_least : least;
        s->mixed |= t->foreign;
        t->rate = t->body = 0;
        t->radius = 0;
        t->body_least = INFINITY;
        t->foreign = false;
    }
    s->alike = !s->mixed && least == s->body_most;
    return rate;
}

int throng_uic_begin(throng_uic *s, const throng_step *now) {
    s->now = now;
    s->near = now->near;
    throng_images_find(&s->images, s->near);
    s->rows = now->people.count + now->guest_count;
    s->count = s->rows + s->images.count;
    make_room(s, s->count + 8);
    s->law = *(const throng_uic_params *)now->common;
    throng_parallel_for(now->crew, s->rows, GRAIN, look_at_people, s);
    float rate = sum_up(s);
    s->fresh = !s->mixed; /* those of other models walk on by themselves */
    if (!s->fresh) throng_parallel_for(now->crew, s->count, GRAIN, clear_ways, s);
    if (s->cell == 0) choose_cell(s);
    s->kernel = now->simd && throng_wide_supported() ? &throng_uic_avx2 : &throng_uic_plain;
    double most = 1e6, count = ceil(fmin(now->dt * (double)rate / THRONG_UIC_COURANT, most) - 1e-3);
    if (count < 1) count = 1;
    s->far = count * (THRONG_UIC_COURANT + 0.5 * s->law.sweeps) * (double)s->body_most > 1.9 * s->cell;
    return (int)count;
}
