/* passages.c: which of the gaps between walls matter; planner.h says to whom. */

#include "route/planner.h"

#include <math.h>

#include "base/memory.h"
#include "route/field.h"
#include "space/walls.h"

static const double width_least = 0.2; /* m: narrower ones nobody takes for a passage */
static const double around_most = 10;  /* m that are no great way around */
static const double space_least = 2;   /* m^2: what is on either side of a passage worth the name */
static const double apart = 1.5;       /* m between passages that are two */
enum { TRIED_MOST = 100 };

/* Walking from one side of a gap. */
typedef struct flood {
    const throng_lattice *lattice;
    const uint8_t *open;
    double radius;
    uint32_t *nodes; /* reached so far */
    size_t count, capacity;
    uint8_t *reached; /* [node] */
} flood;

static void reach(flood *f, size_t node) {
    if (f->reached[node]) return;
    f->reached[node] = 1;
    THRONG_GROW(f->nodes, f->capacity, f->count + 1);
    f->nodes[f->count++] = (uint32_t)node;
}

/* Whether the other side is reached without going far; if not, whether there is some space here. */
static bool is_near(flood *f, size_t from, size_t to, bool *spacious) {
    const throng_lattice *l = f->lattice;
    size_t begin = 0, rings = (size_t)(around_most * l->inverse_cell), roomy = 0;
    f->count = 0;
    reach(f, from);
    for (size_t ring = 0; ring < rings && begin < f->count && !f->reached[to]; ring++) {
        size_t end = f->count;
        for (; begin < end; begin++) {
            size_t node = f->nodes[begin];
            roomy += l->clear[node] >= 0.9 * f->radius;
            for (int d = 0; d < 8; d++) {
                if (f->open[node] >> d & 1)
                    reach(f, (size_t)((ptrdiff_t)node + throng_step_row[d] * (ptrdiff_t)l->columns +
                                      throng_step_column[d]));
            }
        }
    }
    bool near = f->reached[to];
    *spacious = (double)roomy * l->cell * l->cell >= space_least;
    for (size_t i = 0; i < f->count; i++) f->reached[f->nodes[i]] = 0;
    return near;
}

static throng_point middle_of(const throng_gap *gap) {
    return (throng_point){0.5 * (gap->a.x + gap->b.x), 0.5 * (gap->a.y + gap->b.y)};
}

/* The first node straight out of a gap on one side where a body has room; SIZE_MAX when there is none. */
static size_t node_beside(const throng_ground *ground, const throng_gap *gap, double radius, double side) {
    const throng_lattice *l = ground->lattice;
    throng_point middle = middle_of(gap);
    double nx = -(gap->b.y - gap->a.y) / gap->width * side, ny = (gap->b.x - gap->a.x) / gap->width * side, u, v;
    for (double far = 0; far <= around_most; far += 0.5 * l->cell) {
        throng_point at = {middle.x + nx * far, middle.y + ny * far};
        size_t node;
        if (throng_walls_block(ground->walls, middle, at, 0)) return SIZE_MAX;
        if (!throng_lattice_square(l, at, &node, &u, &v)) return SIZE_MAX;
        if (l->room[node] == 0) continue; /* a wall may be between */
        if (u > 0.5) node++;
        if (v > 0.5) node += (size_t)l->columns;
        if (l->clear[node] >= 0.9 * radius) return node;
    }
    return SIZE_MAX;
}

/* Whether who does not fit through a gap has a long way around. */
static bool matters(const throng_ground *ground, flood *f, const throng_gap *gap) {
    size_t here = node_beside(ground, gap, f->radius, 1), there = node_beside(ground, gap, f->radius, -1);
    bool spacious, spacious_there;
    if (here == SIZE_MAX || there == SIZE_MAX || is_near(f, here, there, &spacious) || !spacious) return false;
    return !is_near(f, there, here, &spacious_there) && spacious_there;
}

static bool is_listed(const throng_passage *list, size_t count, throng_point at) {
    for (size_t i = 0; i < count; i++) {
        double dx = list[i].at.x - at.x, dy = list[i].at.y - at.y;
        if (dx * dx + dy * dy < apart * apart) return true;
    }
    return false;
}

size_t throng_passages_find(throng_ground *ground, double radius, throng_passage *out, size_t capacity) {
    size_t count = 0, tried = 0, closed = throng_ground_closed(ground, radius);
    flood f = {.lattice = ground->lattice,
               .open = throng_ground_open(ground, throng_ground_size(ground, radius)),
               .radius = radius,
               .reached = throng_allocate(ground->lattice->count)};
    for (size_t i = closed; i-- > 0 && count < capacity && tried < TRIED_MOST;) {
        const throng_gap *gap = &ground->gaps[i];
        throng_point at = middle_of(gap);
        if (gap->width < width_least || is_listed(out, count, at)) continue;
        tried++;
        if (matters(ground, &f, gap)) out[count++] = (throng_passage){at, gap->width};
    }
    THRONG_RELEASE(f.nodes, f.reached);
    return count;
}

/* --- the widest way */

/* Whether a walker gets to its goal when only some of the narrowest gaps are closed. */
static bool gets_there(const throng_ground *ground, const throng_goal_entry *goals, const throng_walker *walker,
                       size_t closed) {
    throng_ground trial = *ground;
    throng_field_maker maker = {0};
    throng_goal_kind kind = goals[walker->goal].def.kind;
    bool own = kind == THRONG_GOAL_OWN || kind == THRONG_GOAL_ROAM;
    throng_field field = {.def = {.goal = own ? 0 : walker->goal, .target = walker->target}};
    throng_way way;
    trial.size_count = 1;
    trial.sizes[0] = (throng_size){.radius = walker->radius, .gap_count = closed};
    trial.slow = NULL;
    trial.slow_least = 1;
    throng_field_create(&field, ground->lattice->count);
    throng_field_make(&maker, &trial, goals, &field);
    bool there = throng_field_follow(&field, &trial, goals, walker, &way);
    throng_field_destroy(&field);
    throng_field_maker_destroy(&maker);
    throng_release(trial.sizes[0].open);
    return there;
}

bool throng_passages_on_way(throng_ground *ground, const throng_goal_entry *goals, const throng_walker *walker,
                            throng_passage *out) {
    size_t open = 0, shut = throng_ground_closed(ground, walker->radius);
    if (shut == 0 || !gets_there(ground, goals, walker, 0)) return false;
    /* It gets there with `open` gaps closed, not with `shut`. */
    while (shut - open > 1) {
        size_t middle = (open + shut) / 2;
        if (gets_there(ground, goals, walker, middle))
            open = middle;
        else
            shut = middle;
    }
    const throng_gap *gap = &ground->gaps[open];
    *out = (throng_passage){middle_of(gap), gap->width};
    return gap->width >= width_least;
}
