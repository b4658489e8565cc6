/* contact_kernel.h: forces between neighbours, four at a time. Built twice, by kernel.c and kernel_avx2.c. */

#include <math.h>

#include "models/orca-forces/forces.h"

/* Four neighbours of somebody. Most of what they are like matters only for those who touch or push. */
typedef struct others {
    const throng_forces_body *body[4];
    wide x, y, radius, restitution;
    wide_mask there; /* the last ones may be less than four */
    wide vx, vy, ahead_x, ahead_y;
    wide push;
    wide inverse_mass, reach, cosine;
} others;

/* The neighbours of a list from the i-th on; those beyond the end repeat the last one. */
static inline others look_at(const throng_forces_body *bodies, const uint32_t *list, uint32_t i, uint32_t count) {
    others o;
    const double *row[4];
    for (uint32_t lane = 0; lane < 4; lane++) {
        o.body[lane] = &bodies[list[i + lane < count ? i + lane : count - 1]];
        row[lane] = &o.body[lane]->x;
    }
    wide column[4];
    wide_load_columns(row, column);
    o.x = column[0], o.y = column[1], o.radius = column[2], o.restitution = column[3];
    o.there = wide_first((int64_t)count - i);
    return o;
}

static inline void look_closer(others *o) {
    const double *does[4], *is[4];
    for (uint32_t lane = 0; lane < 4; lane++) does[lane] = &o->body[lane]->vx, is[lane] = &o->body[lane]->inverse_mass;
    wide column[4];
    wide_load_columns(does, column);
    o->vx = column[0], o->vy = column[1], o->ahead_x = column[2], o->ahead_y = column[3];
    wide_load_columns(is, column);
    o->inverse_mass = column[0], o->reach = column[1], o->cosine = column[2];
}

/* Sums the lanes, always in this order. */
static inline double sum_of(wide a) {
    double lanes[4];
    wide_store(lanes, a);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/* Who of four touches somebody and is not at the very same place. */
static inline wide_mask who_touches(wide radius, const others *o, wide d2) {
    wide radii = wide_add(radius, o->radius);
    return wide_and(o->there, wide_and(wide_less(d2, wide_mul(radii, radii)), wide_less(wide_all(0.0), d2)));
}

/* Which of four who touch somebody, (dx, dy) away, come closer. */
static inline wide_mask who_comes_closer(const throng_forces_body *b, const others *o, wide dx, wide dy) {
    const double *does[4];
    for (uint32_t lane = 0; lane < 4; lane++) does[lane] = &o->body[lane]->vx;
    wide column[4];
    wide_load_columns(does, column);
    wide away = wide_add(wide_mul(wide_sub(column[0], wide_all(b->vx)), dx),
                         wide_mul(wide_sub(column[1], wide_all(b->vy)), dy));
    return wide_less(away, wide_all(0.0));
}

/* With how many of its neighbours somebody collides, and, if it would push them, how many are in its way. */
static throng_forces_company count_company(const throng_forces_job *job, uint32_t me, bool pushes) {
    const throng_forces *s = job->s;
    const throng_forces_body *b = &s->bodies[me];
    const uint32_t *list = s->lists->slot + s->lists->start[me];
    const uint32_t length = s->lists->length[me];
    const wide x = wide_all(b->x), y = wide_all(b->y), own = wide_all(b->radius),
               own_far = wide_all(b->radius + b->reach);
    const wide ahead_x = wide_all(b->ahead_x), ahead_y = wide_all(b->ahead_y), cosine = wide_all(b->push_cosine);
    throng_forces_company c = {0, 0};
    for (uint32_t i = 0; i < length; i += 4) {
        others o = look_at(s->bodies, list, i, length);
        wide dx = wide_sub(o.x, x), dy = wide_sub(o.y, y), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        if (pushes) {
            wide far = wide_add(own_far, o.radius);
            wide along = wide_add(wide_mul(dx, ahead_x), wide_mul(dy, ahead_y));
            wide_mask in = wide_less_equal(wide_mul(cosine, wide_sqrt(d2)), along);
            in = wide_and(wide_and(in, o.there), wide_less(d2, wide_mul(far, far)));
            c.in_the_way += (unsigned)__builtin_popcount(wide_bits(in));
        }
        wide_mask touch = who_touches(own, &o, d2);
        if (!wide_bits(touch)) continue;
        /* Contacts with objects, whose restitution is negative, come as impulses. */
        wide_mask nobody = wide_less(o.restitution, wide_all(0.0));
        touch = wide_and(wide_and_not(touch, nobody), who_comes_closer(b, &o, dx, dy));
        c.collisions += (unsigned)__builtin_popcount(wide_bits(touch));
    }
    return c;
}

/* Forces on somebody, summed lane by lane. */
typedef struct forces {
    wide x, y, load;
} forces;

static inline void add_where(forces *f, wide_mask where, wide x, wide y, wide size) {
    f->x = wide_add(f->x, wide_keep(where, x));
    f->y = wide_add(f->y, wide_keep(where, y));
    f->load = wide_add(f->load, wide_keep(where, size));
}

/* What those who push give (eq. 4): away from where they will be, unless they will be past. (dx, dy) leads to them. */
static inline void add_pushes(forces *f, const others *o, wide dx, wide dy, wide d2, wide distance, double radius,
                              double h) {
    const wide zero = wide_all(0.0);
    wide_mask pushes = wide_and(o->there, wide_less(zero, o->push));
    if (!wide_bits(pushes)) return;
    wide far = wide_add(wide_add(wide_all(radius), o->radius), o->reach);
    wide fx = wide_sub(zero, dx), fy = wide_sub(zero, dy);
    wide along = wide_add(wide_mul(fx, o->ahead_x), wide_mul(fy, o->ahead_y));
    wide_mask in = wide_and(wide_less(d2, wide_mul(far, far)), wide_less_equal(wide_mul(o->cosine, distance), along));
    pushes = wide_and(pushes, in);
    if (!wide_bits(pushes)) return;
    wide x = wide_sub(fx, wide_mul(o->vx, wide_all(h))), y = wide_sub(fy, wide_mul(o->vy, wide_all(h)));
    wide_mask past = wide_less_equal(wide_add(wide_mul(x, o->ahead_x), wide_mul(y, o->ahead_y)), zero);
    x = wide_select(past, fx, x);
    y = wide_select(past, fy, y);
    wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y));
    pushes = wide_and(pushes, wide_less(zero, length2));
    wide scale = wide_div(o->push, wide_sqrt(wide_select(pushes, length2, wide_all(1.0))));
    add_where(f, pushes, wide_mul(scale, x), wide_mul(scale, y), o->push);
}

