/* orca.c: the model `orca`, optimal reciprocal collision avoidance, and letting people decide by it, whichever model
 * they belong to. orca.h tells how it works. */

#include <stddef.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/wide.h"
#include "models/models.h"
#include "models/orca/orca.h"
#include "space/near.h"

#define FIELD(name) offsetof(throng_orca_params, name)

static const throng_param params[] = {
    {"max_neighbours", "", "How many of the nearest people are avoided.", THRONG_PARAM_WHOLE, 0, 10,
     THRONG_ORCA_NEIGHBOURS, NULL, "the value in RVO2's examples", FIELD(max_neighbours)},
    {"neighbour_dist", "m", "People farther away (centre to centre) are not avoided.", THRONG_PARAM_NUMBER, 0, 5, 100,
     NULL, "chosen: about how much two people who meet come closer in 2 s", FIELD(neighbour_dist)},
    {"time_horizon", "s", "How far ahead collisions with people are avoided; at least one step.", THRONG_PARAM_NUMBER,
     0.01, 2, 100, NULL, "chosen: the lone person of Karamouzas et al. 2017, fig. 10, stops as it does there",
     FIELD(time_horizon)},
    {"time_horizon_obst", "s", "How far ahead collisions with walls are avoided; at least one step.",
     THRONG_PARAM_NUMBER, 0.01, 0.5, 100, NULL, "chosen: longer ones hold people back from doors",
     FIELD(time_horizon_obst)},
};

static const throng_habit_default habits[] = {{"symmetry", 1e-4, "RVO2's examples turn wishes by so much"}};

const throng_orca_kernel *throng_orca_kernel_for(const throng_step *step) {
    return step->simd && throng_wide_supported() ? &throng_orca_avx2 : &throng_orca_plain;
}

void throng_orca_see(void *job, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_orca_job *orca = job;
    const throng_near *near = orca->step->near;
    for (size_t slot = begin; slot < end; slot++) {
        /* who has decided already does not yield */
        orca->seen[slot] = (throng_orca_seen){near->x[slot],  near->y[slot],      near->vx[slot],
                                              near->vy[slot], near->radius[slot], near->moved[slot] ? 1.0 : 0.5};
    }
}

void throng_orca_decide(throng_orca_job *job) {
    enum { GRAIN = 128, SEEN_GRAIN = 4096 };
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, step->near->count, SEEN_GRAIN, throng_orca_see, job);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, throng_orca_kernel_for(step)->decide, job);
}

typedef struct state {
    throng_orca_counts *counts; /* [worker] */
    size_t workers;
    throng_orca_seen *seen; /* [slot] */
    size_t seen_capacity;
} state;

static const char *const counted[] = {"decisions", "relaxed", "stopped_at_wall"};
enum { COUNTED = sizeof counted / sizeof *counted };

static void *create(void) { return throng_allocate(sizeof(state)); }

static void destroy(void *model) {
    state *s = model;
    THRONG_RELEASE(s->counts, s->seen, s);
}

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    state *s = model;
    s->counts = throng_tallies_grow(s->counts, &s->workers, (size_t)setup->workers);
    return true;
}

static void step(void *model, const throng_step *now) {
    state *s = model;
    THRONG_GROW(s->seen, s->seen_capacity, now->near->count);
    throng_orca_job job = {.step = now, .counts = s->counts, .seen = s->seen};
    throng_orca_decide(&job);
}

static void archive(void *model, throng_archive *archive) {
    state *s = model;
    throng_tallies_archive(s->counts, s->workers, COUNTED, archive);
}

static double reach(const void *model_params) { return ((const throng_orca_params *)model_params)->neighbour_dist; }

static void figures(const void *model, throng_figure_function figure, void *context) {
    const state *s = model;
    throng_tallies_tell(s->counts, s->workers, "orca", counted, COUNTED, figure, context);
}

const throng_model throng_model_orca = {
    .name = "orca",
    .title = "Optimal reciprocal collision avoidance",
    .citation =
        "J. van den Berg, S. J. Guy, M. Lin, D. Manocha: Reciprocal n-body collision avoidance. "
        "Robotics Research (ISRR 2009), Springer 2011, 3-19.",
    .default_dt = 0.1,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_orca_params),
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
