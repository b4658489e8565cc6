/* roadmap_follow.c: the way of one walker. Writes only its trail, so any thread may ask.
 *
 * A walker goes straight to where its leg touches the next bend, and around the bend until what comes
 * after it is in sight. Every few seconds it looks whether the bend is still in sight and whether a bend
 * close by leads there sooner; somebody who was pushed off its way looks at all of them. */

#include <math.h>
#include <string.h>

#include "route/avoid.h"
#include "route/planner.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double same_angle = 1e-6;
static const double near_by = 0.3;     /* m besides the body: from here on one looks out for what comes next */
static const double tight_gain = 0.2;  /* m for which one squeezes through */
static const double gain_least = 0.02; /* m for which another way is worth it */
static const double overshoot = 0.5;   /* radians past where a bend is left that one may get, jostled */
static const double off_arc = 0.5;     /* sine of the angle by which a leg of somebody jostled may miss its arc */

enum { CANDIDATES = 8 };

/* Somewhere to go to next, and how far the goal is that way. */
typedef struct choice {
    uint32_t corner;   /* node, or THRONG_LANDS + landing */
    throng_point next; /* where the leg touches the bend, or ends at the goal */
    throng_point direction;
    double length; /* m, of the leg */
    double beyond; /* m from its end to the goal */
    throng_point touch;
} choice;

static double total(const choice *c) { return c->length + c->beyond; }

/* --- one choice */

static choice choice_of_landing(const throng_roads *roads, throng_point at, uint32_t landing) {
    const throng_landing *l = &roads->tree->landings[landing];
    throng_point end = throng_landing_nearest(l, at);
    double dx = end.x - at.x, dy = end.y - at.y, length = sqrt(dx * dx + dy * dy);
    choice c = {.corner = THRONG_LANDS + landing, .next = end, .length = length, .beyond = l->beyond};
    if (length > 0) c.direction = (throng_point){dx / length, dy / length};
    return c;
}

/* Of somebody within the circle: around the corner and away from it. */
static choice choice_inside(const throng_tangents *t, throng_point at, uint32_t node) {
    const throng_bend *bend = &t->bends[node / 2];
    double dx = at.x - bend->at.x, dy = at.y - bend->at.y, far = sqrt(dx * dx + dy * dy), side = throng_node_side(node);
    throng_point u = bend->from;
    if (far > 0) u = (throng_point){dx / far, dy / far};
    double out = fmin(2 * (1 - far / t->margin), 0.6), along = side * sqrt(1 - out * out);
    return (choice){.corner = node,
                    .next = throng_ahead(bend->at, u, t->margin),
                    .direction = {along * u.y + out * u.x, -along * u.x + out * u.y},
                    .length = fmax(t->margin - far, 0),
                    .touch = u};
}

/* Straight to where the leg touches a bend; what is beyond is left to find. */
static choice choice_of_bend(const throng_tangents *t, throng_point at, uint32_t node) {
    const throng_bend *bend = &t->bends[node / 2];
    throng_tangent line;
    if (!throng_tangent_of(at, 0, bend->at, throng_node_side(node), t->margin, &line))
        return choice_inside(t, at, node);
    return (choice){.corner = node,
                    .next = throng_ahead(bend->at, line.touch[1], t->margin),
                    .direction = line.direction,
                    .length = line.length,
                    .touch = line.touch[1]};
}

/* False when no way leads on from there. */
static bool find_beyond(const throng_roads *roads, choice *c) {
    if (c->corner & THRONG_LANDS) return true;
    double t = throng_node_angle(roads->tangents, c->corner, c->touch);
    const throng_exit *exit = throng_tree_exit(roads->tree, c->corner, t - same_angle);
    if (exit) c->beyond = exit->value - roads->tangents->margin * t;
    return exit != NULL;
}

static choice choice_of(const throng_roads *roads, throng_point at, uint32_t corner) {
    if (corner & THRONG_LANDS) return choice_of_landing(roads, at, corner & ~THRONG_LANDS);
    return choice_of_bend(roads->tangents, at, corner);
}

