/* What the roadmap costs: making roads and trees, asking the way, and its part of a step of orca.
 *
 *     bench_roadmap [people [runs]]
 *
 * An office building of 60 m x 36 m after the evacuation scene of Karamouzas et al. 2017: a corridor with
 * an exit of 2 m at both ends, ten rooms on either side with a door of 1.2 m, and desks and pillars, 178
 * obstacles in all. Ways are compared with flow fields. CPU time of one thread. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>
#include <time.h>

#include "base/crew.h"
#include "blocks.h"
#include "route/roadmap.h"
#include "space/place.h"
#include "space/walls.h"

enum { STEPS = 600 };

/* Ten rooms of 6 m beside the corridor, above or below it, with desks in each. */
static void add_rooms(plan *p, double y, double wall_y, int desks) {
    for (int i = 1; i < 10; i++) add_block(p, 6 * i - 0.1, y, 0.2, 16.5);
    for (int i = 0; i < 10; i++) {
        add_block(p, 6 * i, wall_y - 0.1, 2.4, 0.2);
        add_block(p, 6 * i + 3.6, wall_y - 0.1, 2.4, 0.2);
        for (int d = 0; d < desks; d++) add_block(p, 6 * i + 1 + 2.6 * (d % 2), y + 3 + 3.2 * (d / 2), 1.4, 0.8);
    }
}

static throng_place *building(void) {
    static plan p;
    static const throng_point border[] = {{0, 0},   {60, 0}, {60, 17}, {62, 17}, {62, 19}, {60, 19},
                                          {60, 36}, {0, 36}, {0, 19},  {-2, 19}, {-2, 17}, {0, 17}};
    add_rooms(&p, 0, 16.5, 6);
    add_rooms(&p, 19.5, 19.5, 6);
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){border, sizeof border / sizeof border[0]};
    def.obstacles = p.obstacles;
    def.obstacle_count = p.count;
    throng_error error;
    throng_place *place = throng_place_create(&def, &error);
    if (!place) fprintf(stderr, "bench_roadmap: %s\n", error.text), exit(1);
    return place;
}

/* Blocks on a grid, a little out of line. */
static throng_place *field_of_blocks(int across) {
    static plan p;
    p.count = 0;
    double side = 4.0 * across;
    throng_point border[] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    for (int i = 0; i < across * across; i++) {
        double x = 4 * (i % across) + 1 + throng_random(1, (uint64_t)i, 0, 0);
        add_block(&p, x, 4 * (i / across) + 1 + throng_random(1, (uint64_t)i, 0, 1), 1, 1);
    }
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){border, 4};
    def.obstacles = p.obstacles;
    def.obstacle_count = p.count;
    return throng_place_create(&def, NULL);
}

static void time_making(const throng_place *place, const char *what) {
    throng_walls *walls = throng_walls_create(place);
    throng_crew *crew = throng_crew_create(1);
    double begin = cpu_s();
    throng_tangents *t = throng_tangents_create(walls, 0.25, 0.2, crew);
    double roads_s = cpu_s() - begin;
    printf("%-18s %6zu walls, %6zu bends, %7zu legs: roads %.1f ms\n", what, walls->count, t->bend_count,
           t->first[2 * t->bend_count], 1e3 * roads_s);
    throng_tangents_destroy(t);
    throng_crew_destroy(crew);
    throng_walls_destroy(walls);
}

static throng_world *office(const throng_place *place, const char *planner, size_t people, bool own) {
    throng_world_def def = throng_default_world_def();
    def.place = place, def.planner = planner, def.threads = 1, def.check = false;
    throng_world *world = throng_world_create(&def, NULL);
    static const throng_point exits[2][4] = {{{61, 17}, {62, 17}, {62, 19}, {61, 19}},
                                             {{-2, 17}, {-1, 17}, {-1, 19}, {-2, 19}}};
    throng_goal goals[3];
    for (int i = 0; i < 2; i++) {
        throng_goal_def goal = throng_default_goal_def();
        goal.kind = THRONG_GOAL_AREA, goal.ring = (throng_ring){exits[i], 4}, goal.exit = true;
        goals[i] = throng_world_add_goal(world, &goal);
    }
    throng_goal_def any = throng_default_goal_def();
    any.kind = own ? THRONG_GOAL_OWN : THRONG_GOAL_ANY, any.any = goals, any.any_count = own ? 0 : 2;
    goals[2] = throng_world_add_goal(world, &any);
    throng_walls *walls = throng_walls_create(place);
    for (size_t i = 0, n = 0; n < people; i++) {
        throng_agent_def agent = throng_default_agent_def();
        agent.at = (throng_point){throng_random(1, i, 0, 0) * 60, throng_random(1, i, 0, 1) * 36};
        agent.target = (throng_point){throng_random(1, i, 0, 2) * 60, throng_random(1, i, 0, 3) * 36};
        if (agent.at.y > 16.5 && agent.at.y < 19.5) continue;
        if (throng_walls_depth(walls, agent.at.x, agent.at.y, 0.3) < 0.3) continue;
        if (throng_walls_depth(walls, agent.target.x, agent.target.y, 0.3) < 0.3) continue;
        agent.journey = &goals[2], agent.journey_count = 1;
        throng_world_add_agent(world, &agent);
        n++;
    }
    throng_walls_destroy(walls);
    return world;
}

