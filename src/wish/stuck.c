/* stuck.c: who is stuck gives way, or stands firm, by chance.
 *
 *     ###(a)###        a and b in a door for one, each held by a post and by the other, are alike, and however many
 *     ###(b)###        push from behind nothing decides who goes first
 *
 * Who is held up for long, with nobody and no wall in its way, is stuck. For a spell at a time it is drawn how readily
 * it makes room. That is no wish, so it is told to models that move bodies apart (throng_step.give). */

#include <math.h>
#include <stddef.h>

#include "base/elementary.h"
#include "space/walls.h"
#include "wish/wish.h"

static const double held_up = 0.5;              /* of its wish: who gets on more slowly is held up */
static const double stuck_after = 3;            /* s of that */
static const double spell = 1;                  /* s until it looks again */
static const double near_by = 0.15;             /* m between surfaces: who is farther away is not in the way ... */
static const double ahead = 0.7071067811865476; /* ... nor who is farther aside: a cosine */
enum { FIRST_SPELL = 1 << 20 /* what is drawn */ };

typedef struct habit_params {
    double give_way;
} habit_params;

static const throng_param params[] = {
    {"give_way", "",
     "Who is held up for 3 s, with nobody and no wall in its way, makes room exp(-give_way) to exp(give_way) times as "
     "readily as others, drawn anew every second, where its model moves bodies apart. 0: as others.",
     THRONG_PARAM_NUMBER, 0, 0, 6, NULL, "off: its paper has none", offsetof(habit_params, give_way)},
};

static bool is_on(const void *p) { return ((const habit_params *)p)->give_way > 0; }

enum { GIVE, HELD_FOR, COLUMN_COUNT }; /* see throng_step.give; s, with nothing in the way */

static const throng_column columns[COLUMN_COUNT] = {{"give", sizeof(double), true},
                                                    {"held_up_for", sizeof(double), true}};

typedef struct outlook {
    double radius;                 /* m */
    double wish_x, wish_y, length; /* m/s */
    bool blocked;
} outlook;

static void see(void *context, throng_seen seen) {
    outlook *me = context;
    double distance = sqrt(seen.x * seen.x + seen.y * seen.y), along = seen.x * me->wish_x + seen.y * me->wish_y;
    if (distance < me->radius + seen.radius + near_by && along >= ahead * distance * me->length) me->blocked = true;
}

static bool is_anything_in_the_way(const throng_wishing *w, uint32_t row) {
    double x = w->wish_x[row], y = w->wish_y[row], radius = w->people.radius[row];
    outlook me = {radius, x, y, sqrt(x * x + y * y), false};
    throng_wish_look_around(w, row, radius + near_by + w->near->radius_max, see, &me);
    double far = (radius + near_by) / me.length;
    throng_point at = {w->people.x[row], w->people.y[row]}, to = {at.x + far * x, at.y + far * y};
    return me.blocked || throng_walls_block(w->walls, at, to, 0);
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    double *give = w->columns[GIVE], *held_for = w->columns[HELD_FOR];
    for (size_t row = begin; row < end; row++) {
        const habit_params *p = w->params[w->people.profile[row]];
        double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y;
        if (!p || !(x * w->people.vx[row] + y * w->people.vy[row] < held_up * square)) {
            give[row] = held_for[row] = 0;
            continue;
        }
        double before = held_for[row];
        held_for[row] += w->dt;
        if (floor(before / spell) == floor(held_for[row] / spell)) continue;
        if (is_anything_in_the_way(w, (uint32_t)row)) {
            give[row] = held_for[row] = 0;
        } else if (held_for[row] > stuck_after) {
            uint64_t number = FIRST_SPELL + (uint64_t)(w->people.time / spell);
            double u = throng_random(w->seed, w->people.id[row], number, THRONG_RANDOM_HABIT);
            give[row] = throng_exp(p->give_way * (2 * u - 1));
        }
    }
}

static double reach_of(const void *of, double radius) {
    (void)of;
    return 2 * radius + near_by;
}

const throng_habit throng_habit_stuck = {
    .name = "stuck",
    .title = "Gives way or stands firm by chance, where nothing else decides who goes first",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(habit_params),
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .is_on = is_on,
    .needs_grid = true,
    .reach = reach_of,
    .look = look,
};
