/* scenario.h: the insides of a scenario, and of reading one.
 *
 *     text ──json──► tree ──override──► tree ──► place ─► goals ─► profiles ─► entries ─► placement
 *
 * Loading turns a file into lists that can be handed to a world as they are: goals, profiles and
 * groups are numbered as the world will number them. */

#ifndef THRONG_SCENARIO_H
#define THRONG_SCENARIO_H

#include <throng/model.h>

#include "plan/plan.h"
#include "scenario/distribution.h"
#include "scenario/provenance.h"
#include "scenario/read.h"

/* A model with values for its parameters; NAN where the default holds. */
typedef struct throng_scenario_profile {
    const throng_model *model;
    double *values; /* [parameter] */
} throng_scenario_profile;

typedef struct throng_person {
    throng_agent_def def; /* all but the journey */
    uint32_t entry;
    uint32_t journey, journey_count; /* journey_goals[journey ...] */
} throng_person;

/* What is remembered of an item of "agents" for messages and for the world. */
typedef struct throng_scenario_entry {
    int line, column;
    size_t first, count;     /* its people */
    bool starts_at_velocity; /* "velocity": "desired" */
    bool repeat;             /* their journeys begin again */
} throng_scenario_entry;

/* An item of "sources". */
typedef struct throng_scenario_source {
    int line, column;
    throng_source_def def; /* owns its name, rings, schedule and context; all a world needs but a copy of it */
} throng_scenario_source;

/* A line or area to measure: a mark of the world. */
typedef struct throng_measure {
    char *name;
    throng_ring ring;
    bool area;
} throng_measure;

/* An item of "events", "zones" or "regions" as the world takes it; what it points to is owned. */
typedef struct throng_scenario_event {
    throng_event_def def;
    int line, column;
} throng_scenario_event;

typedef struct throng_scenario_zone {
    throng_zone_def def;
    int line, column;
} throng_scenario_zone;

typedef struct throng_scenario_region {
    throng_region_def def;
    int line, column;
} throng_scenario_region;

/* An item of "objects". */
typedef struct throng_scenario_object {
    int line, column;
    bool good;             /* nothing was wrong with it */
    bool wall;             /* of blocks, as `blocks` has them */
    char *id;              /* owned; NULL: none */
    throng_object_def def; /* its parts are owned */
    throng_block_wall_def blocks;
} throng_scenario_object;

struct throng_scenario {
    throng_provenance origin;
    char *name, *description, *cite;
    uint64_t seed;
    double dt, duration; /* s; dt 0: the model's own */
    bool run_full, allow_overlap, allow_unreachable;
    throng_period period;
    char *planner;       /* NULL: the world chooses */
    double planner_cell; /* m; 0: the world chooses */
    double planner_congestion;
    throng_scenario_profile model;
    const throng_people *preset; /* who everybody is where nothing else is said */
    throng_place *place;

    throng_goal_def *goals; /* goal k of the world is goals[k - 1]; names, rings and lists are owned */
    size_t goal_count, goal_capacity;
    throng_scenario_profile *profiles; /* profile k of the world is profiles[k - 1] */
    size_t profile_count, profile_capacity;
    throng_weight_map *maps; /* map k of the world is maps[k - 1]; weights are owned */
    size_t map_count, map_capacity;
    throng_names groups; /* group k of the world is groups.names[k - 1] */
    throng_goal *journey_goals;
    size_t journey_goal_count, journey_goal_capacity;
    throng_scenario_entry *entries;
    size_t entry_count;
    throng_person *people; /* entry by entry */
    size_t person_count;
    throng_scenario_source *sources;
    size_t source_count;
    throng_measure *measures;
    size_t measure_count, measure_capacity;
    throng_scenario_event *events; /* in the order of the file */
    size_t event_count;
    throng_scenario_zone *zones;
    size_t zone_count, zone_capacity;
    throng_scenario_region *regions;
    size_t region_count, region_capacity;
    throng_scenario_object *objects;
    size_t object_count;
    int physics_iterations; /* 0: the world's default */
};

/* What is drawn for a person, so that no two draws share a number: throng_draws.what. */
enum { THRONG_DRAW_RADIUS, THRONG_DRAW_DESIRED_SPEED, THRONG_DRAW_MAX_SPEED, THRONG_DRAW_MASS, THRONG_DRAW_START };

enum { THRONG_TRAIT_COUNT = 4 }; /* the first of them: what a profile gives a person */

