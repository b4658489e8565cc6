/* wall_times.c: when somebody who walks on as it does touches a wall.
 *
 * The border of where a disc's centre can be consists of lines at a radius from the flat sides of walls
 * and of arcs around corners that stick out. What a straight way meets first is one of them:
 *
 *     ___________     flat: tau = gap / sinking speed, if the disc then touches it beside its ends
 *     wall       \    arc: as for a person of no extent, if the disc then touches the very corner
 *                 |
 *
 * So it does not matter into how many pieces a straight wall is cut, and walls behind the first one
 * are not felt. */

#include <math.h>

#include "base/vector.h"
#include "models/powerlaw/powerlaw.h"
#include "space/walls.h"

#define LEAST_GAP 1e-3 /* m: who is in a wall feels it as if it were so far away */
#define SLOWEST2  1e-5 /* m^2/s^2: slower than this nobody runs into a wall */
#define PIECE     3.0  /* m of the way that are looked at together */

static inline throng_point direction(const throng_walls *walls, uint32_t wall) {
    return (throng_point){walls->along_x[wall], walls->along_y[wall]};
}

typedef struct search {
    const throng_walls *walls;
    const throng_powerlaw_person *person;
    throng_powerlaw_impact first;
} search;

/* Whether walking on leads to the flat side of a wall. */
static void meet_flat(search *s, uint32_t wall) {
    throng_point from = {s->person->x - s->walls->x[wall], s->person->y - s->walls->y[wall]};
    throng_point v = {s->person->vx, s->person->vy}, u = direction(s->walls, wall);
    double height = throng_cross(u, from), sinking = -throng_cross(u, v);
    if (!(height > 0) || !(sinking > 0)) return;
    double tau = (height - s->person->radius > LEAST_GAP ? height - s->person->radius : LEAST_GAP) / sinking;
    if (!(tau < s->first.tau)) return;
    double along = throng_dot(u, from) + tau * throng_dot(u, v);
    if (along < 0 || along > s->walls->length[wall]) return;
    s->first = (throng_powerlaw_impact){tau, -u.y / sinking, u.x / sinking};
}

/* Whether walking on leads to the corner that a wall starts from. */
static void meet_corner(search *s, uint32_t wall) {
    if (!s->walls->convex[wall]) return;
    throng_point q = {s->walls->x[wall] - s->person->x, s->walls->y[wall] - s->person->y};
    throng_point v = {s->person->vx, s->person->vy};
    double a = throng_dot(v, v), b = throng_dot(q, v), q2 = throng_dot(q, q), r = s->person->radius;
    if (q2 < (r + LEAST_GAP) * (r + LEAST_GAP)) r = fmax(sqrt(q2) - LEAST_GAP, 0);
    double c = q2 - r * r, d = b * b - a * c;
    if (!(b > 0) || !(d > 0) || !(c > 0)) return;
    double root = sqrt(d), tau = c / (b + root);
    if (!(tau < s->first.tau)) return;
    /* then the centre must be beyond the ends of both walls */
    throng_point at = {v.x * tau - q.x, v.y * tau - q.y};
    if (throng_dot(direction(s->walls, wall), at) > 0 ||
        throng_dot(direction(s->walls, s->walls->previous[wall]), at) < 0)
        return;
    double scale = 1 / (a * fmax(root, 1e-9));
    s->first =
        (throng_powerlaw_impact){tau, scale * ((b - root) * v.x - a * q.x), scale * ((b - root) * v.y - a * q.y)};
}

/* Looks at the walls in the cells around a piece of the way. */
static void look_around(search *s, throng_point from, throng_point to, double margin) {
    const throng_walls *walls = s->walls;
    double inverse = walls->inverse_cell;
    double left = (from.x < to.x ? from.x : to.x) - margin - walls->origin_x;
    double right = (from.x < to.x ? to.x : from.x) + margin - walls->origin_x;
    double bottom = (from.y < to.y ? from.y : to.y) - margin - walls->origin_y;
    double top = (from.y < to.y ? to.y : from.y) + margin - walls->origin_y;
    if (right < 0 || top < 0) return;
    int32_t first = throng_walls_clamp(left * inverse, walls->columns);
    int32_t last = throng_walls_clamp(right * inverse, walls->columns);
    int32_t row_last = throng_walls_clamp(top * inverse, walls->rows);
    for (int32_t row = throng_walls_clamp(bottom * inverse, walls->rows); row <= row_last; row++) {
        const uint32_t *start = walls->start + (size_t)row * (size_t)walls->columns;
        uint32_t before = UINT32_MAX;
        for (uint32_t i = start[first]; i < start[last + 1]; i++) {
            uint32_t wall = walls->wall[i];
            if (wall == before) continue;
            before = wall;
            meet_flat(s, wall);
            meet_corner(s, wall);
        }
    }
}

throng_powerlaw_impact throng_powerlaw_first_wall(const throng_walls *walls, const throng_powerlaw_person *person,
                                                  double reach) {
    search s = {walls, person, {.tau = INFINITY}};
    double speed2 = person->vx * person->vx + person->vy * person->vy;
    if (walls->count == 0 || !(speed2 > SLOWEST2)) return s.first;
    double speed = sqrt(speed2), ux = person->vx / speed, uy = person->vy / speed;
    double margin = person->radius + LEAST_GAP;
    for (double way = 0; way < reach && !(s.first.tau * speed < way);) {
        throng_point from = {person->x + ux * way, person->y + uy * way};
        /* where no wall is near, a leap is as good as a look */
        double clear = (double)walls->clear[throng_walls_cell(walls, from.x, from.y)] - margin;
        if (clear > 0.5) {
            way += clear;
            continue;
        }
        double piece = reach - way < walls->cell ? reach - way : walls->cell;
        look_around(&s, from, (throng_point){from.x + ux * piece, from.y + uy * piece}, margin);
        way += piece;
    }
    if (s.first.tau * speed >= reach) s.first.tau = INFINITY;
    return s.first;
}
