/* Any bytes as a table: what they look like by their beginning, or after a first byte 'v' or 'w' as Vadere's or
 * Viswalk's; after 'o' as what they look like, with the frame rate to be found. */

#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *format = size && data[0] == 'v' ? "vadere" : size && data[0] == 'w' ? "viswalk" : NULL;
    if (format) {
        read_recording(one_file(data + 1, size - 1), format, false);
        return 0;
    }
    if (size == 0 || data[0] != 'o') {
        read_recording(one_file(data, size), "csv", false);
        return 0;
    }
    throng_recording_close(throng_recording_open(one_file(data + 1, size - 1), NULL));
    return 0;
}
