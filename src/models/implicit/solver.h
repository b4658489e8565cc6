/* solver.h: what the solvers of `implicit` work on, and what each file of them does.
 *
 *     part                      written by
 *     throng_implicit_walls     wall_lists.c
 *     throng_implicit_rows      neighbour_lists.c, room by workspace.c
 *     throng_implicit_motion    feasible.c, block_descent.c, newton.c, lbfgs.c
 *     throng_implicit_slopes    objective.c, with pair_assembly_kernel.h
 *     throng_implicit_search    newton.c, step_limits.c; verify.c afterwards
 *     throng_implicit_active    workspace.c; its sums by pair_assembly_kernel.h and objective.c
 *     throng_implicit_colors    block_descent.c
 *     throng_implicit_pass      who starts a pass over blocks or chunks
 *     throng_implicit_kernel    kernel.c, kernel_avx2.c
 *
 * Results are the same for any number of threads: sums over people are made in blocks of fixed size, and what pairs
 * exert on people is summed up in a few chunks of blocks, each by one worker with sums of its own for everybody
 * concerned, which are then added in the order of chunks. So a pair is evaluated once, and nothing of it is stored. */

#ifndef THRONG_IMPLICIT_SOLVER_H
#define THRONG_IMPLICIT_SOLVER_H

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "models/implicit/walkers.h"
#include "space/horizon.h"

enum { THRONG_IMPLICIT_BLOCK = 16 };   /* own walkers whose sums are made together */
enum { THRONG_IMPLICIT_COLORS = 256 }; /* of people who take turns, at most */
enum { THRONG_IMPLICIT_WALLS = 24 };   /* the nearest walls that are looked at, beyond a step's reach */

/* The walls that everybody looks at, and what they hide. */
typedef struct throng_implicit_walls {
    /* [slot] */
    size_t capacity;
    double *gap;                         /* m, to the nearest wall at the start */
    uint8_t *in_wall;                    /* overlaps a wall at the start */
    uint32_t *begin, *count;             /* in `pieces` */
    uint32_t *touch_count;               /* those of them that it can touch in this step: the first, nearest first */
    uint32_t *front_count;               /* the first of them, all that can matter unless its velocity changes much */
    uint32_t *ahead_count, *close_count; /* in `ahead` and `close`, from `begin` on */
    uint32_t *numbers;                   /* [slot][THRONG_IMPLICIT_WALLS] which walls they are */
    throng_horizon *horizon;             /* [slot] what walls hide from it */
    size_t numbers_capacity, horizon_capacity;
    bool sees_all; /* walls hide nothing, or there are none */

    throng_wall_piece *pieces; /* the walls of everybody, in `piece_room` */
    throng_wall_piece *piece_room;
    uint32_t *ahead, *close; /* which of one's own may be met, and may repel, while velocities are trusted */
    size_t total, piece_capacity;
    throng_wall_near *found; /* [worker][found_each] scratch */
    size_t found_each, found_workers;
} throng_implicit_walls;

/* Who may matter to whom in a step. Slots are looked at four at a time, in quads: the slots 4 n .. 4 n + 3. An own
 * walker's row are the quads with anybody who may matter to it in this step, ascending. A pair of own walkers is in the
 * rows of both, and is judged alike in both: whatever decides is the same, to the last bit, seen from either side. */
typedef struct throng_implicit_rows {
    uint32_t *begin, *end; /* [slot] of an own walker, into the arrays below */
    uint32_t *middle;      /* [slot] its own quad, or where it would be */
    uint32_t *quad;        /* n << 8 | which are hidden by walls << 4 | which of the four may matter */
    uint8_t *matter;       /* which can matter while nobody's velocity leaves its trust region: far ones << 4 | close
                              ones, which may come as near as the repulsion reaches */
    bool whole;            /* they have also those with lower slots who cannot come close: only sweeps ask */
    size_t capacity;
    atomic_size_t used;
    atomic_size_t longest; /* row */
} throng_implicit_rows;

enum { THRONG_QUAD_BITS = 24, THRONG_LANES = 15 };

/* The slot that the lowest of some lanes of a quad stands for. */
static inline uint32_t throng_implicit_slot(uint32_t quad, unsigned lanes) {
    return (quad >> 8 << 2) + (uint32_t)__builtin_ctz(lanes);
}

