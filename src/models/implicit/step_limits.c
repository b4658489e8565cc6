/* step_limits.c: how much of Newton's step everybody takes; step_limits_kernel.h finds whom to look at.
 *
 * The objective has walls of infinite height all over the place, and a step must not lead beyond one: nobody's step
 * takes more than four fifths of what is left of a gap. It also rises steeply where a pair begins to approach, of which
 * the Hessian of a pair that does not approach knows nothing. So the two of such a pair go only as far as what the step
 * promises them can pay for. Both concern a few people, who then do not hold up the whole crowd. */

#include "models/implicit/solver.h"

static const double stride = 0.5; /* m/s: nobody's velocity changes by more at once */
enum { ROUNDS = 4 };

/* --- one's own */

double throng_implicit_own_share(const throng_implicit_solver *s, uint32_t slot) {
    double vx = s->motion.vx[slot], vy = s->motion.vy[slot], px = s->search.step_x[slot], py = s->search.step_y[slot],
           share = 1;
    /* most are far from any limit */
    double fast = fabs(vx) + fabs(vy), far = fabs(px) + fabs(py),
           left = s->walls->gap[slot] - s->walkers->law.dt * fast;
    if (far <= stride && far <= THRONG_GAP_SHARE * (s->walkers->cap[slot] - fast) &&
        s->walkers->law.dt * far <= THRONG_GAP_SHARE * left)
        return 1;
    double room = THRONG_GAP_SHARE * (s->walkers->cap[slot] - sqrt(vx * vx + vy * vy)),
           length = sqrt(px * px + py * py);
    double then = sqrt((vx + px) * (vx + px) + (vy + py) * (vy + py)) - sqrt(vx * vx + vy * vy);
    if (then > room) share = room / length;
    if (length > stride) share = fmin(share, stride / length);
    double r = s->walkers->near->radius[slot], dt = s->walkers->law.dt,
           clear = s->walls->gap[slot] - dt * sqrt(vx * vx + vy * vy);
    if (s->walls->in_wall[slot] || dt * length <= THRONG_GAP_SHARE * clear) return share;
    const throng_wall_piece *walls = s->walls->pieces + s->walls->begin[slot];
    uint32_t strikes = s->walls->touch_count[slot];
    double gap = throng_wall_gap(walls, strikes, r, vx, vy, dt);
    if (dt * length <= THRONG_GAP_SHARE * gap) return share;
    double loss = gap - throng_wall_gap(walls, strikes, r, vx + px, vy + py, dt);
    return loss <= THRONG_GAP_SHARE * gap ? share : fmin(share, THRONG_GAP_SHARE * gap / loss);
}

/* --- everybody */

/* Marks a walker and all own ones who may come close to it. */
static void mark_around(const throng_implicit_solver *s, uint32_t slot) {
    const throng_implicit_rows *r = &s->rows;
    s->motion.dirty[slot] = 1;
    for (uint32_t q = r->begin[slot]; (q = throng_implicit_next(r, slot, q, THRONG_CLOSE)) < r->end[slot]; q++) {
        for (unsigned close = r->matter[q] & THRONG_LANES; close; close &= close - 1) {
            uint32_t other = s->walkers->self[throng_implicit_slot(r->quad[q], close)];
            if (s->walkers->own[other]) s->motion.dirty[other] = 1;
        }
    }
}

/* Those whose steps, and whose neighbours' steps, have not changed are looked at once. */
void throng_implicit_limit_step(throng_implicit_solver *s) {
    throng_implicit_mirror(s, s->search.step_x);
    throng_implicit_mirror(s, s->search.step_y);
    for (size_t k = 0; k < s->active.count; k++) s->motion.dirty[s->active.who[k]] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        s->pass.factor = round >= ROUNDS / 2;
        throng_implicit_each_block(s, THRONG_GRAIN_PAIRS, s->kernel->shorten);
        if (throng_implicit_sum(s, 1) == 0) return;
        for (size_t k = 0; k < s->active.count; k++) s->motion.dirty[s->active.who[k]] = 0;
        for (size_t k = 0; k < s->active.count; k++) {
            uint32_t slot = s->active.who[k];
            if (s->search.scale[slot] == 1) continue;
            s->search.step_x[slot] *= s->search.scale[slot];
            s->search.step_y[slot] *= s->search.scale[slot];
            mark_around(s, slot);
        }
        throng_implicit_mirror(s, s->search.step_x);
        throng_implicit_mirror(s, s->search.step_y);
    }
}
