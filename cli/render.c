/* render.c: `throng render`: a picture of a moment of a scenario or a recording, or a film of it. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "film.h"
#include "messages.h"
#include "newfile.h"
#include "picture.h"
#include "verbs.h"

typedef struct render_options {
    scenario_options scenario;
    source_options source;
    const char *output, *size, *title;
    optional_number time, trails, from, to, speed;
    optional_whole frame, width;
    const char *colour;
    int layer;
    bool density, forces, quiet;
} render_options;

enum { SMALLEST = 300, WIDEST = 16000 };

/* ------------------------------------------------------------------ options */

/* "1600x900" */
static bool read_size(const char *text, picture_style *style) {
    const char *x = strchr(text, 'x');
    char *across = text_format("%.*s", x ? (int)(x - text) : 0, text);
    uint64_t width = 0, height = 0;
    bool good = x && read_whole(across, &width) && read_whole(x + 1, &height) && width >= SMALLEST &&
                height >= SMALLEST && width <= WIDEST && height <= WIDEST;
    free(across);
    if (!good)
        complain("render --size: expected WIDTHxHEIGHT in pixels, each from %d to %d, found '%s'", SMALLEST, WIDEST,
                 text);
    style->width = (int)width;
    style->height = (int)height;
    return good;
}

static bool read_style(const render_options *options, picture_style *style) {
    const char *by = options->colour ? options->colour : "group";
    *style = (picture_style){.people = !strcmp(by, "group")   ? COLOUR_GROUP
                                       : !strcmp(by, "speed") ? COLOUR_SPEED
                                                              : COLOUR_QUANTITY,
                             .density = options->density,
                             .forces = options->forces,
                             .layer = (picture_layer)options->layer};
    if (options->density && options->layer) {
        complain("render: give either --density or --layer");
        return false;
    }
    if (options->size && options->width.given) {
        complain("render: give either --size or --width");
        return false;
    }
    if (options->width.given) style->width = (int)options->width.value;
    return !options->size || read_size(options->size, style);
}

/* What changes a run cannot change a recording. */
static bool fits_recording(const render_options *options) {
    const scenario_options *s = &options->scenario;
    if (!s->model && !s->set.count && !s->seed.given && !s->dt.given && !s->duration.given) return true;
    complain("render: --model, --set, --seed, --dt and --duration are for scenarios, not for recordings");
    return false;
}

/* ------------------------------------------------------------------ the verb */

static bool take_scene(crowd_scene *scene, const char *path, const render_options *options) {
    scene_choice choice = {options->time, options->frame, options->trails, !options->quiet};
    if (options->time.given && options->frame.given) {
        complain("render: give either --time or --frame");
        return false;
    }
    bool recording = is_recording(path) || source_given(&options->source);
    if (!recording) return scene_from_scenario(scene, path, &options->scenario, &choice);
    return fits_recording(options) && scene_from_recording(scene, path, &options->source, &choice);
}

/* Arrows that are not there are as a rule forces that were not recorded. */
static void warn_of_no_forces(const crowd_scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        if (scene->people[i].fx != 0 || scene->people[i].fy != 0) return;
    }
    fprintf(stderr, "warning: no contact force on anybody; recordings have them from 'throng run --record forces'\n");
}

static int write_picture(const render_options *options, picture_style *style, const char *path) {
    crowd_scene scene;
    if (!take_scene(&scene, path, options)) return STATUS_BAD_INPUT;
    double *shown = NULL;
    bool good = !loaded_reads(&scene.loaded, options->output);
    if (good && options->title) {
        free(scene.title);
        scene.title = text_format("%s", options->title);
    }
    if (good && style->forces && !options->quiet) warn_of_no_forces(&scene);
    if (good && style->people == COLOUR_QUANTITY)
        good = picture_choose_quantity(&scene, options->colour, style, &shown);
    int status = STATUS_BAD_INPUT;
    if (good) status = picture_write(&scene, style, options->output) ? STATUS_DONE : STATUS_RUN_FAILED;
    free(shown);
    if (status == STATUS_DONE && !options->quiet)
        fprintf(stderr, "wrote %s: %zu %s at %.1f s\n", options->output, scene.count,
                scene.count == 1 ? "person" : "people", scene.time);
    scene_free(&scene);
    return status;
}

