/* stats.c: see stats.h. Times are means per step unless their name says otherwise; what was not
 * measured or did not happen is null. */

#include "stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "json.h"

/* ------------------------------------------------------------------ times of the steps */

enum { TIMES_KEPT = 1 << 20 };

void step_times_add(step_times *times, double ms) {
    if (!times->stride) times->stride = 1;
    times->sum_ms += ms;
    if (times->seen++ % times->stride) return;
    if (times->count == TIMES_KEPT) {
        for (size_t i = 0; i < TIMES_KEPT / 2; i++) times->ms[i] = times->ms[2 * i];
        times->count /= 2;
        times->stride *= 2;
    }
    if (times->count == times->capacity) {
        times->capacity = times->capacity ? 2 * times->capacity : 1024;
        times->ms = resize(times->ms, times->capacity * sizeof *times->ms);
    }
    times->ms[times->count++] = (float)ms;
}

void step_times_free(step_times *times) {
    free(times->ms);
    *times = (step_times){0};
}

static int by_size(const void *a, const void *b) {
    float p = *(const float *)a, q = *(const float *)b;
    return (p > q) - (p < q);
}

double step_times_quantile(const step_times *times, double part) {
    if (!times->count) return NAN;
    float *sorted = resize(NULL, times->count * sizeof *sorted);
    memcpy(sorted, times->ms, times->count * sizeof *sorted);
    qsort(sorted, times->count, sizeof *sorted, by_size);
    double value = sorted[(size_t)(part * (double)(times->count - 1) + 0.5)];
    free(sorted);
    return value;
}

/* ------------------------------------------------------------------ quantities */

void quantity_figures_begin(run_figures *figures, const text_list *names) {
    figures->quantities = resize(NULL, names->count * sizeof *figures->quantities);
    figures->quantity_count = names->count;
    for (size_t i = 0; i < names->count; i++)
        figures->quantities[i] = (quantity_figure){.name = names->items[i], .least = INFINITY, .most = -INFINITY};
}

void quantity_figures_add(run_figures *figures, const throng_world *world) {
    size_t count = throng_world_raw_view(world).count;
    if (!figures->quantity_count || !count) return;
    double *x = resize(NULL, 2 * count * sizeof *x), *y = x + count;
    for (size_t q = 0; q < figures->quantity_count; q++) {
        quantity_figure *figure = &figures->quantities[q];
        size_t index = throng_world_quantity_named(world, figure->name);
        if (index == SIZE_MAX) continue;
        throng_quantity about = throng_world_quantity(world, index);
        snprintf(figure->unit, sizeof figure->unit, "%s", about.unit);
        throng_world_quantity_values(world, index, 0, x);
        if (about.components > 1) throng_world_quantity_values(world, index, 1, y);
        for (size_t i = 0; i < count; i++) {
            double value = about.components > 1 ? hypot(x[i], y[i]) : x[i];
            if (isnan(value)) continue;
            figure->sum += value;
            figure->least = fmin(figure->least, value);
            figure->most = fmax(figure->most, value);
            figure->count++;
        }
    }
    free(x);
}

/* What of wall_force there is stands among the forces. */
static void write_quantities(json_writer *out, const run_figures *figures) {
    if (!figures->quantity_count) return;
    json_open(out, "quantities", '{');
    for (size_t q = 0; q < figures->quantity_count; q++) {
        const quantity_figure *figure = &figures->quantities[q];
        if (!figure->count) continue;
        json_open(out, figure->name, '{');
        json_text(out, "unit", figure->unit);
        json_number(out, "min", figure->least);
        json_number(out, "mean", figure->sum / (double)figure->count);
        json_number(out, "max", figure->most);
        json_close(out, '}');
    }
    json_close(out, '}');
}

/* ------------------------------------------------------------------ the object */

/* A time or a size, where the digits beyond the sixth are noise. */
static double rounded(double value) {
    char text[40];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

double tidy_s(double time) { return round(time * 1e9) / 1e9; }

static void write_times(json_writer *out, const throng_stats *stats, const run_figures *figures) {
    double steps = (double)figures->times.seen;
    json_open(out, "ms_per_step", '{');
    json_number(out, "median", rounded(step_times_quantile(&figures->times, 0.5)));
    json_number(out, "p95", rounded(step_times_quantile(&figures->times, 0.95)));
    json_number(out, "mean", rounded(figures->times.sum_ms / steps));
    json_close(out, '}');
    json_open(out, "stage_ms", '{');
    for (int stage = 0; stage < THRONG_STAGE_COUNT; stage++)
        json_number(out, throng_stage_name((throng_stage)stage), rounded(stats->stage_ms[stage] / steps));
    json_number(out, "record", rounded(figures->record_ms / steps));
    json_close(out, '}');
    json_number(out, "record_wait_ms", rounded(figures->record_wait_ms));
    if (!figures->checkpoint_count) return;
    json_open(out, "checkpoint", '{');
    json_whole(out, "written", figures->checkpoint_count);
    json_number(out, "ms", rounded(figures->checkpoint_ms / (double)figures->checkpoint_count));
    json_close(out, '}');
}

static void write_overlap(json_writer *out, const throng_stats *stats, bool checked) {
    const struct {
        const char *name;
        uint64_t count;
    } pairs[] = {{"pairs_max", stats->pairs_max},
                 {"pairs_over_5pct_max", stats->pairs_over_5pct_max},
                 {"swept_pairs_max", stats->swept_pairs_max}};
    json_open(out, "overlap", '{');
    for (int i = 0; i < 3; i++) {
        if (checked)
            json_whole(out, pairs[i].name, pairs[i].count);
        else
            json_null(out, pairs[i].name);
    }
    json_number(out, "deepest_fraction", checked ? stats->deepest_fraction : NAN);
    json_number(out, "agent_wall_max_m", checked ? stats->agent_wall_max_m : NAN);
    json_number(out, "swept_wall_max_m", checked ? stats->swept_wall_max_m : NAN);
    json_close(out, '}');
    json_open(out, "nearest_gap_m", '{');
    json_number(out, "min", checked ? stats->nearest_gap_m : NAN);
    json_close(out, '}');
}

/* The figures of one model after the other become one object each. */
typedef struct figure_context {
    json_writer *out;
    const char *model; /* whose object is open */
} figure_context;

static void write_figure(void *context, const char *model, const char *name, double value) {
    figure_context *c = context;
    if (!c->model || strcmp(c->model, model)) {
        if (c->model) json_close(c->out, '}');
        json_open(c->out, model, '{');
        c->model = model;
    }
    json_number(c->out, name, value);
}

double evacuation_s(const throng_stats *stats) {
    bool all = stats->active == 0 && stats->due == 0 && stats->arrived > 0 &&
               stats->arrived == stats->initial + stats->spawned;
    return all && stats->last_arrival_s >= 0 ? stats->last_arrival_s : NAN;
}

static double peak_rss_mb(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) ? NAN : (double)usage.ru_maxrss * 1024 / 1e6;
}

