/* What a world refuses, and what it says then. */

#include <string.h>
#include <throng/throng.h>

#include "testing.h"

static throng_world *open_world(void) {
    throng_world_def def = throng_default_world_def();
    def.threads = 1;
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    return world;
}

static void expect_no_world(throng_world_def def, const char *word) {
    throng_error error;
    assert_null(throng_world_create(&def, &error));
    assert_non_null(strstr(error.text, word));
}

static void bad_worlds_are_refused(void **state) {
    (void)state;
    const throng_world_def good = throng_default_world_def();
    throng_world_def bad = good;
    bad.model = "orcas";
    expect_no_world(bad, "orcas");
    bad.model = NULL;
    expect_no_world(bad, "model");
    bad = good;
    bad.dt = -1;
    expect_no_world(bad, "dt");
    bad = good;
    bad.planner = "teleport";
    expect_no_world(bad, "straight, flow-field, roadmap");
    bad = good;
    bad.planner_cell = NAN;
    expect_no_world(bad, "planner_cell");
    bad.planner_cell = 5e-324;
    expect_no_world(bad, "0.001 to 100 m");
    bad = good;
    bad.dt = 1e-300;
    expect_no_world(bad, "dt");
    bad = good;
    bad.threads = -5;
    expect_no_world(bad, "threads");
}

static void expect_nobody(throng_world *world, throng_agent_def def, const char *word) {
    assert_int_equal(throng_world_add_agent(world, &def), 0);
    assert_non_null(strstr(throng_world_error(world)->text, word));
    assert_int_equal(throng_world_view(world).count, 0);
}

static void bad_people_are_refused(void **state) {
    (void)state;
    throng_world *world = open_world();
    const throng_agent_def good = throng_default_agent_def();
    throng_agent_def bad = good;
    bad.radius = -1;
    expect_nobody(world, bad, "radius");
    bad.radius = 1e-6; /* three such people would take half a minute */
    expect_nobody(world, bad, "radius");
    bad = good;
    bad.at.x = NAN;
    expect_nobody(world, bad, "position");
    bad.at.x = 1e300;
    expect_nobody(world, bad, "position");
    bad = good;
    throng_goal nowhere = 7;
    bad.journey = &nowhere;
    bad.journey_count = 1;
    expect_nobody(world, bad, "goal 7");
    throng_goal_def east = throng_default_goal_def();
    east.kind = THRONG_GOAL_DIRECTION;
    east.point = (throng_point){1, 0};
    throng_goal for_ever = throng_world_add_goal(world, &east), twice[] = {for_ever, for_ever};
    bad.journey = twice;
    bad.journey_count = 2;
    expect_nobody(world, bad, "for ever");
    bad = good;
    bad.profile = 3;
    expect_nobody(world, bad, "profile");
    bad = good;
    bad.desired_speed = 1e300;
    expect_nobody(world, bad, "desired speed");
    bad = good;
    bad.velocity.x = 1e300;
    expect_nobody(world, bad, "velocity");
    throng_world_destroy(world);
}

/* On a thin wall nobody could say on which side. */
static void nobody_starts_on_a_thin_wall(void **state) {
    (void)state;
    throng_point line[] = {{10, 0}, {10, 9}};
    throng_obstacle wall = {.kind = THRONG_LINE, .ring = {line, 2}};
    throng_place_def place_def = {.obstacles = &wall, .obstacle_count = 1};
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    throng_agent_def person = throng_default_agent_def();
    person.at = (throng_point){10, 5};
    expect_nobody(world, person, "wall");
    person.at.x = 10.3;
    assert_int_not_equal(throng_world_add_agent(world, &person), 0);
    throng_world_destroy(world);
}

static void expect_no_goal(throng_world *world, throng_goal_def def, const char *word) {
    assert_int_equal(throng_world_add_goal(world, &def), 0);
    assert_non_null(strstr(throng_world_error(world)->text, word));
}

static void bad_goals_are_refused(void **state) {
    (void)state;
    throng_world *world = open_world();
    const throng_goal_def good = throng_default_goal_def();
    throng_goal_def bad = good;
    bad.name = NULL;
    bad.radius = INFINITY;
    expect_no_goal(world, bad, "radius");
    bad = good;
    bad.point.y = -INFINITY;
    expect_no_goal(world, bad, "point");
    bad = good;
    bad.kind = THRONG_GOAL_AREA;
    expect_no_goal(world, bad, "corners");
    bad.kind = THRONG_GOAL_DIRECTION;
    expect_no_goal(world, bad, "direction");
    bad.kind = THRONG_GOAL_ANY;
    expect_no_goal(world, bad, "members");
    bad.kind = (throng_goal_kind)99;
    expect_no_goal(world, bad, "kind");
    assert_int_equal(throng_world_goal_count(world), 0);
    throng_world_destroy(world);
}

