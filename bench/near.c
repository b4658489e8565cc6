/* What the cell grid costs, and everybody's list of those within a reach that holds about ten.
 *
 *     bench_near [people]
 *
 * random(N, 1). By the clock, median and best over the rounds; two threads mean something only on a
 * machine that does nothing else. */

#include <stdio.h>
#include <time.h>

#include "base/crew.h"
#include "figures.h"
#include "scenes.h"
#include "space/near.h"
#include "space/near_list.h"

enum { ROUNDS = 100 };

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void print(const char *what, double *ms) {
    qsort(ms, ROUNDS, sizeof *ms, bench_compare);
    printf("  %s %.2f ms (best %.2f)", what, ms[ROUNDS / 2], ms[0]);
}

static void measure(const throng_near_input *input, int threads, bool simd) {
    double grid_ms[ROUNDS], list_ms[ROUNDS], both_ms[ROUNDS], all = 0;
    throng_crew *crew = throng_crew_create(threads);
    throng_near_grid *grid = throng_near_create();
    throng_near_lists *lists = throng_near_lists_create();
    throng_near_reserve(grid, input->people.count);
    for (int k = 0; k < ROUNDS; k++) {
        double begin = now_ms();
        const throng_near *near = throng_near_build(grid, crew, input);
        double sorted = now_ms();
        throng_near_lists_build(lists, near, crew, 1.8, simd);
        both_ms[k] = now_ms() - begin;
        grid_ms[k] = sorted - begin;
        list_ms[k] = both_ms[k] - grid_ms[k];
    }
    for (size_t s = 0; s < lists->count; s++) all += lists->length[s];
    printf("%8zu people  %d thread%s  %s", input->people.count, threads, threads > 1 ? "s" : " ",
           simd ? "wide " : "plain");
    print("grid", grid_ms);
    print("lists", list_ms);
    print("both", both_ms);
    printf("  %.1f in a list\n", all / (double)input->people.count);
    throng_near_lists_destroy(lists);
    throng_near_destroy(grid);
    throng_crew_destroy(crew);
}

int main(int argc, char **argv) {
    size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 100000;
    bench_scene scene = bench_random(count, 1, 0.5, 1);
    double *column[4]; /* x, y, velocity, radius */
    for (int c = 0; c < 4; c++) column[c] = calloc(count, sizeof(double));
    for (size_t i = 0; i < count; i++) {
        column[0][i] = scene.people[i].at.x;
        column[1][i] = scene.people[i].at.y;
        column[3][i] = 0.25;
    }
    throng_near_input input = {
        .people = {
            .count = count, .x = column[0], .y = column[1], .vx = column[2], .vy = column[2], .radius = column[3]}};
    measure(&input, 1, false);
    measure(&input, 1, true);
    measure(&input, 2, true);
    for (int c = 0; c < 4; c++) free(column[c]);
    bench_scene_free(&scene);
    return 0;
}