static void write_head(json_writer *out, const loaded_scenario *loaded, const throng_stats *stats,
                       const run_figures *figures) {
    static const char *const ends[] = {"arrived", "duration", "interrupted", "failed"};
    const throng_world *world = loaded->world;
    json_text(out, "scenario", loaded->name);
    json_text(out, "model", throng_scenario_model(loaded->scenario));
    json_text(out, "planner", throng_world_planner(world));
    json_whole(out, "seed", throng_world_seed(world));
    json_whole(out, "threads", (uint64_t)throng_world_threads(world));
    json_number(out, "dt", throng_world_dt(world));
    json_whole(out, "steps", stats->steps);
    json_number(out, "simulated_s", tidy_s(throng_world_time(world)));
    json_number(out, "wall_s", rounded(figures->wall_s));
    json_text(out, "end", ends[figures->end]);
    if (loaded->resumed) json_number(out, "resumed_s", tidy_s(loaded->begun_s));
}

/* What models say of contact forces. */
static void write_forces(json_writer *out, const throng_world *world) {
    throng_force_stats forces = throng_world_force_stats(world);
    if (!forces.measured) return;
    char name[60];
    snprintf(name, sizeof name, "person_s_above_%.0f_n_per_m", THRONG_PRESSURE_MARK);
    json_open(out, "forces", '{');
    json_number(out, "max_n", rounded(forces.force_max));
    json_number(out, "p99_n", rounded(forces.force_p99));
    json_number(out, "pressure_max_n_per_m", rounded(forces.pressure_max));
    json_number(out, "pressure_p99_n_per_m", rounded(forces.pressure_p99));
    json_number(out, name, rounded(forces.above_s));
    json_number(out, "wall_max_n", rounded(forces.wall_force_max));
    json_text(out, "note", "output of the model, not a medical threshold");
    json_close(out, '}');
}

/* Things, where there are any. */
static void write_objects(json_writer *out, const throng_world *world, const throng_stats *stats) {
    throng_objects all = throng_world_objects(world);
    size_t awake = 0;
    if (all.count == 0) return;
    for (size_t i = 0; i < all.count; i++) awake += all.objects[i].awake;
    json_open(out, "objects", '{');
    json_whole(out, "count", all.count);
    json_whole(out, "awake", awake);
    json_whole(out, "bonds", all.bond_count);
    json_whole(out, "bonds_broken", stats->bonds_broken);
    json_whole(out, "bounded", stats->objects_bounded);
    json_number(out, "engine_ms", rounded(stats->steps ? stats->engine_ms / (double)stats->steps : 0));
    json_close(out, '}');
}

void stats_write(FILE *file, const loaded_scenario *loaded, const run_figures *figures) {
    throng_stats stats = throng_world_stats(loaded->world);
    json_writer out = {.file = file};
    json_open(&out, NULL, '{');
    write_head(&out, loaded, &stats, figures);
    write_times(&out, &stats, figures);
    json_open(&out, "agents", '{');
    json_whole(&out, "initial", stats.initial);
    json_whole(&out, "spawned", stats.spawned);
    json_whole(&out, "arrived", stats.arrived);
    json_whole(&out, "active", stats.active);
    json_whole(&out, "due", stats.due);
    json_close(&out, '}');
    write_overlap(&out, &stats, figures->checked);
    write_quantities(&out, figures);
    write_forces(&out, loaded->world);
    write_objects(&out, loaded->world, &stats);
    json_number(&out, "evacuation_s", tidy_s(evacuation_s(&stats)));
    json_whole(&out, "oddities", stats.oddities);
    figure_context context = {.out = &out};
    throng_world_model_figures(loaded->world, write_figure, &context);
    if (context.model) json_close(&out, '}');
    json_number(&out, "peak_rss_mb", rounded(peak_rss_mb()));
    char digest[20];
    snprintf(digest, sizeof digest, "%016" PRIx64, throng_world_digest(loaded->world));
    json_text(&out, "digest", digest);
    json_close(&out, '}');
    fputc('\n', file);
}