/* The first quad of a row, from q on, in which somebody can matter, or somebody close, or else the row's end. Few do,
 * so eight are looked at at once; there is always room to read on. */
enum { THRONG_ANYBODY = 0xFF, THRONG_CLOSE = 0xF, THRONG_FAR = 0xF0 };
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte is the lowest");
static inline uint32_t throng_implicit_next(const throng_implicit_rows *r, uint32_t slot, uint32_t q, int whom) {
    uint32_t end = r->end[slot];
    for (; q < end; q += 8) {
        uint64_t eight;
        memcpy(&eight, r->matter + q, sizeof eight);
        eight &= (uint64_t)whom * 0x0101010101010101;
        if (eight == 0) continue;
        q += (uint32_t)__builtin_ctzll(eight) >> 3;
        return q < end ? q : end;
    }
    return end;
}

/* Which of the 32 quads of a row from q on have somebody close (THRONG_CLOSE) or far (THRONG_FAR) who can matter, as
 * bits. */
static inline uint32_t throng_implicit_quads(const throng_implicit_rows *r, uint32_t slot, uint32_t q, int whom) {
    const uint64_t ones = 0x0101010101010101, low = 0x7F * ones;
    uint32_t bits = 0, count = r->end[slot] - q;
    for (unsigned n = 0; n < 32 && n < count; n += 8) {
        uint64_t eight;
        memcpy(&eight, r->matter + q + n, sizeof eight);
        eight &= (uint64_t)whom * ones;
        eight = (((eight & low) + low) | eight) >> 7 & ones; /* 1 in every byte that was not 0 */
        bits |= (uint32_t)(eight * 0x0102040810204080 >> 56) << n;
    }
    return count < 32 ? bits & ((1u << count) - 1) : bits;
}

/* Velocities, by slot; given for foreign walkers. */
typedef struct throng_implicit_motion {
    double *vx, *vy;           /* m/s */
    double *trial_x, *trial_y; /* m/s: to be tried */
    double *ref_x, *ref_y;     /* m/s: the centre of the trust region */
    double *trust;             /* m/s: its radius */
    uint8_t *squeezed;         /* a foreign walker runs into it, whatever it does */
    uint8_t *dirty;            /* is looked at again */
} throng_implicit_motion;

/* Slopes and curvatures of g, by slot. */
typedef struct throng_implicit_slopes {
    double *gx, *gy;                                                /* gradient */
    double *before_gx, *before_gy;                                  /* the gradient kept during trials */
    double *hxx, *hxy, *hyy;                                        /* the walker's own block of the Hessian */
    double *ixx, *ixy, *iyy;                                        /* its inverse */
    double *own_xx, *own_xy, *own_yy, *kept_xx, *kept_xy, *kept_yy; /* the Hessian of its own term, now and kept */
} throng_implicit_slopes;

/* Newton's step, by slot, and how the search for it goes. */
typedef struct throng_implicit_search {
    double *step_x, *step_y;                       /* m/s: the step, or any direction */
    double *scale;                                 /* of the step */
    double *rx, *ry, *zx, *zy, *dx, *dy, *qx, *qy; /* of the conjugate gradients */
    int cautious;          /* so many more steps are found with Hessians of earlier ones in mind */
    double regularisation; /* what close pairs get in the Hessian beside their own, of what it could be at most */
    double stretch;        /* the share of a step that is tried first */
} throng_implicit_search;

/* Those who may come close, and those who can only be met later. */
enum { THRONG_IMPLICIT_CLOSE, THRONG_IMPLICIT_FAR, THRONG_IMPLICIT_KINDS };

/* Off-diagonal blocks of the Hessian: shares of pairs of one kind that couple two walkers, 2 x 2, with respect to the
 * velocity of one relative to the other. Only those that are large enough to count are here, in order of `one` and
 * `other`. */
typedef struct throng_implicit_offdiagonals {
    uint32_t *one, *other; /* slots; the other may be an image */
    double *xx, *xy, *yy;  /* 1/s */
    size_t count, capacity;
} throng_implicit_offdiagonals;

