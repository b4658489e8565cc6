/* Table 1 of Weiss et al. 2019 beside ours: what a frame of `pbd` costs in the scenes of the paper.
 *
 *     bench_table1_pbd [--quick] [FILE.csv]
 *
 * A frame is 1/24 s: two sub-steps of 1/48 s, six iterations each, as in the paper. Timed is the whole step: ways,
 * neighbours, the model, moving and leaving, from when the groups have met, with one thread and with two; told is the
 * lower quartile of the frames' times, since the others were interrupted. The paper's times are of a GeForce GT 750M,
 * without drawing. `times` is how many times as fast as the paper's two threads are. --quick: fewer seconds and frames,
 * and 100,048 people only before they jam. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct row {
    const char *scene, *anticipation;
    double paper;   /* ms */
    double skipped; /* s */
    int timed;      /* frames */
} row;

static const row rows[] = {
    {"sparse-passing", "full", 11.27, 30, 100},
    {"sparse-passing", "avoidance", 11.61, 30, 100},
    {"dense-passing", "full", 12.03, 30, 100},
    {"dense-passing", "avoidance", 11.34, 30, 100},
    {"dense-passing-10k", "full", 14.06, 30, 60},
    {"dense-passing-10k", "avoidance", 13.63, 30, 60},
    {"bears-and-rabbits", "avoidance", 11.86, 40, 100},
    {"ellipsoid", "avoidance", 10.06, 30, 100},
    {"circle-250", "full", 11.09, 35, 200},
    {"circle-1000", "full", 12.35, 65, 100},
    {"two-crossing", "full", 9.25, 25, 200},
    {"four-flows", "full", 8.13, 35, 100},
    {"proximal", "full", 10.12, 15, 200},
    {"proximal", "avoidance", 10.13, 15, 200},
    {"target", "full", 10.42, 30, 200},
    {"bottleneck-480", "none", 11.99, 40, 200},
    {"bottleneck-3600", "none", 17.76, 40, 100},
    {"bottleneck-100k", "none", 43.66, 1, 48},
    {"bottleneck-100k", "none", 43.66, 40, 48},
};

enum { FRAMES_MOST = 200 };

static throng_world *make_world(const row *r, int threads) {
    char name[80], mode[80];
    snprintf(name, sizeof name, "pbd/%s", r->scene);
    snprintf(mode, sizeof mode, "model.params.anticipation=%s", r->anticipation);
    const char *overrides[] = {mode};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = name;
    def.overrides = overrides;
    def.override_count = 1;
    return bench_world(&def, THRONG_SIMD_AUTO, threads);
}

/* ms since the world was made, of all that a step does. */
static double spent(const throng_world *world) {
    throng_stats stats = throng_world_stats(world);
    double sum = 0;
    for (int k = 0; k < THRONG_STAGE_COUNT; k++) sum += stats.stage_ms[k];
    return sum;
}

static double frame_ms(const row *r, int threads, bool quick, size_t *people) {
    throng_world *world = make_world(r, threads);
    if (!world) exit(1);
    *people = throng_world_view(world).count;
    int timed = quick ? r->timed / 4 : r->timed, skipped = (int)(24 * (quick ? r->skipped / 2 : r->skipped));
    for (int k = 0; k < skipped; k++) throng_world_step(world);
    double ms[FRAMES_MOST];
    for (int k = 0; k < timed; k++) {
        double before = spent(world);
        throng_world_step(world);
        ms[k] = spent(world) - before;
    }
    qsort(ms, (size_t)timed, sizeof *ms, bench_compare);
    throng_world_destroy(world);
    return ms[timed / 4];
}

static void measure(const row *r, bool quick, FILE *csv) {
    size_t people;
    double one = frame_ms(r, 1, quick, &people), two = frame_ms(r, 2, quick, &people);
    printf("%-20s %7zu  %-10s %3.0f  %7.2f %7.2f  %6.2f  %6.1f\n", r->scene, people, r->anticipation, r->skipped, one,
           two, r->paper, r->paper / two);
    fflush(stdout);
    if (csv) {
        fprintf(csv, "%s,%zu,%s,%.0f,%.3f,%.3f,%.2f,%.1f\n", r->scene, people, r->anticipation, r->skipped, one, two,
                r->paper, r->paper / two);
    }
}

int main(int argc, char **argv) {
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const char *path = argc > 1 + quick ? argv[1 + quick] : NULL;
    if (argc > 2 + quick || (path && *path == '-')) {
        fprintf(stderr, "usage: bench_table1_pbd [--quick] [FILE.csv]\n");
        return 2;
    }
    FILE *csv = path ? fopen(path, "w") : NULL;
    if (path && !csv) {
        fprintf(stderr, "cannot write %s\n", path);
        return 1;
    }
    if (csv) fprintf(csv, "scene,people,anticipation,after_s,one_thread_ms,two_threads_ms,paper_ms,times\n");
    printf("pbd: ms a frame of two sub-steps, beside table 1 of Weiss et al. 2019\n");
    printf("scene                 people  long range after   1 thr.  2 thr.  paper   times\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool again = i > 0 && strcmp(rows[i].scene, "bottleneck-100k") == 0 && rows[i].skipped > 1;
        if (!(quick && again)) measure(&rows[i], quick, csv);
    }
    if (csv) fclose(csv);
    return 0;
}
