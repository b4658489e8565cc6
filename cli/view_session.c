/* view_session.c: who watches, what they ask for, and the one clock that all runs follow (view.h). Everything here is
 * the server's thread, but for session_clock and session_post, which runs call under the lock. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

enum { INBOX_MOST = 1000 };
static const double lag_s = 0.1; /* of wall clock that a run may be behind before the clock waits for it */
static const double slowest = 0.01, fastest = 1000;

double wall_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ------------------------------------------------------------------ texts */

void text_maker_open(text_maker *maker) {
    *maker = (text_maker){0};
    maker->json.file = open_memstream(&maker->text, &maker->length);
    if (!maker->json.file) resize(NULL, SIZE_MAX / 2); /* says that there is no memory, and ends */
}

blob *text_maker_end(text_maker *maker) {
    fclose(maker->json.file);
    blob *made = blob_new(maker->length);
    memcpy(made->bytes, maker->text, maker->length);
    free(maker->text);
    return made;
}

void json_point(json_writer *out, double x, double y) {
    json_open(out, NULL, '[');
    json_number(out, NULL, x);
    json_number(out, NULL, y);
    json_close(out, ']');
}

void json_ring(json_writer *out, const char *key, throng_ring ring) {
    json_open(out, key, '[');
    for (size_t i = 0; i < ring.count; i++) json_point(out, ring.points[i].x, ring.points[i].y);
    json_close(out, ']');
}

void json_report(json_writer *out, const throng_report *report) {
    static const char *const kinds[] = {"note", "warning", "error"};
    json_open(out, "messages", '[');
    for (size_t i = 0; i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        json_open(out, NULL, '{');
        json_text(out, "severity", kinds[m.severity]);
        if (m.line) json_whole(out, "line", (uint64_t)m.line);
        if (m.line) json_whole(out, "column", (uint64_t)m.column);
        json_text(out, "path", m.path);
        json_text(out, "text", m.text);
        if (m.has_place) json_number(out, "x", m.x);
        if (m.has_place) json_number(out, "y", m.y);
        json_close(out, '}');
    }
    json_close(out, ']');
}

blob *error_text(int run, const char *what, const char *why, const throng_report *report) {
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "type", "error");
    if (run >= 0) json_whole(&t.json, "run", (uint64_t)run);
    if (what) json_text(&t.json, "do", what);
    json_text(&t.json, "message", why);
    if (report) json_report(&t.json, report);
    json_close(&t.json, '}');
    return text_maker_end(&t);
}

/* ------------------------------------------------------------------ the clock */

/* How far ahead of a run the clock may be, s. */
static double lead_of(const view_session *s) {
    double lead = lag_s * s->speed;
    for (int i = 0; i < VIEW_RUNS; i++)
        if (s->runs[i].begun && s->runs[i].is_live) lead = fmax(lead, s->runs[i].dt);
    return lead * (1 + 1e-9);
}

double session_clock(view_session *s, double wall) {
    double time = s->clock_time + (s->playing ? (wall - s->clock_wall) * s->speed : 0), limit = INFINITY, end = 0;
    for (int i = 0; i < VIEW_RUNS; i++) {
        const view_run *run = &s->runs[i];
        if (!run->begun) continue;
        end = fmax(end, run->state == RUN_PREPARING ? INFINITY : run->end - run->shift);
        if (run->state == RUN_PREPARING) limit = fmin(limit, s->clock_time);
        if (run->state == RUN_GOING && run->is_live) limit = fmin(limit, run->time - run->shift + lead_of(s));
    }
    limit = fmin(limit, end); /* of the longest recording, where there are only such */
    if (time <= limit) return time;
    s->clock_time = fmax(limit, s->clock_time);
    s->clock_wall = wall;
    return s->clock_time;
}

void session_set_clock(view_session *s, double time) {
    s->clock_time = time;
    s->clock_wall = wall_s();
}

/* ------------------------------------------------------------------ posts */

void session_post(view_session *s, view_post post) {
    view_post *added = resize(NULL, sizeof *added);
    *added = post;
    added->next = NULL;
    if (s->last_post)
        s->last_post->next = added;
    else
        s->first_post = added;
    s->last_post = added;
    server_wake(s->server);
}

