/* sweeps_kernel.h: the corrections of everybody, eight people at a time. Built twice.
 *
 * What acts on a person is gathered from its list, summed, and averaged over those that act. The way of nobody is not a
 * number, so no comparison with it holds; what is computed for those who do not act is dropped. */

#include "models/pbd/law_kernel.h"

/* What sweeps read of the model, beside it: the compiler cannot know that no store changes these. */
typedef struct view {
    const throng_quad *quads;
    throng_quad *quads_next;
    const throng_four *traits;
    const float *radius, *inverse_mass;
    const uint8_t *own;
    const uint32_t *entry, *begin;
    const uint16_t *length;
    wide8 quantum;
    bool one_law, one_body;
} view;

static inline view view_of(const throng_pbd *s, const throng_pbd_lists *lists) {
    return (view){s->quads,   s->quads_next, s->traits,    s->radius,     s->inverse_mass,
                  s->own,     lists->entry,  lists->begin, lists->length, wide8_all((float)s->quantum),
                  s->one_law, s->one_body};
}

/* Eight people who are corrected. */
typedef struct octet {
    uint32_t first;
    wide8_mask own;
    wide8_whole at_x, at_y;
    wide8 way_x, way_y, radius, inverse_mass;
    wide8 sum_x, sum_y;
    wide8_whole count;
} octet;

/* One other for each of them, and how they lie: from it to the octet. */
typedef struct meeting {
    wide8 px, py;      /* m, at the start of the sub-step */
    wide8 dx, dy;      /* m, the relative way so far */
    wide8 radii;       /* m */
    wide8 share;       /* of the correction that is ours: w_i / (w_i + w_j); 1 if that is one half for all */
    wide8_whole other; /* twice its slot */
} meeting;

static inline octet octet_at(const view *v, size_t group) {
    octet o = {.first = (uint32_t)group * 8, .own = wide8_of_bits(v->own[group])};
    wide8_load_quad_run(v->quads + o.first, &o.at_x, &o.at_y, &o.way_x, &o.way_y);
    o.radius = wide8_load(v->radius + o.first);
    o.inverse_mass = wide8_load(v->inverse_mass + o.first);
    o.sum_x = o.sum_y = wide8_all(0.0F);
    o.count = wide8_whole_all(0);
    return o;
}

static inline meeting meet(const view *v, const octet *o, const uint32_t *others, bool one_body) {
    wide8_whole x, y;
    wide8 way_x, way_y;
    meeting m = {.other = wide8_whole_load(others)};
    wide8_load_quads(v->quads, others, &x, &y, &way_x, &way_y);
    m.px = wide8_mul(wide8_of_whole(wide8_whole_sub(o->at_x, x)), v->quantum);
    m.py = wide8_mul(wide8_of_whole(wide8_whole_sub(o->at_y, y)), v->quantum);
    m.dx = wide8_sub(o->way_x, way_x);
    m.dy = wide8_sub(o->way_y, way_y);
    if (one_body) {
        m.radii = wide8_add(o->radius, o->radius);
        m.share = wide8_all(1.0F);
    } else {
        wide8 radius, inverse_mass, toward_x, toward_y;
        wide8_load_fours(v->traits, others, &radius, &inverse_mass, &toward_x, &toward_y);
        m.radii = wide8_add(o->radius, radius);
        m.share = wide8_div(o->inverse_mass, wide8_add(o->inverse_mass, inverse_mass));
    }
    return m;
}

/* Two in one place part along x, each to the side of its number. */
static inline void tell_apart(const octet *o, const meeting *m, wide8 *x, wide8 *d2) {
    wide8 least = wide8_mul(m->radii, wide8_all(1e-5F)), least2 = wide8_mul(least, least);
    wide8_mask same = wide8_less(*d2, least2);
    if (!wide8_bits(same)) return;
    uint32_t twice[8];
    for (uint32_t lane = 0; lane < 8; lane++) twice[lane] = 2 * (o->first + lane);
    wide8_mask lower = wide8_whole_less(wide8_whole_load(twice), m->other);
    wide8 side = wide8_select(lower, wide8_sub(wide8_all(0.0F), least), least);
    *x = wide8_select(same, side, *x);
    *d2 = wide8_select(same, least2, *d2);
}

/* The average of what acts, over-relaxed. */
static inline void average(const view *v, const octet *o, wide8 averaging, wide8 *x, wide8 *y) {
    wide8 factor = wide8_div(averaging, wide8_max(wide8_of_whole(o->count), wide8_all(1.0F)));
    if (v->one_body) factor = wide8_mul(factor, wide8_all(0.5F));
    *x = wide8_keep(o->own, wide8_mul(o->sum_x, factor));
    *y = wide8_keep(o->own, wide8_mul(o->sum_y, factor));
}

