/* contact.c: the forces that act in a sub-step, and the half-plane that they leave of each person's velocities. */

#include <math.h>

#include "models/orca-forces/forces.h"

enum { GRAIN = 256 };

static const double force_least = 1e-6; /* N: less is no force */
static const double speed_part =
    0.95; /* of the maximal speed: more than this no force asks for, or it could ask in vain */

/* Whether somebody pushes who is in its way (sec. 4.1: it wants to, or all do where they are held up). */
static bool does_push(const throng_forces *s, uint32_t me, double wish) {
    const throng_forces_params *p = s->law[me]->params;
    if (!(wish > 0) || p->pushing == THRONG_PUSHES_NEVER) return false;
    double along = (s->near.vx[me] * s->wish_x[me] + s->near.vy[me] * s->wish_y[me]) / wish;
    return p->pushing == THRONG_PUSHES_ALWAYS || along < p->patience * wish;
}

/* Whether `other` is near enough to `me`, and in front of it, to be pushed by it. */
static bool is_in_the_way(const throng_forces *s, uint32_t me, double dx, double dy, double radii, double wish_x,
                          double wish_y, double wish) {
    const throng_forces_law *law = s->law[me];
    double d2 = dx * dx + dy * dy, far = radii + law->params->reach;
    return d2 < far * far && throng_forces_ahead(dx, dy, sqrt(d2), wish_x / wish, wish_y / wish, law->push_cosine);
}

/* How hard everybody pushes each of those in its way: 002 eq. 4, with f_p = 1 / their number. */
static void find_pushes(void *context, size_t begin, size_t end, int worker) {
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_near *near = &s->near;
    uint64_t pushes = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = job->step->mine[k];
        const throng_forces_params *p = s->law[me]->params;
        double wish_x = s->wish_x[me], wish_y = s->wish_y[me], wish = sqrt(wish_x * wish_x + wish_y * wish_y);
        s->push[me] = 0;
        if (!p->forces || !does_push(s, me, wish)) continue;
        const uint32_t *list = s->lists->slot + s->lists->start[me];
        size_t count = 0;
        for (uint32_t i = 0; i < s->lists->length[me]; i++) {
            uint32_t other = list[i];
            count += is_in_the_way(s, me, near->x[other] - near->x[me], near->y[other] - near->y[me],
                                   near->radius[me] + near->radius[other], wish_x, wish_y, wish);
        }
        if (count == 0) continue;
        s->push[me] = p->strength / (double)count;
        pushes++;
    }
    s->counts[worker].pushes += pushes;
}

/* Forces on somebody, summed. */
typedef struct sum {
    double x, y; /* N */
    double load; /* N, the sum of sizes */
} sum;

static inline void add(sum *f, double x, double y) {
    f->x += x;
    f->y += y;
    f->load += sqrt(x * x + y * y);
}

/* The impulse of two who touch and come closer, over h (eq. 5; n leads to `me`). */
static void collide(const throng_forces_job *job, uint32_t me, uint32_t other, double dx, double dy, double distance,
                    sum *f) {
    const throng_forces *s = job->s;
    const throng_near *near = &s->near;
    if (!(distance > 0)) return; /* no direction: they are pushed out of each other */
    double nx = -dx / distance, ny = -dy / distance;
    double closing = (near->vx[me] - near->vx[other]) * nx + (near->vy[me] - near->vy[other]) * ny;
    if (!(closing < 0)) return;
    const throng_forces_law *theirs = s->law[throng_forces_source(job, other)];
    double e = s->law[me]->params->restitution;
    if (theirs) e = 0.5 * (e + theirs->params->restitution);
    double impulse = -(1 + e) * closing / (1 / s->mass[me] + 1 / s->mass[other]);
    add(f, impulse / job->step->dt * nx, impulse / job->step->dt * ny);
}

