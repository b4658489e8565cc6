/* alone_kernel.h: what people do without looking at others, four at a time. Built twice, by kernel.c and kernel_avx2.c.
 */

#include <math.h>

#include "models/orca-forces/forces.h"

/* Four people. Those beyond the end repeat the last one. */
typedef struct alone {
    uint32_t slot[4], row[4];
    size_t count;
} alone;

static inline alone take_four(const throng_forces_job *job, size_t k, size_t end) {
    alone a = {.count = end - k < 4 ? end - k : 4};
    for (size_t lane = 0; lane < 4; lane++) {
        a.slot[lane] = job->step->mine[k + lane < end ? k + lane : end - 1];
        a.row[lane] = job->s->near.row[a.slot[lane]];
    }
    return a;
}

static inline void scatter(double *column, const uint32_t slot[4], wide value) {
    double lanes[4];
    wide_store(lanes, value);
    for (int lane = 0; lane < 4; lane++) column[slot[lane]] = lanes[lane];
}

/* The half-plane v . f / |f| >= (v + f h / m) . f / |f| (eq. 11, 12). No force asks for more than nearly the maximal
 * speed, or it would ask in vain. */
static void make_lines(void *context, size_t begin, size_t end, int worker) {
    static const double speed_part = 0.95;
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    uint64_t limited = 0;
    for (size_t k = begin; k < end; k += 4) {
        alone a = take_four(job, k, end);
        wide x = wide_gather(s->f_x, a.slot), y = wide_gather(s->f_y, a.slot);
        wide size = wide_sqrt(wide_add(wide_mul(x, x), wide_mul(y, y)));
        wide_mask forced = wide_less(wide_all(THRONG_FORCES_LEAST), size);
        wide safe = wide_select(forced, size, one), nx = wide_div(x, safe), ny = wide_div(y, safe);
        wide along =
            wide_add(wide_mul(wide_gather(s->near.vx, a.slot), nx), wide_mul(wide_gather(s->near.vy, a.slot), ny));
        wide faster = wide_div(wide_mul(size, wide_all(job->step->dt)), wide_gather(s->mass, a.slot));
        wide least = wide_add(along, faster);
        wide most = wide_mul(wide_all(speed_part), wide_gather(job->step->max_speed, a.row));
        scatter(s->own_x, a.slot, wide_keep(forced, ny));
        scatter(s->own_y, a.slot, wide_keep(forced, wide_sub(zero, nx)));
        scatter(s->own_c, a.slot, wide_select(forced, wide_min(least, most), wide_all(-INFINITY)));
        unsigned bits = wide_bits(wide_and(forced, wide_less(most, least)));
        limited += (unsigned)__builtin_popcount(bits & ((1u << a.count) - 1));
    }
    s->counts[worker].limited += limited;
}

/* Who may pass on a force: a force acts on it and it does not do all of what that asks, or none does and it gets
 * slower. */
static void find_gifts(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const wide zero = wide_all(0.0), h = wide_all(((throng_forces_job *)context)->step->dt);
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    for (size_t k = begin; k < end; k += 4) {
        alone a = take_four(job, k, end);
        wide x = wide_gather(s->f_x, a.slot), y = wide_gather(s->f_y, a.slot);
        wide vx = wide_gather(s->near.vx, a.slot), vy = wide_gather(s->near.vy, a.slot);
        wide new_x = wide_gather(job->step->next_vx, a.row), new_y = wide_gather(job->step->next_vy, a.row);
        wide mass = wide_gather(s->mass, a.slot);
        wide to_x = wide_add(vx, wide_div(wide_mul(x, h), mass)), to_y = wide_add(vy, wide_div(wide_mul(y, h), mass));
        wide missing = wide_add(wide_mul(wide_sub(to_x, new_x), x), wide_mul(wide_sub(to_y, new_y), y));
        wide gained = wide_add(wide_mul(wide_sub(new_x, vx), vx), wide_mul(wide_sub(new_y, vy), vy));
        wide_mask pushed =
            wide_less(wide_all(THRONG_FORCES_LEAST * THRONG_FORCES_LEAST), wide_add(wide_mul(x, x), wide_mul(y, y)));
        wide_mask resists = wide_and(pushed, wide_less(zero, missing));
        wide_mask slows = wide_and_not(wide_less_equal(gained, zero), pushed);
        unsigned pushed_bits = wide_bits(pushed), bits = wide_bits(wide_or(resists, slows));
        for (size_t lane = 0; lane < a.count; lane++) {
            s->gives[a.slot[lane]] = false;
            s->pressed_wall[a.slot[lane]] = UINT32_MAX;
        }
        for (bits &= (1u << a.count) - 1; bits; bits &= bits - 1) {
            unsigned lane = (unsigned)__builtin_ctz(bits);
            throng_forces_give(job, a.slot[lane], pushed_bits >> lane & 1);
        }
    }
}

/* Who is too far from any wall to touch one in this sub-step, or to be pushed into it, as most people are, and knows it
 * from some steps ago. The others look. */
static void find_walls(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const double leeway = 0.15; /* m that others may push somebody beyond its way */
    const wide zero = wide_all(0.0);
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    for (size_t k = begin; k < end; k += 4) {
        alone a = take_four(job, k, end);
        const double *rows[4];
        for (int lane = 0; lane < 4; lane++) rows[lane] = &s->vicinities[a.row[lane]].x;
        wide v[4]; /* x, y, reach, gap */
        wide_load_columns(rows, v);
        wide far =
            wide_add(wide_mul(wide_gather(job->step->max_speed, a.row), wide_all(job->step->dt)), wide_all(leeway));
        wide reach = wide_add(wide_gather(s->near.radius, a.slot), wide_max(wide_all(s->reach), far));
        wide dx = wide_sub(wide_gather(s->near.x, a.slot), v[0]), dy = wide_sub(wide_gather(s->near.y, a.slot), v[1]);
        wide away = wide_sqrt(wide_add(wide_mul(dx, dx), wide_mul(dy, dy)));
        away = wide_add(wide_mul(away, wide_all(1 + 1e-9)), wide_all(1e-9));
        wide gap = wide_sub(v[3], away);
        wide_mask known = wide_less(wide_add(reach, away), v[2]), clear = wide_and(known, wide_less(reach, gap));
        scatter(s->wall_gap, a.slot, gap);
        scatter(s->wall_reach, a.slot, wide_keep(wide_less(zero, v[2]), reach));
        for (int lane = 0; lane < 4; lane++) s->wall_count[a.slot[lane]] = 0;
        unsigned bits = ~wide_bits(clear) & ((1u << a.count) - 1), known_bits = wide_bits(known);
        double reaches[4];
        wide_store(reaches, reach);
        for (; bits; bits &= bits - 1) {
            unsigned lane = (unsigned)__builtin_ctz(bits);
            throng_forces_look_at_walls(job, a.slot[lane], reaches[lane], known_bits >> lane & 1);
        }
    }
}
