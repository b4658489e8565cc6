/* motion_kernel.h: from forces and densities to velocities, four people at a time. */

#include "base/wide_exp.h"
#include "models/cpd/shape_kernel.h"

static const double dense_from = 0.5; /* 1/m^2: from here on more of a force back is resisted, */
static const double dense_at = 1;     /* 1/m^2: and here as much as ever */
static const double packed_from = 3;  /* 1/m^2: from here on less, */
static const double packed_at = 5;    /* 1/m^2: and here as little as ever */

/* --- density, smoothed: weights of a Gaussian at 0, 1 and 2 times its width, obstacles left out */

static const float weights[THRONG_CPD_TAPS] = {
    0.0196F, 0.0854F, 0.14F, 0.0854F, 0.0196F, /**/
    0.0854F, 0.3721F, 0.61F, 0.3721F, 0.0854F, /**/
    0.14F,   0.61F,   1,     0.61F,   0.14F,   /**/
    0.0854F, 0.3721F, 0.61F, 0.3721F, 0.0854F, /**/
    0.0196F, 0.0854F, 0.14F, 0.0854F, 0.0196F,
};

/* Next to obstacles. */
static float smooth_in_part(const float *density, const uint32_t *taps, float own) {
    float sum = 0, all = 0;
    for (int n = 0; n < THRONG_CPD_TAPS; n++) {
        float d = density[taps[n]], weight = d < 0 ? 0 : weights[n];
        sum += weight * d;
        all += weight;
    }
    return all < 0.01F ? own : sum / all;
}

static inline float smooth_density(const throng_cpd *s, uint32_t slot) {
    const uint32_t *taps = s->taps + (size_t)slot * THRONG_CPD_TAPS;
    const float *density = s->density, all = 6.25F; /* (1 + 2 0.61 + 2 0.14)^2 */
    float sum[5] = {0};
    for (int n = 0; n < THRONG_CPD_TAPS; n += 5) {
        for (int m = 0; m < 5; m++) sum[m] += weights[n + m] * density[taps[n + m]];
    }
    float total = sum[0] + sum[1] + sum[2] + sum[3] + sum[4];
    return total < 0 ? smooth_in_part(density, taps, density[slot]) : total / all;
}

static void smooth_people(const throng_cpd *s, const uint32_t *slots, size_t count) {
    for (size_t k = 0; k < count; k++) s->smooth[slots[k]] = smooth_density(s, slots[k]);
}

/* --- four people */

static inline throng_cpd_quartet make_quartet(const throng_cpd *s, const uint32_t *slot) {
    const throng_step *now = s->now;
    throng_cpd_quartet f;
    for (int n = 0; n < 4; n++) {
        f.row[n] = s->near->row[slot[n]];
        f.p[n] = now->params[now->people.profile[f.row[n]]];
    }
    throng_cpd_compare_profiles(&f);
    return f;
}

static inline wide between(wide a, double least, double most) {
    return wide_min(wide_max(a, wide_all(least)), wide_all(most));
}

/* How bold everybody is: 0 for those who are all alike. */
static inline wide find_bold(const throng_cpd *s, const throng_cpd_quartet *f) {
    double bold[4];
    if (f->alike && f->p[0]->variety <= 0) return wide_all(0);
    for (int n = 0; n < 4; n++) {
        bold[n] = f->p[n]->variety;
        if (bold[n] > 0)
            bold[n] *= 2 * throng_random(s->now->seed, s->now->people.id[f->row[n]], 0, THRONG_RANDOM_CPD) - 1;
    }
    return wide_load(bold);
}

/* Two triangular random numbers of variance 1 each, times their noise. */
static inline void find_noise(const throng_cpd *s, const throng_cpd_quartet *f, wide *first, wide *second) {
    double low[4], high[4];
    uint64_t turn = s->now->people.step * (uint64_t)s->substep_count + (uint64_t)s->substep;
    for (int n = 0; n < 4; n++) {
        if (f->p[n]->noise <= 0) {
            low[n] = high[n] = 65535;
            continue;
        }
        uint64_t bits = throng_random_bits(s->now->seed, s->now->people.id[f->row[n]], turn, THRONG_RANDOM_CPD + 2);
        low[n] = (double)((uint32_t)bits & 0xFFFF) + (double)((uint32_t)bits >> 16);
        high[n] = (double)((uint32_t)(bits >> 32) & 0xFFFF) + (double)(uint32_t)(bits >> 48);
    }
    wide middle = wide_all(65535), scale = wide_all(s->noise_scale * 2.449489742783178 / 65536); /* sqrt(6) */
    wide noise = wide_mul(OF_PROFILE(f, noise), scale);
    *first = wide_mul(noise, wide_sub(wide_of(low[0], low[1], low[2], low[3]), middle));
    *second = wide_mul(noise, wide_sub(wide_of(high[0], high[1], high[2], high[3]), middle));
}

/* What a crowd of some density allows, of everybody's speed (Weidmann 1993); who keeps a pace is slowed down by that.
 */
