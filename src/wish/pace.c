/* pace.c: how fast people dare to walk behind each other, given the free way ahead (fundamental diagram, following).
 *
 * Of all who are ahead of somebody and in its way the one who leaves it the least way decides:
 *
 *     way     G = min over j of  ((1 - follow) max(0, s - l) + follow D min(1, u / v)) / c
 *     share   min(1, G / D)  of its wish, whose length is v;  none from G < start_gap / 2 on until G >= start_gap,
 *             half of both for who is pressed (squeeze.c)
 *
 *     s  distance from middle to middle              l = body_length (r + r_j)
 *     D = time_gap 1.34 m/s, the free way that nobody slows down for, whatever its speed
 *     u  speed of j along the wish
 *     c = (1 + cos) / 2 between the two wishes: 1 who walks the same way, 1/2 who crosses, 0 who comes towards one
 *
 *               b = body_width (r + r_j)
 *     o ->  - - - - - - - - - - - -      in the way is who is ahead in a strip of half-width b, and of two whose ways
 *           - - - - - - o_j - - - -      meet who is ahead along the mean of both: exactly one of the two gives way
 *
 * Who has to slow down where its way leads around a corner looks away from that, up to the angle of tangent look_aside:
 * where the free way counts for more along its wish it goes there, so that a crowd takes the whole width of a door.
 * Who is pressed looks to both sides, wherever its way leads.
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
     "fitted by eye to corridors of 1.8 m (UO-180), a ring and doors; 0.5 s in Moussaid et al. 2011", FIELD(time_gap)},
    {"body_length", "", "How near one comes to somebody ahead, in sums of the two radii.", THRONG_PARAM_NUMBER, 0, 1, 5,
     NULL, "chosen: bodies that touch; Tordeux et al. 2016", FIELD(body_length)},
    {"body_width", "", "Who is farther aside than so many sums of the two radii is not in the way.",
     THRONG_PARAM_NUMBER, 0, 1.33, 5, NULL,
     "fitted by eye with time_gap: 0.4 m for radii of 0.15 m, about a shoulder width", FIELD(body_width)},
    {"follow", "",
     "How much the speed of who is ahead counts instead of the way up to it. 0: the way alone, 1: the speed alone.",
     THRONG_PARAM_NUMBER, 0, 0, 0.9, NULL, "chosen: the way alone", FIELD(follow)},
    {"start_gap", "m", "Free way that somebody who stands waits for before it starts; it stops at half of it.",
     THRONG_PARAM_NUMBER, 0, 0.27, 2, NULL, "chosen: half a step", FIELD(start_gap)},
    {"look_aside", "",
     "Who is held up where its way leads around a corner turns to where the opening is free, by the angle of this "
     "tangent at most. 0: straight on.",
     THRONG_PARAM_NUMBER, 0, 0, 2, NULL, "off: the way as it is told", FIELD(look_aside)},
};

static const double corner_sight = 3;   /* m ahead */
static const double corner_near = 0.25; /* m beyond one's body: a way that passes a corner nearer leads around it */
static const double sharp = 0.1;        /* sine of the angle of what is a corner */
enum { WALLS_MOST = 32 };
static const double closing_up = 0.5; /* of start_gap that who is pressed does without */
static const double sight = 0.5;      /* m beyond its own body that no wall may be in the way aside */

static bool is_on(const void *p) { return ((const throng_pace_params *)p)->pace > 0; }

/* Share of its wish that somebody leaves out, 1: it stands; tangent of the angle by which it turns to its left. */
static const throng_column columns[] = {{"hold", sizeof(double), true}, {"aside", sizeof(double), true}};

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

static double way_of(const throng_wishing *w, const throng_outlook *me) {
    return w->simd && throng_wide_supported() ? throng_pace_way_avx2(w, me) : look_ahead(w, me);
}

static bool is_clear_of_walls(const throng_wishing *w, const throng_outlook *me) {
    double far = me->radius + sight;
    return throng_wish_sees(w, (throng_seen){me->at, far * me->e_x, far * me->e_y, 0, 0});
}

