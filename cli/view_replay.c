/* view_replay.c: a recording that is played (view.h). Frames are read one by one as they are asked for; charts come
 * from a second reader that goes through the file meanwhile. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "view.h"

static const double chart_s = 0.02;    /* of wall clock spent on charts at a time */
static const double chart_every = 0.2; /* s between rows, at least */
enum { CHART_ROWS = 2000 };            /* of a recording, about */

/* What a recording knows of people, in order of id. */
typedef struct replay_people {
    throng_agent *id;
    double *radius;
    uint8_t *group, *model;
    size_t count;
} replay_people;

/* The columns of a frame that is shown. */
typedef struct replay_columns {
    throng_agent *id;
    double *x, *y, *vx, *vy, *radius, *values, *layer, *arrow_x, *arrow_y;
    uint8_t *group, *model;
    size_t count, capacity;
} replay_columns;

struct view_replay {
    char *path;
    throng_recording *recording, *measured; /* two readers of one file */
    throng_recording_info info;
    replay_people people;
    text_list groups;
    size_t frame;         /* shown */
    size_t read;          /* in `columns`; SIZE_MAX: none */
    throng_point *before; /* scratch */
    replay_columns columns;
    throng_point origin;
    size_t colour, layer, arrow_x, arrow_y; /* quantities that frames have; SIZE_MAX: none */
    view_shapes shapes;
    size_t place_told;
    bool scene_changed;
    char *fault; /* why a frame could not be read; told once */
    throng_measure *measure;
    size_t measured_frames, measured_step;
};

/* ------------------------------------------------------------------ opening */

static int by_id(const void *a, const void *b) {
    throng_agent p = ((const throng_recording_agent *)a)->id, q = ((const throng_recording_agent *)b)->id;
    return (p > q) - (p < q);
}

static size_t group_number(text_list *groups, const char *name) {
    for (size_t i = 0; i < groups->count; i++)
        if (!strcmp(groups->items[i], name)) return i;
    text_list_add(groups, name);
    return groups->count - 1;
}

static uint8_t model_number(const char *name) {
    size_t i = 0;
    while (i < throng_model_count() && strcmp(throng_model_name(throng_model_at(i)), name)) i++;
    return (uint8_t)(i < throng_model_count() ? i : 255);
}

static void take_people(view_replay *r) {
    size_t count = r->info.agent_count;
    throng_recording_agent *agents = resize(NULL, count * sizeof *agents);
    replay_people *p = &r->people;
    for (size_t i = 0; i < count; i++) agents[i] = throng_recording_agent_at(r->recording, i);
    qsort(agents, count, sizeof *agents, by_id);
    *p = (replay_people){resize(NULL, count * sizeof *p->id), resize(NULL, count * sizeof *p->radius),
                         resize(NULL, count), resize(NULL, count), count};
    for (size_t i = 0; i < count; i++) {
        size_t group = group_number(&r->groups, agents[i].group);
        p->id[i] = agents[i].id;
        p->radius[i] = agents[i].radius;
        p->group[i] = (uint8_t)(group > 255 ? 255 : group);
        p->model[i] = model_number(agents[i].model);
    }
    if (!r->groups.count) text_list_add(&r->groups, "");
    free(agents);
}

static throng_measure *make_measure(view_replay *r) {
    throng_measure_def def = throng_default_measure_def();
    def.marks = throng_recording_marks(r->recording, 0, &def.mark_count);
    def.period = throng_recording_period(r->recording);
    return throng_measure_create(&def, NULL);
}

