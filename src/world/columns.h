/* columns.h: everybody in the world, one array per property (structure of arrays). Rows are in order of id, or, in
 * large crowds (order.c), in order of place. */

#ifndef THRONG_COLUMNS_H
#define THRONG_COLUMNS_H

#include <throng/model.h>

#include "route/route.h"

/* The list of columns: type, name, meaning and who writes it. Growing, compacting and checkpoints go by
 * it; what need not be kept from one step to the next is named in columns.c. First those that throng_view shows, in its
 * order, then those that only the world knows. */
#define THRONG_SHOWN_COLUMNS(COLUMN)                                                               \
    COLUMN(throng_agent, id) /* never changes */                                                   \
    COLUMN(double, x)        /* m; move */                                                         \
    COLUMN(double, y)                                                                              \
    COLUMN(double, vx) /* m/s over the last step; move */                                          \
    COLUMN(double, vy)                                                                             \
    COLUMN(double, wish_x) /* m/s, the desired velocity; wish */                                   \
    COLUMN(double, wish_y)                                                                         \
    COLUMN(double, push_x) /* m/s^2, an outside force; add */                                      \
    COLUMN(double, push_y)                                                                         \
    COLUMN(double, impulse_x) /* N s, what hits it before the models decide; bodies, push_agent */ \
    COLUMN(double, impulse_y)                                                                      \
    COLUMN(double, force)   /* N, sum of the sizes of contact forces over the step; models */      \
    COLUMN(double, force_x) /* N, their sum; models */                                             \
    COLUMN(double, force_y)                                                                        \
    COLUMN(double, target_x) /* m, its own point to go to; add, leave */                           \
    COLUMN(double, target_y)                                                                       \
    COLUMN(double, radius)          /* m; add */                                                   \
    COLUMN(double, desired_speed)   /* m/s; add */                                                 \
    COLUMN(double, max_speed)       /* m/s; add */                                                 \
    COLUMN(double, mass)            /* kg; add */                                                  \
    COLUMN(throng_profile, profile) /* add */                                                      \
    COLUMN(throng_group, group)     /* add */                                                      \
    COLUMN(throng_goal, goal)       /* walked to now; add, leave */                                \
    COLUMN(uint8_t, state)          /* a throng_agent_state; arrive, leave */

#define THRONG_OWN_COLUMNS(COLUMN)                                                            \
    COLUMN(double, next_x) /* m; the model */                                                 \
    COLUMN(double, next_y)                                                                    \
    COLUMN(double, next_vx) /* m/s; the model */                                              \
    COLUMN(double, next_vy)                                                                   \
    COLUMN(throng_way, way)        /* to its goal; route */                                   \
    COLUMN(double, likes_speed)    /* m/s, desired in the zones it is in; wish */             \
    COLUMN(double, limit_speed)    /* m/s, the most there; wish */                            \
    COLUMN(throng_profile, acting) /* there; wish */                                          \
    COLUMN(double, start_after)    /* s; add */                                               \
    COLUMN(double, body)           /* m, radius of who is not pressed; add */                 \
    COLUMN(uint32_t, journey)      /* index into the world's journeys; add */                 \
    COLUMN(uint32_t, stage)        /* which goal of the journey; leave */                     \
    COLUMN(double, spot_x)         /* m, where it waits; leave */                             \
    COLUMN(double, spot_y)                                                                    \
    COLUMN(double, pause_until)  /* s; leave */                                               \
    COLUMN(throng_goal, queue)   /* whose line it stands in; leave */                         \
    COLUMN(throng_trail, trail)  /* the planner's memory of it; route */                      \
    COLUMN(uint32_t, region)     /* it is in, from 1 on; arrive */                            \
    COLUMN(throng_profile, home) /* its profile outside regions, once it is in one; arrive */ \
    COLUMN(uint8_t, routed)      /* the planner knows its way; prepare, route */              \
    COLUMN(uint8_t, mark)        /* scratch of keep_out, and of leave: 1 at last for who is leaving */

