/* waiting.c: how people who wait walk to their spots, in a line (waiting queue) or in the area of a goal. Who
 * gets which spot is the world's to say (world/queues.c). */

#include <math.h>

#include "base/vector.h"
#include "space/walls.h"
#include "wish/wish.h"

static const double on_spot = 0.08;   /* m: who is that near stands still */
static const double settle_s = 0.3;   /* s in which the last bit is walked */
static const double look_ahead = 0.8; /* m, beside a line */
static const double farther = 1.6;    /* times the spacing: who has more to go walks beside the line */

static bool sees(const throng_wishing *w, const throng_walker *walker, throng_point at, throng_point to) {
    return throng_distance(at, to) < 1e-9 || !throng_walls_block(w->walls, at, to, 0.9 * walker->radius);
}

/* A spot of the line in sight from which it is not far to the own one; false when there is none. */
static bool find_seen(const throng_wishing *w, const throng_errand *errand, throng_point at, throng_point *out) {
    double best = INFINITY;
    for (size_t i = 0; i < errand->line.count; i++) {
        throng_point spot = errand->line.spots[i];
        double far = throng_distance(spot, errand->spot);
        if (far >= best || !sees(w, &errand->walker, at, spot)) continue;
        best = far;
        *out = spot;
    }
    return best < INFINITY;
}

/* Who has farther to go along a line does so beside it, on the right, so that it meets neither those who
 * stand nor those who come the other way: the point to walk to for now. */
static throng_point beside_line(const throng_wishing *w, const throng_errand *errand, throng_point at,
                                throng_point own) {
    double nearest = INFINITY, aside = errand->line.spacing;
    throng_point body = own;
    for (size_t i = 0; i < errand->line.count; i++) {
        double apart = throng_distance(errand->line.spots[i], at);
        if (apart < nearest) body = errand->line.spots[i];
        nearest = fmin(nearest, apart);
    }
    if (nearest > 2 * aside) return own;
    throng_point on = throng_unit(throng_minus(own, at)), right = {on.y, -on.x};
    double correct = fmax(aside - throng_dot(throng_minus(at, body), right), 0);
    throng_point aim = {at.x + on.x * look_ahead + right.x * correct, at.y + on.y * look_ahead + right.y * correct};
    return sees(w, &errand->walker, at, aim) ? aim : own;
}

static throng_point wish_for_spot(const throng_wishing *w, size_t row) {
    throng_errand errand = w->errand(w->world, row);
    double speed = w->people.desired_speed[row];
    throng_point at = {w->people.x[row], w->people.y[row]}, to = errand.spot;
    double apart = throng_distance(at, errand.spot);
    if (apart < on_spot) return (throng_point){0, 0};
    if (!sees(w, &errand.walker, at, errand.spot) && !find_seen(w, &errand, at, &to)) {
        if (!errand.in_line) return (throng_point){0, 0};
        return throng_times(speed, throng_route_way(w->route, w->goals, &errand.walker).direction);
    }
    if (errand.in_line && apart > farther * errand.line.spacing) to = beside_line(w, &errand, at, to);
    speed = fmin(speed, apart / fmax(settle_s, w->dt));
    return throng_times(speed, throng_unit(throng_minus(to, at)));
}

static void make(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end && w->any_waits; row++) {
        if (w->people.state[row] != THRONG_PAUSING && w->people.state[row] != THRONG_QUEUEING) continue;
        throng_point wish = wish_for_spot(w, row);
        w->wish_x[row] = wish.x;
        w->wish_y[row] = wish.y;
    }
}

const throng_habit throng_habit_waiting = {
    .name = "waiting",
    .title = "Goes to the spot where it waits, beside the line it stands in",
    .make = make,
};
