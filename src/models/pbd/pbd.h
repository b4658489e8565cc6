/* pbd.h: the insides of the model `pbd`, shared by its files and their tests.
 *
 * A step is divided into sub-steps of length h. In each of them
 *
 *     plan        v_b = (1 - a) v + a wish,  a = h / xi;    x* = x + h v_b
 *     stability   who overlaps now is moved apart, in x and x* alike
 *     6 times     long range: who will collide turns aside or slows down      (anticipation)
 *                 short range: discs with a shell keep apart and rub          (friction)
 *                 neither makes ways longer than at top speed                 (clamp)
 *                 walls: the last word
 *     finish      v = (x* - x) / h;  cohesion;  clamps;  x = x*
 *
 * Corrections of one kind are averaged over all that act on a person (Jacobi): x* += 1.2/n sum. Everybody gathers its
 * own, so the number of threads changes nothing.
 *
 * People are numbered by their slots in the cell grid, eight slots side by side to a group. What others must know of a
 * person is a quad: where it is at the start of the sub-step, in whole quanta of a square of the grid / 2^23, and its
 * way in the sub-step so far, as floats. Differences of whole numbers are exact, so floats only ever hold distances to
 * neighbours and ways within a sub-step; positions themselves are double. Whole numbers begin anew every 512 squares,
 * which is farther than anybody looks: so they depend on nothing but the position.
 *
 *     walkers.c       who takes part, and what is written
 *     substeps.c      plan and finish
 *     lists_*         who can touch whom, and who can collide with whom, for a few sub-steps
 *     sweeps_*        the corrections, eight people at a time
 *     cohesion_*      people of a group even out their velocities
 *     control.c       turning, stepping back, formations, where they are asked for
 *     wall_guard.c    nobody into a wall, and never through one
 *     model_step.c    puts these together
 *
 * T. Weiss, A. Litteneker, C. Jiang, D. Terzopoulos: Position-based real-time simulation of large crowds.
 * Computers & Graphics 78, 2019, 12-22. */

#ifndef THRONG_PBD_H
#define THRONG_PBD_H

#include <string.h>

#include <throng/model.h>

#include "base/wide_float.h"
#include "models/common.h"

enum { THRONG_PBD_METRIC, THRONG_PBD_PAPER };                                       /* words of `units` */
enum { THRONG_PBD_NONE, THRONG_PBD_NORMAL, THRONG_PBD_FULL, THRONG_PBD_AVOIDANCE }; /* of `anticipation` */
enum { THRONG_PBD_BY_UNITS, THRONG_PBD_FORWARD, THRONG_PBD_ANYWAY };                /* of `hurry` */
enum { THRONG_PBD_WHOLE, THRONG_PBD_BEFORE_CONTACT };                               /* of `clamp` */
enum { THRONG_PBD_NO_COHESION, THRONG_PBD_STABILISED, THRONG_PBD_PRINTED };         /* of `cohesion` */
enum { THRONG_PBD_CHUNK = 16 };      /* groups whose lists are kept together */
enum { THRONG_PBD_FRAME = 4 };       /* sub-steps that lists can serve */
enum { THRONG_PBD_LIST_MOST = 512 }; /* entries of one person's list */

#define THRONG_PBD_COURANT        0.12   /* radii that somebody ordinary walks in a sub-step at most */
#define THRONG_PBD_ORDINARY_SPEED 1.4    /* m/s */
#define THRONG_PBD_QUANTA         0x1p23 /* in a square of the grid */
#define THRONG_PBD_SKIN           0.06F  /* radii that lists reach further, besides what people can go astray */
#define THRONG_PBD_FEEBLE         0.05 /* of the stiffness: collisions so late that less is left of it do not matter */
#define THRONG_PBD_ROUND          8.0F /* radii that everybody sees around the place where it is going, however slow */
#define THRONG_PBD_HIDDEN         2.9957323F /* -ln(FEEBLE): mean free paths of a look that people see */
#define THRONG_PBD_AROUND         2      /* squares to each side of one's own, in which those stand who hide others */
#define THRONG_PBD_PARTS          0x1p12 /* of a square: radii are added in these */
#define THRONG_PBD_PUSHED         0.5F   /* m/s: so fast contact may push whoever wants to stand */
#define THRONG_PBD_POLY6          1.5667 /* 315 / (64 pi), of the kernel of eq. 13 */

