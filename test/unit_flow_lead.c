/* Flow fields: many led at a time against one by one. */

#include <math.h>
#include <string.h>
#include <throng/throng.h>

#include "route_scene.h"

enum { PEOPLE = 3001 };

/* Everybody, as columns. */
typedef struct people {
    double x[PEOPLE], y[PEOPLE], radius[PEOPLE], speed[PEOPLE];
    throng_goal goal[PEOPLE];
    uint8_t state[PEOPLE];
} people;

static double draw(uint64_t *n, double low, double high) { return low + (high - low) * throng_random(11, ++*n, 0, 0); }

/* Blocks, thin walls and a gap hardly wider than people. */
static void lay_out(scene *s) {
    s->turn = 0.3;
    walkable(s, 0, 0, 40, 0, 40, 30, 0, 30);
    block(s, 8, 5, 12, 5, 12, 12, 8, 12);
    block(s, 8, 12.6, 12, 12.6, 12, 25, 8, 25);
    block(s, 20, 0, 21, 0, 25, 14, 24, 14);
    thin_wall(s, 16, 29, 30, 17);
    thin_wall(s, 30, 8, 36, 8, 36, 20);
}

/* Anywhere, beside walls and in them, too. */
static void draw_people(people *p, const scene *s, const throng_goal goals[3]) {
    uint64_t n = 1;
    for (size_t i = 0; i < PEOPLE; i++) {
        throng_point at = turned(s, draw(&n, -1, 41), draw(&n, -1, 31));
        p->x[i] = at.x, p->y[i] = at.y;
        p->radius[i] = 0.2 + 0.03 * (double)(i % 4);
        p->speed[i] = 1.3;
        p->goal[i] = i % 50 == 7 ? 0 : goals[i % 3];
        p->state[i] = i % 40 == 3 ? THRONG_PAUSING : THRONG_WALKING;
    }
}

/* In pieces of any size, plain and wide, they go the ways they are told one by one; those near the goal or lost are
 * left to be asked for, but they are few. */
static void many_are_led_as_one_by_one(void **state) {
    (void)state;
    static scene s;
    static people p;
    static throng_way led[PEOPLE];
    static throng_walker walkers[PEOPLE];
    lay_out(&s);
    throng_goal goals[3] = {area(&s, 37, 26, 39, 26, 39, 29, 37, 29), area(&s, 1, 1, 2, 1, 2, 2, 1, 2)};
    goals[2] = add_goal(&s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = turned(&s, 33, 12), .radius = 0.5});
    finish_with(&s, "flow-field", 1);
    draw_people(&p, &s, goals);
    size_t walking = 0;
    for (size_t i = 0; i < PEOPLE; i++) {
        walkers[i] =
            (throng_walker){.at = {p.x[i], p.y[i]}, .goal = p.goal[i], .radius = p.radius[i], .speed = p.speed[i]};
        walking += p.state[i] == THRONG_WALKING && p.goal[i] > 0;
    }
    throng_route_prepare(s.route, s.goals, walkers, PEOPLE);
    throng_route_crowd crowd = {
        .dt = 0.1, .people.count = PEOPLE, .people.x = p.x, .people.y = p.y, .people.radius = p.radius};
    crowd.people.desired_speed = p.speed, crowd.people.goal = p.goal, crowd.people.state = p.state;
    throng_route_update(s.route, s.goals, &crowd);
    for (int round = 0; round < 6; round++) {
        size_t followed = 0, bent = 0;
        crowd.simd = round % 2;
        for (size_t begin = 0, end; begin < PEOPLE; begin = end) {
            end = begin + 1 + ((size_t)round * 37 + begin) % 256;
            if (end > PEOPLE) end = PEOPLE;
            throng_route_lead(s.route, s.goals, &crowd, begin, end, led + begin);
        }
        for (size_t i = 0; i < PEOPLE; i++) {
            if (led[i].distance < 0) continue;
            assert_true(p.state[i] == THRONG_WALKING && p.goal[i] > 0);
            throng_way way = throng_route_way(s.route, s.goals, &walkers[i]);
            bool same = memcmp(&way.direction, &led[i].direction, sizeof way.direction) == 0 &&
                        way.distance == led[i].distance && way.unknown == led[i].unknown;
            if (!same)
                fail_msg("round %d, row %d: %g %g for %g m, not %g %g for %g m", round, (int)i, led[i].direction.x,
                         led[i].direction.y, led[i].distance, way.direction.x, way.direction.y, way.distance);
            followed++;
            bent += clearance(&s, walkers[i].at) < p.radius[i] + 0.1;
        }
        if (followed < walking * 6 / 10 || bent < walking / 20)
            fail_msg("%d of %d were led, %d of them beside walls", (int)followed, (int)walking, (int)bent);
    }
    take_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_are_led_as_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
