/* pace.c: how fast people dare to walk behind each other, given the free way ahead (fundamental diagram, following).
 *
 * Of all who are ahead of somebody and in its way the one who leaves it the least way decides:
 *
 *     way     G = min over j of  ((1 - follow) max(0, s - l) + follow D min(1, u / v)) / c
 *     share   min(1, G / D)  of its wish, whose length is v;  none from G < start_gap / 2 on until G >= start_gap
 *
 *     s  distance from middle to middle              l = body_length (r + r_j)
 *     D = time_gap 1.34 m/s, the free way that nobody slows down for, whatever its speed
 *     u  speed of j along the wish                   c = (1 + cos) / 2 between the two wishes: 1 who walks the same
 * way, 1/2 who crosses, 0 who comes towards one
 *
 *               b = body_width (r + r_j)
 *     o ->  - - - - - - - - - - - -      in the way is who is ahead in a strip of half-width b, and of two whose ways
 *           - - - - - - o_j - - - -      meet who is ahead along the mean of both: exactly one of the two gives way
 *
 * People who wish for nothing are walked around, not waited for: that is the model's. The form is that of the
 * collision-free speed model (Tordeux, Chraibi, Seyfried 2016). Nobody sees through walls. */

#include <stddef.h>

#include "wish/pace_kernel.h"

static const double usual_speed = 1.34; /* m/s, Weidmann 1993 */

#define FIELD(name) offsetof(throng_pace_params, name)

static const throng_param params[] = {
    {"pace", "", "Whether people walk as slowly as the free way ahead asks for. false: as its paper has it.",
     THRONG_PARAM_BOOL, 0, 0, 1, NULL, "off: its paper has none", FIELD(pace)},
    {"time_gap", "s",
     "How far behind somebody one walks freely, as the time it takes at 1.34 m/s; slow people keep the same way free.",
     THRONG_PARAM_NUMBER, 0.05, 0.5, 5, NULL,
     "fitted to corridors of 1.8 m (UO-180) and a ring; 0.5 s in Moussaid et al. 2011", FIELD(time_gap)},
    {"body_length", "", "How near one comes to somebody ahead, in sums of the two radii.", THRONG_PARAM_NUMBER, 0, 1, 5,
     NULL, "chosen: bodies that touch; Tordeux et al. 2016", FIELD(body_length)},
    {"body_width", "", "Who is farther aside than so many sums of the two radii is not in the way.",
     THRONG_PARAM_NUMBER, 0, 1.33, 5, NULL, "fitted with time_gap: 0.4 m for radii of 0.15 m, about a shoulder width",
     FIELD(body_width)},
    {"follow", "",
     "How much the speed of who is ahead counts instead of the way up to it. 0: the way alone, 1: the speed alone.",
     THRONG_PARAM_NUMBER, 0, 0, 0.9, NULL, "chosen: the way alone", FIELD(follow)},
    {"start_gap", "m", "Free way that somebody who stands waits for before it starts; it stops at half of it.",
     THRONG_PARAM_NUMBER, 0, 0.27, 2, NULL, "chosen: half a step", FIELD(start_gap)},
};

static bool is_on(const void *p) { return ((const throng_pace_params *)p)->pace > 0; }

/* Share of its wish that somebody leaves out; 1: it stands. */
static const throng_column columns[] = {{"hold", sizeof(double), true}};

static const throng_shown shown[] = {
    {{"held_back", "", "Share of its desired speed that it leaves out, as who is ahead is near.", 1},
     0,
     0,
     sizeof(double),
     false},
};

static bool walks(const throng_wishing *w, size_t row) {
    return w->people.state[row] != THRONG_PAUSING && w->people.state[row] != THRONG_QUEUEING &&
           w->people.state[row] != THRONG_ARRIVED;
}

static double hold_of(const throng_wishing *w, const throng_pace_params *p, size_t row, double before) {
    double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y;
    if (!p || !(square > 0) || !walks(w, row)) return 0;
    double speed = sqrt(square), scale = 1 / speed, free = p->time_gap * usual_speed;
    throng_point at = {w->people.x[row], w->people.y[row]};
    throng_outlook me = {p, at, x * scale, y * scale, speed, w->people.radius[row], free};
    double way = w->simd ? throng_pace_way_avx2(w, &me) : look_ahead(w, &me);
    if (way < free && way < (before < 1 ? 0.5 : 1) * p->start_gap) return 1;
    return 1 - way / free;
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    double *hold = w->columns[0];
    for (size_t row = begin; row < end; row++)
        hold[row] = hold_of(w, w->params[w->people.profile[row]], row, hold[row]);
}

static void change(const throng_wishing *w, size_t begin, size_t end) {
    const double *hold = w->columns[0];
    for (size_t row = begin; row < end; row++) {
        if (!(hold[row] > 0)) continue;
        w->wish_x[row] *= 1 - hold[row];
        w->wish_y[row] *= 1 - hold[row];
    }
}

const throng_habit throng_habit_pace = {
    .name = "pace",
    .title = "Walks as slowly as the free way ahead asks for",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_pace_params),
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .is_on = is_on,
    .shown = shown,
    .shown_count = sizeof shown / sizeof *shown,
    .needs_grid = true,
    .look = look,
    .change = change,
};
