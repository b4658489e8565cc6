/* straight.c: the planner (path planning) that walks straight to the nearest point of the goal and looks at no wall. */

#include <math.h>

#include "route/planner.h"
#include "space/place.h"

static const double inside = 0.01;    /* m beyond the border that a way into an area ends */
static const double on_border = 1e-9; /* m */
static const double body_spared =
    0.98; /* of a radius: who starts or walks along a wall touching it is not in its way */

throng_way throng_straight_to(throng_point from, throng_point to) {
    double dx = to.x - from.x, dy = to.y - from.y, distance = sqrt(dx * dx + dy * dy);
    if (distance == 0) return (throng_way){0};
    return (throng_way){.direction = {dx / distance, dy / distance}, .distance = distance};
}

/* The direction into a ring from a point of its border: the mean of the sides that meet there. */
static throng_point inward(throng_ring ring, throng_point at) {
    double turn = throng_ring_area(ring) > 0 ? 1 : -1;
    throng_point sum = {0, 0};
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
        if (length == 0) continue;
        double t = fmin(fmax(((at.x - a.x) * dx + (at.y - a.y) * dy) / (length * length), 0), 1);
        double ex = a.x + t * dx - at.x, ey = a.y + t * dy - at.y;
        if (ex * ex + ey * ey > 4 * on_border * on_border) continue;
        sum.x -= turn * dy / length;
        sum.y += turn * dx / length;
    }
    double length = sqrt(sum.x * sum.x + sum.y * sum.y);
    return length > 0 ? (throng_point){sum.x / length, sum.y / length} : (throng_point){0, 0};
}

static bool is_in_box(throng_box box, throng_point at) {
    return at.x >= box.low.x && at.x <= box.high.x && at.y >= box.low.y && at.y <= box.high.y;
}

static throng_way way_into(const throng_goal_entry *goal, throng_point from) {
    throng_ring ring = goal->def.ring;
    if (is_in_box(goal->bounds, from) && throng_ring_contains(ring, from.x, from.y)) return (throng_way){0};
    throng_way way = throng_straight_to(from, throng_ring_border_nearest(ring, from.x, from.y));
    if (way.distance < on_border) way.direction = inward(ring, from);
    way.distance += inside;
    return way;
}

bool throng_goal_is_shut(const throng_goal_entry *goals, const throng_goal_def *several, size_t member) {
    if (several->kind != THRONG_GOAL_ANY || !goals[several->any[member]].closed) return false;
    for (size_t i = 0; i < several->any_count; i++) {
        if (!goals[several->any[i]].closed) return true;
    }
    return false;
}

uint64_t throng_goal_open_members(const throng_goal_entry *goals, throng_goal goal) {
    const throng_goal_def *def = &goals[goal].def;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    if (def->kind != THRONG_GOAL_ANY) return 0;
    for (size_t i = 0; i < def->any_count; i++) {
        hash = (hash ^ (throng_goal_is_shut(goals, def, i) ? 2u : 1u)) * 0x100000001b3u;
    }
    return hash;
}

/* Whether an area is farther away than this, as far as its box can tell. */
static bool is_farther(const throng_goal_entry *goal, throng_point at, double distance) {
    double dx = fmax(fmax(goal->bounds.low.x - at.x, at.x - goal->bounds.high.x), 0);
    double dy = fmax(fmax(goal->bounds.low.y - at.y, at.y - goal->bounds.high.y), 0);
    return goal->def.kind == THRONG_GOAL_AREA && dx * dx + dy * dy > distance * distance;
}

/* Of several goals the nearest that is open, or the nearest when all are closed; the first of equally
 * near ones. */
static throng_way way_to_any(const throng_goal_entry *goals, const throng_walker *walker, throng_goal *nearest) {
    const throng_goal_def *def = &goals[walker->goal].def;
    throng_way best = {.distance = INFINITY};
    throng_walker member = *walker;
    bool all_closed = throng_goal_is_closed(goals, walker->goal);
    for (size_t i = 0; i < def->any_count; i++) {
        member.goal = def->any[i];
        if (goals[member.goal].closed && !all_closed) continue;
        if (is_farther(&goals[member.goal], walker->at, best.distance)) continue;
        throng_way way = throng_straight_way(goals, &member);
        if (way.distance >= best.distance) continue;
        best = way;
        if (nearest) *nearest = member.goal;
    }
    return best;
}

throng_way throng_straight_way(const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_goal_def *def = &goals[walker->goal].def;
    switch (def->kind) {
        case THRONG_GOAL_AREA:
            return way_into(&goals[walker->goal], walker->at);
        case THRONG_GOAL_POINT:
            return throng_straight_to(walker->at, def->point);
        case THRONG_GOAL_OWN:
        case THRONG_GOAL_ROAM:
            return throng_straight_to(walker->at, walker->target);
        case THRONG_GOAL_ANY:
            return way_to_any(goals, walker, NULL);
        case THRONG_GOAL_DIRECTION: {
            throng_way way = throng_straight_to((throng_point){0, 0}, def->point);
            way.distance = INFINITY;
            return way;
        }
    }
    return (throng_way){0};
}

