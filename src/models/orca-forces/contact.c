/* contact.c: the forces that act in a sub-step, and the half-plane that they leave of each person's velocities. */

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "models/orca-forces/forces.h"
#include "space/walls.h"

enum { GRAIN = 256 };

static const double touch = 0.01; /* m: as near to a wall is at it */

static size_t count_blocks(const throng_forces *s) {
    return (s->target_count + THRONG_FORCES_BLOCK - 1) / THRONG_FORCES_BLOCK;
}

/* Images do what those do whose images they are. */
static void copy_to_images(const throng_forces_job *job) {
    throng_forces_body *bodies = job->s->bodies;
    const throng_near *near = &job->s->near;
    for (uint32_t slot = 0; job->images && slot < near->count; slot++) {
        uint32_t source = throng_forces_source(job, slot);
        if (source == slot) continue;
        bodies[slot] = bodies[source];
        bodies[slot].x = near->x[slot];
        bodies[slot].y = near->y[slot];
        bodies[slot].vx = near->vx[slot];
        bodies[slot].vy = near->vy[slot];
    }
}

/* Marks those whom somebody may push. Across seams it is not worth the search. */
static void mark_pushed(const throng_forces_job *job) {
    throng_forces *s = job->s;
    memset(s->takes, job->images, s->near.count * sizeof *s->takes);
    for (size_t k = 0; k < job->step->mine_count; k++) {
        uint32_t me = job->step->mine[k];
        const uint32_t *list = s->lists->slot + s->lists->start[me];
        bool pushes = s->bodies[me].push_cosine < INFINITY;
        for (uint32_t i = 0; pushes && i < s->lists->length[me]; i++) s->takes[list[i]] = true;
    }
}

/* Those on whom others bring about forces, and room for who does. Objects are only pushed, and most of them by nobody.
 */
static void list_targets(const throng_forces_job *job) {
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    size_t count = 0;
    for (size_t k = 0; k < step->mine_count; k++) {
        s->targets[count] = s->ordered[k];
        count += s->law[s->ordered[k]]->params->forces > 0;
    }
    if (step->guest_count > 0) mark_pushed(job);
    for (size_t g = 0; g < step->guest_count; g++) {
        s->targets[count] = step->near->slot[step->people.count + g];
        count += s->takes[s->targets[count]];
    }
    s->target_count = count;
    size_t blocks = count_blocks(s), more = s->block_capacity;
    THRONG_GROW(s->pairs, s->pair_capacity, 4 * blocks * throng_forces_pair_room(s));
    THRONG_GROW(s->hit_count, more, blocks);
    THRONG_GROW(s->push_count, s->block_capacity, blocks);
}

static inline void add_force(throng_forces *s, uint32_t me, double x, double y) {
    s->f_x[me] += x;
    s->f_y[me] += y;
    s->load[me] += sqrt(x * x + y * y);
}

/* Walls that somebody touches take what presses it against them. Otherwise the half-plane of a force that is nearly
 * perpendicular to a wall would only be kept by who runs along it. Of several walls the one pressed hardest is told of.
 */
static void lean_on_walls(const throng_forces_job *job, uint32_t me) {
    throng_forces *s = job->s;
    const throng_walls *walls = job->step->walls;
    const throng_wall_near *some = s->walls + (size_t)me * THRONG_FORCES_WALLS;
    double x = s->near.x[me], y = s->near.y[me], reach = s->near.radius[me] + touch, hardest = 0;
    size_t count = 0;
    while (count < s->wall_count[me] && some[count].distance2 < reach * reach) count++;
    if (count == 0) return;
    double fx = s->f_x[me], fy = s->f_y[me];
    for (size_t i = 0; i < count; i++) {
        throng_point at = throng_wall_nearest_point(walls, some[i].wall, x, y);
        double nx = x - at.x, ny = y - at.y, distance = sqrt(nx * nx + ny * ny);
        if (!(distance > 0)) continue;
        double into = -(fx * nx + fy * ny) / distance;
        if (!(into > 0)) continue;
        fx += into * nx / distance;
        fy += into * ny / distance;
        if (into > hardest) hardest = into, s->leant_wall[me] = some[i].wall;
        s->load[me] += into;
    }
    /* between two walls nothing may be left but what would lead into the first of them again */
    for (size_t i = 0; i < count && hardest > 0; i++) {
        throng_point at = throng_wall_nearest_point(walls, some[i].wall, x, y);
        double nx = x - at.x, ny = y - at.y;
        if (fx * nx + fy * ny < -1e-9 * (fabs(fx) + fabs(fy))) fx = fy = 0;
    }
    s->f_x[me] = fx;
    s->f_y[me] = fy;
    s->leant[me] = hardest;
}

/* A wall in the way of who pushes is pushed as somebody would be, which changes nobody's part. */
static void push_wall(const throng_forces_job *job, uint32_t me) {
    throng_forces *s = job->s;
    const throng_forces_law *law = s->law[me];
    const throng_forces_body *b = &s->bodies[me];
    if (!(b->push_cosine < INFINITY) || s->wall_count[me] == 0) return;
    s->pushed_wall[me] = throng_forces_wall_ahead(job, me, b->ahead_x, b->ahead_y, law->push_cosine);
    s->pushed[me] = law->params->strength / (b->others + 1);
}

static void find_forces(void *context, size_t begin, size_t end, int worker) {
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = step->mine[k], row = s->near.row[me];
        bool knows = s->law[me]->params->forces > 0;
        if (knows && job->first && (step->people.impulse_x[row] != 0 || step->people.impulse_y[row] != 0))
            add_force(s, me, step->people.impulse_x[row] / step->dt, step->people.impulse_y[row] / step->dt);
        s->leant_wall[me] = s->pushed_wall[me] = UINT32_MAX;
        if (knows) push_wall(job, me);
        if (s->wall_count[me] > 0 && s->load[me] > THRONG_FORCES_LEAST) lean_on_walls(job, me);
    }
    job->kernel->make_lines(job, begin, end, worker);
}

void throng_forces_contact(throng_forces_job *job) {
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, s->near.count, GRAIN, job->kernel->take_bodies, job);
    copy_to_images(job);
    list_targets(job);
    throng_parallel_for(step->crew, count_blocks(s), 1, job->kernel->find_contacts, job);
    copy_to_images(job); /* they share, too */
    throng_parallel_for(step->crew, count_blocks(s), 1, job->kernel->add_contacts, job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, find_forces, job);
    for (size_t g = 0; g < step->guest_count; g++) {
        uint32_t slot = step->near->slot[step->people.count + g];
        step->shove_x[g] += job->share * s->f_x[slot];
        step->shove_y[g] += job->share * s->f_y[slot];
    }
}
