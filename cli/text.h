/* text.h: words and numbers as users type them, and lists of them. */

#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* realloc that ends the program with a message when there is no memory left. */
void *resize(void *pointer, size_t bytes);

/* Texts in order; each is a copy owned by the list. */
typedef struct text_list {
    char **items;
    size_t count;
} text_list;

void text_list_add(text_list *list, const char *text);
void text_list_free(text_list *list);
void text_list_cut(text_list *list, size_t count); /* keeps so many */

/* A new text made as printf would print it; the caller frees it. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool text_ends_with(const char *text, const char *ending);

/* A cell of CSV (RFC 4180), in quotes where it needs them. */
void csv_text(FILE *file, const char *text);
/* The shortest text that reads back as the same number. */
void number_text(char out[40], double value);
/* The whole text is one finite decimal number (no spaces, no hexadecimal, nothing behind it). */
bool read_number(const char *text, double *value);
/* The whole text is digits and fits. */
bool read_whole(const char *text, uint64_t *value);

#endif