static inline wide find_allowed(const throng_step *now, const throng_cpd_quartet *f, wide density) {
    wide one = wide_all(1), d = wide_max(density, wide_all(1e-3));
    wide x = wide_sub(wide_div(one, d), wide_div(one, OF_PROFILE(f, jam_density)));
    wide part = wide_exp(wide_mul(wide_sub(wide_all(0), OF_PROFILE(f, steepness)), x));
    wide_mask off = wide_less_equal(OF_PROFILE(f, fundamental_diagram), wide_all(0));
    unsigned paced = 0;
    for (unsigned n = 0; now->pace && n < 4; n++)
        paced |= (unsigned)(now->pace[now->people.profile[f->row[n]]] != NULL) << n;
    off = wide_or(off, wide_where(paced));
    return wide_select(off, one, between(wide_sub(one, part), 0, 1));
}

/* The part of a force back that is resisted. */
static inline wide find_resistance(const throng_cpd_quartet *f, wide density) {
    wide from = wide_sub(density, wide_all(dense_from)), far = wide_sub(density, wide_all(packed_from));
    wide dense = between(wide_mul(from, wide_all(1 / (dense_at - dense_from))), 0, 1);
    wide packed = between(wide_mul(far, wide_all(1 / (packed_at - packed_from))), 0, 1);
    wide low = OF_PROFILE(f, resistance), mid = OF_PROFILE(f, resistance_dense);
    wide more = wide_mul(dense, wide_sub(mid, low));
    return wide_add(wide_add(low, more), wide_mul(packed, wide_sub(OF_PROFILE(f, resistance_packed), mid)));
}

/* The velocities of four people at the end of the sub-step, before walls. */
static void steer_four(const throng_cpd *s, const uint32_t *slot, throng_cpd_course *out) {
    const throng_step *now = s->now;
    throng_cpd_quartet f = make_quartet(s, slot);
    const float *smooth = s->smooth;
    wide density =
        wide_of((double)smooth[slot[0]], (double)smooth[slot[1]], (double)smooth[slot[2]], (double)smooth[slot[3]]);
    wide zero = wide_all(0), one = wide_all(1), t = wide_all(s->t), gain = OF_PROFILE(&f, gain);
    wide wx = wide_gather(s->wish_x, f.row), wy = wide_gather(s->wish_y, f.row);
    wide wish = wide_sqrt(wide_add(wide_mul(wx, wx), wide_mul(wy, wy)));
    wide scale = wide_keep(wide_less(wide_all(1e-9), wish), wide_div(one, wish));
    wide gx = wide_mul(wx, scale), gy = wide_mul(wy, scale);
    wide speed = wide_max(wide_gather(now->people.desired_speed, f.row), wide_all(throng_cpd_slowest));
    wide want = wide_min(wide_div(wish, speed), one), top = wide_min(speed, wide_gather(now->people.max_speed, f.row));
    wide bold = find_bold(s, &f), more = wide_add(one, bold);

    wide cx = wide_gather(s->force_x, slot), cy = wide_gather(s->force_y, slot);
    wide back = wide_min(wide_add(wide_mul(cx, gx), wide_mul(cy, gy)), zero);
    back = wide_mul(back, find_resistance(&f, density));
    cx = wide_sub(cx, wide_mul(back, gx));
    cy = wide_sub(cy, wide_mul(back, gy));
    wide half_lost = wide_all(4 / (3 * 3.14159265358979)); /* of the radius: how far the middle of half a disc is off */
    wide radius = wide_mul(OF_PROFILE(&f, space), wide_add(one, find_more(s, &f)));
    wide cf = wide_div(wide_mul(OF_PROFILE(&f, alpha), wide_sub(one, bold)), wide_mul(half_lost, radius));
    wide drive = wide_mul(wide_mul(wide_mul(OF_PROFILE(&f, beta), more), find_allowed(now, &f, density)), want);
    wide ax = wide_mul(gain, wide_add(wide_mul(cf, cx), wide_mul(drive, gx)));
    wide ay = wide_mul(gain, wide_add(wide_mul(cf, cy), wide_mul(drive, gy)));
    wide aside, along;
    find_noise(s, &f, &aside, &along);
    wide_mask aimed = wide_less(zero, want);
    ax = wide_add(ax, wide_select(aimed, wide_sub(zero, wide_mul(aside, gy)), aside));
    ay = wide_add(ay, wide_select(aimed, wide_mul(aside, gx), along));
    ax = wide_add(ax, wide_gather(now->people.push_x, f.row));
    ay = wide_add(ay, wide_gather(now->people.push_y, f.row));

    wide vx = wide_gather(s->vx, slot), vy = wide_gather(s->vy, slot);
    wide friction = wide_div(wide_mul(wide_mul(t, gain), wide_mul(OF_PROFILE(&f, gamma), more)), speed);
    wide kept = wide_sub(one, wide_min(friction, one));
    vx = wide_add(wide_mul(kept, vx), wide_mul(t, ax));
    vy = wide_add(wide_mul(kept, vy), wide_mul(t, ay));
    wide against = wide_min(wide_add(wide_mul(vx, gx), wide_mul(vy, gy)), zero);
    vx = wide_sub(vx, wide_mul(against, gx));
    vy = wide_sub(vy, wide_mul(against, gy));
    wide fast = wide_sqrt(wide_add(wide_mul(vx, vx), wide_mul(vy, vy)));
    wide slower = wide_select(wide_less(top, fast), wide_div(top, fast), one);
    wide_store(out->vx, wide_mul(slower, vx));
    wide_store(out->vy, wide_mul(slower, vy));
    wide_store(out->top, top);
}