/* What runs have left, to those it is for. */
static void woken(void *context) {
    view_session *s = context;
    blob *scenes[VIEW_RUNS] = {0};
    pthread_mutex_lock(&s->lock);
    view_post *posts = s->first_post;
    s->first_post = s->last_post = NULL;
    for (int i = 0; i < VIEW_RUNS; i++) {
        const view_run *run = &s->runs[i];
        if (run->scene && run->scene_serial != s->scenes_told[i]) scenes[i] = blob_keep(run->scene);
        s->scenes_told[i] = run->scene_serial;
    }
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < VIEW_RUNS; i++) {
        if (scenes[i]) server_send_text(s->server, 0, scenes[i], false);
        blob_drop(scenes[i]);
    }
    while (posts) {
        view_post *post = posts;
        posts = post->next;
        if (post->status) {
            server_reply(s->server, post->client, post->status, post->type, post->text);
        } else {
            server_send_text(s->server, post->client, post->text, post->may_drop);
            blob_drop(post->text);
        }
        free(post);
    }
}

/* ------------------------------------------------------------------ who watches */

static view_watcher *find_watcher(view_session *s, server_client client) {
    for (size_t i = 0; i < s->watcher_count; i++)
        if (s->watchers[i].client == client) return &s->watchers[i];
    return NULL;
}

static blob *hello_text(const view_session *s) {
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "type", "hello");
    json_whole(&t.json, "protocol", 1);
    json_text(&t.json, "version", throng_version());
    json_bool(&t.json, "objects", throng_has_objects());
    json_open(&t.json, "files", '[');
    for (size_t i = 0; i < s->operands->count; i++) json_text(&t.json, NULL, s->operands->items[i]);
    json_close(&t.json, ']');
    json_close(&t.json, '}');
    return text_maker_end(&t);
}

blob *charts_text(const view_run *run) {
    char *head = text_format("{\"type\":\"charts\",\"run\":%d,\"rows\":[", run->number);
    size_t length = strlen(head);
    blob *made = blob_new(length + run->charts_length + 2);
    memcpy(made->bytes, head, length);
    if (run->charts_length) memcpy(made->bytes + length, run->charts, run->charts_length);
    memcpy(made->bytes + length + run->charts_length, "]}", 2);
    free(head);
    return made;
}

static void opened(void *context, server_client client) {
    view_session *s = context;
    s->watchers = resize(s->watchers, (s->watcher_count + 1) * sizeof *s->watchers);
    s->watchers[s->watcher_count++] = (view_watcher){.client = client};
    blob *texts[1 + 3 * VIEW_RUNS] = {hello_text(s)};
    size_t count = 1;
    pthread_mutex_lock(&s->lock);
    for (int i = 0; i < VIEW_RUNS; i++) {
        view_run *run = &s->runs[i];
        if (run->begun && run->failure) texts[count++] = blob_keep(run->failure);
        if (!run->begun || !run->scene) continue;
        texts[count++] = blob_keep(run->scene);
        texts[count++] = charts_text(run);
    }
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < count; i++) {
        server_send_text(s->server, client, texts[i], false);
        blob_drop(texts[i]);
    }
}

static void closed(void *context, server_client client) {
    view_session *s = context;
    view_watcher *watcher = find_watcher(s, client);
    if (watcher) *watcher = s->watchers[--s->watcher_count];
}

/* Newest wins: a client is sent what is newest when it has taken all it was sent before. */
static void idle(void *context, server_client client) {
    view_session *s = context;
    view_watcher *watcher = find_watcher(s, client);
    if (!watcher) return;
    for (int i = 0; i < VIEW_RUNS; i++) {
        view_run *run = &s->runs[i];
        pthread_mutex_lock(&s->lock);
        bool other = run->begun && run->newest.serial && run->newest.serial != watcher->seen[i].serial;
        view_frame frame = other ? frame_keep(&run->newest) : (view_frame){0};
        pthread_mutex_unlock(&s->lock);
        if (!other) continue;
        frame_send(s->server, client, &frame, i, frame.people != watcher->seen[i].people);
        watcher->seen[i].serial = frame.serial;
        watcher->seen[i].people = frame.people;
        frame_drop(&frame);
    }
}

/* ------------------------------------------------------------------ what they ask for */

static void refuse(view_session *s, server_client client, int run, const char *what, const char *why) {
    blob *text = error_text(run, what, why, NULL);
    server_send_text(s->server, client, text, true);
    blob_drop(text);
}

void session_command(view_session *s, int number, server_client client, const char *text, size_t length) {
    view_run *run = &s->runs[number];
    if (run->inbox_count >= INBOX_MOST) return;
    view_command *command = resize(NULL, sizeof *command + length + 1);
    command->next = NULL;
    command->client = client;
    command->length = length;
    memcpy(command->text, text, length);
    command->text[length] = 0;
    if (run->last)
        run->last->next = command;
    else
        run->first = command;
    run->last = command;
    run->inbox_count++;
    pthread_cond_broadcast(&s->changed);
}

