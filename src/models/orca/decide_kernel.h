/* decide_kernel.h: what each person does in a step. Built twice, by decide.c and decide_avx2.c. */

#include <math.h>

#include "models/orca/lines_kernel.h"
#include "models/orca/nearest_kernel.h"
#include "models/orca/program_kernel.h"

/* A wish turned by a hair, drawn anew in each step, so that two who meet head-on do not stand face
 * to face for ever. Only the wish of somebody who is in somebody's way is touched. */
static inline void break_symmetry(const throng_step *step, uint32_t row, double noise, double *wish_x, double *wish_y) {
    double turn = noise * (2 * throng_random(step->seed, step->id[row], step->number, THRONG_RANDOM_ORCA) - 1);
    double x = *wish_x, y = *wish_y;
    *wish_x = x - turn * y;
    *wish_y = y + turn * x;
}

static void decide_one(const throng_orca_job *job, uint32_t slot, double *spread, throng_orca_counts *counts) {
    const throng_step *step = job->step;
    const throng_near *near = step->near;
    uint32_t row = near->row[slot];
    const throng_orca_params *params = step->params[step->profile[row]];
    double dt = step->dt, speed = step->max_speed[row];
    double x = near->x[slot], y = near->y[slot];
    /* a horizon shorter than the step would let people walk into what lies beyond it */
    double horizon = params->time_horizon > dt ? params->time_horizon : dt;
    double wall_horizon = params->time_horizon_obst > dt ? params->time_horizon_obst : dt;

    throng_orca_lines lines;
    lines.hard = lines.count = 0;
    throng_wall_near walls[THRONG_ORCA_WALLS];
    size_t wall_count = 0;
    if (step->walls->count) {
        throng_orca_person me = {x, y, near->vx[slot], near->vy[slot], near->radius[slot], speed};
        wall_count = throng_orca_wall_lines(&lines, step->walls, &me, wall_horizon, walls);
    }
    neighbours others;
    size_t count = find_nearest(near, slot, (size_t)params->max_neighbours, params->neighbour_dist, spread, &others);
    people_lines(&lines, step, slot, horizon, others.slot + 1, count);

    double vx = step->wish_x[row] + step->push_x[row] * dt, vy = step->wish_y[row] + step->push_y[row] * dt;
    double length2 = vx * vx + vy * vy;
    if (length2 > speed * speed) {
        double scale = speed / sqrt(length2);
        vx *= scale;
        vy *= scale;
    }
    if (most_violated(&lines, 0, lines.count, vx, vy, TOUCH) < lines.count) {
        if (params->symmetry_noise > 0) break_symmetry(step, row, params->symmetry_noise, &vx, &vy);
        if (!choose(&lines, speed, &vx, &vy)) counts->relaxed++;
    }
    if (wall_count && throng_orca_stop_at_walls(step->walls, walls, wall_count, x, y, dt, &vx, &vy)) counts->stopped++;
    step->next_vx[row] = vx;
    step->next_vy[row] = vy;
    step->next_x[row] = x + vx * dt;
    step->next_y[row] = y + vy * dt;
}

static void decide(void *context, size_t begin, size_t end, int worker) {
    const throng_orca_job *job = context;
    throng_orca_counts counts = {.decisions = end - begin};
    double spread = 0;
    for (size_t k = begin; k < end; k++) decide_one(job, job->step->mine[k], &spread, &counts);
    throng_orca_counts *sum = &job->counts[worker];
    sum->decisions += counts.decisions;
    sum->relaxed += counts.relaxed;
    sum->stopped += counts.stopped;
}
