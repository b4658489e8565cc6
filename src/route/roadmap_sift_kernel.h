/* roadmap_sift_kernel.h: has a crowd go straight on along its trails, and sifts out those for whom that will not do.
 * Built twice, by roadmap_sift.c and roadmap_sift_avx2.c. Nothing is decided by a branch, as what one person does tells
 * nothing of the next. */

#include "route/roadmap.h"
#include "space/wide.h"

/* Four people, by lane. */
typedef struct four {
    unsigned near;            /* bits: close to where the trail leads, */
    unsigned held_up, creeps; /* at less than half, or a quarter, of the speed they like */
} four;

/* Straight on to where their trails lead. */
static inline four go_four(const throng_route_crowd *crowd, size_t row, throng_way *ways) {
    const throng_trail *t = &crowd->trail[row];
    wide dx = wide_sub(wide_of(t[0].next.x, t[1].next.x, t[2].next.x, t[3].next.x), wide_load(crowd->x + row));
    wide dy = wide_sub(wide_of(t[0].next.y, t[1].next.y, t[2].next.y, t[3].next.y), wide_load(crowd->y + row));
    wide far2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy)), far = wide_sqrt(far2), scale = wide_div(wide_all(1), far);
    wide distance = wide_add(far, wide_of(t[0].beyond, t[1].beyond, t[2].beyond, t[3].beyond));
    double x[4], y[4], to_go[4];
    wide_store(x, wide_mul(dx, scale));
    wide_store(y, wide_mul(dy, scale));
    wide_store(to_go, distance);
    for (int lane = 0; lane < 4; lane++) {
        ways[lane].direction.x = x[lane];
        ways[lane].direction.y = y[lane];
        ways[lane].distance = to_go[lane];
        ways[lane].unknown = false;
    }
    wide look = wide_add(wide_all(THRONG_NEAR_BEND), wide_load(crowd->radius + row));
    wide vx = wide_load(crowd->vx + row), vy = wide_load(crowd->vy + row),
         liked = wide_load(crowd->desired_speed + row);
    wide speed2 = wide_add(wide_mul(vx, vx), wide_mul(vy, vy)), liked2 = wide_mul(liked, liked);
    return (four){.near = wide_bits(wide_less(far2, wide_mul(look, look))),
                  .held_up = wide_bits(wide_less(speed2, wide_mul(wide_all(0.25), liked2))),
                  .creeps = wide_bits(wide_less(speed2, wide_mul(wide_all(0.0625), liked2)))};
}

static void sift(const throng_route_crowd *given, const throng_pace *given_pace, size_t begin, size_t count,
                 throng_way *ways, throng_sifted *sifted) {
    const throng_route_crowd crowd = *given; /* known not to change */
    const throng_pace pace = *given_pace;
    const uint64_t current = pace.step + 1 - pace.changed; /* a trail is, up to this age in steps */
    size_t lands = 0, others = 0, i = 0;
    for (; i + 4 <= count; i += 4) {
        four f = go_four(&crowd, begin + i, ways + i);
        for (unsigned lane = 0; lane < 4; lane++) {
            const throng_trail *trail = &crowd.trail[begin + i + lane];
            uint64_t age = throng_trail_age(trail, &pace);
            uint64_t look = throng_trail_period(trail, &pace) << ((f.held_up >> lane & 1) + (f.creeps >> lane & 1));
            unsigned goes =
                (crowd.state[begin + i + lane] == THRONG_WALKING) & (age < (look < current ? look : current));
            unsigned to_land = goes & trail->corner >> 31, straight = goes & ~(to_land | f.near >> lane);
            sifted->lands[lands] = sifted->others[others] = (uint16_t)(i + lane);
            lands += to_land;
            others += 1 ^ (to_land | straight);
        }
    }
    for (; i < count; i++) sifted->others[others++] = (uint16_t)i;
    sifted->land_count = lands;
    sifted->other_count = others;
}
