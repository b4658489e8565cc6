/* keep_right.c: passing people who come the other way on the right, as custom has it.
 *
 *     turn right by the angle of tangent   keep_right  max over oncoming people of  -cos (1 - distance / look)
 *
 * with cos between the two wishes. Whoever walks with all others walks on straight. */

#include <math.h>
#include <stddef.h>

#include "wish/wish.h"

static const double look_far = 3; /* m */
static const double aside = 0.6;  /* m: who is farther off to the side is not in the way */

typedef struct habit_params {
    double keep_right;
} habit_params;

static const throng_param params[] = {
    {"keep_right", "",
     "Who meets people who want the other way turns to its right, the more so the nearer they are: by the angle of "
     "this tangent at most. 0: straight on.",
     THRONG_PARAM_NUMBER, 0, 0, 2, NULL, "off: its paper has none", offsetof(habit_params, keep_right)},
};

static bool is_on(const void *p) { return ((const habit_params *)p)->keep_right > 0; }

static const throng_column columns[] = {{"turn", sizeof(double), true}}; /* 0 to 1, of this step */

typedef struct outlook {
    const throng_wishing *w;
    double wish_x, wish_y, length; /* m/s */
    double turn;
} outlook;

static void see(void *context, throng_seen seen) {
    outlook *me = context;
    if (seen.row >= me->w->people.count) return;
    double along = seen.x * me->wish_x + seen.y * me->wish_y, across = seen.x * me->wish_y - seen.y * me->wish_x;
    if (!(along > 0) || fabs(across) > aside * me->length) return;
    double x = me->w->wish_x[seen.row], y = me->w->wish_y[seen.row], both = me->length * sqrt(x * x + y * y);
    double with = x * me->wish_x + y * me->wish_y;
    if (!(with < 0)) return;
    double turn = -with / both * (1 - sqrt(seen.x * seen.x + seen.y * seen.y) / look_far);
    if (turn > me->turn && throng_wish_sees(me->w, seen)) me->turn = turn;
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    double *turns = w->columns[0];
    for (size_t row = begin; row < end; row++) {
        double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y;
        outlook me = {w, x, y, sqrt(square), 0};
        if (w->params[w->people.profile[row]] && square > 0)
            throng_wish_look_around(w, (uint32_t)row, look_far, see, &me);
        turns[row] = me.turn;
    }
}

static void change(const throng_wishing *w, size_t begin, size_t end) {
    const double *turns = w->columns[0];
    for (size_t row = begin; row < end; row++) {
        const habit_params *p = w->params[w->people.profile[row]];
        if (!p || !(turns[row] > 0)) continue;
        double t = p->keep_right * turns[row], scale = 1 / sqrt(1 + t * t), x = w->wish_x[row], y = w->wish_y[row];
        w->wish_x[row] = scale * (x + t * y);
        w->wish_y[row] = scale * (y - t * x);
    }
}

static double reach_of(const void *of, double radius) {
    (void)of;
    (void)radius;
    return look_far;
}

const throng_habit throng_habit_keep_right = {
    .name = "keep_right",
    .title = "Passes people who come the other way on the right",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(habit_params),
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .is_on = is_on,
    .needs_grid = true,
    .reach = reach_of,
    .look = look,
    .change = change,
};