typedef struct throng_pbd_params {
    double units, anticipation, substep, iterations, stability_iterations, averaging, expansion, relaxation_time;
    double tau0, stiffness, avoidance_stiffness, contact_stiffness, reach, hurry, friction;
    double cohesion, cohesion_c, cohesion_time, cohesion_reach;
    double max_acceleration, max_speed_factor, clamp;
    double turning_rate, backward_speed, formation;
} throng_pbd_params;

#define THRONG_PBD_ANY_SPEED 10.0F /* m/s: of `backward_speed`, no limit */

/* A person's place in the formation of its group: kept from step to step. */
typedef struct throng_pbd_place {
    double x, y;    /* m */
    uint64_t taken; /* 0: it has none yet */
} throng_pbd_place;

/* How the formation of a group lies: its middle at (x, y), turned by an angle. */
typedef struct throng_pbd_squad {
    double count;            /* members with a place */
    double x, y;             /* m, their mean */
    double place_x, place_y; /* m, the mean of their places */
    double along, across;    /* m^2 */
    double cosine, sine;
} throng_pbd_squad;

/* A profile's parameters as the kernels want them. */
typedef struct throng_pbd_law {
    float metric; /* 1 or 0 */
    float expansion, averaging, friction;
    float contact_averaging;  /* averaging, for contact_stiffness */
    float normal, tangential; /* stiffness of the long range along and across the line of centres */
    float
        hurry; /* 1: avoiding others may make a person faster, up to its top speed, in any direction; 0: only forward */
    float astray;          /* how far it may go from its plan while lists serve, as part of its top speed */
    float tau0, reach;     /* in units of the person's own time and radius if metric, else s and m; reach: 0 for none */
    float horizon;         /* as tau0: later collisions are feeble */
    float relaxation_time; /* s */
    int cohesion;
    float cohesion_time, cohesion_reach; /* s; as reach */
    float turning_rate;                  /* rad/s; 0: any */
    float turn_cosine, turn_sine;        /* of what one may turn in a sub-step */
    float backward_speed;                /* m/s */
    float formation;
    float cohesion_rate;    /* 1 - exp(-t / cohesion_time), for as long as lists serve */
    float cohesion_weight;  /* of somebody in the very place, as printed: 315 c / (64 pi reach^3) */
    float max_acceleration; /* m/s^2 */
    float max_speed_factor;
    float pushed; /* 1: contact may push a person faster than its top speed; 0: nothing may */
} throng_pbd_law;

/* Room for lists of some kind: chunk c has entries from c * each on. */
typedef struct throng_pbd_lists {
    uint32_t *entry;
    size_t each, capacity;
    uint32_t *begin;  /* [group] its first entry; entry k of a lane is begin + 8 k + lane: twice somebody's slot */
    uint16_t *length; /* [group] the longest of its lanes' lists; the others end in `nobody` */
} throng_pbd_lists;

/* The parts of a step, as they are timed. */
typedef enum throng_pbd_part {
    THRONG_PBD_TAKE, /* everybody from the columns, and back */
    THRONG_PBD_PLAN,
    THRONG_PBD_LIST,
    THRONG_PBD_STABILITY,
    THRONG_PBD_LONG_RANGE,
    THRONG_PBD_SHORT_RANGE, /* and walls */
    THRONG_PBD_FINISH,
    THRONG_PBD_COHESION,
    THRONG_PBD_PART_COUNT
} throng_pbd_part;

/* By worker; whose numbers never reach a result but through maxima and sums. */
typedef struct throng_pbd_tally {
    size_t most_contacts, most_ahead, most_walls; /* entries a chunk needed */
    float drift;                                  /* m, the longest way from where the grid has somebody */
    float span, margin;                           /* m: see throng_pbd */
    uint64_t guarded;                             /* ways cut short before walls */
    bool mixed_laws, mixed_bodies, mixed_groups;
} throng_pbd_tally;

