/* roadmap_follow.c: the way of one walker. Writes only its trail (path state), so any thread may ask.
 *
 * A walker goes straight to where its leg touches the next bend, and around the bend until what comes
 * after it is in sight; about every second it glances up whether a crowd has carried it to where that is so already.
 * Every few seconds, unless it has kept to its leg, it looks whether the bend is still in sight, and from farther
 * aside whether a bend close by leads there sooner. Somebody who has lost sight of where it was going to looks at
 * more and more bends until it knows a way. */

#include <math.h>
#include <string.h>

#include "route/planner.h"
#include "route/roadmap.h"
#include "space/walls.h"

static const double same_angle = 1e-6; /* radians, against rounding */
static const double a_little = 0.3;    /* radians */
static const double tight_gain = 0.2;  /* m for which one squeezes through */
static const double gain_least = 0.02; /* m for which another way is worth it */
static const double detour_most = 0.2; /* m by which cutting a corner may lengthen the way */
static const double too_far = 1;       /* radians past where a bend is left that one may get, jostled */
static const double off_arc = 0.5;     /* sine of the angle by which a leg of somebody jostled may miss its arc */

enum { CANDIDATES = 128 };

static double total(const throng_choice *c) { return c->length + c->beyond; }

/* --- one throng_choice */

static throng_choice choice_of_landing(const throng_roads *roads, throng_point at, uint32_t landing) {
    const throng_landing *l = &roads->tree->landings[landing];
    throng_point end = throng_landing_nearest(l, at);
    double dx = end.x - at.x, dy = end.y - at.y, length = sqrt(dx * dx + dy * dy);
    return (throng_choice){.corner = THRONG_LANDS + landing,
                           .next = end,
                           .direction = throng_unit((throng_point){dx, dy}),
                           .length = length,
                           .beyond = l->beyond};
}

static throng_choice choice_of_bend(const throng_tangents *t, throng_point at, uint32_t node) {
    return throng_choice_around(at, node, t->bends[node / 2].at, t->margin);
}

/* False when no way leads on from there. The bend may have to be left before it is come to, by some angle:
 * then what is after it will soon be in sight. */
static bool find_beyond(const throng_roads *roads, throng_choice *c, double before) {
    if (c->corner & THRONG_LANDS) return true;
    double t = throng_node_angle(roads->tangents, c->corner, c->touch);
    c->exit = throng_tree_exit(roads->tree, c->corner, t - before);
    if (c->exit) c->beyond = c->exit->value - roads->tangents->margin * t;
    return c->exit != NULL;
}

static throng_choice choice_of(const throng_roads *roads, throng_point at, uint32_t corner) {
    if (corner & THRONG_LANDS) return choice_of_landing(roads, at, corner & ~THRONG_LANDS);
    return choice_of_bend(roads->tangents, at, corner);
}

/* The distance that somebody keeps from walls: less than wanted where one is too near already. */
static double margin_at(const throng_roads *roads, throng_point at, double wanted) {
    double depth = throng_walls_depth(roads->walls, at.x, at.y, wanted);
    return depth >= wanted ? wanted : fmax(0.98 * depth, 0);
}

static bool is_clear(const throng_roads *roads, throng_point at, const throng_choice *c, double margin) {
    if (!(c->corner & THRONG_LANDS)) return throng_sight_is_clear(roads->walls, at, c->next, margin);
    const throng_landing *landing = &roads->tree->landings[c->corner & ~THRONG_LANDS];
    return throng_landing_is_clear(landing, roads->walls, at, c->next, margin);
}

/* The same with the distance that somebody keeps from walls at most. Mostly the way is clear, and so is where one
 * is; then the walls are asked once. */
static bool is_clear_enough(const throng_roads *roads, throng_point at, const throng_choice *c, double wanted) {
    if (is_clear(roads, at, c, wanted)) return true;
    double margin = margin_at(roads, at, wanted);
    return margin < wanted && is_clear(roads, at, c, margin);
}

/* Whether the way is in sight, or the next few metres of it: there will be time to look at the rest. */
static bool is_in_sight(const throng_roads *roads, throng_point at, const throng_choice *c, double margin, bool whole) {
    const double enough = THRONG_SEEN_AHEAD;
    if (whole || c->length < 1.5 * enough) return is_clear_enough(roads, at, c, margin);
    throng_choice part = {.corner = 0, .next = throng_ahead(at, c->direction, enough)};
    return is_clear_enough(roads, at, &part, margin);
}

