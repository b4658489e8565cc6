/* roadmap.h: the insides of the roadmap planner (visibility graph): shortest ways of a disc among walls.
 *
 * The centre of a body of radius r moves where no wall is nearer than r. The shortest way there is
 * made of straight legs and of arcs of radius r around corners that stick out, and every leg touches
 * the arcs at its ends (the "tangent graph"; Laumond 1987, Liu & Arimoto 1992). A bend is such an arc,
 * or the part of it where a body fits:
 *
 *            from                    A bend is walked around clockwise, with the corner to the right
 *         . - + - .                  and from `from` to `to`, or the other way around. These are two
 *       '     |     '  to            nodes of the graph: 2 * bend, and 2 * bend + 1.
 *    ---------+       +
 *      wall   | corner
 *             |
 *
 * The angle t along an arc is measured in the direction of walking: clockwise from the wall before the
 * corner, or the negative of that the other way around. A way that comes to a bend at t and leaves it
 * at t' >= t walks r (t' - t) on it. So every leg can carry its share, cost = length + r t(leaving) -
 * r t(coming), and each way to leave a bend needs one number, the way to the goal from t = 0, `value`;
 * from t it is value - r t. Of all ways to leave a bend only those count that are left after the ones
 * with a smaller value: there are few, mostly one. */

#ifndef THRONG_ROADMAP_H
#define THRONG_ROADMAP_H

#include <math.h>

#include "base/search.h"
#include "base/vector.h"
#include "route/route.h"

typedef struct throng_bend {
    throng_point at;       /* the corner */
    throng_point from, to; /* unit vectors, where the arc begins and ends, clockwise and at most half around */
    throng_point zero;     /* unit vector, where t = 0 */
    double first, last;    /* t at its ends */
    uint32_t name;         /* of 30 bits, the same as long as the corner is there */
    uint32_t wall;         /* that begins at the corner */
} throng_bend;

/* Where a bend of a name is. */
typedef struct throng_bend_name {
    uint32_t name, bend;
} throng_bend_name;

/* A straight way from a node to another. */
typedef struct throng_roadmap_leg {
    uint32_t to;         /* node */
    double leave, reach; /* t at its ends */
    double cost;         /* m, with its share of the arcs at its ends */
} throng_roadmap_leg;

/* The bends that may be in sight from each of many cells. */
typedef struct throng_views {
    throng_point origin;
    double cell; /* m */
    size_t columns, rows;
    uint32_t
        *lists; /* [cell] 1 + where its list begins: how many bends there are in it, and these in order; 0: not known */
    uint32_t *bends;
    size_t count, capacity;
} throng_views;

/* The graph for bodies up to some radius. */
typedef struct throng_tangents {
    double margin; /* m, the radius of the arcs */
    double body;   /* m: the least radius of those whose roads these are */
    double keep;   /* m: a little less, against rounding; what is nearer to a wall is in its way */
    throng_bend *bends;
    size_t bend_count;
    throng_point *corners;     /* [bend] where it is, close together in memory */
    throng_bend_name *by_name; /* bends in the order of their names */
    uint32_t *buckets;         /* [bend_count + 1] into by_name: so many parts of all names */
    size_t *first;             /* [node + 1] into legs */
    throng_roadmap_leg *legs;
    size_t *beside_first; /* [bend + 1] into beside */
    uint32_t *beside;     /* the bends that legs lead to from each, in order */
    throng_views views;
} throng_tangents;

/* The point of a straight line from a to b nearest to a point; b may be a. */
static inline throng_point throng_nearest_between(throng_point a, throng_point b, throng_point to) {
    double x = b.x - a.x, y = b.y - a.y, t = ((to.x - a.x) * x + (to.y - a.y) * y) / (x * x + y * y);
    t = t > 0 ? t : 0; /* also what is not a number, of a point */
    t = t < 1 ? t : 1;
    return (throng_point){a.x + t * x, a.y + t * y};
}

/* 1 for the clockwise node of a bend, -1 for the other. */
static inline double throng_node_side(uint32_t node) { return node & 1 ? -1 : 1; }

