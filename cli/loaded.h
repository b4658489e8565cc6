/* loaded.h: a scenario with its world, made from what the command line says; and the options that
 * every verb shares that runs a scenario. */

#ifndef CLI_LOADED_H
#define CLI_LOADED_H

#include <throng/throng.h>

#include "options.h"

typedef struct scenario_options {
    const char *model;
    text_list set;
    optional_whole seed, threads;
    optional_number dt, duration;
    int simd; /* a throng_simd */
} scenario_options;

/* Rows of the option table; `at` is the offset of the scenario_options in the verb's struct. */
/* clang-format off */
#define SCENARIO_OPTION_ROWS(at) \
    {"model", 0, OPTION_TEXT, "NAME", "use this model ('throng models' lists them)", (at) + offsetof(scenario_options, model), 0, 0, false}, \
    {"set", 0, OPTION_LIST, "KEY=VALUE", "change a value of the scenario, by its path:\n--set agents[0].count=50 (may be repeated)", (at) + offsetof(scenario_options, set), 0, 0, false}, \
    {"seed", 0, OPTION_WHOLE, "N", "draw other random numbers", (at) + offsetof(scenario_options, seed), 0, 0, false}, \
    {"dt", 0, OPTION_NUMBER, "S", "length of a step in seconds", (at) + offsetof(scenario_options, dt), 0, 0, true}, \
    {"duration", 0, OPTION_NUMBER, "S", "end after that much simulated time", (at) + offsetof(scenario_options, duration), 0, 1e9, false}, \
    {"threads", 0, OPTION_WHOLE, "N", "how many threads compute (default: one per core);\nchanges no result", (at) + offsetof(scenario_options, threads), 1, 1024, false}, \
    {"simd", 0, OPTION_CHOICE, "auto|plain", "plain: without wide instructions; changes no result", (at) + offsetof(scenario_options, simd), 0, 0, false}
/* clang-format on */

typedef struct loaded_scenario {
    throng_scenario *scenario;
    throng_world *world;
    const char *name; /* the built-in's name, or what the file calls itself */
    size_t told;      /* messages of the world already printed */
    bool resumed;     /* from a checkpoint */
    double begun_s;   /* s of the world's clock, where this run began */
} loaded_scenario;

/* Reads the scenario and puts everybody in place. Prints everything found; false: it was refused. */
bool loaded_create(loaded_scenario *out, const char *path, const scenario_options *options, bool check, bool notes);
/* The same from a checkpoint; `path` is the scenario's as a user gave it again, or NULL. Of the options only the
 * duration, threads and simd count; others are complained about. */
bool loaded_resume(loaded_scenario *out, const char *checkpoint_path, const char *path, const scenario_options *options,
                   bool check, bool notes);
/* The same; all that was found stays in the report. */
bool loaded_create_reporting(loaded_scenario *out, const char *path, const scenario_options *options, bool check,
                             bool notes, throng_report *report);
/* Whether a path is a file or the name of a built-in scenario; complains when not. */
bool loaded_is_there(const char *path);
/* The options as overrides of the file; those with a name of their own win over --set. False after a complaint. */
bool loaded_overrides(const scenario_options *options, text_list *overrides);
/* The shapes of a scenario as they were given, whether or not it was refused. */
throng_sketch *loaded_sketch(const char *path, const scenario_options *options);
/* Whether the scenario was read from this file, too; complains that it cannot be written then. */
bool loaded_reads(const loaded_scenario *loaded, const char *path);
void loaded_free(loaded_scenario *loaded);
/* Prints what the world has noticed since this was last called. */
void loaded_tell(loaded_scenario *loaded, bool notes);

/* Steps until the scenario's duration is over. */
uint64_t loaded_steps(const loaded_scenario *loaded);

#endif
