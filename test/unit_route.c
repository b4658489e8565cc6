/* Routes: which planner, what counts as there, who can get where. */

#include "route_scene.h"

static void assert_direction(throng_way way, double x, double y, double tolerance) {
    if (hypot(way.direction.x - x, way.direction.y - y) > tolerance)
        fail_msg("direction %.4f %.4f, expected %.4f %.4f", way.direction.x, way.direction.y, x, y);
}

/* The contract's door: two rooms of 10 m x 6 m, an opening of 1.6 m. */
static throng_goal two_rooms(scene *s, double opening) {
    walkable(s, 0, 0, 20, 0, 20, 6, 0, 6);
    block(s, 10, 0, 10.4, 0, 10.4, 3 - opening / 2, 10, 3 - opening / 2);
    block(s, 10, 3 + opening / 2, 10.4, 3 + opening / 2, 10.4, 6, 10, 6);
    return area(s, 18, 0, 20, 0, 20, 6, 18, 6);
}

/* --- goals */

static void being_there(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    throng_goal exit = area(s, 0, 0, 2, 0, 2, 1, 0, 1);
    throng_goal kiosk = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {5, 5}, .radius = 0.5});
    throng_goal own = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.25});
    throng_goal east = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_DIRECTION, .point = {3, 0}});
    throng_goal members[] = {exit, kiosk};
    throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
    throng_walker w = {.at = {1.99, 0.5}, .target = {8, 8}, .radius = 0.2};
    finish(s);
    const struct {
        throng_goal goal;
        throng_point at;
        bool there;
    } cases[] = {{exit, {1.99, 0.5}, true},   {exit, {2.01, 0.5}, false}, {kiosk, {5.3, 5.39}, true},
                 {kiosk, {5.3, 5.41}, false}, {own, {8, 7.75}, true},     {own, {8, 7.74}, false},
                 {any, {1, 0.5}, true},       {any, {5, 5.5}, true},      {any, {3, 3}, false},
                 {east, {1e6, 0}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        w.goal = cases[i].goal;
        w.at = cases[i].at;
        if (throng_goal_reached(s->route, s->goals, &w) != cases[i].there) fail_msg("case %zu", i);
    }
    take_down(s);
    free(s);
}

static void straight_ways(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    throng_goal exit = area(s, 10, -2, 12, -2, 12, 2, 10, 2);
    throng_goal point = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {0, 5}, .radius = 0.5});
    throng_goal own = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.5});
    throng_goal slant = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_DIRECTION, .point = {3, -4}});
    throng_goal members[] = {exit, point};
    throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
    finish_with(s, "straight", 1);
    throng_walker w = {.at = {0, 1}, .goal = exit, .target = {0, -3}, .radius = 0.2};

    /* A wide goal is aimed at its nearest point, and a little further. */
    throng_way way = throng_route_way(s->route, s->goals, &w);
    assert_direction(way, 1, 0, 1e-12);
    assert_true(way.distance > 10 && way.distance < 10.1);
    w.at = (throng_point){10, 1}; /* on the border: inwards */
    way = throng_route_way(s->route, s->goals, &w);
    if (!throng_goal_reached(s->route, s->goals, &w)) assert_direction(way, 1, 0, 1e-9);
    w.at = (throng_point){11, 0};
    way = throng_route_way(s->route, s->goals, &w);
    assert_true(way.direction.x == 0 && way.direction.y == 0 && way.distance == 0);

    w.at = (throng_point){0, 1};
    w.goal = point;
    assert_direction(throng_route_way(s->route, s->goals, &w), 0, 1, 1e-12);
    assert_near(throng_route_way(s->route, s->goals, &w).distance, 4, 1e-12);
    w.goal = own;
    assert_direction(throng_route_way(s->route, s->goals, &w), 0, -1, 1e-12);
    w.goal = any;
    assert_direction(throng_route_way(s->route, s->goals, &w), 0, 1, 1e-12);
    w.at.x = 8;
    assert_direction(throng_route_way(s->route, s->goals, &w), 1, 0, 1e-12);
    w.goal = slant;
    way = throng_route_way(s->route, s->goals, &w);
    assert_direction(way, 0.6, -0.8, 1e-12);
    assert_true(isinf(way.distance));
    w.goal = 0;
    way = throng_route_way(s->route, s->goals, &w);
    assert_true(way.direction.x == 0 && way.direction.y == 0);
    take_down(s);
    free(s);
}

