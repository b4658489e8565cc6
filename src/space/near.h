/* near.h: making the cell grid (cell list, neighbour search) that model.h describes. */

#ifndef THRONG_NEAR_H
#define THRONG_NEAR_H

#include <throng/model.h>

typedef struct throng_near_grid throng_near_grid;

throng_near_grid *throng_near_create(void);
void throng_near_destroy(throng_near_grid *grid);

/* Makes room for so many slots, of people and images; the only function here that allocates. */
void throng_near_reserve(throng_near_grid *grid, size_t capacity);

/* Sorts everybody into cells. */
typedef struct throng_near_input {
    throng_view people;          /* its columns x, y, vx, vy, radius, and where they are shuffled id */
    const throng_period *period; /* NULL: nothing wraps; else positions are in its range */
    double margin;               /* m beyond a seam that images are made for; at most a period */
    double scale;                /* m, radius of somebody ordinary, by which squares are chosen; 0: unknown */
    size_t shuffled;             /* so many rows are not in order of `id`, and objects after them; 0: all are */
} throng_near_input;

/* The most slots that one person and its images take. */
size_t throng_near_slots_each(const throng_period *period, double margin);

/* The width of squares (m) where an ordinary person has this radius: 1 for people, a power of 4 for what is larger or
 * smaller. And whether a crowd of so many in a box, with images up to a margin beyond it, is not too scattered for it.
 */
double throng_near_square(double radius);
bool throng_near_keeps_square(double square, throng_box box, double margin, size_t count);

const throng_near *throng_near_build(throng_near_grid *grid, throng_crew *crew, const throng_near_input *input);

/* Lets the later models see the settled motion of some slots: the way to their next position (by
 * row) over dt, which need not be the velocity their model gives them. */
void throng_near_settle(throng_near_grid *grid, const uint32_t *slots, size_t count, const double *next_x,
                        const double *next_y, double dt);

/* Shows the motion of some rows as one from which they will not yield. */
void throng_near_mark_moved(throng_near_grid *grid, size_t first, size_t count);

/* Takes everybody's radius (by row) anew. */
void throng_near_update_radii(throng_near_grid *grid, const double *radius);

/* Takes everybody's velocity (by row) anew, while nobody's motion is settled. */
void throng_near_update_velocities(throng_near_grid *grid, const double *vx, const double *vy);

#endif
