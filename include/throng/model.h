/* model.h: write a model.
 *
 * A model decides how its agents move during one step. It reads the frozen state *now* and writes
 * positions and velocities of its own agents into *next*; nobody else sees them until all have
 * decided. It is one `const struct throng_model`, listed in src/models/list.c, or made known by a program of yours
 * (throng_register_model) or by a plug-in (THRONG_PLUGIN); examples/04_model.c is both:
 *
 *     static void step(void *state, const throng_step *step) {
 *         for (size_t k = 0; k < step->mine_count; k++) {
 *             uint32_t row = step->near->row[step->mine[k]];
 *             step->next_vx[row] = ...
 *             step->next_x[row] = step->people.x[row] + step->next_vx[row] * step->dt;
 *
 * A step never prints or fails, and computes each agent's result from the frozen state alone, so that
 * the number of threads changes no bit. It allocates nothing, unless the crowd asks for more room
 * than ever before (longer lists of neighbours, say). */

#ifndef THRONG_MODEL_H
#define THRONG_MODEL_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ threads */

typedef struct throng_crew throng_crew; /* the worker threads of a world */

/* Does the items begin..end-1. `worker` numbers the thread, from 0, for scratch memory only. */
typedef void (*throng_work)(void *context, size_t begin, size_t end, int worker);

/* Does items 0..count-1 in pieces of `grain` on all workers, and returns when all are done. */
THRONG_API void throng_parallel_for(throng_crew *crew, size_t count, size_t grain, throng_work work, void *context);
THRONG_API int throng_crew_size(const throng_crew *crew);

/* ------------------------------------------------------------------ random numbers */

/* 64 well-mixed bits (the finaliser of splitmix64, Steele et al. 2014). */
static inline uint64_t throng_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A number drawn for a purpose is a hash of who, when and what for; there is no stream to keep. */
static inline uint64_t throng_random_bits(uint64_t seed, uint64_t agent, uint64_t step, uint64_t purpose) {
    uint64_t h = throng_mix(seed + 0x9E3779B97F4A7C15u);
    h = throng_mix(h ^ (agent + 0x9E3779B97F4A7C15u));
    h = throng_mix(h ^ (step + 0x9E3779B97F4A7C15u));
    return throng_mix(h ^ (purpose + 0x9E3779B97F4A7C15u));
}

/* Uniform in [0, 1). */
static inline double throng_random(uint64_t seed, uint64_t agent, uint64_t step, uint64_t purpose) {
    return (double)(throng_random_bits(seed, agent, step, purpose) >> 11) * (1.0 / 9007199254740992.0);
}

/* Purposes, one per use, so that no two uses share a number. Models add theirs from 1000 upwards. */
enum {
    THRONG_RANDOM_PLACE = 1, /* placement in a scenario */
    THRONG_RANDOM_PROFILE,   /* distributions of a scenario */
    THRONG_RANDOM_GOAL,      /* a goal's random point, choice or permutation */
    THRONG_RANDOM_SOURCE,    /* when and where somebody appears */
    THRONG_RANDOM_WAIT,      /* how long somebody waits at a goal */
    THRONG_RANDOM_ORCA = 1000,
    THRONG_RANDOM_IMPLICIT,
    THRONG_RANDOM_HABIT,
    THRONG_RANDOM_FORCES = 1004,
    THRONG_RANDOM_CPD = 1100 /* and the two after it */
};

/* ------------------------------------------------------------------ who is near */

/* Everybody, and their images across seams, sorted into cells: the slots of a cell are start[c] .. start[c + 1] - 1,
 * with c = cell_row * columns + cell_column, so the cells from one column to another in a row are one run of slots.
 * Slots are in order of squares of `cell` along whole multiples of it, row by row, and of id within a square: who comes
 * before whom does not depend on who else is there. Built once per step and shared by all models. vx and vy are what
 * is known of a person's motion: the velocity now, or, once its model has decided (`moved`), its way in this very step
 * over dt, from which it will not yield. */
typedef struct throng_near {
    size_t count;
    double cell;         /* m, height of a row of cells */
    double inverse_cell; /* 1/m */
    double first_column,
        first_row;             /* squares of `cell` up to the low corner of cell 0, from THRONG_NEAR_FAR below 0 on */
    double columns_per_square; /* 1, or 1/2, 1/4 ... where people are scattered so far that cells must be wide */
    int32_t columns, rows;
    const uint32_t *start; /* [columns * rows + 1] */
    const uint32_t *row;   /* [slot] row in the world's columns */
    const uint32_t *slot;  /* [row] the other way round */
    const double *x, *y;   /* [slot] m */
    const double *vx, *vy; /* [slot] m/s */
    const double *radius;  /* [slot] m */
    const uint8_t *moved;  /* [slot] */
    double radius_max;     /* m */
    size_t image_count;    /* slots of people seen across the seam of an axis that wraps */
    double image_margin;   /* m beyond a seam that people are seen as images; 0: nothing wraps */
    double drift;          /* m that somebody may be from its cell: 0, but for models that go on from it in sub-steps */
} throng_near;