/* --- the planner */

/* A crowd that walks in a direction is led as each of it would be, to the bit, also where an axis wraps; who waits is
 * not led. */
static void crowds_in_a_direction(void **state) {
    (void)state;
    enum { PEOPLE = 3 };
    scene *s = calloc(1, sizeof *s);
    throng_goal slant = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_DIRECTION, .point = {3, -7}});
    throng_goal east = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_DIRECTION, .point = {0.1, 0}});
    finish_with(s, "straight", 1);
    const double x[PEOPLE] = {0.3, -5, 1}, y[PEOPLE] = {7, 0.1, 1};
    const throng_goal goal[PEOPLE] = {slant, east, slant};
    const uint8_t doing[PEOPLE] = {THRONG_WALKING, THRONG_WALKING, THRONG_WAITING};
    for (int wraps = 0; wraps < 2; wraps++) {
        throng_route_crowd crowd = {.people.count = PEOPLE,
                                    .people.x = x,
                                    .people.y = y,
                                    .people.goal = goal,
                                    .people.state = doing,
                                    .wraps = wraps == 1,
                                    .dt = 0.1};
        throng_way led[PEOPLE];
        throng_route_lead(s->route, s->goals, &crowd, 0, PEOPLE, led);
        for (int k = 0; k < 2; k++) {
            throng_walker w = {.at = {x[k], y[k]}, .goal = goal[k], .radius = 0.2};
            throng_way way = throng_route_way(s->route, s->goals, &w);
            assert_true(led[k].direction.x == way.direction.x && led[k].direction.y == way.direction.y);
            assert_true(led[k].distance == INFINITY && !led[k].unknown);
        }
        assert_true(led[2].distance < 0);
    }
    take_down(s);
    free(s);
}

static void planners_by_name(void **state) {
    (void)state;
    assert_string_equal(throng_planner_name(0), "straight");
    assert_string_equal(throng_planner_name(1), "flow-field");
    assert_string_equal(throng_planner_name(2), "roadmap");
    assert_null(throng_planner_name(3));
    assert_null(throng_route_create(&(throng_route_def){.planner = "teleport"}));
}

static void straight_when_nothing_is_in_the_way(void **state) {
    (void)state;
    for (int wall = 0; wall < 2; wall++) {
        scene *s = calloc(1, sizeof *s);
        walkable(s, 0, 0, 20, 0, 20, 6, 0, 6);
        throng_goal exit = area(s, 18, 0, 20, 0, 20, 6, 18, 6);
        throng_goal up = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_DIRECTION, .point = {0, 1}});
        if (wall) block(s, 10, 4, 10.4, 4, 10.4, 6, 10, 6);
        finish_with(s, NULL, 1);
        assert_string_equal(throng_route_planner(s->route), "");
        assert_true(throng_route_prepare(s->route, s->goals, NULL, 0) == SIZE_MAX);
        assert_string_equal(throng_route_planner(s->route), "");
        /* Along the wall, touching it; below the block, with room for the body; upwards, into the block. */
        throng_walker w[] = {walker_at(s, 1, 0.2, exit, 0.2), walker_at(s, 1, 3.79, exit, 0.2),
                             walker_at(s, 10.2, 3, up, 0.2), walker_at(s, 1, 3.85, exit, 0.2)};
        assert_true(throng_route_prepare(s->route, s->goals, w, wall ? 4 : 3) == SIZE_MAX);
        assert_string_equal(throng_route_planner(s->route), wall ? "flow-field" : "straight");
        assert_direction(throng_route_way(s->route, s->goals, &w[2]), 0, 1, 1e-12);
        take_down(s);
        free(s);
    }
}