typedef struct throng_pbd_kernel {
    throng_work list;        /* by chunk */
    throng_work plan;        /* by group, as are the others: the ways in quads, and new_vx, new_vy and pad */
    throng_work stabilise;   /* writes shift_x, shift_y, shifted */
    throng_work long_range;  /* reads quads, writes quads_next */
    throng_work short_range; /* the same */
    throng_work arrive;      /* where ways lead; what becomes of velocities, or what cohesion is to read */
    throng_work cohere;      /* reads new_vx, new_vy, writes what to add to them to shift_x, shift_y */
    throng_work clamp;       /* after that */
} throng_pbd_kernel;

typedef struct throng_pbd {
    const throng_pbd_kernel *kernel;
    uint64_t step_count, substep_count, guarded; /* since the world was made */
    throng_parts parts;
    bool told_slow, told_short; /* that steps are long; that `reach` cuts */

    /* The step. */
    const throng_step *now;
    const throng_near *near;
    size_t count, group_count, chunk_count;
    uint32_t nobody;                 /* a slot beyond all groups, whose way is not a number */
    double h;                        /* s, a sub-step */
    float frame_time;                /* s that lists serve */
    double quantum;                  /* m */
    double inverse_quantum;          /* 1/m */
    uint32_t foreign_law;            /* of the model's first profile, for those of other models */
    uint32_t first_law, first_group; /* of somebody who takes part, to compare others with; and so */
    float first_radius, first_inverse_mass;
    int iterations, stability_iterations;
    bool looks_ahead, coheres; /* somebody does */
    bool printed;              /* somebody coheres as printed: in every sub-step */
    bool controls, formations; /* somebody is asked for what control.c does; and for that */
    bool settled;              /* this is not the first sweep of a sub-step, and there are only those of contact */
    bool coherent;             /* in this sub-step */
    bool last;                 /* this is the last sub-step that lists serve */
    bool one_law, one_body, one_group; /* everybody has the same parameters; the same radius and mass; one group */
    float drift;                       /* m: nobody is farther away from where the grid has it */
    float span;                        /* m: the most that a person and its ways add to a contact */
    float margin;                      /* m: ... its ways alone */
    throng_pbd_law *laws;              /* [profile] */
    uint8_t *law_used;                 /* [worker][profile] scratch */
    size_t law_count, law_capacity;
    throng_pbd_tally *tallies; /* [worker] */
    size_t workers;

    /* [slot], all in one block */
    size_t capacity;
    char *block;
    throng_quad *quads, *quads_next;
    throng_four *traits; /* radius, 1/mass, and the direction of the wish, 0 without any */
    float *gone_x,
        *gone_y;    /* m, the way from where the grid has somebody to where it is at the start of the sub-step */
    float *vx, *vy; /* m/s, at the start of the sub-step */
    float *new_vx, *new_vy;   /* m/s: planned, and in the end what becomes of it */
    float *wish_x, *wish_y;   /* m/s, with the outside force */
    float *shift_x, *shift_y; /* m: how stability moves somebody; m/s: what cohesion adds */
    int32_t *at_x, *at_y;     /* quanta */
    int32_t *half_x, *half_y; /* quanta: where it is when half of the time that lists serve is over, as planned */
    float *radius, *inverse_mass;
    float *desired_speed, *top_speed; /* m/s */
    float *clock;                     /* its own unit of time: 1.4 m/s r / v, or 1 s */
    float *pad;            /* m: radius with shell, half its way while the lists serve, and how far it can go astray */
    float *room;           /* m: who has no wall within so far of its shell can touch none on a way within it */
    uint32_t *law, *group; /* group: UINT32_MAX for those of other models */
    uint32_t *wall_begin;
    uint16_t *wall_count;
    uint8_t *own, *near_wall, *shifted; /* [group] bits by lane; shifted: 0 or 1 */

    throng_pbd_lists contacts, ahead;
    uint64_t order[256]; /* see wide8_fill_order */
    uint32_t *walls;     /* the walls of everybody, chunk by chunk */
    size_t walls_each, wall_capacity;
    throng_images images;     /* slots of images */
    throng_pbd_squad *squads; /* [group of people] */
    size_t squad_count, squad_capacity;
} throng_pbd;