/* People who can matter to each other in this step, and to nobody else (a connected component of the lists): they are
 * solved for on their own, so that nothing depends on strangers. The rank of a walker is its number in `who`. */
typedef struct throng_implicit_island {
    const uint32_t *who;    /* slots, ascending */
    const uint32_t *images; /* slots of their images */
    size_t count, image_count;
} throng_implicit_island;

enum { THRONG_IMPLICIT_SMALL = 64 }; /* people of an island that one worker solves for alone, as one chunk */

/* Blocks of walkers whose pairs are summed up by one worker, and those who get something from them. */
enum { THRONG_IMPLICIT_CHUNKS = 8, THRONG_IMPLICIT_SUMS = 5 };
typedef struct throng_implicit_chunk {
    size_t begin, end;  /* blocks */
    uint32_t low, high; /* ranks low .. high - 1 */
    size_t at;          /* in `sums`: some numbers for each of them */
    throng_implicit_offdiagonals offdiagonals[THRONG_IMPLICIT_KINDS], kept[THRONG_IMPLICIT_KINDS]; /* now, and before */
} throng_implicit_chunk;

/* Who is decided for at the moment: everybody of an island, or those who are not settled yet; in blocks and chunks. */
typedef struct throng_implicit_active {
    const uint32_t *who; /* slots, ascending */
    size_t count, block_count;
    uint32_t *awake;  /* those who are not settled */
    bool all_decided; /* there is nobody else */
    uint8_t *decided; /* [slot] is decided for at the moment */
    uint8_t *stirred; /* [quad] lanes of those who are dirty */
    throng_implicit_chunk chunks[THRONG_IMPLICIT_CHUNKS];
    size_t chunk_count, sum_capacity;
    double *sums;      /* of chunks */
    double *block_sum; /* [4][block] partial sums */
    throng_implicit_offdiagonals pool[THRONG_IMPLICIT_KINDS], kept_pool[THRONG_IMPLICIT_KINDS]; /* chunks have parts */
    size_t chunk_room[THRONG_IMPLICIT_KINDS][THRONG_IMPLICIT_CHUNKS]; /* blocks that a chunk has room for */
} throng_implicit_active;

/* People without a common pair have the same colour. */
typedef struct throng_implicit_colors {
    uint8_t *of;     /* [slot] */
    uint32_t *order; /* slots by colour */
    uint32_t begin[THRONG_IMPLICIT_COLORS + 1];
    size_t count;
} throng_implicit_colors;

/* What a pass over blocks or chunks is told. */
typedef struct throng_implicit_pass {
    int order;
    const double *x, *y;
    double factor;
    bool everything, only_dirty; /* everything counts; only those who are dirty are looked at */
    bool thorough;               /* see block_descent.c */
} throng_implicit_pass;

/* Pairs of one kind that have to be computed. */
enum { THRONG_IMPLICIT_BATCH = 128 }; /* so many are computed at the latest, but for those of the last row */
typedef struct throng_implicit_batch {
    uint32_t *one, *other;         /* slots */
    double *qx, *qy, *r, *wx, *wy; /* see energy.h */
    uint32_t *live;                /* numbers of those who may have a time to collision */
    throng_pair_terms ttc;         /* and what it says */
    size_t count;
} throng_implicit_batch;

/* The room a worker has. */
typedef struct throng_implicit_scratch {
    bool overlapping; /* it has met a pair that overlaps at the start of the step */
    uint32_t *found;  /* [row_room] the quads of a row */
    throng_implicit_batch batch[THRONG_IMPLICIT_KINDS];
} throng_implicit_scratch;

/* What is counted over a run. */
typedef struct throng_implicit_counts {
    uint64_t steps, iterations, iterations_most, inner, evaluations, capped, fallbacks, standstills, squeezed,
        violations;
    double objective;               /* g at the end of the last step, m^2/s^3 */
    double residual, residual_most; /* m/s^2: the largest gradient of anybody, at the last step and ever */
    double gap_least;               /* m, on the continuous motion; infinite before anybody was near */
} throng_implicit_counts;

