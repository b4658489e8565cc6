/* lattice.h: the nodes of a square lattice laid over a place (walkable geometry), and what the walls mean to them. All
 * flow fields of a world share one.
 *
 * Two neighbouring nodes (of eight) are joined unless the line between them meets a wall, so nothing
 * leaks through a wall however thin, and a gap is open however it lies to the lattice: a disc of
 * radius r >= cell / sqrt(2) always holds a node, and any two nodes in it that follow each other as
 * it moves are neighbours joined by a line within it. Hence:
 *
 *     wherever a body of at least that radius fits through, the nodes are joined through there.
 *
 * The other way round, the gaps that are too narrow for a body are known exactly (gaps.c) and cut. */

#ifndef THRONG_LATTICE_H
#define THRONG_LATTICE_H

#include <throng/model.h>

/* A wall, and the wall before it: told apart by where they are, not by their numbers, and down to the last bit, so that
 * what was made of walls that stayed is as good as new. */
typedef struct throng_wall_trace {
    throng_point from, to;
    double thin; /* 0 or 1 */
    throng_point before;
} throng_wall_trace;

/* The walls that are there no more, then those that are new. */
typedef struct throng_changed_walls {
    throng_wall_trace *walls;
    size_t gone, count;
    size_t corners; /* after those, ones that are as they were but meet other walls: only `from` is new */
    throng_box box; /* around all of them */
} throng_changed_walls;

/* A narrow place: the shortest line between two walls that face each other. Nobody wider passes. */
typedef struct throng_gap {
    throng_point a, b;
    double width; /* m */
} throng_gap;

#define THRONG_GAP_EXACTLY (1 - 1e-9) /* a gap just as wide as a body lets it through */

/* How many gaps, narrowest first, are too narrow for a body. */
size_t throng_gaps_below(const throng_gap *gaps, size_t count, double radius);
/* Finds all gaps narrower than `limit`, narrowest first. The caller releases them. */
throng_gap *throng_gaps_find(const throng_walls *walls, double limit, size_t *count);
/* The same, given the gaps from before some walls changed: looks only around those. */
throng_gap *throng_gaps_mend(const throng_walls *walls, double limit, const throng_gap *before, size_t before_count,
                             const throng_changed_walls *changed, size_t *count);
/* The order of gaps, as for qsort. */
int throng_gap_order(const void *a, const void *b);

typedef struct throng_lattice {
    double origin_x, origin_y; /* m, of node 0 */
    double cell, inverse_cell; /* m, 1/m */
    int32_t columns, rows;
    size_t count;   /* nodes: row * columns + column */
    double reach;   /* m */
    uint8_t *open;  /* [node] bit d: joined to neighbour d; 0 where one cannot walk */
    float *clear;   /* [node] m to the nearest wall, at most `reach` */
    uint8_t *tight; /* [node] for the square up and right of it: the gaps it is near, see below */
    uint8_t *room;  /* [node] for the square up and right of it: 0 when a wall is in it, else see below */
    uint8_t *side;  /* [node] THRONG_SIDE_TURNS: walls are crossed since the node to the left an odd number of times */
} throng_lattice;

/* Neighbours 0..7: east, then on counter-clockwise. */
extern const int8_t throng_step_column[8], throng_step_row[8];

/* Room in a square of nodes: no point of it is nearer to a wall than (room - 1) of these, in m. */
#define THRONG_ROOM_UNIT 0.02

#define THRONG_SIDE_TURNS 1
#define THRONG_SIDE_SOLID 2 /* one cannot walk there */

/* Squares near a gap: half the width of one that people use, in cm (0: near none), and whether there
 * is one that may be closed for somebody. */
#define THRONG_TIGHT_HALF   0x7f
#define THRONG_TIGHT_CLOSED 0x80

/* Lays nodes over a box. Distances to walls are kept up to `reach`. */
throng_lattice *throng_lattice_create(const throng_walls *walls, throng_box box, double cell, double reach);
void throng_lattice_destroy(throng_lattice *lattice);

