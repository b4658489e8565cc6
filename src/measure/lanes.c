/* lanes.c: how well people who walk to and fro are sorted into lanes.
 *
 * What is expected of people with directions shuffled follows from drawing without replacement: of n people whose signs
 * have the mean m, the sum S of k has E[S^2] = k^2 m^2 + k (1 - m^2) (n - k) / (n - 1). */

#include <math.h>

#include "base/memory.h"
#include "measure/tracks.h"

static const double neighbourhood = 0.4;               /* m: a body's width (Nowak & Schadschneider 2012) */
static const double band_width = 0.3, band_step = 0.1; /* m */
static const double strip_width = 0.4;                 /* m (Yamori 1998, as in Feliciani & Nishinari 2016) */
static const double rounding = 1e-9;
static const double aside_step = 0.1; /* m, of distances to the side */
enum { PEOPLE_LEAST = 4, ASIDE_BINS = 100 };

typedef struct walker {
    double lateral; /* m, from the low border */
    int sign;
} walker;

typedef struct frame_sums {
    double order, order_shuffled, band, strip, strip_shuffled;
    double product[ASIDE_BINS], pairs[ASIDE_BINS]; /* of directions of two people, by their distance to the side */
} frame_sums;

static double shuffled(size_t n, double mean, double k) {
    double m2 = mean * mean;
    return m2 + (1 - m2) * ((double)n - k) / (((double)n - 1) * k);
}

/* Of those with a lateral position in [from, to): how many, and the sum of their signs. */
static int count_band(const walker *w, size_t n, double from, double to, int *sum) {
    int count = 0;
    *sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (w[i].lateral < from || w[i].lateral >= to) continue;
        count++;
        *sum += w[i].sign;
    }
    return count;
}

static void add_order(const walker *w, size_t n, double mean, frame_sums *sums) {
    double order = 0, expected = 0;
    for (size_t i = 0; i < n; i++) {
        int count = 0, sum = 0;
        for (size_t j = 0; j < n; j++) {
            double aside = fabs(w[j].lateral - w[i].lateral), bin = floor(aside / aside_step + 0.5);
            if (j != i && bin < ASIDE_BINS) {
                sums->product[(size_t)bin] += w[i].sign * w[j].sign;
                sums->pairs[(size_t)bin]++;
            }
            if (aside >= neighbourhood) continue;
            count++;
            sum += w[j].sign;
        }
        order += (double)(sum * sum) / (double)(count * count);
        expected += shuffled(n, mean, count);
    }
    sums->order += order / (double)n;
    sums->order_shuffled += expected / (double)n;
}

static bool add_bands(const walker *w, size_t n, double width, double mean, frame_sums *sums) {
    double band = 0, strip = 0, expected = 0;
    int bands = 0, strips = 0, sum;
    for (int k = 0; k * band_step + band_width <= width + rounding; k++) {
        int count = count_band(w, n, k * band_step, k * band_step + band_width, &sum);
        if (count == 0) continue;
        band += fabs((double)sum) / count;
        bands++;
    }
    for (int k = 0; k * strip_width < width - rounding; k++) {
        int count = count_band(w, n, k * strip_width, (k + 1) * strip_width, &sum);
        if (count < 2) continue;
        strip += (double)(sum * sum) / (double)(count * count);
        expected += shuffled(n, mean, count);
        strips++;
    }
    if (bands == 0 || strips == 0) return false;
    sums->band += band / bands;
    sums->strip += strip / strips;
    sums->strip_shuffled += expected / strips;
    return true;
}

/* Which of two ways everybody goes, by how far it gets along them: 1, -1, or 0 when it gets nowhere. */
static int *find_signs(const throng_tracks *t, const throng_tracks_view *v, throng_point axis) {
    int *sign = throng_allocate((v->person_count + 1) * sizeof *sign);
    double *walked = throng_allocate((v->person_count + 1) * sizeof *walked);
    for (size_t k = 1; k < v->row_count; k++) {
        uint32_t was = v->along[k - 1], is = v->along[k], who = v->person[is];
        if (v->person[was] != who) continue;
        throng_point way = throng_tracks_way(t, was, is);
        walked[who] += axis.x * way.x + axis.y * way.y;
        sign[who] = (walked[who] > rounding) - (walked[who] < -rounding);
    }
    throng_release(walked);
    return sign;
}

static size_t take_walkers(const throng_tracks_view *v, const throng_lanes_def *def, size_t frame, const int *sign,
                           walker *out) {
    size_t n = 0;
    for (size_t row = v->start[frame]; row < v->start[frame + 1]; row++) {
        if (!def->inside[row] || sign[v->person[row]] == 0) continue;
        double lateral = -def->axis.y * v->x[row] + def->axis.x * v->y[row] - def->low;
        out[n++] = (walker){lateral, sign[v->person[row]]};
    }
    return n;
}

/* The first distance at which two people are most opposed: half a period of lanes. */
static double half_period(const frame_sums *sums) {
    double least = 0, found = NAN;
    for (size_t k = 1; k < ASIDE_BINS; k++) {
        if (!(sums->pairs[k] > 0) || sums->product[k] / sums->pairs[k] >= least - rounding) continue;
        least = sums->product[k] / sums->pairs[k];
        found = aside_step * (double)k;
    }
    return found;
}

throng_lane_figures throng_measure_lanes(throng_tracks *t, const throng_lanes_def *def) {
    throng_tracks_view v = throng_tracks_look(t);
    throng_lane_figures f = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    int *sign = find_signs(t, &v, def->axis);
    walker *walkers = throng_allocate((v.person_count + 1) * sizeof *walkers);
    frame_sums sums = {0};
    for (size_t frame = def->first; frame <= def->last && frame < v.frame_count; frame += def->every) {
        size_t n = take_walkers(&v, def, frame, sign, walkers);
        if (n < PEOPLE_LEAST) continue;
        int all;
        double mean = count_band(walkers, n, -INFINITY, INFINITY, &all) ? (double)all / (double)n : 0;
        if (!add_bands(walkers, n, def->high - def->low, mean, &sums)) continue;
        add_order(walkers, n, mean, &sums);
        f.frames++;
    }
    THRONG_RELEASE(sign, walkers);
    if (f.frames == 0) return f;
    double frames = (double)f.frames;
    f.order = sums.order / frames;
    f.order_shuffled = sums.order_shuffled / frames;
    if (f.order_shuffled < 1 - rounding) f.order_reduced = (f.order - f.order_shuffled) / (1 - f.order_shuffled);
    f.band_index = sums.band / frames;
    f.strip_index = sums.strip / frames;
    f.strip_shuffled = sums.strip_shuffled / frames;
    f.half_period = half_period(&sums);
    return f;
}