view_replay *replay_open(const char *path, const source_options *options, throng_error *error) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    def.format = options->format;
    def.fps = options->fps.value;
    if (options->unit && !source_unit(options->unit, &def.metres_per_unit)) {
        snprintf(error->text, sizeof error->text, "--unit: expected m, cm or mm");
        return NULL;
    }
    throng_recording *recording = throng_recording_open_with(&def, error);
    if (!recording) return NULL;
    view_replay *r = resize(NULL, sizeof *r);
    *r = (view_replay){.path = text_format("%s", path),
                       .recording = recording,
                       .info = throng_recording_info_of(recording),
                       .read = SIZE_MAX,
                       .colour = SIZE_MAX,
                       .layer = SIZE_MAX,
                       .arrow_x = SIZE_MAX,
                       .arrow_y = SIZE_MAX,
                       .place_told = SIZE_MAX};
    if (!r->info.frame_count) {
        snprintf(error->text, sizeof error->text, "the recording has no frames");
        replay_close(r);
        return NULL;
    }
    take_people(r);
    r->origin = (throng_point){floor(r->info.bounds.low.x), floor(r->info.bounds.low.y)};
    if (!isfinite(r->origin.x) || !isfinite(r->origin.y)) r->origin = (throng_point){0, 0};
    r->measure = make_measure(r);
    size_t often = (size_t)(chart_every * r->info.fps + 0.5), few = r->info.frame_count / CHART_ROWS;
    r->measured_step = often > few ? often : few;
    if (r->measured_step < 1) r->measured_step = 1;
    r->measured = throng_recording_open_with(&def, NULL);
    return r;
}

void replay_close(view_replay *r) {
    if (!r) return;
    throng_recording_close(r->recording);
    throng_recording_close(r->measured);
    throng_measure_destroy(r->measure);
    shapes_free(&r->shapes);
    text_list_free(&r->groups);
    void *arrays[] = {r->path,          r->people.id,       r->people.radius,   r->people.group,  r->people.model,
                      r->columns.id,    r->columns.x,       r->columns.y,       r->columns.vx,    r->columns.vy,
                      r->before,        r->columns.group,   r->columns.radius,  r->columns.model, r->columns.values,
                      r->columns.layer, r->columns.arrow_x, r->columns.arrow_y, r->fault};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(r);
}

throng_recording_info replay_info(const view_replay *r) { return r->info; }

/* ------------------------------------------------------------------ frames */

bool replay_go(view_replay *r, double time) {
    size_t frame = (size_t)floor(time * r->info.fps + 1e-6);
    if (frame >= r->info.frame_count) frame = r->info.frame_count - 1;
    if (frame == r->frame) return false;
    r->frame = frame;
    return true;
}

static void reserve(replay_columns *c, size_t count) {
    if (count <= c->capacity) return;
    c->capacity = 2 * count;
    double **numbers[] = {&c->x, &c->y, &c->vx, &c->vy, &c->radius, &c->values, &c->layer, &c->arrow_x, &c->arrow_y};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = resize(*numbers[i], c->capacity * sizeof(double));
    c->id = resize(c->id, c->capacity * sizeof *c->id);
    c->group = resize(c->group, c->capacity);
    c->model = resize(c->model, c->capacity);
}

/* Reads a frame into the columns. */
static bool read_frame(view_replay *r, size_t number) {
    throng_frame frame;
    throng_error error = {0};
    replay_columns *c = &r->columns;
    if (!throng_recording_frame(r->recording, number, &frame, &error)) {
        if (!r->fault) r->fault = text_format("%s", error.text);
        return false;
    }
    reserve(c, frame.count);
    c->count = frame.count;
    if (frame.count) {
        memcpy(c->id, frame.id, frame.count * sizeof *c->id);
        memcpy(c->x, frame.x, frame.count * sizeof *c->x);
        memcpy(c->y, frame.y, frame.count * sizeof *c->y);
        memset(c->vx, 0, frame.count * sizeof *c->vx);
        memset(c->vy, 0, frame.count * sizeof *c->vy);
    }
    const size_t shown[] = {r->colour, r->layer, r->arrow_x, r->arrow_y};
    double *const kept[] = {c->values, c->layer, c->arrow_x, c->arrow_y};
    for (size_t i = 0; i < 4; i++)
        if (shown[i] != SIZE_MAX && frame.count) memcpy(kept[i], frame.values[shown[i]], frame.count * sizeof *kept[i]);
    r->read = number;
    return true;
}

