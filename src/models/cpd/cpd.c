/* cpd.c: the model `cpd`: personal space that everybody tries to keep. cpd.h tells how it works. */

#include "models/cpd/cpd.h"

#include <math.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/report.h"
#include "models/models.h"
#include "space/near_list.h"
#include "space/place.h"

#define FIELD(name) offsetof(throng_cpd_params, name)
#define PAPER       "Hesham and Wainer 2021, "

static const char *const long_ranges[] = {"none", "orca", NULL};

static const throng_param params[] = {
    {"space", "m", "Radius of the personal space.", THRONG_PARAM_NUMBER, 0.1, 0.9, 3, NULL,
     PAPER "sec. 5: 9 pixels of 0.1 m", FIELD(space)},
    {"front", "s", "How much farther it reaches ahead for each m/s; 0: a disc.", THRONG_PARAM_NUMBER, 0, 0.4, 2, NULL,
     PAPER "sec. 3: about 0.4 m per m/s", FIELD(front)},
    {"active", "", "How far behind somebody looks, in radii: what is farther behind, only others mind.",
     THRONG_PARAM_NUMBER, 0, 1, 1, NULL, "chosen: all around; " PAPER "fig. 6: less", FIELD(active)},
    {"blind", "", "How much of the way its space reaches ahead somebody does not look at, from its end: distracted.",
     THRONG_PARAM_NUMBER, 0, 0, 1, NULL, "chosen: nobody is; stands for " PAPER "custom kernels", FIELD(blind)},
    {"spared_right", "", "How much less somebody minds others on its right; below 0: on its left.", THRONG_PARAM_NUMBER,
     -1, 0, 1, NULL, "chosen: both sides alike; stands for " PAPER "custom kernels", FIELD(spared_right)},
    {"weight_map", "",
     "Weights of the pixels of its space, in its own frame: rows from ahead to behind, each from left to right.",
     THRONG_PARAM_MAP, 0, 0, 1e6, NULL, "chosen: all alike; " PAPER "sec. 3: weight maps", FIELD(weight_map)},
    {"weight", "m", "How much farther than another's a pixel may be and still be one's own: less for children.",
     THRONG_PARAM_NUMBER, 0, 0, 1, NULL, PAPER "sec. 4.1: height of the cones", FIELD(weight)},
    {"alpha", "", "Weight of the centroidal force.", THRONG_PARAM_NUMBER, 0, 0.7, 10, NULL, PAPER "sec. 3 (d)",
     FIELD(alpha)},
    {"beta", "", "Weight of the way somebody wants to go.", THRONG_PARAM_NUMBER, 0, 0.2, 10, NULL, PAPER "sec. 3 (d)",
     FIELD(beta)},
    {"gamma", "", "Weight of friction: alone, somebody walks beta / gamma of its speed.", THRONG_PARAM_NUMBER, 0, 0.2,
     10, NULL, PAPER "sec. 3 (d)", FIELD(gamma)},
    {"gain", "m/s^2", "Acceleration by a net force of 1.", THRONG_PARAM_NUMBER, 0.1, 10, 100, NULL,
     "chosen: a pixel of 0.1 m per frame of 0.1 s, squared", FIELD(gain)},
    {"variety", "",
     "How much people differ: alpha less and beta, gamma more by up to this part, or the other way round.",
     THRONG_PARAM_NUMBER, 0, 0, 0.9, NULL, PAPER "sec. 5: randomised", FIELD(variety)},
    {"space_variety", "", "How much their personal spaces differ: up to this part of the radius, more or less.",
     THRONG_PARAM_NUMBER, 0, 0, 0.9, NULL, PAPER "sec. 5: randomised", FIELD(space_variety)},
    {"resistance", "", "Part of a centroidal force back against one's way that is resisted.", THRONG_PARAM_NUMBER, 0,
     0.75, 1, NULL, PAPER "sec. 3 (c); chosen: lanes form", FIELD(resistance)},
    {"resistance_dense", "", "The same at 1 to 3 people per m^2; in between from 0.5 per m^2 on.", THRONG_PARAM_NUMBER,
     0, 0.9, 1, NULL, "chosen: no gridlock", FIELD(resistance_dense)},
    {"resistance_packed", "", "The same at 5 people per m^2 and more; in between from 3 per m^2 on.",
     THRONG_PARAM_NUMBER, 0, 0.5, 1, NULL, "chosen: jams are no denser than real ones", FIELD(resistance_packed)},
    {"noise", "m/s^2",
     "Standard deviation of random accelerations aside, which last 0.1 s; of who has no goal, along either axis.",
     THRONG_PARAM_NUMBER, 0, 0.5, 10, NULL, "chosen: two who meet head-on do not walk into each other", FIELD(noise)},
    {"fundamental_diagram", "",
     "Whether the density around slows people down. Off for people with the habit `pace`, which slows them down.",
     THRONG_PARAM_BOOL, 0, 1, 1, NULL, PAPER "sec. 3 (b)", FIELD(fundamental_diagram)},
    {"jam_density", "1/m^2", "Density at which nobody walks on.", THRONG_PARAM_NUMBER, 0.5, 5.4, 20, NULL,
     "Weidmann 1993", FIELD(jam_density)},
    {"steepness", "1/m^2", "Of the fundamental diagram v = s (1 - exp(-steepness (1/d - 1/jam_density))).",
     THRONG_PARAM_NUMBER, 0.1, 1.913, 20, NULL, "Weidmann 1993", FIELD(steepness)},
    {"smoothing", "m", "Width of the Gaussian that densities are smoothed with; the first profile's, as the next two.",
     THRONG_PARAM_NUMBER, 0, 0.4, 2, NULL, "chosen: over one's own space; " PAPER "sec. 4.3: 0.2", FIELD(smoothing)},
    {"pixel", "m", "Side of a pixel of the map.", THRONG_PARAM_NUMBER, 0.02, 0.1, 0.5, NULL, PAPER "sec. 5",
     FIELD(pixel)},
    {"substep", "s", "Steps of the world that are longer than this are divided.", THRONG_PARAM_NUMBER, 0.01, 0.1, 1,
     NULL, PAPER "sec. 5", FIELD(substep)},
    {"hard_core", "", "Whether bodies, discs of people's radii, never overlap.", THRONG_PARAM_BOOL, 0, 0, 1, NULL,
     "chosen: off; the paper has no bodies", FIELD(hard_core)},
    {"long_range", "", "How people find a way before they meet; orca: they avoid collisions.", THRONG_PARAM_CHOICE,
     THRONG_CPD_NONE, THRONG_CPD_NONE, THRONG_CPD_ORCA, long_ranges, "chosen: " PAPER "proposes others",
     FIELD(long_range)},
    {"horizon", "s", "How far ahead `long_range` orca looks.", THRONG_PARAM_NUMBER, 0.1, 2, 20, NULL,
     "chosen: as that of orca; longer ones gain little", FIELD(horizon)},
};

