/* substeps.c: how a sub-step begins and ends, and images across seams. */

#include <math.h>

#include "models/pbd/pbd.h"

enum { GRAIN = 64 }; /* groups */

static void each_group(throng_pbd *s, throng_work work) {
    throng_parallel_for(s->now->crew, s->group_count, GRAIN, work, s);
}

static inline bool is_own(const throng_pbd *s, uint32_t slot) { return s->own[slot / 8] >> slot % 8 & 1; }

static inline void put_quanta(throng_pbd *s, uint32_t slot) {
    s->at_x[slot] = (int32_t)((s->x[slot] - s->centre_x) * s->inverse_quantum);
    s->at_y[slot] = (int32_t)((s->y[slot] - s->centre_y) * s->inverse_quantum);
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
    const double rate = 1 / s->h;
    double drift2_most = 0;
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        double x = (double)s->quads[i].c, y = (double)s->quads[i].d;
        bool far = s->now->walls->count > 0 && x * x + y * y > 0.0625 * s->room * s->room;
        if (is_own(s, i) && (far || s->near_wall[i / 8] >> i % 8 & 1)) tally->guarded += throng_pbd_guard(s, i, &x, &y);
        s->x[i] += x;
        s->y[i] += y;
        s->new_vx[i] = (float)(x * rate);
        s->new_vy[i] = (float)(y * rate);
        double ax = s->x[i] - s->near->x[i], ay = s->y[i] - s->near->y[i], drift2 = ax * ax + ay * ay;
        drift2_most = drift2 > drift2_most ? drift2 : drift2_most;
        put_quanta(s, i);
    }
    float drift = (float)sqrt(drift2_most) * 1.000001F; /* rounded up */
    tally->drift = drift > tally->drift ? drift : tally->drift;
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
