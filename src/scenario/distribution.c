/* distribution.c: see distribution.h. */

#include "scenario/scenario.h"

#include <math.h>
#include <throng/model.h>

#include "base/elementary.h"
#include "base/memory.h"

enum { TRIES = 100 }; /* draws outside "min" .. "max" before the nearer of them is taken */

double throng_draw_uniform(throng_draws *draws) {
    return throng_random(draws->seed, draws->who, (draws->what << 32) + draws->next++, draws->purpose);
}

/* The polar method (Marsaglia and Bray 1964). */
static double draw_standard_normal(throng_draws *draws) {
    for (;;) {
        double u = 2 * throng_draw_uniform(draws) - 1, v = 2 * throng_draw_uniform(draws) - 1;
        double s = u * u + v * v;
        if (s > 0 && s < 1) return u * sqrt(-2 * throng_log(s) / s);
    }
}

/* In (0, 1). */
static double draw_positive(throng_draws *draws) {
    double u = 0;
    while (u == 0) u = throng_draw_uniform(draws);
    return u;
}

/* Marsaglia and Tsang 2000; a shape below 1 goes through shape + 1 and a power of a uniform number. */
static double draw_standard_gamma(throng_draws *draws, double shape) {
    if (shape < 1) {
        double u = draw_positive(draws);
        return draw_standard_gamma(draws, shape + 1) * throng_exp(throng_log(u) / shape);
    }
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = draw_standard_normal(draws), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        double u = draw_positive(draws);
        if (throng_log(u) < 0.5 * x * x + d - d * v + d * throng_log(v)) return d * v;
    }
}

static double draw_weibull(throng_draws *draws, double scale, double shape) {
    double u = draw_positive(draws);
    return scale * throng_exp(throng_log(-throng_log(u)) / shape);
}

static double draw_choice(const throng_distribution *d, throng_draws *draws) {
    double u = throng_draw_uniform(draws) * d->choice[d->choice_count - 1].y;
    size_t i = 0;
    while (i + 1 < d->choice_count && u >= d->choice[i].y) i++;
    return d->choice[i].x;
}

static double draw_once(const throng_distribution *d, throng_draws *draws) {
    switch (d->kind) {
        case THRONG_FIXED:
            return d->a;
        case THRONG_UNIFORM:
            return d->a + (d->b - d->a) * throng_draw_uniform(draws);
        case THRONG_NORMAL:
            return d->a + d->b * draw_standard_normal(draws);
        case THRONG_LOGNORMAL:
            return throng_exp(d->a + d->b * draw_standard_normal(draws));
        case THRONG_GAMMA:
            return d->b * draw_standard_gamma(draws, d->a);
        case THRONG_WEIBULL:
            return draw_weibull(draws, d->a, d->b);
        case THRONG_CHOICE:
            return draw_choice(d, draws);
    }
    return d->a;
}

double throng_draw(const throng_distribution *d, throng_draws *draws) {
    if (d->kind == THRONG_FIXED) return d->a;
    double value = draw_once(d, draws);
    for (int i = 1; i < TRIES && (value < d->low || value > d->high); i++) value = draw_once(d, draws);
    return fmin(fmax(value, d->low), d->high);
}

#define ANY_NUMBER \
    { -INFINITY, INFINITY, false, "" }
#define ABOVE_ZERO \
    { 0, INFINITY, true, "" }
#define NOT_NEGATIVE \
    { 0, INFINITY, false, "" }

/* The two numbers of each kind that has two. */
static const struct {
    const char *what;
    throng_range a, b;
} pairs[] = {[THRONG_UNIFORM] = {"two numbers [low, high]", ANY_NUMBER, ANY_NUMBER},
             [THRONG_NORMAL] = {"two numbers [mean, standard deviation]", ANY_NUMBER, NOT_NEGATIVE},
             [THRONG_LOGNORMAL] = {"two numbers [mu, sigma]", ANY_NUMBER, NOT_NEGATIVE},
             [THRONG_GAMMA] = {"two numbers [shape, scale]", ABOVE_ZERO, ABOVE_ZERO},
             [THRONG_WEIBULL] = {"two numbers [scale, shape]", ABOVE_ZERO, ABOVE_ZERO}};

