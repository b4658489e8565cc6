/* islands.c: groups of people who can matter to each other in a step (connected components of the neighbour lists),
 * each solved for and stopped on its own. Strangers far away are other islands, so nobody's motion depends on them.
 *
 * Large islands come one after the other, each with all workers; of the small ones every worker takes some. What a
 * worker needs for a small island has a bound, and lies on its stack or was made before: workers never allocate. */

#include <string.h>

#include "base/memory.h"
#include "models/common.h"
#include "models/implicit/implicit.h"

#define NOBODY UINT32_MAX

static const double upset = 0.27; /* m/s, times the root of dt in seconds: how much others may change velocities */
static const double lbfgs_iterations = 100, lbfgs_tolerance = 1e-5; /* the paper's, m/s */

enum { BLOCKS_SMALL = THRONG_IMPLICIT_SMALL / THRONG_IMPLICIT_BLOCK };

#define A(field) THRONG_ARRAY(throng_implicit_islands, field)
static const throng_array arrays[] = {A(of), A(rank), A(label), A(slots), A(images)};
static const throng_array begin_arrays[] = {A(begin), A(image_begin)};

void throng_implicit_release_islands(throng_implicit_islands *g) {
    throng_arrays_release(g, arrays, 5);
    throng_arrays_release(g, begin_arrays, 2);
    throng_release(g->batches);
    for (size_t w = 0; w < g->helper_count; w++) {
        throng_implicit_release_rows(&g->helpers[w].rows);
        throng_implicit_release_pools(g->helpers[w].pool);
        throng_implicit_release_pools(g->helpers[w].kept_pool);
    }
    throng_release(g->helpers);
}

/* --- finding them */

static uint32_t root_of(uint32_t *of, uint32_t slot) {
    while (of[slot] != slot) slot = of[slot] = of[of[slot]];
    return slot;
}

static uint32_t join(uint32_t *of, uint32_t a, uint32_t b) {
    a = root_of(of, a), b = root_of(of, b);
    return a < b ? (of[b] = a) : (of[a] = b);
}

/* Joins a walker with the own ones among some lanes of a quad. */
static uint32_t join_lanes(const throng_implicit_islands *g, const throng_implicit_walkers *w, uint32_t root,
                           uint32_t quad, unsigned lanes) {
    for (; lanes; lanes &= lanes - 1) {
        uint32_t other = w->self[throng_implicit_slot(quad, lanes)];
        if (w->own[other] && g->of[other] != root) root = join(g->of, root, other);
    }
    return root;
}

/* Most of a crowd is one island, which is found out with a look at four others at a time: `label` is an island that all
 * four are in, once neighbours in the lists have been joined. */
static void label_quads(const throng_implicit_islands *g, const throng_implicit_walkers *w) {
    for (uint32_t first = 0; first < w->near->count; first += 4) {
        uint32_t label = NOBODY;
        for (uint32_t slot = first; slot < first + 4 && slot < w->near->count; slot++) {
            uint32_t root = w->own[slot] ? root_of(g->of, slot) : NOBODY;
            if (slot == first) label = root;
            if (root != label) label = NOBODY;
        }
        g->label[first >> 2] = label;
    }
}

static void join_rows(const throng_implicit_islands *g, const throng_implicit_solver *s) {
    const throng_implicit_walkers *w = s->walkers;
    const throng_implicit_rows *r = &s->rows;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k], q = r->middle[slot] + 1;
        if (q < r->end[slot]) join_lanes(g, w, root_of(g->of, slot), r->quad[q], r->quad[q] & THRONG_LANES);
    }
    label_quads(g, w);
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k], root = root_of(g->of, slot);
        for (uint32_t q = r->begin[slot]; q < r->end[slot]; q++) {
            uint32_t label = g->label[r->quad[q] >> 8];
            if (label == root || (label != NOBODY && root_of(g->of, label) == root)) continue;
            root = join_lanes(g, w, root, r->quad[q], r->quad[q] & THRONG_LANES);
        }
    }
}

/* The largest rows of islands that are small, or may be when some have left, for the room that workers need. */
static void measure_small(throng_implicit_islands *g, const throng_implicit_solver *s) {
    const throng_implicit_rows *r = &s->rows;
    uint32_t *people = g->begin, *lanes = g->image_begin;
    memset(people, 0, g->found * sizeof *people);
    memset(lanes, 0, g->found * sizeof *lanes);
    g->lanes_most = g->row_most = 0;
    for (size_t k = 0; k < s->active.count; k++) people[g->of[s->active.who[k]]]++;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k], island = g->of[slot];
        if (people[island] > 2 * THRONG_IMPLICIT_SMALL) continue;
        for (uint32_t q = r->begin[slot]; q < r->end[slot]; q++) {
            lanes[island] += (uint32_t)__builtin_popcount(r->quad[q] & THRONG_LANES);
        }
        size_t row = r->end[slot] - r->begin[slot];
        if (row > g->row_most) g->row_most = row;
        if (lanes[island] > g->lanes_most) g->lanes_most = lanes[island];
    }
}

