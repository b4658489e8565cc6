/* world.h: the insides of a world (the simulation). What is constant between changes comes first, what a step
 * changes after it. */

#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include "base/crew.h"
#include "base/names.h"
#include "base/report.h"
#include "models/models.h"
#include "route/route.h"
#include "space/near.h"
#include "space/patch.h"
#include "space/period.h"
#include "space/place.h"
#include "space/walls.h"
#include "world/ask.h"
#include "world/changes.h"
#include "world/columns.h"
#include "world/halo.h"
#include "world/loads.h"
#include "world/order.h"
#include "world/params.h"
#include "world/queues.h"
#include "world/sources.h"
#include "world/things.h"
#include "world/watch.h"

/* A model with its parameters. */
typedef struct throng_profile_entry {
    const throng_model *model;
    void *params;
    bool derived; /* from another, by an event or a zone, while it runs */
    bool spare;   /* the world's own, which nobody was given yet */
} throng_profile_entry;

/* Scratch of between.c, by slot. */
typedef struct throng_between {
    size_t capacity;
    throng_point *to;           /* m, where they will be */
    double *solid, *own_solid;  /* the part of the sum of radii that others keep from it; and its own; 0: none */
    const throng_model **model; /* NULL: a thing */
    bool *is_held;
    uint32_t *held;
    struct throng_near_lists *lists;
} throng_between;

/* A model at work in this world: its state, its agents and what it keeps about each of them. */
typedef struct throng_team {
    const throng_model *model;
    void *state;
    const void **params; /* [profile] NULL for other models' profiles */
    const void *common;  /* those of the first profile that was given; they concern all alike */
    bool told;           /* that profiles differ in what concerns all alike */
    throng_kept kept;
    uint32_t *mine; /* slots of its agents this step */
    size_t mine_count;
} throng_team;

/* A habit in this world. */
typedef struct throng_habit_entry {
    const throng_habit *habit;
    const void **params; /* [profile] NULL: off */
    throng_kept kept;
    bool on; /* for some profile */
} throng_habit_entry;

/* Desired velocities that somebody gave people for the next step. */
typedef struct throng_wish {
    throng_agent agent;
    throng_point velocity; /* m/s */
} throng_wish;

typedef struct throng_wishes {
    throng_wish *wishes;
    size_t count, capacity;
} throng_wishes;

/* The goals of a journey are journey_goals[first .. first + count - 1]. */
typedef struct throng_journey {
    uint32_t first, count;
    uint32_t repeat; /* 1: begins again when it is done */
} throng_journey;

typedef struct throng_wanted throng_wanted; /* quantities that somebody asks for */

/* What one worker has found of overlap in one step. */
typedef struct throng_overlap {
    uint64_t pairs, pairs_over_5pct, swept_pairs;
    double deepest_fraction, wall_m, swept_wall_m, gap_m;
} throng_overlap;

struct throng_world {
    /* Fixed at create; but for the step's length, which may be set between steps. */
    double dt, given_dt;  /* s, of the next step, and as the world was made */
    double clock_base;    /* s, when `dt` was set, */
    uint64_t clock_since; /* and in which step; 0 and 0: never */
    uint64_t seed;
    uint64_t place_hash, planner_hash; /* of the place and the planner as they were given */
    bool check, simd, allow_unreachable;
    throng_place *place;
    throng_walls *walls;
    throng_crew *crew;
    throng_route *route;

    /* Grown by adders. */
    throng_goal_entry *goals; /* [0] is nowhere */
    size_t goal_count, goal_capacity;
    throng_profile_entry *profiles;
    size_t profile_count, profile_capacity;
    throng_weight_map *maps; /* map k is maps[k - 1] */
    size_t map_count, map_capacity;
    throng_names groups; /* [0] is the nameless one */
    throng_journey *journeys;
    size_t journey_count, journey_capacity;
    throng_goal *journey_goals;
    size_t journey_goal_count, journey_goal_capacity;
    uint32_t *journey_table; /* finds a journey by its goals */
    size_t journey_table_size;
    size_t waiting_goal_count; /* of all goals, those with a wait */
    throng_queue *queues;      /* in front of goals; a goal's entry tells its number */
    size_t queue_count, queue_capacity;
    throng_source_entry *sources; /* source k is sources[k - 1] */
    size_t source_count, source_capacity;
    throng_mark *marks; /* besides goals and zones; owned */
    size_t mark_count, mark_capacity;
    throng_team *teams; /* in stepping order */
    size_t team_count;
    throng_habit_entry *habits; /* in the order of their list */
    size_t habit_count;
    throng_agent last_id;
    double ordinary_radius; /* m, of the first person there was */
    bool changed;           /* something was added since the last prepare */
    bool refused;           /* a model cannot work like this, as `refusal` tells */
    throng_error refusal;
    throng_error error;
    throng_report *report; /* what was noticed */
    bool narrow_told;      /* narrow passages have been looked for */
    throng_changes changes;
    throng_period period;

    /* Changed by every step. */
    throng_columns agents;
    throng_ordered *ordered; /* what views show, when rows are in another order */
    throng_near_grid *grid;
    double image_margin;     /* m beyond a seam that people are seen as images */
    const throng_near *near; /* of the step under way */
    uint64_t step;           /* steps taken */
    throng_stats stats;
    throng_overlap *overlaps;     /* [worker] scratch of the check */
    throng_walker *walkers;       /* [row] scratch: those whose way has to be prepared */
    size_t scratch_capacity;      /* of walkers and the teams' mine */
    throng_bystanders bystanders; /* scratch of arrive */
    bool hit;                     /* somebody has an impulse that no model has seen yet */
    throng_things things;
    throng_between between;
    throng_loads loads;
    bool forces_shown; /* the columns of forces are not all zero */
    throng_wishes wishes;
    throng_wanted *wanted;
    throng_ask *ask; /* NULL: nobody has asked yet */
    throng_watch watch;
    throng_halo *halo;  /* NULL: it is a world of its own */
    size_t ghost_count; /* the last rows, while they are those of other parts' people */
};

