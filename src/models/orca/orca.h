/* orca.h: the insides of the model `orca`, shared by its files and their tests.
 *
 * A person may choose any velocity v with |v| <= max_speed that no half-plane forbids, and takes
 * the one nearest to the velocity it wishes. A half-plane is kept as a line of unit direction d and
 * offset c: allowed is d x v >= c, the left side of the line. Walls make hard lines, other people
 * make soft ones; when not all can be kept, the soft ones are violated as little as possible.
 *
 * van den Berg, Guy, Lin, Manocha: Reciprocal n-body collision avoidance, 2011. */

#ifndef THRONG_ORCA_H
#define THRONG_ORCA_H

#include <throng/model.h>

enum {
    THRONG_ORCA_NEIGHBOURS = 100, /* most that max_neighbours may be */
    THRONG_ORCA_WALLS = 64,       /* most walls looked at by one person; the nearest count */
    THRONG_ORCA_LINES = 168       /* both, and four more that wide kernels may touch */
};

/* Lines by column; x and y are the direction, c the offset in m/s. */
typedef struct throng_orca_lines {
    double x[THRONG_ORCA_LINES];
    double y[THRONG_ORCA_LINES];
    double c[THRONG_ORCA_LINES];
    size_t hard;  /* the first ones: walls */
    size_t count; /* all */
} throng_orca_lines;

typedef struct throng_orca_params {
    double max_neighbours;
    double neighbour_dist;
    double time_horizon;
    double time_horizon_obst;
    double symmetry_noise;
} throng_orca_params;

/* Somebody near and what is known of its motion, from where the person stands. */
typedef struct throng_orca_person {
    double x, y;   /* m */
    double vx, vy; /* m/s */
    double radius; /* m */
    double speed;  /* m/s, the most */
} throng_orca_person;

/* What was counted in a step, by worker. */
typedef struct throng_orca_counts {
    uint64_t decisions;
    uint64_t relaxed; /* not all lines could be kept */
    uint64_t stopped; /* the last guard kept it from crossing a wall */
    uint64_t unused[5];
} throng_orca_counts;

typedef struct throng_orca_job {
    const throng_step *step;
    throng_orca_counts *counts; /* [worker] */
} throng_orca_job;

/* What is built both plain and wide, with the same bits. */
typedef struct throng_orca_kernel {
    /* Stores the slots of the nearest `limit` people closer than `reach` to a slot, nearest first
     * (equally near: lower row first), and returns how many there are. `spread` is where to look
     * first, m^2 per person; it is updated and changes no result. 0 means no idea. */
    size_t (*nearest)(const throng_near *near, uint32_t slot, size_t limit, double reach, double *spread,
                      uint32_t *out);
    /* Appends the line of each slot. */
    void (*people_lines)(throng_orca_lines *lines, const throng_step *step, uint32_t slot, double horizon,
                         const uint32_t *slots, size_t count);
    /* The allowed velocity nearest to the one given in v; false when there is none, and then v is
     * allowed by the hard lines and violates the soft ones as little as possible. */
    bool (*choose)(const throng_orca_lines *lines, double speed, double *vx, double *vy);
    /* Decides for mine[begin..end-1]. */
    throng_work decide;
} throng_orca_kernel;

extern const throng_orca_kernel throng_orca_plain;
extern const throng_orca_kernel throng_orca_avx2; /* only where throng_wide_supported() */

/* Sets the hard lines: the velocities that keep a person off the walls for `horizon` seconds.
 * Returns how many walls are within reach, stored in `near`. */
size_t throng_orca_wall_lines(throng_orca_lines *lines, const throng_walls *walls, const throng_orca_person *person,
                              double horizon, throng_wall_near near[THRONG_ORCA_WALLS]);

/* Shortens a velocity that would carry the centre through one of the walls within dt, which only
 * rounding or a person already inside a wall can bring about. True when it did. */
bool throng_orca_stop_at_walls(const throng_walls *walls, const throng_wall_near *near, size_t near_count, double x,
                               double y, double dt, double *vx, double *vy);

#endif
