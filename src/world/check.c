/* check.c: measuring, after every step, how far discs overlapped each other and the walls.
 *
 * The step's own cell grid (of the positions before the move) finds the pairs; the old positions
 * are still in `next`. A pair moves straight from start to end, so its least distance within the
 * step is that of a point and a segment:
 *
 *     p(t) = p0 + t (p1 - p0),  0 <= t <= 1,   p = x_j - x_i
 *
 * Sums of whole numbers and extremes do not depend on the order, so workers may share the pairs. */

#include <math.h>

#include "world/world.h"

enum { GRAIN = 512 };

/* Discs closer than this to touching do not count as overlapping: rounding, not contact. m */
static const double touch_tolerance = 1e-9;

typedef struct pass {
    throng_world *world;
    double reach; /* m, pairs with a larger surface distance at the start are of no interest */
} pass;

static double clamp01(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

/* People i and j, of whom j is seen moved by `shift`. */
static void measure_pair(const throng_columns *a, uint32_t i, uint32_t j, throng_point shift, throng_overlap *found) {
    double r = a->radius[i] + a->radius[j];
    double px = a->next_x[j] + shift.x - a->next_x[i], py = a->next_y[j] + shift.y - a->next_y[i];
    double qx = a->x[j] + shift.x - a->x[i], qy = a->y[j] + shift.y - a->y[i];
    double wx = qx - px, wy = qy - py, ww = wx * wx + wy * wy;
    double t = ww > 0 ? clamp01(-(px * wx + py * wy) / ww) : 0;
    double mx = px + t * wx, my = py + t * wy;

    double swept = sqrt(mx * mx + my * my) - r, end = sqrt(qx * qx + qy * qy) - r;
    if (swept < found->gap_m) found->gap_m = swept;
    if (swept < -touch_tolerance) found->swept_pairs++;
    if (end < -touch_tolerance) {
        found->pairs++;
        double fraction = -end / r;
        if (fraction > 0.05) found->pairs_over_5pct++;
        if (fraction > found->deepest_fraction) found->deepest_fraction = fraction;
    }
}

/* A pair of people of two parts counts where the one who came first is at home. */
static bool is_counted_here(const throng_world *world, uint32_t i, uint32_t j) {
    const throng_columns *a = &world->agents;
    return (a->id[i] < a->id[j] ? i : j) < a->count - world->ghost_count;
}

/* Two people across a seam are each other's images: such a pair is measured once, from the lower row. */
static void measure_slots(const pass *p, uint32_t slot, uint32_t other, throng_overlap *found) {
    const throng_near *near = p->world->near;
    const throng_columns *a = &p->world->agents;
    throng_point shift = {0, 0};
    if (near->row[other] >= a->count) return; /* a thing */
    if (near->image_count > 0) {
        bool one = throng_near_is_image(near, slot), two = throng_near_is_image(near, other);
        if (one && two) return;
        if (one) {
            uint32_t kept = slot;
            slot = other;
            other = kept;
        }
        uint32_t j = near->row[other];
        if ((one || two) && near->row[slot] >= j) return;
        if (one || two) shift = (throng_point){near->x[other] - a->next_x[j], near->y[other] - a->next_y[j]};
    }
    if (p->world->ghost_count > 0 && !is_counted_here(p->world, near->row[slot], near->row[other])) return;
    measure_pair(a, near->row[slot], near->row[other], shift, found);
}

/* All pairs of a slot with later slots that can come within reach during the step. */
static void measure_slot(const pass *p, size_t slot, throng_overlap *found) {
    const throng_near *near = p->world->near;
    if (near->row[slot] >= p->world->agents.count) return; /* a thing */
    double reach = near->radius[slot] + near->radius_max + p->reach, x = near->x[slot], y = near->y[slot];
    int32_t left = throng_near_column(near, x - reach), right = throng_near_column(near, x + reach);
    int32_t top = throng_near_row(near, y + reach);
    for (int32_t row = throng_near_row(near, y); row <= top; row++) {
        size_t cells = (size_t)row * (size_t)near->columns;
        size_t begin = near->start[cells + (size_t)left], end = near->start[cells + (size_t)right + 1];
        for (size_t k = begin > slot ? begin : slot + 1; k < end; k++) {
            double dx = near->x[k] - x, dy = near->y[k] - y;
            if (dx * dx + dy * dy <= reach * reach) measure_slots(p, (uint32_t)slot, (uint32_t)k, found);
        }
    }
}

static void measure_pairs(void *context, size_t begin, size_t end, int worker) {
    const pass *p = context;
    for (size_t slot = begin; slot < end; slot++) measure_slot(p, slot, &p->world->overlaps[worker]);
}

/* How deep somebody's disc reached into a wall on its straight way; a radius: its middle went through. m */
static double swept_depth(const throng_walls *walls, throng_point from, throng_point to, double radius) {
    double clear = 0, blocked = radius - touch_tolerance;
    if (!throng_walls_block(walls, from, to, blocked)) return 0;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (clear + blocked);
        if (throng_walls_block(walls, from, to, middle)) {
            blocked = middle;
        } else {
            clear = middle;
        }
    }
    return radius - blocked;
}

