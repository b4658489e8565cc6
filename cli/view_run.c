/* view_run.c: the thread of a run: it does what it is told, follows the clock, and shows what is newest (view.h). */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "messages.h"
#include "paths.h"
#include "view.h"

static const double frame_s = 1 / 40.0; /* from the beginning of a frame to that of the next, at least */
static const double status_s = 0.25;    /* between two words about how it goes */
static const double charts_s = 0.5;     /* between two lists of a recording's charts */
enum {
    CHARTS_MOST = 16 << 20, /* bytes of charts kept for those who come later */
    TEXT_MOST = 64 << 20    /* of a scenario */
};

/* ------------------------------------------------------------------ telling */

static void post(view_run *run, server_client client, blob *text, bool may_drop) {
    pthread_mutex_lock(&run->session->lock);
    session_post(run->session, (view_post){.client = client, .text = text, .may_drop = may_drop});
    pthread_mutex_unlock(&run->session->lock);
}

static void refuse(view_run *run, server_client client, const char *what, const char *why,
                   const throng_report *report) {
    post(run, client, error_text(run->number, what, why, report), false);
}

static void set_state(view_run *run, run_state state) {
    pthread_mutex_lock(&run->session->lock);
    run->state = state;
    pthread_mutex_unlock(&run->session->lock);
}

static run_state state_of(view_run *run) {
    pthread_mutex_lock(&run->session->lock);
    run_state state = run->state;
    pthread_mutex_unlock(&run->session->lock);
    return state;
}

static void show_scene(view_run *run) {
    blob *scene = run->live ? live_scene(run->live, run->number) : replay_scene(run->replay, run->number, run->name);
    pthread_mutex_lock(&run->session->lock);
    blob_drop(run->scene);
    run->scene = scene;
    run->scene_serial++;
    server_wake(run->session->server);
    pthread_mutex_unlock(&run->session->lock);
}

static void show_frame(view_run *run) {
    view_frame last = run->newest; /* only this thread replaces it */
    run->published_s = wall_s();
    view_frame made = run->live ? live_frame(run->live, &last) : replay_frame(run->replay, &last);
    pthread_mutex_lock(&run->session->lock);
    run->newest = made;
    server_wake(run->session->server);
    pthread_mutex_unlock(&run->session->lock);
    frame_drop(&last);
    run->dirty = false;
}

static void clear_charts(view_run *run) {
    pthread_mutex_lock(&run->session->lock);
    free(run->charts);
    run->charts = NULL;
    run->charts_length = 0;
    pthread_mutex_unlock(&run->session->lock);
}

/* Keeps rows of charts, with commas. Under the lock. */
static void keep_charts(view_run *run, const char *rows) {
    size_t length = strlen(rows);
    if (run->charts_length + length + 1 >= CHARTS_MOST) return;
    run->charts = resize(run->charts, run->charts_length + length + 1);
    if (run->charts_length) run->charts[run->charts_length++] = ',';
    memcpy(run->charts + run->charts_length, rows, length);
    run->charts_length += length;
}

/* Keeps a row of a live run, and tells those who watch. */
static void add_chart(view_run *run, char *row) {
    pthread_mutex_lock(&run->session->lock);
    keep_charts(run, row);
    session_post(run->session, (view_post){.text = blob_of_text(row), .may_drop = true});
    pthread_mutex_unlock(&run->session->lock);
    free(row);
}

/* The digest, which takes a while for a large crowd, only of a run that stands. */
static void write_live(json_writer *out, const view_run *run, bool stands) {
    const throng_world *world = live_world(run->live);
    throng_stats stats = throng_world_stats(world);
    size_t inside = throng_world_raw_view(world).count;
    json_number(out, "ms_per_step", stats.step_ms);
    json_whole(out, "inside", inside);
    json_whole(out, "left", stats.initial + stats.spawned - inside);
    json_whole(out, "due", stats.due);
    if (!stands) return;
    char *digest = text_format("%016" PRIx64, throng_world_digest(world));
    json_text(out, "digest", digest);
    free(digest);
}

