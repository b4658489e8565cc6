/* throng.h: simulate crowds of people.
 *
 * A place is where people can walk; a world holds the people in it and moves them, one step at a
 * time; a scenario file describes both; a recorder writes what happened to a file other tools open.
 *
 *     throng_world_def def = throng_default_world_def();
 *     throng_world *world = throng_world_create(&def, &error);
 *     throng_goal there = throng_world_add_goal(world, &goal_def);
 *     throng_agent somebody = throng_world_add_agent(world, &agent_def);
 *     throng_world_step(world);
 *     throng_view v = throng_world_view(world);
 *
 * Metres, seconds, kilograms; x to the right, y up. Things are made from a definition that a
 * default function fills and the caller edits. A maker that can refuse its input returns NULL or 0
 * and says why, in an error that may be NULL when nobody wants to know. Strings and arrays handed in
 * are copied; what is handed out lives as long as the thing it was asked from, unless said otherwise.
 * NULL may be destroyed and closed. Indices must be less than their counts. A world is used by one
 * thread at a time; different worlds are independent. */

#ifndef THRONG_THRONG_H
#define THRONG_THRONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define THRONG_API __attribute__((visibility("default")))
#else
#define THRONG_API
#endif

THRONG_API const char *throng_version(void); /* "X.Y.Z" */

/* ------------------------------------------------------------------ errors and memory */

/* Why something was refused. line and column count from 1; 0 means the fault has no place in a file. */
typedef struct throng_error {
    int line, column;
    char text[500];
} throng_error;

typedef enum throng_severity { THRONG_NOTE, THRONG_WARNING, THRONG_ERROR } throng_severity;

/* One finding about an input. path is the value concerned ("agents[0].radius"), "" when none. */
typedef struct throng_message {
    throng_severity severity;
    int line, column;
    const char *path;
    const char *text;
    double x, y;    /* m: where in the place it is; only when it has_place */
    bool has_place; /* it can be shown in a picture of the place */
} throng_message;

/* What was found while reading an input, in the order it was found: the first 200 errors, warnings and notes each, and
 * a message that counts the rest of its kind. Messages live as long as the report. */
typedef struct throng_report throng_report;

THRONG_API throng_report *throng_report_create(void);
THRONG_API void throng_report_destroy(throng_report *report);
THRONG_API size_t throng_report_count(const throng_report *report);
THRONG_API throng_message throng_report_message(const throng_report *report, size_t index);
THRONG_API size_t throng_report_error_count(const throng_report *report);
/* How many of a kind were found, listed or not. */
THRONG_API size_t throng_report_tally(const throng_report *report, throng_severity severity);

/* Which of some words was probably meant by a misspelt one; NULL when none is near. */
THRONG_API const char *throng_nearest_word(const char *word, const char *const *words, size_t count);

/* Replaces the allocator of the whole library; call it before anything else. resize(NULL, n)
 * allocates, resize(p, 0) frees and returns NULL. NULL brings back the C library's. When there is no
 * memory left, the library says so on stderr and aborts the program. */
typedef void *(*throng_resize_function)(void *pointer, size_t size);
THRONG_API void throng_set_allocator(throng_resize_function resize);

/* ------------------------------------------------------------------ places */

/* Positions in m, velocities in m/s, accelerations in m/s^2. */
typedef struct throng_point {
    double x, y;
} throng_point;

/* The same with a height: z up from the floor. */
typedef struct throng_point3 {
    double x, y, z;
} throng_point3;

/* A sequence of points; a closed one does not repeat its first point at the end. */
typedef struct throng_ring {
    const throng_point *points;
    size_t count;
} throng_ring;

typedef struct throng_box {
    throng_point low, high;
} throng_box;

/* A disc becomes a polygon around it whose corners stand out by 5 mm at most. */
typedef enum throng_obstacle_kind { THRONG_POLYGON, THRONG_LINE, THRONG_DISC } throng_obstacle_kind;

typedef struct throng_obstacle {
    throng_obstacle_kind kind;
    throng_ring ring;    /* corners of the polygon, or points of the thin wall */
    throng_point centre; /* of the disc */
    double radius;       /* of the disc, m */
    const char *id;      /* "" or NULL: it stays as it is; else a world may remove and move it by this name */
} throng_obstacle;

/* Where people can walk: the walkable area less the obstacles, which may overlap, touch and reach
 * beyond it. Without a walkable area the plane is open. Give the area as one ring or as WKT text
 * (POLYGON, MULTIPOLYGON, GEOMETRYCOLLECTION). No coordinate is beyond 10^8 m. */
typedef struct throng_place_def {
    throng_ring walkable;     /* either way round; no points: none */
    const char *walkable_wkt; /* NULL: none */
    const throng_obstacle *obstacles;
    size_t obstacle_count;
} throng_place_def;

typedef struct throng_place throng_place;

THRONG_API throng_place_def throng_default_place_def(void);
/* NULL when a ring crosses or touches itself or has no area, a number is not finite, or nothing is
 * left to walk on; line and column are those in the WKT text. */
