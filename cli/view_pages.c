/* view_pages.c: what is asked for by HTTP: the page itself, which is part of the program, and a few lists. No path
 * leads to the disk. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "page.h"
#include "view.h"

static const char json_type[] = "application/json; charset=utf-8";

static const char *type_of(const char *name) {
    static const struct {
        const char *ending, *type;
    } types[] = {{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".wasm", "application/wasm"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_ends_with(name, types[i].ending)) return types[i].type;
    return "application/octet-stream";
}

static bool answer_page(view_session *s, server_client client, const char *path) {
    const char *name = path[1] ? path + 1 : "index.html";
    for (const page_file *file = page_files; file->name; file++) {
        if (strcmp(file->name, name)) continue;
        blob *body = blob_new(file->length);
        memcpy(body->bytes, file->bytes, file->length);
        server_reply(s->server, client, 200, type_of(name), body);
        return true;
    }
    return false;
}

static void answer_models(view_session *s, server_client client) {
    text_maker t;
    text_maker_open(&t);
    models_write(t.json.file, NULL);
    server_reply(s->server, client, 200, json_type, text_maker_end(&t));
}

/* The text of a run's scenario, or of a built-in one by its name. */
static void answer_scenario(view_session *s, server_client client, const http_request *r) {
    char name[200], number[8];
    char *text = NULL;
    const char *found = NULL;
    if (http_value(r->query, '&', "name", name, sizeof name)) {
        for (size_t i = 0; i < throng_builtin_count(); i++)
            if (!strcmp(throng_builtin_name(i), name)) found = throng_builtin_text(i);
    } else if (http_value(r->query, '&', "run", number, sizeof number) && number[0] >= '0' &&
               number[0] < '0' + VIEW_RUNS && !number[1]) {
        pthread_mutex_lock(&s->lock);
        const char *own = s->runs[number[0] - '0'].scenario_text;
        if (own) text = text_format("%s", own);
        pthread_mutex_unlock(&s->lock);
    }
    if (found || text)
        server_reply(s->server, client, 200, json_type, blob_of_text(found ? found : text));
    else
        server_refuse(s->server, client, 404, "there is no such run, or it is a recording");
    free(text);
}

static void ask_desk(view_session *s, server_client client, desk_work work, const char *text) {
    if (!desk_ask(s->desk, client, work, text, strlen(text)))
        server_refuse(s->server, client, 503, "too much is asked for at once");
}

/* An upload as a file with an ending that tells what it is, which stays until the program ends; to be freed. NULL: its
 * name has no such ending, or there is no room. */
static char *keep_upload(view_session *s, const char *body, const char *name) {
    const char *ending = strrchr(name, '.');
    if (!ending || !ending[1] || strlen(ending) > 12 ||
        strspn(ending + 1, "abcdefghijklmnopqrstuvwxyz0123456789") != strlen(ending + 1))
        return NULL;
    char *path = text_format("%s%s", body, ending);
    if (rename(body, path)) {
        free(path);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    text_list_add(&s->uploads, path);
    pthread_mutex_unlock(&s->lock);
    return path;
}

/* A recording is opened as run 0, or the one that is named; a plan or a scenario becomes the text of a scenario. */
static void answer_upload(view_session *s, server_client client, const http_request *r, const char *body) {
    char name[200], number[8];
    size_t run = 0;
    if (http_value(r->query, '&', "run", number, sizeof number) && number[0] >= '0' && number[0] < '0' + VIEW_RUNS &&
        !number[1])
        run = (size_t)(number[0] - '0');
    if (!body || !http_value(r->query, '&', "name", name, sizeof name)) {
        server_refuse(s->server, client, 400, "expected a file, and its name as ?name=room.dxf");
        return;
    }
    char *path = keep_upload(s, body, name);
    if (!path) {
        server_refuse(s->server, client, 422,
                      "the name of the file must end with what it is: .dxf, .json, .sqlite, ...");
    } else if (is_recording(path)) {
        session_open_upload(s, run, path, name);
        char *told = text_format("{\"run\":%zu}", run);
        server_reply(s->server, client, 200, json_type, blob_of_text(told));
        free(told);
    } else {
        char *both = text_format("%s\n%s", path, name);
        ask_desk(s, client, DESK_IMPORT, both);
        free(both);
    }
    free(path);
}

void pages_answer(view_session *s, server_client client, const http_request *r, const char *body) {
    char name[200];
    if (!strcmp(r->path, "/models.json")) {
        answer_models(s, client);
    } else if (!strcmp(r->path, "/scenes.json")) {
        ask_desk(s, client, DESK_SCENES, "");
    } else if (!strcmp(r->path, "/scene.bin")) {
        if (http_value(r->query, '&', "name", name, sizeof name))
            ask_desk(s, client, DESK_MOMENT, name);
        else
            server_refuse(s->server, client, 404, "which scene? ?name=demo/bottleneck");
    } else if (!strcmp(r->path, "/scenario.json")) {
        answer_scenario(s, client, r);
    } else if (!strcmp(r->path, "/schema.json")) {
        server_reply(s->server, client, 200, json_type, blob_of_text(throng_schema_text()));
    } else if (!strcmp(r->path, "/open")) {
        answer_upload(s, client, r, body);
    } else if (body) {
        server_refuse(s->server, client, 404, "nothing is sent to there");
    } else if (!answer_page(s, client, r->path)) {
        server_refuse(s->server, client, 404, "there is no such page");
    }
}
