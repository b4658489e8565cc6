/* roadmap.c: the planner of shortest ways around corners (tangent visibility graph). It makes, when people ask for it,
 *
 *     roads   for each of a few sizes of bodies: the bends of the place and the legs between them
 *     trees   for each goal, or target of one's own, and size: the shortest ways there from all bends
 *
 * and leads everybody along them (roadmap_follow.c). A size is the distance that roads keep from walls:
 * a little more than the body's radius, so that people of about the same size share it, but never more
 * than half the narrowest passage that the body fits through. As no passage is of a width between, roads
 * lead to wherever a disc of the body's radius fits through.
 *
 * When walls change, roads and trees are made anew at the next prepare, and so are the trees when goals close
 * or open. (The world does not tell of every step of something that moves.) */

#include <math.h>

#include "base/memory.h"
#include "route/lattice.h"
#include "route/planner.h"
#include "route/roadmap.h"
#include "space/box.h"
#include "space/place.h"
#include "space/walls.h"

static const double look_s = 7;           /* from one look around to the next */
static const double memory_usual = 256e6; /* bytes of trees for targets of one's own */

enum { SIZES_MOST = 8, PERIOD_FIRST = 20, MOVED_MOST = 3, LOOKERS_MOST = 16 };

/* Whether somebody can reach its goal; of a tree that is not whole it may not be known. */
typedef enum answer { REACHES, IS_LOST, NEEDS_MORE } answer;

typedef struct roadmap {
    throng_crew *crew;
    const throng_walls *walls;
    bool walls_changed, goals_changed; /* and roads or trees do not know yet */
    throng_gap *gaps;                  /* between the walls, narrowest first */
    size_t gap_count;
    double gap_limit; /* m: all narrower gaps are known */
    throng_tangents *sizes[SIZES_MOST];
    size_t size_count;
    throng_tree_shelf shelf;
    double memory;          /* bytes */
    uint64_t round;         /* of asking for trees */
    throng_pace pace;       /* `changed`: trails up to then are looked at again, */
    throng_box where;       /* as walls have changed there */
    throng_box coming;      /* where they have changed since */
    throng_errand *errands; /* [walker] in a prepare */
    uint8_t *answers;       /* [walker] an `answer` */
    size_t capacity;
    throng_tree_maker *makers; /* scratch memory */
    size_t maker_count;
} roadmap;

static void *create(const throng_route_def *def) {
    roadmap *r = throng_allocate(sizeof *r);
    r->crew = def->crew;
    r->walls = def->walls;
    r->memory = def->memory > 0 ? def->memory : memory_usual;
    r->where = r->coming = throng_box_empty();
    r->pace.period = PERIOD_FIRST;
    return r;
}

static void destroy(void *state) {
    roadmap *r = state;
    for (size_t i = 0; i < r->size_count; i++) throng_tangents_destroy(r->sizes[i]);
    throng_tree_shelf_clear(&r->shelf);
    THRONG_RELEASE(r->gaps, r->errands, r->answers);
    for (size_t i = 0; i < r->maker_count; i++) throng_tree_maker_clear(&r->makers[i]);
    THRONG_RELEASE(r->makers, r);
}

/* --- sizes */

/* A body's radius and an eighth to three eighths more, in steps of a quarter of the power of two below it:
 * 0.25 m for 0.2 m. */
static double margin_wanted(double radius) {
    int exponent;
    frexp(radius / 0.2 * (1 + 1e-9), &exponent);
    double step = ldexp(0.025, exponent);
    return step * ceil((radius + 0.5 * step) / step - 1e-9);
}

/* The distance that roads keep from walls for a body. */
static double margin_for(const roadmap *r, double radius) {
    double margin = margin_wanted(radius);
    size_t below = throng_gaps_below(r->gaps, r->gap_count, radius);
    return below < r->gap_count ? fmin(margin, 0.5 * r->gaps[below].width) : margin;
}

