/* suggest.h: "did you mean ...?" */

#ifndef THRONG_SUGGEST_H
#define THRONG_SUGGEST_H

#include <stddef.h>

/* The best of the candidates tried so far; start from {.word = what was written}. */
typedef struct throng_suggestion {
    const char *word;
    const char *best; /* NULL: none is near enough */
    int distance;
    char text[100]; /* for throng_suggest_text */
} throng_suggestion;

void throng_suggest(throng_suggestion *suggestion, const char *candidate);

/* ": did you mean 'obstacles'?", or "" when nothing is near. */
const char *throng_suggest_text(throng_suggestion *suggestion);

#endif
