/* wall_lines.c: the half-planes that walls leave (obstacle ORCA lines).
 *
 * Seen by a person of radius r, the velocities that lead into a wall within the horizon T are the
 * wall blown up to a capsule, shrunk by T and with all that lies behind it: two legs touching the
 * ends' circles, two arcs and the cut-off line between them.
 *
 *     left leg \                      / right leg
 *               \    behind it       /
 *                (__________________)
 *              left     cut-off    right
 *
 * The line is the tangent at the border's point nearest to the person's velocity. Walls meet at
 * corners: a leg that would point into the next wall is "foreign", that wall's own line takes care;
 * and at a corner that recedes the cut-off simply goes on. Standing still is always allowed. */

#include <math.h>

#include "base/vector.h"
#include "models/orca/orca.h"

/* A wall whose velocities a former line forbids but for so little (m/s) needs no line of its own. */
#define COVERED 1e-5

/* A leg points into the next wall when the sine between them is more: legs of people who slide along
 * a thin wall are parallel to both of its sides. */
#define FOREIGN 1e-9

static inline throng_point direction(const throng_walls *walls, uint32_t wall) {
    return (throng_point){walls->along_x[wall], walls->along_y[wall]};
}

/* The wall as the person sees it, who stands on its left: the wall's start is the right end. */
typedef struct view {
    uint32_t left, right;             /* corners that bound the view; equal when seen obliquely */
    throng_point to_left, to_right;   /* m, from the person */
    throng_point left_leg, right_leg; /* unit directions */
    bool left_open, right_open;       /* the leg is the cut-off going on past a receding corner */
    bool left_other, right_other;     /* the leg is foreign */
    throng_point along;
    double height; /* m, over the line of the wall */
} view;

typedef struct list {
    throng_orca_line *line;
    size_t count;
} list;

static void add_line(list *lines, throng_point d, double c) {
    lines->line[lines->count++] = (throng_orca_line){d.x, d.y, c < 0 ? c : 0}; /* rounding must not forbid to stand */
}

/* Away from a point that the person touches. */
static void add_line_away_from(list *lines, throng_point to) {
    double length = sqrt(throng_dot(to, to));
    if (length > 0) add_line(lines, (throng_point){-to.y / length, to.x / length}, 0);
}

/* The tangent from the person to the circle of radius r around a point: its left or right one. */
static throng_point tangent(throng_point to, double r, double side) {
    double length2 = throng_dot(to, to), leg = sqrt(length2 - r * r);
    return throng_times(1 / length2, (throng_point){to.x * leg - side * to.y * r, side * to.x * r + to.y * leg});
}

/* Deals with a wall the person touches. False when it touches none of it. */
static bool touches(list *lines, const throng_walls *walls, uint32_t wall, const view *s, double at, double r) {
    if (at > walls->length[wall] && throng_dot(s->to_left, s->to_left) <= r * r) {
        if (walls->convex[s->left]) add_line_away_from(lines, s->to_left);
        return true;
    }
    if (at < 0 && throng_dot(s->to_right, s->to_right) <= r * r) {
        /* unless the wall before is in sight too, which then deals with their corner */
        bool unseen = throng_cross(direction(walls, walls->previous[wall]), s->to_right) >= 0;
        if (walls->convex[s->right] && unseen) add_line_away_from(lines, s->to_right);
        return true;
    }
    if (at >= 0 && at <= walls->length[wall] && s->height <= r) {
        add_line(lines, s->along, 0);
        return true;
    }
    return false;
}

