/* Lists of `implicit` that serve for several steps: they miss nobody and no wall, and nothing depends on whether they
 * were kept or made again, with any number of threads and after restarts. */

#include "checkpoint_common.h"
#include "models/implicit/implicit.h"
#include "world/world.h"

/* Two groups who meet among posts and leave at the ends, and others who come in now and then. */
static const char meeting[] =
    "{\"throng\": 1, \"name\": \"meeting\", \"dt\": 0.03, \"duration\": 100, \"planner\": \"straight\", \"seed\": 3,\n"
    " \"walkable_area\": [[0, 0], [16, 0], [16, 6], [0, 6]],\n"
    " \"obstacles\": [{\"polygon\": [[7, 1.5], [8, 1.5], [8, 2], [7, 2]]}, {\"id\": \"post\", \"polygon\": [[8, 4], "
    "[8.4, 4], [8.4, "
    "5], [8, 5]]}],\n"
    " \"model\": {\"name\": \"implicit\"},\n"
    " \"goals\": {\"west\": {\"polygon\": [[0, 0], [1, 0], [1, 6], [0, 6]], \"exit\": true},\n"
    "   \"east\": {\"polygon\": [[15, 0], [16, 0], [16, 6], [15, 6]], \"exit\": true}},\n"
    " \"agents\": [{\"group\": \"a\", \"in\": [[9, 0], [14, 0], [14, 6], [9, 6]], \"count\": 30, \"goal\": \"west\"},\n"
    "   {\"group\": \"b\", \"in\": [[2, 0], [6, 0], [6, 6], [2, 6]], \"count\": 30, \"goal\": \"east\"}],\n"
    " \"sources\": [{\"group\": \"c\", \"in\": [[10, 1], [14, 1], [14, 5], [10, 5]], \"rate\": 0.4, \"goal\": "
    "\"west\"}]}";

enum { STEPS = 340 };

static throng_world *make_meeting(int threads, const char *const *overrides, size_t count) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = meeting;
    def.overrides = overrides, def.override_count = count;
    return world_from(&def, threads);
}

static throng_implicit *insides(const throng_world *world) {
    assert_int_equal(world->team_count, 1);
    return world->teams[0].state;
}

/* Where the first of the cache was: another place when lists were made anew. */
static double mark_of(const throng_world *world) {
    const throng_implicit_cache *f = &insides(world)->cache;
    return f->count > 0 ? f->members[0].x + f->members[f->count - 1].y : 0;
}

static void kept_lists_change_nothing(void **unused) {
    (void)unused;
    const int threads[] = {1, 2, 3, 5, 8};
    throng_world *kept = make_meeting(1, NULL, 0), *others[5];
    for (int k = 0; k < 5; k++) others[k] = make_meeting(threads[k], NULL, 0);
    int renewals = 0, with_gone = 0;
    for (int n = 0; n < STEPS; n++) {
        double before = mark_of(kept);
        throng_world_step(kept);
        renewals += mark_of(kept) != before;
        with_gone += insides(kept)->walkers.gone > 0;
        assert_true(insides(kept)->cache.listed);
        for (int k = 0; k < 5; k++) {
            /* made again now and then, or in every step */
            if (k == 0 || n % (k + 2) == 0) insides(others[k])->cache.listed = false;
            throng_world_step(others[k]);
            if (n % 20 == 19) expect_same(kept, others[k], "lists made again");
        }
    }
    print_message("lists made %d times in %d steps, in %d of them somebody had left\n", renewals, STEPS, with_gone);
    assert_in_range(renewals, 10, STEPS / 4);
    assert_in_range(with_gone, 20, STEPS);
    for (int k = 0; k < 5; k++) throng_world_destroy(others[k]);
    throng_world_destroy(kept);
}

static void goes_on_after_a_restart(void **unused) {
    (void)unused;
    throng_world *whole = make_meeting(2, NULL, 0), *other = make_meeting(3, NULL, 0);
    for (int n = 0; n < STEPS; n += 13) {
        throng_checkpoint *saved = throng_world_save(whole, NULL);
        run(other, n % 3);
        load(other, saved);
        run(whole, 13);
        run(other, 13);
        expect_same(whole, other, "13 steps after a restart");
        throng_checkpoint_destroy(saved);
    }
    throng_world_destroy(whole);
    throng_world_destroy(other);
}

