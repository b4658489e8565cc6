/* What a dense crowd of the model `implicit` takes: less than 4 KB for each person at 2 people per m2, world and all.
 */

#include "testing.h"

#include <stdlib.h>

#include "dice.h"

static size_t bytes, most;

/* Keeps the size before what it hands out. */
static void *weigh(void *pointer, size_t size) {
    enum { BEFORE = 16 };
    char *from = pointer ? (char *)pointer - BEFORE : NULL;
    if (from) bytes -= *(size_t *)(void *)from;
    if (size == 0) {
        free(from);
        return NULL;
    }
    char *to = realloc(from, size + BEFORE);
    *(size_t *)(void *)to = size;
    bytes += size;
    most = bytes > most ? bytes : most;
    return to + BEFORE;
}

/* People in rows on a square, each a little out of place, who want to get somewhere else, all at once. */
static void check_crowd(double dt, int steps) {
    enum { ACROSS = 32 };
    const double spacing = 0.7071; /* m */
    throng_world_def def = throng_default_world_def();
    def.model = "implicit", def.dt = dt, def.threads = 1, def.planner = "straight";
    throng_world *world = throng_world_create(&def, NULL);
    assert_non_null(world);
    throng_goal_def own = throng_default_goal_def();
    own.kind = THRONG_GOAL_OWN, own.radius = 0.5;
    throng_goal goal = throng_world_add_goal(world, &own);
    throng_agent_def agent = throng_default_agent_def();
    agent.journey = &goal, agent.journey_count = 1, agent.radius = 0.2, agent.desired_speed = 1.3;
    dice d = {5};
    for (int k = 0; k < ACROSS * ACROSS; k++) {
        agent.at.x = spacing * (k % ACROSS) + dice_between(&d, -0.1, 0.1);
        agent.at.y = spacing * (k / ACROSS) + dice_between(&d, -0.1, 0.1);
        agent.target.x = dice_between(&d, 0, spacing * ACROSS);
        agent.target.y = dice_between(&d, 0, spacing * ACROSS);
        assert_true(throng_world_add_agent(world, &agent) > 0);
    }
    most = bytes;
    for (int k = 0; k < steps; k++) throng_world_step(world);
    double each = (double)most / (ACROSS * ACROSS);
    printf("dt %g: %.0f bytes per person\n", dt, each);
    assert_true(each < 4096);
    throng_world_destroy(world);
    assert_int_equal(bytes, 0);
}

static void a_dense_crowd_takes_little(void **unused) {
    (void)unused;
    check_crowd(0.1, 5);
    check_crowd(0.4, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_dense_crowd_takes_little)};
    throng_set_allocator(weigh);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
