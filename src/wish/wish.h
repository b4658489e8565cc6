/* wish.h: what velocity everybody wishes for (its desired velocity), whichever model moves it.
 *
 * The route tells everybody a way. People make a wish of it by habit: a habit is one file of this room and one line in
 * list.c. With all habits off a model gets the way as it is, and is what its paper says.
 *
 *     file         what it does
 *     list.c       the habits there are, and letting everybody wish
 *     jams.c       yielding and stepping aside in jams that have come to a stop
 *     keep_right.c passing people who come the other way on the right
 *     symmetry.c   turning a wish by a hair, so that nobody stands face to face for ever */

#ifndef THRONG_WISH_H
#define THRONG_WISH_H

#include <throng/model.h>

/* Everybody as the habits see them, as columns by row. */
typedef struct throng_wishing {
    throng_view people; /* now; profiles as zones change them */
    double dt;          /* s */
    uint64_t seed;
    double *wish_x, *wish_y; /* m/s: `look` reads everybody's, `change` reads and writes one's own */
    const throng_near *near; /* NULL when no habit needs it */
    const throng_walls *walls;
    throng_crew *crew;
    /* Of the habit at work. */
    const void *const *params; /* [profile] NULL: the habit is off, or it is a thing */
    void *const *columns;      /* [column declared] one item per row */
} throng_wishing;

/* Both passes write only the rows begin .. end - 1. First all habits look at how things stand, then wishes change,
 * habit by habit in the order of the list: so nobody sees a wish that has changed already. */
typedef struct throng_habit {
    const char *name, *title;
    const throng_param *params; /* offsets are those of its own struct, whose fields are all double */
    size_t param_count, params_size;
    const throng_column *columns; /* zero for a new agent, kept with it when rows move */
    size_t column_count;
    bool columns_follow; /* from who somebody is and its parameters: they are no part of a digest */
    bool (*is_on)(const void *params);
    const throng_shown *shown; /* of those who have the habit; `result` is of no use here */
    size_t shown_count;
    bool needs_grid;
    void (*look)(const throng_wishing *wishing, size_t begin, size_t end); /* NULL: there is nothing to see */
    void (*change)(const throng_wishing *wishing, size_t begin, size_t end);
} throng_habit;

/* In the order in which wishes change, ended by NULL. */
extern const throng_habit *const throng_habits[];

extern const throng_habit throng_habit_jams;
extern const throng_habit throng_habit_keep_right;
extern const throng_habit throng_habit_symmetry;

/* Somebody as seen by somebody else. */
typedef struct throng_seen {
    throng_point from; /* m, where one looks from */
    double x, y;       /* m, from there to it */
    double radius;     /* m */
    uint32_t row;      /* from people.count on: it is a thing */
} throng_seen;

/* Shows everybody within `reach` of somebody, from middle to middle. */
void throng_wish_look_around(const throng_wishing *wishing, uint32_t row, double reach,
                             void (*see)(void *context, throng_seen seen), void *context);
/* Whether no wall is in between. */
bool throng_wish_sees(const throng_wishing *wishing, throng_seen seen);

/* One pass of a habit over everybody. */
void throng_habit_look(const throng_habit *habit, const throng_wishing *wishing);
void throng_habit_change(const throng_habit *habit, const throng_wishing *wishing);

#endif