/* Finds the legs. False when a receding corner hides the wall. */
static bool find_legs(const throng_walls *walls, uint32_t wall, view *s, double at, double r) {
    if (s->height <= r && at > walls->length[wall]) { /* seen obliquely from beyond the left end */
        if (!walls->convex[s->left]) return false;
        s->right = s->left;
        s->to_right = s->to_left;
    } else if (s->height <= r && at < 0) {
        if (!walls->convex[s->right]) return false;
        s->left = s->right;
        s->to_left = s->to_right;
    }
    s->left_open = !walls->convex[s->left];
    s->right_open = !walls->convex[s->right];
    s->left_leg = s->left_open ? s->along : tangent(s->to_left, r, 1);
    s->right_leg = s->right_open ? throng_times(-1, s->along) : tangent(s->to_right, r, -1);
    throng_point beyond_left = direction(walls, s->left);
    if (!s->left_open && throng_cross(s->left_leg, beyond_left) > FOREIGN) {
        s->left_leg = beyond_left;
        s->left_other = true;
    }
    throng_point beyond_right = throng_times(-1, direction(walls, walls->previous[s->right]));
    if (!s->right_open && throng_cross(s->right_leg, beyond_right) < -FOREIGN) {
        s->right_leg = beyond_right;
        s->right_other = true;
    }
    return true;
}

/* The tangent to the cut-off circle around `centre`, at the point nearest to v. */
static void add_arc_line(list *lines, throng_point centre, double radius, throng_point v) {
    throng_point w = throng_minus(v, centre);
    double length = sqrt(throng_dot(w, w));
    if (length == 0) { /* any point is as near: take the one towards standing still */
        w = throng_times(-1, centre);
        length = sqrt(throng_dot(w, w));
    }
    throng_point n = throng_times(1 / length, w);
    add_line(lines, (throng_point){n.y, -n.x}, throng_dot(n, centre) + radius);
}

static void add_nearest_tangent(list *lines, const view *s, throng_point v, double r, double horizon) {
    double inverse = 1 / horizon;
    throng_point left = throng_times(inverse, s->to_left), right = throng_times(inverse, s->to_right);
    throng_point from_left = throng_minus(v, left), from_right = throng_minus(v, right);
    bool oblique = s->left == s->right;
    bool past_left = !oblique && throng_dot(from_left, s->along) > 0,
         past_right = !oblique && throng_dot(from_right, s->along) < 0;
    bool before_left = throng_dot(from_left, s->left_leg) < 0, before_right = throng_dot(from_right, s->right_leg) < 0;
    if (before_left && (past_left || (oblique && before_right))) {
        add_arc_line(lines, left, r * inverse, v);
        return;
    }
    if (before_right && past_right) {
        add_arc_line(lines, right, r * inverse, v);
        return;
    }
    double to_cut = past_left || past_right || oblique ? INFINITY : fabs(throng_cross(from_left, s->along));
    double to_left = before_left ? INFINITY : fabs(throng_cross(from_left, s->left_leg));
    double to_right = before_right ? INFINITY : fabs(throng_cross(from_right, s->right_leg));
    double cut_off = (r - s->height) * inverse;
    /* legs that touch the circles start at the origin, so their offset is 0 */
    if (to_cut <= to_left && to_cut <= to_right) {
        add_line(lines, s->along, cut_off);
    } else if (to_left <= to_right) {
        if (!s->left_other) add_line(lines, s->left_leg, s->left_open ? cut_off : 0);
    } else {
        if (!s->right_other) add_line(lines, throng_times(-1, s->right_leg), s->right_open ? cut_off : 0);
    }
}

/* Whether a former line already forbids all that would lead into the wall. */
static bool is_covered(const list *lines, const view *s, double r, double horizon) {
    for (size_t i = 0; i < lines->count; i++) {
        throng_point d = {lines->line[i].x, lines->line[i].y};
        double need = (lines->line[i].c + COVERED) * horizon - r;
        if (need >= throng_cross(d, s->to_left) && need >= throng_cross(d, s->to_right)) return true;
    }
    return false;
}

