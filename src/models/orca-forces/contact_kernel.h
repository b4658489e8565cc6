/* contact_kernel.h: forces between neighbours, four at a time. Built twice, by kernel.c and kernel_avx2.c.
 *
 * Of those near somebody few hit or push it. Who does is first listed, for all people of a block one pair after the
 * other; then each four pairs make forces, whoever they belong to. So hardly anything depends on what a processor
 * cannot foresee. */

#include <math.h>

#include "base/wide_records.h"
#include "models/orca-forces/forces.h"

/* Four neighbours of somebody. */
typedef struct others {
    const throng_forces_body *body[4];
    wide x, y, vx, vy, radius, restitution;
    wide_mask there; /* the last ones may be less than four */
} others;

/* The neighbours of a list from the i-th on. */
static inline others look_at(const throng_forces_body *bodies, const uint32_t *list, uint32_t i, uint32_t count) {
    others o;
    const double *moves[4], *is[4];
    for (uint32_t lane = 0; lane < 4; lane++) {
        o.body[lane] = &bodies[list[i + lane]];
        moves[lane] = &o.body[lane]->x;
        is[lane] = &o.body[lane]->radius;
    }
    wide column[4];
    wide_load_columns(moves, column);
    o.x = column[0], o.y = column[1], o.vx = column[2], o.vy = column[3];
    wide_load_pairs(is, column);
    o.radius = column[0], o.restitution = column[1];
    o.there = wide_first((int64_t)count - i);
    return o;
}

/* --- who hits and pushes whom */

/* Somebody's neighbours and itself, four times. */
typedef struct meeting {
    wide x, y, vx, vy, radius;
    wide ahead_x, ahead_y, far, cosine; /* of those in its way */
    wide_mask hits;                     /* it is nobody's object */
} meeting;

static inline meeting meet(const throng_forces_body *b) {
    return (meeting){wide_all(b->x),           wide_all(b->y),
                     wide_all(b->vx),          wide_all(b->vy),
                     wide_all(b->radius),      wide_all(b->ahead_x),
                     wide_all(b->ahead_y),     wide_all(b->radius + b->reach),
                     wide_all(b->push_cosine), wide_less_equal(wide_all(0.0), wide_all(b->restitution))};
}

/* Which of four touch somebody, are not at the very same place, and come closer. (dx, dy) leads to them. Contacts with
 * objects, whose restitution is negative, come as impulses. */
static inline wide_mask who_hits(const meeting *m, const others *o, wide dx, wide dy, wide d2) {
    const wide zero = wide_all(0.0);
    wide radii = wide_add(m->radius, o->radius);
    wide away = wide_add(wide_mul(wide_sub(o->vx, m->vx), dx), wide_mul(wide_sub(o->vy, m->vy), dy));
    wide_mask touch = wide_and(wide_less(d2, wide_mul(radii, radii)), wide_less(zero, d2));
    wide_mask people = wide_and(m->hits, wide_less_equal(zero, o->restitution));
    return wide_and(wide_and(touch, people), wide_less(away, zero));
}

/* Who is in the way of whom. The cosine of who does not push is infinite. */
static inline wide_mask is_in_the_way(wide far, wide d2, wide cosine, wide distance, wide along) {
    return wide_and(wide_less(d2, wide_mul(far, far)), wide_less_equal(wide_mul(cosine, distance), along));
}

/* Which of four push somebody. */
static inline wide_mask who_pushes(const meeting *m, const others *o, wide dx, wide dy, wide d2, wide distance) {
    const double *pushes[4];
    for (uint32_t lane = 0; lane < 4; lane++) pushes[lane] = &o->body[lane]->ahead_x;
    wide column[4];
    wide_load_columns(pushes, column);
    wide along = wide_sub(wide_all(0.0), wide_add(wide_mul(dx, column[0]), wide_mul(dy, column[1])));
    wide far = wide_add(wide_add(o->radius, column[2]), m->radius);
    return is_in_the_way(far, d2, column[3], distance, along);
}

static inline void add_pairs(throng_forces_pairs *pairs, unsigned bits, uint32_t to, const uint32_t *from) {
    uint32_t *out = pairs->to + pairs->count;
    for (int lane = 0; lane < 4; lane++) out[lane] = to;
    pairs->count += wide_choose(pairs->from + pairs->count, bits, from);
}

