/* The linear programs of `orca` against trying every point where an optimum can lie (claim L1). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "oracle_orca.h"
#include "orca_scene.h"

enum { PROGRAMS = 20000 };

typedef struct tally {
    size_t allowed, none;
    double worst_way;    /* distance from the oracle's velocity when there is an allowed one */
    double worst_excess; /* violation beyond the oracle's when there is none */
} tally;

/* Four programs, as the oracle and as the model sees them. */
typedef struct programs {
    program p[4];
    pt wish[4];
    throng_orca_lines hard, soft;
    double speed[4];
} programs;

static const throng_orca_kernel *const kernels[] = {&throng_orca_plain, &throng_orca_avx2};

static size_t kernel_count(void) { return throng_wide_supported() ? 2 : 1; }

static void put(throng_orca_lines *lines, size_t i, size_t lane, half_plane h) {
    lines->x[i][lane] = h.normal.y;
    lines->y[i][lane] = -h.normal.x;
    lines->c[i][lane] = h.offset;
}

/* Fills the lanes from the programs; who has fewer lines than another gets such that allow all. */
static void fill_lanes(programs *f) {
    const half_plane none = {{0, 0}, -INFINITY};
    f->hard.count = f->soft.count = 0;
    for (size_t lane = 0; lane < 4; lane++) {
        size_t hard = f->p[lane].hard, soft = f->p[lane].count - hard;
        f->hard.count = hard > f->hard.count ? hard : f->hard.count;
        f->soft.count = soft > f->soft.count ? soft : f->soft.count;
    }
    for (size_t lane = 0; lane < 4; lane++) {
        const program *p = &f->p[lane];
        f->speed[lane] = p->speed;
        for (size_t i = 0; i < f->hard.count; i++) put(&f->hard, i, lane, i < p->hard ? p->plane[i] : none);
        for (size_t i = 0; i < f->soft.count; i++) {
            put(&f->soft, i, lane, p->hard + i < p->count ? p->plane[p->hard + i] : none);
        }
    }
}

static unsigned choose(const throng_orca_kernel *kernel, const programs *f, pt *v) {
    throng_orca_velocities four;
    for (size_t lane = 0; lane < 4; lane++) four.x[lane] = f->wish[lane].x, four.y[lane] = f->wish[lane].y;
    unsigned failed = kernel->choose(&f->hard, &f->soft, f->speed, &four);
    for (size_t lane = 0; lane < 4; lane++) v[lane] = (pt){four.x[lane], four.y[lane]};
    return failed;
}

/* Lines around random directions, at most so far from the origin; hard ones allow to stand. */
static void make_program(dice *d, size_t hard, size_t soft, double offset, program *p) {
    *p = (program){.hard = hard, .count = hard + soft, .speed = dice_between(d, 0.5, 2)};
    for (size_t i = 0; i < p->count; i++) {
        double angle = dice_between(d, 0, 2 * PI);
        double c = i < hard ? dice_between(d, -offset, 0) : dice_between(d, -offset, offset);
        p->plane[i] = (half_plane){{cos(angle), sin(angle)}, c};
    }
}

static void compare(const program *p, pt wish, pt v, bool failed, tally *t) {
    pt expected;
    bool possible = oracle_nearest_allowed(p, wish, &expected);
    assert_int_equal(!failed, possible);
    assert_true(oracle_allows(p, v, possible ? p->count : p->hard, 1e-9));
    if (possible) {
        t->allowed++;
        t->worst_way = fmax(t->worst_way, pt_length(pt_sub(v, expected)));
    } else {
        t->none++;
        t->worst_excess = fmax(t->worst_excess, oracle_worst(p, v) - oracle_worst(p, oracle_least_violating(p)));
    }
}

static void compare_many(size_t most_hard, double offset, uint64_t seed) {
    dice d = {seed};
    tally t = {0};
    static programs f;
    for (size_t k = 0; k < PROGRAMS; k += 4) {
        for (size_t lane = 0; lane < 4; lane++) {
            size_t hard = (size_t)dice_between(&d, 0, (double)most_hard + 1), soft = (size_t)dice_between(&d, 0, 13);
            make_program(&d, hard, soft, offset, &f.p[lane]);
            f.wish[lane] = (pt){dice_between(&d, -2, 2), dice_between(&d, -2, 2)};
        }
        fill_lanes(&f);
        pt v[4];
        unsigned failed = choose(kernels[k / 4 % kernel_count()], &f, v);
        for (size_t lane = 0; lane < 4; lane++) compare(&f.p[lane], f.wish[lane], v[lane], failed >> lane & 1, &t);
    }
    print_message("%zu allowed, off by %.1e; %zu not, excess %.1e\n", t.allowed, t.worst_way, t.none, t.worst_excess);
    assert_true(t.worst_way < 1e-9);
    assert_true(t.worst_excess < 1e-9);
    assert_true(t.allowed > PROGRAMS / 20 && t.none > PROGRAMS / 20);
}