extern const throng_pbd_kernel throng_pbd_plain;
extern const throng_pbd_kernel throng_pbd_avx2; /* only where throng_wide_supported() */

/* walkers.c */
/* The time until collisions that matter, in the units of tau0. */
double throng_pbd_horizon(const throng_pbd_params *p);
/* Takes everybody in. Returns how many sub-steps there are to be. */
int throng_pbd_begin(throng_pbd *s, const throng_step *now);
void throng_pbd_set_frame(throng_pbd *s, int substeps); /* for as many sub-steps the next lists serve */
void throng_pbd_write(throng_pbd *s);

/* Groups that a worker takes at a time. A sweep of contacts, or less, is not shared out by so few as it takes a
 * processor a dozen microseconds to do. */
enum { THRONG_PBD_FEW = 16, THRONG_PBD_MANY = 128 };

static inline void throng_pbd_share_out(throng_pbd *s, size_t grain, throng_work work) {
    throng_parallel_for(s->now->crew, s->group_count, grain, work, s);
}

/* substeps.c */
void throng_pbd_plan(throng_pbd *s);
void throng_pbd_move_shifted(throng_pbd *s);
void throng_pbd_finish(throng_pbd *s, bool last);
void throng_pbd_follow_images(throng_pbd *s, throng_quad *quads);

/* model_step.c */
void throng_pbd_step(void *model, const throng_step *now);

/* control.c */
void throng_pbd_join_formations(throng_pbd *s);    /* who is new gets a place in its group's */
void throng_pbd_draw_to_formations(throng_pbd *s); /* everybody's place as a way, in shift_x and shift_y */
void throng_pbd_control(throng_pbd *s);            /* bends the ways in quads */
/* Takes from a vector what would be too sharp a turn for somebody within a sub-step. */
void throng_pbd_limit_turn(const throng_pbd *s, uint32_t slot, float *x, float *y);

/* lists.c */
void throng_pbd_make_lists(throng_pbd *s);

/* wall_guard.c */
/* The walls that somebody can touch while the lists serve, nearest first. Returns how many. */
size_t throng_pbd_find_walls(const throng_pbd *s, uint32_t slot, uint32_t *out, size_t capacity);
/* Moves x + way out of the walls of a slot, as far as `distance` if there is room; x is on the right side of them. */
void throng_pbd_keep_off_walls(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y, double distance);
/* Leads a way that is longer than was foreseen out of walls, and shortens one that leads through a wall; true when it
 * did that. */
bool throng_pbd_guard(const throng_pbd *s, uint32_t slot, double *way_x, double *way_y);

/* Where somebody is at the start of a sub-step. m */
static inline double throng_pbd_x(const throng_pbd *s, uint32_t slot) {
    return s->near->x[slot] + (double)s->gone_x[slot];
}
static inline double throng_pbd_y(const throng_pbd *s, uint32_t slot) {
    return s->near->y[slot] + (double)s->gone_y[slot];
}

/* The nearest whole number, modulo 2^32: the low bits of a number so large that its last bit is worth 1. */
static inline int32_t throng_pbd_whole(double value) {
    double shifted = value + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)(uint32_t)bits;
}

/* The same in quanta. */
static inline void throng_pbd_put_quanta(throng_pbd *s, uint32_t slot) {
    s->at_x[slot] = throng_pbd_whole(throng_pbd_x(s, slot) * s->inverse_quantum);
    s->at_y[slot] = throng_pbd_whole(throng_pbd_y(s, slot) * s->inverse_quantum);
}

/* Leaves out of a run of slots, who stand in order of squares, those who are out of sight: in wide cells some are so
 * far away that their whole numbers would begin anew. */
static inline void throng_pbd_trim(const throng_near *near, double left, double right, uint32_t *begin, uint32_t *end) {
    if (near->columns_per_square == 1) return;
    while (*begin < *end && near->x[*begin] < left - near->cell) ++*begin;
    while (*begin < *end && near->x[*end - 1] > right + near->cell) --*end;
}

#endif
