/* Numbers the world goes by, one by one: what counts as touching, how waits are foreseen, how much is passed on to
 * a thing, and where values are refused. Each case lies between the number and three times it. */

#include <string.h>
#include <throng/throng.h>

#include "base/memory.h"
#include "testing.h"
#include "world/things.h"
#include "world/world.h"

static throng_world *make_world(const char *model, const throng_place *place) {
    throng_world_def def = throng_default_world_def();
    def.model = model;
    def.dt = 0.05;
    def.threads = 1;
    def.check = true;
    def.place = place;
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

static throng_agent_def person_at(double x, double y) {
    throng_agent_def agent = throng_default_agent_def();
    agent.at = (throng_point){x, y};
    agent.radius = 0.25;
    agent.mass = 80;
    agent.desired_speed = 1;
    return agent;
}

/* --- measuring */

static uint64_t pairs_at(double apart) {
    throng_world *world = make_world("none", NULL);
    throng_agent_def one = person_at(0, 0), two = person_at(apart, 0);
    throng_world_add_agent(world, &one);
    throng_world_add_agent(world, &two);
    throng_world_step(world);
    uint64_t pairs = throng_world_stats(world).pairs_max;
    throng_world_destroy(world);
    return pairs;
}

static void a_billionth_of_a_metre_is_rounding(void **unused) {
    (void)unused;
    assert_int_equal(pairs_at(0.5 - 0.9e-9), 0);
    assert_int_equal(pairs_at(0.5 - 2e-9), 1);
}

/* Pressure is the sum of forces over the circumference, of two who run into each other. */
static void pressure_is_over_the_circumference(void **unused) {
    (void)unused;
    throng_world *world = make_world("orca-forces", NULL);
    for (int side = -1; side <= 1; side += 2) {
        throng_agent_def agent = person_at(0.24 * side, 0);
        agent.velocity = (throng_point){-1.0 * side, 0};
        throng_world_add_agent(world, &agent);
    }
    throng_world_step(world);
    throng_force_stats stats = throng_world_force_stats(world);
    assert_true(stats.force_max > 100);
    assert_near(stats.pressure_max, stats.force_max / (2 * acos(-1) * 0.25), 1e-9 * stats.force_max);
    throng_world_destroy(world);
}

/* --- waits */

/* The first waits long, those up to the 256th do not at all, and all others for ever so long. */
static double draw_wait(const void *context, uint64_t seed, uint64_t who, uint64_t when) {
    (void)context, (void)seed, (void)when;
    return who == 1 ? 256 : who <= 256 ? 0 : 1000;
}

/* The mean wait of a desk is that of 256 people: at this one it is 1 s, so that it is worth to stand behind somebody
 * rather than to walk 3 m farther to another desk. */
static void waits_are_foreseen_from_256(void **unused) {
    (void)unused;
    throng_world *world = make_world("none", NULL);
    throng_goal_def desk = throng_default_goal_def(), any = throng_default_goal_def();
    throng_goal desks[2];
    desk.point = (throng_point){5, 0};
    desk.drawn_wait = (throng_drawing){.draw = draw_wait};
    desks[0] = throng_world_add_goal(world, &desk);
    desk = throng_default_goal_def();
    desk.point = (throng_point){-8, 0};
    desk.wait = 1;
    desks[1] = throng_world_add_goal(world, &desk);
    any.kind = THRONG_GOAL_ANY;
    any.any = desks;
    any.any_count = 2;
    throng_goal either = throng_world_add_goal(world, &any);
    assert_true(desks[0] && desks[1] && either);
    throng_agent_def first = person_at(4, 0), second = person_at(0, 0);
    first.journey = &desks[0], second.journey = &either;
    first.journey_count = second.journey_count = 1;
    second.start_after = 3;
    throng_world_add_agent(world, &first);
    throng_agent who = throng_world_add_agent(world, &second);
    for (int k = 0; k < 80; k++) throng_world_step(world);
    throng_view view = throng_world_view(world);
    assert_int_equal(view.goal[throng_world_row(world, who)], desks[0]);
    throng_world_destroy(world);
}

/* --- things */

static throng_object add_box(throng_world *world, throng_point3 at, double mass) {
    throng_part part = {.kind = THRONG_PART_BOX, .size = {1, 1, 1}};
    throng_object_def def = throng_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.at = at;
    def.mass = mass;
    return throng_world_add_object(world, &def);
}

/* A force from hands on a thing that stands, and its speed after the step. */
static double speed_after_shove(double force, double mass, uint64_t *bounded) {
    throng_world *world = make_world("none", NULL);
    throng_agent_def agent = person_at(20, 0);
    throng_world_add_agent(world, &agent);
    assert_true(add_box(world, (throng_point3){0, 0, 0.5}, mass));
    throng_world_step(world);
    throng_world_seat_guests(world);
    assert_true(world->things.guest_count > 0);
    world->things.shove_x[0] = force;
    throng_world_step_things(world);
    *bounded = throng_world_stats(world).objects_bounded;
    double speed = throng_world_objects(world).objects[0].velocity.x;
    throng_world_destroy(world);
    return speed;
}

static void hands_push_no_faster_than_they_move(void **unused) {
    (void)unused;
    if (!throng_has_objects()) return;
    uint64_t bounded;
    double speed = speed_after_shove(9000, 10, &bounded); /* 45 m/s if it were all taken */
    assert_true(speed > 0.8 && speed <= 1.5 + 1e-9);
    assert_int_equal(bounded, 0);
    speed_after_shove(2e5, 1e5, &bounded);
    assert_int_equal(bounded, 1);
}

/* 5 mm of a wall, of the floor or of somebody, not 1 cm. */
static void things_stand_a_little_in_walls(void **unused) {
    (void)unused;
    if (!throng_has_objects()) return;
    const double much[] = {0.004, 0.009};
    for (int k = 0; k < 2; k++) {
        throng_point corners[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
        throng_place_def def = throng_default_place_def();
        def.walkable = (throng_ring){corners, 4};
        throng_place *place = throng_place_create(&def, NULL);
        throng_world *world = make_world("none", place);
        assert_int_equal(add_box(world, (throng_point3){5, 5, 0.5 - much[k]}, 10) > 0, k == 0);
        assert_int_equal(add_box(world, (throng_point3){0.5 - much[k] / sqrt(2), 8, 0.5}, 10) > 0, k == 0);
        throng_world_destroy(world);
        throng_place_destroy(place);
    }
}

/* Somebody deep in a thing comes out by and by: that gives way by what somebody walks in a step, and 1 m/s more; and
 * takes the other along, who gets out of it by 1 m/s more again. */
static void comes_out_of_things_by_and_by(void **unused) {
    (void)unused;
    if (!throng_has_objects()) return;
    throng_world *world = make_world("none", NULL);
    throng_agent_def agent = person_at(20, 0);
    agent.desired_speed = agent.max_speed = 0.5;
    throng_world_add_agent(world, &agent);
    assert_true(add_box(world, (throng_point3){0, 0, 0.5}, 1e5));
    for (int k = 0; k < 20; k++) throng_world_step(world);
    world->agents.x[0] = 0.3;
    throng_world_step(world);
    assert_near(world->agents.x[0], 0.3 + (0.5 + 1 + 1) * 0.05, 1e-6);
    throng_world_destroy(world);
}

/* Somebody and two things that it stands in, 15 cm deep, give way in eight passes: a few millimetres are left for the
 * next step. */
static void eight_passes_in_a_step(void **unused) {
    (void)unused;
    if (!throng_has_objects()) return;
    throng_world *world = make_world("none", NULL);
    throng_agent_def agent = person_at(20, 0);
    agent.max_speed = 3;
    throng_world_add_agent(world, &agent);
    assert_true(add_box(world, (throng_point3){-0.65, 0, 0.5}, 100));
    assert_true(add_box(world, (throng_point3){0.65, 0, 0.5}, 300));
    for (int k = 0; k < 20; k++) throng_world_step(world);
    world->agents.x[0] = 0.05;
    throng_world_step(world);
    throng_objects v = throng_world_objects(world);
    double x = world->agents.x[0], left = v.objects[0].at.x + 0.75 - x, right = x - v.objects[1].at.x + 0.75;
    assert_near(left, 0.0037, 0.001);
    assert_near(right, 0.0013, 0.0005);
    throng_world_destroy(world);
}

/* Somebody walks into a thing that sleeps: a change of its speed by 1.8 mm/s wakes it, one by 0.6 mm/s does not. */
static bool wakes_up(double speed) {
    throng_world *world = make_world("none", NULL);
    throng_agent_def agent = person_at(-0.75 - 40 * 0.05 * speed, 0);
    agent.desired_speed = speed;
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_DIRECTION;
    goal.point = (throng_point){1, 0};
    throng_goal way = throng_world_add_goal(world, &goal);
    agent.journey = &way;
    agent.journey_count = 1;
    throng_world_add_agent(world, &agent);
    assert_true(add_box(world, (throng_point3){0, 0, 0.5}, 8e4));
    bool woke = false;
    for (int k = 0; k < 60; k++) {
        throng_world_step(world);
        if (k == 30) assert_false(throng_world_objects(world).objects[0].awake);
        woke = woke || (k > 30 && throng_world_objects(world).objects[0].awake);
    }
    throng_world_destroy(world);
    return woke;
}

static void light_touches_wake_nothing(void **unused) {
    (void)unused;
    if (!throng_has_objects()) return;
    assert_false(wakes_up(0.5));
    assert_true(wakes_up(1.5));
}

/* --- lines */

/* Forty rows of nine are served around a point; who comes after them stands on it. */
static void forty_rows_are_served(void **unused) {
    (void)unused;
    throng_world *world = make_world("none", NULL);
    throng_goal_def goal = throng_default_goal_def();
    throng_queue queue = {.goal = throng_world_add_goal(world, &goal), .radius = 0.25};
    assert_true(throng_world_prepare(world, NULL));
    throng_line_lay(world, &queue, (throng_point){9, 0});
    for (int k = 0; k < 9 * 40 + 1; k++) throng_line_add_slot(world, &queue);
    throng_point last = queue.slots[9 * 40 - 1].at, more = queue.slots[9 * 40].at;
    assert_near(last.x, 2 * 39 * 0.7, 1e-9);
    assert_near(more.x, 0, 1e-9);
    throng_release(queue.slots);
    throng_world_destroy(world);
}

/* --- what is refused */

static bool takes_person(throng_agent_def agent) {
    throng_world *world = make_world("none", NULL);
    bool taken = throng_world_add_agent(world, &agent) > 0;
    throng_world_destroy(world);
    return taken;
}

static bool takes_rate(double rate) {
    throng_world *world = make_world("none", NULL);
    throng_point corners[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    throng_rate schedule = {0, rate};
    throng_source_def def = throng_default_source_def();
    def.area = (throng_ring){corners, 4};
    def.schedule = &schedule;
    def.schedule_count = 1;
    def.person = person_at(0, 0);
    bool taken = throng_world_add_source(world, &def) > 0;
    throng_world_destroy(world);
    return taken;
}

static void limits_of_people(void **unused) {
    (void)unused;
    throng_agent_def good = person_at(0, 0), bad = good;
    good.desired_speed = 999, bad.desired_speed = 1500;
    assert_true(takes_person(good));
    assert_false(takes_person(bad));
    good = bad = person_at(0, 0);
    good.radius = 99, bad.radius = 150;
    assert_true(takes_person(good));
    assert_false(takes_person(bad));
    assert_true(takes_rate(9e4));
    assert_false(takes_rate(2e5));
    throng_world *world = make_world("none", NULL);
    good = person_at(0, 0);
    throng_world_add_agent(world, &good);
    assert_true(throng_world_set(world, "desired_speed", 999, 0));
    assert_false(throng_world_set(world, "desired_speed", 1500, 0));
    throng_world_destroy(world);
}

static uint64_t bounded_impulses(double speed) {
    throng_world *world = make_world("none", NULL);
    throng_agent_def agent = person_at(0, 0);
    throng_agent who = throng_world_add_agent(world, &agent);
    assert_true(throng_world_push_agent(world, who, (throng_point){80 * speed, 0}));
    uint64_t bounded = throng_world_stats(world).impulses_bounded;
    throng_world_destroy(world);
    return bounded;
}

static void impulses_are_bounded(void **unused) {
    (void)unused;
    assert_int_equal(bounded_impulses(990), 0);
    assert_int_equal(bounded_impulses(2000), 1);
}

static void walls_have_4096_blocks(void **unused) {
    (void)unused;
    if (!throng_has_objects()) return;
    throng_world *world = make_world("none", NULL);
    throng_block_wall_def def = throng_default_block_wall_def();
    def.to = (throng_point){50, 0};
    def.height = 2;
    def.columns = 100, def.rows = 41;
    assert_int_equal(throng_world_add_block_wall(world, &def), 0);
    def.columns = 40;
    assert_true(throng_world_add_block_wall(world, &def) > 0);
    throng_world_destroy(world);
}

/* --- who will come */

/* Two rooms with so many openings between them, each as wide as that, and a goal in the other room. */
static throng_world *make_openings(int count, double width, throng_goal *goal) {
    throng_point corners[] = {{0, 0}, {10, 0}, {10, 20}, {0, 20}}, ends[9][2];
    throng_obstacle walls[9];
    for (int k = 0; k <= count; k++) {
        ends[k][0] = (throng_point){5, k == 0 ? 0 : 2 * k + width};
        ends[k][1] = (throng_point){5, k == count ? 20 : 2 * k + 2};
        walls[k] = (throng_obstacle){.kind = THRONG_LINE, .ring = {ends[k], 2}};
    }
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){corners, 4};
    def.obstacles = walls;
    def.obstacle_count = (size_t)count + 1;
    throng_place *place = throng_place_create(&def, NULL);
    assert_non_null(place);
    throng_world *world = make_world("none", place);
    throng_place_destroy(place);
    throng_goal_def point = throng_default_goal_def();
    point.point = (throng_point){8, 10};
    *goal = throng_world_add_goal(world, &point);
    return world;
}

typedef struct coming {
    uint64_t from; /* from this number on they are otherwise */
    double radius;
    const throng_goal *journey;
} coming;

static void make_coming(void *context, uint64_t number, throng_agent_def *person) {
    const coming *c = context;
    if (number >= c->from && c->radius > 0) person->radius = c->radius;
    if (number >= c->from && c->journey) person->journey = c->journey;
}

static throng_world *make_source(coming *c, throng_goal *goal) {
    throng_world *world = make_openings(1, 0.7, goal);
    throng_point corners[] = {{1, 1}, {4, 1}, {4, 19}, {1, 19}};
    throng_rate schedule = {0, 1};
    throng_source_def def = throng_default_source_def();
    def.area = (throng_ring){corners, 4};
    def.schedule = &schedule;
    def.schedule_count = 1;
    def.person = person_at(0, 0);
    def.person.radius = 0.2;
    def.person.journey = goal;
    def.person.journey_count = 1;
    def.make = make_coming;
    def.context = c;
    assert_true(throng_world_add_source(world, &def) > 0);
    return world;
}

/* Of seven openings too narrow for somebody five are told. */
static void five_passages_are_told(void **unused) {
    (void)unused;
    throng_goal goal;
    throng_world *world = make_openings(8, 0.55, &goal);
    for (int k = 0; k < 2; k++) {
        throng_agent_def agent = person_at(2, 10 + 2 * k);
        agent.radius = k ? 0.3 : 0.2;
        agent.journey = &goal;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    throng_world_prepare(world, NULL);
    assert_int_equal(throng_report_count(throng_world_report(world)), 5);
    throng_world_destroy(world);
}

/* The bodies of the first hundred of a source stand for all. */
static void a_hundred_bodies_are_looked_at(void **unused) {
    (void)unused;
    for (int late = 0; late < 2; late++) {
        coming c = {.from = late ? 150 : 90, .radius = 0.4};
        throng_goal goal;
        throng_world *world = make_source(&c, &goal);
        throng_world_prepare(world, NULL);
        assert_int_equal(throng_report_count(throng_world_report(world)), late ? 0 : 1);
        throng_world_destroy(world);
    }
}

/* The ways of the first sixteen do. */
static void sixteen_ways_are_looked_at(void **unused) {
    (void)unused;
    for (int late = 0; late < 2; late++) {
        throng_goal goal, nowhere;
        coming c = {.from = late ? 20 : 10, .journey = &nowhere};
        throng_world *world = make_source(&c, &goal);
        throng_goal_def outside = throng_default_goal_def();
        outside.point = (throng_point){30, 30};
        nowhere = throng_world_add_goal(world, &outside);
        assert_int_equal(throng_world_prepare(world, NULL), late);
        throng_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_billionth_of_a_metre_is_rounding),
        cmocka_unit_test(pressure_is_over_the_circumference),
        cmocka_unit_test(waits_are_foreseen_from_256),
        cmocka_unit_test(hands_push_no_faster_than_they_move),
        cmocka_unit_test(things_stand_a_little_in_walls),
        cmocka_unit_test(comes_out_of_things_by_and_by),
        cmocka_unit_test(eight_passes_in_a_step),
        cmocka_unit_test(light_touches_wake_nothing),
        cmocka_unit_test(forty_rows_are_served),
        cmocka_unit_test(limits_of_people),
        cmocka_unit_test(impulses_are_bounded),
        cmocka_unit_test(walls_have_4096_blocks),
        cmocka_unit_test(five_passages_are_told),
        cmocka_unit_test(a_hundred_bodies_are_looked_at),
        cmocka_unit_test(sixteen_ways_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