/* Whether a slot is an image: the position of somebody moved by a period. `row` is that person's, and
 * slot[row] is where it really is. Images are no model's own. */
static inline bool throng_near_is_image(const throng_near *near, uint32_t slot) {
    return near->slot[near->row[slot]] != slot;
}

/* Squares are counted from so many below 0, so that a coordinate is rounded alike wherever the grid begins. */
#define THRONG_NEAR_FAR 0x1p31

/* The cell column (row) of a coordinate, clamped to the grid. */
static inline int32_t throng_near_column(const throng_near *near, double x) {
    double c = ((x * near->inverse_cell + THRONG_NEAR_FAR) - near->first_column) * near->columns_per_square;
    return c < 0 ? 0 : c >= near->columns ? near->columns - 1 : (int32_t)c;
}

static inline int32_t throng_near_row(const throng_near *near, double y) {
    double c = (y * near->inverse_cell + THRONG_NEAR_FAR) - near->first_row;
    return c < 0 ? 0 : c >= near->rows ? near->rows - 1 : (int32_t)c;
}

/* ------------------------------------------------------------------ walls */

/* The ends of a wall. */
typedef struct throng_wall_ends {
    throng_point from, to;
} throng_wall_ends;

/* Wall k runs from corner k to corner next[k], with the walkable side on its left. A thin wall is a
 * ring of its two sides. `clear` is a lower bound on the distance from anywhere in a cell to any
 * wall, so that most people skip the walls at the cost of one look. */
typedef struct throng_walls {
    size_t count;
    const double *x, *y;             /* [corner] m */
    const double *along_x, *along_y; /* [wall] unit direction */
    const double *length;            /* [wall] m */
    const uint32_t *next, *previous; /* [corner] along its ring */
    const uint8_t *convex;           /* [corner] sticks out into the walkable side, or lies straight */
    double origin_x, origin_y, cell, inverse_cell;
    int32_t columns, rows;
    const uint32_t *start;        /* [columns * rows + 1] into `wall` */
    const uint32_t *wall;         /* the walls that touch each cell, in ascending order */
    const float *clear;           /* [cell] m; infinite when there are no walls */
    const int8_t *side;           /* [cell] 1: walkable, -1: not, 0: a wall that is not thin passes through */
    const uint8_t *thin;          /* [wall] one side of a thin wall: nobody is on the wrong side of it */
    bool open;                    /* beyond the cells people can walk */
    const throng_wall_ends *ends; /* of each entry of `wall`: close together, as looking along ways asks for them */
} throng_walls;

/* The cell of a point, or the cell nearest to it beyond the cells: the bound `clear` holds there too. */
static inline size_t throng_walls_cell(const throng_walls *walls, double x, double y) {
    double c = (x - walls->origin_x) * walls->inverse_cell, r = (y - walls->origin_y) * walls->inverse_cell;
    int32_t column = c >= 0 ? c < walls->columns ? (int32_t)c : walls->columns - 1 : 0;
    int32_t row = r >= 0 ? r < walls->rows ? (int32_t)r : walls->rows - 1 : 0;
    return (size_t)row * (size_t)walls->columns + (size_t)column;
}

/* A wall and the square of its distance from where one asked. */
typedef struct throng_wall_near {
    double distance2; /* m^2 */
    uint32_t wall;
} throng_wall_near;

/* The walls within reach of a point, nearest first (equally near: lower number first). Returns how
 * many were stored: the nearest `capacity` of them. */
THRONG_API size_t throng_walls_within(const throng_walls *walls, double x, double y, double reach,
                                      throng_wall_near *out, size_t capacity);
/* The nearest point of a wall. */
THRONG_API throng_point throng_wall_nearest_point(const throng_walls *walls, uint32_t wall, double x, double y);
/* Whether the straight way between two points crosses a wall or comes closer to one than `margin`. */
THRONG_API bool throng_walls_block(const throng_walls *walls, throng_point from, throng_point to, double margin);

/* ------------------------------------------------------------------ the interface */

