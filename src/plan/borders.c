/* borders.c: walks along the sides of pixels with the area on the left hand until the walk closes. */

#include <string.h>

#include "base/memory.h"
#include "plan/picture_trace.h"

/* Directions in the order of left turns: east, north, west, south. */
static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};
/* From a corner, looking in a direction: the pixel ahead on the left (the one on the right follows from the
 * next direction), and the way to the middle of the pixel behind on the left. */
static const int left_x[4] = {0, -1, -1, 0}, left_y[4] = {0, 0, -1, -1};
static const int right_x[4] = {0, 0, -1, -1}, right_y[4] = {-1, 0, 0, -1};
static const int behind_x[4] = {-1, -1, 1, 1}, behind_y[4] = {1, -1, -1, 1};

typedef struct walk {
    const throng_raster *raster;
    uint8_t low, high;
    uint8_t *seen; /* a bit for each pixel: the border along its left side was walked */
    throng_borders *out;
} walk;

static bool is_inside(const walk *w, long x, long y) {
    const throng_raster *r = w->raster;
    if (x < 0 || y < 0 || x >= (long)r->width || y >= (long)r->height) return false;
    uint8_t label = r->labels[(size_t)y * r->width + (size_t)x];
    return label >= w->low && label <= w->high;
}

static void add_corner(throng_borders *out, long x, long y, int pinch_x, int pinch_y) {
    THRONG_GROW(out->corners, out->corner_capacity, out->corner_count + 1);
    out->corners[out->corner_count++] =
        (throng_trace_corner){(uint16_t)x, (uint16_t)y, (int8_t)pinch_x, (int8_t)pinch_y};
}

/* Walks the border that runs down the left side of a pixel. */
static void follow(walk *w, size_t start_x, size_t start_y) {
    long x = (long)start_x, y = (long)start_y + 1;
    int way = 3;
    THRONG_GROW(w->out->first, w->out->capacity, w->out->count + 2);
    w->out->first[w->out->count++] = w->out->corner_count;
    do {
        x += step_x[way];
        y += step_y[way];
        if (way == 3) {
            size_t pixel = (size_t)y * w->raster->width + (size_t)x;
            w->seen[pixel / 8] |= (uint8_t)(1u << pixel % 8);
        }
        bool left = is_inside(w, x + left_x[way], y + left_y[way]);
        bool right = is_inside(w, x + right_x[way], y + right_y[way]);
        if (!left) {
            add_corner(w->out, x, y, right ? behind_x[way] : 0, right ? behind_y[way] : 0);
            way = (way + 1) % 4;
        } else if (right) {
            add_corner(w->out, x, y, 0, 0);
            way = (way + 3) % 4;
        }
    } while (x != (long)start_x || y != (long)start_y + 1 || way != 3);
}

throng_borders throng_follow_borders(const throng_raster *raster, uint8_t low, uint8_t high) {
    throng_borders out = {0};
    size_t pixels = raster->width * raster->height;
    walk w = {raster, low, high, throng_allocate(pixels / 8 + 1), &out};
    for (size_t y = 0; y < raster->height; y++) {
        for (size_t x = 0; x < raster->width; x++) {
            size_t pixel = y * raster->width + x;
            if (w.seen[pixel / 8] >> pixel % 8 & 1) continue;
            if (is_inside(&w, (long)x, (long)y) && !is_inside(&w, (long)x - 1, (long)y)) follow(&w, x, y);
        }
    }
    THRONG_GROW(out.first, out.capacity, out.count + 1);
    out.first[out.count] = out.corner_count;
    throng_release(w.seen);
    return out;
}

void throng_borders_clear(throng_borders *borders) {
    throng_release(borders->corners);
    throng_release(borders->first);
    *borders = (throng_borders){0};
}
