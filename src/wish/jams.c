/* jams.c: stepping aside where streams meet, and yielding in a jam that has come to a stop.
 *
 * People who stand and press on hold each other like grains in an arch, in this step as in all to come. So who lags
 * behind what it wishes wishes for something else:
 *
 *     (1 - yielding u^2) wish  -  sidestep opposed left        left: the wish turned by 90 degrees
 *
 * Where two streams meet all go to their right, the more they lag: `opposed` is 1 for those who face somebody who wants
 * the other way, and elsewhere, and is passed on in the queue behind them, less and less. And who stands for more than
 * `patience` presses on less, or steps back, as u from 0 to 1 says, which is drawn anew for every spell and at another
 * moment for everybody: by u^2, so that most press on while a few give way. If all did half, a crowd that moves as one
 * would not move. A crowd behind people who want to be where they are, and who is alone have nothing to do with it. */

#include <math.h>
#include <stddef.h>

#include "wish/wish.h"

static const double patience = 1;                 /* s of standing before somebody wishes otherwise ... */
static const double hesitation = 1;               /* ... and until it does so fully */
static const double held_most = 4;                /* s that are counted ... */
static const double recovery = 2;                 /* ... and forgotten so many times as fast by who gets on */
static const double memory = 0.5;                 /* s over which it is averaged how somebody gets on */
static const double slowed = 0.4, stopped = 0.8;  /* lags: from where somebody steps aside, and does so fully */
static const double standing = 0.9;               /* lag of who stands */
static const double near_by = 2.5;                /* of its radius: a wider gap makes nobody stand */
static const double in_the_way = 0.9;             /* of the sum of radii: who is farther aside is not ahead */
static const double opposite = -0.7, alike = 0.5; /* cosines between wishes: of who face each other, of a queue */
static const double passed_on = 0.9;              /* of `opposed`, to who is next in the queue */
static const double glance = 0.2;                 /* s from one look around to the next */
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
     "Who is held up face to face with people who want the other way, or in a queue behind somebody who is, wants up "
     "to so many times its wish to its right. 0: straight on.",
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
    double waits;    /* 1: it wishes nothing, stands behind somebody who waits, or is alone */
    double lag;      /* which part of its wish it does not get, in the mean of the last time: 0 to 2 */
} plight;

static const throng_column columns[] = {{"plight", sizeof(plight), true}, {"plight_next", sizeof(plight), true}};

