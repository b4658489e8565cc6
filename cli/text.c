/* text.c: see text.h. */

#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *resize(void *pointer, size_t bytes) {
    void *larger = realloc(pointer, bytes ? bytes : 1);
    if (!larger) {
        fprintf(stderr, "throng: error: out of memory\n");
        exit(1);
    }
    return larger;
}

void text_list_add(text_list *list, const char *text) {
    list->items = resize(list->items, (list->count + 1) * sizeof *list->items);
    list->items[list->count++] = text_format("%s", text);
}

void text_list_free(text_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i]);
    free(list->items);
    *list = (text_list){0};
}

void text_list_cut(text_list *list, size_t count) {
    while (list->count > count) free(list->items[--list->count]);
}

char *text_format(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = resize(NULL, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

bool text_ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && !strcmp(text + length - tail, ending);
}

void csv_text(FILE *file, const char *text) {
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void number_text(char out[40], double value) {
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
}

bool read_number(const char *text, double *value) {
    if (!*text || text[strspn(text, "+-.0123456789eE")]) return false;
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

bool read_whole(const char *text, uint64_t *value) {
    if (!*text || text[strspn(text, "0123456789")]) return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}