static void add_wall_line(list *lines, const throng_walls *walls, uint32_t wall, const throng_orca_person *person,
                          double horizon) {
    view s = {.left = walls->next[wall], .right = wall, .along = direction(walls, wall)};
    throng_point at = {person->x, person->y};
    s.to_left = throng_minus((throng_point){walls->x[s.left], walls->y[s.left]}, at);
    s.to_right = throng_minus((throng_point){walls->x[s.right], walls->y[s.right]}, at);
    s.height = -throng_cross(s.along, s.to_right);
    if (s.height <= 0) return; /* seen from behind, or not at all */
    if (is_covered(lines, &s, person->radius, horizon)) return;
    double along = -throng_dot(s.along, s.to_right);
    if (touches(lines, walls, wall, &s, along, person->radius)) return;
    if (!find_legs(walls, wall, &s, along, person->radius)) return;
    add_nearest_tangent(lines, &s, (throng_point){person->vx, person->vy}, person->radius, horizon);
}

size_t throng_orca_wall_lines(const throng_walls *walls, const throng_wall_near *sight, size_t count,
                              const throng_orca_person *person, double horizon,
                              throng_orca_line out[THRONG_ORCA_HARD]) {
    list lines = {out, 0};
    for (size_t i = 0; i < count && lines.count < THRONG_ORCA_HARD; i++) {
        add_wall_line(&lines, walls, sight[i].wall, person, horizon);
    }
    return lines.count;
}

/* The squared distance to a wall; infinite for who stands behind it. */
static inline double distance2_in_front(const throng_walls *walls, uint32_t wall, double x, double y) {
    throng_point from = {x - walls->x[wall], y - walls->y[wall]}, d = direction(walls, wall);
    double height = throng_cross(d, from), along = throng_dot(d, from);
    if (height <= 0) return INFINITY;
    if (along <= 0) return throng_dot(from, from);
    if (along < walls->length[wall]) return height * height;
    uint32_t end = walls->next[wall];
    throng_point from_end = {x - walls->x[end], y - walls->y[end]};
    return throng_dot(from_end, from_end);
}

size_t throng_orca_walls_in_sight(const throng_walls *walls, const throng_wall_near *some, size_t count, double x,
                                  double y, double reach, throng_wall_near *out) {
    size_t seen = 0;
    for (size_t i = 0; i < count; i++) {
        throng_wall_near item = {distance2_in_front(walls, some[i].wall, x, y), some[i].wall};
        if (!(item.distance2 <= reach * reach)) continue;
        size_t at = seen++;
        for (; at > 0; at--) {
            throng_wall_near before = out[at - 1];
            if (before.distance2 < item.distance2) break;
            if (before.distance2 == item.distance2 && before.wall < item.wall) break;
            out[at] = before;
        }
        out[at] = item;
    }
    return seen;
}

/* How much of a way is free of the walls in sight. */
static double free_part(const throng_walls *walls, const throng_wall_near *sight, size_t count, throng_point at,
                        throng_point way) {
    const double margin = 1e-9; /* m, so that nobody slips through between two walls */
    double go = 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t wall = sight[i].wall;
        throng_point from = {at.x - walls->x[wall], at.y - walls->y[wall]}, d = direction(walls, wall);
        double height = throng_cross(d, from), sinking = -throng_cross(d, way);
        if (height <= 0 || sinking < height) continue;
        double part = height / sinking, along = throng_dot(d, from) + part * throng_dot(d, way);
        if (along < -margin || along > walls->length[wall] + margin) continue;
        go = part < go ? 0.99 * part : go; /* stop a little before the wall */
    }
    return go;
}

bool throng_orca_stop_at_walls(const throng_walls *walls, const throng_wall_near *sight, size_t count, bool all,
                               throng_point at, double dt, double *vx, double *vy) {
    double go = free_part(walls, sight, count, at, (throng_point){*vx * dt, *vy * dt});
    for (int tries = 0; !all && go > 0; tries++) {
        throng_point to = {at.x + go * *vx * dt, at.y + go * *vy * dt};
        if (!throng_walls_block(walls, at, to, 0)) break;
        go = tries < 10 ? 0.5 * go : 0;
    }
    *vx *= go;
    *vy *= go;
    return go < 1;
}
