/* geojson.h: the parts of reading GeoJSON. */

#ifndef THRONG_GEOJSON_H
#define THRONG_GEOJSON_H

#include "plan/plan.h"
#include "text/json.h"

/* Whether the coordinates of a plan are metres. Degrees of longitude and latitude are refused; what only
 * looks like them is warned of. */
bool throng_geojson_is_metric(throng_json *json, const throng_floor_plan *plan, throng_report *report);

#endif