/* Who people are: a profile, or what an entry makes of it. */
typedef struct throng_traits {
    throng_distribution value[THRONG_TRAIT_COUNT];
    throng_json_ref node[THRONG_TRAIT_COUNT]; /* where the value stands, or THRONG_NO_NODE: the default */
    bool owned[THRONG_TRAIT_COUNT];           /* the distribution is not a profile's */
    throng_scenario_profile model;            /* owns its values */
    bool bad;                                 /* something about it was wrong */
} throng_traits;

/* One way to go, as an entry's "goal" or an item of its "journey" says it. */
typedef enum throng_journey_leg_kind {
    THRONG_LEG_SHARED,   /* everybody to `goal` */
    THRONG_LEG_CHOICE,   /* each to one of the options, by weight */
    THRONG_LEG_POINTS,   /* below: each to a point of its own, through the THRONG_GOAL_OWN in `goal` */
    THRONG_LEG_OFFSET,   /* the start, shifted by `vector` */
    THRONG_LEG_X,        /* the start with x = vector.x */
    THRONG_LEG_Y,        /* the start with y = vector.y */
    THRONG_LEG_ANTIPODE, /* the start, mirrored in the centre of the ring */
    THRONG_LEG_PERMUTE   /* somebody's start, shifted by `vector` */
} throng_journey_leg_kind;

typedef struct throng_journey_leg {
    throng_journey_leg_kind kind;
    throng_json_ref node;
    throng_goal goal;
    throng_point vector;
    throng_ring points;
    struct throng_journey_leg *options;
    double *weights; /* [option] added up */
    size_t option_count;
} throng_journey_leg;

/* How the people of an entry are placed. */
typedef enum throng_shape_kind { THRONG_AT, THRONG_IN, THRONG_GRID, THRONG_ON_RING, THRONG_ELLIPSE } throng_shape_kind;
typedef enum throng_filling { THRONG_FILL_RANDOM, THRONG_FILL_HEX, THRONG_FILL_GRID } throng_filling;

typedef struct throng_shape {
    throng_shape_kind kind;
    throng_json_ref node;          /* of the value */
    throng_ring ring;              /* AT: the points; IN: the polygon */
    throng_point centre;           /* of ring and ellipse, origin of a grid */
    throng_point size;             /* m: spacing of a grid, semi-axes of an ellipse */
    double radius, phase, spacing; /* m, degrees, m */
    size_t columns, rows;
    throng_filling filling;
    size_t count;
    double gap, jitter; /* m */
    bool gap_given;
} throng_shape;

/* An item of "agents" or "sources" while it is loaded. */
typedef struct throng_entry {
    throng_json_ref node;
    const char *list; /* "agents" or "sources" */
    uint32_t index;   /* in the list */
    uint32_t stream;  /* of random numbers: no other entry has the same */
    bool source;
    bool good; /* nothing was wrong with who they are and where they stand */
    throng_traits traits;
    throng_shape shape;
    throng_journey_leg *legs;
    size_t leg_count;
    bool repeat; /* the journey begins again when it is done */
    throng_distribution start_after;
    throng_point velocity, acceleration;
    bool velocity_desired;
    throng_group group;
    throng_profile profile;
    size_t first; /* its first person */
} throng_entry;

/* The plan that "walkable_area" names. */
typedef struct throng_scenario_floor {
    throng_floor_plan plan; /* empty when there is none */
    const char *file;       /* as written */
    throng_json_ref node;   /* of its name */
    bool failed;            /* it could not be read: names may be missing */
} throng_scenario_floor;

/* A scenario while it is read. */
struct throng_reader {
    throng_json *json;
    throng_report *report;
    throng_json_ref misspelt; /* the last object with an unknown key: what it lacks is no news */
    throng_scenario *scenario;
    bool people_said; /* by "people" */
    const char *path; /* of the file, for files named in it; NULL when the text came without one */
    throng_scenario_floor floor;
    throng_walls *walls;     /* NULL when the place could not be made */
    throng_names goal_names; /* name k is goal k + 1 */
    uint32_t *goal_table;    /* goals that need no ring, by hash, so that equal ones are one */
    size_t goal_table_size;
    throng_names object_names;
    throng_names profile_names;
    throng_traits *profiles; /* [profile name] */
    throng_entry *entries;
    size_t entry_count;
    size_t people_limit;
    throng_sketch *sketch; /* NULL, or what is kept for a picture */
};