static const char *const common[] = {"smoothing", "pixel", "substep", NULL};

/* What is left to everybody: a result, that decides nothing, kept so that a recording can go on from a checkpoint. */
static const throng_column columns[] = {{"personal_space", sizeof(throng_cpd_space), false}};
static const throng_shown shown[] = {
    {{"area", "m^2", "What is left to it of its personal space.", 1},
     0,
     offsetof(throng_cpd_space, area),
     sizeof(float),
     true},
    {{"density", "1/m^2", "How dense the crowd around it is, smoothed: it slows down by that.", 1},
     0,
     offsetof(throng_cpd_space, density),
     sizeof(float),
     true},
};

static void *create(void) {
    throng_cpd *s = throng_allocate(sizeof(throng_cpd));
    s->lists = throng_near_lists_create();
    return s;
}

static void destroy(void *model) {
    throng_cpd *s = model;
    void *owned[] = {s->sums, s->pool, s->used, s->table.entries, s->images.slots, s->tallies, s->strip_count};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) throng_release(owned[k]);
    throng_cpd_release_people(s);
    throng_cpd_release_sheets(s);
    throng_cpd_release_long_range(s);
    throng_cpd_release_weights(s);
    throng_near_lists_destroy(s->lists);
    throng_release(s);
}

/* What people are like who differ from each other in the map. */
static bool look_at_profiles(throng_cpd *s, const throng_model_setup *setup, throng_error *error) {
    bool first = true;
    double least = 0;
    s->weight_most = 0;
    s->any_hard = false;
    for (size_t k = 0; k < setup->profile_count; k++) {
        const throng_cpd_params *p = setup->params[k];
        if (!p) continue;
        s->weight_most = fmax(s->weight_most, p->weight);
        least = first ? p->weight : fmin(least, p->weight);
        first = false;
        if (p->hard_core != 0) s->any_hard = true;
        double pixels = p->space * (1 + p->space_variety) / p->pixel;
        if (pixels > THRONG_CPD_REACH)
            return throng_refuse(error, 0, 0,
                                 "model 'cpd': a personal space of %g m is %.0f pixels of %g m wide to either side; "
                                 "%d are the most: take a larger `pixel`",
                                 p->space, pixels, p->pixel, THRONG_CPD_REACH);
    }
    s->weighted = least != s->weight_most;
    return true;
}

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    throng_cpd *s = model;
    if (!look_at_profiles(s, setup, error)) return false;
    if (!s->placed) {
        bool open = !setup->place || setup->place->open;
        s->origin_x = open ? 0 : setup->place->bounds.low.x;
        s->origin_y = open ? 0 : setup->place->bounds.low.y;
        s->placed = true;
    }
    size_t workers = (size_t)setup->workers;
    if (workers > s->workers) {
        s->tallies = throng_reallocate(s->tallies, workers * sizeof *s->tallies);
        s->sheets = throng_reallocate(s->sheets, workers * sizeof *s->sheets);
        for (size_t w = s->workers; w < workers; w++) {
            s->tallies[w] = (throng_cpd_tally){0};
            s->sheets[w] = (throng_cpd_sheet){0};
        }
        s->workers = workers;
    }
    throng_cpd_prepare_weights(s, setup);
    throng_cpd_prepare_long_range(s, setup);
    throng_cpd_note_walls(s, setup->walls);
    return true;
}

