/* Rows of large crowds: kept in order of place, while everybody stays who it is and views are in order of id. */

#include "checkpoint_common.h"
#include "dice.h"
#include "world/world.h"

enum { PEOPLE = 9000, PERIOD = 64 };

/* People all over a square who walk to one of two gates, and others who come in later. */
static const char crowd[] =
    "{\"throng\": 1, \"name\": \"crowd\", \"dt\": 0.04, \"duration\": 100, \"planner\": \"straight\", \"seed\": 3,\n"
    " \"walkable_area\": [[0, 0], [100, 0], [100, 100], [0, 100]],\n"
    " \"model\": {\"name\": \"pbd\"}, \"profiles\": {\"slow\": {\"desired_speed\": 1.0}},\n"
    " \"goals\": {\"west\": {\"polygon\": [[0, 0], [4, 0], [4, 100], [0, 100]], \"exit\": true},\n"
    "   \"east\": {\"polygon\": [[96, 0], [100, 0], [100, 100], [96, 100]], \"exit\": true}},\n"
    " \"agents\": [{\"group\": \"a\", \"in\": [[0, 0], [100, 0], [100, 100], [0, 100]], \"count\": 4600,\n"
    "     \"goal\": \"west\"},\n"
    "   {\"group\": \"b\", \"in\": [[0, 0], [100, 0], [100, 100], [0, 100]], \"count\": 4400, \"profile\": \"slow\",\n"
    "     \"goal\": \"east\"}],\n"
    " \"sources\": [{\"group\": \"c\", \"in\": [[45, 2], [55, 2], [55, 98], [45, 98]], \"rate\": 20, \"goal\": "
    "\"east\"}]}";

static throng_world *make_crowd(int threads) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = crowd;
    return world_from(&def, threads);
}

/* Mean distance between who stand in neighbouring rows. */
static double mean_leap(const throng_world *world) {
    throng_view v = throng_world_raw_view(world);
    double sum = 0;
    for (size_t i = 1; i < v.count; i++) sum += hypot(v.x[i] - v.x[i - 1], v.y[i] - v.y[i - 1]);
    return sum / (double)(v.count - 1);
}

/* What a view promises, whatever the order of rows. */
static void expect_in_order(const throng_world *world) {
    throng_view v = throng_world_view(world), raw = throng_world_raw_view(world);
    assert_int_equal(v.count, raw.count);
    assert_null(v.by_id);
    for (size_t k = 0; k < v.count; k++) {
        uint32_t row = raw.by_id[k];
        if (k > 0) assert_true(v.id[k] > v.id[k - 1]);
        assert_int_equal(throng_world_row(world, v.id[k]), k);
        assert_int_equal(throng_columns_row(&world->agents, v.id[k]), row);
        assert_true(v.id[k] == raw.id[row] && v.x[k] == raw.x[row] && v.y[k] == raw.y[row]);
        assert_true(v.vx[k] == raw.vx[row] && v.wish_y[k] == raw.wish_y[row] && v.goal[k] == raw.goal[row]);
        assert_true(v.group[k] == raw.group[row] && v.state[k] == raw.state[row]);
    }
    assert_int_equal(throng_world_row(world, world->last_id + 1), SIZE_MAX);
}

static void rows_in_order_of_place(void **unused) {
    (void)unused;
    throng_world *world = make_crowd(2);
    assert_false(world->agents.shuffled);
    assert_true(mean_leap(world) > 30);
    for (int k = 0; k < 3; k++) {
        run(world, k == 0 ? 1 : PERIOD - 10);
        assert_true(world->agents.shuffled);
        assert_true(mean_leap(world) < 6);
        expect_in_order(world);
        run(world, 10);
        expect_in_order(world);
    }
    assert_true(throng_world_stats(world).arrived > 300 && throng_world_stats(world).spawned > 80);
    throng_world_destroy(world);
}

static void any_number_of_threads(void **unused) {
    (void)unused;
    uint64_t digest = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        throng_world *world = make_crowd(threads);
        run(world, 2 * PERIOD + 5);
        if (threads == 1) digest = throng_world_digest(world);
        assert_true(throng_world_digest(world) == digest);
        throng_world_destroy(world);
    }
}

