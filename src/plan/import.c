/* import.c: a file of another tool as a scenario of ours: finds out what it is, has it read, and writes it down. */

#include <stdio.h>
#include <string.h>

#include "plan/draft.h"
#include "text/file.h"

struct throng_import {
    char *scenario, *wkt, *geojson;
};

throng_import_def throng_default_import_def(void) { return (throng_import_def){.threshold = 0.5}; }

static bool has_key(throng_json *json, const char *key) {
    return throng_foreign_value(&(throng_foreign){.json = json}, 0, key) != THRONG_NO_NODE;
}

static bool read_plan(throng_draft *draft, const throng_import_def *def, const char *bytes, size_t length,
                      throng_report *report) {
    throng_floor_options options = throng_floor_default_options();
    options.metres_per_pixel = def->metres_per_pixel;
    options.threshold = def->threshold;
    const throng_floor_format *format = throng_floor_format_of(def->path);
    return format->read(&draft->plan, bytes, length, &options, report);
}

/* A .json or .scenario file is told by what is in it. */
static bool read_json(throng_draft *draft, const throng_import_def *def, const char *bytes, size_t length,
                      const char *wkt, throng_report *report) {
    size_t errors = throng_report_error_count(report);
    throng_json *json = throng_json_create(bytes, length, report);
    if (!json) return false;
    bool good = throng_report_error_count(report) == errors;
    if (good && has_key(json, "throng")) {
        good = throng_report_refuse(report, "this is a scenario of Throng already");
    } else if (good && !wkt && !has_key(json, "walkable_area_wkt") && has_key(json, "distributions")) {
        throng_bundle beside;
        good = throng_bundle_find_wkt(&beside, def->path, report) &&
               throng_draft_read_jupedsim(draft, json, beside.wkt, report);
        throng_bundle_clear(&beside);
    } else if (good && (wkt || has_key(json, "walkable_area_wkt"))) {
        good = throng_draft_read_jupedsim(draft, json, wkt, report);
    } else if (good && (has_key(json, "scenario") || has_key(json, "vadere"))) {
        good = throng_draft_read_vadere(draft, json, report);
    } else if (good && has_key(json, "type") && throng_floor_format_of(def->path)) {
        good = read_plan(draft, def, bytes, length, report);
    } else if (good) {
        good = throng_report_refuse(report,
                                    "expected a Vadere or JuPedSim scenario, or GeoJSON: none of \"scenario\", "
                                    "\"walkable_area_wkt\" and \"type\" is there");
    }
    throng_json_destroy(json);
    return good;
}

static bool read_bundle(throng_draft *draft, const throng_import_def *def, throng_bundle *bundle, bool taken,
                        throng_report *report) {
    bool good = taken && read_json(draft, def, bundle->json, bundle->json_length, bundle->wkt, report);
    throng_bundle_clear(bundle);
    return good;
}

static bool read_bytes(throng_draft *draft, const throng_import_def *def, const char *bytes, size_t length,
                       throng_report *report) {
    const char *path = def->path;
    if (throng_path_ends_with(path, ".zip")) {
        throng_bundle bundle;
        bool taken = throng_bundle_unzip(&bundle, bytes, length, report);
        return read_bundle(draft, def, &bundle, taken, report);
    }
    if (throng_path_ends_with(path, ".floor") || throng_path_ends_with(path, ".xml"))
        return throng_draft_read_crowdit(draft, bytes, length, report);
    if (throng_path_ends_with(path, ".scenario") || throng_path_ends_with(path, ".json"))
        return read_json(draft, def, bytes, length, NULL, report);
    if (throng_floor_format_of(path)) return read_plan(draft, def, bytes, length, report);
    char endings[100];
    return throng_report_add(
        report, THRONG_ERROR, 0, 0, "",
        "expected a .scenario (Vadere), a JuPedSim scenario (.json, .zip or a directory), a .floor (crowd:it) or a "
        "plan in a %s file",
        throng_floor_endings(endings, sizeof endings));
}

static bool read_path(throng_draft *draft, const throng_import_def *def, throng_report *report) {
    if (throng_is_directory(def->path)) {
        throng_bundle bundle;
        bool taken = throng_bundle_of_directory(&bundle, def->path, report);
        return read_bundle(draft, def, &bundle, taken, report);
    }
    size_t length;
    throng_error error = {0};
    char *bytes = throng_read_file(def->path, &length, &error);
    if (!bytes) return throng_report_refuse(report, error.text);
    bool good = read_bytes(draft, def, bytes, length, report);
    throng_release(bytes);
    return good;
}

/* "hall" for "plans/hall.dxf", where the file has no name of its own. */
static void name_draft(throng_draft *draft, const char *path) {
    char name[200], description[300];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    snprintf(description, sizeof description, "converted from %.*s", (int)(length - begin < 200 ? length - begin : 200),
             path + begin);
    for (size_t i = length; i > begin + 1; i--) {
        if (path[i - 1] != '.') continue;
        length = i - 1;
        break;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length - begin < 150 ? length - begin : 150), path + begin);
    if (!draft->name || !*draft->name) {
        throng_release(draft->name);
        draft->name = throng_copy_text(name);
    }
    draft->description = throng_copy_text(description);
}

throng_import *throng_import_create(const throng_import_def *def, throng_report *report) {
    throng_draft draft = {0};
    bool good = read_path(&draft, def, report) && throng_floor_finish(&draft.plan, report);
    throng_import *import = NULL;
    if (good) {
        name_draft(&draft, def->path);
        import = throng_allocate(sizeof *import);
        import->scenario = throng_draft_scenario(&draft, report);
        import->geojson = throng_draft_geojson(&draft);
        import->wkt = throng_floor_wkt(&draft.plan);
        if (!import->wkt) import->wkt = throng_copy_text("");
    }
    throng_draft_clear(&draft);
    return import;
}

void throng_import_destroy(throng_import *import) {
    if (!import) return;
    THRONG_RELEASE(import->scenario, import->wkt, import->geojson, import);
}

const char *throng_import_scenario(const throng_import *import) { return import->scenario; }
const char *throng_import_wkt(const throng_import *import) { return import->wkt; }
const char *throng_import_geojson(const throng_import *import) { return import->geojson; }
