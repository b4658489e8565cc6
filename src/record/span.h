/* span.h: pieces of a text in memory, for the readers of text formats. There is a 0 byte somewhere after
 * every span, so that numbers can be read up to its end. */

#ifndef THRONG_SPAN_H
#define THRONG_SPAN_H

#include <string.h>

#include "record/record.h"

typedef struct throng_span {
    const char *at, *end;
} throng_span;

static inline size_t throng_span_length(throng_span s) { return (size_t)(s.end - s.at); }
#define THRONG_SPAN(span) (int)throng_span_length(span), (span).at /* for "%.*s" */
static inline throng_span throng_span_of(const char *text) { return (throng_span){text, text + strlen(text)}; }
/* White space but for the end of a line. */
static inline bool throng_is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* The lines of a text, one after the other. */
typedef struct throng_line_reader {
    throng_span rest;
    throng_span line; /* without its line end */
    int number;       /* of the line, from 1 */
    bool whole;       /* it has a line end */
} throng_line_reader;

/* Starts after a byte order mark, if there is one. */
throng_line_reader throng_lines_of(const char *text, size_t size);
throng_line_reader throng_lines_in(const char *text); /* up to its 0; there are none in NULL */
bool throng_next_line(throng_line_reader *reader);    /* false at the end */

throng_span throng_span_trim(throng_span s);
/* Where `word` stands in the span, or NULL. */
const char *throng_span_find(throng_span s, const char *word);
bool throng_span_is(throng_span s, const char *word); /* whatever the case */
char *throng_span_copy(throng_span s);                /* to be released */

/* The next word of a line, apart by white space; empty at its end. */
throng_span throng_next_word(throng_span *line);
/* The next field of a line, apart by this character, without white space and quotation marks around it. False when
 * there is none left. */
bool throng_next_field(throng_span *line, char separator, throng_span *field);

/* The whole span as a finite number; as a whole number from 0, which may be written 12.0. */
bool throng_span_number(throng_span s, double *value);
bool throng_span_whole(throng_span s, uint64_t *value);

/* Refuses a line: "cannot read 'path': line 3: expected a number as x, found 'abc'". */
bool throng_refuse_span(throng_error *error, const char *path, throng_line_reader *lines, throng_span found,
                        const char *expected);

#endif