/* --- bends (roadmap_graph.c) */

/* The bends of a place for a margin; those of corner k come before those of corner k + 1. */
throng_bend *throng_bends_find(const throng_walls *walls, double margin, double keep, size_t *count);

/* What is near enough to `margin` to count as that far from walls. */
double throng_margin_kept(const throng_walls *walls, double margin);

/* The angle from one unit vector to another, 0 to pi. */
double throng_angle_between(throng_point a, throng_point b);

/* t of a node where a direction from the corner meets the arc. */
double throng_node_angle(const throng_tangents *tangents, uint32_t node, throng_point direction);

/* Whether a direction from the corner lies on the arc. */
bool throng_bend_has(const throng_bend *bend, throng_point direction);

/* --- sight (roadmap_sight.c) */

/* A straight line that touches a circle at one of its ends or at both. */
typedef struct throng_tangent {
    throng_point direction; /* unit vector */
    double length;          /* m */
    throng_point touch[2];  /* unit vectors from the centres to where it begins and ends */
} throng_tangent;

/* From a circle to another that it leaves and meets on these sides, 0 for a point; all circles have the
 * same radius. False when there is none.
 *
 * With d the direction, e = d turned left by a right angle, sides s (1: the circle is to the right of the
 * line) and D from centre to centre, the line of length L obeys D = L d + k e, k = r (s_from - s_to). */
static inline bool throng_tangent_of(throng_point from, double from_side, throng_point to, double to_side,
                                     double radius, throng_tangent *t) {
    double x = to.x - from.x, y = to.y - from.y, far2 = x * x + y * y, k = radius * (from_side - to_side);
    double length2 = far2 - k * k;
    /* Circles that just touch, in a gap as wide as the body, are joined by a line without length. */
    if (!(length2 > -1e-8 * k * k) || far2 == 0) return false;
    double length = length2 > 0 ? sqrt(length2) : 0;
    double scale = 1 / far2;
    throng_point d = {(length * x + k * y) * scale, (length * y - k * x) * scale};
    *t = (throng_tangent){d, length, {{-from_side * d.y, from_side * d.x}, {-to_side * d.y, to_side * d.x}}};
    return true;
}

/* Whether no wall is nearer than `margin` to a straight way; with margin 0, whether none is crossed. */
bool throng_sight_is_clear(const throng_walls *walls, throng_point from, throng_point to, double margin);
/* The same for one of many ways: a wall that was in the way of another, UINT32_MAX for none, is asked first, and what
 * is in the way now is kept there. */
bool throng_sight_is_clear_of(const throng_walls *walls, throng_point from, throng_point to, double margin,
                              uint32_t *wall);

/* A point with room for a body, close to one without and not behind a wall. */
bool throng_sight_find_room(const throng_walls *walls, throng_point at, double margin, double keep, throng_point *room);

/* What can be seen from a point, or from a circle around it, roughly: how far one can look into each of
 * many sectors. No circle with its centre beyond is joined to it by a way that keeps a margin. */
enum { THRONG_SECTORS = 4096 };
typedef struct throng_outlook {
    throng_point at;
    bool from_point;
    float limit2[THRONG_SECTORS]; /* m^2 */
} throng_outlook;

/* `looked` gets a bit for each wall: those where a corner that may be seen begins a wall, and others. NULL: nobody
 * asks. */
void throng_outlook_make(throng_outlook *outlook, const throng_walls *walls, throng_point at, bool from_point,
                         double margin, uint64_t *looked);
bool throng_outlook_may_see(const throng_outlook *outlook, throng_point to);

/* --- views (roadmap_sight.c) */

void throng_views_lay(throng_views *views, const throng_walls *walls, size_t bend_count);
void throng_views_clear(throng_views *views);
/* Finds out what may be in sight from around a point; not for several workers at once. */
void throng_views_make(throng_tangents *tangents, const throng_walls *walls, throng_point at);
/* The bends that may be in sight from a point, in order; NULL: it is not known. */
const uint32_t *throng_views_from(const throng_tangents *tangents, throng_point at, size_t *count);