static void measure_walls(void *context, size_t begin, size_t end, int worker) {
    throng_world *world = context;
    const throng_columns *a = &world->agents;
    throng_overlap *found = &world->overlaps[worker];
    /* Those that can move were elsewhere when people set out. */
    const throng_walls *standing = world->changes.base_walls ? world->changes.base_walls : world->walls;
    for (size_t i = begin; i < end; i++) {
        double into = a->radius[i] - throng_walls_depth(world->walls, a->x[i], a->y[i], a->radius[i]);
        if (into > found->wall_m) found->wall_m = into;
        throng_point from = {a->next_x[i], a->next_y[i]}, to = {a->x[i], a->y[i]};
        found->swept_wall_m = fmax(found->swept_wall_m, swept_depth(standing, from, to, a->radius[i]));
    }
}

/* The longest way anybody went in this step. m */
static double longest_move(const throng_columns *a) {
    double longest2 = 0;
    for (size_t i = 0; i < a->count; i++) {
        double dx = a->x[i] - a->next_x[i], dy = a->y[i] - a->next_y[i], d2 = dx * dx + dy * dy;
        if (d2 > longest2) longest2 = d2;
    }
    return sqrt(longest2);
}

static throng_overlap run_pass(throng_world *world, double reach) {
    int workers = throng_crew_size(world->crew);
    for (int w = 0; w < workers; w++) world->overlaps[w] = (throng_overlap){.gap_m = INFINITY};
    pass p = {world, reach};
    throng_parallel_for(world->crew, world->near->count, GRAIN, measure_pairs, &p);
    throng_overlap all = world->overlaps[0];
    for (int w = 1; w < workers; w++) {
        const throng_overlap *o = &world->overlaps[w];
        all.pairs += o->pairs;
        all.pairs_over_5pct += o->pairs_over_5pct;
        all.swept_pairs += o->swept_pairs;
        all.deepest_fraction = fmax(all.deepest_fraction, o->deepest_fraction);
        all.gap_m = fmin(all.gap_m, o->gap_m);
    }
    return all;
}

/* Only a pair that can come closer than any before it matters. While no pair has been met at all
 * (the first step, as a rule), look further and further until the nearest one is found. */
static throng_overlap measure_all_pairs(throng_world *world) {
    const throng_near *near = world->near;
    double moved = 2 * longest_move(&world->agents);
    double least = world->stats.nearest_gap_m;
    if (!isinf(least)) return run_pass(world, moved + fmax(least, 0));
    double extent = near->cell * (fmax(near->columns, near->rows) * 2.0);
    for (double gap = near->cell;; gap *= 2) {
        throng_overlap found = run_pass(world, moved + gap);
        if (found.gap_m <= gap || gap > extent) return found;
    }
}

static void measure_all_walls(throng_world *world, throng_overlap *found) {
    int workers = throng_crew_size(world->crew);
    for (int w = 0; w < workers; w++) world->overlaps[w].wall_m = world->overlaps[w].swept_wall_m = 0;
    throng_parallel_for(world->crew, world->agents.count, GRAIN, measure_walls, world);
    for (int w = 0; w < workers; w++) {
        found->wall_m = fmax(found->wall_m, world->overlaps[w].wall_m);
        found->swept_wall_m = fmax(found->swept_wall_m, world->overlaps[w].swept_wall_m);
    }
}

void throng_world_measure_overlap(throng_world *world) {
    throng_stats *stats = &world->stats;
    if (world->halo) throng_halo_call_back(world);
    throng_overlap found = measure_all_pairs(world);
    if (world->halo) throng_halo_dismiss(world);
    if (world->walls->count > 0) measure_all_walls(world, &found);
    if (world->halo) throng_halo_add_overlap(world, &found);
    if (found.pairs > stats->pairs_max) stats->pairs_max = found.pairs;
    if (found.pairs_over_5pct > stats->pairs_over_5pct_max) stats->pairs_over_5pct_max = found.pairs_over_5pct;
    if (found.swept_pairs > stats->swept_pairs_max) stats->swept_pairs_max = found.swept_pairs;
    stats->deepest_fraction = fmax(stats->deepest_fraction, found.deepest_fraction);
    stats->nearest_gap_m = fmin(stats->nearest_gap_m, found.gap_m);
    stats->agent_wall_max_m = fmax(stats->agent_wall_max_m, found.wall_m);
    stats->swept_wall_max_m = fmax(stats->swept_wall_max_m, found.swept_wall_m);
}
