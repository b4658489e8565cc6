/* json_string.h: the texts of a JSON document: quotes, escapes, UTF-8. */

#ifndef THRONG_JSON_STRING_H
#define THRONG_JSON_STRING_H

#include "text/json.h"

/* What was wrong inside a text, and where; text is NULL when nothing was. */
typedef struct throng_text_fault {
    const char *text;
    const char *at;
    uint32_t start; /* of the decoded text in json->strings */
} throng_text_fault;

/* Bytes of the UTF-8 character at p, or 0 when it is none (RFC 3629: no surrogates, shortest form). */
int throng_utf8_length(const char *p, const char *end);

/* Appends the text that begins with the quote at p, decoded and ended by a 0, to json->strings.
 * Returns what follows the closing quote; NULL when there is none before the line ends. */
const char *throng_decode_text(const char *p, const char *end, throng_json *json, throng_text_fault *fault);

#endif
