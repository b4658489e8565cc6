/* unit_bodies.c: things fall, lie still, break and hit people; what a collision does to both. */

#include "testing.h"

#include <math.h>
#include <string.h>
#include <throng/throng.h>

#include "bodies/bodies.h"
#include "counting.h"
#include "world/world.h"

/* ------------------------------------------------------------------ scenes */

static throng_world *make_world_with(const char *model, const throng_place *place, int threads) {
    throng_world_def def = throng_default_world_def();
    def.model = model;
    def.dt = 0.05;
    def.place = place;
    def.threads = threads;
    throng_error error = {0};
    throng_world *world = throng_world_create(&def, &error);
    assert_non_null(world);
    return world;
}

static throng_world *make_world(const char *model) { return make_world_with(model, NULL, 1); }

static throng_object_def box_def(const throng_part *part, double x, double y, double z, double mass) {
    throng_object_def def = throng_default_object_def();
    def.parts = part;
    def.part_count = 1;
    def.at = (throng_point3){x, y, z};
    def.mass = mass;
    return def;
}

static throng_object add_box(throng_world *world, double edge, double x, double y, double z, double mass) {
    throng_part part = {.kind = THRONG_PART_BOX, .size = {edge, edge, edge}};
    throng_object_def def = box_def(&part, x, y, z, mass);
    throng_object object = throng_world_add_object(world, &def);
    if (!object) print_message("%s\n", throng_world_error(world)->text);
    assert_true(object);
    return object;
}

static throng_object add_ball(throng_world *world, double radius, double x, double y, double z, double mass) {
    throng_part part = {.kind = THRONG_PART_BALL, .radius = radius};
    throng_object_def def = box_def(&part, x, y, z, mass);
    throng_object object = throng_world_add_object(world, &def);
    assert_true(object);
    return object;
}

static throng_object_state state_of(const throng_world *world, throng_object object) {
    throng_objects all = throng_world_objects(world);
    for (size_t i = 0; i < all.count; i++) {
        if (all.objects[i].id == object) return all.objects[i];
    }
    fail();
    return (throng_object_state){0};
}

static throng_agent add_person(throng_world *world, double x, double y, double vx, double to_x, double mass) {
    throng_goal_def goal = throng_default_goal_def();
    goal.point = (throng_point){to_x, y};
    throng_goal there = throng_world_add_goal(world, &goal);
    throng_agent_def def = throng_default_agent_def();
    def.at = (throng_point){x, y};
    def.velocity = (throng_point){vx, 0};
    def.mass = mass;
    def.journey = &there;
    def.journey_count = 1;
    throng_agent agent = throng_world_add_agent(world, &def);
    assert_true(agent);
    return agent;
}

static void run(throng_world *world, double seconds) {
    double end = throng_world_time(world) + seconds - 1e-9;
    while (throng_world_time(world) < end) throng_world_step(world);
}

/* ------------------------------------------------------------------ things alone */

static void test_things_fall_and_sleep(void **state) {
    (void)state;
    throng_world *world = make_world("orca");
    throng_object ball = add_ball(world, 0.15, 0, 0, 1, 1), box = add_box(world, 0.6, 2, 0, 1, 20);
    throng_object above = add_box(world, 0.4, 2, 0, 1.6, 5);
    run(world, 6);
    assert_true(fabs(state_of(world, ball).at.z - 0.15) < 0.01);
    assert_true(fabs(state_of(world, box).at.z - 0.3) < 0.01);
    assert_true(fabs(state_of(world, above).at.z - 0.8) < 0.02);
    assert_false(state_of(world, ball).awake || state_of(world, box).awake || state_of(world, above).awake);
    /* What it stands on goes away: it falls. */
    assert_true(throng_world_remove_object(world, box));
    run(world, 3);
    assert_true(fabs(state_of(world, above).at.z - 0.2) < 0.01);
    throng_world_destroy(world);
}

