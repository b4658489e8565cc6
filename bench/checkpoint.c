/* What a checkpoint costs: saving a world in memory, writing it, reading it, bringing it back.
 *
 *     bench_checkpoint [scenario] [directory]
 *
 * The scenario is orca/random-100k unless told. Best of some times, in ms of the processor's time and of the
 * clock; the difference is waiting for the disk. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <throng/throng.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 7 };

typedef struct moment {
    double cpu_ms, clock_ms;
} moment;

static double ms_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static moment now(void) { return (moment){ms_of(CLOCK_PROCESS_CPUTIME_ID), ms_of(CLOCK_MONOTONIC)}; }

/* Keeps the least time since `begun`. */
static void keep(moment *best, moment begun) {
    moment end = now();
    double cpu = end.cpu_ms - begun.cpu_ms, clock = end.clock_ms - begun.clock_ms;
    if (best->clock_ms == 0 || clock < best->clock_ms) best->clock_ms = clock;
    if (best->cpu_ms == 0 || cpu < best->cpu_ms) best->cpu_ms = cpu;
}

static void fail(const char *what) {
    fprintf(stderr, "bench_checkpoint: %s\n", what);
    exit(1);
}

int main(int argc, char **argv) {
    throng_report *report = throng_report_create();
    throng_error error = {0};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = argc > 1 ? argv[1] : "orca/random-100k";
    throng_run_def run = throng_default_run_def();
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    if (!world) fail("the scenario is refused");
    for (int i = 0; i < 5; i++) throng_world_step(world);

    char path[1000];
    snprintf(path, sizeof path, "%s/bench-checkpoint-%ld", argc > 2 ? argv[2] : ".", (long)getpid());
    moment save = {0}, write = {0}, read = {0}, load = {0};
    for (int i = 0; i < TIMES; i++) {
        moment begun = now();
        throng_checkpoint *saved = throng_world_save(world, scenario);
        keep(&save, begun);
        begun = now();
        if (!throng_checkpoint_write(saved, path, &error)) fail(error.text);
        keep(&write, begun);
        throng_checkpoint_destroy(saved);
        begun = now();
        saved = throng_checkpoint_read(path, &error);
        if (!saved) fail(error.text);
        keep(&read, begun);
        begun = now();
        if (!throng_world_load(world, saved, &error)) fail(error.text);
        keep(&load, begun);
        throng_checkpoint_destroy(saved);
    }
    struct stat file = {0};
    stat(path, &file);
    unlink(path);
    printf("%s: %zu people, %.1f MB\n", def.path, throng_world_view(world).count, (double)file.st_size / 1e6);
    const moment *moments[] = {&save, &write, &read, &load};
    static const char *const names[] = {"save in memory", "write", "read", "bring back"};
    for (int i = 0; i < 4; i++)
        printf("  %-15s %7.1f ms of the processor, %7.1f ms\n", names[i], moments[i]->cpu_ms, moments[i]->clock_ms);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}
