/* roadmap_trail.c: people who go on along their trails (path state), which nearly all do in nearly every step. That
 * takes a few nanoseconds, as nothing but the trail is looked at, and every few seconds the walls ahead of those who
 * have not kept to their leg. Those who do not see where to go, or are at a bend, go on to roadmap_follow.c. */

#include <math.h>

#include "base/wide.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double step_usual = 0.12;   /* m, about what is walked in a step */
static const double as_good_as_on = 0.6; /* of a radius beside a leg: it was clear for a whole one */

/* --- a bend */

/* Of somebody within the circle: around the corner and away from it. */
static throng_choice choice_inside(throng_point at, uint32_t node, throng_point centre, double margin) {
    double dx = at.x - centre.x, dy = at.y - centre.y, far = sqrt(dx * dx + dy * dy), side = throng_node_side(node);
    throng_point u = {1, 0};
    if (far > 0) u = (throng_point){dx / far, dy / far};
    double out = fmin(2 * (1 - far / margin), 0.6), along = side * sqrt(1 - out * out);
    return (throng_choice){.corner = node,
                           .next = throng_ahead(centre, u, margin),
                           .direction = {along * u.y + out * u.x, -along * u.x + out * u.y},
                           .length = fmax(margin - far, 0),
                           .touch = u};
}

static inline throng_choice choice_around(throng_point at, uint32_t node, throng_point centre, double margin) {
    throng_tangent line;
    if (!throng_tangent_of(at, 0, centre, throng_node_side(node), margin, &line))
        return choice_inside(at, node, centre, margin);
    return (throng_choice){.corner = node,
                           .next = throng_ahead(centre, line.touch[1], margin),
                           .direction = line.direction,
                           .length = line.length,
                           .touch = line.touch[1]};
}

throng_choice throng_choice_around(throng_point at, uint32_t node, throng_point centre, double margin) {
    return choice_around(at, node, centre, margin);
}

void throng_choice_turn(throng_choice *c, throng_point at, throng_point centre, double margin) {
    double on = fmin(step_usual - c->length, 0.8 * margin);
    if (on <= 0) return;
    double dx = at.x - centre.x, dy = at.y - centre.y;
    if (dx * dx + dy * dy < margin * margin * (1 - 1e-6)) return;
    /* Turned by the angle on / margin, with the tangent of half of it by its series. */
    double half = 0.5 * on / margin, h = half + half * half * half / 3, scale = 1 / (1 + h * h);
    double cosine = (1 - h * h) * scale, sine = -throng_node_side(c->corner) * 2 * h * scale;
    throng_point u = {cosine * c->touch.x - sine * c->touch.y, sine * c->touch.x + cosine * c->touch.y};
    throng_point to = throng_ahead(centre, u, margin);
    double x = to.x - at.x, y = to.y - at.y, far = sqrt(x * x + y * y);
    if (far > 0) c->direction = (throng_point){x / far, y / far};
}

/* --- when to look */

bool throng_trail_is_due(const throng_trail *trail, const throng_pace *pace) {
    return (double)throng_trail_age(trail, pace) >= throng_trail_period(trail, pace);
}

bool throng_trail_is_on_leg(const throng_trail *trail, throng_point at, double aside) {
    throng_point arm = {trail->next.x - trail->around.x, trail->next.y - trail->around.y};
    double off = throng_dot((throng_point){at.x - trail->next.x, at.y - trail->next.y}, arm);
    return off * off <= aside * aside * throng_dot(arm, arm);
}

bool throng_trail_is_walled_off(const throng_trail *trail, const throng_pace *pace, const throng_walls *walls,
                                throng_point at, double radius) {
    const double ahead = 1, at_hand = 0.2; /* m */
    if (!throng_trail_wonders(trail, pace)) return false;
    double near = radius + at_hand, depth = throng_walls_depth(walls, at.x, at.y, near);
    if (!(depth < near)) return false;
    double dx = trail->next.x - at.x, dy = trail->next.y - at.y, far = sqrt(dx * dx + dy * dy);
    throng_point to = far > ahead ? throng_ahead(at, (throng_point){dx, dy}, ahead / far) : trail->next;
    return !throng_sight_is_clear(walls, at, to, 0.98 * fmin(depth, radius));
}

/* --- going on */

/* Straight on, from this far away. Each number is written by itself: a copy of all of them would have to wait for
 * their sum. */
static inline void go_straight(throng_way *way, double dx, double dy, double far2, double beyond) {
    double far = sqrt(far2), scale = 1 / far;
    way->direction.x = dx * scale;
    way->direction.y = dy * scale;
    way->distance = far + beyond;
    way->unknown = false;
}

/* Takes a trail along around its bend to where the leg touches it now. */
static void move_along(throng_trail *trail, const throng_choice *c, throng_point arm, double margin) {
    throng_point old = {arm.x / margin, arm.y / margin};
    double back = throng_node_side(trail->corner) * throng_cross(old, c->touch),
           turn = throng_angle_between(old, c->touch);
    trail->beyond += margin * (back > 0 ? turn : -turn);
    trail->next = c->next;
}

