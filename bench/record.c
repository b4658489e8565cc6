/* record.c: how fast frames reach a file, and how long the simulation waits for it.
 *
 *     bench_record [agents] [frames] [directory]
 *
 * First as fast as the file takes them: rows a second, and how many frames of so many agents a
 * second can be kept up. Then at 10 frames a second, as a run in real time gives them: the wait that
 * the simulation sees. Then reading: the time to open, and to read frames here and there. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/record.h"

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const throng_record_geometry plain = {.before = "POLYGON ((0 0, 400 0, 400 400, 0 400, 0 0))",
                                             .after = "",
                                             .bounds = {{0, 0}, {400, 400}},
                                             .has_bounds = true};

/* Between -1 and 1, more often near 0; another for every person and frame. */
static double unrest(uint64_t person, uint64_t frame) {
    uint64_t mix = (person * 0x9E3779B97F4A7C15u) ^ (frame * 0xD1B54A32D192ED03u);
    mix = (mix ^ (mix >> 31)) * 0xBF58476D1CE4E5B9u;
    return ((double)(mix >> 48) + (double)(mix >> 32 & 0xFFFF)) / 65536 - 1;
}

/* People on a square grid who walk a little every frame, each in a direction of its own, with the
 * centimetre of unrest that people have. */
static void fill(throng_record_frame *frame) {
    for (size_t i = 0; i < frame->count; i++) {
        double angle = (double)(i % 628) * 0.01, way = 0.134 * (double)frame->number;
        double east = 1 - angle * angle / 20, north = angle / 6.28;
        frame->id[i] = i + 1;
        frame->x[i] = 10 + (double)(i % 316) * 1.1 + east * way + 0.01 * unrest(i, frame->number);
        frame->y[i] = 10 + (double)(i / 316) * 1.1 + north * way + 0.01 * unrest(~i, frame->number);
        if (frame->ori_x) {
            frame->ori_x[i] = east;
            frame->ori_y[i] = north;
        }
    }
    frame->reach = frame->extent = (throng_box){{0, 0}, {400, 400}};
    for (size_t i = 0; i < frame->newcomer_count; i++)
        frame->newcomers[i] = (throng_recording_agent){i + 1, 0.2, 1.34, 80, "crowd", "none", ""};
}

typedef struct outcome {
    double wall_s, cpu_s, wait_ms, longest_ms; /* longest: one frame handed over */
    double size_mb;
} outcome;

/* Writes the frames; with a pace (frames a second) as a run would, without one as fast as can be. */
static outcome record(const char *path, size_t agents, int frames, double pace) {
    throng_error error = {0};
    throng_record_head head = {
        .path = path, .fps = 10, .description = "bench", .dt = 0.1, .seed = 1, .geometry = &plain};
    throng_writer *writer = throng_writer_create(&head, NULL, (size_t)256 << 20, &error);
    outcome out = {0};
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int f = 0; writer && f < frames; f++) {
        double before = seconds(CLOCK_MONOTONIC);
        throng_record_frame *frame = throng_writer_take(writer, agents, f ? 0 : agents);
        fill(frame);
        if (!throng_writer_put(writer, frame, &error)) break;
        double took = (seconds(CLOCK_MONOTONIC) - before) * 1e3;
        if (took > out.longest_ms) out.longest_ms = took;
        double left = pace > 0 ? wall + (f + 1) / pace - seconds(CLOCK_MONOTONIC) : 0;
        if (left > 0) nanosleep(&(struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)}, NULL);
    }
    if (writer) out.wait_ms = throng_writer_wait_ms(writer);
    if (!writer || !throng_writer_close(writer, false, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    out.wall_s = seconds(CLOCK_MONOTONIC) - wall;
    out.cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    struct stat file;
    if (stat(path, &file) == 0) out.size_mb = (double)file.st_size * 1e-6;
    return out;
}

static void read_back(const char *path, int frames) {
    throng_error error = {0};
    double start = seconds(CLOCK_MONOTONIC);
    throng_recording *recording = throng_recording_open(path, &error);
    if (!recording) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    double opened = seconds(CLOCK_MONOTONIC);
    enum { reads = 20 };
    throng_frame frame;
    for (int k = 0; k < reads; k++) throng_recording_frame(recording, (size_t)(k * 37 % frames), &frame, &error);
    printf("  open %.3f s, one frame %.1f ms\n", opened - start, (seconds(CLOCK_MONOTONIC) - opened) * 1e3 / reads);
    throng_recording_close(recording);
}

int main(int count, char **arguments) {
    size_t agents = count > 1 ? (size_t)atol(arguments[1]) : 100000;
    int frames = count > 2 ? atoi(arguments[2]) : 100;
    const char *directory = count > 3 ? arguments[3] : "/tmp";
    double rows = (double)agents * frames;
    printf("record: %zu agents, %d frames\n", agents, frames);
    static const char *const endings[] = {"sqlite", "txt", "h5", "throng"};
    for (int k = 0; k < 4; k++) {
        char path[400];
        snprintf(path, sizeof path, "%s/throng-bench-%ld.%s", directory, (long)getpid(), endings[k]);
        outcome fast = record(path, agents, frames, 0);
        printf(".%s  %.2f million rows/s, sustains %.1f frames/s, %.2f us/row cpu, %.0f MB\n", endings[k],
               rows / fast.wall_s * 1e-6, frames / fast.wall_s, fast.cpu_s / rows * 1e6, fast.size_mb);
        read_back(path, frames);
        outcome paced = record(path, agents, frames, 10);
        printf("  at 10 frames/s: waited %.1f ms in all, longest frame() %.1f ms, done after %.2f s of %.1f s\n",
               paced.wait_ms, paced.longest_ms, paced.wall_s, frames / 10.0);
        unlink(path);
    }
    return 0;
}
