/* formats_none.c: in the place of .sqlite, .h5 and .throng in a build without SQLite, zlib and zstd. */

#include "base/report.h"
#include "record/record.h"

static bool refuse(const char *path, throng_error *error) {
    return throng_refuse(error, 0, 0, "'%s': this build of throng has no .sqlite, .h5 and .throng: take .txt or .csv",
                         path);
}

static void *create(const throng_record_head *head, throng_error *error) {
    refuse(head->path, error);
    return NULL;
}

static bool open_none(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    (void)def;
    return refuse(recording->path, error);
}

static void release(throng_recording *recording) { (void)recording; }

const throng_record_writer throng_sqlite_writer = {.create = create};
const throng_record_writer throng_h5_writer = {.create = create};
const throng_record_writer throng_compact_writer = {.create = create};
const throng_record_reader throng_sqlite_reader = {.open = open_none, .release = release};
const throng_record_reader throng_h5_reader = {.open = open_none, .release = release};
const throng_record_reader throng_compact_reader = {.open = open_none, .release = release};
