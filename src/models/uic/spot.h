/* spot.h: where somebody stands among the tiles, and what it brings along, one by one; line_kernel.h has the same for
 * several at once. */

#ifndef THRONG_UIC_SPOT_H
#define THRONG_UIC_SPOT_H

#include "models/uic/uic.h"

/* The tile somebody is in, and where in it, in parts of its side. */
typedef struct throng_uic_spot {
    int32_t column, row;
    double x, y;
} throng_uic_spot;

static inline throng_uic_spot throng_uic_find_spot(const throng_uic *s, throng_point at, double per_tile) {
    double x = (at.x - s->origin_x) * per_tile, y = (at.y - s->origin_y) * per_tile;
    int32_t column = (int32_t)x, row = (int32_t)y;
    column -= x < column;
    row -= y < row;
    return (throng_uic_spot){column, row, x - column, y - row};
}

/* How near to the border of a tile, in parts of its side, somebody needs the tile beyond it. */
#define THRONG_UIC_EDGE (1.01 / THRONG_UIC_TILE)

static inline unsigned throng_uic_edge_of(throng_uic_spot p) {
    const double low = THRONG_UIC_EDGE, high = 1 - low;
    return (unsigned)(p.x < low) * THRONG_UIC_AT_WEST | (unsigned)(p.x > high) * THRONG_UIC_AT_EAST |
           (unsigned)(p.y < low) * THRONG_UIC_AT_SOUTH | (unsigned)(p.y > high) * THRONG_UIC_AT_NORTH;
}

#define THRONG_UIC_ROOT3 1.7320508075688772 /* of eq. 4 */

/* The tile that those who were looked at last are in. */
typedef struct throng_uic_ground {
    int32_t column, row;
    uint32_t position;
    double low_x, low_y; /* m, of its low corner */
} throng_uic_ground;

static inline bool throng_uic_is_on(const throng_uic_ground *g, throng_uic_spot at) {
    return at.column == g->column && at.row == g->row;
}

/* False: there is none. */
static inline bool throng_uic_change_ground(const throng_uic *s, throng_uic_ground *g, throng_uic_spot at) {
    double side = THRONG_UIC_TILE * s->cell;
    *g = (throng_uic_ground){at.column, at.row, throng_uic_position(s, at.column, at.row),
                             s->origin_x + side * at.column, s->origin_y + side * at.row};
    return g->position < THRONG_UIC_NOWHERE;
}

static inline throng_uic_ground throng_uic_no_ground(void) { return (throng_uic_ground){.column = INT32_MIN}; }

/* People of a tile one after the other. */
static inline void throng_uic_note_run(uint32_t *tally, uint16_t *edges, uint32_t position, uint32_t count,
                                       unsigned seen) {
    tally[position] += count;
    edges[position] |= (uint16_t)seen;
}

/* line.c: puts somebody who is on some ground into the line by tiles. */
void throng_uic_line_up_one(throng_uic *s, const throng_uic_ground *g, uint32_t number, uint32_t to);

/* The bin of a place in a tile: its row << 16 | its column. */
static inline uint32_t throng_uic_bin_of(const throng_uic *s, float x, float y) {
    int across = s->bins * THRONG_UIC_TILE;
    float scale = (float)(s->bins / s->cell);
    int column = (int)(x * scale), row = (int)(y * scale);
    column = column < 0 ? 0 : column < across ? column : across - 1;
    row = row < 0 ? 0 : row < across ? row : across - 1;
    return (uint32_t)row << 16 | (uint32_t)column;
}

#endif
