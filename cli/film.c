/* film.c: see film.h.
 *
 *     scenario ──► recording (.throng, removed afterwards) ──┐
 *     recording ─────────────────────────────────────────────┴─► rehearse ─► draw each moment ─► ffmpeg ─► film
 *
 * A rehearsal draws some moments of the film, to find scales and a view that serve all of it. */

#include "film.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "messages.h"
#include "newfile.h"
#include "progress.h"

extern char **environ;

enum { REHEARSED = 24 /* moments */ };

/* How ffmpeg is asked for each kind of film; the arguments end with NULL. */
typedef struct film_kind {
    const char *ending;
    int fps, width, height; /* unless told otherwise */
    const char *arguments[14];
} film_kind;

static const film_kind kinds[] = {
    {".mp4",
     30,
     1920,
     1080,
     {"-c:v", "libx264", "-preset", "fast", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart"}},
    {".webm",
     30,
     1920,
     1080,
     {"-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-row-mt", "1", "-deadline", "good", "-cpu-used", "5"}},
    /* A palette for each frame, so that a long film takes no more memory than a short one. */
    {".gif",
     20,
     960,
     540,
     {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none"}},
};

static const film_kind *kind_of(const char *path) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (text_ends_with(path, kinds[i].ending)) return &kinds[i];
    return NULL;
}

bool film_can_be(const char *path) { return kind_of(path) != NULL; }

/* ------------------------------------------------------------------ ffmpeg */

static bool is_ffmpeg_there(void) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        char *file = text_format("%.*s/ffmpeg", (int)length, at);
        bool there = length && access(file, X_OK) == 0;
        free(file);
        if (there) return true;
        at += length + (at[length] != 0);
    }
    complain("films are made by ffmpeg, which is not installed (Debian and its relatives: apt-get install ffmpeg)");
    return false;
}

/* The program at work: frames go in, the film comes out at the new file. */
typedef struct encoder {
    pid_t program;
    FILE *frames;
    FILE *said; /* its complaints */
    newfile film;
} encoder;

static bool start_program(encoder *e, char *const *arguments, int out) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(e->said), STDERR_FILENO);
    int failed = posix_spawnp(&e->program, "ffmpeg", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) complain("cannot start ffmpeg: %s", strerror(failed));
    return !failed;
}

static bool start_encoder(encoder *e, const char *path, const film_kind *kind, int width, int height) {
    *e = (encoder){0};
    if (!newfile_open(&e->film, path)) return false;
    char *size = text_format("%dx%d", width, height), *fps = text_format("%d", kind->fps);
    const char *arguments[40] = {"ffmpeg", "-loglevel",   "error", "-y",         "-f", "rawvideo", "-pixel_format",
                                 "bgr0",   "-video_size", size,    "-framerate", fps,  "-i",       "-"};
    size_t count = 14;
    for (size_t i = 0; kind->arguments[i]; i++) arguments[count++] = kind->arguments[i];
    arguments[count++] = "-f";
    arguments[count++] = kind->ending + 1;
    arguments[count++] = e->film.temporary;
    int ends[2] = {-1, -1};
    e->said = tmpfile();
    bool good = e->film.temporary && e->said && pipe(ends) == 0;
    if (!good) complain("cannot write %s: %s", path, e->film.temporary ? strerror(errno) : "a film must be a file");
    /* or the program would hold its own input open, and never see its end */
    if (good) fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    good = good && start_program(e, (char *const *)arguments, ends[0]);
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) e->frames = fdopen(ends[1], "wb");
    free(size);
    free(fps);
    return good;
}

static bool write_frame(const encoder *e, cairo_surface_t *image) {
    const unsigned char *pixels = cairo_image_surface_get_data(image);
    size_t row = 4 * (size_t)cairo_image_surface_get_width(image);
    int height = cairo_image_surface_get_height(image), stride = cairo_image_surface_get_stride(image);
    for (int r = 0; r < height; r++)
        if (fwrite(pixels + r * (ptrdiff_t)stride, 1, row, e->frames) != row) return false;
    return true;
}

/* Waits for the film to be whole, and gives it its name; `good`: all frames were handed over. */
static bool end_encoder(encoder *e, bool good) {
    int status = 0;
    if (e->frames && fclose(e->frames) != 0) good = false;
    if (e->program && !good) kill(e->program, SIGTERM);
    if (e->program)
        while (waitpid(e->program, &status, 0) < 0 && errno == EINTR) continue;
    bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (e->program && !done && !interrupted()) {
        char words[300] = "";
        rewind(e->said);
        if (!fgets(words, sizeof words, e->said)) snprintf(words, sizeof words, "it does not say why");
        words[strcspn(words, "\n")] = 0;
        complain("ffmpeg could not make %s: %s", e->film.path, words);
    }
    if (e->said) fclose(e->said);
    if (good && done) return newfile_finish(&e->film);
    newfile_discard(&e->film);
    return false;
}

