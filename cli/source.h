/* source.h: the options that say what a recording is, for files that do not say it themselves. */

#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <throng/throng.h>

#include "options.h"

typedef struct source_options {
    const char *format, *unit;
    optional_number fps;
} source_options;

/* Rows of an option table for a source_options at this offset. */
#define SOURCE_OPTION_ROWS(at)                                                                                        \
    {"format",                                                                                                        \
     0,                                                                                                               \
     OPTION_TEXT,                                                                                                     \
     "FORMAT",                                                                                                        \
     "what the recording is, when neither its name nor its first\n"                                                   \
     "bytes tell: sqlite, txt, h5, throng, ndjson, fcd, csv, eth,\nviswalk, vadere",                                  \
     (at) + offsetof(source_options, format),                                                                         \
     0,                                                                                                               \
     0,                                                                                                               \
     false},                                                                                                          \
        {"fps",                                                                                                       \
         0,                                                                                                           \
         OPTION_NUMBER,                                                                                               \
         "N",                                                                                                         \
         "frames a second, where the recording does not say",                                                         \
         (at) + offsetof(source_options, fps),                                                                        \
         0,                                                                                                           \
         0,                                                                                                           \
         true},                                                                                                       \
    {                                                                                                                 \
        "unit", 0, OPTION_TEXT, "m|cm|mm", "unit of a text that does not say", (at) + offsetof(source_options, unit), \
            0, 0, false                                                                                               \
    }

/* Whether the ending of a path is that of a recording. */
bool is_recording(const char *path);
/* Whether any of them was given. */
bool source_given(const source_options *options);
/* The unit of --unit in metres; false after a complaint. */
bool source_unit(const char *text, double *metres);
/* Opens a recording; NULL after a complaint. */
throng_recording *source_open(const source_options *options, const char *path);

#endif