/* --- graph (roadmap_graph.c) */

throng_tangents *throng_tangents_create(const throng_walls *walls, double margin, double body, throng_crew *crew);
void throng_tangents_destroy(throng_tangents *tangents);

/* The node of a trail's corner: nodes are numbered anew when walls change, names stay. UINT32_MAX: none. */
uint32_t throng_tangents_find(const throng_tangents *tangents, uint32_t corner);
static inline uint32_t throng_tangents_name(const throng_tangents *tangents, uint32_t node) {
    return 2 * tangents->bends[node / 2].name + (node & 1);
}

/* The node that a trail leads to; UINT32_MAX: none. */
static inline uint32_t throng_trail_corner(const throng_trail *trail, const throng_tangents *tangents) {
    bool bends = trail->planned > 0 && trail->corner >> 31 == 0;
    return bends ? throng_tangents_find(tangents, trail->corner) : UINT32_MAX;
}

/* --- paths (roadmap_paths.c) */

/* A piece of a goal that one walks up to: part of an area's border, or a point. */
typedef struct throng_landing {
    throng_point a, b; /* the same for a point */
    double lenient;    /* m: over this last part of the way walls may be nearer than the margin, */
    double margin;     /* m: but not nearer than this */
    double beyond;     /* m to go on from there: a way into an area ends a little beyond its border */
    bool stop;         /* the goal itself is the landing before: it is too near to a wall for roads */
} throng_landing;

/* A way to leave a bend. Those of a node are in the order of leaving, and of value. */
typedef struct throng_exit {
    double leave;  /* t */
    double value;  /* m to the goal, from t = 0 */
    uint32_t next; /* the node after it, or THRONG_LANDS + landing */
} throng_exit;

/* What a tree knows of a bend. */
typedef struct throng_tree_bend {
    uint32_t bend;
    uint32_t first[2]; /* of its two nodes' exits; the last ones end where those of the next bend begin */
} throng_tree_bend;

/* Shortest ways to a goal: from everywhere, or from a place, all that can be on a way from there that is hardly longer
 * than the shortest. */
typedef struct throng_tree {
    throng_landing *landings;
    size_t landing_count;
    throng_tree_bend *bends; /* [bend_count + 1] in order; of a whole tree, all there are */
    float *least;            /* [bend_count] m to the goal from anywhere on it, at least; infinite: no way leads on */
    size_t bend_count;
    throng_exit *exits;
    throng_point from;
    double sure; /* m: no way from there that is shorter is unknown; infinite: none at all */
    bool whole;
    size_t bytes; /* of all this */
} throng_tree;

#define THRONG_LANDS 0x80000000u

/* What of a goal bodies can walk up to (roadmap_goals.c). */
throng_landing *throng_landings_find(const throng_walls *walls, const throng_tangents *tangents,
                                     const throng_goal_entry *goals, throng_goal goal, throng_point target,
                                     size_t *count);

/* Where in a tree's list a bend is; SIZE_MAX: nowhere. */
static inline size_t throng_tree_find(const throng_tree *tree, uint32_t bend) {
    if (tree->whole) return bend;
    size_t at;
    THRONG_SEARCH(at, tree->bend_count, tree->bends[at].bend < bend);
    return at < tree->bend_count && tree->bends[at].bend == bend ? at : SIZE_MAX;
}

/* The ways to leave a bend, in order. */
typedef struct throng_exits {
    const throng_exit *begin, *end;
} throng_exits;

static inline throng_exits throng_tree_exits(const throng_tree *tree, uint32_t node) {
    size_t found = throng_tree_find(tree, node / 2);
    if (found == SIZE_MAX) return (throng_exits){NULL, NULL};
    const throng_tree_bend *b = &tree->bends[found];
    uint32_t begin = b->first[node & 1], end = node & 1 ? b[1].first[0] : b->first[1];
    return (throng_exits){tree->exits + begin, tree->exits + end};
}

