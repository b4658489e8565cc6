/* lead_kernel.h: the ways (paths) of four people at once along their flow fields, as follow.c finds them one by one. */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/wide_items.h"
#include "route/field.h"
#include "route/planner.h"

static_assert(sizeof(throng_field_node) == 8 && offsetof(throng_field_node, x) == 4 &&
                  offsetof(throng_field_node, y) == 5 && offsetof(throng_field_node, sees) == 6 &&
                  offsetof(throng_field_node, room) == 7,
              "a node is a float and four bytes");
enum { X = 0, Y = 1, SEES = 2, ROOM = 3 };

/* What four nodes of a square have, weighed. */
static inline wide weigh(const wide weight[4], wide a, wide b, wide c, wide d) {
    wide sum = wide_add(wide_mul(weight[0], a), wide_mul(weight[1], b));
    return wide_add(wide_add(sum, wide_mul(weight[2], c)), wide_mul(weight[3], d));
}

static void lead_four(const throng_ground *ground, throng_led *led, size_t at) {
    const throng_lattice *l = ground->lattice;
    const void *low[4], *high[4];
    for (size_t k = 0; k < 4; k++) {
        low[k] = led->node[at + k];
        high[k] = led->node[at + k] + l->columns;
    }
    wide_whole n[4], m[4]; /* value and bytes of two nodes; and of those above them */
    wide_whole_load_columns(low, n);
    wide_whole_load_columns(high, m);
    wide one = wide_all(1), u = wide_load(led->u + at), v = wide_load(led->v + at);
    wide u_back = wide_sub(one, u), v_back = wide_sub(one, v), reach = wide_all(l->cell / 127);
    wide weight[4] = {wide_mul(u_back, v_back), wide_mul(u, v_back), wide_mul(u_back, v), wide_mul(u, v)};
    wide value = weigh(weight, wide_of_float_bits(n[0]), wide_of_float_bits(n[2]), wide_of_float_bits(m[0]),
                       wide_of_float_bits(m[2]));
    wide x = wide_mul(reach, weigh(weight, wide_of_signed_byte(n[1], X), wide_of_signed_byte(n[3], X),
                                   wide_of_signed_byte(m[1], X), wide_of_signed_byte(m[3], X)));
    wide y = wide_mul(reach, weigh(weight, wide_of_signed_byte(n[1], Y), wide_of_signed_byte(n[3], Y),
                                   wide_of_signed_byte(m[1], Y), wide_of_signed_byte(m[3], Y)));
    wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y)), length = wide_sqrt(length2);
    wide_store(led->x + at, wide_div(x, length));
    wide_store(led->y + at, wide_div(y, length));
    wide_store(led->distance + at, value);
    /* the goal is in sight of all four, or of none */
    unsigned same =
        wide_same_byte(n[1], n[3], SEES) & wide_same_byte(n[1], m[1], SEES) & wide_same_byte(n[1], m[3], SEES);
    wide room = wide_of_byte(n[1], ROOM), zero = wide_all(0);
    unsigned sees = same & wide_bits(wide_less(zero, wide_of_byte(n[1], SEES)));
    wide_mask agree = wide_less(wide_all(0.25 * l->cell * l->cell), length2);
    wide_mask far =
        wide_and(wide_less(value, wide_all(INFINITY)), wide_less(wide_all(THRONG_STRAIGHT_FROM * l->cell), value));
    unsigned leads = wide_bits(wide_and(wide_and(agree, far), wide_less(zero, room))) & ~sees;
    wide off = wide_mul(wide_sub(room, one), wide_all(THRONG_ROOM_UNIT));
    wide wanted = wide_add(wide_load(led->radius + at), wide_all(THRONG_LOOK_AHEAD));
    unsigned near = wide_bits(wide_less(off, wanted));
    for (size_t k = 0; k < 4; k++)
        led->kind[at + k] = !(leads >> k & 1) ? THRONG_LED_ELSEWHERE
                            : near >> k & 1   ? THRONG_LED_BESIDE_WALLS
                                              : THRONG_LED;
}

static void lead_some(const throng_ground *ground, throng_led *led) {
    for (size_t at = 0; at < led->count; at += 4) lead_four(ground, led, at);
}
