/* What the world itself costs: a step of `none`, stage by stage, and the memory of an agent.
 *
 *     bench_world [people]
 *
 * random(N, 1): people at random in a square of one per square metre, each with a point of its own
 * to walk to. Best and median over the steps; memory is the growth of the resident set. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/model.h>
#include <throng/throng.h>
#include <unistd.h>

#include "figures.h"

static double resident_mb(void) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%*s %ld", &pages) != 1) pages = 0;
    fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static throng_world *crowd(size_t count, int threads) {
    throng_world_def def = throng_default_world_def();
    def.model = "none";
    def.threads = threads;
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal_def goal_def = throng_default_goal_def();
    goal_def.kind = THRONG_GOAL_OWN;
    throng_goal goal = throng_world_add_goal(world, &goal_def);
    double side = sqrt((double)count);
    for (size_t i = 0; i < count; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){throng_random(1, i, 0, 0) * side, throng_random(1, i, 0, 1) * side};
        agent.target = (throng_point){throng_random(1, i, 0, 2) * side, throng_random(1, i, 0, 3) * side};
        agent.radius = 0.25;
        agent.journey = &goal;
        agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
    }
    return world;
}

static void measure(size_t count, int threads) {
    enum { STEPS = 60 };
    double before = resident_mb(), ms[STEPS];
    throng_world *world = crowd(count, threads);
    throng_world_step(world);
    throng_stats first = throng_world_stats(world);
    for (int s = 0; s < STEPS; s++) {
        throng_world_step(world);
        ms[s] = throng_world_stats(world).step_ms;
    }
    throng_stats stats = throng_world_stats(world);
    double memory = resident_mb() - before;
    qsort(ms, STEPS, sizeof *ms, bench_compare);
    printf("%8zu people  %d thread%s  step %.2f ms (median %.2f)", count, threads, threads > 1 ? "s" : " ", ms[0],
           ms[STEPS / 2]);
    for (int s = 0; s < THRONG_STAGE_COUNT; s++) {
        printf("  %s %.2f", throng_stage_name((throng_stage)s), (stats.stage_ms[s] - first.stage_ms[s]) / STEPS);
    }
    printf("  %.0f bytes per agent\n", memory * 1e6 / (double)count);
    throng_world_destroy(world);
}

int main(int argc, char **argv) {
    size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 100000;
    measure(count, 1);
    measure(count, 2);
    return 0;
}