/* What is computed four at a time: built twice, by kernel.c and kernel_avx2.c, with the same bits. */
typedef struct throng_implicit_kernel {
    throng_work find, judge;          /* neighbour_lists_kernel.h, of blocks: rows, and who of them can matter */
    throng_work put_in_front, glance; /* wall_lists_kernel.h, of blocks: the same of walls */
    /* pair_assembly_kernel.h, of chunks: the energies of pairs go to part 2, slopes (2) and curvatures (3) to the
     * chunks' sums, and with order 2 off-diagonal blocks to `offdiagonals`; what those take from products with the
     * Hessian */
    throng_work evaluate, multiply;
    throng_work shorten; /* step_limits_kernel.h, of blocks */
    /* energy_pairs_kernel.h: some shares of one pair, each made positive semi-definite by itself */
    throng_term (*pair_term)(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                             int kinds, int order);
    /* energy_walls_kernel.h: for each of some walkers the soonest collision with any piece, and the repulsion of the
     * nearest within the step. A wall that it overlaps at the start counts with throng_effective_radius. */
    void (*wall_terms)(const throng_implicit_law *law, const throng_walled *walkers, size_t count, int order,
                       throng_term *terms);
} throng_implicit_kernel;
extern const throng_implicit_kernel throng_implicit_plain,
    throng_implicit_avx2; /* only where throng_wide_supported() */

typedef struct throng_implicit_solver {
    const throng_implicit_kernel *kernel;
    const throng_implicit_walkers *walkers;
    throng_implicit_walls *walls;
    throng_implicit_counts *counts;
    throng_crew *crew;             /* NULL: works alone */
    throng_implicit_island island; /* whom it solves for */
    const uint32_t *rank;          /* [slot], images have their originals' */
    bool alone;                    /* there is no other island */
    size_t capacity;               /* slots that columns have room for */
    throng_implicit_motion motion;
    throng_implicit_slopes slopes;
    throng_implicit_search search;
    throng_implicit_active active;
    throng_implicit_colors colors;
    throng_implicit_pass pass;

    throng_implicit_rows rows;
    throng_implicit_rows other_rows; /* of everybody while there are rows of some, else room for those */
    bool some_rows;
    bool ask_whole;                   /* somebody asked for that in the last step */
    throng_implicit_scratch *scratch; /* [worker] */
    size_t workers, row_room;         /* quads */
    double *memory;                   /* of lbfgs.c, as one array */
    size_t memory_capacity;
} throng_implicit_solver;

static inline void throng_implicit_swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

/* --- wall_lists.c */
void throng_implicit_release_walls(throng_implicit_walls *walls);
/* Finds the walls of those decided for, and unless everybody `sees_all`, what they hide. */
void throng_implicit_find_walls(throng_implicit_solver *s, bool sees_all);
/* How everybody sees its walls in this step. */
void throng_implicit_see_walls(throng_implicit_solver *s);
/* Lists those of them that can matter while the walkers' velocities stay in their trust regions. */
void throng_implicit_glance_at_walls(throng_implicit_solver *s);

/* m/s: walls that cannot matter while a velocity changes by less are not looked at before it does. */
#define THRONG_IMPLICIT_WIDE_TRUST 0.2

/* Which pieces of blocks a worker takes at a time, by how much there is to do for each person. */
enum { THRONG_GRAIN_PAIRS = 2, THRONG_GRAIN_PRODUCTS = 8, THRONG_GRAIN_NUMBERS = 16 };
void throng_implicit_each(const throng_implicit_solver *s, size_t count, size_t grain, throng_work work);
void throng_implicit_each_block(throng_implicit_solver *s, size_t grain, throng_work work);

/* The walkers of a block are who[block * THRONG_IMPLICIT_BLOCK] .. who[end - 1]. */
static inline size_t throng_implicit_block_end(const throng_implicit_solver *s, size_t block) {
    size_t end = (block + 1) * THRONG_IMPLICIT_BLOCK;
    return end < s->active.count ? end : s->active.count;
}

/* The sum of the blocks' parts, in order; `part` is 0 to 3. */
double throng_implicit_sum(const throng_implicit_solver *s, int part);
static inline double *throng_implicit_part(throng_implicit_solver *s, int part) {
    return s->active.block_sum + (size_t)part * s->active.block_count;
}

