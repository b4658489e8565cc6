/* shape_kernel.h: the shapes of personal spaces, and where they lie in the map, four people at a time. */

#ifndef THRONG_CPD_SHAPE_KERNEL_H
#define THRONG_CPD_SHAPE_KERNEL_H

#include <math.h>

#include "base/wide.h"
#include "models/cpd/cpd.h"

/* --- the parameters of four people at once */

static const double throng_cpd_slowest = 0.1; /* m/s: who wants to be slower than this yields and brakes like it */

typedef struct throng_cpd_quartet {
    const throng_cpd_params *p[4];
    uint32_t row[4];
    bool alike; /* of one profile */
} throng_cpd_quartet;

static inline void throng_cpd_compare_profiles(throng_cpd_quartet *f) {
    f->alike = f->p[0] == f->p[1] && f->p[0] == f->p[2] && f->p[0] == f->p[3];
}

#define OF_PROFILE(f, field)                 \
    ((f)->alike ? wide_all((f)->p[0]->field) \
                : wide_of((f)->p[0]->field, (f)->p[1]->field, (f)->p[2]->field, (f)->p[3]->field))

/* Four people as they are looked at: of slots one after the other. */
typedef struct outlines {
    wide vx, vy;         /* m/s */
    wide wish_x, wish_y; /* m/s; 0 of those of other models */
    wide speed, more;    /* m/s; by how much its space is larger, of it */
    unsigned own;        /* a bit for each who is of this model */
} outlines;

/* 0 for those who are all alike. */
static inline wide find_more(const throng_cpd *s, const throng_cpd_quartet *f) {
    double more[4];
    if (f->alike && f->p[0]->space_variety <= 0) return wide_all(0);
    for (int n = 0; n < 4; n++) {
        more[n] = f->p[n]->space_variety;
        if (more[n] > 0)
            more[n] *= 2 * throng_random(s->now->seed, s->now->people.id[f->row[n]], 1, THRONG_RANDOM_CPD) - 1;
    }
    return wide_load(more);
}

static inline void look_at(const throng_cpd *s, uint32_t first, int count, throng_cpd_quartet *f, outlines *o) {
    const throng_step *now = s->now;
    o->own = 0;
    for (int n = 0; n < 4; n++) {
        uint32_t i = first + (uint32_t)(n < count ? n : 0), row = f->row[n] = s->near->row[i];
        const throng_cpd_params *p = now->params[now->people.profile[row]];
        f->p[n] = p ? p : &s->stranger;
        o->own |= (unsigned)(p != NULL) << n;
    }
    throng_cpd_compare_profiles(f);
    wide_mask people = wide_first(count);
    o->vx = wide_load_where(s->vx + first, people);
    o->vy = wide_load_where(s->vy + first, people);
    o->wish_x = wide_gather(s->wish_x, f->row);
    o->wish_y = wide_gather(s->wish_y, f->row);
    o->speed = wide_gather(now->people.desired_speed, f->row);
    o->more = find_more(s, f);
    if (o->own == 0xF) return;
    wide_mask own = wide_where(o->own);
    o->wish_x = wide_keep(own, o->wish_x);
    o->wish_y = wide_keep(own, o->wish_y);
    o->speed = wide_select(own, o->speed, wide_all(1));
}

/* The way they face: where they want to go, turned a little to where they go. Who has no way faces along x. */
static inline wide_mask find_headings(const outlines *o, wide *along_x, wide *along_y) {
    wide one = wide_all(1), wx = o->wish_x, wy = o->wish_y;
    wide wish = wide_sqrt(wide_add(wide_mul(wx, wx), wide_mul(wy, wy)));
    wide scale = wide_keep(wide_less(wide_all(1e-9), wish), wide_div(one, wish));
    wide turned = wide_div(wide_all(0.5), wide_max(o->speed, wide_all(throng_cpd_slowest)));
    wide hx = wide_add(wide_mul(wx, scale), wide_mul(turned, o->vx));
    wide hy = wide_add(wide_mul(wy, scale), wide_mul(turned, o->vy));
    wide length = wide_sqrt(wide_add(wide_mul(hx, hx), wide_mul(hy, hy))), unit = wide_div(one, length);
    wide_mask known = wide_less(wide_all(1e-9), length);
    *along_x = wide_select(known, wide_mul(hx, unit), one);
    *along_y = wide_keep(known, wide_mul(hy, unit));
    return known;
}

/* How far a box reaches to either side of somebody, in pixels and parts of them: low and high, from its own pixel. */
static inline void find_box(wide heading, wide other, wide r2, wide a2, wide least, double *low, double *high) {
    wide zero = wide_all(0), margin = wide_all(0.51);
    wide far = wide_sqrt(wide_add(wide_mul(a2, wide_mul(heading, heading)), wide_mul(r2, wide_mul(other, other))));
    wide side = wide_add(least, margin), ahead = wide_add(wide_max(far, least), margin);
    wide_store(low, wide_select(wide_less(heading, zero), ahead, side));
    wide_store(high, wide_select(wide_less(zero, heading), ahead, side));
}

/* Down to a whole number; for places that can be. */
static inline double whole_below(double a) {
    double whole = (double)(int64_t)a;
    return whole - (a < whole);
}