/* Whether a corner is in between somebody who walks around it and what comes after it. */
static bool is_between(uint32_t corner, throng_point after, throng_point direction, double margin) {
    double aside = throng_node_side(corner) * throng_cross(after, direction); /* m */
    return aside > margin || (aside > 0 && aside * aside > THRONG_HARDLY * THRONG_HARDLY * throng_dot(after, after));
}

/* Around the bend that a trail leads to, as long as the corner is still in between. */
static bool goes_around(throng_trail *trail, throng_point at, throng_way *way) {
    throng_point arm = {trail->next.x - trail->around.x, trail->next.y - trail->around.y};
    throng_point after = {trail->after.x - at.x, trail->after.y - at.y};
    double margin = sqrt(throng_dot(arm, arm));
    throng_choice c = choice_around(at, trail->corner, trail->around, margin);
    if (!is_between(trail->corner, after, c.direction, margin)) return false;
    throng_point moved = {c.next.x - trail->next.x, c.next.y - trail->next.y};
    if (throng_dot(moved, moved) >= THRONG_MOVED_MOST * THRONG_MOVED_MOST) {
        /* Of a bend close behind, the one point known of it says too little. */
        if (throng_dot(after, after) < 9 * margin * margin) return false;
        move_along(trail, &c, arm, margin);
    }
    if (c.length < step_usual) throng_choice_turn(&c, at, trail->around, margin);
    way->direction = c.direction;
    way->distance = c.length + trail->beyond;
    way->unknown = false;
    return true;
}

/* Whether somebody still away from a bend glances up in this step and has no corner in between any more: a crowd has
 * carried it to where what comes after the bend may be in sight. */
static bool is_freed(const throng_trail *trail, throng_point at, const throng_pace *pace) {
    if (!throng_pace_glances(pace)) return false;
    throng_point after = {trail->after.x - at.x, trail->after.y - at.y};
    throng_point leg = {trail->next.x - at.x, trail->next.y - at.y};
    double across = throng_node_side(trail->corner) * throng_cross(leg, after);
    return across > 0 &&
           across * across > THRONG_HARDLY * THRONG_HARDLY * throng_dot(leg, leg) * throng_dot(after, after);
}

/* Whether the next few metres of a way are clear for a body: there will be time to look at the rest. */
static bool is_in_sight(const throng_walls *walls, throng_point at, throng_point to, double far2, double radius) {
    const double enough = THRONG_SEEN_AHEAD;
    double far = sqrt(far2);
    if (far >= 1.5 * enough) to = throng_ahead(at, (throng_point){to.x - at.x, to.y - at.y}, enough / far);
    return throng_sight_is_clear(walls, at, to, radius);
}

/* Whether somebody who has got to the side of its leg still sees the bend, and nothing else is to be found out:
 * the corner is in between, and the leg from here touches it where the old one did, or nearly so. */
static bool sees_bend(throng_trail *trail, throng_point at, double radius, const throng_walls *walls) {
    if (!throng_trail_is_on_leg(trail, at, THRONG_WORTH_LOOKING)) return false;
    throng_point arm = {trail->next.x - trail->around.x, trail->next.y - trail->around.y};
    double margin = sqrt(throng_dot(arm, arm));
    throng_choice c = choice_around(at, trail->corner, trail->around, margin);
    throng_point moved = {c.next.x - trail->next.x, c.next.y - trail->next.y};
    throng_point after = {trail->after.x - at.x, trail->after.y - at.y};
    if (throng_dot(moved, moved) > margin * margin || !is_between(trail->corner, after, c.direction, margin))
        return false;
    if (!is_in_sight(walls, at, c.next, c.length * c.length, radius)) return false;
    move_along(trail, &c, arm, margin);
    return true;
}

/* Somebody walking. */
typedef struct walking {
    throng_point at;
    double radius;
    int slow; /* 1: it walks at less than half the speed it likes; 2: at less than a quarter */
    bool stands;
} walking;

/* Whether it is time to look. A person held up has come half as far since, or less, and seen that far ahead already. */
static inline bool is_time(const walking *w, const throng_trail *trail, const throng_pace *pace) {
    return (double)throng_trail_age(trail, pace) >= throng_trail_period(trail, pace) * (1 << w->slow);
}

/* To the nearest point of the landing that a trail leads to. Who is still opposite the point it was walking to when
 * it looked need not look again. */
