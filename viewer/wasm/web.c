/* web.c: what a page calls of the library when it is compiled to WebAssembly: one world, made from a built-in scene
 * or from the text of a scenario. Texts are ended by a 0 and lie in the module's memory. */

#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>

#define EXPORT(name) __attribute__((export_name(#name)))

static throng_world *world;
static char said[4096];

/* scenario.c asks for it; a file has no other name here. */
char *realpath(const char *path, char *full) {
    (void)path, (void)full;
    return NULL;
}

EXPORT(web_allocate) void *web_allocate(size_t size) { return malloc(size); }
EXPORT(web_release) void web_release(void *bytes) { free(bytes); }

EXPORT(web_scene_count) size_t web_scene_count(void) { return throng_builtin_count(); }
EXPORT(web_scene_name) const char *web_scene_name(size_t index) { return throng_builtin_name(index); }
EXPORT(web_scene_text) const char *web_scene_text(size_t index) { return throng_builtin_text(index); }

/* What the last call that failed had to say, a line for each message. */
EXPORT(web_said) const char *web_said(void) { return said; }

static void keep_messages(const throng_report *report) {
    size_t used = 0;
    said[0] = 0;
    for (size_t i = 0; i < throng_report_count(report) && used < sizeof said; i++) {
        throng_message m = throng_report_message(report, i);
        used += (size_t)snprintf(said + used, sizeof said - used, "%d:%d: %s\n", m.line, m.column, m.text);
    }
}

/* Opens a scene by its name, or a scenario by its text when that is not NULL. 0: web_said tells why not. */
EXPORT(web_open) int web_open(const char *name, const char *text) {
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = name;
    def.text = text;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    run.threads = 1;
    throng_world_destroy(world);
    world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    keep_messages(report);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return world != NULL;
}

/* Steps until a time in s, or until nobody is left; the time that was reached. Without a world: -1. */
EXPORT(web_run) double web_run(double until) {
    if (!world) return -1;
    while (throng_world_time(world) < until - 1e-9 && !throng_world_is_done(world)) throng_world_step(world);
    return throng_world_time(world);
}

/* Everybody's columns of now, in order of id: 0 ids (u64), 1 x, 2 y, 3 and 4 their velocity (f64). */
EXPORT(web_people) size_t web_people(void) { return world ? throng_world_view(world).count : 0; }
EXPORT(web_column) const void *web_column(int which) {
    if (!world) return NULL;
    throng_view v = throng_world_view(world);
    const void *columns[] = {v.id, v.x, v.y, v.vx, v.vy};
    return which >= 0 && which < 5 ? columns[which] : NULL;
}

/* The state's hash, as 16 hexadecimal digits. */
EXPORT(web_digest) const char *web_digest(void) {
    snprintf(said, sizeof said, "%016llx", world ? (unsigned long long)throng_world_digest(world) : 0ull);
    return said;
}
