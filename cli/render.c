/* render.c: `throng render`: a picture of a moment of a scenario or a recording. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "newfile.h"
#include "picture.h"
#include "verbs.h"

typedef struct render_options {
    scenario_options scenario;
    source_options source;
    const char *output, *size, *title;
    optional_number time, trails;
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

/* A number with one digit that is not 0, no less than this one. */
static double rounded_up(double value) {
    double power = pow(10, floor(log10(value)));
    return ceil(value / power - 1e-9) * power;
}

/* The quantity that people are coloured by, on a scale from 0, or from the least value below it. False after a
 * complaint. */
static bool choose_quantity(const crowd_scene *scene, const char *name, shown_quantity *out, double **values) {
    *out = (shown_quantity){.name = name};
    *values = scene_values(scene, name, &out->unit);
    if (!*values) {
        char *known = text_format("group, speed");
        for (size_t i = 0; i < scene->quantity_count; i++) {
            char *more = text_format("%s, %s", known, scene->quantities[i].name);
            free(known);
            known = more;
        }
        complain("render --colour: expected one of %s; found '%s'%s", known, name,
                 scene->loaded.world ? "" : " (a recording has what 'throng run --record NAME' has put there)");
        free(known);
        return false;
    }
    out->values = *values;
    for (size_t i = 0; i < scene->count; i++) {
        out->low = fmin(out->low, (*values)[i]);
        out->high = fmax(out->high, (*values)[i]);
    }
    if (out->low < 0) out->low = -rounded_up(-out->low);
    out->high = out->high > 0 ? rounded_up(out->high) : out->low < 0 ? 0 : 1;
    return true;
}

/* Arrows that are not there are as a rule forces that were not recorded. */
static void warn_of_no_forces(const crowd_scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        if (scene->people[i].fx != 0 || scene->people[i].fy != 0) return;
    }
    fprintf(stderr, "warning: no contact force on anybody; recordings have them from 'throng run --record forces'\n");
}

static int render(const void *values, const text_list *operands) {
    const render_options *options = values;
    picture_style style;
    if (!options->output) {
        complain("render: where to? -o FILE.png or -o FILE.svg");
        return STATUS_BAD_INPUT;
    }
    if (!picture_can_be(options->output) || !read_style(options, &style) || !newfile_possible(options->output))
        return STATUS_BAD_INPUT;
    crowd_scene scene;
    if (!take_scene(&scene, operands->items[0], options)) return STATUS_BAD_INPUT;
    if (loaded_reads(&scene.loaded, options->output)) {
        scene_free(&scene);
        return STATUS_BAD_INPUT;
    }
    if (options->title) {
        free(scene.title);
        scene.title = text_format("%s", options->title);
    }
    if (style.forces && !options->quiet) warn_of_no_forces(&scene);
    double *shown = NULL;
    if (style.people == COLOUR_QUANTITY && !choose_quantity(&scene, options->colour, &style.quantity, &shown)) {
        scene_free(&scene);
        return STATUS_BAD_INPUT;
    }
    bool written = picture_write(&scene, &style, options->output);
    free(shown);
    if (written && !options->quiet)
        fprintf(stderr, "wrote %s: %zu %s at %.1f s\n", options->output, scene.count,
                scene.count == 1 ? "person" : "people", scene.time);
    scene_free(&scene);
    return written ? STATUS_DONE : STATUS_RUN_FAILED;
}

/* clang-format off */
static const option_row rows[] = {
    {"output", 'o', OPTION_TEXT, "FILE", "the picture: .png or .svg", offsetof(render_options, output), 0, 0, false},
    {"time", 0, OPTION_NUMBER, "S", "the moment to show (default: the middle of a recording;\nhalf the duration of a scenario, or when a quarter of the\npeople have arrived)", offsetof(render_options, time), 0, 1e9, false},
    {"frame", 0, OPTION_WHOLE, "N", "the frame of a recording to show, from 0", offsetof(render_options, frame), 0, 1e15, false},
    {"colour", 0, OPTION_TEXT, "NAME", "what the colours of people mean: group (default), speed, or a\nquantity ('throng models NAME' lists those of a model)", offsetof(render_options, colour), 0, 0, false},
    {"density", 0, OPTION_FLAG, "", "show how dense the crowd is; people become outlines", offsetof(render_options, density), 0, 0, false},
    {"forces", 0, OPTION_FLAG, "", "show contact forces as arrows, 1000 N for a metre", offsetof(render_options, forces), 0, 0, false},
    {"layer", 0, OPTION_CHOICE, "none|space|density", "space: the personal space left to everybody, in colours of\nits area; density: how dense the crowd is by that", offsetof(render_options, layer), 0, 0, false},
    {"trails", 0, OPTION_NUMBER, "S", "show the way people came in the last S seconds", offsetof(render_options, trails), 0, 1e6, false},
    {"width", 0, OPTION_WHOLE, "PIXELS", "width of the picture; its height follows", offsetof(render_options, width), SMALLEST, WIDEST, false},
    {"size", 0, OPTION_TEXT, "WxH", "width and height of the picture in pixels", offsetof(render_options, size), 0, 0, false},
    {"title", 0, OPTION_TEXT, "TEXT", "what stands above it (default: the scenario's name)", offsetof(render_options, title), 0, 0, false},
    SCENARIO_OPTION_ROWS(offsetof(render_options, scenario)),
    SOURCE_OPTION_ROWS(offsetof(render_options, source)),
    {"quiet", 'q', OPTION_FLAG, "", "say nothing", offsetof(render_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_render = {
    .name = "render",
    .operands = "SCENARIO|FILE -o FILE.png|.svg [options]",
    .summary = "a picture of a moment",
    .description =
        "Draws the people, the walls and the goals at one moment: of a recording (whatever `throng convert` reads),\n"
        "or of a scenario, which is run up to that moment.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_size = sizeof(render_options),
    .run = render,
};