static bool read_pair(throng_reader *reader, throng_json_ref node, throng_range range, throng_distribution *out) {
    const throng_json *json = reader->json;
    bool pair = throng_json_kind_of(json, node) == THRONG_JSON_LIST && throng_json_count(json, node) == 2;
    if (!pair) return throng_expected(reader, node, pairs[out->kind].what);
    throng_json_ref a = throng_json_first(json, node), b = throng_json_after(json, a);
    bool good = throng_read_number(reader, a, pairs[out->kind].a, &out->a);
    good = throng_read_number(reader, b, pairs[out->kind].b, &out->b) && good;
    if (!good || out->kind != THRONG_UNIFORM) return good;

    if (out->a > out->b)
        return throng_wrong(reader, node, "the low end %.10g is above the high end %.10g", out->a, out->b);
    if (out->a > out->high || out->b < out->low) {
        return throng_wrong(reader, node, "nothing between %.10g and %.10g lies within \"min\" and \"max\"", out->a,
                            out->b);
    }
    return throng_check_range(reader, a, range, fmax(out->a, out->low)) &&
           throng_check_range(reader, b, range, fmin(out->b, out->high));
}

static bool read_weighted(throng_reader *reader, throng_json_ref node, throng_range range, throng_distribution *out) {
    size_t count = throng_read_list(reader, node, "a list of [value, weight]");
    if (count == 0) return false;
    out->choice = throng_allocate(count * sizeof *out->choice);
    out->choice_count = count;
    bool good = true;
    double sum = 0;
    THRONG_EACH_NTH (i, item, reader->json, node) {
        throng_point pair;
        if (!throng_read_vector(reader, item, "a pair [value, weight]", &pair)) {
            good = false;
            continue;
        }
        good = throng_check_range(reader, item + 1, range, pair.x) && good;
        good = throng_check_range(reader, item + 2, (throng_range)NOT_NEGATIVE, pair.y) && good;
        sum += pair.y;
        out->choice[i] = (throng_point){pair.x, sum};
    }
    if (good && !(sum > 0)) return throng_wrong(reader, node, "all weights are 0");
    return good;
}

static bool read_limits(throng_reader *reader, throng_json_ref object, throng_range range, throng_distribution *out) {
    throng_json_ref low = throng_value(reader, object, "min"), high = throng_value(reader, object, "max");
    bool good = throng_read_number(reader, low, range, &out->low);
    good = throng_read_number(reader, high, range, &out->high) && good;
    if (out->low > out->high) {
        return throng_wrong(reader, low, "\"min\" %.10g is above \"max\" %.10g", out->low, out->high);
    }
    return good;
}

bool throng_read_distribution(throng_reader *reader, throng_json_ref node, throng_range range,
                              throng_distribution *out) {
    static const char *const kinds[] = {"uniform", "normal", "lognormal", "gamma", "weibull", "choice"};
    if (node == THRONG_NO_NODE) return true;
    *out = (throng_distribution){.kind = THRONG_FIXED, .low = -INFINITY, .high = INFINITY};
    if (throng_json_kind_of(reader->json, node) == THRONG_JSON_NUMBER) {
        return throng_read_number(reader, node, range, &out->a);
    }
    if (!throng_read_keys(reader, node, THRONG_KEYS_DISTRIBUTION, "a number or a distribution")) return false;
    int kind = throng_read_alternative(reader, node, kinds, 6, "a distribution");
    if (kind < 0) return false;
    out->kind = (throng_distribution_kind)(kind + 1);
    bool good = read_limits(reader, node, range, out);
    throng_json_ref value = throng_value(reader, node, kinds[kind]);
    return (out->kind == THRONG_CHOICE ? read_weighted : read_pair)(reader, value, range, out) && good;
}

throng_distribution throng_copy_distribution(const throng_distribution *distribution) {
    throng_distribution copy = *distribution;
    copy.choice = throng_copy_bytes(copy.choice, copy.choice_count * sizeof *copy.choice);
    return copy;
}

void throng_clear_distribution(throng_distribution *distribution) {
    throng_release(distribution->choice);
    distribution->choice = NULL;
}