static inline void add(octet *o, wide8_mask acts, wide8 x, wide8 y) {
    o->sum_x = wide8_add(o->sum_x, wide8_keep(acts, x));
    o->sum_y = wide8_add(o->sum_y, wide8_keep(acts, y));
    o->count = wide8_count(o->count, acts);
}

static inline void store_ways(const view *v, const octet *o, wide8 x, wide8 y) {
    wide8_store_quad_run(v->quads_next + o->first, o->at_x, o->at_y, wide8_add(o->way_x, x), wide8_add(o->way_y, y));
}

/* --- stability: those whose discs overlap at the start */

static inline void stabilise_octet(const view *v, octet *o, const uint32_t *others, wide8_whole nobody, bool one_body) {
    meeting m = meet(v, o, others, one_body);
    wide8 d2 = wide8_add(wide8_mul(m.px, m.px), wide8_mul(m.py, m.py));
    wide8_mask acts = wide8_less(d2, wide8_mul(m.radii, m.radii));
    acts = wide8_and_not(acts, wide8_whole_equal(m.other, nobody));
    if (!wide8_bits(acts)) return;
    tell_apart(o, &m, &m.px, &d2);
    wide8 d = wide8_sqrt(d2);
    wide8 f = wide8_div(wide8_mul(m.share, wide8_sub(m.radii, d)), d);
    add(o, acts, wide8_mul(f, m.px), wide8_mul(f, m.py));
}

static void stabilise_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    const view v = view_of(s, &s->contacts);
    const wide8_whole nobody = wide8_whole_all((int32_t)(2 * s->nobody));
    for (size_t group = begin; group < end; group++) {
        const uint32_t *others = v.entry + v.begin[group];
        octet o = octet_at(&v, group);
        size_t length = v.length[group];
        if (v.one_body) {
            for (size_t k = 0; k < length; k++) stabilise_octet(&v, &o, others + 8 * k, nobody, true);
        } else {
            for (size_t k = 0; k < length; k++) stabilise_octet(&v, &o, others + 8 * k, nobody, false);
        }
        bool any = wide8_bits(wide8_whole_less(wide8_whole_all(0), o.count)) != 0;
        s->shifted[group] = any || s->near_wall[group] != 0;
        if (!s->shifted[group]) continue;
        wide8 x, y;
        average(&v, &o, EACH_LAW(o.first, averaging), &x, &y);
        wide8_store(s->shift_x + o.first, x);
        wide8_store(s->shift_y + o.first, y);
    }
}

/* --- short range: discs with a shell */

/* How eight people touch others. */
typedef struct skin {
    wide8 expansion, friction, averaging, pushed;
} skin;

static inline skin skin_of(const throng_pbd *s, uint32_t first) {
    return (skin){EACH_LAW(first, expansion), EACH_LAW(first, friction), EACH_LAW(first, contact_averaging),
                  EACH_LAW(first, pushed)};
}

/* Those who come near some of eight people, one for each, as they stand at the end of their ways. */
typedef struct brush {
    wide8 x, y, d2;     /* m, m^2: from it to us */
    wide8 dx, dy;       /* m, the relative way so far */
    wide8 radii, share; /* as of a meeting; only where bodies differ */
} brush;

/* How some neighbours of an octet, one after the other, stand to it. */
WIDE8_INLINE void look_at_touching(const view *v, const octet *o, const uint32_t *others, size_t count, bool one_body,
                                   brush *out) {
    for (size_t n = 0; n < count; n++) {
        meeting m = meet(v, o, others + 8 * n, one_body);
        wide8 x = wide8_add(m.px, m.dx), y = wide8_add(m.py, m.dy);
        wide8 d2 = wide8_add(wide8_mul(x, x), wide8_mul(y, y));
        tell_apart(o, &m, &x, &d2);
        out[n].x = x;
        out[n].y = y;
        out[n].d2 = d2;
        out[n].dx = m.dx;
        out[n].dy = m.dy;
        if (one_body) continue;
        out[n].radii = m.radii;
        out[n].share = m.share;
    }
}