/* At most the radius of anybody whose roads keep a distance, and more than what gaps they cannot pass. */
static double body_for(const roadmap *r, double margin) {
    size_t below = throng_gaps_below(r->gaps, r->gap_count, margin);
    double body = 0.72 * margin;
    return below > 0 ? fmax(body, 0.5 * r->gaps[below - 1].width * (1 + 1e-9)) : body;
}

/* The roads for a margin, or those for the next smaller one if there are no more to be made; NULL: they
 * are not there. */
static throng_tangents *roads_for(const roadmap *r, double margin) {
    throng_tangents *below = NULL, *least = NULL;
    for (size_t i = 0; i < r->size_count; i++) {
        throng_tangents *t = r->sizes[i];
        if (t->margin == margin) return t;
        if (t->margin < margin && (!below || t->margin > below->margin)) below = t;
        if (!least || t->margin < least->margin) least = t;
    }
    if (r->size_count < SIZES_MOST) return NULL;
    return below ? below : least;
}

static void know_gaps(roadmap *r, double radius) {
    double limit = 2 * margin_wanted(radius);
    if (limit <= r->gap_limit) return;
    r->gap_limit = 1.5 * limit;
    throng_release(r->gaps);
    r->gaps = throng_gaps_find(r->walls, r->gap_limit, &r->gap_count);
}

/* --- prepare */

/* The roads for a body; NULL: they are not there. */
static const throng_tangents *size_of(const roadmap *r, double radius) {
    if (2 * margin_wanted(radius) > r->gap_limit) return NULL;
    return roads_for(r, margin_for(r, radius));
}

/* Whether somebody walks anywhere that walls may be in the way of. */
static bool needs_roads(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker) {
    return walker->goal != 0 && r->walls->count > 0 && goals[walker->goal].def.kind != THRONG_GOAL_DIRECTION;
}

/* What the tree of a walker who needs roads is kept under. */
static throng_errand errand_on(const throng_tangents *size, const throng_goal_entry *goals,
                               const throng_walker *walker) {
    bool own = throng_goal_is_own(goals[walker->goal].def.kind);
    return (throng_errand){walker->goal, own ? walker->target : (throng_point){0, 0}, size->margin};
}

/* Sees to it that there are roads for everybody's size. */
static void make_sizes(roadmap *r, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (goals[walkers[i].goal].def.kind == THRONG_GOAL_DIRECTION || walkers[i].goal == 0) continue;
        know_gaps(r, walkers[i].radius);
        double margin = margin_for(r, walkers[i].radius);
        if (roads_for(r, margin)) continue;
        r->sizes[r->size_count++] = throng_tangents_create(r->walls, margin, body_for(r, margin), r->crew);
    }
}

/* Trees are made in lanes side by side, each with its own scratch memory; which worker does which lane
 * does not matter. */
typedef struct work {
    roadmap *roadmap;
    const throng_goal_entry *goals;
    size_t lanes;
} work;

static void make_lanes(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    roadmap *r = w->roadmap;
    for (size_t lane = begin; lane < end; lane++) {
        for (size_t i = lane; i < r->shelf.stale_count; i += w->lanes) {
            throng_kept_tree *kept = &r->shelf.trees[r->shelf.stale[i]];
            const throng_tangents *size = roads_for(r, kept->errand.margin);
            throng_tree_make(&kept->tree, &r->makers[lane], size, r->walls, w->goals, kept->errand.goal,
                             kept->errand.target, kept->whole ? NULL : &kept->from);
        }
    }
}

