/* What a frame of `pbd` costs, part by part, from hundreds of people to a million.
 *
 *     bench_pbd [--quick] [FILE.csv]
 *
 * People press through a bottleneck (480, 3,600, 100,048 and 1,000,000), or two blocks of 10,032 pass through each
 * other looking ahead. A frame is 1/24 s: two sub-steps of six iterations, and the whole step of the world. Told are,
 * after a second: the lower quartile of the frames' times with one thread and with two (others were interrupted), what
 * the world does beside the model (ways, cells, moving, leaving) and what the parts of the model take on one thread,
 * each by its mean; the bytes that the model holds for each; and the paper's time, of a GeForce GT 750M. --quick leaves
 * out the million. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct scene {
    const char *name;
    int columns, rows; /* of a bottleneck that is not built in; 0: it is */
    double door;       /* m, of such a one */
    double paper;      /* ms; 0: none */
    int timed;         /* frames */
} scene;

static const scene scenes[] = {
    {"pbd/bottleneck-480", 0, 0, 0, 11.99, 200},         {"pbd/bottleneck-3600", 0, 0, 0, 17.76, 100},
    {"pbd/dense-passing-10k", 0, 0, 0, 14.06, 60},       {"pbd/bottleneck-100k", 0, 0, 0, 43.66, 40},
    {"bottleneck of a million", 1000, 1000, 240, 0, 12},
};

enum { FRAMES_MOST = 200, SKIPPED = 24, PARTS = 8 };

static const char *const parts[PARTS] = {"take_ms",       "plan_ms",        "list_ms",   "stability_ms",
                                         "long_range_ms", "short_range_ms", "finish_ms", "cohesion_ms"};

/* --- scenes */

/* A crowd as in the paper's bottlenecks. */
static void describe(const scene *s, char *text, size_t size) {
    double spacing = 2.6, depth = s->columns * spacing + 20, half = s->rows * spacing / 2 + 6, door = s->door / 2;
    snprintf(text, size,
             "{\"throng\": 1, \"name\": \"million\", \"duration\": 100, \"planner\": \"straight\",\n"
             " \"model\": {\"name\": \"pbd\", \"params\": {\"units\": \"paper\", \"anticipation\": \"none\"}},\n"
             " \"agents\": [{\"group\": \"crowd\", \"radius\": 1, \"desired_speed\": 1.4, \"velocity\": \"desired\",\n"
             "   \"grid\": {\"origin\": [%.9g, %.9g], \"columns\": %d, \"rows\": %d, \"spacing\": [2.6, 2.6], "
             "\"jitter\": 0.15}, \"goal\": \"end\"}],\n"
             " \"walkable_area\": [[%.9g, %.9g], [0, %.9g], [0, %.9g], [32, %.9g], [32, %.9g], [0, %.9g], [0, %.9g], "
             "[%.9g, %.9g]],\n"
             " \"goals\": {\"end\": {\"polygon\": [[30, %.9g], [32, %.9g], [32, %.9g], [30, %.9g]], \"exit\": true}}}",
             -15 - spacing * (s->columns - 0.5), -half + 6 + spacing / 2, s->columns, s->rows, -depth, -half, -half,
             -door, -door, door, door, half, -depth, half, -door, -door, door, door);
}

static throng_world *make_world(const scene *s, const char *model, int threads) {
    static char text[2000];
    char choice[60];
    snprintf(choice, sizeof choice, "model=%s", model);
    const char *overrides[] = {choice};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = s->name;
    if (s->columns) {
        describe(s, text, sizeof text);
        def.text = text;
    }
    def.overrides = overrides;
    def.override_count = strcmp(model, "pbd") ? 1 : 0;
    return bench_world(&def, THRONG_SIMD_AUTO, threads);
}

/* --- what is measured */

typedef struct costs {
    size_t people;
    double frame[2];     /* ms, by threads */
    double world;        /* ms beside the model */
    double model[PARTS]; /* ms */
    double bytes;        /* of the model, for each */
} costs;

