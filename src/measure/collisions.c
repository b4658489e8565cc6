/* collisions.c: times to collision of pairs of people, and the energy of interaction that they tell (Karamouzas,
 * Skinner, Guy, Universal power law governing pedestrian interactions, PRL 113:238701, 2014, and its supplement).
 *
 * Tracks are thinned to 2.5 Hz and smoothed by a Butterworth filter of second order at 0.8 of the Nyquist frequency,
 * forwards and backwards; velocities are central differences. tau is when two discs that go straight on would touch.
 * g(tau) is how many pairs of one moment have it, over how many pairs of different moments, each person drawn as often
 * as it is a member of real pairs; E = -ln g. */

#include <math.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "measure/tracks.h"

static const double interval = 0.4; /* s between samples */
static const double bin_s = 0.1;
static const double oversampled = 30;             /* pairs of different moments for each of one moment, */
static const double drawn_most = 5e6;             /* at most this many of them */
static const double observed_most = 2e7;          /* pairs of one moment that are looked at */
static const double enough = 3;                   /* pairs of a bin that a logarithm is taken of, */
static const double enough_in_all = 30;           /* and pairs that a law is fitted to */
enum { EXPONENT_FIRST = 4, EXPONENT_LAST = 100 }; /* twentieths: from 0.2 to 5 */
enum { FIT_FIRST = 3, FIT_LAST = 29 };            /* bins: 0.3 to 3 s */
enum { PAD = 6 };                                 /* samples reflected at the ends of a track */

/* Samples by moment: start[moment] .. start[moment + 1]. */
typedef struct samples {
    size_t moments, *start;
    uint32_t *person, *moment;
    double *x, *y, *vx, *vy;
} samples;

/* ------------------------------------------------------------------ smoothing */

/* The filter's coefficients for tan(0.4 pi), with b1 = 2 b0 and b2 = b0. */
typedef struct filter {
    double b0, a1, a2;
} filter;

static filter make_filter(void) {
    const double k = 3.0776835371752534, root = 1.4142135623730951;
    double n = 1 / (1 + root * k + k * k);
    return (filter){k * k * n, 2 * (k * k - 1) * n, (1 - root * k + k * k) * n};
}

/* Once along the values, which begin as if they had always been the first one, in reversed order. */
static void pass(const filter *f, double *values, size_t count) {
    double late = f->b0 - f->a2, z0 = (2 * f->b0 - f->a1 + late) * values[0], z1 = late * values[0];
    for (size_t i = 0; i < count; i++) {
        double in = values[i], out = f->b0 * in + z0;
        z0 = 2 * f->b0 * in - f->a1 * out + z1;
        z1 = f->b0 * in - f->a2 * out;
        values[i] = out;
    }
    for (size_t i = 0; i < count / 2; i++) {
        double swap = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = swap;
    }
}

/* Smooths values in place; there is room for 2 PAD more in `padded`. */
static void smooth(const filter *f, double *values, size_t count, double *padded) {
    size_t pad = count - 1 < PAD ? count - 1 : PAD;
    for (size_t i = 0; i < pad; i++) {
        padded[i] = 2 * values[0] - values[pad - i];
        padded[pad + count + i] = 2 * values[count - 1] - values[count - 2 - i];
    }
    for (size_t i = 0; i < count; i++) padded[pad + i] = values[i];
    pass(f, padded, count + 2 * pad);
    pass(f, padded, count + 2 * pad);
    for (size_t i = 0; i < count; i++) values[i] = padded[pad + i];
}

/* Central differences, and from one side at the ends. */
static void differentiate(const double *values, size_t count, double seconds, double *out) {
    for (size_t i = 0; i < count; i++) {
        size_t before = i > 0 ? i - 1 : 0, after = i + 1 < count ? i + 1 : i;
        out[i] = (values[after] - values[before]) / ((double)(after - before) * seconds);
    }
}

/* ------------------------------------------------------------------ samples */

static samples make_samples(size_t capacity, size_t moments) {
    samples s = {.moments = moments};
    s.start = throng_allocate((moments + 2) * sizeof *s.start);
    s.person = throng_allocate((capacity + 1) * sizeof *s.person);
    s.moment = throng_allocate((capacity + 1) * sizeof *s.moment);
    double **columns[] = {&s.x, &s.y, &s.vx, &s.vy};
    for (size_t i = 0; i < 4; i++) *columns[i] = throng_allocate((capacity + 1) * sizeof(double));
    return s;
}