/* A column of private state, one item per agent: zero for a new agent, kept with it when rows move. */
typedef struct throng_column {
    const char *name;
    size_t item_size;
    bool numbers; /* items are doubles, or whole numbers of that size: a checkpoint with others is refused */
} throng_column;

/* A quantity that a model shows of its people, and where it stands in a column of its own: a line of a table. */
typedef struct throng_shown {
    throng_quantity about;
    size_t column, offset; /* which column, and where in an item; components one behind the other */
    size_t size;           /* sizeof(float) or sizeof(double) */
    bool result; /* of the step, which decides nothing: written where `wanted` says so; its column is no part of the
                    digest, and 0 is not known yet */
} throng_shown;

/* What a parameter of a habit is for people of a model that nobody has told otherwise, and why. */
typedef struct throng_habit_default {
    const char *name;
    double number;
    const char *source;
} throng_habit_default;

/* A table of weights: throng_world_add_weight_map. */
typedef struct throng_weight_map {
    size_t rows, columns;
    const double *weights; /* [row * columns + column] 0 or more; not all 0 */
} throng_weight_map;

/* Keeps state and brings it back: the same calls serve both ways. What is read may be anybody's bytes, so a number that
 * leads somewhere is looked at. */
typedef struct throng_archive throng_archive;

THRONG_API bool throng_archive_is_read(const throng_archive *archive); /* it is brought back, not kept */
/* Stores `size` bytes, or brings them back; zeros when there are none. */
THRONG_API void throng_archive_bytes(throng_archive *archive, void *bytes, size_t size);
/* A word that says what follows, so that a reader who has lost its place notices. */
THRONG_API void throng_archive_mark(throng_archive *archive, const char *mark);
/* Turns an archive that is read bad; the first reason stays. Does nothing to one that is written. */
THRONG_API void throng_archive_spoil(throng_archive *archive, const char *reason);

/* Adds a message to a report, which may be NULL. */
THRONG_API void throng_report_tell(throng_report *report, throng_severity severity, const char *text);

/* What a model may rely on until the next prepare. */
typedef struct throng_model_setup {
    double dt;             /* s */
    size_t agent_capacity; /* rows there can be */
    int workers;
    const throng_walls *walls;
    const throng_place *place;
    bool simd;                 /* the wide path may be used */
    const void *const *params; /* [profile] the model's parameter struct; NULL for other models' profiles */
    size_t profile_count;
    throng_report *report; /* takes warnings (throng_report_tell); prepare runs often, so tell once */
    const throng_weight_map
        *maps; /* map k of a THRONG_PARAM_MAP is maps[k - 1]; they stay as they are, and more come */
    size_t map_count;
    const void *common; /* as of a step */
} throng_model_setup;

/* One step as a model sees it. Columns are by row; only rows of `mine` are written. */
typedef struct throng_step {
    throng_view people; /* now; as zones change them: max_speed, profile */
    double dt;          /* s */
    uint64_t seed;
    double *next_x, *next_y, *next_vx, *next_vy;
    const uint32_t *mine; /* slots of the model's own agents, ascending */
    size_t mine_count;
    const throng_near *near; /* NULL for a model that needs no grid, see there */
    const throng_walls *walls;
    const void *const *params; /* [profile] the model's parameter struct; NULL for other models' profiles */
    void *const *columns;      /* [column declared] one item per row */
    throng_crew *crew;
    bool simd;
    double *force, *force_x, *force_y; /* N over the step, as throng_view shows them; they hold those of impulses */
    size_t guest_count;                /* objects: rows count .. count + guest_count - 1, nobody's `mine` */
    double *shove_x, *shove_y;         /* N over the step, [guest]: what people give to objects; NULL without any */
    double *wall_force;                /* N over the step, [wall]: to be added to; NULL when no model knows forces */
    const void *common;     /* parameters of the model's first profile: what concerns all of its people alike */
    double ordinary_radius; /* m, of the first person there was: the scale of what does */
    const double *give; /* [row] how readily it makes room, times others of its mass; 0: as they. NULL: all as they */
    const void *const *pace; /* [profile] NULL: the habit `pace` does not slow its people down; NULL: it does nobody */
    const bool *wanted;      /* [line of `shown`] whether anybody wants this result; NULL: nobody any */
    void *context;           /* of the model */
    /* Where the world is one part of several (<throng/halo.h>), else NULL: to be called by all parts alike with `halo`
     * and some columns by row, between sub-steps. Rows of other parts' people, who are nobody's `mine`, then hold what
     * was written there. */
    void (*follow)(void *halo, double *const *columns, size_t count);
    void *halo;
} throng_step;