void throng_implicit_find_islands(throng_implicit_islands *g, const throng_implicit_solver *s) {
    const throng_implicit_walkers *w = s->walkers;
    throng_arrays_grow(g, arrays, 5, &g->capacity, w->near->count);
    for (uint32_t slot = 0; slot < w->near->count; slot++) g->of[slot] = slot;
    join_rows(g, s);
    /* an island's root is its first walker, and gets its number first */
    g->found = 0;
    for (size_t k = 0; k < s->active.count; k++) {
        uint32_t slot = s->active.who[k], root = root_of(g->of, slot);
        if (root == slot) g->rank[slot] = (uint32_t)g->found++;
    }
    for (size_t k = s->active.count; k-- > 0;) {
        uint32_t slot = s->active.who[k];
        g->rank[slot] = g->rank[root_of(g->of, slot)];
    }
    for (size_t k = 0; k < s->active.count; k++) g->of[s->active.who[k]] = g->rank[s->active.who[k]];
    throng_arrays_grow(g, begin_arrays, 2, &g->begin_capacity, g->found + 1);
    if (g->found > 1) measure_small(g, s);
}

/* --- sharing people out */

/* Puts some slots, island by island, into `order`; their islands are those of `self`. */
static void sort_slots(const throng_implicit_islands *g, const uint32_t *self, const uint32_t *slots, size_t count,
                       uint32_t *order, uint32_t *begin) {
    memset(begin, 0, (g->found + 1) * sizeof *begin);
    for (size_t k = 0; k < count; k++) begin[g->of[self[slots[k]]] + 1]++;
    for (size_t k = 0; k < g->found; k++) begin[k + 1] += begin[k];
    for (size_t k = 0; k < count; k++) order[begin[g->of[self[slots[k]]]]++] = slots[k];
    memmove(begin + 1, begin, g->found * sizeof *begin);
    begin[0] = 0;
}

/* Slots of images, and what they have of their originals. */
static size_t list_images(const throng_implicit_islands *g, const throng_implicit_walkers *w, uint32_t *images) {
    size_t count = 0;
    for (uint32_t slot = 0; slot < w->near->count && w->near->image_count > 0; slot++) {
        uint32_t self = w->self[slot];
        if (self == slot || !w->own[self]) continue;
        g->rank[slot] = g->rank[self];
        images[count++] = slot;
    }
    return count;
}

static void share_out(throng_implicit_islands *g, const throng_implicit_walkers *w) {
    sort_slots(g, w->self, w->mine, w->mine_count, g->slots, g->begin);
    for (size_t k = 0; k < g->found; k++) {
        for (uint32_t n = g->begin[k]; n < g->begin[k + 1]; n++) g->rank[g->slots[n]] = n - g->begin[k];
    }
    size_t images = list_images(g, w, g->label);
    sort_slots(g, w->self, g->label, images, g->images, g->image_begin);
}

static void go_to(throng_implicit_solver *s, const throng_implicit_islands *g, size_t island) {
    s->island = (throng_implicit_island){.who = g->slots + g->begin[island],
                                         .count = g->begin[island + 1] - g->begin[island],
                                         .images = g->images + g->image_begin[island],
                                         .image_count = g->image_begin[island + 1] - g->image_begin[island]};
}

void throng_implicit_unite(throng_implicit_islands *g, throng_implicit_solver *s) {
    const throng_implicit_walkers *w = s->walkers;
    for (uint32_t k = 0; k < w->mine_count; k++) g->rank[w->mine[k]] = k;
    size_t images = list_images(g, w, g->images);
    s->rank = g->rank;
    s->alone = true;
    s->island = (throng_implicit_island){w->mine, g->images, w->mine_count, images};
}

/* --- solving */

/* What a solver comes to. */
typedef struct found {
    double value, residual;
} found;

static void begin_with(throng_implicit_solver *s) {
    throng_implicit_look_at(s, s->island.who, s->island.count);
    for (size_t w = 0; w < s->workers; w++) s->scratch[w].overlapping = false;
    s->search.regularisation = throng_implicit_first_regularisation(s->walkers->law.dt);
}