/* The impulses of those who touch and come closer, over h (eq. 5; n leads to `me`). Two at one point have no n: they
 * are pushed out of each other. Who collides with several at once takes its part of each, or people in a row would hit
 * each other back and forth for ever; the two of a pair the same, so that none is lost. */
static inline void add_collisions(forces *f, const throng_forces_body *b, const others *o, wide dx, wide dy, wide d2,
                                  wide distance, double h) {
    const wide zero = wide_all(0.0), half = wide_all(0.5), one = wide_all(1.0);
    if (b->restitution < 0) return;
    wide_mask touch = wide_and(who_touches(wide_all(b->radius), o, d2), wide_less_equal(zero, o->restitution));
    if (!wide_bits(touch)) return;
    wide inverse = wide_div(one, wide_select(touch, distance, one));
    wide nx = wide_mul(wide_sub(zero, dx), inverse), ny = wide_mul(wide_sub(zero, dy), inverse);
    wide closing =
        wide_add(wide_mul(wide_sub(wide_all(b->vx), o->vx), nx), wide_mul(wide_sub(wide_all(b->vy), o->vy), ny));
    touch = wide_and(touch, wide_less(closing, zero));
    if (!wide_bits(touch)) return;
    wide e = wide_mul(half, wide_add(wide_all(b->restitution), o->restitution));
    wide mass = wide_mul(wide_add(wide_all(b->inverse_mass), o->inverse_mass), wide_all(h));
    wide theirs = wide_of(o->body[0]->calm, o->body[1]->calm, o->body[2]->calm, o->body[3]->calm);
    wide size = wide_div(wide_mul(wide_add(one, e), wide_sub(zero, closing)), mass);
    size = wide_mul(size, wide_min(wide_all(b->calm), theirs));
    add_where(f, touch, wide_mul(size, nx), wide_mul(size, ny), size);
}

static void gather_forces(const throng_forces_job *job, uint32_t me, double sum[3]) {
    const throng_forces *s = job->s;
    const throng_forces_body *b = &s->bodies[me];
    const uint32_t *list = s->lists->slot + s->lists->start[me];
    const double h = job->step->dt;
    const uint32_t length = s->lists->length[me];
    forces f = {wide_all(0.0), wide_all(0.0), wide_all(0.0)};
    for (uint32_t i = 0; i < length; i += 4) {
        others o = look_at(s->bodies, list, i, length);
        wide dx = wide_sub(o.x, wide_all(b->x)), dy = wide_sub(o.y, wide_all(b->y));
        wide d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy)), radii = wide_add(wide_all(b->radius), o.radius);
        o.push = wide_of(o.body[0]->push, o.body[1]->push, o.body[2]->push, o.body[3]->push);
        wide_mask matters = wide_or(wide_less(d2, wide_mul(radii, radii)), wide_less(wide_all(0.0), o.push));
        if (!wide_bits(wide_and(matters, o.there))) continue;
        look_closer(&o);
        wide distance = wide_sqrt(d2);
        add_collisions(&f, b, &o, dx, dy, d2, distance, h);
        add_pushes(&f, &o, dx, dy, d2, distance, b->radius, h);
    }
    sum[0] = sum_of(f.x);
    sum[1] = sum_of(f.y);
    sum[2] = sum_of(f.load);
}

/* How many of its neighbours are nearer to somebody than `reach` between surfaces, in a cone around a unit vector: as
 * throng_forces_ahead tells. */
static unsigned count_ahead(const throng_forces_job *job, uint32_t me, const throng_forces_gift *gift) {
    const throng_forces *s = job->s;
    const throng_forces_body *b = &s->bodies[me];
    const uint32_t *list = s->lists->slot + s->lists->start[me], length = s->lists->length[me];
    const wide zero = wide_all(0.0), x = wide_all(b->x), y = wide_all(b->y), own = wide_all(b->radius),
               reach = wide_all(gift->reach), square = wide_all(gift->cosine * gift->cosine);
    unsigned count = 0;
    for (uint32_t i = 0; i < length; i += 4) {
        others o = look_at(s->bodies, list, i, length);
        wide dx = wide_sub(o.x, x), dy = wide_sub(o.y, y), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide far = wide_add(wide_add(own, o.radius), reach);
        wide along = wide_add(wide_mul(dx, wide_all(gift->ahead_x)), wide_mul(dy, wide_all(gift->ahead_y)));
        wide along2 = wide_mul(along, along), least2 = wide_mul(square, d2);
        wide_mask front = wide_less_equal(zero, along);
        wide_mask in = gift->cosine >= 0 ? wide_and(front, wide_less_equal(least2, along2))
                                         : wide_or(front, wide_less_equal(along2, least2));
        in = wide_and(wide_and(in, o.there), wide_less(d2, wide_mul(far, far)));
        count += (unsigned)__builtin_popcount(wide_bits(in));
    }
    return count;
}
