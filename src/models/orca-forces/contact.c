/* contact.c: the forces that act in a sub-step, and the half-plane that they leave of each person's velocities. */

#include <math.h>

#include "models/orca-forces/forces.h"

enum { GRAIN = 256 };

static const double force_least = 1e-6; /* N: less is no force */
static const double speed_part = 0.95;  /* of the maximal speed: no force asks for more, or it would ask in vain */

/* Whether somebody pushes who is in its way (sec. 4.1: it wants to, or all do where they are held up). */
static bool does_push(const throng_forces_body *b, const throng_forces_params *p, double wish) {
    if (!(wish > 0) || p->pushing == THRONG_PUSHES_NEVER) return false;
    double along = b->vx * b->ahead_x + b->vy * b->ahead_y;
    return p->pushing == THRONG_PUSHES_ALWAYS || along < p->patience * wish;
}

/* Whether somebody (dx, dy) away is near enough and in front, to be pushed. */
static inline bool is_in_the_way(const throng_forces_body *b, const throng_forces_law *law, double dx, double dy,
                                 double radii) {
    double d2 = dx * dx + dy * dy, far = radii + law->reach;
    return d2 < far * far && throng_forces_ahead(dx, dy, d2, b->ahead_x, b->ahead_y, law->push_cosine);
}

/* Where everybody is, and what it does. */
static void take_bodies(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_near *near = &s->near;
    for (size_t slot = begin; slot < end; slot++) {
        throng_forces_body b = {
            near->x[slot], near->y[slot], near->vx[slot], near->vy[slot], near->radius[slot], 0, 0, 0};
        s->bodies[slot] = b;
    }
}

/* How hard everybody pushes each of those in its way: 002 eq. 4, with f_p = 1 / their number. */
static void find_pushes(void *context, size_t begin, size_t end, int worker) {
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    uint64_t pushes = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = step->mine[k], row = s->near.row[me];
        const throng_forces_law *law = s->law[me];
        throng_forces_body *b = &s->bodies[me];
        double wish_x = step->wish_x[row], wish_y = step->wish_y[row], wish = sqrt(wish_x * wish_x + wish_y * wish_y);
        if (!law->params->forces || !(wish > 0)) continue;
        b->ahead_x = wish_x / wish;
        b->ahead_y = wish_y / wish;
        if (!does_push(b, law->params, wish)) continue;
        const uint32_t *list = s->lists->slot + s->lists->start[me];
        size_t count = 0;
        for (uint32_t i = 0; i < s->lists->length[me]; i++) {
            const throng_forces_body *o = &s->bodies[list[i]];
            count += is_in_the_way(b, law, o->x - b->x, o->y - b->y, b->radius + o->radius);
        }
        if (count == 0) continue;
        b->push = law->params->strength / (double)count;
        pushes++;
    }
    s->counts[worker].pushes += pushes;
}

/* Forces on somebody, summed. */
typedef struct sum {
    double x, y; /* N */
    double load; /* N, the sum of sizes */
} sum;

static inline void add(sum *f, double x, double y, double size) {
    f->x += x;
    f->y += y;
    f->load += size;
}

/* The impulse of two who touch and come closer, over h (eq. 5; n leads to `me`). */
static void collide(const throng_forces_job *job, uint32_t me, uint32_t other, double dx, double dy, double distance,
                    sum *f) {
    const throng_forces *s = job->s;
    const throng_forces_body *b = &s->bodies[me], *o = &s->bodies[other];
    if (!(distance > 0)) return; /* no direction: they are pushed out of each other */
    double nx = -dx / distance, ny = -dy / distance;
    double closing = (b->vx - o->vx) * nx + (b->vy - o->vy) * ny;
    if (!(closing < 0)) return;
    const throng_forces_law *theirs = s->law[throng_forces_source(job, other)];
    double e = s->law[me]->params->restitution;
    if (theirs) e = 0.5 * (e + theirs->params->restitution);
    double impulse = -(1 + e) * closing / (1 / s->mass[me] + 1 / s->mass[other]), force = impulse / job->step->dt;
    add(f, force * nx, force * ny, force);
}

/* What somebody at (dx, dy) from here who pushes gives (eq. 4); source is where it is known what it wants. */
static inline void be_pushed(const throng_forces_job *job, uint32_t source, double dx, double dy, double radii,
                             sum *f) {
    const throng_forces *s = job->s;
    const throng_forces_body *o = &s->bodies[source];
    if (!is_in_the_way(o, s->law[source], -dx, -dy, radii)) return;
    /* away from where the other will be, unless it will be past */
    double h = job->step->dt, x = -dx - o->vx * h, y = -dy - o->vy * h;
    if (x * o->ahead_x + y * o->ahead_y <= 0) x = -dx, y = -dy;
    double length2 = x * x + y * y;
    if (!(length2 > 0)) return;
    double scale = o->push / sqrt(length2);
    add(f, scale * x, scale * y, o->push);
}

static sum gather_forces(const throng_forces_job *job, uint32_t me) {
    const throng_forces *s = job->s;
    const throng_forces_body *b = &s->bodies[me];
    uint32_t row = s->near.row[me];
    double x = job->carry_x[row], y = job->carry_y[row], h = job->step->dt;
    sum f = {x, y, sqrt(x * x + y * y)};
    if (job->first) {
        x = job->step->impulse_x[row], y = job->step->impulse_y[row];
        add(&f, x / h, y / h, sqrt(x * x + y * y) / h);
    }
    const uint32_t *list = s->lists->slot + s->lists->start[me];
    for (uint32_t i = 0; i < s->lists->length[me]; i++) {
        uint32_t other = list[i], source = throng_forces_source(job, other);
        const throng_forces_body *o = &s->bodies[other];
        double dx = o->x - b->x, dy = o->y - b->y, radii = b->radius + o->radius, d2 = dx * dx + dy * dy;
        bool is_guest = s->near.row[other] >= job->step->count; /* contacts with objects come as impulses */
        if (d2 < radii * radii && !is_guest) collide(job, me, other, dx, dy, sqrt(d2), &f);
        if (s->bodies[source].push > 0) be_pushed(job, source, dx, dy, radii, &f);
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

/* What people who push give to an object. */
static throng_point gather_shove(const throng_forces_job *job, uint32_t me) {
    const throng_forces *s = job->s;
    const throng_forces_body *b = &s->bodies[me];
    const uint32_t *list = s->lists->slot + s->lists->start[me];
    sum f = {0, 0, 0};
    for (uint32_t i = 0; i < s->lists->length[me]; i++) {
        const throng_forces_body *o = &s->bodies[list[i]];
        uint32_t source = throng_forces_source(job, list[i]);
        if (s->bodies[source].push > 0) be_pushed(job, source, o->x - b->x, o->y - b->y, b->radius + o->radius, &f);
    }
    return (throng_point){f.x, f.y};
}

void throng_forces_contact(throng_forces_job *job) {
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, job->s->near.count, GRAIN, take_bodies, job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, find_pushes, job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, find_forces, job);
    for (size_t g = 0; g < step->guest_count; g++) {
        throng_point shove = gather_shove(job, step->near->slot[step->count + g]);
        step->shove_x[g] += job->share * shove.x;
        step->shove_y[g] += job->share * shove.y;
    }
}
