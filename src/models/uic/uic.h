/* uic.h: the insides of the model `uic`, shared by its files and their tests.
 *
 * A step is divided into sub-steps, so that nobody ordinary walks more than 0.14 d_min in one. In each of them
 *
 *     splat       people -> a staggered grid of cells: density, and velocity on the faces between cells
 *     project     v = psolve(limit(renorm(psolve(v~)))): no cell gets fuller than full            (eq. 19)
 *     advect      everybody takes on what pressure does, and the others' mean where it is full    (eq. 3)
 *     separate    pairs nearer than d_sep are moved apart, a few sweeps
 *
 * and walls have the last word. Densities are parts of a full cell: somebody of distance d takes sqrt(3) d^2 / (2
 * alpha) square metres (eq. 4), so people of several sizes can share a cell, and full is 1.
 *
 * The grid exists where people are, as tiles of 16 x 16 cells, each with a rim of one cell around it that repeats its
 * neighbours' cells or, while people are splatted, collects what belongs to them:
 *
 *     v(r+1,c)                    cell (r, c) of a tile has the faces u(r, c) at its west and v(r, c) at its south;
 *     +--------+                  those at its east and north belong to the next cell, in the rim at the border.
 *     |        |
 *   u(r,c)   u(r,c+1)             Pressure p >= 0 solves the complementarity problem (14)-(18), scaled so:
 *     |        |
 *     +--------+                  A_cc = t/h^2 sum_f e_f rho_f + eps,  A_cn = -t/h^2 e_f rho_f
 *     v(r,c)                      b_c = f_c - rho_c + t/h [flux out],  z = A p + b >= 0,  p z = 0
 *
 * with f the part of a cell that is free, e the part of a face that is open, t the sub-step and h the cell.
 *
 *     walkers.c       who takes part, and what is written
 *     tiles.c         which tiles there are
 *     line.c          who is in which, and where in it; spot.h
 *     shape.c         free parts of cells and open parts of faces, from the walls
 *     splat.c         people -> grid
 *     project.c       the problem, the renormalisation, what pressure does to velocities
 *     islands.c       tiles that touch each other, each solved for on its own
 *     multigrid.c     the solvers: multigrid,
 *     mprgp.c         conjugate gradients with bounds,
 *     relax.c         relaxation in two colours, by itself (psor) and within multigrid
 *     move.c          grid -> people
 *     separate.c      pairs
 *     wall_guard.c    nobody into a wall, and never through one
 *     model_step.c    puts these together
 *     *_kernel.h      built plain and for AVX2: footing (for splat and walk), splat, walk, hood (for pairs), pairs,
 *                     relax
 *
 * R. Narain, A. Golas, S. Curtis, M. C. Lin: Aggregate dynamics for dense crowd simulation. ACM Transactions on
 * Graphics 28(5), 2009, 122. Equations are those of this paper. */

#ifndef THRONG_UIC_H
#define THRONG_UIC_H

#include <throng/model.h>

#include "models/common.h"

enum { THRONG_UIC_MULTIGRID, THRONG_UIC_MPRGP, THRONG_UIC_PSOR }; /* words of `solver` */

enum {
    THRONG_UIC_TILE = 16,      /* cells along a side of a tile */
    THRONG_UIC_STRIDE = 18,    /* with the rim */
    THRONG_UIC_AREA = 18 * 19, /* numbers of a field, with a row to spare */
    THRONG_UIC_POINTS = 16,    /* that are looked at along a side of a cell, to see how walls divide it */
    THRONG_UIC_FINE = 4,       /* parts of a cell's side, to know how near walls are */
    THRONG_UIC_PARTS = 64,     /* parts along a side of a tile */
    THRONG_UIC_LEVELS = 14,    /* of the multigrid at most */
    THRONG_UIC_SMALL = 16,     /* sheets that one worker does at a time */
    THRONG_UIC_BINS_MOST = 8   /* bins along a side of a cell at most */
};

#define THRONG_UIC_COURANT        0.14 /* d_min that somebody ordinary walks in a sub-step at most */
#define THRONG_UIC_ORDINARY_SPEED 1.4  /* m/s */

