/* verify_run.c: see verify_run.h. Each run is made by one thread; several are made at once. */

#include "verify_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"

static const double frame_s = 0.1;      /* between frames that measures see */
static const double large_frame_s = 1;  /* ... of a crowd of more than large_crowd */
static const size_t large_crowd = 5000; /* people */
static const double stuck_s = 60;       /* who has not got `stuck_m` further for so long, all of them, is stuck */
static const double stuck_m = 0.5;

/* ------------------------------------------------------------------ making it */

static char *first_error(const throng_report *report) {
    for (size_t i = 0; i < throng_report_count(report); i++)
        if (throng_report_message(report, i).severity == THRONG_ERROR)
            return text_format("%s", throng_report_message(report, i).text);
    return text_format("it was refused");
}

/* ------------------------------------------------------------------ what is kept of it */

/* People by their ids, while it runs. */
typedef struct keeper {
    verify_run *run;
    size_t known, rows, row_room;
    throng_point *marked; /* [id] where they were when the wait for progress began */
    double marked_s;
    uint64_t marked_arrived;
} keeper;

static void know(keeper *k, const throng_view *v, size_t row) {
    size_t id = (size_t)v->id[row];
    if (id < k->known) return;
    verify_run *run = k->run;
    size_t room = id + 1 > 2 * k->known ? id + 1 : 2 * k->known;
    run->radius = resize(run->radius, room * sizeof *run->radius);
    run->desired_speed = resize(run->desired_speed, room * sizeof *run->desired_speed);
    run->goal = resize(run->goal, room * sizeof *run->goal);
    run->group = resize(run->group, room * sizeof *run->group);
    k->marked = resize(k->marked, room * sizeof *k->marked);
    for (; k->known < room; k->known++) k->run->goal[k->known] = NULL;
}

static void note_person(keeper *k, const throng_view *v, size_t row) {
    know(k, v, row);
    size_t id = (size_t)v->id[row];
    if (k->run->goal[id]) return;
    k->run->radius[id] = v->radius[row];
    k->run->desired_speed[id] = v->desired_speed[row];
    k->run->goal[id] = throng_world_goal(k->run->world, v->goal[row]).name;
    if (!k->run->goal[id]) k->run->goal[id] = "";
    k->run->group[id] = throng_world_group_name(k->run->world, v->group[row]);
    k->marked[id] = (throng_point){v->x[row], v->y[row]};
}

static void keep_frame(keeper *k) {
    throng_view v = throng_world_view(k->run->world);
    if (k->rows + v.count > k->row_room) {
        k->row_room = 2 * (k->rows + v.count);
        k->run->vx = resize(k->run->vx, k->row_room * sizeof *k->run->vx);
        k->run->vy = resize(k->run->vy, k->row_room * sizeof *k->run->vy);
    }
    for (size_t i = 0; i < v.count; i++) {
        note_person(k, &v, i);
        k->run->vx[k->rows] = v.vx[i];
        k->run->vy[k->rows++] = v.vy[i];
    }
    throng_tracks_add(k->run->tracks, v.count, v.id, v.x, v.y);
}

/* Nobody gets anywhere any more: the rest would be the same. */
static bool is_stuck(keeper *k) {
    throng_view v = throng_world_view(k->run->world);
    double now = v.time;
    uint64_t arrived = throng_world_stats(k->run->world).arrived;
    bool still = v.count > 0 && arrived == k->marked_arrived;
    for (size_t i = 0; i < v.count && still; i++) {
        throng_point from = k->marked[v.id[i]];
        still = v.state[i] == THRONG_WALKING && hypot(v.x[i] - from.x, v.y[i] - from.y) < stuck_m;
    }
    if (still) return now - k->marked_s >= stuck_s;
    for (size_t i = 0; i < v.count; i++) k->marked[v.id[i]] = (throng_point){v.x[i], v.y[i]};
    k->marked_s = now;
    k->marked_arrived = arrived;
    return false;
}

/* What was kept by id is wanted by person. */
static void arrange_people(verify_run *run) {
    for (size_t p = 0; p < run->view.person_count; p++) {
        size_t id = (size_t)run->view.people[p];
        run->radius[p] = run->radius[id];
        run->desired_speed[p] = run->desired_speed[id];
        run->goal[p] = run->goal[id];
        run->group[p] = run->group[id];
    }
}

static bool begin_tracks(verify_run *run, double fps) {
    throng_tracks_def def = throng_default_tracks_def();
    def.fps = fps;
    def.place = throng_world_place(run->world);
    def.period = throng_world_period(run->world);
    def.threads = 1;
    run->tracks = throng_tracks_create(&def, NULL);
    return run->tracks != NULL;
}

