/* forces.c: the model `orca-forces`. forces.h tells how it works. */

#include "models/orca-forces/forces.h"

#include <math.h>
#include <string.h>

#include "base/archive.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/report.h"
#include "models/models.h"

#define FIELD(name) offsetof(throng_forces_params, name)

static const char *const pushing_words[] = {"never", "held_up", "always", NULL};

static const throng_param params[] = {
    {"max_neighbours", "", "How many of the nearest people are avoided.", THRONG_PARAM_WHOLE, 0, 10,
     THRONG_ORCA_NEIGHBOURS, NULL, "as in orca", FIELD(orca.max_neighbours)},
    {"neighbour_dist", "m", "People farther away (centre to centre) are not avoided.", THRONG_PARAM_NUMBER, 0, 5, 100,
     NULL, "as in orca", FIELD(orca.neighbour_dist)},
    {"time_horizon", "s", "How far ahead collisions with people are avoided; at least one sub-step.",
     THRONG_PARAM_NUMBER, 0.01, 2, 100, NULL, "as in orca", FIELD(orca.time_horizon)},
    {"time_horizon_obst", "s", "How far ahead collisions with walls are avoided; at least one sub-step.",
     THRONG_PARAM_NUMBER, 0.01, 0.5, 100, NULL, "as in orca", FIELD(orca.time_horizon_obst)},
    {"forces", "", "Whether forces act on people and they give any.", THRONG_PARAM_BOOL, 0, 1, 1, NULL,
     "false is the comparison of Kim et al. 2013, sec. 6.1", FIELD(forces)},
    {"pushing", "", "Who pushes those in the way: nobody, who is held up, or always.", THRONG_PARAM_CHOICE, 0,
     THRONG_PUSHES_HELD_UP, 2, pushing_words, "chosen: in crowds people push; the paper's agents are told to",
     FIELD(pushing)},
    {"strength", "N", "How hard somebody pushes, shared among those in its way.", THRONG_PARAM_NUMBER, 0, 150, 5000,
     NULL, "chosen: people push with 50 to 300 N", FIELD(strength)},
    {"patience", "", "Held up is who gets on with less than this part of its desired speed.", THRONG_PARAM_NUMBER, 0,
     0.5, 1, NULL, "chosen", FIELD(patience)},
    {"reach", "m", "Between surfaces: how near somebody must be to be pushed.", THRONG_PARAM_NUMBER, 0, 0.15, 2, NULL,
     "chosen; the paper does not tell", FIELD(reach)},
    {"push_angle", "deg", "Those within this angle from the desired direction are in the way.", THRONG_PARAM_NUMBER, 0,
     45, 180, NULL, "chosen; the paper does not tell", FIELD(push_angle)},
    {"deceleration_angle", "deg", "theta_d: those within this angle from the motion take part in slowing down.",
     THRONG_PARAM_NUMBER, 0, 45, 90, NULL, "chosen; the paper does not tell", FIELD(decelerate_angle)},
    {"resistance_angle", "deg", "theta_r: those within this angle from where the force leads take part in resisting.",
     THRONG_PARAM_NUMBER, 0, 45, 180, NULL, "chosen; the paper does not tell", FIELD(resist_angle)},
    {"transfer", "", "k_thresh: the part of such forces that is not absorbed by the body.", THRONG_PARAM_NUMBER, 0, 0.5,
     1, NULL, "chosen: 0.2 to 0.9 change little", FIELD(transfer)},
    {"restitution", "", "Of collisions between people: 0 they stay together, 1 nothing is lost.", THRONG_PARAM_NUMBER,
     0, 0, 1, NULL, "chosen", FIELD(restitution)},
    {"core", "", "Centres are kept apart by this part of the sum of radii; the rest is soft.", THRONG_PARAM_NUMBER, 0,
     0.65, 1, NULL, "chosen: with rigid bodies (1) pushing slows the flow down", FIELD(core)},
    {"push_out", "", "Sweeps that move people out of each other's core; 0: none.", THRONG_PARAM_WHOLE, 0, 8, 100, NULL,
     "chosen", FIELD(push_out)},
};

static const throng_habit_default habits[] = {
    {"symmetry", 1e-4, "as orca"},
    {"give_way", 3, "chosen: doors for one come free, where without it most jam for good"}};

enum { CARRY_X, CARRY_Y, COLUMN_COUNT };

static const throng_column columns[COLUMN_COUNT] = {{"carry_x", sizeof(double), true},
                                                    {"carry_y", sizeof(double), true}};

static void *create(void) {
    throng_forces *s = throng_allocate(sizeof *s);
    s->lists = throng_near_lists_create();
    s->list_room = 12; /* to begin with; in a packed crowd there are more */
    return s;
}