THRONG_API throng_place *throng_place_create(const throng_place_def *def, throng_error *error);
THRONG_API void throng_place_destroy(throng_place *place);

/* The walls as closed rings with the walkable side on the left (borders turn counter-clockwise,
 * holes clockwise), and the thin walls as open chains. */
THRONG_API size_t throng_place_ring_count(const throng_place *place);
THRONG_API throng_ring throng_place_ring(const throng_place *place, size_t index);
THRONG_API size_t throng_place_line_count(const throng_place *place);
THRONG_API throng_ring throng_place_line(const throng_place *place, size_t index);
THRONG_API bool throng_place_is_open(const throng_place *place);      /* no walkable area was given */
THRONG_API throng_box throng_place_bounds(const throng_place *place); /* of all walls; zero without any */
/* The walkable area as WKT, thin walls left out; "" when the plane is open. */
THRONG_API const char *throng_place_wkt(const throng_place *place);

/* ------------------------------------------------------------------ models and their parameters */

typedef enum throng_param_kind {
    THRONG_PARAM_NUMBER, /* any value in the range */
    THRONG_PARAM_WHOLE,  /* a whole number in the range */
    THRONG_PARAM_BOOL,   /* false or true: 0 or 1 */
    THRONG_PARAM_CHOICE, /* one of words: its index */
    THRONG_PARAM_MAP     /* a throng_map of the world; 0: none */
} throng_param_kind;

/* One row of a model's parameter table. */
typedef struct throng_param {
    const char *name;
    const char *unit; /* "" when it has none */
    const char *help;
    throng_param_kind kind;
    double low, fallback, high; /* the range and the default */
    const char *const *words;   /* the words of a choice, ended by NULL */
    const char *source;         /* where the default comes from */
    size_t offset;              /* of a double in the model's parameter struct */
} throng_param;

typedef struct throng_model throng_model; /* see model.h */

THRONG_API size_t throng_model_count(void);
THRONG_API const throng_model *throng_model_at(size_t index);        /* in stepping order */
THRONG_API const throng_model *throng_model_named(const char *name); /* NULL: no such model */
THRONG_API const char *throng_model_name(const throng_model *model);
THRONG_API const char *throng_model_title(const throng_model *model);
THRONG_API const char *throng_model_citation(const throng_model *model);
THRONG_API double throng_model_default_dt(const throng_model *model);
/* A number, or a vector, that is shown of everybody: recordings keep it, pictures colour people by it. */
typedef struct throng_quantity {
    const char *name; /* letters, digits and _ */
    const char *unit; /* "N", "1/m^2"; "": a plain number */
    const char *help;
    int components; /* 1, or 2 for a vector in x and y */
} throng_quantity;

/* What a model shows of its people, beside what the world shows of everybody (throng_world_quantity). */
THRONG_API size_t throng_model_quantity_count(const throng_model *model);
THRONG_API throng_quantity throng_model_quantity(const throng_model *model, size_t index);
THRONG_API size_t throng_model_param_count(const throng_model *model);
THRONG_API const throng_param *throng_model_param(const throng_model *model, size_t index);

/* Habits: what people make of the way they are told, whichever model moves them. Their parameters are those of every
 * profile; the default may be another one for a model. */
THRONG_API size_t throng_habit_count(void);
THRONG_API const char *throng_habit_name(size_t habit);
THRONG_API const char *throng_habit_title(size_t habit);
THRONG_API size_t throng_habit_param_count(size_t habit);
THRONG_API const throng_param *throng_habit_param(size_t habit, size_t index);
THRONG_API size_t throng_habit_quantity_count(size_t habit);
THRONG_API throng_quantity throng_habit_quantity(size_t habit, size_t index);
/* The default of a habit's parameter for people of a model, and where it comes from. */
THRONG_API double throng_model_habit_default(const throng_model *model, size_t habit, size_t index);
THRONG_API const char *throng_model_habit_source(const throng_model *model, size_t habit, size_t index);

/* ------------------------------------------------------------------ the world */

typedef struct throng_world throng_world;
typedef uint64_t throng_agent;   /* never reused; 0 is nobody */
typedef uint32_t throng_goal;    /* 0 is nowhere */
typedef uint32_t throng_profile; /* a model with its parameters; 0 is the world's default */
typedef uint32_t throng_group;   /* a name for some agents; 0 is "" */

typedef enum throng_simd { THRONG_SIMD_AUTO, THRONG_SIMD_PLAIN } throng_simd;

/* Axes that wrap: who walks out at one end comes in at the other, and people and walls are seen across
 * the seam. A period is at least 2 m long, and longer than any model in it looks. */
typedef struct throng_period {
    bool x, y;              /* the axes that wrap; default: none */
    throng_point low, high; /* m; positions are kept in [low, high) */
} throng_period;

