/* design_values.c: the values of a design: lists, ranges, Latin hypercubes (McKay, Beckman & Conover 1979), tables. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "messages.h"
#include "paths.h"

static const double values_most = 1000000;
static const size_t table_most = (size_t)1 << 28; /* bytes */

/* ------------------------------------------------------------------ lists */

static void add_part(text_list *list, const char *text, size_t length) {
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    char *part = text_format("%.*s", (int)length, text);
    text_list_add(list, part);
    free(part);
}

text_list design_split(const char *text, size_t length) {
    text_list parts = {0};
    int depth = 0;
    bool quoted = false;
    size_t begun = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            depth++;
        else if (!quoted && (c == ']' || c == '}'))
            depth--;
        else if (!quoted && depth == 0 && c == ',') {
            add_part(&parts, text + begun, i - begun);
            begun = i + 1;
        }
    }
    add_part(&parts, text + begun, length - begun);
    return parts;
}

/* ------------------------------------------------------------------ ranges */

typedef struct range {
    double low, high, step; /* step 0: none given */
    bool whole;             /* both ends are written as whole numbers */
} range;

static bool is_whole(const char *text) { return !text[strspn(text, "+-0123456789")]; }

/* "low..high" or "low..high:step"; false when it is none. */
static bool read_range(const char *text, range *out) {
    const char *dots = strstr(text, "..");
    if (!dots) return false;
    const char *colon = strchr(dots, ':');
    size_t high_length = colon ? (size_t)(colon - dots) - 2 : strlen(dots + 2);
    char *low = text_format("%.*s", (int)(dots - text), text), *high = text_format("%.*s", (int)high_length, dots + 2);
    out->step = 0;
    out->whole = is_whole(low) && is_whole(high);
    bool good = read_number(low, &out->low) && read_number(high, &out->high);
    good = good && (!colon || read_number(colon + 1, &out->step));
    free(low);
    free(high);
    return good;
}

static void add_number(text_list *list, double value) {
    char *text = text_format("%.12g", value); /* 0.1 + 2 * 0.1 is 0.3 here */
    text_list_add(list, text);
    free(text);
}

static bool refuse(const design_axis *axis, const char *item, const char *why) {
    complain("--set %s: '%s' %s", axis->key, item, why);
    return false;
}

static bool add_steps(design_axis *axis, const char *item, range r) {
    if (r.step == 0) return refuse(axis, item, "has a step of 0");
    double steps = floor((r.high - r.low) / r.step + 1e-9);
    if (steps < 0) return refuse(axis, item, "leads away from its end");
    if (steps >= values_most) return refuse(axis, item, "has more than a million values");
    for (double i = 0; i <= steps; i++) add_number(&axis->values, r.low + i * r.step);
    return true;
}

bool design_read_axis(design_axis *axis, const char *text, bool latin) {
    text_list parts = design_split(text, strlen(text));
    bool good = true;
    for (size_t i = 0; i < parts.count && good; i++) {
        const char *item = parts.items[i];
        range r;
        if (!*item)
            good = refuse(axis, text, "has an empty value");
        else if (!read_range(item, &r))
            text_list_add(&axis->values, item);
        else if (strchr(item, ':'))
            good = add_steps(axis, item, r);
        else if (!latin || parts.count > 1)
            good =
                refuse(axis, item, "is a range without a step: write LOW..HIGH:STEP, or draw from it with --latin N");
        else if (!(r.low < r.high))
            good = refuse(axis, item, "is no range: its first number must be the smaller one");
        else {
            axis->tied = axis->drawn = true;
            axis->whole = r.whole;
            axis->low = r.low;
            axis->high = r.high;
        }
    }
    text_list_free(&parts);
    return good;
}

/* ------------------------------------------------------------------ drawing */

/* Numbers that look random, the same everywhere (splitmix64, Steele et al. 2014). */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double next_part(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

/* Each of `points` equal parts of the range holds one value. A whole number stands for the unit around it, so that
 * both ends are as likely as any other. */
static void draw_axis(design_axis *axis, size_t points, uint64_t state) {
    size_t *order = resize(NULL, points * sizeof *order);
    for (size_t i = 0; i < points; i++) order[i] = i;
    for (size_t i = points; i > 1; i--) {
        size_t k = (size_t)(next_part(&state) * (double)i), other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
    double low = axis->whole ? axis->low - 0.5 : axis->low, high = axis->whole ? axis->high + 0.5 : axis->high;
    for (size_t i = 0; i < points; i++) {
        double value = low + (high - low) * ((double)order[i] + next_part(&state)) / (double)points;
        add_number(&axis->values, axis->whole ? fmin(fmax(floor(value + 0.5), axis->low), axis->high) : value);
    }
    free(order);
}

void design_draw(design *d, uint64_t seed) {
    for (size_t i = 0; i < d->axis_count; i++)
        if (d->axes[i].drawn) draw_axis(&d->axes[i], d->points, seed * 0x100000001B3u + i);
}

/* ------------------------------------------------------------------ tables */

static bool add_row(design *d, size_t first, const text_list *cells, const char *path, size_t line) {
    if (cells->count != d->axis_count - first) {
        complain("%s:%zu: expected %zu values, found %zu", path, line, d->axis_count - first, cells->count);
        return false;
    }
    for (size_t i = 0; i < cells->count; i++) {
        if (!*cells->items[i]) {
            complain("%s:%zu: '%s' has no value", path, line, d->axes[first + i].key);
            return false;
        }
        text_list_add(&d->axes[first + i].values, cells->items[i]);
    }
    return true;
}

static void add_headings(design *d, const text_list *cells) {
    for (size_t i = 0; i < cells->count; i++) {
        d->axes = resize(d->axes, (d->axis_count + 1) * sizeof *d->axes);
        d->axes[d->axis_count++] = (design_axis){.key = text_format("%s", cells->items[i]), .tied = true};
    }
}

bool design_read_table(design *d, const char *path) {
    size_t length, first = d->axis_count, line = 0;
    char *text = file_bytes(path, table_most, &length);
    if (!text) {
        complain("cannot read the table %s", path);
        return false;
    }
    bool good = true;
    for (char *at = text; good && *at; line++) {
        size_t all = strcspn(at, "\n"), shown = all && at[all - 1] == '\r' ? all - 1 : all;
        text_list cells = design_split(at, shown);
        if (line == 0)
            add_headings(d, &cells);
        else if (shown)
            good = add_row(d, first, &cells, path, line + 1);
        text_list_free(&cells);
        at += all + (at[all] != 0);
    }
    free(text);
    d->points = first < d->axis_count ? d->axes[first].values.count : 0;
    if (good && d->points == 0) complain("%s: expected a line of keys and at least one line of values", path);
    return good && d->points > 0;
}
