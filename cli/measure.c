/* measure.c: `throng measure`: what the field measures of trajectories, of a recording or of a scenario that is run. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "loaded.h"
#include "measure.h"
#include "messages.h"
#include "newfile.h"
#include "progress.h"
#include "source.h"
#include "verbs.h"

typedef struct measure_options {
    scenario_options scenario;
    source_options source;
    text_list areas, lines, pool;
    const char *from_scenario, *walkable, *json, *csv, *report;
    optional_number cut_off, from, to, axis, radius, grid, gaussian;
    optional_whole frame_step, block;
    int border, way;
    bool quiet;
} measure_options;

static const double window_s = 0.625;   /* s that velocities are taken over, unless told */
static const double kernel_width = 0.5; /* m, of Gaussians, unless told (PedPy) */

/* ------------------------------------------------------------------ recordings */

/* Where only every n-th frame has anybody in it, as in video annotated every 0.4 s, those are the frames: n is the
 * smallest way from one to the next. Also tells the first one. */
static bool find_frame_step(throng_recording *recording, const char *path, size_t *step, size_t *first) {
    size_t count = throng_recording_info_of(recording).frame_count, last = SIZE_MAX;
    *step = SIZE_MAX;
    *first = 0;
    for (size_t f = 0; f < count && *step != 1; f++) {
        throng_error error = {0};
        throng_frame frame;
        if (!throng_recording_frame(recording, f, &frame, &error)) {
            print_error(path, &error);
            return false;
        }
        if (frame.count == 0) continue;
        if (last == SIZE_MAX) *first = f;
        if (last != SIZE_MAX && f - last < *step) *step = f - last;
        last = f;
    }
    if (*step == SIZE_MAX) *step = 1;
    return true;
}

static size_t find_quantity(const throng_recording *recording, const char *name) {
    for (size_t i = 0; i < throng_recording_quantity_count(recording); i++)
        if (!strcmp(throng_recording_quantity(recording, i).name, name)) return i;
    return SIZE_MAX;
}

/* Of those whom throng_tracks_add takes. */
static size_t take_forces(measurement *m, const throng_frame *frame, const double *force, size_t rows) {
    throng_agent last = 0;
    m->gathered.force = resize(m->gathered.force, (rows + frame->count + 1) * sizeof *force);
    for (size_t i = 0, taken = 0; i < frame->count; i++) {
        if (!isfinite(frame->x[i]) || !isfinite(frame->y[i]) || (taken && frame->id[i] <= last)) continue;
        last = frame->id[i];
        m->gathered.force[rows++] = force[i];
        taken++;
    }
    return rows;
}

/* Of n frames that become one at most one has anybody in it. */
static bool read_frames(measurement *m, throng_recording *recording, size_t first) {
    size_t count = throng_recording_info_of(recording).frame_count, step = m->frame_step, rows = 0;
    size_t quantity = find_quantity(recording, "force");
    for (size_t begin = first % step; begin < count; begin += step) {
        throng_frame frame = {0};
        for (size_t f = begin; f < begin + step && f < count && frame.count == 0; f++) {
            throng_error error = {0};
            if (throng_recording_frame(recording, f, &frame, &error)) continue;
            print_error(m->source, &error);
            return false;
        }
        throng_tracks_add(m->gathered.tracks, frame.count, frame.id, frame.x, frame.y);
        if (quantity != SIZE_MAX) rows = take_forces(m, &frame, frame.values[quantity], rows);
    }
    return true;
}

static void take_radii(measurement *m, throng_recording *recording, const measure_options *options) {
    const throng_tracks_view *v = &m->gathered.view;
    size_t known = throng_recording_info_of(recording).agent_count, k = 0;
    m->gathered.radius = resize(NULL, (v->person_count + 1) * sizeof *m->gathered.radius);
    m->radii_known = true;
    for (size_t p = 0; p < v->person_count; p++) {
        throng_recording_agent agent = {0};
        while (k < known && (agent = throng_recording_agent_at(recording, k)).id < v->people[p]) k++;
        bool said = k < known && agent.id == v->people[p] && agent.model && *agent.model;
        m->gathered.radius[p] = options->radius.given ? options->radius.value : agent.radius;
        m->radii_known = m->radii_known && (said || options->radius.given);
    }
}

