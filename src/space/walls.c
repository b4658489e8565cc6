/* walls.c: a place's rings and thin walls become columns of walls (boundary segments), each with the walkable side on
 * its left. A thin wall becomes a ring of its two sides, as if it had an inside of no width:
 *
 *       a ----> b ----> c          and a thin wall that closes on itself becomes two rings,
 *       a <---- b'<---- c          one for its inside and one for its outside. */

#include "space/walls.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/orient.h"
#include "space/place.h"

/* The columns while they are being written. */
typedef struct columns {
    double *x, *y, *along_x, *along_y, *length;
    uint32_t *next, *previous;
    uint8_t *convex, *thin;
    size_t count;
} columns;

static size_t count_walls(const throng_place *place) {
    size_t count = 0;
    for (size_t r = 0; r < place->ring_count; r++) count += place->rings[r].count;
    for (size_t l = 0; l < place->line_count; l++) {
        if (place->lines[l].count >= 2) count += 2 * (place->lines[l].count - 1);
    }
    return count;
}

static void add_corner(columns *c, throng_point p, bool thin) {
    c->x[c->count] = p.x;
    c->y[c->count] = p.y;
    c->thin[c->count] = thin;
    c->count++;
}

/* Joins the corners added since `first` to a ring. */
static void close_ring(columns *c, size_t first) {
    for (size_t k = first; k < c->count; k++) {
        c->next[k] = (uint32_t)(k + 1 < c->count ? k + 1 : first);
        c->previous[k] = (uint32_t)(k > first ? k - 1 : c->count - 1);
    }
}

static void add_line(columns *c, throng_ring line) {
    if (line.count < 2) return;
    size_t first = c->count, last = line.count - 1;
    for (size_t i = 0; i < last; i++) add_corner(c, line.points[i], true);
    if (line.count >= 4 && throng_same_point(line.points[0], line.points[last])) {
        close_ring(c, first);
        first = c->count;
    }
    for (size_t i = last; i > 0; i--) add_corner(c, line.points[i], true);
    close_ring(c, first);
}

static void measure(columns *c) {
    for (size_t k = 0; k < c->count; k++) {
        uint32_t n = c->next[k], p = c->previous[k];
        double dx = c->x[n] - c->x[k], dy = c->y[n] - c->y[k];
        double length = sqrt(dx * dx + dy * dy);
        assert(length > 0 && "a place has no corner twice in a row");
        c->along_x[k] = dx / length;
        c->along_y[k] = dy / length;
        c->length[k] = length;
        /* With the walkable side on the left, a corner that sticks out into it turns right. */
        throng_point before = {c->x[p], c->y[p]}, here = {c->x[k], c->y[k]}, after = {c->x[n], c->y[n]};
        c->convex[k] = throng_turn(before, here, after) <= 0;
    }
}

throng_walls *throng_walls_create(const throng_place *place) {
    size_t count = count_walls(place);
    assert(count < UINT32_MAX);
    columns c = {
        .x = throng_allocate(count * sizeof *c.x),
        .y = throng_allocate(count * sizeof *c.y),
        .along_x = throng_allocate(count * sizeof *c.along_x),
        .along_y = throng_allocate(count * sizeof *c.along_y),
        .length = throng_allocate(count * sizeof *c.length),
        .next = throng_allocate(count * sizeof *c.next),
        .previous = throng_allocate(count * sizeof *c.previous),
        .convex = throng_allocate(count * sizeof *c.convex),
        .thin = throng_allocate(count * sizeof *c.thin),
    };
    for (size_t r = 0; r < place->ring_count; r++) {
        size_t first = c.count;
        for (size_t i = 0; i < place->rings[r].count; i++) add_corner(&c, place->rings[r].points[i], false);
        close_ring(&c, first);
    }
    for (size_t l = 0; l < place->line_count; l++) add_line(&c, place->lines[l]);
    measure(&c);

    throng_walls *walls = throng_allocate(sizeof *walls);
    *walls = (throng_walls){
        .count = count,
        .x = c.x,
        .y = c.y,
        .along_x = c.along_x,
        .along_y = c.along_y,
        .length = c.length,
        .next = c.next,
        .previous = c.previous,
        .convex = c.convex,
        .thin = c.thin,
        .open = place->open,
    };
    throng_walls_sort_into_cells(walls);
    return walls;
}

void throng_walls_destroy(throng_walls *walls) {
    if (!walls) return;
    const void *owned[] = {walls->x,        walls->y,      walls->along_x, walls->along_y, walls->length,
                           walls->next,     walls->convex, walls->thin,    walls->start,   walls->wall,
                           walls->previous, walls->clear,  walls->side,    walls->ends};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) throng_release((void *)owned[i]);
    throng_release(walls);
}