static void tell_status(view_run *run, server_client client, bool playing, double speed, run_state state) {
    static const char *const words[] = {"empty", "preparing", "running", "ended", "failed"};
    double now = wall_s(), passed = now - run->told_s;
    if (passed > 0.05) {
        double factor = (run->time - run->told_time) / passed;
        run->factor = factor < 0 || !playing ? 0 : factor;
        run->told_s = now;
        run->told_time = run->time;
    }
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "type", "status");
    json_whole(&t.json, "run", (uint64_t)run->number);
    json_text(&t.json, "state", state == RUN_GOING && !playing ? "paused" : words[state]);
    json_number(&t.json, "time", run->time);
    json_number(&t.json, "factor", run->factor);
    json_number(&t.json, "speed", speed);
    if (run->live) write_live(&t.json, run, !playing || state == RUN_ENDED);
    if (run->replay) json_whole(&t.json, "inside", run->newest.count);
    if (run->replay && replay_fault(run->replay)) json_text(&t.json, "message", replay_fault(run->replay));
    json_close(&t.json, '}');
    post(run, client, text_maker_end(&t), true);
}

/* ------------------------------------------------------------------ what is done by hand */

/* The scenario's text is what was opened, with what was done since. */
static void renew_text(view_run *run) {
    char *text = run->own_text ? scenario_with_hand(run->own_text, &run->hand) : NULL;
    pthread_mutex_lock(&run->session->lock);
    free(run->scenario_text);
    run->scenario_text = text;
    pthread_mutex_unlock(&run->session->lock);
}

