/* view_desk.c: a thread for what takes a while and is not about a run: the list and moments of built-in scenes,
 * and checks of scenarios being drawn (view.h). Answers to the same question are kept. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallery.h"
#include "paths.h"
#include "view.h"

enum { JOBS_MOST = 400 };

typedef struct desk_job {
    struct desk_job *next;
    server_client client;
    desk_work work;
    char text[];
} desk_job;

typedef struct desk_moment {
    char *name;
    blob *bytes;
} desk_moment;

struct view_desk {
    view_session *session;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    desk_job *first, *last;
    size_t job_count;
    bool stopping;
    /* The thread's own. */
    desk_moment *moments;
    size_t moment_count;
    blob *scenes;
};

static blob *make_scenes(void) {
    text_maker t;
    text_maker_open(&t);
    gallery_write(&t.json);
    return text_maker_end(&t);
}

/* ------------------------------------------------------------------ moments of scenes */

static blob *find_moment(struct view_desk *desk, const char *name) {
    bool known = false;
    for (size_t i = 0; i < desk->moment_count; i++)
        if (!strcmp(desk->moments[i].name, name)) return blob_keep(desk->moments[i].bytes);
    for (size_t i = 0; i < throng_builtin_count() && !known; i++) known = !strcmp(throng_builtin_name(i), name);
    blob *made = known ? scene_moment(name) : NULL;
    if (!made) return NULL;
    desk->moments = resize(desk->moments, (desk->moment_count + 1) * sizeof *desk->moments);
    desk->moments[desk->moment_count++] = (desk_moment){text_format("%s", name), made};
    return blob_keep(made);
}

/* ------------------------------------------------------------------ checks */

/* What the reader has to say about a scenario, and what it understood. */
static blob *make_check(const char *text, const scenario_options *options) {
    throng_report *report = throng_report_create();
    live_def def = {.path = "drawn.json", .text = text};
    scenario_options plain = {.simd = options->simd};
    view_live *live = live_open(&def, &plain, report);
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "type", "checked");
    json_report(&t.json, report);
    json_bool(&t.json, "good", live != NULL);
    if (live) {
        blob *scene = live_scene(live, -1);
        fprintf(t.json.file, ",\"scene\":%.*s", (int)scene->length, (const char *)scene->bytes);
        blob_drop(scene);
    }
    json_close(&t.json, '}');
    live_close(live);
    throng_report_destroy(report);
    return text_maker_end(&t);
}

/* ------------------------------------------------------------------ plans and scenarios of others */

/* A file that is a scenario of ours already; to be freed. NULL: it is not. */
static char *own_scenario(const char *path) {
    enum { MOST = 64 << 20 };
    json_tree t;
    const char *why;
    size_t where, length;
    char *text = file_bytes(path, MOST, &length);
    bool ours = text && json_read(text, length, &t, &why, &where);
    if (ours) {
        ours = json_get(&t, "throng") != NULL;
        json_free(&t);
    }
    if (ours) return text;
    free(text);
    return NULL;
}

/* A name without what JSON would have to escape, and without its ending; to be freed. */
static char *plain_stem(const char *name) {
    char *stem = text_format("%s", name), *dot = strrchr(stem, '.');
    if (dot && dot > stem) *dot = 0;
    for (char *c = stem; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c == '/') *c = '-';
    return stem;
}

/* The text with one name for another; both are to be freed by who made them. */
static blob *renamed(blob *text, const char *from, const char *to) {
    text_maker t;
    text_maker_open(&t);
    char *whole = text_format("%.*s", (int)text->length, (const char *)text->bytes), *at = whole, *next;
    for (; *from && (next = strstr(at, from)); at = next + strlen(from))
        fprintf(t.json.file, "%.*s%s", (int)(next - at), at, to);
    fputs(at, t.json.file);
    free(whole);
    blob_drop(text);
    return text_maker_end(&t);
}

static blob *import_file(const char *path) {
    throng_report *report = throng_report_create();
    throng_import_def def = throng_default_import_def();
    def.path = path;
    def.metres_per_pixel = 0.1; /* of a picture; the page can scale it */
    char *text = own_scenario(path);
    throng_import *import = text ? NULL : throng_import_create(&def, report);
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    if (text || import) json_text(&t.json, "text", text ? text : throng_import_scenario(import));
    json_report(&t.json, report);
    json_close(&t.json, '}');
    throng_import_destroy(import);
    throng_report_destroy(report);
    free(text);
    return text_maker_end(&t);
}

