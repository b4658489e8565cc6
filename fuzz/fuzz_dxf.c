/* Any text as a DXF drawing, and as the scenario made of it. */

#include "floor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_plan(data, size, "x.dxf", size < 4000);
    return 0;
}