/* From the middle of a period, into a world whose rows are in another order. */
static void restart(void **unused) {
    (void)unused;
    throng_world *whole = make_crowd(2), *other = make_crowd(2);
    run(whole, PERIOD + 20);
    throng_checkpoint *saved = throng_world_save(whole, NULL);
    load(other, saved);
    expect_same(whole, other, "loaded");
    expect_in_order(other);
    run(whole, PERIOD);
    run(other, PERIOD);
    expect_same(whole, other, "after a period");
    load(whole, saved);
    run(whole, PERIOD);
    expect_same(whole, other, "set back");
    throng_checkpoint_destroy(saved);
    throng_world_destroy(whole);
    throng_world_destroy(other);
}

/* ---- people of whom each is known */

static double speed_of(throng_agent id) { return 1 + (double)(id % 1000) * 1e-4; }

static throng_world *make_known(void) {
    throng_world_def def = throng_default_world_def();
    def.model = "none";
    def.dt = 0.1;
    def.threads = 2;
    def.planner = "straight";
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_OWN;
    throng_goal own = throng_world_add_goal(world, &goal);
    dice d = {11};
    for (throng_agent id = 1; id <= PEOPLE; id++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){dice_between(&d, 0, 200), dice_between(&d, 0, 200)};
        agent.target = (throng_point){200 + (double)id, (double)id};
        agent.desired_speed = speed_of(id);
        agent.mass = 50 + (double)(id % 40);
        agent.journey = &own;
        agent.journey_count = 1;
        assert_true(throng_world_add_agent(world, &agent) == id);
    }
    return world;
}

static void expect_known(const throng_world *world) {
    throng_view v = throng_world_view(world);
    for (size_t k = 0; k < v.count; k++) {
        double id = (double)v.id[k];
        assert_true(v.desired_speed[k] == speed_of(v.id[k]) && v.mass[k] == 50 + (double)(v.id[k] % 40));
        assert_true((v.target_x[k] == 200 + id && v.target_y[k] == id) || v.target_x[k] == -7);
    }
}

static void everybody_stays_who_it_is(void **unused) {
    (void)unused;
    throng_world *world = make_known();
    run(world, 5);
    expect_in_order(world);
    for (throng_agent id = 5; id <= PEOPLE; id += 500) {
        assert_true(throng_world_remove_agent(world, id));
        assert_false(throng_world_remove_agent(world, id));
        assert_int_equal(throng_world_row(world, id), SIZE_MAX);
        throng_goal own = 1;
        assert_true(throng_world_retarget_agent(world, id + 1, &own, 1, (throng_point){-7, 3}));
        assert_true(throng_world_view(world).target_x[throng_world_row(world, id + 1)] == -7);
    }
    expect_known(world);
    expect_in_order(world);
    run(world, 2 * PERIOD);
    expect_known(world);
    expect_in_order(world);
    assert_int_equal(throng_world_view(world).count, PEOPLE - 18);
    throng_view v = throng_world_view(world);
    for (size_t k = 0; k < v.count; k++) assert_true((v.target_x[k] == -7) == (v.id[k] % 500 == 6));
    throng_world_destroy(world);
}

/* ---- columns of any size */

static void items_of_any_size(void **unused) {
    (void)unused;
    enum { COUNT = 1000 };
    static unsigned char items[COUNT * 150], before[COUNT * 150];
    uint32_t from[COUNT], first[COUNT];
    bool seen[COUNT] = {false};
    size_t rings = 0;
    dice d = {5};
    for (uint32_t i = 0; i < COUNT; i++) from[i] = i;
    for (uint32_t i = COUNT - 1; i > 0; i--) {
        uint32_t k = (uint32_t)dice_between(&d, 0, i + 1), kept = from[i];
        from[i] = from[k];
        from[k] = kept;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (seen[i]) continue;
        first[rings++] = i;
        for (uint32_t at = i; !seen[at]; at = from[at]) seen[at] = true;
    }
    for (size_t size = 1; size <= 150; size += size < 16 ? 1 : 33) {
        for (size_t i = 0; i < COUNT * size; i++) items[i] = before[i] = (unsigned char)(i * 2654435761u >> 7);
        throng_column_move(items, size, from, first, rings);
        for (size_t i = 0; i < COUNT; i++) assert_memory_equal(items + i * size, before + from[i] * size, size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_order_of_place),    cmocka_unit_test(any_number_of_threads), cmocka_unit_test(restart),
        cmocka_unit_test(everybody_stays_who_it_is), cmocka_unit_test(items_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
