/* What `orca` costs, beside RVO2.
 *
 *     bench_orca [FILE.csv]
 *
 * Agents as RVO2 was measured with: radius 0.25 m, 1.3 m/s, at most 2 m/s, horizons 3 s, neighbours
 * within 5 m, dt 0.1 s. Timed is what RVO2 does in a step: finding neighbours, deciding and moving,
 * without planning. `cpu` is the processor's time of one thread, the median over some steps, best of
 * some runs; `two` is how much less time by the clock two threads take, which means something only on
 * a machine that does nothing else. RVO2's figures (float, gcc 12 -O3 -march=native, link-time
 * optimised, one thread) were measured on an AMD EPYC (Zen 3, about 3.1 GHz) with the same scenes.
 * Overlap is the mean number of pairs deeper than 5 % per 1000 people over the timed steps, and the
 * deepest as a part of the sum of radii; RVO2's are of the same steps (a mean of eight seeds in the
 * random scenes, where it varies by a third from seed to seed). */

#include <stdio.h>
#include <throng/throng.h>
#include <time.h>

#include "figures.h"
#include "scenes.h"

typedef enum kind { RANDOM, CIRCLE, BLOCKS } kind;

typedef struct scenario {
    kind kind;
    int size; /* people, or k of the blocks */
    double density;
    int neighbours;
    bool sorted;
    int skipped, timed; /* steps */
    double rvo2_us;     /* per person and step; 0: not measured */
    const char *rvo2_overlap;
} scenario;

/* The circle and the blocks are timed when everybody is in everybody's way. */
static const scenario scenarios[] = {
    {RANDOM, 1000, 0.3, 10, false, 50, 100, 1.15, "0.0, 0.05"},
    {RANDOM, 10000, 0.3, 10, false, 50, 30, 1.47, ""},
    {RANDOM, 100000, 0.3, 10, false, 50, 10, 3.5, ""},
    {RANDOM, 100000, 0.3, 10, true, 50, 10, 1.32, ""},
    {RANDOM, 1000, 1, 10, false, 50, 100, 1.30, "80, 0.21"},
    {RANDOM, 10000, 1, 10, false, 50, 30, 1.59, ""},
    {RANDOM, 100000, 1, 10, false, 50, 10, 3.8, ""},
    {RANDOM, 100000, 1, 10, true, 50, 10, 1.44, ""},
    {RANDOM, 1000, 1, 20, false, 50, 100, 2.18, "62, 0.17"},
    {RANDOM, 10000, 1, 20, false, 50, 30, 2.65, ""},
    {RANDOM, 100000, 1, 20, false, 50, 10, 7.1, ""},
    {RANDOM, 100000, 1, 20, true, 50, 10, 2.38, ""},
    {RANDOM, 1000, 2, 10, false, 50, 100, 1.27, "292, 0.23"},
    {RANDOM, 10000, 2, 10, false, 50, 30, 1.68, ""},
    {RANDOM, 100000, 2, 10, false, 50, 10, 4.0, ""},
    {RANDOM, 100000, 2, 10, true, 50, 10, 1.54, ""},
    {CIRCLE, 1000, 0, 10, false, 900, 100, 1.23, "1116, 0.87"},
    {BLOCKS, 16, 0, 10, false, 600, 100, 1.45, "3.7, 0.09"},
    {BLOCKS, 50, 0, 10, false, 1800, 30, 1.99, ""},
};

static const char *const kind_names[] = {"random", "circle", "blocks"};

typedef struct result {
    double cpu_us, clock_us; /* per person and step */
    double overlaps, deepest;
} result;

static bench_scene make_scene(const scenario *s) {
    bench_scene scene = s->kind == RANDOM   ? bench_random((size_t)s->size, s->density, 0.5, 1)
                        : s->kind == CIRCLE ? bench_circle((size_t)s->size, 0.8)
                                            : bench_blocks(s->size);
    if (s->sorted) bench_sort(&scene);
    return scene;
}

static throng_place *make_place(const scenario *s) {
    if (s->kind != BLOCKS) return NULL;
    throng_point corners[4][4];
    throng_obstacle blocks[4];
    for (int b = 0; b < 4; b++) {
        bench_block(s->size, b, corners[b]);
        blocks[b] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {corners[b], 4}};
    }
    throng_place_def def = throng_default_place_def();
    def.obstacles = blocks;
    def.obstacle_count = 4;
    return throng_place_create(&def, NULL);
}

