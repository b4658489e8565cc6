/* Any bytes as an .sqlite recording. SQLite wants a file with a name, which is removed at the end. */

#include "one_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char named[] = "/tmp/throng-fuzz-XXXXXX";

static void forget(void) { unlink(named); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) {
        file = mkstemp(named);
        demand(file >= 0 && atexit(forget) == 0);
    }
    demand(ftruncate(file, 0) == 0);
    demand(size == 0 || pwrite(file, data, size, 0) == (ssize_t)size);
    read_recording(named, "sqlite", false);
    return 0;
}
