/* substeps_kernel.h: how a sub-step begins and ends, for eight people at a time. Built twice. */

#include <math.h>

#include "models/pbd/law_kernel.h"

static inline float most_of(wide8 a) {
    float lane[8], most = 0;
    wide8_store(lane, a);
    for (int k = 0; k < 8; k++) most = lane[k] > most ? lane[k] : most;
    return most;
}

/* --- plan */

/* Ways as whole numbers; somebody absurdly fast goes 64 squares. */
static inline wide8_whole quanta_of(wide8 way) {
    return wide8_to_whole(wide8_max(wide8_min(way, wide8_all(0x1p29F)), wide8_all(-0x1p29F)));
}

static void plan_groups(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    const wide8 h = wide8_all((float)s->h), half = wide8_all(0.5F * s->frame_time), skin = wide8_all(THRONG_PBD_SKIN);
    const wide8 half_way = wide8_mul(half, wide8_all((float)s->inverse_quantum));
    wide8 span = wide8_all(0.0F), margin_most = span;
    for (size_t group = begin; group < end; group++) {
        uint32_t i = (uint32_t)group * 8;
        wide8 a = wide8_min(wide8_div(h, EACH_LAW(i, relaxation_time)), wide8_all(1.0F));
        wide8 vx = wide8_load(s->vx + i), vy = wide8_load(s->vy + i);
        wide8 now2 = wide8_add(wide8_mul(vx, vx), wide8_mul(vy, vy));
        vx = wide8_add(vx, wide8_mul(a, wide8_sub(wide8_load(s->wish_x + i), vx)));
        vy = wide8_add(vy, wide8_mul(a, wide8_sub(wide8_load(s->wish_y + i), vy)));
        limit(&vx, &vy, wide8_max(wide8_load(s->top_speed + i), wide8_sqrt(now2)));
        wide8_store(s->new_vx + i, vx);
        wide8_store(s->new_vy + i, vy);
        wide8_whole x = wide8_whole_load(s->at_x + i), y = wide8_whole_load(s->at_y + i);
        wide8_store_quad_run(s->quads + i, x, y, wide8_mul(h, vx), wide8_mul(h, vy));
        wide8_whole_store(s->half_x + i, wide8_whole_add(x, quanta_of(wide8_mul(half_way, vx))));
        wide8_whole_store(s->half_y + i, wide8_whole_add(y, quanta_of(wide8_mul(half_way, vy))));
        wide8 margin = wide8_mul(half, wide8_sqrt(wide8_add(wide8_mul(vx, vx), wide8_mul(vy, vy))));
        wide8 shell = wide8_mul(wide8_load(s->radius + i), wide8_add(EACH_LAW(i, expansion), skin));
        wide8 astray =
            wide8_mul(wide8_load(s->top_speed + i), wide8_mul(EACH_LAW(i, astray), wide8_all(s->frame_time)));
        wide8 pad = wide8_add(shell, wide8_add(margin, astray));
        wide8_store(s->pad + i, pad);
        wide8_store(s->room + i, wide8_add(wide8_mul(wide8_all(2.0F), wide8_add(margin, astray)),
                                           wide8_mul(wide8_all(0.25F), wide8_load(s->radius + i))));
        span = wide8_max(span, pad);
        margin_most = wide8_max(margin_most, margin);
    }
    float most = most_of(span);
    tally->span = most > tally->span ? most : tally->span;
    most = most_of(margin_most);
    tally->margin = most > tally->margin ? most : tally->margin;
}

/* --- finish */

static inline void limit_turns(const throng_pbd *s, uint32_t first, wide8 *x, wide8 *y) {
    float vx[8], vy[8];
    wide8_store(vx, *x);
    wide8_store(vy, *y);
    for (uint32_t lane = 0; lane < 8; lane++) throng_pbd_limit_turn(s, first + lane, &vx[lane], &vy[lane]);
    *x = wide8_load(vx);
    *y = wide8_load(vy);
}