static void release_samples(samples *s) { THRONG_RELEASE(s->start, s->person, s->moment, s->x, s->y, s->vx, s->vy); }

/* Track by track: samples of three moments or more, one after the other. */
static size_t take_tracks(const throng_tracks_view *v, size_t every, size_t first, size_t last, samples *s) {
    filter f = make_filter();
    double *padded = throng_allocate((v->frame_count / every + 2 + 2 * PAD) * sizeof *padded);
    double seconds = (double)every / v->fps;
    size_t count = 0;
    for (size_t p = 0; p < v->piece_count; p++) {
        size_t begin = count;
        for (size_t k = v->piece_start[p]; k < v->piece_start[p + 1]; k++) {
            uint32_t row = v->along[k];
            if (v->frame[row] % every || v->frame[row] < first || v->frame[row] > last) continue;
            s->person[count] = v->person[row];
            s->moment[count] = v->frame[row] / (uint32_t)every;
            s->x[count] = v->x[row];
            s->y[count++] = v->y[row];
        }
        size_t length = count - begin;
        if (length < 3) {
            count = begin;
            continue;
        }
        smooth(&f, s->x + begin, length, padded);
        smooth(&f, s->y + begin, length, padded);
        differentiate(s->x + begin, length, seconds, s->vx + begin);
        differentiate(s->y + begin, length, seconds, s->vy + begin);
    }
    throng_release(padded);
    return count;
}

static samples sort_by_moment(const samples *s, size_t count) {
    samples out = make_samples(count, s->moments);
    for (size_t i = 0; i < count; i++) out.start[s->moment[i] + 2]++;
    for (size_t m = 2; m < s->moments + 2; m++) out.start[m] += out.start[m - 1];
    for (size_t i = 0; i < count; i++) {
        size_t to = out.start[s->moment[i] + 1]++;
        out.person[to] = s->person[i];
        out.moment[to] = s->moment[i];
        out.x[to] = s->x[i];
        out.y[to] = s->y[i];
        out.vx[to] = s->vx[i];
        out.vy[to] = s->vy[i];
    }
    return out;
}

/* ------------------------------------------------------------------ pairs */

/* Adds the bin of a pair's time to collision, if it has any. */
static void add_pair(const samples *s, size_t a, size_t b, double touch, double *bins) {
    double x = s->x[b] - s->x[a], y = s->y[b] - s->y[a], vx = s->vx[b] - s->vx[a], vy = s->vy[b] - s->vy[a];
    double gap = x * x + y * y - touch * touch, closing = x * vx + y * vy, speed2 = vx * vx + vy * vy;
    double root = closing * closing - speed2 * gap;
    if (!(closing < 0 && root > 0 && gap > 0)) return;
    double tau = gap / (sqrt(root) - closing);
    if (tau < bin_s * THRONG_COLLISION_BINS) bins[(size_t)(tau / bin_s)]++;
}

static double add_observed(const samples *s, double pairs, double touch, double *bins) {
    size_t every = (size_t)(pairs / observed_most) + 1;
    double taken = 0;
    for (size_t m = 0; m < s->moments; m++) {
        size_t begin = s->start[m], end = s->start[m + 1];
        for (size_t a = begin; a < end; a++) {
            for (size_t b = a + 1 + (a - begin) % every; b < end; b += every) {
                add_pair(s, a, b, touch, bins);
                taken++;
            }
        }
    }
    return taken;
}