/* --- the best of all choices */

/* A throng_choice and a lower bound of its length. */
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

/* A heap has its first at the top: the most promising one, or the worst. */
static inline bool is_above(candidate a, candidate b, bool worst) {
    return worst ? comes_before(b, a) : comes_before(a, b);
}

static inline void sink(candidates *list, size_t at, candidate c, bool worst) {
    for (size_t child; (child = 2 * at + 1) < list->count; at = child) {
        if (child + 1 < list->count && is_above(list->items[child + 1], list->items[child], worst)) child++;
        if (!is_above(list->items[child], c, worst)) break;
        list->items[at] = list->items[child];
    }
    list->items[at] = c;
}

static void make_heap(candidates *list, bool worst) {
    for (size_t i = list->count / 2; i-- > 0;) sink(list, i, list->items[i], worst);
}

/* Of more than fit, each pushes out the worst. */
static inline void add_candidate(candidates *list, candidate c) {
    if (list->count < CANDIDATES) {
        list->items[list->count++] = c;
        if (list->count == CANDIDATES) make_heap(list, true);
    } else if (comes_before(c, list->items[0])) {
        sink(list, 0, c, true);
    }
}

/* The most promising one of a heap, as long as it promises less than a length. Mostly few are looked at. */
static bool take_first(candidates *list, double below, candidate *first) {
    if (list->count == 0 || !(list->items[0].least < below)) return false;
    *first = list->items[0];
    candidate last = list->items[--list->count];
    if (list->count > 0) sink(list, 0, last, false);
    return true;
}

/* Has them ready to be taken. Of a tree of one's own the processor fetches what all of them need. */
static void finish_list(candidates *list, const throng_tree *tree) {
    make_heap(list, false);
    if (!tree->whole) return;
    for (size_t i = 0; i < list->count; i++) {
        if (!(list->items[i].corner & THRONG_LANDS)) throng_tree_fetch_exits(tree, list->items[i].corner);
    }
}

/* Whether a leg of somebody jostled misses an arc by little. */
static bool is_beside(const throng_bend *bend, throng_point touch) {
    if (throng_cross(bend->from, touch) > off_arc || throng_cross(touch, bend->to) > off_arc) return false;
    return throng_dot(bend->from, touch) > 0 || throng_dot(bend->to, touch) > 0;
}

/* Whether a leg touches its bend where that has room; from close to a corner one may come a little beside. */
static bool comes_to_arc(const throng_roads *roads, const throng_choice *c, bool lax) {
    if (c->corner & THRONG_LANDS) return true;
    const throng_bend *bend = &roads->tangents->bends[c->corner / 2];
    return throng_bend_has(bend, c->touch) || (lax && is_beside(bend, c->touch));
}

/* Adds a bend that may be on a way shorter than this. */
static inline void add_bend(candidates *list, const throng_roads *roads, throng_point at, size_t known, uint32_t bend,
                            double below, candidate after) {
    throng_point corner = roads->tangents->corners[bend];
    double beyond = roads->tree->least[known], reach = below - beyond + roads->tangents->margin;
    double dx = corner.x - at.x, dy = corner.y - at.y, far2 = dx * dx + dy * dy;
    if (!(reach > 0 && far2 <= reach * reach)) return;
    double length = sqrt(far2) - roads->tangents->margin;
    candidate found = {beyond + (length > 0 ? length : 0), 2 * bend};
    if (!(found.least < below && comes_before(after, found))) return;
    __builtin_prefetch(&roads->tree->bends[known]);
    add_candidate(list, found);
}

/* The choices after one that was tried already. */
static void list_candidates(const throng_roads *roads, throng_point at, const throng_outlook *outlook, double below,
                            candidate after, candidates *list) {
    list->count = 0;
    for (uint32_t l = 0; l < roads->tree->landing_count; l++) {
        throng_choice c = choice_of_landing(roads, at, l);
        candidate found = {total(&c), c.corner};
        if (found.least < below && comes_before(after, found)) add_candidate(list, found);
    }
    const throng_tree *tree = roads->tree;
    const throng_point *corners = roads->tangents->corners;
    double limit = below + roads->tangents->margin;
    for (size_t i = 0; i < tree->bend_count; i++) {
        uint32_t bend = tree->whole ? (uint32_t)i : tree->bends[i].bend;
        throng_point corner = corners[bend];
        double dx = corner.x - at.x, dy = corner.y - at.y, reach = limit - (double)tree->least[i];
        if (!(reach > 0 && dx * dx + dy * dy <= reach * reach))
            continue; /* nearly all, of those not far from the best */
        if (outlook && !throng_outlook_may_see(outlook, corner)) continue;
        add_bend(list, roads, at, i, bend, below, after);
    }
    finish_list(list, tree);
}