static void make_trees(roadmap *r, const throng_goal_entry *goals) {
    size_t stale = r->shelf.stale_count, workers = (size_t)throng_crew_size(r->crew);
    if (stale == 0) return;
    work w = {.roadmap = r, .goals = goals, .lanes = stale < workers ? stale : workers};
    for (; r->maker_count < w.lanes; r->maker_count++) {
        r->makers = throng_reallocate(r->makers, (r->maker_count + 1) * sizeof *r->makers);
        r->makers[r->maker_count] = (throng_tree_maker){0};
    }
    for (size_t i = 0; i < stale; i++) {
        const throng_kept_tree *kept = &r->shelf.trees[r->shelf.stale[i]];
        throng_tangents *size = roads_for(r, kept->errand.margin);
        if (kept->own) throng_views_make(size, r->walls, kept->errand.target);
        if (!kept->whole) throng_views_make(size, r->walls, kept->from);
    }
    throng_parallel_for(r->crew, w.lanes, 1, make_lanes, &w);
    throng_tree_shelf_settle(&r->shelf);
}

/* Of walls a walker may come a little nearer than it is wide, so that it finds its way into a passage just
 * as wide; but not so near that it would try a passage it does not fit through. */
static throng_roads roads_of(const roadmap *r, const throng_tangents *size, const throng_tree *tree, double radius) {
    const double spared = 0.97;
    return (throng_roads){.tangents = size,
                          .tree = tree,
                          .walls = r->walls,
                          .usual = fmin(throng_margin_kept(r->walls, radius), size->keep),
                          .careful = fmin(fmax(spared * radius, size->body), size->keep),
                          .pace = r->pace,
                          .where = r->where};
}

/* Whether a way leads from a walker, or from just beside the wall it stands in, to its goal. A newcomer keeps
 * what was found as its trail. */
static answer can_reach(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker,
                        const throng_errand *errand) {
    const throng_kept_tree *kept = throng_tree_shelf_find(&r->shelf, errand);
    if (!kept || throng_goal_contains(goals, walker)) return REACHES;
    throng_roads roads = roads_of(r, roads_for(r, errand->margin), &kept->tree, walker->radius);
    throng_walker asking = *walker;
    throng_trail trail;
    throng_way way;
    if (walker->trail) trail = *walker->trail, asking.trail = &trail;
    bool found = throng_roads_follow(&roads, goals, &asking, &way);
    if (!kept->tree.whole && (!found || way.unknown)) return NEEDS_MORE;
    if (found) {
        if (walker->trail && walker->trail->planned == 0) *walker->trail = trail;
        return REACHES;
    }
    throng_point out = throng_way_out(r->walls, walker->at);
    if (out.x == 0 && out.y == 0) return IS_LOST;
    double depth = throng_walls_depth(r->walls, walker->at.x, walker->at.y, 1e6);
    asking.at = throng_ahead(asking.at, out, 0.01 - depth);
    return throng_roads_follow(&roads, goals, &asking, &way) ? REACHES : IS_LOST;
}

typedef struct asking {
    roadmap *roadmap;
    const throng_goal_entry *goals;
    const throng_walker *walkers;
} asking;

/* Answers those who need an answer. */
static void answer_some(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    asking *a = context;
    roadmap *r = a->roadmap;
    for (size_t i = begin; i < end; i++) {
        if (r->answers[i] == NEEDS_MORE)
            r->answers[i] = (uint8_t)can_reach(r, a->goals, &a->walkers[i], &r->errands[i]);
    }
}

/* Has a tree made that serves somebody: for where it is now, or if that has not helped before, for everywhere. */
static void ask_anew(roadmap *r, const throng_walker *walker, throng_kept_tree *kept) {
    if (kept->stale || kept->moved == MOVED_MOST) {
        kept->whole = true;
    } else {
        kept->from = walker->at;
        kept->moved++;
    }
    throng_tree_shelf_order(&r->shelf, kept);
}

/* Has the trees made that walkers have asked for, until they do for all of them. */
static void answer_all(roadmap *r, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    asking a = {r, goals, walkers};
    do {
        make_trees(r, goals);
        throng_parallel_for(r->crew, count, 64, answer_some, &a);
        for (size_t i = 0; i < count; i++) {
            if (r->answers[i] != NEEDS_MORE) continue;
            ask_anew(r, &walkers[i], throng_tree_shelf_find(&r->shelf, &r->errands[i]));
        }
    } while (r->shelf.stale_count > 0);
}

