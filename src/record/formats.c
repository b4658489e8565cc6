/* formats.c: the file formats of recordings, and which one a path asks for. */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "record/record.h"
#include "world/report.h"

static const throng_file_format formats[] = {
    {.name = "sqlite",
     .ending = ".sqlite",
     .title = "JuPedSim version 2",
     .create = throng_sqlite_create,
     .frame = throng_sqlite_frame,
     .flush = throng_sqlite_flush,
     .close = throng_sqlite_close,
     .clear_beside = throng_sqlite_clear_beside,
     .open = throng_sqlite_open,
     .read = throng_sqlite_read,
     .release = throng_sqlite_release},
    {.name = "txt",
     .ending = ".txt",
     .title = "Juelich text",
     .create = throng_text_create,
     .frame = throng_text_frame,
     .flush = throng_text_flush,
     .close = throng_text_close,
     .positions_only = true,
     .open = throng_text_open,
     .read = throng_text_read,
     .release = throng_text_release},
    {.name = "throng",
     .ending = ".throng",
     .title = "compact",
     .create = throng_compact_create,
     .frame = throng_compact_frame,
     .flush = throng_compact_flush,
     .close = throng_compact_close,
     .reserve = throng_compact_reserve,
     .positions_only = true,
     .open = throng_compact_open,
     .read = throng_compact_read,
     .release = throng_compact_release},
    {.name = "eth",
     .title = "ETH obsmat",
     .open = throng_eth_open,
     .read = throng_text_read,
     .release = throng_text_release},
};

static const struct { const char *ending, *title; } later[] = {{".h5", "Pedestrian Dynamics Data Archive"}};

enum { format_count = sizeof formats / sizeof *formats, later_count = sizeof later / sizeof *later };

const throng_file_format *throng_file_format_of(const char *path, throng_error *error) {
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; ending && i < format_count; i++)
        if (formats[i].ending && strcasecmp(ending, formats[i].ending) == 0) return &formats[i];

    char known[200] = "";
    for (size_t i = 0; i < format_count; i++) {
        if (!formats[i].ending) continue;
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s (%s)", i ? ", " : "", formats[i].ending,
                 formats[i].title);
    }
    for (size_t i = 0; ending && i < later_count; i++) {
        if (strcasecmp(ending, later[i].ending) != 0) continue;
        throng_refuse(error, 0, 0, "'%s': the format %s (%s) is not supported yet; known are %s", path, later[i].ending,
                      later[i].title, known);
        return NULL;
    }
    throng_refuse(error, 0, 0, "'%s': the format of a recording follows its ending; known are %s", path, known);
    return NULL;
}

const throng_file_format *throng_file_format_to_read(const char *path, const char *name, throng_error *error) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(file);
    /* The name that the ETH data has everywhere. */
    bool obsmat = strncasecmp(file, "obsmat", 6) == 0 && length >= 10 && strcasecmp(file + length - 4, ".txt") == 0;
    if (!name && !obsmat) return throng_file_format_of(path, error);
    for (size_t i = 0; i < format_count; i++)
        if (strcasecmp(formats[i].name, name ? name : "eth") == 0) return &formats[i];
    char known[100] = "";
    for (size_t i = 0; i < format_count; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", formats[i].name);
    }
    throng_refuse(error, 0, 0, "expected one of %s as the format of '%s', found '%.40s'", known, path, name);
    return NULL;
}
