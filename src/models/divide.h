/* divide.h: steps of the world divided into sub-steps that a model can stand: everybody goes on from where the cell
 * grid has it, those of other models straight on. And the last guard before walls. */

#ifndef THRONG_MODELS_DIVIDE_H
#define THRONG_MODELS_DIVIDE_H

#include <throng/model.h>

typedef struct throng_divided {
    throng_near near;        /* the grid, with where people are in a sub-step */
    double *x, *y, *vx, *vy; /* [slot] */
    double *drift2;          /* [worker] m^2, the longest way from where the grid has somebody */
    size_t capacity, workers;
    bool told; /* that steps are divided */
} throng_divided;

/* What the work of a sub-step is given. */
typedef struct throng_substep {
    const throng_step *step; /* of this length, with this grid */
    void *of;                /* the model's own */
    bool later;              /* it is not the first sub-step */
} throng_substep;

void throng_divided_release(throng_divided *divided);
/* Part of the model's prepare; tells that steps are divided. */
void throng_divided_prepare(throng_divided *divided, const throng_model_setup *setup, const char *model,
                            double substep);
/* Has `decide`, which is given a throng_substep, decide for all of `mine` in sub-steps of `substep` s at most. */
void throng_divided_step(throng_divided *divided, const throng_step *now, double substep, throng_work decide, void *of);

/* Takes from a velocity what would carry a centre through a wall within dt. True when it did. */
bool throng_stop_at_walls(const throng_walls *walls, throng_point at, double dt, double *vx, double *vy);
/* Writes what becomes of somebody with this velocity: no faster than it can, and through no wall, nor on the straight
 * way of the whole step, which is what others see. True when a wall stopped it. */
bool throng_substep_go(const throng_substep *part, uint32_t slot, double vx, double vy);

#endif
