/* verify_judge.c: from numbers of runs to verdicts; see verify.h. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify.h"

double verify_folded(verify_fold fold, const double *values, size_t count) {
    double least = INFINITY, most = -INFINITY, sum = 0, squares = 0, least_rise = INFINITY, most_rise = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) return NAN;
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
        sum += values[i];
        squares += values[i] * values[i];
        if (i == 0) continue;
        least_rise = fmin(least_rise, values[i] - values[i - 1]);
        most_rise = fmax(most_rise, values[i] - values[i - 1]);
    }
    switch (fold) {
        case FOLD_MOST:
            return most;
        case FOLD_LEAST:
            return least;
        case FOLD_MEAN:
            return sum / (double)count;
        case FOLD_SUM:
            return sum;
        case FOLD_SPREAD:
            return most - least;
        case FOLD_RATIO:
            return count > 1 ? values[0] / values[1] : NAN;
        case FOLD_LEAST_RISE:
            return count > 1 ? least_rise : NAN;
        case FOLD_MOST_RISE:
            return count > 1 ? most_rise : NAN;
        case FOLD_RMS:
            return sqrt(squares / (double)count);
    }
    return NAN;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *values, size_t count) {
    double *sorted = resize(NULL, count * sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    free(sorted);
    return median;
}

/* The figure is over the seeds where there is one; a seed without one does not hold. */
void verify_judge_row(verify_row *row) {
    double *known = resize(NULL, (row->seeds + 1) * sizeof *known), sum = 0;
    size_t count = 0;
    row->least = row->most = row->figure = NAN;
    row->held = 0;
    for (size_t s = 0; s < row->seeds; s++) {
        double value = verify_folded(row->criterion->fold, row->values + s * row->runs, row->runs);
        row->folded[s] = value;
        row->held += verify_holds(&row->bound, value);
        if (isnan(value)) continue;
        known[count++] = value;
        sum += value;
        row->least = fmin(row->least, value);
        row->most = fmax(row->most, value);
    }
    row->known = count;
    if (count > 0) row->figure = row->criterion->judge == JUDGE_MEDIAN ? median_of(known, count) : sum / (double)count;
    free(known);
    bool whole = row->criterion->judge == JUDGE_EACH ? row->held == row->seeds
                                                     : count == row->seeds && verify_holds(&row->bound, row->figure);
    bool nothing = count == 0 && !strcmp(row->model, VERIFY_REAL);
    row->verdict = row->bound.none || nothing ? VERDICT_TOLD : whole ? VERDICT_HOLDS : VERDICT_FAILS;
}

/* ------------------------------------------------------------------ bounds */

bool verify_holds(const verify_bound *bound, double value) {
    if (isnan(value)) return false;
    return bound->open ? value > bound->low && value < bound->high : value >= bound->low && value <= bound->high;
}

char *verify_bound_text(const verify_bound *bound) {
    if (bound->none) return text_format("told");
    if (bound->low == bound->high) return text_format("= %g", bound->low);
    if (isinf(bound->high)) return text_format("%s %g", bound->open ? ">" : ">=", bound->low);
    if (isinf(bound->low)) return text_format("%s %g", bound->open ? "<" : "<=", bound->high);
    return text_format("%g .. %g", bound->low, bound->high);
}

/* A number with spaces around it. */
static bool read_part(const char *from, size_t length, double *value) {
    while (length && *from == ' ') from++, length--;
    while (length && from[length - 1] == ' ') length--;
    char *text = text_format("%.*s", (int)length, from);
    bool good = read_number(text, value);
    free(text);
    return good;
}

/* What verify_bound_text writes, with or without spaces. */
bool verify_read_bound(const char *text, verify_bound *bound) {
    *bound = (verify_bound){-INFINITY, INFINITY, false, false};
    text += strspn(text, " ");
    const char *dots = strstr(text, "..");
    if (dots)
        return read_part(text, (size_t)(dots - text), &bound->low) &&
               read_part(dots + 2, strlen(dots + 2), &bound->high) && bound->low <= bound->high;
    size_t sign = strspn(text, "<>=");
    double value;
    if (sign < 1 || sign > 2 || (sign == 2 && (text[0] == '=' || text[1] != '='))) return false;
    if (!read_part(text + sign, strlen(text + sign), &value)) return false;
    bound->open = sign == 1 && *text != '=';
    if (*text != '<') bound->low = value;
    if (*text != '>') bound->high = value;
    return true;
}

/* ------------------------------------------------------------------ words */

const char *verify_whose_word(const verify_row *row) {
    static const char *const words[] = {"guideline", "data", "program", "ours"};
    return row->own_bound ? "yours" : words[row->criterion->whose];
}

char *verify_figure_text(double value) {
    if (isnan(value)) return text_format("-");
    return text_format("%.4g", fabs(value) < 1e-12 ? 0 : value);
}

char *verify_verdict_text(const verify_row *row) {
    char *word;
    if (row->verdict == VERDICT_TOLD)
        word = text_format("told");
    else if (row->verdict == VERDICT_HOLDS)
        word = text_format("holds");
    else if (isnan(row->figure))
        word = text_format("FAILS (could not be measured)");
    else if (row->known < row->seeds)
        word = text_format("FAILS (could not be measured in %zu of %zu seeds)", row->seeds - row->known, row->seeds);
    else if (row->criterion->judge == JUDGE_EACH && row->held > 0)
        word = text_format("FAILS (%zu of %zu seeds hold)", row->held, row->seeds);
    else
        word = text_format("FAILS");
    if (!row->of->needs) return word;
    char *whole = text_format("not applicable: needs %s (%s)", row->of->needs, word);
    free(word);
    return whole;
}

size_t verify_same_criterion(const verify_table *table, size_t first) {
    const verify_row *row = &table->rows[first];
    size_t count = 1;
    while (first + count < table->count && row[count].criterion == row->criterion && row[count].of == row->of) count++;
    return count;
}

bool verify_misses(const verify_table *table, const verify_missing *missing) {
    return table->all_cases && (!table->suite || verify_is_of(missing->tests, table->suite));
}

void verify_free(verify_table *table) {
    for (size_t i = 0; i < table->count; i++) {
        free(table->rows[i].values);
        free(table->rows[i].folded);
    }
    for (size_t i = 0; i < table->picture_count; i++) free(table->pictures[i].svg);
    free(table->rows);
    free(table->pictures);
    text_list_free(&table->faults);
}
