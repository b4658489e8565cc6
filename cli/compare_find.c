/* compare_find.c: means over seeds, what differs, and curves over time. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

/* ------------------------------------------------------------------ figures */

static void find_means(comparison *c) {
    for (size_t k = 0; k < c->variant_count; k++) {
        variant *v = &c->variants[k];
        for (size_t i = 0; i < c->study->name_count; i++)
            v->figures[i] = (compared_figure){statistics_mean(v->values + i * c->seed_count, c->seed_count), NAN, NAN};
    }
}

/* Whether a figure is tested. Of one that some runs do not have, as when all had arrived, the others are no fair
 * sample. */
static bool is_complete(const comparison *c, size_t which, size_t figure) {
    const variant *v = &c->variants[which];
    if (c->study->names[figure].is_time) return false; /* by the machine: another day all would be otherwise */
    return v->figures[figure].sample.count + v->failed == c->seed_count;
}

/* Against the first variant; corrected for how many figures are shown. */
static void find_differences(comparison *c) {
    shown_list shown = compare_shown(c);
    size_t tests = shown.count * (c->variant_count - 1);
    double *p = resize(NULL, tests * sizeof *p);
    for (size_t k = 1, t = 0; k < c->variant_count; k++) {
        for (size_t i = 0; i < shown.count; i++, t++) {
            size_t figure = shown.rows[i].figure;
            bool complete = is_complete(c, 0, figure) && is_complete(c, k, figure);
            const sample_mean *first = &c->variants[0].figures[figure].sample;
            compared_figure *here = &c->variants[k].figures[figure];
            here->p = p[t] = complete ? statistics_welch(&here->sample, first) : NAN;
            c->test_count += !isnan(p[t]);
        }
    }
    statistics_holm(p, tests);
    for (size_t k = 1, t = 0; k < c->variant_count; k++)
        for (size_t i = 0; i < shown.count; i++) c->variants[k].figures[shown.rows[i].figure].corrected = p[t++];
    free(p);
    free(shown.rows);
}

bool compare_differs(const compared_figure *figure) { return figure->corrected < compare_level; }

/* ------------------------------------------------------------------ curves */

static double arrived_by(const trial *run, double time) {
    size_t count = 0;
    while (count < run->arrival_count && run->arrivals[count] <= time) count++;
    return (double)count;
}

/* How many had arrived: the mean over seeds, the least and the most. */
static void find_arrivals(comparison *c, size_t k) {
    variant *v = &c->variants[k];
    for (size_t t = 0; t < COMPARE_TIMES; t++) {
        double sum = 0, known = 0, low = INFINITY, high = -INFINITY;
        for (size_t seed = 0; seed < c->seed_count; seed++) {
            if (isnan(v->ends[seed])) continue;
            double here = arrived_by(&c->runs[k * c->seed_count + seed], c->times[t]);
            sum += here;
            known++;
            low = fmin(low, here);
            high = fmax(high, here);
        }
        v->arrived[t] = known > 0 ? sum / known : NAN;
        v->arrived_low[t] = known > 0 ? low : NAN;
        v->arrived_high[t] = known > 0 ? high : NAN;
    }
}

static void find_bins(comparison *c, size_t k) {
    for (size_t seed = 0; seed < c->seed_count; seed++) {
        for (size_t i = 0; i < TRIAL_BINS; i++) {
            const trial_bin *from = &c->runs[k * c->seed_count + seed].bins[i];
            c->variants[k].bins[i].people += from->people;
            c->variants[k].bins[i].speed += from->speed;
        }
    }
}

