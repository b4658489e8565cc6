/* The roadmap: trees for one person's target against whole ones, and many led at a time against one by one. */

#include <math.h>
#include <string.h>
#include <throng/throng.h>

#include "route/roadmap.h"

#include "route_scene.h"

static const double pi = 3.14159265358979323846;

static double draw(uint64_t seed, uint64_t *n, double low, double high) {
    return low + (high - low) * throng_random(seed, ++*n, 0, 0);
}

/* Triangles to hexagons and thin walls strewn over 60 m x 40 m, which may meet. */
static void strew(scene *s, uint64_t seed) {
    uint64_t n = 0;
    s->turn = draw(seed, &n, 0, 6.28);
    walkable(s, 0, 0, 60, 0, 60, 40, 0, 40);
    for (int k = 0; k < 60; k++) {
        double x = draw(seed, &n, 2, 58), y = draw(seed, &n, 0, 40), size = draw(seed, &n, 0.5, 6);
        double angle = draw(seed, &n, 0, 6.28), xy[12];
        size_t corners = 2 + (size_t)draw(seed, &n, 0, 5);
        for (size_t i = 0; i < corners; i++) {
            double a = angle + 2 * pi * (double)i / (double)corners;
            xy[2 * i] = x + size * cos(a), xy[2 * i + 1] = y + size * sin(a);
        }
        add_shape(s, corners == 2 ? THRONG_LINE : THRONG_POLYGON, xy, 2 * corners);
    }
}

static throng_point somewhere(const scene *s, uint64_t seed, uint64_t *n) {
    throng_point at;
    do at = turned(s, draw(seed, n, 0.5, 59.5), draw(seed, n, 0.5, 39.5));
    while (clearance(s, at) < 0.3);
    return at;
}

/* Who roams has a tree that leads from where it is. It is as far to go as by the whole tree of somebody else; and from
 * some metres away, unless it is said that this is not known. */
static void roamers_take_shortest_ways(void **state) {
    (void)state;
    int bent = 0, known = 0, unknown = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        scene *s = calloc(1, sizeof *s);
        strew(s, seed);
        throng_goal own = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.5});
        throng_goal roam = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ROAM, .radius = 0.5});
        finish_with(s, "roadmap", 1);
        uint64_t n = 1000;
        for (int i = 0; i < 60; i++) {
            throng_walker w = {.at = somewhere(s, seed, &n), .target = somewhere(s, seed, &n), .radius = 0.2};
            throng_walker v = w;
            w.goal = own, v.goal = roam;
            bool reachable = is_reachable(s, &w);
            assert_int_equal(is_reachable(s, &v), reachable);
            if (!reachable) continue;
            throng_way whole = throng_route_way(s->route, s->goals, &w),
                       part = throng_route_way(s->route, s->goals, &v);
            assert_false(part.unknown);
            if (fabs(whole.distance - part.distance) > 1e-9)
                fail_msg("seed %d, %d: %.12g m, not %.12g", (int)seed, i, part.distance, whole.distance);
            bent += whole.distance > hypot(w.at.x - w.target.x, w.at.y - w.target.y) + 1e-6;
            w.at.x += draw(seed, &n, -5, 5), w.at.y += draw(seed, &n, -5, 5);
            if (clearance(s, w.at) < 0.3) continue;
            v.at = w.at;
            whole = throng_route_way(s->route, s->goals, &w), part = throng_route_way(s->route, s->goals, &v);
            unknown += part.unknown;
            known += !part.unknown;
            if (!part.unknown && fabs(whole.distance - part.distance) > 0.02)
                fail_msg("seed %d, %d, aside: %.12g m, not %.12g", (int)seed, i, part.distance, whole.distance);
            /* Asked for, it gets known. */
            assert_true(is_reachable(s, &v) == is_reachable(s, &w));
            part = throng_route_way(s->route, s->goals, &v);
            assert_false(part.unknown);
            assert_true(fabs(whole.distance - part.distance) <= 0.02);
        }
        take_down(s);
        free(s);
    }
    if (bent < 100 || known < 100 || unknown < 5) fail_msg("%d bent, %d known, %d not", bent, known, unknown);
}

enum { PEOPLE = 700 };

/* Everybody, as columns. */
typedef struct people {
    double x[PEOPLE], y[PEOPLE], vx[PEOPLE], vy[PEOPLE], radius[PEOPLE], speed[PEOPLE], to_x[PEOPLE], to_y[PEOPLE];
    throng_goal goal[PEOPLE];
    uint8_t state[PEOPLE];
    throng_trail trail[PEOPLE], copy[PEOPLE];
} people;

static throng_walker walker_of(people *p, size_t i) {
    return (throng_walker){.at = {p->x[i], p->y[i]},
                           .goal = p->goal[i],
                           .target = {p->to_x[i], p->to_y[i]},
                           .radius = p->radius[i],
                           .trail = &p->copy[i],
                           .speed = p->speed[i]};
}