typedef struct throng_world_def {
    const throng_place *place; /* NULL: an open plane; not kept */
    const char *model;         /* of profile 0; default "orca" */
    double dt;                 /* s, 1e-6 to 60; default 0: the model's own */
    uint64_t seed;             /* of all random numbers; default 1 */
    int threads;               /* default 0: one per core; changes no result */
    throng_simd simd;          /* how to compute; default AUTO: as the processor can; changes no result */
    bool check;                /* measure overlap every step; default true */
    const char *planner;       /* "straight", "flow-field", "roadmap"; default NULL: by what stands in the way */
    double planner_cell;       /* m; default 0: chosen from the place */
    bool allow_unreachable;    /* walk straight to a goal no way leads to, instead of refusing; default false */
    size_t agent_capacity;     /* room made in advance; default 0; the world grows by itself */
    throng_period period;      /* the place is one period of an endless one; default: it is not */
    double planner_congestion; /* how much crowds ahead count with flow-field; default 0: not, 1: as they hold up */
    int physics_iterations;    /* of the solver for rigid bodies, 1 to 1000; default 0: 20; bonds break by it */
} throng_world_def;

THRONG_API throng_world_def throng_default_world_def(void);
/* NULL when there is no such model or planner, or a number makes no sense. */
THRONG_API throng_world *throng_world_create(const throng_world_def *def, throng_error *error);
THRONG_API void throng_world_destroy(throng_world *world);

/* Why the last function that adds, removes or changes something returned 0 or false. */
THRONG_API const throng_error *throng_world_error(const throng_world *world);

/* What was noticed about the world since it was made: passages too narrow, doors that could not close.
 * It grows by the way; no more than a few hundred messages are kept. */
THRONG_API const throng_report *throng_world_report(const throng_world *world);

/* --- who they are */

/* A parameter by name: a number, true/false as 1/0, or the word of a choice. */
typedef struct throng_setting {
    const char *name;
    double number;
    const char *word; /* NULL: use the number */
} throng_setting;

/* A model with parameters of its own; what settings leave out has the model's default. 0, which is
 * also the default profile, when there is no such model or parameter, or a value is out of range. */
THRONG_API throng_profile throng_world_add_profile(throng_world *world, const char *model,
                                                   const throng_setting *settings, size_t count);
THRONG_API size_t throng_world_profile_count(const throng_world *world); /* profiles are 0 .. count - 1 */
/* NULL when there is no such profile. */
THRONG_API const throng_model *throng_world_profile_model(const throng_world *world, throng_profile profile);
/* The value of a parameter; NaN when the profile's model has none of that name. */
THRONG_API double throng_world_profile_value(const throng_world *world, throng_profile profile, const char *name);
/* A table of weights in somebody's own frame, for parameters that are maps: rows from ahead to behind, each from left
 * to right, the first row first; up to THRONG_MAP_SIDE of each. Only how they compare to each other counts. 0 when
 * there are none or too many, one is below 0 or not finite, or all are 0. A profile has it by
 * {.name = "weight_map", .number = map}. */
typedef uint32_t throng_map; /* 0 is none */
enum { THRONG_MAP_SIDE = 256 };
THRONG_API throng_map throng_world_add_weight_map(throng_world *world, const double *weights, size_t rows,
                                                  size_t columns);
THRONG_API size_t throng_world_weight_map_count(const throng_world *world); /* maps are 1 .. count */
/* The group of a name, made when it is new; 0 for "" and NULL. */
THRONG_API throng_group throng_world_add_group(throng_world *world, const char *name);
THRONG_API size_t throng_world_group_count(const throng_world *world); /* groups are 0 .. count - 1 */
THRONG_API const char *throng_world_group_name(const throng_world *world, throng_group group); /* "": none such */

/* --- where they go */

typedef enum throng_goal_kind {
    THRONG_GOAL_AREA,      /* anywhere in a polygon */
    THRONG_GOAL_POINT,     /* within radius of a point */
    THRONG_GOAL_DIRECTION, /* this way for ever */
    THRONG_GOAL_OWN,       /* within radius of the agent's own target point */
    THRONG_GOAL_ROAM,      /* a random point of a polygon; a new one on arrival if `repeat` */
    THRONG_GOAL_ANY        /* the nearest of several goals */
} throng_goal_kind;

/* A number drawn for somebody, which depends on the arguments alone: the world's seed, who it is, and
 * when in steps. The context belongs to the world it is given to, which destroys it. */
typedef struct throng_drawing {
    double (*draw)(const void *context, uint64_t seed, uint64_t who, uint64_t when); /* NULL: nothing is drawn */
    void (*destroy)(void *context);                                                  /* may be NULL */
    void *context;
} throng_drawing;

#define THRONG_UNLIMITED UINT32_MAX

