/* symmetry.c: two who meet exactly face to face would stand for ever, so everybody's wish is turned by an angle of its
 * own, too small to be seen. */

#include <stddef.h>

#include "wish/wish.h"

typedef struct habit_params {
    double symmetry; /* rad */
} habit_params;

static const throng_param params[] = {
    {"symmetry", "rad",
     "Everybody's wish is turned by an angle of its own, up to this: or two would stand face to face for ever.",
     THRONG_PARAM_NUMBER, 0, 0, 0.5, NULL, "off: its paper has none", offsetof(habit_params, symmetry)},
};

static bool is_on(const void *p) { return ((const habit_params *)p)->symmetry > 0; }

/* The angle of somebody, drawn when it first wishes or `symmetry` is another than before. */
typedef struct own_turn {
    double up_to, cos, sin;
} own_turn;

static const throng_column columns[] = {{"turn", sizeof(own_turn), true}};

/* With t = tan(angle / 2) a rotation needs no trigonometry. */
static own_turn draw(const throng_wishing *w, size_t row, double up_to) {
    double t = 0.5 * up_to * (2 * throng_random(w->seed, w->people.id[row], 0, THRONG_RANDOM_HABIT) - 1);
    return (own_turn){up_to, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)};
}

static void change(const throng_wishing *w, size_t begin, size_t end) {
    own_turn *turns = w->columns[0];
    for (size_t row = begin; row < end; row++) {
        const habit_params *p = w->params[w->people.profile[row]];
        if (!p) continue;
        if (turns[row].up_to != p->symmetry) turns[row] = draw(w, row, p->symmetry);
        own_turn turn = turns[row];
        double x = w->wish_x[row], y = w->wish_y[row];
        w->wish_x[row] = turn.cos * x - turn.sin * y;
        w->wish_y[row] = turn.sin * x + turn.cos * y;
    }
}

const throng_habit throng_habit_symmetry = {
    .name = "symmetry",
    .title = "Turns by a hair, so that nobody stands face to face for ever",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(habit_params),
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .columns_follow = true,
    .is_on = is_on,
    .change = change,
};
