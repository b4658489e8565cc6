/* orca.h: choosing velocities, for the models `orca` and `orca-forces`.
 *
 * A person may choose any velocity v with |v| <= max_speed that no half-plane forbids, and takes
 * the one nearest to the velocity it wishes. A half-plane is kept as a line of unit direction d and
 * offset c: allowed is d x v >= c, the left side of the line. Walls make hard lines, other people
 * make soft ones; when not all can be kept, the soft ones are violated as little as possible. A model may add a line
 * of somebody's own, which is hard too unless walls leave nothing of it.
 *
 * Four people are decided for at once, one in each lane of the wide type; none of them notices.
 *
 * van den Berg, Guy, Lin, Manocha: Reciprocal n-body collision avoidance, 2011. */

#ifndef THRONG_ORCA_H
#define THRONG_ORCA_H

#include <throng/model.h>

#include "base/wide.h"
#include "models/common.h"
#include "space/near_list.h"

enum {
    THRONG_ORCA_NEIGHBOURS = 100, /* most that max_neighbours may be */
    THRONG_ORCA_WALLS = 256,      /* most walls looked at by one person; the nearest count */
    THRONG_ORCA_HARD = 64,        /* most lines that walls make for one person; many walls make none */
    THRONG_ORCA_LINES = 168       /* most lines in one program of any kind */
};

typedef struct throng_orca_line {
    double x, y; /* unit direction */
    double c;    /* m/s, offset */
} throng_orca_line;

/* The lines of four people, one in each lane. Who has fewer than `count` has lines of no direction
 * and offset -infinity, which allow everything. */
typedef struct throng_orca_lines {
    size_t count;
    double x[THRONG_ORCA_LINES][THRONG_WIDTH];
    double y[THRONG_ORCA_LINES][THRONG_WIDTH];
    double c[THRONG_ORCA_LINES][THRONG_WIDTH];
} throng_orca_lines;

/* One velocity for each of the four. */
typedef struct throng_orca_velocities {
    double x[THRONG_WIDTH], y[THRONG_WIDTH]; /* m/s */
} throng_orca_velocities;

typedef struct throng_orca_params {
    double max_neighbours;
    double neighbour_dist;
    double time_horizon;
    double time_horizon_obst;
} throng_orca_params;

typedef struct throng_orca_person {
    double x, y;   /* m */
    double vx, vy; /* m/s */
    double radius; /* m */
    double speed;  /* m/s, the most */
} throng_orca_person;

/* What people see of somebody, close together: rows of four and of two for the wide type. */
typedef struct throng_orca_seen {
    double x, y;   /* m */
    double vx, vy; /* m/s */
    double radius; /* m */
    double share;  /* of what it takes to avoid it that falls to the other one */
} throng_orca_seen;

/* The neighbours of somebody, nearest first. */
typedef struct throng_orca_neighbours {
    size_t count;
    uint32_t slot[THRONG_ORCA_NEIGHBOURS]; /* a multiple of four */
} throng_orca_neighbours;

/* What was counted, by worker: a tally of common.h. */
typedef struct throng_orca_counts {
    uint64_t decisions;
    uint64_t relaxed; /* not all lines could be kept */
    uint64_t stopped; /* the last guard kept it from crossing a wall */
    uint64_t unused[5];
} throng_orca_counts;
_Static_assert(sizeof(throng_orca_counts) == THRONG_TALLY * sizeof(uint64_t), "it is a tally");

typedef struct throng_orca_job {
    const throng_step *step;
    throng_orca_counts *counts; /* [worker] */
    throng_orca_seen *seen;     /* [slot] room for what throng_orca_see writes */
    /* [slot] everybody's own line; c is -infinity for who has none. NULL: nobody has. */
    const double *own_x, *own_y, *own_c;
    /* [slot * nearest_room] everybody's neighbours, nearest first, and how many; NULL: they are looked for. */
    const uint32_t *nearest, *nearest_count;
    size_t nearest_room;
    const double *wall_gap; /* [slot] m, at least, to any wall; NULL: not known */
    /* [slot] the walls nearer than wall_reach, at most wall_room each; where it is 0, they are not known. NULL: nowhere
     * are they. */
    const double *wall_reach;
    const uint32_t *wall_count;
    const throng_wall_near *walls; /* [slot * wall_room] */
    size_t wall_room;
} throng_orca_job;