typedef struct throng_goal_def {
    throng_goal_kind kind;
    const char *name;       /* "" is fine */
    throng_ring ring;       /* AREA, ROAM: the polygon */
    throng_point point;     /* POINT: where; DIRECTION: which way, any length but 0 */
    double radius;          /* POINT, OWN, ROAM: reached within; default 0.5 m */
    bool exit;              /* leaves the world on arrival */
    bool repeat;            /* ROAM */
    const throng_goal *any; /* ANY: one or more AREA and POINT goals */
    size_t any_count;

    /* All but DIRECTION and ANY: who has got there stays for a while before it goes on or leaves. At a
     * POINT, and in an AREA with a capacity, only so many do so at a time; the others line up in front
     * of it, in the order in which they come. Of several such goals of an ANY everybody takes the one
     * that promises to be the quickest: way / desired speed + people there * mean wait / capacity. */
    double wait;               /* s; default 0: goes on at once */
    throng_drawing drawn_wait; /* instead: s, for everybody anew */
    uint32_t capacity;         /* default 0: 1 for a POINT, THRONG_UNLIMITED for an AREA */
    throng_ring queue;         /* the line to stand in, from its head; default: found from how people come */
} throng_goal_def;

THRONG_API throng_goal_def throng_default_goal_def(void); /* a THRONG_GOAL_POINT */
/* 0 when a polygon, point, radius or member makes no sense. That a way leads there is looked at when
 * somebody wants to go: see throng_world_prepare. */
THRONG_API throng_goal throng_world_add_goal(throng_world *world, const throng_goal_def *def);
THRONG_API size_t throng_world_goal_count(const throng_world *world); /* goals are 1 .. count */
/* The definition of a goal, with directions made unit vectors; all zero when there is no such goal. */
THRONG_API throng_goal_def throng_world_goal(const throng_world *world, throng_goal goal);

/* --- what changes by the way
 *
 * Obstacles with an id go, come back and move; goals close and open; model parameters change. Each of
 * these functions acts at once; an event does the same at its time. Those whose way is concerned find
 * another one, and nobody else. They return false when there is no such obstacle, goal or parameter,
 * or a number makes no sense. */

/* An obstacle goes away. If it was moving it stops there. */
THRONG_API bool throng_world_remove_obstacle(throng_world *world, const char *id);
/* It comes back where it last stood, as soon as nobody stands there; that it waits is noticed in
 * throng_world_report. */
THRONG_API bool throng_world_restore_obstacle(throng_world *world, const char *id);
/* It moves by a vector (m), evenly over some time (s; 0: within the next step). People in its way are
 * pushed along; it stops short of somebody who cannot yield, which is noticed in throng_world_report,
 * and goes on when there is room. Sent on while it moves, it goes from where it is to where all its
 * moves together lead. One that is away is moved at once. */
THRONG_API bool throng_world_move_obstacle(throng_world *world, const char *id, throng_point by, double during);

/* A new obstacle, whose id nobody has yet; it can be removed and moved as others. It comes as soon as nobody stands
 * where it belongs, like one that is restored. False when the outline makes no sense. */
THRONG_API bool throng_world_add_obstacle(throng_world *world, const throng_obstacle *obstacle);

/* An obstacle as it is now. */
typedef struct throng_obstacle_state {
    throng_obstacle shape; /* as it was given */
    throng_point moved;    /* m from there */
    bool present;          /* false: removed, or it waits for room */
} throng_obstacle_state;

/* All obstacles, those first that the place was made with; the text and points are the world's own. */
THRONG_API size_t throng_world_obstacle_count(const throng_world *world);
THRONG_API throng_obstacle_state throng_world_obstacle(const throng_world *world, size_t index);

/* A goal closes: of several goals another is chosen; who has no other walks up to it, waits a body's
 * width away, and has not arrived. Directions cannot close. */
THRONG_API bool throng_world_close_goal(throng_world *world, throng_goal goal);
THRONG_API bool throng_world_open_goal(throng_world *world, throng_goal goal);
THRONG_API bool throng_world_goal_is_closed(const throng_world *world, throng_goal goal);

/* Changes "params.NAME" of everybody whose model has such a parameter, or "desired_speed" (m/s; the
 * maximal speed changes in proportion), for a group (0: for all), also of those who come later. */
THRONG_API bool throng_world_set(throng_world *world, const char *what, double value, throng_group group);
/* Gives people another model, with its defaults, from where they are and as fast as they are: a group (0: all), and
 * those of it who come later. Who has that model already keeps its parameters. */
THRONG_API bool throng_world_set_model(throng_world *world, const char *model, throng_group group);

typedef enum throng_event_kind {
    THRONG_EVENT_REMOVE,
    THRONG_EVENT_RESTORE,
    THRONG_EVENT_MOVE,
    THRONG_EVENT_CLOSE,
    THRONG_EVENT_OPEN,
    THRONG_EVENT_SET,
    THRONG_EVENT_THROW
} throng_event_kind;

/* One of the changes above, at the start of the step in which its time falls; those of one time in the
 * order they were added. */
typedef struct throng_event_def {
    throng_event_kind kind;
    double time;                  /* s, 0 or more */
    const char *obstacle;         /* REMOVE, RESTORE, MOVE: its id */
    throng_point by;              /* MOVE: m */
    double during;                /* MOVE: s */
    throng_goal goal;             /* CLOSE, OPEN */
    const char *set;              /* SET: "params.NAME" or "desired_speed" */
    double to;                    /* SET */
    throng_group group;           /* SET: 0 for everybody */
    const char *object;           /* THROW: its id; when there is none such then, nothing happens */
    throng_point3 velocity, spin; /* THROW: m/s, rad/s */
} throng_event_def;

