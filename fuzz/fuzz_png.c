/* Any bytes as a picture; or, after a first byte 'r', as the pixels of one: a width, then what each pixel is. */

#include "floor.h"
#include "plan/picture_trace.h"
#include "space/line_sweep.h"

static size_t pixels_of(const throng_raster *raster, uint8_t low, uint8_t high) {
    size_t count = 0;
    for (size_t i = 0; i < raster->width * raster->height; i++)
        count += raster->labels[i] >= low && raster->labels[i] <= high;
    return count;
}

/* Outlines neither meet nor get lost, and enclose what the pixels do, to what the tolerance allows. */
static void check_trace(const throng_raster *raster, uint8_t low, uint8_t high) {
    throng_borders borders = throng_follow_borders(raster, low, high);
    throng_outlines outlines = throng_trace(raster, low, high);
    throng_ring_contact contact;
    double area = 0, length = 0;
    demand(outlines.count == borders.count);
    for (size_t r = 0; r < outlines.count; r++) {
        throng_ring ring = outlines.rings[r];
        area += throng_ring_area(ring);
        for (size_t i = 0; i < ring.count; i++) {
            throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
            length += hypot(b.x - a.x, b.y - a.y);
        }
        bool hole = throng_ring_area(ring) < 0;
        size_t around = outlines.inside_of[r];
        demand(hole == (around != SIZE_MAX && throng_ring_area(outlines.rings[around]) > 0));
    }
    demand(outlines.count == 0 || throng_rings_apart(outlines.rings, outlines.count, NULL, &contact));
    demand(fabs(area - (double)pixels_of(raster, low, high)) <= THRONG_TRACE_TOLERANCE * length + 1e-9);
    throng_outlines_clear(&outlines);
    throng_borders_clear(&borders);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3 || data[0] != 'r') {
        read_plan(data, size, "x.png", false);
        return 0;
    }
    size_t width = data[1] % 64 + 1u, height = (8 * (size - 2) + width - 1) / width;
    if (height > 2000) return 0;
    throng_raster raster = {width, height, calloc(width, height)};
    for (size_t i = 0; i < 8 * (size - 2); i++) raster.labels[i] = data[2 + i / 8] >> i % 8 & 1;
    check_trace(&raster, 1, 255);
    check_trace(&raster, 0, 0);
    free(raster.labels);
    return 0;
}