/* How to go on from a bend that one comes to at t; NULL: no way leads on. */
static inline const throng_exit *throng_tree_exit(const throng_tree *tree, uint32_t node, double t) {
    throng_exits exits = throng_tree_exits(tree, node);
    for (const throng_exit *e = exits.begin; e < exits.end; e++) {
        if (e->leave >= t) return e;
    }
    return NULL;
}

/* Have the processor fetch what a tree knows of a bend, then how it is left; then tell how one goes on, which is as in
 * an exit, or UINT32_MAX. */
static inline void throng_tree_fetch(const throng_tree *tree, uint32_t node) {
    if (tree->whole) __builtin_prefetch(&tree->bends[node / 2]);
}
static inline void throng_tree_fetch_exits(const throng_tree *tree, uint32_t node) {
    __builtin_prefetch(throng_tree_exits(tree, node).begin);
}
static inline uint32_t throng_tree_after(const throng_tree *tree, uint32_t node) {
    throng_exits exits = throng_tree_exits(tree, node);
    return exits.begin < exits.end ? exits.begin->next : UINT32_MAX;
}

/* No way from a point that is shorter than this is unknown, m. */
static inline double throng_tree_is_sure(const throng_tree *tree, throng_point at) {
    double dx = at.x - tree->from.x, dy = at.y - tree->from.y;
    return tree->sure - sqrt(dx * dx + dy * dy);
}

/* Scratch memory of a search; start with all zero. */
typedef struct throng_tree_maker {
    struct throng_offer *offers;
    size_t offer_count, offer_capacity;
    struct throng_turn *heap; /* offers, the most promising first */
    size_t heap_count, heap_capacity;
    uint32_t *head; /* [node] 1 + its first offer */
    size_t node_capacity;
    double *to_go;   /* [bend] m from there to where the tree is to lead from, at least, */
    uint8_t *hidden; /* [bend] and whether it cannot be seen from there */
    size_t to_go_capacity;
} throng_tree_maker;

/* From everywhere, or from a place only. */
void throng_tree_make(throng_tree *tree, throng_tree_maker *maker, const throng_tangents *tangents,
                      const throng_walls *walls, const throng_goal_entry *goals, throng_goal goal, throng_point target,
                      const throng_point *from);
void throng_tree_clear(throng_tree *tree);
void throng_tree_maker_clear(throng_tree_maker *maker);

/* Whether a walker stands in the area that is its goal. */
bool throng_goal_contains(const throng_goal_entry *goals, const throng_walker *walker);

/* The point of a landing nearest to a point. */
static inline throng_point throng_landing_nearest(const throng_landing *landing, throng_point to) {
    return throng_nearest_between(landing->a, landing->b, to);
}

/* Whether a straight way to a point of a landing is clear. */
bool throng_landing_is_clear(const throng_landing *landing, const throng_walls *walls, throng_point from,
                             throng_point end, double margin);

/* --- shelf (roadmap_shelf.c) */

/* What a tree leads to, and for whom. */
typedef struct throng_errand {
    throng_goal goal;
    throng_point target; /* zero unless it is one's own */
    double margin;       /* m, of the roads */
} throng_errand;

typedef struct throng_kept_tree {
    throng_errand errand;
    throng_tree tree;
    throng_point from; /* where somebody was who asked for it, */
    bool whole;        /* unless it is to lead there from everywhere */
    uint8_t moved;     /* how often somebody else, or from elsewhere, has asked */
    uint64_t asked;    /* the last round of asking that needed it */
    size_t counted;    /* bytes of it in own_bytes */
    bool own;          /* a target of one's own: given up when there are too many */
    bool stale;        /* to be made */
    bool useless;      /* to be swept off the shelf */
} throng_kept_tree;

/* The trees there are, found by errand. Start with all zero. */
typedef struct throng_tree_shelf {
    throng_kept_tree *trees;
    size_t count, capacity;
    uint32_t *slots; /* a hash table: 1 + index of a tree; 0: free */
    size_t slot_count;
    uint32_t *stale; /* trees to be made; none while it is swept */
    size_t stale_count, stale_capacity;
    size_t own_bytes; /* of the trees of targets of one's own */
} throng_tree_shelf;

