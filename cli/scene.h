/* scene.h: what a picture shows: a place and its people at one moment, from a run or a recording. */

#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "loaded.h"
#include "source.h"

typedef struct scene_person {
    double x, y;   /* m */
    double vx, vy; /* m/s */
    double radius; /* m */
    size_t group;  /* index of its name */
    double fx, fy; /* N, the contact force on it */
    double space;  /* m, the radius of its personal space */
    double front;  /* s, how much farther that reaches ahead for each m/s */
    double weight; /* m that pixels may be farther and still be its own */
    double area;   /* m2 that its model says is left to it; 0: not known */
} scene_person;

/* Where people were at one moment, in order of id. */
typedef struct scene_frame {
    size_t count;
    throng_agent *id;
    throng_point *at;
} scene_frame;

/* A quantity of everybody in the scene; of a vector one component, "net_force_x". */
typedef struct scene_quantity {
    char *name, *unit;
    double *values; /* [person] NaN: not known */
} scene_quantity;

/* A thing, or a part of one, seen from above: a disc or a polygon. */
typedef struct scene_part {
    throng_point centre; /* m */
    double radius;       /* m; 0: a polygon */
    throng_point points[8];
    size_t count;
    double height; /* m above the floor, of its top */
    bool fixed;
} scene_part;

typedef struct crowd_scene {
    char *title, *subtitle;
    double time; /* s */
    throng_box bounds;
    const throng_place *place;
    scene_person *people;
    size_t count;
    scene_quantity *quantities;
    size_t quantity_count;
    text_list groups;
    throng_mark *marks; /* those with a place */
    size_t mark_count;
    scene_part *parts; /* of things, the highest last */
    size_t part_count;
    scene_frame *trail; /* the moments before, oldest first, and this one; empty when not wanted */
    size_t trail_count;

    /* What it was taken from. */
    loaded_scenario loaded;
    throng_recording *recording;
    const char *path;               /* of the recording */
    throng_recording_agent *agents; /* all in the recording, in order of id */
    throng_place *own_place;
    size_t place_version;
} crowd_scene;

typedef struct scene_choice {
    optional_number time;  /* s */
    optional_whole frame;  /* of a recording */
    optional_number trail; /* s */
    bool progress;
} scene_choice;

/* Runs a scenario up to the time asked for (default: half its duration, or earlier, when a quarter
 * of the people have arrived). False after a complaint. */
bool scene_from_scenario(crowd_scene *scene, const char *path, const scenario_options *options,
                         const scene_choice *choice);
/* Takes a world as it is, and takes it over. */
void scene_from_world(crowd_scene *scene, loaded_scenario loaded);
/* Reads a frame of a recording (default: the one in the middle). False after a complaint. */
bool scene_from_recording(crowd_scene *scene, const char *path, const source_options *source,
                          const scene_choice *choice);
void scene_free(crowd_scene *scene);

/* For many moments of one recording: opens it without taking any; takes one, with everybody moved by the fraction
 * towards the next frame, in place of the moment before. Groups keep their numbers. False after a complaint. */
bool scene_open_recording(crowd_scene *scene, const char *path, const source_options *source);
bool scene_take_moment(crowd_scene *scene, double frame, optional_number trail);

/* Shared by both: forgets who is where; marks of the floor; what a picture of an open plane has to hold. */
void scene_clear(crowd_scene *scene);
void scene_add_mark(crowd_scene *scene, throng_mark mark);
void scene_take_bounds(crowd_scene *scene);

/* scene_objects.c */
void scene_take_objects(crowd_scene *scene, const throng_objects *objects);

/* Somebody with the personal space that `cpd` gives by default. */
scene_person scene_usual_person(double x, double y, double radius, size_t group);

/* Shared by both: adds a quantity and takes over its values, in the order of people. When all are there, forces and
 * areas of people are taken from them. */
void scene_add_quantity(crowd_scene *scene, const char *name, const char *component, const char *unit, double *values);
void scene_use_quantities(crowd_scene *scene);
/* The number of everybody under this name, of a vector its length; to be freed. NULL: there is none. */
double *scene_values(const crowd_scene *scene, const char *name, const char **unit);

/* Shared by both: makes the box hold a point. */
void scene_include(throng_box *box, double x, double y, double margin);
throng_box scene_empty_box(void);
void scene_frame_free(scene_frame *frame);

#endif