#define THRONG_COLUMN_FIELD(type, name) type *name;
typedef struct throng_columns {
    union { /* the same pointers twice */
        struct {
            size_t count;
            THRONG_SHOWN_COLUMNS(THRONG_COLUMN_FIELD)
            uint32_t *by_id; /* rows in order of id */
        };
        throng_view view; /* all but its time and step */
    };
    THRONG_OWN_COLUMNS(THRONG_COLUMN_FIELD)
    size_t capacity;
    bool shuffled; /* by_id is not the order of rows */
    /* [move_capacity] by row, scratch: where who is to stand there stands now, and the other way round */
    uint32_t *from, *to;
    size_t move_capacity;
} throng_columns;
#undef THRONG_COLUMN_FIELD

void throng_columns_reserve(throng_columns *columns, size_t capacity); /* new rows are zero */
void throng_columns_reserve_moves(throng_columns *columns);            /* `from` and `to`, before rows move */
void throng_columns_destroy(throng_columns *columns);

/* Private columns of a model or a habit. */
typedef struct throng_kept {
    const throng_column *columns;
    size_t column_count, capacity;
    void **items; /* [column] one item per row; they reach only as far as the last prepare made them */
} throng_kept;

void throng_kept_reserve(throng_kept *kept, size_t capacity); /* new rows are zero */
void throng_kept_clear(throng_kept *kept);
void throng_kept_reset(const throng_kept *kept, size_t row); /* as of a newcomer */

/* What becomes of rows when some leave. */
typedef struct throng_leaving {
    size_t stay;   /* how many do */
    size_t filled; /* gaps that others go to; 0: all move up */
} throng_leaving;

/* Who leaves: the rows whose mark is 1 and not 0. */
throng_leaving throng_columns_leaving(throng_columns *columns);
/* Drops them and closes the gaps, keeping the order of rows if it is that of ids. */
void throng_columns_compact(throng_columns *columns, const throng_leaving *leaving, throng_crew *crew);
/* Keeps everybody, or replaces everybody by those kept; whoever reads checks what the numbers say. */
void throng_columns_archive(throng_columns *columns, throng_archive *archive);
/* What is kept of some rows, column by column, for another world: as many bytes for each as throng_columns_row_size
 * says. And putting `count` people in the rows from `first` on. Both return where the bytes end. */
size_t throng_columns_row_size(void);
char *throng_columns_pack(const throng_columns *columns, const uint32_t *rows, size_t count, char *to);
const char *throng_columns_unpack(throng_columns *columns, size_t first, size_t count, const char *from);
void throng_columns_clear(throng_columns *columns, size_t begin, size_t end); /* these rows are zero again */
/* The same for one more column. */
char *throng_column_pack(const void *items, size_t item_size, const uint32_t *rows, size_t count, char *to);
/* Puts the rows from `first` to count - 1, which are new, in by_id. */
void throng_columns_enter(throng_columns *columns, size_t first);
/* Adds what decides how they go on to the hashes of the rows from begin to end - 1; the goals of a journey are to be
 * added by who knows them. And the same for `count` items of one more column. */
void throng_columns_hash(const throng_columns *columns, size_t begin, size_t end, uint64_t *hashes);
void throng_column_hash(const void *items, size_t item_size, size_t count, uint64_t *hashes);
uint64_t throng_columns_layout(void); /* a hash of the names and sizes of what is kept */
/* The longest way that anybody is about to go, from x to next_x, m. */
double throng_columns_longest_way(const throng_columns *columns);
/* The row of an id, or SIZE_MAX; and how many have a lower one. */
size_t throng_columns_row(const throng_columns *columns, throng_agent id);
size_t throng_columns_rank(const throng_columns *columns, throng_agent id);
/* Makes by_id from the ids; false when somebody is there twice. */
bool throng_columns_index(throng_columns *columns);

size_t throng_columns_count(void); /* how many columns there are */
/* In the columns from begin to end - 1, everybody goes to the row whose `from` is its own. Rows that change places go
 * around in rings, of each of which `first` has one. What need not be kept stays. Returns throng_columns_count(). */
size_t throng_columns_move(throng_columns *columns, const uint32_t *first, size_t ring_count, size_t begin, size_t end);
void throng_column_move(void *items, size_t item_size, const uint32_t *from, const uint32_t *first, size_t ring_count);
void throng_columns_renumber(throng_columns *columns); /* by_id after that */

/* The same for one more array with `count` items, one per row (a model's private column), before the columns
 * themselves are compacted. */
void throng_column_compact(void *items, size_t item_size, const throng_columns *columns, const throng_leaving *leaving,
                           size_t count);

#endif
