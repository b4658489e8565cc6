/* implicit.c: the model `implicit`: everybody's velocities from one optimisation. implicit.h tells how it works. */

#include "models/implicit/implicit.h"

#include <stddef.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/report.h"
#include "models/common.h"
#include "models/models.h"

#define FIELD(name) offsetof(throng_implicit_params, name)
#define PAPER       "Karamouzas et al. 2017, sec. 6"

static const double coupling_least = 0.03; /* of what holds a walker to its velocity: weaker couplings are left out */

static const char *const hidden_words[] = {"ignored", "avoided", NULL};
static const char *const repulsions[] = {"r10", "paper", NULL};
static const char *const solvers[] = {"newton", "lbfgs", NULL};

static const throng_param params[] = {
    {"k", "m^2/s", "How strongly people avoid collisions to come.", THRONG_PARAM_NUMBER, 0, 2, 100, NULL, PAPER,
     FIELD(k)},
    {"p", "",
     "How fast that grows as a collision comes nearer; more than 1. 3.25 gives the law measured by Karamouzas et al. "
     "2014.",
     THRONG_PARAM_NUMBER, 1.01, 2, 10, NULL, PAPER, FIELD(p)},
    {"tau0", "s", "How far ahead people look.", THRONG_PARAM_NUMBER, 0.1, 3, 100, NULL, PAPER, FIELD(tau0)},
    {"epsilon", "", "How much of the edge of the colliding velocities is smoothed.", THRONG_PARAM_NUMBER, 0.01, 0.2,
     0.9, NULL, PAPER, FIELD(epsilon)},
    {"eta", "m^3/s^2", "How strongly people and walls near by repel.", THRONG_PARAM_NUMBER, 1e-6, 0.01, 10, NULL, PAPER,
     FIELD(eta)},
    {"xi", "1/s", "How strongly people want to walk as they wish.", THRONG_PARAM_NUMBER, 0, 2, 100, NULL, PAPER,
     FIELD(xi)},
    {"neighbour_dist", "m", "People and walls farther away are not looked at, unless they could be met within a step.",
     THRONG_PARAM_NUMBER, 0, 10, 100, NULL, PAPER, FIELD(neighbour_dist)},
    {"hidden", "",
     "ignored: nobody minds people behind walls who cannot be met within the step; avoided: walls hide nobody, as in "
     "the paper.",
     THRONG_PARAM_CHOICE, THRONG_IMPLICIT_IGNORED, THRONG_IMPLICIT_IGNORED, THRONG_IMPLICIT_AVOIDED, hidden_words,
     "chosen: people in the next room are no reason to give way", FIELD(hidden)},
    {"repulsion", "",
     "r10: rounded where neighbours walk in parallel, ends at 1 m; paper: as printed, with a kink that no solver "
     "likes.",
     THRONG_PARAM_CHOICE, THRONG_IMPLICIT_R10, THRONG_IMPLICIT_R10, THRONG_IMPLICIT_PAPER, repulsions,
     "chosen: differs by less than 5 % of a gap, and the solvers converge", FIELD(repulsion)},
    {"solver", "", "newton: fast; lbfgs: as in the paper, for comparison.", THRONG_PARAM_CHOICE, THRONG_IMPLICIT_NEWTON,
     THRONG_IMPLICIT_NEWTON, THRONG_IMPLICIT_LBFGS, solvers, "chosen: several times as fast", FIELD(solver)},
    {"max_iterations", "",
     "The solver stops after so many; nobody collides then either. 0: 40 for newton, 100 for lbfgs.",
     THRONG_PARAM_WHOLE, 0, 0, 10000, NULL, "chosen; lbfgs: " PAPER, FIELD(max_iterations)},
    {"tolerance", "m/s",
     "The solver is done when its next step would change velocities by less than this. newton: in the root mean square "
     "of an island, and few by more, who go on alone; lbfgs: anybody's. 0: 0.005 for newton, 0.00001 for lbfgs.",
     THRONG_PARAM_NUMBER, 0, 0, 1, NULL, "chosen; lbfgs: " PAPER, FIELD(tolerance)},
};

static const char *const common[] = {"k",      "p",         "tau0",   "epsilon",        "eta",       "neighbour_dist",
                                     "hidden", "repulsion", "solver", "max_iterations", "tolerance", NULL};

static const throng_habit_default habits[] = {
    {"symmetry", 5e-3, "chosen: five times what is enough for two who meet"},
    {"yielding", 2, "chosen: or arches before narrow doors last for ever"},
    {"sidestep", 4, "chosen: or dense streams that meet at a corner lock"},
};

static void *create(void) {
    throng_implicit *s = throng_allocate(sizeof *s);
    s->counts.gap_least = INFINITY;
    return s;
}

static void destroy(void *model) {
    throng_implicit *s = model;
    throng_implicit_release_cache(&s->cache);
    throng_implicit_release_walkers(&s->walkers);
    throng_implicit_release_walls(&s->walls);
    throng_implicit_release_islands(&s->islands);
    throng_implicit_release_solver(&s->solver);
    throng_release(s);
}

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    throng_implicit *s = model;
    s->walls_number = throng_implicit_number_walls(setup->walls);
    if (setup->dt > 2 && !s->told_slow) {
        throng_report_add(setup->report, THRONG_WARNING, 0, 0, "dt",
                          "with steps of %g s people of model 'implicit' walk slower than they would: take 2 s or less",
                          setup->dt);
        s->told_slow = true;
    }
    return true;
}

/* --- a step */