/* One of the samples, as often as it is in real pairs: a moment by its number of pairs, and somebody of it. */
static size_t draw_sample(const samples *s, const double *pairs_before, uint64_t draw) {
    uint64_t bits = throng_mix((draw + 1) * 0x9E3779B97F4A7C15u);
    double at = (double)(bits >> 32) / 4294967296 * pairs_before[s->moments];
    size_t low = 0, high = s->moments;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (pairs_before[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    size_t count = s->start[low + 1] - s->start[low];
    return s->start[low] + (size_t)((bits & UINT32_MAX) * count >> 32);
}

/* Pairs of different people at different moments; how many. */
static double add_scrambled(const samples *s, const double *pairs_before, double draws, double touch, double *bins) {
    double taken = 0;
    for (uint64_t draw = 0; (double)draw < draws; draw++) {
        size_t a = draw_sample(s, pairs_before, 2 * draw), b = draw_sample(s, pairs_before, 2 * draw + 1);
        if (s->person[a] == s->person[b] || s->moment[a] == s->moment[b]) continue;
        add_pair(s, a, b, touch, bins);
        taken++;
    }
    return taken;
}

void throng_measure_collisions(throng_tracks *t, double radius, size_t first, size_t last, throng_collisions *sums) {
    throng_tracks_view v = throng_tracks_look(t);
    size_t every = (size_t)fmax(1, floor(interval * v.fps + 0.5));
    samples tracks = make_samples(v.row_count, v.frame_count / every + 1);
    size_t count = take_tracks(&v, every, first, last, &tracks);
    samples s = sort_by_moment(&tracks, count);
    release_samples(&tracks);
    double *before = throng_allocate((s.moments + 1) * sizeof *before);
    for (size_t m = 0; m < s.moments; m++) {
        double n = (double)(s.start[m + 1] - s.start[m]);
        before[m + 1] = before[m] + n * (n - 1) / 2;
    }
    double pairs = before[s.moments], scrambled[THRONG_COLLISION_BINS] = {0};
    if (pairs > 0) {
        double taken = add_observed(&s, pairs, 2 * radius, sums->observed);
        double drawn = add_scrambled(&s, before, fmin(oversampled * pairs, drawn_most), 2 * radius, scrambled);
        sums->pairs += taken;
        for (size_t k = 0; drawn > 0 && k < THRONG_COLLISION_BINS; k++)
            sums->scrambled[k] += scrambled[k] * taken / drawn;
    }
    throng_release(before);
    release_samples(&s);
}

/* ------------------------------------------------------------------ the law */

static double middle_of(size_t bin) { return bin_s * ((double)bin + 0.5); }

/* The likelihood of Poisson counts with the mean n_scr exp(-k tau^-p), at the best k for a p (Newton's method; it is
 * convex). */
static double likelihood(const throng_collisions *c, double p, double *scale) {
    double power[FIT_LAST + 1], k = 1, sum = 0;
    for (size_t b = FIT_FIRST; b <= FIT_LAST; b++) power[b] = throng_exp(-p * throng_log(middle_of(b)));
    for (int i = 0; i < 60; i++) {
        double slope = 0, bend = 0;
        for (size_t b = FIT_FIRST; b <= FIT_LAST; b++) {
            if (!(c->scrambled[b] > 0)) continue;
            double mean = c->scrambled[b] * throng_exp(-k * power[b]);
            slope += (c->observed[b] - mean) * power[b];
            bend += mean * power[b] * power[b];
        }
        double change = bend > 0 ? slope / bend : 0;
        k = fmax(1e-6, k - fmin(fmax(change, -1), 1));
    }
    for (size_t b = FIT_FIRST; b <= FIT_LAST; b++) {
        if (!(c->scrambled[b] > 0)) continue;
        double log_mean = throng_log(c->scrambled[b]) - k * power[b];
        sum += c->observed[b] * log_mean - throng_exp(log_mean);
    }
    *scale = k;
    return sum;
}

static double slope_of_logarithms(const throng_collisions *c) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t b = 4; b < 20; b++) {
        if (!(c->observed[b] >= enough && c->energy[b] > 0)) continue;
        double log_tau = throng_log(middle_of(b)), log_energy = throng_log(c->energy[b]);
        n++;
        x += log_tau;
        y += log_energy;
        xx += log_tau * log_tau;
        xy += log_tau * log_energy;
    }
    return n > 2 ? (n * xy - x * y) / (n * xx - x * x) : NAN;
}

void throng_fit_collisions(throng_collisions *c) {
    double observed = 0, best = -INFINITY;
    for (size_t b = 0; b < THRONG_COLLISION_BINS; b++) {
        bool known = c->observed[b] > 0 && c->scrambled[b] > 0;
        c->energy[b] = known ? -throng_log(c->observed[b] / c->scrambled[b]) : NAN;
        if (b >= FIT_FIRST && b <= FIT_LAST && c->scrambled[b] > 0) observed += c->observed[b];
    }
    c->exponent = c->scale = NAN;
    c->exponent_log = -slope_of_logarithms(c);
    for (int i = EXPONENT_FIRST; i <= EXPONENT_LAST && observed >= enough_in_all; i++) {
        double p = 0.05 * i, scale, here = likelihood(c, p, &scale);
        if (here <= best) continue;
        bool found = i > EXPONENT_FIRST && i < EXPONENT_LAST; /* at an end there is no best one */
        best = here;
        c->exponent = found ? p : NAN;
        c->scale = found ? scale : NAN;
    }
}
