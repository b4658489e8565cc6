/* What walls hide: against straight lines between points, tested one by one. */

#include "testing.h"

#include "dice.h"
#include "space/sight.h"

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* Whether the line from the origin to p crosses the wall from a to b. */
static bool crosses(double ax, double ay, double bx, double by, double px, double py) {
    double ux = bx - ax, uy = by - ay;
    return cross(px, py, ax, ay) * cross(px, py, bx, by) < 0 &&
           cross(ux, uy, -ax, -ay) * cross(ux, uy, px - ax, py - ay) < 0;
}

static void nothing_is_hidden_in_the_open(void **state) {
    (void)state;
    throng_sight sight;
    throng_sight_open(&sight);
    assert_false(throng_sight_is_hidden(&sight, 100, -3));
    assert_false(throng_sight_is_hidden(&sight, 0, 0));
}

static void directions_go_round_once(void **state) {
    (void)state;
    static const double around[][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int k = 0; k < 8; k++) {
        double x = around[k][0], y = around[k][1];
        assert_true(throng_sight_direction(x, y, fabs(x) + fabs(y)) == 8 * k);
    }
    assert_true(throng_sight_direction(1, -0.0, 1) <= 64);
}

static void a_wall_hides_what_is_behind_it(void **state) {
    (void)state;
    throng_sight sight;
    throng_sight_open(&sight);
    throng_sight_hide(&sight, 2, -3, 2, 3);
    assert_true(throng_sight_is_hidden(&sight, 2.5, 0));
    assert_true(throng_sight_is_hidden(&sight, 4, 3));
    assert_false(throng_sight_is_hidden(&sight, 1.9, 0));
    assert_false(throng_sight_is_hidden(&sight, 4, 7));
    assert_false(throng_sight_is_hidden(&sight, -4, 0));
}

/* Nobody who can be seen is called hidden, and nearly all who cannot be are. */
static void hidden_is_never_seen(void **state) {
    (void)state;
    enum { WALLS = 6, POINTS = 400, EYES = 400 };
    size_t behind = 0, found = 0;
    dice d = {7};
    for (int e = 0; e < EYES; e++) {
        double wall[WALLS][4];
        throng_sight sight;
        throng_sight_open(&sight);
        for (int w = 0; w < WALLS; w++) {
            for (int k = 0; k < 2; k++) wall[w][k] = dice_between(&d, -6, 6);
            for (int k = 2; k < 4; k++) wall[w][k] = wall[w][k - 2] + dice_between(&d, -3, 3);
            throng_sight_hide(&sight, wall[w][0], wall[w][1], wall[w][2], wall[w][3]);
        }
        for (int p = 0; p < POINTS; p++) {
            double x = dice_between(&d, -10, 10), y = dice_between(&d, -10, 10);
            bool covered = false;
            for (int w = 0; w < WALLS; w++)
                covered = covered || crosses(wall[w][0], wall[w][1], wall[w][2], wall[w][3], x, y);
            bool hidden = throng_sight_is_hidden(&sight, x, y);
            if (hidden) assert_true(covered);
            behind += covered;
            found += hidden;
        }
    }
    assert_true((double)found > 0.75 * (double)behind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_hidden_in_the_open),
        cmocka_unit_test(directions_go_round_once),
        cmocka_unit_test(a_wall_hides_what_is_behind_it),
        cmocka_unit_test(hidden_is_never_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
