/* roadmap_sift_kernel.h: has a crowd go straight on along its trails, and sifts out those for whom that will not do.
 * Built twice, by roadmap_sift.c and roadmap_sift_avx2.c. Nothing is decided by a branch, as what one person does tells
 * nothing of the next. */

#include "route/roadmap.h"
#include "space/wide.h"

/* Four people; bits by lane. */
typedef struct four {
    unsigned near;   /* close to where the trail leads, or what comes after it may be in sight */
    unsigned on_it;  /* it is not older than the last change of walls, and not yet time to look */
    unsigned stands; /* it hardly moves */
} four;

/* Where four trails lead. */
typedef struct ends {
    wide x, y;
} ends;

/* Straight on to there. Returns the square of how far that is. */
static inline wide go_straight_on(const throng_trail t[4], ends next, wide x, wide y, throng_way *ways) {
    wide dx = wide_sub(next.x, x), dy = wide_sub(next.y, y), far2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
    wide far = wide_sqrt(far2), scale = wide_div(wide_all(1), far);
    double direction_x[4], direction_y[4], distance[4];
    wide_store(direction_x, wide_mul(dx, scale));
    wide_store(direction_y, wide_mul(dy, scale));
    wide_store(distance, wide_add(far, wide_of(t[0].beyond, t[1].beyond, t[2].beyond, t[3].beyond)));
    for (int lane = 0; lane < 4; lane++) {
        ways[lane].direction.x = direction_x[lane];
        ways[lane].direction.y = direction_y[lane];
        ways[lane].distance = distance[lane];
        ways[lane].unknown = false;
    }
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

/* As throng_trail_period, twice as long for who is held up, and twice as long again for who creeps. */
static inline wide time_to_look(ends next, wide planned, double period, wide_mask held_up, wide_mask creeps) {
    const wide to_whole = wide_all(THRONG_TO_WHOLE_TURN);
    wide turns = wide_add(wide_mul(next.x, wide_all(THRONG_SPREAD_X)), wide_mul(next.y, wide_all(THRONG_SPREAD_Y)));
    turns = wide_add(turns, wide_mul(planned, wide_all(THRONG_SPREAD_STEP)));
    wide whole = wide_sub(wide_add(turns, to_whole), to_whole);
    wide steps = wide_mul(wide_all(period), wide_add(wide_all(1), wide_sub(turns, whole)));
    return wide_mul(steps, wide_select(creeps, wide_all(4), wide_select(held_up, wide_all(2), wide_all(1))));
}

static inline four lead_four(const throng_route_crowd *crowd, const throng_pace *pace, bool glances, size_t row,
                             throng_way *ways) {
    const throng_trail *t = &crowd->trail[row];
    ends next = {wide_of(t[0].next.x, t[1].next.x, t[2].next.x, t[3].next.x),
                 wide_of(t[0].next.y, t[1].next.y, t[2].next.y, t[3].next.y)};
    wide planned = wide_of((double)t[0].planned, (double)t[1].planned, (double)t[2].planned, (double)t[3].planned);
    wide x = wide_load(crowd->x + row), y = wide_load(crowd->y + row), far2 = go_straight_on(t, next, x, y, ways);
    wide near = wide_add(wide_all(THRONG_NEAR_BEND), wide_load(crowd->radius + row));
    wide vx = wide_load(crowd->vx + row), vy = wide_load(crowd->vy + row);
    wide liked = wide_load(crowd->desired_speed + row);
    wide speed2 = wide_add(wide_mul(vx, vx), wide_mul(vy, vy)), liked2 = wide_mul(liked, liked);
    wide_mask held_up = wide_less(speed2, wide_mul(wide_all(0.25), liked2));
    wide_mask creeps = wide_less(speed2, wide_mul(wide_all(0.0625), liked2));
    wide age = wide_sub(wide_all((double)(pace->step + 1)), planned);
    wide until = time_to_look(next, planned, (double)pace->period, held_up, creeps);
    until = wide_min(until, wide_all((double)(pace->step + 1 - pace->changed)));
    wide_mask on_it = wide_and(wide_less_equal(wide_all(0), age), wide_less(age, until));
    wide_mask there = wide_less(far2, wide_mul(near, near));
    if (glances) there = wide_or(there, is_freed(t, next, x, y, far2));
    wide_mask stands = wide_less(speed2, wide_mul(wide_all(THRONG_STANDING * THRONG_STANDING), liked2));
    return (four){wide_bits(there), wide_bits(on_it), wide_bits(stands)};
}

static void sift(const throng_route_crowd *given, const throng_pace *given_pace, size_t begin, size_t count,
                 throng_way *ways, throng_sifted *sifted) {
    const throng_route_crowd crowd = *given; /* known not to change */
    const throng_pace pace = *given_pace;
    const bool glances = throng_pace_glances(&pace);
    const uint64_t wonder = throng_pace_wonder(&pace);
    size_t lands = 0, others = 0, i = 0;
    for (; i + 4 <= count; i += 4) {
        four f = lead_four(&crowd, &pace, glances, begin + i, ways + i);
        for (unsigned lane = 0; lane < 4; lane++, f.on_it >>= 1, f.near >>= 1, f.stands >>= 1) {
            size_t row = begin + i + lane;
            unsigned wonders = f.stands & (((pace.step + crowd.trail[row].planned) & wonder) == 0);
            unsigned goes = (crowd.state[row] == THRONG_WALKING) & f.on_it & ~wonders;
            unsigned to_land = goes & crowd.trail[row].corner >> 31, straight = goes & ~(to_land | f.near);
            sifted->lands[lands] = sifted->others[others] = (uint16_t)(i + lane);
            lands += to_land;
            others += 1 ^ (to_land | straight);
        }
    }
    for (; i < count; i++) sifted->others[others++] = (uint16_t)i;
    sifted->land_count = lands;
    sifted->other_count = others;
}
