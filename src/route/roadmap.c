/* roadmap.c: the planner of shortest ways around corners. It makes, when people ask for it,
 *
 *     roads   for each of a few sizes of bodies: the bends of the place and the legs between them
 *     trees   for each goal, or target of one's own, and size: the shortest ways there from all bends
 *
 * and leads everybody along them (roadmap_follow.c). A size is the distance that roads keep from walls:
 * a little more than the body's radius, so that people of about the same size share it, but never more
 * than half the narrowest passage that the body fits through. As no passage is of a width between, roads
 * lead to wherever a disc of the body's radius fits through.
 *
 * Walls that change. The roads know the place as it was when they were last made, and are made anew at
 * most twice a second, so that a door or something that moves does not hold up everything else. Until
 * then people walk by what they see: whose leg is not clear any more looks for another one. */

#include <math.h>

#include "route/avoid.h"
#include "route/lattice.h"
#include "route/planner.h"
#include "route/roadmap.h"
#include "space/box.h"
#include "space/place.h"
#include "space/walls.h"
#include "world/memory.h"

static const double patience_s = 0.5;     /* from making roads to making them anew */
static const double look_s = 2;           /* from one look around to the next */
static const double memory_usual = 256e6; /* bytes of trees for targets of one's own */

enum { SIZES_MOST = 8 };

typedef struct roadmap {
    throng_crew *crew;
    throng_place *place; /* as the roads know it */
    throng_walls *walls;
    const throng_place *place_now;
    const throng_walls *walls_now;
    bool walls_changed, goals_changed; /* and roads or trees do not know yet */
    throng_gap *gaps;                  /* between the walls as the roads know them, narrowest first */
    size_t gap_count;
    double gap_limit; /* m: all narrower gaps are known */
    throng_tangents *sizes[SIZES_MOST];
    size_t size_count;
    throng_tree_shelf shelf;
    double memory;
    uint64_t round; /* of asking for trees */
    uint64_t step;
    double dt;              /* s; 0 before the first step */
    uint64_t made;          /* the step in which roads were last made anew */
    bool made_anew;         /* they were at all */
    uint64_t changed;       /* trails up to this step are looked at again */
    throng_errand *errands; /* [walker] in a prepare; goal 0: needs none */
    uint8_t *lost;          /* [walker] */
    size_t capacity;
} roadmap;

static void know_place(roadmap *r) {
    throng_place_destroy(r->place);
    throng_walls_destroy(r->walls);
    r->place = throng_place_copy(r->place_now);
    r->walls = throng_walls_create(r->place);
}

static void *create(const throng_route_def *def) {
    roadmap *r = throng_allocate(sizeof *r);
    r->crew = def->crew;
    r->place_now = def->place;
    r->walls_now = def->walls;
    r->memory = def->memory > 0 ? def->memory : memory_usual;
    know_place(r);
    return r;
}

static void drop_sizes(roadmap *r) {
    for (size_t i = 0; i < r->size_count; i++) throng_tangents_destroy(r->sizes[i]);
    r->size_count = 0;
}

static void destroy(void *state) {
    roadmap *r = state;
    drop_sizes(r);
    throng_tree_shelf_clear(&r->shelf);
    throng_place_destroy(r->place);
    throng_walls_destroy(r->walls);
    throng_release(r->gaps);
    throng_release(r->errands);
    throng_release(r->lost);
    throng_release(r);
}

static bool is_own(throng_goal_kind kind) { return kind == THRONG_GOAL_OWN || kind == THRONG_GOAL_ROAM; }

/* --- sizes */

/* A body's radius and an eighth to three eighths more, in steps of a quarter of the power of two below it:
 * 0.25 m for 0.2 m. */
static double margin_wanted(double radius) {
    int exponent;
    frexp(radius / 0.2 * (1 + 1e-9), &exponent);
    double step = ldexp(0.025, exponent);
    return step * ceil((radius + 0.5 * step) / step - 1e-9);
}

