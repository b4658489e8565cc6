/* powerlaw.c: the model `powerlaw`: an explicit force from the time to collision. powerlaw.h tells how
 * it works. */

#include <stddef.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/wide.h"
#include "models/models.h"
#include "models/powerlaw/powerlaw.h"

#define FIELD(name) offsetof(throng_powerlaw_params, name)

static const throng_param params[] = {
    {"k", "", "Scale of the interaction energy k tau^-m exp(-tau / tau0), for unit mass.", THRONG_PARAM_NUMBER, 0, 1.5,
     100, NULL, "the authors' example", FIELD(k)},
    {"m", "", "Exponent of the energy.", THRONG_PARAM_NUMBER, 0.5, 2, 8, NULL, "Karamouzas et al. 2014: measured",
     FIELD(m)},
    {"tau0", "s", "Collisions later than about this are not cared for.", THRONG_PARAM_NUMBER, 0.1, 3, 100, NULL,
     "Karamouzas et al. 2014: estimated", FIELD(tau0)},
    {"relaxation_time", "s", "How fast the velocity returns to the wish.", THRONG_PARAM_NUMBER, 0.01, 0.54, 100, NULL,
     "the authors' example", FIELD(relaxation_time)},
    {"neighbour_dist", "m", "People (centre to centre) and walls farther away are not cared for.", THRONG_PARAM_NUMBER,
     0, 10, 100, NULL, "the authors' example", FIELD(neighbour_dist)},
    {"max_acceleration", "m/s^2", "The most that all forces together do; without it grazing contacts explode.",
     THRONG_PARAM_NUMBER, 0.1, 20, 1000, NULL, "the authors' example", FIELD(max_acceleration)},
    {"separation", "1/s^2", "A damped spring with this stiffness drives apart who overlap; 0: as in the authors' code.",
     THRONG_PARAM_NUMBER, 0, 200, 10000, NULL, "chosen: nobody stays inside another at a door of 0.7 m",
     FIELD(separation)},
    {"substep", "s", "Longer steps of the world are divided into sub-steps no longer than this; the first profile's.",
     THRONG_PARAM_NUMBER, 1e-4, 0.01, 10, NULL, "the authors' example: its step", FIELD(substep)},
};

static const throng_habit_default habits[] = {{"symmetry", 1e-4, "as orca"}};

static const char *const common[] = {"substep", NULL};

typedef struct state {
    throng_powerlaw_counts *counts; /* [worker] */
    size_t workers;
    throng_divided divided;
} state;

static const char *const counted[] = {"decisions", "clamped", "stopped_at_wall"};
enum { COUNTED = sizeof counted / sizeof *counted };

static void *create(void) { return throng_allocate(sizeof(state)); }

static void destroy(void *model) {
    state *s = model;
    throng_divided_release(&s->divided);
    throng_release(s->counts);
    throng_release(s);
}

static double substep(const void *first) { return ((const throng_powerlaw_params *)first)->substep; }

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    state *s = model;
    s->counts = throng_tallies_grow(s->counts, &s->workers, (size_t)setup->workers);
    throng_divided_prepare(&s->divided, setup, "powerlaw", substep(setup->common));
    return true;
}

static void step(void *model, const throng_step *now) {
    state *s = model;
    bool use_wide = now->simd && throng_wide_supported();
    throng_work decide = use_wide ? throng_powerlaw_decide_avx2 : throng_powerlaw_decide_plain;
    throng_divided_step(&s->divided, now, substep(now->common), decide, s->counts);
}

static void archive(void *model, throng_archive *archive) {
    state *s = model;
    throng_tallies_archive(s->counts, s->workers, COUNTED, archive);
}

static double reach(const void *model_params) { return ((const throng_powerlaw_params *)model_params)->neighbour_dist; }

static void figures(const void *model, throng_figure_function figure, void *context) {
    const state *s = model;
    throng_tallies_tell(s->counts, s->workers, "powerlaw", counted, COUNTED, figure, context);
}

const throng_model throng_model_powerlaw = {
    .name = "powerlaw",
    .title = "Power law of the time to collision, explicit",
    .citation =
        "I. Karamouzas, B. Skinner, S. J. Guy: Universal power law governing pedestrian interactions. "
        "Physical Review Letters 113, 238701, 2014.",
    .default_dt = 0.01,
    .params = params,
    .common = common,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_powerlaw_params),
    .habits = habits,
    .habit_count = sizeof habits / sizeof *habits,
    .step = step,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .archive = archive,
    .figures = figures,
    .reach = reach,
    .divides = true,
};
