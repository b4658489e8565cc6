/* blob.c: see blob.h. */

#include "blob.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

blob *blob_new(size_t length) {
    blob *made = resize(NULL, sizeof *made + length);
    atomic_init(&made->owners, 1);
    made->length = length;
    return made;
}

blob *blob_of_text(const char *text) {
    blob *made = blob_new(strlen(text));
    memcpy(made->bytes, text, made->length);
    return made;
}

blob *blob_keep(blob *kept) {
    atomic_fetch_add(&kept->owners, 1);
    return kept;
}

void blob_drop(blob *dropped) {
    if (dropped && atomic_fetch_sub(&dropped->owners, 1) == 1) free(dropped);
}