static bool goes_to_land(throng_trail *trail, const walking *w, const throng_pace *pace, const throng_walls *walls,
                         throng_way *way) {
    throng_point along = {trail->after.x - trail->around.x, trail->after.y - trail->around.y};
    throng_point end = throng_nearest_between(trail->around, trail->after, w->at);
    double dx = end.x - w->at.x, dy = end.y - w->at.y, far2 = dx * dx + dy * dy;
    if (far2 < step_usual * step_usual || (trail->corner & THRONG_STOPS)) return false;
    if (is_time(w, trail, pace)) {
        double aside = as_good_as_on * w->radius, slant = throng_dot(along, (throng_point){dx, dy});
        throng_point moved = {end.x - trail->next.x, end.y - trail->next.y};
        bool opposite = throng_dot(moved, moved) <= aside * aside && throng_dot(along, along) > 0 &&
                        slant * slant <= 1e-6 * far2 * throng_dot(along, along);
        if (!opposite && !is_in_sight(walls, w->at, end, far2, w->radius)) return false;
        if (!opposite) trail->next = end;
        trail->planned = (uint32_t)(pace->step + 1);
    }
    go_straight(way, dx, dy, far2, trail->beyond);
    return true;
}

/* On to the bend that a trail leads to, and around it. */
static bool goes_to_bend(throng_trail *trail, const walking *w, const throng_pace *pace, const throng_walls *walls,
                         throng_way *way) {
    double dx = trail->next.x - w->at.x, dy = trail->next.y - w->at.y, far2 = dx * dx + dy * dy;
    double look = THRONG_NEAR_BEND + w->radius;
    bool near = far2 < look * look;
    if (is_time(w, trail, pace)) {
        /* The leg was free and the best when it was chosen. */
        bool on_leg = throng_trail_is_on_leg(trail, w->at, as_good_as_on * w->radius);
        if (near || (!on_leg && !sees_bend(trail, w->at, w->radius, walls))) return false;
        trail->planned = (uint32_t)(pace->step + 1);
        dx = trail->next.x - w->at.x, dy = trail->next.y - w->at.y, far2 = dx * dx + dy * dy;
    }
    if (near) return goes_around(trail, w->at, way);
    if (is_freed(trail, w->at, pace)) return false;
    go_straight(way, dx, dy, far2, trail->beyond);
    return true;
}

static bool goes_on(throng_trail *trail, const walking *w, const throng_pace *pace, const throng_walls *walls,
                    throng_way *way) {
    if (throng_trail_is_outdated(trail, pace)) return false;
    if (w->stands && throng_trail_is_walled_off(trail, pace, walls, w->at, w->radius)) return false;
    return (trail->corner & THRONG_LANDS ? goes_to_land : goes_to_bend)(trail, w, pace, walls, way);
}

bool throng_trail_goes_on(throng_trail *trail, const throng_walker *walker, const throng_pace *pace,
                          const throng_walls *walls, throng_way *way) {
    return goes_on(trail, &(walking){.at = walker->at, .radius = walker->radius}, pace, walls, way);
}

/* --- many at a time */

static inline walking walking_of(const throng_route_crowd *crowd, size_t row) {
    double vx = crowd->people.vx[row], vy = crowd->people.vy[row], liked = crowd->people.desired_speed[row];
    double speed2 = vx * vx + vy * vy, liked2 = liked * liked;
    return (walking){.at = {crowd->people.x[row], crowd->people.y[row]},
                     .radius = crowd->people.radius[row],
                     .slow = (speed2 < 0.25 * liked2) + (speed2 < 0.0625 * liked2),
                     .stands = speed2 < THRONG_STANDING * THRONG_STANDING * liked2};
}

/* To the nearest point of their landing; who is there already, or stops there only for now, looks around. */
static void lead_to_land(const throng_route_crowd *crowd, size_t begin, throng_way *ways, throng_sifted *s) {
    for (size_t k = 0; k < s->land_count; k++) {
        size_t i = s->lands[k];
        const throng_trail *trail = &crowd->trail[begin + i];
        throng_point at = {crowd->people.x[begin + i], crowd->people.y[begin + i]};
        throng_point end = throng_nearest_between(trail->around, trail->after, at);
        double dx = end.x - at.x, dy = end.y - at.y, far2 = dx * dx + dy * dy;
        if (far2 < step_usual * step_usual || (trail->corner & THRONG_STOPS))
            s->others[s->other_count++] = (uint16_t)i;
        else
            go_straight(&ways[i], dx, dy, far2, trail->beyond);
    }
}

size_t throng_trails_lead(const throng_route_crowd *crowd, const throng_pace *pace, const throng_walls *walls,
                          size_t begin, size_t count, throng_way *ways, uint16_t *looking) {
    throng_sifted s;
    size_t found = 0;
    bool fast = crowd->simd && throng_wide_supported();
    (fast ? throng_sift_avx2 : throng_sift_plain)(crowd, pace, begin, count, ways, &s);
    lead_to_land(crowd, begin, ways, &s);
    for (size_t k = 0; k < s.other_count; k++) {
        size_t i = s.others[k];
        walking w = walking_of(crowd, begin + i);
        ways[i] = (throng_way){.distance = -1};
        if (crowd->people.state[begin + i] != THRONG_WALKING) continue;
        if (!goes_on(&crowd->trail[begin + i], &w, pace, walls, &ways[i])) looking[found++] = (uint16_t)i;
    }
    return found;
}