/* What somebody at (dx, dy) from here who pushes gives (eq. 4); source is where it is known what it wants. */
static void be_pushed(const throng_forces_job *job, uint32_t source, uint32_t by, double dx, double dy, double radii,
                      double *x, double *y) {
    const throng_forces *s = job->s;
    double wish_x = s->wish_x[source], wish_y = s->wish_y[source], wish = sqrt(wish_x * wish_x + wish_y * wish_y);
    if (!is_in_the_way(s, source, -dx, -dy, radii, wish_x, wish_y, wish)) return;
    /* away from where the other will be, unless it will be past */
    double h = job->step->dt, ux = -dx - s->near.vx[by] * h, uy = -dy - s->near.vy[by] * h;
    if (ux * wish_x + uy * wish_y <= 0) ux = -dx, uy = -dy;
    double length = sqrt(ux * ux + uy * uy);
    if (!(length > 0)) return;
    *x += s->push[source] * ux / length;
    *y += s->push[source] * uy / length;
}

static sum gather_forces(const throng_forces_job *job, uint32_t me) {
    const throng_forces *s = job->s;
    const throng_near *near = &s->near;
    uint32_t row = near->row[me];
    sum f = {0, 0, 0};
    add(&f, job->carry_x[row], job->carry_y[row]);
    if (job->first) add(&f, job->step->impulse_x[row] / job->step->dt, job->step->impulse_y[row] / job->step->dt);
    const uint32_t *list = s->lists->slot + s->lists->start[me];
    for (uint32_t i = 0; i < s->lists->length[me]; i++) {
        uint32_t other = list[i], source = throng_forces_source(job, other);
        double dx = near->x[other] - near->x[me], dy = near->y[other] - near->y[me];
        double radii = near->radius[me] + near->radius[other], d2 = dx * dx + dy * dy;
        bool is_guest = near->row[other] >= job->step->count; /* contacts with objects come as impulses */
        if (d2 < radii * radii && !is_guest) collide(job, me, other, dx, dy, sqrt(d2), &f);
        if (!(s->push[source] > 0)) continue;
        double x = 0, y = 0;
        be_pushed(job, source, other, dx, dy, radii, &x, &y);
        add(&f, x, y);
    }
    return f;
}

/* The half-plane v . f / |f| >= (v + f h / m) . f / |f| (eq. 11, 12). */
static bool make_line(const throng_forces_job *job, uint32_t me) {
    throng_forces *s = job->s;
    double x = s->f_x[me], y = s->f_y[me], size = sqrt(x * x + y * y);
    s->own_x[me] = s->own_y[me] = 0;
    s->own_c[me] = -INFINITY;
    if (!(size > force_least)) return false;
    double nx = x / size, ny = y / size, most = speed_part * job->step->max_speed[s->near.row[me]];
    double least = s->near.vx[me] * nx + s->near.vy[me] * ny + size * job->step->dt / s->mass[me];
    s->own_x[me] = ny;
    s->own_y[me] = -nx;
    s->own_c[me] = least < most ? least : most;
    return least > most;
}

static void find_forces(void *context, size_t begin, size_t end, int worker) {
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    uint64_t limited = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = job->step->mine[k];
        sum f = {0, 0, 0};
        if (s->law[me]->params->forces) f = gather_forces(job, me);
        s->f_x[me] = f.x;
        s->f_y[me] = f.y;
        s->load[me] = f.load;
        limited += make_line(job, me);
    }
    s->counts[worker].limited += limited;
}

void throng_forces_contact(throng_forces_job *job) {
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, step->mine_count, GRAIN, find_pushes, job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, find_forces, job);
    /* those of objects are gathered for each of them in the order of its list */
    for (size_t g = 0; g < step->guest_count; g++) {
        uint32_t me = step->near->slot[step->count + g];
        const uint32_t *list = job->s->lists->slot + job->s->lists->start[me];
        double x = 0, y = 0;
        for (uint32_t i = 0; i < job->s->lists->length[me]; i++) {
            uint32_t other = list[i], source = throng_forces_source(job, other);
            if (!(job->s->push[source] > 0)) continue;
            const throng_near *near = step->near;
            be_pushed(job, source, other, near->x[other] - near->x[me], near->y[other] - near->y[me],
                      near->radius[me] + near->radius[other], &x, &y);
        }
        step->shove_x[g] += job->share * x;
        step->shove_y[g] += job->share * y;
    }
}
