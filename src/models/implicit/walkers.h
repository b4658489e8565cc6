/* walkers.h: who takes part in a step of `implicit`, and where everybody was when lists were made.
 *
 *     part                       written by
 *     throng_implicit_walkers    walkers.c; who is where by neighbour_cache.c
 *     throng_implicit_cache      neighbour_cache.c
 *
 * Walkers are numbered by their slots in the cell grid. No solver changes anything here. */

#ifndef THRONG_IMPLICIT_WALKERS_H
#define THRONG_IMPLICIT_WALKERS_H

#include <math.h>
#include <throng/model.h>

#include "models/implicit/energy.h"
#include "space/near.h"

enum { THRONG_IMPLICIT_R10, THRONG_IMPLICIT_PAPER };       /* words of `repulsion` */
enum { THRONG_IMPLICIT_NEWTON, THRONG_IMPLICIT_LBFGS };    /* words of `solver` */
enum { THRONG_IMPLICIT_IGNORED, THRONG_IMPLICIT_AVOIDED }; /* words of `hidden` */

typedef struct throng_implicit_params {
    double k, p, tau0, epsilon; /* time to collision */
    double eta;                 /* m^3/s^2, repulsion */
    double xi;                  /* 1/s, how strongly the desired velocity is wished for */
    double neighbour_dist;      /* m */
    double hidden, repulsion, solver;
    double max_iterations, tolerance;
} throng_implicit_params;

typedef struct throng_implicit_walkers {
    const throng_step *now;
    const throng_near *near;
    const uint32_t *mine; /* slots of own walkers, ascending */
    size_t mine_count;
    size_t gone;                   /* slots of people who have left since lists were made: far away from everybody */
    double skin;                   /* m: how far anybody may be from where it was when lists were made */
    const double *then_x, *then_y; /* [slot] m, where that was */
    throng_implicit_law law;
    double neighbour_dist; /* m */
    double reach_most;     /* m, of anybody */
    size_t packed;         /* people who are: so many that they cannot but overlap */
    double coupling_least; /* 1/s: pairs whose Hessian has a lesser trace couple nobody */

    /* [slot] */
    size_t capacity;
    double *old_x, *old_y;   /* m/s, before the step */
    double *goal_x, *goal_y; /* m/s, what is wished for (the desired velocity) */
    double *xi;              /* 1/s */
    double *push_x, *push_y; /* m/s^2, the outside force */
    double *cap;             /* m/s: nobody is faster */
    double *reach;           /* m: two within both theirs may come close */
    double *freedom;         /* of own ones: what being packed leaves of their reach, 1 for most */
    uint32_t *self;          /* the slot of the person itself, for images */
    uint8_t *own;            /* decides here */
} throng_implicit_walkers;

/* Somebody when it was noted. */
typedef struct throng_implicit_member {
    throng_agent id;
    double x, y;        /* m */
    double radius, cap; /* m, m/s */
    uint64_t island;    /* by the lists, see islands.c */
} throng_implicit_member;

/* How an island stands to where it was. */
typedef struct throng_implicit_cached_island {
    uint32_t people, gone;
    bool stale; /* somebody is too far from there, or too many have left */
} throng_implicit_cached_island;

/* Where everybody was when it was noted for lists that serve for several steps (Verlet lists), and what they were made
 * with. Lists follow from this alone, so it is all that has to be kept; neighbour_cache.c tells more. */
typedef struct throng_implicit_cache {
    throng_implicit_member *members; /* in order of id */
    size_t count, capacity;
    double dt, neighbour_dist, hidden;
    uint64_t walls; /* a number for all of them */

    /* What follows from it. */
    bool listed;            /* the lists are there */
    double skin;            /* m: how far anybody may be from where it was */
    throng_near_grid *grid; /* of members, where they were */
    const throng_near *then;
    throng_near near;        /* the same slots, with everybody where it is now */
    double *x, *y, *vx, *vy; /* [slot] */
    uint32_t *row;           /* [slot] now */
    uint32_t *row_of;        /* [member] now, or UINT32_MAX: has left */
    uint32_t *mine;          /* slots of those who are there */
    size_t mine_count, room;
    throng_implicit_cached_island *islands; /* [island] */
    throng_implicit_member *merged;         /* the next `members` and `row_of`, while they are made */
    uint32_t *merged_row;
    size_t merged_capacity;
    uint32_t *own_rows; /* in order of id */
    uint32_t *others;   /* slots in the step's grid of who is no member, and comes after the members */
    size_t other_count;
} throng_implicit_cache;

/* Says who is where, by slots, and whether the lists have to be made anew: the cached ones do not serve any more, or
 * none are kept for steps as long as these. */
void throng_implicit_open_cache(throng_implicit_cache *cache, throng_implicit_walkers *w, double hidden,
                                uint64_t walls);
/* After lists were made: whose island is which, by slot. */
void throng_implicit_note_islands(throng_implicit_cache *cache, const uint32_t *of);
void throng_implicit_archive_cache(throng_implicit_cache *cache, throng_archive *archive);
void throng_implicit_release_cache(throng_implicit_cache *cache);
uint64_t throng_implicit_number_walls(const throng_walls *walls);

/* Whether a slot is that of somebody who is no member. */
static inline bool throng_implicit_is_other(const throng_implicit_cache *cache, uint32_t slot) {
    return cache->then->row[slot] >= cache->count;
}

/* Whether there are slots of others than own walkers: of foreign ones, or images. */
static inline bool throng_implicit_has_others(const throng_implicit_walkers *w) {
    return w->mine_count + w->gone < w->near->count;
}

/* m/s: the most that somebody, by row, may go. */
double throng_implicit_cap(const throng_implicit_walkers *w, uint32_t row);
/* Takes everybody from the step, after the cache has said who is where. */
void throng_implicit_take_walkers(throng_implicit_walkers *w, const throng_implicit_cache *cache);
void throng_implicit_release_walkers(throng_implicit_walkers *w);

#endif
