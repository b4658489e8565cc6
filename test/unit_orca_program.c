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

/* Lines around random directions, at most so far from the origin; hard ones allow to stand. */
static void make_program(dice *d, size_t hard, size_t soft, double offset, program *p, throng_orca_lines *lines) {
    *p = (program){.hard = hard, .count = hard + soft, .speed = dice_between(d, 0.5, 2)};
    lines->hard = hard;
    lines->count = hard + soft;
    for (size_t i = 0; i < p->count; i++) {
        double angle = dice_between(d, 0, 2 * PI);
        double c = i < hard ? dice_between(d, -offset, 0) : dice_between(d, -offset, offset);
        lines->x[i] = cos(angle);
        lines->y[i] = sin(angle);
        lines->c[i] = c;
        p->plane[i] = (half_plane){{-lines->y[i], lines->x[i]}, c};
    }
}

static void compare(const throng_orca_kernel *kernel, const program *p, const throng_orca_lines *lines, pt wish,
                    tally *t) {
    pt v = wish, expected;
    bool kept = kernel->choose(lines, p->speed, &v.x, &v.y);
    bool possible = oracle_nearest_allowed(p, wish, &expected);
    assert_int_equal(kept, possible);
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
    const throng_orca_kernel *kernels[] = {&throng_orca_plain, &throng_orca_avx2};
    size_t kernel_count = throng_wide_supported() ? 2 : 1;
    dice d = {seed};
    tally t = {0};
    static program p;
    static throng_orca_lines lines;
    for (size_t k = 0; k < PROGRAMS; k++) {
        size_t hard = (size_t)dice_between(&d, 0, (double)most_hard + 1), soft = (size_t)dice_between(&d, 0, 13);
        make_program(&d, hard, soft, offset, &p, &lines);
        pt wish = {dice_between(&d, -2, 2), dice_between(&d, -2, 2)};
        compare(kernels[k % kernel_count], &p, &lines, wish, &t);
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

/* Lines as regular crowds make them: parallel, doubled, all through one point. */
static void degenerate_programs(void **unused) {
    (void)unused;
    dice d = {4};
    static program p;
    static throng_orca_lines lines;
    for (size_t k = 0; k < 5000; k++) {
        make_program(&d, 0, 2 + k % 9, 1.0, &p, &lines);
        for (size_t i = 0; i < p.count; i++) {
            double angle = PI / 4 * floor(dice_between(&d, 0, 8)), c = 0.25 * floor(dice_between(&d, -3, 3));
            lines.x[i] = cos(angle);
            lines.y[i] = sin(angle);
            lines.c[i] = c;
            p.plane[i] = (half_plane){{-lines.y[i], lines.x[i]}, c};
        }
        pt wish = {dice_between(&d, -2, 2), dice_between(&d, -2, 2)}, plain = wish, also = wish;
        bool kept = throng_orca_plain.choose(&lines, p.speed, &plain.x, &plain.y);
        if (throng_wide_supported()) {
            assert_int_equal(kept, throng_orca_avx2.choose(&lines, p.speed, &also.x, &also.y));
            assert_memory_equal(&plain, &also, sizeof plain);
        }
        /* the best velocity may not be the only one: compare how good it is */
        pt expected = oracle_choose(&p, wish);
        double worst = fmax(0, oracle_worst(&p, plain)), least = fmax(0, oracle_worst(&p, expected));
        assert_true(worst < least + 1e-9);
        if (least == 0) assert_true(pt_length(pt_sub(plain, expected)) < 1e-9);
    }
}

static void nothing_to_keep(void **unused) {
    (void)unused;
    static throng_orca_lines none;
    double vx = 3, vy = 4;
    assert_true(throng_orca_plain.choose(&none, 2, &vx, &vy));
    assert_true(fabs(vx - 1.2) < 1e-15 && fabs(vy - 1.6) < 1e-15);
    vx = 0.3, vy = -0.1;
    assert_true(throng_orca_plain.choose(&none, 2, &vx, &vy));
    assert_true(vx == 0.3 && vy == -0.1);
}

/* In a slot just as wide as the person both walls allow one line of velocities only. */
static void squeezed_between_walls(void **unused) {
    (void)unused;
    static throng_orca_lines lines = {.x = {0.6, -0.6, -0.8}, .y = {0.8, -0.8, 0.6}, .c = {0, 0, -0.1}};
    lines.hard = lines.count = 3;
    double vx = 1.2, vy = 1.6;
    assert_true(throng_orca_plain.choose(&lines, 2, &vx, &vy));
    assert_true(fabs(vx - 0.06) < 1e-9 && fabs(vy - 0.08) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loose_programs),   cmocka_unit_test(programs_with_walls),
        cmocka_unit_test(crowded_programs), cmocka_unit_test(degenerate_programs),
        cmocka_unit_test(nothing_to_keep),  cmocka_unit_test(squeezed_between_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