/* Of the choices in sight the best, and the best for which walls are passed more closely than usual. */
typedef struct finding {
    throng_choice best, tight;
    double best_total, tight_total; /* m; infinite: there is none */
    uint32_t wall;                  /* that was last in the way; UINT32_MAX: none */
} finding;

/* How one looks for a way. */
typedef struct manner {
    double usual, careful; /* m kept from walls, and at least */
    bool lax;              /* a leg may miss its arc by little */
} manner;

static bool is_seen(const throng_roads *roads, throng_point at, const throng_choice *c, double margin, finding *f) {
    if (c->corner & THRONG_LANDS) return is_clear(roads, at, c, margin);
    return throng_sight_is_clear_of(roads->walls, at, c->next, margin, &f->wall);
}

static void try_choice(const throng_roads *roads, throng_point at, throng_choice *c, const manner *m, finding *f) {
    if (c->length >= f->best_total || !find_beyond(roads, c, same_angle) || total(c) >= f->best_total) return;
    if (is_seen(roads, at, c, m->usual, f)) {
        f->best = *c;
        f->best_total = total(c);
    } else if (total(c) < f->tight_total && m->careful < m->usual && is_seen(roads, at, c, m->careful, f)) {
        f->tight = *c;
        f->tight_total = total(c);
    }
}

static void try_candidate(const throng_roads *roads, throng_point at, uint32_t corner, const manner *m, finding *f) {
    if (corner & THRONG_LANDS) {
        throng_choice c = choice_of_landing(roads, at, corner & ~THRONG_LANDS);
        try_choice(roads, at, &c, m, f);
        return;
    }
    for (uint32_t node = corner; node <= corner + 1; node++) {
        throng_exits exits = throng_tree_exits(roads->tree, node);
        if (exits.begin == exits.end) continue;
        throng_choice c = choice_of_bend(roads->tangents, at, node);
        if (comes_to_arc(roads, &c, m->lax)) try_choice(roads, at, &c, m, f);
    }
}

/* Looks at all bends in sight for a way shorter than `best`, of which only the length counts; it may have no
 * end. Returns whether there is one. */
static bool search(const throng_roads *roads, throng_point at, const manner *m, throng_choice *best) {
    finding f = {.best_total = total(best), .tight_total = INFINITY, .wall = UINT32_MAX};
    candidate after = {-INFINITY, 0};
    candidates list;
    throng_outlook outlook;
    /* With something to compare with, or of a tree that is not whole, few are so much as looked at. */
    bool all = isinf(f.best_total) && roads->tree->whole, full;
    if (all) throng_outlook_make(&outlook, roads->walls, at, true, roads->tangents->margin, NULL);
    do {
        list_candidates(roads, at, all ? &outlook : NULL, f.best_total, after, &list);
        full = list.count == CANDIDATES;
        while (take_first(&list, f.best_total, &after)) try_candidate(roads, at, after.corner, m, &f);
    } while (full && list.count == 0);
    bool found = f.best_total < total(best);
    if (!found && isinf(f.tight_total)) return false;
    *best = !found || f.tight_total < f.best_total - tight_gain ? f.tight : f.best;
    return true;
}

/* Looks only at what is in sight of a bend, for a way shorter than `best`: mostly there is one for somebody pushed
 * off its way to that bend. */