typedef struct throng_uic_params {
    double d_min, alpha, cell, d_sep, sweeps;
    double incompressible, separation;
    double solver, tolerance, max_iterations, compliance;
} throng_uic_params;

/* A field of a tile: cell or face (r, c) is [throng_uic_at(r, c)], -1 <= r, c <= 16. */
typedef float throng_uic_field[THRONG_UIC_AREA];

static inline int throng_uic_at(int r, int c) { return (r + 1) * THRONG_UIC_STRIDE + c + 1; }

/* What is splatted on a face. */
typedef struct throng_uic_face {
    float mass;                   /* density of people */
    float momentum_x, momentum_y; /* times their velocity */
    float speed;                  /* times how fast they want to walk */
} throng_uic_face;

/* To which cell next door a point of a divided cell belongs. */
enum { THRONG_UIC_HERE, THRONG_UIC_WEST, THRONG_UIC_EAST, THRONG_UIC_SOUTH, THRONG_UIC_NORTH };
typedef struct throng_uic_lent {
    uint8_t to[THRONG_UIC_POINTS][THRONG_UIC_POINTS];
} throng_uic_lent;

typedef struct throng_uic_tile {
    int32_t column, row;   /* of tiles, from the origin */
    uint64_t shape;        /* a hash of the walls its free parts were made from; 0: none yet */
    bool plain;            /* all is open */
    bool far;              /* somebody may go so far in a step that walls beyond the tile matter */
    float body;            /* m, of the largest in it */
    int look;              /* bins beyond its own in which who pushes somebody may stand */
    throng_uic_lent *lent; /* of its divided cells */
    size_t lent_count, lent_capacity;
    uint16_t divided[THRONG_UIC_TILE * THRONG_UIC_TILE]; /* [cell] 1 + its number among them; 0: it is not */
    throng_uic_field free;                               /* [cell] free part; more than 1 with what is lent by others */
    throng_uic_field open_u, open_v;                     /* [face] open part; right in the rim at east and north, too */
    throng_uic_field pressure[2];                        /* [cell] of the two solves, m^2/s: kept from step to step */
    throng_uic_field density;                            /* [cell] */
    throng_uic_field foreign;                            /* [cell] density of people of other models */
    throng_uic_field walled;                             /* [cell] 1: it is divided */
    float clear[THRONG_UIC_PARTS * THRONG_UIC_PARTS];    /* m: no wall is nearer to any point of a part of a cell */
    throng_uic_field room;                               /* [cell] free part without them */
    throng_uic_field fill;                               /* [cell] how full it is, at most 1 */
    throng_uic_field u, v;                               /* [face] m/s */
    throng_uic_field u_next, v_next;
    throng_uic_field u_mean, v_mean;   /* [face] m/s, of the wishes there */
    throng_uic_field mass_u, mass_v;   /* [face] density */
    throng_uic_field speed_u, speed_v; /* [face] m/s, mean wanted */
    throng_uic_face splat_u[THRONG_UIC_AREA], splat_v[THRONG_UIC_AREA];
} throng_uic_tile;

/* A tile of a linear system on some level: A x + b. */
typedef struct throng_uic_sheet {
    uint32_t around[9]; /* positions of the 3 x 3 tiles around, from the south-west; [4] is itself; count: none */
    uint32_t parent;    /* position in the next level */
    int32_t column, row;
    throng_uic_field link_u, link_v; /* [face] t/h^2 e rho: A_cn = -link */
    throng_uic_field diagonal;       /* [cell] A_cc; inverse: 1 / A_cc, 0 where the cell takes no part */
    throng_uic_field inverse;
    throng_uic_field b, x;
    throng_uic_field residual; /* of free cells: -(A x + b) */
    throng_uic_field mask;     /* 1: the cell takes part in the correction, else 0 */
    float wrong;               /* how far x is from solving the problem, of a full cell */
    bool calm;                 /* x is 0 in all cells, and solves the problem there */
    bool quiet;                /* as it is in the sheets around: nothing changes here in a few sweeps */
} throng_uic_sheet;

