/* The pairs and walls of `implicit` four at a time: the same bits plain and wide, the same numbers as one at a time, in
 * any case and for any order. */

#include "testing.h"
/* after cmocka */
#include <stdlib.h>
#include <string.h>

#include "implicit_random.h"
#include "models/implicit/energy_pairs_kernel.h"

enum { PEOPLE = 64, COUNT = 4096, COLUMNS = 6, ROUNDS = 60 };

/* Pairs of some people, with velocities drawn so that all cases occur. */
typedef struct crowd {
    throng_implicit_law law;
    uint32_t i[COUNT], j[COUNT];
    double qx[COUNT], qy[COUNT], r[COUNT], vx[PEOPLE], vy[PEOPLE];
} crowd;

static void fill(crowd *c, dice *d, size_t round) {
    c->law = random_law(d);
    c->law.printed = round % 3 == 2;
    double fast = round % 4 ? 2 : 0.02;
    for (size_t k = 0; k < PEOPLE; k++) {
        bool still = dice_between(d, 0, 1) < 0.2;
        c->vx[k] = still ? 0 : dice_between(d, -fast, fast);
        c->vy[k] = still ? 0 : dice_between(d, -fast, fast);
    }
    for (size_t k = 0; k < COUNT; k++) {
        random_pair p = dice_pair(d, c->law.dt);
        c->i[k] = round % 2 ? (uint32_t)(k / 64) : (uint32_t)dice_between(d, 0, PEOPLE);
        c->j[k] = (uint32_t)dice_between(d, 0, PEOPLE);
        c->qx[k] = p.qx;
        c->qy[k] = p.qy;
        c->r[k] = p.r;
        switch (k % 29) { /* special cases */
            case 3:
                c->j[k] = c->i[k];
                break; /* at rest to each other */
            case 5:
                c->r[k] = sqrt(p.qx * p.qx + p.qy * p.qy) * 1.5;
                break; /* overlapping */
            case 7:
                c->qy[k] = 0;
                break;
            case 11:
                c->qx[k] = 0;
                break;
            case 13:
                c->qx[k] = c->vx[c->i[k]] - c->vx[c->j[k]] + 1e-3, /* right ahead */
                    c->qy[k] = c->vy[c->i[k]] - c->vy[c->j[k]], c->r[k] = 1e-4;
                break;
            case 17:
                c->r[k] = 1e-4;
                break;
            case 19:
                c->qx[k] = 40;
                break; /* far away */
            default:
                break;
        }
    }
}

/* Four pairs at once, of different people, in plain C: kernels are the same here. */
static wide_term four_at_once(const crowd *c, size_t k, int kind, int order) {
    const ttc_law ttc = ttc_law_of(&c->law);
    const repulsion_law repulsion = repulsion_law_of(&c->law);
    wide_pairs p = {.qx = wide_load(c->qx + k), .qy = wide_load(c->qy + k), .r = wide_load(c->r + k)};
    p.wx = wide_sub(wide_gather(c->vx, c->i + k), wide_gather(c->vx, c->j + k));
    p.wy = wide_sub(wide_gather(c->vy, c->i + k), wide_gather(c->vy, c->j + k));
    return kind == THRONG_TTC ? ttc_four(&ttc, p, order) : repulsion_four(&repulsion, p, order);
}

static void compare(const crowd *c, int kind, int order, size_t *cases) {
    const throng_implicit_kernel *fast = throng_wide_supported() ? &throng_implicit_avx2 : &throng_implicit_plain;
    for (size_t k = 0; k < COUNT; k += 4) {
        double lanes[COLUMNS][4] = {{0}};
        const throng_pair_terms four = {lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]};
        store_term(&four, 0, four_at_once(c, k, kind, order), order);
        for (size_t n = k; n < k + 4; n++) {
            double wx = c->vx[c->i[n]] - c->vx[c->j[n]], wy = c->vy[c->i[n]] - c->vy[c->j[n]];
            throng_term t = throng_implicit_plain.pair_term(&c->law, c->qx[n], c->qy[n], c->r[n], wx, wy, kind, order);
            throng_term same = fast->pair_term(&c->law, c->qx[n], c->qy[n], c->r[n], wx, wy, kind, order);
            assert_memory_equal(&t, &same, sizeof t);
            const double alone[COLUMNS] = {t.energy, t.gx, t.gy, t.hxx, t.hxy, t.hyy};
            for (size_t column = 0; column < COLUMNS; column++) {
                if (t.energy < INFINITY && lanes[column][n - k] != alone[column])
                    fail_msg("pair %zu, order %d, column %zu: %.17g, alone %.17g", n, order, column,
                             lanes[column][n - k], alone[column]);
            }
            assert_true((t.energy == INFINITY) == (lanes[0][n - k] == INFINITY));
            cases[t.energy == INFINITY ? 2 : t.energy > 0]++;
        }
    }
}

