/* validate.c: `throng validate`: every model beside recordings of real people. What is run and asked is in
 * validate_cases.c; the rest is that of `throng verify`. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "messages.h"
#include "verbs.h"
#include "verify.h"

static const char published[] =
    "recordings of real people are not part of Throng: those of HERMES are published at ped.fz-juelich.de (doi "
    "10.34735/ped.2009.6 and its neighbours), those of the door of 0.5 m at doi 10.34735/ped.2018.1; "
    "docs/verification.md "
    "tells how the folder is laid out";

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int validate(const void *values, const text_list *operands) {
    (void)operands;
    verify_options options = *(const verify_options *)values;
    if (options.data && !is_folder(options.data)) {
        complain("validate --data: expected a folder; found '%s'", options.data);
        return STATUS_BAD_INPUT;
    }
    if (!options.data) options.data = getenv("THRONG_DATA");
    if (options.data && !is_folder(options.data)) options.data = NULL;
    if (!options.data && !options.quiet && !options.list) fprintf(stderr, "note: %s\n", published);
    return verify_do(verify_experiments(), &options);
}

/* clang-format off */
static const option_row rows[] = {
    {"data", 0, OPTION_TEXT, "DIR", "recordings of real people (default: THRONG_DATA): measured beside\nthe models, and where people stand at the start of some runs", offsetof(verify_options, data), 0, 0, false},
    {"set", 0, OPTION_LIST, "KEY=VALUE", "change a value of all scenarios by its path: model.params.pace=true\n(may be repeated)", offsetof(verify_options, set), 0, 0, false},
    {"seeds", 0, OPTION_WHOLE, "N", "run each case with so many seeds (default: 3)", offsetof(verify_options, seeds), 1, 100000, false},
    VERIFY_OPTION_ROWS,
};
/* clang-format on */

const cli_verb verb_validate = {
    .name = "validate",
    .operands = "[options]",
    .summary = "experiments with real people, beside every model",
    .description =
        "Runs experiments that were made with real people, in the same rooms, with every model, and compares flows,\n"
        "speeds at a density, distances, lanes, stop and go, and how people avoid each other with what was measured "
        "of\n"
        "the real ones. With --data the real recordings are measured by the same code and stand beside the models.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 0,
    .operand_max = 0,
    .values_size = sizeof(verify_options),
    .run = validate,
};
