/* keys.h: every key a scenario file may have, as data. The reader refuses what is not listed here,
 * and a test holds scenarios/schema.json to the same lists. */

#ifndef THRONG_KEYS_H
#define THRONG_KEYS_H

/* The kinds of object. */
typedef enum throng_keys_kind {
    THRONG_KEYS_SCENARIO,
    THRONG_KEYS_AREA_FILE,    /* "walkable_area": {"file": ...} */
    THRONG_KEYS_OBSTACLE,     /* an item of "obstacles" */
    THRONG_KEYS_NAMED_GOAL,   /* a value of "goals" */
    THRONG_KEYS_GOAL,         /* "goal": {...}, an item of "journey" */
    THRONG_KEYS_PERMUTE,      /* "permute": {...} */
    THRONG_KEYS_PERIODIC,     /* "periodic": {...} */
    THRONG_KEYS_PLANNER,      /* "planner": {...} */
    THRONG_KEYS_MODEL,        /* "model": {...} */
    THRONG_KEYS_PROFILE,      /* a value of "profiles" */
    THRONG_KEYS_DISTRIBUTION, /* {"normal": ...} */
    THRONG_KEYS_ENTRY,        /* an item of "agents" */
    THRONG_KEYS_SOURCE,       /* an item of "sources" */
    THRONG_KEYS_GRID,         /* "grid": {...} */
    THRONG_KEYS_RING,         /* "ring": {...} */
    THRONG_KEYS_ELLIPSE,      /* "ellipse": {...} */
    THRONG_KEYS_MEASURE,      /* "measure": {...} */
    THRONG_KEYS_ZONE,         /* an item of "zones" */
    THRONG_KEYS_REGION,       /* an item of "regions" */
    THRONG_KEYS_EVENT,        /* an item of "events" */
    THRONG_KEYS_OBJECT,       /* an item of "objects" */
    THRONG_KEYS_OBJECT_PART,  /* an item of "parts" */
    THRONG_KEYS_OBJECT_WALL,  /* "wall": {...} */
    THRONG_KEYS_PHYSICS,      /* "physics": {...} */
    THRONG_KEYS_COUNT
} throng_keys_kind;

/* The keys of one of them. */
typedef struct throng_keys {
    const char *schema;   /* its name under "$defs" of the JSON Schema; "" is the schema itself */
    const char *keys[48]; /* ended by NULL */
} throng_keys;

extern const throng_keys throng_keys_of[THRONG_KEYS_COUNT];

#endif
