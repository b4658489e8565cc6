/* wish.h: what velocity everybody wishes for (its desired velocity), whichever model moves it.
 *
 * The route tells everybody a way. People make a wish of it by habit: a habit is one file of this room and one line
 * in THRONG_HABITS. With all habits that can be off so, a model gets the way as it is, and is what its paper says.
 *
 *     file         what it does
 *     list.c       the table of habits, what they share, and letting everybody wish
 *     stops.c      walking one's way at the speed one likes, stopping where it ends and before closed goals
 *     waiting.c    walking to the spot where one waits, in a line or an area
 *     make_way.c   making way for walls that move
 *     squeeze.c    being narrower where one is pressed
 *     pace.c       walking as slowly as the free way ahead asks for
 *     jams.c       yielding and stepping aside in jams that have come to a stop
 *     stuck.c      giving way, or standing firm, by chance, where nothing else decides who goes first
 *     keep_right.c passing people who come the other way on the right
 *     symmetry.c   turning a wish by a hair, so that nobody stands face to face for ever */

#ifndef THRONG_WISH_H
#define THRONG_WISH_H

#include "route/route.h"
#include "space/period.h"

/* What somebody is about, besides its columns. */
typedef struct throng_errand {
    throng_walker walker;
    throng_point spot; /* m, where it waits */
    bool in_line;      /* and this line */
    struct {
        const throng_point *spots; /* m, from its head */
        size_t count;
        double spacing; /* m */
    } line;
    bool ends;        /* its journey does, at the goal it walks to */
    bool keeps_apart; /* its model lets nothing push it or hold it */
} throng_errand;

/* A wall that comes near somebody. */
typedef struct throng_coming {
    double gap;        /* m between them */
    throng_point away; /* unit: from it to somebody */
    throng_point velocity;
} throng_coming;

/* Everybody as the habits see them, as columns by row. */
typedef struct throng_wishing {
    throng_view people; /* now; profiles and speeds as zones change them */
    double dt;          /* s */
    uint64_t seed;
    double *wish_x, *wish_y; /* m/s: `make` writes one's own, `look` reads everybody's, `change` changes one's own */
    const throng_way *ways;  /* [row] where to; the distance is negative of who does not walk */
    const throng_route *route;
    const throng_goal_entry *goals;
    const throng_period *period;
    const throng_near *near; /* NULL when no habit needs it */
    const throng_walls *walls;
    throng_crew *crew;
    bool simd;                                  /* the wide path may be used */
    bool any_closed, any_waits, any_walls_move; /* a goal is closed, is waited at; walls may be under way */
    const double *body;                         /* [row] m, the radius of who is not pressed */
    const double *press; /* [row] how much somebody is, 0 to 1; NULL: nobody makes itself narrow */
    const double *hold;  /* [row] share of its wish that somebody leaves out by its pace; NULL: nobody has one */
    /* What the world tells of somebody: what it is about; the next wall from number *next on that comes within reach,
     * if its model lets nothing push it. */
    const throng_world *world;
    throng_errand (*errand)(const throng_world *world, size_t row);
    bool (*next_coming)(const throng_world *world, size_t row, double reach, size_t *next, throng_coming *out);
    /* Of the habit at work. */
    const void *const *params; /* [profile] NULL: the habit is off, or it is a thing */
    void *const *columns;      /* [column declared] one item per row */
} throng_wishing;

/* All passes write only the rows begin .. end - 1. First wishes are made of ways, then all habits look at how things
 * stand, then wishes change, each habit by habit in the order of the list: so nobody sees a wish that has changed
 * already. A pass that is NULL is left out. */
typedef struct throng_habit {
    const char *name, *title;
    const throng_param *params; /* offsets are those of its own struct, whose fields are all double */
    size_t param_count, params_size;
    const throng_column *columns; /* zero for a new agent, kept with it when rows move */
    size_t column_count;
    bool columns_follow;               /* from who somebody is and its parameters: they are no part of a digest */
    bool (*is_on)(const void *params); /* NULL: always */
    const throng_shown *shown;         /* of those who have the habit; `result` is of no use here */
    size_t shown_count;
    bool needs_grid;
    /* How far its people look for others, from middle to middle, where nobody is larger than so much; NULL: at nobody.
     */
    double (*reach)(const void *params, double radius_most);
    void (*make)(const throng_wishing *wishing, size_t begin, size_t end);
    void (*look)(const throng_wishing *wishing, size_t begin, size_t end);
    void (*change)(const throng_wishing *wishing, size_t begin, size_t end);
} throng_habit;

/* The habits there are, in the order in which wishes change: a further one is its file and its line here. */
#define THRONG_HABITS(HABIT) \
    HABIT(stops)             \
    HABIT(waiting)           \
    HABIT(make_way)          \
    HABIT(squeeze)           \
    HABIT(pace)              \
    HABIT(jams)              \
    HABIT(stuck)             \
    HABIT(keep_right)        \
    HABIT(symmetry)

#define THRONG_HABIT(name) extern const throng_habit throng_habit_##name;
THRONG_HABITS(THRONG_HABIT)
#undef THRONG_HABIT

extern const throng_habit *const throng_habits[]; /* ended by NULL */

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
typedef enum throng_wish_pass { THRONG_WISH_MAKE, THRONG_WISH_LOOK, THRONG_WISH_CHANGE } throng_wish_pass;
void throng_habit_go(const throng_habit *habit, throng_wish_pass pass, const throng_wishing *wishing);

#endif
