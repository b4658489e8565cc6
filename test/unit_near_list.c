/* Lists of those within a reach, against looking at everybody; both ways to compute them. */

#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/wide.h"
#include "space/near.h"
#include "space/near_list.h"
#include "testing.h"

typedef struct crowd {
    size_t count;
    double *x, *y, *zero, *radius;
    throng_near_grid *grid;
    throng_crew *crew;
    const throng_near *near;
} crowd;

static double uniform(uint64_t *state) {
    return (double)(throng_mix(*state += 0x9E3779B97F4A7C15u) >> 11) * (1.0 / 9007199254740992.0);
}

/* People all over a square, a third of them in a corner of it, some at the same place. */
static crowd make_crowd(size_t count, double side, uint64_t seed, int threads) {
    crowd c = {.count = count};
    c.x = calloc(count + 1, sizeof(double));
    c.y = calloc(count + 1, sizeof(double));
    c.zero = calloc(count + 1, sizeof(double));
    c.radius = calloc(count + 1, sizeof(double));
    for (size_t i = 0; i < count; i++) {
        double size = i % 3 ? side : side / 20;
        c.x[i] = 5000 + size * uniform(&seed);
        c.y[i] = -300 + size * uniform(&seed);
        if (i % 50 == 49) c.x[i] = c.x[i - 1], c.y[i] = c.y[i - 1];
        c.radius[i] = 0.2 + 0.1 * uniform(&seed);
    }
    c.grid = throng_near_create();
    c.crew = throng_crew_create(threads);
    throng_near_reserve(c.grid, count);
    throng_near_input input = {
        .people = {.count = count, .x = c.x, .y = c.y, .vx = c.zero, .vy = c.zero, .radius = c.radius}};
    c.near = throng_near_build(c.grid, c.crew, &input);
    return c;
}

static void free_crowd(crowd *c) {
    throng_near_destroy(c->grid);
    throng_crew_destroy(c->crew);
    free(c->x);
    free(c->y);
    free(c->zero);
    free(c->radius);
}

static int by_number(const void *a, const void *b) {
    uint32_t l = *(const uint32_t *)a, r = *(const uint32_t *)b;
    return l < r ? -1 : l > r;
}

static void check_lists(const throng_near *near, const throng_near_lists *lists, double reach) {
    assert_int_equal(lists->count, near->count);
    for (size_t s = 0; s < near->count; s++) {
        uint32_t *list = lists->slot + lists->start[s];
        size_t length = lists->length[s], at = 0;
        if (length) qsort(list, length, sizeof *list, by_number);
        for (size_t o = 0; o < near->count; o++) {
            double dx = near->x[o] - near->x[s], dy = near->y[o] - near->y[s];
            if (o == s || !(dx * dx + dy * dy < reach * reach)) continue;
            assert_true(at < length);
            assert_int_equal(list[at++], o);
        }
        assert_int_equal(at, length);
    }
}

static void like_looking_at_everybody(void **unused) {
    (void)unused;
    throng_near_lists *lists = throng_near_lists_create();
    for (size_t k = 0; k < 40; k++) {
        size_t count = k < 4 ? k : k * 20;
        crowd c = make_crowd(count, k % 2 ? 30 : 8, k, 1 + (int)(k % 3));
        double reach = (double[]){0.3, 1.5, 4, 100, 0}[k % 5];
        for (int simd = 0; simd < 2; simd++) {
            throng_near_lists_build(lists, c.near, c.crew, reach, simd);
            check_lists(c.near, lists, reach);
        }
        free_crowd(&c);
    }
    throng_near_lists_destroy(lists);
}

static void same_for_any_number_of_threads(void **unused) {
    (void)unused;
    throng_near_lists *one = throng_near_lists_create(), *many = throng_near_lists_create();
    crowd c = make_crowd(20000, 120, 7, 4);
    throng_crew *alone = throng_crew_create(1);
    throng_near_lists_build(one, c.near, alone, 2, false);
    throng_near_lists_build(many, c.near, c.crew, 2, true);
    size_t all = 0;
    for (size_t s = 0; s < c.count; s++) {
        assert_int_equal(one->length[s], many->length[s]);
        const uint32_t *a = one->slot + one->start[s], *b = many->slot + many->start[s];
        assert_memory_equal(a, b, one->length[s] * sizeof *a);
        all += one->length[s];
    }
    assert_true(all > 10 * c.count);
    throng_crew_destroy(alone);
    free_crowd(&c);
    throng_near_lists_destroy(one);
    throng_near_lists_destroy(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_looking_at_everybody),
        cmocka_unit_test(same_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
