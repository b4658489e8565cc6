/* implicit.h: the insides of the model `implicit`, shared by its files and their tests.
 *
 * A step looks for everybody's velocities at once: those that minimise
 *
 *     g(v) = sum_i |v_i - old_i|^2 / (2 dt) + xi/2 |v_i - goal_i|^2 - push_i v_i + cap(v_i) + walls(v_i)
 *          + sum_pairs  time to collision + repulsion                      (energy.h)
 *
 * Where g is finite nobody touches anybody or anything within the step, and nobody is faster than its limit. All that
 * a solver does is to go from one point of finite g to the next; so it may stop at any time.
 *
 *     walkers.c    who takes part, with what limit;  wishes.c  and with what wish
 *     frame.c      whether the lists of earlier steps still serve
 *     wall_lists.c among which walls
 *     scan.c       who can matter to whom;  lists.c  room for that
 *     objective.c  g with gradient and Hessian; products with the Hessian
 *     feasible.c   from any velocities to some where g is finite
 *     sweep.c      person by person downhill
 *     newton.c     the solver of choice;  limits.c  how far its steps go;  lbfgs.c  the solver of the paper
 *     verify.c     looks at what came out, on its own
 *
 * Walkers are numbered by their slots in the cell grid. Results are the same for any number of threads: sums over
 * people are made in blocks of fixed size, and what pairs exert on people is summed up in a few chunks of blocks, each
 * by one worker with sums of its own for everybody concerned, which are then added in the order of chunks. So a pair is
 * evaluated once, and nothing of it need be stored. */

#ifndef THRONG_IMPLICIT_H
#define THRONG_IMPLICIT_H

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <throng/model.h>

#include "models/implicit/energy.h"
#include "space/horizon.h"
#include "space/near.h"

enum { THRONG_IMPLICIT_R10, THRONG_IMPLICIT_PAPER };       /* words of `repulsion` */
enum { THRONG_IMPLICIT_NEWTON, THRONG_IMPLICIT_LBFGS };    /* words of `solver` */
enum { THRONG_IMPLICIT_IGNORED, THRONG_IMPLICIT_AVOIDED }; /* words of `hidden` */
enum { THRONG_IMPLICIT_BLOCK = 16 };                       /* own walkers whose sums are made together */
enum { THRONG_IMPLICIT_COLORS = 256 };                     /* of people who take turns, at most */
enum { THRONG_IMPLICIT_WALLS = 24 }; /* the nearest walls that are looked at, beyond a step's reach */

typedef struct throng_implicit_params {
    double k, p, tau0, epsilon; /* time to collision */
    double eta;                 /* m^3/s^2, repulsion */
    double xi;                  /* 1/s, how strongly the desired velocity is wished for */
    double neighbour_dist;      /* m */
    double symmetry_angle;      /* rad */
    double yielding, sidestep;  /* of the wish, in a jam that has come to a stop */
    double hidden, repulsion, solver;
    double max_iterations, tolerance;
} throng_implicit_params;

/* Somebody when lists were made. */
typedef struct throng_implicit_member {
    throng_agent id;
    double x, y;        /* m */
    double radius, cap; /* m, m/s */
} throng_implicit_member;

/* Where everybody was when lists were made that serve for several steps, and what they were made with. Lists follow
 * from this alone, so it is all that has to be kept; frame.c tells more. */
typedef struct throng_implicit_frame {
    throng_implicit_member *members; /* in order of rows then */
    size_t count, capacity;
    double dt, neighbour_dist, hidden;
    uint64_t walls; /* a number for all of them */

    /* What follows from it. */
    bool listed;            /* the lists are there */
    double slack;           /* m: how far anybody may be from where it was */
    throng_near_grid *grid; /* of members, where they were */
    const throng_near *then;
    throng_near near;        /* the same slots, with everybody where it is now */
    double *x, *y, *vx, *vy; /* [slot] */
    uint32_t *row;           /* [slot] now */
    uint32_t *row_of;        /* [member] now, or UINT32_MAX: has left */
    uint32_t *mine;          /* slots of those who are there */
    size_t mine_count, room;
} throng_implicit_frame;

/* Who may matter to whom. Slots are looked at four at a time, in quads: the slots 4 n .. 4 n + 3. An own walker's row
 * are the quads with anybody who may matter to it in this step, ascending. A pair of own walkers is in the rows of
 * both, and is judged alike in both: whatever decides is the same, to the last bit, seen from either side. */
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

