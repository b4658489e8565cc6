/* blob.h: bytes with several owners. */

#ifndef CLI_BLOB_H
#define CLI_BLOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that several clients are sent; gone when the last owner has dropped them. */
typedef struct blob {
    atomic_int owners;
    size_t length;
    uint8_t bytes[];
} blob;

blob *blob_new(size_t length); /* with one owner */
blob *blob_of_text(const char *text);
blob *blob_keep(blob *kept);
void blob_drop(blob *dropped); /* NULL is fine */

#endif
