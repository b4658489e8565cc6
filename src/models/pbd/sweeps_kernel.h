/* sweeps_kernel.h: the corrections of everybody, eight people at a time. Built twice.
 *
 * What acts on a person is gathered from its list, summed, and averaged over those that act. */

#include "models/pbd/law_kernel.h"

/* Eight people who are corrected. */
typedef struct octet {
    uint32_t first;
    wide8_mask own;
    wide8_whole at_x, at_y;
    wide8 way_x, way_y, radius, inverse_mass;
    wide8 sum_x, sum_y, count;
} octet;

/* One other for each of them, and how they lie: from it to the octet. */
typedef struct meeting {
    wide8_mask is;     /* there is somebody */
    wide8 px, py;      /* m, at the start of the sub-step */
    wide8 dx, dy;      /* m, the relative way so far */
    wide8 radii;       /* m */
    wide8 share;       /* of the correction that is ours: w_i / (w_i + w_j) */
    wide8_whole other; /* its slot */
} meeting;

static inline octet octet_at(const throng_pbd *s, size_t group) {
    octet o = {.first = (uint32_t)group * 8, .own = wide8_of_bits(s->own[group])};
    wide8_load_quad_run(s->quads + o.first, &o.at_x, &o.at_y, &o.way_x, &o.way_y);
    o.radius = wide8_load(s->radius + o.first);
    o.inverse_mass = wide8_load(s->inverse_mass + o.first);
    o.sum_x = o.sum_y = o.count = wide8_all(0.0F);
    return o;
}

static inline meeting meet(const throng_pbd *s, const octet *o, const uint32_t *others, bool one_body) {
    const wide8 quantum = wide8_all((float)s->quantum);
    wide8_whole x, y;
    wide8 way_x, way_y;
    meeting m = {.other = wide8_whole_load(others)};
    wide8_load_quads(s->quads, others, &x, &y, &way_x, &way_y);
    m.is = wide8_and_not(o->own, wide8_whole_equal(m.other, wide8_whole_all((int32_t)s->nobody)));
    m.px = wide8_mul(wide8_of_whole(wide8_whole_sub(o->at_x, x)), quantum);
    m.py = wide8_mul(wide8_of_whole(wide8_whole_sub(o->at_y, y)), quantum);
    m.dx = wide8_sub(o->way_x, way_x);
    m.dy = wide8_sub(o->way_y, way_y);
    if (one_body) {
        m.radii = wide8_add(o->radius, o->radius);
        m.share = wide8_all(0.5F);
    } else {
        wide8 radius, inverse_mass, toward_x, toward_y;
        wide8_load_fours(s->traits, others, &radius, &inverse_mass, &toward_x, &toward_y);
        m.radii = wide8_add(o->radius, radius);
        m.share = wide8_div(o->inverse_mass, wide8_add(o->inverse_mass, inverse_mass));
    }
    return m;
}

/* Two in one place part along x, each to the side of its number. */
static inline void tell_apart(const octet *o, const meeting *m, wide8 *x, wide8 *d2) {
    wide8 least = wide8_mul(m->radii, wide8_all(1e-5F)), least2 = wide8_mul(least, least);
    wide8_mask same = wide8_less(*d2, least2);
    if (!wide8_bits(wide8_and(same, m->is))) return;
    uint32_t number[8];
    for (uint32_t lane = 0; lane < 8; lane++) number[lane] = o->first + lane;
    wide8_mask lower = wide8_whole_less(wide8_whole_load(number), m->other);
    wide8 side = wide8_select(lower, wide8_sub(wide8_all(0.0F), least), least);
    *x = wide8_select(same, side, *x);
    *d2 = wide8_select(same, least2, *d2);
}

/* The average of what acts, over-relaxed. */
static inline void average(const throng_pbd *s, const octet *o, wide8 *x, wide8 *y) {
    wide8 factor = wide8_div(EACH_LAW(o->first, averaging), wide8_max(o->count, wide8_all(1.0F)));
    *x = wide8_keep(o->own, wide8_mul(o->sum_x, factor));
    *y = wide8_keep(o->own, wide8_mul(o->sum_y, factor));
}

static inline void add(octet *o, wide8_mask acts, wide8 x, wide8 y) {
    o->sum_x = wide8_add(o->sum_x, wide8_keep(acts, x));
    o->sum_y = wide8_add(o->sum_y, wide8_keep(acts, y));
    o->count = wide8_add(o->count, wide8_keep(acts, wide8_all(1.0F)));
}