static bool take_recording(measurement *m, const measure_options *options) {
    throng_recording *recording = source_open(&options->source, m->source);
    if (!recording) return false;
    throng_error error = {0};
    if (!m->place) m->place = throng_recording_place(recording, &error);
    bool good = m->place != NULL;
    if (!good) print_error(m->source, &error);
    size_t count;
    const throng_mark *marks = good ? throng_recording_marks(recording, 0, &count) : NULL;
    for (size_t i = 0; marks && i < count; i++) measure_sort_mark(m, &marks[i]);
    size_t first = 0;
    good = good && find_frame_step(recording, m->source, &m->frame_step, &first);
    double fps = throng_recording_info_of(recording).fps / (double)m->frame_step;
    throng_period period = m->planned ? m->period : throng_recording_period(recording);
    good = good && gather_begin(&m->gathered, fps, m->place, period, (int)options->scenario.threads.value) &&
           read_frames(m, recording, first);
    if (good) m->gathered.view = throng_tracks_look(m->gathered.tracks);
    if (good) take_radii(m, recording, options);
    throng_recording_close(recording);
    return good;
}

/* ------------------------------------------------------------------ scenarios */

static void run_world(measurement *m, loaded_scenario *loaded, size_t every, bool quiet) {
    progress_line progress;
    uint64_t steps = loaded_steps(loaded);
    double dt = throng_world_dt(loaded->world);
    progress_begin(&progress, !quiet, 0, dt * (double)steps);
    gather_frame(&m->gathered, loaded->world);
    for (uint64_t step = 1; step <= steps; step++) {
        throng_world_step(loaded->world);
        if (step % every == 0) gather_frame(&m->gathered, loaded->world);
        throng_view view = throng_world_view(loaded->world);
        progress_update(&progress, dt * (double)step, view.count);
        if (view.count == 0 && throng_world_stats(loaded->world).arrived > 0) break;
    }
    progress_clear(&progress);
    gather_finish(&m->gathered, loaded->world);
    m->radii_known = true;
}

static void take_world_marks(measurement *m, const throng_world *world) {
    for (size_t i = 0; i < throng_world_mark_count(world); i++) {
        throng_mark mark = throng_world_mark(world, i);
        measure_sort_mark(m, &mark);
    }
}

static bool take_scenario(measurement *m, const measure_options *options) {
    loaded_scenario loaded = {0};
    if (!loaded_create(&loaded, m->source, &options->scenario, false, false)) return false;
    if (!m->place) m->place = gather_copy_place(throng_scenario_place(loaded.scenario));
    take_world_marks(m, loaded.world);
    double dt = throng_world_dt(loaded.world);
    size_t every = gather_every(dt);
    m->frame_step = 1;
    bool good = gather_begin(&m->gathered, 1 / (dt * (double)every), m->place, throng_world_period(loaded.world),
                             (int)options->scenario.threads.value);
    if (good) run_world(m, &loaded, every, options->quiet);
    loaded_free(&loaded);
    return good;
}

/* ------------------------------------------------------------------ choices */

/* Walls and marks of a scenario, which is not run. */
static bool take_plan(measurement *m, const char *path) {
    scenario_options none = {0};
    loaded_scenario loaded = {0};
    if (!loaded_create(&loaded, path, &none, false, false)) return false;
    m->place = gather_copy_place(throng_scenario_place(loaded.scenario));
    m->period = throng_world_period(loaded.world);
    m->planned = true;
    take_world_marks(m, loaded.world);
    loaded_free(&loaded);
    return true;
}

static bool take_walkable(measurement *m, const char *wkt) {
    throng_place_def def = throng_default_place_def();
    def.walkable_wkt = wkt;
    throng_error error = {0};
    m->place = throng_place_create(&def, &error);
    if (!m->place) print_error("--walkable", &error);
    return m->place != NULL;
}

static bool take_marks(measurement *m, const measure_options *options) {
    for (size_t i = 0; i < options->areas.count; i++)
        if (!measure_read_mark(&m->areas, "area", options->areas.items[i], 3, 10000)) return false;
    for (size_t i = 0; i < options->lines.count; i++)
        if (!measure_read_mark(&m->lines, "line", options->lines.items[i], 2, 2)) return false;
    return true;
}

