/* ground.c: chooses how fine the lattice of the flow fields must be. */

#include "route/ground.h"

#include <math.h>

#include "world/memory.h"

static const double cell_usual = 0.2;    /* m */
static const double nodes_most = 8e6;    /* of a lattice, even to keep a narrow door open */
static const double cells_wide = 1.4143; /* the gaps that a lattice surely finds: sqrt(2), see lattice.h */
static const double exactly = 1 - 1e-9;  /* a gap just as wide as a body lets it through */

static throng_box box_of(const throng_walls *walls) {
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

/* The narrowest gap that the smallest body fits through; infinite when there is none. */
static double narrowest_usable(const throng_ground *ground, double radius) {
    for (size_t i = 0; i < ground->gap_count; i++) {
        if (ground->gaps[i].width >= 2 * radius * exactly) return ground->gaps[i].width;
    }
    return INFINITY;
}

static double coarser(throng_box box, double cell, double nodes) {
    while (throng_lattice_size(box, cell) > nodes) cell *= 1.05;
    return cell;
}

void throng_ground_lay(throng_ground *ground, double radius_low, double radius_high) {
    throng_ground_clear(ground);
    ground->radius_low = radius_low;
    ground->radius_high = radius_high;
    ground->box = box_of(ground->walls);
    bool asked = ground->cell_wanted > 0;
    double cell =
        coarser(ground->box, asked ? ground->cell_wanted : cell_usual, asked ? nodes_most : ground->nodes_wanted);
    ground->gaps = throng_gaps_find(ground->walls, fmax(2.4 * radius_high, cells_wide * cell), &ground->gap_count);
    double usable = narrowest_usable(ground, radius_low);
    cell = coarser(ground->box, fmin(cell, usable / cells_wide), nodes_most);

    /* Clearance is kept as far as walls matter to anybody; see field.c and follow.c. */
    ground->lattice = throng_lattice_create(ground->walls, ground->box, cell, radius_high + 0.3 + cell);
    for (size_t i = 0; i < ground->gap_count; i++) {
        double width = ground->gaps[i].width;
        throng_lattice_mark_gap(ground->lattice, &ground->gaps[i], width >= 2 * radius_low * exactly,
                                width < 2 * radius_high);
    }
}

void throng_ground_clear(throng_ground *ground) {
    throng_lattice_destroy(ground->lattice);
    throng_release(ground->gaps);
    ground->lattice = NULL;
    ground->gaps = NULL;
    ground->gap_count = 0;
}

bool throng_ground_serves(const throng_ground *ground, double radius) {
    if (!ground->lattice || radius > ground->radius_high) return false;
    if (radius >= ground->radius_low) return true;
    return narrowest_usable(ground, radius) >= cells_wide * ground->lattice->cell * exactly;
}

size_t throng_ground_size(const throng_ground *ground, double radius) {
    size_t low = 0, high = ground->gap_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ground->gaps[middle].width < 2 * radius * exactly)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

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
