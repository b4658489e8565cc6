/* ground.h: what all flow fields (navigation fields) of a world are made on: the lattice, the gaps between walls, the
 * sizes of people that this makes, and where walking is slow. All of it follows from the walls, the zones, the radii it
 * was laid for and the slowness of the crowd, and from nothing else. */

#ifndef THRONG_GROUND_H
#define THRONG_GROUND_H

#include "route/crowding.h"
#include "route/lattice.h"
#include "route/route.h"

enum { THRONG_SIZES_MOST = 256, THRONG_NODES_LEAST = 400 };
#define THRONG_NODES_MOST 8e6 /* of a lattice, even to keep a narrow door open */

/* Bodies that are told apart no further. */
typedef struct throng_size {
    double radius;    /* m, of the widest: walls are kept at that distance where there is room */
    size_t gap_count; /* so many of the narrowest gaps are closed for them */
    uint8_t *open;    /* [node] the lattice's, without those gaps; NULL: not made yet */
} throng_size;

typedef struct throng_ground {
    const throng_walls *walls;
    double cell_wanted;  /* m; 0: as the place suggests */
    double nodes_wanted; /* about as many at most, unless a cell was asked for */
    double nodes_limit;  /* at most, even then, and at least THRONG_NODES_LEAST; 0: as many as a lattice may have */
    bool shared;         /* that limit has made the cell larger */
    const throng_zones *zones;       /* NULL: none */
    const throng_crowding *crowding; /* NULL: it does not matter */
    double radius_low, radius_high;  /* m, of the bodies it is made for */
    throng_box box;                  /* what the lattice covers */
    throng_lattice *lattice;         /* NULL before it is laid */
    throng_gap *gaps;                /* all narrower than the widest body, narrowest first */
    size_t gap_count;
    double gap_limit;        /* m: wider ones were not looked for */
    throng_wall_trace *laid; /* the walls it was laid for, because `walls` may change */
    size_t laid_count;
    size_t zone_count;                    /* that it was laid for */
    throng_size sizes[THRONG_SIZES_MOST]; /* smallest first */
    size_t size_count;
    float *slow;        /* [node] how many times each metre counts; NULL: 1 everywhere */
    float *slow_before; /* [node] the same before crowds were last looked at; NULL: never */
    double slow_least;  /* at most 1 */
} throng_ground;

/* Lays the ground for bodies of these radii, or lays it anew. The lattice is at least as fine as
 * needed to find every gap that the smallest of them fits through, up to a limit of memory. */
void throng_ground_lay(throng_ground *ground, double radius_low, double radius_high);
void throng_ground_clear(throng_ground *ground);

/* Nodes of a lattice. */
typedef struct throng_node_list {
    uint32_t *nodes;
    size_t count, capacity;
} throng_node_list;

/* ground_mend.c: brings the ground up to date after walls have changed, as if it had been laid anew, but
 * looks only around those walls. Sizes may have other numbers afterwards. For every size that is
 * `wanted`, by its number before, and still there, lists the nodes that a wave finds changed, by its
 * new number. Returns false, with the ground as it was, when other nodes are needed, or so many that
 * laying it anew is less work. */
bool throng_ground_mend(throng_ground *ground, const throng_walls *walls, const bool *wanted,
                        throng_node_list *changes);

/* Finds out anew where crowds make walking slow. Lists the nodes for which that is new, but no more than
 * one more than `most`. Allocates only the first time. */
void throng_ground_slow_down(throng_ground *ground, throng_node_list *changes, size_t most);

/* Remembers walls; the caller releases it. */
throng_wall_trace *throng_walls_trace(const throng_walls *walls);
/* The parts of laying that follow from the walls at once, and from the gaps. */
throng_box throng_ground_box(const throng_walls *walls);
double throng_ground_cell(const throng_ground *ground, const throng_gap *gaps, size_t gap_count);
void throng_ground_list_sizes(throng_ground *ground);
void throng_ground_mark_gap(throng_ground *ground, const throng_gap *gap, const throng_node_set *only);
/* The size with just this radius, or SIZE_MAX. */
size_t throng_ground_size_of(const throng_ground *ground, double radius);

/* Whether it serves a body of some radius as it is. */
bool throng_ground_serves(const throng_ground *ground, double radius);

/* The number of gaps too narrow for a body. */
size_t throng_ground_closed(const throng_ground *ground, double radius);

/* The size of a body: an index into `sizes`. Where there are more sizes than are told apart, some are
 * let through gaps that only slightly smaller bodies fit through. */
size_t throng_ground_size(const throng_ground *ground, double radius);

/* The nodes as they are joined for a size; made when first asked for, so not by several threads. */
const uint8_t *throng_ground_open(throng_ground *ground, size_t size);

/* Whether one of the `gap_count` narrowest gaps lies across a line. */
bool throng_ground_parts(const throng_ground *ground, size_t gap_count, throng_point from, throng_point to);

#endif