static bool take_choices(measurement *m, const measure_options *options) {
    m->tracks = m->gathered.tracks;
    m->view = m->gathered.view;
    m->walled = m->place && !throng_place_is_open(m->place);
    const throng_tracks_view *v = &m->view;
    if (v->row_count == 0) {
        complain("%s: nobody is ever there: nothing can be measured", m->source);
        return false;
    }
    double last = (double)v->frame_count - 1, from = ceil(options->from.value * v->fps - 1e-9);
    double to = options->to.given ? floor(options->to.value * v->fps + 1e-9) : last;
    if (from > last || to < from) {
        complain("measure: from %g to %g s there are no frames: the recording ends at %g s", from / v->fps, to / v->fps,
                 last / v->fps);
        return false;
    }
    m->first = (size_t)from;
    m->last = (size_t)fmin(to, last);
    m->step = options->frame_step.given ? (size_t)options->frame_step.value
                                        : (size_t)fmax(1, floor(window_s * v->fps / 2 + 0.5));
    m->block_frames = options->block.given ? (size_t)options->block.value : (size_t)fmax(1, floor(10 * v->fps));
    m->border = (throng_border)options->border;
    m->last_way = options->way == 1;
    m->cut_off = options->cut_off.value;
    m->axis = options->axis.given ? options->axis.value : NAN;
    return true;
}

/* The pairs of further recordings count for times to collision. */
static bool pool_recordings(measurement *m, const measure_options *options) {
    for (size_t i = 0; i < options->pool.count; i++) {
        measurement other = {.source = options->pool.items[i]};
        bool good = take_recording(&other, options);
        if (good) throng_measure_collisions(other.gathered.tracks, 0.1, 0, SIZE_MAX, &m->collisions);
        other.tracks = other.gathered.tracks;
        measure_free(&other);
        if (!good) return false;
    }
    if (options->pool.count) throng_fit_collisions(&m->collisions);
    return true;
}

static bool write_all(const measurement *m, const measure_options *options) {
    for (size_t i = 0; i < m->warnings.count; i++) warn("%s: %s", m->source, m->warnings.items[i]);
    bool to_stdout = options->json && !strcmp(options->json, "-");
    if (!options->quiet && !to_stdout) measure_print(m);
    return (!options->json || measure_write_json(m, options->json)) &&
           (!options->csv || measure_write_csv(m, options->csv)) &&
           (!options->report || measure_write_report(m, options->report));
}

static int measure(const void *values, const text_list *operands) {
    const measure_options *options = values;
    measurement m = {.source = operands->items[0]};
    bool recording = is_recording(m.source) || source_given(&options->source);
    if ((options->json && !newfile_possible(options->json)) || (options->report && !newfile_possible(options->report)))
        return STATUS_BAD_INPUT;
    if (options->walkable && options->from_scenario) {
        complain("measure: give either --walkable or --scenario");
        return STATUS_BAD_INPUT;
    }
    bool good = (!options->from_scenario || take_plan(&m, options->from_scenario)) &&
                (!options->walkable || take_walkable(&m, options->walkable)) &&
                (recording ? take_recording(&m, options) : take_scenario(&m, options)) && take_marks(&m, options) &&
                take_choices(&m, options);
    int status = STATUS_BAD_INPUT;
    if (good) {
        measure_find(&m);
        m.maps_asked = options->grid.given;
        if (!pool_recordings(&m, options)) {
            measure_free(&m);
            return STATUS_BAD_INPUT;
        }
        if (m.maps_asked || options->report)
            measure_find_maps(&m, options->grid.value,
                              options->gaussian.given ? options->gaussian.value : kernel_width);
        status = write_all(&m, options) ? STATUS_DONE : STATUS_RUN_FAILED;
    }
    measure_free(&m);
    return status;
}

