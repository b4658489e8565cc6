/* obstacle_pixels.c: which pixels are walls.
 *
 * A pixel is taken by an obstacle if its middle is where nobody can walk. Walls thinner than a pixel would be missed
 * like that; so where a wall passes between the middles of two pixels side by side, both walkable, the one nearer to it
 * is taken, too (of two as near, the one to the west or south). So no wall has a gap. Tiles are looked at again when
 * the walls in or next to them are others than before. */

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "models/cpd/cpd.h"
#include "space/walls.h"

enum { WIDTH = THRONG_CPD_WIDTH, HEIGHT = THRONG_CPD_HEIGHT };

void throng_cpd_note_walls(throng_cpd *s, const throng_walls *walls) {
    uint64_t hash = walls->count + 1;
    for (size_t k = 0; k < walls->count; k++) hash = throng_hash_real(throng_hash_real(hash, walls->x[k]), walls->y[k]);
    s->walls_hash = hash;
}

/* A tile's box in pixels of the world, a pixel wider all around. */
typedef struct box {
    const throng_cpd *s;
    const throng_walls *walls;
    throng_cpd_tile *tile;
    double left, low; /* the tile's corner */
} box;

static double pixel_x(const box *b, int column) { return b->s->origin_x + (b->left + column + 0.5) * b->s->pixel; }
static double pixel_y(const box *b, int row) { return b->s->origin_y + (b->low + row + 0.5) * b->s->pixel; }

static bool is_free(const box *b, int column, int row) {
    const throng_walls *w = b->walls;
    double x = pixel_x(b, column), y = pixel_y(b, row);
    double c = (x - w->origin_x) * w->inverse_cell, r = (y - w->origin_y) * w->inverse_cell;
    if (c >= 0 && r >= 0 && c < w->columns && r < w->rows) {
        int8_t side = w->side[(size_t)r * (size_t)w->columns + (size_t)c];
        if (side != 0) return side > 0;
    }
    return throng_walls_inside(w, x, y);
}

static void block(const box *b, int column, int row) {
    if (column < 0 || row < 0 || column >= WIDTH || row >= HEIGHT) return;
    b->tile->blocked[row][column / 64] |= (uint64_t)1 << column % 64;
    b->tile->walled = true;
}

/* Calls for every wall that may touch the box, some more than once. */
static void each_wall(const box *b, void (*call)(void *context, throng_wall_ends ends), void *context) {
    const throng_walls *w = b->walls;
    double low_x = pixel_x(b, -2), high_x = pixel_x(b, WIDTH + 1), low_y = pixel_y(b, -2),
           high_y = pixel_y(b, HEIGHT + 1);
    double across = (high_x - w->origin_x) * w->inverse_cell, up = (high_y - w->origin_y) * w->inverse_cell;
    if (w->count == 0 || across < 0 || up < 0) return;
    int32_t begin = throng_walls_clamp((low_x - w->origin_x) * w->inverse_cell, w->columns);
    int32_t end = throng_walls_clamp(across, w->columns), row_end = throng_walls_clamp(up, w->rows);
    for (int32_t r = throng_walls_clamp((low_y - w->origin_y) * w->inverse_cell, w->rows); r <= row_end; r++) {
        const uint32_t *start = w->start + (size_t)r * (size_t)w->columns;
        for (uint32_t i = start[begin]; i < start[end + 1]; i++) {
            throng_wall_ends e = w->ends[i];
            if (fmax(e.from.x, e.to.x) < low_x || fmin(e.from.x, e.to.x) > high_x) continue;
            if (fmax(e.from.y, e.to.y) < low_y || fmin(e.from.y, e.to.y) > high_y) continue;
            call(context, e);
        }
    }
}

static void hash_wall(void *context, throng_wall_ends e) {
    uint64_t *hash = context;
    *hash = throng_hash_real(throng_hash_real(throng_hash_real(throng_hash_real(*hash, e.from.x), e.from.y), e.to.x),
                             e.to.y);
}

/* --- walls between pixels */

/* The lines through middles of pixels between two coordinates, of `count` that begin at the low side, and one more on
 * either side. */
static void lines_between(double a, double b, int count, int *first, int *last) {
    double low = ceil(fmin(a, b) - 0.5), high = floor(fmax(a, b) - 0.5);
    *first = low < -1 ? -1 : low > count ? count + 1 : (int)low;
    *last = high > count ? count : high < -1 ? -2 : (int)high;
}