/* All runs, when none is named. Under the lock. */
static void command_all(view_session *s, int number, server_client client, const char *text, size_t length) {
    for (int i = 0; i < VIEW_RUNS; i++)
        if (s->runs[i].begun && (number < 0 || number == i)) session_command(s, i, client, text, length);
}

static void seek(view_session *s, int number, double time) {
    bool live = false;
    double now = session_clock(s, wall_s());
    for (int i = 0; i < VIEW_RUNS; i++) live = live || (s->runs[i].begun && s->runs[i].is_live);
    for (int i = 0; i < VIEW_RUNS; i++) {
        view_run *run = &s->runs[i];
        if (!run->begun || run->is_live || (number >= 0 && number != i)) continue;
        run->shift = live || number >= 0 ? time - now : 0;
        if (run->state == RUN_ENDED) run->state = RUN_GOING;
    }
    session_set_clock(s, live || number >= 0 ? now : time);
    pthread_cond_broadcast(&s->changed);
}

static void play(view_session *s, bool on) {
    double now = session_clock(s, wall_s()), end = 0;
    for (int i = 0; i < VIEW_RUNS; i++)
        if (s->runs[i].begun && s->runs[i].state != RUN_PREPARING) end = fmax(end, s->runs[i].end - s->runs[i].shift);
    session_set_clock(s, now);
    if (on && end > 0 && now >= end) seek(s, -1, 0); /* recordings that have ended begin again */
    s->playing = on;
    pthread_cond_broadcast(&s->changed);
}

static bool set_speed(view_session *s, double factor) {
    if (!(factor >= slowest && factor <= fastest)) return false;
    session_set_clock(s, session_clock(s, wall_s()));
    s->speed = factor;
    pthread_cond_broadcast(&s->changed);
    return true;
}

/* A step of the clock leads every run one step on, or a recording a frame on or back. */
static void step(view_session *s, double by) {
    double longest = 0;
    play(s, false);
    for (int i = 0; i < VIEW_RUNS; i++)
        if (s->runs[i].begun) longest = fmax(longest, s->runs[i].dt);
    session_set_clock(s, fmax(0, s->clock_time + by * longest));
    pthread_cond_broadcast(&s->changed);
}

/* Everything from the start, on the same clock. */
static void restart(view_session *s, int number, server_client client, const char *text, size_t length) {
    double now = session_clock(s, wall_s());
    for (int i = 0; i < VIEW_RUNS; i++) {
        view_run *run = &s->runs[i];
        if (!run->begun || (number >= 0 && number != i)) continue;
        run->shift = number >= 0 ? -now : 0;
        run->state = run->is_live ? RUN_PREPARING : RUN_GOING; /* its thread makes a world anew */
    }
    if (number < 0) session_set_clock(s, 0);
    command_all(s, number, client, text, length);
}

static bool open_run(view_session *s, int number, server_client client, const json_tree *t, const char *text,
                     size_t length) {
    view_run *run = &s->runs[number];
    bool alone = true;
    for (int i = 0; i < VIEW_RUNS; i++) alone = alone && (i == number || !s->runs[i].begun);
    if (!run_start(run)) return false;
    run->begun = true;
    run->state = RUN_PREPARING;
    if (alone) session_set_clock(s, 0);
    run->shift = alone ? 0 : -session_clock(s, wall_s());
    session_command(s, number, client, text, length);
    play(s, !json_get_number(t, "paused", 0));
    return true;
}

static void close_run(view_session *s, int number) {
    view_run *run = &s->runs[number];
    if (!run->begun) return;
    run->begun = false;
    session_command(s, number, 0, "{\"do\":\"close\"}", 14);
}

