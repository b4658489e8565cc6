/* json_read.h: reading the small JSON texts that the page sends. */

#ifndef CLI_JSON_READ_H
#define CLI_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

typedef enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } json_kind;

/* A value; those inside a list or an object follow it. */
typedef struct json_node {
    json_kind kind;
    const char *key;  /* in an object, else NULL */
    const char *text; /* JSON_TEXT: decoded, no 0 inside */
    double number;
    size_t next; /* the index of what comes after it and all inside it */
} json_node;

typedef struct json_tree {
    json_node *nodes;
    size_t count, capacity;
    char *texts; /* all that nodes point to */
} json_tree;

/* Reads a whole text, nested at most 16 deep. False, and nothing to free: `why` tells what was expected, at which
 * byte. */
bool json_read(const char *text, size_t length, json_tree *out, const char **why, size_t *where);
void json_free(json_tree *tree);

/* The value of a key in the outermost object, or NULL. */
const json_node *json_get(const json_tree *tree, const char *key);
/* The same as a text or a number; what was given when it is missing or of another kind. */
const char *json_get_text(const json_tree *tree, const char *key, const char *fallback);
double json_get_number(const json_tree *tree, const char *key, double fallback);
/* A list of numbers; false when it is missing, of another kind or another length. */
bool json_get_numbers(const json_tree *tree, const char *key, double *out, size_t count);
/* The index-th value of a list, or NULL. */
const json_node *json_item(const json_tree *tree, const json_node *list, size_t index);

#endif