/* `both` is the path of an upload and, on the next line, how it was called. */
static blob *make_import(const char *both) {
    const char *name = strchr(both, '\n');
    char *path = text_format("%.*s", (int)(name - both), both), *to = plain_stem(name + 1);
    const char *slash = strrchr(path, '/');
    char *from = plain_stem(slash ? slash + 1 : path);
    blob *made = renamed(import_file(path), from, to);
    free(path);
    free(from);
    free(to);
    return made;
}

/* ------------------------------------------------------------------ the thread */

static void answer(struct view_desk *desk, server_client client, blob *text, const char *type) {
    view_session *s = desk->session;
    view_post post = {.client = client, .text = text, .type = type, .status = type ? 200 : 0};
    if (!text) {
        post.text = blob_of_text("there is no such scene\n");
        post.type = "text/plain; charset=utf-8";
        post.status = 404;
    }
    pthread_mutex_lock(&s->lock);
    session_post(s, post);
    pthread_mutex_unlock(&s->lock);
}

static void do_job(struct view_desk *desk, const desk_job *job) {
    if (job->work == DESK_CHECK) {
        answer(desk, job->client, make_check(job->text, desk->session->scenario), NULL);
    } else if (job->work == DESK_MOMENT) {
        answer(desk, job->client, find_moment(desk, job->text), "application/octet-stream");
    } else if (job->work == DESK_IMPORT) {
        answer(desk, job->client, make_import(job->text), "application/json; charset=utf-8");
    } else {
        if (!desk->scenes) desk->scenes = make_scenes();
        answer(desk, job->client, blob_keep(desk->scenes), "application/json; charset=utf-8");
    }
}

bool desk_turn(struct view_desk *desk) {
    desk_job *job = desk->first;
    if (!job) return false;
    desk->first = job->next;
    if (!desk->first) desk->last = NULL;
    desk->job_count--;
    pthread_mutex_unlock(&desk->lock);
    do_job(desk, job);
    free(job);
    pthread_mutex_lock(&desk->lock);
    return true;
}

static void *work(void *context) {
    struct view_desk *desk = context;
    pthread_mutex_lock(&desk->lock);
    while (!desk->stopping)
        if (!desk_turn(desk)) pthread_cond_wait(&desk->changed, &desk->lock);
    pthread_mutex_unlock(&desk->lock);
    return NULL;
}

struct view_desk *desk_begin(view_session *session) {
    struct view_desk *desk = resize(NULL, sizeof *desk);
    *desk = (struct view_desk){.session = session};
    pthread_mutex_init(&desk->lock, NULL);
    pthread_cond_init(&desk->changed, NULL);
    if (pthread_create(&desk->thread, NULL, work, desk)) desk->job_count = JOBS_MOST; /* nobody works: all is refused */
    return desk;
}

bool desk_ask(struct view_desk *desk, server_client client, desk_work kind, const char *text, size_t length) {
    pthread_mutex_lock(&desk->lock);
    bool room = desk->job_count < JOBS_MOST;
    if (room) {
        desk_job *job = resize(NULL, sizeof *job + length + 1);
        job->next = NULL;
        job->client = client;
        job->work = kind;
        memcpy(job->text, text, length);
        job->text[length] = 0;
        if (desk->last)
            desk->last->next = job;
        else
            desk->first = job;
        desk->last = job;
        desk->job_count++;
        pthread_cond_signal(&desk->changed);
    }
    pthread_mutex_unlock(&desk->lock);
    return room;
}

void desk_end(struct view_desk *desk) {
    pthread_mutex_lock(&desk->lock);
    desk->stopping = true;
    pthread_cond_signal(&desk->changed);
    pthread_mutex_unlock(&desk->lock);
    pthread_join(desk->thread, NULL);
    while (desk->first) {
        desk_job *job = desk->first;
        desk->first = job->next;
        free(job);
    }
    for (size_t i = 0; i < desk->moment_count; i++) {
        free(desk->moments[i].name);
        blob_drop(desk->moments[i].bytes);
    }
    free(desk->moments);
    blob_drop(desk->scenes);
    pthread_mutex_destroy(&desk->lock);
    pthread_cond_destroy(&desk->changed);
    free(desk);
}
