/* What a frame with people and rigid bodies costs, beside the times of Kim et al. 2013.
 *
 *     bench_bodies [FILE.csv]
 *
 * A frame is one step of 0.05 s of the whole world: one of `orca-forces`, and one of the engine with 20 iterations, or
 * several while something is fast. `fps` is of one thread: frames in a second of the processor's time, the mean of some
 * frames, best of some runs; beside it the paper's (one core of an i7 at 3.4 GHz) and, by the clock, two threads'.
 * Parts are means by the clock, in microseconds of a frame: the model, the engine, what we do for bodies beside it, and
 * the rest of the world. `awake` is how many bodies were, in the mean. */

#include <stdio.h>
#include <throng/throng.h>

#include "figures.h"
#include "worlds.h"

typedef struct scene {
    const char *name;
    double paper;       /* fps */
    int skipped, timed; /* frames */
} scene;

/* The wall is timed while the crowd presses against it, breaks it and carries it away. */
static const scene scenes[] = {{"forces/rolling-balls", 1205.9, 100, 400},
                               {"forces/wall-breaking", 50.1, 40, 260},
                               {"forces/office", 69.0, 40, 260}};

enum { RUNS = 3 };

typedef struct costs {
    size_t people, objects;
    double ms, two_ms; /* of a frame: one thread's processor time; by the clock with two */
    double awake, model_us, engine_us, bodies_us, world_us;
} costs;

static size_t count_awake(const throng_world *world) {
    throng_objects all = throng_world_objects(world);
    size_t awake = 0;
    for (size_t i = 0; i < all.count; i++) awake += all.objects[i].awake;
    return awake;
}

static double sum_of(const throng_stats *after, const throng_stats *before, throng_stage stage) {
    return after->stage_ms[stage] - before->stage_ms[stage];
}

static void split(costs *c, const throng_stats *after, const throng_stats *before, int frames) {
    double all = 0, scale = 1e3 / frames;
    for (int stage = 0; stage < THRONG_STAGE_CHECK; stage++) all += sum_of(after, before, (throng_stage)stage);
    double engine = after->engine_ms - before->engine_ms, bodies = sum_of(after, before, THRONG_STAGE_BODIES);
    double model = sum_of(after, before, THRONG_STAGE_MODELS);
    c->model_us = scale * model;
    c->engine_us = scale * engine;
    c->bodies_us = scale * (bodies - engine);
    c->world_us = scale * (all - bodies - model);
}

static void run(const scene *s, int threads, costs *c) {
    throng_scenario_def def = throng_default_scenario_def();
    def.path = s->name;
    throng_world *world = bench_world(&def, THRONG_SIMD_AUTO, threads);
    c->people = throng_world_view(world).count;
    c->objects = throng_world_objects(world).count;
    for (int k = 0; k < s->skipped; k++) throng_world_step(world);
    throng_stats before = throng_world_stats(world);
    double awake = 0, cpu = 0, wall = 0;
    for (int k = 0; k < s->timed; k++) {
        double begin = bench_cpu_ms();
        throng_world_step(world);
        cpu += bench_cpu_ms() - begin;
        wall += throng_world_stats(world).step_ms;
        awake += (double)count_awake(world);
    }
    throng_stats after = throng_world_stats(world);
    throng_world_destroy(world);
    if (threads == 2) {
        if (wall / s->timed < c->two_ms) c->two_ms = wall / s->timed;
    } else if (cpu / s->timed < c->ms) {
        c->ms = cpu / s->timed;
        c->awake = awake / s->timed;
        split(c, &after, &before, s->timed);
    }
}

int main(int count, char **words) {
    FILE *file = count > 1 ? fopen(words[1], "w") : NULL;
    if (file)
        fputs("scene,people,objects,awake,fps,paper_fps,times,two_threads_fps,model_us,engine_us,bodies_us,world_us\n",
              file);
    printf("%-22s %6s %7s %6s %7s %7s %6s %7s | %7s %7s %7s %7s us\n", "scene", "people", "objects", "awake", "fps",
           "paper", "times", "two", "model", "engine", "bodies", "world");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes && throng_has_objects(); k++) {
        const scene *s = &scenes[k];
        costs c = {.ms = 1e9, .two_ms = 1e9};
        for (int i = 0; i < RUNS; i++) {
            run(s, 1, &c);
            run(s, 2, &c);
        }
        double fps = 1e3 / c.ms;
        printf("%-22s %6zu %7zu %6.0f %7.0f %7.1f %6.2f %7.0f | %7.0f %7.0f %7.0f %7.0f\n", s->name, c.people,
               c.objects, c.awake, fps, s->paper, fps / s->paper, 1e3 / c.two_ms, c.model_us, c.engine_us, c.bodies_us,
               c.world_us);
        if (file)
            fprintf(file, "%s,%zu,%zu,%.0f,%.0f,%.1f,%.2f,%.0f,%.0f,%.0f,%.0f,%.0f\n", s->name, c.people, c.objects,
                    c.awake, fps, s->paper, fps / s->paper, 1e3 / c.two_ms, c.model_us, c.engine_us, c.bodies_us,
                    c.world_us);
    }
    if (file) fclose(file);
    return 0;
}
