/* near_list.h: everybody's list of those within a reach (neighbour list), for models that look at the same people
 * several times in a step. */

#ifndef THRONG_NEAR_LIST_H
#define THRONG_NEAR_LIST_H

#include <throng/model.h>

/* The list of a slot is slot[start[s]] .. slot[start[s] + length[s] - 1], in an order that depends on
 * nothing but where people are. Who is in somebody's list has that one in its own. */
typedef struct throng_near_lists {
    size_t count;     /* of lists */
    uint32_t *start;  /* [count + 1] */
    uint32_t *length; /* [count] */
    uint32_t *slot;   /* [start[count]], with gaps */
    size_t list_capacity, slot_capacity;
} throng_near_lists;

throng_near_lists *throng_near_lists_create(void);
void throng_near_lists_destroy(throng_near_lists *lists);

/* Lists for each slot those whose centres are nearer than `reach` (m). Grows when there are more than
 * ever before, else allocates nothing. The result is the same with and without `simd`. */
void throng_near_lists_build(throng_near_lists *lists, const throng_near *near, throng_crew *crew, double reach,
                             bool simd);

/* Makes room for `count` lists of up to `each`, for who writes them itself: slot[start[s]] on. */
void throng_near_lists_make_room(throng_near_lists *lists, size_t count, size_t each);

/* What is built both plain and wide. */
typedef struct throng_near_list_job {
    const throng_near *near;
    double reach;
    throng_near_lists *lists;
} throng_near_list_job;

extern const throng_work throng_near_list_fill_plain;
extern const throng_work throng_near_list_fill_avx2; /* only where throng_wide_supported() */

#endif