/* Those who may come close, and those who can only be met later. */
enum { THRONG_IMPLICIT_CLOSE, THRONG_IMPLICIT_FAR, THRONG_IMPLICIT_KINDS };

/* Shares of pairs of one kind in the Hessian that tie two walkers together: 2 x 2 blocks, with respect to the velocity
 * of one relative to the other. Only those that are large enough to count are here, in order of `one` and `other`. */
typedef struct throng_implicit_ties {
    uint32_t *one, *other; /* slots; the other may be an image */
    double *xx, *xy, *yy;  /* 1/s */
    size_t count, capacity;
} throng_implicit_ties;

/* Blocks of walkers whose pairs are summed up by one worker, and those who get something from them. */
enum { THRONG_IMPLICIT_CHUNKS = 8, THRONG_IMPLICIT_SUMS = 5 };
typedef struct throng_implicit_chunk {
    size_t begin, end;  /* blocks */
    uint32_t low, high; /* slots low .. high - 1 */
    size_t at;          /* in `sums`: some numbers for each of them */
    throng_implicit_ties ties[THRONG_IMPLICIT_KINDS], kept[THRONG_IMPLICIT_KINDS]; /* now, and from before */
} throng_implicit_chunk;

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

typedef struct throng_implicit {
    throng_implicit_counts counts;
    bool told_slow; /* that large steps slow the flow */
    size_t workers;

    /* The step. */
    const throng_step *now;
    const throng_near *near;
    const uint32_t *mine; /* slots of own walkers, ascending */
    size_t mine_count;
    size_t gone; /* slots of people who have left since lists were made: far away from everybody */
    throng_implicit_law law;
    double neighbour_dist;         /* m */
    double strike_most;            /* m, of anybody */
    double slack;                  /* m: how far anybody may be from where it was when lists were made */
    const double *then_x, *then_y; /* [slot] m, where that was */
    uint64_t walls_number;         /* a number for all walls, another one when they change */
    throng_implicit_frame frame;
    double tie_least; /* 1/s: pairs whose Hessian has a lesser trace tie nobody */

    /* [slot] */
    size_t capacity;
    double *vx, *vy;                                                /* m/s: the velocities; given for foreign walkers */
    double *trial_x, *trial_y;                                      /* m/s: velocities to be tried */
    double *old_x, *old_y;                                          /* m/s, before the step */
    double *goal_x, *goal_y;                                        /* m/s, what is wished for, see wishes.c */
    double *xi;                                                     /* 1/s */
    double *push_x, *push_y;                                        /* m/s^2, the outside force */
    double *cap;                                                    /* m/s: nobody is faster */
    double *ref_x, *ref_y;                                          /* m/s: the centre of the trust region */
    double *trust;                                                  /* m/s: its radius */
    double *strike;                                                 /* m: two within both theirs may come close */
    double *gx, *gy;                                                /* gradient */
    double *hxx, *hxy, *hyy;                                        /* the walker's own block of the Hessian */
    double *ixx, *ixy, *iyy;                                        /* its inverse */
    double *step_x, *step_y;                                        /* m/s: Newton's step, or any direction */
    double *rx, *ry, *zx, *zy, *dx, *dy, *qx, *qy;                  /* of the conjugate gradients */
    double *scale;                                                  /* of the step */
    double *before_gx, *before_gy;                                  /* the gradient kept during trials */
    double *wall_gap;                                               /* m, to the nearest wall at the start */
    double *own_xx, *own_xy, *own_yy, *kept_xx, *kept_xy, *kept_yy; /* the Hessian of its own term, now and kept */
    uint32_t *self;                                                 /* the slot of the person itself, for images */
    uint8_t *own;                                                   /* decides here */
    uint8_t *decided;                                               /* is decided for at the moment */
    uint8_t *squeezed; /* a foreign walker runs into it, whatever it does */
    uint8_t *in_wall;  /* overlaps a wall at the start */
    uint8_t *dirty;
    uint8_t *stirred; /* [quad] lanes of those who are dirty */
    uint8_t *color;   /* of sweeps */
    uint32_t *by_color;
    uint32_t *wall_begin, *wall_count;   /* in `pieces` */
    uint32_t *wall_strike_count;         /* those of them that it can touch in this step: the first, nearest first */
    uint32_t *front_count;               /* the first of them, all that can matter unless its velocity changes much */
    uint32_t *ahead_count, *close_count; /* in `ahead` and `close`, from wall_begin on */
    uint32_t *wall_numbers;              /* [slot][THRONG_IMPLICIT_WALLS] while they are found */

    throng_horizon *horizon; /* [slot] what walls hide from it */
    size_t horizon_capacity;
    bool sees_all; /* walls hide nothing, or there are none */

    throng_wall_piece *pieces; /* the walls of everybody, in `piece_room` */
    throng_wall_piece *piece_room;
    uint32_t *ahead, *close; /* which of one's own may be met, and may repel, while velocities are trusted */
    size_t wall_total, piece_capacity;
    throng_wall_near *wall_near; /* [worker][wall_near_each] scratch */
    size_t wall_near_each;

    /* Who is decided for at the moment, ascending: everybody, or those who are not settled yet. */
    const uint32_t *who;
    size_t who_count, block_count;
    uint32_t *awake;  /* those who are not settled */
    bool all_decided; /* there is nobody else */
    bool rows_found;  /* in this step */
    bool ask_whole;   /* somebody asked for that in the last step */
    throng_implicit_chunk chunks[THRONG_IMPLICIT_CHUNKS];
    size_t chunk_count, sum_capacity;
    double *sums; /* of chunks */
    throng_implicit_rows rows;
    throng_implicit_rows other_rows; /* of everybody while there are rows of some, else room for those */
    bool some_rows;
    throng_implicit_ties pool[THRONG_IMPLICIT_KINDS], kept_pool[THRONG_IMPLICIT_KINDS]; /* of which chunks have parts */
    size_t tie_room[THRONG_IMPLICIT_KINDS];                                             /* of the larger of two pools */
    throng_implicit_scratch *scratch;                                                   /* [worker] */
    size_t row_room;                                                                    /* quads */
    double *block_sum;                                                                  /* [4][block] partial sums */
    uint32_t color_begin[THRONG_IMPLICIT_COLORS + 1];                                   /* in `by_color` */
    size_t color_count;

    int wary;        /* so many more steps are found with Hessians of earlier ones in mind */
    double firmness; /* what close pairs get in the Hessian beside their own, of what it could be at most */
    double stretch;  /* the share of a step that is tried first */

    /* Of the pass under way. */
    int order;
    const double *pass_x, *pass_y;
    double pass_factor;
    bool pass_all, pass_dirty; /* everything counts; only those who are dirty are looked at */

    /* The memory of lbfgs.c, as one array. */
    double *memory;
    size_t memory_capacity;
} throng_implicit;