/* What the steps of a run take, s. All runs of a scene do the same, so of each step the least time over several
 * runs is what it takes while nobody else keeps the machine busy. */
typedef struct times {
    double prepare, step[STEPS], route[STEPS];
    size_t people[STEPS], left; /* on their way */
} times;

static void time_run(throng_world *world, times *least) {
    throng_error error;
    double begin = cpu_s(), before;
    if (!throng_world_prepare(world, &error)) printf("  %s\n", error.text);
    least->prepare = fmin(least->prepare, cpu_s() - begin);
    for (int s = 0; s < STEPS; s++) {
        least->people[s] = throng_world_stats(world).active;
        before = throng_world_stats(world).stage_ms[THRONG_STAGE_ROUTE];
        throng_world_step(world);
        throng_stats stats = throng_world_stats(world);
        least->step[s] = fmin(least->step[s], 1e-3 * stats.step_ms);
        least->route[s] = fmin(least->route[s], 1e-3 * (stats.stage_ms[THRONG_STAGE_ROUTE] - before));
    }
    least->left = throng_world_stats(world).active;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What of a step is the route phase, in the median over all steps. */
static void print_median(const times *t) {
    static double each[STEPS], share[STEPS];
    for (int s = 0; s < STEPS; s++) {
        each[s] = t->people[s] ? 1e9 * t->route[s] / (double)t->people[s] : 0;
        share[s] = 100 * t->route[s] / t->step[s];
    }
    qsort(each, STEPS, sizeof *each, by_size);
    qsort(share, STEPS, sizeof *share, by_size);
    printf(" (median %5.1f ns, %4.1f %%)", each[STEPS / 2], share[STEPS / 2]);
}

/* Prints the mean step, and what of it is the route phase: the planner's work, and asking it, which is the same
 * for all planners; straight to targets of one's own hardly costs more than the asking. */
static void time_steps(const throng_place *place, const char *planner, size_t people, bool own, int runs) {
    static times least;
    least.prepare = INFINITY;
    for (int s = 0; s < STEPS; s++) least.step[s] = least.route[s] = INFINITY;
    for (int r = 0; r < runs; r++) {
        throng_world *world = office(place, planner, people, own);
        time_run(world, &least);
        throng_world_destroy(world);
    }
    double step = 0, route = 0, walked = 0;
    for (int s = 0; s < STEPS; s++) step += least.step[s], route += least.route[s], walked += (double)least.people[s];
    printf("%-11s %5zu people, %-11s  prepare %7.1f ms, step %6.3f ms, route %7.4f ms = %5.1f ns a person: %4.1f %%",
           planner, people, own ? "own targets" : "two exits", 1e3 * least.prepare, 1e3 * step / STEPS,
           1e3 * route / STEPS, 1e9 * route / walked, 100 * route / step);
    print_median(&least);
    printf("; %zu left\n", least.left);
}

int main(int argc, char **argv) {
    size_t people = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    int runs = argc > 2 ? atoi(argv[2]) : 5;
    throng_place *office_place = building();
    time_making(office_place, "building");
    time_steps(office_place, "straight", people, false, runs);
    time_steps(office_place, "flow-field", people, false, runs);
    time_steps(office_place, "roadmap", people, false, runs);
    time_steps(office_place, "straight", people, true, runs);
    time_steps(office_place, "roadmap", people, true, runs);
    throng_place *blocks = field_of_blocks(50);
    time_making(blocks, "2500 blocks");
    throng_place_destroy(blocks);
    throng_place_destroy(office_place);
    return 0;
}
