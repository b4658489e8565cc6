/* order.h: rows of large crowds in order of place, and the view in order of id all the same. */

#ifndef THRONG_ORDER_H
#define THRONG_ORDER_H

#include <throng/throng.h>

/* Columns in order of id, for throng_world_view, when rows are in another order. */
typedef struct throng_ordered throng_ordered;

throng_ordered *throng_ordered_create(void);
void throng_ordered_destroy(throng_ordered *ordered);

/* Before people are changed: what a view was given last, and what questions know, holds no more. */
void throng_world_touch(throng_world *world);

/* A part of the step: puts rows in order of place if it is time for it. */
void throng_world_keep_order(throng_world *world);

#endif