static void note_hand(view_run *run, const char *what, const json_tree *t, const char *command) {
    static const char *const silent[] = {"ask", "field", "colour", "layer", "arrows", "check", "drag"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (!strcmp(silent[i], what)) return;
    if (!strcmp(what, "undo")) {
        hand_undo(&run->hand);
    } else {
        char *text = hand_text(what, t, command, throng_world_time(live_world(run->live)));
        text_list_add(&run->hand, text);
        free(text);
    }
    renew_text(run);
}

/* Rows of charts after a moment are no more. Under the lock. */
static void cut_charts(view_run *run, double time) {
    static const char head[] = "{\"type\":\"chart\"";
    for (char *row = run->charts_length ? run->charts : NULL; row; row = strstr(row + 1, head)) {
        const char *at = strstr(row, "\"time\":");
        if (!at || strtod(at + 7, NULL) <= time + 1e-9) continue;
        run->charts_length = row > run->charts ? (size_t)(row - run->charts) - 1 : 0;
        run->charts[run->charts_length] = 0;
        return;
    }
}

/* The world has gone back: so have the clock and the charts. */
static void follow_back(view_run *run) {
    view_session *s = run->session;
    double time = throng_world_time(live_world(run->live));
    pthread_mutex_lock(&s->lock);
    run->time = time;
    run->shift = time - session_clock(s, wall_s());
    if (run->state == RUN_ENDED) run->state = RUN_GOING;
    run->newest.people++;
    cut_charts(run, time);
    pthread_mutex_unlock(&s->lock);
    run->told_time = time;
}

/* ------------------------------------------------------------------ charts of recordings */

static void wait_until(view_session *s, double due) {
    if (isinf(due)) {
        pthread_cond_wait(&s->changed, &s->lock);
        return;
    }
    struct timespec t = {(time_t)floor(due), (long)(1e9 * (due - floor(due)))};
    pthread_cond_timedwait(&s->changed, &s->lock, &t);
}

/* Goes through a recording for its charts, so that neither playing nor seeking waits for them; at most half of the
 * time, for others have work, too. Those who watch are told of all rows so far, once in a while and at the end. */
static void *measure_recording(void *context) {
    view_run *run = context;
    view_session *s = run->session;
    bool more = true;
    double told = wall_s();
    pthread_mutex_lock(&s->lock);
    while (more && !run->stop_measuring) {
        pthread_mutex_unlock(&s->lock);
        double begun = wall_s();
        char *rows = replay_chart(run->replay, run->number, &more);
        double now = wall_s(), next = now + (now - begun);
        pthread_mutex_lock(&s->lock);
        if (rows) keep_charts(run, rows);
        free(rows);
        if (!more || now - told > charts_s) {
            session_post(s, (view_post){.text = charts_text(run)});
            told = now;
        }
        while (more && !run->stop_measuring && wall_s() < next) wait_until(s, next);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void start_measuring(view_run *run) {
    run->stop_measuring = false;
    run->measuring = pthread_create(&run->measurer, NULL, measure_recording, run) == 0;
}

static void end_measuring(view_run *run) {
    if (!run->measuring) return;
    pthread_mutex_lock(&run->session->lock);
    run->stop_measuring = true;
    pthread_cond_broadcast(&run->session->changed);
    pthread_mutex_unlock(&run->session->lock);
    pthread_join(run->measurer, NULL);
    run->measuring = false;
}

/* ------------------------------------------------------------------ opening */

static void close_all(view_run *run) {
    end_measuring(run);
    live_close(run->live);
    replay_close(run->replay);
    run->live = NULL;
    run->replay = NULL;
}

/* A live run's world, or a recording, is there: it is shown from its start. */
static void begin_showing(view_run *run) {
    view_session *s = run->session;
    clear_charts(run);
    pthread_mutex_lock(&s->lock);
    run->is_live = run->live != NULL;
    run->time = 0;
    run->dt = run->live ? throng_world_dt(live_world(run->live)) : 1 / replay_info(run->replay).fps;
    run->end = run->live ? INFINITY : run->dt * (double)(replay_info(run->replay).frame_count - 1);
    if (run->shift != 0) run->shift = -session_clock(s, wall_s());
    run->newest.people++; /* others, even if they have the same ids */
    pthread_mutex_unlock(&s->lock);
    run->told_s = wall_s();
    run->told_time = 0;
    show_scene(run);
    show_frame(run);
    set_state(run, RUN_GOING);
    if (run->replay) start_measuring(run);
}

/* What was found wrong, on the page and, for what stood on the command line, on stderr. */
static void fail_to_open(view_run *run, server_client client, const char *why, const throng_report *report) {
    if (run->given && report) print_report(run->path, report, 0, false);
    if (run->given && !report) complain("%s: %s", run->path, why);
    pthread_mutex_lock(&run->session->lock);
    run->state = RUN_FAILED_TO_OPEN;
    run->failure = error_text(run->number, "open", why, report);
    session_post(run->session, (view_post){.client = client, .text = blob_keep(run->failure)});
    pthread_mutex_unlock(&run->session->lock);
    tell_status(run, 0, false, 1, RUN_FAILED_TO_OPEN);
}

/* The first error of a report, with its place. */
static char *first_error(const throng_report *report) {
    for (size_t i = 0; i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        if (m.severity != THRONG_ERROR) continue;
        return m.line ? text_format("line %d, column %d: %s", m.line, m.column, m.text) : text_format("%s", m.text);
    }
    return text_format("it cannot be opened");
}

static void reapply(view_run *run) {
    for (size_t i = 0; i < run->changes.count; i++) {
        json_tree t;
        const char *why;
        size_t where;
        blob *answer = NULL;
        if (!json_read(run->changes.items[i], strlen(run->changes.items[i]), &t, &why, &where)) continue;
        const char *what = json_get_text(&t, "do", "");
        if (live_do(run->live, run->number, what, &t, &answer, &why)) note_hand(run, what, &t, run->changes.items[i]);
        blob_drop(answer);
        json_free(&t);
    }
}

static void open_scenario(view_run *run, server_client client) {
    live_def def = {.path = run->path,
                    .text = run->text,
                    .overrides = (const char *const *)run->overrides.items,
                    .override_count = run->overrides.count};
    throng_report *report = throng_report_create();
    run->live = live_open(&def, run->session->scenario, report);
    text_list_free(&run->hand);
    renew_text(run);
    if (run->live) {
        reapply(run);
        begin_showing(run);
    } else {
        char *why = first_error(report);
        fail_to_open(run, client, why, report);
        free(why);
    }
    throng_report_destroy(report);
}

static void open_recording(view_run *run, server_client client) {
    throng_error error = {0};
    run->replay = replay_open(run->path, run->session->source, &error);
    if (run->replay)
        begin_showing(run);
    else
        fail_to_open(run, client, error.text, NULL);
}

/* Opens what run->path or run->text is; the same again after a restart. */
static void reopen(view_run *run, server_client client) {
    close_all(run);
    pthread_mutex_lock(&run->session->lock);
    run->state = RUN_PREPARING;
    blob_drop(run->failure);
    run->failure = NULL;
    pthread_mutex_unlock(&run->session->lock);
    tell_status(run, 0, true, 1, RUN_PREPARING);
    if (!run->text && is_recording(run->path))
        open_recording(run, client);
    else
        open_scenario(run, client);
}

static bool is_builtin(const char *name) {
    for (size_t i = 0; i < throng_builtin_count(); i++)
        if (!strcmp(throng_builtin_name(i), name)) return true;
    return false;
}

static bool is_among(const text_list *list, const char *path) {
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], path)) return true;
    return false;
}