/* The number of gaps too narrow for a body; one just as wide lets it through. */
static size_t gaps_below(const roadmap *r, double radius) {
    const double exactly = 1 - 1e-9;
    size_t low = 0, high = r->gap_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->gaps[middle].width < 2 * radius * exactly)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The distance that roads keep from walls for a body. */
static double margin_for(const roadmap *r, double radius) {
    double margin = margin_wanted(radius);
    size_t below = gaps_below(r, radius);
    return below < r->gap_count ? fmin(margin, 0.5 * r->gaps[below].width) : margin;
}

/* At most the radius of anybody whose roads keep a distance, and more than what gaps they cannot pass. */
static double body_for(const roadmap *r, double margin) {
    size_t below = gaps_below(r, margin);
    double body = 0.72 * margin;
    return below > 0 ? fmax(body, 0.5 * r->gaps[below - 1].width * (1 + 1e-9)) : body;
}

/* The roads for a margin, or those for the next smaller one if there are no more to be made; NULL: they
 * are not there. */
static const throng_tangents *roads_for(const roadmap *r, double margin) {
    const throng_tangents *below = NULL, *least = NULL;
    for (size_t i = 0; i < r->size_count; i++) {
        const throng_tangents *t = r->sizes[i];
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

/* What a walker's tree is kept under; false for one who needs none. */
static bool errand_of(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker,
                      throng_errand *errand) {
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (walker->goal == 0 || r->walls_now->count == 0 || kind == THRONG_GOAL_DIRECTION) return false;
    if (2 * margin_wanted(walker->radius) > r->gap_limit) return false;
    const throng_tangents *size = roads_for(r, margin_for(r, walker->radius));
    if (!size) return false;
    *errand = (throng_errand){.goal = walker->goal, .margin = size->margin};
    if (is_own(kind)) errand->target = walker->target;
    return true;
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
    throng_tree_maker *makers; /* [lane] */
} work;

static void make_lanes(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    work *w = context;
    size_t nth = 0;
    for (size_t i = 0; i < w->roadmap->shelf.count; i++) {
        throng_kept_tree *kept = &w->roadmap->shelf.trees[i];
        if (!kept->stale) continue;
        size_t lane = nth++ % w->lanes;
        if (lane < begin || lane >= end) continue;
        const throng_tangents *size = roads_for(w->roadmap, kept->errand.margin);
        throng_tree_make(&kept->tree, &w->makers[lane], size, w->roadmap->walls, w->goals, kept->errand.goal,
                         kept->errand.target);
    }
}

static void make_trees(roadmap *r, const throng_goal_entry *goals) {
    size_t stale = 0, workers = (size_t)throng_crew_size(r->crew);
    for (size_t i = 0; i < r->shelf.count; i++) stale += r->shelf.trees[i].stale;
    if (stale == 0) return;
    work w = {.roadmap = r, .goals = goals, .lanes = stale < workers ? stale : workers};
    w.makers = throng_allocate(w.lanes * sizeof *w.makers);
    throng_parallel_for(r->crew, w.lanes, 1, make_lanes, &w);
    for (size_t i = 0; i < w.lanes; i++) throng_tree_maker_clear(&w.makers[i]);
    throng_release(w.makers);
    r->shelf.own_bytes = 0;
    for (size_t i = 0; i < r->shelf.count; i++) {
        throng_kept_tree *kept = &r->shelf.trees[i];
        kept->stale = false;
        if (kept->own) r->shelf.own_bytes += kept->tree.bytes;
    }
}

/* Of walls a walker may come a little nearer than it is wide, so that it finds its way into a passage just
 * as wide; but not so near that it would try a passage it does not fit through. */
static throng_roads roads_of(const roadmap *r, const throng_tangents *size, const throng_tree *tree, double radius) {
    const double spared = 0.97;
    double period = r->dt > 0 ? look_s / r->dt : 20;
    return (throng_roads){.tangents = size,
                          .tree = tree,
                          .walls = r->walls_now,
                          .usual = size ? fmin(throng_margin_kept(r->walls_now, radius), size->keep) : 0,
                          .careful = size ? fmin(fmax(spared * radius, size->body), size->keep) : 0,
                          .step = r->step,
                          .changed = r->changed,
                          .period = period < 1e6 ? (uint64_t)period + 1 : 1000000};
}

/* Whether a way leads from a walker, or from just beside the wall it stands in, to its goal. */
static bool can_reach(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker,
                      const throng_errand *errand) {
    const throng_kept_tree *kept = throng_tree_shelf_find(&r->shelf, errand);
    if (!kept) return true;
    throng_roads roads = roads_of(r, roads_for(r, errand->margin), &kept->tree, walker->radius);
    throng_walker beside = *walker;
    throng_way way;
    beside.trail = NULL;
    if (throng_goal_contains(goals, walker) || throng_roads_follow(&roads, goals, &beside, &way)) return true;
    throng_point out = throng_way_out(r->walls_now, walker->at);
    if (out.x == 0 && out.y == 0) return false;
    double depth = throng_walls_depth(r->walls_now, walker->at.x, walker->at.y, 1e6);
    beside.at = throng_ahead(beside.at, out, 0.01 - depth);
    return throng_roads_follow(&roads, goals, &beside, &way);
}

typedef struct asking {
    roadmap *roadmap;
    const throng_goal_entry *goals;
    const throng_walker *walkers;
} asking;

static void find_lost(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    asking *a = context;
    for (size_t i = begin; i < end; i++) {
        const throng_errand *errand = &a->roadmap->errands[i];
        a->roadmap->lost[i] = errand->goal && !can_reach(a->roadmap, a->goals, &a->walkers[i], errand);
    }
}

static void learn_changes(roadmap *r, const throng_goal_entry *goals);

static size_t prepare(void *state, const throng_goal_entry *goals, const throng_walker *walkers, size_t count) {
    roadmap *r = state;
    learn_changes(r, goals);
    if (r->walls_now->count == 0) return SIZE_MAX;
    make_sizes(r, goals, walkers, count);
    if (count > r->capacity) {
        r->errands = throng_reallocate(r->errands, count * sizeof *r->errands);
        r->lost = throng_reallocate(r->lost, count * sizeof *r->lost);
        r->capacity = count;
    }
    r->round++;
    for (size_t i = 0; i < count; i++) {
        if (!errand_of(r, goals, &walkers[i], &r->errands[i])) {
            r->errands[i].goal = 0;
            continue;
        }
        throng_kept_tree *kept = throng_tree_shelf_find(&r->shelf, &r->errands[i]);
        if (!kept) kept = throng_tree_shelf_add(&r->shelf, &r->errands[i], is_own(goals[walkers[i].goal].def.kind));
        kept->asked = r->round;
    }
    make_trees(r, goals);
    throng_tree_shelf_trim(&r->shelf, r->memory, r->round);
    throng_parallel_for(r->crew, count, 64, find_lost, &(asking){r, goals, walkers});
    for (size_t i = 0; i < count; i++) {
        if (r->lost[i]) return i;
    }
    return SIZE_MAX;
}

/* --- changes */

static bool is_patient(const roadmap *r) {
    return r->made_anew && r->dt > 0 && (double)(r->step - r->made) * r->dt < patience_s * (1 - 1e-9);
}

static void make_roads_anew(roadmap *r) {
    know_place(r);
    throng_release(r->gaps);
    r->gaps = NULL;
    r->gap_count = 0;
    double limit = r->gap_limit;
    r->gap_limit = 0;
    drop_sizes(r);
    throng_tree_shelf_clear(&r->shelf);
    (void)limit;
    r->made = r->step;
    r->made_anew = true;
}

static void learn_changes(roadmap *r, const throng_goal_entry *goals) {
    (void)goals;
    if (r->walls_changed && !is_patient(r)) {
        make_roads_anew(r);
        r->walls_changed = r->goals_changed = false;
        r->changed = r->step + 1;
    }
    if (r->goals_changed) {
        for (size_t i = 0; i < r->shelf.count; i++) r->shelf.trees[i].stale = true;
        make_trees(r, goals);
        r->goals_changed = false;
        r->changed = r->step + 1;
    }
}

static void change(void *state, const throng_place *place, const throng_walls *walls, throng_box where) {
    roadmap *r = state;
    r->place_now = place;
    r->walls_now = walls;
    if (throng_box_is_empty(where))
        r->goals_changed = true;
    else
        r->walls_changed = true;
}

static void update(void *state, const throng_goal_entry *goals, const throng_route_crowd *crowd) {
    roadmap *r = state;
    r->step = crowd->step;
    r->dt = crowd->dt;
    learn_changes(r, goals);
}

/* --- way */

/* For those no way leads from: straight, or out of the wall they are in. Where there is no tree at all,
 * asking for one may help. */
static throng_way lost(const roadmap *r, const throng_goal_entry *goals, const throng_walker *walker, bool unknown) {
    throng_way way = throng_straight_way(goals, walker);
    way.direction = throng_avoid_walls(r->walls_now, walker->at, walker->radius, way.direction);
    way.unknown = unknown;
    throng_point out = throng_way_out(r->walls_now, walker->at);
    if (out.x != 0 || out.y != 0) way.direction = out;
    return way;
}

static throng_way way(const void *state, const throng_goal_entry *goals, const throng_walker *walker) {
    const roadmap *r = state;
    throng_goal_kind kind = goals[walker->goal].def.kind;
    if (kind == THRONG_GOAL_DIRECTION || r->walls_now->count == 0) return throng_straight_way(goals, walker);
    throng_roads roads = roads_of(r, NULL, NULL, 0);
    throng_way found;
    if (throng_trail_goes_on(&roads, walker, &found)) return found;
    throng_errand errand;
    if (!errand_of(r, goals, walker, &errand)) return lost(r, goals, walker, true);
    const throng_kept_tree *kept = throng_tree_shelf_find(&r->shelf, &errand);
    if (!kept) return lost(r, goals, walker, true);
    if (throng_goal_contains(goals, walker)) return (throng_way){0};
    roads = roads_of(r, roads_for(r, errand.margin), &kept->tree, walker->radius);
    if (throng_roads_follow(&roads, goals, walker, &found)) return found;
    return lost(r, goals, walker, false);
}

/* --- keeping */

/* The walls as the roads know them, which are kept only when they are not those of now. */
static void archive_walls(roadmap *r, throng_archive *archive) {
    uint64_t rings = r->place->ring_count, lines = r->place->line_count, points = r->place->point_count;
    THRONG_ARCHIVE(archive, rings);
    THRONG_ARCHIVE(archive, lines);
    THRONG_ARCHIVE(archive, points);
    if (archive->reading) {
        size_t left = archive->size - archive->at;
        if (rings > left || lines > left || points > left) throng_archive_spoil(archive, "there are too many walls");
        if (archive->bad) return;
        throng_place *place = throng_allocate(sizeof *place);
        *place =
            (throng_place){.open = r->place_now->open, .ring_count = rings, .line_count = lines, .point_count = points};
        place->rings = throng_allocate(rings * sizeof *place->rings);
        place->lines = throng_allocate(lines * sizeof *place->lines);
        place->points = throng_allocate(points * sizeof *place->points);
        throng_place_destroy(r->place);
        r->place = place;
    }
    throng_place *p = r->place;
    throng_archive_bytes(archive, p->points, p->point_count * sizeof *p->points);
    for (size_t i = 0; i < p->ring_count + p->line_count; i++) {
        throng_ring *ring = i < p->ring_count ? &p->rings[i] : &p->lines[i - p->ring_count];
        uint64_t first = archive->reading ? 0 : (uint64_t)(ring->points - p->points), count = ring->count;
        THRONG_ARCHIVE(archive, first);
        THRONG_ARCHIVE(archive, count);
        bool fits = first <= p->point_count && count <= p->point_count - first && count >= (i < p->ring_count ? 3 : 2);
        if (!fits) throng_archive_spoil(archive, "a wall has no points");
        if (archive->reading) *ring = archive->bad ? (throng_ring){0} : (throng_ring){p->points + first, (size_t)count};
    }
    for (size_t i = 0; i < p->point_count && archive->reading; i++) {
        bool near = fabs(p->points[i].x) <= THRONG_FARTHEST && fabs(p->points[i].y) <= THRONG_FARTHEST;
        if (!near) throng_archive_spoil(archive, "a wall is nowhere");
    }
    if (!archive->reading || archive->bad) return;
    p->bounds = throng_box_of(p->points, p->point_count);
    throng_walls_destroy(r->walls);
    r->walls = throng_walls_create(p);
}

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

/* Trees follow from the roads and what they lead to. */
static void archive_trees(roadmap *r, const throng_goal_entry *goals, throng_archive *archive) {
    uint64_t count = r->shelf.count;
    THRONG_ARCHIVE(archive, count);
    for (uint64_t i = 0; i < count && !archive->bad; i++) {
        throng_kept_tree kept = {0};
        if (!archive->reading) kept = r->shelf.trees[i];
        THRONG_ARCHIVE(archive, kept.errand.goal);
        THRONG_ARCHIVE(archive, kept.errand.target);
        THRONG_ARCHIVE(archive, kept.errand.margin);
        THRONG_ARCHIVE(archive, kept.asked);
        if (!archive->reading) continue;
        const throng_errand *e = &kept.errand;
        bool fits = e->goal > 0 && e->goal < archive->goal_count && roads_for(r, e->margin) &&
                    fabs(e->target.x) <= THRONG_FARTHEST && fabs(e->target.y) <= THRONG_FARTHEST;
        if (!fits) throng_archive_spoil(archive, "a way leads to no goal");
        if (archive->bad) return;
        throng_tree_shelf_add(&r->shelf, e, is_own(goals[e->goal].def.kind))->asked = kept.asked;
    }
    if (archive->reading && !archive->bad) make_trees(r, goals);
}

/* Into a planner that was just created. */
static void archive(void *state, const throng_goal_entry *goals, throng_archive *archive) {
    roadmap *r = state;
    uint8_t flags = (uint8_t)(r->walls_changed | r->goals_changed << 1 | r->made_anew << 2);
    throng_archive_mark(archive, "roadmap");
    THRONG_ARCHIVE(archive, flags);
    r->walls_changed = flags & 1;
    r->goals_changed = flags & 2;
    r->made_anew = flags & 4;
    THRONG_ARCHIVE(archive, r->round);
    THRONG_ARCHIVE(archive, r->step);
    THRONG_ARCHIVE(archive, r->dt);
    THRONG_ARCHIVE(archive, r->made);
    THRONG_ARCHIVE(archive, r->changed);
    if (!(r->dt >= 0 && r->dt <= 60)) throng_archive_spoil(archive, "a step is not so long");
    if (r->walls_changed) archive_walls(r, archive);
    if (!archive->bad) archive_sizes(r, archive);
    if (!archive->bad) archive_trees(r, goals, archive);
}

const throng_planner throng_roadmap = {.name = "roadmap",
                                       .create = create,
                                       .destroy = destroy,
                                       .prepare = prepare,
                                       .way = way,
                                       .update = update,
                                       .change = change,
                                       .archive = archive};