/* --- walkers.c */
void throng_implicit_release(throng_implicit *s);
void throng_implicit_begin(throng_implicit *s, const throng_step *now);
/* The own shares of g of some walkers, at most of a block; velocities and terms are by number in `slots`. */
void throng_implicit_own_terms(const throng_implicit *s, const uint32_t *slots, size_t count, const double *vx,
                               const double *vy, int order, throng_term *terms);

/* m/s: nobody who wishes for such a speed is faster. */
double throng_implicit_cap(const throng_implicit *s, double desired_speed);

/* --- wishes.c */

/* What everybody wishes for in this step. It uses `rx` and `ry`. */
void throng_implicit_take_wishes(throng_implicit *s);

/* --- frame.c */

/* Says who is where, by slots, and whether the lists have to be made anew: those of a frame that does not serve any
 * more, or none is kept for steps as long as these. */
void throng_implicit_enter_frame(throng_implicit *s, double hidden);
void throng_implicit_archive_frame(throng_implicit_frame *frame, throng_archive *archive);
void throng_implicit_release_frame(throng_implicit_frame *frame);
uint64_t throng_implicit_number_walls(const throng_walls *walls);

/* --- wall_lists.c */
void throng_implicit_reserve_walls(throng_implicit *s);
/* Finds the walls of those decided for, and unless everybody `sees_all`, what they hide. */
void throng_implicit_find_walls(throng_implicit *s, bool sees_all);
/* How everybody sees its walls in this step. */
void throng_implicit_see_walls(throng_implicit *s);
/* Lists those of them that can matter while the walkers' velocities stay in their trust regions. */
void throng_implicit_glance_at_walls(throng_implicit *s);

/* What is built both plain and wide; works of blocks. */
typedef struct throng_wall_lists_kernel {
    throng_work put_in_front, glance;
} throng_wall_lists_kernel;

