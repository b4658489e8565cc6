/* trial.c: see trial.h. */

#include "trial.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaded.h"
#include "progress.h"
#include "stats.h"

/* ------------------------------------------------------------------ figures */

void trial_add(trial *out, const char *unit, double value, const char *name, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    out->figures = resize(out->figures, (out->figure_count + 1) * sizeof *out->figures);
    out->figures[out->figure_count++] = (trial_figure){.name = text_format("%s", text), .unit = unit, .value = value};
}

static void add_time(trial *out, const char *unit, double value, const char *name) {
    trial_add(out, unit, value, "%s", name);
    out->figures[out->figure_count - 1].is_time = true;
}

double trial_value(const trial *done, const char *name) {
    for (size_t i = 0; i < done->figure_count; i++)
        if (!strcmp(done->figures[i].name, name)) return done->figures[i].value;
    return NAN;
}

/* The time by which a part of all people had arrived. */
static double arrived_by(const trial *out, double part) {
    size_t needed = (size_t)ceil(part * out->people);
    return needed > 0 && needed <= out->arrival_count ? out->arrivals[needed - 1] : NAN;
}

/* Of the arrivals from the 10th to the 90th percent of them, so that neither the first nor the last decide. */
static double arrival_flow(const trial *out) {
    size_t first = out->arrival_count / 10, last = out->arrival_count - 1 - out->arrival_count / 10;
    if (out->arrival_count < 10) return NAN;
    double spent = out->arrivals[last] - out->arrivals[first];
    return spent > 0 ? (double)(last - first) / spent : NAN;
}

/* What the world knows better than positions ten times a second tell. */
static void correct(throng_summary *f, const trial *out, const throng_force_stats *forces) {
    double sum = 0;
    bool all = out->people > 0 && (double)out->arrival_count == out->people;
    for (size_t i = 0; i < out->arrival_count; i++) sum += out->arrivals[i];
    f->people = out->people;
    f->left = (double)out->arrival_count;
    f->egress_last = arrived_by(out, 1);
    f->egress_p95 = arrived_by(out, 0.95);
    f->egress_mean = all ? sum / out->people : NAN;
    f->force_max = forces->measured ? forces->force_max : NAN;
    f->load_time = forces->measured ? forces->above_s : NAN;
}

static void add_summary(trial *out, const throng_summary *f) {
    for (size_t i = 0; i < throng_summary_count(); i++) {
        throng_summary_line line = throng_summary_about(i);
        if (!strcmp(line.name, "force_mean")) continue; /* not followed here */
        trial_add(out, line.unit, throng_summary_value(f, i), "%s", line.name);
    }
}

/* Measured by the library in every step. */
static void add_overlap(trial *out, const throng_stats *stats) {
    trial_add(out, "", (double)stats->pairs_max, "overlap_pairs_max");
    trial_add(out, "", (double)stats->pairs_over_5pct_max, "overlap_pairs_over_5pct_max");
    trial_add(out, "", (double)stats->swept_pairs_max, "overlap_swept_pairs_max");
    trial_add(out, "", stats->deepest_fraction, "overlap_deepest_fraction");
    trial_add(out, "m", stats->nearest_gap_m, "swept_gap_min");
    trial_add(out, "m", stats->agent_wall_max_m, "wall_overlap_max");
    trial_add(out, "", (double)stats->oddities, "oddities");
}

static void add_forces(trial *out, const throng_force_stats *f) {
    trial_add(out, "N", f->measured ? f->force_p99 : NAN, "force_p99");
    trial_add(out, "N/m", f->measured ? f->pressure_max : NAN, "load_max");
    trial_add(out, "N/m", f->measured ? f->pressure_p99 : NAN, "load_p99");
    trial_add(out, "N", f->measured ? f->wall_force_max : NAN, "wall_force_max");
}

/* ------------------------------------------------------------------ running */

/* Who has arrived in the last step did so at its end. */
static void note_arrivals(trial *out, size_t *capacity, const throng_world *world) {
    uint64_t arrived = throng_world_stats(world).arrived;
    if (arrived > *capacity) {
        *capacity = 2 * (size_t)arrived + 64;
        out->arrivals = resize(out->arrivals, *capacity * sizeof *out->arrivals);
    }
    /* Who sets out again after arriving takes an arrival back. */
    if (arrived < out->arrival_count) out->arrival_count = (size_t)arrived;
    while (out->arrival_count < arrived) out->arrivals[out->arrival_count++] = tidy_s(throng_world_time(world));
}

static void step_to_the_end(const loaded_scenario *loaded, trial *out, trial_tracks *tracks, step_times *times) {
    throng_world *world = loaded->world;
    uint64_t steps = loaded_steps(loaded);
    bool full = throng_scenario_runs_full(loaded->scenario);
    size_t capacity = 0;
    trial_tracks_step(tracks, world);
    for (uint64_t step = 1; step <= steps && (full || !throng_world_is_done(world)); step++) {
        throng_world_step(world);
        step_times_add(times, throng_world_stats(world).step_ms);
        note_arrivals(out, &capacity, world);
        trial_tracks_step(tracks, world);
    }
}

