/* What the planner of flow fields remembers: a route that is brought back leads everybody on as the one
 * that was kept, to the last bit; crowds make people choose; memory is bounded. */

#include "base/archive.h"
#include "base/memory.h"
#include "counting.h"
#include "route_scene.h"

enum { PEOPLE = 160 };

/* People on their way, as the world would have them. */
typedef struct crowd {
    double x[PEOPLE], y[PEOPLE], vx[PEOPLE], vy[PEOPLE], radius[PEOPLE], desired_speed[PEOPLE];
    throng_goal goal[PEOPLE];
    uint8_t state[PEOPLE];
    throng_trail trail[PEOPLE];
    throng_point target[PEOPLE];
    uint64_t step;
} crowd;

/* Rooms on both sides of a corridor with doors to it, and two exits at its ends. */
static throng_goal rooms(scene *s, throng_goal *own) {
    walkable(s, 0, 0, 30, 0, 30, 14, 0, 14);
    for (int i = 0; i < 5; i++) {
        double x = 6 * i;
        block(s, x, 5.8, x + 2.4, 5.8, x + 2.4, 6, x, 6);
        block(s, x + 3.4, 5.8, x + 6, 5.8, x + 6, 6, x + 3.4, 6);
        block(s, x, 8, x + 1, 8, x + 1, 8.2, x, 8.2);
        block(s, x + 2.1, 8, x + 6, 8, x + 6, 8.2, x + 2.1, 8.2);
        if (i > 0) block(s, x - 0.1, 0, x + 0.1, 0, x + 0.1, 5.8, x - 0.1, 5.8);
        if (i > 0) block(s, x - 0.1, 8.2, x + 0.1, 8.2, x + 0.1, 14, x - 0.1, 14);
    }
    throng_goal west = area(s, 0, 6.2, 0.5, 6.2, 0.5, 7.8, 0, 7.8),
                east = area(s, 29.5, 6.2, 30, 6.2, 30, 7.8, 29.5, 7.8);
    static throng_goal members[2];
    members[0] = west, members[1] = east;
    *own = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.3});
    return add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
}

static void fill(crowd *c, const scene *s, throng_goal any, throng_goal own) {
    for (size_t i = 0, n = 0; n < PEOPLE; i++) {
        throng_point at = {throng_random(7, i, 0, 0) * 30, throng_random(7, i, 0, 1) * 14};
        throng_point target = {throng_random(7, i, 0, 2) * 30, throng_random(7, i, 0, 3) * 14};
        if (clearance(s, at) < 0.3 || clearance(s, target) < 0.3) continue;
        c->x[n] = at.x, c->y[n] = at.y;
        c->radius[n] = 0.15 + 0.05 * throng_random(7, i, 0, 4);
        c->desired_speed[n] = 1.3;
        c->goal[n] = n % 3 ? any : own;
        c->target[n] = target;
        c->state[n] = THRONG_WALKING;
        n++;
    }
}

static throng_walker walker_of(crowd *c, size_t i) {
    return (throng_walker){{c->x[i], c->y[i]}, c->goal[i],   c->target[i],
                           c->radius[i],       &c->trail[i], c->desired_speed[i]};
}

static size_t prepare_all(throng_route *route, const scene *s, crowd *c) {
    throng_walker walkers[PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++) walkers[i] = walker_of(c, i);
    return throng_route_prepare(route, s->goals, walkers, PEOPLE);
}

