/* decide_kernel.h: the forces on a person, from four others at a time, and what becomes of it. Built
 * twice, by decide.c and decide_avx2.c.
 *
 * Most people are not on a collision course with most of their neighbours. A first look sorts those
 * out with a few products; who is left is put on a list, and only for these roots, quotients and
 * exponentials are taken. Forces are summed in the order of slots, lane by lane, so the sum does not
 * depend on who computes it. */

#include <math.h>

#include "base/wide_exp.h"
#include "models/powerlaw/powerlaw.h"
#include "space/near_kernel.h"

enum { LIST = 64 }; /* people on collision course to be dealt with at once */

#define SLOWEST2 1e-5 /* m^2/s^2: slower approaches are none */
/* Neither tau nor the root may vanish: what lies below is beyond any clamp, and must stay finite. */
#define LEAST_C 1e-9  /* m^2 */
#define LEAST_D 1e-18 /* m^4/s^2 */
#define LEAST_Q 1e-9  /* m */

/* People as somebody sees them: the ways to them, how they come closer, and the sums of radii. */
typedef struct sight {
    wide qx, qy, wx, wy, r;
} sight;

/* Somebody who decides, and who is on collision course with it. */
typedef struct walker {
    uint32_t slot, row;
    const throng_powerlaw_params *params;
    wide x, y, vx, vy, radius;
    wide force_x, force_y; /* m/s^2, by lane */
    size_t count;          /* on the list: */
    double qx[LIST + THRONG_WIDTH], qy[LIST + THRONG_WIDTH], wx[LIST + THRONG_WIDTH], wy[LIST + THRONG_WIDTH],
        r[LIST + THRONG_WIDTH];
} walker;

/* E(tau) (m / tau + 1 / tau0), given both tau and its inverse. */
static inline wide steepness(const throng_powerlaw_params *p, wide tau, wide inverse) {
    wide decay = wide_mul(tau, wide_all(-1.0 / p->tau0)), energy;
    if (p->m == 2) {
        energy = wide_mul(wide_mul(inverse, inverse), wide_exp(decay));
    } else {
        energy = wide_exp(wide_add(wide_mul(wide_log(inverse), wide_all(p->m)), decay));
    }
    wide rate = wide_add(wide_mul(inverse, wide_all(p->m)), wide_all(1.0 / p->tau0));
    return wide_mul(wide_mul(energy, wide_all(p->k)), rate);
}

/* Those who overlap by some depth are driven apart, by a spring and a damper that just does not let it swing. */
static inline void push_apart(walker *me, const sight *s, wide depth, wide distance) {
    double spring = me->params->separation, damper = 2 * sqrt(spring);
    wide over = wide_div(wide_all(-1.0), wide_max(distance, wide_all(LEAST_Q)));
    wide parting = wide_mul(over, wide_add(wide_mul(s->qx, s->wx), wide_mul(s->qy, s->wy)));
    wide push = wide_sub(wide_mul(wide_all(spring), depth), wide_mul(wide_all(damper), parting));
    push = wide_mul(over, wide_keep(wide_less(wide_all(0.0), depth), wide_max(push, wide_all(0.0))));
    me->force_x = wide_add(me->force_x, wide_mul(push, s->qx));
    me->force_y = wide_add(me->force_y, wide_mul(push, s->qy));
}