/* False when the user interrupts. */
static bool walk(throng_world *world, verify_run *run, double duration, bool full) {
    double dt = throng_world_dt(world),
           between = throng_world_view(world).count > large_crowd ? large_frame_s : frame_s;
    uint64_t steps = (uint64_t)ceil(duration / dt - 1e-6), every = (uint64_t)fmax(1, floor(between / dt + 0.5));
    keeper k = {.run = run};
    if (!begin_tracks(run, 1 / (dt * (double)every))) return false;
    keep_frame(&k);
    bool going = true;
    for (uint64_t step = 1; step <= steps && going && !interrupted(); step++) {
        throng_world_step(world);
        if (step % every) continue;
        keep_frame(&k);
        going = (full || !throng_world_is_done(world)) && !is_stuck(&k);
    }
    run->view = throng_tracks_look(run->tracks);
    arrange_people(run);
    run->stats = throng_world_stats(world);
    free(k.marked);
    return !interrupted();
}

/* What a run has beside positions, where they are all that is known. */
static void finish_tracks(verify_run *run) {
    run->view = throng_tracks_look(run->tracks);
    size_t rows = run->view.row_count + 1, people = run->view.person_count;
    run->vx = resize(NULL, rows * sizeof *run->vx);
    run->vy = resize(NULL, rows * sizeof *run->vy);
    throng_measure_velocities(run->tracks, 1, THRONG_BORDER_SINGLE, run->vx, run->vy);
    run->radius = resize(NULL, (people + 1) * sizeof *run->radius);
    run->desired_speed = resize(NULL, (people + 1) * sizeof *run->desired_speed);
    for (size_t p = 0; p < people; p++) {
        run->radius[p] = 0.2;
        run->desired_speed[p] = 1.34;
    }
    run->stats = throng_world_stats(run->world);
}

/* Real people as a run, in the scene that stands for their experiment. */
static bool take_recording(verify_run *run, throng_recording *recording) {
    throng_recording_info info = throng_recording_info_of(recording);
    throng_frame frame;
    if (!begin_tracks(run, info.fps)) return false;
    for (size_t f = 0; f < info.frame_count && throng_recording_frame(recording, f, &frame, NULL); f++)
        throng_tracks_add(run->tracks, frame.count, frame.id, frame.x, frame.y);
    finish_tracks(run);
    return true;
}

static bool make_real_run(const verify_task *task, char **fault, void (*use)(void *context, const verify_run *run),
                          void *context) {
    throng_error error;
    throng_recording *recording = verify_recording(task, &error);
    *fault = !recording && *error.text ? text_format("%s", error.text) : NULL;
    if (!recording) return false;
    throng_report *report = throng_report_create();
    throng_scenario *scenario = verify_scenario(task, report);
    throng_run_def def = throng_default_run_def();
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &def, report) : NULL;
    verify_run made = {.world = world, .real = true};
    if (!world) *fault = first_error(report);
    bool good = world && take_recording(&made, recording);
    if (good) use(context, &made);
    verify_run_free(&made);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    throng_recording_close(recording);
    return good;
}

bool verify_make_run(const verify_task *task, char **fault, void (*use)(void *context, const verify_run *run),
                     void *context) {
    const verify_case *of = task->of;
    if (!strcmp(task->model, VERIFY_REAL)) return make_real_run(task, fault, use, context);
    throng_report *report = throng_report_create();
    throng_scenario *scenario = verify_scenario(task, report);
    throng_run_def def = throng_default_run_def();
    def.check = false;
    def.threads = of->changes && !strcmp(of->changes, VERIFY_THREADS) ? (int)of->values[task->run] : 1;
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &def, report) : NULL;
    verify_run made = {.world = world, .seed = (double)task->seed};
    *fault = world ? NULL : first_error(report);
    bool good = world && walk(world, &made, throng_scenario_duration(scenario), throng_scenario_runs_full(scenario));
    if (good) use(context, &made);
    verify_run_free(&made);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return good;
}

void verify_run_of_tracks(verify_run *out, const throng_world *world, double fps, size_t frames, size_t people,
                          const double *x, const double *y) {
    *out = (verify_run){.world = world};
    if (!begin_tracks(out, fps)) return;
    throng_agent *id = resize(NULL, (people + 1) * sizeof *id);
    for (size_t p = 0; p < people; p++) id[p] = p + 1;
    for (size_t f = 0; f < frames; f++) throng_tracks_add(out->tracks, people, id, x + f * people, y + f * people);
    free(id);
    finish_tracks(out);
}

void verify_run_free(verify_run *run) {
    throng_tracks_destroy(run->tracks);
    free(run->vx);
    free(run->vy);
    free(run->radius);
    free(run->desired_speed);
    free(run->goal);
    free(run->group);
}
