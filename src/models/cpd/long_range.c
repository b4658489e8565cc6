/* long_range.c: which way people look for, long before their personal spaces meet.
 *
 * With `long_range` none that is the way they wish. With orca it is the direction of the velocity nearest to it that
 * avoids collisions within `horizon` (models/velocity/), decided once in a step from where everybody is then. How fast
 * they want to go stays: it is up to personal space to slow people down, and slowing down twice holds crowds up. Who
 * would have to go back waits instead, facing where it wishes to go. */

#include <math.h>

#include "base/memory.h"
#include "models/cpd/cpd.h"
#include "models/orca/orca.h"

enum { GRAIN = 256 };

static const double meeting_speed = 3; /* m/s that two people who meet come nearer, about */
static const double waiting = 1e-6;    /* of a wish: slow, but it has a direction */

double throng_cpd_far_reach(const throng_cpd_params *p) {
    return p->long_range == THRONG_CPD_ORCA ? meeting_speed * p->horizon : 0;
}

void throng_cpd_prepare_long_range(throng_cpd *s, const throng_model_setup *setup) {
    size_t known = s->far_capacity;
    THRONG_GROW(s->far, s->far_capacity, setup->profile_count);
    if (s->far_capacity > known) s->far_of = throng_reallocate(s->far_of, s->far_capacity * sizeof *s->far_of);
    s->any_far = false;
    for (size_t k = 0; k < setup->profile_count; k++) {
        const throng_cpd_params *p = setup->params[k];
        s->far_of[k] = NULL;
        if (!p || p->long_range != THRONG_CPD_ORCA) continue;
        s->any_far = true;
        s->far[k] = (throng_orca_params){.max_neighbours = 10,
                                         .neighbour_dist = throng_cpd_far_reach(p),
                                         .time_horizon = p->horizon,
                                         .time_horizon_obst = 0.5};
        s->far_of[k] = &s->far[k];
    }
    s->far_counts = throng_tallies_grow(s->far_counts, &s->far_workers, s->workers);
}

#define A(field) THRONG_ARRAY(throng_cpd, field)
static const throng_array arrays[] = {A(way_x), A(way_y), A(seen_vx), A(seen_vy), A(seen), A(no_push), A(looking)};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

void throng_cpd_release_long_range(throng_cpd *s) {
    throng_arrays_release(s, arrays, ARRAYS);
    THRONG_RELEASE(s->far, s->far_of, s->far_counts);
}

static void make_room(throng_cpd *s) {
    if (!throng_arrays_grow(s, arrays, ARRAYS, &s->way_capacity, s->capacity)) return;
    for (size_t k = 0; k < s->way_capacity; k++) s->no_push[k] = 0;
}

/* How fast people go along the way they wish. What personal space and noise add is of the moment: to answer it would
 * make people sway. */
static void see_people(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    const throng_step *now = s->now;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = s->near->row[i];
        s->seen_vx[i] = s->near->vx[i];
        s->seen_vy[i] = s->near->vy[i];
        if (!now->params[now->people.profile[row]]) continue;
        double wx = now->people.wish_x[row], wy = now->people.wish_y[row], wish2 = wx * wx + wy * wy;
        double along = wish2 > 1e-18 ? (now->people.vx[row] * wx + now->people.vy[row] * wy) / wish2 : 0;
        s->seen_vx[i] = along * wx;
        s->seen_vy[i] = along * wy;
    }
}

/* Of what was decided, only what leads on. */
static void keep_going_on(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) {
        uint32_t row = s->near->row[s->looking[k]];
        double wx = s->now->people.wish_x[row], wy = s->now->people.wish_y[row], wish2 = wx * wx + wy * wy;
        double x = s->way_x[row], y = s->way_y[row];
        bool on = x * wx + y * wy > waiting * wish2;
        double scale = on ? sqrt(wish2 / (x * x + y * y)) : 0;
        s->way_x[row] = on ? scale * x : waiting * wx;
        s->way_y[row] = on ? scale * y : waiting * wy;
    }
}

void throng_cpd_look_ahead(throng_cpd *s) {
    const throng_step *now = s->now;
    s->wish_x = now->people.wish_x;
    s->wish_y = now->people.wish_y;
    if (!s->any_far) return;
    make_room(s);
    size_t count = 0;
    for (size_t k = 0; k < now->mine_count; k++) {
        uint32_t row = s->near->row[now->mine[k]];
        s->way_x[row] = now->people.wish_x[row];
        s->way_y[row] = now->people.wish_y[row];
        if (s->far_of[now->people.profile[row]]) s->looking[count++] = now->mine[k];
    }
    throng_parallel_for(now->crew, s->count, GRAIN, see_people, s);
    throng_near seen = *now->near;
    seen.vx = s->seen_vx;
    seen.vy = s->seen_vy;
    throng_step ahead = *now;
    ahead.near = &seen;
    ahead.mine = s->looking;
    ahead.mine_count = count;
    ahead.params = s->far_of;
    ahead.people.push_x = ahead.people.push_y = s->no_push; /* it acts on motion, not on what is wanted */
    ahead.next_x = s->to_x;                                 /* not needed */
    ahead.next_y = s->to_y;
    ahead.next_vx = s->way_x;
    ahead.next_vy = s->way_y;
    throng_orca_job job = {.step = &ahead, .counts = s->far_counts, .seen = s->seen};
    throng_orca_decide(&job);
    throng_parallel_for(now->crew, count, GRAIN, keep_going_on, s);
    s->wish_x = s->way_x;
    s->wish_y = s->way_y;
}
