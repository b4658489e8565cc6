/* look.h: who and what is around somebody (neighbour search), one after the other, for models that are plain loops. */

#ifndef THRONG_MODELS_LOOK_H
#define THRONG_MODELS_LOOK_H

#include <math.h>

#include "base/elementary.h"
#include "base/vector.h"
#include "models/divide.h"

/* What these models have at the head of their parameters. */
typedef struct throng_look_params {
    double neighbour_dist; /* m */
    double substep;        /* s */
    double walls;          /* a throng_wall_rule */
} throng_look_params;

typedef enum throng_wall_rule { THRONG_WALLS_ONCE, THRONG_WALLS_SEGMENTS } throng_wall_rule;

/* Lines of their tables. */
#define THRONG_LOOK_DIST(type, number, source)                                                                     \
    {                                                                                                              \
        "neighbour_dist", "m", "People and walls farther away are not cared for.", THRONG_PARAM_NUMBER, 0, number, \
            100, NULL, source, offsetof(type, look.neighbour_dist)                                                 \
    }
#define THRONG_LOOK_SUBSTEP(type, number, source)                                                          \
    {                                                                                                      \
        "substep", "s", "Longer steps of the world are divided into such sub-steps; the first profile's.", \
            THRONG_PARAM_NUMBER, 1e-4, number, 10, NULL, source, offsetof(type, look.substep)              \
    }
#define THRONG_LOOK_WALL_RULE(type)                                                                           \
    {                                                                                                         \
        "walls", "",                                                                                          \
            "once: of every wall and corner around the nearest point counts, however it is drawn. segments: " \
            "that of every straight piece does, as in JuPedSim.",                                             \
            THRONG_PARAM_CHOICE, 0, 0, 1, throng_wall_rules, "chosen: the paper does not say",                \
            offsetof(type, look.walls)                                                                        \
    }

extern const char *const throng_wall_rules[];
extern const char *const throng_look_common[]; /* substep */

/* Somebody else, or the nearest point of a wall, as seen from where somebody stands. */
typedef struct throng_other {
    throng_point way; /* m, from oneself to it */
    double distance;  /* m */
    uint32_t slot;    /* of a person; of a wall its number */
} throng_other;

/* Looks around: throng_look l = throng_look_around(...); while (throng_look_next(&l, &other)). */
typedef struct throng_look {
    const throng_near *near;
    uint32_t slot, last; /* still to be looked at in this row of cells */
    int32_t column_low, column_high, row, row_high;
    throng_point at;
    double reach2;
} throng_look;

throng_look throng_look_around(const throng_near *near, uint32_t slot, double reach);
/* Somebody within reach, in the order of slots; false: nobody is left. Who stands in the very same place is left out.
 */
bool throng_look_next(throng_look *look, throng_other *out);
/* Whether no wall is in between. */
bool throng_look_sees(const throng_walls *walls, throng_point at, const throng_other *other);

/* The points of walls that count for somebody within `reach`, nearest first. */
enum { THRONG_LOOK_WALLS = 64 };
size_t throng_look_walls(const throng_walls *walls, throng_point at, double reach, throng_wall_rule rule,
                         throng_other out[THRONG_LOOK_WALLS]);

/* exp x of what drops with the distance: beyond 1e-17 of it there is nothing. */
static inline double throng_look_decay(double x) { return x > -40 ? throng_exp(x) : 0; }

/* The state of such a model: steps divided into sub-steps. */
void *throng_look_create(void);
void throng_look_destroy(void *state);
double throng_look_reach(const void *params);
double throng_look_substep(const void *common);

#endif