/* One step; people are slow in the crowd at the west end. Returns a hash of all ways. */
static uint64_t step(throng_route *route, const scene *s, crowd *c) {
    const double dt = 0.1;
    uint64_t hash = 1469598103934665603u;
    throng_route_update(route, s->goals,
                        &(throng_route_crowd){.people.step = c->step,
                                              .people.time = (double)c->step * dt,
                                              .dt = dt,
                                              .people.count = PEOPLE,
                                              .people.x = c->x,
                                              .people.y = c->y,
                                              .people.vx = c->vx,
                                              .people.vy = c->vy,
                                              .people.radius = c->radius,
                                              .people.desired_speed = c->desired_speed,
                                              .people.goal = c->goal,
                                              .people.state = c->state,
                                              .trail = c->trail});
    bool unknown[PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++) {
        throng_walker walker = walker_of(c, i);
        throng_way way = throng_route_way(route, s->goals, &walker);
        unknown[i] = way.unknown;
        double speed = c->x[i] < 8 && c->y[i] > 5.5 && c->y[i] < 8.5 ? 0.05 : 1.3;
        uint64_t bits[3];
        memcpy(bits, &way.direction, sizeof way.direction);
        memcpy(&bits[2], &way.distance, sizeof way.distance);
        for (int k = 0; k < 3; k++) hash = (hash ^ bits[k]) * 1099511628211u;
        c->vx[i] = speed * way.direction.x, c->vy[i] = speed * way.direction.y;
        c->x[i] += dt * c->vx[i], c->y[i] += dt * c->vy[i];
        if (c->goal[i] && throng_goal_reached(route, s->goals, &walker)) c->goal[i] = 0;
    }
    for (size_t i = 0; i < PEOPLE; i++) {
        throng_walker walker = walker_of(c, i);
        if (unknown[i]) throng_route_prepare(route, s->goals, &walker, 1);
    }
    c->step++;
    return hash;
}

static throng_route *new_route(const scene *s, throng_crew *crew, double congestion) {
    throng_route *route = throng_route_create(&(throng_route_def){.planner = "flow-field",
                                                                  .place = s->place,
                                                                  .walls = s->walls,
                                                                  .crew = crew,
                                                                  .congestion = congestion,
                                                                  .memory = 3e6});
    assert_non_null(route);
    return route;
}

static void a_route_that_is_brought_back(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    throng_goal own, any = rooms(s, &own);
    finish(s);
    throng_crew *two = throng_crew_create(2);
    for (int kept_at = 1; kept_at < 120; kept_at += 17) {
        double congestion = kept_at % 2;
        crowd *c = calloc(1, sizeof *c), *copy = calloc(1, sizeof *copy);
        fill(c, s, any, own);
        throng_route *route = new_route(s, s->crew, congestion);
        assert_true(prepare_all(route, s, c) == SIZE_MAX);
        for (int i = 0; i < kept_at; i++) step(route, s, c);

        throng_archive kept = throng_archive_writing();
        throng_route_archive(route, s->goals, &kept);
        *copy = *c;
        throng_route *other = new_route(s, two, congestion);
        throng_archive read = throng_archive_reading(kept.data, kept.size);
        read.goal_count = s->goal_count + 1;
        throng_route_archive(other, s->goals, &read);
        if (read.bad) fail_msg("%s", read.error.text);
        assert_true(read.at == kept.size);
        for (int i = 0; i < 60; i++) {
            if (step(route, s, c) != step(other, s, copy))
                fail_msg("kept at %d: other ways %d steps later", kept_at, i);
        }
        throng_archive_clear(&kept);
        throng_route_destroy(route);
        throng_route_destroy(other);
        free(c), free(copy);
    }
    throng_crew_destroy(two);
    take_down(s);
    free(s);
}

static void spoilt_bytes_are_refused(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    throng_goal own, any = rooms(s, &own);
    finish(s);
    crowd *c = calloc(1, sizeof *c);
    fill(c, s, any, own);
    throng_route *route = new_route(s, s->crew, 1);
    prepare_all(route, s, c);
    for (int i = 0; i < 25; i++) step(route, s, c);
    throng_archive kept = throng_archive_writing();
    throng_route_archive(route, s->goals, &kept);
    for (size_t k = 0; k < 200; k++) {
        unsigned char *bytes = malloc(kept.size);
        memcpy(bytes, kept.data, kept.size);
        size_t size = kept.size, at = (size_t)(throng_random(3, k, 0, 0) * (double)kept.size);
        if (k % 2)
            size = at;
        else
            bytes[k < 100 ? at % 200 : at] ^= (unsigned char)(1 + 254 * throng_random(3, k, 0, 1));
        throng_route *other = new_route(s, s->crew, 1);
        throng_archive read = throng_archive_reading(bytes, size);
        read.goal_count = s->goal_count + 1;
        throng_route_archive(other, s->goals, &read);
        assert_true(read.bad || k % 2 == 0);
        throng_route_destroy(other);
        free(bytes);
    }
    throng_archive_clear(&kept);
    throng_route_destroy(route);
    free(c);
    take_down(s);
    free(s);
}

