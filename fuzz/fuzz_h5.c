/* Any bytes as an .h5 recording. */

#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_recording(one_file(data, size), "h5", false);
    return 0;
}