typedef struct throng_uic_level {
    throng_uic_sheet *sheets; /* [count] and one of zeros */
    uint32_t *order;          /* island by island, and in each by rows, then columns */
    size_t count, capacity;
} throng_uic_level;

/* Tiles that touch each other, but none else. */
typedef struct throng_uic_island {
    int level_count;
    uint32_t begin[THRONG_UIC_LEVELS], end[THRONG_UIC_LEVELS]; /* in the order of each level */
    int iterations;                                            /* of the last solve */
    double residual;
} throng_uic_island;

typedef struct throng_uic throng_uic;

/* The sheets of an island on some level, and what is done to them. */
typedef struct throng_uic_patch {
    throng_uic *s;
    throng_uic_level *level, *coarse;
    const uint32_t *order; /* [count] */
    size_t count;
    float relaxation;
    bool projected;
    int colour;
} throng_uic_patch;

/* The parts of a step, as they are timed. */
typedef enum throng_uic_part {
    THRONG_UIC_TAKE, /* everybody from the columns, and back */
    THRONG_UIC_SORT,
    THRONG_UIC_SHAPE,
    THRONG_UIC_SPLAT,
    THRONG_UIC_SOLVE,
    THRONG_UIC_ADVECT,
    THRONG_UIC_SEPARATE,
    THRONG_UIC_PART_COUNT
} throng_uic_part;

/* What --stats tells. */
typedef struct throng_uic_counts {
    uint64_t steps, substeps, solves;
    uint64_t iterations, iterations_most, capped; /* of solves; how many ended unfinished */
    uint64_t active;                              /* cells under pressure in the last solve, summed over sub-steps */
    uint64_t tiles;                               /* summed over sub-steps */
    uint64_t guarded;                             /* ways cut short before walls */
    double residual, residual_most;               /* of a full cell */
    double fullest, fullest_now;                  /* density over capacity of any cell that is mostly free */
} throng_uic_counts;

/* By worker; maxima and counts only. */
typedef struct throng_uic_tally {
    bool foreign;               /* somebody is of another model */
    bool shuffled;              /* rows are not in order of id */
    float body, body_least;     /* m, the largest and the smallest */
    float radius, radius_least; /* m */
    double fullest;
    uint64_t active, guarded;
} throng_uic_tally;

/* A person's column: what is shown of the grid around it. */
typedef struct throng_uic_around {
    float density;  /* 1/m^2 */
    float pressure; /* m^2/s, of the second solve */
} throng_uic_around;

/* How far somebody has come in this step. m */
typedef struct throng_uic_way {
    float x, y;           /* from where it was at its beginning */
    float walk_x, walk_y; /* the part of it that was walked */
} throng_uic_way;

/* Somebody on its way into the line. */
typedef struct throng_uic_person {
    float x, y;           /* m from the low corner of its tile */
    float wish_x, wish_y; /* m/s; of those of other models, their velocity */
    float pace;           /* m/s, its top speed */
    float part;           /* of a full cell that it takes; < 0: it is of another model */
    float body;           /* m, d_min */
    uint32_t number;
} throng_uic_person;

/* Those of a tile and around it, as they push each other. */
typedef struct throng_uic_hood {
    float *x, *y, *half, *give; /* as those of the line, but seen from this tile */
    size_t capacity;
} throng_uic_hood;

typedef struct throng_uic_velocity {
    float x, y; /* m/s */
} throng_uic_velocity;

typedef struct throng_uic_kernel {
    /* Rows of the world that are people of this model where the columns have them: how many are in which tile, and at
     * which edges of it (false: somebody is where no tile is); then these in the line by tiles, each from next[tile]
     * on; and the people of a tile in the line by bins. */
    bool (*count)(const throng_uic *s, uint32_t begin, uint32_t end, uint32_t *tally, uint16_t *edges);
    void (*line_up)(throng_uic *s, uint32_t begin, uint32_t end, uint32_t *next);
    void (*sort)(throng_uic *s, size_t tile);
    /* One sweep of separation: x, y -> x_next, y_next, shift. Returns how many walls stopped. */
    uint64_t (*push)(throng_uic *s, size_t tile, int worker);
    uint64_t (*walk)(throng_uic *s, size_t tile); /* ways by the grid: x, y, shift; returns the same */
    void (*splat)(throng_uic *s, size_t tile);    /* people to the grid */
    void (*sweep)(throng_uic_sheet *sheet, int colour, float relaxation, bool projected);
    float (*rest)(throng_uic_sheet *sheet, bool projected);
} throng_uic_kernel;