/* Who sees its goal now may be shoved behind a corner later; two rooms without corners are still two. */
static void who_loses_sight_of_the_goal_finds_the_way(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    throng_goal exit = two_rooms(s, 1.6);
    finish_with(s, NULL, 1);
    throng_walker w = walker_at(s, 1, 3, exit, 0.2);
    assert_true(throng_route_prepare(s->route, s->goals, &w, 1) == SIZE_MAX);
    assert_string_equal(throng_route_planner(s->route), "flow-field");
    assert_direction(throng_route_way(s->route, s->goals, &w), 1, 0, 1e-12);
    w.at = (throng_point){9.5, 0.5};
    assert_true(throng_route_way(s->route, s->goals, &w).direction.y > 0.5);
    take_down(s);
    free(s);
    s = calloc(1, sizeof *s);
    exit = two_rooms(s, 0);
    finish_with(s, NULL, 1);
    w = walker_at(s, 1, 3, exit, 0.2);
    assert_true(throng_route_prepare(s->route, s->goals, &w, 1) == 0);
    take_down(s);
    free(s);
}

/* --- who can get where */

static void closed_and_open_doors(void **state) {
    (void)state;
    const struct {
        double opening, radius;
        bool open;
    } cases[] = {{1.6, 0.2, true},   {0.8, 0.25, true},  {0.5, 0.25, true},   {0.5, 0.2, true}, {0.41, 0.2, true},
                 {0.4, 0.2, true},   {0.39, 0.2, false}, {0.49, 0.25, false}, {0.9, 0.4, true}, {0.79, 0.4, false},
                 {0.15, 0.07, true}, {0.1, 0.07, false}, {0, 0.2, false}};
    for (int angle = 0; angle < 180; angle += 7) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            scene *s = calloc(1, sizeof *s);
            s->turn = angle * 0.017453292519943295;
            throng_goal exit = two_rooms(s, cases[i].opening);
            finish(s);
            throng_walker w = walker_at(s, 2, 2, exit, cases[i].radius);
            if (is_reachable(s, &w) != cases[i].open)
                fail_msg("opening %g, radius %g, turned by %d", cases[i].opening, cases[i].radius, angle);
            if (cases[i].open && !walk_along(s, w).arrived)
                fail_msg("does not arrive: opening %g, radius %g, turned by %d", cases[i].opening, cases[i].radius,
                         angle);
            take_down(s);
            free(s);
        }
    }
}

static void nothing_leaks_through_thin_walls(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        scene *s = calloc(1, sizeof *s);
        s->turn = i * 0.1;
        walkable(s, 0, 0, 12, 0, 12, 8, 0, 8);
        double x = 6 + 0.013 * i;
        thin_wall(s, x, -1, x - 0.4, 3, x + 0.3, 5, x, 9);
        throng_goal exit = area(s, 11, 3, 12, 3, 12, 5, 11, 5);
        finish(s);
        throng_walker w = walker_at(s, 1, 1, exit, 0.1 + 0.001 * i);
        if (is_reachable(s, &w)) fail_msg("leaks at %d", i);
        throng_walker beyond = walker_at(s, 10, 1, exit, 0.2);
        assert_true(is_reachable(s, &beyond));
        take_down(s);
        free(s);
    }
}