void throng_tree_shelf_clear(throng_tree_shelf *shelf);
throng_kept_tree *throng_tree_shelf_find(const throng_tree_shelf *shelf, const throng_errand *errand);
/* The same in three steps, each of which has the processor fetch what the next one reads: for many errands at a time.
 * First, where the search begins. */
size_t throng_tree_shelf_slot(const throng_tree_shelf *shelf, const throng_errand *errand);
void throng_tree_shelf_fetch(const throng_tree_shelf *shelf, size_t slot);
throng_kept_tree *throng_tree_shelf_find_from(const throng_tree_shelf *shelf, size_t slot, const throng_errand *errand);
throng_kept_tree *throng_tree_shelf_add(throng_tree_shelf *shelf, const throng_errand *errand, bool own);
/* Has a tree made, or made anew. */
void throng_tree_shelf_order(throng_tree_shelf *shelf, throng_kept_tree *kept);
/* Takes note of the trees that were made. */
void throng_tree_shelf_settle(throng_tree_shelf *shelf);
void throng_tree_shelf_sweep(throng_tree_shelf *shelf);
/* Gives up trees of targets of one's own, those first that were not asked for for the longest, until
 * they take `bytes` at most; none that was asked for in this round. */
void throng_tree_shelf_trim(throng_tree_shelf *shelf, double bytes, uint64_t round);

/* --- trail (roadmap_trail.c) */

/* When walkers look around. */
typedef struct throng_pace {
    uint64_t step;
    uint64_t changed; /* trails up to this step are older than the last change of walls */
    uint64_t period;  /* steps from one look around to the next */
} throng_pace;

#define THRONG_STOPS         0x40000000u /* of a trail's corner: the landing is a stop, which is left as soon as one can */
#define THRONG_NEAR_BEND     0.2         /* m besides the body: from here on one looks out for what comes next */
#define THRONG_SEEN_AHEAD    6.0         /* m that a look along a leg covers, about what is walked until the next */
#define THRONG_WORTH_LOOKING 2.0         /* m beside a leg: from here on there may be a shorter way */
#define THRONG_MOVED_MOST    0.05        /* m that the place where a trail meets its bend may be off */

/* Whether it is time to look around, for somebody who has not kept to its leg. */
bool throng_trail_is_due(const throng_trail *trail, const throng_pace *pace);
/* Steps since it was chosen, or since its walker looked. */
static inline uint64_t throng_trail_age(const throng_trail *trail, const throng_pace *pace) {
    return pace->step + 1 - trail->planned;
}
/* Steps from one look to the next, half a period to one and a half: those who set out together are spread by where they
 * go to. What is left of a sum of many turns when whole turns are taken off is as good as drawn; what is added and
 * taken away rounds to whole turns. */
#define THRONG_SPREAD_X      7919.618
#define THRONG_SPREAD_Y      6271.414
#define THRONG_SPREAD_STEP   0.618034
#define THRONG_TO_WHOLE_TURN 0x1.8p52
static inline double throng_trail_period(const throng_trail *trail, const throng_pace *pace) {
    double turns = trail->next.x * THRONG_SPREAD_X + trail->next.y * THRONG_SPREAD_Y;
    turns += (double)trail->planned * THRONG_SPREAD_STEP;
    double whole = (turns + THRONG_TO_WHOLE_TURN) - THRONG_TO_WHOLE_TURN;
    return (double)pace->period * (1 + (turns - whole));
}
/* Whether a trail is older than the last change of walls, or there is none. */
static inline bool throng_trail_is_outdated(const throng_trail *trail, const throng_pace *pace) {
    return throng_trail_age(trail, pace) >= pace->step + 1 - pace->changed;
}
/* Whether somebody is on the leg to the bend it walks to, or as little to the side of it as this, m. */
bool throng_trail_is_on_leg(const throng_trail *trail, throng_point at, double aside);

/* About every second all glance up whether the corner is still in between, and what comes after it not in sight. By
 * more than THRONG_HARDLY, the sine of an angle, it is not. */