static inline void store_ways(const throng_pbd *s, const octet *o, wide8 x, wide8 y) {
    wide8_store_quad_run(s->quads_next + o->first, o->at_x, o->at_y, wide8_add(o->way_x, x), wide8_add(o->way_y, y));
}

/* --- stability: those whose discs overlap at the start */

static inline void stabilise_octet(const throng_pbd *s, octet *o, const uint32_t *others, bool one_body) {
    meeting m = meet(s, o, others, one_body);
    wide8 d2 = wide8_add(wide8_mul(m.px, m.px), wide8_mul(m.py, m.py));
    wide8_mask acts = wide8_and(m.is, wide8_less(d2, wide8_mul(m.radii, m.radii)));
    if (!wide8_bits(acts)) return;
    tell_apart(o, &m, &m.px, &d2);
    wide8 d = wide8_sqrt(wide8_select(acts, d2, wide8_all(1.0F)));
    wide8 f = wide8_div(wide8_mul(m.share, wide8_sub(m.radii, d)), d);
    add(o, acts, wide8_mul(f, m.px), wide8_mul(f, m.py));
}

static void stabilise_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    for (size_t group = begin; group < end; group++) {
        const uint32_t *others = s->contacts.entry + s->contacts.begin[group];
        octet o = octet_at(s, group);
        for (size_t k = 0; k < s->contacts.length[group]; k++, others += 8) {
            if (s->one_body) {
                stabilise_octet(s, &o, others, true);
            } else {
                stabilise_octet(s, &o, others, false);
            }
        }
        s->shifted[group] = wide8_bits(wide8_less(wide8_all(0.0F), o.count)) != 0 || s->near_wall[group] != 0;
        if (!s->shifted[group]) continue;
        wide8 x, y;
        average(s, &o, &x, &y);
        wide8_store(s->shift_x + o.first, x);
        wide8_store(s->shift_y + o.first, y);
    }
}

/* --- short range: discs with a shell */

static inline void touch(const throng_pbd *s, octet *o, const uint32_t *others, wide8 expansion, wide8 friction,
                         bool one_body) {
    meeting m = meet(s, o, others, one_body);
    wide8 x = wide8_add(m.px, m.dx), y = wide8_add(m.py, m.dy);
    wide8 d2 = wide8_add(wide8_mul(x, x), wide8_mul(y, y)), r = wide8_mul(m.radii, expansion);
    wide8_mask acts = wide8_and(m.is, wide8_less(d2, wide8_mul(r, r)));
    if (!wide8_bits(acts)) return;
    tell_apart(o, &m, &x, &d2);
    wide8 d = wide8_sqrt(wide8_select(acts, d2, wide8_all(1.0F))), inverse = wide8_div(wide8_all(1.0F), d);
    wide8 nx = wide8_mul(x, inverse), ny = wide8_mul(y, inverse);
    wide8 depth = wide8_sub(r, d);
    /* across the line of centres: what friction takes of the relative way, at most all of it */
    wide8 slip = wide8_sub(wide8_mul(m.dy, nx), wide8_mul(m.dx, ny)), most = wide8_mul(friction, depth);
    wide8 hold = wide8_max(wide8_min(slip, most), wide8_sub(wide8_all(0.0F), most));
    wide8 cx = wide8_add(wide8_mul(depth, nx), wide8_mul(hold, ny));
    wide8 cy = wide8_sub(wide8_mul(depth, ny), wide8_mul(hold, nx));
    add(o, acts, wide8_mul(m.share, cx), wide8_mul(m.share, cy));
}

static inline void keep_off(throng_pbd *s, size_t group) {
    for (uint32_t lane = 0; lane < 8; lane++) {
        if (!(s->near_wall[group] >> lane & 1)) continue;
        uint32_t i = (uint32_t)group * 8 + lane;
        throng_quad *q = &s->quads_next[i];
        double x = (double)q->c, y = (double)q->d, r = (double)s->radius[i];
        throng_pbd_keep_off_walls(s, i, &x, &y, r * (double)s->laws[s->law[i]].expansion);
        q->c = (float)x;
        q->d = (float)y;
    }
}

static void short_range_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    for (size_t group = begin; group < end; group++) {
        const uint32_t *others = s->contacts.entry + s->contacts.begin[group];
        /* ways that nothing bends are in both quads after the first iteration */
        if (s->settled && s->contacts.length[group] == 0 && !s->near_wall[group]) continue;
        octet eight = octet_at(s, group), *o = &eight;
        wide8 expansion = EACH_LAW(o->first, expansion), friction = EACH_LAW(o->first, friction), x, y;
        size_t length = s->contacts.length[group];
        if (s->one_body) {
            for (size_t k = 0; k < length; k++) touch(s, o, others + 8 * k, expansion, friction, true);
        } else {
            for (size_t k = 0; k < length; k++) touch(s, o, others + 8 * k, expansion, friction, false);
        }
        average(s, o, &x, &y);
        store_ways(s, o, x, y);
        if (s->near_wall[group]) keep_off(s, group);
    }
}