/* --- workspace.c */
/* Makes room, and begins with everybody's old velocities. False: lists have to be made anew. */
bool throng_implicit_begin_solver(throng_implicit_solver *s);
void throng_implicit_release_solver(throng_implicit_solver *s);
/* Puts a worker's found quads away as the row of a walker. */
void throng_implicit_put_row(throng_implicit_solver *s, uint32_t slot, const uint32_t *found, size_t count);
/* Whether all rows had room; else there is more now, and all have to be put again. */
bool throng_implicit_rows_fit(throng_implicit_solver *s);
void throng_implicit_widen_rows(throng_implicit_rows *rows, size_t capacity);
bool throng_implicit_widen_scratch(throng_implicit_solver *s, size_t longest);
void throng_implicit_widen_pool(throng_implicit_offdiagonals *pool, size_t capacity);
void throng_implicit_release_rows(const throng_implicit_rows *rows);
void throng_implicit_release_pools(throng_implicit_offdiagonals pools[THRONG_IMPLICIT_KINDS]);
/* Shares the pools out to the chunks. */
void throng_implicit_share_offdiagonals(throng_implicit_solver *s);
/* Whether all offdiagonals had room; else there is more now, and all have to be found again. */
bool throng_implicit_offdiagonals_fit(throng_implicit_solver *s);

/* --- active_set.c */

/* Whether any two of those looked at overlap at the start of the step. */
static inline bool throng_implicit_is_overlapping(const throng_implicit_solver *s) {
    bool any = false;
    for (size_t w = 0; w < s->workers; w++) any = any || s->scratch[w].overlapping;
    return any;
}

/* Goes on with the rows of some after those of everybody, or the other way round. */
void throng_implicit_swap_rows(throng_implicit_solver *s);
/* Lets passes go over some, whoever is decided for. */
void throng_implicit_look_at(throng_implicit_solver *s, const uint32_t *who, size_t count);
/* Decides for everybody of the island. */
void throng_implicit_take_all(throng_implicit_solver *s);
/* Decides only for those marked `dirty`, while the others keep their velocities, and lists those who matter to them.
 * The rows of the others are not asked for in what is left of the step. */
void throng_implicit_take_some(throng_implicit_solver *s);
/* The chunk's sums for a walker, `width` numbers. */
static inline double *throng_implicit_sums(const throng_implicit_solver *s, const throng_implicit_chunk *c,
                                           uint32_t rank, size_t width) {
    return s->active.sums + c->at + (size_t)(rank - c->low) * width;
}
/* Begins the sums of a chunk. */
void throng_implicit_clear_sums(const throng_implicit_solver *s, const throng_implicit_chunk *chunk, size_t width);
/* What all chunks have for a walker. */
static inline void throng_implicit_gather(const throng_implicit_solver *s, uint32_t rank, size_t width, double *sum) {
    for (size_t n = 0; n < width; n++) sum[n] = 0;
    for (size_t c = 0; c < s->active.chunk_count && s->active.chunks[c].low <= rank; c++) {
        if (rank >= s->active.chunks[c].high) continue;
        const double *part = throng_implicit_sums(s, &s->active.chunks[c], rank, width);
        for (size_t n = 0; n < width; n++) sum[n] += part[n];
    }
}
/* Lets images have what their originals have. */
void throng_implicit_mirror(const throng_implicit_solver *s, double *column);

/* --- neighbour_lists.c */

/* Finds everybody who may matter to somebody in this step. */
void throng_implicit_find_neighbours(throng_implicit_solver *s);
/* Makes rows whole. */
void throng_implicit_complete_rows(throng_implicit_solver *s);
/* Finds those of them who matter while everybody stays within `trust` of the velocities now, which become the
 * reference. With `everything` nobody is left out who is near enough. */
void throng_implicit_list_around(throng_implicit_solver *s, bool everything);

/* The same again only for those marked `dirty`, around their velocities now; the others keep what they are trusted
 * with. */
void throng_implicit_list_dirty(throng_implicit_solver *s);

/* The same for those who are decided for at the moment only, with rows of their own, which are whole. */
void throng_implicit_list_some(throng_implicit_solver *s);

/* How a pair stands at the start of the step: q = x_j - x_i, and the sum of radii that counts. True when they overlap
 * (then r is less than `radii`). */
