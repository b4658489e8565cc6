/* What walls hide: against straight lines between points, tested one by one. */

#include "testing.h"

#include "dice.h"
#include "space/horizon.h"

/* Whether walls hide the point, given relative to the eye. */
static bool hides(const throng_horizon *horizon, double x, double y) {
    double distance = fabs(x) + fabs(y);
    if (!(distance > 0)) return false;
    unsigned sector = (unsigned)throng_horizon_direction(x, y, distance) % THRONG_HORIZON_SECTORS;
    return distance > (double)horizon->depth[sector];
}

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* Whether the line from the origin to p crosses the wall from a to b. */
static bool crosses(double ax, double ay, double bx, double by, double px, double py) {
    double ux = bx - ax, uy = by - ay;
    return cross(px, py, ax, ay) * cross(px, py, bx, by) < 0 &&
           cross(ux, uy, -ax, -ay) * cross(ux, uy, px - ax, py - ay) < 0;
}

static void nothing_is_hidden_in_the_open(void **state) {
    (void)state;
    throng_horizon horizon;
    throng_horizon_sketch sketch;
    throng_horizon_open(&sketch, &horizon);
    assert_false(hides(&horizon, 100, -3));
    assert_false(hides(&horizon, 0, 0));
}

static void directions_go_round_once(void **state) {
    (void)state;
    static const double around[][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int k = 0; k < 8; k++) {
        double x = around[k][0], y = around[k][1];
        assert_true(throng_horizon_direction(x, y, fabs(x) + fabs(y)) == 8 * k);
    }
    assert_true(throng_horizon_direction(1, -0.0, 1) <= 64);
}

static void a_wall_hides_what_is_behind_it(void **state) {
    (void)state;
    throng_horizon horizon;
    throng_horizon_sketch sketch;
    throng_horizon_open(&sketch, &horizon);
    throng_horizon_hide(&sketch, 2, -3, 2, 3);
    assert_true(hides(&horizon, 2.5, 0));
    assert_true(hides(&horizon, 4, 3));
    assert_false(hides(&horizon, 1.9, 0));
    assert_false(hides(&horizon, 4, 7));
    assert_false(hides(&horizon, -4, 0));
}

/* Of a room everything outside is hidden, and the box is not much larger than the room. */
static void a_room_has_no_holes(void **unused) {
    (void)unused;
    static const double corner[][2] = {{-2.3, -4.1}, {3.1, -4.1}, {3.1, -1}, {3.1, 2.2}, {0.3, 2.9}, {-2.3, 2.2}};
    enum { CORNERS = 6 };
    throng_horizon horizon;
    throng_horizon_sketch sketch;
    throng_horizon_open(&sketch, &horizon);
    for (int k = 0; k < CORNERS; k++) {
        int n = (k * 5 + 1) % CORNERS, m = (n + 1) % CORNERS; /* in any order */
        throng_horizon_hide(&sketch, corner[n][0], corner[n][1], corner[m][0], corner[m][1]);
    }
    throng_horizon_close(&sketch, 10);
    dice d = {3};
    for (int k = 0; k < 10000; k++) {
        double x = dice_between(&d, -9, 9), y = dice_between(&d, -9, 9);
        if (x < -3 || x > 4 || y < -5 || y > 3.5) assert_true(hides(&horizon, x, y));
        if (x > -2.3 && x < 3.1 && y > -4.1 && y < 2.2) assert_false(hides(&horizon, x, y));
    }
    assert_true(horizon.x_least <= -2.3f && horizon.x_least > -3 && horizon.x_most >= 3.1f && horizon.x_most < 4);
    assert_true(horizon.y_least <= -4.1f && horizon.y_least > -5 && horizon.y_most >= 2.9f && horizon.y_most < 3.5f);
}

/* Nobody who can be seen is called hidden, and nearly all who cannot be are. */
static void hidden_is_never_seen(void **state) {
    (void)state;
    enum { WALLS = 6, POINTS = 400, EYES = 400 };
    size_t behind = 0, found = 0;
    dice d = {7};
    for (int e = 0; e < EYES; e++) {
        double wall[WALLS][4];
        throng_horizon horizon;
        throng_horizon_sketch sketch;
        throng_horizon_open(&sketch, &horizon);
        for (int w = 0; w < WALLS; w++) {
            for (int k = 0; k < 2; k++) wall[w][k] = dice_between(&d, -6, 6);
            for (int k = 2; k < 4; k++) wall[w][k] = wall[w][k - 2] + dice_between(&d, -3, 3);
            throng_horizon_hide(&sketch, wall[w][0], wall[w][1], wall[w][2], wall[w][3]);
        }
        throng_horizon_close(&sketch, 9);
        for (int p = 0; p < POINTS; p++) {
            double x = dice_between(&d, -10, 10), y = dice_between(&d, -10, 10);
            bool covered = false;
            for (int w = 0; w < WALLS; w++)
                covered = covered || crosses(wall[w][0], wall[w][1], wall[w][2], wall[w][3], x, y);
            bool hidden = hides(&horizon, x, y);
            if (hidden) assert_true(covered);
            bool boxed = x >= horizon.x_least && x <= horizon.x_most && y >= horizon.y_least && y <= horizon.y_most;
            assert_true(boxed || hidden || hypot(x, y) > 9);
            behind += covered;
            found += hidden;
        }
    }
    assert_true((double)found > 0.75 * (double)behind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_hidden_in_the_open),  cmocka_unit_test(directions_go_round_once),
        cmocka_unit_test(a_wall_hides_what_is_behind_it), cmocka_unit_test(a_room_has_no_holes),
        cmocka_unit_test(hidden_is_never_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