/* Asks for the tree of a walker. Who roams will be there soon and draw another target; other trees serve for long, and
 * are made whole. */
static void ask(roadmap *r, const throng_walker *walker, const throng_errand *errand, throng_goal_kind kind) {
    throng_kept_tree *kept = throng_tree_shelf_find(&r->shelf, errand);
    if (!kept) {
        kept = throng_tree_shelf_add(&r->shelf, errand, throng_goal_is_own(kind));
        kept->from = walker->at;
        kept->whole = kind != THRONG_GOAL_ROAM;
    } else if (kept->stale) {
        kept->whole = true;
    }
    kept->asked = r->round;
}

static void learn_changes(roadmap *r, const throng_goal_entry *goals);

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    roadmap *r = state;
    learn_changes(r, goals);
    if (r->walls->count == 0) return SIZE_MAX;
    make_sizes(r, goals, walkers, count);
    if (count > r->capacity) {
        r->errands = throng_reallocate(r->errands, count * sizeof *r->errands);
        r->answers = throng_reallocate(r->answers, count * sizeof *r->answers);
        r->capacity = count;
    }
    r->round++;
    for (size_t i = 0; i < count; i++) {
        const throng_tangents *size = needs_roads(r, goals, &walkers[i]) ? size_of(r, walkers[i].radius) : NULL;
        r->answers[i] = size ? NEEDS_MORE : REACHES;
        if (!size) continue;
        r->errands[i] = errand_on(size, goals, &walkers[i]);
        ask(r, &walkers[i], &r->errands[i], goals[walkers[i].goal].def.kind);
    }
    answer_all(r, goals, walkers, count);
    throng_tree_shelf_trim(&r->shelf, r->memory, r->round);
    for (size_t i = 0; i < count; i++) {
        if (r->answers[i] == IS_LOST) return i;
    }
    return SIZE_MAX;
}

/* --- changes */

/* Roads of a size that comes from the width of a gap are of use only as long as there is such a gap. */
static bool is_of_use(const roadmap *r, double margin) {
    for (size_t i = 0; i < r->gap_count; i++) {
        if (0.5 * r->gaps[i].width == margin) return true;
    }
    return margin == margin_wanted(margin / 1.2);
}

static void make_roads_anew(roadmap *r) {
    size_t kept = 0;
    if (r->gap_limit == 0) return; /* nobody has asked yet */
    throng_release(r->gaps);
    r->gaps = throng_gaps_find(r->walls, r->gap_limit, &r->gap_count);
    for (size_t i = 0; i < r->size_count; i++) {
        double margin = r->sizes[i]->margin;
        throng_tangents_destroy(r->sizes[i]);
        bool of_use = is_of_use(r, margin);
        if (of_use) r->sizes[kept++] = throng_tangents_create(r->walls, margin, body_for(r, margin), r->crew);
        for (size_t k = 0; k < r->shelf.count && !of_use; k++) {
            if (r->shelf.trees[k].errand.margin == margin) r->shelf.trees[k].useless = true;
        }
    }
    r->size_count = kept;
    throng_tree_shelf_sweep(&r->shelf);
}

static void learn_changes(roadmap *r, const throng_goal_entry *goals) {
    if (!r->walls_changed && !r->goals_changed) return;
    if (r->walls_changed && r->walls->count > 0) make_roads_anew(r);
    /* Trails that are looked at only now may be older than the change before. */
    r->where = r->pace.changed == r->pace.step + 1 ? throng_box_join(r->where, r->coming) : r->coming;
    r->coming = throng_box_empty();
    r->walls_changed = r->goals_changed = false;
    r->pace.changed = r->pace.step + 1;
    for (size_t i = 0; i < r->shelf.count; i++) throng_tree_shelf_order(&r->shelf, &r->shelf.trees[i]);
    if (r->walls->count > 0) make_trees(r, goals);
}

