/* route/ahead.c: how long it takes to a goal with others ahead, worked out by hand: who is in which stretch of the way,
 * what counts as a jam, the flow it makes, and the flow that is expected where there is none. */

#include <string.h>

#include "base/memory.h"
#include "route/ahead.h"
#include "route/ground.h"
#include "testing.h"

/* A goal, number 1, whose way is 1 m wide all along, with 1.6 m^2 in each 2 m of it. */
static throng_ahead make_ahead(void) {
    throng_ahead a = {0};
    throng_ahead_ready(&a, 2);
    for (size_t k = 0; k < THRONG_AHEAD_BINS; k++) a.lines[1].width[k] = 1, a.lines[1].area[k] = 1.6f;
    return a;
}

/* So many people so far from the goal, who make a part of their 1.34 m/s. */
static void add(throng_ahead *a, int people, double length, double part) {
    for (int i = 0; i < people; i++) throng_ahead_add(a, 1, length, part * 1.34, 1.34, 0.25);
}

/* A look at two stretches, from 0 m and from 2 m. */
static void look(throng_ahead *a, int front, double front_part, int behind, double behind_part) {
    throng_ahead_begin(a);
    add(a, front, 1, front_part);
    add(a, behind, 3, behind_part);
    throng_ahead_end(a);
}

static void stretches_are_two_metres(void **unused) {
    (void)unused;
    throng_ahead a = make_ahead();
    throng_ahead_begin(&a);
    add(&a, 2, 1.99, 1);
    add(&a, 3, 2.01, 1);
    add(&a, 4, 4.01, 1);
    assert_near((double)a.lines[1].people[0], 2, 0);
    assert_near((double)a.lines[1].people[1], 3, 0);
    assert_near((double)a.lines[1].people[2], 4, 0);
    throng_ahead_clear(&a);
}

/* 0.3 times speed over the square of the width of a body, but 0.8 to 5 a second and metre. */
static void flow_is_expected_of_bodies(void **unused) {
    (void)unused;
    const double radii[] = {0.25, 0.5, 0.1}, expected[] = {0.3 * 1.34 / 0.25, 0.8, 5};
    for (int k = 0; k < 3; k++) {
        throng_ahead a = make_ahead();
        throng_ahead_begin(&a);
        for (int i = 0; i < 4; i++) throng_ahead_add(&a, 1, 1, 1.34, 1.34, radii[k]);
        throng_ahead_end(&a);
        assert_near(a.per_metre, expected[k], 1e-9);
        throng_ahead_clear(&a);
    }
}

/* All ahead leave one after the other: those nearer, and of one's own stretch the part before oneself. */
static void others_ahead_take_time(void **unused) {
    (void)unused;
    throng_ahead a = make_ahead();
    look(&a, 20, 1, 8, 1);
    assert_int_equal(a.lines[1].jammed, 0);
    assert_near(throng_ahead_time(&a, 1, 2.5, 1.34), (20 + 0.25 * 8) / 1.608, 1e-6);
    assert_near(throng_ahead_time(&a, 1, 100, 1), 100, 1e-6); /* they are gone by then */
    throng_ahead_clear(&a);
}