/* How far one can go from a point in any direction before a wall is nearer than `margin`, as far as
 * can be told at a glance. */
static double free_around(const throng_walls *walls, const throng_lattice *lattice, throng_point at, double margin) {
    double clear = walls->clear[throng_walls_cell(walls, at.x, at.y)];
    size_t node;
    double u, v;
    if (clear < walls->cell && lattice && throng_lattice_square(lattice, at, &node, &u, &v)) {
        clear = fmax(clear, (lattice->room[node] - 1) * THRONG_ROOM_UNIT);
    }
    return clear - margin;
}

/* Whether a wall is nearer than `margin` to a way. Asked from its start, because most walls that are
 * in the way are close by. */
static bool is_blocked(const throng_walls *walls, const throng_lattice *lattice, throng_point from,
                       throng_point direction, double length, double margin) {
    const double worth_it = 0.1; /* m */
    double done = 0;
    while (done < length) {
        throng_point at = {from.x + direction.x * done, from.y + direction.y * done};
        double free = free_around(walls, lattice, at, margin);
        if (free < worth_it) {
            free = fmin(1, length - done);
            throng_point end = {at.x + direction.x * free, at.y + direction.y * free};
            if (throng_walls_block(walls, at, end, margin)) return true;
        }
        done += free;
    }
    return false;
}

bool throng_straight_is_clear(const throng_walls *walls, const throng_lattice *lattice, const throng_goal_entry *goals,
                              const throng_walker *walker) {
    if (walls->count == 0) return true;
    throng_walker towards = *walker;
    if (goals[towards.goal].def.kind == THRONG_GOAL_ANY) way_to_any(goals, walker, &towards.goal);
    const throng_goal_def *def = &goals[towards.goal].def;
    if (def->kind == THRONG_GOAL_DIRECTION) return true;

    throng_way way = throng_straight_way(goals, &towards);
    double length = def->kind == THRONG_GOAL_AREA ? way.distance : way.distance - def->radius;
    if (length <= 0) return true;
    return !is_blocked(walls, lattice, walker->at, way.direction, length, body_spared * walker->radius);
}

static void *create(const throng_route_def *def) {
    (void)def;
    return NULL;
}

static void destroy(void *state) { (void)state; }

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    (void)state, (void)goals, (void)walkers, (void)count;
    return SIZE_MAX;
}

static throng_way way(const void *state, const throng_goal_entry *goals, const throng_walker *walker) {
    (void)state;
    return throng_straight_way(goals, walker);
}

/* The same as way_into, from outside and written in place: a crowd's ways come to a tenth of its step. */
static inline void lead_into(const throng_goal_entry *goal, double x, double y, throng_way *way) {
    throng_point to = throng_ring_border_nearest(goal->def.ring, x, y);
    double dx = to.x - x, dy = to.y - y, distance = sqrt(dx * dx + dy * dy);
    if (distance < on_border) {
        *way = way_into(goal, (throng_point){x, y});
        return;
    }
    way->direction.x = dx / distance;
    way->direction.y = dy / distance;
    way->distance = distance + inside;
    way->unknown = false;
}

static inline void lead_to(throng_point to, double x, double y, throng_way *way) {
    double dx = to.x - x, dy = to.y - y, distance = sqrt(dx * dx + dy * dy);
    way->direction.x = distance > 0 ? dx / distance : 0;
    way->direction.y = distance > 0 ? dy / distance : 0;
    way->distance = distance;
    way->unknown = false;
}

/* Those who walk to an area, a point, the nearest of several or in a direction, which are most in large crowds. */
static void lead(const void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd, size_t begin,
                 size_t end, throng_way *ways) {
    (void)state;
    for (size_t i = begin; i < end; i++) {
        const throng_goal_entry *goal = &goals[crowd->people.goal[i]];
        bool walking = crowd->people.state[i] == THRONG_WALKING && crowd->people.goal[i],
             walks = walking && !crowd->wraps;
        throng_point at = {crowd->people.x[i], crowd->people.y[i]};
        throng_way *way = &ways[i - begin];
        if (walking && goal->def.kind == THRONG_GOAL_DIRECTION) {
            lead_to(goal->def.point, 0, 0, way);
            way->distance = INFINITY;
        } else if (walks && (goal->def.kind == THRONG_GOAL_OWN || goal->def.kind == THRONG_GOAL_ROAM)) {
            lead_to((throng_point){crowd->people.target_x[i], crowd->people.target_y[i]}, at.x, at.y, way);
        } else if (walks && goal->def.kind == THRONG_GOAL_POINT) {
            lead_to(goal->def.point, at.x, at.y, way);
        } else if (walks && goal->def.kind == THRONG_GOAL_AREA && !is_in_box(goal->bounds, at)) {
            lead_into(goal, at.x, at.y, way);
        } else if (walks && goal->def.kind == THRONG_GOAL_ANY) {
            *way = way_to_any(goals, &(throng_walker){.at = at, .goal = crowd->people.goal[i]}, NULL);
        } else {
            *way = (throng_way){.distance = -1};
        }
    }
}

const throng_planner throng_straight = {
    .name = "straight", .create = create, .destroy = destroy, .prepare = prepare, .way = way, .lead = lead};
