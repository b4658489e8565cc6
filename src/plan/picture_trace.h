/* picture_trace.h: outlines of the areas of a picture.
 *
 * The border of an area runs along the sides of pixels. It is followed exactly, then drawn with fewer corners,
 * none of which lies off that border, nor does the border lie farther than THRONG_TRACE_TOLERANCE from what is
 * drawn. Areas are joined through the sides of pixels, not through their corners, so that a wall of one pixel
 * holds even where it runs diagonally. */

#ifndef THRONG_PICTURE_TRACE_H
#define THRONG_PICTURE_TRACE_H

#include <stdint.h>
#include <throng/throng.h>

#define THRONG_TRACE_TOLERANCE 1.0 /* pixels */

/* A label for each pixel, rows from the bottom up. */
typedef struct throng_raster {
    size_t width, height; /* at most 65535 each */
    uint8_t *labels;      /* [y * width + x] */
} throng_raster;

/* A corner of a border as it is in the picture. */
typedef struct throng_trace_corner {
    uint16_t x, y;
    int8_t pinch_x, pinch_y; /* where another border comes through the same corner: the way out, else 0 */
} throng_trace_corner;

/* The borders of an area, one after the other. */
typedef struct throng_borders {
    throng_trace_corner *corners;
    size_t corner_count, corner_capacity;
    size_t *first; /* [border] its first corner; one more at the end */
    size_t count, capacity;
} throng_borders;

/* Rings in pixels that neither touch nor cross: outer ones counter-clockwise, holes clockwise. */
typedef struct throng_outlines {
    throng_ring *rings; /* each owns its points */
    size_t *inside_of;  /* [ring] the ring directly around it, or SIZE_MAX */
    size_t count;
} throng_outlines;

/* Outlines of the pixels with labels from low to high. */
throng_outlines throng_trace(const throng_raster *raster, uint8_t low, uint8_t high);
void throng_outlines_clear(throng_outlines *outlines);

/* Follows the borders exactly. */
throng_borders throng_follow_borders(const throng_raster *raster, uint8_t low, uint8_t high);
void throng_borders_clear(throng_borders *borders);

#endif
