/* verbs.h: the verbs of the program, one per file. */

#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "options.h"

extern const cli_verb verb_run;
extern const cli_verb verb_view;
extern const cli_verb verb_check;
extern const cli_verb verb_models;
extern const cli_verb verb_scenarios;
extern const cli_verb verb_render;
extern const cli_verb verb_convert;
extern const cli_verb verb_measure;
extern const cli_verb verb_export;
extern const cli_verb verb_sweep;
extern const cli_verb verb_compare;
extern const cli_verb verb_bench;
extern const cli_verb verb_verify;
extern const cli_verb verb_validate;

#endif
