/* ground.c: chooses how fine the lattice of the flow fields (navigation fields) must be, and whom it tells apart. */

#include "route/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/search.h"
#include "space/zone_map.h"

static const double cell_usual = 0.2;    /* m */
static const double cells_wide = 1.4143; /* the gaps that a lattice surely finds: sqrt(2), see lattice.h */
static const double nodes_by_size = 5e6; /* of fields for all sizes of people who go to a goal */
static const double sizes_least = 8;     /* that are told apart */

throng_box throng_ground_box(const throng_walls *walls) {
    throng_box box = {{walls->x[0], walls->y[0]}, {walls->x[0], walls->y[0]}};
    for (size_t k = 1; k < walls->count; k++) {
        box.low.x = fmin(box.low.x, walls->x[k]), box.high.x = fmax(box.high.x, walls->x[k]);
        box.low.y = fmin(box.low.y, walls->y[k]), box.high.y = fmax(box.high.y, walls->y[k]);
    }
    if (!walls->open) return box;
    /* On an open plane people come from afar and should see early which way to go around. */
    double pad = fmin(fmax(0.5 * fmax(box.high.x - box.low.x, box.high.y - box.low.y), 5), 50);
    return (throng_box){{box.low.x - pad, box.low.y - pad}, {box.high.x + pad, box.high.y + pad}};
}

static double coarser(throng_box box, double cell, double nodes) {
    while (throng_lattice_size(box, cell) > nodes) cell *= 1.05;
    return cell;
}

static double limit_of(const throng_ground *g) { return g->nodes_limit > 0 ? g->nodes_limit : THRONG_NODES_MOST; }

/* The cell before gaps ask for a finer one. */
static double cell_at_first(const throng_ground *g) {
    bool asked = g->cell_wanted > 0;
    double nodes = asked ? THRONG_NODES_MOST : g->nodes_wanted;
    return coarser(g->box, asked ? g->cell_wanted : cell_usual, fmin(nodes, limit_of(g)));
}

/* Fine enough for the narrowest gap that the smallest body fits through. */
double throng_ground_cell(const throng_ground *g, const throng_gap *gaps, size_t gap_count) {
    double usable = INFINITY;
    for (size_t i = 0; i < gap_count && isinf(usable); i++) {
        if (gaps[i].width >= 2 * g->radius_low * THRONG_GAP_EXACTLY) usable = gaps[i].width;
    }
    return coarser(g->box, fmin(cell_at_first(g), usable / cells_wide), limit_of(g));
}

/* --- sizes of bodies */

size_t throng_ground_closed(const throng_ground *ground, double radius) {
    return throng_gaps_below(ground->gaps, ground->gap_count, radius);
}

/* The radii at which one size ends and the next begins: those of gaps, and some in between, so that the
 * small do not have to keep the distance of the large. Returns how many. */
static size_t list_limits(const throng_ground *ground, double *limits) {
    const double per_metre = 20;
    size_t count = 0;
    for (double k = ceil(ground->radius_low * per_metre); k / per_metre < ground->radius_high; k++) {
        if (k / per_metre >= ground->radius_low) limits[count++] = k / per_metre;
    }
    for (size_t i = 0; i < ground->gap_count; i++) {
        double radius = ground->gaps[i].width / (2 * THRONG_GAP_EXACTLY);
        if (radius >= ground->radius_low && radius < ground->radius_high) limits[count++] = radius;
    }
    limits[count++] = ground->radius_high;
    qsort(limits, count, sizeof *limits, throng_compare_numbers);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++) {
        if (limits[i] > limits[kept - 1]) limits[kept++] = limits[i];
    }
    return kept;
}

void throng_ground_list_sizes(throng_ground *ground) {
    size_t steps = (size_t)(20 * (ground->radius_high - ground->radius_low)) + 4;
    double *limits = throng_allocate((ground->gap_count + steps) * sizeof *limits);
    size_t count = list_limits(ground, limits);
    /* In a large place fewer are told apart, or everybody would need a field of its own. */
    size_t most = (size_t)fmin(fmax(nodes_by_size / (double)ground->lattice->count, sizes_least), THRONG_SIZES_MOST);
    size_t kept = count < most ? count : most;
    for (size_t i = 0; i < kept; i++) {
        double radius = limits[(i + 1) * count / kept - 1];
        size_t closed = throng_ground_closed(ground, ground->radius_low);
        if (i > 0) {
            /* A little above the largest of the size before. */
            double above = ground->sizes[i - 1].radius;
            while (closed < ground->gap_count && ground->gaps[closed].width / (2 * THRONG_GAP_EXACTLY) <= above)
                closed++;
        }
        ground->sizes[i] = (throng_size){.radius = radius, .gap_count = closed};
    }
    ground->size_count = kept;
    throng_release(limits);
}

size_t throng_ground_size_of(const throng_ground *ground, double radius) {
    for (size_t i = 0; i < ground->size_count; i++) {
        if (ground->sizes[i].radius == radius) return i;
    }
    return SIZE_MAX;
}

size_t throng_ground_size(const throng_ground *ground, double radius) {
    size_t at;
    THRONG_SEARCH(at, ground->size_count - 1, radius > ground->sizes[at].radius);
    return at;
}