/* How many nodes a lattice over a box would have. */
double throng_lattice_size(throng_box box, double cell);

/* Some of the nodes of a lattice, in any order; begins as all zero. */
typedef struct throng_node_set {
    uint8_t *mark; /* [node] 0: not one of them, else THRONG_NODE_... */
    uint32_t *nodes;
    size_t count, capacity;
    int32_t row_first, row_last; /* none is in another row */
} throng_node_set;

/* What is known of a node is found out anew, or it only has such neighbours. */
enum { THRONG_NODE_BESIDE = 1, THRONG_NODE_ANEW = 2 };

/* Adds the nodes within `pad` of a line as ones to be found out anew, with two rings of others around
 * them: their neighbours, whose links may be others then, and the neighbours of these. */
void throng_node_set_add_line(throng_node_set *set, const throng_lattice *lattice, throng_point a, throng_point b,
                              double pad);
void throng_node_set_clear(throng_node_set *set);

/* What walls meant to a node before they changed. */
typedef struct throng_node_before {
    float clear;
    uint8_t open, room;
    uint8_t mark; /* in the set of those concerned */
} throng_node_before;

/* Brings up to date what walls mean to the nodes, but not the marks of gaps, after some walls have gone
 * and others have come. The result is, bit for bit, that of a new lattice. Adds the nodes that this may
 * concern to a set, and returns what they were, in the order of the set; the caller releases it. */
throng_node_before *throng_lattice_mend(throng_lattice *lattice, const throng_walls *walls,
                                        const throng_changed_walls *changed, throng_node_set *concerned);

/* Marks the squares near a gap, which is used by somebody, closed for somebody, or both; those of a set
 * only, unless that is NULL. */
void throng_lattice_mark_gap(throng_lattice *lattice, const throng_gap *gap, bool used, bool closed,
                             const throng_node_set *only);
/* How far around a gap squares are marked, m. */
double throng_lattice_mark_pad(const throng_lattice *lattice);

/* Parts the neighbours that a line separates, in `open`; around the nodes of a set only, unless that is NULL. */
void throng_lattice_cut(const throng_lattice *lattice, uint8_t *open, throng_point a, throng_point b,
                        const throng_node_set *only);
/* How far from a line nodes may be that it parts from neighbours, m. */
double throng_lattice_cut_pad(const throng_lattice *lattice);

static inline throng_point throng_lattice_node(const throng_lattice *lattice, size_t node) {
    size_t columns = (size_t)lattice->columns;
    return (throng_point){lattice->origin_x + (double)(node % columns) * lattice->cell,
                          lattice->origin_y + (double)(node / columns) * lattice->cell};
}

/* The square a point lies in, and where in it (0..1). False beyond the lattice. */
static inline bool throng_lattice_square(const throng_lattice *lattice, throng_point at, size_t *node, double *u,
                                         double *v) {
    double c = (at.x - lattice->origin_x) * lattice->inverse_cell;
    double r = (at.y - lattice->origin_y) * lattice->inverse_cell;
    if (!(c >= 0 && r >= 0 && c < lattice->columns - 1 && r < lattice->rows - 1)) return false;
    int32_t column = (int32_t)c, row = (int32_t)r;
    *node = (size_t)row * (size_t)lattice->columns + (size_t)column;
    *u = c - column;
    *v = r - row;
    return true;
}

/* The columns of a row of nodes that lie within `pad` of a line, or a little more; false when none. */
bool throng_lattice_span(const throng_lattice *lattice, throng_point a, throng_point b, double pad, int32_t row,
                         int32_t *first, int32_t *last);

/* The rows of nodes within `pad` of a line. */
void throng_lattice_rows(const throng_lattice *lattice, throng_point a, throng_point b, double pad, int32_t *first,
                         int32_t *last);

#endif