static inline void touch(octet *o, const brush *b, const skin *k, bool one_body) {
    wide8 r = wide8_mul(one_body ? wide8_add(o->radius, o->radius) : b->radii, k->expansion);
    wide8_mask acts = wide8_less(b->d2, wide8_mul(r, r));
    if (!wide8_bits(acts)) return;
    wide8 d = wide8_sqrt(b->d2), inverse = wide8_div(wide8_all(1.0F), d);
    wide8 nx = wide8_mul(b->x, inverse), ny = wide8_mul(b->y, inverse);
    wide8 depth = wide8_sub(r, d);
    /* across the line of centres: what friction takes of the relative way, at most all of it */
    wide8 slip = wide8_sub(wide8_mul(b->dy, nx), wide8_mul(b->dx, ny)), most = wide8_mul(k->friction, depth);
    wide8 hold = wide8_max(wide8_min(slip, most), wide8_sub(wide8_all(0.0F), most));
    wide8 cx = wide8_add(wide8_mul(depth, nx), wide8_mul(hold, ny));
    wide8 cy = wide8_sub(wide8_mul(depth, ny), wide8_mul(hold, nx));
    if (one_body) {
        add(o, acts, cx, cy);
    } else {
        add(o, acts, wide8_mul(b->share, cx), wide8_mul(b->share, cy));
    }
}

/* Some neighbours are all looked at before any is acted upon: the processor has more of them under way then than if it
 * did all for one after the other. */
WIDE8_INLINE void touch_all(const view *v, octet *o, size_t group, const skin *k, bool one_body) {
    enum { BATCH = 16 };
    brush near[BATCH];
    const uint32_t *others = v->entry + v->begin[group];
    for (size_t left = v->length[group]; left > 0; others += 8 * BATCH) {
        size_t count = left < BATCH ? left : BATCH;
        look_at_touching(v, o, others, count, one_body, near);
        for (size_t n = 0; n < count; n++) touch(o, &near[n], k, one_body);
        left -= count;
    }
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

/* Whether ways get longer than they may: than planned, and than at top speed, or THRONG_PBD_PUSHED of those who stand.
 */
static inline void keep_speed(const throng_pbd *s, const octet *o, const skin *k, wide8 *x, wide8 *y) {
    const wide8 h = wide8_all((float)s->h);
    wide8 vx = wide8_load(s->new_vx + o->first), vy = wide8_load(s->new_vy + o->first);
    wide8 most = wide8_max(wide8_load(s->top_speed + o->first), wide8_all(THRONG_PBD_PUSHED));
    most = wide8_max(most, wide8_sqrt(wide8_add(wide8_mul(vx, vx), wide8_mul(vy, vy))));
    most = wide8_select(wide8_less(wide8_all(0.0F), k->pushed), wide8_all(1e9F), wide8_mul(h, most));
    wide8 to_x = wide8_add(o->way_x, *x), to_y = wide8_add(o->way_y, *y);
    limit(&to_x, &to_y, most);
    *x = wide8_sub(to_x, o->way_x);
    *y = wide8_sub(to_y, o->way_y);
}

static void short_range_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    const view v = view_of(s, &s->contacts);
    const uint8_t *near_wall = s->near_wall;
    const bool settled = s->settled;
    skin k = skin_of(s, (uint32_t)begin * 8);
    for (size_t group = begin; group < end; group++) {
        /* ways that nothing bends are in both quads after the first iteration */
        if (settled && v.length[group] == 0 && !near_wall[group]) continue;
        octet o = octet_at(&v, group);
        if (!v.one_law) k = skin_of(s, o.first);
        if (v.one_body) {
            touch_all(&v, &o, group, &k, true);
        } else {
            touch_all(&v, &o, group, &k, false);
        }
        wide8 x, y;
        average(&v, &o, k.averaging, &x, &y);
        keep_speed(s, &o, &k, &x, &y);
        store_ways(&v, &o, x, y);
        if (near_wall[group]) keep_off(s, group);
    }
}

/* --- long range: those who will collide */

/* How eight people look ahead; times are counted in sub-steps. */
typedef struct outlook {
    wide8 normal, tangential, averaging;
    wide8 steps, decay;
    wide8 slowest;            /* m^2: whose way relative to another is shorter does not collide */
    wide8 toward_x, toward_y; /* where it wants to go */
    bool slides;              /* somebody of them has a tangential part */
} outlook;

/* How much of the sliding past each other there is: all of it when two want to cross or meet, or one wants to stand;
 * none when they want the same way. It grows on itself, and would have people who walk together stir each other up. */