static void draw_people(people *p, const scene *s, const throng_goal goals[3]) {
    uint64_t n = 1;
    for (size_t i = 0; i < PEOPLE; i++) {
        throng_point at = somewhere(s, 5, &n), to = somewhere(s, 5, &n);
        p->x[i] = at.x, p->y[i] = at.y, p->to_x[i] = to.x, p->to_y[i] = to.y;
        p->radius[i] = 0.2 + 0.02 * (double)(i % 5);
        p->speed[i] = p->vx[i] = 1.3;
        p->goal[i] = i % 50 == 7 ? 0 : goals[i % 3];
        p->state[i] = i % 40 == 3 ? THRONG_PAUSING : THRONG_WALKING;
    }
}

/* Moves everybody along, some a little aside, and keeps the velocities, so that nobody counts as held up. */
static void move_along(people *p, const throng_way *ways, const scene *s, uint64_t step) {
    for (size_t i = 0; i < PEOPLE; i++) {
        if (ways[i].distance < 1) continue;
        double push = i % 3 ? 0 : 2 * throng_random(step, i, 0, 0) - 1;
        p->vx[i] = p->speed[i] * (ways[i].direction.x - push * ways[i].direction.y);
        p->vy[i] = p->speed[i] * (ways[i].direction.y + push * ways[i].direction.x);
        throng_point to = {p->x[i] + 0.2 * p->vx[i], p->y[i] + 0.2 * p->vy[i]};
        if (clearance(s, to) < p->radius[i]) continue;
        p->x[i] = to.x, p->y[i] = to.y;
    }
}

/* Led many at a time, in pieces of any size, people go the ways they are told one by one, and keep the same trails;
 * those who do not walk, or nowhere, are left to be asked for. */
static void many_are_led_as_one_by_one(void **state) {
    (void)state;
    static scene s;
    static people p;
    static throng_way led[PEOPLE];
    strew(&s, 3);
    throng_goal goals[3] = {area(&s, 56, 15, 59, 15, 59, 25, 56, 25)};
    goals[1] = add_goal(&s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.3});
    goals[2] = add_goal(&s, (throng_goal_def){.kind = THRONG_GOAL_ROAM, .radius = 0.3});
    finish_with(&s, "roadmap", 2);
    draw_people(&p, &s, goals);
    throng_route_crowd crowd = {
        .dt = 0.2, .people.count = PEOPLE, .people.x = p.x, .people.y = p.y, .people.vx = p.vx, .people.vy = p.vy};
    crowd.people.radius = p.radius, crowd.people.desired_speed = p.speed, crowd.people.target_x = p.to_x,
    crowd.people.target_y = p.to_y;
    crowd.people.goal = p.goal, crowd.people.state = p.state, crowd.trail = p.trail;
    size_t followed = 0, asked = 0;
    for (uint64_t step = 0; step < 150; step++) {
        crowd.people.step = step;
        crowd.simd = step % 2; /* it does not matter */
        static throng_walker walkers[PEOPLE];
        for (size_t i = 0; i < PEOPLE; i++) walkers[i] = walker_of(&p, i);
        if (step % 10 == 0) throng_route_prepare(s.route, s.goals, walkers, PEOPLE);
        if (step == 0) memcpy(p.trail, p.copy, sizeof p.trail);
        if (step % 10 == 0) memcpy(p.copy, p.trail, sizeof p.trail);
        throng_route_update(s.route, s.goals, &crowd);
        for (size_t begin = 0, end; begin < PEOPLE; begin = end) {
            end = begin + 1 + (step * 7 + begin) % 256;
            if (end > PEOPLE) end = PEOPLE;
            throng_route_lead(s.route, s.goals, &crowd, begin, end, led + begin);
        }
        for (size_t i = 0; i < PEOPLE; i++) {
            if (p.state[i] != THRONG_WALKING || p.goal[i] == 0) {
                assert_true(led[i].distance < 0);
                continue;
            }
            throng_way way = throng_route_way(s.route, s.goals, &walkers[i]);
            bool same = way.direction.x == led[i].direction.x && way.direction.y == led[i].direction.y &&
                        way.distance == led[i].distance && way.unknown == led[i].unknown;
            if (!same || memcmp(&p.trail[i], &p.copy[i], sizeof p.trail[i]) != 0)
                fail_msg("step %d, row %d: %g %g for %g m, not %g %g for %g m", (int)step, (int)i, led[i].direction.x,
                         led[i].direction.y, led[i].distance, way.direction.x, way.direction.y, way.distance);
            followed++;
            asked += p.trail[i].planned == step + 1;
        }
        move_along(&p, led, &s, step);
    }
    /* Most went on along their trails, some looked around. */
    if (asked < 500 || asked > followed / 5) fail_msg("%d of %d looked around", (int)asked, (int)followed);
    take_down(&s);
}

/* Leads everybody for a while, in plain C and with AVX2 if there is any, as if all walked at a part of the speed they
 * like. Returns how often somebody looked around. */