static void change(void *state, const throng_place *place, const throng_walls *walls, throng_box where) {
    (void)place;
    roadmap *r = state;
    r->walls = walls;
    const throng_box everywhere = {{-THRONG_FARTHEST, -THRONG_FARTHEST}, {THRONG_FARTHEST, THRONG_FARTHEST}};
    bool goals = throng_box_is_empty(where);
    r->coming = throng_box_join(r->coming, goals ? everywhere : where);
    if (goals)
        r->goals_changed = true;
    else
        r->walls_changed = true;
}

static void update(void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd) {
    roadmap *r = state;
    double period = crowd->dt > 0 ? look_s / crowd->dt : PERIOD_FIRST;
    r->pace.step = crowd->people.step;
    r->pace.period = period < 1e6 ? (uint64_t)period + 1 : 1000000;
    learn_changes(r, goals);
}

/* --- way */

/* For those whose tree is not there: on as before, or straight, until it is. */
static throng_way unknown(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker) {
    const throng_trail *trail = walker->trail;
    if (!trail || trail->planned == 0) return throng_way_lost(r->walls, goals, walker, true);
    double dx = trail->next.x - walker->at.x, dy = trail->next.y - walker->at.y, far = sqrt(dx * dx + dy * dy);
    return (throng_way){
        .direction = throng_unit((throng_point){dx, dy}), .distance = far + trail->beyond, .unknown = true};
}

/* The way of somebody who looks around and needs roads, which may not be there. */
static throng_way way_by(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker,
                         const throng_tangents *size, const throng_kept_tree *kept) {
    if (!kept) return unknown(r, goals, walker);
    if (throng_goal_contains(goals, walker)) return (throng_way){0};
    throng_roads roads = roads_of(r, size, &kept->tree, walker->radius);
    throng_way found;
    if (throng_roads_follow(&roads, goals, walker, &found)) return found;
    return throng_way_lost(r->walls, goals, walker, !kept->tree.whole);
}

static throng_way way(const void *state, const throng_goal_entry *goals, const throng_walker *walker) {
    const roadmap *r = state;
    throng_way found;
    if (walker->trail && throng_trail_goes_on(walker->trail, walker, &r->pace, r->walls, &found)) return found;
    if (!needs_roads(r, goals, walker)) return throng_straight_way(goals, walker);
    const throng_tangents *size = size_of(r, walker->radius);
    if (!size) return unknown(r, goals, walker);
    throng_errand errand = errand_on(size, goals, walker);
    return way_by(r, goals, walker, size, throng_tree_shelf_find(&r->shelf, &errand));
}

/* --- many ways at a time */

/* Somebody who looks around. */
typedef struct looker {
    throng_walker walker;
    const throng_tangents *size; /* NULL: it needs no roads, or there are none */
    throng_errand errand;
    size_t slot; /* where the search for its tree begins */
    const throng_kept_tree *kept;
    uint32_t corner; /* that its trail leads to, as in a choice; UINT32_MAX: none */
    throng_way *way;
} looker;

/* Lookers in waiting. */
typedef struct lookers {
    looker items[LOOKERS_MOST];
    size_t count;
} lookers;

/* Everybody with targets of its own has a tree of its own, which is not in the processor's cache. Trees are fetched for
 * all lookers together, piece by piece, as each piece says where the next one is. */
