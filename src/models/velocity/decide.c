/* decide.c: the kernels of velocity.h in plain C, for any machine. */

#include "models/velocity/decide_kernel.h"

const throng_orca_kernel throng_orca_plain = {nearest, look_around, people_lines, choose, decide};

void throng_orca_see(void *job, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_orca_job *orca = job;
    const throng_near *near = orca->step->near;
    for (size_t slot = begin; slot < end; slot++) {
        /* who has decided already does not yield */
        orca->seen[slot] = (throng_orca_seen){near->x[slot],  near->y[slot],      near->vx[slot],
                                              near->vy[slot], near->radius[slot], near->moved[slot] ? 1.0 : 0.5};
    }
}