THRONG_API throng_event_def throng_default_event_def(void);
THRONG_API bool throng_world_add_event(throng_world *world, const throng_event_def *def);
/* Those added, in the order they happen; texts are the world's own. */
THRONG_API size_t throng_world_event_count(const throng_world *world);
THRONG_API throng_event_def throng_world_event(const throng_world *world, size_t index);

/* A part of the floor where people walk slower or faster (stairs), or a model has other parameters.
 * Where zones overlap, the first one that says something about speed, or about a parameter, holds. */
typedef struct throng_zone_def {
    throng_ring ring;               /* the polygon */
    double speed_factor;            /* of desired and maximal speed; default 1: as elsewhere */
    const throng_setting *settings; /* parameters of those inside whose model has them */
    size_t setting_count;
} throng_zone_def;

THRONG_API throng_zone_def throng_default_zone_def(void);
/* False when the polygon or a number makes no sense, or no model in the world has such a parameter. */
THRONG_API bool throng_world_add_zone(throng_world *world, const throng_zone_def *def);
THRONG_API size_t throng_world_zone_count(const throng_world *world);
THRONG_API throng_zone_def throng_world_zone(const throng_world *world,
                                             size_t index); /* what it points to is the world's own */

/* A part of the floor that picks the model (level of detail): who walks in is moved by the region's profile from where
 * it is and as fast as it is, and by its own again when it is half a metre outside. Of several regions the first holds.
 * Whatever else a person is given another model by, is its own, and holds outside. */
typedef struct throng_region_def {
    throng_ring ring;    /* the polygon; no points: a disc */
    throng_point centre; /* of the disc, m */
    double radius;       /* m */
    throng_profile profile;
} throng_region_def;

/* False when the polygon, the disc or the profile makes no sense. */
THRONG_API bool throng_world_add_region(throng_world *world, const throng_region_def *def);
THRONG_API size_t throng_world_region_count(const throng_world *world);
THRONG_API throng_region_def throng_world_region(const throng_world *world,
                                                 size_t index); /* what it points to is the world's own */
/* Round regions can move, say with the camera. */
THRONG_API bool throng_world_move_region(throng_world *world, size_t index, throng_point centre);

/* What is marked on the floor: goals, zones, regions, and lines and areas to measure at. Recordings keep it, pictures
 * show it.
 */
typedef enum throng_mark_kind {
    THRONG_MARK_GOAL,
    THRONG_MARK_EXIT, /* a goal that people leave the world at */
    THRONG_MARK_ZONE,
    THRONG_MARK_LINE,
    THRONG_MARK_AREA
} throng_mark_kind;

typedef struct throng_mark {
    throng_mark_kind kind;
    const char *name; /* "" is fine */
    throng_ring ring; /* the polygon, the ends of the line, or the middle of a disc; none: a goal without a place */
    double radius;    /* m, of a disc */
    bool closed;      /* of a goal: nobody gets there now */
} throng_mark;

THRONG_API size_t throng_world_mark_count(const throng_world *world);
THRONG_API throng_mark throng_world_mark(const throng_world *world, size_t index);
/* Adds a line or an area, which changes nothing else; copied. False when it makes no sense. */
THRONG_API bool throng_world_add_mark(throng_world *world, const throng_mark *mark);

/* --- the people */

typedef struct throng_agent_def {
    throng_point at;            /* m */
    throng_point velocity;      /* m/s; default at rest */
    double radius;              /* m; default 0.2 */
    double desired_speed;       /* m/s; default 1.34 */
    double max_speed;           /* m/s; default 0: 1.5 times the desired speed */
    double mass;                /* kg; default 80 */
    throng_profile profile;     /* default 0 */
    throng_group group;         /* default 0 */
    const throng_goal *journey; /* goals one after the other; the last one counts as the arrival */
    size_t journey_count;       /* 0: stands where it is, if others let it */
    throng_point target;        /* the point meant by a THRONG_GOAL_OWN of the journey */
    double start_after;         /* s of the world's clock; stands until then; default 0 */
    throng_point acceleration;  /* m/s^2, a constant outside force */
    bool repeat;                /* the journey begins again when it is done; default false */
} throng_agent_def;

THRONG_API throng_agent_def throng_default_agent_def(void);
/* 0 when a value makes no sense, the middle of the disc is in a wall, or there is no such profile,
 * group or goal. Nobody looks whether discs overlap. */
THRONG_API throng_agent throng_world_add_agent(throng_world *world, const throng_agent_def *def);
/* False when the agent is not in the world. Takes longer the more people there are: rows close up. */
THRONG_API bool throng_world_remove_agent(throng_world *world, throng_agent agent);
/* Sends an agent elsewhere from now on; target as in throng_agent_def. False, and it goes on as before,
 * when the agent is not in the world or there is no such goal. */
