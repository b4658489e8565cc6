/* The cell grid holds everybody once, in order, and a window of cells holds everybody within reach. */

#include <stdlib.h>

#include "base/crew.h"
#include "space/near.h"
#include "testing.h"

enum { COUNT = 3000 };

static double x[COUNT], y[COUNT], vx[COUNT], vy[COUNT], radius[COUNT];

static void scatter(double centre_x, double centre_y, double width, double height) {
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = centre_x + (throng_random(1, i, 0, 1) - 0.5) * width;
        y[i] = centre_y + (throng_random(1, i, 0, 2) - 0.5) * height;
        vx[i] = (double)i;
        vy[i] = -(double)i;
        radius[i] = 0.2 + 0.1 * throng_random(1, i, 0, 3);
    }
}

static const throng_near_input input = {
    .people = {.count = COUNT, .x = x, .y = y, .vx = vx, .vy = vy, .radius = radius}};

static void assert_sorted(const throng_near *near) {
    size_t cells = (size_t)near->columns * (size_t)near->rows;
    assert_int_equal(near->start[0], 0);
    assert_int_equal(near->start[cells], COUNT);
    for (size_t c = 0; c < cells; c++) {
        for (uint32_t k = near->start[c]; k < near->start[c + 1]; k++) {
            uint32_t row = near->row[k];
            assert_int_equal(near->slot[row], k);
            assert_true(near->x[k] == x[row] && near->y[k] == y[row] && near->vx[k] == vx[row]);
            size_t column = (size_t)throng_near_column(near, x[row]);
            assert_int_equal((size_t)throng_near_row(near, y[row]) * (size_t)near->columns + column, c);
            if (k == near->start[c]) continue;
            double square = floor(x[row] * near->inverse_cell), before = floor(near->x[k - 1] * near->inverse_cell);
            assert_true(before < square || (before == square && near->row[k - 1] < row));
        }
    }
}

static size_t count_within(const throng_near *near, double px, double py, double reach) {
    size_t found = 0;
    for (int32_t r = throng_near_row(near, py - reach); r <= throng_near_row(near, py + reach); r++) {
        size_t left = (size_t)throng_near_column(near, px - reach),
               right = (size_t)throng_near_column(near, px + reach);
        size_t cells = (size_t)r * (size_t)near->columns;
        for (uint32_t k = near->start[cells + left]; k < near->start[cells + right + 1]; k++) {
            found += hypot(near->x[k] - px, near->y[k] - py) <= reach;
        }
    }
    return found;
}

static void check_scatter(throng_near_grid *grid, throng_crew *crew) {
    const throng_near *near = throng_near_build(grid, crew, &input);
    assert_sorted(near);
    for (size_t i = 0; i < COUNT; i += 97) {
        double reach = 3 * throng_random(2, i, 0, 0);
        size_t expected = 0;
        for (size_t j = 0; j < COUNT; j++) expected += hypot(x[j] - x[i], y[j] - y[i]) <= reach;
        assert_int_equal(count_within(near, x[i], y[i], reach), expected);
    }
}

static void windows_hold_everybody_within_reach(void **state) {
    (void)state;
    for (int workers = 1; workers <= 3; workers++) {
        throng_crew *crew = throng_crew_create(workers);
        throng_near_grid *grid = throng_near_create();
        throng_near_reserve(grid, COUNT);
        scatter(0, 0, 50, 40);
        check_scatter(grid, crew);
        scatter(5000, -7000, 20, 100);
        check_scatter(grid, crew);
        scatter(0, 0, 1e6, 1e6); /* so scattered that the cells must grow */
        check_scatter(grid, crew);
        scatter(1, 1, 0, 0); /* all in one point */
        check_scatter(grid, crew);
        throng_near_destroy(grid);
        throng_crew_destroy(crew);
    }
}

static void nobody_is_fine(void **state) {
    (void)state;
    throng_crew *crew = throng_crew_create(1);
    throng_near_grid *grid = throng_near_create();
    const throng_near *near = throng_near_build(grid, crew, &(throng_near_input){0});
    assert_int_equal(near->start[(size_t)near->columns * (size_t)near->rows], 0);
    throng_near_destroy(grid);
    throng_crew_destroy(crew);
}

static void settled_people_show_their_way(void **state) {
    (void)state;
    throng_crew *crew = throng_crew_create(1);
    throng_near_grid *grid = throng_near_create();
    throng_near_reserve(grid, COUNT);
    scatter(0, 0, 50, 40);
    const throng_near *near = throng_near_build(grid, crew, &input);
    uint32_t slots[] = {near->slot[5], near->slot[17]};
    static double next_x[COUNT], next_y[COUNT];
    next_x[5] = input.people.x[5] + 0.15;
    next_y[17] = input.people.y[17] + 0.25;
    throng_near_settle(grid, slots, 2, next_x, next_y, 0.1);
    assert_near(near->vx[near->slot[5]], 1.5, 1e-12);
    assert_near(near->vy[near->slot[17]], 2.5, 1e-12);
    assert_near(near->vx[near->slot[6]], 6, 0);
    assert_true(near->moved[near->slot[5]] && !near->moved[near->slot[6]]);
    throng_near_destroy(grid);
    throng_crew_destroy(crew);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_hold_everybody_within_reach),
        cmocka_unit_test(nobody_is_fine),
        cmocka_unit_test(settled_people_show_their_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