static const throng_shown shown[] = {
    {{"held_for", "s", "How long it stands in a jam, up to 4 s.", 1},
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
    uint32_t row;
    double radius;                 /* m */
    double wish_x, wish_y, length; /* m/s */
    double opposed, waits;         /* see above */
    bool alone;
} outlook;

/* Whether somebody who does not get on looks around in this step: everybody at moments of its own. */
static bool looks_now(const throng_wishing *w, uint32_t row) {
    double when = w->people.time / glance + (double)(uint32_t)(w->people.id[row] * 2654435769u) * 0x1p-32;
    return floor(when) > floor(when - w->dt / glance);
}

/* Whether two want to the same place: at a door they may face each other, and yet go the same way. */
static bool go_together(const throng_view *people, uint32_t a, uint32_t b) {
    return people->goal[a] == people->goal[b] && people->target_x[a] == people->target_x[b] &&
           people->target_y[a] == people->target_y[b];
}

/* Takes in somebody near by. */
static void see(void *context, throng_seen seen) {
    outlook *me = context;
    const throng_wishing *w = me->w;
    double radii = me->radius + seen.radius, reach = radii + near_by * me->radius;
    if (seen.x * seen.x + seen.y * seen.y > reach * reach) return;
    if (me->alone && throng_wish_sees(w, seen)) me->alone = false;
    double along = seen.x * me->wish_x + seen.y * me->wish_y, across = seen.x * me->wish_y - seen.y * me->wish_x;
    if (seen.row >= w->people.count || !(along > 0) || fabs(across) > in_the_way * radii * me->length) return;
    double x = w->wish_x[seen.row], y = w->wish_y[seen.row], with = x * me->wish_x + y * me->wish_y;
    double both = me->length * sqrt(x * x + y * y);
    plight its = now_of(w)[seen.row];
    bool against = with < opposite * both && !go_together(&w->people, me->row, seen.row);
    double opposed = against ? 1 : passed_on * its.opposed, waits = with >= alike * both ? its.waits : 0;
    if ((opposed > me->opposed || waits > me->waits) && throng_wish_sees(w, seen)) {
        me->opposed = fmax(me->opposed, opposed);
        me->waits = fmax(me->waits, waits);
    }
}

/* Whether somebody is opposed, and waits. */
static void take_in(const throng_wishing *w, uint32_t row, plight *its) {
    double radius = w->people.radius[row], x = w->wish_x[row], y = w->wish_y[row];
    outlook me = {w, row, radius, x, y, sqrt(x * x + y * y), 0, 0, true};
    throng_wish_look_around(w, row, (1 + near_by) * radius + w->near->radius_max, see, &me);
    its->opposed = me.opposed;
    its->waits = me.alone ? 1 : me.waits;
}

/* How somebody gets on. Who does well need not look. */
static plight plight_of(const throng_wishing *w, uint32_t row) {
    plight was = now_of(w)[row];
    double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y;
    if (!w->params[w->people.profile[row]]) return (plight){0};
    if (w->hold) square *= 1 - w->hold[row]; /* who keeps its pace is not held up */
    if (!(square > 0)) return (plight){.waits = 1};
    double pace = (x * w->people.vx[row] + y * w->people.vy[row]) / square;
    double lag = was.lag + (1 - fmin(fmax(pace, -1), 1) - was.lag) * fmin(w->dt / memory, 1);
    double held_for = fmin(was.held_for + (lag > standing ? w->dt : -recovery * w->dt), held_most);
    if (!(held_for > 0 || lag > slowed)) return (plight){.lag = lag};
    if (looks_now(w, row)) take_in(w, row, &was);
    return (plight){was.waits > 0 ? 0 : fmax(held_for, 0), was.opposed, was.waits, lag};
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) next_of(w)[row] = plight_of(w, (uint32_t)row);
}

/* --- wishes */

/* How much less somebody presses on now, for each part of `yielding`. */
static double yields(const throng_wishing *w, size_t row) {
    double phase = throng_random(w->seed, w->people.id[row], PHASE, THRONG_RANDOM_HABIT);
    uint64_t number = (uint64_t)(w->people.time / spell + phase);
    double u = throng_random(w->seed, w->people.id[row], FIRST_SPELL + number, THRONG_RANDOM_HABIT);
    return u * u;
}

static void change(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) {
        const habit_params *p = w->params[w->people.profile[row]];
        plight its = now_of(w)[row] = next_of(w)[row];
        /* who has just come has not stood yet, however long the step is */
        double stood = its.held_for - w->dt, press = 1, right = 0;
        if (stood > patience)
            press -= (1 - its.opposed) * p->yielding * fmin((stood - patience) / hesitation, 1) * yields(w, row);
        if (its.opposed > 0 && its.lag > slowed)
            right = p->sidestep * its.opposed * fmin((its.lag - slowed) / (stopped - slowed), 1);
        if (press == 1 && right == 0) continue;
        double x = w->wish_x[row], y = w->wish_y[row];
        w->wish_x[row] = press * x + right * y;
        w->wish_y[row] = press * y - right * x;
    }
}

static double reach_of(const void *of, double radius) {
    (void)of;
    return (2 + near_by) * radius;
}

const throng_habit throng_habit_jams = {
    .name = "jams",
    .title = "Steps aside where streams meet, and yields in jams that have come to a stop",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(habit_params),
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .is_on = is_on,
    .shown = shown,
    .shown_count = sizeof shown / sizeof *shown,
    .needs_grid = true,
    .reach = reach_of,
    .look = look,
    .change = change,
};
