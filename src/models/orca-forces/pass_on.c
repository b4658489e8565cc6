/* pass_on.c: forces for the next sub-step. What a force asks of somebody and it did not do (resistive force, 002 eq. 8,
 * 9), or, where no force acted, what slowed it down (deceleration force, eq. 6, 7), goes in equal parts to those in
 * front of it. Walls in front take a part as if they were people; that changes nobody's part. */

#include <math.h>
#include <string.h>

#include "models/orca-forces/forces.h"

enum { GRAIN = 256 };

/* A force and the middle of the cone of those it goes to. */
typedef struct push {
    double x, y;             /* N */
    double ahead_x, ahead_y; /* unit */
    double cosine;           /* of the cone's angle */
} push;

/* The part of v + f h / m along f that is missing in the new velocity (decided so instead of the whole vector: to be
 * faster than f asks for is no resistance). */
static bool resist(const throng_forces_job *job, uint32_t me, double new_x, double new_y, push *out) {
    const throng_forces *s = job->s;
    const throng_forces_law *law = s->law[me];
    double h = job->step->dt, mass = s->mass[me], x = s->f_x[me], y = s->f_y[me], size = sqrt(x * x + y * y);
    double to_x = s->near.vx[me] + x * h / mass, to_y = s->near.vy[me] + y * h / mass;
    double missing = ((to_x - new_x) * x + (to_y - new_y) * y) / size;
    if (!(missing > THRONG_FORCES_SPEED_LEAST)) return false;
    double scale = law->params->transfer * mass * missing / h / size, speed = sqrt(to_x * to_x + to_y * to_y);
    *out = (push){scale * x, scale * y, x / size, y / size, law->resist_cosine};
    if (speed > THRONG_FORCES_SPEED_LEAST) out->ahead_x = to_x / speed, out->ahead_y = to_y / speed;
    return true;
}

static bool decelerate(const throng_forces_job *job, uint32_t me, double new_x, double new_y, push *out) {
    const throng_forces *s = job->s;
    const throng_forces_law *law = s->law[me];
    double vx = s->near.vx[me], vy = s->near.vy[me], dx = new_x - vx, dy = new_y - vy;
    double speed = sqrt(vx * vx + vy * vy), change = sqrt(dx * dx + dy * dy);
    if (!(speed > THRONG_FORCES_SPEED_LEAST && change > THRONG_FORCES_SPEED_LEAST)) return false;
    if (!(dx * vx + dy * vy < -law->decelerate_cosine * change * speed)) return false;
    double scale = -law->params->transfer * s->mass[me] / job->step->dt;
    *out = (push){scale * dx, scale * dy, vx / speed, vy / speed, law->decelerate_cosine};
    return true;
}

uint32_t throng_forces_wall_ahead(const throng_forces_job *job, uint32_t me, double ahead_x, double ahead_y,
                                  double cosine) {
    const throng_forces *s = job->s;
    const throng_walls *walls = job->step->walls;
    const throng_wall_near *some = s->walls + (size_t)me * THRONG_FORCES_WALLS;
    double x = s->near.x[me], y = s->near.y[me], reach = s->near.radius[me] + s->law[me]->reach;
    for (size_t i = 0; i < s->wall_count[me] && some[i].distance2 < reach * reach; i++) {
        throng_point at = throng_wall_nearest_point(walls, some[i].wall, x, y);
        double dx = at.x - x, dy = at.y - y;
        if (throng_forces_ahead(dx, dy, dx * dx + dy * dy, ahead_x, ahead_y, cosine)) return some[i].wall;
    }
    return UINT32_MAX;
}

static void give(const throng_forces_job *job, uint32_t me, const push *p) {
    throng_forces *s = job->s;
    throng_forces_gift gift = {p->x, p->y, p->ahead_x, p->ahead_y, p->cosine, s->law[me]->reach};
    unsigned count = job->kernel->count_ahead(job, me, &gift);
    double part = count ? 1 / (double)count : 0;
    gift.x *= part;
    gift.y *= part;
    s->gifts[me] = gift;
    s->gives[me] = gift.x != 0 || gift.y != 0;
    uint32_t wall = throng_forces_wall_ahead(job, me, p->ahead_x, p->ahead_y, p->cosine);
    if (wall == UINT32_MAX) return;
    part = 1 / (double)(count + 1);
    s->pressed_wall[me] = wall;
    s->pressed_x[me] = part * p->x;
    s->pressed_y[me] = part * p->y;
}

void throng_forces_give(const throng_forces_job *job, uint32_t me, bool pushed) {
    const throng_forces *s = job->s;
    uint32_t row = s->near.row[me];
    double new_x = job->step->next_vx[row], new_y = job->step->next_vy[row];
    push p;
    if (!s->law[me]->params->forces) return;
    if (pushed ? resist(job, me, new_x, new_y, &p) : decelerate(job, me, new_x, new_y, &p)) give(job, me, &p);
}

/* Whether somebody is one of those to whom a gift goes from where its giver, or an image of it, is. */
static bool is_given(const throng_forces_gift *gift, const throng_forces_body *from, const throng_forces_body *to) {
    double dx = to->x - from->x, dy = to->y - from->y, d2 = dx * dx + dy * dy;
    double far = to->radius + from->radius + gift->reach;
    return d2 < far * far && throng_forces_ahead(dx, dy, d2, gift->ahead_x, gift->ahead_y, gift->cosine);
}

/* What comes to somebody. */
static throng_point gather_gifts(const throng_forces_job *job, uint32_t me) {
    const throng_forces *s = job->s;
    const uint32_t *list = s->lists->slot + s->lists->start[me];
    throng_point sum = {0, 0};
    for (uint32_t i = 0; i < s->lists->length[me]; i++) {
        uint32_t source = throng_forces_source(job, list[i]);
        if (!s->gives[source] || !is_given(&s->gifts[source], &s->bodies[list[i]], &s->bodies[me])) continue;
        sum.x += s->gifts[source].x;
        sum.y += s->gifts[source].y;
    }
    return sum;
}

/* Marks those to whom something goes: few give. Across seams it is not worth the search. */
static void mark_takers(const throng_forces_job *job) {
    throng_forces *s = job->s;
    const size_t count = s->near.count;
    memset(s->takes, job->images, count * sizeof *s->takes);
    if (job->images) return;
    for (const bool *next = s->gives; (next = memchr(next, true, count - (size_t)(next - s->gives))) != NULL; next++) {
        size_t giver = (size_t)(next - s->gives);
        const uint32_t *list = s->lists->slot + s->lists->start[giver];
        for (uint32_t i = 0; i < s->lists->length[giver]; i++) {
            s->takes[list[i]] |= is_given(&s->gifts[giver], &s->bodies[giver], &s->bodies[list[i]]);
        }
    }
}

static void take_gifts(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces_job *job = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = job->step->mine[k], row = job->s->near.row[me];
        throng_point sum = {0, 0};
        if (job->s->takes[me] && job->s->law[me]->params->forces) sum = gather_gifts(job, me);
        job->carry_x[row] = sum.x;
        job->carry_y[row] = sum.y;
    }
}

void throng_forces_pass_on(throng_forces_job *job) {
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, step->mine_count, GRAIN, job->kernel->find_gifts, job);
    mark_takers(job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, take_gifts, job);
    for (size_t g = 0; g < step->guest_count; g++) {
        throng_point sum = gather_gifts(job, step->near->slot[step->people.count + g]);
        step->shove_x[g] += job->share * sum.x;
        step->shove_y[g] += job->share * sum.y;
    }
}
