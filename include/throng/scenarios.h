/* scenarios.h: read scenario files and make worlds of them, keep a run and go on with it, and take over the plans and
 * scenarios of other tools. A part of throng.h, which includes it. */

#ifndef THRONG_SCENARIOS_H
#define THRONG_SCENARIOS_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ scenarios */

typedef struct throng_scenario throng_scenario;

typedef struct throng_scenario_def {
    const char *path;             /* a file, or the name of a built-in scenario */
    const char *text;             /* used instead of reading `path`, when not NULL; ended by a 0 */
    const char *const *overrides; /* "KEY=VALUE", as `--set` takes them */
    size_t override_count;
} throng_scenario_def;

THRONG_API throng_scenario_def throng_default_scenario_def(void);
/* NULL when an error was added to the report, which must be one. Warnings and notes are added to it
 * either way. */
THRONG_API throng_scenario *throng_scenario_create(const throng_scenario_def *def, throng_report *report);
THRONG_API void throng_scenario_destroy(throng_scenario *scenario);
THRONG_API const char *throng_scenario_name(const throng_scenario *scenario);
THRONG_API const char *throng_scenario_description(const throng_scenario *scenario);
THRONG_API const char *throng_scenario_model(const throng_scenario *scenario);
THRONG_API double throng_scenario_duration(const throng_scenario *scenario); /* s */
THRONG_API bool throng_scenario_runs_full(const throng_scenario *scenario);
THRONG_API const throng_place *throng_scenario_place(const throng_scenario *scenario);
/* The other files it was read from: plans, maps. */
THRONG_API size_t throng_scenario_file_count(const throng_scenario *scenario);
THRONG_API const char *throng_scenario_file(const throng_scenario *scenario, size_t index);

/* Who everybody is where a scenario says nothing else ("people"): traits and parameters of habits. */
typedef struct throng_people_trait {
    const char *name, *unit;
    double value, spread; /* the mean, and the standard deviation of what is drawn for each person */
    const char *source;
} throng_people_trait;

typedef struct throng_people {
    const char *name, *title;
    const throng_people_trait *traits;
    size_t trait_count;
} throng_people;

THRONG_API size_t throng_people_count(void);
THRONG_API const throng_people *throng_people_at(size_t index); /* 0: the default */

/* What could be read of a scenario's shapes, right or wrong: for a picture of what was refused. */
typedef struct throng_sketch throng_sketch;

typedef enum throng_sketch_kind {
    THRONG_SKETCH_WALKABLE, /* borders of the walkable area, as given */
    THRONG_SKETCH_HOLE,
    THRONG_SKETCH_OBSTACLE,
    THRONG_SKETCH_LINE, /* a thin wall */
    THRONG_SKETCH_GOAL,
    THRONG_SKETCH_START, /* a polygon people start in */
    THRONG_SKETCH_PERSON
} throng_sketch_kind;

typedef struct throng_sketch_shape {
    throng_sketch_kind kind;
    throng_ring ring; /* one point with a radius is a disc */
    double radius;    /* m */
} throng_sketch_shape;

/* Reads a scenario as throng_scenario_create does and adds the same messages. Never NULL. */
THRONG_API throng_sketch *throng_sketch_create(const throng_scenario_def *def, throng_report *report);
THRONG_API void throng_sketch_destroy(throng_sketch *sketch);
THRONG_API size_t throng_sketch_count(const throng_sketch *sketch);
THRONG_API throng_sketch_shape throng_sketch_shape_at(const throng_sketch *sketch, size_t index);

/* What a scenario does not say; as in throng_world_def. */
typedef struct throng_run_def {
    int threads;
    throng_simd simd;
    bool check;
} throng_run_def;

THRONG_API throng_run_def throng_default_run_def(void);
/* A prepared world with everybody in place; it does not need the scenario any more. NULL when an
 * error was added to the report. */