/* The narrow door is near, the wide one far: each takes the one it fits through. */
static void the_large_take_the_wide_door(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 20, 0, 20, 20, 0, 20);
    block(s, 10, 0, 10.2, 0, 10.2, 2, 10, 2);
    block(s, 10, 2.5, 10.2, 2.5, 10.2, 16, 10, 16);
    block(s, 10, 17, 10.2, 17, 10.2, 20, 10, 20);
    throng_goal exit = area(s, 19, 1, 20, 1, 20, 3, 19, 3);
    finish(s);
    throng_walker w[] = {walker_at(s, 5, 2, exit, 0.2), walker_at(s, 5, 2, exit, 0.3), walker_at(s, 5, 2, exit, 0.25)};
    assert_true(throng_route_prepare(s->route, s->goals, w, 3) == SIZE_MAX);
    assert_near(throng_route_way(s->route, s->goals, &w[0]).distance, 14, 0.5);
    assert_near(throng_route_way(s->route, s->goals, &w[2]).distance, 14, 1);
    assert_near(throng_route_way(s->route, s->goals, &w[1]).distance, 32, 1);
    for (int i = 0; i < 3; i++) assert_true(walk_along(s, w[i]).arrived);

    /* Somebody who fits through neither is the first who cannot get there. */
    throng_walker more[] = {w[0], walker_at(s, 5, 2, exit, 0.6), w[1]};
    assert_int_equal(throng_route_prepare(s->route, s->goals, more, 3), 1);
    assert_true(throng_route_way(s->route, s->goals, &more[1]).direction.x > 0.9);
    /* The others go on as before. */
    assert_near(throng_route_way(s->route, s->goals, &w[1]).distance, 32, 1);
    take_down(s);
    free(s);
}

/* --- narrow passages */

/* A wall across a hall with a narrow opening; far away it may have a wide one. */
static throng_goal hall_with_wall(scene *s, double opening, bool wide) {
    walkable(s, 0, 0, 20, 0, 20, 40, 0, 40);
    block(s, 10, 0, 10.2, 0, 10.2, 3, 10, 3);
    block(s, 10, 3 + opening, 10.2, 3 + opening, 10.2, wide ? 38 : 40, 10, wide ? 38 : 40);
    /* Furniture: gaps of 0.3 m that nobody needs. */
    block(s, 3, 10, 4, 10, 4, 11, 3, 11);
    block(s, 4.3, 10, 5.3, 10, 5.3, 11, 4.3, 11);
    return area(s, 18, 0, 20, 0, 20, 6, 18, 6);
}

static void narrow_passages(void **state) {
    (void)state;
    for (int wide = 0; wide <= 1; wide++) {
        for (int given = 0; given <= 1; given++) {
            scene *s = calloc(1, sizeof *s);
            throng_goal exit = hall_with_wall(s, 0.35, wide);
            finish_with(s, given ? "flow-field" : "straight", 1);
            throng_walker w = walker_at(s, 2, 2, exit, 0.2), thin = walker_at(s, 2, 2, exit, 0.15);
            if (given) assert_true(is_reachable(s, &w) == wide);
            throng_passage found[5];
            assert_int_equal(throng_route_passages(s->route, 0.2, found, 5), 1);
            assert_near(found[0].width, 0.35, 1e-9);
            assert_near(found[0].at.y, 3.175, 1e-6);
            assert_true(found[0].at.x >= 10 && found[0].at.x <= 10.2);
            assert_int_equal(throng_route_passages(s->route, thin.radius, found, 5), 0);
            /* Of use only to say why somebody cannot get there. */
            if (!wide) {
                assert_true(throng_route_obstruction(s->route, s->goals, &w, found));
                assert_near(found[0].width, 0.35, 1e-9);
            }
            take_down(s);
            free(s);
        }
    }
    scene *s = calloc(1, sizeof *s);
    throng_goal exit = hall_with_wall(s, 0, false);
    finish(s);
    throng_walker w = walker_at(s, 2, 2, exit, 0.2);
    throng_passage found;
    assert_false(is_reachable(s, &w));
    assert_false(throng_route_obstruction(s->route, s->goals, &w, &found));
    take_down(s);
    free(s);
}

