/* Any bytes as SUMO's floating car data. */

#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_recording(one_file(data, size), "fcd", false);
    return 0;
}
