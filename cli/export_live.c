/* export_live.c: `throng export --live`: one HTML file that simulates a scenario by itself: the page of `throng view`
 * with the library as a WebAssembly module inside (`make web`), the scenario, and the files that it reads. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "enclosure.h"
#include "messages.h"
#include "newfile.h"
#include "paths.h"

enum { MODULE_MOST = 64 << 20, FILE_MOST = 64 << 20 /* bytes */ };

/* ------------------------------------------------------------------ the module */

/* Beside the program as `make web` leaves it, and as `make install` does. */
static const char *const places[] = {"web/site/throng.wasm.gz", "../share/throng/throng.wasm.gz"};
enum { PLACES = sizeof places / sizeof *places };

/* Of the program, with a slash at its end; to be freed. */
static char *own_directory(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    while (length > 0 && path[length - 1] != '/') length--;
    return text_format("%.*s", length > 0 ? (int)length : 0, path);
}

/* To be freed; NULL after a complaint. */
static char *read_module(size_t *length) {
    char *directory = own_directory(), *bytes = NULL, *looked[PLACES];
    for (size_t i = 0; i < PLACES; i++) {
        looked[i] = text_format("%s%s", directory, places[i]);
        if (!bytes) bytes = file_bytes(looked[i], MODULE_MOST, length);
    }
    if (!bytes)
        complain(
            "export --live needs the library as a WebAssembly module, which is neither %s nor %s: run `make web` "
            "where Throng was built, then, if it is installed, `make install` again",
            looked[0], looked[1]);
    for (size_t i = 0; i < PLACES; i++) free(looked[i]);
    free(directory);
    return bytes;
}

/* ------------------------------------------------------------------ what can be run there */

static bool needs_picture(const char *path) { return text_ends_with(path, ".png") || text_ends_with(path, ".PNG"); }

/* Whether a page could run it; complains when not. */
static bool can_run(view_live *live, const char *path) {
    if (throng_world_objects(live->world).count > 0) {
        complain("%s has things (rigid bodies), which the page cannot simulate: export it without --live", path);
        return false;
    }
    for (size_t i = 0; i < throng_scenario_file_count(live->scenario); i++) {
        if (!needs_picture(throng_scenario_file(live->scenario, i))) continue;
        complain("%s reads the picture %s, which the page cannot: export it without --live", path,
                 throng_scenario_file(live->scenario, i));
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------ what the page begins with */

/* Files are called as seen from the scenario's folder. */
static const char *seen_from(const char *scenario, const char *path) {
    const char *slash = strrchr(scenario, '/');
    size_t length = slash ? (size_t)(slash - scenario) + 1 : 0;
    return strncmp(path, scenario, length) ? path : path + length;
}

static bool add_files(json_writer *out, const view_live *live, const char *path) {
    json_open(out, "files", '{');
    for (size_t i = 0; i < throng_scenario_file_count(live->scenario); i++) {
        const char *name = throng_scenario_file(live->scenario, i);
        size_t length;
        char *bytes = file_bytes(name, FILE_MOST, &length);
        if (!bytes) {
            complain("%s cannot be read, or is larger than 64 MB", name);
            return false;
        }
        json_open(out, seen_from(path, name), '"');
        write_base64(out->file, bytes, length);
        json_close(out, '"');
        free(bytes);
    }
    json_close(out, '}');
    return true;
}

/* The command that opens the scenario, and the files it reads. NULL after a complaint. */
static blob *make_start(const view_live *live, const char *path, const text_list *overrides) {
    const char *text = NULL, *slash = strrchr(path, '/');
    size_t length;
    for (size_t i = 0; i < throng_builtin_count() && !text; i++)
        if (!strcmp(throng_builtin_name(i), path)) text = throng_builtin_text(i);
    char *read = text ? NULL : file_bytes(path, FILE_MOST, &length);
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_open(&t.json, "open", '{');
    if (text)
        json_text(&t.json, "scene", path);
    else
        json_text(&t.json, "text", read ? read : "");
    if (!text) json_text(&t.json, "name", slash ? slash + 1 : path);
    json_open(&t.json, "set", '[');
    for (size_t i = 0; i < overrides->count; i++) json_text(&t.json, NULL, overrides->items[i]);
    json_close(&t.json, ']');
    json_close(&t.json, '}');
    bool good = add_files(&t.json, live, path);
    json_close(&t.json, '}');
    free(read);
    blob *made = text_maker_end(&t);
    if (good) return made;
    blob_drop(made);
    return NULL;
}

/* JSON in a page must not end the element it stands in. */
static void write_json(FILE *file, const blob *text) {
    for (size_t i = 0; i < text->length; i++) {
        if (text->bytes[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(text->bytes[i], file);
    }
}

/* ------------------------------------------------------------------ the file */

static int write_page(const char *output, const char *module, size_t length, const blob *start, bool quiet) {
    page_halves page;
    newfile out;
    if (!page_find_halves(&page)) return STATUS_RUN_FAILED;
    if (!newfile_open(&out, output)) return STATUS_BAD_INPUT;
    fwrite(page.before, 1, page.before_length, out.file);
    fputs("<script type=\"application/json\" id=\"start\">", out.file);
    write_json(out.file, start);
    fputs("</script>\n<script type=\"application/octet-stream\" id=\"module\">", out.file);
    write_base64(out.file, module, length);
    fputs("</script>", out.file);
    fwrite(page.after, 1, page.after_length, out.file);
    long size = ftell(out.file);
    if (!newfile_finish(&out)) return STATUS_RUN_FAILED;
    if (!quiet)
        fprintf(stderr, "wrote %s: %.2f MB that simulate by themselves; open it in a browser\n", output,
                (double)size / 1e6);
    return STATUS_DONE;
}

int export_alone(view_live *live, const char *path, const text_list *overrides, const char *output, bool quiet) {
    size_t length = 0;
    if (!can_run(live, path)) return STATUS_BAD_INPUT;
    char *module = read_module(&length);
    blob *start = module ? make_start(live, path, overrides) : NULL;
    int status = start ? write_page(output, module, length, start, quiet) : STATUS_BAD_INPUT;
    blob_drop(start);
    free(module);
    return status;
}
