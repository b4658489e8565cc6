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

static half_plane plane_of(const throng_orca_lines *lines, size_t i, size_t lane) {
    return (half_plane){{-lines->y[i][lane], lines->x[i][lane]}, lines->c[i][lane]};
}

/* Everybody's line for everybody else: near and far, some touching, some who do not yield. */
static void people_like_the_oracle(void **unused) {
    (void)unused;
    enum { ROUNDS = 1000, PEOPLE = 13 };
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
            s->foreign[i] = dice_between(&d, 0, 1) < 0.2;
        }
        scene_ready(s);
        /* the first four, who know 12, 11, 10 and 9 others */
        const throng_near *near = s->step.near;
        throng_orca_neighbours others[4] = {0};
        uint32_t slots[4];
        double horizon[4];
        for (size_t me = 0; me < 4; me++) {
            slots[me] = near->slot[me];
            horizon[me] = dice_between(&d, 0.1, 5);
            for (size_t i = 0; i < PEOPLE - me; i++) {
                if (i != me) others[me].slot[others[me].count++] = near->slot[i];
            }
        }
        throng_orca_seen seen[PEOPLE];
        throng_orca_see(&(throng_orca_job){.step = &s->step, .seen = seen}, 0, PEOPLE, 0);
        static throng_orca_lines plain, fast;
        throng_orca_plain.people_lines(&s->step, seen, slots, horizon, others, &plain);
        if (throng_wide_supported()) {
            throng_orca_avx2.people_lines(&s->step, seen, slots, horizon, others, &fast);
            assert_memory_equal(plain.x, fast.x, plain.count * sizeof *plain.x);
            assert_memory_equal(plain.y, fast.y, plain.count * sizeof *plain.y);
            assert_memory_equal(plain.c, fast.c, plain.count * sizeof *plain.c);
        }
        assert_int_equal(plain.count, PEOPLE - 1);
        for (size_t me = 0; me < 4; me++) {
            for (size_t n = 0; n < plain.count; n++) {
                half_plane got = plane_of(&plain, n, me);
                if (n >= others[me].count) {
                    assert_true(got.normal.x == 0 && got.normal.y == 0 && got.offset == -INFINITY);
                    continue;
                }
                size_t i = near->row[others[me].slot[n]];
                pt to = {s->x[i] - s->x[me], s->y[i] - s->y[me]};
                pt own = {s->vx[me], s->vy[me]}, other = {s->vx[i], s->vy[i]};
                double radii = s->radius[me] + s->radius[i];
                half_plane expected =
                    oracle_person_line(to, radii, own, other, !s->foreign[i], horizon[me], s->step.dt);
                assert_near(got.normal.x, expected.normal.x, 1e-9);
                assert_near(got.normal.y, expected.normal.y, 1e-9);
                assert_near(got.offset, expected.offset, 1e-9);
            }
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
    static throng_orca_lines lines;
    throng_orca_neighbours others[4] = {{1, {1}}, {1, {0}}};
    throng_orca_seen seen[2];
    throng_orca_see(&(throng_orca_job){.step = &s->step, .seen = seen}, 0, 2, 0);
    throng_orca_plain.people_lines(&s->step, seen, (uint32_t[]){0, 1, 0, 0}, (double[]){2, 2, 2, 2}, others, &lines);
    half_plane a = plane_of(&lines, 0, 0), b = plane_of(&lines, 0, 1);
    assert_near(pt_length(a.normal), 1, 1e-12);
    assert_near(a.normal.x, -b.normal.x, 1e-12);
    assert_near(a.normal.y, -b.normal.y, 1e-12);
    /* each moves half of what parts them within a step */
    assert_near(missing(a, (pt){0.5, 0}), 0.5 * 0.5 / s->step.dt, 1e-12);
    assert_true(lines.c[0][2] == -INFINITY);
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
            throng_orca_line lines[THRONG_ORCA_HARD];
            throng_wall_near near[THRONG_ORCA_WALLS];
            size_t near_count =
                throng_walls_within(s->walls, me.x, me.y, horizon * me.speed + me.radius, near, THRONG_ORCA_WALLS);
            size_t count = throng_orca_wall_lines(s->walls, near, near_count, &me, horizon, lines);
            program p = {.speed = me.speed};
            oracle_add_walls(&p, s->walls, (pt){me.x, me.y}, me.radius, (pt){me.vx, me.vy}, horizon);
            compared++;
            bool same = p.count == count;
            for (size_t l = 0; same && l < p.count; l++) {
                half_plane got = {{-lines[l].y, lines[l].x}, lines[l].c};
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
