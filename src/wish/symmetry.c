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
     THRONG_PARAM_NUMBER, 0, 0, 0.5, NULL, "chosen: five times what is enough for two who meet",
     offsetof(habit_params, symmetry)},
};

static bool is_on(const void *p) { return ((const habit_params *)p)->symmetry > 0; }

/* With t = tan(angle / 2) a rotation needs no trigonometry. */
static void change(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) {
        const habit_params *p = w->params[w->people.profile[row]];
        if (!p) continue;
        double t = 0.5 * p->symmetry * (2 * throng_random(w->seed, w->people.id[row], 0, THRONG_RANDOM_HABIT) - 1);
        double cos = (1 - t * t) / (1 + t * t), sin = 2 * t / (1 + t * t), x = w->wish_x[row], y = w->wish_y[row];
        w->wish_x[row] = cos * x - sin * y;
        w->wish_y[row] = sin * x + cos * y;
    }
}

const throng_habit throng_habit_symmetry = {
    .name = "symmetry",
    .title = "Turns by a hair, so that nobody stands face to face for ever",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(habit_params),
    .is_on = is_on,
    .change = change,
};