/* The place of a coordinate: its tile, pixel in it, and where in that. */
static inline int32_t split_place(double at, int side, int16_t *pixel, float *within) {
    double whole = whole_below(at), tile = whole_below(whole * (1.0 / side)); /* exact: powers of two */
    *pixel = (int16_t)(whole - tile * side);
    *within = (float)(at - whole);
    return (int32_t)tile;
}

/* What is computed of four people, before it is put where it belongs. */
typedef struct figures {
    float along_x[4], along_y[4], radius2[4], squeeze[4], reach2[4], lift[4], behind[4], beyond[4];
    double spared[4], map[4], west[4], east[4], south[4], north[4];
} figures;

static inline void put_down(throng_cpd *s, const figures *all, int n, uint32_t slot, uint32_t row, bool own,
                            unsigned *reach) {
    throng_cpd_body *b = &s->body[slot];
    uint32_t self = s->near->slot[row];
    b->along_x = all->along_x[n];
    b->along_y = all->along_y[n];
    b->radius2 = all->radius2[n];
    b->squeeze = all->squeeze[n];
    b->inverse = 1 / (b->squeeze * b->along_x * b->along_x + b->along_y * b->along_y);
    b->reach2 = all->reach2[n];
    b->lift = all->lift[n];
    b->behind = all->behind[n];
    b->beyond = all->beyond[n];
    b->spared = (int8_t)((int)(all->spared[n] + THRONG_CPD_LOSS + 0.5) - THRONG_CPD_LOSS);
    b->mapped = all->map[n] > 0;
    int32_t column = split_place((s->x[slot] - s->origin_x) * s->per_pixel, THRONG_CPD_WIDTH, &b->column, &b->x);
    int32_t line = split_place((s->y[slot] - s->origin_y) * s->per_pixel, THRONG_CPD_HEIGHT, &b->row, &b->y);
    s->key[slot] = throng_tile_key(column, line);
    b->left = (int16_t)(b->column - (int)all->west[n]);
    b->right = (int16_t)(b->column + (int)all->east[n]);
    b->low = (int16_t)(b->row - (int)all->south[n]);
    b->high = (int16_t)(b->row + (int)all->north[n]);
    b->reach = throng_cpd_reach_of(b);
    b->slot = self;
    b->kind = self != slot ? THRONG_CPD_IMAGE : own ? THRONG_CPD_OWN : THRONG_CPD_FOREIGN;
    s->touch[slot] = (uint8_t)(b->reach | (self != slot ? THRONG_CPD_IS_IMAGE : 0));
    *reach |= b->reach;
}

static void shape_four(throng_cpd *s, uint32_t first, int count, unsigned *reach) {
    throng_cpd_quartet f;
    outlines o;
    figures all;
    look_at(s, first, count, &f, &o);
    wide one = wide_all(1), zero = wide_all(0), hx, hy, per_pixel = wide_all(s->per_pixel);
    wide_mask known = find_headings(&o, &hx, &hy);
    wide radius = wide_mul(OF_PROFILE(&f, space), wide_add(one, o.more));
    wide pace = wide_add(wide_mul(o.vx, hx), wide_mul(o.vy, hy));
    pace = wide_max(pace, wide_sub(zero, pace));
    wide front = wide_add(radius, wide_mul(OF_PROFILE(&f, front), pace)), most = wide_all(THRONG_CPD_REACH);
    wide r = wide_min(wide_mul(radius, per_pixel), most), a = wide_min(wide_mul(front, per_pixel), most);
    wide r2 = wide_mul(r, r), a2 = wide_mul(a, a);
    wide active = wide_select(known, OF_PROFILE(&f, active), one), blind = wide_keep(known, OF_PROFILE(&f, blind));
    wide_mask all_behind = wide_less_equal(one, active), all_ahead = wide_less_equal(blind, zero);
    wide_store_float(all.along_x, hx);
    wide_store_float(all.along_y, hy);
    wide_store_float(all.radius2, r2);
    wide_store_float(all.reach2, a2);
    wide_store_float(all.squeeze, wide_div(r2, a2));
    wide_store_float(all.lift, wide_mul(wide_sub(wide_all(s->weight_most), OF_PROFILE(&f, weight)), per_pixel));
    wide_store_float(all.behind, wide_select(all_behind, wide_all(-INFINITY), wide_sub(zero, wide_mul(active, r))));
    wide_store_float(all.beyond, wide_select(all_ahead, wide_all(INFINITY), wide_mul(wide_sub(one, blind), a)));
    wide_store(all.spared, wide_keep(known, wide_mul(OF_PROFILE(&f, spared_right), wide_all(THRONG_CPD_LOSS))));
    wide_store(all.map, wide_keep(known, OF_PROFILE(&f, weight_map)));
    wide least = wide_max(r, wide_all(2.0 * s->tap_step)); /* what density is smoothed over is looked at, too */
    find_box(hx, hy, r2, a2, least, all.west, all.east);
    find_box(hy, hx, r2, a2, least, all.south, all.north);
    for (int n = 0; n < count; n++) put_down(s, &all, n, first + (uint32_t)n, f.row[n], o.own >> n & 1, reach);
}

#endif