/* Five people or more at 1.5 per m^2 who make less than 0.6 of their speed. */
static void what_is_a_jam(void **unused) {
    (void)unused;
    const struct {
        int front, behind;
        double part, area;
        bool jam;
    } cases[] = {{3, 2, 0.5, 1.6, true},  {2, 2, 0.5, 1, false},    {3, 2, 0.65, 1.6, false}, {3, 2, 0.5, 2, false},
                 {14, 0, 0.5, 4.6, true}, {14, 0, 0.5, 4.7, false}, {14, 0, 0.59, 1.6, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        throng_ahead a = make_ahead();
        a.lines[1].area[0] = a.lines[1].area[1] = (float)cases[k].area;
        look(&a, cases[k].front, cases[k].part, cases[k].behind, cases[k].part);
        assert_int_equal(a.lines[1].jammed > 0, cases[k].jam);
        throng_ahead_clear(&a);
    }
}

/* With three or more in both stretches the lesser flow of the two is that of the door, with fewer their mean. */
static void flow_of_a_jam(void **unused) {
    (void)unused;
    throng_ahead a = make_ahead(), b = make_ahead();
    look(&a, 3, 0.5, 3, 0.2);
    assert_near((double)a.lines[1].flow, 3 * 0.2 * 1.34 / 2, 1e-6);
    look(&b, 4, 0.5, 2, 0.2);
    assert_near((double)b.lines[1].flow, 0.5 * (4 * 0.5 + 2 * 0.2) * 1.34 / 2, 1e-6);
    throng_ahead_clear(&a);
    throng_ahead_clear(&b);
}

/* After twenty looks each new one counts for a twentieth. */
static void flow_is_a_mean_over_time(void **unused) {
    (void)unused;
    throng_ahead a = make_ahead();
    for (int k = 0; k < 40; k++) look(&a, 4, 0.5, 4, 0.5);
    double before = 4 * 0.5 * 1.34 / 2;
    assert_near((double)a.lines[1].flow, before, 1e-5);
    look(&a, 4, 0.1, 4, 0.1);
    assert_near((double)a.lines[1].flow, 0.95 * before + 0.05 * before / 5, 1e-5);
    throng_ahead_clear(&a);
}

/* What jams pass per metre counts for a twentieth of what is expected, look by look. */
static void jams_teach_what_to_expect(void **unused) {
    (void)unused;
    throng_ahead a = make_ahead();
    look(&a, 4, 0.5, 4, 0.5);
    assert_near(a.per_metre, 0.95 * 1.608 + 0.05 * 4 * 0.5 * 1.34 / 2, 1e-6);
    throng_ahead_clear(&a);
}

/* A jam that hardly moves is taken to make half of what its width lets expect. */
static void a_jam_takes_time(void **unused) {
    (void)unused;
    throng_ahead a = make_ahead(), b = make_ahead();
    look(&a, 6, 0.01, 6, 0.01);
    assert_near(throng_ahead_time(&a, 1, 4, 1.34), 12 / (0.5 * a.per_metre), 1e-5);
    look(&b, 6, 0.5, 6, 0.5);
    assert_near(throng_ahead_time(&b, 1, 4, 1.34), 12 / (6 * 0.5 * 1.34 / 2), 1e-5);
    throng_ahead_clear(&a);
    throng_ahead_clear(&b);
}

/* Eight nodes at each distance from the goal, half a metre apart, but two in a door 1 m away: widths are told by half
 * metres, and the door is narrow for all behind it. */
static void widths_by_half_metres(void **unused) {
    (void)unused;
    throng_field_node nodes[8 * 12 - 6];
    size_t count = 0;
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < (k == 2 ? 2 : 8); i++)
            nodes[count++] = (throng_field_node){.value = (float)(0.5 * k + 0.25)};
    }
    throng_lattice lattice = {.cell = 0.5, .count = count};
    throng_ground ground = {.lattice = &lattice};
    throng_field field = {.wave = {.nodes = nodes}};
    throng_ahead a = make_ahead();
    throng_ahead_measure(&a, 1, &field, &ground);
    assert_near((double)a.lines[1].width[0], 2 * 0.25 / 0.5, 1e-6);
    assert_near((double)a.lines[1].width[2], 1, 1e-6);
    assert_near((double)a.lines[1].area[0], (3 * 8 + 2) * 0.25, 1e-6);
    assert_near((double)a.lines[1].area[1], 4 * 8 * 0.25, 1e-6);
    throng_ahead_clear(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_are_two_metres),
        cmocka_unit_test(flow_is_expected_of_bodies),
        cmocka_unit_test(others_ahead_take_time),
        cmocka_unit_test(what_is_a_jam),
        cmocka_unit_test(flow_of_a_jam),
        cmocka_unit_test(flow_is_a_mean_over_time),
        cmocka_unit_test(jams_teach_what_to_expect),
        cmocka_unit_test(a_jam_takes_time),
        cmocka_unit_test(widths_by_half_metres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