/* --- long range: those who will collide */

/* How eight people look ahead; times are counted in sub-steps. */
typedef struct outlook {
    wide8 normal, tangential, steps, decay;
    wide8 held, toward_x, toward_y; /* how much it is held up; where it wants to go */
    bool slides;                    /* somebody of them has a tangential part */
} outlook;

/* How much of the sliding past each other there is: all of it when two want to cross or meet, or one wants to stand;
 * none when they want the same way, unless one is held up, at less than half of the speed it wants. It grows on
 * itself, and would have people who walk together stir each other up. */
static inline wide8 sliding(const throng_pbd *s, const outlook *l, const uint32_t *others) {
    const wide8 one = wide8_all(1.0F);
    wide8 radius, inverse_mass, x, y;
    wide8_load_fours(s->traits, others, &radius, &inverse_mass, &x, &y);
    wide8 cosine = wide8_add(wide8_mul(l->toward_x, x), wide8_mul(l->toward_y, y));
    return wide8_max(wide8_min(wide8_max(wide8_sub(one, cosine), l->held), one), wide8_all(0.0F));
}

/* How much less than half of the speed it wants somebody walks: 0 at half of it, 1 when it stands. */
static inline wide8 held_up(const throng_pbd *s, uint32_t first) {
    wide8 x = wide8_load(s->wish_x + first), y = wide8_load(s->wish_y + first);
    wide8 along = wide8_add(wide8_mul(x, wide8_load(s->vx + first)), wide8_mul(y, wide8_load(s->vy + first)));
    wide8 pace = wide8_div(along, wide8_max(wide8_add(wide8_mul(x, x), wide8_mul(y, y)), wide8_all(1e-12F)));
    return wide8_sub(wide8_all(1.0F), wide8_add(pace, pace));
}

static inline void anticipate(const throng_pbd *s, octet *o, const uint32_t *others, const outlook *l, bool one_body) {
    const wide8 zero = wide8_all(0.0F), one = wide8_all(1.0F);
    const float slowest = 1e-8F * (float)(s->h * s->h);
    meeting m = meet(s, o, others, one_body);
    wide8 a = wide8_add(wide8_mul(m.dx, m.dx), wide8_mul(m.dy, m.dy));
    wide8 b = wide8_sub(zero, wide8_add(wide8_mul(m.px, m.dx), wide8_mul(m.py, m.dy)));
    wide8 c = wide8_sub(wide8_add(wide8_mul(m.px, m.px), wide8_mul(m.py, m.py)), wide8_mul(m.radii, m.radii));
    wide8 root2 = wide8_sub(wide8_mul(b, b), wide8_mul(a, c));
    wide8_mask acts = wide8_and(wide8_and(m.is, wide8_less(zero, b)), wide8_less(zero, root2));
    acts = wide8_and(wide8_and_not(acts, wide8_less(c, zero)), wide8_less(wide8_all(slowest), a));
    if (!wide8_bits(acts)) return;
    /* (b - root) / a, without the cancellation */
    wide8 root = wide8_sqrt(wide8_select(acts, root2, one));
    wide8 when = wide8_div(c, wide8_select(acts, wide8_add(b, root), one));
    acts = wide8_and(acts, wide8_and(wide8_less(zero, when), wide8_less(when, l->steps)));
    if (!wide8_bits(acts)) return;
    wide8 free = wide8_of_whole(wide8_to_whole(wide8_keep(acts, when))), t = wide8_add(free, one);
    wide8 qx = wide8_add(m.px, wide8_mul(t, m.dx)), qy = wide8_add(m.py, wide8_mul(t, m.dy));
    wide8 d = wide8_sqrt(wide8_add(wide8_mul(qx, qx), wide8_mul(qy, qy)));
    acts = wide8_and(acts, wide8_and(wide8_less(d, m.radii), wide8_less(wide8_mul(m.radii, wide8_all(1e-6F)), d)));
    wide8 inverse = wide8_div(one, wide8_select(acts, d, one));
    wide8 nx = wide8_mul(qx, inverse), ny = wide8_mul(qy, inverse);
    wide8 strength = wide8_mul(m.share, wide8_exp(wide8_mul(wide8_mul(free, free), l->decay)));
    wide8 along = wide8_mul(wide8_mul(strength, l->normal), wide8_sub(m.radii, d));
    wide8 across = zero;
    if (l->slides) {
        across = wide8_mul(wide8_mul(strength, l->tangential), wide8_sub(wide8_mul(m.dy, nx), wide8_mul(m.dx, ny)));
        across = wide8_mul(across, sliding(s, l, others));
    }
    add(o, acts, wide8_sub(wide8_mul(along, nx), wide8_mul(across, ny)),
        wide8_add(wide8_mul(along, ny), wide8_mul(across, nx)));
}

