/* patch.h: obstacles put upon a finished place (walkable geometry), by looking only at what they touch. */

#ifndef THRONG_PATCH_H
#define THRONG_PATCH_H

#include <throng/model.h>

#include "space/place.h"

/* An obstacle's outline and how far from there it stands. */
typedef struct throng_patch {
    throng_ring ring; /* corners of a simple polygon, or points of a thin wall */
    bool thin;
    throng_point offset; /* m */
} throng_patch;

/* The base less the obstacles, which may overlap, touch and reach beyond it. Whatever they leave makes
 * a place, even if it is nothing. If the rings of the base are `clear` of each other and of themselves (line_sweep.h),
 * only what lies above or below obstacles is looked at; the place is the same. */
throng_place *throng_place_patch(const throng_place *base, bool clear, const throng_patch *patches, size_t count);

#endif
