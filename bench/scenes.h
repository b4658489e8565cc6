/* scenes.h: the scenes that benchmarks share, the same for everybody who draws from splitmix64 with
 * the same seed. Metres.
 *
 *     random(N, density)  a square, people no nearer than a spacing, a target anywhere in it
 *     sorted              the same people, numbered along a Z-curve of cells of 2 m
 *     circle(N)           people around a circle, each with the opposite point as its target
 *     blocks(k)           4 k^2 people in four corners, crossing among four square blocks: the example
 *                         "Blocks" of RVO2 at 0.125 m for each of its units, k / 5 times as large */

#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <throng/model.h>

typedef struct bench_person {
    throng_point at, target;
} bench_person;

typedef struct bench_scene {
    size_t count;
    bench_person *people;
    double side; /* of the square */
} bench_scene;

static inline double bench_uniform(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return (double)(throng_mix(*state) >> 11) * (1.0 / 9007199254740992.0);
}

static inline bench_scene bench_scene_of(size_t count) {
    return (bench_scene){.count = count, .people = calloc(count, sizeof(bench_person))};
}

/* Squares of at least the spacing, each with a chain of the people in it. */
typedef struct bench_squares {
    int across;
    double inverse;
    int32_t *first, *next; /* -1 ends a chain */
} bench_squares;

static inline int bench_square_of(const bench_squares *q, double coordinate) {
    int s = (int)(coordinate * q->inverse);
    return s < 0 ? 0 : s < q->across ? s : q->across - 1;
}

static inline bench_squares bench_squares_of(double side, double width, size_t people) {
    bench_squares q = {.across = (int)(side / width)};
    if (q.across < 1) q.across = 1;
    q.inverse = q.across / side;
    q.first = malloc((size_t)q.across * (size_t)q.across * sizeof *q.first);
    q.next = malloc((people ? people : 1) * sizeof *q.next);
    memset(q.first, 0xFF, (size_t)q.across * (size_t)q.across * sizeof *q.first);
    return q;
}

static inline void bench_squares_add(bench_squares *q, int32_t who, throng_point at) {
    int32_t *first = &q->first[bench_square_of(q, at.y) * q->across + bench_square_of(q, at.x)];
    q->next[who] = *first;
    *first = who;
}

static inline void bench_squares_free(bench_squares *q) {
    free(q->first);
    free(q->next);
}

static inline bool bench_is_free(const bench_squares *q, const bench_person *people, throng_point at, double spacing) {
    int column = bench_square_of(q, at.x), row = bench_square_of(q, at.y);
    for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < q->across; r++) {
        for (int c = column > 0 ? column - 1 : 0; c <= column + 1 && c < q->across; c++) {
            for (int32_t i = q->first[r * q->across + c]; i >= 0; i = q->next[i]) {
                double dx = people[i].at.x - at.x, dy = people[i].at.y - at.y;
                if (dx * dx + dy * dy < spacing * spacing) return false;
            }
        }
    }
    return true;
}

static inline bench_scene bench_random(size_t count, double density, double spacing, uint64_t seed) {
    bench_scene s = bench_scene_of(count);
    s.side = sqrt((double)count / density);
    bench_squares q = bench_squares_of(s.side, spacing, count);
    for (size_t placed = 0; placed < count;) {
        throng_point at = {.x = bench_uniform(&seed) * s.side};
        at.y = bench_uniform(&seed) * s.side;
        if (!bench_is_free(&q, s.people, at, spacing)) continue;
        s.people[placed].at = at;
        bench_squares_add(&q, (int32_t)placed++, at);
    }
    for (size_t i = 0; i < count; i++) {
        s.people[i].target.x = bench_uniform(&seed) * s.side;
        s.people[i].target.y = bench_uniform(&seed) * s.side;
    }
    bench_squares_free(&q);
    return s;
}