/* The forces that four exert. */
static inline void add_forces(walker *me, const sight *s) {
    const wide zero = wide_all(0.0);
    wide qx = s->qx, qy = s->qy, wx = s->wx, wy = s->wy, r = s->r;
    wide q2 = wide_add(wide_mul(qx, qx), wide_mul(qy, qy));
    /* who overlap look at discs just small enough to be apart, unless they are deep in each other */
    wide_mask touching = wide_less(q2, wide_mul(r, r));
    if (wide_bits(touching)) {
        wide distance = wide_sqrt(q2), depth = wide_sub(r, distance);
        push_apart(me, s, wide_keep(touching, depth), distance);
        r = wide_select(touching, depth, r);
    }

    wide a = wide_add(wide_mul(wx, wx), wide_mul(wy, wy)), b = wide_add(wide_mul(qx, wx), wide_mul(qy, wy));
    wide c = wide_sub(q2, wide_mul(r, r)), d = wide_sub(wide_mul(b, b), wide_mul(a, c));
    wide_mask meet = wide_and(wide_and(wide_less(zero, b), wide_less(zero, d)),
                              wide_and(wide_less(wide_all(SLOWEST2), a), wide_less(zero, c)));
    a = wide_select(meet, a, wide_all(1.0));
    b = wide_select(meet, b, wide_all(1.0));
    c = wide_max(wide_select(meet, c, wide_all(1.0)), wide_all(LEAST_C));
    wide root = wide_sqrt(wide_max(wide_select(meet, d, wide_all(1.0)), wide_all(LEAST_D)));

    wide sum = wide_add(b, root);
    wide inverse = wide_div(sum, c);
    wide scale = wide_div(steepness(me->params, wide_div(c, sum), inverse), wide_mul(a, root));
    /* scale * (b w - a q - root w) */
    wide along = wide_sub(b, root);
    wide fx = wide_mul(scale, wide_sub(wide_mul(along, wx), wide_mul(a, qx)));
    wide fy = wide_mul(scale, wide_sub(wide_mul(along, wy), wide_mul(a, qy)));
    me->force_x = wide_add(me->force_x, wide_keep(meet, fx));
    me->force_y = wide_add(me->force_y, wide_keep(meet, fy));
}

/* Deals with those on the list, in groups of four; an incomplete group stays on it, unless it is the
 * last one. */
static inline void use_list(walker *me, bool last) {
    double *columns[] = {me->qx, me->qy, me->wx, me->wy, me->r};
    if (last) { /* who stands still with regard to somebody is not in its way */
        for (size_t c = 0; c < 5; c++) wide_store(columns[c] + me->count, wide_all(0.0));
    }
    size_t done = 0;
    for (; done + (last ? 1 : THRONG_WIDTH) <= me->count; done += THRONG_WIDTH) {
        sight s = {wide_load(me->qx + done), wide_load(me->qy + done), wide_load(me->wx + done),
                   wide_load(me->wy + done), wide_load(me->r + done)};
        add_forces(me, &s);
    }
    for (size_t c = 0; c < 5; c++) wide_store(columns[c], wide_load(columns[c] + done));
    me->count = done < me->count ? me->count - done : 0;
}

/* Puts on the list who, of those `in`, is within reach and on collision course, or overlaps. */
static inline void list_on_course(walker *me, const sight *s, wide_mask in, wide reach2) {
    wide q2 = wide_add(wide_mul(s->qx, s->qx), wide_mul(s->qy, s->qy));
    wide a = wide_add(wide_mul(s->wx, s->wx), wide_mul(s->wy, s->wy));
    wide b = wide_add(wide_mul(s->qx, s->wx), wide_mul(s->qy, s->wy)), c = wide_sub(q2, wide_mul(s->r, s->r));
    wide_mask closer = wide_and(wide_less(wide_all(0.0), b), wide_less(wide_mul(a, c), wide_mul(b, b)));
    wide_mask touching = wide_and(wide_less(c, wide_all(0.0)), wide_less(wide_all(0.0), q2));
    unsigned bits = wide_bits(wide_and(wide_and(in, wide_or(closer, touching)), wide_less(q2, reach2)));
    if (!bits) return;
    wide_squeeze(me->qx + me->count, bits, s->qx);
    wide_squeeze(me->qy + me->count, bits, s->qy);
    wide_squeeze(me->wx + me->count, bits, s->wx);
    wide_squeeze(me->wy + me->count, bits, s->wy);
    wide_squeeze(me->r + me->count, bits, s->r);
    me->count += (size_t)__builtin_popcount(bits);
    if (me->count > LIST - THRONG_WIDTH) use_list(me, false);
}

/* The people of a run of slots. */
static inline void look_at_run(const throng_near *near, walker *me, uint32_t first, uint32_t last, wide reach2) {
    const double *x = near->x, *y = near->y, *vx = near->vx, *vy = near->vy, *radius = near->radius;
    uint32_t k = first;
    for (; k + THRONG_WIDTH <= last; k += THRONG_WIDTH) {
        sight s = {wide_sub(wide_load(x + k), me->x), wide_sub(wide_load(y + k), me->y),
                   wide_sub(me->vx, wide_load(vx + k)), wide_sub(me->vy, wide_load(vy + k)),
                   wide_add(me->radius, wide_load(radius + k))};
        list_on_course(me, &s, wide_first(THRONG_WIDTH), reach2);
    }
    if (k == last) return;
    wide_mask in = wide_first((int64_t)last - k);
    sight s = {wide_sub(wide_load_where(x + k, in), me->x), wide_sub(wide_load_where(y + k, in), me->y),
               wide_sub(me->vx, wide_load_where(vx + k, in)), wide_sub(me->vy, wide_load_where(vy + k, in)),
               wide_add(me->radius, wide_load_where(radius + k, in))};
    list_on_course(me, &s, in, reach2);
}