/* This struct only grows at the end; what a model leaves out is NULL. */
struct throng_model {
    const char *name; /* as users write it */
    const char *title;
    const char *citation;
    double default_dt; /* s */
    const throng_param *params;
    size_t param_count;
    size_t params_size; /* of the struct that params[].offset points into; all its fields are double */
    void (*step)(void *state, const throng_step *step);

    /* Optional: state of its own. create allocates the state; prepare runs before the next step
     * whenever people, profiles or walls changed, and makes room. It returns false with an error when
     * the model cannot work like this (a place it cannot grid, a dt beyond what it promises); the user
     * is told before the first step, and a step taken all the same must still not fail. */
    void *(*create)(void);
    void (*destroy)(void *state);
    bool (*prepare)(void *state, const throng_model_setup *setup, throng_error *error);

    /* Optional: what must survive a restart, per agent as columns, and as a whole. archive stores the
     * state or brings it back, as the archive says; it runs after prepare. */
    const throng_column *columns;
    size_t column_count;
    void (*archive)(void *state, throng_archive *archive);

    /* Optional: figures about its own work, for --stats. */
    void (*figures)(const void *state, throng_figure_function figure, void *context);

    /* How far an agent with these parameters looks for others, m. NULL: it sees nobody. */
    double (*reach)(const void *params);

    /* Its people never touch each other, a wall, or anybody whose way is known: the world moves nothing
     * into them and after they have decided only holds them back from other models' people. */
    bool keeps_apart;

    /* It makes of impulse_x, impulse_y what it likes. For all other models the world adds J / m to the velocity of who
     * was hit before they decide. */
    bool takes_impulses;

    /* It finds by itself who is near whom. Where nobody else needs them, `mine` and `near` of its steps are NULL: when
     * all are its own (mine_count tells how many), there are no objects, and nothing wraps. */
    bool needs_no_grid;

    /* Optional: defaults of habits (src/wish) that are its own. */
    const throng_habit_default *habits;
    size_t habit_count;

    /* Optional: what it shows of its people. */
    const throng_shown *shown;
    size_t shown_count;
    const char *const *common; /* names of parameters that concern all of its people alike, ended by NULL */
    bool sees_nobody;          /* nor do its people keep a pace behind others */

    /* A world of its people can be one part of several (<throng/halo.h>): they decide from those within `reach`, its
     * sub-steps `follow`, and its state is counts alone. Of such a world it steps, too, where none is its own. */
    bool divides;

    void *context; /* whatever it likes to find in its steps; all worlds have the same */

    bool own_headway; /* its people keep a pace behind others by themselves: the habit `pace` is nothing for them */

    /* Optional: the part of the sum of radii that its people's centres keep from each other (`own`) and from others, 1:
     * nobody overlaps them. Where there are other models' people the world holds people back for it. */
    double (*solid)(const void *params, bool own);
};

/* ------------------------------------------------------------------ models from outside */

/* Makes a model known by its name, as if it were one of ours; it steps after those, in the order of registering. What
 * it points to stays for the rest of the program. Call it while no world is being made or stepped. False when its name
 * is taken or a line of its tables makes no sense; there are 64 such models at most. */
THRONG_API bool throng_register_model(const throng_model *model, throng_error *error);

/* What a plug-in, a shared library for `throng VERB --plugin FILE.so`, exports as `throng_plugin`. */
typedef struct throng_plugin_def {
    uint32_t interface, sizes[5];      /* of the headers it was compiled with */
    const throng_model *const *models; /* ended by NULL */
} throng_plugin_def;

/* Raised when a struct that models see changes its meaning. */
#define THRONG_INTERFACE 1
#define THRONG_INTERFACE_SIZES \
    { sizeof(throng_model), sizeof(throng_step), sizeof(throng_near), sizeof(throng_walls), sizeof(throng_param) }

/* THRONG_PLUGIN(&my_model, &another); stands once in a plug-in, which is compiled with these headers and linked with
 * nothing of ours: the program that loads it has the functions. (In C++ fill a throng_plugin_def by hand.) */
#define THRONG_PLUGIN(...)                                                                        \
    THRONG_API const throng_plugin_def throng_plugin = {THRONG_INTERFACE, THRONG_INTERFACE_SIZES, \
                                                        (const throng_model *const[]){__VA_ARGS__, NULL}}

/* Registers the models of a plug-in: false and an error when it was compiled with other headers, or one is refused. */
THRONG_API bool throng_register_plugin(const throng_plugin_def *plugin, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
