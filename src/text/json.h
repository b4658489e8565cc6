/* json.h: JSON as people write it by hand, with // comments and trailing commas.
 *
 * A document is a flat array of nodes in the order of the text: a list or object is followed by all
 * it holds, up to its `end`; an object holds keys and values in turn. A node is 16 bytes and knows
 * where it stands in the text, so every value and key can be pointed at by line and column. */

#ifndef THRONG_JSON_H
#define THRONG_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <throng/throng.h>

typedef enum throng_json_kind {
    THRONG_JSON_NULL,
    THRONG_JSON_BOOL,   /* number is 0 or 1 */
    THRONG_JSON_NUMBER, /* always finite */
    THRONG_JSON_TEXT,
    THRONG_JSON_LIST,
    THRONG_JSON_OBJECT,
    THRONG_JSON_KEY, /* inside an object, before each value */
    THRONG_JSON_BAD  /* a value already reported as wrong; say nothing more about it */
} throng_json_kind;

typedef uint32_t throng_json_ref; /* index of a node; the root is 0 */
#define THRONG_NO_NODE UINT32_MAX

typedef struct throng_json_node {
    union {
        double number;
        struct {
            uint32_t start, length; /* in `strings`, ended by a 0 */
        } text;
        struct {
            uint32_t count; /* items of a list, keys of an object */
            uint32_t end;   /* the node after everything inside */
        } inside;
    };
    uint32_t at; /* byte in `text` */
    uint8_t kind;
} throng_json_node;

/* Where the text of one `--set KEY=VALUE` begins in `text`. */
typedef struct throng_json_override {
    uint32_t start, length;
} throng_json_override;

typedef struct throng_json {
    char *text; /* the file, a 0, then each override and a 0 */
    size_t length, text_capacity;
    size_t file_length;
    throng_json_node *nodes;
    size_t count, capacity;
    char *strings; /* decoded texts and keys */
    size_t string_count, string_capacity;
    throng_json_override *overrides;
    size_t override_count, override_capacity;
    uint32_t *lines; /* byte where each line of the file begins; made at the first question */
    size_t line_count;
    uint32_t located; /* the byte last asked for, and its place: most questions go on from there */
    int located_line, located_column;
} throng_json;

enum { THRONG_JSON_DEPTH = 64, THRONG_JSON_BYTES = 256 << 20 };

/* ------------------------------------------------------------------ reading: json.c */

/* Reads a document. Every fault goes to the report; NULL when it could not be read to its end. */
throng_json *throng_json_create(const char *text, size_t length, throng_report *report);
void throng_json_destroy(throng_json *json);

/* Reads the value at byte `start` of json->text, appending its nodes. False and a reason when it is
 * not one whole value up to the 0 that ends it. */
bool throng_json_append_value(throng_json *json, uint32_t start, throng_error *error);

/* The finite number written at `text` (`length` bytes in JSON's grammar, then any other character),
 * rounded correctly whatever the locale. False when it is not a number or too large for one. */
bool throng_json_number(const char *text, size_t length, double *number);

/* ------------------------------------------------------------------ asking: json_tree.c */

throng_json_kind throng_json_kind_of(const throng_json *json, throng_json_ref node);
double throng_json_number_of(const throng_json *json, throng_json_ref node);
const char *throng_json_text_of(const throng_json *json, throng_json_ref node); /* of a text or key */
size_t throng_json_count(const throng_json *json, throng_json_ref node);        /* of a list or object */

/* The node after this one and all inside it. */
throng_json_ref throng_json_after(const throng_json *json, throng_json_ref node);

/* Walking: k is an item, the i-th of its list; in an object k is a key, its value k + 1. */
#define THRONG_EACH_ITEM(k, json, list)                                                                         \
    for (throng_json_ref k = throng_json_first(json, list), k##_end = throng_json_end(json, list); k < k##_end; \
         k = throng_json_after(json, k))
#define THRONG_EACH_NTH(i, k, json, list)                                                                              \
    for (throng_json_ref i = 0, k = throng_json_first(json, list), k##_end = throng_json_end(json, list); k < k##_end; \
         i++, k = throng_json_after(json, k))
#define THRONG_EACH_KEY(k, json, object)                                                                            \
    for (throng_json_ref k = throng_json_first(json, object), k##_end = throng_json_end(json, object); k < k##_end; \
         k = throng_json_after(json, k + 1))
throng_json_ref throng_json_first(const throng_json *json, throng_json_ref node);
throng_json_ref throng_json_end(const throng_json *json, throng_json_ref node);

/* The value of a key of an object, or THRONG_NO_NODE. */
throng_json_ref throng_json_find(const throng_json *json, throng_json_ref object, const char *key);

/* Line and column, both from 1; 0 and 0 when the node came with an override. */
void throng_json_where(throng_json *json, throng_json_ref node, int *line, int *column);
/* The same of a byte of json->text. */
void throng_json_locate(throng_json *json, uint32_t at, int *line, int *column);
/* "the override dt=0" when the node came with an override, else NULL; written into the buffer. */
const char *throng_json_override_of(const throng_json *json, throng_json_ref node, char *buffer, size_t size);
/* "agents[0].radius"; "" for the root. */
const char *throng_json_path(const throng_json *json, throng_json_ref node, char *buffer, size_t size);
/* What stands there, in words: `the text "abc"`, `-1`, `a list of 3`. */
const char *throng_json_describe(const throng_json *json, throng_json_ref node, char *buffer, size_t size);

/* ------------------------------------------------------------------ changing: override.c */

/* Applies "KEY=VALUE" as `--set` takes it: `dt=0.1`, `model.params.tau0=2`, `agents[0].count=500`.
 * Missing keys are made; whether they mean anything is found when the scenario is read. */
bool throng_json_set(throng_json *json, const char *assignment, throng_report *report);

#endif
