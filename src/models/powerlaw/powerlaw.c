/* powerlaw.c: the model `powerlaw`: an explicit force from the time to collision. powerlaw.h tells how
 * it works. */

#include <math.h>
#include <stddef.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/report.h"
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
    bool told; /* that steps are divided */

    /* Sub-steps: where people are in them. */
    throng_near near;
    double *x, *y, *vx, *vy; /* [slot] */
    double *drift2;          /* [worker] m^2, the longest way from where the grid has somebody */
    size_t capacity;
} state;

typedef struct advance {
    state *s;
    const throng_step *part; /* the sub-step that has been decided */
    const throng_near *begin;
} advance;

static const char *const counted[] = {"decisions", "clamped", "stopped_at_wall"};
enum { COUNTED = sizeof counted / sizeof *counted };

static void *create(void) { return throng_allocate(sizeof(state)); }

static void destroy(void *model) {
    state *s = model;
    void *arrays[] = {s->counts, s->x, s->y, s->vx, s->vy, s->drift2};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) throng_release(arrays[k]);
    throng_release(s);
}

static int substeps(const throng_powerlaw_params *first, double dt) {
    double count = ceil(dt / first->substep - 1e-6);
    return count > 1 ? (int)fmin(count, 1e6) : 1;
}

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    state *s = model;
    s->counts = throng_tallies_grow(s->counts, &s->workers, (size_t)setup->workers);
    s->drift2 = throng_reallocate(s->drift2, s->workers * sizeof *s->drift2);
    int count = substeps(setup->common, setup->dt);
    if (count > 1 && !s->told) {
        throng_report_add(setup->report, THRONG_NOTE, 0, 0, "dt",
                          "each step of %g s is %d sub-steps for people of model 'powerlaw', which can stand no longer "
                          "ones than its 'substep'",
                          setup->dt, count);
        s->told = true;
    }
    return true;
}

static void make_room(state *s, size_t slots) {
    if (slots <= s->capacity) return;
    s->capacity = slots + slots / 8 + 16;
    double **columns[] = {&s->x, &s->y, &s->vx, &s->vy};
    for (size_t k = 0; k < 4; k++) *columns[k] = throng_reallocate(*columns[k], s->capacity * sizeof(double));
}

/* Everybody goes on to the next sub-step: as decided, and images with their originals; those of other models as they
 * do. */
static void go_on(void *context, size_t begin, size_t end, int worker) {
    const advance *a = context;
    const throng_step *part = a->part;
    const throng_near *near = a->begin;
    state *s = a->s;
    double drift2 = s->drift2[worker];
    for (size_t slot = begin; slot < end; slot++) {
        uint32_t row = near->row[slot], self = near->slot[row];
        bool own = part->params[part->people.profile[row]];
        s->vx[slot] = own ? part->next_vx[row] : near->vx[slot];
        s->vy[slot] = own ? part->next_vy[row] : near->vy[slot];
        s->x[slot] =
            own ? part->next_x[row] + (near->x[slot] - near->x[self]) : s->near.x[slot] + s->vx[slot] * part->dt;
        s->y[slot] =
            own ? part->next_y[row] + (near->y[slot] - near->y[self]) : s->near.y[slot] + s->vy[slot] * part->dt;
        double dx = s->x[slot] - near->x[slot], dy = s->y[slot] - near->y[slot], d2 = dx * dx + dy * dy;
        drift2 = d2 > drift2 ? d2 : drift2;
    }
    s->drift2[worker] = drift2;
}

static void step(void *model, const throng_step *now) {
    enum { GRAIN = 64, GRAIN_ON = 1024 };
    state *s = model;
    int count = substeps(now->common, now->dt);
    throng_step part = *now;
    part.dt = now->dt / count;
    part.near = &s->near;
    s->near = *now->near;
    double *decided[] = {now->next_x, now->next_y, now->next_vx, now->next_vy};
    if (count > 1) make_room(s, now->near->count);
    for (size_t w = 0; w < s->workers; w++) s->drift2[w] = 0;
    bool use_wide = now->simd && throng_wide_supported();
    throng_work decide = use_wide ? throng_powerlaw_decide_avx2 : throng_powerlaw_decide_plain;
    for (int k = 0; k < count; k++) {
        throng_powerlaw_job job = {&part, s->counts, k > 0};
        throng_parallel_for(now->crew, now->mine_count, GRAIN, decide, &job);
        if (k + 1 == count) break;
        if (now->follow) now->follow(now->halo, decided, 4);
        advance a = {s, &part, now->near};
        throng_parallel_for(now->crew, now->near->count, GRAIN_ON, go_on, &a);
        double most2 = 0;
        for (size_t w = 0; w < s->workers; w++) most2 = fmax(most2, s->drift2[w]);
        s->near.x = s->x, s->near.y = s->y, s->near.vx = s->vx, s->near.vy = s->vy;
        s->near.drift = sqrt(most2) * (1 + 1e-9) + 1e-9;
    }
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
