/* What a frame of `orca-forces` costs, beside the times of Kim et al. 2013.
 *
 *     bench_forces [FILE.csv]
 *
 * A frame is one sub-step of 0.05 s of the whole world. `fps` is of one thread: frames in a second of the processor's
 * time, the lower quartile of some frames, best of some runs; beside it those of the paper (one core of an i7 at 3.4
 * GHz) and of the same scene without forces. Parts are means of the frames that are timed, by the clock, in
 * microseconds of a frame: what the world does beside the model, lists of who is near, forces that act, velocities,
 * forces that are passed on, pushing apart.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct scene {
    const char *name;
    double paper;       /* fps; 0: none */
    int skipped, timed; /* frames */
} scene;

/* The crossing is timed while somebody is within the flow, the bottlenecks when both are jammed. */
static const scene scenes[] = {{"forces/dense-crossing-1601", 229.6, 100, 160},
                               {"forces/two-bottlenecks-1000", 829.7, 400, 200},
                               {"forces/dense-crossing-841", 0, 100, 100},
                               {"forces/two-bottlenecks-300", 0, 200, 100}};

enum { PARTS = 5, FRAMES_MOST = 200, RUNS = 8 };

static const char *const parts[PARTS] = {"lists_ms", "contact_ms", "velocity_ms", "pass_on_ms", "apart_ms"};

typedef struct costs {
    size_t people;
    double ms[2], two_ms; /* of a frame: with forces and without, one thread's; by the clock with two */
    double world_us, part_us[PARTS];
} costs;

/* What a world has taken so far. */
typedef struct taken {
    double frames, world_ms, part_ms[PARTS];
} taken;

/* Parts come as means of all frames. */
static void note(void *context, const char *model, const char *name, double value) {
    taken *t = context;
    if (strcmp(model, "orca-forces")) return;
    for (int k = 0; k < PARTS; k++) {
        if (strcmp(name, parts[k]) == 0) t->part_ms[k] = value * t->frames;
    }
}

static taken look_at_clock(const throng_world *world) {
    throng_stats stats = throng_world_stats(world);
    taken t = {.frames = (double)stats.steps};
    for (int stage = 0; stage < THRONG_STAGE_CHECK; stage++) {
        if (stage != THRONG_STAGE_MODELS) t.world_ms += stats.stage_ms[stage];
    }
    throng_world_model_figures(world, note, &t);
    return t;
}

static throng_world *make_world(const scene *s, bool forces, int threads) {
    static const char *const off[] = {"model.params.orca-forces.forces=false", "model.params.orca-forces.push_out=0"};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = s->name;
    def.overrides = off;
    def.override_count = forces ? 0 : 2;
    return bench_world(&def, THRONG_SIMD_AUTO, threads);
}

/* The lower quartile of the frames' times. */
static double time_frames(const scene *s, bool forces, int threads, costs *c) {
    throng_world *world = make_world(s, forces, threads);
    double ms[FRAMES_MOST];
    c->people = throng_world_view(world).count;
    for (int k = 0; k < s->skipped; k++) throng_world_step(world);
    taken before = look_at_clock(world);
    for (int k = 0; k < s->timed; k++) {
        double begin = bench_cpu_ms();
        throng_world_step(world);
        ms[k] = threads == 1 ? bench_cpu_ms() - begin : throng_world_stats(world).step_ms;
    }
    taken after = look_at_clock(world);
    for (int k = 0; threads == 1 && forces && k < PARTS; k++) {
        c->part_us[k] = 1e3 * (after.part_ms[k] - before.part_ms[k]) / s->timed;
        c->world_us = 1e3 * (after.world_ms - before.world_ms) / s->timed;
    }
    throng_world_destroy(world);
    qsort(ms, (size_t)s->timed, sizeof *ms, bench_compare);
    return ms[s->timed / 4];
}

static costs measure(const scene *s) {
    costs c = {.ms = {1e9, 1e9}, .two_ms = 1e9};
    for (int run = 0; run < RUNS; run++) {
        for (int off = 0; off < 2; off++) {
            double ms = time_frames(s, !off, 1, &c);
            c.ms[off] = ms < c.ms[off] ? ms : c.ms[off];
        }
        double two = time_frames(s, true, 2, &c);
        c.two_ms = two < c.two_ms ? two : c.two_ms;
    }
    return c;
}

int main(int count, char **words) {
    FILE *file = count > 1 ? fopen(words[1], "w") : NULL;
    const char head[] =
        "scene,people,fps,paper_fps,times,two_threads_fps,without_forces_fps,world_us,lists_us,contact_us,"
        "velocity_us,pass_on_us,apart_us\n";
    if (file) fputs(head, file);
    printf("%-28s %6s %7s %7s %6s %7s %7s | %6s %6s %8s %9s %8s %6s us\n", "scene", "people", "fps", "paper", "times",
           "two", "without", "world", "lists", "contact", "velocity", "pass on", "apart");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        const scene *s = &scenes[k];
        costs c = measure(s);
        double fps = 1e3 / c.ms[0], times = s->paper > 0 ? fps / s->paper : 0;
        printf("%-28s %6zu %7.0f %7.0f %6.1f %7.0f %7.0f | %6.0f %6.0f %8.0f %9.0f %8.0f %6.0f\n", s->name, c.people,
               fps, s->paper, times, 1e3 / c.two_ms, 1e3 / c.ms[1], c.world_us, c.part_us[0], c.part_us[1],
               c.part_us[2], c.part_us[3], c.part_us[4]);
        if (!file) continue;
        fprintf(file, "%s,%zu,%.0f,%.1f,%.2f,%.0f,%.0f,%.0f", s->name, c.people, fps, s->paper, times, 1e3 / c.two_ms,
                1e3 / c.ms[1], c.world_us);
        for (int p = 0; p < PARTS; p++) fprintf(file, ",%.0f", c.part_us[p]);
        fputc('\n', file);
    }
    if (file) fclose(file);
    return 0;
}