static void note_part(void *context, const char *model, const char *name, double value) {
    double *model_ms = context;
    for (int k = 0; k < PARTS; k++) {
        if (strcmp(model, "pbd") == 0 && strcmp(name, parts[k]) == 0) model_ms[k] = value;
    }
}

static void measure(const scene *s, int threads, costs *c) {
    size_t before = bench_bytes_held;
    throng_world *world = make_world(s, "pbd", threads);
    double ms[FRAMES_MOST];
    c->people = throng_world_view(world).count;
    for (int k = 0; k < SKIPPED; k++) throng_world_step(world);
    for (int k = 0; k < s->timed; k++) {
        throng_world_step(world);
        ms[k] = throng_world_stats(world).step_ms;
    }
    qsort(ms, (size_t)s->timed, sizeof *ms, bench_compare);
    c->frame[threads - 1] = ms[s->timed / 4];
    if (threads == 1) {
        throng_world_model_figures(world, note_part, c->model);
        throng_stats stats = throng_world_stats(world);
        for (int k = 0; k < THRONG_STAGE_COUNT; k++) {
            if (k != THRONG_STAGE_MODELS && k != THRONG_STAGE_CHECK)
                c->world += stats.stage_ms[k] / (double)stats.steps;
        }
        c->bytes = (double)(bench_bytes_held - before);
    }
    throng_world_destroy(world);
}

/* What the same people take without the model. */
static void take_off_world(const scene *s, costs *c) {
    size_t before = bench_bytes_held;
    throng_world *world = make_world(s, "none", 1);
    throng_world_step(world);
    c->bytes = (c->bytes - (double)(bench_bytes_held - before)) / (double)c->people;
    throng_world_destroy(world);
}

static void tell(const scene *s, const costs *c, FILE *csv) {
    printf("%-24s %8zu %8.2f %8.2f %7.2f %6.0f |%7.2f", s->name, c->people, c->frame[0], c->frame[1], s->paper,
           c->bytes, c->world);
    for (int k = 0; k < PARTS; k++) printf(" %6.2f", c->model[k]);
    printf("\n");
    fflush(stdout);
    if (!csv) return;
    fprintf(csv, "%s,%zu,%.3f,%.3f,%.2f,%.0f,%.3f", s->name, c->people, c->frame[0], c->frame[1], s->paper, c->bytes,
            c->world);
    for (int k = 0; k < PARTS; k++) fprintf(csv, ",%.3f", c->model[k]);
    fprintf(csv, "\n");
}

int main(int argc, char **argv) {
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const char *path = argc > 1 + quick ? argv[1 + quick] : NULL;
    if (argc > 2 + quick || (path && *path == '-')) {
        fprintf(stderr, "usage: bench_pbd [--quick] [FILE.csv]\n");
        return 2;
    }
    FILE *csv = path ? fopen(path, "w") : NULL;
    if (path && !csv) {
        fprintf(stderr, "cannot write %s\n", path);
        return 1;
    }
    throng_set_allocator(bench_weigh);
    if (csv) fprintf(csv, "scene,people,one_thread_ms,two_threads_ms,paper_ms,bytes,world_ms");
    for (int k = 0; csv && k < PARTS; k++) fprintf(csv, ",%s", parts[k]);
    if (csv) fprintf(csv, "\n");
    printf(
        "pbd: ms a frame of two sub-steps                               bytes |  of one thread: world, and the model's "
        "parts\n");
    printf(
        "scene                      people   1 thr.   2 thr.   paper   each |  world   take   plan   list   stab "
        "  long  short finish cohesion\n");
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        if (quick && scenes[i].columns) continue;
        costs c = {0};
        for (int threads = 1; threads <= 2; threads++) measure(&scenes[i], threads, &c);
        take_off_world(&scenes[i], &c);
        tell(&scenes[i], &c, csv);
    }
    if (csv) fclose(csv);
    return 0;
}