static void fetch_trees(const roadmap *r, lookers *list) {
    for (size_t i = 0; i < list->count; i++) {
        looker *l = &list->items[i];
        if (l->size) throng_tree_shelf_fetch(&r->shelf, l->slot);
    }
    for (size_t i = 0; i < list->count; i++) {
        looker *l = &list->items[i];
        if (l->size) l->kept = throng_tree_shelf_find_from(&r->shelf, l->slot, &l->errand);
        l->corner = l->kept ? throng_trail_corner(l->walker.trail, l->size) : UINT32_MAX;
        if (l->kept) __builtin_prefetch(l->kept->tree.landings);
    }
    for (int bend = 0; bend < 2; bend++) {
        for (size_t i = 0; i < list->count; i++) {
            looker *l = &list->items[i];
            if (!(l->corner & THRONG_LANDS)) throng_tree_fetch(&l->kept->tree, l->corner);
        }
        for (size_t i = 0; i < list->count; i++) {
            looker *l = &list->items[i];
            if (!(l->corner & THRONG_LANDS)) throng_tree_fetch_exits(&l->kept->tree, l->corner);
        }
        for (size_t i = 0; i < list->count && bend == 0; i++) {
            looker *l = &list->items[i];
            if (!(l->corner & THRONG_LANDS)) l->corner = throng_tree_after(&l->kept->tree, l->corner);
        }
    }
}

static void look_all(const roadmap *r, const throng_goal_entry *goals, lookers *list) {
    fetch_trees(r, list);
    for (size_t i = 0; i < list->count; i++) {
        looker *l = &list->items[i];
        if (l->size)
            *l->way = way_by(r, goals, &l->walker, l->size, l->kept);
        else if (needs_roads(r, goals, &l->walker))
            *l->way = unknown(r, goals, &l->walker);
        else
            *l->way = throng_straight_way(goals, &l->walker);
    }
    list->count = 0;
}

/* Mostly somebody is as wide as the one before. */
static void add_looker(const roadmap *r, const throng_goal_entry *goals, const throng_route_crowd *crowd, size_t row,
                       throng_way *way, lookers *list) {
    looker *l = &list->items[list->count], *before = list->count ? l - 1 : NULL;
    *l = (looker){.walker = {.at = {crowd->people.x[row], crowd->people.y[row]},
                             .goal = crowd->people.goal[row],
                             .target = {crowd->people.target_x[row], crowd->people.target_y[row]},
                             .radius = crowd->people.radius[row],
                             .trail = &crowd->trail[row],
                             .speed = crowd->people.desired_speed[row]},
                  .way = way};
    list->count++;
    if (!needs_roads(r, goals, &l->walker)) return;
    bool same = before && before->size && before->walker.radius == l->walker.radius;
    l->size = same ? before->size : size_of(r, l->walker.radius);
    if (!l->size) return;
    l->errand = errand_on(l->size, goals, &l->walker);
    l->slot = throng_tree_shelf_slot(&r->shelf, &l->errand);
}

static void lead(const void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd, size_t begin,
                 size_t end, throng_way *ways) {
    const roadmap *r = state;
    uint16_t looking[THRONG_LED_MOST];
    lookers list;
    list.count = 0;
    for (size_t count; begin < end; begin += count, ways += count) {
        count = end - begin < THRONG_LED_MOST ? end - begin : THRONG_LED_MOST;
        size_t found = throng_trails_lead(crowd, &r->pace, r->walls, begin, count, ways, looking);
        for (size_t k = 0; k < found; k++) {
            size_t row = begin + looking[k];
            if (crowd->people.goal[row] == 0) continue;
            add_looker(r, goals, crowd, row, &ways[looking[k]], &list);
            if (list.count == LOOKERS_MOST) look_all(r, goals, &list);
        }
    }
    look_all(r, goals, &list);
}

/* --- keeping */

/* Roads follow from the walls and the sizes. */
static void archive_sizes(roadmap *r, throng_archive *archive) {
    uint64_t count = r->size_count;
    THRONG_ARCHIVE(archive, r->gap_limit);
    THRONG_ARCHIVE(archive, count);
    if (!(r->gap_limit >= 0 && r->gap_limit <= 1000)) throng_archive_spoil(archive, "no gap is so wide");
    if (count > SIZES_MOST) throng_archive_spoil(archive, "there are too many sizes");
    if (archive->bad) r->gap_limit = 0;
    if (archive->reading && r->gap_limit > 0) r->gaps = throng_gaps_find(r->walls, r->gap_limit, &r->gap_count);
    for (uint64_t i = 0; i < count && !archive->bad; i++) {
        double margin = archive->reading ? 0 : r->sizes[i]->margin;
        THRONG_ARCHIVE(archive, margin);
        if (!(margin > 0 && margin <= 1000)) throng_archive_spoil(archive, "there is no such size");
        if (!archive->reading || archive->bad) continue;
        r->sizes[r->size_count++] = throng_tangents_create(r->walls, margin, body_for(r, margin), r->crew);
    }
}

