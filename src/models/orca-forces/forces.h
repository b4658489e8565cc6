/* forces.h: the insides of the model `orca-forces`, shared by its files and their tests.
 *
 * People choose velocities as in `orca` (orca.h), and forces act on them. The force f on somebody of mass m in a
 * sub-step of h seconds makes one more hard half-plane: of the velocities that are left, those at least as far along
 * f as v + f h / m (002 eq. 11, 12). A sub-step goes like this:
 *
 *     contact.c       forces that act now: those left over from the sub-step before, impulses of collisions
 *                     (eq. 5), and what those who push give to who is in their way (eq. 4)
 *     orca/           everybody's velocity
 *     pass_on.c       what a person could not do of what a force asks, and what others slowed it down by, goes to
 *                     those in front of it in the next sub-step (eq. 6 to 9)
 *     separation.c    people move; who got deeper into each other than the soft shell of a body allows moves out
 *
 * Everybody gathers what comes to it from its neighbours, so workers write only their own people.
 *
 * Kim, Guy, Manocha: Velocity-based modeling of physical interactions in multi-agent simulations, 2013 ("002"). */

#ifndef THRONG_FORCES_H
#define THRONG_FORCES_H

#include "models/common.h"
#include "models/orca/orca.h"
#include "space/near_list.h"

#define THRONG_FORCES_SUBSTEP     0.05 /* s, the most */
#define THRONG_FORCES_LEAST       1e-6 /* N: less is no force */
#define THRONG_FORCES_SPEED_LEAST 1e-9 /* m/s: less is no motion */

enum { THRONG_FORCES_WALLS = 16 }; /* most walls that somebody presses or is kept out of; the nearest count */

enum { THRONG_PUSHES_NEVER, THRONG_PUSHES_HELD_UP, THRONG_PUSHES_ALWAYS };

typedef struct throng_forces_params {
    throng_orca_params orca; /* first: orca.h reads it */
    double forces;
    double pushing;
    double strength;
    double patience;
    double reach;
    double push_angle, decelerate_angle, resist_angle; /* degrees */
    double transfer;
    double restitution;
    double core;
    double push_out;
} throng_forces_params;

/* Parameters of a profile as they are computed with. */
typedef struct throng_forces_law {
    const throng_forces_params *params; /* NULL: another model's */
    double reach;                       /* m */
    double push_cosine, decelerate_cosine, resist_cosine;
    /* It pushes who is in its way, an angle of this cosine (infinite: it never does), when it gets on with less than
     * this part of its desired speed (infinite: always; sec. 4.1: who wants to, or all where they are held up). */
    double pushes_cosine, patience;
    double restitution;
} throng_forces_law;

/* What others ask of somebody in a sub-step, close together: rows of four for the wide type. */
typedef struct throng_forces_body {
    double x, y;             /* m */
    double vx, vy;           /* m/s */
    double ahead_x, ahead_y; /* unit: where it wants to go; 0: nowhere */
    double reach;            /* m */
    double push_cosine;      /* of the angle of those in its way; infinite: it does not push */
    double radius;           /* m */
    double restitution;      /* negative: an object */
    double inverse_mass;     /* 1/kg */
    double wish;             /* m/s, how fast it wants to get on */
    /* Written while others read what is above. */
    double push;   /* N, the part of each whom it pushes; 0: it does not push */
    double calm;   /* the part that it takes of each collision: 1 / how many it is in, or 1 */
    double others; /* how many are in its way */
    double unused;
} throng_forces_body;

enum { THRONG_FORCES_BLOCK = 256 }; /* people whose contacts are listed one after the other */

/* Who does something to whom. */
typedef struct throng_forces_pairs {
    uint32_t *to, *from; /* slots */
    size_t count;
} throng_forces_pairs;

/* What somebody close asks of each of four people who are moved at once. */
typedef struct throng_forces_wanted {
    double apart[4];  /* m, how far from it */
    double part[4];   /* what part of the way is one's own */
    uint32_t slot[4]; /* who it is; oneself, who asks for nothing, after the last one */
} throng_forces_wanted;

/* Where somebody would be if nobody were moved: one row of four. */
typedef struct throng_forces_spot {
    double x, y;   /* m */
    double radius; /* m */
    double give;   /* 1/kg, how much it yields; 0: it does not */
} throng_forces_spot;

typedef struct throng_forces_counts {
    uint64_t substeps;
    uint64_t pushes;   /* people pushing, summed over sub-steps */
    uint64_t limited;  /* forces that ask for more than the maximal speed */
    uint64_t left_out; /* pushing apart would have led through a wall */
    uint64_t unused[4];
} throng_forces_counts;
_Static_assert(sizeof(throng_forces_counts) == THRONG_TALLY * sizeof(uint64_t), "it is a tally");

/* How far (m) the walls around a point are known; 0: nobody knows. While walls stand it holds for anybody. */
typedef struct throng_forces_vicinity {
    double x, y, reach;
    double gap; /* m, at least, to the nearest of them, or to any beyond */
} throng_forces_vicinity;