static found run(throng_implicit_solver *s, const throng_implicit_params *params) {
    bool newton = params->solver == THRONG_IMPLICIT_NEWTON;
    begin_with(s);
    double value = newton ? throng_implicit_make_feasible(s) : throng_implicit_stand(s);
    if (value < INFINITY) value = (newton ? throng_implicit_newton : throng_implicit_lbfgs)(s, value, params);
    return (found){value, throng_implicit_residual(s)};
}

/* Whether others have changed velocities so much, in the root mean square, that those before the step were no good
 * beginning. Who sets out changes much by itself, and who queues is far from what it would do alone; only where both is
 * so something has happened, as in states that were put together by hand. */
static bool is_upset(const throng_implicit_solver *s) {
    const throng_implicit_walkers *w = s->walkers;
    double dt = w->law.dt, changed = 0, held = 0;
    for (size_t k = 0; k < s->island.count; k++) {
        uint32_t slot = s->island.who[k];
        double ax = s->motion.vx[slot] - w->old_x[slot], ay = s->motion.vy[slot] - w->old_y[slot];
        double share = dt * w->xi[slot] / (1 + dt * w->xi[slot]); /* of the way to its wish, that it would go alone */
        double bx = ax - share * (w->goal_x[slot] - w->old_x[slot]),
               by = ay - share * (w->goal_y[slot] - w->old_y[slot]);
        if (s->motion.squeezed[slot]) return false;
        changed += ax * ax + ay * ay;
        held += bx * bx + by * by;
    }
    if (w->packed > 0 || throng_implicit_is_overlapping(s)) return false;
    return fmin(changed, held) > upset * upset * dt * (double)s->island.count;
}

/* Begins again with everybody standing and the paper's solver, goes on from where that leads, and keeps what is better:
 * the objective has many minima, and those near velocities that make no sense are poor. */
static found run_again(throng_implicit_solver *s, const throng_implicit_params *params, found first) {
    const throng_step *now = s->walkers->now; /* what was found first waits where the answer will be */
    throng_implicit_params paper = *params;
    uint64_t capped = s->counts->capped;
    paper.solver = THRONG_IMPLICIT_LBFGS;
    paper.max_iterations = fmax(lbfgs_iterations, params->max_iterations);
    paper.tolerance = fmin(lbfgs_tolerance, params->tolerance);
    for (size_t k = 0; k < s->island.count; k++) {
        uint32_t slot = s->island.who[k];
        uint32_t row = s->walkers->near->row[slot];
        now->next_vx[row] = s->motion.vx[slot];
        now->next_vy[row] = s->motion.vy[slot];
    }
    if (s->some_rows) throng_implicit_swap_rows(s);
    run(s, &paper);
    begin_with(s);
    s->counts->capped = capped;
    double value = throng_implicit_newton(s, throng_implicit_trust_a_little(s), params);
    if (value < first.value) return (found){value, throng_implicit_residual(s)};
    for (size_t k = 0; k < s->island.count; k++) {
        uint32_t slot = s->island.who[k];
        uint32_t row = s->walkers->near->row[slot];
        s->motion.vx[slot] = now->next_vx[row];
        s->motion.vy[slot] = now->next_vy[row];
    }
    return first;
}

/* Velocities end up in the columns where they began. */
static void solve_one(throng_implicit_solver *s, const throng_implicit_params *params) {
    const throng_implicit_motion home = s->motion;
    found f = run(s, params);
    if (params->solver == THRONG_IMPLICIT_NEWTON && is_upset(s)) f = run_again(s, params, f);
    s->counts->objective += f.value;
    s->counts->residual = fmax(s->counts->residual, f.residual);
    for (size_t k = 0; k < s->island.count && s->motion.vx != home.vx; k++) {
        uint32_t slot = s->island.who[k];
        home.vx[slot] = s->motion.vx[slot];
        home.vy[slot] = s->motion.vy[slot];
    }
    s->motion = home;
    if (s->some_rows) throng_implicit_swap_rows(s);
}

/* Adds what was counted for some to what was counted for all. */
static void add_counts(throng_implicit_counts *to, const throng_implicit_counts *from) {
    to->iterations += from->iterations;
    to->inner += from->inner;
    to->evaluations += from->evaluations;
    to->capped += from->capped;
    to->fallbacks += from->fallbacks;
    to->standstills += from->standstills;
    to->squeezed += from->squeezed;
    to->objective += from->objective;
    to->residual = fmax(to->residual, from->residual);
    if (from->iterations_most > to->iterations_most) to->iterations_most = from->iterations_most;
}

