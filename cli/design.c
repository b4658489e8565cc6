/* design.c: see design.h. */

#include "design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "messages.h"

static const size_t runs_most = 10000000;

/* ------------------------------------------------------------------ making it */

static design_axis *add_axis(design *d, const char *key, size_t length) {
    d->axes = resize(d->axes, (d->axis_count + 1) * sizeof *d->axes);
    design_axis *axis = &d->axes[d->axis_count++];
    *axis = (design_axis){.key = text_format("%.*s", (int)length, key)};
    return axis;
}

/* What has an option of its own is not a value like others: the table has a column for it. */
static bool is_value(const design *d, size_t axis) {
    const char *key = d->axes[axis].key;
    bool model = !strcmp(key, "model") || !strcmp(key, "model.name");
    if (model || !strcmp(key, "seed")) {
        complain("--set %s: give several %s with --%s", key, model ? "models" : "seeds", model ? "models" : "seeds");
        return false;
    }
    for (size_t i = 0; i < axis; i++) {
        if (strcmp(d->axes[i].key, key)) continue;
        complain("--set %s: it is given twice", key);
        return false;
    }
    return true;
}

static bool read_set(design *d, const char *item, bool latin) {
    const char *equals = strchr(item, '=');
    if (!equals || equals == item) {
        complain("--set: expected KEY=VALUES, as in agents[0].count=100..1000:100, found '%s'", item);
        return false;
    }
    design_axis *axis = add_axis(d, item, (size_t)(equals - item));
    return is_value(d, d->axis_count - 1) && design_read_axis(axis, equals + 1, latin);
}

static bool read_models(design *d, const char *text) {
    d->models = design_split(text, strlen(text));
    const char *names[64];
    size_t count = 0;
    for (; count < throng_model_count() && count < 64; count++)
        names[count] = throng_model_name(throng_model_at(count));
    for (size_t i = 0; i < d->models.count; i++) {
        const char *name = d->models.items[i];
        if (throng_model_named(name)) continue;
        const char *meant = throng_nearest_word(name, names, count);
        complain("--models: unknown model '%s'%s%s%s", name, meant ? ": did you mean '" : "", meant ? meant : "",
                 meant ? "'?" : " ('throng models' lists them)");
        return false;
    }
    return true;
}

/* "10" are the seeds 1 to 10; "3,7" and "5..9" are what they say. */
static bool read_seeds(design *d, const char *text) {
    uint64_t count;
    design_axis axis = {.key = text_format("--seeds")};
    char *many = read_whole(text, &count)                   ? text_format("1..%s:1", text)
                 : strstr(text, "..") && !strchr(text, ':') ? text_format("%s:1", text)
                                                            : text_format("%s", text);
    bool good = design_read_axis(&axis, many, false);
    for (size_t i = 0; good && i < axis.values.count; i++) {
        good = read_whole(axis.values.items[i], &count);
        if (!good) complain("--seeds: expected how many, or whole numbers as in 3,7 or 5..9, found '%s'", text);
    }
    d->seeds = axis.values;
    free(axis.key);
    free(many);
    return good;
}

static bool count_runs(design *d) {
    double all = (double)d->points;
    all *= (double)(d->models.count ? d->models.count : 1) * (double)(d->seeds.count ? d->seeds.count : 1);
    for (size_t i = 0; i < d->axis_count; i++)
        if (!d->axes[i].tied) all *= (double)d->axes[i].values.count;
    if (all > (double)runs_most) {
        complain("sweep: that would be %.3g runs; more than %zu are too many", all, runs_most);
        return false;
    }
    d->run_count = (size_t)all;
    return true;
}

static bool draw(design *d, const design_options *options) {
    bool any = false;
    for (size_t i = 0; i < d->axis_count; i++) any = any || d->axes[i].drawn;
    if (options->latin && !any) {
        complain("--latin: nothing to draw: give a range without a step, as in --set profiles.adult.speed=0.8..1.6");
        return false;
    }
    if (options->latin && options->table) {
        complain("sweep: either --latin or --table");
        return false;
    }
    d->points = options->latin ? (size_t)options->latin : 1;
    design_draw(d, options->latin_seed);
    return true;
}

bool design_create(design *out, const design_options *options) {
    *out = (design){.points = 1};
    for (size_t i = 0; i < options->set.count; i++)
        if (!read_set(out, options->set.items[i], options->latin > 0)) return false;
    if (options->models && !read_models(out, options->models)) return false;
    if (options->seeds && !read_seeds(out, options->seeds)) return false;
    if (!draw(out, options)) return false;
    if (options->table && !design_read_table(out, options->table)) return false;
    for (size_t i = options->set.count; i < out->axis_count; i++)
        if (!is_value(out, i)) return false;
    return count_runs(out);
}

void design_free(design *d) {
    for (size_t i = 0; i < d->axis_count; i++) {
        free(d->axes[i].key);
        text_list_free(&d->axes[i].values);
    }
    free(d->axes);
    text_list_free(&d->models);
    text_list_free(&d->seeds);
    *d = (design){0};
}

/* ------------------------------------------------------------------ its runs */

/* Takes the last digit of a number whose digits count to `base`. */
static size_t take_digit(size_t *rest, size_t base) {
    size_t digit = *rest % base;
    *rest /= base;
    return digit;
}

design_run design_run_at(const design *d, size_t index) {
    design_run run = {.values = resize(NULL, d->axis_count * sizeof *run.values)};
    if (d->seeds.count) run.seed = d->seeds.items[take_digit(&index, d->seeds.count)];
    size_t point = take_digit(&index, d->points);
    for (size_t i = d->axis_count; i-- > 0;) {
        const design_axis *axis = &d->axes[i];
        run.values[i] = axis->values.items[axis->tied ? point : take_digit(&index, axis->values.count)];
    }
    if (d->models.count) run.model = d->models.items[take_digit(&index, d->models.count)];
    return run;
}

static void add_override(text_list *list, const char *key, const char *value) {
    char *text = text_format("%s=%s", key, value);
    text_list_add(list, text);
    free(text);
}

text_list design_overrides(const design *d, size_t index) {
    text_list list = {0};
    design_run run = design_run_at(d, index);
    if (run.model) add_override(&list, "model.name", run.model);
    for (size_t i = 0; i < d->axis_count; i++) add_override(&list, d->axes[i].key, run.values[i]);
    if (run.seed) add_override(&list, "seed", run.seed);
    free(run.values);
    return list;
}

static void append(char **text, const char *name, const text_list *values) {
    size_t length = strlen(*text), more = strlen(name) + 3;
    for (size_t i = 0; i < values->count; i++) more += strlen(values->items[i]) + 1;
    *text = resize(*text, length + more);
    char *at = *text + length;
    at += sprintf(at, "%s:", name);
    for (size_t i = 0; i < values->count; i++) at += sprintf(at, "%s%s", i ? "," : "", values->items[i]);
    strcpy(at, "\n");
}

char *design_text(const design *d) {
    char *text = text_format("%zu points\n", d->points);
    append(&text, "models", &d->models);
    append(&text, "seeds", &d->seeds);
    for (size_t i = 0; i < d->axis_count; i++) {
        char *name = text_format("%s%s", d->axes[i].key, d->axes[i].tied ? " (by point)" : "");
        append(&text, name, &d->axes[i].values);
        free(name);
    }
    return text;
}