THRONG_API bool throng_world_retarget_agent(throng_world *world, throng_agent agent, const throng_goal *journey,
                                            size_t count, throng_point target);
/* Hits an agent with an impulse (N s) at the beginning of the next step; several add up. Models that know forces
 * take it as one; with the others the velocity changes by impulse / mass, up to the maximal speed. Impulses that would
 * change it by more than 1000 m/s are cut, and counted in throng_stats. False when the agent is not in the world
 * or the impulse is not finite. */
THRONG_API bool throng_world_push_agent(throng_world *world, throng_agent agent, throng_point impulse);
/* Changes the "desired_speed" (m/s; the maximal speed changes in proportion), "max_speed" (m/s), "radius" (m) or "mass"
 * (kg) of an agent, or "params.NAME" of its model. False when the agent is not in the world, there is nothing of that
 * name, or the value is out of range. Nobody looks whether a larger body has room. */
THRONG_API bool throng_world_set_agent(throng_world *world, throng_agent agent, const char *what, double value);
/* Gives an agent another profile, and so perhaps another model: it goes on from where it is, as fast as it is; what the
 * model remembers of it begins anew. */
THRONG_API bool throng_world_set_agent_profile(throng_world *world, throng_agent agent, throng_profile profile);
/* Puts an agent elsewhere at once, where it goes on to its goal; what models and planners remember of it begins anew.
 * False when the agent is not in the world or the point is in a wall. Nobody looks whether discs overlap. */
THRONG_API bool throng_world_move_agent(throng_world *world, throng_agent agent, throng_point to);
/* From now on it moves with this velocity (m/s), until its model decides otherwise in the next step. */
THRONG_API bool throng_world_set_agent_velocity(throng_world *world, throng_agent agent, throng_point velocity);
/* In the next step, and in that one alone, an agent desires this velocity (m/s) and not the one that leads to its goal.
 * Habits act on it as on any other. The last one given holds. */
THRONG_API bool throng_world_wish_agent(throng_world *world, throng_agent agent, throng_point velocity);
/* Who is within `reach` (m) of a point, by their middles: up to `capacity` ids in order, and how many there are. Looks
 * at everybody; ask.h has quicker ways to ask. */
THRONG_API size_t throng_world_near(const throng_world *world, throng_point at, double reach, throng_agent *out,
                                    size_t capacity);
/* The way that a body of a radius (m) would be led from a point to a goal: a unit vector. Zero at the goal, in a wall,
 * and where no way leads there. Takes longer when nobody of about that size has gone there yet; changes nobody's way.
 */
THRONG_API throng_point throng_world_way(throng_world *world, throng_goal goal, throng_point at, double radius);
/* Whether a disc would touch neither a wall nor anybody nor a thing. */
THRONG_API bool throng_world_has_room(const throng_world *world, throng_point at, double radius);

/* --- people who come while it runs */

typedef uint32_t throng_source; /* 0 is none */

/* So many people a second, from a time on. */
typedef struct throng_rate {
    double from; /* s of the world's clock */
    double rate; /* people per second, up to 10^5 */
} throng_rate;

/* Where people appear, how many and who. They come into a polygon that holds their whole discs, or to
 * given spots, and only where nobody is in the way: when there is no room they wait outside, in order,
 * and come as soon as there is. */
typedef struct throng_source_def {
    const char *name;            /* for messages; "" is fine */
    throng_ring area;            /* the polygon; no points: `spots` */
    throng_ring spots;           /* one after the other, from the first that is free */
    double gap;                  /* m, least surface distance to others on appearing; default 0.01 */
    const throng_rate *schedule; /* in order of time; each rate holds until the next, the last for ever */
    size_t schedule_count;       /* by time t the integral of the rate has come, rounded down */
    double from, until;          /* s; nobody is due before or after; default 0 and infinite */
    uint64_t limit;              /* so many at most; default 0: no limit */
    bool poisson;                /* at random, independent of each other; default false: evenly */
    bool moving;                 /* they appear at their desired velocity; default false */
    throng_agent_def person;     /* who they are; start_after counts from when they appear, `at` is ignored */

    /* May be NULL: changes the copy of `person` it is given for the number-th to come, from 0. What it
     * does depends on its arguments alone; a number may be asked for more than once. */
    void (*make)(void *context, uint64_t number, throng_agent_def *person);
    /* May be NULL: the same when it is known where it appears (`at`), to set journey and target. */
    void (*send)(void *context, uint64_t number, throng_agent_def *person);
    void (*destroy)(void *context); /* may be NULL */
    void *context;                  /* the world's to destroy, even when the source is refused */
} throng_source_def;

THRONG_API throng_source_def throng_default_source_def(void);
/* 0 when a value makes no sense, or nobody could stand anywhere in the area. */
THRONG_API throng_source throng_world_add_source(throng_world *world, const throng_source_def *def);
THRONG_API size_t throng_world_source_count(const throng_world *world); /* sources are 1 .. count */
/* The definition of a source; all zero when there is no such source. */
THRONG_API throng_source_def throng_world_source(const throng_world *world, throng_source source);

