/* Makes places of many corners, and asks walls the way people do. Times are CPU time, best of some. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "space/place.h"
#include "space/walls.h"

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double draw(uint64_t i, double low, double high) { return low + (high - low) * throng_random(1, i, 0, 0); }

/* ---- loading */

/* A ring of 1 km: every corner between the two radii. */
static throng_point *ring_of(size_t count, double inner) {
    throng_point *points = malloc(count * sizeof *points);
    for (size_t i = 0; i < count; i++) {
        double angle = 6.283185307179586 * (double)i / (double)count, radius = draw(i, inner, 1000);
        points[i] = (throng_point){radius * cos(angle), radius * sin(angle)};
    }
    return points;
}

static void load(const char *name, throng_point *points, size_t count) {
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){points, count};
    throng_error error = {.text = ""};
    double begin = seconds();
    throng_place *place = throng_place_create(&def, &error);
    double made = seconds();
    printf("%-44s %6.2f s", name, made - begin);
    if (place) {
        throng_walls *walls = throng_walls_create(place);
        printf(", walls %.2f s", seconds() - made);
        throng_walls_destroy(walls);
        throng_place_destroy(place);
    }
    printf("  %s\n", error.text);
}

static void load_many_corners(void) {
    size_t count = 1000000;
    const struct {
        const char *name;
        double inner;
    } kinds[] = {{"ring of 10^6 corners, smooth", 1000}, {"ring of 10^6 corners, rays of 500 m", 500}};
    for (int k = 0; k < 2; k++) {
        throng_point *points = ring_of(count, kinds[k].inner);
        load(kinds[k].name, points, count);
        throng_point moved = points[count / 3];
        points[count / 3] = points[count / 3 + 7];
        points[count / 3 + 7] = moved;
        load("  two corners exchanged", points, count);
        free(points);
    }
    /* What has to be repaired: points drawn twice, and a ring that touches itself. */
    throng_point *points = ring_of(count, 900);
    for (size_t i = 1; i < count; i += 10) points[i] = points[i - 1];
    load("ring of 10^6 corners, a tenth drawn twice", points, count);
    free(points);
    /* A comb of which one notch reaches down to the opposite side. */
    points = malloc((count + 3) * sizeof *points);
    memcpy(points, (throng_point[]){{0, 0}, {5000, 0}, {5000, 5}}, 3 * sizeof *points);
    for (size_t i = 0; i < count; i++) {
        points[3 + i] = (throng_point){5000.0 * (double)(count - 1 - i) / (double)count, i % 2            ? 5
                                                                                         : i != count / 2 ? 1
                                                                                                          : 0};
    }
    load("comb of 10^6 corners that touches itself", points, count + 3);
    free(points);
}

/* ---- asking */

/* A hall with a block in every 4 m. */
static throng_place *hall(int across) {
    size_t count = (size_t)(across * across);
    throng_obstacle *blocks = calloc(count, sizeof *blocks);
    throng_point(*corners)[4] = calloc(count, sizeof *corners);
    for (int i = 0; i < across; i++) {
        for (int j = 0; j < across; j++) {
            size_t b = (size_t)(i * across + j);
            double x = 4.0 * i + draw(2 * b, 0, 1.5), y = 4.0 * j + draw(2 * b + 1, 0, 1.5);
            memcpy(corners[b], (throng_point[]){{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}, sizeof corners[b]);
            blocks[b] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {corners[b], 4}};
        }
    }
    double side = 4.0 * across;
    throng_point border[] = {{-2, -2}, {side, -2}, {side, side}, {-2, side}};
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){border, 4};
    def.obstacles = blocks;
    def.obstacle_count = count;
    throng_place *place = throng_place_create(&def, NULL);
    free(corners);
    free(blocks);
    return place;
}

typedef double (*question)(const throng_walls *walls, double x, double y, double reach);

static double ask_within(const throng_walls *walls, double x, double y, double reach) {
    throng_wall_near near[16];
    return (double)throng_walls_within(walls, x, y, reach, near, 16);
}

static double ask_block(const throng_walls *walls, double x, double y, double reach) {
    return throng_walls_block(walls, (throng_point){x, y}, (throng_point){x + reach, y + reach / 2}, 0.2);
}

static void time_question(const char *name, const throng_walls *walls, question ask, double reach, double side) {
    enum { people = 100000, rounds = 5 };
    double best = INFINITY, sum = 0;
    for (int round = 0; round < rounds; round++) {
        double begin = seconds();
        /* People in the order of their cells, as a world keeps them. */
        for (int i = 0; i < people; i++) {
            double x = side * (i % 316 + 0.37) / 316, y = side * ((double)i + 0.5) / people;
            sum += ask(walls, x, y, reach);
        }
        best = fmin(best, seconds() - begin);
    }
    printf("%-30s reach %5.2f m  %6.1f ns  (mean answer %.2f)\n", name, reach, best / people * 1e9,
           sum / people / rounds);
}

int main(void) {
    load_many_corners();
    throng_place *places[] = {hall(1), hall(25)};
    const char *names[] = {"room of 6 m", "hall of 100 m, 625 blocks"};
    for (int p = 0; p < 2; p++) {
        printf("%s\n", names[p]);
        throng_walls *walls = throng_walls_create(places[p]);
        double side = p ? 100 : 4;
        time_question("  throng_walls_depth", walls, throng_walls_depth, 0.25, side);
        time_question("  throng_walls_depth", walls, throng_walls_depth, 1e6, side);
        time_question("  throng_walls_within", walls, ask_within, 0.7, side);
        time_question("  throng_walls_within", walls, ask_within, 4, side);
        time_question("  throng_walls_block", walls, ask_block, 4, side);
        throng_walls_destroy(walls);
        throng_place_destroy(places[p]);
    }
    return 0;
}