static bool search_near(const throng_roads *roads, throng_point at, uint32_t node, bool lax, throng_choice *best) {
    finding f = {.best_total = total(best), .tight_total = INFINITY, .wall = UINT32_MAX};
    candidates list;
    list.count = 0;
    const throng_tangents *t = roads->tangents;
    size_t first = t->beside_first[node / 2], end = t->beside_first[node / 2 + 1];
    for (size_t i = first; i < end && roads->tree->whole; i++) __builtin_prefetch(&roads->tree->least[t->beside[i]]);
    for (size_t i = first; i < end; i++) {
        size_t known = throng_tree_find(roads->tree, t->beside[i]);
        if (known != SIZE_MAX) add_bend(&list, roads, at, known, t->beside[i], f.best_total, (candidate){-INFINITY, 0});
    }
    if (list.count == 0) return false;
    finish_list(&list, roads->tree);
    double usual = margin_at(roads, at, roads->usual);
    const manner m = {.usual = usual, .careful = usual, .lax = lax};
    for (candidate next; take_first(&list, f.best_total, &next);) try_candidate(roads, at, next.corner, &m, &f);
    if (!(f.best_total < total(best))) return false;
    *best = f.best;
    return true;
}

/* The shortest way from a point, of all. Somebody too near to a wall for roads starts from where there is
 * room for them, or comes to the arcs a little beside them. */
static bool plan(const throng_roads *roads, throng_point at, throng_choice *best) {
    const throng_choice given = *best;
    const throng_tangents *t = roads->tangents;
    double depth = throng_walls_depth(roads->walls, at.x, at.y, t->margin), least = fmax(0.98 * depth, 0);
    const manner free = {roads->usual, roads->careful, false}, close = {least, least, true},
                 beside = {fmin(roads->usual, least), roads->careful, true};
    throng_point room;
    if (depth >= t->keep) return search(roads, at, &free, best);
    /* just under the end of a wall the way to its arc would begin behind it, and only from farther away is there one */
    if (depth >= roads->careful && search(roads, at, &beside, best)) return true;
    if (depth >= roads->careful && total(&given) < INFINITY) return false;
    if (!throng_sight_find_room(roads->walls, at, t->margin, t->keep, &room) || !search(roads, room, &free, best)) {
        *best = given;
        return search(roads, at, &close, best);
    }
    throng_choice from_here = choice_of(roads, at, best->corner);
    if (find_beyond(roads, &from_here, same_angle)) *best = from_here;
    return true;
}

/* --- the trail */