extern const throng_uic_kernel throng_uic_plain;
extern const throng_uic_kernel throng_uic_avx2; /* only where throng_wide_supported() */

struct throng_uic {
    const throng_uic_kernel *kernel;

    /* Kept. */
    double cell;               /* m; 0: not known yet */
    double origin_x, origin_y; /* m, a corner of the cells */
    bool placed;               /* the origin is known */
    throng_uic_counts counts;

    throng_parts parts;
    bool told_slow;

    /* The step. */
    const throng_step *now;
    const throng_near *near; /* NULL: everybody is of this model, and nobody is seen twice */
    throng_uic_params law;   /* of the whole */
    size_t rows, count;      /* of people and things; with images */
    double t;                /* s, a sub-step */
    double t_end;            /* s, its end from the start of the step */
    int substeps;
    bool first_substep, last; /* it is the first or the last one */
    bool mixed;               /* somebody is of another model */
    bool shuffled;            /* rows are not in order of id */
    bool alike;               /* everybody is of this model and has the same d_min */
    bool fresh;               /* nobody has gone any way yet, and `ways` holds nothing */
    bool one_radius;          /* everybody has the same */
    float body_most;          /* m */
    float radius_most;        /* m */

    /* [number]: a row of the world, or, from `rows` on, an image */
    size_t capacity;
    throng_uic_way *ways;
    uint32_t *spot; /* its place in the line; only with images */

    /* [place in the line]: people by tile, row of bins, bin */
    throng_uic_person *lined; /* by tile alone: scratch of the sort */
    uint32_t *bin_of;         /* the same: row of bins << 16 | bin */
    uint32_t *order;          /* who of these comes at a place */
    uint32_t *who;            /* number */
    float *x, *y;             /* m from the low corner of its tile */
    float *x_next, *y_next;
    float *shift_x, *shift_y; /* m, its way in this sub-step */
    float *want_x, *want_y;   /* m/s, its wish; then what it walks in this sub-step, m */
    float *pace;              /* m/s, its top speed */
    float *part;              /* of a full cell that it takes; < 0: it is of another model */
    float *clear2;            /* m^2, where walls are near: a shorter way (squared) meets none */
    uint32_t *beside;         /* where walls are near: the only one, along which it may go, or THRONG_UIC_NO_WALL */
    float *half;              /* m, half the distance it wants from others */
    float *give;              /* of a gap, what others take: 1/2, or all if it is of another model */
    float *most;              /* m that it may be pushed; 0 if it is of another model */
    uint8_t *bin_column;      /* of its bin */

    /* Tiles, by position: in order of rows, then columns. */
    throng_uic_tile *pool; /* [0] is all zero: nowhere */
    size_t pool_count, pool_capacity;
    uint32_t *line;  /* [position] number in the pool; [tile_count] is 0 */
    uint32_t *spare; /* numbers that are free */
    size_t tile_count, line_capacity, spare_count, spare_capacity;
    throng_tile_table table;
    uint32_t stamp;        /* of the sub-step */
    size_t stamped;        /* tiles used in it */
    uint32_t *line_before; /* scratch */
    uint64_t *marks;       /* keys that are needed */
    size_t mark_count, mark_capacity;
    uint32_t *first;      /* [tile_count + 1] people of a tile in the line */
    uint32_t *tally_tile; /* [chunk][tile] scratch of the sort: how many; then where the next one goes */
    uint16_t *edge_tile;  /* [chunk][tile] bit e: somebody stands at the edges that e names, see tiles.c */
    size_t tally_capacity, edge_capacity;
    int bins;            /* along a side of a cell */
    uint32_t *bin_start; /* [tile][bins^2 256 + 1] place in the line */
    size_t bin_capacity;
    uint16_t
        *stirred[2]; /* [tile][row of bins] bit c: the last sweep moved somebody in column c of cells; and this one */
    size_t stirred_capacity[2];
    bool settled; /* who has moved nobody around it, nor itself, in the last sweep stays where it is */
    throng_uic_level levels[THRONG_UIC_LEVELS];
    int level_count;
    throng_uic_island *islands;
    size_t island_count, island_capacity;
    bool tiles_changed;