static void a_cell_too_fine(void **state) {
    (void)state;
    for (int fine = 0; fine <= 1; fine++) {
        scene *s = calloc(1, sizeof *s);
        throng_goal exit = two_rooms(s, 1.6);
        finish(s);
        throng_route *route = throng_route_create(&(throng_route_def){.planner = "flow-field",
                                                                      .cell = fine ? 0.001 : 0.1,
                                                                      .place = s->place,
                                                                      .walls = s->walls,
                                                                      .crew = s->crew});
        throng_walker w = walker_at(s, 2, 2, exit, 0.2);
        double cell = 0;
        assert_false(throng_route_is_coarse(route, &cell));
        throng_route_prepare(route, s->goals, &w, 1);
        assert_true(throng_route_is_coarse(route, &cell) == fine);
        if (fine) assert_true(cell > 0.003 && cell < 0.005);
        throng_route_destroy(route);
        take_down(s);
        free(s);
    }
}

/* A roadmap among more corners than it can look at in a few seconds: a flow field leads people instead. */
static void a_roadmap_too_large(void **state) {
    (void)state;
    enum { SIDE = 60 };
    throng_point corners[SIDE * SIDE][4];
    throng_obstacle blocks[SIDE * SIDE];
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        double x = 2 * (double)(i % SIDE), y = 2 * (double)(i / SIDE);
        memcpy(corners[i], (throng_point[]){{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}, sizeof corners[i]);
        blocks[i] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {corners[i], 4}};
    }
    for (size_t rows = SIDE - 20; rows <= SIDE; rows += 20) {
        throng_place_def def = throng_default_place_def();
        def.obstacles = blocks;
        def.obstacle_count = rows * SIDE;
        throng_error error;
        throng_place *place = throng_place_create(&def, &error);
        throng_walls *walls = throng_walls_create(place);
        throng_route *route =
            throng_route_create(&(throng_route_def){.planner = "roadmap", .place = place, .walls = walls});
        bool large = rows == SIDE;
        assert_string_equal(throng_route_planner(route), large ? "flow-field" : "roadmap");
        assert_int_equal(throng_route_corners_too_many(route), large ? 4 * rows * SIDE : 0);
        throng_route_destroy(route);
        throng_walls_destroy(walls);
        throng_place_destroy(place);
    }
}

/* --- shapes of goals */

static void the_nearest_of_several_goals(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 20, 0, 20, 6, 0, 6);
    thin_wall(s, 4, 0, 4, 5); /* the near goal is behind it */
    throng_goal near = area(s, 5, 0, 6, 0, 6, 1, 5, 1);
    throng_goal far = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {0.5, 5.5}, .radius = 0.3});
    throng_goal members[] = {near, far};
    throng_goal any = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_ANY, .any = members, .any_count = 2});
    finish(s);
    throng_walker w = walker_at(s, 3.5, 0.5, any, 0.2);
    assert_true(is_reachable(s, &w));
    throng_way way = throng_route_way(s->route, s->goals, &w);
    assert_near(way.distance, hypot(3, 5), 0.2);
    assert_true(way.direction.x < 0 && way.direction.y > 0);
    assert_true(walk_along(s, w).arrived);
    w.at = (throng_point){8, 0.5};
    assert_direction(throng_route_way(s->route, s->goals, &w), -1, 0, 1e-9);
    take_down(s);
    free(s);
}

/* A goal that is half in a wall is entered where one can; one flush with a wall is walked up to. */
static void goals_in_and_at_walls(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 20, 0, 20, 10, 0, 10);
    block(s, 15, 0, 15.5, 0, 15.5, 4.5, 15, 4.5);
    block(s, 15, 5.5, 15.5, 5.5, 15.5, 10, 15, 10);
    throng_goal opening = area(s, 15.1, 1, 15.4, 1, 15.4, 9, 15.1, 9);
    throng_goal strip = area(s, 0, 2, 0.1, 2, 0.1, 8, 0, 8);
    finish(s);
    throng_walker w[] = {walker_at(s, 3, 9, opening, 0.2), walker_at(s, 3, 9, strip, 0.2)};
    assert_true(throng_route_prepare(s->route, s->goals, w, 2) == SIZE_MAX);
    assert_true(walk_along(s, w[0]).arrived);
    assert_true(walk_along(s, w[1]).arrived);
    assert_near(throng_route_way(s->route, s->goals, &w[0]).distance, hypot(12, 4), 0.7);
    take_down(s);
    free(s);
}

