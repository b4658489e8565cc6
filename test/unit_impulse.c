/* Impulses on people: what throng_world_push_agent does with models that do not know forces. */

#include "testing.h"

#include <math.h>
#include <throng/throng.h>

#include "model_world.h"

/* Two people who stand far from each other. */
static throng_world *make_pair(const char *model, throng_agent ids[2]) {
    throng_profile profile;
    options o = {.dt = 0.05, .threads = 1};
    throng_world *world = make_model_world(model, &o, &profile);
    throng_goal here = add_own_goal(world, false);
    for (int k = 0; k < 2; k++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){50.0 * k, 0};
        agent.profile = profile;
        agent.journey = &here;
        agent.journey_count = 1;
        agent.target = agent.at;
        agent.mass = 80;
        agent.max_speed = 3;
        ids[k] = throng_world_add_agent(world, &agent);
    }
    return world;
}

static void velocity_changes_by_impulse_over_mass(void **state) {
    (void)state;
    throng_agent ids[2];
    throng_world *world = make_pair("powerlaw", ids), *pushed = make_pair("powerlaw", ids);
    assert_true(throng_world_push_agent(pushed, ids[0], (throng_point){40, 0}));
    assert_true(throng_world_push_agent(pushed, ids[0], (throng_point){40, 20}));
    throng_world_step(world);
    throng_world_step(pushed);
    throng_view still = throng_world_view(world), moved = throng_world_view(pushed);
    /* the relaxation towards standing takes 0.01 s / 0.54 s of it away in each of five sub-steps */
    assert_near(moved.vx[0] - still.vx[0], 1.0 * pow(1 - 0.01 / 0.54, 5), 1e-9);
    assert_near(moved.vy[0] - still.vy[0], 0.25 * pow(1 - 0.01 / 0.54, 5), 1e-9);
    assert_near(moved.vx[1], still.vx[1], 0);
    assert_near(moved.force[0], hypot(80, 20) / 0.05, 1e-9);
    assert_near(moved.force_x[0], 80 / 0.05, 1e-9);
    assert_near(moved.force[1], 0, 0);
    throng_world_step(pushed); /* it hits once */
    moved = throng_world_view(pushed);
    assert_true(moved.vx[0] < 0.9);
    assert_near(moved.force[0], 0, 0);
    throng_world_destroy(world);
    throng_world_destroy(pushed);
}

static void every_model_bears_absurd_impulses(void **state) {
    (void)state;
    for (size_t m = 0; m < throng_model_count(); m++) {
        const char *name = throng_model_name(throng_model_at(m));
        throng_agent ids[2];
        throng_world *world = make_pair(name, ids);
        assert_true(throng_world_push_agent(world, ids[0], (throng_point){1e300, -1e300}));
        assert_true(throng_world_push_agent(world, ids[0], (throng_point){1e300, 1e300}));
        assert_false(throng_world_push_agent(world, ids[0], (throng_point){NAN, 0}));
        assert_false(throng_world_push_agent(world, ids[0], (throng_point){INFINITY, 0}));
        assert_false(throng_world_push_agent(world, 77, (throng_point){1, 0}));
        for (int i = 0; i < 5; i++) throng_world_step(world);
        throng_view v = throng_world_view(world);
        throng_stats stats = throng_world_stats(world);
        assert_true(hypot(v.vx[0], v.vy[0]) <= 3 + 1e-9);
        assert_true(hypot(v.x[0], v.y[0]) < 1);
        assert_true(stats.impulses_bounded >= 2);
        assert_int_equal(stats.oddities, 0);
        throng_world_destroy(world);
    }
}

static void an_impulse_survives_a_checkpoint(void **state) {
    (void)state;
    throng_agent ids[2];
    throng_world *world = make_pair("powerlaw", ids), *again = make_pair("powerlaw", ids);
    throng_world_step(world);
    uint64_t before = throng_world_digest(world);
    throng_world_push_agent(world, ids[1], (throng_point){-30, 10});
    assert_true(throng_world_digest(world) != before);
    throng_checkpoint *kept = throng_world_save(world, NULL);
    throng_error error;
    assert_true(throng_world_load(again, kept, &error));
    for (int i = 0; i < 3; i++) {
        throng_world_step(world);
        throng_world_step(again);
        assert_true(throng_world_digest(world) == throng_world_digest(again));
    }
    throng_checkpoint_destroy(kept);
    throng_world_destroy(world);
    throng_world_destroy(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(velocity_changes_by_impulse_over_mass),
                                       cmocka_unit_test(every_model_bears_absurd_impulses),
                                       cmocka_unit_test(an_impulse_survives_a_checkpoint)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