static inline wide8 sliding(const view *v, const outlook *l, const uint32_t *others) {
    const wide8 one = wide8_all(1.0F);
    wide8 radius, inverse_mass, x, y;
    wide8_load_fours(v->traits, others, &radius, &inverse_mass, &x, &y);
    wide8 cosine = wide8_add(wide8_mul(l->toward_x, x), wide8_mul(l->toward_y, y));
    return wide8_max(wide8_min(wide8_sub(one, cosine), one), wide8_all(0.0F));
}

/* One other for each of eight people who may collide with it: it is p away, and the relative way is d. */
typedef struct course {
    const uint32_t *others;
    wide8_mask acts;
    wide8 px, py, dx, dy;
    wide8 b, c, root2;  /* the collision is at (b - root) / a sub-steps, with a c = b^2 - root^2 */
    wide8 radii, share; /* as of a meeting; only where bodies differ */
} course;

static inline bool look_ahead(const view *v, const octet *o, const uint32_t *others, const outlook *l, bool one_body,
                              course *out) {
    const wide8 zero = wide8_all(0.0F);
    meeting m = meet(v, o, others, one_body);
    wide8 a = wide8_add(wide8_mul(m.dx, m.dx), wide8_mul(m.dy, m.dy));
    wide8 b = wide8_sub(zero, wide8_add(wide8_mul(m.px, m.dx), wide8_mul(m.py, m.dy)));
    wide8 c = wide8_sub(wide8_add(wide8_mul(m.px, m.px), wide8_mul(m.py, m.py)), wide8_mul(m.radii, m.radii));
    wide8 root2 = wide8_sub(wide8_mul(b, b), wide8_mul(a, c));
    wide8_mask acts = wide8_and(wide8_less(zero, b), wide8_less(zero, root2));
    acts = wide8_and(wide8_and_not(acts, wide8_less(c, zero)), wide8_less(l->slowest, a));
    if (!wide8_bits(acts)) return false;
    out->acts = acts;
    out->others = others;
    out->px = m.px;
    out->py = m.py;
    out->dx = m.dx;
    out->dy = m.dy;
    out->b = b;
    out->c = c;
    out->root2 = root2;
    if (one_body) return true;
    out->radii = m.radii;
    out->share = m.share;
    return true;
}

static inline void anticipate(const view *v, octet *o, const course *m, const outlook *l, bool one_body) {
    const wide8 zero = wide8_all(0.0F), one = wide8_all(1.0F);
    wide8_mask acts = m->acts;
    /* (b - root) / a, without the cancellation */
    wide8 when = wide8_div(m->c, wide8_add(m->b, wide8_sqrt(m->root2)));
    acts = wide8_and(acts, wide8_and(wide8_less(zero, when), wide8_less(when, l->steps)));
    if (!wide8_bits(acts)) return;
    wide8 radii = one_body ? wide8_add(o->radius, o->radius) : m->radii, share = one_body ? one : m->share;
    wide8 free = wide8_of_whole(wide8_to_whole(wide8_keep(acts, when))), t = wide8_add(free, one);
    wide8 qx = wide8_add(m->px, wide8_mul(t, m->dx)), qy = wide8_add(m->py, wide8_mul(t, m->dy));
    wide8 d = wide8_sqrt(wide8_add(wide8_mul(qx, qx), wide8_mul(qy, qy)));
    acts = wide8_and(acts, wide8_and(wide8_less(d, radii), wide8_less(wide8_mul(radii, wide8_all(1e-6F)), d)));
    wide8 inverse = wide8_div(one, d);
    wide8 nx = wide8_mul(qx, inverse), ny = wide8_mul(qy, inverse);
    wide8 strength = wide8_mul(share, wide8_exp(wide8_mul(wide8_mul(free, free), l->decay)));
    wide8 along = wide8_mul(wide8_mul(strength, l->normal), wide8_sub(radii, d));
    wide8 across = zero;
    if (l->slides) {
        across = wide8_mul(wide8_mul(strength, l->tangential), wide8_sub(wide8_mul(m->dy, nx), wide8_mul(m->dx, ny)));
        across = wide8_mul(across, sliding(v, l, m->others));
    }
    add(o, acts, wide8_sub(wide8_mul(along, nx), wide8_mul(across, ny)),
        wide8_add(wide8_mul(along, ny), wide8_mul(across, nx)));
}

/* As touch_all. */
WIDE8_INLINE void anticipate_all(const view *v, octet *o, size_t group, const outlook *l, bool one_body) {
    enum { BATCH = 16 };
    course ahead[BATCH];
    const uint32_t *others = v->entry + v->begin[group];
    for (size_t left = v->length[group]; left > 0; others += 8 * BATCH) {
        size_t count = left < BATCH ? left : BATCH, ahead_count = 0;
        for (size_t n = 0; n < count; n++)
            ahead_count += look_ahead(v, o, others + 8 * n, l, one_body, &ahead[ahead_count]);
        for (size_t n = 0; n < ahead_count; n++) anticipate(v, o, &ahead[n], l, one_body);
        left -= count;
    }
}