/* Only what was named on the command line, or sent by the page, is opened by its path. */
static bool is_given(view_run *run, const char *path) {
    pthread_mutex_lock(&run->session->lock);
    bool sent = is_among(&run->session->uploads, path);
    pthread_mutex_unlock(&run->session->lock);
    return sent || is_among(run->session->operands, path);
}

static void add_override(view_run *run, char *text) {
    text_list_add(&run->overrides, text);
    free(text);
}

static void take_overrides(view_run *run, const json_tree *t) {
    text_list_free(&run->overrides);
    text_list_free(&run->changes);
    if (run->given) loaded_overrides(run->session->scenario, &run->overrides);
    const json_node *set = json_get(t, "set"), *item;
    for (size_t i = 0; set && set->kind == JSON_LIST && (item = json_item(t, set, i)); i++)
        if (item->kind == JSON_TEXT && strchr(item->text, '=')) text_list_add(&run->overrides, item->text);
    const char *model = json_get_text(t, "model", NULL);
    double seed = json_get_number(t, "seed", NAN);
    if (model) add_override(run, text_format("model.name=%s", model));
    if (seed >= 0 && seed <= 9e15) add_override(run, text_format("seed=%.0f", seed));
}

/* The text of a scenario, for those who want to edit it. */
static void keep_scenario_text(view_run *run) {
    char *kept = run->text ? text_format("%s", run->text) : NULL;
    for (size_t i = 0; i < throng_builtin_count() && !kept; i++)
        if (!strcmp(throng_builtin_name(i), run->path)) kept = text_format("%s", throng_builtin_text(i));
    size_t length;
    if (!kept && !is_recording(run->path)) kept = file_bytes(run->path, TEXT_MOST, &length);
    free(run->own_text);
    run->own_text = kept;
}

static void open_it(view_run *run, server_client client, const json_tree *t) {
    const char *scene = json_get_text(t, "scene", NULL), *text = json_get_text(t, "text", NULL);
    const char *file = json_get_text(t, "file", NULL), *why = NULL;
    if (scene && !is_builtin(scene)) why = "open: there is no built-in scene of that name";
    if (file && !is_given(run, file)) why = "open: only files named on the command line are opened by their path";
    if (!scene && !text && !file) why = "open: expected \"scene\", \"text\" or \"file\"";
    if (why) {
        refuse(run, client, "open", why, NULL);
        set_state(run, run->live || run->replay ? RUN_GOING : RUN_EMPTY);
        return;
    }
    const char *path = scene ? scene : file ? file : json_get_text(t, "name", "drawn.json");
    char *old[] = {run->path, run->text, run->name};
    const char *slash = strrchr(path, '/'), *called = file ? json_get_text(t, "name", NULL) : NULL;
    run->path = text_format("%s", path);
    run->text = text && !scene && !file ? text_format("%s", text) : NULL;
    run->name = text_format("%s", called ? called : slash && !scene ? slash + 1 : path);
    run->given = file && is_among(run->session->operands, file);
    for (int i = 0; i < 3; i++) free(old[i]);
    take_overrides(run, t);
    keep_scenario_text(run);
    reopen(run, client);
}

