/* program_kernel.h: the linear programs, for four people at once.
 *
 * The best velocity for some of the lines is best for all when none of the others forbids it. Else
 * the line it violates most joins them, and the new best lies on that line, where those that joined
 * before and the speed limit leave an interval (de Berg et al., Computational Geometry, 4.4; there
 * lines are taken in any order). A point of a line is c n + t d with n its normal to the left.
 *
 * When a line leaves nothing, the soft lines are given up together: a third unknown, the largest
 * violation, is made as small as possible, from corner to corner. Where the speed limit forbids what
 * that finds, which is rare, lines join one after the other, as before. */

#include <math.h>

#include "models/orca/orca.h"

/* Lines whose directions differ by less are taken for parallel; velocities (m/s) that miss a line
 * by less count as allowed. Both are far below what a step can show and above rounding. */
#define PARALLEL 1e-10
#define SLACK    1e-10
#define TOUCH    1e-12

/* So many lines join at most; a few do when rounding does not play tricks. */
enum { JOIN_LIMIT = 48 };

typedef struct vectors {
    wide x, y;
} vectors;

typedef struct line {
    wide x, y, c;
} line;

/* What is best: to be near a point, or to be far along a unit direction. */
typedef struct aim {
    vectors at;
    bool far;
} aim;

static inline vectors select_vectors(wide_mask m, vectors yes, vectors no) {
    return (vectors){wide_select(m, yes.x, no.x), wide_select(m, yes.y, no.y)};
}

static inline line select_line(wide_mask m, line yes, line no) {
    return (line){wide_select(m, yes.x, no.x), wide_select(m, yes.y, no.y), wide_select(m, yes.c, no.c)};
}

static inline line line_at(const throng_orca_lines *lines, size_t i) {
    return (line){wide_load(lines->x[i]), wide_load(lines->y[i]), wide_load(lines->c[i])};
}

/* Appends a line in some lanes, and one that allows everything in the others. */
static inline void add_line_where(throng_orca_lines *lines, wide_mask where, line l) {
    size_t i = lines->count++;
    wide_store(lines->x[i], wide_keep(where, l.x));
    wide_store(lines->y[i], wide_keep(where, l.y));
    wide_store(lines->c[i], wide_select(where, l.c, wide_all(-INFINITY)));
}

/* How far a velocity is on the allowed side of a line. */
static inline wide gap_to(line l, vectors v) { return wide_sub(wide_sub(wide_mul(l.x, v.y), wide_mul(l.y, v.x)), l.c); }

/* The line with the least gap below `*least`, which is updated. */
static inline line most_violated(const throng_orca_lines *lines, vectors v, wide *least) {
    line worst = {wide_all(0.0), wide_all(0.0), wide_all(0.0)};
    for (size_t i = 0; i < lines->count; i++) {
        line l = line_at(lines, i);
        wide gap = gap_to(l, v);
        wide_mask less = wide_less(gap, *least);
        *least = wide_min(gap, *least);
        worst = select_line(less, l, worst);
    }
    return worst;
}

/* Moves v to the best point of a line that the lines of `joined` allow. Returns where there is none. */
static inline wide_mask best_on_line(line l, const throng_orca_lines *joined, wide speed, aim best, vectors *v) {
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    const wide parallel = wide_all(PARALLEL), negative = wide_all(-PARALLEL), slack = wide_all(SLACK);
    const wide far = wide_all(INFINITY);
    wide room = wide_sub(wide_mul(speed, speed), wide_mul(l.c, l.c));
    wide_mask closed = wide_less(room, zero);
    wide right = wide_sqrt(wide_max(room, zero)), left = wide_sub(zero, right);
    for (size_t j = 0; j < joined->count; j++) {
        line o = line_at(joined, j);
        wide across = wide_sub(wide_mul(l.x, o.y), wide_mul(l.y, o.x));
        wide along = wide_add(wide_mul(l.x, o.x), wide_mul(l.y, o.y));
        wide bound = wide_sub(wide_mul(l.c, along), o.c);
        wide_mask up = wide_less(parallel, across), down = wide_less(across, negative), cuts = wide_or(up, down);
        closed = wide_or(closed, wide_and_not(wide_less(bound, wide_sub(zero, slack)), cuts));
        wide t = wide_div(bound, wide_select(cuts, across, one));
        right = wide_min(wide_select(up, t, far), right);
        left = wide_max(wide_select(down, t, wide_sub(zero, far)), left);
    }
    closed = wide_or(closed, wide_less(slack, wide_sub(left, right)));
    /* ends that passed each other by rounding meet */
    wide_mask passed = wide_less(right, left);
    wide middle = wide_mul(wide_all(0.5), wide_add(left, right));
    left = wide_select(passed, middle, left);
    right = wide_select(passed, middle, right);

    wide t = wide_add(wide_mul(best.at.x, l.x), wide_mul(best.at.y, l.y));
    if (best.far) t = wide_select(wide_less(zero, t), right, left);
    t = wide_min(wide_max(t, left), right);
    vectors on = {wide_sub(wide_mul(t, l.x), wide_mul(l.c, l.y)), wide_add(wide_mul(t, l.y), wide_mul(l.c, l.x))};
    *v = select_vectors(closed, *v, on);
    return closed;
}

