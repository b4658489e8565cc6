/* json.h: writing JSON, with the commas and quotes in the right places. */

#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_writer {
    FILE *file;
    bool begun; /* something stands before in the object or list */
} json_writer;

/* `key` is NULL inside a list and for the outermost value. */
void json_open(json_writer *writer, const char *key, char bracket);
void json_close(json_writer *writer, char bracket);
void json_text(json_writer *writer, const char *key, const char *value); /* NULL: null */
void json_number(json_writer *writer, const char *key, double value);    /* null when not finite */
void json_whole(json_writer *writer, const char *key, uint64_t value);
void json_bool(json_writer *writer, const char *key, bool value);
void json_null(json_writer *writer, const char *key);

#endif