/* clang-format off */
static const option_row rows[] = {
    {"area", 0, OPTION_LIST, "NAME=x,y,x,y,...", "measure in this polygon (may be repeated)", offsetof(measure_options, areas), 0, 0, false},
    {"line", 0, OPTION_LIST, "NAME=x,y,x,y", "measure at this line (may be repeated)", offsetof(measure_options, lines), 0, 0, false},
    {"pool", 0, OPTION_LIST, "FILE", "pairs of this recording count for times to collision, too (may\nbe repeated)", offsetof(measure_options, pool), 0, 0, false},
    {"scenario", 0, OPTION_TEXT, "FILE", "take walls, lines and areas from a scenario", offsetof(measure_options, from_scenario), 0, 0, false},
    {"walkable", 0, OPTION_TEXT, "WKT", "where people can walk: \"POLYGON ((...))\"", offsetof(measure_options, walkable), 0, 0, false},
    {"json", 0, OPTION_TEXT, "FILE|-", "all figures as JSON", offsetof(measure_options, json), 0, 0, false},
    {"csv", 0, OPTION_TEXT, "PREFIX", "PREFIX-people.csv, -areas.csv, -lines.csv, -crossings.csv and\n-fd.csv: figures of every position, frame and crossing, and\nthe points of fundamental diagrams; -maps.csv with --grid", offsetof(measure_options, csv), 0, 0, false},
    {"report", 0, OPTION_TEXT, "FILE.html", "a page with plots, which needs nothing else", offsetof(measure_options, report), 0, 0, false},
    {"grid", 0, OPTION_NUMBER, "M", "maps of density, speed and flow on squares of this size, in\n--json and --csv", offsetof(measure_options, grid), 0.01, 1000, false},
    {"gaussian", 0, OPTION_NUMBER, "M", "width at half maximum of the Gaussians of maps (default: 0.5)", offsetof(measure_options, gaussian), 0.01, 100, false},
    {"from", 0, OPTION_NUMBER, "S", "figures from this time on (default: 0)", offsetof(measure_options, from), 0, 1e9, false},
    {"to", 0, OPTION_NUMBER, "S", "and up to this time", offsetof(measure_options, to), 0, 1e9, false},
    {"cut-off", 0, OPTION_NUMBER, "M", "Voronoi cells reach no farther than this (default: to\nthe walls)", offsetof(measure_options, cut_off), 0, 1000, true},
    {"frame-step", 0, OPTION_WHOLE, "N", "velocities from N frames before to N frames after\n(default: 0.3 s each)", offsetof(measure_options, frame_step), 1, 100000, false},
    {"border", 0, OPTION_CHOICE, "exclude|adaptive|single", "velocities where a track begins or ends: none, from\nfewer frames, or from one side", offsetof(measure_options, border), 0, 0, false},
    {"way", 0, OPTION_CHOICE, "first|last", "which way across a line counts of people who dither on it", offsetof(measure_options, way), 0, 0, false},
    {"block", 0, OPTION_WHOLE, "N", "flow at lines in blocks of N frames (default: 10 s)", offsetof(measure_options, block), 1, 1e9, false},
    {"axis", 0, OPTION_NUMBER, "DEGREES", "along which people walk to and fro, for lanes (default:\nfound from velocities)", offsetof(measure_options, axis), -360, 360, false},
    {"radius", 0, OPTION_NUMBER, "M", "radius of people, for overlaps, where the recording\ndoes not say", offsetof(measure_options, radius), 0, 10, true},
    SCENARIO_OPTION_ROWS(offsetof(measure_options, scenario)),
    SOURCE_OPTION_ROWS(offsetof(measure_options, source)),
    {"quiet", 'q', OPTION_FLAG, "", "no table", offsetof(measure_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_measure = {
    .name = "measure",
    .operands = "FILE|SCENARIO [options]",
    .summary = "density, speed, flow, lanes, ... of a recording or a scenario",
    .description =
        "Measures a recording (whatever `throng convert` reads), or a scenario, which is run: speeds, Voronoi "
        "densities,\n"
        "nearest neighbours, egress; in areas density, speed and lanes; at lines N(t), flow and time gaps. Areas and\n"
        "lines are those the recording was marked with, those of a scenario, and those given here. What is not known\n"
        "is '-', and null in JSON. Definitions are PedPy's (docs/formats.md).\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_size = sizeof(measure_options),
    .run = measure,
};
