/* core.c: bodies that must not overlap, if asked for.
 *
 * Personal space gives way without limit. With `hard_core` discs of people's radii do not: ways that would bring two of
 * them nearer than they can be are first bent apart (a few sweeps, everybody gathers its own), and what is then still
 * too near goes only so much of its way that neither takes more than half of the gap between them. So who did not
 * overlap at the start of a sub-step does not at its end. Foreign people and images are kept clear of in the same way;
 * they do not yield. */

#include <math.h>

#include "models/cpd/cpd.h"
#include "space/near_list.h"

enum { GRAIN = 256, SWEEPS = 6 };

static const double room = 1e-4; /* m that bodies stay apart, so that rounding does no harm */

static bool is_hard(const throng_cpd *s, uint32_t slot) {
    const throng_cpd_params *p = s->now->params[s->now->people.profile[s->near->row[slot]]];
    return p && p->hard_core != 0;
}

/* Where somebody will be: of those who do not move here, where they go in this sub-step. */
static throng_point end_of(const throng_cpd *s, uint32_t slot) {
    uint32_t self = s->body[slot].slot;
    if (s->body[slot].kind == THRONG_CPD_FOREIGN || s->body[self].kind == THRONG_CPD_FOREIGN)
        return (throng_point){s->x[slot] + s->t * s->near->vx[slot], s->y[slot] + s->t * s->near->vy[slot]};
    return (throng_point){s->x[slot] + (s->to_x[self] - s->x[self]), s->y[slot] + (s->to_y[self] - s->y[self])};
}

/* --- sweeps: to_x, to_y -> force_x, force_y, which are free by now */

static void sweep_one(throng_cpd *s, uint32_t i) {
    const throng_near_lists *lists = s->lists;
    throng_point at = {s->to_x[i], s->to_y[i]}, sum = {0, 0};
    double r = s->near->radius[i];
    for (uint32_t k = lists->start[i]; k < lists->start[i] + lists->length[i]; k++) {
        uint32_t j = lists->slot[k];
        throng_point other = end_of(s, j);
        double dx = at.x - other.x, dy = at.y - other.y, d = sqrt(dx * dx + dy * dy);
        double wanted = r + s->near->radius[j] + room;
        if (d >= wanted || d < 1e-9) continue;
        double part = is_hard(s, j) ? 0.5 : 1, push = part * (wanted - d) / d;
        sum.x += push * dx;
        sum.y += push * dy;
    }
    double length = sqrt(sum.x * sum.x + sum.y * sum.y), scale = length > r ? r / length : 1;
    double way_x = at.x + scale * sum.x - s->x[i], way_y = at.y + scale * sum.y - s->y[i];
    if (length > 0) throng_cpd_keep_off_walls(s, i, &way_x, &way_y);
    s->force_x[i] = s->x[i] + way_x;
    s->force_y[i] = s->y[i] + way_y;
}

static void sweep_people(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) {
        if (is_hard(s, s->now->mine[k])) sweep_one(s, s->now->mine[k]);
    }
}

static void take_sweep(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = s->now->mine[k];
        if (!is_hard(s, i)) continue;
        s->to_x[i] = s->force_x[i];
        s->to_y[i] = s->force_y[i];
    }
}

/* --- how much of its way somebody may go: -> force_x */

static double part_of_way(const throng_cpd *s, uint32_t i) {
    const throng_near_lists *lists = s->lists;
    double way_x = s->to_x[i] - s->x[i], way_y = s->to_y[i] - s->y[i], part = 1;
    for (uint32_t k = lists->start[i]; k < lists->start[i] + lists->length[i]; k++) {
        uint32_t j = lists->slot[k];
        double dx = s->x[j] - s->x[i], dy = s->y[j] - s->y[i], d = sqrt(dx * dx + dy * dy);
        double gap = d - s->near->radius[i] - s->near->radius[j];
        if (d < 1e-9) continue;
        double towards = (way_x * dx + way_y * dy) / d, most = 0.5 * gap;
        if (!is_hard(s, j)) { /* it goes its way */
            throng_point to = end_of(s, j);
            most = gap + ((to.x - s->x[j]) * dx + (to.y - s->y[j]) * dy) / d;
        }
        if (towards > 0 && towards * part > most) part = most > 0 ? most / towards : 0;
    }
    return part;
}

static void limit_people(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = s->now->mine[k];
        s->force_x[i] = is_hard(s, i) ? part_of_way(s, i) : 1;
    }
}

/* At the end of a step. */
static void write_one(const throng_cpd *s, uint32_t slot) {
    const throng_step *now = s->now;
    uint32_t row = s->near->row[slot];
    now->next_x[row] = s->x[slot];
    now->next_y[row] = s->y[slot];
    now->next_vx[row] = s->vx[slot];
    now->next_vy[row] = s->vy[slot];
    if (now->wanted) ((throng_cpd_space *)now->columns[0])[row] = (throng_cpd_space){s->area[slot], s->smooth[slot]};
}

void throng_cpd_arrive_one(throng_cpd *s, uint32_t slot, double way_x, double way_y) {
    s->x[slot] += way_x;
    s->y[slot] += way_y;
    if (s->substep + 1 == s->substep_count) write_one(s, slot);
}

static void arrive_people(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = s->now->mine[k];
        double way_x = s->to_x[i] - s->x[i], way_y = s->to_y[i] - s->y[i];
        if (is_hard(s, i)) {
            way_x *= s->force_x[i];
            way_y *= s->force_x[i];
            s->vx[i] = way_x / s->t;
            s->vy[i] = way_y / s->t;
        }
        throng_cpd_arrive_one(s, i, way_x, way_y);
    }
}

void throng_cpd_list_bodies(throng_cpd *s) {
    const throng_step *now = s->now;
    double fastest = 0;
    for (size_t k = 0; k < now->people.count; k++) {
        double own = fmin(now->people.max_speed[k], fmax(now->people.desired_speed[k], 0.1));
        fastest =
            fmax(fastest, now->params[now->people.profile[k]]
                              ? own
                              : sqrt(now->people.vx[k] * now->people.vx[k] + now->people.vy[k] * now->people.vy[k]));
    }
    /* sweeps may push somebody by a radius each; who is pushed farther than this meets others in the next step */
    double reach = 2 * (s->near->radius_max + fastest * now->dt) + s->near->radius_max;
    throng_near_lists_build(s->lists, s->near, now->crew, reach, now->simd);
}

void throng_cpd_arrive(throng_cpd *s) {
    throng_crew *crew = s->now->crew;
    size_t count = s->now->mine_count;
    if (!s->any_hard) return;
    for (int k = 0; k < SWEEPS; k++) {
        throng_parallel_for(crew, count, GRAIN, sweep_people, s);
        throng_parallel_for(crew, count, GRAIN, take_sweep, s);
    }
    throng_parallel_for(crew, count, GRAIN, limit_people, s);
    throng_parallel_for(crew, count, GRAIN, arrive_people, s);
}