static void seal_rows(const box *b, double x0, double y0, double x1, double y1) {
    int first, last;
    lines_between(y0, y1, HEIGHT, &first, &last);
    for (int r = first; r <= last; r++) {
        double y = r + 0.5;
        if ((y0 <= y) == (y1 <= y)) continue;
        double at = x0 + (y - y0) * (x1 - x0) / (y1 - y0) - 0.5, west = floor(at);
        if (west < -1 || west >= WIDTH) continue;
        int c = (int)west;
        if (is_free(b, c, r) && is_free(b, c + 1, r)) block(b, at - west <= 0.5 ? c : c + 1, r);
    }
}

static void seal_columns(const box *b, double x0, double y0, double x1, double y1) {
    int first, last;
    lines_between(x0, x1, WIDTH, &first, &last);
    for (int c = first; c <= last; c++) {
        double x = c + 0.5;
        if ((x0 <= x) == (x1 <= x)) continue;
        double at = y0 + (x - x0) * (y1 - y0) / (x1 - x0) - 0.5, south = floor(at);
        if (south < -1 || south >= HEIGHT) continue;
        int r = (int)south;
        if (is_free(b, c, r) && is_free(b, c, r + 1)) block(b, c, at - south <= 0.5 ? r : r + 1);
    }
}

static void seal_wall(void *context, throng_wall_ends e) {
    const box *b = context;
    double per_pixel = 1 / b->s->pixel, ox = b->s->origin_x, oy = b->s->origin_y;
    double x0 = (e.from.x - ox) * per_pixel - b->left, y0 = (e.from.y - oy) * per_pixel - b->low;
    double x1 = (e.to.x - ox) * per_pixel - b->left, y1 = (e.to.y - oy) * per_pixel - b->low;
    seal_rows(b, x0, y0, x1, y1);
    seal_columns(b, x0, y0, x1, y1);
}

/* --- a tile */

static void block_tile(box *b) {
    throng_cpd_tile *tile = b->tile;
    double x = pixel_x(b, WIDTH / 2), y = pixel_y(b, HEIGHT / 2);
    memset(tile->blocked, 0, sizeof tile->blocked);
    tile->walled = false;
    if (b->walls->count == 0) return;
    double half = 0.5 * b->s->pixel * (WIDTH + HEIGHT);
    bool clear = (double)b->walls->clear[throng_walls_cell(b->walls, x, y)] > half;
    if (clear && is_free(b, WIDTH / 2, HEIGHT / 2)) return;
    for (int r = 0; r < HEIGHT; r++) {
        for (int c = 0; c < WIDTH; c++) {
            if (clear || !is_free(b, c, r)) block(b, c, r);
        }
    }
    if (!clear) each_wall(b, seal_wall, b);
}

/* Of the walls nearest to a tile's middle. */
static float clear_around(const box *b) {
    double x = pixel_x(b, WIDTH / 2), y = pixel_y(b, HEIGHT / 2);
    double half = b->s->pixel * (0.5 * sqrt(WIDTH * WIDTH + HEIGHT * HEIGHT) + 1); /* of the diagonal */
    if (b->walls->count == 0) return INFINITY;
    return (float)((double)b->walls->clear[throng_walls_cell(b->walls, x, y)] - half);
}

static bool is_known(const throng_cpd *s, const throng_cpd_tile *tile) {
    return tile->mapped && tile->walls_seen == s->walls_hash;
}

static void block_tiles(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) {
        throng_cpd_tile *tile = &s->pool[s->used[k]];
        if (is_known(s, tile)) continue;
        box b = {s, s->now->walls, tile, (double)tile->column * WIDTH, (double)tile->row * HEIGHT};
        uint64_t hash = 1;
        each_wall(&b, hash_wall, &hash);
        /* without walls nearby the whole tile may still have become one side or the other */
        if (hash == 1) hash = 2 + is_free(&b, WIDTH / 2, HEIGHT / 2);
        if (!tile->mapped || tile->walls != hash) block_tile(&b);
        tile->mapped = true;
        tile->clear = clear_around(&b);
        tile->walls = hash;
        tile->walls_seen = s->walls_hash;
    }
}

void throng_cpd_find_obstacles(throng_cpd *s) {
    bool known = true;
    for (size_t k = 0; k < s->used_count && known; k++) known = is_known(s, &s->pool[s->used[k]]);
    if (!known) throng_parallel_for(s->now->crew, s->used_count, 4, block_tiles, s);
}