/* ------------------------------------------------------------------ commands */

static void change_seed(view_run *run, server_client client, const json_tree *t) {
    double seed = json_get_number(t, "value", NAN);
    if (!run->live || !(seed >= 0 && seed <= 9e15)) {
        refuse(run, client, "seed", run->live ? "seed: value must be a whole number" : "a recording has no seed", NULL);
        set_state(run, RUN_GOING);
        return;
    }
    add_override(run, text_format("seed=%.0f", floor(seed)));
    reopen(run, client);
}

static void shut(view_run *run) {
    view_session *s = run->session;
    close_all(run);
    clear_charts(run);
    pthread_mutex_lock(&s->lock);
    run->state = RUN_EMPTY;
    blob_drop(run->scene);
    blob_drop(run->failure);
    run->scene = run->failure = NULL;
    uint64_t serial = run->newest.serial, people = run->newest.people;
    frame_drop(&run->newest);
    run->newest.serial = serial;
    run->newest.people = people;
    char *text = text_format("{\"type\":\"closed\",\"run\":%d}", run->number);
    session_post(s, (view_post){.text = blob_of_text(text)});
    pthread_mutex_unlock(&s->lock);
    free(text);
}

/* What only a world, or a recording, knows what to do with. */
static void steer(view_run *run, const view_command *command, const char *what, const json_tree *t) {
    blob *answer = NULL;
    const char *why = "there is nothing to do it with";
    bool done = run->live     ? live_do(run->live, run->number, what, t, &answer, &why)
                : run->replay ? replay_do(run->replay, run->number, what, t, &answer, &why)
                              : false;
    if (!done) refuse(run, command->client, what, why, NULL);
    if (answer) post(run, command->client, answer, false);
    bool keeps = !strcmp(what, "model") || !strcmp(what, "set") || !strcmp(what, "colour") || !strcmp(what, "layer") ||
                 !strcmp(what, "arrows") || json_get_number(t, "keep", 0) != 0;
    if (done && keeps) text_list_add(&run->changes, command->text);
    if (done && run->live && !strcmp(what, "undo")) follow_back(run);
    if (done && run->live) note_hand(run, what, t, command->text);
    if (done && strcmp(what, "ask") && strcmp(what, "field")) run->dirty = true;
    if (!done || !(run->live ? live_scene_changed(run->live) : replay_scene_changed(run->replay))) return;
    show_scene(run);
}

static void obey(view_run *run, const view_command *command) {
    json_tree t;
    const char *why;
    size_t where;
    if (!json_read(command->text, command->length, &t, &why, &where)) return; /* it was read before */
    const char *what = json_get_text(&t, "do", "");
    if (!strcmp(what, "open"))
        open_it(run, command->client, &t);
    else if (!strcmp(what, "close"))
        shut(run);
    else if (!strcmp(what, "seed"))
        change_seed(run, command->client, &t);
    else if (!strcmp(what, "restart") && run->live)
        reopen(run, command->client);
    else if (!strcmp(what, "restart"))
        run->dirty = true;
    else if (!strcmp(what, "play") && run->live && state_of(run) == RUN_ENDED)
        live_go_on(run->live), set_state(run, RUN_GOING);
    else if (strcmp(what, "play"))
        steer(run, command, what, &t);
    json_free(&t);
}

/* ------------------------------------------------------------------ following the clock */

