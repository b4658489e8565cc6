/* near_list_kernel.h: writing the lists of those within a reach. Built twice, by near_list.c and
 * near_list_avx2.c. */

#ifndef THRONG_NEAR_LIST_KERNEL_H
#define THRONG_NEAR_LIST_KERNEL_H

#include "space/near_kernel.h"
#include "space/near_list.h"

/* The room that fill_list needs for a slot at most. */
static inline uint32_t near_list_most(const throng_near *near, uint32_t me, double reach) {
    near_cells cells = near_cells_around(near, near->x[me], near->y[me], reach);
    const uint32_t *start = near->start + (size_t)cells.row_low * (size_t)near->columns;
    uint32_t room = THRONG_WIDTH; /* packing writes beyond the end */
    for (int32_t row = cells.row_low; row <= cells.row_high; row++, start += near->columns) {
        room += start[cells.column_high + 1] - start[cells.column_low];
    }
    return room;
}

/* Writes the list of one slot. */
static inline void fill_list(const throng_near *near, uint32_t me, double reach, const throng_near_lists *lists) {
    near_cells cells = near_cells_around(near, near->x[me], near->y[me], reach);
    const uint32_t *start = near->start + (size_t)cells.row_low * (size_t)near->columns;
    const near_eye eye = near_look(near, near->x[me], near->y[me], reach);
    const int32_t low = cells.column_low, high = cells.column_high + 1, columns = near->columns;
    uint32_t *list = lists->slot + lists->start[me];
    uint32_t count = 0, own = 0;
    for (int32_t row = cells.row_low; row <= cells.row_high; row++, start += columns) {
        uint32_t last = start[high];
        for (uint32_t s = start[low]; s < last; s += THRONG_WIDTH) {
            wide distance2;
            wide_mask in = near_within(&eye, s, (int64_t)last - s, &distance2);
            uint32_t found = wide_pack(NULL, list + count, in, distance2, s);
            /* the last block that begins before the person holds it */
            own = s <= me ? count : own;
            count += found;
        }
    }
    /* the last one takes the place of the person itself */
    while (list[own] != me) own++;
    list[own] = list[count - 1];
    lists->length[me] = count - 1;
}

static inline void fill_lists(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const throng_near_list_job *job = context;
    const throng_near_lists lists = *job->lists;
    for (size_t me = begin; me < end; me++) fill_list(job->near, (uint32_t)me, job->reach, &lists);
}

#endif