/* ------------------------------------------------------------------ drawing */

/* A film in the making. */
typedef struct shoot {
    crowd_scene scene;
    picture_style style;
    film_choice choice;
    throng_box view; /* m: what all frames show */
    double first;    /* frame of the recording */
    double step;     /* frames of the recording for each of the film */
    size_t count;    /* frames of the film */
    cairo_surface_t *image;
} shoot;

static void widen(throng_box *box, throng_box by) {
    scene_include(box, by.low.x, by.low.y, 0);
    scene_include(box, by.high.x, by.high.y, 0);
}

static bool draw_frame(shoot *s, size_t number, picture_scales *scales) {
    double *values = NULL;
    if (!scene_take_moment(&s->scene, s->first + (double)number * s->step, s->choice.trails)) return false;
    widen(&s->view, s->scene.bounds);
    s->scene.bounds = s->view;
    if (s->style.people == COLOUR_QUANTITY && !picture_choose_quantity(&s->scene, s->choice.colour, &s->style, &values))
        return false;
    *scales = picture_draw(&s->scene, &s->style, s->image);
    free(values);
    return true;
}

/* Finds the scales and the view of the whole film. */
static bool rehearse(shoot *s) {
    throng_box walked = throng_recording_info_of(s->scene.recording).bounds;
    s->view = scene_empty_box();
    if (walked.low.x <= walked.high.x) widen(&s->view, walked);
    size_t moments = s->count < REHEARSED ? s->count : REHEARSED;
    for (size_t i = 0; i < moments; i++) {
        picture_scales taken;
        if (!draw_frame(s, i * (s->count - 1) / (moments > 1 ? moments - 1 : 1), &taken)) return false;
        s->style.least.full_speed = fmax(s->style.least.full_speed, taken.full_speed);
        s->style.least.densest = fmax(s->style.least.densest, taken.densest);
        s->style.least.low = fmin(s->style.least.low, taken.low);
        s->style.least.high = fmax(s->style.least.high, taken.high);
    }
    return true;
}

static bool draw_all(shoot *s, const encoder *e) {
    progress_line progress;
    double fps = throng_recording_info_of(s->scene.recording).fps, step_s = s->step / fps;
    progress_begin(&progress, s->choice.progress, s->first / fps, s->first / fps + (double)s->count * step_s);
    bool good = true;
    for (size_t i = 0; good && i < s->count && !interrupted(); i++) {
        picture_scales taken;
        good = draw_frame(s, i, &taken) && write_frame(e, s->image);
        progress_update(&progress, s->scene.time, s->scene.count);
    }
    progress_clear(&progress);
    return good && !interrupted();
}

/* Which moments are shown. */
static bool choose_moments(shoot *s, const char *path, int fps) {
    throng_recording_info info = throng_recording_info_of(s->scene.recording);
    double last = (double)(info.frame_count - 1);
    double from = s->choice.from.given ? s->choice.from.value * info.fps : 0;
    double to = s->choice.to.given ? fmin(s->choice.to.value * info.fps, last) : last;
    if (from > last || to < from) {
        complain("render: there is nothing from %g s to %g s; %s ends at %g s", from / info.fps, to / info.fps, path,
                 last / info.fps);
        return false;
    }
    s->first = from;
    s->step = s->choice.speed * info.fps / fps;
    s->count = 1 + (size_t)floor((to - from) / s->step + 1e-9);
    return true;
}

/* The film of an open recording, shown as if it came from `source`. */
static int make_film(shoot *s, const char *path, const char *source) {
    const film_kind *kind = kind_of(path);
    if (!choose_moments(s, source, kind->fps)) return STATUS_BAD_INPUT;
    if (!s->style.height && s->style.width) s->style.height = s->style.width * 9 / 16;
    if (!s->style.width) s->style.width = kind->width, s->style.height = kind->height;
    s->style.width -= s->style.width % 2; /* what films are made of has half as many pixels of colour */
    s->style.height -= s->style.height % 2;
    s->style.moves = true;
    s->image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, s->style.width, s->style.height);
    int status = STATUS_BAD_INPUT;
    if (rehearse(s)) {
        encoder e;
        bool good = start_encoder(&e, path, kind, s->style.width, s->style.height) && draw_all(s, &e);
        status = end_encoder(&e, good) ? STATUS_DONE : STATUS_RUN_FAILED;
    }
    cairo_surface_destroy(s->image);
    if (interrupted()) complain("interrupted; %s was not written", path);
    if (status == STATUS_DONE && s->choice.progress)
        fprintf(stderr, "wrote %s: %.1f s, %zu frames of %d x %d\n", path, (double)s->count / kind->fps, s->count,
                s->style.width, s->style.height);
    return status;
}

