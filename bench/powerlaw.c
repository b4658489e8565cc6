/* What `powerlaw` costs, beside `orca` in the same run.
 *
 *     bench_powerlaw [FILE.csv]
 *
 * Built-in scenes at the model's own step, from when the streams have met: millions of decisions a second
 * of one core, and `orca` on the same people. Timed is the model alone, on one thread, by the lower quartile
 * of its steps; the neighbours are those within neighbour_dist, on average. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct scene {
    const char *name;
    double skipped; /* s */
    int timed;      /* steps */
} scene;

static const scene scenes[] = {
    {"implicit/hallway", 8, 200},    {"implicit/crossing", 8, 200},   {"implicit/random-500", 8, 200},
    {"implicit/random-2000", 8, 60}, {"implicit/evacuation", 8, 100},
};

static throng_world *make_world(const char *name, const char *model, throng_simd simd) {
    char choice[40];
    snprintf(choice, sizeof choice, "model=%s", model);
    const char *overrides[] = {choice, "dt=0.01", "duration=600"};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = name;
    def.overrides = overrides;
    def.override_count = 3;
    return bench_world(&def, simd, 1);
}

/* How many others are nearer than the reach, on average. */
static double mean_neighbours(const throng_world *world, double reach) {
    throng_view v = throng_world_view(world);
    size_t pairs = 0;
    for (size_t i = 0; i < v.count; i++) {
        for (size_t j = 0; j < i; j++) pairs += hypot(v.x[i] - v.x[j], v.y[i] - v.y[j]) < reach;
    }
    return 2.0 * (double)pairs / (double)v.count;
}

/* Decisions per microsecond in the quicker steps: the others were interrupted. */
static double speed_of(throng_world *world, const scene *s) {
    enum { MOST = 200 };
    double us[MOST];
    for (int k = 0; k < s->timed; k++) {
        double before = throng_world_stats(world).stage_ms[THRONG_STAGE_MODELS];
        double people = (double)throng_world_view(world).count;
        throng_world_step(world);
        us[k] = 1e3 * (throng_world_stats(world).stage_ms[THRONG_STAGE_MODELS] - before) / people;
    }
    qsort(us, (size_t)s->timed, sizeof *us, bench_compare);
    return 1 / us[s->timed / 4];
}

static void run(const scene *s, FILE *csv) {
    double speed[3], neighbours = 0;
    for (int k = 0; k < 3; k++) {
        throng_world *world =
            make_world(s->name, k < 2 ? "powerlaw" : "orca", k == 1 ? THRONG_SIMD_PLAIN : THRONG_SIMD_AUTO);
        if (!world) exit(1);
        for (double t = 0; t < s->skipped; t += 0.01) throng_world_step(world);
        if (k == 0) neighbours = mean_neighbours(world, 10);
        speed[k] = speed_of(world, s);
        throng_world_destroy(world);
    }
    printf("%-22s %5.0f  %6.2f %6.2f  %6.2f  %6.2f\n", s->name, neighbours, speed[0], speed[1], speed[2],
           speed[0] / speed[2]);
    fflush(stdout);
    if (csv) {
        fprintf(csv, "%s,%.0f,%.3f,%.3f,%.3f,%.2f\n", s->name, neighbours, speed[0], speed[1], speed[2],
                speed[0] / speed[2]);
    }
}

int main(int argc, char **argv) {
    if (argc > 2 || (argc > 1 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: bench_powerlaw [FILE.csv]\n");
        return 2;
    }
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "cannot write %s\n", argv[1]);
        return 1;
    }
    if (csv) fprintf(csv, "scene,neighbours,powerlaw,powerlaw_plain,orca,powerlaw_over_orca\n");
    printf("powerlaw: million decisions a second of one core\n");
    printf("scene                  near    wide  plain    orca   ratio\n");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) run(&scenes[i], csv);
    if (csv) fclose(csv);
    return 0;
}