/* --- a step of the world as sub-steps of the model */

static void take_substep(throng_cpd *s) {
    throng_cpd_shape_people(s);
    throng_part_done(&s->parts, THRONG_CPD_TAKE);
    throng_cpd_place_people(s);
    throng_part_done(&s->parts, THRONG_CPD_SORT);
    throng_cpd_find_obstacles(s);
    throng_part_done(&s->parts, THRONG_CPD_OBSTACLES);
    throng_cpd_map(s);
    throng_part_done(&s->parts, THRONG_CPD_MAP);
    throng_cpd_move(s);
    throng_part_done(&s->parts, THRONG_CPD_FORCE);
    throng_cpd_arrive(s);
    throng_part_done(&s->parts, THRONG_CPD_CORE);
    s->counts.substeps++;
    s->counts.tiles += s->used_count;
    s->counts.people += s->now->mine_count;
}

static void step(void *model, const throng_step *now) {
    throng_cpd *s = model;
    throng_parts_begin(&s->parts);
    throng_cpd_begin(s, now);
    throng_cpd_look_ahead(s);
    if (s->any_hard) throng_cpd_list_bodies(s);
    for (s->substep = 0; s->substep < s->substep_count; s->substep++) {
        s->t_begin = now->dt * s->substep / s->substep_count;
        take_substep(s);
    }
    uint64_t tick = (uint64_t)(s->t * 1e6 + 0.5);
    for (size_t w = 0; w < s->workers; w++) {
        throng_cpd_tally *t = &s->tallies[w];
        s->counts.pixels += t->pixels;
        s->counts.by_pixel += t->by_pixel;
        s->counts.stopped += t->stopped;
        s->counts.area += t->area;
        s->counts.density += t->density;
        for (int k = 0; k < THRONG_CPD_CLASSES; k++) {
            s->counts.in_class[k] += tick * t->in_class[k];
            s->counts.ticks += tick * t->in_class[k];
        }
        *t = (throng_cpd_tally){0};
    }
    s->counts.steps++;
}