/* The bits of two numbers, in turn. */
static inline uint64_t bench_z_curve(uint32_t x, uint32_t y) {
    uint64_t key = 0;
    for (int b = 0; b < 32; b++) key |= (uint64_t)(x >> b & 1) << (2 * b) | (uint64_t)(y >> b & 1) << (2 * b + 1);
    return key;
}

static inline int bench_by_cell(const void *a, const void *b) {
    const bench_person *l = a, *r = b;
    uint64_t left = bench_z_curve((uint32_t)(l->at.x / 2), (uint32_t)(l->at.y / 2));
    uint64_t right = bench_z_curve((uint32_t)(r->at.x / 2), (uint32_t)(r->at.y / 2));
    return left < right ? -1 : left > right;
}

static inline void bench_sort(bench_scene *s) { qsort(s->people, s->count, sizeof *s->people, bench_by_cell); }

static inline bench_scene bench_circle(size_t count, double spacing) {
    const double turn = 6.283185307179586;
    bench_scene s = bench_scene_of(count);
    double radius = (double)count * spacing / turn;
    for (size_t i = 0; i < count; i++) {
        double angle = turn * (double)i / (double)count;
        s.people[i].at = (throng_point){radius * cos(angle), radius * sin(angle)};
        s.people[i].target = (throng_point){-s.people[i].at.x, -s.people[i].at.y};
    }
    return s;
}

static inline bench_scene bench_blocks(int k) {
    bench_scene s = bench_scene_of(4 * (size_t)k * (size_t)k);
    double scale = k / 5.0, unit = 0.125;
    size_t n = 0;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            for (int corner = 0; corner < 4; corner++, n++) {
                double east = corner % 2 ? -1 : 1, north = corner < 2 ? 1 : -1;
                s.people[n].at =
                    (throng_point){east * (55 * scale + 10 * i) * unit, north * (55 * scale + 10 * j) * unit};
                s.people[n].target = (throng_point){-east * 75 * scale * unit, -north * 75 * scale * unit};
            }
        }
    }
    return s;
}

/* Corners of block 0 .. 3. */
static inline void bench_block(int k, int block, throng_point corners[4]) {
    double low = 10 * (k / 5.0) * 0.125, high = 40 * (k / 5.0) * 0.125;
    double x0 = block % 2 ? -high : low, x1 = block % 2 ? -low : high;
    double y0 = block < 2 ? low : -high, y1 = block < 2 ? high : -low;
    throng_point square[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    memcpy(corners, square, sizeof square);
}

static inline void bench_scene_free(bench_scene *s) { free(s->people); }

/* Pairs of discs that overlap by more than 5 % of the sum of radii, and the deepest of all. */
typedef struct bench_overlap {
    size_t pairs;
    double deepest;
} bench_overlap;

static inline bench_overlap bench_measure_overlap(size_t count, const double *x, const double *y, double radius) {
    double low_x = INFINITY, low_y = INFINITY, side = 4 * radius;
    for (size_t i = 0; i < count; i++) low_x = fmin(low_x, x[i]), low_y = fmin(low_y, y[i]);
    for (size_t i = 0; i < count; i++) side = fmax(side, fmax(x[i] - low_x, y[i] - low_y));
    double width = fmax(2 * radius, side / 4000);
    bench_squares q = bench_squares_of(side, width, count);
    bench_overlap found = {0, 0};
    for (size_t i = 0; i < count; i++) {
        throng_point at = {x[i] - low_x, y[i] - low_y};
        int column = bench_square_of(&q, at.x), row = bench_square_of(&q, at.y);
        for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < q.across; r++) {
            for (int c = column > 0 ? column - 1 : 0; c <= column + 1 && c < q.across; c++) {
                for (int32_t j = q.first[r * q.across + c]; j >= 0; j = q.next[j]) {
                    double depth = 1 - hypot(x[i] - x[j], y[i] - y[j]) / (2 * radius);
                    found.deepest = fmax(found.deepest, depth);
                    found.pairs += depth > 0.05;
                }
            }
        }
        bench_squares_add(&q, (int32_t)i, at);
    }
    bench_squares_free(&q);
    return found;
}

#endif
