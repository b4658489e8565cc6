/* force.c: from what everybody has of the map to forces and motion. */

#include <math.h>

#include "models/cpd/cpd.h"
#include "space/wide_exp.h"

enum { GRAIN = 256 };

static const double least_area = 0.12; /* m^2: nobody is counted as having less */
static const double full_radius = 0.9; /* m: of the personal space that densities are told by */
static const double slowest = 0.1;     /* m/s: who wants to be slower than this yields and brakes like it */
static const double dense_from = 0.5;  /* 1/m^2: from here on more of a force back is resisted, */
static const double dense_at = 1;      /* 1/m^2: and here as much as ever */
static const double packed_from = 3;   /* 1/m^2: from here on less, */
static const double packed_at = 5;     /* 1/m^2: and here as little as ever */

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* --- what is one's own */

static throng_cpd_sums sum_up(const throng_cpd *s, const throng_cpd_body *b) {
    throng_cpd_sums total = {0};
    uint32_t count = throng_cpd_span(b);
    for (uint32_t k = 0; k < count; k++) {
        const throng_cpd_sums *part = &s->sums[b->sums + k];
        total.all += part->all;
        total.all_column += part->all_column;
        total.all_row += part->all_row;
        total.own += part->own;
        total.own_column += part->own_column;
        total.own_row += part->own_row;
        total.area += part->area;
    }
    return total;
}

/* The density somebody takes from what is left to it. A small personal space is no sign of a crowd: what it lacks of
 * the usual one is taken off. */
static double density_of(double area, double whole) {
    const double usual = 3.14159265358979 * full_radius * full_radius;
    double missing = whole < usual ? 1 / larger(whole, least_area) - 1 / usual : 0;
    return larger(1 / larger(area, least_area) - missing, 0);
}

static int class_of(double area) {
    return (area < 2.3) + (area < 0.9) + (area < 0.5) + (area < 0.3) + (area < 0.2); /* m^2 */
}

static void sum_people(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    throng_cpd_tally *tally = &s->tallies[worker];
    double pixel2 = s->pixel * s->pixel;
    for (size_t i = begin; i < end; i++) {
        const throng_cpd_body *b = &s->body[i];
        if (b->kind == THRONG_CPD_IMAGE) continue;
        throng_cpd_sums sums = sum_up(s, b);
        double area = sums.area * pixel2;
        s->area[i] = (float)area;
        s->density[i] = (float)density_of(area, sums.all * pixel2);
        if (b->kind == THRONG_CPD_OWN) {
            tally->area += (uint64_t)sums.area;
            tally->density += (uint64_t)(s->density[i] * THRONG_CPD_PARTS);
            tally->in_class[class_of(area)]++;
        }
        bool some = sums.own > 0 && sums.all > 0;
        double own = sums.own, all = sums.all;
        s->force_x[i] = some ? s->pixel * (sums.own_column / own - sums.all_column / all) : 0;
        s->force_y[i] = some ? s->pixel * (sums.own_row / own - sums.all_row / all) : 0;
    }
}

/* --- density, smoothed: weights of a Gaussian of two pixels at 0, 2 and 4 pixels, obstacles left out */

static const float weights[THRONG_CPD_TAPS] = {
    0.0196F, 0.0854F, 0.14F, 0.0854F, 0.0196F, /**/
    0.0854F, 0.3721F, 0.61F, 0.3721F, 0.0854F, /**/
    0.14F,   0.61F,   1,     0.61F,   0.14F,   /**/
    0.0854F, 0.3721F, 0.61F, 0.3721F, 0.0854F, /**/
    0.0196F, 0.0854F, 0.14F, 0.0854F, 0.0196F,
};

/* Next to obstacles. */
static double smooth_in_part(const float *density, const uint32_t *taps, float own) {
    float sum = 0, all = 0;
    for (int n = 0; n < THRONG_CPD_TAPS; n++) {
        float d = density[taps[n]], weight = d < 0 ? 0 : weights[n];
        sum += weight * d;
        all += weight;
    }
    return (double)(all < 0.01F ? own : sum / all);
}

static double smooth_density(const throng_cpd *s, uint32_t slot) {
    const uint32_t *taps = s->taps + (size_t)slot * THRONG_CPD_TAPS;
    const float *density = s->density, all = 6.25F; /* (1 + 2 0.61 + 2 0.14)^2 */
    float sum[5] = {0};
    for (int n = 0; n < THRONG_CPD_TAPS; n += 5) {
        for (int m = 0; m < 5; m++) sum[m] += weights[n + m] * density[taps[n + m]];
    }
    float total = sum[0] + sum[1] + sum[2] + sum[3] + sum[4];
    return total < 0 ? smooth_in_part(density, taps, density[slot]) : (double)(total / all);
}

/* --- motion */

/* Somebody who moves. */
typedef struct walker {
    const throng_cpd_params *p;
    uint32_t slot, row;
    double gx, gy; /* unit vector of its wish, or 0 */
    double want;   /* how fast it wants to go now, of its speed */
    double speed;  /* m/s, its own */
    double top;    /* m/s */
    double alpha, beta, gamma;
    double density, allowed; /* 1/m^2; of its speed, by the crowd around */
} walker;

