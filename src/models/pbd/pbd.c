/* pbd.c: the model `pbd`: crowds by projecting positions. pbd.h tells how it works. */

#include "models/pbd/pbd.h"

#include <math.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/report.h"
#include "models/models.h"

#define FIELD(name) offsetof(throng_pbd_params, name)
#define TABLE       "Weiss et al. 2019, table 2"

static const char *const units[] = {"metric", "paper", NULL};
static const char *const anticipations[] = {"none", "normal", "full", "avoidance", NULL};
static const char *const clamps[] = {"whole", "anticipation", NULL};
static const char *const hurries[] = {"by_units", "forward", "anyway", NULL};
static const char *const cohesions[] = {"none", "stabilised", "printed", NULL};

static const throng_param params[] = {
    {"units", "",
     "metric: reach, cohesion_reach and tau0 grow with everybody's own radius and speed; paper: they are metres and "
     "seconds, for people of radius 1 m.",
     THRONG_PARAM_CHOICE, THRONG_PBD_METRIC, THRONG_PBD_METRIC, THRONG_PBD_PAPER, units,
     "chosen: the paper's people are discs of radius 1", FIELD(units)},
    {"anticipation", "",
     "What people do about collisions to come. none: nothing; normal: keep away from each other; avoidance: slide past "
     "each other; full: both.",
     THRONG_PARAM_CHOICE, THRONG_PBD_NONE, THRONG_PBD_FULL, THRONG_PBD_AVOIDANCE, anticipations,
     "Weiss et al. 2019, sec. 3.4 and 3.5; their word in later correspondence for both", FIELD(anticipation)},
    {"tau0", "",
     "Collisions later than this do not matter, and later than the root of 3 tau0 next to nothing; how far people look "
     "ahead follows from it. s, or in metric units 1.4 m/s radius / speed.",
     THRONG_PARAM_NUMBER, 0.1, 20, 1000, NULL, TABLE, FIELD(tau0)},
    {"stiffness", "",
     "How much of a collision to come people correct by keeping away, in one iteration of six; each of more does less.",
     THRONG_PARAM_NUMBER, 0, 0.24, 1, NULL, TABLE, FIELD(stiffness)},
    {"avoidance_stiffness", "", "The same of sliding past each other.", THRONG_PARAM_NUMBER, 0, 0.24, 1, NULL, TABLE,
     FIELD(avoidance_stiffness)},
    {"contact_stiffness", "", "How much of a contact is corrected in one iteration.", THRONG_PARAM_NUMBER, 0, 1, 1,
     NULL, TABLE, FIELD(contact_stiffness)},
    {"reach", "",
     "People farther away are not anticipated, whatever tau0; m, or in metric units radii. Larger ones are seen by as "
     "much earlier as they are larger.",
     THRONG_PARAM_NUMBER, 0, 40, 100, NULL, "chosen: farther than a tau0 of 20 has people look", FIELD(reach)},
    {"hurry", "",
     "How avoiding others may make people faster. forward: only along the way they want; anyway: in any direction, as "
     "in the paper, and dense crowds do not come to rest; by_units: forward in metric units.",
     THRONG_PARAM_CHOICE, THRONG_PBD_BY_UNITS, THRONG_PBD_BY_UNITS, THRONG_PBD_ANYWAY, hurries,
     "chosen: queues stand still", FIELD(hurry)},
    {"expansion", "", "Discs are kept apart as if they were so many times larger.", THRONG_PARAM_NUMBER, 1, 1.05, 2,
     NULL, TABLE, FIELD(expansion)},
    {"friction", "", "Friction between people in contact.", THRONG_PARAM_NUMBER, 0, 0.21, 10, NULL, TABLE,
     FIELD(friction)},
    {"cohesion", "",
     "How people even out their velocities. stabilised: those of a group, at any density; printed: everybody, as in "
     "the "
     "paper, shaky where people are denser than 4.5 radii apart.",
     THRONG_PARAM_CHOICE, THRONG_PBD_NO_COHESION, THRONG_PBD_STABILISED, THRONG_PBD_PRINTED, cohesions,
     "Weiss et al. 2019, eq. 13; normalised", FIELD(cohesion)},
    {"cohesion_c", "", "The constant c of that, when printed.", THRONG_PARAM_NUMBER, 0, 217, 10000, NULL,
     "Weiss et al. 2019, sec. 3.8", FIELD(cohesion_c)},
    {"cohesion_time", "s", "How long that takes, when stabilised.", THRONG_PARAM_NUMBER, 0.001, 0.5, 1000, NULL,
     "chosen: visible, and slower than avoiding", FIELD(cohesion_time)},
    {"cohesion_reach", "", "Who is farther away does not matter for it; m, or in metric units radii.",
     THRONG_PARAM_NUMBER, 0.1, 7, 100, NULL, "Weiss et al. 2019, sec. 3.8", FIELD(cohesion_reach)},
    {"relaxation_time", "s", "How fast the velocity returns to the wish.", THRONG_PARAM_NUMBER, 0.001, 0.541, 100, NULL,
     TABLE ": 0.0385 in 1/48 s", FIELD(relaxation_time)},
    {"max_acceleration", "m/s^2", "Velocities change no faster.", THRONG_PARAM_NUMBER, 0.01, 5.1, 1000, NULL, TABLE,
     FIELD(max_acceleration)},
    {"max_speed_factor", "", "Nobody walks faster than so many times its desired speed.", THRONG_PARAM_NUMBER, 0.1, 1.2,
     100, NULL, "chosen: sliding past others makes people fast", FIELD(max_speed_factor)},
    {"clamp", "",
     "What that limits. whole: all that moves people, but out of walls and out of overlap; anticipation: what they "
     "plan "
     "and anticipate, while contact pushes them as far as it takes.",
     THRONG_PARAM_CHOICE, THRONG_PBD_WHOLE, THRONG_PBD_WHOLE, THRONG_PBD_BEFORE_CONTACT, clamps,
     "Weiss et al. 2019, sec. 3.7 and algorithm 1", FIELD(clamp)},
    {"iterations", "", "How often a sub-step corrects; the first profile's.", THRONG_PARAM_WHOLE, 1, 6, 100, NULL,
     TABLE, FIELD(iterations)},
    {"stability_iterations", "", "How often a sub-step moves apart who overlaps at its start; the first profile's.",
     THRONG_PARAM_WHOLE, 0, 1, 100, NULL, TABLE, FIELD(stability_iterations)},
    {"averaging", "", "How much more than their average corrections have effect.", THRONG_PARAM_NUMBER, 0.1, 1.2, 2,
     NULL, TABLE, FIELD(averaging)},
    {"substep", "s",
     "Sub-steps are no longer, nor so long that somebody of the first person's radius walks 0.12 radii in one at 1.4 "
     "m/s; the "
     "first profile's.",
     THRONG_PARAM_NUMBER, 1e-5, 1.0 / 48, 10, NULL, TABLE, FIELD(substep)},
    {"turning_rate", "rad/s", "Whoever walks turns no faster than so, but for contact; 0: at will.",
     THRONG_PARAM_NUMBER, 0, 0, 100, NULL, "chosen: off; named as future work by Weiss et al. 2019",
     FIELD(turning_rate)},
    {"backward_speed", "m/s", "Nobody steps back from where it wants to go any faster, but for contact; 10: at will.",
     THRONG_PARAM_NUMBER, 0, 10, 10, NULL, "chosen: off; named as future work by Weiss et al. 2019",
     FIELD(backward_speed)},
    {"formation", "", "How firmly people keep their places in their group, as they were at first; 0: not at all.",
     THRONG_PARAM_NUMBER, 0, 0, 1, NULL, "chosen: off; named as future work by Weiss et al. 2019", FIELD(formation)},
};

