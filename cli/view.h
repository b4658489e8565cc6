/* view.h: what the files of `throng view` share.
 *
 *     browsers <--server.c--> view_session.c --commands--> view_run.c (a thread for each run)
 *                                  ^                          | view_live.c: a world
 *                                  +---- frames, texts -------+ view_replay.c: a recording
 *
 * A run has a thread of its own that alone touches its world or recording. It takes commands from its inbox, follows
 * the session's clock, and leaves what is newest (a frame, the scene, rows of charts) where the server's thread finds
 * it. */

#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include <pthread.h>
#include <throng/throng.h>

#include "json.h"
#include "json_read.h"
#include "loaded.h"
#include "server.h"
#include "source.h"

enum { VIEW_RUNS = 4 };

typedef struct view_session view_session;

/* A text being written as JSON. */
typedef struct text_maker {
    json_writer json;
    char *text;
    size_t length;
} text_maker;

void text_maker_open(text_maker *maker);
blob *text_maker_end(text_maker *maker);
void json_point(json_writer *out, double x, double y);
void json_ring(json_writer *out, const char *key, throng_ring ring);

/* ------------------------------------------------------------------ frames (view_frame.c) */

/* Everybody at a moment, as they stand in some columns. */
typedef struct crowd_moment {
    double time;
    size_t count;
    const uint32_t *order; /* rows in order of id; NULL: as they are */
    const throng_agent *id;
    const double *x, *y, *vx, *vy;
    const double *wish_x, *wish_y; /* where those look who stand; may be NULL */
    const double *radius;
    const double *values; /* in order of id; NULL: none */
    const double *layer;  /* the same, of an overlay */
    const double *arrow_x, *arrow_y;
    /* Group and model of row k. */
    void (*detail)(const void *context, size_t row, uint8_t *group, uint8_t *model);
    const void *context;
    const throng_objects *objects; /* may be NULL */
    const uint16_t *shapes;        /* of objects */
} crowd_moment;

/* A frame as it is sent: parts that clients share. */
typedef struct view_frame {
    uint64_t serial; /* of all frames of the run; 0: none */
    uint64_t people; /* another number when ids or details are others */
    double time, low, high;
    throng_point origin;
    size_t count, thing_count;
    double layer_low, layer_high;
    blob *ids, *motion, *values, *layer, *arrows, *details, *things; /* the three in the middle may be NULL */
} view_frame;

/* `last` is the frame before, or empty; its ids and details serve again when they are the same, unless `anew`. */
view_frame frame_make(const crowd_moment *moment, const view_frame *last, throng_point origin, bool anew);
view_frame frame_keep(const view_frame *frame);
void frame_drop(view_frame *frame);
void frame_send(view_server *server, server_client client, const view_frame *frame, int run, bool people);
/* The columns of an overlay: the ends of its scale, which only grows if it `grows`, and a byte each; or what 1 stands
 * for and both components in units of that. */
blob *frame_layer(const double *values, size_t count, bool grows, double *low, double *high);
blob *frame_arrows(const double *x, const double *y, size_t count);
blob *frame_whole(const view_frame *frame); /* as it is sent to a newcomer */

/* ------------------------------------------------------------------ runs */

typedef enum run_state { RUN_EMPTY, RUN_PREPARING, RUN_GOING, RUN_ENDED, RUN_FAILED_TO_OPEN } run_state;

typedef struct view_command {
    struct view_command *next;
    server_client client;
    size_t length;
    char text[];
} view_command;

typedef struct view_live view_live;
typedef struct view_replay view_replay;

typedef struct view_run {
    view_session *session;
    int number;
    pthread_t thread;

    /* Under the session's lock. */
    bool threaded, begun; /* it has a thread; it is shown */
    view_command *first, *last;
    size_t inbox_count;
    run_state state;
    bool is_live;
    double time, dt; /* s: what is shown, and how far a step leads */
    double shift;    /* s: its own time less that of the clock */
    double end;      /* s: of a recording; infinite for a world */
    view_frame newest;
    blob *scene;
    uint64_t scene_serial;
    blob *failure;       /* why it could not be opened, for those who come later; or NULL */
    char *scenario_text; /* with what was done by hand; NULL: none, or a recording */
    char *charts;        /* rows so far, with commas */
    size_t charts_length;
    bool stop_measuring; /* its recording is about to be closed */

    /* The thread's own. */
    view_live *live;
    view_replay *replay;
    char *path, *text, *name; /* what was opened: a file or a built-in scene, or a text */
    text_list overrides;
    char *own_text;                                /* of the scenario, as it was opened */
    text_list hand;                                /* what was done since, as text */
    text_list changes;                             /* commands that hold after a restart, too */
    bool given;                                    /* on the command line, whose options it has */
    pthread_t measurer;                            /* makes the charts of a recording */
    bool measuring;                                /* it has been started */
    double published_s, told_s, told_time, factor; /* wall clock, s */
    bool dirty;                                    /* something changed that no frame shows yet */
} view_run;