/* A crowd that stands, and one that goes to and fro: looking at them needs memory only at first. */
static void looking_at_a_crowd_allocates_nothing(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 30, 0, 30, 14, 0, 14);
    block(s, 14, 0, 14.3, 0, 14.3, 9, 14, 9);
    throng_goal members[2] = {area(s, 0, 6, 0.5, 6, 0.5, 8, 0, 8), area(s, 29.5, 6, 30, 6, 30, 8, 29.5, 8)};
    throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
    finish(s);
    crowd *c = calloc(1, sizeof *c);
    fill(c, s, any, any);
    throng_set_allocator(counting);
    throng_route *route = new_route(s, s->crew, 1);
    prepare_all(route, s, c);
    crowd start = *c;
    size_t before = 0;
    for (int i = 0; i < 800; i++) {
        /* All begin again from where they were, so that the crowd comes and goes, and the map with it. */
        if (i % 100 == 0) memcpy(c->x, start.x, sizeof c->x), memcpy(c->y, start.y, sizeof c->y);
        if (i % 100 == 0) memcpy(c->goal, start.goal, sizeof c->goal);
        if (i == 400) before = allocations;
        step(route, s, c);
    }
    assert_int_equal(allocations, before);
    throng_route_destroy(route);
    throng_set_allocator(NULL);
    free(c);
    take_down(s);
    free(s);
}

/* With a crowd at one end that hardly gets on, those who can choose go to the other. */
static void a_crowd_sends_people_elsewhere(void **state) {
    (void)state;
    for (int congestion = 0; congestion <= 1; congestion++) {
        scene *s = calloc(1, sizeof *s);
        walkable(s, 0, 0, 40, 0, 40, 4, 0, 4);
        block(s, 20, 0, 20.2, 0, 20.2, 1, 20, 1);
        throng_goal members[2] = {area(s, 0, 0, 0.5, 0, 0.5, 4, 0, 4), area(s, 39.5, 0, 40, 0, 40, 4, 39.5, 4)};
        throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
        finish(s);
        crowd *c = calloc(1, sizeof *c);
        for (size_t i = 0; i < PEOPLE; i++) {
            /* 100 in a jam in the west, the others in the middle, a little nearer to it. */
            c->x[i] = i < 100 ? 1 + 0.5 * (double)(i / 8) : 17 + 0.1 * (double)(i % 10);
            c->y[i] = i < 100 ? 0.3 + 0.45 * (double)(i % 8) : 0.5 + 0.04 * (double)(i - 100);
            c->radius[i] = 0.2, c->desired_speed[i] = 1.3, c->goal[i] = any, c->state[i] = THRONG_WALKING;
        }
        throng_route *route = new_route(s, s->crew, congestion);
        assert_true(prepare_all(route, s, c) == SIZE_MAX);
        size_t east = 0;
        for (int i = 0; i < 400; i++) {
            crowd before = *c;
            step(route, s, c);
            memcpy(c->x, before.x, 100 * sizeof *c->x); /* the jam stands */
            memcpy(c->y, before.y, 100 * sizeof *c->y);
            memset(c->vx, 0, 100 * sizeof *c->vx);
            memset(c->vy, 0, 100 * sizeof *c->vy);
            memcpy(c->goal, before.goal, 100 * sizeof *c->goal);
        }
        for (size_t i = 100; i < PEOPLE; i++) east += c->x[i] > 39;
        if (congestion ? east < 55 : east > 0) fail_msg("%zu of 60 went east, congestion %d", east, congestion);
        throng_route_destroy(route);
        free(c);
        take_down(s);
        free(s);
    }
}