/* These walls. */
typedef struct throng_forces_known {
    uint32_t count;
    uint32_t walls[THRONG_FORCES_WALLS];
} throng_forces_known;

/* The parts of a sub-step that are timed. */
typedef enum throng_forces_part_name {
    THRONG_FORCES_LISTS,
    THRONG_FORCES_CONTACT,
    THRONG_FORCES_VELOCITY,
    THRONG_FORCES_PASS_ON,
    THRONG_FORCES_APART,
    THRONG_FORCES_PARTS
} throng_forces_part_name;

/* What somebody gives to those in front of it, in equal parts. */
typedef struct throng_forces_gift {
    double x, y;             /* N, the part of each */
    double ahead_x, ahead_y; /* unit: the middle of the cone */
    double cosine;           /* of the cone's angle */
    double reach;            /* m between surfaces */
} throng_forces_gift;

typedef struct throng_forces {
    /* Of prepare. */
    throng_forces_law *laws; /* [profile] */
    size_t law_count, law_capacity;
    throng_orca_counts *orca_counts; /* [worker] */
    throng_forces_counts *counts;    /* [worker] */
    size_t workers;
    bool told_short; /* that steps are short */

    /* Of a step. */
    double reach;           /* m between surfaces, the most of anybody */
    double core;            /* the most of anybody */
    double fastest;         /* m/s, the most of anybody */
    int sweeps;             /* the most that push people apart ... */
    int sweeps_least;       /* and the least */
    bool forces;            /* somebody knows forces */
    size_t most_neighbours; /* a multiple of four */

    /* By slot of its grid. */
    size_t slot_capacity;
    throng_near near; /* the grid, with positions and velocities that go on in sub-steps */
    double *x, *y, *vx, *vy;
    const throng_forces_law **law; /* NULL: not mine */
    double *mass;
    throng_forces_body *bodies;
    double *f_x, *f_y; /* N, on mine and objects */
    double *load;      /* N, sum of the sizes of forces on mine */
    uint32_t *ordered; /* mine, in blocks: those with fewer neighbours first */
    uint32_t *targets; /* slots of mine that know forces, and of objects */
    size_t target_count;
    uint32_t *pairs; /* room for the contacts of blocks of targets, throng_forces_hits and throng_forces_pushes */
    size_t pair_capacity;
    size_t *hit_count, *push_count; /* [block] */
    size_t block_capacity;
    double *own_x, *own_y, *own_c;
    throng_forces_gift *gifts;
    bool *gives; /* whether there is a gift */
    bool *takes; /* whether somebody may push it; later, give it something */
    throng_orca_seen *seen;
    throng_forces_spot *spots;
    throng_point *to, *was;              /* m: after a sweep and before it */
    uint32_t *close_start, *close_count; /* [slot] those near enough to be pushed out of are ... */
    uint32_t *close;                     /* from close_start on; */
    double *close_apart, *close_part;    /* m, how far from them; what part of the way is one's own */
    size_t close_capacity;
    bool *is_moved, *was_moved; /* by this sweep and by the one before */
    uint32_t *tight;   /* slots of those whom sweeps can move, and up to a multiple of four the last one again */
    size_t tight_free; /* so many of them, the first, are at no wall */
    size_t tight_count;
    throng_forces_wanted *wanted; /* of each four of them one after the other ... */
    uint32_t *wanted_start;       /* [four, and one more] from here on */
    size_t wanted_capacity;
    throng_forces_vicinity *vicinities; /* [row] found out by whoever had the row ... */
    throng_forces_known *known;         /* [row] with what most people need not look at */
    double *wall_gap;                   /* m, at least, from mine to any wall */
    double *wall_reach;                 /* m: all walls near mine within it are listed; 0: maybe not */
    double *wall_free2;                 /* m^2: shorter ways of mine come nowhere near a wall */
    uint32_t *wall_count;               /* walls near mine ... */
    throng_wall_near *walls;            /* [slot * THRONG_FORCES_WALLS] nearest first */
    uint32_t *pressed_wall;             /* the wall that mine press against ... */
    double *pressed_x, *pressed_y;      /* N, and how hard */
    uint32_t *pushed_wall;              /* the wall that mine push as those in the way ... */
    double *pushed;                     /* N, and how hard */
    uint32_t *leant_wall;               /* the wall that mine are pressed against by others ... */
    double *leant;                      /* N, and how hard */
    throng_near_lists *lists;           /* those within reach, up to ... */
    size_t list_room;                   /* of each; a multiple of four */
    uint32_t *nearest, *nearest_count;  /* [slot * most_neighbours] the neighbours of mine, nearest first */
    size_t nearest_capacity;
    float *look_hint;   /* [row] m^2: where to look for neighbours first */
    bool *moved;        /* [worker] somebody was in a sweep */
    double *drift2;     /* [worker] m^2 */
    throng_parts parts; /* of all sub-steps */
} throng_forces;