static size_t looks_at(double part) {
    static scene s;
    static people p;
    static throng_way led[PEOPLE], plain[PEOPLE];
    size_t looks = 0;
    strew(&s, 3);
    throng_goal own = add_goal(&s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.3});
    finish_with(&s, "roadmap", 1);
    draw_people(&p, &s, (throng_goal[3]){own, own, own});
    memset(p.trail, 0, sizeof p.trail);
    throng_route_crowd crowd = {
        .dt = 0.1, .people.count = PEOPLE, .people.x = p.x, .people.y = p.y, .people.vx = p.vx, .people.vy = p.vy};
    crowd.people.radius = p.radius, crowd.people.desired_speed = p.speed, crowd.people.target_x = p.to_x,
    crowd.people.target_y = p.to_y;
    crowd.people.goal = p.goal, crowd.people.state = p.state;
    static throng_walker walkers[PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++) walkers[i] = walker_of(&p, i), walkers[i].trail = &p.trail[i];
    throng_route_prepare(s.route, s.goals, walkers, PEOPLE);
    for (crowd.people.step = 0; crowd.people.step < 300; crowd.people.step++) {
        for (size_t i = 0; i < PEOPLE; i++) p.vx[i] = part * p.speed[i], p.vy[i] = 0;
        memcpy(p.copy, p.trail, sizeof p.copy);
        throng_route_update(s.route, s.goals, &crowd);
        crowd.trail = p.copy, crowd.simd = false;
        throng_route_lead(s.route, s.goals, &crowd, 0, PEOPLE, plain);
        crowd.trail = p.trail, crowd.simd = true;
        throng_route_lead(s.route, s.goals, &crowd, 0, PEOPLE, led);
        assert_memory_equal(p.trail, p.copy, sizeof p.trail);
        for (size_t i = 0; i < PEOPLE; i++) {
            assert_true(led[i].direction.x == plain[i].direction.x && led[i].direction.y == plain[i].direction.y);
            assert_true(led[i].distance == plain[i].distance && led[i].unknown == plain[i].unknown);
            looks += p.trail[i].planned == crowd.people.step + 1;
        }
    }
    take_down(&s);
    return looks;
}

/* People who stay where they are look every seven seconds, fourteen or twenty-eight. */
static void who_is_held_up_looks_less_often(void **state) {
    (void)state;
    size_t walking = looks_at(1), held_up = looks_at(0.4), creeping = looks_at(0.2);
    if (walking < 600 || 3 * held_up > 2 * walking || 3 * creeping > 2 * held_up)
        fail_msg("%d looks, %d held up, %d creeping", (int)walking, (int)held_up, (int)creeping);
}

/* Others have pushed some in front of a pillar, which they could walk past before: they stand there for a few seconds
 * and then walk around it. */
static void who_is_walled_off_finds_a_way(void **state) {
    (void)state;
    enum { SOME = 10 };
    static scene s;
    static people p;
    static throng_way ways[SOME];
    memset(&s, 0, sizeof s);
    memset(&p, 0, sizeof p);
    walkable(&s, 0, 0, 20, 0, 20, 12, 0, 12);
    block(&s, 9.5, 5, 10.5, 5, 10.5, 6, 9.5, 6);
    throng_goal exit = area(&s, 9, 11, 11, 11, 11, 12, 9, 12);
    finish_with(&s, "roadmap", 1);
    throng_route_crowd crowd = {
        .dt = 0.1, .people.x = p.x, .people.y = p.y, .people.vx = p.vx, .people.vy = p.vy, .people.radius = p.radius};
    crowd.people.desired_speed = p.speed, crowd.people.target_x = p.to_x, crowd.people.target_y = p.to_y,
    crowd.people.goal = p.goal;
    crowd.people.state = p.state, crowd.trail = p.trail, crowd.simd = true;
    throng_walker walkers[SOME];
    for (size_t i = 0; i < SOME; i++) {
        p.x[i] = 10.8, p.y[i] = 1 + 0.1 * (double)i, p.radius[i] = 0.2, p.speed[i] = 1.3;
        p.goal[i] = exit, p.state[i] = THRONG_WALKING;
        walkers[i] = walker_of(&p, i), walkers[i].trail = &p.trail[i];
    }
    assert_int_equal(throng_route_prepare(s.route, s.goals, walkers, SOME), SIZE_MAX);
    for (; crowd.people.step < 80; crowd.people.step++) {
        throng_route_update(s.route, s.goals, &crowd);
        throng_route_lead(s.route, s.goals, &crowd, 0, SOME, ways);
        for (size_t i = 0; crowd.people.step == 1 && i < SOME; i++) p.x[i] = 9.8 + 0.04 * (double)i, p.y[i] = 4.78;
    }
    for (size_t i = 0; i < SOME; i++)
        if (fabs(ways[i].direction.x) < 0.5)
            fail_msg("at x = %g towards %g, %g", p.x[i], ways[i].direction.x, ways[i].direction.y);
    take_down(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roamers_take_shortest_ways),
        cmocka_unit_test(many_are_led_as_one_by_one),
        cmocka_unit_test(who_is_held_up_looks_less_often),
        cmocka_unit_test(who_is_walled_off_finds_a_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