/* More goals than there is memory for: ways are the same as with plenty. */
static void fields_that_were_given_up(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    throng_goal own;
    rooms(s, &own);
    for (int i = 0; i < 7; i++) {
        double x = 1 + 4 * i, y = i % 2 ? 1 : 12;
        area(s, x, y, x + 1, y, x + 1, y + 1, x, y + 1);
    }
    finish(s);
    throng_route *plenty = throng_route_create(
        &(throng_route_def){.planner = "flow-field", .place = s->place, .walls = s->walls, .crew = s->crew});
    throng_route *little = new_route(s, s->crew, 0);
    for (int round = 0; round < 40; round++) {
        double x = throng_random(9, (uint64_t)round, 0, 0) * 30;
        throng_goal goal = (throng_goal)(5 + round * 3 % 7);
        throng_walker walker = {{x, 7}, goal, {0, 0}, 0.15 + 0.01 * (round % 10), NULL, 0};
        crowd *c = calloc(1, sizeof *c);
        for (size_t i = 0; i < PEOPLE; i++) c->x[i] = x, c->y[i] = 7, c->radius[i] = walker.radius, c->goal[i] = goal;
        throng_route_prepare(plenty, s->goals, &walker, 1);
        throng_route_prepare(little, s->goals, &walker, 1);
        crowd *same = calloc(1, sizeof *same);
        *same = *c;
        assert_true(step(plenty, s, c) == step(little, s, same));
        free(same);
        throng_way a = throng_route_way(plenty, s->goals, &walker), b = throng_route_way(little, s->goals, &walker);
        assert_false(a.unknown || b.unknown);
        assert_memory_equal(&a.direction, &b.direction, sizeof a.direction);
        assert_true(a.distance == b.distance);
        free(c);
    }
    throng_route_destroy(plenty);
    throng_route_destroy(little);
    take_down(s);
    free(s);
}

/* Many goals that people walk to from the start share the memory of three times what fields may take, by coarser
 * cells, which is told; also after the route was brought back. Few goals do not. */
static void many_goals_get_coarser_fields(void **state) {
    (void)state;
    const double memory = 6e5, node_bytes = 17;
    for (size_t goals = 2; goals <= 12; goals += 10) {
        scene *s = calloc(1, sizeof *s);
        walkable(s, 0, 0, 40, 0, 40, 40, 0, 40);
        block(s, 10, 10, 30, 10, 30, 30, 10, 30);
        throng_walker walkers[12];
        for (size_t i = 0; i < goals; i++) {
            double x = 1 + 3 * (double)i;
            throng_goal goal = area(s, x, 36, x + 2, 36, x + 2, 38, x, 38);
            walkers[i] = (throng_walker){{x, 2}, goal, {0, 0}, 0.25, NULL, 0};
        }
        finish(s);
        throng_route_def def = {.planner = "flow-field", .place = s->place, .walls = s->walls, .crew = s->crew};
        def.memory = memory;
        throng_route *route = throng_route_create(&def), *other = throng_route_create(&def);
        assert_true(throng_route_prepare(route, s->goals, walkers, goals) == SIZE_MAX);
        double cell = 0, cell_after = 0, expected = sqrt(1600 * node_bytes * (double)goals / (3 * memory));
        bool coarse = throng_route_is_coarse(route, &cell);
        assert_true(coarse == (goals > 2));
        assert_near(cell, coarse ? expected : 0.2, 0.1 * expected);
        throng_archive kept = throng_archive_writing();
        throng_route_archive(route, s->goals, &kept);
        throng_archive read = throng_archive_reading(kept.data, kept.size);
        throng_route_archive(other, s->goals, &read);
        assert_false(read.bad);
        throng_route_is_coarse(other, &cell_after);
        assert_true(cell == cell_after);
        throng_archive_clear(&kept);
        throng_route_destroy(route);
        throng_route_destroy(other);
        take_down(s);
        free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_route_that_is_brought_back),   cmocka_unit_test(many_goals_get_coarser_fields),
        cmocka_unit_test(spoilt_bytes_are_refused),       cmocka_unit_test(looking_at_a_crowd_allocates_nothing),
        cmocka_unit_test(a_crowd_sends_people_elsewhere), cmocka_unit_test(fields_that_were_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