/* The distance that somebody keeps from walls: less than wanted where one is too near already. */
static double margin_at(const throng_roads *roads, throng_point at, double wanted) {
    double depth = throng_walls_depth(roads->walls, at.x, at.y, wanted);
    return depth >= wanted ? wanted : fmax(0.98 * depth, 0);
}

static bool is_clear(const throng_roads *roads, throng_point at, const choice *c, double margin) {
    if (!(c->corner & THRONG_LANDS)) return throng_sight_is_clear(roads->walls, at, c->next, margin);
    const throng_landing *landing = &roads->tree->landings[c->corner & ~THRONG_LANDS];
    return throng_landing_is_clear(landing, roads->walls, at, c->next, margin);
}

/* --- the best of all choices */

/* A choice and a lower bound of its length. */
typedef struct candidate {
    double least;
    uint32_t corner;
} candidate;

typedef struct candidates {
    candidate items[CANDIDATES]; /* in order */
    size_t count;
} candidates;

static bool comes_before(candidate a, candidate b) {
    return a.least < b.least || (a.least == b.least && a.corner < b.corner);
}

static void add_candidate(candidates *list, candidate c, candidate after) {
    if (!comes_before(after, c)) return;
    if (list->count == CANDIDATES && !comes_before(c, list->items[CANDIDATES - 1])) return;
    size_t at = list->count < CANDIDATES ? list->count++ : CANDIDATES - 1;
    while (at > 0 && comes_before(c, list->items[at - 1])) {
        list->items[at] = list->items[at - 1];
        at--;
    }
    list->items[at] = c;
}

/* Whether a leg of somebody jostled misses an arc by little. */
static bool is_beside(const throng_bend *bend, throng_point touch) {
    if (throng_cross(bend->from, touch) > off_arc || throng_cross(touch, bend->to) > off_arc) return false;
    return throng_dot(bend->from, touch) > 0 || throng_dot(bend->to, touch) > 0;
}

/* The length of a way by a node if it were in sight, at least: as if all of the arc were walked. */
static bool least_by(const throng_roads *roads, throng_point at, uint32_t node, bool lax, double below, double *least) {
    const throng_tangents *t = roads->tangents;
    const throng_bend *bend = &t->bends[node / 2];
    uint32_t exits = roads->tree->first[node];
    if (exits == roads->tree->first[node + 1]) return false;
    double beyond = roads->tree->exits[exits].value + t->margin * (node & 1 ? bend->first : -bend->last);
    if (!(beyond < below)) return false;
    choice c = choice_of_bend(t, at, node);
    *least = c.length + beyond;
    return *least < below && (throng_bend_has(bend, c.touch) || (lax && is_beside(bend, c.touch)));
}

/* The next few choices after some that were tried already, most promising first. */
static void list_candidates(const throng_roads *roads, throng_point at, bool lax, double below, candidate after,
                            candidates *list) {
    list->count = 0;
    for (uint32_t l = 0; l < roads->tree->landing_count; l++) {
        choice c = choice_of_landing(roads, at, l);
        if (total(&c) < below) add_candidate(list, (candidate){total(&c), c.corner}, after);
    }
    for (uint32_t node = 0; node < 2 * roads->tangents->bend_count; node++) {
        double least, worst = list->count == CANDIDATES ? list->items[CANDIDATES - 1].least : INFINITY;
        if (least_by(roads, at, node, lax, fmin(below, worst), &least))
            add_candidate(list, (candidate){least, node}, after);
    }
}

/* Replaces `best` by the best choice in sight that is shorter. Returns whether there is one. */
static bool search(const throng_roads *roads, throng_point at, double margin, bool lax, choice *best,
                   double *best_total) {
    candidate after = {-INFINITY, 0};
    candidates list;
    bool found = false;
    do {
        list_candidates(roads, at, lax, *best_total, after, &list);
        for (size_t i = 0; i < list.count; i++) {
            after = list.items[i];
            if (after.least >= *best_total) return found;
            choice c = choice_of(roads, at, after.corner);
            if (!find_beyond(roads, &c) || total(&c) >= *best_total || !is_clear(roads, at, &c, margin)) continue;
            *best = c;
            *best_total = total(&c);
            found = true;
        }
    } while (list.count == CANDIDATES);
    return found;
}