/* A program and how far it got. */
typedef struct search {
    const throng_orca_lines *hard, *soft;
    wide speed;
    throng_orca_lines joined;      /* in the order they joined */
    throng_orca_lines soft_joined; /* the soft ones of them; unused when there are no hard lines */
    wide_mask failed;              /* a line left nothing together with those that joined before */
    wide_mask failed_hard;         /* and it is a hard one */
    line last;                     /* that line */
} search;

/* Field by field: the room for lines need not be cleared. */
static inline void begin(search *s, const throng_orca_lines *hard, const throng_orca_lines *soft, wide speed) {
    s->hard = hard;
    s->soft = soft;
    s->speed = speed;
}

static inline throng_orca_lines *soft_joined(search *s) { return s->hard->count ? &s->soft_joined : &s->joined; }

/* The best velocity for all lines in the lanes that are active. Where s->failed, v is best for those
 * that joined, and no hard line forbids it unless s->failed_hard. */
static inline vectors best_velocity(search *s, aim best, wide_mask active) {
    const wide zero = wide_all(0.0), touch = wide_all(-TOUCH), one = wide_all(1.0);
    wide length2 = wide_add(wide_mul(best.at.x, best.at.x), wide_mul(best.at.y, best.at.y));
    wide_mask fast = wide_less(wide_mul(s->speed, s->speed), length2);
    wide scale = best.far ? s->speed : wide_select(fast, wide_div(s->speed, wide_sqrt(length2)), one);
    vectors v = {wide_mul(best.at.x, scale), wide_mul(best.at.y, scale)};
    s->joined.count = s->soft_joined.count = 0;
    s->failed = s->failed_hard = wide_less(one, zero);
    s->last = (line){zero, zero, zero};
    while (s->joined.count < JOIN_LIMIT) {
        /* hard lines first, so that what is best for those that joined is allowed by all hard ones */
        wide hard_gap = touch, soft_gap = touch;
        line l = most_violated(s->soft, v, &soft_gap);
        line hard = most_violated(s->hard, v, &hard_gap);
        wide_mask is_hard = wide_less(hard_gap, touch);
        wide_mask violated = wide_and(active, wide_or(is_hard, wide_less(soft_gap, touch)));
        if (!wide_bits(violated)) break;
        l = select_line(is_hard, hard, l);

        vectors moved = v;
        wide_mask closed = wide_and(violated, best_on_line(l, &s->joined, s->speed, best, &moved));
        active = wide_and_not(violated, closed);
        v = select_vectors(active, moved, v);
        s->failed = wide_or(s->failed, closed);
        s->failed_hard = wide_or(s->failed_hard, wide_and(closed, is_hard));
        s->last = select_line(closed, l, s->last);
        add_line_where(&s->joined, active, l);
        if (s->hard->count) add_line_where(&s->soft_joined, wide_and_not(active, is_hard), l);
    }
    return v;
}

/* Where other lines are violated no more than a line: the half-planes that their bisectors bound.
 * Equal directions have none, and get a line that allows everything. */
static inline void bisect(line l, const throng_orca_lines *others, throng_orca_lines *out) {
    const wide one = wide_all(1.0), none = wide_all(PARALLEL * PARALLEL);
    out->count = 0;
    for (size_t j = 0; j < others->count; j++) {
        line o = line_at(others, j);
        wide x = wide_sub(o.x, l.x), y = wide_sub(o.y, l.y);
        wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y));
        wide_mask apart = wide_less(none, length2);
        wide scale = wide_div(one, wide_sqrt(wide_select(apart, length2, one)));
        line bisector = {wide_mul(x, scale), wide_mul(y, scale), wide_mul(wide_sub(o.c, l.c), scale)};
        add_line_where(out, apart, bisector);
    }
}

