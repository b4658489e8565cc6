/* convert_plan.c: `throng convert plan`: a plan or scenario of another tool as a scenario of ours, or as a plan. */

#include "convert_plan.h"

#include <stdio.h>
#include <string.h>

#include "messages.h"
#include "newfile.h"
#include "text.h"

/* The text to write, by the ending of the file; NULL: none of ours. */
static const char *text_for(const throng_import *import, const char *path) {
    if (text_ends_with(path, ".geojson")) return throng_import_geojson(import);
    if (text_ends_with(path, ".wkt")) return throng_import_wkt(import);
    return text_ends_with(path, ".json") || !strcmp(path, "-") ? throng_import_scenario(import) : NULL;
}

static bool write_text(const char *path, const char *text) {
    newfile file;
    if (!newfile_open(&file, path)) return false;
    fputs(text, file.file);
    return newfile_finish(&file);
}

/* What was written must be a scenario; what is wrong with it is told. */
static bool look_again(const char *path, const char *text, bool quiet) {
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.text = text;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    print_report(path, report, 0, false);
    if (!scenario) warn("%s needs a hand: see above", path);
    if (scenario && !quiet) fprintf(stderr, "wrote %s: 'throng run %s' runs it\n", path, path);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return scenario != NULL;
}

int convert_plan(const plan_options *options, const char *from, const char *to, bool quiet) {
    throng_import_def def = throng_default_import_def();
    def.path = from;
    if (options->metres_per_pixel.given) def.metres_per_pixel = options->metres_per_pixel.value;
    if (options->threshold.given) def.threshold = options->threshold.value;
    throng_report *report = throng_report_create();
    throng_import *import = throng_import_create(&def, report);
    print_report(from, report, 0, !quiet);
    throng_report_destroy(report);
    if (!import) return STATUS_BAD_INPUT;

    const char *text = text_for(import, to);
    int status = STATUS_BAD_INPUT;
    if (!text) {
        complain("convert plan: expected a .json (a scenario), .geojson or .wkt file to write, found '%s'", to);
    } else if (!*text) {
        complain("convert plan: %s has no walkable area to write", from);
    } else if (write_text(to, text)) {
        status = STATUS_DONE;
        if (text == throng_import_scenario(import))
            status = look_again(to, text, quiet || !strcmp(to, "-")) ? STATUS_DONE : STATUS_RUN_FAILED;
        else if (!quiet)
            fprintf(stderr, "wrote %s\n", to);
    }
    throng_import_destroy(import);
    return status;
}