/* The shortest way from a point, of all. Somebody too near to a wall for roads starts from where there is
 * room for them, or comes to the arcs a little beside them. */
static bool plan_with(const throng_roads *roads, throng_point at, double margin, choice *best, double *length) {
    const throng_tangents *t = roads->tangents;
    double depth = throng_walls_depth(roads->walls, at.x, at.y, t->margin);
    throng_point room;
    if (depth >= t->keep) return search(roads, at, margin, false, best, length);
    if (depth >= margin) return search(roads, at, margin, true, best, length);
    if (!throng_sight_find_room(roads->walls, at, t->margin, t->keep, &room) ||
        !search(roads, room, margin, false, best, length))
        return search(roads, at, fmax(0.98 * depth, 0), true, best, length);
    choice from_here = choice_of(roads, at, best->corner);
    if (find_beyond(roads, &from_here)) *best = from_here;
    return true;
}

/* Through a passage hardly wide enough only if that saves something. */
static bool plan(const throng_roads *roads, throng_point at, choice *best) {
    double length = INFINITY, tight_length;
    choice tight;
    bool found = plan_with(roads, at, roads->usual, best, &length);
    tight_length = length - tight_gain;
    if (!plan_with(roads, at, roads->careful, &tight, &tight_length)) return found;
    *best = tight;
    return true;
}

/* --- the trail */

/* Spreads those who set out together over the steps. */
static uint64_t offset_of(const throng_trail *trail, uint64_t count) {
    uint64_t bits[2];
    memcpy(bits, &trail->next, sizeof bits);
    return throng_mix(bits[0] ^ (bits[1] << 1)) % count;
}

static bool is_due(const throng_roads *roads, const throng_trail *trail) {
    uint64_t since = roads->step + 1 - trail->planned;
    if (since < roads->period / 2) return false;
    return since >= roads->period / 2 + offset_of(trail, roads->period + 1);
}

static bool is_new(const throng_roads *roads, const throng_trail *trail) {
    return trail->planned == 0 || trail->planned <= roads->changed || trail->planned > roads->step + 1;
}

static void keep_trail(const throng_roads *roads, throng_trail *trail, const choice *c) {
    if (!trail) return;
    *trail = (throng_trail){c->next, c->beyond, c->corner, (uint32_t)(roads->step + 1)};
}

static throng_way way_of(const choice *c) {
    return (throng_way){.direction = c->direction, .distance = c->length + c->beyond};
}

bool throng_trail_goes_on(const throng_roads *roads, const throng_walker *walker, throng_way *way) {
    const throng_trail *trail = walker->trail;
    if (!trail || is_new(roads, trail)) return false;
    double dx = trail->next.x - walker->at.x, dy = trail->next.y - walker->at.y, far2 = dx * dx + dy * dy;
    double look = near_by + walker->radius;
    if (far2 < look * look || is_due(roads, trail)) return false;
    double far = sqrt(far2);
    *way = (throng_way){.direction = {dx / far, dy / far}, .distance = far + trail->beyond};
    return true;
}

/* Whether a trail is one of these roads: walls may have changed, and corners have other numbers. */
static bool is_known(const throng_roads *roads, const throng_trail *trail) {
    if (trail->planned == 0) return false;
    if (trail->corner & THRONG_LANDS) return (trail->corner & ~THRONG_LANDS) < roads->tree->landing_count;
    if (trail->corner >= 2 * roads->tangents->bend_count) return false;
    if (roads->tree->first[trail->corner] == roads->tree->first[trail->corner + 1]) return false;
    throng_point at = roads->tangents->bends[trail->corner / 2].at;
    double dx = trail->next.x - at.x, dy = trail->next.y - at.y, margin = roads->tangents->margin;
    return fabs(sqrt(dx * dx + dy * dy) - margin) < 1e-6 * margin + 1e-9;
}

/* What comes after a choice; false when it is the last, or a corner is still in between. */
static bool find_next(const throng_roads *roads, throng_point at, const choice *c, choice *next, bool *off) {
    *off = false;
    if (c->corner & THRONG_LANDS) {
        if (!roads->tree->landings[c->corner & ~THRONG_LANDS].stop) return false;
        *next = choice_of(roads, at, c->corner - 1);
        return true;
    }
    double t = throng_node_angle(roads->tangents, c->corner, c->touch);
    const throng_exit *exit = throng_tree_exit(roads->tree, c->corner, t - overshoot);
    if (!exit) {
        *off = true;
        return false;
    }
    *next = choice_of(roads, at, exit->next);
    return throng_node_side(c->corner) * throng_cross(next->direction, c->direction) <= 0;
}