/* What is known of the others stays theirs. */
static void test_others_stay_when_one_goes(void **state) {
    (void)state;
    throng_world *world = make_world("orca");
    throng_object ids[5];
    for (int i = 0; i < 5; i++) ids[i] = add_box(world, 0.2 + 0.1 * i, 2.0 * i, 0, 0.1 + 0.05 * i, 5);
    run(world, 3);
    assert_true(throng_world_remove_object(world, ids[1]));
    const throng_bodies *b = world->things.bodies;
    assert_int_equal(b->count, 4);
    for (size_t i = 0; i < b->count; i++) {
        assert_near(0.5 * (b->part_low[i].x + b->part_high[i].x), b->objects[i].at.x, 1e-9);
        assert_near(b->part_high[i].x - b->part_low[i].x, b->parts[i].size.x, 1e-2);
        assert_int_equal(b->owner[i], i);
    }
    throng_world_destroy(world);
}

static void test_what_is_thrown_flies(void **state) {
    (void)state;
    throng_world *world = make_world("orca");
    throng_object ball = add_ball(world, 0.15, 0, 0, 5, 1);
    assert_true(throng_world_throw_object(world, ball, (throng_point3){4, 0, 0}, (throng_point3){0, 0, 0}));
    run(world, 0.5);
    throng_object_state s = state_of(world, ball);
    assert_true(fabs(s.at.x - 2) < 1e-9);
    assert_true(fabs(s.velocity.z + 9.81 * 0.5) < 1e-9);
    throng_world_destroy(world);
}

static void test_a_hand_drags(void **state) {
    (void)state;
    throng_world *world = make_world("orca");
    throng_object box = add_box(world, 0.4, 0, 0, 0.2, 5);
    assert_false(throng_world_drag_object(world, box, (throng_point3){1e308, 0, 0.3}));
    assert_true(throng_world_drag_object(world, box, (throng_point3){1e8, -1e8, 0.3}));
    run(world, 1);
    assert_true(throng_world_drag_object(world, box, (throng_point3){3, 2, 1.5}));
    run(world, 6);
    throng_point3 at = state_of(world, box).at;
    assert_true(fabs(at.x - 3) < 0.05 && fabs(at.y - 2) < 0.05 && fabs(at.z - 1.5) < 0.05);
    assert_true(throng_world_release_object(world, box));
    run(world, 3);
    assert_true(fabs(state_of(world, box).at.z - 0.2) < 0.01);
    throng_world_destroy(world);
}

/* What slides stops after v^2 / (2 mu g), also when it goes on from a checkpoint; without friction it goes on. */
static void test_friction_slows_down(void **state) {
    (void)state;
    const double frictions[] = {0, 0.1, 0.6}, speed = 2;
    for (int i = 0; i < 3; i++) {
        throng_world *world = make_world("none"), *other = make_world("none");
        throng_part plate = {.kind = THRONG_PART_BOX, .size = {1, 1, 0.1}};
        throng_object_def def = box_def(&plate, 0, 0, 0.05, 20);
        def.friction = frictions[i];
        def.velocity.x = speed;
        throng_object o = throng_world_add_object(world, &def);
        assert_true(o);
        run(world, 0.1);
        throng_checkpoint *kept = throng_world_save(world, NULL);
        throng_error error;
        assert_true(throng_world_load(other, kept, &error));
        throng_checkpoint_destroy(kept);
        run(world, 3.9);
        run(other, 3.9);
        double way = frictions[i] > 0 ? speed * speed / (2 * frictions[i] * 9.81) : 4 * speed;
        assert_near(state_of(world, o).at.x, way, 0.5 * speed * world->dt);
        assert_true(throng_world_digest(world) == throng_world_digest(other));
        throng_world_destroy(world);
        throng_world_destroy(other);
    }
}