/* Sliding past others makes people faster from iteration to iteration, until a crowd that cannot move on boils. So ways
 * get no longer than planned, or before, or than at top speed: anyway, or of what leads where somebody wants to go. */
static inline void keep_calm(const throng_pbd *s, const octet *o, wide8 *x, wide8 *y) {
    const wide8 one = wide8_all(1.0F), h = wide8_all((float)s->h);
    wide8_mask anyway = wide8_less(wide8_all(0.5F), EACH_LAW(o->first, hurry));
    wide8 px = wide8_mul(h, wide8_load(s->new_vx + o->first)), py = wide8_mul(h, wide8_load(s->new_vy + o->first));
    wide8 wx = wide8_load(s->wish_x + o->first), wy = wide8_load(s->wish_y + o->first);
    wide8 to_x = wide8_add(o->way_x, *x), to_y = wide8_add(o->way_y, *y);
    wide8 forward = wide8_max(wide8_add(wide8_mul(to_x, wx), wide8_mul(to_y, wy)), wide8_all(0.0F));
    wide8 wish2 = wide8_max(wide8_add(wide8_mul(wx, wx), wide8_mul(wy, wy)), wide8_all(1e-12F));
    wide8 most2 = wide8_max(wide8_add(wide8_mul(px, px), wide8_mul(py, py)),
                            wide8_add(wide8_mul(o->way_x, o->way_x), wide8_mul(o->way_y, o->way_y)));
    wide8 top = wide8_mul(h, wide8_load(s->top_speed + o->first)), top2 = wide8_mul(top, top);
    wide8 ahead2 = wide8_min(wide8_div(wide8_mul(forward, forward), wish2), top2);
    most2 = wide8_max(most2, wide8_select(anyway, top2, ahead2));
    wide8 to2 = wide8_add(wide8_mul(to_x, to_x), wide8_mul(to_y, to_y));
    wide8_mask over = wide8_less(most2, to2);
    if (!wide8_bits(over)) return;
    wide8 scale = wide8_sqrt(wide8_div(most2, wide8_select(over, to2, one)));
    *x = wide8_select(over, wide8_sub(wide8_mul(to_x, scale), o->way_x), *x);
    *y = wide8_select(over, wide8_sub(wide8_mul(to_y, scale), o->way_y), *y);
}

static inline outlook outlook_of(const throng_pbd *s, uint32_t first) {
    static const uint32_t run[8] = {0, 2, 4, 6, 8, 10, 12, 14};
    const float h = (float)s->h;
    wide8 clock = wide8_load(s->clock + first), tau0 = EACH_LAW(first, tau0), horizon = EACH_LAW(first, horizon);
    wide8 radius, inverse_mass, toward_x, toward_y, tangential = EACH_LAW(first, tangential);
    wide8_load_fours(s->traits + first, run, &radius, &inverse_mass, &toward_x, &toward_y);
    /* exp(-t^2 / (tau0 clock^2)) with t = h * steps */
    return (outlook){.normal = EACH_LAW(first, normal),
                     .tangential = tangential,
                     .averaging = EACH_LAW(first, averaging),
                     .steps = wide8_min(wide8_div(wide8_mul(horizon, clock), wide8_all(h)), wide8_all(1e6F)),
                     .decay = wide8_div(wide8_all(-h * h), wide8_mul(tau0, wide8_mul(clock, clock))),
                     .slowest = wide8_all(1e-8F * (float)(s->h * s->h)),
                     .toward_x = toward_x,
                     .toward_y = toward_y,
                     .slides = wide8_bits(wide8_less(wide8_all(0.0F), tangential)) != 0};
}

static void long_range_groups(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_pbd *s = context;
    const view v = view_of(s, &s->ahead);
    for (size_t group = begin; group < end; group++) {
        octet o = octet_at(&v, group);
        outlook l = outlook_of(s, o.first);
        if (v.one_body) {
            anticipate_all(&v, &o, group, &l, true);
        } else {
            anticipate_all(&v, &o, group, &l, false);
        }
        wide8 x, y;
        average(&v, &o, l.averaging, &x, &y);
        keep_calm(s, &o, &x, &y);
        store_ways(&v, &o, x, y);
    }
}