/* Who they are; and how they moved since the moment that `ids` and r->before tell of, `dt` s before. */
static void complete(view_replay *r, const throng_agent *ids, size_t count, double dt) {
    replay_columns *c = &r->columns;
    const replay_people *p = &r->people;
    double usual = throng_default_agent_def().radius;
    for (size_t i = 0, k = 0, old = 0; i < c->count; i++) {
        while (k < p->count && p->id[k] < c->id[i]) k++;
        while (old < count && ids[old] < c->id[i]) old++;
        bool known = k < p->count && p->id[k] == c->id[i];
        c->radius[i] = known ? p->radius[k] : usual;
        c->group[i] = known ? p->group[k] : 0;
        c->model[i] = known ? p->model[k] : 255;
        if (old == count || ids[old] != c->id[i]) continue;
        c->vx[i] = (c->x[i] - r->before[old].x) / dt;
        c->vy[i] = (c->y[i] - r->before[old].y) / dt;
    }
}

/* The frame shown with velocities, which come from the frame before it, or of the first one from the next. */
static void read_motion(view_replay *r) {
    bool first = r->frame == 0;
    size_t other = first ? 1 : r->frame - 1, count = 0;
    throng_agent *ids = NULL;
    if (other < r->info.frame_count && (r->read == other || read_frame(r, other))) {
        count = r->columns.count;
        ids = resize(NULL, count * sizeof *ids);
        r->before = resize(r->before, (count + 1) * sizeof *r->before);
        if (count) memcpy(ids, r->columns.id, count * sizeof *ids);
        for (size_t i = 0; i < count; i++) r->before[i] = (throng_point){r->columns.x[i], r->columns.y[i]};
    }
    if (!read_frame(r, r->frame)) r->columns.count = 0;
    complete(r, ids, count, (first ? -1 : 1) / r->info.fps);
    free(ids);
}

static void detail(const void *context, size_t row, uint8_t *group, uint8_t *model) {
    const replay_columns *c = context;
    *group = c->group[row];
    *model = c->model[row];
}

view_frame replay_frame(view_replay *r, const view_frame *last) {
    read_motion(r);
    const replay_columns *c = &r->columns;
    throng_objects objects = {0};
    throng_recording_objects(r->recording, r->frame, &objects, NULL);
    r->scene_changed |= shapes_know(&r->shapes, &objects);
    crowd_moment moment = {.time = (double)r->frame / r->info.fps,
                           .count = c->count,
                           .id = c->id,
                           .x = c->x,
                           .y = c->y,
                           .vx = c->vx,
                           .vy = c->vy,
                           .radius = c->radius,
                           .values = r->colour == SIZE_MAX ? NULL : c->values,
                           .layer = r->layer == SIZE_MAX ? NULL : c->layer,
                           .arrow_x = r->arrow_x == SIZE_MAX ? NULL : c->arrow_x,
                           .arrow_y = c->arrow_y,
                           .detail = detail,
                           .context = c,
                           .objects = &objects,
                           .shapes = r->shapes.numbers};
    return frame_make(&moment, last, r->origin, false);
}

/* ------------------------------------------------------------------ the scene */

bool replay_scene_changed(view_replay *r) {
    return r->scene_changed || r->place_told != throng_recording_place_version(r->recording, r->frame);
}

