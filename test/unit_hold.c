/* Holding people back: nobody ends nearer to another than asked, and who is in nobody's way goes as it likes. */

#include <math.h>

#include "base/crew.h"
#include "dice.h"
#include "space/hold.h"
#include "space/near.h"
#include "testing.h"

enum { MOST = 400 };

static const double radius = 0.25, apart = 0.4, far = 0.15; /* m */

static double apart_of(const void *context, uint32_t me, uint32_t other) {
    (void)context, (void)me, (void)other;
    return apart;
}

static bool is_clear(const void *context, uint32_t me, throng_point way) {
    (void)context, (void)me, (void)way;
    return true;
}

typedef struct scene {
    double x[MOST], y[MOST], vx[MOST], vy[MOST], r[MOST];
    throng_agent id[MOST];
    size_t count;
    throng_point to[MOST];
} scene;

/* People at random, none nearer than asked, each with a way at random. */
static scene make_scene(uint64_t seed, double size) {
    scene s = {.count = 0};
    dice d = {seed};
    for (int tries = 0; tries < 40000 && s.count < MOST; tries++) {
        double x = dice_between(&d, 0, size), y = dice_between(&d, 0, size);
        bool good = true;
        for (size_t i = 0; i < s.count && good; i++) good = hypot(x - s.x[i], y - s.y[i]) >= apart;
        if (!good) continue;
        s.x[s.count] = x, s.y[s.count] = y, s.r[s.count] = radius, s.id[s.count] = s.count + 1;
        double angle = dice_between(&d, 0, 6.283), goes = dice_between(&d, 0, far);
        s.to[s.count++] = (throng_point){x + goes * cos(angle), y + goes * sin(angle)};
    }
    return s;
}

/* Where people, by row, end; returns how many are held. */
static size_t hold(const scene *s, int threads, throng_point *end) {
    throng_crew *crew = throng_crew_create(threads);
    throng_near_grid *grid = throng_near_create();
    throng_near_input input = {.people = {.x = (double *)s->x,
                                          .y = (double *)s->y,
                                          .vx = (double *)s->vx,
                                          .vy = (double *)s->vy,
                                          .radius = (double *)s->r,
                                          .id = (throng_agent *)s->id,
                                          .count = s->count},
                               .scale = radius};
    throng_near_reserve(grid, MOST);
    const throng_near *near = throng_near_build(grid, crew, &input);
    throng_near_lists *lists = throng_near_lists_create();
    throng_near_lists_build(lists, near, crew, 2 * radius + 2 * far, false);
    throng_point to[MOST];
    bool is_held[MOST] = {false};
    uint32_t held[MOST];
    throng_hold h = {.crew = crew,
                     .near = near,
                     .lists = lists,
                     .to = to,
                     .apart = apart_of,
                     .is_clear = is_clear,
                     .is_held = is_held,
                     .held = held};
    for (uint32_t slot = 0; slot < near->count; slot++) to[slot] = s->to[near->row[slot]];
    for (uint32_t me = 0; me < near->count; me++) {
        for (uint32_t i = 0; i < lists->length[me] && !is_held[me]; i++)
            is_held[me] = throng_hold_is_too_near(&h, me, lists->slot[lists->start[me] + i]);
        if (is_held[me]) held[h.count++] = me;
    }
    throng_hold_back(&h);
    for (uint32_t slot = 0; slot < near->count; slot++) end[near->row[slot]] = to[slot];
    throng_near_lists_destroy(lists);
    throng_near_destroy(grid);
    throng_crew_destroy(crew);
    return h.count;
}

static double least_distance(const throng_point *at, size_t count) {
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) least = fmin(least, hypot(at[i].x - at[j].x, at[i].y - at[j].y));
    }
    return least;
}

static void nobody_ends_too_near(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        scene s = make_scene(seed, seed % 2 ? 7 : 12);
        throng_point end[MOST], again[MOST];
        size_t held = hold(&s, 1, end);
        assert_true(least_distance(s.to, s.count) < 0.9 * apart);
        assert_true(held > 10 && held < s.count);
        assert_true(least_distance(end, s.count) > apart * (1 - 2e-9));
        assert_true(hold(&s, 4, again) == held);
        assert_memory_equal(end, again, s.count * sizeof *end);
        size_t same = 0;
        for (size_t i = 0; i < s.count; i++) {
            same += end[i].x == s.to[i].x && end[i].y == s.to[i].y;
            assert_true(hypot(end[i].x - s.x[i], end[i].y - s.y[i]) <= far * (1 + 1e-9));
        }
        assert_true(same >= s.count - held);
    }
}

/* Two who walk at each other stop half-way; who walks past somebody slides along it. */
static void two_share_the_gap(void **unused) {
    (void)unused;
    scene s = {.x = {0, 0.5, 10, 10.4},
               .y = {0, 0, 0, 0},
               .r = {radius, radius, radius, radius},
               .id = {1, 2, 3, 4},
               .count = 4,
               .to = {{0.1, 0}, {0.4, 0}, {10.1, 0.1}, {10.4, 0}}};
    throng_point end[MOST];
    assert_int_equal(hold(&s, 1, end), 4);
    assert_near(end[0].x, 0.05, 1e-12);
    assert_near(end[1].x, 0.45, 1e-12);
    assert_near(end[2].x, 10, 1e-12);
    assert_near(end[2].y, 0.1, 1e-12);
    assert_near(end[3].x, 10.4, 1e-12);
}

/* Who are too near from the start come no nearer, and may part. */
static void who_is_too_near_comes_no_nearer(void **unused) {
    (void)unused;
    scene s = {.x = {0, 0.3, 10, 10.3},
               .r = {radius, radius, radius, radius},
               .id = {1, 2, 3, 4},
               .count = 4,
               .to = {{0.1, 0}, {0.3, 0}, {9.9, 0}, {10.3, 0}}};
    throng_point end[MOST];
    assert_int_equal(hold(&s, 1, end), 2);
    assert_near(end[0].x, 0, 1e-12);
    assert_near(end[2].x, 9.9, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_ends_too_near),
        cmocka_unit_test(two_share_the_gap),
        cmocka_unit_test(who_is_too_near_comes_no_nearer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
