/* velocity.c: letting people decide, whichever model they belong to. */

#include "models/velocity/velocity.h"

#include "space/near.h"
#include "space/wide.h"

const throng_orca_kernel *throng_orca_kernel_for(const throng_step *step) {
    return step->simd && throng_wide_supported() ? &throng_orca_avx2 : &throng_orca_plain;
}

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

void throng_orca_decide(throng_orca_job *job) {
    enum { GRAIN = 128, SEEN_GRAIN = 4096 };
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, step->near->count, SEEN_GRAIN, throng_orca_see, job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, throng_orca_kernel_for(step)->decide, job);
}
