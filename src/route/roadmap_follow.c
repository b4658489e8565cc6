/* roadmap_follow.c: the way of one walker. Writes only its trail, so any thread may ask.
 *
 * A walker goes straight to where its leg touches the next bend, and around the bend until what comes
 * after it is in sight. Every few seconds, unless it has kept to its leg, it looks whether the bend is still
 * in sight, and from farther aside whether a bend close by leads there sooner. Somebody who has lost sight
 * of where it was going to looks at more and more bends until it knows a way. */

#include <math.h>
#include <string.h>

#include "route/avoid.h"
#include "route/planner.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double step_usual = 0.12;   /* m, about what is walked in a step */
static const double same_angle = 1e-6;   /* radians, against rounding */
static const double a_little = 0.3;      /* radians */
static const double near_by = 0.2;       /* m besides the body: from here on one looks out for what comes next */
static const double tight_gain = 0.2;    /* m for which one squeezes through */
static const double gain_least = 0.02;   /* m for which another way is worth it */
static const double too_far = 1;         /* radians past where a bend is left that one may get, jostled */
static const double moved_most = 0.05;   /* m that the place where a trail meets its bend may be off */
static const double as_good_as_on = 0.6; /* of a radius beside a leg: it was clear for a whole one */
static const double worth_looking = 1;   /* m beside a leg: from here on one looks for a shorter way */
static const double hardly = 0.1;        /* sine of the angle by which a corner may only just be in between */
static const double off_arc = 0.5;       /* sine of the angle by which a leg of somebody jostled may miss its arc */

enum { CANDIDATES = 64 };
#define STOPS 0x40000000u /* of a trail's corner: the landing is a stop, which is left as soon as one can */

