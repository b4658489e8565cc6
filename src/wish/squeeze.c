/* squeeze.c: bodies that give way: who is pressed turns a shoulder, and is narrower for a while.
 *
 *     radius = body (1 - squeeze q)        q from 0 to 1: rises within a second, falls within two
 *
 * Pressed is who gets on at less than half the speed it wants in a crowd wider than `press_width` between walls. In a
 * corridor everybody has a place in a queue and keeps it; in the open nobody has, and people close up (Adrian,
 * Seyfried, Sieben 2020). They leave less way free before they start, too, and look aside for a way (pace.c).
 *
 * Ways are planned for the body. Nobody grows into others or into walls: of a gap each of two takes a quarter in a
 * step, so discs that do not overlap do not begin to. */

#include <math.h>
#include <stddef.h>

#include "space/walls.h"
#include "wish/wish.h"

static const double held_up = 0.5;      /* of its wish: who gets on more slowly is */
static const double rise = 1, fall = 2; /* s */
static const double part_of_gap = 0.25; /* that somebody grows by in a step at most */
static const double glance = 0.5;       /* s from one look at the width of the crowd to the next */

typedef struct habit_params {
    double squeeze, press_width;
} habit_params;

static const throng_param params[] = {
    {"squeeze", "", "By which share of its radius somebody who is pressed is narrower at most. 0: bodies are rigid.",
     THRONG_PARAM_NUMBER, 0, 0, 0.5, NULL, "off: its paper has none", offsetof(habit_params, squeeze)},
    {"press_width", "m", "Where walls are farther apart across its way, people who are held up close up.",
     THRONG_PARAM_NUMBER, 0, 5.3, 1000, NULL,
     "fitted: crowds 5.6 m wide close up (Adrian et al. 2020), those 5 m wide before gates of HERMES do not",
     offsetof(habit_params, press_width)},
};

static bool is_on(const void *p) { return ((const habit_params *)p)->squeeze > 0; }

enum { PRESS, NEXT, OPEN };

static const throng_column columns[] = {
    {"press", sizeof(double), true}, {"radius_next", sizeof(double), true}, {"in_the_open", sizeof(double), true}};

static const throng_shown shown[] = {
    {{"pressed", "", "How much it makes itself narrow: 0 to 1.", 1}, 0, 0, sizeof(double), false},
};

static bool looks_now(const throng_wishing *w, size_t row) {
    double when = w->people.time / glance + (double)(uint32_t)(w->people.id[row] * 2654435769u) * 0x1p-32;
    return floor(when) > floor(when - w->dt / glance);
}

typedef struct ray {
    const throng_walls *walls;
    throng_point from;
    double x, y; /* unit */
    double free; /* m */
} ray;

static bool meet(void *context, uint32_t k) {
    ray *r = context;
    const throng_walls *w = r->walls;
    double x = w->x[k] - r->from.x, y = w->y[k] - r->from.y, across = r->x * w->along_y[k] - r->y * w->along_x[k];
    if (across == 0) return false;
    double far = (x * w->along_y[k] - y * w->along_x[k]) / across, along = (x * r->y - y * r->x) / across;
    if (far >= 0 && far < r->free && along >= 0 && along <= w->length[k]) r->free = far;
    return false;
}

static double free_way(const throng_wishing *w, throng_point at, double x, double y, double most) {
    ray r = {w->walls, at, x, y, most};
    throng_walls_along(w->walls, at, (throng_point){at.x + most * x, at.y + most * y}, meet, &r);
    return r.free;
}

/* Whether walls on both sides are farther apart than `width`, straight across its way and up to 30 degrees from that.
 */
static bool is_in_the_open(const throng_wishing *w, size_t row, double width, double e_x, double e_y) {
    static const double turns[][2] = {{1, 0}, {0.8660254037844386, 0.5}, {0.8660254037844386, -0.5}}; /* cos, sin */
    throng_point at = {w->people.x[row], w->people.y[row]};
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        double x = -turns[k][0] * e_y - turns[k][1] * e_x, y = turns[k][0] * e_x - turns[k][1] * e_y;
        if (free_way(w, at, x, y, width) + free_way(w, at, -x, -y, width) < width) return false;
    }
    return true;
}

static bool is_pressed(const throng_wishing *w, const habit_params *p, size_t row) {
    double x = w->wish_x[row], y = w->wish_y[row], square = x * x + y * y, *open = w->columns[OPEN];
    double got = w->people.vx[row] * x + w->people.vy[row] * y;
    if (!(square > 0) || !(got < held_up * square)) {
        open[row] = 0;
        return false;
    }
    if (open[row] == 0 || looks_now(w, row)) {
        double scale = 1 / sqrt(square);
        open[row] = is_in_the_open(w, row, p->press_width, scale * x, scale * y) ? 2 : 1;
    }
    return open[row] > 1;
}

typedef struct room {
    double mine, least; /* m: own radius, and the least gap */
} room;

static void see(void *context, throng_seen seen) {
    room *r = context;
    r->least = fmin(r->least, sqrt(seen.x * seen.x + seen.y * seen.y) - r->mine - seen.radius);
}

/* As wide as somebody may be who would like to be `wanted`. */
static double grown(const throng_wishing *w, size_t row, double wanted) {
    double now = w->people.radius[row], more = (wanted - now) / part_of_gap;
    room r = {now, more};
    throng_wish_look_around(w, (uint32_t)row, now + more + w->near->radius_max, see, &r);
    r.least = fmin(r.least, throng_walls_depth(w->walls, w->people.x[row], w->people.y[row], now + more) - now);
    return now + part_of_gap * fmax(r.least, 0);
}

static void look(const throng_wishing *w, size_t begin, size_t end) {
    double *press = w->columns[PRESS], *next = w->columns[NEXT];
    for (size_t row = begin; row < end; row++) {
        const habit_params *p = w->params[w->people.profile[row]];
        if (!p) continue;
        press[row] = is_pressed(w, p, row) ? fmin(press[row] + w->dt / rise, 1) : fmax(press[row] - w->dt / fall, 0);
        double wanted = w->body[row] * (1 - p->squeeze * press[row]);
        next[row] = wanted > w->people.radius[row] ? grown(w, row, wanted) : wanted;
    }
}

static double reach_of(const void *of, double radius) {
    const habit_params *p = of;
    return (2 + p->squeeze / part_of_gap) * radius / (1 - p->squeeze);
}

const throng_habit throng_habit_squeeze = {
    .name = "squeeze",
    .title = "Turns a shoulder where it is pressed",
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
};
