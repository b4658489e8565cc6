/* The half-planes of `orca` against the nearest border point of the forbidden velocities, and what
 * those velocities do when somebody really walks them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "oracle_orca.h"
#include "orca_scene.h"

#define assert_near(a, b, tolerance)                                                             \
    do {                                                                                         \
        double a_ = (a), b_ = (b);                                                               \
        if (!(fabs(a_ - b_) <= (tolerance))) fail_msg("%s = %.17g, expected %.17g", #a, a_, b_); \
    } while (0)

static half_plane plane_of(const throng_orca_lines *lines, size_t i) {
    return (half_plane){{-lines->y[i], lines->x[i]}, lines->c[i]};
}

/* Twelve people around one, near and far, some touching, some who do not yield. */
static void people_like_the_oracle(void **unused) {
    (void)unused;
    enum { ROUNDS = 2000, PEOPLE = 13 };
    dice d = {11};
    for (size_t k = 0; k < ROUNDS; k++) {
        orca_scene *s = scene_create(PEOPLE, 1);
        for (size_t i = 0; i < PEOPLE; i++) {
            double size = k % 3 ? 6 : 0.6;
            s->x[i] = dice_between(&d, -size, size) + 5000;
            s->y[i] = dice_between(&d, -size, size);
            s->vx[i] = dice_between(&d, -2, 2);
            s->vy[i] = dice_between(&d, -2, 2);
            s->radius[i] = dice_between(&d, 0.1, 0.5);
            s->foreign[i] = i > 0 && dice_between(&d, 0, 1) < 0.2;
        }
        scene_ready(s);
        const throng_near *near = s->step.near;
        uint32_t slots[PEOPLE];
        for (size_t i = 1; i < PEOPLE; i++) slots[i - 1] = near->slot[i];
        const throng_orca_kernel *kernels[] = {&throng_orca_plain, &throng_orca_avx2};
        throng_orca_lines plain, fast;
        plain.count = plain.hard = fast.count = fast.hard = 3;
        double horizon = dice_between(&d, 0.1, 5);
        kernels[0]->people_lines(&plain, &s->step, near->slot[0], horizon, slots, PEOPLE - 1);
        if (throng_wide_supported()) {
            kernels[1]->people_lines(&fast, &s->step, near->slot[0], horizon, slots, PEOPLE - 1);
            assert_memory_equal(plain.x + 3, fast.x + 3, (PEOPLE - 1) * sizeof(double));
            assert_memory_equal(plain.y + 3, fast.y + 3, (PEOPLE - 1) * sizeof(double));
            assert_memory_equal(plain.c + 3, fast.c + 3, (PEOPLE - 1) * sizeof(double));
        }
        assert_int_equal(plain.count, PEOPLE + 2);
        for (size_t i = 1; i < PEOPLE; i++) {
            half_plane got = plane_of(&plain, i + 2);
            pt to = {s->x[i] - s->x[0], s->y[i] - s->y[0]};
            pt own = {s->vx[0], s->vy[0]}, other = {s->vx[i], s->vy[i]};
            half_plane expected =
                oracle_person_line(to, s->radius[0] + s->radius[i], own, other, !s->foreign[i], horizon, s->step.dt);
            assert_near(got.normal.x, expected.normal.x, 1e-9);
            assert_near(got.normal.y, expected.normal.y, 1e-9);
            assert_near(got.offset, expected.offset, 1e-9);
        }
        scene_destroy(s);
    }
}

/* Two on the same spot with the same velocity are sent apart, in opposite directions. */
static void same_place_same_velocity(void **unused) {
    (void)unused;
    orca_scene *s = scene_create(2, 1);
    s->vx[0] = s->vx[1] = 0.5;
    scene_ready(s);
    throng_orca_lines lines[2];
    for (uint32_t me = 0; me < 2; me++) {
        lines[me].count = lines[me].hard = 0;
        throng_orca_plain.people_lines(&lines[me], &s->step, me, 2, (uint32_t[]){1 - me}, 1);
    }
    half_plane a = plane_of(&lines[0], 0), b = plane_of(&lines[1], 0);
    assert_near(pt_length(a.normal), 1, 1e-12);
    assert_near(a.normal.x, -b.normal.x, 1e-12);
    assert_near(a.normal.y, -b.normal.y, 1e-12);
    /* each moves half of what parts them within a step */
    assert_near(missing(a, (pt){0.5, 0}), 0.5 * 0.5 / s->step.dt, 1e-12);
    scene_destroy(s);
}

/* Random blocks, thin walls and a border; people anywhere off the walls. */
static void walls_like_the_oracle(void **unused) {
    (void)unused;
    enum { SCENES = 60, EYES = 200 };
    dice d = {12};
    size_t compared = 0, different = 0;
    for (size_t k = 0; k < SCENES; k++) {
        orca_scene *s = scene_create(1, 1);
        s->place.open = false;
        scene_add_ring(s, (throng_point[]){{-5, -5}, {5, -5}, {5, 0}, {4, 1}, {5, 2}, {5, 5}, {-5, 5}}, 7);
        for (size_t b = 0; b < 4; b++) {
            pt centre = {b % 2 ? 2.2 : -2.2, b < 2 ? 2.2 : -2.2};
            throng_point corners[4];
            double angle = dice_between(&d, 0, 2 * PI);
            for (size_t c = 0; c < 4; c++) { /* clockwise */
                pt to = pt_turn((pt){dice_between(&d, 0.3, 1.5), 0}, angle - (double)c * PI / 2);
                corners[c] = (throng_point){centre.x + to.x, centre.y + to.y};
            }
            scene_add_ring(s, corners, 4);
        }
        scene_add_line(s, (throng_point[]){{-1, 4}, {0, dice_between(&d, 3.5, 4.5)}, {1, 4}}, 3);
        scene_ready(s);
        for (size_t i = 0; i < EYES; i++) {
            throng_orca_person me = {dice_between(&d, -5, 5), dice_between(&d, -5, 5),    dice_between(&d, -2, 2),
                                     dice_between(&d, -2, 2), dice_between(&d, 0.1, 0.5), 2};
            if (throng_walls_depth(s->walls, me.x, me.y, 1) <= 0) continue;
            double horizon = dice_between(&d, 0.2, 2);
            throng_orca_lines lines = {.count = 0};
            throng_wall_near near[THRONG_ORCA_WALLS];
            throng_orca_wall_lines(&lines, s->walls, &me, horizon, near);
            program p = {.speed = me.speed};
            oracle_add_walls(&p, s->walls, (pt){me.x, me.y}, me.radius, (pt){me.vx, me.vy}, horizon);
            compared++;
            bool same = p.count == lines.count;
            for (size_t l = 0; same && l < p.count; l++) {
                half_plane got = plane_of(&lines, l);
                same = pt_length(pt_sub(got.normal, p.plane[l].normal)) < 1e-7 &&
                       fabs(got.offset - p.plane[l].offset) < 1e-7;
            }
            different += !same;
        }
        scene_destroy(s);
    }
    print_message("%zu of %zu different\n", different, compared);
    assert_true(compared > SCENES * EYES / 2);
    assert_int_equal(different, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_like_the_oracle),
        cmocka_unit_test(same_place_same_velocity),
        cmocka_unit_test(walls_like_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