/* What becomes of velocities after all limits. */
static inline void clamp(throng_pbd *s, size_t group, wide8 new_x, wide8 new_y) {
    uint32_t i = (uint32_t)group * 8;
    wide8_mask own = wide8_of_bits(s->own[group]);
    wide8 vx = wide8_load(s->vx + i), vy = wide8_load(s->vy + i);
    wide8 dx = wide8_sub(new_x, vx), dy = wide8_sub(new_y, vy);
    limit(&dx, &dy, wide8_mul(EACH_LAW(i, max_acceleration), wide8_all((float)s->h)));
    wide8 x = wide8_add(vx, dx), y = wide8_add(vy, dy);
    if (s->controls) limit_turns(s, i, &x, &y);
    limit(&x, &y, wide8_load(s->top_speed + i));
    wide8_store(s->vx + i, wide8_select(own, x, vx));
    wide8_store(s->vy + i, wide8_select(own, y, vy));
}

/* Those among eight people who go farther than was foreseen when walls were looked for. */
static inline unsigned go_far(const throng_pbd *s, uint32_t first, wide8 x, wide8 y) {
    wide8 far = wide8_mul(wide8_all(0.25F), wide8_load(s->room + first));
    return wide8_bits(wide8_less(wide8_mul(far, far), wide8_add(wide8_mul(x, x), wide8_mul(y, y))));
}

/* Those near walls, and those who go farther than was foreseen, go through no wall. */
static inline void guard(throng_pbd *s, size_t group, unsigned lanes, throng_pbd_tally *tally) {
    for (; lanes; lanes &= lanes - 1) {
        uint32_t i = (uint32_t)group * 8 + (uint32_t)__builtin_ctz(lanes);
        throng_quad *q = &s->quads[i];
        double x = (double)q->c, y = (double)q->d;
        tally->guarded += throng_pbd_guard(s, i, &x, &y);
        q->c = (float)x;
        q->d = (float)y;
    }
}

static void arrive_groups(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    const wide8 rate = wide8_all((float)(1 / s->h)), inverse = wide8_all((float)s->inverse_quantum);
    const bool walled = s->now->walls->count > 0;
    wide8 drift2 = wide8_all(0.0F);
    for (size_t group = begin; group < end; group++) {
        uint32_t i = (uint32_t)group * 8;
        wide8_whole at_x, at_y;
        wide8 x, y;
        wide8_load_quad_run(s->quads + i, &at_x, &at_y, &x, &y);
        unsigned lanes = walled ? (go_far(s, i, x, y) | s->near_wall[group]) & s->own[group] : 0;
        if (lanes) {
            guard(s, group, lanes, tally);
            wide8_load_quad_run(s->quads + i, &at_x, &at_y, &x, &y);
        }
        wide8 gone_x = wide8_add(wide8_load(s->gone_x + i), x), gone_y = wide8_add(wide8_load(s->gone_y + i), y);
        wide8_store(s->gone_x + i, gone_x);
        wide8_store(s->gone_y + i, gone_y);
        drift2 = wide8_max(drift2, wide8_add(wide8_mul(gone_x, gone_x), wide8_mul(gone_y, gone_y)));
        wide8_whole_store(s->at_x + i, wide8_whole_add(at_x, wide8_to_whole(wide8_mul(x, inverse))));
        wide8_whole_store(s->at_y + i, wide8_whole_add(at_y, wide8_to_whole(wide8_mul(y, inverse))));
        x = wide8_mul(x, rate);
        y = wide8_mul(y, rate);
        if (s->coherent) {
            wide8_store(s->new_vx + i, x);
            wide8_store(s->new_vy + i, y);
        } else {
            clamp(s, group, x, y);
        }
    }
    float drift = sqrtf(most_of(drift2)) * 1.000001F; /* rounded up */
    tally->drift = drift > tally->drift ? drift : tally->drift;
}

/* After cohesion. */
static void clamp_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    for (size_t group = begin; group < end; group++) {
        uint32_t i = (uint32_t)group * 8;
        clamp(s, group, wide8_add(wide8_load(s->new_vx + i), wide8_load(s->shift_x + i)),
              wide8_add(wide8_load(s->new_vy + i), wide8_load(s->shift_y + i)));
    }
}