static void write_goals(json_writer *out, const throng_mark *marks, size_t count) {
    json_open(out, "goals", '[');
    for (size_t i = 0; i < count; i++) {
        const throng_mark *m = &marks[i];
        if ((m->kind != THRONG_MARK_GOAL && m->kind != THRONG_MARK_EXIT) || !m->ring.count) continue;
        bool point = m->ring.count == 1;
        json_open(out, NULL, '{');
        json_text(out, "name", m->name);
        json_text(out, "kind", point ? "point" : "area");
        if (!point) json_ring(out, "polygon", m->ring);
        if (point) {
            json_open(out, "point", '[');
            json_number(out, NULL, m->ring.points[0].x);
            json_number(out, NULL, m->ring.points[0].y);
            json_close(out, ']');
            json_number(out, "radius", m->radius);
        }
        json_bool(out, "exit", m->kind == THRONG_MARK_EXIT);
        json_bool(out, "closed", m->closed);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_place(json_writer *out, view_replay *r) {
    throng_error error = {0};
    throng_place_def nowhere = throng_default_place_def();
    throng_place *place = throng_recording_place_at(r->recording, r->frame, &error);
    if (!place) place = throng_place_create(&nowhere, &error);
    throng_box box = throng_place_bounds(place), seen = r->info.bounds;
    if (throng_place_is_open(place) && isfinite(seen.low.x) && isfinite(seen.high.y)) {
        bool walls = throng_place_ring_count(place) + throng_place_line_count(place) > 0;
        if (!walls) box = seen;
        box.low = (throng_point){fmin(box.low.x, seen.low.x) - 1, fmin(box.low.y, seen.low.y) - 1};
        box.high = (throng_point){fmax(box.high.x, seen.high.x) + 1, fmax(box.high.y, seen.high.y) + 1};
    }
    scene_write_place(out, place, box);
    throng_place_destroy(place);
    size_t count;
    const throng_mark *marks = throng_recording_marks(r->recording, r->frame, &count);
    write_goals(out, marks, count);
    scene_write_marks(out, "lines", THRONG_MARK_LINE, "points", marks, count);
    scene_write_marks(out, "areas", THRONG_MARK_AREA, "polygon", marks, count);
    scene_write_marks(out, "zones", THRONG_MARK_ZONE, "polygon", marks, count);
}

blob *replay_scene(view_replay *r, int run, const char *name) {
    double end = (double)(r->info.frame_count - 1) / r->info.fps;
    text_maker t;
    text_maker_open(&t);
    json_writer *out = &t.json;
    json_open(out, NULL, '{');
    json_text(out, "type", "scene");
    json_whole(out, "run", (uint64_t)run);
    json_text(out, "name", name);
    json_text(out, "description", r->info.unfinished ? "a recording that was not finished, or is damaged" : "");
    json_bool(out, "live", false);
    json_text(out, "model", "");
    json_number(out, "dt", 1 / r->info.fps);
    json_number(out, "duration", end);
    json_open(out, "times", '[');
    json_number(out, NULL, 0);
    json_number(out, NULL, end);
    json_close(out, ']');
    write_place(out, r);
    json_open(out, "groups", '[');
    for (size_t i = 0; i < r->groups.count; i++) {
        json_open(out, NULL, '{');
        json_text(out, "name", r->groups.items[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "models", '[');
    for (size_t i = 0; i < throng_model_count(); i++) json_text(out, NULL, throng_model_name(throng_model_at(i)));
    json_close(out, ']');
    json_open(out, "quantities", '[');
    for (size_t i = 0; i < throng_recording_quantity_count(r->recording); i++) {
        throng_quantity q = throng_recording_quantity(r->recording, i);
        json_open(out, NULL, '{');
        json_text(out, "name", q.name);
        json_text(out, "unit", q.unit);
        json_text(out, "help", q.help);
        json_close(out, '}');
    }
    json_close(out, ']');
    shapes_write(out, &r->shapes, NULL);
    json_close(out, '}');
    r->scene_changed = false;
    r->place_told = throng_recording_place_version(r->recording, r->frame);
    return text_maker_end(&t);
}

/* ------------------------------------------------------------------ questions and charts */

size_t replay_quantity_count(const view_replay *r) { return throng_recording_quantity_count(r->recording); }

const char *replay_quantity_name(const view_replay *r, size_t index) {
    return throng_recording_quantity(r->recording, index).name;
}

blob *replay_column(view_replay *r, size_t x, size_t y, double *low, double *high) {
    throng_frame frame;
    size_t count = r->columns.count;
    if (!throng_recording_frame(r->recording, r->frame, &frame, NULL) || frame.count != count) count = 0;
    const double *values = count ? frame.values[x] : NULL;
    if (y == SIZE_MAX) return frame_layer(values, count, true, low, high);
    return frame_arrows(values, count ? frame.values[y] : NULL, count);
}

/* A recorded quantity, or a component of one; SIZE_MAX: there is none. */
static size_t quantity_named(const view_replay *r, const char *name, const char *component) {
    size_t length = strlen(name);
    for (size_t i = 0; i < throng_recording_quantity_count(r->recording); i++) {
        const char *own = throng_recording_quantity(r->recording, i).name;
        if (!strncmp(own, name, length) && !strcmp(own + length, component)) return i;
    }
    return SIZE_MAX;
}

/* What frames have: `which` and, of arrows, `other`. */
static bool choose(view_replay *r, const json_tree *command, size_t *which, size_t *other, const char **why) {
    const char *name = json_get_text(command, "quantity", NULL);
    size_t x = name ? quantity_named(r, name, other ? "_x" : "") : SIZE_MAX;
    size_t y = name && other ? quantity_named(r, name, "_y") : x;
    *why = "the recording has no such quantity";
    if (name && (x == SIZE_MAX || y == SIZE_MAX)) return false;
    *which = x;
    if (other) *other = y;
    r->read = SIZE_MAX;
    return true;
}

static bool ask(view_replay *r, int run, const json_tree *command, blob **answer, const char **why) {
    const replay_columns *c = &r->columns;
    double who = json_get_number(command, "person", NAN);
    size_t k = 0;
    while (k < c->count && (double)(uint32_t)c->id[k] != who) k++;
    *why = "that person is not there";
    if (k == c->count) return false;
    throng_frame frame;
    bool read = throng_recording_frame(r->recording, r->frame, &frame, NULL) && frame.count == c->count;
    text_maker t;
    text_maker_open(&t);
    json_writer *out = &t.json;
    json_open(out, NULL, '{');
    json_text(out, "type", "person");
    json_whole(out, "run", (uint64_t)run);
    json_whole(out, "id", c->id[k]);
    json_text(out, "group", r->groups.items[c->group[k] < r->groups.count ? c->group[k] : 0]);
    json_text(out, "model", c->model[k] < 255 ? throng_model_name(throng_model_at(c->model[k])) : "");
    json_number(out, "time", (double)r->frame / r->info.fps);
    json_number(out, "x", c->x[k]);
    json_number(out, "y", c->y[k]);
    json_number(out, "vx", c->vx[k]);
    json_number(out, "vy", c->vy[k]);
    json_number(out, "radius", c->radius[k]);
    json_open(out, "quantities", '{');
    for (size_t i = 0; read && i < throng_recording_quantity_count(r->recording); i++)
        if (isfinite(frame.values[i][k]))
            json_number(out, throng_recording_quantity(r->recording, i).name, frame.values[i][k]);
    json_close(out, '}');
    json_close(out, '}');
    *answer = text_maker_end(&t);
    return true;
}

bool replay_do(view_replay *r, int run, const char *what, const json_tree *command, blob **answer, const char **why) {
    if (!strcmp(what, "colour")) return choose(r, command, &r->colour, NULL, why);
    if (!strcmp(what, "layer")) return choose(r, command, &r->layer, NULL, why);
    if (!strcmp(what, "arrows")) return choose(r, command, &r->arrow_x, &r->arrow_y, why);
    if (!strcmp(what, "ask")) return ask(r, run, command, answer, why);
    *why = "a recording cannot be changed";
    return false;
}

char *replay_chart(view_replay *r, int run, bool *more) {
    double begun = wall_s(), usual = throng_default_agent_def().radius, *radius = NULL;
    char *rows = NULL;
    *more = r->measured != NULL;
    while (*more && wall_s() - begun < chart_s) {
        throng_frame frame;
        *more = r->measured_frames < r->info.frame_count &&
                throng_recording_frame(r->measured, r->measured_frames, &frame, NULL);
        if (!*more) break;
        radius = resize(radius, (frame.count + 1) * sizeof *radius);
        for (size_t i = 0, k = 0; i < frame.count; i++) {
            while (k < r->people.count && r->people.id[k] < frame.id[i]) k++;
            radius[i] = k < r->people.count && r->people.id[k] == frame.id[i] ? r->people.radius[k] : usual;
        }
        throng_view view = {.count = frame.count,
                            .id = frame.id,
                            .x = frame.x,
                            .y = frame.y,
                            .radius = radius,
                            .time = (double)r->measured_frames / r->info.fps};
        throng_measure_add(r->measure, &view);
        char *row = chart_row(r->measure, run, NAN, NULL),
             *all = text_format("%s%s%s", rows ? rows : "", rows ? "," : "", row);
        free(row);
        free(rows);
        rows = all;
        r->measured_frames += r->measured_step;
    }
    free(radius);
    return rows;
}

const char *replay_fault(const view_replay *r) { return r->fault; }
