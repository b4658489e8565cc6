/* wishes.c: what velocity everybody wishes for: the one it was given, turned by a hair, and another one in a jam that
 * has come to a stop.
 *
 * People who stand and press on hold each other like grains in an arch: what they wish for and the repulsion balance,
 * so the objective has a minimum where nobody moves, in this step as in all to come. No solver gets out of that. So
 * whoever stands for more than `patience`, and those ahead in its queue with it, wishes for something else:
 *
 *     (1 - yielding u) wish  -  sidestep opposed left        left: the wish turned by 90 degrees
 *
 * It presses on less, or steps back, as u from 0 to 1 says, which is drawn anew for every spell and at another moment
 * for everybody. And where two streams meet all go to their right: `opposed` is 1 for those who face somebody who wants
 * the other way, and is passed on in the queue behind them, less and less. A queue in which somebody gets on, a crowd
 * around people who want to be where they are, and who is alone have nothing to do with it. */

#include "models/implicit/walkers.h"
#include "space/walls.h"

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
enum { SYMMETRY, PHASE, FIRST_SPELL };            /* what is drawn for a person */
enum { GRAIN = 64 };                              /* people that a worker takes at a time */

/* The columns that this file keeps, by row. */
static float *held_for(const throng_step *now) { return now->columns[0]; } /* s */
static float *opposed(const throng_step *now) { return now->columns[1]; }  /* 0 to 1 */

/* --- how things stand for somebody */

typedef struct outlook {
    uint32_t slot, row;
    double wish_x, wish_y, length; /* m/s */
    double held_for, opposed;      /* see above */
    bool alone;
} outlook;

/* Takes in somebody near by, at q from here. */
static void see(const throng_implicit_walkers *s, outlook *me, double qx, double qy, uint32_t row, double radii) {
    const throng_step *now = s->now;
    me->alone = false;
    double along = qx * me->wish_x + qy * me->wish_y, across = qx * me->wish_y - qy * me->wish_x;
    if (row >= now->people.count || !(along > 0) || fabs(across) > in_the_way * radii * me->length) return;
    double x = now->people.wish_x[row], y = now->people.wish_y[row], with = x * me->wish_x + y * me->wish_y;
    double both = me->length * sqrt(x * x + y * y);
    me->opposed = fmax(me->opposed, with < opposite * both ? 1 : passed_on * (double)opposed(now)[row]);
    /* people of other models do not tell how long they stand */
    if (with >= alike * both && now->params[now->people.profile[row]])
        me->held_for = fmin(me->held_for, (double)held_for(now)[row] + now->dt);
}

static void see_all(const throng_implicit_walkers *s, outlook *me) {
    const throng_near *near = s->near;
    double x = near->x[me->slot], y = near->y[me->slot], r = near->radius[me->slot] + near_by;
    double away = r + near->radius_max + near->drift;
    int32_t left = throng_near_column(near, x - away), right = throng_near_column(near, x + away);
    int32_t top = throng_near_row(near, y + away);
    const throng_walls *walls = s->now->walls;
    bool walled = walls->count > 0 && walls->clear[throng_walls_cell(walls, x, y)] < away;
    for (int32_t row = throng_near_row(near, y - away); row <= top; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        for (uint32_t k = start[left]; k < start[right + 1]; k++) {
            double qx = near->x[k] - x, qy = near->y[k] - y, reach = r + near->radius[k];
            if (near->row[k] == me->row || qx * qx + qy * qy > reach * reach) continue;
            if (walled && throng_walls_block(walls, (throng_point){x, y}, (throng_point){near->x[k], near->y[k]}, 0))
                continue;
            see(s, me, qx, qy, near->row[k], reach - near_by);
        }
    }
}

/* For how long somebody stands, and whether it is opposed. Who has not stood lately need not look. */
static outlook look(const throng_implicit_walkers *s, uint32_t slot) {
    const throng_step *now = s->now;
    uint32_t row = s->near->row[slot];
    double x = now->people.wish_x[row], y = now->people.wish_y[row], square = x * x + y * y;
    outlook me = {slot, row, x, y, sqrt(square), 0, 0, true};
    if (!(square > 0)) return me;
    bool stands = x * now->people.vx[row] + y * now->people.vy[row] < standing * square;
    me.held_for = fmin((double)held_for(now)[row] + (stands ? now->dt : -recovery * now->dt), held_most);
    if (!(me.held_for > 0 || opposed(now)[row] > 0)) return me;
    see_all(s, &me);
    if (me.alone) me.held_for = 0;
    return me;
}

/* What was found waits: everybody sees the others as they were. */
static void look_at_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_implicit_walkers *s = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t slot = s->mine[k];
        outlook me = look(s, slot);
        s->held_for[slot] = fmax(me.held_for, 0);
        s->opposed[slot] = fmin(me.opposed, 1);
    }
}

/* --- wishes */

/* Two who meet exactly face to face would stand for ever: everybody's wish is turned by an angle of its own, too small
 * to be seen. With t = tan(angle / 2) a rotation needs no trigonometry. */
static void take_wish(throng_implicit_walkers *s, uint32_t slot) {
    const throng_step *now = s->now;
    uint32_t row = s->near->row[slot];
    const throng_implicit_params *params = now->params[now->people.profile[row]];
    throng_agent id = now->people.id[row];
    double x = now->people.wish_x[row], y = now->people.wish_y[row], before = s->held_for[slot] - now->dt;
    held_for(now)[row] = (float)s->held_for[slot];
    opposed(now)[row] = (float)s->opposed[slot];
    /* who has just come has not stood yet, however long the step is */
    if (before > patience) {
        double share = fmin((before - patience) / hesitation, 1);
        double phase = throng_random(now->seed, id, PHASE, THRONG_RANDOM_IMPLICIT);
        uint64_t number = (uint64_t)(now->people.time / spell + phase);
        double u = throng_random(now->seed, id, FIRST_SPELL + number, THRONG_RANDOM_IMPLICIT);
        double press = 1 - share * params->yielding * u, right = share * params->sidestep * s->opposed[slot];
        x = press * now->people.wish_x[row] + right * now->people.wish_y[row];
        y = press * now->people.wish_y[row] - right * now->people.wish_x[row];
    }
    double t = 0.5 * params->symmetry_angle * (2 * throng_random(now->seed, id, SYMMETRY, THRONG_RANDOM_IMPLICIT) - 1);
    double cos = (1 - t * t) / (1 + t * t), sin = 2 * t / (1 + t * t);
    s->goal_x[slot] = cos * x - sin * y;
    s->goal_y[slot] = sin * x + cos * y;
}

void throng_implicit_take_wishes(throng_implicit_walkers *s) {
    throng_parallel_for(s->now->crew, s->mine_count, GRAIN, look_at_some, s);
    for (size_t k = 0; k < s->mine_count; k++) take_wish(s, s->mine[k]);
}
