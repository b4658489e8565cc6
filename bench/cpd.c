/* What a frame of `cpd` costs: the paper's table 1 beside ours, and time against people.
 *
 *     bench_cpd [--quick | --large] [FILE.csv]
 *
 * First the scenes of table 1: crowds that walk both ways on a map of 600 x 900 pixels. Told are the paper's frames per
 * second, of its best column (instanced rendering on a GPU; its 3 for 250 people is a misprint and left out); ours with
 * one thread and with two, of the lower quartile of the frames' times (others were interrupted), and how many times the
 * paper's the latter are; the processor time of a frame with one thread; what the world does beside the model (ways,
 * cells, moving, leaving) and what the parts of the model take on one thread, each by its mean; how many pixels are
 * drawn; bytes that the world and the model hold for each; and frames per second by the fastest frame of two threads.
 * Then the same for crowds of 1.8 people per m^2, up to a million, or ten million with --large. --quick leaves out what
 * is larger than 20,000. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct scene {
    const char *name; /* NULL: streams, drawn here */
    size_t people;
    double paper; /* frames per second; 0: none */
    int skipped, timed;
} scene;

static const scene scenes[] = {
    {"cpd/table1-100", 100, 450, 100, 200},
    {"cpd/table1-250", 250, 0, 100, 200},
    {"cpd/table1-500", 500, 266, 100, 200},
    {"cpd/table1-1000", 1000, 134, 100, 200},
    {"cpd/table1-1500", 1500, 121, 100, 200},
    {"cpd/table1-2000", 2000, 89, 100, 200},
    {"cpd/table1-5000", 5000, 47, 50, 100},
    {"cpd/table1-10000", 10000, 25, 50, 100},
    {"cpd/table1-15000", 15000, 20, 30, 60},
    {"cpd/table1-20000", 20000, 14, 30, 60},
    {NULL, 100000, 0, 10, 20},
    {NULL, 1000000, 0, 3, 8},
    {NULL, 10000000, 0, 1, 3},
};

enum { FRAMES_MOST = 200, PARTS = 6 };

static const char *const parts[PARTS] = {"take_ms", "sort_ms", "obstacles_ms", "map_ms", "force_ms", "core_ms"};

/* --- scenes */

/* Rows of people who walk north and south in turn on a square. */
static void describe(size_t people, char *text, size_t size) {
    double spacing = 0.745;
    long rows = lround(sqrt((double)people));
    int used =
        snprintf(text, size,
                 "{\"throng\": 1, \"name\": \"streams\", \"dt\": 0.1, \"duration\": 1000, \"planner\": \"straight\", "
                 "\"model\": \"cpd\",\n \"walkable_area\": [[0, 0], [%.9g, 0], [%.9g, %.9g], [0, %.9g]], "
                 "\"periodic\": {\"y\": [0, %.9g]},\n \"agents\": [",
                 (double)(rows + 1) * spacing, (double)(rows + 1) * spacing, (double)rows * spacing,
                 (double)rows * spacing, (double)rows * spacing);
    for (int k = 0; k < 2; k++)
        used += snprintf(
            text + used, size - (size_t)used,
            "%s\n  {\"grid\": {\"origin\": [%.9g, 0.1], \"columns\": %ld, \"rows\": %ld, \"spacing\": [%.9g, %.9g], "
            "\"jitter\": 0.1}, \"radius\": 0.2, \"desired_speed\": {\"normal\": [1.4, 0.24], \"min\": 0.7, "
            "\"max\": 2.1}, \"velocity\": \"desired\", \"goal\": {\"direction\": [0, %d]}}",
            k ? "," : "", (1 + k) * spacing, rows / 2, rows, 2 * spacing, spacing, k ? -1 : 1);
    snprintf(text + used, size - (size_t)used, "]}");
}

static throng_world *make_world(const scene *s, int threads) {
    static char text[2000];
    throng_scenario_def def = throng_default_scenario_def();
    def.path = s->name ? s->name : "streams";
    if (!s->name) {
        describe(s->people, text, sizeof text);
        def.text = text;
    }
    return bench_world(&def, THRONG_SIMD_AUTO, threads);
}

