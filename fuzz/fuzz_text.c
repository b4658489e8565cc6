/* Any bytes as a Juelich text, or after a first byte 'e' as ETH's. */

#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool eth = size > 0 && data[0] == 'e';
    read_recording(one_file(data + eth, size - eth), eth ? "eth" : "txt", false);
    return 0;
}