/* read_ground.c: "periodic", "walkable_area", "obstacles", "zones", "regions" and "measure". */
void throng_load_period(throng_reader *reader);
void throng_load_place(throng_reader *reader);
void throng_load_zones(throng_reader *reader);
void throng_clear_zones(throng_scenario *scenario);
void throng_load_regions(throng_reader *reader); /* after the people */
void throng_clear_regions(throng_scenario *scenario);
void throng_load_measures(throng_reader *reader);
bool throng_is_walkable(const throng_reader *reader, throng_point point);
bool throng_is_partly_walkable(const throng_reader *reader, throng_ring polygon);
double throng_walkable_area_in(const throng_reader *reader, throng_ring polygon); /* m^2 */

/* floor.c: "walkable_area": {"file": ...}. */
/* The bytes of a file named at a node, beside the scenario's own; NULL and a complaint when it cannot be read. */
char *throng_read_beside(throng_reader *reader, throng_json_ref node, const char *name, size_t *length);
bool throng_load_floor(throng_reader *reader, throng_json_ref node);
void throng_load_floor_goals(throng_reader *reader);
void throng_load_floor_zones(throng_reader *reader);
/* Tells of something in the plan, at the place in its file; 0 when it has none. */
void throng_tell_of_plan(throng_reader *reader, throng_severity severity, int line, int column, const char *text);
/* An error about a name that the plan has, too. */
void throng_refuse_twice(throng_reader *reader, throng_json_ref node, const throng_floor_shape *shape);
/* The spawn that an entry's "in" names; NULL: none. */
const throng_floor_shape *throng_spawn_of(const throng_reader *reader, throng_json_ref entry);
/* The value of an entry's "in": a polygon, or the name of a spawn. The caller releases the points. */
bool throng_read_area(throng_reader *reader, throng_json_ref entry, throng_json_ref node, throng_ring *out);
/* A shape of the plan by its name; NULL: none. THRONG_FLOOR_EXIT finds goals of both kinds. */
const throng_floor_shape *throng_floor_named(const throng_reader *reader, throng_floor_kind kind, const char *name);

/* goals.c: "goals", and what they have in common with an entry's own goals. */
void throng_load_goals(throng_reader *reader);
/* The keys that say what form a goal has; the first three may also be named. */
enum {
    THRONG_FORM_POLYGON,
    THRONG_FORM_POINT,
    THRONG_FORM_DIRECTION,
    THRONG_FORM_RANDOM_IN,
    THRONG_FORM_ANY,
    THRONG_FORM_CHOICE,
    THRONG_FORM_POINTS,
    THRONG_FORM_OFFSET,
    THRONG_FORM_X,
    THRONG_FORM_Y,
    THRONG_FORM_PERMUTE,
    THRONG_FORM_COUNT
};
extern const char *const throng_goal_forms[THRONG_FORM_COUNT];

/* Adds a goal to the scenario's list, which takes over its ring, members, queue and drawn wait. */
throng_goal throng_add_goal(throng_scenario *scenario, throng_goal_def def);
/* A goal without ring and members; equal ones are one, for each may cost a field of routes. */
throng_goal throng_intern_goal(throng_reader *reader, throng_goal_def def);

/* The value of "polygon", "point", "direction" or "random_in". */
bool throng_read_goal_place(throng_reader *reader, throng_json_ref node, int form, throng_goal_def *def);
/* "radius", "exit", "repeat" and what belongs to waiting beside it. */
bool throng_read_goal_extras(throng_reader *reader, throng_json_ref object, int form, throng_goal_def *def);

/* For a world, which destroys what it draws from. */
throng_drawing throng_copy_wait(const throng_drawing *wait);

/* legs.c: what an entry says of where to go. */
bool throng_load_legs(throng_reader *reader, throng_entry *entry);
void throng_clear_leg(throng_journey_leg *leg);
/* Each person's own journey and target. */
void throng_send_people(throng_reader *reader, const throng_entry *entry);
/* The leg itself, or the option that the k-th person of a stream takes. */
const throng_journey_leg *throng_choose_leg(const throng_journey_leg *legs, size_t index, uint64_t seed,
                                            uint32_t stream, uint64_t k);
/* The point of one's own for who starts at a point, round a centre; not for THRONG_LEG_POINTS. */
throng_point throng_leg_target(const throng_journey_leg *leg, throng_point at, throng_point centre);

/* profiles.c: "model", "profiles", and the same fields of an entry. */
void throng_load_model(throng_reader *reader);
void throng_warn_of_idle_model(throng_reader *reader); /* after all people */
void throng_load_profiles(throng_reader *reader);
bool throng_load_traits(throng_reader *reader, throng_json_ref object, const throng_traits *base, throng_traits *out);
throng_range throng_trait_range(size_t trait);
/* presets.c */
void throng_load_preset(throng_reader *reader);
const throng_people_trait *throng_people_find(const throng_people *people, const char *name); /* NULL: not said */
throng_distribution throng_preset_trait(const throng_people *people, const char *name, double fallback);