#define THRONG_HARDLY 0.1
static inline bool throng_pace_glances(const throng_pace *pace) { return pace->step % (1 + pace->period / 8) == 0; }
/* Who hardly moves wonders every few seconds, not all at once, whether that is for a wall. */
#define THRONG_STANDING 0.05 /* of the speed one likes */
static inline uint64_t throng_pace_wonder(const throng_pace *pace) {
    return ~UINT64_C(0) >> __builtin_clzll(pace->period) >> 1;
}
static inline bool throng_trail_wonders(const throng_trail *trail, const throng_pace *pace) {
    return ((pace->step + trail->planned) & throng_pace_wonder(pace)) == 0;
}
/* Whether somebody wonders in this step, and others have pushed it to where a wall is right in its way. */
bool throng_trail_is_walled_off(const throng_trail *trail, const throng_pace *pace, const throng_walls *walls,
                                throng_point at, double radius);

/* Those of some rows who cannot just go straight on, counted from the first of them: those close to the goal or walking
 * along it, at a bend, due to look, or without a trail. */
enum { THRONG_LED_MOST = 256 };
typedef struct throng_sifted {
    uint16_t lands[THRONG_LED_MOST + 4], others[THRONG_LED_MOST + 4]; /* written by fours */
    size_t land_count, other_count;
} throng_sifted;

/* Has people go straight on to where their trails lead, and tells for whom that will not do; built twice
 * (roadmap_sift.c, roadmap_sift_avx2.c). */
typedef void (*throng_sift)(const throng_route_crowd *crowd, const throng_pace *pace, size_t begin, size_t count,
                            throng_way *ways, throng_sifted *sifted);
extern const throng_sift throng_sift_plain, throng_sift_avx2;

/* The way of a walker who need not look around, along its trail; false when it has to. */
bool throng_trail_goes_on(throng_trail *trail, const throng_walker *walker, const throng_pace *pace,
                          const throng_walls *walls, throng_way *way);
/* The same of those who walk, of some rows from `begin` on; as throng_route_lead. Lists those who have to look around,
 * counted from there, and returns how many there are. People held up in a crowd look less often than others. */
size_t throng_trails_lead(const throng_route_crowd *crowd, const throng_pace *pace, const throng_walls *walls,
                          size_t begin, size_t count, throng_way *ways, uint16_t *looking);

/* Somewhere to go to next, and how far the goal is that way. */
typedef struct throng_choice {
    uint32_t corner;   /* node, or THRONG_LANDS + landing */
    throng_point next; /* where the leg touches the bend, or ends at the goal */
    throng_point direction;
    double length;           /* m, of the leg */
    double beyond;           /* m from its end to the goal */
    throng_point touch;      /* unit vector, where the leg touches the bend */
    const throng_exit *exit; /* how to leave the bend */
} throng_choice;

/* Straight to where the leg touches a circle; what is beyond is left to find. */
throng_choice throng_choice_around(throng_point at, uint32_t node, throng_point centre, double margin);

/* Turns somebody who comes to a bend within the next step towards where the step ends on the arc: who went
 * straight on would get off it, and in a narrow passage into the other wall. */
void throng_choice_turn(throng_choice *choice, throng_point at, throng_point centre, double margin);

/* --- follow (roadmap_follow.c) */

/* What a walker's way is found from. */
typedef struct throng_roads {
    const throng_tangents *tangents;
    const throng_tree *tree;
    const throng_walls *walls; /* as they stand now */
    double usual;              /* m that a walker keeps from walls */
    double careful;            /* m that it keeps at least, in a passage that is hardly wide enough */
    throng_pace pace;
    throng_box where; /* of the last change of walls */
} throng_roads;

/* The way of a walker who looks around; false when none leads from where it is. What is not known for sure to be the
 * shortest, as the tree is not whole, is marked as unknown and leaves no trail. */
bool throng_roads_follow(const throng_roads *roads, const throng_goal_entry *goals, const throng_walker *walker,
                         throng_way *way);

#endif