static void ignore_who_has_gone(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, NULL);
}

int film_of_recording(const char *path, const char *recording, const source_options *source, const picture_style *style,
                      const film_choice *choice) {
    shoot s = {.style = *style, .choice = *choice};
    if (!is_ffmpeg_there() || !scene_open_recording(&s.scene, recording, source)) return STATUS_BAD_INPUT;
    interrupt_listen(false);
    ignore_who_has_gone();
    if (choice->title) {
        free(s.scene.title);
        s.scene.title = text_format("%s", choice->title);
    }
    int status = make_film(&s, path, recording);
    scene_free(&s.scene);
    return status;
}

/* ------------------------------------------------------------------ of a scenario */

/* What the style needs besides motion. */
static size_t needed_quantities(const picture_style *style, const film_choice *choice, const char **names) {
    size_t count = 0;
    if (style->people == COLOUR_QUANTITY) names[count++] = choice->colour;
    if (style->forces) names[count++] = "net_force";
    if (style->layer != LAYER_NONE) names[count++] = "area";
    return count;
}

static bool step_and_record(const loaded_scenario *loaded, throng_recorder *recorder, uint64_t every, double to,
                            bool shown, throng_error *error) {
    throng_world *world = loaded->world;
    double dt = throng_world_dt(world);
    uint64_t steps = loaded_steps(loaded), wanted = (uint64_t)ceil(fmin(to / dt, 1e15));
    if (wanted < steps) steps = wanted;
    bool full = throng_scenario_runs_full(loaded->scenario), good = throng_recorder_frame(recorder, world, error);
    progress_line progress;
    progress_begin(&progress, shown, 0, (double)steps * dt);
    for (uint64_t step = 1; good && step <= steps && !interrupted(); step++) {
        if (!full && throng_world_is_done(world)) break;
        throng_world_step(world);
        if (step % every == 0) good = throng_recorder_frame(recorder, world, error);
        progress_update(&progress, throng_world_time(world), throng_world_raw_view(world).count);
    }
    progress_clear(&progress);
    return good;
}

/* Runs the scenario into a recording with a frame for each of the film, or for each step where that is longer. */
static bool record_run(const char *path, const loaded_scenario *loaded, const picture_style *style,
                       const film_choice *choice, int fps) {
    double dt = throng_world_dt(loaded->world);
    uint64_t every = (uint64_t)fmax(1, floor(choice->speed / (fps * dt) + 1e-9));
    const char *names[3];
    throng_recorder_def def = throng_default_recorder_def();
    def.path = path;
    def.fps = 1 / (dt * (double)every);
    def.quantities = names;
    def.quantity_count = needed_quantities(style, choice, names);
    throng_error error = {0};
    throng_recorder *recorder = throng_recorder_create(&def, loaded->world, &error);
    bool good = recorder && step_and_record(loaded, recorder, every, choice->to.given ? choice->to.value : INFINITY,
                                            choice->progress, &error);
    if (recorder) good = throng_recorder_close(recorder, good ? &error : NULL) && good;
    if (!good) print_error(path, &error);
    return good && !interrupted();
}

int film_of_scenario(const char *path, const char *scenario, const scenario_options *options,
                     const picture_style *style, const film_choice *choice) {
    loaded_scenario loaded;
    if (!is_ffmpeg_there() || !loaded_create(&loaded, scenario, options, false, false)) return STATUS_BAD_INPUT;
    if (loaded_reads(&loaded, path)) {
        loaded_free(&loaded);
        return STATUS_BAD_INPUT;
    }
    interrupt_listen(false);
    ignore_who_has_gone();
    char *recording = text_format("%s.new-%ld.throng", path, (long)getpid());
    int status = STATUS_RUN_FAILED;
    shoot s = {.style = *style, .choice = *choice};
    source_options source = {0};
    if (record_run(recording, &loaded, style, choice, kind_of(path)->fps) &&
        scene_open_recording(&s.scene, recording, &source)) {
        free(s.scene.title);
        free(s.scene.subtitle);
        s.scene.title = text_format("%s", choice->title ? choice->title : loaded.name);
        s.scene.subtitle = text_format("model %s", throng_scenario_model(loaded.scenario));
        status = make_film(&s, path, scenario);
        scene_free(&s.scene);
    } else if (interrupted()) {
        complain("interrupted; %s was not written", path);
    }
    unlink(recording);
    free(recording);
    loaded_free(&loaded);
    return status;
}
