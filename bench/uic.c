/* What a frame of `uic` costs, part by part, from thousands of people to a million.
 *
 *     bench_uic [--quick | --ten-million] [FILE.csv]
 *
 * First the scenes of table 1 (the circle, the trade show, the campsite, the mosque), the door of figure 3, and discs
 * in which everybody walks to the opposite point, at 3.2 people per m^2. Told are the lower quartile of the frames'
 * times with one thread and with two (others were interrupted), what the planner and the rest of the world take beside
 * the model (cells, moving, leaving) and what the parts of the model take on one thread, each by its mean (figure 7);
 * cells, those of them under pressure, and iterations of a solve; how many seconds pass in a second with two threads;
 * bytes that the world and the model hold for each; and the paper's time, of a Core i7-965. Then the same discs with
 * `orca` (figure 8), and what a solve takes against cells under pressure while the circle closes (figure 7b). --quick
 * leaves out the million;
 * --ten-million has a disc of so many alone, with two threads, which takes 8 GB. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct scene {
    const char *name;
    size_t people; /* of a disc; 0: the scene is built in */
    double paper;  /* ms; 0: none */
    int skipped, timed;
} scene;

static const scene scenes[] = {
    {"uic/circle-10k", 0, 34.2, 400, 200},  {"uic/trade-show-80k", 0, 806, 150, 40},
    {"uic/campsite-100k", 0, 447, 150, 40}, {"uic/mosque-25k", 0, 88.1, 300, 80},
    {"uic/door-2k", 0, 0, 400, 200},        {"disc-1k", 1000, 0, 200, 200},
    {"disc-10k", 10000, 0, 200, 100},       {"disc-100k", 100000, 0, 100, 40},
    {"disc-1m", 1000000, 3000, 40, 20},
};

/* a scenario has ten million at most */
static const scene ten_million = {"disc-10m", 9999500, 0, 4, 4};

enum { FRAMES_MOST = 200, PARTS = 7, NUMBERS = 3 };

static const char *const parts[PARTS] = {"take_ms",  "sort_ms",   "shape_ms",   "splat_ms",
                                         "solve_ms", "advect_ms", "separate_ms"};
static const char *const numbers[NUMBERS] = {"cells_mean", "active_cells_mean", "iterations_mean"};

/* --- scenes */

static void describe(const scene *s, char *text, size_t size) {
    double spacing = 0.5626, radius = spacing * sqrt((double)s->people / 3.14159265);
    snprintf(text, size,
             "{\"throng\": 1, \"name\": \"disc\", \"dt\": 0.035, \"duration\": 1000, \"planner\": \"straight\",\n"
             " \"model\": {\"name\": \"uic\", \"params\": {\"uic\": {\"cell\": 2}}},\n"
             " \"agents\": [{\"ellipse\": {\"centre\": [0, 0], \"axes\": [%.9g, %.9g], \"spacing\": %.9g}, \"jitter\": "
             "0.05,\n"
             "   \"radius\": 0.175, \"desired_speed\": 1.4, \"velocity\": \"desired\", \"goal\": \"antipode\"}]}",
             radius, radius, spacing);
}

static throng_world *make_world(const scene *s, const char *model, int threads) {
    static char text[2000];
    char choice[60];
    snprintf(choice, sizeof choice, "model=%s", model);
    const char *overrides[] = {choice};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = s->name;
    if (s->people) {
        describe(s, text, sizeof text);
        def.text = text;
    }
    def.overrides = overrides;
    def.override_count = strcmp(model, "uic") ? 1 : 0;
    return bench_world(&def, THRONG_SIMD_AUTO, threads);
}

/* --- what is measured */

typedef struct costs {
    size_t people;
    double dt;
    double cpu;         /* ms of a frame on one thread (of ten million: on both), without what others took */
    double frame[2];    /* ms, by threads */
    double route;       /* ms of the planner */
    double world;       /* ms beside the model and the planner */
    double part[PARTS]; /* ms */
    double number[NUMBERS];
    double bytes; /* of the world and the model, for each */
} costs;

static void note(void *context, const char *model, const char *name, double value) {
    costs *c = context;
    if (strcmp(model, "uic")) return;
    for (int k = 0; k < PARTS; k++) {
        if (strcmp(name, parts[k]) == 0) c->part[k] = value;
    }
    for (int k = 0; k < NUMBERS; k++) {
        if (strcmp(name, numbers[k]) == 0) c->number[k] = value;
    }
}

