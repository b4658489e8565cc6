/* Which walls `implicit` lists for a walker: while its velocity stays in its trust region, those left out are nothing
 * to it. */

#include "testing.h"
/* after cmocka */
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "implicit_random.h"
#include "models/implicit/solver.h"

enum { PIECES = 14, ROUNDS = 20000, TRIES = 12 };

/* One walker with its walls, as a step has them. */
typedef struct lone {
    throng_near near;
    throng_implicit_walkers walkers;
    throng_implicit_walls walls;
    throng_implicit_solver s;
    double radius, vx, vy, old_x, old_y, trust;
    uint32_t who, begin, count, touch_count, front_count, ahead_count, close_count, ahead[PIECES], close[PIECES];
    throng_wall_piece pieces[PIECES];
} lone;

static int nearer(const void *a, const void *b) {
    double x = ((const throng_wall_piece *)a)->distance, y = ((const throng_wall_piece *)b)->distance;
    return x < y ? -1 : x > y;
}

static void fill(lone *l, dice *d) {
    memset(l, 0, sizeof *l);
    l->radius = dice_between(d, 0.15, 0.4);
    double speed = dice_scale(d, 0.01, 2), turn = dice_between(d, 0, 6.283185307179586);
    l->vx = speed * cos(turn);
    l->vy = speed * sin(turn);
    l->trust = dice_scale(d, 0.01, 1);
    l->count = PIECES;
    for (size_t k = 0; k < PIECES; k++) {
        double length = dice_scale(d, 0.05, 10), angle = dice_between(d, 0, 6.283185307179586);
        do {
            double size = dice_scale(d, 0.4, 6);
            throng_segment g = {.ax = dice_between(d, -size, size), .ay = dice_between(d, -size, size)};
            g.bx = g.ax + length * cos(angle);
            g.by = g.ay + length * sin(angle);
            l->pieces[k] = throng_see_wall(&g, 0, 0);
        } while (l->pieces[k].distance < l->radius + 0.01 && dice_between(d, 0, 1) < 0.99);
    }
    qsort(l->pieces, PIECES, sizeof *l->pieces, nearer);
    l->near.radius = &l->radius;
    l->walkers =
        (throng_implicit_walkers){.near = &l->near, .law = random_law(d), .old_x = &l->old_x, .old_y = &l->old_y};
    l->walls = (throng_implicit_walls){.pieces = l->pieces,
                                       .begin = &l->begin,
                                       .count = &l->count,
                                       .touch_count = &l->touch_count,
                                       .front_count = &l->front_count,
                                       .ahead = l->ahead,
                                       .close = l->close,
                                       .ahead_count = &l->ahead_count,
                                       .close_count = &l->close_count,
                                       .total = PIECES};
    l->s = (throng_implicit_solver){.walkers = &l->walkers,
                                    .walls = &l->walls,
                                    .active = {.who = &l->who, .count = 1, .block_count = 1},
                                    .motion = {.vx = &l->vx, .vy = &l->vy, .trust = &l->trust}};
}

static throng_term term_at(const lone *l, double vx, double vy, bool everything) {
    static const uint32_t all[PIECES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    throng_walled w = {l->pieces, l->ahead, l->close, l->ahead_count, l->close_count, l->radius, vx, vy};
    if (everything) w = (throng_walled){l->pieces, all, all, PIECES, PIECES, l->radius, vx, vy};
    throng_term t;
    throng_implicit_plain.wall_terms(&l->walkers.law, &w, 1, THRONG_ORDER_GRADIENT, &t);
    return t;
}

/* Puts in front around the old velocity, then lists around another. */
static void list_walls(lone *l, const throng_implicit_kernel *kernel, double vx, double vy) {
    l->old_x = l->vx;
    l->old_y = l->vy;
    kernel->put_in_front(&l->s, 0, 1, 0);
    l->vx = vx;
    l->vy = vy;
    kernel->glance(&l->s, 0, 1, 0);
}

static void what_is_left_out_is_nothing(void **unused) {
    (void)unused;
    static lone l, plain;
    dice d = {41};
    size_t listed = 0, energetic = 0, infinite = 0;
    for (size_t n = 0; n < ROUNDS; n++) {
        fill(&l, &d);
        l.touch_count = (uint32_t)dice_between(&d, 0, 4);
        double much = dice_scale(&d, 0.01, 1), way = dice_between(&d, 0, 6.283185307179586);
        double new_x = l.vx + much * cos(way), new_y = l.vy + much * sin(way);
        lone before = l;
        list_walls(&l, &throng_implicit_plain, new_x, new_y);
        if (throng_wide_supported()) {
            plain = l;
            l = before;
            list_walls(&l, &throng_implicit_avx2, new_x, new_y);
            assert_memory_equal(&l, &plain, sizeof l);
        }
        listed += l.ahead_count + l.close_count;
        for (int k = 0; k < TRIES; k++) {
            double turn = dice_between(&d, 0, 6.283185307179586),
                   change = l.trust * (k % 2 ? 1 : dice_between(&d, 0, 1));
            double vx = l.vx + change * cos(turn), vy = l.vy + change * sin(turn);
            throng_term a = term_at(&l, vx, vy, true), b = term_at(&l, vx, vy, false);
            if (a.energy == INFINITY) {
                infinite++;
                assert_true(b.energy == INFINITY);
                continue;
            }
            energetic += a.energy > 0;
            assert_near(b.energy, a.energy, 1e-8 * a.energy + 1e-12);
            double slope = hypot(a.gx, a.gy);
            assert_near(hypot(b.gx - a.gx, b.gy - a.gy), 0, 1e-6 * slope + 1e-9);
        }
    }
    print_message("%.2f of %d listed\n", (double)listed / (2.0 * ROUNDS), PIECES);
    assert_true(listed < 1.2 * ROUNDS * PIECES);
    assert_true(energetic > (size_t)ROUNDS * TRIES / 4 && infinite > ROUNDS * TRIES / 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