/* --- targets of one's own */

static void own_targets_behind_walls(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    walkable(s, 0, 0, 40, 0, 40, 30, 0, 30);
    for (int i = 1; i < 8; i++) {
        double x = 5 * i, gap = i % 2 ? 2 : 25;
        block(s, x, 0, x + 0.2, 0, x + 0.2, gap, x, gap);
        block(s, x, gap + 1, x + 0.2, gap + 1, x + 0.2, 30, x, 30);
    }
    throng_goal own = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.3});
    finish(s);
    enum { COUNT = 300 };
    throng_walker *w = calloc(COUNT, sizeof *w);
    for (size_t i = 0, n = 0; n < COUNT; i++) {
        throng_point at = {throng_random(1, i, 0, 0) * 40, throng_random(1, i, 0, 1) * 30};
        throng_point target = {throng_random(1, i, 0, 2) * 40, throng_random(1, i, 0, 3) * 30};
        if (clearance(s, at) < 0.25 || clearance(s, target) < 0.25) continue;
        w[n++] = (throng_walker){at, own, target, 0.25, NULL, 0};
    }
    assert_true(throng_route_prepare(s->route, s->goals, w, COUNT) == SIZE_MAX);
    for (size_t i = 0; i < COUNT; i++) {
        double straight = hypot(w[i].at.x - w[i].target.x, w[i].at.y - w[i].target.y);
        throng_way way = throng_route_way(s->route, s->goals, &w[i]);
        assert_true(way.distance >= straight - 1e-6);
        throng_walker walker = w[i];
        double length = 0;
        while (!throng_goal_reached(s->route, s->goals, &walker) && length < 400) {
            way = throng_route_way(s->route, s->goals, &walker);
            walker.at.x += 0.13 * way.direction.x;
            walker.at.y += 0.13 * way.direction.y;
            length += 0.13;
        }
        if (length >= 400)
            fail_msg("from %g %g to %g %g: lost at %g %g", w[i].at.x, w[i].at.y, w[i].target.x, w[i].target.y,
                     walker.at.x, walker.at.y);
    }
    /* In a wall is nowhere. */
    throng_walker nowhere = {{1, 1}, own, {5.1, 10}, 0.25, NULL, 0};
    assert_int_equal(throng_route_prepare(s->route, s->goals, &nowhere, 1), 0);
    free(w);
    take_down(s);
    free(s);
}

/* --- open planes and odd places to stand */

static void around_a_block_on_an_open_plane(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    block(s, -1, -10, 1, -10, 1, 10, -1, 10);
    throng_goal there = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {100, 3}, .radius = 0.5});
    throng_goal area = area(s, 30, -2, 32, -2, 32, 2, 30, 2);
    finish(s);
    throng_walker w[] = {walker_at(s, -100, 3, there, 0.3), walker_at(s, -5, 3, area, 0.3),
                         walker_at(s, -5, -3, there, 0.3)};
    assert_true(throng_route_prepare(s->route, s->goals, w, 3) == SIZE_MAX);
    for (int i = 0; i < 3; i++) {
        walk went = walk_along(s, w[i]);
        assert_true(went.arrived);
        assert_true(went.clearance > 0.29);
    }
    double around = hypot(95 + 4, 7) + hypot(101, 7.3);
    assert_true(walk_along(s, w[0]).length < 1.03 * around + 1);
    take_down(s);
    free(s);
}