static int write_film(const render_options *options, const picture_style *style, const char *path) {
    if (options->time.given || options->frame.given) {
        complain("render: --time and --frame are for pictures; a film has --from and --to");
        return STATUS_BAD_INPUT;
    }
    bool recording = is_recording(path) || source_given(&options->source);
    if (recording && !fits_recording(options)) return STATUS_BAD_INPUT;
    film_choice choice = {.from = options->from,
                          .to = options->to,
                          .speed = options->speed.given ? options->speed.value : 1,
                          .trails = options->trails,
                          .title = options->title,
                          .colour = options->colour,
                          .progress = !options->quiet};
    return recording ? film_of_recording(options->output, path, &options->source, style, &choice)
                     : film_of_scenario(options->output, path, &options->scenario, style, &choice);
}

static int render(const void *values, const text_list *operands) {
    const render_options *options = values;
    picture_style style;
    if (!options->output) {
        complain("render: where to? -o FILE.png or .svg, or a film: -o FILE.mp4, .webm or .gif");
        return STATUS_BAD_INPUT;
    }
    bool film = film_can_be(options->output);
    if ((!film && !picture_can_be(options->output)) || !read_style(options, &style) ||
        !newfile_possible(options->output))
        return STATUS_BAD_INPUT;
    if (film) return write_film(options, &style, operands->items[0]);
    if (options->from.given || options->to.given || options->speed.given) {
        complain("render: --from, --to and --speed are for films; a picture has --time");
        return STATUS_BAD_INPUT;
    }
    return write_picture(options, &style, operands->items[0]);
}

/* clang-format off */
static const option_row rows[] = {
    {"output", 'o', OPTION_TEXT, "FILE", "the picture: .png or .svg; the film: .mp4, .webm or .gif\n(takes ffmpeg)", offsetof(render_options, output), 0, 0, false},
    {"time", 0, OPTION_NUMBER, "S", "the moment to show (default: the middle of a recording;\nhalf the duration of a scenario, or when a quarter of the\npeople have arrived)", offsetof(render_options, time), 0, 1e9, false},
    {"frame", 0, OPTION_WHOLE, "N", "the frame of a recording to show, from 0", offsetof(render_options, frame), 0, 1e15, false},
    {"from", 0, OPTION_NUMBER, "S", "where a film begins (default: 0)", offsetof(render_options, from), 0, 1e9, false},
    {"to", 0, OPTION_NUMBER, "S", "where a film ends (default: where the run does)", offsetof(render_options, to), 0, 1e9, true},
    {"speed", 0, OPTION_NUMBER, "X", "how many seconds of the run a second of the film shows\n(default: 1)", offsetof(render_options, speed), 0, 1000, true},
    {"colour", 0, OPTION_TEXT, "NAME", "what the colours of people mean: group (default), speed, or a\nquantity ('throng models NAME' lists those of a model)", offsetof(render_options, colour), 0, 0, false},
    {"density", 0, OPTION_FLAG, "", "show how dense the crowd is; people become outlines", offsetof(render_options, density), 0, 0, false},
    {"forces", 0, OPTION_FLAG, "", "show contact forces as arrows, 1000 N for a metre", offsetof(render_options, forces), 0, 0, false},
    {"layer", 0, OPTION_CHOICE, "none|space|density", "space: the personal space left to everybody, in colours of\nits area; density: how dense the crowd is by that", offsetof(render_options, layer), 0, 0, false},
    {"trails", 0, OPTION_NUMBER, "S", "show the way people came in the last S seconds", offsetof(render_options, trails), 0, 1e6, false},
    {"width", 0, OPTION_WHOLE, "PIXELS", "width of the picture; its height follows", offsetof(render_options, width), SMALLEST, WIDEST, false},
    {"size", 0, OPTION_TEXT, "WxH", "width and height of the picture in pixels\n(films: 1920x1080, .gif 960x540, unless told)", offsetof(render_options, size), 0, 0, false},
    {"title", 0, OPTION_TEXT, "TEXT", "what stands above it (default: the scenario's name)", offsetof(render_options, title), 0, 0, false},
    SCENARIO_OPTION_ROWS(offsetof(render_options, scenario)),
    SOURCE_OPTION_ROWS(offsetof(render_options, source)),
    {"quiet", 'q', OPTION_FLAG, "", "say nothing", offsetof(render_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_render = {
    .name = "render",
    .operands = "SCENARIO|FILE -o FILE.png|.svg|.mp4|.webm|.gif [options]",
    .summary = "a picture of a moment, or a film",
    .description =
        "Draws the people, the walls and the goals at one moment: of a recording (whatever `throng convert` reads),\n"
        "or of a scenario, which is run up to that moment. A film shows all moments, 30 a second (.gif: 20), in\n"
        "between those recorded, too; its scales and its view stay the same from beginning to end.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_size = sizeof(render_options),
    .run = render,
};