/* Lists who hits and who pushes somebody; tells how many do, and how many are in its own way. */
static inline throng_forces_company find_company(const throng_forces *s, uint32_t me, throng_forces_pairs *hits,
                                                 throng_forces_pairs *pushes) {
    const meeting m = meet(&s->bodies[me]);
    const uint32_t *list = s->lists->slot + s->lists->start[me], length = s->lists->length[me];
    throng_forces_company c = {0, 0};
    for (uint32_t i = 0; i < length; i += 4) {
        others o = look_at(s->bodies, list, i, length);
        wide dx = wide_sub(o.x, m.x), dy = wide_sub(o.y, m.y), d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        wide distance = wide_sqrt(d2), along = wide_add(wide_mul(dx, m.ahead_x), wide_mul(dy, m.ahead_y));
        wide_mask in = is_in_the_way(wide_add(m.far, o.radius), d2, m.cosine, distance, along);
        unsigned hit = wide_bits(wide_and(o.there, who_hits(&m, &o, dx, dy, d2)));
        unsigned pushed = wide_bits(wide_and(o.there, who_pushes(&m, &o, dx, dy, d2, distance)));
        add_pairs(hits, hit, me, list + i);
        add_pairs(pushes, pushed, me, list + i);
        c.in_the_way += (unsigned)__builtin_popcount(wide_bits(wide_and(in, o.there)));
        c.collisions += (unsigned)__builtin_popcount(hit);
    }
    return c;
}

/* Who collides with several at once takes its part of each; who pushes shares its strength among those in its way
 * (002 eq. 4, with f_p = 1 / their number). Tells whether it pushes. */
static inline bool share(throng_forces *s, uint32_t me, throng_forces_company c) {
    const throng_forces_law *law = s->law[me];
    throng_forces_body *b = &s->bodies[me];
    if (!law) return false; /* an object */
    b->calm = 1 / (double)(c.collisions > 1 ? c.collisions : 1);
    b->others = c.in_the_way;
    b->push = c.in_the_way > 0 ? law->params->strength / (double)c.in_the_way : 0;
    return c.in_the_way > 0;
}

static void find_contacts(void *context, size_t begin, size_t end, int worker) {
    throng_forces *s = ((throng_forces_job *)context)->s;
    uint64_t pushing = 0;
    for (size_t block = begin; block < end; block++) {
        throng_forces_pairs hits = throng_forces_hits(s, block), pushes = throng_forces_pushes(s, block);
        size_t first = block * THRONG_FORCES_BLOCK, left = s->target_count - first;
        size_t count = left < THRONG_FORCES_BLOCK ? left : THRONG_FORCES_BLOCK;
        const uint32_t *people = s->targets + first;
        for (size_t k = 0; k < count; k++) pushing += share(s, people[k], find_company(s, people[k], &hits, &pushes));
        /* up to the next multiple of four nobody does anything */
        for (int lane = 0; lane < 4; lane++) {
            hits.to[hits.count + lane] = hits.from[hits.count + lane] = people[0];
            pushes.to[pushes.count + lane] = pushes.from[pushes.count + lane] = people[0];
        }
        s->hit_count[block] = hits.count;
        s->push_count[block] = pushes.count;
    }
    s->counts[worker].pushes += pushing;
}

/* --- what comes of it */

/* Adds forces to those whom four pairs lead to. */
static inline void add_forces(throng_forces *s, const uint32_t to[4], wide_mask where, wide x, wide y, wide size) {
    double fx[4], fy[4], load[4];
    wide_store(fx, wide_keep(where, x));
    wide_store(fy, wide_keep(where, y));
    wide_store(load, wide_keep(where, size));
    for (int lane = 0; lane < 4; lane++) {
        s->f_x[to[lane]] += fx[lane];
        s->f_y[to[lane]] += fy[lane];
        s->load[to[lane]] += load[lane];
    }
}

/* The bodies of four slots: a row of each. */
static inline void load_rows(const throng_forces_body *bodies, const uint32_t slot[4], size_t offset, wide column[4]) {
    const double *row[4];
    for (int lane = 0; lane < 4; lane++) row[lane] = &bodies[slot[lane]].x + offset;
    wide_load_columns(row, column);
}

static inline wide calm_of(const throng_forces_body *bodies, const uint32_t slot[4]) {
    return wide_of(bodies[slot[0]].calm, bodies[slot[1]].calm, bodies[slot[2]].calm, bodies[slot[3]].calm);
}

