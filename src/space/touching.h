/* touching.h: rings that touch themselves, for the two files that know GEOS. */

#ifndef THRONG_TOUCHING_H
#define THRONG_TOUCHING_H

#include <geos_c.h>

#include "space/place.h"

/* A closed line of GEOS through the points of a ring. */
GEOSGeometry *throng_geos_ring(GEOSContextHandle_t geos, throng_ring ring, bool as_line);

/* What a ring that touches itself encloses: a polygon, or several that meet in points. NULL when the
 * ring crosses itself, or encloses nothing; the fault, which may name a place already, says where. Overlaps of itself
 * narrower than the tolerance count as touching. */
GEOSGeometry *throng_touching_polygon(GEOSContextHandle_t geos, throng_ring ring, throng_fault *fault);

#endif