extern const throng_wall_lists_kernel *const throng_wall_lists_plain;
extern const throng_wall_lists_kernel *const throng_wall_lists_avx2; /* only where throng_wide_supported() */

/* m/s: walls that cannot matter while a velocity changes by less are not looked at before it does. */
#define THRONG_IMPLICIT_WIDE_TRUST 0.2

/* Which pieces of blocks a worker takes at a time, by how much there is to do for each person. */
enum { THRONG_GRAIN_PAIRS = 2, THRONG_GRAIN_PRODUCTS = 8, THRONG_GRAIN_NUMBERS = 16 };
void throng_implicit_each_block(throng_implicit *s, size_t grain, throng_work work);

/* The walkers of a block are who[block * THRONG_IMPLICIT_BLOCK] .. who[end - 1]. */
static inline size_t throng_implicit_block_end(const throng_implicit *s, size_t block) {
    size_t end = (block + 1) * THRONG_IMPLICIT_BLOCK;
    return end < s->who_count ? end : s->who_count;
}

/* The sum of the blocks' parts, in order; `part` is 0 to 3. */
double throng_implicit_sum(const throng_implicit *s, int part);
static inline double *throng_implicit_part(throng_implicit *s, int part) {
    return s->block_sum + (size_t)part * s->block_count;
}

/* --- lists.c */
void throng_implicit_lists_reserve(throng_implicit *s, size_t slots);
void throng_implicit_lists_release(throng_implicit *s);
/* Puts a worker's found quads away as the row of a walker. */
void throng_implicit_put_row(throng_implicit *s, uint32_t slot, const uint32_t *found, size_t count);
/* Whether all rows had room; else there is more now, and all have to be put again. */
bool throng_implicit_rows_fit(throng_implicit *s);
/* Whether all ties had room; else there is more now, and all have to be found again. */
bool throng_implicit_ties_fit(throng_implicit *s);
/* Goes on with the rows of everybody after those of some. */
void throng_implicit_take_rows_back(throng_implicit *s);
/* Decides for some. */
void throng_implicit_decide_for(throng_implicit *s, const uint32_t *who, size_t count);
/* Decides for everybody. */
void throng_implicit_take_all(throng_implicit *s);
/* Decides only for those marked `dirty`, while the others keep their velocities, and lists those who matter to them.
 * The rows of the others are not asked for in what is left of the step. */
void throng_implicit_take_some(throng_implicit *s);
/* The chunk's sums for a slot, `width` numbers. */
static inline double *throng_implicit_sums(const throng_implicit *s, const throng_implicit_chunk *c, uint32_t slot,
                                           size_t width) {
    return s->sums + c->at + (size_t)(slot - c->low) * width;
}
/* Begins the sums of a chunk. */
void throng_implicit_clear_sums(const throng_implicit *s, const throng_implicit_chunk *chunk, size_t width);
/* What all chunks have for a slot. */
static inline void throng_implicit_gather(const throng_implicit *s, uint32_t slot, size_t width, double *sum) {
    for (size_t n = 0; n < width; n++) sum[n] = 0;
    for (size_t c = 0; c < s->chunk_count && s->chunks[c].low <= slot; c++) {
        if (slot >= s->chunks[c].high) continue;
        const double *part = throng_implicit_sums(s, &s->chunks[c], slot, width);
        for (size_t n = 0; n < width; n++) sum[n] += part[n];
    }
}
/* Lets images have what their originals have. */
void throng_implicit_mirror(const throng_implicit *s, double *column);

/* --- scan.c */

/* Finds everybody who may matter to somebody in this step. */
void throng_implicit_find(throng_implicit *s);
/* Makes rows whole. */
void throng_implicit_complete_rows(throng_implicit *s);
/* Finds those of them who matter while everybody stays within `trust` of the velocities now, which become the
 * reference. With `everything` nobody is left out who is near enough. */
void throng_implicit_scan(throng_implicit *s, bool everything);

/* The same again only for those marked `dirty`, around their velocities now; the others keep what they are trusted
 * with. */
void throng_implicit_scan_dirty(throng_implicit *s);

/* The same for those who are decided for at the moment only, with rows of their own, which are whole. */
void throng_implicit_scan_some(throng_implicit *s);

/* The work of both on blocks. */
typedef struct throng_implicit_scans {
    throng_work find, judge;
} throng_implicit_scans;
extern const throng_implicit_scans throng_implicit_scans_plain;
extern const throng_implicit_scans throng_implicit_scans_avx2; /* only where throng_wide_supported() */