/* Where a search failed at a hard line, lets the soft ones go and begins again with the hard ones
 * alone; as they always allow to stand, only rounding makes them fail. */
static vectors begin_with_hard(search *s, aim wish, vectors v) {
    static const throng_orca_lines none = {.count = 0};
    wide_mask again = s->failed_hard;
    search alone;
    begin(&alone, s->hard, &none, s->speed);
    vectors found = best_velocity(&alone, wish, again);
    v = select_vectors(again, found, v);
    v = (vectors){wide_select(alone.failed, wide_all(0.0), v.x), wide_select(alone.failed, wide_all(0.0), v.y)};
    throng_orca_lines *joined = soft_joined(s);
    for (size_t j = 0; j < joined->count; j++) {
        wide_store(joined->x[j], wide_keep(wide_not(again), wide_load(joined->x[j])));
        wide_store(joined->y[j], wide_keep(wide_not(again), wide_load(joined->y[j])));
        wide_store(joined->c[j], wide_select(again, wide_all(-INFINITY), wide_load(joined->c[j])));
    }
    wide least = wide_all(-TOUCH);
    line worst = most_violated(s->soft, v, &least);
    s->last = select_line(again, worst, s->last);
    s->failed = wide_and_not(s->failed, wide_and_not(again, wide_less(least, wide_all(-TOUCH))));
    return v;
}

/* Where a search failed: makes the largest violation of the soft lines as small as it can be.
 * Given are a velocity that the hard lines and the soft ones that joined allow, and in s->last a
 * line that leaves nothing together with them. */
static vectors violate_least(search *s, vectors v) {
    throng_orca_lines *joined = soft_joined(s), equal;
    wide_mask active = s->failed;
    line l = s->last;
    search part;
    begin(&part, s->hard, &equal, s->speed);
    while (wide_bits(active) && joined->count < 2 * JOIN_LIMIT) {
        bisect(l, joined, &equal);
        aim inward = {{wide_sub(wide_all(0.0), l.y), l.x}, true};
        vectors found = best_velocity(&part, inward, active);
        /* it fails only by rounding, and then the velocity before it is as good */
        v = select_vectors(wide_and_not(active, part.failed), found, v);
        add_line_where(joined, active, l);
        wide limit = wide_sub(gap_to(l, v), wide_all(TOUCH)), least = limit;
        l = most_violated(s->soft, v, &least);
        active = wide_and(active, wide_less(least, limit));
    }
    return v;
}

/* --- as little as possible, from corner to corner
 *
 * The least violation z, with the velocity at which it is reached, is the lowest point of a solid: a line bounds it by
 * n v + z >= c, a hard one by n v >= c, with n its normal to the left. Three lines whose normals pull against each
 * other, as those do that made a search fail, hold a lowest point of their own. As long as another line forbids that
 * point it takes the place of one of the three, the one that leaves the new three pulling against each other (the dual
 * simplex method). */

/* Three lines and the point where they meet. */
typedef struct corner {
    wide x[3], y[3], z[3]; /* how far the point moves with the offset of each; z is what each pulls */
    vectors v;
    wide violation;
} corner;

/* A side of the solid. */
typedef struct side {
    line l;
    wide soft; /* 1, or 0 for a hard one */
} side;

static inline side select_side(wide_mask m, side yes, side no) {
    return (side){select_line(m, yes.l, no.l), wide_select(m, yes.soft, no.soft)};
}

/* Sides of joined lines that bound the last one from its left and its right most; false where no two leave nothing. */
static inline wide_mask find_opposed(const search *s, side *left, side *right) {
    const wide parallel = wide_all(PARALLEL), negative = wide_all(-PARALLEL), one = wide_all(1.0);
    const wide far = wide_all(INFINITY);
    wide low = wide_sub(wide_all(0.0), far), high = far;
    *left = *right = (side){s->last, one};
    for (size_t j = 0; j < s->joined.count; j++) {
        line o = line_at(&s->joined, j);
        wide across = wide_sub(wide_mul(s->last.x, o.y), wide_mul(s->last.y, o.x));
        wide along = wide_add(wide_mul(s->last.x, o.x), wide_mul(s->last.y, o.y));
        wide_mask up = wide_less(parallel, across), down = wide_less(across, negative);
        wide t = wide_div(wide_sub(wide_mul(s->last.c, along), o.c), wide_select(wide_or(up, down), across, one));
        wide is_soft = one;
        if (s->hard->count) is_soft = wide_keep(wide_less(wide_all(-INFINITY), wide_load(s->soft_joined.c[j])), one);
        wide bound_low = wide_select(down, t, wide_sub(wide_all(0.0), far)), bound_high = wide_select(up, t, far);
        wide_mask higher = wide_less(low, bound_low), lower = wide_less(bound_high, high);
        low = wide_max(bound_low, low);
        high = wide_min(bound_high, high);
        *left = select_side(higher, (side){o, is_soft}, *left);
        *right = select_side(lower, (side){o, is_soft}, *right);
    }
    return wide_less(wide_all(SLACK), wide_sub(low, high));
}

