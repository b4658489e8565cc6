/* text.c: see text.h. */

#include "text.h"

#include <ctype.h>
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

/* Letters to insert, delete, replace or swap to get from one word to the other, case apart; at most `limit` + 1. */
static size_t spelling_distance(const char *a, const char *b, size_t limit) {
    enum { LONGEST = 63 };
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST || m > n + limit || n > m + limit) return limit + 1;
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= n; j++) last[j] = j;
    for (size_t i = 1; i <= m; i++) {
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            int p = tolower((unsigned char)a[i - 1]), q = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (p != q);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped =
                i > 1 && j > 1 && p == tolower((unsigned char)b[j - 2]) && q == tolower((unsigned char)a[i - 2]);
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
        size_t *oldest = before;
        before = last, last = now, now = oldest;
    }
    return last[n];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count) {
    size_t limit = 1 + strlen(word) / 4, best = limit + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t distance = spelling_distance(word, candidates[i], limit);
        if (distance < best) best = distance, nearest = candidates[i];
    }
    return nearest;
}