throng_traits throng_default_traits(const throng_reader *reader);
void throng_clear_traits(throng_traits *traits);
/* A value for a parameter of all models of the scenario that have it; key is where it is named. */
bool throng_read_param_of_any(throng_reader *reader, throng_json_ref key, const char *name, throng_json_ref value,
                              double *out);
throng_profile throng_intern_profile(throng_reader *reader, const throng_scenario_profile *profile);

/* read_weights.c: parameters that are maps of weights. The value is the number of the map in the world. */
bool throng_read_weight_map(throng_reader *reader, throng_json_ref node, double *out);
bool throng_add_weight_maps(const throng_scenario *scenario, throng_world *world);
void throng_clear_weight_maps(throng_scenario *scenario);

/* read_shapes.c: where an entry says its people stand. */
bool throng_load_shape(throng_reader *reader, const throng_entry *entry, throng_shape *out);
void throng_shape_positions(const throng_shape *shape, throng_point *out); /* of all but THRONG_IN */

/* read_events.c: "events". */
void throng_load_events(throng_reader *reader);
void throng_clear_events(throng_scenario *scenario);

/* read_objects.c: "objects" and "physics", and where things (rigid bodies) stand, seen from above. */
void throng_load_objects(throng_reader *reader);
void throng_clear_objects(throng_scenario *scenario);
/* A part seen from above: a rectangle or a disc. */
typedef struct throng_footprint {
    throng_point centre, along; /* m; unit direction of its first edge */
    throng_point half;          /* m, of a rectangle */
    double radius;              /* m, of a disc; 0: a rectangle */
    double low;                 /* m above the floor where it begins */
    size_t object;
} throng_footprint;

/* Things that people cannot be placed in, in order of x. The caller releases the footprints. */
typedef struct throng_things_plan {
    throng_footprint *footprints;
    size_t count;
    double reach; /* m from a centre to the farthest corner */
} throng_things_plan;

/* The parts of static objects that people meet: how many, written to out unless that is NULL. */
size_t throng_static_footprints(const throng_scenario *scenario, throng_footprint *out);
throng_obstacle throng_footprint_obstacle(const throng_footprint *footprint); /* the caller releases its ring */
throng_things_plan throng_plan_things(const throng_scenario *scenario);
bool throng_is_clear_of_things(const throng_things_plan *plan, throng_point at, double radius);

bool throng_read_point3(throng_reader *reader, throng_json_ref node, const char *what, throng_range range,
                        throng_point3 *out);

/* read_people.c: what "agents" and "sources" have in common, and "agents". */
void throng_load_entry(throng_reader *reader, const throng_traits *fallback, throng_entry *entry);
void throng_clear_entry(throng_entry *entry);
/* Draws the k-th person, all but place and journey; what is out of range turns the entry bad. */
void throng_draw_person(throng_reader *reader, throng_entry *entry, uint64_t k, throng_agent_def *def);
/* The numbers drawn for the k-th person of an entry's stream. */
static inline throng_draws throng_entry_draws(uint64_t seed, uint32_t stream, uint64_t k, uint64_t what,
                                              uint64_t purpose) {
    return (throng_draws){.seed = seed, .who = ((uint64_t)stream << 32) + k, .what = what, .purpose = purpose};
}
void throng_load_people(throng_reader *reader);

/* read_sources.c: "sources". */
void throng_load_sources(throng_reader *reader);
void throng_clear_source(throng_scenario_source *source);
throng_source throng_add_scenario_source(throng_world *world, const throng_scenario_source *source);

/* placement.c: everybody to a start of their own. */
void throng_place_people(throng_reader *reader);

/* sketch.c: filling a sketch while a scenario is loaded. A sketch that is NULL takes nothing. */
void throng_sketch_add(throng_sketch *sketch, throng_sketch_kind kind, throng_ring ring, double radius);
void throng_sketch_place(throng_sketch *sketch, const throng_place_def *def);
void throng_sketch_goals(throng_sketch *sketch, const throng_goal_def *goals, size_t count);
void throng_sketch_person(throng_sketch *sketch, throng_point at, double radius);

/* scenario.c: as throng_scenario_create, with at most so many people, filling a sketch unless that is NULL. */
throng_scenario *throng_scenario_load(const throng_scenario_def *def, size_t people_limit, throng_sketch *sketch,
                                      throng_report *report);

enum { THRONG_PEOPLE_LIMIT = 10000000 };

#endif
