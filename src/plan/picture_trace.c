/* picture_trace.c: see picture_trace.h. Where simplified borders meet, the corners around are put back to where they
 * are in the picture, until none meet. Borders as they are in the picture never do. */

#include "plan/picture_trace.h"

#include <math.h>

#include "base/memory.h"
#include "space/line_sweep.h"
#include "space/place.h"

enum { MOST_ROUNDS = 60 };

static void draw(throng_ring *ring, const throng_borders *borders, size_t b, const throng_cares *cares) {
    throng_release((void *)ring->points);
    *ring = throng_simplify(borders->corners + borders->first[b], borders->first[b + 1] - borders->first[b], cares);
}

/* Whether every hole lies directly in an outline of its own area, and nothing else does. */
static bool is_nested(const throng_outlines *out) {
    for (size_t r = 0; r < out->count; r++) {
        size_t around = out->inside_of[r];
        bool hole = throng_ring_area(out->rings[r]) < 0;
        bool around_is_outline = around != SIZE_MAX && throng_ring_area(out->rings[around]) > 0;
        if (hole != around_is_outline) return false;
    }
    return true;
}

static bool are_apart(throng_outlines *out, throng_ring_contact *contact) {
    return throng_rings_apart(out->rings, out->count, out->inside_of, contact);
}

/* Around a contact: first a closer look at a wide part of it, then the pixels themselves. */
static throng_careful care_for(const throng_cares *cares, throng_point at) {
    for (size_t i = 0; i < cares->count; i++) {
        const throng_careful *place = &cares->places[i];
        bool near = fabs(at.x - place->at.x) < place->radius && fabs(at.y - place->at.y) < place->radius;
        if (near) return (throng_careful){at, 6 + (double)cares->count / 4, THRONG_CARE_EXACT};
    }
    return (throng_careful){at, 100, THRONG_CARE_CLOSE};
}

throng_outlines throng_trace(const throng_raster *raster, uint8_t low, uint8_t high) {
    throng_borders borders = throng_follow_borders(raster, low, high);
    throng_outlines out = {.count = borders.count};
    out.rings = throng_allocate(out.count * sizeof *out.rings);
    out.inside_of = throng_allocate(out.count * sizeof *out.inside_of);
    throng_careful places[MOST_ROUNDS];
    throng_cares cares = {.places = places};
    for (size_t b = 0; b < out.count; b++) draw(&out.rings[b], &borders, b, &cares);

    throng_ring_contact contact;
    bool apart = out.count == 0 || are_apart(&out, &contact);
    while (!apart && cares.count < MOST_ROUNDS) {
        places[cares.count] = care_for(&cares, contact.at);
        cares.count++;
        draw(&out.rings[contact.ring[0]], &borders, contact.ring[0], &cares);
        if (contact.ring[1] != contact.ring[0]) draw(&out.rings[contact.ring[1]], &borders, contact.ring[1], &cares);
        apart = are_apart(&out, &contact);
    }
    if (!apart || !is_nested(&out)) {
        cares.exact = true;
        for (size_t b = 0; b < out.count; b++) draw(&out.rings[b], &borders, b, &cares);
        are_apart(&out, &contact);
    }
    throng_borders_clear(&borders);
    return out;
}

void throng_outlines_clear(throng_outlines *outlines) {
    for (size_t r = 0; r < outlines->count; r++) throng_release((void *)outlines->rings[r].points);
    throng_release(outlines->rings);
    throng_release(outlines->inside_of);
    *outlines = (throng_outlines){0};
}