/* The rows of everybody. */
static const throng_implicit_rows *all_rows(const throng_implicit_solver *s) {
    return s->some_rows ? &s->other_rows : &s->rows;
}

static bool is_in_row(const throng_implicit_solver *s, uint32_t slot, uint32_t other) {
    const throng_implicit_rows *r = all_rows(s);
    for (uint32_t q = r->begin[slot]; q < r->end[slot]; q++) {
        if (r->quad[q] >> 8 == other >> 2) return r->quad[q] >> (other & 3) & 1;
    }
    return false;
}

/* Against looking at everybody and every wall, as they were when the step began. */
static void expect_nobody_missed(const throng_world *world) {
    const throng_implicit_solver *s = &insides(world)->solver;
    throng_wall_near near[64];
    bool whole = all_rows(s)->whole;
    for (size_t a = 0; a < s->walkers->mine_count; a++) {
        uint32_t i = s->walkers->mine[a];
        double x = s->walkers->near->x[i], y = s->walkers->near->y[i];
        for (size_t b = 0; b < s->walkers->mine_count; b++) {
            uint32_t j = s->walkers->mine[b];
            double distance = hypot(s->walkers->near->x[j] - x, s->walkers->near->y[j] - y);
            bool strikes = distance < s->walkers->reach[i] + s->walkers->reach[j],
                 sees = distance < s->walkers->neighbour_dist && (j > i || whole);
            if (i != j && (strikes || (sees && s->walls->sees_all))) assert_true(is_in_row(s, i, j));
        }
        double reach = s->walkers->near->radius[i] + s->walkers->law.gc + s->walkers->cap[i] * s->walkers->law.dt;
        size_t found = throng_walls_within(world->walls, x, y, reach, near, 64);
        if (found > 0) assert_near(s->walls->gap[i], sqrt(near[0].distance2) - s->walkers->near->radius[i], 1e-9);
    }
}

static void misses_nobody(void **unused) {
    (void)unused;
    const char *sees_all[] = {"model.params.hidden=\"avoided\"", "model.params.neighbour_dist=3"};
    for (size_t k = 0; k < 2; k++) {
        throng_world *world = make_meeting(2, sees_all, 2 * k);
        for (int n = 0; n < STEPS; n++) {
            throng_world_step(world);
            if (n % 3 == 0) expect_nobody_missed(world);
        }
        throng_world_destroy(world);
    }
}

/* Steps in which people get far are not worth a cache. */
static void long_steps_do_without(void **unused) {
    (void)unused;
    const char *dt[] = {"dt=0.4"};
    throng_world *world = make_meeting(1, dt, 1);
    run(world, 5);
    assert_int_equal(insides(world)->cache.count, 0);
    throng_world_destroy(world);
}

/* Changes that lists depend on, with and without lists made anew. */
static void notices_changes(void **unused) {
    (void)unused;
    throng_world *worlds[2] = {make_meeting(1, NULL, 0), make_meeting(2, NULL, 0)};
    for (int n = 0; n < 90; n++) {
        for (int k = 0; k < 2; k++) {
            throng_world *world = worlds[k];
            if (n == 20) assert_true(throng_world_set(world, "desired_speed", 2.2, 1));
            if (n == 31) assert_true(throng_world_set(world, "params.neighbour_dist", 6, 0));
            if (n == 42) assert_true(throng_world_remove_agent(world, 7));
            if (n == 43) assert_true(throng_world_remove_obstacle(world, "post"));
            if (n == 50) assert_true(throng_world_restore_obstacle(world, "post"));
            if (n == 74) assert_true(throng_world_move_obstacle(world, "post", (throng_point){-0.2, 0}, 0.2));
            if (k == 1) insides(world)->cache.listed = false;
            throng_world_step(world);
            if (n < 74) expect_nobody_missed(world); /* later walls are elsewhere after the step */
        }
        expect_same(worlds[0], worlds[1], "after changes");
    }
    throng_world_destroy(worlds[0]);
    throng_world_destroy(worlds[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept_lists_change_nothing),
                                       cmocka_unit_test(goes_on_after_a_restart), cmocka_unit_test(misses_nobody),
                                       cmocka_unit_test(long_steps_do_without), cmocka_unit_test(notices_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