/* --- the clock */

/* Makes ready what the next step needs (routes above all) and finds what would be wrong with it:
 * false and an error when somebody who is new or was sent elsewhere cannot reach a goal, which is
 * told once, or when a model cannot work like this. A step does the same silently when this was not
 * called, and lets those who cannot reach their goal walk straight. */
THRONG_API bool throng_world_prepare(throng_world *world, throng_error *error);
/* Moves everybody by dt. Cannot fail; allocates nothing unless people or goals were added. */
THRONG_API void throng_world_step(throng_world *world);
/* From the next step on, steps take so long (s, 1e-6 to 60): a program may set it before each step. False, and all is
 * as before, when it makes no sense; throng_world_prepare tells when it is too long for a model. Recordings expect
 * frames at even times. */
THRONG_API bool throng_world_set_dt(throng_world *world, double dt);
THRONG_API double throng_world_time(const throng_world *world); /* s */
THRONG_API double throng_world_dt(const throng_world *world);   /* s */
THRONG_API uint64_t throng_world_seed(const throng_world *world);
THRONG_API int throng_world_threads(const throng_world *world);
/* The place as it is now; never NULL. After a step in which its version changed, ask again. */
THRONG_API const throng_place *throng_world_place(const throng_world *world);
/* Counts the changes of the place: 0 at first. */
THRONG_API uint64_t throng_world_place_version(const throng_world *world);
THRONG_API const char *throng_world_planner(const throng_world *world); /* "" before it is chosen */
THRONG_API throng_period throng_world_period(const throng_world *world);
THRONG_API bool throng_world_is_done(const throng_world *world); /* nobody is left, due or to come */

/* --- what happened in a step, for those who want to know */

typedef enum throng_happening_kind {
    THRONG_REACHED = 1, /* somebody has got to a goal of its journey, or is served there */
    THRONG_ENTERED = 2, /* has walked into a zone, a region with a polygon, or an area that is marked */
    THRONG_STRUCK = 4,  /* an impulse has hit it */
    THRONG_STUCK = 8    /* is on its way and has not got 0.3 m away from a place for 5 s; told once, until it does */
} throng_happening_kind;

typedef struct throng_happening {
    throng_happening_kind kind;
    throng_agent agent; /* may have left the world since */
    throng_point at;    /* m */
    throng_goal goal;   /* REACHED: which; of several goals the one it is at */
    bool last;          /* REACHED: its journey ends there */
    size_t mark;        /* ENTERED: which of throng_world_mark */
    double impulse;     /* STRUCK: N s */
} throng_happening;

/* Notes from now on what happens, of these kinds added up (0: nothing, which is the default). Changes nothing else. */
THRONG_API void throng_world_watch(throng_world *world, int kinds);
/* What happened in the last step, in order of agent and kind; valid until the next one. */
THRONG_API const throng_happening *throng_world_happenings(const throng_world *world, size_t *count);

typedef enum throng_agent_state {
    THRONG_WAITING, /* before its start_after */
    THRONG_WALKING,
    THRONG_ARRIVED, /* at its last goal, and staying */
    THRONG_PAUSING, /* at a goal with a wait, until that is over */
    THRONG_QUEUEING /* in the line before such a goal, or called up from it */
} throng_agent_state;

/* Everybody at a moment, as columns: item k of each is about the same person. The view of a world is in order of id. It
 * is valid until the next step, or until somebody is added, removed or sent elsewhere. */
typedef struct throng_view {
    size_t count;
    const throng_agent *id;
    const double *x, *y;                 /* m */
    const double *vx, *vy;               /* m/s, over the last step */
    const double *wish_x, *wish_y;       /* m/s, the velocity desired (at the last step) */
    const double *push_x, *push_y;       /* m/s^2, the outside force on it */
    const double *impulse_x, *impulse_y; /* N s, what hits it in the next step */
    const double *force;                 /* N, the sum of the sizes of contact forces on it over the last step */
    const double *force_x, *force_y;     /* N, the sum of these forces */
    const double *target_x, *target_y;   /* m, the agent's own point, where its goal is OWN or ROAM */
    const double *radius;                /* m */
    const double *desired_speed;         /* m/s */
    const double *max_speed;             /* m/s */
    const double *mass;                  /* kg */
    const throng_profile *profile;
    const throng_group *group;
    const throng_goal *goal; /* the goal now walked to */
    const uint8_t *state;    /* a throng_agent_state */
    const uint32_t *by_id;   /* rows in order of id; NULL where that is the order of rows anyhow */
    double time;             /* s */
    uint64_t step;           /* steps taken */
} throng_view;

/* In a world of many thousands this may copy all columns, once after each change: not from several threads at once. */
THRONG_API throng_view throng_world_view(const throng_world *world);
/* The columns as the world keeps them, which costs nothing, in any order: by_id leads through it. */
THRONG_API throng_view throng_world_raw_view(const throng_world *world);
/* The row of an agent in the view, or SIZE_MAX when it is not in the world. */
THRONG_API size_t throng_world_row(const throng_world *world, throng_agent agent);
/* A hash of the whole state: equal states, equal digests, in whatever order rows stand. */
THRONG_API uint64_t throng_world_digest(const throng_world *world);