static void solve_batches(void *context, size_t begin, size_t end, int worker) {
    throng_implicit_islands *g = context;
    throng_implicit_helper *h = &g->helpers[worker];
    double block_sum[4 * BLOCKS_SMALL], sums[THRONG_IMPLICIT_SMALL * THRONG_IMPLICIT_SUMS];
    double memory[THRONG_IMPLICIT_SMALL * THRONG_LBFGS_NUMBERS];
    uint32_t awake[THRONG_IMPLICIT_SMALL], order[THRONG_IMPLICIT_SMALL];
    for (size_t b = begin; b < end; b++) {
        throng_implicit_solver s = *g->solver;
        s.crew = NULL;
        s.counts = &g->batches[b].counts;
        s.scratch += worker, s.workers = 1;
        s.other_rows.quad = h->rows.quad, s.other_rows.matter = h->rows.matter;
        s.other_rows.capacity = h->rows.capacity;
        s.active.block_sum = block_sum, s.active.sums = sums, s.active.sum_capacity = sizeof sums / sizeof *sums;
        s.active.awake = awake, s.active.stirred = NULL, s.colors.order = order;
        s.memory = memory, s.memory_capacity = sizeof memory / sizeof *memory;
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
            s.active.pool[kind] = h->pool[kind], s.active.kept_pool[kind] = h->kept_pool[kind];
            s.active.chunk_room[kind][0] = h->pool[kind].capacity;
        }
        for (size_t k = g->batches[b].begin; k < g->batches[b].end; k++) {
            go_to(&s, g, k);
            if (s.island.count > 0 && s.island.count <= THRONG_IMPLICIT_SMALL) solve_one(&s, g->params);
        }
        g->batches[b].ask_whole = s.ask_whole;
    }
}

/* A pair is in two rows at most. */
static void equip_helpers(throng_implicit_islands *g, throng_implicit_solver *s) {
    if (s->workers > g->helper_count) {
        g->helpers = throng_reallocate(g->helpers, s->workers * sizeof *g->helpers);
        memset(g->helpers + g->helper_count, 0, (s->workers - g->helper_count) * sizeof *g->helpers);
        g->helper_count = s->workers;
    }
    throng_implicit_widen_scratch(s, g->row_most + THRONG_IMPLICIT_SMALL);
    size_t lanes =
        THRONG_IMPLICIT_SMALL * THRONG_IMPLICIT_SMALL / 2; /* all pairs of own walkers; there may be others */
    while (lanes < g->lanes_most) lanes *= 2;
    size_t quads = 2 * lanes, blocks = lanes + 8;
    for (size_t w = 0; w < g->helper_count; w++) {
        throng_implicit_helper *h = &g->helpers[w];
        throng_implicit_widen_rows(&h->rows, quads);
        for (int kind = 0; kind < THRONG_IMPLICIT_KINDS; kind++) {
            throng_implicit_widen_pool(&h->pool[kind], blocks);
            throng_implicit_widen_pool(&h->kept_pool[kind], blocks);
        }
    }
}

/* Small islands next to each other, until they are as many people as a worker should take at once. */
static void lay_out_batches(throng_implicit_islands *g) {
    size_t people = THRONG_IMPLICIT_SMALL;
    g->batch_count = 0;
    for (size_t k = 0; k < g->found; k++) {
        size_t count = g->begin[k + 1] - g->begin[k];
        if (count == 0 || count > THRONG_IMPLICIT_SMALL) continue;
        if (people >= THRONG_IMPLICIT_SMALL) {
            THRONG_GROW(g->batches, g->batch_capacity, g->batch_count + 1);
            g->batches[g->batch_count++] = (throng_implicit_batch_of_islands){.begin = k};
            people = 0;
        }
        g->batches[g->batch_count - 1].end = k + 1;
        people += count;
    }
}

void throng_implicit_solve(throng_implicit_islands *g, throng_implicit_solver *s,
                           const throng_implicit_params *params) {
    s->counts->objective = s->counts->residual = 0;
    if (g->found == 1) {
        solve_one(s, params);
        return;
    }
    share_out(g, s->walkers);
    s->alone = false;
    g->solver = s, g->params = params;
    for (size_t k = 0; k < g->found; k++) {
        go_to(s, g, k);
        if (s->island.count > THRONG_IMPLICIT_SMALL) solve_one(s, params);
    }
    lay_out_batches(g);
    if (g->batch_count > 0) equip_helpers(g, s);
    throng_parallel_for(s->crew, g->batch_count, 1, solve_batches, g);
    for (size_t b = 0; b < g->batch_count; b++) {
        add_counts(s->counts, &g->batches[b].counts);
        s->ask_whole = s->ask_whole || g->batches[b].ask_whole;
    }
}