/* The soft sides that are opposed most to the last line, on its left and its right, in some lanes. */
static inline void find_contrary(const search *s, wide_mask where, side *left, side *right) {
    const wide parallel = wide_all(PARALLEL), negative = wide_all(-PARALLEL), one = wide_all(1.0);
    wide low = one, high = one;
    line down = s->last, up = s->last;
    for (size_t i = 0; i < s->soft->count; i++) {
        line o = line_at(s->soft, i);
        wide across = wide_sub(wide_mul(s->last.x, o.y), wide_mul(s->last.y, o.x));
        wide along = wide_add(wide_mul(s->last.x, o.x), wide_mul(s->last.y, o.y));
        wide along_down = wide_select(wide_less(across, negative), along, one);
        wide along_up = wide_select(wide_less(parallel, across), along, one);
        down = select_line(wide_less(along_down, low), o, down);
        up = select_line(wide_less(along_up, high), o, up);
        low = wide_min(along_down, low);
        high = wide_min(along_up, high);
    }
    *left = select_side(where, (side){down, one}, *left);
    *right = select_side(where, (side){up, one}, *right);
}

/* The corner of three sides; false where they hardly pull against each other. */
static inline wide_mask make_corner(const side sides[3], corner *k) {
    const wide zero = wide_all(0.0), one = wide_all(1.0), least = wide_all(1e-6);
    wide cross[3];
    for (int i = 0; i < 3; i++) {
        const side *a = &sides[(i + 1) % 3], *b = &sides[(i + 2) % 3];
        cross[i] = wide_sub(wide_mul(a->l.x, b->l.y), wide_mul(a->l.y, b->l.x));
    }
    wide pull = wide_add(wide_add(wide_mul(sides[0].soft, cross[0]), wide_mul(sides[1].soft, cross[1])),
                         wide_mul(sides[2].soft, cross[2]));
    wide size = wide_max(pull, wide_sub(zero, pull));
    wide_mask good = wide_less(least, size);
    wide inverse = wide_div(one, wide_select(good, pull, one));
    k->v = (vectors){zero, zero};
    k->violation = zero;
    for (int i = 0; i < 3; i++) {
        const side *a = &sides[(i + 1) % 3], *b = &sides[(i + 2) % 3];
        wide x = wide_sub(wide_mul(b->soft, a->l.x), wide_mul(a->soft, b->l.x));
        wide y = wide_sub(wide_mul(b->soft, a->l.y), wide_mul(a->soft, b->l.y));
        k->x[i] = wide_mul(x, inverse);
        k->y[i] = wide_mul(y, inverse);
        k->z[i] = wide_mul(cross[i], inverse);
        k->v.x = wide_add(k->v.x, wide_mul(sides[i].l.c, k->x[i]));
        k->v.y = wide_add(k->v.y, wide_mul(sides[i].l.c, k->y[i]));
        k->violation = wide_add(k->violation, wide_mul(sides[i].l.c, k->z[i]));
        good = wide_and(good, wide_less_equal(zero, k->z[i]));
    }
    return good;
}

/* A side that is violated by `by` takes the place of another in some lanes: of the one that would pull the wrong way
 * first. False where it cannot. */