static bool is_near(throng_point at) { return fabs(at.x) <= THRONG_FARTHEST && fabs(at.y) <= THRONG_FARTHEST; }

/* Trees follow from the roads, what they lead to, and from where. */
static void archive_trees(roadmap *r, const throng_goal_entry *goals, throng_archive *archive) {
    uint64_t count = r->shelf.count;
    THRONG_ARCHIVE(archive, count);
    for (uint64_t i = 0; i < count && !archive->bad; i++) {
        throng_kept_tree kept = {0};
        if (!archive->reading) kept = r->shelf.trees[i];
        THRONG_ARCHIVE(archive, kept.errand.goal);
        THRONG_ARCHIVE(archive, kept.errand.target);
        THRONG_ARCHIVE(archive, kept.errand.margin);
        THRONG_ARCHIVE(archive, kept.from);
        THRONG_ARCHIVE(archive, kept.asked);
        uint8_t whole = kept.whole;
        THRONG_ARCHIVE(archive, whole);
        THRONG_ARCHIVE(archive, kept.moved);
        if (!archive->reading) continue;
        const throng_errand *e = &kept.errand;
        bool fits = e->goal > 0 && e->goal < archive->goal_count && roads_for(r, e->margin) && is_near(e->target) &&
                    is_near(kept.from);
        if (!fits) throng_archive_spoil(archive, "a way leads to no goal");
        if (archive->bad) return;
        throng_kept_tree *added = throng_tree_shelf_add(&r->shelf, e, throng_goal_is_own(goals[e->goal].def.kind));
        added->asked = kept.asked;
        added->from = kept.from;
        added->whole = whole & 1;
        added->moved = kept.moved < MOVED_MOST ? kept.moved : MOVED_MOST;
    }
    if (archive->reading && !archive->bad) make_trees(r, goals);
}

static bool is_box(throng_box box) {
    const double most = THRONG_FARTHEST;
    bool fits = box.low.x >= -most && box.low.y >= -most && box.high.x <= most && box.high.y <= most;
    return throng_box_is_empty(box) || fits;
}

/* Into a planner that was just created. */
static void archive(void *state, const throng_goal_entry *goals, throng_archive *archive) {
    roadmap *r = state;
    uint8_t flags = (uint8_t)(r->walls_changed | r->goals_changed << 1);
    throng_archive_mark(archive, "roadmap");
    THRONG_ARCHIVE(archive, flags);
    r->walls_changed = flags & 1;
    r->goals_changed = flags & 2;
    THRONG_ARCHIVE(archive, r->round);
    THRONG_ARCHIVE(archive, r->pace);
    THRONG_ARCHIVE(archive, r->where);
    THRONG_ARCHIVE(archive, r->coming);
    if (r->pace.period > 1000000) throng_archive_spoil(archive, "nobody waits so long");
    if (!is_box(r->where) || !is_box(r->coming)) throng_archive_spoil(archive, "walls have changed nowhere");
    if (!archive->bad) archive_sizes(r, archive);
    if (!archive->bad) archive_trees(r, goals, archive);
}

const throng_planner throng_roadmap = {.name = "roadmap",
                                       .create = create,
                                       .destroy = destroy,
                                       .prepare = prepare,
                                       .way = way,
                                       .lead = lead,
                                       .update = update,
                                       .change = change,
                                       .archive = archive};