/* The impulses of those who touch and come closer, over h (eq. 5; n leads to who is hit). Two at one point have no n:
 * they are pushed out of each other. Who collides with several at once takes its part of each, or people in a row would
 * hit each other back and forth for ever; the two of a pair the same, so that none is lost. */
static inline void add_hits(throng_forces *s, throng_forces_pairs pairs, double h) {
    enum { BEING = offsetof(throng_forces_body, radius) / sizeof(double) };
    const wide zero = wide_all(0.0), half = wide_all(0.5), one = wide_all(1.0);
    for (size_t i = 0; i < pairs.count; i += 4) {
        const uint32_t *to = pairs.to + i, *from = pairs.from + i;
        wide me[4], other[4]; /* x, y, vx, vy; then radius, restitution, inverse mass */
        load_rows(s->bodies, to, 0, me);
        load_rows(s->bodies, from, 0, other);
        wide_mask there = wide_first((int64_t)(pairs.count - i));
        wide dx = wide_sub(me[0], other[0]), dy = wide_sub(me[1], other[1]);
        wide distance = wide_sqrt(wide_add(wide_mul(dx, dx), wide_mul(dy, dy)));
        wide inverse = wide_div(one, wide_select(there, distance, one));
        wide nx = wide_mul(dx, inverse), ny = wide_mul(dy, inverse);
        wide closing = wide_add(wide_mul(wide_sub(me[2], other[2]), nx), wide_mul(wide_sub(me[3], other[3]), ny));
        load_rows(s->bodies, to, BEING, me);
        load_rows(s->bodies, from, BEING, other);
        wide e = wide_mul(half, wide_add(me[1], other[1])), mass = wide_mul(wide_add(me[2], other[2]), wide_all(h));
        wide size = wide_div(wide_mul(wide_add(one, e), wide_sub(zero, closing)), mass);
        size = wide_mul(size, wide_min(calm_of(s->bodies, to), calm_of(s->bodies, from)));
        wide_mask hit = wide_and(there, wide_less(closing, zero));
        add_forces(s, to, hit, wide_mul(size, nx), wide_mul(size, ny), size);
    }
}

/* What those who push give (eq. 4): away from where they will be, unless they will be past. */
static inline void add_pushes(throng_forces *s, throng_forces_pairs pairs, double h) {
    enum { AHEAD = offsetof(throng_forces_body, ahead_x) / sizeof(double) };
    const wide zero = wide_all(0.0);
    for (size_t i = 0; i < pairs.count; i += 4) {
        const uint32_t *to = pairs.to + i, *from = pairs.from + i;
        const double *at[4];
        for (int lane = 0; lane < 4; lane++) at[lane] = &s->bodies[to[lane]].x;
        wide me[2], other[4], ahead[4];
        wide_load_pairs(at, me);
        load_rows(s->bodies, from, 0, other);
        load_rows(s->bodies, from, AHEAD, ahead);
        wide push =
            wide_of(s->bodies[from[0]].push, s->bodies[from[1]].push, s->bodies[from[2]].push, s->bodies[from[3]].push);
        wide fx = wide_sub(me[0], other[0]), fy = wide_sub(me[1], other[1]);
        wide x = wide_sub(fx, wide_mul(other[2], wide_all(h))), y = wide_sub(fy, wide_mul(other[3], wide_all(h)));
        wide_mask past = wide_less_equal(wide_add(wide_mul(x, ahead[0]), wide_mul(y, ahead[1])), zero);
        x = wide_select(past, fx, x);
        y = wide_select(past, fy, y);
        wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y));
        wide_mask pushed = wide_and(wide_first((int64_t)(pairs.count - i)), wide_less(zero, length2));
        wide scale = wide_div(push, wide_sqrt(wide_select(pushed, length2, wide_all(1.0))));
        add_forces(s, to, pushed, wide_mul(scale, x), wide_mul(scale, y), push);
    }
}

static void add_contacts(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_forces_job *job = context;
    throng_forces *s = job->s;
    for (size_t block = begin; block < end; block++) {
        throng_forces_pairs hits = throng_forces_hits(s, block), pushes = throng_forces_pushes(s, block);
        hits.count = s->hit_count[block];
        pushes.count = s->push_count[block];
        add_hits(s, hits, job->step->dt);
        add_pushes(s, pushes, job->step->dt);
    }
}

/* --- passing on */

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
