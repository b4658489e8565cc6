/* stops.c: the wish (desired velocity) that people make of their way: along it at the speed they like, and no farther
 * than they mean to go. They stop at the end of their journey, short of leaping over a goal, and a body's width before
 * a goal that is closed:
 *
 *     o o o -> |<- a body's width ->|#### closed goal */

#include <math.h>

#include "base/vector.h"
#include "space/period.h"
#include "wish/wish.h"

static const double spot_radius = 0.5;  /* m, near enough to one's own spot in an area */
static const double just_inside = 1e-6; /* m beyond the border of a goal */

/* In the area where its journey ends, somebody makes room for others: it goes on to a spot of its own, and stands
 * there. */
static throng_point stay(const throng_wishing *w, size_t row) {
    const throng_view *p = &w->people;
    if (w->goals[p->goal[row]].def.kind != THRONG_GOAL_AREA) return (throng_point){0, 0};
    throng_point to = throng_period_apart(w->period, p->target_x[row] - p->x[row], p->target_y[row] - p->y[row]);
    double distance = throng_length(to);
    if (distance < spot_radius) return (throng_point){0, 0};
    double speed = fmin(p->desired_speed[row], distance / w->dt);
    return (throng_point){to.x / distance * speed, to.y / distance * speed};
}

/* How far somebody may walk towards the closed goal that is so far away; who is not held there backs off. m */
static double way_to_closed(const throng_goal_def *goal, double radius, double distance, bool held) {
    double left = distance - (2 * radius + (goal->kind == THRONG_GOAL_POINT ? goal->radius : 0));
    return held ? fmax(left, 0) : left;
}

/* Whether a step at full speed, begun outside the goal, would end beyond it. */
static bool leaps_over(const throng_wishing *w, throng_walker walker, throng_way way, double length) {
    if (length <= way.distance) return false;
    walker.at = throng_plus(walker.at, throng_times(length, way.direction));
    return !throng_goal_reached(w->route, w->goals, &walker);
}

/* Of somebody who may have to stop. */
static throng_point wish_near_goal(const throng_wishing *w, size_t row) {
    throng_way way = w->ways[row];
    if (!(way.distance >= 0)) return w->people.state[row] == THRONG_ARRIVED ? stay(w, row) : (throng_point){0, 0};
    const throng_goal_def *goal = &w->goals[w->people.goal[row]].def;
    throng_errand errand = w->errand(w->world, row);
    double speed = w->people.desired_speed[row];
    if (throng_goal_is_closed(w->goals, w->people.goal[row])) {
        double left = way_to_closed(goal, w->people.radius[row], way.distance, !errand.keeps_apart);
        speed = fmax(fmin(speed, left / w->dt), -speed);
    } else {
        if (errand.ends && !goal->exit) speed = fmin(speed, way.distance / w->dt);
        if (leaps_over(w, errand.walker, way, speed * w->dt)) speed = (way.distance + just_inside) / w->dt;
    }
    return throng_times(speed, way.direction);
}

static void make(const throng_wishing *w, size_t begin, size_t end) {
    const throng_way *ways = w->ways;
    const double *speeds = w->people.desired_speed, dt = w->dt;
    double *wish_x = w->wish_x, *wish_y = w->wish_y;
    bool any_closed = w->any_closed;
    for (size_t row = begin; row < end; row++) {
        double speed = speeds[row];
        bool far = ways[row].distance > speed * dt * (1 + 1e-9);
        if (far && any_closed) far = !throng_goal_is_closed(w->goals, w->people.goal[row]);
        throng_point wish = throng_times(speed, ways[row].direction);
        if (!far) wish = wish_near_goal(w, row);
        wish_x[row] = wish.x;
        wish_y[row] = wish.y;
    }
}

const throng_habit throng_habit_stops = {
    .name = "stops",
    .title = "Walks its way at the speed it likes, and stops where it ends and before closed goals",
    .make = make,
};