static void destroy(void *model) {
    throng_forces *s = model;
    void *arrays[] = {s->laws,       s->orca_counts, s->counts,      s->moved,        s->drift2,      s->x,
                      s->y,          s->vx,          s->vy,          s->law,          s->mass,        s->bodies,
                      s->f_x,        s->f_y,         s->load,        s->targets,      s->ordered,     s->pairs,
                      s->hit_count,  s->push_count,  s->own_x,       s->own_y,        s->own_c,       s->gifts,
                      s->gives,      s->takes,       s->to,          s->was,          s->close_count, s->close_start,
                      s->close,      s->wall_count,  s->walls,       s->pressed_wall, s->pressed_x,   s->pressed_y,
                      s->leant_wall, s->leant,       s->pushed_wall, s->pushed,       s->vicinities,  s->known,
                      s->wall_free2, s->wall_gap,    s->wall_reach,  s->close_apart,  s->close_part,  s->spots,
                      s->seen,       s->is_moved,    s->was_moved,   s->tight,        s->nearest,     s->nearest_count,
                      s->look_hint,  s->wanted,      s->wanted_start};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) throng_release(arrays[i]);
    throng_near_lists_destroy(s->lists);
    throng_release(s);
}

static void make_workers(throng_forces *s, size_t workers) {
    if (workers <= s->workers) return;
    size_t before = s->workers, same = s->workers;
    s->orca_counts = throng_tallies_grow(s->orca_counts, &same, workers);
    s->counts = throng_tallies_grow(s->counts, &s->workers, workers);
    s->moved = throng_reallocate(s->moved, workers * sizeof *s->moved);
    s->drift2 = throng_reallocate(s->drift2, workers * sizeof *s->drift2);
    for (size_t w = before; w < workers; w++) s->moved[w] = false;
}

static throng_forces_law law_of(const throng_forces_params *p) {
    throng_forces_law law = {.params = p, .reach = p->reach};
    double sine;
    throng_cos_sin(p->push_angle, &law.push_cosine, &sine);
    throng_cos_sin(p->decelerate_angle, &law.decelerate_cosine, &sine);
    throng_cos_sin(p->resist_angle, &law.resist_cosine, &sine);
    law.pushes_cosine = p->forces > 0 && p->pushing != THRONG_PUSHES_NEVER ? law.push_cosine : INFINITY;
    law.restitution = p->restitution;
    law.patience = p->pushing == THRONG_PUSHES_ALWAYS ? INFINITY : p->patience;
    return law;
}

static const double shortest = 0.8; /* of its own step: the world may have shorter ones, with a warning */

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    throng_forces *s = model;
    make_workers(s, (size_t)setup->workers);
    if (setup->dt < shortest * THRONG_FORCES_SUBSTEP && !s->told_short) {
        throng_report_add(
            setup->report, THRONG_WARNING, 0, 0, "dt",
            "with steps of %g s crowds of model 'orca-forces' take up to a quarter longer through a narrow "
            "door than with the %g s that it is made for",
            setup->dt, THRONG_FORCES_SUBSTEP);
        s->told_short = true;
    }
    if (s->slot_capacity)
        memset(s->vicinities, 0, s->slot_capacity * sizeof *s->vicinities); /* walls may have changed */
    THRONG_GROW(s->laws, s->law_capacity, setup->profile_count);
    for (size_t i = 0; i < setup->profile_count; i++) {
        const throng_forces_params *p = setup->params[i];
        s->laws[i] = p ? law_of(p) : (throng_forces_law){0};
    }
    return true;
}

static void step(void *model, const throng_step *now) { throng_forces_step(model, now); }

static const char *const counted_by_orca[] = {"decisions", "relaxed", "stopped_at_wall"};
static const char *const counted[] = {"substeps", "pushes", "limited", "held_at_wall"};
static const char *const parts[THRONG_FORCES_PARTS] = {"lists_ms", "contact_ms", "velocity_ms", "pass_on_ms",
                                                       "apart_ms"};
enum { BY_ORCA = sizeof counted_by_orca / sizeof *counted_by_orca, COUNTED = sizeof counted / sizeof *counted };

static void archive(void *model, throng_archive *archive) {
    throng_forces *s = model;
    throng_tallies_archive(s->orca_counts, s->workers, BY_ORCA, archive);
    throng_tallies_archive(s->counts, s->workers, COUNTED, archive);
}

static double reach(const void *model_params) {
    return ((const throng_forces_params *)model_params)->orca.neighbour_dist;
}

static void figures(const void *model, throng_figure_function figure, void *context) {
    const throng_forces *s = model;
    uint64_t sum[THRONG_TALLY];
    throng_tallies_sum(s->counts, s->workers, sum);
    throng_tallies_tell(s->orca_counts, s->workers, "orca-forces", counted_by_orca, BY_ORCA, figure, context);
    throng_tallies_tell(s->counts, s->workers, "orca-forces", counted, COUNTED, figure, context);
    throng_parts_tell(&s->parts, "orca-forces", parts, THRONG_FORCES_PARTS, sum[0], figure, context);
}

const throng_model throng_model_orca_forces = {
    .name = "orca-forces",
    .title = "Reciprocal avoidance with physical forces",
    .citation =
        "S. Kim, S. J. Guy, D. Manocha: Velocity-based modeling of physical interactions in multi-agent simulations. "
        "ACM SIGGRAPH / Eurographics Symposium on Computer Animation 2013, 125-133.",
    .default_dt = THRONG_FORCES_SUBSTEP,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_forces_params),
    .habits = habits,
    .habit_count = sizeof habits / sizeof *habits,
    .step = step,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .columns = columns,
    .column_count = COLUMN_COUNT,
    .archive = archive,
    .figures = figures,
    .reach = reach,
    .takes_impulses = true,
};