/* How a pair stands at the start of the step: q = x_j - x_i, and the sum of radii that counts. True when they overlap
 * (then r is less than `radii`). */
static inline bool throng_implicit_pair(const throng_implicit *s, uint32_t i, uint32_t seen, double *qx, double *qy,
                                        double *r);
/* The rare cases of it. */
bool throng_implicit_tight_pair(const throng_implicit *s, uint32_t i, uint32_t seen, double *qx, double *qy, double *r);

static inline bool throng_implicit_pair(const throng_implicit *s, uint32_t i, uint32_t seen, double *qx, double *qy,
                                        double *r) {
    const throng_near *near = s->near;
    *qx = near->x[seen] - near->x[i];
    *qy = near->y[seen] - near->y[i];
    *r = near->radius[i] + near->radius[seen];
    if (*qx * *qx + *qy * *qy > *r * *r && !s->squeezed[i]) return false;
    return throng_implicit_tight_pair(s, i, seen, qx, qy, r);
}

/* --- rows_kernel.h, by rows.c and rows_avx2.c: the pairs of some walkers */
typedef struct throng_implicit_row_work {
    /* Works on chunks: the energies of pairs go to part 2, slopes (2) and curvatures (3) to the chunks' sums, and with
     * order 2 ties to `ties`. */
    throng_work evaluate;
    throng_work multiply; /* what ties take from products with the Hessian, to the chunks' sums */
} throng_implicit_row_work;
extern const throng_implicit_row_work throng_implicit_rows_plain;
extern const throng_implicit_row_work throng_implicit_rows_avx2; /* only where throng_wide_supported() */

/* --- objective.c */

/* g at some velocities; with order 1 or more the gradient, with 2 the Hessian as well. Images get the velocities of
 * their originals. */
double throng_implicit_evaluate(throng_implicit *s, double *vx, double *vy, int order);
/* Keeps the Hessians of own terms and the ties, until the next evaluation but one. */
void throng_implicit_keep_hessian(throng_implicit *s);
/* Takes of each pair's and walker's Hessian, now and kept, the larger one, the kept one times `share`. */
void throng_implicit_merge_hessian(throng_implicit *s, double share);
/* q = Hessian d for the walkers of all blocks; part 0 gets d q. */
void throng_implicit_multiply(throng_implicit *s);
/* The largest gradient of anybody, by the last evaluation. */
double throng_implicit_residual(throng_implicit *s);
/* Whether velocities are within everybody's trust region. */
bool throng_implicit_is_trusted(const throng_implicit *s, const double *vx, const double *vy);

/* --- feasible.c */

/* Changes the velocities as little as it can so that g becomes finite, and lists pairs around them. Returns g. */
double throng_implicit_make_feasible(throng_implicit *s);
/* Lets everybody stand, as the paper begins, and lists all pairs. Returns g. */
double throng_implicit_stand(throng_implicit *s);

/* --- sweep.c */

/* Everybody in turn improves its own velocity, `rounds` times. Velocities stay feasible and trusted. */
void throng_implicit_sweep(throng_implicit *s, int rounds);

/* --- limits.c */

/* Shortens everybody's step to what it may take. */
void throng_implicit_limit_step(throng_implicit *s);

#define THRONG_GAP_SHARE 0.8 /* of a gap, that a step may take */
/* The share of a pair's step that it may take, the same for both; `meets` tells that only the step lets it approach.
 * With `strict` both are held so short that they cannot touch whatever the other does. */
double throng_implicit_pair_share(const throng_implicit *s, uint32_t i, uint32_t seen, bool meets, bool strict);
/* What a walker's walls and its greatest speed leave of its step. */
double throng_implicit_own_share(const throng_implicit *s, uint32_t slot);
extern const throng_work throng_implicit_shorten_plain;
extern const throng_work throng_implicit_shorten_avx2; /* only where throng_wide_supported() */

/* --- the solvers: from velocities with finite g to better ones. They count. */
void throng_implicit_newton(throng_implicit *s, double value, const throng_implicit_params *params);
void throng_implicit_lbfgs(throng_implicit *s, double value, const throng_implicit_params *params);

/* --- verify.c */

/* Writes where everybody is next. Whoever would touch something, by rounding, stays; counts and measures. */
void throng_implicit_finish(throng_implicit *s);

#endif