/* When there is something to do next, by the wall clock. Under the lock. */
static double next_due(view_run *run, double wall) {
    const view_session *s = run->session;
    double status = run->told_s + status_s;
    if (run->first) return wall;
    if (run->state == RUN_FAILED_TO_OPEN) return status;
    if (!run->live && !run->replay) return INFINITY;
    if (run->dirty) status = fmin(status, run->published_s + frame_s);
    if (run->state != RUN_GOING) return status;
    double target = session_clock(run->session, wall) + run->shift, to_go = run->time + run->dt - target;
    if (run->replay) {
        double shown = floor(run->time / run->dt + 1e-6), wanted = floor(fmin(target, run->end) / run->dt + 1e-6);
        if (wanted != shown) return fmin(status, fmax(wall, run->published_s + frame_s));
        to_go = (shown + 1) * run->dt - target;
    }
    if (to_go < 1e-9 && (run->live || target < run->end)) return wall;
    return s->playing ? fmin(status, wall + fmax(to_go, 1e-4) / s->speed) : status;
}

/* Steps, or goes to another frame, when the clock says so. */
static void advance(view_run *run, double target) {
    view_session *s = run->session;
    if (run->live && state_of(run) == RUN_GOING && target >= run->time + run->dt - 1e-9) {
        live_step(run->live);
        char *row = live_chart(run->live, run->number);
        if (row) add_chart(run, row);
        pthread_mutex_lock(&s->lock);
        run->time = throng_world_time(live_world(run->live));
        if (live_is_over(run->live) && run->state == RUN_GOING) run->state = RUN_ENDED;
        pthread_cond_broadcast(&s->changed); /* others wait for the slowest */
        pthread_mutex_unlock(&s->lock);
        run->dirty = true;
        if (live_scene_changed(run->live)) show_scene(run);
    }
    if (run->replay) {
        double time = fmax(0, fmin(target, run->end));
        if (time != run->time && replay_go(run->replay, time)) run->dirty = true;
        pthread_mutex_lock(&s->lock);
        run->time = time;
        if (run->state != RUN_PREPARING) run->state = target >= run->end ? RUN_ENDED : RUN_GOING;
        pthread_mutex_unlock(&s->lock);
        if (replay_scene_changed(run->replay)) show_scene(run);
    }
}

static view_command *take_command(view_run *run) {
    view_command *command = run->first;
    if (!command) return NULL;
    run->first = command->next;
    if (!run->first) run->last = NULL;
    run->inbox_count--;
    return command;
}

double run_turn(view_run *run) {
    view_session *s = run->session;
    double wall = wall_s(), due = next_due(run, wall);
    if (due > wall) return due;
    view_command *command = take_command(run);
    double target = session_clock(s, wall) + run->shift, speed = s->speed;
    bool playing = s->playing;
    run_state state = run->state;
    pthread_mutex_unlock(&s->lock);
    if (command) {
        obey(run, command);
        free(command);
    } else if (state == RUN_GOING || (state == RUN_ENDED && run->replay)) {
        advance(run, target);
    }
    wall = wall_s();
    bool shown = run->live || run->replay;
    if (shown && run->dirty && (wall - run->published_s >= frame_s || !playing)) show_frame(run);
    state = state_of(run);
    if ((shown || state == RUN_FAILED_TO_OPEN) && wall - run->told_s >= status_s)
        tell_status(run, 0, playing, speed, state);
    pthread_mutex_lock(&s->lock);
    return 0;
}

static void *follow(void *context) {
    view_run *run = context;
    view_session *s = run->session;
    pthread_mutex_lock(&s->lock);
    while (!s->stopping) {
        double due = run_turn(run);
        if (due > 0) wait_until(s, due);
    }
    pthread_mutex_unlock(&s->lock);
    close_all(run);
    clear_charts(run);
    frame_drop(&run->newest);
    blob_drop(run->scene);
    blob_drop(run->failure);
    while (run->first) {
        view_command *command = run->first;
        run->first = command->next;
        free(command);
    }
    char *texts[] = {run->path, run->text, run->name, run->own_text, run->scenario_text};
    for (int i = 0; i < 5; i++) free(texts[i]);
    text_list_free(&run->overrides);
    text_list_free(&run->hand);
    text_list_free(&run->changes);
    return NULL;
}

bool run_start(view_run *run) {
    if (run->threaded) return true;
    run->threaded = pthread_create(&run->thread, NULL, follow, run) == 0;
    return run->threaded;
}
