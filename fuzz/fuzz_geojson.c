/* Any text as a GeoJSON plan, and as the scenario made of it. */

#include "floor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_plan(data, size, "x.geojson", size < 4000);
    return 0;
}
