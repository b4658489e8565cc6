/* view_picture.c: pictures of built-in scenes, for the gallery (view.h). */

#include "picture.h"
#include "view.h"

enum { PICTURE_WIDTH = 480, PICTURE_HEIGHT = 300 };
static const double picture_time = 8;     /* s into the run */
static const double picture_effort = 0.4; /* s of wall clock spent to get there */

/* A moment of the scene, as far as it is soon reached. */
static bool reach_moment(crowd_scene *scene, const char *name) {
    throng_scenario_def def = throng_default_scenario_def();
    throng_report *report = throng_report_create();
    throng_run_def run = throng_default_run_def();
    loaded_scenario loaded = {.name = name};
    def.path = name;
    run.threads = 1;
    run.check = false;
    double begun = wall_s();
    loaded.scenario = throng_scenario_create(&def, report);
    if (loaded.scenario) loaded.world = throng_scenario_create_world(loaded.scenario, &run, report);
    throng_report_destroy(report);
    if (!loaded.world) {
        loaded_free(&loaded);
        return false;
    }
    while (wall_s() - begun < picture_effort && throng_world_time(loaded.world) < picture_time)
        throng_world_step(loaded.world);
    scene_from_world(scene, loaded);
    return true;
}

blob *scene_picture(const char *name) {
    crowd_scene scene;
    if (!reach_moment(&scene, name)) return NULL;
    picture_style style = {.width = PICTURE_WIDTH,
                           .height = PICTURE_HEIGHT,
                           .people = scene.groups.count > 2 ? COLOUR_GROUP : COLOUR_SPEED,
                           .plain = true};
    text_maker t;
    text_maker_open(&t);
    bool drawn = picture_write_png(&scene, &style, t.json.file);
    scene_free(&scene);
    blob *png = text_maker_end(&t);
    if (drawn) return png;
    blob_drop(png);
    return NULL;
}
