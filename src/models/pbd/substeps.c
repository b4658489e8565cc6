/* substeps.c: how a sub-step begins and ends, and images across seams. */

#include "models/pbd/pbd.h"

static inline bool is_own(const throng_pbd *s, uint32_t slot) { return s->own[slot / 8] >> slot % 8 & 1; }

void throng_pbd_plan(throng_pbd *s) {
    throng_pbd_share_out(s, THRONG_PBD_MANY, s->kernel->plan);
    s->span = s->margin = 0;
    for (size_t w = 0; w < s->workers; w++) {
        throng_pbd_tally *t = &s->tallies[w];
        s->span = t->span > s->span ? t->span : s->span;
        s->margin = t->margin > s->margin ? t->margin : s->margin;
        t->span = t->margin = 0;
    }
}

void throng_pbd_follow_images(throng_pbd *s, throng_quad *quads) {
    for (size_t k = 0; k < s->images.count; k++) {
        uint32_t image = s->images.slots[k], self = s->near->slot[s->near->row[image]];
        quads[image].c = quads[self].c;
        quads[image].d = quads[self].d;
    }
}

/* Images stand beside their originals by a period. */
static void move_images(throng_pbd *s) {
    for (size_t k = 0; k < s->images.count; k++) {
        uint32_t image = s->images.slots[k], self = s->near->slot[s->near->row[image]];
        s->gone_x[image] = s->gone_x[self];
        s->gone_y[image] = s->gone_y[self];
        s->vx[image] = s->vx[self];
        s->vy[image] = s->vy[self];
        s->new_vx[image] = s->new_vx[self];
        s->new_vy[image] = s->new_vy[self];
        throng_pbd_put_quanta(s, image);
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
            s->gone_x[i] += (float)x;
            s->gone_y[i] += (float)y;
            throng_pbd_put_quanta(s, i);
            s->quads[i].a = s->at_x[i];
            s->quads[i].b = s->at_y[i];
        }
    }
}

void throng_pbd_move_shifted(throng_pbd *s) {
    throng_pbd_share_out(s, THRONG_PBD_MANY, shift_groups);
    move_images(s);
}

void throng_pbd_finish(throng_pbd *s, bool last) {
    s->coherent = s->printed || (last && s->coheres);
    s->last = last;
    throng_pbd_share_out(s, THRONG_PBD_MANY, s->kernel->arrive);
    s->drift = 0;
    for (size_t w = 0; w < s->workers; w++) {
        throng_pbd_tally *t = &s->tallies[w];
        s->drift = t->drift > s->drift ? t->drift : s->drift;
        s->guarded += t->guarded;
        t->drift = 0;
        t->guarded = 0;
    }
    move_images(s);
    if (!s->coherent) return;
    throng_part_done(&s->parts, THRONG_PBD_FINISH);
    throng_pbd_share_out(s, THRONG_PBD_FEW, s->kernel->cohere);
    throng_part_done(&s->parts, THRONG_PBD_COHESION);
    throng_pbd_share_out(s, THRONG_PBD_MANY, s->kernel->clamp);
    move_images(s);
}
