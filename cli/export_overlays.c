/* export_overlays.c: see enclosure.h. Of a scenario there are the quantities that overlays of its models show, and
 * those that are asked for; of a recording all that it has. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "enclosure.h"
#include "messages.h"
#include "outputs.h"

enum { GOALS_MOST = 12 };           /* whose ways are kept */
static const double ways_every = 5; /* s: not sooner again */

typedef struct shown_column {
    size_t x, y; /* quantities; of a vector in a recording two, else y is SIZE_MAX */
    bool arrows;
    double low, high;
} shown_column;

struct export_overlays {
    view_live *live;
    view_replay *replay;
    shown_column *columns;
    size_t count;
    double ways_time; /* s: when ways were last kept */
};

/* ------------------------------------------------------------------ which */

static void add(export_overlays *o, size_t x, size_t y, bool arrows) {
    for (size_t i = 0; i < o->count; i++)
        if (o->columns[i].x == x) return;
    o->columns = resize(o->columns, (o->count + 1) * sizeof *o->columns);
    o->columns[o->count++] = (shown_column){.x = x, .y = y, .arrows = arrows};
}

static bool has_model(const throng_world *world, const char *name) {
    for (size_t p = 0; p < throng_world_profile_count(world); p++)
        if (!strcmp(throng_model_name(throng_world_profile_model(world, (throng_profile)p)), name)) return true;
    return false;
}

static bool add_named(export_overlays *o, const char *name) {
    const throng_world *world = o->live->world;
    size_t index = throng_world_quantity_named(world, name);
    if (index == SIZE_MAX) return false;
    throng_world_want_quantity(world, index);
    add(o, index, SIZE_MAX, throng_world_quantity(world, index).components > 1);
    return true;
}

static bool choose_of_world(export_overlays *o, const text_list *record) {
    const throng_world *world = o->live->world;
    if (has_model(world, "cpd")) add_named(o, "area");
    if (has_model(world, "uic")) add_named(o, "grid_pressure");
    if (has_model(world, "orca-forces") || throng_world_objects(world).count) add_named(o, "net_force");
    text_list names = outputs_quantities(record);
    bool good = true;
    for (size_t i = 0; i < names.count && good; i++) {
        good = add_named(o, names.items[i]);
        if (!good) complain("export: --record: nobody here has a quantity '%s'", names.items[i]);
    }
    text_list_free(&names);
    return good;
}

/* Two in a row called "..._x" and "..._y" are a vector. */
static void choose_of_recording(export_overlays *o) {
    for (size_t i = 0; i < replay_quantity_count(o->replay); i++) {
        const char *name = replay_quantity_name(o->replay, i);
        const char *next = i + 1 < replay_quantity_count(o->replay) ? replay_quantity_name(o->replay, i + 1) : "";
        size_t length = strlen(name);
        bool vector = text_ends_with(name, "_x") && strlen(next) == length && text_ends_with(next, "_y") &&
                      !strncmp(name, next, length - 1);
        add(o, i, vector ? i + 1 : SIZE_MAX, vector);
        i += vector;
    }
}

export_overlays *overlays_choose(view_live *live, view_replay *replay, const text_list *record) {
    export_overlays *o = resize(NULL, sizeof *o);
    *o = (export_overlays){.live = live, .replay = replay, .ways_time = -INFINITY};
    if (replay) choose_of_recording(o);
    if (!live || choose_of_world(o, record)) return o;
    overlays_free(o);
    return NULL;
}

void overlays_free(export_overlays *o) {
    if (!o) return;
    free(o->columns);
    free(o);
}

/* ------------------------------------------------------------------ into the page */

void overlays_add_frame(export_overlays *o, enclosure *into) {
    for (size_t i = 0; i < o->count; i++) {
        shown_column *c = &o->columns[i];
        blob *made = o->live ? live_column(o->live, c->x, &c->low, &c->high)
                             : replay_column(o->replay, c->x, c->y, &c->low, &c->high);
        enclosure_add_column(into, c->x, made, c->arrows);
        blob_drop(made);
    }
}

/* The ways to one goal, as the page would be answered. */
static void add_way(export_overlays *o, enclosure *into, const char *goal) {
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "goal", goal);
    json_close(&t.json, '}');
    blob *asked = text_maker_end(&t), *answer = NULL;
    json_tree command;
    const char *why;
    size_t where;
    if (json_read((const char *)asked->bytes, asked->length, &command, &why, &where)) {
        if (live_do(o->live, 0, "field", &command, &answer, &why)) {
            char *text = text_format("{\"field\":%.*s}", (int)answer->length, (const char *)answer->bytes);
            enclosure_add_text(into, text, strlen(text));
            free(text);
        }
        json_free(&command);
    }
    blob_drop(answer);
    blob_drop(asked);
}

void overlays_add_ways(export_overlays *o, enclosure *into) {
    if (!o->live || throng_world_time(o->live->world) < o->ways_time + ways_every) return;
    o->ways_time = throng_world_time(o->live->world);
    size_t kept = 0;
    for (size_t g = 1; g <= throng_world_goal_count(o->live->world) && kept < GOALS_MOST; g++) {
        throng_goal_def goal = throng_world_goal(o->live->world, (throng_goal)g);
        if (!*goal.name || (goal.kind != THRONG_GOAL_AREA && goal.kind != THRONG_GOAL_POINT)) continue;
        add_way(o, into, goal.name);
        kept++;
    }
}