static void enclosed_on_an_open_plane(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    thin_wall(s, 0, 0, 6, 0, 6, 6, 0, 6, 0, 0);
    throng_goal there = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_POINT, .point = {3, 3}, .radius = 0.5});
    finish(s);
    throng_walker w[] = {walker_at(s, 1, 1, there, 0.2), walker_at(s, -3, 3, there, 0.2),
                         walker_at(s, 90, 3, there, 0.2)};
    assert_int_equal(throng_route_prepare(s->route, s->goals, w, 3), 1);
    assert_int_equal(throng_route_prepare(s->route, s->goals, &w[2], 1), 0);
    take_down(s);
    free(s);
}

/* Who was pushed into a wall is led out of it, and on. */
static void out_of_walls(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    s->turn = 0.3;
    throng_goal exit = two_rooms(s, 1);
    finish(s);
    throng_walker start = walker_at(s, 2, 2, exit, 0.2);
    assert_true(is_reachable(s, &start));
    for (double y = 0.1; y < 6; y += 0.37) {
        for (double x = 10.01; x < 10.4; x += 0.06) {
            throng_walker w = walker_at(s, x, y, exit, 0.2);
            if (!walk_along(s, w).arrived) fail_msg("from %g %g", x, y);
        }
    }
    throng_walker outside = walker_at(s, -0.3, 3, exit, 0.2);
    assert_direction(throng_route_way(s->route, s->goals, &outside), cos(s->turn), sin(s->turn), 1e-6);
    take_down(s);
    free(s);
}

/* --- same bytes */

static void threads_change_nothing(void **state) {
    (void)state;
    static throng_way first[4000];
    for (int threads = 1; threads <= 5; threads++) {
        scene *s = calloc(1, sizeof *s);
        throng_goal goals[5] = {two_rooms(s, 1.2), area(s, 0, 0, 1, 0, 1, 1, 0, 1), area(s, 5, 5, 6, 5, 6, 6, 5, 6),
                                area(s, 12, 0, 13, 0, 13, 1, 12, 1)};
        goals[4] = add_goal(s, (throng_goal_def){.kind = THRONG_GOAL_OWN, .radius = 0.3});
        finish_with(s, "flow-field", threads);
        static throng_walker w[4000];
        for (size_t i = 0; i < 4000; i++) {
            throng_point at = {0.3 + throng_random(1, i, 0, 0) * 9.4, 0.3 + throng_random(1, i, 0, 1) * 5.4};
            throng_point target = {10.7 + throng_random(1, i, 0, 2) * 9, 0.3 + throng_random(1, i, 0, 3) * 5.4};
            w[i] = (throng_walker){at, goals[i % 5], target, 0.2 + 0.05 * throng_random(1, i, 0, 4), NULL, 0};
        }
        throng_route_prepare(s->route, s->goals, w, 4000);
        for (size_t i = 0; i < 4000; i++) {
            throng_way way = throng_route_way(s->route, s->goals, &w[i]);
            if (threads == 1)
                first[i] = way;
            else if (memcmp(&way, &first[i], sizeof way) != 0)
                fail_msg("walker %zu with %d threads", i, threads);
        }
        take_down(s);
        free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(being_there),
        cmocka_unit_test(straight_ways),
        cmocka_unit_test(crowds_in_a_direction),
        cmocka_unit_test(planners_by_name),
        cmocka_unit_test(straight_when_nothing_is_in_the_way),
        cmocka_unit_test(who_loses_sight_of_the_goal_finds_the_way),
        cmocka_unit_test(closed_and_open_doors),
        cmocka_unit_test(nothing_leaks_through_thin_walls),
        cmocka_unit_test(the_large_take_the_wide_door),
        cmocka_unit_test(narrow_passages),
        cmocka_unit_test(a_cell_too_fine),
        cmocka_unit_test(a_roadmap_too_large),
        cmocka_unit_test(the_nearest_of_several_goals),
        cmocka_unit_test(goals_in_and_at_walls),
        cmocka_unit_test(own_targets_behind_walls),
        cmocka_unit_test(around_a_block_on_an_open_plane),
        cmocka_unit_test(enclosed_on_an_open_plane),
        cmocka_unit_test(out_of_walls),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
