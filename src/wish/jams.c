/* jams.c: yielding and stepping aside in a jam that has come to a stop.
 *
 * People who stand and press on hold each other like grains in an arch, in this step as in all to come. So whoever
 * stands for more than `patience`, and those ahead in its queue with it, wishes for something else:
 *
 *     (1 - yielding u) wish  -  sidestep opposed left        left: the wish turned by 90 degrees
 *
 * It presses on less, or steps back, as u from 0 to 1 says, which is drawn anew for every spell and at another moment
 * for everybody. And where two streams meet all go to their right: `opposed` is 1 for those who face somebody who wants
 * the other way, and is passed on in the queue behind them, less and less. A queue in which somebody gets on, a crowd
 * around people who want to be where they are, and who is alone have nothing to do with it. */

#include <math.h>
#include <stddef.h>

#include "wish/wish.h"

static const double patience = 2;                 /* s of standing before somebody wishes otherwise ... */
static const double hesitation = 1;               /* ... and until it does so fully */
static const double held_most = 5;                /* s that are counted ... */
static const double recovery = 2;                 /* ... and forgotten so many times as fast by who gets on */
static const double standing = 0.05;              /* of the desired velocity: who gets on more slowly stands */
static const double near_by = 0.3;                /* m: a wider gap makes nobody stand */
static const double in_the_way = 0.9;             /* of the sum of radii: who is farther aside is not ahead */
static const double opposite = -0.7, alike = 0.5; /* cosines between wishes: of who face each other, of a queue */
static const double passed_on = 0.9;              /* of `opposed`, to who is next in the queue */
static const double spell = 2;                    /* s */
enum { PHASE = 1, FIRST_SPELL };                  /* what is drawn for a person */

typedef struct habit_params {
    double yielding, sidestep;
} habit_params;

static const throng_param params[] = {
    {"yielding", "",
     "Who stands in a jam that has come to a stop presses on less by up to so many times its wish, drawn anew every 2 "
     "s; beyond 1 it steps back. 0: presses on for ever.",
     THRONG_PARAM_NUMBER, 0, 0, 4, NULL, "off: its paper has none", offsetof(habit_params, yielding)},
    {"sidestep", "",
     "Who stands face to face with people who want the other way, or in a queue behind somebody who does, wants so "
     "many "
     "times its wish to its right. 0: straight on.",
     THRONG_PARAM_NUMBER, 0, 0, 10, NULL, "off: its paper has none", offsetof(habit_params, sidestep)},
};

static bool is_on(const void *p) {
    const habit_params *mine = p;
    return mine->yielding > 0 || mine->sidestep > 0;
}

/* How somebody has fared. What `look` finds is for `change`: others still see what was. */
typedef struct plight {
    double held_for; /* s for which it stands, or nearly so */
    double opposed;  /* 0 to 1 */
} plight;

static const throng_column columns[] = {{"plight", sizeof(plight)}, {"plight_next", sizeof(plight)}};

static const throng_shown shown[] = {
    {{"held_for", "s", "How long it stands in a jam, up to 5 s.", 1},
     0,
     offsetof(plight, held_for),
     sizeof(double),
     false},
};

static plight *now_of(const throng_wishing *w) { return w->columns[0]; }
static plight *next_of(const throng_wishing *w) { return w->columns[1]; }

/* --- how things stand for somebody */

typedef struct outlook {
    const throng_wishing *w;
    double radius;                 /* m */
    double wish_x, wish_y, length; /* m/s */
    double held_for, opposed;      /* see above */
    bool alone;
} outlook;

/* Takes in somebody near by. */
static void see(void *context, throng_seen seen) {
    outlook *me = context;
    const throng_wishing *w = me->w;
    double radii = me->radius + seen.radius, reach = radii + near_by;
    if (seen.x * seen.x + seen.y * seen.y > reach * reach || !throng_wish_sees(w, seen)) return;
    me->alone = false;
    double along = seen.x * me->wish_x + seen.y * me->wish_y, across = seen.x * me->wish_y - seen.y * me->wish_x;
    if (seen.row >= w->people.count || !(along > 0) || fabs(across) > in_the_way * radii * me->length) return;
    double x = w->wish_x[seen.row], y = w->wish_y[seen.row], with = x * me->wish_x + y * me->wish_y;
    double both = me->length * sqrt(x * x + y * y);
    plight its = now_of(w)[seen.row];
    me->opposed = fmax(me->opposed, with < opposite * both ? 1 : passed_on * its.opposed);
    /* people without the habit do not tell how long they stand */
    if (with >= alike * both && w->params[w->people.profile[seen.row]])
        me->held_for = fmin(me->held_for, its.held_for + w->dt);
}

/* For how long somebody stands, and whether it is opposed. Who has not stood lately need not look. */
static plight plight_of(const throng_wishing *w, uint32_t row) {
    plight was = now_of(w)[row];
    double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y;
    if (!w->params[w->people.profile[row]] || !(square > 0)) return (plight){0};
    bool stands = x * w->people.vx[row] + y * w->people.vy[row] < standing * square;
    double held_for = was.held_for + (stands ? w->dt : -recovery * w->dt);
    if (!(held_for > 0 || was.opposed > 0)) return (plight){0};
    double radius = w->people.radius[row];
    outlook me = {w, radius, x, y, sqrt(square), fmin(held_for, held_most), 0, true};
    throng_wish_look_around(w, row, radius + near_by + w->near->radius_max, see, &me);
    if (me.alone) me.held_for = 0;
    return (plight){fmax(me.held_for, 0), me.opposed};
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) next_of(w)[row] = plight_of(w, (uint32_t)row);
}

/* --- wishes */

static void wish_otherwise(const throng_wishing *w, size_t row, double share) {
    const habit_params *p = w->params[w->people.profile[row]];
    double phase = throng_random(w->seed, w->people.id[row], PHASE, THRONG_RANDOM_HABIT);
    uint64_t number = (uint64_t)(w->people.time / spell + phase);
    double u = throng_random(w->seed, w->people.id[row], FIRST_SPELL + number, THRONG_RANDOM_HABIT);
    double press = 1 - share * p->yielding * u, right = share * p->sidestep * now_of(w)[row].opposed;
    double x = w->wish_x[row], y = w->wish_y[row];
    w->wish_x[row] = press * x + right * y;
    w->wish_y[row] = press * y - right * x;
}

static void change(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) {
        now_of(w)[row] = next_of(w)[row];
        /* who has just come has not stood yet, however long the step is */
        double before = now_of(w)[row].held_for - w->dt;
        if (before > patience) wish_otherwise(w, row, fmin((before - patience) / hesitation, 1));
    }
}

const throng_habit throng_habit_jams = {
    .name = "jams",
    .title = "Yields, and passes on the right, in jams that have come to a stop",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(habit_params),
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .is_on = is_on,
    .shown = shown,
    .shown_count = sizeof shown / sizeof *shown,
    .needs_grid = true,
    .look = look,
    .change = change,
};