static void bad_profiles_are_refused(void **state) {
    (void)state;
    throng_world *world = open_world();
    throng_setting unknown = {"no_such_parameter", 1, NULL}, outside = {"time_horizon", -5, NULL};
    assert_int_equal(throng_world_add_profile(world, "orca", &unknown, 1), 0);
    assert_non_null(strstr(throng_world_error(world)->text, "no_such_parameter"));
    assert_int_equal(throng_world_add_profile(world, "orca", &outside, 1), 0);
    assert_non_null(strstr(throng_world_error(world)->text, "time_horizon"));
    assert_int_equal(throng_world_add_profile(world, NULL, NULL, 0), 0);
    assert_int_equal(throng_world_profile_count(world), 1);
    assert_int_equal(throng_world_add_group(world, NULL), 0);
    throng_world_destroy(world);
}

/* A wall divides the room: the goal that is named is the one behind it, first or later. */
static void a_goal_out_of_reach_is_named(void **state) {
    (void)state;
    throng_point room[] = {{0, 0}, {12, 0}, {12, 6}, {0, 6}}, wall[] = {{6, -1}, {7, -1}, {7, 7}, {6, 7}};
    throng_obstacle obstacle = {.kind = THRONG_POLYGON, .ring = {wall, 4}};
    throng_place_def place_def = {.walkable = {room, 4}, .obstacles = &obstacle, .obstacle_count = 1};
    throng_place *place = throng_place_create(&place_def, NULL);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    throng_goal_def here = {.kind = THRONG_GOAL_POINT, .name = "here", .point = {4, 3}, .radius = 0.5};
    throng_goal_def there = {.kind = THRONG_GOAL_POINT, .name = "there", .point = {10, 3}, .radius = 0.5};
    throng_goal journey[] = {throng_world_add_goal(world, &here), throng_world_add_goal(world, &there)};
    throng_agent_def agent = throng_default_agent_def();
    agent.at = (throng_point){1, 3};
    agent.journey = journey;
    agent.journey_count = 2;
    throng_agent somebody = throng_world_add_agent(world, &agent);
    throng_error error;
    assert_false(throng_world_prepare(world, &error));
    assert_non_null(strstr(error.text, "'there'"));
    assert_true(throng_world_retarget_agent(world, somebody, journey + 1, 1, agent.target));
    assert_false(throng_world_prepare(world, &error));
    assert_non_null(strstr(error.text, "'there'"));
    assert_true(throng_world_retarget_agent(world, somebody, journey, 1, agent.target));
    assert_true(throng_world_prepare(world, &error));
    throng_world_destroy(world);
}

/* A count without a pointer, or no definition at all, is refused like any other input. */
static void what_is_not_there_is_refused(void **state) {
    (void)state;
    throng_error error;
    assert_null(throng_world_create(NULL, &error));
    assert_non_null(strstr(error.text, "definition"));
    throng_world_def huge = throng_default_world_def();
    huge.agent_capacity = 20000001;
    expect_no_world(huge, "agent_capacity");
    huge.agent_capacity = SIZE_MAX;
    expect_no_world(huge, "agent_capacity");
    throng_world *world = open_world();
    assert_int_equal(throng_world_add_agent(world, NULL), 0);
    assert_int_equal(throng_world_add_goal(world, NULL), 0);
    assert_int_equal(throng_world_add_source(world, NULL), 0);
    assert_int_equal(throng_world_add_profile(world, "orca", NULL, 2), 0);
    throng_agent_def person = throng_default_agent_def();
    person.journey_count = 3;
    assert_int_equal(throng_world_add_agent(world, &person), 0);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_AREA;
    goal.ring.count = 4;
    assert_int_equal(throng_world_add_goal(world, &goal), 0);
    goal.kind = THRONG_GOAL_ANY;
    goal.any_count = 2;
    assert_int_equal(throng_world_add_goal(world, &goal), 0);
    goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_POINT;
    goal.wait = 3;
    goal.capacity = 1;
    goal.queue.count = 2;
    assert_int_equal(throng_world_add_goal(world, &goal), 0);
    assert_non_null(strstr(throng_world_error(world)->text, "queue"));
    const throng_rate rate = {.rate = 1};
    throng_source_def source = throng_default_source_def();
    source.spots.count = 1;
    source.schedule_count = 1;
    assert_int_equal(throng_world_add_source(world, &source), 0);
    source.schedule = &rate;
    assert_int_equal(throng_world_add_source(world, &source), 0);
    throng_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_is_refused), cmocka_unit_test(bad_worlds_are_refused),
        cmocka_unit_test(bad_people_are_refused),       cmocka_unit_test(bad_goals_are_refused),
        cmocka_unit_test(bad_profiles_are_refused),     cmocka_unit_test(a_goal_out_of_reach_is_named),
        cmocka_unit_test(nobody_starts_on_a_thin_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