static int by_size(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* When half of the variants are over, by their means: later most pictures would be empty. */
static double usual_end(const comparison *c) {
    double *ends = resize(NULL, c->variant_count * sizeof *ends);
    size_t known = 0;
    for (size_t k = 0; k < c->variant_count; k++) {
        sample_mean end = statistics_mean(c->variants[k].ends, c->seed_count);
        if (end.count) ends[known++] = end.mean;
    }
    qsort(ends, known, sizeof *ends, by_size);
    double usual = known ? ends[known / 2] : 0;
    free(ends);
    return usual;
}

static double last_end(const comparison *c) {
    double most = 0;
    for (size_t k = 0; k < c->variant_count; k++)
        for (size_t seed = 0; seed < c->seed_count; seed++) most = fmax(most, c->variants[k].ends[seed]);
    return most;
}

void compare_find(comparison *c) {
    double last = last_end(c), usual = usual_end(c);
    for (size_t t = 0; t < COMPARE_TIMES; t++) c->times[t] = last * (double)t / (COMPARE_TIMES - 1);
    for (size_t m = 0; m < COMPARE_MOMENTS; m++) {
        double at = usual * (0.1 + 0.8 * (double)m / (COMPARE_MOMENTS - 1));
        c->moments[m] = at >= 10 ? floor(at + 0.5) : floor(10 * at + 0.5) / 10;
    }
    find_means(c);
    find_differences(c);
    for (size_t k = 0; k < c->variant_count; k++) {
        find_arrivals(c, k);
        find_bins(c, k);
    }
}

/* ------------------------------------------------------------------ what is shown */

static const shown_figure figures[] = {
    {"people", "people", 0},
    {"left", "people arrived", 1},
    {"egress_last", "egress: last / s", 1},
    {"egress_p95", "egress: 95 % / s", 1},
    {"egress_mean", "egress: mean / s", 1},
    {"arrival_flow", "flow of arrivals / s⁻¹", 2},
    {"line.", "flow at %s / s⁻¹", 2},
    {"speed_mean", "mean speed / m s⁻¹", 3},
    {"standing", "part of time standing", 3},
    {"density_mean", "density at people / m⁻²", 2},
    {"density_p95", "density, 95 % / m⁻²", 2},
    {"overlap_pairs_max", "most pairs overlapping at once", 1},
    {"overlap_deepest_fraction", "deepest overlap / radii", 3},
    {"overlap_part", "overlaps per person and moment", 4},
    {"wall_overlap_max", "deepest in a wall / m", 3},
    {"way_efficiency", "efficiency of ways", 3},
    {"way_mean", "way walked / m", 2},
    {"reversals", "turns back / min⁻¹", 2},
    {"acceleration_mean", "acceleration / m s⁻²", 3},
    {"jerk_mean", "jerk / m s⁻³", 3},
    {"nearest_p5", "nearest neighbour, 5 % / m", 3},
    {"collision_exponent", "time to collision: exponent", 2},
    {"collision_energy", "time to collision: energy at 1 s", 2},
    {"force_max", "largest contact force / N", 0},
    {"ms_per_step", "time per step / ms", 3},
};

static bool is_known(const comparison *c, size_t figure) {
    for (size_t k = 0; k < c->variant_count; k++)
        if (c->variants[k].figures[figure].sample.count) return true;
    return false;
}

/* A name that ends with a point stands for all lines. */
static bool fits(const shown_figure *shown, const char *name, char label[120]) {
    size_t length = strlen(shown->name);
    snprintf(label, 120, "%s", shown->label);
    if (shown->name[length - 1] != '.') return !strcmp(shown->name, name);
    if (strncmp(name, shown->name, length) || !text_ends_with(name, ".flow")) return false;
    char *line = text_format("%.*s", (int)(strlen(name + length) - strlen(".flow")), name + length);
    snprintf(label, 120, "flow at %.80s / s⁻¹", line);
    free(line);
    return true;
}

shown_list compare_shown(const comparison *c) {
    shown_list list = {0};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        for (size_t k = 0; k < c->study->name_count; k++) {
            char label[120];
            if (!fits(&figures[i], c->study->names[k].name, label) || !is_known(c, k)) continue;
            list.rows = resize(list.rows, (list.count + 1) * sizeof *list.rows);
            struct shown_row *row = &list.rows[list.count++];
            row->figure = k;
            row->digits = figures[i].digits;
            memcpy(row->label, label, sizeof label);
        }
    }
    return list;
}