/* Sliding past others makes people faster from iteration to iteration, until a crowd that cannot move on boils. So ways
 * get no longer than planned, or before, or than what of them leads where somebody wants to go at its top speed. */
static inline void keep_calm(const throng_pbd *s, const octet *o, wide8 *x, wide8 *y) {
    const wide8 one = wide8_all(1.0F), h = wide8_all((float)s->h);
    wide8 hurry = EACH_LAW(o->first, hurry);
    wide8_mask calm = wide8_less(hurry, one);
    if (!wide8_bits(calm)) return;
    wide8 px = wide8_mul(h, wide8_load(s->new_vx + o->first)), py = wide8_mul(h, wide8_load(s->new_vy + o->first));
    wide8 wx = wide8_load(s->wish_x + o->first), wy = wide8_load(s->wish_y + o->first);
    wide8 to_x = wide8_add(o->way_x, *x), to_y = wide8_add(o->way_y, *y);
    wide8 forward = wide8_max(wide8_add(wide8_mul(to_x, wx), wide8_mul(to_y, wy)), wide8_all(0.0F));
    wide8 wish2 = wide8_max(wide8_add(wide8_mul(wx, wx), wide8_mul(wy, wy)), wide8_all(1e-12F));
    wide8 most2 = wide8_max(wide8_add(wide8_mul(px, px), wide8_mul(py, py)),
                            wide8_add(wide8_mul(o->way_x, o->way_x), wide8_mul(o->way_y, o->way_y)));
    wide8 top = wide8_mul(h, wide8_load(s->top_speed + o->first));
    most2 = wide8_max(most2, wide8_min(wide8_div(wide8_mul(forward, forward), wish2), wide8_mul(top, top)));
    wide8 to2 = wide8_add(wide8_mul(to_x, to_x), wide8_mul(to_y, to_y));
    wide8_mask over = wide8_and(calm, wide8_less(most2, to2));
    wide8 scale = wide8_sqrt(wide8_div(most2, wide8_select(over, to2, one)));
    *x = wide8_select(over, wide8_sub(wide8_mul(to_x, scale), o->way_x), *x);
    *y = wide8_select(over, wide8_sub(wide8_mul(to_y, scale), o->way_y), *y);
}

static void long_range_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    const float h = (float)s->h;
    for (size_t group = begin; group < end; group++) {
        const uint32_t *others = s->ahead.entry + s->ahead.begin[group];
        octet eight = octet_at(s, group), *o = &eight;
        wide8 clock = wide8_load(s->clock + o->first), tau0 = EACH_LAW(o->first, tau0), x, y;
        static const uint32_t run[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        wide8 radius, inverse_mass, toward_x, toward_y;
        wide8_load_fours(s->traits + o->first, run, &radius, &inverse_mass, &toward_x, &toward_y);
        /* exp(-t^2 / (tau0 clock^2)) with t = h * steps */
        outlook l = {EACH_LAW(o->first, normal),
                     EACH_LAW(o->first, tangential),
                     wide8_min(wide8_div(wide8_mul(tau0, clock), wide8_all(h)), wide8_all(1e6F)),
                     wide8_div(wide8_all(-h * h), wide8_mul(tau0, wide8_mul(clock, clock))),
                     held_up(s, o->first),
                     toward_x,
                     toward_y,
                     wide8_bits(wide8_less(wide8_all(0.0F), EACH_LAW(o->first, tangential))) != 0};
        size_t length = s->ahead.length[group];
        if (s->one_body) {
            for (size_t k = 0; k < length; k++) anticipate(s, o, others + 8 * k, &l, true);
        } else {
            for (size_t k = 0; k < length; k++) anticipate(s, o, others + 8 * k, &l, false);
        }
        average(s, o, &x, &y);
        keep_calm(s, o, &x, &y);
        store_ways(s, o, x, y);
    }
}
