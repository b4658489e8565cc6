/* 01_walk.c: two people meet on an open square, step aside and go on. Prints where they are, once a
 * second. */

#include <stdio.h>
#include <throng/throng.h>

int main(void) {
    throng_error error;
    throng_world_def def = throng_default_world_def();
    throng_world *world = throng_world_create(&def, &error);
    if (!world) return fprintf(stderr, "%s\n", error.text), 1;

    /* Each has a point to go to; 10 cm beside each other, so that they know on which side to pass. */
    for (int i = 0; i < 2; i++) {
        throng_goal_def there = throng_default_goal_def();
        there.kind = THRONG_GOAL_POINT;
        there.point = (throng_point){i == 0 ? 10 : -10, 0};
        throng_goal goal = throng_world_add_goal(world, &there);

        throng_agent_def person = throng_default_agent_def();
        person.at = (throng_point){i == 0 ? -10 : 10, i == 0 ? 0 : 0.1};
        person.journey = &goal;
        person.journey_count = 1;
        if (!throng_world_add_agent(world, &person)) {
            return fprintf(stderr, "%s\n", throng_world_error(world)->text), 1;
        }
    }

    for (int second = 0; second < 60 && !throng_world_is_done(world); second++) {
        throng_view view = throng_world_view(world);
        printf("%4.1f s ", view.time);
        for (size_t row = 0; row < view.count; row++) printf("  (%6.2f, %5.2f)", view.x[row], view.y[row]);
        printf("\n");
        while (throng_world_time(world) < second + 0.999) throng_world_step(world);
    }
    printf("both arrived after %.1f s\n", throng_world_stats(world).last_arrival_s);
    throng_world_destroy(world);
    return 0;
}