/* --- what is measured */

typedef struct costs {
    size_t people;
    double cpu;         /* ms of a frame on one thread, without what others took */
    double frame[2];    /* ms, by threads */
    double best;        /* ms, the fastest frame with two threads */
    double world;       /* ms beside the model */
    double part[PARTS]; /* ms */
    double pixels, bytes;
} costs;

static void note(void *context, const char *model, const char *name, double value) {
    costs *c = context;
    if (strcmp(model, "cpd")) return;
    for (int k = 0; k < PARTS; k++) {
        if (strcmp(name, parts[k]) == 0) c->part[k] = value;
    }
    if (strcmp(name, "pixels_drawn_mean") == 0) c->pixels = value;
}

static void measure(const scene *s, int threads, costs *c) {
    size_t before = bench_bytes_held;
    throng_world *world = make_world(s, threads);
    double ms[FRAMES_MOST], cpu[FRAMES_MOST];
    c->people = throng_world_view(world).count;
    for (int k = 0; k < s->skipped; k++) throng_world_step(world);
    for (int k = 0; k < s->timed; k++) {
        double begin = bench_cpu_ms();
        throng_world_step(world);
        cpu[k] = bench_cpu_ms() - begin;
        ms[k] = throng_world_stats(world).step_ms;
    }
    qsort(ms, (size_t)s->timed, sizeof *ms, bench_compare);
    qsort(cpu, (size_t)s->timed, sizeof *cpu, bench_compare);
    c->frame[threads - 1] = ms[s->timed / 4];
    c->best = ms[0];
    c->bytes = (double)(bench_bytes_held - before) / (double)c->people;
    if (threads == 1) {
        throng_stats stats = throng_world_stats(world);
        c->cpu = cpu[s->timed / 4];
        throng_world_model_figures(world, note, c);
        for (int k = 0; k < THRONG_STAGE_COUNT; k++) {
            if (k != THRONG_STAGE_MODELS && k != THRONG_STAGE_CHECK)
                c->world += stats.stage_ms[k] / (double)stats.steps;
        }
    }
    throng_world_destroy(world);
}

static void print_scene(FILE *file, const scene *s, const costs *c) {
    fprintf(file, "%s,%zu,%g,%.4g,%.4g,%.3g,%.3f,%.3f,%.3f,%.3f", s->name ? s->name : "streams", c->people, s->paper,
            1e3 / c->frame[0], 1e3 / c->frame[1], s->paper > 0 ? 1e3 / c->frame[1] / s->paper : 0, c->cpu, c->frame[0],
            c->frame[1], c->world);
    for (int k = 0; k < PARTS; k++) fprintf(file, ",%.3f", c->part[k]);
    fprintf(file, ",%.0f,%.0f,%.4g\n", c->pixels, c->bytes, 1e3 / c->best);
    fflush(file);
}

int main(int argc, char **argv) {
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0, large = argc > 1 && strcmp(argv[1], "--large") == 0;
    const char *path = argc > 1 + (quick || large) ? argv[1 + (quick || large)] : NULL;
    FILE *file = path ? fopen(path, "w") : stdout;
    if (!file) {
        perror(path);
        return 1;
    }
    throng_set_allocator(bench_weigh);
    fprintf(file,
            "scene,people,paper_fps,one_thread_fps,two_threads_fps,times_the_paper,one_thread_cpu_ms,one_thread_ms,"
            "two_threads_ms,world_ms");
    for (int k = 0; k < PARTS; k++) fprintf(file, ",%s", parts[k]);
    fprintf(file, ",pixels_drawn,bytes_each,best_fps\n");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        const scene *s = &scenes[k];
        if ((quick && s->people > 20000) || (!large && s->people > 1000000)) continue;
        costs c = {0};
        for (int threads = 1; threads <= 2; threads++) measure(s, threads, &c);
        print_scene(file, s, &c);
    }
    return path ? fclose(file) : 0;
}
