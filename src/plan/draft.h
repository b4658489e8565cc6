/* draft.h: a scenario of somebody else on its way to becoming one of ours: the place as a floor plan, and the people
 * as entries, written down as soon as they are known. */

#ifndef THRONG_DRAFT_H
#define THRONG_DRAFT_H

#include "base/memory.h"
#include "base/report.h"
#include "plan/plan.h"
#include "text/json.h"

typedef struct throng_draft {
    throng_floor_plan plan;
    char *name, *description;
    double seed, duration;                /* 0: not said; s */
    bool unreachable;                     /* people may have goals that no way leads to */
    throng_floor_value radius, speed;     /* of everybody who has none of their own */
    throng_string agents, sources, areas; /* items of these lists of the scenario, as JSON; areas to measure */
} throng_draft;

/* Some people: an item of "agents" or "sources". Texts and arrays are borrowed. */
typedef struct throng_draft_entry {
    throng_ring area;   /* in a polygon ... */
    throng_ring spots;  /* ... or at points */
    double count;       /* 0: see density; of a source: at most so many */
    double density;     /* people per square metre */
    bool full;          /* as many as fit: hexagonal placement */
    bool source;        /* they come while it runs */
    bool poisson;       /* of a source: at random times */
    double rate;        /* of a source, people per second */
    double from, until; /* of a source, s; until 0: not said */
    const double (*schedule)[2];
    size_t schedule_count;
    const char *const *goals; /* the journey; names of goals */
    size_t goal_count;
    bool any; /* one of the goals, the nearest, rather than all of them */
    throng_floor_value radius, speed, start_after;
    const char *group;
} throng_draft_entry;

void throng_draft_add(throng_draft *draft, const throng_draft_entry *entry);
void throng_draft_add_area(throng_draft *draft, const char *name, throng_ring ring);
void throng_draft_clear(throng_draft *draft);

/* The scenario file, and the plan alone. The caller releases the text. For a scenario the spawns of the plan become
 * people of the draft. */
char *throng_draft_scenario(throng_draft *draft, throng_report *report);
char *throng_draft_geojson(const throng_draft *draft);

/* ------------------------------------------------------------------ readers of others' scenarios */

bool throng_draft_read_vadere(throng_draft *draft, throng_json *json, throng_report *report);
/* `wkt` is the walkable area when it came in a file of its own, else NULL. */
bool throng_draft_read_jupedsim(throng_draft *draft, throng_json *json, const char *wkt, throng_report *report);
bool throng_draft_read_crowdit(throng_draft *draft, const char *bytes, size_t length, throng_report *report);

/* Adds a floor plan's walkable polygons from well-known text. */
bool throng_draft_add_wkt(throng_draft *draft, const char *wkt, throng_report *report);

/* ------------------------------------------------------------------ archives */

/* The two files of a JuPedSim scenario. */
typedef struct throng_bundle {
    char *json, *wkt; /* owned; NULL: none */
    size_t json_length;
} throng_bundle;

/* Takes them out of the bytes of a ZIP file, or of a directory. */
bool throng_bundle_unzip(throng_bundle *bundle, const char *bytes, size_t length, throng_report *report);
bool throng_bundle_of_directory(throng_bundle *bundle, const char *path, throng_report *report);
/* The .wkt file beside a .json file, if there is one; false when there are several. */
bool throng_bundle_find_wkt(throng_bundle *bundle, const char *path, throng_report *report);
void throng_bundle_clear(throng_bundle *bundle);
bool throng_is_directory(const char *path);

/* ------------------------------------------------------------------ asking JSON, with warnings */

/* Somebody else's scenario while it is read. */
typedef struct throng_foreign {
    throng_draft *draft;
    throng_json *json;
    throng_report *report;
    throng_json_ref elements; /* the object whose lists or objects are the elements */
    bool named;               /* they are objects, of named elements */
    bool failed;              /* an error was told */
} throng_foreign;

/* The value of a key; THRONG_NO_NODE: there is none. */
throng_json_ref throng_foreign_value(const throng_foreign *foreign, throng_json_ref object, const char *key);
/* The first item of a list, and its end; both 0 when it is no list. Walking: k is an item of such a list. */
throng_json_ref throng_foreign_items(const throng_foreign *foreign, throng_json_ref list, throng_json_ref *end);
#define THRONG_EACH_FOREIGN(k, f, list)                                                     \
    for (throng_json_ref k##_end, k = throng_foreign_items(f, list, &k##_end); k < k##_end; \
         k = throng_json_after((f)->json, k))
double throng_foreign_number(const throng_foreign *foreign, throng_json_ref object, const char *key, double fallback);
bool throng_foreign_bool(const throng_foreign *foreign, throng_json_ref object, const char *key, bool fallback);
/* A text, or a number as text; "" when there is none. The buffer takes numbers. */
const char *throng_foreign_text(const throng_foreign *foreign, throng_json_ref object, const char *key, char *buffer,
                                size_t size);
/* False when it is an error. */
bool throng_foreign_tell(throng_foreign *foreign, throng_severity severity, throng_json_ref node, const char *format,
                         ...) THRONG_PRINTF(4, 5);
/* Adds an area to the plan, which takes over the ring. */
throng_floor_shape *throng_foreign_add(throng_foreign *foreign, throng_json_ref node, throng_ring ring,
                                       throng_floor_kind kind, const char *name);
/* Calls a function for each item of a list of elements, or with each key of an object of named ones. */
void throng_foreign_each(throng_foreign *foreign, const char *key,
                         void (*take)(throng_foreign *foreign, throng_json_ref element));

#endif