static inline bool throng_implicit_pair(const throng_implicit_solver *s, uint32_t i, uint32_t seen, double *qx,
                                        double *qy, double *r);
/* The rare cases of it. */
bool throng_implicit_tight_pair(const throng_implicit_solver *s, uint32_t i, uint32_t seen, double *qx, double *qy,
                                double *r);

static inline bool throng_implicit_pair(const throng_implicit_solver *s, uint32_t i, uint32_t seen, double *qx,
                                        double *qy, double *r) {
    const throng_near *near = s->walkers->near;
    *qx = near->x[seen] - near->x[i];
    *qy = near->y[seen] - near->y[i];
    *r = near->radius[i] + near->radius[seen];
    if (*qx * *qx + *qy * *qy > *r * *r && !s->motion.squeezed[i]) return false;
    return throng_implicit_tight_pair(s, i, seen, qx, qy, r);
}

/* --- objective.c */

/* The own shares of g of some walkers, at most of a block; velocities and terms are by number in `slots`. */
void throng_implicit_own_terms(const throng_implicit_solver *s, const uint32_t *slots, size_t count, const double *vx,
                               const double *vy, int order, throng_term *terms);
/* g at some velocities; with order 1 or more the gradient, with 2 the Hessian as well. Images get the velocities of
 * their originals. */
double throng_implicit_evaluate(throng_implicit_solver *s, double *vx, double *vy, int order);
/* Keeps the Hessians of own terms and the offdiagonals, until the next evaluation but one. */
void throng_implicit_keep_hessian(throng_implicit_solver *s);
/* Takes of each pair's and walker's Hessian, now and kept, the larger one, the kept one times `share`. */
void throng_implicit_merge_hessian(throng_implicit_solver *s, double share);
/* q = Hessian d for the walkers of all blocks; part 0 gets d q. */
void throng_implicit_multiply(throng_implicit_solver *s);
/* The largest gradient of anybody, by the last evaluation. */
double throng_implicit_residual(throng_implicit_solver *s);
/* Whether velocities are within everybody's trust region. */
bool throng_implicit_is_trusted(const throng_implicit_solver *s, const double *vx, const double *vy);

/* --- feasible.c */

/* Changes the velocities as little as it can so that g becomes finite, and lists pairs around them. Returns g. */
double throng_implicit_make_feasible(throng_implicit_solver *s);
/* Lets everybody stand, as the paper begins, and lists all pairs. Returns g. */
double throng_implicit_stand(throng_implicit_solver *s);
/* Lists pairs around velocities where g is finite. Returns g. */
double throng_implicit_trust_a_little(throng_implicit_solver *s);
/* Lists all pairs, whatever velocities are tried from now on. Returns g. */
double throng_implicit_trust_wholly(throng_implicit_solver *s);

/* --- block_descent.c */

/* Everybody in turn improves its own velocity, `rounds` times. Velocities stay feasible and trusted. With `thorough`
 * other ways are tried where the slope leads nowhere. */
void throng_implicit_descend(throng_implicit_solver *s, int rounds, bool thorough);

/* --- step_limits.c */

/* Shortens everybody's step to what it may take. */
void throng_implicit_limit_step(throng_implicit_solver *s);

#define THRONG_GAP_SHARE 0.8 /* of a gap, that a step may take */
/* What a walker's walls and its greatest speed leave of its step. */
double throng_implicit_own_share(const throng_implicit_solver *s, uint32_t slot);

/* --- the solvers: from velocities with finite g to better ones. They count, and return g. */
double throng_implicit_first_regularisation(double dt); /* what `regularisation` begins with */
double throng_implicit_newton(throng_implicit_solver *s, double value, const throng_implicit_params *params);
enum { THRONG_LBFGS_STEPS = 5, THRONG_LBFGS_NUMBERS = 4 * THRONG_LBFGS_STEPS + 2 }; /* per person */
double throng_implicit_lbfgs(throng_implicit_solver *s, double value, const throng_implicit_params *params);

/* --- verify.c */

/* Writes where everybody is next. Whoever would touch something, by rounding, stays; counts and measures. */
void throng_implicit_finish(throng_implicit_solver *s);

#endif