/* False, and an error of the world that says why. */
#define THRONG_REFUSE(world, ...) throng_refuse(&(world)->error, 0, 0, __VA_ARGS__)

#define THRONG_RADIUS_MOST  100.0 /* m, of anybody's body */
#define THRONG_RADIUS_LEAST 0.001 /* m: sub-steps and cells follow it, so runs with less would take for ever */

/* people.c */
bool throng_point_fits(throng_point point); /* near enough to the origin to be part of a world */
bool throng_world_check_agent(throng_world *world, const throng_agent_def *def); /* false: see world->error */
/* As throng_world_add_agent, counted as one who came later. */
throng_agent throng_world_admit(throng_world *world, const throng_agent_def *def);
void throng_world_drop_marked(throng_world *world);
size_t throng_world_find_agent(throng_world *world, throng_agent agent); /* its row, or SIZE_MAX and an error */
throng_walker throng_world_walker(const throng_world *world, size_t row);
/* Draws the agent's own point in the goal it now has: where to roam to, or where to stand in the
 * area it has arrived at. */
void throng_world_draw_target(throng_world *world, size_t row);
/* Makes the table that finds journeys by their goals. */
void throng_world_index_journeys(throng_world *world);
/* Draws where to wait in the area it walks to. */
void throng_world_draw_spot(throng_world *world, size_t row);
/* The goal of its journey it is at, which is one of several when it has chosen among those. */
throng_goal throng_world_meant_goal(const throng_world *world, size_t row);

/* wish.c */
void throng_world_wish(throng_world *world);           /* between near and models */
void throng_world_prepare_habits(throng_world *world); /* room, and whose they are */
bool throng_world_habits_need_grid(const throng_world *world);
const double *throng_world_give(const throng_world *world); /* as a throng_step has it, as is the next */
const void *const *throng_world_pace(const throng_world *world);
/* Private columns: the teams', then the habits'; NULL after the last. */
throng_kept *throng_world_kept(const throng_world *world, size_t index);

/* steer.c */
void throng_world_change_profile(throng_world *world, size_t row, throng_profile profile);
void throng_world_change_speed(throng_world *world, size_t row, double speed); /* the maximal one along with it */
/* The profile with these parameters, which are the world's from now on, made when it is new; and that of the defaults.
 */
throng_profile throng_world_profile_of(throng_world *world, const throng_model *model, void *params);
throng_profile throng_world_plain_profile(throng_world *world, const throng_model *model);
void throng_world_take_wishes(throng_world *world); /* part of wish */
void throng_world_archive_wishes(throng_world *world, throng_archive *archive);

/* step.c: sorts the first rows into the cell grid. */
const throng_near *throng_world_build_near(throng_world *world, size_t count);

/* prepare.c: ends the work of models that no profile has. */
void throng_world_drop_idle_teams(throng_world *world);
/* All memory a step needs, and the models made ready. */
void throng_world_make_room(throng_world *world);
/* Makes ready for a step after changes; throng_world_prepare that does not complain. */
void throng_world_make_ready(throng_world *world);
/* Says, once for each goal, that walls which changed on the way keep somebody from it. */
void throng_world_tell_cut_off(throng_world *world, const throng_walker *walker, throng_goal goal);
/* A goal of somebody's journey after the first that no way leads to, or 0. */
throng_goal throng_world_lost_leg(throng_world *world, size_t row);
/* The same of all goals of a journey, of somebody who is not there yet. */
throng_goal throng_world_lost_goal(throng_world *world, const throng_walker *walker, const throng_goal *journey,
                                   size_t count);

/* world.c */
bool throng_dt_fits(double dt);
double throng_world_time_of(const throng_world *world, uint64_t step); /* s, as long as steps are as now */
/* Tells users of something odd, at most a few hundred times. */
void throng_world_notice(throng_world *world, throng_severity severity, const char *format, ...) THRONG_PRINTF(3, 4);

/* narrow.c: tells once of passages too narrow for people, and of a cell that is too fine. */
void throng_world_tell_narrow(throng_world *world);

/* weight_maps.c */
/* Whether the maps that parameters name are there; false and an error. */
bool throng_weight_maps_known(throng_world *world, const throng_model *model, const void *params);
void throng_weight_maps_clear(throng_world *world);

/* impulse.c: an impulse (N s) for the models of the next step, or of this one before they decide. It is bounded, and
 * counted where it was more. */
void throng_world_add_impulse(throng_world *world, size_t row, throng_point impulse);
void throng_world_take_impulses(throng_world *world);  /* between near and models */
void throng_world_clear_impulses(throng_world *world); /* after the models */

/* between.c: after the models and things */
void throng_world_part_models(throng_world *world);
void throng_between_clear(throng_between *between);

/* loads.c */
void throng_world_reset_loads(throng_world *world);   /* of walls, before the models */
void throng_world_measure_loads(throng_world *world); /* after them */
void throng_world_archive_loads(throng_world *world, throng_archive *archive);

/* quantities.c */
throng_wanted *throng_wanted_create(void); /* memory that is to be released */
/* What is wanted of the lines that a model shows; false: nothing. */
bool throng_world_wants(const throng_world *world, const throng_model *model, bool wanted[THRONG_SHOWN_MOST]);
bool throng_model_has_result(const throng_model *model, size_t column); /* it decides nothing */

/* marks.c */
void throng_world_clear_marks(throng_world *world);

/* check.c */
void throng_world_measure_overlap(throng_world *world);

#endif