/* Where one goes on to from a bend. */
static throng_point after_bend(const throng_roads *roads, const throng_choice *c) {
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
static void keep_trail(const throng_roads *roads, throng_trail *trail, const throng_choice *c) {
    if (!trail) return;
    *trail = (throng_trail){
        .next = c->next, .beyond = c->beyond, .corner = c->corner, .planned = (uint32_t)(roads->pace.step + 1)};
    if (c->corner & THRONG_LANDS) {
        const throng_landing *landing = &roads->tree->landings[c->corner & ~THRONG_LANDS];
        if (landing->stop) trail->corner |= THRONG_STOPS;
        trail->around = landing->a;
        trail->after = landing->b;
    } else {
        trail->corner = throng_tangents_name(roads->tangents, c->corner);
        trail->around = roads->tangents->bends[c->corner / 2].at;
        trail->after = after_bend(roads, c);
    }
}

/* Where a trail leads, on these roads; UINT32_MAX: nowhere, as walls have changed. */
static uint32_t corner_of(const throng_roads *roads, const throng_trail *trail) {
    const uint32_t nowhere = UINT32_MAX;
    if (!trail || trail->planned == 0) return nowhere;
    if (trail->corner & THRONG_LANDS) {
        uint32_t landing = trail->corner & ~(THRONG_LANDS | THRONG_STOPS);
        return landing < roads->tree->landing_count ? THRONG_LANDS + landing : nowhere;
    }
    uint32_t node = throng_tangents_find(roads->tangents, trail->corner);
    if (node == nowhere) return nowhere;
    throng_exits exits = throng_tree_exits(roads->tree, node);
    if (exits.begin == exits.end) return nowhere;
    throng_point at = roads->tangents->bends[node / 2].at;
    double dx = trail->next.x - at.x, dy = trail->next.y - at.y, margin = roads->tangents->margin;
    return fabs(sqrt(dx * dx + dy * dy) - margin) < 1e-6 * margin + 1e-9 ? node : nowhere;
}

/* What comes after a choice; false when it is the last, or a corner is still in between. */
static bool find_next(const throng_roads *roads, throng_point at, const throng_choice *c, throng_choice *next) {
    if (c->corner & THRONG_LANDS) {
        if (!roads->tree->landings[c->corner & ~THRONG_LANDS].stop) return false;
        *next = choice_of(roads, at, c->corner - 1);
        return true;
    }
    *next = choice_of(roads, at, c->exit->next);
    return throng_node_side(c->corner) * throng_cross(next->direction, c->direction) <= 0;
}

/* How far one came by cutting corners. */
typedef enum cutting {
    CUT_FAR,   /* to what can be walked to now */
    CUT_STUCK, /* somebody is past the bend and cannot see on; it goes that way all the same */
    CUT_LOST   /* too far beside the way to leave the next bend where it should be left: there is a better way */
} cutting;

/* Goes on to what comes after a bend as soon as the corner is not in between any more. (From close to the bend the
 * way is as good as the leg that leads there, which is clear.) */
static cutting cut_corners(const throng_roads *roads, throng_point at, throng_choice *c, bool *changed) {
    throng_choice next;
    for (int i = 0; i < 4 && find_next(roads, at, c, &next); i++) {
        bool close = c->length < roads->tangents->margin;
        double margin = close ? roads->careful : roads->usual;
        if (!comes_to_arc(roads, &next, close) || !find_beyond(roads, &next, a_little) ||
            !is_in_sight(roads, at, &next, margin, c->length > 4 * roads->tangents->margin)) {
            if (close) c->direction = next.direction;
            return close ? CUT_STUCK : CUT_FAR;
        }
        if (total(&next) > total(c) + detour_most) return CUT_LOST;
        *c = next;
        *changed = true;
    }
    return CUT_FAR;
}

/* Looks whether one can go on as before. */
static bool look_ahead(const throng_roads *roads, throng_point at, throng_choice *c, bool whole) {
    const throng_tangents *t = roads->tangents;
    if (!is_in_sight(roads, at, c, roads->careful, whole)) return false;
    if (c->corner & THRONG_LANDS) return true;
    double angle = throng_node_angle(t, c->corner, c->touch);
    if (angle > c->exit->leave + too_far) return false;
    c->beyond = c->exit->value - t->margin * angle;
    return c->length <= t->margin || comes_to_arc(roads, c, true);
}

/* Looks whether a bend next to the one that is walked to leads there sooner. */
static void look_around(const throng_roads *roads, throng_point at, throng_choice *c) {
    throng_choice other = {.beyond = total(c) - gain_least};
    if (search_near(roads, at, c->corner, false, &other)) *c = other;
}

static double gap_between(double low, double high, double other_low, double other_high) {
    return fmax(fmax(other_low - high, low - other_high), 0);
}

/* Whether a change of walls may have made another way the shortest: the old one is longer now, or one that
 * leads by where the change was could be shorter. */
static bool is_concerned(const throng_roads *roads, const throng_walker *walker, const throng_choice *c) {
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

/* The throng_choice that a trail stands for. How the bend is left was decided where the trail came to it; by now
 * one may have gone too far around. */
static bool take_up(const throng_roads *roads, const throng_walker *walker, uint32_t corner, throng_choice *c) {
    const throng_tangents *t = roads->tangents;
    *c = choice_of(roads, walker->at, corner);
    if (corner & THRONG_LANDS) return true;
    throng_point next = walker->trail->next, at = t->bends[corner / 2].at;
    throng_point touch = {(next.x - at.x) / t->margin, (next.y - at.y) / t->margin};
    double angle = throng_node_angle(t, corner, touch);
    c->beyond = walker->trail->beyond;
    c->exit = throng_tree_exit(roads->tree, corner, angle - same_angle);
    throng_exits exits = throng_tree_exits(roads->tree, corner);
    for (const throng_exit *e = exits.begin; e < exits.end; e++) {
        double beyond = e->value - t->margin * angle;
        if (fabs(beyond - c->beyond) < 1e-7) c->exit = e;
    }
    return c->exit != NULL;
}

/* Takes a trail along around a bend, as far as where it is left. */
static void move_around(const throng_roads *roads, throng_trail *trail, const throng_choice *c) {
    double dx = c->next.x - trail->next.x, dy = c->next.y - trail->next.y;
    if (c->corner & THRONG_LANDS || dx * dx + dy * dy < THRONG_MOVED_MOST * THRONG_MOVED_MOST) return;
    double t = throng_node_angle(roads->tangents, c->corner, c->touch);
    if (t > c->exit->leave) return;
    trail->next = c->next;
    trail->beyond = c->exit->value - roads->tangents->margin * t;
}

/* Whether nothing that a tree does not know can lead to the goal sooner. */
static bool is_shortest(const throng_roads *roads, throng_point at, const throng_choice *c) {
    return total(c) <= throng_tree_is_sure(roads->tree, at) + gain_least;
}

/* Along a trail; false when it leads nowhere from here. Nothing can lead there sooner by more than one has got
 * to the side of the leg, so those who have kept to it do not look around for that. */
static bool walk_on(const throng_roads *roads, const throng_walker *walker, uint32_t corner, throng_choice *c,
                    bool *lost) {
    throng_trail *trail = walker->trail;
    if (!take_up(roads, walker, corner, c)) return false;
    bool changed = false;
    cutting cut = cut_corners(roads, walker->at, c, &changed);
    *lost = cut == CUT_LOST;
    if (*lost) return false;
    if (!changed && throng_trail_is_walled_off(trail, &roads->pace, roads->walls, walker->at, walker->radius))
        return false;
    bool old = throng_trail_is_outdated(trail, &roads->pace),
         look = old || (!changed && throng_trail_is_due(trail, &roads->pace));
    bool lands = c->corner & THRONG_LANDS;
    bool strayed = old || (look && !lands && !throng_trail_is_on_leg(trail, walker->at, THRONG_WORTH_LOOKING));
    if (look && (cut == CUT_STUCK || !look_ahead(roads, walker->at, c, strayed && !lands))) return false;
    if (strayed && !lands) {
        look_around(roads, walker->at, c);
        if (!is_shortest(roads, walker->at, c)) return false;
    }
    if (old && is_concerned(roads, walker, c)) return false;
    if (changed || look)
        keep_trail(roads, trail, c);
    else
        move_around(roads, trail, c);
    return true;
}

/* For somebody without a trail, or who has lost sight of where it was going to. Mostly there is another way
 * that is hardly longer: far fewer bends can be on it than on any. */
static bool plan_anew(const throng_roads *roads, const throng_walker *walker, uint32_t corner, bool lost,
                      throng_choice *c) {
    const double a_detour = lost ? detour_most : 1, any_detour = 6; /* m */
    const throng_trail *trail = walker->trail;
    if (corner != UINT32_MAX && !throng_trail_is_outdated(trail, &roads->pace)) {
        double dx = trail->next.x - walker->at.x, dy = trail->next.y - walker->at.y, length = sqrt(dx * dx + dy * dy);
        *c = (throng_choice){.length = length, .beyond = trail->beyond + a_detour};
        if (!(corner & THRONG_LANDS) && search_near(roads, walker->at, corner, true, c)) return true;
        *c = (throng_choice){.length = length, .beyond = trail->beyond + any_detour};
        if (plan(roads, walker->at, c)) return true;
    }
    *c = (throng_choice){.beyond = INFINITY};
    return plan(roads, walker->at, c);
}

bool throng_roads_follow(const throng_roads *roads, const throng_goal_entry *goals, const throng_walker *walker,
                         throng_way *way) {
    throng_choice c;
    uint32_t corner = corner_of(roads, walker->trail);
    bool lost = false, known = corner != UINT32_MAX && walk_on(roads, walker, corner, &c, &lost), sure = true;
    if (!known) {
        if (!plan_anew(roads, walker, corner, lost, &c)) return false;
        bool changed = false;
        sure = is_shortest(roads, walker->at, &c);
        cut_corners(roads, walker->at, &c, &changed);
        if (sure) keep_trail(roads, walker->trail, &c);
    }
    if (!(c.corner & THRONG_LANDS))
        throng_choice_turn(&c, walker->at, roads->tangents->bends[c.corner / 2].at, roads->tangents->margin);
    *way = (throng_way){.direction = c.direction, .distance = total(&c)};
    double careful = roads->careful;
    if (!known && throng_walls_depth(roads->walls, walker->at.x, walker->at.y, careful) < careful)
        way->direction = throng_avoid_walls(roads->walls, walker->at, careful, way->direction);
    /* On the border of an area, inwards. */
    if (c.length < 1e-6 && (c.corner & THRONG_LANDS)) *way = throng_straight_way(goals, walker);
    way->unknown = !sure;
    return true;
}