    throng_images images;      /* [number - rows] slot */
    throng_uic_tally *tallies; /* [worker] */
    throng_uic_hood *hoods;    /* [worker] scratch of the separation */
    size_t workers;

    uint64_t walls_hash; /* of the walls that shapes were made from */
    bool walls_changed;
    struct throng_uic_shaper *shaper;
    struct throng_uic_mprgp *mprgp; /* [sheet] scratch of that solver */
    size_t mprgp_capacity;
};

static inline throng_uic_tile *throng_uic_tile_at(const throng_uic *s, size_t position) {
    return &s->pool[s->line[position]];
}

/* walkers.c */
/* Takes everybody in, and says how many sub-steps there are to be. */
void throng_uic_begin(throng_uic *s, const throng_step *now);
void throng_uic_follow_images(throng_uic *s);

/* tiles.c */
#define THRONG_UIC_NOWHERE (UINT32_MAX - 1) /* from here on: no position of a tile */
uint32_t throng_uic_position(const throng_uic *s, int32_t column, int32_t row); /* of a tile */
/* For everybody in some tile, of whom `edges` tells in bits where they are in it (16 combinations of the four below):
 * it and what is within a cell of them must be there. */
enum { THRONG_UIC_AT_WEST = 1, THRONG_UIC_AT_EAST = 2, THRONG_UIC_AT_SOUTH = 4, THRONG_UIC_AT_NORTH = 8 };
void throng_uic_begin_needs(throng_uic *s);
void throng_uic_need_around(throng_uic *s, int32_t column, int32_t row, unsigned edges);
bool throng_uic_meet_needs(throng_uic *s); /* true: tiles have come or gone, and positions changed */
void throng_uic_forget_tiles(throng_uic *s);
/* Puts a tile among those of the last sub-step; only with tiles forgotten before, in order. */
throng_uic_tile *throng_uic_remember_tile(throng_uic *s, int32_t column, int32_t row);
void throng_uic_index_tiles(throng_uic *s);
void throng_uic_sort_keys(uint64_t *keys, size_t count);
void throng_uic_each_tile(throng_uic *s, throng_work work);
/* Fills the rim of a field from the tiles around. `offset` is that of the field in the tile. */
void throng_uic_fill_rim(throng_uic *s, size_t position, size_t offset);
void throng_uic_copy_rim(float *field, const float *const around[9]);

/* line.c */
void throng_uic_place_people(throng_uic *s); /* tiles, the line, bins */

/* shape.c */
void throng_uic_note_walls(throng_uic *s, const throng_walls *walls); /* whether they have changed */
void throng_uic_shape(throng_uic *s);
void throng_uic_release_shaper(throng_uic *s);

/* splat.c */
void throng_uic_splat(throng_uic *s);

/* project.c */
void throng_uic_project(throng_uic *s);

/* relax.c */
/* One sweep of both colours; projected: x >= 0; else where the mask says. */
void throng_uic_sweep(throng_uic_patch *patch, float relaxation, bool projected);
/* How far x is from solving the problem, of a full cell, on the finest level; writes residual and mask of free cells.
 */
double throng_uic_residual(throng_uic_patch *patch);
void throng_uic_pull(const throng_uic_level *level, size_t position, size_t offset); /* fills a rim */