static void archive(void *model, throng_archive *archive) {
    throng_cpd *s = model;
    throng_archive_mark(archive, "cpd");
    THRONG_ARCHIVE(archive, s->origin_x);
    THRONG_ARCHIVE(archive, s->origin_y);
    THRONG_ARCHIVE(archive, s->pixel);
    THRONG_ARCHIVE(archive, s->counts);
    bool near = fabs(s->origin_x) + fabs(s->origin_y) < 4 * THRONG_FARTHEST;
    if (!near || !(s->pixel == 0 || (s->pixel >= 0.01 && s->pixel <= 1)))
        throng_archive_spoil(archive, "the map is nowhere");
    if (archive->reading) s->pool_count = s->used_count = s->table.size = 0;
}

static void figures(const void *model, throng_figure_function figure, void *context) {
    static const char *const names[] = {"take_ms", "sort_ms", "obstacles_ms", "map_ms", "force_ms", "core_ms"};
    /* parts of everybody's time, by the area left to it */
    static const char *const classes[THRONG_CPD_CLASSES] = {"time_from_2.3_m2",   "time_0.9_to_2.3_m2",
                                                            "time_0.5_to_0.9_m2", "time_0.3_to_0.5_m2",
                                                            "time_0.2_to_0.3_m2", "time_below_0.2_m2"};
    const throng_cpd *s = model;
    const throng_cpd_counts *n = &s->counts;
    double substeps = n->substeps > 0 ? (double)n->substeps : 1;
    double people = n->people > 0 ? (double)n->people : 1, tiles = n->tiles > 0 ? (double)n->tiles : 1;
    throng_parts_tell(&s->parts, "cpd", names, THRONG_CPD_PART_COUNT, n->steps, figure, context);
    figure(context, "cpd", "substeps", (double)n->substeps);
    figure(context, "cpd", "tiles_mean", (double)n->tiles / substeps);
    figure(context, "cpd", "map_m2_mean",
           (double)n->tiles / substeps * THRONG_CPD_WIDTH * THRONG_CPD_HEIGHT * s->pixel * s->pixel);
    figure(context, "cpd", "pixels_drawn_mean", (double)n->pixels / substeps);
    figure(context, "cpd", "tiles_by_pixel", (double)n->by_pixel / tiles);
    figure(context, "cpd", "area_mean_m2", (double)n->area * s->pixel * s->pixel / people);
    figure(context, "cpd", "density_mean", (double)n->density / THRONG_CPD_PARTS / people);
    for (int k = 0; k < THRONG_CPD_CLASSES; k++)
        figure(context, "cpd", classes[k], n->ticks > 0 ? (double)n->in_class[k] / (double)n->ticks : 0);
    figure(context, "cpd", "stopped_at_walls", (double)n->stopped);
}

static double reach(const void *of) {
    const throng_cpd_params *p = of;
    double near = 2 * (p->space * (1 + p->space_variety) + 2 * p->front) + p->weight; /* at 2 m/s */
    return fmax(near, throng_cpd_far_reach(p));
}

const throng_model throng_model_cpd = {
    .name = "cpd",
    .title = "Centroidal particle dynamics: personal space that everybody tries to keep",
    .citation =
        "O. Hesham, G. Wainer: Explicit modeling of personal space for improved local dynamics in simulated crowds. "
        "ACM Transactions on Modeling and Computer Simulation 31(4), 2021, 23.",
    .default_dt = 0.1,
    .params = params,
    .common = common,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_cpd_params),
    .step = step,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .shown = shown,
    .shown_count = sizeof shown / sizeof *shown,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .archive = archive,
    .figures = figures,
    .reach = reach,
};