static void same_bits_and_as_one_by_one(void **unused) {
    (void)unused;
    static crowd c;
    dice d = {5};
    size_t ttc[3] = {0}, repulsion[3] = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        fill(&c, &d, round);
        for (int order = 0; order <= THRONG_ORDER_EXACT; order++) {
            compare(&c, THRONG_TTC, order, ttc);
            compare(&c, THRONG_REPULSION, order, repulsion);
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_true(ttc[k] > 10 * COUNT);
        assert_true(repulsion[k] > 10 * COUNT);
    }
}

enum { WALKERS = 40, PIECES = 24, WALLS_ROUNDS = 300 };

/* Walkers among many walls, some of them touched; each has some of its walls ahead and some close by. */
typedef struct walled_crowd {
    throng_implicit_law law;
    throng_wall_piece pieces[WALKERS][PIECES];
    uint32_t ahead[WALKERS][PIECES], close[WALKERS][PIECES];
    throng_walled walkers[WALKERS];
} walled_crowd;

static uint32_t choose_some(dice *d, uint32_t *numbers) {
    uint32_t count = 0;
    double share = dice_between(d, -0.3, 1.3);
    for (uint32_t k = 0; k < PIECES; k++) {
        if (dice_between(d, 0, 1) < share) numbers[count++] = k;
    }
    return count;
}

static void fill_walled(walled_crowd *c, dice *d, size_t round) {
    c->law = random_law(d);
    c->law.printed = round % 3 == 2;
    for (size_t w = 0; w < WALKERS; w++) {
        double fast = round % 4 ? 2 : 0.02, x = dice_between(d, -3, 3), y = dice_between(d, -3, 3);
        for (size_t k = 0; k < PIECES; k++) {
            throng_segment s = {.ax = x + dice_between(d, -6, 6), .ay = y + dice_between(d, -6, 6)};
            bool upright = k % 3 == 0;
            s.bx = upright ? s.ax : s.ax + dice_between(d, -3, 3);
            s.by = k % 3 == 1 ? s.ay : s.ay + dice_between(d, -3, 3);
            if (round % 5 == 0 && k == 7) x = s.ax, y = s.ay; /* right on an end */
            c->pieces[w][k] = throng_see_wall(&s, x, y);
        }
        c->walkers[w] = (throng_walled){.pieces = c->pieces[w],
                                        .ahead = c->ahead[w],
                                        .close = c->close[w],
                                        .ahead_count = choose_some(d, c->ahead[w]),
                                        .close_count = choose_some(d, c->close[w]),
                                        .r = dice_between(d, 0.1, 0.4),
                                        .vx = w % 7 ? dice_between(d, -fast, fast) : 0,
                                        .vy = w % 5 ? dice_between(d, -fast, fast) : 0};
    }
}

/* Among walls plain and wide are the same, and so are many walkers at once and one at a time. */
static void walls_have_the_same_bits(void **unused) {
    (void)unused;
    static walled_crowd c;
    dice d = {31};
    size_t cases[3] = {0};
    for (size_t round = 0; round < WALLS_ROUNDS; round++) {
        fill_walled(&c, &d, round);
        for (int order = 0; order <= THRONG_ORDER_EXACT; order++) {
            throng_term narrow[WALKERS], fast[WALKERS];
            throng_implicit_plain.wall_terms(&c.law, c.walkers, WALKERS, order, narrow);
            if (throng_wide_supported()) {
                throng_implicit_avx2.wall_terms(&c.law, c.walkers, WALKERS, order, fast);
                assert_memory_equal(narrow, fast, sizeof narrow);
            }
            for (size_t w = 0; w < WALKERS; w++) {
                throng_term alone;
                throng_implicit_plain.wall_terms(&c.law, &c.walkers[w], 1, order, &alone);
                assert_memory_equal(&alone, &narrow[w], sizeof alone);
                cases[alone.energy == INFINITY ? 2 : alone.energy > 0]++;
                const double rest[] = {alone.gx, alone.gy, alone.hxx, alone.hxy, alone.hyy};
                for (size_t k = 0; k < 5; k++) assert_true(isfinite(rest[k]));
            }
        }
    }
    for (int k = 0; k < 3; k++) assert_true(cases[k] > WALKERS * WALLS_ROUNDS / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_and_as_one_by_one),
        cmocka_unit_test(walls_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