static void measure(const scene *s, const char *model, int threads, costs *c) {
    size_t before = bench_bytes_held;
    bool first = c->people == 0; /* what is told of one measurement only */
    throng_world *world = make_world(s, model, threads);
    double ms[FRAMES_MOST], cpu[FRAMES_MOST];
    bool orca = strcmp(model, "uic") != 0;
    int skipped = orca ? s->skipped / 10 : s->skipped, timed = orca ? s->timed / 10 + 5 : s->timed;
    c->people = throng_world_view(world).count;
    for (int k = 0; k < skipped; k++) throng_world_step(world);
    for (int k = 0; k < timed; k++) {
        double begin = bench_cpu_ms();
        throng_world_step(world);
        cpu[k] = bench_cpu_ms() - begin;
        ms[k] = throng_world_stats(world).step_ms;
    }
    qsort(ms, (size_t)timed, sizeof *ms, bench_compare);
    qsort(cpu, (size_t)timed, sizeof *cpu, bench_compare);
    c->frame[threads - 1] = ms[timed / 4];
    if (first) c->cpu = cpu[timed / 4];
    c->dt = throng_world_dt(world);
    c->bytes = (double)(bench_bytes_held - before) / (double)c->people;
    if (first) {
        throng_stats stats = throng_world_stats(world);
        throng_world_model_figures(world, note, c);
        for (int k = 0; k < THRONG_STAGE_COUNT; k++) {
            double each = stats.stage_ms[k] / (double)stats.steps;
            if (k == THRONG_STAGE_ROUTE)
                c->route = each;
            else if (k != THRONG_STAGE_MODELS && k != THRONG_STAGE_CHECK)
                c->world += each;
        }
    }
    throng_world_destroy(world);
}

static void print_scene(FILE *file, const char *name, const char *model, double paper, const costs *c) {
    fprintf(file, "%s,%s,%zu,%.3g,%g,%.2f,%.2f,%.2f,%.1f,%.2f,%.2f", name, model, c->people, c->dt, paper, c->cpu,
            c->frame[0], c->frame[1], paper / c->frame[1], c->route, c->world);
    for (int k = 0; k < PARTS; k++) fprintf(file, ",%.2f", c->part[k]);
    for (int k = 0; k < NUMBERS; k++) fprintf(file, ",%.1f", c->number[k]);
    fprintf(file, ",%.2f,%.0f\n", 1e3 * c->dt / c->frame[1], c->bytes);
    fflush(file);
}

/* --- figure 7b */

typedef struct moment {
    double solve, active; /* means since the start */
} moment;

static void note_moment(void *context, const char *model, const char *name, double value) {
    moment *m = context;
    if (strcmp(model, "uic") == 0 && strcmp(name, "solve_ms") == 0) m->solve = value;
    if (strcmp(model, "uic") == 0 && strcmp(name, "active_cells_mean") == 0) m->active = value;
}

static void print_circle(FILE *file) {
    throng_world *world = make_world(&scenes[0], "uic", 1);
    moment before = {0, 0};
    fprintf(file, "time_s,active_cells,solve_ms\n");
    for (int k = 1; k <= 10; k++) {
        moment now = {0, 0};
        for (int step = 0; step < 60; step++) throng_world_step(world);
        throng_world_model_figures(world, note_moment, &now);
        fprintf(file, "%d,%.0f,%.3f\n", 3 * k, k * now.active - (k - 1) * before.active,
                k * now.solve - (k - 1) * before.solve);
        fflush(file);
        before = now;
    }
    throng_world_destroy(world);
}

int main(int argc, char **argv) {
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    bool largest = argc > 1 && strcmp(argv[1], "--ten-million") == 0;
    int options = quick || largest ? 1 : 0;
    const char *path = argc > 1 + options ? argv[1 + options] : NULL;
    FILE *file = path ? fopen(path, "w") : stdout;
    if (!file) {
        perror(path);
        return 1;
    }
    throng_set_allocator(bench_weigh);
    fprintf(file,
            "scene,model,people,dt_s,paper_ms,one_thread_cpu_ms,one_thread_ms,two_threads_ms,times,route_ms,world_ms");
    for (int k = 0; k < PARTS; k++) fprintf(file, ",%s", parts[k]);
    for (int k = 0; k < NUMBERS; k++) fprintf(file, ",%s", numbers[k]);
    fprintf(file, ",seconds_per_second,bytes_each\n");
    if (largest) {
        costs c = {0};
        measure(&ten_million, "uic", 2, &c);
        print_scene(file, ten_million.name, "uic", 0, &c);
        return path ? fclose(file) : 0;
    }
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        const scene *s = &scenes[k];
        if (quick && s->people > 100000) continue;
        costs c = {0};
        for (int threads = 1; threads <= 2; threads++) measure(s, "uic", threads, &c);
        print_scene(file, s->name, "uic", s->paper, &c);
        if (s->people == 0 || s->people > 100000) continue;
        c = (costs){0};
        for (int threads = 1; threads <= 2; threads++) measure(s, "orca", threads, &c);
        print_scene(file, s->name, "orca", 0, &c);
    }
    fprintf(file, "\n");
    print_circle(file);
    return path ? fclose(file) : 0;
}