/* The solvers: level 0 has A, b and a first x. They tell how many iterations it took, and the residual. */
void throng_uic_solve_multigrid(throng_uic *s, throng_uic_island *island);
void throng_uic_solve_psor(throng_uic *s, throng_uic_island *island);
void throng_uic_solve_mprgp(throng_uic *s, throng_uic_island *island);
void throng_uic_make_mprgp_room(throng_uic *s);
void throng_uic_coarsen(throng_uic *s); /* A on all levels, once in a sub-step */

/* islands.c */
void throng_uic_lay_levels(throng_uic *s); /* after tiles have changed */
void throng_uic_solve_islands(throng_uic *s);
/* Does something to the sheets of a patch: work gets it, and places in its order. */
void throng_uic_each_sheet(throng_uic_patch *patch, throng_work work);

static inline throng_uic_patch throng_uic_patch_of(throng_uic *s, const throng_uic_island *island, int n) {
    return (throng_uic_patch){.s = s,
                              .level = &s->levels[n],
                              .coarse = &s->levels[n + 1 < THRONG_UIC_LEVELS ? n + 1 : n],
                              .order = s->levels[n].order + island->begin[n],
                              .count = island->end[n] - island->begin[n]};
}

/* weights.h, one by one: somebody to the grid, and its way by the grid */
void throng_uic_splat_one(throng_uic *s, throng_uic_tile *tile, uint32_t place);
throng_uic_velocity throng_uic_walk_one(const throng_uic *s, const throng_uic_tile *tile, uint32_t place);

/* move.c, separate.c */
void throng_uic_advect(throng_uic *s);
void throng_uic_arrive(throng_uic *s);
void throng_uic_separate(throng_uic *s);
#define THRONG_UIC_TURN \
    0x1p-8F /* rad to the right of straight back that somebody is pushed by others: vortices agree */
/* Pushes somebody again who stands where somebody else does. */
void throng_uic_push_apart(throng_uic *s, size_t position, int row, uint32_t k);

/* wall_guard.c */
/* Leads a way from where somebody is in this sub-step out of walls, and shortens one that leads through a wall; true
 * when it did that. */
bool throng_uic_keep_off_walls(const throng_uic *s, uint32_t number, double *way_x, double *way_y);
/* The same for who are named by bits, from some place in the line on: shift, and with it x and y of these columns.
 * Returns how many were stopped. */
uint64_t throng_uic_keep_some_off_walls(throng_uic *s, uint32_t place, unsigned bits, float *x, float *y);
/* clear2 of somebody who may be near walls, and beside which it is. */
#define THRONG_UIC_NO_WALL UINT32_MAX
float throng_uic_look_for_walls(throng_uic *s, uint32_t place, bool far); /* far: of its tile */

void throng_uic_step(void *model, const throng_step *now);

/* Half the distance that somebody in the line wants from others. m */
static inline float throng_uic_half(const throng_uic *s, uint32_t place) {
    return s->alike ? 0.5F * (float)s->law.d_sep * s->body_most : s->half[place];
}

/* Half its d_min; 0 for those of other models. m */
static inline float throng_uic_half_body(const throng_uic *s, uint32_t place) {
    return s->alike ? 0.5F * s->body_most : s->most[place];
}

/* How much somebody is bound to the others where it is so full: where streams mix, their mean is nobody's velocity. */
static inline float throng_uic_bond(float fill) { return (fill * fill) * (fill * fill); }

/* Row of the world. */
static inline uint32_t throng_uic_row(const throng_uic *s, uint32_t number) {
    return number < s->rows ? number : s->near->row[s->images.slots[number - s->rows]];
}

/* Where somebody was at the beginning of the step. m */
static inline throng_point throng_uic_start(const throng_uic *s, uint32_t number) {
    if (number < s->rows) return (throng_point){s->now->people.x[number], s->now->people.y[number]};
    uint32_t slot = s->images.slots[number - s->rows];
    return (throng_point){s->near->x[slot], s->near->y[slot]};
}

/* Where somebody is now. m */
static inline throng_point throng_uic_here(const throng_uic *s, uint32_t number) {
    throng_point at = throng_uic_start(s, number);
    if (s->fresh) return at;
    return (throng_point){at.x + (double)s->ways[number].x, at.y + (double)s->ways[number].y};
}

#endif
