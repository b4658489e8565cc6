/* roadmap_sift_kernel.h: has a crowd go straight on along its trails (path state), and sifts out those for whom that
 * will not do. Built twice, by roadmap_sift.c and roadmap_sift_avx2.c. Nothing is decided by a branch, as what one
 * person does tells nothing of the next. */

#include "base/wide_records.h"
#include "route/roadmap.h"

_Static_assert(sizeof(throng_way) == 32, "written as a record");
_Static_assert(offsetof(throng_trail, corner) == 24 && offsetof(throng_trail, planned) == 28, "read as a record");

/* Four people; bits by lane. */
typedef struct four {
    unsigned lands; /* goes on to a landing, */
    unsigned other; /* or looks up, or is not on its way; the others go straight on to a bend */
} four;

/* What is the same for all people of a step. */
typedef struct moment {
    double now, period, unchanged;   /* steps; since the last change of walls */
    double wonder, wonders_together; /* a person who stands wonders when the sum of steps is a multiple of this */
    bool glances;
} moment;

static inline moment moment_of(const throng_pace *pace) {
    uint64_t wonder = throng_pace_wonder(pace);
    return (moment){.now = (double)(pace->step + 1),
                    .period = (double)pace->period,
                    .unchanged = (double)(pace->step + 1 - pace->changed),
                    .wonder = (double)(pace->step & wonder),
                    .wonders_together = 1 / (double)(wonder + 1),
                    .glances = throng_pace_glances(pace)};
}

/* Where four trails lead. */
typedef struct ends {
    wide x, y;
} ends;

/* Straight on to there. Returns the square of how far that is. */
static inline wide go_straight_on(ends next, wide beyond, wide x, wide y, throng_way *ways) {
    wide dx = wide_sub(next.x, x), dy = wide_sub(next.y, y), far2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
    wide far = wide_sqrt(far2), scale = wide_div(wide_all(1), far);
    wide_store_records(ways, wide_mul(dx, scale), wide_mul(dy, scale), wide_add(far, beyond)); /* known */
    return far2;
}

/* As is_freed in roadmap_trail.c, of bends: who has no corner in between any more. */
static inline wide_mask is_freed(const throng_trail t[4], ends next, wide x, wide y, wide far2) {
    wide ax = wide_sub(wide_of(t[0].after.x, t[1].after.x, t[2].after.x, t[3].after.x), x);
    wide ay = wide_sub(wide_of(t[0].after.y, t[1].after.y, t[2].after.y, t[3].after.y), y);
    wide side = wide_of(throng_node_side(t[0].corner), throng_node_side(t[1].corner), throng_node_side(t[2].corner),
                        throng_node_side(t[3].corner));
    wide across = wide_sub(wide_mul(ay, wide_sub(next.x, x)), wide_mul(ax, wide_sub(next.y, y)));
    wide least =
        wide_mul(wide_mul(wide_all(THRONG_HARDLY * THRONG_HARDLY), far2), wide_add(wide_mul(ax, ax), wide_mul(ay, ay)));
    return wide_and(wide_less(wide_all(0), wide_mul(side, across)), wide_less(least, wide_mul(across, across)));
}

/* The nearest whole numbers, of numbers far below 2^52. */
static inline wide to_whole(wide a) {
    const wide turn = wide_all(THRONG_TO_WHOLE_TURN);
    return wide_sub(wide_add(a, turn), turn);
}

/* As throng_trail_period, twice as long for people held up, and twice as long again for those who creep. */
static inline wide time_to_look(ends next, wide planned, wide period, wide_mask held_up, wide_mask creeps) {
    wide turns = wide_add(wide_mul(next.x, wide_all(THRONG_SPREAD_X)), wide_mul(next.y, wide_all(THRONG_SPREAD_Y)));
    turns = wide_add(turns, wide_mul(planned, wide_all(THRONG_SPREAD_STEP)));
    wide steps = wide_mul(period, wide_add(wide_all(1), wide_sub(turns, to_whole(turns))));
    return wide_mul(steps, wide_select(creeps, wide_all(4), wide_select(held_up, wide_all(2), wide_all(1))));
}

/* As throng_trail_wonders. */
static inline wide_mask wonders(wide planned, const moment *m) {
    wide times = wide_mul(wide_add(planned, wide_all(m->wonder)), wide_all(m->wonders_together));
    wide whole = to_whole(times);
    return wide_and(wide_less_equal(times, whole), wide_less_equal(whole, times));
}

static inline four lead_four(const throng_route_crowd *crowd, const moment *m, size_t row, throng_way *ways) {
    const wide_records trail = wide_load_records(&crowd->trail[row], sizeof(throng_trail));
    ends next = {trail.number[0], trail.number[1]};
    wide planned = trail.high, x = wide_load(crowd->people.x + row), y = wide_load(crowd->people.y + row);
    wide far2 = go_straight_on(next, trail.number[2], x, y, ways);
    wide near = wide_add(wide_all(THRONG_NEAR_BEND), wide_load(crowd->people.radius + row));
    wide vx = wide_load(crowd->people.vx + row), vy = wide_load(crowd->people.vy + row);
    wide liked = wide_load(crowd->people.desired_speed + row);
    wide speed2 = wide_add(wide_mul(vx, vx), wide_mul(vy, vy)), liked2 = wide_mul(liked, liked);
    wide_mask held_up = wide_less(speed2, wide_mul(wide_all(0.25), liked2));
    wide_mask creeps = wide_less(speed2, wide_mul(wide_all(0.0625), liked2));
    wide_mask stands = wide_less(speed2, wide_mul(wide_all(THRONG_STANDING * THRONG_STANDING), liked2));
    wide age = wide_sub(wide_all(m->now), planned);
    wide until = time_to_look(next, planned, wide_all(m->period), held_up, creeps);
    until = wide_min(until, wide_all(m->unchanged));
    wide_mask on_it = wide_and(wide_less_equal(wide_all(0), age), wide_less(age, until));
    wide_mask goes = wide_and_not(on_it, wide_and(stands, wonders(planned, m)));
    wide_mask there = wide_less(far2, wide_mul(near, near));
    if (m->glances) there = wide_or(there, is_freed(&crowd->trail[row], next, x, y, far2));
    wide_mask to_land = wide_less_equal(wide_all(THRONG_LANDS), trail.low);
    unsigned walking = wide_bytes_equal(crowd->people.state + row, THRONG_WALKING) & wide_bits(goes);
    unsigned lands = walking & wide_bits(to_land), straight = walking & ~wide_bits(wide_or(to_land, there));
    return (four){lands, 15 & ~(lands | straight)};
}

static void sift(const throng_route_crowd *given, const throng_pace *pace, size_t begin, size_t count, throng_way *ways,
                 throng_sifted *sifted) {
    const throng_route_crowd crowd = *given; /* known not to change */
    const moment m = moment_of(pace);
    size_t lands = 0, others = 0, i = 0;
    for (; i + 4 <= count; i += 4) {
        four f = lead_four(&crowd, &m, begin + i, ways + i);
        lands += wide_list(sifted->lands + lands, f.lands, (uint16_t)i);
        others += wide_list(sifted->others + others, f.other, (uint16_t)i);
    }
    for (; i < count; i++) sifted->others[others++] = (uint16_t)i;
    sifted->land_count = lands;
    sifted->other_count = others;
}