/* Somewhere to go to next, and how far the goal is that way. */
typedef struct choice {
    uint32_t corner;   /* node, or THRONG_LANDS + landing */
    throng_point next; /* where the leg touches the bend, or ends at the goal */
    throng_point direction;
    double length;           /* m, of the leg */
    double beyond;           /* m from its end to the goal */
    throng_point touch;      /* unit vector, where the leg touches the bend */
    const throng_exit *exit; /* how to leave the bend */
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
static choice choice_inside(throng_point at, uint32_t node, throng_point centre, double margin) {
    double dx = at.x - centre.x, dy = at.y - centre.y, far = sqrt(dx * dx + dy * dy), side = throng_node_side(node);
    throng_point u = {1, 0};
    if (far > 0) u = (throng_point){dx / far, dy / far};
    double out = fmin(2 * (1 - far / margin), 0.6), along = side * sqrt(1 - out * out);
    return (choice){.corner = node,
                    .next = throng_ahead(centre, u, margin),
                    .direction = {along * u.y + out * u.x, -along * u.x + out * u.y},
                    .length = fmax(margin - far, 0),
                    .touch = u};
}

/* Straight to where the leg touches a circle; what is beyond is left to find. */
static choice choice_around(throng_point at, uint32_t node, throng_point centre, double margin) {
    throng_tangent line;
    if (!throng_tangent_of(at, 0, centre, throng_node_side(node), margin, &line))
        return choice_inside(at, node, centre, margin);
    return (choice){.corner = node,
                    .next = throng_ahead(centre, line.touch[1], margin),
                    .direction = line.direction,
                    .length = line.length,
                    .touch = line.touch[1]};
}

static choice choice_of_bend(const throng_tangents *t, throng_point at, uint32_t node) {
    return choice_around(at, node, t->bends[node / 2].at, t->margin);
}

/* False when no way leads on from there. The bend may have to be left before it is come to, by some angle:
 * then what is after it will soon be in sight. */
static bool find_beyond(const throng_roads *roads, choice *c, double before) {
    if (c->corner & THRONG_LANDS) return true;
    double t = throng_node_angle(roads->tangents, c->corner, c->touch);
    c->exit = throng_tree_exit(roads->tree, c->corner, t - before);
    if (c->exit) c->beyond = c->exit->value - roads->tangents->margin * t;
    return c->exit != NULL;
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

/* The choices that may be in sight, as many as fit: the most promising ones. */
typedef struct candidates {
    candidate items[CANDIDATES];
    size_t count;
} candidates;

static bool comes_before(candidate a, candidate b) {
    return a.least < b.least || (a.least == b.least && a.corner < b.corner);
}

/* A heap of the worst: what does not fit any more pushes it out. */
static void sink(candidates *list, candidate c) {
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < list->count; at = child) {
        if (child + 1 < list->count && comes_before(list->items[child], list->items[child + 1])) child++;
        if (!comes_before(c, list->items[child])) break;
        list->items[at] = list->items[child];
    }
    list->items[at] = c;
}

static void add_candidate(candidates *list, candidate c) {
    if (list->count == CANDIDATES) {
        if (comes_before(c, list->items[0])) sink(list, c);
        return;
    }
    size_t at = list->count++;
    for (; at > 0 && comes_before(list->items[(at - 1) / 2], c); at = (at - 1) / 2)
        list->items[at] = list->items[(at - 1) / 2];
    list->items[at] = c;
}

/* Puts them in order, most promising first. */
static void sort_candidates(candidates *list) {
    size_t count = list->count;
    while (list->count > 1) {
        candidate worst = list->items[0], last = list->items[--list->count];
        sink(list, last);
        list->items[list->count] = worst;
    }
    list->count = count;
}

/* Whether a leg of somebody jostled misses an arc by little. */
static bool is_beside(const throng_bend *bend, throng_point touch) {
    if (throng_cross(bend->from, touch) > off_arc || throng_cross(touch, bend->to) > off_arc) return false;
    return throng_dot(bend->from, touch) > 0 || throng_dot(bend->to, touch) > 0;
}

/* Whether a bend may be on a way shorter than this. Looks at little, as trees may be far away in memory. */
static inline bool may_be_on_way(const throng_roads *roads, throng_point at, uint32_t bend, double below) {
    throng_point corner = roads->tangents->corners[bend];
    double reach = below - roads->tree->least[bend] + roads->tangents->margin;
    double dx = corner.x - at.x, dy = corner.y - at.y;
    return reach > 0 && dx * dx + dy * dy <= reach * reach;
}

/* The length of a way by a node if it were in sight, at least: as if all of the arc were walked. */
static bool least_by(const throng_roads *roads, throng_point at, uint32_t node, bool lax, double below, double *least) {
    const throng_tangents *t = roads->tangents;
    const throng_bend *bend = &t->bends[node / 2];
    if (!may_be_on_way(roads, at, node / 2, below)) return false;
    uint32_t exits = roads->tree->first[node];
    if (exits == roads->tree->first[node + 1]) return false;
    double beyond = roads->tree->exits[exits].value + t->margin * (node & 1 ? bend->first : -bend->last);
    if (!(beyond < below)) return false;
    choice c = choice_of_bend(t, at, node);
    *least = c.length + beyond;
    return *least < below && (throng_bend_has(bend, c.touch) || (lax && is_beside(bend, c.touch)));
}

/* The choices after one that was tried already. */
static void list_candidates(const throng_roads *roads, throng_point at, const throng_outlook *outlook, bool lax,
                            double below, candidate after, candidates *list) {
    list->count = 0;
    for (uint32_t l = 0; l < roads->tree->landing_count; l++) {
        choice c = choice_of_landing(roads, at, l);
        candidate found = {total(&c), c.corner};
        if (found.least < below && comes_before(after, found)) add_candidate(list, found);
    }
    const throng_tangents *t = roads->tangents;
    for (uint32_t bend = 0; bend < t->bend_count; bend++) {
        if (!may_be_on_way(roads, at, bend, below)) continue;
        if (outlook && !throng_outlook_may_see(outlook, t->corners[bend])) continue;
        for (uint32_t node = 2 * bend; node <= 2 * bend + 1; node++) {
            candidate found = {0, node};
            if (least_by(roads, at, node, lax, below, &found.least) && comes_before(after, found))
                add_candidate(list, found);
        }
    }
    sort_candidates(list);
}

/* Of the choices in sight the best, and the best for which walls are passed more closely than usual. */
typedef struct finding {
    choice best, tight;
    double best_total, tight_total; /* m; infinite: there is none */
} finding;

static void try_candidate(const throng_roads *roads, throng_point at, uint32_t corner, double usual, double careful,
                          finding *f) {
    choice c = choice_of(roads, at, corner);
    if (!find_beyond(roads, &c, same_angle) || total(&c) >= f->best_total) return;
    if (is_clear(roads, at, &c, usual)) {
        f->best = c;
        f->best_total = total(&c);
    } else if (total(&c) < f->tight_total && careful < usual && is_clear(roads, at, &c, careful)) {
        f->tight = c;
        f->tight_total = total(&c);
    }
}

/* Looks at all bends in sight for a way shorter than `best`, of which only the length counts; it may have no
 * end. Returns whether there is one. */
static bool search(const throng_roads *roads, throng_point at, double usual, double careful, bool lax, choice *best) {
    finding f = {.best_total = total(best), .tight_total = INFINITY};
    candidate after = {-INFINITY, 0};
    candidates list;
    throng_outlook outlook;
    /* With something to compare with, few are so much as looked at. */
    bool all = isinf(f.best_total);
    if (all) throng_outlook_make(&outlook, roads->walls, at, true, roads->tangents->margin);
    do {
        list_candidates(roads, at, all ? &outlook : NULL, lax, f.best_total, after, &list);
        for (size_t i = 0; i < list.count && list.items[i].least < f.best_total; i++) {
            after = list.items[i];
            try_candidate(roads, at, after.corner, usual, careful, &f);
        }
    } while (list.count == CANDIDATES && after.least < f.best_total);
    bool found = f.best_total < total(best);
    if (!found && isinf(f.tight_total)) return false;
    *best = !found || f.tight_total < f.best_total - tight_gain ? f.tight : f.best;
    return true;
}

/* Looks only at what is in sight of a bend, for a way shorter than `best`: mostly there is one for somebody pushed
 * off its way to that bend. */
static bool search_near(const throng_roads *roads, throng_point at, uint32_t node, choice *best) {
    const throng_tangents *t = roads->tangents;
    finding f = {.best_total = total(best), .tight_total = INFINITY};
    candidates list = {.count = 0};
    for (uint32_t side = 0; side < 2; side++) {
        for (size_t i = t->first[node ^ side]; i < t->first[(node ^ side) + 1]; i++) {
            for (uint32_t turn = 0; turn < 2; turn++) {
                candidate found = {0, t->legs[i].to ^ turn};
                if (least_by(roads, at, found.corner, true, f.best_total, &found.least)) add_candidate(&list, found);
            }
        }
    }
    sort_candidates(&list);
    double usual = margin_at(roads, at, roads->usual);
    for (size_t i = 0; i < list.count && list.items[i].least < f.best_total; i++) {
        try_candidate(roads, at, list.items[i].corner, usual, usual, &f);
    }
    if (!(f.best_total < total(best))) return false;
    *best = f.best;
    return true;
}

/* The shortest way from a point, of all. Somebody too near to a wall for roads starts from where there is
 * room for them, or comes to the arcs a little beside them. */
static bool plan(const throng_roads *roads, throng_point at, choice *best) {
    const choice given = *best;
    const throng_tangents *t = roads->tangents;
    double depth = throng_walls_depth(roads->walls, at.x, at.y, t->margin), least = fmax(0.98 * depth, 0);
    throng_point room;
    if (depth >= t->keep) return search(roads, at, roads->usual, roads->careful, false, best);
    if (depth >= roads->careful) return search(roads, at, fmin(roads->usual, least), roads->careful, true, best);
    if (!throng_sight_find_room(roads->walls, at, t->margin, t->keep, &room) ||
        !search(roads, room, roads->usual, roads->careful, false, best)) {
        *best = given;
        return search(roads, at, least, least, true, best);
    }
    choice from_here = choice_of(roads, at, best->corner);
    if (find_beyond(roads, &from_here, same_angle)) *best = from_here;
    return true;
}

/* --- the trail */

/* Spreads those who set out together over the steps: below count, which is far below 2^32. */
static uint64_t offset_of(const throng_trail *trail, uint64_t count) {
    uint64_t bits[2];
    memcpy(bits, &trail->next, sizeof bits);
    return (throng_mix(bits[0] ^ (bits[1] << 1)) >> 32) * count >> 32;
}

static bool is_due(const throng_pace *pace, const throng_trail *trail) {
    uint64_t since = pace->step + 1 - trail->planned;
    if (since < pace->period / 2) return false;
    return since >= pace->period / 2 + offset_of(trail, pace->period + 1);
}

static bool is_outdated(const throng_pace *pace, const throng_trail *trail) {
    return trail->planned == 0 || trail->planned <= pace->changed || trail->planned > pace->step + 1;
}

/* Where one goes on to from a bend. */
static throng_point after_bend(const throng_roads *roads, const choice *c) {
    const throng_tangents *t = roads->tangents;
    throng_point at = t->bends[c->corner / 2].at;
    uint32_t next = c->exit->next;
    if (next & THRONG_LANDS) return throng_landing_nearest(&roads->tree->landings[next & ~THRONG_LANDS], at);
    throng_tangent line;
    throng_point to = t->bends[next / 2].at;
    if (!throng_tangent_of(at, throng_node_side(c->corner), to, throng_node_side(next), t->margin, &line)) return to;
    return throng_ahead(to, line.touch[1], t->margin);
}

/* Of a bend a trail knows the corner and where one goes on to; of a landing the ends. */
static void keep_trail(const throng_roads *roads, throng_trail *trail, const choice *c) {
    if (!trail) return;
    *trail = (throng_trail){
        .next = c->next, .beyond = c->beyond, .corner = c->corner, .planned = (uint32_t)(roads->pace.step + 1)};
    if (c->corner & THRONG_LANDS) {
        const throng_landing *landing = &roads->tree->landings[c->corner & ~THRONG_LANDS];
        if (landing->stop) trail->corner |= STOPS;
        trail->around = landing->a;
        trail->after = landing->b;
    } else {
        trail->corner = throng_tangents_name(roads->tangents, c->corner);
        trail->around = roads->tangents->bends[c->corner / 2].at;
        trail->after = after_bend(roads, c);
    }
}

static throng_way way_of(const choice *c) {
    return (throng_way){.direction = c->direction, .distance = c->length + c->beyond};
}

/* Somebody who comes to a bend within the next step turns towards where the step ends on the arc: who went
 * straight on would get off it, and in a narrow passage into the other wall. */
static void turn_into_bend(throng_point at, throng_point centre, double margin, choice *c) {
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

/* Takes a trail along around its bend to where the leg touches it now. */
static void move_along(throng_trail *trail, const choice *c, throng_point arm, double margin) {
    throng_point old = {arm.x / margin, arm.y / margin};
    double back = throng_node_side(trail->corner) * throng_cross(old, c->touch),
           turn = throng_angle_between(old, c->touch);
    trail->beyond += margin * (back > 0 ? turn : -turn);
    trail->next = c->next;
}

/* Around the bend that a trail leads to, as long as the corner is still in between. */
static bool goes_around(throng_trail *trail, throng_point at, throng_way *way) {
    throng_point arm = {trail->next.x - trail->around.x, trail->next.y - trail->around.y};
    throng_point after = {trail->after.x - at.x, trail->after.y - at.y};
    double margin = sqrt(throng_dot(arm, arm));
    choice c = choice_around(at, trail->corner, trail->around, margin);
    double between = throng_node_side(trail->corner) * throng_cross(after, c.direction);
    if (between <= 0 || between * between <= hardly * hardly * throng_dot(after, after)) return false;
    throng_point moved = {c.next.x - trail->next.x, c.next.y - trail->next.y};
    if (throng_dot(moved, moved) >= moved_most * moved_most) {
        /* Of a bend close behind, the one point known of it says too little. */
        if (throng_dot(after, after) < 9 * margin * margin) return false;
        move_along(trail, &c, arm, margin);
    }
    c.beyond = trail->beyond;
    turn_into_bend(at, trail->around, margin, &c);
    *way = way_of(&c);
    return true;
}

/* Whether somebody is on the leg to the bend it walks to, or as little to the side of it as this, m. */
static bool is_on_leg(const throng_trail *trail, throng_point at, double aside) {
    throng_point arm = {trail->next.x - trail->around.x, trail->next.y - trail->around.y};
    double off = throng_dot((throng_point){at.x - trail->next.x, at.y - trail->next.y}, arm);
    return off * off <= aside * aside * throng_dot(arm, arm);
}

/* To the nearest point of the landing that a trail leads to. Who is still opposite the point it was walking to when
 * it looked need not look again. */
static bool goes_to_land(throng_trail *trail, const throng_walker *walker, const throng_pace *pace, throng_way *way) {
    throng_landing landing = {.a = trail->around, .b = trail->after};
    throng_point end = throng_landing_nearest(&landing, walker->at);
    double dx = end.x - walker->at.x, dy = end.y - walker->at.y, far2 = dx * dx + dy * dy;
    if (far2 < step_usual * step_usual || (trail->corner & STOPS)) return false;
    if (is_due(pace, trail)) {
        throng_point along = {landing.b.x - landing.a.x, landing.b.y - landing.a.y};
        double aside = as_good_as_on * walker->radius, slant = throng_dot(along, (throng_point){dx, dy});
        double moved_x = end.x - trail->next.x, moved_y = end.y - trail->next.y;
        if (moved_x * moved_x + moved_y * moved_y > aside * aside) return false;
        if (slant * slant > 1e-6 * far2 * throng_dot(along, along) || throng_dot(along, along) == 0) return false;
        trail->planned = (uint32_t)(pace->step + 1);
    }
    double far = sqrt(far2);
    *way = (throng_way){.direction = {dx / far, dy / far}, .distance = far + trail->beyond};
    return true;
}

bool throng_trail_goes_on(throng_trail *trail, const throng_walker *walker, const throng_pace *pace, throng_way *way) {
    if (is_outdated(pace, trail)) return false;
    if (trail->corner & THRONG_LANDS) return goes_to_land(trail, walker, pace, way);
    double dx = trail->next.x - walker->at.x, dy = trail->next.y - walker->at.y, far2 = dx * dx + dy * dy;
    double look = near_by + walker->radius;
    bool near = far2 < look * look;
    if (is_due(pace, trail)) {
        /* The leg was free and the best when it was chosen. */
        if (near || !is_on_leg(trail, walker->at, as_good_as_on * walker->radius)) return false;
        trail->planned = (uint32_t)(pace->step + 1);
    }
    if (near) return goes_around(trail, walker->at, way);
    double far = sqrt(far2);
    *way = (throng_way){.direction = {dx / far, dy / far}, .distance = far + trail->beyond};
    return true;
}

/* Where a trail leads, on these roads; UINT32_MAX: nowhere, as walls have changed. */
static uint32_t corner_of(const throng_roads *roads, const throng_trail *trail) {
    const uint32_t nowhere = UINT32_MAX;
    if (!trail || trail->planned == 0) return nowhere;
    if (trail->corner & THRONG_LANDS) {
        uint32_t landing = trail->corner & ~(THRONG_LANDS | STOPS);
        return landing < roads->tree->landing_count ? THRONG_LANDS + landing : nowhere;
    }
    uint32_t node = throng_tangents_find(roads->tangents, trail->corner);
    if (node == nowhere || roads->tree->first[node] == roads->tree->first[node + 1]) return nowhere;
    throng_point at = roads->tangents->bends[node / 2].at;
    double dx = trail->next.x - at.x, dy = trail->next.y - at.y, margin = roads->tangents->margin;
    return fabs(sqrt(dx * dx + dy * dy) - margin) < 1e-6 * margin + 1e-9 ? node : nowhere;
}

/* What comes after a choice; false when it is the last, or a corner is still in between. */
static bool find_next(const throng_roads *roads, throng_point at, const choice *c, choice *next) {
    if (c->corner & THRONG_LANDS) {
        if (!roads->tree->landings[c->corner & ~THRONG_LANDS].stop) return false;
        *next = choice_of(roads, at, c->corner - 1);
        return true;
    }
    *next = choice_of(roads, at, c->exit->next);
    return throng_node_side(c->corner) * throng_cross(next->direction, c->direction) <= 0;
}

/* Whether a leg touches its bend where that has room; from close to a corner one may come a little beside. */
static bool comes_to_arc(const throng_roads *roads, const choice *c, bool lax) {
    if (c->corner & THRONG_LANDS) return true;
    const throng_bend *bend = &roads->tangents->bends[c->corner / 2];
    return throng_bend_has(bend, c->touch) || (lax && is_beside(bend, c->touch));
}

/* Goes on to what comes after a bend as soon as the corner is not in between any more. Returns whether
 * somebody is past the bend and cannot see on; it goes that way all the same. */
static bool cut_corners(const throng_roads *roads, throng_point at, choice *c, bool *changed) {
    choice next;
    for (int i = 0; i < 4 && find_next(roads, at, c, &next); i++) {
        bool close = c->length < roads->tangents->margin;
        double margin = margin_at(roads, at, close ? roads->careful : roads->usual);
        if (!comes_to_arc(roads, &next, close) || !is_clear(roads, at, &next, margin) ||
            !find_beyond(roads, &next, a_little)) {
            if (close) c->direction = next.direction;
            return close;
        }
        *c = next;
        *changed = true;
    }
    return false;
}

/* Whether the way is in sight, or the next few metres of it: there will be time to look at the rest. */
static bool is_in_sight(const throng_roads *roads, throng_point at, const choice *c, bool whole) {
    const double enough = 6; /* m, about what is walked until the next look */
    double margin = margin_at(roads, at, roads->careful);
    if (whole || c->length < 1.5 * enough) return is_clear(roads, at, c, margin);
    return throng_sight_is_clear(roads->walls, at, throng_ahead(at, c->direction, enough), margin);
}

/* Looks whether one can go on as before. */
static bool look_ahead(const throng_roads *roads, throng_point at, choice *c, bool whole) {
    const throng_tangents *t = roads->tangents;
    if (!is_in_sight(roads, at, c, whole)) return false;
    if (c->corner & THRONG_LANDS) return true;
    double angle = throng_node_angle(t, c->corner, c->touch);
    if (angle > c->exit->leave + too_far) return false;
    c->beyond = c->exit->value - t->margin * angle;
    const throng_bend *bend = &t->bends[c->corner / 2];
    return c->length <= t->margin || throng_bend_has(bend, c->touch) || is_beside(bend, c->touch);
}

/* Looks whether a bend next to the one that is walked to leads there sooner. */
static void look_around(const throng_roads *roads, throng_point at, choice *c) {
    const throng_tangents *t = roads->tangents;
    double best = total(c) - gain_least, least, margin = margin_at(roads, at, roads->usual);
    uint32_t from = c->corner;
    for (uint32_t side = 0; side < 2; side++) {
        for (size_t i = t->first[from ^ side]; i < t->first[(from ^ side) + 1]; i++) {
            for (uint32_t turn = 0; turn < 2; turn++) {
                uint32_t node = t->legs[i].to ^ turn;
                if (!least_by(roads, at, node, false, best, &least)) continue;
                choice other = choice_of(roads, at, node);
                if (!find_beyond(roads, &other, same_angle) || total(&other) >= best) continue;
                if (!is_clear(roads, at, &other, margin)) continue;
                *c = other;
                best = total(c);
            }
        }
    }
}

static double gap_between(double low, double high, double other_low, double other_high) {
    return fmax(fmax(other_low - high, low - other_high), 0);
}

/* Whether a change of walls may have made another way the shortest: the old one is longer now, or one that
 * leads by where the change was could be shorter. */
static bool is_concerned(const throng_roads *roads, const throng_walker *walker, const choice *c) {
    const throng_trail *trail = walker->trail;
    double dx = trail->next.x - walker->at.x, dy = trail->next.y - walker->at.y;
    if (total(c) > sqrt(dx * dx + dy * dy) + trail->beyond + gain_least) return true;
    throng_box where = roads->where;
    dx = gap_between(walker->at.x, walker->at.x, where.low.x, where.high.x);
    dy = gap_between(walker->at.y, walker->at.y, where.low.y, where.high.y);
    double there = sqrt(dx * dx + dy * dy), on = INFINITY;
    for (size_t i = 0; i < roads->tree->landing_count; i++) {
        const throng_landing *l = &roads->tree->landings[i];
        dx = gap_between(fmin(l->a.x, l->b.x), fmax(l->a.x, l->b.x), where.low.x, where.high.x);
        dy = gap_between(fmin(l->a.y, l->b.y), fmax(l->a.y, l->b.y), where.low.y, where.high.y);
        on = fmin(on, sqrt(dx * dx + dy * dy));
    }
    return there + on - 4 * roads->tangents->margin < total(c);
}

/* The choice that a trail stands for. How the bend is left was decided where the trail came to it; by now
 * one may have gone too far around. */
static bool take_up(const throng_roads *roads, const throng_walker *walker, uint32_t corner, choice *c) {
    const throng_tangents *t = roads->tangents;
    *c = choice_of(roads, walker->at, corner);
    if (corner & THRONG_LANDS) return true;
    throng_point next = walker->trail->next, at = t->bends[corner / 2].at;
    throng_point touch = {(next.x - at.x) / t->margin, (next.y - at.y) / t->margin};
    double angle = throng_node_angle(t, corner, touch);
    c->beyond = walker->trail->beyond;
    c->exit = throng_tree_exit(roads->tree, corner, angle - same_angle);
    for (uint32_t i = roads->tree->first[corner]; i < roads->tree->first[corner + 1]; i++) {
        double beyond = roads->tree->exits[i].value - t->margin * angle;
        if (fabs(beyond - c->beyond) < 1e-7) c->exit = &roads->tree->exits[i];
    }
    return c->exit != NULL;
}

/* Takes a trail along around a bend, as far as where it is left. */
static void move_around(const throng_roads *roads, throng_trail *trail, const choice *c) {
    double dx = c->next.x - trail->next.x, dy = c->next.y - trail->next.y;
    if (c->corner & THRONG_LANDS || dx * dx + dy * dy < moved_most * moved_most) return;
    double t = throng_node_angle(roads->tangents, c->corner, c->touch);
    if (t > c->exit->leave) return;
    trail->next = c->next;
    trail->beyond = c->exit->value - roads->tangents->margin * t;
}

/* Along a trail; false when it leads nowhere from here. Nothing can lead there sooner by more than one has got
 * to the side of the leg, so those who have kept to it do not look around for that. */
static bool walk_on(const throng_roads *roads, const throng_walker *walker, uint32_t corner, choice *c) {
    throng_trail *trail = walker->trail;
    if (!take_up(roads, walker, corner, c)) return false;
    bool changed = false, stuck = cut_corners(roads, walker->at, c, &changed);
    bool old = is_outdated(&roads->pace, trail), look = old || (!changed && is_due(&roads->pace, trail));
    bool lands = c->corner & THRONG_LANDS;
    bool strayed = old || (look && !lands && !is_on_leg(trail, walker->at, worth_looking));
    if (look && (stuck || !look_ahead(roads, walker->at, c, strayed && !lands))) return false;
    if (strayed && !lands) look_around(roads, walker->at, c);
    if (old && is_concerned(roads, walker, c)) return false;
    if (changed || look)
        keep_trail(roads, trail, c);
    else
        move_around(roads, trail, c);
    return true;
}

/* For somebody without a trail, or who has lost sight of where it was going to. Mostly there is another way
 * that is hardly longer: far fewer bends can be on it than on any. */
static bool plan_anew(const throng_roads *roads, const throng_walker *walker, uint32_t corner, choice *c) {
    const double detours[] = {1, 6}; /* m */
    const throng_trail *trail = walker->trail;
    bool known = corner != UINT32_MAX && !is_outdated(&roads->pace, trail);
    for (int i = 0; i < 2 && known; i++) {
        double dx = trail->next.x - walker->at.x, dy = trail->next.y - walker->at.y;
        *c = (choice){.length = sqrt(dx * dx + dy * dy), .beyond = trail->beyond + detours[i]};
        if (!(corner & THRONG_LANDS) && search_near(roads, walker->at, corner, c)) return true;
        if (plan(roads, walker->at, c)) return true;
    }
    *c = (choice){.beyond = INFINITY};
    return plan(roads, walker->at, c);
}

bool throng_roads_follow(const throng_roads *roads, const throng_goal_entry *goals, const throng_walker *walker,
                         throng_way *way) {
    choice c;
    uint32_t corner = corner_of(roads, walker->trail);
    bool known = corner != UINT32_MAX && walk_on(roads, walker, corner, &c);
    if (!known) {
        if (!plan_anew(roads, walker, corner, &c)) return false;
        bool changed = false;
        cut_corners(roads, walker->at, &c, &changed);
        keep_trail(roads, walker->trail, &c);
    }
    if (!(c.corner & THRONG_LANDS))
        turn_into_bend(walker->at, roads->tangents->bends[c.corner / 2].at, roads->tangents->margin, &c);
    *way = way_of(&c);
    double careful = roads->careful;
    if (!known && throng_walls_depth(roads->walls, walker->at.x, walker->at.y, careful) < careful)
        way->direction = throng_avoid_walls(roads->walls, walker->at, careful, way->direction);
    /* On the border of an area, inwards. */
    if (c.length < 1e-6 && (c.corner & THRONG_LANDS)) *way = throng_straight_way(goals, walker);
    return true;
}
