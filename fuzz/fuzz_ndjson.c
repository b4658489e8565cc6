/* Any bytes as TrajNet++'s ndjson. */

#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_recording(one_file(data, size), "ndjson", false);
    return 0;
}