static throng_implicit_law law_of(const throng_implicit_params *p, double dt) {
    return (throng_implicit_law){.dt = dt,
                                 .k = p->k,
                                 .p = p->p,
                                 .tau0 = p->tau0,
                                 .eps = p->epsilon,
                                 .eta = p->eta,
                                 .kr = 0.1,
                                 .gc = 1,
                                 .printed = p->repulsion == THRONG_IMPLICIT_PAPER};
}

/* Those who have left since get theirs too: what there is for the others must not depend on when lists are made. */
static void make_lists(throng_implicit *m, bool sees_all) {
    throng_implicit_solver *s = &m->solver;
    throng_implicit_walkers *w = &m->walkers;
    throng_implicit_look_at(s, w->mine, w->mine_count);
    if (w->gone > 0) {
        size_t count = 0;
        for (uint32_t slot = 0; slot < w->near->count; slot++) {
            w->own[slot] = !throng_implicit_is_other(&m->cache, slot);
            if (w->own[slot]) s->active.awake[count++] = slot;
        }
        throng_implicit_look_at(s, s->active.awake, count);
    }
    throng_implicit_find_walls(s, sees_all);
    throng_implicit_find_neighbours(s);
    throng_implicit_find_islands(&m->islands, s);
    throng_implicit_note_islands(&m->cache, m->islands.of);
    if (w->gone == 0) return;
    memset(w->own, 0, w->near->count);
    for (size_t k = 0; k < w->mine_count; k++) w->own[w->mine[k]] = 1;
}

void throng_implicit_begin(throng_implicit *m, const throng_step *now) {
    const throng_implicit_params *first = now->common;
    throng_implicit_walkers *w = &m->walkers;
    throng_implicit_solver *s = &m->solver;
    w->now = now;
    w->law = law_of(first, now->dt);
    w->neighbour_dist = first->neighbour_dist;
    w->coupling_least = coupling_least * (1 / now->dt + first->xi);
    throng_implicit_open_cache(&m->cache, w, first->hidden, m->walls_number);
    throng_implicit_take_walkers(w, &m->cache);
    s->walkers = w, s->walls = &m->walls, s->counts = &m->counts, s->crew = now->crew;
    if (!throng_implicit_begin_solver(s)) m->cache.listed = false;
    if (!m->cache.listed) make_lists(m, first->hidden == THRONG_IMPLICIT_AVOIDED);
    m->cache.listed = w->near == &m->cache.near;
    throng_implicit_look_at(s, w->mine, w->mine_count);
    throng_implicit_see_walls(s);
    throng_implicit_unite(&m->islands, s);
}

/* A solver's settings, where 0 stands for its own. */
static throng_implicit_params settings_of(const throng_implicit_params *given) {
    throng_implicit_params p = *given;
    bool newton = p.solver == THRONG_IMPLICIT_NEWTON;
    if (p.max_iterations == 0) p.max_iterations = newton ? 40 : 100;
    if (p.tolerance == 0) p.tolerance = newton ? 5e-3 : 1e-5;
    return p;
}

static void step(void *model, const throng_step *now) {
    throng_implicit *s = model;
    const throng_implicit_params *first = now->common;
    throng_implicit_params p = settings_of(first);
    throng_implicit_begin(s, now);
    throng_implicit_solve(&s->islands, &s->solver, &p);
    s->counts.steps++;
    s->packed += s->walkers.packed;
    s->counts.residual_most = fmax(s->counts.residual_most, s->counts.residual);
    throng_implicit_finish(&s->solver);
}

static void archive(void *model, throng_archive *archive) {
    throng_implicit *s = model;
    throng_archive_mark(archive, "implicit");
    THRONG_ARCHIVE(archive, s->counts);
    throng_implicit_archive_cache(&s->cache, archive);
}

static double reach(const void *model_params) { return ((const throng_implicit_params *)model_params)->neighbour_dist; }

static void figures(const void *model, throng_figure_function figure, void *context) {
    const throng_implicit_counts *c = &((const throng_implicit *)model)->counts;
    double steps = c->steps > 0 ? (double)c->steps : 1;
    figure(context, "implicit", "steps", (double)c->steps);
    figure(context, "implicit", "iterations_mean", (double)c->iterations / steps);
    figure(context, "implicit", "iterations_max", (double)c->iterations_most);
    figure(context, "implicit", "inner_mean", (double)c->inner / steps);
    figure(context, "implicit", "evaluations_mean", (double)c->evaluations / steps);
    figure(context, "implicit", "steps_at_cap", (double)c->capped);
    figure(context, "implicit", "fallbacks", (double)c->fallbacks);
    figure(context, "implicit", "standstills", (double)c->standstills);
    figure(context, "implicit", "squeezed", (double)c->squeezed);
    figure(context, "implicit", "packed", (double)((const throng_implicit *)model)->packed);
    figure(context, "implicit", "objective", c->objective);
    figure(context, "implicit", "residual", c->residual);
    figure(context, "implicit", "residual_max", c->residual_most);
    figure(context, "implicit", "gap_min_m", c->gap_least);
    figure(context, "implicit", "violations", (double)c->violations);
}

const throng_model throng_model_implicit = {
    .name = "implicit",
    .title = "Implicit crowds: nobody ever overlaps, at any time step",
    .citation =
        "I. Karamouzas, N. Sohre, R. Narain, S. J. Guy: Implicit crowds: optimization integrator for robust crowd "
        "simulation. ACM Transactions on Graphics 36(4), 2017, 136.",
    .default_dt = 0.1,
    .params = params,
    .common = common,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_implicit_params),
    .step = step,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .habits = habits,
    .habit_count = sizeof habits / sizeof *habits,
    .archive = archive,
    .figures = figures,
    .reach = reach,
    .keeps_apart = true,
    .solid = throng_wholly_solid,
};
