/* weights.h: how somebody is shared out among the cells and faces around it, to splat and to sample alike. */

#ifndef THRONG_UIC_WEIGHTS_H
#define THRONG_UIC_WEIGHTS_H

#include <math.h>

#include "models/uic/uic.h"

/* The cells and faces around somebody, as places in a field, and its weights there. */
typedef struct throng_uic_weights {
    int cell[4], u[4], v[4];
    float on_cell[4], on_u[4], on_v[4];
} throng_uic_weights;

static inline float throng_uic_length(float x, float y) { return sqrtf(x * x + y * y); }

static inline void throng_uic_share(float *weights, float across, float up) {
    weights[0] = (1 - across) * (1 - up);
    weights[1] = across * (1 - up);
    weights[2] = (1 - across) * up;
    weights[3] = across * up;
}

/* Who stands in a part of a cell that belongs to the next one counts as standing on the border of that. */
static inline void throng_uic_go_next_door(const throng_uic_tile *tile, int *c, int *r, float *x, float *y) {
    const throng_uic_lent *lent = &tile->lent[tile->divided[*r * THRONG_UIC_TILE + *c] - 1];
    int px = (int)((*x - (float)*c) * THRONG_UIC_POINTS), py = (int)((*y - (float)*r) * THRONG_UIC_POINTS);
    px = px < 0 ? 0 : px < THRONG_UIC_POINTS ? px : THRONG_UIC_POINTS - 1;
    py = py < 0 ? 0 : py < THRONG_UIC_POINTS ? py : THRONG_UIC_POINTS - 1;
    uint8_t to = lent->to[py][px];
    if (to == THRONG_UIC_WEST) *x = (float)(*c)--;
    if (to == THRONG_UIC_EAST) *x = (float)++*c;
    if (to == THRONG_UIC_SOUTH) *y = (float)(*r)--;
    if (to == THRONG_UIC_NORTH) *y = (float)++*r;
}

/* (x, y) in cells from the low corner of the tile. Of the four cells the first is the one somebody is in, then come the
 * next one in its row, the one in its column, and the one across. */
static inline throng_uic_weights throng_uic_weigh(const throng_uic_tile *tile, float x, float y) {
    throng_uic_weights w;
    int c = (int)x, r = (int)y;
    c = c < 0 ? 0 : c < THRONG_UIC_TILE ? c : THRONG_UIC_TILE - 1;
    r = r < 0 ? 0 : r < THRONG_UIC_TILE ? r : THRONG_UIC_TILE - 1;
    if (!tile->plain && tile->divided[r * THRONG_UIC_TILE + c]) throng_uic_go_next_door(tile, &c, &r, &x, &y);
    float a = x - (float)c, b = y - (float)r; /* 0 .. 1 within the cell */
    bool east = a > 0.5F, north = b > 0.5F;
    float across = east ? a - 0.5F : 0.5F - a, up = north ? b - 0.5F : 0.5F - b; /* to the next cell */
    int at = throng_uic_at(r, c), aside = east ? 1 : -1, above = north ? THRONG_UIC_STRIDE : -THRONG_UIC_STRIDE;
    if (!tile->plain) {
        across *= tile->open_u[east ? at + 1 : at];
        up *= tile->open_v[north ? at + THRONG_UIC_STRIDE : at];
    }
    w.cell[0] = at;
    w.cell[1] = at + aside;
    w.cell[2] = at + above;
    w.cell[3] = at + aside + above;
    throng_uic_share(w.on_cell, across, up);
    w.u[0] = at;
    w.u[1] = at + 1;
    w.u[2] = at + above;
    w.u[3] = at + above + 1;
    throng_uic_share(w.on_u, a, up);
    w.v[0] = at;
    w.v[1] = at + aside;
    w.v[2] = at + THRONG_UIC_STRIDE;
    w.v[3] = at + THRONG_UIC_STRIDE + aside;
    throng_uic_share(w.on_v, across, b);
    return w;
}

#endif