bool run_start(view_run *run); /* gives it a thread, if it has none; in the server's thread, under the lock */
/* What the thread does again and again, and what is called instead where there are no threads: does one thing that is
 * due and returns 0, or returns when something will be, s of the wall clock. Under the lock. */
double run_turn(view_run *run);

/* What things look like: those of the same parts have the same shape. */
typedef struct view_shapes {
    struct view_shape {
        size_t part_count;
        throng_part *parts;
        throng_object first; /* that has it */
    } * shapes;
    size_t count;
    uint16_t *numbers; /* of the objects last looked at */
    size_t capacity;
} view_shapes;

bool shapes_know(view_shapes *known, const throng_objects *objects); /* true: there is a new one */
void shapes_write(json_writer *out, const view_shapes *known, const throng_objects *objects /* may be NULL */);
void shapes_free(view_shapes *known);

/* What was counted before a world went back, which a measure does not know. */
enum { CHART_LINES = 32 };
typedef struct chart_base {
    size_t left;
    uint64_t passed[CHART_LINES];
} chart_base;

/* A row of charts, to be freed; step_ms may be NaN, and base NULL. */
char *chart_row(const throng_measure *measure, int run, double step_ms, const chart_base *base);

typedef struct live_undo live_undo;

/* Which quantities frames have: what people are coloured by, what an overlay shows, arrows; SIZE_MAX: none. */
typedef struct shown_quantities {
    size_t colour, layer, arrows;
} shown_quantities;

/* view_live.c: a world. Commands are in view_steer.c. */
struct view_live {
    throng_scenario *scenario;
    throng_world *world;
    double until; /* s: the run ends then */
    bool full;    /* and not before */
    throng_point origin;
    shown_quantities shown;
    double *values; /* of them, scratch */
    size_t value_capacity;
    double cell; /* m: of a model's grid, as it was last told; 0: none */
    view_shapes shapes;
    throng_measure *measure;
    uint64_t place_told, goals_told, people_told; /* versions of what the scene says */
    bool scene_changed, details_changed;
    double charted; /* s: the last row of charts */
    chart_base base;
    live_undo *undos;
    char why[1024]; /* an undo was refused */
    size_t undo_count;
};

typedef struct live_def {
    const char *path;             /* of the scenario, or a built-in name */
    const char *text;             /* instead */
    const char *const *overrides; /* "KEY=VALUE" */
    size_t override_count;
} live_def;

/* NULL: what was wrong is in the report. */
view_live *live_open(const live_def *def, const scenario_options *options, throng_report *report);
void live_close(view_live *live);
throng_world *live_world(view_live *live);
void live_step(view_live *live);
bool live_is_over(const view_live *live);
void live_go_on(view_live *live); /* beyond the scenario's duration */
/* view_scene.c */
blob *live_scene(view_live *live, int run);
bool live_scene_changed(view_live *live); /* since that was last asked for */
throng_box live_bounds(const throng_world *world);
void scene_write_place(json_writer *out, const throng_place *place, throng_box bounds);
void scene_write_marks(json_writer *out, const char *name, throng_mark_kind kind, const char *key,
                       const throng_mark *marks, size_t count);
view_frame live_frame(view_live *live, const view_frame *last);
view_frame live_sample(view_live *live, size_t most); /* of a larger crowd only every second person, or third, ... */
/* A quantity of everybody as a column of an overlay: arrows where it has a direction. */
blob *live_column(view_live *live, size_t quantity, double *low, double *high);
/* The row of charts of this moment, to be freed; NULL: not due. */
char *live_chart(view_live *live, int run);
/* Does what is asked; `answer` may be set to a text for who asked. False: see `why`. */
/* view_steer.c */
bool live_do(view_live *live, int run, const char *what, const json_tree *command, blob **answer, const char **why);