/* Goes on to what comes after a bend as soon as the corner is not in between any more. Returns whether
 * it is past the bend and cannot see on. */
static bool cut_corners(const throng_roads *roads, throng_point at, choice *c, bool *changed) {
    bool off = false;
    choice next;
    for (int i = 0; i < 4 && find_next(roads, at, c, &next, &off); i++) {
        bool close = c->length < roads->tangents->margin;
        if (!is_clear(roads, at, &next, margin_at(roads, at, close ? roads->careful : roads->usual))) return close;
        if (!find_beyond(roads, &next)) return false;
        *c = next;
        *changed = true;
    }
    return off;
}

/* Looks whether the way is still in sight, and whether a neighbouring bend leads there sooner. */
static bool look_around(const throng_roads *roads, throng_point at, choice *c) {
    const throng_tangents *t = roads->tangents;
    double margin = margin_at(roads, at, roads->usual);
    if (!is_clear(roads, at, c, margin_at(roads, at, roads->careful)) || !find_beyond(roads, c)) return false;
    if (c->corner & THRONG_LANDS) return true;
    const throng_bend *bend = &t->bends[c->corner / 2];
    if (c->length > t->margin && !throng_bend_has(bend, c->touch) && !is_beside(bend, c->touch)) return false;
    double best = total(c) - gain_least, least;
    uint32_t from = c->corner;
    for (uint32_t side = 0; side < 2; side++) {
        for (size_t i = t->first[from ^ side]; i < t->first[(from ^ side) + 1]; i++) {
            uint32_t node = t->legs[i].to;
            if (!least_by(roads, at, node, false, best, &least)) continue;
            choice other = choice_of(roads, at, node);
            if (!find_beyond(roads, &other) || total(&other) >= best || !is_clear(roads, at, &other, margin)) continue;
            *c = other;
            best = total(c);
        }
    }
    return true;
}

/* Along a trail; false when it leads nowhere from here. */
static bool walk_on(const throng_roads *roads, const throng_walker *walker, choice *c) {
    throng_trail *trail = walker->trail;
    *c = choice_of(roads, walker->at, trail->corner);
    if (!(c->corner & THRONG_LANDS)) c->beyond = trail->beyond;
    bool changed = false, stuck = cut_corners(roads, walker->at, c, &changed);
    if (stuck && offset_of(trail, 4) == roads->step % 4) return false;
    if (!changed && (is_new(roads, trail) || is_due(roads, trail))) {
        if (!look_around(roads, walker->at, c)) return false;
        changed = true;
    }
    if (changed) {
        keep_trail(roads, trail, c);
    } else {
        /* Around the bend. */
        double dx = c->next.x - trail->next.x, dy = c->next.y - trail->next.y;
        if (dx * dx + dy * dy > 0.01 && find_beyond(roads, c)) {
            trail->next = c->next;
            trail->beyond = c->beyond;
        }
    }
    return true;
}

bool throng_roads_follow(const throng_roads *roads, const throng_goal_entry *goals, const throng_walker *walker,
                         throng_way *way) {
    choice c;
    bool known = walker->trail && is_known(roads, walker->trail) && walk_on(roads, walker, &c);
    if (!known) {
        if (!plan(roads, walker->at, &c)) return false;
        bool changed = false;
        cut_corners(roads, walker->at, &c, &changed);
        keep_trail(roads, walker->trail, &c);
    }
    *way = way_of(&c);
    double careful = roads->careful;
    if (!known && throng_walls_depth(roads->walls, walker->at.x, walker->at.y, careful) < careful)
        way->direction = throng_avoid_walls(roads->walls, walker->at, careful, way->direction);
    /* On the border of an area, inwards. */
    if (c.length < 1e-6 && (c.corner & THRONG_LANDS)) *way = throng_straight_way(goals, walker);
    return true;
}