static inline void look_at_people(const throng_near *near, walker *me) {
    double reach = me->params->neighbour_dist;
    near_cells cells = near_cells_around(near, near->x[me->slot], near->y[me->slot], reach);
    const int32_t low = cells.column_low, high = cells.column_high + 1, columns = near->columns;
    const uint32_t *start = near->start + (size_t)cells.row_low * (size_t)columns;
    me->count = 0;
    for (int32_t row = cells.row_low; row <= cells.row_high; row++, start += columns) {
        look_at_run(near, me, start[low], start[high], wide_all(reach * reach));
    }
    use_list(me, true);
}

static inline void look_at_walls(const throng_step *step, walker *me) {
    const throng_near *near = step->near;
    uint32_t s = me->slot;
    throng_powerlaw_person person = {near->x[s], near->y[s], near->vx[s], near->vy[s], near->radius[s]};
    throng_powerlaw_impact wall = throng_powerlaw_first_wall(step->walls, &person, me->params->neighbour_dist);
    if (!(wall.tau < INFINITY)) return;
    /* F = -E'(tau) grad tau, in the first lane; the others get nothing */
    wide steep = steepness(me->params, wide_all(wall.tau), wide_all(1.0 / wall.tau));
    wide_mask first = wide_first(1);
    me->force_x = wide_add(me->force_x, wide_keep(first, wide_mul(steep, wide_all(wall.slope_x))));
    me->force_y = wide_add(me->force_y, wide_keep(first, wide_mul(steep, wide_all(wall.slope_y))));
}

static inline double sum_lanes(wide a) {
    double lane[THRONG_WIDTH];
    wide_store(lane, a);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Shortens a vector to the most it may be. */
static inline bool limit(double *x, double *y, double most) {
    double length2 = *x * *x + *y * *y;
    if (!(length2 > most * most)) return false;
    double scale = most / sqrt(length2);
    *x *= scale;
    *y *= scale;
    return true;
}

static inline void decide_one(const throng_substep *part, walker *me, throng_powerlaw_counts *counts) {
    const throng_step *step = part->step;
    const throng_near *near = step->near;
    const throng_powerlaw_params *p = me->params;
    uint32_t row = me->row;
    double vx = near->vx[me->slot], vy = near->vy[me->slot], dt = step->dt;
    throng_point wish = {step->people.wish_x[row], step->people.wish_y[row]};
    double ax = sum_lanes(me->force_x) + (wish.x - vx) / p->relaxation_time + step->people.push_x[row];
    double ay = sum_lanes(me->force_y) + (wish.y - vy) / p->relaxation_time + step->people.push_y[row];
    counts->clamped += limit(&ax, &ay, p->max_acceleration);
    vx += ax * dt;
    vy += ay * dt;
    counts->stopped += throng_substep_go(part, me->slot, vx, vy);
}

static void decide(void *context, size_t begin, size_t end, int worker) {
    const throng_substep *part = context;
    const throng_step *step = part->step;
    const throng_near *near = step->near;
    throng_powerlaw_counts counts = {.decisions = end - begin};
    walker me;
    for (size_t k = begin; k < end; k++) {
        uint32_t s = step->mine[k];
        me.slot = s;
        me.row = near->row[s];
        me.params = step->params[step->people.profile[me.row]];
        me.x = wide_all(near->x[s]), me.y = wide_all(near->y[s]);
        me.vx = wide_all(near->vx[s]), me.vy = wide_all(near->vy[s]);
        me.radius = wide_all(near->radius[s]);
        me.force_x = me.force_y = wide_all(0.0);
        look_at_people(near, &me);
        look_at_walls(step, &me);
        decide_one(part, &me, &counts);
    }
    throng_powerlaw_counts *sum = (throng_powerlaw_counts *)part->of + worker;
    sum->decisions += counts.decisions;
    sum->clamped += counts.clamped;
    sum->stopped += counts.stopped;
}