static inline wide_mask turn_corner(corner *k, side in, wide by, wide_mask where) {
    const wide one = wide_all(1.0), least = wide_all(1e-9), never = wide_all(INFINITY);
    wide part[3], inverse[3], until[3];
    for (int i = 0; i < 3; i++) {
        part[i] = wide_sub(wide_mul(in.l.x, k->y[i]), wide_mul(in.l.y, k->x[i]));
        part[i] = wide_add(part[i], wide_mul(in.soft, k->z[i]));
        wide_mask shrinks = wide_less(least, part[i]);
        inverse[i] = wide_div(one, wide_select(shrinks, part[i], one));
        until[i] = wide_select(shrinks, wide_mul(k->z[i], inverse[i]), never);
    }
    wide first = wide_min(until[0], until[1]);
    wide_mask second_leaves = wide_less(until[1], until[0]), last_leaves = wide_less(until[2], first);
    wide_mask leaves[3] = {wide_not(wide_or(second_leaves, last_leaves)), wide_and_not(second_leaves, last_leaves),
                           last_leaves};
    where = wide_and(where, wide_less(wide_min(first, until[2]), never));
#define OF_WHO_LEAVES(a) wide_select(leaves[2], (a)[2], wide_select(leaves[1], (a)[1], (a)[0]))
    wide scale = OF_WHO_LEAVES(inverse);
    wide x = wide_mul(scale, OF_WHO_LEAVES(k->x)), y = wide_mul(scale, OF_WHO_LEAVES(k->y));
    wide z = wide_mul(scale, OF_WHO_LEAVES(k->z));
#undef OF_WHO_LEAVES
    for (int i = 0; i < 3; i++) {
        wide_mask new_here = wide_and(where, leaves[i]);
        wide much = wide_keep(where, part[i]);
        k->x[i] = wide_select(new_here, x, wide_sub(k->x[i], wide_mul(much, x)));
        k->y[i] = wide_select(new_here, y, wide_sub(k->y[i], wide_mul(much, y)));
        k->z[i] = wide_select(new_here, z, wide_sub(k->z[i], wide_mul(much, z)));
    }
    by = wide_keep(where, by);
    k->v.x = wide_add(k->v.x, wide_mul(by, x));
    k->v.y = wide_add(k->v.y, wide_mul(by, y));
    k->violation = wide_add(k->violation, wide_mul(by, z));
    return where;
}

/* Where a search failed and the speed limit has no say: makes the largest violation of the soft lines as small as it
 * can be. Returns where it did. */
static wide_mask go_round_corners(const search *s, vectors *v) {
    enum { TURNS = 32 };
    const wide zero = wide_all(0.0), one = wide_all(1.0), touch = wide_all(TOUCH), none = wide_all(INFINITY);
    side three[3];
    corner k;
    three[2] = (side){s->last, wide_select(s->failed_hard, zero, one)};
    wide_mask opposed = find_opposed(s, &three[0], &three[1]), done = wide_less(one, zero);
    wide_mask lost = wide_and_not(s->failed, opposed);
    if (wide_bits(lost)) find_contrary(s, lost, &three[0], &three[1]);
    wide_mask active = wide_and(s->failed, make_corner(three, &k));
    for (int turn = 0; turn < TURNS && wide_bits(active); turn++) {
        wide soft_gap = none, hard_gap = none;
        side soft = {most_violated(s->soft, k.v, &soft_gap), one};
        side hard = {most_violated(s->hard, k.v, &hard_gap), zero};
        soft_gap = wide_add(soft_gap, k.violation);
        wide_mask harder = wide_less(hard_gap, soft_gap);
        wide by = wide_sub(zero, wide_select(harder, hard_gap, soft_gap));
        wide_mask forbidden = wide_less(touch, by);
        done = wide_or(done, wide_and_not(active, forbidden));
        active = wide_and(active, forbidden);
        active = turn_corner(&k, select_side(harder, hard, soft), by, active);
    }
    wide speed2 = wide_add(wide_mul(k.v.x, k.v.x), wide_mul(k.v.y, k.v.y));
    done = wide_and(done, wide_less_equal(speed2, wide_mul(s->speed, s->speed)));
    *v = select_vectors(done, k.v, *v);
    return done;
}

static unsigned choose(const throng_orca_lines *hard, const throng_orca_lines *soft, const double *speeds,
                       throng_orca_velocities *velocities) {
    search s;
    begin(&s, hard, soft, wide_load(speeds));
    aim wish = {{wide_load(velocities->x), wide_load(velocities->y)}, false};
    vectors v = best_velocity(&s, wish, wide_first(THRONG_WIDTH));
    unsigned failed = wide_bits(s.failed);
    if (failed) {
        wide_mask done = go_round_corners(&s, &v);
        s.failed = wide_and_not(s.failed, done);
        s.failed_hard = wide_and_not(s.failed_hard, done);
        if (wide_bits(s.failed_hard)) v = begin_with_hard(&s, wish, v);
        if (wide_bits(s.failed)) v = violate_least(&s, v);
    }
    wide_store(velocities->x, v.x);
    wide_store(velocities->y, v.y);
    return failed;
}