static void take_error(trial *out, const throng_report *report) {
    for (size_t i = 0; i < throng_report_count(report) && !out->error; i++) {
        throng_message m = throng_report_message(report, i);
        if (m.severity != THRONG_ERROR) continue;
        bool named = m.path && *m.path;
        out->error =
            m.line > 0 ? text_format("%d:%d: %s%s%s", m.line, m.column, named ? m.path : "", named ? ": " : "", m.text)
                       : text_format("%s%s%s", named ? m.path : "", named ? ": " : "", m.text);
    }
    if (!out->error) out->error = text_format("the scenario was refused");
}

static void run_loaded(const loaded_scenario *loaded, const trial_def *def, trial *out, bool steps) {
    trial_tracks tracks;
    step_times times = {0};
    double begun = clock_s();
    trial_tracks_begin(&tracks, loaded->scenario, loaded->world);
    tracks.left_out = def->few;
    if (steps) step_to_the_end(loaded, out, &tracks, &times);
    double wall_s = clock_s() - begun;
    throng_stats stats = throng_world_stats(loaded->world);
    out->seed = throng_world_seed(loaded->world);
    out->digest = throng_world_digest(loaded->world);
    out->people = (double)(stats.initial + stats.spawned);
    throng_force_stats forces = throng_world_force_stats(loaded->world);
    trial_add(out, "s", tidy_s(throng_world_time(loaded->world)), "simulated");
    trial_add(out, "", (double)stats.due, "waited_outside");
    trial_add(out, "1/s", arrival_flow(out), "arrival_flow");
    throng_summary summary = trial_tracks_finish(&tracks, loaded->world, out);
    correct(&summary, out, &forces);
    add_summary(out, &summary);
    add_overlap(out, &stats);
    add_forces(out, &forces);
    add_time(out, "ms", step_times_quantile(&times, 0.5), "ms_per_step");
    add_time(out, "s", wall_s, "wall_s");
    trial_tracks_free(&tracks);
    step_times_free(&times);
}

static void begin_and_run(const trial_def *def, trial *out, bool steps) {
    *out = (trial){0};
    loaded_scenario loaded = {0};
    throng_report *report = throng_report_create();
    loaded.scenario = throng_scenario_create(&def->scenario, report);
    throng_run_def run = throng_default_run_def();
    run.threads = def->threads;
    run.check = true;
    if (loaded.scenario) out->model = text_format("%s", throng_scenario_model(loaded.scenario));
    if (loaded.scenario) loaded.world = throng_scenario_create_world(loaded.scenario, &run, report);
    if (loaded.world)
        run_loaded(&loaded, def, out, steps);
    else
        take_error(out, report);
    throng_report_destroy(report);
    loaded_free(&loaded);
}

void trial_run(const trial_def *def, trial *out) { begin_and_run(def, out, true); }

void trial_prepare(const trial_def *def, trial *out) { begin_and_run(def, out, false); }

void trial_free(trial *done) {
    for (size_t i = 0; i < done->figure_count; i++) free(done->figures[i].name);
    free(done->figures);
    free(done->arrivals);
    free(done->error);
    free(done->model);
    *done = (trial){0};
}

/* ------------------------------------------------------------------ as bytes */

/* Before the error, the values and the arrivals. */
typedef struct packed_head {
    uint64_t seed, digest;
    size_t error_length, value_count, arrival_count;
    double people;
    trial_bin bins[TRIAL_BINS];
} packed_head;

char *trial_pack(const trial *done, const trial_figure *names, size_t count, size_t *length) {
    packed_head head = {.seed = done->seed, .digest = done->digest, .value_count = count, .people = done->people};
    head.error_length = done->error ? strlen(done->error) + 1 : 0;
    head.arrival_count = done->arrival_count;
    memcpy(head.bins, done->bins, sizeof head.bins);
    size_t numbers = (count + done->arrival_count) * sizeof(double);
    *length = sizeof head + numbers + head.error_length;
    char *bytes = resize(NULL, *length), *at = bytes + sizeof head;
    memcpy(bytes, &head, sizeof head);
    for (size_t i = 0; i < count; i++, at += sizeof(double)) {
        double value = trial_value(done, names[i].name);
        memcpy(at, &value, sizeof value);
    }
    if (done->arrival_count) memcpy(at, done->arrivals, done->arrival_count * sizeof(double));
    if (done->error) memcpy(bytes + sizeof head + numbers, done->error, head.error_length);
    return bytes;
}

bool trial_unpack(trial *out, double *values, size_t count, const char *bytes, size_t length) {
    packed_head head;
    *out = (trial){0};
    if (length < sizeof head) return false;
    memcpy(&head, bytes, sizeof head);
    if (head.value_count != count) return false;
    size_t numbers = (count + head.arrival_count) * sizeof(double);
    if (length != sizeof head + numbers + head.error_length) return false;
    out->seed = head.seed;
    out->digest = head.digest;
    out->people = head.people;
    memcpy(out->bins, head.bins, sizeof head.bins);
    const char *at = bytes + sizeof head;
    if (count) memcpy(values, at, count * sizeof(double));
    out->arrival_count = head.arrival_count;
    out->arrivals = resize(NULL, head.arrival_count * sizeof(double));
    if (head.arrival_count) memcpy(out->arrivals, at + count * sizeof(double), head.arrival_count * sizeof(double));
    if (head.error_length) out->error = text_format("%.*s", (int)head.error_length - 1, at + numbers);
    return true;
}