static void loose_programs(void **unused) {
    (void)unused;
    compare_many(0, 1.0, 1);
}

static void programs_with_walls(void **unused) {
    (void)unused;
    compare_many(4, 1.0, 2);
}

static void crowded_programs(void **unused) {
    (void)unused;
    compare_many(2, 6.0, 3);
}

/* Lines as regular crowds make them: parallel, doubled, all through one point. The best velocity
 * may not be the only one, so what counts is how good it is. */
static void degenerate_programs(void **unused) {
    (void)unused;
    dice d = {4};
    static programs f;
    for (size_t k = 0; k < 1500; k++) {
        for (size_t lane = 0; lane < 4; lane++) {
            make_program(&d, 0, 2 + (k + lane) % 9, 1.0, &f.p[lane]);
            for (size_t i = 0; i < f.p[lane].count; i++) {
                double angle = PI / 4 * floor(dice_between(&d, 0, 8)), c = 0.25 * floor(dice_between(&d, -3, 3));
                f.p[lane].plane[i] = (half_plane){{cos(angle), sin(angle)}, c};
            }
            f.wish[lane] = (pt){dice_between(&d, -2, 2), dice_between(&d, -2, 2)};
        }
        fill_lanes(&f);
        pt v[4];
        choose(kernels[k % kernel_count()], &f, v);
        for (size_t lane = 0; lane < 4; lane++) {
            pt expected = oracle_choose(&f.p[lane], f.wish[lane]);
            double worst = fmax(0, oracle_worst(&f.p[lane], v[lane]));
            double least = fmax(0, oracle_worst(&f.p[lane], expected));
            assert_true(worst < least + 1e-9);
            if (least == 0) assert_true(pt_length(pt_sub(v[lane], expected)) < 1e-9);
        }
    }
}

/* Nobody's choice depends on who is in the other lanes, nor on how it is computed. */
static void lanes_do_not_notice_each_other(void **unused) {
    (void)unused;
    dice d = {5};
    static programs f, alone;
    for (size_t k = 0; k < 2000; k++) {
        for (size_t lane = 0; lane < 4; lane++) {
            make_program(&d, k % 4, (size_t)dice_between(&d, 0, 13), lane ? 2 : 0.5, &f.p[lane]);
            f.wish[lane] = (pt){dice_between(&d, -2, 2), dice_between(&d, -2, 2)};
        }
        fill_lanes(&f);
        pt together[4], wide_too[4], one[4];
        unsigned failed = choose(&throng_orca_plain, &f, together);
        if (throng_wide_supported()) {
            assert_int_equal(failed, choose(&throng_orca_avx2, &f, wide_too));
            assert_memory_equal(together, wide_too, sizeof together);
        }
        size_t lane = k % 4;
        for (size_t other = 0; other < 4; other++) alone.p[other].count = alone.p[other].hard = 0;
        alone.p[3 - lane] = f.p[lane];
        alone.wish[3 - lane] = f.wish[lane];
        fill_lanes(&alone);
        choose(&throng_orca_plain, &alone, one);
        assert_memory_equal(&together[lane], &one[3 - lane], sizeof(pt));
    }
}

static void nothing_to_keep(void **unused) {
    (void)unused;
    static programs f;
    for (size_t lane = 0; lane < 4; lane++) f.p[lane].speed = 2;
    f.wish[0] = (pt){3, 4};
    f.wish[1] = (pt){0.3, -0.1};
    fill_lanes(&f);
    pt v[4];
    assert_int_equal(choose(&throng_orca_plain, &f, v), 0);
    assert_true(fabs(v[0].x - 1.2) < 1e-15 && fabs(v[0].y - 1.6) < 1e-15);
    assert_true(v[1].x == 0.3 && v[1].y == -0.1);
    assert_true(v[2].x == 0 && v[2].y == 0);
}

/* In a slot just as wide as the person both walls allow one line of velocities only. */
static void squeezed_between_walls(void **unused) {
    (void)unused;
    static programs f;
    f.p[0] = (program){.hard = 3, .count = 3, .speed = 2};
    f.p[0].plane[0] = (half_plane){{-0.8, 0.6}, 0};
    f.p[0].plane[1] = (half_plane){{0.8, -0.6}, 0};
    f.p[0].plane[2] = (half_plane){{-0.6, -0.8}, -0.1};
    f.wish[0] = (pt){1.2, 1.6};
    fill_lanes(&f);
    pt v[4];
    assert_int_equal(choose(&throng_orca_plain, &f, v), 0);
    assert_true(fabs(v[0].x - 0.06) < 1e-9 && fabs(v[0].y - 0.08) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_programs),
        cmocka_unit_test(programs_with_walls),
        cmocka_unit_test(crowded_programs),
        cmocka_unit_test(degenerate_programs),
        cmocka_unit_test(lanes_do_not_notice_each_other),
        cmocka_unit_test(nothing_to_keep),
        cmocka_unit_test(squeezed_between_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