static const throng_habit_default habits[] = {
    {"symmetry", 0.01, "chosen: or two would meet exactly head-on"},
    {"yielding", 4, "chosen: people of 0.5 m get through a door of 0.8 m"},
    {"sidestep", 4, "chosen: or people who meet carry each other along"},
};

static const char *const common[] = {"iterations", "stability_iterations", "substep", NULL};

static const throng_column columns[] = {{"formation", sizeof(throng_pbd_place), true}};

static void *create(void) {
    throng_pbd *s = throng_allocate(sizeof *s);
    wide8_fill_order(s->order);
    return s;
}

static void destroy(void *model) {
    throng_pbd *s = model;
    void *arrays[] = {s->block,          s->laws,        s->law_used, s->squads,      s->tallies,
                      s->contacts.entry, s->ahead.entry, s->walls,    s->images.slots};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) throng_release(arrays[k]);
    throng_release(s);
}

/* How far somebody who walks as fast as it wants looks ahead, at 1.4 m/s where that matters; as reach. */
static double look_of(const throng_pbd_params *p) {
    return 2 * (1 + THRONG_PBD_ORDINARY_SPEED * throng_pbd_horizon(p));
}

static void tell_short_reach(throng_pbd *s, const throng_model_setup *setup) {
    for (size_t k = 0; k < setup->profile_count && !s->told_short; k++) {
        const throng_pbd_params *p = setup->params[k];
        if (!p || p->anticipation == THRONG_PBD_NONE || p->reach >= look_of(p)) continue;
        throng_report_add(setup->report, THRONG_WARNING, 0, 0, "reach",
                          "with 'tau0' %g people of model 'pbd' would look %.3g %s ahead: 'reach' %g is less", p->tau0,
                          look_of(p), p->units == THRONG_PBD_METRIC ? "radii" : "m", p->reach);
        s->told_short = true;
    }
}

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    throng_pbd *s = model;
    if (setup->dt > 2 && !s->told_slow) {
        throng_report_add(
            setup->report, THRONG_WARNING, 0, 0, "dt",
            "with steps of %g s people of model 'pbd' walk long without looking where to: take 2 s or less", setup->dt);
        s->told_slow = true;
    }
    tell_short_reach(s, setup);
    size_t workers = (size_t)setup->workers;
    if (workers > s->workers) {
        s->tallies = throng_reallocate(s->tallies, workers * sizeof *s->tallies);
        for (size_t w = s->workers; w < workers; w++) s->tallies[w] = (throng_pbd_tally){0};
        s->workers = workers;
    }
    THRONG_GROW(s->laws, s->law_capacity, setup->profile_count);
    s->law_count = setup->profile_count;
    s->law_used = throng_reallocate(s->law_used, s->workers * setup->profile_count);
    return true;
}