THRONG_API throng_world *throng_scenario_create_world(const throng_scenario *scenario, const throng_run_def *def,
                                                      throng_report *report);

/* The scenarios that are part of the library, in order of name. */
THRONG_API size_t throng_builtin_count(void);
THRONG_API const char *throng_builtin_name(size_t index); /* "demo/bottleneck" */
THRONG_API const char *throng_builtin_text(size_t index);
THRONG_API const char *throng_schema_text(void); /* JSON Schema of the scenario file */

/* ------------------------------------------------------------------ checkpoints */

/* Everything that decides how a run goes on, at one moment. A world brought back from it goes on as the one
 * that was saved, to the last bit, whatever the number of threads. */
typedef struct throng_checkpoint throng_checkpoint;

typedef struct throng_checkpoint_info {
    double time; /* s */
    uint64_t step;
    uint64_t digest;           /* throng_world_digest of the world saved */
    const char *scenario_path; /* a file or the name of a built-in scenario; "" when none was given */
    const char *scenario_text; /* before overrides; "" when none was given */
} throng_checkpoint_info;

/* Saves a world, which goes on as if nothing had been. With the scenario it was made from (may be NULL) the
 * checkpoint is all that is needed to go on. */
THRONG_API throng_checkpoint *throng_world_save(throng_world *world, const throng_scenario *scenario);
/* Brings a world to where the checkpoint was saved. The world must be made from the same things: dt, seed,
 * place, planner, profiles, groups, goals and sources, added in the same order; who was added and what has happened to
 * it does not matter. Times in throng_stats start from 0. False, and the world is as it was, when something differs,
 * which the error names. */
THRONG_API bool throng_world_load(throng_world *world, const throng_checkpoint *checkpoint, throng_error *error);
THRONG_API void throng_checkpoint_destroy(throng_checkpoint *checkpoint);
THRONG_API throng_checkpoint_info throng_checkpoint_info_of(const throng_checkpoint *checkpoint);
/* The scenario of a checkpoint, with the overrides it had and then these. NULL when an error was added to the
 * report: there is none, or a file it refers to is not what it was. */
THRONG_API throng_scenario *throng_checkpoint_scenario(const throng_checkpoint *checkpoint,
                                                       const char *const *overrides, size_t override_count,
                                                       throng_report *report);

/* Replaces the file at the path in one go: the old one stays good until the new one is on the disk. */
THRONG_API bool throng_checkpoint_write(const throng_checkpoint *checkpoint, const char *path, throng_error *error);
/* NULL when the file cannot be read, is damaged or cut short, or was made by a library that goes on
 * otherwise than this one: another version, or a build with other models. */
THRONG_API throng_checkpoint *throng_checkpoint_read(const char *path, throng_error *error);

/* ------------------------------------------------------------------ files of other tools */

/* A plan or scenario of another tool, made into one of ours: Vadere's .scenario, JuPedSim's scenarios (a .json, a
 * .zip or a directory), crowd:it's .floor, and plans (.wkt, .geojson, .dxf, .png). */
typedef struct throng_import throng_import;

typedef struct throng_import_def {
    const char *path;
    double metres_per_pixel; /* of a picture, which needs it; default 0 */
    double threshold;        /* of a picture: brightness from 0 to 1 below which a pixel is wall; default 0.5 */
} throng_import_def;

THRONG_API throng_import_def throng_default_import_def(void);
/* NULL when an error was added to the report, which must be one. What cannot be said in a scenario is a
 * warning with its place. */
THRONG_API throng_import *throng_import_create(const throng_import_def *def, throng_report *report);
THRONG_API void throng_import_destroy(throng_import *import);
THRONG_API const char *throng_import_scenario(const throng_import *import); /* a scenario file */
THRONG_API const char *throng_import_wkt(const throng_import *import);      /* its walkable area; "" when open */
THRONG_API const char *throng_import_geojson(const throng_import *import);  /* its plan, with kinds and names */

#ifdef __cplusplus
}
#endif

#endif