const uint8_t *throng_ground_open(throng_ground *ground, size_t size) {
    throng_size *s = &ground->sizes[size];
    if (s->gap_count == 0) return ground->lattice->open;
    if (s->open) return s->open;
    s->open = throng_allocate(ground->lattice->count);
    memcpy(s->open, ground->lattice->open, ground->lattice->count);
    for (size_t i = 0; i < s->gap_count; i++) {
        throng_lattice_cut(ground->lattice, s->open, ground->gaps[i].a, ground->gaps[i].b, NULL);
    }
    return s->open;
}

/* --- slow ground */

static bool has_zones(const throng_ground *ground) { return ground->zones && ground->zones->count > 0; }

/* How many times longer a metre takes because of the zones. */
static double slow_in_zones(const throng_ground *ground, double x, double y) {
    const double least = 0.01; /* of the usual speed; nothing is quite as slow */
    return has_zones(ground) ? 1 / fmax(throng_zones_speed(ground->zones, x, y), least) : 1;
}

/* How many times a metre in a crowd counts when ways are found, given how many times longer it takes. As
 * much as that where it is little, but never more than so many times: who runs around a crowd to where
 * it is thinnest now finds others there. */
static double crowd_counts(double delay) {
    const double most = 3;
    return most - (most - 1) / delay;
}

static void find_slow(throng_ground *ground) {
    const throng_lattice *l = ground->lattice;
    ground->slow_least = 1;
    for (size_t i = 0; i < l->count; i++) {
        throng_point at = throng_lattice_node(l, i);
        double crowd = ground->crowding ? throng_crowding_at(ground->crowding, at.x, at.y) : 1;
        ground->slow[i] = (float)(slow_in_zones(ground, at.x, at.y) * crowd_counts(crowd));
        ground->slow_least = fmin(ground->slow_least, ground->slow[i]);
    }
}

void throng_ground_slow_down(throng_ground *ground, throng_node_list *changes, size_t most) {
    size_t count = ground->lattice->count;
    float *before = ground->slow;
    if (!ground->slow_before) ground->slow_before = throng_allocate(count * sizeof *ground->slow_before);
    ground->slow = ground->slow_before;
    ground->slow_before = before;
    find_slow(ground);
    changes->count = 0;
    THRONG_GROW(changes->nodes, changes->capacity, most + 1);
    for (size_t i = 0; i < count && changes->count <= most; i++) {
        if (ground->slow[i] != before[i]) changes->nodes[changes->count++] = (uint32_t)i;
    }
}

/* --- laying */

void throng_ground_mark_gap(throng_ground *ground, const throng_gap *gap, const throng_node_set *only) {
    throng_lattice_mark_gap(ground->lattice, gap, gap->width >= 2 * ground->radius_low * THRONG_GAP_EXACTLY,
                            gap->width < 2 * ground->radius_high, only);
}

void throng_ground_lay(throng_ground *ground, double radius_low, double radius_high) {
    throng_ground_clear(ground);
    ground->slow_least = 1;
    ground->radius_low = radius_low;
    ground->radius_high = radius_high;
    ground->box = throng_ground_box(ground->walls);
    ground->laid = throng_walls_trace(ground->walls);
    ground->laid_count = ground->walls->count;
    ground->zone_count = ground->zones ? ground->zones->count : 0;
    ground->gap_limit = fmax(2.4 * radius_high, cells_wide * cell_at_first(ground));
    ground->gaps = throng_gaps_find(ground->walls, ground->gap_limit, &ground->gap_count);

    /* Clearance is kept as far as walls matter to anybody; see field.c and follow.c. */
    double cell = throng_ground_cell(ground, ground->gaps, ground->gap_count), limit = ground->nodes_limit;
    ground->nodes_limit = 0;
    ground->shared = cell > throng_ground_cell(ground, ground->gaps, ground->gap_count);
    ground->nodes_limit = limit;
    ground->lattice = throng_lattice_create(ground->walls, ground->box, cell, radius_high + 0.3 + cell);
    for (size_t i = 0; i < ground->gap_count; i++) throng_ground_mark_gap(ground, &ground->gaps[i], NULL);
    throng_ground_list_sizes(ground);
    if (!has_zones(ground) && !ground->crowding) return;
    ground->slow = throng_allocate(ground->lattice->count * sizeof *ground->slow);
    find_slow(ground);
}

void throng_ground_clear(throng_ground *ground) {
    throng_lattice_destroy(ground->lattice);
    THRONG_RELEASE(ground->gaps, ground->laid, ground->slow, ground->slow_before);
    for (size_t i = 0; i < ground->size_count; i++) throng_release(ground->sizes[i].open);
    ground->lattice = NULL;
    ground->gaps = NULL;
    ground->laid = NULL;
    ground->slow = ground->slow_before = NULL;
    ground->gap_count = ground->laid_count = ground->size_count = 0;
}

/* Smaller bodies than it was laid for are served when they fit through no more gaps. */
bool throng_ground_serves(const throng_ground *ground, double radius) {
    if (!ground->lattice || radius > ground->radius_high) return false;
    return radius >= ground->radius_low ||
           throng_ground_closed(ground, radius) == throng_ground_closed(ground, ground->radius_low);
}

/* --- lines across gaps */

static double side_of(throng_point a, throng_point b, throng_point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

bool throng_ground_parts(const throng_ground *ground, size_t gap_count, throng_point from, throng_point to) {
    for (size_t i = 0; i < gap_count; i++) {
        throng_point a = ground->gaps[i].a, b = ground->gaps[i].b;
        if (side_of(from, to, a) * side_of(from, to, b) <= 0 && side_of(a, b, from) * side_of(a, b, to) <= 0)
            return true;
    }
    return false;
}