/* Looking for everybody's neighbours and for all within a reach at once. */
typedef struct throng_orca_look {
    const throng_step *step;
    double reach; /* m */
    /* Lists are filled up to a multiple of four with anybody. Who has more than list_room, which is one, gets a length
     * and no list. */
    throng_near_lists *lists;
    size_t list_room;
    uint32_t *nearest; /* [slot * room] nearest first ... */
    uint32_t *count;   /* [slot] and how many; 0 for who is not mine */
    size_t room;       /* the most that anybody has, and up to the next multiple of four */
    float *hint;       /* [row] m^2: where to look first, and updated; changes no result. 0: no idea */
} throng_orca_look;

/* What is built both plain and wide, with the same bits. */
typedef struct throng_orca_kernel {
    /* Finds the nearest `limit` people closer than `reach` to a slot (equally near: lower row
     * first). `spread` is where to look first, m^2 per person; it is updated and changes no
     * result. 0 means no idea. */
    void (*nearest)(const throng_near *near, uint32_t slot, size_t limit, double reach, double *spread,
                    throng_orca_neighbours *out);
    /* Fills in a throng_orca_look for slots begin..end-1 of all. */
    throng_work look_around;
    /* Makes the lines that the neighbours of four slots leave, each with its own horizon. */
    void (*people_lines)(const throng_step *step, const throng_orca_seen *seen, const uint32_t *slots,
                         const double *horizons, const throng_orca_neighbours *neighbours, throng_orca_lines *out);
    /* For each of the four the allowed velocity nearest to the one given. Returns the lanes (bits)
     * that have none: there it is allowed by the hard lines and violates the soft ones as little
     * as possible. */
    unsigned (*choose)(const throng_orca_lines *hard, const throng_orca_lines *soft, const double *speeds,
                       throng_orca_velocities *v);
    /* Decides for mine[begin..end-1]. */
    throng_work decide;
} throng_orca_kernel;

extern const throng_orca_kernel throng_orca_plain;
extern const throng_orca_kernel throng_orca_avx2; /* only where throng_wide_supported() */

const throng_orca_kernel *throng_orca_kernel_for(const throng_step *step);

/* Fills in what is seen of slots begin..end-1, for a throng_orca_job. */
void throng_orca_see(void *job, size_t begin, size_t end, int worker);
/* Lets all of the step's own decide. There is room in `seen`, which is filled in first. */
void throng_orca_decide(throng_orca_job *job);

/* Of some walls, those within reach of a point that turn their walkable side to it, nearest first
 * (equally near: lower number first). There is room for all of them in `out`; returns how many. */
size_t throng_orca_walls_in_sight(const throng_walls *walls, const throng_wall_near *some, size_t count, double x,
                                  double y, double reach, throng_wall_near *out);

/* Makes the hard lines: the velocities that keep a person off the walls in sight for `horizon`
 * seconds. Returns how many. */
size_t throng_orca_wall_lines(const throng_walls *walls, const throng_wall_near *sight, size_t count,
                              const throng_orca_person *person, double horizon, throng_orca_line out[THRONG_ORCA_HARD]);

/* Shortens a velocity that would carry the centre through a wall within dt, which can happen by
 * rounding, to somebody already inside a wall, and among more walls than one can look at. Then, that
 * is when the walls in sight are not `all`, it asks for the others too. True when it did. */
bool throng_orca_stop_at_walls(const throng_walls *walls, const throng_wall_near *sight, size_t count, bool all,
                               throng_point at, double dt, double *vx, double *vy);

#endif
