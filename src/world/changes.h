/* changes.h: what changes in a world while people walk: obstacles that go, come back and move, goals
 * that close, parameters that are set, zones, regions that pick the model, and the events that bring all this about.
 *
 * An obstacle becomes movable when somebody first asks for a change of it. From then on the place is
 * made of two parts: a base without the movable ones, made once, and the movable ones present, put
 * upon it whenever one of them has changed. Planners see the place as it was when ways were last
 * planned, so that a gate under way does not make them plan anew in every step. */

#ifndef THRONG_CHANGES_H
#define THRONG_CHANGES_H

#include <throng/model.h>

#include "base/archive.h"
#include "space/zone_map.h"
#include "wish/wish.h"

/* An obstacle that can go, come back and move. */
typedef struct throng_movable {
    size_t item;         /* which of the place's obstacles */
    bool thin;           /* a line */
    throng_ring outline; /* owned; where the place has it */
    throng_box box;      /* of the outline */

    /* What is kept in a checkpoint. */
    throng_point offset;   /* m from there to where it is now */
    throng_point bound;    /* m from there to where it is going; as `offset` when at rest */
    throng_point velocity; /* m/s, while it is going */
    throng_point planned;  /* `offset` when ways were last planned */
    bool present;
    bool awaited;         /* comes back as soon as nobody stands where it belongs */
    bool planned_present; /* `present` when ways were last planned */
    bool told;            /* that it waits has been noticed */
} throng_movable;

/* A value set for a group, or for everybody when it is 0. */
typedef struct throng_group_setting {
    char *what;
    double value;
    throng_group group;
} throng_group_setting;

/* A part of the floor that picks the model. */
typedef struct throng_region {
    bool disc;
    throng_ring ring; /* owned; of a disc its outline in pictures */
    throng_box box;
    throng_point centre; /* of a disc, m */
    double radius;       /* of a disc, m */
    throng_profile profile;
} throng_region;

typedef struct throng_regions {
    throng_region *regions; /* the first that somebody is in holds */
    size_t count, capacity;
} throng_regions;

typedef struct throng_changes {
    throng_movable *movables;
    size_t movable_count, movable_capacity;
    size_t given_count; /* obstacles that the place was made with; those after them were added by the way */
    throng_place *base; /* without the movable ones; NULL while there are none */
    throng_walls *base_walls;
    bool base_clear;             /* its rings do not touch each other */
    throng_place *planned_place; /* as ways were last planned; NULL while nothing is movable */
    throng_walls *planned_walls;
    uint64_t place_version;
    bool walls_changed; /* since models were last prepared */

    throng_event_def *events; /* in the order they happen; texts are owned */
    size_t event_count, event_capacity;
    size_t event_next; /* those before it have happened */

    throng_group_setting *standing; /* in the order they were set */
    size_t standing_count, standing_capacity;

    throng_zones zones;
    throng_regions regions;
} throng_changes;

/* obstacles.c */
throng_movable *throng_world_find_movable(throng_world *world, const char *id); /* NULL and an error */
bool throng_world_has_obstacle(throng_world *world, const char *id);            /* false and an error */
bool throng_world_check_move(throng_world *world, const char *id, throng_point by, double during);
throng_box throng_movable_box(const throng_movable *movable); /* m, where it is now */
/* Makes the place and the walls from the base and the movable ones as they are now. */
void throng_world_renew_walls(throng_world *world);
/* Everybody whose way leads through the box, or to a goal that closed or opened (an empty box), finds
 * another one. */
void throng_world_replan(throng_world *world, throng_box where);
void throng_world_return_awaited(throng_world *world);
void throng_changes_clear(throng_changes *changes);
/* Keeps which obstacles are movable and where, or brings them back and makes all walls anew. */
void throng_world_archive_obstacles(throng_world *world, throng_archive *archive);

/* push.c: moves what is under way, after everybody has decided where to be next and before they are
 * there. */
void throng_world_move_obstacles(throng_world *world);
/* Whether it is on its way somewhere. */
bool throng_movable_is_under_way(const throng_movable *movable);

/* apart.c */
bool throng_world_keeps_apart(const throng_world *world, throng_profile profile);
/* What must be left around somebody who appears or whom something comes near, m. */
double throng_world_room_around(const throng_world *world, throng_profile profile);
/* Whether somebody stands where an obstacle would be. */
bool throng_movable_is_occupied(const throng_world *world, const throng_movable *movable, throng_point *who);
/* How much of its share of the step an obstacle can go and leave those alone who keep apart, and else who
 * is in its way. */
double throng_world_free_part(const throng_world *world, const throng_movable *movable, throng_point share,
                              double longest_move, throng_point *stopped_by);
/* The next obstacle under way from number *next on that comes near somebody who keeps apart; false: none. */
bool throng_world_next_coming(const throng_world *world, size_t row, double reach, size_t *next, throng_coming *out);

/* closed.c */
bool throng_world_can_close(throng_world *world, throng_goal goal); /* false and an error */
bool throng_world_any_closed(const throng_world *world);
/* Keeps those who wait before closed goals out of them, wherever they are pressed to. */
void throng_world_hold_off(throng_world *world);

/* events.c: what is due at the start of a step. */
void throng_world_happen(throng_world *world);
/* Gives a newcomer what was set for its group before it came. */
void throng_world_apply_standing(throng_world *world, size_t row);
void throng_world_archive_events(throng_world *world, throng_archive *archive);
void throng_changes_clear_events(throng_changes *changes);
/* Whether a model of the world has a parameter, and the value is in its range; false and an error. */
bool throng_world_check_setting(throng_world *world, const char *name, double value);
/* Whether something will still go away or move, so that a way may yet open. */
bool throng_world_expects_changes(const throng_world *world);
/* The profile that differs from another in one parameter, made when it is new; the same one when its
 * model has no such parameter. The value is in range. */
throng_profile throng_world_derive_profile(throng_world *world, throng_profile profile, const char *param,
                                           double value);

/* zones.c */
void throng_world_prepare_zones(throng_world *world);
void throng_world_archive_zones(throng_world *world, throng_archive *archive); /* after the profiles */
/* What holds for everybody where it is: writes `likes_speed`, `limit_speed` and `acting` if there are zones. */
void throng_world_enter_zones(throng_world *world);

/* regions.c */
/* Gives who has come into a region its model, and who has left it its own. */
void throng_world_hand_over(throng_world *world);
/* The profile of somebody outside all regions. */
throng_profile *throng_world_own_profile(throng_world *world, size_t row);
void throng_world_set_own_profile(throng_world *world, size_t row, throng_profile profile);
uint64_t throng_world_hash_regions(const throng_world *world);
void throng_world_archive_regions(throng_world *world, throng_archive *archive);
void throng_regions_clear(throng_regions *regions);

#endif
