/* keys.h: every key a scenario file may have, as data. The reader refuses what is not listed here,
 * and a test holds scenarios/schema.json to the same lists. */

#ifndef THRONG_KEYS_H
#define THRONG_KEYS_H

#include <stdbool.h>

typedef struct throng_key {
    const char *name; /* NULL ends the list */
    bool later;       /* part of the format, but refused as "not supported yet" */
} throng_key;

/* The keys of one kind of object. */
typedef struct throng_keys {
    const char *schema; /* its name under "$defs" of the JSON Schema; "" is the schema itself */
    const throng_key *keys;
} throng_keys;

extern const throng_keys throng_keys_scenario;
extern const throng_keys throng_keys_area_file;    /* "walkable_area": {"file": ...} */
extern const throng_keys throng_keys_obstacle;     /* an item of "obstacles" */
extern const throng_keys throng_keys_named_goal;   /* a value of "goals" */
extern const throng_keys throng_keys_goal;         /* "goal": {...}, an item of "journey" */
extern const throng_keys throng_keys_permute;      /* "permute": {...} */
extern const throng_keys throng_keys_periodic;     /* "periodic": {...} */
extern const throng_keys throng_keys_planner;      /* "planner": {...} */
extern const throng_keys throng_keys_model;        /* "model": {...} */
extern const throng_keys throng_keys_profile;      /* a value of "profiles" */
extern const throng_keys throng_keys_distribution; /* {"normal": ...} */
extern const throng_keys throng_keys_entry;        /* an item of "agents" */
extern const throng_keys throng_keys_source;       /* an item of "sources" */
extern const throng_keys throng_keys_grid;         /* "grid": {...} */
extern const throng_keys throng_keys_ring;         /* "ring": {...} */
extern const throng_keys throng_keys_ellipse;      /* "ellipse": {...} */
extern const throng_keys throng_keys_measure;      /* "measure": {...} */
extern const throng_keys throng_keys_zone;         /* an item of "zones" */
extern const throng_keys throng_keys_event;        /* an item of "events" */

extern const throng_keys throng_keys_object;      /* an item of "objects" */
extern const throng_keys throng_keys_object_part; /* an item of "parts" */
extern const throng_keys throng_keys_object_wall; /* "wall": {...} */
extern const throng_keys throng_keys_physics;     /* "physics": {...} */

/* All of the above, ended by NULL. */
extern const throng_keys *const throng_keys_all[];

#endif
