/* none.c: everybody walks the desired velocity and sees nobody. The control in experiments and the
 * test double of the other models. */

#include "models/models.h"

static void walk(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_step *step = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = step->near->row[step->mine[k]];
        step->next_vx[i] = step->people.wish_x[i] + step->people.push_x[i] * step->dt;
        step->next_vy[i] = step->people.wish_y[i] + step->people.push_y[i] * step->dt;
        step->next_x[i] = step->people.x[i] + step->next_vx[i] * step->dt;
        step->next_y[i] = step->people.y[i] + step->next_vy[i] * step->dt;
    }
}

static void step_all(void *state, const throng_step *step) {
    (void)state;
    throng_parallel_for(step->crew, step->mine_count, 4096, walk, (void *)step);
}

const throng_model throng_model_none = {
    .name = "none",
    .title = "Walks its desired velocity; sees nobody",
    .citation = "",
    .default_dt = 0.1,
    .step = step_all,
    .sees_nobody = true,
    .divides = true,
};