static void archive(void *model, throng_archive *archive) {
    throng_pbd *s = model;
    throng_archive_mark(archive, "pbd");
    THRONG_ARCHIVE(archive, s->step_count);
    THRONG_ARCHIVE(archive, s->substep_count);
    THRONG_ARCHIVE(archive, s->guarded);
}

static void figures(const void *model, throng_figure_function figure, void *context) {
    static const char *const names[] = {"take_ms",       "plan_ms",        "list_ms",   "stability_ms",
                                        "long_range_ms", "short_range_ms", "finish_ms", "cohesion_ms"};
    const throng_pbd *s = model;
    throng_parts_tell(&s->parts, "pbd", names, THRONG_PBD_PART_COUNT, s->step_count, figure, context);
    figure(context, "pbd", "substeps", (double)s->substep_count);
    figure(context, "pbd", "stopped_at_walls", (double)s->guarded);
}

/* In metric units that depends on people; the world sees to some metres anyway. */
static double reach(const void *model_params) {
    const throng_pbd_params *p = model_params;
    if (p->units == THRONG_PBD_METRIC) return 0;
    return fmax(fmin(p->reach, look_of(p)), p->cohesion_reach);
}

const throng_model throng_model_pbd = {
    .name = "pbd",
    .title = "Position-based crowds: large and dense, by projecting positions",
    .citation =
        "T. Weiss, A. Litteneker, C. Jiang, D. Terzopoulos: Position-based real-time simulation of large crowds. "
        "Computers & Graphics 78, 2019, 12-22.",
    .default_dt = 1.0 / 24,
    .params = params,
    .common = common,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_pbd_params),
    .habits = habits,
    .habit_count = sizeof habits / sizeof *habits,
    .step = throng_pbd_step,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .archive = archive,
    .figures = figures,
    .reach = reach,
    .solid = throng_wholly_solid,
};
