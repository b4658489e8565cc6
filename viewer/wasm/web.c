/* web.c: `throng view` without a server: the session of cli/ compiled to WebAssembly, for one page that runs it in a
 * worker (viewer/src/worker.ts). It stands in the place of cli/server.c: what the server would send goes out by one
 * function of the page, and what would be threads is given turns. Texts lie in the module's memory. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "view.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* Takes what is sent to the page. `kind` is SENT_TEXT, SENT_FRAME, or the status of the answer to a request, whose
 * number is given. */
enum { SENT_TEXT = 0, SENT_FRAME = 1 };
__attribute__((import_module("page"), import_name("take"))) void page_take(int kind, int number, const void *bytes,
                                                                           size_t length);

enum { THE_PAGE = 1 /* as a client; a request has a larger number */ };

struct view_server {
    server_handler handler;
    bool woken;
};

static view_server server;
static view_session session;

/* ------------------------------------------------------------------ in the place of a server */

view_server *server_create(int port, const server_handler *handler) {
    (void)port;
    server.handler = *handler;
    return &server;
}
void server_destroy(view_server *s) { (void)s; }
void server_run(view_server *s) { (void)s; }
void server_wake(view_server *s) { s->woken = true; }

void server_send_text(view_server *s, server_client client, blob *text, bool may_drop) {
    (void)s, (void)client, (void)may_drop;
    page_take(SENT_TEXT, 0, text->bytes, text->length);
}

void server_send_parts(view_server *s, server_client client, blob *const *parts, size_t count) {
    (void)s, (void)client;
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += parts[i]->length;
    blob *whole = blob_new(length);
    length = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(whole->bytes + length, parts[i]->bytes, parts[i]->length);
        length += parts[i]->length;
    }
    page_take(SENT_FRAME, 0, whole->bytes, whole->length);
    blob_drop(whole);
}

void server_reply(view_server *s, server_client client, int status, const char *type, blob *body) {
    (void)s, (void)type;
    page_take(status, (int)client, body->bytes, body->length);
    blob_drop(body);
}

void server_refuse(view_server *s, server_client client, int status, const char *why) {
    server_reply(s, client, status, "", blob_of_text(why));
}

/* ------------------------------------------------------------------ what the module does not have */

const page_file page_files[] = {{0, 0, 0}};

/* Moments of scenes, for the gallery, are files beside the page. */
blob *scene_moment(const char *name) { return (void)name, NULL; }

/* Nor zip archives. */
int inflateInit2_(void *stream, int bits, const char *version, int size) {
    return (void)stream, (void)bits, (void)version, (void)size, -1;
}
int inflate(void *stream, int flush) { return (void)stream, (void)flush, -1; }
int inflateEnd(void *stream) { return (void)stream, 0; }

/* A file has no other name here. */
char *realpath(const char *path, char *full) { return (void)path, (void)full, NULL; }

view_replay *replay_open(const char *path, const source_options *options, throng_error *error) {
    (void)path, (void)options;
    snprintf(error->text, sizeof error->text, "recordings are played by `throng view`, not by this page");
    return NULL;
}
void replay_close(view_replay *replay) { (void)replay; }
throng_recording_info replay_info(const view_replay *replay) { return (void)replay, (throng_recording_info){0}; }
bool replay_go(view_replay *replay, double time) { return (void)replay, (void)time, false; }
blob *replay_scene(view_replay *replay, int run, const char *name) {
    return (void)replay, (void)run, (void)name, blob_new(0);
}
bool replay_scene_changed(view_replay *replay) { return (void)replay, false; }
view_frame replay_frame(view_replay *replay, const view_frame *last) {
    return (void)replay, (void)last, (view_frame){0};
}
bool replay_do(view_replay *replay, int run, const char *what, const json_tree *command, blob **answer,
               const char **why) {
    return (void)replay, (void)run, (void)what, (void)command, (void)answer, (void)why, false;
}
char *replay_chart(view_replay *replay, int run, bool *more) {
    (void)replay, (void)run;
    *more = false;
    return NULL;
}
const char *replay_fault(const view_replay *replay) { return (void)replay, NULL; }
void throng_recording_close(throng_recording *recording) { (void)recording; }

/* ------------------------------------------------------------------ what the page calls */

EXPORT(web_allocate) void *web_allocate(size_t size) { return malloc(size); }
EXPORT(web_release) void web_release(void *bytes) { free(bytes); }

EXPORT(web_begin) void web_begin(void) {
    static const scenario_options scenario;
    static const source_options source;
    static const text_list operands;
    session = (view_session){.scenario = &scenario, .source = &source, .operands = &operands, .quiet = true};
    session_begin(&session, 0);
    server.handler.opened(server.handler.context, THE_PAGE);
}

/* A command, as the WebSocket would bring it. */
EXPORT(web_command) void web_command(const char *text, size_t length) {
    server.handler.message(server.handler.context, THE_PAGE, text, length);
}

/* Asks for "/models.json" or the like, as by HTTP; `body` is NULL or the path of a file. */
EXPORT(web_request) void web_request(int number, const char *path, const char *query, const char *body) {
    http_request r = {0};
    snprintf(r.path, sizeof r.path, "%s", path);
    snprintf(r.query, sizeof r.query, "%s", query);
    server.handler.request(server.handler.context, THE_PAGE + (server_client)number, &r, body);
}

/* Sends what there is to be sent. */
static void deliver(bool frames) {
    if (server.woken) {
        server.woken = false;
        server.handler.woken(server.handler.context);
    }
    if (frames) server.handler.idle(server.handler.context, THE_PAGE);
}

/* Does what is due, for about this many ms. Frames are sent only to a page that has taken the last one. Returns the ms
 * until something is due again; 0: at once, -1: nothing until somebody asks. */
EXPORT(web_turn) double web_turn(double ms, int frames) {
    double end = wall_s() + ms / 1000, due;
    do {
        due = desk_turn(session.desk) ? 0 : INFINITY;
        for (int i = 0; i < VIEW_RUNS; i++)
            if (session.runs[i].threaded) due = fmin(due, run_turn(&session.runs[i]));
    } while (due == 0 && wall_s() < end);
    deliver(frames);
    if (isinf(due)) return -1;
    return fmax(0, 1000 * (due - wall_s()));
}

/* Steps the first run until a time in s, or until nobody is left, whatever the clock says; for tests. */
EXPORT(web_run) void web_run(double until) {
    view_live *live = session.runs[0].live;
    while (live && throng_world_time(live_world(live)) < until - 1e-9 && !throng_world_is_done(live_world(live)))
        live_step(live);
}

/* The hash of its state as 16 hexadecimal digits, or "". */
EXPORT(web_digest) const char *web_digest(void) {
    static char text[20];
    const view_live *live = session.runs[0].live;
    text[0] = 0;
    if (live) snprintf(text, sizeof text, "%016llx", (unsigned long long)throng_world_digest(live->world));
    return text;
}
