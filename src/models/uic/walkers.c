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

/* How large people are. */
static void look_at_people(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    const throng_step *now = s->now;
    throng_uic_tally *tally = &s->tallies[worker], t = *tally; /* a copy: those of other workers are close by */
    for (size_t row = begin; row < end; row++) {
        const throng_uic_params *p = now->params[now->people.profile[row]];
        double r = now->people.radius[row], d = 2 * r, least = p ? p->d_min : s->law.d_min;
        if (least > 0 && (p || least > d)) d = least;
        float body = (float)d, radius = (float)r;
        t.body = body > t.body ? body : t.body;
        t.body_least = body < t.body_least ? body : t.body_least;
        t.radius = radius > t.radius ? radius : t.radius;
        t.radius_least = radius < t.radius_least ? radius : t.radius_least;
        if (!p) t.foreign = true;
        if (row > 0 && row < now->people.count && now->people.id[row] < now->people.id[row - 1]) t.shuffled = true;
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

/* What concerns all alike follows from the model's first profile and from the scale of people, whoever is there; cells
 * are chosen once. A full one holds about sixteen. Pairs that want to be apart are to be found in bins side by side, or
 * in some more where people are larger, up to a cell. */
static void choose_grid(throng_uic *s) {
    double d = s->law.d_min > 0 ? s->law.d_min : 2 * s->now->ordinary_radius, wanted = s->law.d_sep * d;
    if (s->cell == 0) s->cell = fmax(s->law.cell > 0 ? s->law.cell : 5.5 * d, fmax(wanted, 0.1));
    double bins = floor(s->cell / wanted);
    s->bins = bins < 1 ? 1 : bins < THRONG_UIC_BINS_MOST ? (int)bins : THRONG_UIC_BINS_MOST;
    double count = ceil(fmin(s->now->dt * THRONG_UIC_ORDINARY_SPEED / (THRONG_UIC_COURANT * d), 1e6) - 1e-3);
    s->substeps = count > 1 ? (int)count : 1;
}

/* What was found of everybody. */
static void sum_up(throng_uic *s) {
    float body_least = INFINITY, radius_least = INFINITY;
    s->body_most = s->radius_most = 0;
    s->mixed = s->shuffled = false;
    for (size_t w = 0; w < s->workers; w++) {
        throng_uic_tally *t = &s->tallies[w];
        s->body_most = t->body > s->body_most ? t->body : s->body_most;
        s->radius_most = t->radius > s->radius_most ? t->radius : s->radius_most;
        body_least = t->body_least < body_least ? t->body_least : body_least;
        radius_least = t->radius_least < radius_least ? t->radius_least : radius_least;
        s->mixed |= t->foreign;
        s->shuffled |= t->shuffled;
        t->body = t->radius = 0;
        t->body_least = t->radius_least = INFINITY;
        t->foreign = t->shuffled = false;
    }
    s->alike = !s->mixed && body_least == s->body_most;
    s->one_radius = radius_least == s->radius_most;
}

void throng_uic_begin(throng_uic *s, const throng_step *now) {
    s->now = now;
    s->near = now->near;
    throng_images_find(&s->images, s->near);
    s->rows = now->people.count + now->guest_count;
    s->count = s->rows + s->images.count;
    make_room(s, s->count + 8);
    s->law = *(const throng_uic_params *)now->common;
    throng_parallel_for(now->crew, s->rows, GRAIN, look_at_people, s);
    sum_up(s);
    s->fresh = !s->mixed; /* those of other models walk on by themselves */
    if (!s->fresh) throng_parallel_for(now->crew, s->count, GRAIN, clear_ways, s);
    choose_grid(s);
    s->kernel = now->simd && throng_wide_supported() ? &throng_uic_avx2 : &throng_uic_plain;
}