static walker make_walker(const throng_cpd *s, uint32_t slot) {
    const throng_step *now = s->now;
    walker w = {.slot = slot, .row = s->near->row[slot], .allowed = 1};
    w.p = now->params[now->profile[w.row]];
    double wx = s->wish_x[w.row], wy = s->wish_y[w.row], wish = sqrt(wx * wx + wy * wy);
    double scale = wish > 1e-9 ? 1 / wish : 0;
    w.speed = larger(now->desired_speed[w.row], slowest);
    w.gx = wx * scale;
    w.gy = wy * scale;
    w.want = smaller(wish / w.speed, 1);
    w.top = smaller(w.speed, now->max_speed[w.row]);
    double bold = w.p->variety;
    if (bold > 0) bold *= 2 * throng_random(now->seed, now->id[w.row], 0, THRONG_RANDOM_CPD) - 1;
    w.alpha = w.p->alpha * (1 - bold);
    w.beta = w.p->beta * (1 + bold);
    w.gamma = w.p->gamma * (1 + bold);
    return w;
}

/* A triangular random number of variance 1 from the low 32 bits. */
static double triangular(uint64_t bits) {
    double a = (double)(bits & 0xFFFF) + (double)(bits >> 16 & 0xFFFF);
    return (a / 65536.0 - 65535.0 / 65536.0) * 2.449489742783178; /* sqrt(6) */
}

static double resistance_at(const throng_cpd_params *p, double density) {
    double dense = smaller(larger((density - dense_from) * (1 / (dense_at - dense_from)), 0), 1);
    double packed = smaller(larger((density - packed_from) * (1 / (packed_at - packed_from)), 0), 1);
    return p->resistance + dense * (p->resistance_dense - p->resistance) +
           packed * (p->resistance_packed - p->resistance_dense);
}

/* The velocity at the end of the sub-step, before walls. */
static void accelerate(const throng_cpd *s, const walker *w, double *vx, double *vy) {
    const throng_cpd_params *p = w->p;
    double t = s->t, cx = s->force_x[w->slot], cy = s->force_y[w->slot], back = cx * w->gx + cy * w->gy;
    double resisted = resistance_at(p, w->density) * smaller(back, 0);
    cx -= resisted * w->gx;
    cy -= resisted * w->gy;
    const double half_lost = 4 / (3 * 3.14159265358979); /* of the radius: how far the middle of half a disc is off */
    double cf = w->alpha / (half_lost * p->space), drive = w->beta * w->allowed * w->want;
    double brake = smaller(t * p->gain * w->gamma / w->speed, 1);
    double ax = p->gain * (cf * cx + drive * w->gx) + s->now->push_x[w->row];
    double ay = p->gain * (cf * cy + drive * w->gy) + s->now->push_y[w->row];
    if (p->noise > 0) {
        uint64_t turn = s->now->number * (uint64_t)s->substep_count + (uint64_t)s->substep;
        uint64_t bits = throng_random_bits(s->now->seed, s->now->id[w->row], turn, THRONG_RANDOM_CPD + 2);
        double noise = p->noise * s->noise_scale, aside = noise * triangular(bits);
        bool aimless = w->want == 0;
        ax += aimless ? aside : -aside * w->gy;
        ay += aimless ? noise * triangular(bits >> 32) : aside * w->gx;
    }
    double x = s->vx[w->slot], y = s->vy[w->slot];
    x += t * ax - brake * x;
    y += t * ay - brake * y;
    double against = smaller(x * w->gx + y * w->gy, 0);
    x -= against * w->gx;
    y -= against * w->gy;
    double fast = sqrt(x * x + y * y), scale = fast > w->top ? w->top / fast : 1;
    *vx = scale * x;
    *vy = scale * y;
}

static void move_one(throng_cpd *s, const walker *w, throng_cpd_tally *tally) {
    uint32_t i = w->slot;
    double vx, vy, t = s->t;
    accelerate(s, w, &vx, &vy);
    double way_x = t * vx, way_y = t * vy, was_x = way_x, was_y = way_y;
    tally->stopped += throng_cpd_keep_off_walls(s, i, &way_x, &way_y);
    if (way_x != was_x || way_y != was_y) {
        double fast = sqrt(way_x * way_x + way_y * way_y) / t, scale = fast > w->top ? w->top / fast : 1;
        vx = scale * way_x / t;
        vy = scale * way_y / t;
    }
    s->to_x[i] = s->x[i] + way_x;
    s->to_y[i] = s->y[i] + way_y;
    s->vx[i] = vx;
    s->vy[i] = vy;
}

/* What crowds of these densities allow, of everybody's speed (Weidmann 1993). */
static void allow_four(walker w[4]) {
    double x[4], part[4];
    for (int n = 0; n < 4; n++) {
        double d = larger(w[n].density, 1e-3), jam = w[n].p->jam_density;
        x[n] = -w[n].p->steepness * (1 / d - 1 / jam);
    }
    wide_store(part, wide_exp(wide_load(x)));
    for (int n = 0; n < 4; n++) {
        if (w[n].p->fundamental_diagram != 0) w[n].allowed = smaller(larger(1 - part[n], 0), 1);
    }
}

static void move_people(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k += 4) {
        walker w[4];
        size_t count = end - k < 4 ? end - k : 4;
        for (size_t n = 0; n < 4; n++) {
            uint32_t slot = s->now->mine[n < count ? k + n : k];
            w[n] = make_walker(s, slot);
            w[n].density = smooth_density(s, slot);
            s->smooth[slot] = (float)w[n].density;
        }
        allow_four(w);
        for (size_t n = 0; n < count; n++) move_one(s, &w[n], &s->tallies[worker]);
    }
}

void throng_cpd_move(throng_cpd *s) {
    s->density[s->count] = 0;
    s->density[s->count + 1] = -1e9F; /* one is enough to show */
    throng_parallel_for(s->now->crew, s->count, GRAIN, sum_people, s);
    throng_parallel_for(s->now->crew, s->now->mine_count, GRAIN, move_people, s);
}
