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

static inline wide length_of(wide x, wide y) { return wide_sqrt(wide_add(wide_mul(x, x), wide_mul(y, y))); }

/* Of a law of each of four. */
#define LAWS(field) wide_of(law[0]->field, law[1]->field, law[2]->field, law[3]->field)

/* Where everybody is, what it is like, and what is still to be passed on to it. */
static void take_bodies(void *context, size_t begin, size_t end, int worker) {
    static const throng_forces_law nobodys = {.pushes_cosine = INFINITY},
                                   things = {.pushes_cosine = INFINITY, .restitution = -1};
    (void)worker;
    const wide zero = wide_all(0.0), one = wide_all(1.0);
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_near *near = &s->near;
    for (size_t first = begin; first < end; first += 4) {
        uint32_t slot[4], row[4];
        double *move[4], *ahead[4], *being[4], *others[4];
        const throng_forces_law *law[4];
        unsigned mine = 0, knowing = 0;
        for (size_t lane = 0; lane < 4; lane++) {
            slot[lane] = (uint32_t)(first + lane < end ? first + lane : end - 1);
            row[lane] = near->row[slot[lane]];
            law[lane] = s->law[slot[lane]];
            mine |= (unsigned)(law[lane] != NULL) << lane;
            knowing |= (unsigned)(law[lane] && law[lane]->params->forces > 0) << lane;
            if (!law[lane]) {
                law[lane] = row[lane] < job->step->people.count ? &nobodys : &things;
                row[lane] = 0; /* there is one */
            }
            throng_forces_body *b = &s->bodies[slot[lane]];
            move[lane] = &b->x, ahead[lane] = &b->ahead_x, being[lane] = &b->radius, others[lane] = &b->push;
        }
        wide_mask wishes = wide_where(mine), knows = wide_where(knowing);
        wide vx = wide_gather(near->vx, slot), vy = wide_gather(near->vy, slot);
        wide wish_x = wide_keep(wishes, wide_gather(job->step->people.wish_x, row));
        wide wish_y = wide_keep(wishes, wide_gather(job->step->people.wish_y, row)), wish = length_of(wish_x, wish_y);
        wide_mask wants = wide_less(zero, wish);
        wide scale = wide_keep(wants, wide_div(one, wide_select(wants, wish, one)));
        wide ahead_x = wide_mul(wish_x, scale), ahead_y = wide_mul(wish_y, scale);
        wide gets_on = wide_add(wide_mul(vx, ahead_x), wide_mul(vy, ahead_y));
        wide_mask pushes = wide_and(wants, wide_less(gets_on, wide_mul(LAWS(patience), wish)));
        wide cosine = wide_select(pushes, LAWS(pushes_cosine), wide_all(INFINITY));
        wide inverse_mass = wide_div(one, wide_gather(s->mass, slot));
        wide_store_columns(move, (wide[4]){wide_gather(near->x, slot), wide_gather(near->y, slot), vx, vy});
        wide_store_columns(ahead, (wide[4]){ahead_x, ahead_y, LAWS(reach), cosine});
        wide_store_columns(being, (wide[4]){wide_gather(near->radius, slot), LAWS(restitution), inverse_mass, wish});
        wide_store_columns(others, (wide[4]){zero, one, zero, zero});
        wide carry_x = wide_keep(knows, wide_gather(job->carry_x, row));
        wide carry_y = wide_keep(knows, wide_gather(job->carry_y, row));
        scatter(s->f_x, slot, carry_x);
        scatter(s->f_y, slot, carry_y);
        scatter(s->load, slot, length_of(carry_x, carry_y));
    }
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
        wide most = wide_mul(wide_all(speed_part), wide_gather(job->step->people.max_speed, a.row));
        scatter(s->own_x, a.slot, wide_keep(forced, ny));
        scatter(s->own_y, a.slot, wide_keep(forced, wide_sub(zero, nx)));
        scatter(s->own_c, a.slot, wide_select(forced, wide_min(least, most), wide_all(-INFINITY)));
        unsigned bits = wide_bits(wide_and(forced, wide_less(most, least)));
        limited += (unsigned)__builtin_popcount(bits & ((1u << a.count) - 1));
    }
    s->counts[worker].limited += limited;
}

/* Four people after they decided, and who of them passes on a force. */
typedef struct decided {
    wide x, y;   /* N, the force */
    wide vx, vy; /* m/s, the velocity before ... */
    wide new_x, new_y;
} decided;

static inline decided look_at_decided(const throng_forces_job *job, const alone *a) {
    const throng_forces *s = job->s;
    return (decided){wide_gather(s->f_x, a->slot),
                     wide_gather(s->f_y, a->slot),
                     wide_gather(s->near.vx, a->slot),
                     wide_gather(s->near.vy, a->slot),
                     wide_gather(job->step->next_vx, a->row),
                     wide_gather(job->step->next_vy, a->row)};
}

/* Those who do not do all that a force asks of them. */
static inline wide_mask who_resists(const throng_forces_job *job, const alone *a, const decided *d) {
    wide mass = wide_gather(job->s->mass, a->slot), h = wide_all(job->step->dt);
    wide to_x = wide_add(d->vx, wide_div(wide_mul(d->x, h), mass));
    wide to_y = wide_add(d->vy, wide_div(wide_mul(d->y, h), mass));
    wide missing = wide_add(wide_mul(wide_sub(to_x, d->new_x), d->x), wide_mul(wide_sub(to_y, d->new_y), d->y));
    return wide_less(wide_mul(wide_all(THRONG_FORCES_SPEED_LEAST * (1 - 1e-9)), length_of(d->x, d->y)), missing);
}

/* Those who are slowed down. */
static inline wide_mask who_slows(const throng_forces_job *job, const alone *a, const decided *d) {
    const throng_forces_law *const *law = (const throng_forces_law *const *)job->s->law;
    wide cosine = wide_of(law[a->slot[0]]->decelerate_cosine, law[a->slot[1]]->decelerate_cosine,
                          law[a->slot[2]]->decelerate_cosine, law[a->slot[3]]->decelerate_cosine);
    wide dx = wide_sub(d->new_x, d->vx), dy = wide_sub(d->new_y, d->vy);
    wide gained = wide_add(wide_mul(dx, d->vx), wide_mul(dy, d->vy));
    wide most = wide_mul(wide_mul(cosine, length_of(dx, dy)), length_of(d->vx, d->vy));
    /* a little more than asked: who does not in the end is found out later */
    return wide_less_equal(wide_add(gained, wide_mul(most, wide_all(1 - 1e-9))), wide_all(0.0));
}

/* Who passes on a force: one acts on it and it does not do all of what that asks, or none does and it is slowed down.
 */
static void find_gifts(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    for (size_t k = begin; k < end; k += 4) {
        alone a = take_four(job, k, end);
        decided d = look_at_decided(job, &a);
        wide_mask pushed = wide_less(wide_all(THRONG_FORCES_LEAST * THRONG_FORCES_LEAST),
                                     wide_add(wide_mul(d.x, d.x), wide_mul(d.y, d.y)));
        unsigned pushed_bits = wide_bits(pushed), resisting = wide_bits(who_resists(job, &a, &d));
        unsigned bits = (pushed_bits & resisting) | (~pushed_bits & wide_bits(who_slows(job, &a, &d)));
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
        wide far = wide_add(wide_mul(wide_gather(job->step->people.max_speed, a.row), wide_all(job->step->dt)),
                            wide_all(leeway));
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