/* view_undo.c: the world as it was before something was done by hand, for what has no other way back. */
bool undo_is_for(const char *what);
void undo_keep(view_live *live);
void undo_forget(view_live *live); /* the last one kept */
void undo_forget_all(view_live *live);
bool undo_last(view_live *live, throng_error *error);
chart_base chart_base_now(const view_live *live);
/* What was done as an event of the scenario, or a comment; to be freed. */
char *hand_text(const char *what, const json_tree *command, const char *text, double time);
/* Takes back the last that an undo is for, and what came after it. */
void hand_undo(text_list *hand);
/* A scenario's text with that in its events; to be freed. */
char *scenario_with_hand(const char *text, const text_list *hand);

/* view_replay.c: a recording. */
view_replay *replay_open(const char *path, const source_options *options, throng_error *error);
void replay_close(view_replay *replay);
throng_recording_info replay_info(const view_replay *replay);
/* Goes to a moment; true when another frame is shown then. */
bool replay_go(view_replay *replay, double time);
blob *replay_scene(view_replay *replay, int run, const char *name);
bool replay_scene_changed(view_replay *replay);
view_frame replay_frame(view_replay *replay, const view_frame *last);
/* Recorded quantities of the frame shown: arrows of `x` and `y`, or a layer of `x` when y is SIZE_MAX. */
size_t replay_quantity_count(const view_replay *replay);
const char *replay_quantity_name(const view_replay *replay, size_t index);
blob *replay_column(view_replay *replay, size_t x, size_t y, double *low, double *high);
bool replay_do(view_replay *replay, int run, const char *what, const json_tree *command, blob **answer,
               const char **why);
/* Measures some more frames for charts: rows with commas, to be freed; NULL: none. */
char *replay_chart(view_replay *replay, int run, bool *more);
const char *replay_fault(const view_replay *replay); /* why a frame could not be read, or NULL */

/* ------------------------------------------------------------------ the session */

typedef struct view_post {
    struct view_post *next;
    server_client client;
    blob *text;
    bool may_drop;
    int status; /* not 0: it answers a request, with this type */
    const char *type;
} view_post;

/* What a client was sent last. */
typedef struct view_watcher {
    server_client client;
    struct {
        uint64_t serial, people;
    } seen[VIEW_RUNS];
} view_watcher;

struct view_session {
    view_server *server;
    const scenario_options *scenario;
    const source_options *source;
    const text_list *operands;
    text_list uploads; /* files that the page has sent; gone with the session */
    bool quiet;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping, playing;
    double speed;                  /* simulated s per s, as asked for */
    double clock_time, clock_wall; /* the clock was here, s, then */
    view_run runs[VIEW_RUNS];
    view_post *first_post, *last_post;

    /* The server's thread alone. */
    view_watcher *watchers;
    size_t watcher_count;
    uint64_t scenes_told[VIEW_RUNS];
    struct view_desk *desk; /* view_desk.c: what takes long and is not about a run */
};

double wall_s(void);
/* Where the clock stands; it waits for runs that cannot keep up. Under the lock. */
double session_clock(view_session *session, double wall);
void session_set_clock(view_session *session, double time);
/* Under the lock: the text is sent soon. */
void session_post(view_session *session, view_post post);
/* Gives a run something to do. */
void session_command(view_session *session, int run, server_client client, const char *text, size_t length);
/* The rows of a run's charts so far. Under the lock. */
blob *charts_text(const view_run *run);
blob *error_text(int run, const char *what, const char *why, const throng_report *report);
void json_report(json_writer *out, const throng_report *report);

/* Opens a recording that the page has sent, as a run. */
void session_open_upload(view_session *session, size_t run, const char *path, const char *name);
bool session_begin(view_session *session, int port);
void session_serve(view_session *session);
void session_end(view_session *session);

/* view_pages.c: what is asked for by HTTP. */
void pages_answer(view_session *session, server_client client, const http_request *request, const char *body);

/* view_desk.c: a thread for what takes a while and is not about a run: moments of scenes, checks of scenarios. */
typedef enum desk_work { DESK_CHECK, DESK_MOMENT, DESK_SCENES, DESK_IMPORT } desk_work;
struct view_desk *desk_begin(view_session *session);
void desk_end(struct view_desk *desk);
/* False: too much waits already. */
bool desk_ask(struct view_desk *desk, server_client client, desk_work work, const char *text, size_t length);
/* What the thread does again and again, as run_turn: does one thing that waits. Under the desk's lock. */
bool desk_turn(struct view_desk *desk);

/* view_moment.c: a moment of a built-in scene, for the page to draw; NULL: there is none. */
blob *scene_moment(const char *name);

#endif