/* The side on which the corner is not that somebody's way leads around: -1 right, 1 left. 0: there is none, or two. */
static double side_of_opening(const throng_wishing *w, const throng_outlook *me) {
    const throng_walls *walls = w->walls;
    throng_wall_near found[WALLS_MOST];
    size_t count = throng_walls_within(walls, me->at.x, me->at.y, corner_sight, found, WALLS_MOST);
    bool left = false, right = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t k = found[i].wall, p = walls->previous[k];
        double cross = walls->along_x[p] * walls->along_y[k] - walls->along_y[p] * walls->along_x[k];
        double on = walls->along_x[p] * walls->along_x[k] + walls->along_y[p] * walls->along_y[k];
        if (!walls->convex[k] || (cross > -sharp && on > 0)) continue;
        double x = walls->x[k] - me->at.x, y = walls->y[k] - me->at.y;
        double ahead = x * me->e_x + y * me->e_y, across = me->e_x * y - me->e_y * x;
        if (!(ahead > 0) || ahead > corner_sight || fabs(across) > me->radius + corner_near) continue;
        left = left || across > 0;
        right = right || across <= 0;
    }
    return left == right ? 0 : left ? -1 : 1;
}

/* The way left in the best direction, which becomes `turn`: a little or all to either side, or straight on. */
static double find_aside(const throng_wishing *w, const throng_outlook *me, double press, double way, double *turn) {
    double best = way, side = side_of_opening(w, me);
    int first = side != 0 ? 1 : press > 0.5 ? -2 : 3;
    *turn = 0;
    for (int k = first; k <= 2; k++) {
        if (k == 0) continue;
        double t = 0.5 * k * (side != 0 ? side : 1) * me->params->look_aside, scale = 1 / sqrt(1 + t * t);
        throng_outlook other = *me;
        other.e_x = scale * (me->e_x - t * me->e_y);
        other.e_y = scale * (me->e_y + t * me->e_x);
        other.aside = true;
        double left = scale * way_of(w, &other);
        if (!(left > best) || !is_clear_of_walls(w, &other)) continue;
        best = left;
        way = left / scale;
        *turn = t;
    }
    return way;
}

static double hold_of(const throng_wishing *w, const throng_pace_params *p, size_t row, double before, double *turn) {
    double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y;
    if (!p || !(square > 0) || !walks(w, row)) return *turn = 0;
    double speed = sqrt(square), scale = 1 / speed, free = p->time_gap * usual_speed;
    throng_point at = {w->people.x[row], w->people.y[row]};
    throng_outlook me = {p, at, x * scale, y * scale, speed, w->people.radius[row], free, false};
    double way = way_of(w, &me), press = w->press ? w->press[row] : 0, start = p->start_gap * (1 - closing_up * press);
    if (way < free && p->look_aside > 0)
        way = find_aside(w, &me, press, way, turn);
    else
        *turn = 0;
    if (way < free && way < (before < 1 ? 0.5 : 1) * start) return 1;
    return 1 - way / free;
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    double *hold = w->columns[0], *turn = w->columns[1];
    for (size_t row = begin; row < end; row++)
        hold[row] = hold_of(w, w->params[w->people.profile[row]], row, hold[row], &turn[row]);
}

static void change(const throng_wishing *w, size_t begin, size_t end) {
    const double *hold = w->columns[0], *turn = w->columns[1];
    for (size_t row = begin; row < end; row++) {
        if (!(hold[row] > 0 || turn[row] != 0)) continue;
        double x = w->wish_x[row], y = w->wish_y[row], t = turn[row], share = (1 - hold[row]) / sqrt(1 + t * t);
        w->wish_x[row] = share * (x - t * y);
        w->wish_y[row] = share * (y + t * x);
    }
}

static double reach_of(const void *of, double radius) {
    const throng_pace_params *p = of;
    double ahead = p->body_length * 2 * radius + p->time_gap * usual_speed / (1 - p->follow);
    return ahead + p->body_width * 2 * radius;
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
    .reach = reach_of,
    .look = look,
    .change = change,
};
