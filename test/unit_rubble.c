/* unit_rubble.c: people among blocks that lie about and are pushed from all sides are moved by no more than they could
 * walk, and a little to get out of them; blocks give way to who is between two. */

#include "testing.h"

#include <math.h>
#include <throng/throng.h>

#include "bodies/bodies.h"
#include "world/world.h"

static const double out_speed = 1;         /* m/s, as in keep_out.c */
static const double width = 6, edge = 0.4; /* m, of the corridor and the blocks */

static throng_world *make_world(const char *model, const throng_place *place, double dt) {
    throng_world_def def = throng_default_world_def();
    def.model = model;
    def.dt = dt;
    def.place = place;
    def.threads = 1;
    throng_error error = {0};
    throng_world *world = throng_world_create(&def, &error);
    assert_non_null(world);
    return world;
}

static throng_place *make_corridor(void) {
    const throng_point ring[] = {{-9, 0}, {40, 0}, {40, width}, {-9, width}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){ring, 4};
    throng_error error = {0};
    throng_place *place = throng_place_create(&def, &error);
    assert_non_null(place);
    return place;
}

static throng_object add_block(throng_world *world, double x, double y, double mass) {
    throng_part part = {.kind = THRONG_PART_BOX, .size = {edge, edge, edge}};
    throng_object_def def = throng_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.at = (throng_point3){x, y, 0.5 * edge};
    def.mass = mass;
    throng_object block = throng_world_add_object(world, &def);
    assert_true(block);
    return block;
}

/* A crowd before a stretch of the corridor full of blocks. */
static throng_world *make_crowd(const char *model, const throng_place *place) {
    throng_world *world = make_world(model, place, 0.05);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){1, 0};
    throng_goal on = throng_world_add_goal(world, &goal);
    throng_agent_def def = throng_default_agent_def();
    def.radius = 0.25;
    def.mass = 70;
    def.desired_speed = 1.4;
    def.max_speed = 2;
    def.journey = &on;
    def.journey_count = 1;
    for (int i = 0; i < 14; i++) {
        for (int k = 0; k < 9; k++) {
            def.at = (throng_point){-8.5 + 0.62 * i, 0.5 + 0.62 * k + 0.02 * (i % 3)};
            assert_true(throng_world_add_agent(world, &def));
        }
    }
    for (int i = 0; i < 16; i++) {
        for (int k = 0; k < 9; k++) {
            if ((i + 2 * k) % 3) add_block(world, 1 + 0.6 * i + 0.01 * k, 0.4 + 0.6 * k + 0.02 * (i % 4), 8);
        }
    }
    return world;
}

/* How deep somebody's disc is in a thing, m. */
static double depth_of(const throng_world *world, size_t row) {
    const throng_bodies *b = world->things.bodies;
    throng_point at = {world->agents.x[row], world->agents.y[row]};
    double most = 0;
    throng_meeting m;
    for (size_t p = 0; p < b->part_count; p++) {
        if (throng_part_meets(b, p, (throng_point3){0, 0, 0}, at, world->agents.radius[row], 0, &m) && m.n.z == 0)
            most = fmax(most, m.depth);
    }
    return most;
}

/* The crowd pushes the blocks before it, into each other and into those between them. */
static void nobody_jumps(void **state) {
    (void)state;
    if (!throng_has_objects()) skip();
    throng_place *place = make_corridor();
    throng_world *world = make_crowd("orca-forces", place);
    throng_columns *a = &world->agents;
    double farthest = 0, deepest = 0;
    for (int k = 0; k < 400; k++) {
        throng_world_step(world);
        for (size_t i = 0; i < a->count; i++) {
            /* the old positions stay in next */
            double way = hypot(a->x[i] - a->next_x[i], a->y[i] - a->next_y[i]);
            farthest = fmax(farthest, way - (a->max_speed[i] + out_speed) * world->dt);
            deepest = fmax(deepest, depth_of(world, i));
        }
    }
    assert_true(farthest < 1e-9);
    assert_true(deepest < 0.1);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

/* Two hands press blocks together with somebody between them. */
static void blocks_give_way_to_who_is_pinched(void **state) {
    (void)state;
    if (!throng_has_objects()) skip();
    throng_world *world = make_world("none", NULL, 0.05);
    throng_agent_def def = throng_default_agent_def();
    def.radius = 0.25;
    def.mass = 70;
    assert_true(throng_world_add_agent(world, &def));
    throng_object left = add_block(world, -0.6, 0.05, 8), right = add_block(world, 0.6, -0.05, 8);
    assert_true(throng_world_drag_object(world, left, (throng_point3){2, 0, 0.2}));
    assert_true(throng_world_drag_object(world, right, (throng_point3){-2, 0, 0.2}));
    double deepest = 0;
    for (int k = 0; k < 100; k++) {
        throng_world_step(world);
        deepest = fmax(deepest, depth_of(world, 0));
    }
    assert_true(deepest < 0.02);
    throng_world_destroy(world);
}

/* A ball heavier than somebody takes it along and does not roll through it, in long steps either. */
static void a_heavy_ball_takes_people_along(void **state) {
    (void)state;
    const double steps[] = {0.05, 0.1, 0.2};
    if (!throng_has_objects()) skip();
    for (int k = 0; k < 3; k++) {
        for (double speed = 2; speed <= 20; speed += 3) {
            throng_world *world = make_world("none", NULL, steps[k]);
            throng_agent_def who = throng_default_agent_def();
            who.mass = 70;
            assert_true(throng_world_add_agent(world, &who));
            throng_part part = {.kind = THRONG_PART_BALL, .radius = 0.15};
            throng_object_def def = throng_default_object_def();
            def.parts = &part;
            def.part_count = 1;
            def.at = (throng_point3){-3, 0, 0.15};
            def.mass = 256;
            def.velocity.x = speed;
            throng_object ball = throng_world_add_object(world, &def);
            assert_true(ball);
            for (double t = 0; t < 2; t += steps[k]) {
                throng_world_step(world);
                if (!(throng_world_objects(world).objects[0].at.x < world->agents.x[0]))
                    fail_msg("%g m/s, steps of %g s: through at %g s", speed, steps[k], t);
            }
            throng_world_destroy(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_jumps),
                                       cmocka_unit_test(blocks_give_way_to_who_is_pinched),
                                       cmocka_unit_test(a_heavy_ball_takes_people_along)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