/* What is for the session. Under the lock; false: it is for a run. */
static bool do_here(view_session *s, const char *what, int number, server_client client, const json_tree *t,
                    const char *text, size_t length, const char **why) {
    if (!strcmp(what, "play") || !strcmp(what, "pause")) {
        play(s, what[1] == 'l');
        if (what[1] == 'l') command_all(s, number, client, text, length);
    } else if (!strcmp(what, "speed")) {
        if (!set_speed(s, json_get_number(t, "factor", NAN))) *why = "speed: factor must be 0.01 to 1000";
    } else if (!strcmp(what, "step")) {
        double by = json_get_number(t, "by", 1);
        if (by == 1 || by == -1)
            step(s, by);
        else
            *why = "step: by must be 1 or -1";
    } else if (!strcmp(what, "seek")) {
        double time = json_get_number(t, "time", NAN);
        if (time >= 0 && time < 1e12)
            seek(s, number, time);
        else
            *why = "seek: time must be a number of seconds, 0 or more";
    } else if (!strcmp(what, "restart") || !strcmp(what, "seed")) {
        restart(s, number, client, text, length);
    } else if (!strcmp(what, "open")) {
        if (!open_run(s, number < 0 ? 0 : number, client, t, text, length)) *why = "open: no thread can be had for it";
    } else if (!strcmp(what, "close")) {
        if (number >= 0)
            close_run(s, number);
        else
            *why = "close: which run?";
    } else {
        return false;
    }
    return true;
}

/* The run a command names: -1 none, -2 one there cannot be. */
static int run_named(const json_tree *t) {
    const json_node *node = json_get(t, "run");
    if (!node || node->kind == JSON_NULL) return -1;
    bool fits = node->kind == JSON_NUMBER && node->number >= 0 && node->number < VIEW_RUNS;
    return fits && node->number == floor(node->number) ? (int)node->number : -2;
}

static void message(void *context, server_client client, const char *text, size_t length) {
    view_session *s = context;
    json_tree t;
    const char *why = NULL;
    size_t where;
    if (!json_read(text, length, &t, &why, &where)) {
        char *told = text_format("expected %s, at byte %zu of the message", why, where);
        refuse(s, client, -1, NULL, told);
        free(told);
        return;
    }
    const char *what = json_get_text(&t, "do", NULL);
    int number = run_named(&t);
    if (!what) {
        why = "expected an object with a text \"do\"";
    } else if (number == -2) {
        why = "run must be 0, 1, 2 or 3";
    } else if (!strcmp(what, "check")) {
        const char *scenario = json_get_text(&t, "text", NULL);
        if (!scenario)
            why = "check: text is missing";
        else if (!desk_ask(s->desk, client, DESK_CHECK, scenario, strlen(scenario)))
            why = "check: too much waits to be checked";
    } else {
        int one = number < 0 ? 0 : number;
        pthread_mutex_lock(&s->lock);
        if (!do_here(s, what, number, client, &t, text, length, &why)) {
            if (s->runs[one].begun)
                session_command(s, one, client, text, length);
            else
                why = "there is no such run: open one";
        }
        pthread_mutex_unlock(&s->lock);
    }
    if (why) refuse(s, client, number, what, why);
    json_free(&t);
}

static void request(void *context, server_client client, const http_request *r, const char *body) {
    pages_answer(context, client, r, body);
}

/* ------------------------------------------------------------------ from beginning to end */

/* As if somebody had asked for it. */
static void open_file(view_session *s, size_t run, const char *path, const char *name) {
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "do", "open");
    json_whole(&t.json, "run", run);
    json_text(&t.json, "file", path);
    if (name) json_text(&t.json, "name", name);
    json_close(&t.json, '}');
    blob *text = text_maker_end(&t);
    message(s, 0, (const char *)text->bytes, text->length);
    blob_drop(text);
}

void session_open_upload(view_session *s, size_t run, const char *path, const char *name) {
    open_file(s, run, path, name);
}

bool session_begin(view_session *s, int port) {
    server_handler handler = {s, request, opened, message, closed, woken, idle};
    s->server = server_create(port, &handler);
    if (!s->server) return false;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&s->lock, NULL);
    s->playing = true;
    s->speed = 1;
    s->clock_wall = wall_s();
    for (int i = 0; i < VIEW_RUNS; i++) s->runs[i] = (view_run){.session = s, .number = i};
    s->desk = desk_begin(s);
    /* What stands on the command line is opened, each as a run of its own. */
    for (size_t i = 0; i < s->operands->count; i++) open_file(s, i, s->operands->items[i], NULL);
    return true;
}

void session_serve(view_session *s) { server_run(s->server); }

void session_end(view_session *s) {
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < VIEW_RUNS; i++)
        if (s->runs[i].threaded) pthread_join(s->runs[i].thread, NULL);
    desk_end(s->desk);
    while (s->first_post) {
        view_post *post = s->first_post;
        s->first_post = post->next;
        blob_drop(post->text);
        free(post);
    }
    for (size_t i = 0; i < s->uploads.count; i++) unlink(s->uploads.items[i]);
    text_list_free(&s->uploads);
    server_destroy(s->server);
    free(s->watchers);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
}