/* First to the own target; then, in the square, anywhere for ever. */
static size_t make_journey(throng_world *world, const scenario *s, double side, throng_goal *journey) {
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_OWN;
    goal.radius = s->kind == RANDOM ? 1 : 0.5;
    journey[0] = throng_world_add_goal(world, &goal);
    if (s->kind != RANDOM) return 1;
    throng_point square[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    goal.kind = THRONG_GOAL_ROAM;
    goal.ring = (throng_ring){square, 4};
    goal.repeat = true;
    journey[1] = throng_world_add_goal(world, &goal);
    return 2;
}

static throng_world *make_world(const scenario *s, const bench_scene *scene, int threads) {
    throng_place *place = make_place(s);
    throng_world_def def = throng_default_world_def();
    def.place = place;
    def.dt = 0.1;
    def.threads = threads;
    def.check = false;
    def.planner = "straight";
    throng_world *world = throng_world_create(&def, NULL);
    throng_place_destroy(place);
    throng_setting settings[] = {{.name = "max_neighbours", .number = s->neighbours},
                                 {.name = "neighbour_dist", .number = 5},
                                 {.name = "time_horizon", .number = 3},
                                 {.name = "time_horizon_obst", .number = 3}};
    throng_agent_def agent = throng_default_agent_def();
    agent.profile = throng_world_add_profile(world, "orca", settings, 4);
    throng_goal journey[2];
    agent.journey = journey;
    agent.journey_count = make_journey(world, s, scene->side, journey);
    agent.radius = 0.25;
    agent.desired_speed = 1.3;
    agent.max_speed = 2;
    for (size_t i = 0; i < scene->count; i++) {
        agent.at = scene->people[i].at;
        agent.target = scene->people[i].target;
        throng_world_add_agent(world, &agent);
    }
    return world;
}

static double cpu_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* Time by the clock since the beginning: all stages, and those that RVO2 has too. */
typedef struct spent {
    double all_us, busy_us;
} spent;

static spent clock_of(const throng_world *world) {
    throng_stats stats = throng_world_stats(world);
    spent t = {0, 0};
    for (int s = 0; s < THRONG_STAGE_COUNT; s++) t.all_us += 1e3 * stats.stage_ms[s];
    t.busy_us = 1e3 * (stats.stage_ms[THRONG_STAGE_NEAR] + stats.stage_ms[THRONG_STAGE_MODELS] +
                       stats.stage_ms[THRONG_STAGE_MOVE]);
    return t;
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, bench_compare);
    return values[count / 2];
}

static result run_once(const scenario *s, const bench_scene *scene, int threads) {
    enum { MOST = 100 };
    double cpu[MOST], busy[MOST], people = (double)scene->count;
    result r = {0};
    throng_world *world = make_world(s, scene, threads);
    for (int k = 0; k < s->skipped; k++) throng_world_step(world);
    spent begin = clock_of(world);
    for (int k = 0; k < s->timed; k++) {
        spent before = clock_of(world);
        double cpu_before = cpu_us();
        throng_world_step(world);
        cpu[k] = cpu_us() - cpu_before;
        busy[k] = clock_of(world).busy_us - before.busy_us;
        throng_view v = throng_world_view(world);
        bench_overlap overlap = bench_measure_overlap(v.count, v.x, v.y, 0.25);
        r.overlaps += 1e3 * (double)overlap.pairs / people / s->timed;
        r.deepest = fmax(r.deepest, overlap.deepest);
    }
    spent end = clock_of(world);
    double share = (end.busy_us - begin.busy_us) / (end.all_us - begin.all_us);
    r.cpu_us = median(cpu, s->timed) * share / people;
    r.clock_us = median(busy, s->timed) / people;
    throng_world_destroy(world);
    return r;
}

static void run(const scenario *s, FILE *csv) {
    bench_scene scene = make_scene(s);
    int rounds = scene.count > 2000 ? 2 : 4;
    double best_cpu = INFINITY, one = INFINITY, two = INFINITY;
    result r = {0};
    for (int k = 0; k < rounds; k++) {
        two = fmin(two, run_once(s, &scene, 2).clock_us);
        r = run_once(s, &scene, 1);
        one = fmin(one, r.clock_us);
        best_cpu = fmin(best_cpu, r.cpu_us);
    }
    const char *order = s->sorted ? "sorted" : "random";
    double ratio = s->rvo2_us / best_cpu;
    printf("%-7s%7zu  %4.1f %3d  %-7s %6.3f %5.2f   %5.2f %6.1f   %6.1f, %.2f", kind_names[s->kind], scene.count,
           s->density, s->neighbours, order, best_cpu, one / two, s->rvo2_us, ratio, r.overlaps, r.deepest);
    printf("   %s\n", s->rvo2_overlap);
    fflush(stdout);
    if (csv) {
        fprintf(csv, "%s,%zu,%g,%d,%s,%.3f,%.2f,%.2f,%.2f,%.1f,%.3f\n", kind_names[s->kind], scene.count, s->density,
                s->neighbours, order, best_cpu, one / two, s->rvo2_us, ratio, r.overlaps, r.deepest);
    }
    bench_scene_free(&scene);
}

int main(int argc, char **argv) {
    if (argc > 2 || (argc > 1 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: bench_orca [FILE.csv]    takes some minutes\n");
        return 2;
    }
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "cannot write %s\n", argv[1]);
        return 1;
    }
    if (csv) {
        fprintf(csv,
                "scene,people,density,neighbours,order,cpu_us,two_threads,rvo2_us,rvo2_over_ours,"
                "overlaps_per_1000,deepest\n");
    }
    printf("orca: microseconds per person and step\n");
    printf("scene  people   1/m2  nb  order      cpu   two    RVO2  ratio   overlaps       RVO2's\n");
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) run(&scenarios[i], csv);
    if (csv) fclose(csv);
    return 0;
}