/* A sub-step under way. */
typedef struct throng_forces_job {
    throng_forces *s;
    const throng_step *step;  /* of the sub-step: its dt, its number, and s->near */
    const throng_near *begin; /* the grid of the step's beginning */
    const struct throng_forces_kernel *kernel;
    double *carry_x, *carry_y; /* [row] N: what the sub-step before left */
    bool first;                /* impulses hit in the first one */
    double share;              /* of a sub-step in the step */
    bool images;
    int sweep;
} throng_forces_job;

/* The slot where what is known of somebody seen across a seam is kept. */
static inline uint32_t throng_forces_source(const throng_forces_job *job, uint32_t slot) {
    const throng_near *near = &job->s->near;
    return job->images ? near->slot[near->row[slot]] : slot;
}

/* Whether somebody (dx, dy) away, the square of which is given, lies in a cone around a unit vector: the angle's cosine
 * is compared with its square, which has no sign, so signs come first. */
static inline bool throng_forces_ahead(double dx, double dy, double distance2, double ahead_x, double ahead_y,
                                       double cosine) {
    double along = dx * ahead_x + dy * ahead_y, along2 = along * along, least2 = cosine * cosine * distance2;
    return cosine >= 0 ? along >= 0 && along2 >= least2 : along >= 0 || along2 <= least2;
}

/* Room for the contacts of a block of targets: each has up to list_room, and there are four more. */
static inline size_t throng_forces_pair_room(const throng_forces *s) { return THRONG_FORCES_BLOCK * s->list_room + 4; }
static inline throng_forces_pairs throng_forces_hits(const throng_forces *s, size_t block) {
    size_t room = throng_forces_pair_room(s);
    uint32_t *first = s->pairs + 4 * block * room;
    return (throng_forces_pairs){first, first + room, 0};
}
static inline throng_forces_pairs throng_forces_pushes(const throng_forces *s, size_t block) {
    size_t room = throng_forces_pair_room(s);
    uint32_t *first = s->pairs + (4 * block + 2) * room;
    return (throng_forces_pairs){first, first + room, 0};
}

/* Of somebody's neighbours. */
typedef struct throng_forces_company {
    unsigned collisions; /* who touch it and come closer */
    unsigned in_the_way; /* of where it wants to go */
} throng_forces_company;

/* What is built both plain and wide, with the same bits. */
typedef struct throng_forces_kernel {
    /* Takes down what slots begin..end-1 of all are like, and the forces that are still to be passed on (N). */
    throng_work take_bodies;
    /* Lists who hits and who pushes the targets of blocks begin..end-1, and shares out what they give. */
    throng_work find_contacts;
    /* Adds the forces that these bring about (N). */
    throng_work add_contacts;
    /* The half-planes that forces leave of the velocities of mine[begin..end-1]. */
    throng_work make_lines;
    /* What mine[begin..end-1] pass on. */
    throng_work find_gifts;
    /* The walls that mine[begin..end-1] may touch or press in this sub-step, or be pushed into, nearest first. */
    throng_work find_walls;
    /* How many of its neighbours are those to whom something goes. */
    unsigned (*count_ahead)(const throng_forces_job *job, uint32_t me, const throng_forces_gift *gift);
    /* Lists those who are, or may soon be, too near to ordered[begin..end-1]. */
    throng_work look_for_close;
    /* Fills in what they ask of fours begin..end-1 of the tight. */
    throng_work pair_up;
    /* Moves fours begin..end-1 of the tight out of those too near and out of walls, by one sweep. */
    throng_work sweep;
} throng_forces_kernel;

extern const throng_forces_kernel throng_forces_plain;
extern const throng_forces_kernel throng_forces_avx2; /* only where throng_wide_supported() */

void throng_forces_contact(throng_forces_job *job);
void throng_forces_pass_on(throng_forces_job *job);
void throng_forces_part(throng_forces_job *job);
/* The nearest wall that is in reach of mine and in a cone around a unit vector, or UINT32_MAX. */
uint32_t throng_forces_wall_ahead(const throng_forces_job *job, uint32_t me, double ahead_x, double ahead_y,
                                  double cosine);
/* Passes on what somebody did not do of what a force asks, if it was pushed by one, else what slowed it down. */
void throng_forces_give(const throng_forces_job *job, uint32_t me, bool pushed);
/* Looks for the walls nearer than `reach` (m) to one of mine; asks for all around it unless they are known. */
void throng_forces_look_at_walls(const throng_forces_job *job, uint32_t me, double reach, bool known);
/* The unit vector along which two at one point part. */
throng_point throng_forces_parting(const throng_forces_job *job, uint32_t me, uint32_t other);
/* A place led out of walls (m). */
throng_point throng_forces_out_of_walls(const throng_forces_job *job, uint32_t me, throng_point to);
void throng_forces_step(throng_forces *s, const throng_step *step);

#endif
