/* control.c: what people do not do by themselves and a scenario may ask of them: turning no faster than so, hardly
 * stepping back, and keeping a formation. All of it bends ways before contact and walls have their say, so it holds
 * as far as others leave room.
 *
 * A formation is the place of everybody in its group when it was first seen, up to where the group is and how it is
 * turned. In every sub-step the formation is laid over the group as well as can be, and everybody is drawn to its place
 * in it (shape matching; M. Müller et al., Meshless deformations based on shape matching, 2005). */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "models/pbd/pbd.h"

static const float slow = 0.05F; /* of its desired speed: who is slower turns at will */

static inline bool is_own(const throng_pbd *s, uint32_t slot) { return s->own[slot / 8] >> slot % 8 & 1; }

/* The part of a vector that lies in the cone around an axis; cos and sin are of half its angle. */
static void bend(float *x, float *y, float axis_x, float axis_y, float cosine, float sine) {
    float length = sqrtf(axis_x * axis_x + axis_y * axis_y), ux = axis_x / length, uy = axis_y / length;
    float along = *x * ux + *y * uy, across = ux * *y - uy * *x;
    float side = across < 0 ? -1.0F : 1.0F;
    if (along * sine >= side * across * cosine && along >= 0) return;
    /* along the border of the cone that is nearer */
    float bx = ux * cosine - side * uy * sine, by = uy * cosine + side * ux * sine;
    float go = *x * bx + *y * by;
    *x = go > 0 ? go * bx : 0;
    *y = go > 0 ? go * by : 0;
}

void throng_pbd_limit_turn(const throng_pbd *s, uint32_t slot, float *x, float *y) {
    const throng_pbd_law *law = &s->laws[s->law[slot]];
    float vx = s->vx[slot], vy = s->vy[slot], least = slow * s->top_speed[slot];
    if (!(law->turning_rate > 0) || vx * vx + vy * vy <= least * least) return;
    bend(x, y, vx, vy, law->turn_cosine, law->turn_sine);
}

static void control_one(throng_pbd *s, uint32_t slot) {
    const throng_pbd_law *law = &s->laws[s->law[slot]];
    throng_quad *q = &s->quads[slot];
    if (law->formation > 0) {
        q->c += law->formation * (s->shift_x[slot] - q->c);
        q->d += law->formation * (s->shift_y[slot] - q->d);
    }
    throng_pbd_limit_turn(s, slot, &q->c, &q->d);
    float wx = s->wish_x[slot], wy = s->wish_y[slot], length = sqrtf(wx * wx + wy * wy);
    if (!(law->backward_speed < THRONG_PBD_ANY_SPEED) || !(length > 0)) return;
    float along = (q->c * wx + q->d * wy) / length, least = -law->backward_speed * (float)s->h;
    if (along >= least) return;
    q->c += (least - along) * wx / length;
    q->d += (least - along) * wy / length;
}

static void control_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    uint32_t last = (uint32_t)(end * 8 < s->count ? end * 8 : s->count);
    for (uint32_t i = (uint32_t)begin * 8; i < last; i++) {
        if (is_own(s, i)) control_one(s, i);
    }
}

void throng_pbd_control(throng_pbd *s) {
    if (!s->controls) return;
    throng_pbd_share_out(s, THRONG_PBD_MANY, control_groups);
    throng_pbd_follow_images(s, s->quads);
}

/* --- formations */

static bool keeps_formation(const throng_pbd *s, uint32_t slot) {
    return is_own(s, slot) && s->laws[s->law[slot]].formation > 0;
}

static throng_pbd_place *place_of(const throng_pbd *s, uint32_t slot) {
    return (throng_pbd_place *)s->now->columns[0] + s->near->row[slot];
}

/* Adds somebody who is at (x, y) to its squad's means. */
static void add_to_means(throng_pbd_squad *squad, const throng_pbd_place *place, double x, double y) {
    squad->count += 1;
    squad->x += x;
    squad->y += y;
    squad->place_x += place->x;
    squad->place_y += place->y;
}

static void clear_squads(throng_pbd *s) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (keeps_formation(s, i) && s->group[i] > most) most = s->group[i];
    }
    size_t count = (size_t)most + 1;
    THRONG_GROW(s->squads, s->squad_capacity, count);
    memset(s->squads, 0, count * sizeof *s->squads);
    s->squad_count = count;
}

/* Where squads are and how they are turned, from those of their members who have a place; with their ways so far. */
static void lay_squads(throng_pbd *s, bool with_ways) {
    clear_squads(s);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->count; i++) {
            if (!keeps_formation(s, i) || !place_of(s, i)->taken) continue;
            const throng_pbd_place *place = place_of(s, i);
            throng_pbd_squad *squad = &s->squads[s->group[i]];
            double x = throng_pbd_x(s, i) + (with_ways ? (double)s->quads[i].c : 0);
            double y = throng_pbd_y(s, i) + (with_ways ? (double)s->quads[i].d : 0);
            if (pass == 0) {
                add_to_means(squad, place, x, y);
                continue;
            }
            double px = place->x - squad->place_x, py = place->y - squad->place_y;
            squad->along += px * (x - squad->x) + py * (y - squad->y);
            squad->across += px * (y - squad->y) - py * (x - squad->x);
        }
        for (size_t k = 0; k < s->squad_count; k++) {
            throng_pbd_squad *squad = &s->squads[k];
            if (pass == 0 && squad->count > 0) {
                squad->x /= squad->count, squad->y /= squad->count;
                squad->place_x /= squad->count, squad->place_y /= squad->count;
            }
            double length = sqrt(squad->along * squad->along + squad->across * squad->across);
            squad->cosine = length > 1e-12 ? squad->along / length : 1;
            squad->sine = length > 1e-12 ? squad->across / length : 0;
        }
    }
}

void throng_pbd_join_formations(throng_pbd *s) {
    if (!s->formations) return;
    lay_squads(s, false);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!keeps_formation(s, i) || place_of(s, i)->taken) continue;
        throng_pbd_place *place = place_of(s, i);
        const throng_pbd_squad *squad = &s->squads[s->group[i]];
        double x = throng_pbd_x(s, i), y = throng_pbd_y(s, i);
        if (squad->count > 0) { /* seen from the formation as it lies now */
            double dx = x - squad->x, dy = y - squad->y;
            x = squad->place_x + squad->cosine * dx + squad->sine * dy;
            y = squad->place_y + squad->cosine * dy - squad->sine * dx;
        }
        *place = (throng_pbd_place){x, y, 1};
    }
}

void throng_pbd_draw_to_formations(throng_pbd *s) {
    if (!s->formations) return;
    lay_squads(s, true);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!keeps_formation(s, i)) continue;
        const throng_pbd_place *place = place_of(s, i);
        const throng_pbd_squad *squad = &s->squads[s->group[i]];
        double px = place->x - squad->place_x, py = place->y - squad->place_y;
        s->shift_x[i] = (float)(squad->x + squad->cosine * px - squad->sine * py - throng_pbd_x(s, i));
        s->shift_y[i] = (float)(squad->y + squad->sine * px + squad->cosine * py - throng_pbd_y(s, i));
    }
}
