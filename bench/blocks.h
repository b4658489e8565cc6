/* blocks.h: places made of rectangular blocks, and the time it takes to plan in them. */

#ifndef BENCH_BLOCKS_H
#define BENCH_BLOCKS_H

#include <throng/throng.h>
#include <time.h>

enum { OBSTACLES_MOST = 4000 };

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct plan {
    throng_point corners[OBSTACLES_MOST][4];
    throng_obstacle obstacles[OBSTACLES_MOST];
    size_t count;
} plan;

static void add_block(plan *p, double x, double y, double width, double height) {
    throng_point *c = p->corners[p->count];
    c[0] = (throng_point){x, y}, c[1] = (throng_point){x + width, y};
    c[2] = (throng_point){x + width, y + height}, c[3] = (throng_point){x, y + height};
    p->obstacles[p->count++] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = {c, 4}};
}

#endif