/* --- how it went */

typedef enum throng_stage {
    THRONG_STAGE_ARRIVE,
    THRONG_STAGE_ROUTE,
    THRONG_STAGE_NEAR,
    THRONG_STAGE_WISH,
    THRONG_STAGE_MODELS,
    THRONG_STAGE_BODIES,
    THRONG_STAGE_MOVE,
    THRONG_STAGE_LEAVE,
    THRONG_STAGE_CHECK, /* measuring overlap: not part of step_ms */
    THRONG_STAGE_COUNT
} throng_stage;

THRONG_API const char *throng_stage_name(throng_stage stage);

/* Counts and measures since the world was made. */
typedef struct throng_stats {
    uint64_t initial, spawned;           /* people added before the first step, and later */
    uint64_t arrived, active;            /* people at their last goal or out of it, and on the way */
    uint64_t steps;                      /* taken */
    double step_ms;                      /* of the last step, without the check */
    double stage_ms[THRONG_STAGE_COUNT]; /* summed over all steps */
    uint64_t pairs_max;                  /* most pairs of discs overlapping at the end of a step */
    uint64_t pairs_over_5pct_max;        /* ... deeper than 5 % of the sum of radii */
    uint64_t swept_pairs_max;            /* most pairs overlapping at any moment within a step */
    double deepest_fraction;             /* deepest overlap at the end of a step over the sum of radii */
    double agent_wall_max_m;             /* deepest that a disc reached into a wall */
    double nearest_gap_m;                /* least surface distance on the way; infinite when there was no pair */
    uint64_t oddities;                   /* times a model gave somebody no finite position; it stayed where it was */
    double last_arrival_s;               /* of the last arrival; negative when nobody has arrived */
    uint64_t due;                        /* people of sources who wait outside for room */
    double swept_wall_max_m;             /* deepest that a disc reached into a standing wall within a step */
    uint64_t impulses_bounded;           /* times an impulse was cut to what somebody can take up */
    uint64_t objects_bounded;            /* times an object was kept from being faster than it may */
    uint64_t bonds_broken;               /* of walls of blocks */
    double engine_ms;                    /* of stage_ms[THRONG_STAGE_BODIES], in the engine of rigid bodies */
} throng_stats;

THRONG_API throng_stats throng_world_stats(const throng_world *world);

/* A pressure (N/m of a body's circumference) that above_s is counted for: a plain number to compare runs by, and no
 * medical threshold. */
#define THRONG_PRESSURE_MARK 1600.0

/* Contact forces on people since the world was made, as the models compute them; nothing is measured in a world
 * whose models know none and where nobody is hit. Percentiles are over people and steps, exact to 3 %. */
typedef struct throng_force_stats {
    bool measured;
    double force_max, force_p99;       /* N, on a person: the sum of the sizes of forces */
    double pressure_max, pressure_p99; /* N/m: that over the circumference of its body */
    double above_s;                    /* s, summed over people, with more than THRONG_PRESSURE_MARK */
    double wall_force_max;             /* N, on one wall, its segment of the place's outline */
} throng_force_stats;

THRONG_API throng_force_stats throng_world_force_stats(const throng_world *world);

/* A wall and how hard people pressed against it, in the mean of the last step (N). Walls are numbered anew when the
 * place changes. */
typedef struct throng_wall_load {
    throng_point from, to;
    double force;
} throng_wall_load;

THRONG_API size_t throng_world_wall_count(const throng_world *world);
THRONG_API throng_wall_load throng_world_wall_load(const throng_world *world, size_t wall);

/* What the world shows of everybody, then what its models show of their people, each name once. */
THRONG_API size_t throng_world_quantity_count(const throng_world *world);
THRONG_API throng_quantity throng_world_quantity(const throng_world *world, size_t index);
THRONG_API size_t throng_world_quantity_named(const throng_world *world, const char *name); /* SIZE_MAX: none */
/* Asks for a quantity, from the next step on: what a step brings about (a density, say) models work out only for those
 * who want it. throng_recorder_create does so for what is recorded. */
THRONG_API void throng_world_want_quantity(const throng_world *world, size_t index);
/* Component 0 or 1 of everybody in order of id, as throng_world_view has them, after the last step. NaN for people
 * whose model does not know it, or not yet, or was not asked for it. */
THRONG_API void throng_world_quantity_values(const throng_world *world, size_t index, int component, double *values);

/* What each model says of its own work ("iterations", 12): called once per figure. */
typedef void (*throng_figure_function)(void *context, const char *model, const char *name, double value);
THRONG_API void throng_world_model_figures(const throng_world *world, throng_figure_function figure, void *context);

#ifdef __cplusplus
}
#endif

#include <throng/ask.h>
#include <throng/measure.h>
#include <throng/objects.h>
#include <throng/recording.h>
#include <throng/scenarios.h>

#endif
