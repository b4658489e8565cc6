/* archive.c: see archive.h. */

#include "base/archive.h"

#include <string.h>

#include "base/memory.h"
#include "base/report.h"

throng_archive throng_archive_writing(void) { return (throng_archive){0}; }

throng_archive throng_archive_reading(const void *data, size_t size) {
    return (throng_archive){.reading = true, .data = (unsigned char *)data, .size = size};
}

void throng_archive_clear(throng_archive *archive) {
    if (!archive->reading) throng_release(archive->data);
    *archive = (throng_archive){0};
}

void throng_archive_spoil(throng_archive *archive, const char *reason) {
    if (!archive->reading || archive->bad) return;
    archive->bad = true;
    throng_refuse(&archive->error, 0, 0, "%s (at byte %zu)", reason, archive->at);
}

bool throng_archive_is_read(const throng_archive *archive) { return archive->reading; }

void throng_archive_bytes(throng_archive *archive, void *bytes, size_t size) {
    if (size == 0) return;
    if (!archive->reading) {
        THRONG_GROW(archive->data, archive->capacity, archive->size + size);
        memcpy(archive->data + archive->size, bytes, size);
        archive->size += size;
        return;
    }
    if (size > archive->size - archive->at) throng_archive_spoil(archive, "it ends too early");
    if (archive->bad) {
        memset(bytes, 0, size);
        return;
    }
    memcpy(bytes, archive->data + archive->at, size);
    archive->at += size;
}

void throng_archive_counts(throng_archive *archive, uint64_t *counts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t before = counts[i];
        THRONG_ARCHIVE(archive, counts[i]);
        if (archive->moves) counts[i] = archive->reading ? before + counts[i] : 0;
    }
}

void throng_archive_mark(throng_archive *archive, const char *mark) {
    size_t length = strlen(mark) + 1;
    if (!archive->reading) {
        throng_archive_bytes(archive, (void *)mark, length);
    } else if (length > archive->size - archive->at || memcmp(archive->data + archive->at, mark, length) != 0) {
        char reason[100] = "'";
        strncat(reason, mark, 60);
        throng_archive_spoil(archive, strcat(reason, "' does not stand where it should"));
    } else {
        archive->at += length;
    }
}

void *throng_archive_list(throng_archive *archive, void *items, size_t *count, size_t *capacity, size_t item_size) {
    uint64_t stored = *count;
    THRONG_ARCHIVE(archive, stored);
    if (archive->reading) {
        /* Looked at before room is made: a wrong count must not ask for all memory there is. */
        if (stored > (archive->size - archive->at) / item_size) throng_archive_spoil(archive, "a list is too long");
        if (archive->bad) stored = 0;
        if (stored > *capacity) {
            items = throng_reallocate(items, (size_t)stored * item_size);
            *capacity = (size_t)stored;
        }
        *count = (size_t)stored;
    }
    throng_archive_bytes(archive, items, *count * item_size);
    return items;
}

char *throng_archive_text(throng_archive *archive, char *text) {
    size_t count = text ? strlen(text) + 1 : 0, capacity = count;
    THRONG_ARCHIVE_LIST(archive, text, count, capacity);
    bool ended = count > 0 && text[count - 1] == 0;
    if (count > 0 && !ended) throng_archive_spoil(archive, "a text has no end");
    if (archive->bad || count == 0) {
        throng_release(text);
        text = NULL;
    }
    return text;
}