static throng_place *make_room_place(void) {
    static const throng_point ring[] = {{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
    static const throng_point line[] = {{2, -3}, {2, 3}};
    throng_place_def def = throng_default_place_def();
    throng_obstacle thin = {.kind = THRONG_LINE, .ring = {line, 2}};
    def.walkable = (throng_ring){ring, 4};
    def.obstacles = &thin;
    def.obstacle_count = 1;
    throng_error error = {0};
    throng_place *place = throng_place_create(&def, &error);
    assert_non_null(place);
    return place;
}

/* At any speed, also through a wall without thickness. */
static void test_nothing_goes_through_walls(void **state) {
    (void)state;
    throng_place *place = make_room_place();
    for (int kind = 0; kind < 3; kind++) {
        for (double speed = 1; speed <= 50; speed += 2.3) {
            throng_world *world = make_world_with("orca", place, 1);
            throng_part board = {.kind = THRONG_PART_BOX, .size = {0.03, 1, 0.6}};
            throng_object_def def = box_def(&board, 0, 0, 0.5, 3);
            throng_object o = kind == 0   ? add_ball(world, 0.1, 0, 0, 0.5, 1)
                              : kind == 1 ? add_box(world, 0.3, 0, 0, 0.5, 3)
                                          : throng_world_add_object(world, &def);
            throng_object p = add_ball(world, 0.1, -4, 4, 0.5, 1);
            throng_world_throw_object(world, o, (throng_point3){speed, 0.1 * speed, 1}, (throng_point3){3, 5, 1});
            throng_world_throw_object(world, p, (throng_point3){-speed, speed, 1}, (throng_point3){0, 0, 0});
            for (int i = 0; i < 60; i++) {
                throng_world_step(world);
                throng_point3 at = state_of(world, o).at, other = state_of(world, p).at;
                bool through = at.x > 2 && fabs(at.y) < 2.9 && i < 5;
                if (through || fabs(at.x) > 5 || fabs(at.y) > 5 || fabs(other.x) > 5 || fabs(other.y) > 5)
                    fail_msg("kind %d at %g m/s got to (%g, %g), (%g, %g)", kind, speed, at.x, at.y, other.x, other.y);
            }
            throng_world_destroy(world);
        }
    }
    throng_place_destroy(place);
}

static throng_world *make_block_wall(const char *model, int threads, double strength, throng_object *first) {
    throng_world *world = make_world_with(model, NULL, threads);
    throng_block_wall_def def = throng_default_block_wall_def();
    def.from = (throng_point){0, -2};
    def.to = (throng_point){0, 2};
    def.height = 1.6;
    def.thickness = 0.4;
    def.columns = 10;
    def.rows = 4;
    def.break_force = strength;
    *first = throng_world_add_block_wall(world, &def);
    if (!*first) print_message("%s\n", throng_world_error(world)->text);
    assert_true(*first);
    return world;
}

static void test_a_wall_of_blocks_stands_and_breaks(void **state) {
    (void)state;
    throng_object first;
    throng_world *world = make_block_wall("orca", 1, 1500, &first);
    size_t bonds = throng_world_objects(world).bond_count;
    assert_int_equal(bonds, 9 * 4 + 10 * 3 + 10);
    run(world, 5);
    assert_int_equal(throng_world_objects(world).bond_count, bonds);
    for (size_t i = 0; i < 40; i++) {
        throng_object_state s = state_of(world, first + i);
        assert_false(s.awake);
        assert_true(fabs(s.at.x) < 0.01);
    }
    /* A blow it bears, and one it does not. */
    throng_point3 at = state_of(world, first + 25).at;
    throng_world_push_object(world, first + 25, (throng_point3){10, 0, 0}, at);
    run(world, 3);
    assert_int_equal(throng_world_objects(world).bond_count, bonds);
    throng_world_push_object(world, first + 25, (throng_point3){1000, 0, 0}, at);
    run(world, 3);
    assert_true(throng_world_objects(world).bond_count < bonds);
    assert_true(throng_world_stats(world).bonds_broken == bonds - throng_world_objects(world).bond_count);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ collisions with people */

static throng_point3 momentum_of(const throng_world *world, double impulse_x, double impulse_y) {
    throng_objects all = throng_world_objects(world);
    throng_view v = throng_world_view(world);
    throng_point3 sum = {impulse_x, impulse_y, 0};
    for (size_t i = 0; i < all.count; i++)
        sum = throng_sum3(sum, throng_scaled3(all.objects[i].mass, all.objects[i].velocity));
    for (size_t i = 0; i < v.count; i++) {
        sum.x += v.mass[i] * v.vx[i];
        sum.y += v.mass[i] * v.vy[i];
    }
    return sum;
}

static double energy_of(const throng_world *world) {
    const throng_bodies *b = world->things.bodies;
    const throng_columns *a = &world->agents;
    double sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        const throng_object_state *o = &b->objects[i];
        throng_point3 own = throng_unapply(&b->bodies[i].rotation, o->spin);
        sum += 0.5 * o->mass * throng_dot3(o->velocity, o->velocity) +
               0.5 * throng_dot3(own, throng_apply(&b->bodies[i].inertia, own));
    }
    for (size_t i = 0; i < a->count; i++) {
        double vx = a->vx[i] + a->impulse_x[i] / a->mass[i], vy = a->vy[i] + a->impulse_y[i] / a->mass[i];
        sum += 0.5 * a->mass[i] * (vx * vx + vy * vy);
    }
    return sum;
}

/* The near grid and the contacts of a step, without the models: the world as it is right after the exchange. */
static void exchange_only(throng_world *world) {
    throng_world_prepare(world, NULL);
    throng_world_seat_guests(world);
    throng_near_input input = {.people = world->agents.view};
    input.people.count += world->things.guest_count;
    world->near = throng_near_build(world->grid, world->crew, &input);
    throng_world_meet_things(world);
}

/* 002's example: 70 kg run into the end of a rod of 20 kg. Without the term of rotation that would make energy. */
static void test_a_rod_hit_at_its_end(void **state) {
    (void)state;
    throng_world *world = make_world("none");
    throng_part rod = {.kind = THRONG_PART_BOX, .size = {0.1, 2, 0.1}};
    throng_object_def def = box_def(&rod, 0, 0, 1, 20);
    throng_object o = throng_world_add_object(world, &def);
    assert_true(o);
    throng_agent who = add_person(world, -0.251, 0.9, 1.5, 5, 70);
    assert_true(who);
    throng_point3 before = momentum_of(world, 0, 0);
    double energy = energy_of(world);
    exchange_only(world);
    const throng_columns *a = &world->agents;
    throng_point3 after = momentum_of(world, a->impulse_x[0], a->impulse_y[0]);
    assert_true(a->impulse_x[0] < 0);
    assert_near(after.x, before.x, 1e-9);
    assert_near(after.y, before.y, 1e-9);
    /* Restitution is 0.2 at the point of contact. */
    throng_object_state s = state_of(world, o);
    throng_point3 end = {-0.05, 0.9, 1};
    throng_point3 v = throng_sum3(s.velocity, throng_cross3(s.spin, throng_difference3(end, s.at)));
    assert_near(v.x - (1.5 + a->impulse_x[0] / 70), 0.2 * 1.5, 1e-6);
    double ratio = energy_of(world) / energy;
    assert_true(ratio < 1 && ratio > 0.9);
    /* Angular momentum about the person's line of motion: J times the arm is what the rod spins with. */
    double inertia = 20.0 / 12 * (2 * 2 + 0.1 * 0.1);
    assert_near(inertia * s.spin.z, 0.9 * a->impulse_x[0], 1e-6);
    throng_world_destroy(world);
}

static double dice(uint64_t *seed) {
    *seed = throng_mix(*seed + 0x9E3779B97F4A7C15u);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Anything that hits anybody anywhere: momentum in the plane is kept, energy never grows. */
static void test_collisions_keep_momentum(void **state) {
    (void)state;
    uint64_t seed = 7;
    int hits = 0;
    for (int n = 0; n < 400; n++) {
        throng_world *world = make_world("none");
        throng_part part = {.kind = n % 2 ? THRONG_PART_BOX : THRONG_PART_BALL,
                            .size = {0.1 + dice(&seed), 0.1 + dice(&seed), 0.1 + dice(&seed)},
                            .radius = 0.1 + 0.4 * dice(&seed)};
        double t = 2 * dice(&seed) - 1, u = 2 * dice(&seed) - 1, length = sqrt(1 + t * t + u * u);
        part.turn = (throng_orientation){1 / length, t / length, u / length, 0};
        double z = 1 + dice(&seed), speed = 5 * dice(&seed);
        throng_object_def def = box_def(&part, 0, 0, z, 0.5 + 60 * dice(&seed));
        def.yaw = 360 * dice(&seed);
        def.velocity = (throng_point3){-speed, 0, -speed * dice(&seed)};
        def.spin = (throng_point3){dice(&seed), dice(&seed), dice(&seed)};
        assert_true(throng_world_add_object(world, &def));
        double mass = 40 + 60 * dice(&seed), side = 0.5 * dice(&seed), x = -1.4;
        throng_meeting m;
        /* As near as it can stand. */
        while (!throng_part_meets(world->things.bodies, 0, (throng_point3){0, 0, 0}, (throng_point){x, side}, 0.21, 0,
                                  &m) &&
               x < 1)
            x += 0.01;
        add_person(world, x - 0.01, side, 1.5, 5, mass);
        throng_point3 before = momentum_of(world, 0, 0);
        double energy = energy_of(world);
        exchange_only(world);
        const throng_columns *a = &world->agents;
        throng_point3 after = momentum_of(world, a->impulse_x[0], a->impulse_y[0]);
        hits += a->impulse_x[0] != 0 || a->impulse_y[0] != 0;
        assert_near(after.x, before.x, 1e-9);
        assert_near(after.y, before.y, 1e-9);
        assert_true(energy_of(world) <= energy * (1 + 1e-12));
        throng_world_destroy(world);
    }
    assert_true(hits > 200);
}

static void test_what_is_above_heads_hits_nobody(void **state) {
    (void)state;
    throng_world *world = make_world("none");
    throng_object o = add_box(world, 0.4, 0, 0, 2.1, 5);
    throng_world_drag_object(world, o, (throng_point3){0, 0, 2.1}); /* held there */
    add_person(world, -2, 0, 1.34, 5, 80);
    run(world, 3);
    assert_true(throng_world_view(world).x[0] > 1.9);
    assert_near(throng_world_view(world).y[0], 0, 1e-12);
    assert_near(state_of(world, o).at.x, 0, 1e-3);
    throng_world_destroy(world);
}

static void test_what_falls_or_flies_hits(void **state) {
    (void)state;
    throng_world *world = make_world("powerlaw");
    throng_agent who = add_person(world, 0, 0, 0, 0, 80);
    throng_object o = add_box(world, 0.3, -4, 0, 1.3, 3);
    throng_world_throw_object(world, o, (throng_point3){10, 0, 1}, (throng_point3){0, 0, 0});
    double force = 0;
    for (int i = 0; i < 20; i++) {
        throng_world_step(world);
        force = fmax(force, throng_world_view(world).force[0]);
        assert_true(state_of(world, o).at.x < 0.2); /* not through */
    }
    assert_true(force > 300 && force < 1000); /* 3 kg at 10 m/s */
    assert_true(throng_world_view(world).count == 1 && who == 1);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ nobody in anything */

/* A board that turns over within a step beside somebody does not take it along. */
static void test_what_tips_over_takes_nobody_along(void **state) {
    (void)state;
    throng_world *world = make_world("none");
    throng_agent person = add_person(world, 0, 0.6, 0, 0, 70);
    throng_part board = {.kind = THRONG_PART_BOX, .size = {1.6, 0.8, 0.04}};
    throng_object_def def = box_def(&board, 0, 0, 1, 10);
    def.velocity = (throng_point3){0, -2, 0};
    def.spin = (throng_point3){50, 0, 0};
    assert_true(throng_world_add_object(world, &def));
    throng_world_step(world);
    throng_view view = throng_world_view(world);
    assert_true(view.count == 1 && view.id[0] == person);
    assert_true(fabs(view.x[0]) < 0.05 && fabs(view.y[0] - 0.6) < 0.2);
    throng_world_destroy(world);
}

static const char *const models[] = {"none", "orca", "implicit", "pbd", "powerlaw", "uic", "cpd", "orca-forces"};

/* The depth that the disc of somebody is in a thing, at most. */
static double deepest(const throng_world *world) {
    const throng_columns *a = &world->agents;
    const throng_bodies *b = world->things.bodies;
    throng_meeting m;
    double most = 0;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t p = 0; p < b->part_count; p++) {
            throng_point at = {a->x[i], a->y[i]};
            if (b->objects[b->owner[p]].fixed) continue;
            if (throng_part_meets(b, p, (throng_point3){0, 0, 0}, at, a->radius[i], 0, &m)) most = fmax(most, m.depth);
        }
    }
    return most;
}

/* A crate too heavy to push, one that can be pushed, and a thin board across the way. */
static void test_nobody_goes_through_things(void **state) {
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        for (int kind = 0; kind < 3; kind++) {
            throng_world_def def = throng_default_world_def();
            def.model = models[m];
            def.dt = strcmp(models[m], "implicit") == 0 ? 0.2 : 0.05;
            def.threads = 1;
            throng_world *world = throng_world_create(&def, NULL);
            throng_part part = {.kind = THRONG_PART_BOX, .size = {0.6, 0.6, 0.6}};
            if (kind == 2) part.size = (throng_point3){0.03, 3, 0.8};
            throng_object_def thing = box_def(&part, 0, 0.05, 0.5 * part.size.z,
                                              kind == 0   ? 2000
                                              : kind == 1 ? 20
                                                          : 60);
            throng_object o = throng_world_add_object(world, &thing);
            add_person(world, -2, 0, 1.3, 6, 80);
            add_person(world, -3, 0.1, 1.3, 6, 80);
            bool beside = false;
            for (int i = 0; i < (int)(8 / def.dt); i++) {
                throng_world_step(world);
                throng_view v = throng_world_view(world);
                throng_point3 at = state_of(world, o).at;
                beside = beside || fabs(v.y[0] - at.y) > 0.5 * part.size.y;
                /* Straight through the middle is the one thing that must not be. */
                if (v.x[0] > at.x && !beside) fail_msg("%s, kind %d: through at %g s", models[m], kind, v.time);
                double in = deepest(world);
                if (in > 0.06) fail_msg("%s, kind %d: %g m in it at %g s", models[m], kind, in, v.time);
            }
            throng_world_destroy(world);
        }
    }
}

/* ------------------------------------------------------------------ same bytes */

static throng_world *make_busy(const char *model, int threads) {
    throng_object first;
    throng_world *world = make_block_wall(model, threads, 300, &first);
    for (int i = 0; i < 20; i++) {
        add_ball(world, 0.15, -2 - 0.4 * (i % 5), -1 + 0.5 * (i / 5.0), 0.15, 0.5);
        add_person(world, -5 - 0.6 * (i % 5), -1.2 + 0.6 * (double)(i / 5), 1.2, 8, 70);
    }
    throng_object o = add_box(world, 0.3, -6, 3, 1, 3);
    throng_world_throw_object(world, o, (throng_point3){6, -3, 3}, (throng_point3){1, 2, 3});
    return world;
}

static void test_same_bytes(void **state) {
    (void)state;
    uint64_t digest = 0;
    for (int threads = 1; threads <= 8; threads = threads * 2) {
        throng_world *world = make_busy("powerlaw", threads);
        run(world, 6);
        if (threads == 1) digest = throng_world_digest(world);
        assert_true(digest == throng_world_digest(world));
        throng_world_destroy(world);
    }
    /* Two worlds by turns, which share the engine's seed. */
    throng_world *one = make_busy("powerlaw", 1), *two = make_busy("orca", 1);
    for (int i = 0; i < 120; i++) {
        throng_world_step(one);
        throng_world_step(two);
    }
    assert_true(digest == throng_world_digest(one));
    throng_world_destroy(one);
    throng_world_destroy(two);
}

static void test_goes_on_from_a_checkpoint(void **state) {
    (void)state;
    for (double at = 0.5; at < 5; at += 1.1) {
        throng_world *whole = make_busy("orca", 1), *part = make_busy("orca", 1), *fresh = make_busy("orca", 2);
        run(whole, 6);
        run(part, at);
        throng_checkpoint *kept = throng_world_save(part, NULL);
        throng_error error = {0};
        run(part, 1); /* brought back to what it was, too */
        if (!throng_world_load(part, kept, &error) || !throng_world_load(fresh, kept, &error))
            fail_msg("%s", error.text);
        assert_true(throng_world_digest(part) == throng_world_digest(fresh));
        while (throng_world_time(part) < throng_world_time(whole) - 1e-9) {
            throng_world_step(part);
            throng_world_step(fresh);
        }
        assert_true(throng_world_digest(part) == throng_world_digest(whole));
        assert_true(throng_world_digest(fresh) == throng_world_digest(whole));
        throng_checkpoint_destroy(kept);
        throng_world_destroy(whole);
        throng_world_destroy(part);
        throng_world_destroy(fresh);
    }
}

/* Everything keeps moving; room for it is made once. */
static void test_a_step_allocates_nothing(void **state) {
    (void)state;
    throng_world *world = make_busy("orca", 1);
    run(world, 6);
    throng_set_allocator(counting);
    size_t before = allocations;
    for (int i = 0; i < 20; i++) throng_world_step(world);
    throng_set_allocator(NULL);
    assert_int_equal(allocations, before);
    throng_world_destroy(world);
}

/* ------------------------------------------------------------------ what is refused */

static void assert_refused(throng_world *world, const throng_object_def *def, const char *text) {
    assert_int_equal(throng_world_add_object(world, def), 0);
    const char *said = throng_world_error(world)->text;
    if (!strstr(said, text)) fail_msg("'%s' does not say '%s'", said, text);
}

static void test_nonsense_is_refused(void **state) {
    (void)state;
    throng_place *place = make_room_place();
    throng_world *world = make_world_with("orca", place, 1);
    add_person(world, -3, -3, 0, -3, 80);
    add_box(world, 0.6, 0, 0, 0.3, 20);
    throng_part part = {.kind = THRONG_PART_BOX, .size = {0.5, 0.5, 0.5}};
    throng_object_def good = box_def(&part, -2, 0, 0.25, 5), def = good;
    def.mass = 0;
    assert_refused(world, &def, "mass");
    def.mass = -1;
    assert_refused(world, &def, "mass");
    def.mass = NAN;
    assert_refused(world, &def, "mass");
    def = good;
    def.at.x = 0.4;
    assert_refused(world, &def, "another object");
    def.at.x = 2.1;
    assert_refused(world, &def, "wall");
    def.at.x = 4.9;
    assert_refused(world, &def, "wall");
    def.at.x = 9;
    assert_refused(world, &def, "wall");
    def = good;
    def.at = (throng_point3){-3.2, -3, 0.25};
    assert_refused(world, &def, "somebody");
    def = good;
    def.at.z = 0.1;
    assert_refused(world, &def, "below the floor");
    def = good;
    def.velocity.x = INFINITY;
    assert_refused(world, &def, "velocity");
    def = good;
    def.friction = -0.1;
    assert_refused(world, &def, "friction");
    def.friction = NAN;
    assert_refused(world, &def, "friction");
    def = good;
    def.part_count = 0;
    assert_refused(world, &def, "parts");
    def = good;
    part.size.y = 0;
    assert_refused(world, &def, "edge");
    throng_block_wall_def wall = throng_default_block_wall_def();
    wall.to = (throng_point){1, 0};
    wall.height = 1;
    wall.columns = 0;
    wall.rows = 4;
    assert_int_equal(throng_world_add_block_wall(world, &wall), 0);
    assert_non_null(strstr(throng_world_error(world)->text, "blocks"));
    assert_false(throng_world_throw_object(world, 99, (throng_point3){0}, (throng_point3){0}));
    assert_false(throng_world_throw_object(world, 1, (throng_point3){NAN, 0, 0}, (throng_point3){0}));
    assert_int_equal(throng_world_objects(world).count, 1);

    /* Absurd, but finite: bounded and counted. */
    assert_true(throng_world_push_object(world, 1, (throng_point3){1e300, 1e300, 1e300}, (throng_point3){0, 0, 5}));
    run(world, 5);
    assert_true(throng_world_stats(world).objects_bounded > 0);
    throng_point3 at = state_of(world, 1).at;
    assert_true(fabs(at.x) < 5 && fabs(at.y) < 5 && at.z >= 0 && at.z < 200);
    throng_world_destroy(world);
    throng_place_destroy(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_fall_and_sleep),
        cmocka_unit_test(test_others_stay_when_one_goes),
        cmocka_unit_test(test_what_is_thrown_flies),
        cmocka_unit_test(test_a_hand_drags),
        cmocka_unit_test(test_friction_slows_down),
        cmocka_unit_test(test_nothing_goes_through_walls),
        cmocka_unit_test(test_a_wall_of_blocks_stands_and_breaks),
        cmocka_unit_test(test_a_rod_hit_at_its_end),
        cmocka_unit_test(test_collisions_keep_momentum),
        cmocka_unit_test(test_what_is_above_heads_hits_nobody),
        cmocka_unit_test(test_what_falls_or_flies_hits),
        cmocka_unit_test(test_what_tips_over_takes_nobody_along),
        cmocka_unit_test(test_nobody_goes_through_things),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_goes_on_from_a_checkpoint),
        cmocka_unit_test(test_a_step_allocates_nothing),
        cmocka_unit_test(test_nonsense_is_refused),
    };
    return throng_has_objects() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
